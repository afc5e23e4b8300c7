package tf

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// stringRows are the functions of tf.strings.
var stringRows = []row{
	{names: "tf.strings.lower", sig: "lower(input, encoding='', name=None)", fn: stringFn(ops.StringLower, func(c *call, a *ops.StringAttrs) { a.Encoding = c.str(1, "") })},
	{names: "tf.strings.upper", sig: "upper(input, encoding='', name=None)", fn: stringFn(ops.StringUpper, func(c *call, a *ops.StringAttrs) { a.Encoding = c.str(1, "") })},
	{names: "tf.strings.length", sig: "length(input, unit='BYTE', name=None)", fn: stringFn(ops.StringLength, func(c *call, a *ops.StringAttrs) { a.Unit = c.str(1, "") })},
	{names: "tf.strings.regex_replace", sig: "regex_replace(input, pattern, rewrite, replace_global=True, name=None)",
		fn: stringFn(ops.RegexReplace, func(c *call, a *ops.StringAttrs) {
			a.Pattern, a.Rewrite, a.ReplaceGlobal = c.str(1, ""), c.str(2, ""), c.flag(3)
		})},
	{names: "tf.strings.regex_full_match", sig: "regex_full_match(input, pattern, name=None)",
		fn: stringFn(ops.RegexFullMatch, func(c *call, a *ops.StringAttrs) { a.Pattern = c.str(1, "") })},
	{names: "tf.strings.to_number", sig: "to_number(input, out_type=..., name=None)",
		fn: stringFn(ops.StringToNumber, func(c *call, a *ops.StringAttrs) { a.OutType = c.dtype(1, tensor.Float32) })},
	{names: "tf.strings.as_string tf.as_string", sig: "as_string(input, precision=-1, scientific=False, shortest=False, width=-1, fill='', name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		a := &ops.StringAttrs{Precision: c.int(1, -1), Scientific: c.flag(2), Shortest: c.flag(3), Width: c.int(4, -1), Fill: c.str(5, "")}
		c.named(6, "")
		return c.op1(ops.AsString, a, x)
	})},
	{names: "tf.strings.substr", sig: "substr(input, pos, len, unit='BYTE', name=None)", fn: fn(func(c *call) ir.Value {
		return c.op(ops.Substr, &ops.StringAttrs{Unit: c.str(3, "BYTE")}, c.t(0), c.t(1), c.t(2))
	})},
	{names: "tf.strings.join", sig: "join(inputs, separator='', name=None)", fn: fn(func(c *call) ir.Value {
		var in []ir.Value
		for _, v := range c.list(0) {
			in = append(in, c.convert(v, tensor.Invalid))
		}
		return c.op(ops.StringJoin, &ops.StringAttrs{Separator: c.str(1, "")}, in...)
	})},
	{names: "tf.strings.reduce_join", sig: "reduce_join(inputs, axis=None, keepdims=False, separator='', name=None)", fn: fn(reduceJoinFn)},
	{names: "tf.__internal__.string_pieces", sig: "string_pieces(input, sep, maxsplit)", fn: listFn(func(c *call) []ir.Value {
		return c.all(ops.StringSplit, &ops.StringAttrs{Separator: c.str(1, ""), Width: c.int(2, -1)}, c.t(0))
	})},
}

func stringFn(op *ir.Op, set func(c *call, a *ops.StringAttrs)) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		a := &ops.StringAttrs{}
		set(c, a)
		return c.op1(op, a, x)
	})
}

func reduceJoinFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	axes := allAxes(c, x)
	if c.has(1) {
		axes = shapeArg(c, 1)
	}
	return c.op2(ops.ReduceJoin, &ops.StringAttrs{KeepDims: c.flag(2), Separator: c.str(3, "")}, x, axes)
}
