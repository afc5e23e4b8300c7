package progfuzz

import (
	"fmt"
	"strings"
)

// kind is the type that an expression has, most of the time.
type kind uint8

const (
	kInt kind = iota
	kFloat
	kStr
	kBool
	kList
	kTuple
	kDict
	kSet
	kBytes
	kNone
	numKinds
)

func (g *gen) anyKind() kind { return kind(g.IntN(int(numKinds))) }

// expr is an expression of a kind, nested at most d deep. Now and then it is of
// another kind: the errors count too.
func (g *gen) expr(k kind, d int) string {
	if g.one(40) {
		k = g.anyKind()
	}
	if d <= 0 || g.one(4) {
		if v := g.known(k); v != "" && !g.one(4) {
			return v
		}
		return g.literal(k)
	}
	if g.one(6) {
		return g.general(k, d)
	}
	switch k {
	case kInt:
		return g.intExpr(d)
	case kFloat:
		return g.floatExpr(d)
	case kStr:
		return g.strExpr(d)
	case kBool:
		return g.boolExpr(d)
	case kList:
		return g.listExpr(d)
	case kTuple:
		return g.tupleExpr(d)
	case kDict:
		return g.dictExpr(d)
	case kSet:
		return g.setExpr(d)
	case kBytes:
		return g.bytesExpr(d)
	}
	return "None"
}

// literal is a constant or a small display.
func (g *gen) literal(k kind) string {
	switch k {
	case kInt:
		return g.pick("0", "1", "2", "3", "5", "7", "-1", "-2", "10", "100", "255", "2**31", "2**63", "-2**63", "10**20", "0x1F", "0b101", "0o17", "1_000", "9007199254740993")
	case kFloat:
		return g.pick("0.0", "1.0", "0.5", "-1.5", "2.25", "1e10", "1e-7", "1e300", "-0.0", "3.14159", "float('inf')", "float('nan')", "0.1", "1e16", "123456.789")
	case kStr:
		return g.pick("''", "'a'", "'ab'", "'Hello World'", "'x y  z'", "'ünï'", "'日本'", "'tab\\there'", "'line\\nbreak'", "'123'", "'-4.5'", "'aXbXc'", "'ß'", "'\\x00'", "'😀e'", `"it's"`, "'{}'", "'%s'")
	case kBool:
		return g.pick("True", "False")
	case kList:
		return g.pick("[]", "[1, 2, 3]", "[3, 1, 2]", "['b', 'a']", "[[1], [2]]", "[0, None, '']", "[1.5, 2]", "[True, 1, 1.0]", "list(range(6))")
	case kTuple:
		return g.pick("()", "(1,)", "(1, 2)", "('a', 1)", "(1, (2, 3))", "(0.25, True)")
	case kDict:
		return g.pick("{}", "{'a': 1}", "{'a': 1, 'b': [2]}", "{1: 'x', 2: 'y'}", "{(1, 2): 3}", "{None: None, True: 0}")
	case kSet:
		return g.pick("set()", "{1, 2, 3}", "{'a'}", "{1, 'b', 2.5}", "frozenset({1, 2})", "{0, 8, 16, 24}")
	case kBytes:
		return g.pick("b''", "b'abc'", "b'\\x00\\xff'", "bytearray(b'xyz')", "b'a,b'", "bytes(3)")
	}
	return "None"
}

// general are the forms that give any kind.
func (g *gen) general(k kind, d int) string {
	switch g.IntN(9) {
	case 0:
		g.form("expr if")
		return fmt.Sprintf("(%s if %s else %s)", g.expr(k, d-1), g.expr(kBool, d-1), g.expr(k, d-1))
	case 1:
		g.form("expr or/and")
		return fmt.Sprintf("(%s %s %s)", g.expr(k, d-1), g.pick("or", "and"), g.expr(k, d-1))
	case 2:
		g.form("expr lambda")
		p := g.fresh("p")
		return fmt.Sprintf("(lambda %s%s: %s)(%s)", p, g.pick("", "=0", ", *r"), g.pick(p, g.expr(k, 0)), g.expr(k, d-1))
	case 3:
		if len(g.funcs) > 0 {
			return g.call(g.funcs[g.IntN(len(g.funcs))], d)
		}
	case 4:
		if !g.inClass {
			g.form("expr walrus")
			n := g.fresh("w")
			return fmt.Sprintf("((%s := %s), %s)[%s]", n, g.expr(k, d-1), n, g.pick("0", "1", "-1"))
		}
	case 5:
		g.form("expr index")
		return fmt.Sprintf("[%s, %s][%s]", g.expr(k, d-1), g.expr(k, d-1), g.pick("0", "1", "-1", "-2", g.expr(kBool, 0)))
	case 6:
		g.form("expr dict item")
		return fmt.Sprintf("{'k': %s}[%s]", g.expr(k, d-1), g.pick("'k'", "'k'", "'k'", "'z'"))
	case 7:
		g.form("expr star call")
		return fmt.Sprintf("ident(*[%s], **{})", g.expr(k, d-1))
	}
	if len(g.class) > 0 {
		return g.objectExpr(d)
	}
	return g.expr(k, d-1)
}

func (g *gen) intExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(14) {
	case 0, 1, 2:
		op := g.pick("+", "-", "*", "//", "%", "&", "|", "^")
		g.form("op " + op)
		return fmt.Sprintf("(%s %s %s)", e(kInt), op, e(kInt))
	case 3:
		op := g.pick("<<", ">>", "**")
		g.form("op " + op)
		return fmt.Sprintf("(%s %s %s)", e(kInt), op, g.pick("0", "1", "2", "3", "5", "64"))
	case 4:
		op := g.pick("-", "+", "~")
		g.form("unary " + op)
		return op + e(kInt)
	case 5:
		return fmt.Sprintf("len(%s)", e(g.container()))
	case 6:
		return fmt.Sprintf("int(%s)", e(g.number()))
	case 7:
		return fmt.Sprintf("sum(%s)", g.comprehension(kInt, d-1, "[", "]"))
	case 8:
		return fmt.Sprintf("%s(%s, %s)", g.pick("max", "min"), e(kInt), e(kInt))
	case 9:
		return fmt.Sprintf("%s.%s(%s)", e(kList), g.pick("index", "count"), e(kInt))
	case 10:
		return fmt.Sprintf("%s.get(%s, %s)", e(kDict), e(kStr), e(kInt))
	case 11:
		return fmt.Sprintf("abs(%s)", e(kInt))
	case 12:
		return fmt.Sprintf("ord(%s)", g.pick("'a'", "'é'", e(kStr)))
	}
	return fmt.Sprintf("divmod(%s, %s)[0]", e(kInt), e(kInt))
}

func (g *gen) number() kind { return g.kindOf(kInt, kInt, kFloat, kBool) }

func (g *gen) container() kind { return g.kindOf(kList, kStr, kTuple, kDict, kSet, kBytes) }

func (g *gen) kindOf(ks ...kind) kind { return ks[g.IntN(len(ks))] }

func (g *gen) floatExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(6) {
	case 0, 1:
		op := g.pick("+", "-", "*", "/", "//", "%")
		g.form("op " + op)
		return fmt.Sprintf("(%s %s %s)", e(g.number()), op, e(kFloat))
	case 2:
		g.form("op /")
		return fmt.Sprintf("(%s / %s)", e(kInt), e(kInt))
	case 3:
		return fmt.Sprintf("float(%s)", e(g.number()))
	case 4:
		return fmt.Sprintf("round(%s, %s)", e(kFloat), g.pick("0", "1", "2", "-1"))
	}
	return fmt.Sprintf("abs(%s)", e(kFloat))
}

func (g *gen) strExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(14) {
	case 0, 1:
		g.form("op +")
		return fmt.Sprintf("(%s + %s)", e(kStr), e(kStr))
	case 2:
		g.form("op *")
		return fmt.Sprintf("(%s * %s)", e(kStr), g.pick("0", "1", "2", "3"))
	case 3:
		return fmt.Sprintf("%s(%s)", g.pick("str", "repr", "ascii"), e(g.anyKind()))
	case 4, 5:
		return g.fstring(d)
	case 6:
		g.form("slice")
		return fmt.Sprintf("%s[%s]", e(kStr), g.slice(d))
	case 7:
		return fmt.Sprintf("%s.%s()", e(kStr), g.pick("upper", "lower", "title", "strip", "swapcase", "capitalize", "casefold"))
	case 8:
		return fmt.Sprintf("%s.join(%s)", e(kStr), g.comprehension(kStr, d-1, "", ""))
	case 9:
		return fmt.Sprintf("%s.replace(%s, %s)", e(kStr), e(kStr), e(kStr))
	case 10:
		g.form("percent")
		return fmt.Sprintf("('%s' %% (%s,))", g.pick("%s", "%r", "<%5s>", "%-8s|", "%d", "%x", "%5.2f", "%e", "%g", "%c", "%%%s"), e(g.anyKind()))
	case 11:
		return fmt.Sprintf("'%s'.format(%s, k=%s)", g.pick("{}", "{0!r}", "{k}", "{0:>5}", "{:^9}", "{k!s:<4}", "{0}{0}"), e(g.anyKind()), e(kStr))
	case 12:
		return fmt.Sprintf("%s.%s(%s)", e(kStr), g.pick("center", "ljust", "rjust", "zfill"), g.pick("3", "8", "0"))
	}
	return fmt.Sprintf("type(%s).__name__", e(g.anyKind()))
}

// fstring is a formatted string with nested parts.
func (g *gen) fstring(d int) string {
	g.form("fstring")
	e := strings.ReplaceAll(g.expr(g.anyKind(), min(d-1, 1)), `"`, `'`)
	if strings.ContainsAny(e, "\\\n'{") || strings.Contains(e, ":=") || strings.Contains(e, "lambda") {
		e = g.pick("1", "2.5", "None", "(1, 2)", "10**20")
	}
	switch g.IntN(6) {
	case 0:
		return fmt.Sprintf(`f'{%s}'`, e)
	case 1:
		return fmt.Sprintf(`f'<{%s!%s}>'`, e, g.pick("r", "s", "a"))
	case 2:
		return fmt.Sprintf(`f'{%s:%s}'`, e, g.pick(">10", "<6", "^8", "5", "05", "+", ",", ".2f", "x", "e", "%", "*^12"))
	case 3:
		g.form("fstring =")
		return fmt.Sprintf(`f'{%s=}{%s = }'`, e, e)
	case 4:
		return fmt.Sprintf(`f'{%s!r:>{%s}}'`, e, g.pick("5", "12", "1 + 2"))
	}
	return fmt.Sprintf(`f'{{{%s}}}' 'tail'`, e)
}

func (g *gen) boolExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(9) {
	case 0, 1:
		k := g.anyKind()
		op := g.pick("<", "<=", ">", ">=", "==", "!=")
		g.form("compare " + op)
		return fmt.Sprintf("(%s %s %s)", e(k), op, e(k))
	case 2:
		g.form("compare chain")
		return fmt.Sprintf("(%s %s %s %s %s)", e(kInt), g.pick("<", "<=", "=="), e(kInt), g.pick("<", ">=", "!="), e(kInt))
	case 3:
		op := g.pick("in", "not in")
		g.form("compare " + op)
		k := g.container()
		x := g.anyKind()
		if k == kStr {
			x = kStr
		}
		return fmt.Sprintf("(%s %s %s)", e(x), op, e(k))
	case 4:
		op := g.pick("is", "is not")
		g.form("compare " + op)
		return fmt.Sprintf("(%s %s None)", e(g.anyKind()), op)
	case 5:
		g.form("not")
		return fmt.Sprintf("(not %s)", e(g.anyKind()))
	case 6:
		return fmt.Sprintf("isinstance(%s, %s)", e(g.anyKind()), g.pick("int", "str", "(int, float)", "list | dict", "object", "bool"))
	case 7:
		return fmt.Sprintf("%s(%s)", g.pick("any", "all"), g.comprehension(kBool, d-1, "", ""))
	}
	return fmt.Sprintf("bool(%s)", e(g.anyKind()))
}

func (g *gen) slice(d int) string {
	p := func() string {
		if g.one(3) {
			return ""
		}
		return g.pick("0", "1", "2", "-1", "-2", "5", "None", g.expr(kInt, 0))
	}
	s := p() + ":" + p()
	if g.one(3) {
		s += ":" + g.pick("1", "2", "-1", "-2", "")
	}
	return s
}

// comprehension is one over a sequence, between brackets.
func (g *gen) comprehension(k kind, d int, open, close string) string {
	form := map[string]string{"[": "list", "{": "set", "": "generator", "(": "generator"}[open]
	g.form(form + " comprehension")
	s := ""
	g.scoped(func() {
		v := g.fresh("c")
		source := g.iterable(d - 1)
		g.bind(v, source.kind)
		clause := fmt.Sprintf(" for %s in %s", v, source.text)
		if g.one(4) {
			w := g.fresh("c")
			g.form("nested comprehension")
			inner := g.iterable(0)
			g.bind(w, inner.kind)
			clause += fmt.Sprintf(" for %s in %s", w, inner.text)
		}
		if g.one(3) {
			g.form("comprehension if")
			clause += " if " + g.noWalrus(kBool, 1)
		}
		s = g.noWalrus(k, d-1) + clause
	})
	return open + s + close
}

// noWalrus is an expression that binds nothing: a comprehension's variable can't be
// bound again.
func (g *gen) noWalrus(k kind, d int) string {
	for {
		if e := g.expr(k, d); !strings.Contains(e, ":=") {
			return e
		}
	}
}

type iterable struct {
	text string
	kind kind // of the items
}

func (g *gen) iterable(d int) iterable {
	switch g.IntN(9) {
	case 0, 1:
		return iterable{fmt.Sprintf("range(%s)", g.pick("3", "4", "1, 4", "5, 0, -2", "0")), kInt}
	case 2:
		return iterable{g.noWalrus(kStr, d), kStr}
	case 3:
		return iterable{"sorted([3, 1, 2], reverse=" + g.pick("True", "False") + ")", kInt}
	case 4:
		return iterable{fmt.Sprintf("(%s, %s)", g.noWalrus(kInt, 0), g.noWalrus(kInt, 0)), kInt}
	case 5:
		return iterable{fmt.Sprintf("map(str, %s)", g.noWalrus(kList, 0)), kStr}
	case 6:
		return iterable{"{'a': 1, 'b': 2}" + g.pick("", ".keys()", ".copy()"), kStr}
	case 7:
		return iterable{fmt.Sprintf("enumerate(%s)", g.noWalrus(kStr, 0)), kTuple}
	}
	return iterable{fmt.Sprintf("zip(%s, range(3))", g.noWalrus(kList, 0)), kTuple}
}

func (g *gen) listExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(11) {
	case 0:
		g.form("list display")
		return fmt.Sprintf("[%s, %s]", e(g.anyKind()), e(g.anyKind()))
	case 1:
		g.form("list star")
		return fmt.Sprintf("[*%s, %s, *%s]", e(kTuple), e(kInt), e(kList))
	case 2, 3:
		return g.comprehension(g.anyKind(), d-1, "[", "]")
	case 4:
		return fmt.Sprintf("(%s + %s)", e(kList), e(kList))
	case 5:
		return fmt.Sprintf("(%s * %s)", e(kList), g.pick("0", "1", "2", "True"))
	case 6:
		g.form("slice")
		return fmt.Sprintf("%s[%s]", e(kList), g.slice(d))
	case 7:
		return fmt.Sprintf("sorted(%s%s)", e(g.container()), g.pick("", ", reverse=True", ", key=str", ", key=lambda q: -len(repr(q))"))
	case 8:
		return fmt.Sprintf("list(%s)", e(g.container()))
	case 9:
		return fmt.Sprintf("%s.split(%s)", e(kStr), g.pick("", "None", "'X'", "' '", "None, 1"))
	}
	return fmt.Sprintf("list(%s)", g.pick("reversed("+e(kList)+")", "zip("+e(kList)+", "+e(kStr)+")", "map(str, "+e(kTuple)+")", "filter(None, "+e(kList)+")", "enumerate("+e(kStr)+", 1)"))
}

func (g *gen) tupleExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(6) {
	case 0:
		g.form("tuple display")
		return fmt.Sprintf("(%s, %s)", e(g.anyKind()), e(g.anyKind()))
	case 1:
		g.form("tuple star")
		return fmt.Sprintf("(*%s, %s)", e(kList), e(kInt))
	case 2:
		return fmt.Sprintf("tuple(%s)", e(g.container()))
	case 3:
		return fmt.Sprintf("(%s + %s)", e(kTuple), e(kTuple))
	case 4:
		return fmt.Sprintf("%s[%s]", e(kTuple), g.slice(d))
	}
	return fmt.Sprintf("tuple(%s)", g.comprehension(kInt, d-1, "", ""))
}

func (g *gen) dictExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(6) {
	case 0:
		g.form("dict display")
		return fmt.Sprintf("{%s: %s, %s: %s}", e(kStr), e(g.anyKind()), e(kInt), e(kInt))
	case 1:
		g.form("dict star")
		return fmt.Sprintf("{**%s, 'z': %s}", e(kDict), e(kInt))
	case 2:
		g.form("dict comprehension")
		c := g.comprehension(kInt, d-1, "", "")
		i := strings.Index(c, " for c")
		if i < 0 || strings.Contains(c[:i], "lambda") {
			return "{}"
		}
		return "{str(" + c[:i] + "): " + g.pick("1", c[:i]) + c[i:] + "}"
	case 3:
		return fmt.Sprintf("(%s | %s)", e(kDict), e(kDict))
	case 4:
		return fmt.Sprintf("dict(%s, q=%s)", e(kDict), e(kInt))
	}
	return fmt.Sprintf("dict(zip(%s, %s))", e(kStr), e(kList))
}

func (g *gen) setExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(5) {
	case 0:
		g.form("set display")
		return fmt.Sprintf("{%s, %s}", e(kInt), e(kStr))
	case 1:
		op := g.pick("|", "&", "-", "^")
		return fmt.Sprintf("(%s %s %s)", e(kSet), op, e(kSet))
	case 2:
		return g.comprehension(g.kindOf(kInt, kStr, kBool), d-1, "{", "}")
	case 3:
		return fmt.Sprintf("set(%s)", e(kStr))
	}
	return fmt.Sprintf("frozenset(%s)", e(kTuple))
}

func (g *gen) bytesExpr(d int) string {
	e := func(k kind) string { return g.expr(k, d-1) }
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("%s.encode()", e(kStr))
	case 1:
		return fmt.Sprintf("(%s + %s)", e(kBytes), e(kBytes))
	case 2:
		return fmt.Sprintf("%s[%s]", e(kBytes), g.slice(d))
	case 3:
		return fmt.Sprintf("bytes(%s)", g.pick("[1, 2]", "2", e(kList)))
	}
	return fmt.Sprintf("(%s * %s)", e(kBytes), g.pick("0", "1", "2"))
}
