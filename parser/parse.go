package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// ParseFile parses a program that is in a file (mode exec). An error is a
// *SyntaxError; its columns and text are those that CPython has for files,
// which differ a little from those for text in memory.
func ParseFile(src []byte, name string) (*ast.Module, error) {
	return parseModule(src, name, modeFile)
}

// ParseString parses a program that is not in a file (exec and compile). An
// error is a *SyntaxError.
func ParseString(src, name string) (*ast.Module, error) {
	return parseModule([]byte(src), name, modeText)
}

func parseModule(src []byte, name string, m mode) (*ast.Module, error) {
	s, err := readSource(src, name, m)
	if err != nil {
		return nil, err
	}
	out, err := parseBody(s.text)
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
	s, err := readSource([]byte(src), name, modeSingle)
	if err != nil {
		return nil, err
	}
	out, err := parseBody(s.text)
	m := &ast.Interactive{Body: out.body}
	if err == nil {
		err = oneStatement(out.body)
	}
	if err == nil {
		err = check(m)
	}
	if err != nil {
		return nil, explain(err, s)
	}
	return m, nil
}

// ParseExpr parses an expression (mode eval). An error is a *SyntaxError.
func ParseExpr(src, name string) (*ast.Expression, error) {
	s, err := readSource([]byte(src), name, modeExpr)
	if err != nil {
		return nil, err
	}
	x, err := parseLone(s.text)
	m := &ast.Expression{Body: x}
	if err == nil {
		err = check(m)
	}
	if err != nil {
		return nil, explain(err, s)
	}
	return m, nil
}

func parseLone(text string) (x ast.Expr, err error) {
	defer recoverRefused(&err)
	p := &parser{builder: &builder{}}
	p.begin(text)
	if err := p.fill(); err != nil {
		return nil, err
	}
	x = p.exprList()
	if _, starred := x.(*ast.Starred); starred {
		return nil, errRefused
	}
	p.expect(tNewline)
	p.expect(tEOF)
	return x, nil
}
