package compile

import (
	"fmt"
	"math/big"

	"github.com/tfs-lang/tfs/lang/ast"
)

// Warning is a SyntaxWarning: the text compiles, but is surely not meant.
type Warning struct {
	Msg  string
	Span ast.Span
}

// Warnings returns what the compiler warned of, in the order of the text.
func (u *Unit) Warnings() []Warning { return u.warnings }

func (u *Unit) warn(n ast.Node, format string, args ...any) {
	w := Warning{fmt.Sprintf(format, args...), *n.Where()}
	for _, have := range u.warnings {
		if have == w { // a finally block is compiled more than once
			return
		}
	}
	u.warnings = append(u.warnings, w)
}

func (u *Unit) warnCompare(n *ast.Compare) {
	left := n.Left
	for i, right := range n.Comparators {
		if isValueLiteral(left) || isValueLiteral(right) {
			switch n.Ops[i] {
			case ast.Is:
				u.warn(n, `"is" with a literal. Did you mean "=="?`)
				return
			case ast.IsNot:
				u.warn(n, `"is not" with a literal. Did you mean "!="?`)
				return
			}
		}
		left = right
	}
}

// isValueLiteral reports a literal whose identity means nothing.
func isValueLiteral(e ast.Expr) bool {
	c, ok := e.(*ast.Constant)
	if !ok {
		return false
	}
	switch c.Value.(type) {
	case nil, bool, ast.Ellipsis:
		return false
	}
	return true
}

func (u *Unit) warnCall(n *ast.Call) {
	switch n.Func.(type) {
	case *ast.Constant, *ast.Tuple, *ast.List, *ast.ListComp, *ast.Dict, *ast.DictComp, *ast.Set, *ast.SetComp,
		*ast.GeneratorExp, *ast.JoinedStr:
		u.warn(n, "'%s' object is not callable; perhaps you missed a comma?", typeOf(n.Func))
	}
}

func (u *Unit) warnSubscript(n *ast.Subscript) {
	switch v := n.Value.(type) {
	case *ast.Constant:
		switch v.Value.(type) {
		case string, ast.Bytes:
			u.warnIndex(n)
		default:
			u.warn(n, "'%s' object is not subscriptable; perhaps you missed a comma?", typeOf(v))
		}
	case *ast.Set, *ast.SetComp, *ast.GeneratorExp, *ast.Lambda:
		u.warn(n, "'%s' object is not subscriptable; perhaps you missed a comma?", typeOf(v))
	case *ast.Tuple, *ast.List, *ast.ListComp, *ast.JoinedStr:
		u.warnIndex(n)
	}
}

func (u *Unit) warnIndex(n *ast.Subscript) {
	switch t := typeOf(n.Slice); t {
	case "", "int", "bool", "slice":
	default:
		u.warn(n, "%s indices must be integers or slices, not %s; perhaps you missed a comma?", typeOf(n.Value), t)
	}
}

// typeOf is the type an expression surely has, "" if that can't be told.
func typeOf(e ast.Expr) string {
	switch n := e.(type) {
	case *ast.Tuple:
		return "tuple"
	case *ast.List, *ast.ListComp:
		return "list"
	case *ast.Dict, *ast.DictComp:
		return "dict"
	case *ast.Set, *ast.SetComp:
		return "set"
	case *ast.GeneratorExp:
		return "generator"
	case *ast.Lambda:
		return "function"
	case *ast.JoinedStr:
		return "str"
	case *ast.Slice:
		return "slice"
	case *ast.Constant:
		return constantType(n.Value)
	}
	return ""
}

func constantType(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string:
		return "str"
	case ast.Bytes:
		return "bytes"
	}
	return "ellipsis"
}
