package kernel

import (
	"math"
	"math/cmplx"
)

// complexUnary is the complex functions; complex64 computes in complex128.
var complexUnary = [unaryOps]func(complex128) complex128{
	Sqrt: cmplx.Sqrt, Exp: cmplx.Exp, Log: cmplx.Log,
	Rsqrt:   func(z complex128) complex128 { return 1 / cmplx.Sqrt(z) },
	Log1p:   func(z complex128) complex128 { return cmplx.Log(1 + z) },
	Expm1:   func(z complex128) complex128 { return cmplx.Exp(z) - 1 },
	Tanh:    cmplx.Tanh,
	Sinh:    cmplx.Sinh,
	Cosh:    cmplx.Cosh,
	Sin:     cmplx.Sin,
	Cos:     cmplx.Cos,
	Tan:     cmplx.Tan,
	Asin:    cmplx.Asin,
	Acos:    cmplx.Acos,
	Atan:    cmplx.Atan,
	Asinh:   cmplx.Asinh,
	Acosh:   cmplx.Acosh,
	Atanh:   cmplx.Atanh,
	Sigmoid: func(z complex128) complex128 { return 1 / (1 + cmplx.Exp(-z)) },
	Silu:    func(z complex128) complex128 { return z / (1 + cmplx.Exp(-z)) },
	Sign: func(z complex128) complex128 {
		if z == 0 {
			return 0
		}
		return z / complex(cmplx.Abs(z), 0)
	},
}

// UnaryComplex writes op(x); it reports false where complex numbers have no op.
func UnaryComplex[C Complex](op UnaryOp, dst, x []C) bool {
	switch op {
	case Neg:
		negV(dst, x)
		return true
	case Square:
		squareV(dst, x)
		return true
	case Reciprocal:
		reciprocalV(dst, x)
		return true
	}
	if op >= unaryOps || complexUnary[op] == nil {
		return false
	}
	f := complexUnary[op]
	for i := range dst {
		dst[i] = C(f(complex128(x[i])))
	}
	return true
}

// BinaryComplex writes op(x, y); it reports false where complex numbers have no op.
func BinaryComplex[C Complex](op BinaryOp, dst, x, y []C, p *Plan) bool {
	var f func(d, x, y []C)
	switch op {
	case Add:
		f = addVV[C]
	case Sub:
		f = subVV[C]
	case Mul:
		f = mulVV[C]
	case Div:
		f = divVV[C]
	case SquaredDifference:
		f = func(d, x, y []C) {
			for i := range d {
				e := complex128(x[i] - y[i])
				d[i] = C(e * cmplx.Conj(e))
			}
		}
	case TanhGrad:
		f = tanhGradVV[C]
	case SigmoidGrad:
		f = sigmoidGradVV[C]
	case Pow, Xlogy, DivNoNan, MulNoNan, Xdivy:
		f = func(d, x, y []C) {
			for i := range d {
				d[i] = C(complexBinary(op, complex128(x[i]), complex128(y[i])))
			}
		}
	default:
		return false
	}
	each2(dst, x, y, p, f)
	return true
}

func complexBinary(op BinaryOp, x, y complex128) complex128 {
	switch op {
	case Pow:
		return cmplx.Pow(x, y)
	case DivNoNan, MulNoNan:
		if y == 0 {
			return 0
		}
	case Xlogy, Xdivy:
		if x == 0 {
			return 0
		}
	}
	switch op {
	case Xlogy:
		return x * cmplx.Log(y)
	case MulNoNan:
		return x * y
	}
	return x / y
}

// Conj writes the conjugates.
func Conj[C Complex](dst, x []C) {
	for i := range dst {
		dst[i] = C(cmplx.Conj(complex128(x[i])))
	}
}

// RealPart writes the real parts of complex64 or complex128 numbers.
func RealPart[F Float, C Complex](dst []F, x []C) {
	for i := range dst {
		dst[i] = F(real(complex128(x[i])))
	}
}

// ImagPart writes the imaginary parts.
func ImagPart[F Float, C Complex](dst []F, x []C) {
	for i := range dst {
		dst[i] = F(imag(complex128(x[i])))
	}
}

// ComplexAbs writes the absolute values.
func ComplexAbs[F Float, C Complex](dst []F, x []C) {
	for i := range dst {
		z := complex128(x[i])
		dst[i] = F(math.Hypot(real(z), imag(z)))
	}
}

// Angle writes the arguments.
func Angle[F Float, C Complex](dst []F, x []C) {
	for i := range dst {
		dst[i] = F(cmplx.Phase(complex128(x[i])))
	}
}

// MakeComplex joins real and imaginary parts.
func MakeComplex[C Complex, F Float](dst []C, re, im []F) {
	for i := range dst {
		dst[i] = C(complex(float64(re[i]), float64(im[i])))
	}
}
