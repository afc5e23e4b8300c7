package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// rowsOfArray are the rows of a NumPy array inside a Python sequence, where
// TensorFlow treats it as one more sequence.
func rowsOfArray(v lang.Value) ([]lang.Value, bool) { return nil, false }

// fromArray makes a tensor of a NumPy array or scalar; dt, if asked for, is cast
// to unsafely (rule A4).
func (st *State) fromArray(v lang.Value, dt tensor.DType) (ir.Value, bool, error) {
	return nil, false, nil
}

// castArray is fromArray for the operand beside a tensor of dtype dt (rule A18).
func (st *State) castArray(v lang.Value, dt tensor.DType) (ir.Value, bool, error) {
	return st.fromArray(v, dt)
}

// isArray reports a NumPy array, which is no index even where NumPy would take it for one.
func isArray(v lang.Value) bool { return false }

// ArrayType is dtype and shape of a NumPy array or scalar.
func ArrayType(v lang.Value) (tensor.DType, tensor.Shape, bool) {
	return tensor.Invalid, tensor.Shape{}, false
}
