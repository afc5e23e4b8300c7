package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// Elems is t's elements as the typed slice that package kernel takes; nil for strings.
func Elems(t *tensor.Tensor) any { return elems(t) }

// Densify adds up the rows of a sparse gradient; other values pass.
func Densify(s *ir.Session, v ir.Value) ir.Value {
	if sl, ok := v.(*ir.Slices); ok {
		return autodiff.Dense(s, sl)
	}
	return v
}
