package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// version is the TensorFlow that scripts find.
const version = "2.21.0"

// tables are all functions in Go.
var tables = [][]row{functionRows, tapeRows, variableRows, createRows}

// constants are all other values.
var constants = [][]constant{dtypeConstants, classConstants}

// dtypeConstants are tf.float32 and its kin.
var dtypeConstants = func() (out []constant) {
	for _, dt := range []tensor.DType{tensor.Float16, tensor.BFloat16, tensor.Float32, tensor.Float64, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64,
		tensor.Uint8, tensor.Uint16, tensor.Uint32, tensor.Uint64, tensor.Bool, tensor.String, tensor.Complex64, tensor.Complex128, tensor.Resources, tensor.Variant} {
		n := dt.Name()
		out = append(out, value("tf."+n+" tf.dtypes."+n, bridge.DTypeValue(dt)))
	}
	return append(out, value("tf.half tf.dtypes.half", bridge.DTypeValue(tensor.Float16)), value("tf.double tf.dtypes.double", bridge.DTypeValue(tensor.Float64)))
}()

// classConstants are the classes and the constants of the top level.
var classConstants = func() []constant {
	out := []constant{
		value("tf.Tensor", bridge.TensorClass.Value()),
		value("tf.DType tf.dtypes.DType", bridge.DTypeClass.Value()),
		value("tf.TensorShape", bridge.ShapeClass.Value()),
		value("tf.TensorSpec", bridge.SpecClass.Value()),
		value("tf.TypeSpec", bridge.TypeSpecClass.Value()),
		value("tf.IndexedSlices", bridge.SlicesClass.Value()),
		value("tf.Variable", bridge.VariableClass.Value()),
		value("tf.newaxis", lang.None),
		value("tf.errors.OperatorNotAllowedInGraphError", bridge.NotAllowedInGraph.Value()),
		value("tf.errors.InaccessibleTensorError", bridge.InaccessibleTensor.Value()),
	}
	for _, c := range bridge.OpErrors() {
		out = append(out, value("tf.errors."+c.Name, c.Value()))
	}
	return out
}()

// start prepares an interpreter that imports tensorflow.
func start(th *lang.Thread) error {
	bridge.Of(th)
	return nil
}
