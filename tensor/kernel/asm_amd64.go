//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

func bestTier() Tier {
	switch {
	case cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasFMA:
		return AVX512
	case cpu.X86.HasAVX2 && cpu.X86.HasFMA:
		return AVX2
	}
	return Portable
}

// asmChunk bounds how long an assembly call runs: Go can't preempt it.
const asmChunk = 1 << 15

// asmUnary runs op if it has assembly.
func asmUnary(op UnaryOp, dst, x []float32) bool {
	if tier < AVX512 {
		return tier == AVX2 && avx2Unary(op, dst, x)
	}
	switch op {
	case Exp, Log, Tanh, Sigmoid, Expm1, Log1p, Elu, Selu, Silu, Softplus, LogSigmoid, Erf,
		Relu, Sqrt, Rsqrt, Reciprocal, Square:
	default:
		return false
	}
	x = x[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), asmChunk)
		unaryChunk(op, n, &dst[0], &x[0])
		dst, x = dst[n:], x[n:]
	}
	return true
}

func unaryChunk(op UnaryOp, n int, dst, x *float32) {
	switch op {
	case Exp:
		vecExp(n, dst, x)
	case Log:
		vecLog(n, dst, x)
	case Tanh:
		vecTanh(n, dst, x)
	case Sigmoid:
		vecSigmoid(n, dst, x)
	case Expm1:
		vecExpm1(n, dst, x)
	case Log1p:
		vecLog1p(n, dst, x)
	case Elu:
		vecElu(n, dst, x)
	case Selu:
		vecSelu(n, dst, x)
	case Silu:
		vecSilu(n, dst, x)
	case Softplus:
		vecSoftplus(n, dst, x)
	case LogSigmoid:
		vecLogSigmoid(n, dst, x)
	case Erf:
		vecErf(n, dst, x)
	case Relu:
		vecRelu(n, dst, x)
	case Sqrt:
		vecSqrt(n, dst, x)
	case Rsqrt:
		vecRsqrt(n, dst, x)
	case Reciprocal:
		vecReciprocal(n, dst, x)
	case Square:
		vecSquare(n, dst, x)
	}
}

// asmVV runs op on two vectors if it has assembly.
func asmVV(op BinaryOp, dst, x, y []float32) bool {
	if tier < AVX512 {
		return false
	}
	switch op {
	case Add, Sub, Mul, Div, Maximum, Minimum, SquaredDifference, ReluGrad, TanhGrad, SigmoidGrad:
	default:
		return false
	}
	x, y = x[:len(dst)], y[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), asmChunk)
		vvChunk(op, n, &dst[0], &x[0], &y[0])
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	return true
}

func vvChunk(op BinaryOp, n int, dst, x, y *float32) {
	switch op {
	case Add:
		vecAddVV(n, dst, x, y)
	case Sub:
		vecSubVV(n, dst, x, y)
	case Mul:
		vecMulVV(n, dst, x, y)
	case Div:
		vecDivVV(n, dst, x, y)
	case Maximum:
		vecMaxVV(n, dst, x, y)
	case Minimum:
		vecMinVV(n, dst, x, y)
	case SquaredDifference:
		vecSquaredDifferenceVV(n, dst, x, y)
	case ReluGrad:
		vecReluGradVV(n, dst, x, y)
	case TanhGrad:
		vecTanhGradVV(n, dst, x, y)
	case SigmoidGrad:
		vecSigmoidGradVV(n, dst, x, y)
	}
}

// asmVS runs op on a vector and a scalar if it has assembly.
func asmVS(op BinaryOp, dst, x []float32, y float32) bool {
	if tier < AVX512 || op > SquaredDifference {
		return false
	}
	x = x[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), asmChunk)
		vsChunk(op, n, &dst[0], &x[0], y)
		dst, x = dst[n:], x[n:]
	}
	return true
}

func vsChunk(op BinaryOp, n int, dst, x *float32, y float32) {
	switch op {
	case Add:
		vecAddVS(n, dst, x, y)
	case Sub:
		vecSubVS(n, dst, x, y)
	case Mul:
		vecMulVS(n, dst, x, y)
	case Div:
		vecDivVS(n, dst, x, y)
	case Maximum:
		vecMaxVS(n, dst, x, y)
	case Minimum:
		vecMinVS(n, dst, x, y)
	case SquaredDifference:
		vecSquaredDifferenceVS(n, dst, x, y)
	}
}

// asmSV runs op on a scalar and a vector if it has assembly.
func asmSV(op BinaryOp, dst []float32, x float32, y []float32) bool {
	if tier < AVX512 || op > SquaredDifference {
		return false
	}
	y = y[:len(dst)]
	for len(dst) > 0 {
		n := min(len(dst), asmChunk)
		svChunk(op, n, &dst[0], x, &y[0])
		dst, y = dst[n:], y[n:]
	}
	return true
}

func svChunk(op BinaryOp, n int, dst *float32, x float32, y *float32) {
	switch op {
	case Add:
		vecAddSV(n, dst, x, y)
	case Sub:
		vecSubSV(n, dst, x, y)
	case Mul:
		vecMulSV(n, dst, x, y)
	case Div:
		vecDivSV(n, dst, x, y)
	case Maximum:
		vecMaxSV(n, dst, x, y)
	case Minimum:
		vecMinSV(n, dst, x, y)
	case SquaredDifference:
		vecSquaredDifferenceSV(n, dst, x, y)
	}
}

// The reductions below are called on chunks already.

func lanesSum32(x []float32) float64 {
	if tier < AVX512 || len(x) == 0 {
		return lanesSum32Go(x)
	}
	return foldSum(len(x), &x[0])
}

func lanesSquares32(x []float32) float64 {
	if tier < AVX512 || len(x) == 0 {
		return lanesSquares32Go(x)
	}
	return foldSquares(len(x), &x[0])
}

func lanesSum64(x []float64, square bool) float64 {
	switch {
	case tier < AVX512 || len(x) == 0:
		return lanesSum64Go(x, square)
	case square:
		return foldSquares64(len(x), &x[0])
	}
	return foldSum64(len(x), &x[0])
}

func addRow32(acc []float64, row []float32) {
	if tier < AVX512 || len(row) == 0 {
		addRow32Go(acc, row)
		return
	}
	acc = acc[:len(row)]
	foldRowSum(len(row), &acc[0], &row[0])
}

func max32(x []float32) float32 {
	if tier < AVX512 {
		return max32Go(x)
	}
	m := max32Go(nil)
	for len(x) > 0 {
		n := min(len(x), asmChunk)
		m = larger(m, foldMax(n, &x[0]))
		x = x[n:]
	}
	return m
}

func min32(x []float32) float32 {
	if tier < AVX512 {
		return min32Go(x)
	}
	m := min32Go(nil)
	for len(x) > 0 {
		n := min(len(x), asmChunk)
		m = smaller(m, foldMin(n, &x[0]))
		x = x[n:]
	}
	return m
}

func lanesDot32(x, y []float32) float32 {
	switch {
	case tier < AVX2 || len(x) == 0:
		return lanesDot32Go(x, y)
	case tier < AVX512:
		return avx2LanesDot32(x, y)
	}
	return foldDot(len(x), &x[0], &y[0])
}

func lanesDot64(x, y []float64) float64 {
	switch {
	case tier < AVX2 || len(x) == 0:
		return lanesDot64Go(x, y)
	case tier < AVX512:
		return avx2LanesDot64(x, y)
	}
	return foldDot64(len(x), &x[0], &y[0])
}

// addFourRows adds four rows, stride apart, one after the other.
func addFourRows(acc []float64, x []float32, stride int) bool {
	if tier < AVX512 || len(acc) == 0 {
		return false
	}
	_ = x[3*stride+len(acc)-1]
	foldFourRows(len(acc), &acc[0], &x[0], 4*stride)
	return true
}

// asmExpSum writes exp(x-m) and returns the sum of at most sumChunk32 elements.
func asmExpSum(dst, x []float32, m float32) (sum float64, ok bool) {
	if tier < AVX512 || len(x) == 0 {
		return 0, false
	}
	dst = dst[:len(x)]
	return foldExp(len(x), &dst[0], &x[0], m), true
}

// asmArg is argMax or argMin of a row: the first element equal to the extreme.
func asmArg(op ReduceOp, x []float32) (at int, ok bool) {
	if tier < AVX512 || len(x) < 16 {
		return 0, false
	}
	start := neutral[float32](op)
	m := start
	for i := 0; i < len(x); i += asmChunk {
		if n := min(asmChunk, len(x)-i); op == Max {
			m = larger(m, foldMaxNumber(n, &x[i]))
		} else {
			m = smaller(m, foldMinNumber(n, &x[i]))
		}
	}
	if m == start { // nothing beats the neutral element
		return 0, true
	}
	for i := 0; i < len(x); i += asmChunk {
		n := min(asmChunk, len(x)-i)
		if k := foldFind(n, &x[i], m); k < n {
			return i + k, true
		}
	}
	return 0, true
}
