package np

import (
	"math"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// arrayFunc is np.array(object, dtype, copy, ndmin).
func arrayFunc(th *lang.Thread, a []Value) (Value, error) {
	r := read(th, a)
	dt := r.dtype(1)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	x, err := r.s.toArray(a[0], dt)
	if err != nil {
		return lang.Unbound, err
	}
	if isArray(a[0]) && x == ndarray.Of(a[0]) && (len(a) < 3 || a[2].IsUnbound() || a[2].IsBool() && a[2].Truth()) {
		x = x.Copy()
	}
	for n := r.int(3, 0); x.Rank() < n; {
		if x, err = x.ExpandDims(0); err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	return x.Value(), r.err
}

// asArrayFunc is np.asarray(a, dtype).
func asArrayFunc(th *lang.Thread, a []Value) (Value, error) {
	r := read(th, a)
	dt := r.dtype(1)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	x, err := r.s.toArray(a[0], dt)
	if err != nil {
		return lang.Unbound, err
	}
	return x.Value(), nil
}

// zeros is (shape, dtype).
func zeros(th *lang.Thread, a []Value) (Value, error) {
	r := read(th, a)
	if len(a[0:]) > 0 && a[0].IsInt() && !r.has(1) && a[0].Int64() >= 0 && a[0].Int64() < 1<<13 {
		return ndarray.New(ndarray.Float64, int(a[0].Int64())).Value(), nil
	}
	dims, dt := r.shape(0), r.dtype(1)
	return r.same(r.filled(dims, dt, nil))
}

// filled makes an array of one value, zeros for nil.
func (r *args) filled(dims []int, dt *ndarray.DType, v *ndarray.Array) (*ndarray.Array, error) {
	if r.err != nil {
		return nil, r.err
	}
	d := ndarray.Float64
	if dt != nil {
		d = *dt
	}
	if d.IsText() && d.W == 0 {
		d.W = 1
	}
	if err := r.s.c.Room(d, dims); err != nil {
		return nil, err
	}
	if v == nil {
		v = ndarray.New(d)
		if d.K == ndarray.Object {
			v.SetObject(0, lang.Int(0))
		}
	}
	return r.s.c.Full(v, d, dims...)
}

func onesFn(r *args) (*ndarray.Array, error) {
	return r.filled(r.shape(0), r.dtype(1), ndarray.FromInt(1))
}

// fullFn is (shape, fill_value, dtype).
func fullFn(r *args) (*ndarray.Array, error) {
	dims, v, dt := r.shape(0), r.arr(1), r.dtype(2)
	if dt == nil {
		dt = &v.DT
	} else if x, err := r.s.toArray(r.a[1], dt); err == nil {
		v = x
	}
	return r.filled(dims, dt, v)
}

// likeFn is (a, dtype, order, subok, shape) for zeros_like and its kin.
func likeFn(v *ndarray.Array) lang.Native {
	return viewFn(func(r *args) (*ndarray.Array, error) {
		a, dt := r.arr(0), r.dtype(1)
		dims := a.Dims()
		if r.has(4) {
			dims = r.shape(4)
		}
		if dt == nil {
			dt = &a.DT
		}
		return r.filled(dims, dt, v)
	})
}

var fullLike = viewFn(func(r *args) (*ndarray.Array, error) {
	a, v, dt := r.arr(0), r.arr(1), r.dtype(2)
	dims := a.Dims()
	if r.has(5) {
		dims = r.shape(5)
	}
	if dt == nil {
		dt = &a.DT
	}
	return r.filled(dims, dt, v)
})

// arange is (start, stop, step, dtype).
var arange = viewFn(func(r *args) (*ndarray.Array, error) {
	start, stop, step := lang.Int(0), r.a[0], lang.Int(1)
	if r.has(1) {
		start, stop = r.a[0], r.a[1]
	}
	if r.has(2) {
		step = r.a[2]
	}
	dt := r.dtype(3)
	if r.err != nil {
		return nil, r.err
	}
	var ops []ndarray.Operand
	ints := true
	for _, v := range []Value{start, stop, step} {
		o, err := r.s.operand(v)
		if err != nil {
			return nil, err
		}
		if o.Rank() != 0 {
			return nil, r.s.th.TypeErrorf("only 0-dimensional arrays can be converted to Python scalars")
		}
		if !o.DT.IsNumber() {
			return nil, r.s.th.TypeErrorf("arange() not supported for inputs with DType %s.", lang.TypeName(v))
		}
		ints = ints && (o.DT.IsInt() || o.DT == ndarray.Bool)
		ops = append(ops, o)
	}
	t, err := ndarray.ResultType(ops...)
	if err != nil {
		return nil, err
	}
	if t == ndarray.Bool {
		t = ndarray.Int64
	}
	if dt != nil {
		t = *dt
	}
	a, err := r.range3(ops, ints)
	if err != nil {
		return nil, err
	}
	return r.s.c.Cast(a, t)
})

func (r *args) range3(ops []ndarray.Operand, ints bool) (*ndarray.Array, error) {
	if ints {
		var i [3]int64
		for k, o := range ops {
			i[k] = o.IntAt(o.Offset())
		}
		if n, err := ndarray.ArangeLen(float64(i[0]), float64(i[1]), float64(i[2])); err == nil {
			if err := r.s.c.Room(ndarray.Int64, []int{n}); err != nil {
				return nil, err
			}
		}
		return ndarray.ArangeInt(i[0], i[1], i[2])
	}
	var f [3]float64
	for k, o := range ops {
		f[k] = o.FloatAt(o.Offset())
	}
	n, err := ndarray.ArangeLen(f[0], f[1], f[2])
	if err == nil {
		err = r.s.c.Room(ndarray.Float64, []int{n})
	}
	if err != nil {
		return nil, err
	}
	return ndarray.Arange(f[0], f[1], f[2])
}

// linspace is (start, stop, num, endpoint, retstep, dtype, axis).
var linspace = fn(func(r *args) (Value, error) {
	start, stop, n, end, dt := r.op(0), r.op(1), r.int(2, 50), r.flag(3), r.dtype(5)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	for i, o := range []ndarray.Operand{start, stop} {
		if !o.DT.IsNumber() {
			return lang.Unbound, r.s.th.TypeErrorf("unsupported operand type(s) for *: '%s' and 'float'", lang.TypeName(r.a[i]))
		}
	}
	t, err := ndarray.ResultType(start, stop, ndarray.Operand{Array: ndarray.FromFloat(0), Weak: ndarray.WeakFloat})
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	if dt != nil {
		t = *dt
	}
	if n > 0 {
		if err := r.s.c.Room(t, []int{n}); err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	if start.Rank() > 0 || stop.Rank() > 0 {
		a, err := r.linspaceArrays(start.Array, stop.Array, n, end)
		if err == nil {
			a, err = r.s.c.Cast(a, t)
		}
		return r.s.array(a, err)
	}
	a, step, err := ndarray.Linspace(start.FloatAt(start.Offset()), stop.FloatAt(stop.Offset()), n, end)
	if err == nil && t.IsInt() {
		a, err = r.s.c.Call(ndarray.Func("floor"), ndarray.Strongly(a), ndarray.Options{})
	}
	if err == nil {
		a, err = r.s.c.Cast(a, t)
	}
	v, err := r.s.array(a, err)
	if err == nil && r.flag(4) {
		return lang.NewTuple(v, floatScalar(step)), nil
	}
	return v, err
})

// linspaceArrays spaces between arrays along a new first axis.
func (r *args) linspaceArrays(start, stop *ndarray.Array, n int, end bool) (*ndarray.Array, error) {
	unit, _, err := ndarray.Linspace(0, 1, n, end)
	if err != nil {
		return nil, err
	}
	d, err := r.s.c.Call(ndarray.Func("subtract"), ndarray.Strongly(stop, start), ndarray.Options{})
	if err != nil {
		return nil, err
	}
	x, err := r.s.c.Outer(ndarray.Func("multiply"), ndarray.Operand{Array: unit}, ndarray.Operand{Array: d})
	if err != nil {
		return nil, err
	}
	return r.s.c.Call(ndarray.Func("add"), ndarray.Strongly(x, start), ndarray.Options{})
}

func eyeFn(r *args) (*ndarray.Array, error) {
	n, k, dt := r.int(0, 0), r.int(2, 0), r.dtype(3)
	m := r.int(1, n)
	if dt == nil {
		dt = &ndarray.Float64
	}
	if r.err != nil {
		return nil, r.err
	}
	if err := r.s.c.Room(*dt, []int{n, m}); err != nil {
		return nil, err
	}
	if !dt.IsNumber() {
		return r.s.c.Cast(ndarray.Eye(n, m, k, ndarray.Int64), *dt)
	}
	return ndarray.Eye(n, m, k, *dt), nil
}

var diagFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, k := r.arr(0), r.int(1, 0)
	if r.err != nil {
		return nil, r.err
	}
	switch x.Rank() {
	case 1:
		return r.s.c.Diag(x, k)
	case 2:
		return x.Diagonal(k, 0, 1)
	}
	return nil, r.s.th.ValueErrorf("Input must be 1- or 2-d.")
})

func triFn(upper bool) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, k := r.arr(0), r.int(1, 0)
		if r.err != nil {
			return nil, r.err
		}
		return r.s.c.Tri(x, k, upper)
	})
}

// meshgrid is (*xi, copy, sparse, indexing).
var meshgrid = fn(func(r *args) (Value, error) {
	t, _ := lang.AsTuple(r.a[3])
	as, err := r.s.asArrays(lang.Values(t.Items()))
	if err != nil {
		return lang.Unbound, err
	}
	n := len(as)
	xy := r.str(2, "xy") == "xy" && n > 1
	shape := make([]int, n)
	for i, a := range as {
		shape[i] = a.Len()
	}
	var out []*ndarray.Array
	for i, a := range as {
		dims := make([]int, n)
		for k := range dims {
			dims[k] = 1
		}
		dims[i] = a.Len()
		x, err := a.Reshape(dims...)
		if err == nil && xy {
			x, err = x.SwapAxes(0, 1)
		}
		if err == nil && !r.flag(1) {
			full := append([]int(nil), shape...)
			if xy {
				full[0], full[1] = full[1], full[0]
			}
			x, err = x.BroadcastTo(full)
		}
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		out = append(out, x.Copy())
	}
	return r.tuple(out, nil)
})

var fromBuffer = viewFn(func(r *args) (*ndarray.Array, error) {
	dt, count, off := r.dtype(1), r.int(2, -1), r.int(3, 0)
	b, ok := lang.BytesOf(r.a[0])
	if !ok && r.err == nil {
		return nil, r.s.th.TypeErrorf("a bytes-like object is required, not '%s'", lang.TypeName(r.a[0]))
	}
	if r.err != nil {
		return nil, r.err
	}
	if dt == nil {
		dt = &ndarray.Float64
	}
	if dt.K == ndarray.Object || dt.Size() == 0 {
		return nil, r.s.th.ValueErrorf("cannot create an OBJECT array from memory buffer")
	}
	if off < 0 || off > len(b) {
		return nil, r.s.th.ValueErrorf("offset must be non-negative and no greater than buffer length (%d)", len(b))
	}
	b = b[off:]
	if count >= 0 {
		if count*dt.Size() > len(b) {
			return nil, r.s.th.ValueErrorf("buffer is smaller than requested size")
		}
		b = b[:count*dt.Size()]
	}
	if len(b)%dt.Size() != 0 {
		return nil, r.s.th.ValueErrorf("buffer size must be a multiple of element size")
	}
	a := ndarray.FromBytes([]byte(b), *dt)
	_, bytes := lang.AsBytes(r.a[0])
	a.ReadOnly = bytes
	return a, nil
})

var fromIter = viewFn(func(r *args) (*ndarray.Array, error) {
	dt := r.dtype(1)
	if r.err != nil {
		return nil, r.err
	}
	items, err := lang.ToSlice(r.s.th, r.a[0])
	if err != nil {
		return nil, err
	}
	return r.s.toArray(lang.ListOf(items).Value(), dt)
})

func creation() []lang.Def {
	p := lang.DefPython
	return []lang.Def{
		{Sig: "array(object, dtype=None, copy=True, ndmin=0, order='K', subok=False, like=None)", Fn: arrayFunc},
		{Sig: "asarray(a, dtype=None, order=None, copy=None, like=None)", Fn: asArrayFunc},
		{Sig: "asanyarray(a, dtype=None, order=None)", Fn: asArrayFunc},
		{Sig: "ascontiguousarray(a, dtype=None)", Fn: viewFn(func(r *args) (*ndarray.Array, error) {
			dt := r.dtype(1)
			if r.err != nil {
				return nil, r.err
			}
			x, err := r.s.toArray(r.a[0], dt)
			if err != nil {
				return nil, err
			}
			if x.Rank() == 0 {
				return x.Reshape(1)
			}
			return x.Contiguous(), nil
		})},
		{Sig: "copy(a, order='K', subok=False)", Fn: viewFn(func(r *args) (*ndarray.Array, error) { return r.arr(0).Copy(), r.err })},
		{Sig: "zeros(shape, dtype=None, order='C')", Fn: zeros},
		{Sig: "empty(shape, dtype=None, order='C')", Fn: zeros},
		{Sig: "ones(shape, dtype=None, order='C')", Fn: viewFn(onesFn), Flags: p},
		{Sig: "full(shape, fill_value, dtype=None, order='C')", Fn: viewFn(fullFn), Flags: p},
		{Sig: "zeros_like(a, dtype=None, order='K', subok=True, shape=None)", Fn: likeFn(nil), Flags: p},
		{Sig: "empty_like(a, dtype=None, order='K', subok=True, shape=None)", Fn: likeFn(nil), Flags: p},
		{Sig: "ones_like(a, dtype=None, order='K', subok=True, shape=None)", Fn: likeFn(ndarray.FromInt(1)), Flags: p},
		{Sig: "full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None)", Fn: fullLike, Flags: p},
		{Sig: "arange(start, stop=None, step=None, dtype=None, *, like=None)", Fn: arange},
		{Sig: "linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0)", Fn: linspace, Flags: p},
		{Sig: "eye(N, M=None, k=0, dtype=None, order='C')", Fn: viewFn(eyeFn), Flags: p},
		{Sig: "identity(n, dtype=None)", Fn: viewFn(func(r *args) (*ndarray.Array, error) {
			r.a = []Value{r.a[0], lang.None, lang.Int(0), r.a[1]}
			return eyeFn(r)
		}), Flags: p},
		{Sig: "diag(v, k=0)", Fn: diagFn, Flags: p},
		{Sig: "tril(m, k=0)", Fn: triFn(false), Flags: p},
		{Sig: "triu(m, k=0)", Fn: triFn(true), Flags: p},
		{Sig: "meshgrid(*xi, copy=True, sparse=False, indexing='xy')", Fn: meshgrid, Flags: p},
		{Sig: "frombuffer(buffer, dtype=None, count=-1, offset=0)", Fn: fromBuffer},
		{Sig: "fromiter(iter, dtype, count=-1)", Fn: fromIter},
	}
}

// constants are the names of numpy that are plain values.
func constants(m *lang.Module) {
	m.Set("pi", lang.Float(math.Pi))
	m.Set("e", lang.Float(math.E))
	m.Set("inf", lang.Float(math.Inf(1)))
	m.Set("nan", lang.Float(math.NaN()))
	m.Set("euler_gamma", lang.Float(0.5772156649015329))
	m.Set("newaxis", lang.None)
	m.Set("True_", boolScalar(true))
	m.Set("False_", boolScalar(false))
	m.Set("little_endian", lang.True)
	m.Set("__version__", lang.NewStr("2.4.0"))
}
