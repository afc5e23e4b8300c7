package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// FuncGraph is the Emitter of a trace: ops append nodes, and values from outside
// become captures.
type FuncGraph struct {
	*ir.Builder
	st *bridge.State
	// Outer is the graph around this one: of the function that calls, or of the
	// control flow that this is a part of. nil at the top.
	Outer *FuncGraph
	// Fn is the trace this belongs to, the same for the parts of control flow.
	Fn *trace
	// part marks a branch or loop body: its symbols are inaccessible outside, by name.
	part bool
	// random counts the random ops without a seed of their own (rule G10).
	random int64
	// values keeps what captures stand for as script values.
	closed bool
	saved  ir.Emitter
	scope  string // current name scope, with a slash at its end
}

// newFuncGraph makes the graph of a function or of a part of control flow.
func newFuncGraph(st *bridge.State, title string, outer *FuncGraph, part bool) *FuncGraph {
	var og *ir.Graph
	if part && outer != nil {
		og = outer.G
	}
	g := &FuncGraph{Builder: ir.NewBuilder(ir.NewGraph(title, og)), st: st, Outer: outer, part: part}
	if outer != nil {
		g.Fn = outer.Fn
		g.scope = ""
	}
	g.Builder.Outside = g.outside
	g.Builder.Watch = func(c *ir.Call) { st.X.Tapes.Record(c, g) }
	return g
}

// Current is the graph being traced on this thread, nil in eager code.
func Current(st *bridge.State) *FuncGraph {
	g, _ := st.S.Emitter.(*FuncGraph)
	return g
}

// enter makes g the emitter; leave restores the one before.
func (g *FuncGraph) enter() {
	g.saved = g.st.S.Emitter
	g.st.S.Emitter = g
}

func (g *FuncGraph) leave() {
	g.st.S.Emitter = g.saved
	g.saved = nil
}

// NextRandom numbers the random ops without op seed (rule G10).
func (g *FuncGraph) NextRandom() int64 {
	g.random++
	return g.random - 1
}

// outside lifts a value that is not this graph's: eager tensors and variables are
// captured, symbols of graphs around are captured through every graph between.
func (g *FuncGraph) outside(v ir.Value) (*ir.Sym, error) {
	switch v := v.(type) {
	case *tensor.Tensor:
		return g.captureOuter(v)
	case *ir.Var:
		if g.Fn != nil {
			g.Fn.sawVariable(v)
		}
		return g.captureOuter(v)
	case *ir.Sym:
		return g.captureSym(v)
	}
	return g.Capture(v), nil
}

// captureOuter captures an eager value through all graphs between here and the
// eager world, so that each graph only reaches into the next one.
func (g *FuncGraph) captureOuter(v ir.Value) (*ir.Sym, error) {
	if s := g.Captured(v); s != nil {
		return s, nil
	}
	if t, ok := v.(*tensor.Tensor); ok {
		tensor.Hold(t)
	}
	if g.Outer == nil || !g.part { // a function's own trace serves eager calls too
		return g.Capture(v), nil
	}
	o, err := g.Outer.outside(v)
	if err != nil {
		return nil, err
	}
	return g.alias(v, o), nil
}

// alias captures the outer symbol o under the eager value v as well, so that v is
// found at once the next time.
func (g *FuncGraph) alias(v ir.Value, o *ir.Sym) *ir.Sym {
	s := g.Capture(o)
	if vr, ok := v.(*ir.Var); ok && s.Foreign == nil {
		s.Foreign = vr
	}
	return s
}

func (g *FuncGraph) captureSym(s *ir.Sym) (*ir.Sym, error) {
	if c := g.Captured(s); c != nil {
		return c, nil
	}
	if g.Outer != nil && g.Outer.reaches(s) {
		o := s
		if s.Graph != g.Outer.G {
			var err error
			if o, err = g.Outer.captureSym(s); err != nil {
				return nil, err
			}
		}
		c := g.Capture(o)
		if c.Foreign == nil {
			c.Foreign = s.Foreign
		}
		return c, nil
	}
	return nil, g.inaccessible(s)
}

// reaches reports that s belongs to g or to a graph around it.
func (g *FuncGraph) reaches(s *ir.Sym) bool {
	for ; g != nil; g = g.Outer {
		if s.Graph == g.G {
			return true
		}
	}
	return false
}

// inaccessible is the error of a symbol that this graph can't see: the one place
// that words it. A symbol of an inner part of the same function is an
// InaccessibleTensorError, one of another function a TypeError (rule D28).
func (g *FuncGraph) inaccessible(s *ir.Sym) error {
	text := OutOfScope(s)
	if s.Graph.Outer != nil {
		return &ir.Error{Class: "InaccessibleTensorError", Text: text}
	}
	return &ir.Error{Class: "TypeError", Text: text}
}

// OutOfScope is the message about a symbol that is used outside its graph.
func OutOfScope(s *ir.Sym) string {
	return "<tf.Tensor '" + s.Name() + "' shape=" + s.Shp.String() + " dtype=" + s.DT.Name() + "> is out of scope and cannot be used here. " +
		"Use return values, explicit Python locals or TensorFlow collections to access it.\n" +
		"The tensor was defined in the graph of \"" + s.Graph.Title + "\"."
}

// placeholder adds a parameter for an argument.
func (g *FuncGraph) placeholder(name string, t ir.Type) *ir.Sym {
	return g.G.AddParam(name, t)
}

// Emit applies name scopes and notes effects before the node is appended.
func (g *FuncGraph) Emit(c *ir.Call) error {
	if g.scope != "" {
		name := c.Name
		if name == "" {
			name = c.Op.Name
		}
		c.Name = g.scope + name
	}
	return g.Builder.Emit(c)
}

// symbols converts a list of operands to symbols of this graph.
func (g *FuncGraph) symbols(vs []ir.Value) ([]*ir.Sym, error) {
	out := make([]*ir.Sym, len(vs))
	for i, v := range vs {
		s, err := g.Lift(v, nil, 0)
		if err != nil {
			return nil, g.st.Exception(err)
		}
		out[i] = s
	}
	return out, nil
}

// Scope is where the graph keeps its current name scope, with a slash at its end.
func (g *FuncGraph) Scope() *string { return &g.scope }

// Inside makes ops of the script nodes of a graph that is being built beside the
// traces: the backward graph of a function. The result undoes it.
func Inside(st *bridge.State, b *ir.Builder) func() {
	saved := st.S.Emitter
	st.S.Emitter = &FuncGraph{Builder: b, st: st, part: true}
	return func() { st.S.Emitter = saved }
}
