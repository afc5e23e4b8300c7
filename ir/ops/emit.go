package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// The functions below emit one op each, for gradient rules and bindings.

func add(s *ir.Session, x, y ir.Value) ir.Value  { return s.Emit2(AddV2, nil, x, y) }
func sub(s *ir.Session, x, y ir.Value) ir.Value  { return s.Emit2(Sub, nil, x, y) }
func mul(s *ir.Session, x, y ir.Value) ir.Value  { return s.Emit2(Mul, nil, x, y) }
func div(s *ir.Session, x, y ir.Value) ir.Value  { return s.Emit2(RealDiv, nil, x, y) }
func neg(s *ir.Session, x ir.Value) ir.Value     { return s.Emit1(Neg, nil, x) }
func zeros(s *ir.Session, x ir.Value) ir.Value   { return s.Emit1(ZerosLike, nil, x) }
func square(s *ir.Session, x ir.Value) ir.Value  { return s.Emit1(Square, nil, x) }
func shapeOf(s *ir.Session, x ir.Value) ir.Value { return s.Emit1(Shape, &ShapeAttrs{}, x) }

// conj is the conjugate of a complex value, x itself otherwise.
func conj(s *ir.Session, x ir.Value) ir.Value {
	if x.DType().IsComplex() {
		return s.Emit1(Conj, nil, x)
	}
	return x
}

// times is x times the number k.
func times(s *ir.Session, x ir.Value, k float64) ir.Value { return mul(s, x, s.Scalar(x.DType(), k)) }

// plus is x plus the number k.
func plus(s *ir.Session, x ir.Value, k float64) ir.Value { return add(s, x, s.Scalar(x.DType(), k)) }

// from is the number k minus x.
func from(s *ir.Session, k float64, x ir.Value) ir.Value { return sub(s, s.Scalar(x.DType(), k), x) }

// where chooses by a condition; y may be a scalar.
func where(s *ir.Session, cond, x, y ir.Value) ir.Value { return s.EmitN(SelectV2, nil, cond, x, y) }

func zero(s *ir.Session, dt tensor.DType) ir.Value { return s.Scalar(dt, 0) }

// cast changes the dtype where it differs.
func cast(s *ir.Session, x ir.Value, dt tensor.DType) ir.Value {
	if x.DType() == dt {
		return x
	}
	return s.Emit1(Cast, &CastAttrs{DstT: dt}, x)
}

// inShape is the shape of operand i of a record: ints where it is known, else
// read from the symbol.
func inShape(g *ir.Grad, i int) ir.Value { return shapeValue(g.Session, &g.In[i]) }

func outShape(g *ir.Grad, i int) ir.Value { return shapeValue(g.Session, &g.Out[i]) }

func shapeValue(s *ir.Session, slot *ir.Slot) ir.Value {
	if slot.Type.Shp.Known() {
		return ir.DimList(slot.Type.Shp.Dims())
	}
	return shapeOf(s, slot.Val)
}

// fit sums dy down to the shape of operand i, undoing the broadcast of operands
// i and j.
func fit(g *ir.Grad, dy ir.Value, i, j int) ir.Value {
	want, got := g.In[i].Type.Shp, dy.Shape()
	if want.Known() && got == want {
		return dy
	}
	if want.Known() && got.Known() {
		return sumTo(g.Session, dy, want)
	}
	if sameStatic(g.In[i].Type.Shp, g.In[j].Type.Shp) {
		return dy
	}
	sx, sy := inShape(g, i), inShape(g, j)
	axes := g.EmitAll(BroadcastGradientArgs, nil, sx, sy)
	if axes == nil {
		return dy
	}
	r := g.Emit2(Sum, &ReduceAttrs{}, dy, axes[0])
	return g.Emit2(Reshape, nil, r, sx)
}

// sameStatic reports shapes that are equal whatever the unknown dimensions are:
// equal and fully known.
func sameStatic(x, y tensor.Shape) bool { return x.Known() && x == y }

// sumTo sums x over the dimensions along which want was broadcast.
func sumTo(s *ir.Session, x ir.Value, want tensor.Shape) ir.Value {
	got := x.Shape()
	lead := got.Rank() - want.Rank()
	if lead < 0 {
		return s.Emit2(BroadcastTo, nil, x, ir.DimList(want.Dims()))
	}
	var axes []int64
	for i, d := range got.Dims() {
		if i < lead || want.Dim(i-lead) == 1 && d != 1 {
			axes = append(axes, int64(i))
		}
	}
	if len(axes) > 0 {
		x = s.Emit2(Sum, &ReduceAttrs{}, x, ir.IntList(axes...))
	}
	if x.Shape() == want {
		return x
	}
	return s.Emit2(Reshape, nil, x, ir.DimList(want.Dims()))
}

// EmitReduce applies a reduction. axes nil means all dimensions.
func EmitReduce(s *ir.Session, op *ir.Op, x ir.Value, axes []int64, keep bool) ir.Value {
	if axes == nil {
		if r := x.Shape().Rank(); r >= 0 {
			axes = make([]int64, r)
			for i := range axes {
				axes[i] = int64(i)
			}
		} else {
			rank := s.Emit1(Rank, nil, x)
			all := s.EmitN(Range, nil, ir.IntScalar(0), rank, ir.IntScalar(1))
			return s.Emit2(op, reduceAttrs(keep), x, all)
		}
	}
	return s.Emit2(op, reduceAttrs(keep), x, ir.IntList(axes...))
}

var reduceKeep, reduceDrop = &ReduceAttrs{KeepDims: true}, &ReduceAttrs{}

func reduceAttrs(keep bool) *ReduceAttrs {
	if keep {
		return reduceKeep
	}
	return reduceDrop
}
