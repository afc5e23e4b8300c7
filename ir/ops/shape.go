package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// ShapeAttrs are those of Shape, Size and ShapeN; the zero OutType is int32.
type ShapeAttrs struct{ OutType tensor.DType }

func (a *ShapeAttrs) out() tensor.DType {
	if a == nil || a.OutType == tensor.Invalid {
		return tensor.Int32
	}
	return a.OutType
}

func shapeAttrs(c *ir.Call) *ShapeAttrs { a, _ := c.Attrs.(*ShapeAttrs); return a }

// Shape is the shape as a tensor.
var Shape = ir.NewOp("Shape", "input, out_type=None", "tf.shape")

func init() {
	Shape.Define(ir.Rules{
		Attrs: &ShapeAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			return c.SetOut(shapeAttrs(c).out(), tensor.ShapeOf(c.Shape(0).Rank()))
		},
		Known: func(c *ir.Call) ([]int64, bool) {
			s := c.Shape(0)
			return ir.DimList(s.Dims()).V, s.RankKnown()
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			setInts(c.O(0), ir.DimList(c.Shape(0).Dims()).V)
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// Size is the number of elements.
var Size = ir.NewOp("Size", "input, out_type=None", "tf.size")

func init() {
	Size.Define(ir.Rules{
		Attrs: &ShapeAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(shapeAttrs(c).out(), tensor.Scalar) },
		Known: func(c *ir.Call) ([]int64, bool) {
			n := c.Shape(0).NumElements()
			return []int64{int64(n)}, n >= 0
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			ir.FillInt(c.O(0), int64(c.Shape(0).NumElements()))
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// Rank is the number of dimensions.
var Rank = ir.NewOp("Rank", "input", "tf.rank")

func init() {
	Rank.Define(ir.Rules{
		Infer: fixed(tensor.Int32, tensor.Scalar),
		Known: func(c *ir.Call) ([]int64, bool) {
			return []int64{int64(c.Shape(0).Rank())}, c.Shape(0).RankKnown()
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			ir.FillInt(c.O(0), int64(c.Shape(0).Rank()))
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// viewOf0 is the rule of ops whose result is operand 0's data as it is.
func viewOf0(*ir.Call) (int, bool) { return 0, true }

// Identity passes its operand on.
var Identity = ir.NewOp("Identity", "input", "tf.identity")

func init() {
	Identity.Define(ir.Rules{
		Infer: like0, Known: known0, View: viewOf0, Fuse: ir.ViewOnly,
		Grad: func(g *ir.Grad) { g.DX[0] = g.Dy() },
	})
}

// known0 passes on what is known of operand 0.
func known0(c *ir.Call) ([]int64, bool) { return c.Ints(0) }

// StopGradient passes its operand on; no gradient comes back.
var StopGradient = ir.NewOp("StopGradient", "input", "tf.stop_gradient")

func init() {
	StopGradient.Define(ir.Rules{
		Infer: like0, Known: known0, View: viewOf0, Fuse: ir.ViewOnly, Grad: ir.NotDifferentiable,
	})
}

// PreventGradient passes its operand on; asking for its gradient is an error.
var PreventGradient = ir.NewOp("PreventGradient", "input, message=''")

// MessageAttrs are those of ops that carry a text.
type MessageAttrs struct{ Message string }

func init() {
	PreventGradient.Define(ir.Rules{
		Attrs: &MessageAttrs{}, Infer: like0, View: viewOf0, Fuse: ir.ViewOnly,
		Grad: func(g *ir.Grad) {
			g.Fail(ir.Wrong("LookupError", "Gradient explicitly disabled. Reason: %s", g.Attrs.(*MessageAttrs).Message))
		},
	})
}

// Reshape gives the same elements another shape.
var Reshape = ir.NewOp("Reshape", "tensor, shape", "tf.reshape")

func init() {
	Reshape.Define(ir.Rules{
		Infer: inferReshape, Known: known0, View: viewOf0, Fuse: ir.ViewOnly,
		IntArgs: ir.In(1),
		Grad:    func(g *ir.Grad) { g.DX[0] = g.Emit2(Reshape, nil, g.Dy(), inShape(g, 0)) },
	})
}

func inferReshape(c *ir.Call) *ir.Mistake {
	in := c.Shape(0)
	v, ok := c.Ints(1)
	if !ok {
		return c.SetOut(c.DType(0), c.ShapeArg(1))
	}
	if c.Shape(1).Rank() == 0 {
		return ir.Invalid("shape must be a vector of integers, got shape []")
	}
	_, exact := c.IntsExact(1)
	free, n := -1, 1
	for i, d := range v {
		switch {
		case d >= 0:
			n *= int(d)
		case d < -1:
			return ir.Invalid("Size %d must be non-negative, not %d", i, d)
		case free >= 0 && exact:
			return ir.Invalid("Only one input size may be -1, not both %d and %d", free, i)
		case free >= 0:
			free = -2
		case free == -1:
			free = i
		}
	}
	return c.SetOutOr(reshaped(c, in, v, free, n))
}

// reshaped fills in the free dimension, if one is (free >= 0), and compares sizes.
func reshaped(c *ir.Call, in tensor.Shape, v []int64, free, n int) (tensor.DType, tensor.Shape, *ir.Mistake) {
	dt, size := c.DType(0), in.NumElements()
	dims := make([]int, len(v), max(len(v), 8))
	for i, d := range v {
		dims[i] = int(d)
	}
	out := tensor.ShapeOf(dims...)
	switch {
	case size < 0 || free == -2:
		return dt, out, nil
	case free == -1 && n != size:
		return dt, out, &ir.Mistake{Kind: ir.ReshapeSize, Args: []any{size, n, out}}
	case free == -1:
		return dt, out, nil
	case n == 0 && size != 0:
		return dt, out, &ir.Mistake{Kind: ir.ReshapeMultiple, Args: []any{size, n}}
	case n == 0:
		return dt, out.With(free, 0), nil
	case size%n != 0:
		return dt, out, &ir.Mistake{Kind: ir.ReshapeMultiple, Args: []any{size, n}}
	}
	return dt, out.With(free, size/n), nil
}

// ExpandDims inserts a dimension of 1.
var ExpandDims = ir.NewOp("ExpandDims", "input, axis", "tf.expand_dims")

func init() {
	ExpandDims.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			a, ok := c.Int(1)
			if !s.RankKnown() {
				return c.SetOut(c.DType(0), s)
			}
			if !ok {
				return c.SetOut(c.DType(0), tensor.UnknownDims(s.Rank()+1))
			}
			i, ok := axisOf(a, s.Rank()+1)
			if !ok {
				return &ir.Mistake{Kind: ir.ExpandDimsAxis, Args: []any{a, s.Rank(), -s.Rank() - 1, s.Rank()}}
			}
			return c.SetOut(c.DType(0), s.Slice(0, i).Concat(tensor.ShapeOf(1)).Concat(s.Slice(i, s.Rank())))
		},
		Known: known0, View: viewOf0, Fuse: ir.ViewOnly, IntArgs: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Reshape, nil, g.Dy(), inShape(g, 0)) },
	})
}

// SqueezeAttrs are those of Squeeze; no axes means all dimensions of 1.
type SqueezeAttrs struct{ Axes []int64 }

// Squeeze removes dimensions of 1.
var Squeeze = ir.NewOp("Squeeze", "input, axis=None", "tf.squeeze")

func init() {
	Squeeze.Define(ir.Rules{
		Attrs: &SqueezeAttrs{}, Infer: inferSqueeze, Known: known0, View: viewOf0, Fuse: ir.ViewOnly,
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Reshape, nil, g.Dy(), inShape(g, 0)) },
	})
}

func inferSqueeze(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	var axes []int64
	if a, ok := c.Attrs.(*SqueezeAttrs); ok {
		axes = a.Axes
	}
	if !s.RankKnown() {
		return c.SetOut(c.DType(0), s)
	}
	var drop [maxRank]bool
	for _, a := range axes {
		i, ok := axisOf(a, s.Rank())
		if !ok {
			return ir.Invalid("Tried to squeeze dim index %d for tensor with %d dimensions.", a, s.Rank())
		}
		if d := s.Dim(i); d >= 0 && d != 1 {
			return ir.Invalid("Can not squeeze dim[%d], expected a dimension of 1, got %d", i, d)
		}
		drop[i] = true
	}
	var out []int
	for i, d := range s.Dims() {
		if len(axes) == 0 && d < 0 {
			return c.SetOut(c.DType(0), tensor.UnknownShape)
		}
		if drop[i] || len(axes) == 0 && d == 1 {
			continue
		}
		out = append(out, d)
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(out...))
}

// Transpose permutes the dimensions.
var Transpose = ir.NewOp("Transpose", "a, perm=None, conjugate=False", "tf.transpose")

func init() {
	Transpose.Define(ir.Rules{
		Infer: inferTranspose,
		Alloc: moved(func(c *ir.Call) (kernel.Strided, *ir.Mistake) {
			perm, _ := c.IntsExact(1)
			dense := kernel.Dense(c.T(0).Dims())
			from := kernel.Strided{Stride: make([]int, len(perm))}
			for i, p := range perm {
				from.Stride[i] = dense.Stride[p]
			}
			return from, nil
		}),
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Transpose, nil, g.Dy(), inverse(g.Session, g.X(1))) },
	})
}

// inverse is the inverse of a permutation.
func inverse(s *ir.Session, perm ir.Value) ir.Value {
	v, ok := exactInts(perm)
	if !ok {
		return s.Emit1(InvertPermutation, nil, perm)
	}
	out := make([]int64, len(v))
	for i, p := range v {
		if p < int64(len(out)) && p >= 0 {
			out[p] = int64(i)
		}
	}
	return ir.IntList(out...)
}

func inferTranspose(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	perm, ok := c.IntsExact(1)
	n := c.Shape(1).Dim(0)
	if s.RankKnown() && n >= 0 && n != s.Rank() {
		return &ir.Mistake{Kind: ir.TransposeSize, Args: []any{s.Rank(), n}}
	}
	if !ok || !s.RankKnown() {
		if s.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(s.Rank()))
		}
		if n >= 0 {
			return c.SetOut(c.DType(0), tensor.UnknownDims(n))
		}
		return c.SetOut(c.DType(0), s)
	}
	var buf [maxRank]int
	var seen [maxRank]bool
	out := buf[:0]
	for _, p := range perm {
		if p < 0 || int(p) >= s.Rank() {
			return ir.Invalid("%d is out of range [0 .. %d)", p, s.Rank())
		}
		seen[p] = true
		out = append(out, s.Dim(int(p)))
	}
	for i := range perm {
		if !seen[i] {
			return ir.Invalid("%d is missing from {%s}.", i, commas(perm))
		}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(out...))
}

// BroadcastTo repeats an operand to a shape.
var BroadcastTo = ir.NewOp("BroadcastTo", "input, shape", "tf.broadcast_to")

func init() {
	BroadcastTo.Define(ir.Rules{
		Infer: inferBroadcastTo,
		Alloc: moved(func(c *ir.Call) (kernel.Strided, *ir.Mistake) {
			dims := c.OutType(0).Shp.Dims()
			return kernel.Strided{Stride: kernel.BroadcastStrides(make([]int, len(dims)), c.T(0).Dims(), dims)}, nil
		}),
		IntArgs: ir.In(1),
		Grad: func(g *ir.Grad) {
			s, in, out := g.Session, g.In[0].Type.Shp, g.Out[0].Type.Shp
			switch {
			case in.Known() && out.Known():
				g.DX[0] = sumTo(s, g.Dy(), in)
			case in.Rank() == 0:
				g.DX[0] = EmitReduce(s, Sum, g.Dy(), nil, false)
			default:
				sx := inShape(g, 0)
				axes := s.EmitAll(BroadcastGradientArgs, nil, sx, outShape(g, 0))
				if axes != nil {
					g.DX[0] = s.Emit2(Reshape, nil, s.Emit2(Sum, reduceDrop, g.Dy(), axes[0]), sx)
				}
			}
		},
	})
}

func inferBroadcastTo(c *ir.Call) *ir.Mistake {
	in, out := c.Shape(0), c.ShapeArg(1)
	if !out.RankKnown() || !in.RankKnown() {
		return c.SetOut(c.DType(0), out)
	}
	if in.Rank() > out.Rank() {
		return ir.Invalid("Rank of input (%d) must be no greater than rank of output shape (%d).", in.Rank(), out.Rank())
	}
	dims := dimsCopy(out)
	for i := 1; i <= in.Rank(); i++ {
		d, o := in.Dim(-i), dims[len(dims)-i]
		if d >= 0 && o >= 0 && d != o && d != 1 {
			return &ir.Mistake{Kind: ir.BroadcastToShapes, Args: []any{in, out, d, o}}
		}
		if o < 0 && d > 1 {
			dims[len(dims)-i] = d
		}
	}
	for i, d := range dims {
		if _, exact := c.IntsExact(1); exact && d < 0 {
			return ir.Invalid("Dimension %d must be >= 0", dims[i])
		}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(dims...))
}

// BroadcastGradientArgs lists, for two shapes, the dimensions along which each is
// repeated when they broadcast.
var BroadcastGradientArgs = ir.NewOp("BroadcastGradientArgs", "s0, s1")

func init() {
	BroadcastGradientArgs.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			if m := c.SetOut(tensor.Int32, tensor.UnknownDims(1)); m != nil {
				return m
			}
			return c.SetOut(tensor.Int32, tensor.UnknownDims(1))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, _ := c.Ints(0)
			y, _ := c.Ints(1)
			for i, pair := range [2][2][]int64{{x, y}, {y, x}} {
				axes := repeated(pair[0], pair[1])
				t, m := newResult(c, i, tensor.Int32, tensor.ShapeOf(len(axes)))
				if m != nil {
					return m
				}
				setInts(t, axes)
			}
			return nil
		},
		IntArgs: ir.AllIn, Grad: ir.NotDifferentiable,
	})
}

// repeated lists the dimensions of the broadcast of x and y along which x repeats
// (or would, were y longer there).
func repeated(x, y []int64) []int64 {
	rank := max(len(x), len(y))
	axes := []int64{}
	at := func(v []int64, i int) int64 {
		if i -= rank - len(v); i >= 0 {
			return v[i]
		}
		return 1
	}
	for i := range rank {
		a, b := at(x, i), at(y, i)
		if rank-len(x) > i || a == 1 && b != 1 || a == 1 && b == 1 {
			axes = append(axes, int64(i))
		}
	}
	return axes
}

// EnsureShape checks that its operand has a shape, and passes it on.
var EnsureShape = ir.NewOp("EnsureShape", "x, shape")

// EnsureAttrs are those of EnsureShape.
type EnsureAttrs struct{ Shape tensor.Shape }

func init() {
	EnsureShape.Define(ir.Rules{
		Attrs: &EnsureAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			want, got := c.Attrs.(*EnsureAttrs).Shape, c.Shape(0)
			s, ok := tensor.Merge(got, want)
			if !ok {
				d, a, b := differ(want, got)
				return &ir.Mistake{Kind: ir.EnsureShapeDiffers, Args: []any{got, want, d, a, b}}
			}
			return c.SetOut(c.DType(0), s)
		},
		Known: known0, View: viewOf0, Fuse: ir.ViewOnly, Effect: ir.Fails,
		Grad: func(g *ir.Grad) { g.DX[0] = g.Dy() },
	})
}

// differ is the first dimension in which two shapes can't be equal.
func differ(x, y tensor.Shape) (dim, a, b int) {
	if x.Rank() != y.Rank() {
		return 0, x.Rank(), y.Rank()
	}
	for i := range x.Rank() {
		if a, b := x.Dim(i), y.Dim(i); a != b && a >= 0 && b >= 0 {
			return i, a, b
		}
	}
	return 0, 0, 0
}
