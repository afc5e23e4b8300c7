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

// at is the input coordinate of window cell k at output position o in dimension d,
// and whether it lies in the image.
func (w *Window) at(d, o, k int) (int, bool) {
	x := o*w.Stride[d] + k*w.Dilate[d] - w.Pad[d]
	return x, x >= 0 && x < w.In[d]
}

// reach is how many input cells the windows span in dimension d, padding included.
func (w *Window) reach(d int) int {
	return (w.Out[d]-1)*w.Stride[d] + (w.Size[d]-1)*w.Dilate[d] + 1
}

// padded is an image with its padding around it, which makes every window cell a
// cell of it.
type padded[T Float] struct {
	w    *Window
	size [3]int
	data []T
	row  int // elements of a row
}

func newPadded[T Float](w *Window) *padded[T] {
	p := &padded[T]{w: w}
	n := w.Channels
	for d := range p.size {
		p.size[d] = w.reach(d)
		n *= p.size[d]
	}
	p.row = p.size[2] * w.Channels
	p.data = make([]T, n)
	return p
}

// eachRow calls f with the parts of rows that the image and the padded image share.
func (p *padded[T]) eachRow(image []T, f func(inside, outside []T)) {
	w, c := p.w, p.w.Channels
	// x from skip on of an image row lies at x+pad of the padded one.
	skip := max(0, -w.Pad[2])
	n := min(w.In[2], p.size[2]-w.Pad[2]) - skip
	if n <= 0 {
		return
	}
	for z := 0; z < w.In[0]; z++ {
		for y := 0; y < w.In[1]; y++ {
			pz, py := z+w.Pad[0], y+w.Pad[1]
			if pz < 0 || pz >= p.size[0] || py < 0 || py >= p.size[1] {
				continue
			}
			at := (pz*p.size[1]+py)*p.row + (skip+w.Pad[2])*c
			from := ((z*w.In[1]+y)*w.In[2] + skip) * c
			f(image[from:from+n*c], p.data[at:at+n*c])
		}
	}
}

// load takes image b of x; the padding stays zero.
func (p *padded[T]) load(x []T, b int) {
	size := p.w.inArea() * p.w.Channels
	p.eachRow(x[b*size:(b+1)*size], func(inside, outside []T) { copy(outside, inside) })
}

// store gives image b of x what lies within the padding.
func (p *padded[T]) store(x []T, b int) {
	size := p.w.inArea() * p.w.Channels
	clear(x[b*size : (b+1)*size])
	p.eachRow(x[b*size:(b+1)*size], func(inside, outside []T) { copy(inside, outside) })
}

// line is where the cells (kd, kh) of the windows of output row (od, oh) begin.
func (p *padded[T]) line(od, oh, kd, kh int) int {
	w := p.w
	return ((od*w.Stride[0]+kd*w.Dilate[0])*p.size[1] + oh*w.Stride[1] + kh*w.Dilate[1]) * p.row
}

// eachLine calls f for each output row and each row of the window over it: line is
// where its cells begin in the padded image, k the number of the window's row, out the
// first output position.
func (p *padded[T]) eachLine(f func(line, k, out int)) {
	w := p.w
	for od := 0; od < w.Out[0]; od++ {
		for oh := 0; oh < w.Out[1]; oh++ {
			for kd := 0; kd < w.Size[0]; kd++ {
				for kh := 0; kh < w.Size[1]; kh++ {
					f(p.line(od, oh, kd, kh), kd*w.Size[1]+kh, (od*w.Out[1]+oh)*w.Out[2])
				}
			}
		}
	}
}
