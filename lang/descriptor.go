package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Property is a property object; absent functions are None.
type Property struct {
	Header
	Get, Set, Del, Doc Value
	GetterDoc          bool  // Doc is the getter's
	name               Value // set by __set_name__, for messages
}

// Name is the attribute that p was bound to, Unbound before.
func (p *Property) Name() Value { return p.name }

// SetName is __set_name__.
func (p *Property) SetName(name Value) { p.name = name.Held().Value() }

// NewProperty makes a property.
func NewProperty(get, set, del, doc Value) *Property {
	return &Property{Header: head(PropertyClass, value.KindProperty), Get: get.Held().Value(), Set: set.Held().Value(), Del: del.Held().Value(),
		Doc: doc.Held().Value(), name: Unbound}
}

// Value is p as a script value.
func (p *Property) Value() Value { return obj(unsafe.Pointer(p)) }

// Wrapped is a staticmethod or classmethod.
type Wrapped struct {
	Header
	Fn   Value
	dict *Dict
}

// NewStaticMethod makes a staticmethod.
func NewStaticMethod(f Value) Value {
	return obj(unsafe.Pointer(&Wrapped{Header: head(StaticMethodClass, value.KindProperty), Fn: f.Held().Value()}))
}

// NewClassMethod makes a classmethod.
func NewClassMethod(f Value) Value {
	return obj(unsafe.Pointer(&Wrapped{Header: head(ClassMethodClass, value.KindProperty), Fn: f.Held().Value()}))
}

// Member is the descriptor of one name of __slots__.
type Member struct {
	Header
	Class *Class
	Name  *Str
}

// GetSet is the descriptor of a computed attribute of a built-in class.
type GetSet struct {
	Header
	Def   *Def
	Class *Class
	Name  *Str
}

// asProperty is the exact property behind v, subclass instances included.
func asProperty(v Value) *Property {
	v = payload(v)
	if v.P != nil && (*Header)(v.P).Kind == value.KindProperty && ClassOf(v) == PropertyClass {
		return (*Property)(v.P)
	}
	return nil
}

// AsProperty is v as a property.
func AsProperty(v Value) (*Property, bool) { p := asProperty(v); return p, p != nil }

// AsWrapped is v as a staticmethod or classmethod.
func AsWrapped(v Value) (*Wrapped, bool) {
	v = payload(v)
	if v.P != nil && (*Header)(v.P).Kind == value.KindProperty {
		if c := ClassOf(v); c == StaticMethodClass || c == ClassMethodClass {
			return (*Wrapped)(v.P), true
		}
	}
	return nil, false
}
