package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// edges are lengths around those of registers, unrolled loops and chunks.
var edges = []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 95, 96, 97, 127, 128, 129,
	255, 256, 257, 1000, 1023, 1024, 1025, 1<<15 - 1, 1 << 15, 1<<15 + 1}

// wild fills x with numbers of all kinds, the awkward ones often.
func wild(r *rand.Rand, n int) []float32 {
	odd := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.MaxFloat32, math.SmallestNonzeroFloat32, -1e-40, 0.625, 89, -104, -103.9, 6}
	x := make([]float32, n)
	for i := range x {
		switch r.IntN(4) {
		case 0:
			x[i] = float32(r.NormFloat64())
		case 1:
			x[i] = float32(r.NormFloat64() * 30)
		case 2:
			x[i] = math.Float32frombits(r.Uint32())
		case 3:
			x[i] = odd[r.IntN(len(odd))]
		}
	}
	return x
}

func sameBits(x, y []float32) int {
	for i, v := range x {
		if math.Float32bits(v) != math.Float32bits(y[i]) && (v == v || y[i] == y[i]) {
			return i
		}
	}
	return -1
}

// onEachTier runs f on every tier that this machine has and compares what it returns
// with the portable result.
func onEachTier(t *testing.T, what string, f func() []float32) {
	t.Helper()
	defer SetTier(SetTier(Portable))
	want := f()
	for tr := AVX2; tr <= bestTier(); tr++ {
		SetTier(tr)
		if got, i := f(), 0; true {
			if i = sameBits(got, want); i >= 0 {
				t.Errorf("%s on %v: [%d] = %x, want %x", what, tr, i, got[i], want[i])
			}
		}
	}
}

func TestTiersUnary(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for op := Neg; op < unaryOps; op++ {
		if op > Log1p && float32Unary[op] == nil {
			continue
		}
		for _, n := range edges {
			x := wild(r, n)
			onEachTier(t, fmt.Sprintf("unary %d of %d", op, n), func() []float32 {
				d := make([]float32, n+1)
				Unary(op, d[:n], x)
				return d
			})
		}
	}
}

func TestTiersBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for op := Add; op < binaryOps; op++ {
		if op > SquaredDifference && (op < ReluGrad || op > SigmoidGrad) {
			continue
		}
		for _, n := range edges {
			x, y := wild(r, n), wild(r, n)
			onEachTier(t, fmt.Sprintf("binary %d of %d", op, n), func() []float32 {
				d := make([]float32, 3*n+1)
				Binary(op, d[:n], x, y, nil)
				if n > 0 {
					Binary(op, d[n:2*n], x, y[:1], nil)
					Binary(op, d[2*n:3*n], x[:1], y, nil)
				}
				return d
			})
		}
	}
}

func TestTiersReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	for _, n := range append([]int{70000}, edges...) {
		x := wild(r, n)
		for i := range x {
			if n%2 == 1 && !(math.Abs(float64(x[i])) < 1e30) {
				x[i] = 1 // sums that aren't all nan
			}
		}
		y, wide := make([]float32, n), make([]float64, n)
		for i := range y {
			y[i] = float32(r.NormFloat64())
		}
		Cast(wide, x)
		onEachTier(t, fmt.Sprintf("reductions of %d", n), func() []float32 {
			d := []float32{Dot32(x, y)}
			for op := Sum; op <= SumSquares; op++ {
				var v [1]float32
				Reduce(op, v[:], x, 1, n, 1)
				d = append(d, v[0])
				var w [1]float64
				Reduce(op, w[:], wide, 1, n, 1)
				u := math.Float64bits(w[0])
				if w[0] == w[0] {
					d = append(d, math.Float32frombits(uint32(u)), math.Float32frombits(uint32(u>>32)))
				}
			}
			u := math.Float64bits(Dot64(wide, wide))
			if u<<1 < 0x7ff<<53 {
				d = append(d, math.Float32frombits(uint32(u)), math.Float32frombits(uint32(u>>32)))
			}
			rows := make([]float32, n)
			Reduce(Sum, rows, append(append([]float32(nil), x...), y...), 1, 2, n)
			d = append(d, rows...)
			for op := Equal; op <= GreaterEqual && n > 0; op++ {
				c := make([]bool, 3*n)
				Compare(op, c[:n], x, y, nil)
				Compare(op, c[n:2*n], x, x[:1], nil)
				Compare(op, c[2*n:], y[:1], x, nil)
				Where(rows, c[:n], x, y, nil)
				d = append(d, rows...)
				Where(rows, c[n:2*n], x, y[:1], nil)
				d = append(d, rows...)
				Where(rows, c[2*n:], x[:1], y, nil)
				d = append(d, rows...)
			}
			var at [2]int32
			ArgReduce(Max, at[:1], x, 1, n, 1)
			ArgReduce(Min, at[1:], x, 1, n, 1)
			d = append(d, float32(at[0]), float32(at[1]))
			if n > 0 {
				Softmax(rows, y, 1, n)
				d = append(d, rows...)
				Softmax(rows, x, 1, n)
				d = append(d, rows...)
				LogSoftmax(rows, y, 1, n)
				d = append(d, rows...)
			}
			if n > 9 {
				cols := make([]float32, n/9)
				Reduce(Sum, cols, x[:n/9*9], 1, 9, n/9)
				d = append(d, cols...)
			}
			return d
		})
	}
}

func TestTiersGemm(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	sizes := append([][3]int{{64, 64, 64}, {40, 100, 600}, {31, 16, 33}, {6, 8, 9}, {36, 256, 512}}, gemmSizes...)
	for n := 1; n <= 34; n++ {
		sizes = append(sizes, [3]int{n, 35 - n, 17}, [3]int{13, n, 5}, [3]int{3, 20, n})
	}
	for _, s := range sizes {
		for mode := 0; mode < 8; mode++ {
			m, n, k := s[0], s[1], s[2]
			transA, transB := mode&1 != 0, mode&2 != 0
			lda, ldb := k, n
			if transA {
				lda = m
			}
			if transB {
				ldb = k
			}
			if mode == 0 && m == 40 {
				lda = 1024 // rows that fall into one cache set
			}
			a, b, c := normals(r, (max(m, k)+1)*max(lda, 1)), normals(r, max(n, k)*max(ldb, 1)), normals(r, m*n)
			a32, b32, c32 := to32(a), to32(b), to32(c)
			onEachTier(t, fmt.Sprintf("gemm %v mode %d", s, mode), func() []float32 {
				d := append([]float32(nil), c32...)
				Gemm(transA, transB, m, n, k, a32, max(lda, 1), b32, max(ldb, 1), d, max(n, 1), mode&4 != 0)
				w := append([]float64(nil), c...)
				Gemm(transA, transB, m, n, k, a, max(lda, 1), b, max(ldb, 1), w, max(n, 1), mode&4 != 0)
				for _, v := range w {
					u := math.Float64bits(v)
					d = append(d, math.Float32frombits(uint32(u>>32)), math.Float32frombits(uint32(u)))
				}
				return d
			})
		}
	}
}

// TestGemmSplit checks that computing a product in parts gives the same bits.
func TestGemmSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	m, n, k := 70, 90, 700
	a, b := to32(normals(r, m*k)), to32(normals(r, k*n))
	whole, parts := make([]float32, m*n), make([]float32, m*n)
	Gemm(false, false, m, n, k, a, k, b, n, whole, n, false)
	for _, i := range [][2]int{{0, 13}, {13, 1}, {14, 56}} {
		for _, j := range [][2]int{{0, 33}, {33, 57}} {
			Gemm(false, false, i[1], j[1], k, a[i[0]*k:], k, b[j[0]:], n, parts[i[0]*n+j[0]:], n, false)
		}
	}
	if i := sameBits(whole, parts); i >= 0 {
		t.Errorf("[%d] = %v in parts, %v at once", i, parts[i], whole[i])
	}
}

func TestNoAllocation(t *testing.T) {
	x, y, d := make([]float32, 8), make([]float32, 8), make([]float32, 8)
	mask, at := make([]bool, 8), make([]int64, 1)
	p, _ := Broadcast([]int{2, 4}, []int{2, 4}, []int{4})
	for name, f := range map[string]func(){
		"add":       func() { Binary(Add, d, x, y, nil) },
		"broadcast": func() { Binary(Add, d, x, y, &p) },
		"tanh":      func() { Unary(Tanh, d, x) },
		"sum":       func() { Reduce(Sum, d, x, 1, 8, 1) },
		"softmax":   func() { Softmax(d, x, 2, 4) },
		"any":       func() { BinaryAny(Mul, d, x, y, nil) },
		"less":      func() { Compare(Less, mask, x, y, nil) },
		"where":     func() { Where(d, mask, x, y, nil) },
		"argmax":    func() { ArgReduce(Max, at, x, 1, 8, 1) },
		"columns":   func() { Reduce(Sum, d, x, 1, 4, 2) },
		"pow":       func() { Binary(Pow, d, x, y, nil) },
	} {
		if n := testing.AllocsPerRun(100, f); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func TestTiersConv(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	for i, c := range convs {
		x, w := to32(normals(r, c.Batch*c.inArea()*c.Channels)), to32(normals(r, c.depth()*c.Filters))
		dy := to32(normals(r, c.Batch*c.outArea()*c.Filters))
		d := Depthwise{c.Window, 1}
		dd := to32(normals(r, c.Batch*c.outArea()*c.Channels))
		onEachTier(t, fmt.Sprintf("conv %d", i), func() []float32 {
			y, dx, dw := make([]float32, len(dy)), make([]float32, len(x)), make([]float32, len(w))
			Conv2D(&c, y, x, w)
			Conv2DInputGrad(&c, dx, dy, w)
			Conv2DFilterGrad(&c, dw, x, dy)
			out := append(append(y, dx...), dw...)
			y, dw = make([]float32, len(dd)), make([]float32, c.cells()*c.Channels)
			DepthwiseConv(&d, y, x, w[:len(dw)])
			out = append(out, y...)
			DepthwiseInputGrad(&d, dx, dd, w[:len(dw)])
			DepthwiseFilterGrad(&d, dw, x, dd)
			out = append(append(out, dx...), dw...)
			MaxPool(&c.Window, y, x)
			out = append(out, y...)
			AvgPool(&c.Window, y, x)
			return append(out, y...)
		})
	}
}
