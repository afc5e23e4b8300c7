package ast

// BoolOp is a chain of one boolean operator: a and b and c is one node.
type BoolOp struct {
	Span
	Op     BoolOperator
	Values []Expr
}

// NamedExpr is (target := value); Target is a *Name.
type NamedExpr struct {
	Span
	Target Expr
	Value  Expr
}

// BinOp is left op right.
type BinOp struct {
	Span
	Left  Expr
	Op    Operator
	Right Expr
}

// UnaryOp is op operand.
type UnaryOp struct {
	Span
	Op      UnaryOperator
	Operand Expr
}

// Lambda is a lambda expression.
type Lambda struct {
	Span
	Args *Arguments
	Body Expr
}

// IfExp is body if test else orelse.
type IfExp struct {
	Span
	Test   Expr
	Body   Expr
	Orelse Expr
}

// Dict is a dict display; a nil key stands for **value.
type Dict struct {
	Span
	Keys   []Expr
	Values []Expr
}

// Set is a set display.
type Set struct {
	Span
	Elts []Expr
}

// ListComp is a list comprehension.
type ListComp struct {
	Span
	Elt        Expr
	Generators []*Comprehension
}

// SetComp is a set comprehension.
type SetComp struct {
	Span
	Elt        Expr
	Generators []*Comprehension
}

// DictComp is a dict comprehension.
type DictComp struct {
	Span
	Key        Expr
	Value      Expr
	Generators []*Comprehension
}

// GeneratorExp is a generator expression.
type GeneratorExp struct {
	Span
	Elt        Expr
	Generators []*Comprehension
}

// Await is await value.
type Await struct {
	Span
	Value Expr
}

// Yield is yield [value].
type Yield struct {
	Span
	Value Expr
}

// YieldFrom is yield from value.
type YieldFrom struct {
	Span
	Value Expr
}

// Compare is a chain of comparisons: left op0 c0 op1 c1.
type Compare struct {
	Span
	Left        Expr
	Ops         []CmpOp
	Comparators []Expr
}

// Call is a call; a starred argument is a Starred in Args, **value a Keyword
// without name.
type Call struct {
	Span
	Func     Expr
	Args     []Expr
	Keywords []*Keyword
}

// FormattedValue is one replacement field of an f-string. Conversion is the
// character after '!' or -1; FormatSpec is a *JoinedStr or nil.
type FormattedValue struct {
	Span
	Value      Expr
	Conversion int
	FormatSpec Expr
}

// JoinedStr is an f-string: Constants and FormattedValues in order.
type JoinedStr struct {
	Span
	Values []Expr
}

// Constant is a literal. Value is nil for None, else a bool, int64, *big.Int
// (beyond int64), float64, complex128, string, Bytes or Ellipsis. Kind is "u"
// for a string written with that prefix.
//
// A string is UTF-8, except that the lone surrogates which escapes such as
// "\ud800" make are three bytes each, encoded by the same scheme (WTF-8).
type Constant struct {
	Span
	Value any
	Kind  string
}

// Bytes is the value of a bytes literal.
type Bytes string

// Ellipsis is the value of the literal "...".
type Ellipsis struct{}

// Attribute is value.attr.
type Attribute struct {
	Span
	Value Expr
	Attr  string
	Ctx   Ctx
}

// Subscript is value[slice].
type Subscript struct {
	Span
	Value Expr
	Slice Expr
	Ctx   Ctx
}

// Starred is *value in a call, display or target.
type Starred struct {
	Span
	Value Expr
	Ctx   Ctx
}

// Name is a name. Equal Ids of one parse share their bytes, except in f-strings.
type Name struct {
	Span
	Id  string
	Ctx Ctx
}

// List is a list display or target.
type List struct {
	Span
	Elts []Expr
	Ctx  Ctx
}

// Tuple is a tuple display or target; its span includes its parentheses.
type Tuple struct {
	Span
	Elts []Expr
	Ctx  Ctx
}

// Slice is lower:upper:step inside a Subscript.
type Slice struct {
	Span
	Lower Expr
	Upper Expr
	Step  Expr
}

func (*BoolOp) expr()         {}
func (*NamedExpr) expr()      {}
func (*BinOp) expr()          {}
func (*UnaryOp) expr()        {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Dict) expr()           {}
func (*Set) expr()            {}
func (*ListComp) expr()       {}
func (*SetComp) expr()        {}
func (*DictComp) expr()       {}
func (*GeneratorExp) expr()   {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*YieldFrom) expr()      {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*FormattedValue) expr() {}
func (*JoinedStr) expr()      {}
func (*Constant) expr()       {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Starred) expr()        {}
func (*Name) expr()           {}
func (*List) expr()           {}
func (*Tuple) expr()          {}
func (*Slice) expr()          {}
