package autodiff

import (
	"container/heap"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// Source is where the records are.
type Source interface {
	// Producer is the record that made value id, nil for a source or a value that
	// the tape doesn't know.
	Producer(id uint64) *ir.Record
	// Done says that the walk has passed r and will not come back.
	Done(r *ir.Record)
}

// Target is a value to differentiate.
type Target struct {
	ID   uint64
	Val  ir.Value // for its type
	Grad ir.Value // the upstream gradient; nil: ones
}

// Backprop returns the gradient of the sum of the targets for each source, nil
// where no path leads. The caller owns one reference of each result. Errors
// stick to the session.
func Backprop(s *ir.Session, src Source, targets []Target, sources []uint64) []ir.Value {
	w := newWalk(s, src)
	defer w.done()
	for _, id := range sources {
		w.want[id] = true
	}
	w.seed(targets)
	for len(w.todo) > 0 && !s.Failed() {
		w.step(heap.Pop(&w.todo).(*ir.Record))
	}
	return w.results(sources)
}

type walk struct {
	s     *ir.Session
	src   Source
	acc   map[uint64]*sum
	want  map[uint64]bool
	todo  records
	g     ir.Grad
	spare []*sum
}

// newWalk takes the session's room, unless a walk around this one has it.
func newWalk(s *ir.Session, src Source) *walk {
	w, ok := s.Scratch.(*walk)
	if !ok {
		w = &walk{acc: map[uint64]*sum{}, want: map[uint64]bool{}}
	}
	s.Scratch = nil
	w.s, w.src = s, src
	return w
}

// done gives the room back.
func (w *walk) done() {
	s := w.s
	clear(w.acc)
	clear(w.want)
	clear(w.todo)
	w.todo, w.s, w.src = w.todo[:0], nil, nil
	w.g.Session, w.g.Record = nil, nil
	s.Scratch = w
}

func (w *walk) newSum() *sum {
	if n := len(w.spare) - 1; n >= 0 {
		a := w.spare[n]
		w.spare = w.spare[:n]
		return a
	}
	return &sum{}
}

// forget removes the sum for id.
func (w *walk) forget(id uint64, a *sum) {
	delete(w.acc, id)
	*a = sum{}
	w.spare = append(w.spare, a)
}

// sum is the gradient of one value as it comes in. Slices are collected, so that
// they are joined once.
type sum struct {
	dense  ir.Value
	slices []*ir.Slices
	queued bool
}

func (w *walk) seed(targets []Target) {
	for _, t := range targets {
		sc := w.s.Begin()
		dy := t.Grad
		if dy == nil {
			dy = onesLike(w.s, t.Val)
		}
		w.s.End(sc, dy)
		w.add(t.ID, dy)
	}
}

// add takes over the caller's reference of dy.
func (w *walk) add(id uint64, dy ir.Value) {
	if w.s.Failed() {
		return
	}
	if id == 0 {
		w.drop(dy)
		return
	}
	a := w.acc[id]
	if a == nil {
		a = w.newSum()
		w.acc[id] = a
	}
	if sl, ok := dy.(*ir.Slices); ok {
		a.slices = append(a.slices, sl)
	} else if a.dense == nil {
		a.dense = dy
	} else {
		a.dense = w.s.Op2(addOp(dy), nil, 3, a.dense, dy)
	}
	if !a.queued {
		a.queued = true
		if r := w.src.Producer(id); r != nil && !w.todo.has(r) {
			heap.Push(&w.todo, r)
		}
	}
}

// take is the sum for id, whose reference passes to the caller; nil if none came.
func (w *walk) take(id uint64) ir.Value {
	a := w.acc[id]
	if a == nil {
		return nil
	}
	v := w.total(a)
	w.forget(id, a)
	return v
}

func (w *walk) total(a *sum) ir.Value {
	if len(a.slices) == 0 {
		return a.dense
	}
	sc := w.s.Begin()
	sl := joinSlices(w.s, a.slices)
	v := ir.Value(sl)
	if a.dense != nil {
		v = w.s.Emit2(addOp(a.dense), nil, a.dense, Dense(w.s, sl))
	}
	w.s.End(sc, v)
	for _, p := range a.slices {
		w.drop(p)
	}
	if a.dense != nil {
		w.drop(a.dense)
	}
	a.dense, a.slices = nil, nil
	if s, ok := v.(*ir.Slices); ok {
		a.slices = []*ir.Slices{s}
	} else {
		a.dense = v
	}
	return v
}

func (w *walk) drop(v ir.Value) {
	r, ok := w.s.Emitter.(ir.Scoper)
	if !ok {
		return
	}
	if sl, isSlices := v.(*ir.Slices); isSlices {
		r.Drop(sl.Values)
		r.Drop(sl.Indices)
		return
	}
	r.Drop(v)
}

// step runs the gradient rule of r.
func (w *walk) step(r *ir.Record) {
	g := &w.g
	g.Session, g.Record = w.s, r
	g.DY, g.DX = sized(g.DY, len(r.Out)), sized(g.DX, len(r.In))
	sc := w.s.Begin()
	owned := w.cotangents(r, g.DY)
	if r.Op.Grad == nil {
		g.Fail(&ir.Mistake{Kind: ir.NoGradientRegistered, Args: []any{r.Op.Name}})
	} else if anyOf(g.DY) {
		w.s.Site = r.Site
		r.Op.Grad(g)
	}
	w.s.End(sc, g.DX...)
	for i, dy := range g.DY {
		if dy != nil && owned>>i&1 != 0 {
			w.drop(dy)
		}
	}
	dx := g.DX
	for i := range dx {
		if dx[i] != nil && !w.s.Failed() {
			w.add(r.In[i].ID, dx[i])
		}
	}
	clear(dx)
	clear(g.DY)
	w.src.Done(r)
}

// cotangents fills dy with what came for the results of r, dense unless the op
// takes slices. owned is the set of those that the walk must drop.
func (w *walk) cotangents(r *ir.Record, dy []ir.Value) (owned uint64) {
	for i := range r.Out {
		id := r.Out[i].ID
		a := w.acc[id]
		if id == 0 || a == nil {
			continue
		}
		v := w.total(a)
		if !w.want[id] {
			w.forget(id, a)
			owned |= 1 << i
		}
		if sl, ok := v.(*ir.Slices); ok && !takesSlices(r.Op) {
			if owned>>i&1 != 0 {
				defer w.drop(sl)
				owned &^= 1 << i
			}
			v = Dense(w.s, sl)
		}
		if v != nil {
			dy[i] = v
		}
	}
	return owned
}

// takesSlices: the gradients of these pass sparse cotangents on as they are.
func takesSlices(op *ir.Op) bool {
	return op.Name == "Identity" || op.Name == "ReadVariableOp"
}

func (w *walk) results(sources []uint64) []ir.Value {
	out := make([]ir.Value, len(sources))
	if w.s.Failed() {
		return out
	}
	r, counted := w.s.Emitter.(ir.Scoper)
	seen := map[uint64]ir.Value{}
	for i, id := range sources {
		if v, ok := seen[id]; ok {
			out[i] = v
			if counted && v != nil {
				keepAll(r, v)
			}
			continue
		}
		if id != 0 {
			out[i] = w.take(id)
		}
		seen[id] = out[i]
	}
	for _, a := range w.acc {
		if a.dense != nil {
			w.drop(a.dense)
		}
		for _, sl := range a.slices {
			w.drop(sl)
		}
	}
	return out
}

func keepAll(r ir.Scoper, v ir.Value) {
	if sl, ok := v.(*ir.Slices); ok {
		r.Keep(sl.Values)
		r.Keep(sl.Indices)
		return
	}
	r.Keep(v)
}

func sized(v []ir.Value, n int) []ir.Value {
	if cap(v) < n {
		return make([]ir.Value, n)
	}
	return v[:n]
}

func anyOf(v []ir.Value) bool {
	for _, x := range v {
		if x != nil {
			return true
		}
	}
	return false
}

// records is a heap, the latest first.
type records []*ir.Record

func (h records) Len() int           { return len(h) }
func (h records) Less(i, j int) bool { return h[i].Serial > h[j].Serial }
func (h records) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push and Pop are container/heap's.
func (h *records) Push(x any) { *h = append(*h, x.(*ir.Record)) }

// Pop removes the last.
func (h *records) Pop() any {
	n := len(*h) - 1
	r := (*h)[n]
	(*h)[n] = nil
	*h = (*h)[:n]
	return r
}

// has reports that r is queued already: only records with several results are
// reached twice.
func (h records) has(r *ir.Record) bool {
	if len(r.Out) < 2 {
		return false
	}
	for _, q := range h {
		if q == r {
			return true
		}
	}
	return false
}

// addOp adds two gradients of v's dtype.
func addOp(v ir.Value) *ir.Op {
	if v.DType() == tensor.Variant {
		return op("TensorListAdd")
	}
	return op("AddV2")
}

func op(name string) *ir.Op {
	o := ir.FindOp(name)
	if o == nil {
		panic("tfs bug: no op " + name)
	}
	return o
}

// onesLike is the default upstream gradient of v.
func onesLike(s *ir.Session, v ir.Value) ir.Value { return s.Emit1(op("OnesLike"), nil, v) }

// Dense is the sum of sl's rows as a whole tensor.
func Dense(s *ir.Session, sl *ir.Slices) ir.Value {
	sp := sl.Dense
	rows := s.EmitN(op("UnsortedSegmentSum"), nil, sl.Values, sl.Indices, firstDim(s, sp))
	if sl.Static.Known() && s.Tracing() {
		return s.Emit2(op("Reshape"), nil, rows, ir.DimList(sl.Static.Dims()))
	}
	return rows
}

func firstDim(s *ir.Session, shape ir.Value) ir.Value {
	if v, ok := ir.KnownInts(shape); ok && len(v) > 0 && v[0] >= 0 {
		return ir.IntScalar(v[0])
	}
	return s.EmitN(op("GatherV2"), op("GatherV2").NewAttrs(), shape, ir.IntScalar(0), ir.IntScalar(0))
}

// joinSlices concatenates in the order in which they came.
func joinSlices(s *ir.Session, parts []*ir.Slices) *ir.Slices {
	if len(parts) == 1 {
		return parts[0]
	}
	vals := make([]ir.Value, 0, len(parts)+1)
	idx := make([]ir.Value, 0, len(parts)+1)
	dt := parts[0].Indices.DType()
	for _, p := range parts {
		if p.Indices.DType() != dt {
			dt = tensor.Int64
		}
	}
	for _, p := range parts {
		vals, idx = append(vals, p.Values), append(idx, castIndices(s, p.Indices, dt))
	}
	axis := ir.IntScalar(0)
	j := *parts[0]
	j.Values = s.EmitN(op("ConcatV2"), nil, append(vals, axis)...)
	j.Indices = s.EmitN(op("ConcatV2"), nil, append(idx, axis)...)
	return &j
}

func castIndices(s *ir.Session, x ir.Value, dt tensor.DType) ir.Value {
	if x.DType() == dt {
		return x
	}
	return s.Emit1(op("Cast"), castAttrs(dt), x)
}

// castAttrs fills the attribute struct of Cast, which this package doesn't know.
func castAttrs(dt tensor.DType) any {
	a := op("Cast").NewAttrs()
	a.(interface{ SetDType(tensor.DType) }).SetDType(dt)
	return a
}
