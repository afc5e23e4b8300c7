package tracer

import (
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/tensor"
)

// loopState is what the record of a loop holds besides.
type loopState struct {
	vars   []code.Var
	init   []lang.Value // structures of the entry values, placeholders included
	syms   []*ir.Sym    // entry values in the outer graph, internal ones first
	shapes []tensor.Shape
	extra  int  // number of internal loop variables
	ranOut bool // an internal flag says that the loop ran
	failed bool // the scratch run is over: its exceptions count again
	lazy   []string

	// for
	src                 ir.Value // tensor to take rows of, nil for tf.range
	start, limit, delta ir.Value

	cond, body *FuncGraph
	opts       loopOptions
}

// endProbe looks at the first value of a while test.
func (s *stage) endProbe(f *lang.Frame) (int, bool, error) {
	v := testValue(f)
	s.enter(s.outer)
	if (&stager{tr: s.tr}).Symbolic(v) {
		s.loop = &loopState{}
		pc, err := s.prepare(f)
		return pc, false, err
	}
	t, err := lang.Truth(s.tr.st.Th, v)
	if !t {
		return int(s.r.Join), true, err
	}
	return int(s.r.Then), true, err
}

// testValue is the operand of the STest in progress.
func testValue(f *lang.Frame) lang.Value { return f.Slot(f.Code().Ins[f.PC()].B) }

func (s *stage) beginFor(f *lang.Frame, v lang.Value) (int, error) {
	l := &loopState{extra: 1}
	s.loop = l
	st := s.tr.st
	x, err := st.Convert(v, tensor.Invalid)
	if err != nil {
		return 0, err
	}
	if start, limit, delta, ok := s.rangeOf(x); ok {
		l.start, l.limit, l.delta = start, limit, delta
		return s.prepare(f)
	}
	if x.Shape().Rank() == 0 {
		return 0, st.Th.ValueErrorf("len requires a non-scalar tensor, got one of shape %s", x.Shape().String())
	}
	sess := st.At()
	l.src = x
	l.start, l.delta = s.int32(0), s.int32(1)
	shape := sess.Emit1(ops.Shape, &ops.ShapeAttrs{}, x)
	l.limit = sess.EmitN(ops.StridedSlice, &ops.SliceAttrs{ShrinkAxis: 1}, shape, ir.IntList(0), ir.IntList(1), ir.IntList(1))
	if err := st.Err(); err != nil {
		return 0, err
	}
	return s.prepare(f)
}

func (s *stage) int32(n int32) ir.Value { return s.tr.st.S.Const(tensor.FromScalar(n)) }

// rangeOf finds the operands of the tf.range that x is, made in this graph or one
// around it.
func (s *stage) rangeOf(x ir.Value) (start, limit, delta ir.Value, ok bool) {
	sym, _ := x.(*ir.Sym)
	sym = origin(sym)
	if sym == nil || sym.Node == nil || sym.Node.Op != ops.Range {
		return nil, nil, nil, false
	}
	in, err := Current(s.tr.st).symbols([]ir.Value{sym.Node.In[0], sym.Node.In[1], sym.Node.In[2]})
	if err != nil {
		return nil, nil, nil, false
	}
	return in[0], in[1], in[2], true
}

// origin follows captures back to where s was made.
func origin(s *ir.Sym) *ir.Sym {
	for s != nil && s.Node == nil {
		g := s.Graph
		i := s.Index - g.NumArgs()
		if i < 0 || i >= len(g.Captures) {
			return s
		}
		o, ok := g.Captures[i].(*ir.Sym)
		if !ok {
			return s
		}
		s = o
	}
	return s
}

// element puts the loop element of the current graph into its slot.
func (s *stage) element(f *lang.Frame, it ir.Value) error {
	if s.r.Kind != code.RegionFor {
		return nil
	}
	st := s.tr.st
	x := it
	if s.loop.src != nil {
		x = st.Gather(s.loop.src, it, 0, 0)
	}
	if err := st.Err(); err != nil {
		return err
	}
	f.SetSlot(s.r.Value, bridge.FromIR(x))
	return nil
}

// prepare reads the entry values. If one is undefined or None the body is traced
// once in a scratch graph to find its type (rule E17).
func (s *stage) prepare(f *lang.Frame) (int, error) {
	l := s.loop
	missing := false
	for i := range s.r.Vars {
		v := s.r.Vars[i]
		x := read(f, &v)
		if x.IsUnbound() && v.Iter && l.src == nil {
			x = bridge.FromIR(l.start) // rule E20
		}
		missing = missing || x.IsUnbound() || x.IsNone()
		l.vars, l.init = append(l.vars, v), append(l.init, x)
	}
	if !missing {
		return s.enterCond(f)
	}
	s.phase = inScratch
	s.enter(s.part("tmp"))
	for i := range l.vars { // numbers will be loop tensors, so they are symbols here too
		if !l.init[i].IsUnbound() && !l.init[i].IsNone() {
			x, err := s.standIn(l.init[i])
			if err != nil {
				return 0, err
			}
			write(f, &l.vars[i], x)
		}
	}
	if s.r.Kind == code.RegionFor {
		it, err := s.sym(l.start)
		if err != nil {
			return 0, err
		}
		if err := s.element(f, it); err != nil {
			return 0, err
		}
	}
	return int(s.r.Then), nil
}

// standIn replaces the Python numbers in v by parameters of the current graph.
func (s *stage) standIn(v lang.Value) (lang.Value, error) {
	g := Current(s.tr.st)
	return s.tr.Map(v, func(x lang.Value) (lang.Value, error) {
		if _, ok := bridge.AsIR(x); ok {
			return x, nil
		}
		if t, ok := s.typeOf(x); ok {
			return g.placeholder("scratch", t).Value(), nil
		}
		return x, nil
	})
}

// endScratch turns what the scratch run found into placeholders; e is what it
// failed with.
func (s *stage) endScratch(f *lang.Frame, e *lang.Exception) (int, error) {
	l, th := s.loop, s.tr.st.Th
	l.failed = true
	found := get(f, l.vars)
	s.enter(s.outer)
	for i := range l.vars {
		if x := l.init[i]; !x.IsUnbound() && !x.IsNone() {
			continue
		}
		name := l.vars[i].Name
		p, ok := s.zeros(found[i])
		switch {
		case e == nil && ok:
			l.lazy = append(l.lazy, name)
			l.init[i] = p
		case name == retval && e == nil:
			return 0, th.ValueErrorf("the return value from a TensorFlow loop may only be a Tensor, int, float, bool or a list, tuple or dict thereof; got nothing")
		case name == retval:
			return 0, th.Raise(lang.NotImplementedError, "a return statement cannot be placed inside this TensorFlow loop; this may happen if a return statement depends on a static Python condition such as a hyperparameter")
		case l.init[i].IsNone():
			return 0, th.ValueErrorf("'%s' is not allowed to be None before the loop.%s", name, note(e))
		default:
			return 0, th.ValueErrorf("'%s' must be defined before the loop.%s", name, note(e))
		}
	}
	l.ranOut = true
	l.extra++
	return s.enterCond(f)
}

func note(e *lang.Exception) string {
	if e == nil {
		return ""
	}
	return "\nNote: tried to define it automatically, but ran into a " + e.Error()
}

// zeros are placeholders of the type of v.
func (s *stage) zeros(v lang.Value) (lang.Value, bool) {
	if v.IsUnbound() || v.IsNone() {
		return v, false
	}
	ok := true
	out, err := s.tr.Map(v, func(x lang.Value) (lang.Value, error) {
		t, known := s.typeOf(x)
		if !known || !t.Shp.RankKnown() || t.DT == tensor.String {
			ok = false
			return x, nil
		}
		dims := append([]int(nil), t.Shp.Dims()...)
		for i := range dims {
			dims[i] = max(dims[i], 0)
		}
		return tensor.Make(t.DT, tensor.ShapeOf(dims...)).Value(), nil
	})
	return out, ok && err == nil
}

// enterCond converts the entry values and starts tracing the condition.
func (s *stage) enterCond(f *lang.Frame) (int, error) {
	l, st := s.loop, s.tr.st
	s.enter(s.outer)
	l.syms = nil
	if s.r.Kind == code.RegionFor {
		start, err := s.sym(l.start)
		if err != nil {
			return 0, err
		}
		l.syms = append(l.syms, start)
	}
	if l.ranOut {
		l.syms = append(l.syms, st.S.Const(tensor.FromScalar(false)).(*ir.Sym))
	}
	for i := range l.vars {
		syms, err := s.symsOf(l.init[i])
		if err != nil {
			return 0, st.Th.TypeErrorf("'%s' cannot be a loop variable: %s", l.vars[i].Name, lang.AsError(err).Error())
		}
		l.syms = append(l.syms, syms...)
	}
	l.shapes = make([]tensor.Shape, len(l.syms))
	for i, x := range l.syms {
		l.shapes[i] = x.Shp
	}
	l.cond = s.part("cond")
	s.enter(l.cond)
	s.phase = inCond
	own, err := s.params(f)
	if err != nil {
		return 0, err
	}
	if s.r.Kind == code.RegionWhile {
		return int(s.r.Else), nil
	}
	t, err := s.forTest(f, own[0])
	if err != nil {
		return 0, err
	}
	l.cond.G.Results = []*ir.Sym{t}
	return s.enterBody(f)
}

// params makes the loop variables parameters of the current graph and binds the
// names to them.
func (s *stage) params(f *lang.Frame) ([]*ir.Sym, error) {
	l, g := s.loop, Current(s.tr.st)
	own := make([]*ir.Sym, len(l.syms))
	for i, x := range l.syms {
		own[i] = g.placeholder("loop", ir.Type{DT: x.DT, Shp: l.shapes[i]})
		own[i].Handle = x.Handle
	}
	set(f, s.r.Mod, s.saved)
	rest := own[l.extra:]
	for i := range l.vars {
		x, more, err := s.packSyms(l.init[i], rest)
		if err != nil {
			return nil, err
		}
		rest = more
		write(f, &l.vars[i], x)
	}
	return own, nil
}

// forTest builds iterate < limit, or > for a negative step, and not flag.
func (s *stage) forTest(f *lang.Frame, it ir.Value) (*ir.Sym, error) {
	l, st := s.loop, s.tr.st
	sess := st.At()
	var t ir.Value
	if neg, known := negative(l.delta); known {
		op := ops.Less
		if neg {
			op = ops.Greater
		}
		t = sess.Emit2(op, nil, it, l.limit)
	} else {
		zero := sess.Const(tensor.Make(l.delta.DType(), tensor.Scalar))
		up := sess.Emit2(ops.LogicalAnd, nil, sess.Emit2(ops.GreaterEqual, nil, l.delta, zero), sess.Emit2(ops.Less, nil, it, l.limit))
		down := sess.Emit2(ops.LogicalAnd, nil, sess.Emit2(ops.Less, nil, l.delta, zero), sess.Emit2(ops.Greater, nil, it, l.limit))
		t = sess.Emit2(ops.LogicalOr, nil, up, down)
	}
	for i := range s.r.Flags {
		flag, err := st.Convert(read(f, &s.r.Flags[i]), tensor.Invalid)
		if err != nil {
			return nil, err
		}
		t = sess.Emit2(ops.LogicalAnd, nil, t, sess.Emit1(ops.LogicalNot, nil, flag))
	}
	if err := st.Err(); err != nil {
		return nil, err
	}
	return s.sym(t)
}

// negative reports the sign of a step whose value is known.
func negative(delta ir.Value) (neg, known bool) {
	s, ok := delta.(*ir.Sym)
	if !ok {
		return false, false
	}
	o := origin(s)
	if o == nil || o.Exact == nil {
		return false, false
	}
	t := o.Exact
	if t.DType().IsFloating() {
		return bridge.LoadFloat(t, 0) < 0, true
	}
	return bridge.LoadInt(t, 0) < 0, true
}

func (s *stage) endCond(f *lang.Frame) (int, error) {
	c, err := s.condition(testValue(f), "while loop")
	if err != nil {
		return 0, err
	}
	s.loop.cond.G.Results = []*ir.Sym{c}
	return s.enterBody(f)
}

func (s *stage) enterBody(f *lang.Frame) (int, error) {
	s.loop.body = s.part("body")
	s.enter(s.loop.body)
	s.phase = inBody
	own, err := s.params(f)
	if err != nil {
		return 0, err
	}
	s.tr.inBody = s
	if s.r.Kind == code.RegionFor {
		if err := s.element(f, own[0]); err != nil {
			return 0, err
		}
	}
	return int(s.r.Then), nil
}

func (s *stage) endBody(f *lang.Frame) (int, bool, error) {
	l, st := s.loop, s.tr.st
	vals := get(f, l.vars)
	var results []ir.Value
	if s.r.Kind == code.RegionFor {
		results = append(results, st.At().Emit2(ops.AddV2, nil, l.body.G.Params[0], l.delta))
	}
	if l.ranOut {
		results = append(results, st.S.Const(tensor.FromScalar(true)))
	}
	if err := st.Err(); err != nil {
		return 0, false, err
	}
	leaf := l.extra
	for i := range l.vars {
		if err := s.verifyLoopVar(l.vars[i].Name, &leaf, l.init[i], vals[i]); err != nil {
			return 0, false, err
		}
		syms, err := s.symsOf(vals[i])
		if err != nil {
			return 0, false, err
		}
		for _, x := range syms {
			results = append(results, x)
		}
	}
	syms, err := l.body.symbols(results)
	if err != nil {
		return 0, false, err
	}
	l.body.G.Results = syms
	out, err := s.emitWhile()
	if err != nil {
		return 0, false, err
	}
	res := make([]lang.Value, len(l.vars))
	for i := range l.vars {
		if res[i], out, err = s.packSyms(l.init[i], out); err != nil {
			return 0, false, err
		}
	}
	return s.finish(f, l.vars, res)
}

// emitWhile appends the While node to the outer graph, and the assertion that a
// loop with names it defines itself ran; it gives the results of the loop's names.
func (s *stage) emitWhile() ([]*ir.Sym, error) {
	l, st := s.loop, s.tr.st
	s.enter(s.outer)
	in := make([]ir.Value, len(l.syms))
	for i, x := range l.syms {
		in[i] = x
	}
	in, err := s.limitTurns(in)
	if err != nil {
		return nil, err
	}
	out, err := emitWhile(st, l.cond, l.body, in)
	if err != nil {
		return nil, err
	}
	if l.ranOut {
		text := "loop must iterate at least once to initialize " + strings.Join(l.lazy, ", ")
		if err := st.Assert(out[l.extra-1], text); err != nil {
			return nil, err
		}
	}
	return out[l.extra:len(l.syms)], nil
}

// emitWhile emits a While on its two graphs, whose results are set.
func emitWhile(st *bridge.State, cond, body *FuncGraph, init []ir.Value) ([]*ir.Sym, error) {
	caps := align(cond, body)
	in := append(append([]ir.Value(nil), init...), caps...)
	sess := st.At()
	sess.Name = "while"
	outs := sess.EmitAll(ops.While, &ir.WhileAttrs{Cond: cond.G, Body: body.G, Carried: len(init)}, in...)
	return asSyms(outs), st.Err()
}

// verifyLoopVar is rule E16.
func (s *stage) verifyLoopVar(name string, leaf *int, before, after lang.Value) error {
	th := s.tr.st.Th
	if after.IsUnbound() || after.IsNone() {
		return th.ValueErrorf("'%s' is None at the end of the iteration.", name)
	}
	if bridge.AssertSame(th, before, after, true) != nil {
		return th.TypeErrorf("'%s' does not have the same nested structure after one iteration.", name)
	}
	la, err := s.tr.Flatten(before)
	if err != nil {
		return err
	}
	lb, err := s.tr.Flatten(after)
	if err != nil {
		return err
	}
	for i := range la {
		a, _ := s.typeOf(la[i])
		b, ok := s.typeOf(lb[i])
		inv, fixed := s.loop.opts.invariants[*leaf]
		*leaf++
		switch {
		case !ok:
			return th.TypeErrorf("'%s' must be a tensor or a number after one iteration, got %s", name, lang.TypeName(lb[i]))
		case a.DT != b.DT:
			return th.TypeErrorf("'%s' has dtype %s before the loop, but dtype %s after one iteration", name, a.DT.Name(), b.DT.Name())
		case fixed && !b.Shp.SubtypeOf(inv):
			return th.ValueErrorf("'%s' has shape %s after one iteration, which does not conform with the shape invariant %s.", name, b.Shp.String(), inv.String())
		case !fixed && !b.Shp.SubtypeOf(a.Shp):
			return th.ValueErrorf("'%s' has shape %s before the loop, but shape %s after one iteration. Use tf.autograph.experimental.set_loop_options to set shape invariants.", name, a.Shp.String(), b.Shp.String())
		}
	}
	return nil
}
