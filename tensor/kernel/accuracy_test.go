package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ulps is how far got is from want, in units of the last place of float32 want.
func ulps(got float32, want float64) float64 {
	w := float32(want)
	if got == w || got != got && want != want {
		return 0
	}
	next := math.Nextafter32(w, float32(math.Inf(1)))
	u := float64(next) - float64(w)
	if math.IsInf(u, 0) || u == 0 {
		u = 0x1p104
	}
	return math.Abs(float64(got)-want) / u
}

func TestFloat32Accuracy(t *testing.T) {
	for _, c := range []struct {
		name   string
		op     UnaryOp
		lo, hi float64
		limit  float64
	}{
		{"exp", Exp, -87, 88.7, 1.5}, {"exp subnormal", Exp, -104, -87, 1.5},
		{"log", Log, 1e-38, 10, 2}, {"log", Log, 0.5, 2, 2}, {"log", Log, 1, 1e38, 2},
		{"tanh", Tanh, -9, 9, 2}, {"tanh small", Tanh, -0.01, 0.01, 2},
		{"sigmoid", Sigmoid, -80, 20, 2.5},
		{"sin", Sin, -100, 100, 0.51}, {"erf", Erf, -4, 4, 2}, {"erf small", Erf, -1e-3, 1e-3, 2},
		{"expm1", Expm1, -5, 5, 2}, {"expm1 small", Expm1, -1e-3, 1e-3, 2}, {"expm1", Expm1, -90, 88.3, 2},
		{"log1p", Log1p, -0.9, 5, 2}, {"log1p small", Log1p, -1e-3, 1e-3, 2}, {"log1p", Log1p, 0, 1e9, 2},
		{"softplus", Softplus, -20, 20, 2.5}, {"silu", Silu, -20, 20, 3}, {"elu", Elu, -20, 1, 2},
		{"selu", Selu, -20, 1, 3},
	} {
		r := rand.New(rand.NewPCG(7, 7))
		x := make([]float32, 100000)
		for i := range x {
			x[i] = float32(c.lo + (c.hi-c.lo)*r.Float64())
		}
		y := make([]float32, len(x))
		Unary(c.op, y, x)
		worst, at := 0.0, float32(0)
		for i, v := range x {
			if u := ulps(y[i], float64Unary[c.op](float64(v))); u > worst {
				worst, at = u, v
			}
		}
		t.Logf("%s [%g, %g]: %.2f ulp at %g", c.name, c.lo, c.hi, worst, at)
		if worst > c.limit {
			t.Errorf("%s [%g, %g]: %.2f ulp at %g", c.name, c.lo, c.hi, worst, at)
		}
	}
}
