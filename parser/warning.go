package parser

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang/ast"
)

// Warning is a SyntaxWarning: code that is allowed but surely not meant.
type Warning struct {
	Line int
	Msg  string
}

// Warnings returns what CPython's compiler warns of in a tree that has been
// parsed, by its order in the source, each text once a line.
func Warnings(root ast.Node) []Warning {
	w := &warner{seen: map[Warning]bool{}}
	roots := []ast.Node{root}
	if m, ok := root.(*ast.Module); ok {
		roots = roots[:0]
		for _, s := range m.Doubtful {
			roots = append(roots, s)
		}
	}
	for _, r := range roots {
		ast.Walk(r, func(n ast.Node) bool {
			w.node(n)
			return true
		})
	}
	return w.list
}

type warner struct {
	list []Warning
	seen map[Warning]bool
}

func (w *warner) warn(n ast.Node, format string, args ...any) {
	v := Warning{int(n.Where().Line), fmt.Sprintf(format, args...)}
	if !w.seen[v] {
		w.seen[v] = true
		w.list = append(w.list, v)
	}
}

func (w *warner) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.UnaryOp:
		if c, ok := n.Operand.(*ast.Compare); ok && n.Op == ast.Not && len(c.Ops) == 1 && (c.Ops[0] == ast.Is || c.Ops[0] == ast.IsNot) {
			flip := *c // CPython turns the comparison round first
			flip.Ops = []ast.CmpOp{ast.Is + ast.IsNot - c.Ops[0]}
			w.compare(&flip)
			w.seen[Warning{int(c.Line), isText(c.Ops[0])}] = true
		}
	case *ast.Compare:
		w.compare(n)
	case *ast.Assert:
		if t, ok := n.Test.(*ast.Tuple); ok && len(t.Elts) > 0 {
			w.warn(n, "assertion is always true, perhaps remove parentheses?")
		}
	case *ast.Call:
		if t := typeName(n.Func); t != "" && t != "function" {
			w.warn(n, "'%s' object is not callable; perhaps you missed a comma?", t)
		}
	case *ast.Subscript:
		if n.Ctx == ast.Load {
			w.subscript(n)
		}
	}
}

func isText(op ast.CmpOp) string {
	if op == ast.IsNot {
		return `"is not" with a literal. Did you mean "!="?`
	}
	return `"is" with a literal. Did you mean "=="?`
}

func (w *warner) compare(n *ast.Compare) {
	left := isLiteral(n.Left)
	for i, x := range n.Comparators {
		right := isLiteral(x)
		if op := n.Ops[i]; (op == ast.Is || op == ast.IsNot) && (left || right) {
			w.warn(n, "%s", isText(op))
			return
		}
		left = right
	}
}

// isLiteral tells whether an expression is a constant without identity.
func isLiteral(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Constant:
		switch x.Value.(type) {
		case nil, bool, ast.Ellipsis:
			return false
		}
		return true
	case *ast.Tuple:
		for _, e := range x.Elts {
			if _, ok := e.(*ast.Constant); !ok && !isLiteral(e) {
				return false
			}
		}
		return true
	case *ast.UnaryOp:
		return x.Op != ast.Not && isLiteral(x.Operand)
	case *ast.BinOp:
		return isLiteral(x.Left) && isLiteral(x.Right)
	}
	return false
}

// typeName is the type of what an expression surely gives, or nothing.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Constant:
		return constantType(x.Value)
	case *ast.UnaryOp:
		if isLiteral(x) {
			return typeName(x.Operand)
		}
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
	case *ast.JoinedStr, *ast.FormattedValue:
		return "str"
	}
	return ""
}

func constantType(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case float64:
		return "float"
	case complex128:
		return "complex"
	case string:
		return "str"
	case ast.Bytes:
		return "bytes"
	case ast.Ellipsis:
		return "ellipsis"
	}
	return "int"
}

func (w *warner) subscript(n *ast.Subscript) {
	switch of := typeName(n.Value); of {
	case "", "dict":
	case "str", "bytes", "list", "tuple":
		if i := typeName(n.Slice); i != "" && i != "int" && i != "bool" {
			w.warn(n, "%s indices must be integers or slices, not %s; perhaps you missed a comma?", of, i)
		}
	default:
		w.warn(n, "'%s' object is not subscriptable; perhaps you missed a comma?", of)
	}
}
