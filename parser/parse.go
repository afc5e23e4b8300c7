package parser

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// ParseFile parses a program that is in a file (mode exec). An error is a
// *SyntaxError; its columns and text are those that CPython has for files,
// which differ a little from those for text in memory.
func ParseFile(src []byte, name string) (*ast.Module, error) {
	s, err := readSource(src, name)
	if err != nil {
		return nil, err
	}
	return parseModule(s)
}

// ParseString parses a program that is not in a file (exec and compile). An
// error is a *SyntaxError.
func ParseString(src, name string) (*ast.Module, error) {
	s, err := textSource(src, name, modeText)
	if err != nil {
		return nil, err
	}
	return parseModule(s)
}

func parseModule(s *source) (*ast.Module, error) {
	out, err := parseBody(s.text, s.bare)
	if err == nil {
		err = out.check()
	}
	if err != nil {
		return nil, explain(err, s)
	}
	return &ast.Module{Body: out.body, Doubtful: out.doubtful}, nil
}

// check runs the checks on what the parser has noted. Their order is that of the
// whole program, so one mistake anywhere makes them begin again there.
func (out *parsed) check() error {
	if !out.whole {
		err := error(nil)
		for i := range out.suspects {
			if err = check(&ast.Module{Body: out.suspects[i : i+1]}); err != nil {
				break
			}
		}
		if err == nil {
			return nil
		}
	}
	return check(&ast.Module{Body: out.body})
}

// ParseInteractive parses what was typed at a prompt (mode single): one compound
// statement, or small statements on one line. An error is a *SyntaxError.
func ParseInteractive(src, name string) (*ast.Interactive, error) {
	s, err := textSource(src, name, modeSingle)
	if err != nil {
		return nil, err
	}
	out, err := parseBody(s.text, s.bare)
	m := &ast.Interactive{Body: out.body}
	if err == nil {
		err = oneStatement(out.body)
	}
	if err == nil && s.unended(out.body[0]) {
		line := strings.Count(s.text, "\n")
		return nil, &SyntaxError{Class: "SyntaxError", Msg: "invalid syntax", Filename: name, Line: line, EndLine: line,
			Text: strings.TrimSuffix(lineOf(s.text, line), "\n")}
	}
	if err == nil {
		err = check(m)
	}
	if err != nil {
		if cut := strings.TrimRight(src, " \t\f"); s.bare && strings.HasSuffix(cut, "\n") {
			// behind a simple statement CPython doesn't look at the last line
			if m, err := ParseInteractive(cut, name); err == nil && !compound(m.Body[0]) {
				return m, nil
			}
		}
		return nil, explain(err, s)
	}
	return m, nil
}

// ParseExpr parses an expression (mode eval). An error is a *SyntaxError.
func ParseExpr(src, name string) (*ast.Expression, error) {
	s, err := textSource(src, name, modeExpr)
	if err != nil {
		return nil, err
	}
	x, err := parseLone(s)
	m := &ast.Expression{Body: x}
	if err == nil {
		err = check(m)
	}
	if err != nil {
		return nil, explain(err, s)
	}
	return m, nil
}

func parseLone(s *source) (x ast.Expr, err error) {
	defer recoverRefused(&err)
	p := &parser{builder: &builder{}}
	p.begin(s.text)
	p.scan.bare = s.bare
	if err := p.fill(); err != nil {
		return nil, err
	}
	from := p.peek()
	x = p.expression()
	if p.kind() == tComma {
		mark := p.exprs.mark()
		p.exprs.push(x)
		for p.accept(tComma) && startsExpr(p.kind()) {
			p.exprs.push(p.expression())
		}
		x = p.tupleOf(from, p.exprs.keep(mark))
	}
	p.expect(tNewline)
	p.expect(tEOF)
	return x, nil
}

// unended tells whether a compound statement at a prompt ends on a line of its
// own level that has no newline: CPython wants one there.
func (s *source) unended(x ast.Stmt) bool {
	if !s.bare || !compound(x) {
		return false
	}
	c := lineOf(s.text, int(x.Where().EndLine))[0]
	return c != ' ' && c != '\t'
}
