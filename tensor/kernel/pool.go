package kernel

// Ties says which of several equal largest cells gets the gradient of a maximum.
type Ties uint8

// FirstTie is the rule of one and two dimensions, AllTies that of three.
const (
	FirstTie Ties = iota
	AllTies
)

// foldWindows folds the cells of each window: first the rows of the window into one
// row of the input's width, then its columns. fold takes a row into another one;
// start is what a window begins with.
func foldWindows[T Real](w *Window, dst, x []T, start T, fold func(d, x []T)) {
	c := w.Channels
	line := make([]T, w.In[2]*c)
	for out := 0; out < w.Batch*w.Out[0]*w.Out[1]; out++ {
		Fill(line, start)
		w.eachInputRow(out, func(row int) { fold(line, x[row*len(line):(row+1)*len(line)]) })
		for o := 0; o < w.Out[2]; o++ {
			d, first := dst[(out*w.Out[2]+o)*c:][:c], true
			for k := 0; k < w.Size[2]; k++ {
				at, ok := w.at(2, o, k)
				switch {
				case ok && first:
					copy(d, line[at*c:])
					first = false
				case ok:
					fold(d, line[at*c:(at+1)*c])
				}
			}
			if first {
				Fill(d, start)
			}
		}
	}
}

// eachInputRow calls f with the input rows in the windows of an output row; rows are
// counted over the whole batch.
func (w *Window) eachInputRow(out int, f func(row int)) {
	oh, od := out%w.Out[1], out/w.Out[1]%w.Out[0]
	b := out / w.Out[1] / w.Out[0]
	for kd := 0; kd < w.Size[0]; kd++ {
		z, ok := w.at(0, od, kd)
		if !ok {
			continue
		}
		for kh := 0; kh < w.Size[1]; kh++ {
			if y, ok := w.at(1, oh, kh); ok {
				f((b*w.In[0]+z)*w.In[1] + y)
			}
		}
	}
}

// raise makes each element of d the larger one; a nan in x is passed over.
func raise[T Real](d, x []T) {
	if f, ok := any(d).([]float32); ok && asmMaxNumber(f, any(x).([]float32)) {
		return
	}
	x = x[:len(d)]
	for i, v := range x {
		if v > d[i] {
			d[i] = v
		}
	}
}

// MaxPool writes the largest cell of each window; a nan never wins.
func MaxPool[T Real](w *Window, dst, x []T) {
	foldWindows(w, dst, x, Lowest[T](), raise[T])
}

// AvgPool writes the mean of the cells of each window that lie in the image.
func AvgPool[T Float](w *Window, dst, x []T) {
	foldWindows(w, dst, x, 0, plus[T])
	w.eachCount(func(first, n, count int) {
		d := dst[first*w.Channels : (first+n)*w.Channels]
		share(d, d, count)
	})
}

// plus adds x to d.
func plus[T Float](d, x []T) {
	if f, ok := any(d).([]float32); ok && asmVV(Add, f, f, any(x).([]float32)) {
		return
	}
	addVV(d, d, x)
}

// share writes x divided by count; a power of two divides by multiplying, which is
// faster and exact.
func share[T Float](dst, x []T, count int) {
	if count&(count-1) == 0 {
		_ = binaryVS(Mul, dst, x, 1/T(count))
		return
	}
	_ = binaryVS(Div, dst, x, T(count))
}

// eachCount calls f for each run of n output positions, over the whole batch, whose
// windows have as many cells in the image.
func (w *Window) eachCount(f func(first, n, count int)) {
	area := w.outArea()
	counts := make([]int, area)
	for p := range counts {
		counts[p] = w.count(p)
	}
	for first, all := 0, w.Batch*area; first < all; {
		n := 1
		for first+n < all && counts[(first+n)%area] == counts[first%area] {
			n++
		}
		f(first, n, counts[first%area])
		first += n
	}
}

// count is how many cells of the window at an output position lie in the image.
func (w *Window) count(p int) int {
	n := 1
	for d := 2; d >= 0; d-- {
		in := 0
		for k := 0; k < w.Size[d]; k++ {
			if _, ok := w.at(d, p%w.Out[d], k); ok {
				in++
			}
		}
		n *= in
		p /= w.Out[d]
	}
	return n
}

// eachCell calls f for each output position and window cell inside the image, with
// the positions of their first channels; cells come in order.
func (w *Window) eachCell(f func(in, out int)) {
	for row := 0; row < w.Batch*w.Out[0]*w.Out[1]; row++ {
		for o := 0; o < w.Out[2]; o++ {
			out := (row*w.Out[2] + o) * w.Channels
			w.eachInputRow(row, func(in int) {
				for k := 0; k < w.Size[2]; k++ {
					if at, ok := w.at(2, o, k); ok {
						f((in*w.In[2]+at)*w.Channels, out)
					}
				}
			})
		}
	}
}

// MaxPoolArgmax also writes where the cell was: its position in the image, channels
// included, plus batchStep for each image before it.
func MaxPoolArgmax[T Real, I Index](w *Window, dst []T, where []I, x []T, batchStep int) {
	Fill(dst, Lowest[T]())
	image := w.inArea() * w.Channels
	w.eachCell(func(in, out int) {
		for i, v := range x[in : in+w.Channels] {
			if v > dst[out+i] {
				dst[out+i] = v
				where[out+i] = I((in+i)%image + (in+i)/image*batchStep)
			}
		}
	})
}

// MaxPoolGrad writes the gradient of the input: that of each window goes to its
// largest cell. y is the result of MaxPool.
func MaxPoolGrad[T Real](w *Window, dx, x, y, dy []T, ties Ties) {
	clear(dx)
	taken := make([]bool, len(y))
	w.eachCell(func(in, out int) {
		cell, grad := x[in:in+w.Channels], dx[in:in+w.Channels]
		top, g, done := y[out:out+w.Channels], dy[out:out+w.Channels], taken[out:out+w.Channels]
		for i, v := range cell {
			if v == top[i] && !done[i] {
				grad[i] += g[i]
				done[i] = ties == FirstTie
			}
		}
	})
}

// AvgPoolGrad writes the gradient of the input.
func AvgPoolGrad[T Float](w *Window, dx, dy []T) {
	clear(dx)
	part := make([]T, len(dy))
	w.eachCount(func(first, n, count int) {
		at, end := first*w.Channels, (first+n)*w.Channels
		share(part[at:end], dy[at:end], count)
	})
	w.eachCell(func(in, out int) {
		d := dx[in : in+w.Channels]
		plus(d, part[out:])
	})
}
