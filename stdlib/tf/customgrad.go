package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tracer"
)

// hostRows call back into script: gradients and functions of its own.
var hostRows = []row{
	{names: "tf.__internal__.record_gradient", sig: "record_gradient(results, inputs, gradients)", fn: listFn(recordGradient)},
	{names: "tf.__internal__.host_call", sig: "host_call(func, inp, Tout, numpy)", fn: listFn(hostCall)},
}

// scriptGradient is the gradient function of a custom gradient.
type scriptGradient struct {
	st *bridge.State
	fn lang.Held
}

// Grads calls the script with the cotangents.
func (f *scriptGradient) Grads(g *ir.Grad, dys []ir.Value) ([]ir.Value, error) {
	if b, ok := g.Session.Emitter.(*ir.Builder); ok {
		defer tracer.Inside(f.st, b)()
	}
	defer f.st.S.Restore(f.st.S.Lend())
	r, err := f.st.Th.Call(f.fn.Value(), heldIR(dys))
	if err != nil {
		return nil, err
	}
	items, err := lang.ToSlice(f.st.Th, r)
	if err != nil {
		return nil, err
	}
	out := make([]ir.Value, len(items))
	for i, it := range items {
		v := it.Value()
		if sl, ok := bridge.AsSlices(v); ok {
			out[i] = sl
			continue
		}
		if v.IsNone() {
			continue
		}
		if out[i], err = f.st.Convert(v, tensor.Invalid); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// heldIR are values as script objects that the collector looks after.
func heldIR(vs []ir.Value) []lang.Value {
	out := fromIR(vs)
	for i, v := range out {
		out[i] = v.Held().Value()
	}
	return out
}

// recordGradient passes results on; their gradient with respect to the inputs is
// what a script function says.
func recordGradient(c *call) []ir.Value {
	var in []ir.Value
	results := c.list(0)
	for _, v := range results {
		in = append(in, c.convert(v, tensor.Invalid))
	}
	for _, v := range c.list(1) {
		if va, ok := bridge.AsVariable(v); ok {
			in = append(in, va.Operand())
			continue
		}
		in = append(in, c.convert(v, tensor.Invalid))
	}
	f := &scriptGradient{st: c.State, fn: c.a[2].Held()}
	return c.all(ops.CustomGradient, &ops.CustomAttrs{N: len(results), Fn: f, Text: "custom_gradient"}, in...)
}

// scriptFunc is the Python function of py_function or numpy_function.
type scriptFunc struct {
	st    *bridge.State
	fn    lang.Held
	out   []ir.Type
	numpy bool
}

// Call runs the function on eager tensors, or on arrays.
func (f *scriptFunc) Call(_ *ir.Env, in []ir.Value) ([]ir.Value, error) {
	args := heldIR(in)
	if f.numpy {
		for i, v := range args {
			if t, ok := bridge.AsTensor(v); ok {
				a, err := f.st.NumPy(t)
				if err != nil {
					return nil, err
				}
				args[i] = a
			}
		}
	}
	outer := f.st.S.Emitter
	f.st.S.Emitter = f.st.X
	defer func() { f.st.S.Emitter = outer }()
	defer f.st.S.Restore(f.st.S.Lend())
	r, err := f.st.Th.Call(f.fn.Value(), args)
	if err != nil {
		return nil, f.hostError(err)
	}
	return f.results(r)
}

func (f *scriptFunc) results(r lang.Value) ([]ir.Value, error) {
	items := []lang.Value{r}
	if s, ok := lang.Sequence(r); ok && len(f.out) != 1 {
		items = lang.Values(s)
	}
	if len(f.out) == 0 {
		return nil, nil
	}
	out := make([]ir.Value, len(items))
	for i, v := range items {
		dt := tensor.Invalid
		if i < len(f.out) && !tensorLike(v) {
			dt = f.out[i].DT
		}
		if v.IsNone() {
			v = lang.NewList()
		}
		x, err := f.st.Convert(v, dt)
		if err != nil {
			return nil, err
		}
		bridge.FromIR(x).Held()
		out[i] = x
	}
	return out, nil
}

// hostError makes a script's exception the error that TensorFlow reports.
func (f *scriptFunc) hostError(err error) error {
	e := lang.AsError(err)
	if e == nil || e.Class().IsSub(bridge.OpError) {
		return err
	}
	text := lang.FormatOnly(f.st.Th, e)
	class := bridge.UnknownError
	switch {
	case e.Class().IsSub(lang.TypeError), e.Class().IsSub(lang.ValueError):
		class = bridge.InvalidArgumentError
	case e.Class().IsSub(lang.NotImplementedError):
		class = bridge.UnimplementedError
	case e.Class().IsSub(lang.MemoryError):
		class = bridge.ResourceExhaustedError
	}
	return f.st.Raise(class, "%s", text)
}

// hostCall emits a call of a Python function.
func hostCall(c *call) []ir.Value {
	var in []ir.Value
	for _, v := range c.list(1) {
		in = append(in, c.convert(v, tensor.Invalid))
	}
	var out []ir.Type
	for _, v := range c.list(2) {
		dt, err := c.AsDType(v)
		c.keep(err)
		out = append(out, ir.Type{DT: dt, Shp: tensor.UnknownShape})
	}
	f := &scriptFunc{st: c.State, fn: c.a[0].Held(), out: out, numpy: c.flag(3)}
	return c.all(ops.EagerPyFunc, &ops.HostAttrs{Fn: f, Out: out, Text: "pyfunc"}, in...)
}
