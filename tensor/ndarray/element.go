package ndarray

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Offset is the position of the first element, as At and its kin take it.
func (a *Array) Offset() int { return a.off }

// At is the address of the element at pos, for reading.
func (a *Array) At(pos int) unsafe.Pointer { return a.at(pos) }

// WriteAt is the address of the element at pos, for writing.
func (a *Array) WriteAt(pos int) unsafe.Pointer { return unsafe.Add(a.wmem(), pos) }

// Object is the script value at pos of an object array.
func (a *Array) Object(pos int) value.Value { return a.objs.vals[pos/8].Value() }

// SetObject stores a script value in an object array.
func (a *Array) SetObject(pos int, v value.Value) { a.objs.vals[pos/8] = v.Held() }

// TextAt is the text at pos of a str or bytes array.
func (a *Array) TextAt(pos int) string { return a.text(pos) }

// SetText stores text, cut to the width.
func (a *Array) SetText(pos int, s string) { setText(a.DT, unsafe.Add(a.wmem(), pos), s) }

// ParseAt stores the number that a text names.
func (a *Array) ParseAt(pos int, s string) error { return a.parse(pos, s) }

// FloatAt is the number at pos, of a complex one the real part; IntAt the integer.
func (a *Array) FloatAt(pos int) float64 { return getter(a.DT.K)(a.at(pos)) }

// IntAt is the integer or bool at pos; of uint64 the same bits.
func (a *Array) IntAt(pos int) int64 { return intGetter(a.DT.K)(a.at(pos)) }

// SetFloat stores a number with a cast, SetInt an integer, SetComplex a complex number.
func (a *Array) SetFloat(pos int, x float64) { putter(a.DT.K)(unsafe.Add(a.wmem(), pos), x) }

// SetInt stores an integer, cut to the width.
func (a *Array) SetInt(pos int, i int64) {
	p := unsafe.Add(a.wmem(), pos)
	switch {
	case a.DT == Bool:
		*(*bool)(p) = i != 0
	case a.DT.IsInt():
		intPutter(a.DT.K)(p, i)
	default:
		putter(a.DT.K)(p, float64(i))
	}
}

// SetComplex stores a complex number; other types take its real part.
func (a *Array) SetComplex(pos int, z complex128) {
	p := unsafe.Add(a.wmem(), pos)
	switch a.DT {
	case Complex64:
		*(*complex64)(p) = complex64(z)
	case Complex128:
		*(*complex128)(p) = z
	default:
		putter(a.DT.K)(p, real(z))
	}
}

// Each calls f with the position of every element in C order.
func (a *Array) Each(f func(pos int)) { a.each(f) }

// Row is the view of element i of the first axis.
func (a *Array) Row(i int) *Array {
	return a.view(a.off+i*a.strides[0], a.dims[1:], a.strides[1:])
}

// Fits reports that i is a value of an integer type.
func Fits(dt DType, i int64) bool { return fits(dt.K, i) }

// OutOfBounds is the error of a Python int that is no value of a type.
func OutOfBounds(text string, dt DType) error { return outOfBounds(text, dt) }

// CopyElement stores the first element of x, which has a's type, at pos.
func (a *Array) CopyElement(pos int, x *Array) error {
	if a.ReadOnly {
		return valueError("assignment destination is read-only")
	}
	a.scatter([]int{pos}, x, 0)
	return nil
}

// Scalar is the array of rank 0 of an array's one element.
func (a *Array) Scalar() *Array {
	v := a.view(a.off, nil, nil)
	v.base = nil
	return v
}

// SetShape is a.shape = dims: the same block laid out anew.
func (a *Array) SetShape(dims []int) error {
	v, err := a.Reshape(dims...)
	if err != nil {
		return err
	}
	if v.buf != a.buf || v.objs != a.objs {
		return fail("AttributeError", "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.")
	}
	a.setRank(len(v.dims))
	copy(a.dims, v.dims)
	copy(a.strides, v.strides)
	return nil
}

// SetBytes stores the bytes of the first element.
func (a *Array) SetBytes(b []byte) { copy(a.buf.Writable()[a.off:], b) }

// Restrided is a view with any dimensions and strides, which must stay in the block.
func (a *Array) Restrided(dims, strides []int) (*Array, error) {
	if len(dims) != len(strides) {
		return nil, valueError("mismatch in length of strides and shape")
	}
	v := a.view(a.off, dims, strides)
	lo, hi := v.extent()
	size := len(a.buf.Bytes())
	if v.n > 0 && (lo < 0 || hi > size) {
		return nil, valueError("strides is incompatible with shape of requested array and size of buffer")
	}
	return v, nil
}
