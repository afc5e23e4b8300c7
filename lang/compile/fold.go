package compile

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// literal is the constant a literal stands for.
func literal(v any) code.Const {
	switch v := v.(type) {
	case nil:
		return code.Const{Kind: code.ConstNone}
	case bool:
		c := code.Const{Kind: code.ConstBool}
		if v {
			c.I = 1
		}
		return c
	case int64:
		return code.Const{Kind: code.ConstInt, I: v}
	case *big.Int:
		return code.Const{Kind: code.ConstBig, Big: v}
	case float64:
		return code.Const{Kind: code.ConstFloat, F: v}
	case complex128:
		return code.Const{Kind: code.ConstComplex, F: real(v), G: imag(v)}
	case string:
		return code.Const{Kind: code.ConstStr, S: v}
	case ast.Bytes:
		return code.Const{Kind: code.ConstBytes, S: string(v)}
	}
	return code.Const{Kind: code.ConstEllipsis}
}

// constant folds e to a constant where that can't be told from computing it.
func constant(e ast.Expr) (code.Const, bool) {
	switch n := e.(type) {
	case *ast.Constant:
		return literal(n.Value), true
	case *ast.UnaryOp:
		return foldUnary(n)
	case *ast.BinOp:
		return foldBinary(n)
	case *ast.Tuple:
		if n.Ctx == ast.Load {
			return foldTuple(n.Elts)
		}
	}
	return code.Const{}, false
}

func foldTuple(elts []ast.Expr) (code.Const, bool) {
	for _, e := range elts { // the usual answer first, without building anything
		switch e.(type) {
		case *ast.Constant, *ast.UnaryOp, *ast.BinOp, *ast.Tuple:
		default:
			return code.Const{}, false
		}
	}
	t := make([]code.Const, len(elts))
	for i, e := range elts {
		c, ok := constant(e)
		if !ok {
			return c, false
		}
		t[i] = c
	}
	return code.Const{Kind: code.ConstTuple, T: t}, true
}

func foldUnary(n *ast.UnaryOp) (code.Const, bool) {
	c, ok := constant(n.Operand)
	if !ok {
		return c, false
	}
	switch n.Op {
	case ast.USub:
		return negate(c)
	case ast.UAdd:
		return c, c.Kind == code.ConstInt || c.Kind == code.ConstFloat || c.Kind == code.ConstBig
	case ast.Invert:
		c.I = ^c.I
		return c, c.Kind == code.ConstInt
	}
	t, ok := truth(&c)
	return literal(!t), ok
}

func negate(c code.Const) (code.Const, bool) {
	switch c.Kind {
	case code.ConstInt:
		if c.I == math.MinInt64 {
			return bigConst(new(big.Int).Neg(big.NewInt(c.I))), true
		}
		c.I = -c.I
	case code.ConstBig:
		return bigConst(new(big.Int).Neg(c.Big)), true
	case code.ConstFloat:
		c.F = -c.F
	case code.ConstComplex:
		c.F, c.G = -c.F, -c.G
	default:
		return c, false
	}
	return c, true
}

// bigConst is an int of any size in its shortest form.
func bigConst(b *big.Int) code.Const {
	if b.IsInt64() {
		return code.Const{Kind: code.ConstInt, I: b.Int64()}
	}
	return code.Const{Kind: code.ConstBig, Big: b}
}

// truth is the truth value of a constant; ok is false where it needs a value's own rule.
func truth(c *code.Const) (t, ok bool) {
	switch c.Kind {
	case code.ConstNone:
		return false, true
	case code.ConstBool, code.ConstInt:
		return c.I != 0, true
	case code.ConstFloat:
		return c.F != 0, true
	case code.ConstStr, code.ConstBytes:
		return c.S != "", true
	case code.ConstTuple:
		return len(c.T) != 0, true
	case code.ConstEllipsis, code.ConstBig:
		return true, true
	}
	return false, false
}

func foldBinary(n *ast.BinOp) (code.Const, bool) {
	r, ok := constant(n.Right)
	if !ok {
		return r, false
	}
	l, ok := constant(n.Left)
	if !ok {
		return l, false
	}
	switch {
	case l.Kind == code.ConstInt && r.Kind == code.ConstInt:
		return foldInts(l.I, n.Op, r.I)
	case l.Kind == code.ConstStr && r.Kind == code.ConstStr && n.Op == ast.Add && len(l.S)+len(r.S) <= 4096:
		return literal(l.S + r.S), true
	}
	if r.Kind == code.ConstComplex || l.Kind == code.ConstComplex {
		return foldComplex(l, n.Op, r)
	}
	x, okx := number(l)
	y, oky := number(r)
	if !okx || !oky {
		return l, false
	}
	return foldFloats(x, n.Op, y)
}

// number reads an int or float constant as a float, if that is exact.
func number(c code.Const) (float64, bool) {
	switch c.Kind {
	case code.ConstFloat:
		return c.F, true
	case code.ConstInt:
		return float64(c.I), c.I <= 1<<53 && c.I >= -1<<53
	}
	return 0, false
}

func foldFloats(x float64, op ast.Operator, y float64) (code.Const, bool) {
	switch op {
	case ast.Add:
		return literal(x + y), true
	case ast.Sub:
		return literal(x - y), true
	case ast.Mult:
		return literal(x * y), true
	case ast.Div:
		if y != 0 {
			return literal(x / y), true
		}
	}
	return code.Const{}, false
}

// foldComplex folds only what writing a complex literal needs: a sum of a real and
// an imaginary part.
func foldComplex(l code.Const, op ast.Operator, r code.Const) (code.Const, bool) {
	x, ok := number(l)
	if !ok || r.Kind != code.ConstComplex {
		return l, false
	}
	switch op {
	case ast.Add:
		return code.Const{Kind: code.ConstComplex, F: x + r.F, G: 0 + r.G}, true
	case ast.Sub:
		return code.Const{Kind: code.ConstComplex, F: x - r.F, G: 0 - r.G}, true
	}
	return l, false
}

func foldInts(x int64, op ast.Operator, y int64) (code.Const, bool) {
	a, b := big.NewInt(x), big.NewInt(y)
	switch op {
	case ast.Add:
		return bigConst(a.Add(a, b)), true
	case ast.Sub:
		return bigConst(a.Sub(a, b)), true
	case ast.Mult:
		return bigConst(a.Mul(a, b)), true
	case ast.Pow:
		if y >= 0 && y < 128 && (a.BitLen()*int(y) <= 128) {
			return bigConst(a.Exp(a, b, nil)), true
		}
	case ast.LShift:
		if y >= 0 && y <= 128 {
			return bigConst(a.Lsh(a, uint(y))), true
		}
	case ast.RShift:
		if y >= 0 && y < 64 {
			return literal(x >> y), true
		}
	case ast.BitAnd:
		return literal(x & y), true
	case ast.BitOr:
		return literal(x | y), true
	case ast.BitXor:
		return literal(x ^ y), true
	case ast.Div:
		if y != 0 && abs(x) <= 1<<53 && abs(y) <= 1<<53 {
			return literal(float64(x) / float64(y)), true
		}
	case ast.FloorDiv, ast.Mod:
		if y > 0 {
			q, m := x/y, x%y
			if m < 0 {
				q, m = q-1, m+y
			}
			if op == ast.Mod {
				return literal(m), true
			}
			return literal(q), true
		}
	}
	return code.Const{}, false
}

func abs(x int64) int64 { return max(x, -x) }

// loadConst puts a constant into dst.
func (g *gen) loadConst(c code.Const, dst slot) {
	switch c.Kind {
	case code.ConstNone:
		g.emit(code.LoadNone, dst, 0, 0, 0)
	case code.ConstBool:
		g.emit(code.LoadBool, dst, 0, 0, uint64(c.I))
	case code.ConstInt:
		g.emit(code.LoadI, dst, 0, 0, uint64(c.I))
	case code.ConstFloat:
		g.emit(code.LoadF, dst, 0, 0, math.Float64bits(c.F))
	default:
		g.emit(code.LoadK, dst, 0, 0, g.constIndex(c))
	}
}

func (g *gen) constIndex(c code.Const) uint64 { return uint64(g.consts.index(c)) }
