package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Super is a super object: attribute look-up that begins after Cls in the MRO of
// Type.
type Super struct {
	Header
	Cls  *Class
	Obj  Value // the instance or class, Unbound when unbound
	Type *Class
}

// NewSuper is super(cls, o); o Unbound for the unbound form.
func (th *Thread) NewSuper(c *Class, o Value) (Value, error) {
	s := &Super{Header: head(SuperClass, value.KindOther), Cls: c, Obj: o.Held().Value()}
	if o.IsUnbound() || o.IsNone() {
		s.Obj = Unbound
		return obj(unsafe.Pointer(s)), nil
	}
	t, err := th.superType(c, o)
	s.Type = t
	return obj(unsafe.Pointer(s)), err
}

// ZeroSuper is super() without arguments, called from the innermost script frame.
func (th *Thread) ZeroSuper() (Value, error) {
	f := th.cur
	if f == nil || f.code == hostCode || f.fn == nil {
		return Unbound, th.Raise(RuntimeError, "super(): no current frame")
	}
	c := f.code.code
	if c.ArgCount == 0 && len(c.LocalNames) == 0 {
		return Unbound, th.Raise(RuntimeError, "super(): no arguments")
	}
	self := *f.slot(0)
	if cell := cellOf(self); cell != nil {
		self = cell.v
	}
	for i := range c.Free {
		if c.Free[i].Name != "__class__" {
			continue
		}
		cls, ok := AsClass(f.fn.free[i].v)
		if !ok {
			return Unbound, th.Raise(RuntimeError, "super(): empty __class__ cell")
		}
		if self.IsUnbound() {
			return Unbound, th.Raise(RuntimeError, "super(): arg[0] deleted")
		}
		return th.NewSuper(cls, self)
	}
	return Unbound, th.Raise(RuntimeError, "super(): __class__ cell not found")
}

// superType is the class whose MRO super walks.
func (th *Thread) superType(c *Class, o Value) (*Class, error) {
	if oc, ok := AsClass(o); ok && oc.IsSub(c) {
		return oc, nil
	}
	if t := ClassOf(o); t.IsSub(c) {
		return t, nil
	}
	return nil, th.TypeErrorf("super(type, obj): obj must be an instance or subtype of type")
}

func superGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	s := (*Super)(v.P)
	if s.Type != nil && name.s != "__class__" {
		x, err := th.superLookup(s.Cls, s.Type, s.Obj, name.intern())
		if err != nil || !x.IsUnbound() {
			return x, err
		}
	}
	switch name.s {
	case "__thisclass__":
		return s.Cls.Value(), nil
	case "__self__":
		if s.Obj.IsUnbound() {
			return None, nil
		}
		return s.Obj, nil
	case "__self_class__":
		if s.Type == nil {
			return None, nil
		}
		return s.Type.Value(), nil
	}
	x, err := genericGet(th, v, name)
	if err == nil && x.IsUnbound() {
		err = NoAttribute(th, v, name.s)
	}
	return x, err
}

// superLookup is what super(c, o).name gives; Unbound for nothing.
func (th *Thread) superLookup(c, t *Class, o Value, name *Str) (Value, error) {
	d := th.superFind(c, t, name)
	if d.IsUnbound() {
		return d, nil
	}
	if o.P == unsafe.Pointer(t) { // through the class
		return th.bindClass(d, t)
	}
	return th.bind(d, o, t)
}

// superFind finds name in the MRO of t after c.
func (th *Thread) superFind(c, t *Class, name *Str) Value {
	i := 0
	for i < len(t.MRO) && t.MRO[i] != c {
		i++
	}
	for i++; i < len(t.MRO); i++ {
		if v, ok := t.MRO[i].Dict().getStr(name); ok {
			return v
		}
	}
	return Unbound
}

// superGet binds an unbound super object to what it is reached through.
func superGet(th *Thread, d, o Value, c *Class) (Value, error) {
	s := (*Super)(d.P)
	if o.IsUnbound() || o.IsNone() || s.Type != nil {
		return d, nil
	}
	return th.NewSuper(s.Cls, o)
}

func superRepr(th *Thread, v Value) (Value, error) {
	s := (*Super)(v.P)
	if s.Type == nil {
		return NewStr("<super: <class '" + s.Cls.Name + "'>, NULL>"), nil
	}
	return NewStr("<super: <class '" + s.Cls.Name + "'>, <" + s.Type.Name + " object>>"), nil
}
