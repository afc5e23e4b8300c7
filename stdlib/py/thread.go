package py

import (
	"fmt"
	"math"
	"time"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// _thread starts threads, which are strands of the interpreter, and makes the
// locks on which the script module threading builds the rest.
var _ = define("_thread", func() *lang.ModuleDef {
	return &lang.ModuleDef{
		Init: func(th *Thread, m *lang.Module) error {
			m.Set("error", lang.RuntimeError.Value())
			m.Set("TIMEOUT_MAX", lang.Float(timeoutMax))
			m.Set("LockType", lockClass.Value())
			m.Set("RLock", rlockClass.Value())
			return nil
		},
		Defs: []lang.Def{
			{Sig: "start_new_thread(function, args, kwargs=..., /)", Fn: threadStart, Doc: "Start a new thread and return its identifier."},
			{Sig: "allocate_lock()", Fn: func(th *Thread, a []Value) (Value, error) { return newLock(lockClass), nil }, Doc: "Create a new lock object."},
			{Sig: "get_ident()", Fn: threadIdent, Doc: "The identifier of the current thread."},
			{Sig: "get_native_id()", Fn: threadIdent},
			{Sig: "interrupt_main(signum=2, /)", Fn: threadInterrupt},
			{Sig: "_count()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(int64(th.Strands() - 1)), nil }},
			{Sig: "stack_size(size=..., /)", Fn: threadStackSize},
			{Sig: "_local_get(object, dict, name, /)", Fn: localGet},
			{Sig: "_local_set(object, dict, name, value, /)", Fn: localSet},
			{Sig: "_local_del(object, dict, name, /)", Fn: localSet},
			{Sig: "exit()", Fn: func(th *Thread, a []Value) (Value, error) { return fail(lang.NewException(lang.SystemExit)) }},
		},
	}
})

// timeoutMax is the longest wait in seconds that a timeout can ask for.
const timeoutMax = 9223372036

// threadStackSize keeps what is asked for: stacks grow as they need.
func threadStackSize(th *Thread, a []Value) (Value, error) {
	const key, least = "thread.stack", 32 << 10
	given := !a[0].IsUnbound()
	n := 0
	if given {
		var err error
		if n, err = intOf(th, a[0]); err != nil {
			return fail(err)
		}
	}
	if n < 0 {
		return fail(th.ValueErrorf("size must be 0 or a positive value"))
	}
	if n != 0 && n < least {
		return fail(th.ValueErrorf("size not valid: %d bytes", n))
	}
	was, _ := th.Interp.Ext[key].(int)
	if given {
		th.Interp.Ext[key] = n
	}
	return lang.Int(int64(was)), nil
}

// threadInterrupt gives the main thread a signal: to its handler, or Ctrl-C.
func threadInterrupt(th *Thread, a []Value) (Value, error) {
	const sigint, signals = 2, 65
	n := sigint
	if len(a) > 0 {
		var err error
		if n, err = intOf(th, a[0]); err != nil {
			return fail(err)
		}
	}
	if n < 1 || n >= signals {
		return fail(th.ValueErrorf("signal number out of range"))
	}
	if !th.Interp.Signal(n) && n == sigint {
		th.Interp.Interrupt()
	}
	if th.StrandID() != 1 {
		return none, nil
	}
	return none, th.Check()
}

func threadIdent(th *Thread, a []Value) (Value, error) { return lang.Int(th.StrandID()), nil }

func threadStart(th *Thread, a []Value) (Value, error) {
	if !lang.IsCallable(a[0]) {
		return fail(th.TypeErrorf("first arg must be callable"))
	}
	if _, ok := lang.AsTuple(a[1]); !ok {
		return fail(th.TypeErrorf("2nd arg must be a tuple"))
	}
	kw := a[2]
	if kw.IsUnbound() {
		kw = lang.NewDict().Value()
	} else if _, ok := lang.AsDict(kw); !ok {
		return fail(th.TypeErrorf("optional 3rd arg must be a dictionary"))
	}
	args, names := lang.SplitArgs(a[1], kw)
	return lang.Int(th.StartStrand(a[0], args, names)), nil
}

// localGet is an attribute of a threading.local: dict holds those of the strand
// that runs.
func localGet(th *Thread, a []Value) (Value, error) {
	if err := lang.GenericSetAttr(th, a[0], lang.Intern("__dict__"), a[1]); err != nil {
		return fail(err)
	}
	name, _ := lang.AsStr(a[2])
	return lang.GenericGetAttr(th, a[0], name)
}

// localSet stores such an attribute, or deletes it without a value.
func localSet(th *Thread, a []Value) (Value, error) {
	if err := lang.GenericSetAttr(th, a[0], lang.Intern("__dict__"), a[1]); err != nil {
		return fail(err)
	}
	name, _ := lang.AsStr(a[2])
	x := lang.Unbound
	if len(a) > 3 {
		x = a[3]
	}
	return none, lang.GenericSetAttr(th, a[0], name, x)
}

// lock is a lock, or one that its owner may take again. Strands switch only
// where they wait, so its methods need no care for each other.
type lock struct {
	lang.Header
	owner   int64 // strand, 0: free
	count   int   // how often a lock of class RLock was taken
	waiters []int64
}

var (
	lockClass  = newClass("lock", "_thread")
	rlockClass = newClass("RLock", "_thread")
)

func newLock(c *lang.Class) Value {
	return Value{P: unsafe.Pointer(&lock{Header: head(c, value.KindOther)})}
}

func lockOf(v Value) *lock {
	if l := native[lock](v, lockClass); l != nil {
		return l
	}
	return native[lock](v, rlockClass)
}

func init() {
	for _, c := range []*lang.Class{lockClass, rlockClass} {
		rows := lockRows()
		if c == rlockClass {
			rows = append(rows, rlockRows...)
			c.New = &lang.Def{Sig: "__new__(cls, /)", Fn: func(th *Thread, a []Value) (Value, error) { return wrap(a[0], newLock(rlockClass)), nil }}
		} else {
			c.Flags |= lang.ClassNoNew
		}
		lang.DefineMethods(c, rows)
		c.Repr = lockRepr
	}
}

func lockRows() []lang.Def {
	acquire := "(self, blocking=True, timeout=-1)"
	return []lang.Def{
		{Sig: "acquire" + acquire, Fn: lockAcquire, Doc: "Take the lock; without blocking, or after the timeout, say whether that was possible."},
		{Sig: "__enter__" + acquire, Fn: lockAcquire},
		{Sig: "release(self)", Fn: lockRelease, Doc: "Let the lock go."},
		{Sig: "__exit__(self, /, *args)", Fn: lockRelease},
		{Sig: "locked(self)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(lockOf(a[0]).owner != 0), nil }},
		{Sig: "_at_fork_reinit(self)", Fn: func(th *Thread, a []Value) (Value, error) {
			l := lockOf(a[0])
			l.owner, l.count = 0, 0
			return none, nil
		}},
	}
}

// rlockRows are what a Condition asks of a lock that can be taken twice.
var rlockRows = []lang.Def{
	{Sig: "_is_owned(self)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Bool(lockOf(a[0]).owner == th.StrandID()), nil }},
	{Sig: "_recursion_count(self)", Fn: func(th *Thread, a []Value) (Value, error) {
		if l := lockOf(a[0]); l.owner == th.StrandID() {
			return lang.Int(int64(l.count)), nil
		}
		return lang.Int(0), nil
	}},
	{Sig: "_release_save(self)", Fn: func(th *Thread, a []Value) (Value, error) {
		l := lockOf(a[0])
		if l.owner == 0 {
			return fail(th.Raise(lang.RuntimeError, "cannot release un-acquired lock"))
		}
		saved := lang.NewTuple(lang.Int(int64(l.count)), lang.Int(l.owner))
		l.free(th)
		return saved, nil
	}},
	{Sig: "_acquire_restore(self, state, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		t, _ := lang.AsTuple(a[1])
		if t == nil || t.Len() != 2 {
			return fail(th.TypeErrorf("state must be a tuple"))
		}
		l := lockOf(a[0])
		if _, err := l.take(th, time.Time{}); err != nil {
			return fail(err)
		}
		n, _ := lang.AsInt(t.At(0))
		l.count = int(n)
		return none, nil
	}},
}

// lockUntil is the end of the wait that acquire's arguments ask for; zero: none.
func lockUntil(th *Thread, blocking bool, timeout Value) (time.Time, error) {
	s, err := floatOf(th, timeout)
	switch {
	case err != nil:
		return time.Time{}, err
	case !blocking && s != -1:
		return time.Time{}, th.ValueErrorf("can't specify a timeout for a non-blocking call")
	case s < 0 && s != -1:
		return time.Time{}, th.ValueErrorf("timeout value must be a non-negative number")
	case s > timeoutMax || math.IsNaN(s):
		return time.Time{}, th.Raise(lang.OverflowError, "timeout value is too large")
	case s < 0:
		return time.Time{}, nil
	}
	return time.Now().Add(time.Duration(s * 1e9)), nil
}

func lockAcquire(th *Thread, a []Value) (Value, error) {
	l := lockOf(a[0])
	blocking, err := lang.Truth(th, a[1])
	if err != nil {
		return fail(err)
	}
	until, err := lockUntil(th, blocking, a[2])
	if err != nil {
		return fail(err)
	}
	if !blocking && !l.open(th) {
		return lang.False, nil
	}
	got, err := l.take(th, until)
	return lang.Bool(got), err
}

// open reports that the strand that runs can take the lock at once.
func (l *lock) open(th *Thread) bool {
	return l.owner == 0 || l.owner == th.StrandID() && l.Type == &rlockClass.Type
}

// take waits for the lock until that time; got says whether it came.
func (l *lock) take(th *Thread, until time.Time) (got bool, err error) {
	me := th.StrandID()
	for !l.open(th) {
		l.waiters = append(l.waiters, me)
		_, err := th.WaitStrand(until)
		l.forget(me)
		if err != nil {
			if l.owner == 0 {
				l.next(th) // who was to run may have been this one
			}
			return false, err
		}
		if !until.IsZero() && !l.open(th) && !time.Now().Before(until) {
			return false, nil
		}
	}
	l.owner = me
	l.count++
	return true, nil
}

func (l *lock) forget(id int64) {
	for i, w := range l.waiters {
		if w == id {
			l.waiters = append(l.waiters[:i], l.waiters[i+1:]...)
			return
		}
	}
}

// next wakes the one that has waited longest.
func (l *lock) next(th *Thread) {
	if len(l.waiters) > 0 {
		id := l.waiters[0]
		l.waiters = l.waiters[1:]
		th.Wake(id)
	}
}

func (l *lock) free(th *Thread) {
	l.owner, l.count = 0, 0
	l.next(th)
}

func lockRelease(th *Thread, a []Value) (Value, error) {
	l := lockOf(a[0])
	if l.Type != &lockClass.Type {
		if l.owner != th.StrandID() {
			return fail(th.Raise(lang.RuntimeError, "cannot release un-acquired lock"))
		}
		if l.count--; l.count > 0 {
			return none, nil
		}
	} else if l.owner == 0 {
		return fail(th.Raise(lang.RuntimeError, "release unlocked lock"))
	}
	l.free(th)
	return none, nil
}

func lockRepr(th *Thread, v Value) (Value, error) {
	l := lockOf(v)
	state := "unlocked"
	if l.owner != 0 {
		state = "locked"
	}
	more := ""
	if l.Type == &rlockClass.Type {
		more = fmt.Sprintf(" owner=%d count=%d", l.owner, l.count)
	}
	return lang.NewStr("<" + state + " " + lang.ClassOf(v).FullName() + " object" + more + " at " + lang.Address(v) + ">"), nil
}
