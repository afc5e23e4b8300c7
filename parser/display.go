package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// yield parses a yield expression.
func (p *parser) yield() ast.Expr {
	from := p.expect(tYield)
	p.notes.yields()
	if p.accept(tFrom) {
		x := p.expression()
		return &ast.YieldFrom{Span: p.span(from), Value: x}
	}
	var x ast.Expr
	if startsExpr(p.kind()) {
		x = p.exprList()
	}
	return &ast.Yield{Span: p.span(from), Value: x}
}

// parenthesized parses a tuple, a generator expression or a group, which
// leaves no trace in the tree.
func (p *parser) parenthesized() ast.Expr {
	from, events := p.take(), p.notes.events
	if p.accept(tRParen) {
		return p.tupleOf(from, nil)
	}
	if p.kind() == tYield {
		x := p.yield()
		p.expect(tRParen)
		return x
	}
	x := p.starOr((*parser).named)
	_, starred := x.(*ast.Starred)
	switch p.kind() {
	case tComma:
		elts := p.elements(x, tRParen)
		return p.tupleOf(from, elts)
	case tFor, tAsync:
		g := p.generators(starred, events)
		p.expect(tRParen)
		return &ast.GeneratorExp{Span: p.span(from), Elt: x, Generators: g}
	}
	p.expect(tRParen)
	if starred {
		panic(errRefused)
	}
	return x
}

func (p *parser) listDisplay() ast.Expr {
	from, events := p.take(), p.notes.events
	if p.accept(tRBracket) {
		return &ast.List{Span: p.span(from)}
	}
	x := p.starOr((*parser).named)
	if k := p.kind(); k == tFor || k == tAsync {
		_, starred := x.(*ast.Starred)
		g := p.generators(starred, events)
		p.expect(tRBracket)
		return &ast.ListComp{Span: p.span(from), Elt: x, Generators: g}
	}
	elts := p.elements(x, tRBracket)
	return &ast.List{Span: p.span(from), Elts: elts}
}

// elements parses the rest of a display, and the closing bracket, behind its
// first element.
func (p *parser) elements(x ast.Expr, end kind) []ast.Expr {
	mark := p.exprs.mark()
	p.exprs.push(x)
	for p.accept(tComma) && p.kind() != end {
		p.exprs.push(p.starOr((*parser).named))
	}
	p.expect(end)
	return p.exprs.keep(mark)
}

// braces parses a dict or set display or comprehension.
func (p *parser) braces() ast.Expr {
	from, events := p.take(), p.notes.events
	if k := p.kind(); k == tRBrace || k == tPower {
		return p.dict(&ast.Dict{}, from)
	}
	key := p.peek()
	x := p.starOr((*parser).named)
	_, starred := x.(*ast.Starred)
	switch k := p.kind(); {
	case k == tColon && !starred:
		if _, walrus := x.(*ast.NamedExpr); walrus && key.kind == tIdent {
			panic(errRefused)
		}
		p.take()
		v := p.expression()
		if k := p.kind(); k == tFor || k == tAsync {
			g := p.generators(false, events)
			p.expect(tRBrace)
			return &ast.DictComp{Span: p.span(from), Key: x, Value: v, Generators: g}
		}
		d := &ast.Dict{Keys: []ast.Expr{x}, Values: []ast.Expr{v}}
		if !p.accept(tComma) {
			p.expect(tRBrace)
			d.Span = p.span(from)
			return d
		}
		return p.dict(d, from)
	case k == tFor, k == tAsync:
		g := p.generators(starred, events)
		p.expect(tRBrace)
		return &ast.SetComp{Span: p.span(from), Elt: x, Generators: g}
	}
	elts := p.elements(x, tRBrace)
	return &ast.Set{Span: p.span(from), Elts: elts}
}

// dict parses the rest of a dict display, which begins at from.
func (p *parser) dict(d *ast.Dict, from *token) ast.Expr {
	for p.kind() != tRBrace {
		var k, v ast.Expr
		if p.accept(tPower) {
			v = p.climb(precOr)
		} else {
			k = p.expression()
			p.expect(tColon)
			v = p.expression()
		}
		d.Keys, d.Values = append(d.Keys, k), append(d.Values, v)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace)
	d.Span = p.span(from)
	return d
}

// generators parses the for clauses of a comprehension, whose element must not
// be starred; events are those noted before it.
func (p *parser) generators(starred bool, events int) []*ast.Comprehension {
	if starred {
		panic(errRefused)
	}
	var list []*ast.Comprehension
	for {
		from := p.peek()
		async := p.accept(tAsync)
		if !async && p.kind() != tFor {
			p.notes.suspect = p.notes.suspect || p.notes.events != events
			return list
		}
		p.notes.suspect = p.notes.suspect || async
		p.expect(tFor)
		c := &ast.Comprehension{Target: p.forTarget(), IsAsync: async}
		p.expect(tIn)
		c.Iter = p.disjunction()
		for p.accept(tIf) {
			c.Ifs = append(c.Ifs, p.disjunction())
		}
		c.Span = p.span(from)
		list = append(list, c)
	}
}

// subscripts parses what stands in the brackets of a subscript, and the
// closing one.
func (p *parser) subscripts() ast.Expr {
	from := p.peek()
	x := p.index()
	if p.kind() == tComma || from.kind == tStar {
		mark := p.exprs.mark()
		p.exprs.push(x)
		for p.accept(tComma) && p.kind() != tRBracket {
			p.exprs.push(p.index())
		}
		x = p.tupleOf(from, p.exprs.keep(mark))
	}
	p.expect(tRBracket)
	return x
}

// index parses one of them.
func (p *parser) index() ast.Expr {
	from := p.peek()
	if from.kind == tStar {
		p.take()
		x := p.expression()
		return &ast.Starred{Span: p.span(from), Value: x}
	}
	var lower ast.Expr
	if from.kind != tColon {
		if lower = p.named(); p.kind() != tColon {
			return lower
		}
		if _, walrus := lower.(*ast.NamedExpr); walrus && from.kind != tLParen {
			panic(errRefused)
		}
	}
	p.take()
	s := &ast.Slice{Lower: lower, Upper: p.bound()}
	if p.accept(tColon) {
		s.Step = p.bound()
	}
	s.Span = p.span(from)
	return s
}

// bound parses the upper bound or step of a slice, which may be left out.
func (p *parser) bound() ast.Expr {
	if k := p.kind(); k == tColon || k == tRBracket || k == tComma {
		return nil
	}
	return p.expression()
}
