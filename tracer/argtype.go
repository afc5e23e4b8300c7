package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// typer finds the TraceTypes of one call's arguments.
type typer struct {
	tr   *Tracer
	vars []*bridge.Variable // distinct variables so far: their order is the alias pattern
}

// typeOf is the TraceType of an argument (rules D2 to D8).
func (ty *typer) typeOf(v lang.Value, depth int) (*TraceType, error) {
	ts := ty.tr.Types
	if x, ok := bridge.AsIR(v); ok {
		return ts.Tensor(x.DType(), x.Shape(), ""), nil
	}
	if va, ok := bridge.AsVariable(v); ok {
		return ts.intern(TraceType{Kind: KVariable, DT: va.Res.DType, Shape: va.Res.Declared, Trainable: va.Trainable, Alias: ty.alias(va)}), nil
	}
	if s, ok := bridge.AsSpec(v); ok {
		return ts.Tensor(s.DT, s.Shape, s.Name), nil
	}
	if isLiteral(v) {
		return ts.Literal(v), nil
	}
	if dt, sh, ok := bridge.ArrayType(v); ok {
		return ts.Tensor(dt, sh, ""), nil
	}
	if sl, ok := bridge.AsSlices(v); ok {
		return ts.intern(TraceType{Kind: KSlices, DT: sl.DType(), Shape: sl.Shape()}), nil
	}
	if bridge.IsNested(v) {
		return ty.structure(v, depth)
	}
	return ty.object(v)
}

func (ty *typer) alias(va *bridge.Variable) int {
	for i, w := range ty.vars {
		if w.Same(va) {
			return i
		}
	}
	ty.vars = append(ty.vars, va)
	return len(ty.vars) - 1
}

func (ty *typer) structure(v lang.Value, depth int) (*TraceType, error) {
	th := ty.tr.st.Th
	if depth > 200 {
		return nil, th.Raise(lang.RecursionError, "maximum recursion depth exceeded in an argument")
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
		t.Kind, t.Value = KDict, lang.NewTuple(c.Keys...).Held().Value()
	}
	for _, it := range c.Items {
		u, err := ty.typeOf(it, depth+1)
		if err != nil {
			return nil, err
		}
		t.Items = append(t.Items, u)
	}
	return ty.tr.Types.intern(t), nil
}

// object is the type of what is known by identity or by its own == and hash.
func (ty *typer) object(v lang.Value) (*TraceType, error) {
	th := ty.tr.st.Th
	h, err := lang.Hash(th, v)
	if err != nil {
		text, e := lang.Repr(th, v)
		if e != nil {
			return nil, e
		}
		return nil, th.TypeErrorf("Could not generate a generic TraceType for %s.Please verify that it is immutable/hashable. Object proper is hashable and comparable.", text)
	}
	r := ty.tr.reference(v, h)
	return ty.tr.Types.intern(TraceType{Kind: KObject, obj: r}), nil
}

// fill makes the value that the body sees for an argument of type t: a
// placeholder for a tensor, the literal as it is, a copy of a structure.
type filler struct {
	g    *FuncGraph
	tr   *Tracer
	vars map[int]*bridge.Variable // by alias
}

func (f *filler) fill(name string, t *TraceType, v lang.Value) (lang.Value, error) {
	th := f.tr.st.Th
	switch t.Kind {
	case KTensor:
		if t.Name != "" {
			name = t.Name
		}
		return f.g.placeholder(name, ir.Type{DT: t.DT, Shp: t.Shape}).Value(), nil
	case KVariable:
		return f.variable(name, t, v), nil
	case KLiteral:
		return t.Value, nil
	case KSlices:
		return f.slices(name, t), nil
	case KObject:
		return v, nil
	}
	c, err := bridge.Open(th, v)
	if err != nil {
		return lang.Unbound, err
	}
	items := make([]lang.Value, len(c.Items))
	for i, it := range c.Items {
		sub := name
		if t.Kind == KDict || t.Kind == KNamedTuple {
			sub = name
		}
		if items[i], err = f.fill(sub, t.Items[i], it); err != nil {
			return lang.Unbound, err
		}
	}
	return c.Rebuild(th, items)
}

// variable is a stand-in whose handle is a parameter: another call may pass
// another variable (rule D6).
func (f *filler) variable(name string, t *TraceType, v lang.Value) lang.Value {
	if va := f.vars[t.Alias]; va != nil {
		return va.Value()
	}
	actual, _ := bridge.AsVariable(v)
	s := f.g.placeholder(name, ir.Type{DT: tensor.Resources, Shp: tensor.Scalar})
	s.Handle = ir.Type{DT: t.DT, Shp: t.Shape}
	s.Foreign = actual.Var
	va := bridge.NewVariable(actual.Var, actual.Label)
	va.Handle = s
	if f.vars == nil {
		f.vars = map[int]*bridge.Variable{}
	}
	f.vars[t.Alias] = va
	return va.Value()
}

func (f *filler) slices(name string, t *TraceType) lang.Value {
	vals := f.g.placeholder(name, ir.Type{DT: t.DT, Shp: tensor.UnknownShape})
	idx := f.g.placeholder(name+"_1", ir.Type{DT: tensor.Int64, Shp: tensor.UnknownDims(1)})
	shape := f.g.placeholder(name+"_2", ir.Type{DT: tensor.Int64, Shp: tensor.UnknownDims(1)})
	return bridge.NewSlices(&ir.Slices{Values: vals, Indices: idx, Dense: shape, Static: t.Shape})
}

// flatten lists what a call of a concrete function passes for an argument of
// type t: tensors, and the handles of distinct variables.
type flattener struct {
	st   *bridge.State
	out  []ir.Value
	seen uint64 // aliases passed already
}

func (f *flattener) add(t *TraceType, v lang.Value) error {
	switch t.Kind {
	case KTensor:
		if v.Kind() == value.KindTensor {
			f.out = append(f.out, tensor.Of(v))
			return nil
		}
		x, err := f.st.Convert(v, tensor.Invalid)
		if err == nil && x.DType() != t.DT {
			x, err = f.st.Convert(v, t.DT)
		}
		f.out = append(f.out, x)
		return err
	case KVariable:
		if f.seen>>t.Alias&1 == 0 {
			f.seen |= 1 << t.Alias
			va, _ := bridge.AsVariable(v)
			f.out = append(f.out, va.Operand())
		}
		return nil
	case KLiteral, KObject:
		return nil
	case KSlices:
		sl, _ := bridge.AsSlices(v)
		f.out = append(f.out, sl.Values, f.st.Cast(sl.Indices, tensor.Int64), f.st.Cast(f.dense(sl), tensor.Int64))
		return f.st.Err()
	}
	c, err := bridge.Open(f.st.Th, v)
	if err != nil {
		return err
	}
	for i, it := range c.Items {
		if err := f.add(t.Items[i], it); err != nil {
			return err
		}
	}
	return nil
}

// dense is the shape of the whole as a tensor.
func (f *flattener) dense(sl *ir.Slices) ir.Value {
	switch d := sl.Dense.(type) {
	case nil:
		return f.st.S.Const(ir.DimList(sl.Static.Dims()).Tensor())
	case *ir.Ints:
		return f.st.S.Const(d.Tensor())
	default:
		return d
	}
}
