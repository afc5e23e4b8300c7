package progfuzz

import (
	"fmt"
	"strings"
)

// classInfo is a class of the program.
type classInfo struct {
	name    string
	methods []string // of one argument
	nargs   int      // of __init__
}

// function is a function of the program.
type function struct {
	name   string
	pos    int // positional parameters without default
	def    int // with default
	star   bool
	kwonly []string
	kw     bool
}

// classDef writes a class: its dunders show when they are called.
func (g *gen) classDef() {
	g.form("class")
	g.once("class Ctx", `class Ctx:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print('enter', self.name)
        return self.name
    def __exit__(self, t, v, tb):
        print('exit', self.name, t and t.__name__, v)
        return self.swallow
def inner():
    r = yield 'i1'
    yield r
    return 'inner done'
def deco(f):
    def wrapped(*a, **k):
        print('call', f.__name__, len(a), sorted(k))
        return f(*a, **k)
    return wrapped
`)
	c := classInfo{name: g.fresh("C"), nargs: g.IntN(3)}
	bases := ""
	switch g.IntN(6) {
	case 0:
		if len(g.class) > 0 {
			g.form("class base")
			b := g.class[g.IntN(len(g.class))]
			bases, c.nargs = "("+b.name+")", b.nargs
			c.methods = append(c.methods, b.methods...)
		}
	case 1:
		bases = g.pick("(object)", "()", "(Ctx)")
	}
	was, fn, loop := g.inClass, g.inFunc, g.inLoop
	g.inClass, g.inFunc, g.inLoop = true, false, false
	g.block(fmt.Sprintf("class %s%s:", c.name, bases), func() {
		g.line("attr = %s", g.literal(g.anyKind()))
		if bases == "" && g.one(6) {
			g.form("class slots")
			g.line("__slots__ = ('x', 'a', 'b')")
		}
		g.initMethod(&c)
		for range 1 + g.IntN(3) {
			g.method(&c)
		}
		for range g.IntN(4) {
			g.dunder()
		}
	})
	g.inClass, g.inFunc, g.inLoop = was, fn, loop
	g.class = append(g.class, c)
}

// once writes text when the program hasn't got it yet.
func (g *gen) once(mark, text string) {
	if !strings.Contains(g.b.String(), mark) && g.indent == 0 {
		g.b.WriteString(text)
	}
}

func (g *gen) initMethod(c *classInfo) {
	if strings.Contains(g.b.String(), "class "+c.name+"(") && c.nargs > 0 && g.one(3) {
		g.form("super")
		args := []string{"self", "a", "b"}[:c.nargs+1]
		g.block(fmt.Sprintf("def __init__(%s):", strings.Join(args, ", ")), func() {
			g.line("super().__init__(%s)", strings.Join(args[1:], ", "))
			g.line("self.x = %s", g.expr(kInt, 1))
		})
		return
	}
	args := []string{"self", "a", "b"}[:c.nargs+1]
	g.block(fmt.Sprintf("def __init__(%s):", strings.Join(args, ", ")), func() {
		g.line("self.x = %s", g.expr(g.kindOf(kInt, kInt, kList, kStr), 1))
		for _, a := range args[1:] {
			g.line("self.%s = %s", a, a)
		}
	})
}

func (g *gen) method(c *classInfo) {
	n := g.fresh("m")
	body := func() {
		g.scoped(func() {
			g.bind("p", kInt)
			g.inFunc = true
			g.line("show('%s', p)", n)
			g.budget = 3
			g.suite()
			g.line("return %s", g.pick("p", "self", g.expr(g.anyKind(), 1)))
			g.inFunc = false
		})
	}
	switch g.IntN(6) {
	case 0:
		g.form("property")
		g.line("@property")
		g.block(fmt.Sprintf("def %s(self):", n), func() { g.line("return %s", g.expr(g.anyKind(), 2)) })
		if g.one(2) {
			g.form("property setter")
			g.line("@%s.setter", n)
			g.block(fmt.Sprintf("def %s(self, value):", n), func() { g.line("show('set', value)") })
		}
		return
	case 1:
		g.form("classmethod")
		g.line("@classmethod")
		g.block(fmt.Sprintf("def %s(cls, p=0):", n), func() { g.line("return (cls.__name__, p)") })
	case 2:
		g.form("staticmethod")
		g.line("@staticmethod")
		g.block(fmt.Sprintf("def %s(p):", n), func() { g.line("return %s", g.expr(g.anyKind(), 2)) })
	case 3:
		g.form("decorator")
		g.line("@deco")
		g.block(fmt.Sprintf("def %s(self, p=None):", n), body)
	default:
		g.form("method")
		g.block(fmt.Sprintf("def %s(self, p):", n), body)
	}
	c.methods = append(c.methods, n)
}

var dunders = []string{
	"__eq__(self, o)", "__lt__(self, o)", "__gt__(self, o)", "__hash__(self)", "__len__(self)", "__bool__(self)", "__contains__(self, o)",
	"__getitem__(self, o)", "__setitem__(self, o, v)", "__delitem__(self, o)", "__iter__(self)", "__call__(self, *a)", "__add__(self, o)", "__radd__(self, o)",
	"__iadd__(self, o)", "__mul__(self, o)", "__rmul__(self, o)", "__sub__(self, o)", "__neg__(self)", "__repr__(self)", "__str__(self)",
	"__format__(self, o)", "__getattr__(self, o)", "__int__(self)", "__index__(self)", "__float__(self)", "__enter__(self)", "__exit__(self, *a)", "__abs__(self)",
	"__matmul__(self, o)", "__divmod__(self, o)", "__round__(self, *o)", "__reversed__(self)", "__invert__(self)", "__pow__(self, o)", "__and__(self, o)", "__setattr__(self, o, v)",
	"__ne__(self, o)", "__le__(self, o)", "__ge__(self, o)", "__bytes__(self)", "__complex__(self)", "__length_hint__(self)", "__missing__(self, o)", "__truediv__(self, o)", "__rsub__(self, o)", "__dir__(self)", "__instancecheck__(self, o)",
}

func (g *gen) dunder() {
	sig := g.pick(dunders...)
	name := sig[:strings.IndexByte(sig, '(')]
	g.form("dunder " + name)
	k := g.anyKind()
	switch name { // mostly what the protocol wants
	case "__hash__", "__len__", "__int__", "__index__", "__length_hint__":
		k = kInt
	case "__bool__", "__eq__", "__lt__", "__gt__", "__contains__", "__exit__":
		k = kBool
	case "__repr__", "__str__", "__format__":
		k = kStr
	case "__iter__", "__reversed__":
		g.block("def "+sig+":", func() { g.line("return iter(%s)", g.literal(g.container())) })
		return
	case "__setattr__":
		g.block("def "+sig+":", func() { g.line("object.__setattr__(self, o, v)") })
		return
	case "__float__":
		k = kFloat
	case "__bytes__":
		k = kBytes
	}
	g.block("def "+sig+":", func() {
		switch {
		case g.one(12):
			g.line("raise %s('%s')", g.pick("ValueError", "TypeError", "AttributeError", "KeyError", "IndexError", "StopIteration"), name)
		case g.one(8):
			g.line("return NotImplemented")
		default:
			g.line("return %s", g.literal(k))
		}
	})
}

// create makes an instance.
func (g *gen) create(c classInfo, d int) string {
	var args []string
	n := c.nargs
	if g.one(15) {
		n = g.IntN(4)
	}
	for range n {
		args = append(args, g.expr(g.anyKind(), d-1))
	}
	return c.name + "(" + strings.Join(args, ", ") + ")"
}

// objectExpr uses an instance in an expression.
func (g *gen) objectExpr(d int) string {
	g.form("object")
	c := g.class[g.IntN(len(g.class))]
	o := g.create(c, d)
	arg := g.expr(g.anyKind(), d-1)
	switch g.IntN(15) {
	case 0, 1, 2:
		if len(c.methods) > 0 {
			return fmt.Sprintf("%s.%s(%s)", o, g.pick(c.methods...), g.pick(arg, arg, arg, "p="+arg, ""))
		}
	case 3:
		return fmt.Sprintf("%s.%s", o, g.pick("x", "attr", "a", "__class__.__name__", "missing", "__dict__"))
	case 4:
		return fmt.Sprintf("(%s %s %s)", o, g.pick("+", "-", "*", "==", "<", ">", "@", "&", "/", "**", "!=", "<=", ">="), arg)
	case 5:
		return fmt.Sprintf("(%s %s %s)", arg, g.pick("+", "-", "*", "==", "<", "in"), o)
	case 6:
		return fmt.Sprintf("%s[%s]", o, arg)
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("len", "list", "int", "float", "abs", "bool", "hash", "iter", "sum", "sorted", "tuple", "reversed", "callable", "bytes", "complex", "hex", "round"), o)
	case 8:
		return fmt.Sprintf("(%s in %s)", arg, o)
	case 9:
		return fmt.Sprintf("%s(%s)", o, arg)
	case 10:
		return fmt.Sprintf("isinstance(%s, %s)", arg, c.name)
	case 11:
		return fmt.Sprintf("getattr(%s, %s, %s)", o, g.pick("'x'", "'attr'", "'none'", "'a'"), arg)
	case 12:
		return fmt.Sprintf("%s.%s", c.name, g.pick("attr", "__name__", "__mro__[-1]", "__qualname__", "x"))
	case 13:
		return fmt.Sprintf("%s(%s)", g.pick("-", "~", "not ", "+"), o)
	}
	return fmt.Sprintf("f'{%s.x:%s}'", g.create(classInfo{name: c.name, nargs: 0}, 0), g.pick(">6", "x", ""))
}

// objectStmt changes an instance.
func (g *gen) objectStmt() {
	g.form("object statement")
	c := g.class[g.IntN(len(g.class))]
	n := g.fresh("o")
	g.line("%s = %s", n, g.create(c, 1))
	switch g.IntN(7) {
	case 0:
		g.line("%s.%s = %s", n, g.pick("x", "new", "attr"), g.expr(g.anyKind(), 2))
		g.line("show('attr', (%s.x, getattr(%s, 'new', None), %s.attr))", n, n, c.name)
	case 1:
		g.line("%s[%s] = %s", n, g.expr(kInt, 1), g.expr(kInt, 1))
	case 2:
		g.line("del %s[%s]", n, g.expr(kInt, 1))
	case 3:
		g.block(fmt.Sprintf("for item in %s:", n), func() { g.line("show('item', item)"); g.line("break") })
	case 4:
		g.block(fmt.Sprintf("with %s as entered:", n), func() { g.line("show('entered', entered)") })
	case 5:
		g.line("%s += %s", n, g.expr(kInt, 1))
		g.line("print('iadd', type(%s).__name__)", n)
	default:
		g.line("print('%%s' %% (%s.x,), f'{%s.x}', type(%s).__name__)", n, n, n)
	}
}

// funcDef writes a function at the top of the program.
func (g *gen) funcDef() {
	f := g.signature()
	g.scoped(func() {
		if g.one(4) {
			g.form("decorator")
			if strings.Contains(g.b.String(), "def deco") {
				g.line("@deco")
			}
		}
		g.funcBody(f)
	})
	g.funcs = append(g.funcs, f)
}

// innerFunc is a closure, called at once.
func (g *gen) innerFunc() {
	g.form("closure")
	f := g.signature()
	n := g.fresh("v")
	g.line("%s = %s", n, g.expr(kInt, 1))
	wrapped := !g.inFunc
	outer := f.name + "_outer"
	if wrapped { // nonlocal needs a function around it
		g.line("def %s():", outer)
		g.indent++
		g.line("%s = %s", n+"c", g.literal(kInt))
	}
	g.scoped(func() {
		loop, gn := g.inLoop, g.inGen
		g.inLoop, g.inGen = false, false
		g.block("def "+f.name+f.params(g)+":", func() {
			if wrapped {
				g.form("nonlocal")
				g.line("nonlocal %s", n+"c")
				g.line("%s += 1", n+"c")
			}
			g.bindParams(f)
			was := g.inFunc
			g.inFunc = true
			g.suite()
			g.line("return (%s, %s)", g.pick(n, "1"), g.expr(g.anyKind(), 1))
			g.inFunc = was
		})
		g.inLoop, g.inGen = loop, gn
	})
	g.line("show('closure', %s)", g.call(f, 2))
	if wrapped {
		g.line("return %s", n+"c")
		g.indent--
		g.line("show('outer', %s())", outer)
	}
}

func (g *gen) signature() function {
	f := function{name: g.fresh("f"), pos: g.IntN(3), def: g.IntN(2), star: g.one(4), kw: g.one(4)}
	if g.one(3) {
		f.kwonly = []string{"key"}
	}
	return f
}

// params is the parameter list.
func (f function) params(g *gen) string {
	var p []string
	for i := range f.pos {
		p = append(p, fmt.Sprintf("p%d", i))
	}
	if f.pos == 2 && g.one(3) {
		g.form("positional only")
		p = append(p, "/")
	}
	for i := range f.def {
		p = append(p, fmt.Sprintf("d%d=%s", i, g.literal(g.anyKind())))
	}
	if f.star {
		g.form("star args")
		p = append(p, "*rest")
	} else if len(f.kwonly) > 0 {
		p = append(p, "*")
	}
	for _, k := range f.kwonly {
		g.form("keyword only")
		p = append(p, k+g.pick("", "=1"))
	}
	if f.kw {
		g.form("star kwargs")
		p = append(p, "**kw")
	}
	return "(" + strings.Join(p, ", ") + ")"
}

func (g *gen) bindParams(f function) {
	for i := range f.pos {
		g.bind(fmt.Sprintf("p%d", i), g.kindOf(kInt, kStr, kList))
	}
	if f.star {
		g.bind("rest", kTuple)
	}
	if f.kw {
		g.bind("kw", kDict)
	}
}

func (g *gen) funcBody(f function) {
	g.form("def")
	ret := g.pick("", "", " -> int")
	g.block("def "+f.name+f.params(g)+ret+":", func() {
		if g.one(3) {
			g.line("'doc of %s'", f.name)
		}
		outer := g.vars
		g.vars = nil // assignments would make the globals local
		g.bindParams(f)
		g.inFunc = true
		g.budget = 8
		if g.one(5) && f.pos > 0 && len(f.kwonly) == 0 {
			g.form("recursion")
			g.block("if isinstance(p0, int) and 0 < p0 < 5:", func() {
				args := []string{"p0 - 1"}
				for range f.pos - 1 {
					args = append(args, "p1")
				}
				g.line("show('rec', %s(%s))", f.name, strings.Join(args, ", "))
			})
		}
		for range 2 + g.IntN(3) {
			g.stmt()
		}
		g.form("return")
		g.line("return %s", g.expr(g.anyKind(), 2))
		g.inFunc = false
		g.vars = outer
	})
}

// call calls a function, seldom with wrong arguments.
func (g *gen) call(f function, d int) string {
	g.form("call")
	var args []string
	n := f.pos + g.IntN(f.def+1)
	if f.star {
		n += g.IntN(2)
	}
	if g.one(12) {
		n = g.IntN(5)
	}
	for range n {
		args = append(args, g.expr(g.kindOf(kInt, kInt, kStr, kList), d-1))
	}
	if g.one(5) && len(args) > 0 {
		g.form("call star")
		args = []string{"*[" + strings.Join(args, ", ") + "]"}
	}
	for _, k := range f.kwonly {
		args = append(args, k+"="+g.expr(kInt, d-1))
	}
	if f.kw && g.one(2) {
		g.form("call kwargs")
		args = append(args, g.pick("**{'extra': 1}", "other="+g.expr(kInt, 0)))
	}
	if g.one(20) {
		args = append(args, g.pick("nope=1", "**{'key': 2}", "**{1: 2}", "*5"))
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}
