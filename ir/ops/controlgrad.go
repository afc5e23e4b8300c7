package ops

import (
	"github.com/tfs-lang/tfs/ir"
)

// A control-flow op under a tape runs in its forward variant, which has hidden
// results after the visible ones: residuals that the backward graph reads. In a
// graph the variant is put in place when the gradient is asked for.

func forwardCall(c *ir.Call) (any, *ir.Mistake) {
	a := c.Attrs.(*ir.CallAttrs)
	if a.Deriv != nil {
		return nil, nil
	}
	f, err := callForward(a)
	if err != nil {
		return nil, ir.Raise(err)
	}
	return f, nil
}

func callForward(a *ir.CallAttrs) (*ir.CallAttrs, error) {
	d, err := derive(a.Body)
	if err != nil {
		return nil, err
	}
	return &ir.CallAttrs{Body: d.forward, Hidden: a.Hidden + len(d.forward.Results) - d.visible, Deriv: d}, nil
}

func callGrad(g *ir.Grad) {
	a := attrsNow(g).(*ir.CallAttrs)
	d, _ := a.Deriv.(*derivative)
	if d != nil && covers(g, d.visible) {
		d.apply(g, hiddenOf(g), 0)
		return
	}
	f, err := callForward(a)
	if err != nil {
		g.SetErr(err)
		return
	}
	d = f.Deriv.(*derivative)
	if n := g.Node; n != nil {
		n.Attrs = f
		for _, r := range f.Body.Results[len(n.Out):] {
			g.AddOutputs(ir.TypeOf(r))[0].Handle = r.Handle
		}
		d.apply(g, hiddenOf(g), 0)
		return
	}
	d.apply(g, again(g, Call, f), 0)
}

// attrsNow are the attributes of the record, of its node where it has one: another
// gradient may have put a forward variant there.
func attrsNow(g *ir.Grad) any {
	if g.Node != nil {
		return g.Node.Attrs
	}
	return g.Attrs
}

// covers reports that cotangents came for the first n results only: a derivative
// that knows those is enough.
func covers(g *ir.Grad, n int) bool {
	for i, d := range g.DY {
		if d != nil && i >= n {
			return false
		}
	}
	return true
}

// again runs a recorded op once more in a variant that returns more residuals: a
// gradient of second order of an op that ran eagerly.
func again(g *ir.Grad, op *ir.Op, attrs any) func(i int) ir.Value {
	in := make([]ir.Value, len(g.In))
	for i := range in {
		in[i] = g.X(i)
	}
	outs := g.EmitAll(op, attrs, in...)
	return func(i int) ir.Value {
		if i >= len(outs) {
			return g.Y(i)
		}
		return outs[i]
	}
}

// hiddenOf reads the hidden results: of the node in a graph, else of the record.
func hiddenOf(g *ir.Grad) func(i int) ir.Value {
	if n := g.Node; n != nil {
		return func(i int) ir.Value { return n.Out[i] }
	}
	return func(i int) ir.Value { return g.Y(i) }
}

// branches is the derivative of If and Case: the derivatives of the branches with
// one list of hidden results and one of backward parameters.
type branches struct {
	title    string
	visible  int
	forward  []*ir.Graph
	backward []*ir.Graph
	dys      []int
	inputs   int
	hidden   []ir.Type // after the visible results
	handles  []ir.Type
	grads    []int // by input: which result of backward, -1
}

// DerivativeOf names the op.
func (b *branches) DerivativeOf() string { return b.title }

// KeepsIn implements ir.Derivative: a branch may need any operand.
func (b *branches) KeepsIn(int) bool { return true }

// KeepsOut reports hidden results.
func (b *branches) KeepsOut(i int) bool { return i >= b.visible }

// deriveBranches makes the derivative of graphs that take the same operands.
func deriveBranches(graphs []*ir.Graph) (*branches, error) {
	b := &branches{title: graphs[0].Title, visible: len(graphs[0].Results), inputs: len(graphs[0].Params)}
	var parts []*derivative
	for _, g := range graphs {
		d, err := deriveAlone(g)
		if err != nil {
			return nil, err
		}
		parts = append(parts, d)
	}
	b.dys = parts[0].dys
	b.joinHidden(parts)
	return b, b.joinBackward(parts)
}

// deriveAlone is derive without sharing: the graphs of the result are changed.
func deriveAlone(g *ir.Graph) (*derivative, error) {
	kept := g.Deriv
	g.Deriv = nil
	d, err := derive(g)
	g.Deriv = kept
	return d, err
}

// joinHidden gives each forward branch the hidden results of all, with scalars in
// the places of the others.
func (b *branches) joinHidden(parts []*derivative) {
	type own struct{ from, n int }
	var spans []own
	for _, d := range parts {
		own := own{len(b.hidden), len(d.forward.Results) - d.visible}
		for _, s := range d.forward.Results[d.visible:] {
			b.hidden = append(b.hidden, ir.Type{DT: s.DT, Shp: s.Shp})
			b.handles = append(b.handles, s.Handle)
		}
		spans = append(spans, own)
	}
	for k, d := range parts {
		mine := append([]*ir.Sym(nil), d.forward.Results[d.visible:]...)
		d.forward.Results = d.forward.Results[:d.visible:d.visible]
		bld := ir.NewBuilder(d.forward)
		s := &ir.Session{Emitter: bld}
		for i, t := range b.hidden {
			if j := i - spans[k].from; j >= 0 && j < spans[k].n {
				d.forward.Results = append(d.forward.Results, mine[j])
				continue
			}
			d.forward.Results = append(d.forward.Results, placeholder(s, t, b.handles[i]))
		}
		b.forward = append(b.forward, d.forward)
		// From now on a residual's result counts among all hidden ones.
		for i := range d.residuals {
			if r := &d.residuals[i]; r.param < 0 {
				r.result += spans[k].from
			}
		}
	}
	if len(parts) > 1 {
		for i := range b.hidden {
			b.hidden[i].Shp = unknownUnlessScalar(b.hidden[i])
		}
	}
}

// joinBackward gives the backward graphs the same parameters (cotangents, operands,
// hidden results) and the same results.
func (b *branches) joinBackward(parts []*derivative) error {
	b.grads = make([]int, b.inputs)
	n := 0
	for i := range b.grads {
		b.grads[i] = -1
		for _, d := range parts {
			if d.grads[i].at >= 0 {
				b.grads[i] = n
				n++
				break
			}
		}
	}
	for k, d := range parts {
		g := d.backward
		params := make([]*ir.Sym, len(b.dys)+b.inputs+len(b.hidden))
		copy(params, g.Params[:len(d.dys)])
		for i, r := range d.residuals {
			at := len(b.dys) + r.param
			if r.param < 0 {
				at = len(b.dys) + b.inputs + r.result - b.visible
			}
			params[at] = g.Params[len(d.dys)+i]
		}
		for i := range params {
			if params[i] == nil {
				params[i] = b.freshParam(g, d, i)
			}
		}
		g.Params = params
		for i, p := range params {
			p.Index = i
		}
		if err := b.unify(k, d); err != nil {
			return err
		}
		b.backward = append(b.backward, g)
	}
	return nil
}

// freshParam is a parameter that this branch doesn't use.
func (b *branches) freshParam(g *ir.Graph, d *derivative, i int) *ir.Sym {
	t, h := ir.Type{}, ir.Type{}
	if k := i - len(b.dys); k < b.inputs {
		p := d.forward.Params[k]
		t, h = ir.TypeOf(p), p.Handle
	} else {
		t, h = b.hidden[k-b.inputs], b.handles[k-b.inputs]
	}
	s := g.AddParam("unused", t)
	s.Handle = h
	return s
}

// unify gives a backward graph a dense result for each operand that has a gradient
// in some branch: zeros where this one has none.
func (b *branches) unify(_ int, d *derivative) error {
	g := d.backward
	bld := ir.NewBuilder(g)
	s := &ir.Session{Emitter: bld}
	old := append([]*ir.Sym(nil), g.Results...)
	g.Results = nil
	for i, at := range b.grads {
		if at < 0 {
			continue
		}
		v := denseFrom(s, d.grads[i], old)
		if v == nil {
			v = zerosFor(s, g.Params[len(b.dys)+i])
		}
		if s.Failed() {
			return s.Err()
		}
		g.Results = append(g.Results, v.(*ir.Sym))
	}
	return nil
}

// apply emits the backward branches and sets the gradients of the operands.
func (b *branches) apply(g *ir.Grad, hidden func(int) ir.Value, op *ir.Op, attrs func([]*ir.Graph) any) {
	in := []ir.Value{g.X(0)}
	for _, i := range b.dys {
		in = append(in, dyOrZeros(g, i))
	}
	for i := range b.inputs {
		in = append(in, g.X(i+1))
	}
	for i := range b.hidden {
		in = append(in, hidden(b.visible+i))
	}
	if len(b.backward[0].Results) == 0 {
		return
	}
	outs := g.EmitAll(op, attrs(b.backward), in...)
	if outs == nil {
		return
	}
	for i, at := range b.grads {
		if at >= 0 && g.Wants(i+1) {
			g.DX[i+1] = outs[at]
		}
	}
}

// A choice is an op that runs one of several branches: what its derivative needs to
// know of the attributes.
type choice struct {
	op *ir.Op
	// parts reads the branches, how many hidden results there are, and the derivative if it is known.
	parts func(attrs any) (gs []*ir.Graph, hidden int, deriv ir.Derivative)
	// make is the attributes with other branches.
	make func(gs []*ir.Graph, hidden int, deriv ir.Derivative) any
}

func ifChoice() choice {
	return choice{If,
		func(attrs any) ([]*ir.Graph, int, ir.Derivative) {
			a := attrs.(*ir.IfAttrs)
			return []*ir.Graph{a.Then, a.Else}, a.Hidden, a.Deriv
		},
		func(gs []*ir.Graph, hidden int, deriv ir.Derivative) any {
			return &ir.IfAttrs{Then: gs[0], Else: gs[1], Hidden: hidden, Deriv: deriv}
		}}
}

func caseChoice() choice {
	return choice{Case,
		func(attrs any) ([]*ir.Graph, int, ir.Derivative) {
			a := attrs.(*ir.CaseAttrs)
			return a.Branches, a.Hidden, a.Deriv
		},
		func(gs []*ir.Graph, hidden int, deriv ir.Derivative) any {
			return &ir.CaseAttrs{Branches: gs, Hidden: hidden, Deriv: deriv}
		}}
}

// forward is the variant that returns the residuals too; nil when attrs is that already.
func (k choice) forward(c *ir.Call) (any, *ir.Mistake) {
	if _, _, deriv := k.parts(c.Attrs); deriv != nil {
		return nil, nil
	}
	f, _, err := k.derive(c.Attrs)
	if err != nil {
		return nil, ir.Raise(err)
	}
	return f, nil
}

func (k choice) derive(attrs any) (any, *branches, error) {
	gs, hidden, _ := k.parts(attrs)
	b, err := deriveBranches(gs)
	if err != nil {
		return nil, nil, err
	}
	return k.make(b.forward, hidden+len(b.hidden), b), b, nil
}

func (k choice) grad(g *ir.Grad) {
	attrs := attrsNow(g)
	back := func(gs []*ir.Graph) any { return k.make(gs, 0, nil) }
	_, _, deriv := k.parts(attrs)
	if b, _ := deriv.(*branches); b != nil && covers(g, b.visible) {
		b.apply(g, hiddenOf(g), k.op, back)
		return
	}
	f, b, err := k.derive(attrs)
	if err != nil {
		g.SetErr(err)
		return
	}
	if n := g.Node; n != nil {
		n.Attrs = f
		addHidden(g, b)
		b.apply(g, hiddenOf(g), k.op, back)
		return
	}
	b.apply(g, again(g, k.op, f), k.op, back)
}

func forwardIf(c *ir.Call) (any, *ir.Mistake)   { return ifChoice().forward(c) }
func forwardCase(c *ir.Call) (any, *ir.Mistake) { return caseChoice().forward(c) }
func ifGrad(g *ir.Grad)                         { ifChoice().grad(g) }
func caseGrad(g *ir.Grad)                       { caseChoice().grad(g) }

func addHidden(g *ir.Grad, b *branches) {
	for i, o := range g.AddOutputs(b.hidden...) {
		o.Handle = b.handles[i]
	}
}
