package ops

import (
	"fmt"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// derivative is the gradient of a graph: a forward form that also returns what the
// backward graph needs, and the backward graph, which takes the cotangents of the
// results and then those residuals.
type derivative struct {
	title     string
	visible   int
	forward   *ir.Graph
	backward  *ir.Graph
	dys       []int      // results that have a cotangent parameter
	residuals []residual // the parameters of backward after those
	grads     []gradOf   // by parameter of the graph
}

// residual is a parameter of the forward graph, or one of its hidden results.
type residual struct {
	param  int // -1: result
	result int
}

// gradOf says where a parameter's gradient stands among the results of backward.
type gradOf struct {
	at     int  // -1: there is none
	sparse bool // values, indices and the shape of the whole from at on
	static tensor.Shape
}

// DerivativeOf names the graph.
func (d *derivative) DerivativeOf() string { return d.title }

// KeepsIn implements ir.Derivative: a second order may run the graph again.
func (d *derivative) KeepsIn(int) bool { return true }

// KeepsOut reports hidden results.
func (d *derivative) KeepsOut(i int) bool { return i >= d.visible }

// carries reports values that a gradient flows through: floats, complex numbers,
// lists of them and handles of variables that hold them.
func carries(s *ir.Sym) bool {
	switch s.DT {
	case tensor.Variant, tensor.Resources:
		return s.Handle.DT.Differentiable()
	}
	return s.DT.Differentiable()
}

// derive returns the derivative of g, found once and kept with the graph.
func derive(g *ir.Graph) (*derivative, error) {
	if d, ok := g.Deriv.(*derivative); ok {
		return d, nil
	}
	d := &derivative{title: g.Title, visible: len(g.Results)}
	var copies map[*ir.Sym]*ir.Sym
	d.forward, copies = g.Clone("__forward_" + g.Title)
	w := newBackward(d.forward, "__backward_"+g.Title)
	w.copies, w.of = copies, g
	for i, r := range d.forward.Results {
		if carries(r) {
			d.dys = append(d.dys, i)
		}
	}
	grads := w.run(d.dys)
	if err := w.s.Err(); err != nil {
		return nil, err
	}
	for _, v := range grads {
		d.grads = append(d.grads, w.result(v))
	}
	d.backward = w.b.G
	for _, c := range d.backward.Captures {
		d.residuals = append(d.residuals, d.residualOf(c.(*ir.Sym)))
	}
	d.backward.Captures = nil
	g.Deriv = d
	return d, nil
}

// residualOf notes that the backward graph needs a symbol of the forward graph.
func (d *derivative) residualOf(s *ir.Sym) residual {
	if s.Node == nil {
		return residual{param: s.Index}
	}
	for i := d.visible; i < len(d.forward.Results); i++ {
		if d.forward.Results[i] == s {
			return residual{-1, i}
		}
	}
	d.forward.Results = append(d.forward.Results, s)
	return residual{-1, len(d.forward.Results) - 1}
}

// backward is the making of a backward graph.
type backward struct {
	f *ir.Graph
	b *ir.Builder
	s *ir.Session
	// of is the graph that f is a copy of, copies its symbols there: gradient functions
	// of scripts know those of the original.
	of     *ir.Graph
	copies map[*ir.Sym]*ir.Sym
}

// inForward finds what stands in the forward graph for a value that a gradient
// function of a script reads: a symbol of the original, or something it captured.
func (w *backward) inForward(v ir.Value) (*ir.Sym, bool) {
	if s, ok := v.(*ir.Sym); ok && w.of != nil && s.Graph == w.of {
		c, ok := w.copies[s]
		return c, ok
	}
	n := w.f.NumArgs()
	for i, c := range w.f.Captures {
		if c == v {
			return w.f.Params[n+i], true
		}
	}
	return nil, false
}

func newBackward(f *ir.Graph, title string) *backward {
	w := &backward{f: f, b: ir.NewBuilder(ir.NewGraph(title, nil))}
	w.s = &ir.Session{Emitter: w.b}
	w.b.Outside = func(v ir.Value) (*ir.Sym, error) {
		if s, ok := w.inForward(v); ok {
			v = s
		}
		if s, ok := v.(*ir.Sym); ok && s.Graph == f {
			if s.Exact != nil && s.Node != nil {
				return w.b.Const(s.Exact, ""), nil
			}
			return w.b.Capture(s), nil
		}
		if t, ok := v.(*tensor.Tensor); ok {
			return w.b.Const(t, ""), nil
		}
		return nil, fmt.Errorf("tfs bug: a gradient reaches outside of its graph")
	}
	return w
}

// run differentiates the results dys by all parameters. Cotangents are the first
// parameters of the backward graph.
func (w *backward) run(dys []int) []ir.Value {
	var targets []autodiff.Target
	for _, i := range dys {
		r := w.f.Results[i]
		dy := w.b.G.AddParam("dy", ir.TypeOf(r))
		dy.Handle = r.Handle
		targets = append(targets, autodiff.Target{ID: r.ID, Val: r, Grad: dy})
	}
	ids := make([]uint64, len(w.f.Params))
	for i, p := range w.f.Params {
		ids[i] = p.ID
	}
	return autodiff.Backprop(w.s, newGraphSource(w.f), targets, ids)
}

// result appends a gradient to the results of the backward graph.
func (w *backward) result(v ir.Value) gradOf {
	if v == nil {
		return gradOf{at: -1}
	}
	g := gradOf{at: len(w.b.G.Results)}
	if sl, ok := v.(*ir.Slices); ok {
		g.sparse, g.static = true, sl.Static
		w.push(sl.Values)
		w.push(sl.Indices)
		w.push(sl.Dense)
		return g
	}
	w.push(v)
	return g
}

func (w *backward) push(v ir.Value) {
	s, err := w.lift(v)
	w.s.SetErr(err)
	w.b.G.Results = append(w.b.G.Results, s)
}

func (w *backward) lift(v ir.Value) (*ir.Sym, error) {
	return w.b.Lift(v, &ir.Call{Op: Identity}, 0)
}

// graphSource gives the records of a graph's nodes. Only values that depend on a
// parameter through which a gradient flows have numbers.
type graphSource struct {
	g       *ir.Graph
	reached map[*ir.Sym]bool
	at      map[*ir.Node]int
	byID    map[uint64]*ir.Node
	records map[*ir.Node]*ir.Record
}

func newGraphSource(g *ir.Graph) *graphSource {
	src := &graphSource{g: g, reached: map[*ir.Sym]bool{}, at: map[*ir.Node]int{}, byID: map[uint64]*ir.Node{}, records: map[*ir.Node]*ir.Record{}}
	for _, p := range g.Params {
		src.reached[p] = carries(p)
	}
	for i, n := range g.Nodes {
		src.at[n] = i + 1
		if n.Op.CutsGradient() {
			continue
		}
		hit := false
		for _, x := range n.In {
			hit = hit || src.reached[x]
		}
		if !hit {
			continue
		}
		for _, o := range n.Out {
			if carries(o) || n.Op.GradOfInts() {
				src.reached[o] = true
				src.byID[o.ID] = n
			}
		}
	}
	return src
}

// Producer implements autodiff.Source.
func (src *graphSource) Producer(id uint64) *ir.Record {
	n := src.byID[id]
	if n == nil {
		return nil
	}
	if r := src.records[n]; r != nil {
		return r
	}
	r := &ir.Record{Op: n.Op, Attrs: n.Attrs, Site: n.Pos, Serial: uint64(src.at[n]), Node: n,
		In: src.slots(n.In), Out: src.slots(n.Out)}
	src.records[n] = r
	return r
}

func (src *graphSource) slots(syms []*ir.Sym) []ir.Slot {
	out := make([]ir.Slot, len(syms))
	for i, s := range syms {
		out[i] = ir.Slot{Type: ir.TypeOf(s), Val: s}
		if src.reached[s] {
			out[i].ID = s.ID
		}
	}
	return out
}

// Done implements autodiff.Source.
func (src *graphSource) Done(*ir.Record) {}

// apply emits the backward graph of d for g and sets the gradients of the operands
// from first on. residuals are values of the hidden results.
func (d *derivative) apply(g *ir.Grad, hidden func(i int) ir.Value, first int) {
	in := make([]ir.Value, 0, len(d.dys)+len(d.residuals))
	for _, i := range d.dys {
		in = append(in, dyOrZeros(g, i))
	}
	for _, r := range d.residuals {
		if r.param >= 0 {
			in = append(in, g.X(first+r.param))
		} else {
			in = append(in, hidden(r.result))
		}
	}
	if len(d.backward.Results) == 0 {
		return
	}
	outs := g.EmitAll(Call, &ir.CallAttrs{Body: d.backward}, in...)
	if outs == nil {
		return
	}
	for i, p := range d.grads {
		if g.Wants(first + i) {
			g.DX[first+i] = p.from(outs)
		}
	}
}

// from picks the gradient out of the results of a backward graph.
func (p gradOf) from(outs []ir.Value) ir.Value {
	switch {
	case p.at < 0:
		return nil
	case p.sparse:
		return &ir.Slices{Values: outs[p.at], Indices: outs[p.at+1], Dense: outs[p.at+2], Static: p.static}
	}
	return outs[p.at]
}

func dyOrZeros(g *ir.Grad, i int) ir.Value {
	if g.DY[i] != nil {
		return g.DY[i]
	}
	return ZerosOf(g.Session, &g.Out[i])
}
