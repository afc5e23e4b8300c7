// Package code defines what the compiler gives the VM: the instruction set and
// immutable code objects. A code object holds no Go pointer into an interpreter
// (constants stand in a pool as plain data), so it can be written to bytes and
// shared by interpreters; quickened instructions, inline caches, linked globals
// and materialised constants belong to the interpreter's own copy.
//
// Registers. A function has NSlots slots of 16 bytes. Slots [0, NLocals) are
// named: parameters first (positional-only, positional, *args, keyword-only,
// **kwargs order is: all positional, keyword-only, *args, **kwargs), then other
// locals. Slots from NLocals on are temporaries: a value there dies at its one
// use. Operands A, B, C are slot offsets in bytes (slot × 16) unless the opcode
// says otherwise. A callee's window begins inside its caller's: its slot 0 is
// the slot of its first argument.
//
// Jumps are relative to the jumping instruction, in instructions. Fused
// compare-and-branch forms carry a 16-bit distance; the compiler goes through a
// Jump (32 bits and more in K) where that is too short. A local beyond slot
// 4,000 lives in the wide area of the frame and is moved in and out by MoveWide.
package code
