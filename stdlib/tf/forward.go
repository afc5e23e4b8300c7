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
)

// forwardClass is tf.autodiff.ForwardAccumulator (rule C43).
var forwardClass = lang.NewPythonClass("ForwardAccumulator", "tensorflow.python.eager.forwardprop", value0, lang.ObjectClass)

// forward is an accumulator as a script object.
type forward struct {
	value.Header
	acc *exec.Accumulator
}

func forwardOf(v lang.Value) *forward { return (*forward)(unsafe.Pointer(v.P)) }

func init() {
	forwardClass.New = &lang.Def{Sig: "__init__(cls, primals, tangents)", Fn: forwardNew, Flags: lang.DefPython}
	lang.DefineMethods(forwardClass, []lang.Def{
		{Sig: "__enter__(self)", Fn: forwardEnter},
		{Sig: "__exit__(self, typ=None, value=None, traceback=None)", Fn: forwardExit},
		{Sig: "jvp(self, primals, unconnected_gradients='none')", Flags: lang.DefPython, Fn: forwardJVP},
	})
	classConstants = append(classConstants, fixed("tf.autodiff.ForwardAccumulator", forwardClass.Value()))
}

func forwardNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := bridge.Of(th)
	flat, err := bridge.Flatten(th, a[1])
	if err != nil {
		return lang.Unbound, err
	}
	seen := map[lang.Value]bool{}
	for _, p := range flat {
		if seen[p] {
			return lang.Unbound, th.ValueErrorf("Tensor {} was specified as a primal multiple times. This may indicate an error. If it was intended, please sum the corresponding tangents.")
		}
		seen[p] = true
	}
	if err := bridge.AssertSame(th, a[1], a[2], true); err != nil {
		return lang.Unbound, err
	}
	tangents, err := bridge.Flatten(th, a[2])
	if err != nil {
		return lang.Unbound, err
	}
	primals := make([]ir.Value, len(flat))
	dirs := make([]ir.Value, len(flat))
	for i, p := range flat {
		if primals[i], dirs[i], err = direction(st, p, tangents[i]); err != nil {
			return lang.Unbound, err
		}
	}
	f := &forward{value.Header{Type: &forwardClass.Type, Kind: value0}, st.X.NewAccumulator(primals, dirs)}
	return value.Of(&f.Header), nil
}

// direction is a primal with its tangent in the primal's type.
func direction(st *bridge.State, primal, tangent lang.Value) (x, dx ir.Value, err error) {
	x, ok := watchable(primal)
	if !ok {
		return nil, nil, st.Th.Raise(lang.AttributeError, "'%s' object has no attribute 'dtype'", lang.TypeName(primal))
	}
	dt := x.DType()
	if va, isVar := bridge.AsVariable(primal); isVar {
		dt = va.Res.DType
	}
	if !dt.IsFloating() {
		st.Log("WARNING", "The dtype of the watched primal must be floating (e.g. tf.float32), got tf."+dt.Name(), 5)
	}
	if dx, err = st.Convert(tangent, dt); err != nil {
		return nil, nil, err
	}
	if sh, got := sourceShape(x), dx.Shape(); sh.Known() && sh != got {
		if both, fit := tensor.Broadcast(sh, got); !fit || got.Known() && both != sh {
			return nil, nil, st.Th.ValueErrorf("Dimensions must be equal, but a primal has shape %s and its tangent %s", sh, got)
		}
		dx = st.At().Emit2(ops.BroadcastTo, nil, dx, ir.DimList(sh.Dims()))
	}
	x, err = inGraph(st, x)
	return x, dx, err
}

func forwardEnter(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	f := forwardOf(a[0])
	if f.acc.Recording() {
		return lang.Unbound, th.ValueErrorf("Accumulator is already recording.")
	}
	f.acc.Start()
	return a[0], nil
}

func forwardExit(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	forwardOf(a[0]).acc.Stop()
	return lang.None, nil
}

// forwardJVP finds the derivatives of a structure of tensors. Unlike
// GradientTape's, its unconnected_gradients can't be None.
func forwardJVP(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	f, st := forwardOf(a[0]), bridge.Of(th)
	zero, err := wantsZeros(th, a[2])
	if err != nil || a[2].IsNone() {
		return lang.Unbound, notUnconnected(th, a[2])
	}
	return bridge.Map(th, a[1], func(v lang.Value) (lang.Value, error) { return f.jvp(st, v, zero) })
}

func notUnconnected(th *lang.Thread, v lang.Value) error {
	text, err := lang.Repr(th, v)
	if err != nil {
		return err
	}
	return th.ValueErrorf("%s is not a valid UnconnectedGradients", text)
}

func (f *forward) jvp(st *bridge.State, v lang.Value, zero bool) (lang.Value, error) {
	x, ok := watchable(v)
	if !ok {
		return lang.Unbound, st.Th.Raise(lang.AttributeError, "'%s' object has no attribute '_id'", lang.TypeName(v))
	}
	in, err := inGraph(st, x)
	if err != nil {
		return lang.Unbound, err
	}
	dx := f.acc.JVP(in)
	if err := st.Err(); err != nil {
		return lang.Unbound, err
	}
	return gradientValue(st, dx, x, zero)
}
