package kernel

import "math"

// fma32 is the float32 fused multiply-add: x*y+z rounded once.
//
// The product of two float32 is exact in float64; the sum is then rounded twice,
// which is wrong only if the first rounding lands on a tie of the second. In that
// case, and below the normal range, fmaSlow redoes it with the float64 sum rounded
// to odd, from which any narrower rounding is right.
func fma32(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	s := p + float64(z)
	if u := math.Float64bits(s); u&0x1fffffff != 0x10000000 && u<<1 >= 0x381<<53 {
		return float32(s)
	}
	return fmaSlow(p, float64(z), s)
}

//go:noinline
func fmaSlow(p, z, s float64) float32 {
	if s-s != 0 {
		return float32(s)
	}
	// The exact error of the addition (Knuth's two-sum).
	b := s - p
	e := (p - (s - b)) + (z - b)
	u := math.Float64bits(s)
	if e != 0 && u&1 == 0 {
		if (e > 0) == (s > 0) {
			u++
		} else {
			u--
		}
	}
	return float32(math.Float64frombits(u))
}
