package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// What scripts can do with a tf.IndexedSlices: look at its parts, negate it, give
// it to ops, which make it dense. It has no arithmetic.
func init() {
	c := SlicesClass
	c.New = &lang.Def{Sig: "IndexedSlices(cls, values, indices, dense_shape=None)", Fn: slicesNew}
	c.Repr = slicesRepr
	c.Unary = func(th *lang.Thread, op lang.UnaryOp, v lang.Value) (lang.Value, error) {
		if op != lang.OpNeg {
			return lang.NotImplemented, nil
		}
		st, s := Of(th), slicesOf(v)
		neg := st.At().Emit1(ops.Neg, nil, s.Values)
		if err := st.Err(); err != nil {
			return lang.Unbound, err
		}
		return NewSlices(&ir.Slices{Values: neg, Indices: s.Indices, Dense: s.Dense, Static: s.Static}), nil
	}
	part := func(f func(st *State, s *ir.Slices) lang.Value) lang.Native {
		return func(th *lang.Thread, a []lang.Value) (lang.Value, error) { return f(Of(th), slicesOf(a[0])), nil }
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "values(self)", Flags: lang.DefProperty, Fn: part(func(_ *State, s *ir.Slices) lang.Value { return FromIR(s.Values) })},
		{Sig: "indices(self)", Flags: lang.DefProperty, Fn: part(func(_ *State, s *ir.Slices) lang.Value { return FromIR(s.Indices) })},
		{Sig: "dense_shape(self)", Flags: lang.DefProperty, Fn: part(func(st *State, s *ir.Slices) lang.Value { return st.denseShape(s) })},
		{Sig: "shape(self)", Flags: lang.DefProperty, Fn: part(func(_ *State, s *ir.Slices) lang.Value { return NewShape(s.Static) })},
		{Sig: "dtype(self)", Flags: lang.DefProperty, Fn: part(func(_ *State, s *ir.Slices) lang.Value { return DTypeValue(s.Values.DType()) })},
		{Sig: "device(self)", Flags: lang.DefProperty, Fn: part(func(*State, *ir.Slices) lang.Value {
			return lang.NewStr("/job:localhost/replica:0/task:0/device:CPU:0")
		})},
	})
}

func slicesOf(v lang.Value) *ir.Slices {
	s, _ := AsSlices(v)
	return s
}

// denseShape is the shape of the whole as a tensor, None if nobody said.
func (st *State) denseShape(s *ir.Slices) lang.Value {
	if l, ok := s.Dense.(*ir.Ints); ok {
		return FromIR(st.S.Const(l.Tensor()))
	}
	return FromIR(s.Dense)
}

func slicesNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	st := Of(th)
	values, err := st.Convert(a[1], tensor.Invalid)
	if err != nil {
		return lang.Unbound, err
	}
	indices, err := st.Convert(a[2], tensor.Invalid)
	if err != nil {
		return lang.Unbound, err
	}
	s := &ir.Slices{Values: values, Indices: indices, Static: tensor.UnknownShape}
	if r := values.Shape().Rank(); r > 0 {
		s.Static = tensor.UnknownDims(1).Concat(values.Shape().Slice(1, r))
	}
	if a[3].IsNone() {
		return NewSlices(s), nil
	}
	if s.Dense, err = st.Convert(a[3], tensor.Invalid); err != nil {
		return lang.Unbound, err
	}
	FromIR(s.Dense).Held()
	if v, known := ir.KnownInts(s.Dense); known {
		dims := make([]int, len(v))
		for i, d := range v {
			dims[i] = int(d)
		}
		s.Static = tensor.ShapeOf(dims...)
	}
	return NewSlices(s), nil
}

func slicesRepr(th *lang.Thread, v lang.Value) (lang.Value, error) {
	st, s := Of(th), slicesOf(v)
	text := "IndexedSlices("
	for i, p := range []lang.Value{FromIR(s.Indices), FromIR(s.Values), st.denseShape(s)} {
		if p.IsNone() {
			continue
		}
		t, err := lang.StrOf(th, p)
		if err != nil {
			return lang.Unbound, err
		}
		text += []string{"indices=", ", values=", ", dense_shape="}[i] + t
	}
	return lang.NewStr(text + ")"), nil
}
