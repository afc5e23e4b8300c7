package exec

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// record notes c on the tapes of w.
func (ts *Tapes) record(c *ir.Call, w watchers) {
	ids := c.Op.GradOfInts()
	first := ts.next + 1
	any := false
	for _, o := range c.Out {
		ts.next++
		if dt := o.DType(); dt.Differentiable() || ids || dt == tensor.Variant {
			setNode(o, ts.next)
			any = true
		}
	}
	if !any {
		return
	}
	for i, t := range ts.recording {
		if w>>i&1 != 0 {
			t.append(c, first)
		}
	}
}

func (t *Tape) append(c *ir.Call, first uint64) {
	ts := t.ts
	r := ts.fresh(len(c.In), len(c.Out))
	r.Op, r.Attrs, r.Site, r.Serial = c.Op, c.Attrs, c.Site, first
	cut := t.cut(r)
	uses := keptBy(c)
	for i, v := range c.In {
		s := &r.In[i]
		s.Type = ir.TypeOf(v)
		if id := ts.operands[i]; id != 0 && i >= cut {
			if e := t.nodes.get(id); e != nil {
				s.ID = id
				e.uses++
			}
		}
		if uses.in(i) || isSym(v) {
			s.Val = v
			ts.x.Keep(v)
		}
	}
	for i, o := range c.Out {
		s := &r.Out[i]
		s.Type = ir.TypeOf(o)
		s.ID = nodeOf(o)
		t.nodes.add(first+uint64(i), entry{rec: r, out: uint8(min(i, 255)), alive: s.ID != 0})
		if uses.out(i) || isSym(o) {
			s.Val = ts.alias(o)
		}
	}
	if s, ok := c.Out[0].(*ir.Sym); ok {
		r.Node = s.Node
	}
}

// cut is the number of operands of r that no gradient flows to, from the first one:
// the results of a function with a gradient of its own, so that what computed them
// can go. Forward mode is the other way round, like TensorFlow's: it follows what
// the function did, unless it didn't see that.
func (t *Tape) cut(r *ir.Record) int {
	a, ok := r.Attrs.(ir.Replacer)
	if !ok {
		return 0
	}
	n := a.Replaces()
	if t.forward {
		for _, id := range t.ts.operands[:n] {
			if id != 0 && t.nodes.get(id) != nil {
				r.Attrs = a.Plain()
				return 0
			}
		}
	}
	return n
}

// keeper says what a record keeps: what the op's Uses declare, or what the
// derivative of a control-flow op reads.
type keeper struct {
	uses ir.Uses
	n    int
	d    ir.Derivative
}

func keptBy(c *ir.Call) keeper {
	k := keeper{uses: c.Op.Uses, n: len(c.In)}
	if c.Op.Forward != nil {
		if h, ok := c.Attrs.(ir.Hider); ok {
			k.d = h.Derived()
		}
	}
	return k
}

func (k *keeper) in(i int) bool {
	if k.d != nil {
		return k.d.KeepsIn(i)
	}
	return k.uses.HasIn(i, k.n)
}

func (k *keeper) out(i int) bool {
	if k.d != nil {
		return k.d.KeepsOut(i)
	}
	return k.uses&ir.Out(i) != 0
}

func isSym(v ir.Value) bool { _, ok := v.(*ir.Sym); return ok }

// alias is another header for o's data, so that the record that saves its own
// result doesn't keep that result from dying.
func (ts *Tapes) alias(o ir.Value) ir.Value {
	t, ok := o.(*tensor.Tensor)
	if !ok || t.Own == 0 {
		ts.x.Keep(o)
		return o
	}
	v, err := ts.x.View(t, 0, t.Shape())
	if err != nil {
		ts.x.Keep(o)
		return o
	}
	v.Node = t.Node
	return v
}

func (ts *Tapes) fresh(in, out int) *ir.Record {
	var r *ir.Record
	if n := len(ts.spare) - 1; n >= 0 {
		r, ts.spare[n] = ts.spare[n], nil // what r will hold must not live on here
		ts.spare = ts.spare[:n]
	} else {
		r = &ir.Record{}
	}
	r.In, r.Out = slots(r.In, in), slots(r.Out, out)
	return r
}

func slots(s []ir.Slot, n int) []ir.Slot {
	if cap(s) < n {
		return make([]ir.Slot, n, max(n, 2))
	}
	return s[:n]
}

// free drops what r saved and keeps r for another op.
func (ts *Tapes) free(r *ir.Record) {
	for i := range r.In {
		if v := r.In[i].Val; v != nil {
			ts.x.Drop(v)
		}
	}
	for i := range r.Out {
		if v := r.Out[i].Val; v != nil {
			if t, ok := v.(*tensor.Tensor); ok && t.Own == 1 {
				t.Node = 0 // an alias: its death is nobody's
			}
			ts.x.Drop(v)
		}
	}
	clear(r.In)
	clear(r.Out)
	r.Op, r.Attrs, r.Node = nil, nil, nil
	ts.spare = append(ts.spare, r)
}

// dead is told of every tensor before its header is used again: records whose
// results nobody can use any more go, and with them what they saved.
func (ts *Tapes) dead(t *tensor.Tensor) {
	if t.Node == 0 {
		return
	}
	id := t.Node
	t.Node = 0
	ts.deadID(id)
}

func (ts *Tapes) deadID(id uint64) {
	l := ts.owners[id/chunkLen]
	for i := len(l) - 1; i >= 0; i-- { // backwards: a tape may leave the list
		if tape := l[i].Value(); tape != nil {
			tape.died(id)
		}
	}
}

// died prunes the record of value id, and what only it used, with a worklist.
func (t *Tape) died(id uint64) {
	e := t.nodes.get(id)
	if e == nil || !e.alive {
		return
	}
	e.alive = false
	work := []uint64{id}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		e := t.nodes.get(id)
		if e == nil || e.alive || e.uses > 0 || e.source || e.rec == nil {
			continue
		}
		r := e.rec
		if !t.unused(r) {
			continue
		}
		for i := range r.In {
			in := r.In[i].ID
			if in == 0 {
				continue
			}
			if p := t.nodes.get(in); p != nil {
				p.uses--
				work = append(work, in)
			}
		}
		t.remove(r)
	}
}

// unused reports that no result of r is alive or read by a later record.
func (t *Tape) unused(r *ir.Record) bool {
	for i := range r.Out {
		if e := t.nodes.get(idOfResult(r, i)); e != nil && (e.alive || e.uses > 0 || e.source) {
			return false
		}
	}
	return true
}

// idOfResult is the number of result i: those that the op had are consecutive,
// residuals that came later have numbers of their own.
func idOfResult(r *ir.Record, i int) uint64 {
	if id := r.Out[i].ID; id != 0 {
		return id
	}
	return r.Serial + uint64(i)
}

// outputsAdded enters residuals that a gradient appended to a node into the records
// of the tapes that know the node.
func (ts *Tapes) outputsAdded(n *ir.Node, outs []*ir.Sym) {
	seen := map[*ir.Record]bool{}
	for _, o := range n.Out[:len(n.Out)-len(outs)] {
		for _, w := range ts.owners[o.Tape/chunkLen] {
			t := w.Value()
			if t == nil || o.Tape == 0 {
				continue
			}
			e := t.nodes.get(o.Tape)
			if e == nil || e.rec == nil || e.rec.Node != n || seen[e.rec] {
				continue
			}
			seen[e.rec] = true
			for _, s := range outs {
				t.nodes.add(ts.id(s), entry{rec: e.rec, out: 1, alive: true})
				e.rec.Out = append(e.rec.Out, ir.Slot{ID: s.Tape, Type: ir.TypeOf(s), Val: s})
			}
		}
	}
}

func (t *Tape) remove(r *ir.Record) {
	for i := range r.Out {
		t.nodes.remove(idOfResult(r, i))
	}
	t.ts.free(r)
}
