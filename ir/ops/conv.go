package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// WindowAttrs are those of convolutions and pooling: Strides, Dilations and Ksize
// have one number a dimension of the image array, batch and channels included.
// Explicit, with Padding EXPLICIT, is before and after for each dimension.
type WindowAttrs struct {
	Ksize, Strides, Dilations, Explicit []int
	Padding, Format                     string
}

func at(v []int, i int) int {
	if i < len(v) {
		return v[i]
	}
	return 1
}

// window works out how a window of the given spatial sizes moves over an image
// array of shape s (N, spatial…, C). Spatial dimensions that aren't there are 1.
func (a *WindowAttrs) window(s tensor.Shape, size []int) (kernel.Window, *ir.Mistake) {
	n := s.Rank() - 2
	w := kernel.Window{Batch: s.Dim(0), Channels: s.Dim(-1)}
	for d := range 3 {
		w.In[d], w.Out[d], w.Size[d], w.Stride[d], w.Dilate[d] = 1, 1, 1, 1, 1
	}
	if a.Format != "" && a.Format[:2] == "NC" {
		return w, ir.Wrong("UnimplementedError", "The Conv2D op currently only supports the NHWC tensor format on the CPU. The op was given the format: %s", a.Format)
	}
	for i := range n {
		d := 3 - n + i
		in, k, st, dl := s.Dim(i+1), size[i], at(a.Strides, i+1), at(a.Dilations, i+1)
		if st < 1 || dl < 1 {
			return w, ir.Invalid("Sliding window strides field must be positive")
		}
		w.In[d], w.Size[d], w.Stride[d], w.Dilate[d] = in, k, st, dl
		if in < 0 || k < 0 {
			w.Out[d] = -1
			continue
		}
		reach := (k-1)*dl + 1
		switch a.Padding {
		case "VALID":
			w.Out[d] = max((in-reach+st)/st, 0)
			if in < reach {
				w.Out[d] = 0
			}
		case "SAME":
			w.Out[d] = (in + st - 1) / st
			w.Pad[d] = max((w.Out[d]-1)*st+reach-in, 0) / 2
		case "EXPLICIT":
			p, q := at(a.Explicit, 2*i+2), at(a.Explicit, 2*i+3)
			w.Pad[d] = p
			w.Out[d] = (in+p+q-reach)/st + 1
		default:
			return w, ir.Invalid("Value for attr 'padding' of \"%s\" is not in the list of allowed values: \"SAME\", \"VALID\"", a.Padding)
		}
	}
	return w, nil
}

// outShape is the shape that the windows give with some channels.
func windowShape(w *kernel.Window, s tensor.Shape, channels int) tensor.Shape {
	n := s.Rank() - 2
	dims := []int{s.Dim(0)}
	dims = append(dims, w.Out[3-n:]...)
	return tensor.ShapeOf(append(dims, channels)...)
}

// convOf works out a convolution of image shape x with filter shape f.
func convOf(c *ir.Call, x, f tensor.Shape) (*kernel.Conv, *ir.Mistake) {
	a := c.Attrs.(*WindowAttrs)
	n := x.Rank() - 2
	w, m := a.window(x, f.Dims()[:n])
	if m != nil {
		return nil, m
	}
	depth, in := x.Dim(-1), f.Dim(n)
	cv := &kernel.Conv{Window: w, Filters: f.Dim(-1), Groups: 1}
	if depth >= 0 && in > 0 {
		if depth%in != 0 {
			return nil, &ir.Mistake{Kind: ir.ConvDepth, Args: []any{depth, in}}
		}
		cv.Groups = depth / in
		if cv.Filters >= 0 && cv.Filters%cv.Groups != 0 {
			return nil, ir.Invalid("output depth must be evenly divisible by number of groups: %d vs %d", cv.Filters, cv.Groups)
		}
	}
	return cv, nil
}

// imageRank checks the ranks of an image and its filter.
func imageRank(x, f tensor.Shape, rank int) *ir.Mistake {
	if x.RankKnown() && x.Rank() != rank {
		return ir.Invalid("input must be %d-dimensional: %s", rank, x.Brackets())
	}
	if f.RankKnown() && f.Rank() != rank {
		return ir.Invalid("filter must be %d-dimensional: %s", rank, f.Brackets())
	}
	return nil
}

func inferConv(rank int) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, f := c.Shape(0), c.Shape(1)
		if m := imageRank(x, f, rank); m != nil {
			return m
		}
		if !x.RankKnown() || !f.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(rank))
		}
		cv, m := convOf(c, x, f)
		if m != nil {
			return m
		}
		return c.SetOut(c.DType(0), windowShape(&cv.Window, x, f.Dim(-1)))
	}
}

// floatKernel runs f or d on the elements of three tensors, halves through float32.
func floatKernel(c *ir.Call, o, x, y *tensor.Tensor, f func(o, x, y []float32), d func(o, x, y []float64)) *ir.Mistake {
	switch o.DType() {
	case tensor.Float32:
		f(o.F32(), x.F32(), y.F32())
	case tensor.Float64:
		d(o.F64(), x.F64(), y.F64())
	case tensor.Float16, tensor.BFloat16:
		r := make([]float32, o.Len())
		f(r, widened(x), widened(y))
		narrowed(o, r)
	case tensor.Int32:
		r, a, b := make([]float64, o.Len()), make([]float64, x.Len()), make([]float64, y.Len())
		kernel.Cast(a, x.I32())
		kernel.Cast(b, y.I32())
		d(r, a, b)
		kernel.Cast(o.I32(), r)
	default:
		return unsupported(c)
	}
	return nil
}

func runConv(c *ir.Call) *ir.Mistake {
	cv, m := convOf(c, c.Shape(0), c.Shape(1))
	if m != nil {
		return m
	}
	return floatKernel(c, c.O(0), c.T(0), c.T(1),
		func(o, x, w []float32) { kernel.Conv2D(cv, o, x, w) }, func(o, x, w []float64) { kernel.Conv2D(cv, o, x, w) })
}

// Conv2D is the two-dimensional convolution.
var Conv2D = ir.NewOp("Conv2D", "input, filters, strides, padding, data_format='NHWC', dilations=None")

func init() {
	Conv2D.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferConv(4), Kernel: runConv, Fuse: ir.Contraction,
		Uses: ir.In(0) | ir.In(1), Grad: convGrad(func() (*ir.Op, *ir.Op) { return Conv2DBackpropInput, Conv2DBackpropFilter }),
	})
}

// Conv3D is the three-dimensional convolution.
var Conv3D = ir.NewOp("Conv3D", "input, filters, strides, padding, data_format='NDHWC', dilations=None")

func init() {
	Conv3D.Define(ir.Rules{
		Attrs: &WindowAttrs{}, Infer: inferConv(5), Kernel: runConv, Fuse: ir.Contraction,
		Uses: ir.In(0) | ir.In(1), Grad: convGrad(func() (*ir.Op, *ir.Op) { return Conv3DBackpropInputV2, Conv3DBackpropFilterV2 }),
	})
}

// convGrad emits the two backward convolutions.
func convGrad(ops func() (in, filter *ir.Op)) func(g *ir.Grad) {
	return func(g *ir.Grad) {
		in, filter := ops()
		if g.Wants(0) {
			g.DX[0] = g.EmitN(in, g.Attrs, inShape(g, 0), g.X(1), g.Dy())
		}
		if g.Wants(1) {
			g.DX[1] = g.EmitN(filter, g.Attrs, g.X(0), inShape(g, 1), g.Dy())
		}
	}
}

// noDilation is TensorFlow's limit on the CPU.
func noDilation(c *ir.Call) *ir.Mistake {
	for _, d := range c.Attrs.(*WindowAttrs).Dilations {
		if d > 1 {
			return ir.Invalid("Current CPU implementations do not yet support dilation rates larger than 1.")
		}
	}
	return nil
}

func runConvInput(c *ir.Call) *ir.Mistake {
	cv, m := convOf(c, c.OutType(0).Shp, c.Shape(1))
	if m != nil {
		return m
	}
	if want := windowShape(&cv.Window, c.OutType(0).Shp, cv.Filters); want != c.Shape(2) {
		return ir.Invalid("Conv2DSlowBackpropInput: Size of out_backprop doesn't match computed: actual = %s, computed = %s", c.Shape(2).Brackets(), want.Brackets())
	}
	return floatKernel(c, c.O(0), c.T(2), c.T(1),
		func(o, dy, w []float32) { kernel.Conv2DInputGrad(cv, o, dy, w) }, func(o, dy, w []float64) { kernel.Conv2DInputGrad(cv, o, dy, w) })
}

func runConvFilter(c *ir.Call) *ir.Mistake {
	cv, m := convOf(c, c.Shape(0), c.OutType(0).Shp)
	if m != nil {
		return m
	}
	return floatKernel(c, c.O(0), c.T(0), c.T(2),
		func(o, x, dy []float32) { kernel.Conv2DFilterGrad(cv, o, x, dy) }, func(o, x, dy []float64) { kernel.Conv2DFilterGrad(cv, o, x, dy) })
}

// Conv2DBackpropInput is the gradient of Conv2D in its input, whose shape is operand 0.
var Conv2DBackpropInput = ir.NewOp("Conv2DBackpropInput", "input_sizes, filter, out_backprop, strides, padding")

// Conv2DBackpropFilter is the gradient of Conv2D in its filter, whose shape is operand 1.
var Conv2DBackpropFilter = ir.NewOp("Conv2DBackpropFilter", "input, filter_sizes, out_backprop, strides, padding")

// Conv3DBackpropInputV2 is the gradient of Conv3D in its input.
var Conv3DBackpropInputV2 = ir.NewOp("Conv3DBackpropInputV2", "input_sizes, filter, out_backprop, strides, padding")

// Conv3DBackpropFilterV2 is the gradient of Conv3D in its filter.
var Conv3DBackpropFilterV2 = ir.NewOp("Conv3DBackpropFilterV2", "input, filter_sizes, out_backprop, strides, padding")

func init() {
	defineConvGrads(Conv2D, Conv2DBackpropInput, Conv2DBackpropFilter)
	defineConvGrads(Conv3D, Conv3DBackpropInputV2, Conv3DBackpropFilterV2)
}

// defineConvGrads defines the backward ops, whose gradients are convolutions again.
func defineConvGrads(conv, in, filter *ir.Op) {
	in.Define(ir.Rules{
		Attrs: &WindowAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.ShapeArg(0)
			if n := s.Rank(); n > 0 && s.Dim(0) < 0 && c.Shape(2).RankKnown() {
				s = s.With(0, c.Shape(2).Dim(0))
			}
			return c.SetOutOr(c.DType(2), s, noDilation(c))
		},
		Kernel: runConvInput, Fuse: ir.Contraction, IntArgs: ir.In(0), Uses: ir.In(1) | ir.In(2),
		Grad: func(g *ir.Grad) {
			if g.Wants(1) {
				g.DX[1] = g.EmitN(filter, g.Attrs, g.Dy(), inShape(g, 1), g.X(2))
			}
			if g.Wants(2) {
				g.DX[2] = g.Emit2(conv, g.Attrs, g.Dy(), g.X(1))
			}
		},
	})
	filter.Define(ir.Rules{
		Attrs:  &WindowAttrs{},
		Infer:  func(c *ir.Call) *ir.Mistake { return c.SetOutOr(c.DType(0), c.ShapeArg(1), noDilation(c)) },
		Kernel: runConvFilter, Fuse: ir.Contraction, IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(2),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = g.EmitN(in, g.Attrs, inShape(g, 0), g.Dy(), g.X(2))
			}
			if g.Wants(2) {
				g.DX[2] = g.Emit2(conv, g.Attrs, g.X(0), g.Dy())
			}
		},
	})
}

// depthwiseOf works out a depthwise convolution.
func depthwiseOf(c *ir.Call, x, f tensor.Shape) (*kernel.Depthwise, *ir.Mistake) {
	w, m := c.Attrs.(*WindowAttrs).window(x, f.Dims()[:2])
	if m != nil {
		return nil, m
	}
	if a, b := x.Dim(3), f.Dim(2); a >= 0 && b >= 0 && a != b {
		return nil, ir.Invalid("input and filter must have the same depth: %d vs %d", a, b)
	}
	return &kernel.Depthwise{Window: w, Multiplier: f.Dim(3)}, nil
}

// DepthwiseConv2dNative convolves each channel with filters of its own.
var DepthwiseConv2dNative = ir.NewOp("DepthwiseConv2dNative", "input, filter, strides, padding")

func init() {
	DepthwiseConv2dNative.Define(ir.Rules{
		Attrs: &WindowAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			x, f := c.Shape(0), c.Shape(1)
			if m := imageRank(x, f, 4); m != nil {
				return m
			}
			if !x.RankKnown() || !f.RankKnown() {
				return c.SetOut(c.DType(0), tensor.UnknownDims(4))
			}
			d, m := depthwiseOf(c, x, f)
			if m != nil {
				return m
			}
			n := -1
			if f.Dim(2) >= 0 && f.Dim(3) >= 0 {
				n = f.Dim(2) * f.Dim(3)
			}
			return c.SetOut(c.DType(0), windowShape(&d.Window, x, n))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			d, m := depthwiseOf(c, c.Shape(0), c.Shape(1))
			if m != nil {
				return m
			}
			return floatKernel(c, c.O(0), c.T(0), c.T(1),
				func(o, x, w []float32) { kernel.DepthwiseConv(d, o, x, w) }, func(o, x, w []float64) { kernel.DepthwiseConv(d, o, x, w) })
		},
		Fuse: ir.Contraction, Uses: ir.In(0) | ir.In(1),
		Grad: convGrad(func() (*ir.Op, *ir.Op) {
			return DepthwiseConv2dNativeBackpropInput, DepthwiseConv2dNativeBackpropFilter
		}),
	})
}

// DepthwiseConv2dNativeBackpropInput is the gradient in the input.
var DepthwiseConv2dNativeBackpropInput = ir.NewOp("DepthwiseConv2dNativeBackpropInput", "input_sizes, filter, out_backprop, strides, padding")

func init() {
	DepthwiseConv2dNativeBackpropInput.Define(ir.Rules{
		Attrs: &WindowAttrs{}, IntArgs: ir.In(0), Uses: ir.In(1) | ir.In(2), Fuse: ir.Contraction,
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(2), c.ShapeArg(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			d, m := depthwiseOf(c, c.OutType(0).Shp, c.Shape(1))
			if m != nil {
				return m
			}
			return floatKernel(c, c.O(0), c.T(2), c.T(1),
				func(o, dy, w []float32) { kernel.DepthwiseInputGrad(d, o, dy, w) }, func(o, dy, w []float64) { kernel.DepthwiseInputGrad(d, o, dy, w) })
		},
		Grad: func(g *ir.Grad) {
			g.DX[1] = g.EmitN(DepthwiseConv2dNativeBackpropFilter, g.Attrs, g.Dy(), inShape(g, 1), g.X(2))
			g.DX[2] = g.Emit2(DepthwiseConv2dNative, g.Attrs, g.Dy(), g.X(1))
		},
	})
}

// DepthwiseConv2dNativeBackpropFilter is the gradient in the filter.
var DepthwiseConv2dNativeBackpropFilter = ir.NewOp("DepthwiseConv2dNativeBackpropFilter", "input, filter_sizes, out_backprop, strides, padding")

func init() {
	DepthwiseConv2dNativeBackpropFilter.Define(ir.Rules{
		Attrs: &WindowAttrs{}, IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(2), Fuse: ir.Contraction,
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(0), c.ShapeArg(1)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			d, m := depthwiseOf(c, c.Shape(0), c.OutType(0).Shp)
			if m != nil {
				return m
			}
			return floatKernel(c, c.O(0), c.T(0), c.T(2),
				func(o, x, dy []float32) { kernel.DepthwiseFilterGrad(d, o, x, dy) }, func(o, x, dy []float64) { kernel.DepthwiseFilterGrad(d, o, x, dy) })
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.EmitN(DepthwiseConv2dNativeBackpropInput, g.Attrs, inShape(g, 0), g.Dy(), g.X(2))
			g.DX[2] = g.Emit2(DepthwiseConv2dNative, g.Attrs, g.X(0), g.Dy())
		},
	})
}
