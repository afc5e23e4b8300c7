package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// store makes x a target and tells whether it can be one.
func (p *parser) store(x ast.Expr) bool { return p.setCtx(x, ast.Store, true) }

// setCtx turns the loads of a target into stores or deletes; star says whether
// starred parts are allowed.
func (p *parser) setCtx(x ast.Expr, ctx ast.Ctx, star bool) bool {
	switch x := x.(type) {
	case *ast.Name:
		x.Ctx = ctx
	case *ast.Attribute:
		x.Ctx = ctx
	case *ast.Subscript:
		x.Ctx = ctx
	case *ast.Starred:
		x.Ctx = ctx
		p.notes.suspect = true
		return star && p.setCtx(x.Value, ctx, star)
	case *ast.Tuple:
		x.Ctx = ctx
		return p.setAll(x.Elts, ctx, star)
	case *ast.List:
		x.Ctx = ctx
		return p.setAll(x.Elts, ctx, star)
	default:
		return false
	}
	return true
}

func (p *parser) setAll(list []ast.Expr, ctx ast.Ctx, star bool) bool {
	for _, x := range list {
		if !p.setCtx(x, ctx, star) {
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
	x := p.list((*parser).operand)
	if !p.store(x) {
		panic(errRefused)
	}
	return x
}

// operand parses an expression without comparisons.
func (p *parser) operand() ast.Expr { return p.climb(precOr) }

func (p *parser) delete() ast.Stmt {
	from := p.take()
	d := &ast.Delete{}
	for {
		x := p.primary()
		if !p.setCtx(x, ast.Del, false) {
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
func (p *parser) withItems() []*ast.WithItem {
	if p.kind() == tLParen {
		pos, depth, notes, stacks := p.pos, p.depth, p.notes, p.marks()
		if list, ok := p.tryItems(); ok {
			return list
		}
		p.pos, p.depth, p.notes = pos, depth, notes
		p.backTo(stacks)
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
func (p *parser) itemList(end kind) (list []*ast.WithItem) {
	for {
		from := p.peek()
		w := &ast.WithItem{ContextExpr: p.expression()}
		if p.accept(tAs) {
			w.OptionalVars = p.starOr((*parser).primary)
			if !p.store(w.OptionalVars) {
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
