package kernel

import "math"

// Depthwise is a convolution of each channel with Multiplier filters of its own; the
// filter is [window cells, Channels, Multiplier]. An output element is a chain of
// fused multiply-adds over the cells of the window.
type Depthwise struct {
	Window
	Multiplier int
}

// mulAdd is dst += x*y, each rounded once.
func mulAdd[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	switch d := any(dst).(type) {
	case []float32:
		x, y := any(x).([]float32), any(y).([]float32)
		if asmMulAdd(d, x, y) {
			return
		}
		for i, v := range x {
			d[i] = fma32(v, y[i], d[i])
		}
	case []float64:
		x, y := any(x).([]float64), any(y).([]float64)
		for i, v := range x {
			d[i] = math.FMA(v, y[i], d[i])
		}
	}
}

// repeated is each row of x, of n elements, written times times side by side.
func repeated[T any](x []T, n, times int) []T {
	out := make([]T, len(x)*times)
	for i := 0; i < len(x); i += n {
		for t := 0; t < times; t++ {
			copy(out[i*times+t*n:], x[i:i+n])
		}
	}
	return out
}

// spreadEach is each element of x written times times.
func spreadEach[T any](dst, x []T, times int) {
	for i, v := range x {
		Fill(dst[i*times:(i+1)*times], v)
	}
}

// eachCell calls f for each output row and window cell: where the cells begin in the
// padded image, the cell's number, the first output position.
func (c *Depthwise) eachCell(p interface {
	eachLine(f func(line, k, out int))
}, f func(line, k, out int)) {
	p.eachLine(func(line, k, out int) {
		for kw := 0; kw < c.Size[2]; kw++ {
			f(line+kw*c.Dilate[2]*c.Channels, k*c.Size[2]+kw, out)
		}
	})
}

// DepthwiseConv writes the depthwise convolution.
func DepthwiseConv[T Float](c *Depthwise, dst, x, w []T) {
	clear(dst)
	p := newPadded[T](&c.Window)
	n := c.Channels * c.Multiplier
	wide := c.Stride[2] == 1 && c.Multiplier == 1
	if wide {
		w = repeated(w, n, c.Out[2])
	}
	cell := make([]T, n)
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		c.eachCell(p, func(line, k, out int) {
			d := dst[(b*c.outArea()+out)*n:]
			if wide {
				m := c.Out[2] * n
				mulAdd(d[:m], p.data[line:], w[k*m:])
				return
			}
			for o := 0; o < c.Out[2]; o++ {
				from := p.data[line+o*c.Stride[2]*c.Channels:][:c.Channels]
				if c.Multiplier > 1 {
					spreadEach(cell, from, c.Multiplier)
					from = cell
				}
				mulAdd(d[o*n:(o+1)*n], from, w[k*n:])
			}
		})
	}
}

// DepthwiseInputGrad writes the gradient of the input.
func DepthwiseInputGrad[T Float](c *Depthwise, dx, dy, w []T) {
	p := newPadded[T](&c.Window)
	n := c.Channels * c.Multiplier
	wide := c.Stride[2] == 1 && c.Multiplier == 1
	if wide {
		w = repeated(w, n, c.Out[2])
	}
	for b := 0; b < c.Batch; b++ {
		clear(p.data)
		c.eachCell(p, func(line, k, out int) {
			g := dy[(b*c.outArea()+out)*n:]
			if wide {
				m := c.Out[2] * n
				mulAdd(p.data[line:line+m], g, w[k*m:])
				return
			}
			for o := 0; o < c.Out[2]; o++ {
				d := p.data[line+o*c.Stride[2]*c.Channels:][:c.Channels]
				if c.Multiplier == 1 {
					mulAdd(d, g[o*n:], w[k*n:])
					continue
				}
				for i := range n {
					d[i/c.Multiplier] += T(g[o*n+i] * w[k*n+i])
				}
			}
		})
		p.store(dx, b)
	}
}

// DepthwiseFilterGrad writes the gradient of the filter: one sum for each column of
// the output, which are then added in order.
func DepthwiseFilterGrad[T Float](c *Depthwise, dw, x, dy []T) {
	p := newPadded[T](&c.Window)
	n := c.Channels * c.Multiplier
	m := c.Out[2] * n
	sums := make([]T, c.cells()*m)
	row := make([]T, m)
	for b := 0; b < c.Batch; b++ {
		p.load(x, b)
		c.eachCell(p, func(line, k, out int) {
			from := p.data[line:]
			if c.Stride[2] != 1 || c.Multiplier != 1 {
				for o := 0; o < c.Out[2]; o++ {
					spreadEach(row[o*n:(o+1)*n], from[o*c.Stride[2]*c.Channels:][:c.Channels], c.Multiplier)
				}
				from = row
			}
			mulAdd(sums[k*m:(k+1)*m], from, dy[(b*c.outArea()+out)*n:])
		})
	}
	for k := 0; k < c.cells(); k++ {
		d := dw[k*n : (k+1)*n]
		clear(d)
		for o := 0; o < c.Out[2]; o++ {
			addVV(d, d, sums[k*m+o*n:])
		}
	}
}
