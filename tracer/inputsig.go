package tracer

import (
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

func itoa(n int) string { return strconv.Itoa(n) }

func joined(names []string) string { return strings.Join(names, ", ") }

// signatureText is "f(x, items)".
func (fn *Function) signatureText() string {
	var names []string
	for _, p := range fn.sig.params {
		names = append(names, p.name)
	}
	if fn.sig.star != "" {
		names = append(names, "*"+fn.sig.star)
	}
	if fn.sig.starKw != "" {
		names = append(names, "**"+fn.sig.starKw)
	}
	return fn.Name + "(" + joined(names) + ")"
}

// bindError is the TypeError of a call that doesn't fit (rule D9).
func (fn *Function) bindError(reason string, args []lang.Value, names []*lang.Str) error {
	th := fn.tr.st.Th
	npos := len(args) - len(names)
	pos, err := lang.Repr(th, lang.NewTuple(args[:npos]...))
	if err != nil {
		return err
	}
	kw := lang.NewDict()
	for i, n := range names {
		kw.PutStr(n.String(), args[npos+i])
	}
	kws, err := lang.Repr(th, kw.Value())
	if err != nil {
		return err
	}
	return th.TypeErrorf("Binding inputs to tf.function failed due to `%s`. Received args: %s and kwargs: %s for signature: %s.", reason, pos, kws, fn.paramsText(th))
}

// paramsText shows the parameters with their kinds, as messages do.
func (fn *Function) paramsText(th *lang.Thread) string {
	var parts []string
	for _, p := range fn.sig.params {
		s := p.name
		if !p.def.IsUnbound() {
			d, _ := lang.Repr(th, p.def)
			s += "=" + d
		}
		parts = append(parts, s)
	}
	return "(" + joined(parts) + ")"
}

// readInputSignature checks input_signature against the parameters (rule D17).
func (fn *Function) readInputSignature() error {
	th, sig := fn.tr.st.Th, fn.opts.Signature
	fn.opts.specs, fn.opts.specified = nil, nil
	if sig.P == nil || sig.IsNone() {
		fn.opts.Signature = lang.None
		return nil
	}
	items, ok := lang.Sequence(sig)
	if !ok {
		return th.TypeErrorf("input_signature must be either a tuple or a list, got %s.", "<class '"+lang.ClassOf(sig).FullName()+"'>")
	}
	flat, err := bridge.Flatten(th, sig)
	if err != nil {
		return err
	}
	for _, v := range flat {
		if _, ok := bridge.AsSpec(v); !ok {
			text, err := lang.Repr(th, sig)
			if err != nil {
				return err
			}
			return th.TypeErrorf("input_signature must be a possibly nested sequence of TensorSpec objects, got %s", text)
		}
	}
	return fn.assignSpecs(items)
}

// assignSpecs gives each parameter its spec.
func (fn *Function) assignSpecs(items []lang.Held) error {
	th := fn.tr.st.Th
	ty := typer{tr: fn.tr}
	params := fn.sig.params
	if fn.receives() && len(params) > 0 {
		params = params[1:]
	}
	positional := 0
	for _, p := range params {
		if p.kwOnly {
			if p.def.IsUnbound() {
				return th.TypeErrorf("Since input_signature is defined, keyword-only parameter `%s` must have a default value", p.name)
			}
			continue
		}
		if positional >= len(items) && p.def.IsUnbound() {
			return th.TypeErrorf("input_signature missing type constraint for %s", p.name)
		}
		positional++
	}
	if extra := len(items) - positional; extra > 0 && fn.sig.star == "" {
		return th.TypeErrorf("input_signature contains %d extra type constraints.", extra)
	}
	if fn.receives() {
		fn.opts.specs = append(fn.opts.specs, nil)
		fn.opts.specified = append(fn.opts.specified, lang.Unbound)
	}
	for _, it := range items {
		t, err := ty.typeOf(it.Value(), 0)
		if err != nil {
			return err
		}
		fn.opts.specs = append(fn.opts.specs, t)
		fn.opts.specified = append(fn.opts.specified, it.Value())
	}
	return nil
}

// receives reports an unbound method: its first parameter is self, which no spec
// is for.
func (fn *Function) receives() bool {
	return fn.owner == nil && len(fn.sig.params) > 0 && fn.sig.params[0].name == "self" && fn.Python.Kind() != 0 && !isBound(fn.Python)
}

func isBound(v lang.Value) bool {
	_, ok := lang.AsBound(v)
	return ok
}

// castToSignature makes the arguments fit the input signature (rule D16).
func (fn *Function) castToSignature(b *bound, args []lang.Value, names []*lang.Str) error {
	for i, t := range fn.opts.specs {
		if t == nil || i >= len(b.vals) {
			continue
		}
		v, why, err := fn.castTo(t, fn.opts.specified[i], b.vals[i])
		if err != nil {
			return err
		}
		if why != "" {
			return fn.bindError(why, args, names)
		}
		b.vals[i] = v
	}
	for i := len(fn.opts.specs); fn.opts.specs != nil && i < len(b.vals); i++ {
		if err := fn.pinned(b, i); err != nil {
			return err
		}
	}
	return nil
}

// pinned refuses a value for a parameter beyond the signature other than its default.
func (fn *Function) pinned(b *bound, i int) error {
	th := fn.tr.st.Th
	for _, p := range fn.sig.params {
		if p.name != b.names[i] || p.def.IsUnbound() {
			continue
		}
		same, err := lang.Equal(th, p.def, b.vals[i])
		if err == nil && !same {
			d, _ := lang.Repr(th, p.def)
			v, _ := lang.Repr(th, b.vals[i])
			err = th.TypeErrorf("Binding inputs to tf.function failed due to `Can not cast Literal[%s] to Literal[%s]`", v, d)
		}
		return err
	}
	return nil
}

// castTo converts one argument; why is the reason it can't be.
func (fn *Function) castTo(t *TraceType, spec, v lang.Value) (out lang.Value, why string, err error) {
	st := fn.tr.st
	if t.Kind != KTensor {
		return v, "", nil
	}
	x, isTensor := bridge.AsIR(v)
	if va, ok := bridge.AsVariable(v); ok {
		x, isTensor = va.Read(st), true
		v = bridge.FromIR(x)
	}
	if !isTensor {
		if x, err = st.Convert(v, t.DT); err != nil {
			return v, "", err
		}
		v = bridge.FromIR(x)
	}
	if x.DType() != t.DT || !tensor.Compatible(x.Shape(), t.Shape) {
		have := fn.tr.Types.Tensor(x.DType(), x.Shape(), "")
		return v, "Can not cast " + have.Text(st.Th) + " to " + t.Text(st.Th), nil
	}
	return v, "", nil
}
