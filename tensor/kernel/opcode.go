package kernel

// UnaryOp names an element-wise function of one operand.
type UnaryOp uint8

// The unary functions.
const (
	Neg UnaryOp = iota
	Abs
	Sign
	Square
	Relu
	Relu6
	Reciprocal
	Sqrt
	Rsqrt
	Floor
	Ceil
	Round // half to even
	Trunc
	Exp
	Log
	Tanh
	Sigmoid
	Expm1
	Log1p
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Asinh
	Acosh
	Atanh
	Elu
	Selu
	Softplus
	Softsign
	Silu
	LogSigmoid
	Erf
	Erfc
	Erfinv
	Ndtri
	Lgamma
	Digamma
	Exp2
	Cbrt
	BesselI0e
	BesselI1e
	unaryOps
)

// BinaryOp names an element-wise function of two operands of one type.
type BinaryOp uint8

// The binary functions. FloorDiv and FloorMod follow Python's signs.
const (
	Add BinaryOp = iota
	Sub
	Mul
	Div // integers: toward zero
	Maximum
	Minimum
	SquaredDifference
	FloorDiv
	FloorMod
	TruncDiv
	TruncMod
	Pow
	Atan2
	Hypot
	NextAfter
	DivNoNan
	MulNoNan
	Xlogy
	Xlog1py
	Xdivy
	LogAddExp
	ReluGrad // gradient, feature
	Relu6Grad
	EluGrad // gradient, output
	SeluGrad
	SoftplusGrad // gradient, feature
	SoftsignGrad
	TanhGrad // output, gradient
	SigmoidGrad
	SqrtGrad
	RsqrtGrad
	ReciprocalGrad
	Igamma // lower regularised incomplete gamma of (a, x)
	Igammac
	Zeta
	Polygamma
	binaryOps
)

// CompareOp names a comparison.
type CompareOp uint8

// The comparisons.
const (
	Equal CompareOp = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
)

// BitOp names a bitwise function of two integers.
type BitOp uint8

// The bitwise functions.
const (
	BitAnd BitOp = iota
	BitOr
	BitXor
	ShiftLeft
	ShiftRight
)

// LogicOp names a function of two booleans.
type LogicOp uint8

// The logical functions.
const (
	LogicalAnd LogicOp = iota
	LogicalOr
	LogicalXor
)

// TestOp names a predicate of a number.
type TestOp uint8

// The predicates.
const (
	IsNan TestOp = iota
	IsInf
	IsFinite
)
