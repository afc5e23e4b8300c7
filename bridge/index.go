package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// indexer turns the key of t[key] into the operands and masks of StridedSlice.
// An entry of begin, end and strides is a number, or a scalar tensor.
type indexer struct {
	st                  *State
	begin, end, strides []lang.Value
	attrs               ops.SliceAttrs
}

// tensorGetItem is the slot GetItem of tensors, symbols and variables.
func tensorGetItem(th *lang.Thread, v, key lang.Value) (lang.Value, error) {
	st := Of(th)
	x, _, err := st.operand(v)
	if err != nil {
		return lang.Unbound, err
	}
	if m, ok, err := st.mask(key); ok || err != nil {
		if err != nil {
			return lang.Unbound, err
		}
		return st.Result(st.BooleanMask(x, m, 0))
	}
	ix := indexer{st: st}
	if err := ix.key(key); err != nil {
		return lang.Unbound, err
	}
	return st.Result(ix.emit(x))
}

// Slice is x[key] for a key without masks.
func (st *State) Slice(x ir.Value, key lang.Value) (ir.Value, error) {
	ix := indexer{st: st}
	if err := ix.key(key); err != nil {
		return nil, err
	}
	return ix.emit(x), st.Err()
}

// mask is the boolean mask that key is, if it is one.
func (st *State) mask(key lang.Value) (ir.Value, bool, error) {
	if key.IsBool() {
		return nil, false, st.Th.ValueErrorf("mask cannot be scalar.")
	}
	x, ok := AsIR(key)
	if !ok {
		var err error
		if x, ok, err = st.fromArray(key, tensor.Invalid); !ok || err != nil {
			return nil, false, err
		}
	}
	return x, x.DType() == tensor.Bool, nil
}

// key reads a single index or a sequence of them.
func (ix *indexer) key(key lang.Value) error {
	items, ok := lang.Sequence(key)
	if !ok {
		return ix.add(key)
	}
	for _, it := range items {
		if err := ix.add(it.Value()); err != nil {
			return err
		}
	}
	return nil
}

// add appends one index.
func (ix *indexer) add(k lang.Value) error {
	bit := 1 << len(ix.begin)
	one := lang.Int(1)
	switch {
	case k.Kind() == value.KindEllipsis:
		ix.attrs.EllipsisMask |= bit
		ix.push(lang.Int(0), lang.Int(0), one)
		return nil
	case k.IsNone():
		ix.attrs.NewAxisMask |= bit
		ix.push(lang.Int(0), lang.Int(0), one)
		return nil
	}
	if s, ok := lang.AsSlice(k); ok {
		return ix.slice(s, bit)
	}
	if k.IsBool() {
		return ix.boolIndex(k)
	}
	if err := ix.check(k); err != nil {
		return err
	}
	ix.attrs.ShrinkAxis |= bit
	ix.push(k, k, one)
	return nil
}

func (ix *indexer) push(begin, end, stride lang.Value) {
	ix.begin, ix.end, ix.strides = append(ix.begin, begin), append(ix.end, end), append(ix.strides, stride)
}

// boolIndex is a Python bool among several indices: the op has no such index type.
func (ix *indexer) boolIndex(lang.Value) error {
	return NewError(InvalidArgumentError, "Value for attr 'Index' of bool is not in the list of allowed values: int16, int32, int64\n\t"+
		"; NodeDef: {{node StridedSlice}}; Op<name=StridedSlice> [Op:StridedSlice] name: strided_slice/")
}

func (ix *indexer) slice(s *lang.Slice, bit int) error {
	begin, end, stride := s.Start, s.Stop, s.Step
	for _, k := range []lang.Value{begin, end, stride} {
		if k.IsNone() {
			continue
		}
		if err := ix.check(k); err != nil {
			return err
		}
	}
	if begin.IsNone() {
		ix.attrs.BeginMask |= bit
		begin = lang.Int(0)
	}
	if end.IsNone() {
		ix.attrs.EndMask |= bit
		end = lang.Int(0)
	}
	if stride.IsNone() {
		stride = lang.Int(1)
	}
	ix.push(begin, end, stride)
	return nil
}

// check accepts ints, NumPy ints and scalar int tensors.
func (ix *indexer) check(k lang.Value) error {
	x, ok := AsIR(k)
	if va, isVar := AsVariable(k); isVar && va.Res.DType.IsInteger() && va.Res.Declared.Rank() == 0 {
		return nil
	}
	if !ok && lang.HasIndex(k) && !isArray(k) {
		return nil
	}
	if ok && (x.Shape().Rank() == 0 || !x.Shape().RankKnown()) {
		switch x.DType() {
		case tensor.Int32, tensor.Int64, tensor.Int16:
			return nil
		}
	}
	text, err := lang.Repr(ix.st.Th, k)
	if err != nil {
		return err
	}
	return ix.st.Th.TypeErrorf("Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid indices, got %s", text)
}

// emit makes the StridedSlice of x.
func (ix *indexer) emit(x ir.Value) ir.Value {
	st := ix.st
	if len(ix.begin) == 0 {
		return st.At().Emit1(ops.Identity, nil, x)
	}
	s := st.At()
	name := "strided_slice/"
	if st.Tracing() {
		name = "strided_slice"
	}
	begin, end, strides := ix.vector(ix.begin), ix.vector(ix.end), ix.vector(ix.strides)
	begin, end, strides = ix.sameType(begin, end, strides)
	s.Name = name
	attrs := ix.attrs
	return s.EmitN(ops.StridedSlice, &attrs, x, begin, end, strides)
}

// vector is a list of ints, or a packed tensor where one is only known as such.
func (ix *indexer) vector(ks []lang.Value) ir.Value {
	v := make([]int64, len(ks))
	for i, k := range ks {
		if isOperand(k) {
			if t, ok := AsTensor(k); ok {
				v[i] = LoadInt(t, 0)
				continue
			}
			return ix.packed(ks)
		}
		n, err := lang.IndexInt(ix.st.Th, k, lang.OverflowError)
		if err != nil {
			ix.st.S.SetErr(err)
		}
		v[i] = int64(n)
	}
	l := ir.IntList(v...)
	for _, n := range v {
		if n != int64(int32(n)) {
			l.DT = tensor.Int64
		}
	}
	return l
}

func (ix *indexer) packed(ks []lang.Value) ir.Value {
	st := ix.st
	dt := tensor.Int32
	for _, k := range ks {
		if x, ok := AsIR(k); ok {
			dt = x.DType()
		}
	}
	parts := make([]ir.Value, len(ks))
	for i, k := range ks {
		x, err := st.Convert(k, tensor.Invalid)
		if err != nil {
			st.S.SetErr(err)
			return nil
		}
		parts[i] = st.Cast(x, dt)
	}
	return st.Pack(parts, 0)
}

// sameType gives the three vectors one dtype.
func (ix *indexer) sameType(v ...ir.Value) (ir.Value, ir.Value, ir.Value) {
	dt := tensor.Int32
	for _, x := range v {
		if x == nil {
			return v[0], v[1], v[2]
		}
		if x.DType() == tensor.Int64 {
			dt = tensor.Int64
		}
	}
	for i, x := range v {
		if l, ok := x.(*ir.Ints); ok {
			l.DT = dt
			continue
		}
		v[i] = ix.st.Cast(x, dt)
	}
	return v[0], v[1], v[2]
}

// BooleanMask picks the elements of x where mask is true, as one new axis in
// place of the mask's axes, which begin at axis.
func (st *State) BooleanMask(x, mask ir.Value, axis int) ir.Value {
	s := st.At()
	ms, xs := mask.Shape(), x.Shape()
	if ms.Rank() == 0 {
		s.SetErr(st.Th.ValueErrorf("mask cannot be scalar."))
		return nil
	}
	if !ms.RankKnown() {
		s.SetErr(st.Th.ValueErrorf("Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] is ok, but shape=None is not."))
		return nil
	}
	part := tensor.UnknownDims(ms.Rank())
	if xs.RankKnown() {
		part = xs.Slice(min(axis, xs.Rank()), min(axis+ms.Rank(), xs.Rank()))
	}
	if !tensor.Compatible(part, ms) {
		s.SetErr(incompatible(st.Th, part, ms))
		return nil
	}
	x = st.flatten(x, axis, ms.Rank())
	flat := s.Emit2(ops.Reshape, nil, mask, ir.IntList(-1))
	where := s.Emit1(ops.Squeeze, &ops.SqueezeAttrs{Axes: []int64{1}}, s.Emit1(ops.Where, nil, flat))
	return st.Gather(x, where, axis, 0)
}

// flatten joins n axes from axis on into one.
func (st *State) flatten(x ir.Value, axis, n int) ir.Value {
	if n == 1 {
		return x
	}
	s, xs := st.S, x.Shape()
	if xs.Known() {
		dims := append([]int(nil), xs.Dims()[:axis]...)
		dims = append(dims, xs.Slice(axis, axis+n).NumElements())
		dims = append(dims, xs.Dims()[axis+n:]...)
		return s.Emit2(ops.Reshape, nil, x, ir.DimList(dims))
	}
	shape := s.Emit1(ops.Shape, &ops.ShapeAttrs{}, x)
	lead := st.cut(shape, 0, axis)
	mid := ops.EmitReduce(s, ops.Prod, st.cut(shape, axis, axis+n), []int64{0}, true)
	tail := st.cut(shape, axis+n, -1)
	return s.Emit2(ops.Reshape, nil, x, st.Concat([]ir.Value{lead, mid, tail}, 0))
}

// cut is v[from:to] of a vector; to -1 means its end.
func (st *State) cut(v ir.Value, from, to int) ir.Value {
	a := ops.SliceAttrs{}
	if to < 0 {
		a.EndMask, to = 1, 0
	}
	return st.S.EmitN(ops.StridedSlice, &a, v, ir.IntList(int64(from)), ir.IntList(int64(to)), ir.IntList(1))
}

// TensorIter iterates over the first axis of an eager tensor.
type TensorIter struct {
	value.Header
	of lang.Held
	i  int
}

// TensorIterClass is the class of iterators over tensors.
var TensorIterClass = lang.NewPythonClass("_TensorIterator", "tensorflow.python.framework.ops", value.KindIter)

func init() {
	TensorIterClass.Iter = func(_ *lang.Thread, v lang.Value) (lang.Value, error) { return v, nil }
	TensorIterClass.Next = tensorIterNext
}

func eagerIter(th *lang.Thread, v lang.Value) (lang.Value, error) {
	if tensor.Of(v).Rank() == 0 {
		return lang.Unbound, th.TypeErrorf("Cannot iterate over a scalar tensor.")
	}
	it := &TensorIter{value.Header{Type: &TensorIterClass.Type, Kind: value.KindIter}, v.Held(), 0}
	return value.Of(&it.Header), nil
}

func tensorIterNext(th *lang.Thread, v lang.Value) (lang.Value, bool, error) {
	it := (*TensorIter)(v.P)
	t := tensor.Of(it.of.Value())
	if it.i >= t.Dims()[0] {
		return lang.Unbound, false, nil
	}
	x, err := tensorGetItem(th, it.of.Value(), lang.Int(int64(it.i)))
	it.i++
	return x, err == nil, err
}
