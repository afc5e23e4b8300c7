package lang

import (
	"math"
	"math/big"
	"strings"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// The binary and unary operators, named for Go code.
const (
	OpAdd      = code.OpAdd
	OpSub      = code.OpSub
	OpMul      = code.OpMul
	OpDiv      = code.OpDiv
	OpFloorDiv = code.OpFloorDiv
	OpMod      = code.OpMod
	OpPow      = code.OpPow
	OpMatMul   = code.OpMatMul
	OpLShift   = code.OpLShift
	OpRShift   = code.OpRShift
	OpAnd      = code.OpAnd
	OpOr       = code.OpOr
	OpXor      = code.OpXor
	OpDivmod   = code.OpDivmod

	OpNeg    = code.OpNeg
	OpPos    = code.OpPos
	OpInvert = code.OpInvert
	OpNot    = code.OpNot
	OpAbs    = code.OpAbs
)

var binaryText = [...]string{"+", "-", "*", "/", "//", "%", "** or pow()", "@", "<<", ">>", "&", "|", "^", "divmod()"}
var binaryName = [...]string{"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and", "or", "xor", "divmod"}
var unaryName = [...]string{"__neg__", "__pos__", "__invert__", "", "__abs__"}

// BinaryOperation is a op b with all of Python's rules.
func BinaryOperation(th *Thread, op BinaryOp, a, b Value) (Value, error) {
	return th.binary(op, a, b, 0)
}

// InPlaceOperation is what `a op= b` assigns to a.
func InPlaceOperation(th *Thread, op BinaryOp, a, b Value) (Value, error) {
	return th.inPlace(op, a, b, 0)
}

func (th *Thread) inPlace(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if ip := ClassOf(a).InPlace; ip != nil {
		r, err := ip(th, op, a, b, dying)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	r, err := th.tryBinary(op, a, b, dying)
	if err == nil && r.IsNotImplemented() {
		err = binaryError(th, op, a, b, true)
	}
	return r, err
}

func (th *Thread) binary(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	r, err := th.tryBinary(op, a, b, dying)
	if err == nil && r.IsNotImplemented() {
		err = binaryError(th, op, a, b, false)
	}
	return r, err
}

// tryBinary asks the classes of both operands, the right one first when it is a
// subclass of the left one's.
func (th *Thread) tryBinary(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if a.P == nil && b.P == nil {
		return intBinary(th, op, a.Int64(), b.Int64())
	}
	ca, cb := ClassOf(a), ClassOf(b)
	if ca.Flags&classDunderBinary|cb.Flags&classDunderBinary != 0 {
		return th.dunderBinary(op, a, b, dying)
	}
	first, second := ca.Binary, cb.Binary
	if ca == cb {
		second = nil
	} else if cb.IsSub(ca) {
		first, second = second, first
	}
	if first != nil {
		r, err := first(th, op, a, b, dying)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if second != nil {
		return second(th, op, a, b, dying)
	}
	return NotImplemented, nil
}

func binaryError(th *Thread, op BinaryOp, a, b Value, inPlace bool) error {
	text := binaryText[op]
	if inPlace {
		text = strings.TrimSuffix(text, " or pow()") + "="
	}
	if op == OpAdd || op == OpMul {
		if err := sequenceError(th, op, a, b); err != nil {
			return err
		}
	}
	if op == OpRShift && !inPlace && ClassOf(a) == NativeClass {
		if f := (*NativeFunc)(a.P); f.Name.s == "print" {
			return th.TypeErrorf(`unsupported operand type(s) for >>: '%s' and '%s'. Did you mean "print(<message>, file=<output_stream>)"?`, TypeName(a), TypeName(b))
		}
	}
	return th.TypeErrorf("unsupported operand type(s) for %s: '%s' and '%s'", text, TypeName(a), TypeName(b))
}

// sequenceError words what + and * say of sequences.
func sequenceError(th *Thread, op BinaryOp, a, b Value) error {
	if op == OpMul {
		if isSequence(a) && !HasIndex(b) {
			return th.TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(b))
		}
		if isSequence(b) && !HasIndex(a) {
			return th.TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(a))
		}
		return nil
	}
	if _, ok := AsStr(a); ok {
		return th.TypeErrorf(`can only concatenate str (not "%s") to str`, TypeName(b))
	}
	if _, ok := AsList(a); ok {
		return th.TypeErrorf(`can only concatenate list (not "%s") to list`, TypeName(b))
	}
	if _, ok := AsTuple(a); ok {
		return th.TypeErrorf(`can only concatenate tuple (not "%s") to tuple`, TypeName(b))
	}
	if _, ok := AsBytes(a); ok {
		return th.TypeErrorf("can't concat %s to bytes", TypeName(b))
	}
	if _, ok := AsByteArray(a); ok {
		return th.TypeErrorf("can't concat %s to bytearray", TypeName(b))
	}
	return nil
}

func isSequence(v Value) bool {
	switch payload(v).Kind() {
	case value.KindStr, value.KindList, value.KindTuple, value.KindBytes, value.KindByteArray:
		return true
	}
	return false
}

// UnaryOperation is -v, +v, ~v, not v or abs(v).
func UnaryOperation(th *Thread, op UnaryOp, v Value) (Value, error) {
	if op == OpNot {
		t, err := Truth(th, v)
		return Bool(!t), err
	}
	c := ClassOf(v)
	if c.Unary != nil {
		r, err := c.Unary(th, op, v)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if op == OpAbs {
		return Unbound, th.TypeErrorf("bad operand type for abs(): '%s'", c.Name)
	}
	return Unbound, th.TypeErrorf("bad operand type for unary %s: '%s'", [...]string{"-", "+", "~"}[op], c.Name)
}

func numberUnary(th *Thread, op UnaryOp, v Value) (Value, error) {
	v = number(v)
	if v.IsFloat() {
		return floatUnary(op, v.Float64()), nil
	}
	if v.P == nil && v.Int64() != math.MinInt64 {
		i := v.Int64()
		switch op {
		case OpNeg:
			return Int(-i), nil
		case OpInvert:
			return Int(^i), nil
		case OpAbs:
			return Int(abs64(i)), nil
		}
		return v, nil
	}
	b, _ := AsBig(v)
	switch op {
	case OpNeg:
		return BigInt(new(big.Int).Neg(b)), nil
	case OpInvert:
		return BigInt(new(big.Int).Not(b)), nil
	case OpAbs:
		return BigInt(new(big.Int).Abs(b)), nil
	}
	return v, nil
}

func floatUnary(op UnaryOp, f float64) Value {
	switch op {
	case OpNeg:
		return Float(-f)
	case OpPos:
		return Float(f)
	case OpAbs:
		return Float(math.Abs(f))
	}
	return NotImplemented
}

func complexUnary(th *Thread, op UnaryOp, v Value) (Value, error) {
	c, _ := AsComplex(v)
	switch op {
	case OpNeg:
		return NewComplex(-c), nil
	case OpPos:
		return NewComplex(c), nil
	case OpAbs:
		h := hypot(real(c), imag(c))
		if math.IsInf(h, 0) && !math.IsInf(real(c), 0) && !math.IsInf(imag(c), 0) {
			return Unbound, th.Raise(OverflowError, "absolute value too large")
		}
		return Float(h), nil
	}
	return NotImplemented, nil
}
