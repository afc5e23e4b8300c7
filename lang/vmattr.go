package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// opGetAttr is GetAttr where the cache doesn't know the object.
func opGetAttr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o := *ci.slot(in.B)
	ic := &ci.code.ics[in.K]
	if o.Kind() == value.KindInstance {
		if v, ok := th.ownAttr(o, ic); ok {
			th.keep(v)
			ci.dies(in.B)
			th.put(ci.slot(in.A), v)
			return ci, unsafe.Add(pc, isz)
		}
		if f, p, ok := propertyFrame(ci, pc, o, ic.name, in.A); ok {
			return f, p
		}
	}
	ci.pc, th.cur = pc, ci
	if counted(o) {
		th.setSite(ci, pc)
	}
	v, err := GetAttr(th, o, ic.name)
	if err != nil {
		return throw(ci, pc, err)
	}
	ci.dies(in.B)
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// ownAttr reads an instance's own attribute that no data descriptor hides, and
// remembers where it stands.
func (th *Thread) ownAttr(o Value, ic *attrIC) (Value, bool) {
	in := (*Instance)(o.P)
	c := in.Class()
	if c.Flags&ClassGetAttr != 0 && th.special(o, nameGetattribute).Kind() == value.KindFunc || c.Layout != value.KindInstance && c.GetAttr != nil && c.Flags&ClassGetAttr == 0 {
		return Unbound, false
	}
	i := in.shape.find(ic.name)
	if i < 0 || in.slots[i].IsUnbound() {
		return Unbound, false
	}
	if i >= c.nslots { // a member descriptor stands for the slot itself
		if d, _ := th.find(c, ic.name); !d.IsUnbound() && isData(d) {
			return Unbound, false
		}
	}
	ic.shape, ic.idx, ic.next, ic.epoch = in.shape, i, nil, th.epoch
	return in.slots[i], true
}

// propertyFrame enters the getter of a property in a frame.
func propertyFrame(ci *Frame, pc unsafe.Pointer, o Value, name *Str, dst uint16) (*Frame, unsafe.Pointer, bool) {
	c := ClassOf(o)
	if c.Flags&ClassGetAttr != 0 {
		return nil, nil, false
	}
	d, _ := ci.th.find(c, name)
	if d.Kind() != value.KindProperty || ClassOf(d) != PropertyClass {
		return nil, nil, false
	}
	get := (*Property)(d.P).Get
	if get.Kind() != value.KindFunc {
		return nil, nil, false
	}
	return callMethodFrame(ci, pc, (*Func)(get.P), o, Value{}, 1, dst, contPlain)
}

// opSetAttr is SetAttr where the cache doesn't know the object.
func opSetAttr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o := *ci.slot(in.B)
	ic := &ci.code.ics[in.K]
	if o.Kind() == value.KindInstance {
		if f, p, ok := setOwn(ci, pc, o, ic); ok {
			return f, p
		}
	}
	ci.pc, th.cur = pc, ci
	x := *ci.slot(in.A)
	if err := SetAttr(th, o, ic.name, x); err != nil {
		return throw(ci, pc, err)
	}
	ci.dies(in.A)
	return ci, unsafe.Add(pc, isz)
}

// setOwn stores an instance's own attribute, or enters a property's setter.
func setOwn(ci *Frame, pc unsafe.Pointer, o Value, ic *attrIC) (*Frame, unsafe.Pointer, bool) {
	th := ci.th
	in := (*Instr)(pc)
	obj := (*Instance)(o.P)
	c := obj.Class()
	if c.SetAttr != nil {
		return nil, nil, false
	}
	i := obj.shape.find(ic.name)
	if d, _ := th.find(c, ic.name); !d.IsUnbound() && (i < 0 || i >= c.nslots) && isData(d) {
		p := asProperty(d)
		if p == nil || p.Set.Kind() != value.KindFunc {
			return nil, nil, false
		}
		return callMethodFrame(ci, pc, (*Func)(p.Set.P), o, *ci.slot(in.A), 2, 0, contDrop)
	}
	if i < 0 && (c.Flags&ClassNoDict != 0 || obj.shape.dict || len(obj.shape.keys) >= maxShape) {
		return nil, nil, false
	}
	ci.pc, th.cur = pc, ci
	th.stored(&obj.Header)
	x := ci.take(in.A)
	ic.epoch = th.epoch
	if i >= 0 {
		ic.shape, ic.idx, ic.next = obj.shape, i, nil
		th.put(&obj.slots[i], x)
		return ci, unsafe.Add(pc, isz), true
	}
	old := obj.shape
	next := old.with(ic.name)
	ic.shape, ic.next, ic.idx = old, next, len(old.keys)
	obj.add(next, x)
	return ci, unsafe.Add(pc, isz), true
}

// addAttr is SetAttr of a new attribute that the cache knows.
//
//go:noinline
func addAttr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	o := *ci.slot(in.B)
	ic := &ci.code.ics[in.K]
	if o.P != nil && (*Header)(o.P).Kind == value.KindInstance {
		obj := (*Instance)(o.P)
		if obj.shape == ic.shape && ic.next != nil && ic.epoch == ci.th.epoch && obj.Header.Flags&value.FlagWatched == 0 {
			obj.shape = ic.next
			obj.slots = append(obj.slots, ci.take(in.A))
			return ci, unsafe.Add(pc, isz)
		}
	}
	return opSetAttr(ci, pc)
}

// stored tells the tracer that a watched thing changes.
func (th *Thread) stored(h *Header) {
	if h.Flags&value.FlagWatched != 0 && th.Interp.Stored != nil {
		th.Interp.Stored(th, h)
	}
}

func opDelAttr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	ci.pc, ci.th.cur = pc, ci
	if err := DelAttr(ci.th, *ci.slot(in.B), ci.code.names[in.K]); err != nil {
		return throw(ci, pc, err)
	}
	return ci, unsafe.Add(pc, isz)
}

// opAugAttr is o.x += k.
func opAugAttr(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o := *ci.slot(in.B)
	ic := &ci.code.ics[in.C]
	ci.pc, th.cur = pc, ci
	var v Value
	var err error
	own := false
	if o.Kind() == value.KindInstance {
		v, own = th.ownAttr(o, ic)
	}
	if !own {
		if v, err = GetAttr(th, o, ic.name); err != nil {
			return throwInner(ci, pc, err)
		}
	}
	if counted(v) {
		th.setSite(ci, pc)
	}
	r, err := th.inPlace(OpAdd, v, Int(int64(in.K)), 0)
	if err != nil {
		return throw(ci, pc, err)
	}
	if err = SetAttr(th, o, ic.name, r); err != nil {
		return throw(ci, pc, err)
	}
	if r.P != v.P {
		th.drop(r)
	}
	return ci, unsafe.Add(pc, isz)
}

// opGetItem is B[C] outside the list fast path.
func opGetItem(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o, k := *ci.slot(in.B), Value{}
	if in.Op == code.GetItemI {
		k = Int(int64(in.K))
	} else {
		k = *ci.slot(in.C)
	}
	var v Value
	var err error
	switch o.Kind() {
	case value.KindDict:
		d := (*Dict)(o.P)
		if i, ok := d.findQuick(k); ok {
			if i < 0 {
				return throw(ci, pc, th.RaiseArgs(KeyError, k))
			}
			v = d.read(i)
			break
		}
		ci.pc, th.cur = pc, ci
		v, err = dictGetItem(th, o, k)
	case value.KindTuple:
		t := (*Tuple)(o.P)
		if i := k.N; k.P == nil && i < uint64(len(t.items)) {
			v = t.items[i].Value()
			break
		}
		v, err = GetItem(th, o, k)
	case value.KindInstance:
		if m, _ := th.find(ClassOf(o), nameGetitem); m.Kind() == value.KindFunc {
			if f, p, ok := callMethodFrame(ci, pc, (*Func)(m.P), o, k, 2, in.A, contPlain); ok {
				return f, p
			}
		}
		fallthrough
	default:
		ci.pc, th.cur = pc, ci
		if counted(o) {
			th.setSite(ci, pc)
		}
		v, err = GetItem(th, o, k)
	}
	if err != nil {
		return throw(ci, pc, err)
	}
	if counted(o) {
		if v.P == o.P {
			th.keep(v)
		}
		ci.dies(in.B)
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

func opSetItem(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o, k, x := *ci.slot(in.B), *ci.slot(in.C), *ci.slot(in.A)
	ci.pc, th.cur = pc, ci
	if o.Kind() == value.KindDict {
		if err := (*Dict)(o.P).Put(th, k, x); err != nil {
			return throw(ci, pc, err)
		}
		ci.dies(in.A)
		return ci, unsafe.Add(pc, isz)
	}
	if o.Kind() == value.KindInstance {
		if m, _ := th.find(ClassOf(o), nameSetitem); m.Kind() == value.KindFunc {
			_, err := th.callSpecial(o, m, k, x)
			if err != nil {
				return throw(ci, pc, err)
			}
			return ci, unsafe.Add(pc, isz)
		}
	}
	if err := SetItem(th, o, k, x); err != nil {
		return throw(ci, pc, err)
	}
	ci.dies(in.A)
	return ci, unsafe.Add(pc, isz)
}

func opDelItem(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	ci.pc, ci.th.cur = pc, ci
	if err := DelItem(ci.th, *ci.slot(in.B), *ci.slot(in.C)); err != nil {
		return throw(ci, pc, err)
	}
	return ci, unsafe.Add(pc, isz)
}

// opAugItem is o[k] += int.
func opAugItem(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o, k := *ci.slot(in.B), *ci.slot(in.C)
	ci.pc, th.cur = pc, ci
	if o.Kind() == value.KindDict {
		if done, err := th.augDict((*Dict)(o.P), k, int64(in.K)); err != nil {
			return throw(ci, pc, err)
		} else if done {
			return ci, unsafe.Add(pc, isz)
		}
	}
	v, err := GetItem(th, o, k)
	if err != nil {
		return throwInner(ci, pc, err)
	}
	v, err = th.inPlace(OpAdd, v, Int(int64(in.K)), 0)
	if err != nil {
		return throw(ci, pc, err)
	}
	if err = SetItem(th, o, k, v); err != nil {
		return throw(ci, pc, err)
	}
	return ci, unsafe.Add(pc, isz)
}

// augDict adds to a small int in a dict in place.
func (th *Thread) augDict(d *Dict, k Value, n int64) (bool, error) {
	if d.ns != nil {
		return false, nil
	}
	i, ok := d.findQuick(k)
	if !ok {
		h, err := Hash(th, k)
		if err != nil {
			return false, err
		}
		if i, err = d.find(th, k, h); err != nil {
			return false, err
		}
	}
	if i < 0 {
		return false, nil
	}
	v := d.ents[i].v.Value()
	if v.P != nil {
		return false, nil
	}
	r := v.Int64() + n
	if (r^v.Int64())&(r^n) < 0 {
		return false, nil
	}
	d.ents[i].v = Int(r).Held()
	return true, nil
}

func opGetSlice(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	o := *ci.slot(in.B)
	ci.pc, th.cur = pc, ci
	s := Slice{head(SliceClass, value.KindSlice), *ci.slot(in.C), *ci.slot(in.C + 16), *ci.slot(in.C + 32)}
	var v Value
	var err error
	switch o.Kind() {
	case value.KindList:
		var items []Held
		items, err = sliceItems(th, &s, (*List)(o.P).items)
		v = ListOf(items).Value()
	default:
		if counted(o) {
			th.setSite(ci, pc)
		}
		v, err = GetItem(th, o, NewSlice(s.Start, s.Stop, s.Step))
	}
	if err != nil {
		return throw(ci, pc, err)
	}
	if v.P == o.P && counted(o) {
		th.keep(v)
	}
	ci.dies(in.B)
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// callSuper is super().name, then a call follows as usual.
func callSuper(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	ic := &ci.code.ics[in.K]
	name := ic.name
	self, cls := *ci.slot(in.A), *ci.slot(in.B)
	if cell := cellOf(self); cell != nil {
		self = cell.v
	}
	if cell := cellOf(cls); cell != nil {
		cls = cell.v
	}
	c, ok := AsClass(cls)
	if !ok {
		return throw(ci, pc, th.Raise(RuntimeError, "super(): empty __class__ cell"))
	}
	if ic.fn != nil && ic.cls == c && ic.from == ClassOf(self) && ic.epoch == th.epoch && self.Kind() == value.KindInstance {
		if ic.pass {
			th.put(ci.slot(in.C), th.passing(self, ic.fn))
		} else {
			th.put(ci.slot(in.C), NewBound(self, ic.fn.Value()))
		}
		return ci, unsafe.Add(pc, isz)
	}
	t, err := th.superType(c, self)
	if err != nil {
		return throw(ci, pc, err)
	}
	v, err := th.superLookup(c, t, self, name)
	if b, ok := AsBound(v); ok && err == nil && b.Fn.Kind() == value.KindFunc && t == ClassOf(self) {
		ic.fn, ic.cls, ic.from, ic.epoch = (*Func)(b.Fn.P), c, t, th.epoch
		ic.pass = ci.callFollows(ci.index(pc), in.C)
	}
	if err == nil && v.IsUnbound() {
		var s Value
		if s, err = th.NewSuper(c, self); err == nil {
			v, err = superGetAttr(th, s, name)
		}
	}
	if err != nil {
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.C), v)
	return ci, unsafe.Add(pc, isz)
}

// callFollows reports that what instruction i stores in slot o is next used by a
// plain call of it.
func (ci *Frame) callFollows(i int, o uint16) bool {
	c := ci.code.code
	if o < ci.code.nlocals {
		return false
	}
	for i++; i < len(c.Ins); i++ {
		in, used := &c.Ins[i], false
		in.EachSlot(c, func(off uint16, _ code.Role) { used = used || off == o })
		if used {
			return in.Op == code.Call && in.A == o
		}
	}
	return false
}

// passing binds fn to self for the Call that comes next. Such an object is seen by
// nobody but that Call, which gives it back.
func (th *Thread) passing(self Value, fn *Func) Value {
	b := th.passed
	if b == nil {
		b = &Bound{Header: head(BoundClass, value.KindBound)}
		b.Header.Flags = flagPassing
	}
	th.passed = nil
	b.Self, b.Fn = self.Held().Value(), fn.Value()
	return obj(unsafe.Pointer(b))
}

// receive takes what passing made.
func (th *Thread) receive(b *Bound) (self Value, fn Value) {
	self, fn = b.Self, b.Fn
	if b.Header.Flags&flagPassing != 0 {
		b.Self, b.Fn = Value{}, Value{}
		th.passed = b
	}
	return self, fn
}
