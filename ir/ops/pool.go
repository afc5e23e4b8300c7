package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// poolOf works out the windows of a pooling over image shape s.
func poolOf(c *ir.Call, s tensor.Shape) (kernel.Window, *ir.Mistake) {
	a := c.Attrs.(*WindowAttrs)
	if len(a.Ksize) < s.Rank() || at(a.Ksize, s.Rank()-1) != 1 || at(a.Ksize, 0) != 1 {
		return kernel.Window{}, ir.Wrong("UnimplementedError", "Pooling is not yet supported on the batch or channel dimension.")
	}
	return a.window(s, a.Ksize[1:s.Rank()-1])
}

func inferPool(rank int) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		s := c.Shape(0)
		if !s.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(rank))
		}
		if s.Rank() != rank {
			return ir.Invalid("tensor_in must be %d-dimensional", rank)
		}
		w, m := poolOf(c, s)
		if m != nil {
			return m
		}
		return c.SetOut(c.DType(0), windowShape(&w, s, s.Dim(-1)))
	}
}

func runMaxPool(c *ir.Call) *ir.Mistake {
	w, m := poolOf(c, c.Shape(0))
	if m != nil {
		return m
	}
	x, o := c.T(0), c.O(0)
	switch x.DType() {
	case tensor.Float32:
		kernel.MaxPool(&w, o.F32(), x.F32())
	case tensor.Float64:
		kernel.MaxPool(&w, o.F64(), x.F64())
	case tensor.Int32:
		kernel.MaxPool(&w, o.I32(), x.I32())
	case tensor.Int64:
		kernel.MaxPool(&w, o.I64(), x.I64())
	case tensor.Float16, tensor.BFloat16:
		f := make([]float32, o.Len())
		kernel.MaxPool(&w, f, widened(x))
		narrowed(o, f)
	default:
		return unsupported(c)
	}
	return nil
}

// MaxPool is the largest of each window.
var MaxPool = ir.NewOp("MaxPool", "input, ksize, strides, padding, data_format='NHWC'")

// MaxPool3D is the largest of each three-dimensional window.
var MaxPool3D = ir.NewOp("MaxPool3D", "input, ksize, strides, padding, data_format='NDHWC'")

func init() {
	MaxPool.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferPool(4), Kernel: runMaxPool, Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(MaxPoolGrad, g.Attrs, g.X(0), g.Y(0), g.Dy()) },
	})
}

func init() {
	MaxPool3D.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferPool(5), Kernel: runMaxPool, Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(MaxPoolGrad, g.Attrs, g.X(0), g.Y(0), g.Dy()) },
	})
}

// MaxPoolGrad gives the gradient of each window to its first largest cell.
var MaxPoolGrad = ir.NewOp("MaxPoolGrad", "orig_input, orig_output, grad")

func init() {
	MaxPoolGrad.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: like0, Uses: ir.In(0) | ir.In(1),
		Kernel: func(c *ir.Call) *ir.Mistake {
			w, m := poolOf(c, c.Shape(0))
			if m != nil {
				return m
			}
			x, y, dy, o := c.T(0), c.T(1), c.T(2), c.O(0)
			switch o.DType() {
			case tensor.Float32:
				kernel.MaxPoolGrad(&w, o.F32(), x.F32(), y.F32(), dy.F32(), tiesOf(x))
			case tensor.Float64:
				kernel.MaxPoolGrad(&w, o.F64(), x.F64(), y.F64(), dy.F64(), tiesOf(x))
			case tensor.Float16, tensor.BFloat16:
				f := make([]float32, o.Len())
				kernel.MaxPoolGrad(&w, f, widened(x), widened(y), widened(dy), tiesOf(x))
				narrowed(o, f)
			default:
				return unsupported(c)
			}
			return nil
		},
		Grad: func(g *ir.Grad) {
			g.DX[2] = g.EmitN(MaxPoolGradGrad, g.Attrs, g.X(0), g.X(1), g.Dy())
		},
	})
}

// MaxPoolGradGrad reads a gradient at the first largest cell of each window.
var MaxPoolGradGrad = ir.NewOp("MaxPoolGradGrad", "orig_input, orig_output, grad")

func init() {
	MaxPoolGradGrad.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: like1, Uses: ir.In(0) | ir.In(1),
		Kernel: func(c *ir.Call) *ir.Mistake {
			w, m := poolOf(c, c.Shape(0))
			if m != nil {
				return m
			}
			x, dy, o := c.T(0), c.T(2), c.O(0)
			where := make([]int64, o.Len())
			switch o.DType() {
			case tensor.Float32:
				top := make([]float32, o.Len())
				kernel.MaxPoolArgmax(&w, top, where, x.F32(), x.Len()/max(w.Batch, 1))
				for i, k := range where {
					o.F32()[i] = dy.F32()[k]
				}
			case tensor.Float64:
				top := make([]float64, o.Len())
				kernel.MaxPoolArgmax(&w, top, where, x.F64(), x.Len()/max(w.Batch, 1))
				for i, k := range where {
					o.F64()[i] = dy.F64()[k]
				}
			default:
				return unsupported(c)
			}
			return nil
		},
		Grad: func(g *ir.Grad) { g.DX[2] = g.EmitN(MaxPoolGrad, g.Attrs, g.X(0), g.X(1), g.Dy()) },
	})
}

func runAvgPool(c *ir.Call) *ir.Mistake {
	w, m := poolOf(c, c.Shape(0))
	if m != nil {
		return m
	}
	return floatKernel(c, c.O(0), c.T(0), c.T(0),
		func(o, x, _ []float32) { kernel.AvgPool(&w, o, x) }, func(o, x, _ []float64) { kernel.AvgPool(&w, o, x) })
}

// AvgPool is the mean of each window.
var AvgPool = ir.NewOp("AvgPool", "input, ksize, strides, padding, data_format='NHWC'")

// AvgPool3D is the mean of each three-dimensional window.
var AvgPool3D = ir.NewOp("AvgPool3D", "input, ksize, strides, padding, data_format='NDHWC'")

func init() {
	AvgPool.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferPool(4), Kernel: runAvgPool,
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(AvgPoolGrad, g.Attrs, inShape(g, 0), g.Dy()) },
	})
}

func init() {
	AvgPool3D.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferPool(5), Kernel: runAvgPool,
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(AvgPoolGrad, g.Attrs, inShape(g, 0), g.Dy()) },
	})
}

// AvgPoolGrad spreads the gradient of each window over its cells.
var AvgPoolGrad = ir.NewOp("AvgPoolGrad", "orig_input_shape, grad")

func init() {
	AvgPoolGrad.Define(ir.Rules{
		Attrs: &WindowAttrs{}, IntArgs: ir.In(0),
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(1), c.ShapeArg(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			w, m := poolOf(c, c.OutType(0).Shp)
			if m != nil {
				return m
			}
			return floatKernel(c, c.O(0), c.T(1), c.T(1),
				func(o, dy, _ []float32) { kernel.AvgPoolGrad(&w, o, dy) }, func(o, dy, _ []float64) { kernel.AvgPoolGrad(&w, o, dy) })
		},
		Grad: func(g *ir.Grad) {
			op := AvgPool
			if g.In[1].Type.Shp.Rank() == 5 {
				op = AvgPool3D
			}
			g.DX[1] = g.Emit1(op, g.Attrs, g.Dy())
		},
	})
}

// tiesOf is TensorFlow's rule for equal largest cells: the first one in two
// dimensions, all of them in three.
func tiesOf(x *tensor.Tensor) kernel.Ties {
	if x.Rank() == 5 {
		return kernel.AllTies
	}
	return kernel.FirstTie
}
