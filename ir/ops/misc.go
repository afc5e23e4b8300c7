package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// HistogramFixedWidth counts values in bins of equal width.
var HistogramFixedWidth = ir.NewOp("HistogramFixedWidth", "values, value_range, nbins=100")

func init() {
	HistogramFixedWidth.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			n, ok := c.Int(2)
			if !ok {
				n = -1
			}
			return c.SetOut(tensor.Int32, tensor.ShapeOf(int(n)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, r := make([]float64, c.T(0).Len()), make([]float64, 2)
			kernel.Cast(v, elems(c.T(0)))
			kernel.Cast(r, elems(c.T(1)))
			if r[0] >= r[1] {
				return ir.Invalid("value_range should satisfy value_range[0] < value_range[1], but got [%v, %v]", r[0], r[1])
			}
			o := c.O(0).I32()
			clear(o)
			for _, x := range v {
				i := int(math.Floor((x - r[0]) / (r[1] - r[0]) * float64(len(o))))
				o[min(max(i, 0), len(o)-1)]++
			}
			return nil
		},
		IntArgs: ir.In(2), Grad: ir.NoGradient,
	})
}

// Betainc is the regularised incomplete beta function.
var Betainc = ir.NewOp("Betainc", "a, b, x", "tf.math.betainc")

func init() {
	Betainc.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			for i := 1; i < 3; i++ {
				b, ok := tensor.Broadcast(s, c.Shape(i))
				if !ok {
					return incompatible(s, c.Shape(i))
				}
				s = b
			}
			return c.SetOut(c.DType(0), s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			o := c.O(0)
			var v [3][]float64
			var ix [3][]int64
			for i := range v {
				v[i] = make([]float64, c.T(i).Len())
				kernel.Cast(v[i], elems(c.T(i)))
				ix[i] = spread(c.T(i), o.Dims())
			}
			out := make([]float64, o.Len())
			for i := range out {
				out[i] = betainc(v[0][ix[0][i]], v[1][ix[1][i]], v[2][ix[2][i]])
			}
			kernel.Cast(elems(o), out)
			return nil
		},
		Uses: ir.In(0) | ir.In(1) | ir.In(2),
		Grad: func(g *ir.Grad) {
			s, a, b, x := g.Session, g.X(0), g.X(1), g.X(2)
			lb := sub(s, add(s, g.Emit1(Lgamma, nil, a), g.Emit1(Lgamma, nil, b)), g.Emit1(Lgamma, nil, add(s, a, b)))
			e := add(s, g.Emit2(Xlog1py, nil, plus(s, b, -1), neg(s, x)), g.Emit2(Xlogy, nil, plus(s, a, -1), x))
			g.DX[2] = fit3(g, mul(s, g.Dy(), g.Emit1(Exp, nil, sub(s, e, lb))), 2)
		},
	})
}

// betainc evaluates the continued fraction (Lentz).
func betainc(a, b, x float64) float64 {
	switch {
	case x != x || a <= 0 || b <= 0 || x < 0 || x > 1:
		return math.NaN()
	case x == 0 || x == 1:
		return x
	case x > (a+1)/(a+b+2):
		return 1 - betainc(b, a, 1-x)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := 0; i < 500; i++ {
		m := float64(i / 2)
		num := 1.0
		switch {
		case i == 0:
		case i%2 == 0:
			num = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		if d = 1 + num*d; math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		if c = 1 + num/c; math.Abs(c) < tiny {
			c = tiny
		}
		f *= c * d
		if math.Abs(1-c*d) < 1e-15 {
			break
		}
	}
	return front * (f - 1)
}

// InTopKV2 reports rows whose target is among the k largest.
var InTopKV2 = ir.NewOp("InTopKV2", "predictions, targets, k")

func init() {
	InTopKV2.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.Bool, c.Shape(1)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			x := c.T(0).F32()
			ids, _ := ir.KnownInts(c.T(1))
			k, _ := c.Int(2)
			n := c.T(0).Dims()[1]
			for i, id := range ids {
				o := &c.O(0).Bools()[i]
				*o = false
				if id < 0 || id >= int64(n) {
					continue
				}
				row := x[i*n : (i+1)*n]
				above, finite := int64(0), true
				for _, v := range row {
					if v > row[id] {
						above++
					}
					finite = finite && !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0)
				}
				*o = above < k && finite
			}
			return nil
		},
		IntArgs: ir.In(2), Grad: ir.NoGradient,
	})
}

// PartitionAttrs are those of DynamicPartition.
type PartitionAttrs struct{ Num int }

// DynamicPartition sorts rows into groups by number.
var DynamicPartition = ir.NewOp("DynamicPartition", "data, partitions, num_partitions")

func init() {
	DynamicPartition.Define(ir.Rules{
		Attrs: &PartitionAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s, p := c.Shape(0), c.Shape(1)
			if s.RankKnown() && p.RankKnown() && (p.Rank() > s.Rank() || !tensor.Compatible(p, s.Slice(0, p.Rank()))) {
				return ir.Invalid("data.shape must start with partitions.shape, got data.shape = %s, partitions.shape = %s", s.Brackets(), p.Brackets())
			}
			part := tensor.UnknownShape
			if s.RankKnown() && p.RankKnown() {
				part = tensor.ShapeOf(-1).Concat(s.Slice(p.Rank(), s.Rank()))
			}
			for range c.Attrs.(*PartitionAttrs).Num {
				c.SetOut(c.DType(0), part)
			}
			return nil
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, n := c.T(0), c.Attrs.(*PartitionAttrs).Num
			ids, _ := ir.KnownInts(c.T(1))
			inner := x.Len() / max(len(ids), 1)
			tail := x.Shape().Slice(c.T(1).Rank(), x.Rank())
			for p := range n {
				var idx []int64
				rows := 0
				for i, id := range ids {
					if id < 0 || id >= int64(n) {
						return ir.Invalid("partitions%s = %d is not in [0, %d)", place(c.T(1).Dims(), i), id, n)
					}
					if id == int64(p) {
						rows++
						for k := range inner {
							idx = append(idx, int64(i*inner+k))
						}
					}
				}
				if m := pickFrom(c, p, x, idx, tensor.ShapeOf(rows).Concat(tail)); m != nil {
					return m
				}
			}
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			n := len(g.Out)
			flat := s.Emit2(Reshape, nil, g.X(1), ir.IntList(-1))
			count := s.Emit1(Size, &ShapeAttrs{}, flat)
			seq := s.EmitN(Range, nil, ir.IntScalar(0), count, ir.IntScalar(1))
			where := s.EmitAll(DynamicPartition, &PartitionAttrs{n}, seq, flat)
			if where == nil {
				return
			}
			d := s.EmitN(DynamicStitch, nil, append(where, allDy(g)...)...)
			g.DX[0] = s.Emit2(Reshape, nil, d, inShape(g, 0))
		},
	})
}

// DynamicStitch interleaves rows by index: the first half of the operands are the
// indices, the second the rows.
var DynamicStitch = ir.NewOp("DynamicStitch", "indices, data")

func init() {
	DynamicStitch.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			n := c.N() / 2
			tail := tensor.UnknownShape
			rows, known := int64(-1), true
			for i := range n {
				idx, d := c.Shape(i), c.Shape(n+i)
				if idx.RankKnown() && d.RankKnown() {
					tail = d.Slice(idx.Rank(), d.Rank())
				}
				v, ok := c.IntsExact(i)
				known = known && ok
				for _, k := range v {
					rows = max(rows, k)
				}
			}
			if !known {
				rows = -2
			}
			return c.SetOut(c.DType(n), tensor.ShapeOf(int(rows+1)).Concat(tail))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			n := c.N() / 2
			rows := int64(0)
			tail := c.Shape(n).Slice(c.Shape(0).Rank(), c.Shape(n).Rank())
			for i := range n {
				v, _ := c.Ints(i)
				for _, k := range v {
					rows = max(rows, k+1)
				}
			}
			o, err := c.Env.Alloc.Zeros(c.DType(n), tensor.ShapeOf(int(rows)).Concat(tail))
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			inner := tail.NumElements()
			for i := range n {
				v, _ := c.Ints(i)
				scatterSet(o, v, c.T(n+i), int(rows), inner)
			}
			return nil
		},
		IntArgs: ir.AllIn, Uses: ir.AllIn,
		Grad: func(g *ir.Grad) {
			n := len(g.In) / 2
			for i := range n {
				g.DX[n+i] = gather0(g.Session, g.Dy(), tensorValue(g.Session, g.X(i)))
			}
		},
	})
}

// ListDiff is the elements of x that y doesn't have, and where they were.
var ListDiff = ir.NewOp("ListDiff", "x, y, out_idx=tf.int32")

func init() {
	ListDiff.Define(ir.Rules{
		Attrs: &IdxAttrs{}, Grad: ir.NotDifferentiable,
		Infer: func(c *ir.Call) *ir.Mistake {
			a, _ := c.Attrs.(*IdxAttrs)
			c.SetOut(c.DType(0), tensor.UnknownDims(1))
			return c.SetOut(a.out(), tensor.UnknownDims(1))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, y := c.T(0), c.T(1)
			drop := map[string]bool{}
			for i := range y.Len() {
				drop[keyOf(y, i)] = true
			}
			idx := []int64{}
			for i := range x.Len() {
				if !drop[keyOf(x, i)] {
					idx = append(idx, int64(i))
				}
			}
			if m := pickFrom(c, 0, x, idx, tensor.ShapeOf(len(idx))); m != nil {
				return m
			}
			t, m := newResult(c, 1, c.OutType(1).DT, tensor.ShapeOf(len(idx)))
			if m == nil {
				setInts(t, idx)
			}
			return m
		},
	})
}

// keyOf is element i as bytes.
func keyOf(t *tensor.Tensor, i int) string {
	if t.DType() == tensor.String {
		return string(t.Str(i))
	}
	n := t.DType().Size()
	return string(t.Bytes()[i*n : (i+1)*n])
}

// LowerBound finds, in each sorted row, the first place not below a value.
var LowerBound = ir.NewOp("LowerBound", "sorted_inputs, values, out_type=tf.int32")

// UpperBound finds the first place above a value.
var UpperBound = ir.NewOp("UpperBound", "sorted_inputs, values, out_type=tf.int32")

func init() {
	LowerBound.Define(ir.Rules{Attrs: &IdxAttrs{}, Infer: inferBound, Kernel: bound(false), Grad: ir.NotDifferentiable})
	UpperBound.Define(ir.Rules{Attrs: &IdxAttrs{}, Infer: inferBound, Kernel: bound(true), Grad: ir.NotDifferentiable})
}

func inferBound(c *ir.Call) *ir.Mistake {
	a, _ := c.Attrs.(*IdxAttrs)
	return c.SetOut(a.out(), c.Shape(1))
}

func bound(upper bool) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		rows, n := rowsOf(c.T(0))
		_, m := rowsOf(c.T(1))
		x, v := make([]float64, c.T(0).Len()), make([]float64, c.T(1).Len())
		kernel.Cast(x, elems(c.T(0)))
		kernel.Cast(v, elems(c.T(1)))
		out := make([]int64, len(v))
		for r := range rows {
			for i := range m {
				k := 0
				for k < n && (x[r*n+k] < v[r*m+i] || upper && x[r*n+k] == v[r*m+i]) {
					k++
				}
				out[r*m+i] = int64(k)
			}
		}
		setInts(c.O(0), out)
		return nil
	}
}

// BucketAttrs are those of Bucketize.
type BucketAttrs struct{ Boundaries []float32 }

// Bucketize is the number of boundaries at or below each value.
var Bucketize = ir.NewOp("Bucketize", "input, boundaries")

func init() {
	Bucketize.Define(ir.Rules{
		Attrs: &BucketAttrs{}, Infer: toType(tensor.Int32), Grad: ir.NotDifferentiable,
		Kernel: func(c *ir.Call) *ir.Mistake {
			f := make([]float64, c.T(0).Len())
			kernel.Cast(f, elems(c.T(0)))
			for i, v := range f {
				n := int32(0)
				for _, b := range c.Attrs.(*BucketAttrs).Boundaries {
					if v >= float64(b) {
						n++
					}
				}
				c.O(0).I32()[i] = n
			}
			return nil
		},
	})
}
