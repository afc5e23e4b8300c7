package lang

import "unsafe"

// funcRows are the attributes that functions have beside those in their __dict__.
func funcRows() []Def {
	row := func(name string, get func(f *Func) Value, set func(th *Thread, f *Func, x Value) error) Def {
		return Def{Sig: name, Flags: DefProperty,
			Fn:  func(th *Thread, a []Value) (Value, error) { return get((*Func)(a[0].P)), nil },
			Set: func(th *Thread, o, x Value) error { return set(th, (*Func)(o.P), x) }}
	}
	readonly := func(th *Thread, f *Func, x Value) error { return th.Raise(AttributeError, "readonly attribute") }
	return []Def{
		row("__name__", func(f *Func) Value { return f.Name.Value() }, func(th *Thread, f *Func, x Value) error {
			return setNameOf(th, "__name__", &f.Name, x)
		}),
		row("__qualname__", func(f *Func) Value { return f.Qualname.Value() }, func(th *Thread, f *Func, x Value) error {
			return setNameOf(th, "__qualname__", &f.Qualname, x)
		}),
		row("__doc__", func(f *Func) Value { return f.Doc }, func(th *Thread, f *Func, x Value) error { f.Doc = orNone(x); return nil }),
		row("__module__", func(f *Func) Value { return f.Module }, func(th *Thread, f *Func, x Value) error { f.Module = orNone(x); return nil }),
		row("__defaults__", (*Func).defaults, setDefaults),
		row("__kwdefaults__", (*Func).kwDefaults, setKwDefaults),
		row("__annotations__", (*Func).annotations, setFuncAnnotations),
		row("__code__", func(f *Func) Value { return f.code.object() }, setCode),
		row("__globals__", func(f *Func) Value { return f.Globals().Value() }, readonly),
		row("__builtins__", (*Func).builtins, readonly),
		row("__closure__", (*Func).closure, readonly),
		dictRow(),
	}
}

func setNameOf(th *Thread, attr string, name **Str, x Value) error {
	s, ok := AsStr(x)
	if !ok {
		return th.TypeErrorf("%s must be set to a string object", attr)
	}
	*name = s
	return nil
}

func (f *Func) defaults() Value {
	if f.Defaults == nil {
		return None
	}
	return TupleOf(f.Defaults).Value()
}

func setDefaults(th *Thread, f *Func, x Value) error {
	if x.IsNone() || x.IsUnbound() {
		f.Defaults = nil
		return nil
	}
	t, ok := AsTuple(x)
	if !ok {
		return th.TypeErrorf("__defaults__ must be set to a tuple object")
	}
	f.Defaults = t.items
	return nil
}

func (f *Func) kwDefaults() Value {
	if f.KwDef == nil {
		return None
	}
	return f.KwDef.Value()
}

func setKwDefaults(th *Thread, f *Func, x Value) error {
	d, ok := AsDict(x)
	if !ok && !x.IsNone() && !x.IsUnbound() {
		return th.TypeErrorf("__kwdefaults__ must be set to a dict object")
	}
	f.KwDef = d
	return nil
}

func (f *Func) annotations() Value {
	if f.Annot.IsUnbound() {
		f.Annot = newDict().Value()
	}
	return f.Annot
}

func setFuncAnnotations(th *Thread, f *Func, x Value) error {
	if x.IsNone() || x.IsUnbound() {
		f.Annot = Unbound
		return nil
	}
	if _, ok := AsDict(x); !ok {
		return th.TypeErrorf("__annotations__ must be set to a dict object")
	}
	f.Annot = x.Held().Value()
	return nil
}

// setCode gives the function another body with as many free variables.
func setCode(th *Thread, f *Func, x Value) error {
	if ClassOf(x) != CodeClass {
		return th.TypeErrorf("__code__ must be set to a code object")
	}
	c := (*CodeObject)(x.P).C
	if len(c.Free) != len(f.free) {
		return th.ValueErrorf("%s() requires a code object with %d free vars, not %d", f.Name.s, len(f.free), len(c.Free))
	}
	f.code = newLinked(c, f.code.globals)
	f.code.ref = (*CodeObject)(x.P)
	th.Interp.bumpEpoch()
	return nil
}

func (f *Func) builtins() Value {
	if b, ok := f.Globals().getStr(nameBuiltins); ok {
		if m, ok := AsModule(b); ok {
			return m.Dict().Value()
		}
		return b
	}
	return None
}

func (f *Func) closure() Value {
	if len(f.free) == 0 {
		return None
	}
	t := newTuple(len(f.free))
	for i, c := range f.free {
		t.items[i] = obj(unsafe.Pointer(c)).Held()
	}
	return t.Value()
}

func orNone(v Value) Value {
	if v.IsUnbound() {
		return None
	}
	return v.Held().Value()
}
