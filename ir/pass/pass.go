package pass

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// Folder computes a node whose operands are constants.
type Folder interface {
	// Fold returns the results, or false if the node can't run now.
	Fold(n *ir.Node) ([]*tensor.Tensor, bool)
}

// pass changes a graph in place.
type pass struct {
	name string
	run  func(g *ir.Graph, f Folder)
}

// passes in order. Folding comes first: it makes nodes equal that were computed
// in different ways. Common nodes come before dead ones, whose number they raise.
var passes = []pass{
	{"fold", func(g *ir.Graph, f Folder) { foldConstants(g, f) }},
	{"common", func(g *ir.Graph, _ Folder) { joinCommon(g) }},
	{"dead", func(g *ir.Graph, _ Folder) { removeDead(g) }},
}

// check is called after each pass in tests.
var check = func(name string, g *ir.Graph) {}

// Optimize returns a cheaper graph that computes what g does, with the same
// parameters and results. f may be nil.
func Optimize(g *ir.Graph, f Folder) *ir.Graph {
	c, _ := g.Clone(g.Title)
	for _, p := range passes {
		p.run(c, f)
		check(p.name, c)
	}
	return c
}

// pure reports a node that may be computed earlier, once, or not at all.
func pure(n *ir.Node) bool {
	return n.Op.Effect == ir.Pure && len(n.Graphs()) == 0
}
