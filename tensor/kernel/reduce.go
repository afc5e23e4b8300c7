package kernel

import "math"

// ReduceOp names a reduction.
type ReduceOp uint8

// The reductions.
const (
	Sum ReduceOp = iota
	Prod
	Max
	Min
	Mean // the sum in the dtype, divided by the count; integers sum in 64 bits
	SumSquares
)

// Reduce folds the middle of x, read as [outer, axis, inner], into dst of
// [outer, inner]. The result depends on the shape and the values only: float32 and
// halves sum in float64, float64 by a fixed tree. A nan makes a maximum or minimum
// nan; nothing gives the op's neutral element.
func Reduce[T Real](op ReduceOp, dst, x []T, outer, axis, inner int) {
	switch d := any(dst).(type) {
	case []float32:
		reduce32(op, d, any(x).([]float32), outer, axis, inner)
	case []float64:
		reduce64(op, d, any(x).([]float64), outer, axis, inner)
	default:
		reduceInt(op, dst, x, outer, axis, inner)
	}
}

func reduceInt[T Real](op ReduceOp, dst, x []T, outer, axis, inner int) {
	for o := 0; o < outer; o++ {
		d := dst[o*inner : (o+1)*inner]
		rows := x[o*axis*inner : (o+1)*axis*inner]
		if op == Mean {
			meanInt(d, rows, axis, inner)
			continue
		}
		for i := range d {
			d[i] = neutral[T](op)
		}
		for a := 0; a < axis; a++ {
			foldRow(op, d, rows[a*inner:(a+1)*inner])
		}
	}
}

func foldRow[T Real](op ReduceOp, d, row []T) {
	row = row[:len(d)]
	switch op {
	case Sum:
		for i, v := range row {
			d[i] += v
		}
	case SumSquares:
		for i, v := range row {
			d[i] += T(v * v)
		}
	case Prod:
		for i, v := range row {
			d[i] *= v
		}
	case Max:
		for i, v := range row {
			d[i] = larger(d[i], v)
		}
	case Min:
		for i, v := range row {
			d[i] = smaller(d[i], v)
		}
	}
}

// meanInt sums in 64 bits, signed or not, and truncates the quotient.
func meanInt[T Real](d, x []T, axis, inner int) {
	for i := range d {
		if axis == 0 {
			d[i] = 0
			continue
		}
		if isSigned[T]() {
			s := int64(0)
			for a := 0; a < axis; a++ {
				s += int64(x[a*inner+i])
			}
			d[i] = T(s / int64(axis))
			continue
		}
		s := uint64(0)
		for a := 0; a < axis; a++ {
			s += uint64(x[a*inner+i])
		}
		d[i] = T(s / uint64(axis))
	}
}

// neutral is what a reduction of nothing gives.
func neutral[T Real](op ReduceOp) T {
	switch op {
	case Prod:
		return 1
	case Max:
		return lowest[T]()
	case Min:
		return highest[T]()
	}
	return 0
}

// lowest is the least value of T, -inf for floats.
func lowest[T Real]() T {
	if isFloat[T]() {
		return T(math.Inf(-1))
	}
	if !isSigned[T]() {
		return 0
	}
	v := T(1)
	for v*2 > 0 {
		v *= 2
	}
	return v * 2
}

// highest is the greatest value of T, +inf for floats.
func highest[T Real]() T {
	if isFloat[T]() {
		return T(math.Inf(1))
	}
	var zero, one T = 0, 1
	if !isSigned[T]() {
		return zero - one
	}
	return zero - one - lowest[T]()
}

// Lowest is the least finite value of T, which TensorFlow's segment_max fills with.
func Lowest[T Real]() T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = -math.MaxFloat32
		return v
	case *float64:
		*p = -math.MaxFloat64
		return v
	}
	return lowest[T]()
}

// Highest is the greatest finite value of T.
func Highest[T Real]() T {
	var v T
	switch p := any(&v).(type) {
	case *float32:
		*p = math.MaxFloat32
		return v
	case *float64:
		*p = math.MaxFloat64
		return v
	}
	return highest[T]()
}

// ReduceHalf is Reduce for halves: sums in float64, rounded once; a mean rounds the
// sum to a half first, so that it overflows as TensorFlow's does.
func ReduceHalf[H Half](op ReduceOp, dst, x []H, outer, axis, inner int) {
	wide := make([]float32, axis*inner)
	res := make([]float32, inner)
	fold := op
	if op == Mean {
		fold = Sum
	}
	for o := 0; o < outer; o++ {
		widen(wide, x[o*axis*inner:(o+1)*axis*inner])
		reduce32(fold, res, wide, 1, axis, inner)
		d := dst[o*inner : (o+1)*inner]
		narrow(d, res)
		if op == Mean {
			widen(res, d)
			for i := range res {
				res[i] /= float32(axis)
			}
			narrow(d, res)
		}
	}
}

// ReduceComplex is Reduce for Sum, Prod and Mean of complex numbers.
func ReduceComplex[C Complex](op ReduceOp, dst, x []C, outer, axis, inner int) {
	for o := 0; o < outer; o++ {
		for i := 0; i < inner; i++ {
			s := complex128(0)
			if op == Prod {
				s = 1
			}
			for a := 0; a < axis; a++ {
				v := complex128(x[(o*axis+a)*inner+i])
				if op == Prod {
					s *= v
				} else {
					s += v
				}
			}
			if op == Mean {
				s /= complex(float64(axis), 0)
			}
			dst[o*inner+i] = C(s)
		}
	}
}

// ReduceBool folds booleans with "and" (all) or "or" (any).
func ReduceBool(op LogicOp, dst, x []bool, outer, axis, inner int) {
	for o := 0; o < outer; o++ {
		d := dst[o*inner : (o+1)*inner]
		for i := range d {
			d[i] = op == LogicalAnd
		}
		for a := 0; a < axis; a++ {
			row := x[(o*axis+a)*inner : (o*axis+a+1)*inner]
			for i, v := range row {
				if op == LogicalAnd {
					d[i] = d[i] && v
				} else {
					d[i] = d[i] || v
				}
			}
		}
	}
}

// ArgReduce writes the position of the first maximum (Max) or minimum (Min) along
// the axis; a nan never wins.
func ArgReduce[T Real, I int32 | int64 | int16 | uint16](op ReduceOp, dst []I, x []T, outer, axis, inner int) {
	for o := 0; o < outer; o++ {
		base := o * axis * inner
		for i := 0; i < inner; i++ {
			if op == Max {
				dst[o*inner+i] = I(argMax(x, base+i, inner, axis))
			} else {
				dst[o*inner+i] = I(argMin(x, base+i, inner, axis))
			}
		}
	}
}

func argMax[T Real](x []T, at, step, n int) int {
	if f, ok := any(x).([]float32); ok && step == 1 {
		if k, ok := asmArg(Max, f[at:at+n]); ok {
			return k
		}
	}
	best, top := 0, lowest[T]()
	for k := 0; k < n; k++ {
		if v := x[at]; v > top {
			best, top = k, v
		}
		at += step
	}
	return best
}

func argMin[T Real](x []T, at, step, n int) int {
	if f, ok := any(x).([]float32); ok && step == 1 {
		if k, ok := asmArg(Min, f[at:at+n]); ok {
			return k
		}
	}
	best, top := 0, highest[T]()
	for k := 0; k < n; k++ {
		if v := x[at]; v < top {
			best, top = k, v
		}
		at += step
	}
	return best
}
