// Package conform runs the conformance programs and judges what they print.
//
// A program is a file NAME.tfs beside its recording: NAME.out, the standard
// output of CPython, NumPy and TensorFlow, and NAME.err when the program ends
// with another status than 0. Comment lines at the program's head say how to
// compare (see [Directives]).
//
// The phases, in order: [Load] reads a folder of programs, a [Runner] runs one
// of them in an empty folder of its own, [Judge] compares the [Result] with the
// recording and answers with a [Mismatch] or nil, and [Pending] holds the list
// of programs that are known not to pass yet.
//
// The package must not know anything about tfs: any command that takes the path
// of a program will do, CPython itself included.
package conform
