package lang

import (
	"sort"
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

// objectRows are the methods of object.
func objectRows() []Def {
	return []Def{
		{Sig: "__new__(cls, /, *args, **kwargs)", Fn: objectNew, Flags: DefStatic},
		{Sig: "__init__(self, /, *args, **kwargs)", Fn: objectInit},
		{Sig: "__repr__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return NewStr(DefaultRepr(a[0])), nil }},
		{Sig: "__str__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			s, err := ReprValue(th, a[0])
			if err != nil {
				return Unbound, err
			}
			return s.Value(), nil
		}},
		{Sig: "__hash__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return Int(HashIdentity(a[0])), nil }},
		{Sig: "__eq__(self, value, /)", Fn: objectEq},
		{Sig: "__ne__(self, value, /)", Fn: objectNe},
		{Sig: "__lt__(self, value, /)", Fn: notImplemented},
		{Sig: "__le__(self, value, /)", Fn: notImplemented},
		{Sig: "__gt__(self, value, /)", Fn: notImplemented},
		{Sig: "__ge__(self, value, /)", Fn: notImplemented},
		{Sig: "__getattribute__(self, name, /)", Fn: objectGetattribute},
		{Sig: "__setattr__(self, name, value, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return None, objectSetAttr(th, "__setattr__", a[0], a[1], a[2])
		}},
		{Sig: "__delattr__(self, name, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			return None, objectSetAttr(th, "__delattr__", a[0], a[1], Unbound)
		}},
		{Sig: "__format__(self, format_spec, /)", Fn: objectFormat},
		{Sig: "__dir__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			names := DirNames(th, a[0])
			l := MakeList(len(names))
			for _, n := range names {
				l.Append(NewStr(n))
			}
			return l.Value(), nil
		}},
		{Sig: "__init_subclass__(cls, /, **kwargs)", Fn: objectInitSubclass, Flags: DefClassMethod},
		{Sig: "__subclasshook__(cls, C, /)", Fn: notImplemented, Flags: DefClassMethod},
		{Sig: "__sizeof__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return Int(16), nil }},
		{Sig: "__reduce_ex__(self, protocol, /)", Fn: fromCopyreg("_object_reduce_ex")},
		{Sig: "__reduce__(self, /)", Fn: fromCopyreg("_object_reduce")},
		{Sig: "__getstate__(self, /)", Fn: fromCopyreg("_object_getstate")},
		{Sig: "__class__", Fn: func(th *Thread, a []Value) (Value, error) { return ClassOf(a[0]).Value(), nil }, Set: setClass, Flags: DefProperty},
		{Sig: "__dict__", Fn: objectDict, Set: setObjectDict, Flags: DefProperty},
	}
}

// fromCopyreg is a method that the module copyreg has in script.
func fromCopyreg(name string) Native {
	return func(th *Thread, a []Value) (Value, error) {
		m, err := th.Import("copyreg")
		if err != nil {
			return Unbound, err
		}
		return th.CallMethod(m, name, a...)
	}
}

func notImplemented(th *Thread, a []Value) (Value, error) { return NotImplemented, nil }

// objectSetAttr stores or deletes an attribute of an instance; a class has its own way, which must not be passed by.
func objectSetAttr(th *Thread, method string, v, name, x Value) error {
	n, err := attrName(th, name)
	if err != nil {
		return err
	}
	if _, isClass := AsClass(v); isClass {
		return th.TypeErrorf("can't apply this %s to %s object", method, TypeName(v))
	}
	return GenericSetAttr(th, v, n, x)
}

func attrName(th *Thread, v Value) (*Str, error) {
	s, ok := AsStr(v)
	if !ok {
		return nil, th.TypeErrorf("attribute name must be string, not '%s'", TypeName(v))
	}
	return s.intern(), nil
}

func objectNew(th *Thread, a []Value) (Value, error) {
	c, ok := AsClass(a[0])
	if !ok {
		return Unbound, th.TypeErrorf("object.__new__(X): X is not a type object (%s)", TypeName(a[0]))
	}
	args, kw := (*Tuple)(a[1].P), (*Dict)(a[2].P)
	if len(args.items)+kw.Len() > 0 {
		if c.Flags&ClassDunderNew != 0 {
			return Unbound, th.TypeErrorf("object.__new__() takes exactly one argument (the type to instantiate)")
		}
		if !th.hasInit(c) {
			return Unbound, th.TypeErrorf("%s() takes no arguments", c.Name)
		}
	}
	for _, m := range c.MRO {
		if !m.script {
			if m != ObjectClass && (m.New != nil || m.Flags&ClassException != 0) {
				return Unbound, th.TypeErrorf("object.__new__(%s) is not safe, use %s.__new__()", c.Name, m.Name)
			}
			break
		}
	}
	if c.Flags&ClassAbstract != 0 {
		if err := abstractError(th, c); err != nil {
			return Unbound, err
		}
	}
	return newInstance(c).Value(), nil
}

func objectInit(th *Thread, a []Value) (Value, error) {
	args, kw := (*Tuple)(a[1].P), (*Dict)(a[2].P)
	if len(args.items)+kw.Len() == 0 {
		return None, nil
	}
	c := ClassOf(a[0])
	if th.hasInit(c) {
		return Unbound, th.TypeErrorf("object.__init__() takes exactly one argument (the instance to initialize)")
	}
	if c.Flags&ClassDunderNew == 0 && c.New == nil {
		return Unbound, th.TypeErrorf("%s.__init__() takes exactly one argument (the instance to initialize)", c.Name)
	}
	return None, nil
}

func objectInitSubclass(th *Thread, a []Value) (Value, error) {
	if kw, ok := AsDict(a[1]); ok && kw.used > 0 {
		c, _ := AsClass(a[0])
		return Unbound, th.TypeErrorf("%s.__init_subclass__() takes no keyword arguments", c.Name)
	}
	return None, nil
}

func objectEq(th *Thread, a []Value) (Value, error) {
	if a[0] == a[1] {
		return True, nil
	}
	return NotImplemented, nil
}

func objectNe(th *Thread, a []Value) (Value, error) {
	r, err := dunderNotEqual(th, a[0], a[1])
	return r, err
}

func objectGetattribute(th *Thread, a []Value) (Value, error) {
	name, err := attrName(th, a[1])
	if err != nil {
		return Unbound, err
	}
	for _, m := range ClassOf(a[0]).MRO {
		if !m.script && m.GetAttr != nil {
			return m.GetAttr(th, a[0], name)
		}
	}
	return GenericGetAttr(th, a[0], name)
}

func objectFormat(th *Thread, a []Value) (Value, error) {
	if s, ok := AsStr(a[1]); !ok || s.s != "" {
		return Unbound, th.TypeErrorf("unsupported format string passed to %s.__format__", TypeName(a[0]))
	}
	s, err := StrValue(th, a[0])
	if err != nil {
		return Unbound, err
	}
	return s.Value(), nil
}

func setClass(th *Thread, o, x Value) error {
	c, ok := AsClass(x)
	if !ok {
		return th.TypeErrorf("__class__ must be set to a class, not '%s' object", TypeName(x))
	}
	in, ok := AsInstance(o)
	if !ok || !c.script || !in.Class().script || in.Class().nslots != c.nslots {
		return th.TypeErrorf("__class__ assignment only supported for mutable types or ModuleType subclasses")
	}
	in.Dict() // attributes go to the dict: shapes belong to one class
	if c.dicted == nil {
		c.dicted = &Shape{cls: c, keys: c.root.keys, index: c.root.index, dict: true}
	}
	in.Type, in.shape = &c.Type, c.dicted
	return nil
}

func objectDict(th *Thread, a []Value) (Value, error) {
	switch v := a[0]; v.Kind() {
	case value.KindInstance, value.KindException:
		if in := (*Instance)(v.P); in.HasDict() {
			return in.Dict().Value(), nil
		}
	case value.KindFunc, value.KindProperty:
		if own := ownDict(v); own != nil {
			if *own == nil {
				*own = newDict()
			}
			return (*own).Value(), nil
		}
	case value.KindModule:
		(*Module)(v.P).Complete()
		return (*Module)(v.P).dict.Value(), nil
	case value.KindClass:
		return NewMappingProxy((*Class)(v.P).Dict()), nil
	}
	return Unbound, NoAttribute(th, a[0], "__dict__")
}

func setObjectDict(th *Thread, o, x Value) error {
	if x.IsUnbound() && o.Kind() == value.KindFunc {
		return th.TypeErrorf("cannot delete __dict__")
	}
	if x.IsUnbound() {
		x = newDict().Value()
	}
	d, ok := AsDict(x)
	if !ok {
		return th.TypeErrorf("__dict__ must be set to a dictionary, not a '%s'", TypeName(x))
	}
	switch o.Kind() {
	case value.KindInstance, value.KindException:
		if in := (*Instance)(o.P); in.HasDict() {
			in.Dict()
			in.setDict(d)
			return nil
		}
	case value.KindFunc, value.KindProperty:
		if own := ownDict(o); own != nil {
			*own = d
			return nil
		}
	}
	return NoAttribute(th, o, "__dict__")
}

// DirNames are the names that dir(v) lists, sorted.
func DirNames(th *Thread, v Value) []string {
	set := map[string]bool{}
	addDict := func(d *Dict) {
		for at := 0; ; {
			k, _, next, ok := d.Entry(at)
			if !ok {
				return
			}
			if s, ok := AsStr(k); ok {
				set[s.s] = true
			}
			at = next
		}
	}
	c := ClassOf(v)
	switch v.Kind() {
	case value.KindModule:
		m := (*Module)(asKind(v, value.KindModule))
		m.Complete()
		addDict(m.dict)
		if m.def != nil && m.def.Dir != nil {
			for _, n := range m.def.Dir() {
				set[n] = true
			}
		}
		return sortedNames(set)
	case value.KindClass:
		c = (*Class)(v.P)
	default:
		if in, ok := AsInstance(v); ok {
			for _, n := range in.AttrNames() {
				set[n.s] = true
			}
		}
		if b, ok := AsBound(v); ok {
			addDict(FuncClass.Dict())
			v = b.Fn
		}
		if own := ownDict(v); own != nil && *own != nil {
			addDict(*own)
		}
	}
	for _, m := range c.MRO {
		addDict(m.Dict())
	}
	if _, owner := c.lookup(nameDict); owner == ObjectClass {
		delete(set, "__dict__")
	}
	return sortedNames(set)
}

func sortedNames(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for n := range set {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// slotWrappers puts the special methods of a built-in class's slots into its
// dict: what list.__len__ and super().__getitem__ find. They are made from the
// slots, and so are found again by class and name.
func slotWrappers(c *Class, d *Dict) {
	if c == ObjectClass {
		return
	}
	var base *Class // of a derived built-in class: it has what the two share
	if len(c.MRO) > 1 && c.MRO[1] != ObjectClass && c != BoolClass && c.Flags&ClassException == 0 {
		base = c.MRO[1]
	}
	for _, w := range wrappers {
		if fn := w.make(c); fn != nil && (base == nil || w.make(base) == nil ||
			w.sig == wrapInitSig && c.Init != base.Init || w.sig == wrapNewSig && c.New != base.New) {
			def := &Def{Sig: w.sig, Fn: checkedSelf(w.sig, c, fn)}
			f := &NativeFunc{Header: head(WrapperDescrClass, value.KindNative), Def: def, Class: c, Name: Intern(def.name()), Mod: Unbound}
			d.putStr(f.Name, f.Value())
		}
	}
	if c.Flags&ClassUnhashable != 0 {
		d.putStr(nameHash, None)
	}
}

// The wrappers of construction: a derived class may have its own beside its base's.
const (
	wrapNewSig  = "__new__(cls, /, *args, **kwargs)"
	wrapInitSig = "__init__(self, /, *args, **kwargs)"
)

type wrapper struct {
	sig  string
	make func(c *Class) Native
}

var wrappers []wrapper

func unaryWrapper(sig string, get func(*Class) func(*Thread, Value) (Value, error)) wrapper {
	return wrapper{sig, func(c *Class) Native {
		f := get(c)
		if f == nil {
			return nil
		}
		return func(th *Thread, a []Value) (Value, error) { return f(th, a[0]) }
	}}
}

// checkedSelf refuses objects of another class: int.__add__("a", 1).
func checkedSelf(sig string, c *Class, fn Native) Native {
	if strings.HasPrefix(sig, "__new__") {
		return fn
	}
	return func(th *Thread, a []Value) (Value, error) {
		if !ClassOf(a[0]).IsSub(c) {
			return Unbound, wrongSelf(th, sig, c, a[0])
		}
		return fn(th, a)
	}
}

func wrongSelf(th *Thread, sig string, c *Class, v Value) error {
	d := Def{Sig: sig}
	return th.TypeErrorf("descriptor '%s' requires a '%s' object but received a '%s'", d.name(), c.Name, TypeName(v))
}

func init() {
	wrappers = []wrapper{
		unaryWrapper("__repr__(self, /)", func(c *Class) func(*Thread, Value) (Value, error) { return c.Repr }),
		unaryWrapper("__str__(self, /)", func(c *Class) func(*Thread, Value) (Value, error) { return c.Str }),
		unaryWrapper("__iter__(self, /)", func(c *Class) func(*Thread, Value) (Value, error) { return c.Iter }),
		unaryWrapper("__index__(self, /)", func(c *Class) func(*Thread, Value) (Value, error) { return c.Index }),
		unaryWrapper("__int__(self, /)", func(c *Class) func(*Thread, Value) (Value, error) { return c.Int }),
		{"__hash__(self, /)", wrapHash}, {"__len__(self, /)", wrapLen}, {"__bool__(self, /)", wrapTruth}, {"__next__(self, /)", wrapNext},
		{"__getitem__(self, key, /)", wrapGetItem}, {"__setitem__(self, key, value, /)", wrapSetItem},
		{"__delitem__(self, key, /)", wrapDelItem}, {"__contains__(self, key, /)", wrapContains},
		{"__call__(self, /, *args, **kwargs)", wrapCall}, {wrapNewSig, nil}, {wrapInitSig, wrapInit},
		{"__getattribute__(self, name, /)", wrapGetAttr}, {"__setattr__(self, name, value, /)", wrapSetAttr},
		{"__delattr__(self, name, /)", wrapDelAttr},
		{"__get__(self, instance, owner=None, /)", wrapDescrGet}, {"__set__(self, instance, value, /)", wrapDescrSet}, {"__delete__(self, instance, /)", wrapDescrDel},
		{"__format__(self, format_spec, /)", wrapFormat}, {"__float__(self, /)", wrapFloat},
	}
	wrappers[14].make = wrapNew
	for i, s := range compareName {
		wrappers = append(wrappers, wrapCompare(CompareOp(i), s))
	}
	for i, s := range binaryName {
		wrappers = append(wrappers, wrapBinary(BinaryOp(i), "__"+s+"__", false), wrapBinary(BinaryOp(i), "__r"+s+"__", true), wrapInPlace(BinaryOp(i), s))
	}
	for i, s := range unaryName {
		if s != "" {
			wrappers = append(wrappers, wrapUnary(UnaryOp(i), s))
		}
	}
}
