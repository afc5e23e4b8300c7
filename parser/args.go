package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// classArgs parses the arguments of a class, where a lone generator expression
// has no parentheses of its own either.
func (p *parser) classArgs() callArgs {
	a := p.callArgs()
	if len(a.args) == 1 && a.bareGenerator {
		panic(errRefused)
	}
	return a
}

// callArgs parses arguments in parentheses. Positional ones may follow only
// positional ones, starred ones may also follow name=value, but nothing of
// either may follow **value.
func (p *parser) callArgs() (a callArgs) {
	open := p.take()
	mapped := false // a **value was there
	for p.kind() != tRParen {
		from := p.Peek()
		switch {
		case from.Type == tPower:
			p.take()
			v := p.expression()
			a.keywords = append(a.keywords, &ast.Keyword{Span: p.span(from), Value: v})
			mapped = true
		case from.Type == tStar && !mapped:
			p.take()
			v := p.expression()
			a.args = append(a.args, &ast.Starred{Span: p.span(from), Value: v})
		default:
			x := p.named()
			if n, ok := x.(*ast.Name); ok && from.Type == tIdent && p.kind() == tAssign {
				p.take()
				v := p.expression()
				a.keywords = append(a.keywords, &ast.Keyword{Span: p.span(from), Arg: n.Id, Value: v})
				break
			}
			if len(a.keywords) > 0 {
				panic(errRefused)
			}
			if k := p.kind(); k == tFor || k == tAsync {
				return p.bareGenerator(a, open, x)
			}
			a.args = append(a.args, x)
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRParen)
	return a
}

// bareGenerator parses f(x for x in y): the parentheses of the call are those
// of the generator expression.
func (p *parser) bareGenerator(a callArgs, open *lexer.Token, elt ast.Expr) callArgs {
	g := p.generators(false)
	p.expect(tRParen)
	if len(a.args) > 0 {
		panic(errRefused)
	}
	a.args, a.bareGenerator = []ast.Expr{&ast.GeneratorExp{Span: p.span(open), Elt: elt, Generators: g}}, true
	return a
}

func (p *parser) params() *ast.Arguments {
	p.take()
	a := p.parameters(tRParen, true)
	p.expect(tRParen)
	return a
}

func (p *parser) lambda() ast.Expr {
	from := p.take()
	a := p.parameters(tColon, false)
	p.expect(tColon)
	p.descend(2)
	body := p.expression()
	p.depth -= 2
	return &ast.Lambda{Span: p.span(from), Args: a, Body: body}
}

// parameters parses a parameter list up to the token end, with annotations or
// without.
func (p *parser) parameters(end lexer.TokenType, annotated bool) *ast.Arguments {
	a := &ast.Arguments{}
	from := p.Peek()
	star := false // behind * or *args
	for p.kind() != end {
		if a.Kwarg != nil {
			panic(errRefused)
		}
		switch p.kind() {
		case tSlash:
			p.take()
			if star || a.Posonlyargs != nil || len(a.Args) == 0 {
				panic(errRefused)
			}
			a.Posonlyargs, a.Args = a.Args, nil
		case tPower:
			p.take()
			a.Kwarg = p.parameter(annotated, false)
		case tStar:
			p.take()
			if star {
				panic(errRefused)
			}
			if star = true; p.kind() != tComma {
				a.Vararg = p.parameter(annotated, true)
			}
		default:
			p.plainParameter(a, annotated, star)
		}
		if !p.accept(tComma) {
			break
		}
	}
	if star && a.Vararg == nil && len(a.Kwonlyargs) == 0 {
		panic(errRefused)
	}
	if p.kind() != from.Type {
		a.Span = p.span(from)
	}
	return a
}

func (p *parser) plainParameter(a *ast.Arguments, annotated, keywordOnly bool) {
	arg := p.parameter(annotated, false)
	var value ast.Expr
	if p.accept(tAssign) {
		value = p.expression()
	}
	switch {
	case keywordOnly:
		a.Kwonlyargs, a.KwDefaults = append(a.Kwonlyargs, arg), append(a.KwDefaults, value)
		return
	case value != nil:
		a.Defaults = append(a.Defaults, value)
	case len(a.Defaults) > 0:
		panic(errRefused)
	}
	a.Args = append(a.Args, arg)
}

func (p *parser) parameter(annotated, star bool) *ast.Arg {
	from := p.expect(tIdent)
	a := &ast.Arg{Arg: normalize(from.Value)}
	if annotated && p.accept(tColon) {
		if star {
			a.Annotation = p.starOr((*parser).expression)
		} else {
			a.Annotation = p.expression()
		}
	}
	a.Span = p.span(from)
	return a
}
