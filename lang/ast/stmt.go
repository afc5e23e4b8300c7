package ast

// FunctionDef is def. Its span begins at the word def; decorators stand before it.
type FunctionDef struct {
	Span
	Name          string
	Args          *Arguments
	Body          []Stmt
	DecoratorList []Expr
	Returns       Expr
}

// AsyncFunctionDef is async def.
type AsyncFunctionDef struct {
	Span
	Name          string
	Args          *Arguments
	Body          []Stmt
	DecoratorList []Expr
	Returns       Expr
}

// ClassDef is a class statement.
type ClassDef struct {
	Span
	Name          string
	Bases         []Expr
	Keywords      []*Keyword
	Body          []Stmt
	DecoratorList []Expr
}

// Return is a return statement; Value is nil for a bare one.
type Return struct {
	Span
	Value Expr
}

// Delete is a del statement.
type Delete struct {
	Span
	Targets []Expr
}

// Assign is t1 = t2 = value.
type Assign struct {
	Span
	Targets []Expr
	Value   Expr
}

// AugAssign is target op= value.
type AugAssign struct {
	Span
	Target Expr
	Op     Operator
	Value  Expr
}

// AnnAssign is target: annotation [= value]; Simple holds for a bare name
// without parentheses.
type AnnAssign struct {
	Span
	Target     Expr
	Annotation Expr
	Value      Expr
	Simple     bool
}

// For is a for loop.
type For struct {
	Span
	Target Expr
	Iter   Expr
	Body   []Stmt
	Orelse []Stmt
}

// AsyncFor is async for.
type AsyncFor struct {
	Span
	Target Expr
	Iter   Expr
	Body   []Stmt
	Orelse []Stmt
}

// While is a while loop.
type While struct {
	Span
	Test   Expr
	Body   []Stmt
	Orelse []Stmt
}

// If is an if statement; elif is an If alone in Orelse.
type If struct {
	Span
	Test   Expr
	Body   []Stmt
	Orelse []Stmt
}

// With is a with statement.
type With struct {
	Span
	Items []*WithItem
	Body  []Stmt
}

// AsyncWith is async with.
type AsyncWith struct {
	Span
	Items []*WithItem
	Body  []Stmt
}

// Match is a match statement.
type Match struct {
	Span
	Subject Expr
	Cases   []*MatchCase
}

// Raise is raise [exc [from cause]].
type Raise struct {
	Span
	Exc   Expr
	Cause Expr
}

// Try is a try statement with except clauses.
type Try struct {
	Span
	Body      []Stmt
	Handlers  []*ExceptHandler
	Orelse    []Stmt
	Finalbody []Stmt
}

// TryStar is a try statement with except* clauses.
type TryStar struct {
	Span
	Body      []Stmt
	Handlers  []*ExceptHandler
	Orelse    []Stmt
	Finalbody []Stmt
}

// Assert is an assert statement.
type Assert struct {
	Span
	Test Expr
	Msg  Expr
}

// Import is an import statement.
type Import struct {
	Span
	Names []*Alias
}

// ImportFrom is from module import names; Level counts the leading dots and
// Module is empty in from . import x.
type ImportFrom struct {
	Span
	Module string
	Names  []*Alias
	Level  int
}

// Global is a global statement.
type Global struct {
	Span
	Names []string
}

// Nonlocal is a nonlocal statement.
type Nonlocal struct {
	Span
	Names []string
}

// ExprStmt is an expression used as a statement (Expr in CPython).
type ExprStmt struct {
	Span
	Value Expr
}

// Pass is a pass statement.
type Pass struct{ Span }

// Break is a break statement.
type Break struct{ Span }

// Continue is a continue statement.
type Continue struct{ Span }

func (*FunctionDef) stmt()      {}
func (*AsyncFunctionDef) stmt() {}
func (*ClassDef) stmt()         {}
func (*Return) stmt()           {}
func (*Delete) stmt()           {}
func (*Assign) stmt()           {}
func (*AugAssign) stmt()        {}
func (*AnnAssign) stmt()        {}
func (*For) stmt()              {}
func (*AsyncFor) stmt()         {}
func (*While) stmt()            {}
func (*If) stmt()               {}
func (*With) stmt()             {}
func (*AsyncWith) stmt()        {}
func (*Match) stmt()            {}
func (*Raise) stmt()            {}
func (*Try) stmt()              {}
func (*TryStar) stmt()          {}
func (*Assert) stmt()           {}
func (*Import) stmt()           {}
func (*ImportFrom) stmt()       {}
func (*Global) stmt()           {}
func (*Nonlocal) stmt()         {}
func (*ExprStmt) stmt()         {}
func (*Pass) stmt()             {}
func (*Break) stmt()            {}
func (*Continue) stmt()         {}
