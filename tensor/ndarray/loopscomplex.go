package ndarray

import (
	"math"
	"math/cmplx"

	"github.com/tfs-lang/tfs/tensor"
)

type cplx interface{ complex64 | complex128 }

func complexLoop(op string, k tensor.DType, nin int) loop {
	switch {
	case k == tensor.Complex64 && nin == 2:
		return complexBinary[complex64](op)
	case k == tensor.Complex64:
		return complexUnary[complex64, float32](op)
	case nin == 2:
		return complexBinary[complex128](op)
	}
	return complexUnary[complex128, float64](op)
}

func complexBinary[C cplx](op string) loop {
	switch op {
	case "add":
		return addLoop[C]
	case "subtract":
		return subLoop[C]
	case "multiply":
		return mulLoop[C]
	case "divide":
		return bin(func(x, y C) C { return C(divide(complex128(x), complex128(y))) })
	case "power", "float_power":
		return bin(func(x, y C) C { return C(complexPower(complex128(x), complex128(y))) })
	case "equal":
		return bin(func(x, y C) bool { return x == y })
	case "not_equal":
		return bin(func(x, y C) bool { return x != y })
	case "logical_and":
		return bin(func(x, y C) bool { return x != 0 && y != 0 })
	case "logical_or":
		return bin(func(x, y C) bool { return x != 0 || y != 0 })
	case "maximum", "minimum", "fmax", "fmin":
		return bin(func(x, y C) C { return C(complexExtreme(op, complex128(x), complex128(y))) })
	case "less":
		return bin(func(x, y C) bool { return lessComplex(complex128(x), complex128(y)) })
	case "greater":
		return bin(func(x, y C) bool { return lessComplex(complex128(y), complex128(x)) })
	case "less_equal":
		return bin(func(x, y C) bool { return x == y || lessComplex(complex128(x), complex128(y)) })
	case "greater_equal":
		return bin(func(x, y C) bool { return x == y || lessComplex(complex128(y), complex128(x)) })
	}
	return nil
}

// lessComplex orders by the real part, then the imaginary one.
func lessComplex(x, y complex128) bool {
	return real(x) < real(y) || real(x) == real(y) && imag(x) < imag(y)
}

// hasNaN reports a nan in either part, as NumPy counts it (cmplx.IsNaN lets an
// infinite part win).
func hasNaN(x complex128) bool { return math.IsNaN(real(x)) || math.IsNaN(imag(x)) }

// complexExtreme picks the larger or smaller; nan wins, but in fmax and fmin it loses.
func complexExtreme(op string, x, y complex128) complex128 {
	nx, ny := hasNaN(x), hasNaN(y)
	if op[0] == 'f' {
		nx, ny = ny && !nx, nx
	}
	switch {
	case nx:
		return x
	case ny:
		return y
	case op == "maximum" || op == "fmax":
		if lessComplex(x, y) {
			return y
		}
		return x
	case lessComplex(y, x):
		return y
	}
	return x
}

// divide is Smith's method, as NumPy divides.
func divide(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	if math.Abs(c) >= math.Abs(d) {
		if c == 0 && d == 0 {
			return complex(a/math.Abs(c), b/math.Abs(c))
		}
		r := d / c
		s := 1 / (c + d*r)
		return complex((a+b*r)*s, (b-a*r)*s)
	}
	r := c / d
	s := 1 / (d + c*r)
	return complex((a*r+b)*s, (b*r-a)*s)
}

// complexPower multiplies for small whole exponents, as NumPy does.
func complexPower(x, y complex128) complex128 {
	n := real(y)
	if imag(y) == 0 && n == math.Trunc(n) && math.Abs(n) < 100 {
		r, p := complex128(1), x
		for k := int(math.Abs(n)); k > 0; k >>= 1 {
			if k&1 == 1 {
				r *= p
			}
			p *= p
		}
		if n < 0 {
			return divide(1, r)
		}
		return r
	}
	return cmplx.Pow(x, y)
}

var complexFns = map[string]func(complex128) complex128{
	"exp": cmplx.Exp, "log": cmplx.Log, "log10": cmplx.Log10, "sqrt": cmplx.Sqrt, "sin": cmplx.Sin, "cos": cmplx.Cos, "tan": cmplx.Tan,
	"sinh": cmplx.Sinh, "cosh": cmplx.Cosh, "tanh": cmplx.Tanh, "arcsin": cmplx.Asin, "arccos": cmplx.Acos, "arctan": cmplx.Atan,
	"arcsinh": cmplx.Asinh, "arccosh": cmplx.Acosh, "arctanh": cmplx.Atanh, "conjugate": cmplx.Conj,
	"negative":   func(x complex128) complex128 { return -x },
	"positive":   func(x complex128) complex128 { return x },
	"square":     func(x complex128) complex128 { return x * x },
	"reciprocal": func(x complex128) complex128 { return divide(1, x) },
	"log2":       func(x complex128) complex128 { return cmplx.Log(x) / math.Ln2 },
	"expm1":      func(x complex128) complex128 { return cmplx.Exp(x) - 1 },
	"log1p":      func(x complex128) complex128 { return cmplx.Log(1 + x) },
	"rint": func(x complex128) complex128 {
		return complex(math.RoundToEven(real(x)), math.RoundToEven(imag(x)))
	},
	"sign": func(x complex128) complex128 {
		if x == 0 {
			return 0
		}
		return x / complex(cmplx.Abs(x), 0)
	},
}

var complexTests = map[string]func(complex128) bool{
	"isnan":       cmplx.IsNaN,
	"isinf":       cmplx.IsInf,
	"isfinite":    func(x complex128) bool { return !cmplx.IsInf(x) && !hasNaN(x) },
	"logical_not": func(x complex128) bool { return x == 0 },
}

func complexUnary[C cplx, F float](op string) loop {
	if f := complexFns[op]; f != nil {
		return un(func(x C) C { return C(f(complex128(x))) })
	}
	if f := complexTests[op]; f != nil {
		return un(func(x C) bool { return f(complex128(x)) })
	}
	if op == "absolute" {
		return un(func(x C) F { return F(cmplx.Abs(complex128(x))) })
	}
	return nil
}
