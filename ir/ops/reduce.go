package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// ReduceAttrs are those of the reductions. The axes are operand 1.
type ReduceAttrs struct{ KeepDims bool }

// axes marks the dimensions that operand 1 names; known is false while tracing
// when that isn't known.
func reduceAxes(c *ir.Call, rank int) (marked [maxRank]bool, known bool, m *ir.Mistake) {
	v, ok := c.IntsExact(1)
	if !ok || rank < 0 {
		return marked, false, nil
	}
	for _, a := range v {
		i, ok := axisOf(a, rank)
		if !ok || i >= maxRank {
			return marked, true, &ir.Mistake{Kind: ir.ReductionAxis, Args: []any{a, rank}}
		}
		marked[i] = true
	}
	return marked, true, nil
}

// maxRank is the most dimensions that reductions and slices take.
const maxRank = 32

func inferReduce(c *ir.Call) *ir.Mistake {
	return c.SetOutOr(reducedShape(c))
}

func reducedShape(c *ir.Call) (tensor.DType, tensor.Shape, *ir.Mistake) {
	dt, s := c.DType(0), c.Shape(0)
	keep := c.Attrs != nil && c.Attrs.(*ReduceAttrs).KeepDims
	marked, known, m := reduceAxes(c, s.Rank())
	if m != nil {
		return dt, s, m
	}
	if !known {
		return dt, unknownReduced(c, s, keep), nil
	}
	var buf [maxRank]int
	out := buf[:0]
	for i, d := range s.Dims() {
		switch {
		case !marked[i]:
			out = append(out, d)
		case keep:
			out = append(out, 1)
		}
	}
	return dt, tensor.ShapeOf(out...), nil
}

func unknownReduced(c *ir.Call, s tensor.Shape, keep bool) tensor.Shape {
	switch n := c.Shape(1); {
	case !s.RankKnown():
		return tensor.UnknownShape
	case keep:
		return tensor.UnknownDims(s.Rank())
	case n.Rank() == 0:
		return tensor.UnknownDims(max(s.Rank()-1, 0))
	}
	return tensor.UnknownShape
}

// reduce runs a reduction.
func reduce(op kernel.ReduceOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x := c.T(0)
		marked, _, m := reduceAxes(c, x.Rank())
		if m != nil {
			return m
		}
		return runReduce(op, c, x, marked[:x.Rank()])
	}
}

func runReduce(op kernel.ReduceOp, c *ir.Call, x *tensor.Tensor, marked []bool) *ir.Mistake {
	r := kernel.PlanReduction(x.Dims(), marked)
	if r.Perm != nil {
		t, m := permuted(c, x, r.Perm)
		if m != nil {
			return m
		}
		defer c.Env.Alloc.Drop(t)
		x = t
	}
	o := c.O(0)
	switch x.DType() {
	case tensor.Float32:
		kernel.Reduce(op, o.F32(), x.F32(), r.Outer, r.Axis, r.Inner)
		return nil
	case tensor.Float64:
		kernel.Reduce(op, o.F64(), x.F64(), r.Outer, r.Axis, r.Inner)
		return nil
	}
	return mistake(c, kernel.ReduceAny(op, elems(o), elems(x), r.Outer, r.Axis, r.Inner))
}

// permuted is a transposed copy of x that the caller drops.
func permuted(c *ir.Call, x *tensor.Tensor, perm []int) (*tensor.Tensor, *ir.Mistake) {
	from := kernel.Dense(x.Dims())
	out, stride := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		out[i], stride[i] = x.Dims()[p], from.Stride[p]
	}
	t, err := c.Env.Alloc.New(x.DType(), tensor.ShapeOf(out...))
	if err != nil {
		return nil, ir.Raise(err)
	}
	move(t, kernel.Dense(out), x, kernel.Strided{Stride: stride}, out)
	return t, nil
}

// kept is a value of the reduced shape with the reduced dimensions back as 1.
func kept(g *ir.Grad, v ir.Value) ir.Value {
	s := g.Session
	if g.Attrs.(*ReduceAttrs).KeepDims {
		return v
	}
	x := g.In[0].Type.Shp
	axes, ok := exactInts(g.X(1))
	if !ok || !x.RankKnown() {
		if v.Shape().Rank() == 0 {
			return v
		}
		return s.Emit2(Reshape, nil, v, s.Emit2(ReducedShape, nil, inShape(g, 0), g.X(1)))
	}
	var marked [maxRank]bool
	for _, a := range axes {
		if i, ok := axisOf(a, x.Rank()); ok {
			marked[i] = true
		}
	}
	if x.Known() {
		dims := dimsCopy(x)
		for i := range dims {
			if marked[i] {
				dims[i] = 1
			}
		}
		return s.Emit2(Reshape, nil, v, ir.DimList(dims))
	}
	for i := range x.Rank() {
		if marked[i] {
			v = s.Emit2(ExpandDims, nil, v, ir.IntScalar(int64(i)))
		}
	}
	return v
}

// exactInts is the value of an int list where all of it is known.
func exactInts(v ir.Value) ([]int64, bool) {
	if s, ok := v.(*ir.Sym); ok {
		if s.Exact == nil {
			return nil, false
		}
		v = s.Exact
	}
	return ir.KnownInts(v)
}

// spreadTo broadcasts v to the shape of operand 0.
func spreadTo(g *ir.Grad, v ir.Value) ir.Value {
	if s := g.In[0].Type.Shp; s.Known() && v.Shape() == s {
		return v
	}
	return g.Emit2(BroadcastTo, nil, v, inShape(g, 0))
}

// Sum adds up along axes.
var Sum = ir.NewOp("Sum", "input_tensor, axis=None, keepdims=False", "tf.reduce_sum", "tf.math.reduce_sum")

func init() {
	Sum.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Sum), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = spreadTo(g, kept(g, g.Dy())) },
	})
}

// Mean averages along axes; integers truncate.
var Mean = ir.NewOp("Mean", "input_tensor, axis=None, keepdims=False", "tf.reduce_mean", "tf.math.reduce_mean")

func init() {
	Mean.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Mean), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			d := spreadTo(g, kept(g, g.Dy()))
			in, out := g.In[0].Type.Shp.NumElements(), g.Out[0].Type.Shp.NumElements()
			if in >= 0 && out >= 0 {
				g.DX[0] = div(s, d, s.Scalar(d.DType(), float64(in/max(out, 1))))
				return
			}
			n := sizeOf(s, inShape(g, 0))
			k := sizeOf(s, outShape(g, 0))
			factor := s.Emit2(FloorDiv, nil, n, s.Emit2(Maximum, nil, k, s.Emit1(OnesLike, nil, k)))
			g.DX[0] = div(s, d, cast(s, factor, d.DType()))
		},
	})
}

// sizeOf is the product of a shape.
func sizeOf(s *ir.Session, shape ir.Value) ir.Value {
	return s.Emit2(Prod, reduceDrop, shape, ir.IntList(0))
}

// Prod multiplies along axes.
var Prod = ir.NewOp("Prod", "input_tensor, axis=None, keepdims=False", "tf.reduce_prod", "tf.math.reduce_prod")

func init() {
	Prod.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Prod), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1),
		Grad: prodGrad,
	})
}

// prodGrad takes one axis after the other: along an axis the derivative is the
// product of all before times the product of all after, which is right with
// zeros too.
func prodGrad(g *ir.Grad) {
	s := g.Session
	axes, ok := exactInts(g.X(1))
	rank := g.In[0].Type.Shp.Rank()
	if !ok || rank < 0 {
		y := s.Emit2(Prod, reduceKeep, g.X(0), g.X(1))
		g.DX[0] = div(s, mul(s, kept(g, g.Dy()), y), g.X(0))
		return
	}
	values := []ir.Value{conj(s, g.X(0))}
	for _, a := range axes {
		values = append(values, s.Emit2(Prod, reduceKeep, values[len(values)-1], ir.IntList(a)))
	}
	d := kept(g, g.Dy())
	for i := len(axes) - 1; i >= 0; i-- {
		axis := ir.IntScalar(axes[i])
		before := s.Emit2(Cumprod, &CumAttrs{Exclusive: true}, values[i], axis)
		after := s.Emit2(Cumprod, &CumAttrs{Exclusive: true, Reverse: true}, values[i], axis)
		d = mul(s, d, mul(s, before, after))
	}
	g.DX[0] = d
	if len(axes) == 0 {
		g.DX[0] = g.Dy()
	}
}

// Max is the maximum along axes.
var Max = ir.NewOp("Max", "input_tensor, axis=None, keepdims=False", "tf.reduce_max", "tf.math.reduce_max")

func init() {
	Max.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Max), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: extremeGrad,
	})
}

// Min is the minimum along axes.
var Min = ir.NewOp("Min", "input_tensor, axis=None, keepdims=False", "tf.reduce_min", "tf.math.reduce_min")

func init() {
	Min.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Min), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: extremeGrad,
	})
}

// extremeGrad shares the gradient equally among ties.
func extremeGrad(g *ir.Grad) {
	s := g.Session
	hit := cast(s, s.Emit2(Equal, strictEqual, kept(g, g.Y(0)), g.X(0)), g.Dy().DType())
	n := s.Emit2(Sum, reduceKeep, hit, g.X(1))
	g.DX[0] = mul(s, div(s, hit, n), kept(g, g.Dy()))
}

// Any is true where one is, along axes.
var Any = ir.NewOp("Any", "input_tensor, axis=None, keepdims=False", "tf.reduce_any", "tf.math.reduce_any")

func init() {
	Any.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Max), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// All is true where all are, along axes.
var All = ir.NewOp("All", "input_tensor, axis=None, keepdims=False", "tf.reduce_all", "tf.math.reduce_all")

func init() {
	All.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Kernel: reduce(kernel.Min), Fuse: ir.Reduction,
		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// EuclideanNorm is the root of the sum of squares along axes.
var EuclideanNorm = ir.NewOp("EuclideanNorm", "input_tensor, axis=None, keepdims=False", "tf.math.reduce_euclidean_norm")

func init() {
	EuclideanNorm.Define(ir.Rules{
		Attrs: reduceDrop, Infer: inferReduce, Fuse: ir.Reduction,
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := reduce(kernel.SumSquares)(c); m != nil {
				return m
			}
			if !c.DType(0).IsFloating() {
				return intSqrt(c)
			}
			return mistake(c, kernel.UnaryAny(kernel.Sqrt, elems(c.O(0)), elems(c.O(0))))
		},
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			g.DX[0] = div(s, g.X(0), div(s, kept(g, g.Y(0)), kept(g, g.Dy())))
		},
	})
}

// intSqrt takes roots of integers through float64.
func intSqrt(c *ir.Call) *ir.Mistake {
	f := make([]float64, c.O(0).Len())
	o := elems(c.O(0))
	if !kernel.Cast(f, o) {
		return unsupported(c)
	}
	kernel.Unary(kernel.Sqrt, f, f)
	kernel.Cast(o, f)
	return nil
}

// ReducedShape is the shape of a reduction that keeps its dimensions: an op of ours
// for gradients whose shapes aren't known while tracing.
var ReducedShape = ir.NewOp("ReducedShape", "shape, axes")

func init() {
	ReducedShape.Define(ir.Rules{
		Infer: like0,
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, _ := c.Ints(0)
			axes, _ := c.Ints(1)
			out := append([]int64(nil), v...)
			for _, a := range axes {
				if i, ok := axisOf(a, len(out)); ok {
					out[i] = 1
				}
			}
			setInts(c.O(0), out)
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// setInts writes v to an int tensor.
func setInts(t *tensor.Tensor, v []int64) {
	if t.DType() == tensor.Int64 {
		copy(t.I64(), v)
		return
	}
	kernel.Cast(elems(t), v)
}

// ArgAttrs are those of ArgMax and ArgMin.
type ArgAttrs struct{ OutputType tensor.DType }

var argInt64 = &ArgAttrs{tensor.Int64}

// ArgMax is the position of the first maximum along an axis.
var ArgMax = ir.NewOp("ArgMax", "input, axis=None, output_type=tf.int64", "tf.argmax", "tf.math.argmax")

func init() {
	ArgMax.Define(ir.Rules{
		Attrs: argInt64, Infer: inferArg, Kernel: argReduce(kernel.Max),
		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// ArgMin is the position of the first minimum along an axis.
var ArgMin = ir.NewOp("ArgMin", "input, axis=None, output_type=tf.int64", "tf.argmin", "tf.math.argmin")

func init() {
	ArgMin.Define(ir.Rules{
		Attrs: argInt64, Infer: inferArg, Kernel: argReduce(kernel.Min),
		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

func inferArg(c *ir.Call) *ir.Mistake {
	s, dt := c.Shape(0), c.Attrs.(*ArgAttrs).OutputType
	a, ok := c.Int(1)
	if !ok || !s.RankKnown() {
		if s.RankKnown() {
			return c.SetOut(dt, tensor.UnknownDims(max(s.Rank()-1, 0)))
		}
		return c.SetOut(dt, s)
	}
	i, ok := axisOf(a, s.Rank())
	if !ok {
		return &ir.Mistake{Kind: ir.ArgAxis, Args: []any{a, s.Rank()}}
	}
	if s.Dim(i) == 0 {
		return ir.Invalid("Reduction axis %d is empty in shape %s", i, s.Brackets())
	}
	return c.SetOut(dt, s.Slice(0, i).Concat(s.Slice(i+1, s.Rank())))
}

// around splits dims at an axis into what is before, it, and what is after.
func around(dims []int, axis int) (outer, n, inner int) {
	return prod(dims[:axis]), dims[axis], prod(dims[axis+1:])
}

func argReduce(op kernel.ReduceOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		a, _ := c.Int(1)
		axis, _ := axisOf(a, c.T(0).Rank())
		outer, n, inner := around(c.T(0).Dims(), axis)
		switch c.O(0).DType() {
		case tensor.Int64:
			return argAny(c, op, c.O(0).I64(), outer, n, inner)
		case tensor.Int32:
			return argAny(c, op, c.O(0).I32(), outer, n, inner)
		case tensor.Int16:
			return argAny(c, op, raw[int16](c.O(0)), outer, n, inner)
		case tensor.Uint16:
			return argAny(c, op, raw[uint16](c.O(0)), outer, n, inner)
		}
		return unsupported(c)
	}
}

func argAny[I int32 | int64 | int16 | uint16](c *ir.Call, op kernel.ReduceOp, out []I, outer, n, inner int) *ir.Mistake {
	x := c.T(0)
	switch x.DType() {
	case tensor.Float32:
		kernel.ArgReduce(op, out, x.F32(), outer, n, inner)
	case tensor.Float64:
		kernel.ArgReduce(op, out, x.F64(), outer, n, inner)
	case tensor.Float16:
		kernel.ArgReduce(op, out, widened(x), outer, n, inner)
	case tensor.BFloat16:
		kernel.ArgReduce(op, out, widened(x), outer, n, inner)
	case tensor.Bool, tensor.Uint8:
		kernel.ArgReduce(op, out, raw[uint8](x), outer, n, inner)
	case tensor.Int8:
		kernel.ArgReduce(op, out, raw[int8](x), outer, n, inner)
	case tensor.Int16:
		kernel.ArgReduce(op, out, raw[int16](x), outer, n, inner)
	case tensor.Int32:
		kernel.ArgReduce(op, out, x.I32(), outer, n, inner)
	case tensor.Int64:
		kernel.ArgReduce(op, out, x.I64(), outer, n, inner)
	case tensor.Uint16:
		kernel.ArgReduce(op, out, raw[uint16](x), outer, n, inner)
	case tensor.Uint32:
		kernel.ArgReduce(op, out, raw[uint32](x), outer, n, inner)
	case tensor.Uint64:
		kernel.ArgReduce(op, out, raw[uint64](x), outer, n, inner)
	default:
		return unsupported(c)
	}
	return nil
}

// widened is a float32 copy of a tensor of halves.
func widened(x *tensor.Tensor) []float32 {
	f := make([]float32, x.Len())
	if x.DType() == tensor.BFloat16 {
		kernel.Widen(f, raw[kernel.BFloat16](x))
	} else {
		kernel.Widen(f, raw[kernel.Float16](x))
	}
	return f
}

// narrowed writes f to a tensor of halves.
func narrowed(o *tensor.Tensor, f []float32) {
	if o.DType() == tensor.BFloat16 {
		kernel.Narrow(raw[kernel.BFloat16](o), f)
	} else {
		kernel.Narrow(raw[kernel.Float16](o), f)
	}
}
