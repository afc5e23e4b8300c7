package parser

import "github.com/tfs-lang/tfs/lang/ast"

func (c *checker) exprs(list []ast.Expr) {
	for _, x := range list {
		c.expr(x)
	}
}

// elements checks parts that may be starred.
func (c *checker) elements(list []ast.Expr) {
	for _, x := range list {
		if s, ok := x.(*ast.Starred); ok {
			x = s.Value
		}
		c.expr(x)
	}
}

func (c *checker) expr(x ast.Expr) {
	switch x := x.(type) {
	case nil, *ast.Constant:
	case *ast.Name:
		if x.Ctx != ast.Load && x.Id == "__debug__" {
			if x.Ctx == ast.Del {
				stopAt(&x.Span, "cannot delete __debug__")
			}
			c.store(x.Id, &x.Span)
		}
	case *ast.Attribute:
		c.expr(x.Value)
		if x.Ctx == ast.Store {
			c.store(x.Attr, &x.Span)
		}
	case *ast.Call:
		c.expr(x.Func)
		c.arguments(&x.Span, x.Args, x.Keywords)
	case *ast.BinOp:
		c.expr(x.Left)
		c.expr(x.Right)
	case *ast.Subscript:
		c.expr(x.Value)
		c.expr(x.Slice)
	case *ast.Compare:
		c.expr(x.Left)
		c.exprs(x.Comparators)
	case *ast.Starred:
		if x.Ctx == ast.Store {
			stopAt(&x.Span, "starred assignment target must be in a list or tuple")
		}
		stopAt(&x.Span, "can't use starred expression here")
	case *ast.Tuple:
		c.display(&x.Span, x.Elts, x.Ctx)
	case *ast.List:
		c.display(&x.Span, x.Elts, x.Ctx)
	case *ast.Set:
		c.elements(x.Elts)
	case *ast.Lambda:
		c.params(&x.Span, x.Args)
		c.within(lambdaCode, false, func() { c.expr(x.Body) })
	case *ast.ListComp:
		c.comprehension(x, x.Generators, x.Elt, nil)
	case *ast.SetComp:
		c.comprehension(x, x.Generators, x.Elt, nil)
	case *ast.DictComp:
		c.comprehension(x, x.Generators, x.Key, x.Value)
	case *ast.GeneratorExp:
		c.comprehension(x, x.Generators, x.Elt, nil)
	case *ast.Yield:
		c.yield(&x.Span)
		c.expr(x.Value)
	case *ast.YieldFrom:
		c.yield(&x.Span)
		if c.code.kind == asyncCode {
			stopAt(&x.Span, "'yield from' inside async function")
		}
		c.expr(x.Value)
	case *ast.Await:
		c.await(x)
	default:
		ast.Children(x, func(n ast.Node) {
			if e, ok := n.(ast.Expr); ok {
				c.expr(e)
			}
		})
	}
}

func (c *checker) yield(at *ast.Span) {
	if c.code.kind == moduleCode || c.code.kind == classCode {
		stopAt(at, "'yield' outside function")
	}
}

func (c *checker) await(x *ast.Await) {
	switch c.code.kind {
	case moduleCode, classCode:
		stopAt(&x.Span, "'await' outside function")
	case functionCode, lambdaCode:
		stopAt(&x.Span, "'await' outside async function")
	}
	c.expr(x.Value)
}

// maxBefore is how many targets may stand before a starred one.
const maxBefore = 255

func (c *checker) display(at *ast.Span, elts []ast.Expr, ctx ast.Ctx) {
	if ctx == ast.Store {
		stars, before := 0, 0
		for i, x := range elts {
			if _, ok := x.(*ast.Starred); ok {
				if stars++; stars == 1 {
					before = i
				}
			}
		}
		if before > maxBefore {
			stopAt(at, "too many expressions in star-unpacking assignment")
		}
		if stars > 1 {
			stopAt(at, "multiple starred expressions in assignment")
		}
	}
	c.elements(elts)
}

// arguments checks those of a call or class, whose place is at.
func (c *checker) arguments(at *ast.Span, args []ast.Expr, keywords []*ast.Keyword) {
	for i, k := range keywords {
		if k.Arg == "" {
			continue
		}
		c.store(k.Arg, at)
		for _, l := range keywords[i+1:] {
			if l.Arg == k.Arg {
				stopAt(&l.Span, "keyword argument repeated: %s", k.Arg)
			}
		}
	}
	c.elements(args)
	for _, k := range keywords {
		c.expr(k.Value)
	}
}

func (c *checker) comprehension(x ast.Expr, gens []*ast.Comprehension, elt, value ast.Expr) {
	if c.asyncComps[x] && c.code.kind != asyncCode && c.code.kind != comprehensionCode {
		stopAt(x.Where(), "asynchronous comprehension outside of an asynchronous function")
	}
	c.expr(gens[0].Iter)
	c.within(comprehensionCode, false, func() {
		for i, g := range gens {
			c.expr(g.Target)
			if i > 0 {
				c.expr(g.Iter)
			}
			c.exprs(g.Ifs)
		}
		c.expr(value)
		c.expr(elt)
	})
}
