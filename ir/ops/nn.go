package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// rowsOf reads a tensor as rows of its last dimension.
func rowsOf(t *tensor.Tensor) (rows, n int) {
	d := t.Dims()
	if len(d) == 0 {
		return 1, 1
	}
	n = d[len(d)-1]
	return prod(d[:len(d)-1]), n
}

// byRows runs a kernel of float rows, halves through float32.
func byRows(f func(dst, x []float32, rows, n int), d func(dst, x []float64, rows, n int)) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, o := c.T(0), c.O(0)
		rows, n := rowsOf(x)
		switch x.DType() {
		case tensor.Float32:
			f(o.F32(), x.F32(), rows, n)
		case tensor.Float64:
			d(o.F64(), x.F64(), rows, n)
		default:
			w := widened(x)
			f(w, w, rows, n)
			narrowed(o, w)
		}
		return nil
	}
}

// atLeastVector gives operand 0's type where it has a dimension to work along.
func atLeastVector(c *ir.Call) *ir.Mistake {
	if c.Shape(0).Rank() == 0 {
		return ir.Invalid("logits must have >= 1 dimension, got []")
	}
	return c.SetLike(0)
}

// Softmax normalises exponentials along the last dimension.
var Softmax = ir.NewOp("Softmax", "logits")

func init() {
	Softmax.Define(ir.Rules{
		Infer: atLeastVector, Kernel: byRows(kernel.Softmax[float32], kernel.Softmax[float64]), InPlace: true, Fuse: ir.Reduction,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, g.Y(0)
			sum := s.Emit2(Sum, reduceKeep, mul(s, g.Dy(), y), ir.IntList(-1))
			g.DX[0] = mul(s, sub(s, g.Dy(), sum), y)
		},
	})
}

// LogSoftmax is the logarithm of Softmax.
var LogSoftmax = ir.NewOp("LogSoftmax", "logits")

func init() {
	LogSoftmax.Define(ir.Rules{
		Infer: atLeastVector, Kernel: byRows(kernel.LogSoftmax[float32], kernel.LogSoftmax[float64]), InPlace: true, Fuse: ir.Reduction,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			sum := s.Emit2(Sum, reduceKeep, g.Dy(), ir.IntList(-1))
			g.DX[0] = sub(s, g.Dy(), mul(s, sum, s.Emit1(Exp, nil, g.Y(0))))
		},
	})
}

// SparseSoftmaxCrossEntropyWithLogits is the cross entropy of each row against a
// class number, and its derivative.
var SparseSoftmaxCrossEntropyWithLogits = ir.NewOp("SparseSoftmaxCrossEntropyWithLogits", "features, labels")

func init() {
	SparseSoftmaxCrossEntropyWithLogits.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			x := c.Shape(0)
			if x.RankKnown() && x.Rank() != 2 {
				return ir.Invalid("logits must be 2-D, but got shape %s", x.Brackets())
			}
			if x.Dim(1) == 0 {
				return ir.Invalid("Must have at least one class, but got logits shape %s", x.Brackets())
			}
			if n, m := x.Dim(0), c.Shape(1).Dim(0); n >= 0 && m >= 0 && n != m {
				return ir.Invalid("logits and labels must have the same first dimension, got logits shape %s and labels shape %s", x.Brackets(), c.Shape(1).Brackets())
			}
			c.SetOut(c.DType(0), tensor.ShapeOf(x.Dim(0)))
			return c.SetOut(c.DType(0), x)
		},
		Kernel: runSparseCrossEntropy, Fuse: ir.Reduction,
		Uses: ir.In(0) | ir.Out(1),
		Grad: func(g *ir.Grad) { g.DX[0] = crossEntropyGrad(g) },
	})
}

func runSparseCrossEntropy(c *ir.Call) *ir.Mistake {
	x, loss, back := c.T(0), c.O(0), c.O(1)
	rows, n := rowsOf(x)
	labels, _ := ir.KnownInts(c.T(1))
	bad := -1
	switch x.DType() {
	case tensor.Float32:
		bad = kernel.SparseCrossEntropy(loss.F32(), back.F32(), x.F32(), labels, rows, n)
	case tensor.Float64:
		bad = kernel.SparseCrossEntropy(loss.F64(), back.F64(), x.F64(), labels, rows, n)
	default:
		w, l, b := widened(x), make([]float32, loss.Len()), make([]float32, back.Len())
		bad = kernel.SparseCrossEntropy(l, b, w, labels, rows, n)
		narrowed(loss, l)
		narrowed(back, b)
	}
	if bad >= 0 {
		return ir.Invalid("Received a label value of %d which is outside the valid range of [0, %d).  Label values: %s", labels[bad], n, joinInts(labels, " "))
	}
	return nil
}

// crossEntropyGrad is dy times the kept derivative; a gradient that reaches the
// derivative itself (second order) goes on through the softmax.
func crossEntropyGrad(g *ir.Grad) ir.Value {
	s := g.Session
	var dx ir.Value
	if g.DY[0] != nil {
		dx = mul(s, s.Emit2(ExpandDims, nil, g.DY[0], ir.IntScalar(-1)), g.Y(1))
	}
	if g.DY[1] == nil {
		return dx
	}
	p := s.Emit1(Softmax, nil, g.X(0))
	gp := mul(s, g.DY[1], p)
	sum := s.Emit2(Sum, reduceKeep, gp, ir.IntList(-1))
	d2 := sub(s, gp, mul(s, sum, p))
	if dx == nil {
		return d2
	}
	return add(s, dx, d2)
}

// SoftmaxCrossEntropyWithLogits is the cross entropy of each row against a
// distribution, and its derivative.
var SoftmaxCrossEntropyWithLogits = ir.NewOp("SoftmaxCrossEntropyWithLogits", "features, labels")

func init() {
	SoftmaxCrossEntropyWithLogits.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			x, l := c.Shape(0), c.Shape(1)
			s, ok := tensor.Broadcast(x, l)
			if !ok {
				a, b := clash(x, l)
				return &ir.Mistake{Kind: ir.CrossEntropyShapes, Args: []any{x, l, a, b}}
			}
			if s.RankKnown() && s.Rank() != 2 {
				return ir.Invalid("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional")
			}
			c.SetOut(c.DType(0), tensor.ShapeOf(s.Dim(0)))
			return c.SetOut(c.DType(0), s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, l, loss, back := c.T(0), c.T(1), c.O(0), c.O(1)
			if x.Shape() != l.Shape() {
				return ir.Wrong("UnimplementedError", "cross entropy of broadcast labels is not supported: tile them first")
			}
			rows, n := rowsOf(x)
			switch x.DType() {
			case tensor.Float32:
				kernel.CrossEntropy(loss.F32(), back.F32(), x.F32(), l.F32(), rows, n)
			case tensor.Float64:
				kernel.CrossEntropy(loss.F64(), back.F64(), x.F64(), l.F64(), rows, n)
			default:
				o, b := make([]float32, loss.Len()), make([]float32, back.Len())
				kernel.CrossEntropy(o, b, widened(x), widened(l), rows, n)
				narrowed(loss, o)
				narrowed(back, b)
			}
			return nil
		},
		Fuse: ir.Reduction, Uses: ir.In(0) | ir.Out(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			g.DX[0] = crossEntropyGrad(g)
			if g.DY[0] != nil && g.Wants(1) {
				g.DX[1] = mul(s, s.Emit2(ExpandDims, nil, g.DY[0], ir.IntScalar(-1)), neg(s, s.Emit1(LogSoftmax, nil, g.X(0))))
			}
		},
	})
}

// LeakyReluAttrs are those of LeakyRelu.
type LeakyReluAttrs struct{ Alpha float64 }

// LeakyRelu is x where positive, Alpha x elsewhere.
var LeakyRelu = ir.NewOp("LeakyRelu", "features, alpha=0.2")

func init() {
	LeakyRelu.Define(ir.Rules{
		Attrs: &LeakyReluAttrs{Alpha: 0.2}, Infer: like0, InPlace: true, Fuse: ir.Elementwise,
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, x, o := c.Attrs.(*LeakyReluAttrs).Alpha, c.T(0), c.O(0)
			switch x.DType() {
			case tensor.Float32:
				kernel.LeakyRelu(o.F32(), x.F32(), float32(a))
			case tensor.Float64:
				kernel.LeakyRelu(o.F64(), x.F64(), a)
			default:
				w := widened(x)
				kernel.LeakyRelu(w, w, float32(a))
				narrowed(o, w)
			}
			return nil
		},
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(LeakyReluGrad, g.Attrs, g.Dy(), g.X(0)) },
	})
}

// LeakyReluGrad is the gradient of LeakyRelu.
var LeakyReluGrad = ir.NewOp("LeakyReluGrad", "gradients, features, alpha=0.2")

func init() {
	LeakyReluGrad.Define(ir.Rules{
		Attrs: &LeakyReluAttrs{Alpha: 0.2}, Infer: sameShapes, InPlace: true, Fuse: ir.Elementwise,
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, d, x, o := c.Attrs.(*LeakyReluAttrs).Alpha, c.T(0), c.T(1), c.O(0)
			switch x.DType() {
			case tensor.Float32:
				kernel.LeakyReluGrad(o.F32(), d.F32(), x.F32(), float32(a))
			case tensor.Float64:
				kernel.LeakyReluGrad(o.F64(), d.F64(), x.F64(), a)
			default:
				w := widened(d)
				kernel.LeakyReluGrad(w, w, widened(x), float32(a))
				narrowed(o, w)
			}
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Emit2(LeakyReluGrad, g.Attrs, g.Dy(), g.X(1))
			g.DX[1] = zeros(g.Session, g.X(1))
		},
	})
}

// BiasAttrs are those of BiasAdd; Format is NHWC or NCHW, "" is NHWC.
type BiasAttrs struct{ Format string }

// BiasAdd adds a vector along the channels.
var BiasAdd = ir.NewOp("BiasAdd", "value, bias, data_format=None")

func init() {
	BiasAdd.Define(ir.Rules{
		Attrs: &BiasAttrs{}, InPlace: true, Fuse: ir.Elementwise,
		Infer: func(c *ir.Call) *ir.Mistake {
			x, b := c.Shape(0), c.Shape(1)
			if x.RankKnown() && x.Rank() < 2 {
				return ir.Invalid("Input tensor must be at least 2D: %s", x.Brackets())
			}
			if b.RankKnown() && b.Rank() != 1 {
				return ir.Invalid("Biases must be 1D: %s", b.Brackets())
			}
			at := channelOf(c.Attrs, x.Rank())
			if d, n := x.Dim(at), b.Dim(0); d >= 0 && n >= 0 && d != n {
				return &ir.Mistake{Kind: ir.BiasSize, Args: []any{b, x, d, n}}
			}
			return c.SetLike(0)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, b, o := c.T(0), c.T(1), c.O(0)
			if channelOf(c.Attrs, x.Rank()) == x.Rank()-1 {
				return binary(kernel.Add)(c)
			}
			dims := make([]int, x.Rank())
			for i := range dims {
				dims[i] = 1
			}
			dims[1] = b.Len()
			p, ok := kernel.Broadcast(o.Dims(), x.Dims(), dims)
			if !ok {
				return tooManyDims()
			}
			return mistake(c, kernel.BinaryAny(kernel.Add, elems(o), elems(x), elems(b), &p))
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Dy()
			if g.Wants(1) {
				g.DX[1] = g.Emit1(BiasAddGrad, g.Attrs, g.Dy())
			}
		},
	})
}

func channelOf(attrs any, rank int) int {
	if a, ok := attrs.(*BiasAttrs); ok && a != nil && len(a.Format) > 1 && a.Format[1] == 'C' {
		return 1
	}
	return rank - 1
}

// BiasAddGrad sums over all but the channels.
var BiasAddGrad = ir.NewOp("BiasAddGrad", "out_backprop, data_format=None")

func init() {
	BiasAddGrad.Define(ir.Rules{
		Attrs: &BiasAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			if !s.RankKnown() {
				return c.SetOut(c.DType(0), tensor.UnknownDims(1))
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(s.Dim(channelOf(c.Attrs, s.Rank()))))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			marked := make([]bool, x.Rank())
			for i := range marked {
				marked[i] = i != channelOf(c.Attrs, x.Rank())
			}
			return runReduce(kernel.Sum, c, x, marked)
		},
		Fuse: ir.Reduction,
		Grad: func(g *ir.Grad) {
			s, in := g.Session, g.In[0].Type.Shp
			b := g.Dy()
			if at := channelOf(g.Attrs, in.Rank()); at != in.Rank()-1 {
				for range in.Rank() - 2 {
					b = s.Emit2(ExpandDims, nil, b, ir.IntScalar(-1))
				}
			}
			g.DX[0] = s.Emit2(BroadcastTo, nil, b, inShape(g, 0))
		},
	})
}

// L2Loss is half the sum of squares.
var L2Loss = ir.NewOp("L2Loss", "t", "tf.nn.l2_loss")

func init() {
	L2Loss.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(0), tensor.Scalar) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			marked := make([]bool, x.Rank())
			for i := range marked {
				marked[i] = true
			}
			if m := runReduce(kernel.SumSquares, c, x, marked); m != nil {
				return m
			}
			half := tensor.Make(x.DType(), tensor.Scalar)
			ir.FillFloat(half, 0.5)
			return mistake(c, kernel.BinaryAny(kernel.Mul, elems(c.O(0)), elems(c.O(0)), elems(half), nil))
		},
		Fuse: ir.Reduction, Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.X(0), g.Dy()) },
	})
}

// AddN adds up tensors of one shape.
var AddN = ir.NewOp("AddN", "inputs")

func init() {
	AddN.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			for i := 1; i < c.N(); i++ {
				m, ok := tensor.Merge(s, c.Shape(i))
				if !ok {
					d, a, b := differ(s, c.Shape(i))
					return &ir.Mistake{Kind: ir.AddNShapes, Args: []any{i, c.Shape(0), c.Shape(i), d, a, b}}
				}
				s = m
			}
			return c.SetOut(c.DType(0), s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			o := c.O(0)
			copy(o.Bytes(), c.T(0).Bytes())
			for i := 1; i < c.N(); i++ {
				if err := addTo(o, c.T(i)); err != nil {
					return mistake(c, err)
				}
			}
			return nil
		},
		Grad: func(g *ir.Grad) {
			for i := range g.DX {
				g.DX[i] = g.Dy()
			}
		},
	})
}

func addTo(o, x *tensor.Tensor) error {
	if x.DType() == tensor.Float32 {
		return kernel.Binary(kernel.Add, o.F32(), o.F32(), x.F32(), nil)
	}
	return kernel.BinaryAny(kernel.Add, elems(o), elems(o), elems(x), nil)
}

// CheckNumerics passes its operand on unless it has a nan or an infinity.
var CheckNumerics = ir.NewOp("CheckNumerics", "tensor, message")

func init() {
	CheckNumerics.Define(ir.Rules{
		Attrs: &MessageAttrs{}, Infer: like0, Effect: ir.Fails,
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			f := make([]float64, x.Len())
			kernel.Cast(f, elems(x))
			inf, nan := false, false
			for _, v := range f {
				inf, nan = inf || math.IsInf(v, 0), nan || v != v
			}
			what := ""
			switch {
			case inf && nan:
				what = "Inf and NaN"
			case inf:
				what = "Inf"
			case nan:
				what = "NaN"
			}
			if what != "" {
				return ir.Invalid("%s : Tensor had %s values", c.Attrs.(*MessageAttrs).Message, what)
			}
			v, err := c.Env.Alloc.View(x, 0, x.Shape())
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, v)
			return nil
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Emit1(CheckNumerics, &MessageAttrs{"Not a number (NaN) or infinity (Inf) values detected in gradient. " + g.Attrs.(*MessageAttrs).Message}, g.Dy())
		},
	})
}
