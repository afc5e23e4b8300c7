package lang

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// generator writes random programs that move tokens through all counted places.
type generator struct {
	*rand.Rand
	b     strings.Builder
	depth int
}

func (g *generator) pick(s ...string) string { return s[g.Intn(len(s))] }

func (g *generator) expr(d int) string {
	if d <= 0 || g.Intn(4) == 0 {
		return g.pick("a", "b", "c", "tok(1)", "G", "o.x", "o.y", "l[0]", "l[1]", "d['k']")
	}
	switch g.Intn(12) {
	case 0, 1, 2:
		return g.expr(d-1) + g.pick(" + ", " - ", " * ") + g.expr(d-1)
	case 3:
		return "(" + g.expr(d-1) + ") " + g.pick("+", "*") + " 2"
	case 4:
		return "f(" + g.expr(d-1) + ", " + g.expr(d-1) + ")"
	case 5:
		return "same(" + g.expr(d-1) + ")"
	case 6:
		return "o.m(" + g.expr(d-1) + ")"
	case 7:
		return "o.p"
	case 8:
		return "(" + g.expr(d-1) + " if num(" + g.expr(0) + ") % 2 else " + g.expr(d-1) + ")"
	case 9:
		return "h(" + g.expr(d-1) + ", z=" + g.expr(d-1) + ")"
	case 10:
		return "(lambda q: q + " + g.expr(0) + ")(" + g.expr(d-1) + ")"
	}
	return "[" + g.expr(d-1) + " for _ in range(2)][1]"
}

func (g *generator) stmt(in string) {
	line := func(format string, args ...any) { fmt.Fprintf(&g.b, in+format+"\n", args...) }
	switch g.Intn(16) {
	case 0, 1, 2, 3:
		line("%s = %s", g.pick("a", "b", "c"), g.expr(2))
	case 4:
		line("G = %s", g.expr(2))
	case 5:
		line("o.%s = %s", g.pick("x", "y"), g.expr(2))
	case 6:
		line("l[%d] = %s", g.Intn(2), g.expr(1))
	case 7:
		line("d['k'] = %s", g.expr(1))
	case 8:
		line("%s += %s", g.pick("a", "b", "o.x", "l[0]"), g.expr(1))
	case 9:
		line("a, b = %s, %s", g.expr(1), g.expr(1))
	case 10:
		line("for t in gen(%s, %d):", g.expr(1), g.Intn(4))
		line("  a = t")
		if g.Intn(2) == 0 {
			line("  if num(t) %% 3 == 0: break")
		}
	case 11:
		line("try:")
		line("  b = %s + bad(%s)", g.expr(1), g.expr(1))
		line("except ValueError as e: c = %s", g.expr(1))
	case 12:
		line("s = step()")
	case 13:
		if g.depth < 2 {
			g.depth++
			line("for i in range(%d):", 1+g.Intn(3))
			g.stmt(in + "  ")
			g.stmt(in + "  ")
			g.depth--
		}
	case 14:
		line("if num(%s) %% 2: %s = %s", g.expr(0), g.pick("a", "b"), g.expr(1))
	case 15:
		line("o = O(%s, %s)", g.expr(1), g.expr(1))
	}
}

const prelude = `class O:
  def __init__(self, x, y):
    self.x = x
    self.y = y
  def m(self, v):
    w = self.x + v
    return w
  @property
  def p(self): return self.y + self.x
  def __call__(self, q): return q
def f(u, v):
  w = u + v
  u = w * u
  return u
def h(u, *more, z=0, **kw): return u + z
def bad(x): raise ValueError(x)
def gen(x, n):
  for i in range(n):
    x = x + 1
    yield x
def maker(s):
  def step():
    nonlocal s
    s = s + 1
    return s
  return step
`

// TestCountedRandom runs random programs; at each death of a token every place that
// can be reached is searched for it (runTokens does).
func TestCountedRandom(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 60
	}
	deaths, reused, failed := 0, 0, 0
	for seed := range n {
		g := &generator{Rand: rand.New(rand.NewSource(int64(seed)))}
		g.b.WriteString(prelude)
		g.b.WriteString("G = tok(3)\ndef run():\n  global G\n  a, b, c = tok(1), tok(2), tok(3)\n  l = [tok(4), tok(5)]\n  d = {'k': tok(6)}\n  o = O(tok(7), tok(8))\n  step = maker(tok(9))\n")
		for range 12 {
			g.stmt("  ")
		}
		g.b.WriteString("  return num(a), num(b), num(c), num(o.x), num(l[0]), num(d['k']), num(G)\nprint(run())\nprint(run())\n")
		k, out := runTokens(t, g.b.String())
		if _, want := runTokensAs(t, g.b.String(), true); out != want {
			t.Fatalf("seed %d: with recycling %q, without %q\n%s", seed, out, want, g.b.String())
		}
		if strings.Contains(out, "Error") {
			failed++
		}
		deaths += k.freed
		reused += k.reused
	}
	if deaths < 10*n || reused < n || failed > n/2 {
		t.Errorf("%d deaths, %d results in place, %d of %d programs failed: the programs test too little", deaths, reused, failed, n)
	}
}
