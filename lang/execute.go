package lang

import (
	"context"
	"errors"
	"time"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// enterRun counts a call of script code from Go.
func (th *Thread) enterRun() error {
	th.nested++
	if th.nested > maxNested {
		th.nested--
		return th.recursionError(th.where)
	}
	return nil
}

// execute runs from ci at pc until a frame with contStop ends; its result is in
// th.ret, an exception is returned.
func (th *Thread) execute(ci *Frame, pc unsafe.Pointer) error {
	run(ci, pc)
	if e := th.err; e != nil {
		th.err = nil
		return e
	}
	return nil
}

// runFunc calls a script function from Go.
func (th *Thread) runFunc(fn *Func, args []Value, names []*Str) (Value, error) {
	fn.code.link()
	if fn.code.code.Flags&(code.FlagGenerator|code.FlagCoroutine) != 0 {
		return th.makeGenerator(fn, args, names)
	}
	if err := th.enterRun(); err != nil {
		return Unbound, err
	}
	host := th.cur
	err := th.enterFunc(host, fn, args, names, Unbound)
	if err == nil {
		n := host.next
		err = th.execute(n, fn.code.entry)
	}
	th.cur = host
	th.nested--
	r := th.ret
	th.ret = Value{}
	if err != nil {
		return Unbound, err
	}
	return r, nil
}

// enterFunc makes the frame of a call from Go, above host.
func (th *Thread) enterFunc(host *Frame, fn *Func, args []Value, names []*Str, ns Value) error {
	n, err := th.nextFrame(host, inCall)
	if err != nil {
		return err
	}
	th.place(host, n, nil, fn.code.nslots)
	n.fn, n.code, n.cont, n.ns = fn, fn.code, contStop, ns
	n.setWide()
	slots := unsafe.Slice((*Value)(n.base), fn.code.nslots+1)
	th.keepAll(args)
	if len(args) == fn.code.nparams && len(names) == 0 {
		copy(slots, args)
		return nil
	}
	if err := th.bindArgs(fn, args, names, slots); err != nil {
		n.clear()
		n.cont, n.ns = contPlain, Value{} // the record is used again
		th.leaveWindow(n)
		return err
	}
	return nil
}

// keepAll counts arguments that a frame gets from a borrower.
func (th *Thread) keepAll(args []Value) {
	for _, a := range args {
		th.keep(a)
	}
}

func (n *Frame) setWide() {
	n.wide = nil
	if w := n.code.code.NWide; w > 0 {
		n.wide = make([]Value, w)
	}
}

// makeGenerator calls a generator function.
func (th *Thread) makeGenerator(fn *Func, args []Value, names []*Str) (Value, error) {
	if fn.code.code.Flags&code.FlagCoroutine != 0 {
		return Unbound, th.Raise(NotImplementedError, "async functions are not supported yet: %s", fn.Name.s)
	}
	g := th.newGenerator(fn)
	th.keepAll(args)
	if err := th.bindArgs(fn, args, names, g.slots); err != nil {
		return Unbound, err
	}
	return g.Value(), nil
}

// RunCode runs linked module-level code with a namespace: of the module itself, or
// ns for class bodies and exec with separate locals.
func (th *Thread) RunCode(c *code.Code, globals *Dict, ns Value) (Value, error) {
	return th.RunClosure(c, globals, ns, nil)
}

// RunClosure is RunCode with the cells of the code's free variables.
func (th *Thread) RunClosure(c *code.Code, globals *Dict, ns Value, free []*Cell) (Value, error) {
	l := newLinked(c, globals)
	l.link()
	fn := newFunc(l)
	fn.free = free
	for len(fn.free) < len(c.Free) {
		fn.free = append(fn.free, newCell(Unbound))
	}
	if err := th.enterRun(); err != nil {
		return Unbound, err
	}
	host := th.cur
	err := th.enterFunc(host, fn, nil, nil, ns)
	if err == nil {
		err = th.execute(host.next, l.entry)
	}
	th.cur = host
	th.nested--
	r := th.ret
	th.ret = Value{}
	if err != nil {
		return Unbound, err
	}
	return r, nil
}

// ---- limits ----

// EndError says why a run was ended from outside the script.
type EndError struct{ Reason error }

// Error is the reason.
func (e *EndError) Error() string { return "the run was ended: " + e.Reason.Error() }

// Unwrap is the reason, such as context.Canceled.
func (e *EndError) Unwrap() error { return e.Reason }

// ErrSteps and ErrTime are the reasons of a limit.
var (
	ErrSteps = errors.New("step limit reached")
	ErrTime  = errors.New("time limit reached")
)

// tick looks at interrupts and limits when the budget is used up, then the
// instruction is tried again.
//
//go:noinline
func tick(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	th := ci.th
	th.steps += th.quantum - th.budget
	th.budget = th.quantum
	ci.pc = pc
	th.cur = ci
	if th.nested == 1 && th.strands.onFirst() && th.flags.take(flagPause) {
		return th.pause(ci, pc)
	}
	if th.strands.others() {
		th.yieldSlice()
	}
	if err := th.check(); err != nil {
		return throw(ci, pc, err)
	}
	return ci, pc
}

// turn counts one turn of a loop in Go code, which looks at the limits as a loop of
// the script does.
func (th *Thread) turn() error {
	th.budget--
	if th.budget >= 0 {
		return nil
	}
	return th.renew()
}

// turns counts n turns.
func (th *Thread) turns(n int64) error {
	th.budget -= n
	if th.budget >= 0 {
		return nil
	}
	return th.renew()
}

// renew looks at the limits when the budget is used up.
func (th *Thread) renew() error {
	th.steps += th.quantum - th.budget
	th.budget = th.quantum
	err := th.check()
	if th.flags.bits.Load() != 0 { // a pause must wait for the script's own next turn
		th.steps -= th.quantum
		th.budget = 0
	}
	return err
}

// check raises what others asked for: interrupts and the end of the run.
func (th *Thread) check() error {
	in := th.Interp
	if th.strands.onFirst() && th.flags.take(flagInterrupt) {
		return NewException(KeyboardInterrupt)
	}
	if th.strands.onFirst() && th.flags.take(flagSignal) {
		if err := th.runSignals(); err != nil {
			return err
		}
	}
	if in.memory.max > 0 {
		if err := th.reserve(0); err != nil {
			return err
		}
	}
	if th.ending != nil {
		if th.graceOver() || !th.told {
			return th.endError()
		}
		return nil
	}
	switch {
	case th.Ctx != nil && th.Ctx.Err() != nil:
		th.ending = context.Cause(th.Ctx)
	case in.MaxSteps > 0 && th.steps >= in.MaxSteps:
		th.ending = ErrSteps
	case !in.Deadline.IsZero() && time.Now().After(in.Deadline):
		th.ending = ErrTime
	default:
		return nil
	}
	grace := in.Grace
	if grace == 0 {
		grace = time.Second
	}
	th.graceEnd = time.Now().Add(grace)
	return th.endError()
}

// Check is for loops in Go code that may run long: it raises interrupts and ends.
func (th *Thread) Check() error { return th.check() }

// Turn is Check for loops with short turns: cheap, and counted as steps.
func (th *Thread) Turn() error { return th.turn() }

func (th *Thread) graceOver() bool { return th.ending != nil && time.Now().After(th.graceEnd) }

func (th *Thread) endError() error {
	e := NewException(KeyboardInterrupt, NewStr(th.ending.Error()))
	e.fatal = &EndError{th.ending}
	th.told = true
	return e
}

// Reset forgets that a run was ended: before the next run.
func (th *Thread) Reset() {
	th.ending = nil
	th.steps = 0
	th.cur = th.root
	th.nested, th.gens = 0, 0
	th.lim, th.seg = th.segLim(0), 0
	th.handling = nil
	th.told = false
}
