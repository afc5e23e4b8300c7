package kernel

import "math"

// Cast converts x to the type of dst as TensorFlow does: floats to integers
// truncate, out of range goes through int32 or int64 and then wraps, integers wrap.
// Both arguments are slices of an Elem type (passed as any, so that one call serves
// every pair); it reports false for any other.
func Cast(dst, x any) bool {
	switch d := dst.(type) {
	case []bool:
		return castToBool(d, x)
	case []int8:
		return castToInt(d, x)
	case []int16:
		return castToInt(d, x)
	case []int32:
		return castToInt(d, x)
	case []int64:
		return castToInt(d, x)
	case []uint8:
		return castToInt(d, x)
	case []uint16:
		return castToInt(d, x)
	case []uint32:
		return castToInt(d, x)
	case []uint64:
		return castToInt(d, x)
	case []float32:
		return castToFloat(d, x)
	case []float64:
		return castToFloat(d, x)
	case []Float16:
		return castToHalf(d, x)
	case []BFloat16:
		return castToHalf(d, x)
	case []complex64:
		return castToComplex64(d, x)
	case []complex128:
		return castToComplex128(d, x)
	}
	return false
}

func castToInt[D Int](dst []D, x any) bool {
	switch s := x.(type) {
	case []bool:
		boolsTo(dst, s)
	case []int8:
		convert(dst, s)
	case []int16:
		convert(dst, s)
	case []int32:
		convert(dst, s)
	case []int64:
		convert(dst, s)
	case []uint8:
		convert(dst, s)
	case []uint16:
		convert(dst, s)
	case []uint32:
		convert(dst, s)
	case []uint64:
		convert(dst, s)
	case []float32:
		truncate(dst, s)
	case []float64:
		truncate(dst, s)
	case []Float16:
		truncateHalf(dst, s)
	case []BFloat16:
		truncateHalf(dst, s)
	case []complex64:
		for i := range dst {
			truncate(dst[i:i+1], []float32{real(s[i])})
		}
	case []complex128:
		for i := range dst {
			truncate(dst[i:i+1], []float64{real(s[i])})
		}
	default:
		return false
	}
	return true
}

func castToFloat[D Float](dst []D, x any) bool {
	switch s := x.(type) {
	case []bool:
		boolsTo(dst, s)
	case []int8:
		convert(dst, s)
	case []int16:
		convert(dst, s)
	case []int32:
		convert(dst, s)
	case []int64:
		convert(dst, s)
	case []uint8:
		convert(dst, s)
	case []uint16:
		convert(dst, s)
	case []uint32:
		convert(dst, s)
	case []uint64:
		convert(dst, s)
	case []float32:
		convert(dst, s)
	case []float64:
		convert(dst, s)
	case []Float16:
		for i := range dst {
			dst[i] = D(s[i].Float32())
		}
	case []BFloat16:
		for i := range dst {
			dst[i] = D(s[i].Float32())
		}
	case []complex64:
		for i := range dst {
			dst[i] = D(real(s[i]))
		}
	case []complex128:
		for i := range dst {
			dst[i] = D(real(s[i]))
		}
	default:
		return false
	}
	return true
}

// castToHalf goes through float32 as TensorFlow does, rounding twice where that isn't
// exact; NarrowDouble rounds once, as NumPy does.
func castToHalf[D Half](dst []D, x any) bool {
	switch s := x.(type) {
	case []D:
		copy(dst, s)
		return true
	case []float32:
		narrow(dst, s[:len(dst)])
		return true
	}
	var buf [rowChunk]float32
	if lengthOf(x) < 0 {
		return false
	}
	for i := 0; i < len(dst); i += rowChunk {
		m := min(rowChunk, len(dst)-i)
		castToFloat(buf[:m], sliceOf(x, i, i+m))
		narrow(dst[i:i+m], buf[:m])
	}
	return true
}

func castToComplex64(dst []complex64, x any) bool {
	switch s := x.(type) {
	case []complex64:
		copy(dst, s)
		return true
	case []complex128:
		for i := range dst {
			dst[i] = complex64(s[i])
		}
		return true
	}
	buf := make([]float32, len(dst))
	if !castToFloat(buf, x) {
		return false
	}
	for i, v := range buf {
		dst[i] = complex(v, 0)
	}
	return true
}

func castToComplex128(dst []complex128, x any) bool {
	switch s := x.(type) {
	case []complex128:
		copy(dst, s)
		return true
	case []complex64:
		for i := range dst {
			dst[i] = complex128(s[i])
		}
		return true
	}
	buf := make([]float64, len(dst))
	if !castToFloat(buf, x) {
		return false
	}
	for i, v := range buf {
		dst[i] = complex(v, 0)
	}
	return true
}

func castToBool(dst []bool, x any) bool {
	switch s := x.(type) {
	case []bool:
		copy(dst, s)
	case []int8:
		nonZero(dst, s)
	case []int16:
		nonZero(dst, s)
	case []int32:
		nonZero(dst, s)
	case []int64:
		nonZero(dst, s)
	case []uint8:
		nonZero(dst, s)
	case []uint16:
		nonZero(dst, s)
	case []uint32:
		nonZero(dst, s)
	case []uint64:
		nonZero(dst, s)
	case []float32:
		nonZero(dst, s)
	case []float64:
		nonZero(dst, s)
	case []Float16:
		for i := range dst {
			dst[i] = s[i]&0x7fff != 0
		}
	case []BFloat16:
		for i := range dst {
			dst[i] = s[i]&0x7fff != 0
		}
	case []complex64: // the imaginary part is dropped first
		for i := range dst {
			dst[i] = real(s[i]) != 0
		}
	case []complex128:
		for i := range dst {
			dst[i] = real(s[i]) != 0
		}
	default:
		return false
	}
	return true
}

func convert[D, S Real](dst []D, x []S) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = D(v)
	}
}

func nonZero[S Real](dst []bool, x []S) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = v != 0
	}
}

func boolsTo[D Real](dst []D, x []bool) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] = 0
		if v {
			dst[i] = 1
		}
	}
}

func truncateHalf[D Int, H Half](dst []D, x []H) {
	var buf [rowChunk]float32
	for i := 0; i < len(dst); i += rowChunk {
		n := min(rowChunk, len(dst)-i)
		widen(buf[:n], x[i:i+n])
		truncate(dst[i:i+n], buf[:n])
	}
}

// truncate converts floats to integers toward zero. Narrow types go through int32,
// uint32 through int64, as x86 converts: out of range is the lowest value there.
func truncate[D Int, S Float](dst []D, x []S) {
	x = x[:len(dst)]
	switch d := any(dst).(type) {
	case []uint64:
		for i, v := range x {
			d[i] = truncUint64(float64(v))
		}
	case []int64:
		for i, v := range x {
			d[i] = truncInt64(float64(v))
		}
	case []uint32:
		for i, v := range x {
			d[i] = uint32(truncInt64(float64(v)))
		}
	default:
		for i, v := range x {
			n := int32(math.MinInt32)
			if v > -2147483649 && v < 2147483648 {
				n = int32(v)
			}
			dst[i] = D(n)
		}
	}
}

func truncInt64(v float64) int64 {
	if v >= -0x1p63 && v < 0x1p63 {
		return int64(v)
	}
	return math.MinInt64
}

func truncUint64(v float64) uint64 {
	if v >= 0x1p63 && v < 0x1p64 {
		return uint64(v-0x1p63) + 1<<63
	}
	return uint64(truncInt64(v))
}

// lengthOf is the length of a slice of numbers or booleans, or -1.
func lengthOf(x any) int {
	switch s := x.(type) {
	case []bool:
		return len(s)
	case []int8:
		return len(s)
	case []int16:
		return len(s)
	case []int32:
		return len(s)
	case []int64:
		return len(s)
	case []uint8:
		return len(s)
	case []uint16:
		return len(s)
	case []uint32:
		return len(s)
	case []uint64:
		return len(s)
	case []float32:
		return len(s)
	case []float64:
		return len(s)
	case []Float16:
		return len(s)
	case []BFloat16:
		return len(s)
	case []complex64:
		return len(s)
	case []complex128:
		return len(s)
	}
	return -1
}

// sliceOf is x[i:j] for a slice of numbers or booleans.
func sliceOf(x any, i, j int) any {
	switch s := x.(type) {
	case []bool:
		return s[i:j]
	case []int8:
		return s[i:j]
	case []int16:
		return s[i:j]
	case []int32:
		return s[i:j]
	case []int64:
		return s[i:j]
	case []uint8:
		return s[i:j]
	case []uint16:
		return s[i:j]
	case []uint32:
		return s[i:j]
	case []uint64:
		return s[i:j]
	case []float32:
		return s[i:j]
	case []float64:
		return s[i:j]
	case []Float16:
		return s[i:j]
	case []BFloat16:
		return s[i:j]
	case []complex64:
		return s[i:j]
	case []complex128:
		return s[i:j]
	}
	return nil
}
