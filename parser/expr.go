package parser

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// maxDepth bounds the nesting of operators; brackets have their own bound.
const maxDepth = 5900

// parser is a position in a buffer of tokens. Its methods parse one construct
// each and panic with errRefused on anything else.
type parser struct {
	*builder
	scan  scanner
	src   string
	toks  []token
	pos   int
	held  token // the first of the next chunk
	ended bool  // there is no next chunk
	top   bool  // the next token may begin a top-level statement
	depth int
	chain []*ast.If // of the elifs being parsed
	inner *parser   // for the expressions in f-strings
}

func (p *parser) kind() kind { return p.toks[p.pos].kind }

func (p *parser) peek() *token { return &p.toks[p.pos] }

func (p *parser) take() *token {
	t := &p.toks[p.pos]
	p.pos++
	return t
}

func (p *parser) accept(k kind) bool {
	if p.toks[p.pos].kind == k {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(k kind) *token {
	if p.toks[p.pos].kind != k {
		panic(errRefused)
	}
	return p.take()
}

// ident takes an identifier.
func (p *parser) ident() string { return p.names.get(p.text(p.expect(tIdent))) }

func (p *parser) text(t *token) string { return p.src[t.start:t.end] }

func (p *parser) descend(levels int) {
	if p.depth += levels; p.depth > maxDepth {
		panic(errDeep)
	}
}

// span is the range from a token to the last one taken.
func (p *parser) span(from *token) ast.Span {
	t := &p.toks[p.pos-1]
	if t.multi {
		line, col := endOf(int(t.line), int(t.col), p.text(t))
		return ast.Span{Line: from.line, Col: from.col, EndLine: int32(line), EndCol: int32(col)}
	}
	return ast.Span{Line: from.line, Col: from.col, EndLine: t.line, EndCol: t.col + int32(t.end-t.start)}
}

// endOf is where a text ends that begins at a place.
func endOf(line, col int, text string) (int, int) {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return line + strings.Count(text, "\n"), len(text) - i - 1
	}
	return line, col + len(text)
}

// infix is an operator between two operands: how tightly it binds, and which
// comparison or arithmetic it is.
type infix struct {
	prec int8
	op   uint8
}

const (
	precNone = iota
	precDisjunction
	precConjunction
	precInversion
	precCompare
	precOr
	precXor
	precAnd
	precShift
	precSum
	precTerm
)

// infixes are the operators by kind.
var infixes = func() (t [kindCount]infix) {
	t[tOr].prec, t[tAnd].prec = precDisjunction, precConjunction
	for k, op := range map[kind]ast.CmpOp{tEqual: ast.Eq, tNotEqual: ast.NotEq, tLess: ast.Lt, tLessEqual: ast.LtE, tGreater: ast.Gt,
		tGreaterEqual: ast.GtE, tIs: ast.Is, tIn: ast.In, tNot: ast.NotIn} {
		t[k] = infix{precCompare, uint8(op)}
	}
	for k, i := range map[kind]struct {
		prec int8
		op   ast.Operator
	}{
		tBar: {precOr, ast.BitOr}, tCaret: {precXor, ast.BitXor}, tAmper: {precAnd, ast.BitAnd}, tLeft: {precShift, ast.LShift},
		tRight: {precShift, ast.RShift}, tPlus: {precSum, ast.Add}, tMinus: {precSum, ast.Sub}, tStar: {precTerm, ast.Mult},
		tSlash: {precTerm, ast.Div}, tFloor: {precTerm, ast.FloorDiv}, tPercent: {precTerm, ast.Mod}, tAt: {precTerm, ast.MatMult},
	} {
		t[k] = infix{i.prec, uint8(i.op)}
	}
	return t
}()

var exprStart = setOf(tIdent, tNumber, tString, tTrue, tFalse, tNone, tEllipsis, tLParen, tLBracket, tLBrace, tNot, tLambda, tMinus, tPlus,
	tTilde, tStar, tAwait)

func startsExpr(k kind) bool { return exprStart[k] }

// exprList parses an expression or several with commas; starred ones may be
// among them.
func (p *parser) exprList() ast.Expr { return p.list((*parser).expression) }

// list parses items with commas between and perhaps after them: the item
// itself, or a tuple as soon as there is a comma.
func (p *parser) list(item func(*parser) ast.Expr) ast.Expr {
	from := p.peek()
	x := p.starOr(item)
	if p.kind() != tComma {
		if from.kind == tStar {
			p.notes.suspect = true
		}
		return x
	}
	mark := p.exprs.mark()
	p.exprs.push(x)
	for p.accept(tComma) && startsExpr(p.kind()) {
		p.exprs.push(p.starOr(item))
	}
	return p.tupleOf(from, p.exprs.keep(mark))
}

// tupleOf makes a tuple that ends with the last token.
func (p *parser) tupleOf(from *token, elts []ast.Expr) ast.Expr {
	t := p.node.tuple.next()
	t.Span, t.Elts = p.span(from), elts
	return t
}

// starOr parses an item or a starred operand.
func (p *parser) starOr(item func(*parser) ast.Expr) ast.Expr {
	if from := p.peek(); from.kind == tStar {
		p.take()
		x := p.climb(precOr)
		return &ast.Starred{Span: p.span(from), Value: x}
	}
	return item(p)
}

// named parses an expression or name := expression.
func (p *parser) named() ast.Expr {
	from := p.peek()
	x := p.expression()
	if p.kind() != tWalrus {
		return x
	}
	n, ok := x.(*ast.Name)
	if !ok || from.kind != tIdent {
		panic(errRefused)
	}
	p.take()
	n.Ctx = ast.Store
	p.notes.events++
	v := p.expression()
	return &ast.NamedExpr{Span: p.span(from), Target: n, Value: v}
}

// expression parses a conditional expression or a lambda.
func (p *parser) expression() ast.Expr {
	from := p.peek()
	if from.kind == tLambda {
		return p.lambda()
	}
	x := p.disjunction()
	if p.kind() != tIf {
		return x
	}
	p.take()
	test := p.disjunction()
	p.expect(tElse)
	p.descend(1)
	orelse := p.expression()
	p.depth--
	return &ast.IfExp{Span: p.span(from), Test: test, Body: x, Orelse: orelse}
}

// disjunction parses an expression that is not conditional.
func (p *parser) disjunction() ast.Expr { return p.climb(precDisjunction) }

// climb is precedence climbing: it parses operands and the operators between
// them that bind at least so tightly.
func (p *parser) climb(least int8) ast.Expr {
	from := p.peek()
	var x ast.Expr
	if from.kind == tNot {
		if least > precInversion {
			panic(errRefused)
		}
		p.take()
		p.descend(1)
		y := p.climb(precInversion)
		p.depth--
		x = &ast.UnaryOp{Span: p.span(from), Op: ast.Not, Operand: y}
	} else {
		x = p.factor()
	}
	for {
		in := infixes[p.kind()]
		if in.prec < least || in.prec == precNone {
			return x
		}
		switch in.prec {
		case precDisjunction:
			x = p.boolOp(from, x, ast.Or, tOr, precConjunction)
		case precConjunction:
			x = p.boolOp(from, x, ast.And, tAnd, precInversion)
		case precCompare:
			x = p.comparison(from, x)
		default:
			p.take()
			y := p.climb(in.prec + 1)
			b := p.node.binOp.next()
			b.Span, b.Left, b.Op, b.Right = p.span(from), x, ast.Operator(in.op), y
			x = b
		}
	}
}

// boolOp parses the rest of a chain of and or or.
func (p *parser) boolOp(from *token, x ast.Expr, op ast.BoolOperator, sign kind, least int8) ast.Expr {
	mark := p.exprs.mark()
	p.exprs.push(x)
	for p.accept(sign) {
		p.exprs.push(p.climb(least))
	}
	values := p.exprs.keep(mark)
	return &ast.BoolOp{Span: p.span(from), Op: op, Values: values}
}

// comparison parses the rest of a chain of comparisons.
func (p *parser) comparison(from *token, x ast.Expr) ast.Expr {
	c := p.node.compare.next()
	c.Left = x
	mark := p.exprs.mark()
	var buffer [4]ast.CmpOp
	ops := buffer[:0]
	for infixes[p.kind()].prec == precCompare {
		op := ast.CmpOp(infixes[p.take().kind].op)
		switch op {
		case ast.NotIn:
			p.expect(tIn)
		case ast.Is:
			if p.accept(tNot) {
				op = ast.IsNot
			}
		}
		y := p.climb(precOr)
		if op == ast.Is || op == ast.IsNot {
			p.notes.doubtful = p.notes.doubtful || isLiteral(x) || isLiteral(y)
		}
		ops, x = append(ops, op), y
		p.exprs.push(y)
	}
	c.Ops, c.Comparators = keepOps(ops), p.exprs.keep(mark)
	c.Span = p.span(from)
	return c
}

// singleOps are the lists of one operator, which most comparisons share.
var singleOps = func() (t [ast.NotIn + 1][]ast.CmpOp) {
	for op := range t {
		t[op] = []ast.CmpOp{ast.CmpOp(op)}
	}
	return t
}()

func keepOps(ops []ast.CmpOp) []ast.CmpOp {
	if len(ops) == 1 {
		return singleOps[ops[0]]
	}
	return append([]ast.CmpOp(nil), ops...)
}

// factor parses an operand with the signs before it and a power behind it.
func (p *parser) factor() ast.Expr {
	from := p.peek()
	var op ast.UnaryOperator
	switch from.kind {
	case tMinus:
		op = ast.USub
	case tPlus:
		op = ast.UAdd
	case tTilde:
		op = ast.Invert
	default:
		x := p.awaited(from)
		if p.kind() == tPower {
			return p.power(from, x)
		}
		return x
	}
	p.take()
	p.descend(1)
	x := p.factor()
	p.depth--
	return &ast.UnaryOp{Span: p.span(from), Op: op, Operand: x}
}

func (p *parser) power(from *token, x ast.Expr) ast.Expr {
	p.take()
	p.descend(2)
	y := p.factor()
	p.depth -= 2
	return &ast.BinOp{Span: p.span(from), Left: x, Op: ast.Pow, Right: y}
}

func (p *parser) awaited(from *token) ast.Expr {
	if from.kind != tAwait {
		return p.primary()
	}
	p.notes.suspect = true
	p.notes.events++
	p.take()
	x := p.primary()
	return &ast.Await{Span: p.span(from), Value: x}
}

func (p *parser) primary() ast.Expr {
	from := p.peek()
	x := p.atom(from)
	for {
		switch p.kind() {
		case tDot:
			p.take()
			name := p.ident()
			a := p.node.attribute.next()
			a.Span, a.Value, a.Attr = p.span(from), x, name
			x = a
		case tLParen:
			p.doubt(x)
			a := p.callArgs()
			c := p.node.call.next()
			c.Span, c.Func, c.Args, c.Keywords = p.span(from), x, a.args, a.keywords
			x = c
		case tLBracket:
			p.doubt(x)
			p.take()
			i := p.subscripts()
			s := p.node.subscript.next()
			s.Span, s.Value, s.Slice = p.span(from), x, i
			x = s
		default:
			return x
		}
	}
}

// doubt notes that what is called or indexed is surely neither function nor
// sequence.
func (p *parser) doubt(x ast.Expr) {
	switch x.(type) {
	case *ast.Name, *ast.Attribute, *ast.Call, *ast.Subscript:
	default:
		p.notes.doubtful = true
	}
}

func (p *parser) atom(from *token) ast.Expr {
	switch from.kind {
	case tIdent:
		p.take()
		n := p.node.name.next()
		n.Span = ast.Span{Line: from.line, Col: from.col, EndLine: from.line, EndCol: from.col + int32(from.end-from.start)}
		n.Id = p.names.get(p.text(from))
		return n
	case tNumber:
		p.take()
		return p.literal(from, numberValue(p.text(from)))
	case tString:
		return p.strings()
	case tTrue:
		p.take()
		return p.literal(from, true)
	case tFalse:
		p.take()
		return p.literal(from, false)
	case tNone:
		p.take()
		return p.literal(from, nil)
	case tEllipsis:
		p.take()
		return p.literal(from, ast.Ellipsis{})
	case tLParen:
		return p.parenthesized()
	case tLBracket:
		return p.listDisplay()
	case tLBrace:
		return p.braces()
	}
	panic(errRefused)
}

// literal makes a constant that ends with the last token.
func (p *parser) literal(from *token, v any) *ast.Constant {
	c := p.node.constant.next()
	c.Span, c.Value = p.span(from), v
	return c
}
