package progfuzz

import (
	"fmt"
	"strings"
)

// prelude is at the head of every program: show prints a value in a way that does
// not depend on the interpreter, cut keeps values small in loops.
const prelude = `import sys
def show(label, v=None):
    t = repr(v)
    print(label, type(v).__name__, t if len(t) < 300 else t[:300] + "...")
def cut(v):
    if isinstance(v, int) and not isinstance(v, bool) and abs(v) > 10**40:
        return v % 1000003
    if isinstance(v, (str, list, tuple, bytes)) and len(v) > 40:
        return v[:40]
    return v
def ident(*a, **k):
    return a[0] if a else k
`

// stmtProgram is a program of functions, classes and statements.
func (g *gen) stmtProgram() {
	g.b.WriteString(prelude)
	for _, k := range []kind{kInt, kStr, kList, kDict, kFloat, kTuple} {
		n := g.fresh("v")
		g.line("%s = %s", n, g.literal(k))
		g.bind(n, k)
	}
	for range 1 + g.IntN(2) {
		g.classDef()
	}
	for range 2 + g.IntN(3) {
		g.funcDef()
	}
	for range 2 + g.IntN(3) {
		g.guarded()
	}
	if g.one(3) { // may end in an uncaught exception: its traceback counts
		g.budget = 6
		g.suite()
	}
	g.line("print('end')")
}

// guarded is a piece of the program whose exceptions are shown.
func (g *gen) guarded() {
	g.budget = 12
	g.scoped(func() {
		g.block("try:", g.suite)
		g.block("except Exception as err:", func() { g.report("err") })
	})
	g.state()
}

// report shows an exception with what hangs on it.
func (g *gen) report(err string) {
	g.line("print('!', type(%s).__name__, %s)", err, err)
	if g.one(3) {
		g.line("print(repr(%s.__cause__), repr(%s.__context__), %s.__suppress_context__)", err, err, err)
	}
	if g.one(4) {
		g.line("import traceback")
		g.line("traceback.print_exc(file=sys.stdout)")
	}
}

// state shows the variables of the module.
func (g *gen) state() {
	for _, v := range g.vars {
		if g.indent == 0 {
			g.line("show('%s', %s)", v.name, v.name)
		}
	}
}

func (g *gen) suite() {
	n := 1 + g.IntN(4)
	for range n {
		g.stmt()
	}
}

// stmt is one statement; when the budget is used up a simple one.
func (g *gen) stmt() {
	g.budget--
	if g.budget < 0 || g.nesting > 5 {
		g.simple()
		return
	}
	switch g.IntN(26) {
	case 0, 1:
		g.ifStmt()
	case 2, 3:
		g.forStmt()
	case 4:
		g.whileStmt()
	case 5, 6, 7:
		g.tryStmt()
	case 8:
		g.withStmt()
	case 9, 10:
		g.matchStmt()
	case 11:
		if g.nesting < 4 {
			g.innerFunc()
			return
		}
		g.simple()
	case 12:
		g.generatorUse()
	case 13:
		if !g.inFunc && !g.inClass {
			g.classDef()
			return
		}
		g.simple()
	default:
		g.simple()
	}
}

// target is a variable that may be bound, or a fresh one.
func (g *gen) target(k kind) string {
	if g.one(3) {
		var free []string
		for _, v := range g.vars {
			if v.kind == k && !v.hot {
				free = append(free, v.name)
			}
		}
		if len(free) > 0 && !g.inFunc {
			return g.pick(free...)
		}
	}
	n := g.fresh("v")
	return n
}

func (g *gen) assign(n string, k kind, e string) {
	g.line("%s = cut(%s)", n, e)
	g.bind(n, k)
}

func (g *gen) simple() {
	k := g.anyKind()
	switch g.IntN(24) {
	case 0, 1, 2:
		g.form("assign")
		n := g.target(k)
		g.assign(n, k, g.expr(k, 3))
	case 3:
		g.form("assign chain")
		a, b := g.fresh("v"), g.fresh("v")
		g.line("%s = %s = %s", a, b, g.expr(k, 2))
		g.bind(a, k)
	case 4:
		g.unpack()
	case 5, 6:
		g.augAssign()
	case 7:
		g.form("annassign")
		n := g.fresh("v")
		g.line("%s: %s = %s", n, g.pick("int", "list[int]", "'later'", "str | None"), g.expr(k, 2))
		g.bind(n, k)
	case 8:
		g.storeItem()
	case 9:
		g.delStmt()
	case 10:
		g.form("assert")
		g.line("assert %s, %s", g.expr(kBool, 2), g.expr(kStr, 1))
	case 11:
		if g.one(3) {
			g.raiseStmt()
			return
		}
		g.line("show('r', %s)", g.expr(k, 3))
	case 12:
		g.jump()
	case 13:
		g.form("pass")
		g.line("pass")
	case 14:
		g.form("import")
		switch g.IntN(4) {
		case 0:
			g.line("import math, os.path as path")
			g.line("show('m', (math.floor(2.5), path.join('a', 'b')))")
		case 1:
			g.line("from collections import OrderedDict as OD, deque")
			g.line("show('m', (OD(a=1), deque([1, 2], 1)))")
		case 2:
			g.line("from math import *")
			g.line("show('m', sqrt(4))")
		default:
			g.line("from string import %s", g.pick("digits", "ascii_letters"))
		}
		if g.inFunc {
			return
		}
	case 15, 16:
		g.form("method statement")
		g.line("%s.%s", g.expr(kList, 1), g.pick("append(1)", "reverse()", "clear()", "pop()", "extend('ab')", "sort(key=str)", "insert(1, 'n')", "remove(2)"))
	case 17:
		g.form("global")
		if g.inFunc {
			g.line("global G")
			g.line("G = %s", g.expr(kInt, 1))
			return
		}
		g.line("G = %s", g.expr(kInt, 1))
	case 18:
		if len(g.class) > 0 {
			g.objectStmt()
			return
		}
		g.line("show('o', %s)", g.expr(k, 3))
	default:
		g.form("expression statement")
		g.line("show('%d', %s)", g.IntN(100), g.expr(k, 3))
	}
}

func (g *gen) unpack() {
	a, b, c := g.fresh("v"), g.fresh("v"), g.fresh("v")
	switch g.IntN(5) {
	case 0:
		g.form("unpack")
		g.line("%s, %s = %s, %s", a, b, g.expr(kInt, 2), g.expr(kStr, 2))
		g.bind(a, kInt)
		g.bind(b, kStr)
	case 1:
		g.form("unpack star")
		g.line("%s, *%s = %s", a, b, g.expr(g.container(), 2))
		g.bind(b, kList)
	case 2:
		g.form("unpack nested")
		g.line("(%s, [%s, *%s]) = %s, %s", a, b, c, g.expr(kInt, 1), g.expr(g.kindOf(kList, kStr, kTuple), 1))
		g.bind(c, kList)
	case 3:
		g.form("unpack swap")
		x, y := g.known(kInt), g.known(kStr)
		if x == "" || y == "" || g.inFunc {
			g.line("%s, %s = %s", a, b, g.expr(kTuple, 2))
			return
		}
		g.line("%s, %s = %s, %s", a, b, y, x)
		g.bind(a, kStr)
	default:
		g.form("unpack star")
		g.line("*%s, %s, %s = %s", a, b, c, g.expr(g.kindOf(kList, kTuple), 2))
		g.bind(a, kList)
	}
}

func (g *gen) augAssign() {
	k := g.kindOf(kInt, kInt, kFloat, kStr, kList, kDict, kSet)
	op := "+"
	switch k {
	case kInt, kFloat:
		op = g.pick("+", "-", "*", "//", "%", "/", "&", "|", "^", "<<", ">>", "**")
	case kDict:
		op = "|"
	case kSet:
		op = g.pick("|", "&", "-", "^")
	case kList:
		op = g.pick("+", "*")
	}
	g.form("augassign " + op + "=")
	right := g.expr(k, 2)
	if op == "<<" || op == ">>" || op == "**" || k == kList && op == "*" {
		right = g.pick("0", "1", "2", "3")
	}
	switch g.IntN(4) {
	case 0:
		n := g.fresh("v")
		g.line("%s = [%s, %s]", n, g.expr(k, 1), g.expr(k, 1))
		g.line("%s[%s] %s= %s", n, g.pick("0", "1", "-1"), op, right)
		g.line("show('aug', %s)", n)
	case 1:
		if len(g.class) > 0 {
			c := g.class[g.IntN(len(g.class))]
			n := g.fresh("o")
			g.line("%s = %s", n, g.create(c, 1))
			g.line("%s.x %s= %s", n, op, right)
			g.line("show('aug', %s.x)", n)
			return
		}
		fallthrough
	default:
		n := g.fresh("v")
		g.line("%s = %s", n, g.expr(k, 1))
		g.line("%s %s= %s", n, op, right)
		g.line("%s = cut(%s)", n, n)
		g.bind(n, k)
	}
}

func (g *gen) storeItem() {
	g.form("store item")
	l, d := g.known(kList), g.known(kDict)
	switch {
	case l != "" && g.one(3):
		g.form("store slice")
		g.line("%s[%s] = %s", l, g.slice(1), g.expr(g.kindOf(kList, kTuple, kStr), 1))
	case l != "" && g.one(2):
		g.line("%s[%s] = %s", l, g.pick("0", "-1", "2"), g.expr(g.anyKind(), 1))
	case d != "":
		g.line("%s[%s] = %s", d, g.expr(g.kindOf(kStr, kInt, kTuple), 1), g.expr(g.anyKind(), 1))
	default:
		g.line("show('x', %s)", g.expr(kDict, 2))
	}
}

func (g *gen) delStmt() {
	n := g.fresh("v")
	switch g.IntN(4) {
	case 0:
		g.form("del name")
		g.line("%s = %s", n, g.expr(kInt, 1))
		g.line("del %s", n)
		if g.one(2) {
			g.line("show('gone', %s)", n)
		}
	case 1:
		g.form("del item")
		g.line("%s = [1, 2, 3, 4]", n)
		g.line("del %s[%s]", n, g.pick("0", "-1", "9", "1:3", "::2", "'a'"))
		g.line("show('del', %s)", n)
	case 2:
		g.form("del key")
		g.line("%s = {'a': 1, 2: 3}", n)
		g.line("del %s[%s], %s['a']", n, g.pick("2", "'b'"), n)
		g.line("show('del', %s)", n)
	default:
		g.form("del attr")
		if len(g.class) == 0 {
			g.line("pass")
			return
		}
		c := g.class[g.IntN(len(g.class))]
		g.line("%s = %s", n, g.create(c, 1))
		g.line("del %s.x", n)
		g.line("show('del', %s)", g.pick(n+".x", "hasattr("+n+", 'x')", "vars("+n+")"))
	}
}

func (g *gen) raiseStmt() {
	cls := g.pick("ValueError", "KeyError", "TypeError", "ZeroDivisionError", "RuntimeError", "StopIteration", "LookupError", "Exception")
	switch g.IntN(5) {
	case 0:
		g.form("raise")
		g.line("raise %s", cls)
	case 1:
		g.form("raise from")
		g.line("raise %s(%s) from %s", cls, g.expr(kStr, 1), g.pick("None", "ValueError('cause')", "OSError"))
	case 2:
		g.form("raise bad")
		g.line("raise %s", g.expr(g.anyKind(), 1))
	default:
		g.form("raise")
		g.line("raise %s(%s)", cls, g.expr(g.anyKind(), 1))
	}
}

// jump is break, continue or return where they may stand.
func (g *gen) jump() {
	switch {
	case g.inLoop && g.one(2):
		w := g.pick("break", "continue")
		g.form(w)
		g.block(fmt.Sprintf("if %s:", g.expr(kBool, 1)), func() { g.line("%s", w) })
	case g.inFunc && g.inGen && g.one(2):
		g.form("yield")
		g.line("show('sent', (yield %s))", g.expr(g.anyKind(), 1))
	case g.inFunc:
		g.form("return")
		g.block(fmt.Sprintf("if %s:", g.expr(kBool, 1)), func() { g.line("return %s", g.expr(g.anyKind(), 1)) })
	default:
		g.line("show('j', %s)", g.expr(g.anyKind(), 2))
	}
}

func (g *gen) ifStmt() {
	g.form("if")
	g.scoped(func() {
		g.block(fmt.Sprintf("if %s:", g.expr(g.anyKind(), 2)), g.suite)
		if g.one(3) {
			g.form("elif")
			g.block(fmt.Sprintf("elif %s:", g.expr(kBool, 2)), g.suite)
		}
		if g.one(2) {
			g.form("else")
			g.block("else:", g.suite)
		}
	})
}

func (g *gen) forStmt() {
	g.form("for")
	g.scoped(func() {
		n := g.fresh("i")
		it := g.iterable(1)
		head := fmt.Sprintf("for %s in %s:", n, it.text)
		switch {
		case it.kind == kTuple && g.one(2):
			g.form("for unpack")
			m := g.fresh("i")
			head = fmt.Sprintf("for %s, %s in %s:", n, m, it.text)
		case g.one(4):
			it.kind = g.anyKind()
			head = fmt.Sprintf("for %s in [%s, %s]:", n, g.expr(it.kind, 1), g.expr(it.kind, 1))
		}
		was := g.inLoop
		g.inLoop = true
		g.vars = append(g.vars, binding{n, it.kind, true})
		g.block(head, g.suite)
		g.inLoop = was
		if g.one(3) {
			g.form("for else")
			g.block("else:", g.suite)
		}
	})
}

func (g *gen) whileStmt() {
	g.form("while")
	g.scoped(func() {
		n := g.fresh("n")
		g.line("%s = %d", n, g.IntN(4))
		cond := g.pick(n+" > 0", n, n+" != 0 and "+g.expr(kBool, 1), "0 < "+n+" < 9")
		was := g.inLoop
		g.inLoop = true
		g.block(fmt.Sprintf("while %s:", cond), func() {
			g.line("%s -= 1", n)
			g.suite()
		})
		g.inLoop = was
		if g.one(3) {
			g.form("while else")
			g.block("else:", g.suite)
		}
	})
}

func (g *gen) tryStmt() {
	g.form("try")
	g.scoped(func() {
		g.block("try:", g.suite)
		handlers := g.IntN(3)
		for i := range handlers {
			g.handler(i == handlers-1)
		}
		if handlers > 0 && g.one(3) {
			g.form("try else")
			g.block("else:", g.suite)
		}
		if handlers == 0 || g.one(2) {
			g.form("finally")
			was := g.inFinally
			g.inFinally = true
			g.block("finally:", func() {
				g.line("print('finally')")
				if g.one(2) {
					g.suite()
				}
			})
			g.inFinally = was
		}
	})
}

func (g *gen) handler(last bool) {
	e := g.fresh("e")
	cls := g.pick("ValueError", "(KeyError, IndexError)", "TypeError", "ArithmeticError", "Exception", "LookupError", "AttributeError", "NameError")
	switch {
	case last && g.one(3):
		g.form("except bare")
		g.block("except:", func() {
			g.line("print('bare', sys.exc_info()[0].__name__)")
			g.suite()
			if g.one(4) {
				g.form("raise again")
				g.line("raise")
			}
		})
	case g.one(3):
		g.form("except class")
		g.block(fmt.Sprintf("except %s:", cls), g.suite)
	default:
		g.form("except as")
		g.block(fmt.Sprintf("except %s as %s:", cls, e), func() {
			g.report(e)
			g.suite()
		})
	}
}

func (g *gen) withStmt() {
	g.form("with")
	g.scoped(func() {
		n := g.fresh("v")
		m := g.pick("Ctx('a')", "Ctx('b', True)", "Ctx('c')", "open(__file__)", g.expr(g.anyKind(), 0))
		if !strings.Contains(g.b.String(), "class Ctx") {
			m = g.pick("open(__file__)", g.expr(g.anyKind(), 0))
		}
		head := fmt.Sprintf("with %s as %s:", m, n)
		if g.one(3) {
			g.form("with two")
			head = fmt.Sprintf("with (%s as %s, %s):", m, n, strings.ReplaceAll(m, "'a'", "'second'"))
		} else if g.one(4) {
			g.form("with target")
			head = fmt.Sprintf("with %s:", m)
		}
		g.block(head, g.suite)
	})
}

func (g *gen) generatorUse() {
	g.form("generator")
	f, n := g.fresh("gen"), g.fresh("g")
	g.scoped(func() {
		loop, fn, gn := g.inLoop, g.inFunc, g.inGen
		g.inLoop, g.inFunc, g.inGen = false, true, true
		g.block(fmt.Sprintf("def %s(a=%s):", f, g.literal(kInt)), func() {
			g.bind("a", kInt)
			g.line("x = yield a")
			g.line("show('sent', x)")
			if g.one(2) {
				g.form("yield from")
				g.line("y = yield from %s", g.pick("[1, 2]", "range(2)", "(q for q in 'ab')", "inner()", g.expr(g.container(), 1)))
				g.line("show('y', y)")
			}
			g.tryStmt()
			g.line("yield %s", g.expr(g.anyKind(), 1))
			g.line("return %s", g.expr(g.anyKind(), 1))
		})
		g.inLoop, g.inFunc, g.inGen = loop, fn, gn
	})
	g.line("%s = %s(%s)", n, f, g.pick("", "5", "'s'"))
	for range 1 + g.IntN(4) {
		g.line("%s", strings.ReplaceAll(g.pick(
			"show('next', next(G))", "show('next', next(G, 'default'))", "show('send', G.send(None))", "for item in G: show('item', item)",
			"show('list', list(G))", "G.close()", "show('throw', G.throw(ValueError('thrown')))", "show('throw', G.throw(KeyError))", "show('send', G.send(7))"), "G", n))
	}
}
