package ast

import "strings"

// Span is the source range of a node: lines count from 1, columns are byte
// offsets in the UTF-8 line and count from 0; the end is exclusive.
type Span struct {
	Line, Col, EndLine, EndCol int32
}

// Where gives access to the span of a node through the Node interface.
func (s *Span) Where() *Span { return s }

// Cut returns the text of the range in the source that was parsed.
func (s *Span) Cut(src string) string {
	from := offset(src, s.Line, s.Col)
	return src[from:max(from, offset(src, s.EndLine, s.EndCol))]
}

// offset finds a place, or the end of the source if there is no such place.
func offset(src string, line, col int32) int {
	at := 0
	for ; line > 1; line-- {
		i := strings.IndexByte(src[at:], '\n')
		if i < 0 {
			return len(src)
		}
		at += i + 1
	}
	return min(at+int(col), len(src))
}

// Node is any node of the tree.
type Node interface {
	// Where returns the node's own span; it is never nil.
	Where() *Span
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// Pattern is a pattern of a case clause.
type Pattern interface {
	Node
	pattern()
}

// Ctx says what is done with a name, attribute, subscript, list or tuple.
type Ctx uint8

// The contexts.
const (
	Load Ctx = iota
	Store
	Del
)

// Module is a whole file (mode exec). Doubtful are those statements of Body in
// which there may be something to warn of.
type Module struct {
	Span
	Body     []Stmt
	Doubtful []Stmt
}

// Interactive is one statement typed at a prompt, or several on one line.
type Interactive struct {
	Span
	Body []Stmt
}

// Expression is a lone expression (mode eval).
type Expression struct {
	Span
	Body Expr
}

// Arguments are the parameters of a function or lambda. Defaults belong to the
// last of Posonlyargs and Args together; KwDefaults is as long as Kwonlyargs
// and holds nil for a parameter without default.
type Arguments struct {
	Span
	Posonlyargs []*Arg
	Args        []*Arg
	Vararg      *Arg
	Kwonlyargs  []*Arg
	KwDefaults  []Expr
	Kwarg       *Arg
	Defaults    []Expr
}

// Arg is one parameter.
type Arg struct {
	Span
	Arg        string
	Annotation Expr
}

// Keyword is a keyword argument of a call or class; Arg is empty for **value.
type Keyword struct {
	Span
	Arg   string
	Value Expr
}

// Alias is one imported name.
type Alias struct {
	Span
	Name   string
	Asname string
}

// WithItem is one context manager of a with statement.
type WithItem struct {
	Span
	ContextExpr  Expr
	OptionalVars Expr
}

// Comprehension is one for clause of a comprehension with its conditions.
type Comprehension struct {
	Span
	Target  Expr
	Iter    Expr
	Ifs     []Expr
	IsAsync bool
}

// ExceptHandler is one except clause.
type ExceptHandler struct {
	Span
	Type Expr
	Name string
	Body []Stmt
}

// MatchCase is one case clause.
type MatchCase struct {
	Span
	Pattern Pattern
	Guard   Expr
	Body    []Stmt
}
