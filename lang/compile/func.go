package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

func argumentsOf(n ast.Node) *ast.Arguments {
	switch n := n.(type) {
	case *ast.FunctionDef:
		return n.Args
	case *ast.AsyncFunctionDef:
		return n.Args
	case *ast.Lambda:
		return n.Args
	}
	return &ast.Arguments{}
}

// functionDef compiles def: decorators, defaults, annotations, the function, the calls
// of the decorators.
func (g *gen) functionDef(n *ast.FunctionDef) {
	base := g.decorators(n.DecoratorList)
	save := g.sp
	f := g.temp()
	if s, ok := g.ownSlot(n.Name); ok && len(n.DecoratorList) == 0 {
		f = s
	}
	c := g.functionCode(n, n.Args, n.Body, n.DecoratorList)
	g.closure(n, n.Args, n.Returns, c, f)
	g.sp = save
	f = g.decorate(n.DecoratorList, base, f)
	g.at(n)
	g.store(n.Name, f)
}

// asyncDef makes a function whose call says that it can't run yet.
func (g *gen) asyncDef(n *ast.AsyncFunctionDef) {
	base := g.decorators(n.DecoratorList)
	f := g.temp()
	sc := g.u.byNode[n]
	c := g.u.generate(sc, g.functionFlags(sc, n.Args)|code.FlagCoroutine, func(in *gen) {
		in.unsupported(n, "async def")
		in.dead = true
	})
	g.describe(c, n, n.Args, n.DecoratorList)
	g.closure(n, n.Args, n.Returns, c, f)
	f = g.decorate(n.DecoratorList, base, f)
	g.at(n)
	g.store(n.Name, f)
}

// ownSlot is the slot of a local called name that a value may be computed into.
func (g *gen) ownSlot(name string) (slot, bool) {
	sym, _ := g.lookup(name)
	return slot(sym.index), sym.place == inSlot && !g.isWide(sym)
}

func (g *gen) decorators(list []ast.Expr) slot {
	base := g.top()
	for _, d := range list {
		g.operandTemp(d)
	}
	return base
}

// decorate calls the decorators from base on, the last first, with what is in f.
func (g *gen) decorate(list []ast.Expr, base, f slot) slot {
	for i := len(list) - 1; i >= 0; i-- {
		d := base + slot(i)
		g.at(list[i])
		if f != d+1 {
			g.emit(code.Move, d+1, f, 0, 0)
		}
		g.emit(g.callOp(code.Call), d, 1, d, 0)
		f = d
	}
	return f
}

func (g *gen) functionFlags(sc *scope, a *ast.Arguments) uint32 {
	flags := uint32(code.FlagOptimized)
	if a.Vararg != nil {
		flags |= code.FlagVarArgs
	}
	if a.Kwarg != nil {
		flags |= code.FlagVarKw
	}
	if sc.generator {
		flags |= code.FlagGenerator
	}
	if sc.kind == lambdaScope {
		flags |= code.FlagLambda
	}
	if sc.up.frame.isFunction() {
		flags |= code.FlagNested
	}
	return flags
}

func (g *gen) functionCode(n ast.Node, a *ast.Arguments, body []ast.Stmt, decorators []ast.Expr) *code.Code {
	sc := g.u.byNode[n]
	st := g.child(sc, body)
	lowered := body
	if st != nil {
		lowered = st.body
	}
	c := g.nested(sc, g.functionFlags(sc, a), st, func(in *gen) {
		if in.staged != nil {
			in.doc = docstring(body)
			in.stmts(lowered)
			return
		}
		in.functionBody(body)
	})
	g.describe(c, n, a, decorators)
	return c
}

func (g *gen) functionBody(body []ast.Stmt) {
	if doc := docstring(body); doc != nil {
		g.doc = doc
		body = body[1:]
	}
	g.stmts(body)
}

// describe fills in what the definition says beside its body.
func (g *gen) describe(c *code.Code, n ast.Node, a *ast.Arguments, decorators []ast.Expr) {
	c.ArgCount = positional(a)
	c.PosOnly = len(a.Posonlyargs)
	c.KwOnly = len(a.Kwonlyargs)
	w := n.Where()
	c.FirstLine = w.Line
	c.Span = code.Span{Line: w.Line, Col: w.Col, EndLine: w.EndLine, EndCol: w.EndCol}
	if len(decorators) > 0 {
		c.FirstLine = decorators[0].Where().Line
	}
}

// closure evaluates defaults and annotations and makes the function in dst.
func (g *gen) closure(n ast.Node, a *ast.Arguments, returns ast.Expr, c *code.Code, dst slot) {
	save := g.sp
	base := g.top()
	bits := uint16(0)
	if len(a.Defaults) > 0 {
		t := g.temp()
		if k, ok := foldTuple(a.Defaults); ok {
			g.at(n)
			g.loadConst(k, t)
		} else {
			g.display(n, a.Defaults, code.BuildTuple, t)
			g.sp = int(t-tempBit) + 1
		}
		bits |= 1
	}
	if g.kwDefaults(n, a) {
		bits |= 2
	}
	if g.annotations(n, a, returns) {
		bits |= 4
	}
	g.loc = lineOf(n)
	g.makeFunc(c, dst, base, bits)
	g.sp = save
}

// kwDefaults builds the dict of keyword-only defaults in the next temporary.
func (g *gen) kwDefaults(n ast.Node, a *ast.Arguments) bool {
	var t, base slot
	count := uint16(0)
	for i, d := range a.KwDefaults {
		if d == nil {
			continue
		}
		if count == 0 {
			t = g.temp()
			base = g.top()
		}
		g.at(n)
		g.loadConst(literal(g.sc.mangle(a.Kwonlyargs[i].Arg)), g.temp())
		g.operandTemp(d)
		count++
	}
	if count == 0 {
		return false
	}
	g.at(n)
	g.emit(code.BuildDict, t, base, count, 0)
	g.sp = int(t-tempBit) + 1
	return true
}

// annotations builds the dict of annotations in the next temporary.
func (g *gen) annotations(n ast.Node, a *ast.Arguments, returns ast.Expr) bool {
	var t slot
	any := false
	add := func(name string, e ast.Expr) {
		if e == nil {
			return
		}
		if !any {
			t = g.temp()
			g.at(n)
			g.emit(code.BuildDict, t, t, 0, 0)
			any = true
		}
		save := g.sp
		k, v := g.temp(), g.temp()
		g.at(e)
		g.loadConst(literal(name), k)
		g.annotation(e, v)
		g.emit(code.DictSet, t, k, v, 0)
		g.sp = save
	}
	eachArg(a, func(p *ast.Arg) { add(g.sc.mangle(p.Arg), p.Annotation) })
	add("return", returns)
	return any
}

// annotation evaluates an annotation, or gives its text.
func (g *gen) annotation(e ast.Expr, dst slot) {
	if g.u.futureAnnotations {
		g.at(e)
		g.loadConst(literal(unparse(e)), dst)
		return
	}
	g.to(e, dst)
}

// makeFunc emits MakeFunc and settles where the function takes its cells from.
func (g *gen) makeFunc(c *code.Code, dst, base slot, bits uint16) {
	sc := g.u.origins[c]
	if len(sc.free) > 0 {
		c.Free = make([]code.FreeVar, len(sc.free))
		for i, f := range sc.free {
			c.Free[i] = code.FreeVar{Name: f.name}
			if f.owner.frame == g.frame {
				c.Free[i].FromCell = true
				c.Free[i].Index = f.sym.index
			} else {
				c.Free[i].Index = g.frame.freeIndex(f.name)
			}
		}
	}
	g.codes = append(g.codes, c)
	g.emit(code.MakeFunc, dst, base, bits, uint64(len(g.codes)-1))
}

func (g *gen) lambda(n *ast.Lambda, dst slot) {
	sc := g.u.byNode[n]
	c := g.nested(sc, g.functionFlags(sc, n.Args), g.child(sc, nil), func(in *gen) { in.lambdaBody(n) })
	g.describe(c, n, n.Args, nil)
	g.closure(n, n.Args, nil, c, dst)
}

func (g *gen) lambdaBody(n *ast.Lambda) {
	g.at(n.Body)
	v := g.operand(n.Body)
	g.at(n.Body)
	g.ret(v)
}

// classDef compiles class: decorators, body function, bases, keywords.
func (g *gen) classDef(n *ast.ClassDef) {
	deco := g.decorators(n.DecoratorList)
	save := g.sp
	f := g.temp()
	name := g.temp()
	g.loc = lineOf(n)
	g.makeFunc(g.classCode(n), f, 0, 0)
	g.loadConst(literal(n.Name), name)
	if !hasStar(n.Bases) && !doubleStar(n.Keywords) && len(n.Bases)+len(n.Keywords) < manyArgs {
		g.plainBases(n, f)
	} else {
		g.starredBases(n, f)
	}
	g.sp = save
	r := g.decorate(n.DecoratorList, deco, f)
	g.at(n)
	g.store(n.Name, r)
}

func doubleStar(list []*ast.Keyword) bool {
	for _, k := range list {
		if k.Arg == "" {
			return true
		}
	}
	return false
}

func (g *gen) plainBases(n *ast.ClassDef, f slot) {
	for _, b := range n.Bases {
		g.operandTemp(b)
	}
	k := uint64(0)
	if len(n.Keywords) > 0 {
		for _, w := range n.Keywords {
			g.operandTemp(w.Value)
		}
		k = g.keywordNames(n.Keywords) + 1
	}
	g.at(n)
	g.emit(code.BuildClass, f, f, uint16(len(n.Bases)), k)
}

func (g *gen) starredBases(n *ast.ClassDef, f slot) {
	bases, kw := g.temp(), g.temp()
	g.sequence(n, n.Bases, bases)
	g.at(n)
	if len(n.Keywords) == 0 {
		g.emit(code.LoadNone, kw, 0, 0, 0)
	} else {
		g.keywords(n.Keywords, n, kw, f)
	}
	g.at(n)
	g.emit(code.BuildClass, f, f, code.NoSlot, 0)
}

func (g *gen) classCode(n *ast.ClassDef) *code.Code {
	sc := g.u.byNode[n]
	c := g.nested(sc, code.FlagNamespace, g.child(sc, nil), func(in *gen) { in.classBody(n) })
	w := n.Where()
	c.FirstLine = w.Line
	c.Span = code.Span{Line: w.Line, Col: w.Col, EndLine: w.EndLine, EndCol: w.EndCol}
	if len(n.DecoratorList) > 0 {
		c.FirstLine = n.DecoratorList[0].Where().Line
	}
	return c
}

func (g *gen) classBody(n *ast.ClassDef) {
	t := g.temp()
	set := func(name string) { g.emit(code.SetName, t, 0, 0, g.name(name)) }
	g.emit(code.GetGlobal, t, 0, 0, g.name("__name__"))
	set("__module__")
	g.loadConst(literal(g.qualname), t)
	set("__qualname__")
	body := n.Body
	if doc := docstring(body); doc != nil {
		g.doc = doc
		g.loadConst(literal(*doc), t)
		set("__doc__")
		body = body[1:]
	}
	g.sp = 0
	g.moduleBody(body)
	if g.dead {
		return
	}
	g.loc = lineOf(n)
	t = g.temp()
	cell := g.sc.find(ownCell)
	if cell.place != inCell {
		g.emit(code.LoadNone, t, 0, 0, 0)
	} else {
		g.emit(code.Move, t, slot(cell.index), 0, 0)
		set("__classcell__")
		g.emit(code.Move, t, slot(cell.index), 0, 0)
	}
	g.ret(t)
}
