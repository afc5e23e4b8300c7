package tracer

import (
	"github.com/tfs-lang/tfs/ir"
)

// align gives the parts of one control-flow node the same captures in the same
// order: all of them take every outer value that one of them reads. It returns
// those values.
func align(parts ...*FuncGraph) []ir.Value {
	var union []ir.Value
	seen := map[ir.Value]bool{}
	for _, p := range parts {
		for _, c := range p.G.Captures {
			if !seen[c] {
				seen[c] = true
				union = append(union, c)
			}
		}
	}
	for _, p := range parts {
		p.reorder(union)
	}
	return union
}

// reorder puts the capture parameters of g into the order of union, and adds those
// that g doesn't read.
func (g *FuncGraph) reorder(union []ir.Value) {
	n := g.G.NumArgs()
	own := append([]*ir.Sym(nil), g.G.Params[:n]...)
	for _, v := range union {
		own = append(own, g.Capture(v))
	}
	g.G.Params, g.G.Captures = own, union
	for i, p := range own {
		p.Index = i
	}
}
