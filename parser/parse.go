package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// ParseFile parses a whole file (mode exec). An error is a *SyntaxError.
func ParseFile(src []byte, name string) (*ast.Module, error) {
	text, err := readSource(src, name)
	if err != nil {
		return nil, err
	}
	body, perr := parseBody(text)
	m := &ast.Module{Body: body}
	if perr == nil {
		perr = check(m)
	}
	if perr != nil {
		return nil, explain(perr, text, name, modeFile)
	}
	return m, nil
}

// ParseInteractive parses what was typed at a prompt (mode single): one compound
// statement, or small statements on one line.
func ParseInteractive(src []byte, name string) (*ast.Interactive, error) {
	text, err := readSource(src, name)
	if err != nil {
		return nil, err
	}
	body, perr := parseBody(text)
	m := &ast.Interactive{Body: body}
	if perr == nil {
		perr = oneStatement(body)
	}
	if perr == nil {
		perr = check(m)
	}
	if perr != nil {
		return nil, explain(perr, text, name, modeSingle)
	}
	return m, nil
}

// ParseExpr parses an expression (mode eval).
func ParseExpr(src []byte, name string) (*ast.Expression, error) {
	text, err := readSource(src, name)
	if err != nil {
		return nil, err
	}
	x, perr := parseLone(text)
	m := &ast.Expression{Body: x}
	if perr == nil {
		perr = check(m)
	}
	if perr != nil {
		return nil, explain(perr, text, name, modeExpr)
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
	p.expect(tNewline)
	p.expect(tEOF)
	return x, nil
}
