package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Const is a constant in a graph.
var Const = ir.NewOp("Const", "value, dtype=None, shape=None")

func init() {
	Const.Define(ir.Rules{
		Attrs: &ir.ConstAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			t := c.Attrs.(*ir.ConstAttrs).Value
			return c.SetOut(t.DType(), t.Shape())
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			c.SetResult(0, c.Attrs.(*ir.ConstAttrs).Value)
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// Fill repeats a scalar in a shape.
var Fill = ir.NewOp("Fill", "dims, value", "tf.fill")

func init() {
	Fill.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			if c.Shape(0).RankKnown() && c.Shape(0).Rank() != 1 {
				return ir.Invalid("dims must represent a vector, got shape %s", c.Shape(0).Brackets())
			}
			v, exact := c.IntsExact(0)
			for _, d := range v {
				if exact && d < 0 {
					return &ir.Mistake{Kind: ir.FillNegative, Args: []any{d}}
				}
			}
			return c.SetOut(c.DType(1), c.ShapeArg(0))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			if c.DType(1) == tensor.String {
				return pickStrings(c, 0, c.T(1), make([]int64, c.OutType(0).Shp.NumElements()), c.OutType(0).Shp)
			}
			o, m := newOut(c, 0)
			if m == nil {
				repeat(o, c.T(1))
			}
			return m
		},
		IntArgs: ir.In(0),
		Grad:    func(g *ir.Grad) { g.DX[1] = EmitReduce(g.Session, Sum, g.Dy(), nil, false) },
	})
}

// repeat sets every element of o to the one element of x.
func repeat(o, x *tensor.Tensor) {
	switch x.DType().Size() {
	case 1:
		kernel.Fill(raw[uint8](o), raw[uint8](x)[0])
	case 2:
		kernel.Fill(raw[uint16](o), raw[uint16](x)[0])
	case 4:
		kernel.Fill(raw[uint32](o), raw[uint32](x)[0])
	case 8:
		kernel.Fill(raw[uint64](o), raw[uint64](x)[0])
	case 16:
		kernel.Fill(raw[wide](o), raw[wide](x)[0])
	}
}

// ZerosLike is zeros of the operand's shape and dtype.
var ZerosLike = ir.NewOp("ZerosLike", "input, dtype=None")

func init() {
	ZerosLike.Define(ir.Rules{
		Infer: like0, InPlace: true, Fuse: ir.Elementwise,
		Alloc: func(c *ir.Call) *ir.Mistake {
			if l, ok := c.In[0].(*ir.List); ok {
				c.SetResult(0, &ir.List{Elem: l.Elem, Items: make([]*tensor.Tensor, len(l.Items)), Own: 1})
				return nil
			}
			t, err := c.Env.Alloc.Zeros(c.OutType(0).DT, c.OutType(0).Shp)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, t)
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// OnesLike is ones of the operand's shape and dtype.
var OnesLike = ir.NewOp("OnesLike", "input, dtype=None")

func init() {
	OnesLike.Define(ir.Rules{
		Infer: like0, InPlace: true, Fuse: ir.Elementwise,
		Kernel: func(c *ir.Call) *ir.Mistake {
			ir.FillFloat(c.O(0), 1)
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// Range is the numbers from start to before limit in steps of delta.
var Range = ir.NewOp("Range", "start, limit, delta")

func init() {
	Range.Define(ir.Rules{
		Infer: inferRange,
		Known: func(c *ir.Call) ([]int64, bool) {
			a, ok0 := c.Int(0)
			b, ok1 := c.Int(1)
			d, ok2 := c.Int(2)
			if !ok0 || !ok1 || !ok2 || d == 0 {
				return nil, false
			}
			out := []int64{}
			for ; d > 0 && a < b || d < 0 && a > b; a += d {
				if out = append(out, a); len(out) > 64 {
					return nil, false
				}
			}
			return out, true
		},
		Kernel: runRange, IntArgs: ir.AllIn, Grad: ir.NotDifferentiable,
	})
}

func inferRange(c *ir.Call) *ir.Mistake {
	for i := range 3 {
		if s := c.Shape(i); s.RankKnown() && s.Rank() != 0 {
			return ir.Invalid("%s must be a scalar, not shape %s", []string{"start", "limit", "delta"}[i], s.Brackets())
		}
	}
	dt := c.DType(0)
	var v [3]float64
	var iv [3]int64
	for i := range v {
		t, ok := c.Const(i)
		if !ok {
			return c.SetOut(dt, tensor.UnknownDims(1))
		}
		if dt.IsInteger() {
			l, _ := ir.KnownInts(t)
			iv[i], v[i] = l[0], float64(l[0])
			continue
		}
		v[i] = floatOf(t)
	}
	switch d := v[2]; {
	case d == 0:
		return ir.Invalid("Requires delta != 0: 0")
	case d > 0 && v[0] > v[1]:
		return ir.Invalid("Requires start <= limit when delta > 0: %s/%s", numText(v[0]), numText(v[1]))
	case d < 0 && v[0] < v[1]:
		return ir.Invalid("Requires start >= limit when delta < 0: %s/%s", numText(v[0]), numText(v[1]))
	}
	if dt.IsInteger() {
		return c.SetOut(dt, tensor.ShapeOf(intSteps(iv[0], iv[1], iv[2])))
	}
	n := math.Ceil(math.Abs((v[1] - v[0]) / v[2]))
	if n > 1<<40 || n != n {
		return ir.Invalid("Requires ((limit - start) / delta) <= 1099511627776")
	}
	return c.SetOut(dt, tensor.ShapeOf(int(n)))
}

func intSteps(a, b, d int64) int {
	if d < 0 {
		a, b, d = -a, -b, -d
	}
	if b <= a {
		return 0
	}
	return int((uint64(b-a) + uint64(d) - 1) / uint64(d))
}

func numText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return joinInts([]int64{int64(v)}, "")
	}
	return formatG(v)
}

// floatOf is the first element of a floating tensor.
func floatOf(t *tensor.Tensor) float64 {
	switch t.DType() {
	case tensor.Float32:
		return float64(t.F32()[0])
	case tensor.Float64:
		return t.F64()[0]
	case tensor.Float16, tensor.BFloat16:
		return float64(widened(t)[0])
	}
	var f [1]float64
	kernel.Cast(f[:], elems(t))
	return f[0]
}

func runRange(c *ir.Call) *ir.Mistake {
	o := c.O(0)
	switch {
	case o.DType().IsInteger():
		a, _ := c.Int(0)
		d, _ := c.Int(2)
		v := make([]int64, o.Len())
		kernel.Iota(v, a, d)
		setInts(o, v)
	case o.DType() == tensor.Float32:
		// TensorFlow adds up the steps; so do we.
		v, d := c.T(0).F32()[0], c.T(2).F32()[0]
		for i := range o.F32() {
			o.F32()[i] = v
			v += d
		}
	case o.DType() == tensor.Float64:
		v, d := c.T(0).F64()[0], c.T(2).F64()[0]
		for i := range o.F64() {
			o.F64()[i] = v
			v += d
		}
	default:
		f, a, d := make([]float32, o.Len()), widened(c.T(0))[0], widened(c.T(2))[0]
		for i := range f {
			f[i] = a + float32(i)*d
		}
		narrowed(o, f)
	}
	return nil
}

// LinSpace is num evenly spaced numbers from start to stop.
var LinSpace = ir.NewOp("LinSpace", "start, stop, num")

func init() {
	LinSpace.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			n, ok := c.Int(2)
			if !ok {
				return c.SetOut(c.DType(0), tensor.UnknownDims(1))
			}
			if n <= 0 {
				return ir.Invalid("Requires num > 0: %d", n)
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(int(n)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, b := floatOf(c.T(0)), floatOf(c.T(1))
			f := make([]float64, c.O(0).Len())
			step := 0.0
			if len(f) > 1 {
				step = (b - a) / float64(len(f)-1)
			}
			for i := range f {
				f[i] = a + step*float64(i)
			}
			if len(f) > 1 {
				f[len(f)-1] = b
			}
			kernel.Cast(elems(c.O(0)), f)
			return nil
		},
		IntArgs: ir.In(2), Uses: ir.In(2),
		Grad: func(g *ir.Grad) {
			s := g.Session
			dt := g.Dy().DType()
			n := cast(s, g.X(2), dt)
			i := cast(s, s.EmitN(Range, nil, ir.IntScalar(0), cast(s, g.X(2), tensor.Int32), ir.IntScalar(1)), dt)
			k := div(s, i, s.Emit2(Maximum, nil, plus(s, n, -1), s.Scalar(dt, 1)))
			g.DX[0] = EmitReduce(s, Sum, mul(s, g.Dy(), from(s, 1, k)), nil, false)
			g.DX[1] = EmitReduce(s, Sum, mul(s, g.Dy(), k), nil, false)
		},
	})
}

// OneHotAttrs are those of OneHot.
type OneHotAttrs struct{ Axis int }

// OneHot sets one of depth places to on_value and the others to off_value.
var OneHot = ir.NewOp("OneHot", "indices, depth, on_value=None, off_value=None, axis=None, dtype=None")

func init() {
	OneHot.Define(ir.Rules{
		Attrs: &OneHotAttrs{Axis: -1},
		Infer: func(c *ir.Call) *ir.Mistake {
			s, a := c.Shape(0), oneHotAxis(c)
			d, ok := c.Int(1)
			if ok && d < 0 {
				return ir.Invalid("depth must be non-negative, got: %d", d)
			}
			if !ok {
				d = -1
			}
			if !s.RankKnown() {
				return c.SetOut(c.DType(2), s)
			}
			if a < 0 || a > s.Rank() {
				return ir.Invalid("Expected axis to be -1 or between [0, %d).  But received: %d", s.Rank()+1, a)
			}
			return c.SetOut(c.DType(2), s.Slice(0, a).Concat(tensor.ShapeOf(int(d))).Concat(s.Slice(a, s.Rank())))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			outer, depth, inner := around(c.O(0).Dims(), oneHotAxis(c))
			switch c.O(0).DType().Size() {
			case 1:
				return oneHot[uint8](c, outer, depth, inner)
			case 2:
				return oneHot[uint16](c, outer, depth, inner)
			case 4:
				return oneHot[uint32](c, outer, depth, inner)
			case 16:
				return oneHot[wide](c, outer, depth, inner)
			}
			return oneHot[uint64](c, outer, depth, inner)
		},
		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

func oneHotAxis(c *ir.Call) int {
	if a, ok := c.Attrs.(*OneHotAttrs); ok && a.Axis != -1 {
		return a.Axis
	}
	return c.Shape(0).Rank()
}

func oneHot[T any](c *ir.Call, outer, depth, inner int) *ir.Mistake {
	on, off, o := raw[T](c.T(2))[0], raw[T](c.T(3))[0], raw[T](c.O(0))
	switch x := c.T(0); x.DType() {
	case tensor.Int32:
		kernel.OneHot(o, x.I32(), outer, depth, inner, on, off)
	case tensor.Int64:
		kernel.OneHot(o, x.I64(), outer, depth, inner, on, off)
	case tensor.Uint8:
		kernel.OneHot(o, raw[uint8](x), outer, depth, inner, on, off)
	default:
		v, _ := ir.KnownInts(x)
		kernel.OneHot(o, v, outer, depth, inner, on, off)
	}
	return nil
}
