package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// TopKAttrs are those of TopKV2.
type TopKAttrs struct{ Sorted bool }

// TopKV2 is the k largest of each row and where they are.
var TopKV2 = ir.NewOp("TopKV2", "input, k=1, sorted=True")

func init() {
	TopKV2.Define(ir.Rules{
		Attrs: &TopKAttrs{Sorted: true},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			k, ok := c.Int(1)
			if s.Rank() == 0 {
				return ir.Invalid("input must be >= 1-D, got shape []")
			}
			if ok && k < 0 {
				return ir.Invalid("Need k >= 0, got %d", k)
			}
			if d := s.Dim(-1); ok && d >= 0 && int(k) > d {
				return &ir.Mistake{Kind: ir.TopKColumns, Args: []any{d, k}}
			}
			if !ok {
				k = -1
			}
			out := s
			if s.RankKnown() {
				out = s.With(s.Rank()-1, int(k))
			}
			c.SetOut(c.DType(0), out)
			return c.SetOut(tensor.Int32, out)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			k, _ := c.Int(1)
			rows, n := rowsOf(c.T(0))
			if !topK(c.O(0), c.O(1).I32(), c.T(0), rows, n, int(k)) {
				return unsupported(c)
			}
			return nil
		},
		IntArgs: ir.In(1), Uses: ir.Out(1),
		Grad: topKGrad,
	})
}

func topK(o *tensor.Tensor, idx []int32, x *tensor.Tensor, rows, n, k int) bool {
	switch x.DType() {
	case tensor.Float32:
		kernel.TopK(o.F32(), idx, x.F32(), rows, n, k)
	case tensor.Float64:
		kernel.TopK(o.F64(), idx, x.F64(), rows, n, k)
	case tensor.Int32:
		kernel.TopK(o.I32(), idx, x.I32(), rows, n, k)
	case tensor.Int64:
		kernel.TopK(o.I64(), idx, x.I64(), rows, n, k)
	case tensor.Float16, tensor.BFloat16:
		f := make([]float32, o.Len())
		kernel.TopK(f, idx, widened(x), rows, n, k)
		narrowed(o, f)
	case tensor.Int8:
		kernel.TopK(raw[int8](o), idx, raw[int8](x), rows, n, k)
	case tensor.Int16:
		kernel.TopK(raw[int16](o), idx, raw[int16](x), rows, n, k)
	case tensor.Uint8:
		kernel.TopK(raw[uint8](o), idx, raw[uint8](x), rows, n, k)
	case tensor.Uint16:
		kernel.TopK(raw[uint16](o), idx, raw[uint16](x), rows, n, k)
	case tensor.Uint32:
		kernel.TopK(raw[uint32](o), idx, raw[uint32](x), rows, n, k)
	case tensor.Uint64:
		kernel.TopK(raw[uint64](o), idx, raw[uint64](x), rows, n, k)
	default:
		return false
	}
	return true
}

// topKGrad puts each gradient where its value was.
func topKGrad(g *ir.Grad) {
	if g.DY[0] == nil {
		return
	}
	rank := g.In[0].Type.Shp.Rank()
	a := &GatherGradAttrs{Axis: rank - 1, BatchDims: rank - 1}
	g.DX[0] = g.EmitN(GatherGrad, a, inShape(g, 0), g.Y(1), g.Dy())
}

// Unique lists the distinct values in the order first seen, and which of them each
// element is.
var Unique = ir.NewOp("Unique", "x, out_idx=tf.int32")

// IdxAttrs are those of ops that return indices; the zero type is int32.
type IdxAttrs struct{ OutIdx tensor.DType }

func (a *IdxAttrs) out() tensor.DType {
	if a == nil || a.OutIdx == tensor.Invalid {
		return tensor.Int32
	}
	return a.OutIdx
}

func init() {
	Unique.Define(ir.Rules{
		Attrs: &IdxAttrs{}, Infer: inferUnique(false), Alloc: runUnique, Grad: ir.NoGradient,
	})
}

// UniqueWithCounts is Unique with how often each value occurs.
var UniqueWithCounts = ir.NewOp("UniqueWithCounts", "x, out_idx=tf.int32")

func init() {
	UniqueWithCounts.Define(ir.Rules{
		Attrs: &IdxAttrs{}, Infer: inferUnique(true), Alloc: runUnique, Grad: ir.NoGradient,
	})
}

func inferUnique(counts bool) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		a, _ := c.Attrs.(*IdxAttrs)
		if s := c.Shape(0); s.RankKnown() && s.Rank() != 1 {
			return ir.Invalid("unique expects a 1D vector.")
		}
		c.SetOut(c.DType(0), tensor.UnknownDims(1))
		c.SetOut(a.out(), c.Shape(0))
		if counts {
			c.SetOut(a.out(), tensor.UnknownDims(1))
		}
		return nil
	}
}

func runUnique(c *ir.Call) *ir.Mistake {
	x := c.T(0)
	idx, count := make([]int64, x.Len()), make([]int64, x.Len())
	var first []int64
	var n int
	switch {
	case x.DType() == tensor.String:
		first, n = uniqueStrings(x, idx, count)
	default:
		switch x.DType().Size() {
		case 1:
			first, n = uniqueOf(raw[uint8](x), idx, count)
		case 2:
			first, n = uniqueOf(raw[uint16](x), idx, count)
		case 4:
			first, n = uniqueOf(raw[uint32](x), idx, count)
		case 8:
			first, n = uniqueOf(raw[uint64](x), idx, count)
		case 16:
			first, n = uniqueOf(raw[wide](x), idx, count)
		}
	}
	if m := pickFrom(c, 0, x, first, tensor.ShapeOf(n)); m != nil {
		return m
	}
	for i, v := range [][]int64{idx, count[:n]}[:c.NumOut()-1] {
		t, m := newResult(c, i+1, c.OutType(i+1).DT, tensor.ShapeOf(len(v)))
		if m != nil {
			return m
		}
		setInts(t, v)
	}
	return nil
}

// uniqueOf numbers distinct elements; first is where each was first seen.
func uniqueOf[T comparable](x []T, idx, count []int64) (first []int64, n int) {
	seen := make(map[T]int64, len(x))
	for i, v := range x {
		k, ok := seen[v]
		if !ok {
			k = int64(len(first))
			seen[v] = k
			first = append(first, int64(i))
		}
		idx[i] = k
		count[k]++
	}
	return first, len(first)
}

func uniqueStrings(x *tensor.Tensor, idx, count []int64) ([]int64, int) {
	return uniqueOf(x.Strs(), idx, count)
}

// pickFrom makes result i of the elements of x at idx.
func pickFrom(c *ir.Call, i int, x *tensor.Tensor, idx []int64, s tensor.Shape) *ir.Mistake {
	if x.DType() == tensor.String {
		return pickStrings(c, i, x, idx, s)
	}
	o, m := newResult(c, i, x.DType(), s)
	if m != nil {
		return m
	}
	n := x.DType().Size()
	for k, at := range idx {
		copy(o.Bytes()[k*n:(k+1)*n], x.Bytes()[int(at)*n:])
	}
	return nil
}

// InvertPermutation is the inverse of a permutation.
var InvertPermutation = ir.NewOp("InvertPermutation", "x", "tf.math.invert_permutation")

func init() {
	InvertPermutation.Define(ir.Rules{
		Infer: like0,
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, _ := c.Ints(0)
			out := make([]int64, len(v))
			for i := range out {
				out[i] = -1
			}
			for i, p := range v {
				if p < 0 || p >= int64(len(v)) {
					return ir.Invalid("%d is not between 0 and %d", p, len(v))
				}
				if out[p] >= 0 {
					return ir.Invalid("%d is duplicated in the input.", p)
				}
				out[p] = int64(i)
			}
			setInts(c.O(0), out)
			return nil
		},
		IntArgs: ir.In(0), Grad: ir.NotDifferentiable,
	})
}

// SegmentSum and its kin fold rows by segment number, which must not decrease.
var SegmentSum = ir.NewOp("SegmentSum", "data, segment_ids", "tf.math.segment_sum")

// SegmentMean averages rows by segment.
var SegmentMean = ir.NewOp("SegmentMean", "data, segment_ids", "tf.math.segment_mean")

// SegmentProd multiplies rows by segment.
var SegmentProd = ir.NewOp("SegmentProd", "data, segment_ids", "tf.math.segment_prod")

// SegmentMax is the maximum of rows by segment.
var SegmentMax = ir.NewOp("SegmentMax", "data, segment_ids", "tf.math.segment_max")

// SegmentMin is the minimum of rows by segment.
var SegmentMin = ir.NewOp("SegmentMin", "data, segment_ids", "tf.math.segment_min")

func init() {
	SegmentSum.Define(ir.Rules{
		Infer: inferSegment, Alloc: segment(kernel.Sum, 0), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = gather0(g.Session, g.Dy(), g.X(1)) },
	})
}

func init() {
	SegmentMean.Define(ir.Rules{
		Infer: inferSegment, Alloc: segment(kernel.Mean, 0), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s, dt := g.Session, g.Dy().DType()
			n := g.In[1].Type.Shp
			var one ir.Value
			if n.Known() {
				one = s.Emit2(Fill, nil, ir.DimList(n.Dims()), s.Scalar(dt, 1))
			} else {
				one = cast(s, s.Emit1(OnesLike, nil, g.X(1)), dt)
			}
			count := gather0(s, s.Emit2(SegmentSum, nil, one, g.X(1)), g.X(1))
			for range g.In[0].Type.Shp.Rank() - 1 {
				count = s.Emit2(ExpandDims, nil, count, ir.IntScalar(-1))
			}
			g.DX[0] = div(s, gather0(s, g.Dy(), g.X(1)), count)
		},
	})
}

func init() {
	SegmentProd.Define(ir.Rules{
		Infer: inferSegment, Alloc: segment(kernel.Prod, 1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			g.DX[0] = div(s, gather0(s, mul(s, g.Dy(), g.Y(0)), g.X(1)), g.X(0))
		},
	})
}

func init() {
	SegmentMax.Define(ir.Rules{
		Infer: inferSegment, Alloc: segment(kernel.Max, 0), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: segmentExtremeGrad,
	})
}

func init() {
	SegmentMin.Define(ir.Rules{
		Infer: inferSegment, Alloc: segment(kernel.Min, 0), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: segmentExtremeGrad,
	})
}

// gather0 picks rows.
func gather0(s *ir.Session, x, idx ir.Value) ir.Value {
	return s.EmitN(GatherV2, gatherPlain, x, idx, ir.IntScalar(0))
}

// segmentExtremeGrad shares the gradient of a segment equally among ties.
func segmentExtremeGrad(g *ir.Grad) {
	s := g.Session
	hit := s.Emit2(Equal, strictEqual, g.X(0), gather0(s, g.Y(0), g.X(1)))
	hits := cast(s, hit, g.Dy().DType())
	share := div(s, g.Dy(), s.Emit2(SegmentSum, nil, hits, g.X(1)))
	g.DX[0] = where(s, hit, gather0(s, share, g.X(1)), zero(s, g.Dy().DType()))
}

func inferSegment(c *ir.Call) *ir.Mistake {
	s, ids := c.Shape(0), c.Shape(1)
	if a, b := s.Dim(0), ids.Dim(0); a >= 0 && b >= 0 && a != b {
		return ir.Invalid("segment_ids should be the same size as dimension 0 of input.")
	}
	if !s.RankKnown() {
		return c.SetOut(c.DType(0), s)
	}
	return c.SetOut(c.DType(0), s.With(0, -1))
}

// segment folds with op; gaps get empty.
func segment(op kernel.ReduceOp, empty float64) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x := c.T(0)
		ids, _ := ir.KnownInts(c.T(1))
		n := int64(0)
		for i, id := range ids {
			if i > 0 && id < ids[i-1] || id < 0 {
				return ir.Invalid("segment ids are not increasing")
			}
			n = id + 1
		}
		o, m := newResult(c, 0, x.DType(), x.Shape().With(0, int(n)))
		if m != nil {
			return m
		}
		if _, ok := segmentAny(op, o, x, ids, int(n), empty, 0); !ok {
			return unsupported(c)
		}
		return nil
	}
}

// segmentAny folds rows of x by ids; limit 1 and -1 make gaps the highest or lowest
// value of the dtype instead of empty.
func segmentAny(op kernel.ReduceOp, o, x *tensor.Tensor, ids []int64, n int, empty float64, limit int) (int, bool) {
	inner := 1
	if n > 0 {
		inner = o.Len() / n
	} else if len(ids) > 0 {
		inner = x.Len() / len(ids)
	}
	switch x.DType() {
	case tensor.Float32:
		return kernel.Segment(op, o.F32(), x.F32(), ids, n, inner, gap[float32](empty, limit)), true
	case tensor.Float64:
		return kernel.Segment(op, o.F64(), x.F64(), ids, n, inner, gap[float64](empty, limit)), true
	case tensor.Int32:
		return kernel.Segment(op, o.I32(), x.I32(), ids, n, inner, gap[int32](empty, limit)), true
	case tensor.Int64:
		return kernel.Segment(op, o.I64(), x.I64(), ids, n, inner, gap[int64](empty, limit)), true
	case tensor.Int8:
		return kernel.Segment(op, raw[int8](o), raw[int8](x), ids, n, inner, gap[int8](empty, limit)), true
	case tensor.Int16:
		return kernel.Segment(op, raw[int16](o), raw[int16](x), ids, n, inner, gap[int16](empty, limit)), true
	case tensor.Uint8:
		return kernel.Segment(op, raw[uint8](o), raw[uint8](x), ids, n, inner, gap[uint8](empty, limit)), true
	case tensor.Uint16:
		return kernel.Segment(op, raw[uint16](o), raw[uint16](x), ids, n, inner, gap[uint16](empty, limit)), true
	case tensor.Uint32:
		return kernel.Segment(op, raw[uint32](o), raw[uint32](x), ids, n, inner, gap[uint32](empty, limit)), true
	case tensor.Uint64:
		return kernel.Segment(op, raw[uint64](o), raw[uint64](x), ids, n, inner, gap[uint64](empty, limit)), true
	case tensor.Float16, tensor.BFloat16:
		f := make([]float32, o.Len())
		bad := kernel.Segment(op, f, widened(x), ids, n, inner, float32(halfGap(x.DType(), empty, limit)))
		narrowed(o, f)
		return bad, true
	}
	return -1, false
}

// gap is the value of a segment without rows.
func gap[T kernel.Real](empty float64, limit int) T {
	if limit == 0 {
		return T(empty)
	}
	switch v := any(T(0)).(type) {
	case float32:
		big := float32(math.MaxFloat32) * float32(limit)
		return T(big) + T(v)
	case float64:
		big := math.MaxFloat64 * float64(limit)
		return T(big) + T(v)
	}
	if limit > 0 {
		return kernel.Highest[T]()
	}
	return kernel.Lowest[T]()
}

func halfGap(dt tensor.DType, empty float64, limit int) float64 {
	if limit == 0 {
		return empty
	}
	return float64(limit) * dt.FloatMax()
}

// unsorted is the kernel of the UnsortedSegment family.
func unsorted(op kernel.ReduceOp, empty float64, limit int) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, it := c.T(0), tensorOf(c, 1)
		ids, _ := ir.KnownInts(it)
		n, _ := c.Int(2)
		o := c.O(0)
		if op == kernel.Sum && x.DType().IsComplex() {
			clear(o.Bytes())
			inner := o.Len() / max(int(n), 1)
			scatter(kernel.ScatterAdd, o, ids, x, int(n), inner)
			return nil
		}
		bad, ok := segmentAny(op, o, x, ids, int(n), empty, limit)
		if !ok {
			return unsupported(c)
		}
		if bad >= 0 {
			return ir.Invalid("segment_ids%s = %d is out of range [0, %d)", place(it.Dims(), bad), ids[bad], n)
		}
		return nil
	}
}

func inferUnsorted(c *ir.Call) *ir.Mistake {
	s, ids := c.Shape(0), c.Shape(1)
	n, ok := c.Int(2)
	if !ok {
		n = -1
	} else if n < 0 {
		return ir.Invalid("Input num_segments == %d must not be negative.", n)
	}
	if !s.RankKnown() || !ids.RankKnown() {
		return c.SetOut(c.DType(0), tensor.UnknownShape)
	}
	if ids.Rank() > s.Rank() || !tensor.Compatible(ids, s.Slice(0, ids.Rank())) {
		return ir.Invalid("data.shape = %s does not start with segment_ids.shape = %s", s.Brackets(), ids.Brackets())
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(int(n)).Concat(s.Slice(ids.Rank(), s.Rank())))
}

// UnsortedSegmentSum adds up rows by segment number; negative numbers are dropped.
var UnsortedSegmentSum = ir.NewOp("UnsortedSegmentSum", "data, segment_ids, num_segments", "tf.math.unsorted_segment_sum")

func init() {
	UnsortedSegmentSum.Define(ir.Rules{
		Infer: inferUnsorted, Kernel: unsorted(kernel.Sum, 0, 0), IntArgs: ir.In(2), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = rowsOrZero(g, g.Dy(), g.X(1)) },
	})
}

// rowsOrZero picks rows of dy by segment number, zeros for a negative one.
func rowsOrZero(g *ir.Grad, dy, ids ir.Value) ir.Value {
	s := g.Session
	z := zeros(s, ids)
	ok := s.Emit2(GreaterEqual, nil, ids, z)
	rows := gather0(s, dy, s.Emit2(Maximum, nil, ids, z))
	for range g.In[0].Type.Shp.Rank() - g.In[1].Type.Shp.Rank() {
		ok = s.Emit2(ExpandDims, nil, ok, ir.IntScalar(-1))
	}
	return where(s, ok, rows, zero(s, dy.DType()))
}

// UnsortedSegmentProd multiplies rows by segment number.
var UnsortedSegmentProd = ir.NewOp("UnsortedSegmentProd", "data, segment_ids, num_segments", "tf.math.unsorted_segment_prod")

func init() {
	UnsortedSegmentProd.Define(ir.Rules{
		Infer: inferUnsorted, Kernel: unsorted(kernel.Prod, 1, 0), IntArgs: ir.In(2),
		Uses: ir.In(0) | ir.In(1) | ir.In(2) | ir.Out(0), Grad: segmentProdGrad,
	})
}

// segmentProdGrad is right with zeros: a segment with one zero gives its whole
// gradient to that element.
func segmentProdGrad(g *ir.Grad) {
	s, x, ids, dt := g.Session, g.X(0), g.X(1), g.Dy().DType()
	isZero := s.Emit2(Equal, strictEqual, x, zero(s, dt))
	zerosIn := s.EmitN(UnsortedSegmentSum, nil, cast(s, isZero, tensor.Int32), ids, g.X(2))
	dy := where(s, s.Emit2(Greater, nil, zerosIn, s.Scalar(tensor.Int32, 1)), zeros(s, g.Dy()), g.Dy())
	others := s.EmitN(UnsortedSegmentProd, nil, where(s, isZero, s.Emit1(OnesLike, nil, x), x), ids, g.X(2))
	idx := s.Emit2(Maximum, nil, ids, zeros(s, ids))
	p, q := gather0(s, g.Y(0), idx), gather0(s, others, idx)
	d := where(s, isZero, q, div(s, p, x))
	g.DX[0] = mul(s, rowsOrZero(g, dy, ids), d)
}

// UnsortedSegmentMax is the maximum of rows by segment number.
var UnsortedSegmentMax = ir.NewOp("UnsortedSegmentMax", "data, segment_ids, num_segments", "tf.math.unsorted_segment_max")

func init() {
	UnsortedSegmentMax.Define(ir.Rules{
		Infer: inferUnsorted, Kernel: unsorted(kernel.Max, 0, -1), IntArgs: ir.In(2),
		Uses: ir.In(0) | ir.In(1) | ir.In(2) | ir.Out(0), Grad: unsortedExtremeGrad,
	})
}

// UnsortedSegmentMin is the minimum of rows by segment number.
var UnsortedSegmentMin = ir.NewOp("UnsortedSegmentMin", "data, segment_ids, num_segments", "tf.math.unsorted_segment_min")

func init() {
	UnsortedSegmentMin.Define(ir.Rules{
		Infer: inferUnsorted, Kernel: unsorted(kernel.Min, 0, 1), IntArgs: ir.In(2),
		Uses: ir.In(0) | ir.In(1) | ir.In(2) | ir.Out(0), Grad: unsortedExtremeGrad,
	})
}

func unsortedExtremeGrad(g *ir.Grad) {
	s, x, ids := g.Session, g.X(0), g.X(1)
	idx := s.Emit2(Maximum, nil, ids, zeros(s, ids))
	hit := s.Emit2(Equal, strictEqual, x, gather0(s, g.Y(0), idx))
	n := s.EmitN(UnsortedSegmentSum, nil, cast(s, hit, g.Dy().DType()), ids, g.X(2))
	share := div(s, g.Dy(), n)
	g.DX[0] = where(s, hit, rowsOrZero(g, share, ids), zero(s, g.Dy().DType()))
}

// BincountAttrs are those of DenseBincount.
type BincountAttrs struct{ Binary bool }

// DenseBincount counts how often each number below size occurs, or adds weights.
var DenseBincount = ir.NewOp("DenseBincount", "input, size, weights")

func init() {
	DenseBincount.Define(ir.Rules{
		Attrs: &BincountAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			n, ok := c.Int(1)
			if !ok {
				n = -1
			}
			s := tensor.ShapeOf(int(n))
			if c.Shape(0).Rank() == 2 {
				s = tensor.ShapeOf(c.Shape(0).Dim(0), int(n))
			}
			return c.SetOut(c.DType(2), s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, _ := c.Ints(0)
			n, _ := c.Int(1)
			bin := c.Attrs.(*BincountAttrs).Binary
			out := make([]float64, c.O(0).Len())
			w := make([]float64, c.T(2).Len())
			kernel.Cast(w, elems(c.T(2)))
			row := len(v)
			if c.Shape(0).Rank() == 2 {
				row = c.Shape(0).Dim(1)
			}
			for i, x := range v {
				if x < 0 {
					return ir.Invalid("Input arr must be non-negative!")
				}
				if x >= n {
					continue
				}
				at := i/max(row, 1)*int(n) + int(x)
				switch {
				case bin:
					out[at] = 1
				case len(w) > 0:
					out[at] += w[i]
				default:
					out[at]++
				}
			}
			kernel.Cast(elems(c.O(0)), out)
			return nil
		},
		IntArgs: ir.In(1), Grad: ir.NoGradient,
	})
}
