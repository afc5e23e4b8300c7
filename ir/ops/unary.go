package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Neg is the negative.
var Neg = ir.NewOp("Neg", "x", "tf.negative", "tf.math.negative")

func init() {
	Neg.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Neg), InPlace: true, Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) { g.DX[0] = neg(g.Session, g.Dy()) },
	})
}

// Abs is the absolute value of a real number; tf.abs chooses it or ComplexAbs.
var Abs = ir.NewOp("Abs", "x")

func init() {
	Abs.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Abs), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Sign, nil, g.X(0))) },
	})
}

// Sign is -1, 0 or 1; of a complex number, the direction.
var Sign = ir.NewOp("Sign", "x", "tf.sign", "tf.math.sign")

func init() {
	Sign.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Sign), InPlace: true, Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) { g.DX[0] = zeros(g.Session, g.Dy()) },
	})
}

// Square is the square.
var Square = ir.NewOp("Square", "x", "tf.square", "tf.math.square")

func init() {
	Square.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Square), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), conj(g.Session, times(g.Session, g.X(0), 2))) },
	})
}

// Sqrt is the square root.
var Sqrt = ir.NewOp("Sqrt", "x", "tf.sqrt", "tf.math.sqrt")

func init() {
	Sqrt.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Sqrt), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(SqrtGrad, nil, g.Y(0), g.Dy()) },
	})
}

// Rsqrt is the reciprocal of the square root.
var Rsqrt = ir.NewOp("Rsqrt", "x", "tf.math.rsqrt")

func init() {
	Rsqrt.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Rsqrt), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(RsqrtGrad, nil, g.Y(0), g.Dy()) },
	})
}

// Reciprocal is one over x.
var Reciprocal = ir.NewOp("Reciprocal", "x", "tf.math.reciprocal")

func init() {
	Reciprocal.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Reciprocal), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(ReciprocalGrad, nil, g.Y(0), g.Dy()) },
	})
}

// Exp is the exponential.
var Exp = ir.NewOp("Exp", "x", "tf.exp", "tf.math.exp")

func init() {
	Exp.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Exp), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), conj(g.Session, g.Y(0))) },
	})
}

// Expm1 is exp(x) - 1 without cancellation.
var Expm1 = ir.NewOp("Expm1", "x", "tf.math.expm1")

func init() {
	Expm1.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Expm1), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), conj(g.Session, g.Emit1(Exp, nil, g.X(0)))) },
	})
}

// Log is the natural logarithm.
var Log = ir.NewOp("Log", "x", "tf.math.log")

func init() {
	Log.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Log), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Reciprocal, nil, conj(g.Session, g.X(0)))) },
	})
}

// Log1p is log(1 + x) without cancellation.
var Log1p = ir.NewOp("Log1p", "x", "tf.math.log1p")

func init() {
	Log1p.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Log1p), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Reciprocal, nil, plus(g.Session, conj(g.Session, g.X(0)), 1)))
		},
	})
}

// Sin is the sine.
var Sin = ir.NewOp("Sin", "x", "tf.sin", "tf.math.sin")

func init() {
	Sin.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Sin), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Cos, nil, conj(g.Session, g.X(0)))) },
	})
}

// Cos is the cosine.
var Cos = ir.NewOp("Cos", "x", "tf.cos", "tf.math.cos")

func init() {
	Cos.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Cos), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = neg(g.Session, mul(g.Session, g.Dy(), g.Emit1(Sin, nil, conj(g.Session, g.X(0)))))
		},
	})
}

// Tan is the tangent.
var Tan = ir.NewOp("Tan", "x", "tf.tan", "tf.math.tan")

func init() {
	Tan.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Tan), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), square(g.Session, g.Emit1(Reciprocal, nil, g.Emit1(Cos, nil, conj(g.Session, g.X(0))))))
		},
	})
}

// Asin is the inverse of the sine.
var Asin = ir.NewOp("Asin", "x", "tf.asin", "tf.math.asin")

func init() {
	Asin.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Asin), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = div(g.Session, g.Dy(), g.Emit1(Sqrt, nil, from(g.Session, 1, square(g.Session, conj(g.Session, g.X(0))))))
		},
	})
}

// Acos is the inverse of the cosine.
var Acos = ir.NewOp("Acos", "x", "tf.acos", "tf.math.acos")

func init() {
	Acos.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Acos), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = neg(g.Session, div(g.Session, g.Dy(), g.Emit1(Sqrt, nil, from(g.Session, 1, square(g.Session, conj(g.Session, g.X(0)))))))
		},
	})
}

// Atan is the inverse of the tangent.
var Atan = ir.NewOp("Atan", "x", "tf.atan", "tf.math.atan")

func init() {
	Atan.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Atan), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = div(g.Session, g.Dy(), plus(g.Session, square(g.Session, conj(g.Session, g.X(0))), 1))
		},
	})
}

// Sinh is the hyperbolic sine.
var Sinh = ir.NewOp("Sinh", "x", "tf.sinh", "tf.math.sinh")

func init() {
	Sinh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Sinh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Cosh, nil, conj(g.Session, g.X(0)))) },
	})
}

// Cosh is the hyperbolic cosine.
var Cosh = ir.NewOp("Cosh", "x", "tf.cosh", "tf.math.cosh")

func init() {
	Cosh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Cosh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Sinh, nil, conj(g.Session, g.X(0)))) },
	})
}

// Asinh is the inverse of the hyperbolic sine.
var Asinh = ir.NewOp("Asinh", "x", "tf.asinh", "tf.math.asinh")

func init() {
	Asinh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Asinh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = div(g.Session, g.Dy(), g.Emit1(Cosh, nil, conj(g.Session, g.Y(0)))) },
	})
}

// Acosh is the inverse of the hyperbolic cosine.
var Acosh = ir.NewOp("Acosh", "x", "tf.acosh", "tf.math.acosh")

func init() {
	Acosh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Acosh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = div(g.Session, g.Dy(), g.Emit1(Sinh, nil, conj(g.Session, g.Y(0)))) },
	})
}

// Atanh is the inverse of the hyperbolic tangent.
var Atanh = ir.NewOp("Atanh", "x", "tf.atanh", "tf.math.atanh")

func init() {
	Atanh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Atanh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = div(g.Session, g.Dy(), from(g.Session, 1, square(g.Session, conj(g.Session, g.X(0)))))
		},
	})
}

// Tanh is the hyperbolic tangent.
var Tanh = ir.NewOp("Tanh", "x", "tf.tanh", "tf.math.tanh", "tf.nn.tanh")

func init() {
	Tanh.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Tanh), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(TanhGrad, nil, conj(g.Session, g.Y(0)), g.Dy()) },
	})
}

// Sigmoid is 1 / (1 + exp(-x)).
var Sigmoid = ir.NewOp("Sigmoid", "x", "tf.sigmoid", "tf.math.sigmoid", "tf.nn.sigmoid")

func init() {
	Sigmoid.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Sigmoid), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(SigmoidGrad, nil, conj(g.Session, g.Y(0)), g.Dy()) },
	})
}

// Relu is max(x, 0).
var Relu = ir.NewOp("Relu", "features", "tf.nn.relu")

func init() {
	Relu.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Relu), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(ReluGrad, nil, g.Dy(), g.Y(0)) },
	})
}

// Relu6 is x cut to 0..6.
var Relu6 = ir.NewOp("Relu6", "features", "tf.nn.relu6")

func init() {
	Relu6.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Relu6), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Relu6Grad, nil, g.Dy(), g.Y(0)) },
	})
}

// Elu is x where positive, exp(x) - 1 elsewhere.
var Elu = ir.NewOp("Elu", "features", "tf.nn.elu")

func init() {
	Elu.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Elu), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(EluGrad, nil, g.Dy(), g.Y(0)) },
	})
}

// Selu is the scaled exponential linear unit.
var Selu = ir.NewOp("Selu", "features", "tf.nn.selu")

func init() {
	Selu.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Selu), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(SeluGrad, nil, g.Dy(), g.Y(0)) },
	})
}

// Softplus is log(1 + exp(x)).
var Softplus = ir.NewOp("Softplus", "features", "tf.math.softplus", "tf.nn.softplus")

func init() {
	Softplus.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Softplus), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(SoftplusGrad, nil, g.Dy(), g.X(0)) },
	})
}

// Softsign is x / (1 + |x|).
var Softsign = ir.NewOp("Softsign", "features", "tf.nn.softsign")

func init() {
	Softsign.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Softsign), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(SoftsignGrad, nil, g.Dy(), g.X(0)) },
	})
}

// Erf is the error function.
var Erf = ir.NewOp("Erf", "x", "tf.math.erf")

func init() {
	Erf.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Erf), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), times(g.Session, g.Emit1(Exp, nil, neg(g.Session, square(g.Session, g.X(0)))), 2/math.SqrtPi))
		},
	})
}

// Erfc is 1 - erf(x).
var Erfc = ir.NewOp("Erfc", "x", "tf.math.erfc")

func init() {
	Erfc.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Erfc), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), times(g.Session, g.Emit1(Exp, nil, neg(g.Session, square(g.Session, g.X(0)))), -2/math.SqrtPi))
		},
	})
}

// Erfinv is the inverse of the error function.
var Erfinv = ir.NewOp("Erfinv", "x", "tf.math.erfinv")

func init() {
	Erfinv.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Erfinv), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), times(g.Session, g.Emit1(Exp, nil, square(g.Session, g.Y(0))), math.SqrtPi/2))
		},
	})
}

// Ndtri is the quantile function of the normal distribution.
var Ndtri = ir.NewOp("Ndtri", "x", "tf.math.ndtri")

func init() {
	Ndtri.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Ndtri), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), times(g.Session, g.Emit1(Exp, nil, times(g.Session, square(g.Session, g.Y(0)), 0.5)), math.Sqrt2*math.SqrtPi))
		},
	})
}

// Lgamma is the logarithm of the absolute value of the gamma function.
var Lgamma = ir.NewOp("Lgamma", "x", "tf.math.lgamma")

func init() {
	Lgamma.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Lgamma), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) { g.DX[0] = mul(g.Session, g.Dy(), g.Emit1(Digamma, nil, g.X(0))) },
	})
}

// Digamma is the derivative of lgamma.
var Digamma = ir.NewOp("Digamma", "x", "tf.math.digamma")

func init() {
	Digamma.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Digamma), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), g.Emit2(Polygamma, nil, g.Scalar(g.X(0).DType(), 1), g.X(0)))
		},
	})
}

// Floor is the largest integer not above x.
var Floor = ir.NewOp("Floor", "x", "tf.floor", "tf.math.floor")

func init() {
	Floor.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Floor), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Ceil is the smallest integer not below x.
var Ceil = ir.NewOp("Ceil", "x", "tf.math.ceil")

func init() {
	Ceil.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Ceil), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Round is the nearest integer, halves to even.
var Round = ir.NewOp("Round", "x", "tf.round", "tf.math.round")

func init() {
	Round.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Round), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Rint is the nearest integer, halves to even; floats only.
var Rint = ir.NewOp("Rint", "x", "tf.math.rint")

func init() {
	Rint.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.Round), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// BesselI0e is the scaled modified Bessel function of order 0.
var BesselI0e = ir.NewOp("BesselI0e", "x", "tf.math.bessel_i0e", "tf.math.special.bessel_i0e")

func init() {
	BesselI0e.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.BesselI0e), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Dy(), sub(g.Session, g.Emit1(BesselI1e, nil, g.X(0)), mul(g.Session, g.Emit1(Sign, nil, g.X(0)), g.Y(0))))
		},
	})
}

// BesselI1e is the scaled modified Bessel function of order 1.
var BesselI1e = ir.NewOp("BesselI1e", "x", "tf.math.bessel_i1e", "tf.math.special.bessel_i1e")

func init() {
	BesselI1e.Define(ir.Rules{
		Infer: like0, Kernel: unary(kernel.BesselI1e), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) { g.DX[0] = besselI1eGrad(g) },
	})
}

// besselI1eGrad: (I0e - y (sign(x) + 1/x)) dy, with the limit 1/2 at 0.
func besselI1eGrad(g *ir.Grad) ir.Value {
	s, x, y := g.Session, g.X(0), g.Y(0)
	tiny := g.Emit2(Less, nil, g.Emit1(Abs, nil, x), g.Scalar(x.DType(), 1e-6))
	safe := where(s, tiny, g.Emit1(OnesLike, nil, x), x)
	d := sub(s, g.Emit1(BesselI0e, nil, safe), mul(s, y, add(s, g.Emit1(Sign, nil, safe), g.Emit1(Reciprocal, nil, safe))))
	return mul(s, g.Dy(), where(s, tiny, g.Scalar(x.DType(), 0.5), d))
}
