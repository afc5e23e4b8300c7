package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// manyArgs is from how many arguments on a call goes through a list.
const manyArgs = 250

// call evaluates a call into dst.
func (g *gen) call(n *ast.Call, dst slot) {
	if g.isZeroSuper(n) {
		g.superCall(n, dst)
		return
	}
	if g.needsEx(n) {
		g.callEx(n, dst)
		return
	}
	if f, ok := n.Func.(*ast.Attribute); ok {
		g.callAttribute(n, f, dst)
		return
	}
	if f, ok := n.Func.(*ast.Name); ok && len(n.Keywords) == 0 && g.sureGlobal(f) {
		base := g.top()
		for _, a := range n.Args {
			g.operandTemp(a)
		}
		g.at(n)
		g.firstHalf(f)
		g.emit(g.callOp(code.CallGlobal), base, uint16(len(n.Args)), dst, g.name(g.sc.mangle(f.Id)))
		return
	}
	base := g.operandTemp(n.Func)
	g.callFrom(n, base, dst)
}

// callFrom calls what is in base with the arguments of n.
func (g *gen) callFrom(n *ast.Call, base, dst slot) {
	names := g.arguments(n)
	g.at(n)
	if f, ok := n.Func.(*ast.Attribute); ok {
		g.loc = attributePos(f, g.loc)
	}
	count := uint16(len(n.Args) + len(n.Keywords))
	if len(n.Keywords) > 0 {
		g.emit(g.callOp(code.CallKw), base, count, dst, names)
		return
	}
	g.emit(g.callOp(code.Call), base, count, dst, 0)
}

// callOp chooses the staged form of a call in staged code.
func (g *gen) callOp(op code.Op) code.Op {
	if g.staged == nil {
		return op
	}
	switch op {
	case code.Call:
		return code.SCall
	case code.CallGlobal:
		return code.SCallGlobal
	case code.CallMethod:
		return code.SCallMethod
	case code.CallKw:
		return code.SCallKw
	case code.CallMethodKw:
		return code.SCallMethodKw
	}
	return code.SCallEx
}

// arguments puts the arguments of n into the next temporaries and returns the
// constant index of the tuple of keyword names.
func (g *gen) arguments(n *ast.Call) (names uint64) {
	for _, a := range n.Args {
		g.operandTemp(a)
	}
	for _, k := range n.Keywords {
		g.operandTemp(k.Value)
	}
	if len(n.Keywords) > 0 {
		names = g.keywordNames(n.Keywords)
	}
	return names
}

func (g *gen) keywordNames(list []*ast.Keyword) uint64 {
	t := make([]code.Const, len(list))
	for i, k := range list {
		t[i] = literal(k.Arg)
	}
	return g.constIndex(code.Const{Kind: code.ConstTuple, T: t})
}

// sureGlobal reports a name that is global and bound by this text or by the builtins,
// so that looking it up after the arguments can't be told from looking it up before.
func (g *gen) sureGlobal(n *ast.Name) bool {
	sym, name := g.lookup(n.Id)
	if sym.place != inGlobal {
		return false
	}
	top := g.u.scopes[0].find(name)
	return top != nil && top.flags&symBound != 0 || isBuiltin(name)
}

// callAttribute evaluates obj.name(…).
func (g *gen) callAttribute(n *ast.Call, f *ast.Attribute, dst slot) {
	base := g.temp()
	if g.superAttribute(f, base) {
		g.callFrom(n, base, dst)
		return
	}
	g.to(f.Value, base)
	names := g.arguments(n)
	g.at(n)
	g.loc = attributePos(f, g.loc)
	g.inner = append(g.inner, code.Inner{At: g.pc(), Pos: attributePos(f, spanPos(&f.Span))})
	name := g.name(g.sc.mangle(f.Attr))
	if len(n.Keywords) > 0 {
		g.emit(g.callOp(code.CallMethodKw), base, uint16(len(n.Args)+len(n.Keywords)), dst, name|names<<32)
		return
	}
	g.emit(g.callOp(code.CallMethod), base, uint16(len(n.Args)), dst, name)
}

// superAttribute compiles super().name without a super object.
func (g *gen) superAttribute(f *ast.Attribute, dst slot) bool {
	c, ok := f.Value.(*ast.Call)
	if !ok || !g.isZeroSuper(c) {
		return false
	}
	save := g.sp
	t := g.temp()
	self := g.self(c)
	g.load(classCell, t, c)
	g.at(f)
	g.emit(code.CallSuper, self, t, dst, g.name(g.sc.mangle(f.Attr)))
	g.sp = save
	return true
}

// isZeroSuper reports super() where it finds its class and its self.
func (g *gen) isZeroSuper(c *ast.Call) bool {
	id, ok := c.Func.(*ast.Name)
	return ok && id.Id == "super" && len(c.Args)+len(c.Keywords) == 0 && g.zeroSuper()
}

// self returns a slot with the first argument of the function.
func (g *gen) self(n ast.Node) slot {
	self := &g.frame.syms[g.frame.locals[0]]
	if self.place != inCell {
		return slot(self.index)
	}
	s := g.temp()
	g.at(n)
	g.emit(code.GetCell, s, slot(self.index), 0, g.name(self.name))
	return s
}

// superCall compiles super() as super(__class__, self).
func (g *gen) superCall(c *ast.Call, dst slot) {
	base := g.operandTemp(c.Func)
	t, o := g.temp(), g.temp()
	g.load(classCell, t, c)
	g.emit(code.Move, o, g.self(c), 0, 0)
	g.at(c)
	g.emit(code.Call, base, 2, dst, 0)
}

// zeroSuper reports that super() without arguments finds its class and its self here.
func (g *gen) zeroSuper() bool {
	if g.sc != g.frame || g.frame.kind != functionScope && g.frame.kind != lambdaScope || len(g.frame.locals) == 0 {
		return false
	}
	if sym, _ := g.lookup("super"); sym.place != inGlobal {
		return false
	}
	top := g.u.scopes[0].find("super")
	if top != nil && top.flags&symBound != 0 {
		return false
	}
	sym, _ := g.lookup(classCell)
	return sym.place == inFree && positional(argumentsOf(g.frame.node)) > 0 &&
		g.bound.has(g.frame.syms[g.frame.locals[0]].index)
}

func positional(a *ast.Arguments) int { return len(a.Posonlyargs) + len(a.Args) }

// needsEx reports a call whose arguments are not known one by one.
func (g *gen) needsEx(n *ast.Call) bool {
	for _, a := range n.Args {
		if _, ok := a.(*ast.Starred); ok {
			return true
		}
	}
	for _, k := range n.Keywords {
		if k.Arg == "" {
			return true
		}
	}
	return len(n.Args)+len(n.Keywords) > manyArgs
}

// callEx evaluates a call with * or ** arguments.
func (g *gen) callEx(n *ast.Call, dst slot) {
	base := g.temp()
	pos, kw := g.temp(), g.temp()
	if f, ok := n.Func.(*ast.Attribute); !ok || !g.superAttribute(f, base) {
		g.to(n.Func, base)
	}
	g.positionals(n.Args, n, pos)
	g.at(n)
	if len(n.Keywords) == 0 {
		g.emit(code.LoadNone, kw, 0, 0, 0)
	} else {
		g.keywords(n.Keywords, n, kw, base)
	}
	g.at(n)
	if f, ok := n.Func.(*ast.Attribute); ok {
		g.loc = attributePos(f, g.loc)
	}
	g.emit(g.callOp(code.CallEx), base, 0, dst, 0)
}

// positionals makes the list of positional arguments in dst; a lone *x is passed on as it is.
func (g *gen) positionals(args []ast.Expr, n ast.Node, dst slot) {
	if len(args) == 1 {
		if s, ok := args[0].(*ast.Starred); ok {
			g.to(s.Value, dst)
			return
		}
	}
	g.sequence(n, args, dst)
}

// keywords makes the dict of keyword arguments in dst. What follows a ** is merged, so
// that a name given twice is noticed.
func (g *gen) keywords(list []*ast.Keyword, n ast.Node, dst, callee slot) {
	merge := false
	for i := 0; i < len(list); {
		save := g.sp
		if list[i].Arg == "" {
			if !merge {
				merge = true
				if i == 0 {
					g.emit(code.BuildDict, dst, dst, 0, 0)
				}
			}
			v := g.operand(list[i].Value)
			g.at(n)
			g.emit(code.DictMerge, dst, v, callee, 0)
			i++
			g.sp = save
			continue
		}
		d := dst
		if merge {
			d = g.temp()
		}
		i += g.namedKeywords(list[i:], n, d)
		if merge {
			g.at(n)
			g.emit(code.DictMerge, dst, d, callee, 0)
		}
		g.sp = save
	}
}

// namedKeywords makes a dict in d of the names up to the next ** and returns how many
// there are.
func (g *gen) namedKeywords(list []*ast.Keyword, n ast.Node, d slot) int {
	g.emit(code.BuildDict, d, d, 0, 0)
	for i, k := range list {
		if k.Arg == "" {
			return i
		}
		save := g.sp
		t := g.temp()
		g.at(k)
		g.loadConst(literal(k.Arg), t)
		v := g.operand(k.Value)
		g.at(k)
		g.emit(code.DictSet, d, t, v, 0)
		g.sp = save
	}
	return len(list)
}
