package ir

import "github.com/tfs-lang/tfs/tensor"

// Var is the handle of a variable as an operand: there is one for each variable,
// its identity is the variable's.
type Var struct {
	Res       *tensor.Resource
	Trainable bool
	Serial    uint64 // order of creation
	Tape      uint64 // the tapes' name for it, as Tensor.Node
	Object    any    // what the bindings show for it
}

// DType of a handle is the resource type; that of the value is Res.DType.
func (v *Var) DType() tensor.DType { return tensor.Resources }

// Shape of a handle is scalar.
func (v *Var) Shape() tensor.Shape { return tensor.Scalar }

// VarOf is the variable behind a resource operand: the handle itself, or what a
// symbol of a graph was captured from or passed for. nil if v is no variable.
func VarOf(v Value) *Var {
	for {
		switch s := v.(type) {
		case *Var:
			return s
		case *Sym:
			if r, ok := s.Foreign.(*Var); ok {
				return r
			}
			if s.DT != tensor.Resources || s.Node != nil || s.Index < s.Graph.NumArgs() {
				return nil
			}
			v = s.Graph.Captures[s.Index-s.Graph.NumArgs()]
		default:
			return nil
		}
	}
}

// HandleOf is the type of the value behind a resource operand: the current one
// where it runs now, the declared one while tracing.
func HandleOf(v Value) Type {
	switch v := v.(type) {
	case *Var:
		return Type{v.Res.DType, v.Res.Shape()}
	case *Sym:
		return v.Handle
	case *List:
		return v.Elem
	}
	return Type{}
}

// List is a list of tensors as a value: ops that change one return another.
// Those that nobody else holds are changed in place.
type List struct {
	Elem  Type
	Items []*tensor.Tensor // nil: not written yet
	Own   int32            // places that hold it; changed in place at 1
	Tape  uint64           // as Var.Tape
}

// DType of a list is variant.
func (l *List) DType() tensor.DType { return tensor.Variant }

// Shape of a list is scalar.
func (l *List) Shape() tensor.Shape { return tensor.Scalar }
