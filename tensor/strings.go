package tensor

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// A string tensor is one arena of bytes and offsets into it: element i is
// arena[offs[i]:offs[i+1]]. Views start at another offset.

// offsets are those of t's elements and the end of the last.
func (t *Tensor) offsets() []int { return unsafe.Slice((*int)(t.data), t.n+1) }

// Str is element i of a string tensor; borrowed, read only.
func (t *Tensor) Str(i int) []byte {
	o := t.offsets()
	return t.buf.mem[o[i]:o[i+1]:o[i+1]]
}

// Strs copies all elements of a string tensor.
func (t *Tensor) Strs() []string {
	out := make([]string, t.n)
	for i := range out {
		out[i] = string(t.Str(i))
	}
	return out
}

// FromStrings returns an uncounted string tensor.
func FromStrings(vals []string, dims ...int) *Tensor {
	var b StringBuilder
	for _, s := range vals {
		b.Add(s)
	}
	return b.tensor(ShapeOf(dims...))
}

// StringBuilder collects the elements of a string tensor in order.
type StringBuilder struct {
	arena []byte
	offs  []int
}

// Grow makes room for n more elements.
func (b *StringBuilder) Grow(n int) {
	if b.offs == nil {
		b.offs = make([]int, 1, n+1)
	}
}

// Add appends an element.
func (b *StringBuilder) Add(s string) {
	if b.offs == nil {
		b.offs = make([]int, 1, 8)
	}
	b.arena = append(b.arena, s...)
	b.offs = append(b.offs, len(b.arena))
}

// AddBytes appends an element; s is copied.
func (b *StringBuilder) AddBytes(s []byte) {
	if b.offs == nil {
		b.offs = make([]int, 1, 8)
	}
	b.arena = append(b.arena, s...)
	b.offs = append(b.offs, len(b.arena))
}

func (b *StringBuilder) tensor(s Shape) *Tensor {
	if b.offs == nil {
		b.offs = make([]int, 1)
	}
	n := s.NumElements()
	if n != len(b.offs)-1 {
		panic("tfs bug: wrong number of strings")
	}
	buf := &Buffer{mem: b.arena, offs: b.offs, refs: 1, class: noClass}
	t := &Tensor{Header: value.Header{Type: EagerType, Kind: value.KindTensor}, dtype: String, shape: s, n: n, buf: buf}
	t.data = unsafe.Pointer(unsafe.SliceData(b.offs))
	*b = StringBuilder{}
	return t
}

// Strings charges the elements that b collected and returns them as a tensor of
// shape s; the caller owns its one reference. b is empty afterwards.
func (a *Allocator) Strings(b *StringBuilder, s Shape) (*Tensor, error) {
	size := int64(len(b.arena) + 8*len(b.offs))
	if err := a.admit(size); err != nil {
		return nil, err
	}
	t := b.tensor(s)
	t.Own, t.Site = 1, a.Site
	a.chargeNew(t.buf, size)
	return t, nil
}
