package exec

import (
	"slices"
	"weak"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// Tapes is the recording state of a Context: the tapes that record, outermost
// first, and the numbering of watched values.
type Tapes struct {
	x           *Context
	recording   []*Tape
	owners      map[uint64][]weak.Pointer[Tape] // by block of numbers: tapes with entries there
	sweepAt     int
	next        uint64
	spare       []*ir.Record
	spareChunks []*chunk
	operands    []uint64 // numbers of the operands of the op that is being recorded
	reused      uint64   // number of the operand that became the result
}

// watchers is a set of recording tapes: bit i for recording[i].
type watchers uint64

// maxTapes bounds the tapes that record at once.
const maxTapes = 64

// Tape is a recording.
type Tape struct {
	ts         *Tapes
	persistent bool
	watchVars  bool
	forward    bool       // an accumulator's
	level      ir.Emitter // only ops of this emitter are recorded
	nodes      nodeTable
	on         bool
	paused     int
	used       bool
	vars       []*ir.Var
	inVars     map[*ir.Var]bool
}

// NewTape returns a tape that doesn't record yet. watchVars: reads of trainable
// variables are watched.
func (x *Context) NewTape(persistent, watchVars bool) *Tape {
	t := &Tape{ts: &x.Tapes, persistent: persistent, watchVars: watchVars}
	x.Allocator.OnDead = x.Tapes.dead
	t.nodes.ts, t.nodes.self = &x.Tapes, weak.Make(t)
	return t
}

// Recording reports whether the tape records now.
func (t *Tape) Recording() bool { return t.on }

// Persistent reports a tape that can give more than one set of gradients.
func (t *Tape) Persistent() bool { return t.persistent }

// Used reports a tape that isn't persistent and has given its gradients.
func (t *Tape) Used() bool { return t.used && !t.persistent }

// Start makes the tape the innermost that records; a tape may be started again
// and then continues.
func (t *Tape) Start() {
	ts := t.ts
	if len(t.nodes.chunks) == 0 {
		t.nodes.base = (ts.next + 1) &^ (chunkLen - 1)
	}
	t.on, t.level = true, ts.x.Session.Emitter
	if len(ts.recording) < maxTapes {
		ts.recording = append(ts.recording, t)
	}
}

// Stop ends the recording.
func (t *Tape) Stop() {
	t.on, t.paused = false, 0
	ts := t.ts
	if i := slices.Index(ts.recording, t); i >= 0 {
		ts.recording = slices.Delete(ts.recording, i, i+1)
	}
}

// Pause and Resume bracket ops that are not recorded.
func (t *Tape) Pause() { t.paused++ }

// Resume undoes one Pause.
func (t *Tape) Resume() { t.paused-- }

// Exchange makes other tapes the recording ones: those of another thread of the
// script. It returns those that were.
func (ts *Tapes) Exchange(tapes []*Tape) []*Tape {
	was := ts.recording
	ts.recording = tapes
	return was
}

// StopAll pauses every recording tape; the result resumes them.
func (ts *Tapes) StopAll() []*Tape {
	ts2 := slices.Clone(ts.recording)
	for _, t := range ts2 {
		t.paused++
	}
	return ts2
}

// ResumeAll undoes StopAll.
func ResumeAll(tapes []*Tape) {
	for _, t := range tapes {
		t.paused--
	}
}

// Watch makes v a source: a tensor, a symbol or a variable.
func (t *Tape) Watch(v ir.Value) {
	if vr := ir.VarOf(v); vr != nil {
		t.watchVar(vr)
		return
	}
	t.nodes.add(t.ts.id(v), entry{alive: true, source: true})
}

// Watching reports that the tape watches v.
func (t *Tape) Watching(v ir.Value) bool {
	id := nodeOf(v)
	return id != 0 && t.nodes.get(id) != nil
}

// WatchedVariables are the variables that were read or watched, in order of creation.
func (t *Tape) WatchedVariables() []*ir.Var {
	slices.SortStableFunc(t.vars, func(a, b *ir.Var) int { return int(int64(a.Serial) - int64(b.Serial)) })
	return t.vars
}

func (t *Tape) watchVar(v *ir.Var) {
	if v.Tape == 0 {
		t.ts.next++
		v.Tape = t.ts.next
	}
	if t.inVars[v] {
		return
	}
	if t.inVars == nil {
		t.inVars = map[*ir.Var]bool{}
	}
	t.inVars[v] = true
	t.vars = append(t.vars, v)
	t.nodes.add(v.Tape, entry{alive: true, source: true})
}

// Reset forgets everything that was recorded or watched.
func (t *Tape) Reset() {
	t.clear()
	t.vars, t.inVars = nil, nil
	t.nodes.base = (t.ts.next + 1) &^ (chunkLen - 1)
}

// clear drops what the records saved.
func (t *Tape) clear() {
	t.nodes.empty(func(e *entry) {
		if e.rec != nil && e.out == 0 {
			t.ts.free(e.rec)
		}
	})
}

// root is what v stands for outside: a capture in a graph is the value captured.
func root(v ir.Value) ir.Value {
	for {
		s, ok := v.(*ir.Sym)
		if !ok {
			return v
		}
		if s.DT == tensor.Resources {
			if r := ir.VarOf(s); r != nil {
				return r
			}
		}
		if s.Node != nil || s.Index < s.Graph.NumArgs() {
			return s
		}
		outer := s.Graph.Captures[s.Index-s.Graph.NumArgs()]
		if outer == nil {
			return s
		}
		v = outer
	}
}

// nodeOf is the number by which tapes know v, 0 if none does.
func nodeOf(v ir.Value) uint64 {
	switch v := v.(type) {
	case *tensor.Tensor:
		return v.Node
	case *ir.Var:
		return v.Tape
	case *ir.Sym:
		if r := root(v); r != ir.Value(v) {
			return nodeOf(r)
		}
		return v.Tape
	case *ir.List:
		return v.Tape
	}
	return 0
}

// id is nodeOf, giving v a number if it has none.
func (ts *Tapes) id(v ir.Value) uint64 {
	if n := nodeOf(v); n != 0 {
		return n
	}
	ts.next++
	setNode(root(v), ts.next)
	return ts.next
}

func setNode(v ir.Value, n uint64) {
	switch v := v.(type) {
	case *tensor.Tensor:
		v.Node = n
	case *ir.Var:
		v.Tape = n
	case *ir.Sym:
		v.Tape = n
	case *ir.List:
		v.Tape = n
	}
}

// watching is the set of tapes that record c: those of its emitter that watch an
// operand. Trainable variables that are read become watched here.
func (ts *Tapes) watching(c *ir.Call, level ir.Emitter) (w watchers) {
	if c.Op.CutsGradient() {
		return 0
	}
	for i, t := range ts.recording {
		if t.paused != 0 || t.level != level {
			continue
		}
		for _, v := range c.In {
			if t.watches(c, v) { // each one: a variable becomes watched by being read
				w |= 1 << i
			}
		}
	}
	return w
}

func (t *Tape) watches(c *ir.Call, v ir.Value) bool {
	if v.DType() == tensor.Resources && t.watchVars && c.Op.Effect&ir.Writes == 0 {
		if r := ir.VarOf(v); r != nil && r.Trainable {
			t.readVars(c)
		}
	}
	id := nodeOf(v)
	return id != 0 && t.nodes.get(id) != nil
}

// readVars watches all trainable variables among the operands.
func (t *Tape) readVars(c *ir.Call) {
	for _, v := range c.In {
		if r := ir.VarOf(v); r != nil && r.Trainable {
			t.watchVar(r)
		}
	}
}

// noteOperands reads the operands' numbers before one of them becomes the result.
func (ts *Tapes) noteOperands(c *ir.Call) {
	ts.operands = ts.operands[:0]
	for _, v := range c.In {
		ts.operands = append(ts.operands, nodeOf(v))
	}
}

// Record tells the tapes of an op that another emitter (a tracer's) appended.
func (ts *Tapes) Record(c *ir.Call, level ir.Emitter) {
	if len(ts.recording) == 0 {
		return
	}
	if w := ts.watching(c, level); w != 0 {
		ts.noteOperands(c)
		ts.record(c, w)
	}
}

// Producer implements autodiff.Source.
func (t *Tape) Producer(id uint64) *ir.Record {
	if e := t.nodes.get(id); e != nil && !e.source {
		return e.rec
	}
	return nil
}

// Done implements autodiff.Source: a tape that isn't persistent lets the record go.
func (t *Tape) Done(r *ir.Record) {
	if !t.persistent {
		t.remove(r)
	}
}

// Gradient differentiates the sum of targets (weighted by grads, where given)
// and returns the gradient of each source: nil for one that no path reaches, or
// *ir.Slices. The caller owns one reference of each. A tape that isn't persistent
// stops recording and is empty afterwards. Errors stick to the session.
func (t *Tape) Gradient(targets, grads, sources []ir.Value) []ir.Value {
	if !t.persistent && t.on {
		t.Stop()
	}
	t.used = true
	s := t.ts.x.Session
	ts := make([]autodiff.Target, 0, len(targets))
	for i, v := range targets {
		tg := autodiff.Target{ID: t.ts.id(v), Val: v}
		if i < len(grads) {
			tg.Grad = grads[i]
		}
		ts = append(ts, tg)
	}
	ids := make([]uint64, len(sources))
	for i, v := range sources {
		ids[i] = t.ts.id(v)
	}
	out := autodiff.Backprop(s, t, ts, ids)
	if !t.persistent {
		t.clear()
	}
	return out
}

// KeepRecords makes the next Gradient keep the records, as on a persistent tape,
// or not: for one who takes several gradients for one result.
func (t *Tape) KeepRecords(on bool) { t.persistent, t.used = on, false }
