package kernel

// Conv is a convolution: the window over the input and the number of filters. The
// filter is [window cells, Channels/Groups, Filters]; group g of the filters sees
// group g of the channels.
//
// An output element is the sum over the rows of the window of products by Gemm where
// a row of the window is long enough, else one product over the whole window.
type Conv struct {
	Window
	Filters, Groups int
}

// depth is the number of products in one output element.
func (c *Conv) depth() int { return c.cells() * c.Channels / c.Groups }

// pointwise tells whether the windows are the image itself.
func (c *Conv) pointwise() bool {
	return c.cells() == 1 && c.Groups == 1 && c.In == c.Out && c.Pad == [3]int{} && c.Stride == [3]int{1, 1, 1}
}

// longRow and wideOut are from which sizes on a row of the window is multiplied in
// place.
const longRow, wideOut = 32, 6

// inPlace tells whether rows of the window lie side by side and are long enough.
func (c *Conv) inPlace() bool {
	return c.Groups == 1 && c.Dilate[2] == 1 && c.Size[2]*c.Channels >= longRow && c.Out[2] >= wideOut
}

// Conv2D writes the convolution of x with filter w to dst (also for one and three
// spatial dimensions): [batch, out positions, Filters].
func Conv2D[T Float](c *Conv, dst, x, w []T) {
	switch {
	case c.pointwise():
		Gemm(false, false, c.Batch*c.outArea(), c.Filters, c.Channels, x, c.Channels, w, c.Filters, dst, c.Filters, false)
	case c.inPlace():
		convInPlace(c, dst, x, w)
	default:
		convColumns(c, dst, x, w)
	}
}

func convInPlace[T Float](c *Conv, dst, x, w []T) {
	p := newPadded[T](&c.Window)
	depth := c.Size[2] * c.Channels
	rows := make([]gemm[T], c.Size[0]*c.Size[1])
	for k := range rows {
		rows[k] = gemm[T]{m: c.Out[2], n: c.Filters, k: depth, lda: c.Stride[2] * c.Channels,
			b: w[k*depth*c.Filters:], ldb: c.Filters, ldc: c.Filters, accumulate: k > 0}
		rows[k].prepare()
	}
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		p.eachLine(func(line, k, out int) {
			g := &rows[k]
			g.a, g.c = p.data[line:], dst[(b*c.outArea()+out)*c.Filters:]
			g.run()
		})
	}
}

// Conv2DInputGrad writes the gradient of the input from that of the output. With
// stride one that is a convolution with the filter turned around.
func Conv2DInputGrad[T Float](c *Conv, dx, dy, w []T) {
	if c.pointwise() {
		Gemm(false, true, c.Batch*c.outArea(), c.Channels, c.Filters, dy, c.Filters, w, c.Filters, dx, c.Channels, false)
		return
	}
	back := Conv{c.Window, c.Channels, 1}
	back.Channels, back.In, back.Out = c.Filters, c.Out, c.In
	for d := range back.Pad {
		back.Pad[d] = (c.Size[d]-1)*c.Dilate[d] - c.Pad[d]
	}
	if c.Groups > 1 || c.Stride != [3]int{1, 1, 1} || min(back.Pad[0], back.Pad[1], back.Pad[2]) < 0 {
		convColumnsInputGrad(c, dx, dy, w)
		return
	}
	turned := make([]T, len(w))
	plane := c.Channels * c.Filters
	for k := 0; k < c.cells(); k++ {
		at := (c.cells() - 1 - k) * plane
		Transpose(turned[at:at+plane], w[k*plane:(k+1)*plane], []int{c.Channels, c.Filters}, []int{1, 0})
	}
	Conv2D(&back, dx, dy, turned)
}

// Conv2DFilterGrad writes the gradient of the filter.
func Conv2DFilterGrad[T Float](c *Conv, dw, x, dy []T) {
	switch {
	case c.pointwise():
		Gemm(true, false, c.Channels, c.Filters, c.Batch*c.outArea(), x, c.Channels, dy, c.Filters, dw, c.Filters, false)
	case c.inPlace():
		convInPlaceFilterGrad(c, dw, x, dy)
	default:
		convColumnsFilterGrad(c, dw, x, dy)
	}
}

// convInPlaceFilterGrad adds, output row by output row, the products of the window's
// rows with the row's gradient.
func convInPlaceFilterGrad[T Float](c *Conv, dw, x, dy []T) {
	clear(dw)
	p := newPadded[T](&c.Window)
	depth := c.Size[2] * c.Channels
	g := gemm[T]{transA: true, m: depth, n: c.Filters, k: c.Out[2], lda: c.Stride[2] * c.Channels,
		ldb: c.Filters, ldc: c.Filters, accumulate: true}
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		p.eachLine(func(line, k, out int) {
			if k == 0 {
				g.b = dy[(b*c.outArea()+out)*c.Filters:]
				g.prepare()
			}
			g.a, g.c = p.data[line:], dw[k*depth*c.Filters:]
			g.run()
		})
	}
}
