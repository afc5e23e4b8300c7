package builtin

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

// window is the part self[start:end] of a str method with its first code point.
func window(th *Thread, a []Value) (part string, first int, ok bool, err error) {
	s := self(a)
	n := s.Len()
	if a[2].IsNone() && a[3].IsNone() {
		return s.String(), 0, true, nil
	}
	i, j, err := bounds(th, a[2], a[3], n)
	if err != nil || i > j || i > n {
		return "", 0, false, err
	}
	return s.String()[s.Offset(i):s.Offset(j)], i, true, nil
}

func subArg(th *Thread, v Value) (string, error) {
	s, ok := lang.AsStr(v)
	if !ok {
		return "", th.TypeErrorf("must be str, not %s", lang.TypeName(v))
	}
	return s.String(), nil
}

// strSearch is the position of the substring in code points, -1 if none.
func strSearch(th *Thread, a []Value, find func(s, sub string) int) (int, error) {
	sub, err := subArg(th, a[1])
	if err != nil {
		return 0, err
	}
	part, first, ok, err := window(th, a)
	if err != nil || !ok {
		return -1, err
	}
	at := find(part, sub)
	if at < 0 {
		return -1, nil
	}
	if self(a).IsASCII() {
		return first + at, nil
	}
	return first + runeCount(part[:at]), nil
}

func runeCount(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

func strFind(th *Thread, a []Value) (Value, error) {
	i, err := strSearch(th, a, strings.Index)
	return lang.Int(int64(i)), err
}

func strRfind(th *Thread, a []Value) (Value, error) {
	i, err := strSearch(th, a, strings.LastIndex)
	return lang.Int(int64(i)), err
}

func strIndex(th *Thread, a []Value) (Value, error) {
	i, err := strSearch(th, a, strings.Index)
	return found(th, i, err)
}

func strRindex(th *Thread, a []Value) (Value, error) {
	i, err := strSearch(th, a, strings.LastIndex)
	return found(th, i, err)
}

func found(th *Thread, i int, err error) (Value, error) {
	if err == nil && i < 0 {
		err = th.ValueErrorf("substring not found")
	}
	return lang.Int(int64(i)), err
}

func strCount(th *Thread, a []Value) (Value, error) {
	sub, err := subArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	part, _, ok, err := window(th, a)
	if err != nil || !ok {
		return lang.Int(0), err
	}
	if sub == "" {
		return lang.Int(int64(runeCount(part) + 1)), nil
	}
	return lang.Int(int64(strings.Count(part, sub))), nil
}

func strStartsWith(th *Thread, a []Value) (Value, error) {
	return strEdge(th, a, "startswith", strings.HasPrefix)
}

func strEndsWith(th *Thread, a []Value) (Value, error) {
	return strEdge(th, a, "endswith", strings.HasSuffix)
}

func strEdge(th *Thread, a []Value, name string, has func(s, p string) bool) (Value, error) {
	part, _, ok, err := window(th, a)
	if err != nil {
		return fail(err)
	}
	if t, isTuple := lang.AsTuple(a[1]); isTuple {
		for _, x := range t.Items() {
			p, isStr := lang.AsStr(x.Value())
			if !isStr {
				return fail(th.TypeErrorf("tuple for %s must only contain str, not %s", name, lang.TypeName(x.Value())))
			}
			if ok && has(part, p.String()) {
				return lang.True, nil
			}
		}
		return lang.False, nil
	}
	p, isStr := lang.AsStr(a[1])
	if !isStr {
		return fail(th.TypeErrorf("%s first arg must be str or a tuple of str, not %s", name, lang.TypeName(a[1])))
	}
	return lang.Bool(ok && has(part, p.String())), nil
}

func strReplace(th *Thread, a []Value) (Value, error) {
	old, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "replace() argument 1", "str", a[1]))
	}
	repl, ok := lang.AsStr(a[2])
	if !ok {
		return fail(need(th, "replace() argument 2", "str", a[2]))
	}
	n, err := intOf(th, a[3])
	if err != nil {
		return fail(err)
	}
	s := self(a)
	if n == 0 || old.Len() > 0 && !strings.Contains(s.String(), old.String()) {
		return exactStr(a[0], s), nil
	}
	if err := checkReplace(th, s.String(), old.String(), repl.String(), n); err != nil {
		return fail(err)
	}
	return lang.NewStr(strings.Replace(s.String(), old.String(), repl.String(), n)), nil
}

// checkReplace refuses a replacement whose result no limit would allow.
func checkReplace(th *Thread, s, old, repl string, n int) error {
	if len(repl) <= len(old) {
		return nil
	}
	k := strings.Count(s, old)
	if n >= 0 {
		k = min(k, n)
	}
	return th.CheckRepeat(k, len(repl), 1)
}

func strSplit(th *Thread, a []Value) (Value, error) {
	return strSplitWith(th, a, splitSpace, splitSep)
}

func strRsplit(th *Thread, a []Value) (Value, error) {
	return strSplitWith(th, a, rsplitSpace, rsplitSep)
}

func strSplitWith(th *Thread, a []Value, space func(string, int, spaceTest) []string, sep func(s, sep string, max int) []string) (Value, error) {
	n, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	s := self(a)
	if a[1].IsNone() {
		test := spaceRune
		if s.IsASCII() {
			test = spaceByte
		}
		return listOfStrs(space(s.String(), n, test)), nil
	}
	p, ok := lang.AsStr(a[1])
	if !ok {
		return fail(th.TypeErrorf("must be str or None, not %s", lang.TypeName(a[1])))
	}
	if p.Len() == 0 {
		return fail(th.ValueErrorf("empty separator"))
	}
	return listOfStrs(sep(s.String(), p.String(), n)), nil
}

func strSplitlines(th *Thread, a []Value) (Value, error) {
	keep, err := truthArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	return listOfStrs(splitLines(self(a).String(), keep, strBreak)), nil
}

func strPartition(th *Thread, a []Value) (Value, error) {
	sep, err := sepArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	before, after, ok := strings.Cut(self(a).String(), sep)
	if !ok {
		return lang.NewTuple(self(a).Value(), lang.NewStr(""), lang.NewStr("")), nil
	}
	return lang.NewTuple(lang.NewStr(before), lang.NewStr(sep), lang.NewStr(after)), nil
}

func strRpartition(th *Thread, a []Value) (Value, error) {
	sep, err := sepArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	s := self(a).String()
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return lang.NewTuple(lang.NewStr(""), lang.NewStr(""), self(a).Value()), nil
	}
	return lang.NewTuple(lang.NewStr(s[:i]), lang.NewStr(sep), lang.NewStr(s[i+len(sep):])), nil
}

func sepArg(th *Thread, v Value) (string, error) {
	sep, err := subArg(th, v)
	if err == nil && sep == "" {
		err = th.ValueErrorf("empty separator")
	}
	return sep, err
}

func strJoin(th *Thread, a []Value) (Value, error) {
	sep := self(a).String()
	items, ok := lang.Sequence(a[1])
	if !ok || lang.ClassOf(a[1]) != lang.ListClass && lang.ClassOf(a[1]) != lang.TupleClass {
		if !lang.IsIterable(a[1]) {
			return fail(th.TypeErrorf("can only join an iterable"))
		}
		var err error
		if items, err = lang.ToSlice(th, a[1]); err != nil {
			return fail(err)
		}
	}
	size := 0
	for i, x := range items {
		s, ok := lang.AsStr(x.Value())
		if !ok {
			return fail(th.TypeErrorf("sequence item %d: expected str instance, %s found", i, lang.TypeName(x.Value())))
		}
		size += len(s.String())
	}
	if len(items) == 0 {
		return lang.NewStr(""), nil
	}
	if len(items) == 1 && lang.ClassOf(items[0].Value()) == lang.StrClass {
		return items[0].Value(), nil
	}
	size += (len(items) - 1) * len(sep)
	if err := th.CheckSize(size, 1); err != nil {
		return fail(err)
	}
	var b strings.Builder
	b.Grow(size)
	for i, x := range items {
		if i > 0 {
			b.WriteString(sep)
		}
		s, _ := lang.AsStr(x.Value())
		b.WriteString(s.String())
	}
	return lang.NewStr(b.String()), nil
}
