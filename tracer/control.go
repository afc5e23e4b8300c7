package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// part is a callable traced into a graph of its own: a branch, a test, a body.
type part struct {
	g   *FuncGraph
	out lang.Value // what it returned
}

// tracePart calls f in a new graph inside the current one; args makes what it is
// called with.
func (tr *Tracer) tracePart(title string, f lang.Value, args func(g *FuncGraph) ([]lang.Value, error)) (*part, error) {
	st := tr.st
	if err := st.Th.Enter(" while tracing control flow"); err != nil {
		return nil, err
	}
	defer st.Th.Leave()
	p := &part{g: newFuncGraph(st, title, Current(st), true)}
	callee, err := tr.convertHere(f)
	if err != nil {
		return nil, err
	}
	p.g.enter()
	defer p.g.leave()
	var in []lang.Value
	if args != nil {
		if in, err = args(p.g); err != nil {
			return nil, err
		}
	}
	p.out, err = st.Th.Call(callee, in)
	return p, err
}

// convertHere is the converted form of f, if the function being traced converts.
func (tr *Tracer) convertHere(f lang.Value) (lang.Value, error) {
	if g := Current(tr.st); g == nil || g.Fn == nil || g.Fn.fn == nil || g.Fn.fn.opts.NoAutograph {
		return f, nil
	}
	return tr.Convert(f)
}

// results makes the graph's results of what the part returned; None has none.
func (p *part) results(tr *Tracer) error {
	p.g.enter()
	defer p.g.leave()
	flat, err := tr.Flatten(p.out)
	if err != nil {
		return err
	}
	p.g.G.Results = nil
	for _, v := range flat {
		if v.IsNone() {
			continue
		}
		x, err := tr.st.Convert(v, tensor.Invalid)
		if err != nil {
			return err
		}
		syms, err := p.g.symbols([]ir.Value{x})
		if err != nil {
			return err
		}
		p.g.G.Results = append(p.g.G.Results, syms...)
	}
	return nil
}

// refill puts results into the structure that a part returned.
func (tr *Tracer) refill(like lang.Value, outs []ir.Value) (lang.Value, error) {
	return tr.Map(like, func(v lang.Value) (lang.Value, error) {
		if v.IsNone() {
			return v, nil
		}
		x := outs[0]
		outs = outs[1:]
		return bridge.FromIR(x), nil
	})
}

// predicate is the operand of a condition. What is no bool scalar fails when the
// graph runs (rule F1).
func (tr *Tracer) predicate(x ir.Value, what string) (ir.Value, error) {
	st := tr.st
	if x.DType() == tensor.Bool && (!x.Shape().RankKnown() || x.Shape().Rank() == 0) {
		return x, nil
	}
	never := st.S.Const(tensor.FromScalar(false))
	err := st.Assert(never, what+" must be a scalar of dtype bool, got "+x.DType().Name()+" of shape "+x.Shape().String())
	return never, err
}

// Branches is tf.cond (pred and two callables) or tf.switch_case (index and any
// number) in a graph (rules F1, F2).
func (tr *Tracer) Branches(selector lang.Value, isCond bool, fns []lang.Value) (lang.Value, error) {
	st := tr.st
	x, err := st.Convert(selector, tensor.Invalid)
	if err != nil {
		return lang.Unbound, err
	}
	if isCond {
		if x, err = tr.predicate(x, "The predicate of tf.cond"); err != nil {
			return lang.Unbound, err
		}
	}
	parts := make([]*part, len(fns))
	for i, f := range fns {
		if parts[i], err = tr.tracePart("branch", f, nil); err != nil {
			return lang.Unbound, err
		}
		if err := parts[i].results(tr); err != nil {
			return lang.Unbound, err
		}
	}
	for _, p := range parts[1:] {
		if err := tr.sameBranches(parts[0], p, isCond); err != nil {
			return lang.Unbound, err
		}
	}
	outs, err := tr.emitBranches(x, isCond, parts)
	if err != nil {
		return lang.Unbound, err
	}
	return tr.refill(parts[0].out, outs)
}

func (tr *Tracer) emitBranches(x ir.Value, isCond bool, parts []*part) ([]ir.Value, error) {
	if isCond {
		syms, err := emitIf(tr.st, x, parts[0].g, parts[1].g)
		return valuesOf(syms), err
	}
	graphs := make([]*FuncGraph, len(parts))
	attrs := &ir.CaseAttrs{}
	for i, p := range parts {
		graphs[i] = p.g
		attrs.Branches = append(attrs.Branches, p.g.G)
	}
	caps := align(graphs...)
	sess := tr.st.At()
	sess.Name = "switch_case"
	outs := sess.EmitAll(ops.Case, attrs, append([]ir.Value{x}, caps...)...)
	return outs, tr.st.Err()
}

func valuesOf(syms []*ir.Sym) []ir.Value {
	out := make([]ir.Value, len(syms))
	for i, s := range syms {
		out[i] = s
	}
	return out
}

// sameBranches compares what two branches returned.
func (tr *Tracer) sameBranches(a, b *part, isCond bool) error {
	th := tr.st.Th
	what := "true_fn and false_fn arguments to tf.cond"
	if !isCond {
		what = "branch_fns arguments to tf.switch_case"
	}
	if a.out.IsNone() != b.out.IsNone() {
		return th.ValueErrorf("Lengths of branch outputs of cond must match.\nlen(graphs[0].outputs): %d\nlen(graphs[1].outputs): %d\n", len(a.g.G.Results), len(b.g.G.Results))
	}
	if len(a.g.G.Results) != len(b.g.G.Results) {
		return th.Raise(lang.AssertionError, "")
	}
	if err := bridge.AssertSame(th, a.out, b.out, true); err != nil {
		return th.TypeErrorf("%s must have the same number, type, and overall structure of return values.\n\n%s", what, lang.AsError(err).Error())
	}
	for i, x := range a.g.G.Results {
		if y := b.g.G.Results[i]; x.DT != y.DT {
			return th.TypeErrorf("%s must have the same number, type, and overall structure of return values.\n\ntrue_fn output:  %s\nfalse_fn output: %s\n\nError details:\n"+
				"Tensor %s and %s have different types", what, x.DT.Name(), y.DT.Name(), x.Name(), y.Name())
		}
	}
	return nil
}

// Loop is tf.while_loop in a graph (rule F5).
type Loop struct {
	Cond, Body, Vars     lang.Value
	Invariants, MaxTurns lang.Value // None without
	tr                   *Tracer
	init                 []*ir.Sym
	shapes               []tensor.Shape
}

// While traces and emits the loop.
func (tr *Tracer) While(l *Loop) (lang.Value, error) {
	l.tr = tr
	if err := l.readVars(); err != nil {
		return lang.Unbound, err
	}
	cond, err := tr.tracePart("while_cond", l.Cond, l.params)
	if err == nil {
		err = l.test(cond)
	}
	if err != nil {
		return lang.Unbound, err
	}
	body, err := tr.tracePart("while_body", l.Body, l.params)
	if err == nil {
		err = l.after(body)
	}
	if err != nil {
		return lang.Unbound, err
	}
	outs, err := emitWhile(tr.st, cond.g, body.g, valuesOf(l.init))
	if err != nil {
		return lang.Unbound, err
	}
	return tr.refill(l.Vars, valuesOf(outs[l.counters():]))
}

// counters is the number of loop variables that the script doesn't see.
func (l *Loop) counters() int {
	if l.MaxTurns.IsNone() {
		return 0
	}
	return 1
}

func (l *Loop) readVars() error {
	tr := l.tr
	flat, err := tr.Flatten(l.Vars)
	if err != nil {
		return err
	}
	vals := make([]ir.Value, 0, len(flat)+1)
	if l.counters() > 0 {
		vals = append(vals, tr.st.S.Const(tensor.FromScalar(int32(0))))
	}
	for _, v := range flat {
		x, err := tr.st.Convert(v, tensor.Invalid)
		if err != nil {
			return err
		}
		vals = append(vals, x)
	}
	if l.init, err = Current(tr.st).symbols(vals); err != nil {
		return err
	}
	for _, s := range l.init {
		l.shapes = append(l.shapes, s.Shp)
	}
	return l.readInvariants()
}

func (l *Loop) readInvariants() error {
	if l.Invariants.IsNone() {
		return nil
	}
	st := l.tr.st
	flat, err := bridge.Flatten(st.Th, l.Invariants)
	if err != nil {
		return err
	}
	if n := len(l.init) - l.counters(); len(flat) != n {
		return st.Th.ValueErrorf("The two structures don't have the same nested structure: %d shape_invariants for %d loop variables.", len(flat), n)
	}
	for i, v := range flat {
		k := i + l.counters()
		s, isShape := bridge.IsShape(v)
		if sp, ok := bridge.AsSpec(v); ok {
			s, isShape = sp.Shape, true
		}
		if !isShape || l.init[k].DT == tensor.Variant {
			continue
		}
		l.shapes[k] = s
	}
	return nil
}

// params makes the loop variables parameters of g.
func (l *Loop) params(g *FuncGraph) ([]lang.Value, error) {
	own := make([]ir.Value, len(l.init))
	for i, x := range l.init {
		s := g.placeholder("loop", ir.Type{DT: x.DT, Shp: l.shapes[i]})
		s.Handle = x.Handle
		own[i] = s
	}
	v, err := l.tr.refill(l.Vars, own[l.counters():])
	if err != nil {
		return nil, err
	}
	items, _ := lang.Sequence(v)
	return lang.Values(items), nil
}

// test makes the condition graph's result.
func (l *Loop) test(p *part) error {
	tr := l.tr
	p.g.enter()
	defer p.g.leave()
	flat, err := bridge.Flatten(tr.st.Th, p.out)
	if err != nil {
		return err
	}
	if len(flat) != 1 {
		return tr.st.Th.TypeErrorf("cond must return a single boolean")
	}
	x, err := tr.st.Convert(flat[0], tensor.Invalid)
	if err == nil {
		x, err = tr.predicate(x, "The condition of tf.while_loop")
	}
	if err != nil {
		return err
	}
	if l.counters() > 0 {
		m, err := tr.st.Convert(l.MaxTurns, tensor.Invalid)
		if err != nil {
			return err
		}
		sess := tr.st.At()
		x = sess.Emit2(ops.LogicalAnd, nil, x, sess.Emit2(ops.Less, nil, p.g.G.Params[0], tr.st.Cast(m, tensor.Int32)))
		if err := tr.st.Err(); err != nil {
			return err
		}
	}
	syms, err := p.g.symbols([]ir.Value{x})
	p.g.G.Results = syms
	return err
}

// after checks and sets the results of the body.
func (l *Loop) after(p *part) error {
	tr, th := l.tr, l.tr.st.Th
	if !bridge.IsNested(p.out) {
		p.out = lang.NewList(p.out)
	}
	if err := bridge.AssertSame(th, p.out, l.Vars, false); err != nil {
		return err
	}
	if err := p.results(tr); err != nil {
		return err
	}
	if l.counters() > 0 {
		p.g.enter()
		next := tr.st.At().Emit2(ops.AddV2, nil, p.g.G.Params[0], tr.st.S.Const(tensor.FromScalar(int32(1))))
		p.g.leave()
		if err := tr.st.Err(); err != nil {
			return err
		}
		p.g.G.Results = append([]*ir.Sym{next.(*ir.Sym)}, p.g.G.Results...)
	}
	if len(p.g.G.Results) != len(l.init) {
		return th.ValueErrorf("The two structures don't have the same nested structure.")
	}
	for i, x := range l.init {
		switch y := p.g.G.Results[i]; {
		case x.DT != y.DT:
			return th.TypeErrorf("Loop var %s enters the loop with type <dtype: '%s'> but has type <dtype: '%s'> after 1 iteration.", x.Name(), x.DT.Name(), y.DT.Name())
		case !y.Shp.SubtypeOf(l.shapes[i]):
			return th.ValueErrorf("Input tensor `%s` enters the loop with shape %s, but has shape %s after one iteration. To allow the shape to vary across iterations, "+
				"use the `shape_invariants` argument of tf.while_loop to specify a less-specific shape.", x.Name(), l.shapes[i].String(), y.Shp.String())
		}
	}
	return nil
}

// Converted is the converted form of a function that library code is going to call
// while tracing; in eager code the function itself.
func (tr *Tracer) Converted(f lang.Value) (lang.Value, error) { return tr.convertHere(f) }
