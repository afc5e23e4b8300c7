package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// compParts are the parts of a list, set or dict comprehension.
type compParts struct {
	gens       []*ast.Comprehension
	elt, value ast.Expr
	build, add code.Op
}

func partsOf(e ast.Expr) compParts {
	switch n := e.(type) {
	case *ast.ListComp:
		return compParts{n.Generators, n.Elt, nil, code.BuildList, code.ListAppend}
	case *ast.SetComp:
		return compParts{n.Generators, n.Elt, nil, code.BuildSet, code.SetAdd}
	}
	n := e.(*ast.DictComp)
	return compParts{n.Generators, n.Key, n.Value, code.BuildDict, code.DictSet}
}

// comprehension compiles a comprehension into this frame. Its names get slots or
// cells of their own; the first iterable is evaluated outside.
func (g *gen) comprehension(e ast.Expr, dst slot) {
	p := partsOf(e)
	if p.async() {
		g.unsupported(e, "async comprehension")
		return
	}
	mark := g.hidden
	state := g.hide(2)
	g.to(p.gens[0].Iter, state)
	acc := g.scratch(dst)
	g.fixed = g.pc()
	outer := g.sc
	g.sc = g.u.byNode[e]
	g.openNames()
	g.at(e)
	g.emit(p.build, acc, acc, 0, 0)
	from := g.pc() + 1 // the first iterable is asked for its iterator outside
	g.compLoops(e, p, 0, state, acc)
	g.closeNames()
	name := g.sc.name
	g.sc = outer
	g.inlined = append(g.inlined, code.Inlined{From: from, To: g.pc(), Name: name, Span: code.Span(spanPos(e.Where()))})
	g.at(e)
	g.moveTo(dst, acc)
	g.hidden = mark
}

func (p *compParts) async() bool {
	for _, c := range p.gens {
		if c.IsAsync {
			return true
		}
	}
	return false
}

// openNames gives slots to the names of the comprehension g.sc and makes its cells.
func (g *gen) openNames() {
	for i := range g.sc.syms {
		sym := &g.sc.syms[i]
		if sym.ref != nil || sym.place != inSlot && sym.place != inCell {
			continue
		}
		s := g.hide(1)
		sym.index = int(s)
		if sym.place == inCell {
			g.at(g.sc.node)
			g.emit(code.NewCell, s, 1, 0, 0)
		} else {
			g.bound.clear(int(s))
		}
	}
}

// closeNames empties the slots of the comprehension's names.
func (g *gen) closeNames() {
	for i := range g.sc.syms {
		sym := &g.sc.syms[i]
		if sym.ref == nil && (sym.place == inSlot || sym.place == inCell) {
			g.emit(code.Unset, slot(sym.index), 0, 0, 0)
		}
	}
}

// compLoops compiles the for clauses from the i-th on; the iterable of the i-th is in state.
func (g *gen) compLoops(e ast.Expr, p compParts, i int, state, acc slot) {
	c := p.gens[i]
	g.loop(e, c.Target, state, func(next *label) {
		for _, test := range c.Ifs {
			g.at(e)
			g.cond(test, false, next)
		}
		if g.dead {
			return
		}
		save, mark := g.sp, g.hidden
		if i+1 < len(p.gens) {
			inner := g.hide(2)
			g.to(p.gens[i+1].Iter, inner)
			g.compLoops(e, p, i+1, inner, acc)
		} else {
			g.compElement(e, p, acc)
		}
		g.sp, g.hidden = save, mark
	})
}

func (g *gen) compElement(e ast.Expr, p compParts, acc slot) {
	if p.value == nil {
		v := g.operand(p.elt)
		g.at(e)
		g.emit(p.add, acc, v, 0, 0)
		return
	}
	k := g.operand(p.elt)
	v := g.operand(p.value)
	g.at(e)
	g.emit(p.add, acc, k, v, 0)
}

// loop compiles a for loop over the iterable in state at the position of n. body gets
// the label of the next turn.
func (g *gen) loop(n ast.Node, target ast.Expr, state slot, body func(next *label)) {
	entry := g.loopEntry()
	next := newLabel()
	g.at(n)
	g.goTo(g.emit(code.ForPrep, state, 0, 0, 0), &next)
	top := label{pos: g.pc()}
	g.fixed = top.pos
	save := g.sp
	item, direct := g.directSlot(target)
	if !direct {
		item = g.temp()
		g.target(target, item)
	} else {
		g.bound.set(int(item))
	}
	g.sp = save
	body(&next)
	g.dead = false
	next.bound = entry
	g.place(&next)
	g.dead, g.bound = false, entry
	g.at(n)
	g.goTo(g.emit(code.ForLoop, state, item, 0, 0), &top)
}

// loopEntry makes the set of bound names right for the head of a loop, which is also
// reached from the body's end.
func (g *gen) loopEntry() slotSet {
	g.bound.without(g.unstable)
	return g.bound
}

// genexp compiles a generator expression: a generator function called at once with
// the iterator of its first iterable.
func (g *gen) genexp(n *ast.GeneratorExp, dst slot) {
	sc := g.u.byNode[n]
	p := compParts{gens: n.Generators, elt: n.Elt}
	c := g.nested(sc, code.FlagGenerator|code.FlagOptimized|code.FlagNested, g.child(sc, nil), func(in *gen) {
		in.genexpBody(n, p)
	})
	g.describe(c, n, &ast.Arguments{}, nil)
	c.ArgCount = 1
	base := g.temp()
	it := g.temp()
	g.at(n)
	g.makeFunc(c, base, 0, 0)
	g.to(n.Generators[0].Iter, it)
	g.at(n)
	g.emit(code.GetIter, it, it, 0, 0)
	g.emit(g.callOp(code.Call), base, 1, dst, 0)
}

func (g *gen) genexpBody(n *ast.GeneratorExp, p compParts) {
	if p.async() {
		g.unsupported(n, "async generator expression")
		return
	}
	state := g.hide(2)
	g.at(n)
	g.emit(code.Move, state, 0, 0, 0)
	g.emit(code.Unset, 0, 0, 0, 0)
	g.genexpLoops(n, p, 0, state)
}

func (g *gen) genexpLoops(n *ast.GeneratorExp, p compParts, i int, state slot) {
	c := p.gens[i]
	g.loop(n, c.Target, state, func(next *label) {
		for _, test := range c.Ifs {
			g.at(n)
			g.cond(test, false, next)
		}
		if g.dead {
			return
		}
		save, mark := g.sp, g.hidden
		if i+1 < len(p.gens) {
			inner := g.hide(2)
			g.to(p.gens[i+1].Iter, inner)
			g.genexpLoops(n, p, i+1, inner)
		} else {
			t := g.operandTemp(n.Elt)
			g.at(n)
			g.emit(code.Yield, t, 0, 0, 0)
		}
		g.sp, g.hidden = save, mark
	})
}
