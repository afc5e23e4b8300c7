package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
	"gonum.org/v1/gonum/mat"
)

// The ops of linear algebra compute in float64 by gonum, matrix by matrix of a
// batch.

// matrices is a batch of matrices in float64.
type matrices struct {
	data       []float64
	n          int // how many
	rows, cols int
}

func matricesOf(t *tensor.Tensor) matrices {
	d := t.Dims()
	m := matrices{data: make([]float64, t.Len()), n: prod(d[:len(d)-2]), rows: d[len(d)-2], cols: d[len(d)-1]}
	kernel.Cast(m.data, elems(t))
	return m
}

func newMatrices(n, rows, cols int) matrices {
	return matrices{data: make([]float64, n*rows*cols), n: n, rows: rows, cols: cols}
}

// at is matrix i, which shares the data.
func (m matrices) at(i int) *mat.Dense {
	size := m.rows * m.cols
	return mat.NewDense(m.rows, m.cols, m.data[i*size:(i+1)*size])
}

func (m matrices) empty() bool { return m.rows == 0 || m.cols == 0 }

func (m matrices) store(t *tensor.Tensor) { kernel.Cast(elems(t), m.data) }

// square checks a batch of square matrices.
func square2(c *ir.Call, i int) (lead tensor.Shape, n int, m *ir.Mistake) {
	s := c.Shape(i)
	if !s.RankKnown() {
		return tensor.UnknownShape, -1, nil
	}
	if s.Rank() < 2 {
		return s, 0, ir.Invalid("Input tensor must have rank >= 2, got %d", s.Rank())
	}
	a, b := s.Dim(-2), s.Dim(-1)
	if a >= 0 && b >= 0 && a != b {
		return s, 0, &ir.Mistake{Kind: ir.NotSquare, Args: []any{a, b}}
	}
	return s.Slice(0, s.Rank()-2), max(a, b), nil
}

func realOnly(c *ir.Call) *ir.Mistake {
	if c.DType(0).IsComplex() {
		return ir.Wrong("UnimplementedError", "%s of complex matrices is not supported", c.Op.Name)
	}
	return nil
}

func likeSquare(c *ir.Call) *ir.Mistake {
	if _, _, m := square2(c, 0); m != nil {
		return m
	}
	return c.SetLike(0)
}

// AdjointAttrs are those of ops that may take the adjoint of a matrix.
type AdjointAttrs struct{ Adjoint bool }

// LowerAttrs are those of MatrixTriangularSolve.
type LowerAttrs struct{ Lower, Adjoint bool }

// flipped swaps the last two dimensions.
func flipped(s *ir.Session, x ir.Value) ir.Value {
	n := x.Shape().Rank()
	if n < 0 { // after a mistake
		return x
	}
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i)
	}
	if n >= 2 {
		v[n-1], v[n-2] = v[n-2], v[n-1]
	}
	return s.Emit2(Transpose, nil, x, ir.IntList(v...))
}

// MatrixInverse is the inverse of each matrix.
var MatrixInverse = ir.NewOp("MatrixInverse", "input, adjoint=False")

func init() {
	MatrixInverse.Define(ir.Rules{
		Attrs: &AdjointAttrs{}, Infer: likeSquare,
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := realOnly(c); m != nil {
				return m
			}
			x := matricesOf(c.T(0))
			out := newMatrices(x.n, x.rows, x.cols)
			for i := range x.n {
				if x.empty() {
					break
				}
				var inv mat.Dense
				if err := inv.Inverse(x.at(i)); err != nil && singular(err) {
					return ir.Invalid("Input is not invertible.")
				}
				if c.Attrs.(*AdjointAttrs).Adjoint {
					out.at(i).Copy(inv.T())
				} else {
					out.at(i).Copy(&inv)
				}
			}
			out.store(c.O(0))
			return nil
		},
		Uses: ir.Out(0),
		Grad: func(g *ir.Grad) {
			s, y := g.Session, g.Y(0)
			if g.Attrs.(*AdjointAttrs).Adjoint {
				g.DX[0] = neg(s, EmitMatMul(s, EmitMatMul(s, y, g.Dy(), false, true), y, false, false))
				return
			}
			g.DX[0] = neg(s, EmitMatMul(s, y, EmitMatMul(s, g.Dy(), y, false, true), true, false))
		},
	})
}

// singular tells a matrix without an inverse from one that is only badly conditioned.
func singular(err error) bool {
	c, ok := err.(mat.Condition)
	return !ok || math.IsInf(float64(c), 1)
}

// MatrixDeterminant is the determinant of each matrix.
var MatrixDeterminant = ir.NewOp("MatrixDeterminant", "input")

func init() {
	MatrixDeterminant.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			lead, _, m := square2(c, 0)
			if m != nil {
				return m
			}
			return c.SetOut(c.DType(0), lead)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := realOnly(c); m != nil {
				return m
			}
			x := matricesOf(c.T(0))
			out := make([]float64, x.n)
			for i := range out {
				if out[i] = 1; !x.empty() {
					out[i] = mat.Det(x.at(i))
				}
			}
			kernel.Cast(elems(c.O(0)), out)
			return nil
		},
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			inv := s.Emit1(MatrixInverse, &AdjointAttrs{Adjoint: true}, g.X(0))
			k := mul(s, g.Dy(), g.Y(0))
			k = s.Emit2(ExpandDims, nil, s.Emit2(ExpandDims, nil, k, ir.IntScalar(-1)), ir.IntScalar(-1))
			g.DX[0] = mul(s, k, inv)
		},
	})
}

// LogMatrixDeterminant is the sign of each determinant and the logarithm of its size.
var LogMatrixDeterminant = ir.NewOp("LogMatrixDeterminant", "input")

func init() {
	LogMatrixDeterminant.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			lead, _, m := square2(c, 0)
			if m != nil {
				return m
			}
			c.SetOut(c.DType(0), lead)
			return c.SetOut(c.DType(0), lead)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := realOnly(c); m != nil {
				return m
			}
			x := matricesOf(c.T(0))
			sign, log := make([]float64, x.n), make([]float64, x.n)
			for i := range sign {
				if sign[i] = 1; !x.empty() {
					log[i], sign[i] = mat.LogDet(x.at(i))
				}
				if math.IsInf(log[i], -1) {
					sign[i] = 0
				}
			}
			kernel.Cast(elems(c.O(0)), sign)
			kernel.Cast(elems(c.O(1)), log)
			return nil
		},
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			if g.DY[1] == nil {
				return
			}
			k := s.Emit2(ExpandDims, nil, s.Emit2(ExpandDims, nil, g.DY[1], ir.IntScalar(-1)), ir.IntScalar(-1))
			g.DX[0] = mul(s, k, s.Emit1(MatrixInverse, &AdjointAttrs{Adjoint: true}, g.X(0)))
		},
	})
}

// inferSolve: operand 0 is a batch of square matrices, operand 1 right sides.
func inferSolve(c *ir.Call) *ir.Mistake {
	lead, n, m := square2(c, 0)
	if m != nil {
		return m
	}
	b := c.Shape(1)
	if b.RankKnown() && b.Rank() < 2 {
		return ir.Invalid("Input tensor must have rank >= 2, got %d", b.Rank())
	}
	if !b.RankKnown() || !lead.RankKnown() {
		return c.SetOut(c.DType(0), b)
	}
	if d := b.Dim(-2); d >= 0 && n >= 0 && d != n {
		return ir.Invalid("Input matrix and rhs are incompatible: %s vs. %s", c.Shape(0).Brackets(), b.Brackets())
	}
	out, ok := tensor.Broadcast(lead, b.Slice(0, b.Rank()-2))
	if !ok {
		return ir.Invalid("All input tensors must have the same outer dimensions.")
	}
	return c.SetOut(c.DType(0), out.Concat(tensor.ShapeOf(b.Dim(-2), b.Dim(-1))))
}

// solveEach runs f on each matrix with its right side; batches broadcast.
func solveEach(c *ir.Call, f func(x, a, b *mat.Dense) *ir.Mistake) *ir.Mistake {
	if m := realOnly(c); m != nil {
		return m
	}
	a, b := matricesOf(c.T(0)), matricesOf(c.T(1))
	out := newMatrices(prod(c.O(0).Dims()[:c.O(0).Rank()-2]), b.rows, b.cols)
	if out.empty() {
		return nil
	}
	lead := c.O(0).Dims()[:c.O(0).Rank()-2]
	ia, ib := batchIndex(c.T(0).Dims(), lead), batchIndex(c.T(1).Dims(), lead)
	for i := range out.n {
		if m := f(out.at(i), a.at(ia[i]), b.at(ib[i])); m != nil {
			return m
		}
	}
	out.store(c.O(0))
	return nil
}

// batchIndex says which matrix of a batch of shape dims stands at each place of a
// broadcast batch.
func batchIndex(dims, lead []int) []int {
	own := dims[:len(dims)-2]
	st := kernel.BroadcastStrides(make([]int, len(lead)), own, lead)
	out := make([]int, prod(lead))
	for i := range out {
		k, rest := 0, i
		for d := len(lead) - 1; d >= 0; d-- {
			k += rest % lead[d] * st[d]
			rest /= lead[d]
		}
		out[i] = k
	}
	return out
}

// MatrixSolve solves A X = B.
var MatrixSolve = ir.NewOp("MatrixSolve", "matrix, rhs, adjoint=False")

func init() {
	MatrixSolve.Define(ir.Rules{
		Attrs: &AdjointAttrs{}, Infer: inferSolve,
		Kernel: func(c *ir.Call) *ir.Mistake {
			adj := c.Attrs.(*AdjointAttrs).Adjoint
			return solveEach(c, func(x, a, b *mat.Dense) *ir.Mistake {
				var lu mat.LU
				lu.Factorize(a)
				if err := lu.SolveTo(x, adj, b); err != nil && singular(err) {
					return ir.Invalid("Input matrix is not invertible.")
				}
				return nil
			})
		},
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s, adj := g.Session, g.Attrs.(*AdjointAttrs).Adjoint
			db := s.Emit2(MatrixSolve, &AdjointAttrs{Adjoint: !adj}, g.X(0), g.Dy())
			g.DX[1] = db
			if adj {
				g.DX[0] = neg(s, EmitMatMul(s, g.Y(0), db, false, true))
			} else {
				g.DX[0] = neg(s, EmitMatMul(s, db, g.Y(0), false, true))
			}
		},
	})
}

// MatrixTriangularSolve solves A X = B for a triangular A.
var MatrixTriangularSolve = ir.NewOp("MatrixTriangularSolve", "matrix, rhs, lower=True, adjoint=False")

func init() {
	MatrixTriangularSolve.Define(ir.Rules{
		Attrs: &LowerAttrs{Lower: true}, Infer: inferSolve,
		Kernel: func(c *ir.Call) *ir.Mistake {
			at := c.Attrs.(*LowerAttrs)
			return solveEach(c, func(x, a, b *mat.Dense) *ir.Mistake {
				return substitute(x, a, b, at.Lower, at.Adjoint)
			})
		},
		Uses: ir.In(0) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s, at := g.Session, g.Attrs.(*LowerAttrs)
			db := s.Emit2(MatrixTriangularSolve, &LowerAttrs{Lower: at.Lower, Adjoint: !at.Adjoint}, g.X(0), g.Dy())
			var da ir.Value
			if at.Adjoint {
				da = neg(s, EmitMatMul(s, g.Y(0), db, false, true))
			} else {
				da = neg(s, EmitMatMul(s, db, g.Y(0), false, true))
			}
			g.DX[0], g.DX[1] = triangle(s, da, at.Lower), sumBatch(s, db, g.In[1].Type.Shp)
			g.DX[0] = sumBatch(s, g.DX[0], g.In[0].Type.Shp)
		},
	})
}

func sumBatch(s *ir.Session, x ir.Value, want tensor.Shape) ir.Value {
	if want.Known() && x.Shape().Known() && x.Shape() != want {
		return sumTo(s, x, want)
	}
	return x
}

// substitute solves by forward or backward substitution.
func substitute(x, a, b *mat.Dense, lower, adjoint bool) *ir.Mistake {
	n, m := b.Dims()
	at := a.At
	if adjoint {
		at = func(i, j int) float64 { return a.At(j, i) }
		lower = !lower
	}
	for k := range n {
		i := k
		if !lower {
			i = n - 1 - k
		}
		if at(i, i) == 0 {
			return ir.Invalid("Input matrix is not invertible.")
		}
		for j := range m {
			v := b.At(i, j)
			for l := range k {
				p := l
				if !lower {
					p = n - 1 - l
				}
				v -= at(i, p) * x.At(p, j)
			}
			x.Set(i, j, v/at(i, i))
		}
	}
	return nil
}

// triangle keeps the lower or upper triangle.
func triangle(s *ir.Session, x ir.Value, lower bool) ir.Value {
	n := x.Shape().Dim(-1)
	rows := s.Emit2(ExpandDims, nil, s.EmitN(Range, nil, ir.IntScalar(0), ir.IntScalar(int64(n)), ir.IntScalar(1)), ir.IntScalar(-1))
	cols := s.EmitN(Range, nil, ir.IntScalar(0), ir.IntScalar(int64(n)), ir.IntScalar(1))
	op := GreaterEqual
	if !lower {
		op = LessEqual
	}
	return where(s, s.Emit2(op, nil, rows, cols), x, zero(s, x.DType()))
}

// Cholesky is the lower triangular factor of each matrix.
var Cholesky = ir.NewOp("Cholesky", "input")

func init() {
	Cholesky.Define(ir.Rules{
		Infer: likeSquare,
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := realOnly(c); m != nil {
				return m
			}
			x := matricesOf(c.T(0))
			out := newMatrices(x.n, x.rows, x.cols)
			for i := range x.n {
				if !x.empty() {
					lowerFactor(out.at(i), x.at(i))
				}
			}
			out.store(c.O(0))
			return nil
		},
		Uses: ir.Out(0),
		Grad: choleskyGrad,
	})
}

// lowerFactor writes the Cholesky factor of a, NaN where a is not positive definite.
func lowerFactor(l, a *mat.Dense) {
	n, _ := a.Dims()
	for j := range n {
		d := a.At(j, j)
		for k := range j {
			d -= l.At(j, k) * l.At(j, k)
		}
		d = math.Sqrt(d)
		l.Set(j, j, d)
		for i := j + 1; i < n; i++ {
			v := a.At(i, j)
			for k := range j {
				v -= l.At(i, k) * l.At(j, k)
			}
			l.Set(i, j, v/d)
		}
	}
}

// choleskyGrad is (L⁻ᴴ Φ(Lᴴ dL) L⁻¹), made symmetric.
func choleskyGrad(g *ir.Grad) {
	s, l := g.Session, g.Y(0)
	n := l.Shape().Dim(-1)
	rows := s.Emit2(ExpandDims, nil, s.EmitN(Range, nil, ir.IntScalar(0), ir.IntScalar(int64(n)), ir.IntScalar(1)), ir.IntScalar(-1))
	cols := s.EmitN(Range, nil, ir.IntScalar(0), ir.IntScalar(int64(n)), ir.IntScalar(1))
	mid := EmitMatMul(s, l, g.Dy(), true, false)
	mid = where(s, s.Emit2(Equal, nil, rows, cols), times(s, mid, 0.5), mid)
	mid = triangle(s, mid, true)
	back := &LowerAttrs{Lower: true, Adjoint: true}
	left := s.Emit2(MatrixTriangularSolve, back, l, mid)
	da := flipped(s, s.Emit2(MatrixTriangularSolve, back, l, flipped(s, left)))
	g.DX[0] = times(s, add(s, da, flipped(s, da)), 0.5)
}

// DecompositionAttrs are those of Qr, Svd and SelfAdjointEigV2.
type DecompositionAttrs struct{ FullMatrices, ComputeUV, ComputeV bool }

// Qr is the orthogonal and the triangular factor of each matrix.
var Qr = ir.NewOp("Qr", "input, full_matrices=False")

func init() {
	Qr.Define(ir.Rules{
		Attrs: &DecompositionAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			s := c.Shape(0)
			if !s.RankKnown() || s.Dim(-1) < 0 || s.Dim(-2) < 0 {
				c.SetOut(c.DType(0), tensor.UnknownShape)
				return c.SetOut(c.DType(0), tensor.UnknownShape)
			}
			lead, m, n := s.Slice(0, s.Rank()-2), s.Dim(-2), s.Dim(-1)
			k := min(m, n)
			if c.Attrs.(*DecompositionAttrs).FullMatrices {
				k = m
			}
			c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(m, k)))
			return c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(k, n)))
		},
		Kernel: runQR, Uses: ir.AllOut,
		Grad: qrGrad,
	})
}

func runQR(c *ir.Call) *ir.Mistake {
	if m := realOnly(c); m != nil {
		return m
	}
	x := matricesOf(c.T(0))
	k := c.O(0).Dims()[c.O(0).Rank()-1]
	q, r := newMatrices(x.n, x.rows, k), newMatrices(x.n, k, x.cols)
	for i := range x.n {
		if !x.empty() {
			householder(q.at(i), r.at(i), x.at(i))
		}
	}
	q.store(c.O(0))
	r.store(c.O(1))
	return nil
}

// householder factors a into q and r by reflections; the signs are LAPACK's, also
// for wide matrices.
func householder(q, r, a *mat.Dense) {
	m, n := a.Dims()
	_, k := q.Dims()
	w := mat.DenseCopyOf(a)
	vs := make([][]float64, 0, n)
	for j := range min(m, n) {
		v := make([]float64, m)
		norm := 0.0
		for i := j; i < m; i++ {
			v[i] = w.At(i, j)
			norm = math.Hypot(norm, v[i])
		}
		rest := 0.0
		for i := j + 1; i < m; i++ {
			rest += v[i] * v[i]
		}
		if rest == 0 {
			vs = append(vs, nil)
			continue
		}
		beta := -math.Copysign(norm, v[j])
		v[j] -= beta
		reflect(w, v, j)
		vs = append(vs, v)
	}
	for i := range k {
		for j := range n {
			if j >= i {
				r.Set(i, j, w.At(i, j))
			}
		}
	}
	full := mat.NewDense(m, k, nil)
	for i := range k {
		full.Set(i, i, 1)
	}
	for j := len(vs) - 1; j >= 0; j-- {
		if vs[j] != nil {
			reflect(full, vs[j], 0)
		}
	}
	q.Copy(full)
}

// reflect applies the Householder reflection of v to the columns of w from on.
func reflect(w *mat.Dense, v []float64, from int) {
	m, n := w.Dims()
	vv := 0.0
	for _, x := range v {
		vv += x * x
	}
	for j := from; j < n; j++ {
		dot := 0.0
		for i := range m {
			dot += v[i] * w.At(i, j)
		}
		for i := range m {
			w.Set(i, j, w.At(i, j)-2*v[i]*dot/vv)
		}
	}
}

func qrGrad(g *ir.Grad) {
	s, q, r := g.Session, g.Y(0), g.Y(1)
	dq, dr := g.DY[0], g.DY[1]
	if q.Shape().Dim(-2) < r.Shape().Dim(-1) || g.Attrs.(*DecompositionAttrs).FullMatrices {
		g.Fail(ir.Wrong("NotImplementedError", "QrGrad not implemented when nrows < ncols or full_matrices is true and ncols != nrows."))
		return
	}
	if dq == nil {
		dq = zeros(s, q)
	}
	if dr == nil {
		dr = zeros(s, r)
	}
	qdq := EmitMatMul(s, q, dq, true, false)
	qdq = sub(s, qdq, flipped(s, qdq))
	rdr := EmitMatMul(s, r, dr, false, true)
	rdr = sub(s, rdr, flipped(s, rdr))
	tril := triangle(s, add(s, qdq, rdr), true)
	strict := sub(s, tril, where(s, diagonalMask(s, tril), tril, zero(s, tril.DType())))
	solve := func(b ir.Value) ir.Value {
		x := s.Emit2(MatrixTriangularSolve, &LowerAttrs{}, r, flipped(s, b))
		return flipped(s, x)
	}
	ga := EmitMatMul(s, q, add(s, dr, solve(strict)), false, false)
	gb := solve(sub(s, dq, EmitMatMul(s, q, EmitMatMul(s, q, dq, true, false), false, false)))
	g.DX[0] = add(s, ga, gb)
}

func diagonalMask(s *ir.Session, x ir.Value) ir.Value {
	n := int64(x.Shape().Dim(-1))
	cols := s.EmitN(Range, nil, ir.IntScalar(0), ir.IntScalar(n), ir.IntScalar(1))
	return s.Emit2(Equal, nil, s.Emit2(ExpandDims, nil, cols, ir.IntScalar(-1)), cols)
}
