package kernel

import "math"

// More float32 functions defined step by step, on top of exp32 and log32.

func signBit(x float32) uint32 { return math.Float32bits(x) & (1 << 31) }

// withSign gives r the sign of x as well: for functions whose sign is that of their
// argument, this mends a zero that lost it.
func withSign(r, x float32) float32 {
	return math.Float32frombits(math.Float32bits(r) | signBit(x))
}

// expm1Terms is the largest exponent that 2^n - 1 is split by.
const expm1Terms = 127

// expm132 is exp(x)-1: with x = n ln 2 + r, 2^n expm1(r) + (2^n - 1).
func expm132(x float32) float32 {
	y := x
	if expMax < y {
		y = expMax
	}
	if expMin > y {
		y = expMin
	}
	n := float32(math.RoundToEven(float64(float32(log2E) * y)))
	if expm1Terms < n {
		n = expm1Terms
	}
	r := fma32(-ln2Hi, n, y)
	r = fma32(-ln2Lo, n, r)
	p := expPoly(r)
	s := n
	if n == n {
		s = float32(math.Float64frombits(uint64(1023+int(n)) << 52))
	}
	return withSign(fma32(p, s, s-1), x)
}

// expPoly is exp(r)-1 for |r| up to ln(2)/2.
func expPoly(r float32) float32 {
	p := float32(1.9875691500e-4)
	p = fma32(p, r, 1.3981999507e-3)
	p = fma32(p, r, 8.3334519073e-3)
	p = fma32(p, r, 4.1665795894e-2)
	p = fma32(p, r, 1.6666665459e-1)
	p = fma32(p, r, 5.0000001201e-1)
	r2 := r * r
	return fma32(p, r2, r)
}

// elu32 is x, or exp(x)-1 where x is negative.
func elu32(x float32) float32 {
	if x < 0 {
		return expm132(x)
	}
	return x
}

// selu32 is the scaled elu.
func selu32(x float32) float32 {
	if x < 0 {
		return float32(seluScaleAlpha) * expm132(x)
	}
	return float32(seluScale) * x
}

// silu32 is x sigmoid(x).
func silu32(x float32) float32 { return x * sigmoid32(x) }

// log1p32 is log(1+x): the logarithm of the rounded sum, and to first order what the
// rounding lost.
func log1p32(x float32) float32 {
	u := 1 + x
	c := x - (u - 1)
	if x >= 1 {
		c = 1 - (u - x)
	}
	c /= u
	if c != c {
		c = 0
	}
	return withSign(log32(u)+c, x)
}

// softplus32 is log(1+exp(x)).
func softplus32(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) | 1<<31)
	l := log1p32(exp32(a))
	if x > 0 {
		return x + l
	}
	return l
}

// logSigmoid32 is -softplus(-x).
func logSigmoid32(x float32) float32 { return -softplus32(-x) }

// erfPoly is where erf changes from a polynomial to exp; from erfOne on it is 1.
const (
	erfPoly = 0.921875
	erfOne  = 4
)

// erf32 works on the absolute value: an odd polynomial, and beyond it 1-exp(-q) with
// q the minimax polynomial of -log(erfc). The coefficients are fitted here.
func erf32(x float32) float32 {
	a := math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
	b := a
	if erfOne < b {
		b = erfOne
	}
	q := float32(2.111858884745743e-05)
	q = fma32(q, b, -0.0004347347130533308)
	q = fma32(q, b, 0.004172381479293108)
	q = fma32(q, b, -0.02512289769947529)
	q = fma32(q, b, 0.10828545689582825)
	q = fma32(q, b, 0.6333420276641846)
	q = fma32(q, b, 1.1295173168182373)
	q = fma32(q, b, -0.00017518593813292682)
	t := 1 - exp32(-q)
	if a < erfPoly {
		z := a * a
		p := float32(8.370097202714533e-05)
		p = fma32(p, z, -0.0008142703445628285)
		p = fma32(p, z, 0.005201032385230064)
		p = fma32(p, z, -0.026859398931264877)
		p = fma32(p, z, 0.11283695697784424)
		p = fma32(p, z, -0.37612634897232056)
		p = fma32(p, z, 0.12837916612625122)
		t = fma32(p, a, a)
	}
	return withSign(t, x)
}
