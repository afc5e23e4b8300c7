// Package compat finds out how much of Python's, NumPy's and TensorFlow's public names a tfs binary has, by asking it: a
// script looks each name up. The lists in names were read off CPython 3.11 and NumPy 2.4 by names/record.py; that of
// TensorFlow 2.21 holds the names of dense tensors, data, files and checkpoints, without Keras and the compatibility
// modules.
//
// [Probe] runs the script, [Report.Write] makes a page of docs/. The package must not know how anything is bound.
package compat
