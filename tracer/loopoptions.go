package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// loopOptions are those of tf.autograph.experimental.set_loop_options. The call
// stands first in the body, so that nothing has been computed from the loop
// variables when it runs.
type loopOptions struct {
	invariants map[int]tensor.Shape // by loop symbol
	maximum    lang.Value
	limited    bool // maximum is given
}

// SetLoopOptions applies options to the staged loop whose body is being traced; in
// a loop that Python runs they mean nothing (rule E19).
func (tr *Tracer) SetLoopOptions(invariants, maximum lang.Value) error {
	s := tr.inBody
	if s == nil || Current(tr.st) == nil || s.loop.body != Current(tr.st) {
		return nil
	}
	if !maximum.IsNone() {
		s.loop.opts.maximum, s.loop.opts.limited = maximum, true
	}
	if invariants.IsNone() {
		return nil
	}
	pairs, err := lang.ToSlice(tr.st.Th, invariants)
	if err != nil {
		return err
	}
	for _, p := range pairs {
		pair, ok := lang.Sequence(p.Value())
		if !ok || len(pair) != 2 {
			return tr.st.Th.ValueErrorf("shape_invariants must be a list of pairs of a variable and a shape")
		}
		if err := s.invariant(pair[0].Value(), pair[1].Value()); err != nil {
			return err
		}
	}
	return nil
}

// invariant gives one loop variable, found by identity, a less specific shape.
func (s *stage) invariant(v, shape lang.Value) error {
	l, st := s.loop, s.tr.st
	sh, ok := bridge.IsShape(shape)
	if sp, isSpec := bridge.AsSpec(shape); isSpec {
		sh, ok = sp.Shape, true
	}
	if !ok {
		var err error
		if sh, err = st.AsShape(shape); err != nil {
			return err
		}
	}
	for i, p := range l.body.G.Params[:len(l.syms)] {
		if p.Value() != v {
			continue
		}
		if !l.syms[i].Shp.SubtypeOf(sh) {
			return st.Th.ValueErrorf("'%s' has shape %s before the loop, which does not conform with the shape invariant %s.", s.nameOf(i), l.syms[i].Shp.String(), sh.String())
		}
		if l.opts.invariants == nil {
			l.opts.invariants = map[int]tensor.Shape{}
		}
		l.opts.invariants[i] = sh
		l.shapes[i], p.Shp, l.cond.G.Params[i].Shp = sh, sh, sh
	}
	return nil
}

// nameOf is the script name of a loop symbol.
func (s *stage) nameOf(i int) string {
	at := s.loop.extra
	for k := range s.loop.vars {
		flat, err := s.tr.Flatten(s.loop.init[k])
		if err != nil {
			break
		}
		if at += len(flat); i < at {
			return s.loop.vars[k].Name
		}
	}
	return "loop variable"
}

// limitTurns adds a counter to the loop if there is a maximum of iterations; in are
// the values that enter.
func (s *stage) limitTurns(in []ir.Value) ([]ir.Value, error) {
	l, st := s.loop, s.tr.st
	if !l.opts.limited {
		return in, nil
	}
	sess := st.At()
	s.enter(l.cond)
	n := l.cond.lateParam(len(in), ir.Type{DT: tensor.Int32, Shp: tensor.Scalar})
	most, err := st.Convert(l.opts.maximum, tensor.Int32)
	if err != nil {
		return nil, err
	}
	t := sess.Emit2(ops.LogicalAnd, nil, l.cond.G.Results[0], sess.Emit2(ops.Less, nil, n, most))
	if err := st.Err(); err != nil {
		return nil, err
	}
	if l.cond.G.Results, err = l.cond.symbols([]ir.Value{t}); err != nil {
		return nil, err
	}
	s.enter(l.body)
	n = l.body.lateParam(len(in), ir.Type{DT: tensor.Int32, Shp: tensor.Scalar})
	next := sess.Emit2(ops.AddV2, nil, n, sess.Const(tensor.FromScalar(int32(1))))
	if err := st.Err(); err != nil {
		return nil, err
	}
	more, err := l.body.symbols([]ir.Value{next})
	if err != nil {
		return nil, err
	}
	l.body.G.Results = append(l.body.G.Results, more...)
	s.enter(s.outer)
	return append(in, sess.Const(tensor.FromScalar(int32(0)))), nil
}

// lateParam adds a parameter in front of the captures.
func (g *FuncGraph) lateParam(at int, t ir.Type) *ir.Sym {
	s := g.placeholder("loop", t)
	ps := g.G.Params
	copy(ps[at+1:], ps[at:len(ps)-1])
	ps[at] = s
	for i, p := range ps {
		p.Index = i
	}
	return s
}
