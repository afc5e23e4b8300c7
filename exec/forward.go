package exec

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/autodiff"
)

// Accumulator is forward-mode differentiation: the derivative of what is computed
// from the primals in the direction of the tangents. It is the double backward of
// the gradient rules: the backward pass is linear in its upstream gradient u, so
// the derivative of <vjp(u), tangents> in u is the forward derivative.
type Accumulator struct {
	x        *Context
	tape     *Tape
	primals  []ir.Value
	tangents []ir.Value
}

// NewAccumulator returns one that doesn't record yet. Primals and tangents are
// held, and agree in number and type.
func (x *Context) NewAccumulator(primals, tangents []ir.Value) *Accumulator {
	for _, v := range append(primals[:len(primals):len(primals)], tangents...) {
		x.Hold(v)
	}
	return &Accumulator{x: x, tape: x.NewTape(true, false), primals: primals, tangents: tangents}
}

// Recording reports that ops are tracked now.
func (a *Accumulator) Recording() bool { return a.tape.Recording() }

// Start tracks ops from now on; after Stop it may be started again.
func (a *Accumulator) Start() {
	a.tape.Start()
	for _, p := range a.primals {
		a.tape.Watch(p)
	}
}

// Stop ends the tracking.
func (a *Accumulator) Stop() { a.tape.Stop() }

// JVP is the derivative of target in the direction of the tangents, nil if target
// doesn't depend on a primal. The caller owns its one reference. Errors stick to
// the session.
func (a *Accumulator) JVP(target ir.Value) ir.Value {
	if !target.DType().Differentiable() || !a.tape.Watching(target) {
		return nil
	}
	s := a.x.Session
	on := a.tape.on
	if on { // the passes below are not part of what is differentiated
		a.tape.Pause()
		defer a.tape.Resume()
	}
	sc := s.Begin()
	up := a.x.NewTape(false, false)
	up.Start()
	u := s.Emit1(ir.FindOp("OnesLike"), nil, target)
	up.Watch(u)
	dot := a.dot(a.tape.Gradient([]ir.Value{target}, []ir.Value{u}, a.primals))
	up.Stop()
	var out ir.Value
	if dot != nil && !s.Failed() {
		out = up.Gradient([]ir.Value{dot}, nil, []ir.Value{u})[0]
		if sl, ok := out.(*ir.Slices); ok {
			out = autodiff.Dense(s, sl)
		}
	}
	s.End(sc, out)
	return out
}

// dot is the sum of the products of gradients and tangents, nil if there is none.
func (a *Accumulator) dot(grads []ir.Value) ir.Value {
	s := a.x.Session
	mul, add, sum := ir.FindOp("Mul"), ir.FindOp("AddV2"), ir.FindOp("Sum")
	var dot ir.Value
	for i, g := range grads {
		if g == nil {
			continue
		}
		if sl, ok := g.(*ir.Slices); ok {
			g = autodiff.Dense(s, sl)
		}
		flat := s.Emit2(ir.FindOp("Reshape"), nil, s.Emit2(mul, nil, g, a.tangents[i]), ir.IntList(-1))
		p := s.Emit2(sum, sum.NewAttrs(), flat, ir.IntList(0))
		if dot == nil {
			dot = p
		} else {
			dot = s.Emit2(add, nil, dot, p)
		}
	}
	return dot
}
