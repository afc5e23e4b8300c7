package kernel

import "math"

// The scalar forms that the loops inline. A comparison with a nan is false, which
// decides where a nan goes; for integers x != x compiles to nothing.

func larger[T Real](x, y T) T {
	if x > y || x != x {
		return x
	}
	return y
}

func smaller[T Real](x, y T) T {
	if x < y || x != x {
		return x
	}
	return y
}

func gate[T Real](x T, open bool) T {
	if open {
		return x
	}
	return 0
}

func abs[T Real](x T) T {
	if x <= 0 {
		return 0 - x
	}
	return x
}

func sign[T Real](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		var zero T
		return zero - 1
	case x == 0:
		return 0
	}
	return x
}

func relu[T Real](x T) T {
	if x <= 0 {
		return 0
	}
	return x
}

func relu6[T Real](x T) T {
	if x <= 0 {
		return 0
	}
	if x > 6 {
		return 6
	}
	return x
}

// Constants of selu.
const (
	seluScale      = 1.0507009873554804934193349852946
	seluScaleAlpha = 1.7580993408473768599402175208123
)

// float64Unary is the float64 definition of each function that has no loop of its
// own; float32 rounds it unless float32Unary has an entry.
var float64Unary = [unaryOps]func(float64) float64{
	Exp: math.Exp, Log: math.Log, Tanh: math.Tanh, Sigmoid: sigmoid64,
	Expm1: math.Expm1, Log1p: math.Log1p,
	Sin: math.Sin, Cos: math.Cos, Tan: math.Tan,
	Asin: math.Asin, Acos: math.Acos, Atan: math.Atan,
	Sinh: math.Sinh, Cosh: math.Cosh,
	Asinh: math.Asinh, Acosh: math.Acosh, Atanh: math.Atanh,
	Elu: elu64, Selu: selu64, Softplus: softplus64, Softsign: softsign64,
	Silu: silu64, LogSigmoid: logSigmoid64,
	Erf: math.Erf, Erfc: math.Erfc, Erfinv: math.Erfinv, Ndtri: ndtri64,
	Lgamma: lgamma64, Digamma: digamma64,
	Exp2: math.Exp2, Cbrt: math.Cbrt,
	BesselI0e: besselI0e64, BesselI1e: besselI1e64,
}

// float32Unary is our own float32 definitions, which assembly repeats.
var float32Unary = [unaryOps]func(float32) float32{
	Exp: exp32, Log: log32, Tanh: tanh32, Sigmoid: sigmoid32, Expm1: expm132, Log1p: log1p32,
	Elu: elu32, Selu: selu32, Silu: silu32, Softplus: softplus32, LogSigmoid: logSigmoid32, Erf: erf32,
}

func sigmoid64(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	// exp(-x) would overflow before the result underflows.
	e := math.Exp(x)
	return e / (1 + e)
}

func elu64(x float64) float64 {
	if x < 0 {
		return math.Expm1(x)
	}
	return x
}

func selu64(x float64) float64 {
	if x < 0 {
		return seluScaleAlpha * math.Expm1(x)
	}
	return seluScale * x
}

func softplus64(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

func softsign64(x float64) float64 { return x / (1 + math.Abs(x)) }

func silu64(x float64) float64 { return x * sigmoid64(x) }

func logSigmoid64(x float64) float64 { return -softplus64(-x) }

func lgamma64(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Inf(1)
	}
	v, _ := math.Lgamma(x)
	return v
}

// ndtri64 is the inverse of the normal distribution function.
func ndtri64(p float64) float64 {
	switch {
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	}
	return -math.Sqrt2 * math.Erfcinv(2*p)
}

// digamma64 shifts x up until the asymptotic series holds; negative x by reflection.
func digamma64(x float64) float64 {
	if x == 0 || math.IsInf(x, -1) || x < 0 && x == math.Floor(x) {
		return math.NaN()
	}
	if math.IsInf(x, 1) {
		return x
	}
	v := 0.0
	if x < 0 {
		// The fraction keeps the argument of tan small, hence exact.
		v = -math.Pi / math.Tan(math.Pi*(x-math.Floor(x)))
		x = 1 - x
	}
	for x < 10 {
		v -= 1 / x
		x++
	}
	r := 1 / (x * x)
	series := r * (1./12 - r*(1./120-r*(1./252-r*(1./240-r*(1./132-r*(691./32760-r/12))))))
	return v + math.Log(x) - 0.5/x - series
}

// besselI0e64 is exp(-|x|) I0(x): the power series, and from 30 on the asymptotic one.
func besselI0e64(x float64) float64 { return besselIe(0, math.Abs(x)) }

func besselI1e64(x float64) float64 {
	return math.Copysign(besselIe(1, math.Abs(x)), x)
}

func besselIe(order int, x float64) float64 {
	if x != x {
		return x
	}
	if x > 30 {
		mu, term, sum := float64(4*order*order), 1.0, 1.0
		for k := 1.0; k < 60; k++ {
			next := term * -(mu - (2*k-1)*(2*k-1)) / (k * 8 * x)
			if math.Abs(next) > math.Abs(term) || math.Abs(next) < 1e-18 {
				break
			}
			term = next
			sum += term
		}
		return sum / math.Sqrt(2*math.Pi*x)
	}
	term := 1.0
	if order == 1 {
		term = x / 2
	}
	sum := term
	for k := 1.0; term > sum*1e-18; k++ {
		term *= x * x / 4 / (k * (k + float64(order)))
		sum += term
	}
	return sum * math.Exp(-x)
}
