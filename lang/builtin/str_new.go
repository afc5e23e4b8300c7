package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var strNew = lang.Def{Sig: "__new__(cls, object=..., encoding=..., errors=...)", Fn: newStr}

func newStr(th *Thread, a []Value) (Value, error) {
	v, err := strValue(th, a[1], a[2], a[3])
	return wrapAs(a[0], v, err)
}

func strValue(th *Thread, x, encoding, errors Value) (Value, error) {
	if encoding.IsUnbound() && errors.IsUnbound() {
		if x.IsUnbound() {
			return lang.NewStr(""), nil
		}
		s, err := lang.StrValue(th, x)
		if err != nil {
			return fail(err)
		}
		return s.Value(), nil
	}
	if encoding.IsUnbound() {
		encoding = lang.NewStr("utf-8")
	}
	if errors.IsUnbound() {
		errors = lang.NewStr("strict")
	}
	enc, errs, err := codecArgs(th, "str", encoding, errors)
	if err != nil {
		return fail(err)
	}
	if x.IsUnbound() {
		return lang.NewStr(""), nil
	}
	if _, isStr := lang.AsStr(x); isStr {
		return fail(th.TypeErrorf("decoding str is not supported"))
	}
	b, ok := BytesLike(x)
	if !ok {
		return fail(th.TypeErrorf("decoding to str: need a bytes-like object, %s found", lang.TypeName(x)))
	}
	s, err := Decode(th, b, enc, errs)
	return lang.NewStr(s), err
}
