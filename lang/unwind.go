package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// throw raises err at the instruction at pc: it goes on at a handler, here or in a
// frame above, or at the host.
//
//go:noinline
func throw(ci *Frame, pc unsafe.Pointer, err error) (*Frame, unsafe.Pointer) {
	e := AsError(err)
	if e.Trace == nil {
		ci.th.setContext(e)
	}
	return ci.th.unwind(ci, pc, e, true)
}

// setContext links e to the exception that is being handled.
func (th *Thread) setContext(e *Exception) {
	h := th.handling
	if h == nil || h == e {
		return
	}
	slow, step := h, false
	for o := h; o.Context != nil; o = o.Context {
		if o.Context == e { // no cycles
			o.Context = nil
			break
		}
		if step = !step; !step {
			if slow = slow.Context; slow == o.Context { // a script made one
				break
			}
		}
	}
	e.Context = h
}

// unwind leaves frames until one handles e. Frames left behind drop what they
// hold; trace says whether the first frame adds itself to the traceback.
func (th *Thread) unwind(ci *Frame, pc unsafe.Pointer, e *Exception, trace bool) (*Frame, unsafe.Pointer) {
	for {
		i := ci.index(pc)
		if trace {
			e.addFrame(ci, i)
		}
		trace = true
		if n := len(ci.stages); n > 0 {
			if to, ok := th.abortStages(ci, i, e); ok {
				return ci, ci.at(to)
			}
		}
		if h := ci.handler(i, e); h != nil {
			th.put(ci.slot(h.Exc), e.Value())
			return ci, ci.at(int(h.Target))
		}
		up, next, handled := th.failed(ci, &e)
		if handled {
			return up, next
		}
		ci, pc = up, up.pc
	}
}

// handler is the innermost handler of instruction i that takes e.
func (ci *Frame) handler(i int, e *Exception) *code.Handler {
	hs := ci.code.code.Handlers
	for k := range hs {
		h := &hs[k]
		if i < int(h.From) || i >= int(h.To) {
			continue
		}
		if e.fatal != nil {
			if ci.th.graceOver() {
				return nil
			}
			if in := &ci.code.ins[h.Target]; in.Op == code.PushExc && in.K == 1 {
				continue // except clauses: only finally and with see the end of a run
			}
		}
		return h
	}
	return nil
}

// abortStages gives up the staged regions that e leaves; ok: go on at instruction to.
func (th *Thread) abortStages(ci *Frame, i int, e *Exception) (to int, ok bool) {
	for n := len(ci.stages); n > 0; n = len(ci.stages) {
		s := ci.stages[n-1]
		begin := int(ci.code.code.Regions[s.Region()].Begin)
		if h := ci.handler(i, e); h != nil && (begin < int(h.From) || begin >= int(h.To)) {
			return 0, false // the handler is inside the part
		}
		to, ok = th.Stager.Abort(ci, s, e)
		if len(ci.stages) >= n {
			ci.stages = ci.stages[:n-1]
		}
		if ok {
			return to, true
		}
	}
	return 0, false
}

// failed ends frame ci because of e: it says where to go on in the frame above,
// handled when the exception ends there (at the host, or as the end of a loop).
func (th *Thread) failed(ci *Frame, e **Exception) (*Frame, unsafe.Pointer, bool) {
	up, cont := ci.up, ci.cont
	th.cur = ci
	ci.clear()
	th.cur = up
	ci.stages = ci.stages[:0]
	if ci.gen != nil {
		th.suspended(ci.gen, true)
		if (*e).fatal == nil && (*e).IsA(StopIteration) {
			r := NewException(RuntimeError, NewStr("generator raised StopIteration"))
			r.Cause, r.Context, r.Suppress = *e, *e, true
			*e = r
		}
	} else {
		th.leaveWindow(ci)
	}
	ci.self, ci.other = Value{}, Value{}
	ci.cont = contPlain
	switch cont {
	case contStop:
		th.err = *e
		return up, unsafe.Pointer(&haltIns[0]), true
	case contNext:
		if (*e).fatal == nil && (*e).IsA(StopIteration) {
			in := (*Instr)(up.pc)
			th.put(up.slot(in.A), None)
			return up, unsafe.Add(up.pc, isz), true
		}
	}
	return up, up.pc, false
}

// addFrame puts the frame at instruction i in front of the traceback.
func (e *Exception) addFrame(ci *Frame, i int) {
	c := ci.code.code
	if i < 0 || i >= len(c.Pos) {
		i = 0
	}
	line := c.FirstLine
	if i < len(c.Pos) {
		line = c.Pos[i].Line
	}
	for k := range c.Inlined {
		if n := &c.Inlined[k]; i >= int(n.From) && i < int(n.To) {
			e.Trace = &Traceback{Header: head(TracebackClass, value.KindTraceback), Next: e.Trace, Code: c, PC: int32(i), Line: line, Globals: ci.code.globals, comp: n}
		}
	}
	e.Trace = &Traceback{Header: head(TracebackClass, value.KindTraceback), Next: e.Trace, Code: c, PC: int32(i), Line: line, Globals: ci.code.globals}
}

// ---- leaving frames with a result ----

// slowReturn returns from a frame with counted slots, or whose result is not
// simply stored by the caller.
//
//go:noinline
func slowReturn(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	s := ci.slot(in.A)
	v := *s
	if ci.cont == contInit && !ci.detached && v.IsNone() {
		return ci.returnInit()
	}
	*s = Value{}
	ci.th.cur = ci
	ci.clear()
	return ci.finish(v)
}

// returnInit leaves the frame of an __init__: the result is the new object.
func (ci *Frame) returnInit() (*Frame, unsafe.Pointer) {
	th, up, self := ci.th, ci.up, ci.self
	th.cur = ci
	ci.clear()
	ci.self, ci.cont = Value{}, contPlain
	if ci.other.P != nil {
		ci.other = Value{}
	}
	d := (*Value)(unsafe.Add(up.base, up.dst))
	if d.P == nil || (*Header)(d.P).Own == 0 {
		*d = self
	} else {
		th.cur = up
		th.put(d, self)
	}
	return up, unsafe.Add(up.pc, isz)
}

// finish leaves a frame whose slots are clear, with its result.
func (ci *Frame) finish(v Value) (*Frame, unsafe.Pointer) {
	if ci.gen != nil {
		up, cont := ci.up, ci.cont
		ci.th.suspended(ci.gen, true)
		return ci.deliver(up, cont, v, true)
	}
	ci.th.leaveWindow(ci)
	return ci.deliver(ci.up, ci.cont, v, true)
}

// deliver hands result v of frame ci to the frame above; done is false for a yield.
func (ci *Frame) deliver(up *Frame, cont uint8, v Value, done bool) (*Frame, unsafe.Pointer) {
	th := ci.th
	self, other := ci.self, ci.other
	if self.P != nil || other.P != nil {
		ci.self, ci.other = Value{}, Value{}
	}
	ci.cont = contPlain
	in := (*Instr)(up.pc)
	th.cur = up
	switch cont {
	case contPlain:
		th.put((*Value)(unsafe.Add(up.base, up.dst)), v)
	case contStop:
		th.ret, th.done = v, done
		return up, unsafe.Pointer(&haltIns[0])
	case contInit:
		if !v.IsNone() {
			return throw(up, up.pc, th.TypeErrorf("__init__() should return None, not '%s'", TypeName(v)))
		}
		th.put((*Value)(unsafe.Add(up.base, up.dst)), self)
	case contDrop:
		th.drop(v)
	case contFor, contNext:
		if done && cont == contFor {
			th.drop(v)
			th.put(up.slot(in.A), None)
			return up, unsafe.Add(up.pc, isz)
		}
		th.put(up.slot(in.B), v)
		return up, unsafe.Add(up.pc, jump(in.C, in.K)*int(isz))
	case contNextOr:
		if done {
			th.drop(v)
			return up, unsafe.Add(up.pc, int(int16(in.C))*int(isz))
		}
		th.put(up.slot(in.A), v)
	case contYield:
		if !done {
			return up.yield(v)
		}
		th.put(up.slot(in.B), None)
		th.put(up.slot(in.A), v)
	default:
		return th.deliverOperator(up, cont, v, self, other)
	}
	return up, unsafe.Add(up.pc, isz)
}

// jump is the distance of a 16-bit operand, or of K when that is 0.
func jump(d uint16, k uint64) int {
	if d == 0 {
		return int(int64(k))
	}
	return int(int16(d))
}

func (th *Thread) drop(v Value) {
	if v.P != nil && (*Header)(v.P).Own != 0 {
		drop(th, v)
	}
}

// yield suspends the generator that runs in frame ci; ci.pc is the yield.
func (ci *Frame) yield(v Value) (*Frame, unsafe.Pointer) {
	up, cont := ci.up, ci.cont
	ci.th.suspended(ci.gen, false)
	return ci.deliver(up, cont, v, false)
}

// deliverOperator finishes the instruction at up.pc with what a special method of
// a script class returned.
func (th *Thread) deliverOperator(up *Frame, cont uint8, v, self, other Value) (*Frame, unsafe.Pointer) {
	in := (*Instr)(up.pc)
	var err error
	switch cont {
	case contBinary:
		if v.IsNotImplemented() {
			op, inPlace := operator(in)
			if v, err = th.afterLeft(op, self, other, inPlace); err != nil {
				return throw(up, up.pc, err)
			}
		}
		th.put(up.slot(in.A), v)
		return up, unsafe.Add(up.pc, isz)
	case contCompare, contJump:
		op := comparison(in)
		if v.IsNotImplemented() {
			if v, err = th.afterCompare(op, self, other); err != nil {
				return throw(up, up.pc, err)
			}
		}
		if cont == contCompare {
			th.put(up.slot(in.A), v)
			return up, unsafe.Add(up.pc, isz)
		}
		t, err := Truth(th, v)
		if err != nil {
			return throw(up, up.pc, err)
		}
		return fusedJump(up, up.pc, t)
	case contContain:
		t, err := Truth(th, v)
		if err != nil {
			return throw(up, up.pc, err)
		}
		th.put(up.slot(in.A), Bool(t == (in.K == 0)))
		return up, unsafe.Add(up.pc, isz)
	}
	if !v.IsBool() { // contTruth
		return throw(up, up.pc, th.TypeErrorf("__bool__ should return bool, returned %s", TypeName(v)))
	}
	return testJump(up, up.pc, v.Truth())
}

// operator is the operation of a binary instruction.
func operator(in *Instr) (op BinaryOp, inPlace bool) {
	switch {
	case in.Op >= code.AddSS && in.Op <= code.ModSF:
		rel := in.Op - code.AddSS
		if rel%3 == 0 {
			return BinaryOp(rel / 3), in.K == 1
		}
		return BinaryOp(rel / 3), in.C == 1
	case in.Op == opAnd || in.Op == opOr || in.Op == opXor:
		return BinaryOp(in.K), false
	case in.Op == code.InPlace:
		return BinaryOp(in.K), true
	}
	return BinaryOp(in.K), false
}

func comparison(in *Instr) CompareOp {
	if in.Op == code.Compare {
		return CompareOp(in.K)
	}
	return CompareOp((in.Op - code.JLTSS) / 6)
}

// fusedJump takes the branch of a compare-and-branch instruction whose comparison is t.
func fusedJump(ci *Frame, pc unsafe.Pointer, t bool) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	back := (in.Op-code.JLTSS)/3%2 == 1
	if t == back {
		return ci, unsafe.Add(pc, int(int16(in.A))*int(isz))
	}
	return ci, unsafe.Add(pc, isz)
}

// testJump takes the branch of JumpF or JumpT.
func testJump(ci *Frame, pc unsafe.Pointer, t bool) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	if t == (in.Op == code.JumpT) {
		return ci, unsafe.Add(pc, int(int16(in.A))*int(isz))
	}
	return ci, unsafe.Add(pc, isz)
}

// afterLeft goes on with a binary operation whose left method said NotImplemented.
func (th *Thread) afterLeft(op BinaryOp, a, b Value, inPlace bool) (Value, error) {
	r := NotImplemented
	var err error
	ca, cb := ClassOf(a), ClassOf(b)
	if inPlace {
		r, err = th.tryBinary(op, a, b, 0)
	} else if ca != cb {
		r, err = th.oneOperand(op, a, b, nameReflect[op], true, 0)
	}
	if err == nil && r.IsNotImplemented() {
		err = binaryError(th, op, a, b, inPlace)
	}
	return r, err
}

// afterCompare goes on with a comparison whose left method said NotImplemented.
func (th *Thread) afterCompare(op CompareOp, a, b Value) (Value, error) {
	if cb := ClassOf(b); cb.Compare != nil {
		r, err := cb.Compare(th, swapped[op], b, a)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	switch op {
	case EQ:
		return Bool(a == b), nil
	case NE:
		return Bool(a != b), nil
	}
	return Unbound, th.TypeErrorf("'%s' not supported between instances of '%s' and '%s'", compareText[op], TypeName(a), TypeName(b))
}
