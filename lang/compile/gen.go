package compile

import (
	"sync"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// slot numbers a register while code is generated: locals (named, then hidden)
// from 0, temporaries from tempBit. finish turns them into offsets.
type slot = uint16

const tempBit slot = 0x8000

func isTemp(s slot) bool { return s >= tempBit }

// gen makes one code object.
type gen struct {
	u     *Unit
	sc    *scope // where names are looked up: the frame's scope or a comprehension in it
	frame *scope

	ins      []code.Instr
	pos      []code.Pos
	names    interner
	consts   pool
	codes    []*code.Code
	handlers []handlerRef
	inlined  []code.Inlined
	inner    []code.Inner
	regions  []code.Region
	refs     []labelRef // forward references, chained

	loc      code.Pos // of the next instruction
	hidden   int      // locals in use
	maxLocal int
	sp       int // temporaries in use
	maxTemp  int
	blocks   []block
	bound    slotSet // locals that are bound for sure
	unstable slotSet // locals that some statement unbinds
	doubtful slotSet // locals that some Check reads
	fixed    int32   // something refers to this instruction number
	dead     bool    // no way leads here
	far      bool    // conditional jumps go through Jump
	tooFar   bool    // a distance did not fit
	wide     bool    // locals from wideFrom on live in the wide area
	nWide    int
	qualname string
	doc      *string
	staged   *stagedState

	interactive bool
}

// gens keeps generators for their buffers.
var gens = sync.Pool{New: func() any { return &gen{} }}

// reset empties g for another code object and keeps its buffers.
func (g *gen) reset() {
	*g = gen{
		ins: g.ins[:0], pos: g.pos[:0], names: g.names.reset(), consts: g.consts.reset(), codes: nil,
		handlers: g.handlers[:0], refs: g.refs[:0], blocks: g.blocks[:0], inlined: g.inlined[:0], inner: g.inner[:0],
	}
}

// generate runs body for a new code object of scope s; a text that needs long jumps
// or many slots is generated again in that form.
func (u *Unit) generate(s *scope, flags uint32, body func(*gen)) *code.Code {
	return u.generateAs(s, flags, nil, body)
}

func (u *Unit) generateAs(s *scope, flags uint32, st func() *stagedState, body func(*gen)) *code.Code {
	far, wide := false, false
	for {
		g := gens.Get().(*gen)
		g.u, g.sc, g.frame, g.far, g.wide = u, s, s, far, wide
		g.qualname = s.qualname
		if st != nil {
			g.staged = st()
		}
		g.begin()
		body(g)
		g.end()
		if g.tooFar && !far {
			far = true
			g.reset()
			continue
		}
		if !wide && g.maxLocal+g.maxTemp >= maxSlots {
			if st != nil {
				return nil // regions name slots: the function stays unconverted
			}
			wide = true
			g.reset()
			continue
		}
		c := g.finish(flags)
		u.origins[c] = s
		g.reset() // lets go of the tree
		gens.Put(g)
		return c
	}
}

// begin reserves the named locals, binds the parameters and makes the cells.
func (g *gen) begin() {
	n := g.namedEnd()
	g.hidden, g.maxLocal = n, n
	if g.wide {
		g.nWide = max(len(g.frame.locals)-wideFrom, 0)
	}
	for slot, i := range g.frame.locals {
		sym := &g.frame.syms[i]
		if sym.flags&symParam != 0 {
			g.bound.set(slot)
		}
		if sym.flags&symDeleted != 0 {
			g.unstable.set(slot)
		}
	}
	g.loc = firstLine(g.frame.node)
	for slot, i := range g.frame.locals {
		if sym := &g.frame.syms[i]; sym.place == inCell {
			fresh := uint16(1)
			if sym.flags&symParam != 0 {
				fresh = 0
			}
			g.emit(code.NewCell, uint16(slot), fresh, 0, 0)
		}
	}
}

// end returns None where the text runs out.
func (g *gen) end() {
	if !g.dead {
		t := g.temp()
		g.emit(code.LoadNone, t, 0, 0, 0)
		g.emit(code.Return, t, 0, 0, 0)
	}
}

func firstLine(n ast.Node) code.Pos {
	w := n.Where()
	if w.Line == 0 {
		return code.Pos{Line: 1}
	}
	return code.Pos{Line: w.Line, Col: w.Col, EndLine: w.Line, EndCol: w.Col}
}

// at makes n the position of what is emitted next.
func (g *gen) at(n ast.Node) {
	w := n.Where()
	g.loc = code.Pos{Line: w.Line, Col: w.Col, EndLine: w.EndLine, EndCol: w.EndCol}
}

func spanPos(w *ast.Span) code.Pos {
	return code.Pos{Line: w.Line, Col: w.Col, EndLine: w.EndLine, EndCol: w.EndCol}
}

func (g *gen) emit(op code.Op, a, b, c uint16, k uint64) int {
	g.ins = append(g.ins, code.Instr{Op: op, A: a, B: b, C: c, K: k})
	g.pos = append(g.pos, g.loc)
	return len(g.ins) - 1
}

func (g *gen) pc() int32 { return int32(len(g.ins)) }

// firstHalf notes where the first half of the fused instruction that comes next can fail.
func (g *gen) firstHalf(n ast.Node) {
	g.inner = append(g.inner, code.Inner{At: g.pc(), Pos: spanPos(n.Where())})
}

// temp takes the next temporary.
func (g *gen) temp() slot {
	s := tempBit + slot(g.sp)
	g.sp++
	g.maxTemp = max(g.maxTemp, g.sp)
	return s
}

// top is the temporary that temp would take; a call's window may begin there.
func (g *gen) top() slot {
	g.maxTemp = max(g.maxTemp, g.sp+1)
	return tempBit + slot(g.sp)
}

// hide takes n consecutive hidden locals. They are freed by setting g.hidden back.
func (g *gen) hide(n int) slot {
	s := g.hidden
	g.hidden += n
	g.maxLocal = max(g.maxLocal, g.hidden)
	for i := s; i < g.hidden; i++ {
		g.bound.set(i)
	}
	return slot(s)
}

// name returns the index of a name.
func (g *gen) name(s string) uint64 { return uint64(g.names.index(s)) }
