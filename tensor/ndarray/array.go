package ndarray

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// ArrayType is the script type of arrays; the binding sets it once.
var ArrayType *value.Type

// Array is np.ndarray: a view of a block of bytes, or of script values.
type Array struct {
	value.Header
	DT       DType
	buf      *tensor.Buffer
	objs     *objects // of an object array, instead of buf
	off      int      // bytes to the first element
	n        int      // elements
	dims     []int
	strides  []int // bytes
	base     *Array
	ReadOnly bool
	room     [4]int
}

// objects is the block of object arrays; an element takes 8 bytes of offset.
type objects struct{ vals []value.Held }

// New returns a zeroed array in C order; elements of object arrays are None.
func New(dt DType, dims ...int) *Array {
	a := newHeader(dt, dims)
	if dt.K == Object {
		a.objs = &objects{make([]value.Held, a.n)}
		for i := range a.objs.vals {
			a.objs.vals[i] = value.None.Held()
		}
		return a
	}
	a.buf = tensor.NewBuffer(a.n * dt.Size())
	return a
}

// newHeader lays out dims in C order without a block.
func newHeader(dt DType, dims []int) *Array {
	a := &Array{Header: value.Header{Type: ArrayType, Kind: value.KindArray}, DT: dt, n: 1}
	a.setRank(len(dims))
	copy(a.dims, dims)
	step := dt.Size()
	for i := len(dims) - 1; i >= 0; i-- {
		a.strides[i] = step
		step *= dims[i]
		a.n *= dims[i]
	}
	return a
}

func (a *Array) setRank(n int) {
	if n <= 2 {
		a.dims, a.strides = a.room[:n:2], a.room[2:2+n:4]
		return
	}
	m := make([]int, 2*n)
	a.dims, a.strides = m[:n:n], m[n:]
}

// view returns an array on the same block.
func (a *Array) view(off int, dims, strides []int) *Array {
	v := &Array{Header: value.Header{Type: ArrayType, Kind: value.KindArray}, DT: a.DT,
		buf: a.buf, objs: a.objs, off: off, base: a.root(), ReadOnly: a.ReadOnly, n: 1}
	v.setRank(len(dims))
	copy(v.dims, dims)
	copy(v.strides, strides)
	for _, d := range dims {
		v.n *= d
	}
	return v
}

func (a *Array) root() *Array {
	if a.base != nil {
		return a.base
	}
	return a
}

// Of is the array behind a value of KindArray.
func Of(v value.Value) *Array { return (*Array)(v.P) }

// Held is how many bytes of memory a keeps alive.
func (a *Array) Held() int {
	if r := a.root(); r.buf != nil {
		return len(r.buf.Bytes())
	}
	return a.n * a.DT.Size()
}

// Value is the script value that points to a.
func (a *Array) Value() value.Value { return value.Of(&a.Header) }

// Dims, Strides, Rank and Len describe the layout; read only.
func (a *Array) Dims() []int { return a.dims }

// Strides are the steps in bytes.
func (a *Array) Strides() []int { return a.strides }

// Rank is the number of dimensions.
func (a *Array) Rank() int { return len(a.dims) }

// Len is the number of elements.
func (a *Array) Len() int { return a.n }

// Base is the array that owns the block a looks at, nil when it is a's own.
func (a *Array) Base() *Array { return a.base }

// OwnsData reports that the block is a's own.
func (a *Array) OwnsData() bool { return a.base == nil }

// dense reports C order without gaps.
func (a *Array) dense() bool {
	step := a.DT.Size()
	for i := len(a.dims) - 1; i >= 0; i-- {
		if a.dims[i] != 1 && a.strides[i] != step {
			return a.n == 0
		}
		step *= a.dims[i]
	}
	return true
}

// Dense reports flags.c_contiguous, DenseF flags.f_contiguous.
func (a *Array) Dense() bool { return a.dense() }

// DenseF reports Fortran order without gaps.
func (a *Array) DenseF() bool {
	step := a.DT.Size()
	for i := range a.dims {
		if a.dims[i] != 1 && a.strides[i] != step {
			return a.n == 0
		}
		step *= a.dims[i]
	}
	return true
}

// mem is the block for reading, wmem for writing: a block that a tensor lent is
// copied first.
func (a *Array) mem() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(a.buf.Bytes())) }

func (a *Array) wmem() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(a.buf.Writable())) }

// at is the address of the byte at pos, for reading.
func (a *Array) at(pos int) unsafe.Pointer { return unsafe.Add(a.mem(), pos) }

// slice is the elements of a dense array.
func slice[T any](a *Array) []T {
	if a.n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Add(a.mem(), a.off)), a.n)
}

// From returns a new array that holds a copy of vals.
func From[T any](dt DType, vals []T, dims ...int) *Array {
	if len(dims) == 0 {
		dims = []int{len(vals)}
	}
	a := New(dt, dims...)
	copy(slice[T](a), vals)
	return a
}

// FromObjects returns an object array that takes vals over.
func FromObjects(vals []value.Held, dims ...int) *Array {
	a := newHeader(Objects, dims)
	a.objs = &objects{vals}
	return a
}

// FromTensor returns an array that reads t's data and copies it at the first write.
func FromTensor(t *tensor.Tensor) *Array {
	if t.DType() == tensor.String {
		panic("tfs bug: string tensor without boxes")
	}
	a := newHeader(DType{K: t.DType()}, t.Dims())
	a.buf = t.Borrow()
	return a
}

// Tensor returns a tensor of a's elements, which may share a's block until the
// next write. Numbers only.
func (a *Array) Tensor() *tensor.Tensor {
	if !a.dense() {
		a = a.Copy()
	}
	return a.buf.Lend(a.DT.K, tensor.ShapeOf(a.dims...), a.off)
}

// SharesMemory reports that a and b look at one block, at bytes that overlap.
func (a *Array) SharesMemory(b *Array) bool {
	if a.n == 0 || b.n == 0 || a.buf != b.buf || a.objs != b.objs {
		return false
	}
	alo, ahi := a.extent()
	blo, bhi := b.extent()
	return alo < bhi && blo < ahi
}

func (a *Array) extent() (lo, hi int) {
	lo, hi = a.off, a.off+a.DT.Size()
	for i, d := range a.dims {
		if s := a.strides[i] * (d - 1); s < 0 {
			lo += s
		} else {
			hi += s
		}
	}
	return lo, hi
}

// Format describes a for printing. repr gives the text of objects.
func (a *Array) Format(repr func(value.Value) string) format.Array {
	f := format.Array{DType: a.DT.K, Dims: a.dims, Strides: a.strides, Offset: a.off}
	switch {
	case a.DT.K == Object:
		f.DType, f.TypeText = tensor.Invalid, "object"
		f.Text = func(pos int) string { return repr(a.objs.vals[pos/8].Value()) }
	case a.DT.K == Str:
		f.DType, f.TypeText = tensor.Invalid, "'"+a.DT.Code()+"'"
		f.Text = func(pos int) string { return format.StrRepr(a.text(pos)) }
	case a.DT.K == Bytes:
		f.DType, f.TypeText = tensor.Invalid, "'"+a.DT.Code()+"'"
		f.Text = func(pos int) string { return format.BytesRepr([]byte(a.text(pos))) }
	default:
		f.Data = a.buf.Bytes()
	}
	return f
}

// text reads the str or bytes element at pos, without the padding.
func (a *Array) text(pos int) string {
	if a.DT.K == Bytes {
		b := unsafe.Slice((*byte)(a.at(pos)), a.DT.W)
		n := len(b)
		for n > 0 && b[n-1] == 0 {
			n--
		}
		return string(b[:n])
	}
	r := unsafe.Slice((*rune)(a.at(pos)), a.DT.W)
	n := len(r)
	for n > 0 && r[n-1] == 0 {
		n--
	}
	return string(r[:n])
}

// setText writes the str or bytes element at pos of memory p, cut to the width.
func setText(dt DType, p unsafe.Pointer, s string) {
	if dt.K == Bytes {
		b := unsafe.Slice((*byte)(p), dt.W)
		clear(b[copy(b, s):])
		return
	}
	r := unsafe.Slice((*rune)(p), dt.W)
	clear(r)
	i := 0
	for _, c := range s {
		if i == len(r) {
			break
		}
		r[i] = c
		i++
	}
}
