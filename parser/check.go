package parser

import (
	"github.com/tfs-lang/tfs/lang/ast"
)

// check finds what CPython's symbol table and compiler refuse in a tree. The
// error is a *SyntaxError without file name and text.
func check(root ast.Node) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *SyntaxError:
			err = r
		default:
			panic(r)
		}
	}()
	b := &binder{}
	top := b.enter(moduleScope)
	c := &checker{binder: b, code: &code{kind: moduleCode}}
	switch root := root.(type) {
	case *ast.Module:
		c.future(root.Body)
		b.stmts(root.Body)
		top.resolve()
		c.stmts(root.Body)
	case *ast.Interactive:
		c.future(root.Body)
		b.stmts(root.Body)
		top.resolve()
		c.stmts(root.Body)
	case *ast.Expression:
		b.expr(root.Body)
		top.resolve()
		c.expr(root.Body)
	}
	return nil
}

// codeKind is what a piece of code belongs to.
type codeKind uint8

const (
	moduleCode codeKind = iota
	classCode
	functionCode
	asyncCode
	lambdaCode
	comprehensionCode
)

// block is a statement that code can be left from.
type block uint8

const (
	plainBlock block = iota
	loopBlock
	exceptStarBlock
)

// code is what checker knows of the code object it is in.
type code struct {
	kind   codeKind
	blocks []block
	yields bool // an asynchronous generator
}

// maxBlocks is how many loops, with and try statements may nest.
const maxBlocks = 20

// checker finds what CPython's compiler refuses.
type checker struct {
	*binder
	code       *code
	lastFuture int32 // line of the last future import at the head of the file
	pat        patternState
}

func (c *checker) push(b block, at *ast.Span) {
	if len(c.code.blocks) >= maxBlocks {
		stopAt(at, "too many statically nested blocks")
	}
	c.code.blocks = append(c.code.blocks, b)
}

func (c *checker) pop() { c.code.blocks = c.code.blocks[:len(c.code.blocks)-1] }

func (c *checker) within(kind codeKind, yields bool, f func()) {
	outer := c.code
	c.code = &code{kind: kind, yields: yields}
	f()
	c.code = outer
}

func (c *checker) stmts(list []ast.Stmt) {
	for _, s := range list {
		c.stmt(s)
	}
}

func (c *checker) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.FunctionDef:
		c.function(&s.Span, s.Name, s.Args, s.DecoratorList, s.Returns)
		c.within(functionCode, false, func() { c.stmts(s.Body) })
	case *ast.AsyncFunctionDef:
		c.function(&s.Span, s.Name, s.Args, s.DecoratorList, s.Returns)
		c.within(asyncCode, c.asyncGens[s], func() { c.stmts(s.Body) })
	case *ast.ClassDef:
		c.class(s)
	case *ast.Return:
		c.returns(s)
	case *ast.Delete:
		c.exprs(s.Targets)
	case *ast.Assign:
		c.expr(s.Value)
		for _, t := range s.Targets {
			c.expr(t)
		}
	case *ast.AugAssign:
		if a, ok := s.Target.(*ast.Attribute); ok {
			c.expr(a.Value) // the attribute itself may have any name
		} else {
			c.expr(s.Target)
		}
		c.expr(s.Value)
	case *ast.AnnAssign:
		c.annAssign(s)
	case *ast.For:
		c.expr(s.Iter)
		c.loop(&s.Span, s.Target, s.Body, s.Orelse)
	case *ast.AsyncFor:
		c.asyncOnly(&s.Span, "async for")
		c.expr(s.Iter)
		c.loop(&s.Span, s.Target, s.Body, s.Orelse)
	case *ast.While:
		c.expr(s.Test)
		c.loop(&s.Span, nil, s.Body, s.Orelse)
	case *ast.If:
		c.expr(s.Test)
		c.stmts(s.Body)
		c.stmts(s.Orelse)
	case *ast.With:
		c.with(&s.Span, s.Items, s.Body)
	case *ast.AsyncWith:
		c.asyncOnly(&s.Span, "async with")
		c.with(&s.Span, s.Items, s.Body)
	case *ast.Match:
		c.match(s)
	case *ast.Raise:
		c.expr(s.Exc)
		c.expr(s.Cause)
	case *ast.Try:
		c.try(&s.Span, plainBlock, s.Body, s.Handlers, s.Orelse, s.Finalbody)
	case *ast.TryStar:
		c.try(&s.Span, exceptStarBlock, s.Body, s.Handlers, s.Orelse, s.Finalbody)
	case *ast.Assert:
		c.expr(s.Test)
		c.expr(s.Msg)
	case *ast.Import:
		c.imports(&s.Span, s.Names)
	case *ast.ImportFrom:
		if s.Module == "__future__" && s.Line > c.lastFuture {
			stopAt(&s.Span, "from __future__ imports must occur at the beginning of the file")
		}
		c.imports(&s.Span, s.Names)
	case *ast.ExprStmt:
		c.expr(s.Value)
	case *ast.Break:
		c.jump(&s.Span, "'break' outside loop")
	case *ast.Continue:
		c.jump(&s.Span, "'continue' not properly in loop")
	}
}

// store refuses to bind the one name that can't be bound.
func (c *checker) store(name string, at *ast.Span) {
	if name == "__debug__" {
		stopAt(at, "cannot assign to __debug__")
	}
}

func (c *checker) function(at *ast.Span, name string, a *ast.Arguments, decorators []ast.Expr, returns ast.Expr) {
	c.exprs(decorators)
	c.params(at, a)
	c.expr(returns)
	c.store(name, at)
}

func (c *checker) params(at *ast.Span, a *ast.Arguments) {
	c.exprs(a.Defaults)
	c.exprs(a.KwDefaults)
	for _, list := range [][]*ast.Arg{a.Posonlyargs, a.Args, a.Kwonlyargs, {a.Vararg, a.Kwarg}} {
		for _, arg := range list {
			if arg == nil {
				continue
			}
			c.store(arg.Arg, at)
			if star, ok := arg.Annotation.(*ast.Starred); ok { // *args: *Ts
				c.expr(star.Value)
			} else {
				c.expr(arg.Annotation)
			}
		}
	}
}

func (c *checker) class(s *ast.ClassDef) {
	c.exprs(s.DecoratorList)
	c.arguments(&s.Span, s.Bases, s.Keywords)
	c.within(classCode, false, func() { c.stmts(s.Body) })
	c.store(s.Name, &s.Span)
}

func (c *checker) returns(s *ast.Return) {
	if c.code.kind != functionCode && c.code.kind != asyncCode {
		stopAt(&s.Span, "'return' outside function")
	}
	if s.Value != nil && c.code.yields {
		stopAt(&s.Span, "'return' with value in async generator")
	}
	c.expr(s.Value)
	at := &s.Span
	if k, ok := s.Value.(*ast.Constant); ok && k.Line == s.Line {
		at = &k.Span
	}
	for _, b := range c.code.blocks {
		if b == exceptStarBlock {
			stopAt(at, "'break', 'continue' and 'return' cannot appear in an except* block")
		}
	}
}

func (c *checker) jump(at *ast.Span, outside string) {
	for i := len(c.code.blocks) - 1; i >= 0; i-- {
		switch c.code.blocks[i] {
		case loopBlock:
			return
		case exceptStarBlock:
			stopAt(at, "'break', 'continue' and 'return' cannot appear in an except* block")
		}
	}
	stopAt(at, "%s", outside)
}

func (c *checker) asyncOnly(at *ast.Span, what string) {
	if c.code.kind != asyncCode {
		stopAt(at, "'%s' outside async function", what)
	}
}

func (c *checker) loop(at *ast.Span, target ast.Expr, body, orelse []ast.Stmt) {
	c.push(loopBlock, at)
	c.expr(target)
	c.stmts(body)
	c.pop()
	c.stmts(orelse)
}

func (c *checker) with(at *ast.Span, list []*ast.WithItem, body []ast.Stmt) {
	for _, w := range list {
		c.expr(w.ContextExpr)
		c.push(plainBlock, at)
		c.expr(w.OptionalVars)
	}
	c.stmts(body)
	for range list {
		c.pop()
	}
}

func (c *checker) try(at *ast.Span, handler block, body []ast.Stmt, handlers []*ast.ExceptHandler, orelse, final []ast.Stmt) {
	if len(final) > 0 {
		c.push(plainBlock, at)
	}
	if len(handlers) > 0 {
		c.push(plainBlock, at)
		c.stmts(body)
		c.pop()
	} else {
		c.stmts(body)
	}
	c.stmts(orelse)
	for i, h := range handlers {
		if h.Type == nil && i < len(handlers)-1 {
			stopAt(&h.Span, "default 'except:' must be last")
		}
		c.push(plainBlock, &h.Span) // CPython's compiler is in two blocks here
		c.expr(h.Type)
		c.store(h.Name, &h.Span)
		c.push(handler, &h.Span)
		c.stmts(h.Body)
		c.pop()
		c.pop()
	}
	if len(final) > 0 { // and is in one, of the exceptional way, for the final part too
		c.stmts(final)
		c.pop()
		return
	}
	c.stmts(final)
}

func (c *checker) annAssign(s *ast.AnnAssign) {
	c.expr(s.Value)
	switch t := s.Target.(type) {
	case *ast.Name:
		at := &s.Span
		if s.Value != nil {
			at = &t.Span
		}
		c.store(t.Id, at)
	default:
		c.expr(t)
	}
	if !c.postponed {
		c.expr(s.Annotation)
	}
}

func (c *checker) imports(at *ast.Span, names []*ast.Alias) {
	for _, a := range names {
		name := a.Asname
		if name == "" {
			name = firstPart(a.Name)
		}
		c.store(name, at)
	}
}

// futures are what from __future__ import knows.
var futures = map[string]bool{"nested_scopes": true, "generators": true, "division": true, "absolute_import": true, "with_statement": true,
	"print_function": true, "unicode_literals": true, "barry_as_FLUFL": true, "generator_stop": true, "annotations": true}

// future reads the imports from __future__ at the head of the file.
func (c *checker) future(body []ast.Stmt) {
	done := false
	for i, s := range body {
		if done && s.Where().Line != body[i-1].Where().Line {
			return
		}
		f, ok := s.(*ast.ImportFrom)
		if !ok || f.Module != "__future__" {
			e, ok := s.(*ast.ExprStmt)
			done = !ok || i > 0 || !isString(e.Value)
			continue
		}
		if done {
			panic(&SyntaxError{Class: "SyntaxError", Msg: "from __future__ imports must occur at the beginning of the file",
				Line: int(f.Line), Col: int(f.Col), EndLine: int(f.Line), Late: true, Table: true})
		}
		for _, a := range f.Names {
			text := ""
			if a.Name == "braces" {
				text = "not a chance"
			} else if !futures[a.Name] {
				text = "future feature " + a.Name + " is not defined"
			}
			if text != "" {
				panic(&SyntaxError{Class: "SyntaxError", Msg: text, Line: int(f.Line), Col: int(f.Col) + 1, EndLine: int(f.Line), Late: true, Table: true})
			}
			c.postponed = c.postponed || a.Name == "annotations"
		}
		c.lastFuture = f.Line
	}
}

func isString(x ast.Expr) bool {
	k, ok := x.(*ast.Constant)
	if !ok {
		return false
	}
	_, ok = k.Value.(string)
	return ok
}

// oneStatement refuses more than one statement at a prompt. Small statements on
// one line count as one.
func oneStatement(body []ast.Stmt) error {
	if len(body) == 0 {
		return errRefused
	}
	for i, s := range body {
		if i > 0 && (s.Where().Line != body[i-1].Where().EndLine || compound(body[i-1])) {
			return errRefused
		}
	}
	return nil
}

func compound(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.FunctionDef, *ast.AsyncFunctionDef, *ast.ClassDef, *ast.If, *ast.For, *ast.AsyncFor, *ast.While, *ast.With, *ast.AsyncWith,
		*ast.Try, *ast.TryStar, *ast.Match:
		return true
	}
	return false
}
