//go:build !noasm

package kernel

// The AVX2 tier has assembly only where Go would emulate fused multiply-adds. Its
// kernels take whole vectors; the rest goes through a padded one.

const lanes256 = 8

func avx2Unary(op UnaryOp, dst, x []float32) bool {
	switch op {
	case Exp, Log, Tanh, Sigmoid, Expm1, Log1p, Elu, Selu, Silu, Softplus, LogSigmoid, Erf:
	default:
		return false
	}
	x = x[:len(dst)]
	for len(dst) >= lanes256 {
		n := min(len(dst), asmChunk) / lanes256
		avx2Chunk(op, n, &dst[0], &x[0])
		dst, x = dst[n*lanes256:], x[n*lanes256:]
	}
	if len(dst) > 0 {
		var pad [lanes256]float32
		copy(pad[:], x)
		avx2Chunk(op, 1, &pad[0], &pad[0])
		copy(dst, pad[:])
	}
	return true
}

func avx2Chunk(op UnaryOp, n int, dst, x *float32) {
	switch op {
	case Exp:
		avx2Exp(n, dst, x)
	case Log:
		avx2Log(n, dst, x)
	case Tanh:
		avx2Tanh(n, dst, x)
	case Sigmoid:
		avx2Sigmoid(n, dst, x)
	case Expm1:
		avx2Expm1(n, dst, x)
	case Log1p:
		avx2Log1p(n, dst, x)
	case Elu:
		avx2Elu(n, dst, x)
	case Selu:
		avx2Selu(n, dst, x)
	case Silu:
		avx2Silu(n, dst, x)
	case Softplus:
		avx2Softplus(n, dst, x)
	case LogSigmoid:
		avx2LogSigmoid(n, dst, x)
	case Erf:
		avx2Erf(n, dst, x)
	}
}

// avx2MulAddRow is mulAdd; the end of a row is left to Go.
func avx2MulAddRow(dst, x, y []float32) {
	n := len(dst) / lanes256
	if n > 0 {
		avx2MulAdd(n, &dst[0], &x[0], &y[0])
	}
	for i := n * lanes256; i < len(dst); i++ {
		dst[i] = fma32(x[i], y[i], dst[i])
	}
}

func avx2LanesDot32(x, y []float32) float32 {
	var acc [dotLanes]float32
	n := len(x) / dotLanes
	if n > 0 {
		avx2Dot(n, &acc[0], &x[0], &y[0])
	}
	return endDot32(&acc, x[n*dotLanes:], y[n*dotLanes:])
}

func avx2LanesDot64(x, y []float64) float64 {
	var acc [lanes]float64
	n := len(x) / lanes
	if n > 0 {
		avx2Dot64(n, &acc[0], &x[0], &y[0])
	}
	return endDot64(&acc, x[n*lanes:], y[n*lanes:])
}
