package parser

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// strings parses one or more string literals in a row.
func (p *parser) strings() ast.Expr {
	from := p.pos
	first := p.take()
	for p.kind() == tString {
		p.take()
	}
	span := p.span(first)
	if l := splitLiteral(p.text(first)); p.pos == from+1 && !l.formatted {
		v, msg := decode(l.body, l.bytes, l.raw)
		if msg != "" {
			panic(errRefused)
		}
		c := p.node.constant.next()
		*c = constant(span, v, l)
		return c
	}
	parts := make([]stringPart, p.pos-from)
	for i := range parts {
		t := &p.toks[from+i]
		parts[i] = stringPart{p.text(t), int(t.line), int(t.col)}
	}
	x, err := concatenate(parts, span, p.fragment)
	if err != nil {
		panic(errRefused)
	}
	return x
}

func constant(span ast.Span, v string, l literal) ast.Constant {
	if l.bytes {
		return ast.Constant{Span: span, Value: ast.Bytes(v)}
	}
	return ast.Constant{Span: span, Value: v, Kind: kindOf(l)}
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
		c := constant(span, out.text.String(), first)
		return &c, nil
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
	if len(f.src) > lightFragment {
		p.notes.suspect = true
	}
	q := p.inner
	if q == nil {
		q = &parser{builder: p.builder}
		p.inner = q
	}
	q.depth = p.depth
	q.begin(f.src + "\n")
	q.scan.line0, q.scan.col0 = f.line, f.col
	if err := q.fill(); err != nil {
		return nil, err
	}
	x = q.exprList()
	q.expect(tNewline)
	if strings.IndexByte(f.src, 0) >= 0 {
		return nil, errRefused
	}
	return x, nil
}

// lightFragment is how long an expression of an f-string may be without a look at
// how deep its tree is: three such in each other and lightLine stay below the bound.
const lightFragment = 300
