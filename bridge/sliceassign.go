package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// sliceAssigner is the receiver of v[key].assign: the variable and the key.
type sliceAssigner struct {
	value.Header
	va  *Variable
	key lang.Held
}

var sliceAssignerClass = lang.NewPythonClass("_SliceAssigner", "tensorflow.python.ops.resource_variable_ops", value.KindOther)

func init() {
	lang.DefineMethods(sliceAssignerClass, []lang.Def{{Sig: "assign(self, value, use_locking=False, name=None, read_value=True)", Fn: assignSlice}})
}

// sliceAssign is the method assign of x, if x is the piece of a variable that was
// read last.
func (st *State) sliceAssign(x ir.Value) (lang.Value, bool) {
	if st.LastSlice.Result != x || x == nil {
		return lang.Unbound, false
	}
	o := &sliceAssigner{value.Header{Type: &sliceAssignerClass.Type, Kind: value.KindOther}, st.LastSlice.Var, st.LastSlice.Key}
	f, err := lang.Attr(st.Th, value.Of(&o.Header), "assign")
	return f, err == nil
}

func assignSlice(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	o := (*sliceAssigner)(a[0].P)
	st := Of(th)
	x, err := st.Convert(a[1], o.va.Res.DType)
	if err != nil {
		return lang.Unbound, err
	}
	ix := indexer{st: st}
	if err := ix.key(o.key.Value()); err != nil {
		return lang.Unbound, err
	}
	begin, end, strides := ix.sameType(ix.vector(ix.begin), ix.vector(ix.end), ix.vector(ix.strides))
	s := st.At()
	s.Name = "strided_slice/"
	s.EmitAll(ops.ResourceStridedSliceAssign, &ix.attrs, o.va.Operand(), begin, end, strides, x)
	if err := st.Err(); err != nil {
		return lang.Unbound, err
	}
	return o.va.AfterWrite(), nil
}
