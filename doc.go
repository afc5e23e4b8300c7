// Package tfs runs TensorFlow-style training scripts inside a Go program:
// Python syntax, TensorFlow 2 semantics, no Python and no TensorFlow.
//
// An Interp holds the state of one session: modules, variables, traces. It
// serves one goroutine at a time and says so with ErrBusy; any number of Interps
// run side by side. Script exceptions come back as *Error with Python's
// traceback text, sys.exit as *ExitError, a cancelled context as the context's
// error.
//
// Values cross as Go values: nil, bool, int64, float64, string, []byte, []any,
// map[string]any and *Tensor; Set also takes the other sizes of numbers and
// slices of numbers.
package tfs
