// Package tensor holds the values that ops work on: element types (DType),
// partial shapes (Shape), tensors with their storage (Tensor, Buffer), the
// allocator that recycles what dies, the accountant that knows which script
// line holds which bytes, and variable storage (Resource).
//
// A Tensor is a header of 64 bytes; up to 64 bytes of data stand behind it in
// the same block, more stands in a Buffer that several headers (views,
// variables, NumPy arrays) may share. Headers and buffers are given back by
// Allocator.Drop when the last counted place lets go; what was held by a place
// that doesn't count is the Go collector's (value.Header.Own).
//
// The package must not know ops, graphs or the script language. Text of arrays
// is made by tensor/format, loops over elements by tensor/kernel.
package tensor
