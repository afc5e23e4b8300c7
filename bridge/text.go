package bridge

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// PrintOptions are NumPy's print options of the thread, which tensors follow;
// stdlib/np sets them.
func (st *State) PrintOptions() *format.Options {
	if o, ok := st.Th.Ext["numpy.printoptions"].(*format.Options); ok {
		return o
	}
	o := format.Default()
	st.Th.Ext["numpy.printoptions"] = &o
	return &o
}

func eagerRepr(th *lang.Thread, v lang.Value) (lang.Value, error) {
	return lang.NewStr(format.TensorRepr(tensor.Of(v), Of(th).PrintOptions())), nil
}

func eagerStr(th *lang.Thread, v lang.Value) (lang.Value, error) {
	return lang.NewStr(format.TensorStr(tensor.Of(v), Of(th).PrintOptions())), nil
}

// eagerFormat formats the NumPy value (rule A40): a scalar as the Python object.
func eagerFormat(th *lang.Thread, v lang.Value, spec string) (string, error) {
	t := tensor.Of(v)
	if t.Rank() == 0 {
		if t.DType() == tensor.String && spec != "" {
			return "", th.TypeErrorf("unsupported format string passed to bytes.__format__")
		}
		return lang.Format(th, PyItem(t, 0), spec)
	}
	if spec != "" {
		return "", th.TypeErrorf("unsupported format string passed to numpy.ndarray.__format__")
	}
	return format.Str(format.FromTensor(t), Of(th).PrintOptions()), nil
}

// symText is what str and repr of a symbol have in common, after the name.
func symRepr(_ *lang.Thread, v lang.Value) (lang.Value, error) {
	s := symOf(v)
	return lang.NewStr("<tf.Tensor '" + s.Name() + "' shape=" + s.Shp.String() + " dtype=" + s.DT.Name() + ">"), nil
}

func symStr(_ *lang.Thread, v lang.Value) (lang.Value, error) {
	s := symOf(v)
	shape := ""
	if s.Shp.RankKnown() {
		shape = ", shape=" + s.Shp.String()
	}
	return lang.NewStr("Tensor(\"" + s.Name() + "\"" + shape + ", dtype=" + s.DT.Name() + ")"), nil
}

func symFormat(th *lang.Thread, v lang.Value, spec string) (string, error) {
	if spec != "" {
		return "", th.TypeErrorf("unsupported format string passed to SymbolicTensor.__format__")
	}
	s, err := symStr(th, v)
	if err != nil {
		return "", err
	}
	return lang.StrOf(th, s)
}
