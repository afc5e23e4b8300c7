// Package compat finds out how much of Python's, NumPy's and TensorFlow's public names a tfs binary has, by asking it: a
// script looks each name of package names up.
//
// [Probe] runs the script, [Report.Write] makes a page of docs/. The package must not know how anything is bound.
package compat
