package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// The gradient of a loop: its forward variant carries a counter and, for each
// value of a turn that the backward body reads, a list that the turn pushes onto.
// The backward loop pops them in reverse. Values that don't change are read as
// they are.

// loop is the derivative of a While.
type loop struct {
	body    *derivative
	stacked []int // indices into body.residuals, by list
	carried int   // loop variables of the original
}

// DerivativeOf names the loop.
func (l *loop) DerivativeOf() string { return l.body.title }

// KeepsIn implements ir.Derivative.
func (l *loop) KeepsIn(i int) bool { return i >= l.carried }

// KeepsOut reports the counter and the lists.
func (l *loop) KeepsOut(i int) bool { return i >= l.carried }

func forwardWhile(*ir.Call) (any, *ir.Mistake) { return nil, nil }

// whileGrad puts the forward variant in the node's place, then emits the backward loop.
func whileGrad(g *ir.Grad) {
	n := g.Node
	if n == nil {
		g.Fail(ir.Wrong("UnimplementedError", "the gradient of a While op outside of a function is not supported"))
		return
	}
	if l, _ := n.Attrs.(*ir.WhileAttrs).Deriv.(*loop); l == nil || !covers(g, l.carried) {
		if err := whileForward(g); err != nil {
			g.SetErr(err)
			return
		}
	}
	g.Attrs = n.Attrs
	l := n.Attrs.(*ir.WhileAttrs).Deriv.(*loop)
	newBackLoop(g, l).emit()
}

func whileForward(g *ir.Grad) error {
	n := g.Node
	a := n.Attrs.(*ir.WhileAttrs)
	d, err := deriveAlone(a.Body)
	if err != nil {
		return err
	}
	l := &loop{body: d, carried: a.Carried}
	for i, r := range d.residuals {
		if r.param < 0 || r.param < a.Carried {
			l.stacked = append(l.stacked, i)
		}
	}
	body, cond := d.forward, cloneOf(a.Cond)
	bld := ir.NewBuilder(body)
	s := &ir.Session{Emitter: bld}
	results := append([]*ir.Sym(nil), body.Results[:d.visible]...)
	values := make([]*ir.Sym, len(l.stacked))
	for k, i := range l.stacked {
		values[k] = residualSym(d, d.residuals[i])
	}
	at := a.Carried
	count := body.InsertParam(at, "count", countType)
	cond.InsertParam(at, "count", countType)
	results = append(results, s.Emit2(AddV2, nil, count, ir.IntScalar(1)).(*ir.Sym))
	in := append([]*ir.Sym(nil), n.In...)
	in = insert(in, at, n.Graph.AddBefore(n, ir.ConstOp(), &ir.ConstAttrs{Value: tensor.FromScalar(int32(0))}, nil, countType))
	types, handles := []ir.Type{countType}, []ir.Type{{}}
	for _, v := range values {
		la := listOf(v)
		at++
		list := body.InsertParam(at, "stack", listType)
		list.Handle = la.HandleType(nil)
		cond.InsertParam(at, "stack", listType).Handle = list.Handle
		results = append(results, s.Emit2(TensorListPushBack, la, list, v).(*ir.Sym))
		in = insert(in, at, n.Graph.AddBefore(n, EmptyTensorList, la, nil, listType))
		types, handles = append(types, listType), append(handles, list.Handle)
	}
	if s.Failed() {
		return s.Err()
	}
	body.Results = results
	n.In = in
	n.Attrs = &ir.WhileAttrs{Cond: cond, Body: body, Carried: len(results), Hidden: a.Hidden + len(types), Deriv: l}
	for i, o := range g.AddOutputs(types...) {
		o.Handle = handles[i]
	}
	return nil
}

var (
	countType = ir.Type{DT: tensor.Int32, Shp: tensor.Scalar}
	listType  = ir.Type{DT: tensor.Variant, Shp: tensor.Scalar}
)

func cloneOf(g *ir.Graph) *ir.Graph {
	c, _ := g.Clone(g.Title)
	return c
}

func insert(v []*ir.Sym, at int, s *ir.Sym) []*ir.Sym {
	v = append(v, nil)
	copy(v[at+1:], v[at:])
	v[at] = s
	return v
}

func residualSym(d *derivative, r residual) *ir.Sym {
	if r.param >= 0 {
		return d.forward.Params[r.param]
	}
	return d.forward.Results[r.result]
}

// listOf is the attributes of a list of values like v.
func listOf(v *ir.Sym) *ListAttrs { return &ListAttrs{Elem: v.DT, Shape: v.Shp} }

// backLoop is the making of a backward loop.
type backLoop struct {
	g    *ir.Grad
	l    *loop
	n    *ir.Node
	init []ir.Value // operands of the backward While
	cond *ir.Graph
	body *ir.Graph
}

func newBackLoop(g *ir.Grad, l *loop) *backLoop {
	return &backLoop{g: g, l: l, n: g.Node,
		cond: ir.NewGraph("__backward_cond_"+l.body.title, nil), body: ir.NewGraph("__backward_body_"+l.body.title, nil)}
}

// param adds a loop variable or invariant to both graphs.
func (b *backLoop) param(v ir.Value, name string, t, handle ir.Type) *ir.Sym {
	b.init = append(b.init, v)
	b.cond.AddParam(name, t).Handle = handle
	p := b.body.AddParam(name, t)
	p.Handle = handle
	return p
}

func (b *backLoop) emit() {
	g, d, l := b.g, b.l.body, b.l
	bs := &ir.Session{Emitter: ir.NewBuilder(b.body)}
	hidden := func(i int) *ir.Sym { return b.n.Out[l.carried+i] }
	count := b.param(hidden(0), "count", countType, ir.Type{})
	results := []ir.Value{bs.Emit2(Sub, nil, count, ir.IntScalar(1))}
	var dys []ir.Value
	for _, i := range d.dys {
		dy := dyOrZeros(g, i)
		t := ir.Type{DT: dy.DType(), Shp: tensor.Relax(dy.Shape(), d.forward.Params[i].Shp)}
		dys = append(dys, b.param(dy, "dy", t, b.n.Out[i].Handle))
	}
	accs, accOf := b.accumulators()
	lists, popped := b.pop(bs, hidden)
	in := append([]ir.Value(nil), dys...)
	for i, r := range d.residuals {
		if v, ok := popped[i]; ok {
			in = append(in, v)
			continue
		}
		x := b.operand(r.param)
		in = append(in, b.param(x, "fixed", ir.TypeOf(x), x.Handle))
	}
	outs := bs.EmitAll(Call, &ir.CallAttrs{Body: d.backward}, in...)
	if len(d.backward.Results) == 0 {
		outs, _ = nil, bs.Err()
	}
	results = append(results, b.nextDys(bs, dys, outs)...)
	for k, acc := range accs {
		results = append(results, b.addTo(bs, acc, d.grads[accOf[k]], outs))
	}
	results = append(results, lists...)
	b.finish(bs, results, accOf)
}

// operand is the value of the original's operand for body parameter i.
func (b *backLoop) operand(i int) *ir.Sym {
	if i >= b.l.carried {
		i += len(b.n.In) - b.originals()
	}
	return b.n.In[i]
}

// originals is the number of operands before the forward variant.
func (b *backLoop) originals() int { return len(b.n.In) - 1 - len(b.l.stacked) }

// accumulators adds a sum for each unchanging operand that gets a gradient.
func (b *backLoop) accumulators() (accs []ir.Value, of []int) {
	d := b.l.body
	for i := b.l.carried; i < len(d.grads); i++ {
		if d.grads[i].at < 0 {
			continue
		}
		x := b.operand(i)
		z := zerosFor(b.g.Session, x)
		t := ir.TypeOf(z)
		accs = append(accs, b.param(z, "acc", t, x.Handle))
		of = append(of, i)
	}
	return accs, of
}

// pop takes the residuals of this turn off their lists.
func (b *backLoop) pop(bs *ir.Session, hidden func(int) *ir.Sym) (lists []ir.Value, popped map[int]ir.Value) {
	popped = map[int]ir.Value{}
	for k, i := range b.l.stacked {
		h := hidden(1 + k)
		p := b.param(h, "stack", listType, h.Handle)
		out := bs.EmitAll(TensorListPopBack, &ListAttrs{Elem: h.Handle.DT, Shape: h.Handle.Shp}, p)
		if out == nil {
			return lists, popped
		}
		lists, popped[i] = append(lists, out[0]), out[1]
	}
	return lists, popped
}

// nextDys is the cotangents of the turn before.
func (b *backLoop) nextDys(bs *ir.Session, dys, outs []ir.Value) []ir.Value {
	d := b.l.body
	next := make([]ir.Value, len(dys))
	for k, i := range d.dys {
		if v := gradFrom(bs, d.grads[i], outs); v != nil {
			next[k] = v
		} else {
			next[k] = bs.Emit1(ZerosLike, nil, dys[k])
		}
	}
	return next
}

func (b *backLoop) addTo(bs *ir.Session, acc ir.Value, p gradOf, outs []ir.Value) ir.Value {
	v := gradFrom(bs, p, outs)
	if v == nil {
		return acc
	}
	if v.DType() == tensor.Variant {
		return bs.Emit2(addLists, nil, acc, v)
	}
	return bs.Emit2(AddV2, nil, acc, v)
}

func gradFrom(s *ir.Session, p gradOf, outs []ir.Value) ir.Value {
	if p.at < 0 || outs == nil {
		return nil
	}
	v := p.from(outs)
	if sl, ok := v.(*ir.Slices); ok {
		return autodiff.Dense(s, sl)
	}
	return v
}

// finish emits the backward While and hands out its results.
func (b *backLoop) finish(bs *ir.Session, results []ir.Value, accOf []int) {
	g, d := b.g, b.l.body
	cs := &ir.Session{Emitter: ir.NewBuilder(b.cond)}
	more := cs.Emit2(Greater, nil, b.cond.Params[0], ir.IntScalar(0))
	for _, s := range []*ir.Session{bs, cs} {
		if s.Failed() {
			g.SetErr(s.Err())
			return
		}
	}
	b.cond.Results = []*ir.Sym{more.(*ir.Sym)}
	for _, r := range results {
		b.body.Results = append(b.body.Results, r.(*ir.Sym))
	}
	b.reorder()
	outs := g.EmitAll(While, &ir.WhileAttrs{Cond: b.cond, Body: b.body, Carried: len(results)}, b.init...)
	if outs == nil {
		return
	}
	for k, i := range d.dys {
		b.give(i, outs[1+k])
	}
	for k, i := range accOf {
		b.give(i+len(b.n.In)-b.originals(), outs[1+len(d.dys)+k])
	}
}

// give sets the gradient of the node's operand p. The record may be older than the
// operands that forward variants put in behind the loop variables.
func (b *backLoop) give(p int, v ir.Value) {
	g := b.g
	more := len(b.n.In) - len(g.DX)
	if first := b.n.Attrs.(*ir.WhileAttrs).Carried - b.n.Attrs.(*ir.WhileAttrs).Hidden; p >= first && more > 0 {
		if p < first+more {
			return
		}
		p -= more
	}
	if g.Wants(p) {
		g.DX[p] = v
	}
}

// reorder moves the values that don't change behind the loop variables.
func (b *backLoop) reorder() {
	var order []int
	for pass := range 2 {
		for i, p := range b.body.Params {
			fixed := len(p.OpName()) >= 5 && p.OpName()[:5] == "fixed"
			if fixed == (pass == 1) {
				order = append(order, i)
			}
		}
	}
	init := make([]ir.Value, len(order))
	for _, g := range []*ir.Graph{b.cond, b.body} {
		ps := make([]*ir.Sym, len(order))
		for k, i := range order {
			ps[k] = g.Params[i]
		}
		for k, p := range ps {
			p.Index = k
		}
		g.Params = ps
	}
	for k, i := range order {
		init[k] = b.init[i]
	}
	b.init = init
}
