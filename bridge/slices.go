package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// SlicesClass is tf.IndexedSlices.
var SlicesClass = lang.NewPythonClass("IndexedSlices", "tensorflow.python.framework.indexed_slices", value.KindOther)

// Slices is a tf.IndexedSlices as a script object: rows of a tensor that is
// otherwise zero.
type Slices struct {
	value.Header
	*ir.Slices
}

// NewSlices makes the script object; its parts are held.
func NewSlices(s *ir.Slices) lang.Value {
	FromIR(s.Values).Held()
	FromIR(s.Indices).Held()
	o := &Slices{value.Header{Type: &SlicesClass.Type, Kind: value.KindOther}, s}
	return value.Of(&o.Header)
}

// AsSlices is v as a tf.IndexedSlices.
func AsSlices(v lang.Value) (*ir.Slices, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &SlicesClass.Type {
		return (*Slices)(unsafe.Pointer(v.P)).Slices, true
	}
	return nil, false
}

// densify adds the rows up into a tensor.
func (st *State) densify(s *ir.Slices) ir.Value { return autodiff.Dense(st.At(), s) }
