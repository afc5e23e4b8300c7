package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
)

// einsumRows is tf.einsum.
var einsumRows = []row{
	{names: "tf.einsum tf.linalg.einsum", sig: "einsum(equation, *inputs, **kwargs)", fn: fn(einsumFn)},
}

// einsumFn needs tensors, as TensorFlow's does: lists are refused.
func einsumFn(c *call) ir.Value {
	vals := c.list(1)
	for _, v := range vals {
		if _, _, isArray := bridge.ArrayType(v); !isArray && !tensorLike(v) {
			c.keep(lang.NoAttribute(c.Th, v, "shape"))
			return nil
		}
	}
	if len(vals) == 0 {
		return c.valueError("must provide at least one input")
	}
	in, err := c.Adopt(vals...)
	if !c.keep(err) {
		return nil
	}
	return c.op(ops.Einsum, &ops.EinsumAttrs{Equation: c.str(0, "")}, in...)
}
