package parser

import "github.com/tfs-lang/tfs/lang/ast"

type mode int

const (
	modeFile mode = iota
	modeSingle
	modeExpr
)

func readSource(src []byte, name string) (string, error) { return string(src) + "\n", nil }
func explain(err error, text, name string, m mode) error {
	return &SyntaxError{Class: "SyntaxError", Msg: "invalid syntax", Filename: name, Line: 1}
}
func check(n ast.Node) error          { return nil }
func oneStatement(b []ast.Stmt) error { return nil }
