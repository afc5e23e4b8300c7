package lang

import "slices"

// setBases is the store of __bases__: the class, and all that derives from it, gets
// a new MRO; when one of them can't have it everything stays as it was.
func setBases(th *Thread, o, x Value) error {
	c := (*Class)(o.P)
	bases, err := th.newBases(c, x)
	if err != nil {
		return err
	}
	old := c.Bases
	c.Bases = bases
	if err := th.relinearise(c); err != nil {
		c.Bases = old
		_ = th.relinearise(c)
		return err
	}
	subs := th.Interp.subclasses
	for _, b := range old {
		subs[b] = slices.DeleteFunc(subs[b], func(s *Class) bool { return s == c })
	}
	th.Interp.adopt(c)
	th.Interp.bumpEpoch()
	th.refillSlots(c)
	return nil
}

// newBases checks what is stored.
func (th *Thread) newBases(c *Class, x Value) ([]*Class, error) {
	switch {
	case !c.script:
		return nil, th.TypeErrorf("cannot set '__bases__' attribute of immutable type '%s'", c.Name)
	case x.IsUnbound():
		return nil, th.TypeErrorf("cannot delete '__bases__' attribute of immutable type '%s'", c.Name)
	}
	t, ok := AsTuple(x)
	if !ok {
		return nil, th.TypeErrorf("can only assign tuple to %s.__bases__, not %s", c.Name, TypeName(x))
	}
	if len(t.items) == 0 {
		return nil, th.TypeErrorf("can only assign non-empty tuple to %s.__bases__, not ()", c.Name)
	}
	var out []*Class
	for _, h := range t.items {
		b, ok := AsClass(h.Value())
		if !ok {
			return nil, th.TypeErrorf("%s.__bases__ must be tuple of classes, not '%s'", c.Name, TypeName(h.Value()))
		}
		if b.IsSub(c) {
			return nil, th.TypeErrorf("a __bases__ item causes an inheritance cycle")
		}
		if b.Flags&ClassFinal != 0 {
			return nil, th.TypeErrorf("type '%s' is not an acceptable base type", b.FullName())
		}
		out = append(out, b)
	}
	return out, th.sameObjects(c, out)
}

// sameObjects checks that instances of c look the same under its new bases.
func (th *Thread) sameObjects(c *Class, bases []*Class) error {
	for _, b := range bases {
		if b.Layout != c.Layout && b != ObjectClass && b.Layout != ObjectClass.Layout {
			return th.TypeErrorf("__bases__ assignment: '%s' deallocator differs from '%s'", b.Name, c.Bases[0].Name)
		}
	}
	had, has := slotsOf(c.Bases), slotsOf(bases)
	if c.Layout != layoutOf(bases) || had != has || dictOf(c.Bases) != dictOf(bases) {
		return th.TypeErrorf("__bases__ assignment: '%s' object layout differs from '%s'", bases[0].Name, c.Bases[0].Name)
	}
	return nil
}

func slotsOf(bases []*Class) (n int) {
	for _, b := range bases {
		n = max(n, b.nslots)
	}
	return n
}

func layoutOf(bases []*Class) Kind {
	for _, b := range bases {
		if b.Layout != ObjectClass.Layout {
			return b.Layout
		}
	}
	return ObjectClass.Layout
}

func dictOf(bases []*Class) bool {
	return slices.ContainsFunc(bases, func(b *Class) bool { return b.Flags&ClassNoDict == 0 })
}

// relinearise computes the MRO of c and of what derives from it again.
func (th *Thread) relinearise(c *Class) error {
	if err := th.linearise(c); err != nil {
		return err
	}
	for _, s := range th.Interp.subclasses[c] {
		if err := th.relinearise(s); err != nil {
			return err
		}
	}
	return nil
}

func (th *Thread) refillSlots(c *Class) {
	th.fillSlots(c)
	for _, s := range th.Interp.subclasses[c] {
		th.refillSlots(s)
	}
}

// linearise sets the MRO: the metaclass's mro() may have its own idea.
func (th *Thread) linearise(c *Class) error {
	if m, owner := th.find(ClassOf(c.Value()), nameMro); owner != TypeClass && !m.IsUnbound() {
		return th.customMRO(c, m)
	}
	m, ok := mro(c)
	if !ok {
		return th.noMRO(c)
	}
	c.MRO = m
	return nil
}

func (th *Thread) customMRO(c *Class, m Value) error {
	r, err := th.callSpecial(c.Value(), m)
	if err != nil {
		return err
	}
	items, err := ToSlice(th, r)
	if err != nil {
		return err
	}
	var out []*Class
	for _, h := range items {
		k, ok := AsClass(h.Value())
		if !ok {
			return th.TypeErrorf("mro() returned a non-class ('%s')", TypeName(h.Value()))
		}
		if k != c && !k.script && k.Layout != ObjectClass.Layout && k.Layout != c.Layout {
			return th.TypeErrorf("mro() returned base with unsuitable layout ('%s')", k.Name)
		}
		out = append(out, k)
	}
	c.MRO = out
	return nil
}
