//go:build !noasm

package kernel

import "unsafe"

// transposeAsm is transposeBlocks for elements of four bytes.
func transposeAsm[T any](dst []T, dr int, src []T, sn, rows, n int) bool {
	var e T
	if tier < AVX512 || unsafe.Sizeof(e) != 4 || rows < 16 || n < 16 || dr < 0 || sn < 0 {
		return false
	}
	_, _ = dst[(rows-1)*dr+n-1], src[(n-1)*sn+rows-1]
	from, to := (*float32)(unsafe.Pointer(&src[0])), (*float32)(unsafe.Pointer(&dst[0]))
	whole, wide := rows/16*16, n/16*16
	for r := 0; r < whole; r += 16 {
		for i := 0; i < wide; i += 16 {
			transpose16(at32(from, i*sn+r), sn*4, at32(to, r*dr+i), dr*4)
		}
	}
	for r := 0; r < rows; r++ {
		i := wide
		if r >= whole {
			i = 0
		}
		for ; i < n; i++ {
			dst[r*dr+i] = src[i*sn+r]
		}
	}
	return true
}

func at32(p *float32, i int) *float32 { return (*float32)(unsafe.Add(unsafe.Pointer(p), 4*i)) }

// asmCompareVV compares two vectors.
func asmCompareVV(op CompareOp, dst []bool, x, y []float32) bool {
	if tier < AVX512 {
		return false
	}
	switch op {
	case Greater:
		op, x, y = Less, y, x
	case GreaterEqual:
		op, x, y = LessEqual, y, x
	}
	x, y = x[:len(dst)], y[:len(dst)]
	for i := 0; i < len(dst); i += asmChunk {
		n := min(asmChunk, len(dst)-i)
		switch op {
		case Equal:
			testEqualVV(n, &dst[i], &x[i], &y[i])
		case NotEqual:
			testNotEqualVV(n, &dst[i], &x[i], &y[i])
		case Less:
			testLessVV(n, &dst[i], &x[i], &y[i])
		case LessEqual:
			testLessEqualVV(n, &dst[i], &x[i], &y[i])
		}
	}
	return true
}

// asmCompareVS compares a vector with a scalar.
func asmCompareVS(op CompareOp, dst []bool, x []float32, y float32) bool {
	if tier < AVX512 {
		return false
	}
	x = x[:len(dst)]
	for i := 0; i < len(dst); i += asmChunk {
		n := min(asmChunk, len(dst)-i)
		switch op {
		case Equal:
			testEqualVS(n, &dst[i], &x[i], y)
		case NotEqual:
			testNotEqualVS(n, &dst[i], &x[i], y)
		case Less:
			testLessVS(n, &dst[i], &x[i], y)
		case LessEqual:
			testLessEqualVS(n, &dst[i], &x[i], y)
		case Greater:
			testLessSV(n, &dst[i], y, &x[i])
		case GreaterEqual:
			testLessEqualSV(n, &dst[i], y, &x[i])
		}
	}
	return true
}

// asmChoose is choose for elements of four bytes.
func asmChoose[T any](dst []T, cond []bool, x []T, sx int, y []T, sy int) bool {
	var e T
	if tier < AVX512 || unsafe.Sizeof(e) != 4 || uint(sx) > 1 || uint(sy) > 1 || sx+sy == 0 {
		return false
	}
	last := len(dst) - 1
	_, _, _ = cond[last], x[sx*last], y[sy*last]
	to, from, other := (*float32)(unsafe.Pointer(&dst[0])), (*float32)(unsafe.Pointer(&x[0])), (*float32)(unsafe.Pointer(&y[0]))
	for i := 0; i < len(dst); i += asmChunk {
		n := min(asmChunk, len(dst)-i)
		switch {
		case sx == 0:
			chooseSV(n, at32(to, i), &cond[i], *from, at32(other, i))
		case sy == 0:
			chooseVS(n, at32(to, i), &cond[i], at32(from, i), *other)
		default:
			chooseVV(n, at32(to, i), &cond[i], at32(from, i), at32(other, i))
		}
	}
	return true
}

// asmMulAdd is dst += x*y, each rounded once. Rows are short: there are no chunks.
func asmMulAdd(dst, x, y []float32) bool {
	if tier < AVX2 || len(dst) == 0 {
		return false
	}
	x, y = x[:len(dst)], y[:len(dst)]
	if tier < AVX512 {
		avx2MulAddRow(dst, x, y)
		return true
	}
	vecMulAdd(len(dst), &dst[0], &x[0], &y[0], &dst[0])
	return true
}

// asmMaxNumber raises dst to x where x is greater.
func asmMaxNumber(dst, x []float32) bool {
	if tier < AVX512 || len(dst) == 0 {
		return false
	}
	x = x[:len(dst)]
	vecMaxNumberVV(len(dst), &dst[0], &x[0], &dst[0])
	return true
}
