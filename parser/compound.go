package parser

import "github.com/tfs-lang/tfs/lang/ast"

// end is where a statement or block ends: behind its last token, which may be a
// semicolon.
type end struct{ line, col int32 }

func endOfNode(n ast.Node) end { return end{n.Where().EndLine, n.Where().EndCol} }

// spanTo is the span from a token to an end.
func spanTo(from *token, e end) ast.Span {
	return ast.Span{Line: from.line, Col: from.col, EndLine: e.line, EndCol: e.col}
}

// statement pushes a compound statement, or the simple statements of a line,
// and returns where it ends.
func (p *parser) statement() end {
	var s ast.Stmt
	from := p.peek()
	start := p.pos
	switch from.kind {
	case tIf:
		s = p.ifs()
	case tFor:
		s = p.forLoop()
	case tDef:
		s = p.function(from, nil)
	case tWith:
		s = p.with()
	case tWhile:
		s = p.while()
	case tAt:
		s = p.decorated()
	case tClass:
		s = p.class(nil)
	case tTry:
		s = p.try()
	case tMatch:
		s = p.match()
	case tAsync:
		s = p.async(nil)
	default:
		e := p.line()
		if p.notes.weight+p.pos-start > lightLine {
			p.notes.suspect = true
		}
		return e
	}
	p.stmts.push(s)
	return endOfNode(s)
}

// suite parses a colon and the block behind it.
func (p *parser) suite(head int) (list []ast.Stmt, e end) {
	weight := p.notes.weight
	if p.notes.weight += p.pos - head + 1; p.notes.weight > lightLine {
		p.notes.suspect = true
	}
	p.expect(tColon)
	mark := p.stmts.mark()
	if p.kind() != tNewline {
		e = p.line()
	} else {
		p.take()
		p.expect(tIndent)
		for {
			e = p.statement()
			if p.kind() == tDedent {
				p.take()
				break
			}
		}
	}
	p.notes.weight = weight
	return p.stmts.keep(mark), e
}

// orelse parses an else part, if there is one.
func (p *parser) orelse(e *end) (list []ast.Stmt) {
	if p.kind() == tElse {
		head := p.pos
		p.take()
		list, *e = p.suite(head)
	}
	return list
}

// ifs parses an if statement: each elif is an if alone in the else part of the
// one before.
func (p *parser) ifs() ast.Stmt {
	weight := p.notes.weight
	var first, last *ast.If
	var e end
	for mark := len(p.chain); ; {
		head := p.pos
		from := p.take()
		x := p.node.ifs.next()
		x.Span = ast.Span{Line: from.line, Col: from.col}
		x.Test = p.named()
		x.Body, e = p.suite(head)
		if p.chain = append(p.chain, x); last == nil {
			first = x
		} else {
			last.Orelse = p.stmts.one(x)
		}
		if last = x; p.kind() == tElif {
			p.notes.weight += 2
			continue
		}
		x.Orelse = p.orelse(&e)
		for _, x := range p.chain[mark:] {
			x.EndLine, x.EndCol = e.line, e.col
		}
		p.chain, p.notes.weight = p.chain[:mark], weight
		return first
	}
}

func (p *parser) while() ast.Stmt {
	head := p.pos
	from := p.take()
	x := &ast.While{Test: p.named()}
	e := p.loop(head, &x.Body, &x.Orelse)
	x.Span = spanTo(from, e)
	return x
}

// loop parses the block of a loop and what follows when it ends.
func (p *parser) loop(head int, body, orelse *[]ast.Stmt) (e end) {
	p.notes.indent(1)
	p.notes.loops++
	*body, e = p.suite(head)
	p.notes.loops--
	p.notes.blocks--
	*orelse = p.orelse(&e)
	return e
}

func (p *parser) forLoop() *ast.For {
	head := p.pos
	from := p.take()
	x := &ast.For{Target: p.forTarget()}
	p.expect(tIn)
	x.Iter = p.exprList()
	e := p.loop(head, &x.Body, &x.Orelse)
	x.Span = spanTo(from, e)
	return x
}

func (p *parser) with() *ast.With {
	head := p.pos
	from := p.take()
	x := &ast.With{Items: p.withItems()}
	p.notes.indent(len(x.Items))
	var e end
	x.Body, e = p.suite(head)
	p.notes.blocks -= len(x.Items)
	x.Span = spanTo(from, e)
	return x
}

// try parses a try statement: what follows it must be handlers, of one kind, or
// a finally part.
func (p *parser) try() ast.Stmt {
	head := p.pos
	from := p.take()
	p.notes.indent(2)
	t := ast.Try{}
	var e end
	t.Body, e = p.suite(head)
	star := false
	for p.kind() == tExcept {
		h, starred := p.handler(&e)
		if len(t.Handlers) > 0 && (starred != star || t.Handlers[len(t.Handlers)-1].Type == nil) {
			if starred != star {
				panic(errRefused)
			}
			p.notes.suspect = true // a bare except before another
		}
		star = starred
		t.Handlers = append(t.Handlers, h)
	}
	t.Orelse = p.orelse(&e)
	if p.kind() == tFinally {
		head := p.pos
		p.take()
		t.Finalbody, e = p.suite(head)
	} else if len(t.Handlers) == 0 {
		panic(errRefused)
	}
	if len(t.Handlers) == 0 && t.Orelse != nil {
		panic(errRefused)
	}
	p.notes.blocks -= 2
	t.Span = spanTo(from, e)
	if star {
		p.notes.suspect = true
		x := ast.TryStar(t)
		return &x
	}
	return &t
}

func (p *parser) handler(e *end) (h *ast.ExceptHandler, star bool) {
	head := p.pos
	from := p.take()
	h = &ast.ExceptHandler{}
	star = p.accept(tStar)
	if startsExpr(p.kind()) {
		h.Type = p.expression()
		if p.accept(tAs) {
			h.Name = p.ident()
		}
	} else if star {
		panic(errRefused)
	}
	p.notes.indent(2)
	h.Body, *e = p.suite(head)
	p.notes.blocks -= 2
	h.Span = spanTo(from, *e)
	return h, star
}

// function parses a definition that begins at the token from, which is async or
// def.
func (p *parser) function(from *token, decorators []ast.Expr) *ast.FunctionDef {
	head := p.pos
	p.take()
	x := p.node.function.next()
	x.DecoratorList = decorators
	x.Name = p.ident()
	if p.kind() != tLParen {
		panic(errRefused)
	}
	x.Args = p.params()
	if p.accept(tArrow) {
		x.Returns = p.expression()
	}
	outer := p.notes.enter(true)
	var e end
	x.Body, e = p.suite(head)
	p.notes.leave(outer)
	x.Span = spanTo(from, e)
	return x
}

func (p *parser) class(decorators []ast.Expr) ast.Stmt {
	head := p.pos
	from := p.take()
	x := &ast.ClassDef{Name: p.ident(), DecoratorList: decorators}
	if p.kind() == tLParen {
		a := p.classArgs()
		x.Bases, x.Keywords = a.args, a.keywords
	}
	outer := p.notes.enter(false)
	var e end
	x.Body, e = p.suite(head)
	p.notes.leave(outer)
	x.Span = spanTo(from, e)
	return x
}

// async parses a statement that begins with async. All that is asynchronous
// goes through the checks.
func (p *parser) async(decorators []ast.Expr) ast.Stmt {
	from := p.take()
	p.notes.suspect = true
	switch k := p.kind(); {
	case k == tDef:
		x := ast.AsyncFunctionDef(*p.function(from, decorators))
		return &x
	case k == tFor && decorators == nil:
		x := ast.AsyncFor(*p.forLoop())
		x.Line, x.Col = from.line, from.col
		return &x
	case k == tWith && decorators == nil:
		x := ast.AsyncWith(*p.with())
		x.Line, x.Col = from.line, from.col
		return &x
	}
	panic(errRefused)
}

func (p *parser) decorated() ast.Stmt {
	mark := p.exprs.mark()
	for p.accept(tAt) {
		p.exprs.push(p.named())
		p.expect(tNewline)
	}
	list := p.exprs.keep(mark)
	switch from := p.peek(); from.kind {
	case tDef:
		return p.function(from, list)
	case tClass:
		return p.class(list)
	case tAsync:
		return p.async(list)
	}
	panic(errRefused)
}

func (p *parser) match() ast.Stmt {
	from := p.take()
	p.notes.suspect = true // its patterns go through the checks
	m := &ast.Match{Subject: p.subject()}
	p.expect(tColon)
	p.expect(tNewline)
	p.expect(tIndent)
	var e end
	for {
		head := p.pos
		c := &ast.MatchCase{}
		start := p.expect(tCase)
		c.Pattern = p.casePattern()
		if p.accept(tIf) {
			c.Guard = p.named()
		}
		c.Body, e = p.suite(head)
		c.Span = spanTo(start, e)
		m.Cases = append(m.Cases, c)
		if p.accept(tDedent) {
			break
		}
	}
	m.Span = spanTo(from, e)
	return m
}
