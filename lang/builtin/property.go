package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var propertyNew = lang.Def{Sig: "__new__(cls, fget=None, fset=None, fdel=None, doc=None)", Fn: newProperty}

func newProperty(th *Thread, a []Value) (Value, error) {
	p := lang.NewProperty(a[1], a[2], a[3], a[4])
	v, err := wrapAs(a[0], p.Value(), nil)
	if err != nil || !a[4].IsNone() || a[1].IsNone() {
		return v, err
	}
	doc, found, err := lang.AttrOr(th, a[1], "__doc__")
	if err != nil || !found {
		return v, err
	}
	p.GetterDoc = true
	if a[0] == lang.PropertyClass.Value() {
		p.Doc = doc.Held().Value()
		return v, nil
	}
	return v, lang.SetAttr(th, v, lang.Intern("__doc__"), doc) // a subclass has a __doc__ of its own
}

var propertyRows = []lang.Def{
	{Sig: "getter(self, fget, /)", Fn: propertyWith(0), Doc: "Descriptor to obtain a copy of the property with a different getter."},
	{Sig: "setter(self, fset, /)", Fn: propertyWith(1), Doc: "Descriptor to obtain a copy of the property with a different setter."},
	{Sig: "deleter(self, fdel, /)", Fn: propertyWith(2), Doc: "Descriptor to obtain a copy of the property with a different deleter."},
	{Sig: "__set_name__(self, owner, name, /)", Doc: "Method to set name of a property.", Fn: func(th *Thread, a []Value) (Value, error) {
		p, _ := lang.AsProperty(a[0])
		p.SetName(a[2])
		return none, nil
	}},
	{Sig: "fget", Flags: lang.DefProperty, Fn: propertyField(func(p *lang.Property) Value { return p.Get })},
	{Sig: "fset", Flags: lang.DefProperty, Fn: propertyField(func(p *lang.Property) Value { return p.Set })},
	{Sig: "fdel", Flags: lang.DefProperty, Fn: propertyField(func(p *lang.Property) Value { return p.Del })},
	{Sig: "__doc__", Flags: lang.DefProperty, Fn: propertyField(func(p *lang.Property) Value { return p.Doc }), Set: setPropertyDoc},
	{Sig: "__isabstractmethod__", Flags: lang.DefProperty, Fn: propertyAbstract},
}

// propertyWith makes a copy with another function in place i; a doc that came from
// the getter comes from the new one.
func propertyWith(i int) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		p, _ := lang.AsProperty(a[0])
		args := []Value{p.Get, p.Set, p.Del, p.Doc}
		args[i] = a[1]
		if p.GetterDoc && !args[0].IsNone() {
			args[3] = none
		}
		v, err := th.Call(lang.ClassOf(a[0]).Value(), args)
		if q, ok := lang.AsProperty(v); ok && err == nil {
			q.SetName(p.Name())
		}
		return v, err
	}
}

func propertyField(f func(p *lang.Property) Value) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		p, _ := lang.AsProperty(a[0])
		return f(p), nil
	}
}

func setPropertyDoc(th *Thread, self, x Value) error {
	p, _ := lang.AsProperty(self)
	p.Doc = x.Held().Value()
	return nil
}

func propertyAbstract(th *Thread, a []Value) (Value, error) {
	p, _ := lang.AsProperty(a[0])
	for _, f := range []Value{p.Get, p.Set, p.Del} {
		if abstract, err := isAbstract(th, f); err != nil || abstract {
			return lang.Bool(abstract), err
		}
	}
	return lang.False, nil
}

func isAbstract(th *Thread, f Value) (bool, error) {
	x, found, err := lang.AttrOr(th, f, "__isabstractmethod__")
	if err != nil || !found {
		return false, err
	}
	return lang.Truth(th, x)
}

var staticMethodNew = lang.Def{Sig: "__new__(cls, function, /)", Fn: func(th *Thread, a []Value) (Value, error) {
	return wrapAs(a[0], lang.NewStaticMethod(a[1]), nil)
}}

var classMethodNew = lang.Def{Sig: "__new__(cls, function, /)", Fn: func(th *Thread, a []Value) (Value, error) {
	return wrapAs(a[0], lang.NewClassMethod(a[1]), nil)
}}

var wrappedRows = []lang.Def{
	{Sig: "__func__", Flags: lang.DefProperty, Fn: wrappedFunc},
	{Sig: "__wrapped__", Flags: lang.DefProperty, Fn: wrappedFunc},
	{Sig: "__isabstractmethod__", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		w, _ := lang.AsWrapped(a[0])
		t, err := isAbstract(th, w.Fn)
		return lang.Bool(t), err
	}},
	{Sig: "__name__", Flags: lang.DefProperty, Fn: wrappedAttr("__name__")},
	{Sig: "__qualname__", Flags: lang.DefProperty, Fn: wrappedAttr("__qualname__")},
	{Sig: "__doc__", Flags: lang.DefProperty, Fn: wrappedAttr("__doc__")},
	{Sig: "__module__", Flags: lang.DefProperty, Fn: wrappedAttr("__module__")},
	{Sig: "__annotations__", Flags: lang.DefProperty, Fn: wrappedAttr("__annotations__")},
}

func wrappedFunc(th *Thread, a []Value) (Value, error) {
	w, _ := lang.AsWrapped(a[0])
	return w.Fn, nil
}

func wrappedAttr(name string) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		w, _ := lang.AsWrapped(a[0])
		return lang.Attr(th, w.Fn, name)
	}
}

func wrappedRepr(th *Thread, v Value) (Value, error) {
	w, _ := lang.AsWrapped(v)
	s, err := lang.Repr(th, w.Fn)
	return lang.NewStr("<" + lang.TypeName(v) + "(" + s + ")>"), err
}
