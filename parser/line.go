package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

var lineStart = func() (t [256]bool) {
	t = exprStart
	for _, k := range []lexer.TokenType{tYield, tReturn, tPass, tBreak, tContinue, tRaise, tAssert, tDel, tGlobal, tNonlocal, tImport, tFrom} {
		t[-k] = true
	}
	return t
}()

func startsLine(t lexer.TokenType) bool { return lineStart[-t] }

// line appends the small statements up to the end of the line. It ends with the
// last token before that, which may be a semicolon.
func (p *parser) line(list []ast.Stmt) ([]ast.Stmt, end) {
	for {
		list = append(list, p.small())
		if p.accept(tSemi) && p.kind() != tNewline {
			continue
		}
		e := endOfNode(list[len(list)-1])
		if p.last.Type == tSemi {
			e = end{int32(p.last.Pos.Line), int32(p.last.Pos.Column)}
		}
		p.expect(tNewline)
		return list, e
	}
}

func (p *parser) small() ast.Stmt {
	from := p.Peek()
	switch from.Type {
	case tReturn:
		p.take()
		var x ast.Expr
		if startsExpr(p.kind()) {
			x = p.exprs()
		}
		return &ast.Return{Span: p.span(from), Value: x}
	case tPass:
		p.take()
		return &ast.Pass{Span: p.span(from)}
	case tBreak:
		p.take()
		return &ast.Break{Span: p.span(from)}
	case tContinue:
		p.take()
		return &ast.Continue{Span: p.span(from)}
	case tRaise:
		return p.raise()
	case tAssert:
		return p.assert()
	case tDel:
		return p.delete()
	case tGlobal:
		p.take()
		names := p.names()
		return &ast.Global{Span: p.span(from), Names: names}
	case tNonlocal:
		p.take()
		names := p.names()
		return &ast.Nonlocal{Span: p.span(from), Names: names}
	case tImport:
		return p.imports()
	case tFrom:
		return p.importFrom()
	}
	return p.assignment()
}

func (p *parser) raise() ast.Stmt {
	from := p.take()
	r := &ast.Raise{}
	if startsExpr(p.kind()) {
		r.Exc = p.expression()
		if p.accept(tFrom) {
			r.Cause = p.expression()
		}
	}
	r.Span = p.span(from)
	return r
}

func (p *parser) assert() ast.Stmt {
	from := p.take()
	a := &ast.Assert{Test: p.expression()}
	if p.accept(tComma) {
		a.Msg = p.expression()
	}
	a.Span = p.span(from)
	return a
}

func (p *parser) names() (list []string) {
	for {
		list = append(list, normalize(p.expect(tIdent).Value))
		if !p.accept(tComma) {
			return list
		}
	}
}

// assignment parses what begins with an expression.
func (p *parser) assignment() ast.Stmt {
	from := p.Peek()
	x := p.value()
	switch k := p.kind(); k {
	case tNewline, tSemi:
		return &ast.ExprStmt{Span: p.span(from), Value: x}
	case tAssign:
		return p.assign(from, x)
	case tColon:
		return p.annotated(from, x)
	default:
		if op := augmented[-k]; op != 0 {
			if !isSingle(x) {
				panic(errRefused)
			}
			store(x)
			p.take()
			v := p.value()
			return &ast.AugAssign{Span: p.span(from), Target: x, Op: op - 1, Value: v}
		}
	}
	panic(errRefused)
}

// Augmented assignments by -type: the operator plus one.
var augmented = func() (t [256]ast.Operator) {
	for text, op := range map[string]ast.Operator{"+=": ast.Add, "-=": ast.Sub, "*=": ast.Mult, "@=": ast.MatMult, "/=": ast.Div, "%=": ast.Mod,
		"**=": ast.Pow, "<<=": ast.LShift, ">>=": ast.RShift, "|=": ast.BitOr, "^=": ast.BitXor, "&=": ast.BitAnd, "//=": ast.FloorDiv} {
		t[-tok(text)] = op + 1
	}
	return t
}()

// value parses the right side of an assignment.
func (p *parser) value() ast.Expr {
	if p.kind() == tYield {
		return p.yield()
	}
	return p.exprs()
}

func (p *parser) assign(from *lexer.Token, x ast.Expr) ast.Stmt {
	a := &ast.Assign{}
	for p.accept(tAssign) {
		if !store(x) {
			panic(errRefused)
		}
		a.Targets = append(a.Targets, x)
		x = p.value()
	}
	a.Value, a.Span = x, p.span(from)
	return a
}

func (p *parser) annotated(from *lexer.Token, x ast.Expr) ast.Stmt {
	_, name := x.(*ast.Name)
	if !isSingle(x) {
		panic(errRefused)
	}
	store(x)
	p.take()
	a := &ast.AnnAssign{Target: x, Annotation: p.expression(), Simple: name && from.Type == tIdent}
	if p.accept(tAssign) {
		a.Value = p.value()
	}
	a.Span = p.span(from)
	return a
}

func (p *parser) imports() ast.Stmt {
	from := p.take()
	i := &ast.Import{}
	for {
		start := p.Peek()
		a := &ast.Alias{Name: p.dotted()}
		p.as(a, start)
		i.Names = append(i.Names, a)
		if !p.accept(tComma) {
			break
		}
	}
	i.Span = p.span(from)
	return i
}

func (p *parser) as(a *ast.Alias, start *lexer.Token) {
	if p.accept(tAs) {
		a.Asname = normalize(p.expect(tIdent).Value)
	}
	a.Span = p.span(start)
}

func (p *parser) dotted() string {
	name := normalize(p.expect(tIdent).Value)
	for p.accept(tDot) {
		name += "." + normalize(p.expect(tIdent).Value)
	}
	return name
}

func (p *parser) importFrom() ast.Stmt {
	from := p.take()
	i := &ast.ImportFrom{}
	for {
		if p.accept(tDot) {
			i.Level++
		} else if p.accept(tEllipsis) {
			i.Level += 3
		} else {
			break
		}
	}
	if i.Level == 0 || p.kind() == tIdent {
		i.Module = p.dotted()
	}
	p.expect(tImport)
	switch start := p.Peek(); start.Type {
	case tStar:
		p.take()
		i.Names = []*ast.Alias{{Span: p.span(start), Name: "*"}}
	case tLParen:
		p.take()
		i.Names = p.importNames(true)
		p.expect(tRParen)
	default:
		i.Names = p.importNames(false)
	}
	i.Span = p.span(from)
	return i
}

// importNames parses the names of from … import; a comma may follow the last
// in parentheses only.
func (p *parser) importNames(parens bool) (list []*ast.Alias) {
	for {
		start := p.expect(tIdent)
		a := &ast.Alias{Name: normalize(start.Value)}
		p.as(a, start)
		list = append(list, a)
		if !p.accept(tComma) || parens && p.kind() == tRParen {
			return list
		}
	}
}
