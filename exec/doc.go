// Package exec runs ops. Its parts:
//
//   - Context: the eager Emitter. A call is checked, inferred, placed (in a dying
//     operand where that is safe, else in fresh storage of the allocator), run,
//     and recorded on the tapes that watch an operand.
//   - Tape: a recording for gradients. Values are named by node numbers in their
//     headers; a record holds only what the gradient reads, and goes when its
//     results die unused.
//   - Accumulator: forward mode, as the double backward of the gradient rules.
//   - Program: a graph as a flat list of steps over numbered slots, with the last
//     use of each value known, so that storage is recycled and results are made in
//     place. If, While and Call run in its own loop.
//
// The gradients of If, While and Call are made by package ops (derivative.go): a
// forward variant with hidden results, and a backward graph.
//
// The package must not know the script language: what calls back into it is an
// interface value in an op's attributes.
package exec
