package random

import "math"

// RandomState is NumPy's legacy generator: the Mersenne Twister and a normal that
// waits for its turn.
type RandomState struct {
	MT19937
	Gauss    float64
	HasGauss bool
}

// Normal is a standard normal by the polar method; of each pair one value is kept.
func (s *RandomState) Normal() float64 {
	if s.HasGauss {
		s.HasGauss = false
		return s.Gauss
	}
	for {
		x1 := 2*s.Float64() - 1
		x2 := 2*s.Float64() - 1
		r2 := float64(x1*x1) + float64(x2*x2)
		if r2 >= 1 || r2 == 0 {
			continue
		}
		f := math.Sqrt(-2 * math.Log(r2) / r2)
		s.Gauss, s.HasGauss = f*x1, true
		return f * x2
	}
}

// Exponential is a standard exponential by inversion.
func (s *RandomState) Exponential() float64 { return -math.Log(1 - s.Float64()) }

// Choice draws distinct numbers below n, without probabilities.
func (s *RandomState) Choice(dst []int64, n int) {
	v := make([]int64, n)
	Permutation(s, v)
	copy(dst, v)
}
