package lang

import "math"

// Elementary are the functions that powers of complex numbers go through. Go's
// own are off by an ulp now and then; the module math puts its exact ones here.
var Elementary = struct {
	Sin, Cos, Exp, Log func(float64) float64
	Atan2              func(y, x float64) float64
}{math.Sin, math.Cos, math.Exp, math.Log, math.Atan2}

// accuratePow is x**y with about 100 bits inside, so that the result is rounded as
// a good C library's: exp(y·log x) with the logarithm and the product in two floats.
func accuratePow(x, y float64) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y || x == 1 {
		return math.Pow(x, y)
	}
	frac, exp := math.Frexp(x)
	if frac < math.Sqrt2/2 {
		frac *= 2
		exp--
	}
	hi, lo := logDD(frac)
	e := float64(exp)
	whole, rest := twoProd(e, ln2Hi)
	s, t := twoSum(whole, hi)
	hi, lo = s, t+(lo+(rest+e*ln2Lo))
	p, q := twoProd(y, hi)
	q += y * lo
	if p > 709.9 || p < -745.2 {
		return math.Pow(x, y)
	}
	return expDD(p, q)
}

const (
	ln2Hi = 0.693147180559945286226764 // ln 2 rounded to a float
	ln2Lo = 2.319046813846299558e-17   // what that lacks
)

func twoSum(a, b float64) (s, t float64) {
	s = a + b
	v := s - a
	return s, (a - (s - v)) + (b - v)
}

func twoProd(a, b float64) (p, q float64) {
	p = a * b
	return p, math.FMA(a, b, -p)
}

// logDD is log(f) for f near 1, by log f = 2·atanh((f-1)/(f+1)) in two floats.
func logDD(f float64) (hi, lo float64) {
	n, d := f-1, f+1 // n is exact; d may be off by its last bit
	dl := f - (d - 1)
	z := n / d
	zl := (math.FMA(-z, d, n) - z*dl) / d
	// powers of z² with a series; the first term carries the low part
	z2, z2l := twoProd(z, z)
	z2l += 2 * z * zl
	sh, sl := 0.0, 0.0
	for k := 41; k >= 3; k -= 2 { // s = z²(1/3 + z²(1/5 + …))
		ch := 1 / float64(k)
		cl := math.FMA(-ch, float64(k), 1) / float64(k)
		h, l := twoSum(ch, sh)
		l += sl + cl
		ph, pl := twoProd(h, z2)
		pl += h*z2l + l*z2
		sh, sl = twoSum(ph, pl)
	}
	ph, pl := twoProd(z, sh)
	pl += z*sl + zl*sh
	hi, lo = twoSum(2*z, 2*ph)
	return hi, lo + 2*(zl+pl)
}

// expDD is exp(p+q), rounded once.
func expDD(p, q float64) float64 {
	k := math.Round(p / math.Ln2)
	rh, rl := twoSum(math.FMA(-k, ln2Hi, p), q)
	rl -= k * ln2Lo
	// p - k·ln2Hi is exact up to the fused rounding; Taylor in two floats on r/256
	const halvings = 8
	h, l := rh/(1<<halvings), rl/(1<<halvings)
	sh, sl := 0.0, 0.0 // expm1 by Horner
	for n := 12; n >= 1; n-- {
		ah, al := twoSum(1, sh)
		al += sl
		ph, pl := twoProd(ah, h)
		pl += ah*l + al*h
		c := float64(n)
		sh = ph / c
		sl = (math.FMA(-sh, c, ph) + pl) / c
		sh, sl = twoSum(sh, sl)
	}
	for range halvings { // expm1(2a) = e·(2 + e)
		ah, al := twoSum(2, sh)
		al += sl
		ph, pl := twoProd(sh, ah)
		pl += sh*al + sl*ah
		sh, sl = twoSum(ph, pl)
	}
	s, t := twoSum(1, sh)
	return math.Ldexp(s+(t+sl), int(k))
}
