package kernel

// Conv is a convolution: the window over the input and the number of filters. The
// filter is [window cells, Channels/Groups, Filters]; group g of the filters sees
// group g of the channels.
type Conv struct {
	Window
	Filters, Groups int
}

// convRows is how many output positions are gathered at a time. It is part of the
// definition of the filter's gradient, whose blocks are added in order.
func (c *Conv) convRows() int {
	const budget = 1 << 16
	return max(16, min(c.outArea(), budget/max(1, c.depth())))
}

// depth is the number of products in one output element.
func (c *Conv) depth() int { return c.cells() * c.Channels / c.Groups }

// pointwise tells whether the windows are the image itself.
func (c *Conv) pointwise() bool {
	return c.cells() == 1 && c.Groups == 1 && c.In == c.Out && c.Pad == [3]int{} && c.Stride == [3]int{1, 1, 1}
}

// Conv2D writes the convolution of x with filter w to dst (also for one and three
// spatial dimensions): [batch, out positions, Filters].
func Conv2D[T Float](c *Conv, dst, x, w []T) {
	depth, per := c.depth(), c.Filters/c.Groups
	if c.pointwise() {
		Gemm(false, false, c.Batch*c.outArea(), c.Filters, depth, x, depth, w, c.Filters, dst, c.Filters, false)
		return
	}
	rows := c.convRows()
	col := make([]T, rows*depth)
	c.eachBlock(rows, func(b, first, n, g int) {
		gatherColumns(c, col, x, b, first, n, g)
		at := (b*c.outArea()+first)*c.Filters + g*per
		Gemm(false, false, n, per, depth, col, depth, w[g*per:], c.Filters, dst[at:], c.Filters, false)
	})
}

// eachBlock calls f for each block of output positions of each image and group.
func (c *Conv) eachBlock(rows int, f func(b, first, n, g int)) {
	area := c.outArea()
	for b := 0; b < c.Batch; b++ {
		for first := 0; first < area; first += rows {
			for g := 0; g < c.Groups; g++ {
				f(b, first, min(rows, area-first), g)
			}
		}
	}
}

func (c *Conv) group(g int) (from, to int) {
	n := c.Channels / c.Groups
	return g * n, (g + 1) * n
}

// gatherColumns is columnsOf for one group of channels of image b.
func gatherColumns[T Float](c *Conv, col, x []T, b, first, n, g int) {
	from, to := c.group(g)
	size := c.inArea() * c.Channels
	columnsOf(&c.Window, col, x[b*size:(b+1)*size], first, n, from, to)
}

// Conv2DInputGrad writes the gradient of the input from that of the output.
func Conv2DInputGrad[T Float](c *Conv, dx, dy, w []T) {
	depth, per := c.depth(), c.Filters/c.Groups
	if c.pointwise() {
		Gemm(false, true, c.Batch*c.outArea(), depth, c.Filters, dy, c.Filters, w, c.Filters, dx, depth, false)
		return
	}
	clear(dx)
	rows, size := c.convRows(), c.inArea()*c.Channels
	col := make([]T, rows*depth)
	c.eachBlock(rows, func(b, first, n, g int) {
		at := (b*c.outArea()+first)*c.Filters + g*per
		Gemm(false, true, n, depth, per, dy[at:], c.Filters, w[g*per:], c.Filters, col, depth, false)
		from, to := c.group(g)
		addColumns(&c.Window, dx[b*size:(b+1)*size], col, first, n, from, to)
	})
}

// Conv2DFilterGrad writes the gradient of the filter.
func Conv2DFilterGrad[T Float](c *Conv, dw, x, dy []T) {
	depth, per := c.depth(), c.Filters/c.Groups
	if c.pointwise() {
		Gemm(true, false, depth, c.Filters, c.Batch*c.outArea(), x, depth, dy, c.Filters, dw, c.Filters, false)
		return
	}
	clear(dw)
	rows := c.convRows()
	col := make([]T, rows*depth)
	c.eachBlock(rows, func(b, first, n, g int) {
		gatherColumns(c, col, x, b, first, n, g)
		at := (b*c.outArea()+first)*c.Filters + g*per
		Gemm(true, false, depth, per, n, col, depth, dy[at:], c.Filters, dw[g*per:], c.Filters, true)
	})
}

// Depthwise is a convolution of each channel with Multiplier filters of its own; the
// filter is [window cells, Channels, Multiplier].
type Depthwise struct {
	Window
	Multiplier int
}

// each calls f for each output position and window cell inside the image, with the
// positions of the first channel in input, filter and output.
func (c *Depthwise) each(f func(in, filter, out int)) {
	for b := 0; b < c.Batch; b++ {
		for p := 0; p < c.outArea(); p++ {
			o := unravel(p, c.Out)
			out := (b*c.outArea() + p) * c.Channels * c.Multiplier
			for k := 0; k < c.cells(); k++ {
				if at := c.place(o, unravel(k, c.Size)); at >= 0 {
					f((b*c.inArea()+at)*c.Channels, k*c.Channels*c.Multiplier, out)
				}
			}
		}
	}
}

// DepthwiseConv writes the depthwise convolution.
func DepthwiseConv[T Float](c *Depthwise, dst, x, w []T) {
	clear(dst)
	c.each(func(in, filter, out int) {
		src := x[in : in+c.Channels]
		d, f := dst[out:out+c.Channels*c.Multiplier], w[filter:]
		if c.Multiplier == 1 {
			f = f[:len(src)]
			for i, v := range src {
				d[i] += T(v * f[i])
			}
			return
		}
		for i := range d {
			d[i] += T(src[i/c.Multiplier] * f[i])
		}
	})
}

// DepthwiseInputGrad writes the gradient of the input.
func DepthwiseInputGrad[T Float](c *Depthwise, dx, dy, w []T) {
	clear(dx)
	c.each(func(in, filter, out int) {
		for i, v := range dy[out : out+c.Channels*c.Multiplier] {
			dx[in+i/c.Multiplier] += T(v * w[filter+i])
		}
	})
}

// DepthwiseFilterGrad writes the gradient of the filter.
func DepthwiseFilterGrad[T Float](c *Depthwise, dw, x, dy []T) {
	clear(dw)
	c.each(func(in, filter, out int) {
		for i, v := range dy[out : out+c.Channels*c.Multiplier] {
			dw[filter+i] += T(v * x[in+i/c.Multiplier])
		}
	})
}
