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

// stmts is the tree of a block; nil gives no statements.
func (s *suite) stmts() []ast.Stmt {
	switch {
	case s == nil:
		return nil
	case s.Line != nil:
		return s.Line.stmts
	}
	return lowerAll(make([]ast.Stmt, 0, len(s.Body)), s.Body)
}

// spanTo is the span from pos to the end of the last of the statements.
func spanTo(pos lexer.Position, body []ast.Stmt) ast.Span {
	end := body[len(body)-1].Where()
	return ast.Span{Line: int32(pos.Line), Col: int32(pos.Column) - 1, EndLine: end.EndLine, EndCol: end.EndCol}
}

// last returns the last of the lists that isn't empty.
func last(lists ...[]ast.Stmt) (l []ast.Stmt) {
	for _, x := range lists {
		if len(x) > 0 {
			l = x
		}
	}
	return l
}

func (s *lines) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.stmts...) }

func (s *ifStmt) lower(out []ast.Stmt) []ast.Stmt {
	orelse := s.Else.stmts()
	for i := len(s.Elif) - 1; i >= 0; i-- {
		e := s.Elif[i]
		body := e.Body.stmts()
		orelse = []ast.Stmt{&ast.If{Span: spanTo(e.Pos, last(body, orelse)), Test: e.Test, Body: body, Orelse: orelse}}
	}
	body := s.Body.stmts()
	return append(out, &ast.If{Span: spanTo(s.Pos, last(body, orelse)), Test: s.Test, Body: body, Orelse: orelse})
}

func (s *whileStmt) lower(out []ast.Stmt) []ast.Stmt {
	body, orelse := s.Body.stmts(), s.Else.stmts()
	return append(out, &ast.While{Span: spanTo(s.Pos, last(body, orelse)), Test: s.Test, Body: body, Orelse: orelse})
}

func (s *forStmt) node(pos lexer.Position) *ast.For {
	body, orelse := s.Body.stmts(), s.Else.stmts()
	return &ast.For{Span: spanTo(pos, last(body, orelse)), Target: s.Target, Iter: s.Iter, Body: body, Orelse: orelse}
}

func (s *forStmt) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos)) }

func (s *withStmt) node(pos lexer.Position) *ast.With {
	body := s.Body.stmts()
	return &ast.With{Span: spanTo(pos, body), Items: s.Items.items(), Body: body}
}

func (s *withStmt) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos)) }

// lower refuses what the tags can't: a try with nothing after it, an else
// without except, a bare except that isn't last, except mixed with except*.
func (s *tryStmt) lower(out []ast.Stmt) []ast.Stmt {
	if len(s.Handlers) == 0 && (s.Finally == nil || s.Else != nil) {
		panic(errRefused)
	}
	handlers := make([]*ast.ExceptHandler, 0, len(s.Handlers))
	ends := s.Body.stmts()
	t := ast.Try{Body: ends}
	for _, h := range s.Handlers {
		if h.Star != s.Handlers[0].Star || h.Star && h.Type == nil {
			panic(errRefused)
		}
		body := h.Body.stmts()
		ends = body
		handlers = append(handlers, &ast.ExceptHandler{Span: spanTo(h.Pos, body), Type: h.Type, Name: normalize(h.Name), Body: body})
	}
	t.Handlers, t.Orelse, t.Finalbody = handlers, s.Else.stmts(), s.Finally.stmts()
	t.Span = spanTo(s.Pos, last(ends, t.Orelse, t.Finalbody))
	if len(handlers) > 0 && s.Handlers[0].Star {
		star := ast.TryStar(t)
		return append(out, &star)
	}
	return append(out, &t)
}

func (s *funcDef) node(pos lexer.Position, decorators []ast.Expr) *ast.FunctionDef {
	body := s.Body.stmts()
	return &ast.FunctionDef{Span: spanTo(pos, body), Name: normalize(s.Name), Args: s.Params.(*ast.Arguments), Body: body,
		DecoratorList: decorators, Returns: s.Returns}
}

func (s *funcDef) lower(out []ast.Stmt) []ast.Stmt { return append(out, s.node(s.Pos, nil)) }

func (s *classDef) node(decorators []ast.Expr) *ast.ClassDef {
	body := s.Body.stmts()
	var a callArgs
	if s.Args != nil {
		a = s.Args.arguments()
	}
	return &ast.ClassDef{Span: spanTo(s.Pos, body), Name: normalize(s.Name), Bases: a.args, Keywords: a.keywords,
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
		body := c.Body.stmts()
		m.Cases[i] = &ast.MatchCase{Span: spanTo(c.Pos, body), Pattern: c.Pattern, Guard: c.Guard, Body: body}
		m.Span = spanTo(s.Pos, body)
	}
	return append(out, m)
}
