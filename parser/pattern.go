package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

var patternStart = setOf(tIdent, tNumber, tString, tMinus, tNone, tTrue, tFalse, tLParen, tLBracket, tLBrace, tStar)

func startsPattern(k kind) bool { return patternStart[k] }

// subject parses what match looks at.
func (p *parser) subject() ast.Expr {
	x := p.list((*parser).named)
	if _, starred := x.(*ast.Starred); starred {
		panic(errRefused)
	}
	return x
}

// casePattern parses a pattern, or a sequence without brackets.
func (p *parser) casePattern() ast.Pattern {
	from := p.peek()
	x := p.starPattern()
	if p.kind() != tComma {
		return notStar(x)
	}
	list := []ast.Pattern{x}
	for p.accept(tComma) && startsPattern(p.kind()) {
		list = append(list, p.starPattern())
	}
	return &ast.MatchSequence{Span: p.span(from), Patterns: list}
}

func notStar(x ast.Pattern) ast.Pattern {
	if _, star := x.(*ast.MatchStar); star {
		panic(errRefused)
	}
	return x
}

func (p *parser) starPattern() ast.Pattern {
	from := p.peek()
	if from.kind != tStar {
		return p.pattern()
	}
	p.take()
	name := p.ident()
	if name == "_" {
		name = ""
	}
	return &ast.MatchStar{Span: p.span(from), Name: name}
}

// capture parses a name that a pattern binds.
func (p *parser) capture() string {
	name := p.ident()
	if name == "_" {
		panic(errRefused)
	}
	return name
}

func (p *parser) pattern() ast.Pattern {
	from := p.peek()
	x := p.closedPattern()
	if p.kind() == tBar {
		list := []ast.Pattern{x}
		for p.accept(tBar) {
			list = append(list, p.closedPattern())
		}
		x = &ast.MatchOr{Span: p.span(from), Patterns: list}
	}
	if !p.accept(tAs) {
		return x
	}
	name := p.capture()
	return &ast.MatchAs{Span: p.span(from), Pattern: x, Name: name}
}

func (p *parser) closedPattern() ast.Pattern {
	from := p.peek()
	switch from.kind {
	case tNone:
		p.take()
		return &ast.MatchSingleton{Span: p.span(from)}
	case tTrue, tFalse:
		p.take()
		return &ast.MatchSingleton{Span: p.span(from), Value: from.kind == tTrue}
	case tNumber, tString, tMinus:
		x := p.patternLiteral()
		return &ast.MatchValue{Span: p.span(from), Value: x}
	case tIdent:
		return p.namePattern()
	case tLParen:
		return p.groupPattern()
	case tLBracket:
		p.take()
		list := p.patterns(tRBracket)
		return &ast.MatchSequence{Span: p.span(from), Patterns: list}
	case tLBrace:
		return p.mappingPattern()
	}
	panic(errRefused)
}

// patternLiteral parses a string or a number, which may be -1 or 1+2j.
func (p *parser) patternLiteral() ast.Expr {
	from := p.peek()
	if from.kind == tString {
		return p.strings() // an f-string is refused by the checks, as in CPython
	}
	x, imaginary := p.signedNumber()
	k := p.kind()
	if k != tPlus && k != tMinus {
		return x
	}
	p.take()
	right := p.peek()
	p.expect(tNumber)
	v := numberValue(p.text(right))
	if _, ok := v.(complex128); !ok || imaginary {
		panic(errRefused)
	}
	y := &ast.Constant{Span: p.span(right), Value: v}
	return &ast.BinOp{Span: p.span(from), Left: x, Op: ast.Operator(infixes[k].op), Right: y}
}

func (p *parser) signedNumber() (x ast.Expr, imaginary bool) {
	from := p.peek()
	minus := p.accept(tMinus)
	n := p.expect(tNumber)
	c := &ast.Constant{Span: p.span(n), Value: numberValue(p.text(n))}
	_, imaginary = c.Value.(complex128)
	if !minus {
		return c, imaginary
	}
	return &ast.UnaryOp{Span: p.span(from), Op: ast.USub, Operand: c}, imaginary
}

// patternName parses a name with attributes.
func (p *parser) patternName() ast.Expr {
	from := p.expect(tIdent)
	var x ast.Expr = &ast.Name{Span: p.span(from), Id: p.names.get(p.text(from))}
	for p.accept(tDot) {
		attr := p.ident()
		x = &ast.Attribute{Span: p.span(from), Value: x, Attr: attr}
	}
	return x
}

func (p *parser) namePattern() ast.Pattern {
	from := p.peek()
	x := p.patternName()
	if p.kind() == tLParen {
		return p.classPattern(from, x)
	}
	if n, ok := x.(*ast.Name); ok {
		if n.Id == "_" {
			return &ast.MatchAs{Span: n.Span}
		}
		return &ast.MatchAs{Span: n.Span, Name: n.Id}
	}
	return &ast.MatchValue{Span: *x.Where(), Value: x}
}

func (p *parser) groupPattern() ast.Pattern {
	from := p.take()
	if p.accept(tRParen) {
		return &ast.MatchSequence{Span: p.span(from)}
	}
	x := p.starPattern()
	if p.kind() != tComma {
		p.expect(tRParen)
		return notStar(x)
	}
	p.take()
	list := append([]ast.Pattern{x}, p.patterns(tRParen)...)
	return &ast.MatchSequence{Span: p.span(from), Patterns: list}
}

// patterns parses patterns up to the closing bracket, and the bracket.
func (p *parser) patterns(end kind) (list []ast.Pattern) {
	for p.kind() != end {
		list = append(list, p.starPattern())
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(end)
	return list
}

func (p *parser) mappingPattern() ast.Pattern {
	from := p.take()
	m := &ast.MatchMapping{}
	for p.kind() != tRBrace {
		if m.Rest != "" {
			panic(errRefused)
		}
		if p.accept(tPower) {
			m.Rest = p.capture()
		} else {
			m.Keys = append(m.Keys, p.patternKey())
			p.expect(tColon)
			m.Patterns = append(m.Patterns, p.pattern())
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace)
	m.Span = p.span(from)
	return m
}

func (p *parser) patternKey() ast.Expr {
	switch p.kind() {
	case tNone, tTrue, tFalse:
		return p.atom(p.peek())
	case tIdent:
		x := p.patternName()
		if _, ok := x.(*ast.Attribute); ok {
			return x
		}
		panic(errRefused)
	}
	return p.patternLiteral()
}

func (p *parser) classPattern(from *token, cls ast.Expr) ast.Pattern {
	p.take()
	m := &ast.MatchClass{Cls: cls}
	for p.kind() != tRParen {
		start := p.pos
		if name := p.peek(); name.kind == tIdent {
			p.take()
			if p.kind() == tAssign {
				p.take()
				m.KwdAttrs = append(m.KwdAttrs, p.names.get(p.text(name)))
				m.KwdPatterns = append(m.KwdPatterns, p.pattern())
				if !p.accept(tComma) {
					break
				}
				continue
			}
			p.pos = start
		}
		if len(m.KwdAttrs) > 0 {
			panic(errRefused)
		}
		m.Patterns = append(m.Patterns, p.pattern())
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRParen)
	m.Span = p.span(from)
	return m
}
