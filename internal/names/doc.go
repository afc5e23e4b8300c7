// Package names lists the public names of CPython 3.11, NumPy 2.4 and TensorFlow 2.21, a module and a name on each line,
// read off them by record.py. The list of TensorFlow holds the names of dense tensors, data, files and checkpoints, without
// Keras and the compatibility modules.
//
// Two things use it: the pages that say what there is, and the error of a name that the original has and tfs not yet. The
// package must not know how anything is bound.
package names
