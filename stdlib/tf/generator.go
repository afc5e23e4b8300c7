package tf

import (
	"math/rand/v2"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

// generatorRows are what the Generator class is made of.
var generatorRows = []row{
	{names: "tf.__internal__.draw", sig: "draw(kind, state, shape, dtype, *operands)", fn: fn(func(c *call) ir.Value {
		in := []ir.Value{c.t(1), shapeArg(c, 2)}
		for _, v := range c.list(4) {
			in = append(in, c.convert(v, tensor.Invalid))
		}
		return c.op(ops.GeneratorDraw, &ops.GeneratorAttrs{Kind: c.str(0, ""), DType: c.dtype(3, tensor.Float32)}, in...)
	})},
	{names: "tf.__internal__.entropy", sig: "entropy(n)", fn: fn(func(c *call) ir.Value {
		v := make([]int64, c.int(0, 1))
		for i := range v {
			v[i] = int64(rand.Uint64())
		}
		return c.s.Const(tensor.From(v, len(v)))
	})},
}
