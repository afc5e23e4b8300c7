package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

func exceptionOps(t *[opLast]slow) {
	t[code.Raise] = opRaise
	t[code.Reraise] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		e, _ := AsException(*ci.slot((*Instr)(pc).A))
		ci.pc = pc
		return ci.th.unwind(ci, pc, e, false)
	}
	t[code.Assert] = plainOp(func(ci *Frame, in *Instr) error {
		if in.B == 1 {
			return NewException(AssertionError)
		}
		return NewException(AssertionError, *ci.slot(in.A))
	})
	t[code.PushExc] = plainOp(func(ci *Frame, in *Instr) error {
		th := ci.th
		prev := None
		if th.handling != nil {
			prev = th.handling.Value()
		}
		th.put(ci.slot(in.B), prev)
		ci.caught++
		th.handling, _ = AsException(*ci.slot(in.A))
		if th.handling != nil && th.handling.IsA(RecursionError) && th.overflow == 0 {
			th.overflow = 0
		}
		return nil
	})
	t[code.PopExc] = plainOp(func(ci *Frame, in *Instr) error {
		ci.th.handling, _ = AsException(*ci.slot(in.B))
		ci.caught--
		return nil
	})
	t[code.MatchExc] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		e, _ := AsException(*ci.slot(in.B))
		switch in.K {
		case code.MatchPart:
			return ci.th.matchGroup(e, *ci.slot(in.C))
		case code.MatchLeft:
			list, _ := AsList(*ci.slot(in.C))
			return ci.th.afterGroup(e, list)
		}
		m, err := ci.th.matchException(e, *ci.slot(in.C))
		return Bool(m), err
	})
	t[code.WithEnter] = withEnter
	t[code.WithExit] = withExit
}

// matchException is the test of an except clause.
func (th *Thread) matchException(e *Exception, c Value) (bool, error) {
	if t, ok := AsTuple(c); ok {
		for _, h := range t.items {
			if x, ok := AsClass(h.Value()); !ok || x.Flags&ClassException == 0 {
				return false, th.TypeErrorf("catching classes that do not inherit from BaseException is not allowed")
			}
		}
		for _, h := range t.items {
			if e.fatal == nil && e.IsA((*Class)(h.Value().P)) {
				return true, nil
			}
		}
		return false, nil
	}
	x, ok := AsClass(c)
	if !ok || x.Flags&ClassException == 0 {
		return false, th.TypeErrorf("catching classes that do not inherit from BaseException is not allowed")
	}
	return e.fatal == nil && e.IsA(x), nil
}

// opRaise is the raise statement.
func opRaise(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	if in.B == 0 {
		if th.handling == nil {
			return throw(ci, pc, th.Raise(RuntimeError, "No active exception to reraise"))
		}
		return th.unwind(ci, pc, th.handling, false)
	}
	e, err := th.raised(*ci.slot(in.A))
	if err != nil {
		return throw(ci, pc, err)
	}
	if in.B == 2 {
		if err := th.setCause(e, *ci.slot(in.C)); err != nil {
			return throw(ci, pc, err)
		}
	}
	th.setContext(e)
	return th.unwind(ci, pc, e, true)
}

// raised is the exception that `raise v` raises.
func (th *Thread) raised(v Value) (*Exception, error) {
	if e, ok := AsException(v); ok {
		return e, nil
	}
	c, ok := AsClass(v)
	if !ok || c.Flags&ClassException == 0 {
		return nil, th.TypeErrorf("exceptions must derive from BaseException")
	}
	r, err := th.callClass(c, nil, nil)
	if err != nil {
		return nil, err
	}
	e, ok := AsException(r)
	if !ok {
		return nil, th.TypeErrorf("calling %s should have returned an instance of BaseException, not %s", classText(c), TypeName(r))
	}
	return e, nil
}

func classText(c *Class) string { return "<class '" + c.FullName() + "'>" }

func (th *Thread) setCause(e *Exception, v Value) error {
	e.Suppress = true
	if v.IsNone() {
		e.Cause = nil
		return nil
	}
	c, err := th.raised(v)
	if err != nil {
		if _, ok := AsClass(v); !ok {
			return th.TypeErrorf("exception causes must derive from BaseException")
		}
		return err
	}
	e.Cause = c
	return nil
}

// withEnter begins a with block: A manager → its bound __exit__, C ← __enter__().
func withEnter(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	m := *ci.slot(in.A)
	enter := th.special(m, nameEnter)
	if enter.IsUnbound() {
		return throw(ci, pc, th.TypeErrorf("'%s' object does not support the context manager protocol", TypeName(m)))
	}
	exit := th.special(m, nameExit)
	if exit.IsUnbound() {
		return throw(ci, pc, th.TypeErrorf("'%s' object does not support the context manager protocol (missed __exit__ method)", TypeName(m)))
	}
	bound, err := th.bind(exit, m, ClassOf(m))
	if err != nil {
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.A), bound)
	if enter.Kind() == value.KindFunc {
		if f, p, ok := callMethodFrame(ci, pc, (*Func)(enter.P), m, Value{}, 1, in.C, contPlain); ok {
			return f, p
		}
	}
	v, err := th.callSpecial(m, enter)
	if err != nil {
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.C), v)
	return ci, unsafe.Add(pc, isz)
}

// withExit calls the bound __exit__ in A.
func withExit(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	args := []Value{None, None, None}
	if in.B != code.NoSlot {
		e, _ := AsException(*ci.slot(in.B))
		args[0], args[1] = e.Class().Value(), e.Value()
		if e.Trace != nil {
			args[2] = e.Trace.Value()
		}
	}
	return invokeSpread(ci, pc, *ci.slot(in.A), args, nil)
}

// Value is t as a script value.
func (t *Traceback) Value() Value { return obj(unsafe.Pointer(t)) }

// Unraisable reports an exception that nobody can catch: in __del__, at exit.
func (th *Thread) Unraisable(err error, where Value) { th.unraisable("in", err, where) }

func (th *Thread) unraisable(in string, err error, where Value) {
	if hook := th.Interp.UnraisableHook; hook != nil && hook(th, AsError(err), where) {
		return
	}
	s, _ := Repr(th, where)
	text := "Exception ignored " + in + ": " + s + "\n" + FormatException(th, AsError(err))
	_, _ = th.Interp.Host.Stderr.Write([]byte(text))
}
