package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// A call in progress: n arguments at w, keyword values last.
type callSite struct {
	w     unsafe.Pointer // first argument
	n     int
	names []*Str
	dst   uint16
	room  bool // the slot before w is free for a receiver
}

func (s *callSite) args() []Value { return unsafe.Slice((*Value)(s.w), s.n) }

// slowCall is Call with a callee that the run loop doesn't enter itself.
//
//go:noinline
func slowCall(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	f := ci.slot(in.A)
	if b, ok := AsBound(*f); ok && b.Header.Flags&flagPassing != 0 {
		self, fn := ci.th.receive(b)
		*f = self
		ci.pc = pc
		return enter(ci, pc, (*Func)(fn.P), callSite{w: unsafe.Pointer(f), n: int(in.B) + 1, dst: in.C}, contPlain, Value{})
	}
	return invoke(ci, pc, *f, callSite{w: unsafe.Add(unsafe.Pointer(f), vsz), n: int(in.B), dst: in.C, room: true})
}

//go:noinline
func slowCallGlobal(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	f := ci.global(in.K).v
	if f.IsUnbound() {
		var err error
		if f, err = ci.builtin(pc); err != nil {
			return throwInner(ci, pc, err)
		}
		if f.Kind() == value.KindFunc {
			return ci, pc
		}
	}
	return invoke(ci, pc, f, callSite{w: unsafe.Pointer(ci.slot(in.A)), n: int(in.B), dst: in.C})
}

func (ci *Frame) global(k uint64) *Cell {
	return *(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.gs)), uintptr(k)))
}

// invoke calls f: script functions get a frame, everything else runs now.
func invoke(ci *Frame, pc unsafe.Pointer, f Value, s callSite) (*Frame, unsafe.Pointer) {
	th := ci.th
	ci.pc = pc
	switch f.Kind() {
	case value.KindFunc:
		return enter(ci, pc, (*Func)(f.P), s, contPlain, Value{})
	case value.KindNative:
		return invokeNative(ci, pc, (*NativeFunc)(f.P), s)
	case value.KindBound:
		b := (*Bound)(f.P)
		switch b.Fn.Kind() {
		case value.KindFunc, value.KindNative:
			self := b.Self
			th.keep(self)
			return invoke(ci, pc, b.Fn, s.withSelf(ci, self))
		}
	case value.KindClass:
		if c := (*Class)(f.P); c.script {
			init := c.init
			if c.initAt != th.epoch+1 {
				init = th.plainInit(c)
				c.init, c.initAt = init, th.epoch+1
			}
			if init != nil {
				self := newInstance(c).Value()
				if s.n+1 == init.code.nparams && len(s.names) == 0 && th.budget > 0 {
					return enterInit(ci, pc, init, s, self)
				}
				th.keep(self)
				return enter(ci, pc, init, s.withSelf(ci, self), contInit, self)
			}
		} else if c.Flags&ClassException != 0 && c.New == nil && c.Init == nil && len(s.names) == 0 {
			e := newException(c)
			e.Args = makeTuple(s.args())
			return finishCall(ci, pc, s, e.Value(), nil)
		} else if c.One != nil && s.n == 1 && len(s.names) == 0 {
			th.cur = ci
			v, err := c.One(th, *(*Value)(s.w))
			return finishCall(ci, pc, s, v, err)
		}
	case value.KindInstance:
		if m, _ := th.find(ClassOf(f), nameCall); m.Kind() == value.KindFunc {
			return invoke(ci, pc, m, s.withSelf(ci, f))
		}
	}
	th.cur = ci
	v, err := th.call(f, s.args(), s.names)
	return finishCall(ci, pc, s, v, err)
}

// enterInit is enter for an __init__ of plain parameters, all given.
func enterInit(ci *Frame, pc unsafe.Pointer, init *Func, s callSite, self Value) (*Frame, unsafe.Pointer) {
	th := ci.th
	th.budget--
	n, err := th.nextFrame(ci, inCall)
	if err != nil {
		return throw(ci, pc, err)
	}
	th.keep(self)
	s = s.withSelf(ci, self)
	ci.dst = uintptr(s.dst)
	l := init.code
	if !th.place(ci, n, s.w, l.nslots) && n.base != s.w {
		args := s.args()
		copy(unsafe.Slice((*Value)(n.base), s.n), args)
		clear(args)
	}
	if n.fn != init {
		n.fn = init
	}
	if n.code != l {
		n.code = l
	}
	n.cont, n.self = contInit, self
	if n.ns.P != nil {
		n.ns = Value{}
	}
	if n.wide != nil {
		n.wide = nil
	}
	return n, l.entry
}

// withSelf puts a receiver before the arguments.
func (s callSite) withSelf(ci *Frame, self Value) callSite {
	if s.room {
		p := unsafe.Add(s.w, -int(vsz))
		old := *(*Value)(p)
		*(*Value)(p) = self
		ci.th.drop(old)
		return callSite{w: p, n: s.n + 1, names: s.names, dst: s.dst}
	}
	b := s.w
	if ci.gen != nil || uintptr(b) >= uintptr(ci.th.lim) { // no room after them: move to free stack
		b = ci.window()
	}
	all := unsafe.Slice((*Value)(b), s.n+1)
	args := s.args()
	copy(all[1:], args)
	if b != s.w {
		clear(args)
	}
	all[0] = self
	return callSite{w: b, n: s.n + 1, names: s.names, dst: s.dst}
}

// plainInit is the script __init__ of a class whose objects are made in the
// ordinary way; nil for others.
func (th *Thread) plainInit(c *Class) *Func {
	const special = ClassDunderNew | ClassAbstract | ClassException | ClassMeta | ClassNoNew
	if c.Flags&special != 0 || c.New != nil || c.Layout != value.KindInstance {
		return nil
	}
	if ClassOf(c.Value()) != TypeClass {
		if m, owner := th.find(ClassOf(c.Value()), nameCall); !m.IsUnbound() && owner != TypeClass {
			return nil
		}
	}
	m, _ := th.find(c, nameInit)
	if m.Kind() != value.KindFunc {
		return nil
	}
	return (*Func)(m.P)
}

// enter makes the frame of a script function for arguments in the window.
func enter(ci *Frame, pc unsafe.Pointer, fn *Func, s callSite, cont uint8, self Value) (*Frame, unsafe.Pointer) {
	th := ci.th
	l := fn.code
	l.link()
	ci.pc = pc
	ci.dst = uintptr(s.dst)
	if th.budget--; th.budget < 0 {
		th.cur = ci
		if err := th.renew(); err != nil {
			return throw(ci, pc, err)
		}
	}
	if l.code.Flags&(code.FlagGenerator|code.FlagCoroutine) != 0 {
		return enterGenerator(ci, pc, fn, s, cont)
	}
	where := ""
	if cont == contInit {
		where = inCall
	}
	n, err := th.nextFrame(ci, where)
	if err != nil {
		return throw(ci, pc, err)
	}
	simple := len(s.names) == 0 && s.n <= l.code.ArgCount && l.code.Flags&(code.FlagVarArgs|code.FlagVarKw) == 0
	inPlace := th.place(ci, n, s.w, l.nslots) || n.base == s.w
	n.fn, n.code, n.cont, n.self, n.ns = fn, l, cont, self, Value{}
	n.setWide()
	slots := unsafe.Slice((*Value)(n.base), l.nslots+1)
	switch {
	case simple:
		if !inPlace {
			args := s.args()
			copy(slots, args)
			clear(args)
		}
		for i := s.n; i < l.code.ArgCount+l.code.KwOnly; i++ {
			slots[i] = Unbound
		}
		if s.n < l.code.ArgCount+l.code.KwOnly {
			err = th.fillDefaults(fn, slots, s.n)
		}
	case inPlace && len(s.names) <= fewKeywords && s.n-len(s.names) <= l.code.ArgCount:
		err = th.bindInPlace(fn, slots, s)
	default:
		args := th.scratch(s.n)
		copy(args, s.args())
		clear(s.args())
		err = th.bindArgs(fn, args, s.names, slots)
		th.unscratch(s.n)
	}
	if err != nil {
		n.clear()
		th.leaveWindow(n)
		n.self, n.cont = Value{}, contPlain
		return throw(ci, pc, err)
	}
	return n, l.entry
}

func enterGenerator(ci *Frame, pc unsafe.Pointer, fn *Func, s callSite, cont uint8) (*Frame, unsafe.Pointer) {
	th := ci.th
	args := th.scratch(s.n)
	copy(args, s.args())
	clear(s.args())
	v, err := th.makeGenerator(fn, args, s.names)
	for _, a := range args {
		th.drop(a)
	}
	th.unscratch(s.n)
	if err != nil {
		return throw(ci, pc, err)
	}
	if cont == contInit {
		return throw(ci, pc, th.TypeErrorf("__init__() should return None, not 'generator'"))
	}
	th.put(ci.slot(s.dst), v)
	return ci, unsafe.Add(pc, isz)
}

// invokeNative calls a function in Go with the window as its arguments.
func invokeNative(ci *Frame, pc unsafe.Pointer, f *NativeFunc, s callSite) (*Frame, unsafe.Pointer) {
	th := ci.th
	th.cur = ci
	args := s.args()
	if f.Def.Flags&DefPure != 0 && s.n > 0 && len(s.names) == 0 {
		return invokePure(ci, pc, f, s)
	}
	if f.Def.Two != nil && s.n == 2 && len(s.names) == 0 {
		v, err := f.Def.Two(th, args[0], args[1])
		return finishCall(ci, pc, s, v, err)
	}
	v, err := f.call(th, args, s.names)
	return finishCall(ci, pc, s, v, err)
}

// invokePure gives up the name that is about to be rebound in `h = f(h)`, so that
// f may reuse its storage; an exception gives it back.
func invokePure(ci *Frame, pc unsafe.Pointer, f *NativeFunc, s callSite) (*Frame, unsafe.Pointer) {
	th := ci.th
	args := s.args()
	d := ci.slot(s.dst)
	old := *d
	early := old.P != nil && (*Header)(old.P).Own > 1 && old.P == args[0].P && d != &args[0]
	if early {
		*d = Value{}
		drop(th, old)
	}
	v, err := f.call(th, args, nil)
	if err != nil && early {
		th.keep(old)
		*d = old
	}
	return finishCall(ci, pc, s, v, err)
}

func finishCall(ci *Frame, pc unsafe.Pointer, s callSite, v Value, err error) (*Frame, unsafe.Pointer) {
	if err != nil {
		return throw(ci, pc, err)
	}
	th := ci.th
	th.release(s.w, s.n, v)
	if uintptr(s.w) >= uintptr(ci.window()) || ci.gen != nil { // copies on free stack
		clear(s.args())
	}
	d := ci.slot(s.dst)
	if d.P != nil && (*Header)(d.P).Own != 0 {
		th.put(d, v)
	} else {
		*d = v
	}
	return ci, unsafe.Add(pc, isz)
}

// slowMethod is CallMethod where the cache doesn't know the receiver.
//
//go:noinline
func slowMethod(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	o := ci.slot(in.A)
	ic := &ci.code.ics[in.K]
	c := ClassOf(*o)
	if ic.nat != nil && ic.cls == c {
		return invokeNative(ci, pc, ic.nat, callSite{w: unsafe.Pointer(o), n: int(in.B) + 1, dst: in.C})
	}
	return lookMethod(ci, pc, ic, callSite{w: unsafe.Add(unsafe.Pointer(o), vsz), n: int(in.B), dst: in.C, room: true})
}

// lookMethod finds a method and calls it; a hit is remembered.
func lookMethod(ci *Frame, pc unsafe.Pointer, ic *attrIC, s callSite) (*Frame, unsafe.Pointer) {
	th := ci.th
	o := (*Value)(unsafe.Add(s.w, -int(vsz)))
	c := ClassOf(*o)
	self := callSite{w: unsafe.Pointer(o), n: s.n + 1, names: s.names, dst: s.dst}
	if c.GetAttr == nil || c.GetAttr != nil && c.Flags&ClassGetAttr != 0 && th.special(*o, nameGetattribute).Kind() != value.KindFunc {
		if m := th.methodOf(*o, c, ic); m.P != nil {
			switch m.Kind() {
			case value.KindFunc:
				return invoke(ci, pc, m, self)
			case value.KindNative:
				in := (*Instr)(pc)
				if flags := (*NativeFunc)(m.P).Def.Flags; in.Op == code.CallMethod {
					switch {
					case flags&DefAppend != 0 && s.n == 1:
						in.Op = opAppend
					case flags&DefGet != 0 && (s.n == 1 || s.n == 2):
						in.Op = opDictGet
					}
				}
				return invokeNative(ci, pc, (*NativeFunc)(m.P), self)
			}
		}
	}
	ci.pc = pc
	th.cur = ci
	f, err := GetAttr(th, *o, ic.name)
	if err != nil {
		return throwInner(ci, pc, err)
	}
	if h := (*Header)(o.P); o.P != nil && h.Own != 0 && h.Kind == value.KindInstance && s.room && f.Kind() == value.KindOther {
		ci.th.put(o, f) // a callable of its own: the receiver may go before the call
	}
	return invoke(ci, pc, f, s)
}

// methodOf is the function that o's class has under the cache's name, when that is
// a plain method and the instance has no attribute in front of it.
func (th *Thread) methodOf(o Value, c *Class, ic *attrIC) Value {
	m, _ := th.find(c, ic.name)
	switch m.Kind() {
	case value.KindFunc, value.KindNative:
	default:
		return Value{}
	}
	if m.Kind() == value.KindNative && ClassOf(m) == NativeClass {
		return Value{}
	}
	in, ok := AsInstance(o)
	if !ok {
		if m.Kind() == value.KindNative && !c.script {
			ic.cls, ic.nat = c, (*NativeFunc)(m.P)
		}
		return m
	}
	if _, own := in.Attr(ic.name); own {
		return Value{}
	}
	if m.Kind() == value.KindFunc && !in.shape.dict && o.Kind() == value.KindInstance {
		f := (*Func)(m.P)
		f.code.link()
		ic.shape, ic.fn, ic.epoch = in.shape, f, th.epoch
	}
	return m
}

// throwInner raises an error of the first half of a fused instruction.
func throwInner(ci *Frame, pc unsafe.Pointer, err error) (*Frame, unsafe.Pointer) {
	e := AsError(err)
	if e.Trace != nil {
		return ci.th.unwind(ci, pc, e, true)
	}
	ci.th.setContext(e)
	e.addFrame(ci, ci.index(pc))
	for t := e.Trace; t != nil; t = t.Next { // a comprehension in the frame is an entry of its own
		t.inner = true
	}
	return ci.th.unwind(ci, pc, e, false)
}

// callKw is CallKw and CallMethodKw.
func callKw(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	o := ci.slot(in.A)
	s := callSite{w: unsafe.Add(unsafe.Pointer(o), vsz), n: int(in.B), dst: in.C, room: true}
	if in.Op == code.CallKw || in.Op == code.SCallKw {
		s.names = ci.code.kwNames(int(in.K))
		return invoke(ci, pc, *o, s)
	}
	s.names = ci.code.kwNames(int(in.K >> 32))
	return lookMethod(ci, pc, &ci.code.ics[in.K&0xFFFFFFFF], s)
}

// kwNames are the keyword names of constant i.
func (l *Linked) kwNames(i int) []*Str {
	if l.kws == nil {
		l.kws = make([][]*Str, len(l.consts))
	}
	if l.kws[i] == nil {
		t := (*Tuple)(l.consts[i].P)
		names := make([]*Str, len(t.items))
		for k, h := range t.items {
			names[k] = (*Str)(h.Value().P).intern()
		}
		l.kws[i] = names
	}
	return l.kws[i]
}

// callEx is f(*args, **kw).
func callEx(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	f, pos, kw := *ci.slot(in.A), *ci.slot(in.A + 16), *ci.slot(in.A + 32)
	items, ok := Sequence(pos)
	if !ok || pos.Kind() == value.KindInstance {
		if !IsIterable(pos) {
			return throw(ci, pc, th.TypeErrorf("%s argument after * must be an iterable, not %s", callName(th, f), TypeName(pos)))
		}
		var err error
		if items, err = ToSlice(th, pos); err != nil {
			return throw(ci, pc, err)
		}
	}
	var names []*Str
	nkw := 0
	d, _ := AsDict(kw)
	if d != nil {
		nkw = d.Len()
	}
	args := th.scratch(len(items) + nkw)
	for i, h := range items {
		args[i] = h.Value()
	}
	if nkw > 0 {
		if f.Kind() == value.KindFunc { // it binds them at once: nobody keeps the names
			names, th.names = th.names[:0], nil
		} else {
			names = make([]*Str, 0, nkw)
		}
		for at := 0; ; {
			k, v, next, ok := d.Entry(at)
			if !ok {
				break
			}
			at = next
			s, isStr := AsStr(k)
			if !isStr {
				th.unscratch(len(args))
				return throw(ci, pc, th.TypeErrorf("keywords must be strings"))
			}
			args[len(items)+len(names)] = v
			names = append(names, s.intern())
		}
	}
	nf, np := invokeSpread(ci, pc, f, args, names)
	th.unscratch(len(args))
	if f.Kind() == value.KindFunc && nkw > 0 {
		th.names = names
	}
	return nf, np
}

// invokeSpread calls f with arguments that stand outside the window. Those of a
// script function are copied to free stack, where its frame takes them over; what
// runs in Go reads its arguments also after a call of script code, whose frames
// would lie there; and the frame of a function that a generator calls begins on
// that very stack, so that the arguments would be moved onto themselves.
func invokeSpread(ci *Frame, pc unsafe.Pointer, f Value, args []Value, names []*Str) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	w := ci.window()
	if len(args) > 1000 || ci.gen != nil || !ci.th.takesArgs(f) || !ci.th.inSegment(w) || uintptr(w) >= uintptr(ci.th.segLim(ci.th.seg)) {
		v, err := ci.th.call(f, args, names)
		if err != nil {
			return throw(ci, pc, err)
		}
		ci.th.put(ci.slot(in.C), v)
		return ci, unsafe.Add(pc, isz)
	}
	*(*Value)(w) = Value{}
	w = unsafe.Add(w, vsz)
	for _, v := range args {
		ci.th.keep(v)
	}
	copy(unsafe.Slice((*Value)(w), len(args)), args)
	return invoke(ci, pc, f, callSite{w: w, n: len(args), names: names, dst: in.C, room: true})
}

// takesArgs reports a callable that begins with a script frame: a function, a method,
// or a class whose objects are made without script code and filled by __init__.
func (th *Thread) takesArgs(f Value) bool {
	switch f.Kind() {
	case value.KindFunc:
		return true
	case value.KindBound:
		return (*Bound)(f.P).Fn.Kind() == value.KindFunc
	case value.KindClass:
		c := (*Class)(f.P)
		if c.Flags&ClassDunderNew != 0 || ClassOf(f) != TypeClass || c.New != nil {
			return false
		}
		init, _ := th.find(c, nameInit)
		return init.Kind() == value.KindFunc
	}
	return false
}

// callName is how messages about * and ** name a callee.
func callName(th *Thread, f Value) string {
	switch f.Kind() {
	case value.KindFunc:
		fn := (*Func)(f.P)
		if m, ok := AsStr(fn.Module); ok && m.s != "builtins" {
			return m.s + "." + fn.Qualname.s + "()"
		}
		return fn.Qualname.s + "()"
	case value.KindNative:
		n := (*NativeFunc)(f.P)
		if n.Class != nil {
			return n.Class.Name + "." + n.Name.s + "()"
		}
		return n.Name.s + "()"
	case value.KindBound:
		return callName(th, (*Bound)(f.P).Fn)
	case value.KindClass:
		return (*Class)(f.P).FullName() + "()"
	}
	return TypeName(f) + " object"
}

// callMethodFrame calls script method m of self with up to one more argument in a
// frame of its own; ok is false when the call must go through Go.
func callMethodFrame(ci *Frame, pc unsafe.Pointer, m *Func, self, arg Value, nargs int, dst uint16, cont uint8) (*Frame, unsafe.Pointer, bool) {
	m.code.link()
	if m.code.nparams != nargs {
		return nil, nil, false
	}
	th := ci.th
	where := ""
	if cont == contCompare || cont == contJump {
		where = inComparison
	}
	n, err := th.nextFrame(ci, where)
	if err != nil {
		f, p := throw(ci, pc, err)
		return f, p, true
	}
	ci.pc, ci.dst = pc, uintptr(dst)
	w := ci.window()
	if ci.gen != nil {
		w = nil
	}
	th.place(ci, n, w, m.code.nslots)
	n.fn, n.code, n.cont, n.self, n.other, n.ns = m, m.code, cont, self, arg, Value{}
	n.wide = nil
	th.keep(self)
	*(*Value)(n.base) = self
	if nargs > 1 {
		th.keep(arg)
		*(*Value)(unsafe.Add(n.base, vsz)) = arg
	}
	return n, m.code.entry, true
}
