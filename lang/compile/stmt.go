package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// module compiles a file: its docstring, then its statements.
func (g *gen) module(body []ast.Stmt) {
	if doc := docstring(body); doc != nil {
		g.doc = doc
		g.at(body[0])
		t := g.temp()
		g.loadConst(literal(*doc), t)
		g.store("__doc__", t)
		g.sp--
		body = body[1:]
	}
	g.moduleBody(body)
}

func (g *gen) moduleBody(body []ast.Stmt) {
	if g.sc.annotated {
		g.emit(code.SetupAnnotations, 0, 0, 0, 0)
	}
	g.stmts(body)
}

// docstring returns the text of a leading string statement.
func docstring(body []ast.Stmt) *string {
	if len(body) == 0 {
		return nil
	}
	if e, ok := body[0].(*ast.ExprStmt); ok {
		if c, ok := e.Value.(*ast.Constant); ok {
			if s, ok := c.Value.(string); ok {
				return &s
			}
		}
	}
	return nil
}

// stmts compiles a block; what follows a statement that never ends is left out.
// Temporaries may be in use: a value to return waits in one while finally runs.
func (g *gen) stmts(list []ast.Stmt) {
	save := g.sp
	for _, n := range list {
		if g.dead {
			return
		}
		mark := g.hidden
		g.at(n)
		g.stmt(n)
		g.sp, g.hidden = save, mark
	}
}

func (g *gen) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		g.exprStmt(n)
	case *ast.Assign:
		g.assign(n.Targets, n.Value)
	case *ast.AugAssign:
		g.augAssign(n)
	case *ast.AnnAssign:
		g.annAssign(n)
	case *ast.If:
		g.ifStmt(n)
	case *ast.For:
		g.forStmt(n)
	case *ast.While:
		g.whileStmt(n)
	case *ast.FunctionDef:
		g.functionDef(n)
	case *ast.ClassDef:
		g.classDef(n)
	case *ast.Return:
		g.returnStmt(n)
	case *ast.Break:
		g.leaveLoop(n, false)
	case *ast.Continue:
		g.leaveLoop(n, true)
	case *ast.Try:
		g.tryStmt(n)
	case *ast.With:
		g.with(n, n.Items, n.Body)
	default:
		g.rarerStmt(n)
	}
}

func (g *gen) rarerStmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.Raise:
		g.raise(n)
	case *ast.Assert:
		g.assert(n)
	case *ast.Delete:
		g.delete(n.Targets)
	case *ast.Import:
		g.importStmt(n)
	case *ast.ImportFrom:
		g.importFrom(n)
	case *ast.Match:
		g.match(n)
	case *ast.AsyncFunctionDef:
		g.asyncDef(n)
	case *ast.AsyncFor:
		g.unsupported(n, "async for")
	case *ast.AsyncWith:
		g.unsupported(n, "async with")
	case *ast.TryStar:
		g.tryStar(n)
	}
}

func (g *gen) exprStmt(n *ast.ExprStmt) {
	if g.interactive && g.sc.kind == moduleScope {
		v := g.operand(n.Value)
		g.at(n)
		g.emit(code.PrintExpr, v, 0, 0, 0)
		return
	}
	g.discard(n.Value)
}

func (g *gen) ifStmt(n *ast.If) {
	if g.staged.ifStmt(g, n) {
		return
	}
	other, end := newLabel(), newLabel()
	g.cond(n.Test, false, &other)
	g.stmts(n.Body)
	if len(n.Orelse) > 0 {
		g.jump(&end)
		g.place(&other)
		g.stmts(n.Orelse)
	} else {
		g.place(&other)
	}
	g.place(&end)
}

func (g *gen) raise(n *ast.Raise) {
	switch {
	case n.Exc == nil:
		g.emit(code.Raise, 0, 0, 0, 0)
	case n.Cause == nil:
		e := g.operand(n.Exc)
		g.at(n)
		g.emit(code.Raise, e, 1, 0, 0)
	default:
		e := g.operand(n.Exc)
		c := g.operand(n.Cause)
		g.at(n)
		g.emit(code.Raise, e, 2, c, 0)
	}
	g.dead = true
}

func (g *gen) assert(n *ast.Assert) {
	ok := newLabel()
	g.cond(n.Test, true, &ok)
	if !g.dead {
		if n.Msg == nil {
			g.emit(code.Assert, 0, 1, 0, 0)
		} else {
			loc := g.loc
			m := g.operand(n.Msg)
			g.loc = loc
			g.emit(code.Assert, m, 0, 0, 0)
		}
		g.dead = true
	}
	g.place(&ok)
}

func (g *gen) importStmt(n *ast.Import) {
	for _, a := range n.Names {
		save := g.sp
		t := g.temp()
		none := g.temp()
		g.at(n)
		g.emit(code.LoadNone, none, 0, 0, 0)
		g.emit(code.ImportName, t, none, 0, g.name(a.Name))
		if a.Asname != "" {
			t = g.importPath(a.Name, t)
		}
		g.store(importedName(a), t)
		g.sp = save
	}
}

// importPath walks from the package in t to the module that `import a.b.c as d` binds.
func (g *gen) importPath(path string, t slot) slot {
	start := -1
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '.' {
			continue
		}
		if start >= 0 {
			next := g.temp()
			g.emit(code.ImportFrom, next, t, 0, g.name(path[start:i]))
			t = next
		}
		start = i + 1
	}
	return t
}

func (g *gen) importFrom(n *ast.ImportFrom) {
	t := g.temp()
	list := g.temp()
	names := make([]code.Const, len(n.Names))
	for i, a := range n.Names {
		names[i] = literal(a.Name)
	}
	g.loadConst(code.Const{Kind: code.ConstTuple, T: names}, list)
	g.emit(code.ImportName, t, list, uint16(n.Level), g.name(n.Module))
	for _, a := range n.Names {
		if a.Name == "*" {
			g.emit(code.ImportStar, t, 0, 0, 0)
			return
		}
		save := g.sp
		v := g.temp()
		g.emit(code.ImportFrom, v, t, 0, g.name(a.Name))
		if a.Asname != "" {
			g.store(a.Asname, v)
		} else {
			g.store(a.Name, v)
		}
		g.sp = save
	}
}

func (g *gen) ret(v slot) {
	g.emit(code.Return, v, 0, 0, 0)
	g.dead = true
}

// returnStmt evaluates the value before it leaves the blocks around.
func (g *gen) returnStmt(n *ast.Return) {
	if !g.frame.isFunction() {
		g.u.fail(n, "'return' outside function")
	}
	if g.staged.finalReturn(g, n) {
		return
	}
	if !g.hasExits() {
		g.returnPlain(n, n.Value)
		return
	}
	v := g.temp()
	if n.Value == nil {
		g.emit(code.LoadNone, v, 0, 0, 0)
	} else {
		g.to(n.Value, v)
	}
	g.at(n)
	g.leave(0, func() {
		g.at(n)
		g.ret(v)
	})
}

// returnPlain returns a value where nothing stands between it and the caller. Each
// side of a conditional expression returns by itself.
func (g *gen) returnPlain(n *ast.Return, value ast.Expr) {
	if e, ok := value.(*ast.IfExp); ok && g.staged == nil {
		other := newLabel()
		g.at(e)
		g.cond(e.Test, false, &other)
		if !g.dead {
			g.returnPlain(n, e.Body)
		}
		g.place(&other)
		if !g.dead {
			g.returnPlain(n, e.Orelse)
		}
		return
	}
	save := g.sp
	var v slot
	if value == nil {
		v = g.temp()
		g.emit(code.LoadNone, v, 0, 0, 0)
	} else {
		v = g.operand(value)
	}
	g.at(n)
	g.ret(v)
	g.sp = save
}
