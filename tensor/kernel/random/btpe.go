package random

import "math"

// btpe is the set-up of Kachitvichyanukul and Schmeiser's BTPE algorithm: a hat of a
// triangle, two parallelograms and two exponential tails.
type btpe struct {
	n, r, q, m, nrq        float64
	p1, xm, xl, xr, c      float64
	laml, lamr, p2, p3, p4 float64
}

func newBTPE(n, r float64) btpe {
	b := btpe{n: n, r: r, q: 1 - r}
	fm := float64(n*r) + r
	b.m = math.Floor(fm)
	b.nrq = n * r * b.q
	b.p1 = math.Floor(float64(2.195*math.Sqrt(b.nrq))-float64(4.6*b.q)) + 0.5
	b.xm = b.m + 0.5
	b.xl, b.xr = b.xm-b.p1, b.xm+b.p1
	b.c = 0.134 + 20.5/(15.3+b.m)
	a := (fm - b.xl) / (fm - float64(b.xl*r))
	b.laml = a * (1 + a/2)
	a = (b.xr - fm) / (b.xr * b.q)
	b.lamr = a * (1 + a/2)
	b.p2 = b.p1 * (1 + 2*b.c)
	b.p3 = b.p2 + b.c/b.laml
	b.p4 = b.p3 + b.c/b.lamr
	return b
}

func binomialBTPE(s Source, n int64, r float64) int64 {
	b := newBTPE(float64(n), r)
	for {
		u := s.Float64() * b.p4
		v := s.Float64()
		if u <= b.p1 {
			return int64(math.Floor(b.xm - float64(b.p1*v) + u))
		}
		if y, v, ok := b.propose(u, v); ok && b.accept(y, v) {
			return int64(y)
		}
	}
}

// propose picks a point under the hat outside the triangle.
func (b *btpe) propose(u, v float64) (y, w float64, ok bool) {
	switch {
	case u <= b.p2:
		x := b.xl + (u-b.p1)/b.c
		v = float64(v*b.c) + 1 - math.Abs(b.m-x+0.5)/b.p1
		return math.Floor(x), v, v <= 1
	case v == 0:
		return 0, 0, false
	case u <= b.p3:
		y = math.Floor(b.xl + math.Log(v)/b.laml)
		return y, v * (u - b.p2) * b.laml, y >= 0
	}
	y = math.Floor(b.xr - math.Log(v)/b.lamr)
	return y, v * (u - b.p3) * b.lamr, y <= b.n
}

func (b *btpe) accept(y, v float64) bool {
	k := math.Abs(y - b.m)
	if !(k > 20 && k < b.nrq/2-1) {
		return v <= b.ratio(y)
	}
	rho := (k / b.nrq) * (float64(k*(float64(k/3)+0.625)+0.16666666666666666)/b.nrq + 0.5)
	t := -k * k / (2 * b.nrq)
	a := math.Log(v)
	if a < t-rho {
		return true
	}
	if a > t+rho {
		return false
	}
	x1, f1, z, w := y+1, b.m+1, b.n+1-b.m, b.n-y+1
	return a <= float64(b.xm*math.Log(f1/x1))+float64((b.n-b.m+0.5)*math.Log(z/w))+
		float64((y-b.m)*math.Log(w*b.r/(x1*b.q)))+
		btpeTail(f1)+btpeTail(z)+btpeTail(x1)+btpeTail(w)
}

// ratio is the probability of y over that of the mode, by recurrence.
func (b *btpe) ratio(y float64) float64 {
	s, f := b.r/b.q, 1.0
	a := s * (b.n + 1)
	for i := b.m + 1; i <= y; i++ {
		f *= a/i - s
	}
	for i := y + 1; i <= b.m; i++ {
		f /= a/i - s
	}
	return f
}

// btpeTail is the correction of Stirling's formula.
func btpeTail(x float64) float64 {
	s := x * x
	return (13680 - (462-(132-(99-140/s)/s)/s)/s) / x / 166320
}
