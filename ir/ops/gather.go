package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// GatherAttrs are those of GatherV2.
type GatherAttrs struct{ BatchDims int }

var gatherPlain = &GatherAttrs{}

func batchDims(c *ir.Call) int {
	if a, ok := c.Attrs.(*GatherAttrs); ok && a != nil {
		b := a.BatchDims
		if b < 0 && c.Shape(1).RankKnown() {
			b += c.Shape(1).Rank()
		}
		return b
	}
	return 0
}

// GatherV2 picks slices along an axis by index.
var GatherV2 = ir.NewOp("GatherV2", "params, indices, axis=None, batch_dims=0")

func init() {
	GatherV2.Define(ir.Rules{
		Attrs: gatherPlain, Infer: inferGather,
		Known: func(c *ir.Call) ([]int64, bool) {
			v, ok := c.Ints(0)
			idx, okI := c.IntsExact(1)
			if !ok || !okI || c.Shape(0).Rank() != 1 || batchDims(c) != 0 {
				return nil, false
			}
			out := make([]int64, len(idx))
			for i, k := range idx {
				if k < 0 || k >= int64(len(v)) {
					return nil, false
				}
				out[i] = v[k]
			}
			return out, true
		},
		Alloc: runGather, IntArgs: ir.In(0) | ir.In(1) | ir.In(2), Uses: ir.In(1) | ir.In(2), Grad: gatherGrad,
	})
}

func inferGather(c *ir.Call) *ir.Mistake {
	p, idx, b := c.Shape(0), c.Shape(1), batchDims(c)
	a, ok := c.Int(2)
	if !p.RankKnown() || !idx.RankKnown() {
		return c.SetOut(c.DType(0), tensor.UnknownShape)
	}
	if !ok {
		return c.SetOut(c.DType(0), tensor.UnknownDims(p.Rank()+idx.Rank()-1-b))
	}
	want := int(a) + 1
	if a < 0 {
		want = int(-a)
	}
	axis, in := axisOf(a, p.Rank())
	if !in {
		return &ir.Mistake{Kind: ir.GatherRank, Args: []any{want, p.Rank()}}
	}
	if b > axis || b > idx.Rank() || b < 0 {
		return ir.Invalid("batch_dims (%d) must be less than or equal to axis (%d)", b, axis)
	}
	for i := range b {
		if x, y := p.Dim(i), idx.Dim(i); x >= 0 && y >= 0 && x != y {
			return ir.Invalid("params.shape[%d]: %d should be equal to indices.shape[%d]: %d", i, x, i, y)
		}
	}
	return c.SetOut(c.DType(0), p.Slice(0, axis).Concat(idx.Slice(b, idx.Rank())).Concat(p.Slice(axis+1, p.Rank())))
}

func runGather(c *ir.Call) *ir.Mistake {
	x := tensorOf(c, 0)
	a, _ := c.Int(2)
	axis, _ := axisOf(a, x.Rank())
	return gatherRows(c, x, tensorOf(c, 1), axis, batchDims(c))
}

// gatherRows makes the result of a gather from x.
func gatherRows(c *ir.Call, x, it *tensor.Tensor, axis, b int) *ir.Mistake {
	d := x.Dims()
	g := kernel.GatherShape{Batch: prod(d[:b]), Outer: prod(d[b:axis]), Axis: d[axis], Inner: prod(d[axis+1:]),
		Count: prod(it.Dims()[b:])}
	bad := -1
	if x.DType() == tensor.String {
		src, idx := make([]int64, x.Len()), make([]int64, c.OutType(0).Shp.NumElements())
		kernel.Iota(src, 0, 1)
		if bad = gatherBy(idx, src, it, g); bad < 0 {
			return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
		}
		return badIndex(it, bad, d[axis])
	}
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	switch x.DType().Size() {
	case 1:
		bad = gatherBy(raw[uint8](o), raw[uint8](x), it, g)
	case 2:
		bad = gatherBy(raw[uint16](o), raw[uint16](x), it, g)
	case 4:
		bad = gatherBy(raw[uint32](o), raw[uint32](x), it, g)
	case 8:
		bad = gatherBy(raw[uint64](o), raw[uint64](x), it, g)
	case 16:
		bad = gatherBy(raw[wide](o), raw[wide](x), it, g)
	}
	if bad >= 0 {
		return badIndex(it, bad, d[axis])
	}
	return nil
}

func gatherBy[T any](o, x []T, it *tensor.Tensor, g kernel.GatherShape) int {
	switch it.DType() {
	case tensor.Int32:
		return kernel.Gather(o, x, it.I32(), g)
	case tensor.Int64:
		return kernel.Gather(o, x, it.I64(), g)
	}
	v, _ := ir.KnownInts(it)
	return kernel.Gather(o, x, v, g)
}

// badIndex words an index that lies outside: indices[0,1] = -1 is not in [0, 3).
func badIndex(it *tensor.Tensor, at, limit int) *ir.Mistake {
	v, _ := ir.KnownInts(it)
	return ir.Wrong("InvalidArgumentError", "indices%s = %d is not in [0, %d)", place(it.Dims(), at), v[at], limit)
}

// place is the position of element at: [0,1], nothing for a scalar.
func place(dims []int, at int) string {
	if len(dims) == 0 {
		return ""
	}
	pos := make([]int64, len(dims))
	for i := len(dims) - 1; i >= 0; i-- {
		pos[i] = int64(at % dims[i])
		at /= dims[i]
	}
	return "[" + commas(pos) + "]"
}

// gatherGrad: along axis 0 the gradient is sparse; else rows are added up.
func gatherGrad(g *ir.Grad) {
	s := g.Session
	b := g.Attrs.(*GatherAttrs)
	a, ok := exactInts(g.X(2))
	idx := tensorValue(s, g.X(1))
	in := g.In[0].Type.Shp
	if ok && a[0] == 0 && b.BatchDims == 0 {
		g.DX[0] = slicesOf(g, idx, g.Dy())
		return
	}
	g.DX[0] = g.EmitN(GatherGrad, &GatherGradAttrs{Axis: axisFrom(a, in.Rank()), BatchDims: b.BatchDims}, inShape(g, 0), idx, g.Dy())
}

func axisFrom(a []int64, rank int) int {
	if len(a) == 0 {
		return 0
	}
	if rank >= 0 && a[0] < 0 {
		return int(a[0]) + rank
	}
	return int(a[0])
}

// slicesOf is dy as the rows idx of operand 0.
func slicesOf(g *ir.Grad, idx, dy ir.Value) *ir.Slices {
	s := g.Session
	in := g.In[0].Type
	if in.DT == tensor.Resources {
		in = ir.HandleOf(g.In[0].Val)
	}
	return rowsAs(s, in.Shp, func() ir.Value { return inShapeT(g, 0) }, idx, dy)
}

func rowsAs(s *ir.Session, in tensor.Shape, shape func() ir.Value, idx, dy ir.Value) *ir.Slices {
	flat := s.Emit2(Reshape, nil, idx, ir.IntList(-1))
	sl := &ir.Slices{Indices: flat, Static: in}
	if in.Known() {
		dims := dimsCopy(in)
		dims[0] = -1
		sl.Values = s.Emit2(Reshape, nil, dy, ir.DimList(dims))
		sl.Dense = ir.DimList(in.Dims())
		return sl
	}
	sl.Dense = shape()
	tail := s.EmitN(StridedSlice, &SliceAttrs{EndMask: 1}, sl.Dense, ir.IntList(1), ir.IntList(0), ir.IntList(1))
	sl.Values = s.Emit2(Reshape, nil, dy, s.EmitN(ConcatV2, nil, s.Const(ir.IntList(-1).Tensor()), tail, ir.IntScalar(0)))
	return sl
}

// GatherGradAttrs are those of GatherGrad.
type GatherGradAttrs struct{ Axis, BatchDims int }

// GatherGrad adds the slices of dy onto zeros of a shape, where a gather along
// Axis with BatchDims took them from: an op of ours.
var GatherGrad = ir.NewOp("GatherGrad", "shape, indices, dy")

func init() {
	GatherGrad.Define(ir.Rules{
		Attrs: &GatherGradAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(2), c.ShapeArg(0)) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			a, s := c.Attrs.(*GatherGradAttrs), c.OutType(0).Shp
			o, err := c.Env.Alloc.Zeros(c.DType(2), s)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			v, _ := ir.KnownInts(c.T(1))
			rows := gatherPlaces(s.Dims(), c.T(1).Dims(), v, a)
			inner := prod(s.Dims()[a.Axis+1:])
			if _, ok := scatter(kernel.ScatterAdd, o, rows, c.T(2), o.Len()/max(inner, 1), inner); !ok {
				return unsupported(c)
			}
			return nil
		},
		IntArgs: ir.In(0), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			a := g.Attrs.(*GatherGradAttrs)
			g.DX[2] = g.EmitN(GatherV2, &GatherAttrs{a.BatchDims}, g.Dy(), g.X(1), ir.IntScalar(int64(a.Axis)))
		},
	})
}

// gatherPlaces lists the rows (of inner elements) that a gather reads, in its order.
func gatherPlaces(dims, idxDims []int, v []int64, a *GatherGradAttrs) []int64 {
	b := a.BatchDims
	if b < 0 {
		b += len(idxDims)
	}
	batch, outer, axis := prod(dims[:b]), prod(dims[b:a.Axis]), dims[a.Axis]
	count := prod(idxDims[b:])
	rows := make([]int64, 0, batch*outer*count)
	for i := range batch {
		for o := range outer {
			for k := range count {
				rows = append(rows, int64((i*outer+o)*axis)+v[i*count+k])
			}
		}
	}
	return rows
}

// scatter folds rows of updates into o; ok is false where the dtype has no kernel.
// bad is the position of the first index out of range, or -1.
func scatter(op kernel.ScatterOp, o *tensor.Tensor, idx []int64, up *tensor.Tensor, rows, inner int) (bad int, ok bool) {
	if op == kernel.ScatterSet {
		return scatterSet(o, idx, up, rows, inner)
	}
	switch o.DType() {
	case tensor.Float32:
		return kernel.Scatter(op, o.F32(), idx, up.F32(), rows, inner), true
	case tensor.Float64:
		return kernel.Scatter(op, o.F64(), idx, up.F64(), rows, inner), true
	case tensor.Int32:
		return kernel.Scatter(op, o.I32(), idx, up.I32(), rows, inner), true
	case tensor.Int64:
		return kernel.Scatter(op, o.I64(), idx, up.I64(), rows, inner), true
	case tensor.Float16:
		return kernel.ScatterHalf(op, raw[kernel.Float16](o), idx, raw[kernel.Float16](up), rows, inner), true
	case tensor.BFloat16:
		return kernel.ScatterHalf(op, raw[kernel.BFloat16](o), idx, raw[kernel.BFloat16](up), rows, inner), true
	case tensor.Int8:
		return kernel.Scatter(op, raw[int8](o), idx, raw[int8](up), rows, inner), true
	case tensor.Int16:
		return kernel.Scatter(op, raw[int16](o), idx, raw[int16](up), rows, inner), true
	case tensor.Uint8:
		return kernel.Scatter(op, raw[uint8](o), idx, raw[uint8](up), rows, inner), true
	case tensor.Uint16:
		return kernel.Scatter(op, raw[uint16](o), idx, raw[uint16](up), rows, inner), true
	case tensor.Uint32:
		return kernel.Scatter(op, raw[uint32](o), idx, raw[uint32](up), rows, inner), true
	case tensor.Uint64:
		return kernel.Scatter(op, raw[uint64](o), idx, raw[uint64](up), rows, inner), true
	case tensor.Complex64:
		return scatterComplex(op, raw[complex64](o), idx, raw[complex64](up), rows, inner)
	case tensor.Complex128:
		return scatterComplex(op, raw[complex128](o), idx, raw[complex128](up), rows, inner)
	}
	return -1, false
}

func scatterComplex[T complex64 | complex128](op kernel.ScatterOp, o []T, idx []int64, up []T, rows, inner int) (int, bool) {
	bad := -1
	for i, r := range idx {
		if r < 0 || r >= int64(rows) {
			if bad < 0 {
				bad = i
			}
			continue
		}
		for k := range inner {
			switch p := &o[int(r)*inner+k]; op {
			case kernel.ScatterAdd:
				*p += up[i*inner+k]
			case kernel.ScatterSub:
				*p -= up[i*inner+k]
			default:
				return -1, false
			}
		}
	}
	return bad, true
}

func scatterSet(o *tensor.Tensor, idx []int64, up *tensor.Tensor, rows, inner int) (int, bool) {
	switch o.DType().Size() {
	case 1:
		return kernel.ScatterAny(raw[uint8](o), idx, raw[uint8](up), rows, inner), true
	case 2:
		return kernel.ScatterAny(raw[uint16](o), idx, raw[uint16](up), rows, inner), true
	case 4:
		return kernel.ScatterAny(raw[uint32](o), idx, raw[uint32](up), rows, inner), true
	case 8:
		return kernel.ScatterAny(raw[uint64](o), idx, raw[uint64](up), rows, inner), true
	}
	return kernel.ScatterAny(raw[wide](o), idx, raw[wide](up), rows, inner), true
}

// flatRows turns index tuples into row numbers over the leading dimensions. bad is
// the first tuple that lies outside, or -1.
func flatRows(it *tensor.Tensor, dims []int) (rows []int64, depth, bad int) {
	v, _ := ir.KnownInts(it)
	id := it.Dims()
	depth = id[len(id)-1]
	rows = make([]int64, prod(id[:len(id)-1]))
	bad = kernel.FlatIndex(rows, v, dims[:depth])
	return rows, depth, bad
}

// badTuple words an index tuple that lies outside.
func badTuple(it *tensor.Tensor, at int, what string, s tensor.Shape, node string) *ir.Mistake {
	v, _ := ir.KnownInts(it)
	id := it.Dims()
	n := id[len(id)-1]
	p := place(id[:len(id)-1], at)
	if node != "" {
		node = ", node name: " + node
	}
	return ir.Wrong("InvalidArgumentError", "indices%s = [%s] does not index into %s %s%s", p, joinInts(v[at*n:(at+1)*n], ", "), what, s.Brackets(), node)
}

// GatherNd picks slices by index tuples.
var GatherNd = ir.NewOp("GatherNd", "params, indices")

func init() {
	GatherNd.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			p, idx := c.Shape(0), c.Shape(1)
			n := idx.Dim(-1)
			if !p.RankKnown() || !idx.RankKnown() || n < 0 {
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			if n > p.Rank() {
				return ir.Invalid("indices.shape[-1] must be <= params.rank, but saw indices shape: %s and params shape: %s", idx.Brackets(), p.Brackets())
			}
			return c.SetOut(c.DType(0), idx.Slice(0, idx.Rank()-1).Concat(p.Slice(n, p.Rank())))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, it := c.T(0), c.T(1)
			rows, depth, bad := flatRows(it, x.Dims())
			if bad >= 0 {
				return badTuple(it, bad, "param shape", x.Shape(), "GatherNd")
			}
			inner := prod(x.Dims()[depth:])
			g := kernel.GatherShape{Batch: 1, Outer: 1, Axis: prod(x.Dims()[:depth]), Inner: inner, Count: len(rows)}
			return gatherFlat(c, x, rows, g)
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			idx := g.In[1].Type.Shp
			if idx.Rank() == 2 && idx.Dim(1) == 1 {
				g.DX[0] = slicesOf(g, g.X(1), g.Dy())
				return
			}
			g.DX[0] = g.EmitN(ScatterNd, nil, g.X(1), g.Dy(), castShape(g.Session, inShape(g, 0), g.In[1].Type.DT))
		},
	})
}

// castShape gives a shape the dtype of the indices beside it.
func castShape(s *ir.Session, v ir.Value, dt tensor.DType) ir.Value {
	if l, ok := v.(*ir.Ints); ok {
		if dt != tensor.Int64 {
			dt = tensor.Int32
		}
		return &ir.Ints{V: l.V, DT: dt, Scalar: l.Scalar}
	}
	return cast(s, v, dt)
}

func gatherFlat(c *ir.Call, x *tensor.Tensor, rows []int64, g kernel.GatherShape) *ir.Mistake {
	if x.DType() == tensor.String {
		src, idx := make([]int64, x.Len()), make([]int64, len(rows)*g.Inner)
		kernel.Iota(src, 0, 1)
		kernel.Gather(idx, src, rows, g)
		return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
	}
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	switch x.DType().Size() {
	case 1:
		kernel.Gather(raw[uint8](o), raw[uint8](x), rows, g)
	case 2:
		kernel.Gather(raw[uint16](o), raw[uint16](x), rows, g)
	case 4:
		kernel.Gather(raw[uint32](o), raw[uint32](x), rows, g)
	case 8:
		kernel.Gather(raw[uint64](o), raw[uint64](x), rows, g)
	case 16:
		kernel.Gather(raw[wide](o), raw[wide](x), rows, g)
	}
	return nil
}

// ScatterNd adds updates onto zeros at index tuples.
var ScatterNd = ir.NewOp("ScatterNd", "indices, updates, shape", "tf.scatter_nd")

func init() {
	ScatterNd.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.ShapeArg(2)
			if m := scatterFits(c.Shape(0), c.Shape(1), s); m != nil {
				return m
			}
			return c.SetOut(c.DType(1), s)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			s := c.OutType(0).Shp
			o, err := c.Env.Alloc.Zeros(c.DType(1), s)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			op := kernel.ScatterAdd
			if c.DType(1) == tensor.Bool {
				op = kernel.ScatterSet
			}
			return scatterNd(c, op, o, c.T(0), c.T(1))
		},
		IntArgs: ir.In(2), Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[1] = g.Emit2(GatherNd, nil, g.Dy(), g.X(0)) },
	})
}

// scatterFits checks indices and updates against the shape scattered into.
func scatterFits(idx, up, s tensor.Shape) *ir.Mistake {
	n := idx.Dim(-1)
	if !idx.RankKnown() || !up.RankKnown() || !s.RankKnown() || n < 0 {
		return nil
	}
	if n > s.Rank() {
		return ir.Invalid("The inner %d dimensions of output.shape=%s must match the inner %d dimensions of updates.shape=%s", s.Rank()-n, s.Brackets(), up.Rank()-idx.Rank()+1, up.Brackets())
	}
	want := idx.Slice(0, idx.Rank()-1)
	if up.Rank() < want.Rank() || !tensor.Compatible(want, up.Slice(0, want.Rank())) {
		return &ir.Mistake{Kind: ir.ScatterShapes, Args: []any{want.Rank(), idx, up}}
	}
	if !tensor.Compatible(up.Slice(want.Rank(), up.Rank()), s.Slice(n, s.Rank())) {
		return ir.Invalid("Dimensions [%d,%d) of input[shape=%s] must match dimensions [%d,%d) of updates[shape=%s]", n, s.Rank(), s.Brackets(), want.Rank(), up.Rank(), up.Brackets())
	}
	return nil
}

func scatterNd(c *ir.Call, op kernel.ScatterOp, o, it, up *tensor.Tensor) *ir.Mistake {
	rows, depth, bad := flatRows(it, o.Dims())
	if bad >= 0 {
		return badTuple(it, bad, "shape", o.Shape(), "")
	}
	inner := prod(o.Dims()[depth:])
	if _, ok := scatter(op, o, rows, up, prod(o.Dims()[:depth]), inner); !ok {
		return unsupported(c)
	}
	return nil
}

// tensorScatter is the kernel of the TensorScatter family: a copy of operand 0
// with updates folded in.
func tensorScatter(op kernel.ScatterOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		if c.DType(0) == tensor.String {
			return tensorScatterStrings(c)
		}
		o, err := c.Env.Alloc.Copy(c.T(0))
		if err != nil {
			return ir.Raise(err)
		}
		c.SetResult(0, o)
		return scatterNd(c, op, o, c.T(1), c.T(2))
	}
}

func tensorScatterStrings(c *ir.Call) *ir.Mistake {
	x, up := c.T(0), c.T(2)
	rows, depth, bad := flatRows(c.T(1), x.Dims())
	if bad >= 0 {
		return badTuple(c.T(1), bad, "shape", x.Shape(), "")
	}
	inner := prod(x.Dims()[depth:])
	vals := x.Strs()
	for i, r := range rows {
		for k := range inner {
			vals[int(r)*inner+k] = string(up.Str(i*inner + k))
		}
	}
	var b tensor.StringBuilder
	b.Grow(len(vals))
	for _, v := range vals {
		b.Add(v)
	}
	return setStrings(c, 0, &b, x.Shape())
}

func inferTensorScatter(c *ir.Call) *ir.Mistake {
	if m := scatterFits(c.Shape(1), c.Shape(2), c.Shape(0)); m != nil {
		return m
	}
	return c.SetLike(0)
}

// TensorScatterUpdate replaces slices of a tensor by index tuples.
var TensorScatterUpdate = ir.NewOp("TensorScatterUpdate", "tensor, indices, updates", "tf.tensor_scatter_nd_update")

func init() {
	TensorScatterUpdate.Define(ir.Rules{
		Infer: inferTensorScatter, Alloc: tensorScatter(kernel.ScatterSet), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			up := s.Emit2(GatherNd, nil, g.Dy(), g.X(1))
			g.DX[0] = s.EmitN(TensorScatterUpdate, nil, g.Dy(), g.X(1), zeros(s, up))
			g.DX[2] = up
		},
	})
}

// TensorScatterAdd adds onto slices of a tensor by index tuples.
var TensorScatterAdd = ir.NewOp("TensorScatterAdd", "tensor, indices, updates", "tf.tensor_scatter_nd_add")

func init() {
	TensorScatterAdd.Define(ir.Rules{
		Infer: inferTensorScatter, Alloc: tensorScatter(kernel.ScatterAdd), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0], g.DX[2] = g.Dy(), g.Emit2(GatherNd, nil, g.Dy(), g.X(1)) },
	})
}

// TensorScatterSub subtracts from slices of a tensor by index tuples.
var TensorScatterSub = ir.NewOp("TensorScatterSub", "tensor, indices, updates", "tf.tensor_scatter_nd_sub")

func init() {
	TensorScatterSub.Define(ir.Rules{
		Infer: inferTensorScatter, Alloc: tensorScatter(kernel.ScatterSub), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			g.DX[0], g.DX[2] = g.Dy(), neg(g.Session, g.Emit2(GatherNd, nil, g.Dy(), g.X(1)))
		},
	})
}

// TensorScatterMax takes the larger of slices and updates by index tuples.
var TensorScatterMax = ir.NewOp("TensorScatterMax", "tensor, indices, updates", "tf.tensor_scatter_nd_max")

func init() {
	TensorScatterMax.Define(ir.Rules{
		Infer: inferTensorScatter, Alloc: tensorScatter(kernel.ScatterMax),
		Uses: ir.In(0) | ir.In(1) | ir.In(2) | ir.Out(0), Grad: scatterExtremeGrad,
	})
}

// TensorScatterMin takes the smaller of slices and updates by index tuples.
var TensorScatterMin = ir.NewOp("TensorScatterMin", "tensor, indices, updates", "tf.tensor_scatter_nd_min")

func init() {
	TensorScatterMin.Define(ir.Rules{
		Infer: inferTensorScatter, Alloc: tensorScatter(kernel.ScatterMin),
		Uses: ir.In(0) | ir.In(1) | ir.In(2) | ir.Out(0), Grad: scatterExtremeGrad,
	})
}

// scatterExtremeGrad shares the gradient equally among the base and the updates
// that equal the result.
func scatterExtremeGrad(g *ir.Grad) {
	s, dt := g.Session, g.Dy().DType()
	x, idx, up, y := g.X(0), g.X(1), g.X(2), g.Y(0)
	xHit := cast(s, s.Emit2(Equal, strictEqual, x, y), dt)
	uHit := cast(s, s.Emit2(Equal, strictEqual, up, s.Emit2(GatherNd, nil, y, idx)), dt)
	n := s.EmitN(TensorScatterAdd, nil, xHit, idx, uHit)
	share := div(s, g.Dy(), n)
	g.DX[0] = mul(s, xHit, share)
	g.DX[2] = mul(s, uHit, s.Emit2(GatherNd, nil, share, idx))
}

// SelectV2 chooses by a condition, with broadcasting.
var SelectV2 = ir.NewOp("SelectV2", "condition, x, y")

func init() {
	SelectV2.Define(ir.Rules{
		Infer: inferSelect, Alloc: runSelect, Fuse: ir.Elementwise, Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			s, c := g.Session, g.X(0)
			z := zero(s, g.Dy().DType())
			if g.Wants(1) {
				g.DX[1] = fit3(g, where(s, c, g.Dy(), z), 1)
			}
			if g.Wants(2) {
				g.DX[2] = fit3(g, where(s, c, z, g.Dy()), 2)
			}
		},
	})
}

// fit3 sums dy down to the shape of operand i against the result's.
func fit3(g *ir.Grad, dy ir.Value, i int) ir.Value {
	want, got := g.In[i].Type.Shp, dy.Shape()
	if want.Known() && got.Known() {
		return sumTo(g.Session, dy, want)
	}
	if want.Rank() == 0 {
		return EmitReduce(g.Session, Sum, dy, nil, false)
	}
	s := g.Session
	sx := inShape(g, i)
	axes := s.EmitAll(BroadcastGradientArgs, nil, sx, outShape(g, 0))
	if axes == nil {
		return dy
	}
	return s.Emit2(Reshape, nil, s.Emit2(Sum, reduceDrop, dy, axes[0]), sx)
}

func inferSelect(c *ir.Call) *ir.Mistake {
	xy, ok := tensor.Broadcast(c.Shape(1), c.Shape(2))
	if ok {
		if s, ok := tensor.Broadcast(c.Shape(0), xy); ok {
			return c.SetOut(c.DType(1), s)
		}
	}
	a, b := clash(c.Shape(1), c.Shape(2))
	if a == 0 {
		a, b = clash(c.Shape(0), xy)
	}
	return &ir.Mistake{Kind: ir.SelectShapes, Args: []any{c.Shape(0), c.Shape(1), c.Shape(2), a, b}}
}

func runSelect(c *ir.Call) *ir.Mistake {
	cond, x, y := c.T(0), c.T(1), c.T(2)
	s := c.OutType(0).Shp
	if x.DType() == tensor.String {
		return selectStrings(c, cond, x, y, s)
	}
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	var p *kernel.Plan
	n := o.Len()
	if !(one(cond, n) && one(x, n) && one(y, n)) {
		q, ok := kernel.Broadcast3(s.Dims(), cond.Dims(), x.Dims(), y.Dims())
		if !ok {
			return tooManyDims()
		}
		p = &q
	}
	switch x.DType().Size() {
	case 1:
		kernel.Where(raw[uint8](o), cond.Bools(), raw[uint8](x), raw[uint8](y), p)
	case 2:
		kernel.Where(raw[uint16](o), cond.Bools(), raw[uint16](x), raw[uint16](y), p)
	case 4:
		kernel.Where(raw[uint32](o), cond.Bools(), raw[uint32](x), raw[uint32](y), p)
	case 8:
		kernel.Where(raw[uint64](o), cond.Bools(), raw[uint64](x), raw[uint64](y), p)
	case 16:
		kernel.Where(raw[wide](o), cond.Bools(), raw[wide](x), raw[wide](y), p)
	}
	return nil
}

func one(t *tensor.Tensor, n int) bool { return t.Len() == n || t.Len() == 1 }

func selectStrings(c *ir.Call, cond, x, y *tensor.Tensor, s tensor.Shape) *ir.Mistake {
	ic, ix, iy := spread(cond, s.Dims()), spread(x, s.Dims()), spread(y, s.Dims())
	var b tensor.StringBuilder
	for i := range ic {
		if cond.Bools()[ic[i]] {
			b.AddBytes(x.Str(int(ix[i])))
		} else {
			b.AddBytes(y.Str(int(iy[i])))
		}
	}
	return setStrings(c, 0, &b, s)
}

// Where lists the coordinates of the true elements.
var Where = ir.NewOp("Where", "condition")

func init() {
	Where.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.Int64, tensor.ShapeOf(-1, c.Shape(0).Rank())) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			var mask []bool
			if x.DType() == tensor.Bool {
				mask = x.Bools()
			} else {
				mask = make([]bool, x.Len())
				if !kernel.Cast(mask, elems(x)) {
					return unsupported(c)
				}
			}
			n := kernel.NonZero(nil, mask, x.Dims())
			o, m := newResult(c, 0, tensor.Int64, tensor.ShapeOf(n, x.Rank()))
			if m == nil {
				kernel.NonZero(o.I64(), mask, x.Dims())
			}
			return m
		},
		Grad: ir.NotDifferentiable,
	})
}
