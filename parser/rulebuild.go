package parser

import (
	"strings"
	"sync"
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
	typ  kind
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

var ruleTokens = map[string]kind{"NAME": tIdent, "NUMBER": tNumber, "STRING": tString, "NEWLINE": tNewline,
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
