package compile

import "github.com/tfs-lang/tfs/lang/ast"

// scanner walks the tree once and fills the scopes.
type scanner struct {
	u  *Unit
	sc *scope
}

// nonlocalKey finds the statement that declares a name nonlocal, for its error.
type nonlocalKey struct {
	s    *scope
	name string
}

// push makes the scope of node below the current one and enters it.
func (s *scanner) push(kind scopeKind, name string, node ast.Node) *scope {
	n := &scope{kind: kind, name: name, node: node, up: s.sc}
	n.frame = n
	if s.sc != nil {
		n.private = s.sc.private
		n.qualname = qualify(s.sc, n)
		if kind == compScope {
			n.frame = s.sc.frame
		}
	}
	s.u.scopes = append(s.u.scopes, n)
	s.u.byNode[node] = n
	s.sc = n
	return n
}

func (s *scanner) pop() { s.sc = s.sc.up }

// qualify is the qualified name of a scope called n.name inside up.
func qualify(up, n *scope) string {
	if n.kind == functionScope || n.kind == classScope {
		if sym := up.find(ast.Mangle(up.private, n.name)); sym != nil && sym.flags&symGlobal != 0 {
			return n.name
		}
	}
	switch up.kind {
	case moduleScope:
		return n.name
	case functionScope, lambdaScope:
		return up.qualname + ".<locals>." + n.name
	}
	return up.qualname + "." + n.name // class bodies, comprehensions
}

func (s *scanner) bind(name string) { s.sc.add(s.sc.mangle(name), symBound) }
func (s *scanner) use(name string)  { s.sc.add(s.sc.mangle(name), symUsed) }

func (s *scanner) stmts(list []ast.Stmt) {
	for _, n := range list {
		s.stmt(n)
	}
}

func (s *scanner) exprs(list []ast.Expr) {
	for _, e := range list {
		s.expr(e)
	}
}

func (s *scanner) stmt(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		s.expr(n.Value)
	case *ast.Assign:
		s.expr(n.Value)
		s.exprs(n.Targets)
	case *ast.AugAssign:
		s.expr(n.Value)
		s.expr(n.Target)
		if t, ok := n.Target.(*ast.Name); ok {
			s.use(t.Id)
		}
	case *ast.If:
		s.expr(n.Test)
		s.stmts(n.Body)
		s.stmts(n.Orelse)
	case *ast.For:
		s.loop(n.Target, n.Iter, n.Body, n.Orelse)
	case *ast.AsyncFor:
		s.loop(n.Target, n.Iter, n.Body, n.Orelse)
	case *ast.While:
		s.expr(n.Test)
		s.stmts(n.Body)
		s.stmts(n.Orelse)
	case *ast.FunctionDef:
		s.function(n, n.Name, n.Args, n.Body, n.DecoratorList, n.Returns)
	case *ast.AsyncFunctionDef:
		s.function(n, n.Name, n.Args, n.Body, n.DecoratorList, n.Returns).coroutine = true
	case *ast.ClassDef:
		s.class(n)
	case *ast.Return:
		s.expr(n.Value)
	case *ast.With:
		s.with(n.Items, n.Body)
	case *ast.AsyncWith:
		s.with(n.Items, n.Body)
	case *ast.Try:
		s.try(n.Body, n.Handlers, n.Orelse, n.Finalbody)
	case *ast.TryStar:
		s.sc.frame.groups = true
		s.try(n.Body, n.Handlers, n.Orelse, n.Finalbody)
	default:
		s.simple(n)
	}
}

// simple scans the statements that hold no block, and match.
func (s *scanner) simple(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.Delete:
		s.exprs(n.Targets)
	case *ast.AnnAssign:
		s.annAssign(n)
	case *ast.Raise:
		s.expr(n.Exc)
		s.expr(n.Cause)
	case *ast.Assert:
		s.expr(n.Test)
		s.expr(n.Msg)
	case *ast.Import:
		for _, a := range n.Names {
			s.bind(importedName(a))
		}
	case *ast.ImportFrom:
		for _, a := range n.Names {
			switch {
			case a.Asname != "":
				s.bind(a.Asname)
			case a.Name != "*":
				s.bind(a.Name)
			}
		}
	case *ast.Global:
		for _, name := range n.Names {
			m := s.sc.mangle(name)
			s.sc.add(m, symGlobal)
			s.u.scopes[0].add(m, symGlobal) // the text's own binding of it is a global, too
		}
	case *ast.Nonlocal:
		for _, name := range n.Names {
			m := s.sc.mangle(name)
			s.sc.add(m, symNonlocal)
			if s.u.nonlocals == nil {
				s.u.nonlocals = map[nonlocalKey]ast.Span{}
			}
			s.u.nonlocals[nonlocalKey{s.sc, m}] = n.Span
		}
	case *ast.Match:
		s.expr(n.Subject)
		for _, c := range n.Cases {
			s.pattern(c.Pattern)
			s.expr(c.Guard)
			s.stmts(c.Body)
		}
	}
}

// importedName is the name that `import a.b` or `import a.b as c` binds.
func importedName(a *ast.Alias) string {
	if a.Asname != "" {
		return a.Asname
	}
	for i := 0; i < len(a.Name); i++ {
		if a.Name[i] == '.' {
			return a.Name[:i]
		}
	}
	return a.Name
}

func (s *scanner) loop(target, iter ast.Expr, body, orelse []ast.Stmt) {
	s.expr(iter)
	s.expr(target)
	s.stmts(body)
	s.stmts(orelse)
}

func (s *scanner) with(items []*ast.WithItem, body []ast.Stmt) {
	for _, it := range items {
		s.expr(it.ContextExpr)
		s.expr(it.OptionalVars)
	}
	s.stmts(body)
}

func (s *scanner) try(body []ast.Stmt, handlers []*ast.ExceptHandler, orelse, final []ast.Stmt) {
	s.stmts(body)
	for _, h := range handlers {
		s.expr(h.Type)
		if h.Name != "" {
			s.sc.add(s.sc.mangle(h.Name), symBound|symDeleted)
		}
		s.stmts(h.Body)
	}
	s.stmts(orelse)
	s.stmts(final)
}

func (s *scanner) annAssign(n *ast.AnnAssign) {
	if t, ok := n.Target.(*ast.Name); ok && n.Simple {
		s.bind(t.Id)
		if s.sc.kind == moduleScope || s.sc.kind == classScope {
			s.sc.annotated = true
		}
	} else {
		s.expr(n.Target)
	}
	if !s.u.futureAnnotations {
		s.expr(n.Annotation)
	}
	s.expr(n.Value)
}

func (s *scanner) annotation(e ast.Expr) {
	if e != nil && !s.u.futureAnnotations {
		s.expr(e)
	}
}

func (s *scanner) defaults(a *ast.Arguments) {
	s.exprs(a.Defaults)
	for _, e := range a.KwDefaults {
		if e != nil {
			s.expr(e)
		}
	}
}

// eachArg calls f for the parameters in the order of the annotations dict.
func eachArg(a *ast.Arguments, f func(*ast.Arg)) {
	for _, p := range a.Posonlyargs {
		f(p)
	}
	for _, p := range a.Args {
		f(p)
	}
	if a.Vararg != nil {
		f(a.Vararg)
	}
	for _, p := range a.Kwonlyargs {
		f(p)
	}
	if a.Kwarg != nil {
		f(a.Kwarg)
	}
}

// params binds the parameters in the order of their slots.
func (s *scanner) params(a *ast.Arguments) {
	param := func(p *ast.Arg) {
		if p != nil {
			s.sc.add(s.sc.mangle(p.Arg), symBound|symParam)
			s.sc.locals = append(s.sc.locals, int32(len(s.sc.syms)-1))
		}
	}
	for _, list := range [...][]*ast.Arg{a.Posonlyargs, a.Args, a.Kwonlyargs} {
		for _, p := range list {
			param(p)
		}
	}
	param(a.Vararg)
	param(a.Kwarg)
}

func (s *scanner) function(n ast.Node, name string, a *ast.Arguments, body []ast.Stmt, deco []ast.Expr, returns ast.Expr) *scope {
	s.exprs(deco)
	s.defaults(a)
	eachArg(a, func(p *ast.Arg) { s.annotation(p.Annotation) })
	s.annotation(returns)
	s.bind(name)
	sc := s.push(functionScope, name, n)
	s.params(a)
	s.stmts(body)
	s.pop()
	return sc
}

func (s *scanner) class(n *ast.ClassDef) {
	s.exprs(n.DecoratorList)
	s.exprs(n.Bases)
	for _, k := range n.Keywords {
		s.expr(k.Value)
	}
	s.bind(n.Name)
	sc := s.push(classScope, n.Name, n)
	sc.private = n.Name
	sc.add(ownCell, 0)
	s.stmts(n.Body)
	s.pop()
}

func (s *scanner) lambda(n *ast.Lambda) {
	s.defaults(n.Args)
	s.push(lambdaScope, "<lambda>", n)
	s.params(n.Args)
	s.expr(n.Body)
	s.pop()
}

func (s *scanner) pattern(p ast.Pattern) {
	switch p := p.(type) {
	case *ast.MatchValue:
		s.expr(p.Value)
	case *ast.MatchSequence:
		s.patterns(p.Patterns)
	case *ast.MatchMapping:
		s.exprs(p.Keys)
		s.patterns(p.Patterns)
		s.capture(p.Rest)
	case *ast.MatchClass:
		s.expr(p.Cls)
		s.patterns(p.Patterns)
		s.patterns(p.KwdPatterns)
	case *ast.MatchStar:
		s.capture(p.Name)
	case *ast.MatchAs:
		if p.Pattern != nil {
			s.pattern(p.Pattern)
		}
		s.capture(p.Name)
	case *ast.MatchOr:
		s.patterns(p.Patterns)
	}
}

func (s *scanner) patterns(list []ast.Pattern) {
	for _, p := range list {
		s.pattern(p)
	}
}

func (s *scanner) capture(name string) {
	if name != "" {
		s.bind(name)
	}
}
