package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Tile repeats a tensor along each dimension.
var Tile = ir.NewOp("Tile", "input, multiples", "tf.tile")

func init() {
	Tile.Define(ir.Rules{
		Infer: inferTile,
		Alloc: func(c *ir.Call) *ir.Mistake {
			v, _ := c.IntsExact(1)
			x := c.T(0)
			from := kernel.Dense(x.Dims())
			both, stride := make([]int, 2*len(v)), make([]int, 2*len(v))
			for i, n := range v {
				both[2*i], both[2*i+1], stride[2*i+1] = int(n), x.Dims()[i], from.Stride[i]
			}
			view := kernel.Strided{Stride: stride}
			if x.DType() == tensor.String {
				src, idx := make([]int64, x.Len()), make([]int64, prod(both))
				kernel.Iota(src, 0, 1)
				kernel.CopyND(idx, kernel.Dense(both), src, view, both)
				return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
			}
			o, m := newOut(c, 0)
			if m == nil {
				move(o, kernel.Dense(both), x, view, both)
			}
			return m
		},
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: tileGrad,
	})
}

func inferTile(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	n := c.Shape(1).Dim(0)
	if s.RankKnown() && n >= 0 && n != s.Rank() {
		return &ir.Mistake{Kind: ir.TileRank, Args: []any{s.Rank(), n}}
	}
	v, ok := c.IntsExact(1)
	if !ok || !s.RankKnown() {
		if s.RankKnown() {
			return c.SetOut(c.DType(0), tensor.UnknownDims(s.Rank()))
		}
		return c.SetOut(c.DType(0), tensor.UnknownShape)
	}
	dims := dimsCopy(s)
	for i, n := range v {
		if n < 0 {
			return ir.Invalid("Expected multiples[%d] >= 0, but got %d", i, n)
		}
		if dims[i] >= 0 {
			dims[i] *= int(n)
		}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(dims...))
}

// tileGrad sums over the repetitions: dy as [n0, d0, n1, d1, …] over the n.
func tileGrad(g *ir.Grad) {
	s := g.Session
	v, ok := exactInts(g.X(1))
	in := g.In[0].Type.Shp
	if ok && in.Known() {
		var dims, axes []int64
		for i, n := range v {
			dims, axes = append(dims, n, int64(in.Dim(i))), append(axes, int64(2*i))
		}
		r := s.Emit2(Reshape, nil, g.Dy(), ir.IntList(dims...))
		g.DX[0] = s.Emit2(Reshape, nil, s.Emit2(Sum, reduceDrop, r, ir.IntList(axes...)), ir.DimList(in.Dims()))
		return
	}
	sx := inShapeT(g, 0)
	both := s.EmitN(Pack, &PackAttrs{Axis: 1}, cast(s, tensorValue(s, g.X(1)), sx.DType()), sx)
	r := s.Emit2(Reshape, nil, g.Dy(), s.Emit2(Reshape, nil, both, ir.IntList(-1)))
	n := s.Emit1(Size, &ShapeAttrs{}, both)
	axes := s.EmitN(Range, nil, ir.IntScalar(0), n, ir.IntScalar(2))
	g.DX[0] = s.Emit2(Reshape, nil, s.Emit2(Sum, reduceDrop, r, axes), sx)
}

// ReverseV2 flips a tensor along axes.
var ReverseV2 = ir.NewOp("ReverseV2", "tensor, axis", "tf.reverse")

func init() {
	ReverseV2.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			v, ok := c.IntsExact(1)
			rank := c.Shape(0).Rank()
			var seen [maxRank]bool
			for i, a := range v {
				if !ok || rank < 0 {
					break
				}
				k, in := axisOf(a, rank)
				if !in {
					return ir.Invalid("'axis'[%d] = %d is out of valid range [0, %d", i, a, rank-1)
				}
				if seen[k] {
					return ir.Invalid("axis %d specified more than once.", k)
				}
				seen[k] = true
			}
			return c.SetLike(0)
		},
		Known: func(c *ir.Call) ([]int64, bool) {
			v, ok := c.Ints(0)
			a, okA := c.IntsExact(1)
			if !ok || !okA || len(a) != 1 || c.Shape(0).Rank() != 1 {
				return nil, false
			}
			out := make([]int64, len(v))
			for i, x := range v {
				out[len(v)-1-i] = x
			}
			return out, true
		},
		Alloc: moved(func(c *ir.Call) (kernel.Strided, *ir.Mistake) {
			x := c.T(0)
			from := kernel.Dense(x.Dims())
			axes, _ := c.IntsExact(1)
			for _, a := range axes {
				i, _ := axisOf(a, x.Rank())
				if d := x.Dims()[i]; d > 0 {
					from.Offset += (d - 1) * from.Stride[i]
					from.Stride[i] = -from.Stride[i]
				}
			}
			return from, nil
		}),
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(ReverseV2, nil, g.Dy(), g.X(1)) },
	})
}

// ReverseSequenceAttrs are those of ReverseSequence.
type ReverseSequenceAttrs struct{ SeqDim, BatchDim int }

// ReverseSequence flips the first elements of each row, as many as operand 1 says.
var ReverseSequence = ir.NewOp("ReverseSequence", "input, seq_lengths, seq_axis=None, batch_axis=None")

func init() {
	ReverseSequence.Define(ir.Rules{
		Attrs: &ReverseSequenceAttrs{}, Infer: like0,
		Alloc: func(c *ir.Call) *ir.Mistake {
			a, x := c.Attrs.(*ReverseSequenceAttrs), c.T(0)
			lens, _ := ir.KnownInts(c.T(1))
			dims := x.Dims()
			sq, okS := axisOf(int64(a.SeqDim), len(dims))
			bt, okB := axisOf(int64(a.BatchDim), len(dims))
			if !okS || !okB || sq == bt || len(lens) != dims[bt] {
				return ir.Invalid("Length of seq_lengths != input.dims(%d), (%d vs. %d)", a.BatchDim, len(lens), dims[min(bt, len(dims)-1)])
			}
			st := kernel.Dense(dims).Stride
			idx := make([]int64, x.Len())
			for i := range idx {
				s, b := i/st[sq]%dims[sq], i/st[bt]%dims[bt]
				n := int(lens[b])
				if n > dims[sq] || n < 0 {
					return ir.Invalid("seq_lens(%d) > input.dims(%d)", b, a.SeqDim)
				}
				k := i
				if s < n {
					k += (n - 1 - 2*s) * st[sq]
				}
				idx[i] = int64(k)
			}
			return pick(c, x, idx)
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(ReverseSequence, g.Attrs, g.Dy(), g.X(1)) },
	})
}

// Roll shifts elements along axes, around the ends.
var Roll = ir.NewOp("Roll", "input, shift, axis", "tf.roll")

func init() {
	Roll.Define(ir.Rules{
		Infer: like0,
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			shift, _ := c.Ints(1)
			axes, _ := c.Ints(2)
			if len(shift) != len(axes) {
				return ir.Invalid("shift and axis must have the same size")
			}
			by := make([]int, x.Rank())
			for i, a := range axes {
				k, ok := axisOf(a, x.Rank())
				if !ok {
					return ir.Invalid("axis %d is out of range", a)
				}
				by[k] += int(shift[i])
			}
			st := kernel.Dense(x.Dims()).Stride
			idx := make([]int64, x.Len())
			for i := range idx {
				k := 0
				for d, n := range x.Dims() {
					p := (i/st[d]%n - by[d]) % n
					if p < 0 {
						p += n
					}
					k += p * st[d]
				}
				idx[i] = int64(k)
			}
			return pick(c, x, idx)
		},
		IntArgs: ir.In(1) | ir.In(2), Uses: ir.In(1) | ir.In(2),
		Grad: func(g *ir.Grad) {
			v, ok := exactInts(g.X(1))
			var back ir.Value
			if ok {
				l := make([]int64, len(v))
				for i := range v {
					l[i] = -v[i]
				}
				back = &ir.Ints{V: l, DT: tensor.Int32, Scalar: g.X(1).Shape().Rank() == 0}
			} else {
				back = neg(g.Session, g.X(1))
			}
			g.DX[0] = g.EmitN(Roll, nil, g.Dy(), back, g.X(2))
		},
	})
}
