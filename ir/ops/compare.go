package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// EqualAttrs are those of Equal and NotEqual.
type EqualAttrs struct {
	// Loose: shapes that don't fit give a scalar, as the operators == and != do,
	// instead of an error.
	Loose bool
}

var strictEqual, looseEqual = &EqualAttrs{}, &EqualAttrs{Loose: true}

// LooseEqual is what the operators == and != emit with.
var LooseEqual = looseEqual

// Equal compares for equality.
var Equal = ir.NewOp("Equal", "x, y", "tf.equal", "tf.math.equal")

// NotEqual compares for inequality.
var NotEqual = ir.NewOp("NotEqual", "x, y", "tf.not_equal", "tf.math.not_equal")

func init() {
	Equal.Define(ir.Rules{
		Attrs: strictEqual, Infer: equality, Kernel: equal(kernel.Equal), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

func init() {
	NotEqual.Define(ir.Rules{
		Attrs: strictEqual, Infer: equality, Kernel: equal(kernel.NotEqual), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

func equality(c *ir.Call) *ir.Mistake {
	s, ok := tensor.Broadcast(c.Shape(0), c.Shape(1))
	if ok {
		return c.SetOut(tensor.Bool, s)
	}
	if a, _ := c.Attrs.(*EqualAttrs); a != nil && a.Loose {
		return c.SetOut(tensor.Bool, tensor.Scalar)
	}
	return incompatible(c.Shape(0), c.Shape(1))
}

func equal(op kernel.CompareOp) func(c *ir.Call) *ir.Mistake {
	run := compare(op)
	return func(c *ir.Call) *ir.Mistake {
		if _, ok := tensor.Broadcast(c.Shape(0), c.Shape(1)); !ok {
			c.O(0).Bools()[0] = op == kernel.NotEqual
			return nil
		}
		return run(c)
	}
}

// Less compares x < y.
var Less = ir.NewOp("Less", "x, y", "tf.less", "tf.math.less")

func init() {
	Less.Define(ir.Rules{
		Infer: broadcastTo(tensor.Bool), Kernel: compare(kernel.Less), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// LessEqual compares x <= y.
var LessEqual = ir.NewOp("LessEqual", "x, y", "tf.less_equal", "tf.math.less_equal")

func init() {
	LessEqual.Define(ir.Rules{
		Infer: broadcastTo(tensor.Bool), Kernel: compare(kernel.LessEqual), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Greater compares x > y.
var Greater = ir.NewOp("Greater", "x, y", "tf.greater", "tf.math.greater")

func init() {
	Greater.Define(ir.Rules{
		Infer: broadcastTo(tensor.Bool), Kernel: compare(kernel.Greater), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// GreaterEqual compares x >= y.
var GreaterEqual = ir.NewOp("GreaterEqual", "x, y", "tf.greater_equal", "tf.math.greater_equal")

func init() {
	GreaterEqual.Define(ir.Rules{
		Infer: broadcastTo(tensor.Bool), Kernel: compare(kernel.GreaterEqual), Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// LogicalAnd is true where both are.
var LogicalAnd = ir.NewOp("LogicalAnd", "x, y", "tf.logical_and", "tf.math.logical_and")

func init() {
	LogicalAnd.Define(ir.Rules{
		Infer: broadcast, Kernel: logic(kernel.LogicalAnd), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// LogicalOr is true where one is.
var LogicalOr = ir.NewOp("LogicalOr", "x, y", "tf.logical_or", "tf.math.logical_or")

func init() {
	LogicalOr.Define(ir.Rules{
		Infer: broadcast, Kernel: logic(kernel.LogicalOr), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// LogicalNot inverts.
var LogicalNot = ir.NewOp("LogicalNot", "x", "tf.logical_not", "tf.math.logical_not")

func init() {
	LogicalNot.Define(ir.Rules{
		Infer: like0, InPlace: true, Fuse: ir.Elementwise,
		Kernel: func(c *ir.Call) *ir.Mistake {
			kernel.Not(c.O(0).Bools(), c.T(0).Bools())
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

func logic(op kernel.LogicOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		p, m := planOf(c.T(0), c.T(1), c.O(0))
		if m == nil {
			kernel.Logic(op, c.O(0).Bools(), c.T(0).Bools(), c.T(1).Bools(), p)
		}
		return m
	}
}

// BitwiseAnd is the bitwise and of integers.
var BitwiseAnd = ir.NewOp("BitwiseAnd", "x, y", "tf.bitwise.bitwise_and")

func init() {
	BitwiseAnd.Define(ir.Rules{
		Infer: broadcast, Kernel: bitwise(kernel.BitAnd), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// BitwiseOr is the bitwise or of integers.
var BitwiseOr = ir.NewOp("BitwiseOr", "x, y", "tf.bitwise.bitwise_or")

func init() {
	BitwiseOr.Define(ir.Rules{
		Infer: broadcast, Kernel: bitwise(kernel.BitOr), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// BitwiseXor is the bitwise exclusive or of integers.
var BitwiseXor = ir.NewOp("BitwiseXor", "x, y", "tf.bitwise.bitwise_xor")

func init() {
	BitwiseXor.Define(ir.Rules{
		Infer: broadcast, Kernel: bitwise(kernel.BitXor), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// LeftShift shifts bits up.
var LeftShift = ir.NewOp("LeftShift", "x, y", "tf.bitwise.left_shift")

func init() {
	LeftShift.Define(ir.Rules{
		Infer: broadcast, Kernel: bitwise(kernel.ShiftLeft), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// RightShift shifts bits down, keeping the sign.
var RightShift = ir.NewOp("RightShift", "x, y", "tf.bitwise.right_shift")

func init() {
	RightShift.Define(ir.Rules{
		Infer: broadcast, Kernel: bitwise(kernel.ShiftRight), InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

// Invert inverts all bits of integers.
var Invert = ir.NewOp("Invert", "x", "tf.bitwise.invert")

func init() {
	Invert.Define(ir.Rules{
		Infer: like0, Kernel: invert, InPlace: true, Fuse: ir.Elementwise,
		Grad: ir.NotDifferentiable,
	})
}

func bitwise(op kernel.BitOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, y, o := c.T(0), c.T(1), c.O(0)
		p, m := planOf(x, y, o)
		if m != nil {
			return m
		}
		switch x.DType() {
		case tensor.Int8:
			bitwiseOf[int8](op, o, x, y, p)
		case tensor.Int16:
			bitwiseOf[int16](op, o, x, y, p)
		case tensor.Int32:
			bitwiseOf[int32](op, o, x, y, p)
		case tensor.Int64:
			bitwiseOf[int64](op, o, x, y, p)
		case tensor.Uint8:
			bitwiseOf[uint8](op, o, x, y, p)
		case tensor.Uint16:
			bitwiseOf[uint16](op, o, x, y, p)
		case tensor.Uint32:
			bitwiseOf[uint32](op, o, x, y, p)
		case tensor.Uint64:
			bitwiseOf[uint64](op, o, x, y, p)
		default:
			return unsupported(c)
		}
		return nil
	}
}

func bitwiseOf[T kernel.Int](op kernel.BitOp, o, x, y *tensor.Tensor, p *kernel.Plan) {
	kernel.Bits(op, raw[T](o), raw[T](x), raw[T](y), p)
}

func invert(c *ir.Call) *ir.Mistake {
	x, o := c.T(0), c.O(0)
	switch x.DType().Size() {
	case 1:
		kernel.Invert(raw[uint8](o), raw[uint8](x))
	case 2:
		kernel.Invert(raw[uint16](o), raw[uint16](x))
	case 4:
		kernel.Invert(raw[uint32](o), raw[uint32](x))
	case 8:
		kernel.Invert(raw[uint64](o), raw[uint64](x))
	}
	return nil
}

// IsNan tests for nan.
var IsNan = ir.NewOp("IsNan", "x", "tf.math.is_nan")

func init() {
	IsNan.Define(ir.Rules{
		Infer: toType(tensor.Bool), Kernel: test(kernel.IsNan), Fuse: ir.Elementwise,
		Grad: ir.NoGradient,
	})
}

// IsInf tests for an infinity.
var IsInf = ir.NewOp("IsInf", "x", "tf.math.is_inf")

func init() {
	IsInf.Define(ir.Rules{
		Infer: toType(tensor.Bool), Kernel: test(kernel.IsInf), Fuse: ir.Elementwise,
		Grad: ir.NoGradient,
	})
}

// IsFinite tests for a number that is neither infinite nor nan.
var IsFinite = ir.NewOp("IsFinite", "x", "tf.math.is_finite")

func init() {
	IsFinite.Define(ir.Rules{
		Infer: toType(tensor.Bool), Kernel: test(kernel.IsFinite), Fuse: ir.Elementwise,
		Grad: ir.NoGradient,
	})
}

func test(op kernel.TestOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, o := c.T(0), c.O(0).Bools()
		switch x.DType() {
		case tensor.Float32:
			kernel.Test(op, o, x.F32())
		case tensor.Float64:
			kernel.Test(op, o, x.F64())
		case tensor.Float16:
			kernel.TestHalf(op, o, raw[kernel.Float16](x))
		case tensor.BFloat16:
			kernel.TestHalf(op, o, raw[kernel.BFloat16](x))
		default:
			return unsupported(c)
		}
		return nil
	}
}
