package lang

import (
	"math"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// The slow halves of arithmetic and comparison instructions.

func counted(v Value) bool { return v.P != nil && (*Header)(v.P).Kind >= value.KindTensor }

// operands reads the operands of an instruction in one of the forms SS, SI, SF.
func (ci *Frame) operands(in *Instr, form uint16) (a, b Value) {
	a = *ci.slot(in.B)
	switch form {
	case 0:
		b = *ci.slot(in.C)
	case 1:
		b = Int(int64(in.K))
	default:
		b = Float(math.Float64frombits(in.K))
	}
	return a, b
}

// slowBin is an arithmetic instruction on operands that the run loop doesn't know.
//
//go:noinline
func slowBin(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	form := (in.Op - code.AddSS) % 3
	a, b := ci.operands(in, form)
	return binop(ci, pc, a, b, form == 0)
}

// slowBits is BinOp, InPlace, And, Or and Xor.
//
//go:noinline
func slowBits(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	return binop(ci, pc, *ci.slot(in.B), *ci.slot(in.C), true)
}

// binop runs a binary instruction; slots says that C is a slot.
func binop(ci *Frame, pc unsafe.Pointer, a, b Value, slots bool) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	op, inPlace := operator(in)
	var v Value
	var err error
	switch {
	case a.P == nil && b.P == nil:
		v, err = intBinary(th, op, a.Int64(), b.Int64())
	case b.P == nil && a.Kind() == value.KindBig:
		var quick bool
		if v, quick = bigSmall(op, (*Big)(a.P).V, b.Int64()); !quick {
			ci.pc, th.cur = pc, ci
			v, err = th.binary(op, a, b, 0)
		}
	case counted(a) || counted(b):
		return binaryCounted(ci, pc, op, inPlace, a, b, slots)
	case op == OpAdd && a.Kind() == value.KindStr && b.Kind() == value.KindStr:
		v, err = concatStr(th, (*Str)(a.P), (*Str)(b.P))
	case op == OpMul && b.P == nil && a.Kind() == value.KindStr:
		v, err = repeatStr(th, (*Str)(a.P), int(b.Int64()))
	case op == OpMod && a.Kind() == value.KindStr && b.Kind() != value.KindInstance:
		ci.pc, th.cur = pc, ci
		v, err = StrClass.Binary(th, op, a, b, 0)
	case a.Kind() <= value.KindFloat && b.Kind() <= value.KindFloat:
		x, _ := AsFloat(a)
		y, _ := AsFloat(b)
		v, err = floatBinary(th, op, x, y)
	default:
		if f, p, ok := binaryScript(ci, pc, op, inPlace, a, b); ok {
			return f, p
		}
		ci.pc, th.cur = pc, ci
		if inPlace {
			v, err = th.inPlace(op, a, b, 0)
		} else {
			v, err = th.binary(op, a, b, 0)
		}
	}
	if err != nil {
		return throw(ci, pc, err)
	}
	if v.IsNotImplemented() {
		return throw(ci, pc, binaryError(th, op, a, b, inPlace))
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// binaryScript enters the operator method of a script class in a frame.
func binaryScript(ci *Frame, pc unsafe.Pointer, op BinaryOp, inPlace bool, a, b Value) (*Frame, unsafe.Pointer, bool) {
	if a.Kind() != value.KindInstance {
		return nil, nil, false
	}
	ca, cb := ClassOf(a), ClassOf(b)
	if ca.Flags&classDunderBinary == 0 {
		return nil, nil, false
	}
	name := nameBinary[op]
	if inPlace && ca.InPlace != nil {
		if m, _ := ci.th.find(ca, nameInPlace[op]); !m.IsUnbound() {
			name = nameInPlace[op]
		}
	}
	if ca != cb && ci.th.rightOperand(op, ca, cb) == 2 {
		return nil, nil, false
	}
	m, _ := ci.th.find(ca, name)
	if m.Kind() != value.KindFunc {
		return nil, nil, false
	}
	return callMethodFrame(ci, pc, (*Func)(m.P), a, b, 2, (*Instr)(pc).A, contBinary)
}

// binaryCounted runs an operation with a counted operand: temporaries die, and so
// does an operand whose own slot takes the result.
func binaryCounted(ci *Frame, pc unsafe.Pointer, op BinaryOp, inPlace bool, a, b Value, slots bool) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th, tmp := ci.th, ci.code.nlocals
	ci.pc, th.cur = pc, ci
	th.setSite(ci, pc)
	var sa, sb *Value
	if in.B >= tmp || in.B == in.A {
		sa = ci.slot(in.B)
	}
	if slots && in.C != in.B && (in.C >= tmp || in.C == in.A) {
		sb = ci.slot(in.C)
	}
	v, err := th.apply(op, inPlace, a, b, sa, sb)
	if err != nil {
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// apply runs x op y; sx, sy are the slots of dying operands or nil. They are
// emptied, their references dropped or passed on to the result.
func (th *Thread) apply(op BinaryOp, inPlace bool, x, y Value, sx, sy *Value) (Value, error) {
	var dying uint8
	if sx != nil {
		dying = 1
	}
	if sy != nil {
		dying |= 2
	}
	var v Value
	var err error
	if inPlace {
		v, err = th.inPlace(op, x, y, dying)
	} else {
		v, err = th.binary(op, x, y, dying)
	}
	if err != nil {
		return v, err
	}
	passed := false
	if sx != nil && x.P != nil && (*Header)(x.P).Own != 0 {
		*sx = Value{}
		if x.P == v.P {
			passed = true
		} else {
			drop(th, x)
		}
	}
	if sy != nil && y.P != nil && (*Header)(y.P).Own != 0 {
		*sy = Value{}
		if y.P == v.P && !passed {
			passed = true
		} else {
			drop(th, y)
		}
	}
	if !passed && (v.P == x.P || v.P == y.P) { // an operand that goes on living
		th.keep(v)
	}
	return v, nil
}

// setSite notes the script position for accounting.
func (th *Thread) setSite(ci *Frame, pc unsafe.Pointer) {
	if th.Interp.Site != nil {
		th.site = th.Interp.Site(ci, ci.index(pc))
	}
}

// slowMulAdd is the fused multiply-add on anything but small ints and floats.
//
//go:noinline
func slowMulAdd(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	x, y, z := *ci.slot(in.B), *ci.slot(in.C), *ci.slot(uint16(in.K))
	ci.pc, th.cur = pc, ci
	if counted(x) || counted(y) || counted(z) {
		return mulAddCounted(ci, pc, x, y, z)
	}
	m, err := th.binary(OpMul, x, y, 0)
	if err != nil {
		return throwInner(ci, pc, err)
	}
	v, err := th.addProduct(in.Op, m, z)
	if err != nil {
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

func (th *Thread) addProduct(op code.Op, m, z Value) (Value, error) {
	switch op {
	case code.MulAddR:
		return th.binary(OpAdd, z, m, 0)
	case code.MulSubR:
		return th.binary(OpSub, z, m, 0)
	}
	return th.binary(OpAdd, m, z, 0)
}

// mulAddCounted: the product is a dying value that no slot ever held.
func mulAddCounted(ci *Frame, pc unsafe.Pointer, x, y, z Value) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th, tmp := ci.th, ci.code.nlocals
	th.setSite(ci, pc)
	zo := uint16(in.K)
	dies := func(o uint16) *Value {
		if o >= tmp {
			return ci.slot(o)
		}
		return nil
	}
	sx, sy := dies(in.B), dies(in.C)
	if in.B == in.C || in.C == zo { // an operand met twice dies at its last use
		sy = nil
	}
	if in.B == zo {
		sx = nil
	}
	m, err := th.apply(OpMul, false, x, y, sx, sy)
	if err != nil {
		return throwInner(ci, pc, err)
	}
	sz := dies(zo)
	if zo == in.A {
		sz = ci.slot(zo)
	}
	var v Value
	switch in.Op {
	case code.MulAddR:
		v, err = th.apply(OpAdd, false, z, m, sz, &m)
	case code.MulSubR:
		v, err = th.apply(OpSub, false, z, m, sz, &m)
	default:
		v, err = th.apply(OpAdd, false, m, z, &m, sz)
	}
	if err != nil {
		th.drop(m)
		return throw(ci, pc, err)
	}
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// slowCmp is a fused compare-and-branch on anything but ints and floats.
//
//go:noinline
func slowCmp(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	rel := in.Op - code.JLTSS
	a, b := ci.operands(in, rel%3)
	op := CompareOp(rel / 6)
	if op >= EQ && a.P != nil && b.P != nil && (*Header)(a.P).Kind == value.KindStr && (*Header)(b.P).Kind == value.KindStr {
		same := a.P == b.P || !((*Str)(a.P).Flags&(*Str)(b.P).Flags&flagInterned != 0) && (*Str)(a.P).s == (*Str)(b.P).s
		return fusedJump(ci, pc, same == (op == EQ))
	}
	if t, ok := compareFast(op, a, b); ok {
		return fusedJump(ci, pc, t)
	}
	if f, p, ok := compareScript(ci, pc, op, a, b, contJump); ok {
		return f, p
	}
	th := ci.th
	ci.pc, th.cur = pc, ci
	r, err := Compare(th, op, a, b)
	if err != nil {
		return throw(ci, pc, err)
	}
	t, err := Truth(th, r)
	if err != nil {
		return throw(ci, pc, err)
	}
	if rel%3 == 0 {
		ci.dies(in.C)
	}
	ci.dies(in.B)
	return fusedJump(ci, pc, t)
}

// dies empties a temporary that held a counted value at its last use.
func (ci *Frame) dies(o uint16) {
	if o >= ci.code.nlocals {
		if s := ci.slot(o); s.P != nil && (*Header)(s.P).Own != 0 {
			old := *s
			*s = Value{}
			ci.th.cur = ci
			drop(ci.th, old)
		}
	}
}

// compareScript enters the comparison method of a script class in a frame.
func compareScript(ci *Frame, pc unsafe.Pointer, op CompareOp, a, b Value, cont uint8) (*Frame, unsafe.Pointer, bool) {
	if a.Kind() != value.KindInstance {
		return nil, nil, false
	}
	ca, cb := ClassOf(a), ClassOf(b)
	if ca != cb && cb.IsSub(ca) {
		return nil, nil, false
	}
	m, _ := ci.th.find(ca, nameCompare[op])
	if m.Kind() != value.KindFunc {
		return nil, nil, false
	}
	return callMethodFrame(ci, pc, (*Func)(m.P), a, b, 2, (*Instr)(pc).A, cont)
}

func opCompare(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	op := CompareOp(in.K)
	a, b := *ci.slot(in.B), *ci.slot(in.C)
	if t, ok := compareFast(op, a, b); ok {
		th.put(ci.slot(in.A), Bool(t))
		return ci, unsafe.Add(pc, isz)
	}
	if f, p, ok := compareScript(ci, pc, op, a, b, contCompare); ok {
		return f, p
	}
	ci.pc, th.cur = pc, ci
	th.setSite(ci, pc)
	r, err := Compare(th, op, a, b)
	if err != nil {
		return throw(ci, pc, err)
	}
	ci.dies(in.B)
	if in.C != in.B {
		ci.dies(in.C)
	}
	th.put(ci.slot(in.A), r)
	return ci, unsafe.Add(pc, isz)
}

func opContains(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	x, c := *ci.slot(in.B), *ci.slot(in.C)
	ci.pc, th.cur = pc, ci
	if k := c.Kind(); k == value.KindSet || k == value.KindFrozenSet {
		t, err := (*Set)(c.P).Has(th, x)
		if err == nil {
			th.put(ci.slot(in.A), Bool(t == (in.K == 0)))
			return ci, unsafe.Add(pc, isz)
		}
	}
	if t, ok := containsFast(c, x); ok {
		th.put(ci.slot(in.A), Bool(t == (in.K == 0)))
		return ci, unsafe.Add(pc, isz)
	}
	if c.Kind() == value.KindInstance {
		if m, _ := th.find(ClassOf(c), nameContains); m.Kind() == value.KindFunc {
			if f, p, ok := callMethodFrame(ci, pc, (*Func)(m.P), c, x, 2, in.A, contContain); ok {
				return f, p
			}
		}
	}
	t, err := Contains(th, c, x)
	if err != nil {
		return throw(ci, pc, err)
	}
	ci.dies(in.B)
	ci.dies(in.C)
	th.put(ci.slot(in.A), Bool(t == (in.K == 0)))
	return ci, unsafe.Add(pc, isz)
}

// containsFast is x in c for a str in a str, or a str key in a dict.
func containsFast(c, x Value) (found, ok bool) {
	switch c.Kind() {
	case value.KindStr:
		if x.Kind() == value.KindStr {
			if t := (*Str)(x.P).s; len(t) == 1 {
				return strings.IndexByte((*Str)(c.P).s, t[0]) >= 0, true
			}
			return containsText((*Str)(c.P).s, (*Str)(x.P).s), true
		}
	case value.KindDict:
		i, ok := (*Dict)(c.P).findQuick(x)
		return i >= 0, ok
	}
	return false, false
}

func opUnary(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	th := ci.th
	ci.pc, th.cur = pc, ci
	a := *ci.slot(in.B)
	if counted(a) {
		th.setSite(ci, pc)
	}
	v, err := UnaryOperation(th, UnaryOp(in.K), a)
	if err != nil {
		return throw(ci, pc, err)
	}
	if v.P == a.P && v.P != nil {
		th.keep(v)
	}
	ci.dies(in.B)
	th.put(ci.slot(in.A), v)
	return ci, unsafe.Add(pc, isz)
}

// slowTruth is JumpF and JumpT on anything but bools and ints.
//
//go:noinline
func slowTruth(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	v := *ci.slot(in.B)
	th := ci.th
	if v.Kind() == value.KindInstance {
		if m, _ := th.find(ClassOf(v), nameBool); m.Kind() == value.KindFunc {
			if f, p, ok := callMethodFrame(ci, pc, (*Func)(m.P), v, Value{}, 1, 0, contTruth); ok {
				return f, p
			}
		}
	}
	ci.pc, th.cur = pc, ci
	t, err := Truth(th, v)
	if err != nil {
		return throw(ci, pc, err)
	}
	if in.K == 0 {
		ci.dies(in.B)
	}
	return testJump(ci, pc, t)
}
