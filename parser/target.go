package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// store makes x a target and tells whether it can be one.
func store(x ast.Expr) bool { return setCtx(x, ast.Store, true) }

// setCtx turns the loads of a target into stores or deletes; star says whether
// starred parts are allowed.
func setCtx(x ast.Expr, ctx ast.Ctx, star bool) bool {
	switch x := x.(type) {
	case *ast.Name:
		x.Ctx = ctx
	case *ast.Attribute:
		x.Ctx = ctx
	case *ast.Subscript:
		x.Ctx = ctx
	case *ast.Starred:
		x.Ctx = ctx
		return star && setCtx(x.Value, ctx, star)
	case *ast.Tuple:
		x.Ctx = ctx
		return setAll(x.Elts, ctx, star)
	case *ast.List:
		x.Ctx = ctx
		return setAll(x.Elts, ctx, star)
	default:
		return false
	}
	return true
}

func setAll(list []ast.Expr, ctx ast.Ctx, star bool) bool {
	for _, x := range list {
		if !setCtx(x, ctx, star) {
			return false
		}
	}
	return true
}

// isSingle tells whether x can be the target of an augmented or annotated
// assignment.
func isSingle(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Name, *ast.Attribute, *ast.Subscript:
		return true
	}
	return false
}

// forTarget parses what stands between for and in.
func (p *parser) forTarget() ast.Expr {
	x := p.list(func(p *parser) ast.Expr { return p.binary(precOr) })
	if !store(x) {
		panic(errRefused)
	}
	return x
}

func (p *parser) delete() ast.Stmt {
	from := p.take()
	d := &ast.Delete{}
	for {
		x := p.primary()
		if !setCtx(x, ast.Del, false) {
			panic(errRefused)
		}
		d.Targets = append(d.Targets, x)
		if k := p.kind(); !p.accept(tComma) || !startsExpr(p.kind()) {
			if k != tComma || p.kind() == tNewline || p.kind() == tSemi {
				break
			}
			panic(errRefused)
		}
	}
	d.Span = p.span(from)
	return d
}

// withItems parses the items of a with statement, in parentheses or not: the
// parentheses are those of a list of items when a colon follows them.
func (p *parser) withItems() withItems {
	if p.kind() == tLParen {
		mark, old := p.MakeCheckpoint(), *p
		if list, ok := p.tryItems(); ok {
			return list
		}
		p.LoadCheckpoint(mark)
		p.last, p.depth = old.last, old.depth
	}
	return p.itemList(tColon)
}

func (p *parser) tryItems() (list []*ast.WithItem, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != errRefused {
				panic(r)
			}
			ok = false
		}
	}()
	p.take()
	list = p.itemList(tRParen)
	p.expect(tRParen)
	return list, p.kind() == tColon
}

// itemList parses items up to the token end, before which a comma may stand if
// it is a parenthesis.
func (p *parser) itemList(end lexer.TokenType) (list []*ast.WithItem) {
	for {
		from := p.Peek()
		w := &ast.WithItem{ContextExpr: p.expression()}
		if p.accept(tAs) {
			w.OptionalVars = p.starOr((*parser).primary)
			if !store(w.OptionalVars) {
				panic(errRefused)
			}
		}
		w.Span = p.span(from)
		list = append(list, w)
		if !p.accept(tComma) || end == tRParen && p.kind() == end {
			return list
		}
	}
}
