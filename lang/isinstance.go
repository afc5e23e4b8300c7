package lang

import "github.com/tfs-lang/tfs/lang/value"

// IsInstanceOf is isinstance(v, c): classes, tuples, unions, __instancecheck__, and
// whatever has __bases__.
func (th *Thread) IsInstanceOf(v, c Value) (bool, error) {
	switch {
	case c.Kind() == value.KindClass:
		return th.isInstanceOfClass(v, c)
	case c.Kind() == value.KindTuple:
		return th.anyOf(c, " in __instancecheck__", func(one Value) (bool, error) { return th.IsInstanceOf(v, one) })
	case ClassOf(c) == UnionClass:
		return th.IsInstanceOf(v, (*Union)(c.P).Args.Value())
	}
	if m := th.special(c, nameInstancecheck); !m.IsUnbound() {
		return th.askCheck(c, m, v, " in __instancecheck__")
	}
	if ClassOf(c) == GenericAliasClass {
		return false, th.TypeErrorf("isinstance() argument 2 cannot be a parameterized generic")
	}
	if err := th.checkBases(c, "isinstance() arg 2 must be a type, a tuple of types, or a union"); err != nil {
		return false, err
	}
	k, found, err := AttrOr(th, v, "__class__")
	if err != nil || !found {
		return false, err
	}
	return th.derives(k, c)
}

func (th *Thread) isInstanceOfClass(v, c Value) (bool, error) {
	cls := (*Class)(c.P)
	of := ClassOf(v)
	if of == cls {
		return true, nil
	}
	if meta := ClassOf(c); meta != TypeClass {
		if m, owner := th.find(meta, nameInstancecheck); owner != TypeClass && !m.IsUnbound() {
			if owner.Flags&ClassNominal != 0 && of.IsSub(cls) {
				return true, nil
			}
			return th.askCheck(c, m, v, " in __instancecheck__")
		}
	}
	return th.RealInstance(v, cls)
}

// RealInstance is type.__instancecheck__: by the class of v or the one that it
// pretends to have.
func (th *Thread) RealInstance(v Value, cls *Class) (bool, error) {
	if ClassOf(v).IsSub(cls) {
		return true, nil
	}
	k, err := th.pretended(v)
	return err == nil && k != nil && k.IsSub(cls), err
}

// pretended is a class that v gives as its __class__, nil for its own.
func (th *Thread) pretended(v Value) (*Class, error) {
	if _, ok := AsInstance(v); !ok {
		return nil, nil
	}
	c := ClassOf(v)
	if _, owner := th.find(c, nameClass); owner == ObjectClass && c.Flags&ClassGetAttr == 0 {
		return nil, nil
	}
	x, err := GetAttr(th, v, nameClass)
	if err != nil {
		if Matches(err, AttributeError) {
			err = nil
		}
		return nil, err
	}
	k, _ := AsClass(x)
	return k, nil
}

// askCheck calls __instancecheck__ or __subclasscheck__.
func (th *Thread) askCheck(c, m, v Value, where string) (bool, error) {
	if err := th.enter(where); err != nil {
		return false, err
	}
	defer th.leave()
	r, err := th.callSpecial(c, m, v)
	if err != nil {
		return false, err
	}
	return Truth(th, r)
}

// anyOf asks for each item of a tuple until one says yes.
func (th *Thread) anyOf(tuple Value, where string, ask func(one Value) (bool, error)) (bool, error) {
	if err := th.enter(where); err != nil {
		return false, err
	}
	defer th.leave()
	for _, h := range (*Tuple)(tuple.P).items {
		if ok, err := ask(h.Value()); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}

// IsSubclassOf is issubclass(a, c).
func (th *Thread) IsSubclassOf(a, c Value) (bool, error) {
	switch {
	case c.Kind() == value.KindTuple:
		return th.anyOf(c, " in __subclasscheck__", func(one Value) (bool, error) { return th.IsSubclassOf(a, one) })
	case c.Kind() == value.KindClass:
		if meta := ClassOf(c); meta != TypeClass {
			if m, owner := th.find(meta, nameSubclasscheck); owner != TypeClass && !m.IsUnbound() {
				return th.askCheck(c, m, a, " in __subclasscheck__")
			}
		}
		return th.RealSubclass(a, c)
	case ClassOf(c) == UnionClass:
		return th.IsSubclassOf(a, (*Union)(c.P).Args.Value())
	}
	if m := th.special(c, nameSubclasscheck); !m.IsUnbound() {
		return th.askCheck(c, m, a, " in __subclasscheck__")
	}
	return th.RealSubclass(a, c)
}

// RealSubclass is type.__subclasscheck__: by MRO, or by what stands in __bases__.
func (th *Thread) RealSubclass(a, c Value) (bool, error) {
	ac, ok := AsClass(a)
	cc, ok2 := AsClass(c)
	if ok && ok2 {
		return ac.IsSub(cc), nil
	}
	if err := th.checkBases(a, "issubclass() arg 1 must be a class"); err != nil {
		return false, err
	}
	if err := th.checkBases(c, "issubclass() arg 2 must be a class, a tuple of classes, or a union"); err != nil {
		return false, err
	}
	return th.derives(a, c)
}

// bases are the items of v.__bases__ when that is a tuple.
func (th *Thread) bases(v Value) ([]Held, bool, error) {
	x, found, err := AttrOr(th, v, "__bases__")
	if err != nil || !found {
		return nil, false, err
	}
	t, ok := AsTuple(x)
	if !ok {
		return nil, false, nil
	}
	return t.items, true, nil
}

func (th *Thread) checkBases(v Value, text string) error {
	_, ok, err := th.bases(v)
	if err == nil && !ok {
		err = th.TypeErrorf("%s", text)
	}
	return err
}

// derives walks __bases__ from a up to c.
func (th *Thread) derives(a, c Value) (bool, error) {
	if err := th.enter(" in __issubclass__"); err != nil {
		return false, err
	}
	defer th.leave()
	for {
		if a == c {
			return true, nil
		}
		bases, ok, err := th.bases(a)
		if err != nil || !ok || len(bases) == 0 {
			return false, err
		}
		if len(bases) > 1 {
			return th.anyDerives(bases, c)
		}
		a = bases[0].Value()
	}
}

func (th *Thread) anyDerives(bases []Held, c Value) (bool, error) {
	for _, b := range bases {
		if ok, err := th.derives(b.Value(), c); err != nil || ok {
			return ok, err
		}
	}
	return false, nil
}
