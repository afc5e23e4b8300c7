//go:build !noasm

package kernel

import (
	"sync"
	"unsafe"

	"github.com/tfs-lang/tfs/internal/poison"
)

// A product in assembly: rows are split into panels of at most gemmRows, columns
// into strips of two registers. What is packed, and when, changes no bit.
const (
	gemmRows = 12
	// packB is from how many rows on a strip of b is worth copying together: narrow
	// products read it in place.
	packRowsB = 50
	// directB is up to how many elements a b of many rows is read in place all the same.
	directB = 8192
	// aliasBytes: rows this far apart fall into one cache set, so a is copied.
	aliasBytes = 4096
	// stripBytes is how much of packed b stays in the second-level cache.
	stripBytes = 512 << 10
)

// workspace is the packed operands of one running product.
type workspace struct{ a, b []float64 }

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// roomOf returns n elements of *buf, growing it, 64-byte aligned.
func roomOf[T Float](buf *[]float64, n int) []T {
	var e T
	words := (n*int(unsafe.Sizeof(e)) + 7) / 8
	if cap(*buf) < words+8 {
		*buf = make([]float64, words+8)
	}
	b := (*buf)[:cap(*buf)]
	if poison.On {
		poison.Fill(unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), len(b)*8))
	}
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & 63 / 8)
	return unsafe.Slice((*T)(unsafe.Pointer(&b[skip])), n)
}

// prepare packs b for several runs with other operands a and c. The caller keeps b as
// it is meanwhile.
func (g *gemm[T]) prepare() {
	switch g := any(g).(type) {
	case *gemm[float32]:
		prepareStrips(g)
	case *gemm[float64]:
		prepareStrips(g)
	}
}

func prepareStrips[T Float](g *gemm[T]) {
	var e T
	if tier < AVX512 || g.k > gemmBlock || g.isDot() {
		return
	}
	strip := 128 / int(unsafe.Sizeof(e))
	n := (g.n + strip - 1) / strip * strip * g.k
	if len(g.ready) != n {
		g.ready = make([]T, n)
	}
	packB(g, g.ready, 0, g.k, 0, g.n, strip)
}

func vector32(g *gemm[float32]) bool {
	switch {
	case tier >= AVX512:
		runVector(g, micro32)
	case tier == AVX2:
		runVector256(g, micro32Half)
	default:
		return false
	}
	return true
}

func vector64(g *gemm[float64]) bool {
	switch {
	case tier >= AVX512:
		runVector(g, micro64)
	case tier == AVX2:
		runVector256(g, micro64Half)
	default:
		return false
	}
	return true
}

// block is the arguments of a microkernel: strides in bytes.
type block[T Float] struct {
	rows, k int
	direct  bool // a is read by rows, not by steps
	a       *T
	as      int
	b       *T
	bs      int
	c       *T
	cs      int
	mask    uint32
	add     int
}

// panels cuts rows evenly into panels of at most limit.
func panels(rows, limit int) (n, base, extra int) {
	n = (rows + limit - 1) / limit
	return n, rows / n, rows % n
}

func columnMask(n, strip int) uint32 {
	if n >= strip {
		return 1<<strip - 1
	}
	return 1<<n - 1
}

// runVector computes g with AVX-512 microkernels.
func runVector[T Float](g *gemm[T], micro func(*block[T])) {
	var e T
	size := int(unsafe.Sizeof(e))
	if g.ready != nil {
		runStrips(g, micro, nil, g.ready, 0, g.k, 0, g.n)
		return
	}
	copyB := g.transB || g.m >= packRowsB && g.k*g.n > directB
	copyA := g.transA && g.n > 8*128/size && g.k > 64 ||
		g.m >= packRowsB && g.n > 4*128/size && g.lda*size%aliasBytes == 0
	if copyA || copyB {
		runPacked(g, micro, copyA, copyB)
		return
	}
	for p := 0; p < g.k; p += gemmBlock {
		runStrips(g, micro, nil, nil, p, min(gemmBlock, g.k-p), 0, g.n)
	}
}

// runPacked copies one operand or both before it computes.
func runPacked[T Float](g *gemm[T], micro func(*block[T]), copyA, copyB bool) {
	var e T
	size := int(unsafe.Sizeof(e))
	strip := 128 / size
	w := workspaces.Get().(*workspace)
	for p := 0; p < g.k; p += gemmBlock {
		kc := min(gemmBlock, g.k-p)
		var packedA, packedB []T
		if copyA {
			packedA = roomOf[T](&w.a, g.m*kc)
			packA(g, packedA, p, kc)
		}
		wide := g.n
		if copyB {
			wide = max(strip, stripBytes/size/kc/strip*strip)
		}
		for j0 := 0; j0 < g.n; j0 += wide {
			cols := min(wide, g.n-j0)
			if copyB {
				packedB = roomOf[T](&w.b, (cols+strip-1)/strip*strip*kc)
				packB(g, packedB, p, kc, j0, cols, strip)
			}
			runStrips(g, micro, packedA, packedB, p, kc, j0, cols)
		}
	}
	workspaces.Put(w)
}

// runStrips computes cols columns from j0 on for kc steps from p on.
func runStrips[T Float](g *gemm[T], micro func(*block[T]), packedA, packedB []T, p, kc, j0, cols int) {
	var e T
	size := int(unsafe.Sizeof(e))
	strip := 128 / size
	bl := block[T]{k: kc, cs: g.ldc * size}
	if p > 0 || g.accumulate {
		bl.add = 1
	}
	n, base, extra := panels(g.m, gemmRows)
	i := 0
	for panel := 0; panel < n; panel++ {
		bl.rows = base
		if panel < extra {
			bl.rows++
		}
		switch {
		case packedA != nil:
			bl.a, bl.as = &packedA[i*kc], bl.rows*size
		case g.transA:
			bl.a, bl.as = &g.a[p*g.lda+i], g.lda*size
		default:
			bl.a, bl.as, bl.direct = &g.a[i*g.lda+p], g.lda*size, true
		}
		for j := 0; j < cols; j += strip {
			if packedB != nil {
				bl.b, bl.bs = &packedB[j*kc], 128
			} else {
				bl.b, bl.bs = &g.b[p*g.ldb+j0+j], g.ldb*size
			}
			bl.c = &g.c[i*g.ldc+j0+j]
			bl.mask = columnMask(cols-j, strip)
			micro(&bl)
		}
		i += bl.rows
	}
}

// packA stores panels of rows step by step.
func packA[T Float](g *gemm[T], dst []T, p, kc int) {
	n, base, extra := panels(g.m, gemmRows)
	for i, panel := 0, 0; panel < n; panel++ {
		rows := base
		if panel < extra {
			rows++
		}
		d := dst[i*kc : (i+rows)*kc]
		if g.transA {
			packStepsA(d, g.a[p*g.lda+i:], g.lda, rows, kc)
		} else {
			packPanelA(d, g.a[i*g.lda+p:], g.lda, rows, kc)
		}
		i += rows
	}
}

// packStepsA packs a panel of a transposed a, which lies step by step already.
func packStepsA[T Float](dst, a []T, lda, rows, kc int) {
	var e T
	size := int(unsafe.Sizeof(e))
	_ = a[(kc-1)*lda+rows-1]
	packSteps((*float32)(unsafe.Pointer(&a[0])), lda*size, (*float32)(unsafe.Pointer(&dst[0])), rows*size,
		kc, columnMask(rows*size/4, 32))
}

func packPanelA[T Float](dst, a []T, lda, rows, kc int) {
	r, whole := 0, 0
	if f, ok := any(dst).([]float32); ok && tier >= AVX512 {
		src := any(a).([]float32)
		whole = kc / 16 * 16
		for ; whole > 0 && r+4 <= rows; r += 4 {
			packFour(&src[r*lda], lda*4, &f[r], rows*4, whole/16)
		}
	}
	for q := 0; q < r; q++ { // what is left of the rows packed above
		for k := whole; k < kc; k++ {
			dst[k*rows+q] = a[q*lda+k]
		}
	}
	for ; r < rows; r++ {
		for k, v := range a[r*lda : r*lda+kc] {
			dst[k*rows+r] = v
		}
	}
}

// packB stores strips of columns step by step; missing columns are zero.
func packB[T Float](g *gemm[T], dst []T, p, kc, j0, cols, strip int) {
	for j := 0; j < cols; j += strip {
		d := dst[j*kc : (j+strip)*kc]
		w := min(strip, cols-j)
		switch {
		case g.transB:
			packTransposed(d, g.b[(j0+j)*g.ldb+p:], g.ldb, w, kc, strip)
		case tier >= AVX512:
			packStrip(d, g.b[p*g.ldb+j0+j:], g.ldb, w, kc, strip)
		default:
			for k := 0; k < kc; k++ {
				row := d[k*strip : (k+1)*strip]
				clear(row[copy(row[:w], g.b[(p+k)*g.ldb+j0+j:]):])
			}
		}
	}
}

// packStrip copies by 128-byte rows, whatever the element.
func packStrip[T Float](dst, b []T, ldb, w, kc, strip int) {
	_ = b[(kc-1)*ldb+w-1]
	mask := columnMask(w, strip)
	if strip == 16 {
		mask = spread(mask)
	}
	packPanel((*float32)(unsafe.Pointer(&b[0])), ldb*128/strip, (*float32)(unsafe.Pointer(&dst[0])), kc, mask)
}

// spread doubles each of 16 bits: a float64 is two float32 wide.
func spread(m uint32) uint32 {
	n := 0
	for m>>n != 0 {
		n++
	}
	return uint32(1<<(2*n) - 1)
}

// packTransposed packs w rows of a transposed b as columns.
func packTransposed[T Float](dst, b []T, ldb, w, kc, strip int) {
	j, whole := 0, 0
	if f, ok := any(dst).([]float32); ok && tier >= AVX512 {
		src := any(b).([]float32)
		whole = kc / 16 * 16
		for ; j+16 <= w; j += 16 {
			for k := 0; k < whole; k += 16 {
				transpose16(&src[j*ldb+k], ldb*4, &f[k*strip+j], strip*4)
			}
			for q := j; q < j+16; q++ {
				for k := whole; k < kc; k++ {
					dst[k*strip+q] = b[q*ldb+k]
				}
			}
		}
	}
	for ; j < w; j++ {
		for k, v := range b[j*ldb : j*ldb+kc] {
			dst[k*strip+j] = v
		}
	}
	for ; j < strip; j++ {
		for k := 0; k < kc; k++ {
			dst[k*strip+j] = 0
		}
	}
}

// rows256 is the height of an AVX2 panel.
const rows256 = 6

// runVector256 computes g with AVX2 microkernels, which take packed operands and
// whole strips; a last narrow strip is computed aside.
func runVector256[T Float](g *gemm[T], micro func(*block[T])) {
	var e T
	size := int(unsafe.Sizeof(e))
	strip := 64 / size
	w := workspaces.Get().(*workspace)
	aside := make([]T, rows256*strip)
	for p := 0; p < g.k; p += gemmBlock {
		kc := min(gemmBlock, g.k-p)
		packedA := roomOf[T](&w.a, g.m*kc)
		for i := 0; i < g.m; i += rows256 {
			rows := min(rows256, g.m-i)
			d := packedA[i*kc : (i+rows)*kc]
			if !g.transA {
				packPanelA(d, g.a[i*g.lda+p:], g.lda, rows, kc)
				continue
			}
			for k := 0; k < kc; k++ {
				copy(d[k*rows:(k+1)*rows], g.a[(p+k)*g.lda+i:])
			}
		}
		wide := max(strip, stripBytes/size/kc/strip*strip)
		for j0 := 0; j0 < g.n; j0 += wide {
			cols := min(wide, g.n-j0)
			packedB := roomOf[T](&w.b, (cols+strip-1)/strip*strip*kc)
			packB(g, packedB, p, kc, j0, cols, strip)
			for i := 0; i < g.m; i += rows256 {
				rows := min(rows256, g.m-i)
				bl := block[T]{rows: rows, k: kc, a: &packedA[i*kc], as: rows * size, bs: 64, cs: g.ldc * size}
				if p > 0 || g.accumulate {
					bl.add = 1
				}
				for j := 0; j < cols; j += strip {
					bl.b = &packedB[j*kc]
					if at := i*g.ldc + j0 + j; cols-j >= strip {
						bl.c = &g.c[at]
						micro(&bl)
					} else {
						narrowStrip(g, micro, bl, aside, at, cols-j, strip)
					}
				}
			}
		}
	}
	workspaces.Put(w)
}

// narrowStrip computes a block with w columns in aside and copies them.
func narrowStrip[T Float](g *gemm[T], micro func(*block[T]), bl block[T], aside []T, at, w, strip int) {
	var e T
	bl.c, bl.cs = &aside[0], strip*int(unsafe.Sizeof(e))
	for r := 0; bl.add != 0 && r < bl.rows; r++ {
		copy(aside[r*strip:r*strip+w], g.c[at+r*g.ldc:])
	}
	micro(&bl)
	for r := 0; r < bl.rows; r++ {
		copy(g.c[at+r*g.ldc:at+r*g.ldc+w], aside[r*strip:])
	}
}
