package compile

import "github.com/tfs-lang/tfs/lang/code"

// label is a place in the code that jumps go to. It collects which locals are bound
// for sure on every way to it.
type label struct {
	pos     int32 // -1 before place
	refs    int32 // last forward reference + 1
	reached bool
	bound   slotSet
}

type labelRef struct {
	at   int32
	prev int32
}

func newLabel() label { return label{pos: -1} }

// join notes that control can go from here to l.
func (g *gen) join(l *label) {
	if g.dead || l.pos >= 0 {
		return
	}
	if !l.reached {
		l.reached, l.bound = true, g.bound
		return
	}
	l.bound.and(g.bound)
}

// goTo notes that instruction at jumps to l.
func (g *gen) goTo(at int, l *label) {
	g.join(l)
	if l.pos >= 0 {
		g.patch(at, int(l.pos))
		return
	}
	g.refs = append(g.refs, labelRef{int32(at), l.refs})
	l.refs = int32(len(g.refs))
}

// place puts l here.
func (g *gen) place(l *label) {
	g.join(l)
	g.dropJump(l)
	l.pos = g.pc()
	g.fixed = l.pos
	for r := l.refs; r != 0; r = g.refs[r-1].prev {
		g.patch(int(g.refs[r-1].at), int(l.pos))
	}
	l.refs = 0
	g.dead = !l.reached
	g.bound = l.bound
}

// dropJump takes back a jump to l that would go to the next instruction.
func (g *gen) dropJump(l *label) {
	at := g.pc() - 1
	if l.refs == 0 || g.refs[l.refs-1].at != at || g.ins[at].Op != code.Jump || g.fixed > at {
		return
	}
	l.refs = g.refs[l.refs-1].prev
	g.ins, g.pos = g.ins[:at], g.pos[:at]
}

// patch makes the jump at go to instruction to.
func (g *gen) patch(at, to int) {
	in, d := &g.ins[at], to-at
	switch info := code.Describe(in.Op); {
	case in.Op == code.Jump || in.Op == code.JumpBack:
		in.K = uint64(int64(d))
	case info.K == code.KJump && g.far:
		in.K = uint64(int64(d))
	case d != int(int16(d)):
		g.tooFar = true
	case info.A == code.Distance:
		in.A = uint16(int16(d))
	case info.B == code.Distance:
		in.B = uint16(int16(d))
	default:
		in.C = uint16(int16(d))
	}
}

// jump emits an unconditional jump to l.
func (g *gen) jump(l *label) {
	if g.dead {
		return
	}
	op := code.Jump
	if l.pos >= 0 {
		op = code.JumpBack
	}
	g.goTo(g.emit(op, 0, 0, 0, 0), l)
	g.dead = true
}

// branch emits a conditional jump to l. In far form it jumps over a Jump's neighbour:
// the condition goes to the Jump, the other way around it.
func (g *gen) branch(op code.Op, a, b, c uint16, k uint64, l *label) {
	if g.dead {
		return
	}
	at := g.emit(op, a, b, c, k)
	if !g.far {
		g.goTo(at, l)
		return
	}
	g.patch2(at, 2)
	g.emit(code.Jump, 0, 0, 0, 2)
	long := code.Jump
	if l.pos >= 0 {
		long = code.JumpBack
	}
	g.goTo(g.emit(long, 0, 0, 0, 0), l)
}

// patch2 sets the short distance of a conditional jump.
func (g *gen) patch2(at, d int) {
	in := &g.ins[at]
	switch info := code.Describe(in.Op); {
	case info.A == code.Distance:
		in.A = uint16(d)
	case info.B == code.Distance:
		in.B = uint16(d)
	default:
		in.C = uint16(d)
	}
}
