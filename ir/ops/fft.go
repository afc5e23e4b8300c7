package ops

import (
	"math/cmplx"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"gonum.org/v1/gonum/dsp/fourier"
)

// The Fourier transforms run over the last one or two dimensions, in complex128.

// FFT is the discrete Fourier transform of the last dimension.
var FFT = ir.NewOp("FFT", "input", "tf.signal.fft")

// IFFT is its inverse.
var IFFT = ir.NewOp("IFFT", "input", "tf.signal.ifft")

// FFT2D is the transform of the last two dimensions.
var FFT2D = ir.NewOp("FFT2D", "input", "tf.signal.fft2d")

// IFFT2D is its inverse.
var IFFT2D = ir.NewOp("IFFT2D", "input", "tf.signal.ifft2d")

func init() {
	defineFFT(FFT, IFFT, 1, false)
	defineFFT(IFFT, FFT, 1, true)
	defineFFT(FFT2D, IFFT2D, 2, false)
	defineFFT(IFFT2D, FFT2D, 2, true)
}

// defineFFT defines a transform of n dimensions; other is its inverse, which its
// gradient uses.
func defineFFT(op, other *ir.Op, n int, inverse bool) {
	op.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			if s := c.Shape(0); s.RankKnown() && s.Rank() < n {
				return ir.Invalid("Input must have rank of at least %d but got: %s", n, s.Brackets())
			}
			return c.SetLike(0)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x := complexes(c.T(0))
			d := c.T(0).Dims()
			for k := range n {
				transform(x, d, len(d)-1-k, inverse)
			}
			setComplexes(c.O(0), x)
			return nil
		},
		Grad: func(g *ir.Grad) {
			s := g.Session
			dx, count := s.Emit1(other, nil, g.Dy()), transformed(g, n)
			if inverse {
				g.DX[0] = div(s, dx, count)
				return
			}
			g.DX[0] = mul(s, dx, count)
		},
	})
}

func complexes(t *tensor.Tensor) []complex128 {
	out := make([]complex128, t.Len())
	switch t.DType() {
	case tensor.Complex64:
		for i, v := range raw[complex64](t) {
			out[i] = complex128(v)
		}
	case tensor.Complex128:
		copy(out, raw[complex128](t))
	case tensor.Float32:
		for i, v := range t.F32() {
			out[i] = complex(float64(v), 0)
		}
	case tensor.Float64:
		for i, v := range t.F64() {
			out[i] = complex(v, 0)
		}
	}
	return out
}

func setComplexes(t *tensor.Tensor, x []complex128) {
	switch t.DType() {
	case tensor.Complex64:
		for i, v := range x {
			raw[complex64](t)[i] = complex64(v)
		}
	case tensor.Complex128:
		copy(raw[complex128](t), x)
	case tensor.Float32:
		for i, v := range x {
			t.F32()[i] = float32(real(v))
		}
	case tensor.Float64:
		for i, v := range x {
			t.F64()[i] = real(v)
		}
	}
}

// transform transforms x in place along one dimension.
func transform(x []complex128, dims []int, axis int, inverse bool) {
	outer, n, inner := around(dims, axis)
	if n == 0 {
		return
	}
	f := fourier.NewCmplxFFT(n)
	row, out := make([]complex128, n), make([]complex128, n)
	for o := range outer {
		for i := range inner {
			for k := range n {
				row[k] = x[(o*n+k)*inner+i]
			}
			if inverse {
				f.Sequence(out, row)
			} else {
				f.Coefficients(out, row)
			}
			for k := range n {
				if inverse {
					out[k] /= complex(float64(n), 0)
				}
				x[(o*n+k)*inner+i] = out[k]
			}
		}
	}
}

// RFFT is the first half of the transform of real numbers; operand 1 is the length
// to which the last dimension is cut or padded.
var RFFT = ir.NewOp("RFFT", "input, fft_length")

func init() {
	RFFT.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			dt := tensor.Complex64
			if c.DType(0) == tensor.Float64 {
				dt = tensor.Complex128
			}
			v, ok := c.IntsExact(1)
			if !ok || !c.Shape(0).RankKnown() {
				return c.SetOut(dt, tensor.UnknownDims(c.Shape(0).Rank()))
			}
			return c.SetOut(dt, c.Shape(0).With(c.Shape(0).Rank()-1, int(v[0])/2+1))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, _ := c.IntsExact(1)
			x, d := sized(complexes(c.T(0)), c.T(0).Dims(), int(v[0]))
			transform(x, d, len(d)-1, false)
			x, _ = sized(x, d, int(v[0])/2+1)
			setComplexes(c.O(0), x)
			return nil
		},
		IntArgs: ir.In(1), Uses: ir.In(1), Grad: rfftGrad,
	})
}

// transformed is the number of elements in the last n dimensions, in the dtype of
// the cotangent.
func transformed(g *ir.Grad, n int) ir.Value {
	s, shape := g.Session, g.Dy().Shape()
	last := shape.Slice(max(shape.Rank()-n, 0), max(shape.Rank(), 0))
	if last.Known() {
		return cast(s, s.Scalar(tensor.Float64, float64(last.NumElements())), g.Dy().DType())
	}
	dims := s.EmitN(StridedSlice, &SliceAttrs{EndMask: 1}, shapeOf(s, g.Dy()), ir.IntList(int64(-n)), ir.IntList(0), ir.IntList(1))
	return cast(s, cast(s, EmitReduce(s, Prod, dims, []int64{0}, false), tensor.Float64), g.Dy().DType())
}

// sized cuts or pads the last dimension with zeros.
func sized(x []complex128, dims []int, n int) ([]complex128, []int) {
	old := dims[len(dims)-1]
	d := append(append([]int(nil), dims[:len(dims)-1]...), n)
	out := make([]complex128, prod(d))
	for r := range prod(dims[:len(dims)-1]) {
		copy(out[r*n:(r+1)*n], x[r*old:r*old+min(old, n)])
	}
	return out, d
}

// rfftGrad is the real part of the full transform of the padded cotangent's
// conjugate.
func rfftGrad(g *ir.Grad) {
	s := g.Session
	v, ok := exactInts(g.X(1))
	in := g.In[0].Type.Shp
	if !ok || in.Dim(-1) < 0 {
		g.Fail(ir.Wrong("UnimplementedError", "the gradient of RFFT needs a known length"))
		return
	}
	n, have := int(v[0]), in.Dim(-1)
	r := s.Emit1(Real, nil, s.Emit1(FFT, nil, s.Emit1(Conj, nil, padLast(s, g.Dy(), n-int(v[0])/2-1))))
	switch {
	case have < n:
		size := make([]int64, in.Rank())
		for i := range size {
			size[i] = -1
		}
		size[len(size)-1] = int64(have)
		r = s.EmitN(Slice, nil, r, ir.IntList(make([]int64, in.Rank())...), ir.IntList(size...))
	case have > n:
		r = padLast(s, r, have-n)
	}
	g.DX[0] = r
}

// padLast appends n zeros to the last dimension.
func padLast(s *ir.Session, x ir.Value, n int) ir.Value {
	if n == 0 {
		return x
	}
	rank := x.Shape().Rank()
	v := make([]int32, 2*rank)
	v[2*rank-1] = int32(n)
	return s.Emit2(Pad, nil, x, s.Const(tensor.From(v, rank, 2)))
}

// IRFFT is the real sequence whose transform begins with the operand.
var IRFFT = ir.NewOp("IRFFT", "input, fft_length")

func init() {
	IRFFT.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			dt := tensor.Float32
			if c.DType(0) == tensor.Complex128 {
				dt = tensor.Float64
			}
			v, ok := c.IntsExact(1)
			if !ok || !c.Shape(0).RankKnown() {
				return c.SetOut(dt, tensor.UnknownDims(c.Shape(0).Rank()))
			}
			return c.SetOut(dt, c.Shape(0).With(c.Shape(0).Rank()-1, int(v[0])))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, _ := c.IntsExact(1)
			n := int(v[0])
			half, d := sized(complexes(c.T(0)), c.T(0).Dims(), n/2+1)
			x, full := sized(half, d, n)
			for r := range prod(d[:len(d)-1]) {
				for k := n/2 + 1; k < n; k++ {
					x[r*n+k] = cmplx.Conj(half[r*(n/2+1)+n-k])
				}
			}
			transform(x, full, len(full)-1, true)
			setComplexes(c.O(0), x)
			return nil
		},
		IntArgs: ir.In(1), Uses: ir.In(1), Grad: irfftGrad,
	})
}

func irfftGrad(g *ir.Grad) {
	s := g.Session
	v, ok := exactInts(g.X(1))
	if !ok || v[0] < 1 {
		g.Fail(ir.Wrong("UnimplementedError", "the gradient of IRFFT needs a known length"))
		return
	}
	n := int(v[0])
	f := s.Emit2(RFFT, nil, g.Dy(), ir.IntList(int64(n)))
	w := make([]float64, n/2+1)
	for k := range w {
		w[k] = 2 / float64(n)
		if k == 0 || 2*k == n {
			w[k] = 1 / float64(n)
		}
	}
	f = mul(s, f, cast(s, s.Const(tensor.From(w, len(w))), f.DType()))
	have := g.In[0].Type.Shp.Dim(-1)
	if have > n/2+1 {
		f = padLast(s, f, have-n/2-1)
	}
	g.DX[0] = f
}
