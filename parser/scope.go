package parser

import (
	"fmt"

	"github.com/tfs-lang/tfs/lang/ast"
)

// maxTree is how deep a tree may be: CPython's compiler stops there.
const maxTree = 2990

// binding says what a scope does with a name.
type binding uint16

const (
	isGlobal binding = 1 << iota
	isNonlocal
	isParam
	isLocal
	isUsed
	isAnnotated
	isImported
	isIteration // bound by a for clause of a comprehension
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	classScope
	functionScope
)

// scope is a block of the symbol table.
type scope struct {
	kind       scopeKind
	comp       string // the kind of comprehension, if it is one
	annotation bool   // it is a postponed annotation
	parent     *scope
	private    string // name of the class around, which __names take on
	names      map[string]binding
	inner      []*scope
	nonlocals  []declaration
	inTarget   bool // in the target of a for clause
	inIter     int  // in the iterable of one
	generator  bool
	coroutine  bool
}

// declaration is a name in a global or nonlocal statement.
type declaration struct {
	name string
	at   *ast.Span
}

// binder makes the symbol table and finds what is wrong with it. It goes over
// the tree in CPython's order and stops at the first mistake.
type binder struct {
	s         *scope
	depth     int
	postponed bool // annotations, by from __future__ import
	// for the second check
	asyncComps map[ast.Expr]bool              // comprehensions that await
	asyncGens  map[*ast.AsyncFunctionDef]bool // asynchronous generators
}

// stopAt ends a check with an error at a node's place.
func stopAt(at *ast.Span, format string, args ...any) { panic(errorOf(at, format, args...)) }

// refuse does so for what CPython's symbol table finds.
func refuse(at *ast.Span, format string, args ...any) {
	e := errorOf(at, format, args...)
	e.Table = true
	panic(e)
}

func errorOf(at *ast.Span, format string, args ...any) *SyntaxError {
	return &SyntaxError{Class: "SyntaxError", Msg: fmt.Sprintf(format, args...), Line: int(at.Line), Col: int(at.Col) + 1,
		EndLine: int(at.EndLine), EndCol: int(at.EndCol) + 1, Late: true}
}

func (b *binder) down() {
	if b.depth++; b.depth > maxTree {
		panic(&SyntaxError{Class: "RecursionError", Msg: "maximum recursion depth exceeded during compilation"})
	}
}

func (b *binder) enter(kind scopeKind) *scope {
	s := &scope{kind: kind, parent: b.s, names: map[string]binding{}}
	if b.s != nil {
		s.inIter, s.private = b.s.inIter, b.s.private
		b.s.inner = append(b.s.inner, s)
	}
	b.s = s
	return s
}

// key is a name as the class around makes it.
func (b *binder) key(name string) string { return ast.Mangle(b.s.private, name) }

func (b *binder) leave() { b.s = b.s.parent }

// add notes what is done with a name.
func (b *binder) add(name string, what binding, at *ast.Span) {
	old := b.s.names[b.key(name)]
	if what&old&isParam != 0 {
		refuse(at, "duplicate argument '%s' in function definition", name)
	}
	if b.s.inTarget {
		if old&(isGlobal|isNonlocal) != 0 {
			refuse(at, "comprehension inner loop cannot rebind assignment expression target '%s'", name)
		}
		what |= isIteration
	}
	b.s.names[b.key(name)] = old | what
}

func (b *binder) stmts(list []ast.Stmt) {
	for _, s := range list {
		b.stmt(s)
	}
}

func (b *binder) exprs(list []ast.Expr) {
	for _, x := range list {
		b.expr(x)
	}
}

func (b *binder) stmt(s ast.Stmt) {
	b.down()
	switch s := s.(type) {
	case *ast.FunctionDef:
		b.function(s, &s.Span, s.Name, s.Args, s.Body, s.DecoratorList, s.Returns)
	case *ast.AsyncFunctionDef:
		b.function(s, &s.Span, s.Name, s.Args, s.Body, s.DecoratorList, s.Returns)
	case *ast.ClassDef:
		b.class(s)
	case *ast.Return:
		b.expr(s.Value)
	case *ast.Delete:
		b.exprs(s.Targets)
	case *ast.Assign:
		b.exprs(s.Targets)
		b.expr(s.Value)
	case *ast.AugAssign:
		b.expr(s.Target)
		b.expr(s.Value)
	case *ast.AnnAssign:
		b.annAssign(s)
	case *ast.For:
		b.loop(s.Target, s.Iter, s.Body, s.Orelse)
	case *ast.AsyncFor:
		b.loop(s.Target, s.Iter, s.Body, s.Orelse)
	case *ast.While:
		b.loop(s.Test, nil, s.Body, s.Orelse)
	case *ast.If:
		b.loop(s.Test, nil, s.Body, s.Orelse)
	case *ast.With:
		b.with(s.Items, s.Body)
	case *ast.AsyncWith:
		b.with(s.Items, s.Body)
	case *ast.Match:
		b.match(s)
	case *ast.Raise:
		b.expr(s.Exc)
		b.expr(s.Cause)
	case *ast.Try:
		b.try(s.Body, s.Orelse, s.Handlers, s.Finalbody)
	case *ast.TryStar:
		b.try(s.Body, s.Orelse, s.Handlers, s.Finalbody)
	case *ast.Assert:
		b.expr(s.Test)
		b.expr(s.Msg)
	case *ast.Import:
		b.imports(s.Names)
	case *ast.ImportFrom:
		b.imports(s.Names)
	case *ast.Global:
		b.declare(&s.Span, s.Names, isGlobal, "global")
	case *ast.Nonlocal:
		b.declare(&s.Span, s.Names, isNonlocal, "nonlocal")
	case *ast.ExprStmt:
		b.expr(s.Value)
	}
	b.depth--
}

func (b *binder) loop(target, iter ast.Expr, body, orelse []ast.Stmt) {
	b.expr(target)
	b.expr(iter)
	b.stmts(body)
	b.stmts(orelse)
}

func (b *binder) with(list []*ast.WithItem, body []ast.Stmt) {
	for _, w := range list {
		b.expr(w.ContextExpr)
		b.expr(w.OptionalVars)
	}
	b.stmts(body)
}

func (b *binder) try(body, orelse []ast.Stmt, handlers []*ast.ExceptHandler, final []ast.Stmt) {
	b.stmts(body)
	b.stmts(orelse)
	for _, h := range handlers {
		b.expr(h.Type)
		if h.Name != "" {
			b.add(h.Name, isLocal, &h.Span)
		}
		b.stmts(h.Body)
	}
	b.stmts(final)
}

func (b *binder) function(n ast.Stmt, at *ast.Span, name string, a *ast.Arguments, body []ast.Stmt, decorators []ast.Expr, returns ast.Expr) {
	b.add(name, isLocal, at)
	b.exprs(a.Defaults)
	b.exprs(a.KwDefaults)
	for _, list := range [][]*ast.Arg{a.Posonlyargs, a.Args, {a.Vararg, a.Kwarg}, a.Kwonlyargs} {
		for _, arg := range list {
			if arg != nil {
				b.annotation(arg.Annotation)
			}
		}
	}
	b.annotation(returns)
	b.exprs(decorators)
	s := b.enter(functionScope)
	async, isAsync := n.(*ast.AsyncFunctionDef)
	s.coroutine = isAsync
	b.params(a)
	b.stmts(body)
	b.leave()
	if isAsync && s.generator {
		if b.asyncGens == nil {
			b.asyncGens = map[*ast.AsyncFunctionDef]bool{}
		}
		b.asyncGens[async] = true
	}
}

func (b *binder) params(a *ast.Arguments) {
	for _, list := range [][]*ast.Arg{a.Posonlyargs, a.Args, a.Kwonlyargs, {a.Vararg, a.Kwarg}} {
		for _, arg := range list {
			if arg != nil {
				b.add(arg.Arg, isParam, &arg.Span)
			}
		}
	}
}

func (b *binder) annotation(x ast.Expr) {
	if x == nil {
		return
	}
	if b.postponed {
		b.enter(functionScope).annotation = true
		defer b.leave()
	}
	b.expr(x)
}

func (b *binder) class(s *ast.ClassDef) {
	b.add(s.Name, isLocal, &s.Span)
	b.exprs(s.Bases)
	for _, k := range s.Keywords {
		b.expr(k.Value)
	}
	b.exprs(s.DecoratorList)
	b.enter(classScope).private = s.Name
	b.stmts(s.Body)
	b.leave()
}

func (b *binder) annAssign(s *ast.AnnAssign) {
	if n, ok := s.Target.(*ast.Name); ok {
		old := b.s.names[b.key(n.Id)]
		if old&(isGlobal|isNonlocal) != 0 && b.s.kind != moduleScope && s.Simple {
			what := "nonlocal"
			if old&isGlobal != 0 {
				what = "global"
			}
			refuse(&s.Span, "annotated name '%s' can't be %s", n.Id, what)
		}
		if s.Simple {
			b.add(n.Id, isAnnotated|isLocal, &n.Span)
		} else if s.Value != nil {
			b.add(n.Id, isLocal, &n.Span)
		}
	} else {
		b.expr(s.Target)
	}
	b.annotation(s.Annotation)
	b.expr(s.Value)
}

func (b *binder) imports(names []*ast.Alias) {
	for _, a := range names {
		switch {
		case a.Name == "*":
			if b.s.kind != moduleScope {
				refuse(&a.Span, "import * only allowed at module level")
			}
		case a.Asname != "":
			b.add(a.Asname, isImported, &a.Span)
		default:
			b.add(firstPart(a.Name), isImported, &a.Span)
		}
	}
}

func (b *binder) declare(at *ast.Span, names []string, what binding, word string) {
	for _, name := range names {
		switch old := b.s.names[b.key(name)]; {
		case old&isParam != 0:
			refuse(at, "name '%s' is parameter and %s", name, word)
		case old&isUsed != 0:
			refuse(at, "name '%s' is used prior to %s declaration", name, word)
		case old&isAnnotated != 0:
			refuse(at, "annotated name '%s' can't be %s", name, word)
		case old&isLocal != 0:
			refuse(at, "name '%s' is assigned to before %s declaration", name, word)
		}
		b.s.names[b.key(name)] |= what
		b.s.nonlocals = append(b.s.nonlocals, declaration{name, at})
	}
}

func (b *binder) match(s *ast.Match) {
	b.expr(s.Subject)
	for _, c := range s.Cases {
		b.pattern(c.Pattern)
		b.expr(c.Guard)
		b.stmts(c.Body)
	}
}

func (b *binder) pattern(p ast.Pattern) {
	b.down()
	switch p := p.(type) {
	case *ast.MatchValue:
		b.expr(p.Value)
	case *ast.MatchSequence:
		b.patterns(p.Patterns)
	case *ast.MatchMapping:
		b.exprs(p.Keys)
		b.patterns(p.Patterns)
		b.bind(p.Rest, &p.Span)
	case *ast.MatchClass:
		b.expr(p.Cls)
		b.patterns(p.Patterns)
		b.patterns(p.KwdPatterns)
	case *ast.MatchStar:
		b.bind(p.Name, &p.Span)
	case *ast.MatchAs:
		if p.Pattern != nil {
			b.pattern(p.Pattern)
		}
		b.bind(p.Name, &p.Span)
	case *ast.MatchOr:
		b.patterns(p.Patterns)
	}
	b.depth--
}

func (b *binder) patterns(list []ast.Pattern) {
	for _, p := range list {
		b.pattern(p)
	}
}

func (b *binder) bind(name string, at *ast.Span) {
	if name != "" {
		b.add(name, isLocal, at)
	}
}

// resolve finds nonlocal names in the scopes around, once all is known.
func (s *scope) resolve() {
	for _, d := range s.nonlocals {
		name := ast.Mangle(s.private, d.name)
		what := s.names[name]
		switch {
		case what&isNonlocal == 0:
		case what&isGlobal != 0:
			refuse(d.at, "name '%s' is nonlocal and global", d.name)
		case s.kind == moduleScope:
			refuse(d.at, "nonlocal declaration not allowed at module level")
		case !s.parent.holds(name):
			refuse(d.at, "no binding for nonlocal '%s' found", name)
		}
	}
	for _, i := range s.inner {
		i.resolve()
	}
}

// holds tells whether a function around binds the name.
func (s *scope) holds(name string) bool {
	for ; s != nil; s = s.parent {
		what := s.names[name]
		switch {
		case s.kind == classScope && name == "__class__":
			return true
		case s.kind != functionScope:
		case what&isGlobal != 0:
			return false
		case what&(isLocal|isParam|isImported|isNonlocal) != 0:
			return true
		}
	}
	return false
}
