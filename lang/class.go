package lang

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Class is a type object. Built-in classes are package-level variables, shared
// by all interpreters and immutable once init has run: their methods are rows of
// a static table that become a Dict at the first look-up. Classes made by a
// script belong to its interpreter.
type Class struct {
	value.Type
	Qualname, Module string
	// Title is what messages call instances of a class that comes from a C module
	// ("numpy.ndarray"); "" for Name.
	Title  string
	Doc    string
	Bases  []*Class // direct bases, in order; empty only for object
	MRO    []*Class // the class itself first
	Flags  ClassFlags
	Layout Kind // kind of the payload that instances of subclasses carry; KindInstance for none
	Slots
	// One is a call of exactly this class with one positional argument: a shortcut
	// past New and Init for the built-in classes that have it.
	One func(th *Thread, x Value) (Value, error)

	dict    *Dict
	rows    []Def       // methods not yet in dict
	ready   atomic.Bool // dict holds all rows
	mu      sync.Mutex
	root    *Shape // of instances without attributes
	hint    int    // attributes that instances had so far: how much room to make
	nslots  int    // slots of __slots__, the first ones of every instance
	dicted  *Shape // of instances whose attributes live in a dict: __slots__ only
	init    *Func  // plainInit, as of initEpoch
	initAt  uint32
	home    *Interp
	script  bool   // made by a class statement or type()
	absents []*Str // abstract methods, names
}

// ClassFlags say how a class and its instances behave.
type ClassFlags uint32

// Flags of a class.
const (
	ClassFinal      ClassFlags = 1 << iota // cannot be subclassed by a script
	ClassNoDict                            // instances have no __dict__
	ClassAbstract                          // some abstract method is left
	ClassException                         // derives from BaseException
	ClassMeta                              // derives from type
	ClassNoNew                             // no instances from scripts: cannot create 'x' instances
	ClassUnhashable                        // __hash__ is None
	ClassSequence                          // matches sequence patterns
	ClassMapping                           // matches mapping patterns
	ClassMatchSelf                         // `case cls(x)` binds the subject itself (int, str, …)
	ClassDunderNew                         // script __new__ somewhere in the MRO
	ClassGetAttr                           // script __getattr__ or __getattribute__ somewhere
	ClassSetAttr                           // script __setattr__ or __delattr__ somewhere
	ClassFinalizer                         // script __del__ somewhere
	ClassNominal                           // a metaclass whose __instancecheck__ agrees to every subclass
	ClassSealed                            // of script, but in place of a C type: its attributes can't be set
)

// Slots is the behaviour of instances. A nil slot means that the class doesn't
// do it. They are inherited at class creation; a dunder method of a script class
// sets the slot to one that calls it. An operand may come as either side of
// Binary and Compare; NotImplemented means that the slot doesn't know the pair.
type Slots struct {
	Repr, Str func(th *Thread, v Value) (Value, error)
	Hash      func(th *Thread, v Value) (int64, error)
	Truth     func(th *Thread, v Value) (bool, error)
	Len       func(th *Thread, v Value) (int, error)
	// Iter returns an iterator: a generator, an instance, or an object whose class has Next.
	Iter func(th *Thread, v Value) (Value, error)
	// Next gives the next item; false at the end, where the iterator's result, if
	// any, is in th.StopValue.
	Next     func(th *Thread, v Value) (Value, bool, error)
	GetItem  func(th *Thread, v, key Value) (Value, error)
	SetItem  func(th *Thread, v, key, x Value) error
	DelItem  func(th *Thread, v, key Value) error
	Contains func(th *Thread, v, x Value) (bool, error)
	// GetAttr replaces the generic look-up; it may fall back on GenericGetAttr.
	GetAttr func(th *Thread, v Value, name *Str) (Value, error)
	// SetAttr replaces the generic store; x Unbound deletes.
	SetAttr func(th *Thread, v Value, name *Str, x Value) error
	// Call takes keyword values last, named by names.
	Call func(th *Thread, v Value, args []Value, names []*Str) (Value, error)
	// Binary runs a op b. Bit i of dying: operand i dies with the operation, its
	// storage may become the result's.
	Binary  func(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error)
	InPlace func(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error)
	// PowMod is pow(a, b, m) where one of the three is of the class.
	PowMod  func(th *Thread, a, b, m Value) (Value, error)
	Unary   func(th *Thread, op UnaryOp, v Value) (Value, error)
	Compare func(th *Thread, op CompareOp, a, b Value) (Value, error)
	Index   func(th *Thread, v Value) (Value, error) // __index__: an int
	Int     func(th *Thread, v Value) (Value, error) // __int__
	Float   func(th *Thread, v Value) (float64, error)
	Format  func(th *Thread, v Value, spec string) (string, error)
	// New and Init are natives with the class, or the new object, as first parameter.
	New, Init *Def
	// DescrGet is __get__: o is Unbound when reached through the class.
	DescrGet func(th *Thread, d, o Value, c *Class) (Value, error)
	// DescrSet is __set__ and __delete__ (x Unbound); a class that has it makes data descriptors.
	DescrSet func(th *Thread, d, o, x Value) error
	// Keep and Drop count places, for kinds from KindTensor on.
	Keep, Drop func(th *Thread, p unsafe.Pointer)
	// Walk visits the values an object holds: memory report, freezing, tests.
	Walk func(v Value, visit func(Value))
	// Size is what an object holds outside of the language's own types, in bytes.
	Size func(v Value) int
	// Finalize runs when the last counted place of a FlagFinalizable object goes.
	Finalize func(th *Thread, v Value)
	// Track begins to watch for the end of an object that is counted anyway: see Thread.Track.
	Track func(th *Thread, v Value) bool
}

// NewBuiltinClass makes a built-in class, for a package-level variable. The
// slots of the bases are inherited now; the caller's init sets its own.
func NewBuiltinClass(name, module string, inst Kind, bases ...*Class) *Class {
	c := NewPythonClass(name, module, inst, bases...)
	if module != "builtins" {
		c.Title = module + "." + name
	}
	return c
}

// NewPythonClass is NewBuiltinClass for a class that stands for one written in Python: messages give its name without the module.
func NewPythonClass(name, module string, inst Kind, bases ...*Class) *Class {
	c := newStatic(name, inst, bases...)
	c.Module = module
	c.finish()
	builtinClasses = append(builtinClasses, c)
	return c
}

// Seal makes a class of script stand for a type written in C: messages name its
// module, and its attributes can't be set.
func (c *Class) Seal() {
	c.Title = c.FullName()
	c.Flags |= ClassSealed
}

// shown is the class's name in messages.
func (c *Class) shown() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

// builtinClasses are those of other packages, for finding one by name.
var builtinClasses []*Class

// newStatic makes a class of this package; classes() finishes it at init.
func newStatic(name string, inst Kind, bases ...*Class) *Class {
	c := &Class{Qualname: name, Module: "builtins", Bases: bases, Layout: inst}
	c.Name, c.Inst, c.Kind = name, inst, value.KindClass
	c.Header.Flags = value.FlagImmortal
	return c
}

// finish links a static class to its bases.
func (c *Class) finish() {
	c.Header.Type = &TypeClass.Type
	if len(c.Bases) == 0 && c != ObjectClass {
		c.Bases = []*Class{ObjectClass}
	}
	if len(c.Bases) > 0 && c.Bases[0].Header.Type != nil && ClassOf(c.Bases[0].Value()) != TypeClass {
		c.Header.Type = c.Bases[0].Header.Type
	}
	m, _ := mro(c)
	c.MRO = m
	for _, b := range c.MRO[1:] {
		c.Slots.inherit(&b.Slots)
		c.Flags |= b.Flags & (ClassException | ClassMeta | ClassSequence | ClassMapping | ClassMatchSelf)
	}
	c.root = &Shape{cls: c}
	c.dict = newDict()
}

// Value is the class as a script value.
func (c *Class) Value() Value { return obj(unsafe.Pointer(c)) }

// IsSub reports that c is b or derives from it.
func (c *Class) IsSub(b *Class) bool {
	if c == b {
		return true
	}
	for _, m := range c.MRO {
		if m == b {
			return true
		}
	}
	return false
}

// IsScript reports a class made by a script.
func (c *Class) IsScript() bool { return c.script }

// DefineMethods adds rows to a built-in class; for init only. The first rows win
// no priority: a name may stand once.
func DefineMethods(c *Class, rows []Def) { c.rows = append(c.rows, rows...) }

// Dict is the namespace of the class, with all rows of its table.
func (c *Class) Dict() *Dict {
	if !c.script && !c.ready.Load() {
		c.materialise()
	}
	return c.dict
}

// materialise turns the rows into descriptors in the dict. Built-in classes are
// shared, so the first thread to come does it under the class's lock.
func (c *Class) materialise() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ready.Load() {
		return
	}
	d := newDict()
	slotWrappers(c, d)
	for i := range c.rows {
		r := &c.rows[i]
		d.putStr(Intern(r.name()), r.descriptor(c))
	}
	if c.Doc != "" {
		d.putStr(Intern("__doc__"), NewStr(c.Doc))
	} else if _, ok := d.getStr(Intern("__doc__")); !ok {
		d.putStr(Intern("__doc__"), None)
	}
	c.dict = d
	c.ready.Store(true)
}

// lookup finds name along the MRO, without the cache.
func (c *Class) lookup(name *Str) (Value, *Class) {
	for _, m := range c.MRO {
		if v, ok := m.Dict().getStr(name); ok {
			return v, m
		}
	}
	return Unbound, nil
}

// Lookup finds an attribute of the class along its MRO, as special methods are
// found: no metaclass, no binding. Unbound when there is none.
func (c *Class) Lookup(name string) Value {
	v, _ := c.lookup(Intern(name))
	return v
}

// mro is the C3 linearisation; ok is false when there is none.
func mro(c *Class) ([]*Class, bool) {
	out := []*Class{c}
	switch len(c.Bases) {
	case 0:
		return out, true
	case 1:
		return append(out, c.Bases[0].MRO...), true
	}
	var lists [][]*Class
	for _, b := range c.Bases {
		lists = append(lists, b.MRO)
	}
	lists = append(lists, c.Bases)
	for {
		next, done := mroHead(lists)
		if done {
			return out, true
		}
		if next == nil {
			return nil, false
		}
		out = append(out, next)
		for i, l := range lists {
			if len(l) > 0 && l[0] == next {
				lists[i] = l[1:]
			}
		}
	}
}

// mroHead is the first head that stands in no tail; done when all lists are empty.
func mroHead(lists [][]*Class) (next *Class, done bool) {
	done = true
	for _, l := range lists {
		if len(l) == 0 {
			continue
		}
		done = false
		if !inTails(lists, l[0]) {
			return l[0], false
		}
	}
	return nil, done
}

func inTails(lists [][]*Class, c *Class) bool {
	for _, l := range lists {
		for i := 1; i < len(l); i++ {
			if l[i] == c {
				return true
			}
		}
	}
	return false
}

// inherit fills empty slots from a base.
func (s *Slots) inherit(b *Slots) {
	or(&s.Repr, b.Repr)
	or(&s.Str, b.Str)
	if s.Hash == nil {
		s.Hash = b.Hash
	}
	if s.Truth == nil {
		s.Truth = b.Truth
	}
	if s.Len == nil {
		s.Len = b.Len
	}
	or(&s.Iter, b.Iter)
	if s.Next == nil {
		s.Next = b.Next
	}
	s.inheritAccess(b)
	if s.Binary == nil {
		s.Binary = b.Binary
	}
	if s.InPlace == nil {
		s.InPlace = b.InPlace
	}
	if s.Unary == nil {
		s.Unary = b.Unary
	}
	if s.Compare == nil {
		s.Compare = b.Compare
	}
	or(&s.Index, b.Index)
	or(&s.Int, b.Int)
	if s.Float == nil {
		s.Float = b.Float
	}
	if s.Format == nil {
		s.Format = b.Format
	}
	s.inheritLife(b)
}

func (s *Slots) inheritAccess(b *Slots) {
	if s.GetItem == nil {
		s.GetItem = b.GetItem
	}
	if s.SetItem == nil {
		s.SetItem = b.SetItem
	}
	if s.DelItem == nil {
		s.DelItem = b.DelItem
	}
	if s.Contains == nil {
		s.Contains = b.Contains
	}
	if s.GetAttr == nil {
		s.GetAttr = b.GetAttr
	}
	if s.SetAttr == nil {
		s.SetAttr = b.SetAttr
	}
	if s.Call == nil {
		s.Call = b.Call
	}
}

func (s *Slots) inheritLife(b *Slots) {
	if s.New == nil {
		s.New = b.New
	}
	if s.Init == nil {
		s.Init = b.Init
	}
	if s.DescrGet == nil {
		s.DescrGet = b.DescrGet
	}
	if s.DescrSet == nil {
		s.DescrSet = b.DescrSet
	}
	if s.Keep == nil {
		s.Keep, s.Drop = b.Keep, b.Drop
	}
	if s.Walk == nil {
		s.Walk = b.Walk
	}
	if s.Track == nil {
		s.Track = b.Track
	}
	if s.Finalize == nil {
		s.Finalize = b.Finalize
	}
}

func or(p *func(*Thread, Value) (Value, error), b func(*Thread, Value) (Value, error)) {
	if *p == nil {
		*p = b
	}
}
