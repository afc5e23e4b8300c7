package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var convs = []Conv{
	{Window{Batch: 2, Channels: 3, In: [3]int{1, 5, 6}, Out: [3]int{1, 3, 4}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 1, 1}, Dilate: [3]int{1, 1, 1}}, 4, 1},
	{Window{Batch: 1, Channels: 4, In: [3]int{1, 5, 5}, Out: [3]int{1, 3, 3}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 2, 2}, Dilate: [3]int{1, 1, 1}, Pad: [3]int{0, 1, 1}}, 6, 2},
	{Window{Batch: 2, Channels: 2, In: [3]int{1, 7, 7}, Out: [3]int{1, 3, 3}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 1, 1}, Dilate: [3]int{1, 2, 2}}, 3, 1},
	{Window{Batch: 3, Channels: 5, In: [3]int{1, 1, 4}, Out: [3]int{1, 1, 4}, Size: [3]int{1, 1, 1}, Stride: [3]int{1, 1, 1}, Dilate: [3]int{1, 1, 1}}, 2, 1},
	{Window{Batch: 1, Channels: 2, In: [3]int{3, 4, 4}, Out: [3]int{2, 2, 2}, Size: [3]int{2, 2, 2}, Stride: [3]int{1, 2, 2}, Dilate: [3]int{1, 1, 1}}, 3, 1},
	{Window{Batch: 2, Channels: 16, In: [3]int{1, 9, 17}, Out: [3]int{1, 4, 9}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 2, 2}, Dilate: [3]int{1, 1, 1}, Pad: [3]int{0, 0, 1}}, 33, 1},
	{Window{Batch: 1, Channels: 200, In: [3]int{1, 3, 8}, Out: [3]int{1, 3, 8}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 1, 1}, Dilate: [3]int{1, 1, 1}, Pad: [3]int{0, 1, 1}}, 3, 1},
	{Window{Batch: 1, Channels: 16, In: [3]int{1, 30, 30}, Out: [3]int{1, 30, 30}, Size: [3]int{1, 3, 3}, Stride: [3]int{1, 1, 1}, Dilate: [3]int{1, 1, 1}, Pad: [3]int{0, 1, 1}}, 8, 1},
}

func dotAll(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func unravel(at int, size [3]int) (c [3]int) {
	c[2] = at % size[2]
	at /= size[2]
	c[1] = at % size[1]
	c[0] = at / size[1]
	return c
}

// placeOf is the cell of an image that window cell k of output position o is, or -1.
func placeOf(w *Window, o, k [3]int) int {
	at := 0
	for d := range o {
		x, ok := w.at(d, o[d], k[d])
		if !ok {
			return -1
		}
		at = at*w.In[d] + x
	}
	return at
}

// naiveConv sums over everything.
func naiveConv(c *Conv, x, w []float64) []float64 {
	dst := make([]float64, c.Batch*c.outArea()*c.Filters)
	cin, per := c.Channels/c.Groups, c.Filters/c.Groups
	for i := range dst {
		f, p := i%c.Filters, i/c.Filters
		b, o := p/c.outArea(), unravel(p%c.outArea(), c.Out)
		for k := 0; k < c.cells(); k++ {
			at := placeOf(&c.Window, o, unravel(k, c.Size))
			for ch := 0; at >= 0 && ch < cin; ch++ {
				dst[i] += x[(b*c.inArea()+at)*c.Channels+f/per*cin+ch] * w[(k*cin+ch)*c.Filters+f]
			}
		}
	}
	return dst
}

// TestConv checks the convolution against sums, and the gradients by linearity:
// <dy, conv(x, w)> = <dx, x> = <dw, w>.
func TestConv(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 13))
	for _, c := range convs {
		x := normals(r, c.Batch*c.inArea()*c.Channels)
		w := normals(r, c.depth()*c.Filters)
		y, dy := make([]float64, c.Batch*c.outArea()*c.Filters), normals(r, c.Batch*c.outArea()*c.Filters)
		Conv2D(&c, y, x, w)
		for i, want := range naiveConv(&c, x, w) {
			if math.Abs(y[i]-want) > 1e-12*float64(c.depth()) {
				t.Fatalf("%+v: [%d] = %v, want %v", c, i, y[i], want)
			}
		}
		dx, dw := make([]float64, len(x)), make([]float64, len(w))
		Conv2DInputGrad(&c, dx, dy, w)
		Conv2DFilterGrad(&c, dw, x, dy)
		want := dotAll(dy, y)
		if a, b := dotAll(dx, x), dotAll(dw, w); math.Abs(a-want) > 1e-8 || math.Abs(b-want) > 1e-8 {
			t.Errorf("%+v: %v, %v, want %v", c, a, b, want)
		}
		y32 := make([]float32, len(y))
		Conv2D(&c, y32, to32(x), to32(w))
		for i := range y {
			if math.Abs(float64(y32[i])-y[i]) > 1e-5*float64(c.depth()) {
				t.Fatalf("float32 %v, want %v", y32[i], y[i])
			}
		}
		if c.Groups > 1 {
			continue
		}
		dc := Depthwise{c.Window, 2}
		w, y = normals(r, c.cells()*c.Channels*2), make([]float64, c.Batch*c.outArea()*c.Channels*2)
		dy = normals(r, len(y))
		dw = make([]float64, len(w))
		DepthwiseConv(&dc, y, x, w)
		DepthwiseInputGrad(&dc, dx, dy, w)
		DepthwiseFilterGrad(&dc, dw, x, dy)
		want = dotAll(dy, y)
		if a, b := dotAll(dx, x), dotAll(dw, w); math.Abs(a-want) > 1e-8 || math.Abs(b-want) > 1e-8 {
			t.Errorf("depthwise %+v: %v, %v, want %v", c, a, b, want)
		}
	}
}

func TestPool(t *testing.T) {
	w := Window{Batch: 1, Channels: 1, In: [3]int{1, 5, 5}, Out: [3]int{1, 3, 3}, Size: [3]int{1, 3, 3},
		Stride: [3]int{1, 2, 2}, Dilate: [3]int{1, 1, 1}, Pad: [3]int{0, 1, 1}}
	x, y, dx := make([]float32, 25), make([]float32, 9), make([]float32, 25)
	dy := make([]float32, 9)
	Fill(dy, 1)
	MaxPool(&w, y, x)
	MaxPoolGrad(&w, dx, x, y, dy, FirstTie)
	// Recorded from TensorFlow: ties go to the first cell.
	if got := fmt.Sprint(dx); got != "[1 1 0 1 0 1 1 0 1 0 0 0 0 0 0 1 1 0 1 0 0 0 0 0 0]" {
		t.Error(got)
	}
	MaxPoolGrad(&w, dx, x, y, dy, AllTies)
	if got := fmt.Sprint(dx[:5]); got != "[1 2 1 2 1]" {
		t.Error(got)
	}
	Fill(x, 3)
	AvgPool(&w, y, x)
	for _, v := range y {
		if v != 3 {
			t.Error(y)
		}
	}
	AvgPoolGrad(&w, dx, dy)
	if s := Sum32(dx); math.Abs(float64(s)-9) > 1e-5 {
		t.Error(s)
	}
	w = Window{Batch: 1, Channels: 2, In: [3]int{1, 4, 4}, Out: [3]int{1, 2, 2}, Size: [3]int{1, 2, 2},
		Stride: [3]int{1, 2, 2}, Dilate: [3]int{1, 1, 1}}
	at := make([]int64, 8)
	MaxPoolArgmax(&w, make([]float32, 8), at, make([]float32, 32), 0)
	if got := fmt.Sprint(at); got != "[0 1 4 5 16 17 20 21]" {
		t.Error(got)
	}
}
