package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// ResizeAttrs are those of the resizing ops.
type ResizeAttrs struct{ AlignCorners, HalfPixelCenters bool }

// source is the place in an image of n cells that cell i of m reads.
func (a *ResizeAttrs) source(i, n, m int) float32 {
	scale := float32(n) / float32(m)
	switch {
	case a.AlignCorners && m > 1:
		return float32(i) * (float32(n-1) / float32(m-1))
	case a.HalfPixelCenters:
		return (float32(i)+0.5)*scale - 0.5
	}
	return float32(i) * scale
}

func inferResize(dt func(tensor.DType) tensor.DType) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		s := c.Shape(0)
		if s.RankKnown() && s.Rank() != 4 {
			return ir.Invalid("input must be 4-dimensional%s", s.Brackets())
		}
		h, w := -1, -1
		if v, ok := c.Ints(1); ok && len(v) == 2 {
			h, w = int(v[0]), int(v[1])
		}
		return c.SetOut(dt(c.DType(0)), tensor.ShapeOf(s.Dim(0), h, w, s.Dim(3)))
	}
}

// tap is the two cells that a place reads and the weight of the second.
type tap struct {
	lo, hi int
	t      float32
}

func (a *ResizeAttrs) taps(n, m int) []tap {
	out := make([]tap, m)
	for i := range out {
		p := a.source(i, n, m)
		f := float32(math.Floor(float64(p)))
		lo := max(int(f), 0)
		out[i] = tap{min(lo, n-1), min(int(f)+1, n-1), p - f}
		if int(f) < 0 {
			out[i].hi = 0
		}
	}
	return out
}

// ResizeBilinear resizes images by linear interpolation.
var ResizeBilinear = ir.NewOp("ResizeBilinear", "images, size, align_corners=False, half_pixel_centers=False")

func init() {
	ResizeBilinear.Define(ir.Rules{
		Attrs: &ResizeAttrs{}, IntArgs: ir.In(1),
		Infer: inferResize(func(tensor.DType) tensor.DType { return tensor.Float32 }),
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, x, o := c.Attrs.(*ResizeAttrs), c.T(0), c.O(0)
			in := make([]float32, x.Len())
			kernel.Cast(in, elems(x))
			d, e := x.Dims(), o.Dims()
			ys, xs, ch := a.taps(d[1], e[1]), a.taps(d[2], e[2]), d[3]
			out := o.F32()
			at := 0
			for b := range d[0] {
				img := in[b*d[1]*d[2]*ch:]
				for _, y := range ys {
					for _, p := range xs {
						for k := range ch {
							px := func(r, q int) float32 { return img[(r*d[2]+q)*ch+k] }
							top := px(y.lo, p.lo) + float32((px(y.lo, p.hi)-px(y.lo, p.lo))*p.t)
							low := px(y.hi, p.lo) + float32((px(y.hi, p.hi)-px(y.hi, p.lo))*p.t)
							out[at] = top + float32((low-top)*y.t)
							at++
						}
					}
				}
			}
			return nil
		},
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			if g.In[0].Type.DT.Differentiable() {
				g.DX[0] = g.Emit2(ResizeBilinearGrad, g.Attrs, g.Dy(), g.X(0))
			}
		},
	})
}

// ResizeBilinearGrad spreads gradients onto the cells that a resize read.
var ResizeBilinearGrad = ir.NewOp("ResizeBilinearGrad", "grads, original_image, align_corners=False, half_pixel_centers=False")

func init() {
	ResizeBilinearGrad.Define(ir.Rules{
		Attrs: &ResizeAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(1), c.Shape(1)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, dy, o := c.Attrs.(*ResizeAttrs), c.T(0), c.O(0)
			d, e := o.Dims(), dy.Dims()
			acc := make([]float32, o.Len())
			ys, xs, ch := a.taps(d[1], e[1]), a.taps(d[2], e[2]), d[3]
			at := 0
			for b := range d[0] {
				img := acc[b*d[1]*d[2]*ch:]
				for _, y := range ys {
					for _, p := range xs {
						for k := range ch {
							v := dy.F32()[at]
							at++
							img[(y.lo*d[2]+p.lo)*ch+k] += v * (1 - y.t) * (1 - p.t)
							img[(y.lo*d[2]+p.hi)*ch+k] += v * (1 - y.t) * p.t
							img[(y.hi*d[2]+p.lo)*ch+k] += v * y.t * (1 - p.t)
							img[(y.hi*d[2]+p.hi)*ch+k] += v * y.t * p.t
						}
					}
				}
			}
			kernel.Cast(elems(o), acc)
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			n := g.In[0].Type.Shp
			g.DX[0] = g.Emit2(ResizeBilinear, g.Attrs, g.Dy(), ir.IntList(int64(n.Dim(1)), int64(n.Dim(2))))
		},
	})
}

// ResizeNearestNeighbor resizes images by repeating cells.
var ResizeNearestNeighbor = ir.NewOp("ResizeNearestNeighbor", "images, size, align_corners=False, half_pixel_centers=False")

// nearest is the cell that cell i of m reads.
func (a *ResizeAttrs) nearest(i, n, m int) int64 {
	var p float64
	scale := float32(n) / float32(m)
	switch {
	case a.AlignCorners && m > 1:
		p = math.Round(float64(float32(i) * (float32(n-1) / float32(m-1))))
	case a.HalfPixelCenters:
		p = math.Floor(float64((float32(i) + 0.5) * scale))
	default:
		p = math.Floor(float64(float32(i) * scale))
	}
	return int64(min(max(int(p), 0), n-1))
}

func nearestIndex(a *ResizeAttrs, d, e []int) []int64 {
	var idx []int64
	for b := range e[0] {
		for y := range e[1] {
			for x := range e[2] {
				at := (int64(b)*int64(d[1])+a.nearest(y, d[1], e[1]))*int64(d[2]) + a.nearest(x, d[2], e[2])
				for k := range e[3] {
					idx = append(idx, at*int64(e[3])+int64(k))
				}
			}
		}
	}
	return idx
}

func init() {
	ResizeNearestNeighbor.Define(ir.Rules{
		Attrs: &ResizeAttrs{}, IntArgs: ir.In(1), Infer: inferResize(func(d tensor.DType) tensor.DType { return d }),
		Alloc: func(c *ir.Call) *ir.Mistake {
			return pick(c, c.T(0), nearestIndex(c.Attrs.(*ResizeAttrs), c.T(0).Dims(), c.OutType(0).Shp.Dims()))
		},
		Grad: func(g *ir.Grad) {
			in := g.In[0].Type.Shp
			g.DX[0] = g.Emit2(ResizeNearestNeighborGrad, g.Attrs, g.Dy(), ir.IntList(int64(in.Dim(1)), int64(in.Dim(2))))
		},
	})
}

// ResizeNearestNeighborGrad adds gradients onto the cells that a resize repeated.
var ResizeNearestNeighborGrad = ir.NewOp("ResizeNearestNeighborGrad", "grads, size, align_corners=False, half_pixel_centers=False")

func init() {
	ResizeNearestNeighborGrad.Define(ir.Rules{
		Attrs: &ResizeAttrs{}, IntArgs: ir.In(1), Infer: inferResize(func(d tensor.DType) tensor.DType { return d }),
		Alloc: func(c *ir.Call) *ir.Mistake {
			o, err := c.Env.Alloc.Zeros(c.DType(0), c.OutType(0).Shp)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, o)
			idx := nearestIndex(c.Attrs.(*ResizeAttrs), o.Dims(), c.T(0).Dims())
			if _, ok := scatter(kernel.ScatterAdd, o, idx, c.T(0), o.Len(), 1); !ok {
				return unsupported(c)
			}
			return nil
		},
		Grad: func(g *ir.Grad) {
			n := g.In[0].Type.Shp
			g.DX[0] = g.Emit2(ResizeNearestNeighbor, g.Attrs, g.Dy(), ir.IntList(int64(n.Dim(1)), int64(n.Dim(2))))
		},
	})
}

// BlockAttrs are those of SpaceToDepth and DepthToSpace.
type BlockAttrs struct{ BlockSize int }

// SpaceToDepth moves blocks of cells into the channels.
var SpaceToDepth = ir.NewOp("SpaceToDepth", "input, block_size, data_format='NHWC'")

// DepthToSpace moves channels into blocks of cells.
var DepthToSpace = ir.NewOp("DepthToSpace", "input, block_size, data_format='NHWC'")

func init() {
	SpaceToDepth.Define(ir.Rules{
		Attrs: &BlockAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s, n := c.Shape(0), c.Attrs.(*BlockAttrs).BlockSize
			if !s.Known() {
				return c.SetOut(c.DType(0), tensor.UnknownDims(4))
			}
			if n < 2 || s.Dim(1)%n != 0 || s.Dim(2)%n != 0 {
				return ir.Invalid("Image width and height should be divisible by block_size: %s, %d", s.Brackets(), n)
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(s.Dim(0), s.Dim(1)/n, s.Dim(2)/n, s.Dim(3)*n*n))
		},
		Alloc: func(c *ir.Call) *ir.Mistake { return blocks(c, c.T(0).Dims(), false) },
		Grad:  func(g *ir.Grad) { g.DX[0] = g.Emit1(DepthToSpace, g.Attrs, g.Dy()) },
	})
	DepthToSpace.Define(ir.Rules{
		Attrs: &BlockAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s, n := c.Shape(0), c.Attrs.(*BlockAttrs).BlockSize
			if !s.Known() {
				return c.SetOut(c.DType(0), tensor.UnknownDims(4))
			}
			if n < 2 || s.Dim(3)%(n*n) != 0 {
				return ir.Invalid("Input depth dimension %d should be divisible by: %d", s.Dim(3), n*n)
			}
			return c.SetOut(c.DType(0), tensor.ShapeOf(s.Dim(0), s.Dim(1)*n, s.Dim(2)*n, s.Dim(3)/(n*n)))
		},
		Alloc: func(c *ir.Call) *ir.Mistake { return blocks(c, c.OutType(0).Shp.Dims(), true) },
		Grad:  func(g *ir.Grad) { g.DX[0] = g.Emit1(SpaceToDepth, g.Attrs, g.Dy()) },
	})
}

// blocks moves between space of dims and depth.
func blocks(c *ir.Call, dims []int, toSpace bool) *ir.Mistake {
	n := c.Attrs.(*BlockAttrs).BlockSize
	b, h, w, ch := dims[0], dims[1]/n, dims[2]/n, dims[3]
	o, m := newOut(c, 0)
	if m != nil {
		return m
	}
	shape := []int{b, h, w, n, n, ch}
	depth := kernel.Dense(shape)
	space := kernel.Strided{Stride: []int{h * n * w * n * ch, n * w * n * ch, n * ch, w * n * ch, ch, 1}}
	if toSpace {
		move(o, space, c.T(0), depth, shape)
	} else {
		move(o, depth, c.T(0), space, shape)
	}
	return nil
}
