package tracer

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

func init() {
	c := ConcreteClass
	c.Call = func(th *lang.Thread, v lang.Value, args []lang.Value, names []*lang.Str) (lang.Value, error) {
		return concreteOf(v).Call(th, args, names)
	}
	c.Str = func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		return lang.NewStr("ConcreteFunction " + concreteOf(v).signatureBlock(th)), nil
	}
	c.Repr = func(th *lang.Thread, v lang.Value) (lang.Value, error) {
		cf := concreteOf(v)
		var parts []string
		for i, t := range cf.key {
			parts = append(parts, cf.names[i]+": "+t.Text(th))
		}
		return lang.NewStr("<ConcreteFunction (" + strings.Join(parts, ", ") + ") -> " + cf.outputText(th) + " at " + lang.Address(v) + ">"), nil
	}
	lang.DefineMethods(c, []lang.Def{
		concreteProp("structured_input_signature", (*ConcreteFunction).structuredInputs),
		concreteProp("structured_outputs", (*ConcreteFunction).structuredOutputs),
		concreteProp("inputs", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) { return symList(cf.graph.G.Params), nil }),
		concreteProp("outputs", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) {
			return symList(cf.graph.G.Results), nil
		}),
		concreteProp("captured_inputs", (*ConcreteFunction).capturedInputs),
		concreteProp("output_shapes", func(cf *ConcreteFunction, th *lang.Thread) (lang.Value, error) {
			return cf.mapOutputs(th, func(s *ir.Sym) lang.Value { return bridge.NewShape(s.Shp) })
		}),
		concreteProp("output_dtypes", func(cf *ConcreteFunction, th *lang.Thread) (lang.Value, error) {
			return cf.mapOutputs(th, func(s *ir.Sym) lang.Value { return bridge.DTypeValue(s.DT) })
		}),
		concreteProp("variables", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) { return cf.variables(false), nil }),
		concreteProp("trainable_variables", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) { return cf.variables(true), nil }),
		concreteProp("name", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) {
			return lang.NewStr("__inference_" + cf.fn.Name), nil
		}),
		concreteProp("graph", func(cf *ConcreteFunction, _ *lang.Thread) (lang.Value, error) { return graphValue(cf.graph), nil }),
		{Sig: "pretty_printed_signature(self, verbose=True)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			return lang.NewStr(concreteOf(a[0]).signatureBlock(th)), nil
		}},
	})
}

func concreteOf(v lang.Value) *ConcreteFunction { return (*ConcreteFunction)(unsafe.Pointer(v.P)) }

func concreteProp(name string, f func(*ConcreteFunction, *lang.Thread) (lang.Value, error)) lang.Def {
	return lang.Def{Sig: name + "(self)", Flags: lang.DefProperty, Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		return f(concreteOf(a[0]), th)
	}}
}

func symList(syms []*ir.Sym) lang.Value {
	l := lang.MakeList(len(syms))
	for _, s := range syms {
		l.Append(s.Value())
	}
	return l.Value()
}

// mapOutputs puts something of each result into the structure of the outputs.
func (cf *ConcreteFunction) mapOutputs(th *lang.Thread, f func(*ir.Sym) lang.Value) (lang.Value, error) {
	return cf.fn.tr.fillOut(cf.out, func(i int) lang.Value { return f(cf.graph.G.Results[i]) })
}

func (cf *ConcreteFunction) structuredOutputs(th *lang.Thread) (lang.Value, error) {
	return cf.mapOutputs(th, func(s *ir.Sym) lang.Value { return bridge.NewSpec(s.Shp, s.DT, "") })
}

// outputText shows the output structure with specs.
func (cf *ConcreteFunction) outputText(th *lang.Thread) string {
	if cf.nothing {
		return "None"
	}
	t, err := cf.outputType(th, cf.out, 0)
	if err != nil {
		return "?"
	}
	return t.Text(th)
}

func (cf *ConcreteFunction) outputType(th *lang.Thread, v lang.Value, depth int) (*TraceType, error) {
	ts := cf.fn.tr.Types
	if v.IsInt() {
		s := cf.graph.G.Results[v.Int64()]
		return ts.Tensor(s.DT, s.Shp, ""), nil
	}
	if !bridge.IsNested(v) {
		return ts.Literal(v), nil
	}
	c, err := bridge.Open(th, v)
	if err != nil {
		return nil, err
	}
	t := TraceType{Kind: KList}
	switch c.Kind {
	case bridge.TupleLike:
		t.Kind = KTuple
	case bridge.NamedTuple:
		t.Kind, t.Name, t.Value = KNamedTuple, lang.ClassOf(v).Name, lang.ClassOf(v).Lookup("_fields")
	case bridge.DictLike:
		t.Kind, t.Value = KDict, lang.NewTuple(c.Keys...)
	}
	for _, it := range c.Items {
		u, err := cf.outputType(th, it, depth+1)
		if err != nil {
			return nil, err
		}
		t.Items = append(t.Items, u)
	}
	return ts.intern(t), nil
}

// structuredInputs is ((specs…), {}): tensors as TensorSpecs with their parameter's
// name, pinned Python values as themselves.
func (cf *ConcreteFunction) structuredInputs(th *lang.Thread) (lang.Value, error) {
	var pos []lang.Value
	kw := lang.NewDict()
	for i, t := range cf.key {
		v := cf.specOf(t, cf.names[i], cf.vals[i])
		if i < cf.npos {
			pos = append(pos, v)
		} else {
			kw.PutStr(cf.names[i], v)
		}
	}
	return lang.NewTuple(lang.NewTuple(pos...), kw.Value()), nil
}

func (cf *ConcreteFunction) specOf(t *TraceType, name string, v lang.Value) lang.Value {
	switch t.Kind {
	case KTensor:
		if t.Name != "" {
			name = t.Name
		}
		return bridge.NewSpec(t.Shape, t.DT, name)
	case KLiteral:
		return t.Value
	case KList, KTuple:
		items := make([]lang.Value, len(t.Items))
		for i, it := range t.Items {
			items[i] = cf.specOf(it, name, lang.None)
		}
		if t.Kind == KList {
			return lang.NewList(items...)
		}
		return lang.NewTuple(items...)
	case KDict:
		d := lang.NewDict()
		keys, _ := lang.Sequence(t.Value)
		for i, it := range t.Items {
			_ = d.Put(cf.fn.tr.st.Th, keys[i].Value(), cf.specOf(it, name, lang.None))
		}
		return d.Value()
	}
	return v
}

func (cf *ConcreteFunction) capturedInputs(*lang.Thread) (lang.Value, error) {
	l := lang.MakeList(len(cf.graph.G.Captures))
	for _, c := range cf.graph.G.Captures {
		l.Append(captureValue(c))
	}
	return l.Value(), nil
}

func captureValue(c ir.Value) lang.Value {
	if v, ok := c.(*ir.Var); ok {
		if o, ok := v.Object.(*bridge.Variable); ok {
			return o.Value()
		}
	}
	return bridge.FromIR(c)
}

// captureID stands for a capture in texts, as Python's id() does.
func captureID(c ir.Value) string {
	switch v := c.(type) {
	case *ir.Var:
		return fmt.Sprint(uintptr(unsafe.Pointer(v)))
	case *tensor.Tensor:
		return fmt.Sprint(uintptr(unsafe.Pointer(v)))
	case *ir.Sym:
		return fmt.Sprint(uintptr(unsafe.Pointer(v)))
	}
	return "0"
}

// variables are those that the trace read, in order of first use.
func (cf *ConcreteFunction) variables(trainable bool) lang.Value {
	var out []lang.Value
	for _, c := range cf.graph.G.Captures {
		if v, ok := c.(*ir.Var); ok && (v.Trainable || !trainable) {
			out = append(out, captureValue(v))
		}
	}
	return lang.NewTuple(out...)
}

// Call runs the concrete function: tensors for its specs, pinned Python values may
// be left out or repeated (rule D20).
func (cf *ConcreteFunction) Call(th *lang.Thread, args []lang.Value, names []*lang.Str) (lang.Value, error) {
	b, err := cf.bind(th, args, names)
	if err != nil {
		return lang.Unbound, err
	}
	return cf.call(b)
}

func (cf *ConcreteFunction) bind(th *lang.Thread, args []lang.Value, names []*lang.Str) (*bound, error) {
	npos := len(args) - len(names)
	if npos > cf.npos {
		return nil, th.TypeErrorf("%s takes %d positional arguments, got %d.", cf.fn.signatureText(), cf.npos, npos)
	}
	vals := make([]lang.Value, len(cf.key))
	given := make([]bool, len(cf.key))
	for i := range npos {
		vals[i], given[i] = args[i], true
	}
	for j, n := range names {
		i := indexOf(cf.names, n.String())
		if i < 0 {
			return nil, th.TypeErrorf("%s got unexpected keyword arguments: %s.", cf.fn.signatureText(), n.String())
		}
		vals[i], given[i] = args[npos+j], true
	}
	for i, t := range cf.key {
		if err := cf.checkArg(th, i, t, vals, given[i]); err != nil {
			return nil, err
		}
	}
	return &bound{names: cf.names, kinds: cf.kinds, vals: vals, npos: cf.npos}, nil
}

func indexOf(names []string, n string) int {
	for i, m := range names {
		if m == n {
			return i
		}
	}
	return -1
}

func (cf *ConcreteFunction) checkArg(th *lang.Thread, i int, t *TraceType, vals []lang.Value, given bool) error {
	switch {
	case t.Kind == KLiteral && !given:
		vals[i] = t.Value
		return nil
	case !given:
		return th.TypeErrorf("%s missing required arguments: %s.", cf.fn.signatureText(), cf.names[i])
	case t.Kind == KLiteral:
		same, err := lang.Equal(th, t.Value, vals[i])
		if err == nil && !same {
			a, _ := lang.Repr(th, vals[i])
			b, _ := lang.Repr(th, t.Value)
			err = th.TypeErrorf("ConcreteFunction %s was constructed with `%s` = %s, called with %s.", cf.fn.signatureText(), cf.names[i], b, a)
		}
		return err
	case t.Kind == KTensor:
		x, err := cf.fn.tr.st.Convert(vals[i], tensor.Invalid)
		if err != nil {
			return err
		}
		if _, isTensor := bridge.AsIR(vals[i]); !isTensor && t.Shape.Rank() > 0 && x.Shape().Rank() == 0 {
			return th.TypeErrorf("Can not cast %s to %s", cf.fn.tr.Types.Literal(vals[i]).Text(th), t.Text(th))
		}
		if x.DType() != t.DT {
			return bridge.NewError(bridge.InvalidArgumentError, fmt.Sprintf("cannot compute __inference_%s as input #%d(zero-based) was expected to be a %s tensor but is a %s tensor [Op:__inference_%s]",
				cf.fn.Name, i, t.DT.CName(), x.DType().CName(), cf.fn.Name))
		}
		vals[i] = bridge.FromIR(x)
	}
	return nil
}

var _ = value.KindOther
