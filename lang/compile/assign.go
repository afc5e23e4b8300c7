package compile

import (
	"slices"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// assign compiles t1 = t2 = value.
func (g *gen) assign(targets []ast.Expr, value ast.Expr) {
	if len(targets) == 1 {
		g.assignOne(targets[0], value)
		return
	}
	v, ok := g.directSlot(targets[0])
	if ok {
		g.to(value, v)
		g.bound.set(int(v))
		targets = targets[1:]
	} else {
		v = g.hide(1)
		g.to(value, v)
	}
	for _, t := range targets {
		save := g.sp
		g.target(t, v)
		g.sp = save
	}
	if !ok {
		g.emit(code.Unset, v, 0, 0, 0)
	}
}

func (g *gen) assignOne(target, value ast.Expr) {
	if s, ok := g.directSlot(target); ok {
		g.to(value, s)
		g.bound.set(int(s))
		return
	}
	if elts, ok := pairwise(target, value); ok {
		g.assignPairs(elts, value.(*ast.Tuple).Elts)
		return
	}
	switch target.(type) {
	case *ast.Attribute, *ast.Subscript:
		g.target(target, g.operand(value))
		return
	}
	g.target(target, g.operandTemp(value))
}

// pairwise reports a, b = x, y without stars: no tuple is needed.
func pairwise(target, value ast.Expr) ([]ast.Expr, bool) {
	v, ok := value.(*ast.Tuple)
	if !ok || hasStar(v.Elts) || len(v.Elts) > longDisplay {
		return nil, false
	}
	elts, ok := targetElts(target)
	return elts, ok && len(elts) == len(v.Elts) && !hasStar(elts)
}

func targetElts(target ast.Expr) ([]ast.Expr, bool) {
	switch t := target.(type) {
	case *ast.Tuple:
		return t.Elts, true
	case *ast.List:
		return t.Elts, true
	}
	return nil, false
}

// assignPairs evaluates all values, then stores them from left to right.
func (g *gen) assignPairs(targets, values []ast.Expr) {
	if slots, ok := g.distinctSlots(targets); ok {
		g.assignSlots(slots, values)
		return
	}
	base := g.top()
	for _, v := range values {
		g.operandTemp(v)
	}
	for i, t := range targets {
		save := g.sp
		g.target(t, base+slot(i))
		g.sp = save
	}
}

// distinctSlots returns the slots of targets that are all plain locals, each once.
func (g *gen) distinctSlots(targets []ast.Expr) (slots [4]slot, ok bool) {
	if len(targets) > len(slots) {
		return slots, false
	}
	for i, t := range targets {
		if slots[i], ok = g.directSlot(t); !ok || slices.Contains(slots[:i], slots[i]) {
			return slots, false
		}
	}
	return slots, len(targets) > 0
}

// assignSlots is assignPairs for plain locals: nobody sees in which order they are
// stored. The last value needs no temporary, constants are loaded at the end.
func (g *gen) assignSlots(slots [4]slot, values []ast.Expr) {
	var temps [4]slot
	last := len(values) - 1
	for i, v := range values[:last] {
		if !isConstant(v) {
			temps[i] = g.operandTemp(v)
		}
	}
	g.to(values[last], slots[last])
	g.bound.set(int(slots[last]))
	for i, v := range values[:last] {
		g.bound.set(int(slots[i]))
		if isConstant(v) {
			g.to(v, slots[i])
		} else {
			g.emit(code.Move, slots[i], temps[i], 0, 0)
		}
	}
}

// target stores what is in src (a temporary that dies, or a local) in a target.
func (g *gen) target(t ast.Expr, src slot) {
	switch n := t.(type) {
	case *ast.Name:
		g.at(n)
		g.store(n.Id, src)
	case *ast.Attribute:
		o := g.operand(n.Value)
		g.atAttribute(n)
		g.emit(code.SetAttr, src, o, 0, g.name(g.sc.mangle(n.Attr)))
	case *ast.Subscript:
		o := g.operand(n.Value)
		i := g.operand(n.Slice)
		g.at(n)
		g.emit(code.SetItem, src, o, i, 0)
	case *ast.Tuple:
		g.unpack(n, n.Elts, src)
	case *ast.List:
		g.unpack(n, n.Elts, src)
	case *ast.Starred:
		g.target(n.Value, src)
	}
}

// unpack spreads the iterable in src over targets.
func (g *gen) unpack(n ast.Node, elts []ast.Expr, src slot) {
	star := -1
	for i, e := range elts {
		if _, ok := e.(*ast.Starred); ok {
			star = i
		}
	}
	g.at(n)
	base, direct := g.consecutive(elts)
	if !direct {
		base = g.top()
		g.sp += len(elts)
		g.maxTemp = max(g.maxTemp, g.sp)
	}
	if star < 0 {
		g.emit(code.UnpackSeq, src, base, uint16(len(elts)), 0)
	} else {
		g.emit(code.UnpackEx, src, base, 0, uint64(star)|uint64(len(elts)-star-1)<<32)
	}
	for i, e := range elts {
		if direct {
			g.bound.set(int(base) + i)
			continue
		}
		save := g.sp
		g.target(e, base+slot(i))
		g.sp = save
	}
}

// consecutive finds that the targets are locals in slots that follow each other.
func (g *gen) consecutive(elts []ast.Expr) (slot, bool) {
	if len(elts) == 0 {
		return 0, false
	}
	first, ok := g.directSlot(elts[0])
	for i := 1; ok && i < len(elts); i++ {
		var s slot
		s, ok = g.directSlot(elts[i])
		ok = ok && s == first+slot(i)
	}
	return first, ok
}

// augAssign compiles target op= value.
func (g *gen) augAssign(n *ast.AugAssign) {
	switch t := n.Target.(type) {
	case *ast.Name:
		g.augName(n, t)
	case *ast.Attribute:
		g.augAttribute(n, t)
	case *ast.Subscript:
		g.augItem(n, t)
	}
}

func (g *gen) augName(n *ast.AugAssign, t *ast.Name) {
	if s, ok := g.directSlot(t); ok {
		sym, name := g.lookup(t.Id)
		g.check(sym, name, t)
		g.arith(n, n.Op, s, s, n.Value, true)
		return
	}
	v := g.temp()
	g.load(t.Id, v, t)
	g.arith(n, n.Op, v, v, n.Value, true)
	g.at(t)
	g.store(t.Id, v)
}

// smallStep reports += of an int constant.
func smallStep(n *ast.AugAssign) (uint64, bool) {
	c, ok := constant(n.Value)
	return uint64(c.I), ok && c.Kind == code.ConstInt && n.Op == ast.Add
}

func (g *gen) augAttribute(n *ast.AugAssign, t *ast.Attribute) {
	name := g.name(g.sc.mangle(t.Attr))
	if k, ok := smallStep(n); ok && name < 1<<16 {
		o := g.operand(t.Value)
		g.at(n)
		g.inner = append(g.inner, code.Inner{At: g.pc(), Pos: attributePos(t, spanPos(&t.Span))})
		g.emit(code.AugAttrI, 0, o, uint16(name), k)
		return
	}
	o := g.keep(t.Value)
	v := g.temp()
	g.atAttribute(t)
	g.emit(code.GetAttr, v, o, 0, name)
	g.arith(n, n.Op, v, v, n.Value, true)
	g.atAttribute(t)
	g.emit(code.SetAttr, v, o, 0, name)
	g.release(o)
}

func (g *gen) augItem(n *ast.AugAssign, t *ast.Subscript) {
	if k, ok := smallStep(n); ok {
		o := g.operand(t.Value)
		i := g.operand(t.Slice)
		g.at(n)
		g.firstHalf(t)
		g.emit(code.AugItemI, 0, o, i, k)
		return
	}
	o := g.keep(t.Value)
	i := g.keep(t.Slice)
	v := g.temp()
	g.at(t)
	g.emit(code.GetItem, v, o, i, 0)
	g.arith(n, n.Op, v, v, n.Value, true)
	g.at(t)
	g.emit(code.SetItem, v, o, i, 0)
	g.release(o)
	g.release(i)
}

// release empties a hidden local that held a value for longer than one use.
func (g *gen) release(s slot) {
	if !isTemp(s) && int(s) >= g.namedEnd() {
		g.emit(code.Unset, s, 0, 0, 0)
	}
}

// namedEnd is the first hidden local.
func (g *gen) namedEnd() int {
	n := len(g.frame.locals) + g.staged.extra()
	if g.wide {
		n = min(n, wideFrom)
	}
	return n
}

func (g *gen) delete(targets []ast.Expr) {
	for _, t := range targets {
		save := g.sp
		switch n := t.(type) {
		case *ast.Name:
			g.at(n)
			g.unbind(n.Id)
		case *ast.Attribute:
			o := g.operand(n.Value)
			g.atAttribute(n)
			g.emit(code.DelAttr, 0, o, 0, g.name(g.sc.mangle(n.Attr)))
		case *ast.Subscript:
			o := g.operand(n.Value)
			i := g.operand(n.Slice)
			g.at(n)
			g.emit(code.DelItem, 0, o, i, 0)
		case *ast.Tuple:
			g.delete(n.Elts)
		case *ast.List:
			g.delete(n.Elts)
		}
		g.sp = save
	}
}

// annAssign compiles target: annotation [= value].
func (g *gen) annAssign(n *ast.AnnAssign) {
	if n.Value != nil {
		g.assignOne(n.Target, n.Value)
	}
	keeps := g.sc.kind == moduleScope || g.sc.kind == classScope
	if t, ok := n.Target.(*ast.Name); ok {
		if n.Simple && keeps {
			v := g.temp()
			g.annotation(n.Annotation, v)
			g.at(n)
			g.emit(code.SetAnnotation, v, 0, 0, g.name(g.sc.mangle(t.Id)))
			return
		}
	} else if n.Value == nil {
		g.evaluateTarget(n.Target)
	}
	if !n.Simple && keeps && !g.u.futureAnnotations {
		g.discard(n.Annotation)
	}
}

// evaluateTarget evaluates the parts of a target that is annotated but not assigned.
func (g *gen) evaluateTarget(t ast.Expr) {
	switch t := t.(type) {
	case *ast.Attribute:
		g.discard(t.Value)
	case *ast.Subscript:
		g.discard(t.Value)
		g.discard(t.Slice)
	}
}
