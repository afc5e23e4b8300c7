package np

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// self is the array of a method's receiver, which may be a scalar.
func self(v Value) *ndarray.Array {
	if isArray(v) {
		return ndarray.Of(v)
	}
	a, _ := scalarArray(v)
	return a
}

func prop(f func(a *ndarray.Array) Value) lang.Native {
	return func(_ *lang.Thread, a []Value) (Value, error) { return f(self(a[0])), nil }
}

// arrayProps are attributes of arrays and scalars.
func arrayProps() []lang.Def {
	p := lang.DefProperty
	return []lang.Def{
		{Sig: "shape(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return tupleOf(a.Dims()) }), Set: setShape},
		{Sig: "ndim(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return lang.Int(int64(a.Rank())) })},
		{Sig: "size(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return lang.Int(int64(a.Len())) })},
		{Sig: "dtype(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return newDType(a.DT) })},
		{Sig: "itemsize(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return lang.Int(int64(a.DT.Size())) })},
		{Sig: "nbytes(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return lang.Int(int64(a.DT.Size() * a.Len())) })},
		{Sig: "strides(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value { return tupleOf(a.Strides()) })},
		{Sig: "T(self)", Flags: p, Fn: viewFn(func(r *args) (*ndarray.Array, error) { return self(r.a[0]).T(), nil })},
		{Sig: "mT(self)", Flags: p, Fn: viewFn(func(r *args) (*ndarray.Array, error) { return self(r.a[0]).SwapAxes(-1, -2) })},
		{Sig: "real(self)", Flags: p, Fn: fn(realPart), Set: setPart((*ndarray.Array).Real)},
		{Sig: "imag(self)", Flags: p, Fn: fn(imagPart), Set: setPart((*ndarray.Array).Imag)},
		{Sig: "base(self)", Flags: p, Fn: prop(func(a *ndarray.Array) Value {
			if b := a.Base(); b != nil {
				return b.Value()
			}
			return lang.None
		})},
		{Sig: "flat(self)", Flags: p, Fn: func(th *lang.Thread, a []Value) (Value, error) { return newFlat(self(a[0])), nil }},
		{Sig: "flags(self)", Flags: p, Fn: func(th *lang.Thread, a []Value) (Value, error) { return newFlags(self(a[0])), nil }},
		{Sig: "__array_priority__(self)", Flags: p, Fn: prop(func(*ndarray.Array) Value { return lang.Float(0) })},
	}
}

func realPart(r *args) (Value, error) {
	a := self(r.a[0])
	if !isArray(r.a[0]) {
		return r.s.value(a.Real(), nil)
	}
	if !a.DT.IsComplex() {
		return r.a[0], nil
	}
	return a.Real().Value(), nil
}

func imagPart(r *args) (Value, error) {
	a := self(r.a[0]).Imag()
	if !isArray(r.a[0]) {
		return r.s.value(a, nil)
	}
	return a.Value(), nil
}

func setPart(part func(*ndarray.Array) *ndarray.Array) func(*lang.Thread, Value, Value) error {
	return func(th *lang.Thread, v, x Value) error {
		s := of(th)
		src, err := s.asArray(x)
		if err != nil {
			return err
		}
		return s.err(s.c.Assign(part(self(v)), src))
	}
}

func setShape(th *lang.Thread, v, x Value) error {
	s := of(th)
	dims, err := s.shapeOf(x)
	if err != nil {
		return err
	}
	return s.err(self(v).SetShape(dims))
}

// reshapeArgs reads reshape(2, 3) and reshape((2, 3)).
func (r *args) shapeArgs(i int) []int {
	t, _ := lang.AsTuple(r.a[i])
	if t.Len() == 1 {
		d, err := r.s.shapeOf(t.At(0))
		r.keep(err)
		return d
	}
	d, err := r.s.ints(r.a[i])
	r.keep(err)
	return d
}

// ordered handles order='F': the elements are read and placed column by column.
func (r *args) reshape(a *ndarray.Array, dims []int, order string) (*ndarray.Array, error) {
	if r.err != nil {
		return nil, r.err
	}
	if order != "F" {
		return a.Reshape(dims...)
	}
	back := make([]int, len(dims))
	for i, d := range dims {
		back[len(dims)-1-i] = d
	}
	b, err := a.T().Reshape(back...)
	if err != nil {
		return nil, err
	}
	return b.T(), nil
}

func arrayMethods() []lang.Def {
	rows := []lang.Def{
		{Sig: "reshape(self, *shape, order='C', copy=None)", Fn: viewFn(arrayReshape)},
		{Sig: "ravel(self, order='C')", Fn: viewFn(arrayRavel)},
		{Sig: "flatten(self, order='C')", Fn: viewFn(arrayFlatten)},
		{Sig: "transpose(self, *axes)", Fn: viewFn(arrayTranspose)},
		{Sig: "swapaxes(self, axis1, axis2, /)", Fn: viewFn(func(r *args) (*ndarray.Array, error) { return self(r.a[0]).SwapAxes(r.int(1, 0), r.int(2, 0)) })},
		{Sig: "squeeze(self, axis=None)", Fn: squeezeFn},
		{Sig: "astype(self, dtype=..., order='K', casting='unsafe', subok=True, copy=True)", Fn: astype},
		{Sig: "copy(self, order='C')", Fn: fn(arrayCopy)},
		{Sig: "__copy__(self)", Fn: fn(func(r *args) (Value, error) { return self(r.a[0]).Copy().Value(), nil })},
		{Sig: "__deepcopy__(self, memo, /)", Fn: fn(arrayDeepcopy)},
		{Sig: "fill(self, value, /)", Fn: fn(arrayFill)},
		{Sig: "item(self, *args)", Fn: item},
		{Sig: "tolist(self)", Fn: fn(func(r *args) (Value, error) { return toList(self(r.a[0])), nil })},
		{Sig: "tobytes(self, order='C')", Fn: fn(func(r *args) (Value, error) { return lang.NewBytes(string(self(r.a[0]).Bytes())), nil })},
		{Sig: "view(self, dtype=..., type=...)", Fn: viewMethod},
		{Sig: "round(self, decimals=0, out=None)", Fn: roundFn},
		{Sig: "__round__(self, ndigits=...)", Fn: roundBuiltin},
		{Sig: "clip(self, min=None, max=None, out=None, **kwargs)", Fn: clipFn},
		{Sig: "dot(self, b, out=None)", Fn: arrayFn(arrayDot)},
		{Sig: "conj(self)", Fn: unaryMethod("conjugate")},
		{Sig: "conjugate(self)", Fn: unaryMethod("conjugate")},
		{Sig: "nonzero(self)", Fn: nonzeroFn},
		{Sig: "argsort(self, axis=-1, kind=None, order=None, *, stable=None)", Fn: argSortFn},
		{Sig: "sort(self, axis=-1, kind=None, order=None, *, stable=None)", Fn: sortInPlace},
		{Sig: "searchsorted(self, v, side='left', sorter=None)", Fn: searchSortedFn},
		{Sig: "repeat(self, repeats, axis=None)", Fn: repeatFn},
		{Sig: "take(self, indices, axis=None, out=None, mode='raise')", Fn: takeFn},
		{Sig: "diagonal(self, offset=0, axis1=0, axis2=1)", Fn: diagonalFn},
		{Sig: "trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", Fn: traceFn},
		{Sig: "ptp(self, axis=None, out=None, keepdims=False)", Fn: gone("`ptp` was removed from the ndarray class in NumPy 2.0. Use np.ptp(arr, ...) instead.")},
		{Sig: "itemset(self, *args)", Fn: gone("`itemset` was removed from the ndarray class in NumPy 2.0. Use `arr[index] = value` instead.")},
		{Sig: "__array__(self, dtype=None, copy=None)", Fn: fn(func(r *args) (Value, error) { return self(r.a[0]).Value(), nil })},
		{Sig: "__reduce__(self)", Fn: reduceArray},
		{Sig: "__complex__(self)", Fn: fn(arrayComplex)},
	}
	for _, d := range reductions {
		rows = append(rows, lang.Def{Sig: d.name + "(self, " + d.sig + ")", Fn: d.fn})
	}
	return rows
}

func arrayReshape(r *args) (*ndarray.Array, error) {
	return r.reshape(self(r.a[0]), r.shapeArgs(3), r.str(1, "C"))
}

func arrayRavel(r *args) (*ndarray.Array, error) {
	return r.reshape(self(r.a[0]), []int{-1}, r.str(1, "C"))
}

func arrayFlatten(r *args) (*ndarray.Array, error) {
	a, err := r.reshape(self(r.a[0]), []int{-1}, r.str(1, "C"))
	if err != nil {
		return nil, err
	}
	return a.Copy(), nil
}

func arrayTranspose(r *args) (*ndarray.Array, error) {
	t, _ := lang.AsTuple(r.a[1])
	if t.Len() == 0 || t.Len() == 1 && t.At(0).IsNone() {
		return self(r.a[0]).T(), nil
	}
	axes := r.shapeArgs(1)
	if r.err != nil {
		return nil, r.err
	}
	return self(r.a[0]).Transpose(axes)
}

func arrayCopy(r *args) (Value, error) {
	if !isArray(r.a[0]) {
		return r.a[0], nil
	}
	return self(r.a[0]).Copy().Value(), nil
}

func arrayDeepcopy(r *args) (Value, error) {
	if !isArray(r.a[0]) {
		return r.a[0], nil
	}
	return self(r.a[0]).Copy().Value(), nil
}

func arrayFill(r *args) (Value, error) {
	a := self(r.a[0])
	x, err := r.s.valueFor(a, nil, r.a[1])
	if err != nil {
		return lang.Unbound, err
	}
	return lang.None, r.s.err(r.s.c.Assign(a, x))
}

func arrayDot(r *args) (*ndarray.Array, error) {
	x, y := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Dot(x, y)
}

func arrayComplex(r *args) (Value, error) {
	return r.s.th.Call(lang.ComplexClass.Value(), []Value{itemAt(self(r.a[0]), self(r.a[0]).Offset())})
}

func gone(text string) lang.Native {
	return func(th *lang.Thread, a []Value) (Value, error) {
		return lang.Unbound, th.Raise(lang.AttributeError, "%s", text)
	}
}

func unaryMethod(ufunc string) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		return r.s.c.Call(ndarray.Func(ufunc), ndarray.Strongly(self(r.a[0])), ndarray.Options{})
	})
}

var squeezeFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, all := r.arr(0), !r.has(1)
	var axes []int
	if !all {
		axes = r.shape(1)
	}
	if r.err != nil {
		return nil, r.err
	}
	return x.Squeeze(axes, all)
})

var astype = fn(func(r *args) (Value, error) {
	if r.a[1].IsUnbound() {
		return lang.Unbound, r.s.th.TypeErrorf("astype() missing required argument 'dtype' (pos 0)")
	}
	a, dt, casting := self(r.a[0]), r.dtype(1), r.str(3, "unsafe")
	if dt == nil {
		dt = &ndarray.Float64
	}
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if !ndarray.CanCast(a.DT, *dt, casting) {
		return lang.Unbound, r.s.th.TypeErrorf("Cannot cast array data from %s to %s according to the rule '%s'", dtypeReprText(a.DT), dtypeReprText(*dt), casting)
	}
	b, err := r.s.c.Cast(a, *dt)
	if err == nil && b == a && isArray(r.a[0]) {
		if !r.flag(5) {
			return r.a[0], nil
		}
		b = a.Copy()
	}
	if !isArray(r.a[0]) {
		return r.s.value(b, err)
	}
	return r.s.array(b, err)
})

var item = fn(func(r *args) (Value, error) {
	a := self(r.a[0])
	t, _ := lang.AsTuple(r.a[1])
	if t.Len() == 0 {
		if a.Len() != 1 {
			return lang.Unbound, r.s.th.ValueErrorf("can only convert an array of size 1 to a Python scalar")
		}
		return itemAt(a, a.Offset()), nil
	}
	var key Value = r.a[1]
	if t.Len() == 1 {
		key = t.At(0)
		if key.IsInt() || lang.HasIndex(key) {
			a = a.Ravel()
		}
	}
	idx, err := r.s.index(key)
	if err != nil {
		return lang.Unbound, err
	}
	x, _, err := a.Get(idx)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	if x.Len() != 1 {
		return lang.Unbound, r.s.th.ValueErrorf("incorrect number of indices for array")
	}
	return itemAt(x, x.Offset()), nil
})

// toList is nested lists of Python objects.
func toList(a *ndarray.Array) Value {
	if a.Rank() == 0 {
		return itemAt(a, a.Offset())
	}
	n := a.Dims()[0]
	l := lang.MakeList(n)
	for i := range n {
		if a.Rank() == 1 {
			l.Append(itemAt(a, a.Offset()+i*a.Strides()[0]))
		} else {
			l.Append(toList(a.Row(i)))
		}
	}
	return l.Value()
}

var viewMethod = fn(func(r *args) (Value, error) {
	a := self(r.a[0])
	if r.a[1].IsUnbound() {
		b, err := a.View(a.DT)
		return r.s.array(b, err)
	}
	dt := r.dtype(1)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if dt == nil {
		dt = &a.DT
	}
	b, err := a.View(*dt)
	if !isArray(r.a[0]) {
		return r.s.value(b, err)
	}
	return r.s.array(b, err)
})

var roundFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, n, out := r.arr(0), r.int(1, 0), r.out(2)
	if r.err != nil {
		return nil, r.err
	}
	y, err := r.s.c.Round(x, n)
	if err == nil && out != nil {
		return out, r.s.c.CopyTo(out, y)
	}
	return y, err
})

// roundBuiltin is round(x): without digits a Python int.
var roundBuiltin = fn(func(r *args) (Value, error) {
	if isArray(r.a[0]) {
		return lang.Unbound, r.s.th.TypeErrorf("type numpy.ndarray doesn't define __round__ method")
	}
	if !r.has(1) {
		x := scalarItem(r.a[0])
		return r.s.th.CallMethod(x, "__round__")
	}
	return roundFn(r.s.th, []Value{r.a[0], r.a[1], lang.None})
})

var clipFn = fn(func(r *args) (Value, error) {
	ops := []ndarray.Operand{r.op(0)}
	out := r.out(3)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	lo, hi := r.bound(1, 4, "min"), r.bound(2, 4, "max")
	x := ops[0]
	var err error
	res := x.Array
	for _, step := range []struct {
		v     Value
		ufunc string
	}{{lo, "maximum"}, {hi, "minimum"}} {
		if step.v.IsNone() || step.v.IsUnbound() {
			continue
		}
		b, e := r.s.operand(step.v)
		if e != nil {
			return lang.Unbound, e
		}
		if res, err = r.s.c.Call(ndarray.Func(step.ufunc), []ndarray.Operand{x, b}, ndarray.Options{}); err != nil {
			return lang.Unbound, r.s.err(err)
		}
		x = ndarray.Operand{Array: res}
	}
	if out != nil {
		return out.Value(), r.s.err(r.s.c.CopyTo(out, res))
	}
	if res == ops[0].Array {
		res = res.Copy()
	}
	return r.s.value(res, nil)
})

// bound reads a clip bound, which may come as a keyword a_min.
func (r *args) bound(i, kw int, name string) Value {
	if !r.a[i].IsNone() && !r.a[i].IsUnbound() {
		return r.a[i]
	}
	if kw < len(r.a) {
		if d, ok := lang.AsDict(r.a[kw]); ok {
			if v, ok := d.GetStr(name); ok {
				return v
			}
		}
	}
	return r.a[i]
}

var nonzeroFn = fn(func(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if x.Rank() == 0 {
		return lang.Unbound, r.s.th.ValueErrorf("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context of this error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`.")
	}
	b, err := r.s.c.Cast(x, ndarray.Bool)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	return lang.NewTuple(values(b.NonZero())...), nil
})

var searchSortedFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	a, v, side := r.arr(0), r.arr(1), r.str(2, "left")
	if r.err != nil {
		return nil, r.err
	}
	if a.Rank() == 0 {
		return nil, r.s.th.ValueErrorf("object of too small depth for desired array")
	}
	if a.Rank() > 1 {
		return nil, r.s.th.ValueErrorf("object too deep for desired array")
	}
	if r.has(3) {
		idx, err := r.s.c.Ints(r.arr(3))
		if err != nil {
			return nil, err
		}
		for _, i := range idx {
			if i < 0 || int(i) >= a.Len() {
				return nil, r.s.th.ValueErrorf("Sorter index out of range.")
			}
		}
		if a, err = a.TakeAxis(idx, []int{len(idx)}, 0); err != nil {
			return nil, err
		}
	}
	return r.s.c.SearchSorted(a, v, side == "right")
})

var repeatFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, counts := r.arr(0), r.arr(1)
	axis := 0
	if r.has(2) {
		axis = r.int(2, 0)
	} else {
		x = x.Ravel()
	}
	if r.err != nil {
		return nil, r.err
	}
	n, err := r.s.c.Ints(counts)
	if err != nil {
		return nil, err
	}
	ints := make([]int, len(n))
	for i, k := range n {
		ints[i] = int(k)
	}
	return r.s.c.Repeat(x, ints, axis)
})

// takeFn is (a, indices, axis, out, mode).
var takeFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, ix, axis, mode := r.arr(0), r.arr(1), r.int(2, 0), r.str(4, "raise")
	if r.err != nil {
		return nil, r.err
	}
	if !r.has(2) {
		x = x.Ravel()
	}
	axis, err := ndarray.NormAxis(axis, x.Rank())
	if err != nil {
		return nil, err
	}
	if ix.Len() == 0 {
		ix = ndarray.New(ndarray.Int64, ix.Dims()...)
	}
	if !ndarray.CanCast(ix.DT, ndarray.Int64, "same_kind") {
		return nil, r.s.th.TypeErrorf("Cannot cast array data from %s to dtype('int64') according to the rule 'safe'", dtypeReprText(ix.DT))
	}
	idx, err := r.s.c.Ints(ix)
	if err != nil {
		return nil, err
	}
	n := int64(x.Dims()[axis])
	out := make([]int64, len(idx))
	for k, i := range idx {
		switch {
		case mode == "clip":
			i = min(max(i, 0), n-1)
		case mode == "wrap":
			i = ((i % n) + n) % n
		case i < -n || i >= n:
			return nil, r.s.th.Raise(lang.IndexError, "index %d is out of bounds for axis %d with size %d", i, axis, n)
		case i < 0:
			i += n
		}
		out[k] = i
	}
	return x.TakeAxis(out, ix.Dims(), axis)
})

var diagonalFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, k, i, j := r.arr(0), r.int(1, 0), r.int(2, 0), r.int(3, 1)
	if r.err != nil {
		return nil, r.err
	}
	return x.Diagonal(k, i, j)
})

var traceFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, k, i, j, dt := r.arr(0), r.int(1, 0), r.int(2, 0), r.int(3, 1), r.dtype(4)
	if r.err != nil {
		return nil, r.err
	}
	d, err := x.Diagonal(k, i, j)
	if err != nil {
		return nil, err
	}
	red := ndarray.Axis(-1)
	red.DType = dt
	return r.s.c.Reduce(ndarray.Func("add"), d, red)
})

// reduceArray is __reduce__: np.array(list, dtype).
var reduceArray = fn(func(r *args) (Value, error) {
	a := self(r.a[0])
	if !isArray(r.a[0]) {
		return lang.NewTuple(lang.ClassOf(r.a[0]).Value(), lang.NewTuple(scalarItem(r.a[0]))), nil
	}
	return lang.NewTuple(lang.NewFunc("array(object, dtype)", arrayFunc), lang.NewTuple(toList(a), newDType(a.DT))), nil
})

// scalarGetAttr gives scalars the attributes and methods of arrays.
func shareMethods() {
	for i := range classes {
		if c := classes[i].c; c != ObjectClass {
			lang.DefineMethods(c, scalarRows(classes[i].dt))
		}
	}
}

// textScalarNames are the attributes of arrays that np.str_ has.
const textScalarNames = " dtype item shape ndim size tolist itemsize astype "

func scalarRows(dt ndarray.DType) []lang.Def {
	var out []lang.Def
	for _, rows := range [2][]lang.Def{arrayProps(), arrayMethods()} {
		for i := range rows {
			name, _, _ := strings.Cut(rows[i].Sig, "(")
			if dt.IsText() && !strings.Contains(textScalarNames, " "+name+" ") {
				continue // str's own methods stand
			}
			out = append(out, lang.Def{Sig: rows[i].Sig, Fn: rows[i].Fn, Flags: rows[i].Flags})
		}
	}
	if dt.IsInt() {
		out = append(out, lang.Def{Sig: "bit_count(self)", Fn: itemMethod("bit_count")}, lang.Def{Sig: "is_integer(self)", Fn: func(*lang.Thread, []Value) (Value, error) { return lang.True, nil }},
			lang.Def{Sig: "numerator(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) { return a[0], nil }})
	}
	if dt == ndarray.Float64 || dt == ndarray.Float32 || dt == ndarray.Float16 {
		out = append(out, lang.Def{Sig: "is_integer(self)", Fn: itemMethod("is_integer")}, lang.Def{Sig: "as_integer_ratio(self)", Fn: itemMethod("as_integer_ratio")})
	}
	return out
}

// itemMethod calls the method of the Python object in a scalar.
func itemMethod(name string) lang.Native {
	return func(th *lang.Thread, a []Value) (Value, error) { return th.CallMethod(scalarItem(a[0]), name) }
}

func init() {
	lang.DefineMethods(ArrayClass, append(arrayProps(), arrayMethods()...))
	shareMethods()
	for _, d := range []struct {
		c    *lang.Class
		rows []lang.Def
	}{{flatClass, flatRows()}, {flagsClass, flagRows()}} {
		lang.DefineMethods(d.c, d.rows)
	}
}
