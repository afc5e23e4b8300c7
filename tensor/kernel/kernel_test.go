package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactFMA rounds x*y+z once, by way of math/big.
func exactFMA(x, y, z float32) float32 {
	b := new(big.Float).SetPrec(600)
	p := b.Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	p.Add(p, new(big.Float).SetPrec(600).SetFloat64(float64(z)))
	f, _ := p.Float32()
	return f
}

func anyFloat32(r *rand.Rand) float32 {
	for {
		u := r.Uint32()
		if r.IntN(3) == 0 {
			u &^= 1<<uint(r.IntN(23)) - 1 // few bits: ties are common
		}
		if f := math.Float32frombits(u); f-f == 0 {
			return f
		}
	}
}

func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 200000; i++ {
		x, y := anyFloat32(r), anyFloat32(r)
		z := anyFloat32(r)
		switch i % 4 {
		case 1: // near each other, so that they interact
			x, y = math.Float32frombits(0x3f000000|r.Uint32()&0xffffff), math.Float32frombits(0x3f000000|r.Uint32()&0xffffff)
			z = float32(math.Ldexp(1+r.Float64(), r.IntN(60)-30))
		case 2: // the product is a tie
			x = math.Float32frombits(0x3f800000 | r.Uint32()&0xfff)
			y = math.Float32frombits(0x3f800001 | r.Uint32()&0xfff<<11)
			z = float32(math.Ldexp(float64(r.IntN(3)-1), -r.IntN(80)))
		case 3: // below the normal range
			x *= 0x1p-100
			z *= 0x1p-120
		}
		if got, want := fma32(x, y, z), exactFMA(x, y, z); got != want && !(want == 0 && got == 0) {
			t.Fatalf("fma32(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
}
