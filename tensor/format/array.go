package format

import (
	"encoding/binary"
	"math"

	"github.com/tfs-lang/tfs/tensor"
)

// Array is what is to be printed. It borrows Data.
type Array struct {
	DType   tensor.DType
	Dims    []int
	Strides []int // step of each dimension, in bytes of Data or units of Text's pos
	Offset  int
	Data    []byte
	// Text, if set, gives the text of the element at pos (Offset plus strides);
	// Data is not used then. It may have several lines.
	Text func(pos int) string
	// TypeText is what repr says of a dtype that is not DType's ("object", "'<U3'").
	TypeText string
	// Class is the name that repr begins with; "" means "array".
	Class string
	// Invalid DType with Text and Implied leaves out the dtype in repr.
	Implied bool
}

// FromTensor describes t; it borrows t's data.
func FromTensor(t *tensor.Tensor) Array {
	a := Array{DType: t.DType(), Dims: t.Dims()}
	size := t.DType().Size()
	if a.DType == tensor.String {
		size = 1
		a.Text = func(i int) string { return BytesRepr(t.Str(i)) }
		a.TypeText = "object"
	} else {
		a.Data = t.Bytes()
	}
	a.Strides = make([]int, len(a.Dims))
	for i := len(a.Dims) - 1; i >= 0; i-- {
		a.Strides[i] = size
		size *= a.Dims[i]
	}
	return a
}

func (a *Array) size() int {
	n := 1
	for _, d := range a.Dims {
		n *= d
	}
	return n
}

func (a *Array) float(pos int) float64 {
	b := a.Data[pos:]
	switch a.DType {
	case tensor.Float32, tensor.Complex64:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case tensor.Float16:
		return float64(tensor.Half(binary.LittleEndian.Uint16(b)).Float32())
	case tensor.BFloat16:
		return float64(tensor.BF16(binary.LittleEndian.Uint16(b)).Float32())
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// imag is the second part of a complex element.
func (a *Array) imag(pos int) float64 { return a.float(pos + a.DType.Size()/2) }

// int reads an integer; those of uint64 come as the same bits.
func (a *Array) int(pos int) int64 {
	b := a.Data[pos:]
	switch a.DType {
	case tensor.Int8:
		return int64(int8(b[0]))
	case tensor.Uint8, tensor.Bool:
		return int64(b[0])
	case tensor.Int16:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case tensor.Uint16:
		return int64(binary.LittleEndian.Uint16(b))
	case tensor.Int32:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	case tensor.Uint32:
		return int64(binary.LittleEndian.Uint32(b))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// corners calls f with the position of every element that stands in the text:
// all of them, or the edge items of each dimension.
func (a *Array) corners(edge int, f func(pos int)) {
	if a.size() > 0 {
		a.cornersFrom(0, a.Offset, edge, f)
	}
}

func (a *Array) cornersFrom(axis, pos, edge int, f func(pos int)) {
	if axis == len(a.Dims) {
		f(pos)
		return
	}
	n := a.Dims[axis]
	for i := 0; i < n; i++ {
		if edge >= 0 && n > 2*edge && i == edge {
			i = n - edge
			if i == n {
				break
			}
		}
		a.cornersFrom(axis+1, pos+i*a.Strides[axis], edge, f)
	}
}
