package random

import "math"

// Source is what NumPy's distributions draw from: a *RandomState or a Generator.
type Source interface {
	BitGenerator
	Normal() float64      // standard normal
	Exponential() float64 // standard exponential
}

// legacy tells which of the two forms of a distribution is asked for.
func legacy(s Source) bool {
	_, ok := s.(*RandomState)
	return ok
}

// StandardGamma is a gamma variate of scale one.
func StandardGamma(s Source, shape float64) float64 {
	switch {
	case shape == 1:
		return s.Exponential()
	case shape == 0:
		return 0
	case shape < 1:
		return gammaBelowOne(s, shape)
	}
	b := shape - 1./3
	c := 1 / math.Sqrt(9*b)
	for {
		x := s.Normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := s.Float64()
		if u < 1-float64(0.0331*(x*x)*(x*x)) || math.Log(u) < float64(0.5*x*x)+float64(b*(1-v+math.Log(v))) {
			return b * v
		}
	}
}

func gammaBelowOne(s Source, shape float64) float64 {
	for {
		u := s.Float64()
		v := s.Exponential()
		if u <= 1-shape {
			if x := math.Pow(u, 1/shape); x <= v {
				return x
			}
			continue
		}
		y := -math.Log((1 - u) / shape)
		if x := math.Pow(1-shape+float64(shape*y), 1/shape); x <= v+y {
			return x
		}
	}
}

// Beta is a beta variate.
func Beta(s Source, a, b float64) float64 {
	if a <= 1 && b <= 1 {
		for {
			u, v := s.Float64(), s.Float64()
			x, y := math.Pow(u, 1/a), math.Pow(v, 1/b)
			if t := x + y; t <= 1 && t > 0 {
				return x / t
			}
		}
	}
	x := StandardGamma(s, a)
	return x / (x + StandardGamma(s, b))
}

// ChiSquare is a chi-square variate.
func ChiSquare(s Source, df float64) float64 { return 2 * StandardGamma(s, df/2) }

// F is an F variate.
func F(s Source, num, den float64) float64 {
	x := ChiSquare(s, num) * den
	return x / (ChiSquare(s, den) * num)
}

// StandardT is a Student t variate.
func StandardT(s Source, df float64) float64 {
	x := s.Normal()
	return math.Sqrt(df/2) * x / math.Sqrt(StandardGamma(s, df/2))
}

// StandardCauchy is a ratio of normals.
func StandardCauchy(s Source) float64 {
	x := s.Normal()
	return x / s.Normal()
}

// Weibull is a standard Weibull variate.
func Weibull(s Source, a float64) float64 {
	if a == 0 {
		return 0
	}
	return math.Pow(s.Exponential(), 1/a)
}

// Pareto is a Lomax variate.
func Pareto(s Source, a float64) float64 {
	if legacy(s) {
		return math.Exp(s.Exponential()/a) - 1
	}
	return math.Expm1(s.Exponential() / a)
}

// Power is a variate of density a x^(a-1) on [0, 1].
func Power(s Source, a float64) float64 {
	if legacy(s) {
		return math.Pow(1-math.Exp(-s.Exponential()), 1/a)
	}
	return math.Pow(-math.Expm1(-s.Exponential()), 1/a)
}

// Rayleigh is a Rayleigh variate of scale one.
func Rayleigh(s Source) float64 {
	if legacy(s) {
		return math.Sqrt(-2 * math.Log(1-s.Float64()))
	}
	return math.Sqrt(2 * s.Exponential())
}

// Laplace, Gumbel and Logistic take location and scale.
func Laplace(s Source, loc, scale float64) float64 {
	for {
		u := s.Float64()
		switch {
		case u >= 0.5:
			return loc - float64(scale*math.Log(2-u-u))
		case u > 0:
			return loc + float64(scale*math.Log(u+u))
		}
	}
}

// Gumbel is an extreme value variate.
func Gumbel(s Source, loc, scale float64) float64 {
	for {
		if u := 1 - s.Float64(); u < 1 {
			return loc - float64(scale*math.Log(-math.Log(u)))
		}
	}
}

// Logistic is a logistic variate.
func Logistic(s Source, loc, scale float64) float64 {
	for {
		if u := s.Float64(); u > 0 {
			return loc + float64(scale*math.Log(u/(1-u)))
		}
	}
}

// Triangular is a triangular variate on [left, right].
func Triangular(s Source, left, mode, right float64) float64 {
	base := right - left
	l := mode - left
	u := s.Float64()
	if u <= l/base {
		return left + math.Sqrt(u*(l*base))
	}
	return right - math.Sqrt((1-u)*((right-mode)*base))
}

// Geometric is the number of trials up to the first success.
func Geometric(s Source, p float64) int64 {
	if p >= 0.333333333333333333333333 {
		x, sum, prod, u := int64(1), p, p, s.Float64()
		for u > sum {
			prod *= 1 - p
			sum += prod
			x++
		}
		return x
	}
	if legacy(s) {
		return int64(math.Ceil(math.Log(1-s.Float64()) / math.Log(1-p)))
	}
	return int64(math.Ceil(-s.Exponential() / math.Log1p(-p)))
}

// PoissonCount is a Poisson variate.
func PoissonCount(s Source, rate float64) int64 {
	switch {
	case rate == 0:
		return 0
	case rate < 10:
		return int64(poissonProduct(rate, s.Float64))
	}
	return int64(poissonReject(rate, s.Float64, func(v, inv, a, us, b float64) float64 {
		return math.Log(v) + math.Log(inv) - math.Log(a/(us*us)+b)
	}, loggam))
}

// loggam is the logarithm of the gamma function, by NumPy's own series.
func loggam(x float64) float64 {
	a := [10]float64{8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
		8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
		1.796443723688307e-01, -1.39243221690590e+00}
	if x == 1 || x == 2 {
		return 0
	}
	n := 0
	if x < 7 {
		n = int(7 - x)
	}
	x0 := x + float64(n)
	x2 := (1 / x0) * (1 / x0)
	g := a[9]
	for k := 8; k >= 0; k-- {
		g = float64(g*x2) + a[k]
	}
	g = g/x0 + 0.5*1.8378770664093453 + float64((x0-0.5)*math.Log(x0)) - x0
	for range n {
		g -= math.Log(x0 - 1)
		x0--
	}
	return g
}

// NegativeBinomial is the number of failures before n successes.
func NegativeBinomial(s Source, n, p float64) int64 {
	return PoissonCount(s, StandardGamma(s, n)*((1-p)/p))
}

// BinomialCount is the number of successes in n trials.
func BinomialCount(s Source, n int64, p float64) int64 {
	if n == 0 || p == 0 {
		return 0
	}
	r := math.Min(p, 1-p)
	var y int64
	if r*float64(n) <= 30 {
		y = binomialInversion(s, n, r)
	} else {
		y = binomialBTPE(s, n, r)
	}
	if p <= 0.5 {
		return y
	}
	return n - y
}

func binomialInversion(s Source, n int64, p float64) int64 {
	q, nf := 1-p, float64(n)
	qn := math.Exp(nf * math.Log(q))
	np := nf * p
	bound := int64(math.Min(nf, np+float64(10*math.Sqrt(float64(np*q)+1))))
	x, px, u := int64(0), qn, s.Float64()
	for u > px {
		x++
		if x > bound {
			x, px, u = 0, qn, s.Float64()
			continue
		}
		u -= px
		px = (float64(n-x+1) * p * px) / (float64(x) * q)
	}
	return x
}

// Multinomial writes how n trials fall into the classes.
func Multinomial(s Source, dst []int64, n int64, p []float64) {
	clear(dst)
	left := 1.0
	for j := 0; j < len(p)-1; j++ {
		dst[j] = BinomialCount(s, n, p[j]/left)
		n -= dst[j]
		if n <= 0 {
			return
		}
		left -= p[j]
	}
	dst[len(p)-1] = n
}

// Dirichlet writes one draw.
func Dirichlet(s Source, dst, alpha []float64) {
	top := 0.0
	for _, a := range alpha {
		top = math.Max(top, a)
	}
	if !legacy(s) && top < 0.1 && top > 0 {
		dirichletSticks(s, dst, alpha)
		return
	}
	sum := 0.0
	for i, a := range alpha {
		dst[i] = StandardGamma(s, a)
		sum += dst[i]
	}
	inv := 1 / sum
	for i := range dst {
		dst[i] *= inv
	}
}

// dirichletSticks breaks a stick by betas, which doesn't underflow for small alpha.
func dirichletSticks(s Source, dst, alpha []float64) {
	rest := make([]float64, len(alpha))
	sum := 0.0
	for i := len(alpha) - 1; i > 0; i-- {
		sum += alpha[i]
		rest[i-1] = sum
	}
	left := 1.0
	for i := 0; i < len(alpha)-1; i++ {
		v := Beta(s, alpha[i], rest[i])
		dst[i] = left * v
		left *= 1 - v
		if rest[i+1] == 0 && i+1 < len(alpha)-1 {
			clear(dst[i+1:])
			break
		}
	}
	dst[len(alpha)-1] = left
}
