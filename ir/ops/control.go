package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// The ops of control flow have no kernels: package exec runs their graphs in its
// own loop. Their gradients are in controlgrad.go.

// If runs one of two graphs.
var If = ir.NewOp("If", "cond, input")

// Case runs one of several graphs, the last for an index out of range.
var Case = ir.NewOp("Case", "branch_index, input")

// While repeats a graph as long as another says so.
var While = ir.NewOp("While", "input")

// Call runs a graph.
var Call = ir.NewOp("PartitionedCall", "args")

// effectsOf joins the effects of the nodes of graphs, bodies included.
func EffectsOf(graphs ...*ir.Graph) ir.Effect {
	var e ir.Effect
	work := graphs
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

// inferBranches merges the results of graphs: differing dimensions are unknown.
func inferBranches(c *ir.Call, graphs []*ir.Graph) *ir.Mistake {
	if len(graphs[0].Results) == 0 {
		return c.NoOut()
	}
	for i, r := range graphs[0].Results {
		s := r.Shp
		for _, g := range graphs[1:] {
			s = tensor.Relax(s, g.Results[i].Shp)
		}
		c.SetOut(r.DT, s)
	}
	return nil
}

func init() {
	If.Define(ir.Rules{
		Attrs: &ir.IfAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			a := c.Attrs.(*ir.IfAttrs)
			return inferBranches(c, []*ir.Graph{a.Then, a.Else})
		},
		Uses: ir.AllIn, Forward: forwardIf, Grad: ifGrad,
	})
}

func init() {
	Case.Define(ir.Rules{
		Attrs: &ir.CaseAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return inferBranches(c, c.Attrs.(*ir.CaseAttrs).Branches) },
		Uses:  ir.AllIn, Forward: forwardCase, Grad: caseGrad,
	})
}

func init() {
	While.Define(ir.Rules{
		Attrs: &ir.WhileAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			a := c.Attrs.(*ir.WhileAttrs)
			if a.Carried == 0 {
				return c.NoOut()
			}
			for i := range a.Carried {
				r := a.Body.Results[i]
				c.SetOut(r.DT, tensor.Relax(r.Shp, a.Body.Params[i].Shp))
			}
			return nil
		},
		Uses: ir.AllIn, Forward: forwardWhile, Grad: whileGrad,
	})
}

func init() {
	Call.Define(ir.Rules{
		Attrs: &ir.CallAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			g := c.Attrs.(*ir.CallAttrs).Body
			if len(g.Results) == 0 {
				return c.NoOut()
			}
			for _, r := range g.Results {
				c.SetOut(r.DT, r.Shp)
			}
			return nil
		},
		Uses: ir.AllIn | ir.AllOut, Forward: forwardCall, Grad: callGrad,
	})
}
