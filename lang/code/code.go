package code

import "math/big"

// Flags of a code object.
const (
	FlagGenerator = 1 << iota
	FlagVarArgs   // has *args
	FlagVarKw     // has **kwargs
	FlagStaged    // the staged variant
	FlagNamespace // names live in a namespace dict: class body, exec with locals
	FlagModule
	FlagNested
	FlagCoroutine // async def: calling it is an error for now
	FlagOptimized // locals in slots: a function
	FlagLambda
)

// Code is an immutable code object. Code read by Lazy lacks its body (names, constants,
// instructions, tables) until Load.
type Code struct {
	Name, Qualname, File string
	Flags                uint32
	ArgCount             int // positional parameters, positional-only included
	PosOnly, KwOnly      int
	NLocals, NSlots      int      // named slots; all slots
	NWide                int      // slots of the wide area
	LocalNames           []string // name of slot i < NLocals; "" for one without (loop state …)
	CellSlots            []uint16 // offsets of parameters boxed into cells on entry (by NewCell instructions at the start)
	Unbound              []uint16 // offsets of locals that must be unbound at entry: all others are written before they are read
	Cells                []string // names of own cell variables, slot found by LocalNames
	Free                 []FreeVar
	Ins                  []Instr
	Pos                  []Pos // position of each instruction
	Consts               []Const
	Names                []string
	Codes                []*Code
	Handlers             []Handler // innermost first
	Inlined              []Inlined // comprehensions compiled into this frame, inner ones first
	Inner                []Inner   // of fused instructions that do two things: where the first can fail; by At
	Regions              []Region  // staged code only
	Doc                  *string
	FirstLine            int32
	Span                 Span   // of the definition in File, for inspect.getsource
	Staged               *Code  // staged variant, nil until made or when the function can't be converted
	NoStaged             string // why there can be no staged variant, "" if there can

	later *later // of code made by Lazy
}

// FreeVar says where a closure takes a cell from when the function is made.
type FreeVar struct {
	Name     string
	FromCell bool // a cell in the maker's slot Index (plain slot number), else the maker's free cell Index
	Index    int
}

// Span is a piece of source: lines from 1, columns from 0 in bytes.
type Span struct{ Line, Col, EndLine, EndCol int32 }

// Pos is the position of one instruction: what a traceback marks.
type Pos = Span

// Handler covers instructions [From, To): an exception there goes to Target with
// the exception in slot offset Exc.
type Handler struct {
	From, To, Target int32
	Exc              uint16
}

// Inlined is a comprehension compiled into the frame: tracebacks show it as one
// more frame, called from Span.
type Inlined struct {
	From, To int32
	Name     string // "<listcomp>" …
	Span     Span
}

// Inner is the position of the first half of the fused instruction At: the
// multiplication of MulAdd, the method look-up of CallMethod, the name of CallGlobal,
// the read of AugAttrI and AugItemI.
type Inner struct {
	At int32
	Pos
}

// ConstKind says which field of a Const counts.
type ConstKind uint8

// The kinds of constants.
const (
	ConstNone ConstKind = iota
	ConstBool
	ConstInt
	ConstBig
	ConstFloat
	ConstComplex // F is the real, G the imaginary part
	ConstStr
	ConstBytes
	ConstTuple
	ConstFrozenSet
	ConstEllipsis
)

// Const is a constant as plain data.
type Const struct {
	Kind ConstKind
	I    int64
	F, G float64
	S    string
	Big  *big.Int
	T    []Const
}

// RegionKind says what a staged region came from.
type RegionKind uint8

// The kinds of regions.
const (
	RegionIf RegionKind = iota
	RegionIfExp
	RegionAnd
	RegionOr
	RegionWhile
	RegionFor
)

// Region is a piece of staged code that becomes If or While when its test is symbolic.
type Region struct {
	Kind                    RegionKind
	Begin, Then, Else, Join int32 // instruction numbers; loops: Else = head where the test starts, Then = body
	Vars                    []Var // bound inside and live after (results, the first NOut), then those live before only
	NOut                    int
	Mod                     []Var  // all bound inside: saved at entry, restored between parts
	Value, Iter             uint16 // slot offsets: expression result or loop element; iterable
	Flags                   []Var  // break/return flags of a loop
	Text                    string // source of the test, for messages
}

// VarKind says where a staged variable lives.
type VarKind uint8

// The places of variables.
const (
	VarSlot VarKind = iota
	VarCell
	VarFree
	VarGlobal
	VarName
	VarComposite
)

// Var is a variable of a region; a composite is a path from a root (`a.b`, `d['k']`, `l[0]`).
type Var struct {
	Name string
	Kind VarKind
	Slot uint16 // offset, or free index
	Root *Var
	Path []Step
	// Iter marks the target of the `for` that the region is.
	Iter bool
}

// Step is one step of a composite: an attribute, a constant key, or a name whose value is the key.
type Step struct {
	Attr string
	Key  *Const
	Var  *Var
}
