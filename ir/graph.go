package ir

import (
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// SymType is the script type of symbolic tensors; the bindings set it once.
var SymType *value.Type

// Sym is a symbolic value of a Graph: a parameter or the result of a node.
type Sym struct {
	value.Header
	DT    tensor.DType
	Shp   tensor.Shape
	Graph *Graph
	Node  *Node // nil for a parameter
	Index int   // among the node's results, or the graph's parameters
	ID    uint64
	Tape  uint64 // the tapes' name for it, as Tensor.Node
	// Handle is the type of the variable behind a resource, or of the elements of
	// a list of tensors.
	Handle Type
	// Exact is the value if it is a constant; Known the elements of an int value of
	// rank 0 or 1 as far as they are known, -1 where not.
	Exact *tensor.Tensor
	Known []int64
	name  string // of a parameter
	label        // of a capture
	at    int    // of a capture: the number of nodes before it
	// Foreign is for the emitter that made it.
	Foreign any
}

// DType is the element type.
func (s *Sym) DType() tensor.DType { return s.DT }

// Shape is what is known of the shape.
func (s *Sym) Shape() tensor.Shape { return s.Shp }

// Value is the script value that points to s.
func (s *Sym) Value() value.Value { return value.Of(&s.Header) }

// Node is one op in a graph.
type Node struct {
	Op    *Op
	Attrs any
	In    []*Sym
	Out   []*Sym
	Pos   uint32 // script position
	Graph *Graph
	// After are earlier nodes that must run first though no value says so.
	After []*Node
	name  string
	label
}

// Graph is a traced function or the body of a control-flow op.
type Graph struct {
	// Title names the graph in texts: the function's name.
	Title string
	// Params are the inputs; the last len(Captures) of them stand for values of
	// the world outside, in that order.
	Params   []*Sym
	Captures []Value
	Nodes    []*Node
	Results  []*Sym
	// Outer is the graph that this is a body in, nil for a function.
	Outer *Graph
	// Deriv and Plan are caches of packages ops and exec: the gradient of the graph,
	// and its program.
	Deriv, Plan any

	nextID   uint64
	names    map[string]int
	named    int    // nodes that have their names
	nameless []*Sym // captures that have none yet
}

// NewGraph returns an empty graph.
func NewGraph(title string, outer *Graph) *Graph {
	return &Graph{Title: title, Outer: outer}
}

// NumArgs is the number of parameters that are not captures.
func (g *Graph) NumArgs() int { return len(g.Params) - len(g.Captures) }

func (g *Graph) sym(t Type) *Sym {
	g.nextID++
	return &Sym{Header: value.Header{Type: SymType, Kind: value.KindSym}, DT: t.DT, Shp: t.Shp, Graph: g, ID: g.nextID}
}

// AddParam appends a parameter. Its name is made unique.
func (g *Graph) AddParam(name string, t Type) *Sym {
	s := g.sym(t)
	g.nameAll()
	s.Index, s.name = len(g.Params), g.unique(name)
	g.Params = append(g.Params, s)
	return s
}

// AddCapture appends a parameter that stands for the outer value v. Without a name
// it gets one after the operand that it becomes first.
func (g *Graph) AddCapture(v Value, name string) *Sym {
	s := g.sym(TypeOf(v))
	s.Index, s.want, s.at = len(g.Params), name, len(g.Nodes)
	g.Params = append(g.Params, s)
	g.nameless = append(g.nameless, s)
	s.Handle = HandleOf(v)
	switch o := v.(type) {
	case *Sym:
		s.Known, s.Exact = o.Known, o.Exact
	case *Var:
		s.Handle.Shp = o.Res.Declared
	}
	g.Captures = append(g.Captures, v)
	return s
}

// AddNode appends a node with results of the given types. name is what the
// script asked for, "" for the op's own.
func (g *Graph) AddNode(op *Op, attrs any, name string, in []*Sym, types ...Type) *Node {
	n := &Node{Op: op, Attrs: attrs, In: in, Graph: g, label: label{want: name}}
	g.addOut(n, types)
	g.Nodes = append(g.Nodes, n)
	return n
}

func (g *Graph) addOut(n *Node, types []Type) []*Sym {
	for _, t := range types {
		s := g.sym(t)
		s.Node, s.Index = n, len(n.Out)
		n.Out = append(n.Out, s)
	}
	return n.Out[len(n.Out)-len(types):]
}

// AddOutputs appends results to a node that is there already: residuals that
// its gradient needs. It is the only change of a node after its emission.
func (g *Graph) AddOutputs(n *Node, types ...Type) []*Sym { return g.addOut(n, types) }

// AddBefore inserts a node before n: initial values that a gradient's loop needs.
func (g *Graph) AddBefore(n *Node, op *Op, attrs any, in []*Sym, t Type) *Sym {
	g.nameAll()
	m := &Node{Op: op, Attrs: attrs, In: in, Graph: g, Pos: n.Pos}
	m.name = g.unique(op.Name)
	out := g.addOut(m, []Type{t})[0]
	if h, ok := attrs.(HandleTyper); ok {
		out.Handle = h.HandleType(nil)
	}
	if k, ok := attrs.(*ConstAttrs); ok {
		out.SetExact(k.Value)
	}
	for i, x := range g.Nodes {
		if x == n {
			g.Nodes = append(g.Nodes, nil)
			copy(g.Nodes[i+1:], g.Nodes[i:])
			g.Nodes[i] = m
			break
		}
	}
	g.named = len(g.Nodes)
	return out
}

// InsertParam puts a new parameter at position at; captures must come later.
func (g *Graph) InsertParam(at int, name string, t Type) *Sym {
	s := g.AddParam(name, t)
	copy(g.Params[at+1:], g.Params[at:len(g.Params)-1])
	g.Params[at] = s
	for i, p := range g.Params {
		p.Index = i
	}
	return s
}

// Graphs are the graphs among a node's attributes.
func (n *Node) Graphs() []*Graph {
	switch a := n.Attrs.(type) {
	case *IfAttrs:
		return []*Graph{a.Then, a.Else}
	case *CaseAttrs:
		return a.Branches
	case *WhileAttrs:
		return []*Graph{a.Cond, a.Body}
	case *CallAttrs:
		return []*Graph{a.Body}
	}
	return nil
}

// IfAttrs are those of the op If: operand 0 is the condition, the others are the
// parameters of both branches. The last Hidden results are residuals that only the
// gradient reads.
type IfAttrs struct {
	Then, Else *Graph
	Hidden     int
	Deriv      Derivative
}

// CaseAttrs are those of the op Case: operand 0 selects the branch.
type CaseAttrs struct {
	Branches []*Graph
	Hidden   int
	Deriv    Derivative
}

// WhileAttrs are those of the op While: the operands are the Carried loop
// variables and then values that don't change; Cond and Body take them all, Cond
// gives a bool, Body the new loop variables. The results are the loop variables.
type WhileAttrs struct {
	Cond, Body *Graph
	Carried    int
	Hidden     int
	Deriv      Derivative
}

// CallAttrs are those of the op Call: the operands are the parameters of Body.
type CallAttrs struct {
	Body   *Graph
	Hidden int
	Deriv  Derivative
}

// Derivative is what package ops found out about the gradient of a control-flow
// op; it is set in the attributes of a forward variant.
type Derivative interface {
	DerivativeOf() string
	// KeepsIn and KeepsOut say which operands and results the gradient reads.
	KeepsIn(i int) bool
	KeepsOut(i int) bool
}

// Hider is an attribute struct whose op has hidden results.
type Hider interface {
	HiddenResults() int
	Derived() Derivative // nil: not a forward variant
}

// Replacer is an attribute struct of an op that passes operands on under another
// gradient than theirs.
type Replacer interface {
	// Replaces is the number of operands that are passed on, the first ones.
	Replaces() int
	// Plain are the attributes with which gradients flow through.
	Plain() any
}

// HiddenResults is the number of residual results.
func (a *IfAttrs) HiddenResults() int { return a.Hidden }

// Derived is the gradient that the residuals are for.
func (a *IfAttrs) Derived() Derivative { return a.Deriv }

// HiddenResults is the number of residual results.
func (a *CaseAttrs) HiddenResults() int { return a.Hidden }

// Derived is the gradient that the residuals are for.
func (a *CaseAttrs) Derived() Derivative { return a.Deriv }

// HiddenResults is the number of residual results.
func (a *WhileAttrs) HiddenResults() int { return a.Hidden }

// Derived is the gradient that the residuals are for.
func (a *WhileAttrs) Derived() Derivative { return a.Deriv }

// HiddenResults is the number of residual results.
func (a *CallAttrs) HiddenResults() int { return a.Hidden }

// Derived is the gradient that the residuals are for.
func (a *CallAttrs) Derived() Derivative { return a.Deriv }

// Clone copies g: params, nodes and results, with the same attributes (bodies are
// shared) and names. of maps the symbols of g to the copy's.
func (g *Graph) Clone(title string) (c *Graph, of map[*Sym]*Sym) {
	g.nameAll()
	c = NewGraph(title, g.Outer)
	c.Captures = append([]Value(nil), g.Captures...)
	of = make(map[*Sym]*Sym, len(g.Nodes)+len(g.Params))
	dup := func(s *Sym) *Sym {
		d := *s
		d.Graph, d.Tape = c, 0
		of[s] = &d
		return &d
	}
	for _, p := range g.Params {
		c.Params = append(c.Params, dup(p))
	}
	nodes := make(map[*Node]*Node, len(g.Nodes))
	for _, n := range g.Nodes {
		d := *n
		d.Graph, d.In, d.Out, d.After = c, make([]*Sym, len(n.In)), nil, nil
		for i, x := range n.In {
			d.In[i] = of[x]
		}
		for _, o := range n.Out {
			s := dup(o)
			s.Node = &d
			d.Out = append(d.Out, s)
		}
		for _, a := range n.After {
			d.After = append(d.After, nodes[a])
		}
		nodes[n] = &d
		c.Nodes = append(c.Nodes, &d)
	}
	for _, r := range g.Results {
		c.Results = append(c.Results, of[r])
	}
	c.nextID, c.named = g.nextID, len(c.Nodes)
	c.names = make(map[string]int, len(g.names))
	for k, v := range g.names {
		c.names[k] = v
	}
	return c, of
}
