package pass

import (
	"slices"

	"github.com/tfs-lang/tfs/ir"
)

// removeDead removes nodes that neither the results nor an effect needs.
func removeDead(g *ir.Graph) {
	live := Live(g)
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n *ir.Node) bool { return !live[n] })
	for _, n := range g.Nodes {
		n.After = slices.DeleteFunc(n.After, func(a *ir.Node) bool { return !live[a] })
	}
}

// Live is the set of nodes that must run: those with effects, and those whose
// results they or the graph need. Random draws and reads may be left out.
func Live(g *ir.Graph) map[*ir.Node]bool {
	live := map[*ir.Node]bool{}
	var work []*ir.Node
	mark := func(n *ir.Node) {
		if n != nil && !live[n] {
			live[n] = true
			work = append(work, n)
		}
	}
	for _, n := range g.Nodes {
		if n.Op.Effect.Stateful() || effects(n.Graphs()).Stateful() {
			mark(n)
		}
	}
	for _, r := range g.Results {
		mark(r.Node)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, x := range n.In {
			mark(x.Node)
		}
		for _, a := range n.After {
			mark(a)
		}
	}
	return live
}

// effects joins the effects of all nodes of graphs, bodies included.
func effects(graphs []*ir.Graph) (e ir.Effect) {
	work := slices.Clone(graphs)
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range g.Nodes {
			e |= n.Op.Effect
			work = append(work, n.Graphs()...)
		}
	}
	return e
}
