package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// misc runs the instructions that the run loop leaves out, and the slow halves of
// those it has: out of line, so that the loop keeps its state in registers.
//
//go:noinline
func misc(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	op := (*Instr)(pc).Op
	if int(op) < len(miscTable) {
		if f := miscTable[op]; f != nil {
			return f(ci, pc)
		}
	}
	return throw(ci, pc, ci.th.Raise(SystemError, "tfs bug: unknown instruction %d", op))
}

type slow = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer)

var miscTable [opLast]slow

// plainOp wraps an instruction that only fails or goes on.
func plainOp(f func(ci *Frame, in *Instr) error) slow {
	return func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		ci.pc, ci.th.cur = pc, ci
		if err := f(ci, (*Instr)(pc)); err != nil {
			return throw(ci, pc, err)
		}
		return ci, unsafe.Add(pc, isz)
	}
}

// valueOp wraps an instruction that stores a fresh value in A.
func valueOp(f func(ci *Frame, in *Instr) (Value, error)) slow {
	return func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		ci.pc, ci.th.cur = pc, ci
		in := (*Instr)(pc)
		v, err := f(ci, in)
		if err != nil {
			return throw(ci, pc, err)
		}
		ci.th.put(ci.slot(in.A), v)
		return ci, unsafe.Add(pc, isz)
	}
}

func init() {
	t := &miscTable
	t[code.Nop] = plainOp(func(ci *Frame, in *Instr) error { return nil })
	t[code.Unset] = plainOp(opUnset)
	t[code.Check] = plainOp(opCheck)
	t[code.MoveWide] = plainOp(opMoveWide)
	t[code.GetGlobal] = opGetGlobal
	t[code.SetGlobal] = plainOp(opSetGlobal)
	t[code.DelGlobal] = plainOp(opDelGlobal)
	t[code.GetName] = valueOp(opGetName)
	t[code.SetName] = plainOp(opSetName)
	t[code.DelName] = plainOp(opDelName)
	t[code.NewCell] = plainOp(opNewCell)
	t[code.GetCell] = valueOp(opGetCell)
	t[code.SetCell] = plainOp(opSetCell)
	t[code.DelCell] = plainOp(opDelCell)
	t[code.GetFree] = valueOp(opGetFree)
	t[code.SetFree] = plainOp(opSetFree)
	t[code.DelFree] = plainOp(opDelFree)
	t[code.LoadFreeCell] = valueOp(func(ci *Frame, in *Instr) (Value, error) { return obj(unsafe.Pointer(ci.fn.free[in.B])), nil })
	t[code.GetClassFree] = valueOp(opGetClassFree)
	t[code.BinOp], t[code.InPlace] = slowBits, slowBits
	t[opSetGlobal1] = plainOp(opSetGlobal)
	t[code.UnaryOp] = opUnary
	t[code.Compare] = opCompare
	t[code.IsOp] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		r := Bool((*ci.slot(in.B) == *ci.slot(in.C)) == (in.K == 0))
		ci.dies(in.B)
		ci.dies(in.C)
		return r, nil
	})
	t[code.Contains] = opContains
	t[code.Data] = plainOp(func(ci *Frame, in *Instr) error { return nil })
	t[code.ForPrep] = forPrep
	t[code.GetIter] = opGetIter
	t[code.NextOr] = opNextOr
	t[code.CallKw], t[code.CallMethodKw] = callKw, callKw
	t[code.CallEx] = callEx
	t[code.CallSuper] = callSuper
	t[code.GetAttr], t[code.SetAttr], t[code.DelAttr] = opGetAttr, addAttr, opDelAttr
	t[code.AugAttrI] = opAugAttr
	t[code.GetItem], t[code.GetItemI], t[code.SetItem], t[code.DelItem] = opGetItem, opGetItem, opSetItem, opDelItem
	t[code.AugItemI] = opAugItem
	t[code.GetSlice] = opGetSlice
	t[code.BuildSlice] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		return NewSlice(*ci.slot(in.B), *ci.slot(in.B + 16), *ci.slot(in.B + 32)), nil
	})
	displayOps(t)
	t[code.UnpackSeq], t[code.UnpackEx] = opUnpack, opUnpackEx
	t[code.MakeFunc] = valueOp(opMakeFunc)
	t[code.BuildClass] = valueOp(opBuildClass)
	t[code.ImportName] = valueOp(opImportName)
	t[code.ImportFrom] = valueOp(opImportFrom)
	t[code.ImportStar] = plainOp(opImportStar)
	t[code.Yield], t[code.YieldFrom] = opYield, opYieldFrom
	exceptionOps(t)
	matchOps(t)
	t[code.PrintExpr] = plainOp(func(ci *Frame, in *Instr) error { return ci.th.display(*ci.slot(in.A)) })
	readOps(t)
	t[code.SetupAnnotations] = plainOp(opSetupAnnotations)
	t[code.SetAnnotation] = plainOp(opSetAnnotation)
	t[code.Unsupported] = plainOp(func(ci *Frame, in *Instr) error {
		s, _ := AsStr(ci.code.consts[in.K])
		return ci.th.Raise(NotImplementedError, "%s", s.s)
	})
	stageOps(t)
}

// ---- bindings ----

// rawName is the name that instruction in stood for before it was linked.
func (ci *Frame) rawName(in *Instr) *Str {
	return ci.code.names[ci.code.code.Ins[ci.index(unsafe.Pointer(in))].K]
}

func opUnset(ci *Frame, in *Instr) error {
	s := ci.slot(in.A)
	if in.K == 1 && s.IsUnbound() {
		name := ci.code.code.LocalNames[in.A/16]
		return ci.th.unboundLocal(name)
	}
	ci.th.put(s, Unbound)
	return nil
}

func (th *Thread) unboundLocal(name string) error {
	e := NewException(UnboundLocalError, NewStr("cannot access local variable '"+name+"' where it is not associated with a value"))
	e.Data = []Value{NewStr(name)}
	return e
}

func (th *Thread) nameError(name string) error {
	e := NewException(NameError, NewStr("name '"+name+"' is not defined"))
	e.Data = []Value{NewStr(name)}
	return e
}

func (th *Thread) freeError(name string) error {
	e := NewException(NameError, NewStr("cannot access free variable '"+name+"' where it is not associated with a value in enclosing scope"))
	e.Data = []Value{NewStr(name)}
	return e
}

func opCheck(ci *Frame, in *Instr) error {
	if ci.slot(in.A).IsUnbound() {
		return ci.th.unboundLocal(ci.code.names[in.K].s)
	}
	return nil
}

func opMoveWide(ci *Frame, in *Instr) error {
	if in.B == 0 {
		v := ci.wide[in.K]
		ci.th.keep(v)
		ci.th.put(ci.slot(in.A), v)
		return nil
	}
	ci.th.put(&ci.wide[in.K], ci.take(in.A))
	return nil
}

// opGetGlobal finds a builtin for a global without value, and links the site to it.
func opGetGlobal(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	v, err := ci.builtin(pc)
	if err != nil {
		return throw(ci, pc, err)
	}
	ci.th.put(ci.slot((*Instr)(pc).A), v)
	return ci, unsafe.Add(pc, isz)
}

// builtin is the builtin that an unbound global stands for; the site is linked to
// its cell until the global gets a value.
func (ci *Frame) builtin(pc unsafe.Pointer) (Value, error) {
	in := (*Instr)(pc)
	name := ci.rawName(in)
	link := (**Cell)(unsafe.Pointer(&ci.code.gs[in.K/8]))
	own := ci.code.globals.cell(name)
	if !own.v.IsUnbound() {
		*link = own
		return own.v.Held().Value(), nil
	}
	b := ci.th.builtinsOf(ci.code.globals)
	v, err := b.Get(ci.th, name.s)
	if err != nil {
		return Unbound, err
	}
	if v.IsUnbound() {
		return Unbound, ci.th.nameError(name.s)
	}
	cell := b.dict.cell(name)
	if *link != cell {
		*link = cell
		own.users = append(own.users, link)
	}
	return v, nil
}

func (th *Thread) builtinsOf(globals *Dict) *Module { return th.Interp.Builtins }

func opSetGlobal(ci *Frame, in *Instr) error {
	x := ci.take(in.A)
	c := ci.global(in.K)
	th := ci.th
	if c.v.IsUnbound() || !ci.owns(c, in) {
		ci.code.globals.putStr(ci.rawName(in), None)
		ci.code.globals.cell(ci.rawName(in)).v = x
		return nil
	}
	in.Op = opSetGlobal1
	th.stored(&c.Header)
	th.put(&c.v, x)
	return nil
}

// owns reports that a link goes to the module's own cell.
func (ci *Frame) owns(c *Cell, in *Instr) bool { return ci.code.globals.cell(ci.rawName(in)) == c }

func opDelGlobal(ci *Frame, in *Instr) error {
	name := ci.rawName(in)
	c := ci.code.globals.cell(name)
	old := c.v
	if !ci.code.globals.delStr(name) {
		return ci.th.nameError(name.s)
	}
	ci.th.drop(old)
	return nil
}

func opGetName(ci *Frame, in *Instr) (Value, error) {
	name := ci.code.names[in.K]
	if ci.ns.Kind() == value.KindDict {
		if v, ok := (*Dict)(ci.ns.P).getStr(name); ok {
			return v, nil
		}
	} else if ci.ns.P != nil && !ci.ns.IsUnbound() {
		v, err := GetItem(ci.th, ci.ns, name.Value())
		if err == nil || !Matches(err, KeyError) {
			return v, err
		}
	}
	return ci.th.globalName(ci.code.globals, name)
}

// globalName looks a name up in globals, then builtins.
func (th *Thread) globalName(globals *Dict, name *Str) (Value, error) {
	if v, ok := globals.getStr(name); ok {
		return v, nil
	}
	v, err := th.builtinsOf(globals).Get(th, name.s)
	if err == nil && v.IsUnbound() {
		err = th.nameError(name.s)
	}
	return v, err
}

func opSetName(ci *Frame, in *Instr) error {
	name := ci.code.names[in.K]
	x := *ci.slot(in.A)
	if d, ok := AsDict(ci.ns); ok && ci.ns.Kind() == value.KindDict {
		d.putStr(name, x)
		return nil
	}
	if ci.ns.P == nil || ci.ns.IsUnbound() {
		ci.code.globals.putStr(name, x)
		return nil
	}
	return SetItem(ci.th, ci.ns, name.Value(), x)
}

func opDelName(ci *Frame, in *Instr) error {
	name := ci.code.names[in.K]
	d := ci.code.globals
	if ci.ns.Kind() == value.KindDict {
		d = (*Dict)(ci.ns.P)
	} else if ci.ns.P != nil && !ci.ns.IsUnbound() {
		err := DelItem(ci.th, ci.ns, name.Value())
		if Matches(err, KeyError) {
			err = ci.th.nameError(name.s)
		}
		return err
	}
	if !d.delStr(name) {
		return ci.th.nameError(name.s)
	}
	return nil
}

// display shows the value of an expression statement at the prompt.
func (th *Thread) display(v Value) error {
	if hook := th.Interp.DisplayHook; hook != nil {
		return hook(th, v)
	}
	return nil
}

func opNewCell(ci *Frame, in *Instr) error {
	s := ci.slot(in.A)
	c := newCell(Unbound)
	if in.B == 0 {
		c.v = *s // the reference moves into the cell
		*s = obj(unsafe.Pointer(c))
		return nil
	}
	ci.th.put(s, obj(unsafe.Pointer(c)))
	return nil
}

func opGetCell(ci *Frame, in *Instr) (Value, error) {
	c := (*Cell)(ci.slot(in.B).P)
	if c.v.IsUnbound() {
		name := ci.code.names[in.K].s
		if ci.ownCell(name) {
			return Unbound, ci.th.unboundLocal(name)
		}
		return Unbound, ci.th.freeError(name)
	}
	ci.th.keep(c.v)
	return c.v, nil
}

func (ci *Frame) ownCell(name string) bool {
	for _, n := range ci.code.code.LocalNames {
		if n == name {
			return true
		}
	}
	return false
}

func opSetCell(ci *Frame, in *Instr) error {
	c := (*Cell)(ci.slot(in.B).P)
	ci.th.stored(&c.Header)
	ci.th.put(&c.v, ci.take(in.A))
	return nil
}

func opDelCell(ci *Frame, in *Instr) error {
	c := (*Cell)(ci.slot(in.B).P)
	if c.v.IsUnbound() {
		return ci.th.unboundLocal(ci.code.names[in.K].s)
	}
	ci.th.put(&c.v, Unbound)
	return nil
}

func opGetFree(ci *Frame, in *Instr) (Value, error) {
	c := ci.fn.free[in.B/8]
	if c.v.IsUnbound() {
		return Unbound, ci.th.freeError(ci.code.names[in.K].s)
	}
	ci.th.keep(c.v)
	return c.v, nil
}

func opSetFree(ci *Frame, in *Instr) error {
	c := ci.fn.free[in.B/8]
	ci.th.stored(&c.Header)
	ci.th.put(&c.v, ci.take(in.A))
	return nil
}

func opDelFree(ci *Frame, in *Instr) error {
	c := ci.fn.free[in.B]
	if c.v.IsUnbound() {
		return ci.th.freeError(ci.code.names[in.K].s)
	}
	ci.th.put(&c.v, Unbound)
	return nil
}

func opGetClassFree(ci *Frame, in *Instr) (Value, error) {
	if d, ok := AsDict(ci.ns); ok {
		if v, ok := d.getStr(ci.code.names[in.K]); ok {
			return v, nil
		}
	}
	c := ci.fn.free[in.B]
	if c.v.IsUnbound() {
		return Unbound, ci.th.freeError(ci.code.names[in.K].s)
	}
	return c.v.Held().Value(), nil
}

func opSetupAnnotations(ci *Frame, in *Instr) error {
	d, err := ci.annotations()
	_ = d
	return err
}

func (ci *Frame) annotations() (*Dict, error) {
	ns := ci.code.globals
	if d, ok := AsDict(ci.ns); ok {
		ns = d
	}
	if v, ok := ns.getStr(nameAnnotations); ok {
		if d, ok := AsDict(v); ok {
			return d, nil
		}
	}
	d := newDict()
	ns.putStr(nameAnnotations, d.Value())
	return d, nil
}

func opSetAnnotation(ci *Frame, in *Instr) error {
	d, err := ci.annotations()
	if err != nil {
		return err
	}
	d.putStr(ci.code.names[in.K], *ci.slot(in.A))
	return nil
}

// ---- displays ----

func displayOps(t *[opLast]slow) {
	t[code.BuildList] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		l := makeShort(int(in.C))
		l.items = ci.hold(l.items, in.B, int(in.C))
		return l.Value(), nil
	})
	t[code.BuildTuple] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		u := newTuple(int(in.C))
		ci.hold(u.items[:0], in.B, int(in.C))
		return u.Value(), nil
	})
	t[code.BuildSet] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		s := NewSet()
		for i := range in.C {
			if _, err := s.Add(ci.th, *ci.slot(in.B + 16*i)); err != nil {
				return Unbound, err
			}
		}
		return s.Value(), nil
	})
	t[code.BuildDict] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		d := MakeDict(int(in.C))
		for i := range in.C {
			if err := d.Put(ci.th, *ci.slot(in.B + 32*i), *ci.slot(in.B + 32*i + 16)); err != nil {
				return Unbound, err
			}
		}
		return d.Value(), nil
	})
	t[code.BuildString] = valueOp(opBuildString)
	t[code.ListAppend] = plainOp(func(ci *Frame, in *Instr) error { return (*List)(ci.slot(in.A).P).Push(ci.th, *ci.slot(in.B)) })
	t[opAppend] = opAppendSlow
	t[opDictGet] = dictGetCall
	t[code.SetAdd] = plainOp(func(ci *Frame, in *Instr) error {
		_, err := (*Set)(ci.slot(in.A).P).Add(ci.th, *ci.slot(in.B))
		return err
	})
	t[code.DictSet] = plainOp(func(ci *Frame, in *Instr) error {
		return (*Dict)(ci.slot(in.A).P).Put(ci.th, *ci.slot(in.B), *ci.slot(in.C))
	})
	t[code.ListExtend] = plainOp(func(ci *Frame, in *Instr) error {
		v := *ci.slot(in.B)
		if !IsIterable(v) {
			return ci.th.TypeErrorf("Value after * must be an iterable, not %s", TypeName(v))
		}
		return (*List)(ci.slot(in.A).P).Extend(ci.th, v)
	})
	t[code.SetUpdate] = plainOp(func(ci *Frame, in *Instr) error {
		return (*Set)(ci.slot(in.A).P).Update(ci.th, *ci.slot(in.B))
	})
	t[code.DictUpdate] = plainOp(func(ci *Frame, in *Instr) error {
		v := *ci.slot(in.B)
		if _, ok := AsDict(v); !ok {
			if _, found, _ := AttrOr(ci.th, v, "keys"); !found {
				return ci.th.TypeErrorf("'%s' object is not a mapping", TypeName(v))
			}
		}
		return (*Dict)(ci.slot(in.A).P).Update(ci.th, v)
	})
	t[code.DictMerge] = plainOp(opDictMerge)
	t[code.ListToTuple] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		return TupleOf(append([]Held(nil), (*List)(ci.slot(in.B).P).items...)).Value(), nil
	})
	t[code.FormatValue] = valueOp(opFormatValue)
}

// hold appends n slots from offset o.
func (ci *Frame) hold(items []Held, o uint16, n int) []Held {
	for _, v := range unsafe.Slice(ci.slot(o), n) {
		items = append(items, v.Held())
	}
	return items
}

// Update adds all items of an iterable.
func (s *Set) Update(th *Thread, v Value) error {
	if o, ok := AsSet(v); ok {
		return s.Merge(th, o)
	}
	if d, ok := AsDict(v); ok && th.plainDict(ClassOf(v)) && (s.fill+d.Len())*5 >= int(s.mask)*3 {
		s.resize((s.used + d.Len()) * 2)
	}
	return EachHashed(th, v, func(x Value, h int64) error {
		_, err := s.AddHashed(th, x, h)
		return err
	})
}

// opAppendSlow is list.append outside the run loop: the list is full, or it is no list.
func opAppendSlow(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	o := ci.slot(in.A)
	if o.Kind() == value.KindList {
		l := (*List)(o.P)
		if err := l.Push(ci.th, *ci.slot(in.A + 16)); err != nil {
			return throw(ci, pc, err)
		}
		ci.th.put(ci.slot(in.C), None)
		return ci, unsafe.Add(pc, isz)
	}
	in.Op = code.CallMethod
	return slowMethod(ci, pc)
}

// dictGetCall is d.get(key) or d.get(key, default) at a site that met dict.get.
func dictGetCall(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	o := ci.slot(in.A)
	if o.Kind() == value.KindDict {
		if i, ok := (*Dict)(o.P).findQuick(*ci.slot(in.A + 16)); ok {
			v := None
			if i >= 0 {
				v = (*Dict)(o.P).read(i)
			}
			if in.B == 2 {
				d := ci.slot(in.A + 32)
				if i < 0 {
					v = *d
					*d = Value{}
				} else {
					ci.dies(in.A + 32)
				}
			}
			ci.th.put(ci.slot(in.C), v)
			return ci, unsafe.Add(pc, isz)
		}
	}
	in.Op = code.CallMethod
	return slowMethod(ci, pc)
}

func opBuildString(ci *Frame, in *Instr) (Value, error) {
	parts := unsafe.Slice(ci.slot(in.B), int(in.C))
	n, ascii := 0, true
	for _, p := range parts {
		s := (*Str)(p.P)
		n += len(s.s)
		ascii = ascii && s.ext == nil
	}
	if err := ci.th.CheckSize(n, 1); err != nil {
		return Unbound, err
	}
	if n == 0 {
		return emptyStr.Value(), nil
	}
	o, b := makeStr(n)
	at := 0
	for _, p := range parts {
		at += copy(b[at:], (*Str)(p.P).s)
	}
	if ascii {
		o.Flags = flagASCII
	} else {
		o.classify()
	}
	return o.Value(), nil
}

func opDictMerge(ci *Frame, in *Instr) error {
	th := ci.th
	d := (*Dict)(ci.slot(in.A).P)
	v := *ci.slot(in.B)
	f := *ci.slot(in.C)
	src, ok := AsDict(v)
	if !ok {
		if _, found, _ := AttrOr(th, v, "keys"); !found {
			return th.TypeErrorf("%s argument after ** must be a mapping, not %s", callName(th, f), TypeName(v))
		}
		src = newDict()
		if err := src.Update(th, v); err != nil {
			return err
		}
	}
	if next := (*Instr)(unsafe.Add(unsafe.Pointer(in), isz)); d.used == 0 && src.ns == nil && v.Kind() == value.KindDict && next.Op == code.CallEx && next.A+32 == in.A {
		*ci.slot(in.A) = v // the call reads it and keeps nothing of it
		return nil
	}
	if d.used == 0 && src.idx == nil && src.ns == nil && src.used > 0 {
		return d.takeKeywords(th, src)
	}
	for at := 0; ; {
		k, x, next, ok := src.Entry(at)
		if !ok {
			return nil
		}
		at = next
		s, isStr := AsStr(k)
		if !isStr {
			return th.TypeErrorf("keywords must be strings")
		}
		if _, dup := d.getStr(s); dup {
			return th.TypeErrorf("%s got multiple values for keyword argument '%s'", callName(th, f), s.s)
		}
		if err := d.Put(th, k, x); err != nil {
			return err
		}
	}
}

// takeKeywords fills an empty dict with the few entries of src, whose keys must be strs.
func (d *Dict) takeKeywords(th *Thread, src *Dict) error {
	d.ents = make([]entry, 0, src.used)
	for i := range src.ents {
		e := &src.ents[i]
		if !e.live() {
			continue
		}
		if _, ok := AsStr(e.k.Value()); !ok {
			return th.TypeErrorf("keywords must be strings")
		}
		d.ents = append(d.ents, *e)
		d.used++
	}
	d.version++
	return nil
}

func opFormatValue(ci *Frame, in *Instr) (Value, error) {
	th := ci.th
	v := *ci.slot(in.B)
	var err error
	switch byte(in.K) {
	case 's':
		var s *Str
		if s, err = StrValue(th, v); err == nil {
			v = s.Value()
		}
	case 'r', 'a':
		var s *Str
		if s, err = ReprValue(th, v); err == nil {
			v = s.Value()
			if byte(in.K) == 'a' {
				v = NewStr(format.ASCIIText(s.s))
			}
		}
	}
	if err != nil {
		return Unbound, err
	}
	if in.K&(1<<8) == 0 {
		if v.Kind() == value.KindStr || v.Kind() == value.KindInt {
			s, err := StrValue(th, v)
			if err != nil {
				return Unbound, err
			}
			return s.Value(), nil
		}
		s, err := Format(th, v, "")
		return NewStr(s), err
	}
	spec, _ := AsStr(*ci.slot(in.C))
	if q, ok := quickFormat(v, spec.s); ok {
		return q, nil
	}
	s, err := Format(th, v, spec.s)
	return NewStr(s), err
}

// quickFormat formats exact small ints, floats and ASCII strs by common specifiers.
func quickFormat(v Value, spec string) (Value, bool) {
	var buf [64]byte
	b, ok := buf[:0], false
	switch v.Kind() {
	case value.KindInt:
		b, ok = format.QuickInt(b, spec, v.Int64())
	case value.KindFloat:
		b, ok = format.QuickFloat(b, spec, v.Float64())
	case value.KindStr:
		if s := (*Str)(v.P); s.ext == nil && len(s.s) < 1<<16 {
			b, ok = format.QuickStr(b, spec, s.s)
		}
	}
	if !ok {
		return Unbound, false
	}
	return StrOfBytes(b), true
}
