package py

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// _json is the native core of the script module json: an encoder driven by the
// options of JSONEncoder, and a decoder.
var _ = define("_json", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "encode(obj, skipkeys, ensure_ascii, check_circular, allow_nan, indent, item_sep, key_sep, sort_keys, default, /)", Fn: jsonEncode},
		{Sig: "decode(text, start, object_hook, pairs_hook, parse_float, parse_int, parse_constant, strict, error, /)", Fn: jsonDecode},
		{Sig: "quote(text, ensure_ascii, /)", Fn: jsonQuote},
	}}
})

type jsonWriter struct {
	th                                  *Thread
	b                                   []byte
	skipKeys, ascii, check, nan, sorted bool
	indent                              string
	pretty                              bool
	itemSep, keySep                     string
	deflt                               Value
	open                                []Value // containers being written
}

func jsonEncode(th *Thread, a []Value) (Value, error) {
	w := &jsonWriter{th: th, deflt: a[9]}
	for i, p := range []*bool{&w.skipKeys, &w.ascii, &w.check, &w.nan} {
		t, err := lang.Truth(th, a[1+i])
		if err != nil {
			return fail(err)
		}
		*p = t
	}
	sorted, err := lang.Truth(th, a[8])
	if err != nil {
		return fail(err)
	}
	w.sorted = sorted
	if s, ok := lang.AsStr(a[5]); ok {
		w.indent, w.pretty = s.String(), true
	} else if !a[5].IsNone() {
		n, err := intOf(th, a[5])
		if err != nil {
			return fail(err)
		}
		w.indent, w.pretty = strings.Repeat(" ", max(n, 0)), true
	}
	if w.itemSep, err = strOf(th, a[6], "item separator"); err != nil {
		return fail(err)
	}
	if w.keySep, err = strOf(th, a[7], "key separator"); err != nil {
		return fail(err)
	}
	if err := w.value(a[0], 0); err != nil {
		return fail(err)
	}
	return lang.NewStr(string(w.b)), nil
}

func (w *jsonWriter) value(v Value, depth int) error {
	switch {
	case v.IsNone():
		w.b = append(w.b, "null"...)
		return nil
	case v.IsBool():
		w.b = strconv.AppendBool(w.b, v.Truth())
		return nil
	case v.IsInt():
		w.b = strconv.AppendInt(w.b, v.Int64(), 10)
		return nil
	}
	if s, ok := lang.AsStr(v); ok {
		w.b = appendJSONString(w.b, s.String(), w.ascii)
		return nil
	}
	if lang.IsIntValue(v) {
		b, _ := lang.AsBig(v)
		s, ferr := format.BigText(b, w.th.Interp.IntDigits)
		if ferr != nil {
			return formatError(w.th, ferr)
		}
		w.b = append(w.b, s...)
		return nil
	}
	if lang.IsFloatValue(v) {
		f, _ := lang.AsFloat(v)
		s, err := w.float(f)
		w.b = append(w.b, s...)
		return err
	}
	if len(w.b)&0xfffff > 0xff000 {
		if err := w.th.CheckSize(len(w.b), 1); err != nil {
			return err
		}
	}
	return w.container(v, depth)
}

func (w *jsonWriter) float(f float64) (string, error) {
	s := format.FloatRepr(f)
	switch {
	case f != f:
		s = "NaN"
	case math.IsInf(f, 1):
		s = "Infinity"
	case math.IsInf(f, -1):
		s = "-Infinity"
	default:
		return s, nil
	}
	if !w.nan {
		return "", w.th.ValueErrorf("Out of range float values are not JSON compliant")
	}
	return s, nil
}

func (w *jsonWriter) container(v Value, depth int) error {
	for _, o := range w.open {
		if o == v && w.check {
			return w.th.ValueErrorf("Circular reference detected")
		}
	}
	if err := w.th.Enter(" while encoding a JSON object"); err != nil {
		return err
	}
	defer w.th.Leave()
	w.open = append(w.open, v)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	if items, ok := lang.Sequence(v); ok {
		return w.list(items, depth)
	}
	if d, ok := lang.AsDict(v); ok {
		return w.dict(d, v, depth)
	}
	r, err := w.th.Call(w.deflt, []Value{v})
	if err != nil {
		return err
	}
	return w.value(r, depth)
}

func (w *jsonWriter) newline(depth int) {
	if w.pretty {
		w.b = append(w.b, '\n')
		for range depth {
			w.b = append(w.b, w.indent...)
		}
	}
}

func (w *jsonWriter) list(items []lang.Held, depth int) error {
	if len(items) == 0 {
		w.b = append(w.b, "[]"...)
		return nil
	}
	w.b = append(w.b, '[')
	for i, x := range items {
		if i > 0 {
			w.b = append(w.b, w.itemSep...)
		}
		w.newline(depth + 1)
		if err := w.value(x.Value(), depth+1); err != nil {
			return err
		}
	}
	w.newline(depth)
	w.b = append(w.b, ']')
	return nil
}

func (w *jsonWriter) dict(d *lang.Dict, v Value, depth int) error {
	pairs, err := w.pairs(d, v)
	if err != nil {
		return err
	}
	if len(pairs) == 0 {
		w.b = append(w.b, "{}"...)
		return nil
	}
	w.b = append(w.b, '{')
	first := true
	for _, p := range pairs {
		key, ok, err := w.key(p[0])
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if !first {
			w.b = append(w.b, w.itemSep...)
		}
		first = false
		w.newline(depth + 1)
		w.b = appendJSONString(w.b, key, w.ascii)
		w.b = append(w.b, w.keySep...)
		if err := w.value(p[1], depth+1); err != nil {
			return err
		}
	}
	if !first {
		w.newline(depth)
	}
	w.b = append(w.b, '}')
	return nil
}

// pairs are the items, sorted by key if asked; a subclass's items() is called.
func (w *jsonWriter) pairs(d *lang.Dict, v Value) ([][2]Value, error) {
	var out [][2]Value
	for at := 0; ; {
		k, x, next, ok := d.Entry(at)
		if !ok {
			break
		}
		at = next
		out = append(out, [2]Value{k, x})
	}
	if !w.sorted {
		return out, nil
	}
	l := lang.MakeList(len(out))
	for _, p := range out {
		l.Append(lang.NewTuple(p[0], p[1]))
	}
	if _, err := w.th.CallMethod(l.Value(), "sort"); err != nil {
		return nil, err
	}
	for i := range out {
		t, _ := lang.AsTuple(l.At(i))
		out[i] = [2]Value{t.At(0), t.At(1)}
	}
	return out, nil
}

func (w *jsonWriter) key(k Value) (string, bool, error) {
	if s, ok := lang.AsStr(k); ok {
		return s.String(), true, nil
	}
	switch {
	case k.IsNone():
		return "null", true, nil
	case k.IsBool():
		return strconv.FormatBool(k.Truth()), true, nil
	case lang.IsIntValue(k):
		b, _ := lang.AsBig(k)
		return b.Text(10), true, nil
	case lang.IsFloatValue(k):
		f, _ := lang.AsFloat(k)
		s, err := w.float(f)
		return s, true, err
	}
	if w.skipKeys {
		return "", false, nil
	}
	return "", false, w.th.TypeErrorf("keys must be str, int, float, bool or None, not %s", lang.TypeName(k))
}

func appendJSONString(b []byte, s string, ascii bool) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			b = appendJSONByte(b, c)
			i++
			continue
		}
		r, n := lang.DecodeRune(s[i:])
		switch {
		case !ascii:
			b = append(b, s[i:i+n]...)
		case r > 0xffff:
			r -= 0x10000
			b = appendJSONHex(appendJSONHex(b, 0xd800|r>>10), 0xdc00|r&0x3ff)
		default:
			b = appendJSONHex(b, r)
		}
		i += n
	}
	return append(b, '"')
}

func appendJSONByte(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case '\f':
		return append(b, `\f`...)
	case '\b':
		return append(b, `\b`...)
	}
	if c < ' ' {
		return appendJSONHex(b, rune(c))
	}
	return append(b, c)
}

func appendJSONHex(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

func jsonQuote(th *Thread, a []Value) (Value, error) {
	s, err := strOf(th, a[0], "first argument")
	if err != nil {
		return fail(err)
	}
	t, err := lang.Truth(th, a[1])
	return lang.NewStr(string(appendJSONString(nil, s, t))), err
}

// ---- decoding ----

type jsonReader struct {
	th                                       *Thread
	s                                        string
	at                                       int
	objectHook, pairsHook, pf, pi, pc, raise Value
	strict                                   bool
	keys                                     map[string]Value
}

// jsonDecode gives (value, end) for the document that begins at start; error is
// called with (message, text, position) to make the exception.
func jsonDecode(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[0])
	if !ok {
		return fail(th.TypeErrorf("first argument must be a string, not %s", lang.TypeName(a[0])))
	}
	start, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	strict, err := lang.Truth(th, a[7])
	if err != nil {
		return fail(err)
	}
	if start < 0 {
		return fail(th.ValueErrorf("idx cannot be negative"))
	}
	r := &jsonReader{th: th, s: s.String(), at: s.Offset(min(start, s.Len())), objectHook: a[2], pairsHook: a[3], pf: a[4], pi: a[5], pc: a[6],
		raise: a[8], strict: strict, keys: map[string]Value{}}
	v, err := r.value()
	if err != nil {
		return fail(err)
	}
	return lang.NewTuple(v, lang.Int(int64(s.Index(r.at)))), nil
}

func (r *jsonReader) fail(msg string, at int) error {
	s, _ := lang.AsStr(lang.NewStr(r.s))
	e, err := r.th.Call(r.raise, []Value{lang.NewStr(msg), s.Value(), lang.Int(int64(s.Index(at)))})
	if err != nil {
		return err
	}
	x, _ := lang.AsException(e)
	return x
}

func (r *jsonReader) space() {
	for r.at < len(r.s) && (r.s[r.at] == ' ' || r.s[r.at] == '\n' || r.s[r.at] == '\t' || r.s[r.at] == '\r') {
		r.at++
	}
}

func (r *jsonReader) value() (Value, error) {
	if r.at >= len(r.s) {
		return fail(r.fail("Expecting value", r.at))
	}
	rest := r.s[r.at:]
	switch c := r.s[r.at]; {
	case c == '"':
		s, err := r.str()
		if err != nil {
			return fail(err)
		}
		return lang.NewStr(s), nil
	case c == '{', c == '[':
		if err := r.th.Enter(" while decoding a JSON object from a unicode string"); err != nil {
			return fail(err)
		}
		defer r.th.Leave()
		if c == '{' {
			return r.object()
		}
		return r.array()
	case c == '-' && strings.HasPrefix(rest, "-Infinity"):
		return r.constant("-Infinity")
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for _, k := range []struct {
		word string
		v    Value
	}{{"null", none}, {"true", lang.True}, {"false", lang.False}} {
		if strings.HasPrefix(rest, k.word) {
			r.at += len(k.word)
			return k.v, nil
		}
	}
	for _, k := range []string{"NaN", "Infinity"} {
		if strings.HasPrefix(rest, k) {
			return r.constant(k)
		}
	}
	return fail(r.fail("Expecting value", r.at))
}

func (r *jsonReader) constant(word string) (Value, error) {
	r.at += len(word)
	if !r.pc.IsNone() {
		return r.th.Call(r.pc, []Value{lang.NewStr(word)})
	}
	f, _ := format.ParseFloat(word)
	return lang.Float(f), nil
}

func (r *jsonReader) digits() bool {
	start := r.at
	for r.at < len(r.s) && r.s[r.at] >= '0' && r.s[r.at] <= '9' {
		r.at++
	}
	return r.at > start
}

func (r *jsonReader) number() (Value, error) {
	start := r.at
	if r.s[r.at] == '-' {
		r.at++
	}
	if r.at < len(r.s) && r.s[r.at] == '0' {
		r.at++
	} else if !r.digits() {
		r.at = start
		return fail(r.fail("Expecting value", start))
	}
	isFloat := false
	if mark := r.at; r.at < len(r.s) && r.s[r.at] == '.' {
		r.at++
		if isFloat = r.digits(); !isFloat {
			r.at = mark
		}
	}
	if mark := r.at; r.at < len(r.s) && r.s[r.at]|0x20 == 'e' && (isFloat || r.at == mark) {
		r.at++
		if r.at < len(r.s) && (r.s[r.at] == '+' || r.s[r.at] == '-') {
			r.at++
		}
		if r.digits() {
			isFloat = true
		} else {
			r.at = mark
		}
	}
	text := r.s[start:r.at]
	if isFloat {
		if !r.pf.IsNone() {
			return r.th.Call(r.pf, []Value{lang.NewStr(text)})
		}
		f, _ := strconv.ParseFloat(text, 64)
		return lang.Float(f), nil
	}
	if !r.pi.IsNone() {
		return r.th.Call(r.pi, []Value{lang.NewStr(text)})
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return lang.Int(i), nil
	}
	if limit := r.th.Interp.IntDigits; limit > 0 && len(text) > limit {
		return r.th.Call(lang.IntClass.Value(), []Value{lang.NewStr(text)})
	}
	b, _ := new(big.Int).SetString(text, 10)
	return lang.BigInt(b), nil
}

func (r *jsonReader) array() (Value, error) {
	l := lang.MakeList(0)
	r.at++
	r.space()
	if r.at < len(r.s) && r.s[r.at] == ']' {
		r.at++
		return l.Value(), nil
	}
	for {
		v, err := r.value()
		if err != nil {
			return fail(err)
		}
		if err := l.Push(r.th, v); err != nil {
			return fail(err)
		}
		r.space()
		if r.at < len(r.s) && r.s[r.at] == ']' {
			r.at++
			return l.Value(), nil
		}
		if r.at >= len(r.s) || r.s[r.at] != ',' {
			return fail(r.fail("Expecting ',' delimiter", r.at))
		}
		r.at++
		r.space()
	}
}

func (r *jsonReader) object() (Value, error) {
	d := lang.NewDict()
	pairs := lang.MakeList(0)
	r.at++
	r.space()
	if r.at < len(r.s) && r.s[r.at] == '}' {
		r.at++
		return r.finish(d, pairs)
	}
	for {
		if r.at >= len(r.s) || r.s[r.at] != '"' {
			return fail(r.fail("Expecting property name enclosed in double quotes", r.at))
		}
		key, err := r.str()
		if err != nil {
			return fail(err)
		}
		r.space()
		if r.at >= len(r.s) || r.s[r.at] != ':' {
			return fail(r.fail("Expecting ':' delimiter", r.at))
		}
		r.at++
		r.space()
		v, err := r.value()
		if err != nil {
			return fail(err)
		}
		if r.pairsHook.IsNone() {
			d.PutStr(key, v)
		} else {
			pairs.Append(lang.NewTuple(lang.NewStr(key), v))
		}
		if err := r.th.Turn(); err != nil {
			return fail(err)
		}
		r.space()
		if r.at < len(r.s) && r.s[r.at] == '}' {
			r.at++
			return r.finish(d, pairs)
		}
		if r.at >= len(r.s) || r.s[r.at] != ',' {
			return fail(r.fail("Expecting ',' delimiter", r.at))
		}
		comma := r.at
		r.at++
		r.space()
		if r.at < len(r.s) && r.s[r.at] == '}' {
			_ = comma
			return fail(r.fail("Expecting property name enclosed in double quotes", r.at))
		}
	}
}

func (r *jsonReader) finish(d *lang.Dict, pairs *lang.List) (Value, error) {
	switch {
	case !r.pairsHook.IsNone():
		return r.th.Call(r.pairsHook, []Value{pairs.Value()})
	case !r.objectHook.IsNone():
		return r.th.Call(r.objectHook, []Value{d.Value()})
	}
	return d.Value(), nil
}

func (r *jsonReader) str() (string, error) {
	begin := r.at
	r.at++
	start := r.at
	for r.at < len(r.s) && r.s[r.at] != '"' && r.s[r.at] != '\\' && r.s[r.at] >= ' ' {
		r.at++
	}
	if r.at < len(r.s) && r.s[r.at] == '"' {
		r.at++
		return r.s[start : r.at-1], nil
	}
	b := []byte(r.s[start:r.at])
	for r.at < len(r.s) {
		c := r.s[r.at]
		switch {
		case c == '"':
			r.at++
			return string(b), nil
		case c == '\\':
			var err error
			if b, err = r.escape(b, begin); err != nil {
				return "", err
			}
		case c < ' ' && r.strict:
			return "", r.fail("Invalid control character at", r.at)
		default:
			b = append(b, c)
			r.at++
		}
	}
	return "", r.fail("Unterminated string starting at", begin)
}

func (r *jsonReader) escape(b []byte, begin int) ([]byte, error) {
	slash := r.at
	r.at++
	if r.at >= len(r.s) {
		return nil, r.fail("Unterminated string starting at", begin)
	}
	c := r.s[r.at]
	r.at++
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		return append(b, "\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return nil, r.fail("Invalid \\escape", slash)
	}
	x, ok := r.hex4()
	if !ok {
		return nil, r.fail("Invalid \\uXXXX escape", slash+1)
	}
	if x >= 0xd800 && x < 0xdc00 && strings.HasPrefix(r.s[r.at:], `\u`) {
		mark := r.at
		r.at += 2
		if y, ok := r.hex4(); ok && y >= 0xdc00 && y < 0xe000 {
			x = 0x10000 + (x-0xd800)<<10 + (y - 0xdc00)
		} else {
			r.at = mark
		}
	}
	return lang.AppendRune(b, x), nil
}

func (r *jsonReader) hex4() (rune, bool) {
	if r.at+4 > len(r.s) {
		return 0, false
	}
	x, err := strconv.ParseUint(r.s[r.at:r.at+4], 16, 32)
	if err != nil {
		return 0, false
	}
	r.at += 4
	return rune(x), true
}
