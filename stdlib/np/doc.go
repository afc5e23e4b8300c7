// Package np is the numpy module: ndarray, the scalar types, dtype, ufuncs and
// the functions of numpy and its sub-modules as script objects.
//
// Everything numeric is tensor/ndarray's; this package converts script values to
// arrays and operands (convert.go), gives arrays and scalars their operators,
// attributes and text (array*.go, scalar*.go), and binds functions as tables of
// rows (fn_*.go). A row's function takes the bound arguments and mostly reads
// them through an arg reader whose first mistake sticks.
//
// It also fills the hooks of package bridge, through which tensors become arrays
// and arrays tensors.
package np
