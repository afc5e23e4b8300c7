package kernel

import "math"

// The float32 functions below are defined step by step, so that vector code gives
// the same bits: fma32 is one fused multiply-add, every other operation rounds.
// The polynomials' coefficients are those of Cephes.

// Splitting ln 2 keeps n*ln2Hi exact for the exponents that occur.
const (
	ln2Hi = 0.693359375
	ln2Lo = -2.12194440e-4
	log2E = 1.44269504088896341
)

// expMax and expMin are where exp reaches infinity and zero.
const (
	expMax = 89
	expMin = -104
)

// exp32 is e to the x.
func exp32(x float32) float32 {
	if expMax < x {
		x = expMax
	}
	if expMin > x {
		x = expMin
	}
	n := float32(math.RoundToEven(float64(float32(log2E) * x)))
	r := fma32(-ln2Hi, n, x)
	r = fma32(-ln2Lo, n, r)
	p := expPoly(r) + 1
	if n != n {
		return p
	}
	// One rounding, also below the normal range.
	return float32(float64(p) * math.Float64frombits(uint64(1023+int(n))<<52))
}

// sigmoid32 is 1 / (1 + exp(-x)).
func sigmoid32(x float32) float32 {
	return 1 / (1 + exp32(-x))
}

// tanhPoly is where tanh changes from a polynomial to exp.
const tanhPoly = 0.625

// tanh32 works on the absolute value: an odd polynomial near zero, 1 - 2/(exp(2x)+1)
// beyond.
func tanh32(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	t := 1 - 2/(exp32(a+a)+1)
	if a < tanhPoly {
		z := a * a
		p := float32(-5.70498872745e-3)
		p = fma32(p, z, 2.06390887954e-2)
		p = fma32(p, z, -5.37397155531e-2)
		p = fma32(p, z, 1.33314422036e-1)
		p = fma32(p, z, -3.33332819422e-1)
		p = p * z
		t = fma32(p, a, a)
	}
	return math.Float32frombits(math.Float32bits(t) | math.Float32bits(x)&(1<<31))
}

// log32 is the natural logarithm: exponent and mantissa in sqrt(1/2)..sqrt(2).
func log32(x float32) float32 {
	switch {
	case x < 0 || x != x:
		return float32(math.NaN())
	case x == 0:
		return float32(math.Inf(-1))
	case x > math.MaxFloat32:
		return x
	}
	// float64 has no subnormal here, so its fields are the exponent and mantissa.
	u := math.Float64bits(float64(x))
	e := float32(int(u>>52) - 1023)
	m := float32(math.Float64frombits(u&(1<<52-1) | 1023<<52))
	if m > 1.41421356237 {
		m *= 0.5
		e++
	}
	m -= 1
	z := m * m
	p := float32(7.0376836292e-2)
	p = fma32(p, m, -1.1514610310e-1)
	p = fma32(p, m, 1.1676998740e-1)
	p = fma32(p, m, -1.2420140846e-1)
	p = fma32(p, m, 1.4249322787e-1)
	p = fma32(p, m, -1.6668057665e-1)
	p = fma32(p, m, 2.0000714765e-1)
	p = fma32(p, m, -2.4999993993e-1)
	p = fma32(p, m, 3.3333331174e-1)
	p = p * m
	p = p * z
	p = fma32(ln2Lo, e, p)
	p = fma32(-0.5, z, p)
	p = p + m
	return fma32(ln2Hi, e, p)
}
