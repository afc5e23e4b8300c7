package exec

import (
	"slices"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
	"github.com/tfs-lang/tfs/tensor"
)

// Accumulator is forward-mode differentiation: the derivative of what is computed
// from the primals in the direction of the tangents. It is the double backward of
// the gradient rules: the backward pass vjp(u) is linear in its upstream gradient u,
// so its own backward pass, with the tangents as upstream gradients, is the forward
// derivative.
type Accumulator struct {
	x        *Context
	tape     *Tape
	outer    []*Tape // that recorded when this one began: they see its derivatives
	primals  []ir.Value
	tangents []ir.Value
}

// NewAccumulator returns one that doesn't record yet. Primals and tangents are
// held, and agree in number and type.
func (x *Context) NewAccumulator(primals, tangents []ir.Value) *Accumulator {
	for _, v := range append(primals[:len(primals):len(primals)], tangents...) {
		x.Hold(v)
	}
	t := x.NewTape(true, false)
	t.forward = true
	return &Accumulator{x: x, tape: t, primals: primals, tangents: tangents}
}

// Recording reports that ops are tracked now.
func (a *Accumulator) Recording() bool { return a.tape.Recording() }

// Start tracks ops from now on; after Stop it may be started again.
func (a *Accumulator) Start() {
	a.outer = slices.Clone(a.tape.ts.recording)
	a.tape.Start()
	for _, p := range a.primals {
		a.tape.Watch(p)
	}
}

// Stop ends the tracking.
func (a *Accumulator) Stop() { a.tape.Stop() }

// JVP is the derivative of target in the direction of the tangents, nil if target
// doesn't depend on a primal. It is computed when it is asked for, but recorded as
// if it had been computed together with target: by the tapes around the accumulator,
// also by those that have ended since. The caller owns its one reference. Errors
// stick to the session.
func (a *Accumulator) JVP(target ir.Value) ir.Value {
	if i := a.primal(target); i >= 0 {
		a.x.Keep(a.tangents[i])
		return a.tangents[i]
	}
	if !target.DType().Differentiable() || !a.tape.Watching(target) {
		return nil
	}
	ts := &a.x.Tapes
	recording := ts.recording
	ts.recording = slices.DeleteFunc(slices.Clone(a.outer), (*Tape).Used)
	defer func() { ts.recording = recording }()
	return a.transposed(target)
}

// primal is the index of target among the primals, -1 if it is none.
func (a *Accumulator) primal(target ir.Value) int {
	if target.DType() == tensor.Resources {
		v := ir.VarOf(target)
		return slices.IndexFunc(a.primals, func(p ir.Value) bool { return v != nil && ir.VarOf(p) == v })
	}
	return slices.Index(a.primals, target)
}

// transposed is the backward pass of the backward pass.
func (a *Accumulator) transposed(target ir.Value) ir.Value {
	s := a.x.Session
	sc := s.Begin()
	up := a.x.NewTape(false, false)
	up.Start()
	u := s.Emit1(ir.FindOp("OnesLike"), nil, target)
	up.Watch(u)
	var grads, tangents []ir.Value
	for i, g := range a.tape.Gradient([]ir.Value{target}, []ir.Value{u}, a.primals) {
		if sl, ok := g.(*ir.Slices); ok {
			g = autodiff.Dense(s, sl)
		}
		if g != nil {
			grads, tangents = append(grads, g), append(tangents, a.tangents[i])
		}
	}
	up.Stop()
	var out ir.Value
	if len(grads) > 0 && !s.Failed() {
		out = up.Gradient(grads, tangents, []ir.Value{u})[0]
		if sl, ok := out.(*ir.Slices); ok {
			out = autodiff.Dense(s, sl)
		}
	}
	s.End(sc, out)
	return out
}
