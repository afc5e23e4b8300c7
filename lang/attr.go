package lang

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

// GetAttr is getattr(v, name).
func GetAttr(th *Thread, v Value, name *Str) (Value, error) {
	c := ClassOf(v)
	if c.GetAttr != nil {
		return c.GetAttr(th, v, name)
	}
	return GenericGetAttr(th, v, name)
}

// Attr is GetAttr by a Go string.
func Attr(th *Thread, v Value, name string) (Value, error) { return GetAttr(th, v, Intern(name)) }

// AttrOr is getattr(v, name, None-like default): found is false on AttributeError.
func AttrOr(th *Thread, v Value, name string) (x Value, found bool, err error) {
	x, err = Attr(th, v, name)
	if err != nil {
		if Matches(err, AttributeError) {
			return Unbound, false, nil
		}
		return Unbound, false, err
	}
	return x, true, nil
}

// SetAttr is setattr(v, name, x).
func SetAttr(th *Thread, v Value, name *Str, x Value) error {
	c := ClassOf(v)
	if v.P != nil && (*Header)(v.P).Flags&value.FlagWatched != 0 {
		th.stored((*Header)(v.P))
	}
	if cell := ModuleCell(v, name); cell != nil {
		th.stored(&cell.Header)
	}
	if c.SetAttr != nil {
		return c.SetAttr(th, v, name, x)
	}
	return GenericSetAttr(th, v, name, x)
}

// DelAttr is delattr(v, name).
func DelAttr(th *Thread, v Value, name *Str) error { return SetAttr(th, v, name, Unbound) }

// isData reports a data descriptor.
func isData(d Value) bool {
	switch d.Kind() {
	case value.KindProperty:
		_, wrapped := AsWrapped(d)
		return !wrapped
	case value.KindInstance, value.KindOther:
		return ClassOf(d).DescrSet != nil
	}
	return false
}

// bind is what reaching descriptor d through object o of class c gives.
func (th *Thread) bind(d, o Value, c *Class) (Value, error) {
	switch d.Kind() {
	case value.KindFunc:
		return NewBound(o, d), nil
	case value.KindNative:
		if f := (*NativeFunc)(d.P); f.Class != nil && ClassOf(d) != NativeClass {
			return NewBound(o, d), nil
		}
		return d, nil
	}
	if get := ClassOf(d).DescrGet; get != nil {
		return get(th, d, o, c)
	}
	return d, nil
}

// GenericGetAttr is object.__getattribute__.
func GenericGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	x, err := genericGet(th, v, name)
	if err == nil && x.IsUnbound() {
		err = NoAttribute(th, v, name.s)
	}
	return x, err
}

// genericGet is Unbound without an error when there is no such attribute.
func genericGet(th *Thread, v Value, name *Str) (Value, error) {
	name = name.intern()
	c := ClassOf(v)
	d, _ := th.find(c, name)
	if !d.IsUnbound() && isData(d) && ClassOf(d).DescrGet != nil {
		return th.bind(d, v, c)
	}
	if in, ok := AsInstance(v); ok {
		if x, ok := in.Attr(name); ok {
			return x, nil
		}
	} else if own := ownDict(v); own != nil && *own != nil {
		if x, ok := (*own).getStr(name); ok {
			return x, nil
		}
	}
	if !d.IsUnbound() {
		return th.bind(d, v, c)
	}
	return Unbound, nil
}

// ownDict is where a function, a staticmethod or a classmethod keeps its __dict__.
func ownDict(v Value) **Dict {
	switch v.Kind() {
	case value.KindFunc:
		return &(*Func)(v.P).attrs
	case value.KindProperty:
		if c := ClassOf(v); c == StaticMethodClass || c == ClassMethodClass {
			return &(*Wrapped)(v.P).dict
		}
	}
	return nil
}

// NoAttribute is the AttributeError of a missing attribute.
func NoAttribute(th *Thread, v Value, name string) error {
	e := NewException(AttributeError, NewStr("'"+TypeName(v)+"' object has no attribute '"+name+"'"))
	e.Data = []Value{NewStr(name), v.Held().Value()}
	return e
}

// GenericSetAttr is object.__setattr__; x Unbound deletes.
func GenericSetAttr(th *Thread, v Value, name *Str, x Value) error {
	name = name.intern()
	c := ClassOf(v)
	d, _ := th.find(c, name)
	if !d.IsUnbound() {
		if set := ClassOf(d).DescrSet; set != nil {
			return set(th, d, v, x)
		}
	}
	if own := ownDict(v); own != nil {
		return th.setOwn(v, own, name, x)
	}
	in, ok := AsInstance(v)
	if !ok || c.Flags&ClassNoDict != 0 && in.shape.find(name) < 0 {
		if d.IsUnbound() {
			return NoAttribute(th, v, name.s)
		}
		e := NewException(AttributeError, NewStr("'"+c.Name+"' object attribute '"+name.s+"' is read-only"))
		e.Data = []Value{name.Value(), v.Held().Value()}
		return e
	}
	if x.IsUnbound() {
		if !in.DelAttr(th, name) {
			e := NoAttribute(th, v, name.s).(*Exception)
			if d.IsUnbound() {
				return e
			}
			e.Args = makeTuple([]Value{name.Value()})
			return e
		}
		return nil
	}
	th.keep(x)
	in.SetAttr(th, name, x)
	return nil
}

func (th *Thread) setOwn(v Value, own **Dict, name *Str, x Value) error {
	if x.IsUnbound() {
		if *own == nil || !(*own).delStr(name) {
			return NoAttribute(th, v, name.s)
		}
		return nil
	}
	if *own == nil {
		*own = newDict()
	}
	(*own).putStr(name, x)
	return nil
}

// ---- classes ----

// classGetAttr is type.__getattribute__.
func classGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	name = name.intern()
	c := (*Class)(v.P)
	meta := ClassOf(v)
	m, _ := th.find(meta, name)
	if !m.IsUnbound() && isData(m) {
		return th.bind(m, v, meta)
	}
	d, _ := th.find(c, name)
	if !d.IsUnbound() {
		return th.bindClass(d, c)
	}
	if !m.IsUnbound() {
		return th.bind(m, v, meta)
	}
	if meta != TypeClass {
		if ga, _ := th.find(meta, nameGetattr); !ga.IsUnbound() {
			return th.callSpecial(v, ga, name.Value())
		}
	}
	e := NewException(AttributeError, NewStr("type object '"+c.shown()+"' has no attribute '"+name.s+"'"))
	e.Data = []Value{name.Value(), v}
	return Unbound, e
}

// bindClass is what reaching d through class c gives.
func (th *Thread) bindClass(d Value, c *Class) (Value, error) {
	switch d.Kind() {
	case value.KindFunc, value.KindNative:
		return d, nil
	}
	if get := ClassOf(d).DescrGet; get != nil {
		return get(th, d, Unbound, c)
	}
	return d, nil
}

// classSetAttr is type.__setattr__.
func classSetAttr(th *Thread, v Value, name *Str, x Value) error {
	c := (*Class)(v.P)
	if !c.script || c.Flags&ClassSealed != 0 {
		return th.TypeErrorf("cannot set '%s' attribute of immutable type '%s'", name.s, c.shown())
	}
	name = name.intern()
	if m, _ := th.find(ClassOf(v), name); !m.IsUnbound() && isData(m) {
		if set := ClassOf(m).DescrSet; set != nil {
			return set(th, m, v, x)
		}
	}
	old, had := c.dict.getStr(name)
	if x.IsUnbound() {
		if !had {
			e := NewException(AttributeError, NewStr("type object '"+c.shown()+"' has no attribute '"+name.s+"'"))
			e.Data = []Value{name.Value(), v}
			return e
		}
		c.dict.delStr(name)
	} else {
		c.dict.putStr(name, x)
	}
	if !had || x.IsUnbound() || cached(old) || cached(x) {
		th.Interp.bumpEpoch()
	} else {
		th.refresh(c, name, x)
	}
	if len(name.s) > 4 && name.s[:2] == "__" {
		th.updateSlots(c, name.s)
	}
	return nil
}

// cached reports a class attribute that call sites remember.
func cached(v Value) bool {
	switch v.Kind() {
	case value.KindFunc, value.KindNative, value.KindProperty, value.KindInstance:
		return true
	}
	return false
}

// refresh updates the method cache for a plain value of a class, and of those
// that inherit it: they may be in other entries, so the whole cache goes when
// there are subclasses.
func (th *Thread) refresh(c *Class, name *Str, x Value) {
	if len(th.Interp.subclasses[c]) > 0 || len(th.Interp.threads) > 1 {
		th.Interp.bumpEpoch()
		return
	}
	e := th.entry(c, name)
	if e.cls == c && e.name == name {
		e.v = x
	}
}

// ---- modules ----

func moduleGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	m := (*Module)(asKind(v, value.KindModule))
	if v.Kind() == value.KindInstance { // of a subclass: its properties come before the names
		if x, err := genericGet(th, v, name); err != nil || !x.IsUnbound() {
			return x, err
		}
	}
	if x, ok := m.dict.getStr(name); ok {
		return x, nil
	}
	x, err := m.Get(th, name.s)
	if err != nil || !x.IsUnbound() {
		return x, err
	}
	if x, err = genericGet(th, v, name); err != nil || !x.IsUnbound() {
		return x, err
	}
	if ga, ok := m.dict.getStr(nameGetattr); ok {
		return th.Call(ga, []Value{name.Value()})
	}
	return Unbound, th.noModuleAttribute(m, name.s)
}

func (th *Thread) noModuleAttribute(m *Module, name string) error {
	text := ""
	if m.def != nil && m.def.Missing != nil {
		text = m.def.Missing(name)
	}
	if text == "" {
		text = "module '" + m.Name + "' has no attribute '" + name + "'" + th.notYet(m, name)
	}
	e := NewException(AttributeError, NewStr(text))
	e.Data = []Value{NewStr(name), m.Value()}
	return e
}

// notYet ends the error of a name that the original of m has.
func (th *Thread) notYet(m *Module, name string) string {
	embedded := m.def != nil || strings.HasPrefix(m.File, "<tfs>/")
	if th.Interp.Owner == nil || !embedded {
		return ""
	}
	if owner := th.Interp.Owner(m.Name, name); owner != "" {
		return " (" + owner + " has it, tfs not yet)"
	}
	return ""
}

func moduleSetAttr(th *Thread, v Value, name *Str, x Value) error {
	m := (*Module)(asKind(v, value.KindModule))
	if v.Kind() == value.KindInstance {
		return GenericSetAttr(th, v, name, x)
	}
	if x.IsUnbound() {
		if !m.dict.delStr(name) {
			return th.noModuleAttribute(m, name.s)
		}
		return nil
	}
	m.dict.putStr(name, x)
	return nil
}

// ---- descriptors ----

func propertyGet(th *Thread, d, o Value, c *Class) (Value, error) {
	if o.IsUnbound() {
		return d, nil
	}
	p := asProperty(d)
	if p.Get.IsNone() {
		return Unbound, th.Raise(AttributeError, "%sobject has no getter", p.title(o))
	}
	return th.Call(p.Get, []Value{o})
}

func (p *Property) title(o Value) string {
	if s, ok := AsStr(p.name); ok {
		return "property '" + s.s + "' of '" + ClassOf(o).Qualname + "' "
	}
	return "property of '" + ClassOf(o).Qualname + "' "
}

func propertySet(th *Thread, d, o, x Value) error {
	p := asProperty(d)
	f, what, args := p.Set, "setter", []Value{o, x}
	if x.IsUnbound() {
		f, what, args = p.Del, "deleter", args[:1]
	}
	if f.IsNone() {
		return th.Raise(AttributeError, "%sobject has no %s", p.title(o), what)
	}
	_, err := th.Call(f, args)
	return err
}

func memberGet(th *Thread, d, o Value, c *Class) (Value, error) {
	if o.IsUnbound() {
		return d, nil
	}
	m := (*Member)(d.P)
	if in, ok := AsInstance(o); ok {
		if x, ok := in.Attr(m.Name); ok {
			return x, nil
		}
	}
	return Unbound, NoAttribute(th, o, m.Name.s)
}

func memberSet(th *Thread, d, o, x Value) error {
	m := (*Member)(d.P)
	in, ok := AsInstance(o)
	if !ok || !in.Class().IsSub(m.Class) {
		return th.TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", m.Name.s, m.Class.shown(), TypeName(o))
	}
	if x.IsUnbound() {
		if !in.DelAttr(th, m.Name) {
			return NoAttribute(th, o, m.Name.s)
		}
		return nil
	}
	th.keep(x)
	in.SetAttr(th, m.Name, x)
	return nil
}

func getsetGet(th *Thread, d, o Value, c *Class) (Value, error) {
	g := (*GetSet)(d.P)
	if o.IsUnbound() {
		return d, nil
	}
	if !ClassOf(o).IsSub(g.Class) {
		return Unbound, th.TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", g.Name.s, g.Class.shown(), TypeName(o))
	}
	return g.Def.Fn(th, []Value{o})
}

func getsetSet(th *Thread, d, o, x Value) error {
	g := (*GetSet)(d.P)
	if g.Def.Set == nil {
		return th.Raise(AttributeError, "attribute '%s' of '%s' objects is not writable", g.Name.s, g.Class.Name)
	}
	return g.Def.Set(th, o, x)
}

func staticGet(th *Thread, d, o Value, c *Class) (Value, error) {
	w, _ := AsWrapped(d)
	return w.Fn, nil
}

func classMethodGet(th *Thread, d, o Value, c *Class) (Value, error) {
	w, _ := AsWrapped(d)
	if c == nil {
		c = ClassOf(o)
	}
	if get := ClassOf(w.Fn).DescrGet; get != nil && w.Fn.Kind() != value.KindFunc {
		return get(th, w.Fn, c.Value(), c)
	}
	return NewBound(c.Value(), w.Fn), nil
}
