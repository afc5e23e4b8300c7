package tensor

import (
	"math/bits"
	"unsafe"
)

// Buffer is storage that several holders may share: tensors (views), variables
// and, as lender or borrower, NumPy arrays.
type Buffer struct {
	mem    []byte
	offs   []int   // of a string tensor: where each element begins in mem
	refs   int32   // headers and borrowers; one lost to the collector never comes off
	class  int32   // size class of the free lists, noClass when not theirs
	lender *Buffer // the mem is this buffer's and must not be written
	charge *charge // nil: not charged
}

const noClass = -1

// minBlock is the smallest block; all block sizes are multiples of the cache line.
const minBlock = 256

// classOf numbers block sizes with four steps an octave: at most 25 % waste.
func classOf(n int) (class, size int) {
	if n < minBlock {
		n = minBlock
	}
	sh := bits.Len(uint(n-1)) - 3
	q := (n + 1<<sh - 1) >> sh
	return sh*4 + q, q << sh
}

// alignedBytes returns zeroed bytes that begin at a multiple of 64.
func alignedBytes(n int) []byte {
	m := make([]byte, n)
	if n == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(m)))%64 == 0 {
		return m
	}
	m = make([]byte, n+64)
	off := int(-uintptr(unsafe.Pointer(unsafe.SliceData(m))) & 63)
	return m[off : off+n : off+n]
}

// NewBuffer returns zeroed memory of the collector, for arrays; not charged.
func NewBuffer(n int) *Buffer { return &Buffer{mem: alignedBytes(n), refs: 1, class: noClass} }

func (b *Buffer) ptr() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.mem)) }

// Bytes is the whole block, for reading.
func (b *Buffer) Bytes() []byte { return b.mem }

// Frozen reports that the bytes are lent by a tensor: a write needs Writable.
func (b *Buffer) Frozen() bool { return b.lender != nil }

// Writable is the block for writing. If a tensor lent it, the buffer gets a
// private copy first: all views of b follow, the tensor stays as it is.
func (b *Buffer) Writable() []byte {
	if b.lender != nil {
		m := alignedBytes(len(b.mem))
		copy(m, b.mem)
		b.mem = m
		b.lender.refs--
		b.lender = nil
	}
	return b.mem
}

// Borrow returns a buffer for an array that reads t's data and copies it at the
// first write. t may not be written in place while the loan lasts. Inline data
// is copied at once.
func (t *Tensor) Borrow() *Buffer {
	n := t.NumBytes()
	if t.buf == nil || t.dtype == String {
		b := NewBuffer(n)
		copy(b.mem, unsafe.Slice((*byte)(t.data), n))
		return b
	}
	t.buf.refs++
	return &Buffer{mem: unsafe.Slice((*byte)(t.data), n), refs: 1, class: noClass, lender: t.buf}
}

// Lend gives the block of an array to a new tensor of that type and shape,
// from byte off on. The array then borrows it: its next write copies. The
// tensor is not counted; small data is copied.
func (b *Buffer) Lend(dt DType, s Shape, off int) *Tensor {
	n := s.NumElements() * dt.Size()
	if n <= InlineBytes {
		t := Make(dt, s)
		copy(t.Bytes(), b.mem[off:off+n])
		return t
	}
	if b.lender == nil {
		b.lender = &Buffer{mem: b.mem, refs: 1, class: noClass, charge: b.charge}
	}
	b.lender.refs++
	t := Make(dt, ShapeOf(0))
	t.dtype, t.shape, t.n, t.buf = dt, s, s.NumElements(), b.lender
	t.data = unsafe.Pointer(&b.mem[off])
	return t
}
