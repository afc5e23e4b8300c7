package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
)

// Gradients differentiates the sum of ys, symbols of g, by xs, by the nodes that g
// has now (tf.gradients). dys are upstream gradients, nil for ones.
func Gradients(s *ir.Session, g *ir.Graph, ys, dys []ir.Value, xs []*ir.Sym) []ir.Value {
	src := newGraphSource(g)
	for _, x := range xs {
		src.reached[x] = true
	}
	src.follow()
	var targets []autodiff.Target
	for i, y := range ys {
		t := autodiff.Target{ID: y.(*ir.Sym).ID, Val: y}
		if i < len(dys) {
			t.Grad = dys[i]
		}
		targets = append(targets, t)
	}
	ids := make([]uint64, len(xs))
	for i, x := range xs {
		ids[i] = x.ID
	}
	return autodiff.Backprop(s, src, targets, ids)
}

// follow marks what depends on the values that are reached.
func (src *graphSource) follow() {
	for _, n := range src.g.Nodes {
		if n.Op.CutsGradient() {
			continue
		}
		hit := false
		for _, x := range n.In {
			hit = hit || src.reached[x]
		}
		for _, o := range n.Out {
			if hit && (carries(o) || n.Op.GradOfInts()) {
				src.reached[o] = true
				src.byID[o.ID] = n
			}
		}
	}
}
