package lang

import "math"

// hypot is the distance of (x, y) from 0 as C's library rounds it: Go's own is
// off by a unit more often.
func hypot(x, y float64) float64 {
	x, y = math.Abs(x), math.Abs(y)
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case x < y:
		x, y = y, x
	}
	if y <= x*0x1p-54 {
		return x + y
	}
	const big, small, scale = 0x1p511, 0x1p-459, 0x1p600
	switch {
	case x > big:
		return nearHypot(x/scale, y/scale) * scale
	case y < small:
		return nearHypot(x*scale, y*scale) / scale
	}
	return nearHypot(x, y)
}

// nearHypot is hypot for x >= y > 0 whose squares are normal numbers: the root of
// the sum, corrected by what its own square lacks.
func nearHypot(x, y float64) float64 {
	h := math.Sqrt(x*x + y*y)
	var d, t1, t2 float64
	if h <= 2*y {
		d = h - y
		t1 = x * (2*d - x)
		t2 = (d - 2*(x-y)) * d
	} else {
		d = h - x
		t1 = 2 * d * (x - 2*y)
		t2 = (4*d-y)*y + d*d
	}
	return h - (t1+t2)/(2*h)
}
