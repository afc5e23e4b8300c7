package code

// Op is an operation of the VM.
type Op = uint16

// Instr is one 16-byte instruction.
type Instr struct {
	Op, A, B, C uint16
	K           uint64
}

// The instruction set. "x ← …" writes slot x; idx(K) names an index; jumps say
// which field holds the distance. Suffixes: S slot operand, I int constant in K,
// F float constant in K. The three forms of one operation are consecutive, and
// so are the groups of fused compare-and-branch.
const (
	Nop      Op = iota
	Move        // A ← B
	LoadI       // A ← int K
	LoadF       // A ← float bits K
	LoadK       // A ← constant K
	LoadNone    // A ← None
	LoadBool    // A ← K != 0
	Unset       // A ← unbound (del of a local; NameError if K==1 and A is unbound already)
	Check       // UnboundLocalError for local named Names[K] if A is unbound
	MoveWide    // B==0: A ← wide slot K; B==1: wide slot K ← A

	// Bindings. Globals are cells linked by name; a miss looks at builtins.
	GetGlobal    // A ← global Names[K]
	SetGlobal    // global Names[K] ← A
	DelGlobal    // delete global Names[K]
	GetName      // A ← Names[K] in the namespace of a class body or exec, then global
	SetName      // namespace: Names[K] ← A
	DelName      // namespace: delete Names[K]
	NewCell      // A ← new cell holding what A held (parameters at entry, fresh ones in loops of comprehensions: B==1 starts unbound)
	GetCell      // A ← content of the cell in slot B; NameError for Names[K] when unbound
	SetCell      // cell in slot B ← A
	DelCell      // cell in slot B ← unbound; error as GetCell
	GetFree      // A ← content of free cell B (plain index); NameError for Names[K] when unbound
	SetFree      // free cell B ← A
	DelFree      // free cell B ← unbound
	LoadFreeCell // A ← the cell object itself of free index B (to build closures)
	GetClassFree // A ← namespace Names[K], else free cell B (class bodies reading a free name)

	// Arithmetic. Order of groups: Add Sub Mul Div FloorDiv Mod, forms SS SI SF:
	// A ← B op C | B op int K | B op float K. An augmented assignment is marked
	// (SS: K==1, SI and SF: C==1): its slow path tries the in-place form first.
	AddSS
	AddSI
	AddSF
	SubSS
	SubSI
	SubSF
	MulSS
	MulSI
	MulSF
	DivSS
	DivSI
	DivSF
	FloorDivSS
	FloorDivSI
	FloorDivSF
	ModSS
	ModSI
	ModSF
	BinOp    // A ← B op C; K = BinaryOp (any operator, the slow general form)
	InPlace  // A ← B op= C; K = BinaryOp (augmented assignment with an operator outside the groups above; tries the in-place form first)
	UnaryOp  // A ← op B; K = UnaryOperator
	ModMagic // A ← B mod K (K > 1); next word (Data): K magic, A shift; a generic ModSI follows both
	Data     // operand of the instruction before
	MulAddR  // A ← slot(K) + B*C
	MulSubR  // A ← slot(K) - B*C
	MulAddL  // A ← B*C + slot(K)

	// Comparison as a value: A ← B cmp C; K = CompareOp.
	Compare
	// IsOp: A ← B is C (K==0) or is not (K==1); Contains: A ← B in C (K==0) or not in (K==1).
	IsOp
	Contains

	// Jumps. Jump: K = distance (int64). JumpF/JumpT: distance A (int16), test slot B.
	// A temporary that JumpF or JumpT tests dies, unless K==1: then it is an operand
	// of `and` or `or` and stays as the result.
	Jump
	JumpBack // as Jump, backwards: counts the budget down
	JumpF
	JumpT
	JumpNone    // distance A if slot B is None
	JumpNotNone // distance A if slot B is not None
	JumpUnbound // distance A if slot B is unbound

	// Fused compare-and-branch: groups LT LE GT GE EQ NE, in each: forward "jump
	// if NOT (B cmp C/K)" SS SI SF, then backward "jump if (B cmp C/K)" SS SI SF
	// (the back-edge of a while; counts the budget down). Distance A (int16).
	JLTSS
	JLTSI
	JLTSF
	JLTBackSS
	JLTBackSI
	JLTBackSF
	JLESS
	JLESI
	JLESF
	JLEBackSS
	JLEBackSI
	JLEBackSF
	JGTSS
	JGTSI
	JGTSF
	JGTBackSS
	JGTBackSI
	JGTBackSF
	JGESS
	JGESI
	JGESF
	JGEBackSS
	JGEBackSI
	JGEBackSF
	JEQSS
	JEQSI
	JEQSF
	JEQBackSS
	JEQBackSI
	JEQBackSF
	JNESS
	JNESI
	JNESF
	JNEBackSS
	JNEBackSI
	JNEBackSF

	// Iteration. ForPrep: A iterable → iterator state in A, A+1; jumps B (int16,
	// to ForLoop) — K as distance when B==0. ForLoop: next item of A into B,
	// jumps back C (int16; K when C==0) while there is one. Counts the budget.
	ForPrep
	ForLoop
	GetIter // A ← iter(B)
	NextOr  // A ← next item of the iterator in B; on exhaustion jumps C (int16)

	// Calls. K==0 or a call-site cache; the compiler leaves K to hold only what is said.
	Call         // A callee, A+1.. arguments; B number of arguments (plain number); C ← result
	CallGlobal   // A first argument slot; B number; C ← result; K = Names index of the callee
	CallMethod   // A receiver, A+1.. arguments; B number without receiver; C ← result; K = Names index of the method
	CallKw       // as Call, the last arguments are keywords: K = constant index of the tuple of names
	CallMethodKw // as CallMethod with keywords: K = Names index | constant index << 32
	CallEx       // A callee, A+1 positional: list, tuple, or any iterable (a lone `*x`: the VM checks it and names the callee in the error); A+2 dict of keywords or None; C ← result
	CallSuper    // C ← super().Names[K]: A slot of self, B slot offset of the cell/free value __class__ loaded before (fused attribute load, no super object)

	// Attributes, items.
	GetAttr    // A ← B.Names[K]
	SetAttr    // B.Names[K] ← A
	DelAttr    // del B.Names[K]
	AugAttrI   // B.Names[C] += int K (C plain index of Names; only `+=`/`-=` of a constant)
	GetItem    // A ← B[C]
	GetItemI   // A ← B[int K]
	SetItem    // B[C] ← A
	DelItem    // del B[C]
	AugItemI   // B[C] += int K
	GetSlice   // A ← B[C : C+1 : C+2] (three consecutive slots; None where absent)
	BuildSlice // A ← slice(B, B+1, B+2)

	// Displays.
	BuildList   // A ← list of C (plain number) slots from B
	BuildTuple  // A ← tuple
	BuildSet    // A ← set
	BuildDict   // A ← dict of C pairs from B: key, value, key, value …
	BuildString // A ← concatenation of C strings from B
	ListAppend  // list in A appends B
	SetAdd      // set in A adds B
	DictSet     // dict in A: key B, value C
	ListExtend  // list in A extends by iterable B
	SetUpdate   // set in A updates by iterable B
	DictUpdate  // dict in A updates by mapping B (display `{**b}`)
	DictMerge   // as DictUpdate for call keywords: a duplicate is TypeError; C slot of the callee for the message
	ListToTuple // A ← tuple(list in B)
	FormatValue // A ← format(B, spec in C); K: conversion ('s' 'r' 'a' or 0) | 1<<8 when a spec is given
	UnpackSeq   // iterable A into C (plain number) slots from B
	UnpackEx    // iterable A into slots from B: K = before | after<<32; the starred list stands between

	// Functions, classes, modules.
	MakeFunc   // A ← function of Codes[K]; B: first of consecutive slots: defaults tuple, kwdefaults dict, annotations, those whose bit is set in C (1, 2, 4), in this order. The closure is taken from the running frame as Codes[K].Free says (bit 8, a closure tuple, is never emitted)
	BuildClass // A ← class: B slots: body function, name, then C (plain number) bases; K = 0 or constant index+1 of keyword names whose values follow the bases (metaclass among them). C==0xFFFF: starred form, B+2 list or tuple of bases, B+3 dict of keywords or None. A class body returns its cell __class__ (also stored as __classcell__ in the namespace) or None
	ImportName // A ← module Names[K]; B slot of fromlist (tuple or None); C level (plain number)
	ImportFrom // A ← attribute Names[K] of module B (ImportError if absent)
	ImportStar // all public names of module A into the namespace

	// Leaving.
	Return    // result A
	Yield     // suspend with value A; on resumption A ← what was sent
	YieldFrom // delegate to iterator B; A ← its result; the instruction repeats until it ends
	Raise     // B==0: re-raise current; B==1: raise A; B==2: raise A from C
	Reraise   // raise the exception in slot A again, with its traceback
	Assert    // raise AssertionError(A) — B==1 without argument

	// Exceptions. A handler finds the exception in its Exc slot.
	PushExc   // exception in slot A becomes the one being handled; slot B keeps the one before. K==1: except clauses follow, which the end of a run (cancelled, out of steps) passes by
	PopExc    // the one in slot B is being handled again
	MatchExc  // A ← exception in B matches class or tuple in C (TypeError if not classes); for except*, K: MatchPart, MatchLeft
	WithEnter // A context manager: A ← its bound __exit__, C ← __enter__() (checks both exist first)
	WithExit  // C ← A(None, None, None) when B==0xFFFF, else A(type, value, tb) of the exception in slot B

	// match statement.
	MatchSeq   // A ← B is a sequence pattern subject
	MatchMap   // A ← B is a mapping
	MatchKeys  // A ← tuple of values of mapping B for keys tuple C, or None
	MatchClass // A ← tuple of attributes of B for class C, or None; K = number of positional | constant index of keyword names << 32
	GetLen     // A ← len(B)
	MatchRest  // A ← dict of mapping B without the keys tuple C

	// Statements at module level and the prompt.
	PrintExpr // display hook: print repr(A) unless None, bind _
	SetupAnnotations
	SetAnnotation // __annotations__[Names[K]] ← A

	// Staging: only in staged code. K = region index unless said.
	SIfBegin // test in B: plain → branch to Then or Else; symbolic → open the region
	SBool    // and/or: operand value in B
	SWhileIn
	SForIn   // iterable in B; plain: B ← its iterator, falls to the loop's head
	SForNext // region K: next item into C, or jumps to the region's Join
	STest    // loop test in B
	SEnd     // end of a part
	SFlag    // break/return flag in B at the head of a `for`
	SNot     // A ← not B
	SCall    // as Call, callee in staged code
	SCallGlobal
	SCallMethod
	SCallKw
	SCallMethodKw
	SCallEx

	Unsupported // raises "not supported yet": K constant index of the text

	// NumOps is one past the last instruction the compiler emits. The VM numbers
	// its quickened forms from here.
	NumOps
)

// BinaryOp numbers the operators of BinOp and InPlace.
type BinaryOp uint8

// The binary operators, the arithmetic groups first and in their order.
const (
	OpAdd BinaryOp = iota
	OpSub
	OpMul
	OpDiv
	OpFloorDiv
	OpMod
	OpPow
	OpMatMul
	OpLShift
	OpRShift
	OpAnd
	OpOr
	OpXor
	OpDivmod // divmod(), never emitted by the compiler
	NumBinaryOps
)

// CompareOp numbers the rich comparisons, in the order of the fused jumps.
type CompareOp uint8

// The comparisons.
const (
	CmpLT CompareOp = iota
	CmpLE
	CmpGT
	CmpGE
	CmpEQ
	CmpNE
)

// UnaryOperator numbers the unary operators.
type UnaryOperator uint8

// The unary operators.
const (
	OpNeg UnaryOperator = iota
	OpPos
	OpInvert
	OpNot
	OpAbs // abs(), never emitted
)
