package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// product of m×k and k×n in float64 from how Gemm reads its operands.
func naiveGemm(transA, transB bool, m, n, k int, a []float64, lda int, b []float64, ldb int) []float64 {
	c := make([]float64, m*n)
	for i := 0; i < m; i++ {
		for j := 0; j < n; j++ {
			for p := 0; p < k; p++ {
				x, y := 0.0, 0.0
				if transA {
					x = a[p*lda+i]
				} else {
					x = a[i*lda+p]
				}
				if transB {
					y = b[j*ldb+p]
				} else {
					y = b[p*ldb+j]
				}
				c[i*n+j] += x * y
			}
		}
	}
	return c
}

var gemmSizes = [][3]int{{1, 1, 1}, {2, 3, 4}, {5, 1, 70}, {1, 5, 70}, {13, 33, 17}, {12, 32, 512}, {7, 65, 513},
	{3, 31, 1030}, {25, 16, 5}, {1, 200, 3}, {100, 1, 1}, {1, 1, 1000}, {30, 130, 64}, {0, 3, 2}, {2, 2, 0}}

func TestGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, s := range gemmSizes {
		for mode := 0; mode < 8; mode++ {
			transA, transB, accumulate := mode&1 != 0, mode&2 != 0, mode&4 != 0
			m, n, k := s[0], s[1], s[2]
			lda, ldb, ldc := k+r.IntN(3), n+r.IntN(3), n+r.IntN(3)
			rowsA, rowsB := m, k
			if transA {
				lda, rowsA = m+r.IntN(3), k
			}
			if transB {
				ldb, rowsB = k+r.IntN(3), n
			}
			lda, ldb, ldc = max(lda, 1), max(ldb, 1), max(ldc, 1)
			a, b := normals(r, rowsA*lda), normals(r, rowsB*ldb)
			want := naiveGemm(transA, transB, m, n, k, a, lda, b, ldb)
			c, c32 := make([]float64, m*ldc), make([]float32, m*ldc)
			Fill(c, 7)
			Fill(c32, 7)
			Gemm(transA, transB, m, n, k, a, lda, b, ldb, c, ldc, accumulate)
			Gemm(transA, transB, m, n, k, to32(a), lda, to32(b), ldb, c32, ldc, accumulate)
			for i := 0; i < m*ldc; i++ {
				w := 7.0
				if j := i % ldc; j < n {
					w = want[i/ldc*n+j]
					if accumulate {
						w += 7
					}
				}
				if math.Abs(c[i]-w) > 1e-11*float64(k+1) || math.Abs(float64(c32[i])-w) > 2e-6*float64(k+10) {
					t.Fatalf("%v transA=%v transB=%v acc=%v: c[%d] = %v, %v, want %v", s, transA, transB, accumulate, i, c[i], c32[i], w)
				}
			}
		}
	}
}

func TestGemmInt(t *testing.T) {
	c := make([]int32, 4)
	Gemm(false, true, 2, 2, 3, []int32{1, 2, 3, 4, 5, 6}, 3, []int32{1, 0, 1, 2, 2, 2}, 3, c, 2, false)
	if c[0] != 4 || c[1] != 12 || c[2] != 10 || c[3] != 30 {
		t.Error(c)
	}
	z := make([]complex64, 1)
	Gemm(false, false, 1, 1, 1, []complex64{1i}, 1, []complex64{1i}, 1, z, 1, false)
	if z[0] != -1 {
		t.Error(z)
	}
}
