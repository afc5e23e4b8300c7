package kernel

import "math"

// float64Binary is the definition of the binary functions without a loop of their
// own; float32 computes in float64 and rounds.
var float64Binary = [binaryOps]func(x, y float64) float64{
	FloorDiv:  func(x, y float64) float64 { return math.Floor(x / y) },
	FloorMod:  floorMod64,
	TruncDiv:  func(x, y float64) float64 { return math.Trunc(x / y) },
	TruncMod:  math.Mod,
	Pow:       math.Pow,
	Atan2:     math.Atan2,
	Hypot:     math.Hypot,
	NextAfter: math.Nextafter,
	DivNoNan: func(x, y float64) float64 {
		if y == 0 {
			return 0
		}
		return x / y
	},
	MulNoNan: func(x, y float64) float64 {
		if y == 0 {
			return 0
		}
		return x * y
	},
	Xlogy:          guarded(func(x, y float64) float64 { return x * math.Log(y) }),
	Xlog1py:        guarded(func(x, y float64) float64 { return x * math.Log1p(y) }),
	Xdivy:          guarded(func(x, y float64) float64 { return x / y }),
	LogAddExp:      logAddExp64,
	EluGrad:        eluGrad64,
	SeluGrad:       seluGrad64,
	SoftplusGrad:   func(dy, x float64) float64 { return dy * sigmoid64(x) },
	SoftsignGrad:   softsignGrad64,
	SqrtGrad:       scaled(func(dy, y float64) float64 { return dy * 0.5 / y }),
	RsqrtGrad:      scaled(func(dy, y float64) float64 { return -0.5 * dy * (y * y * y) }),
	ReciprocalGrad: scaled(func(dy, y float64) float64 { return -dy * y * y }),
	Igamma:         igamma,
	Igammac:        igammac,
	Zeta:           zeta,
	Polygamma:      polygamma,
}

// nextAfter32 is the one function whose float32 form isn't the float64 one rounded.
func nextAfter32(x, y float64) float64 {
	return float64(math.Nextafter32(float32(x), float32(y)))
}

// guarded makes f zero wherever its first argument is.
func guarded(f func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		if x == 0 {
			return 0
		}
		return f(x, y)
	}
}

// scaled is guarded with its arguments exchanged: f takes the gradient first.
func scaled(f func(dy, y float64) float64) func(y, dy float64) float64 {
	g := guarded(f)
	return func(y, dy float64) float64 { return g(dy, y) }
}

// floorMod64 has the sign of y, like Python's %.
func floorMod64(x, y float64) float64 {
	r := math.Mod(x, y)
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

func logAddExp64(x, y float64) float64 {
	if x == y {
		return x + math.Ln2
	}
	if x > y {
		return x + math.Log1p(math.Exp(y-x))
	}
	return y + math.Log1p(math.Exp(x-y))
}

func eluGrad64(dy, y float64) float64 {
	if y < 0 {
		return dy * (y + 1)
	}
	return dy
}

func seluGrad64(dy, y float64) float64 {
	if y < 0 {
		return dy * (y + seluScaleAlpha)
	}
	return dy * seluScale
}

func softsignGrad64(dy, x float64) float64 {
	d := 1 + math.Abs(x)
	return dy / (d * d)
}

// igamma is the lower regularised incomplete gamma function P(a, x): the power
// series left of a+1, the continued fraction of the complement right of it.
func igamma(a, x float64) float64 {
	switch {
	case x == 0:
		return 0
	case !(a > 0) || !(x >= 0):
		return math.NaN()
	case math.IsInf(a, 1):
		return 0
	case math.IsInf(x, 1):
		return 1
	case x < a+1:
		return gammaSeries(a, x)
	}
	return 1 - gammaFraction(a, x)
}

func igammac(a, x float64) float64 {
	switch {
	case !(a > 0) || !(x >= 0):
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	case x == 0 || math.IsInf(a, 1):
		return 1
	case x < a+1:
		return 1 - gammaSeries(a, x)
	}
	return gammaFraction(a, x)
}

func gammaScale(a, x float64) float64 {
	l, _ := math.Lgamma(a)
	return math.Exp(a*math.Log(x) - x - l)
}

func gammaSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for n := a + 1; math.Abs(term) > math.Abs(sum)*1e-17; n++ {
		term *= x / n
		sum += term
	}
	return sum * gammaScale(a, x)
}

// gammaFraction evaluates the continued fraction by Lentz's method.
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for i := 1.0; i < 10000; i++ {
		an := -i * (i - a)
		b += 2
		d = an*d + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + an/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return h * gammaScale(a, x)
}

// bernoulli holds B(2k)/(2k)! for the Euler-Maclaurin sum of zeta.
var bernoulli = [...]float64{
	1. / 12, -1. / 720, 1. / 30240, -1. / 1209600, 1. / 47900160,
	-691. / 1307674368000, 1. / 74724249600, -3617. / 10670622842880000,
}

// zeta is the Hurwitz zeta function.
func zeta(s, q float64) float64 {
	switch {
	case s == 1:
		return math.Inf(1)
	case !(s > 1):
		return math.NaN()
	case q <= 0 && (s != math.Floor(s) || math.Mod(s, 2) == 1):
		return math.NaN()
	case q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	case math.IsInf(s, 1):
		return math.Pow(q, -s)
	case math.IsInf(q, 1):
		return 0
	}
	sum := 0.0
	n := 0
	for ; n < 12 || q < 12; n++ {
		sum += math.Pow(q, -s)
		q++
	}
	sum += math.Pow(q, 1-s)/(s-1) + 0.5*math.Pow(q, -s)
	factor := s * math.Pow(q, -s-1)
	for k, b := range bernoulli {
		sum += b * factor
		j := float64(2*k + 1)
		factor *= (s + j) * (s + j + 1) / (q * q)
	}
	return sum
}

// polygamma is the n-th derivative of digamma.
func polygamma(n, x float64) float64 {
	if n == 0 {
		return digamma64(x)
	}
	if !(n > 0) || n != math.Floor(n) {
		return math.NaN()
	}
	l, _ := math.Lgamma(n + 1)
	v := math.Exp(l) * zeta(n+1, x)
	if math.Mod(n, 2) == 0 {
		return -v
	}
	return v
}
