package compile

import (
	"math"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// operand returns a slot with the value of e: the slot of a local that is surely bound,
// else a new temporary.
func (g *gen) operand(e ast.Expr) slot {
	if n, ok := e.(*ast.Name); ok {
		if s, ok := g.localSlot(n); ok {
			return s
		}
	}
	t := g.temp()
	g.to(e, t)
	return t
}

// keep is operand for a value that is read more than once: a local, named or hidden.
func (g *gen) keep(e ast.Expr) slot {
	if n, ok := e.(*ast.Name); ok {
		if s, ok := g.localSlot(n); ok {
			return s
		}
	}
	h := g.hide(1)
	g.to(e, h)
	return h
}

// discard evaluates e for its effects.
func (g *gen) discard(e ast.Expr) {
	save := g.sp
	switch n := e.(type) {
	case *ast.Constant:
	case *ast.Name:
		if _, ok := g.localSlot(n); !ok {
			g.load(n.Id, g.temp(), n)
		}
	case *ast.Call: // written last of all: its own operands may begin there, and so may the next statement's
		t := g.temp()
		g.sp = save
		g.call(n, t)
	default:
		g.to(e, g.temp())
	}
	g.sp = save
}

// to evaluates e into dst. A named slot is written last of all, so that a failing
// expression leaves it alone.
func (g *gen) to(e ast.Expr, dst slot) {
	save := g.sp
	switch n := e.(type) {
	case *ast.Name:
		g.load(n.Id, dst, n)
	case *ast.Constant:
		g.at(n)
		g.loadConst(literal(n.Value), dst)
	case *ast.Call:
		g.call(n, dst)
	case *ast.Attribute:
		if g.superAttribute(n, dst) {
			break
		}
		o := g.operand(n.Value)
		g.atAttribute(n)
		g.emit(code.GetAttr, dst, o, 0, g.name(g.sc.mangle(n.Attr)))
	case *ast.BinOp:
		g.binary(n, dst)
	case *ast.Subscript:
		g.subscript(n, dst)
	case *ast.Compare:
		g.compare(n, dst)
	case *ast.BoolOp:
		g.boolOp(n, dst)
	case *ast.UnaryOp:
		g.unary(n, dst)
	case *ast.Tuple:
		if c, ok := constant(n); ok {
			g.at(n)
			g.loadConst(c, dst)
			break
		}
		g.display(n, n.Elts, code.BuildTuple, dst)
	case *ast.List:
		g.list(n, dst)
	case *ast.IfExp:
		g.ifExp(n, dst)
	default:
		g.rarer(e, dst)
	}
	g.sp = save
}

// rarer evaluates the expressions that to leaves over.
func (g *gen) rarer(e ast.Expr, dst slot) {
	switch n := e.(type) {
	case *ast.Dict:
		g.dict(n, dst)
	case *ast.Set:
		g.set(n, dst)
	case *ast.Slice:
		g.at(n)
		b := g.sliceParts(n)
		g.at(n)
		g.emit(code.BuildSlice, dst, b, 0, 0)
	case *ast.JoinedStr:
		g.joined(n, dst)
	case *ast.FormattedValue:
		g.formatted(n, dst)
	case *ast.Lambda:
		g.lambda(n, dst)
	case *ast.NamedExpr:
		t := g.temp()
		g.to(n.Value, t)
		g.at(n)
		g.emit(code.Move, dst, g.bindCopy(n.Target.(*ast.Name).Id, t), 0, 0)
	case *ast.Yield:
		g.yield(n, dst)
	case *ast.YieldFrom:
		t := g.operandTemp(n.Value)
		g.at(n)
		g.emit(code.GetIter, t, t, 0, 0)
		g.emit(code.YieldFrom, dst, t, 0, 0)
	case *ast.Await:
		g.unsupported(n, "await")
	case *ast.ListComp, *ast.SetComp, *ast.DictComp:
		g.comprehension(n, dst)
	case *ast.GeneratorExp:
		g.genexp(n, dst)
	case *ast.Starred:
		g.to(n.Value, dst)
	}
}

// bindCopy binds name to the value in temporary t and returns a slot that still has it.
func (g *gen) bindCopy(name string, t slot) slot {
	sym, _ := g.lookup(name)
	if sym.place == inSlot && !g.isWide(sym) {
		g.store(name, t)
		return slot(sym.index)
	}
	h := g.hide(1)
	g.emit(code.Move, h, t, 0, 0)
	g.store(name, h)
	g.hidden--
	return h
}

// operandTemp evaluates e into a new temporary.
func (g *gen) operandTemp(e ast.Expr) slot {
	t := g.temp()
	g.to(e, t)
	return t
}

func (g *gen) unsupported(n ast.Node, what string) {
	g.at(n)
	g.emit(code.Unsupported, 0, 0, 0, g.constIndex(literal("'"+what+"' is not supported yet")))
}

// atAttribute is the position of an attribute's own instruction: where the attribute
// stands on a later line than its object, only the name is marked.
func (g *gen) atAttribute(n *ast.Attribute) {
	g.at(n)
	g.loc = attributePos(n, g.loc)
}

// attributePos moves the start of p to the name of attribute n if the name is on another line.
func attributePos(n *ast.Attribute, p code.Pos) code.Pos {
	if n.Line != n.EndLine {
		p.Line = n.EndLine
		p.Col = max(n.EndCol-int32(len(n.Attr)), 0)
	}
	return p
}

func (g *gen) yield(n *ast.Yield, dst slot) {
	t := g.scratch(dst)
	if n.Value != nil {
		g.to(n.Value, t)
		g.at(n)
	} else {
		g.at(n)
		g.emit(code.LoadNone, t, 0, 0, 0)
	}
	g.emit(code.Yield, t, 0, 0, 0)
	g.moveTo(dst, t)
}

var unaryOps = [...]code.UnaryOperator{ast.Invert: code.OpInvert, ast.Not: code.OpNot, ast.UAdd: code.OpPos, ast.USub: code.OpNeg}

func (g *gen) unary(n *ast.UnaryOp, dst slot) {
	if c, ok := constant(n); ok {
		g.at(n)
		g.loadConst(c, dst)
		return
	}
	o := g.operand(n.Operand)
	g.at(n)
	if n.Op == ast.Not && g.staged != nil {
		g.emit(code.SNot, dst, o, 0, 0)
		return
	}
	g.emit(code.UnaryOp, dst, o, 0, uint64(unaryOps[n.Op]))
}

// arithOps are the groups of arithmetic instructions; 0 for operators that have none.
var arithOps = [...]code.Op{ast.Add: code.AddSS, ast.Sub: code.SubSS, ast.Mult: code.MulSS, ast.Div: code.DivSS,
	ast.FloorDiv: code.FloorDivSS, ast.Mod: code.ModSS, ast.MatMult: 0, ast.Pow: 0, ast.LShift: 0, ast.RShift: 0,
	ast.BitOr: 0, ast.BitXor: 0, ast.BitAnd: 0}

var binaryOps = [...]code.BinaryOp{ast.Add: code.OpAdd, ast.Sub: code.OpSub, ast.Mult: code.OpMul, ast.MatMult: code.OpMatMul,
	ast.Div: code.OpDiv, ast.Mod: code.OpMod, ast.Pow: code.OpPow, ast.LShift: code.OpLShift, ast.RShift: code.OpRShift,
	ast.BitOr: code.OpOr, ast.BitXor: code.OpXor, ast.BitAnd: code.OpAnd, ast.FloorDiv: code.OpFloorDiv}

func (g *gen) binary(n *ast.BinOp, dst slot) {
	if c, ok := constant(n); ok {
		g.at(n)
		g.loadConst(c, dst)
		return
	}
	if g.mulAdd(n, dst) {
		return
	}
	l := g.operand(n.Left)
	g.arith(n, n.Op, dst, l, n.Right, false)
}

// arith emits dst ← l op right at the position of n; augmented marks `l op= right`.
func (g *gen) arith(n ast.Node, op ast.Operator, dst, l slot, right ast.Expr, augmented bool) {
	aug := uint16(0)
	if augmented {
		aug = 1
	}
	base := arithOps[op]
	if c, ok := constant(right); ok && base != 0 {
		switch c.Kind {
		case code.ConstInt:
			g.at(n)
			if op == ast.Mod && c.I > 1 {
				m, s := magic(c.I)
				g.emit(code.ModMagic, dst, l, 0, uint64(c.I))
				g.emit(code.Data, s, 0, 0, m)
			}
			g.emit(base+1, dst, l, aug, uint64(c.I))
			return
		case code.ConstFloat:
			g.at(n)
			g.emit(base+2, dst, l, aug, math.Float64bits(c.F))
			return
		}
	}
	r := g.operand(right)
	g.at(n)
	switch {
	case base != 0:
		g.emit(base, dst, l, r, uint64(aug))
	case augmented:
		g.emit(code.InPlace, dst, l, r, uint64(binaryOps[op]))
	default:
		g.emit(code.BinOp, dst, l, r, uint64(binaryOps[op]))
	}
}

// mulAdd fuses x*y+z, z+x*y and z-x*y.
func (g *gen) mulAdd(n *ast.BinOp, dst slot) bool {
	if n.Op != ast.Add && n.Op != ast.Sub {
		return false
	}
	if m := product(n.Right); m != nil && !isConstant(n.Left) {
		op := code.MulAddR
		if n.Op == ast.Sub {
			op = code.MulSubR
		}
		z := g.operand(n.Left)
		x, y := g.operand(m.Left), g.operand(m.Right)
		g.fused(n, m, op, dst, x, y, z)
		return true
	}
	if m := product(n.Left); m != nil && n.Op == ast.Add {
		z, ok := n.Right.(*ast.Name) // anything else could fail before the product does
		if !ok || !g.isSureLocal(z) {
			return false
		}
		x, y := g.operand(m.Left), g.operand(m.Right)
		g.fused(n, m, code.MulAddL, dst, x, y, g.operand(z))
		return true
	}
	return false
}

// isSureLocal reports a local whose slot can be read without a check.
func (g *gen) isSureLocal(n *ast.Name) bool {
	sym, _ := g.lookup(n.Id)
	return sym.place == inSlot && !g.isWide(sym) && sym.flags&symWalrus == 0 && g.bound.has(sym.index)
}

func (g *gen) fused(n, inner *ast.BinOp, op code.Op, dst, x, y, z slot) {
	g.at(n)
	g.firstHalf(inner)
	g.emit(op, dst, x, y, uint64(z))
}

func product(e ast.Expr) *ast.BinOp {
	m, ok := e.(*ast.BinOp)
	if !ok || m.Op != ast.Mult || isConstant(m.Left) || isConstant(m.Right) {
		return nil
	}
	return m
}

func isConstant(e ast.Expr) bool {
	_, ok := constant(e)
	return ok
}

// magic gives multiplier and shift for the remainder by d > 1.
func magic(d int64) (m uint64, shift uint16) { return magicNumbers(uint64(d)) }

func (g *gen) subscript(n *ast.Subscript, dst slot) {
	o := g.operand(n.Value)
	if sl, ok := n.Slice.(*ast.Slice); ok {
		b := g.sliceParts(sl)
		g.at(n)
		g.emit(code.GetSlice, dst, o, b, 0)
		return
	}
	if c, ok := constant(n.Slice); ok && c.Kind == code.ConstInt {
		g.at(n)
		g.emit(code.GetItemI, dst, o, 0, uint64(c.I))
		return
	}
	i := g.operand(n.Slice)
	g.at(n)
	g.emit(code.GetItem, dst, o, i, 0)
}

// sliceParts puts lower, upper and step into three temporaries.
func (g *gen) sliceParts(n *ast.Slice) slot {
	b := g.temp()
	g.temp()
	g.temp()
	for i, e := range [...]ast.Expr{n.Lower, n.Upper, n.Step} {
		if e == nil {
			g.emit(code.LoadNone, b+slot(i), 0, 0, 0)
		} else {
			g.to(e, b+slot(i))
		}
	}
	return b
}

func (g *gen) ifExp(n *ast.IfExp, dst slot) {
	if g.staged.ternary(g, n, dst) {
		return
	}
	other, end := newLabel(), newLabel()
	g.at(n)
	g.cond(n.Test, false, &other)
	if !g.dead {
		g.to(n.Body, dst)
		g.at(n)
		g.jump(&end)
	}
	g.place(&other)
	if !g.dead {
		g.to(n.Orelse, dst)
	}
	g.place(&end)
}

// scratch is dst if that is a temporary, else a new one: for values that are read
// while dst must still hold its old content.
func (g *gen) scratch(dst slot) slot {
	if isTemp(dst) {
		return dst
	}
	return g.temp()
}

func (g *gen) moveTo(dst, src slot) {
	if dst != src {
		g.emit(code.Move, dst, src, 0, 0)
	}
}

// boolOp leaves the deciding operand of and/or in dst.
func (g *gen) boolOp(n *ast.BoolOp, dst slot) {
	if g.staged.boolOp(g, n, dst) {
		return
	}
	t := g.scratch(dst)
	end := newLabel()
	op := code.JumpF
	if n.Op == ast.Or {
		op = code.JumpT
	}
	last := len(n.Values) - 1
	for i, v := range n.Values {
		g.to(v, t)
		if i < last {
			g.at(n)
			g.branch(op, 0, t, 0, 1, &end)
		}
	}
	g.place(&end)
	g.at(n)
	g.moveTo(dst, t)
}
