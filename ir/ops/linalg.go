package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
	"gonum.org/v1/gonum/mat"
)

// The decompositions run in float64 by gonum, one matrix of the batch after the
// other, and round to the dtype at the end.

// matrices reads operand i as float64 and says how large its matrices are.
func matrices(t *tensor.Tensor) (f []float64, batch, rows, cols int) {
	d := t.Dims()
	n := len(d)
	rows, cols = d[n-2], d[n-1]
	batch = prod(d[:n-2])
	f = make([]float64, t.Len())
	kernel.Cast(f, elems(t))
	return f, batch, rows, cols
}

// square checks that operand i is a batch of square matrices.
func squareMatrix(s tensor.Shape) *ir.Mistake {
	if !s.RankKnown() {
		return nil
	}
	if s.Rank() < 2 {
		return ir.Invalid("Input tensor must have rank >= 2, but got rank %d", s.Rank())
	}
	if a, b := s.Dim(-2), s.Dim(-1); a >= 0 && b >= 0 && a != b {
		return &ir.Mistake{Kind: ir.NotSquare, Args: []any{a, b}}
	}
	return nil
}

func inferSquare(c *ir.Call) *ir.Mistake {
	if m := squareMatrix(c.Shape(0)); m != nil {
		return m
	}
	return c.SetLike(0)
}

// batchOf is the shape of what there is one of for each matrix.
func batchOf(s tensor.Shape) tensor.Shape {
	if !s.RankKnown() {
		return s
	}
	return s.Slice(0, s.Rank()-2)
}

// eachMatrix runs f on each matrix of operand 0 and its place in the result.
func eachMatrix(f func(c *ir.Call, a *mat.Dense, out []float64) *ir.Mistake) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, o := c.T(0), c.O(0)
		v, batch, r, k := matrices(x)
		out := make([]float64, o.Len())
		if batch == 0 || r*k == 0 {
			kernel.Cast(elems(o), out)
			return nil
		}
		n := len(out) / batch
		for b := range batch {
			a := mat.NewDense(r, k, v[b*r*k:(b+1)*r*k])
			if m := f(c, a, out[b*n:(b+1)*n]); m != nil {
				return m
			}
		}
		kernel.Cast(elems(o), out)
		return nil
	}
}

// AdjointAttrs are those of MatrixInverse and MatrixSolve.
type AdjointAttrs struct{ Adjoint bool }

func adjoint(a any) bool {
	x, ok := a.(*AdjointAttrs)
	return ok && x != nil && x.Adjoint
}

// transposed emits the matrix transpose.
func matT(s *ir.Session, x ir.Value) ir.Value {
	r := x.Shape().Rank()
	if r < 0 {
		return x
	}
	perm := make([]int64, r)
	for i := range perm {
		perm[i] = int64(i)
	}
	perm[r-1], perm[r-2] = perm[r-2], perm[r-1]
	return s.Emit2(Transpose, nil, x, ir.IntList(perm...))
}

func mm(s *ir.Session, x, y ir.Value, ta, tb bool) ir.Value { return EmitMatMul(s, x, y, ta, tb) }

// MatrixInverse inverts square matrices.
var MatrixInverse = ir.NewOp("MatrixInverse", "input, adjoint=False", "tf.linalg.inv")

func init() {
	MatrixInverse.Define(ir.Rules{
		Attrs: &AdjointAttrs{}, Infer: inferSquare, Uses: ir.Out(0),
		Kernel: eachMatrix(func(c *ir.Call, a *mat.Dense, out []float64) *ir.Mistake {
			n, _ := a.Dims()
			var lu mat.LU
			lu.Factorize(a)
			if singular(&lu, n) {
				return ir.Invalid("Input is not invertible.")
			}
			id := mat.NewDense(n, n, nil)
			for i := range n {
				id.Set(i, i, 1)
			}
			inv := mat.NewDense(n, n, out)
			_ = lu.SolveTo(inv, adjoint(c.Attrs), id) // ill-conditioned is no error here
			return nil
		}),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, g.Y(0)
			adj := adjoint(g.Attrs)
			d := neg(s, mm(s, mm(s, y, g.Dy(), true, false), y, false, true))
			if adj {
				d = matT(s, d)
			}
			g.DX[0] = d
		},
	})
}

// singular reports a zero on the diagonal of U.
func singular(lu *mat.LU, n int) bool {
	var u mat.TriDense
	lu.UTo(&u)
	for i := range n {
		if u.At(i, i) == 0 {
			return true
		}
	}
	return false
}

// MatrixDeterminant is the determinant of square matrices.
var MatrixDeterminant = ir.NewOp("MatrixDeterminant", "input", "tf.linalg.det")

func init() {
	MatrixDeterminant.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			return c.SetOutOr(c.DType(0), batchOf(c.Shape(0)), squareMatrix(c.Shape(0)))
		},
		Kernel: eachMatrix(func(_ *ir.Call, a *mat.Dense, out []float64) *ir.Mistake {
			out[0] = mat.Det(a)
			return nil
		}),
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			k := mul(s, g.Dy(), g.Y(0))
			for range 2 {
				k = s.Emit2(ExpandDims, nil, k, ir.IntScalar(-1))
			}
			g.DX[0] = mul(s, k, matT(s, s.Emit1(MatrixInverse, &AdjointAttrs{}, g.X(0))))
		},
	})
}

// LogMatrixDeterminant is the sign and the logarithm of the absolute determinant.
var LogMatrixDeterminant = ir.NewOp("LogMatrixDeterminant", "input")

func init() {
	LogMatrixDeterminant.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			if m := squareMatrix(c.Shape(0)); m != nil {
				return m
			}
			c.SetOut(c.DType(0), batchOf(c.Shape(0)))
			return c.SetOut(c.DType(0), batchOf(c.Shape(0)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, batch, n, _ := matrices(c.T(0))
			sign, log := make([]float64, batch), make([]float64, batch)
			for b := range batch {
				if n == 0 {
					sign[b] = 1
					continue
				}
				log[b], sign[b] = mat.LogDet(mat.NewDense(n, n, v[b*n*n:(b+1)*n*n]))
				if math.IsInf(log[b], -1) {
					sign[b] = 0
				}
			}
			kernel.Cast(elems(c.O(0)), sign)
			kernel.Cast(elems(c.O(1)), log)
			return nil
		},
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			if g.DY[1] == nil {
				return
			}
			s, k := g.Session, g.DY[1]
			for range 2 {
				k = s.Emit2(ExpandDims, nil, k, ir.IntScalar(-1))
			}
			g.DX[0] = mul(s, k, matT(s, s.Emit1(MatrixInverse, &AdjointAttrs{}, g.X(0))))
		},
	})
}

// Cholesky is the lower triangular root of positive definite matrices.
var Cholesky = ir.NewOp("Cholesky", "input", "tf.linalg.cholesky")

func init() {
	Cholesky.Define(ir.Rules{
		Infer: inferSquare, Uses: ir.Out(0),
		Kernel: eachMatrix(func(_ *ir.Call, a *mat.Dense, out []float64) *ir.Mistake {
			n, _ := a.Dims()
			choleskyOf(a, out, n)
			return nil
		}),
		Grad: func(g *ir.Grad) { g.DX[0] = choleskyGrad(g) },
	})
}

// choleskyOf reads the lower triangle only; what is not positive definite is nan.
func choleskyOf(a *mat.Dense, out []float64, n int) {
	for i := range n {
		for j := range i + 1 {
			s := a.At(i, j)
			for k := range j {
				s -= out[i*n+k] * out[j*n+k]
			}
			if i == j {
				out[i*n+i] = math.Sqrt(s)
			} else {
				out[i*n+j] = s / out[j*n+j]
			}
		}
	}
}

// choleskyGrad is L^-T sym(phi(L^T dL)) L^-1, with phi the lower triangle and half
// of the diagonal.
func choleskyGrad(g *ir.Grad) ir.Value {
	s, l := g.Session, g.Y(0)
	mid := mm(s, l, g.Dy(), true, false)
	diag := s.EmitN(MatrixDiagPartV3, &DiagAttrs{}, mid, ir.IntScalar(0), zero(s, mid.DType()))
	low := s.EmitN(MatrixBandPart, nil, mid, ir.IntScalar(-1), ir.IntScalar(0))
	low = s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, low, times(s, diag, 0.5), ir.IntScalar(0))
	inv := s.Emit2(MatrixTriangularSolve, &TriangularAttrs{Lower: true}, l, eyeLike(s, l))
	d := mm(s, mm(s, inv, low, true, false), inv, false, false)
	return times(s, add(s, d, matT(s, d)), 0.5)
}

// eyeLike is the identity of x's shape.
func eyeLike(s *ir.Session, x ir.Value) ir.Value {
	d := s.EmitN(MatrixDiagPartV3, &DiagAttrs{}, x, ir.IntScalar(0), zero(s, x.DType()))
	return s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, zeros(s, x), s.Emit1(OnesLike, nil, d), ir.IntScalar(0))
}

// MatrixSolve solves systems of linear equations.
var MatrixSolve = ir.NewOp("MatrixSolve", "matrix, rhs, adjoint=False", "tf.linalg.solve")

func init() {
	MatrixSolve.Define(ir.Rules{
		Attrs: &AdjointAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			a, b := c.Shape(0), c.Shape(1)
			if m := squareMatrix(a); m != nil {
				return m
			}
			if !a.RankKnown() || !b.RankKnown() {
				return c.SetOut(c.DType(0), b)
			}
			if b.Rank() != a.Rank() || a.Dim(-1) >= 0 && b.Dim(-2) >= 0 && a.Dim(-1) != b.Dim(-2) {
				return ir.Invalid("Input matrix and rhs are incompatible.")
			}
			return c.SetOut(c.DType(0), b)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			return solveEach(c, func(a, b, x *mat.Dense, n int) *ir.Mistake {
				var lu mat.LU
				lu.Factorize(a)
				if singular(&lu, n) {
					return ir.Invalid("Input matrix is not invertible.")
				}
				_ = lu.SolveTo(x, adjoint(c.Attrs), b)
				return nil
			})
		},
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			adj := adjoint(g.Attrs)
			db := s.Emit2(MatrixSolve, &AdjointAttrs{!adj}, g.X(0), g.Dy())
			g.DX[1] = db
			if adj {
				g.DX[0] = neg(s, mm(s, g.Y(0), db, false, true))
			} else {
				g.DX[0] = neg(s, mm(s, db, g.Y(0), false, true))
			}
		},
	})
}

// solveEach runs f on each pair of matrices of operands 0 and 1; batches broadcast.
func solveEach(c *ir.Call, f func(a, b, x *mat.Dense, n int) *ir.Mistake) *ir.Mistake {
	va, _, n, _ := matrices(c.T(0))
	vb, _, r, k := matrices(c.T(1))
	o := c.O(0)
	out := make([]float64, o.Len())
	d := o.Dims()
	batch := d[:len(d)-2]
	pa := spreadDims(c.T(0).Dims()[:c.T(0).Rank()-2], batch)
	pb := spreadDims(c.T(1).Dims()[:c.T(1).Rank()-2], batch)
	for i := range pa {
		if n*k == 0 {
			break
		}
		a := mat.NewDense(n, n, va[pa[i]*n*n:(pa[i]+1)*n*n])
		b := mat.NewDense(r, k, vb[pb[i]*r*k:(pb[i]+1)*r*k])
		x := mat.NewDense(n, k, out[i*n*k:(i+1)*n*k])
		if m := f(a, b, x, n); m != nil {
			return m
		}
	}
	kernel.Cast(elems(o), out)
	return nil
}

// TriangularAttrs are those of MatrixTriangularSolve.
type TriangularAttrs struct{ Lower, Adjoint bool }

// MatrixTriangularSolve solves systems with a triangular matrix.
var MatrixTriangularSolve = ir.NewOp("MatrixTriangularSolve", "matrix, rhs, lower=True, adjoint=False", "tf.linalg.triangular_solve")

func init() {
	MatrixTriangularSolve.Define(ir.Rules{
		Attrs: &TriangularAttrs{Lower: true},
		Infer: func(c *ir.Call) *ir.Mistake {
			a, b := c.Shape(0), c.Shape(1)
			if m := squareMatrix(a); m != nil {
				return m
			}
			if !a.RankKnown() || !b.RankKnown() {
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			if b.Rank() < 2 || a.Dim(-1) >= 0 && b.Dim(-2) >= 0 && a.Dim(-1) != b.Dim(-2) {
				return ir.Invalid("Input matrix and rhs are incompatible: %s vs %s", a.Brackets(), b.Brackets())
			}
			s, ok := tensor.Broadcast(batchOf(a), batchOf(b))
			if !ok {
				return incompatible(a, b)
			}
			return c.SetOut(c.DType(0), s.Concat(b.Slice(b.Rank()-2, b.Rank())))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			t := c.Attrs.(*TriangularAttrs)
			return solveEach(c, func(a, b, x *mat.Dense, n int) *ir.Mistake {
				return triangular(a, b, x, n, t.Lower, t.Adjoint)
			})
		},
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s, t := g.Session, g.Attrs.(*TriangularAttrs)
			db := s.Emit2(MatrixTriangularSolve, &TriangularAttrs{t.Lower, !t.Adjoint}, g.X(0), g.Dy())
			var da ir.Value
			if t.Adjoint {
				da = neg(s, mm(s, g.Y(0), db, false, true))
			} else {
				da = neg(s, mm(s, db, g.Y(0), false, true))
			}
			lo, hi := int64(-1), int64(0)
			if !t.Lower {
				lo, hi = 0, -1
			}
			da = s.EmitN(MatrixBandPart, nil, da, ir.IntScalar(lo), ir.IntScalar(hi))
			g.DX[0], g.DX[1] = fitBatch(g, da, 0), fitBatch(g, db, 1)
		},
	})
}

// triangular substitutes forward or backward.
func triangular(a, b, x *mat.Dense, n int, lower, adj bool) *ir.Mistake {
	at := a.At
	if adj {
		at = func(i, j int) float64 { return a.At(j, i) }
		lower = !lower
	}
	_, k := b.Dims()
	for step := range n {
		i := step
		if !lower {
			i = n - 1 - step
		}
		if at(i, i) == 0 {
			return ir.Invalid("Input matrix is not invertible.")
		}
		for col := range k {
			v := b.At(i, col)
			if lower {
				for j := range i {
					v -= at(i, j) * x.At(j, col)
				}
			} else {
				for j := i + 1; j < n; j++ {
					v -= at(i, j) * x.At(j, col)
				}
			}
			x.Set(i, col, v/at(i, i))
		}
	}
	return nil
}

// QrAttrs are those of Qr.
type QrAttrs struct{ FullMatrices bool }

// Qr is the decomposition into an orthogonal and an upper triangular matrix.
var Qr = ir.NewOp("Qr", "input, full_matrices=False", "tf.linalg.qr")

func init() {
	Qr.Define(ir.Rules{
		Attrs: &QrAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			if !s.RankKnown() || s.Rank() < 2 {
				return ir.Invalid("Input tensor must have rank >= 2")
			}
			m, n := s.Dim(-2), s.Dim(-1)
			p := min(m, n)
			if c.Attrs.(*QrAttrs).FullMatrices {
				p = m
			}
			b := batchOf(s)
			c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(m, p)))
			return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(p, n)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, batch, m, n := matrices(c.T(0))
			p := c.O(0).Dims()[c.O(0).Rank()-1]
			q, r := make([]float64, c.O(0).Len()), make([]float64, c.O(1).Len())
			for b := range batch {
				if m*n == 0 {
					break
				}
				qrOf(v[b*m*n:(b+1)*m*n], q[b*m*p:(b+1)*m*p], r[b*p*n:(b+1)*p*n], m, n, p)
			}
			kernel.Cast(elems(c.O(0)), q)
			kernel.Cast(elems(c.O(1)), r)
			return nil
		},
		Uses: ir.Out(0) | ir.Out(1), Grad: qrGrad,
	})
}

// qrOf makes Householder reflections, as LAPACK does.
func qrOf(a, q, r []float64, m, n, p int) {
	w := append([]float64(nil), a...)
	full := make([]float64, m*m)
	for i := range m {
		full[i*m+i] = 1
	}
	for k := range min(m-1, n) {
		norm := 0.0
		for i := k; i < m; i++ {
			norm = math.Hypot(norm, w[i*n+k])
		}
		if norm == 0 {
			continue
		}
		alpha := -math.Copysign(norm, w[k*n+k])
		h := make([]float64, m)
		for i := k; i < m; i++ {
			h[i] = w[i*n+k]
		}
		h[k] -= alpha
		dot := 0.0
		for i := k; i < m; i++ {
			dot += h[i] * h[i]
		}
		if dot == 0 {
			continue
		}
		reflect2(w, h, dot, k, m, n)
		reflectQ(full, h, dot, k, m)
	}
	for i := range m {
		for j := range p {
			q[i*p+j] = full[i*m+j]
		}
	}
	for i := range p {
		for j := i; j < n; j++ {
			r[i*n+j] = w[i*n+j]
		}
	}
}

// reflect2 applies the reflection h from the left.
func reflect2(w, h []float64, dot float64, k, m, n int) {
	for j := range n {
		s := 0.0
		for i := k; i < m; i++ {
			s += h[i] * w[i*n+j]
		}
		s *= 2 / dot
		for i := k; i < m; i++ {
			w[i*n+j] -= s * h[i]
		}
	}
}

// reflectQ applies it from the right.
func reflectQ(q, h []float64, dot float64, k, m int) {
	for i := range m {
		s := 0.0
		for j := k; j < m; j++ {
			s += q[i*m+j] * h[j]
		}
		s *= 2 / dot
		for j := k; j < m; j++ {
			q[i*m+j] -= s * h[j]
		}
	}
}

// qrGrad holds for matrices at least as high as wide.
func qrGrad(g *ir.Grad) {
	s, q, r := g.Session, g.Y(0), g.Y(1)
	dy := allDy(g)
	if r.Shape().Dim(-2) != r.Shape().Dim(-1) {
		g.Fail(ir.Wrong("NotImplementedError", "QrGrad not implemented when nrows < ncols or full_matrices is true and ncols != nrows."))
		return
	}
	qdq := mm(s, q, dy[0], true, false)
	rdr := mm(s, r, dy[1], false, true)
	band := func(x ir.Value) ir.Value {
		return s.EmitN(MatrixBandPart, nil, x, ir.IntScalar(-1), ir.IntScalar(0))
	}
	tril := band(add(s, sub(s, qdq, matT(s, qdq)), sub(s, rdr, matT(s, rdr))))
	solve := func(x ir.Value) ir.Value {
		return matT(s, s.Emit2(MatrixTriangularSolve, &TriangularAttrs{Lower: false}, r, matT(s, x)))
	}
	a := mm(s, q, add(s, dy[1], solve(tril)), false, false)
	b := solve(sub(s, dy[0], mm(s, q, qdq, false, false)))
	g.DX[0] = add(s, a, b)
}

// EigAttrs are those of SelfAdjointEigV2.
type EigAttrs struct{ ComputeV bool }

// SelfAdjointEigV2 is the eigenvalues, rising, and eigenvectors of symmetric matrices.
var SelfAdjointEigV2 = ir.NewOp("SelfAdjointEigV2", "input, compute_v=True")

func init() {
	SelfAdjointEigV2.Define(ir.Rules{
		Attrs: &EigAttrs{ComputeV: true},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			if m := squareMatrix(s); m != nil {
				return m
			}
			if !s.RankKnown() {
				c.SetOut(c.DType(0), s)
				return c.SetOut(c.DType(0), s)
			}
			c.SetOut(c.DType(0), s.Slice(0, s.Rank()-1))
			if !c.Attrs.(*EigAttrs).ComputeV {
				return c.SetOut(c.DType(0), tensor.Scalar)
			}
			return c.SetOut(c.DType(0), s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			v, batch, n, _ := matrices(c.T(0))
			w, vec := make([]float64, c.O(0).Len()), make([]float64, c.O(1).Len())
			for b := range batch {
				if n == 0 {
					break
				}
				var out []float64
				if c.Attrs.(*EigAttrs).ComputeV {
					out = vec[b*n*n : (b+1)*n*n]
				}
				if !eigOf(v[b*n*n:(b+1)*n*n], w[b*n:(b+1)*n], out, n) {
					return ir.Invalid("Self-adjoint eigen decomposition was not successful. The input might not be valid.")
				}
			}
			kernel.Cast(elems(c.O(0)), w)
			kernel.Cast(elems(c.O(1)), vec)
			return nil
		},
		Uses: ir.In(0) | ir.Out(0) | ir.Out(1), Grad: eigGrad,
	})
}

// eigOf reads the lower triangle.
func eigOf(a, w, vec []float64, n int) bool {
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, a[i*n+j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(sym, vec != nil) {
		return false
	}
	copy(w, e.Values(nil))
	if vec != nil {
		var m mat.Dense
		e.VectorsTo(&m)
		for i := range n {
			for j := range n {
				vec[i*n+j] = m.At(i, j)
			}
		}
	}
	return true
}

// eigGrad puts the gradient into the lower triangle, as TensorFlow does.
func eigGrad(g *ir.Grad) {
	s := g.Session
	dy := allDy(g)
	if !g.Attrs.(*EigAttrs).ComputeV {
		full := s.EmitAll(SelfAdjointEigV2, &EigAttrs{ComputeV: true}, g.X(0))
		if full == nil {
			return
		}
		g.DX[0] = lowerOnly(s, mm(s, full[1], mul(s, s.Emit2(ExpandDims, nil, dy[0], ir.IntScalar(-1)), matT(s, full[1])), false, false))
		return
	}
	w, v := g.Y(0), g.Y(1)
	col := s.Emit2(ExpandDims, nil, w, ir.IntScalar(-1))
	row := s.Emit2(ExpandDims, nil, w, ir.IntScalar(-2))
	diff := sub(s, row, col)
	f := s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, safeReciprocal(s, diff), zeros(s, w), ir.IntScalar(0))
	mid := mul(s, f, mm(s, v, dy[1], true, false))
	mid = s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, mid, dy[0], ir.IntScalar(0))
	g.DX[0] = lowerOnly(s, mm(s, v, mm(s, mid, v, false, true), false, false))
}

// safeReciprocal is x / (x² + ε), TensorFlow's reciprocal without poles.
func safeReciprocal(s *ir.Session, x ir.Value) ir.Value {
	return s.Emit2(DivNoNan, nil, x, mul(s, x, x))
}

// lowerOnly adds the transpose, keeps the lower triangle and halves the diagonal.
func lowerOnly(s *ir.Session, x ir.Value) ir.Value {
	x = add(s, x, matT(s, x))
	low := s.EmitN(MatrixBandPart, nil, x, ir.IntScalar(-1), ir.IntScalar(0))
	d := s.EmitN(MatrixDiagPartV3, &DiagAttrs{}, low, ir.IntScalar(0), zero(s, x.DType()))
	return s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, low, times(s, d, 0.5), ir.IntScalar(0))
}

// SvdAttrs are those of Svd.
type SvdAttrs struct{ ComputeUV, FullMatrices bool }

// Svd is the singular value decomposition: values, left and right vectors.
var Svd = ir.NewOp("Svd", "input, compute_uv=True, full_matrices=False")

func init() {
	Svd.Define(ir.Rules{
		Attrs: &SvdAttrs{ComputeUV: true}, Infer: inferSvd, Kernel: runSvd,
		Uses: ir.Out(0) | ir.Out(1) | ir.Out(2), Grad: svdGrad,
	})
}

func inferSvd(c *ir.Call) *ir.Mistake {
	a, s := c.Attrs.(*SvdAttrs), c.Shape(0)
	if !s.RankKnown() || s.Rank() < 2 {
		return ir.Invalid("Input tensor must have rank >= 2")
	}
	m, n := s.Dim(-2), s.Dim(-1)
	p := min(m, n)
	b := batchOf(s)
	c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(p)))
	switch {
	case !a.ComputeUV:
		c.SetOut(c.DType(0), tensor.Scalar)
		return c.SetOut(c.DType(0), tensor.Scalar)
	case a.FullMatrices:
		c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(m, m)))
		return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(n, n)))
	}
	c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(m, p)))
	return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(n, p)))
}

func runSvd(c *ir.Call) *ir.Mistake {
	a := c.Attrs.(*SvdAttrs)
	v, batch, m, n := matrices(c.T(0))
	p := min(m, n)
	sv, u, w := make([]float64, c.O(0).Len()), make([]float64, c.O(1).Len()), make([]float64, c.O(2).Len())
	for b := range batch {
		if p == 0 {
			break
		}
		kind := mat.SVDNone
		if a.ComputeUV {
			kind = mat.SVDThin
			if a.FullMatrices {
				kind = mat.SVDFull
			}
		}
		var d mat.SVD
		if !d.Factorize(mat.NewDense(m, n, v[b*m*n:(b+1)*m*n]), kind) {
			return ir.Invalid("SVD did not converge")
		}
		d.Values(sv[b*p : (b+1)*p])
		if a.ComputeUV {
			copyOut(u, b, d.UTo)
			copyOut(w, b, d.VTo)
		}
	}
	for i, f := range [][]float64{sv, u, w} {
		kernel.Cast(elems(c.O(i)), f)
	}
	return nil
}

func copyOut(dst []float64, b int, to func(*mat.Dense)) {
	var d mat.Dense
	to(&d)
	r, k := d.Dims()
	for i := range r {
		for j := range k {
			dst[(b*r+i)*k+j] = d.At(i, j)
		}
	}
}

// svdGrad is the gradient of the thin decomposition.
func svdGrad(g *ir.Grad) {
	s := g.Session
	if !g.Attrs.(*SvdAttrs).ComputeUV {
		g.Fail(ir.Wrong("NotImplementedError", "the gradient of svd without vectors is not supported: use compute_uv=True"))
		return
	}
	dy := allDy(g)
	sv, u, v := g.Y(0), g.Y(1), g.Y(2)
	last := func(x ir.Value) ir.Value { return s.Emit2(ExpandDims, nil, x, ir.IntScalar(-1)) }
	first := func(x ir.Value) ir.Value { return s.Emit2(ExpandDims, nil, x, ir.IntScalar(-2)) }
	s2 := square(s, sv)
	f := s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, safeReciprocal(s, sub(s, first(s2), last(s2))), zeros(s, sv), ir.IntScalar(0))
	uu := mul(s, f, mm(s, u, dy[1], true, false))
	vv := mul(s, f, mm(s, v, dy[2], true, false))
	fu := mul(s, add(s, uu, matT(s, uu)), first(sv))
	fv := mul(s, last(sv), add(s, vv, matT(s, vv)))
	mid := s.EmitN(MatrixSetDiagV3, &DiagAttrs{}, add(s, fu, fv), dy[0], ir.IntScalar(0))
	d := mm(s, mm(s, u, mid, false, false), v, false, true)
	inv := s.Emit1(Reciprocal, nil, sv)
	// What lies outside of the spans of u and v.
	pu := sub(s, dy[1], mm(s, u, mm(s, u, dy[1], true, false), false, false))
	pv := sub(s, dy[2], mm(s, v, mm(s, v, dy[2], true, false), false, false))
	d = add(s, d, mm(s, mul(s, pu, first(inv)), v, false, true))
	g.DX[0] = add(s, d, mm(s, u, mul(s, pv, first(inv)), false, true))
}
