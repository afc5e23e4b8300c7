package compile

import (
	"github.com/tfs-lang/tfs/lang/ast"
	"github.com/tfs-lang/tfs/lang/code"
)

// maxSlots is how many slots 16-bit offsets reach safely; a function that needs more
// keeps its locals from wideFrom on in the wide area.
const (
	maxSlots = 4000
	wideFrom = 3000
)

// globalSymbol stands for every name that no scope noted.
var globalSymbol = symbol{place: inGlobal}

// lookup returns the symbol that name means here, and the name as it is stored.
func (g *gen) lookup(name string) (*symbol, string) {
	name = g.sc.mangle(name)
	if sym := g.staged.find(name); sym != nil {
		return sym, name
	}
	sym := g.sc.find(name)
	if sym == nil {
		return &globalSymbol, name
	}
	for sym.ref != nil {
		sym = sym.ref
	}
	return sym, name
}

func (g *gen) isWide(sym *symbol) bool {
	return g.wide && sym.index >= wideFrom && sym.flags&symWideable != 0
}

// localSlot returns the slot of a name that lives in one, checked to be bound.
func (g *gen) localSlot(n *ast.Name) (slot, bool) {
	sym, name := g.lookup(n.Id)
	if sym.place != inSlot || g.isWide(sym) || sym.flags&symWalrus != 0 {
		return 0, false
	}
	g.check(sym, name, n)
	return slot(sym.index), true
}

// check emits a Check unless the local is bound for sure.
func (g *gen) check(sym *symbol, name string, n ast.Node) {
	if g.bound.has(sym.index) || g.dead {
		return
	}
	if n != nil {
		g.at(n)
	}
	g.emit(code.Check, slot(sym.index), 0, 0, g.name(name))
	g.bound.set(sym.index)
	g.doubtful.set(sym.index)
}

// load puts the value of a name into dst.
func (g *gen) load(id string, dst slot, n ast.Node) {
	sym, name := g.lookup(id)
	if n != nil {
		g.at(n)
	}
	switch sym.place {
	case inSlot:
		if g.isWide(sym) {
			g.emit(code.MoveWide, dst, 0, 0, uint64(sym.index-wideFrom))
			g.emit(code.Check, dst, 0, 0, g.name(name))
			return
		}
		g.check(sym, name, n)
		if slot(sym.index) != dst {
			g.emit(code.Move, dst, slot(sym.index), 0, 0)
		}
	case inCell:
		g.emit(code.GetCell, dst, slot(sym.index), 0, g.name(name))
	case inFree:
		g.emit(code.GetFree, dst, uint16(sym.index), 0, g.name(name))
	case inClassFree:
		g.emit(code.GetClassFree, dst, uint16(sym.index), 0, g.name(name))
	case inName:
		g.emit(code.GetName, dst, 0, 0, g.name(name))
	default:
		if name == "__debug__" {
			g.emit(code.LoadBool, dst, 0, 0, 1)
			return
		}
		g.emit(code.GetGlobal, dst, 0, 0, g.name(name))
	}
}

// store binds a name to the value in src.
func (g *gen) store(id string, src slot) {
	sym, name := g.lookup(id)
	switch sym.place {
	case inSlot:
		if g.isWide(sym) {
			g.emit(code.MoveWide, src, 1, 0, uint64(sym.index-wideFrom))
			return
		}
		if slot(sym.index) != src {
			g.emit(code.Move, slot(sym.index), src, 0, 0)
		}
		g.bound.set(sym.index)
	case inCell:
		g.emit(code.SetCell, src, slot(sym.index), 0, 0)
	case inFree, inClassFree:
		g.emit(code.SetFree, src, uint16(sym.index), 0, 0)
	case inName:
		g.emit(code.SetName, src, 0, 0, g.name(name))
	default:
		g.emit(code.SetGlobal, src, 0, 0, g.name(name))
	}
}

// unbind is del of a name.
func (g *gen) unbind(id string) {
	sym, name := g.lookup(id)
	switch sym.place {
	case inSlot:
		if g.isWide(sym) {
			t := g.temp()
			g.emit(code.MoveWide, t, 0, 0, uint64(sym.index-wideFrom))
			g.emit(code.Check, t, 0, 0, g.name(name))
			g.emit(code.Unset, t, 0, 0, 0)
			g.emit(code.MoveWide, t, 1, 0, uint64(sym.index-wideFrom))
			return
		}
		g.check(sym, name, nil)
		g.emit(code.Unset, slot(sym.index), 0, 0, 0)
		g.bound.clear(sym.index)
	case inCell:
		g.emit(code.DelCell, 0, slot(sym.index), 0, g.name(name))
	case inFree, inClassFree:
		g.emit(code.DelFree, 0, uint16(sym.index), 0, g.name(name))
	case inName:
		g.emit(code.DelName, 0, 0, 0, g.name(name))
	default:
		g.emit(code.DelGlobal, 0, 0, 0, g.name(name))
	}
}

// dropName ends the life of the name of an except clause, bound or not.
func (g *gen) dropName(id string) {
	if sym, _ := g.lookup(id); sym.place == inSlot && !g.isWide(sym) {
		g.emit(code.Unset, slot(sym.index), 0, 0, 0)
		g.bound.clear(sym.index)
		return
	}
	save := g.sp
	t := g.temp()
	g.emit(code.LoadNone, t, 0, 0, 0)
	g.store(id, t)
	g.unbind(id)
	g.sp = save
}

// directSlot returns the slot of a name that a value can be computed into.
func (g *gen) directSlot(e ast.Expr) (slot, bool) {
	n, ok := e.(*ast.Name)
	if !ok {
		return 0, false
	}
	sym, _ := g.lookup(n.Id)
	if sym.place != inSlot || g.isWide(sym) {
		return 0, false
	}
	return slot(sym.index), true
}
