package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// What NumPy's arrays and scalars are to tensors; stdlib/np sets these at init.
var (
	// NumPyTensor makes a tensor, cast unsafely to dt unless that is Invalid.
	NumPyTensor func(th *lang.Thread, v lang.Value, dt tensor.DType) (*tensor.Tensor, bool, error)
	// NumPyRows are the items of an array of one or more dimensions.
	NumPyRows func(v lang.Value) ([]lang.Value, bool)
	// NumPyType is dtype and shape of an array or scalar.
	NumPyType func(v lang.Value) (tensor.DType, tensor.Shape, bool)
	// NumPyItem is the Python object in a NumPy scalar, and its dtype.
	NumPyItem func(v lang.Value) (lang.Value, tensor.DType, bool)
)

// numPyItem is the Python object in a NumPy scalar.
func numPyItem(v lang.Value) (lang.Value, tensor.DType, bool) {
	if NumPyItem == nil || v.P == nil || v.Kind() != value.KindOther && v.Kind() != value.KindInstance {
		return v, tensor.Invalid, false
	}
	return NumPyItem(v)
}

// rowsOfArray are the rows of a NumPy array inside a Python sequence, where
// TensorFlow treats it as one more sequence.
func rowsOfArray(v lang.Value) ([]lang.Value, bool) {
	if NumPyRows == nil {
		return nil, false
	}
	return NumPyRows(v)
}

// fromArray makes a tensor of a NumPy array or scalar; dt, if asked for, is cast
// to unsafely (rule A4).
func (st *State) fromArray(v lang.Value, dt tensor.DType) (ir.Value, bool, error) {
	if NumPyTensor == nil {
		return nil, false, nil
	}
	t, ok, err := NumPyTensor(st.Th, v, dt)
	if !ok || err != nil {
		return nil, ok, err
	}
	return st.constant(t), true, nil
}

// castArray is fromArray for the operand beside a tensor of dtype dt (rule A18).
func (st *State) castArray(v lang.Value, dt tensor.DType) (ir.Value, bool, error) {
	return st.fromArray(v, dt)
}

// isArray reports a NumPy array, which is no index even where NumPy would take it for one.
func isArray(v lang.Value) bool { return v.P != nil && v.Head().Kind == value.KindArray }

// ArrayType is dtype and shape of a NumPy array or scalar.
func ArrayType(v lang.Value) (tensor.DType, tensor.Shape, bool) {
	if NumPyType == nil {
		return tensor.Invalid, tensor.Shape{}, false
	}
	return NumPyType(v)
}
