package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

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
	body, err := parseBody(s.text)
	module := &ast.Module{Body: body}
	if err == nil {
		err = check(module)
	}
	if err != nil {
		return nil, explain(err, s)
	}
	return module, nil
}

// ParseInteractive parses what was typed at a prompt (mode single): one compound
// statement, or small statements on one line. An error is a *SyntaxError.
func ParseInteractive(src, name string) (*ast.Interactive, error) {
	s, err := readSource([]byte(src), name, modeSingle)
	if err != nil {
		return nil, err
	}
	body, err := parseBody(s.text)
	m := &ast.Interactive{Body: body}
	if err == nil {
		err = oneStatement(body)
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
	lex, err := lexer.Upgrade(&feed{newScanner(text)})
	if err != nil {
		return nil, err
	}
	defer recoverRefused(&err)
	p := &parser{PeekingLexer: lex}
	x = p.exprs()
	if _, starred := x.(*ast.Starred); starred {
		return nil, errRefused
	}
	p.expect(tNewline)
	p.expect(tEOF)
	return x, nil
}
