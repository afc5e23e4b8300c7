package kernel

// The general form of a convolution gathers the windows of a block of output
// positions into a matrix of depth × positions, one group of channels at a time.

// columnBlock is how many output rows are gathered at a time. It is part of the
// definition of the filter's gradient, whose blocks are added in order.
func (c *Conv) columnBlock() int {
	const budget = 1 << 16
	return max(1, min(c.Out[0]*c.Out[1], budget/max(1, c.depth()*c.Out[2])))
}

// eachColumnBlock calls f for each group and each block of output rows of image b.
func (c *Conv) eachColumnBlock(f func(group, first, rows int)) {
	all, block := c.Out[0]*c.Out[1], c.columnBlock()
	for first := 0; first < all; first += block {
		for g := 0; g < c.Groups; g++ {
			f(g, first, min(block, all-first))
		}
	}
}

// eachColumnRow calls f for each row of the matrix of a block and each output row in
// it: where its elements begin in the padded image and in the matrix. They are
// Stride*Channels apart there and side by side here.
func eachColumnRow[T Float](c *Conv, p *padded[T], group, first, rows int, f func(from, to int)) {
	per := c.Channels / c.Groups
	k := 0
	for kd := 0; kd < c.Size[0]; kd++ {
		for kh := 0; kh < c.Size[1]; kh++ {
			for kw := 0; kw < c.Size[2]; kw++ {
				for ch := group * per; ch < (group+1)*per; ch++ {
					for r := 0; r < rows; r++ {
						line := p.line((first+r)/c.Out[1], (first+r)%c.Out[1], kd, kh)
						f(line+kw*c.Dilate[2]*c.Channels+ch, (k*rows+r)*c.Out[2])
					}
					k++
				}
			}
		}
	}
}

func gatherColumns[T Float](c *Conv, p *padded[T], col []T, group, first, rows int) {
	step := c.Stride[2] * c.Channels
	eachColumnRow(c, p, group, first, rows, func(from, to int) {
		d := col[to : to+c.Out[2]]
		if step == 1 {
			copy(d, p.data[from:])
			return
		}
		for i := range d {
			d[i] = p.data[from]
			from += step
		}
	})
}

// column returns a matrix for the largest block.
func column[T Float](c *Conv) []T { return make([]T, c.depth()*c.columnBlock()*c.Out[2]) }

func convColumns[T Float](c *Conv, dst, x, w []T) {
	p, col := newPadded[T](&c.Window), column[T](c)
	per := c.Filters / c.Groups
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		c.eachColumnBlock(func(group, first, rows int) {
			gatherColumns(c, p, col, group, first, rows)
			n := rows * c.Out[2]
			at := (b*c.outArea()+first*c.Out[2])*c.Filters + group*per
			Gemm(true, false, n, per, c.depth(), col, n, w[group*per:], c.Filters, dst[at:], c.Filters, false)
		})
	}
}

func convColumnsInputGrad[T Float](c *Conv, dx, dy, w []T) {
	p, col := newPadded[T](&c.Window), column[T](c)
	per, step := c.Filters/c.Groups, c.Stride[2]*c.Channels
	for b := 0; b < c.Batch; b++ {
		clear(p.data)
		c.eachColumnBlock(func(group, first, rows int) {
			n := rows * c.Out[2]
			at := (b*c.outArea()+first*c.Out[2])*c.Filters + group*per
			Gemm(false, true, c.depth(), n, per, w[group*per:], c.Filters, dy[at:], c.Filters, col, n, false)
			eachColumnRow(c, p, group, first, rows, func(from, to int) {
				for _, v := range col[to : to+c.Out[2]] {
					p.data[from] += v
					from += step
				}
			})
		})
		p.store(dx, b)
	}
}

func convColumnsFilterGrad[T Float](c *Conv, dw, x, dy []T) {
	clear(dw)
	p, col := newPadded[T](&c.Window), column[T](c)
	per := c.Filters / c.Groups
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		c.eachColumnBlock(func(group, first, rows int) {
			gatherColumns(c, p, col, group, first, rows)
			n := rows * c.Out[2]
			at := (b*c.outArea()+first*c.Out[2])*c.Filters + group*per
			Gemm(false, false, c.depth(), per, n, col, n, dy[at:], c.Filters, dw[group*per:], c.Filters, true)
		})
	}
}
