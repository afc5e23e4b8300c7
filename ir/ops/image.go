package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// AdjustContrast moves the elements of each channel of an image away from their
// mean. TensorFlow has no gradient for it.
var AdjustContrast = ir.NewOp("AdjustContrastv2", "images, contrast_factor")

func init() {
	AdjustContrast.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			if s := c.Shape(0); s.RankKnown() && s.Rank() < 3 {
				return ir.Invalid("input must be at least 3-D, got shape%s", s.Brackets())
			}
			return c.SetLike(0)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, f := c.T(0), c.T(1).F32()[0]
			if x.DType() != tensor.Float32 {
				w := widened(x)
				o := make([]float32, len(w))
				contrast(o, w, x.Dims(), f)
				narrowed(c.O(0), o)
				return nil
			}
			contrast(c.O(0).F32(), x.F32(), x.Dims(), f)
			return nil
		},
		Grad: ir.NoGradient,
	})
}

func contrast(o, x []float32, dims []int, f float32) {
	n := len(dims)
	channels, pixels := dims[n-1], dims[n-2]*dims[n-3]
	size := channels * pixels
	if size == 0 {
		return
	}
	for at := 0; at < len(x); at += size {
		for k := range channels {
			sum := 0.0
			for i := range pixels {
				sum += float64(x[at+i*channels+k])
			}
			mean := float32(sum / float64(pixels))
			for i := range pixels {
				j := at + i*channels + k
				o[j] = (x[j]-mean)*f + mean
			}
		}
	}
}
