package lang

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

// Call calls any callable from Go: keyword values stand last in args, named by
// names. Script code runs nested in Go, which is counted.
func (th *Thread) Call(f Value, args []Value, names ...*Str) (Value, error) {
	th.where = inCall
	return th.call(f, args, names)
}

// CallMethod calls v.name(args...).
func (th *Thread) CallMethod(v Value, name string, args ...Value) (Value, error) {
	f, err := Attr(th, v, name)
	if err != nil {
		return Unbound, err
	}
	return th.call(f, args, nil)
}

// IsCallable is callable(v).
func IsCallable(v Value) bool { return ClassOf(v).Call != nil }

func (th *Thread) call(f Value, args []Value, names []*Str) (Value, error) {
	switch f.Kind() {
	case value.KindFunc:
		return th.runFunc((*Func)(f.P), args, names)
	case value.KindNative:
		return (*NativeFunc)(f.P).call(th, args, names)
	case value.KindBound:
		b := (*Bound)(f.P)
		return th.callWith(b.Fn, b.Self, args, names)
	case value.KindClass:
		return th.callClass((*Class)(f.P), args, names)
	}
	c := ClassOf(f)
	if c.Call == nil {
		return Unbound, th.TypeErrorf("'%s' object is not callable", c.Name)
	}
	if err := th.enter(""); err != nil {
		return Unbound, err
	}
	r, err := c.Call(th, f, args, names)
	th.leave()
	return r, err
}

// callWith calls f with self put before the arguments.
func (th *Thread) callWith(f, self Value, args []Value, names []*Str) (Value, error) {
	all := th.scratch(len(args) + 1)
	all[0] = self
	copy(all[1:], args)
	r, err := th.call(f, all, names)
	th.unscratch(len(all))
	return r, err
}

// scratch lends n slots for arguments, last in first out.
func (th *Thread) scratch(n int) []Value {
	if cap(th.args)-len(th.args) < n {
		th.args = make([]Value, 0, max(256, n, 2*cap(th.args))) // the old one lives on in the slices lent
	}
	at := len(th.args)
	th.args = th.args[: at+n : cap(th.args)]
	return th.args[at : at+n : at+n]
}

func (th *Thread) unscratch(n int) {
	if at := len(th.args) - n; at >= 0 {
		clear(th.args[at:])
		th.args = th.args[:at]
	}
}

// callSpecial calls m, found on the class of v, as a method of v.
func (th *Thread) callSpecial(v, m Value, args ...Value) (Value, error) {
	th.where = ""
	switch m.Kind() {
	case value.KindFunc, value.KindNative:
		return th.callWith(m, v, args, nil)
	}
	f, err := th.bind(m, v, ClassOf(v))
	if err != nil {
		return Unbound, err
	}
	return th.call(f, args, nil)
}

// special is what v's class has under a dunder name; Unbound for nothing.
func (th *Thread) special(v Value, name *Str) Value {
	m, _ := th.find(ClassOf(v), name)
	return m
}

// callClass makes an object: metaclass __call__, then __new__ and __init__.
func (th *Thread) callClass(c *Class, args []Value, names []*Str) (Value, error) {
	if meta := ClassOf(c.Value()); meta != TypeClass {
		if m, owner := th.find(meta, nameCall); !m.IsUnbound() && owner != TypeClass {
			return th.callWith(m, c.Value(), args, names)
		}
	}
	return th.construct(c, args, names)
}

// construct is type.__call__.
func (th *Thread) construct(c *Class, args []Value, names []*Str) (Value, error) {
	if c == TypeClass && len(names) == 0 && len(args) == 1 {
		return ClassOf(args[0]).Value(), nil
	}
	if c == TypeClass && len(names) == 0 && len(args) != 3 {
		return Unbound, th.TypeErrorf("type() takes 1 or 3 arguments")
	}
	v, err := th.create(c, args, names)
	if err != nil || !ClassOf(v).IsSub(c) {
		return v, err
	}
	return v, th.initialise(v, args, names)
}

// create runs __new__.
func (th *Thread) create(c *Class, args []Value, names []*Str) (Value, error) {
	if c.Flags&ClassDunderNew != 0 {
		m, _ := th.find(c, nameNew)
		f, err := th.bindClass(m, c)
		if err != nil {
			return Unbound, err
		}
		return th.callWith(f, c.Value(), args, names)
	}
	return th.builtinNew(c, args, names)
}

// builtinNew makes an object by the slot that c inherits.
func (th *Thread) builtinNew(c *Class, args []Value, names []*Str) (Value, error) {
	if c.Flags&ClassNoNew != 0 {
		return Unbound, th.TypeErrorf("cannot create '%s' instances", c.FullName())
	}
	if c.Flags&ClassAbstract != 0 {
		if err := abstractError(th, c); err != nil {
			return Unbound, err
		}
	}
	if c.Flags&ClassException != 0 && c.New == nil {
		return th.newExceptionObject(c, args, names)
	}
	if c.New == nil {
		if len(args) > 0 && (c.Init == nil && !th.hasInit(c) || th.ownNew(c)) {
			return Unbound, th.TypeErrorf("%s() takes no arguments", c.Name)
		}
		return newInstance(c).Value(), nil
	}
	if th.dropArgs(c) {
		args, names = nil, nil
	} else if len(names) > 0 && c.script && th.hasInit(c) && c.New.Signature().NoKw {
		args, names = args[:len(args)-len(names)], nil // they are for the script's __init__
	}
	return c.New.callAs(th, c, c.Value(), args, names)
}

// dropArgs: the payload of mutable built-in types is filled by __init__; a script
// __init__ may take arguments that the type doesn't know.
func (th *Thread) dropArgs(c *Class) bool {
	return c.script && c.Init != nil && th.hasInit(c)
}

// hasInit reports a script __init__.
func (th *Thread) hasInit(c *Class) bool {
	m, _ := th.find(c, nameInit)
	return m.Kind() == value.KindFunc || m.Kind() == value.KindInstance
}

func (th *Thread) ownNew(c *Class) bool { return c.Flags&ClassDunderNew != 0 && !th.hasInit(c) }

func abstractError(th *Thread, c *Class) error {
	if len(c.absents) == 0 {
		return nil
	}
	var names []string
	for _, n := range c.absents {
		names = append(names, n.s)
	}
	return th.TypeErrorf("Can't instantiate abstract class %s with abstract %s %s", c.Name, plural("method", len(names)), strings.Join(names, ", "))
}

// initialise runs __init__.
func (th *Thread) initialise(v Value, args []Value, names []*Str) error {
	c := ClassOf(v)
	m, _ := th.find(c, nameInit)
	if m.Kind() == value.KindFunc {
		r, err := th.callWith(m, v, args, names)
		if err == nil && !r.IsNone() {
			err = th.TypeErrorf("__init__() should return None, not '%s'", TypeName(r))
		}
		return err
	}
	if !m.IsUnbound() && m.Kind() != value.KindNative {
		_, err := th.callSpecialKw(v, m, args, names)
		return err
	}
	if c.Init != nil {
		if len(names) > 0 && c.Flags&ClassDunderNew != 0 && c.Init.Signature().NoKw {
			args, names = args[:len(args)-len(names)], nil // they were for the script's __new__
		}
		_, err := c.Init.callAs(th, c, v, args, names)
		return err
	}
	return nil
}

func (th *Thread) callSpecialKw(v, m Value, args []Value, names []*Str) (Value, error) {
	f, err := th.bind(m, v, ClassOf(v))
	if err != nil {
		return Unbound, err
	}
	return th.call(f, args, names)
}

// callAs calls a New or Init row of class c.
func (d *Def) callAs(th *Thread, c *Class, first Value, args []Value, names []*Str) (Value, error) {
	owner := c
	for _, m := range c.MRO {
		if !m.script {
			owner = m
			break
		}
	}
	f := NativeFunc{Def: d, Class: owner}
	all := th.scratch(len(args) + 1)
	all[0] = first
	copy(all[1:], args)
	r, err := f.call(th, all, names)
	th.unscratch(len(all))
	return r, err
}

// newExceptionObject is BaseException.__new__: args are kept whatever they are.
func (th *Thread) newExceptionObject(c *Class, args []Value, names []*Str) (Value, error) {
	if len(names) > 0 && !th.hasInit(c) && c.Init == nil {
		return Unbound, th.TypeErrorf("%s() takes no keyword arguments", c.Name)
	}
	e := newException(c)
	e.Args = makeTuple(args[:len(args)-len(names)])
	return e.Value(), nil
}
