package kernel

import "unsafe"

// Index is the types of indices.
type Index interface{ int32 | int64 }

// Gather copies slices along an axis: params is [batch, outer, axis, inner], index
// [batch, count], dst [batch, outer, count, inner]. It returns the position of the
// first index out of range, or -1; such slices are left alone.
func Gather[T any, I Index](dst, params []T, index []I, g GatherShape) int {
	bad := -1
	per := g.Outer * g.Axis * g.Inner
	for b := 0; b < g.Batch; b++ {
		idx := index[b*g.Count : (b+1)*g.Count]
		src := params[b*per : (b+1)*per]
		for o := 0; o < g.Outer; o++ {
			at := (b*g.Outer + o) * g.Count * g.Inner
			row := src[o*g.Axis*g.Inner : (o+1)*g.Axis*g.Inner]
			for i, k := range idx {
				if uint64(k) >= uint64(g.Axis) {
					if bad < 0 || b*g.Count+i < bad {
						bad = b*g.Count + i
					}
				} else if g.Inner == 1 {
					dst[at] = row[k]
				} else {
					copy(dst[at:at+g.Inner], row[int(k)*g.Inner:])
				}
				at += g.Inner
			}
		}
	}
	return bad
}

// GatherShape is the decomposition that Gather works on.
type GatherShape struct{ Batch, Outer, Axis, Inner, Count int }

// FlatIndex turns index tuples into one index each over dims, row-major: index is
// [count, len(dims)]. It returns the first tuple out of range, or -1.
func FlatIndex[I Index](dst []int64, index []I, dims []int) int {
	depth, bad := len(dims), -1
	for i := range dst {
		at := int64(0)
		for d, size := range dims {
			k := int64(index[i*depth+d])
			if k < 0 || k >= int64(size) {
				if bad < 0 {
					bad = i
				}
				k = 0
			}
			at = at*int64(size) + k
		}
		dst[i] = at
	}
	return bad
}

// ScatterOp names what Scatter does with an element that is there already.
type ScatterOp uint8

// The scatters.
const (
	ScatterSet ScatterOp = iota
	ScatterAdd
	ScatterSub
	ScatterMul
	ScatterDiv
	ScatterMax
	ScatterMin
)

// Scatter folds the rows of updates, of inner elements, into the rows of dst that
// index names, in order. It returns the first index out of [0, rows), or -1; such
// rows are skipped.
func Scatter[T Real, I Index](op ScatterOp, dst []T, index []I, updates []T, rows, inner int) int {
	bad := -1
	for i, k := range index {
		if uint64(k) >= uint64(rows) {
			if bad < 0 {
				bad = i
			}
			continue
		}
		scatterRow(op, dst[int(k)*inner:(int(k)+1)*inner], updates[i*inner:(i+1)*inner])
	}
	return bad
}

func scatterRow[T Real](op ScatterOp, d, u []T) {
	switch op {
	case ScatterSet:
		copy(d, u)
	case ScatterAdd:
		for i, v := range u {
			d[i] += v
		}
	case ScatterSub:
		for i, v := range u {
			d[i] -= v
		}
	case ScatterMul:
		for i, v := range u {
			d[i] *= v
		}
	case ScatterDiv:
		for i, v := range u {
			if v == 0 && !isFloat[T]() {
				continue
			}
			d[i] /= v
		}
	case ScatterMax:
		for i, v := range u {
			d[i] = larger(d[i], v)
		}
	case ScatterMin:
		for i, v := range u {
			d[i] = smaller(d[i], v)
		}
	}
}

// ScatterAny is Scatter with ScatterSet for any element type.
func ScatterAny[T any, I Index](dst []T, index []I, updates []T, rows, inner int) int {
	bad := -1
	for i, k := range index {
		if uint64(k) >= uint64(rows) {
			if bad < 0 {
				bad = i
			}
			continue
		}
		copy(dst[int(k)*inner:(int(k)+1)*inner], updates[i*inner:])
	}
	return bad
}

// ScatterHalf is Scatter for halves, rounding at each step.
func ScatterHalf[H Half, I Index](op ScatterOp, dst []H, index []I, updates []H, rows, inner int) int {
	bad := -1
	d, u := make([]float32, inner), make([]float32, inner)
	for i, k := range index {
		if uint64(k) >= uint64(rows) {
			if bad < 0 {
				bad = i
			}
			continue
		}
		row := dst[int(k)*inner : (int(k)+1)*inner]
		widen(d, row)
		widen(u, updates[i*inner:(i+1)*inner])
		scatterRow(op, d, u)
		narrow(row, d)
	}
	return bad
}

// OneHot writes, for index [outer, inner], on at [outer, index, inner] of depth and
// off elsewhere; an index out of range gives a row of off.
func OneHot[T any, I Index | uint8](dst []T, index []I, outer, depth, inner int, on, off T) {
	Fill(dst[:outer*depth*inner], off)
	for o := 0; o < outer; o++ {
		for i := 0; i < inner; i++ {
			if k := int64(index[o*inner+i]); k >= 0 && k < int64(depth) {
				dst[(o*depth+int(k))*inner+i] = on
			}
		}
	}
}

// NonZero writes the coordinates of the true elements of an array, row-major, and
// returns how many there are. A nil dst only counts.
func NonZero(dst []int64, x []bool, shape []int) int {
	n, rank := 0, len(shape)
	if dst == nil {
		for _, v := range x {
			if v {
				n++
			}
		}
		return n
	}
	for i, v := range x {
		if !v {
			continue
		}
		at := i
		for d := rank - 1; d >= 0; d-- {
			dst[n*rank+d] = int64(at % shape[d])
			at /= shape[d]
		}
		n++
	}
	return n
}

// Compress copies the rows of x, of inner elements, whose mask is set, and returns
// how many there are.
func Compress[T any](dst, x []T, mask []bool, inner int) int {
	n := 0
	if inner == 1 {
		return compressElements(dst, x[:len(mask)], mask)
	}
	for i, v := range mask {
		if v {
			copy(dst[n*inner:(n+1)*inner], x[i*inner:])
			n++
		}
	}
	return n
}

// compressElements moves elements without a branch, which a random mask would defeat,
// by way of a buffer that may take one too many.
func compressElements[T any](dst, x []T, mask []bool) int {
	var buf [rowChunk]T
	bits := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(mask))), len(mask))
	n := 0
	for i := 0; i < len(x); i += rowChunk {
		k := 0
		part, m := x[i:min(i+rowChunk, len(x))], bits[i:min(i+rowChunk, len(x))]
		for j, v := range part {
			buf[k&(rowChunk-1)] = v
			k += int(m[j])
		}
		n += copy(dst[n:], buf[:k])
	}
	return n
}

// Segment folds rows of x into dst rows by segment id with op Sum, Mean, Prod, Max
// or Min. dst has segments rows of inner elements; an empty segment gets empty. A
// negative id drops its row. It returns the first id at or beyond segments, or -1.
func Segment[T Real, I Index](op ReduceOp, dst, x []T, ids []I, segments, inner int, empty T) int {
	count := make([]int, segments)
	bad := -1
	for i, id := range ids {
		if id < 0 {
			continue
		}
		if int64(id) >= int64(segments) {
			if bad < 0 {
				bad = i
			}
			continue
		}
		d, row := dst[int(id)*inner:(int(id)+1)*inner], x[i*inner:(i+1)*inner]
		if count[id] == 0 {
			copy(d, row)
		} else {
			fold := op
			if op == Mean {
				fold = Sum
			}
			foldRow(fold, d, row)
		}
		count[id]++
	}
	for s, n := range count {
		d := dst[s*inner : (s+1)*inner]
		switch {
		case n == 0:
			Fill(d, empty)
		case op == Mean:
			for i := range d {
				d[i] /= T(n)
			}
		}
	}
	return bad
}

// Bincount counts the values of x below len(dst), adding weights where given.
func Bincount[T Real, I Index](dst []T, x []I, weights []T) {
	clear(dst)
	for i, k := range x {
		if k < 0 || int(k) >= len(dst) {
			continue
		}
		if weights == nil {
			dst[k]++
		} else {
			dst[k] += weights[i]
		}
	}
}
