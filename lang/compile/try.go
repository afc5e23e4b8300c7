package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

func (g *gen) tryStmt(n *ast.Try) {
	if len(n.Finalbody) == 0 {
		g.tryExcept(n)
		return
	}
	e, saved, e2 := g.hide(1), g.hide(1), g.hide(1)
	handler, end := newLabel(), newLabel()
	g.push(block{kind: finallyBlock, handler: &handler, exc: e, final: n.Finalbody})
	if len(n.Handlers) > 0 {
		g.tryExcept(n)
	} else {
		g.stmts(n.Body)
	}
	b := g.pop()
	if !g.dead {
		g.stmts(n.Finalbody)
		g.jump(&end)
	}
	if handler.reached {
		g.catch(&b)
		g.finallyFailed(n, e, saved, e2)
	}
	g.place(&end)
}

// finallyFailed runs the finally block because of the exception in e, then goes on raising it.
func (g *gen) finallyFailed(n *ast.Try, e, saved, e2 slot) {
	g.loc = lineOf(n)
	g.emit(code.PushExc, e, saved, 0, 0)
	cleanup := newLabel()
	g.push(block{kind: handlerBlock, handler: &cleanup, exc: e2, saved: saved})
	g.stmts(n.Finalbody)
	b := g.pop()
	if !g.dead {
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Reraise, e, 0, 0, 0)
	}
	if cleanup.reached {
		g.catch(&b)
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Reraise, e2, 0, 0, 0)
	}
	g.dead = true
}

// lineOf is the first position of n, for instructions that can't fail.
func lineOf(n ast.Node) code.Pos {
	w := n.Where()
	return code.Pos{Line: w.Line, Col: w.Col, EndLine: w.Line, EndCol: w.Col}
}

// tryExcept compiles body, except clauses and else.
func (g *gen) tryExcept(n *ast.Try) {
	e, saved, e2 := g.hide(1), g.hide(1), g.hide(1)
	handler, end := newLabel(), newLabel()
	g.push(block{kind: tryBlock, handler: &handler, exc: e})
	g.stmts(n.Body)
	b := g.pop()
	if !g.dead {
		g.stmts(n.Orelse)
		g.jump(&end)
	}
	if handler.reached {
		g.catch(&b)
		g.clauses(n, e, saved, e2, &end)
	}
	g.place(&end)
}

// clauses compiles the except clauses for the exception in e.
func (g *gen) clauses(n *ast.Try, e, saved, e2 slot, end *label) {
	g.loc = lineOf(n)
	g.emit(code.PushExc, e, saved, 0, 1)
	cleanup := newLabel()
	g.push(block{kind: handlerBlock, handler: &cleanup, exc: e2, saved: saved})
	for _, h := range n.Handlers {
		next := newLabel()
		if h.Type != nil {
			g.clauseTest(h, e, &next)
		}
		g.clause(h, e, saved, end)
		g.place(&next)
		if g.dead {
			break
		}
	}
	b := g.pop()
	g.loc = lineOf(n)
	if !g.dead {
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Reraise, e, 0, 0, 0)
	}
	if cleanup.reached {
		g.catch(&b)
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Reraise, e2, 0, 0, 0)
	}
	g.dead = true
}

func (g *gen) clauseTest(h *ast.ExceptHandler, e slot, next *label) {
	save := g.sp
	g.at(h)
	c := g.operand(h.Type)
	g.at(h)
	t := g.temp()
	g.emit(code.MatchExc, t, e, c, 0)
	g.branch(code.JumpF, 0, t, 0, 0, next)
	g.sp = save
}

// clause compiles the body of one except clause and the end of the handling.
func (g *gen) clause(h *ast.ExceptHandler, e, saved slot, end *label) {
	if h.Name == "" {
		g.stmts(h.Body)
	} else {
		g.namedClause(h, e)
	}
	if !g.dead {
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Unset, e, 0, 0, 0)
		g.jump(end)
	}
}

// namedClause binds the exception to a name for the time of the body.
func (g *gen) namedClause(h *ast.ExceptHandler, e slot) {
	e3 := g.hide(1)
	g.at(h)
	g.store(h.Name, e)
	drop := newLabel()
	g.push(block{kind: nameBlock, handler: &drop, exc: e3, name: h.Name})
	g.stmts(h.Body)
	b := g.pop()
	after, dead := g.bound, g.dead
	g.loc = lineOf(h)
	if !dead {
		g.dropName(h.Name)
		after = g.bound
	}
	if !drop.reached {
		return
	}
	over := newLabel()
	g.bound = after
	g.dead = dead
	g.jump(&over)
	g.catch(&b)
	g.dropName(h.Name)
	g.emit(code.Reraise, e3, 0, 0, 0)
	g.dead = true
	g.place(&over)
}
