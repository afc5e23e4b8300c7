package builtin

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

var floatRows = []lang.Def{
	{Sig: "is_integer(self, /)", Fn: floatIsInteger, Doc: "True when the float is a whole number."},
	{Sig: "as_integer_ratio(self, /)", Fn: floatRatio, Doc: "Return the pair of ints whose quotient is exactly the float."},
	{Sig: "conjugate(self, /)", Fn: floatSelf, Doc: "Return the float itself."},
	{Sig: "hex(self, /)", Fn: floatHex, Doc: "Return the float in hexadecimal."},
	{Sig: "fromhex(cls, string, /)", Fn: floatFromHex, Doc: "Return the float of a hexadecimal text.", Flags: lang.DefClassMethod},
	{Sig: "__getformat__(cls, typestr, /)", Fn: floatGetFormat, Doc: "Say how 'double' or 'float' is stored.", Flags: lang.DefClassMethod},
	{Sig: "__round__(self, ndigits=None, /)", Fn: floatRound, Doc: "Round to ndigits places, half to even."},
	{Sig: "__trunc__(self, /)", Fn: floatTrunc, Doc: "Return the whole part as an int."},
	{Sig: "__int__(self, /)", Fn: floatTrunc},
	{Sig: "__floor__(self, /)", Fn: floatFloor},
	{Sig: "__ceil__(self, /)", Fn: floatCeil},
	{Sig: "__getnewargs__(self, /)", Fn: floatNewArgs},
	{Sig: "real", Fn: floatSelf, Flags: lang.DefProperty, Doc: "the real part of a complex number"},
	{Sig: "imag", Fn: floatZero, Flags: lang.DefProperty, Doc: "the imaginary part of a complex number"},
}

func floatArg(v Value) float64 { f, _ := lang.AsFloat(v); return f }

func floatSelf(th *Thread, a []Value) (Value, error) { return lang.Float(floatArg(a[0])), nil }
func floatZero(th *Thread, a []Value) (Value, error) { return lang.Float(0), nil }
func floatNewArgs(th *Thread, a []Value) (Value, error) {
	return lang.NewTuple(lang.Float(floatArg(a[0]))), nil
}

func floatGetFormat(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[1])
	if !ok {
		return fail(th.TypeErrorf("__getformat__() argument must be str, not %s", lang.TypeName(a[1])))
	}
	if t := s.String(); t != "double" && t != "float" {
		return fail(th.ValueErrorf("__getformat__() argument 1 must be 'double' or 'float'"))
	}
	return lang.NewStr("IEEE, little-endian"), nil
}

func floatIsInteger(th *Thread, a []Value) (Value, error) {
	f := floatArg(a[0])
	return lang.Bool(f == math.Trunc(f) && !math.IsInf(f, 0)), nil
}

func floatRatio(th *Thread, a []Value) (Value, error) {
	f := floatArg(a[0])
	switch {
	case f != f:
		return fail(th.ValueErrorf("cannot convert NaN to integer ratio"))
	case math.IsInf(f, 0):
		return fail(th.Raise(lang.OverflowError, "cannot convert Infinity to integer ratio"))
	}
	r := new(big.Rat).SetFloat64(f)
	return lang.NewTuple(lang.BigInt(new(big.Int).Set(r.Num())), lang.BigInt(new(big.Int).Set(r.Denom()))), nil
}

func floatHex(th *Thread, a []Value) (Value, error) {
	return lang.NewStr(format.FloatHex(floatArg(a[0]))), nil
}

func floatFromHex(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsStr(a[1])
	if !ok {
		return fail(th.TypeErrorf("bad argument type for built-in operation"))
	}
	f, ferr := format.ParseHex(s.String())
	if ferr != nil {
		return fail(raised(th, ferr))
	}
	if c, _ := lang.AsClass(a[0]); c != lang.FloatClass {
		return th.Call(a[0], []Value{lang.Float(f)})
	}
	return lang.Float(f), nil
}

func floatRound(th *Thread, a []Value) (Value, error) {
	f := floatArg(a[0])
	if a[1].IsNone() {
		return floatInt(th, math.RoundToEven(f))
	}
	n, err := lang.Index(th, a[1])
	if err != nil {
		return fail(err)
	}
	places, ok := lang.AsInt(n)
	if !ok {
		b, _ := lang.AsBig(n)
		places = int64(b.Sign()) << 40
	}
	r, ok := format.RoundFloat(f, int(places))
	if !ok {
		return fail(th.Raise(lang.OverflowError, "rounded value too large to represent"))
	}
	return lang.Float(r), nil
}

func floatTrunc(th *Thread, a []Value) (Value, error) { return floatInt(th, floatArg(a[0])) }

func floatFloor(th *Thread, a []Value) (Value, error) {
	return floatInt(th, math.Floor(floatArg(a[0])))
}

func floatCeil(th *Thread, a []Value) (Value, error) { return floatInt(th, math.Ceil(floatArg(a[0]))) }

func complexArg(v Value) complex128 { c, _ := lang.AsComplex(v); return c }

func complexConjugate(th *Thread, a []Value) (Value, error) {
	c := complexArg(a[0])
	return lang.NewComplex(complex(real(c), -imag(c))), nil
}

func complexSelf(th *Thread, a []Value) (Value, error) { return lang.NewComplex(complexArg(a[0])), nil }
func complexReal(th *Thread, a []Value) (Value, error) {
	return lang.Float(real(complexArg(a[0]))), nil
}
func complexImag(th *Thread, a []Value) (Value, error) {
	return lang.Float(imag(complexArg(a[0]))), nil
}

func complexNewArgs(th *Thread, a []Value) (Value, error) {
	c := complexArg(a[0])
	return lang.NewTuple(lang.Float(real(c)), lang.Float(imag(c))), nil
}

var complexRows = []lang.Def{
	{Sig: "conjugate(self, /)", Fn: complexConjugate, Doc: "Return the complex conjugate."},
	{Sig: "__complex__(self, /)", Fn: complexSelf},
	{Sig: "__getnewargs__(self, /)", Fn: complexNewArgs},
	{Sig: "real", Fn: complexReal, Flags: lang.DefProperty, Doc: "the real part of a complex number"},
	{Sig: "imag", Fn: complexImag, Flags: lang.DefProperty, Doc: "the imaginary part of a complex number"},
}
