package tensor

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// EagerType is the script type of tensors. The bindings set it once, before any
// tensor is made.
var EagerType *value.Type

// InlineBytes is the room for data behind the header of a small tensor.
const InlineBytes = 64

// Tensor is a dense array of elements of one type in row-major order. Its data
// is never written after the tensor was given away, except by one who knows
// that nobody else can see it (Alone, and Own at most 1).
type Tensor struct {
	value.Header
	dtype DType
	gen   uint8 // the Accountant's gen, for inline data
	// Node is the name by which tapes know the value; 0 or stale when none
	// watches it. Never its address: headers are used again.
	Node  uint64
	data  unsafe.Pointer // first element; a string tensor's first offset
	n     int
	buf   *Buffer // nil: data is inline
	shape Shape
}

// small is a tensor with its data behind it, 128 bytes in one block.
type small struct {
	Tensor
	inline [InlineBytes]byte
}

// DType is the element type.
func (t *Tensor) DType() DType { return t.dtype }

// Shape is the shape, always fully known.
func (t *Tensor) Shape() Shape { return t.shape }

// Dims are the dimensions; read only.
func (t *Tensor) Dims() []int { return t.shape.p.dims }

// Rank is the number of dimensions.
func (t *Tensor) Rank() int { return len(t.shape.p.dims) }

// Len is the number of elements.
func (t *Tensor) Len() int { return t.n }

// NumBytes is the size of the data; of a string tensor, of its offsets.
func (t *Tensor) NumBytes() int { return t.n * t.dtype.Size() }

// Buffer is the storage, nil when the data is inline.
func (t *Tensor) Buffer() *Buffer { return t.buf }

// Same reports equal dtype and shape.
func (t *Tensor) Same(u *Tensor) bool { return t.dtype == u.dtype && t.shape == u.shape }

// Alone reports that no other header, view or array shares the data.
func (t *Tensor) Alone() bool { return t.buf == nil || t.buf.refs == 1 }

// String names the tensor for Go's debug output; script text is tensor/format's.
func (t *Tensor) String() string { return fmt.Sprintf("tensor %s %s", t.dtype, t.shape.Brackets()) }

// Value is the script value that points to t.
func (t *Tensor) Value() value.Value { return value.Of(&t.Header) }

// Of is the tensor behind a value of KindTensor.
func Of(v value.Value) *Tensor { return (*Tensor)(v.P) }

// Retype makes t a tensor of another type and shape on the same data, whose
// bytes must suffice. Only for one who owns t alone.
func (t *Tensor) Retype(dt DType, s Shape) { t.dtype, t.shape, t.n = dt, s, s.NumElements() }

// Data is the elements as a slice of T, whose size must be the dtype's. It is
// borrowed: valid while t is.
func Data[T any](t *Tensor) []T {
	var z T
	if t.dtype.Size() != int(unsafe.Sizeof(z)) || t.dtype == String {
		panic("tfs bug: " + t.dtype.Name() + " tensor read as another type")
	}
	return unsafe.Slice((*T)(t.data), t.n)
}

// Bytes is the data as raw bytes in the machine's order; not for strings.
func (t *Tensor) Bytes() []byte {
	if t.dtype == String {
		panic("tfs bug: raw bytes of a string tensor")
	}
	return unsafe.Slice((*byte)(t.data), t.NumBytes())
}

// F32 and its kin are the elements of a tensor that has that dtype.
func (t *Tensor) F32() []float32 { return unsafe.Slice((*float32)(t.data), t.n) }

// F64 reads a float64 tensor.
func (t *Tensor) F64() []float64 { return unsafe.Slice((*float64)(t.data), t.n) }

// I32 reads an int32 tensor.
func (t *Tensor) I32() []int32 { return unsafe.Slice((*int32)(t.data), t.n) }

// I64 reads an int64 tensor.
func (t *Tensor) I64() []int64 { return unsafe.Slice((*int64)(t.data), t.n) }

// Bools reads a bool tensor.
func (t *Tensor) Bools() []bool { return unsafe.Slice((*bool)(t.data), t.n) }

// Make returns a zeroed tensor in memory of the collector: not counted, not
// charged. For constants and tests; ops use an Allocator.
func Make(dt DType, s Shape) *Tensor {
	n := s.NumElements()
	if n < 0 {
		panic("tfs bug: tensor of shape " + s.String())
	}
	t := &Tensor{dtype: dt, shape: s, n: n}
	if dt == String {
		t.buf = &Buffer{refs: 1, class: noClass, offs: make([]int, n+1)}
		t.data = unsafe.Pointer(unsafe.SliceData(t.buf.offs))
	} else if size := n * dt.Size(); size <= InlineBytes {
		s := &small{Tensor: *t}
		s.data = unsafe.Pointer(&s.inline)
		t = &s.Tensor
	} else {
		t.buf = &Buffer{mem: alignedBytes(size), refs: 1, class: noClass}
		t.data = t.buf.ptr()
	}
	t.Header = value.Header{Type: EagerType, Kind: value.KindTensor}
	return t
}

// From returns an uncounted tensor that holds a copy of vals.
func From[T Elem](vals []T, dims ...int) *Tensor {
	t := Make(DTypeFor[T](), ShapeOf(dims...))
	if copy(Data[T](t), vals) != t.n || len(vals) != t.n {
		panic("tfs bug: wrong number of elements")
	}
	return t
}

// FromScalar returns an uncounted tensor of rank 0.
func FromScalar[T Elem](v T) *Tensor {
	t := Make(DTypeFor[T](), Scalar)
	Data[T](t)[0] = v
	return t
}

// Equal reports equal dtype, shape and bits.
func Equal(x, y *Tensor) bool {
	if !x.Same(y) {
		return false
	}
	if x.dtype != String {
		return bytes.Equal(x.Bytes(), y.Bytes())
	}
	for i := range x.n {
		if !bytes.Equal(x.Str(i), y.Str(i)) {
			return false
		}
	}
	return true
}
