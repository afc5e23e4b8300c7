package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// reduceRows are the reductions that are one op.
var reduceRows = []row{
	reduction("reduce_sum", ops.Sum, "tf.reduce_sum tf.math.reduce_sum"),
	reduction("reduce_mean", ops.Mean, "tf.reduce_mean tf.math.reduce_mean"),
	reduction("reduce_prod", ops.Prod, "tf.reduce_prod tf.math.reduce_prod"),
	reduction("reduce_max", ops.Max, "tf.reduce_max tf.math.reduce_max"),
	reduction("reduce_min", ops.Min, "tf.reduce_min tf.math.reduce_min"),
	reduction("reduce_any", ops.Any, "tf.reduce_any tf.math.reduce_any"),
	reduction("reduce_all", ops.All, "tf.reduce_all tf.math.reduce_all"),
	reduction("reduce_euclidean_norm", ops.EuclideanNorm, "tf.math.reduce_euclidean_norm"),
}

func reduction(name string, op *ir.Op, names string) row {
	return row{names: names, sig: name + "(input_tensor, axis=None, keepdims=False, name=None)", fn: reduceFn(op)}
}

var keepDims, dropDims = &ops.ReduceAttrs{KeepDims: true}, &ops.ReduceAttrs{}

func reduceFn(op *ir.Op) lang.Native {
	logical := op == ops.Any || op == ops.All
	return fn(func(c *call) ir.Value {
		var x ir.Value
		if logical && !tensorLike(c.a[0]) && !bridge.HoldsTensor(c.a[0]) {
			x = c.as(0, tensor.Bool)
		} else {
			x = c.t(0)
		}
		attrs := dropDims
		if c.flag(2) {
			attrs = keepDims
		}
		if !c.ok() {
			return nil
		}
		if !c.has(1) {
			axes := allAxes(c, x)
			if l, ok := axes.(*ir.Ints); ok && c.Tracing() {
				c.s.Name = "Const"
				axes = c.s.Const(l.Tensor())
			}
			c.named(3, "")
			return c.op2(op, attrs, x, axes)
		}
		axes := c.ints(1)
		c.named(3, "")
		return c.op2(op, attrs, x, axes)
	})
}

// axisLists are the lists 0, 1, …, n-1, made once: operands are only read.
var axisLists = func() (out [9]*ir.Ints) {
	for n := range out {
		v := make([]int64, n)
		for i := range v {
			v[i] = int64(i)
		}
		out[n] = ir.IntList(v...)
	}
	return
}()

// allAxes are all dimensions of x.
func allAxes(c *call, x ir.Value) ir.Value {
	n := x.Shape().Rank()
	switch {
	case n < 0:
		rank := c.op1(ops.Rank, nil, x)
		return c.op(ops.Range, nil, ir.IntScalar(0), rank, ir.IntScalar(1))
	case n < len(axisLists):
		return axisLists[n]
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i)
	}
	return ir.IntList(v...)
}
