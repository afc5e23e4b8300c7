package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// opMakeFunc makes a function; its closure is taken from the running frame.
func opMakeFunc(ci *Frame, in *Instr) (Value, error) {
	l := ci.code.sub(int(in.K))
	f := newFunc(l)
	at := in.B
	if in.C&1 != 0 {
		f.Defaults = (*Tuple)(ci.slot(at).P).items
		at += 16
	}
	if in.C&2 != 0 {
		f.KwDef = (*Dict)(ci.slot(at).P)
		at += 16
	}
	if in.C&4 != 0 {
		f.Annot = *ci.slot(at)
	}
	if free := l.code.Free; len(free) > 0 {
		f.free = make([]*Cell, len(free))
		for i := range free {
			if free[i].FromCell {
				f.free[i] = (*Cell)(ci.slot(uint16(free[i].Index * int(vsz))).P)
			} else {
				f.free[i] = ci.fn.free[free[i].Index]
			}
		}
	}
	return f.Value(), nil
}

// opBuildClass runs a class body and calls the metaclass.
func opBuildClass(ci *Frame, in *Instr) (Value, error) {
	th := ci.th
	body := (*Func)(ci.slot(in.B).P)
	name, _ := AsStr(*ci.slot(in.B + 16))
	var bases []Value
	kw := newDict()
	if in.C == code.NoSlot {
		items, _ := Sequence(*ci.slot(in.B + 32))
		bases = Values(items)
		if d, ok := AsDict(*ci.slot(in.B + 48)); ok {
			kw = d.Copy()
		}
	} else {
		vs := unsafe.Slice(ci.slot(in.B), 2+int(in.C)+16)
		bases = append(bases, vs[2:2+in.C]...)
		if in.K > 0 {
			for i, k := range ci.code.kwNames(int(in.K - 1)) {
				kw.putStr(k, *ci.slot(in.B + 16*(2+in.C+uint16(i))))
			}
		}
	}
	return th.buildClass(body, name, bases, kw)
}

// BuildClass is what a class statement does once its bases and keywords are there.
func (th *Thread) buildClass(body *Func, name *Str, given []Value, kw *Dict) (Value, error) {
	bases, err := th.resolveBases(given)
	if err != nil {
		return Unbound, err
	}
	meta, err := th.metaclass(bases, kw)
	if err != nil {
		return Unbound, err
	}
	ns, err := th.prepare(meta, name, bases, kw)
	if err != nil {
		return Unbound, err
	}
	if !sameBases(bases, given) {
		if err := SetItem(th, ns, Intern("__orig_bases__").Value(), NewTuple(given...)); err != nil {
			return Unbound, err
		}
	}
	cell, err := th.runBody(body, ns)
	if err != nil {
		return Unbound, err
	}
	args := []Value{name.Value(), NewTuple(bases...), ns}
	var names []*Str
	more, names := SplitArgs(emptyTuple.Value(), kw.Value())
	c, err := th.call(meta, append(args, more...), names)
	if err != nil {
		return Unbound, err
	}
	if k := cellOf(cell); k != nil && c.Kind() == value.KindClass {
		return c, th.checkCell(k, name, c)
	}
	return c, nil
}

// checkCell sees to it that the metaclass filled the cell that methods know as __class__.
func (th *Thread) checkCell(cell *Cell, name *Str, c Value) error {
	if cell.v == c {
		return nil
	}
	class, err := Repr(th, c)
	if err != nil {
		return err
	}
	if cell.v.IsUnbound() {
		return th.Raise(RuntimeError, "__class__ not set defining '%s' as %s. Was __classcell__ propagated to type.__new__?", name.s, class)
	}
	is, err := Repr(th, cell.v)
	if err != nil {
		return err
	}
	return th.TypeErrorf("__class__ set to %s defining '%s' as %s", is, name.s, class)
}

// runBody runs a class body in its namespace; the result is the cell __class__ or None.
func (th *Thread) runBody(body *Func, ns Value) (Value, error) {
	body.code.link()
	if err := th.enterRun(); err != nil {
		return Unbound, err
	}
	host := th.cur
	err := th.enterFunc(host, body, nil, nil, ns)
	if err == nil {
		err = th.execute(host.next, body.code.entry)
	}
	th.cur = host
	th.nested--
	r := th.ret
	th.ret = Value{}
	return r, err
}

// resolveBases calls __mro_entries__ of bases that are no classes.
func (th *Thread) resolveBases(given []Value) ([]Value, error) {
	var out []Value
	for i, b := range given {
		if b.Kind() == value.KindClass {
			if out != nil {
				out = append(out, b)
			}
			continue
		}
		if out == nil {
			out = append([]Value{}, given[:i]...)
		}
		if a, ok := b, ClassOf(b) == GenericAliasClass; ok {
			out = append(out, (*GenericAlias)(a.P).Origin)
			continue
		}
		f, found, err := AttrOr(th, b, "__mro_entries__")
		if err != nil {
			return nil, err
		}
		if !found {
			out = append(out, b)
			continue
		}
		r, err := th.call(f, []Value{NewTuple(given...)}, nil)
		if err != nil {
			return nil, err
		}
		t, ok := AsTuple(r)
		if !ok {
			return nil, th.TypeErrorf("__mro_entries__ must return a tuple")
		}
		out = append(out, Values(t.items)...)
	}
	if out == nil {
		return given, nil
	}
	return out, nil
}

func sameBases(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// metaclass is the keyword metaclass, or the bases' most derived one.
func (th *Thread) metaclass(bases []Value, kw *Dict) (Value, error) {
	meta := TypeClass.Value()
	if m, ok := kw.GetStr("metaclass"); ok {
		kw.DelStr("metaclass")
		meta = m
	} else if len(bases) > 0 {
		meta = ClassOf(bases[0]).Value()
	}
	m, ok := AsClass(meta)
	if !ok || m.Flags&ClassMeta == 0 {
		return meta, nil
	}
	var cs []*Class
	for _, b := range bases {
		if c, ok := AsClass(b); ok {
			cs = append(cs, c)
		}
	}
	w, err := th.winner(m, cs)
	if err != nil {
		return Unbound, err
	}
	return w.Value(), nil
}

// prepare makes the namespace of a class body.
func (th *Thread) prepare(meta Value, name *Str, bases []Value, kw *Dict) (Value, error) {
	if meta == TypeClass.Value() {
		return newDict().Value(), nil
	}
	f, found, err := AttrOr(th, meta, "__prepare__")
	if err != nil {
		return Unbound, err
	}
	if !found {
		return newDict().Value(), nil
	}
	args, names := SplitArgs(NewTuple(name.Value(), NewTuple(bases...)), kw.Value())
	return th.call(f, args, names)
}

// currentModule is the __name__ of the module that the innermost script frame runs.
func (th *Thread) currentModule() Value {
	for f := th.cur; f != nil; f = f.up {
		if f.code != nil && f.code.globals != nil {
			if v, ok := f.code.globals.getStr(nameName); ok {
				return v
			}
		}
	}
	return NewStr("__main__")
}
