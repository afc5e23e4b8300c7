package kernel

// Window describes how a window moves over the three spatial dimensions of an array
// [batch, depth, height, width, channels]; lower ranks leave the first ones 1.
type Window struct {
	Batch, Channels int
	In, Out         [3]int // spatial sizes
	Size            [3]int // of the window
	Stride, Dilate  [3]int
	Pad             [3]int // before the first cell
}

// cells is the number of cells of a window, inArea and outArea those of an image.
func (w *Window) cells() int   { return w.Size[0] * w.Size[1] * w.Size[2] }
func (w *Window) inArea() int  { return w.In[0] * w.In[1] * w.In[2] }
func (w *Window) outArea() int { return w.Out[0] * w.Out[1] * w.Out[2] }

// place is where window cell k of output position o lies within an image, in cells,
// or -1 in the padding.
func (w *Window) place(o, k [3]int) int {
	at := 0
	for d := range o {
		x := o[d]*w.Stride[d] + k[d]*w.Dilate[d] - w.Pad[d]
		if x < 0 || x >= w.In[d] {
			return -1
		}
		at = at*w.In[d] + x
	}
	return at
}

// run is where a row of the window begins if its cells are neighbours in the image,
// else -1.
func (w *Window) run(o, k [3]int) int {
	x := o[2]*w.Stride[2] - w.Pad[2]
	if w.Dilate[2] != 1 || x < 0 || x+w.Size[2] > w.In[2] {
		return -1
	}
	return w.place(o, k)
}

// unravel turns a position in an array of the given sizes into coordinates.
func unravel(at int, size [3]int) (c [3]int) {
	c[2] = at % size[2]
	at /= size[2]
	c[1] = at % size[1]
	c[0] = at / size[1]
	return c
}

// columnsOf writes for each output position from first on the cells of its window,
// channels from c0 to c1: a matrix of rows × (cells*(c1-c0)).
func columnsOf[T Float](w *Window, dst, image []T, first, rows, c0, c1 int) {
	width := c1 - c0
	for r := 0; r < rows; r++ {
		o := unravel(first+r, w.Out)
		for k := 0; k < w.cells(); k += w.Size[2] {
			kc := unravel(k, w.Size)
			if at := w.run(o, kc); at >= 0 && width == w.Channels {
				n := w.Size[2] * width
				copy(dst[:n], image[at*width:])
				dst = dst[n:]
				continue
			}
			for kc[2] = 0; kc[2] < w.Size[2]; kc[2]++ {
				d := dst[:width]
				dst = dst[width:]
				if at := w.place(o, kc); at >= 0 {
					copy(d, image[at*w.Channels+c0:])
				} else {
					clear(d)
				}
			}
		}
	}
}

// addColumns is columnsOf undone: it adds the cells of each window to the image.
func addColumns[T Float](w *Window, image, src []T, first, rows, c0, c1 int) {
	width := c1 - c0
	for r := 0; r < rows; r++ {
		o := unravel(first+r, w.Out)
		for k := 0; k < w.cells(); k++ {
			s := src[:width]
			src = src[width:]
			if at := w.place(o, unravel(k, w.Size)); at >= 0 {
				d := image[at*w.Channels+c0:][:width]
				for i, v := range s {
					d[i] += v
				}
			}
		}
	}
}
