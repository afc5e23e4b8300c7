package builtin

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

var strRows = []lang.Def{
	{Sig: "capitalize(self, /)", Fn: strMap(format.Capitalize), Doc: "Return a copy with the first character in title case and the rest in lower case."},
	{Sig: "casefold(self, /)", Fn: strMap(format.Fold), Doc: "Return a copy for comparisons without regard to case."},
	{Sig: "lower(self, /)", Fn: strMap(format.Lower), Doc: "Return a lower case copy."},
	{Sig: "swapcase(self, /)", Fn: strMap(format.SwapCase), Doc: "Return a copy with the case of letters exchanged."},
	{Sig: "title(self, /)", Fn: strMap(format.Title), Doc: "Return a copy in which every word begins in title case."},
	{Sig: "upper(self, /)", Fn: strMap(format.Upper), Doc: "Return an upper case copy."},
	{Sig: "isalnum(self, /)", Fn: strAll(format.IsAlnum), Doc: "True for a non-empty text of letters and numbers."},
	{Sig: "isalpha(self, /)", Fn: strAll(format.IsAlpha), Doc: "True for a non-empty text of letters."},
	{Sig: "isascii(self, /)", Fn: strIsASCII, Doc: "True when every character is ASCII."},
	{Sig: "isdecimal(self, /)", Fn: strAll(format.IsDecimal), Doc: "True for a non-empty text of decimal digits."},
	{Sig: "isdigit(self, /)", Fn: strAll(format.IsDigit), Doc: "True for a non-empty text of digits."},
	{Sig: "isidentifier(self, /)", Fn: strIsIdentifier, Doc: "True when the text could name a binding."},
	{Sig: "islower(self, /)", Fn: strIsLower, Doc: "True when there is a letter with case and all of them are lower case."},
	{Sig: "isnumeric(self, /)", Fn: strAll(format.IsNumeric), Doc: "True for a non-empty text of numeric characters."},
	{Sig: "isprintable(self, /)", Fn: strIsPrintable, Doc: "True when repr() would escape nothing."},
	{Sig: "isspace(self, /)", Fn: strAll(format.IsSpace), Doc: "True for a non-empty text of white space."},
	{Sig: "istitle(self, /)", Fn: strIsTitle, Doc: "True when words begin in upper case and go on in lower case."},
	{Sig: "isupper(self, /)", Fn: strIsUpper, Doc: "True when there is a letter with case and all of them are upper case."},
	{Sig: "center(self, width, fillchar=' ', /)", Fn: strCenter, Doc: "Return the text centred in width columns."},
	{Sig: "ljust(self, width, fillchar=' ', /)", Fn: strLjust, Doc: "Return the text at the left of width columns."},
	{Sig: "rjust(self, width, fillchar=' ', /)", Fn: strRjust, Doc: "Return the text at the right of width columns."},
	{Sig: "zfill(self, width, /)", Fn: strZfill, Doc: "Fill with zeros after the sign up to width columns."},
	{Sig: "expandtabs(self, /, tabsize=8)", Fn: strExpandtabs, Doc: "Return a copy with tabs replaced by spaces."},
	{Sig: "strip(self, chars=None, /)", Fn: strStrip(true, true, "strip"), Doc: "Return a copy without leading and trailing characters of chars (white space)."},
	{Sig: "lstrip(self, chars=None, /)", Fn: strStrip(true, false, "lstrip"), Doc: "Return a copy without leading characters of chars (white space)."},
	{Sig: "rstrip(self, chars=None, /)", Fn: strStrip(false, true, "rstrip"), Doc: "Return a copy without trailing characters of chars (white space)."},
	{Sig: "removeprefix(self, prefix, /)", Fn: strRemovePrefix, Doc: "Return a copy without the prefix, if it is there."},
	{Sig: "removesuffix(self, suffix, /)", Fn: strRemoveSuffix, Doc: "Return a copy without the suffix, if it is there."},
	{Sig: "find(self, sub, start=None, end=None, /)", Fn: strFind, Doc: "Return the first position of sub in self[start:end], or -1."},
	{Sig: "rfind(self, sub, start=None, end=None, /)", Fn: strRfind, Doc: "Return the last position of sub in self[start:end], or -1."},
	{Sig: "index(self, sub, start=None, end=None, /)", Fn: strIndex, Doc: "Like find(), but raise ValueError when sub isn't there."},
	{Sig: "rindex(self, sub, start=None, end=None, /)", Fn: strRindex, Doc: "Like rfind(), but raise ValueError when sub isn't there."},
	{Sig: "count(self, sub, start=None, end=None, /)", Fn: strCount, Doc: "Return how often sub stands in self[start:end] without overlap."},
	{Sig: "startswith(self, prefix, start=None, end=None, /)", Fn: strStartsWith, Doc: "True when self[start:end] begins with the prefix, or one of a tuple."},
	{Sig: "endswith(self, suffix, start=None, end=None, /)", Fn: strEndsWith, Doc: "True when self[start:end] ends with the suffix, or one of a tuple."},
	{Sig: "replace(self, old, new, count=-1, /)", Fn: strReplace, Doc: "Return a copy with old replaced by new, at most count times."},
	{Sig: "split(self, /, sep=None, maxsplit=-1)", Fn: strSplit, Doc: "Return the parts between separators (runs of white space)."},
	{Sig: "rsplit(self, /, sep=None, maxsplit=-1)", Fn: strRsplit, Doc: "Like split(), counted from the right."},
	{Sig: "splitlines(self, /, keepends=False)", Fn: strSplitlines, Doc: "Return the lines of the text."},
	{Sig: "partition(self, sep, /)", Fn: strPartition, Doc: "Return what stands before, at and after the first separator."},
	{Sig: "rpartition(self, sep, /)", Fn: strRpartition, Doc: "Return what stands before, at and after the last separator."},
	{Sig: "join(self, iterable, /)", Fn: strJoin, Doc: "Return the strs of an iterable with self between them."},
	{Sig: "translate(self, table, /)", Fn: strTranslate, Doc: "Return a copy with every character mapped by table[ordinal]."},
	{Sig: "maketrans(x, y=..., z=..., /)", Fn: strMaketrans, Doc: "Return a table for translate().", Flags: lang.DefStatic},
	{Sig: "encode(self, /, encoding='utf-8', errors='strict')", Fn: strEncode, Doc: "Return the bytes of the text in an encoding."},
	{Sig: "format(self, /, *args, **kwargs)", Fn: strFormat, Doc: "Return a copy with the replacement fields filled in."},
	{Sig: "format_map(self, mapping, /)", Fn: strFormatMap, Doc: "Like format(), with names looked up in a mapping."},
	{Sig: "__getnewargs__(self, /)", Fn: strNewArgs},
}

func strMap(f func(string) string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return lang.NewStr(f(self(a).String())), nil }
}

func strAll(f func(rune) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		s := self(a).String()
		if s == "" {
			return lang.False, nil
		}
		return lang.Bool(everyRune(s, f)), nil
	}
}

func everyRune(s string, f func(rune) bool) bool {
	for i := 0; i < len(s); {
		r, n := lang.DecodeRune(s[i:])
		if !f(r) {
			return false
		}
		i += n
	}
	return true
}

func strIsASCII(th *Thread, a []Value) (Value, error) { return lang.Bool(self(a).IsASCII()), nil }

func strIsIdentifier(th *Thread, a []Value) (Value, error) {
	return lang.Bool(format.IsIdentifier(self(a).String())), nil
}

func strIsPrintable(th *Thread, a []Value) (Value, error) {
	return lang.Bool(everyRune(self(a).String(), format.IsPrintable)), nil
}

func strIsTitle(th *Thread, a []Value) (Value, error) {
	return lang.Bool(format.IsTitleText(self(a).String())), nil
}

func strIsLower(th *Thread, a []Value) (Value, error) {
	return lang.Bool(oneCase(self(a).String(), format.IsLower, format.IsUpper)), nil
}

func strIsUpper(th *Thread, a []Value) (Value, error) {
	return lang.Bool(oneCase(self(a).String(), format.IsUpper, format.IsLower)), nil
}

// oneCase reports that some character passes want and none is of the other case.
func oneCase(s string, want, other func(rune) bool) bool {
	found := false
	for i := 0; i < len(s); {
		r, n := lang.DecodeRune(s[i:])
		if other(r) || format.IsTitle(r) {
			return false
		}
		found = found || want(r)
		i += n
	}
	return found
}

// padding reads width and fill character; missing is how many columns to add.
func padding(th *Thread, a []Value) (s *lang.Str, missing, width int, fill string, err error) {
	s = self(a)
	if width, err = intOf(th, a[1]); err != nil {
		return
	}
	f, ok := lang.AsStr(a[2])
	if !ok {
		err = th.TypeErrorf("The fill character must be a unicode character, not %s", lang.TypeName(a[2]))
		return
	}
	if f.Len() != 1 {
		err = th.TypeErrorf("The fill character must be exactly one character long")
		return
	}
	fill = f.String()
	if missing = width - s.Len(); missing > 0 {
		err = th.CheckSize(width, len(fill))
	}
	return
}

func strCenter(th *Thread, a []Value) (Value, error) {
	s, missing, width, fill, err := padding(th, a)
	if err != nil || missing <= 0 {
		return a[0], err
	}
	left, right := centerPads(missing, width)
	return lang.NewStr(strings.Repeat(fill, left) + s.String() + strings.Repeat(fill, right)), nil
}

func strLjust(th *Thread, a []Value) (Value, error) {
	s, missing, _, fill, err := padding(th, a)
	if err != nil || missing <= 0 {
		return a[0], err
	}
	return lang.NewStr(s.String() + strings.Repeat(fill, missing)), nil
}

func strRjust(th *Thread, a []Value) (Value, error) {
	s, missing, _, fill, err := padding(th, a)
	if err != nil || missing <= 0 {
		return a[0], err
	}
	return lang.NewStr(strings.Repeat(fill, missing) + s.String()), nil
}

func strZfill(th *Thread, a []Value) (Value, error) {
	s := self(a)
	width, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	missing := width - s.Len()
	if missing <= 0 {
		return exactStr(a[0], s), nil
	}
	if err := th.CheckSize(width, 1); err != nil {
		return fail(err)
	}
	return lang.NewStr(zeroFill(s.String(), missing)), nil
}

// exactStr is v itself or, for an instance of a subclass, the str inside.
func exactStr(v Value, s *lang.Str) Value { return s.Value() }

func strExpandtabs(th *Thread, a []Value) (Value, error) {
	size, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	s := self(a).String()
	if err := th.CheckRepeat(strings.Count(s, "\t"), max(size, 1), 1); err != nil {
		return fail(err)
	}
	return lang.NewStr(expandTabs(s, size)), nil
}

func strStrip(left, right bool, name string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		s := self(a)
		drop := format.IsSpace
		if !a[1].IsNone() {
			chars, ok := lang.AsStr(a[1])
			if !ok {
				return fail(th.TypeErrorf("%s arg must be None or str", name))
			}
			set := chars.String()
			drop = func(r rune) bool { return hasRune(set, r) }
		}
		t := s.String()
		if left {
			t = trimLeft(t, drop)
		}
		if right {
			t = trimRight(t, drop)
		}
		if len(t) == len(s.String()) {
			return exactStr(a[0], s), nil
		}
		return lang.NewStr(t), nil
	}
}

func hasRune(set string, r rune) bool {
	if r < 0x80 {
		return strings.IndexByte(set, byte(r)) >= 0
	}
	return strings.Contains(set, format.EncodeRune(r))
}

func trimLeft(s string, drop func(rune) bool) string {
	for s != "" {
		r, n := lang.DecodeRune(s)
		if !drop(r) {
			break
		}
		s = s[n:]
	}
	return s
}

func trimRight(s string, drop func(rune) bool) string {
	for s != "" {
		n := lastSize(s)
		if r, _ := lang.DecodeRune(s[len(s)-n:]); !drop(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

func strRemovePrefix(th *Thread, a []Value) (Value, error) {
	p, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "removeprefix() argument", "str", a[1]))
	}
	if t, ok := strings.CutPrefix(self(a).String(), p.String()); ok && p.Len() > 0 {
		return lang.NewStr(t), nil
	}
	return exactStr(a[0], self(a)), nil
}

func strRemoveSuffix(th *Thread, a []Value) (Value, error) {
	p, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "removesuffix() argument", "str", a[1]))
	}
	if t, ok := strings.CutSuffix(self(a).String(), p.String()); ok && p.Len() > 0 {
		return lang.NewStr(t), nil
	}
	return exactStr(a[0], self(a)), nil
}

func strNewArgs(th *Thread, a []Value) (Value, error) {
	return lang.NewTuple(self(a).Value()), nil
}
