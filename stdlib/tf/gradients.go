package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tracer"
)

// gradientRows are the symbolic gradients of graphs (rule C35).
var gradientRows = []row{
	{names: "tf.gradients", fn: symbolicGradients,
		sig: "gradients(ys, xs, grad_ys=None, name='gradients', gate_gradients=False, aggregation_method=None, stop_gradients=None, unconnected_gradients=None)"},
}

func init() { tables = append(tables, gradientRows) }

// symbolicGradients differentiates by the nodes of the graph; it returns a list.
func symbolicGradients(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := bridge.Of(th)
	g := tracer.Current(st)
	if g == nil {
		return lang.Unbound, th.Raise(lang.RuntimeError, "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.")
	}
	zero, err := wantsZeros(th, a[7])
	if err != nil {
		return lang.Unbound, err
	}
	ys, err := operandsOf(st, a[0], true)
	if err != nil {
		return lang.Unbound, err
	}
	xs, err := operandsOf(st, a[1], false)
	if err != nil {
		return lang.Unbound, err
	}
	dys, err := outputGradients(st, a[2], len(ys))
	if err != nil {
		return lang.Unbound, err
	}
	syms := make([]*ir.Sym, len(xs))
	for i, x := range xs {
		if syms[i], err = g.Lift(x, nil, 0); err != nil {
			return lang.Unbound, st.Exception(err)
		}
	}
	dx := ops.Gradients(st.At(), g.G, ys, dys, syms)
	if err := st.Err(); err != nil {
		return lang.Unbound, err
	}
	out := lang.MakeList(len(dx))
	for i, d := range dx {
		v, err := gradientValue(st, d, xs[i], zero)
		if err != nil {
			return lang.Unbound, err
		}
		out.Append(v)
	}
	return out.Value(), nil
}
