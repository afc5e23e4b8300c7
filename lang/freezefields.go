package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// kindMakers make empty objects of the kinds that need nothing else.
var kindMakers = map[Kind]func() Value{
	value.KindByteArray: func() Value { return NewByteArray(nil) },
	value.KindList:      func() Value { return MakeList(0).Value() },
	value.KindDict:      func() Value { return newDict().Value() },
	value.KindSet:       func() Value { return NewSet().Value() },
	value.KindFrozenSet: func() Value { return NewFrozenSet().Value() },
	value.KindRange:     func() Value { return NewRange(0, 0, 1).Value() },
	value.KindSlice:     func() Value { return NewSlice(None, None, None) },
	value.KindFunc:      func() Value { return (&Func{Header: head(FuncClass, value.KindFunc)}).Value() },
	value.KindBound:     func() Value { return NewBound(None, None) },
	value.KindClass: func() Value {
		c := &Class{script: true}
		c.Kind, c.Inst = value.KindClass, value.KindInstance
		return c.Value()
	},
	value.KindInstance:  func() Value { return (&Instance{Header: head(ObjectClass, value.KindInstance)}).Value() },
	value.KindException: func() Value { return newException(BaseException).Value() },
	value.KindModule:    func() Value { return NewModule("").Value() },
	value.KindCell:      func() Value { return objOf(&newCell(Unbound).Header) },
	value.KindGenerator: func() Value { return (&Generator{Header: head(GeneratorClass, value.KindGenerator)}).Value() },
	value.KindTraceback: func() Value { return (&Traceback{Header: head(TracebackClass, value.KindTraceback)}).Value() },
}

// makers make empty objects of kinds whose class tells them apart.
var makers map[string]func() Value

func maker[T any](c *Class, k Kind, hdr func(*T) *Header) func() Value {
	return func() Value {
		o := new(T)
		*hdr(o) = head(c, k)
		return obj(unsafe.Pointer(o))
	}
}

func init() {
	iter := value.KindIter
	makers = map[string]func() Value{
		"property":     func() Value { return NewProperty(None, None, None, None).Value() },
		"staticmethod": func() Value { return NewStaticMethod(None) },
		"classmethod":  func() Value { return NewClassMethod(None) },
		"member_descriptor": func() Value {
			return (&Member{Header: head(MemberClass, value.KindProperty)}).value()
		},
		"getset_descriptor": func() Value {
			return objOf(&(&GetSet{Header: head(GetSetClass, value.KindProperty)}).Header)
		},
		"callable_iterator": maker(CallIterClass, iter, func(o *CallIter) *Header { return &o.Header }),
		"iterator":          maker(SeqIterClass, iter, func(o *SeqIter) *Header { return &o.Header }),
		"set_iterator":      maker(SetIterClass, iter, func(o *SetIter) *Header { return &o.Header }),
		"range_iterator":    maker(RangeIterClass, iter, func(o *RangeIter) *Header { return &o.Header }),
		"tuple_iterator":    maker(TupleIterClass, iter, func(o *TupleIter) *Header { return &o.Header }),
	}
	for _, c := range []*Class{ListIterClass, ListRevIterClass} {
		makers[c.Name] = maker(c, iter, func(o *ListIter) *Header { return &o.Header })
	}
	for _, c := range []*Class{StrIterClass, StrASCIIIterClass} {
		makers[c.Name] = maker(c, iter, func(o *StrIter) *Header { return &o.Header })
	}
	for _, c := range []*Class{BytesIterClass, ByteArrayIterClass} {
		makers[c.Name] = maker(c, iter, func(o *BytesIter) *Header { return &o.Header })
	}
	for _, c := range []*Class{DictKeyIterClass, DictValueIterClass, DictItemIterClass, DictRevKeyIterClass, DictRevValIterClass, DictRevItemIterClass} {
		makers[c.Name] = maker(c, iter, func(o *DictIter) *Header { return &o.Header })
	}
	for _, c := range []*Class{DictKeysClass, DictValuesClass, DictItemsClass} {
		makers[c.Name] = maker(c, value.KindOther, func(o *DictView) *Header { return &o.Header })
	}
}

// fields writes or reads what an object holds.
func (c *codec) fields(v Value) {
	switch v.Kind() {
	case value.KindByteArray:
		b := (*ByteArray)(v.P)
		s := string(b.B)
		c.text(&s)
		b.B = []byte(s)
	case value.KindList:
		c.helds(&(*List)(v.P).items)
	case value.KindTuple:
		for i := range (*Tuple)(v.P).items {
			c.held(&(*Tuple)(v.P).items[i])
		}
	case value.KindDict:
		c.dict((*Dict)(v.P))
	case value.KindSet, value.KindFrozenSet:
		c.set((*Set)(v.P))
	case value.KindRange:
		c.rangeFields((*Range)(v.P))
	case value.KindSlice:
		s := (*Slice)(v.P)
		c.val(&s.Start)
		c.val(&s.Stop)
		c.val(&s.Step)
	case value.KindFunc:
		c.function((*Func)(v.P))
	case value.KindBound:
		b := (*Bound)(v.P)
		c.val(&b.Self)
		c.val(&b.Fn)
		if !c.saving {
			c.after = append(c.after, func() { b.Type = (*Bound)(NewBound(b.Self, b.Fn).P).Type })
		}
	case value.KindClass:
		c.classFields((*Class)(v.P))
	case value.KindInstance:
		c.instance((*Instance)(v.P))
	case value.KindException:
		c.exception((*Exception)(v.P))
	case value.KindModule:
		m := (*Module)(v.P)
		c.text(&m.Name)
		c.text(&m.File)
		ptr(c, &m.dict)
	case value.KindCell:
		c.val(&(*Cell)(v.P).v)
	case value.KindGenerator:
		c.generator((*Generator)(v.P))
	case value.KindTraceback: // positions of a traceback are not kept
	case value.KindProperty:
		c.descriptor(v)
	case value.KindIter, value.KindOther:
		c.iterator(v)
	default:
		c.fail("objects of class '%s' can't be frozen yet", TypeName(v))
	}
}

func (c *codec) dict(d *Dict) {
	names := d.ns != nil
	c.flag(&names)
	if names && d.ns == nil {
		d.ns = &bindings{}
	}
	n := c.num(d.Len())
	if c.saving {
		for i := range d.ents {
			if e := &d.ents[i]; e.live() {
				c.entry(e)
			}
		}
		return
	}
	d.ents = make([]entry, c.count(n))
	for i := range d.ents {
		c.entry(&d.ents[i])
	}
	d.used = int32(len(d.ents))
	c.after = append(c.after, func() {
		for i := range d.ents {
			d.ents[i].hash = rehashed(d.ents[i].k.Value(), d.ents[i].hash)
		}
		if len(d.ents) > fewEntries {
			d.rehash(len(d.ents))
		}
	})
}

func (c *codec) entry(e *entry) {
	h := uint64(e.hash)
	c.held(&e.k)
	c.held(&e.v)
	c.bits(&h)
	e.hash = int64(h)
}

// rehashed is the hash of a key in this process: one by address has changed.
func rehashed(k Value, h int64) int64 {
	if cl := ClassOf(k); k.Kind() > value.KindEllipsis && cl.Hash == nil {
		return HashIdentity(k)
	}
	return h
}

func (c *codec) set(s *Set) {
	c.int(&s.finger)
	n := c.num(len(s.table))
	if !c.saving {
		s.table = make([]setEntry, c.count(n))
	}
	moved := false
	for i := range s.table {
		e := &s.table[i]
		e.state = uint8(c.num(int(e.state)))
		h := uint64(e.hash)
		c.bits(&h)
		c.held(&e.key)
		e.hash = int64(h)
	}
	if c.saving {
		return
	}
	s.mask = uint64(len(s.table) - 1)
	c.after = append(c.after, func() {
		s.fill, s.used = 0, 0
		for i := range s.table {
			if e := &s.table[i]; e.state != entryEmpty {
				s.fill++
				if e.state == entryUsed {
					s.used++
					h := rehashed(e.key.Value(), e.hash)
					moved = moved || h != e.hash
					e.hash = h
				}
			}
		}
		if moved {
			s.resize(s.used * 2)
		}
	})
}

func (c *codec) rangeFields(r *Range) {
	for _, p := range []*int64{&r.Start, &r.Stop, &r.Step, &r.n} {
		u := uint64(*p)
		c.bits(&u)
		*p = int64(u)
	}
	big := r.Big != nil
	if c.flag(&big); !big {
		return
	}
	if r.Big == nil {
		r.Big = &BigRange{}
	}
	for _, p := range []*Value{&r.Big.Start, &r.Big.Stop, &r.Big.Step, &r.Big.Len} {
		c.val(p)
	}
}

func (c *codec) function(f *Func) {
	c.linked(&f.code)
	n := c.num(len(f.free))
	if !c.saving {
		f.free = make([]*Cell, c.count(n))
	}
	for i := range f.free {
		ptr(c, &f.free[i])
	}
	some := f.Defaults != nil
	c.flag(&some)
	c.helds(&f.Defaults)
	if !some {
		f.Defaults = nil
	}
	ptr(c, &f.KwDef)
	c.name(&f.Name)
	c.name(&f.Qualname)
	c.val(&f.Doc)
	c.val(&f.Module)
	ptr(c, &f.attrs)
	c.val(&f.Annot)
}

func (c *codec) classRef(p **Class) { ptr(c, p) }

func (c *codec) classFields(k *Class) {
	c.text(&k.Name)
	c.text(&k.Qualname)
	c.text(&k.Module)
	meta := TypeClass
	if c.saving {
		meta = ClassOf(k.Value())
	}
	c.classRef(&meta)
	for _, list := range []*[]*Class{&k.Bases, &k.MRO} {
		n := c.num(len(*list))
		if !c.saving {
			*list = make([]*Class, c.count(n))
		}
		for i := range *list {
			c.classRef(&(*list)[i])
		}
	}
	k.Flags = ClassFlags(c.num(int(k.Flags)))
	k.Layout = Kind(c.num(int(k.Layout)))
	ptr(c, &k.dict)
	c.int(&k.nslots)
	c.int(&k.hint)
	var keys []*Str
	if c.saving {
		keys = k.root.keys
	}
	c.names(&keys)
	c.names(&k.absents)
	if c.saving {
		return
	}
	k.Header.Type = &meta.Type
	k.root = &Shape{cls: k, keys: keys}
	c.after = append(c.after, func() {
		c.th.fillSlots(k)
		c.th.Interp.adopt(k)
	})
}

func (c *codec) names(list *[]*Str) {
	some := *list != nil
	c.flag(&some)
	n := c.num(len(*list))
	if !c.saving {
		*list = make([]*Str, c.count(n))
		if !some {
			*list = nil
		}
	}
	for i := range *list {
		c.name(&(*list)[i])
	}
}

func (c *codec) instance(in *Instance) {
	k := ObjectClass
	keys := []*Str{}
	inDict := false
	if c.saving {
		k, keys, inDict = in.Class(), in.shape.keys, in.shape.dict
	}
	c.classRef(&k)
	c.names(&keys)
	c.flag(&inDict)
	c.values(&in.slots)
	own := int(in.Own)
	c.int(&own)
	flags := int(in.Header.Flags)
	c.int(&flags)
	ext := in.ext != nil
	if c.flag(&ext); ext {
		if in.ext == nil {
			in.ext = &instExt{}
		}
		c.val(&in.ext.payload)
		ptr(c, &in.ext.dict)
	}
	if c.saving {
		return
	}
	in.Type, in.Own, in.Header.Flags = &k.Type, uint16(own), uint8(flags)
	c.after = append(c.after, func() {
		in.shape = k.root
		for _, name := range keys[len(k.root.keys):] {
			in.shape = in.shape.with(name)
		}
		if inDict {
			if k.dicted == nil {
				k.dicted = &Shape{cls: k, keys: k.root.keys, index: k.root.index, dict: true}
			}
			in.shape = k.dicted
		}
	})
}

func (c *codec) exception(e *Exception) {
	c.instance(&e.Instance)
	ptr(c, &e.Args)
	ptr(c, &e.Cause)
	ptr(c, &e.Context)
	c.flag(&e.Suppress)
	ptr(c, &e.Notes)
	c.values(&e.Data)
	if e.fatal != nil || e.Ext != nil {
		c.fail("an exception of the run's end or of a binding can't be frozen")
	}
}

func (c *codec) generator(g *Generator) {
	g.state = uint8(c.num(int(g.state)))
	own := int(g.Own)
	c.int(&own)
	flags := int(g.Header.Flags)
	c.int(&flags)
	g.Own, g.Header.Flags = uint16(own), uint8(flags)
	c.name(&g.name)
	c.name(&g.qualname)
	ptr(c, &g.handling)
	if !c.saving && g.handling != nil {
		g.frame.caught = 1
	}
	f := &g.frame
	f.th, f.gen = c.th, g
	c.linked(&f.code)
	ptr(c, &f.fn)
	pc := 0
	if c.saving {
		pc = f.index(f.pc)
	}
	c.int(&pc)
	c.val(&f.ns)
	c.values(&g.slots)
	c.values(&f.wide)
	if c.saving {
		return
	}
	g.slots = append(g.slots, Value{})[:len(g.slots)]
	f.base = unsafe.Pointer(unsafe.SliceData(g.slots))
	c.after = append(c.after, func() {
		f.code.link()
		f.pc = f.at(pc)
	})
}

func (c *codec) descriptor(v Value) {
	switch ClassOf(v) {
	case PropertyClass:
		p := (*Property)(v.P)
		for _, x := range []*Value{&p.Get, &p.Set, &p.Del, &p.Doc, &p.name} {
			c.val(x)
		}
	case MemberClass:
		m := (*Member)(v.P)
		c.classRef(&m.Class)
		c.name(&m.Name)
	case GetSetClass: // of a script class
		g := (*GetSet)(v.P)
		c.classRef(&g.Class)
		c.name(&g.Name)
		g.Def = &instanceDict
		if g.Name == nameWeakref {
			g.Def = &instanceWeakref
		}
	default:
		w := (*Wrapped)(v.P)
		c.val(&w.Fn)
		ptr(c, &w.dict)
	}
}

func (c *codec) iterator(v Value) {
	what := func(w *uint8) { *w = uint8(c.num(int(*w))) }
	long := func(i *int64) { *i = int64(c.num(int(*i))) }
	switch ClassOf(v) {
	case ListIterClass, ListRevIterClass:
		it := (*ListIter)(v.P)
		ptr(c, &it.L)
		c.int(&it.I)
	case TupleIterClass:
		it := (*TupleIter)(v.P)
		c.helds(&it.Items)
		c.int(&it.I)
		c.val(&it.Of)
	case StrIterClass, StrASCIIIterClass:
		it := (*StrIter)(v.P)
		ptr(c, &it.S)
		c.int(&it.At)
	case BytesIterClass, ByteArrayIterClass:
		it := (*BytesIter)(v.P)
		c.val(&it.Of)
		c.int(&it.I)
	case RangeIterClass:
		it := (*RangeIter)(v.P)
		ptr(c, &it.R)
		long(&it.I)
	case SetIterClass:
		it := (*SetIter)(v.P)
		ptr(c, &it.S)
		c.int(&it.At)
		c.int(&it.Used)
	case SeqIterClass:
		it := (*SeqIter)(v.P)
		c.val(&it.Seq)
		long(&it.I)
		c.flag(&it.End)
	case CallIterClass:
		it := (*CallIter)(v.P)
		c.val(&it.Fn)
		c.val(&it.Sentinel)
		c.flag(&it.End)
	case DictKeysClass, DictValuesClass, DictItemsClass:
		w := (*DictView)(v.P)
		ptr(c, &w.D)
		what(&w.What)
		c.val(&w.Of)
	default:
		it := (*DictIter)(v.P)
		ptr(c, &it.D)
		if c.saving {
			c.num(it.D.livesBefore(it.At)) // entries are written without gaps
		} else {
			c.int(&it.At)
		}
		c.int(&it.Used)
		c.int(&it.Left)
		what(&it.What)
		c.flag(&it.Back)
	}
}

// livesBefore is the number of entries before position at.
func (d *Dict) livesBefore(at int) int {
	n := 0
	for i := 0; d != nil && i < at && i < len(d.ents); i++ {
		if d.ents[i].live() {
			n++
		}
	}
	return n
}

// modules writes or reads sys.modules.
func (c *codec) modules() {
	d := c.th.Interp.Modules
	n := c.num(d.Len())
	at := 0
	for range n {
		k, v := Unbound, Unbound
		if c.saving {
			k, v, at, _ = d.Entry(at)
		}
		c.val(&k)
		c.val(&v)
		if s, ok := AsStr(k); ok && !c.saving {
			d.putStr(s, v)
		}
	}
}

// thread writes or reads the frames of the paused run, outermost first.
func (c *codec) thread() {
	th := c.th
	var frames []*Frame
	if c.saving {
		for f := th.paused; f != th.root; f = f.up {
			frames = append([]*Frame{f}, frames...)
		}
	}
	c.modules()
	ptr(c, &th.handling)
	c.val(&th.StopValue)
	n := c.num(len(frames))
	up := th.root
	for i := range n {
		if c.err != nil {
			return
		}
		var f *Frame
		if c.saving {
			f = frames[i]
		}
		next := (*Frame)(nil)
		if i+1 < len(frames) {
			next = frames[i+1]
		}
		up = c.frame(f, up, next)
	}
	if !c.saving {
		th.paused, th.cur = up, up
	}
}

// frame writes f, or reads one above up. Slots from the callee's window on are the
// callee's.
func (c *codec) frame(f, up, callee *Frame) *Frame {
	th := c.th
	var g *Generator
	if c.saving {
		g = f.gen
		if len(f.stages) > 0 {
			c.fail("a run can't be frozen while a function is traced")
		}
	}
	ptr(c, &g)
	if g != nil {
		return c.generatorFrame(g, up)
	}
	var l *Linked
	if c.saving {
		l = f.code
	}
	c.linked(&l)
	if !c.saving {
		var err error
		if f, err = th.nextFrame(up, ""); err != nil {
			c.fail("%s", err)
			return up
		}
		th.place(up, f, nil, l.nslots)
		f.code = l
	}
	pc := 0
	if c.saving {
		pc = f.index(f.pc)
	}
	c.int(&pc)
	ptr(c, &f.fn)
	c.frameState(f)
	var slots []Value
	if c.saving {
		k := l.nslots
		if callee != nil && callee.gen == nil && !callee.detached {
			k = min(k, int((uintptr(callee.base)-uintptr(f.base))/vsz))
		}
		slots = unsafe.Slice((*Value)(f.base), l.nslots)[:max(k, 0)]
	}
	c.values(&slots)
	c.values(&f.wide)
	if !c.saving {
		copy(unsafe.Slice((*Value)(f.base), l.nslots), slots)
		f.pc = f.at(pc)
	}
	return f
}

func (c *codec) frameState(f *Frame) {
	dst, cont := int(f.dst), int(f.cont)
	c.int(&dst)
	c.int(&cont)
	f.dst, f.cont = uintptr(dst), uint8(cont)
	c.val(&f.self)
	c.val(&f.other)
	c.val(&f.ns)
}

// generatorFrame is the frame of a generator that runs: the generator itself is
// written as an object.
func (c *codec) generatorFrame(g *Generator, up *Frame) *Frame {
	f := &g.frame
	ptr(c, &f.handling)
	c.frameState(f)
	if !c.saving {
		th := c.th
		f.up, f.depth = up, up.depth
		f.free = up.window()
		f.saved, f.detached = segmentState{th.lim, th.seg}, true
		th.lim = nil
		th.gens++
	}
	return f
}
