package compile

import (
	"sync"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// Options say how a text is compiled.
type Options struct {
	// Namespace: names of the text live in a namespace dict that is not the
	// globals (exec and eval with separate locals).
	Namespace bool
	// FutureAnnotations: as if the text began with `from __future__ import annotations`.
	FutureAnnotations bool
}

// Unit is one compiled text. It keeps the tree and the scopes, so that it can make
// the staged code of a function later.
type Unit struct {
	Code *code.Code

	file              string
	opts              Options
	scopes            []*scope
	byNode            map[ast.Node]*scope
	nonlocals         map[nonlocalKey]ast.Span
	futureAnnotations bool
	origins           map[*code.Code]*scope
	mu                sync.Mutex // guards Staged
	err               error
}

// Module compiles a whole text (mode exec).
func Module(m *ast.Module, file string, o Options) (*code.Code, error) {
	u, err := NewUnit(m, file, o)
	if err != nil {
		return nil, err
	}
	return u.Code, nil
}

// NewUnit compiles a whole text and keeps what staged code needs.
func NewUnit(m *ast.Module, file string, o Options) (*Unit, error) {
	return newUnit(m, m.Body, file, o, func(g *gen) { g.module(m.Body) })
}

// Interactive compiles what was typed at a prompt: expression statements print.
func Interactive(m *ast.Interactive, file string, o Options) (*Unit, error) {
	return newUnit(m, m.Body, file, o, func(g *gen) {
		g.interactive = true
		g.moduleBody(m.Body)
	})
}

// Expr compiles a lone expression (mode eval): the code returns its value.
func Expr(m *ast.Expression, file string, o Options) (*Unit, error) {
	body := []ast.Stmt{&ast.ExprStmt{Span: *m.Body.Where(), Value: m.Body}}
	return newUnit(m, body, file, o, func(g *gen) {
		g.at(m.Body)
		g.ret(g.operand(m.Body))
	})
}

func newUnit(n ast.Node, body []ast.Stmt, file string, o Options, gen func(*gen)) (*Unit, error) {
	u := &Unit{file: file, opts: o, byNode: map[ast.Node]*scope{}, origins: map[*code.Code]*scope{}}
	u.futureAnnotations = o.FutureAnnotations || hasFuture(body, "annotations")
	s := &scanner{u: u}
	s.push(moduleScope, "<module>", n).qualname = "<module>"
	s.stmts(body)
	if err := u.resolve(); err != nil {
		return nil, err
	}
	u.Code = u.generate(u.scopes[0], code.FlagModule, gen)
	if u.err != nil {
		return nil, u.err
	}
	return u, nil
}

// hasFuture reports `from __future__ import name` among the first statements.
func hasFuture(body []ast.Stmt, name string) bool {
	for _, n := range body {
		switch n := n.(type) {
		case *ast.ImportFrom:
			if n.Module != "__future__" || n.Level != 0 {
				return false
			}
			for _, a := range n.Names {
				if a.Name == name {
					return true
				}
			}
		case *ast.ExprStmt:
		default:
			return false
		}
	}
	return false
}

// fail notes a mistake that the generator met; the first one counts.
func (u *Unit) fail(n ast.Node, msg string) {
	if u.err == nil {
		u.err = errorAt(*n.Where(), "%s", msg)
	}
}
