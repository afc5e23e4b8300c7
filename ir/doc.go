// Package ir defines what an operation is and how one is applied.
//
//   - Op and Rules: one entry of the op table (package ops fills it).
//   - Value: an operand or result. A *tensor.Tensor or *tensor.Resource when ops
//     run now, a *Sym when they are traced; Ints and Poison are helpers.
//   - Call: one application in flight, in a reusable frame of a Session.
//   - Emitter: an interpretation of ops; everything goes through its one method.
//   - Mistake: what Infer or a kernel found wrong, as data; one table words it,
//     the eager and the traced text side by side.
//   - Record: what a tape keeps of a Call; Node: what a Graph keeps. Backprop
//     (package autodiff) reads both through Record.
//   - Graph: params, nodes, results; Builder appends to one; Verify, Print and
//     Parse. Control flow is ops whose attributes hold graphs.
//
// Phases of a Call: the caller fills a frame (Session.Emit1 …), the dtype rules
// of the op's definition are checked, Infer finds the result types, then the
// emitter runs the kernel or appends a node.
//
// The package must not know how anything is computed.
package ir
