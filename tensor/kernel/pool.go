package kernel

// Ties says which of several equal largest cells gets the gradient of a maximum.
type Ties uint8

// FirstTie is the rule of one and two dimensions, AllTies that of three.
const (
	FirstTie Ties = iota
	AllTies
)

// eachCell calls f for each output position and window cell inside the image, with
// the positions of their first channels; cells come in order.
func (w *Window) eachCell(f func(in, out int)) {
	for b := 0; b < w.Batch; b++ {
		for p := 0; p < w.outArea(); p++ {
			o := unravel(p, w.Out)
			out := (b*w.outArea() + p) * w.Channels
			for k := 0; k < w.cells(); k++ {
				if at := w.place(o, unravel(k, w.Size)); at >= 0 {
					f((b*w.inArea()+at)*w.Channels, out)
				}
			}
		}
	}
}

// MaxPool writes the largest cell of each window; a nan never wins.
func MaxPool[T Real](w *Window, dst, x []T) {
	Fill(dst, Lowest[T]())
	w.eachCell(func(in, out int) {
		d := dst[out : out+w.Channels]
		for i, v := range x[in : in+w.Channels] {
			if v > d[i] {
				d[i] = v
			}
		}
	})
}

// MaxPoolArgmax also writes where the cell was: its position in the image, channels
// included, plus the image's own start if batch is wanted (batchStep is then the
// number of elements of an image, else 0).
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
		for i := 0; i < w.Channels; i++ {
			if x[in+i] == y[out+i] && !taken[out+i] {
				dx[in+i] += dy[out+i]
				taken[out+i] = ties == FirstTie
			}
		}
	})
}

// AvgPool writes the mean of the cells of each window that lie in the image.
func AvgPool[T Float](w *Window, dst, x []T) {
	clear(dst)
	w.eachCell(func(in, out int) {
		d := dst[out : out+w.Channels]
		for i, v := range x[in : in+w.Channels] {
			d[i] += v
		}
	})
	n := w.counts()
	for p := range n {
		for i := 0; i < w.Channels; i++ {
			for b := 0; b < w.Batch; b++ {
				dst[(b*len(n)+p)*w.Channels+i] /= T(n[p])
			}
		}
	}
}

// counts is how many cells of the window at each output position lie in the image.
func (w *Window) counts() []int {
	n := make([]int, w.outArea())
	for p := range n {
		o := unravel(p, w.Out)
		for k := 0; k < w.cells(); k++ {
			if w.place(o, unravel(k, w.Size)) >= 0 {
				n[p]++
			}
		}
	}
	return n
}

// AvgPoolGrad writes the gradient of the input.
func AvgPoolGrad[T Float](w *Window, dx, dy []T) {
	clear(dx)
	n := w.counts()
	w.eachCell(func(in, out int) {
		c := T(n[out/w.Channels%len(n)])
		for i, v := range dy[out : out+w.Channels] {
			dx[in+i] += v / c
		}
	})
}
