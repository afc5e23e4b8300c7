package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// bytesRows are the methods that bytes and bytearray share; results have the
// receiver's kind.
var bytesRows = []lang.Def{
	{Sig: "capitalize(self, /)", Fn: bytesMap(capitalizeBytes)},
	{Sig: "lower(self, /)", Fn: bytesMap(func(s string) string { return mapBytes(s, lowerByte) })},
	{Sig: "upper(self, /)", Fn: bytesMap(func(s string) string { return mapBytes(s, upperByte) })},
	{Sig: "swapcase(self, /)", Fn: bytesMap(func(s string) string { return mapBytes(s, swapByte) })},
	{Sig: "title(self, /)", Fn: bytesMap(titleBytes)},
	{Sig: "isalnum(self, /)", Fn: bytesAll(func(c byte) bool { return isLetter(c) || isDigitByte(c) })},
	{Sig: "isalpha(self, /)", Fn: bytesAll(isLetter)},
	{Sig: "isascii(self, /)", Fn: bytesIsASCII},
	{Sig: "isdigit(self, /)", Fn: bytesAll(isDigitByte)},
	{Sig: "isspace(self, /)", Fn: bytesAll(func(c byte) bool { ok, _ := spaceOfBytes(string(rune(c))); return ok })},
	{Sig: "islower(self, /)", Fn: bytesCase(isLowerByte, isUpperByte)},
	{Sig: "isupper(self, /)", Fn: bytesCase(isUpperByte, isLowerByte)},
	{Sig: "istitle(self, /)", Fn: bytesIsTitle},
	{Sig: "center(self, width, fillchar=..., /)", Fn: bytesPad("center")},
	{Sig: "ljust(self, width, fillchar=..., /)", Fn: bytesPad("ljust")},
	{Sig: "rjust(self, width, fillchar=..., /)", Fn: bytesPad("rjust")},
	{Sig: "zfill(self, width, /)", Fn: bytesZfill},
	{Sig: "expandtabs(self, /, tabsize=8)", Fn: bytesExpandtabs},
	{Sig: "strip(self, bytes=None, /)", Fn: bytesStrip(true, true)},
	{Sig: "lstrip(self, bytes=None, /)", Fn: bytesStrip(true, false)},
	{Sig: "rstrip(self, bytes=None, /)", Fn: bytesStrip(false, true)},
	{Sig: "removeprefix(self, prefix, /)", Fn: bytesRemove(strings.TrimPrefix)},
	{Sig: "removesuffix(self, suffix, /)", Fn: bytesRemove(strings.TrimSuffix)},
	{Sig: "find(self, sub, start=None, end=None, /)", Fn: bytesFind(strings.Index, false)},
	{Sig: "rfind(self, sub, start=None, end=None, /)", Fn: bytesFind(strings.LastIndex, false)},
	{Sig: "index(self, sub, start=None, end=None, /)", Fn: bytesFind(strings.Index, true)},
	{Sig: "rindex(self, sub, start=None, end=None, /)", Fn: bytesFind(strings.LastIndex, true)},
	{Sig: "count(self, sub, start=None, end=None, /)", Fn: bytesCount},
	{Sig: "startswith(self, prefix, start=None, end=None, /)", Fn: bytesEdge("startswith", strings.HasPrefix)},
	{Sig: "endswith(self, suffix, start=None, end=None, /)", Fn: bytesEdge("endswith", strings.HasSuffix)},
	{Sig: "replace(self, old, new, count=-1, /)", Fn: bytesReplace},
	{Sig: "split(self, /, sep=None, maxsplit=-1)", Fn: bytesSplit(splitSpace, splitSep)},
	{Sig: "rsplit(self, /, sep=None, maxsplit=-1)", Fn: bytesSplit(rsplitSpace, rsplitSep)},
	{Sig: "splitlines(self, /, keepends=False)", Fn: bytesSplitlines},
	{Sig: "partition(self, sep, /)", Fn: bytesPartition},
	{Sig: "rpartition(self, sep, /)", Fn: bytesRpartition},
	{Sig: "join(self, iterable, /)", Fn: bytesJoin},
	{Sig: "translate(self, table, /, delete=...)", Fn: bytesTranslate},
	{Sig: "maketrans(frm, to, /)", Fn: bytesMaketrans, Flags: lang.DefStatic},
	{Sig: "decode(self, /, encoding='utf-8', errors='strict')", Fn: bytesDecode},
	{Sig: "hex(self, /, sep=..., bytes_per_sep=1)", Fn: bytesHex},
	{Sig: "fromhex(cls, string, /)", Fn: bytesFromHex, Flags: lang.DefClassMethod},
}

var bytesOnlyRows = []lang.Def{
	{Sig: "__getnewargs__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewTuple(lang.NewBytes(raw(a))), nil }},
	{Sig: "__bytes__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewBytes(raw(a)), nil }},
}

// raw is the content of the receiver.
func raw(a []Value) string { b, _ := lang.BytesOf(a[0]); return b }

// like makes a result of the receiver's kind.
func like(v Value, s string) Value {
	if _, ok := lang.AsByteArray(v); ok {
		return lang.NewByteArray([]byte(s))
	}
	return lang.NewBytes(s)
}

func likeList(v Value, parts []string) Value {
	l := lang.MakeList(len(parts))
	for _, p := range parts {
		l.Append(like(v, p))
	}
	return l.Value()
}

// bytesArg is the content of a bytes-like argument.
func bytesArg(th *Thread, v Value) (string, error) {
	if b, ok := BytesLike(v); ok {
		return b, nil
	}
	return "", th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(v))
}

// BytesLike is the content of bytes, a bytearray or a memoryview.
func BytesLike(v Value) (string, bool) {
	if b, ok := lang.BytesOf(v); ok {
		return b, true
	}
	if m, ok := AsMemoryView(v); ok {
		return m.bytes(), true
	}
	if e, ok := Exporter(v); ok {
		return e.BufferBytes(), true
	}
	return "", false
}

// BufferExporter is implemented by objects of other packages that can be read as bytes.
type BufferExporter interface{ BufferBytes() string }

// Exporters finds the BufferExporter behind a value; bindings add theirs at init.
var exporters []func(v Value) (BufferExporter, bool)

// AddExporter registers a kind of object with bytes inside; for init only.
func AddExporter(f func(v Value) (BufferExporter, bool)) { exporters = append(exporters, f) }

// Exporter is v as an exporter of another package.
func Exporter(v Value) (BufferExporter, bool) {
	for _, f := range exporters {
		if e, ok := f(v); ok {
			return e, true
		}
	}
	return nil, false
}

// subBytes is an argument to search for: bytes-like or one byte.
func subBytes(th *Thread, v Value) (string, error) {
	if b, ok := BytesLike(v); ok {
		return b, nil
	}
	if lang.HasIndex(v) {
		c, err := byteArg(th, v)
		if err != nil && lang.Matches(err, lang.IndexError) {
			err = th.ValueErrorf("byte must be in range(0, 256)")
		}
		return string([]byte{c}), err
	}
	return "", th.TypeErrorf("argument should be integer or bytes-like object, not '%s'", lang.TypeName(v))
}

func byteArg(th *Thread, v Value) (byte, error) {
	x, err := lang.Index(th, v)
	if err != nil {
		return 0, err
	}
	i, ok := lang.AsInt(x)
	if !ok || i < 0 || i > 255 {
		return 0, th.ValueErrorf("byte must be in range(0, 256)")
	}
	return byte(i), nil
}

func mapBytes(s string, f func(byte) byte) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = f(c)
	}
	return string(b)
}

func isLowerByte(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpperByte(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool    { return isLowerByte(c) || isUpperByte(c) }
func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }

func lowerByte(c byte) byte {
	if isUpperByte(c) {
		return c + 32
	}
	return c
}

func upperByte(c byte) byte {
	if isLowerByte(c) {
		return c - 32
	}
	return c
}

func swapByte(c byte) byte {
	if isLetter(c) {
		return c ^ 32
	}
	return c
}

func capitalizeBytes(s string) string {
	if s == "" {
		return s
	}
	return mapBytes(s[:1], upperByte) + mapBytes(s[1:], lowerByte)
}

func titleBytes(s string) string {
	b := []byte(s)
	in := false
	for i, c := range b {
		if in {
			b[i] = lowerByte(c)
		} else {
			b[i] = upperByte(c)
		}
		in = isLetter(c)
	}
	return string(b)
}

func bytesMap(f func(string) string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return like(a[0], f(raw(a))), nil }
}

func bytesAll(f func(byte) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		s := raw(a)
		for i := range len(s) {
			if !f(s[i]) {
				return lang.False, nil
			}
		}
		return lang.Bool(s != ""), nil
	}
}

func bytesCase(want, other func(byte) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		s, any := raw(a), false
		for i := range len(s) {
			if other(s[i]) {
				return lang.False, nil
			}
			any = any || want(s[i])
		}
		return lang.Bool(any), nil
	}
}

func bytesIsASCII(th *Thread, a []Value) (Value, error) {
	s := raw(a)
	for i := range len(s) {
		if s[i] >= 0x80 {
			return lang.False, nil
		}
	}
	return lang.True, nil
}

func bytesIsTitle(th *Thread, a []Value) (Value, error) {
	s := raw(a)
	return lang.Bool(s == titleBytes(s) && strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })), nil
}

func bytesPad(name string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		width, err := intOf(th, a[1])
		if err != nil {
			return fail(err)
		}
		fill, ok := " ", true
		if !a[2].IsUnbound() {
			fill, ok = lang.BytesOf(a[2])
		}
		if !ok || len(fill) != 1 {
			return fail(th.TypeErrorf("%s() argument 2 must be a byte string of length 1, not %s", name, lang.TypeName(a[2])))
		}
		s := raw(a)
		missing := width - len(s)
		if missing <= 0 {
			return like(a[0], s), nil
		}
		if err := th.CheckSize(width, 1); err != nil {
			return fail(err)
		}
		left := 0
		switch name {
		case "center":
			left, _ = centerPads(missing, width)
		case "rjust":
			left = missing
		}
		return like(a[0], strings.Repeat(fill, left)+s+strings.Repeat(fill, missing-left)), nil
	}
}

func bytesZfill(th *Thread, a []Value) (Value, error) {
	width, err := intOf(th, a[1])
	if err == nil {
		err = th.CheckSize(max(width, 0), 1)
	}
	if err != nil {
		return fail(err)
	}
	return like(a[0], zeroFill(raw(a), width-len(raw(a)))), nil
}

func bytesExpandtabs(th *Thread, a []Value) (Value, error) {
	size, err := intOf(th, a[1])
	if err == nil {
		err = th.CheckRepeat(strings.Count(raw(a), "\t"), max(size, 1), 1)
	}
	if err != nil {
		return fail(err)
	}
	return like(a[0], expandTabs(raw(a), size)), nil
}

func bytesStrip(left, right bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		set := " \t\n\r\v\f"
		if !a[1].IsNone() {
			var err error
			if set, err = bytesArg(th, a[1]); err != nil {
				return fail(err)
			}
		}
		s := raw(a)
		for left && s != "" && strings.IndexByte(set, s[0]) >= 0 {
			s = s[1:]
		}
		for right && s != "" && strings.IndexByte(set, s[len(s)-1]) >= 0 {
			s = s[:len(s)-1]
		}
		return like(a[0], s), nil
	}
}

func bytesRemove(f func(s, p string) string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		p, err := bytesArg(th, a[1])
		if err != nil {
			return fail(err)
		}
		return like(a[0], f(raw(a), p)), nil
	}
}

// bytesWindow is the part self[start:end].
func bytesWindow(th *Thread, a []Value) (part string, first int, ok bool, err error) {
	s := raw(a)
	i, j, err := bounds(th, a[2], a[3], len(s))
	if err != nil || i > j {
		return "", 0, false, err
	}
	return s[i:j], i, true, nil
}

func bytesFind(find func(s, sub string) int, must bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		sub, err := subBytes(th, a[1])
		if err != nil {
			return fail(err)
		}
		part, first, ok, err := bytesWindow(th, a)
		if err != nil {
			return fail(err)
		}
		at := -1
		if ok {
			at = find(part, sub)
		}
		if at >= 0 {
			return lang.Int(int64(first + at)), nil
		}
		if must {
			return fail(th.ValueErrorf("subsection not found"))
		}
		return lang.Int(-1), nil
	}
}

func bytesCount(th *Thread, a []Value) (Value, error) {
	sub, err := subBytes(th, a[1])
	if err != nil {
		return fail(err)
	}
	part, _, ok, err := bytesWindow(th, a)
	switch {
	case err != nil || !ok:
		return lang.Int(0), err
	case sub == "":
		return lang.Int(int64(len(part) + 1)), nil
	}
	return lang.Int(int64(strings.Count(part, sub))), nil
}

func bytesEdge(name string, has func(s, p string) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		part, _, ok, err := bytesWindow(th, a)
		if err != nil {
			return fail(err)
		}
		if t, isTuple := lang.AsTuple(a[1]); isTuple {
			for _, x := range t.Items() {
				p, err := bytesArg(th, x.Value())
				if err != nil {
					return fail(err)
				}
				if ok && has(part, p) {
					return lang.True, nil
				}
			}
			return lang.False, nil
		}
		p, isBytes := BytesLike(a[1])
		if !isBytes {
			return fail(th.TypeErrorf("%s first arg must be bytes or a tuple of bytes, not %s", name, lang.TypeName(a[1])))
		}
		return lang.Bool(ok && has(part, p)), nil
	}
}

func bytesReplace(th *Thread, a []Value) (Value, error) {
	old, err := bytesArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	repl, err := bytesArg(th, a[2])
	if err != nil {
		return fail(err)
	}
	n, err := intOf(th, a[3])
	if err == nil {
		err = checkReplace(th, raw(a), old, repl, n)
	}
	if err != nil {
		return fail(err)
	}
	if old == "" {
		return like(a[0], interleave(raw(a), repl, n)), nil
	}
	return like(a[0], strings.Replace(raw(a), old, repl, n)), nil
}

// interleave puts repl before every byte and at the end, at most n times.
func interleave(s, repl string, n int) string {
	var b strings.Builder
	for i := 0; i <= len(s); i++ {
		if n != 0 {
			b.WriteString(repl)
			n--
		}
		if i < len(s) {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func bytesSplit(space func(string, int, spaceTest) []string, sep func(s, sep string, max int) []string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		n, err := intOf(th, a[2])
		if err != nil {
			return fail(err)
		}
		if a[1].IsNone() {
			return likeList(a[0], space(raw(a), n, spaceOfBytes)), nil
		}
		p, err := bytesArg(th, a[1])
		if err == nil && p == "" {
			err = th.ValueErrorf("empty separator")
		}
		if err != nil {
			return fail(err)
		}
		return likeList(a[0], sep(raw(a), p, n)), nil
	}
}

func bytesSplitlines(th *Thread, a []Value) (Value, error) {
	keep, err := truthArg(th, a[1])
	return likeList(a[0], splitLines(raw(a), keep, bytesBreak)), err
}

func bytesSep(th *Thread, v Value) (string, error) {
	sep, err := bytesArg(th, v)
	if err == nil && sep == "" {
		err = th.ValueErrorf("empty separator")
	}
	return sep, err
}

func bytesPartition(th *Thread, a []Value) (Value, error) {
	sep, err := bytesSep(th, a[1])
	if err != nil {
		return fail(err)
	}
	before, after, ok := strings.Cut(raw(a), sep)
	if !ok {
		sep = ""
	}
	return lang.NewTuple(like(a[0], before), like(a[0], sep), like(a[0], after)), nil
}

func bytesRpartition(th *Thread, a []Value) (Value, error) {
	sep, err := bytesSep(th, a[1])
	if err != nil {
		return fail(err)
	}
	s := raw(a)
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return lang.NewTuple(like(a[0], ""), like(a[0], ""), like(a[0], s)), nil
	}
	return lang.NewTuple(like(a[0], s[:i]), like(a[0], sep), like(a[0], s[i+len(sep):])), nil
}

func bytesJoin(th *Thread, a []Value) (Value, error) {
	if !lang.IsIterable(a[1]) {
		return fail(th.TypeErrorf("can only join an iterable"))
	}
	items, err := lang.ToSlice(th, a[1])
	if err != nil {
		return fail(err)
	}
	parts := make([]string, len(items))
	size := 0
	for i, x := range items {
		p, ok := BytesLike(x.Value())
		if !ok {
			return fail(th.TypeErrorf("sequence item %d: expected a bytes-like object, %s found", i, lang.TypeName(x.Value())))
		}
		parts[i] = p
		size += len(p) + len(raw(a))
	}
	if err := th.CheckSize(size, 1); err != nil {
		return fail(err)
	}
	return like(a[0], strings.Join(parts, raw(a))), nil
}

func bytesTranslate(th *Thread, a []Value) (Value, error) {
	var table string
	var err error
	if !a[1].IsNone() {
		if table, err = bytesArg(th, a[1]); err != nil {
			return fail(err)
		}
		if len(table) != 256 {
			return fail(th.ValueErrorf("translation table must be 256 characters long"))
		}
	}
	drop := ""
	if !a[2].IsUnbound() {
		if drop, err = bytesArg(th, a[2]); err != nil {
			return fail(err)
		}
	}
	s := raw(a)
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		switch {
		case strings.IndexByte(drop, s[i]) >= 0:
		case table != "":
			out = append(out, table[s[i]])
		default:
			out = append(out, s[i])
		}
	}
	return like(a[0], string(out)), nil
}

func bytesMaketrans(th *Thread, a []Value) (Value, error) {
	from, err := bytesArg(th, a[0])
	if err != nil {
		return fail(err)
	}
	to, err := bytesArg(th, a[1])
	if err == nil && len(from) != len(to) {
		err = th.ValueErrorf("maketrans arguments must have same length")
	}
	if err != nil {
		return fail(err)
	}
	var t [256]byte
	for i := range t {
		t[i] = byte(i)
	}
	for i := range len(from) {
		t[from[i]] = to[i]
	}
	return lang.NewBytes(string(t[:])), nil
}

func bytesDecode(th *Thread, a []Value) (Value, error) {
	enc, errs, err := codecArgs(th, "decode", a[1], a[2])
	if err != nil {
		return fail(err)
	}
	s, err := Decode(th, raw(a), enc, errs)
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(s), nil
}

func bytesHex(th *Thread, a []Value) (Value, error) {
	sep := ""
	if !a[1].IsUnbound() {
		s, ok := lang.AsStr(a[1])
		if ok {
			sep = s.String()
		} else if b, isBytes := lang.BytesOf(a[1]); isBytes {
			sep = b
		} else {
			n, err := lang.Len(th, a[1])
			if err != nil {
				return fail(err)
			}
			if n != 1 {
				return fail(th.ValueErrorf("sep must be length 1."))
			}
			return fail(th.TypeErrorf("sep must be str or bytes."))
		}
		if utf8.RuneCountInString(sep) != 1 {
			return fail(th.ValueErrorf("sep must be length 1."))
		}
		if sep[0] >= 0x80 {
			return fail(th.ValueErrorf("sep must be ASCII."))
		}
	}
	group, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	return lang.NewStr(HexText(raw(a), sep, group)), nil
}

// HexText is bytes.hex(sep, group).
func HexText(s, sep string, group int) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && sep != "" && group != 0 {
			if group > 0 && (len(s)-i)%group == 0 || group < 0 && i%-group == 0 {
				b.WriteString(sep)
			}
		}
		b.WriteByte(digits[s[i]>>4])
		b.WriteByte(digits[s[i]&15])
	}
	return b.String()
}

func bytesFromHex(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "fromhex() argument", "str", a[1]))
	}
	t := s.String()
	var out []byte
	for i := 0; i < len(t); {
		if c := t[i]; c == ' ' || c >= '\t' && c <= '\r' {
			i++
			continue
		}
		hi := hexDigit(t, i)
		if hi < 0 {
			return fail(th.ValueErrorf("non-hexadecimal number found in fromhex() arg at position %d", s.Index(i)))
		}
		lo := hexDigit(t, i+1)
		if lo < 0 {
			return fail(th.ValueErrorf("non-hexadecimal number found in fromhex() arg at position %d", s.Index(i)+1))
		}
		out = append(out, byte(hi<<4|lo))
		i += 2
	}
	c, _ := lang.AsClass(a[0])
	if c == lang.BytesClass {
		return lang.NewBytes(string(out)), nil
	}
	if c == lang.ByteArrayClass {
		return lang.NewByteArray(out), nil
	}
	return th.Call(a[0], []Value{lang.NewBytes(string(out))})
}

func hexDigit(t string, i int) int {
	if i >= len(t) {
		return -1
	}
	return strings.IndexByte("0123456789abcdef", lowerByte(t[i]))
}

// bytesBinary adds `%` to the operators of bytes and bytearray.
func bytesBinary(base binarySlot) binarySlot {
	return func(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
		s, ok := lang.BytesOf(a)
		if op != lang.OpMod || !ok {
			return base(th, op, a, b, dying)
		}
		out, err := percentBytes.apply(th, nil, s, b)
		if err != nil {
			return fail(err)
		}
		return like(a, string(out)), nil
	}
}

type binarySlot = func(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error)

// strBinary adds `%` to the operators of str.
func strBinary(base binarySlot) binarySlot {
	return func(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
		s, ok := lang.AsStr(a)
		if op != lang.OpMod || !ok {
			return base(th, op, a, b, dying)
		}
		return percentStr(th, s.String(), b)
	}
}

func bytesDirective(th *Thread, d format.Directive, v Value) (string, error) {
	switch d.Conv {
	case 's', 'b':
		s, ok := BytesLike(v)
		if !ok {
			return "", th.TypeErrorf("%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'", lang.TypeName(v))
		}
		return piece(th)(d.Text(s))
	case 'r':
		d.Conv = 'a'
	case 'c':
		if s, ok := lang.BytesOf(v); ok && len(s) == 1 {
			return piece(th)(d.Char(s))
		}
		i, ok := lang.AsInt(v)
		if !ok {
			return "", th.TypeErrorf("%s", "%c requires an integer in range(256) or a single byte")
		}
		if i < 0 || i > 255 {
			return "", th.Raise(lang.OverflowError, "%s", "%c arg not in range(256)")
		}
		return piece(th)(d.Char(string([]byte{byte(i)})))
	}
	return strDirective(th, d, v)
}
