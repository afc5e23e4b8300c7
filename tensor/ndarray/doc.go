// Package ndarray is NumPy's array without the script language: arrays with
// strides on shared blocks, views, indexing, universal functions with NumPy 2's
// promotion, reductions, sorting, linear algebra, and NumPy's error texts.
//
// An Array is {block, offset, shape, strides}. Blocks are tensor.Buffers, which
// a tensor and an array may share until the first write. Object arrays hold
// script values; what only the language can do with them is asked of the Host.
//
// Calls go in these phases: choose the loop by the operands' types (ufunc.go,
// dtype.go), cast and broadcast (cast.go, iter.go), run the loop row by row
// (loops*.go), look for floating point mishaps (errstate.go).
//
// Mistakes are *Error values that name the exception class; warnings go through
// Ctx. The package must not know script syntax or modules: stdlib/np binds it.
package ndarray
