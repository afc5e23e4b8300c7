package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Linked is an interpreter's own copy of a code object: instructions that are
// rewritten in place, constants as values, links to global cells, inline caches.
// It is filled at the first call.
type Linked struct {
	code    *code.Code
	globals *Dict
	ins     []Instr
	entry   unsafe.Pointer // first instruction to run
	consts  []Value
	gs      []*Cell
	ics     []attrIC
	names   []*Str
	codes   []*Linked
	nslots  int
	nparams int    // positional arguments of a plain call; -1: every call takes the slow way
	nlocals uint16 // offset of the first temporary: an operand there dies
	params  []*Str // names of the parameters that keywords can name, and of those before
	live    *code.Live
	staged  *Linked  // the staged variant, once asked for
	kws     [][]*Str // keyword names by constant
	ref     *CodeObject
}

// attrIC is an inline cache of an attribute site.
type attrIC struct {
	shape *Shape
	idx   int
	next  *Shape // of a store that adds the attribute
	fn    *Func  // of a method
	cls   *Class // of a native method; of super(): the class it began after
	from  *Class // of super(): the class whose MRO it walked
	pass  bool   // of super(): a call follows
	nat   *NativeFunc
	epoch uint32
	name  *Str
}

// newLinked prepares code for an interpreter; link fills it.
func newLinked(c *code.Code, globals *Dict) *Linked {
	globals.useCells()
	return &Linked{code: c, globals: globals, nparams: -1, nslots: c.NSlots, nlocals: uint16(min(c.NLocals*16, 0xFFF0))}
}

// link fills the copy.
func (l *Linked) link() {
	if l.ins != nil {
		return
	}
	c := l.code
	c.Load()
	l.names = make([]*Str, len(c.Names))
	for i, n := range c.Names {
		l.names[i] = Intern(n)
	}
	l.params = make([]*Str, min(c.ArgCount+c.KwOnly, len(c.LocalNames))) // more parameters than that are refused by the call
	for i := range l.params {
		l.params[i] = Intern(c.LocalNames[i])
	}
	l.consts = make([]Value, len(c.Consts))
	for i := range c.Consts {
		l.consts[i] = constValue(&c.Consts[i])
	}
	l.codes = make([]*Linked, len(c.Codes))
	l.ins = make([]Instr, 0, len(c.Ins)+len(c.Unbound)+1)
	l.ins = append(l.ins, c.Ins...)
	lk := linker{l: l, globals: map[uint64]uint64{}}
	for i := range l.ins {
		if l.ins[i].Op == code.AugAttrI { // its cache index has 16 bits: first in the table
			l.ins[i].C = uint16(lk.ic(uint64(l.ins[i].C)))
		}
	}
	for i := range l.ins {
		lk.instr(&l.ins[i])
	}
	l.pairs()
	l.prologue()
	if c.Flags&(code.FlagVarArgs|code.FlagVarKw|code.FlagGenerator|code.FlagCoroutine|code.FlagNamespace) == 0 && c.KwOnly == 0 && c.NWide == 0 && c.NSlots < marginSlots-64 {
		l.nparams = c.ArgCount
	}
}

// prologue lets the code begin by unbinding the locals that may be read unbound.
func (l *Linked) prologue() {
	c := l.code
	if len(c.Unbound) == 0 {
		l.entry = unsafe.Pointer(unsafe.SliceData(l.ins))
		return
	}
	at := len(l.ins)
	for _, s := range c.Unbound {
		l.ins = append(l.ins, Instr{Op: code.Unset, A: s})
	}
	l.ins = append(l.ins, Instr{Op: code.Jump, K: uint64(int64(-len(l.ins)))})
	l.entry = unsafe.Pointer(&l.ins[at])
}

type linker struct {
	l       *Linked
	globals map[uint64]uint64
}

func (k *linker) ic(name uint64) uint64 {
	k.l.ics = append(k.l.ics, attrIC{name: k.l.names[name]})
	return uint64(len(k.l.ics) - 1)
}

// global is the index of the link to a global name.
func (k *linker) global(name uint64) uint64 {
	g, ok := k.globals[name]
	if !ok {
		g = uint64(len(k.l.gs))
		k.globals[name] = g
		k.l.gs = append(k.l.gs, k.l.globals.cell(k.l.names[name]))
	}
	return g
}

// instr turns indices into what the run loop wants.
func (k *linker) instr(in *Instr) {
	switch in.Op {
	case code.LoadK:
		in.K *= uint64(vsz)
	case code.GetGlobal, code.SetGlobal, code.DelGlobal, code.CallGlobal, code.SCallGlobal:
		in.K = k.global(in.K) * 8
	case code.GetAttr, code.SetAttr, code.CallMethod, code.SCallMethod, code.CallSuper:
		in.K = k.ic(in.K)
	case code.CallMethodKw, code.SCallMethodKw:
		in.K = k.ic(in.K&0xFFFFFFFF) | in.K>>32<<32
	case code.BinOp:
		switch code.BinaryOp(in.K) {
		case code.OpAnd:
			in.Op = opAnd
		case code.OpOr:
			in.Op = opOr
		case code.OpXor:
			in.Op = opXor
		}
	case code.GetFree, code.SetFree:
		in.B *= 8
	}
	if k.l.code.Flags&code.FlagStaged != 0 {
		in.Op = readForm(in.Op)
	}
}

// constValue makes the value of a constant.
func constValue(c *code.Const) Value {
	switch c.Kind {
	case code.ConstNone:
		return None
	case code.ConstBool:
		return Bool(c.I != 0)
	case code.ConstInt:
		return Int(c.I)
	case code.ConstBig:
		return BigInt(c.Big)
	case code.ConstFloat:
		return Float(c.F)
	case code.ConstComplex:
		return NewComplex(complex(c.F, c.G))
	case code.ConstStr:
		return constStr(c.S)
	case code.ConstBytes:
		return NewBytes(c.S)
	case code.ConstTuple:
		t := newTuple(len(c.T))
		for i := range c.T {
			t.items[i] = constValue(&c.T[i]).Held()
		}
		return t.Value()
	case code.ConstFrozenSet:
		s := NewFrozenSet()
		th := &Thread{Interp: &Interp{recursion: 1000}} // constants compare without script code
		for i := range c.T {
			v := constValue(&c.T[i])
			h, _ := Hash(th, v)
			_, _ = s.AddHashed(th, v, h)
		}
		return s.Value()
	}
	return Ellipsis
}

// constStr interns constants that look like names, as CPython does.
func constStr(s string) Value {
	if len(s) > 40 {
		return NewStr(s)
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return NewStr(s)
		}
	}
	return Intern(s).Value()
}

// sub is the linked code of Codes[i].
func (l *Linked) sub(i int) *Linked {
	if l.codes[i] == nil {
		l.codes[i] = newLinked(l.code.Codes[i], l.globals)
	}
	return l.codes[i]
}

// newFunc makes a function object of linked code.
func newFunc(l *Linked) *Func {
	f := &Func{Header: head(FuncClass, value.KindFunc), code: l, Name: Intern(l.code.Name), Qualname: Intern(l.code.Qualname), Doc: None, Module: None, Annot: Unbound}
	if d := l.code.Doc; d != nil {
		f.Doc = NewStr(*d)
	}
	if m, ok := l.globals.getStr(nameName); ok {
		f.Module = m
	}
	return f
}

func cellOf(v Value) *Cell {
	if v.P != nil && (*Header)(v.P).Kind == value.KindCell {
		return (*Cell)(v.P)
	}
	return nil
}

// liveLocal reports that named slot i holds what the source says at the
// instruction in progress: dead slots keep stale values.
func (ci *Frame) liveLocal(i int) bool {
	v := *(*Value)(unsafe.Add(ci.base, uintptr(i)*vsz))
	if v.P != nil {
		return true
	}
	if i < ci.code.code.ArgCount+ci.code.code.KwOnly {
		return true
	}
	for _, o := range ci.code.code.Unbound {
		if int(o) == i*int(vsz) {
			return true
		}
	}
	return ci.written(i)
}

// written reports that some instruction before the one in progress stores slot i:
// good enough to tell a fresh slot (which reads as the int 0) from a bound one.
func (ci *Frame) written(i int) bool {
	end := ci.PC()
	for pc := 0; pc < end && pc < len(ci.code.code.Ins); pc++ {
		found := false
		ci.code.code.Ins[pc].EachSlot(ci.code.code, func(off uint16, r code.Role) {
			if int(off) == i*int(vsz) && (r == code.Write || r == code.ReadWrite) {
				found = true
			}
		})
		if found {
			return true
		}
	}
	return false
}

// ConstValue is the script value of a constant.
func ConstValue(c *code.Const) Value { return constValue(c) }
