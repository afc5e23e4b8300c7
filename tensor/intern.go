package tensor

import (
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// shapeInfo is one interned shape. There is at most one alive for each list of
// dimensions, so Shape compares by pointer.
type shapeInfo struct {
	dims []int
	n    int // product, -1 if unknown
	hash uint64
	room [4]int
}

// The table of shapes is a cache of immutable facts shared by all interpreters
// of the process: recent ones are found without a lock, the rest hang on weak
// pointers, so that a program that makes ever new shapes doesn't grow it.
var shapes struct {
	recent [1024]atomic.Pointer[shapeInfo]
	mu     sync.Mutex
	all    map[uint64][]weak.Pointer[shapeInfo]
	sweep  int // size of all that starts the next sweep
}

func hashDims(dims []int) uint64 {
	h := uint64(len(dims)) + 0x9e3779b97f4a7c15
	for _, d := range dims {
		h = (h ^ uint64(d)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// intern finds or makes the shape; dims is copied, never kept.
func intern(dims []int) *shapeInfo {
	h := hashDims(dims)
	if p := shapes.recent[h%1024].Load(); p != nil && p.hash == h && same(p.dims, dims) {
		return p
	}
	return internSlow(h, dims)
}

func same(x, y []int) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

//go:noinline
func internSlow(h uint64, dims []int) *shapeInfo {
	shapes.mu.Lock()
	defer shapes.mu.Unlock()
	for _, w := range shapes.all[h] {
		if p := w.Value(); p != nil && slices.Equal(p.dims, dims) {
			shapes.recent[h%1024].Store(p)
			return p
		}
	}
	if shapes.all == nil {
		shapes.all = map[uint64][]weak.Pointer[shapeInfo]{}
		shapes.sweep = 4096
	}
	if len(shapes.all) >= shapes.sweep {
		sweepShapes()
	}
	p := &shapeInfo{n: product(dims), hash: h}
	p.dims = append(p.room[:0], dims...)
	shapes.all[h] = append(shapes.all[h], weak.Make(p))
	shapes.recent[h%1024].Store(p)
	return p
}

// sweepShapes removes the shapes that nobody holds any more.
func sweepShapes() {
	for h, l := range shapes.all {
		l = slices.DeleteFunc(l, func(w weak.Pointer[shapeInfo]) bool { return w.Value() == nil })
		if len(l) == 0 {
			delete(shapes.all, h)
		} else {
			shapes.all[h] = l
		}
	}
	shapes.sweep = max(4096, 2*len(shapes.all))
}
