package ops

import (
	"github.com/tfs-lang/tfs/ir"
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
		Infer: sameShapes, Kernel: binary(kernel.SqrtGrad), InPlace: true, Fuse: ir.Elementwise,
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
		Infer: sameShapes, Kernel: binary(kernel.RsqrtGrad), InPlace: true, Fuse: ir.Elementwise,
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
		Infer: sameShapes, Kernel: binary(kernel.ReciprocalGrad), InPlace: true, Fuse: ir.Elementwise,
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
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s, x := g.Session, g.X(1)
			a := plus(s, g.Emit1(Abs, nil, x), 1)
			g.DX[0] = g.Emit2(SoftsignGrad, nil, g.Dy(), x)
			g.DX[1] = mul(s, mul(s, g.Dy(), g.X(0)), times(s, div(s, g.Emit1(Sign, nil, x), mul(s, square(s, a), a)), -2))
		},
	})
}
