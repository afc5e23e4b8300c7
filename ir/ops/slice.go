package ops

import (
	"math/bits"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Slice cuts a box out of a tensor.
var Slice = ir.NewOp("Slice", "input_, begin, size", "tf.slice")

func init() {
	Slice.Define(ir.Rules{
		Infer: inferSlice,
		Known: func(c *ir.Call) ([]int64, bool) {
			v, ok := c.Ints(0)
			b, okB := c.Int(1)
			n, okN := c.Int(2)
			if !ok || !okB || !okN || b < 0 || b > int64(len(v)) {
				return nil, false
			}
			if n < 0 {
				n = int64(len(v)) - b
			}
			return v[b:min(b+n, int64(len(v)))], true
		},
		Alloc: moved(func(c *ir.Call) (kernel.Strided, *ir.Mistake) {
			begin, _ := c.IntsExact(1)
			from := kernel.Dense(c.T(0).Dims())
			for i, b := range begin {
				from.Offset += int(b) * from.Stride[i]
			}
			return from, nil
		}),
		IntArgs: ir.In(1) | ir.In(2), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			in, out := g.In[0].Type.Shp, g.Out[0].Type.Shp
			if b, ok := exactInts(g.X(1)); ok && in.Known() && out.Known() {
				pads := make([]int64, 0, 2*len(b))
				for i, v := range b {
					pads = append(pads, v, int64(in.Dim(i)-out.Dim(i))-v)
				}
				g.DX[0] = s.Emit2(Pad, nil, g.Dy(), s.Const(padsTensor(pads)))
				return
			}
			begin := cast(s, tensorValue(s, g.X(1)), tensor.Int32)
			after := sub(s, sub(s, inShapeT(g, 0), begin), tensorValue(s, outShape(g, 0)))
			g.DX[0] = s.Emit2(Pad, nil, g.Dy(), s.EmitN(Pack, &PackAttrs{Axis: 1}, begin, after))
		},
	})
}

// padsTensor is [n, 2] paddings.
func padsTensor(v []int64) *tensor.Tensor {
	t := tensor.Make(tensor.Int32, tensor.ShapeOf(len(v)/2, 2))
	for i, x := range v {
		t.I32()[i] = int32(x)
	}
	return t
}

// tensorValue turns a list of ints into a value that arithmetic takes.
func tensorValue(s *ir.Session, v ir.Value) ir.Value {
	if l, ok := v.(*ir.Ints); ok {
		return s.Const(l.Tensor())
	}
	return v
}

func inShapeT(g *ir.Grad, i int) ir.Value { return tensorValue(g.Session, inShape(g, i)) }

func inferSlice(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	nb, ns := c.Shape(1).Dim(0), c.Shape(2).Dim(0)
	if s.RankKnown() && (nb >= 0 && nb != s.Rank() || ns >= 0 && ns != s.Rank()) {
		return ir.Invalid("Expected begin and size arguments to be 1-D tensors of size %d, but got shapes %s and %s instead.",
			s.Rank(), c.Shape(1).Brackets(), c.Shape(2).Brackets())
	}
	begin, okB := c.IntsExact(1)
	size, okS := c.Ints(2)
	_, exactS := c.IntsExact(2)
	if !okS || !s.RankKnown() {
		if s.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(s.Rank()))
		}
		return c.SetOut(c.DType(0), tensor.UnknownDims(max(nb, ns)))
	}
	var buf [maxRank]int
	out := buf[:0]
	for i, n := range size {
		d := int64(s.Dim(i))
		switch {
		case n < 0 && (!okB || d < 0 || !exactS):
			n = -1
		case n < 0:
			n = d - begin[i]
		}
		if okB && d >= 0 {
			if begin[i] < 0 || begin[i] > d {
				return ir.Invalid("Expected begin[%d] in [0, %d], but got %d", i, d, begin[i])
			}
			if n > d-begin[i] {
				return ir.Invalid("Expected size[%d] in [0, %d], but got %d", i, d-begin[i], n)
			}
		}
		out = append(out, int(n))
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(out...))
}

// SliceAttrs are the masks of the StridedSlice family, one bit an index.
type SliceAttrs struct {
	BeginMask, EndMask, EllipsisMask, NewAxisMask, ShrinkAxis int
}

var plainSlice = &SliceAttrs{}

func sliceAttrs(c *ir.Call) *SliceAttrs {
	if a, ok := c.Attrs.(*SliceAttrs); ok && a != nil {
		return a
	}
	return plainSlice
}

// slicing is a strided slice resolved against a shape: where it begins, its steps
// and sizes by dimension of the operand, and the shape of the result.
type slicing struct {
	begin, step, size []int // size -1: unknown
	out               []int
}

// resolve works out an index expression. v are begin, end and strides, nil if not
// known while tracing; shape must have a known rank.
func (a *SliceAttrs) resolve(shape tensor.Shape, begin, end, strides []int64, n int) (*slicing, *ir.Mistake) {
	rank := shape.Rank()
	if rank == 0 && n > bits.OnesCount(uint(a.NewAxisMask))+bits.OnesCount(uint(a.EllipsisMask)) {
		return nil, ir.Invalid("Attempting to slice scalar input.")
	}
	r := &slicing{}
	dim := 0
	if bits.OnesCount(uint(a.EllipsisMask)) > 1 {
		return nil, ir.Invalid("Multiple ellipses in slice spec not allowed")
	}
	for i := range n {
		bit := 1 << i
		switch {
		case a.EllipsisMask&bit != 0:
			after := 0
			for k := i + 1; k < n; k++ {
				if a.NewAxisMask>>k&1 == 0 {
					after++
				}
			}
			for ; dim < rank-after; dim++ {
				r.whole(shape.Dim(dim))
			}
		case a.NewAxisMask&bit != 0:
			r.out = append(r.out, 1)
		case dim >= rank:
			return nil, ir.Invalid("Index out of range using input dim %d; input has only %d dims", dim, rank)
		default:
			if m := r.index(a, i, shape.Dim(dim), dim, begin, end, strides); m != nil {
				return nil, m
			}
			dim++
		}
	}
	for ; dim < rank; dim++ {
		r.whole(shape.Dim(dim))
	}
	return r, nil
}

func (r *slicing) whole(d int) {
	r.begin, r.step, r.size, r.out = append(r.begin, 0), append(r.step, 1), append(r.size, d), append(r.out, d)
}

func (r *slicing) index(a *SliceAttrs, i, d, dim int, begin, end, strides []int64) *ir.Mistake {
	bit := 1 << i
	known := begin != nil && end != nil && strides != nil
	step := int64(1)
	if strides != nil {
		step = strides[i]
	}
	if step == 0 {
		return ir.Invalid("strides[%d] must be non-zero", i)
	}
	if a.ShrinkAxis&bit != 0 {
		at := 0
		if begin != nil {
			b := begin[i]
			if d >= 0 {
				if b < 0 {
					b += int64(d)
				}
				if b < 0 || b >= int64(d) {
					return ir.Invalid("slice index %d of dimension %d out of bounds.", b, dim)
				}
			}
			at = int(b)
		}
		r.begin, r.step, r.size = append(r.begin, at), append(r.step, 1), append(r.size, 1)
		return nil
	}
	full := a.BeginMask&bit != 0 && a.EndMask&bit != 0
	if d < 0 || !known && !full {
		if full && step == 1 {
			r.whole(d)
			return nil
		}
		r.begin, r.step, r.size = append(r.begin, 0), append(r.step, int(step)), append(r.size, -1)
		r.out = append(r.out, -1)
		return nil
	}
	lo, hi := int64(0), int64(d)
	if step < 0 {
		lo, hi = -1, int64(d)-1
	}
	b, e := lo, hi
	if step < 0 {
		b, e = hi, lo
	}
	if a.BeginMask&bit == 0 {
		b = clampIndex(begin[i], int64(d), lo, hi)
	}
	if a.EndMask&bit == 0 {
		e = clampIndex(end[i], int64(d), lo, hi)
	}
	n := int64(0)
	if step > 0 && e > b {
		n = (e - b + step - 1) / step
	} else if step < 0 && e < b {
		n = (b - e - step - 1) / -step
	}
	r.begin, r.step, r.size, r.out = append(r.begin, int(b)), append(r.step, int(step)), append(r.size, int(n)), append(r.out, int(n))
	return nil
}

func clampIndex(v, d, lo, hi int64) int64 {
	if v < 0 {
		v += d
	}
	return min(max(v, lo), hi)
}

// resolveCall resolves operands at.. at+2 against shape.
func resolveCall(c *ir.Call, shape tensor.Shape, at int) (*slicing, *ir.Mistake) {
	n := c.Shape(at).Dim(0)
	if n < 0 || !shape.RankKnown() {
		return nil, nil
	}
	begin, _ := c.IntsExact(at)
	end, _ := c.IntsExact(at + 1)
	strides, _ := c.IntsExact(at + 2)
	return sliceAttrs(c).resolve(shape, begin, end, strides, n)
}

// view is the source view of the slice on a dense operand, by dimension of the
// operand (new axes don't count).
func (r *slicing) view(dims []int) kernel.Strided {
	from := kernel.Dense(dims)
	for i := range r.begin {
		from.Offset += r.begin[i] * from.Stride[i]
		from.Stride[i] *= r.step[i]
	}
	return from
}

// StridedSlice is the slice that an index expression names.
var StridedSlice = ir.NewOp("StridedSlice", "input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0")

func init() {
	StridedSlice.Define(ir.Rules{
		Attrs: plainSlice,
		Infer: func(c *ir.Call) *ir.Mistake {
			r, m := resolveCall(c, c.Shape(0), 1)
			if m != nil {
				return m
			}
			if r == nil {
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(r.out...))
		},
		Known: knownSlice,
		View: func(c *ir.Call) (int, bool) {
			r, m := resolveCall(c, c.Shape(0), 1)
			if m != nil || r == nil {
				return 0, false
			}
			return r.dense(c.T(0).Dims())
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			r, m := resolveCall(c, c.Shape(0), 1)
			if m != nil {
				return m
			}
			x := c.T(0)
			if x.DType() == tensor.String {
				return movedStrings2(c, x, r)
			}
			o, m := newOut(c, 0)
			if m == nil {
				move(o, kernel.Dense(r.size), x, r.view(x.Dims()), r.size)
			}
			return m
		},
		IntArgs: ir.In(1) | ir.In(2) | ir.In(3), Uses: ir.In(1) | ir.In(2) | ir.In(3),
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.EmitN(StridedSliceGrad, g.Attrs, inShape(g, 0), g.X(1), g.X(2), g.X(3), g.Dy())
		},
	})
}

func movedStrings2(c *ir.Call, x *tensor.Tensor, r *slicing) *ir.Mistake {
	src, idx := make([]int64, x.Len()), make([]int64, prod(r.size))
	kernel.Iota(src, 0, 1)
	kernel.CopyND(idx, kernel.Dense(r.size), src, r.view(x.Dims()), r.size)
	return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
}

// dense reports a slice whose elements lie together, and from where on.
func (r *slicing) dense(dims []int) (int, bool) {
	off, step, run := 0, 1, true // run: all inner dimensions are whole
	for i := len(dims) - 1; i >= 0; i-- {
		if r.size[i] > 1 && r.step[i] != 1 || !run && r.size[i] > 1 {
			return 0, false
		}
		if r.size[i] == 0 {
			return 0, true
		}
		if r.size[i] != dims[i] {
			run = false
		}
		off += r.begin[i] * step
		step *= dims[i]
	}
	return off, true
}

func knownSlice(c *ir.Call) ([]int64, bool) {
	v, ok := c.Ints(0)
	if !ok || c.Shape(0).Rank() != 1 {
		return nil, false
	}
	r, m := resolveCall(c, c.Shape(0), 1)
	begin, okB := c.IntsExact(1)
	if m != nil || r == nil || !okB || len(begin) != 1 || len(r.size) != 1 || r.size[0] < 0 || len(r.out) > 1 {
		return nil, false
	}
	out := []int64{}
	for i := range r.size[0] {
		out = append(out, v[r.begin[0]+i*r.step[0]])
	}
	return out, true
}

// StridedSliceGrad puts dy where a strided slice of a tensor of shape came from,
// and zeros elsewhere.
var StridedSliceGrad = ir.NewOp("StridedSliceGrad", "shape, begin, end, strides, dy")

func init() {
	StridedSliceGrad.Define(ir.Rules{
		Attrs: plainSlice,
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(4), c.ShapeArg(0)) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			s := c.OutType(0).Shp
			r, m := resolveCall(c, s, 1)
			if m != nil {
				return m
			}
			o, err := c.Env.Alloc.Zeros(c.DType(4), s)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			if c.T(4).Len() != prod(r.size) {
				return ir.Invalid("shape of dy was %s instead of %s", c.T(4).Shape().Brackets(), tensor.ShapeOf(r.out...).Brackets())
			}
			move(o, r.view(s.Dims()), c.T(4), kernel.Dense(r.size), r.size)
			return nil
		},
		IntArgs: ir.In(0) | ir.In(1) | ir.In(2) | ir.In(3), Uses: ir.In(1) | ir.In(2) | ir.In(3),
		Grad: func(g *ir.Grad) {
			g.DX[4] = g.EmitN(StridedSlice, g.Attrs, g.Dy(), g.X(1), g.X(2), g.X(3))
		},
	})
}

// paddings reads operand 1 as before and after by dimension.
func paddings(c *ir.Call) (before, after []int, known bool, m *ir.Mistake) {
	t, ok := c.Const(1)
	s := c.Shape(0)
	if p := c.Shape(1); p.RankKnown() && s.RankKnown() && (p.Rank() != 2 || p.Dim(0) >= 0 && p.Dim(0) != s.Rank()) {
		return nil, nil, false, &ir.Mistake{Kind: ir.PadRank, Args: []any{p, s, s.Rank(), p.Dim(0)}}
	}
	if !ok {
		return nil, nil, false, nil
	}
	v, _ := ir.KnownInts(t)
	for i := 0; i+1 < len(v); i += 2 {
		if v[i] < 0 || v[i+1] < 0 {
			return nil, nil, true, ir.Invalid("Paddings must be non-negative: %d %d", v[i], v[i+1])
		}
		before, after = append(before, int(v[i])), append(after, int(v[i+1]))
	}
	return before, after, true, nil
}

func inferPad(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	before, after, known, m := paddings(c)
	if m != nil {
		return m
	}
	if !known || !s.RankKnown() {
		if s.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(s.Rank()))
		}
		return c.SetOut(c.DType(0), tensor.UnknownDims(c.Shape(1).Dim(0)))
	}
	dims := dimsCopy(s)
	for i := range dims {
		if dims[i] >= 0 {
			dims[i] += before[i] + after[i]
		}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(dims...))
}

// Pad surrounds a tensor with zeros.
var Pad = ir.NewOp("Pad", "input, paddings")

func init() {
	Pad.Define(ir.Rules{
		Infer: inferPad, Alloc: runPad, Uses: ir.In(1), Grad: padGrad,
	})
}

// PadV2 surrounds a tensor with a value.
var PadV2 = ir.NewOp("PadV2", "input, paddings, constant_values")

func init() {
	PadV2.Define(ir.Rules{
		Infer: inferPad, Alloc: runPad, Uses: ir.In(1), Grad: padGrad,
	})
}

func runPad(c *ir.Call) *ir.Mistake {
	before, after, _, m := paddings(c)
	if m != nil {
		return m
	}
	x := c.T(0)
	s := c.OutType(0).Shp
	if x.DType() == tensor.String {
		return padStrings(c, x, before, s)
	}
	var o *tensor.Tensor
	if c.N() > 2 {
		o, m = newOut(c, 0)
		if m == nil {
			repeat(o, c.T(2))
		}
	} else {
		var err error
		if o, err = c.Env.Alloc.Zeros(x.DType(), s); err != nil {
			return ir.Raise(err)
		}
		c.SetResult(0, o)
	}
	if m != nil {
		return m
	}
	_ = after
	to := kernel.Dense(s.Dims())
	for i, b := range before {
		to.Offset += b * to.Stride[i]
	}
	move(o, to, x, kernel.Dense(x.Dims()), x.Dims())
	return nil
}

func padStrings(c *ir.Call, x *tensor.Tensor, before []int, s tensor.Shape) *ir.Mistake {
	src, idx := make([]int64, x.Len()), make([]int64, s.NumElements())
	kernel.Iota(src, 0, 1)
	kernel.Fill(idx, -1)
	to := kernel.Dense(s.Dims())
	for i, b := range before {
		to.Offset += b * to.Stride[i]
	}
	kernel.CopyND(idx, to, src, kernel.Dense(x.Dims()), x.Dims())
	return pickStrings(c, 0, x, idx, s)
}

// padGrad cuts the middle out again.
func padGrad(g *ir.Grad) {
	s := g.Session
	pads, ok := padsOf(g.X(1))
	in := g.In[0].Type.Shp
	if ok && in.Known() {
		begin := make([]int64, in.Rank())
		for i := range begin {
			begin[i] = pads[2*i]
		}
		g.DX[0] = s.EmitN(Slice, nil, g.Dy(), ir.IntList(begin...), ir.DimList(in.Dims()))
	} else {
		first := s.EmitN(StridedSlice, &SliceAttrs{BeginMask: 3, EndMask: 1, ShrinkAxis: 2}, g.X(1), ir.IntList(0, 0), ir.IntList(0, 1), ir.IntList(1, 1))
		g.DX[0] = s.EmitN(Slice, nil, g.Dy(), cast(s, first, tensor.Int32), inShape(g, 0))
	}
}

func padsOf(v ir.Value) ([]int64, bool) {
	if s, ok := v.(*ir.Sym); ok {
		if s.Exact == nil {
			return nil, false
		}
		v = s.Exact
	}
	return ir.KnownInts(v)
}

// MirrorAttrs are those of MirrorPad: Mode is REFLECT or SYMMETRIC.
type MirrorAttrs struct{ Mode string }

func (a *MirrorAttrs) skip() int {
	if a.Mode == "REFLECT" {
		return 1
	}
	return 0
}

// MirrorPad surrounds a tensor with its own reflection.
var MirrorPad = ir.NewOp("MirrorPad", "input, paddings, mode")

func init() {
	MirrorPad.Define(ir.Rules{
		Attrs: &MirrorAttrs{Mode: "REFLECT"},
		Infer: func(c *ir.Call) *ir.Mistake {
			before, after, known, m := paddings(c)
			if m != nil {
				return m
			}
			skip := c.Attrs.(*MirrorAttrs).skip()
			for i, d := range c.Shape(0).Dims() {
				if known && d >= 0 && (before[i] > d-skip || after[i] > d-skip) {
					than := "less than the dimension size"
					if skip == 0 {
						than = "no greater than the dimension size"
					}
					word := map[int]string{1: "not less than", 0: "greater than"}[skip]
					return ir.Invalid("paddings must be %s: %d, %d %s %d", than, before[i], after[i], word, d)
				}
			}
			return inferPad(c)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			src := mirrored(c, c.T(0).Dims(), c.OutType(0).Shp.Dims())
			return pick(c, c.T(0), src)
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(MirrorPadGrad, g.Attrs, g.Dy(), g.X(1)) },
	})
}

// mirrored lists for each element of the padded shape which element it repeats.
func mirrored(c *ir.Call, dims, out []int) []int64 {
	before, after, _, _ := paddings(c)
	src, idx := make([]int64, prod(dims)), make([]int64, prod(out))
	kernel.Iota(src, 0, 1)
	kernel.PadMirror(idx, src, dims, before, after, c.Attrs.(*MirrorAttrs).skip())
	return idx
}

// pick makes the one result of the elements of x at idx.
func pick(c *ir.Call, x *tensor.Tensor, idx []int64) *ir.Mistake {
	if x.DType() == tensor.String {
		return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
	}
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	g := kernel.GatherShape{Batch: 1, Outer: 1, Axis: x.Len(), Inner: 1, Count: len(idx)}
	switch x.DType().Size() {
	case 1:
		kernel.Gather(raw[uint8](o), raw[uint8](x), idx, g)
	case 2:
		kernel.Gather(raw[uint16](o), raw[uint16](x), idx, g)
	case 4:
		kernel.Gather(raw[uint32](o), raw[uint32](x), idx, g)
	case 8:
		kernel.Gather(raw[uint64](o), raw[uint64](x), idx, g)
	case 16:
		kernel.Gather(raw[wide](o), raw[wide](x), idx, g)
	}
	return nil
}

// MirrorPadGrad adds a padded gradient back onto the cells that were repeated.
var MirrorPadGrad = ir.NewOp("MirrorPadGrad", "input, paddings, mode")

func init() {
	MirrorPadGrad.Define(ir.Rules{
		Attrs: &MirrorAttrs{Mode: "REFLECT"},
		Infer: func(c *ir.Call) *ir.Mistake {
			before, after, known, m := paddings(c)
			if m != nil || !known || !c.Shape(0).RankKnown() {
				return c.SetOutOr(c.DType(0), tensor.UnknownDims(max(c.Shape(0).Rank(), 0)), m)
			}
			dims := dimsCopy(c.Shape(0))
			for i := range dims {
				if dims[i] >= 0 {
					dims[i] -= before[i] + after[i]
				}
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(dims...))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			s := c.OutType(0).Shp
			idx := mirrored(c, s.Dims(), c.T(0).Dims())
			o, err := c.Env.Alloc.Zeros(c.DType(0), s)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			if _, ok := scatter(kernel.ScatterAdd, o, idx, c.T(0), o.Len(), 1); !ok {
				return unsupported(c)
			}
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(MirrorPad, g.Attrs, g.Dy(), g.X(1)) },
	})
}
