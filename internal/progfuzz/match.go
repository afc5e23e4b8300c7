package progfuzz

import "fmt"

// matchStmt is a match with a few cases, the last of them sometimes a catch-all.
func (g *gen) matchStmt() {
	g.form("match")
	g.scoped(func() {
		g.block(fmt.Sprintf("match %s:", g.expr(g.anyKind(), 2)), func() {
			for range 1 + g.IntN(3) {
				names := 0
				p := g.pattern(2, &names)
				guard := ""
				if g.one(4) {
					g.form("match guard")
					guard = " if " + g.expr(kBool, 1)
				}
				if p == "_" || names > 0 && p[0] == 'q' && guard == "" {
					p = "[" + p + "]"
				}
				g.block("case "+p+guard+":", g.suite)
			}
			if g.one(2) {
				g.form("pattern _")
				g.block("case _:", g.suite)
			}
		})
	})
}

// pattern is a pattern; the names that it binds are fresh.
func (g *gen) pattern(d int, names *int) string {
	if d <= 0 {
		if g.one(3) {
			*names++
			g.form("pattern capture")
			return g.fresh("q")
		}
		return g.pick("_", "1", "'a'", "None")
	}
	p := func() string { return g.pattern(d-1, names) }
	switch g.IntN(11) {
	case 0:
		g.form("pattern value")
		return g.pick("1", "-1", "2.5", "'a'", "b'abc'", "1 + 2j", "'ab' 'c'", "0")
	case 1:
		g.form("pattern singleton")
		return g.pick("None", "True", "False")
	case 2:
		g.form("pattern or")
		return g.pick("1 | 2 | None", "'a' | 'b'", "[] | {}", "int() | str()", "[1] | [_, _]", "(0 | 1)")
	case 3:
		g.form("pattern sequence")
		return "[" + p() + ", " + p() + "]"
	case 4:
		g.form("pattern star")
		return fmt.Sprintf("[%s, *%s]", p(), g.pick("_", g.fresh("q")))
	case 5:
		g.form("pattern mapping")
		return "{'a': " + p() + "}"
	case 6:
		g.form("pattern rest")
		return "{'a': " + p() + ", **" + g.fresh("q") + "}"
	case 7:
		g.form("pattern class")
		c := g.pick("int", "str", "list", "float", "dict", "bool", "tuple", "bytes", "set")
		return c + "(" + g.pick("", g.pattern(0, names)) + ")"
	case 8:
		g.form("pattern as")
		return "(" + g.pick("int()", "str() | float()", "[_, *_]", "{}") + " as " + g.fresh("q") + ")"
	case 9:
		g.form("pattern attributes")
		if len(g.class) > 0 {
			return g.class[g.IntN(len(g.class))].name + "(x=" + p() + ")"
		}
		return "int(real=" + p() + ")"
	}
	g.form("pattern sequence")
	return "(" + p() + ",)"
}
