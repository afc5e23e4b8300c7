package np

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

func isArray(v Value) bool { return v.P != nil && v.Head().Kind == value.KindArray }

// arrayLike is v as an array without looking at sequences: arrays, scalars,
// tensors, variables, objects with __array__.
func (s *state) arrayLike(v Value) (*ndarray.Array, bool, error) {
	switch v.Kind() {
	case value.KindArray:
		return ndarray.Of(v), true, nil
	case value.KindTensor:
		return s.fromTensor(tensor.Of(v)), true, nil
	case value.KindSym:
		name := "?"
		if y, ok := bridge.AsSym(v); ok {
			name = y.Name()
		}
		return nil, true, s.th.Raise(lang.NotImplementedError, "Cannot convert a symbolic tf.Tensor (%s) to a numpy array. This error may indicate that you're trying to pass a Tensor to a NumPy call, which is not supported.", name)
	case value.KindVariable:
		return s.viaMethod(v)
	case value.KindOther, value.KindInstance:
		if sh, ok := bridge.IsShape(v); ok && sh.Known() {
			dims := make([]int64, sh.Rank())
			for i, d := range sh.Dims() {
				dims[i] = int64(d)
			}
			return ndarray.FromInts(dims, len(dims)), true, nil
		}
		if a, ok := scalarArray(v); ok {
			return a, true, nil
		}
		if lang.Payload(v).IsUnbound() || v.Kind() == value.KindOther {
			return s.viaMethod(v)
		}
	}
	return nil, false, nil
}

// viaMethod asks v.__array__().
func (s *state) viaMethod(v Value) (*ndarray.Array, bool, error) {
	if _, ok, err := lang.AttrOr(s.th, v, "__array__"); !ok || err != nil {
		return nil, false, err
	}
	r, err := s.th.CallMethod(v, "__array__")
	if err != nil {
		return nil, true, err
	}
	if isArray(r) {
		return ndarray.Of(r), true, nil
	}
	if a, ok := scalarArray(r); ok {
		return a, true, nil
	}
	if _, ok := lang.AsBytes(r); ok {
		a := ndarray.New(ndarray.Objects)
		a.SetObject(0, r)
		return a, true, nil
	}
	return nil, false, nil
}

// fromTensor is t as an array; strings become an object array of bytes.
func (s *state) fromTensor(t *tensor.Tensor) *ndarray.Array {
	if t.DType() != tensor.String {
		return ndarray.FromTensor(t)
	}
	vals := make([]value.Held, t.Len())
	for i := range vals {
		vals[i] = lang.NewBytes(string(t.Str(i))).Held()
	}
	return ndarray.FromObjects(vals, t.Dims()...)
}

// asArray is np.asarray(v).
func (s *state) asArray(v Value) (*ndarray.Array, error) { return s.toArray(v, nil) }

// toArray is np.asarray(v, dtype).
func (s *state) toArray(v Value, dt *ndarray.DType) (*ndarray.Array, error) {
	a, ok, err := s.arrayLike(v)
	if err != nil {
		return nil, err
	}
	if ok {
		if dt == nil {
			return a, nil
		}
		a, err = s.c.Cast(a, *dt)
		return a, s.err(err)
	}
	return s.build(v, dt)
}

// asArrays converts every argument.
func (s *state) asArrays(vs []Value) ([]*ndarray.Array, error) {
	out := make([]*ndarray.Array, len(vs))
	for i, v := range vs {
		a, err := s.asArray(v)
		if err != nil {
			return nil, err
		}
		out[i] = a
	}
	return out, nil
}

// sequence is the items of what NumPy unpacks into an axis.
func sequence(v Value) ([]lang.Held, bool) {
	if l, ok := lang.AsList(v); ok {
		return l.Items(), true
	}
	if t, ok := lang.AsTuple(v); ok {
		return t.Items(), true
	}
	if r, ok := lang.AsRange(v); ok {
		out := make([]lang.Held, r.Len())
		for i := range out {
			out[i] = lang.Int(r.At(int64(i))).Held()
		}
		return out, true
	}
	return nil, false
}

// builder finds the shape and type of nested sequences, then fills an array.
type builder struct {
	*state
	dims   []int
	leaves []Value          // in order; those that are arrays stand for their elements
	arrays []*ndarray.Array // the array of a leaf, nil for single values
	dt     ndarray.DType
	typed  bool
	ragged bool
	depth  int // of the raggedness
}

// build makes an array of a Python object.
func (s *state) build(v Value, dt *ndarray.DType) (*ndarray.Array, error) {
	if a := s.buildFlat(v, dt); a != nil {
		return a, nil
	}
	b := builder{state: s}
	if err := b.measure(v); err != nil {
		return nil, err
	}
	if err := b.collect(v, 0); err != nil {
		return nil, err
	}
	if b.ragged && (dt == nil || dt.K != ndarray.Object) {
		return nil, s.th.ValueErrorf("setting an array element with a sequence. The requested array has an inhomogeneous shape after %d dimensions. The detected shape was %s + inhomogeneous part.", b.depth, format.Shape(b.dims[:b.depth]))
	}
	if b.ragged {
		return s.raggedObjects(v, b.dims[:b.depth])
	}
	if !b.typed {
		b.dt = ndarray.Float64
	}
	if dt != nil {
		b.dt = b.widthFor(*dt)
	}
	return b.fill()
}

// buildFlat is the short way for lists of only floats or only small ints.
func (s *state) buildFlat(v Value, dt *ndarray.DType) *ndarray.Array {
	l, ok := lang.AsList(v)
	if !ok || dt != nil || l.Len() == 0 {
		return nil
	}
	items := l.Items()
	switch items[0].Value().Kind() {
	case value.KindFloat:
		a := ndarray.New(ndarray.Float64, len(items))
		out := ndarray.Elements[float64](a)
		for i, x := range items {
			if !x.Value().IsFloat() {
				return nil
			}
			out[i] = x.Value().Float64()
		}
		return a
	case value.KindInt:
		a := ndarray.New(ndarray.Int64, len(items))
		out := ndarray.Elements[int64](a)
		for i, x := range items {
			if !x.Value().IsInt() {
				return nil
			}
			out[i] = x.Value().Int64()
		}
		return a
	}
	return nil
}

// measure follows the first items down to find the shape.
func (b *builder) measure(v Value) error {
	for len(b.dims) <= 64 {
		if items, ok := sequence(v); ok {
			b.dims = append(b.dims, len(items))
			if len(items) == 0 {
				return nil
			}
			v = items[0].Value()
			continue
		}
		a, ok, err := b.arrayLike(v)
		if ok && err == nil {
			b.dims = append(b.dims, a.Dims()...)
		}
		return err
	}
	return b.th.ValueErrorf("maximum supported dimension for an ndarray is 64, found more")
}

// collect lists the leaves and promotes their types.
func (b *builder) collect(v Value, depth int) error {
	if items, ok := sequence(v); ok {
		if depth >= len(b.dims) || b.dims[depth] != len(items) {
			b.tear(depth)
			return nil
		}
		for _, x := range items {
			if err := b.collect(x.Value(), depth+1); err != nil {
				return err
			}
			if b.ragged {
				return nil
			}
		}
		return nil
	}
	a, ok, err := b.arrayLike(v)
	if err != nil {
		return err
	}
	var inner []int
	if ok {
		inner = a.Dims()
	}
	if !slices.Equal(inner, b.dims[min(depth, len(b.dims)):]) {
		b.tear(depth)
		return nil
	}
	b.leaves, b.arrays = append(b.leaves, v), append(b.arrays, a)
	if ok {
		return b.promote(a.DT)
	}
	return b.promote(leafType(v))
}

func (b *builder) tear(depth int) {
	b.ragged = true
	b.depth = min(depth, len(b.dims))
}

func (b *builder) promote(dt ndarray.DType) error {
	if !b.typed {
		b.dt, b.typed = dt, true
		return nil
	}
	t, err := ndarray.Promote(b.dt, dt)
	b.dt = t
	return b.err(err)
}

// leafType is the type that NumPy gives a Python object.
func leafType(v Value) ndarray.DType {
	switch p := lang.Payload(v); p.Kind() {
	case value.KindInt:
		return ndarray.Int64
	case value.KindBig:
		if b, _ := lang.AsBig(p); b.IsUint64() {
			return ndarray.Uint64
		}
	case value.KindFloat:
		return ndarray.Float64
	case value.KindBool:
		return ndarray.Bool
	case value.KindComplex:
		return ndarray.Complex128
	case value.KindStr:
		s, _ := lang.AsStr(p)
		return ndarray.StrOf(max(s.Len(), 1))
	case value.KindBytes:
		s, _ := lang.AsBytes(p)
		return ndarray.BytesOf(max(len(s.B), 1))
	}
	return ndarray.Objects
}

// widthFor gives a text type without a width the one that the leaves need.
func (b *builder) widthFor(dt ndarray.DType) ndarray.DType {
	if !dt.IsText() || dt.W > 0 {
		return dt
	}
	dt.W = 1
	for i, v := range b.leaves {
		if a := b.arrays[i]; a != nil && a.Rank() > 0 {
			if t, err := ndarray.Promote(dt, a.DT); err == nil {
				dt.W = max(dt.W, t.W)
			}
			continue
		}
		dt.W = max(dt.W, len([]rune(b.Text(v))))
	}
	return dt
}

func (b *builder) fill() (*ndarray.Array, error) {
	if err := b.c.Room(b.dt, b.dims); err != nil {
		return nil, b.err(err)
	}
	out := ndarray.New(b.dt, b.dims...)
	i := 0
	step := 1
	if len(b.leaves) > 0 {
		step = out.Len() / len(b.leaves)
	}
	size := b.dt.Size()
	flat := out.Ravel()
	for k, v := range b.leaves {
		if a := b.arrays[k]; a != nil && (a.Rank() > 0 || b.dt.K != ndarray.Object) {
			part, err := flat.SplitAt([]int{i, i + step}, 0)
			if err != nil {
				return nil, b.err(err)
			}
			if err := b.c.CopyTo(part[1], a.Ravel()); err != nil {
				return nil, b.err(err)
			}
		} else if err := b.Store(out, i*size, v); err != nil {
			return nil, err
		}
		i += step
	}
	return out, nil
}

// raggedObjects is the object array of sequences that differ in length.
func (s *state) raggedObjects(v Value, dims []int) (*ndarray.Array, error) {
	var vals []value.Held
	var walk func(v Value, depth int)
	walk = func(v Value, depth int) {
		if depth == len(dims) {
			vals = append(vals, v.Held())
			return
		}
		items, _ := sequence(v)
		for _, x := range items {
			walk(x.Value(), depth+1)
		}
	}
	walk(v, 0)
	return ndarray.FromObjects(vals, dims...), nil
}

// Store puts a Python object into an element.
func (s *state) Store(a *ndarray.Array, pos int, v Value) error {
	switch {
	case a.DT.K == ndarray.Object:
		a.SetObject(pos, v)
		return nil
	case a.DT.K == ndarray.Str:
		t, err := lang.StrOf(s.th, v)
		a.SetText(pos, t)
		return err
	case a.DT.K == ndarray.Bytes:
		t, ok := lang.BytesOf(v)
		if !ok {
			t = s.Text(v)
		}
		a.SetText(pos, t)
		return nil
	}
	if x, ok, err := s.arrayLike(v); ok || err != nil {
		if err == nil && x.Len() != 1 {
			err = s.th.ValueErrorf("setting an array element with a sequence.")
		}
		if err != nil {
			return err
		}
		return s.err(s.storeElement(a, pos, x))
	}
	switch {
	case a.DT == ndarray.Bool:
		t, err := lang.Truth(s.th, v)
		if err == nil {
			a.SetInt(pos, b2i(t))
		}
		return err
	case a.DT.IsInt():
		return s.storeInt(a, pos, v)
	case a.DT.IsComplex():
		return s.storeComplex(a, pos, v)
	}
	return s.storeFloat(a, pos, v)
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// storeElement stores the one element of an array of any shape.
func (s *state) storeElement(a *ndarray.Array, pos int, x *ndarray.Array) error {
	y, err := s.c.Cast(x.Ravel(), a.DT)
	if err != nil {
		return err
	}
	return a.CopyElement(pos, y)
}

func (s *state) storeInt(a *ndarray.Array, pos int, v Value) error {
	p := lang.Payload(v)
	switch p.Kind() {
	case value.KindBool, value.KindInt:
		i := p.Int64()
		if p.Kind() == value.KindBool {
			i = b2i(p.Truth())
		}
		if !ndarray.Fits(a.DT, i) {
			return s.err(ndarray.OutOfBounds(big.NewInt(i).String(), a.DT))
		}
		a.SetInt(pos, i)
	case value.KindBig:
		b, _ := lang.AsBig(p)
		if a.DT != ndarray.Uint64 || !b.IsUint64() {
			return s.err(ndarray.OutOfBounds(b.String(), a.DT))
		}
		a.SetInt(pos, int64(b.Uint64()))
	case value.KindFloat:
		f := p.Float64()
		if f != f || math.IsInf(f, 0) {
			return s.noInt(f)
		}
		a.SetFloat(pos, f)
	case value.KindStr:
		t, _ := lang.AsStr(p)
		if err := a.ParseAt(pos, t.String()); err != nil {
			return s.th.ValueErrorf("invalid literal for int() with base 10: %s", format.StrRepr(t.String()))
		}
	default:
		if lang.HasIndex(v) {
			i, err := lang.IndexInt(s.th, v, lang.OverflowError)
			a.SetInt(pos, int64(i))
			return err
		}
		return s.th.TypeErrorf("int() argument must be a string, a bytes-like object or a real number, not '%s'", lang.TypeName(v))
	}
	return nil
}

func (s *state) noInt(f float64) error {
	if f != f {
		return s.th.ValueErrorf("cannot convert float NaN to integer")
	}
	return s.th.Raise(lang.OverflowError, "cannot convert float infinity to integer")
}

func (s *state) storeFloat(a *ndarray.Array, pos int, v Value) error {
	p := lang.Payload(v)
	switch p.Kind() {
	case value.KindStr:
		t, _ := lang.AsStr(p)
		if err := a.ParseAt(pos, t.String()); err != nil {
			return s.th.ValueErrorf("could not convert string to float: %s", format.StrRepr(t.String()))
		}
		return nil
	case value.KindNone:
		a.SetFloat(pos, math.NaN())
		if v.IsNone() {
			return s.th.TypeErrorf("float() argument must be a string or a real number, not 'NoneType'")
		}
		return nil
	}
	f, err := lang.FloatOf(s.th, v)
	if err != nil && strings.Contains(err.Error(), "must be real number") {
		err = s.th.TypeErrorf("float() argument must be a string or a real number, not '%s'", lang.TypeName(v))
	}
	if err == nil {
		a.SetFloat(pos, f)
	}
	return err
}

func (s *state) storeComplex(a *ndarray.Array, pos int, v Value) error {
	if z, ok := lang.AsComplex(v); ok {
		a.SetComplex(pos, z)
		return nil
	}
	f, err := lang.FloatOf(s.th, v)
	a.SetComplex(pos, complex(f, 0))
	return err
}

// operand is v as an argument of a ufunc: Python numbers are weak.
func (s *state) operand(v Value) (ndarray.Operand, error) {
	switch v.Kind() {
	case value.KindArray:
		return ndarray.Operand{Array: ndarray.Of(v)}, nil
	case value.KindInt:
		return ndarray.Operand{Array: ndarray.FromInt(v.Int64()), Weak: ndarray.WeakInt}, nil
	case value.KindFloat:
		return ndarray.Operand{Array: ndarray.FromFloat(v.Float64()), Weak: ndarray.WeakFloat}, nil
	case value.KindBool:
		return ndarray.Operand{Array: ndarray.FromBool(v.Truth())}, nil
	case value.KindComplex:
		z, _ := lang.AsComplex(v)
		return ndarray.Operand{Array: ndarray.From(ndarray.Complex128, []complex128{z}).Scalar(), Weak: ndarray.WeakComplex}, nil
	case value.KindBig:
		b, _ := lang.AsBig(v)
		a := ndarray.New(ndarray.Objects)
		a.SetObject(0, v)
		return ndarray.Operand{Array: a, Weak: ndarray.WeakInt, Big: b}, nil
	}
	a, err := s.asArray(v)
	return ndarray.Operand{Array: a}, err
}

// operands converts the arguments of a ufunc.
func (s *state) operands(vs []Value) ([]ndarray.Operand, error) {
	ops := make([]ndarray.Operand, len(vs))
	for i, v := range vs {
		o, err := s.operand(v)
		if err != nil {
			return nil, err
		}
		ops[i] = o
	}
	return ops, nil
}

// isNumber reports Python's numbers and NumPy's scalars.
func isNumber(v Value) bool {
	switch v.Kind() {
	case value.KindInt, value.KindFloat, value.KindBool, value.KindComplex, value.KindBig:
		return true
	}
	return isScalar(v)
}

// shapeOf reads a shape: an int or a sequence of ints.
func (s *state) shapeOf(v Value) ([]int, error) {
	if lang.HasIndex(v) && !isArrayLike(v) {
		n, err := lang.IndexInt(s.th, v, lang.OverflowError)
		return []int{n}, err
	}
	return s.ints(v)
}

func isArrayLike(v Value) bool { return isArray(v) && ndarray.Of(v).Rank() > 0 }

// ints reads a sequence of ints.
func (s *state) ints(v Value) ([]int, error) {
	if sh, ok := bridge.IsShape(v); ok {
		return slices.Clone(sh.Dims()), nil
	}
	items, err := lang.ToSlice(s.th, v)
	if err != nil {
		if _, ok := sequence(v); !ok && !isArray(v) {
			return nil, s.th.TypeErrorf("expected a sequence of integers or a single integer, got '%s'", s.repr(v))
		}
		return nil, err
	}
	out := make([]int, len(items))
	for i, x := range items {
		if !lang.HasIndex(x.Value()) {
			return nil, s.th.TypeErrorf("'%s' object cannot be interpreted as an integer", lang.TypeName(x.Value()))
		}
		if out[i], err = lang.IndexInt(s.th, x.Value(), lang.OverflowError); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tupleOf is a tuple of ints.
func tupleOf(dims []int) Value {
	vs := make([]Value, len(dims))
	for i, d := range dims {
		vs[i] = lang.Int(int64(d))
	}
	return lang.NewTuple(vs...)
}
