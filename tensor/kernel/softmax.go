package kernel

import "math"

// Softmax writes the softmax of each row of n elements: the exponentials, which sum
// like any other row, times the reciprocal of their sum. A row of -inf, or with +inf,
// is nan.
func Softmax[T Float](dst, x []T, rows, n int) {
	for r := 0; r < rows; r++ {
		d := dst[r*n : (r+1)*n]
		sum := expRow(d, x[r*n:(r+1)*n])
		_ = binaryVS(Mul, d, d, 1/sum)
	}
}

// LogSoftmax writes x - max - log(sum(exp(x - max))) for each row.
func LogSoftmax[T Float](dst, x []T, rows, n int) {
	buf := make([]T, n)
	for r := 0; r < rows; r++ {
		d, row := dst[r*n:(r+1)*n], x[r*n:(r+1)*n]
		m := maxRow(row)
		l := logOf(expRow(buf, row))
		_ = binaryVS(Sub, d, row, m)
		_ = binaryVS(Sub, d, d, l)
	}
}

// expRow writes exp(x - max(x)) and returns the sum of what it wrote.
func expRow[T Float](dst, x []T) T {
	if f, ok := any(x).([]float32); ok && len(x) <= sumChunk32 {
		if sum, ok := asmExpSum(any(dst).([]float32), f, float32(maxRow(x))); ok {
			return T(float32(sum))
		}
	}
	_ = binaryVS(Sub, dst, x, maxRow(x))
	Unary(Exp, dst, dst)
	var sum [1]T
	Reduce(Sum, sum[:], dst, 1, len(dst), 1)
	return sum[0]
}

func maxRow[T Float](x []T) T {
	var m [1]T
	Reduce(Max, m[:], x, 1, len(x), 1)
	return m[0]
}

func logOf[T Float](x T) T {
	v := [1]T{x}
	Unary(Log, v[:], v[:])
	return v[0]
}

// LogSumExp writes log(sum(exp(x))) of each row; a row of -inf gives -inf.
func LogSumExp[T Float](dst, x []T, rows, n int) {
	buf := make([]T, n)
	for r := 0; r < rows; r++ {
		row := x[r*n : (r+1)*n]
		m := maxRow(row)
		if math.IsInf(float64(m), 0) {
			dst[r] = m
			continue
		}
		dst[r] = logOf(expRow(buf, row)) + m
	}
}

// SoftmaxGrad writes (dy - sum(dy*y)) * y for each row, y being the softmax.
func SoftmaxGrad[T Float](dst, dy, y []T, rows, n int) {
	buf := make([]T, n)
	var sum [1]T
	for r := 0; r < rows; r++ {
		g, p := dy[r*n:(r+1)*n], y[r*n:(r+1)*n]
		_ = binaryVV(Mul, buf, g, p)
		Reduce(Sum, sum[:], buf, 1, n, 1)
		d := dst[r*n : (r+1)*n]
		for i, v := range g {
			d[i] = (v - sum[0]) * p[i]
		}
	}
}

// SparseCrossEntropy writes, for each row of n logits, the cross entropy against
// the class label[r] and its derivative softmax - onehot to backprop. It returns
// the first row whose label is out of range, or -1; such a row's results are nan.
func SparseCrossEntropy[T Float, I int32 | int64](loss, backprop, logits []T, label []I, rows, n int) int {
	bad := -1
	for r := 0; r < rows; r++ {
		d, row := backprop[r*n:(r+1)*n], logits[r*n:(r+1)*n]
		k := int(label[r])
		if k < 0 || k >= n {
			if bad < 0 {
				bad = r
			}
			loss[r] = T(math.NaN())
			for i := range d {
				d[i] = T(math.NaN())
			}
			continue
		}
		m := maxRow(row)
		sum := expRow(d, row)
		loss[r] = logOf(sum) - (row[k] - m)
		_ = binaryVS(Mul, d, d, 1/sum)
		d[k] -= 1
	}
	return bad
}

// CrossEntropy writes, for each row, the cross entropy of the softmax of the logits
// against the distribution labels, and softmax*sum(labels) - labels to backprop
// where labels sum to one: softmax - labels.
func CrossEntropy[T Float](loss, backprop, logits, labels []T, rows, n int) {
	buf := make([]T, n)
	var sum [1]T
	for r := 0; r < rows; r++ {
		d, row, want := backprop[r*n:(r+1)*n], logits[r*n:(r+1)*n], labels[r*n:(r+1)*n]
		m := maxRow(row)
		total := expRow(d, row)
		l := logOf(total)
		for i, v := range row {
			buf[i] = want[i] * (l - (v - m))
			if want[i] == 0 {
				buf[i] = 0
			}
		}
		Reduce(Sum, sum[:], buf, 1, n, 1)
		loss[r] = sum[0]
		inverse := 1 / total
		for i := range d {
			d[i] = T(d[i]*inverse) - want[i]
		}
	}
}
