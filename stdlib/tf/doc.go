// Package tf is the module tensorflow: its tree of names, its functions and its
// classes, on top of package bridge (tensors as script values) and package tracer
// (functions).
//
// The tree. A row has the script names it is exported under, a signature and a Go
// function (module.go); rows stand in tables, one file a family: math.go,
// array.go, nn.go, random.go and so on. Ops whose Python function is the op itself
// need no row: generic.go binds them from the op table's exports. Composite
// functions are written in script under lib/, on top of tf itself, so that they
// work eager, traced and under tapes alike. A branch such as tf.math is made on
// first use, and so is each function.
//
// It must not know kernels: everything it computes goes through the Session.
package tf
