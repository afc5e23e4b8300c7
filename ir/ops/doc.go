// Package ops is the op table: one variable and one init block an op, with its
// rules in the order Infer, Known, Kernel, Fuse, Effect, Uses, Grad. Files are
// families: unary.go, binary.go, compare.go, reduce.go, shape.go, and so on.
//
// infer.go has the shared shape inference, run.go the shared ways into package
// kernel, emit.go what gradients and bindings call to emit common ops.
//
// derivative.go and its neighbours differentiate the graphs of control flow.
// testdata/rows.jsonl is calls recorded from TensorFlow with results and gradients;
// the walking test runs them eager, traced, poisoned and to the second order.
//
// The package must not know who emits: gradients are written once, as Emit calls.
package ops
