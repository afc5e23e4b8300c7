package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// ConcatV2 joins tensors along an axis, the last operand.
var ConcatV2 = ir.NewOp("ConcatV2", "values, axis")

func init() {
	ConcatV2.Define(ir.Rules{
		Infer: inferConcat, Known: knownConcat, Alloc: runConcat,
		IntArgs: ir.AllIn, Uses: ir.LastIn,
		Grad: concatGrad,
	})
}

func inferConcat(c *ir.Call) *ir.Mistake {
	n := c.N() - 1
	a, known := c.Int(n)
	first := c.Shape(0)
	for i := range n {
		if !first.RankKnown() {
			first = c.Shape(i)
		}
	}
	if !first.RankKnown() {
		return c.SetOut(c.DType(0), first)
	}
	if first.Rank() == 0 {
		return ir.Invalid("ConcatOp : Can't concatenate scalars (use tf.stack instead)")
	}
	axis, ok := axisOf(a, first.Rank())
	if known && !ok {
		return &ir.Mistake{Kind: ir.ConcatAxis, Args: []any{first.Rank(), a}}
	}
	var buf [maxRank]int
	out := append(buf[:0], first.Dims()...)
	if known {
		out[axis] = 0
	}
	for i := range n {
		s := c.Shape(i)
		if m := concatDims(out, i, axis, known, first, s); m != nil {
			return m
		}
	}
	if !known {
		for i := range out {
			out[i] = -1
		}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(out...))
}

// concatDims adds operand i of shape s to out.
func concatDims(out []int, i, axis int, known bool, first, s tensor.Shape) *ir.Mistake {
	if !s.RankKnown() {
		if known {
			out[axis] = -1
		}
		return nil
	}
	if s.Rank() != len(out) {
		return &ir.Mistake{Kind: ir.ConcatRanks, Args: []any{i, first, s, len(out), s.Rank()}}
	}
	for d, n := range s.Dims() {
		switch {
		case known && d == axis:
			if n < 0 || out[d] < 0 {
				out[d] = -1
			} else {
				out[d] += n
			}
		case out[d] < 0:
			out[d] = n
		case known && n >= 0 && n != out[d]:
			k := d
			if axis < d {
				k = d - 1
			}
			return &ir.Mistake{Kind: ir.ConcatDims, Args: []any{d, i, first, s, out[d], n, k, without(first, axis), without(s, axis)}}
		}
	}
	return nil
}

// without is a shape less one dimension.
func without(s tensor.Shape, axis int) tensor.Shape {
	return s.Slice(0, axis).Concat(s.Slice(axis+1, s.Rank()))
}

func knownConcat(c *ir.Call) ([]int64, bool) {
	if c.Shape(0).Rank() != 1 {
		return nil, false
	}
	var out []int64
	some := false
	for i := range c.N() - 1 {
		v, ok := c.Ints(i)
		if !ok {
			n := c.Shape(i).Dim(0)
			if n < 0 {
				return nil, false
			}
			for range n {
				out = append(out, -1)
			}
			continue
		}
		some = true
		out = append(out, v...)
	}
	return out, some && len(out) <= 64
}

// tensorOf is operand i as a tensor, also where it is a list of ints.
func tensorOf(c *ir.Call, i int) *tensor.Tensor {
	if v, ok := c.In[i].(*ir.Ints); ok {
		return v.Tensor()
	}
	return c.T(i)
}

func runConcat(c *ir.Call) *ir.Mistake {
	n := c.N() - 1
	a, _ := c.Int(n)
	axis, _ := axisOf(a, c.Shape(0).Rank())
	dims := c.OutType(0).Shp.Dims()
	outer, _, inner := around(dims, axis)
	parts := make([]*tensor.Tensor, n)
	axes := make([]int, n)
	for i := range parts {
		parts[i] = tensorOf(c, i)
		axes[i] = parts[i].Dims()[axis]
	}
	if c.DType(0) == tensor.String {
		return joinStrings(c, parts, axes, outer, inner)
	}
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	joinTensors(o, parts, axes, outer, inner)
	return nil
}

func joinTensors(o *tensor.Tensor, parts []*tensor.Tensor, axes []int, outer, inner int) {
	switch o.DType().Size() {
	case 1:
		joinParts[uint8](o, parts, axes, outer, inner)
	case 2:
		joinParts[uint16](o, parts, axes, outer, inner)
	case 4:
		joinParts[uint32](o, parts, axes, outer, inner)
	case 8:
		joinParts[uint64](o, parts, axes, outer, inner)
	case 16:
		joinParts[wide](o, parts, axes, outer, inner)
	}
}

func joinParts[T any](o *tensor.Tensor, parts []*tensor.Tensor, axes []int, outer, inner int) {
	p := make([][]T, len(parts))
	for i, t := range parts {
		p[i] = raw[T](t)
	}
	kernel.Concat(raw[T](o), p, axes, outer, inner)
}

func joinStrings(c *ir.Call, parts []*tensor.Tensor, axes []int, outer, inner int) *ir.Mistake {
	var b tensor.StringBuilder
	for o := range outer {
		for i, p := range parts {
			w := axes[i] * inner
			for k := o * w; k < (o+1)*w; k++ {
				b.AddBytes(p.Str(k))
			}
		}
	}
	return setStrings(c, 0, &b, c.OutType(0).Shp)
}

func concatGrad(g *ir.Grad) {
	s, n := g.Session, len(g.In)-1
	a, ok := exactInts(g.X(n))
	rank := g.Out[0].Type.Shp.Rank()
	if rank < 0 {
		rank = g.Dy().Shape().Rank()
	}
	axis, sizes := 0, make([]int64, n)
	if ok && rank >= 0 {
		axis, _ = axisOf(a[0], rank)
	}
	known := ok && rank >= 0
	for i := range n {
		d := g.In[i].Type.Shp.Dim(axis)
		sizes[i] = int64(d)
		known = known && d >= 0
	}
	if known {
		copy(g.DX, s.EmitAll(SplitV, &SplitAttrs{Num: n}, g.Dy(), ir.IntList(sizes...), ir.IntScalar(int64(axis))))
		return
	}
	parts := make([]ir.Value, n)
	for i := range n {
		parts[i] = s.EmitN(StridedSlice, &SliceAttrs{ShrinkAxis: 1}, inShape(g, i), ir.IntList(int64(axis)), ir.IntList(int64(axis)+1), ir.IntList(1))
	}
	lens := s.EmitN(Pack, &PackAttrs{}, parts...)
	copy(g.DX, s.EmitAll(SplitV, &SplitAttrs{Num: n}, g.Dy(), lens, ir.IntScalar(int64(axis))))
}

// PackAttrs are those of Pack and Unpack.
type PackAttrs struct{ Axis, Num int }

// Pack stacks tensors of one shape along a new axis.
var Pack = ir.NewOp("Pack", "values, axis=0")

func init() {
	Pack.Define(ir.Rules{
		Attrs: &PackAttrs{}, Infer: inferPack,
		Known: func(c *ir.Call) ([]int64, bool) {
			if c.Shape(0).Rank() != 0 || !c.DType(0).IsInteger() {
				return nil, false
			}
			out := make([]int64, c.N())
			for i := range out {
				out[i] = -1
				if v, ok := c.Ints(i); ok && len(v) == 1 {
					out[i] = v[0]
				}
			}
			return out, c.N() <= 64
		},
		Alloc: runPack,
		Grad: func(g *ir.Grad) {
			copy(g.DX, g.EmitAll(Unpack, &PackAttrs{Axis: g.Attrs.(*PackAttrs).Axis, Num: len(g.In)}, g.Dy()))
		},
	})
}

func inferPack(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	for i := 1; i < c.N(); i++ {
		m, ok := tensor.Merge(s, c.Shape(i))
		if !ok {
			d, a, b := differ(s, c.Shape(i))
			return &ir.Mistake{Kind: ir.PackShapes, Args: []any{i, c.Shape(0), c.Shape(i), d, a, b}}
		}
		s = m
	}
	if !s.RankKnown() {
		return c.SetOut(c.DType(0), s)
	}
	a, _ := c.Attrs.(*PackAttrs)
	axis, ok := axisOf(int64(a.Axis), s.Rank()+1)
	if !ok {
		return ir.Invalid("axis = %d not in [%d, %d)", a.Axis, -s.Rank()-1, s.Rank()+1)
	}
	return c.SetOut(c.DType(0), s.Slice(0, axis).Concat(tensor.ShapeOf(c.N())).Concat(s.Slice(axis, s.Rank())))
}

func runPack(c *ir.Call) *ir.Mistake {
	dims := c.OutType(0).Shp.Dims()
	axis, _ := axisOf(int64(c.Attrs.(*PackAttrs).Axis), len(dims))
	outer, n, inner := around(dims, axis)
	parts, axes := make([]*tensor.Tensor, n), make([]int, n)
	for i := range parts {
		parts[i], axes[i] = c.T(i), 1
	}
	if c.DType(0) == tensor.String {
		return joinStrings(c, parts, axes, outer, inner)
	}
	o, m := newOut(c, 0)
	if m == nil {
		joinTensors(o, parts, axes, outer, inner)
	}
	return m
}

// Unpack cuts a tensor into the slices along an axis.
var Unpack = ir.NewOp("Unpack", "value, num=None, axis=0")

func init() {
	Unpack.Define(ir.Rules{
		Attrs: &PackAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			a, s := c.Attrs.(*PackAttrs), c.Shape(0)
			part := s
			if s.RankKnown() {
				axis, ok := axisOf(int64(a.Axis), s.Rank())
				if !ok {
					return ir.Invalid("axis = %d not in [%d, %d)", a.Axis, -s.Rank(), s.Rank())
				}
				if d := s.Dim(axis); d >= 0 && d != a.Num {
					return ir.Invalid("Input shape axis %d must equal %d, got shape %s", axis, a.Num, s.Brackets())
				}
				part = without(s, axis)
			}
			if a.Num == 0 {
				return c.NoOut()
			}
			for range a.Num {
				c.SetOut(c.DType(0), part)
			}
			return nil
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			axis, _ := axisOf(int64(c.Attrs.(*PackAttrs).Axis), c.T(0).Rank())
			axes := make([]int, c.NumOut())
			for i := range axes {
				axes[i] = 1
			}
			return cut(c, c.T(0), axis, axes)
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.EmitN(Pack, &PackAttrs{Axis: g.Attrs.(*PackAttrs).Axis}, allDy(g)...)
		},
	})
}

// allDy is the cotangents with zeros where none came.
func allDy(g *ir.Grad) []ir.Value {
	out := make([]ir.Value, len(g.DY))
	for i, d := range g.DY {
		if d == nil {
			d = ZerosOf(g.Session, &g.Out[i])
		}
		out[i] = d
	}
	return out
}

// ZerosOf is zeros of a slot's type.
func ZerosOf(s *ir.Session, slot *ir.Slot) ir.Value {
	if slot.Type.DT == tensor.Variant {
		h := ir.HandleOf(slot.Val)
		return s.EmitN(EmptyTensorList, &ListAttrs{Elem: h.DT, Shape: h.Shp})
	}
	if slot.Type.Shp.Known() {
		return s.Emit2(Fill, nil, ir.DimList(slot.Type.Shp.Dims()), zero(s, slot.Type.DT))
	}
	return zeros(s, slot.Val)
}

// cut copies the parts of x along an axis to the results.
func cut(c *ir.Call, x *tensor.Tensor, axis int, axes []int) *ir.Mistake {
	outer, _, inner := around(x.Dims(), axis)
	if x.DType() == tensor.String {
		return cutStrings(c, x, axes, outer, inner)
	}
	parts := make([]*tensor.Tensor, len(axes))
	for i := range parts {
		o, m := newOut(c, i)
		if m != nil {
			return m
		}
		parts[i] = o
	}
	switch x.DType().Size() {
	case 1:
		cutParts[uint8](parts, x, axes, outer, inner)
	case 2:
		cutParts[uint16](parts, x, axes, outer, inner)
	case 4:
		cutParts[uint32](parts, x, axes, outer, inner)
	case 8:
		cutParts[uint64](parts, x, axes, outer, inner)
	case 16:
		cutParts[wide](parts, x, axes, outer, inner)
	}
	return nil
}

func cutParts[T any](parts []*tensor.Tensor, x *tensor.Tensor, axes []int, outer, inner int) {
	p := make([][]T, len(parts))
	for i, t := range parts {
		p[i] = raw[T](t)
	}
	kernel.Split(p, raw[T](x), axes, outer, inner)
}

func cutStrings(c *ir.Call, x *tensor.Tensor, axes []int, outer, inner int) *ir.Mistake {
	total, at := 0, 0
	for _, a := range axes {
		total += a
	}
	for i, a := range axes {
		var idx []int64
		for o := range outer {
			for k := range a * inner {
				idx = append(idx, int64((o*total+at)*inner+k))
			}
		}
		at += a
		if m := pickStrings(c, i, x, idx, c.OutType(i).Shp); m != nil {
			return m
		}
	}
	return nil
}

// SplitAttrs are those of Split and SplitV.
type SplitAttrs struct{ Num int }

// Split cuts a tensor into equal parts; the axis is operand 0.
var Split = ir.NewOp("Split", "axis, value, num_split")

func init() {
	Split.Define(ir.Rules{
		Attrs: &SplitAttrs{}, Infer: inferSplit,
		Alloc: func(c *ir.Call) *ir.Mistake {
			a, _ := c.Int(0)
			axis, _ := axisOf(a, c.T(1).Rank())
			axes := make([]int, c.NumOut())
			for i := range axes {
				axes[i] = c.T(1).Dims()[axis] / len(axes)
			}
			return cut(c, c.T(1), axis, axes)
		},
		IntArgs: ir.In(0), Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[1] = g.EmitN(ConcatV2, nil, append(allDy(g), g.X(0))...) },
	})
}

func inferSplit(c *ir.Call) *ir.Mistake {
	s, n := c.Shape(1), c.Attrs.(*SplitAttrs).Num
	if n < 1 {
		return ir.Invalid("Number of ways to split should be > 0, but got %d", n)
	}
	a, ok := c.Int(0)
	part := s
	switch {
	case s.RankKnown() && ok:
		axis, ok := axisOf(a, s.Rank())
		if !ok {
			return ir.Invalid("-input rank(%d) <= split_dim < input rank (%d), but got %d", -s.Rank(), s.Rank(), a)
		}
		if d := s.Dim(axis); d >= 0 {
			if d%n != 0 {
				return &ir.Mistake{Kind: ir.SplitEven, Args: []any{axis, d, n}}
			}
			part = s.With(axis, d/n)
		}
	case s.RankKnown():
		part = tensor.UnknownDims(s.Rank())
	}
	for range n {
		c.SetOut(c.DType(1), part)
	}
	return nil
}

// SplitV cuts a tensor into parts of the sizes in operand 1, one of which may be -1.
var SplitV = ir.NewOp("SplitV", "value, size_splits, axis")

func init() {
	SplitV.Define(ir.Rules{
		Attrs: &SplitAttrs{}, Infer: inferSplitV,
		Alloc: func(c *ir.Call) *ir.Mistake {
			a, _ := c.Int(2)
			axis, _ := axisOf(a, c.T(0).Rank())
			axes := make([]int, c.NumOut())
			for i := range axes {
				axes[i] = c.OutType(i).Shp.Dim(axis)
			}
			return cut(c, c.T(0), axis, axes)
		},
		IntArgs: ir.In(1) | ir.In(2), Uses: ir.In(2),
		Grad: func(g *ir.Grad) { g.DX[0] = g.EmitN(ConcatV2, nil, append(allDy(g), g.X(2))...) },
	})
}

func inferSplitV(c *ir.Call) *ir.Mistake {
	s, n := c.Shape(0), c.Attrs.(*SplitAttrs).Num
	a, ok := c.Int(2)
	sizes, known := c.IntsExact(1)
	if !s.RankKnown() || !ok {
		for range n {
			c.SetOut(c.DType(0), tensor.UnknownShape)
		}
		return nil
	}
	axis, ok := axisOf(a, s.Rank())
	if !ok {
		return ir.Invalid("-input rank(%d) <= split_dim < input rank (%d), but got %d", -s.Rank(), s.Rank(), a)
	}
	if !known {
		for range n {
			c.SetOut(c.DType(0), s.With(axis, -1))
		}
		return nil
	}
	free, total := -1, int64(0)
	for i, v := range sizes {
		if v < 0 {
			free = i
		} else {
			total += v
		}
	}
	d := int64(s.Dim(axis))
	if d >= 0 && (free < 0 && total != d || total > d) {
		return ir.Invalid("Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size of the input along split_dim if not fully specified.  Got: %d", total)
	}
	for i, v := range sizes {
		if i == free {
			v = -1
			if d >= 0 {
				v = d - total
			}
		}
		c.SetOut(c.DType(0), s.With(axis, int(v)))
	}
	return nil
}
