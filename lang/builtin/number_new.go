package builtin

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

// The constructors of the number types. Each gives the exact value; wrapAs puts
// it into an instance when the class is a script's.

func wrapAs(cls Value, v Value, err error) (Value, error) {
	if err != nil {
		return fail(err)
	}
	c, _ := lang.AsClass(cls)
	return lang.Wrap(c, v), nil
}

var intNew = lang.Def{Sig: "__new__(cls, x=..., /, base=...)", Fn: newInt}

func newInt(th *Thread, a []Value) (Value, error) {
	v, err := intValue(th, a[1], a[2])
	return wrapAs(a[0], v, err)
}

func intValue(th *Thread, x, base Value) (Value, error) {
	if x.IsUnbound() {
		if !base.IsUnbound() {
			return fail(th.TypeErrorf("int() missing string argument"))
		}
		return lang.Int(0), nil
	}
	if base.IsUnbound() {
		return toInt(th, x)
	}
	n, err := lang.Index(th, base)
	if err != nil {
		return fail(err)
	}
	b, ok := lang.AsInt(n)
	if !ok || b != 0 && b < 2 || b > 36 {
		return fail(th.ValueErrorf("int() base must be >= 2 and <= 36, or 0"))
	}
	if s, ok := lang.AsStr(x); ok {
		return parseInt(th, s.String(), int(b), format.StrRepr)
	}
	if s, ok := BytesLike(x); ok {
		return parseInt(th, s, int(b), format.BytesRepr)
	}
	return fail(th.TypeErrorf("int() can't convert non-string with explicit base"))
}

func parseInt(th *Thread, s string, base int, repr func(string) string) (Value, error) {
	i, b, ok, ferr := format.ParseInt(s, base, th.Interp.IntDigits)
	if ferr != nil {
		return fail(raised(th, ferr))
	}
	if !ok {
		r := repr(s)
		return fail(th.ValueErrorf("invalid literal for int() with base %d: %s", base, format.TruncateRunes(r, 200)))
	}
	if b != nil {
		return lang.BigInt(b), nil
	}
	return lang.Int(i), nil
}

// toInt is int(x) without a base.
func toInt(th *Thread, x Value) (Value, error) {
	if x.IsInt() {
		return x, nil
	}
	c := lang.ClassOf(x)
	if c.Int != nil && c != lang.FloatClass {
		r, err := c.Int(th, x)
		if err != nil {
			return fail(err)
		}
		return th.ExactInt(r, "__int__")
	}
	if lang.IsFloatValue(x) {
		f, _ := lang.AsFloat(x)
		return floatInt(th, f)
	}
	if lang.HasIndex(x) {
		return lang.Index(th, x)
	}
	if s, ok := lang.AsStr(x); ok {
		return parseInt(th, s.String(), 10, format.StrRepr)
	}
	if s, ok := BytesLike(x); ok {
		return parseInt(th, s, 10, format.BytesRepr)
	}
	if m := c.Lookup("__trunc__"); !m.IsUnbound() {
		return truncated(th, x)
	}
	return fail(th.TypeErrorf("int() argument must be a string, a bytes-like object or a real number, not '%s'", c.Name))
}

// truncated is int(x) by __trunc__, the last way that is tried.
func truncated(th *Thread, x Value) (Value, error) {
	th.Deprecated("The delegation of int() to __trunc__ is deprecated.")
	r, err := th.CallMethod(x, "__trunc__")
	if err != nil {
		return fail(err)
	}
	if lang.IsIntValue(r) {
		return lang.Index(th, r)
	}
	if !lang.HasIndex(r) {
		return fail(th.TypeErrorf("__trunc__ returned non-Integral (type %s)", lang.TypeName(r)))
	}
	return lang.Index(th, r)
}

// floatInt truncates a float to an int.
func floatInt(th *Thread, f float64) (Value, error) {
	switch {
	case f != f:
		return fail(th.ValueErrorf("cannot convert float NaN to integer"))
	case math.IsInf(f, 0):
		return fail(th.Raise(lang.OverflowError, "cannot convert float infinity to integer"))
	}
	f = math.Trunc(f)
	if f >= -(1<<63) && f < 1<<63 {
		return lang.Int(int64(f)), nil
	}
	b, _ := new(big.Float).SetFloat64(f).Int(nil)
	return lang.BigInt(b), nil
}

var boolNew = lang.Def{Sig: "__new__(cls, x=False, /)", Fn: newBool}

func newBool(th *Thread, a []Value) (Value, error) {
	t, err := lang.Truth(th, a[1])
	return lang.Bool(t), err
}

var floatNew = lang.Def{Sig: "__new__(cls, x=0.0, /)", Fn: newFloat}

func newFloat(th *Thread, a []Value) (Value, error) {
	v, err := oneFloat(th, a[1])
	return wrapAs(a[0], v, err)
}

func toFloat(th *Thread, x Value) (float64, error) {
	if x.IsFloat() {
		return x.Float64(), nil
	}
	c := lang.ClassOf(x)
	if c.Slots.Float != nil { // of a subclass of float or str too
		return c.Slots.Float(th, x)
	}
	if s, ok := lang.AsStr(x); ok {
		return parseFloat(th, s.String(), format.StrRepr)
	}
	if s, ok := BytesLike(x); ok {
		return parseFloat(th, s, format.BytesRepr)
	}
	if !lang.IsFloatValue(x) && !lang.IsIntValue(x) && c.Slots.Float == nil && c.Index == nil {
		return 0, th.TypeErrorf("float() argument must be a string or a real number, not '%s'", c.Name)
	}
	return lang.FloatOf(th, x)
}

func parseFloat(th *Thread, s string, repr func(string) string) (float64, error) {
	f, ok := format.ParseFloat(s)
	if !ok {
		return 0, th.ValueErrorf("could not convert string to float: %s", repr(s))
	}
	return f, nil
}

var complexNew = lang.Def{Sig: "__new__(cls, /, real=..., imag=...)", Fn: newComplex}

func newComplex(th *Thread, a []Value) (Value, error) {
	if a[0] == lang.ComplexClass.Value() && a[2].IsUnbound() && lang.ClassOf(a[1]) == lang.ComplexClass {
		return a[1], nil
	}
	c, err := complexValue(th, a[1], a[2])
	return wrapAs(a[0], lang.NewComplex(c), err)
}

func complexValue(th *Thread, re, im Value) (complex128, error) {
	if s, ok := lang.AsStr(re); ok {
		if !im.IsUnbound() {
			return 0, th.TypeErrorf("complex() can't take second arg if first is a string")
		}
		c, ferr := format.ParseComplex(s.String())
		if ferr != nil {
			return 0, raised(th, ferr)
		}
		return c, nil
	}
	if _, ok := lang.AsStr(im); ok {
		return 0, th.TypeErrorf("complex() second arg can't be a string")
	}
	x, reComplex, err := complexPart(th, re, "first argument must be a string or a number")
	if err != nil {
		return 0, err
	}
	if im.IsUnbound() {
		return x, nil
	}
	y, imComplex, err := complexPart(th, im, "second argument must be a number")
	if err != nil {
		return 0, err
	}
	re1, im1 := real(x), real(y)
	if imComplex {
		re1 -= imag(y)
	}
	if reComplex {
		im1 += imag(x)
	}
	return complex(re1, im1), nil
}

func complexPart(th *Thread, v Value, want string) (c complex128, isComplex bool, err error) {
	if v.IsUnbound() {
		return 0, false, nil
	}
	cl := lang.ClassOf(v)
	if cl == lang.ComplexClass {
		c, _ := lang.AsComplex(v)
		return c, true, nil
	}
	if m := cl.Lookup("__complex__"); !m.IsUnbound() {
		r, err := th.CallMethod(v, "__complex__")
		if err != nil {
			return 0, false, err
		}
		c, ok := lang.AsComplex(r)
		if !ok {
			return 0, false, th.TypeErrorf("__complex__ returned non-complex (type %s)", lang.TypeName(r))
		}
		if lang.ClassOf(r) != lang.ComplexClass {
			th.Deprecated("__complex__ returned non-complex (type %s).  The ability to return an instance of a strict subclass of complex is deprecated, "+
				"and may be removed in a future version of Python.", lang.TypeName(r))
		}
		return c, true, nil
	}
	if !lang.IsFloatValue(v) && !lang.IsIntValue(v) && cl.Slots.Float == nil && cl.Index == nil {
		return 0, false, th.TypeErrorf("complex() %s, not '%s'", want, cl.Name)
	}
	f, err := lang.FloatOf(th, v)
	return complex(f, 0), false, err
}
