package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// longDisplay is how many elements a display collects in temporaries at most.
const longDisplay = 128

func hasStar(elts []ast.Expr) bool {
	for _, e := range elts {
		if _, ok := e.(*ast.Starred); ok {
			return true
		}
	}
	return false
}

// display builds a tuple, list or set of elts into dst.
func (g *gen) display(n ast.Node, elts []ast.Expr, op code.Op, dst slot) {
	if len(elts) > longDisplay || hasStar(elts) {
		t := g.scratch(dst)
		if op == code.BuildSet {
			g.elements(n, elts, code.BuildSet, t)
		} else {
			g.sequence(n, elts, t)
		}
		g.at(n)
		if op == code.BuildTuple {
			g.emit(code.ListToTuple, dst, t, 0, 0)
			return
		}
		g.moveTo(dst, t)
		return
	}
	base := g.top()
	for _, e := range elts {
		g.operandTemp(e)
	}
	g.at(n)
	g.emit(op, dst, base, uint16(len(elts)), 0)
}

// sequence builds a list of elts, some starred, in temporary dst.
func (g *gen) sequence(n ast.Node, elts []ast.Expr, dst slot) {
	g.elements(n, elts, code.BuildList, dst)
}

// elements builds a list or set in temporary dst, element by element.
func (g *gen) elements(n ast.Node, elts []ast.Expr, build code.Op, dst slot) {
	add, extend := code.ListAppend, code.ListExtend
	if build == code.BuildSet {
		add, extend = code.SetAdd, code.SetUpdate
	}
	g.at(n)
	g.emit(build, dst, dst, 0, 0)
	for _, e := range elts {
		save := g.sp
		if s, ok := e.(*ast.Starred); ok {
			v := g.operand(s.Value)
			g.at(n)
			g.emit(extend, dst, v, 0, 0)
		} else {
			v := g.operand(e)
			g.at(n)
			g.emit(add, dst, v, 0, 0)
		}
		g.sp = save
	}
}

// constList is from how many constants on a list is copied from a constant tuple.
const constList = 4

func (g *gen) list(n *ast.List, dst slot) {
	if len(n.Elts) >= constList {
		if c, ok := foldTuple(n.Elts); ok {
			g.copyConst(n, code.BuildList, code.ListExtend, c, dst)
			return
		}
	}
	g.display(n, n.Elts, code.BuildList, dst)
}

// set builds a set display; as in CPython three constants or more come from a
// constant, which decides the order of the set.
func (g *gen) set(n *ast.Set, dst slot) {
	if len(n.Elts) >= 3 {
		if c, ok := foldTuple(n.Elts); ok {
			c.Kind = code.ConstFrozenSet
			g.copyConst(n, code.BuildSet, code.SetUpdate, c, dst)
			return
		}
	}
	g.display(n, n.Elts, code.BuildSet, dst)
}

func (g *gen) copyConst(n ast.Node, build, extend code.Op, c code.Const, dst slot) {
	t := g.scratch(dst)
	g.at(n)
	g.emit(build, t, t, 0, 0)
	k := g.temp()
	g.loadConst(c, k)
	g.emit(extend, t, k, 0, 0)
	g.moveTo(dst, t)
}

func (g *gen) dict(n *ast.Dict, dst slot) {
	simple := 2*len(n.Keys) <= longDisplay
	for _, k := range n.Keys {
		simple = simple && k != nil
	}
	if simple {
		base := g.top()
		for i, k := range n.Keys {
			g.operandTemp(k)
			g.operandTemp(n.Values[i])
		}
		g.at(n)
		g.emit(code.BuildDict, dst, base, uint16(len(n.Keys)), 0)
		return
	}
	t := g.scratch(dst)
	g.at(n)
	g.emit(code.BuildDict, t, t, 0, 0)
	for i, k := range n.Keys {
		save := g.sp
		if k == nil {
			v := g.operand(n.Values[i])
			g.at(n)
			g.emit(code.DictUpdate, t, v, 0, 0)
		} else {
			key := g.operand(k)
			v := g.operand(n.Values[i])
			g.at(n)
			g.emit(code.DictSet, t, key, v, 0)
		}
		g.sp = save
	}
	g.moveTo(dst, t)
}

// joined evaluates an f-string.
func (g *gen) joined(n *ast.JoinedStr, dst slot) { g.pieces(n, n.Values, dst) }

func (g *gen) pieces(n *ast.JoinedStr, values []ast.Expr, dst slot) {
	switch {
	case len(values) == 0:
		g.at(n)
		g.loadConst(literal(""), dst)
		return
	case len(values) == 1:
		g.to(values[0], dst)
		return
	}
	base := g.top()
	count := uint16(0)
	step := 1
	for len(values)/step > longDisplay {
		step *= longDisplay
	}
	for i := 0; i < len(values); i += step {
		t := g.temp()
		save := g.sp
		g.pieces(n, values[i:min(i+step, len(values))], t)
		g.sp = save
		count++
	}
	g.at(n)
	g.emit(code.BuildString, dst, base, count, 0)
}

func (g *gen) formatted(n *ast.FormattedValue, dst slot) {
	v := g.operand(n.Value)
	k := uint64(max(n.Conversion, 0))
	spec := slot(0)
	if n.FormatSpec != nil {
		spec = g.operandTemp(n.FormatSpec)
		k |= 1 << 8
	}
	g.at(n)
	g.emit(code.FormatValue, dst, v, spec, k)
}
