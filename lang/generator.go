package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Generator is a suspended frame with slots of its own: nothing moves when it
// yields. A counted place.
type Generator struct {
	Header
	frame    Frame
	slots    []Value
	state    uint8
	name     *Str
	qualname *Str
	handling *Exception // being handled inside when it yielded
}

const (
	genCreated = iota
	genSuspended
	genReady // as suspended, but pc is the next instruction to run
	genRunning
	genDone
)

// newGenerator makes a generator of fn whose parameters the caller fills.
func (th *Thread) newGenerator(fn *Func) *Generator {
	l := fn.code
	g := &Generator{Header: head(GeneratorClass, value.KindGenerator), name: fn.Name, qualname: fn.Qualname}
	g.slots = make([]Value, l.nslots+1)[:max(1, l.nslots)] // one more: loops over slots end behind the last
	g.frame = Frame{th: th, fn: fn, code: l, gen: g, base: unsafe.Pointer(&g.slots[0]), ns: Unbound}
	if len(l.code.Handlers) > 0 {
		g.Header.Flags |= value.FlagFinalizable
		g.Own = 1
	}
	if l.code.NWide > 0 {
		g.frame.wide = make([]Value, l.code.NWide)
	}
	g.frame.pc = l.entry
	return g
}

// Value is g as a script value.
func (g *Generator) Value() Value { return obj(unsafe.Pointer(g)) }

// Frame is the generator's frame.
func (g *Generator) Frame() *Frame { return &g.frame }

// Done reports a generator that has ended.
func (g *Generator) Done() bool { return g.state == genDone }

// resume makes g's frame run next, called from ci; v is what was sent.
func (th *Thread) resume(ci *Frame, g *Generator, v Value, cont uint8) (*Frame, unsafe.Pointer, error) {
	if g.state == genRunning {
		return nil, nil, th.ValueErrorf("generator already executing")
	}
	f := &g.frame
	if int(ci.depth)+th.gens >= th.Interp.recursion+th.overflow {
		return nil, nil, th.recursionError("")
	}
	if f.th != th {
		f.th = th
	}
	if f.up != ci {
		f.up = ci
	}
	f.cont, f.depth = cont, ci.depth
	if w := ci.window(); f.free != w {
		f.free = w
	}
	f.saved.seg = th.seg
	if f.saved.lim != th.lim {
		f.saved.lim = th.lim
	}
	f.detached = true
	if th.lim != nil {
		th.lim = nil
	}
	th.gens++
	if f.handling != th.handling {
		f.handling = th.handling
	}
	if g.state != genCreated && g.handling != nil {
		th.handling = g.handling
	}
	if in := (*Instr)(f.pc); g.state == genSuspended && in.Op != code.YieldFrom {
		if d := f.slot(in.A); d.P == nil || (*Header)(d.P).Own == 0 {
			*d = v
		} else {
			th.put(d, v)
		}
		f.pc = unsafe.Add(f.pc, isz)
	}
	g.state = genRunning
	return f, f.pc, nil
}

// suspended leaves g's frame, at the end (done) or at a yield.
func (th *Thread) suspended(g *Generator, done bool) {
	f := &g.frame
	th.cur = f.up
	th.leaveWindow(f)
	th.gens--
	if f.caught > 0 {
		g.handling = th.handling
	} else if g.handling != nil {
		g.handling = nil
	}
	if th.handling != f.handling {
		th.handling = f.handling
	}
	if f.handling != nil {
		f.handling = nil
	}
	g.state = genSuspended
	if done {
		g.state = genDone
		f.next, f.up = nil, nil
	}
}

// Send resumes the generator from Go: the next value, or false at the end, with
// the generator's result in th.StopValue.
func (g *Generator) Send(th *Thread, v Value) (Value, bool, error) {
	switch {
	case g.state == genDone:
		return endOfIter(th)
	case g.state == genCreated && !v.IsNone():
		return Unbound, false, th.TypeErrorf("can't send non-None value to a just-started generator")
	}
	if !v.IsNone() {
		if d, at := g.delegate(); !d.IsUnbound() {
			return g.sendTo(th, d, at, v)
		}
	}
	return g.run(th, v.Held().Value(), nil)
}

// run resumes g, or raises e in it.
func (g *Generator) run(th *Thread, v Value, e *Exception) (Value, bool, error) {
	if err := th.enterRun(); err != nil {
		return Unbound, false, err
	}
	host := th.cur
	at := g.frame.pc
	f, pc, err := th.resume(host, g, v, contStop)
	if err == nil {
		if e != nil {
			if e.Context == nil {
				th.setContext(e)
			}
			f, pc = th.unwind(f, at, e, true)
		}
		err = th.execute(f, pc)
	}
	th.cur = host
	th.nested--
	if err != nil {
		return Unbound, false, err
	}
	r := th.ret
	th.ret = Value{}
	if th.done {
		th.StopValue = r
		return Unbound, false, nil
	}
	return r, true, nil
}

// delegate is the iterator that g's yield from waits for, Unbound if none.
func (g *Generator) delegate() (Value, *Instr) {
	if g.state != genSuspended {
		return Unbound, nil
	}
	in := (*Instr)(g.frame.pc)
	if in.Op != code.YieldFrom {
		return Unbound, nil
	}
	return *g.frame.slot(in.B), in
}

// sendTo passes a sent value to the iterator of a yield from.
func (g *Generator) sendTo(th *Thread, d Value, in *Instr, v Value) (Value, bool, error) {
	var r Value
	var ok bool
	var err error
	g.state = genRunning
	if sub, isGen := AsGenerator(d); isGen {
		r, ok, err = sub.Send(th, v)
	} else {
		r, err = th.CallMethod(d, "send", v)
		ok = err == nil
		if err != nil {
			err = th.stopIteration(err)
		}
	}
	g.state = genSuspended
	if err == nil && ok {
		return r, true, nil
	}
	return g.finishDelegate(th, in, err)
}

// finishDelegate goes on after the iterator of a yield from ended, with its
// result in th.StopValue, or failed.
func (g *Generator) finishDelegate(th *Thread, in *Instr, err error) (Value, bool, error) {
	if err != nil {
		return g.run(th, None, AsError(err))
	}
	f := &g.frame
	th.put(f.slot(in.A), th.StopValue)
	f.pc = unsafe.Add(f.pc, isz)
	g.state = genReady
	return g.run(th, None, nil)
}

// AsGenerator is v as a generator.
func AsGenerator(v Value) (*Generator, bool) {
	if v.Kind() == value.KindGenerator {
		return (*Generator)(v.P), true
	}
	return nil, false
}

// Throw raises e inside the generator.
func (g *Generator) Throw(th *Thread, e *Exception) (Value, bool, error) {
	switch g.state {
	case genDone:
		return Unbound, false, e
	case genRunning:
		return Unbound, false, th.ValueErrorf("generator already executing")
	case genCreated:
		g.state = genDone
		c := g.frame.code.code
		e.Trace = &Traceback{Header: head(TracebackClass, value.KindTraceback), Next: e.Trace, Code: c, PC: -1, Line: c.FirstLine, Globals: g.frame.code.globals}
		return Unbound, false, e
	}
	d, in := g.delegate()
	if d.IsUnbound() {
		return g.run(th, None, e)
	}
	r, ok, err := g.throwTo(th, d, e)
	if err == nil && ok {
		return r, true, nil
	}
	return g.finishDelegate(th, in, err)
}

func (g *Generator) throwTo(th *Thread, d Value, e *Exception) (r Value, ok bool, err error) {
	g.state = genRunning
	defer func() { g.state = genSuspended }()
	if e.IsA(GeneratorExit) {
		if err := closeIter(th, d); err != nil {
			return Unbound, false, err
		}
		return Unbound, false, e
	}
	if sub, isGen := AsGenerator(d); isGen {
		return sub.Throw(th, e)
	}
	f, found, err := AttrOr(th, d, "throw")
	if err != nil || !found {
		if err == nil {
			err = e
		}
		return Unbound, false, err
	}
	r, err = th.Call(f, []Value{e.Value()})
	if err != nil {
		return Unbound, false, th.stopIteration(err)
	}
	return r, true, nil
}

func closeIter(th *Thread, d Value) error {
	if sub, ok := AsGenerator(d); ok {
		return sub.Close(th)
	}
	f, found, err := AttrOr(th, d, "close")
	if err != nil || !found {
		return err
	}
	_, err = th.Call(f, nil)
	return err
}

// Close raises GeneratorExit inside the generator.
func (g *Generator) Close(th *Thread) error {
	switch g.state {
	case genDone:
		return nil
	case genCreated:
		g.state = genDone
		g.frame.clear()
		return nil
	}
	_, ok, err := g.Throw(th, NewException(GeneratorExit))
	if err == nil && ok {
		return th.Raise(RuntimeError, "generator ignored GeneratorExit")
	}
	if err != nil && (Matches(err, GeneratorExit) || Matches(err, StopIteration)) {
		return nil
	}
	return err
}

func generatorRepr(th *Thread, v Value) (Value, error) {
	g := (*Generator)(v.P)
	return NewStr("<generator object " + g.qualname.s + " at " + Address(v) + ">"), nil
}

func walkGenerator(v Value, visit func(Value)) {
	g := (*Generator)(v.P)
	for _, s := range g.slots {
		visit(s)
	}
	if g.frame.fn != nil {
		visit(g.frame.fn.Value())
	}
}

// generatorRows are the methods of generators.
func generatorRows() []Def {
	return []Def{
		{Sig: "send(self, arg, /)", Doc: "Resume the generator with a value.", Fn: func(th *Thread, a []Value) (Value, error) {
			return th.orStop((*Generator)(a[0].P).Send(th, a[1]))
		}},
		{Sig: "throw(self, type, value=..., traceback=..., /)", Fn: generatorThrow},
		{Sig: "close(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return None, (*Generator)(a[0].P).Close(th) }},
		{Sig: "__name__", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return (*Generator)(a[0].P).name.Value(), nil },
			Set: func(th *Thread, o, x Value) error { return setNameOf(th, "__name__", &(*Generator)(o.P).name, x) }},
		{Sig: "__qualname__", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return (*Generator)(a[0].P).qualname.Value(), nil },
			Set: func(th *Thread, o, x Value) error {
				return setNameOf(th, "__qualname__", &(*Generator)(o.P).qualname, x)
			}},
		{Sig: "gi_running", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			return Bool((*Generator)(a[0].P).state == genRunning), nil
		}},
		{Sig: "gi_suspended", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			return Bool((*Generator)(a[0].P).state == genSuspended), nil
		}},
		{Sig: "gi_frame", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			g := (*Generator)(a[0].P)
			if g.state == genDone {
				return None, nil
			}
			if g.state != genRunning { // who called it last doesn't wait for it
				g.frame.up = nil
			}
			return FrameValue(&g.frame), nil
		}},
		{Sig: "gi_code", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			return (*Generator)(a[0].P).frame.code.object(), nil
		}},
		{Sig: "gi_yieldfrom", Flags: DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			d, _ := (*Generator)(a[0].P).delegate()
			return orNone(d), nil
		}},
	}
}

// orStop turns the end of an iterator into StopIteration.
func (th *Thread) orStop(v Value, ok bool, err error) (Value, error) {
	if err == nil && !ok {
		err = th.Stop()
	}
	return v, err
}

func generatorThrow(th *Thread, a []Value) (Value, error) {
	g := (*Generator)(a[0].P)
	if _, ok := AsException(a[1]); ok && !a[2].IsUnbound() && !a[2].IsNone() {
		return Unbound, th.TypeErrorf("instance exception may not have a separate value")
	}
	if tb := a[3]; !tb.IsUnbound() && !tb.IsNone() && tb.Kind() != value.KindTraceback {
		return Unbound, th.TypeErrorf("throw() third argument must be a traceback object")
	}
	e, err := th.exceptionOf(a[1], a[2])
	if err != nil {
		return Unbound, err
	}
	return th.orStop(g.Throw(th, e))
}

// exceptionOf is the exception object of a raise of class or object x with an
// optional value.
func (th *Thread) exceptionOf(x, v Value) (*Exception, error) {
	if e, ok := AsException(x); ok {
		return e, nil
	}
	c, ok := AsClass(x)
	if !ok || c.Flags&ClassException == 0 {
		return nil, th.TypeErrorf("exceptions must be classes or instances deriving from BaseException, not %s", TypeName(x))
	}
	if e, ok := AsException(v); ok && e.IsA(c) {
		return e, nil
	}
	var args []Value
	if t, ok := AsTuple(v); ok {
		args = Values(t.items)
	} else if !v.IsUnbound() && !v.IsNone() {
		args = []Value{v}
	}
	r, err := th.callClass(c, args, nil)
	if err != nil {
		return nil, err
	}
	e, ok := AsException(r)
	if !ok {
		return nil, th.TypeErrorf("calling %s should have returned an instance of BaseException, not %s", c.FullName(), TypeName(r))
	}
	return e, nil
}

// FrameObject is a frame as a script sees it: sys._getframe, traceback objects.
type FrameObject struct {
	Header
	Code    *code.Code
	Line    int
	Globals *Dict
	Locals  Value
	Back    Value
}

// FrameValue is a snapshot of a frame and of those that called it.
func FrameValue(f *Frame) Value {
	first := Value{}
	for last := (*FrameObject)(nil); f != nil; f = f.Up() {
		o := &FrameObject{Header: head(FrameClass, value.KindOther), Code: f.Code(), Line: f.Line(), Globals: f.Globals(), Locals: f.Locals(f.th), Back: None}
		if last == nil {
			first = obj(unsafe.Pointer(o))
		} else {
			last.Back = obj(unsafe.Pointer(o))
		}
		last = o
	}
	return first
}
