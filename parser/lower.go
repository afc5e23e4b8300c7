package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// lowerAll appends the trees of the statements.
func lowerAll(out []ast.Stmt, list []statement) []ast.Stmt {
	for _, s := range list {
		out = s.lower(out)
	}
	return out
}

// end is where a statement or block ends: behind its last token, which may be a
// semicolon.
type end struct{ line, col int32 }

func endOfNode(n ast.Node) end { return end{n.Where().EndLine, n.Where().EndCol} }

// stmts is the tree of a block; nil gives no statements. last becomes the end of
// the block, if there is one.
func (s *suite) stmts(last *end) []ast.Stmt {
	switch {
	case s == nil:
		return nil
	case s.Line != nil:
		*last = s.Line.end
		return s.Line.stmts
	}
	list := lowerAll(make([]ast.Stmt, 0, len(s.Body)), s.Body)
	if l, ok := s.Body[len(s.Body)-1].(*lines); ok {
		*last = l.end
	} else {
		*last = endOfNode(list[len(list)-1])
	}
	return list
}

// spanTo is the span from pos to an end.
func spanTo(pos lexer.Position, e end) ast.Span {
	return ast.Span{Line: int32(pos.Line), Col: int32(pos.Column) - 1, EndLine: e.line, EndCol: e.col}
}

func (s *lines) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.stmts...) }

func (s *ifStmt) lower(out []ast.Stmt) []ast.Stmt {
	var e end
	node := &ast.If{Test: s.Test, Body: s.Body.stmts(&e)}
	chain := []*ast.If{node}
	for i, part := range s.Elif {
		next := &ast.If{Test: part.Test, Body: part.Body.stmts(&e)}
		chain[i].Orelse = []ast.Stmt{next}
		chain = append(chain, next)
	}
	chain[len(chain)-1].Orelse = s.Else.stmts(&e)
	node.Span = spanTo(s.Pos, e)
	for i, part := range s.Elif {
		chain[i+1].Span = spanTo(part.Pos, e)
	}
	return append(out, node)
}

func (s *whileStmt) lower(out []ast.Stmt) []ast.Stmt {
	var e end
	body, orelse := s.Body.stmts(&e), s.Else.stmts(&e)
	return append(out, &ast.While{Span: spanTo(s.Pos, e), Test: s.Test, Body: body, Orelse: orelse})
}

func (s *forStmt) node(pos lexer.Position) *ast.For {
	var e end
	body, orelse := s.Body.stmts(&e), s.Else.stmts(&e)
	return &ast.For{Span: spanTo(pos, e), Target: s.Target, Iter: s.Iter, Body: body, Orelse: orelse}
}

func (s *forStmt) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos)) }

func (s *withStmt) node(pos lexer.Position) *ast.With {
	var e end
	body := s.Body.stmts(&e)
	return &ast.With{Span: spanTo(pos, e), Items: s.Items.items(), Body: body}
}

func (s *withStmt) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos)) }

// lower refuses what the tags can't: a try with nothing after it, an else
// without except, a bare except that isn't last, except mixed with except*.
func (s *tryStmt) lower(out []ast.Stmt) []ast.Stmt {
	if len(s.Handlers) == 0 && (s.Finally == nil || s.Else != nil) {
		panic(errRefused)
	}
	handlers := make([]*ast.ExceptHandler, 0, len(s.Handlers))
	var e end
	t := ast.Try{Body: s.Body.stmts(&e)}
	for _, h := range s.Handlers {
		if h.Star != s.Handlers[0].Star || h.Star && h.Type == nil {
			panic(errRefused)
		}
		body := h.Body.stmts(&e)
		handlers = append(handlers, &ast.ExceptHandler{Span: spanTo(h.Pos, e), Type: h.Type, Name: normalize(h.Name), Body: body})
	}
	t.Handlers, t.Orelse, t.Finalbody = handlers, s.Else.stmts(&e), s.Finally.stmts(&e)
	t.Span = spanTo(s.Pos, e)
	if len(handlers) > 0 && s.Handlers[0].Star {
		star := ast.TryStar(t)
		return append(out, &star)
	}
	return append(out, &t)
}

func (s *funcDef) node(pos lexer.Position, decorators []ast.Expr) *ast.FunctionDef {
	var e end
	body := s.Body.stmts(&e)
	return &ast.FunctionDef{Span: spanTo(pos, e), Name: normalize(s.Name), Args: s.Params.(*ast.Arguments), Body: body,
		DecoratorList: decorators, Returns: s.Returns}
}

func (s *funcDef) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos, nil)) }

func (s *classDef) node(decorators []ast.Expr) *ast.ClassDef {
	var e end
	body := s.Body.stmts(&e)
	var a callArgs
	if s.Args != nil {
		a = s.Args.arguments()
	}
	return &ast.ClassDef{Span: spanTo(s.Pos, e), Name: normalize(s.Name), Bases: a.args, Keywords: a.keywords,
		Body: body, DecoratorList: decorators}
}

func (s *classDef) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(nil)) }

func (s *asyncStmt) lower(out []ast.Stmt) []ast.Stmt {
	switch {
	case s.For != nil:
		n := ast.AsyncFor(*s.For.node(s.Pos))
		return append(out, &n)
	case s.With != nil:
		n := ast.AsyncWith(*s.With.node(s.Pos))
		return append(out, &n)
	}
	n := ast.AsyncFunctionDef(*s.Def.node(s.Pos, nil))
	return append(out, &n)
}

func (s *decorated) lower(out []ast.Stmt) []ast.Stmt {
	decorators := make([]ast.Expr, len(s.Decorators))
	for i, d := range s.Decorators {
		decorators[i] = d
	}
	switch {
	case s.Class != nil:
		return append(out, s.Class.node(decorators))
	case s.Def != nil:
		return append(out, s.Def.node(s.Def.Pos, decorators))
	case s.Async.Def == nil:
		panic(errRefused)
	}
	n := ast.AsyncFunctionDef(*s.Async.Def.node(s.Async.Pos, decorators))
	return append(out, &n)
}

func (s *matchStmt) lower(out []ast.Stmt) []ast.Stmt {
	m := &ast.Match{Subject: s.Subject, Cases: make([]*ast.MatchCase, len(s.Cases))}
	for i, c := range s.Cases {
		var e end
		body := c.Body.stmts(&e)
		m.Cases[i] = &ast.MatchCase{Span: spanTo(c.Pos, e), Pattern: c.Pattern, Guard: c.Guard, Body: body}
		m.Span = spanTo(s.Pos, e)
	}
	return append(out, m)
}
