package tracer

import (
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// Composites are values of several tensors that structures treat as one atom:
// IndexedSlices, and objects of library classes with the methods _tf_parts and
// _tf_rebuild (TensorArray). Control flow and results of functions take them apart.

// isComposite reports a composite.
func isComposite(v lang.Value) bool {
	if v.Kind() == value.KindInstance {
		return !lang.ClassOf(v).Lookup("_tf_parts").IsUnbound()
	}
	_, ok := bridge.AsSlices(v)
	return ok
}

// parts are the tensors of a composite.
func (tr *Tracer) parts(v lang.Value) ([]lang.Value, error) {
	if sl, ok := bridge.AsSlices(v); ok {
		out := []lang.Value{bridge.FromIR(sl.Values), bridge.FromIR(sl.Indices)}
		switch d := sl.Dense.(type) {
		case nil:
		case *ir.Ints:
			out = append(out, bridge.FromIR(tr.st.S.Const(d.Tensor())))
		default:
			out = append(out, bridge.FromIR(d))
		}
		return out, nil
	}
	th := tr.st.Th
	f, err := lang.Attr(th, v, "_tf_parts")
	if err != nil {
		return nil, err
	}
	l, err := th.Call(f, nil)
	if err != nil {
		return nil, err
	}
	items, _ := lang.Sequence(l)
	return lang.Values(items), nil
}

// rebuild makes a composite like v of other tensors.
func (tr *Tracer) rebuild(v lang.Value, parts []lang.Value) (lang.Value, error) {
	if sl, ok := bridge.AsSlices(v); ok {
		n := &ir.Slices{Static: sl.Static}
		n.Values, _ = bridge.AsIR(parts[0])
		n.Indices, _ = bridge.AsIR(parts[1])
		if len(parts) > 2 {
			n.Dense, _ = bridge.AsIR(parts[2])
		}
		return bridge.NewSlices(n), nil
	}
	th := tr.st.Th
	f, err := lang.Attr(th, v, "_tf_rebuild")
	if err != nil {
		return lang.Unbound, err
	}
	return th.Call(f, []lang.Value{lang.NewList(parts...)})
}

// Flatten lists the tensors and other atoms of a structure, composites taken apart.
func (tr *Tracer) Flatten(v lang.Value) ([]lang.Value, error) {
	flat, err := bridge.Flatten(tr.st.Th, v)
	if err != nil {
		return nil, err
	}
	var out []lang.Value
	for _, x := range flat {
		if !isComposite(x) {
			out = append(out, x)
			continue
		}
		p, err := tr.parts(x)
		if err != nil {
			return nil, err
		}
		out = append(out, p...)
	}
	return out, nil
}

// Map applies f to what Flatten lists.
func (tr *Tracer) Map(v lang.Value, f func(lang.Value) (lang.Value, error)) (lang.Value, error) {
	return bridge.Map(tr.st.Th, v, func(x lang.Value) (lang.Value, error) {
		if !isComposite(x) {
			return f(x)
		}
		p, err := tr.parts(x)
		if err != nil {
			return lang.Unbound, err
		}
		for i := range p {
			if p[i], err = f(p[i]); err != nil {
				return lang.Unbound, err
			}
		}
		return tr.rebuild(x, p)
	})
}

// compositeOut stands in the structure of a function's results for a composite:
// the one that the body returned, with the numbers of its parts.
type compositeOut struct {
	value.Header
	like  lang.Held
	parts []int
}

var compositeOutClass = lang.NewPythonClass("CompositeResult", "tensorflow", value.KindOther)

func newCompositeOut(like lang.Value, parts []int) lang.Value {
	o := &compositeOut{value.Header{Type: &compositeOutClass.Type, Kind: value.KindOther}, like.Held(), parts}
	return value.Of(&o.Header)
}

func asCompositeOut(v lang.Value) (*compositeOut, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &compositeOutClass.Type {
		return (*compositeOut)(unsafe.Pointer(v.P)), true
	}
	return nil, false
}

// fillOut puts result i of a function into the structure of its results.
func (tr *Tracer) fillOut(out lang.Value, result func(i int) lang.Value) (lang.Value, error) {
	return bridge.Map(tr.st.Th, out, func(v lang.Value) (lang.Value, error) {
		if v.IsInt() {
			return result(int(v.Int64())), nil
		}
		c, ok := asCompositeOut(v)
		if !ok {
			return v, nil
		}
		parts := make([]lang.Value, len(c.parts))
		for i, k := range c.parts {
			parts[i] = result(k)
		}
		return tr.rebuild(c.like.Value(), parts)
	})
}
