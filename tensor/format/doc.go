// Package format makes the text of arrays: NumPy's str and repr of arrays and
// scalars of every dtype (Str, Repr, Scalar), TensorFlow's text of tensors
// (TensorStr, TensorRepr) and what tf.print writes (TFPrint).
//
// An Array describes the elements: raw bytes with strides, so that views of
// np.ndarray print without a copy, or a function for elements that are objects.
// Formatting goes in NumPy's phases: cut the array to its corners when it is
// long, choose one format for all its elements, lay out rows and brackets.
//
// The package must not know the script language; elements that are script
// objects arrive as text.
package format
