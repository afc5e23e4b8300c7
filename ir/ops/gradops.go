package ops

import (
	"math/cmplx"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// TanhGrad is dy (1 - y*y), the gradient of tanh.
var TanhGrad = ir.NewOp("TanhGrad", "y, dy")

func init() {
	TanhGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.TanhGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, a := g.Session, mul(g.Session, g.Dy(), conj(g.Session, g.X(0)))
			g.DX[0] = times(s, mul(s, a, conj(s, g.X(1))), -2)
			g.DX[1] = g.Emit2(TanhGrad, nil, conj(s, g.X(0)), g.Dy())
		},
	})
}

// SigmoidGrad is dy y (1 - y), the gradient of sigmoid.
var SigmoidGrad = ir.NewOp("SigmoidGrad", "y, dy")

func init() {
	SigmoidGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.SigmoidGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, conj(g.Session, g.X(0))
			gb := mul(s, g.Dy(), conj(s, g.X(1)))
			g.DX[0] = sub(s, gb, times(s, mul(s, gb, y), 2))
			g.DX[1] = g.Emit2(SigmoidGrad, nil, y, g.Dy())
		},
	})
}

// SqrtGrad is dy / (2 y), the gradient of sqrt.
var SqrtGrad = ir.NewOp("SqrtGrad", "y, dy")

func init() {
	SqrtGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: complexToo(binary(kernel.SqrtGrad), sqrtGrad64, sqrtGrad128), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			ga := div(s, g.Dy(), g.X(0))
			g.DX[0] = neg(s, mul(s, conj(s, ga), g.Y(0)))
			g.DX[1] = times(s, ga, 0.5)
		},
	})
}

// RsqrtGrad is -dy y^3 / 2, the gradient of rsqrt.
var RsqrtGrad = ir.NewOp("RsqrtGrad", "y, dy")

func init() {
	RsqrtGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: complexToo(binary(kernel.RsqrtGrad), rsqrtGrad64, rsqrtGrad128), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, conj(g.Session, g.X(0))
			g.DX[0] = times(s, mul(s, mul(s, conj(s, g.X(1)), g.Dy()), square(s, y)), -1.5)
			g.DX[1] = g.Emit2(RsqrtGrad, nil, y, g.Dy())
		},
	})
}

// ReciprocalGrad is -dy y*y, the gradient of reciprocal.
var ReciprocalGrad = ir.NewOp("ReciprocalGrad", "y, dy")

func init() {
	ReciprocalGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: complexToo(binary(kernel.ReciprocalGrad), reciprocalGrad64, reciprocalGrad128), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, conj(g.Session, g.X(0))
			g.DX[0] = times(s, mul(s, mul(s, g.Dy(), conj(s, g.X(1))), y), -2)
			g.DX[1] = g.Emit2(ReciprocalGrad, nil, y, g.Dy())
		},
	})
}

// ReluGrad is the gradients where the feature is above 0.
var ReluGrad = ir.NewOp("ReluGrad", "gradients, features")

func init() {
	ReluGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.ReluGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Emit2(ReluGrad, nil, g.Dy(), g.X(1))
			g.DX[1] = zeros(g.Session, g.X(1))
		},
	})
}

// Relu6Grad is the gradients where the feature is within (0, 6).
var Relu6Grad = ir.NewOp("Relu6Grad", "gradients, features")

func init() {
	Relu6Grad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.Relu6Grad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.Emit2(Relu6Grad, nil, g.Dy(), g.X(1))
			g.DX[1] = zeros(g.Session, g.X(1))
		},
	})
}

// EluGrad is the gradient of elu, from its output.
var EluGrad = ir.NewOp("EluGrad", "gradients, outputs")

func init() {
	EluGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.EluGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			low := g.Emit2(Less, nil, g.X(1), zero(s, g.X(1).DType()))
			g.DX[0] = g.Emit2(EluGrad, nil, g.Dy(), g.X(1))
			g.DX[1] = where(s, low, mul(s, g.Dy(), g.X(0)), zero(s, g.X(1).DType()))
		},
	})
}

// SeluGrad is the gradient of selu, from its output.
var SeluGrad = ir.NewOp("SeluGrad", "gradients, outputs")

func init() {
	SeluGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.SeluGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			low := g.Emit2(Less, nil, g.X(1), zero(s, g.X(1).DType()))
			g.DX[0] = g.Emit2(SeluGrad, nil, g.Dy(), g.X(1))
			g.DX[1] = where(s, low, mul(s, g.Dy(), g.X(0)), zero(s, g.X(1).DType()))
		},
	})
}

// SoftplusGrad is the gradients times sigmoid of the features.
var SoftplusGrad = ir.NewOp("SoftplusGrad", "gradients, features")

func init() {
	SoftplusGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.SoftplusGrad), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, dy, x := g.Session, g.X(0), g.X(1)
			e := add(s, g.Emit1(Exp, nil, neg(s, x)), plus(s, g.Emit1(Exp, nil, x), 2))
			g.DX[0] = g.Emit2(SoftplusGrad, nil, g.Dy(), x)
			g.DX[1] = div(s, mul(s, g.Dy(), dy), e)
		},
	})
}

// SoftsignGrad is the gradient of softsign.
var SoftsignGrad = ir.NewOp("SoftsignGrad", "gradients, features")

func init() {
	SoftsignGrad.Define(ir.Rules{
		Infer: sameShapes, Kernel: binary(kernel.SoftsignGrad), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NoGradient,
	})
}

// complexToo adds the complex dtypes to a kernel of two operands of one shape.
func complexToo(run func(*ir.Call) *ir.Mistake, f func(y, dy complex64) complex64, d func(y, dy complex128) complex128) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		switch c.DType(0) {
		case tensor.Complex64:
			each(raw[complex64](c.O(0)), raw[complex64](c.T(0)), raw[complex64](c.T(1)), f)
		case tensor.Complex128:
			each(raw[complex128](c.O(0)), raw[complex128](c.T(0)), raw[complex128](c.T(1)), d)
		default:
			return run(c)
		}
		return nil
	}
}

func each[T any](o, x, y []T, f func(x, y T) T) {
	for i := range o {
		o[i] = f(x[i], y[i])
	}
}

func conj64(z complex64) complex64 { return complex(real(z), -imag(z)) }

func sqrtGrad64(y, dy complex64) complex64          { return dy * 0.5 / conj64(y) }
func sqrtGrad128(y, dy complex128) complex128       { return dy * 0.5 / cmplx.Conj(y) }
func rsqrtGrad64(y, dy complex64) complex64         { y = conj64(y); return dy * -0.5 * y * y * y }
func rsqrtGrad128(y, dy complex128) complex128      { y = cmplx.Conj(y); return dy * -0.5 * y * y * y }
func reciprocalGrad64(y, dy complex64) complex64    { y = conj64(y); return -y * dy * y }
func reciprocalGrad128(y, dy complex128) complex128 { y = cmplx.Conj(y); return -y * dy * y }
