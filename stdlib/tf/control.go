package tf

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tracer"
)

// controlRows are the graph forms of functional control flow and the lists behind
// TensorArray; lib/control.tfs and lib/tensorarray.tfs build tf's functions on them.
var controlRows = []row{
	{names: "tf.__internal__.graph_cond", sig: "graph_cond(pred, true_fn, false_fn)", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return tracer.Of(th).Branches(a[0], true, a[1:3])
	}},
	{names: "tf.__internal__.graph_switch", sig: "graph_switch(index, fns)", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		fns, _ := lang.Sequence(a[1])
		return tracer.Of(th).Branches(a[0], false, lang.Values(fns))
	}},
	{names: "tf.__internal__.graph_while", sig: "graph_while(cond, body, loop_vars, shape_invariants, maximum_iterations)", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return tracer.Of(th).While(&tracer.Loop{Cond: a[0], Body: a[1], Vars: a[2], Invariants: a[3], MaxTurns: a[4]})
	}},
	{names: "tf.__internal__.converted", sig: "converted(f)", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return tracer.Of(th).Converted(a[0])
	}},
	{names: "tf.autograph.to_graph", sig: "to_graph(entity, recursive=True, experimental_optional_features=None)", fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return tracer.Of(th).Convert(a[0])
	}},
	{names: "tf.autograph.set_verbosity", sig: "set_verbosity(level, alsologtostdout=False)", fn: func(*lang.Thread, []lang.Value) (lang.Value, error) { return lang.None, nil }},
	{names: "tf.__internal__.list_reserve", sig: "list_reserve(size, dtype, shape)", fn: fn(func(c *call) ir.Value {
		at := c.listAttrs(1, 2)
		return c.op(ops.TensorListReserve, at, shapeOperand(at.Shape), c.ints(0))
	})},
	{names: "tf.__internal__.list_set", sig: "list_set(list, index, item, dtype, shape, resize)", fn: fn(func(c *call) ir.Value {
		at := c.listAttrs(3, 4)
		return c.op(ops.TensorListSetItem, &ops.ListSetAttrs{Elem: at.Elem, Shape: at.Shape, Resize: c.flag(5)}, c.t(0), c.ints(1), c.t(2))
	})},
	{names: "tf.__internal__.list_get", sig: "list_get(list, index, dtype, shape)", fn: fn(func(c *call) ir.Value {
		at := c.listAttrs(2, 3)
		return c.op(ops.TensorListGetItem, at, c.t(0), c.ints(1), shapeOperand(at.Shape))
	})},
	{names: "tf.__internal__.list_stack", sig: "list_stack(list, dtype, shape, size)", fn: fn(func(c *call) ir.Value {
		at := c.listAttrs(1, 2)
		at.Num = c.int(3, 0)
		return c.op(ops.TensorListStack, at, c.t(0))
	})},
	{names: "tf.__internal__.list_unstack", sig: "list_unstack(value, dtype, shape)", fn: fn(func(c *call) ir.Value {
		return c.op(ops.TensorListFromTensor, c.listAttrs(1, 2), c.t(0))
	})},
	{names: "tf.__internal__.list_size", sig: "list_size(list)", fn: fn(func(c *call) ir.Value { return c.op1(ops.TensorListLength, nil, c.t(0)) })},
	{names: "tf.__internal__.list_concat", sig: "list_concat(list, dtype, shape)", fn: fn(func(c *call) ir.Value {
		outs := c.all(ops.TensorListConcat, c.listAttrs(1, 2), c.t(0))
		if len(outs) == 0 {
			return poisonValue
		}
		return outs[0]
	})},
	{names: "tf.__internal__.list_split", sig: "list_split(value, lengths, dtype, shape)", fn: fn(func(c *call) ir.Value {
		return c.op(ops.TensorListSplit, c.listAttrs(2, 3), c.t(0), c.as(1, tensor.Int64))
	})},
}

func init() { tables = append(tables, controlRows) }

// listAttrs reads the element type of a list.
func (c *call) listAttrs(dt, shape int) *ops.ListAttrs {
	at := &ops.ListAttrs{Elem: c.dtype(dt, tensor.Float32), Shape: tensor.UnknownShape}
	if c.has(shape) {
		s, err := c.AsShape(c.a[shape])
		c.keep(err)
		at.Shape = s
	}
	return at
}

// shapeOperand is a partly known shape as ints: -1 for what isn't known.
func shapeOperand(s tensor.Shape) ir.Value {
	if !s.RankKnown() {
		return ir.IntScalar(-1)
	}
	return ir.DimList(s.Dims())
}
