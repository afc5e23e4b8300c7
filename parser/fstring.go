package parser

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// fstring reads the inside of one f-string token. Both parsers use it: compile
// parses the source of an expression.
type fstring struct {
	token   string // the whole token
	line    int    // where it stands
	col     int
	raw     bool
	own     ast.Span // of the token
	span    ast.Span // of the whole literal, of which the token may be a part
	kind    string
	compile func(fragment) (ast.Expr, error)
}

// fragment is an expression inside an f-string, put in parentheses so that it
// may span lines. Its first line has number line, and that line's columns are
// shifted by col.
type fragment struct {
	src       string
	line, col int
}

// textError is a mistake in a string literal.
type textError string

func (e textError) Error() string { return string(e) }

// pieces collects the values of a JoinedStr; neighbouring texts are joined.
type pieces struct {
	values []ast.Expr
	text   strings.Builder
	span   ast.Span
	kind   string
}

func (p *pieces) flush() {
	if p.text.Len() > 0 {
		p.values = append(p.values, &ast.Constant{Span: p.span, Value: p.text.String(), Kind: p.kind})
		p.text.Reset()
	}
}

// maxSpecDepth is how deep format specs nest in each other.
const maxSpecDepth = 2

// parse reads token[i:end] up to its end or, in a format spec, up to the closing
// brace, and returns where it stopped.
func (f *fstring) parse(out *pieces, i, end, depth int) (int, error) {
	for {
		text, next, again, err := f.literal(i, end, depth)
		if err != nil {
			return 0, err
		}
		out.text.WriteString(text)
		i = next
		switch {
		case again:
			continue
		case i >= end || f.token[i] == '}':
			if i < end && depth == 0 {
				return 0, textError("f-string: unexpected end of string")
			}
			out.span, out.kind = f.own, "" // CPython places the end of a spec so
			out.flush()
			return i, nil
		}
		if i, err = f.field(out, i, end, depth); err != nil {
			return 0, err
		}
	}
}

// literal reads text up to a field; again says that a doubled brace ended it.
func (f *fstring) literal(i, end, depth int) (text string, next int, again bool, err error) {
	start, s := i, f.token
scan:
	for i < end {
		c := s[i]
		i++
		if c == '\\' && !f.raw && i < end {
			c = s[i]
			i++
			if c == 'N' {
				if i < end && s[i] == '{' {
					for i++; i < end && s[i] != '}'; i++ {
					}
				}
				i = min(i+1, end) // the closing brace, or, as in CPython, whatever follows
				continue
			}
		}
		if c != '{' && c != '}' {
			continue
		}
		if depth == 0 {
			if i < end && s[i] == c {
				next, again = i+1, true
				break scan
			}
			if c == '}' {
				return "", 0, false, textError("f-string: single '}' is not allowed")
			}
		}
		i--
		break
	}
	if !again {
		next = i
	}
	text, msg := decode(s[start:i], false, f.raw)
	if msg != "" {
		err = textError(msg)
	}
	return text, next, again, err
}

// field reads a replacement field; token[i] is its opening brace.
func (f *fstring) field(out *pieces, i, end, depth int) (int, error) {
	if depth >= maxSpecDepth {
		return 0, textError("f-string: expressions nested too deeply")
	}
	start := i + 1
	i, err := f.expressionEnd(start, end)
	if err != nil {
		return 0, err
	}
	v := &ast.FormattedValue{Span: f.span, Conversion: -1}
	if v.Value, err = f.expression(start, i); err != nil {
		return 0, err
	}
	shown := false
	if f.token[i] == '=' {
		for i++; i < end && strings.IndexByte(" \t\n\v\f\r", f.token[i]) >= 0; i++ {
		}
		out.text.WriteString(f.token[start:i])
		shown = true
	}
	out.flush()
	if i, err = f.suffix(v, i, end, depth); err != nil {
		return 0, err
	}
	if shown && v.FormatSpec == nil && v.Conversion < 0 {
		v.Conversion = 'r'
	}
	out.values = append(out.values, v)
	return i + 1, nil
}

const wantBrace = textError("f-string: expecting '}'")

// suffix reads the conversion and the format spec up to the closing brace.
func (f *fstring) suffix(v *ast.FormattedValue, i, end, depth int) (int, error) {
	if i < end && f.token[i] == '!' {
		i += 2
		if i > end {
			return 0, wantBrace
		}
		v.Conversion = int(f.token[i-1])
		if strings.IndexByte("sra", f.token[i-1]) < 0 {
			return 0, textError("f-string: invalid conversion character: expected 's', 'r', or 'a'")
		}
	}
	if i < end && f.token[i] == ':' {
		if i++; i >= end {
			return 0, wantBrace
		}
		spec := pieces{span: f.span, kind: f.kind}
		var err error
		if i, err = f.parse(&spec, i, end, depth+1); err != nil {
			return 0, err
		}
		v.FormatSpec = &ast.JoinedStr{Span: f.own, Values: spec.values}
	}
	if i >= end || f.token[i] != '}' {
		return 0, wantBrace
	}
	return i, nil
}

// expressionEnd finds the end of the expression of a field.
func (f *fstring) expressionEnd(i, end int) (int, error) {
	s, quote, open := f.token, "", []byte(nil)
	for ; i < end; i++ {
		c := s[i]
		switch {
		case c == '\\':
			return 0, textError("f-string expression part cannot include a backslash")
		case quote != "":
			if strings.HasPrefix(s[i:end], quote) {
				i += len(quote) - 1
				quote = ""
			}
		case c == '\'' || c == '"':
			quote = s[i : i+1]
			if i+2 < end && s[i+1] == c && s[i+2] == c {
				quote = s[i : i+3]
				i += 2
			}
		case c == '[' || c == '{' || c == '(':
			if len(open) >= maxBrackets {
				return 0, textError("f-string: too many nested parenthesis")
			}
			open = append(open, c)
		case c == '#':
			return 0, textError("f-string expression part cannot include '#'")
		case len(open) == 0 && strings.IndexByte("!:}=<>", c) >= 0:
			if i+1 < end && s[i+1] == '=' && c != ':' && c != '}' {
				i++
			} else if c != '<' && c != '>' {
				return i, nil
			}
		case c == ']' || c == '}' || c == ')':
			n := len(open) - 1
			if n < 0 {
				return 0, textError("f-string: unmatched '" + string(c) + "'")
			}
			if o := open[n]; o == '(' && c != ')' || o == '[' && c != ']' || o == '{' && c != '}' {
				return 0, textError("f-string: closing parenthesis '" + string(c) + "' does not match opening parenthesis '" + string(o) + "'")
			}
			open = open[:n]
		}
	}
	switch {
	case quote != "":
		return 0, textError("f-string: unterminated string")
	case len(open) > 0:
		return 0, textError("f-string: unmatched '" + string(open[len(open)-1]) + "'")
	}
	return 0, wantBrace
}

// expression parses token[start:end].
func (f *fstring) expression(start, end int) (ast.Expr, error) {
	if strings.Trim(f.token[start:end], " \t\n\f\r") == "" {
		if c := f.token[end]; c != '}' {
			return nil, textError("f-string: expression required before '" + string(c) + "'")
		}
		return nil, textError("f-string: empty expression not allowed")
	}
	brace := start - 1
	lines, col := strings.Count(f.token[:brace], "\n"), 0
	blank := strings.TrimLeft(f.token[start:], " \t\f")
	if blank[0] != '\n' && blank[0] != '}' { // it begins on the line of the brace
		col = brace - strings.LastIndexByte(f.token[:brace], '\n') - 1
	}
	if lines == 0 {
		col += f.col
	}
	return f.compile(fragment{"(" + f.token[start:end] + ")", f.line + lines, col})
}
