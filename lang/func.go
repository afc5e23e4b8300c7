package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Cell is a binding of its own: a global name, or a variable that a closure
// shares. A counted place.
type Cell struct {
	Header
	v     Value
	users []**Cell // links of code to another cell for the same name (a builtin), to be moved here once bound
}

func newCell(v Value) *Cell { return &Cell{Header: head(CellClass, value.KindCell), v: v} }

// NewCell makes a cell that takes v over.
func NewCell(v Value) *Cell { return newCell(v) }

// Get is the content, held, Unbound when empty.
func (c *Cell) Get() Value { return c.v.Held().Value() }

// Set stores v.
func (c *Cell) Set(v Value) { c.v = v.Held().Value() }

// relink points code that used a builtin of this name here.
func (c *Cell) relink() {
	for _, u := range c.users {
		*u = c
	}
	c.users = nil
}

// Func is a script function.
type Func struct {
	Header
	code     *Linked
	free     []*Cell
	Defaults []Held // of the last positional parameters
	KwDef    *Dict  // defaults of keyword-only parameters, or nil
	Name     *Str
	Qualname *Str
	Doc      Value
	Module   Value
	attrs    *Dict // __dict__
	Annot    Value // __annotations__: a dict, or Unbound until asked
	Convert  uint8 // how a trace converts it, as the tracer sets it
	Ext      any   // what the tracer keeps of the function
}

// Code is the function's code object.
func (f *Func) Code() *code.Code {
	f.code.code.Load()
	return f.code.code
}

// Globals is the namespace the function was defined in.
func (f *Func) Globals() *Dict { return f.code.globals }

// Free are the cells of the free variables, in the order of Code().Free.
func (f *Func) Free() []*Cell { return f.free }

// Value is f as a script value.
func (f *Func) Value() Value { return obj(unsafe.Pointer(f)) }

// Dict is the function's __dict__.
func (f *Func) Dict() *Dict {
	if f.attrs == nil {
		f.attrs = newDict()
	}
	return f.attrs
}

// Bound is a method bound to its receiver.
type Bound struct {
	Header
	Self, Fn Value
}

// NewBound binds fn, any callable, to self.
func NewBound(self, fn Value) Value {
	c := BoundClass
	if fn.Kind() == value.KindNative {
		c = NativeClass
		if ClassOf(fn) == WrapperDescrClass {
			c = WrapperClass
		}
	}
	return obj(unsafe.Pointer(&Bound{head(c, value.KindBound), self.Held().Value(), fn.Held().Value()}))
}

// AsBound is v as a bound method.
func AsBound(v Value) (*Bound, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindBound {
		return (*Bound)(v.P), true
	}
	return nil, false
}

// Native is a function in Go. It borrows a, which has one slot for each parameter
// of the signature; what it keeps it must hold.
type Native func(th *Thread, a []Value) (Value, error)

// DefFlags say how a Def is bound and worded.
type DefFlags uint8

// Flags of a Def.
const (
	// DefStatic and DefClassMethod make the row a staticmethod or classmethod of its class.
	DefStatic DefFlags = 1 << iota
	DefClassMethod
	// DefProperty makes the row an attribute computed by Fn(self).
	DefProperty
	// DefPure: Fn calls back no script code and keeps no argument, so that `h = f(h)` may reuse h's storage.
	DefPure
	// DefPython words argument errors as those of a function written in Python (tf and library modules).
	DefPython
	// DefAppend and DefGet mark list.append and dict.get: call sites become an
	// instruction of their own.
	DefAppend
	DefGet
)

// Def is one row of a table of native functions.
type Def struct {
	// Sig is the signature in Python's syntax: "split(self, sep=None, maxsplit=-1)".
	// A default `...` leaves the slot Unbound when the argument is absent.
	Sig   string
	Fn    Native
	Doc   string
	Flags DefFlags
	// Two is what Fn does for two positional arguments, of a function that takes any
	// number of them; nil for nothing special.
	Two func(th *Thread, x, y Value) (Value, error)
	Set func(th *Thread, self, x Value) error // of a DefProperty: store, x Unbound deletes; nil: read-only

	sig sigOnce
}

// NativeFunc is a native function, or a method of a built-in class, as a script
// object.
type NativeFunc struct {
	Header
	Def   *Def
	Class *Class // of a method
	Name  *Str
	Mod   Value // __module__ or Unbound
	dict  *Dict
}

// NewNative makes the script object of a row that stands in no class.
func NewNative(d *Def) Value {
	return obj(unsafe.Pointer(&NativeFunc{Header: head(NativeClass, value.KindNative), Def: d, Name: Intern(d.name()), Mod: Unbound}))
}

// NewFunc makes a native function of a signature: for bindings made at run time.
func NewFunc(sig string, fn Native) Value { return NewNative(&Def{Sig: sig, Fn: fn}) }

// AsNative is v as a native function.
func AsNative(v Value) (*NativeFunc, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindNative {
		return (*NativeFunc)(v.P), true
	}
	return nil, false
}

// Value is f as a script value.
func (f *NativeFunc) Value() Value { return obj(unsafe.Pointer(f)) }

// descriptor is what the row puts into its class.
func (d *Def) descriptor(c *Class) Value {
	switch {
	case d.Flags&DefProperty != 0:
		return obj(unsafe.Pointer(&GetSet{head(GetSetClass, value.KindProperty), d, c, Intern(d.name())}))
	case d.Flags&DefStatic != 0:
		f := &NativeFunc{Header: head(NativeClass, value.KindNative), Def: d, Name: Intern(d.name()), Mod: Unbound}
		return NewStaticMethod(f.Value())
	case d.Flags&DefClassMethod != 0:
		f := &NativeFunc{Header: head(MethodDescrClass, value.KindNative), Def: d, Class: c, Name: Intern(d.name()), Mod: Unbound}
		return NewClassMethod(f.Value())
	}
	kind := MethodDescrClass
	if name := d.name(); name == "__init__" || dunderSlots[name] != nil && name != "__format__" {
		kind = WrapperDescrClass
	}
	f := &NativeFunc{Header: head(kind, value.KindNative), Def: d, Class: c, Name: Intern(d.name()), Mod: Unbound}
	return f.Value()
}
