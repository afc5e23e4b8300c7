package tf

import (
	"reflect"
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// rawOps exports every op of TensorFlow's registry as tf.raw_ops.Name, called with
// keyword arguments only.
func (b *builder) rawOps() {
	for _, op := range ir.Ops() {
		if op.Def == nil {
			continue
		}
		d := &lang.Def{Sig: op.Name + "(**kwargs)", Fn: rawOp(op), Flags: lang.DefPython}
		b.add("tf.raw_ops."+op.Name, &entry{def: d})
	}
}

// rawOp is the function of one op: its operands by name, its attributes by the
// names of the fields of its attribute struct.
func rawOp(op *ir.Op) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		c := read(th, a)
		kw, _ := lang.AsDict(a[0])
		in := c.rawOperands(op, kw)
		attrs := c.rawAttrs(op, kw)
		outs := c.all(op, attrs, in...)
		if err := c.failed(); err != nil {
			return lang.Unbound, err
		}
		switch len(outs) {
		case 0:
			return lang.None, nil
		case 1:
			return bridge.FromIR(outs[0]), nil
		}
		return lang.NewTuple(fromIR(outs)...), nil
	}
}

func (c *call) rawOperands(op *ir.Op, kw *lang.Dict) []ir.Value {
	var in []ir.Value
	args := op.Def.Args()
	for i, arg := range args {
		v, ok := kw.GetStr(arg.Name)
		switch {
		case !ok:
			c.typeError("%s() missing a required argument: '%s'", op.Name, arg.Name)
			return nil
		case arg.List && mixedList(op, arg):
			for _, x := range c.listOf(v) {
				in = append(in, c.convert(x, tensor.Invalid))
			}
		case arg.List:
			xs, err := c.Adopt(c.listOf(v)...)
			c.keep(err)
			in = append(in, xs...)
		case i > 0 && op.IntArgs.HasIn(i, len(args)):
			in = append(in, c.intsOf(v))
		case arg.Attr == "":
			in = append(in, c.convert(v, arg.DT))
		default:
			in = append(in, c.rawOperand(op, kw, in, i, v))
		}
		if c.err != nil {
			return nil
		}
	}
	return in
}

// mixedList reports a list whose elements may differ in dtype.
func mixedList(op *ir.Op, arg ir.ArgDef) bool {
	for _, a := range op.Def.Attrs() {
		if a.Name == arg.Attr {
			return strings.HasPrefix(a.Type, "list(")
		}
	}
	return false
}

// rawOperand gives a Python value the dtype of the tensor among the operands of
// its type.
func (c *call) rawOperand(op *ir.Op, kw *lang.Dict, before []ir.Value, i int, v lang.Value) ir.Value {
	if va, ok := bridge.AsVariable(v); ok && op.Def.Args()[i].DT == tensor.Resources {
		return va.Operand()
	}
	args := op.Def.Args()
	for k, x := range before {
		if k < len(args) && args[k].Attr == args[i].Attr && !tensorLike(v) {
			return c.convert(v, x.DType())
		}
	}
	return c.convert(v, tensor.Invalid)
}

// rawAttrs fills the op's attribute struct.
func (c *call) rawAttrs(op *ir.Op, kw *lang.Dict) any {
	if op.Attrs == nil || c.err != nil {
		return nil
	}
	p := reflect.New(reflect.TypeOf(op.Attrs).Elem())
	p.Elem().Set(reflect.ValueOf(op.Attrs).Elem())
	for at := 0; ; {
		k, v, next, ok := kw.Entry(at)
		if !ok {
			return p.Interface()
		}
		at = next
		name, _ := lang.AsStr(k)
		f := p.Elem().FieldByNameFunc(func(n string) bool { return strings.ToLower(n) == fieldName(name.String()) })
		if f.IsValid() && !v.IsNone() {
			c.setField(f, v)
		}
	}
}

// fieldName maps attribute names onto the fields that have another one.
func fieldName(s string) string {
	switch s {
	case "num_split":
		return "num"
	case "data_format":
		return "format"
	case "squeeze_dims":
		return "axes"
	case "shrink_axis_mask":
		return "shrinkaxis"
	case "explicit_paddings":
		return "explicit"
	case "output_dtype":
		return "dtype"
	}
	return strings.ReplaceAll(s, "_", "")
}

func (c *call) setField(f reflect.Value, v lang.Value) {
	sub := &call{State: c.State, s: c.s, a: []lang.Value{v}}
	switch f.Interface().(type) {
	case tensor.DType:
		f.Set(reflect.ValueOf(sub.dtype(0, tensor.Invalid)))
	case bool:
		f.SetBool(sub.flag(0))
	case int, int64:
		f.SetInt(int64(sub.int(0, 0)))
	case float64:
		f.SetFloat(sub.float(0, 0))
	case string:
		f.SetString(sub.str(0, ""))
	case []int:
		f.Set(reflect.ValueOf(sub.dims(0)))
	case []int64:
		var out []int64
		for _, n := range sub.dims(0) {
			out = append(out, int64(n))
		}
		f.Set(reflect.ValueOf(out))
	case tensor.Shape:
		s, err := c.AsShape(v)
		sub.keep(err)
		f.Set(reflect.ValueOf(s))
	}
	c.keep(sub.err)
}
