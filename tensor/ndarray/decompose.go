package ndarray

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// eachMatrix runs f on every matrix of a stack and collects the results, which
// get the stack's leading dimensions.
func (c *Ctx) eachMatrix(a *Array, f func(m *mat.Dense) ([]*Array, error)) ([]*Array, error) {
	nd := len(a.dims)
	if nd < 2 {
		_, err := Square(a)
		return nil, err
	}
	x, count, err := c.matrices(a)
	if err != nil {
		return nil, err
	}
	r, k := a.dims[nd-2], a.dims[nd-1]
	if r == 0 || k == 0 {
		return nil, linAlgError("Arrays cannot be empty")
	}
	var parts [][]*Array
	for i := range count {
		res, err := f(mat.NewDense(r, k, x[i*r*k:(i+1)*r*k]))
		if err != nil {
			return nil, err
		}
		if parts == nil {
			parts = make([][]*Array, len(res))
		}
		for j := range res {
			parts[j] = append(parts[j], res[j])
		}
	}
	return c.restack(a, parts)
}

func (c *Ctx) restack(a *Array, parts [][]*Array) ([]*Array, error) {
	var out []*Array
	for _, p := range parts {
		s, err := c.Stack(p, 0)
		if err != nil {
			return nil, err
		}
		if s, err = s.Reshape(append(slices.Clone(a.dims[:len(a.dims)-2]), p[0].dims...)...); err != nil {
			return nil, err
		}
		if a.DT == Float32 {
			to := Float32
			if s.DT.IsComplex() {
				to = Complex64
			}
			if s, err = c.Cast(s, to); err != nil {
				return nil, err
			}
		}
		out = append(out, s)
	}
	return out, nil
}

func fromMat(m mat.Matrix) *Array {
	r, k := m.Dims()
	a := New(Float64, r, k)
	x := slice[float64](a)
	for i := range r {
		for j := range k {
			x[i*k+j] = m.At(i, j)
		}
	}
	return a
}

// SVD is np.linalg.svd: u, s, vh, or only s.
func (c *Ctx) SVD(a *Array, full, vectors bool) ([]*Array, error) {
	return c.eachMatrix(a, func(m *mat.Dense) ([]*Array, error) {
		kind := mat.SVDThin
		if full {
			kind = mat.SVDFull
		}
		if !vectors {
			kind = mat.SVDNone
		}
		var d mat.SVD
		if !d.Factorize(m, kind) {
			return nil, linAlgError("SVD did not converge")
		}
		s := FromFloats(d.Values(nil))
		if !vectors {
			return []*Array{s}, nil
		}
		var u, v mat.Dense
		d.UTo(&u)
		d.VTo(&v)
		return []*Array{fromMat(&u), s, fromMat(v.T())}, nil
	})
}

// QR is np.linalg.qr: q and r in the reduced or complete form.
func (c *Ctx) QR(a *Array, complete bool) ([]*Array, error) {
	return c.eachMatrix(a, func(m *mat.Dense) ([]*Array, error) {
		r, k := m.Dims()
		wide := mat.DenseCopyOf(m)
		if r < k { // gonum factors tall matrices only: factor the left part
			wide = mat.DenseCopyOf(m.Slice(0, r, 0, r))
		}
		var d mat.QR
		d.Factorize(wide)
		var q, t mat.Dense
		d.QTo(&q)
		d.RTo(&t)
		if r < k {
			t.Reset()
			t.Mul(q.T(), m)
			for i := 1; i < r; i++ {
				for j := range i {
					t.Set(i, j, 0)
				}
			}
		}
		if n := min(r, k); !complete && n < r {
			return []*Array{fromMat(q.Slice(0, r, 0, n)), fromMat(t.Slice(0, n, 0, k))}, nil
		}
		return []*Array{fromMat(&q), fromMat(&t)}, nil
	})
}

// EigH is np.linalg.eigh: eigenvalues in ascending order, and vectors as columns.
func (c *Ctx) EigH(a *Array) ([]*Array, error) {
	if _, err := Square(a); err != nil {
		return nil, err
	}
	return c.eachMatrix(a, func(m *mat.Dense) ([]*Array, error) {
		n, _ := m.Dims()
		s := mat.NewSymDense(n, nil)
		for i := range n {
			for j := 0; j <= i; j++ {
				s.SetSym(i, j, m.At(i, j)) // the lower triangle counts
			}
		}
		var d mat.EigenSym
		if !d.Factorize(s, true) {
			return nil, linAlgError("Eigenvalues did not converge")
		}
		var v mat.Dense
		d.VectorsTo(&v)
		return []*Array{FromFloats(d.Values(nil)), fromMat(&v)}, nil
	})
}

// Eig is np.linalg.eig; the results are real when all eigenvalues are.
func (c *Ctx) Eig(a *Array) ([]*Array, error) {
	if _, err := Square(a); err != nil {
		return nil, err
	}
	out, err := c.eachMatrix(a, func(m *mat.Dense) ([]*Array, error) {
		var d mat.Eigen
		if !d.Factorize(m, mat.EigenRight) {
			return nil, linAlgError("Eigenvalues did not converge")
		}
		var v mat.CDense
		d.VectorsTo(&v)
		n, _ := m.Dims()
		vec := New(Complex128, n, n)
		for i := range n {
			for j := range n {
				slice[complex128](vec)[i*n+j] = v.At(i, j)
			}
		}
		return []*Array{From(Complex128, d.Values(nil)), vec}, nil
	})
	if err != nil {
		return nil, err
	}
	for _, z := range slice[complex128](mustCast(c, out[0], Complex128).Contiguous()) {
		if imag(z) != 0 {
			return out, nil
		}
	}
	return []*Array{out[0].Real().Copy(), out[1].Real().Copy()}, nil
}

func mustCast(c *Ctx, a *Array, dt DType) *Array {
	b, err := c.Cast(a, dt)
	if err != nil {
		return a
	}
	return b
}

// LstSq is the least squares solution of a x = b by the singular values, with
// those below rcond of the largest taken as zero; also the rank and the values.
func (c *Ctx) LstSq(a, b *Array, rcond float64) (x *Array, rank int, s *Array, err error) {
	parts, err := c.SVD(a, false, true)
	if err != nil {
		return nil, 0, nil, err
	}
	sv, err := c.Floats(parts[1])
	if err != nil {
		return nil, 0, nil, err
	}
	inv := make([]float64, len(sv))
	for i, v := range sv {
		if v > rcond*sv[0] && v > 0 {
			inv[i] = 1 / v
			rank++
		}
	}
	y, err := c.MatMul(parts[0].T(), b)
	if err != nil {
		return nil, 0, nil, err
	}
	d := FromFloats(inv)
	if len(b.dims) == 2 {
		d, _ = d.Reshape(len(inv), 1)
	}
	if y, err = c.Call(ufuncs["multiply"], Strongly(d, y), Options{}); err != nil {
		return nil, 0, nil, err
	}
	x, err = c.MatMul(parts[2].T(), y)
	return x, rank, parts[1], err
}

// PInv is np.linalg.pinv.
func (c *Ctx) PInv(a *Array, rcond float64) (*Array, error) {
	parts, err := c.SVD(a, false, true)
	if err != nil {
		return nil, err
	}
	s := slice[float64](mustCast(c, parts[1], Float64).Contiguous())
	top := 0.0
	for _, v := range s {
		top = max(top, v)
	}
	inv := make([]float64, len(s))
	for i, v := range s {
		if v > rcond*top {
			inv[i] = 1 / v
		}
	}
	d, _ := FromFloats(inv, parts[1].dims...).ExpandDims(-1)
	ut := parts[0].permuted(swapLast(len(parts[0].dims)))
	y, err := c.Call(ufuncs["multiply"], Strongly(d, ut), Options{})
	if err != nil {
		return nil, err
	}
	return c.MatMul(parts[2].permuted(swapLast(len(parts[2].dims))), y)
}

func swapLast(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	p[n-1], p[n-2] = n-2, n-1
	return p
}

// MatrixRank counts singular values above the default tolerance.
func (c *Ctx) MatrixRank(a *Array) (int, error) {
	parts, err := c.SVD(a, false, false)
	if err != nil {
		return 0, err
	}
	s, err := c.Floats(parts[0])
	if err != nil || len(s) == 0 {
		return 0, err
	}
	eps := math.Nextafter(1, 2) - 1
	if a.DT == Float32 {
		eps = float64(math.Nextafter32(1, 2) - 1)
	}
	tol := slices.Max(s) * float64(max(a.dims[0], a.dims[1])) * eps
	n := 0
	for _, v := range s {
		if v > tol {
			n++
		}
	}
	return n, nil
}
