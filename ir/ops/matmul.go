package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// MatMulAttrs are those of MatMul.
type MatMulAttrs struct{ TransposeA, TransposeB bool }

// Plain and its kin are the attributes of matrix products; share them.
var (
	matNN = &MatMulAttrs{}
	matTN = &MatMulAttrs{TransposeA: true}
	matNT = &MatMulAttrs{TransposeB: true}
	matTT = &MatMulAttrs{true, true}
)

// MatMulOf are the attributes of a product with these transposes.
func MatMulOf(a, b bool) *MatMulAttrs {
	switch {
	case a && b:
		return matTT
	case a:
		return matTN
	case b:
		return matNT
	}
	return matNN
}

// MatMul is the product of two matrices.
var MatMul = ir.NewOp("MatMul", "a, b, transpose_a=False, transpose_b=False")

func init() {
	MatMul.Define(ir.Rules{
		Attrs: matNN, Infer: inferMatMul, Kernel: runMatMul, Fuse: ir.Contraction,
		Uses: ir.In(0) | ir.In(1), Grad: matMulGrad,
	})
}

func matAttrs(a any) (ta, tb bool) {
	if m, ok := a.(*MatMulAttrs); ok && m != nil {
		return m.TransposeA, m.TransposeB
	}
	return false, false
}

func inferMatMul(c *ir.Call) *ir.Mistake {
	x, y := c.Shape(0), c.Shape(1)
	for i := range 2 {
		if s := c.Shape(i); s.RankKnown() && s.Rank() != 2 {
			return matMulRanks(x, y)
		}
	}
	ta, tb := matAttrs(c.Attrs)
	m, k := x.Dim(0), x.Dim(1)
	if ta {
		m, k = k, m
	}
	k2, n := y.Dim(0), y.Dim(1)
	if tb {
		k2, n = n, k2
	}
	if k >= 0 && k2 >= 0 && k != k2 {
		return &ir.Mistake{Kind: ir.MatMulSize, Args: []any{x, y, k, k2}}
	}
	return c.SetOut(c.DType(0), tensor.ShapeOf(m, n))
}

// matMulRanks words operands that are no matrices.
func matMulRanks(x, y tensor.Shape) *ir.Mistake {
	if x.RankKnown() && y.RankKnown() && x.Rank() != y.Rank() {
		return &ir.Mistake{Kind: ir.MatMulRanksDiffer, Args: []any{x, y, min(x.Rank(), y.Rank())}}
	}
	return &ir.Mistake{Kind: ir.MatMulNDims, Args: []any{0, max(x.Rank(), y.Rank())}}
}

func runMatMul(c *ir.Call) *ir.Mistake {
	ta, tb := matAttrs(c.Attrs)
	x, y, o := c.T(0), c.T(1), c.O(0)
	m, n, k := o.Dims()[0], o.Dims()[1], x.Dims()[1]
	if ta {
		k = x.Dims()[0]
	}
	return gemm(c, ta, tb, m, n, k, x, y, o, 0, 0, 0)
}

// gemm multiplies one pair of matrices at the given offsets.
func gemm(c *ir.Call, ta, tb bool, m, n, k int, x, y, o *tensor.Tensor, ax, ay, ao int) *ir.Mistake {
	lda, ldb := k, n
	if ta {
		lda = m
	}
	if tb {
		ldb = k
	}
	switch x.DType() {
	case tensor.Float32:
		kernel.Gemm(ta, tb, m, n, k, x.F32()[ax:], lda, y.F32()[ay:], ldb, o.F32()[ao:], n, false)
	case tensor.Float64:
		kernel.Gemm(ta, tb, m, n, k, x.F64()[ax:], lda, y.F64()[ay:], ldb, o.F64()[ao:], n, false)
	case tensor.Int32:
		kernel.Gemm(ta, tb, m, n, k, x.I32()[ax:], lda, y.I32()[ay:], ldb, o.I32()[ao:], n, false)
	case tensor.Int64:
		kernel.Gemm(ta, tb, m, n, k, x.I64()[ax:], lda, y.I64()[ay:], ldb, o.I64()[ao:], n, false)
	case tensor.Float16:
		kernel.GemmHalf(ta, tb, m, n, k, raw[kernel.Float16](x)[ax:], lda, raw[kernel.Float16](y)[ay:], ldb, raw[kernel.Float16](o)[ao:], n)
	case tensor.BFloat16:
		kernel.GemmHalf(ta, tb, m, n, k, raw[kernel.BFloat16](x)[ax:], lda, raw[kernel.BFloat16](y)[ay:], ldb, raw[kernel.BFloat16](o)[ao:], n)
	case tensor.Uint8:
		kernel.Gemm(ta, tb, m, n, k, raw[uint8](x)[ax:], lda, raw[uint8](y)[ay:], ldb, raw[uint8](o)[ao:], n, false)
	case tensor.Int16:
		kernel.Gemm(ta, tb, m, n, k, raw[int16](x)[ax:], lda, raw[int16](y)[ay:], ldb, raw[int16](o)[ao:], n, false)
	case tensor.Uint16:
		kernel.Gemm(ta, tb, m, n, k, raw[uint16](x)[ax:], lda, raw[uint16](y)[ay:], ldb, raw[uint16](o)[ao:], n, false)
	case tensor.Uint32:
		kernel.Gemm(ta, tb, m, n, k, raw[uint32](x)[ax:], lda, raw[uint32](y)[ay:], ldb, raw[uint32](o)[ao:], n, false)
	case tensor.Uint64:
		kernel.Gemm(ta, tb, m, n, k, raw[uint64](x)[ax:], lda, raw[uint64](y)[ay:], ldb, raw[uint64](o)[ao:], n, false)
	case tensor.Complex64:
		kernel.Gemm(ta, tb, m, n, k, raw[complex64](x)[ax:], lda, raw[complex64](y)[ay:], ldb, raw[complex64](o)[ao:], n, false)
	case tensor.Complex128:
		kernel.Gemm(ta, tb, m, n, k, raw[complex128](x)[ax:], lda, raw[complex128](y)[ay:], ldb, raw[complex128](o)[ao:], n, false)
	default:
		return unsupported(c)
	}
	return nil
}

// products are the gradients of a product with transposes, by which operand.
func products(s *ir.Session, op *ir.Op, attrs func(a, b bool) any, ta, tb bool, x, y, dy ir.Value, i int) ir.Value {
	x, y = conj(s, x), conj(s, y)
	em := func(a, b ir.Value, ta, tb bool) ir.Value { return s.Emit2(op, attrs(ta, tb), a, b) }
	if i == 0 {
		switch {
		case !ta && !tb:
			return em(dy, y, false, true)
		case !ta:
			return em(dy, y, false, false)
		case !tb:
			return em(y, dy, false, true)
		}
		return em(y, dy, true, true)
	}
	switch {
	case !ta && !tb:
		return em(x, dy, true, false)
	case !ta:
		return em(dy, x, true, false)
	case !tb:
		return em(x, dy, false, false)
	}
	return em(dy, x, true, true)
}

func matMulGrad(g *ir.Grad) {
	ta, tb := matAttrs(g.Attrs)
	attrs := func(a, b bool) any { return MatMulOf(a, b) }
	for i := range 2 {
		if g.Wants(i) {
			g.DX[i] = products(g.Session, MatMul, attrs, ta, tb, g.X(0), g.X(1), g.Dy(), i)
		}
	}
}

// BatchMatMulAttrs are those of BatchMatMulV2: AdjX and AdjY transpose and
// conjugate.
type BatchMatMulAttrs struct{ AdjX, AdjY bool }

// BatchMatMulV2 multiplies the matrices in the last two dimensions; the others broadcast.
var BatchMatMulV2 = ir.NewOp("BatchMatMulV2", "x, y, adj_x=False, adj_y=False")

func init() {
	BatchMatMulV2.Define(ir.Rules{
		Attrs: &BatchMatMulAttrs{}, Infer: inferBatchMatMul, Kernel: runBatchMatMul, Fuse: ir.Contraction,
		Uses: ir.In(0) | ir.In(1), Grad: batchMatMulGrad,
	})
}

func inferBatchMatMul(c *ir.Call) *ir.Mistake {
	x, y := c.Shape(0), c.Shape(1)
	if !x.RankKnown() || !y.RankKnown() {
		return c.SetOut(c.DType(0), tensor.UnknownShape)
	}
	for i, s := range []tensor.Shape{x, y} {
		if s.Rank() < 2 {
			return ir.Invalid("In[%d] ndims must be >= 2: %d", i, s.Rank())
		}
	}
	a, _ := c.Attrs.(*BatchMatMulAttrs)
	m, k := x.Dim(-2), x.Dim(-1)
	if a.AdjX {
		m, k = k, m
	}
	k2, n := y.Dim(-2), y.Dim(-1)
	if a.AdjY {
		k2, n = n, k2
	}
	if k >= 0 && k2 >= 0 && k != k2 {
		return &ir.Mistake{Kind: ir.MatMulSize, Args: []any{x, y, k, k2}}
	}
	bx, by := x.Slice(0, x.Rank()-2), y.Slice(0, y.Rank()-2)
	b, ok := tensor.Broadcast(bx, by)
	if !ok {
		p, q := clash(bx, by)
		return &ir.Mistake{Kind: ir.MatMulBatch, Args: []any{x, y, p, q}}
	}
	return c.SetOut(c.DType(0), b.Concat(tensor.ShapeOf(m, n)))
}

func runBatchMatMul(c *ir.Call) *ir.Mistake {
	a, _ := c.Attrs.(*BatchMatMulAttrs)
	x, y, o := c.T(0), c.T(1), c.O(0)
	dims := o.Dims()
	batch := dims[:len(dims)-2]
	m, n := dims[len(dims)-2], dims[len(dims)-1]
	k := x.Dims()[x.Rank()-1]
	if a.AdjX {
		k = x.Dims()[x.Rank()-2]
	}
	if x.DType().IsComplex() && (a.AdjX || a.AdjY) {
		return unsupported(c) // tf.matmul conjugates first
	}
	px, py := spreadDims(x.Dims()[:x.Rank()-2], batch), spreadDims(y.Dims()[:y.Rank()-2], batch)
	for i := range px {
		if mis := gemm(c, a.AdjX, a.AdjY, m, n, k, x, y, o, px[i]*m*k, py[i]*k*n, i*m*n); mis != nil {
			return mis
		}
	}
	return nil
}

// spreadDims lists which element of an array of shape from broadcasts to each of to.
func spreadDims(from, to []int) []int {
	out, src := make([]int, prod(to)), make([]int, prod(from))
	for i := range src {
		src[i] = i
	}
	st := make([]int, len(to))
	kernel.BroadcastStrides(st, from, to)
	kernel.CopyND(out, kernel.Dense(to), src, kernel.Strided{Stride: st}, to)
	return out
}

func batchMatMulGrad(g *ir.Grad) {
	a := g.Attrs.(*BatchMatMulAttrs)
	attrs := func(ta, tb bool) any { return &BatchMatMulAttrs{ta, tb} }
	for i := range 2 {
		if g.Wants(i) {
			d := products(g.Session, BatchMatMulV2, attrs, a.AdjX, a.AdjY, g.X(0), g.X(1), g.Dy(), i)
			g.DX[i] = fitBatch(g, d, i)
		}
	}
}

// fitBatch sums over the batch dimensions that were broadcast.
func fitBatch(g *ir.Grad, d ir.Value, i int) ir.Value {
	want, got := g.In[i].Type.Shp, d.Shape()
	if want.Known() && got.Known() {
		return sumTo(g.Session, d, want)
	}
	other := g.In[1-i].Type.Shp
	if want.Rank() >= 0 && want.Rank() == other.Rank() && tensor.Compatible(want.Slice(0, want.Rank()-2), other.Slice(0, other.Rank()-2)) && want.Slice(0, want.Rank()-2) == other.Slice(0, other.Rank()-2) {
		return d
	}
	s := g.Session
	sx := inShape(g, i)
	axes := s.EmitAll(BroadcastGradientArgs, nil, sx, shapeOf(s, d))
	if axes == nil {
		return d
	}
	return s.Emit2(Reshape, nil, s.Emit2(Sum, reduceDrop, d, axes[0]), sx)
}

// EmitMatMul is tf.matmul on values of any rank from 2 on.
func EmitMatMul(s *ir.Session, x, y ir.Value, ta, tb bool) ir.Value {
	if x.Shape().Rank() <= 2 && y.Shape().Rank() <= 2 && x.Shape().RankKnown() && y.Shape().RankKnown() {
		return s.Emit2(MatMul, MatMulOf(ta, tb), x, y)
	}
	return s.Emit2(BatchMatMulV2, &BatchMatMulAttrs{ta, tb}, x, y)
}
