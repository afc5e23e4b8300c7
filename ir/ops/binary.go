package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// AddV2 is the sum.
var AddV2 = ir.NewOp("AddV2", "x, y", "tf.add", "tf.math.add")

func init() {
	AddV2.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Add), InPlace: true, Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, g.Dy(), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, g.Dy(), 1, 0)
			}
		},
	})
}

// Sub is the difference.
var Sub = ir.NewOp("Sub", "x, y", "tf.subtract", "tf.math.subtract")

func init() {
	Sub.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Sub), InPlace: true, Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, g.Dy(), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, neg(g.Session, g.Dy()), 1, 0)
			}
		},
	})
}

// Mul is the product.
var Mul = ir.NewOp("Mul", "x, y", "tf.multiply", "tf.math.multiply")

func init() {
	Mul.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Mul), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, mul(g.Session, g.Dy(), conj(g.Session, g.X(1))), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, mul(g.Session, conj(g.Session, g.X(0)), g.Dy()), 1, 0)
			}
		},
	})
}

// RealDiv is the true quotient of floats.
var RealDiv = ir.NewOp("RealDiv", "x, y")

func init() {
	RealDiv.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Div), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, div(g.Session, g.Dy(), conj(g.Session, g.X(1))), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, mul(g.Session, g.Dy(), div(g.Session, div(g.Session, neg(g.Session, conj(g.Session, g.X(0))), conj(g.Session, g.X(1))), conj(g.Session, g.X(1)))), 1, 0)
			}
		},
	})
}

// DivNoNan is the quotient, 0 where y is 0.
var DivNoNan = ir.NewOp("DivNoNan", "x, y", "tf.math.divide_no_nan")

func init() {
	DivNoNan.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.DivNoNan), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, g.Emit2(DivNoNan, nil, g.Dy(), g.X(1)), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, mul(g.Session, g.Dy(), g.Emit2(DivNoNan, nil, g.Emit2(DivNoNan, nil, neg(g.Session, g.X(0)), g.X(1)), g.X(1))), 1, 0)
			}
		},
	})
}

// MulNoNan is the product, 0 where y is 0.
var MulNoNan = ir.NewOp("MulNoNan", "x, y", "tf.math.multiply_no_nan")

func init() {
	MulNoNan.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.MulNoNan), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, g.Emit2(MulNoNan, nil, g.Dy(), g.X(1)), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, g.Emit2(MulNoNan, nil, g.X(0), g.Dy()), 1, 0)
			}
		},
	})
}

// FloorDiv is the quotient rounded down.
var FloorDiv = ir.NewOp("FloorDiv", "x, y", "tf.math.floordiv")

func init() {
	FloorDiv.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.FloorDiv), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// FloorMod is the remainder with the divisor's sign.
var FloorMod = ir.NewOp("FloorMod", "x, y", "tf.math.floormod", "tf.math.mod")

func init() {
	FloorMod.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.FloorMod), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			if g.Wants(0) {
				g.DX[0] = fit(g, g.Dy(), 0, 1)
			}
			if g.Wants(1) {
				g.DX[1] = fit(g, mul(g.Session, g.Dy(), neg(g.Session, g.Emit2(FloorDiv, nil, g.X(0), g.X(1)))), 1, 0)
			}
		},
	})
}

// TruncateDiv is the quotient rounded toward zero.
var TruncateDiv = ir.NewOp("TruncateDiv", "x, y", "tf.truncatediv")

func init() {
	TruncateDiv.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.TruncDiv), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// TruncateMod is the remainder with the dividend's sign.
var TruncateMod = ir.NewOp("TruncateMod", "x, y", "tf.truncatemod")

func init() {
	TruncateMod.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.TruncMod), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NoGradient,
	})
}

// Pow is x to the power of y.
var Pow = ir.NewOp("Pow", "x, y", "tf.pow", "tf.math.pow")

func init() {
	Pow.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Pow), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1) | ir.Out(0),
		Grad: powGrad,
	})
}

// Maximum is the larger.
var Maximum = ir.NewOp("Maximum", "x, y", "tf.maximum", "tf.math.maximum")

func init() {
	Maximum.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Maximum), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: choiceGrad(GreaterEqual),
	})
}

// Minimum is the smaller.
var Minimum = ir.NewOp("Minimum", "x, y", "tf.minimum", "tf.math.minimum")

func init() {
	Minimum.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Minimum), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: choiceGrad(LessEqual),
	})
}

// SquaredDifference is (x - y) squared.
var SquaredDifference = ir.NewOp("SquaredDifference", "x, y", "tf.math.squared_difference")

func init() {
	SquaredDifference.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.SquaredDifference), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: squaredDifferenceGrad,
	})
}

// Atan2 is the angle of the point (x, y).
var Atan2 = ir.NewOp("Atan2", "y, x", "tf.atan2", "tf.math.atan2")

func init() {
	Atan2.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Atan2), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: atan2Grad,
	})
}

// Xlogy is x log(y), 0 where x is 0.
var Xlogy = ir.NewOp("Xlogy", "x, y", "tf.math.xlogy")

func init() {
	Xlogy.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Xlogy), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: xlogyGrad,
	})
}

// Xlog1py is x log(1 + y), 0 where x is 0.
var Xlog1py = ir.NewOp("Xlog1py", "x, y", "tf.math.xlog1py")

func init() {
	Xlog1py.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Xlog1py), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: xlog1pyGrad,
	})
}

// Xdivy is x / y, 0 where x is 0.
var Xdivy = ir.NewOp("Xdivy", "x, y", "tf.math.xdivy")

func init() {
	Xdivy.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Xdivy), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: xdivyGrad,
	})
}

// NextAfter is the next number after x1 toward x2.
var NextAfter = ir.NewOp("NextAfter", "x1, x2", "tf.math.nextafter")

func init() {
	NextAfter.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.NextAfter), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Igamma is the lower regularised incomplete gamma function.
var Igamma = ir.NewOp("Igamma", "a, x", "tf.math.igamma")

func init() {
	Igamma.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Igamma), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: igammaGrad(1),
	})
}

// Igammac is the upper regularised incomplete gamma function.
var Igammac = ir.NewOp("Igammac", "a, x", "tf.math.igammac")

func init() {
	Igammac.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Igammac), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: igammaGrad(-1),
	})
}

// Zeta is the Hurwitz zeta function.
var Zeta = ir.NewOp("Zeta", "x, q", "tf.math.zeta")

func init() {
	Zeta.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Zeta), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: zetaGrad,
	})
}

// Polygamma is the derivative of digamma of order a.
var Polygamma = ir.NewOp("Polygamma", "a, x", "tf.math.polygamma")

func init() {
	Polygamma.Define(ir.Rules{
		Infer: broadcast, Kernel: binary(kernel.Polygamma), InPlace: true, Fuse: ir.Elementwise,
		Uses: ir.In(0) | ir.In(1),
		Grad: polygammaGrad,
	})
}
