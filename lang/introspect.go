package lang

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

func attribute(name string, get func(v Value) Value) Def {
	return Def{Sig: name, Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return get(a[0]), nil }}
}

// setIntrospection gives cells, code objects, frames and native functions their attributes.
func setIntrospection() {
	CellClass.rows = []Def{{Sig: "cell_contents", Flags: DefProperty, Set: setCellContents, Fn: func(th *Thread, a []Value) (Value, error) {
		c := (*Cell)(a[0].P)
		if c.v.IsUnbound() {
			return Unbound, th.ValueErrorf("Cell is empty")
		}
		return c.Get(), nil
	}}}
	CodeClass.rows = codeRows()
	CodeClass.Repr = func(th *Thread, v Value) (Value, error) {
		c := (*CodeObject)(v.P).C
		return NewStr("<code object " + c.Name + " at " + Address(v) + ", file \"" + c.File + "\", line " + intStr(int64(c.FirstLine)).s + ">"), nil
	}
	CodeClass.Compare = func(th *Thread, op CompareOp, a, b Value) (Value, error) {
		if ClassOf(b) != CodeClass || op != EQ && op != NE {
			return NotImplemented, nil
		}
		return Bool(((*CodeObject)(a.P).C == (*CodeObject)(b.P).C) == (op == EQ)), nil
	}
	FrameClass.rows = []Def{
		attribute("f_code", func(v Value) Value { return CodeValue((*FrameObject)(v.P).Code) }),
		attribute("f_lineno", func(v Value) Value { return Int(int64((*FrameObject)(v.P).Line)) }),
		attribute("f_globals", func(v Value) Value { return (*FrameObject)(v.P).Globals.Value() }),
		attribute("f_locals", func(v Value) Value { return (*FrameObject)(v.P).Locals }),
		attribute("f_back", func(v Value) Value { return (*FrameObject)(v.P).Back }),
	}
	BoundClass.New = &Def{Sig: "method(cls, function, instance, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		if !IsCallable(a[1]) {
			return Unbound, th.TypeErrorf("first argument must be callable")
		}
		return NewBound(a[2], a[1]), nil
	}}
	ModuleClass.New = &Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: moduleNew}
	ModuleClass.Init = &Def{Sig: "__init__(self, name, doc=None)", Fn: moduleInit}
	MappingProxyClass.New = &Def{Sig: "mappingproxy(cls, mapping, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		d, ok := AsDict(a[1])
		if !ok {
			return Unbound, th.TypeErrorf("mappingproxy() argument must be a mapping, not %s", TypeName(a[1]))
		}
		return NewMappingProxy(d), nil
	}}
	CellClass.New = &Def{Sig: "cell(cls, contents=..., /)", Fn: func(th *Thread, a []Value) (Value, error) {
		return objOf(&newCell(a[1].Held().Value()).Header), nil
	}}
	GetSetClass.rows, MemberClass.rows = memberRows(), memberRows()
	for _, c := range []*Class{NativeClass, MethodDescrClass, WrapperDescrClass} {
		c.rows = nativeRows()
	}
}

// moduleNew makes a module without a name. The attributes of an instance of a subclass are the module's names.
func moduleNew(th *Thread, a []Value) (Value, error) {
	m := NewModule("?")
	v := Wrap((*Class)(a[0].P), m.Value())
	if v.Kind() == value.KindInstance {
		(*Instance)(v.P).setDict(m.dict)
	}
	return v, nil
}

func moduleInit(th *Thread, a []Value) (Value, error) {
	name, ok := AsStr(a[1])
	if !ok {
		return Unbound, th.TypeErrorf("module() argument 1 must be str, not %s", TypeName(a[1]))
	}
	m := (*Module)(asKind(a[0], value.KindModule))
	m.Name = name.s
	m.Set("__name__", a[1])
	m.Set("__doc__", a[2])
	return None, nil
}

func setCellContents(th *Thread, o, x Value) error {
	(*Cell)(o.P).Set(x)
	return nil
}

func codeRows() []Def {
	of := func(v Value) *code.Code { return (*CodeObject)(v.P).C }
	num := func(name string, get func(c *code.Code) int) Def {
		return attribute(name, func(v Value) Value { return Int(int64(get(of(v)))) })
	}
	text := func(name string, get func(c *code.Code) string) Def {
		return attribute(name, func(v Value) Value { return NewStr(get(of(v))) })
	}
	return []Def{
		text("co_name", func(c *code.Code) string { return c.Name }),
		text("co_qualname", func(c *code.Code) string { return c.Qualname }),
		text("co_filename", func(c *code.Code) string { return c.File }),
		num("co_firstlineno", func(c *code.Code) int { return int(c.FirstLine) }),
		num("co_argcount", func(c *code.Code) int { return c.ArgCount }),
		num("co_posonlyargcount", func(c *code.Code) int { return c.PosOnly }),
		num("co_kwonlyargcount", func(c *code.Code) int { return c.KwOnly }),
		num("co_nlocals", func(c *code.Code) int { return len(varNames(c)) }),
		num("co_stacksize", func(c *code.Code) int { return c.NSlots - c.NLocals }),
		num("co_flags", codeFlags),
		attribute("co_varnames", func(v Value) Value { return names(varNames(of(v))) }),
		attribute("co_cellvars", func(v Value) Value { return names(of(v).Cells) }),
		attribute("co_names", func(v Value) Value { return names(of(v).Names) }),
		attribute("co_freevars", func(v Value) Value {
			var out []string
			for _, f := range of(v).Free {
				out = append(out, f.Name)
			}
			return names(out)
		}),
		attribute("co_consts", func(v Value) Value {
			c := of(v)
			t := newTuple(len(c.Consts) + len(c.Codes))
			for i := range c.Consts {
				t.items[i] = constValue(&c.Consts[i]).Held()
			}
			for i, inner := range c.Codes {
				t.items[len(c.Consts)+i] = CodeValue(inner).Held()
			}
			return t.Value()
		}),
		{Sig: "replace(self, /, **kwds)", Fn: replaceCode, Doc: "Return a copy with other attributes."},
	}
}

// replaceCode is code.replace() for what only names and places the code.
func replaceCode(th *Thread, a []Value) (Value, error) {
	old := (*CodeObject)(a[0].P).C
	old.Load()
	c := *old
	kwds, _ := AsDict(a[1])
	for at := 0; ; {
		k, v, next, ok := kwds.Entry(at)
		if !ok {
			return CodeValue(&c), nil
		}
		at = next
		name, _ := AsStr(k)
		text, isText := AsStr(v)
		line, isInt := AsInt(v)
		switch {
		case name.s == "co_name" && isText:
			c.Name = text.s
		case name.s == "co_qualname" && isText:
			c.Qualname = text.s
		case name.s == "co_filename" && isText:
			c.File = text.s
		case name.s == "co_firstlineno" && isInt:
			c.FirstLine = int32(line)
		default:
			return Unbound, th.Raise(NotImplementedError, "code.replace() changes co_name, co_qualname, co_filename and co_firstlineno, not %s", name.s)
		}
	}
}

// varNames are the parameters, then the other locals that are no cells.
func varNames(c *code.Code) []string {
	var out []string
	n := c.ArgCount + c.KwOnly
	if c.Flags&code.FlagVarArgs != 0 {
		n++
	}
	if c.Flags&code.FlagVarKw != 0 {
		n++
	}
	cell := map[string]bool{}
	for _, s := range c.Cells {
		cell[s] = true
	}
	for i, s := range c.LocalNames {
		if s != "" && (i < n || !cell[s] && !strings.HasPrefix(s, ".")) {
			out = append(out, s)
		}
	}
	return out
}

// codeFlags are CPython's bits.
func codeFlags(c *code.Code) int {
	bits := 0
	for _, f := range []struct {
		have uint32
		bit  int
	}{{code.FlagOptimized, 3}, {code.FlagVarArgs, 4}, {code.FlagVarKw, 8}, {code.FlagNested, 16}, {code.FlagGenerator, 32}, {code.FlagCoroutine, 128}} {
		if c.Flags&f.have != 0 {
			bits |= f.bit
		}
	}
	return bits
}

func names(ss []string) Value {
	t := newTuple(len(ss))
	for i, s := range ss {
		t.items[i] = Intern(s).Value().Held()
	}
	return t.Value()
}

// memberRows say where a computed attribute or a slot belongs.
func memberRows() []Def {
	of := func(v Value) (*Class, *Str, string) {
		if ClassOf(v) == GetSetClass {
			g := (*GetSet)(v.P)
			return g.Class, g.Name, g.Def.Doc
		}
		m := (*Member)(v.P)
		return m.Class, m.Name, ""
	}
	return []Def{
		attribute("__name__", func(v Value) Value { _, n, _ := of(v); return n.Value() }),
		attribute("__qualname__", func(v Value) Value { c, n, _ := of(v); return NewStr(c.Qualname + "." + n.s) }),
		attribute("__objclass__", func(v Value) Value { c, _, _ := of(v); return c.Value() }),
		attribute("__doc__", func(v Value) Value {
			if _, _, d := of(v); d != "" {
				return NewStr(d)
			}
			return None
		}),
	}
}

func nativeRows() []Def {
	of := func(v Value) *NativeFunc {
		if b, ok := AsBound(v); ok {
			v = b.Fn
		}
		return (*NativeFunc)(v.P)
	}
	return []Def{
		attribute("__name__", func(v Value) Value { return of(v).Name.Value() }),
		attribute("__qualname__", func(v Value) Value {
			if f := of(v); f.Class != nil {
				return NewStr(f.Class.Name + "." + f.Name.s)
			}
			return of(v).Name.Value()
		}),
		attribute("__doc__", func(v Value) Value {
			if d := of(v).Def.Doc; d != "" {
				return NewStr(d)
			}
			return None
		}),
		attribute("__module__", func(v Value) Value { return orNone(of(v).Mod) }),
		attribute("__self__", func(v Value) Value { return orNone(of(v).Mod) }),
		attribute("__objclass__", func(v Value) Value {
			if c := of(v).Class; c != nil {
				return c.Value()
			}
			return None
		}),
		attribute("__text_signature__", func(v Value) Value {
			sig := of(v).Def.Sig
			if i := strings.IndexByte(sig, '('); i >= 0 {
				return NewStr(sig[i:])
			}
			return None
		}),
	}
}

// nativeAttr is an attribute of a bound built-in method, Unbound for the common ones.
func nativeAttr(n *NativeFunc, b *Bound, name string) Value {
	switch name {
	case "__name__":
		return n.Name.Value()
	case "__qualname__":
		c := n.Class
		if x, ok := AsClass(b.Self); ok {
			c = x
		}
		if c == nil {
			return n.Name.Value()
		}
		return NewStr(c.Name + "." + n.Name.s)
	case "__doc__":
		if n.Def.Doc != "" {
			return NewStr(n.Def.Doc)
		}
		return None
	case "__module__":
		return None
	}
	return Unbound
}
