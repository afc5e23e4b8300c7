package tf

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

func upper(s string) string { return strings.ToUpper(s) }

// mathRows are the functions on numbers that are more than their op.
var mathRows = []row{
	{names: "tf.cast tf.dtypes.cast", sig: "cast(x, dtype, name=None)", fn: fn(castFn)},
	{names: "tf.bitcast", sig: "bitcast(input, type, name=None)", fn: fn(func(c *call) ir.Value {
		x, dt := c.t(0), c.dtype(1, tensor.Invalid)
		c.named(2, "")
		return c.op1(ops.Bitcast, &ops.BitcastAttrs{Type: dt}, x)
	})},
	{names: "tf.abs tf.math.abs", sig: "abs(x, name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		c.named(1, "")
		if !c.ok() {
			return nil
		}
		return c.Abs(x)
	})},
	{names: "tf.divide tf.math.divide", sig: "divide(x, y, name=None)", fn: divideFn},
	{names: "tf.truediv tf.math.truediv", sig: "truediv(x, y, name=None)", fn: fn(trueDivFn)},
	{names: "tf.math.real", sig: "real(input, name=None)", fn: complexPart(ops.Real, false)},
	{names: "tf.math.imag", sig: "imag(input, name=None)", fn: complexPart(ops.Imag, true)},
	{names: "tf.math.conj", sig: "conj(x, name=None)", fn: complexPart(ops.Conj, false)},
	{names: "tf.math.angle", sig: "angle(input, name=None)", fn: fn(angleFn)},
	{names: "tf.add_n tf.math.add_n", sig: "add_n(inputs, name=None)", fn: fn(addNFn)},
	{names: "tf.matmul tf.linalg.matmul", sig: "matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False, output_type=None, grad_a=False, grad_b=False, name=None)",
		fn: fn(matmulFn)},
	{names: "tf.cumsum tf.math.cumsum", sig: "cumsum(x, axis=0, exclusive=False, reverse=False, name=None)", fn: cumulative(ops.Cumsum)},
	{names: "tf.math.cumprod", sig: "cumprod(x, axis=0, exclusive=False, reverse=False, name=None)", fn: cumulative(ops.Cumprod)},
	{names: "tf.math.cumulative_logsumexp", sig: "cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None)", fn: cumulative(ops.CumulativeLogsumexp)},
	{names: "tf.argmax tf.math.argmax", sig: "argmax(input, axis=None, output_type=..., name=None)", fn: argFn(ops.ArgMax)},
	{names: "tf.argmin tf.math.argmin", sig: "argmin(input, axis=None, output_type=..., name=None)", fn: argFn(ops.ArgMin)},
	{names: "tf.clip_by_value", sig: "clip_by_value(t, clip_value_min, clip_value_max, name=None)", fn: fn(clipFn)},
	{names: "tf.math.equal tf.equal", sig: "equal(x, y, name=None)", fn: opFunction(ops.Equal, 2)},
	{names: "tf.dtypes.as_dtype tf.as_dtype", sig: "as_dtype(type_value)", fn: objFn(func(c *call) lang.Value {
		dt := c.dtype(0, tensor.Invalid)
		if dt == tensor.Invalid && c.err == nil {
			c.typeError("Cannot convert the argument `type_value`: None to a TensorFlow DType.")
		}
		return bridge.DTypeValue(dt)
	})},
}

func castFn(c *call) ir.Value {
	dt := c.dtype(1, tensor.Invalid)
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	if x.DType() == dt {
		return x
	}
	if x.DType().IsComplex() && dt.IsFloating() {
		c.warn("You are casting an input of type %s to an incompatible dtype %s.  This will discard the imaginary part and may not be what you intended.", x.DType().Name(), dt.Name())
	}
	c.named(2, "")
	return c.op1(ops.Cast, &ops.CastAttrs{DstT: dt}, x)
}

// divideFn is x / y as the operator.
func divideFn(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	x := a[0]
	if !tensorLike(x) && !tensorLike(a[1]) {
		c := read(th, a)
		x = bridge.FromIR(c.t(0))
		if err := c.failed(); err != nil {
			return lang.Unbound, err
		}
	}
	if err := named(bridge.Of(th), a[2]); err != nil {
		return lang.Unbound, err
	}
	return lang.BinaryOperation(th, lang.OpDiv, x, a[1])
}

func trueDivFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	y := c.hint(1, x.DType())
	if !c.ok() {
		return nil
	}
	if c.Tracing() {
		c.s.Name = c.name(2, "truediv")
	}
	return c.Divide(x, y, 0)
}

// complexPart is a part of a complex tensor; of a real one itself, or zeros.
func complexPart(op *ir.Op, zero bool) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		if !c.ok() {
			return nil
		}
		switch {
		case x.DType().IsComplex():
			c.named(1, "")
			return c.op1(op, nil, x)
		case zero:
			return c.op1(ops.ZerosLike, nil, x)
		}
		return x
	})
}

func angleFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	if x.DType().IsComplex() {
		return c.op1(ops.Angle, nil, x)
	}
	neg := c.op2(ops.Less, nil, x, c.scalar(x.DType(), 0))
	return c.op(ops.SelectV2, nil, neg, c.scalar(x.DType(), 3.141592653589793), c.op1(ops.ZerosLike, nil, x))
}

func addNFn(c *call) ir.Value {
	vals := []lang.Value{c.a[0]}
	if _, ok := lang.Sequence(c.a[0]); ok {
		vals = c.list(0)
	}
	if len(vals) == 0 {
		return c.valueError("Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape.")
	}
	in, err := c.Adopt(vals...)
	if !c.keep(err) {
		return nil
	}
	for _, x := range in {
		if x.DType() != in[0].DType() {
			return c.valueError("Inputs must be an iterable of at least one Tensor/IndexedSlices with the same dtype and shape.")
		}
	}
	c.named(1, "")
	return c.op(ops.AddN, nil, in...)
}

func matmulFn(c *call) ir.Value {
	ta, tb, aa, ab := c.flag(2), c.flag(3), c.flag(4), c.flag(5)
	if ta && aa {
		return c.valueError("Only one of `transpose_a` and `adjoint_a` can be True. Received `transpose_a`=True, `adjoint_a`=True.")
	}
	if tb && ab {
		return c.valueError("Only one of `transpose_b` and `adjoint_b` can be True. Received `transpose_b`=True, `adjoint_b`=True.")
	}
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	y := c.hint(1, x.DType())
	if !c.ok() {
		return nil
	}
	if aa && x.DType().IsComplex() {
		x = c.op1(ops.Conj, nil, x)
	}
	if ab && y.DType().IsComplex() {
		y = c.op1(ops.Conj, nil, y)
	}
	c.named(11, "")
	r := c.MatMul(x, y, ta || aa, tb || ab)
	if dt := c.dtype(8, tensor.Invalid); dt != tensor.Invalid && c.ok() {
		return c.Cast(r, dt)
	}
	return r
}

func cumulative(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		x, axis := c.t(0), c.ints(1)
		a := &ops.CumAttrs{Exclusive: c.flag(2), Reverse: c.flag(3)}
		c.named(4, "")
		return c.op2(op, a, x, axis)
	})
}

func argFn(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		var axis ir.Value = ir.IntScalar(0)
		if c.has(1) {
			axis = c.ints(1)
		}
		dt := c.dtype(2, tensor.Int64)
		c.named(3, "")
		return c.op2(op, &ops.ArgAttrs{OutputType: dt}, x, axis)
	})
}

// clipFn takes the smaller of t and the upper limit, then the larger of that and
// the lower one.
func clipFn(c *call) ir.Value {
	if sl, ok := bridge.AsSlices(c.a[0]); ok {
		v := clipTo(c, sl.Values)
		if !c.ok() {
			return nil
		}
		return &ir.Slices{Values: v, Indices: sl.Indices, Dense: sl.Dense, Static: sl.Static}
	}
	return clipTo(c, c.t(0))
}

func clipTo(c *call, x ir.Value) ir.Value {
	if !c.ok() {
		return nil
	}
	hi := c.limit(2, x)
	if !c.ok() {
		return nil
	}
	if c.Tracing() {
		c.s.Name = c.name(3, "clip_by_value") + "/Minimum"
	}
	m := c.op2(ops.Minimum, nil, x, hi)
	if c.ok() && !tensor.Compatible(m.Shape(), x.Shape()) {
		return c.valueError("Shapes %s and %s are incompatible", x.Shape().String(), m.Shape().String())
	}
	lo := c.limit(1, x)
	if !c.ok() {
		return nil
	}
	if c.Tracing() {
		c.s.Name = c.name(3, "clip_by_value")
	}
	r := c.op2(ops.Maximum, nil, m, lo)
	if c.ok() && !tensor.Compatible(r.Shape(), x.Shape()) {
		return c.valueError("Shapes %s and %s are incompatible", x.Shape().String(), r.Shape().String())
	}
	return r
}

// limit is an operand beside x: a Python number takes its dtype.
func (c *call) limit(i int, x ir.Value) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	if tensorLike(c.a[i]) {
		return c.t(i)
	}
	return c.as(i, x.DType())
}
