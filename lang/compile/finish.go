package compile

import (
	"slices"

	"github.com/tfs-lang/tfs/lang/code"
)

// finish makes the code object: slot numbers become offsets, labels instruction numbers.
func (g *gen) finish(flags uint32) *code.Code {
	c := &code.Code{
		Name: g.frame.name, Qualname: g.qualname, File: g.u.file, Flags: flags,
		NLocals: g.maxLocal, NSlots: g.maxLocal + g.maxTemp, NWide: g.nWide,
		Ins: slices.Clone(g.ins), Pos: slices.Clone(g.pos), Names: slices.Clone(g.names.list), Consts: slices.Clone(g.consts.list),
		Codes: g.codes, Inlined: slices.Clone(g.inlined), Inner: slices.Clone(g.inner), Regions: g.regions, Doc: g.doc,
		FirstLine: 1,
	}
	if g.u.opts.Namespace && g.frame.kind == moduleScope {
		c.Flags |= code.FlagNamespace
	}
	for i := range c.Ins {
		c.Ins[i].MapSlots(g.offset)
	}
	g.placeRegions(c.Regions)
	g.nameLocals(c)
	for _, h := range g.handlers {
		c.Handlers = append(c.Handlers, code.Handler{From: h.from, To: h.to, Target: h.target.pos, Exc: g.offset(h.exc)})
	}
	return c
}

// offset is the slot offset of a slot number.
func (g *gen) offset(s slot) uint16 {
	if isTemp(s) {
		return (s - tempBit + slot(g.maxLocal)) * 16
	}
	return s * 16
}

// nameLocals names the slots and says which hold cells, and which must be unbound at entry.
func (g *gen) nameLocals(c *code.Code) {
	c.LocalNames = make([]string, g.maxLocal)
	for slot, i := range g.frame.locals {
		sym := &g.frame.syms[i]
		if slot < len(c.LocalNames) {
			c.LocalNames[slot] = sym.visible()
		}
		if sym.place != inCell {
			continue
		}
		c.Cells = append(c.Cells, sym.visible())
		if sym.flags&symParam != 0 {
			c.CellSlots = append(c.CellSlots, uint16(16*slot))
		}
	}
	slices.Sort(c.Cells)
	everything := g.staged != nil || g.readsLocals()
	for i := range c.LocalNames {
		named := everything && i < g.namedEnd()
		if g.doubtful.has(i) || named && !g.isParam(i) {
			c.Unbound = append(c.Unbound, uint16(16*i))
		}
	}
}

func (g *gen) isParam(i int) bool {
	return i < len(g.frame.locals) && g.frame.syms[g.frame.locals[i]].flags&(symParam|symCell) != 0
}

// readsLocals reports that the function may ask for all its locals by name.
func (g *gen) readsLocals() bool {
	for _, name := range [...]string{"locals", "vars", "dir", "eval", "exec", "breakpoint"} {
		if g.frame.find(name) != nil {
			return true
		}
	}
	return false
}
