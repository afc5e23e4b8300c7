// Package asmcheck looks at the machine code of a dispatch loop: an interpreter's speed hangs on the few instructions
// between the head of its loop and the jump to the code of the next instruction, and a register that is spilled there
// costs every script several per cent without any test noticing.
//
// The phases: [Disassemble] one function of a binary with go tool objdump, [FindLoop] in it, [Loop.Spills] of it.
// It knows amd64 only.
package asmcheck
