// Package progfuzz writes random programs and compares what tfs does with them with
// what CPython does.
//
// Program(seed) is one program, always the same for a seed. It comes in two kinds:
// calls of the built-in types, functions and operators with odd arguments, each
// result or exception printed on a line with a label (calls.go, tables.go), and
// programs of statements: functions, classes, generators, closures, try, with,
// match, comprehensions (stmt.go, expr.go, class.go, match.go). Programs end by
// themselves: loops count, recursion has a depth, and values are cut to a size.
//
// Run runs one in a fresh interpreter under limits. The corpus in testdata holds
// programs with CPython's output, which the test compares; Oracle, a script for
// CPython, makes it:
//
//	go run ./internal/progfuzz/cmd/progfuzz -python python3.11 -seed 1 -n 2000
//
// Statement forms and labels are counted; a long run says which were reached less
// than a hundred times.
package progfuzz
