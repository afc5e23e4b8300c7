package compile

import "github.com/tfs-lang/tfs/lang/ast"

// liveInfo is what is live before and after a statement that may become a region.
type liveInfo struct{ in, out slotSet }

// liveness finds what is live around the ifs and loops of a lowered body. Names are
// numbered as they come.
type liveness struct {
	u     *Unit
	ids   map[string]int
	flags map[ast.Stmt][]string
	reads map[ast.Stmt]slotSet // what functions defined before a statement read
	info  map[ast.Stmt]*liveInfo
	scope *scope
}

func (l *liveness) id(name string) int {
	name = l.scope.mangle(name)
	i, ok := l.ids[name]
	if !ok {
		i = len(l.ids)
		l.ids[name] = i
	}
	return i
}

func (l *liveness) run(body []ast.Stmt) {
	l.reaching(body, slotSet{})
	l.block(body, slotSet{}, slotSet{})
}

func (s *slotSet) or(t slotSet) {
	s.word |= t.word
	if len(t.more) == 0 {
		return
	}
	more := make([]uint64, max(len(s.more), len(t.more)))
	copy(more, s.more)
	for i, w := range t.more {
		more[i] |= w
	}
	s.more = more
}

func (s *slotSet) equal(t slotSet) bool {
	if s.word != t.word {
		return false
	}
	for i := range max(len(s.more), len(t.more)) {
		var a, b uint64
		if i < len(s.more) {
			a = s.more[i]
		}
		if i < len(t.more) {
			b = t.more[i]
		}
		if a != b {
			return false
		}
	}
	return true
}

func union(a, b slotSet) slotSet {
	a.or(b)
	return a
}

// reaching notes at each statement what the functions defined before it read: as in
// AutoGraph that is live as long as the function could be called. Lambdas don't count.
func (l *liveness) reaching(list []ast.Stmt, cur slotSet) slotSet {
	for _, n := range list {
		l.reads[n] = cur
		switch n := n.(type) {
		case *ast.FunctionDef:
			l.freeOf(n, &cur)
		case *ast.AsyncFunctionDef:
			l.freeOf(n, &cur)
		case *ast.While, *ast.For:
			eachBlock(n, func(b *[]ast.Stmt) {
				cur.or(l.reaching(*b, cur))
				l.reads[n] = cur
				l.reaching(*b, cur)
			})
		default:
			after := cur
			eachBlock(n, func(b *[]ast.Stmt) { after.or(l.reaching(*b, cur)) })
			cur = after
		}
	}
	return cur
}

// freeOf adds the names that the function made by n takes from here.
func (l *liveness) freeOf(n ast.Node, s *slotSet) {
	sc := l.u.byNode[n]
	if sc == nil {
		return
	}
	for _, f := range sc.free {
		if f.owner.kind != compScope {
			s.set(l.id(f.name))
		}
	}
}

// block walks a list backwards. exc holds what the enclosing handler reads.
func (l *liveness) block(list []ast.Stmt, out, exc slotSet) slotSet {
	for i := len(list) - 1; i >= 0; i-- {
		out = union(l.stmt(list[i], union(out, exc), exc), l.reads[list[i]])
	}
	return out
}

func (l *liveness) stmt(n ast.Stmt, out, exc slotSet) slotSet {
	in := out
	switch n := n.(type) {
	case *ast.If:
		in = union(l.block(n.Body, out, exc), l.block(n.Orelse, out, exc))
		l.expr(n.Test, &in)
		in.or(l.reads[n])
		l.info[n] = &liveInfo{in, out}
	case *ast.While, *ast.For:
		in = union(l.loop(n, out, exc), l.reads[n])
		l.info[n] = &liveInfo{in, out}
	case *ast.Try:
		in = l.try(n, out, exc)
	case *ast.With:
		in = l.block(n.Body, out, exc)
		for i := len(n.Items) - 1; i >= 0; i-- {
			if v := n.Items[i].OptionalVars; v != nil {
				l.kill(v, &in)
			}
			l.expr(n.Items[i].ContextExpr, &in)
		}
	case *ast.Match:
		for _, c := range n.Cases {
			in.or(l.block(c.Body, out, exc))
			l.nodes(c.Pattern, &in)
			l.expr(c.Guard, &in)
		}
		l.expr(n.Subject, &in)
	case *ast.Return:
		in = exc
		l.expr(n.Value, &in)
	default:
		l.simple(n, &in)
	}
	return in
}

// simple turns what is live after a statement without blocks into what is live before it.
func (l *liveness) simple(n ast.Stmt, in *slotSet) {
	switch n := n.(type) {
	case *ast.Assign:
		for i := len(n.Targets) - 1; i >= 0; i-- {
			l.kill(n.Targets[i], in)
		}
		l.expr(n.Value, in)
	case *ast.AugAssign:
		l.expr(n.Target, in)
		l.expr(n.Value, in)
	case *ast.AnnAssign:
		if n.Value != nil {
			l.kill(n.Target, in)
			l.expr(n.Value, in)
		}
	case *ast.FunctionDef:
		in.clear(l.id(n.Name))
		l.freeOf(n, in)
		l.exprs(n.DecoratorList, in)
		l.exprs(n.Args.Defaults, in)
		l.exprs(n.Args.KwDefaults, in)
	case *ast.ClassDef:
		in.clear(l.id(n.Name))
		l.freeOf(n, in)
		l.exprs(n.DecoratorList, in)
		l.exprs(n.Bases, in)
		for _, k := range n.Keywords {
			l.expr(k.Value, in)
		}
	case *ast.Import:
		for _, a := range n.Names {
			in.clear(l.id(importedName(a)))
		}
	case *ast.ImportFrom:
		for _, a := range n.Names {
			in.clear(l.id(importedName(a)))
		}
	default:
		ast.Children(n, func(c ast.Node) {
			if e, ok := c.(ast.Expr); ok {
				l.expr(e, in)
			}
		})
	}
}

func (l *liveness) try(n *ast.Try, out, exc slotSet) slotSet {
	after := union(l.block(n.Finalbody, out, exc), exc)
	handlers := after
	if len(n.Handlers) == 0 && len(n.Finalbody) == 0 {
		handlers = exc
	}
	for _, h := range n.Handlers {
		in := l.block(h.Body, after, after)
		if h.Name != "" {
			in.clear(l.id(h.Name))
		}
		l.expr(h.Type, &in)
		handlers.or(in)
	}
	orelse := l.block(n.Orelse, after, after)
	return union(l.block(n.Body, orelse, union(handlers, exc)), handlers)
}

// loop finds what is live before a loop. As in AutoGraph the head of a for kills its
// target on the way out too: what the body leaves in a name that is also the target
// is not live.
func (l *liveness) loop(n ast.Stmt, out, exc slotSet) slotSet {
	var head slotSet
	f, isFor := n.(*ast.For)
	for {
		var next slotSet
		if isFor {
			next = union(out, l.block(f.Body, head, exc))
			l.kill(f.Target, &next)
		} else {
			w := n.(*ast.While)
			next = union(out, l.block(w.Body, head, exc))
			l.expr(w.Test, &next)
		}
		for _, flag := range l.flags[n] {
			next.set(l.id(flag))
		}
		if next.equal(head) {
			break
		}
		head = next
	}
	if isFor {
		l.expr(f.Iter, &head)
	}
	return head
}

// kill removes the simple names a target binds and adds what evaluating the target reads.
func (l *liveness) kill(t ast.Expr, s *slotSet) {
	switch t := t.(type) {
	case *ast.Name:
		s.clear(l.id(t.Id))
	case *ast.Tuple:
		for _, e := range t.Elts {
			l.kill(e, s)
		}
	case *ast.List:
		for _, e := range t.Elts {
			l.kill(e, s)
		}
	case *ast.Starred:
		l.kill(t.Value, s)
	default:
		l.expr(t, s)
	}
}

func (l *liveness) exprs(list []ast.Expr, s *slotSet) {
	for _, e := range list {
		l.expr(e, s)
	}
}

// expr adds the names that e reads.
func (l *liveness) expr(e ast.Expr, s *slotSet) {
	switch n := e.(type) {
	case nil:
	case *ast.Name:
		s.set(l.id(n.Id))
	case *ast.Constant:
	case *ast.Lambda:
		l.freeOf(n, s)
		l.exprs(n.Args.Defaults, s)
		l.exprs(n.Args.KwDefaults, s)
	case *ast.GeneratorExp:
		l.freeOf(n, s)
		l.expr(n.Generators[0].Iter, s)
	case *ast.ListComp, *ast.SetComp, *ast.DictComp:
		l.comprehension(n, s)
	default:
		l.nodes(e, s)
	}
}

func (l *liveness) nodes(n ast.Node, s *slotSet) {
	ast.Children(n, func(c ast.Node) {
		if e, ok := c.(ast.Expr); ok {
			l.expr(e, s)
			return
		}
		l.nodes(c, s)
	})
}

// comprehension adds what a comprehension reads, its own names left out.
func (l *liveness) comprehension(n ast.Expr, s *slotSet) {
	var inner slotSet
	l.nodes(n, &inner)
	sc := l.u.byNode[n]
	for i := range sc.syms {
		if sym := &sc.syms[i]; sym.ref == nil && (sym.place == inSlot || sym.place == inCell) {
			inner.clear(l.id(sym.name))
		}
	}
	l.expr(partsOf(n).gens[0].Iter, s)
	s.or(inner)
}
