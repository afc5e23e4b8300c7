package bridge

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// leafKind is the sort of a Python scalar, as conversion to a tensor sees it.
type leafKind uint8

const (
	leafOther leafKind = iota
	leafBool
	leafInt
	leafFloat
	leafComplex
	leafString
)

// kindOf sorts a scalar; subclasses of int, float and str count as their base,
// and so do NumPy scalars.
func kindOf(v lang.Value) leafKind {
	switch lang.Payload(v).Kind() {
	case value.KindBool:
		return leafBool
	case value.KindInt, value.KindBig:
		return leafInt
	case value.KindFloat:
		return leafFloat
	case value.KindComplex:
		return leafComplex
	case value.KindStr, value.KindBytes, value.KindByteArray:
		return leafString
	}
	return leafOther
}

// literal is a Python scalar or nested sequence of scalars on the way to a tensor.
type literal struct {
	st     *State
	whole  lang.Value
	dims   []int
	leaves []lang.Value
	scalar [1]lang.Value
	asked  tensor.DType // by the caller; Invalid for none
	array  tensor.DType // of the first leaf, if it is a NumPy scalar: it decides (rule A3)
}

// plain is the Python number in a NumPy scalar, and other leaves as they are.
func (l *literal) plain(v lang.Value) lang.Value {
	x, dt, ok := numPyItem(v)
	if !ok {
		return v
	}
	if len(l.leaves) == 0 {
		l.array = dt
	}
	return x
}

// maxRank is the deepest nesting that becomes a tensor.
const maxRank = 254

// collect flattens v row by row and checks that it is rectangular.
func (l *literal) collect(v lang.Value) error {
	l.whole = v
	items, ok := l.items(v)
	if !ok {
		l.scalar[0] = l.plain(v)
		l.leaves = l.scalar[:]
		return nil
	}
	l.leaves = make([]lang.Value, 0, len(items))
	return l.rows(items, 0)
}

// items are the elements of what counts as a sequence.
func (l *literal) items(v lang.Value) ([]lang.Value, bool) {
	if s, ok := lang.Sequence(v); ok {
		return lang.Values(s), true
	}
	if r, ok := lang.AsRange(v); ok && r.Big == nil {
		out := make([]lang.Value, r.Len())
		for i := range out {
			out[i] = lang.Int(r.At(int64(i)))
		}
		return out, true
	}
	return rowsOfArray(v)
}

func (l *literal) rows(items []lang.Value, depth int) error {
	if depth == len(l.dims) {
		if depth == maxRank {
			return l.st.Th.ValueErrorf("Attempting to create a tensor with more than %d dimensions.", maxRank)
		}
		l.dims = append(l.dims, len(items))
	} else if l.dims[depth] != len(items) && l.dims[depth] != 0 {
		return l.ragged()
	}
	if l.dims[depth] == 0 {
		return nil // an empty first row decides: what follows isn't looked at
	}
	for i, it := range items {
		sub, nested := l.items(it)
		switch {
		case nested && depth+1 == len(l.dims) && i > 0:
			return l.mixed()
		case nested:
			if err := l.rows(sub, depth+1); err != nil {
				return err
			}
		case depth+1 < len(l.dims):
			return l.ragged()
		default:
			l.leaves = append(l.leaves, l.plain(it))
		}
	}
	return nil
}

func (l *literal) ragged() error {
	if l.st.Tracing() {
		return l.st.Th.ValueErrorf("setting an array element with a sequence. The requested array has an inhomogeneous shape after %d dimensions. The detected shape was %s + inhomogeneous part.",
			max(len(l.dims)-1, 1), tensor.ShapeOf(l.dims[:max(len(l.dims)-1, 1)]...).String())
	}
	return l.st.Th.ValueErrorf("Can't convert non-rectangular Python sequence to Tensor.")
}

func (l *literal) mixed() error {
	if l.st.Tracing() {
		return l.ragged()
	}
	return l.st.Th.ValueErrorf("Can't convert Python sequence with mixed types to Tensor.")
}

// infer finds the dtype: the first leaf decides its sort, ints widen by size.
func (l *literal) infer() (tensor.DType, error) {
	if len(l.leaves) == 0 {
		return tensor.Float32, nil
	}
	if l.array != tensor.Invalid && !(l.array.IsInteger() && !l.st.Tracing()) {
		return l.array, nil // integers count as Python's
	}
	first := kindOf(l.leaves[0])
	if first == leafOther {
		return 0, l.unsupported(l.leaves[0])
	}
	kind, wide := first, false
	for _, v := range l.leaves {
		k := kindOf(v)
		if k == leafInt && !wide {
			var err error
			if wide, err = l.wideInt(v); err != nil {
				return 0, err
			}
		}
		merged, ok := mergeKinds(kind, k, l.st.Tracing())
		if !ok {
			if k == leafOther && l.st.Tracing() {
				return 0, l.unsupported(v)
			}
			return 0, l.mixed()
		}
		kind = merged
	}
	switch kind {
	case leafBool:
		return tensor.Bool, nil
	case leafInt:
		if wide {
			return tensor.Int64, nil
		}
		return tensor.Int32, nil
	case leafFloat:
		return tensor.Float32, l.checkRange()
	case leafComplex:
		return tensor.Complex128, nil
	}
	return tensor.String, nil
}

// mergeKinds says what a sequence becomes whose elements so far are of kind a
// and that goes on with b. NumPy, which converts while tracing, takes every order.
func mergeKinds(a, b leafKind, traced bool) (leafKind, bool) {
	switch {
	case a == b:
		return a, true
	case a == leafOther || b == leafOther || (a == leafString) != (b == leafString):
		return 0, false
	case traced:
		return max(a, b), true
	case a == leafBool:
		return 0, false
	case b == leafBool:
		return a, true
	case a == leafInt && b == leafFloat:
		return leafFloat, true
	case b < a:
		return a, true
	}
	return 0, false
}

// wideInt reports an int outside int32; outside int64 it is an error.
func (l *literal) wideInt(v lang.Value) (bool, error) {
	i, ok := lang.AsInt(v)
	if !ok {
		return false, l.st.Th.ValueErrorf("Can't convert Python sequence with out-of-range integer to Tensor.")
	}
	return i != int64(int32(i)), nil
}

// checkRange refuses floats that float32 cannot hold, when nobody asked for float32.
func (l *literal) checkRange() error {
	for _, v := range l.leaves {
		if f, ok := lang.AsFloat(v); ok && !math.IsInf(f, 0) && math.Abs(f) > math.MaxFloat32 && !l.st.Tracing() {
			return l.st.Th.ValueErrorf("Can't convert Python sequence with a value out of range for a double-precision float.")
		}
	}
	return nil
}

func (l *literal) unsupported(v lang.Value) error {
	if l.st.Tracing() && v.IsNone() {
		return l.st.Th.ValueErrorf("None values not supported.")
	}
	text, err := lang.Repr(l.st.Th, v)
	if err != nil {
		return err
	}
	return l.st.Th.ValueErrorf("Attempt to convert a value (%s) with an unsupported type (<class '%s'>) to a Tensor.", text, lang.ClassOf(v).FullName())
}

// cannot is the TypeError of a value that doesn't fit an asked-for dtype; v is
// the leaf that doesn't.
func (l *literal) cannot(v lang.Value, dt tensor.DType) error {
	if kindOf(v) == leafOther {
		return l.unsupported(v)
	}
	if l.st.Tracing() {
		return l.cannotTraced(v, dt)
	}
	text, err := lang.Repr(l.st.Th, l.whole)
	if err != nil {
		return err
	}
	return l.st.Th.TypeErrorf("Cannot convert %s to EagerTensor of dtype %s", text, dt.CName())
}

func (l *literal) cannotTraced(v lang.Value, dt tensor.DType) error {
	text, err := lang.Repr(l.st.Th, v)
	if err != nil {
		return err
	}
	return l.st.Th.TypeErrorf("Expected %s, but got %s of type '%s'.", dt.Name(), text, lang.TypeName(v))
}

// fits reports whether a leaf may become dt when dt was asked for.
func fits(v lang.Value, dt tensor.DType) bool {
	k := kindOf(v)
	switch {
	case dt == tensor.Bool:
		return k == leafBool
	case dt == tensor.String:
		return k == leafString
	case dt.IsInteger():
		return k == leafBool || k == leafInt
	case dt.IsFloating():
		return k == leafBool || k == leafInt || k == leafFloat
	case dt.IsComplex():
		return k != leafString && k != leafOther
	}
	return false
}

// build makes the tensor of the leaves.
func (l *literal) build(dt tensor.DType) (*tensor.Tensor, error) {
	for _, v := range l.leaves {
		if !fits(v, dt) {
			return nil, l.cannot(v, dt)
		}
	}
	if dt == tensor.String {
		return l.strings()
	}
	l.st.At()
	l.st.X.Allocator.Site = l.st.S.Site
	t, err := l.st.X.New(dt, tensor.ShapeOf(l.dims...))
	if err != nil {
		return nil, l.st.Exception(err)
	}
	for i, v := range l.leaves {
		if err := l.store(t, i, v); err != nil {
			l.st.X.Allocator.Drop(t)
			return nil, err
		}
	}
	return t, nil
}

func (l *literal) strings() (*tensor.Tensor, error) {
	var b tensor.StringBuilder
	for _, v := range l.leaves {
		if s, ok := lang.AsStr(v); ok {
			b.Add(s.String())
		} else if s, ok := lang.BytesOf(v); ok {
			b.Add(s)
		}
	}
	t, err := l.st.X.Strings(&b, tensor.ShapeOf(l.dims...))
	if err != nil {
		return nil, l.st.Exception(err)
	}
	return t, nil
}

// store writes element i. Ints wrap around, as TensorFlow casts them.
func (l *literal) store(t *tensor.Tensor, i int, v lang.Value) error {
	dt := t.DType()
	switch {
	case dt.IsInteger() || dt == tensor.Bool:
		n, err := l.integer(v, dt)
		if err != nil {
			return err
		}
		StoreInt(t, i, n)
	case dt.IsComplex():
		c, _ := complexOf(v)
		StoreComplex(t, i, c)
	default:
		f, _ := floatOf(v)
		if f == 0 && len(l.dims) == 0 {
			f = l.st.cachedZero(l.asked, f)
		}
		StoreFloat(t, i, f)
	}
	return nil
}

func (l *literal) integer(v lang.Value, dt tensor.DType) (int64, error) {
	if n, ok := lang.AsInt(v); ok {
		return n, nil
	}
	if b, ok := lang.AsBig(v); ok && dt == tensor.Uint64 && b.IsUint64() {
		return int64(b.Uint64()), nil
	}
	return 0, l.st.Th.ValueErrorf("Can't convert Python sequence with out-of-range integer to Tensor.")
}

func floatOf(v lang.Value) (float64, bool) {
	if f, ok := lang.AsFloat(v); ok {
		return f, true
	}
	if n, ok := lang.AsInt(v); ok {
		return float64(n), true
	}
	if b, ok := lang.AsBig(v); ok {
		f, _ := new(big.Float).SetInt(b).Float64()
		return f, true
	}
	return 0, false
}

func complexOf(v lang.Value) (complex128, bool) {
	if c, ok := lang.AsComplex(v); ok {
		return c, true
	}
	f, ok := floatOf(v)
	return complex(f, 0), ok
}

// StoreInt writes n into element i of an integer or bool tensor, wrapping.
func StoreInt(t *tensor.Tensor, i int, n int64) {
	switch t.DType() {
	case tensor.Int32:
		t.I32()[i] = int32(n)
	case tensor.Int64:
		t.I64()[i] = n
	case tensor.Bool:
		t.Bools()[i] = n != 0
	case tensor.Int8:
		tensor.Data[int8](t)[i] = int8(n)
	case tensor.Int16:
		tensor.Data[int16](t)[i] = int16(n)
	case tensor.Uint8:
		tensor.Data[uint8](t)[i] = uint8(n)
	case tensor.Uint16:
		tensor.Data[uint16](t)[i] = uint16(n)
	case tensor.Uint32:
		tensor.Data[uint32](t)[i] = uint32(n)
	case tensor.Uint64:
		tensor.Data[uint64](t)[i] = uint64(n)
	}
}

// StoreFloat writes f into element i of a floating tensor, rounding once.
func StoreFloat(t *tensor.Tensor, i int, f float64) {
	switch t.DType() {
	case tensor.Float32:
		t.F32()[i] = float32(f)
	case tensor.Float64:
		t.F64()[i] = f
	case tensor.Float16:
		tensor.Data[tensor.Half](t)[i] = tensor.HalfOf(f)
	case tensor.BFloat16:
		tensor.Data[tensor.BF16](t)[i] = tensor.BF16Of(f)
	}
}

// StoreComplex writes c into element i of a complex tensor.
func StoreComplex(t *tensor.Tensor, i int, c complex128) {
	if t.DType() == tensor.Complex64 {
		tensor.Data[complex64](t)[i] = complex64(c)
		return
	}
	tensor.Data[complex128](t)[i] = c
}

// StoreNumber writes n into element i of a tensor of any numeric dtype.
func StoreNumber(t *tensor.Tensor, i int, n int64) {
	switch dt := t.DType(); {
	case dt.IsFloating():
		StoreFloat(t, i, float64(n))
	case dt.IsComplex():
		StoreComplex(t, i, complex(float64(n), 0))
	default:
		StoreInt(t, i, n)
	}
}

// cachedZero is the zero that a scalar becomes: TensorFlow keeps the tensors of
// scalars by value and the dtype that was asked for, and 0.0 equals -0.0, so the first of them serves for
// both.
func (st *State) cachedZero(dt tensor.DType, f float64) float64 {
	if st.Tracing() {
		return f
	}
	if st.zeros == nil {
		st.zeros = map[tensor.DType]float64{}
	}
	if z, ok := st.zeros[dt]; ok {
		return z
	}
	st.zeros[dt] = f
	return f
}
