package pass

import "github.com/tfs-lang/tfs/ir"

// maxFolded is the largest constant that folding makes, in bytes: larger ones are
// cheaper to compute than to keep.
const maxFolded = 16 << 10

// foldConstants computes nodes whose operands are constants.
func foldConstants(g *ir.Graph, f Folder) {
	if f == nil {
		return
	}
	for _, n := range g.Nodes {
		if !foldable(n) {
			continue
		}
		vals, ok := f.Fold(n)
		if !ok || len(vals) != 1 || vals[0].NumBytes() > maxFolded {
			continue
		}
		n.Op, n.Attrs, n.In = ir.ConstOp(), &ir.ConstAttrs{Value: vals[0]}, nil
		n.Out[0].Shp = vals[0].Shape()
		n.Out[0].SetExact(vals[0])
	}
}

func foldable(n *ir.Node) bool {
	if !pure(n) || len(n.Out) != 1 || len(n.In) == 0 || !n.Out[0].Shp.Known() {
		return false
	}
	if dt := n.Out[0].DT; n.Out[0].Shp.NumElements()*dt.Size() > maxFolded || dt.Size() == 0 {
		return false
	}
	for _, x := range n.In {
		if x.Node == nil || x.Node.Op != ir.ConstOp() {
			return false
		}
	}
	return true
}
