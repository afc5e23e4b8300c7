package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// Instr is an instruction; the interpreter's own copy of code is rewritten in place.
type Instr = code.Instr

const (
	isz = unsafe.Sizeof(Instr{})
	vsz = unsafe.Sizeof(Value{})
)

// Frame is an activation record. The chain of them is kept and reused, so that a
// call allocates nothing. A slot is base+offset.
type Frame struct {
	base unsafe.Pointer
	pc   unsafe.Pointer // of the call in progress
	th   *Thread
	next *Frame
	up   *Frame
	fn   *Func
	code *Linked
	dst  uintptr // where the running callee's result goes
	cont uint8   // how this frame's result reaches the one above; 0: to up.dst

	detached bool   // its window is not inside the caller's
	caught   uint16 // of a generator's frame: except clauses that it is in
	depth    int32
	saved    segmentState
	gen      *Generator
	free     unsafe.Pointer // of a generator's frame: where its callees' windows may begin
	self     Value          // of contInit: the new object; of operators: the left operand
	other    Value          // of operators: the right operand
	ns       Value          // namespace of a class body or of exec
	wide     []Value
	stages   []Stage
	handling *Exception // being handled when the frame of a generator was resumed
}

// How a frame's result is delivered.
const (
	contPlain   = iota
	contStop    // to Go: the run ends
	contInit    // __init__: the result is the new object
	contDrop    // the result is not wanted (setters)
	contFor     // a generator under ForLoop
	contNextOr  // a generator under NextOr
	contYield   // a generator under YieldFrom
	contNext    // __next__ under ForLoop
	contBinary  // an operator's method: NotImplemented goes on to the other operand
	contCompare // a comparison's method, result as a value
	contJump    // a comparison's method under a fused jump
	contTruth   // __bool__ under a jump
	contContain // __contains__
)

// segmentState is where the value stack of a thread stands.
type segmentState struct {
	lim unsafe.Pointer // windows of callees must begin before it
	seg int
}

const (
	segmentSlots = 24 << 10
	marginSlots  = 4096 + 16 // room of the largest frame
	checkEvery   = 20000     // back-edges and calls between two looks at limits
)

var haltIns = []Instr{{Op: opHalt}, {Op: opHalt}}

// newStack makes an empty stack whose first segment has that many slots.
func (th *Thread) newStack(slots int) stack {
	s := stack{StopValue: None, segs: []segment{{make([]Value, slots)}}}
	s.lim = s.segLim(0)
	s.root = &Frame{th: th, code: hostCode, base: unsafe.Pointer(&s.segs[0].slots[0])}
	s.cur = s.root
	return s
}

var hostCode = &Linked{code: &code.Code{Name: "<host>"}}

func (st *stack) addSegment() {
	st.segs = append(st.segs, segment{make([]Value, segmentSlots)})
}

func (st *stack) segLim(i int) unsafe.Pointer {
	s := st.segs[i].slots
	return unsafe.Pointer(&s[len(s)-2*marginSlots])
}

func (th *Thread) depth() int {
	if th.cur == nil {
		return 0
	}
	return int(th.cur.depth) + th.gens
}

// slot is the register at offset o.
func (ci *Frame) slot(o uint16) *Value { return (*Value)(unsafe.Add(ci.base, uintptr(o))) }

// window is where callees of ci that can't overlap with it begin.
func (ci *Frame) window() unsafe.Pointer {
	if ci.gen != nil {
		return ci.free
	}
	return unsafe.Add(ci.base, uintptr(ci.code.nslots)*vsz)
}

// index is the number of the instruction at pc.
func (ci *Frame) index(pc unsafe.Pointer) int {
	return int((uintptr(pc) - uintptr(unsafe.Pointer(unsafe.SliceData(ci.code.ins)))) / isz)
}

func (ci *Frame) at(i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.ins)), uintptr(i)*isz)
}

// take reads slot o for a store elsewhere, with a reference: a temporary moves.
func (ci *Frame) take(o uint16) Value {
	s := ci.slot(o)
	x := *s
	if x.P != nil && (*Header)(x.P).Own != 0 {
		if o >= ci.code.nlocals {
			*s = Value{}
		} else {
			ci.th.keep(x)
		}
	}
	return x
}

// clear drops what the frame's slots hold.
func (ci *Frame) clear() {
	p := ci.base
	for n := ci.code.nslots; n > 0; n-- {
		s := (*Value)(p)
		if old := *s; old.P != nil {
			*s = Value{}
			if (*Header)(old.P).Own != 0 {
				drop(ci.th, old)
			}
		}
		p = unsafe.Add(p, vsz)
	}
	for i := range ci.wide {
		ci.th.put(&ci.wide[i], Value{})
	}
}

// release empties n argument slots of counted values; result v may be one of them.
func (th *Thread) release(p unsafe.Pointer, n int, v Value) {
	passed := false
	for ; n > 0; n-- {
		s := (*Value)(p)
		if o := *s; o.P != nil && (*Header)(o.P).Own != 0 {
			*s = Value{}
			if o.P == v.P && !passed {
				passed = true
			} else {
				drop(th, o)
			}
		}
		p = unsafe.Add(p, vsz)
	}
}

// grow adds a frame to the chain.
func (th *Thread) grow(ci *Frame, where string) (*Frame, error) {
	limit := th.Interp.recursion
	if int(ci.depth)+th.gens >= limit+th.overflow {
		return nil, th.recursionError(where)
	}
	n := &Frame{th: th, up: ci, depth: ci.depth + 1}
	ci.next = n
	return n, nil
}

// How a RecursionError says what was going on.
const (
	inComparison = " in comparison"
	inCall       = " while calling a Python object"
)

// nextFrame is the record for a callee of ci; where ends a RecursionError's text.
func (th *Thread) nextFrame(ci *Frame, where string) (*Frame, error) {
	n := ci.next
	if n == nil {
		return th.grow(ci, where)
	}
	if ci.gen != nil {
		n.depth = ci.depth + 1
	}
	if int(n.depth)+th.gens > th.Interp.recursion+th.overflow {
		return nil, th.recursionError(where)
	}
	n.up = ci
	return n, nil
}

// place sets n's window: at w when it may overlap the caller's, else on free
// stack. It reports whether the arguments at w are in place already.
func (th *Thread) place(ci, n *Frame, w unsafe.Pointer, slots int) bool {
	n.detached = false
	if ci.gen == nil && w != nil && uintptr(w) < uintptr(th.lim) && slots <= marginSlots-64 {
		n.base = w
		return true
	}
	n.detached = true
	n.saved = segmentState{th.lim, th.seg}
	b := ci.window()
	if slots > marginSlots-64 || uintptr(b) >= uintptr(th.segLim(th.seg)) || !th.inSegment(b) {
		th.seg++
		if th.seg == len(th.segs) {
			th.addSegment()
		}
		if slots > marginSlots-64 {
			th.segs[th.seg] = segment{make([]Value, slots+segmentSlots)}
		}
		b = unsafe.Pointer(&th.segs[th.seg].slots[0])
	}
	n.base = b
	th.lim = th.segLim(th.seg)
	return false
}

func (th *Thread) inSegment(b unsafe.Pointer) bool {
	s := th.segs[th.seg].slots
	return uintptr(b) >= uintptr(unsafe.Pointer(&s[0])) && uintptr(b) <= uintptr(unsafe.Pointer(&s[len(s)-1]))
}

// leave undoes place when the frame ends.
func (th *Thread) leaveWindow(n *Frame) {
	if n.detached {
		n.detached = false
		if th.lim != n.saved.lim {
			th.lim = n.saved.lim
		}
		th.seg = n.saved.seg
	}
}

// ---- what others see of frames ----

// Up is the frame that called this one, nil at the outermost.
func (ci *Frame) Up() *Frame {
	for ci = ci.up; ci != nil && ci.code == hostCode; ci = ci.up {
	}
	return ci
}

// Code is the code object the frame runs.
func (ci *Frame) Code() *code.Code { return ci.code.code }

// Func is the function the frame runs.
func (ci *Frame) Func() *Func { return ci.fn }

// PC is the number of the instruction in progress; valid while the frame waits
// for a call.
func (ci *Frame) PC() int { return ci.index(ci.pc) }

// Line is the source line in progress.
func (ci *Frame) Line() int {
	if i := ci.PC(); i >= 0 && i < len(ci.code.code.Pos) {
		return int(ci.code.code.Pos[i].Line)
	}
	return int(ci.code.code.FirstLine)
}

// Thread is the frame's thread.
func (ci *Frame) Thread() *Thread { return ci.th }

// Globals is the module namespace of the frame.
func (ci *Frame) Globals() *Dict { return ci.code.globals }

// Slot reads the register at an offset.
func (ci *Frame) Slot(off uint16) Value { return *ci.slot(off) }

// SetSlot stores into the register at an offset.
func (ci *Frame) SetSlot(off uint16, v Value) { ci.th.put(ci.slot(off), v.Held().Value()) }

// FreeCell is the free cell of a plain index.
func (ci *Frame) FreeCell(i int) *Cell { return ci.fn.free[i] }

// GlobalCell is the cell of a global name.
func (ci *Frame) GlobalCell(name string) *Cell { return ci.code.globals.cell(Intern(name)) }

// Namespace is the dict of a class body or exec, or Unbound.
func (ci *Frame) Namespace() Value { return ci.ns }

// Stages are the open staged regions of the frame, outermost first.
func (ci *Frame) Stages() []Stage { return ci.stages }

// Locals is locals(): the namespace of a module or class body, else a new dict.
func (ci *Frame) Locals(th *Thread) Value {
	c := ci.code.code
	if c.Flags&code.FlagNamespace != 0 && !ci.ns.IsUnbound() && ci.ns.P != nil {
		return ci.ns
	}
	if c.Flags&code.FlagModule != 0 {
		return ci.code.globals.Value()
	}
	d := newDict()
	for i, name := range c.LocalNames {
		if name == "" || name[0] == '.' {
			continue
		}
		v := *(*Value)(unsafe.Add(ci.base, uintptr(i)*vsz))
		if cell := cellOf(v); cell != nil {
			v = cell.v
		}
		if !v.IsUnbound() && ci.liveLocal(i) {
			d.PutStr(name, v)
		}
	}
	for i, f := range c.Free {
		if v := ci.fn.free[i].v; !v.IsUnbound() && f.Name != "__class__" {
			d.PutStr(f.Name, v)
		}
	}
	return d.Value()
}

// File is the file of the frame's code.
func (ci *Frame) File() string { return ci.code.code.File }
