package random

import "math"

// A float32 normal is computed in float64 and rounded where TensorFlow's float32
// functions round, which makes it the correctly rounded result but for rare cases.
// Every step is fixed, so that vector code repeats it.

// Splitting pi/2 keeps the reduced angle exact enough.
const (
	halfPiHi = 1.57079632679489655800e+00
	halfPiLo = 6.12323399573676603587e-17
)

// normalPair makes two normals of two words by Box and Muller's method.
func normalPair(x0, x1 uint32) (float32, float32) {
	u := max(float64(x0&0x7fffff)*0x1p-23, float64(float32(normalTiny)))
	v := float64(float32(2 * math.Pi * (float64(x1&0x7fffff) * 0x1p-23)))
	r := float32(math.Sqrt(float64(-2 * float32(logUnit(u)))))
	s, c := sinCos(v)
	return float32(s) * r, float32(c) * r
}

// logUnit is the logarithm of a normal number by the series of atanh.
func logUnit(u float64) float64 {
	bits := math.Float64bits(u)
	e := float64(int(bits>>52) - 1023)
	m := math.Float64frombits(bits&(1<<52-1) | 1023<<52)
	if m > math.Sqrt2 {
		m *= 0.5
		e++
	}
	s := (m - 1) / (m + 1)
	z := s * s
	p := 1. / 17
	p = math.FMA(p, z, 1./15)
	p = math.FMA(p, z, 1./13)
	p = math.FMA(p, z, 1./11)
	p = math.FMA(p, z, 1./9)
	p = math.FMA(p, z, 1./7)
	p = math.FMA(p, z, 1./5)
	p = math.FMA(p, z, 1./3)
	p = math.FMA(p, z, 1)
	p = (s + s) * p
	return math.FMA(e, math.Ln2, p)
}

// sinCos works for angles of a few turns: Taylor series on a quarter turn.
func sinCos(v float64) (sin, cos float64) {
	q := math.RoundToEven(v * (2 / math.Pi))
	v = math.FMA(-q, halfPiHi, v)
	v = math.FMA(-q, halfPiLo, v)
	z := v * v
	s := 1. / 6227020800
	s = math.FMA(s, z, -1./39916800)
	s = math.FMA(s, z, 1./362880)
	s = math.FMA(s, z, -1./5040)
	s = math.FMA(s, z, 1./120)
	s = math.FMA(s, z, -1./6)
	s = math.FMA(s*z, v, v)
	c := 1. / 479001600
	c = math.FMA(c, z, -1./3628800)
	c = math.FMA(c, z, 1./40320)
	c = math.FMA(c, z, -1./720)
	c = math.FMA(c, z, 1./24)
	c = math.FMA(c, z, -1./2)
	c = math.FMA(c, z, 1)
	n := int(q)
	if n&1 != 0 {
		s, c = c, s
	}
	if n&2 != 0 {
		s = -s
	}
	if (n+1)&2 != 0 {
		c = -c
	}
	return s, c
}

// normalWords makes as many normals as there are words, an even number.
func normalWords(dst []float32, words []uint32) {
	n := normalWordsAsm(dst, words)
	for i := n; i < len(words); i += 2 {
		dst[i], dst[i+1] = normalPair(words[i], words[i+1])
	}
}
