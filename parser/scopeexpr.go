package parser

import (
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

func firstPart(dotted string) string {
	first, _, _ := strings.Cut(dotted, ".")
	return first
}

func (b *binder) expr(x ast.Expr) {
	if x == nil {
		return
	}
	b.down()
	switch x := x.(type) {
	case *ast.Name:
		what := isUsed
		if x.Ctx != ast.Load {
			what = isLocal
		}
		b.add(x.Id, what, &x.Span)
	case *ast.Constant:
	case *ast.Attribute:
		b.expr(x.Value)
	case *ast.Call:
		b.expr(x.Func)
		b.exprs(x.Args)
		for _, k := range x.Keywords {
			b.expr(k.Value)
		}
	case *ast.BinOp:
		b.expr(x.Left)
		b.expr(x.Right)
	case *ast.Subscript:
		b.expr(x.Value)
		b.expr(x.Slice)
	case *ast.Compare:
		b.expr(x.Left)
		b.exprs(x.Comparators)
	case *ast.NamedExpr:
		b.walrus(x)
	case *ast.Lambda:
		b.exprs(x.Args.Defaults)
		b.exprs(x.Args.KwDefaults)
		b.enter(functionScope)
		b.params(x.Args)
		b.expr(x.Body)
		b.leave()
	case *ast.ListComp:
		b.comprehension(x, "list comprehension", x.Generators, x.Elt, nil)
	case *ast.SetComp:
		b.comprehension(x, "set comprehension", x.Generators, x.Elt, nil)
	case *ast.DictComp:
		b.comprehension(x, "dict comprehension", x.Generators, x.Key, x.Value)
	case *ast.GeneratorExp:
		b.comprehension(x, "generator expression", x.Generators, x.Elt, nil)
	case *ast.Yield:
		b.expr(x.Value)
		b.yield(&x.Span)
	case *ast.YieldFrom:
		b.expr(x.Value)
		b.yield(&x.Span)
	case *ast.Await:
		if b.s.annotation {
			refuse(&x.Span, "'await expression' can not be used within an annotation")
		}
		b.expr(x.Value)
		b.s.coroutine = true
	default:
		ast.Children(x, func(n ast.Node) {
			if c, ok := n.(ast.Expr); ok {
				b.expr(c)
			}
		})
	}
	b.depth--
}

func (b *binder) yield(at *ast.Span) {
	if b.s.annotation {
		refuse(at, "'yield expression' can not be used within an annotation")
	}
	b.s.generator = true
	if b.s.comp != "" {
		refuse(at, "'yield' inside %s", b.s.comp)
	}
}

func (b *binder) comprehension(x ast.Expr, kind string, gens []*ast.Comprehension, elt, value ast.Expr) {
	b.s.inIter++
	b.expr(gens[0].Iter)
	b.s.inIter--
	s := b.enter(functionScope)
	s.comp = kind
	for i, g := range gens {
		s.coroutine = s.coroutine || g.IsAsync
		s.inTarget = true
		b.expr(g.Target)
		s.inTarget = false
		if i > 0 {
			s.inIter++
			b.expr(g.Iter)
			s.inIter--
		}
		b.exprs(g.Ifs)
	}
	b.expr(value)
	b.expr(elt)
	b.leave()
	if _, lazy := x.(*ast.GeneratorExp); s.coroutine && !lazy {
		b.s.coroutine = true
		if b.asyncComps == nil {
			b.asyncComps = map[ast.Expr]bool{}
		}
		b.asyncComps[x] = true
	}
}

func (b *binder) walrus(x *ast.NamedExpr) {
	switch {
	case b.s.annotation:
		refuse(&x.Span, "'named expression' can not be used within an annotation")
	case b.s.inIter > 0:
		refuse(&x.Span, "assignment expression cannot be used in a comprehension iterable expression")
	}
	n := x.Target.(*ast.Name)
	if b.s.comp != "" {
		b.extend(n)
	}
	b.expr(x.Value)
	b.expr(x.Target)
}

// extend binds the name of an assignment expression in the scope around the
// comprehensions that it is in.
func (b *binder) extend(n *ast.Name) {
	s := b.s
	for ; s.comp != ""; s = s.parent {
		if s.names[b.key(n.Id)]&isIteration != 0 {
			refuse(&n.Span, "assignment expression cannot rebind comprehension iteration variable '%s'", n.Id)
		}
	}
	what := isGlobal
	switch s.kind {
	case classScope:
		refuse(&n.Span, "assignment expression within a comprehension cannot be used in a class body")
	case functionScope:
		if s.names[b.key(n.Id)]&isGlobal == 0 {
			what = isNonlocal
			s.names[b.key(n.Id)] |= isLocal
		}
	case moduleScope:
		s.names[b.key(n.Id)] |= isGlobal
	}
	b.s.names[b.key(n.Id)] |= what
}
