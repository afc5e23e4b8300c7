package lang

import (
	"context"
	"io"
	"math/big"
	"time"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// Interp is one interpreter: modules, classes of scripts, settings. It serves one
// goroutine at a time; any number of them run side by side.
type Interp struct {
	Builtins *Module
	Modules  *Dict // sys.modules: name → module
	Path     []string
	Argv     []string
	Host     Host
	// Native finds the definition of a module in Go, nil for none.
	Native func(name string) *ModuleDef
	// Source finds a module in script of the library, nil for none.
	Source func(name string) *Script
	// Near words the ModuleNotFoundError of an unknown module; "" for Python's text.
	Near func(name string) string
	// Owner says which program has a name that a module lacks ("CPython 3.11"); "" when none has.
	Owner func(module, name string) string
	// Limits of a run.
	MaxSteps int64
	Deadline time.Time
	Grace    time.Duration // for finally blocks after the end of a run was ordered

	// IntDigits is sys.get_int_max_str_digits(); 0 for no limit.
	IntDigits int

	// OnSignal runs the script's handler of a signal.
	OnSignal func(th *Thread, n int) error

	Main       *Thread
	signals    signals
	threads    []*Thread
	recursion  int                 // sys.getrecursionlimit()
	subclasses map[*Class][]*Class // of classes that this interpreter's scripts made
	epoch      uint32
	memory     memory
	mortals    mortals
	sources    map[string]*sourceText                         // by file, for tracebacks
	embedded   map[string]*embedded                           // modules that came compiled, by file
	Warn       func(th *Thread, category *Class, text string) // a warning of the language itself
	units      map[*code.Code]*compile.Unit
	typed      []typedText // exec and the prompt among them, oldest first
	typedSize  int
	WarnAt     func(th *Thread, category *Class, text, file string, line int) // a warning of the compiler
	Ext        map[string]any                                                 // state of bindings, by module name
	// Site numbers the script position of instruction i of a frame, for accounting.
	Site func(f *Frame, i int) uint32
	// Stored is told before a watched object changes.
	Stored func(th *Thread, h *Header)
	// Died is told that the last counted place of an object under Track went.
	Died func(th *Thread, v Value)
	// DisplayHook shows the values of expression statements at the prompt.
	DisplayHook func(th *Thread, v Value) error
	// UnraisableHook takes an exception that nobody can catch; false leaves it to the default.
	UnraisableHook func(th *Thread, e *Exception, where Value) bool
	// Reserve asks for n bytes before something large is made; an error is a MemoryError.
	Reserve func(th *Thread, n int) error
}

// Host is what scripts reach of the world.
type Host struct {
	Stdout, Stderr io.Writer
	Stdin          io.Reader
	Files          Files     // nil: no files
	Processes      Processes // nil: no programs are started
	Now            func() time.Time
	Environ        []string
}

// Thread runs script code: a value stack in segments that never move, and a chain
// of frames that is kept and reused.
type Thread struct {
	Interp *Interp
	stack
	// Session is what the tf binding keeps for emitting ops; lang doesn't look into it.
	Session any
	// Ext holds thread state of other bindings.
	Ext map[string]any
	// Ctx ends the run when it is done.
	Ctx context.Context
	// Interrupt asks for a KeyboardInterrupt at the next check; set from any goroutine by Interp.Interrupt.
	flags    atomicFlags
	quantum  int64 // back-edges and calls between two looks at limits
	budget   int64 // counts down at back-edges and calls
	steps    int64 // budget handed out so far
	epoch    uint32
	operand  [2]big.Int // small ints in an operation with big ones
	ending   error      // the run was ended; finally blocks run within the grace budget
	graceEnd time.Time
	mcache   []methodEntry
	strands  strands
}

// stack is the part of a Thread that each of the script's threads has for itself.
type stack struct {
	// StopValue is the result of the iterator that Next found at its end.
	StopValue Value
	// Stager turns control flow on symbolic values into graphs; nil outside a trace.
	Stager   Stager
	paused   *Frame // innermost frame of a paused run
	where    string // ends the text of a RecursionError in the next nested run
	nested   int    // Go calls into script code under way
	gens     int    // generators running
	handling *Exception
	root     *Frame // the host's frame, above all others
	cur      *Frame // frame that called the native function running now
	lim      unsafe.Pointer
	seg      int
	args     []Value    // scratch for arguments
	passed   *Bound     // a free object of passing
	names    []*Str     // scratch for the names of keywords; nil while in use
	ret      Value      // result of the nested run that has just ended
	err      *Exception // or its exception
	done     bool       // that run returned; false: it yielded
	told     bool       // the end of the run was raised here
	overflow int        // room beyond the recursion limit while a RecursionError is handled
	repr     []unsafe.Pointer
	segs     []segment
	site     uint32
}

type segment struct{ slots []Value }

// Site is the script position being run, as accounting numbers it: the line of
// the instruction in progress.
func (th *Thread) Site() uint32 { return th.site }

// put moves v, with the reference it carries, into a counted place.
func (th *Thread) put(d *Value, v Value) {
	old := *d
	*d = v
	if old.P != nil && (*Header)(old.P).Own != 0 {
		drop(th, old)
	}
}

// keep counts one more place that holds v.
func (th *Thread) keep(v Value) {
	if v.P != nil && (*Header)(v.P).Own != 0 {
		h := (*Header)(v.P)
		switch k := ClassOf(v).Keep; {
		case k != nil:
			k(th, v.P)
		case h.Flags&(value.FlagFinalizable|value.FlagWeakRef) != 0 && h.Own < maxOwn:
			h.Own++
		default:
			h.Own = 0
		}
	}
}

const maxOwn = 1<<16 - 1

// drop gives up one counted place of v. The last one of an object with a
// finalizer runs it: th.cur must be the innermost frame.
//
//go:noinline
func drop(th *Thread, v Value) {
	if d := ClassOf(v).Drop; d != nil {
		d(th, v.P)
		return
	}
	h := (*Header)(v.P)
	const ends = value.FlagFinalizable | value.FlagWeakRef
	if h.Flags&ends == 0 {
		return
	}
	if h.Own--; h.Own == 0 {
		flags := h.Flags & ends
		h.Flags &^= ends
		th.finalize(v, flags)
	}
}

// Keep counts one more place that holds v: a native function that returns an object
// of somebody else gives one reference away with it.
func (th *Thread) Keep(v Value) { th.keep(v) }

// Ended tells those who wait for it that v is no more; what was going on is kept apart.
func (th *Thread) Ended(v Value) { th.finalize(v, value.FlagWeakRef) }

// finalize runs __del__ or closes a generator; what was going on is kept apart.
func (th *Thread) finalize(v Value, flags uint8) {
	stop, ret, err, done, handling := th.StopValue, th.ret, th.err, th.done, th.handling
	th.ret, th.err = Value{}, nil
	if g, ok := AsGenerator(v); ok {
		if e := g.Close(th); e != nil {
			th.Unraisable(e, v)
		}
	} else if f := ClassOf(v).Finalize; f != nil {
		f(th, v)
	}
	if flags&value.FlagWeakRef != 0 && th.Interp.Died != nil {
		th.Interp.Died(th, v)
	}
	th.StopValue, th.ret, th.err, th.done, th.handling = stop, ret, err, done, handling
}

// Stager is the tracer's side of staged code: see design.md §3 and the staging
// instructions of lang/code.
type Stager interface {
	// Symbolic reports a value that only the run of the graph will know.
	Symbolic(v Value) bool
	// Begin opens a region at its test value v; pc is where to go on.
	Begin(f *Frame, region int, v Value) (s Stage, pc int, err error)
	// End resumes the record at the end of a part; done when the region is finished.
	End(f *Frame, s Stage) (pc int, done bool, err error)
	// Abort gives the record up because err passes through; swallowed: go on at pc.
	Abort(f *Frame, s Stage, err *Exception) (pc int, swallowed bool)
	// Call may convert a callee of staged code: it returns the callable to call instead.
	Call(th *Thread, f Value) (Value, error)
}

// Stage is the tracer's record of an open region.
type Stage interface{ Region() int }

// methodEntry caches what a class finds under a name.
type methodEntry struct {
	cls   *Class
	name  *Str
	v     Value
	owner *Class
	epoch uint32
}

const methodCacheSize = 1 << 10

// find is c.lookup through the thread's cache.
func (th *Thread) find(c *Class, name *Str) (Value, *Class) {
	e := th.entry(c, name)
	if e.cls == c && e.name == name && e.epoch == th.epoch {
		return e.v, e.owner
	}
	v, owner := c.lookup(name)
	if name.Flags&flagInterned != 0 {
		*e = methodEntry{c, name, v, owner, th.epoch}
	}
	return v, owner
}

func (th *Thread) entry(c *Class, name *Str) *methodEntry {
	if th.mcache == nil {
		th.mcache = make([]methodEntry, methodCacheSize)
	}
	p, q := uintptr(unsafe.Pointer(c)), uintptr(unsafe.Pointer(name))
	return &th.mcache[(p>>5^q>>4^p>>15)%methodCacheSize]
}

// bumpEpoch makes all caches of methods stale.
func (in *Interp) bumpEpoch() {
	in.epoch++
	for _, th := range in.threads {
		th.epoch = in.epoch
	}
}

// NewInterp makes an interpreter with an empty builtins module and its main thread.
func NewInterp(h Host) *Interp {
	in := &Interp{Host: h, Modules: newDict(), recursion: 1000, IntDigits: format.MaxIntDigits, subclasses: map[*Class][]*Class{}, sources: map[string]*sourceText{}, Ext: map[string]any{}}
	in.Builtins = NewModule("builtins")
	in.Modules.PutStr("builtins", in.Builtins.Value())
	in.Main = in.NewThread()
	return in
}

// NewThread makes another thread of script frames.
func (in *Interp) NewThread() *Thread {
	th := &Thread{Interp: in, quantum: in.quantum(), budget: checkEvery, epoch: in.epoch, Ext: map[string]any{}}
	in.threads = append(in.threads, th)
	th.stack = th.newStack(segmentSlots)
	th.strands.init()
	return th
}

// RecursionLimit is sys.getrecursionlimit().
func (in *Interp) RecursionLimit() int { return in.recursion }

// SetRecursionLimit is sys.setrecursionlimit().
func (in *Interp) SetRecursionLimit(n int) { in.recursion = n }

// Handling is the exception being handled (sys.exc_info), or nil.
func (th *Thread) Handling() *Exception { return th.handling }

// Caller is the innermost script frame, the one that called the native function
// running now; nil at the host.
func (th *Thread) Caller() *Frame { return th.cur }
