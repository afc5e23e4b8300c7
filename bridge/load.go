package bridge

import (
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// LoadInt reads element i of an integer or bool tensor; uint64 wraps.
func LoadInt(t *tensor.Tensor, i int) int64 {
	switch t.DType() {
	case tensor.Int32:
		return int64(t.I32()[i])
	case tensor.Int64:
		return t.I64()[i]
	case tensor.Bool:
		if t.Bools()[i] {
			return 1
		}
		return 0
	case tensor.Int8:
		return int64(tensor.Data[int8](t)[i])
	case tensor.Int16:
		return int64(tensor.Data[int16](t)[i])
	case tensor.Uint8:
		return int64(tensor.Data[uint8](t)[i])
	case tensor.Uint16:
		return int64(tensor.Data[uint16](t)[i])
	case tensor.Uint32:
		return int64(tensor.Data[uint32](t)[i])
	case tensor.Uint64:
		return int64(tensor.Data[uint64](t)[i])
	}
	return 0
}

// LoadFloat reads element i of a floating tensor.
func LoadFloat(t *tensor.Tensor, i int) float64 {
	switch t.DType() {
	case tensor.Float32:
		return float64(t.F32()[i])
	case tensor.Float64:
		return t.F64()[i]
	case tensor.Float16:
		return float64(tensor.Data[tensor.Half](t)[i].Float32())
	case tensor.BFloat16:
		return float64(tensor.Data[tensor.BF16](t)[i].Float32())
	}
	return 0
}

// LoadComplex reads element i of a complex tensor.
func LoadComplex(t *tensor.Tensor, i int) complex128 {
	if t.DType() == tensor.Complex64 {
		return complex128(tensor.Data[complex64](t)[i])
	}
	return tensor.Data[complex128](t)[i]
}

func uintValue(u uint64) lang.Value {
	if u < 1<<63 {
		return lang.Int(int64(u))
	}
	return lang.BigInt(new(big.Int).SetUint64(u))
}
