package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// like0 gives the result operand 0's type.
func like0(c *ir.Call) *ir.Mistake { return c.SetLike(0) }

// like1 gives the result operand 1's type.
func like1(c *ir.Call) *ir.Mistake { return c.SetLike(1) }

// toType gives the result operand 0's shape and a fixed dtype.
func toType(dt tensor.DType) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake { return c.SetOut(dt, c.Shape(0)) }
}

// fixed gives a result that does not depend on the operands.
func fixed(dt tensor.DType, s tensor.Shape) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake { return c.SetOut(dt, s) }
}

// broadcast is the shape rule of element-wise ops of two operands.
func broadcast(c *ir.Call) *ir.Mistake {
	x, y := c.Shape(0), c.Shape(1)
	if x == y {
		return c.SetLike(0)
	}
	s, ok := tensor.Broadcast(x, y)
	if !ok {
		return incompatible(x, y)
	}
	if s == x && c.DType(0) == c.DType(1) {
		return c.SetLike(0)
	}
	if s == y && c.DType(0) == c.DType(1) {
		return c.SetLike(1)
	}
	return c.SetOut(c.DType(0), s)
}

// broadcastTo is broadcast with a fixed dtype.
func broadcastTo(dt tensor.DType) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		s, ok := tensor.Broadcast(c.Shape(0), c.Shape(1))
		if !ok {
			return incompatible(c.Shape(0), c.Shape(1))
		}
		return c.SetOut(dt, s)
	}
}

// incompatible names the two shapes and the first dimension from the end that
// doesn't fit.
func incompatible(x, y tensor.Shape) *ir.Mistake {
	a, b := clash(x, y)
	return &ir.Mistake{Kind: ir.IncompatibleShapes, Args: []any{x, y, a, b}}
}

func clash(x, y tensor.Shape) (int, int) {
	for i := 1; i <= min(x.Rank(), y.Rank()); i++ {
		a, b := x.Dim(-i), y.Dim(-i)
		if a != b && a != 1 && b != 1 && a >= 0 && b >= 0 {
			return a, b
		}
	}
	return 0, 0
}

// same requires operands of one shape and gives that.
func sameShapes(c *ir.Call) *ir.Mistake {
	s, ok := tensor.Merge(c.Shape(0), c.Shape(1))
	if !ok {
		return incompatible(c.Shape(0), c.Shape(1))
	}
	if s == c.Shape(0) {
		return c.SetLike(0)
	}
	return c.SetOut(c.DType(0), s)
}

// axisOf brings an axis into 0..rank-1; ok is false when it lies outside.
func axisOf(axis int64, rank int) (int, bool) {
	if axis < 0 {
		axis += int64(rank)
	}
	return int(axis), axis >= 0 && axis < int64(rank)
}

// prod multiplies known dimensions.
func prod(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// dimsCopy is a fresh slice of s's dimensions.
func dimsCopy(s tensor.Shape) []int { return append([]int(nil), s.Dims()...) }
