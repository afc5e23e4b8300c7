package random

import "math"

// Generator draws as numpy.random.Generator does from a bit generator.
type Generator struct{ BitGenerator }

// NewGenerator is numpy.random.default_rng.
func NewGenerator(s *SeedSequence) Generator {
	p := new(PCG64)
	p.Seed(s)
	return Generator{p}
}

// The ends of the ziggurats' base layers.
const (
	zigNormalR    = 3.6541528853610087963519472518
	zigNormalInvR = 0.27366123732975827203338247596
	zigExpR       = 7.6971174701310497140446280481
)

// Normal is a standard normal.
func (g Generator) Normal() float64 {
	for {
		r := g.Uint64()
		i, a := r&0xff, r>>9&(1<<52-1)
		x := float64(a) * zigNW[i]
		if r>>8&1 != 0 {
			x = -x
		}
		if a < zigNK[i] {
			return x
		}
		if i == 0 {
			return g.normalTail(a>>8&1 != 0)
		}
		if float64((zigNF[i-1]-zigNF[i])*g.Float64())+zigNF[i] < math.Exp(-0.5*x*x) {
			return x
		}
	}
}

func (g Generator) normalTail(negative bool) float64 {
	for {
		x := -zigNormalInvR * math.Log1p(-g.Float64())
		y := -math.Log1p(-g.Float64())
		if y+y > x*x {
			if negative {
				return -(zigNormalR + x)
			}
			return zigNormalR + x
		}
	}
}

// Normal32 is a standard normal in float32.
func (g Generator) Normal32() float32 {
	for {
		r := g.Uint32()
		i, a := r&0xff, r>>9
		x := float32(a) * zigNW32[i]
		if r>>8&1 != 0 {
			x = -x
		}
		if a < zigNK32[i] {
			return x
		}
		if i == 0 {
			return g.normalTail32(a>>8&1 != 0)
		}
		if float64(float32((zigNF32[i-1]-zigNF32[i])*g.Float32())+zigNF32[i]) < math.Exp(-0.5*float64(x)*float64(x)) {
			return x
		}
	}
}

func (g Generator) normalTail32(negative bool) float32 {
	for {
		x := float32(-zigNormalInvR) * log1pf(-g.Float32())
		y := -log1pf(-g.Float32())
		if y+y > x*x {
			if negative {
				return -(float32(zigNormalR) + x)
			}
			return float32(zigNormalR) + x
		}
	}
}

func log1pf(x float32) float32 { return float32(math.Log1p(float64(x))) }

// Exponential is a standard exponential.
func (g Generator) Exponential() float64 {
	for {
		r := g.Uint64() >> 3
		i, a := r&0xff, r>>8
		x := float64(a) * zigEW[i]
		if a < zigEK[i] {
			return x
		}
		if i == 0 {
			return zigExpR - math.Log1p(-g.Float64())
		}
		if float64((zigEF[i-1]-zigEF[i])*g.Float64())+zigEF[i] < math.Exp(-x) {
			return x
		}
	}
}

// Exponential32 is a standard exponential in float32.
func (g Generator) Exponential32() float32 {
	for {
		r := g.Uint32() >> 1
		i, a := r&0xff, r>>8
		x := float32(a) * zigEW32[i]
		if a < zigEK32[i] {
			return x
		}
		if i == 0 {
			return float32(zigExpR) - log1pf(-g.Float32())
		}
		if float32((zigEF32[i-1]-zigEF32[i])*g.Float32())+zigEF32[i] < float32(math.Exp(float64(-x))) {
			return x
		}
	}
}

// Choice draws distinct numbers below n, without probabilities; in an order that is
// itself random if shuffle is set.
func (g Generator) Choice(dst []int64, n int, shuffle bool) {
	part := 20
	if shuffle {
		part = 50
	}
	if n > 10000 && len(dst) > n/part {
		g.choiceTail(dst, n)
		return
	}
	// Floyd's sampling.
	seen := make(map[int64]bool, len(dst))
	for i := range dst {
		j := n - len(dst) + i
		v := int64(lemire(g, uint64(j)))
		if seen[v] {
			v = int64(j)
		}
		seen[v] = true
		dst[i] = v
	}
	for i := len(dst) - 1; shuffle && i > 0; i-- {
		j := lemire(g, uint64(i))
		dst[i], dst[j] = dst[j], dst[i]
	}
}

// choiceTail shuffles only the part of 0..n-1 that is taken.
func (g Generator) choiceTail(dst []int64, n int) {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i)
	}
	for i := n - 1; i >= max(n-len(dst), 1); i-- {
		j := lemire(g, uint64(i))
		v[i], v[j] = v[j], v[i]
	}
	copy(dst, v[n-len(dst):])
}
