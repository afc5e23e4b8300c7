package ops

import (
	"math"
	"math/cmplx"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// FFT is the discrete Fourier transform along the last dimension.
var FFT = ir.NewOp("FFT", "input", "tf.signal.fft")

// IFFT is its inverse.
var IFFT = ir.NewOp("IFFT", "input", "tf.signal.ifft")

// FFT2D transforms the last two dimensions.
var FFT2D = ir.NewOp("FFT2D", "input", "tf.signal.fft2d")

// IFFT2D is its inverse.
var IFFT2D = ir.NewOp("IFFT2D", "input", "tf.signal.ifft2d")

// FFT3D transforms the last three dimensions.
var FFT3D = ir.NewOp("FFT3D", "input", "tf.signal.fft3d")

// IFFT3D is its inverse.
var IFFT3D = ir.NewOp("IFFT3D", "input", "tf.signal.ifft3d")

func init() {
	defineFFT(FFT, IFFT, 1)
	defineFFT(FFT2D, IFFT2D, 2)
	defineFFT(FFT3D, IFFT3D, 3)
}

// defineFFT defines a transform of n dimensions and its inverse, which are each
// other's gradients up to the size.
func defineFFT(fwd, inv *ir.Op, n int) {
	fwd.Define(ir.Rules{
		Infer: like0, Kernel: fourier(n, false),
		Grad: func(g *ir.Grad) {
			g.DX[0] = mul(g.Session, g.Emit1(inv, nil, g.Dy()), lastSizes(g, n))
		},
	})
	inv.Define(ir.Rules{
		Infer: like0, Kernel: fourier(n, true),
		Grad: func(g *ir.Grad) {
			g.DX[0] = div(g.Session, g.Emit1(fwd, nil, g.Dy()), lastSizes(g, n))
		},
	})
}

// lastSizes is the product of the last n dimensions, in dy's dtype.
func lastSizes(g *ir.Grad, n int) ir.Value {
	s, in := g.Session, g.In[0].Type.Shp
	k := 1
	for i := 1; i <= n; i++ {
		d := in.Dim(-i)
		if d < 0 {
			sh := inShapeT(g, 0)
			from := s.EmitN(StridedSlice, &SliceAttrs{EndMask: 1}, sh, ir.IntList(int64(-n)), ir.IntList(0), ir.IntList(1))
			return cast(s, s.Emit2(Prod, reduceDrop, from, ir.IntList(0)), g.Dy().DType())
		}
		k *= d
	}
	return s.Scalar(g.Dy().DType(), float64(k))
}

func complexOf(t *tensor.Tensor) []complex128 {
	z := make([]complex128, t.Len())
	kernel.Cast(z, elems(t))
	return z
}

func fourier(n int, inverse bool) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x := c.T(0)
		if x.Rank() < n {
			return ir.Invalid("Input must have rank of at least %d but got: %s", n, x.Shape().Brackets())
		}
		z := complexOf(x)
		for i := range n {
			outer, m, inner := around(x.Dims(), x.Rank()-1-i)
			transformAxis(z, outer, m, inner, inverse)
		}
		kernel.Cast(elems(c.O(0)), z)
		return nil
	}
}

// transformAxis transforms the middle of [outer, n, inner] in place.
func transformAxis(z []complex128, outer, n, inner int, inverse bool) {
	row := make([]complex128, n)
	for o := range outer {
		for i := range inner {
			for k := range n {
				row[k] = z[(o*n+k)*inner+i]
			}
			dft(row, inverse)
			for k := range n {
				z[(o*n+k)*inner+i] = row[k]
			}
		}
	}
}

// dft transforms x: by halves where the length is even, else by the definition.
func dft(x []complex128, inverse bool) {
	fourierOf(x, inverse)
	if inverse && len(x) > 0 {
		f := complex(1/float64(len(x)), 0)
		for i := range x {
			x[i] *= f
		}
	}
}

func fourierOf(x []complex128, inverse bool) {
	n := len(x)
	if n <= 1 {
		return
	}
	sign := -2 * math.Pi
	if inverse {
		sign = -sign
	}
	if n%2 != 0 {
		y := make([]complex128, n)
		for k := range y {
			for j, v := range x {
				y[k] += v * cmplx.Rect(1, sign*float64(j*k%n)/float64(n))
			}
		}
		copy(x, y)
		return
	}
	even, odd := make([]complex128, n/2), make([]complex128, n/2)
	for i := range even {
		even[i], odd[i] = x[2*i], x[2*i+1]
	}
	fourierOf(even, inverse)
	fourierOf(odd, inverse)
	for k := range even {
		w := cmplx.Rect(1, sign*float64(k)/float64(n)) * odd[k]
		x[k], x[k+n/2] = even[k]+w, even[k]-w
	}
}

// RFFT transforms real numbers: the first half of the spectrum. Operand 1 is the
// length.
var RFFT = ir.NewOp("RFFT", "input_tensor, fft_length=None")

func init() {
	RFFT.Define(ir.Rules{
		IntArgs: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake {
			dt := tensor.Complex64
			if c.DType(0) == tensor.Float64 {
				dt = tensor.Complex128
			}
			n, ok := c.Int(1)
			if !ok {
				n = -2
			}
			s := c.Shape(0)
			if s.Rank() < 1 {
				return c.SetOut(dt, s)
			}
			return c.SetOut(dt, s.With(s.Rank()-1, int(n/2+1)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			n, _ := c.Int(1)
			rows, m := rowsOf(c.T(0))
			z := complexOf(c.T(0))
			h := int(n/2 + 1)
			out := make([]complex128, rows*h)
			for r := range rows {
				row := make([]complex128, n)
				copy(row, z[r*m:(r+1)*m])
				dft(row, false)
				copy(out[r*h:(r+1)*h], row)
			}
			kernel.Cast(elems(c.O(0)), out)
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) { g.DX[0] = realGrad(g) },
	})
}

// realGrad: the adjoint of a transform of reals takes the real part of the adjoint
// of the whole transform of dy padded with zeros.
func realGrad(g *ir.Grad) ir.Value {
	s := g.Session
	n, _ := exactInts(g.X(1))
	in := g.In[0].Type.Shp
	if len(n) != 1 || !in.Known() {
		g.Fail(ir.Wrong("UnimplementedError", "the gradient of rfft of unknown length is not supported"))
		return nil
	}
	r := in.Rank()
	pads := make([]int64, 2*r)
	pads[2*r-1] = n[0] - n[0]/2 - 1
	z := s.Emit2(Pad, nil, g.Dy(), s.Const(padsTensor(pads)))
	z = mul(s, s.Emit1(IFFT, nil, z), s.Scalar(z.DType(), float64(n[0])))
	d := s.Emit1(Real, nil, z)
	return resized(s, d, in)
}

// resized cuts or pads the last dimension.
func resized(s *ir.Session, d ir.Value, want tensor.Shape) ir.Value {
	have, w := d.Shape().Dim(-1), want.Dim(-1)
	r := want.Rank()
	switch {
	case have > w:
		return s.EmitN(Slice, nil, d, ir.IntList(make([]int64, r)...), ir.DimList(want.Dims()))
	case have < w:
		pads := make([]int64, 2*r)
		pads[2*r-1] = int64(w - have)
		return s.Emit2(Pad, nil, d, s.Const(padsTensor(pads)))
	}
	return d
}

// IRFFT is the inverse of RFFT.
var IRFFT = ir.NewOp("IRFFT", "input_tensor, fft_length=None")

func init() {
	IRFFT.Define(ir.Rules{
		IntArgs: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake {
			n, ok := c.Int(1)
			if !ok {
				n = -1
			}
			s := c.Shape(0)
			if s.Rank() < 1 {
				return c.SetOut(c.DType(0).Real(), s)
			}
			return c.SetOut(c.DType(0).Real(), s.With(s.Rank()-1, int(n)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			n, _ := c.Int(1)
			rows, m := rowsOf(c.T(0))
			z := complexOf(c.T(0))
			out := make([]float64, rows*int(n))
			for r := range rows {
				row := make([]complex128, n)
				for k := range row {
					switch {
					case k <= int(n)/2 && k < m:
						row[k] = z[r*m+k]
					case k > int(n)/2 && int(n)-k < m:
						row[k] = cmplx.Conj(z[r*m+int(n)-k])
					}
				}
				if n > 0 {
					row[0] = complex(real(row[0]), 0)
				}
				dft(row, true)
				for k, v := range row {
					out[r*int(n)+k] = real(v)
				}
			}
			kernel.Cast(elems(c.O(0)), out)
			return nil
		},
		Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			n, _ := exactInts(g.X(1))
			in := g.In[0].Type.Shp
			if len(n) != 1 || !in.Known() {
				g.Fail(ir.Wrong("UnimplementedError", "the gradient of irfft of unknown length is not supported"))
				return
			}
			f := s.Emit2(RFFT, nil, g.Dy(), g.X(1))
			h := int(n[0]/2 + 1)
			w := make([]float64, h)
			for i := range w {
				w[i] = 2 / float64(n[0])
			}
			w[0] = 1 / float64(n[0])
			if n[0]%2 == 0 {
				w[h-1] = 1 / float64(n[0])
			}
			k := cast(s, s.Const(tensor.From(w, h)), f.DType())
			g.DX[0] = resized(s, mul(s, f, k), in)
		},
	})
}
