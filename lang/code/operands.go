package code

import "math/bits"

// Role says how an instruction uses operand A, B or C.
type Role uint8

// The roles of operands. Slots are offsets (slot × 16); the others are plain numbers.
const (
	Unused    Role = iota
	Read           // slot; a temporary dies here
	Keep           // slot that is read and stays
	Write          // slot
	ReadWrite      // slot that is read, then written
	Distance       // jump distance, int16
	Number         // plain number
	FreeCell       // index of a free cell
)

// KRole says what K holds.
type KRole uint8

// The meanings of K.
const (
	KNone KRole = iota
	KName
	KConst
	KCode
	KRegion
	KInt
	KFloat
	KFlag
	KBinary
	KCompare
	KUnary
	KJump      // jump distance, int64; of ForPrep and ForLoop only when the 16-bit one is 0
	KSlot      // slot offset that is read
	KNameConst // name index | constant index << 32
	KNumConst  // number | constant index << 32
	KConstOpt  // 0 or constant index + 1
	KWide      // slot of the wide area
	KBits      // uninterpreted
)

// Range says which consecutive slots an instruction uses beside its own operands,
// or which operands count only sometimes.
type Range uint8

// The ranges.
const (
	NoRange       Range = iota
	CallRange           // reads A … A+B
	ArgRange            // reads A … A+B-1
	ExRange             // reads A … A+2
	ListRange           // reads B … B+C-1
	PairRange           // reads B … B+2C-1
	SliceRangeC         // reads C … C+2
	SliceRangeB         // reads B … B+2
	UnpackRange         // writes B … B+C-1
	UnpackExRange       // writes B … B+before+after
	FuncRange           // reads one slot from B on for each bit of C
	ClassRange          // reads B … B+1+C and keyword values, or B … B+3
	ForRange            // A+1 is used as A
	WideRange           // B==0: writes A; B==1: reads A
	CellRange           // A is read if B==0
	SpecRange           // C is read if bit 8 of K is set
	RaiseRange          // A is read if B>=1, C if B==2
	AssertRange         // A is read if B==0
	ExitRange           // B is kept unless it is NoSlot
)

// NoSlot in operand B of WithExit means no exception, in C of BuildClass the starred form.
const NoSlot = 0xFFFF

// What MatchExc does for except*.
const (
	MatchPart = 1 // A ← (part, rest) of the exception or None in B by the test in C
	MatchLeft = 2 // A ← what to raise in the end: B was caught, list C holds what came of it; or None
)

// Flow says where control goes after an instruction.
type Flow uint8

// The flows.
const (
	Next     Flow = iota
	Branch        // next or jump
	Goto          // jump only
	Leave         // never the next instruction
	StageTo       // a part of region K
	DataWord      // not executed
)

// Info describes an operation: everything that passes over code need to know of it.
type Info struct {
	Name    string
	A, B, C Role
	K       KRole
	Range   Range
	Flow    Flow
}

const (
	r_ = Read
	h_ = Keep
	w_ = Write
	x_ = ReadWrite
	j_ = Distance
	n_ = Number
	f_ = FreeCell
	u_ = Unused
)

// Describe returns the description of op.
func Describe(op Op) *Info { return &table[op] }

// arith fills the three forms of one arithmetic operation.
func arith(t *[NumOps]Info, op Op, name string) {
	t[op] = Info{name + "SS", w_, r_, r_, KFlag, 0, 0}
	t[op+1] = Info{name + "SI", w_, r_, n_, KInt, 0, 0}
	t[op+2] = Info{name + "SF", w_, r_, n_, KFloat, 0, 0}
}

// fused fills the six forms of one fused comparison.
func fused(t *[NumOps]Info, op Op, name string) {
	for i, d := range [...]string{"", "Back"} {
		o := op + Op(3*i)
		t[o] = Info{name + d + "SS", j_, r_, r_, 0, 0, Branch}
		t[o+1] = Info{name + d + "SI", j_, r_, u_, KInt, 0, Branch}
		t[o+2] = Info{name + d + "SF", j_, r_, u_, KFloat, 0, Branch}
	}
}

var table = func() [NumOps]Info {
	t := plain
	for i, n := range [...]string{"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod"} {
		arith(&t, AddSS+Op(3*i), n)
	}
	for i, n := range [...]string{"JLT", "JLE", "JGT", "JGE", "JEQ", "JNE"} {
		fused(&t, JLTSS+Op(6*i), n)
	}
	return t
}()

var plain = [NumOps]Info{
	Nop:      {"Nop", u_, u_, u_, 0, 0, 0},
	Move:     {"Move", w_, r_, u_, 0, 0, 0},
	LoadI:    {"LoadI", w_, u_, u_, KInt, 0, 0},
	LoadF:    {"LoadF", w_, u_, u_, KFloat, 0, 0},
	LoadK:    {"LoadK", w_, u_, u_, KConst, 0, 0},
	LoadNone: {"LoadNone", w_, u_, u_, 0, 0, 0},
	LoadBool: {"LoadBool", w_, u_, u_, KFlag, 0, 0},
	Unset:    {"Unset", w_, u_, u_, KFlag, 0, 0},
	Check:    {"Check", h_, u_, u_, KName, 0, 0},
	MoveWide: {"MoveWide", u_, n_, u_, KWide, WideRange, 0},

	GetGlobal:    {"GetGlobal", w_, u_, u_, KName, 0, 0},
	SetGlobal:    {"SetGlobal", r_, u_, u_, KName, 0, 0},
	DelGlobal:    {"DelGlobal", u_, u_, u_, KName, 0, 0},
	GetName:      {"GetName", w_, u_, u_, KName, 0, 0},
	SetName:      {"SetName", r_, u_, u_, KName, 0, 0},
	DelName:      {"DelName", u_, u_, u_, KName, 0, 0},
	NewCell:      {"NewCell", w_, n_, u_, 0, CellRange, 0},
	GetCell:      {"GetCell", w_, h_, u_, KName, 0, 0},
	SetCell:      {"SetCell", r_, h_, u_, 0, 0, 0},
	DelCell:      {"DelCell", u_, h_, u_, KName, 0, 0},
	GetFree:      {"GetFree", w_, f_, u_, KName, 0, 0},
	SetFree:      {"SetFree", r_, f_, u_, 0, 0, 0},
	DelFree:      {"DelFree", u_, f_, u_, KName, 0, 0},
	LoadFreeCell: {"LoadFreeCell", w_, f_, u_, 0, 0, 0},
	GetClassFree: {"GetClassFree", w_, f_, u_, KName, 0, 0},

	BinOp:    {"BinOp", w_, r_, r_, KBinary, 0, 0},
	InPlace:  {"InPlace", w_, r_, r_, KBinary, 0, 0},
	UnaryOp:  {"UnaryOp", w_, r_, u_, KUnary, 0, 0},
	ModMagic: {"ModMagic", w_, r_, u_, KInt, 0, 0},
	Data:     {"Data", n_, u_, u_, KBits, 0, DataWord},
	MulAddR:  {"MulAddR", w_, r_, r_, KSlot, 0, 0},
	MulSubR:  {"MulSubR", w_, r_, r_, KSlot, 0, 0},
	MulAddL:  {"MulAddL", w_, r_, r_, KSlot, 0, 0},
	Compare:  {"Compare", w_, r_, r_, KCompare, 0, 0},
	IsOp:     {"IsOp", w_, r_, r_, KFlag, 0, 0},
	Contains: {"Contains", w_, r_, r_, KFlag, 0, 0},

	Jump:        {"Jump", u_, u_, u_, KJump, 0, Goto},
	JumpBack:    {"JumpBack", u_, u_, u_, KJump, 0, Goto},
	JumpF:       {"JumpF", j_, r_, u_, KFlag, 0, Branch},
	JumpT:       {"JumpT", j_, r_, u_, KFlag, 0, Branch},
	JumpNone:    {"JumpNone", j_, r_, u_, 0, 0, Branch},
	JumpNotNone: {"JumpNotNone", j_, r_, u_, 0, 0, Branch},
	JumpUnbound: {"JumpUnbound", j_, h_, u_, 0, 0, Branch},

	ForPrep: {"ForPrep", x_, j_, u_, KJump, ForRange, Goto},
	ForLoop: {"ForLoop", x_, w_, j_, KJump, ForRange, Branch},
	GetIter: {"GetIter", w_, r_, u_, 0, 0, 0},
	NextOr:  {"NextOr", w_, h_, j_, 0, 0, Branch},

	Call:         {"Call", u_, n_, w_, 0, CallRange, 0},
	CallGlobal:   {"CallGlobal", u_, n_, w_, KName, ArgRange, 0},
	CallMethod:   {"CallMethod", u_, n_, w_, KName, CallRange, 0},
	CallKw:       {"CallKw", u_, n_, w_, KConst, CallRange, 0},
	CallMethodKw: {"CallMethodKw", u_, n_, w_, KNameConst, CallRange, 0},
	CallEx:       {"CallEx", u_, u_, w_, 0, ExRange, 0},
	CallSuper:    {"CallSuper", h_, r_, w_, KName, 0, 0},

	GetAttr:    {"GetAttr", w_, r_, u_, KName, 0, 0},
	SetAttr:    {"SetAttr", r_, r_, u_, KName, 0, 0},
	DelAttr:    {"DelAttr", u_, r_, u_, KName, 0, 0},
	AugAttrI:   {"AugAttrI", u_, r_, n_, KInt, 0, 0},
	GetItem:    {"GetItem", w_, r_, r_, 0, 0, 0},
	GetItemI:   {"GetItemI", w_, r_, u_, KInt, 0, 0},
	SetItem:    {"SetItem", r_, r_, r_, 0, 0, 0},
	DelItem:    {"DelItem", u_, r_, r_, 0, 0, 0},
	AugItemI:   {"AugItemI", u_, r_, r_, KInt, 0, 0},
	GetSlice:   {"GetSlice", w_, r_, u_, 0, SliceRangeC, 0},
	BuildSlice: {"BuildSlice", w_, u_, u_, 0, SliceRangeB, 0},

	BuildList:   {"BuildList", w_, u_, n_, 0, ListRange, 0},
	BuildTuple:  {"BuildTuple", w_, u_, n_, 0, ListRange, 0},
	BuildSet:    {"BuildSet", w_, u_, n_, 0, ListRange, 0},
	BuildDict:   {"BuildDict", w_, u_, n_, 0, PairRange, 0},
	BuildString: {"BuildString", w_, u_, n_, 0, ListRange, 0},
	ListAppend:  {"ListAppend", h_, r_, u_, 0, 0, 0},
	SetAdd:      {"SetAdd", h_, r_, u_, 0, 0, 0},
	DictSet:     {"DictSet", h_, r_, r_, 0, 0, 0},
	ListExtend:  {"ListExtend", h_, r_, u_, 0, 0, 0},
	SetUpdate:   {"SetUpdate", h_, r_, u_, 0, 0, 0},
	DictUpdate:  {"DictUpdate", h_, r_, u_, 0, 0, 0},
	DictMerge:   {"DictMerge", h_, r_, h_, 0, 0, 0},
	ListToTuple: {"ListToTuple", w_, r_, u_, 0, 0, 0},
	FormatValue: {"FormatValue", w_, r_, u_, KBits, SpecRange, 0},
	UnpackSeq:   {"UnpackSeq", r_, u_, n_, 0, UnpackRange, 0},
	UnpackEx:    {"UnpackEx", r_, u_, u_, KBits, UnpackExRange, 0},

	MakeFunc:   {"MakeFunc", w_, u_, n_, KCode, FuncRange, 0},
	BuildClass: {"BuildClass", w_, u_, n_, KConstOpt, ClassRange, 0},
	ImportName: {"ImportName", w_, r_, n_, KName, 0, 0},
	ImportFrom: {"ImportFrom", w_, h_, u_, KName, 0, 0},
	ImportStar: {"ImportStar", r_, u_, u_, 0, 0, 0},

	Return:    {"Return", r_, u_, u_, 0, 0, Leave},
	Yield:     {"Yield", x_, u_, u_, 0, 0, 0},
	YieldFrom: {"YieldFrom", w_, h_, u_, 0, 0, 0},
	Raise:     {"Raise", u_, n_, u_, 0, RaiseRange, Leave},
	Reraise:   {"Reraise", r_, u_, u_, 0, 0, Leave},
	Assert:    {"Assert", u_, n_, u_, 0, AssertRange, Leave},

	PushExc:   {"PushExc", h_, w_, u_, KFlag, 0, 0},
	PopExc:    {"PopExc", u_, r_, u_, 0, 0, 0},
	MatchExc:  {"MatchExc", w_, h_, r_, KBits, 0, 0},
	WithEnter: {"WithEnter", x_, u_, w_, 0, 0, 0},
	WithExit:  {"WithExit", r_, u_, w_, 0, ExitRange, 0},

	MatchSeq:   {"MatchSeq", w_, h_, u_, 0, 0, 0},
	MatchMap:   {"MatchMap", w_, h_, u_, 0, 0, 0},
	MatchKeys:  {"MatchKeys", w_, h_, h_, 0, 0, 0},
	MatchClass: {"MatchClass", w_, h_, r_, KNumConst, 0, 0},
	GetLen:     {"GetLen", w_, h_, u_, 0, 0, 0},
	MatchRest:  {"MatchRest", w_, h_, h_, 0, 0, 0},

	PrintExpr:        {"PrintExpr", r_, u_, u_, 0, 0, 0},
	SetupAnnotations: {"SetupAnnotations", u_, u_, u_, 0, 0, 0},
	SetAnnotation:    {"SetAnnotation", r_, u_, u_, KName, 0, 0},

	SIfBegin:      {"SIfBegin", u_, r_, u_, KRegion, 0, StageTo},
	SBool:         {"SBool", u_, h_, u_, KRegion, 0, StageTo},
	SWhileIn:      {"SWhileIn", u_, u_, u_, KRegion, 0, StageTo},
	SForIn:        {"SForIn", u_, x_, u_, KRegion, 0, StageTo},
	SForNext:      {"SForNext", u_, h_, w_, KRegion, 0, StageTo},
	STest:         {"STest", u_, r_, u_, KRegion, 0, StageTo},
	SEnd:          {"SEnd", u_, u_, u_, KRegion, 0, StageTo},
	SFlag:         {"SFlag", u_, h_, u_, KRegion, 0, StageTo},
	SNot:          {"SNot", w_, r_, u_, 0, 0, 0},
	SCall:         {"SCall", u_, n_, w_, 0, CallRange, 0},
	SCallGlobal:   {"SCallGlobal", u_, n_, w_, KName, ArgRange, 0},
	SCallMethod:   {"SCallMethod", u_, n_, w_, KName, CallRange, 0},
	SCallKw:       {"SCallKw", u_, n_, w_, KConst, CallRange, 0},
	SCallMethodKw: {"SCallMethodKw", u_, n_, w_, KNameConst, CallRange, 0},
	SCallEx:       {"SCallEx", u_, u_, w_, 0, ExRange, 0},

	Unsupported: {"Unsupported", u_, u_, u_, KConst, 0, Leave},
}

// slots is a run of n slots from offset first on, with the role all of them have.
type slots struct {
	first uint16 // offset
	n     int
	role  Role
}

// uses returns the slots in uses beside the plain slot operands; at most two.
func (in *Instr) uses(c *Code) [2]slots {
	switch Describe(in.Op).Range {
	case CallRange:
		return [2]slots{{in.A, int(in.B) + 1, Read}}
	case ArgRange:
		return [2]slots{{in.A, int(in.B), Read}}
	case ExRange:
		return [2]slots{{in.A, 3, Read}}
	case ListRange:
		return [2]slots{{in.B, int(in.C), Read}}
	case PairRange:
		return [2]slots{{in.B, 2 * int(in.C), Read}}
	case SliceRangeC:
		return [2]slots{{in.C, 3, Read}}
	case SliceRangeB:
		return [2]slots{{in.B, 3, Read}}
	case UnpackRange:
		return [2]slots{{in.B, int(in.C), Write}}
	case UnpackExRange:
		return [2]slots{{in.B, int(min(uint64(uint32(in.K))+in.K>>32, NoSlot)) + 1, Write}}
	case FuncRange:
		return [2]slots{{in.B, bits.OnesCount16(in.C & 7), Read}}
	case ClassRange:
		return [2]slots{{in.B, in.classSlots(c), Read}}
	case ForRange:
		return [2]slots{{in.A + 16, 1, ReadWrite}}
	}
	return in.conditional()
}

// conditional is uses for operands that count only sometimes.
func (in *Instr) conditional() [2]slots {
	switch Describe(in.Op).Range {
	case WideRange:
		if in.B == 0 {
			return [2]slots{{in.A, 1, Write}}
		}
		return [2]slots{{in.A, 1, Read}}
	case CellRange:
		if in.B == 0 {
			return [2]slots{{in.A, 1, Read}}
		}
	case SpecRange:
		if in.K>>8&1 != 0 {
			return [2]slots{{in.C, 1, Read}}
		}
	case RaiseRange:
		switch in.B {
		case 1:
			return [2]slots{{in.A, 1, Read}}
		case 2:
			return [2]slots{{in.A, 1, Read}, {in.C, 1, Read}}
		}
	case AssertRange:
		if in.B == 0 {
			return [2]slots{{in.A, 1, Read}}
		}
	case ExitRange:
		if in.B != NoSlot {
			return [2]slots{{in.B, 1, Keep}}
		}
	}
	return [2]slots{}
}

func (in *Instr) classSlots(c *Code) int {
	if in.C == NoSlot {
		return 4
	}
	n := 2 + int(in.C)
	if in.K != 0 && int(in.K) <= len(c.Consts) {
		n += len(c.Consts[in.K-1].T)
	}
	return n
}

// EachSlot calls f for every slot that instruction in of c uses: its offset and
// role. A range comes as single slots.
func (in *Instr) EachSlot(c *Code, f func(off uint16, r Role)) {
	d := Describe(in.Op)
	if d.A >= Read && d.A <= ReadWrite {
		f(in.A, d.A)
	}
	if d.B >= Read && d.B <= ReadWrite {
		f(in.B, d.B)
	}
	if d.C >= Read && d.C <= ReadWrite {
		f(in.C, d.C)
	}
	if d.K == KSlot {
		f(uint16(in.K), Read)
	}
	for _, s := range in.uses(c) {
		for i := range s.n {
			f(s.first+uint16(16*i), s.role)
		}
	}
}

// MapSlots replaces every slot number that stands in an operand of in: the compiler
// writes plain numbers first and offsets when it knows how many locals there are.
func (in *Instr) MapSlots(f func(uint16) uint16) {
	d := Describe(in.Op)
	if slotOperand(d.A) || aIsBase(d.Range) {
		in.A = f(in.A)
	}
	if slotOperand(d.B) || bIsBase(d.Range) && in.B != NoSlot {
		in.B = f(in.B)
	}
	if slotOperand(d.C) || d.Range == SliceRangeC || d.Range == SpecRange && in.K>>8&1 != 0 || d.Range == RaiseRange && in.B == 2 {
		in.C = f(in.C)
	}
	if d.K == KSlot {
		in.K = uint64(f(uint16(in.K)))
	}
}

func slotOperand(r Role) bool { return r >= Read && r <= ReadWrite }

func aIsBase(r Range) bool {
	switch r {
	case CallRange, ArgRange, ExRange, WideRange, RaiseRange, AssertRange:
		return true
	}
	return false
}

func bIsBase(r Range) bool {
	switch r {
	case ListRange, PairRange, SliceRangeB, UnpackRange, UnpackExRange, FuncRange, ClassRange, ExitRange:
		return true
	}
	return false
}

// Target returns the instruction number that the jump at pc goes to.
func (in *Instr) Target(pc int) (to int, ok bool) {
	d := Describe(in.Op)
	var short uint16
	switch {
	case d.A == Distance:
		short = in.A
	case d.B == Distance:
		short = in.B
	case d.C == Distance:
		short = in.C
	case d.K == KJump:
		return pc + int(int64(in.K)), true
	default:
		return 0, false
	}
	if d.K == KJump && short == 0 {
		return pc + int(int64(in.K)), true
	}
	return pc + int(int16(short)), true
}
