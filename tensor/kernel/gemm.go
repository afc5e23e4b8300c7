package kernel

// Gemm writes c = a·b, or c += a·b when accumulate is set. a is m×k, b is k×n and
// c is m×n, row by row with leading dimensions lda, ldb and ldc; transA says that a
// is stored as k×m, transB that b is stored as n×k.
//
// The definition, kept by every tier and every path: k is cut into blocks of
// gemmBlock; within a block an element is a chain of fused multiply-adds in the
// order of k, starting from zero; the blocks are then added in order. Products with
// a single row or column that lie along both operands' rows are dots instead (Dot32).
// Integers and complex numbers multiply and add in the order of k.
func Gemm[T Num](transA, transB bool, m, n, k int, a []T, lda int, b []T, ldb int, c []T, ldc int, accumulate bool) {
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		for i := 0; i < m && !accumulate; i++ {
			clear(c[i*ldc : i*ldc+n])
		}
		return
	}
	switch c := any(c).(type) {
	case []float32:
		g := gemm[float32]{transA, transB, m, n, k, any(a).([]float32), lda, any(b).([]float32), ldb, c, ldc, accumulate, nil}
		g.run()
	case []float64:
		g := gemm[float64]{transA, transB, m, n, k, any(a).([]float64), lda, any(b).([]float64), ldb, c, ldc, accumulate, nil}
		g.run()
	default:
		gemmPlain(gemm[T]{transA, transB, m, n, k, a, lda, b, ldb, any(c).([]T), ldc, accumulate, nil})
	}
}

// gemm is one product: the arguments of Gemm.
type gemm[T Num] struct {
	transA, transB bool
	m, n, k        int
	a              []T
	lda            int
	b              []T
	ldb            int
	c              []T
	ldc            int
	accumulate     bool
	ready          []T // b packed beforehand, by prepare
}

// gemmBlock is how many terms of a sum are chained before they join the result. It
// is part of the definition of a product.
const gemmBlock = 512

func (g *gemm[T]) strides() (ai, ap, bp, bj int) {
	ai, ap, bp, bj = g.lda, 1, g.ldb, 1
	if g.transA {
		ai, ap = 1, g.lda
	}
	if g.transB {
		bp, bj = 1, g.ldb
	}
	return
}

// gemmPlain multiplies and adds without fusing.
func gemmPlain[T Num](g gemm[T]) {
	ai, ap, bp, bj := g.strides()
	for i := 0; i < g.m; i++ {
		row := g.c[i*g.ldc : i*g.ldc+g.n]
		if !g.accumulate {
			clear(row)
		}
		for p := 0; p < g.k; p++ {
			x := g.a[i*ai+p*ap]
			at := p * bp
			for j := range row {
				row[j] += T(x * g.b[at])
				at += bj
			}
		}
	}
}

// GemmHalf is Gemm for halves: the product in float32, rounded once.
func GemmHalf[H Half](transA, transB bool, m, n, k int, a []H, lda int, b []H, ldb int, c []H, ldc int) {
	wa, wb := make([]float32, len(a)), make([]float32, len(b))
	widen(wa, a)
	widen(wb, b)
	wc := make([]float32, m*n)
	Gemm(transA, transB, m, n, k, wa, lda, wb, ldb, wc, n, false)
	for i := 0; i < m; i++ {
		narrow(c[i*ldc:i*ldc+n], wc[i*n:(i+1)*n])
	}
}
