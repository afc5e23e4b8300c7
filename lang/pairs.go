package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// pairs finds neighbours that run as one. The second instruction stays where it is:
// jumps to it find it. A temporary between the two is written by none but the first
// and read by none but the second, so the pair needn't store it.
func (l *Linked) pairs() {
	for i := 0; i+1 < len(l.ins); i++ {
		if op, ok := l.pairOf(&l.ins[i], &l.ins[i+1]); ok {
			l.ins[i].Op = op
		}
	}
}

func (l *Linked) pairOf(a, b *Instr) (code.Op, bool) {
	temp := a.A >= l.nlocals
	switch a.Op {
	case code.Move:
		return opMove2, b.Op == code.Move
	case code.GetItem:
		return opGetItem2, temp && b.Op == code.GetItem && b.B == a.A && b.C != a.A
	case code.MulSS:
		return opMulAdd, temp && b.Op == code.AddSS && b.C == a.A && b.B != a.A
	case code.MulSF:
		return opMulAddF, temp && b.Op == code.AddSF && b.B == a.A
	case code.LoadI:
		return opAndI + b.Op - opAnd, temp && (b.Op == opAnd || b.Op == opOr || b.Op == opXor) && b.C == a.A && b.B != a.A
	case code.AddSI:
		return opAddLoop, a.A == a.B && (b.Op == code.JLTBackSS && b.C != a.A || b.Op == code.JLTBackSI) && b.B == a.A
	}
	return 0, false
}

// single makes a pair's first instruction itself again.
//
//go:noinline
func single(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	in.Op = pairFirst[in.Op-opMove2]
	return ci, pc
}

var pairFirst = [...]code.Op{code.Move, code.GetItem, code.MulSS, code.MulSF, code.LoadI, code.LoadI, code.LoadI, code.AddSI}
