package kernel

// Unary writes op(x) to dst, element by element. Integers take Neg, Abs, Sign,
// Square, Relu, Relu6 and the rounding functions (which leave them as they are).
// It reports false where T has no such function.
func Unary[T Real](op UnaryOp, dst, x []T) bool {
	if f, ok := any(dst).([]float32); ok && asmUnary(op, f, any(x).([]float32)) {
		return true
	}
	switch op {
	case Neg:
		negV(dst, x)
	case Abs:
		absV(dst, x)
	case Sign:
		signV(dst, x)
	case Square:
		squareV(dst, x)
	case Relu:
		reluV(dst, x)
	case Relu6:
		relu6V(dst, x)
	case Floor, Ceil, Round, Trunc:
		rounding(op, dst, x)
	default:
		return unaryFloat(op, dst, x)
	}
	return true
}

func rounding[T Real](op UnaryOp, dst, x []T) {
	if !isFloat[T]() {
		copy(dst, x)
		return
	}
	switch op {
	case Floor:
		floorV(dst, x)
	case Ceil:
		ceilV(dst, x)
	case Round:
		roundV(dst, x)
	case Trunc:
		truncV(dst, x)
	}
}

func unaryFloat[T Real](op UnaryOp, dst, x []T) bool {
	if !isFloat[T]() || op >= unaryOps {
		return false
	}
	switch op {
	case Reciprocal:
		reciprocalV(dst, x)
		return true
	case Sqrt:
		sqrtV(dst, x)
		return true
	case Rsqrt:
		rsqrtV(dst, x)
		return true
	}
	switch d := any(dst).(type) {
	case []float32:
		unary32(op, d, any(x).([]float32))
	case []float64:
		unary64(op, d, any(x).([]float64))
	}
	return true
}

func unary64(op UnaryOp, dst, xs []float64) {
	f := float64Unary[op]
	xs = xs[:len(dst)]
	for i, x := range xs {
		dst[i] = f(x)
	}
}

// unary32 uses our own float32 definition where there is one.
func unary32(op UnaryOp, dst, xs []float32) {
	if f := float32Unary[op]; f != nil {
		map32(f, dst, xs)
		return
	}
	through64(float64Unary[op], dst, xs)
}

func map32(f func(float32) float32, dst, xs []float32) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		dst[i] = f(x)
	}
}

func through64(f func(float64) float64, dst, xs []float32) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		dst[i] = float32(f(float64(x)))
	}
}

// UnaryHalf is Unary for halves: computed in float32, rounded once.
func UnaryHalf[H Half](op UnaryOp, dst, x []H) bool {
	if op >= unaryOps {
		return false
	}
	var buf [rowChunk]float32
	for i := 0; i < len(dst); i += rowChunk {
		n := min(rowChunk, len(dst)-i)
		widen(buf[:n], x[i:i+n])
		Unary(op, buf[:n], buf[:n])
		narrow(dst[i:i+n], buf[:n])
	}
	return true
}

// LeakyRelu writes x, or alpha*x where x is negative.
func LeakyRelu[T Float](dst, xs []T, alpha T) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		if x < 0 {
			x *= alpha
		}
		dst[i] = x
	}
}

// LeakyReluGrad writes dy, or alpha*dy where x isn't positive.
func LeakyReluGrad[T Float](dst, dys, xs []T, alpha T) {
	dys, xs = dys[:len(dst)], xs[:len(dst)]
	for i, dy := range dys {
		if !(xs[i] > 0) {
			dy *= alpha
		}
		dst[i] = dy
	}
}

// Test writes whether each element is nan, infinite or finite.
func Test[T Float](op TestOp, dst []bool, xs []T) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		switch op {
		case IsNan:
			dst[i] = x != x
		case IsInf:
			dst[i] = x == x && x-x != 0
		case IsFinite:
			dst[i] = x-x == 0
		}
	}
}

// TestHalf is Test for halves.
func TestHalf[H Half](op TestOp, dst []bool, xs []H) {
	var buf [rowChunk]float32
	for i := 0; i < len(dst); i += rowChunk {
		n := min(rowChunk, len(dst)-i)
		widen(buf[:n], xs[i:i+n])
		Test(op, dst[i:i+n], buf[:n])
	}
}

// Not writes the negation of each boolean.
func Not(dst, xs []bool) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		dst[i] = !x
	}
}

// Invert writes the complement of each integer.
func Invert[T Int](dst, xs []T) {
	xs = xs[:len(dst)]
	for i, x := range xs {
		dst[i] = ^x
	}
}
