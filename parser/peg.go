package parser

import (
	"fmt"
	"strings"
)

// node is what the second parser knows of a construct: its kind, its tokens,
// and the constructs in it.
type node struct {
	kind        string
	first, last int // tokens, both included
	kids        []*node
}

// peg interprets the rules over the tokens of a scanner.
type peg struct {
	src     string
	name    string
	toks    []placed
	stop    *scanError // behind the last token, or nil
	names   *scanner   // for the text of brackets left open
	pos     int
	fill    int // tokens read so far
	bad     bool
	memo    []map[int]memoized // by position, then rule
	level   int                // of rules in each other
	steps   int                // tried so far
	budget  int                // how many may be
	wrapped *fragment          // the source is an expression of an f-string
	line0   int
	bytes   bool // columns count bytes
	file    bool // the source is a file
	bare    bool // the newline at its end is ours
	stopped bool // the failure is the scanner's
	// the failure is an indentation that no rule expects
	unexpected bool
}

type memoized struct {
	n   *node
	end int
}

// maxLevel is how deep rules may be in each other: CPython's limit.
const maxLevel = 6000

// maxSteps is how many rules a pass may try; beyond, the place of the error alone
// is reported. Right programs need about a hundred for each token.
func (p *peg) maxSteps() int { return 100_000 + 2000*len(p.toks) }

// none is the value of a part without text.
var none = &node{kind: "", first: -1, last: -1}

// token returns the token at pos, reading it if necessary. It ends the parse
// where the scanner stopped.
func (p *peg) token() *placed {
	if p.pos >= len(p.toks) {
		panic(p.scanFailure())
	}
	if p.pos >= p.fill {
		p.fill = p.pos + 1
	}
	return &p.toks[p.pos]
}

func (p *peg) text(i int) string { return p.src[p.toks[i].start:p.toks[i].end] }

func (p *peg) rule(r *rule) *node {
	if p.level++; p.level > maxLevel {
		panic(&SyntaxError{Class: "MemoryError"})
	}
	if p.steps++; p.steps > p.budget {
		panic(errRefused)
	}
	defer func() { p.level-- }()
	if !r.memo {
		return p.plainRule(r)
	}
	start := p.pos
	if m, ok := p.recall(start, r); ok {
		if m.n != nil {
			p.pos = m.end
		}
		return m.n
	}
	if r.leftward {
		return p.grow(r, start)
	}
	n := p.plainRule(r)
	p.remember(start, r, memoized{n, p.pos})
	return n
}

func (p *peg) recall(pos int, r *rule) (memoized, bool) {
	if pos >= len(p.memo) {
		return memoized{}, false
	}
	m, ok := p.memo[pos][r.index]
	return m, ok
}

func (p *peg) remember(pos int, r *rule, m memoized) {
	for pos >= len(p.memo) {
		p.memo = append(p.memo, nil)
	}
	if p.memo[pos] == nil {
		p.memo[pos] = map[int]memoized{}
	}
	p.memo[pos][r.index] = m
}

// grow applies a rule that begins with itself: first with no result for the
// inner one, then with each longer result in turn.
func (p *peg) grow(r *rule, start int) *node {
	best := memoized{nil, start}
	for {
		p.remember(start, r, best)
		p.pos = start
		n := p.plainRule(r)
		if n == nil || p.pos <= best.end {
			break
		}
		best = memoized{n, p.pos}
	}
	p.remember(start, r, best)
	p.pos = best.end
	return best.n
}

func (p *peg) plainRule(r *rule) *node {
	if r.noBad && p.bad {
		p.bad = false
		defer func() { p.bad = true }()
	}
	return p.choice(r.alts)
}

func (p *peg) choice(alts []*alternative) *node {
	start := p.pos
	for _, a := range alts {
		if a.bad && !p.bad {
			continue
		}
		n, cut := p.alternative(a)
		if n != nil {
			return n
		}
		p.pos = start
		if cut {
			return nil
		}
	}
	return nil
}

func (p *peg) alternative(a *alternative) (n *node, cut bool) {
	start := p.pos
	var parts [2]*node
	var kids []*node
	for _, it := range a.items {
		if it.op == opCut {
			cut = true
			continue
		}
		x := p.item(it)
		if x == nil {
			return nil, cut
		}
		if it.name != 0 {
			parts[it.name-'a'] = x
		}
		if x != none {
			kids = append(kids, x)
		}
	}
	switch {
	case a.part != 0:
		return parts[a.part-'a'], cut
	case a.kind == "" && a.action == nil && len(kids) == 1:
		return kids[0], cut
	}
	n = &node{kind: a.kind, first: start, last: p.pos - 1, kids: flatten(kids)}
	if a.action != nil {
		n = a.action(p, &parts, n)
	}
	return n, cut
}

// flatten puts the parts of lists in the place of the lists.
func flatten(list []*node) (out []*node) {
	for _, n := range list {
		if n.kind == "" || n.kind == "List" && n.listOnly() {
			out = append(out, n.kids...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// listOnly tells a list of parts from a list display, which has brackets.
func (n *node) listOnly() bool {
	return len(n.kids) > 0 && n.kids[0].kind != "Token"
}

func (p *peg) item(it *item) *node {
	switch it.op {
	case opToken:
		if p.token().kind != it.typ && !(it.typ == tIdent && (p.token().kind == tMatch || p.token().kind == tCase)) {
			return nil
		}
		return p.leaf()
	case opSoft:
		if !p.isName() || p.text(p.pos) != it.text {
			return nil
		}
		return p.leaf()
	case opAnySoft:
		if !p.isName() || !isSoft(p.text(p.pos)) {
			return nil
		}
		return p.leaf()
	case opForce:
		if p.token().kind != it.typ {
			n := &node{first: p.pos, last: p.pos}
			panic(p.errorRange("SyntaxError", n, n, fmt.Sprintf("expected '%s'", it.text)))
		}
		return p.leaf()
	case opRule:
		return p.rule(it.rule)
	case opChoice:
		return p.choice(it.alts)
	case opOptional:
		if n := p.item(it.item); n != nil {
			return n
		}
		return none
	case opAhead, opNot:
		start := p.pos
		n := p.item(it.item)
		p.pos = start
		if (n != nil) != (it.op == opAhead) {
			return nil
		}
		return none
	}
	return p.repeat(it)
}

// isSoft compares as CPython does, which takes the beginning of a soft keyword
// for one.
func isSoft(s string) bool {
	return strings.HasPrefix("match", s) || strings.HasPrefix("case", s) || s == "_"
}

func (p *peg) isName() bool {
	t := p.token().kind
	return t == tIdent || t == tMatch || t == tCase
}

// leaf consumes a token.
func (p *peg) leaf() *node {
	p.pos++
	return &node{kind: "Token", first: p.pos - 1, last: p.pos - 1}
}

func (p *peg) repeat(it *item) *node {
	start, list := p.pos, []*node(nil)
	for {
		at := p.pos
		if it.op == opGather && len(list) > 0 {
			if p.token().kind != it.typ {
				break
			}
			p.pos++
		}
		n := p.item(it.item)
		if n == nil || p.pos == at {
			p.pos = at
			break
		}
		list = append(list, n)
	}
	if len(list) == 0 {
		if it.op == opStar {
			return none
		}
		return nil
	}
	return &node{first: start, last: p.pos - 1, kids: flatten(list)}
}
