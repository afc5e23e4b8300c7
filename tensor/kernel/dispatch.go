package kernel

import "errors"

// The functions below choose the kernel by the type of their slices, for callers
// that hold elements of a type known only at run time. All slices of a call have one
// element type unless said otherwise.

// ErrNoKernel is returned where an element type has no such op.
var ErrNoKernel = errors.New("no kernel for this element type")

func supported(ok bool) error {
	if ok {
		return nil
	}
	return ErrNoKernel
}

// UnaryAny is Unary, UnaryHalf or UnaryComplex.
func UnaryAny(op UnaryOp, dst, x any) error {
	switch d := dst.(type) {
	case []int8:
		return supported(Unary(op, d, x.([]int8)))
	case []int16:
		return supported(Unary(op, d, x.([]int16)))
	case []int32:
		return supported(Unary(op, d, x.([]int32)))
	case []int64:
		return supported(Unary(op, d, x.([]int64)))
	case []uint8:
		return supported(Unary(op, d, x.([]uint8)))
	case []uint16:
		return supported(Unary(op, d, x.([]uint16)))
	case []uint32:
		return supported(Unary(op, d, x.([]uint32)))
	case []uint64:
		return supported(Unary(op, d, x.([]uint64)))
	case []float32:
		return supported(Unary(op, d, x.([]float32)))
	case []float64:
		return supported(Unary(op, d, x.([]float64)))
	case []Float16:
		return supported(UnaryHalf(op, d, x.([]Float16)))
	case []BFloat16:
		return supported(UnaryHalf(op, d, x.([]BFloat16)))
	case []complex64:
		return supported(UnaryComplex(op, d, x.([]complex64)))
	case []complex128:
		return supported(UnaryComplex(op, d, x.([]complex128)))
	}
	return ErrNoKernel
}

// BinaryAny is Binary, BinaryHalf or BinaryComplex; for booleans Mul is and,
// Maximum or, Minimum and.
func BinaryAny(op BinaryOp, dst, x, y any, p *Plan) error {
	switch d := dst.(type) {
	case []bool:
		return binaryBool(op, d, x.([]bool), y.([]bool), p)
	case []int8:
		return Binary(op, d, x.([]int8), y.([]int8), p)
	case []int16:
		return Binary(op, d, x.([]int16), y.([]int16), p)
	case []int32:
		return Binary(op, d, x.([]int32), y.([]int32), p)
	case []int64:
		return Binary(op, d, x.([]int64), y.([]int64), p)
	case []uint8:
		return Binary(op, d, x.([]uint8), y.([]uint8), p)
	case []uint16:
		return Binary(op, d, x.([]uint16), y.([]uint16), p)
	case []uint32:
		return Binary(op, d, x.([]uint32), y.([]uint32), p)
	case []uint64:
		return Binary(op, d, x.([]uint64), y.([]uint64), p)
	case []float32:
		return Binary(op, d, x.([]float32), y.([]float32), p)
	case []float64:
		return Binary(op, d, x.([]float64), y.([]float64), p)
	case []Float16:
		return BinaryHalf(op, d, x.([]Float16), y.([]Float16), p)
	case []BFloat16:
		return BinaryHalf(op, d, x.([]BFloat16), y.([]BFloat16), p)
	case []complex64:
		return supported(BinaryComplex(op, d, x.([]complex64), y.([]complex64), p))
	case []complex128:
		return supported(BinaryComplex(op, d, x.([]complex128), y.([]complex128), p))
	}
	return ErrNoKernel
}

func binaryBool(op BinaryOp, dst, x, y []bool, p *Plan) error {
	switch op {
	case Mul, Minimum:
		Logic(LogicalAnd, dst, x, y, p)
	case Add, Maximum:
		Logic(LogicalOr, dst, x, y, p)
	case Sub:
		Logic(LogicalXor, dst, x, y, p)
	default:
		return ErrNoKernel
	}
	return nil
}

// CompareAny is Compare, CompareHalf or Same; booleans compare as 0 and 1.
func CompareAny(op CompareOp, dst []bool, x, y any, p *Plan) error {
	switch x := x.(type) {
	case []bool:
		if op > NotEqual {
			return ErrNoKernel
		}
		Same(op, dst, x, y.([]bool), p)
	case []int8:
		Compare(op, dst, x, y.([]int8), p)
	case []int16:
		Compare(op, dst, x, y.([]int16), p)
	case []int32:
		Compare(op, dst, x, y.([]int32), p)
	case []int64:
		Compare(op, dst, x, y.([]int64), p)
	case []uint8:
		Compare(op, dst, x, y.([]uint8), p)
	case []uint16:
		Compare(op, dst, x, y.([]uint16), p)
	case []uint32:
		Compare(op, dst, x, y.([]uint32), p)
	case []uint64:
		Compare(op, dst, x, y.([]uint64), p)
	case []float32:
		Compare(op, dst, x, y.([]float32), p)
	case []float64:
		Compare(op, dst, x, y.([]float64), p)
	case []Float16:
		CompareHalf(op, dst, x, y.([]Float16), p)
	case []BFloat16:
		CompareHalf(op, dst, x, y.([]BFloat16), p)
	case []complex64:
		if op > NotEqual {
			return ErrNoKernel
		}
		Same(op, dst, x, y.([]complex64), p)
	case []complex128:
		if op > NotEqual {
			return ErrNoKernel
		}
		Same(op, dst, x, y.([]complex128), p)
	default:
		return ErrNoKernel
	}
	return nil
}

// ReduceAny is Reduce, ReduceHalf, ReduceComplex or, for booleans, ReduceBool with
// Max as any and Min as all.
func ReduceAny(op ReduceOp, dst, x any, outer, axis, inner int) error {
	switch d := dst.(type) {
	case []bool:
		fold := LogicalOr
		if op == Min || op == Prod {
			fold = LogicalAnd
		}
		ReduceBool(fold, d, x.([]bool), outer, axis, inner)
	case []int8:
		Reduce(op, d, x.([]int8), outer, axis, inner)
	case []int16:
		Reduce(op, d, x.([]int16), outer, axis, inner)
	case []int32:
		Reduce(op, d, x.([]int32), outer, axis, inner)
	case []int64:
		Reduce(op, d, x.([]int64), outer, axis, inner)
	case []uint8:
		Reduce(op, d, x.([]uint8), outer, axis, inner)
	case []uint16:
		Reduce(op, d, x.([]uint16), outer, axis, inner)
	case []uint32:
		Reduce(op, d, x.([]uint32), outer, axis, inner)
	case []uint64:
		Reduce(op, d, x.([]uint64), outer, axis, inner)
	case []float32:
		Reduce(op, d, x.([]float32), outer, axis, inner)
	case []float64:
		Reduce(op, d, x.([]float64), outer, axis, inner)
	case []Float16:
		ReduceHalf(op, d, x.([]Float16), outer, axis, inner)
	case []BFloat16:
		ReduceHalf(op, d, x.([]BFloat16), outer, axis, inner)
	case []complex64:
		if op == Max || op == Min {
			return ErrNoKernel
		}
		ReduceComplex(op, d, x.([]complex64), outer, axis, inner)
	case []complex128:
		if op == Max || op == Min {
			return ErrNoKernel
		}
		ReduceComplex(op, d, x.([]complex128), outer, axis, inner)
	default:
		return ErrNoKernel
	}
	return nil
}

// GemmAny is Gemm or GemmHalf (which doesn't accumulate).
func GemmAny(transA, transB bool, m, n, k int, a any, lda int, b any, ldb int, c any, ldc int) error {
	switch c := c.(type) {
	case []int8:
		Gemm(transA, transB, m, n, k, a.([]int8), lda, b.([]int8), ldb, c, ldc, false)
	case []int16:
		Gemm(transA, transB, m, n, k, a.([]int16), lda, b.([]int16), ldb, c, ldc, false)
	case []int32:
		Gemm(transA, transB, m, n, k, a.([]int32), lda, b.([]int32), ldb, c, ldc, false)
	case []int64:
		Gemm(transA, transB, m, n, k, a.([]int64), lda, b.([]int64), ldb, c, ldc, false)
	case []uint8:
		Gemm(transA, transB, m, n, k, a.([]uint8), lda, b.([]uint8), ldb, c, ldc, false)
	case []uint16:
		Gemm(transA, transB, m, n, k, a.([]uint16), lda, b.([]uint16), ldb, c, ldc, false)
	case []uint32:
		Gemm(transA, transB, m, n, k, a.([]uint32), lda, b.([]uint32), ldb, c, ldc, false)
	case []uint64:
		Gemm(transA, transB, m, n, k, a.([]uint64), lda, b.([]uint64), ldb, c, ldc, false)
	case []float32:
		Gemm(transA, transB, m, n, k, a.([]float32), lda, b.([]float32), ldb, c, ldc, false)
	case []float64:
		Gemm(transA, transB, m, n, k, a.([]float64), lda, b.([]float64), ldb, c, ldc, false)
	case []complex64:
		Gemm(transA, transB, m, n, k, a.([]complex64), lda, b.([]complex64), ldb, c, ldc, false)
	case []complex128:
		Gemm(transA, transB, m, n, k, a.([]complex128), lda, b.([]complex128), ldb, c, ldc, false)
	case []Float16:
		GemmHalf(transA, transB, m, n, k, a.([]Float16), lda, b.([]Float16), ldb, c, ldc)
	case []BFloat16:
		GemmHalf(transA, transB, m, n, k, a.([]BFloat16), lda, b.([]BFloat16), ldb, c, ldc)
	default:
		return ErrNoKernel
	}
	return nil
}
