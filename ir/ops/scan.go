package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// CumAttrs are those of the running reductions.
type CumAttrs struct{ Exclusive, Reverse bool }

var cumPlain = &CumAttrs{}

// Cumsum is the running sum along an axis.
var Cumsum = ir.NewOp("Cumsum", "x, axis=0, exclusive=False, reverse=False", "tf.cumsum", "tf.math.cumsum")

func init() {
	Cumsum.Define(ir.Rules{
		Attrs: cumPlain, Infer: like0, Kernel: scan(kernel.Cumsum),
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			a := *g.Attrs.(*CumAttrs)
			a.Reverse = !a.Reverse
			g.DX[0] = g.Emit2(Cumsum, &a, g.Dy(), g.X(1))
		},
	})
}

// Cumprod is the running product along an axis.
var Cumprod = ir.NewOp("Cumprod", "x, axis=0, exclusive=False, reverse=False", "tf.math.cumprod")

func init() {
	Cumprod.Define(ir.Rules{
		Attrs: cumPlain, Infer: like0, Kernel: scan(kernel.Cumprod),
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		// TensorFlow's rule, which is wrong where a factor is zero.
		Grad: func(g *ir.Grad) {
			a := *g.Attrs.(*CumAttrs)
			a.Reverse = !a.Reverse
			s := g.Session
			run := g.Emit2(Cumsum, &a, mul(s, conj(s, g.Y(0)), g.Dy()), g.X(1))
			g.DX[0] = g.Emit2(DivNoNan, nil, run, conj(s, g.X(0)))
		},
	})
}

// CumulativeLogsumexp is the running log of the sum of exponentials along an axis.
var CumulativeLogsumexp = ir.NewOp("CumulativeLogsumexp", "x, axis=0, exclusive=False, reverse=False", "tf.math.cumulative_logsumexp")

func init() {
	CumulativeLogsumexp.Define(ir.Rules{
		Attrs: cumPlain, Infer: like0, Kernel: scan(kernel.CumLogSumExp),
		IntArgs: ir.In(1), Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: cumLogSumExpGrad,
	})
}

// cumLogSumExpGrad runs the scan the other way over the logarithms of the
// positive and of the negative part of dy.
func cumLogSumExpGrad(g *ir.Grad) {
	a := *g.Attrs.(*CumAttrs)
	a.Reverse = !a.Reverse
	s, dy := g.Session, g.Dy()
	part := func(dy ir.Value) ir.Value {
		some := s.Emit2(Greater, nil, dy, zero(s, dy.DType()))
		safe := where(s, some, dy, s.Emit1(OnesLike, nil, dy))
		log := where(s, some, s.Emit1(Log, nil, safe), s.Scalar(dy.DType(), -dy.DType().FloatMax()))
		run := s.Emit2(CumulativeLogsumexp, &a, sub(s, log, g.Y(0)), g.X(1))
		return s.Emit1(Exp, nil, add(s, run, g.X(0)))
	}
	g.DX[0] = sub(s, part(dy), part(neg(s, dy)))
}

func scan(op kernel.ScanOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, o := c.T(0), c.O(0)
		a, _ := c.Int(1)
		axis, ok := axisOf(a, x.Rank())
		if !ok {
			return ir.Wrong("InvalidArgumentError", "ScanOp: Expected scan axis in the range [%d, %d), but got %d", -x.Rank(), x.Rank(), a)
		}
		outer, n, inner := around(x.Dims(), axis)
		at, _ := c.Attrs.(*CumAttrs)
		if at == nil {
			at = cumPlain
		}
		opt := kernel.ScanOptions{Exclusive: at.Exclusive, Reverse: at.Reverse}
		if !scanAny(op, o, x, outer, n, inner, opt) {
			return unsupported(c)
		}
		if op == kernel.CumLogSumExp && opt.Exclusive {
			lowest(o, opt.Reverse, outer, n, inner)
		}
		return nil
	}
}

// lowest writes TensorFlow's first value of an exclusive logsumexp, the lowest finite number.
func lowest(o *tensor.Tensor, reverse bool, outer, n, inner int) {
	at := 0
	if reverse {
		at = n - 1
	}
	if n == 0 {
		return
	}
	for i := range outer {
		for k := range inner {
			j := (i*n+at)*inner + k
			switch o.DType() {
			case tensor.Float32:
				o.F32()[j] = -math.MaxFloat32
			case tensor.Float64:
				o.F64()[j] = -math.MaxFloat64
			}
		}
	}
}

func scanAny(op kernel.ScanOp, o, x *tensor.Tensor, outer, n, inner int, opt kernel.ScanOptions) bool {
	switch x.DType() {
	case tensor.Float32:
		kernel.Scan(op, o.F32(), x.F32(), outer, n, inner, opt)
	case tensor.Float64:
		kernel.Scan(op, o.F64(), x.F64(), outer, n, inner, opt)
	case tensor.Int32:
		kernel.Scan(op, o.I32(), x.I32(), outer, n, inner, opt)
	case tensor.Int64:
		kernel.Scan(op, o.I64(), x.I64(), outer, n, inner, opt)
	case tensor.Float16:
		kernel.ScanHalf(op, raw[kernel.Float16](o), raw[kernel.Float16](x), outer, n, inner, opt)
	case tensor.BFloat16:
		kernel.ScanHalf(op, raw[kernel.BFloat16](o), raw[kernel.BFloat16](x), outer, n, inner, opt)
	case tensor.Uint8:
		kernel.Scan(op, raw[uint8](o), raw[uint8](x), outer, n, inner, opt)
	case tensor.Int8:
		kernel.Scan(op, raw[int8](o), raw[int8](x), outer, n, inner, opt)
	case tensor.Int16:
		kernel.Scan(op, raw[int16](o), raw[int16](x), outer, n, inner, opt)
	case tensor.Uint16:
		kernel.Scan(op, raw[uint16](o), raw[uint16](x), outer, n, inner, opt)
	case tensor.Uint32:
		kernel.Scan(op, raw[uint32](o), raw[uint32](x), outer, n, inner, opt)
	case tensor.Uint64:
		kernel.Scan(op, raw[uint64](o), raw[uint64](x), outer, n, inner, opt)
	case tensor.Complex64:
		kernel.Scan(op, raw[complex64](o), raw[complex64](x), outer, n, inner, opt)
	case tensor.Complex128:
		kernel.Scan(op, raw[complex128](o), raw[complex128](x), outer, n, inner, opt)
	default:
		return false
	}
	return true
}
