package ast

// Operator is the operator of a BinOp or AugAssign.
type Operator uint8

// The binary operators.
const (
	Add Operator = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// BoolOperator is the operator of a BoolOp.
type BoolOperator uint8

// The boolean operators.
const (
	And BoolOperator = iota
	Or
)

// UnaryOperator is the operator of a UnaryOp.
type UnaryOperator uint8

// The unary operators.
const (
	Invert UnaryOperator = iota
	Not
	UAdd
	USub
)

// CmpOp is one operator of a Compare.
type CmpOp uint8

// The comparisons.
const (
	Eq CmpOp = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

type opName struct{ class, symbol string }

var (
	operators = [...]opName{{"Add", "+"}, {"Sub", "-"}, {"Mult", "*"}, {"MatMult", "@"}, {"Div", "/"}, {"Mod", "%"}, {"Pow", "**"},
		{"LShift", "<<"}, {"RShift", ">>"}, {"BitOr", "|"}, {"BitXor", "^"}, {"BitAnd", "&"}, {"FloorDiv", "//"}}
	boolOperators  = [...]opName{{"And", "and"}, {"Or", "or"}}
	unaryOperators = [...]opName{{"Invert", "~"}, {"Not", "not"}, {"UAdd", "+"}, {"USub", "-"}}
	cmpOps         = [...]opName{{"Eq", "=="}, {"NotEq", "!="}, {"Lt", "<"}, {"LtE", "<="}, {"Gt", ">"}, {"GtE", ">="},
		{"Is", "is"}, {"IsNot", "is not"}, {"In", "in"}, {"NotIn", "not in"}}
	ctxs = [...]string{"Load", "Store", "Del"}
)

// String returns the operator as written in source.
func (o Operator) String() string { return operators[o].symbol }

// String returns the operator as written in source.
func (o BoolOperator) String() string { return boolOperators[o].symbol }

// String returns the operator as written in source.
func (o UnaryOperator) String() string { return unaryOperators[o].symbol }

// String returns the operator as written in source.
func (o CmpOp) String() string { return cmpOps[o].symbol }

// String returns the name of the context in CPython's tree.
func (c Ctx) String() string { return ctxs[c] }

// Class is the name of the node class that stands for the operator in CPython.
func (o Operator) Class() string { return operators[o].class }

// Class is the name of the node class in CPython.
func (o BoolOperator) Class() string { return boolOperators[o].class }

// Class is the name of the node class in CPython.
func (o UnaryOperator) Class() string { return unaryOperators[o].class }

// Class is the name of the node class in CPython.
func (o CmpOp) Class() string { return cmpOps[o].class }

// Class is the name of the node class in CPython.
func (c Ctx) Class() string { return ctxs[c] }
