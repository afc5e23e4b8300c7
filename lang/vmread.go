package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// Reader is a Stager that hears what staged code reads: what comes from outside is
// frozen in the trace. Values are borrowed.
type Reader interface {
	ReadCell(f *Frame, name string, c *Cell)
	ReadAttr(f *Frame, o Value, name *Str)
	ReadItem(f *Frame, o, key Value)
}

// readOps are the loads of staged code.
func readOps(t *[opLast]slow) {
	t[opReadGlobal] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		c := ci.global(in.K)
		if c.v.IsUnbound() {
			return opGetGlobal(ci, pc)
		}
		return ci.readCell(pc, ci.rawName(in).s, c)
	}
	t[opReadFree] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		i := (*Instr)(pc).B / 8
		c := ci.fn.free[i]
		if c.v.IsUnbound() {
			return miscTable[code.GetFree](ci, pc)
		}
		return ci.readCell(pc, ci.code.names[(*Instr)(pc).K].s, c)
	}
	t[opReadAttr] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		if r := ci.reader(pc); r != nil {
			r.ReadAttr(ci, *ci.slot(in.B), ci.code.ics[in.K].name)
		}
		return as(code.GetAttr, opGetAttr, ci, pc)
	}
	t[opReadItem] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		if r := ci.reader(pc); r != nil {
			r.ReadItem(ci, *ci.slot(in.B), *ci.slot(in.C))
		}
		return as(code.GetItem, opGetItem, ci, pc)
	}
	t[opReadItemI] = func(ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
		in := (*Instr)(pc)
		if r := ci.reader(pc); r != nil {
			r.ReadItem(ci, *ci.slot(in.B), Int(int64(in.K)))
		}
		return as(code.GetItemI, opGetItem, ci, pc)
	}
}

// as runs the instruction as what it was before it became a read.
func as(op code.Op, f slow, ci *Frame, pc unsafe.Pointer) (*Frame, unsafe.Pointer) {
	in := (*Instr)(pc)
	own := in.Op
	in.Op = op
	nc, np := f(ci, pc)
	in.Op = own
	return nc, np
}

func (ci *Frame) reader(pc unsafe.Pointer) Reader {
	ci.pc, ci.th.cur = pc, ci
	r, _ := ci.th.Stager.(Reader)
	return r
}

func (ci *Frame) readCell(pc unsafe.Pointer, name string, c *Cell) (*Frame, unsafe.Pointer) {
	if r := ci.reader(pc); r != nil {
		r.ReadCell(ci, name, c)
	}
	ci.th.keep(c.v)
	ci.th.put(ci.slot((*Instr)(pc).A), c.v)
	return ci, unsafe.Add(pc, isz)
}

// readForm is the form of a load in staged code.
func readForm(op code.Op) code.Op {
	switch op {
	case code.GetGlobal:
		return opReadGlobal
	case code.GetFree:
		return opReadFree
	case code.GetAttr:
		return opReadAttr
	case code.GetItem:
		return opReadItem
	case code.GetItemI:
		return opReadItemI
	}
	return op
}

// Peek is the content of c, borrowed.
func (c *Cell) Peek() Value { return c.v }

// Watch makes stores into the object tell Interp.Stored.
func Watch(h *Header) { h.Flags |= value.FlagWatched }

// PeekAttr is what o, an instance or a class, has under a name without asking
// properties or dunders; borrowed, Unbound for nothing.
func (th *Thread) PeekAttr(o Value, name *Str) Value {
	switch o.Kind() {
	case value.KindInstance:
		in := (*Instance)(o.P)
		if i := in.shape.find(name); i >= 0 {
			return in.slots[i]
		}
		v, _ := th.find(in.Class(), name)
		return v
	case value.KindClass:
		v, _ := th.find((*Class)(o.P), name)
		return v
	}
	return Unbound
}

// ModuleCell is the cell of a name of a module in script, nil for another module.
func ModuleCell(o Value, name *Str) *Cell {
	if o.Kind() != value.KindModule {
		return nil
	}
	m := (*Module)(o.P)
	if m.def != nil || m.dict.ns == nil || m.dict.findStr(name) < 0 {
		return nil
	}
	return m.dict.cell(name)
}
