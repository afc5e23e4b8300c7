package progfuzz

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// callPrelude is at the head of a program of calls: t prints what a call gives.
const callPrelude = `import sys, math, itertools, functools, collections, json, operator, re, string, textwrap, copy, heapq, bisect
inf, nan = float('inf'), float('nan')
class S(str): pass
class L(list): pass
class D(dict): pass
class I(int): pass
class F(float): pass
class O:
    def __repr__(self): return 'O()'
class Bad:
    def __iter__(self): return self
    def __next__(self): raise ValueError('bad next')
def text(r):
    if hasattr(r, '__next__') or isinstance(r, (map, zip, filter, enumerate, reversed)):
        out = []
        try:
            for x in itertools.islice(r, 12):
                out.append(text(x))
        except Exception as e:
            out.append(type(e).__name__ + ': ' + str(e))
        return type(r).__name__ + ' ' + ' '.join(out)
    s = repr(r)
    return type(r).__name__ + ' ' + (s if len(s) < 200 else s[:200] + '...')
def t(label, f):
    try:
        r = f()
        print(label, text(r))
    except Exception as e:
        m = str(e)
        print(label, '!', type(e).__name__, m if len(m) < 300 else m[:300])
`

var typeNames = slices.Sorted(maps.Keys(methods))

// callProgram is a list of calls.
func (g *gen) callProgram() {
	g.b.WriteString(callPrelude)
	for range 60 {
		switch g.IntN(10) {
		case 0, 1, 2, 3, 4:
			g.methodCall()
		case 5, 6, 7:
			g.functionCall()
		case 8:
			g.operator()
		case 9:
			g.formatting()
		}
	}
}

func (g *gen) methodCall() {
	typ := g.pick(typeNames...)
	name, letters, _ := strings.Cut(g.pick(methods[typ]...), " ")
	recv := g.pick(receivers[typ]...)
	label := typ + "." + name
	switch typ {
	case "list", "dict", "set", "bytearray", "memoryview":
		g.line("x = %s", recv)
		g.line("t('%s', lambda: (x.%s(%s), x))", label, name, g.arguments(letters))
	default:
		g.line("t('%s', lambda: (%s).%s(%s))", label, recv, name, g.arguments(letters))
	}
	g.form(label)
}

func (g *gen) functionCall() {
	name, letters, _ := strings.Cut(g.pick(functions...), " ")
	g.line("t('%s', lambda: %s(%s))", name, name, g.arguments(letters))
	g.form(name)
}

// arguments fills the letters in; one call in twelve is wrong.
func (g *gen) arguments(letters string) string {
	var out []string
	for _, f := range strings.Fields(letters) {
		parts := strings.Split(f, ",")
		for i, p := range parts {
			key := ""
			if k, rest, ok := strings.Cut(p, "="); ok {
				key, p = k+"=", rest
			}
			if i == 0 && strings.HasSuffix(p, "?") && g.one(2) {
				return strings.Join(out, ", ")
			}
			letter := p[0]
			if g.one(25) {
				letter = 'o'
			}
			out = append(out, key+g.pick(args[letter]...))
		}
	}
	switch {
	case g.one(40):
		out = append(out, g.pick("1", "None", "nope=1", "*[1, 2, 3]"))
	case g.one(40) && len(out) > 0 && !strings.Contains(out[len(out)-1], "="):
		out = out[:len(out)-1]
	}
	slices.SortStableFunc(out, func(a, b string) int { // keywords last
		return keywordRank(a) - keywordRank(b)
	})
	return strings.Join(out, ", ")
}

func keywordRank(s string) int {
	i := strings.IndexAny(s, "=('[{")
	if i > 0 && s[i] == '=' && !strings.HasPrefix(s[i:], "==") && !strings.Contains(s[:i], ",") && !strings.Contains(s[:i], "lambda") {
		return 1
	}
	return 0
}

var operators = []string{"+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "and", "or"}

func (g *gen) operator() {
	op := g.pick(operators...)
	left := g.operand()
	right := g.operand()
	if op == "**" || op == "<<" || op == "*" { // nothing huge
		right = g.pick("0", "1", "2", "-1", "0.5", "'a'", "[1]", "True", "I(2)", "None")
	}
	label := "op " + op
	switch {
	case g.one(6) && len(op) <= 2 && op != "in" && op != "is" && op != "or" && !strings.ContainsAny(op[:1], "=!") && op != "<" && op != ">" && op != "<=" && op != ">=":
		g.line("def f(x):")
		g.line("    x %s= %s", op, right)
		g.line("    return x")
		g.line("t('%s=', lambda: f(%s))", label, left)
	case g.one(8):
		u := g.pick("-", "+", "~", "not ")
		g.line("t('unary %s', lambda: %s(%s))", u, u, left)
		label = "unary " + u
	case op == "is":
		g.line("t('%s', lambda: (%s) is None)", label, left)
	default:
		g.line("t('%s', lambda: (%s) %s (%s))", label, left, op, right)
	}
	g.form(label)
}

func (g *gen) operand() string {
	if g.one(3) {
		return g.pick(args['o']...)
	}
	return g.pick(receivers[g.pick(typeNames...)]...)
}

// formatting is one of the ways to make text.
func (g *gen) formatting() {
	o := g.operand()
	switch g.IntN(4) {
	case 0:
		g.line("t('format', lambda: format(%s, %s))", o, g.spec())
		g.form("format")
	case 1:
		flags := g.pick("", "-", "+", " ", "#", "0", "-+", "#0")
		width := g.pick("", "", "5", "12", "*")
		prec := g.pick("", "", ".0", ".3", ".10", ".*")
		conv := g.pick("d", "i", "u", "o", "x", "X", "e", "E", "f", "F", "g", "G", "c", "r", "s", "a", "%", "q")
		stars := strings.Repeat("6, ", strings.Count(width+prec, "*"))
		g.line("t('percent', lambda: '<%%%s%s%s%s>' %% (%s%s,))", flags, width, prec, conv, stars, o)
		g.form("percent")
	case 2:
		g.line("t('str.format', lambda: '<{%s%s:%s}>'.format(%s, k=%s))", g.pick("", "0", "k", "0.real", "0[0]", "1"), g.pick("", "", "!r", "!s", "!a", "!x"), strings.Trim(g.spec(), "'"), o, o)
		g.form("str.format")
	default:
		if strings.ContainsAny(o, `'"\{}`) {
			o = "x"
			g.line("x = %s", g.pick(receivers["str"]...))
		}
		g.line(`t('fstring', lambda: f"<{%s%s:%s}>")`, o, g.pick("", "", "!r", "=", "=!s"), strings.Trim(g.spec(), "'"))
		g.form("fstring")
	}
}

// spec is a random format specifier, quoted.
func (g *gen) spec() string {
	if g.one(3) {
		return g.pick(args['f']...)
	}
	s := g.pick("", "", "<", ">", "^", "=", "*<", "é>", "0=") + g.pick("", "", "+", "-", " ") + g.pick("", "", "z") + g.pick("", "", "#") +
		g.pick("", "", "0") + g.pick("", "", "7", "15") + g.pick("", "", ",", "_") + g.pick("", "", ".0", ".2", ".8") +
		g.pick("", "", "d", "b", "o", "x", "X", "c", "e", "E", "f", "F", "g", "G", "n", "s", "%")
	return fmt.Sprintf("'%s'", s)
}
