package parser

import (
	"fmt"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
)

// opcode is what an item of a rule does.
type opcode uint8

const (
	opToken    opcode = iota // a token of type typ
	opSoft                   // the name in text
	opAnySoft                // a name that is a soft keyword
	opRule                   // rule
	opChoice                 // one of alts
	opOptional               // item, or nothing
	opStar                   // item any number of times
	opPlus                   // item at least once
	opGather                 // item with typ between
	opAhead                  // item comes next, unread
	opNot                    // item doesn't come next
	opForce                  // typ, or an error
	opCut                    // no other alternative from here on
)

type item struct {
	op   opcode
	typ  lexer.TokenType
	text string
	name byte // what the action calls it, or 0
	rule *rule
	alts []*alternative
	item *item
}

type alternative struct {
	items  []*item
	kind   string // of the node to make, or
	part   byte   // the part that is the value, or
	action action
	bad    bool // for the second pass only
}

type rule struct {
	name     string
	index    int
	alts     []*alternative
	memo     bool
	leftward bool // begins with itself
	noBad    bool // no bad rules below it
}

// action is the end of an alternative that reports an error or looks closer.
// nil without an error means that the alternative doesn't fit after all.
type action func(p *peg, parts *[2]*node, n *node) *node

// rules is the compiled grammar, made on first use.
var rules = sync.OnceValue(func() map[string]*rule {
	b := &ruleBuilder{rules: map[string]*rule{}}
	for _, chunk := range strings.Split(strings.ReplaceAll(strings.TrimSpace(rulesText), "\n  ", " "), "\n") {
		if chunk != "" {
			b.define(chunk)
		}
	}
	return b.rules
})

// ruleBuilder reads the notation described at rulesText.
type ruleBuilder struct {
	rules map[string]*rule
	words []string
	pos   int
}

func (b *ruleBuilder) rule(name string) *rule {
	r := b.rules[name]
	if r == nil {
		r = &rule{name: name, index: len(b.rules)}
		b.rules[name] = r
	}
	return r
}

func (b *ruleBuilder) define(text string) {
	head, body, _ := strings.Cut(text, ": ")
	name := strings.TrimRight(head, "!~")
	r := b.rule(name)
	r.memo, r.noBad = strings.HasSuffix(head, "!"), strings.HasSuffix(head, "~")
	b.words, b.pos = ruleWords(body), 0
	r.alts = b.alternatives()
	if b.pos != len(b.words) {
		panic("tfs bug: rule " + name + " goes on at " + b.words[b.pos])
	}
	first := r.alts[0].items[0]
	r.leftward = first.op == opRule && first.rule == r
}

// ruleWords cuts a rule into quoted literals, names and signs.
func ruleWords(s string) (words []string) {
	for i := 0; i < len(s); {
		c, j := s[i], i+1
		switch {
		case c == ' ':
			i++
			continue
		case c == '\'' || c == '"':
			for s[j] != c || s[j-1] == '\\' {
				j++
			}
			j++
		case class[c]&(cIdent|cDigit) != 0:
			for j < len(s) && class[s[j]]&(cIdent|cDigit) != 0 {
				j++
			}
		case strings.HasPrefix(s[i:], "->"):
			j++
		}
		words = append(words, s[i:j])
		i = j
	}
	return words
}

func (b *ruleBuilder) peek() string {
	if b.pos < len(b.words) {
		return b.words[b.pos]
	}
	return ""
}

func (b *ruleBuilder) word() string {
	w := b.peek()
	b.pos++
	return w
}

func (b *ruleBuilder) alternatives() (list []*alternative) {
	for {
		a := &alternative{}
		for w := b.peek(); w != "" && w != "|" && w != ")" && w != "->"; w = b.peek() {
			a.items = append(a.items, b.item())
		}
		if b.peek() == "->" {
			b.word()
			b.action(a)
		}
		a.bad = len(a.items) == 1 && a.items[0].op == opRule && strings.HasPrefix(a.items[0].rule.name, "bad_")
		list = append(list, a)
		if b.peek() != "|" {
			return list
		}
		b.word()
	}
}

func (b *ruleBuilder) item() *item {
	switch b.peek() {
	case "&":
		b.word()
		return &item{op: opAhead, item: b.item()}
	case "!":
		b.word()
		return &item{op: opNot, item: b.item()}
	case "~":
		b.word()
		return &item{op: opCut}
	case "^":
		b.word()
		it := b.item()
		it.op = opForce
		return it
	}
	name := byte(0)
	if b.pos+1 < len(b.words) && b.words[b.pos+1] == ":" {
		name = b.word()[0]
		b.word()
	}
	it := b.suffix(b.atom())
	it.name = name
	return it
}

func (b *ruleBuilder) suffix(it *item) *item {
	switch b.peek() {
	case "?":
		it = &item{op: opOptional, item: it}
	case "*":
		it = &item{op: opStar, item: it}
	case "+":
		it = &item{op: opPlus, item: it}
	case "%":
		b.word()
		return &item{op: opGather, item: it, typ: tok(strings.Trim(b.word(), "'"))}
	default:
		return it
	}
	b.word()
	return it
}

var ruleTokens = map[string]lexer.TokenType{"NAME": tIdent, "NUMBER": tNumber, "STRING": tString, "NEWLINE": tNewline,
	"INDENT": tIndent, "DEDENT": tDedent, "EOF": tEOF}

func (b *ruleBuilder) atom() *item {
	w := b.word()
	switch {
	case w == "(":
		alts := b.alternatives()
		b.word()
		return &item{op: opChoice, alts: alts}
	case w[0] == '\'':
		text := strings.Trim(w, "'")
		return &item{op: opToken, typ: tok(text), text: text}
	case w[0] == '"':
		return &item{op: opSoft, text: strings.Trim(w, `"`)}
	case w == "SOFT":
		return &item{op: opAnySoft}
	case ruleTokens[w] != 0:
		return &item{op: opToken, typ: ruleTokens[w]}
	}
	return &item{op: opRule, rule: b.rule(w)}
}

func (b *ruleBuilder) action(a *alternative) {
	w := b.word()
	text := func() string {
		s := b.word()
		return strings.ReplaceAll(s[1:len(s)-1], `\"`, `"`)
	}
	switch w {
	case "at":
		part := b.word()[0]
		a.action = reportRange(part, part, text())
	case "range":
		from, to := b.word()[0], b.word()[0]
		a.action = reportRange(from, to, text())
	case "from":
		b.word()
		a.action = reportFrom(text())
	case "here":
		a.action = reportHere("SyntaxError", text())
	case "indent":
		a.action = reportHere("IndentationError", text())
	case "call":
		name := b.word()
		if a.action = actions[name]; a.action == nil {
			panic("tfs bug: no action " + name)
		}
	default:
		if len(w) == 1 {
			a.part = w[0]
		} else {
			a.kind = w
		}
	}
}

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
	toks    []token
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
func (p *peg) token() *token {
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
	return len(n.kids) > 0 && n.first == n.kids[0].first
}

func (p *peg) item(it *item) *node {
	switch it.op {
	case opToken:
		if p.token().typ != it.typ && !(it.typ == tIdent && (p.token().typ == tMatch || p.token().typ == tCase)) {
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
		if p.token().typ != it.typ {
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
	t := p.token().typ
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
			if p.token().typ != it.typ {
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
