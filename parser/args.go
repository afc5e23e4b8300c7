package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// callArgs are the arguments of a call or class.
type callArgs struct {
	args     []ast.Expr
	keywords []*ast.Keyword
	// the only argument is a generator expression without parentheses of its own
	bareGenerator bool
}

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
	args, keywords, events := p.exprs.mark(), p.keywords.mark(), p.notes.events
	for p.kind() != tRParen {
		from := p.peek()
		switch {
		case from.kind == tPower:
			p.take()
			v := p.expression()
			p.keyword(from, "", v)
			mapped = true
		case from.kind == tStar && !mapped:
			p.take()
			v := p.expression()
			p.exprs.push(&ast.Starred{Span: p.span(from), Value: v})
		default:
			x := p.named()
			if n, ok := x.(*ast.Name); ok && from.kind == tIdent && p.kind() == tAssign {
				p.take()
				v := p.expression()
				p.keyword(from, n.Id, v)
				break
			}
			if p.keywords.mark() > keywords {
				panic(errRefused)
			}
			if k := p.kind(); k == tFor || k == tAsync {
				return p.bareGenerator(args, events, open, x)
			}
			p.exprs.push(x)
		}
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRParen)
	a.args, a.keywords = p.exprs.keep(args), p.keywords.keep(keywords)
	if len(a.keywords) > 1 {
		p.notes.keywords(a.keywords)
	}
	return a
}

// keyword pushes an argument with a name, or **value, that ends with the last
// token.
func (p *parser) keyword(from *token, name string, v ast.Expr) {
	k := p.node.keyword.next()
	k.Span, k.Arg, k.Value = p.span(from), name, v
	p.keywords.push(k)
}

// bareGenerator parses f(x for x in y): the parentheses of the call are those
// of the generator expression.
func (p *parser) bareGenerator(args, events int, open *token, elt ast.Expr) callArgs {
	g := p.generators(false, events)
	p.expect(tRParen)
	if p.exprs.mark() > args {
		panic(errRefused)
	}
	x := &ast.GeneratorExp{Span: p.span(open), Elt: elt, Generators: g}
	return callArgs{args: p.exprs.one(x), bareGenerator: true}
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
func (p *parser) parameters(end kind, annotated bool) *ast.Arguments {
	a := p.node.arguments.next()
	args, defaults := p.args.mark(), p.exprs.mark()
	from := p.peek()
	star := false // behind * or *args
	for p.kind() != end {
		if a.Kwarg != nil {
			panic(errRefused)
		}
		switch p.kind() {
		case tSlash:
			p.take()
			if star || a.Posonlyargs != nil || p.args.mark() == args {
				panic(errRefused)
			}
			a.Posonlyargs = p.args.keep(args)
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
			p.plainParameter(a, annotated, star, defaults)
		}
		if !p.accept(tComma) {
			break
		}
	}
	if star && a.Vararg == nil && len(a.Kwonlyargs) == 0 {
		panic(errRefused)
	}
	a.Args, a.Defaults = p.args.keep(args), p.exprs.keep(defaults)
	if p.peek() != from {
		a.Span = p.span(from)
		p.notes.params(a)
	}
	return a
}

// plainParameter parses a parameter without a star; defaults marks those so far.
func (p *parser) plainParameter(a *ast.Arguments, annotated, keywordOnly bool, defaults int) {
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
		p.exprs.push(value)
	case p.exprs.mark() > defaults:
		panic(errRefused)
	}
	p.args.push(arg)
}

func (p *parser) parameter(annotated, star bool) *ast.Arg {
	from := p.expect(tIdent)
	a := p.node.arg.next()
	a.Arg = p.names.get(p.text(from))
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
