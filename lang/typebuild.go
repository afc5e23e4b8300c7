package lang

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

// typeRows are the attributes of classes and the methods of type.
func typeRows() []Def {
	prop := func(name string, get func(c *Class) Value, set func(th *Thread, o, x Value) error) Def {
		return Def{Sig: name, Flags: DefProperty, Set: set,
			Fn: func(th *Thread, a []Value) (Value, error) { return get((*Class)(a[0].P)), nil }}
	}
	return []Def{
		{Sig: "__new__(mcs, name, bases=..., dict=..., /, **kwargs)", Fn: typeNew, Flags: DefStatic},
		{Sig: "__init__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) { return None, nil }},
		prop("__name__", func(c *Class) Value { return NewStr(c.Name) }, setClassName),
		prop("__qualname__", func(c *Class) Value { return NewStr(c.Qualname) }, setClassQualname),
		prop("__module__", func(c *Class) Value { return classModule(c) }, setClassModule),
		prop("__bases__", func(c *Class) Value { return classTuple(c.Bases) }, setBases),
		prop("__base__", func(c *Class) Value {
			if len(c.Bases) == 0 {
				return None
			}
			return c.solidBase().Value()
		}, nil),
		prop("__mro__", func(c *Class) Value { return classTuple(c.MRO) }, nil),
		prop("__flags__", func(c *Class) Value { return Int(c.typeFlags()) }, nil),
		prop("__dict__", func(c *Class) Value { return NewMappingProxy(c.Dict()) }, nil),
		prop("__doc__", func(c *Class) Value {
			if v, ok := c.Dict().getStr(nameDoc); ok {
				return v
			}
			return None
		}, setClassDoc),
		{Sig: "__annotations__", Fn: classAnnotations, Flags: DefProperty, Set: setClassAnnotations},
		{Sig: "__abstractmethods__", Flags: DefProperty, Fn: classAbstract},
		{Sig: "mro(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			c := (*Class)(a[0].P)
			order, ok := mro(c)
			if !ok {
				return Unbound, th.noMRO(c)
			}
			l := MakeList(0)
			for _, m := range order {
				l.Append(m.Value())
			}
			return l.Value(), nil
		}},
		{Sig: "__subclasses__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			l := MakeList(0)
			for _, m := range th.Interp.subclasses[(*Class)(a[0].P)] {
				l.Append(m.Value())
			}
			return l.Value(), nil
		}},
		{Sig: "__instancecheck__(self, instance, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			ok, err := th.RealInstance(a[1], (*Class)(a[0].P))
			return Bool(ok), err
		}},
		{Sig: "__subclasscheck__(self, subclass, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			ok, err := th.RealSubclass(a[1], a[0])
			return Bool(ok), err
		}},
		{Sig: "__prepare__(*args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) { return newDict().Value(), nil }, Flags: DefClassMethod},
	}
}

func classModule(c *Class) Value {
	if v, ok := c.Dict().getStr(nameModule); ok && c.script {
		return v
	}
	return NewStr(c.Module)
}

func setClassName(th *Thread, o, x Value) error {
	c, s := (*Class)(o.P), ""
	if v, ok := AsStr(x); ok {
		s = v.s
	} else {
		return th.TypeErrorf("can only assign string to %s.__name__, not '%s'", c.Name, TypeName(x))
	}
	if !c.script || c.Flags&ClassSealed != 0 {
		return th.TypeErrorf("cannot set '__name__' attribute of immutable type '%s'", c.shown())
	}
	c.Name = s
	return nil
}

func setClassQualname(th *Thread, o, x Value) error {
	c := (*Class)(o.P)
	s, ok := AsStr(x)
	if !ok {
		return th.TypeErrorf("can only assign string to %s.__qualname__, not '%s'", c.Name, TypeName(x))
	}
	c.Qualname = s.s
	return nil
}

func setClassModule(th *Thread, o, x Value) error {
	c := (*Class)(o.P)
	c.dict.putStr(nameModule, x)
	return nil
}

func setClassDoc(th *Thread, o, x Value) error {
	c := (*Class)(o.P)
	if x.IsUnbound() {
		return th.TypeErrorf("cannot delete '__doc__' attribute of type '%s'", c.Name)
	}
	c.dict.putStr(nameDoc, x)
	return nil
}

func setClassAnnotations(th *Thread, o, x Value) error {
	c := (*Class)(o.P)
	if x.IsUnbound() {
		c.dict.delStr(nameAnnotations)
		return nil
	}
	c.dict.putStr(nameAnnotations, x)
	return nil
}

func classAnnotations(th *Thread, a []Value) (Value, error) {
	c := (*Class)(a[0].P)
	if v, ok := c.Dict().getStr(nameAnnotations); ok {
		return v, nil
	}
	if !c.script {
		return Unbound, th.Raise(AttributeError, "type object '%s' has no attribute '__annotations__'", c.Name)
	}
	d := newDict().Value()
	c.dict.putStr(nameAnnotations, d)
	return d, nil
}

func classAbstract(th *Thread, a []Value) (Value, error) {
	c := (*Class)(a[0].P)
	if c.absents == nil {
		return Unbound, th.Raise(AttributeError, "__abstractmethods__")
	}
	s := NewFrozenSet()
	for _, n := range c.absents {
		if _, err := s.Add(th, n.Value()); err != nil {
			return Unbound, err
		}
	}
	return s.Value(), nil
}

// SetAbstract names the abstract methods that are left: for ABCMeta.
func (c *Class) SetAbstract(names []string) {
	c.absents = []*Str{}
	c.Flags &^= ClassAbstract
	for _, n := range names {
		c.absents = append(c.absents, Intern(n))
		c.Flags |= ClassAbstract
	}
}

// Abstract are the names SetAbstract got.
func (c *Class) Abstract() []*Str { return c.absents }

func classTuple(cs []*Class) Value {
	t := newTuple(len(cs))
	for i, c := range cs {
		t.items[i] = c.Value().Held()
	}
	return t.Value()
}

// solidBase is the base whose layout counts.
func (c *Class) solidBase() *Class {
	for _, b := range c.Bases {
		if b.Layout != value.KindInstance {
			return b
		}
	}
	return c.Bases[0]
}

// typeNew is type(name, bases, dict) and type.__new__.
func typeNew(th *Thread, a []Value) (Value, error) {
	meta, ok := AsClass(a[0])
	if !ok {
		return Unbound, th.TypeErrorf("type.__new__(X): X is not a type object (%s)", TypeName(a[0]))
	}
	if a[2].IsUnbound() || a[3].IsUnbound() {
		return Unbound, th.TypeErrorf("type.__new__() takes exactly 3 arguments (%d given)", 1)
	}
	name, ok := AsStr(a[1])
	if !ok {
		return Unbound, th.TypeErrorf("type.__new__() argument 1 must be str, not %s", TypeName(a[1]))
	}
	bases, ok := AsTuple(a[2])
	if !ok {
		return Unbound, th.TypeErrorf("type.__new__() argument 2 must be tuple, not %s", TypeName(a[2]))
	}
	d, ok := AsDict(a[3])
	if !ok {
		return Unbound, th.TypeErrorf("type.__new__() argument 3 must be dict, not %s", TypeName(a[3]))
	}
	kw, _ := AsDict(a[4])
	if w, err := th.winner(meta, classesOf(bases)); err != nil {
		return Unbound, err
	} else if w != meta && w.Flags&ClassDunderNew != 0 {
		return th.derivedNew(w, a[1:4], kw)
	}
	return th.NewClass(meta, name, Values(bases.items), d, kw)
}

// classesOf are the classes among bases.
func classesOf(bases *Tuple) (out []*Class) {
	for _, h := range bases.items {
		if c, ok := AsClass(h.Value()); ok {
			out = append(out, c)
		}
	}
	return out
}

// derivedNew calls the __new__ of the metaclass that the bases ask for, as type() does with theirs.
func (th *Thread) derivedNew(meta *Class, parts []Value, kw *Dict) (Value, error) {
	m, _ := th.find(meta, nameNew)
	f, err := th.bindClass(m, meta)
	if err != nil {
		return Unbound, err
	}
	args := append([]Value{meta.Value()}, parts...)
	var names []*Str
	for at := 0; kw != nil; {
		k, v, next, ok := kw.Entry(at)
		if !ok {
			break
		}
		at = next
		s, _ := AsStr(k)
		names, args = append(names, s), append(args, v)
	}
	return th.call(f, args, names)
}

// NewClass is type.__new__: it makes a script class.
func (th *Thread) NewClass(meta *Class, name *Str, bases []Value, ns *Dict, kw *Dict) (Value, error) {
	c := &Class{Qualname: name.s, Layout: value.KindInstance, script: true, dict: ns.Copy()}
	c.Name, c.Inst, c.Kind = name.s, value.KindInstance, value.KindClass
	for _, b := range bases {
		bc, ok := AsClass(b)
		if !ok {
			return Unbound, th.TypeErrorf("bases must be types")
		}
		if bc.Flags&ClassFinal != 0 {
			return Unbound, th.TypeErrorf("type '%s' is not an acceptable base type", bc.FullName())
		}
		c.Bases = append(c.Bases, bc)
	}
	if len(c.Bases) == 0 {
		c.Bases = []*Class{ObjectClass}
	}
	meta, err := th.winner(meta, c.Bases)
	if err != nil {
		return Unbound, err
	}
	c.Header.Type = &meta.Type
	if err := th.layout(c); err != nil {
		return Unbound, err
	}
	if err := th.attributes(c); err != nil {
		return Unbound, err
	}
	if meta != TypeClass {
		if err := th.linearise(c); err != nil {
			return Unbound, err
		}
	}
	th.fillSlots(c)
	th.Interp.adopt(c)
	if err := th.setNames(c); err != nil {
		return Unbound, err
	}
	return c.Value(), th.initSubclass(c, kw)
}

// winner is the most derived metaclass.
func (th *Thread) winner(meta *Class, bases []*Class) (*Class, error) {
	for _, b := range bases {
		m := ClassOf(b.Value())
		if meta.IsSub(m) {
			continue
		}
		if !m.IsSub(meta) {
			return nil, th.TypeErrorf("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
		}
		meta = m
	}
	return meta, nil
}

// layout checks the bases, computes the MRO and what instances look like.
func (th *Thread) layout(c *Class) error {
	seen := map[*Class]bool{}
	for _, b := range c.Bases {
		if seen[b] {
			return th.TypeErrorf("duplicate base class %s", b.Name)
		}
		seen[b] = true
	}
	m, ok := mro(c)
	if !ok {
		return th.noMRO(c)
	}
	c.MRO = m
	c.Flags |= ClassNoDict
	c.root = &Shape{cls: c}
	for _, b := range c.Bases {
		if b.Layout != value.KindInstance && b.nslots == 0 && c.nslots > 0 {
			return th.TypeErrorf("multiple bases have instance lay-out conflict")
		}
		if b.Layout != value.KindInstance {
			if c.Layout != value.KindInstance && !sameLayout(c, b) {
				return th.TypeErrorf("multiple bases have instance lay-out conflict")
			}
			if c.Layout == value.KindInstance || b.Layout != value.KindInstance {
				c.Layout = b.Layout
			}
		}
		if b.nslots > 0 && b.nslots >= c.nslots {
			if c.nslots > 0 && b.nslots != c.nslots {
				return th.TypeErrorf("multiple bases have instance lay-out conflict")
			}
			c.root.keys, c.root.index, c.nslots = b.root.keys[:b.nslots:b.nslots], b.root.index, b.nslots
		}
		c.Flags |= b.Flags & (ClassException | ClassMeta | ClassMatchSelf)
		if b != ObjectClass && b.Flags&ClassNoDict == 0 && (b.script || b.Flags&ClassException != 0) {
			c.Flags &^= ClassNoDict
		}
		c.hint = max(c.hint, b.hint)
	}
	for _, m := range c.MRO[1:] {
		c.matchLike(m)
	}
	return nil
}

// matchLike takes over which pattern instances of m match, unless c knows already.
func (c *Class) matchLike(m *Class) {
	if c.Flags&(ClassSequence|ClassMapping) == 0 {
		c.Flags |= m.Flags & (ClassSequence | ClassMapping)
	}
}

// MatchLike makes instances of c, and of what derives from it, match the pattern
// that those of like match.
func (in *Interp) MatchLike(c, like *Class) {
	if !c.script {
		return
	}
	c.matchLike(like)
	for _, s := range in.subclasses[c] {
		in.MatchLike(s, like)
	}
}

func (th *Thread) noMRO(c *Class) error {
	var names []string
	for _, b := range c.Bases {
		names = append(names, b.Name)
	}
	return th.TypeErrorf("Cannot create a consistent method resolution\norder (MRO) for bases %s", strings.Join(names, ", "))
}

func sameLayout(c, b *Class) bool { return c.Layout == b.Layout }

// attributes completes the namespace: __slots__, __module__, __doc__, implicit
// static and class methods.
func (th *Thread) attributes(c *Class) error {
	inherited := c.Flags&ClassNoDict == 0
	s, slotted := c.dict.getStr(nameSlots)
	if slotted {
		if err := th.slotNames(c, s); err != nil {
			return err
		}
	} else {
		c.Flags &^= ClassNoDict
	}
	if v, ok := c.dict.getStr(nameQualname); ok {
		s, ok := AsStr(v)
		if !ok {
			return th.TypeErrorf("type __qualname__ must be a str, not %s", TypeName(v))
		}
		c.Qualname = s.s
		c.dict.delStr(nameQualname)
	}
	if _, ok := c.dict.getStr(nameModule); !ok {
		c.dict.putStr(nameModule, th.currentModule())
	}
	if !inherited && c.Flags&ClassNoDict == 0 {
		c.dict.putStr(nameDict, instanceDict.descriptor(c))
	}
	if !slotted && c.mayBeWeak() {
		c.dict.putStr(nameWeakref, instanceWeakref.descriptor(c))
	}
	if _, ok := c.dict.getStr(nameDoc); !ok {
		c.dict.putStr(nameDoc, None)
	}
	for _, n := range []*Str{nameInitSubclass, nameClassGetitem} {
		if f, ok := c.dict.getStr(n); ok && f.Kind() == value.KindFunc {
			c.dict.putStr(n, NewClassMethod(f))
		}
	}
	if f, ok := c.dict.getStr(nameNew); ok && f.Kind() == value.KindFunc {
		c.dict.putStr(nameNew, NewStaticMethod(f))
	}
	if _, ok := c.dict.getStr(nameEq); ok {
		if _, ok := c.dict.getStr(nameHash); !ok {
			c.dict.putStr(nameHash, None)
		}
	}
	if cell, ok := c.dict.getStr(nameClasscell); ok {
		c.dict.delStr(nameClasscell)
		if cell.Kind() != value.KindCell {
			return th.TypeErrorf("__classcell__ must be a nonlocal cell, not <class '%s'>", ClassOf(cell).FullName())
		}
		(*Cell)(cell.P).v = c.Value()
	}
	return nil
}

// instanceDict and instanceWeakref stand in the first class of a line whose
// instances have a __dict__, or may be weakly referenced.
var (
	instanceDict    = dictRow()
	instanceWeakref = Def{Sig: "__weakref__", Doc: "list of weak references to the object", Flags: DefProperty,
		Fn: func(th *Thread, a []Value) (Value, error) { return None, nil }}
)

func dictRow() Def {
	return Def{Sig: "__dict__", Doc: "dictionary for instance variables", Flags: DefProperty, Fn: objectDict, Set: setObjectDict}
}

// mayBeWeak reports that c is the first of its line to allow weak references:
// objects of one piece with their items never do.
func (c *Class) mayBeWeak() bool {
	switch c.Layout {
	case value.KindInt, value.KindBool, value.KindTuple, value.KindBytes, value.KindSet, value.KindFrozenSet, value.KindClass, value.KindModule:
		return false
	}
	_, owner := c.lookup(nameWeakref)
	return owner == nil
}

// slotNames makes the members of __slots__.
func (th *Thread) slotNames(c *Class, s Value) error {
	names := []Held{s.Held()}
	if _, ok := AsStr(s); !ok {
		var err error
		if names, err = ToSlice(th, s); err != nil {
			return err
		}
	}
	if len(names) > 0 && (c.Layout == value.KindInt || c.Layout == value.KindTuple || c.Layout == value.KindBytes) {
		return th.TypeErrorf("nonempty __slots__ not supported for subtype of '%s'", c.solidBase().Name)
	}
	made := map[string]bool{}
	for _, h := range names {
		n, ok := AsStr(h.Value())
		if !ok {
			return th.TypeErrorf("__slots__ items must be strings, not '%s'", TypeName(h.Value()))
		}
		switch n.s {
		case "__dict__":
			c.Flags &^= ClassNoDict
			continue
		case "__weakref__":
			c.dict.putStr(nameWeakref, instanceWeakref.descriptor(c))
			continue
		}
		if _, clash := c.dict.getStr(n); clash && !made[n.s] {
			return th.ValueErrorf("'%s' in __slots__ conflicts with class variable", n.s)
		}
		made[n.s] = true
		name := mangle(c.Name, n.s)
		if c.root.find(name) < 0 {
			c.root = c.root.with(name)
			c.root.cls = c
			c.nslots = len(c.root.keys)
		}
		c.dict.putStr(name, (&Member{head(MemberClass, value.KindProperty), c, name}).value())
	}
	c.root = &Shape{cls: c, keys: c.root.keys, index: c.root.index}
	c.hint = max(c.hint, c.nslots)
	return nil
}

func mangle(class, name string) *Str {
	if strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__") {
		if c := strings.TrimLeft(class, "_"); c != "" {
			return Intern("_" + c + name)
		}
	}
	return Intern(name)
}

// adopt registers a class with its bases.
func (in *Interp) adopt(c *Class) {
	c.home = in
	for _, b := range c.Bases {
		in.subclasses[b] = append(in.subclasses[b], c)
	}
}

// setNames calls __set_name__ of the descriptors in the namespace.
func (th *Thread) setNames(c *Class) error {
	ns := c.dict.Copy() // __set_name__ may add attributes to the class
	for at := 0; ; {
		k, v, next, ok := ns.Entry(at)
		if !ok {
			return nil
		}
		at = next
		if p := asProperty(v); p != nil && v.Kind() == value.KindProperty {
			p.name = k
			continue
		}
		if v.Kind() != value.KindInstance && v.Kind() != value.KindOther {
			continue
		}
		m := th.special(v, nameSetName)
		if m.IsUnbound() {
			continue
		}
		if _, err := th.callSpecial(v, m, c.Value(), k); err != nil {
			e := AsError(err)
			if e.IsFatal() {
				return err
			}
			ks, _ := Repr(th, k)
			wrap := NewException(RuntimeError, NewStr("Error calling __set_name__ on '"+TypeName(v)+"' instance "+ks+" in '"+c.Name+"'"))
			wrap.Cause, wrap.Suppress = e, true
			return wrap
		}
	}
}

// initSubclass calls super(c, c).__init_subclass__(**kw).
func (th *Thread) initSubclass(c *Class, kw *Dict) error {
	for _, m := range c.MRO[1:] {
		v, ok := m.Dict().getStr(nameInitSubclass)
		if !ok {
			continue
		}
		if m == ObjectClass {
			if kw != nil && kw.used > 0 {
				return th.TypeErrorf("%s.__init_subclass__() takes no keyword arguments", c.Name)
			}
			return nil
		}
		f, err := th.bindClass(v, c)
		if err != nil {
			return err
		}
		var args []Value
		var names []*Str
		if kw != nil {
			args, names = SplitArgs(emptyTuple.Value(), kw.Value())
		}
		_, err = th.call(f, args, names)
		return err
	}
	return nil
}

func (m *Member) value() Value { return objOf(&m.Header) }

func objOf(h *Header) Value { return value.Of(h) }
