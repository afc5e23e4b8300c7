package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

//go:generate go run genrun.go

// Forms of instructions that only the interpreter's own copy has.
const (
	opHalt       = code.NumOps + iota
	opAnd        // BinOp of &
	opOr         // BinOp of |
	opXor        // BinOp of ^
	opAppend     // CallMethod that met list.append
	opDictGet    // CallMethod that met dict.get
	opSetGlobal1 // SetGlobal that met the module's own bound cell
	opReadGlobal // GetGlobal, GetFree, GetAttr and GetItem of staged code: a trace hears of them
	opReadFree
	opReadAttr
	opReadItem
	opReadItemI
	// Pairs: the form of a first instruction that runs the one behind it too. Where
	// that fails for once it goes back to being itself.
	opMove2    // Move, Move
	opGetItem2 // GetItem of a temporary that the next GetItem reads
	opMulAdd   // MulSS into a temporary that the next AddSS adds
	opMulAddF  // the same with float constants
	opAndI     // LoadI of a temporary for the next And
	opOrI      // for the next Or
	opXorI     // for the next Xor
	opAddLoop  // AddSI of a variable that the next JLTBackSS or JLTBackSI tests
	opLast
)

func fits53(n uint64) bool { return n+1<<53 <= 1<<54 }

// copyCounted finishes a load of counted x into slot A; a temporary source moves.
//
//go:noinline
func copyCounted(ci *Frame, pc unsafe.Pointer, x Value) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	ci.th.cur = ci
	if (in.Op == code.Move || in.Op == opMove2) && in.B >= ci.code.nlocals {
		if x.P != nil && (*Header)(x.P).Own != 0 {
			*ci.slot(in.B) = Value{}
		}
	} else {
		ci.th.keep(x)
	}
	ci.th.put(ci.slot(in.A), x)
	if in.Op == code.GetAttr && in.B != in.A {
		ci.dies(in.B)
	}
	return ci, unsafe.Add(pc, isz)
}

// dropDst empties slot A of a counted value; the instruction runs again. When A is
// also an operand it goes the slow way instead.
//
//go:noinline
func dropDst(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	ci.th.cur = ci
	ci.th.put(ci.slot((*Instr)(pc).A), Value{})
	return ci, pc
}

// dropTarget empties the target of a for loop.
//
//go:noinline
func dropTarget(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	ci.th.cur = ci
	ci.th.put(ci.slot((*Instr)(pc).B), Value{})
	return ci, pc
}

// farFor is ForLoop with its distance in K, and the end of a list.
//
//go:noinline
func farFor(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	ci.th.cur = ci
	s := ci.slot(in.A)
	ix := (*Value)(unsafe.Add(ci.base, uintptr(in.A)+vsz))
	if s.P == nil {
		if ix.Int64() >= s.Int64() {
			return ci, unsafe.Add(pc, isz)
		}
		ci.th.put(ci.slot(in.B), *ix)
		ix.N++
		return ci, unsafe.Add(pc, jump(in.C, in.K)*int(isz))
	}
	l := (*List)(s.P)
	if ix.N >= uint64(len(l.items)) {
		return endLoop(ci, pc)
	}
	ci.th.put(ci.slot(in.B), l.items[ix.N].Value())
	ix.N++
	return ci, unsafe.Add(pc, jump(in.C, in.K)*int(isz))
}

// storeResult stores a result over a counted value.
//
//go:noinline
func storeResult(ci *Frame, pc unsafe.Pointer, v Value) (*Frame, unsafe.Pointer) {
	ci.th.cur = ci
	ci.th.put((*Value)(unsafe.Add(ci.base, ci.dst)), v)
	return ci, pc
}

// countedReturn returns v from a frame in which a counted slot was met.
//
//go:noinline
func countedReturn(ci *Frame, pc unsafe.Pointer, v Value) (*Frame, unsafe.Pointer) {
	s := ci.slot((*Instr)(pc).A)
	if s.P == v.P {
		*s = Value{}
	}
	ci.th.cur = ci
	ci.clear()
	return ci.finish(v)
}
