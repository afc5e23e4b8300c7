package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

func (g *gen) forStmt(n *ast.For) {
	if g.staged.forStmt(g, n) {
		return
	}
	state := g.hide(2)
	g.to(n.Iter, state)
	exit := newLabel()
	g.loop(n, n.Target, state, func(next *label) {
		g.push(block{kind: loopBlock, next: next, exit: &exit, state: state, hasState: true})
		g.stmts(n.Body)
		g.pop()
	})
	g.stmts(n.Orelse)
	g.place(&exit)
}

// whileStmt puts the test at the end, so that a turn costs one jump, unless the test
// binds names that the body reads.
func (g *gen) whileStmt(n *ast.While) {
	if g.staged.whileStmt(g, n) {
		return
	}
	if c, ok := constant(n.Test); ok {
		if t, ok := truth(&c); ok {
			g.whileConst(n, t)
			return
		}
	}
	if bindsInside(n.Test) {
		g.whileTop(n)
		return
	}
	loc := g.loc
	entry := g.loopEntry()
	next, exit := newLabel(), newLabel()
	g.jump(&next)
	g.dead, g.bound = false, entry
	top := label{pos: g.pc()}
	g.fixed = top.pos
	g.push(block{kind: loopBlock, next: &next, exit: &exit})
	g.stmts(n.Body)
	g.pop()
	g.place(&next)
	g.dead, g.bound = false, entry
	g.loc = loc
	g.cond(n.Test, true, &top)
	g.stmts(n.Orelse)
	g.place(&exit)
}

func (g *gen) whileConst(n *ast.While, runs bool) {
	if !runs {
		g.stmts(n.Orelse)
		return
	}
	loc := g.loc
	g.loopEntry()
	top := label{pos: g.pc()}
	g.fixed = top.pos
	exit := newLabel()
	g.push(block{kind: loopBlock, next: &top, exit: &exit})
	g.stmts(n.Body)
	g.pop()
	g.loc = loc
	g.jump(&top)
	g.place(&exit)
}

func (g *gen) whileTop(n *ast.While) {
	loc := g.loc
	g.loopEntry()
	top, other, exit := label{pos: g.pc()}, newLabel(), newLabel()
	g.fixed = top.pos
	g.cond(n.Test, false, &other)
	g.push(block{kind: loopBlock, next: &top, exit: &exit})
	g.stmts(n.Body)
	g.pop()
	g.loc = loc
	g.jump(&top)
	g.place(&other)
	g.stmts(n.Orelse)
	g.place(&exit)
}

// bindsInside reports an assignment expression in e.
func bindsInside(e ast.Expr) bool {
	found := false
	ast.Walk(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.NamedExpr); ok {
			found = true
		}
		_, lambda := n.(*ast.Lambda)
		return !found && !lambda
	})
	return found
}

// with compiles the managers one inside the other.
func (g *gen) with(n ast.Node, items []*ast.WithItem, body []ast.Stmt) {
	if len(items) == 0 {
		g.stmts(body)
		return
	}
	it := items[0]
	exit := g.hide(1)
	save := g.sp
	g.to(it.ContextExpr, exit)
	v := g.temp()
	g.at(n)
	g.emit(code.WithEnter, exit, 0, v, 0)
	e, saved, e2 := g.hide(1), g.hide(1), g.hide(1)
	handler := newLabel()
	g.push(block{kind: withBlock, handler: &handler, exc: e, manager: exit, node: n})
	if it.OptionalVars != nil {
		g.target(it.OptionalVars, v)
	} else {
		g.emit(code.Unset, v, 0, 0, 0)
	}
	g.sp = save
	g.with(n, items[1:], body)
	b := g.pop()
	end := newLabel()
	if !g.dead {
		g.at(n)
		g.emit(code.WithExit, exit, code.NoSlot, g.temp(), 0)
		g.sp = save
		g.jump(&end)
	}
	g.catch(&b)
	g.withFailed(n, exit, e, saved, e2, &end)
	g.place(&end)
}

// withFailed asks __exit__ whether the exception in e is dealt with.
func (g *gen) withFailed(n ast.Node, exit, e, saved, e2 slot, end *label) {
	g.at(n)
	g.emit(code.PushExc, e, saved, 0, 0)
	cleanup, swallowed := newLabel(), newLabel()
	g.push(block{kind: handlerBlock, handler: &cleanup, exc: e2, saved: saved})
	t := g.temp()
	g.emit(code.WithExit, exit, e, t, 0)
	g.branch(code.JumpT, 0, t, 0, 0, &swallowed)
	g.sp--
	b := g.pop()
	g.emit(code.PopExc, 0, saved, 0, 0)
	g.emit(code.Reraise, e, 0, 0, 0)
	g.catch(&b)
	g.emit(code.PopExc, 0, saved, 0, 0)
	g.emit(code.Reraise, e2, 0, 0, 0)
	g.dead = true
	g.place(&swallowed)
	g.emit(code.PopExc, 0, saved, 0, 0)
	g.emit(code.Unset, e, 0, 0, 0)
	g.jump(end)
}
