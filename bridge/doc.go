// Package bridge makes tensors script values. It stands between the executor and
// everything that speaks to scripts about tensors (tracer, stdlib/tf,
// stdlib/np): the classes of tensors, symbols, dtypes, shapes and specs with
// their operators, indexing and text; the conversion of Python values with
// TensorFlow's rules, which differ between eager code and a trace; structures
// (nest); the exceptions of tf.errors and how a mistake of the IR becomes one;
// and the State that hangs on a thread.
//
// Phases of an operator: the VM finds the slot Binary of a tensor's class →
// operands become ir.Values (Python numbers adopt the tensor's dtype) → one call
// of the Session's emitter → the result, or the mistake as an exception.
//
// It must not know kernels, nor how functions are traced.
package bridge
