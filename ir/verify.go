package ir

import (
	"fmt"

	"github.com/tfs-lang/tfs/tensor"
)

// Verify checks that g is well formed, bodies included: operands come earlier in
// the same graph, results are the node's, types agree with Infer, and the bodies
// of control-flow ops fit their operands. It uses a worklist, no recursion.
func Verify(g *Graph) error {
	work := []*Graph{g}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		if err := verifyOne(g); err != nil {
			return fmt.Errorf("graph %s: %w", g.Title, err)
		}
		for _, n := range g.Nodes {
			work = append(work, n.Graphs()...)
		}
	}
	return nil
}

func verifyOne(g *Graph) error {
	seen := map[*Sym]bool{}
	for i, p := range g.Params {
		if p.Graph != g || p.Node != nil || p.Index != i {
			return fmt.Errorf("parameter %d is not the graph's", i)
		}
		seen[p] = true
	}
	if len(g.Captures) > len(g.Params) {
		return fmt.Errorf("%d captures for %d parameters", len(g.Captures), len(g.Params))
	}
	for _, n := range g.Nodes {
		if err := verifyNode(g, n, seen); err != nil {
			return fmt.Errorf("node %s: %w", n.Name(), err)
		}
	}
	for i, r := range g.Results {
		if !seen[r] {
			return fmt.Errorf("result %d does not exist", i)
		}
	}
	return nil
}

func verifyNode(g *Graph, n *Node, seen map[*Sym]bool) error {
	if n.Op == nil || n.Graph != g {
		return fmt.Errorf("no op, or of another graph")
	}
	for i, x := range n.In {
		if !seen[x] {
			return fmt.Errorf("operand %d is not defined before", i)
		}
	}
	for i, o := range n.Out {
		if o.Node != n || o.Index != i || o.Graph != g || seen[o] {
			return fmt.Errorf("result %d is not the node's", i)
		}
		seen[o] = true
	}
	if err := verifyBodies(n); err != nil {
		return err
	}
	return verifyTypes(n)
}

// verifyTypes infers again and compares: what is noted may say less, never else.
func verifyTypes(n *Node) (err error) {
	// A graph that was read from text may give an op operands that it doesn't have.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("operands or attributes don't fit the op %s: %v", n.Op.Name, r)
		}
	}()
	c := &Call{Op: n.Op, Attrs: n.Attrs, In: make([]Value, len(n.In))}
	for i, x := range n.In {
		c.In[i] = x
	}
	if m := c.Check(); m != nil {
		return m.Traced("")
	}
	if c.NumOut() > len(n.Out) {
		return fmt.Errorf("%d results, %d expected", len(n.Out), c.NumOut())
	}
	for i := range c.NumOut() {
		t, o := c.OutType(i), n.Out[i]
		if t.DT != o.DT || !tensor.Compatible(t.Shp, o.Shp) {
			return fmt.Errorf("result %d is %s, its op gives %s", i, TypeOf(o), t)
		}
	}
	return nil
}

func verifyBodies(n *Node) error {
	var ins []*Sym
	switch a := n.Attrs.(type) {
	case *IfAttrs, *CaseAttrs:
		if len(n.In) == 0 || len(n.Graphs()) == 0 {
			return fmt.Errorf("no condition or no branches")
		}
		ins = n.In[1:]
		for _, b := range n.Graphs() {
			if len(b.Results) != len(n.Out) {
				return fmt.Errorf("body %s has %d results, the node %d", b.Title, len(b.Results), len(n.Out))
			}
		}
	case *WhileAttrs:
		ins = n.In
		if a.Carried < 0 {
			return fmt.Errorf("loop carries %d", a.Carried)
		}
		if len(a.Body.Results) != a.Carried || len(n.Out) != a.Carried || a.Carried > len(ins) {
			return fmt.Errorf("loop carries %d of %d, body gives %d, node %d", a.Carried, len(ins), len(a.Body.Results), len(n.Out))
		}
		if len(a.Cond.Results) != 1 || a.Cond.Results[0].DT != tensor.Bool {
			return fmt.Errorf("loop condition is not one bool")
		}
	case *CallAttrs:
		ins = n.In
	}
	for _, b := range n.Graphs() {
		if len(b.Params) != len(ins) {
			return fmt.Errorf("body %s takes %d values, the node has %d", b.Title, len(b.Params), len(ins))
		}
		for i, p := range b.Params {
			if p.DT != ins[i].DT || !tensor.Compatible(p.Shp, ins[i].Shp) {
				return fmt.Errorf("body %s takes %s as value %d, the node has %s", b.Title, TypeOf(p), i, TypeOf(ins[i]))
			}
		}
	}
	return nil
}
