//go:build poison

package exec

import (
	"math"
	"testing"

	"github.com/tfs-lang/tfs/tensor"
)

// With the tag, a new tensor of a Context holds NaN, inline or not, new or recycled.
func TestNewTensorsArePoisoned(t *testing.T) {
	x := NewContext()
	for _, n := range []int{2, 1000} {
		for range 2 {
			y, err := x.New(tensor.Float32, tensor.ShapeOf(n))
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range y.F32() {
				if !math.IsNaN(float64(v)) {
					t.Fatalf("%d elements: a new tensor holds %v", n, v)
				}
			}
			clear(y.F32())
			x.Allocator.Drop(y)
		}
	}
}
