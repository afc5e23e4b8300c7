package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// yield parses a yield expression.
func (p *parser) yield() ast.Expr {
	from := p.expect(tYield)
	if p.accept(tFrom) {
		x := p.expression()
		return &ast.YieldFrom{Span: p.span(from), Value: x}
	}
	var x ast.Expr
	if startsExpr(p.kind()) {
		x = p.exprs()
	}
	return &ast.Yield{Span: p.span(from), Value: x}
}

// parenthesized parses a tuple, a generator expression or a group, which
// leaves no trace in the tree.
func (p *parser) parenthesized() ast.Expr {
	from := p.take()
	if p.accept(tRParen) {
		return &ast.Tuple{Span: p.span(from)}
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
		elts := []ast.Expr{x}
		for p.accept(tComma) && p.kind() != tRParen {
			elts = append(elts, p.starOr((*parser).named))
		}
		p.expect(tRParen)
		return &ast.Tuple{Span: p.span(from), Elts: elts}
	case tFor, tAsync:
		g := p.generators(starred)
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
	from := p.take()
	var elts []ast.Expr
	for p.kind() != tRBracket {
		x := p.starOr((*parser).named)
		if k := p.kind(); len(elts) == 0 && (k == tFor || k == tAsync) {
			_, starred := x.(*ast.Starred)
			g := p.generators(starred)
			p.expect(tRBracket)
			return &ast.ListComp{Span: p.span(from), Elt: x, Generators: g}
		}
		elts = append(elts, x)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBracket)
	return &ast.List{Span: p.span(from), Elts: elts}
}

// braces parses a dict or set display or comprehension.
func (p *parser) braces() ast.Expr {
	from := p.take()
	if k := p.kind(); k == tRBrace || k == tPower {
		return p.dict(&ast.Dict{}, from)
	}
	key := p.Peek()
	x := p.starOr((*parser).named)
	_, starred := x.(*ast.Starred)
	switch k := p.kind(); {
	case k == tColon && !starred:
		if _, walrus := x.(*ast.NamedExpr); walrus && key.Type == tIdent {
			panic(errRefused)
		}
		p.take()
		v := p.expression()
		if k := p.kind(); k == tFor || k == tAsync {
			g := p.generators(false)
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
		g := p.generators(starred)
		p.expect(tRBrace)
		return &ast.SetComp{Span: p.span(from), Elt: x, Generators: g}
	}
	elts := []ast.Expr{x}
	for p.accept(tComma) && p.kind() != tRBrace {
		elts = append(elts, p.starOr((*parser).named))
	}
	p.expect(tRBrace)
	return &ast.Set{Span: p.span(from), Elts: elts}
}

// dict parses the rest of a dict display, which begins at from.
func (p *parser) dict(d *ast.Dict, from *lexer.Token) ast.Expr {
	for p.kind() != tRBrace {
		var k, v ast.Expr
		if p.accept(tPower) {
			v = p.binary(precOr)
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
// be starred.
func (p *parser) generators(starred bool) []*ast.Comprehension {
	if starred {
		panic(errRefused)
	}
	var list []*ast.Comprehension
	for {
		from := p.Peek()
		async := p.accept(tAsync)
		if !async && p.kind() != tFor {
			return list
		}
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
	from := p.Peek()
	x := p.subscript()
	if _, starred := x.(*ast.Starred); starred || p.kind() == tComma {
		elts := []ast.Expr{x}
		for p.accept(tComma) && p.kind() != tRBracket {
			elts = append(elts, p.subscript())
		}
		x = &ast.Tuple{Span: p.span(from), Elts: elts}
	}
	p.expect(tRBracket)
	return x
}

func (p *parser) subscript() ast.Expr {
	from := p.Peek()
	s := &ast.Slice{}
	if from.Type == tStar {
		p.take()
		x := p.expression()
		return &ast.Starred{Span: p.span(from), Value: x}
	}
	if from.Type != tColon {
		if s.Lower = p.named(); p.kind() != tColon {
			return s.Lower
		}
		if _, walrus := s.Lower.(*ast.NamedExpr); walrus && from.Type != tLParen {
			panic(errRefused)
		}
	}
	p.take()
	bound := func() ast.Expr {
		if k := p.kind(); k == tColon || k == tRBracket || k == tComma {
			return nil
		}
		return p.expression()
	}
	s.Upper = bound()
	if p.accept(tColon) {
		s.Step = bound()
	}
	s.Span = p.span(from)
	return s
}
