package random

import (
	"math"
	"testing"

	"github.com/tfs-lang/tfs/tensor/kernel"
)

// TestTiers checks that assembly and Go draw the same bits, also across the carry of
// the counter, and that a draw is a prefix of a longer one.
func TestTiers(t *testing.T) {
	const n = 5000
	for _, p := range []Philox{Stateless(1, 2), {Lo: math.MaxUint64 - 100, Hi: 7, Key: 9}, {}} {
		want, got := make([]float32, 2*n), make([]float32, 2*n)
		draw := func(x []float32, n int) {
			Normal32(p, x[:n])
			Uniform32(p, x[len(x)/2:][:n])
		}
		old := kernel.SetTier(kernel.Portable)
		draw(want, n)
		kernel.SetTier(old)
		for _, m := range []int{n, 1, 3, 4, 15, 17, 127, 129, 1023, 1025} {
			draw(got, m)
			for i := range m {
				if got[i] != want[i] || got[n+i] != want[n+i] {
					t.Fatalf("%v: draw of %d: [%d] = %v %v, want %v %v", p, m, i, got[i], got[n+i], want[i], want[n+i])
				}
			}
		}
	}
}

// TestNormalRounding compares with correctly rounded steps.
func TestNormalRounding(t *testing.T) {
	w := newWords(Stateless(5, 5))
	off := 0
	const n = 200000
	for range n {
		x0, x1 := w.next(), w.next()
		u := max(unit32(x0), float32(normalTiny))
		v := float32(2 * math.Pi * float64(unit32(x1)))
		r := float32(math.Sqrt(float64(-2 * float32(math.Log(float64(u))))))
		s, c := normalPair(x0, x1)
		if s != float32(math.Sin(float64(v)))*r || c != float32(math.Cos(float64(v)))*r {
			off++
		}
	}
	if off > n/10000 {
		t.Errorf("%d of %d pairs differ", off, n)
	}
}
