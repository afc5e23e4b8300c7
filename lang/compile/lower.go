package compile

import (
	"strconv"

	"github.com/tfs-lang/tfs/lang/ast"
)

// Names of the flags that lowering adds, as AutoGraph calls them: they show in messages.
const (
	retvalName   = "retval_"
	doReturnName = "do_return"
)

// lowerer copies the body of a function with break, continue and return turned into
// flags, so that every part of a region ends at its end.
type lowerer struct {
	added     []string
	taken     func(string) bool
	flags     map[ast.Stmt][]string // loops: flags that end them
	finish    *ast.Return           // the return of retval_ at the end
	breaks    int
	continues int
}

func (l *lowerer) lower(body []ast.Stmt) []ast.Stmt {
	l.flags = map[ast.Stmt][]string{}
	body = cloneBlock(body)
	body, _ = moveAfterReturn(body)
	body = l.loops(body)
	if !returnsInside(body) {
		return body
	}
	l.added = append(l.added, doReturnName, retvalName)
	span := *body[0].Where()
	out := append([]ast.Stmt{l.flag(span, doReturnName, false)}, l.returns(body)...)
	l.finish = &ast.Return{Span: span, Value: name(span, retvalName, ast.Load)}
	return append(out, l.finish)
}

func name(span ast.Span, id string, ctx ast.Ctx) *ast.Name {
	return &ast.Name{Span: span, Id: id, Ctx: ctx}
}

func (l *lowerer) flag(span ast.Span, id string, v bool) ast.Stmt {
	return &ast.Assign{Span: span, Targets: []ast.Expr{name(span, id, ast.Store)}, Value: &ast.Constant{Span: span, Value: v}}
}

// unless wraps the rest of a block: it runs only while the flag is false.
func unless(id string, rest []ast.Stmt) []ast.Stmt {
	if len(rest) == 0 {
		return nil
	}
	span := *rest[0].Where()
	return []ast.Stmt{&ast.If{Span: span, Test: not(name(span, id, ast.Load)), Body: rest}}
}

func not(e ast.Expr) ast.Expr {
	return &ast.UnaryOp{Span: *e.Where(), Op: ast.Not, Operand: e}
}

// cloneBlock copies the statements that hold blocks; all else is shared.
func cloneBlock(list []ast.Stmt) []ast.Stmt {
	if list == nil {
		return nil
	}
	out := make([]ast.Stmt, len(list))
	for i, n := range list {
		out[i] = cloneStmt(n)
	}
	return out
}

func cloneStmt(n ast.Stmt) ast.Stmt {
	switch n := n.(type) {
	case *ast.If:
		c := *n
		c.Body, c.Orelse = cloneBlock(n.Body), cloneBlock(n.Orelse)
		return &c
	case *ast.While:
		c := *n
		c.Body = cloneBlock(n.Body)
		return &c
	case *ast.For:
		c := *n
		c.Body = cloneBlock(n.Body)
		return &c
	case *ast.With:
		c := *n
		c.Body = cloneBlock(n.Body)
		return &c
	case *ast.Try:
		c := *n
		c.Body, c.Orelse, c.Finalbody = cloneBlock(n.Body), cloneBlock(n.Orelse), cloneBlock(n.Finalbody)
		c.Handlers = make([]*ast.ExceptHandler, len(n.Handlers))
		for i, h := range n.Handlers {
			k := *h
			k.Body = cloneBlock(h.Body)
			c.Handlers[i] = &k
		}
		return &c
	case *ast.Match:
		c := *n
		c.Cases = make([]*ast.MatchCase, len(n.Cases))
		for i, m := range n.Cases {
			k := *m
			k.Body = cloneBlock(m.Body)
			c.Cases[i] = &k
		}
		return &c
	}
	return n
}

// eachBlock calls f for the blocks of n, which may replace them.
func eachBlock(n ast.Stmt, f func(*[]ast.Stmt)) {
	switch n := n.(type) {
	case *ast.If:
		f(&n.Body)
		f(&n.Orelse)
	case *ast.While:
		f(&n.Body)
	case *ast.For:
		f(&n.Body)
	case *ast.With:
		f(&n.Body)
	case *ast.Try:
		f(&n.Body)
		for _, h := range n.Handlers {
			f(&h.Body)
		}
		f(&n.Orelse)
		f(&n.Finalbody)
	case *ast.Match:
		for _, c := range n.Cases {
			f(&c.Body)
		}
	}
}

func isLoop(n ast.Stmt) bool {
	switch n.(type) {
	case *ast.For, *ast.While:
		return true
	}
	return false
}

// moveAfterReturn moves the statements after an if of which one branch surely returns
// into its other branch. It says whether list surely returns. As in AutoGraph the moved
// statements are not looked at again together with that branch: `if a: return 1` /
// `elif b: return 2` / `return 3` stays an error.
func moveAfterReturn(list []ast.Stmt) ([]ast.Stmt, bool) {
	for i, n := range list {
		switch n := n.(type) {
		case *ast.Return:
			return list[:i+1], true
		case *ast.If:
			if out, returns, done := moveIntoIf(list, i, n); done {
				return out, returns
			}
		case *ast.With:
			var r bool
			if n.Body, r = moveAfterReturn(n.Body); r {
				return list[:i+1], true
			}
		default:
			eachBlock(n, func(b *[]ast.Stmt) { *b, _ = moveAfterReturn(*b) })
		}
	}
	return list, false
}

func moveIntoIf(list []ast.Stmt, i int, n *ast.If) (out []ast.Stmt, returns, done bool) {
	var a, b bool
	n.Body, a = moveAfterReturn(n.Body)
	n.Orelse, b = moveAfterReturn(n.Orelse)
	rest := list[i+1:]
	switch {
	case a && b:
		return list[:i+1], true, true
	case a && len(rest) > 0:
		rest, b = moveAfterReturn(rest)
		n.Orelse = append(n.Orelse, rest...)
		return list[:i+1], b, true
	case b && len(rest) > 0:
		rest, a = moveAfterReturn(rest)
		n.Body = append(n.Body, rest...)
		return list[:i+1], a, true
	}
	return nil, false, false
}

// loops lowers break and continue: a loop gets a flag for each kind it uses.
func (l *lowerer) loops(list []ast.Stmt) []ast.Stmt {
	var out []ast.Stmt
	for _, n := range list {
		if !isLoop(n) {
			eachBlock(n, func(b *[]ast.Stmt) { *b = l.loops(*b) })
			out = append(out, n)
			continue
		}
		eachBlock(n, func(b *[]ast.Stmt) {
			brk, any := jumpsIn(*b)
			if !any {
				*b = l.loops(*b)
				return
			}
			cont := l.fresh("continue_", &l.continues)
			stop := ""
			if brk {
				stop = l.fresh("break_", &l.breaks)
				l.flags[n] = append(l.flags[n], stop)
				out = append(out, l.flag(*n.Where(), stop, false))
			}
			body := append([]ast.Stmt{l.flag(*n.Where(), cont, false)}, l.jumpsToFlags(*b, stop, cont)...)
			*b = l.loops(body)
		})
		out = append(out, n)
	}
	return out
}

// fresh returns a new name: base, base_1, base_2 …
func (l *lowerer) fresh(base string, count *int) string {
	for {
		id := base
		if *count > 0 {
			id += "_" + strconv.Itoa(*count)
		}
		*count++
		if !l.taken(id) {
			l.added = append(l.added, id)
			return id
		}
	}
}

// jumpsIn reports whether list holds a break, and a break or continue, of the loop around it.
func jumpsIn(list []ast.Stmt) (brk, any bool) {
	for _, n := range list {
		switch n.(type) {
		case *ast.Break:
			return true, true
		case *ast.Continue:
			any = true
		case *ast.For, *ast.While:
		default:
			eachBlock(n, func(b *[]ast.Stmt) {
				x, y := jumpsIn(*b)
				brk, any = brk || x, any || y
			})
		}
	}
	return brk, any
}

func (l *lowerer) jumpsToFlags(list []ast.Stmt, brk, cont string) []ast.Stmt {
	for i, n := range list {
		switch n := n.(type) {
		case *ast.Break:
			return append(list[:i:i], l.flag(n.Span, brk, true), l.flag(n.Span, cont, true))
		case *ast.Continue:
			return append(list[:i:i], l.flag(n.Span, cont, true))
		case *ast.For, *ast.While:
			continue
		}
		if _, any := jumpsIn([]ast.Stmt{n}); !any {
			continue
		}
		eachBlock(n, func(b *[]ast.Stmt) { *b = l.jumpsToFlags(*b, brk, cont) })
		return append(list[:i+1:i+1], unless(cont, l.jumpsToFlags(list[i+1:], brk, cont))...)
	}
	return list
}

func hasReturn(list []ast.Stmt) bool {
	for _, n := range list {
		if _, ok := n.(*ast.Return); ok {
			return true
		}
		found := false
		eachBlock(n, func(b *[]ast.Stmt) { found = found || hasReturn(*b) })
		if found {
			return true
		}
	}
	return false
}

// returnsInside reports whether a return stands anywhere but as the last statement.
func returnsInside(list []ast.Stmt) bool {
	if len(list) > 0 {
		if _, ok := list[len(list)-1].(*ast.Return); ok {
			list = list[:len(list)-1]
		}
	}
	return hasReturn(list)
}

func (l *lowerer) returns(list []ast.Stmt) []ast.Stmt {
	for i, n := range list {
		if r, ok := n.(*ast.Return); ok {
			v := r.Value
			if v == nil {
				v = &ast.Constant{Span: r.Span}
			}
			set := &ast.Assign{Span: r.Span, Targets: []ast.Expr{name(r.Span, retvalName, ast.Store)}, Value: v}
			return append(list[:i:i], l.flag(r.Span, doReturnName, true), set)
		}
		if !hasReturn([]ast.Stmt{n}) {
			continue
		}
		eachBlock(n, func(b *[]ast.Stmt) { *b = l.returns(*b) })
		if isLoop(n) {
			l.flags[n] = append(l.flags[n], doReturnName)
		}
		return append(list[:i+1:i+1], unless(doReturnName, l.returns(list[i+1:]))...)
	}
	return list
}

// unconvertible says why AutoGraph runs a function as it is, "" if it doesn't.
func unconvertible(n ast.Node) (why string) {
	ast.Walk(n, func(n ast.Node) bool {
		if why != "" {
			return false
		}
		switch n := n.(type) {
		case *ast.For:
			if len(n.Orelse) > 0 {
				why = "for/else statement not yet supported"
			}
		case *ast.While:
			if len(n.Orelse) > 0 {
				why = "while/else statement not yet supported"
			}
		case *ast.Yield, *ast.YieldFrom:
			why = "generators are not supported"
		case *ast.Attribute:
			if k := len(n.Attr); k > 2 && n.Attr[:2] == "__" && n.Attr[k-2:] != "__" {
				why = "mangled names are not yet supported"
			}
		case *ast.NamedExpr:
			why = "(<gast.gast.NamedExpr object at 0x7f0000000000>, " + unparse(n) + ")"
		}
		return why == ""
	})
	if f, ok := n.(*ast.FunctionDef); ok && why == "" {
		why = annotatedInside(f.Body, false)
	}
	return why
}

// annotatedInside finds an annotated assignment to a name in an if or a loop, which
// AutoGraph turns into a function that declares the name nonlocal.
func annotatedInside(list []ast.Stmt, inside bool) (why string) {
	for _, n := range list {
		in := inside || isLoop(n)
		switch n := n.(type) {
		case *ast.AnnAssign:
			if t, ok := n.Target.(*ast.Name); ok && inside {
				return "annotated name '" + t.Id + "' can't be nonlocal"
			}
		case *ast.If:
			in = true
		}
		eachBlock(n, func(b *[]ast.Stmt) {
			if why == "" {
				why = annotatedInside(*b, in)
			}
		})
		if why != "" {
			return why
		}
	}
	return ""
}
