// Package kernel holds the loops under every op: functions over plain slices that
// know nothing of tensors, ops or graphs.
//
// Families, each in its own files:
//
//   - element-wise: Unary, Binary, Compare, Bits, Logic and their Half and Complex
//     forms. An op is a code (UnaryOp, BinaryOp, ...), so that eager kernels, fused
//     groups and tests share one definition. Operands of different shapes go
//     through a Plan, which walks the longest rows.
//   - reductions over (outer, axis, inner), softmax, cross entropy, scans.
//   - Gemm with transposes, batches and leading dimensions.
//   - movement: CopyND (slice, reverse, transpose, tile, pad, concat), gather,
//     scatter, one-hot, where, sorting.
//   - Cast between all element types.
//   - random numbers: the sub-package random.
//
// Results are the same bits on every tier (portable Go, AVX2, AVX-512), for every
// split of the work over threads: reduction trees and the blocking of a
// contraction are fixed by the shape, and fused multiply-add is used only where the
// definition says so. The Go loop is the definition; the assembly is tested to
// agree with it bit for bit. The build tag noasm leaves the assembly out.
//
// Slices are borrowed for the duration of a call, and a destination may be the
// same slice as an operand of an element-wise kernel, never a shifted view of it.
// Lengths are the caller's duty; a wrong one is a bug, not a script's mistake.
package kernel
