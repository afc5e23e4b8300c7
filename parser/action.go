package parser

import (
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/lang/ast"
)

// part returns the part that an action calls by the letter.
func part(parts *[2]*node, name byte) *node { return parts[name-'a'] }

// reportRange is the action that reports an error from one part to another.
func reportRange(from, to byte, text string) action {
	return func(p *peg, parts *[2]*node, _ *node) *node {
		a, b := part(parts, from), part(parts, to)
		panic(p.errorRange("SyntaxError", a, b, p.fillIn(text, a)))
	}
}

func (p *peg) fillIn(text string, a *node) string {
	if strings.Contains(text, "{a}") {
		text = strings.ReplaceAll(text, "{a}", p.describe(a))
	}
	return text
}

// reportFrom reports an error from part a to where the scanner stands.
func reportFrom(text string) action {
	return func(p *peg, parts *[2]*node, _ *node) *node {
		a, t := p.toks[parts[0].first], p.toks[p.fill-1]
		panic(p.errorAt("SyntaxError", text, place{int(a.line), int(a.col) + 1, int(t.eline), t.cursor - t.bol0}))
	}
}

// reportHere reports an error at the last token read; the text may want the
// line of part a.
func reportHere(class, text string) action {
	return func(p *peg, parts *[2]*node, _ *node) *node {
		msg := text
		if parts[0] != nil {
			msg = fmt.Sprintf(text, p.toks[parts[0].first].line)
		}
		panic(p.errorHere(class, msg))
	}
}

// actions look closer at what a rule has matched.
var actions map[string]action

func init() {
	actions = map[string]action{
		"strings": parseStrings, "number": checkNumber, "complex": checkComplex, "real": checkReal,
		"bareGenerator": bareGenerator, "positional": positional, "legacy": legacy, "comma": missingComma,
		"target": badTarget("assign to", false), "forTarget": badTarget("assign to", true), "delTarget": badTarget("delete", false),
		"parens": missingParens, "colon": missingColon,
	}
}

// parseStrings checks the contents of string literals.
func parseStrings(p *peg, _ *[2]*node, n *node) *node {
	parts, formatted := make([]stringPart, 0, 1), false
	for i := n.first; i <= n.last; i++ {
		t := p.toks[i]
		parts = append(parts, stringPart{p.text(i), int(t.line), int(t.col)})
		formatted = formatted || splitLiteral(p.text(i)).formatted
	}
	compile := func(f fragment) (ast.Expr, error) {
		if err := explainFragment(f, p); err != nil {
			panic(err)
		}
		return nil, nil
	}
	if _, err := concatenate(parts, ast.Span{}, compile); err != nil {
		if strings.HasPrefix(err.Error(), "bytes can only") {
			panic(p.errorRange("SyntaxError", p.failedLiteral(n, parts), nil, err.Error()))
		}
		panic(p.errorHere("SyntaxError", err.Error()))
	}
	if n.kind = "Constant"; formatted {
		n.kind = "JoinedStr"
	}
	return n
}

// failedLiteral finds the bytes literal with characters beyond ASCII.
func (p *peg) failedLiteral(n *node, parts []stringPart) *node {
	for i, s := range parts {
		l := splitLiteral(s.text)
		if _, msg := decode(l.body, l.bytes, l.raw); msg != "" {
			return &node{first: n.first + i, last: n.first + i}
		}
	}
	return n
}

func checkNumber(p *peg, _ *[2]*node, n *node) *node {
	n.kind = "Constant"
	text := strings.ReplaceAll(p.text(n.first), "_", "")
	if len(text) > maxIntDigits && allDigits(text) {
		line := int(p.toks[n.first].line)
		panic(p.errorAt("SyntaxError", fmt.Sprintf("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
			"use sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
			maxIntDigits, len(text)), place{line, 0, line, 0}))
	}
	return n
}

// imaginary tells whether a number is.
func (p *peg) imaginary(i int) bool { return strings.ContainsAny(p.text(i), "jJ") }

// checkReal wants a real number before a sign.
func checkReal(p *peg, _ *[2]*node, n *node) *node {
	if p.imaginary(n.last) {
		t := &node{first: n.last, last: n.last}
		panic(p.errorRange("SyntaxError", t, t, "real number required in complex literal"))
	}
	n.kind = "Number"
	return n
}

// checkComplex wants an imaginary number behind the sign.
func checkComplex(p *peg, _ *[2]*node, n *node) *node {
	if !p.imaginary(n.last) {
		t := &node{first: n.last, last: n.last}
		panic(p.errorRange("SyntaxError", t, t, "imaginary number required in complex literal"))
	}
	n.kind = "Constant"
	return n
}

// bareGenerator is f(a, x for x in y).
func bareGenerator(p *peg, parts *[2]*node, _ *node) *node {
	var args []*node
	for _, k := range parts[0].kids {
		if k.kind != "Keyword" && k.kind != "Mapping" && k.kind != "Token" {
			args = append(args, k)
		}
	}
	if len(args) <= 1 {
		return nil
	}
	panic(p.errorRange("SyntaxError", args[len(args)-1], parts[1], "Generator expression must be parenthesized"))
}

// positional is f(a=1, b).
func positional(p *peg, parts *[2]*node, _ *node) *node {
	msg := "positional argument follows keyword argument"
	for _, k := range parts[0].kids {
		if k.kind == "Mapping" {
			msg += " unpacking"
			break
		}
	}
	panic(p.errorHere("SyntaxError", msg))
}

// isLegacy tells whether a is a name that was a statement in Python 2.
func (p *peg) isLegacy(a *node) bool {
	if a.kind != "Name" && a.kind != "Token" || a.first != a.last {
		return false
	}
	name := p.text(a.first)
	return name == "print" || name == "exec"
}

func legacy(p *peg, parts *[2]*node, _ *node) *node {
	if !p.isLegacy(parts[0]) {
		return nil
	}
	name := p.text(parts[0].first)
	panic(p.errorRange("SyntaxError", parts[0], parts[1], fmt.Sprintf("Missing parentheses in call to '%s'. Did you mean %s(...)?", name, name)))
}

// missingComma is two expressions in a row inside brackets.
func missingComma(p *peg, parts *[2]*node, _ *node) *node {
	if p.isLegacy(parts[0]) || p.toks[p.pos-1].level == 0 {
		return nil
	}
	panic(p.errorRange("SyntaxError", parts[0], parts[1], "invalid syntax. Perhaps you forgot a comma?"))
}

// badTarget reports the first part of a that can't be bound.
func badTarget(verb string, loop bool) action {
	return func(p *peg, parts *[2]*node, _ *node) *node {
		bad := invalidTarget(parts[0], verb == "delete", loop)
		if bad == nil {
			return nil
		}
		panic(p.errorRange("SyntaxError", bad, bad, "cannot "+verb+" "+p.describe(bad)))
	}
}

func invalidTarget(n *node, del, loop bool) *node {
	switch n.kind {
	case "List", "Tuple":
		for _, k := range n.kids {
			if k.kind == "Token" {
				continue
			}
			if bad := invalidTarget(k, del, loop); bad != nil {
				return bad
			}
		}
		return nil
	case "Starred":
		if del {
			return n
		}
		return invalidTarget(n.kids[len(n.kids)-1], del, loop)
	case "Compare":
		switch {
		case !loop:
			return n
		case n.kids[1].kind == "In":
			return invalidTarget(n.kids[0], del, loop)
		}
		return nil
	case "Name", "Attribute", "Subscript":
		return nil
	}
	return n
}

func missingParens(p *peg, parts *[2]*node, _ *node) *node {
	b := parts[1]
	if k := b.kids; len(k) > 0 {
		b = k[len(k)-1]
		if b.kind == "Token" && len(k) > 1 { // a comma behind the last
			b = k[len(k)-2]
		}
	}
	panic(p.errorRange("SyntaxError", parts[0], b, "did you forget parentheses around the comprehension target?"))
}

func missingColon(p *peg, parts *[2]*node, _ *node) *node {
	a, b := p.toks[parts[0].first], p.toks[parts[0].last]
	panic(p.errorAt("SyntaxError", "':' expected after dictionary key", place{int(a.line), int(b.ecol), int(b.eline), 0}))
}

// descriptions are what messages call expressions.
var descriptions = map[string]string{
	"Attribute": "attribute", "Subscript": "subscript", "Starred": "starred", "Name": "name", "List": "list", "Tuple": "tuple",
	"Lambda": "lambda", "Call": "function call", "BoolOp": "expression", "BinOp": "expression", "UnaryOp": "expression",
	"GeneratorExp": "generator expression", "Yield": "yield expression", "Await": "await expression", "ListComp": "list comprehension",
	"SetComp": "set comprehension", "DictComp": "dict comprehension", "Dict": "dict literal", "Set": "set display",
	"JoinedStr": "f-string expression", "Constant": "literal", "True": "True", "False": "False", "None": "None", "Ellipsis": "ellipsis",
	"Compare": "comparison", "IfExp": "conditional expression", "NamedExpr": "named expression",
}

func (p *peg) describe(n *node) string {
	if d := descriptions[n.kind]; d != "" {
		return d
	}
	return p.text(n.first)
}
