package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// Texts of rules D29 and D31.
const (
	singletonText = "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only created once or created outside tf.function. " +
		"See https://www.tensorflow.org/guide/function#creating_tfvariables for more information."
	nonFirstText = "Creating variables on a non-first call to a function decorated with tf.function."
)

// MayCreate says whether a tf.Variable may be made now: always in eager code, on
// the first call of a function while tracing.
func MayCreate(st *bridge.State) error {
	g := Current(st)
	if g == nil || g.Fn == nil {
		return nil
	}
	switch t := g.Fn.root(); {
	case t.mayCreate:
		return nil
	case t.fn.creates && !t.fn.settled:
		return st.Th.ValueErrorf(singletonText)
	default:
		return st.Th.ValueErrorf(nonFirstText)
	}
}

// root is the trace of the outermost function that may create: variables of an
// inner function belong to its own first call.
func (t *trace) root() *trace { return t }

// Made tells the trace of a variable whose initial value is a symbol (or an eager
// tensor): it gets its value when the trace is done.
func Made(st *bridge.State, v *bridge.Variable, init ir.Value) {
	if g := Current(st); g != nil && g.Fn != nil {
		g.Fn.made = append(g.Fn.made, pending{v, init})
	}
}

// initialise computes the initial values of the variables that the trace made, in
// their order, from the arguments of the call.
func (t *trace) initialise(cf *ConcreteFunction, b *bound) error {
	st := t.tr.st
	for _, p := range t.made {
		val, err := t.evaluate(cf, b, p.init)
		if err != nil {
			return err
		}
		st.At().EmitN(ops.AssignVariableOp, nil, p.v.Var, val)
		if err := st.Err(); err != nil {
			return err
		}
	}
	return nil
}

// evaluate runs as much of the graph as v needs.
func (t *trace) evaluate(cf *ConcreteFunction, b *bound, v ir.Value) (ir.Value, error) {
	st := t.tr.st
	if x, ok := v.(*tensor.Tensor); ok {
		return x, nil
	}
	syms, err := t.g.symbols([]ir.Value{v})
	if err != nil {
		return nil, err
	}
	part := *t.g.G // the same nodes with another result; what it doesn't need is not run
	part.Results, part.Plan, part.Deriv = syms, nil, nil
	part.Nodes = ancestors(part.Nodes, syms)
	in, err := inputs(st, cf.key, b.vals, nil)
	if err != nil {
		return nil, err
	}
	in = append(in, t.g.G.Captures...)
	x := st.At().EmitN(ops.Call, &ir.CallAttrs{Body: &part}, in...)
	return x, st.Err()
}

// InitScope is a stay in eager code in the middle of a trace (tf.init_scope, rule
// B13): what it will put back.
type InitScope struct {
	emitter ir.Emitter
	stager  lang.Stager
	tapes   []*exec.Tape
}

// EnterInitScope leaves the trace for eager code.
func EnterInitScope(st *bridge.State) InitScope {
	s := InitScope{st.S.Emitter, st.Th.Stager, st.X.Tapes.StopAll()}
	st.S.Emitter, st.Th.Stager = st.X, nil
	return s
}

// Leave goes back to the trace.
func (s InitScope) Leave(st *bridge.State) {
	st.S.Emitter, st.Th.Stager = s.emitter, s.stager
	exec.ResumeAll(s.tapes)
}

// ancestors are those of nodes that syms are computed from: effects that stand
// between them are left out.
func ancestors(nodes []*ir.Node, syms []*ir.Sym) []*ir.Node {
	need := map[*ir.Node]bool{}
	for _, s := range syms {
		need[s.Node] = true
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		if need[nodes[i]] {
			for _, in := range nodes[i].In {
				need[in.Node] = true
			}
		}
	}
	var out []*ir.Node
	for _, n := range nodes {
		if need[n] {
			out = append(out, n)
		}
	}
	return out
}
