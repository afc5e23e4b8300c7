package kernel

import "math"

// gemmTile is the width of the strip of columns that the Go loops keep in cache.
const gemmTile = 64

func (g *gemm[T]) isDot() bool {
	return g.n == 1 && !g.transA && (g.transB || g.ldb == 1) || g.m == 1 && g.transB && (!g.transA || g.lda == 1)
}

// dots computes a product with one column (or one row) as dots along k.
func (g *gemm[T]) dots(dot func(x, y []T) T) {
	rows, mat, ld, vec, step := g.m, g.a, g.lda, g.b, g.ldc
	if g.n != 1 || g.transA {
		rows, mat, ld, vec, step = g.n, g.b, g.ldb, g.a, 1
	}
	for i := 0; i < rows; i++ {
		v := dot(mat[i*ld:i*ld+g.k], vec[:g.k])
		if g.accumulate {
			v = g.c[i*step] + v
		}
		g.c[i*step] = v
	}
}

func (g *gemm[T]) portable(fma func(acc []T, x T, row []T)) {
	ai, ap, bp, bj := g.strides()
	var acc, strip [gemmTile]T
	packed := make([]T, min(g.k, gemmBlock)*gemmTile)
	for p0 := 0; p0 < g.k; p0 += gemmBlock {
		kc := min(gemmBlock, g.k-p0)
		for j := 0; j < g.n; j += gemmTile {
			w := min(gemmTile, g.n-j)
			for p := 0; p < kc; p++ {
				copy(packed[p*w:(p+1)*w], pick(strip[:], g.b, (p0+p)*bp+j*bj, bj, w))
			}
			for i := 0; i < g.m; i++ {
				clear(acc[:w])
				for p := 0; p < kc; p++ {
					fma(acc[:w], g.a[i*ai+(p0+p)*ap], packed[p*w:(p+1)*w])
				}
				out := g.c[i*g.ldc+j : i*g.ldc+j+w]
				if p0 == 0 && !g.accumulate {
					copy(out, acc[:w])
					continue
				}
				for q := range out {
					out[q] += acc[q]
				}
			}
		}
	}
}

// run computes a product of floats.
func (g *gemm[T]) run() {
	switch g := any(g).(type) {
	case *gemm[float32]:
		if g.isDot() {
			g.dots(Dot32)
		} else if !vector32(g) {
			g.portable(fmaRow32)
		}
	case *gemm[float64]:
		if g.isDot() {
			g.dots(Dot64)
		} else if !vector64(g) {
			g.portable(fmaRow64)
		}
	}
}

func fmaRow32(acc []float32, x float32, row []float32) {
	acc = acc[:len(row)]
	xd := float64(x)
	for i, v := range row {
		// fma32, spelled out because it is too long to be inlined.
		p := xd * float64(v)
		s := p + float64(acc[i])
		if u := math.Float64bits(s); u&0x1fffffff != 0x10000000 && u<<1 >= 0x381<<53 {
			acc[i] = float32(s)
		} else {
			acc[i] = fmaSlow(p, float64(acc[i]), s)
		}
	}
}

func fmaRow64(acc []float64, x float64, row []float64) {
	acc = acc[:len(row)]
	for i, v := range row {
		acc[i] = math.FMA(x, v, acc[i])
	}
}

// dotLanes and dotChunk define a dot: element i of a chunk goes to lane i%dotLanes
// by fused multiply-add, lanes join by halving, chunks add in order.
const (
	dotLanes = 64
	dotChunk = 1 << 15
)

// Dot32 is the sum of x[i]*y[i].
func Dot32(x, y []float32) float32 {
	y = y[:len(x)]
	if len(x) <= dotChunk {
		return lanesDot32(x, y)
	}
	s := float32(0)
	for i := 0; i < len(x); i += dotChunk {
		j := min(i+dotChunk, len(x))
		s += lanesDot32(x[i:j], y[i:j])
	}
	return s
}

// Dot64 is Dot32 for float64.
func Dot64(x, y []float64) float64 {
	y = y[:len(x)]
	s := 0.0
	for i := 0; i < len(x); i += dotChunk {
		j := min(i+dotChunk, len(x))
		s += lanesDot64(x[i:j], y[i:j])
	}
	return s
}

func lanesDot32Go(x, y []float32) float32 {
	var acc [dotLanes]float32
	for ; len(x) >= dotLanes; x, y = x[dotLanes:], y[dotLanes:] {
		for l := range acc {
			acc[l] = fma32(x[l], y[l], acc[l])
		}
	}
	return endDot32(&acc, x, y)
}

// endDot32 adds what is left of a row and joins the lanes.
func endDot32(acc *[dotLanes]float32, x, y []float32) float32 {
	for l := range x {
		acc[l] = fma32(x[l], y[l], acc[l])
	}
	for h := dotLanes / 2; h > 0; h /= 2 {
		for l := 0; l < h; l++ {
			acc[l] += acc[l+h]
		}
	}
	return acc[0]
}

func lanesDot64Go(x, y []float64) float64 {
	var acc [lanes]float64
	for ; len(x) >= lanes; x, y = x[lanes:], y[lanes:] {
		for l := range acc {
			acc[l] = math.FMA(x[l], y[l], acc[l])
		}
	}
	return endDot64(&acc, x, y)
}

func endDot64(acc *[lanes]float64, x, y []float64) float64 {
	for l := range x {
		acc[l] = math.FMA(x[l], y[l], acc[l])
	}
	return joinLanes(acc)
}
