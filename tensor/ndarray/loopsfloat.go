package ndarray

import (
	"math"
	"unsafe"

	"github.com/tfs-lang/tfs/tensor"
)

type float interface{ float32 | float64 }

// floatBinaryFn is a function of two floats that has a float result.
func floatBinaryFn[T float](op string) func(x, y T) T {
	switch op {
	case "add":
		return func(x, y T) T { return x + y }
	case "subtract":
		return func(x, y T) T { return x - y }
	case "multiply":
		return func(x, y T) T { return x * y }
	case "divide":
		return func(x, y T) T { return x / y }
	case "floor_divide":
		return floatFloorDiv[T]
	case "remainder":
		return floatMod[T]
	case "maximum":
		return func(x, y T) T {
			if x >= y || x != x {
				return x
			}
			return y
		}
	case "minimum":
		return func(x, y T) T {
			if x <= y || x != x {
				return x
			}
			return y
		}
	case "fmax":
		return func(x, y T) T {
			if x >= y || y != y {
				return x
			}
			return y
		}
	case "fmin":
		return func(x, y T) T {
			if x <= y || y != y {
				return x
			}
			return y
		}
	}
	if f := mathBinary(op); f != nil {
		return func(x, y T) T { return T(f(float64(x), float64(y))) }
	}
	return nil
}

// mathBinary is computed in float64 and rounded.
func mathBinary(op string) func(x, y float64) float64 {
	switch op {
	case "power", "float_power":
		return math.Pow
	case "fmod":
		return math.Mod
	case "arctan2":
		return math.Atan2
	case "hypot":
		return math.Hypot
	case "copysign":
		return math.Copysign
	case "logaddexp":
		return func(x, y float64) float64 { return logAddExp(x, y, math.Ln2, math.Exp, math.Log1p) }
	case "logaddexp2":
		return func(x, y float64) float64 {
			return logAddExp(x, y, 1, math.Exp2, func(x float64) float64 { return math.Log1p(x) * math.Log2E })
		}
	case "heaviside":
		return func(x, h float64) float64 {
			switch {
			case x == 0:
				return h
			case x > 0:
				return 1
			case x < 0:
				return 0
			}
			return x
		}
	}
	return nil
}

func logAddExp(x, y, two float64, exp, log1p func(float64) float64) float64 {
	switch {
	case x == y:
		return x + two
	case x > y:
		return x + log1p(exp(y-x))
	case y > x:
		return y + log1p(exp(x-y))
	}
	return x + y
}

func floatMod[T float](x, y T) T {
	if y == 0 {
		return T(math.NaN())
	}
	r := T(math.Mod(float64(x), float64(y)))
	switch {
	case r == 0:
		return T(math.Copysign(0, float64(y)))
	case (r < 0) != (y < 0):
		r += y
	}
	return r
}

func floatFloorDiv[T float](x, y T) T {
	if y == 0 {
		return x / y
	}
	r := T(math.Mod(float64(x), float64(y)))
	q := (x - r) / y
	if r != 0 && (r < 0) != (y < 0) {
		q--
	}
	if q == 0 {
		return T(math.Copysign(0, float64(x)/float64(y)))
	}
	f := T(math.Floor(float64(q)))
	if q-f > 0.5 {
		f++
	}
	return f
}

func floatBinary[T float](op string) loop {
	switch op {
	case "add":
		return addLoop[T]
	case "subtract":
		return subLoop[T]
	case "multiply":
		return mulLoop[T]
	case "divide":
		return divLoop[T]
	case "power":
		return powerLoop[T]
	case "nextafter":
		return bin(func(x, y T) T { return nextAfter(x, y) })
	case "logical_and":
		return bin(func(x, y T) bool { return x != 0 && y != 0 })
	case "logical_or":
		return bin(func(x, y T) bool { return x != 0 || y != 0 })
	case "logical_xor":
		return bin(func(x, y T) bool { return (x != 0) != (y != 0) })
	}
	if f := floatBinaryFn[T](op); f != nil {
		return bin(f)
	}
	return compareLoop[T](op)
}

// powerLoop takes the short way for the exponents that NumPy special-cases.
func powerLoop[T float](a *args) {
	if a.s[2] == 0 && a.n > 0 {
		switch *(*T)(a.p[2]) {
		case 2:
			un(func(x T) T { return x * x })(a)
			return
		case 1:
			un(func(x T) T { return x })(a)
			return
		case 0.5:
			un(func(x T) T { return T(math.Sqrt(float64(x))) })(a)
			return
		case -1:
			un(func(x T) T { return 1 / x })(a)
			return
		}
	}
	bin(func(x, y T) T { return T(math.Pow(float64(x), float64(y))) })(a)
}

func nextAfter[T float](x, y T) T {
	var z T
	if unsafe.Sizeof(z) == 4 {
		return T(math.Nextafter32(float32(x), float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

// mathUnary is computed in float64 and rounded.
var mathUnary = map[string]func(float64) float64{
	"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "arcsin": math.Asin, "arccos": math.Acos, "arctan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "arcsinh": math.Asinh, "arccosh": math.Acosh, "arctanh": math.Atanh,
	"sqrt": math.Sqrt, "cbrt": math.Cbrt, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "rint": math.RoundToEven,
	"absolute": math.Abs, "fabs": math.Abs,
	"deg2rad": func(x float64) float64 { return x * (math.Pi / 180) }, "radians": func(x float64) float64 { return x * (math.Pi / 180) },
	"rad2deg": func(x float64) float64 { return x * (180 / math.Pi) }, "degrees": func(x float64) float64 { return x * (180 / math.Pi) },
	"spacing": func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) - x },
}

func floatUnaryFn[T float](op string) func(x T) T {
	switch op {
	case "negative":
		return func(x T) T { return -x }
	case "positive", "conjugate":
		return func(x T) T { return x }
	case "sign":
		return func(x T) T {
			switch {
			case x > 0:
				return 1
			case x < 0:
				return -1
			case x == 0:
				return 0
			}
			return x
		}
	case "square":
		return func(x T) T { return x * x }
	case "reciprocal":
		return func(x T) T { return 1 / x }
	}
	if f := mathUnary[op]; f != nil {
		return func(x T) T { return T(f(float64(x))) }
	}
	return nil
}

// floatTest is a question about one float.
func floatTest(op string) func(x float64) bool {
	switch op {
	case "isnan":
		return func(x float64) bool { return x != x }
	case "isinf":
		return func(x float64) bool { return math.IsInf(x, 0) }
	case "isfinite":
		return func(x float64) bool { return x-x == 0 }
	case "signbit":
		return math.Signbit
	case "logical_not":
		return func(x float64) bool { return x == 0 }
	}
	return nil
}

func floatUnary[T float](op string) loop {
	if f := floatTest(op); f != nil {
		return un(func(x T) bool { return f(float64(x)) })
	}
	if f := floatUnaryFn[T](op); f != nil {
		return un(f)
	}
	return nil
}

func halfBinary[H half](op string) loop {
	if f := floatBinaryFn[float32](op); f != nil {
		return bin16[H](f)
	}
	wide := floatBinary[float32](op)
	if wide == nil || op == "nextafter" {
		return nil
	}
	test := func(x, y float32) (r bool) {
		wide(&args{n: 1, p: [4]unsafe.Pointer{unsafe.Pointer(&r), unsafe.Pointer(&x), unsafe.Pointer(&y)}})
		return r
	}
	if op == "power" {
		return bin16[H](func(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) })
	}
	return bin(func(x, y H) bool { return test(x.Float32(), y.Float32()) })
}

func halfUnary[H half](op string) loop {
	if f := floatTest(op); f != nil {
		return un(func(x H) bool { return f(float64(x.Float32())) })
	}
	if f := floatUnaryFn[float32](op); f != nil {
		return un16[H](f)
	}
	return nil
}

// realLoop finds the loop for operands of a real type.
func realLoop(op string, k tensor.DType, nin int) loop {
	if nin == 1 {
		return realUnary(op, k)
	}
	switch k {
	case tensor.Int8:
		return intBinary[int8](op)
	case tensor.Int16:
		return intBinary[int16](op)
	case tensor.Int32:
		return intBinary[int32](op)
	case tensor.Int64:
		return intBinary[int64](op)
	case tensor.Uint8:
		return intBinary[uint8](op)
	case tensor.Uint16:
		return intBinary[uint16](op)
	case tensor.Uint32:
		return intBinary[uint32](op)
	case tensor.Uint64:
		return intBinary[uint64](op)
	case tensor.Float16:
		return halfBinary[tensor.Half](op)
	case tensor.BFloat16:
		return halfBinary[tensor.BF16](op)
	case tensor.Float32:
		return denseBinary[float32](op, floatBinary[float32](op))
	case tensor.Float64:
		return denseBinary[float64](op, floatBinary[float64](op))
	}
	return nil
}

func realUnary(op string, k tensor.DType) loop {
	switch k {
	case tensor.Int8:
		return intUnary[int8](op)
	case tensor.Int16:
		return intUnary[int16](op)
	case tensor.Int32:
		return intUnary[int32](op)
	case tensor.Int64:
		return intUnary[int64](op)
	case tensor.Uint8:
		return intUnary[uint8](op)
	case tensor.Uint16:
		return intUnary[uint16](op)
	case tensor.Uint32:
		return intUnary[uint32](op)
	case tensor.Uint64:
		return intUnary[uint64](op)
	case tensor.Float16:
		return halfUnary[tensor.Half](op)
	case tensor.BFloat16:
		return halfUnary[tensor.BF16](op)
	case tensor.Float32:
		return denseUnary[float32](op, floatUnary[float32](op))
	case tensor.Float64:
		return denseUnary[float64](op, floatUnary[float64](op))
	}
	return nil
}
