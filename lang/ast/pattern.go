package ast

// MatchValue compares with a value by ==.
type MatchValue struct {
	Span
	Value Expr
}

// MatchSingleton compares with None, True or False by identity; Value is nil
// or a bool.
type MatchSingleton struct {
	Span
	Value any
}

// MatchSequence is [a, b] or (a, b).
type MatchSequence struct {
	Span
	Patterns []Pattern
}

// MatchMapping is {key: pattern, **rest}; Rest is empty when absent.
type MatchMapping struct {
	Span
	Keys     []Expr
	Patterns []Pattern
	Rest     string
}

// MatchClass is Cls(p, attr=p).
type MatchClass struct {
	Span
	Cls         Expr
	Patterns    []Pattern
	KwdAttrs    []string
	KwdPatterns []Pattern
}

// MatchStar is *name in a sequence; Name is empty for *_.
type MatchStar struct {
	Span
	Name string
}

// MatchAs is pattern as name, a capture (no Pattern), or the wildcard _ (neither).
type MatchAs struct {
	Span
	Pattern Pattern
	Name    string
}

// MatchOr is p | q.
type MatchOr struct {
	Span
	Patterns []Pattern
}

func (*MatchValue) pattern()     {}
func (*MatchSingleton) pattern() {}
func (*MatchSequence) pattern()  {}
func (*MatchMapping) pattern()   {}
func (*MatchClass) pattern()     {}
func (*MatchStar) pattern()      {}
func (*MatchAs) pattern()        {}
func (*MatchOr) pattern()        {}
