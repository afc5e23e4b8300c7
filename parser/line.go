package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// line pushes the small statements up to the end of the line. It ends with the
// last token before that, which may be a semicolon.
func (p *parser) line() end {
	for {
		p.stmts.push(p.small())
		if p.accept(tSemi) && p.kind() != tNewline {
			continue
		}
		t := &p.toks[p.pos-1]
		p.expect(tNewline)
		e := end{t.line, t.col + int32(t.end-t.start)}
		if t.multi {
			e = endOfNode(p.stmts.stack[len(p.stmts.stack)-1])
		}
		return e
	}
}

func (p *parser) small() ast.Stmt {
	from := p.peek()
	switch from.kind {
	case tIdent:
		return p.assignment()
	case tReturn:
		return p.returns()
	case tPass:
		p.take()
		return &ast.Pass{Span: p.span(from)}
	case tBreak:
		p.take()
		p.notes.suspect = p.notes.suspect || p.notes.loops == 0
		return &ast.Break{Span: p.span(from)}
	case tContinue:
		p.take()
		p.notes.suspect = p.notes.suspect || p.notes.loops == 0
		return &ast.Continue{Span: p.span(from)}
	case tRaise:
		return p.raise()
	case tAssert:
		return p.assert()
	case tDel:
		return p.delete()
	case tGlobal:
		p.declares()
		names := p.identifiers()
		return &ast.Global{Span: p.span(from), Names: names}
	case tNonlocal:
		p.declares()
		names := p.identifiers()
		return &ast.Nonlocal{Span: p.span(from), Names: names}
	case tImport:
		return p.imports()
	case tFrom:
		return p.importFrom()
	}
	return p.assignment()
}

// declares takes the word of a declaration, of which the checks want all of the
// scope.
func (p *parser) declares() {
	p.take()
	p.notes.suspect = true
	p.notes.whole = p.notes.whole || p.notes.functions == 0
}

func (p *parser) returns() ast.Stmt {
	from := p.take()
	p.notes.suspect = p.notes.suspect || !p.notes.returns
	var x ast.Expr
	if startsExpr(p.kind()) {
		x = p.exprList()
	}
	r := p.node.returns.next()
	r.Span, r.Value = p.span(from), x
	return r
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
	if _, tuple := a.Test.(*ast.Tuple); tuple {
		p.notes.doubtful = true
	}
	if p.accept(tComma) {
		a.Msg = p.expression()
	}
	a.Span = p.span(from)
	return a
}

func (p *parser) identifiers() (list []string) {
	for {
		list = append(list, p.ident())
		if !p.accept(tComma) {
			return list
		}
	}
}

// assignment parses what begins with an expression.
func (p *parser) assignment() ast.Stmt {
	from := p.peek()
	x := p.value()
	switch k := p.kind(); k {
	case tNewline, tSemi:
		s := p.node.exprStmt.next()
		s.Span, s.Value = p.span(from), x
		return s
	case tAssign:
		return p.assign(from, x)
	case tColon:
		return p.annotated(from, x)
	default:
		if op := augmented[k]; op != 0 {
			if !isSingle(x) {
				panic(errRefused)
			}
			p.store(x)
			p.take()
			v := p.value()
			return &ast.AugAssign{Span: p.span(from), Target: x, Op: op - 1, Value: v}
		}
	}
	panic(errRefused)
}

// augmented are the operators of augmented assignments, plus one.
var augmented = func() (t [kindCount]ast.Operator) {
	for k, op := range map[kind]ast.Operator{tPlusAssign: ast.Add, tMinusAssign: ast.Sub, tStarAssign: ast.Mult, tAtAssign: ast.MatMult,
		tSlashAssign: ast.Div, tPercentAssign: ast.Mod, tPowerAssign: ast.Pow, tLeftAssign: ast.LShift, tRightAssign: ast.RShift,
		tBarAssign: ast.BitOr, tCaretAssign: ast.BitXor, tAmperAssign: ast.BitAnd, tFloorAssign: ast.FloorDiv} {
		t[k] = op + 1
	}
	return t
}()

// value parses the right side of an assignment.
func (p *parser) value() ast.Expr {
	if p.kind() == tYield {
		return p.yield()
	}
	return p.exprList()
}

func (p *parser) assign(from *token, x ast.Expr) ast.Stmt {
	a, mark := p.node.assign.next(), p.exprs.mark()
	for p.accept(tAssign) {
		if !p.store(x) {
			panic(errRefused)
		}
		p.exprs.push(x)
		x = p.value()
	}
	a.Targets, a.Value, a.Span = p.exprs.keep(mark), x, p.span(from)
	return a
}

func (p *parser) annotated(from *token, x ast.Expr) ast.Stmt {
	_, name := x.(*ast.Name)
	if !isSingle(x) {
		panic(errRefused)
	}
	p.store(x)
	p.take()
	a := &ast.AnnAssign{Target: x, Annotation: p.expression(), Simple: name && from.kind == tIdent}
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
		start := p.peek()
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

func (p *parser) as(a *ast.Alias, start *token) {
	if p.accept(tAs) {
		a.Asname = p.ident()
	}
	a.Span = p.span(start)
}

func (p *parser) dotted() string {
	name := p.ident()
	for p.accept(tDot) {
		name += "." + p.ident()
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
	p.notes.whole = p.notes.whole || i.Module == "__future__"
	switch start := p.peek(); start.kind {
	case tStar:
		p.take()
		p.notes.suspect = p.notes.suspect || p.notes.functions > 0
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
		a := &ast.Alias{Name: p.names.get(p.text(start))}
		p.as(a, start)
		list = append(list, a)
		if !p.accept(tComma) || parens && p.kind() == tRParen {
			return list
		}
	}
}
