package compile

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// Precedences, loosest first.
const (
	precNamed = iota
	precTuple
	precYield
	precTest
	precOr
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precArith
	precTerm
	precFactor
	precPower
	precAwait
	precAtom
)

// unparse writes an expression in CPython's normal form: what `from __future__ import
// annotations` keeps, and what AutoGraph quotes of a test.
func unparse(e ast.Expr) string {
	u := &unparser{}
	u.expr(e, precTest)
	return u.b.String()
}

type unparser struct{ b strings.Builder }

func (u *unparser) text(s string) { u.b.WriteString(s) }

// group writes body, in parentheses if its precedence is looser than around.
func (u *unparser) group(prec, around int, body func()) {
	if prec < around {
		u.text("(")
		body()
		u.text(")")
		return
	}
	body()
}

var binaryPrec = [...]int{ast.Add: precArith, ast.Sub: precArith, ast.Mult: precTerm, ast.MatMult: precTerm, ast.Div: precTerm,
	ast.Mod: precTerm, ast.FloorDiv: precTerm, ast.LShift: precShift, ast.RShift: precShift, ast.BitOr: precBitOr,
	ast.BitXor: precBitXor, ast.BitAnd: precBitAnd, ast.Pow: precPower}

func (u *unparser) expr(e ast.Expr, around int) {
	switch n := e.(type) {
	case *ast.Name:
		u.text(n.Id)
	case *ast.Constant:
		u.constant(n)
	case *ast.Attribute:
		u.expr(n.Value, precAtom)
		if c, ok := n.Value.(*ast.Constant); ok {
			if _, ok := c.Value.(int64); ok {
				u.text(" ")
			}
		}
		u.text("." + n.Attr)
	case *ast.Subscript:
		u.expr(n.Value, precAtom)
		u.text("[")
		if t, ok := n.Slice.(*ast.Tuple); ok && len(t.Elts) > 0 && !hasStar(t.Elts) {
			u.items(t.Elts)
			if len(t.Elts) == 1 {
				u.text(",")
			}
		} else {
			u.expr(n.Slice, precTuple)
		}
		u.text("]")
	case *ast.Call:
		u.call(n)
	case *ast.BinOp:
		u.binary(n, around)
	case *ast.UnaryOp:
		u.unary(n, around)
	case *ast.BoolOp:
		u.boolOp(n, around)
	case *ast.Compare:
		u.group(precCompare, around, func() {
			u.expr(n.Left, precCompare+1)
			for i, op := range n.Ops {
				u.text(" " + op.String() + " ")
				u.expr(n.Comparators[i], precCompare+1)
			}
		})
	default:
		u.rarer(e, around)
	}
}

func (u *unparser) rarer(e ast.Expr, around int) {
	switch n := e.(type) {
	case *ast.Tuple:
		u.text("(")
		u.items(n.Elts)
		if len(n.Elts) == 1 {
			u.text(",")
		}
		u.text(")")
	case *ast.List:
		u.text("[")
		u.items(n.Elts)
		u.text("]")
	case *ast.Set:
		u.text("{")
		u.items(n.Elts)
		u.text("}")
	case *ast.Dict:
		u.dict(n)
	case *ast.IfExp:
		u.group(precTest, around, func() {
			u.expr(n.Body, precTest+1)
			u.text(" if ")
			u.expr(n.Test, precTest+1)
			u.text(" else ")
			u.expr(n.Orelse, precTest)
		})
	case *ast.Lambda:
		u.lambda(n, around)
	case *ast.Starred:
		u.text("*")
		u.expr(n.Value, precBitOr)
	case *ast.Slice:
		u.slice(n)
	case *ast.NamedExpr:
		u.text("(")
		u.expr(n.Target, precAtom)
		u.text(" := ")
		u.expr(n.Value, precAtom)
		u.text(")")
	case *ast.ListComp:
		u.comp("[", n.Elt, nil, n.Generators, "]")
	case *ast.SetComp:
		u.comp("{", n.Elt, nil, n.Generators, "}")
	case *ast.GeneratorExp:
		u.comp("(", n.Elt, nil, n.Generators, ")")
	case *ast.DictComp:
		u.comp("{", n.Key, n.Value, n.Generators, "}")
	case *ast.JoinedStr:
		u.joined(n)
	case *ast.Yield, *ast.YieldFrom, *ast.Await:
		u.yield(n, around)
	}
}

func (u *unparser) yield(e ast.Expr, around int) {
	word, value, prec := "yield", ast.Expr(nil), precYield
	switch n := e.(type) {
	case *ast.Yield:
		value = n.Value
	case *ast.YieldFrom:
		word, value = "yield from", n.Value
	case *ast.Await:
		word, value, prec = "await", n.Value, precAwait
	}
	u.group(prec, around, func() {
		u.text(word)
		if value != nil {
			u.text(" ")
			u.expr(value, precAtom)
		}
	})
}

func (u *unparser) items(list []ast.Expr) {
	for i, e := range list {
		if i > 0 {
			u.text(", ")
		}
		u.expr(e, precTest)
	}
}

func (u *unparser) call(n *ast.Call) {
	u.expr(n.Func, precAtom)
	u.text("(")
	u.items(n.Args)
	for i, k := range n.Keywords {
		if i > 0 || len(n.Args) > 0 {
			u.text(", ")
		}
		if k.Arg == "" {
			u.text("**")
		} else {
			u.text(k.Arg + "=")
		}
		u.expr(k.Value, precTest)
	}
	u.text(")")
}

func (u *unparser) binary(n *ast.BinOp, around int) {
	prec := binaryPrec[n.Op]
	u.group(prec, around, func() {
		left, right := prec, prec+1
		if n.Op == ast.Pow {
			left, right = prec+1, prec
		}
		u.expr(n.Left, left)
		u.text(" " + n.Op.String() + " ")
		u.expr(n.Right, right)
	})
}

func (u *unparser) unary(n *ast.UnaryOp, around int) {
	prec, op := precFactor, n.Op.String()
	if n.Op == ast.Not {
		prec, op = precNot, "not "
	}
	u.group(prec, around, func() {
		u.text(op)
		u.expr(n.Operand, prec)
	})
}

func (u *unparser) boolOp(n *ast.BoolOp, around int) {
	prec := precAnd
	if n.Op == ast.Or {
		prec = precOr
	}
	u.group(prec, around, func() {
		for i, v := range n.Values {
			if i > 0 {
				u.text(" " + n.Op.String() + " ")
			}
			u.expr(v, prec+1)
		}
	})
}

func (u *unparser) dict(n *ast.Dict) {
	u.text("{")
	for i, k := range n.Keys {
		if i > 0 {
			u.text(", ")
		}
		if k == nil {
			u.text("**")
			u.expr(n.Values[i], precBitOr)
			continue
		}
		u.expr(k, precTest)
		u.text(": ")
		u.expr(n.Values[i], precTest)
	}
	u.text("}")
}

func (u *unparser) slice(n *ast.Slice) {
	if n.Lower != nil {
		u.expr(n.Lower, precTest)
	}
	u.text(":")
	if n.Upper != nil {
		u.expr(n.Upper, precTest)
	}
	if n.Step != nil {
		u.text(":")
		u.expr(n.Step, precTest)
	}
}

func (u *unparser) comp(open string, elt, value ast.Expr, gens []*ast.Comprehension, end string) {
	u.text(open)
	u.expr(elt, precTest)
	if value != nil {
		u.text(": ")
		u.expr(value, precTest)
	}
	for _, g := range gens {
		u.text(" for ")
		u.target(g.Target)
		u.text(" in ")
		u.expr(g.Iter, precTest+1)
		for _, c := range g.Ifs {
			u.text(" if ")
			u.expr(c, precTest+1)
		}
	}
	u.text(end)
}

// target writes a loop target: a tuple without parentheses.
func (u *unparser) target(e ast.Expr) {
	if t, ok := e.(*ast.Tuple); ok && len(t.Elts) > 0 {
		u.items(t.Elts)
		if len(t.Elts) == 1 {
			u.text(",")
		}
		return
	}
	u.expr(e, precTest)
}

func (u *unparser) lambda(n *ast.Lambda, around int) {
	u.group(precTest, around, func() {
		u.text("lambda")
		if s := arguments(n.Args); s != "" {
			u.text(" " + s)
		}
		u.text(": ")
		u.expr(n.Body, precTest)
	})
}

// arguments writes a parameter list without annotations.
func arguments(a *ast.Arguments) string {
	var parts []string
	first := len(a.Posonlyargs) + len(a.Args) - len(a.Defaults)
	add := func(p *ast.Arg, d ast.Expr) {
		s := p.Arg
		if d != nil {
			s += "=" + unparse(d)
		}
		parts = append(parts, s)
	}
	for i, p := range append(append([]*ast.Arg(nil), a.Posonlyargs...), a.Args...) {
		var d ast.Expr
		if i >= first {
			d = a.Defaults[i-first]
		}
		add(p, d)
		if i == len(a.Posonlyargs)-1 {
			parts = append(parts, "/")
		}
	}
	if a.Vararg != nil {
		parts = append(parts, "*"+a.Vararg.Arg)
	} else if len(a.Kwonlyargs) > 0 {
		parts = append(parts, "*")
	}
	for i, p := range a.Kwonlyargs {
		add(p, a.KwDefaults[i])
	}
	if a.Kwarg != nil {
		parts = append(parts, "**"+a.Kwarg.Arg)
	}
	return strings.Join(parts, ", ")
}

func (u *unparser) joined(n *ast.JoinedStr) {
	var b strings.Builder
	pieces(&b, n)
	u.text("f" + ast.Repr(b.String()))
}

func pieces(b *strings.Builder, n *ast.JoinedStr) {
	for _, v := range n.Values {
		switch v := v.(type) {
		case *ast.Constant:
			s, _ := v.Value.(string)
			b.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(s))
		case *ast.FormattedValue:
			b.WriteString("{" + unparse(v.Value))
			if v.Conversion > 0 {
				b.WriteString("!" + string(rune(v.Conversion)))
			}
			if spec, ok := v.FormatSpec.(*ast.JoinedStr); ok {
				b.WriteString(":")
				pieces(b, spec)
			}
			b.WriteString("}")
		}
	}
}

func (u *unparser) constant(n *ast.Constant) {
	switch v := n.Value.(type) {
	case nil:
		u.text("None")
	case bool:
		u.text(map[bool]string{true: "True", false: "False"}[v])
	case int64:
		u.text(strconv.FormatInt(v, 10))
	case *big.Int:
		u.text(v.String())
	case float64:
		if math.IsInf(v, 0) {
			u.text("1e309")
			return
		}
		u.text(ast.Repr(v))
	case ast.Ellipsis:
		u.text("...")
	default:
		u.text(ast.Repr(v))
	}
}
