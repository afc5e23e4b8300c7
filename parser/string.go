package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// strings parses one or more string literals in a row.
func (p *parser) strings() ast.Expr {
	from := p.take()
	tokens := append(make([]*lexer.Token, 0, 2), from)
	for p.kind() == tString {
		tokens = append(tokens, p.take())
	}
	span := p.span(from)
	first := splitLiteral(from.Value)
	if len(tokens) == 1 && !first.formatted {
		v, msg := decode(first.body, first.bytes, first.raw)
		if msg != "" {
			panic(errRefused)
		}
		return constant(span, v, first)
	}
	parts := make([]stringPart, len(tokens))
	for i, t := range tokens {
		parts[i] = stringPart{t.Value, t.Pos.Line, t.Pos.Column - 1}
	}
	x, err := concatenate(parts, span, p.fragment)
	if err != nil {
		panic(errRefused)
	}
	return x
}

func constant(span ast.Span, v string, l literal) ast.Expr {
	if l.bytes {
		return &ast.Constant{Span: span, Value: ast.Bytes(v)}
	}
	return &ast.Constant{Span: span, Value: v, Kind: kindOf(l)}
}

func kindOf(l literal) string {
	if l.unicode {
		return "u"
	}
	return ""
}

// stringPart is one string token and its place.
type stringPart struct {
	text      string
	line, col int
}

func (s stringPart) span() ast.Span {
	line, col := endOf(s.line, s.col, s.text)
	return ast.Span{Line: int32(s.line), Col: int32(s.col), EndLine: int32(line), EndCol: int32(col)}
}

// concatenate makes one node of neighbouring literals.
func concatenate(parts []stringPart, span ast.Span, compile func(fragment) (ast.Expr, error)) (ast.Expr, error) {
	first := splitLiteral(parts[0].text)
	out := pieces{span: span, kind: kindOf(first)}
	formatted := false
	for _, part := range parts {
		l := splitLiteral(part.text)
		v, msg := "", ""
		if !l.formatted {
			v, msg = decode(l.body, l.bytes, l.raw)
		}
		if msg == "" && l.bytes != first.bytes {
			msg = "cannot mix bytes and nonbytes literals"
		}
		if msg != "" {
			return nil, textError(msg)
		}
		if !l.formatted {
			out.text.WriteString(v)
			continue
		}
		formatted = true
		f := fstring{token: part.text, line: part.line, col: part.col, raw: l.raw, own: part.span(), span: span, kind: out.kind, compile: compile}
		if _, err := f.parseAll(&out, l); err != nil {
			return nil, err
		}
	}
	if !formatted {
		return constant(span, out.text.String(), first), nil
	}
	out.flush()
	return &ast.JoinedStr{Span: span, Values: out.values}, nil
}

// parseAll reads the whole token and leaves its last text to be joined with the
// next literal's.
func (f *fstring) parseAll(out *pieces, l literal) (int, error) {
	i, end := l.offset, l.offset+len(l.body)
	for i < end {
		text, next, again, err := f.literal(i, end, 0)
		if err != nil {
			return 0, err
		}
		out.text.WriteString(text)
		if i = next; again || i >= end {
			continue
		}
		if i, err = f.field(out, i, end, 0); err != nil {
			return 0, err
		}
	}
	return i, nil
}

// fragment parses the expression of a replacement field.
func (p *parser) fragment(f fragment) (x ast.Expr, err error) {
	defer recoverRefused(&err)
	s := newScanner(f.src + "\n")
	s.line0, s.col0 = f.line, f.col
	lex, err := lexer.Upgrade(&feed{s})
	if err != nil {
		return nil, err
	}
	q := &parser{PeekingLexer: lex, depth: p.depth}
	x = q.exprs()
	q.expect(tNewline)
	if strings.IndexByte(f.src, 0) >= 0 {
		return nil, errRefused
	}
	return x, nil
}
