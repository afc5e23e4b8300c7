package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// stagedState is what gen needs beside the rest for staged code; nil for normal code.
type stagedState struct{}

func (s *stagedState) extra() int                                  { return 0 }
func (s *stagedState) find(name string) *symbol                    { return nil }
func (s *stagedState) ternary(g *gen, n *ast.IfExp, dst slot) bool { return false }
func (s *stagedState) boolOp(g *gen, n *ast.BoolOp, dst slot) bool { return false }
func (s *stagedState) chain(g *gen, n *ast.Compare, dst slot) bool { return false }
func (s *stagedState) ifStmt(g *gen, n *ast.If) bool               { return false }
func (s *stagedState) forStmt(g *gen, n *ast.For) bool             { return false }
func (s *stagedState) whileStmt(g *gen, n *ast.While) bool         { return false }
func (s *stagedState) nameLocals(c *code.Code)                     {}

func unparse(e ast.Expr) string { return "" }
