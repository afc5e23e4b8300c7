package lang

import (
	"runtime"
	"slices"
	"time"
)

// Strand is one of the threads that a script started, or its main one. Strands
// share a Thread: one runs, and its stack is in the Thread; the others keep theirs
// here. They switch where the Thread looks at its limits (calls and back-edges,
// every few milliseconds) and where one waits.
//
// A strand has a goroutine of its own, because functions in Go may stand on its
// stack when it waits (the key of a sort, a list of an executor's results). The
// baton passes from goroutine to goroutine: never do two of them run.
type Strand struct {
	ID      int64
	stack   stack // while another one runs
	kept    []any // what the Locals keep for it
	baton   chan struct{}
	gone    chan struct{} // closed at the end of a killed one
	until   time.Time     // of a waiting one; zero: for ever
	waiting bool
	imports bool // waits for a module that another one runs
	woken   bool
	stuck   bool // nobody else can run
	killed  bool
}

// Local is state of a binding that each strand has for itself.
type Local interface {
	// Exchange takes what the next strand had left, nil for nothing, and returns
	// what the one before it leaves.
	Exchange(next any) (last any)
}

// strands are the threads of a script.
type strands struct {
	all      []*Strand // the main one first
	now      *Strand
	ready    []*Strand // to run, in this order
	lastID   int64
	interval time.Duration // that one may run while others are ready
	sliceEnd time.Time
	locals   []Local
	spare    []stack
	imports  map[string]*Strand // modules that are being run, by name
	bug      error              // a panic of ours, for the main one
}

const (
	// switchInterval is how long one strand runs while others are ready.
	switchInterval = 5 * time.Millisecond
	// idlePiece is how long nobody looks at interrupts and limits while all wait.
	idlePiece = 20 * time.Millisecond
	// strandSlots is the first segment of a strand's stack.
	strandSlots = 2*marginSlots + 4<<10
	// maxSpare is how many stacks of ended strands are kept for new ones.
	maxSpare = 16
)

func (ss *strands) init() {
	ss.now = ss.add()
	ss.interval = switchInterval
}

func (ss *strands) add() *Strand {
	ss.lastID++
	s := &Strand{ID: ss.lastID, baton: make(chan struct{}, 1), gone: make(chan struct{})}
	ss.all = append(ss.all, s)
	return s
}

func (ss *strands) onFirst() bool { return ss.now == ss.all[0] }
func (ss *strands) others() bool  { return len(ss.all) > 1 }

// take is s, no longer in the queue.
func (ss *strands) take(s *Strand) *Strand {
	ss.ready = slices.DeleteFunc(ss.ready, func(r *Strand) bool { return r == s })
	return s
}

// promote queues the strands whose time to wait is over, the earliest first.
func (ss *strands) promote(now time.Time) (earliest time.Time) {
	for {
		var first *Strand
		for _, s := range ss.all {
			if s.waiting && !s.until.IsZero() && (first == nil || s.until.Before(first.until)) {
				first = s
			}
		}
		if first == nil {
			return time.Time{}
		}
		if first.until.After(now) {
			return first.until
		}
		first.waiting = false
		ss.ready = append(ss.ready, first)
	}
}

// StrandID is the number of the strand that runs now: 1 is the main one.
func (th *Thread) StrandID() int64 { return th.strands.now.ID }

// Strands is how many there are.
func (th *Thread) Strands() int { return len(th.strands.all) }

// AddLocal makes x exchange its state from now on.
func (th *Thread) AddLocal(x Local) { th.strands.locals = append(th.strands.locals, x) }

// SetSwitchInterval is sys.setswitchinterval.
func (th *Thread) SetSwitchInterval(d time.Duration) { th.strands.interval = d }

// SwitchInterval is sys.getswitchinterval.
func (th *Thread) SwitchInterval() time.Duration { return th.strands.interval }

// StartStrand makes a strand that will call f, and returns its number. The new one
// waits for its turn.
func (th *Thread) StartStrand(f Value, args []Value, names []*Str) int64 {
	ss := &th.strands
	s := ss.add()
	if n := len(ss.spare); n > 0 {
		s.stack, ss.spare = ss.spare[n-1], ss.spare[:n-1]
	} else {
		s.stack = th.newStack(strandSlots)
	}
	f = f.Held().Value()
	own := make([]Value, len(args))
	for i, a := range args {
		own[i] = a.Held().Value()
	}
	ss.ready = append(ss.ready, s)
	go s.run(th, f, own, names)
	return s.ID
}

func (s *Strand) run(th *Thread, f Value, args []Value, names []*Str) {
	<-s.baton
	defer th.leaveStrand(s)
	if s.killed {
		return
	}
	if _, err := th.Call(f, args, names...); err != nil {
		if e := AsError(err); e.fatal == nil && !e.IsA(SystemExit) {
			th.unraisable("in thread started by", e, f)
		}
	}
}

// leaveStrand is the end of a strand's goroutine.
func (th *Thread) leaveStrand(s *Strand) {
	p := recover()
	if s.killed {
		close(s.gone)
		return
	}
	ss := &th.strands
	ss.all = slices.DeleteFunc(ss.all, func(o *Strand) bool { return o == s })
	to := ss.all[0]
	if p != nil {
		ss.bug = th.Bug(p)
		ss.take(to)
	} else {
		to = th.nextStrand()
		if len(ss.spare) < maxSpare {
			th.leaveClean()
			ss.spare = append(ss.spare, th.stack)
		}
	}
	th.loadStrand(to)
	to.baton <- struct{}{}
}

// leaveClean makes the stack of an ended strand like a new one.
func (th *Thread) leaveClean() {
	old := th.stack
	th.stack = stack{StopValue: None, root: old.root, cur: old.root, segs: old.segs[:1]}
	th.lim = th.segLim(0)
}

// loadStrand puts the stack of another strand into the thread.
func (th *Thread) loadStrand(to *Strand) {
	ss := &th.strands
	from := ss.now
	from.stack, th.stack, to.stack = th.stack, to.stack, stack{}
	for i, x := range ss.locals {
		for len(from.kept) <= i {
			from.kept = append(from.kept, nil)
		}
		var next any
		if i < len(to.kept) {
			next = to.kept[i]
		}
		from.kept[i] = x.Exchange(next)
	}
	ss.now = to
	ss.sliceEnd = time.Now().Add(ss.interval)
}

// switchTo lets another strand run until this one has its turn again.
func (th *Thread) switchTo(to *Strand) {
	ss := &th.strands
	from := ss.now
	if to == from {
		return
	}
	th.loadStrand(to)
	to.baton <- struct{}{}
	<-from.baton
	if from.killed {
		runtime.Goexit()
	}
	if bug := ss.bug; bug != nil && ss.onFirst() {
		ss.bug = nil
		panic(bug)
	}
}

// yieldSlice lets others run when this strand has had its time. A trace isn't
// interrupted.
func (th *Thread) yieldSlice() {
	ss := &th.strands
	if th.Stager != nil {
		return
	}
	if !ss.onFirst() && th.flags.has(flagInterrupt|flagSignal|flagPause) {
		ss.ready = append(ss.ready, ss.now)
		th.switchTo(ss.interruptible())
		return
	}
	if now := time.Now(); now.After(ss.sliceEnd) {
		ss.promote(now)
		th.YieldStrand()
		ss.sliceEnd = now.Add(ss.interval)
	}
}

// interruptible is the main strand, made to run at once.
func (ss *strands) interruptible() *Strand {
	s := ss.take(ss.all[0])
	s.waiting = false
	return s
}

// YieldStrand lets those run that are ready.
func (th *Thread) YieldStrand() {
	ss := &th.strands
	if len(ss.ready) == 0 {
		return
	}
	ss.ready = append(ss.ready, ss.now)
	th.switchTo(ss.take(ss.ready[0]))
}

// nextStrand is the one to run after the current one, which waits or ends. While
// all of them wait, it sleeps.
func (th *Thread) nextStrand() *Strand {
	ss := &th.strands
	for {
		now := time.Now()
		earliest := ss.promote(now)
		if len(ss.ready) > 0 {
			return ss.take(ss.ready[0])
		}
		if th.mustLook() {
			return ss.interruptible()
		}
		if earliest.IsZero() {
			if th.Interp.signals.handled.Load() == 0 {
				ss.all[0].stuck = true
				return ss.interruptible()
			}
			earliest = now.Add(idlePiece) // a handler of a signal may end the waiting
		}
		time.Sleep(min(earliest.Sub(now), idlePiece))
	}
}

// mustLook reports that the main strand, which waits, has something to raise.
func (th *Thread) mustLook() bool {
	first := &th.stack
	if !th.strands.onFirst() {
		first = &th.strands.all[0].stack
	}
	in := th.Interp
	switch {
	case th.flags.has(flagInterrupt | flagSignal):
		return true
	case th.ending != nil:
		return !first.told || th.graceOver()
	}
	return th.Ctx != nil && th.Ctx.Err() != nil || !in.Deadline.IsZero() && time.Now().After(in.Deadline)
}

// WaitStrand lets others run until somebody wakes this strand, or the time comes
// (the zero Time never does); woken tells which. It is an error when no other
// strand will ever run again.
func (th *Thread) WaitStrand(until time.Time) (woken bool, err error) {
	s := th.strands.now
	s.waiting, s.woken, s.until = true, false, until
	th.switchTo(th.nextStrand())
	s.waiting = false
	if err := th.check(); err != nil {
		return s.woken, err
	}
	if s.stuck {
		s.stuck = false
		return false, th.Raise(RuntimeError, "deadlock: this would wait for ever, every other thread waits too or has ended")
	}
	return s.woken, nil
}

// SleepStrand waits until that time while others run.
func (th *Thread) SleepStrand(until time.Time) error {
	for time.Now().Before(until) {
		if _, err := th.WaitStrand(until); err != nil {
			return err
		}
	}
	return nil
}

// Wake ends the waiting of the strand of that number, which runs when it has its turn.
func (th *Thread) Wake(id int64) {
	for _, s := range th.strands.all {
		if s.ID == id && s.waiting {
			s.waiting, s.woken = false, true
			th.strands.ready = append(th.strands.ready, s)
		}
	}
}

// KillStrands ends all strands but the main one, which calls it, as the end of a
// process does: their finally blocks don't run.
func (th *Thread) KillStrands() {
	ss := &th.strands
	first := ss.all[0]
	for _, s := range ss.all[1:] {
		th.loadStrand(s)
		s.killed = true
		s.baton <- struct{}{}
		<-s.gone
		th.loadStrand(first)
	}
	ss.all, ss.ready = ss.all[:1:1], nil
}

// eachStack calls do for the stack of every strand.
func (th *Thread) eachStack(do func(*stack)) {
	for _, s := range th.strands.all {
		if s == th.strands.now {
			do(&th.stack)
		} else {
			do(&s.stack)
		}
	}
}

// importing notes who runs a module until done is called.
func (th *Thread) importing(name string) (done func()) {
	ss := &th.strands
	if ss.imports == nil {
		ss.imports = map[string]*Strand{}
	}
	ss.imports[name] = ss.now
	return func() { delete(ss.imports, name) }
}

// awaitImport lets another strand finish a module that it runs, unless that one
// waits for a module too: then the unfinished module has to do.
func (th *Thread) awaitImport(name string) error {
	ss := &th.strands
	if !ss.others() {
		return nil
	}
	s := ss.now
	defer func() { s.imports = false }()
	for {
		by := ss.imports[name]
		if by == nil || by == s || by.imports {
			return nil
		}
		s.imports = true
		if _, err := th.WaitStrand(time.Now().Add(time.Millisecond)); err != nil {
			return err
		}
	}
}
