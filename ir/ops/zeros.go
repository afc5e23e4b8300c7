package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// placeholder is a small value of a type, for a hidden result that another branch
// gives.
func placeholder(s *ir.Session, t, handle ir.Type) *ir.Sym {
	if t.DT == tensor.Variant {
		return s.EmitN(EmptyTensorList, &ListAttrs{Elem: handle.DT, Shape: handle.Shp}).(*ir.Sym)
	}
	if t.DT == tensor.String {
		return s.Const(tensor.FromStrings([]string{""})).(*ir.Sym)
	}
	return s.Const(tensor.Make(t.DT, tensor.Scalar)).(*ir.Sym)
}

// unknownUnlessScalar is the shape of a hidden result that may be a placeholder.
func unknownUnlessScalar(t ir.Type) tensor.Shape {
	if t.Shp.Rank() == 0 {
		return t.Shp
	}
	return tensor.UnknownShape
}

// zerosFor is the gradient of a value that nothing depends on: dense zeros, of the
// variable's shape for a handle.
func zerosFor(s *ir.Session, x ir.Value) ir.Value {
	if x.DType() == tensor.Resources {
		x = s.Emit1(ReadVariableOp, nil, x)
	}
	return s.Emit1(ZerosLike, nil, x)
}

// denseFrom is the gradient p among results, made dense; nil if there is none.
func denseFrom(s *ir.Session, p gradOf, results []*ir.Sym) ir.Value {
	if p.at < 0 {
		return nil
	}
	if !p.sparse {
		return results[p.at]
	}
	return autodiff.Dense(s, &ir.Slices{Values: results[p.at], Indices: results[p.at+1], Dense: results[p.at+2], Static: p.static})
}
