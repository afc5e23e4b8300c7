package lang

import (
	"github.com/tfs-lang/tfs/lang/value"
)

// The names of special methods, interned once.
var (
	nameInit, nameNew, nameCall, nameDel, nameGetattr, nameGetattribute, nameSetattr, nameDelattr,
	nameRepr, nameStr, nameHash, nameBool, nameLen, nameIter, nameNext, nameGetitem, nameSetitem, nameDelitem,
	nameContains, nameIndex, nameInt, nameFloat, nameFormat, nameGet, nameSet, nameDelete, nameSetName,
	nameInitSubclass, nameClassGetitem, nameMissing, nameEnter, nameExit, nameModule, nameQualname, nameDoc,
	nameName, nameDict, nameClass, nameSlots, nameFile, namePackage, namePath, nameAll, nameAnnotations,
	nameClasscell, namePrepare, nameMatchArgs, nameReversed, nameMro, nameMroEntries, nameAbstract, nameInstancecheck,
	nameSubclasscheck, nameEq, nameLoader, nameSpec, nameBuiltins, nameUnderscore, nameWeakref *Str
	nameCompare             [6]*Str
	nameBinary, nameReflect [len(binaryName)]*Str
	nameInPlace             [len(binaryName)]*Str
	nameUnary               [len(unaryName)]*Str
	dunderSlots             map[string]func(c *Class)
)

// classDunderBinary: a script class in the MRO defines operators, or their reflected forms.
const classDunderBinary ClassFlags = 1 << 31

func internNames() {
	for p, s := range map[**Str]string{
		&nameInit: "__init__", &nameNew: "__new__", &nameCall: "__call__", &nameDel: "__del__",
		&nameGetattr: "__getattr__", &nameGetattribute: "__getattribute__", &nameSetattr: "__setattr__",
		&nameDelattr: "__delattr__", &nameRepr: "__repr__", &nameStr: "__str__", &nameHash: "__hash__",
		&nameBool: "__bool__", &nameLen: "__len__", &nameIter: "__iter__", &nameNext: "__next__",
		&nameGetitem: "__getitem__", &nameSetitem: "__setitem__", &nameDelitem: "__delitem__",
		&nameContains: "__contains__", &nameIndex: "__index__", &nameInt: "__int__", &nameFloat: "__float__",
		&nameFormat: "__format__", &nameGet: "__get__", &nameSet: "__set__", &nameDelete: "__delete__",
		&nameSetName: "__set_name__", &nameInitSubclass: "__init_subclass__", &nameClassGetitem: "__class_getitem__",
		&nameMissing: "__missing__", &nameEnter: "__enter__", &nameExit: "__exit__", &nameModule: "__module__",
		&nameQualname: "__qualname__", &nameDoc: "__doc__", &nameName: "__name__", &nameDict: "__dict__",
		&nameClass: "__class__", &nameSlots: "__slots__", &nameFile: "__file__", &namePackage: "__package__",
		&namePath: "__path__", &nameAll: "__all__", &nameAnnotations: "__annotations__",
		&nameClasscell: "__classcell__", &namePrepare: "__prepare__", &nameMatchArgs: "__match_args__",
		&nameReversed: "__reversed__", &nameMro: "mro", &nameMroEntries: "__mro_entries__",
		&nameAbstract: "__isabstractmethod__", &nameInstancecheck: "__instancecheck__",
		&nameSubclasscheck: "__subclasscheck__", &nameEq: "__eq__", &nameLoader: "__loader__", &nameSpec: "__spec__",
		&nameBuiltins: "__builtins__", &nameUnderscore: "_", &nameWeakref: "__weakref__",
	} {
		*p = Intern(s)
	}
	for i, s := range compareName {
		nameCompare[i] = Intern(s)
	}
	for i, s := range binaryName {
		nameBinary[i], nameReflect[i], nameInPlace[i] = Intern("__"+s+"__"), Intern("__r"+s+"__"), Intern("__i"+s+"__")
	}
	for i, s := range unaryName {
		nameUnary[i] = Intern(s)
	}
}

// makeDunderSlots says which slots the methods of a script class set.
func makeDunderSlots() {
	dunderSlots = map[string]func(c *Class){
		"__repr__":    func(c *Class) { c.Repr = func(th *Thread, v Value) (Value, error) { return th.dunder(v, nameRepr) } },
		"__str__":     func(c *Class) { c.Str = func(th *Thread, v Value) (Value, error) { return th.dunder(v, nameStr) } },
		"__hash__":    func(c *Class) { c.Hash = dunderHash },
		"__bool__":    func(c *Class) { c.Truth = dunderTruth },
		"__len__":     func(c *Class) { c.Len = dunderLen },
		"__iter__":    func(c *Class) { c.Iter = dunderIter },
		"__next__":    func(c *Class) { c.Next = dunderNext },
		"__getitem__": func(c *Class) { c.GetItem = dunderGetItem },
		"__setitem__": func(c *Class) { c.SetItem = dunderSetItem },
		"__delitem__": func(c *Class) { c.DelItem = dunderDelItem },
		"__contains__": func(c *Class) {
			c.Contains = dunderContains
		},
		"__getattr__":      func(c *Class) { c.GetAttr, c.Flags = dunderGetAttr, c.Flags|ClassGetAttr },
		"__getattribute__": func(c *Class) { c.GetAttr, c.Flags = dunderGetAttr, c.Flags|ClassGetAttr },
		"__setattr__":      func(c *Class) { c.SetAttr, c.Flags = dunderSetAttr, c.Flags|ClassSetAttr },
		"__delattr__":      func(c *Class) { c.SetAttr, c.Flags = dunderSetAttr, c.Flags|ClassSetAttr },
		"__call__":         func(c *Class) { c.Call = dunderCall },
		"__index__": func(c *Class) {
			c.Index = func(th *Thread, v Value) (Value, error) { return th.dunder(v, nameIndex) }
		},
		"__int__":    func(c *Class) { c.Int = func(th *Thread, v Value) (Value, error) { return th.dunder(v, nameInt) } },
		"__float__":  func(c *Class) { c.Float = dunderFloat },
		"__format__": func(c *Class) { c.Format = dunderFormat },
		"__new__":    func(c *Class) { c.Flags |= ClassDunderNew },
		"__del__":    func(c *Class) { c.Flags, c.Finalize = c.Flags|ClassFinalizer, dunderDel },
		"__get__":    func(c *Class) { c.DescrGet = dunderDescrGet },
		"__set__":    func(c *Class) { c.DescrSet = dunderDescrSet },
		"__delete__": func(c *Class) { c.DescrSet = dunderDescrSet },
	}
	for _, s := range compareName {
		dunderSlots[s] = func(c *Class) { c.Compare = dunderCompare }
	}
	for i, s := range binaryName {
		set := func(c *Class) { c.Flags |= classDunderBinary }
		dunderSlots["__"+s+"__"], dunderSlots["__r"+s+"__"] = set, set
		if BinaryOp(i) != OpDivmod {
			dunderSlots["__i"+s+"__"] = func(c *Class) { c.InPlace = dunderInPlace }
		}
	}
	for _, s := range unaryName {
		if s != "" {
			dunderSlots[s] = func(c *Class) { c.Unary = dunderUnary }
		}
	}
}

// dunder calls a special method without arguments.
func (th *Thread) dunder(v Value, name *Str, args ...Value) (Value, error) {
	m := th.special(v, name)
	if m.IsUnbound() {
		return Unbound, NoAttribute(th, v, name.s)
	}
	return th.callSpecial(v, m, args...)
}

func dunderHash(th *Thread, v Value) (int64, error) {
	m := th.special(v, nameHash)
	if m.IsNone() {
		return 0, th.TypeErrorf("unhashable type: '%s'", TypeName(v))
	}
	r, err := th.callSpecial(v, m)
	if err != nil {
		return 0, err
	}
	if !IsIntValue(r) {
		return 0, th.TypeErrorf("__hash__ method should return an integer")
	}
	if i, ok := AsInt(r); ok {
		return notMinusOne(i), nil
	}
	b, _ := AsBig(r)
	return HashBig(b), nil
}

func dunderTruth(th *Thread, v Value) (bool, error) {
	r, err := th.dunder(v, nameBool)
	if err != nil {
		return false, err
	}
	if !r.IsBool() {
		return false, th.TypeErrorf("__bool__ should return bool, returned %s", TypeName(r))
	}
	return r.Truth(), nil
}

func dunderLen(th *Thread, v Value) (int, error) {
	r, err := th.dunder(v, nameLen)
	if err != nil {
		return 0, err
	}
	return lenResult(th, r)
}

func lenResult(th *Thread, r Value) (int, error) {
	n, err := IndexInt(th, r, OverflowError)
	if err == nil && n < 0 {
		err = th.ValueErrorf("__len__() should return >= 0")
	}
	return n, err
}

func dunderIter(th *Thread, v Value) (Value, error) {
	m := th.special(v, nameIter)
	if m.IsNone() {
		return Unbound, th.TypeErrorf("'%s' object is not iterable", TypeName(v))
	}
	return th.callSpecial(v, m)
}

func dunderNext(th *Thread, v Value) (Value, bool, error) {
	r, err := th.dunder(v, nameNext)
	if err != nil {
		return Unbound, false, th.stopIteration(err)
	}
	return r, true, nil
}

// stopIteration turns a StopIteration into the end of an iterator: nil, with its
// value in th.StopValue.
func (th *Thread) stopIteration(err error) error {
	if !Matches(err, StopIteration) {
		return err
	}
	th.StopValue = None
	if a := err.(*Exception).Args; len(a.items) > 0 {
		th.StopValue = a.At(0)
	}
	return nil
}

func dunderGetItem(th *Thread, v, key Value) (Value, error) { return th.dunder(v, nameGetitem, key) }

func dunderSetItem(th *Thread, v, key, x Value) error {
	m := th.special(v, nameSetitem)
	if m.IsUnbound() {
		return th.TypeErrorf("'%s' object does not support item assignment", TypeName(v))
	}
	_, err := th.callSpecial(v, m, key, x)
	return err
}

func dunderDelItem(th *Thread, v, key Value) error {
	_, err := th.dunder(v, nameDelitem, key)
	return err
}

func dunderContains(th *Thread, v, x Value) (bool, error) {
	m := th.special(v, nameContains)
	if m.IsNone() {
		return false, th.TypeErrorf("'%s' object is not a container", TypeName(v))
	}
	r, err := th.callSpecial(v, m, x)
	if err != nil {
		return false, err
	}
	return Truth(th, r)
}

// dunderGetAttr runs __getattribute__, if a script defines it, then __getattr__.
func dunderGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	var x Value
	var err error
	if m := th.special(v, nameGetattribute); m.Kind() == value.KindFunc {
		x, err = th.callSpecial(v, m, name.Value())
	} else if x, err = th.baseGetAttr(v, name); err == nil && x.IsUnbound() {
		err = NoAttribute(th, v, name.s)
	}
	if err != nil && Matches(err, AttributeError) {
		if m := th.special(v, nameGetattr); !m.IsUnbound() {
			return th.callSpecial(v, m, name.Value())
		}
	}
	return x, err
}

// baseGetAttr is the look-up of the built-in class that v's class derives from.
func (th *Thread) baseGetAttr(v Value, name *Str) (Value, error) {
	for _, m := range ClassOf(v).MRO {
		if !m.script && m.GetAttr != nil {
			return m.GetAttr(th, v, name)
		}
	}
	return genericGet(th, v, name)
}

func dunderSetAttr(th *Thread, v Value, name *Str, x Value) error {
	method := nameSetattr
	if x.IsUnbound() {
		method = nameDelattr
	}
	m := th.special(v, method)
	if n, ok := AsNative(m); ok && n.Name == method || m.IsUnbound() {
		for _, c := range ClassOf(v).MRO {
			if !c.script && c.SetAttr != nil {
				return c.SetAttr(th, v, name, x)
			}
		}
		return GenericSetAttr(th, v, name, x)
	}
	var err error
	if x.IsUnbound() {
		_, err = th.callSpecial(v, m, name.Value())
	} else {
		_, err = th.callSpecial(v, m, name.Value(), x)
	}
	return err
}

func dunderCall(th *Thread, v Value, args []Value, names []*Str) (Value, error) {
	m := th.special(v, nameCall)
	switch m.Kind() {
	case value.KindFunc, value.KindNative:
		return th.callWith(m, v, args, names)
	case value.KindUnbound:
		return Unbound, th.TypeErrorf("'%s' object is not callable", TypeName(v))
	}
	f, err := th.bind(m, v, ClassOf(v))
	if err != nil {
		return Unbound, err
	}
	return th.call(f, args, names)
}

func dunderFloat(th *Thread, v Value) (float64, error) {
	r, err := th.dunder(v, nameFloat)
	if err != nil {
		return 0, err
	}
	if !IsFloatValue(r) {
		return 0, th.TypeErrorf("%s.__float__ returned non-float (type %s)", TypeName(v), TypeName(r))
	}
	if ClassOf(r) != FloatClass {
		th.deprecatedSubclass(TypeName(v)+".__float__", r, "float")
	}
	f, _ := AsFloat(r)
	return f, nil
}

func dunderFormat(th *Thread, v Value, spec string) (string, error) {
	r, err := th.dunder(v, nameFormat, NewStr(spec))
	if err != nil {
		return "", err
	}
	s, ok := AsStr(r)
	if !ok {
		return "", th.TypeErrorf("__format__ must return a str, not %s", TypeName(r))
	}
	return s.s, nil
}

func dunderDel(th *Thread, v Value) {
	if m := th.special(v, nameDel); !m.IsUnbound() {
		if _, err := th.callSpecial(v, m); err != nil {
			th.Unraisable(err, m)
		}
	}
}

func dunderDescrGet(th *Thread, d, o Value, c *Class) (Value, error) {
	if o.IsUnbound() {
		o = None
	}
	owner := None
	if c != nil {
		owner = c.Value()
	}
	return th.dunder(d, nameGet, o, owner)
}

func dunderDescrSet(th *Thread, d, o, x Value) error {
	if x.IsUnbound() {
		m := th.special(d, nameDelete)
		if m.IsUnbound() {
			return th.Raise(AttributeError, "__delete__")
		}
		_, err := th.callSpecial(d, m, o)
		return err
	}
	m := th.special(d, nameSet)
	if m.IsUnbound() {
		return th.Raise(AttributeError, "__set__")
	}
	_, err := th.callSpecial(d, m, o, x)
	return err
}

// dunderCompare runs a's method; a built-in base's comparison otherwise.
func dunderCompare(th *Thread, op CompareOp, a, b Value) (Value, error) {
	m := th.special(a, nameCompare[op])
	if m.IsUnbound() && op == NE {
		return dunderNotEqual(th, a, b)
	}
	if m.Kind() == value.KindNative && op == NE {
		if e := th.special(a, nameEq); e.Kind() != value.KindNative && ClassOf(a).script {
			return dunderNotEqual(th, a, b)
		}
	}
	if m.IsUnbound() {
		return NotImplemented, nil
	}
	return th.callSpecial(a, m, b)
}

// dunderNotEqual is the fallback of != on ==.
func dunderNotEqual(th *Thread, a, b Value) (Value, error) {
	m := th.special(a, nameEq)
	if m.IsUnbound() {
		return NotImplemented, nil
	}
	r, err := th.callSpecial(a, m, b)
	if err != nil || r.IsNotImplemented() {
		return r, err
	}
	t, err := Truth(th, r)
	return Bool(!t), err
}

// dunderBinary is the binary operation when an operand's class defines operators.
func (th *Thread) dunderBinary(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	ca, cb := ClassOf(a), ClassOf(b)
	right := th.rightOperand(op, ca, cb)
	if right == 2 { // b's reflected method comes first
		r, err := th.oneOperand(op, a, b, nameReflect[op], true, dying)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
		right = 0
	}
	r, err := th.oneOperand(op, a, b, nameBinary[op], false, dying)
	if err != nil || !r.IsNotImplemented() || right == 0 {
		return r, err
	}
	return th.oneOperand(op, a, b, nameReflect[op], true, dying)
}

// rightOperand: 0 never ask b, 1 ask it last, 2 ask it first.
func (th *Thread) rightOperand(op BinaryOp, ca, cb *Class) int {
	if ca == cb {
		return 0
	}
	if cb.IsSub(ca) {
		rb, owner := th.find(cb, nameReflect[op])
		if !rb.IsUnbound() && owner != nil {
			if ra, _ := th.find(ca, nameReflect[op]); ra != rb {
				return 2
			}
		} else if cb.Flags&classDunderBinary == 0 {
			return 2
		}
	}
	return 1
}

// oneOperand asks the left or the right operand's class.
func (th *Thread) oneOperand(op BinaryOp, a, b Value, name *Str, reflected bool, dying uint8) (Value, error) {
	self, other := a, b
	if reflected {
		self, other = b, a
	}
	c := ClassOf(self)
	if c.Flags&classDunderBinary == 0 {
		if c.Binary == nil {
			return NotImplemented, nil
		}
		return c.Binary(th, op, a, b, dying)
	}
	m, _ := th.find(c, name)
	switch m.Kind() {
	case value.KindUnbound:
		return NotImplemented, nil
	case value.KindNative:
		if c.Binary != nil && (*NativeFunc)(m.P).Class != nil && !(*NativeFunc)(m.P).Class.script {
			return c.Binary(th, op, a, b, dying)
		}
	}
	return th.callSpecial(self, m, other)
}

func dunderInPlace(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	m := th.special(a, nameInPlace[op])
	if m.IsUnbound() {
		return NotImplemented, nil
	}
	return th.callSpecial(a, m, b)
}

func dunderUnary(th *Thread, op UnaryOp, v Value) (Value, error) {
	m := th.special(v, nameUnary[op])
	if m.IsUnbound() {
		return NotImplemented, nil
	}
	return th.callSpecial(v, m)
}

// updateSlots sets the slots of a class after a special method came or went, in
// its subclasses too.
func (th *Thread) updateSlots(c *Class, name string) {
	if dunderSlots[name] == nil && name != "__hash__" && name != "__eq__" {
		return
	}
	th.fillSlots(c)
	for _, s := range th.Interp.subclasses[c] {
		th.updateSlots(s, name)
	}
}

// fillSlots computes all slots of a script class from its MRO.
func (th *Thread) fillSlots(c *Class) {
	c.Slots = Slots{}
	c.Flags &^= ClassDunderNew | ClassGetAttr | ClassSetAttr | ClassFinalizer | classDunderBinary | ClassUnhashable
	for i := len(c.MRO) - 1; i >= 0; i-- {
		m := c.MRO[i]
		if m.script {
			for name, set := range dunderSlots {
				v, ok := m.dict.GetStr(name)
				if ok {
					set(c) // also for None: calling that is the error
				}
				if ok && v.IsNone() && name == "__hash__" {
					c.Flags |= ClassUnhashable
				}
			}
			continue
		}
		s := m.Slots
		s.inherit(&c.Slots)
		c.Slots = s
		c.Flags = c.Flags&^ClassUnhashable | m.Flags&ClassUnhashable
	}
	if v, owner := c.lookup(nameHash); owner != nil && owner.script {
		c.Flags &^= ClassUnhashable
		if v.IsNone() {
			c.Flags |= ClassUnhashable
		}
	}
}
