package tracer

import (
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

func init() {
	c := FunctionClass
	c.Call = func(th *lang.Thread, v lang.Value, args []lang.Value, names []*lang.Str) (lang.Value, error) {
		return functionOf(v).Call(th, args, names)
	}
	c.DescrGet = functionGet
	c.GetAttr, c.SetAttr = functionGetAttr, functionSetAttr
	c.Repr = func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		return lang.NewStr("<" + FunctionClass.Module + ".Function object at " + lang.Address(v) + ">"), nil
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "experimental_get_tracing_count(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.Int(int64(functionOf(a[0]).Count())), nil
		}},
		{Sig: "python_function(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) { return functionOf(a[0]).callee(), nil }},
		{Sig: "input_signature(self)", Flags: lang.DefProperty, Fn: functionInputSignature},
		{Sig: "get_concrete_function(self, *args, **kwargs)", Fn: getConcrete, Flags: lang.DefPython},
		{Sig: "pretty_printed_concrete_signatures(self, verbose=True)", Fn: prettySignatures, Flags: lang.DefPython},
	})
}

func functionOf(v lang.Value) *Function { return (*Function)(unsafe.Pointer(v.P)) }

// functionGet binds a Function that stands in a class to its instance (rule D13).
func functionGet(th *lang.Thread, d, o lang.Value, _ *lang.Class) (lang.Value, error) {
	if o.IsUnbound() {
		return d, nil
	}
	m, err := functionOf(d).method(o)
	if err != nil {
		return lang.Unbound, err
	}
	return m.Value(), nil
}

// functionGetAttr knows the attributes of the Python function besides its own.
func functionGetAttr(th *lang.Thread, v lang.Value, name *lang.Str) (lang.Value, error) {
	fn := functionOf(v)
	if fn.attrs != nil {
		if x, ok := fn.attrs.GetStr(name.String()); ok {
			return x, nil
		}
	}
	switch name.String() {
	case "__name__", "__doc__", "__qualname__", "__module__", "__wrapped__":
		if name.String() == "__wrapped__" {
			return fn.callee(), nil
		}
		return lang.GetAttr(th, fn.Python, name)
	}
	return lang.GenericGetAttr(th, v, name)
}

func functionSetAttr(th *lang.Thread, v lang.Value, name *lang.Str, x lang.Value) error {
	fn := functionOf(v)
	if fn.attrs == nil {
		fn.attrs = lang.NewDict()
	}
	if x.IsUnbound() {
		fn.attrs.DelStr(name.String())
		return nil
	}
	fn.attrs.PutStr(name.String(), x)
	return nil
}

func functionInputSignature(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	fn := functionOf(a[0])
	if fn.opts.Signature.IsNone() {
		return lang.None, nil
	}
	items, _ := lang.Sequence(fn.opts.Signature)
	return lang.NewTuple(lang.Values(items)...), nil
}

// getConcrete is get_concrete_function: it dispatches like a call but runs nothing
// (rule D20). Without arguments and with an input signature it takes that.
func getConcrete(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	fn := functionOf(a[0])
	pos, _ := lang.Sequence(a[1])
	args := lang.Values(pos)
	kw, _ := lang.AsDict(a[2])
	var names []*lang.Str
	for at := 0; ; {
		k, v, next, ok := kw.Entry(at)
		if !ok {
			break
		}
		at = next
		n, _ := lang.AsStr(k)
		names, args = append(names, n), append(args, v)
	}
	if len(args) == 0 && fn.opts.specs != nil {
		for _, s := range fn.opts.specified {
			if !s.IsUnbound() {
				args = append(args, s)
			}
		}
	}
	var b bound
	if reason := fn.sig.bind(args, names, &b); reason != "" {
		return lang.Unbound, fn.bindError(reason, args, names)
	}
	cf, _, err := fn.lookup(&b)
	if err != nil {
		return lang.Unbound, err
	}
	return cf.Value(), nil
}

func prettySignatures(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	fn := functionOf(a[0])
	parts := make([]string, len(fn.cache.list))
	for i, cf := range fn.cache.list {
		parts[i] = cf.signatureBlock(th)
	}
	return lang.NewStr(strings.Join(parts, "\n\n")), nil
}

// signatureBlock is the text of rule D21.
func (cf *ConcreteFunction) signatureBlock(th *lang.Thread) string {
	var b strings.Builder
	b.WriteString("Input Parameters:\n")
	for i, t := range cf.key {
		b.WriteString("  " + cf.names[i] + " (" + cf.kinds[i] + "): " + t.Text(th) + "\n")
	}
	if len(cf.key) == 0 {
		b.WriteString("  None\n")
	}
	b.WriteString("Output Type:\n  " + cf.outputText(th) + "\nCaptures:\n")
	if len(cf.graph.G.Captures) == 0 {
		b.WriteString("  None")
		return b.String()
	}
	var lines []string
	for i, c := range cf.graph.G.Captures {
		p := cf.graph.G.Params[cf.graph.G.NumArgs()+i]
		lines = append(lines, "  "+captureID(c)+": TensorSpec(shape="+p.Shp.String()+", dtype=tf."+p.DT.Name()+", name=None)")
	}
	b.WriteString(strings.Join(lines, "\n"))
	return b.String()
}

// Decorator is tf.function(…) without a function: it waits for one.
type Decorator struct {
	value.Header
	tr *Tracer
	o  Options
}

var decoratorClass = lang.NewBuiltinClass("function", "builtins", value.KindOther)

func init() {
	decoratorClass.Call = func(_ *lang.Thread, v lang.Value, args []lang.Value, _ []*lang.Str) (lang.Value, error) {
		d := (*Decorator)(v.P)
		if len(args) != 1 {
			return lang.Unbound, d.tr.st.Th.TypeErrorf("decorated() takes 1 positional argument but %d were given", len(args))
		}
		fn, err := NewFunction(d.tr, args[0], d.o)
		if err != nil {
			return lang.Unbound, err
		}
		return fn.Value(), nil
	}
}

// NewDecorator makes the decorator of tf.function(…) called without a function.
func NewDecorator(tr *Tracer, o Options) lang.Value {
	d := &Decorator{value.Header{Type: &decoratorClass.Type, Kind: value.KindOther}, tr, o}
	return value.Of(&d.Header)
}
