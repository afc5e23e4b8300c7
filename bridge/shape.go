package bridge

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// ShapeClass is tf.TensorShape.
var ShapeClass = lang.NewPythonClass("TensorShape", "tensorflow.python.framework.tensor_shape", value.KindOther)

// Shape is a tf.TensorShape as a script object.
type Shape struct {
	value.Header
	S tensor.Shape
}

// NewShape makes the script object of a shape.
func NewShape(s tensor.Shape) lang.Value {
	o := &Shape{value.Header{Type: &ShapeClass.Type, Kind: value.KindOther}, s}
	return value.Of(&o.Header)
}

// IsShape is v as a tf.TensorShape.
func IsShape(v lang.Value) (tensor.Shape, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &ShapeClass.Type {
		return (*Shape)(unsafe.Pointer(v.P)).S, true
	}
	return tensor.Shape{}, false
}

func shapeOf(v lang.Value) tensor.Shape { return (*Shape)(unsafe.Pointer(v.P)).S }

func init() {
	c := ShapeClass
	c.New = &lang.Def{Sig: "TensorShape(cls, dims)", Fn: shapeNew}
	c.Repr = func(_ *lang.Thread, v lang.Value) (lang.Value, error) { return lang.NewStr(shapeOf(v).Repr()), nil }
	c.Str = func(_ *lang.Thread, v lang.Value) (lang.Value, error) { return lang.NewStr(shapeOf(v).String()), nil }
	c.Len, c.Truth, c.Hash = shapeLen, shapeTruth, shapeHash
	c.GetItem, c.Iter, c.Compare = shapeGetItem, shapeIter, shapeCompare
	c.Binary = shapeBinary
	lang.DefineMethods(c, shapeMethods)
}

var shapeMethods = []lang.Def{
	{Sig: "rank(self)", Flags: lang.DefProperty, Fn: shapeRank},
	{Sig: "ndims(self)", Flags: lang.DefProperty, Fn: shapeRank},
	{Sig: "dims(self)", Flags: lang.DefProperty, Fn: shapeDims},
	{Sig: "as_list(self)", Fn: shapeAsList},
	{Sig: "num_elements(self)", Fn: shapeNumElements},
	{Sig: "is_fully_defined(self)", Fn: func(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
		return lang.Bool(shapeOf(a[0]).Known()), nil
	}},
	{Sig: "is_compatible_with(self, other)", Fn: shapeCompatible},
	{Sig: "assert_is_compatible_with(self, other)", Fn: shapeAssertCompatible},
	{Sig: "merge_with(self, other)", Fn: shapeMerge},
	{Sig: "concatenate(self, other)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		o, err := Of(th).AsShape(a[1])
		return NewShape(shapeOf(a[0]).Concat(o)), err
	}},
	{Sig: "with_rank(self, rank)", Fn: shapeWithRank},
	{Sig: "assert_has_rank(self, rank)", Fn: shapeAssertRank},
	{Sig: "assert_same_rank(self, other)", Fn: shapeAssertSameRank},
	{Sig: "assert_is_fully_defined(self)", Fn: shapeAssertDefined},
	{Sig: "most_specific_compatible_shape(self, other)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		o, err := Of(th).AsShape(a[1])
		return NewShape(tensor.Relax(shapeOf(a[0]), o)), err
	}},
	{Sig: "is_subtype_of(self, other)", Fn: func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		o, err := Of(th).AsShape(a[1])
		return lang.Bool(shapeOf(a[0]).SubtypeOf(o)), err
	}},
}

func shapeNew(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s, err := Of(th).AsShape(a[1])
	return NewShape(s), err
}

// AsShape reads a shape from what scripts write for one: a TensorShape, None, a
// number, a sequence of numbers and Nones, or an int tensor whose value is known.
func (st *State) AsShape(v lang.Value) (tensor.Shape, error) {
	if s, ok := IsShape(v); ok {
		return s, nil
	}
	switch {
	case v.IsNone():
		return tensor.UnknownShape, nil
	case lang.HasIndex(v):
		d, err := st.dimension(v)
		return tensor.ShapeOf(d), err
	}
	if _, isStr := lang.AsStr(v); isStr {
		return st.noShape(v)
	}
	items, ok := lang.Sequence(v)
	if !ok {
		list, err := lang.ToSlice(st.Th, v)
		if err != nil {
			return st.noShape(v)
		}
		items = list
	}
	dims := make([]int, len(items))
	for i, it := range items {
		d, err := st.dimension(it.Value())
		if err != nil {
			return tensor.Shape{}, err
		}
		dims[i] = d
	}
	return tensor.ShapeOf(dims...), nil
}

func (st *State) noShape(v lang.Value) (tensor.Shape, error) {
	text, err := lang.Repr(st.Th, v)
	if err != nil {
		return tensor.Shape{}, err
	}
	return tensor.Shape{}, st.Th.TypeErrorf("Failed to convert '%s' to a shape: '%s'could not be converted to a dimension. "+
		"A shape should either be single dimension (e.g. 10), or an iterable of dimensions (e.g. [1, 10, None]).", text, text)
}

// dimension is -1 for None.
func (st *State) dimension(v lang.Value) (int, error) {
	if v.IsNone() {
		return -1, nil
	}
	if !lang.HasIndex(v) {
		text, err := lang.Repr(st.Th, v)
		if err != nil {
			return 0, err
		}
		return 0, st.Th.TypeErrorf("Dimension value must be integer or None or have an __index__ method, got value '%s' with type '<class '%s'>'",
			text, lang.ClassOf(v).FullName())
	}
	d, err := lang.IndexInt(st.Th, v, lang.OverflowError)
	if err == nil && d < 0 {
		err = st.Th.ValueErrorf("Dimension %d must be >= 0", d)
	}
	return d, err
}

func dimValue(d int) lang.Value {
	if d < 0 {
		return lang.None
	}
	return lang.Int(int64(d))
}

func shapeRank(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	if s := shapeOf(a[0]); s.RankKnown() {
		return lang.Int(int64(s.Rank())), nil
	}
	return lang.None, nil
}

func dimList(s tensor.Shape) []lang.Value {
	out := make([]lang.Value, s.Rank())
	for i, d := range s.Dims() {
		out[i] = dimValue(d)
	}
	return out
}

func shapeDims(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	if s := shapeOf(a[0]); s.RankKnown() {
		return lang.NewList(dimList(s)...), nil
	}
	return lang.None, nil
}

func shapeAsList(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s := shapeOf(a[0])
	if !s.RankKnown() {
		return lang.Unbound, th.ValueErrorf("as_list() is not defined on an unknown TensorShape.")
	}
	return lang.NewList(dimList(s)...), nil
}

func shapeNumElements(_ *lang.Thread, a []lang.Value) (lang.Value, error) {
	return dimValue(shapeOf(a[0]).NumElements()), nil
}

func shapeLen(th *lang.Thread, v lang.Value) (int, error) {
	s := shapeOf(v)
	if !s.RankKnown() {
		return 0, th.ValueErrorf("Cannot take the length of shape with unknown rank.")
	}
	return s.Rank(), nil
}

func shapeTruth(_ *lang.Thread, v lang.Value) (bool, error) { return shapeOf(v).RankKnown(), nil }

func shapeHash(th *lang.Thread, v lang.Value) (int64, error) {
	s := shapeOf(v)
	if !s.RankKnown() {
		return lang.Hash(th, lang.None)
	}
	return lang.Hash(th, lang.NewTuple(dimList(s)...))
}

func shapeIter(th *lang.Thread, v lang.Value) (lang.Value, error) {
	s := shapeOf(v)
	if !s.RankKnown() {
		return lang.Unbound, th.ValueErrorf("Cannot iterate over a shape with unknown rank.")
	}
	return lang.Iter(th, lang.NewTuple(dimList(s)...))
}

func shapeGetItem(th *lang.Thread, v, key lang.Value) (lang.Value, error) {
	s := shapeOf(v)
	sl, isSlice := lang.AsSlice(key)
	if !s.RankKnown() {
		if isSlice {
			return NewShape(tensor.UnknownShape), nil
		}
		return lang.None, nil
	}
	if isSlice {
		start, _, step, n, err := sl.Indices(th, s.Rank())
		if err != nil {
			return lang.Unbound, err
		}
		dims := make([]int, n)
		for i := range dims {
			dims[i] = s.Dim(start + i*step)
		}
		return NewShape(tensor.ShapeOf(dims...)), nil
	}
	return lang.GetItem(th, lang.NewTuple(dimList(s)...), key)
}

func shapeCompare(th *lang.Thread, op lang.CompareOp, a, b lang.Value) (lang.Value, error) {
	if op != lang.EQ && op != lang.NE {
		return lang.NotImplemented, nil
	}
	if _, ok := IsShape(a); !ok {
		a, b = b, a
	}
	o, err := Of(th).AsShape(b)
	if err != nil {
		return lang.NotImplemented, nil
	}
	return lang.Bool((shapeOf(a) == o) == (op == lang.EQ)), nil
}

// shapeBinary knows + with shapes and sequences on either side.
func shapeBinary(th *lang.Thread, op lang.BinaryOp, a, b lang.Value, _ uint8) (lang.Value, error) {
	if op != lang.OpAdd {
		return lang.NotImplemented, nil
	}
	st := Of(th)
	x, err := st.AsShape(a)
	if err != nil {
		return lang.NotImplemented, nil
	}
	y, err := st.AsShape(b)
	if err != nil {
		return lang.NotImplemented, nil
	}
	return NewShape(x.Concat(y)), nil
}

func shapeCompatible(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	o, err := Of(th).AsShape(a[1])
	return lang.Bool(tensor.Compatible(shapeOf(a[0]), o)), err
}

func incompatible(th *lang.Thread, x, y tensor.Shape) error {
	return th.ValueErrorf("Shapes %s and %s are incompatible", x.String(), y.String())
}

func shapeAssertCompatible(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	o, err := Of(th).AsShape(a[1])
	if err == nil && !tensor.Compatible(shapeOf(a[0]), o) {
		err = incompatible(th, shapeOf(a[0]), o)
	}
	return lang.None, err
}

func shapeMerge(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	o, err := Of(th).AsShape(a[1])
	if err != nil {
		return lang.Unbound, err
	}
	m, ok := tensor.Merge(shapeOf(a[0]), o)
	if !ok {
		return lang.Unbound, th.ValueErrorf("Shapes %s and %s are not compatible", shapeOf(a[0]).String(), o.String())
	}
	return NewShape(m), nil
}

func shapeWithRank(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	r, err := lang.IndexInt(th, a[1], lang.OverflowError)
	if err != nil {
		return lang.Unbound, err
	}
	m, ok := tensor.Merge(shapeOf(a[0]), tensor.UnknownDims(r))
	if !ok {
		return lang.Unbound, th.ValueErrorf("Shape %s must have rank %d", shapeOf(a[0]).String(), r)
	}
	return NewShape(m), nil
}

func shapeAssertRank(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	_, err := shapeWithRank(th, a)
	return lang.None, err
}

func shapeAssertSameRank(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	s := shapeOf(a[0])
	o, err := Of(th).AsShape(a[1])
	if err == nil && s.RankKnown() && o.RankKnown() && s.Rank() != o.Rank() {
		err = th.ValueErrorf("Shapes %s and %s must have the same rank", s.String(), o.String())
	}
	return lang.None, err
}

func shapeAssertDefined(th *lang.Thread, a []lang.Value) (lang.Value, error) {
	if s := shapeOf(a[0]); !s.Known() {
		return lang.Unbound, th.ValueErrorf("Shape %s is not fully defined", s.String())
	}
	return lang.None, nil
}
