package parser

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang/ast"
)

// patternState is what is known of a case clause while its pattern is checked.
type patternState struct {
	names       map[string]bool
	irrefutable bool      // a pattern that always matches may stand here
	at          *ast.Span // of the last pattern looked at: CPython's place of errors
}

func (c *checker) match(s *ast.Match) {
	c.expr(s.Subject)
	for i, k := range s.Cases {
		c.pat = patternState{names: map[string]bool{}, irrefutable: k.Guard != nil || i == len(s.Cases)-1}
		c.pattern(k.Pattern)
		c.expr(k.Guard)
		c.stmts(k.Body)
	}
}

func (c *checker) pattern(p ast.Pattern) {
	c.pat.at = p.Where()
	switch p := p.(type) {
	case *ast.MatchValue:
		if !isPatternValue(p.Value) {
			stopAt(&p.Span, "patterns may only match literals and attribute lookups")
		}
	case *ast.MatchSequence:
		c.sequencePattern(p)
	case *ast.MatchMapping:
		c.mappingPattern(p)
	case *ast.MatchClass:
		c.classPattern(p)
	case *ast.MatchStar:
		c.capture(p.Name)
	case *ast.MatchAs:
		c.asPattern(p)
	case *ast.MatchOr:
		c.orPattern(p)
	}
}

func (c *checker) subPatterns(list []ast.Pattern) {
	old := c.pat.irrefutable
	c.pat.irrefutable = true
	for _, p := range list {
		c.pattern(p)
	}
	c.pat.irrefutable = old
}

// capture binds a name.
func (c *checker) capture(name string) {
	if name == "" {
		return
	}
	c.store(name, c.pat.at)
	if c.pat.names[name] {
		stopAt(c.pat.at, "multiple assignments to name %s in pattern", ast.Repr(name))
	}
	c.pat.names[name] = true
}

func (c *checker) asPattern(p *ast.MatchAs) {
	if p.Pattern != nil {
		c.pattern(p.Pattern)
	} else if !c.pat.irrefutable {
		if p.Name == "" {
			stopAt(&p.Span, "wildcard makes remaining patterns unreachable")
		}
		stopAt(&p.Span, "name capture %s makes remaining patterns unreachable", ast.Repr(p.Name))
	}
	c.capture(p.Name)
}

// orPattern wants the same names from each alternative.
func (c *checker) orPattern(p *ast.MatchOr) {
	outer, last := c.pat.names, c.pat.irrefutable
	var first map[string]bool
	for i, alt := range p.Patterns {
		c.pat.names = map[string]bool{}
		c.pat.irrefutable = last && i == len(p.Patterns)-1
		c.pattern(alt)
		switch {
		case first == nil:
			first = c.pat.names
		case !sameNames(first, c.pat.names):
			stopAt(c.pat.at, "alternative patterns bind different names")
		}
	}
	c.pat.names, c.pat.irrefutable = outer, last
	for name := range first {
		c.capture(name)
	}
}

func sameNames(a, b map[string]bool) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return len(a) == len(b)
}

func (c *checker) sequencePattern(p *ast.MatchSequence) {
	stars := 0
	for _, x := range p.Patterns {
		if _, ok := x.(*ast.MatchStar); ok {
			stars++
		}
	}
	if stars > 1 {
		stopAt(&p.Span, "multiple starred names in sequence pattern")
	}
	c.subPatterns(p.Patterns)
}

func (c *checker) mappingPattern(p *ast.MatchMapping) {
	seen := map[any]bool{}
	for _, k := range p.Keys {
		if !isPatternValue(k) {
			stopAt(&p.Span, "mapping pattern keys may only match literals and attribute lookups")
		}
		if key, text := patternKey(k); key != nil {
			if seen[key] {
				stopAt(&p.Span, "mapping pattern checks duplicate key (%s)", text)
			}
			seen[key] = true
		}
	}
	c.subPatterns(p.Patterns)
	c.capture(p.Rest)
}

func (c *checker) classPattern(p *ast.MatchClass) {
	for i, name := range p.KwdAttrs {
		at := p.KwdPatterns[i].Where()
		c.store(name, at)
		for j, other := range p.KwdAttrs[i+1:] {
			if other == name {
				stopAt(p.KwdPatterns[i+1+j].Where(), "attribute name repeated in class pattern: %s", name)
			}
		}
	}
	c.subPatterns(p.Patterns)
	c.subPatterns(p.KwdPatterns)
}

// isPatternValue tells what a pattern may compare with: everything the grammar
// lets through but f-strings.
func isPatternValue(x ast.Expr) bool {
	_, formatted := x.(*ast.JoinedStr)
	return !formatted
}

// patternKey gives two keys of a mapping pattern the same value when they are
// equal in Python, and the key's repr. A dotted name has neither.
func patternKey(x ast.Expr) (key any, text string) {
	switch x := x.(type) {
	case *ast.Constant:
		return hashable(x.Value), ast.Repr(x.Value)
	case *ast.UnaryOp:
		v, text := x.Operand.(*ast.Constant).Value, "-"
		if v == int64(0) {
			text = ""
		}
		if _, ok := v.(complex128); ok {
			return hashable(negated(v)), "(-0-" + ast.Repr(v) + ")"
		}
		return hashable(negated(v)), text + ast.Repr(v)
	case *ast.BinOp:
		return complexKey(x)
	}
	return nil, ""
}

func negated(v any) any {
	switch v := v.(type) {
	case int64:
		return -v
	case *big.Int:
		return new(big.Int).Neg(v)
	case float64:
		return -v
	case complex128:
		return -v
	}
	return v
}

// hashable is equal for constants that are equal in Python.
func hashable(v any) any {
	switch v := v.(type) {
	case nil:
		return struct{}{}
	case bool:
		if v {
			return int64(1)
		}
		return int64(0)
	case *big.Int:
		if f, acc := new(big.Float).SetInt(v).Float64(); acc == big.Exact {
			return f
		}
		return "int " + v.String()
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
	case complex128:
		if imag(v) == 0 {
			return hashable(real(v))
		}
	case string:
		return "str " + v
	}
	return v
}

func complexKey(x *ast.BinOp) (any, string) {
	left, sign := x.Left, 1.0
	if u, ok := left.(*ast.UnaryOp); ok {
		left, sign = u.Operand, -1
	}
	re, im := 0.0, imag(x.Right.(*ast.Constant).Value.(complex128))
	switch v := left.(*ast.Constant).Value.(type) {
	case int64:
		re = sign * float64(v)
	case float64:
		re = sign * v
	}
	op := "+"
	if x.Op == ast.Sub {
		op = "-"
	}
	z := complex(re, im)
	if op == "-" {
		z = complex(re, -im)
	}
	whole := ast.Repr(complex(0, re))
	return hashable(z), "(" + whole[:len(whole)-1] + op + ast.Repr(complex(0, im)) + ")"
}
