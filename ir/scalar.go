package ir

import (
	"math"

	"github.com/tfs-lang/tfs/tensor"
)

// Scalar returns a constant of rank 0; complex types take it as the real part.
func (s *Session) Scalar(dt tensor.DType, v float64) Value {
	if s.err != nil {
		return poison
	}
	if s.Tracing() {
		t := tensor.Make(dt, tensor.Scalar)
		FillFloat(t, v)
		return s.Const(t)
	}
	t, err := s.Env.Alloc.New(dt, tensor.Scalar)
	if err != nil {
		s.SetErr(err)
		return poison
	}
	FillFloat(t, v)
	if s.scopes != 0 {
		s.temps = append(s.temps, t)
	}
	return t
}

// FillFloat sets every element to v, converted as a cast would.
func FillFloat(t *tensor.Tensor, v float64) {
	switch t.DType() {
	case tensor.Float32:
		fill(t.F32(), float32(v))
	case tensor.Float64:
		fill(t.F64(), v)
	case tensor.Float16:
		fill(tensor.Data[tensor.Half](t), tensor.HalfOf(v))
	case tensor.BFloat16:
		fill(tensor.Data[tensor.BF16](t), tensor.BF16Of(v))
	case tensor.Complex64:
		fill(tensor.Data[complex64](t), complex(float32(v), 0))
	case tensor.Complex128:
		fill(tensor.Data[complex128](t), complex(v, 0))
	case tensor.Bool:
		fill(t.Bools(), v != 0)
	case tensor.Uint64:
		if v >= math.MaxInt64 {
			fill(tensor.Data[uint64](t), uint64(v))
			return
		}
		FillInt(t, int64(v))
	default:
		FillInt(t, int64(v))
	}
}

// FillInt sets every element of an integer tensor to v, wrapping.
func FillInt(t *tensor.Tensor, v int64) {
	switch t.DType() {
	case tensor.Int8:
		fill(tensor.Data[int8](t), int8(v))
	case tensor.Int16:
		fill(tensor.Data[int16](t), int16(v))
	case tensor.Int32:
		fill(t.I32(), int32(v))
	case tensor.Int64:
		fill(t.I64(), v)
	case tensor.Uint8:
		fill(tensor.Data[uint8](t), uint8(v))
	case tensor.Uint16:
		fill(tensor.Data[uint16](t), uint16(v))
	case tensor.Uint32:
		fill(tensor.Data[uint32](t), uint32(v))
	case tensor.Uint64:
		fill(tensor.Data[uint64](t), uint64(v))
	case tensor.String, tensor.Resources, tensor.Variant, tensor.Invalid:
		panic("tfs bug: a number put into a tensor of " + t.DType().Name())
	default:
		FillFloat(t, float64(v))
	}
}

func fill[T any](d []T, v T) {
	for i := range d {
		d[i] = v
	}
}
