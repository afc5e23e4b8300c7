package ndarray

import (
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

// FFT is np.fft.fft along the last axis to length n, or ifft when inverse.
func (c *Ctx) FFT(a *Array, n, axis int, inverse bool) (*Array, error) {
	if n < 1 {
		return nil, valueError("Invalid number of FFT data points (%d) specified.", n)
	}
	x, axis, err := c.fftRows(a, n, axis)
	if err != nil {
		return nil, err
	}
	z := slice[complex128](x)
	f := fourier.NewCmplxFFT(n)
	for i := 0; i < len(z); i += n {
		row := z[i : i+n]
		if inverse {
			copy(row, f.Sequence(nil, row))
			for j := range row {
				row[j] /= complex(float64(n), 0)
			}
			continue
		}
		copy(row, f.Coefficients(nil, row))
	}
	out := x.restore(axis)
	if a.DT == Float32 || a.DT == Complex64 {
		return c.Cast(out, Complex64)
	}
	return out.Contiguous(), nil
}

// fftRows is a as complex rows of n elements, cut or filled with zeros.
func (c *Ctx) fftRows(a *Array, n, axis int) (*Array, int, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, 0, err
	}
	m := a.moveLast(axis)
	last := len(m.dims) - 1
	dims := slices.Clone(m.dims)
	dims[last] = n
	x := New(Complex128, dims...)
	k := min(n, m.dims[last])
	return x, axis, c.CopyTo(x.part(last, 0, k), m.part(last, 0, k))
}
