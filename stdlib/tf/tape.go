package tf

import (
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tracer"
)

// tapeClass is tf.GradientTape.
var tapeClass = lang.NewPythonClass("GradientTape", "tensorflow.python.eager.backprop", value0, lang.ObjectClass)

// value0 is the kind of objects without a fast path.
const value0 = value.KindOther

// tape is a tf.GradientTape as a script object. t is nil until it is entered.
type tape struct {
	value.Header
	t          *exec.Tape
	persistent bool
	watchVars  bool
	warned     bool
}

var tapeRows = []row{}

func tapeOf(v lang.Value) *tape { return (*tape)(unsafe.Pointer(v.P)) }

func init() {
	tapeClass.New = &lang.Def{Sig: "__init__(cls, persistent=False, watch_accessed_variables=True)", Fn: tapeNew, Flags: lang.DefPython}
	lang.DefineMethods(tapeClass, []lang.Def{
		{Sig: "__enter__(self)", Fn: tapeEnter},
		{Sig: "__exit__(self, typ=None, value=None, traceback=None)", Fn: tapeExit},
		{Sig: "watch(self, tensor)", Flags: lang.DefPython, Fn: tapeWatch},
		{Sig: "reset(self)", Flags: lang.DefPython, Fn: tapeReset},
		{Sig: "watched_variables(self)", Flags: lang.DefPython, Fn: tapeWatched},
		{Sig: "_push_tape(self)", Flags: lang.DefPython, Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return tapeEnter(th, a) }},
		{Sig: "_pop_tape(self)", Flags: lang.DefPython, Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			return tapeExit(th, []lang.Value{a[0], lang.None, lang.None, lang.None})
		}},
		{Sig: "stop_recording(self)", Flags: lang.DefPython, Fn: tapeStopRecording},
		{Sig: "gradient(self, target, sources, output_gradients=None, unconnected_gradients=None)", Flags: lang.DefPython, Fn: tapeGradient},
		{Sig: "jacobian(self, target, sources, unconnected_gradients=None, parallel_iterations=None, experimental_use_pfor=True)", Flags: lang.DefPython, Fn: tapeJacobian},
		{Sig: "batch_jacobian(self, target, source, unconnected_gradients=None, parallel_iterations=None, experimental_use_pfor=True)", Flags: lang.DefPython, Fn: tapeBatchJacobian},
	})
	classConstants = append(classConstants, fixed("tf.GradientTape tf.autodiff.GradientTape", tapeClass.Value()))
}

func tapeNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	p, err := lang.Truth(th, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	w, err := lang.Truth(th, a[2])
	t := &tape{Header: value.Header{Type: &tapeClass.Type, Kind: value.KindOther}, persistent: p, watchVars: w}
	return value.Of(&t.Header), err
}

func tapeEnter(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t, st := tapeOf(a[0]), bridge.Of(th)
	if t.t != nil && t.t.Recording() {
		return lang.Unbound, th.ValueErrorf("Tape is still recording, This can happen if you try to re-enter an already-active tape.")
	}
	if t.t == nil {
		t.t = st.X.NewTape(t.persistent, t.watchVars)
	}
	t.t.Start()
	return a[0], nil
}

func tapeExit(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	if t := tapeOf(a[0]); t.t != nil && t.t.Recording() {
		t.t.Stop()
	}
	return lang.None, nil
}

// tapeWatch watches the tensors of a structure (rules C2 to C4).
func tapeWatch(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t, st := tapeOf(a[0]), bridge.Of(th)
	flat, err := bridge.Flatten(th, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	for _, v := range flat {
		x, ok := watchable(v)
		if !ok {
			text, err := lang.Repr(th, v)
			if err != nil {
				return lang.Unbound, err
			}
			return lang.Unbound, th.ValueErrorf("Passed in object %s of type '%s', not tf.Tensor or tf.Variable or ExtensionType.", text, lang.ClassOf(v).Name)
		}
		if t.t == nil {
			return lang.Unbound, th.Raise(lang.AttributeError, "'NoneType' object has no attribute '_tape'")
		}
		dt := x.DType()
		if va, isVar := bridge.AsVariable(v); isVar {
			dt = va.Res.DType
		}
		if !dt.Differentiable() {
			st.Log("WARNING", "The dtype of the watched tensor must be floating (e.g. tf.float32), got tf."+dt.Name(), 5)
			continue
		}
		if x, err = inGraph(st, x); err != nil {
			return lang.Unbound, err
		}
		t.t.Watch(x)
	}
	return lang.None, nil
}

// inGraph is an eager tensor, or a symbol of a graph around, as a symbol of the
// graph being traced: that is what ops there read. Other values are as they are.
func inGraph(st *bridge.State, x ir.Value) (ir.Value, error) {
	g := tracer.Current(st)
	if g == nil || x.DType() == tensor.Resources {
		return x, nil
	}
	s, err := g.Lift(x, nil, 0)
	if err != nil {
		return nil, st.Exception(err)
	}
	return s, nil
}

// watchable is v as something that a tape can watch.
func watchable(v lang.Value) (ir.Value, bool) {
	if x, ok := bridge.AsIR(v); ok {
		return x, true
	}
	if va, ok := bridge.AsVariable(v); ok {
		return va.Operand(), true
	}
	return nil, false
}

func tapeReset(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t := tapeOf(a[0])
	if t.t == nil || !t.t.Recording() {
		return lang.Unbound, th.ValueErrorf("Tape is not recording.")
	}
	t.t.Reset()
	return lang.None, nil
}

func tapeWatched(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t := tapeOf(a[0])
	if t.t == nil {
		return lang.NewTuple(), nil
	}
	var out []lang.Value
	for _, v := range t.t.WatchedVariables() {
		out = append(out, variableObject(v))
	}
	return lang.NewTuple(out...), nil
}

// variableObject is a script object for a variable that a tape knows.
func variableObject(v *ir.Var) lang.Value {
	if o, ok := v.Object.(*bridge.Variable); ok {
		return o.Value()
	}
	return bridge.NewVariable(v, v.Res.Name).Value()
}

// paused is the context manager of stop_recording.
type paused struct {
	value.Header
	of *tape
}

var pausedClass = lang.NewPythonClass("_StopRecording", "tensorflow.python.eager.backprop", value.KindOther)

func init() {
	lang.DefineMethods(pausedClass, []lang.Def{
		{Sig: "__enter__(self)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
			p := (*paused)(a[0].P)
			if p.of.t == nil || !p.of.t.Recording() {
				return lang.Unbound, th.Raise(lang.RuntimeError, "Trying to stop recording a tape which is not recording.")
			}
			p.of.t.Pause()
			return lang.None, nil
		}},
		{Sig: "__exit__(self, *args)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
			(*paused)(a[0].P).of.t.Resume()
			return lang.None, nil
		}},
	})
}

func tapeStopRecording(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	p := &paused{value.Header{Type: &pausedClass.Type, Kind: value.KindOther}, tapeOf(a[0])}
	return value.Of(&p.Header), nil
}

// zeros reports the UnconnectedGradients argument (rule C20).
func wantsZeros(th *lang.Thread, v lang.Value) (bool, error) {
	if v.IsNone() {
		return false, nil
	}
	if x, found, err := lang.AttrOr(th, v, "value"); err == nil && found {
		v = x
	}
	s, ok := lang.AsStr(v)
	if ok && (s.String() == "none" || s.String() == "zero") {
		return s.String() == "zero", nil
	}
	text, err := lang.Repr(th, v)
	if err != nil {
		return false, err
	}
	return false, th.ValueErrorf("Unknown value for unconnected_gradients: %s", text)
}

// usable refuses a tape that was never entered or has given its gradients.
func (t *tape) usable(th *lang.Thread) error {
	if t.t == nil {
		return th.Raise(lang.RuntimeError, "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
	}
	if t.t.Used() {
		return th.Raise(lang.RuntimeError, "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)")
	}
	return nil
}

// warnPersistent is the one warning of rule C16.
func (t *tape) warnPersistent(st *bridge.State) {
	if t.persistent && t.t.Recording() && !t.warned {
		t.warned = true
		st.Log("WARNING", "Calling GradientTape.gradient on a persistent tape inside its context is significantly less efficient than calling it outside the context (it causes the gradient ops to be recorded on the tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside the context if you actually want to trace the gradient in order to compute higher order derivatives.", 1)
	}
}

func tapeGradient(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	t, st := tapeOf(a[0]), bridge.Of(th)
	if err := t.usable(th); err != nil {
		return lang.Unbound, err
	}
	zero, err := wantsZeros(th, a[4])
	if err != nil {
		return lang.Unbound, err
	}
	t.warnPersistent(st)
	targets, err := t.targets(st, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	sources, err := operandsOf(st, a[2], false)
	if err != nil {
		return lang.Unbound, err
	}
	grads, err := outputGradients(st, a[3], len(targets))
	if err != nil {
		return lang.Unbound, err
	}
	if len(targets) == 0 {
		return eachSource(th, a[2], func(int) (lang.Value, error) { return lang.None, nil })
	}
	dx := t.t.Gradient(targets, grads, sources)
	if err := st.Err(); err != nil {
		return lang.Unbound, err
	}
	return eachSource(th, a[2], func(i int) (lang.Value, error) {
		return gradientValue(st, dx[i], sources[i], zero)
	})
}

// targets are the tensors of a target argument. The tape records the reads of
// variables among them, so that a variable leads to itself.
func (t *tape) targets(st *bridge.State, v lang.Value) ([]ir.Value, error) {
	if _, isVar := bridge.AsVariable(v); (isVar || bridge.IsNested(v)) && !t.t.Recording() {
		t.t.Start()
		defer t.t.Stop()
	}
	return operandsOf(st, v, true)
}

// gradientValue is one result: None or zeros where no path leads.
func gradientValue(st *bridge.State, dx, source ir.Value, zero bool) (lang.Value, error) {
	if dx != nil {
		return bridge.FromIR(dx), nil
	}
	if !zero {
		return lang.None, nil
	}
	x := source
	if x.DType() == tensor.Resources {
		x = st.At().Emit1(ops.ReadVariableOp, nil, source)
	}
	return st.Result(st.At().Emit1(ops.ZerosLike, nil, x))
}

// eachSource packs results into the structure of the sources.
func eachSource(th *lang.Thread, sources lang.Value, f func(i int) (lang.Value, error)) (lang.Value, error) {
	i := -1
	return bridge.Map(th, sources, func(lang.Value) (lang.Value, error) {
		i++
		return f(i)
	})
}

// operandsOf lists the tensors of a target or source argument. A variable as target
// is read; as source it is its handle.
func operandsOf(st *bridge.State, v lang.Value, target bool) ([]ir.Value, error) {
	th := st.Th
	flat, err := bridge.Flatten(th, v)
	if err != nil {
		return nil, err
	}
	out := make([]ir.Value, len(flat))
	for i, x := range flat {
		if va, ok := bridge.AsVariable(x); ok {
			if out[i] = va.Operand(); target {
				out[i] = va.Read(st)
			}
			continue
		}
		y, ok := bridge.AsIR(x)
		if sl, isSlices := bridge.AsSlices(x); isSlices {
			y, ok = sl.Values, true
		}
		switch {
		case x.IsNone():
			return nil, th.TypeErrorf("Cannot convert the argument `type_value`: None to a TensorFlow DType.")
		case !ok:
			return nil, th.Raise(lang.AttributeError, "'%s' object has no attribute 'dtype'", lang.TypeName(x))
		}
		if out[i], err = inGraph(st, y); err != nil {
			return nil, err
		}
	}
	return out, st.Err()
}

// outputGradients are the upstream gradients, paired with the flattened targets
// (rule C14).
func outputGradients(st *bridge.State, v lang.Value, n int) ([]ir.Value, error) {
	if v.IsNone() {
		return nil, nil
	}
	flat, err := bridge.Flatten(st.Th, v)
	if err != nil {
		return nil, err
	}
	var out []ir.Value
	for i, x := range flat {
		if i == n {
			break
		}
		y, err := st.Convert(x, tensor.Invalid)
		if err != nil {
			return nil, err
		}
		out = append(out, y)
	}
	return out, nil
}
