package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// version is the TensorFlow that scripts find.
const version = "2.21.0"

// tables are all functions in Go.
var tables = [][]row{functionRows, tapeRows, variableRows, createRows, scopeRows}

// constants are all other values: read once all init functions have added theirs.
func constants() [][]constant { return [][]constant{dtypeConstants, classConstants} }

// dtypeConstants are tf.float32 and its kin.
var dtypeConstants = func() (out []constant) {
	for _, dt := range []tensor.DType{tensor.Float16, tensor.BFloat16, tensor.Float32, tensor.Float64, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64,
		tensor.Uint8, tensor.Uint16, tensor.Uint32, tensor.Uint64, tensor.Bool, tensor.String, tensor.Complex64, tensor.Complex128, tensor.Resources, tensor.Variant} {
		n := dt.Name()
		out = append(out, fixed("tf."+n+" tf.dtypes."+n, bridge.DTypeValue(dt)))
	}
	return append(out, fixed("tf.half tf.dtypes.half", bridge.DTypeValue(tensor.Float16)), fixed("tf.double tf.dtypes.double", bridge.DTypeValue(tensor.Float64)))
}()

// classConstants are the classes and the constants of the top level.
var classConstants = func() []constant {
	out := []constant{
		fixed("tf.Tensor", bridge.TensorClass.Value()),
		fixed("tf.DType tf.dtypes.DType", bridge.DTypeClass.Value()),
		fixed("tf.TensorShape", bridge.ShapeClass.Value()),
		fixed("tf.TensorSpec", bridge.SpecClass.Value()),
		fixed("tf.TypeSpec", bridge.TypeSpecClass.Value()),
		fixed("tf.IndexedSlices", bridge.SlicesClass.Value()),
		fixed("tf.Variable", bridge.VariableClass.Value()),
		fixed("tf.newaxis", lang.None),
		fixed("tf.errors.OperatorNotAllowedInGraphError", bridge.NotAllowedInGraph.Value()),
		fixed("tf.errors.InaccessibleTensorError", bridge.InaccessibleTensor.Value()),
	}
	for _, c := range bridge.OpErrors() {
		out = append(out, fixed("tf.errors."+c.Name, c.Value()))
	}
	return out
}()

// start prepares an interpreter that imports tensorflow.
func start(th *lang.Thread) error {
	bridge.Of(th)
	return nil
}
