package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var bytesNew = lang.Def{Sig: "__new__(cls, source=..., encoding=..., errors=...)", Fn: newBytes}

func newBytes(th *Thread, a []Value) (Value, error) {
	if c, _ := lang.AsClass(a[0]); c == lang.BytesClass && lang.ClassOf(a[1]) == c && a[2].IsUnbound() && a[3].IsUnbound() {
		return a[1], nil
	}
	s, err := bytesSource(th, "bytes", a[1], a[2], a[3])
	return wrapAs(a[0], lang.NewBytes(s), err)
}

var byteArrayNew = lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: newByteArray}

func newByteArray(th *Thread, a []Value) (Value, error) {
	return wrapAs(a[0], lang.NewByteArray(nil), nil)
}

var byteArrayInit = lang.Def{Sig: "__init__(self, source=..., encoding=..., errors=...)", Fn: initByteArray}

func initByteArray(th *Thread, a []Value) (Value, error) {
	s, err := bytesSource(th, "bytearray", a[1], a[2], a[3])
	if err != nil {
		return fail(err)
	}
	b, _ := lang.AsByteArray(a[0])
	b.B = []byte(s)
	return none, nil
}

// bytesSource is the content that bytes(source, encoding, errors) has.
func bytesSource(th *Thread, class string, src, encoding, errors Value) (string, error) {
	if src.IsUnbound() {
		return "", withoutText(th, encoding, errors)
	}
	if m := lang.ClassOf(src).Lookup("__bytes__"); class == "bytes" && encoding.IsUnbound() && !m.IsUnbound() && lang.ClassOf(src).IsScript() {
		if !errors.IsUnbound() {
			return "", withoutText(th, encoding, errors)
		}
		return bytesDunder(th, src)
	}
	if s, ok := lang.AsStr(src); ok {
		if encoding.IsUnbound() {
			return "", th.TypeErrorf("string argument without an encoding")
		}
		if errors.IsUnbound() {
			errors = lang.NewStr("strict")
		}
		enc, errs, err := codecArgs(th, "bytes", encoding, errors)
		if err != nil {
			return "", err
		}
		return Encode(th, s, enc, errs)
	}
	if err := withoutText(th, encoding, errors); err != nil {
		return "", err
	}
	if m, ok := AsMemoryView(src); ok {
		if err := m.check(th); err != nil {
			return "", err
		}
	}
	if b, ok := BytesLike(src); ok {
		return b, nil
	}
	if lang.HasIndex(src) {
		s, err := zeroBytes(th, src)
		if err == nil || !lang.Matches(err, lang.TypeError) {
			return s, err
		}
	}
	return bytesFromAny(th, class, src)
}

// withoutText refuses an encoding for what is no str.
func withoutText(th *Thread, encoding, errors Value) error {
	switch {
	case !encoding.IsUnbound():
		return th.TypeErrorf("encoding without a string argument")
	case !errors.IsUnbound():
		return th.TypeErrorf("errors without a string argument")
	}
	return nil
}

func bytesDunder(th *Thread, v Value) (string, error) {
	r, err := th.CallMethod(v, "__bytes__")
	if err != nil {
		return "", err
	}
	b, ok := lang.AsBytes(r)
	if !ok {
		return "", th.TypeErrorf("__bytes__ returned non-bytes (type %s)", lang.TypeName(r))
	}
	return b.B, nil
}

func zeroBytes(th *Thread, v Value) (string, error) {
	n, err := intOf(th, v)
	if err != nil {
		return "", err
	}
	if n < 0 {
		return "", th.ValueErrorf("negative count")
	}
	if err := th.CheckSize(n, 1); err != nil {
		return "", err
	}
	return string(make([]byte, n)), nil
}

// bytesFromAny is the content of a bytes-like object or of an iterable of ints.
func bytesFromAny(th *Thread, class string, v Value) (string, error) {
	if b, ok := BytesLike(v); ok {
		return b, nil
	}
	if _, isStr := lang.AsStr(v); isStr || !lang.IsIterable(v) {
		return "", th.TypeErrorf("cannot convert '%s' object to %s", lang.TypeName(v), class)
	}
	var out []byte
	err := each(th, v, func(x Value) error {
		i, err := lang.Index(th, x)
		if err != nil {
			return err
		}
		n, ok := lang.AsInt(i)
		if !ok || n < 0 || n > 255 {
			if class == "bytearray" {
				return th.ValueErrorf("byte must be in range(0, 256)")
			}
			return th.ValueErrorf("bytes must be in range(0, 256)")
		}
		out = append(out, byte(n))
		return nil
	})
	return string(out), err
}
