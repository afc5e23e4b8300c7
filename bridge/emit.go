package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

var readVariable = ops.ReadVariableOp

// Pack stacks values of one shape along a new axis.
func (st *State) Pack(parts []ir.Value, axis int) ir.Value {
	return st.S.EmitN(ops.Pack, &ops.PackAttrs{Axis: axis}, parts...)
}

// MatMul multiplies matrices, or batches of them.
func (st *State) MatMul(x, y ir.Value, ta, tb bool) ir.Value {
	return ops.EmitMatMul(st.S, x, y, ta, tb)
}

// Concat joins values along an axis.
func (st *State) Concat(parts []ir.Value, axis int) ir.Value {
	return st.S.EmitN(ops.ConcatV2, nil, append(parts[:len(parts):len(parts)], ir.IntScalar(int64(axis)))...)
}

// Gather picks slices of x along an axis.
func (st *State) Gather(x, indices ir.Value, axis, batchDims int) ir.Value {
	return st.S.EmitN(ops.GatherV2, &ops.GatherAttrs{BatchDims: batchDims}, x, indices, ir.IntScalar(int64(axis)))
}

// stringAdd concatenates strings: + on string tensors.
var stringAdd = ir.FindOp("Add")

// Assert fails with text when the run, now or of the graph, finds ok false.
func (st *State) Assert(ok ir.Value, text string) error {
	msg := st.S.Const(tensor.FromStrings([]string{text}))
	st.At().EmitN(ops.Assert, &ops.AssertAttrs{Summarize: 3}, ok, msg)
	return st.Err()
}
