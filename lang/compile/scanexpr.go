package compile

import "github.com/tfs-lang/tfs/lang/ast"

func (s *scanner) expr(e ast.Expr) {
	switch n := e.(type) {
	case nil:
	case *ast.Name:
		s.name(n)
	case *ast.Constant:
	case *ast.Attribute:
		s.expr(n.Value)
	case *ast.Call:
		s.expr(n.Func)
		s.exprs(n.Args)
		for _, k := range n.Keywords {
			s.expr(k.Value)
		}
	case *ast.BinOp:
		s.expr(n.Left)
		s.expr(n.Right)
	case *ast.Subscript:
		s.expr(n.Value)
		s.expr(n.Slice)
	case *ast.UnaryOp:
		s.expr(n.Operand)
	case *ast.Compare:
		s.expr(n.Left)
		s.exprs(n.Comparators)
	case *ast.BoolOp:
		s.exprs(n.Values)
	case *ast.Tuple:
		s.exprs(n.Elts)
	case *ast.List:
		s.exprs(n.Elts)
	default:
		s.rarer(e)
	}
}

// rarer scans the expressions that expr leaves over.
func (s *scanner) rarer(e ast.Expr) {
	switch n := e.(type) {
	case *ast.IfExp:
		s.expr(n.Test)
		s.expr(n.Body)
		s.expr(n.Orelse)
	case *ast.Dict:
		for i, k := range n.Keys {
			s.expr(k)
			s.expr(n.Values[i])
		}
	case *ast.Set:
		s.exprs(n.Elts)
	case *ast.Starred:
		s.expr(n.Value)
	case *ast.Slice:
		s.expr(n.Lower)
		s.expr(n.Upper)
		s.expr(n.Step)
	case *ast.JoinedStr:
		s.exprs(n.Values)
	case *ast.FormattedValue:
		s.expr(n.Value)
		s.expr(n.FormatSpec)
	case *ast.Lambda:
		s.lambda(n)
	case *ast.NamedExpr:
		s.named(n)
	case *ast.Yield:
		s.sc.frame.generator = true
		s.expr(n.Value)
	case *ast.YieldFrom:
		s.sc.frame.generator = true
		s.expr(n.Value)
	case *ast.Await:
		s.expr(n.Value)
	case *ast.ListComp:
		s.comp(compScope, "<listcomp>", n, n.Generators, n.Elt, nil)
	case *ast.SetComp:
		s.comp(compScope, "<setcomp>", n, n.Generators, n.Elt, nil)
	case *ast.DictComp:
		s.comp(compScope, "<dictcomp>", n, n.Generators, n.Key, n.Value)
	case *ast.GeneratorExp:
		s.comp(genexpScope, "<genexpr>", n, n.Generators, n.Elt, nil)
	}
}

func (s *scanner) name(n *ast.Name) {
	switch n.Ctx {
	case ast.Load:
		s.use(n.Id)
		if n.Id == "super" && s.sc.frame.isFunction() {
			s.use(classCell)
		}
	case ast.Store:
		s.bind(n.Id)
	case ast.Del:
		s.sc.add(s.sc.mangle(n.Id), symBound|symDeleted)
	}
}

// named binds the target of := in the nearest scope that is no comprehension.
func (s *scanner) named(n *ast.NamedExpr) {
	s.expr(n.Value)
	name := s.sc.mangle(n.Target.(*ast.Name).Id)
	home := s.sc
	for home.kind == compScope || home.kind == genexpScope {
		home = home.up
	}
	sym := home.add(name, symBound|symWalrus)
	global := sym.flags&symGlobal != 0 || home.kind == moduleScope
	for sc := s.sc; sc != home; sc = sc.up {
		if global {
			sc.add(name, symGlobal|symUsed)
		} else {
			sc.add(name, symNonlocal|symUsed|symWalrus)
		}
	}
}

// comp scans a comprehension: its first iterable belongs to the scope around it.
func (s *scanner) comp(kind scopeKind, name string, n ast.Node, gens []*ast.Comprehension, elt, value ast.Expr) {
	s.expr(gens[0].Iter)
	sc := s.push(kind, name, n)
	if kind == genexpScope {
		sc.generator = true
		sc.add(".0", symBound|symParam)
		sc.locals = append(sc.locals, 0)
	}
	for i, g := range gens {
		if i > 0 {
			s.expr(g.Iter)
		}
		s.expr(g.Target)
		s.exprs(g.Ifs)
	}
	s.expr(elt)
	s.expr(value)
	s.pop()
}
