package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
	"gonum.org/v1/gonum/mat"
)

// SelfAdjointEigV2 is the eigenvalues of each symmetric matrix, ascending, and its
// eigenvectors; it reads the lower triangle.
var SelfAdjointEigV2 = ir.NewOp("SelfAdjointEigV2", "input, compute_v=True")

func init() {
	SelfAdjointEigV2.Define(ir.Rules{
		Attrs: &DecompositionAttrs{ComputeV: true},
		Infer: func(c *ir.Call) *ir.Mistake {
			lead, n, m := square2(c, 0)
			if m != nil {
				return m
			}
			c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(n)))
			return c.SetOut(c.DType(0), c.Shape(0))
		},
		Kernel: runEigh, Uses: ir.AllOut,
		Grad: eighGrad,
	})
}

func runEigh(c *ir.Call) *ir.Mistake {
	if m := realOnly(c); m != nil {
		return m
	}
	x := matricesOf(c.T(0))
	vals, vecs := make([]float64, x.n*x.rows), newMatrices(x.n, x.rows, x.cols)
	for i := range x.n {
		if x.empty() {
			break
		}
		a := x.at(i)
		sym := mat.NewSymDense(x.rows, nil)
		for r := range x.rows {
			for k := range r + 1 {
				sym.SetSym(r, k, a.At(r, k))
			}
		}
		var e mat.EigenSym
		if !e.Factorize(sym, true) {
			return ir.Invalid("Self-adjoint eigen decomposition was not successful. The input might not be valid.")
		}
		e.Values(vals[i*x.rows : (i+1)*x.rows])
		var v mat.Dense
		e.VectorsTo(&v)
		vecs.at(i).Copy(&v)
	}
	kernel.Cast(elems(c.O(0)), vals)
	vecs.store(c.O(1))
	return nil
}

// eighGrad puts the gradient into the lower triangle, as the op reads that.
func eighGrad(g *ir.Grad) {
	s, e, v := g.Session, g.Y(0), g.Y(1)
	var mid ir.Value
	de := g.DY[0]
	if de == nil {
		de = zeros(s, e)
	}
	diag := where(s, diagonalMask(s, v), s.Emit2(ExpandDims, nil, de, ir.IntScalar(-2)), zero(s, v.DType()))
	mid = diag
	if g.DY[1] != nil {
		gap := sub(s, s.Emit2(ExpandDims, nil, e, ir.IntScalar(-2)), s.Emit2(ExpandDims, nil, e, ir.IntScalar(-1)))
		same := s.Emit2(Equal, nil, gap, zero(s, gap.DType()))
		f := where(s, same, zero(s, gap.DType()), s.Emit1(Reciprocal, nil, where(s, same, s.Scalar(gap.DType(), 1), gap)))
		mid = add(s, diag, mul(s, f, EmitMatMul(s, v, g.DY[1], true, false)))
	}
	full := EmitMatMul(s, v, EmitMatMul(s, mid, v, false, true), false, false)
	lower := triangle(s, add(s, full, flipped(s, full)), true)
	onDiagonal := where(s, diagonalMask(s, full), full, zero(s, full.DType()))
	g.DX[0] = sub(s, lower, onDiagonal)
}

// Svd is the singular values of each matrix, descending, and the singular vectors.
var Svd = ir.NewOp("Svd", "input, compute_uv=True, full_matrices=False")

func init() {
	Svd.Define(ir.Rules{
		Attrs: &DecompositionAttrs{ComputeUV: true}, Infer: inferSvd, Kernel: runSvd, Uses: ir.In(0) | ir.AllOut,
		Grad: svdGrad,
	})
}

func inferSvd(c *ir.Call) *ir.Mistake {
	s, a := c.Shape(0), c.Attrs.(*DecompositionAttrs)
	if s.RankKnown() && s.Rank() < 2 {
		return ir.Invalid("Input tensor must have rank >= 2, got %d", s.Rank())
	}
	if !s.RankKnown() || s.Dim(-1) < 0 || s.Dim(-2) < 0 {
		c.SetOut(c.DType(0), tensor.UnknownShape)
		c.SetOut(c.DType(0), tensor.UnknownShape)
		return c.SetOut(c.DType(0), tensor.UnknownShape)
	}
	lead, m, n := s.Slice(0, s.Rank()-2), s.Dim(-2), s.Dim(-1)
	k := min(m, n)
	c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(k)))
	switch {
	case !a.ComputeUV:
		c.SetOut(c.DType(0), tensor.ShapeOf(0))
		return c.SetOut(c.DType(0), tensor.ShapeOf(0))
	case a.FullMatrices:
		c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(m, m)))
		return c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(n, n)))
	}
	c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(m, k)))
	return c.SetOut(c.DType(0), lead.Concat(tensor.ShapeOf(n, k)))
}

func runSvd(c *ir.Call) *ir.Mistake {
	if m := realOnly(c); m != nil {
		return m
	}
	x, a := matricesOf(c.T(0)), c.Attrs.(*DecompositionAttrs)
	k := min(x.rows, x.cols)
	vals := make([]float64, x.n*k)
	cu, cv := k, k
	kind := mat.SVDThin
	if a.FullMatrices {
		cu, cv, kind = x.rows, x.cols, mat.SVDFull
	}
	u, v := newMatrices(x.n, x.rows, cu), newMatrices(x.n, x.cols, cv)
	for i := range x.n {
		if x.empty() {
			break
		}
		var d mat.SVD
		if !d.Factorize(x.at(i), kind) {
			return ir.Invalid("SVD did not converge")
		}
		d.Values(vals[i*k : (i+1)*k])
		var um, vm mat.Dense
		d.UTo(&um)
		d.VTo(&vm)
		u.at(i).Copy(&um)
		v.at(i).Copy(&vm)
	}
	kernel.Cast(elems(c.O(0)), vals)
	if a.ComputeUV {
		u.store(c.O(1))
		v.store(c.O(2))
	}
	return nil
}

// svdGrad handles the singular values alone exactly, and square or tall matrices
// with their vectors.
func svdGrad(g *ir.Grad) {
	s := g.Session
	u, v, sv := g.Y(1), g.Y(2), g.Y(0)
	if !g.Attrs.(*DecompositionAttrs).ComputeUV {
		outs := s.EmitAll(Svd, &DecompositionAttrs{ComputeUV: true}, g.X(0))
		if outs == nil {
			return
		}
		u, v = outs[1], outs[2]
	}
	diag := func(x ir.Value) ir.Value { return s.Emit2(ExpandDims, nil, x, ir.IntScalar(-2)) }
	var dx ir.Value
	if g.DY[0] != nil {
		dx = EmitMatMul(s, mul(s, u, diag(g.DY[0])), v, false, true)
	}
	if g.DY[1] == nil && g.DY[2] == nil {
		g.DX[0] = dx
		return
	}
	s2 := square(s, sv)
	gap := sub(s, s.Emit2(ExpandDims, nil, s2, ir.IntScalar(-2)), s.Emit2(ExpandDims, nil, s2, ir.IntScalar(-1)))
	same := diagonalMask(s, gap)
	f := where(s, same, zero(s, gap.DType()), s.Emit1(Reciprocal, nil, where(s, same, s.Scalar(gap.DType(), 1), gap)))
	col := func(x ir.Value) ir.Value { return s.Emit2(ExpandDims, nil, x, ir.IntScalar(-1)) }
	var mid ir.Value
	sum := func(x ir.Value) {
		if mid == nil {
			mid = x
		} else {
			mid = add(s, mid, x)
		}
	}
	if du := g.DY[1]; du != nil {
		k := mul(s, f, EmitMatMul(s, u, du, true, false))
		sum(mul(s, add(s, k, flipped(s, k)), diag(sv)))
	}
	if dv := g.DY[2]; dv != nil {
		k := mul(s, f, EmitMatMul(s, v, dv, true, false))
		sum(mul(s, col(sv), add(s, k, flipped(s, k))))
	}
	r := EmitMatMul(s, EmitMatMul(s, u, mid, false, false), v, false, true)
	inv := s.Emit1(Reciprocal, nil, sv)
	if du := g.DY[1]; du != nil && u.Shape().Dim(-2) > u.Shape().Dim(-1) {
		out := sub(s, du, EmitMatMul(s, u, EmitMatMul(s, u, du, true, false), false, false))
		r = add(s, r, EmitMatMul(s, mul(s, out, diag(inv)), v, false, true))
	}
	if dv := g.DY[2]; dv != nil && v.Shape().Dim(-2) > v.Shape().Dim(-1) {
		out := sub(s, dv, EmitMatMul(s, v, EmitMatMul(s, v, dv, true, false), false, false))
		r = add(s, r, EmitMatMul(s, u, flipped(s, mul(s, out, diag(inv))), false, false))
	}
	if dx != nil {
		r = add(s, r, dx)
	}
	g.DX[0] = r
}
