package kernel

import "errors"

// Signed is the signed integer element types.
type Signed interface{ int8 | int16 | int32 | int64 }

// Unsigned is the unsigned integer element types.
type Unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

// Int is the integer element types.
type Int interface{ Signed | Unsigned }

// Float is the floating point element types that Go computes in.
type Float interface{ float32 | float64 }

// Half is the 16-bit floating point types: stored as bits, computed in float32 and
// rounded after each op.
type Half interface{ Float16 | BFloat16 }

// Real is the ordered number types.
type Real interface{ Int | Float }

// Complex is the complex element types.
type Complex interface{ complex64 | complex128 }

// Num is the types with + - *.
type Num interface{ Real | Complex }

// Elem is every element type that has a kernel.
type Elem interface{ Num | Half | bool }

// ErrDivideByZero is what integer division and remainder report.
var ErrDivideByZero = errors.New("Integer division by zero")

// ErrNegativePower is what an integer power reports for a negative exponent.
var ErrNegativePower = errors.New("Integers to negative integer powers are not allowed")

// isFloat tells within a generic loop whether T is a floating point type.
func isFloat[T Real]() bool {
	var one, two T = 1, 2
	return one/two != 0
}

// isSigned tells whether T has negative values.
func isSigned[T Real]() bool {
	var zero, one T = 0, 1
	return zero-one < 0
}
