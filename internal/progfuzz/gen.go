package progfuzz

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is the random program of a seed.
func Program(seed uint64) string {
	g := newGen(seed)
	switch seed % 3 {
	case 0:
		g.callProgram()
	default:
		g.stmtProgram()
	}
	return g.String()
}

// Forms counts the statement and expression forms of the program of a seed.
func Forms(seed uint64) map[string]int {
	g := newGen(seed)
	if seed%3 == 0 {
		g.callProgram()
	} else {
		g.stmtProgram()
	}
	return g.forms
}

// gen writes one program.
type gen struct {
	*rand.Rand
	b      strings.Builder
	indent int
	names  int
	forms  map[string]int
	vars   []binding
	funcs  []function
	class  []classInfo
	// where the statement stands
	inLoop, inFunc, inGen, inClass, inFinally bool
	nesting                                   int
	budget                                    int // statements left
}

type binding struct {
	name string
	kind kind
	hot  bool // must not be deleted or rebound: a loop's counter
}

func newGen(seed uint64) *gen {
	return &gen{Rand: rand.New(rand.NewPCG(seed, 0x7f5)), forms: map[string]int{}}
}

func (g *gen) String() string { return g.b.String() }

// form notes that a form was written.
func (g *gen) form(name string) { g.forms[name]++ }

func (g *gen) line(format string, args ...any) {
	g.b.WriteString(strings.Repeat("    ", g.indent))
	fmt.Fprintf(&g.b, format, args...)
	g.b.WriteByte('\n')
}

// block writes a head and an indented body.
func (g *gen) block(head string, body func()) {
	g.line("%s", head)
	g.indent++
	g.nesting++
	body()
	g.nesting--
	g.indent--
}

func (g *gen) pick(s ...string) string { return s[g.IntN(len(s))] }

// one in n.
func (g *gen) one(n int) bool { return g.IntN(n) == 0 }

// fresh is a name that was not used yet.
func (g *gen) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

// bind makes a new variable known.
func (g *gen) bind(name string, k kind) { g.vars = append(g.vars, binding{name: name, kind: k}) }

// known is a variable of a kind, or "".
func (g *gen) known(k kind) string {
	var found []string
	for _, v := range g.vars {
		if v.kind == k {
			found = append(found, v.name)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return g.pick(found...)
}

// scoped runs f and forgets the variables that it bound.
func (g *gen) scoped(f func()) {
	n := len(g.vars)
	f()
	g.vars = g.vars[:n:n]
}
