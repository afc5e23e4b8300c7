package compile

import (
	"math"
	"math/bits"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// magicNumbers gives m and shift with x/d == (x*m)>>64>>shift for the VM's remainder.
func magicNumbers(d uint64) (m uint64, shift uint16) {
	s := uint(bits.Len64(d - 1))
	var hi, lo uint64
	if s == 0 {
		lo = 1 << 63
	} else {
		hi = 1 << (s - 1)
	}
	q, _ := bits.Div64(hi, lo, d)
	return q + 1, uint16(s - 1)
}

// cond jumps to l if the truth of e is sense. As in CPython the test stands at the
// position current on entry, a statement's, unless it is a comparison: that has its
// own, which stays current afterwards (an assertion that fails is marked there).
func (g *gen) cond(e ast.Expr, sense bool, l *label) {
	if g.dead {
		return
	}
	save := g.sp
	switch n := e.(type) {
	case *ast.UnaryOp:
		if n.Op == ast.Not {
			g.cond(n.Operand, !sense, l)
			return
		}
	case *ast.BoolOp:
		g.condBool(n, sense, l)
		return
	case *ast.Compare:
		g.condCompare(n, sense, l)
		g.sp = save
		return
	}
	if c, ok := constant(e); ok {
		if t, ok := truth(&c); ok {
			if t == sense {
				g.jump(l)
			}
			return
		}
	}
	loc := g.loc
	t := g.operand(e)
	g.loc = loc
	g.test(t, sense, l)
	g.sp = save
}

// test jumps to l if the truth of what is in t is sense.
func (g *gen) test(t slot, sense bool, l *label) {
	op := code.JumpF
	if sense {
		op = code.JumpT
	}
	if l.pos < 0 {
		g.branch(op, 0, t, 0, 0, l)
		return
	}
	skip := newLabel() // a jump backwards counts the budget: JumpBack does
	g.branch(code.JumpF+code.JumpT-op, 0, t, 0, 0, &skip)
	g.jump(l)
	g.place(&skip)
}

// condBool is cond for and/or: a shortcut goes to l or around the last operand.
func (g *gen) condBool(n *ast.BoolOp, sense bool, l *label) {
	last := len(n.Values) - 1
	stops := n.Op == ast.Or // the truth of an operand that decides the whole
	if stops == sense {
		for _, v := range n.Values {
			g.cond(v, sense, l)
		}
		return
	}
	skip := newLabel()
	for _, v := range n.Values[:last] {
		g.cond(v, stops, &skip)
	}
	g.cond(n.Values[last], sense, l)
	g.place(&skip)
}

// fusedJumps are the forward fused jumps in the order of code.CompareOp.
var fusedJumps = [...]code.Op{ast.Lt: code.JLTSS, ast.LtE: code.JLESS, ast.Gt: code.JGTSS, ast.GtE: code.JGESS, ast.Eq: code.JEQSS, ast.NotEq: code.JNESS}

var compareOps = [...]code.CompareOp{ast.Lt: code.CmpLT, ast.LtE: code.CmpLE, ast.Gt: code.CmpGT, ast.GtE: code.CmpGE, ast.Eq: code.CmpEQ, ast.NotEq: code.CmpNE}

func isRich(op ast.CmpOp) bool { return op <= ast.GtE }

// condCompare is cond for comparisons.
func (g *gen) condCompare(n *ast.Compare, sense bool, l *label) {
	mark := g.hidden
	left := g.operand(n.Left)
	last := len(n.Ops) - 1
	skip := newLabel()
	out := &skip
	if !sense {
		out = l
	}
	for i := range last {
		right := g.keep(n.Comparators[i])
		g.condPairSlot(n, left, i, right, false, out)
		left = right
	}
	g.condPair(n, left, last, n.Comparators[last], sense, l)
	g.place(&skip)
	g.hidden = mark
}

// condPair jumps on one comparison with an expression on the right.
func (g *gen) condPair(n *ast.Compare, left slot, i int, right ast.Expr, sense bool, l *label) {
	c, isConst := constant(right)
	op := n.Ops[i]
	switch {
	case isConst && c.Kind == code.ConstNone && (op == ast.Is || op == ast.IsNot):
		jump := code.JumpNotNone
		if (op == ast.Is) == sense {
			jump = code.JumpNone
		}
		g.at(n)
		g.jumpOr(jump, code.JumpNone+code.JumpNotNone-jump, left, l)
	case isConst && c.Kind == code.ConstInt && isRich(op):
		g.rich(n, i, 1, left, 0, uint64(c.I), sense, l)
	case isConst && c.Kind == code.ConstFloat && isRich(op):
		g.rich(n, i, 2, left, 0, math.Float64bits(c.F), sense, l)
	case op == ast.In || op == ast.NotIn:
		g.condPairSlot(n, left, i, g.container(right), sense, l)
	default:
		g.condPairSlot(n, left, i, g.operand(right), sense, l)
	}
}

// condPairSlot jumps on one comparison of two slots.
func (g *gen) condPairSlot(n *ast.Compare, left slot, i int, right slot, sense bool, l *label) {
	if isRich(n.Ops[i]) {
		g.rich(n, i, 0, left, right, 0, sense, l)
		return
	}
	g.at(n)
	t := g.temp()
	g.pair(n.Ops[i], t, left, right)
	g.test(t, sense, l)
}

// jumpOr emits op to l, or around a JumpBack where l lies behind.
func (g *gen) jumpOr(op, opposite code.Op, s slot, l *label) {
	if l.pos < 0 {
		g.branch(op, 0, s, 0, 0, l)
		return
	}
	skip := newLabel()
	g.branch(opposite, 0, s, 0, 0, &skip)
	g.jump(l)
	g.place(&skip)
}

// rich emits a fused compare-and-branch of form (0 SS, 1 SI, 2 SF).
func (g *gen) rich(n *ast.Compare, i int, form code.Op, left, right slot, k uint64, sense bool, l *label) {
	op := fusedJumps[n.Ops[i]] + form
	g.at(n)
	switch {
	case !sense && l.pos < 0:
		g.branch(op, 0, left, right, k, l)
	case sense && l.pos >= 0 && !g.far:
		g.branch(op+3, 0, left, right, k, l)
	case sense:
		skip := newLabel()
		g.branch(op, 0, left, right, k, &skip)
		g.jump(l)
		g.place(&skip)
	default:
		on, skip := newLabel(), newLabel()
		g.branch(op, 0, left, right, k, &on)
		g.jump(&skip)
		g.place(&on)
		g.jump(l)
		g.place(&skip)
	}
}

// pair emits dst ← left op right for any comparison.
func (g *gen) pair(op ast.CmpOp, dst, left, right slot) {
	switch op {
	case ast.Is, ast.IsNot:
		g.emit(code.IsOp, dst, left, right, flag(op == ast.IsNot))
	case ast.In, ast.NotIn:
		g.emit(code.Contains, dst, left, right, flag(op == ast.NotIn))
	default:
		g.emit(code.Compare, dst, left, right, uint64(compareOps[op]))
	}
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// container is operand for the right side of `in`: displays of constants become
// constants.
func (g *gen) container(e ast.Expr) slot {
	var c code.Const
	var ok bool
	switch n := e.(type) {
	case *ast.List:
		c, ok = foldTuple(n.Elts)
	case *ast.Set:
		c, ok = foldTuple(n.Elts)
		c.Kind = code.ConstFrozenSet
	}
	if !ok {
		return g.operand(e)
	}
	t := g.temp()
	g.at(e)
	g.loadConst(c, t)
	return t
}

// compare evaluates a comparison to a value.
func (g *gen) compare(n *ast.Compare, dst slot) {
	if len(n.Ops) == 1 {
		left := g.operand(n.Left)
		var right slot
		if n.Ops[0] == ast.In || n.Ops[0] == ast.NotIn {
			right = g.container(n.Comparators[0])
		} else {
			right = g.operand(n.Comparators[0])
		}
		g.at(n)
		g.pair(n.Ops[0], dst, left, right)
		return
	}
	if g.staged.chain(g, n, dst) {
		return
	}
	mark := g.hidden
	t := g.scratch(dst)
	end := newLabel()
	left := g.operand(n.Left)
	last := len(n.Ops) - 1
	for i, e := range n.Comparators {
		var right slot
		if i == last {
			right = g.operand(e)
		} else {
			right = g.keep(e)
		}
		g.at(n)
		g.pair(n.Ops[i], t, left, right)
		if i < last {
			g.branch(code.JumpF, 0, t, 0, 1, &end)
		}
		left = right
	}
	g.place(&end)
	g.moveTo(dst, t)
	g.hidden = mark
}
