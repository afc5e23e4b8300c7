package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// tryStar compiles a try statement with except* clauses: the finally part as that
// of any try statement, and the rest inside it.
func (g *gen) tryStar(n *ast.TryStar) {
	if len(n.Finalbody) > 0 {
		inner := *n
		inner.Finalbody = nil
		g.tryStmt(&ast.Try{Span: n.Span, Body: []ast.Stmt{&inner}, Finalbody: n.Finalbody})
		return
	}
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
		g.groupClauses(n, e, saved, e2, &end)
	}
	g.place(&end)
}

// groupClauses compiles the except* clauses for the exception in e. Each takes its part of
// what is left, and what it raises itself is collected with what is left in the end.
func (g *gen) groupClauses(n *ast.TryStar, e, saved, e2 slot, end *label) {
	at := ast.Try{Span: n.Span}
	g.loc = lineOf(&at)
	g.emit(code.PushExc, e, saved, 0, 1)
	cleanup := newLabel()
	g.push(block{kind: handlerBlock, handler: &cleanup, exc: e2, saved: saved})
	left, list, part := g.hide(1), g.hide(1), g.hide(2)
	g.emit(code.Move, left, e, 0, 0)
	g.emit(code.BuildList, list, g.top(), 0, 0)
	for _, h := range n.Handlers {
		g.groupClause(h, left, list, part)
	}
	g.loc = lineOf(&at)
	g.emit(code.ListAppend, list, left, 0, 0)
	t := g.temp()
	g.emit(code.MatchExc, t, e, list, code.MatchLeft)
	g.emit(code.Move, left, t, 0, 0)
	g.sp--
	b := g.pop()
	g.emit(code.PopExc, 0, saved, 0, 0)
	g.branch(code.JumpNone, 0, left, 0, 0, end)
	g.emit(code.Reraise, left, 0, 0, 0)
	g.dead = true
	if cleanup.reached {
		g.catch(&b)
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.Reraise, e2, 0, 0, 0)
	}
	g.dead = true
}

// groupClause compiles one clause: part, part+1 ← what of left it takes, and the rest.
func (g *gen) groupClause(h *ast.ExceptHandler, left, list, part slot) {
	next, failed := newLabel(), newLabel()
	save := g.sp
	g.at(h)
	c := g.operand(h.Type)
	g.at(h)
	t := g.temp()
	g.emit(code.MatchExc, t, left, c, code.MatchPart)
	g.emit(code.UnpackSeq, t, part, 2, 0)
	g.sp = save
	g.emit(code.Move, left, part+1, 0, 0)
	g.branch(code.JumpNone, 0, part, 0, 0, &next)
	saved, raised := g.hide(1), g.hide(1)
	g.emit(code.PushExc, part, saved, 0, 0)
	g.push(block{kind: handlerBlock, handler: &failed, exc: raised, saved: saved})
	if h.Name == "" {
		g.stmts(h.Body)
	} else {
		g.namedClause(h, part)
	}
	b := g.pop()
	g.loc = lineOf(h)
	if !g.dead {
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.jump(&next)
	}
	if failed.reached {
		g.catch(&b)
		g.emit(code.PopExc, 0, saved, 0, 0)
		g.emit(code.ListAppend, list, raised, 0, 0)
	}
	g.place(&next)
}
