// Package py holds Python's standard library: modules in Go, one file or a group
// of files a module, and modules in script under lib/, on top of a small native
// core whose names begin with an underscore.
//
// Native finds a module in Go, Source one in script. A module in Go is a
// lang.ModuleDef: a table of functions with their signatures and an Init for
// constants and classes. The package must not know tensors.
package py
