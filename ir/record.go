package ir

import "github.com/tfs-lang/tfs/tensor"

// Record is one application of an op as Backprop sees it: a tape keeps records,
// a graph makes one from a node.
type Record struct {
	Op     *Op
	Attrs  any
	Site   uint32
	Serial uint64 // later records have higher numbers
	In     []Slot
	Out    []Slot
	Node   *Node // of a record that stands for a graph node
}

// Slot is an operand or result of a Record.
type Slot struct {
	ID   uint64 // 0: not watched
	Type Type
	Val  Value // kept only if the op's Uses say so
}

// Grad is what a gradient rule sees: the record, the cotangents of its results,
// and the session to emit with. The rule sets DX[i] to the gradient of operand
// i, or leaves nil for none.
type Grad struct {
	*Session
	*Record
	DY []Value // nil: zero
	DX []Value // also *Slices
}

// Dy is the cotangent of the first result.
func (g *Grad) Dy() Value { return g.DY[0] }

// X is operand i, Y result i: only what Uses declares.
func (g *Grad) X(i int) Value { return g.kept(&g.In[i], "operand", i) }

// Y is result i.
func (g *Grad) Y(i int) Value { return g.kept(&g.Out[i], "result", i) }

func (g *Grad) kept(s *Slot, what string, i int) Value {
	if s.Val == nil {
		panic("tfs bug: the gradient of " + g.Op.Name + " reads a " + what + " that its Uses don't declare")
	}
	return s.Val
}

// Wants reports that operand i leads to a source.
func (g *Grad) Wants(i int) bool { return g.In[i].ID != 0 }

// Fail makes m the session's error.
func (g *Grad) Fail(m *Mistake) { g.SetErr(m.Eager(nil)) }

// AddOutputs appends results to the record's node: residuals.
func (g *Grad) AddOutputs(types ...Type) []*Sym {
	outs := g.Node.Graph.AddOutputs(g.Node, types...)
	if g.OutputsAdded != nil {
		g.OutputsAdded(g.Node, outs)
	}
	return outs
}

// Slices is a gradient of which only some rows are there: row Indices[i] of a
// tensor of shape Dense gets Values[i]; repeated rows add up.
type Slices struct {
	Values, Indices Value
	Dense           Value // shape of the whole as an int vector
	Static          tensor.Shape
}

// DType is that of the values.
func (s *Slices) DType() tensor.DType { return s.Values.DType() }

// Shape is the shape of the whole.
func (s *Slices) Shape() tensor.Shape { return s.Static }
