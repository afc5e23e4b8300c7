package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// maxDepth bounds the nesting of operators; brackets have their own bound.
const maxDepth = 5900

// parser is a position in participle's buffer of tokens. Its methods parse one
// construct each and panic with errRefused on anything else.
type parser struct {
	*lexer.PeekingLexer
	last  *lexer.Token // consumed last
	depth int
}

func (p *parser) kind() lexer.TokenType { return p.Peek().Type }

func (p *parser) take() *lexer.Token {
	p.last = p.Next()
	return p.last
}

func (p *parser) accept(t lexer.TokenType) bool {
	if p.Peek().Type == t {
		p.take()
		return true
	}
	return false
}

func (p *parser) expect(t lexer.TokenType) *lexer.Token {
	if p.Peek().Type != t {
		panic(errRefused)
	}
	return p.take()
}

func (p *parser) descend(levels int) {
	if p.depth += levels; p.depth > maxDepth {
		panic(errDeep)
	}
}

// span is the range from a token to the last one consumed.
func (p *parser) span(from *lexer.Token) ast.Span {
	line, col := p.last.Pos.Line, p.last.Pos.Column-1
	if p.last.Type == tString {
		line, col = endOf(line, col, p.last.Value)
	} else {
		col += len(p.last.Value)
	}
	return ast.Span{Line: int32(from.Pos.Line), Col: int32(from.Pos.Column) - 1, EndLine: int32(line), EndCol: int32(col)}
}

// endOf is where a text ends that begins at a place.
func endOf(line, col int, text string) (int, int) {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return line + strings.Count(text, "\n"), len(text) - i - 1
	}
	return line, col + len(text)
}

// Binary operators by -type.
type binary struct {
	prec int8
	op   ast.Operator
}

const (
	precNone = iota
	precOr
	precXor
	precAnd
	precShift
	precSum
	precTerm
)

var binaries = func() (t [256]binary) {
	for _, b := range []struct {
		text string
		binary
	}{
		{"|", binary{precOr, ast.BitOr}}, {"^", binary{precXor, ast.BitXor}}, {"&", binary{precAnd, ast.BitAnd}},
		{"<<", binary{precShift, ast.LShift}}, {">>", binary{precShift, ast.RShift}},
		{"+", binary{precSum, ast.Add}}, {"-", binary{precSum, ast.Sub}},
		{"*", binary{precTerm, ast.Mult}}, {"/", binary{precTerm, ast.Div}}, {"//", binary{precTerm, ast.FloorDiv}},
		{"%", binary{precTerm, ast.Mod}}, {"@", binary{precTerm, ast.MatMult}},
	} {
		t[-tok(b.text)] = b.binary
	}
	return t
}()

// Comparisons by -type, plus one.
var comparisons = func() (t [256]ast.CmpOp) {
	for text, op := range map[string]ast.CmpOp{"==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
		"is": ast.Is, "in": ast.In, "not": ast.NotIn} {
		t[-tok(text)] = op + 1
	}
	return t
}()

var exprStart = func() (t [256]bool) {
	for _, k := range []lexer.TokenType{tIdent, tNumber, tString, tTrue, tFalse, tNone, tEllipsis, tLParen, tLBracket, tLBrace,
		tNot, tLambda, tMinus, tPlus, tTilde, tStar, tAwait} {
		t[-k] = true
	}
	return t
}()

func startsExpr(t lexer.TokenType) bool { return exprStart[-t] }
func isLParen(t lexer.TokenType) bool   { return t == tLParen }

// exprs parses an expression or several with commas; starred ones may be among them.
func (p *parser) exprs() ast.Expr { return p.list((*parser).expression) }

// list parses items with commas between and perhaps after them: the item
// itself, or a tuple as soon as there is a comma.
func (p *parser) list(item func(*parser) ast.Expr) ast.Expr {
	from := p.Peek()
	x := p.starOr(item)
	if p.kind() != tComma {
		return x
	}
	elts := []ast.Expr{x}
	for p.accept(tComma) && startsExpr(p.kind()) {
		elts = append(elts, p.starOr(item))
	}
	return &ast.Tuple{Span: p.span(from), Elts: elts}
}

// starOr parses an item or a starred operand.
func (p *parser) starOr(item func(*parser) ast.Expr) ast.Expr {
	if from := p.Peek(); from.Type == tStar {
		p.take()
		x := p.binary(precOr)
		return &ast.Starred{Span: p.span(from), Value: x}
	}
	return item(p)
}

// named parses an expression or name := expression.
func (p *parser) named() ast.Expr {
	from := p.Peek()
	x := p.expression()
	if p.kind() != tWalrus {
		return x
	}
	n, ok := x.(*ast.Name)
	if !ok || from.Type != tIdent {
		panic(errRefused)
	}
	p.take()
	n.Ctx = ast.Store
	v := p.expression()
	return &ast.NamedExpr{Span: p.span(from), Target: n, Value: v}
}

// expression parses a conditional expression or a lambda.
func (p *parser) expression() ast.Expr {
	from := p.Peek()
	if from.Type == tLambda {
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

func (p *parser) disjunction() ast.Expr {
	from := p.Peek()
	x := p.conjunction()
	if p.kind() != tOr {
		return x
	}
	values := []ast.Expr{x}
	for p.accept(tOr) {
		values = append(values, p.conjunction())
	}
	return &ast.BoolOp{Span: p.span(from), Op: ast.Or, Values: values}
}

func (p *parser) conjunction() ast.Expr {
	from := p.Peek()
	x := p.inversion()
	if p.kind() != tAnd {
		return x
	}
	values := []ast.Expr{x}
	for p.accept(tAnd) {
		values = append(values, p.inversion())
	}
	return &ast.BoolOp{Span: p.span(from), Op: ast.And, Values: values}
}

func (p *parser) inversion() ast.Expr {
	from := p.Peek()
	if from.Type != tNot {
		return p.comparison()
	}
	p.take()
	p.descend(1)
	x := p.inversion()
	p.depth--
	return &ast.UnaryOp{Span: p.span(from), Op: ast.Not, Operand: x}
}

func (p *parser) comparison() ast.Expr {
	from := p.Peek()
	x := p.binary(precOr)
	if comparisons[-p.kind()] == 0 {
		return x
	}
	c := &ast.Compare{Left: x}
	for comparisons[-p.kind()] != 0 {
		op := comparisons[-p.take().Type] - 1
		switch op {
		case ast.NotIn:
			p.expect(tIn)
		case ast.Is:
			if p.accept(tNot) {
				op = ast.IsNot
			}
		}
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.binary(precOr))
	}
	c.Span = p.span(from)
	return c
}

// binary is precedence climbing over the arithmetic operators.
func (p *parser) binary(least int8) ast.Expr {
	from := p.Peek()
	x := p.factor()
	for {
		b := binaries[-p.kind()]
		if b.prec < least || b.prec == precNone {
			return x
		}
		p.take()
		y := p.binary(b.prec + 1)
		x = &ast.BinOp{Span: p.span(from), Left: x, Op: b.op, Right: y}
	}
}

func (p *parser) factor() ast.Expr {
	from := p.Peek()
	var op ast.UnaryOperator
	switch from.Type {
	case tMinus:
		op = ast.USub
	case tPlus:
		op = ast.UAdd
	case tTilde:
		op = ast.Invert
	default:
		return p.power()
	}
	p.take()
	p.descend(1)
	x := p.factor()
	p.depth--
	return &ast.UnaryOp{Span: p.span(from), Op: op, Operand: x}
}

func (p *parser) power() ast.Expr {
	from := p.Peek()
	var x ast.Expr
	if from.Type == tAwait {
		p.take()
		x = p.primary()
		x = &ast.Await{Span: p.span(from), Value: x}
	} else {
		x = p.primary()
	}
	if p.kind() != tPower {
		return x
	}
	p.take()
	p.descend(2)
	y := p.factor()
	p.depth -= 2
	return &ast.BinOp{Span: p.span(from), Left: x, Op: ast.Pow, Right: y}
}

func (p *parser) primary() ast.Expr {
	from := p.Peek()
	x := p.atom()
	for {
		switch p.kind() {
		case tDot:
			p.take()
			name := normalize(p.expect(tIdent).Value)
			x = &ast.Attribute{Span: p.span(from), Value: x, Attr: name}
		case tLParen:
			a := p.callArgs()
			x = &ast.Call{Span: p.span(from), Func: x, Args: a.args, Keywords: a.keywords}
		case tLBracket:
			p.take()
			i := p.subscripts()
			x = &ast.Subscript{Span: p.span(from), Value: x, Slice: i}
		default:
			return x
		}
	}
}

func (p *parser) atom() ast.Expr {
	from := p.Peek()
	switch from.Type {
	case tIdent:
		p.take()
		return &ast.Name{Span: p.span(from), Id: normalize(from.Value)}
	case tNumber:
		p.take()
		return &ast.Constant{Span: p.span(from), Value: numberValue(from.Value)}
	case tString:
		return p.strings()
	case tTrue, tFalse:
		p.take()
		return &ast.Constant{Span: p.span(from), Value: from.Type == tTrue}
	case tNone:
		p.take()
		return &ast.Constant{Span: p.span(from)}
	case tEllipsis:
		p.take()
		return &ast.Constant{Span: p.span(from), Value: ast.Ellipsis{}}
	case tLParen:
		return p.parenthesized()
	case tLBracket:
		return p.listDisplay()
	case tLBrace:
		return p.braces()
	}
	panic(errRefused)
}
