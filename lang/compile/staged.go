package compile

import (
	"slices"

	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// stagedState is what gen needs beside the rest for staged code; nil for normal code.
type stagedState struct {
	low       *lowerer // nil for a lambda, a class body, a generator expression
	live      *liveness
	body      []ast.Stmt // lowered
	extras    []symbol   // flags that lowering added: locals after the named ones
	inTernary bool
}

// Staged returns the staged variant of a code object of this unit. It is nil when the
// function can't be converted; c.NoStaged then says why.
func (u *Unit) Staged(c *code.Code) *code.Code {
	u.mu.Lock()
	defer u.mu.Unlock()
	if c.Staged != nil || c.NoStaged != "" {
		return c.Staged
	}
	sc := u.origins[c]
	if sc == nil || sc.kind != functionScope && sc.kind != lambdaScope {
		c.NoStaged = "not a function"
		return nil
	}
	if why := unconvertible(sc.node); why != "" {
		c.NoStaged = why
		return nil
	}
	if n, ok := sc.node.(*ast.Lambda); ok && u.ambiguous(n) {
		c.NoStaged = "could not parse the source code of <function <lambda>>: found multiple definitions with identical signatures at the location. " +
			"This error may be avoided by defining each lambda on a single line and with unique argument names."
		return nil
	}
	if sc.coroutine {
		c.NoStaged = "async functions are not supported"
		return nil
	}
	if sc.groups {
		c.NoStaged = "except* is not supported"
		return nil
	}
	s := u.stagedCode(sc, c)
	if s == nil {
		c.NoStaged = "the function is too large"
		return nil
	}
	c.Staged, s.Staged = s, s
	return s
}

// ambiguous reports another lambda with the same parameters over the line where n begins:
// AutoGraph can't tell them apart.
func (u *Unit) ambiguous(n *ast.Lambda) bool {
	for _, sc := range u.scopes {
		if sc.kind != lambdaScope {
			continue
		}
		m := sc.node.(*ast.Lambda)
		if m != n && m.Line <= n.Line && n.Line <= m.EndLine && sameParameters(m.Args, n.Args) {
			return true
		}
	}
	return false
}

func sameParameters(a, b *ast.Arguments) bool {
	names := func(a *ast.Arguments) (list []string) {
		for _, p := range append(append([]*ast.Arg{}, a.Posonlyargs...), a.Args...) {
			list = append(list, p.Arg)
		}
		list = append(list, "")
		for _, p := range append(append([]*ast.Arg{a.Vararg}, a.Kwonlyargs...), a.Kwarg) {
			if p == nil {
				list = append(list, "")
			} else {
				list = append(list, p.Arg)
			}
		}
		return list
	}
	return slices.Equal(names(a), names(b))
}

// stagedCode generates the staged variant of the function c of scope sc.
func (u *Unit) stagedCode(sc *scope, c *code.Code) *code.Code {
	var s *code.Code
	flags := c.Flags | code.FlagStaged
	switch n := sc.node.(type) {
	case *ast.FunctionDef:
		st := u.stage(sc, n.Body)
		s = u.generateAs(sc, flags, st.fresh, func(g *gen) { g.stmts(st.body) })
	case *ast.Lambda:
		st := &stagedState{}
		s = u.generateAs(sc, flags, st.fresh, func(g *gen) { g.lambdaBody(n) })
	}
	if s == nil {
		return nil
	}
	s.ArgCount, s.PosOnly, s.KwOnly = c.ArgCount, c.PosOnly, c.KwOnly
	s.FirstLine, s.Span, s.Doc, s.Free = c.FirstLine, c.Span, c.Doc, c.Free
	return s
}

// stage lowers a function body and finds what is live in it.
func (u *Unit) stage(sc *scope, body []ast.Stmt) *stagedState {
	if docstring(body) != nil {
		body = body[1:]
	}
	low := &lowerer{taken: func(name string) bool { return sc.find(name) != nil }}
	s := &stagedState{low: low}
	if len(body) > 0 {
		s.body = low.lower(body)
	}
	s.live = &liveness{u: u, ids: map[string]int{}, flags: low.flags, scope: sc,
		reads: map[ast.Stmt]slotSet{}, info: map[ast.Stmt]*liveInfo{}}
	s.live.run(s.body)
	for i, name := range low.added {
		s.extras = append(s.extras, symbol{name: name, flags: symBound, place: inSlot, index: len(sc.locals) + i})
	}
	return s
}

// fresh returns the state for one run of the generator.
func (s *stagedState) fresh() *stagedState {
	c := *s
	return &c
}

// child returns the state for code inside staged code; nil in normal code.
func (g *gen) child(sc *scope, body []ast.Stmt) *stagedState {
	if g.staged == nil {
		return nil
	}
	if body == nil {
		return &stagedState{}
	}
	return g.u.stage(sc, body)
}

// nested generates a code object inside this one, staged if this is.
func (g *gen) nested(sc *scope, flags uint32, st *stagedState, body func(*gen)) *code.Code {
	if st == nil {
		return g.u.generate(sc, flags, body)
	}
	c := g.u.generateAs(sc, flags|code.FlagStaged, st.fresh, body)
	if c == nil {
		return g.u.generate(sc, flags, body)
	}
	c.Staged = c
	return c
}

func (s *stagedState) extra() int {
	if s == nil {
		return 0
	}
	return len(s.extras)
}

func (s *stagedState) find(name string) *symbol {
	if s == nil {
		return nil
	}
	for i := range s.extras {
		if s.extras[i].name == name {
			return &s.extras[i]
		}
	}
	return nil
}

// region begins a region at the next instruction.
func (g *gen) region(kind code.RegionKind) int {
	g.regions = append(g.regions, code.Region{Kind: kind, Begin: g.pc()})
	return len(g.regions) - 1
}

// mark returns the number of the next instruction, which a region refers to.
func (g *gen) mark() int32 {
	g.fixed = g.pc()
	return g.fixed
}

func (g *gen) stage(op code.Op, b, c slot, r int) { g.emit(op, 0, b, c, uint64(r)) }

func (s *stagedState) ifStmt(g *gen, n *ast.If) bool {
	if s == nil || s.live == nil || s.live.info[n] == nil {
		return false
	}
	loc, save := g.loc, g.sp
	t := g.operand(n.Test)
	g.sp = save
	g.loc = loc
	r := g.region(code.RegionIf)
	g.stage(code.SIfBegin, t, 0, r)
	entry, join := g.bound, newLabel()
	g.regions[r].Then = g.mark()
	g.part(n.Body, r, &join)
	g.bound = entry
	g.regions[r].Else = g.mark()
	g.part(n.Orelse, r, &join)
	g.dead = true
	g.place(&join)
	g.regions[r].Join = join.pos
	g.regions[r].Text = unparse(n.Test)
	b := bound(n.Body)
	boundIn(n.Orelse, b)
	g.vars(r, s.live.info[n], b)
	return true
}

// part compiles one part of a region, which ends with SEnd.
func (g *gen) part(body []ast.Stmt, r int, join *label) {
	loc := g.loc
	g.dead = false
	g.stmts(body)
	g.join(join)
	g.loc = loc
	g.stage(code.SEnd, 0, 0, r)
}

func (s *stagedState) whileStmt(g *gen, n *ast.While) bool {
	if s == nil || s.live == nil || s.live.info[n] == nil {
		return false
	}
	loc := g.loc
	r := g.region(code.RegionWhile)
	g.stage(code.SWhileIn, 0, 0, r)
	g.loopEntry()
	g.regions[r].Else = g.mark()
	test := n.Test
	for _, f := range s.low.flags[n] {
		test = &ast.BoolOp{Span: *test.Where(), Op: ast.And, Values: []ast.Expr{not(name(n.Span, f, ast.Load)), test}}
	}
	save := g.sp
	t := g.operand(test)
	g.sp = save
	g.loc = loc
	g.stage(code.STest, t, 0, r)
	entry, never := g.bound, newLabel()
	g.regions[r].Then = g.mark()
	g.part(n.Body, r, &never)
	g.dead, g.bound = false, entry
	g.regions[r].Join = g.mark()
	g.regions[r].Text = unparse(n.Test)
	g.flagVars(r, s.low.flags[n])
	g.vars(r, s.live.info[n], bound(n.Body))
	return true
}

func (s *stagedState) forStmt(g *gen, n *ast.For) bool {
	if s == nil || s.live == nil || s.live.info[n] == nil {
		return false
	}
	loc := g.loc
	iter := g.hide(2)
	item := iter + 1
	g.to(n.Iter, iter)
	g.loc = loc
	r := g.region(code.RegionFor)
	g.stage(code.SForIn, iter, 0, r)
	entry := g.loopEntry()
	g.regions[r].Else = g.mark()
	g.regions[r].Iter, g.regions[r].Value = iter, item
	for _, f := range s.low.flags[n] {
		g.stage(code.SFlag, slot(s.find(f).index), 0, r)
	}
	g.stage(code.SForNext, iter, item, r)
	g.regions[r].Then = g.mark()
	save := g.sp
	g.target(n.Target, item)
	g.sp = save
	g.loc = loc
	never := newLabel()
	g.part(n.Body, r, &never)
	g.dead, g.bound = false, entry
	g.regions[r].Join = g.mark()
	g.flagVars(r, s.low.flags[n])
	b := bound(n.Body)
	boundTarget(n.Target, b)
	g.vars(r, s.live.info[n], b)
	g.markTarget(r, n.Target)
	return true
}

func (g *gen) flagVars(r int, flags []string) {
	for _, f := range flags {
		g.regions[r].Flags = append(g.regions[r].Flags, g.variable(f))
	}
}

// ternary stages a conditional expression unless it stands inside another one.
func (s *stagedState) ternary(g *gen, n *ast.IfExp, dst slot) bool {
	if s == nil || s.inTernary {
		return false
	}
	s.inTernary = true
	defer func() { s.inTernary = false }()
	h := g.hide(1)
	save := g.sp
	t := g.operand(n.Test)
	g.sp = save
	g.at(n)
	r := g.region(code.RegionIfExp)
	g.stage(code.SIfBegin, t, 0, r)
	g.regions[r].Value, g.regions[r].Text = h, unparse(n.Test)
	for i, e := range [...]ast.Expr{n.Body, n.Orelse} {
		if i == 0 {
			g.regions[r].Then = g.mark()
		} else {
			g.regions[r].Else = g.mark()
		}
		g.to(e, h)
		g.at(n)
		g.stage(code.SEnd, 0, 0, r)
	}
	g.regions[r].Join = g.mark()
	g.emit(code.Move, dst, h, 0, 0)
	return true
}

// boolOp stages and/or; a longer chain is nested to the right, as in AutoGraph.
func (s *stagedState) boolOp(g *gen, n *ast.BoolOp, dst slot) bool {
	if s == nil {
		return false
	}
	kind := code.RegionAnd
	if n.Op == ast.Or {
		kind = code.RegionOr
	}
	h := g.hide(1)
	g.to(n.Values[0], h)
	g.at(n)
	r := g.region(kind)
	g.stage(code.SBool, h, 0, r)
	g.regions[r].Value = h
	g.regions[r].Then = g.mark()
	right := n.Values[1]
	if len(n.Values) > 2 {
		right = &ast.BoolOp{Span: n.Span, Op: n.Op, Values: n.Values[1:]}
	}
	g.to(right, h)
	g.at(n)
	g.stage(code.SEnd, 0, 0, r)
	g.regions[r].Else = g.mark()
	g.regions[r].Join = g.mark()
	g.emit(code.Move, dst, h, 0, 0)
	return true
}

// chain stages a < b < c as a < b and b < c, with b evaluated twice.
func (s *stagedState) chain(g *gen, n *ast.Compare, dst slot) bool {
	if s == nil {
		return false
	}
	var e ast.Expr
	left := n.Left
	for i, op := range n.Ops {
		pair := &ast.Compare{Span: n.Span, Left: left, Ops: []ast.CmpOp{op}, Comparators: n.Comparators[i : i+1]}
		if e == nil {
			e = pair
		} else {
			e = &ast.BoolOp{Span: n.Span, Op: ast.And, Values: []ast.Expr{e, pair}}
		}
		left = n.Comparators[i]
	}
	g.to(e, dst)
	return true
}

// finalReturn returns what the lowered returns left in retval_, None if none ran.
func (s *stagedState) finalReturn(g *gen, n *ast.Return) bool {
	if s == nil || s.low == nil || n != s.low.finish {
		return false
	}
	v := slot(s.find(retvalName).index)
	none := newLabel()
	g.branch(code.JumpUnbound, 0, v, 0, 0, &none)
	g.ret(v)
	g.place(&none)
	t := g.temp()
	g.emit(code.LoadNone, t, 0, 0, 0)
	g.ret(t)
	return true
}

// markTarget notes which variables of a region are targets of its `for`.
func (g *gen) markTarget(r int, target ast.Expr) {
	names := map[string]ast.Expr{}
	boundTarget(target, names)
	vars := g.regions[r].Vars
	for i := range vars {
		if _, ok := names[vars[i].Name]; ok {
			vars[i].Iter = true
		}
	}
}
