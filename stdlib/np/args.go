package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// args reads bound arguments; the first mistake sticks and later reads give zeros.
type args struct {
	s   *state
	a   []Value
	err error
}

func read(th *lang.Thread, a []Value) *args { return &args{s: of(th), a: a} }

// has reports an argument that was given and is not None.
func (r *args) has(i int) bool { return i < len(r.a) && !r.a[i].IsUnbound() && !r.a[i].IsNone() }

func (r *args) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// arr is argument i as an array.
func (r *args) arr(i int) *ndarray.Array {
	if r.err == nil {
		a, err := r.s.asArray(r.a[i])
		if err == nil {
			return a
		}
		r.keep(err)
	}
	return ndarray.New(ndarray.Float64, 0)
}

// opt is arr, nil when not given.
func (r *args) opt(i int) *ndarray.Array {
	if !r.has(i) {
		return nil
	}
	return r.arr(i)
}

// arrs is argument i as a list of arrays; an array gives its rows.
func (r *args) arrs(i int) []*ndarray.Array {
	if r.err != nil {
		return nil
	}
	items, err := lang.ToSlice(r.s.th, r.a[i])
	if err != nil {
		r.keep(err)
		return nil
	}
	as, err := r.s.asArrays(lang.Values(items))
	r.keep(err)
	return as
}

// op is argument i as an operand of a ufunc.
func (r *args) op(i int) ndarray.Operand {
	if r.err == nil {
		o, err := r.s.operand(r.a[i])
		if err == nil {
			return o
		}
		r.keep(err)
	}
	return ndarray.Operand{Array: ndarray.New(ndarray.Float64)}
}

// int is argument i as an int, def when not given.
func (r *args) int(i, def int) int {
	if !r.has(i) || r.err != nil {
		return def
	}
	n, err := lang.IndexInt(r.s.th, r.a[i], lang.OverflowError)
	r.keep(err)
	return n
}

// float is argument i as a number.
func (r *args) float(i int, def float64) float64 {
	if !r.has(i) || r.err != nil {
		return def
	}
	f, err := lang.FloatOf(r.s.th, r.a[i])
	r.keep(err)
	return f
}

// flag is argument i as a truth value.
func (r *args) flag(i int) bool {
	if !r.has(i) || r.err != nil {
		return false
	}
	t, err := lang.Truth(r.s.th, r.a[i])
	r.keep(err)
	return t
}

// str is argument i as a string.
func (r *args) str(i int, def string) string {
	if !r.has(i) || r.err != nil {
		return def
	}
	t, ok := lang.AsStr(r.a[i])
	if !ok {
		r.keep(r.s.th.TypeErrorf("expected a string, got %s", lang.TypeName(r.a[i])))
		return def
	}
	return t.String()
}

// shape is argument i as a shape.
func (r *args) shape(i int) []int {
	if r.err != nil {
		return nil
	}
	d, err := r.s.shapeOf(r.a[i])
	r.keep(err)
	return d
}

// dtype is argument i as a dtype, nil when not given.
func (r *args) dtype(i int) *ndarray.DType {
	if i >= len(r.a) || r.err != nil {
		return nil
	}
	d, err := r.s.optDType(r.a[i])
	r.keep(err)
	return d
}

// axes is argument i as the axes of a reduction; None means all.
func (r *args) axes(i int) ndarray.Reduction {
	if !r.has(i) {
		return ndarray.AllAxes()
	}
	return ndarray.Axis(r.shape(i)...)
}

// out is argument i as the array that takes the result.
func (r *args) out(i int) *ndarray.Array {
	if !r.has(i) || r.err != nil {
		return nil
	}
	v := r.a[i]
	if t, ok := lang.AsTuple(v); ok && t.Len() == 1 {
		v = t.At(0)
	}
	if !isArray(v) {
		r.keep(r.s.th.TypeErrorf("return arrays must be of ArrayType"))
		return nil
	}
	return ndarray.Of(v)
}

// done makes the result of an array function the script's.
func (r *args) done(a *ndarray.Array, err error) (Value, error) {
	if r.err != nil {
		return lang.Unbound, r.err
	}
	return r.s.value(a, err)
}

// same is done without turning rank 0 into a scalar.
func (r *args) same(a *ndarray.Array, err error) (Value, error) {
	if r.err != nil {
		return lang.Unbound, r.err
	}
	return r.s.array(a, err)
}

// list is done for several arrays.
func (r *args) list(as []*ndarray.Array, err error) (Value, error) {
	if r.err != nil || err != nil {
		if r.err == nil {
			r.err = r.s.err(err)
		}
		return lang.Unbound, r.err
	}
	return lang.NewList(values(as)...), nil
}

func values(as []*ndarray.Array) []Value {
	vs := make([]Value, len(as))
	for i, a := range as {
		vs[i] = a.Value()
	}
	return vs
}

// tuple is list as a tuple.
func (r *args) tuple(as []*ndarray.Array, err error) (Value, error) {
	if r.err != nil || err != nil {
		if r.err == nil {
			r.err = r.s.err(err)
		}
		return lang.Unbound, r.err
	}
	return lang.NewTuple(values(as)...), nil
}

// fn makes a row's function of one that reads its arguments.
func fn(f func(r *args) (Value, error)) lang.Native {
	return func(th *lang.Thread, a []Value) (Value, error) {
		r := read(th, a)
		v, err := f(r)
		if r.err != nil {
			return lang.Unbound, r.err
		}
		return v, err
	}
}

// arrayFn makes a row's function of one that gives an array.
func arrayFn(f func(r *args) (*ndarray.Array, error)) lang.Native {
	return func(th *lang.Thread, a []Value) (Value, error) {
		r := read(th, a)
		x, err := f(r)
		return r.done(x, err)
	}
}

// viewFn is arrayFn for functions whose result of rank 0 stays an array.
func viewFn(f func(r *args) (*ndarray.Array, error)) lang.Native {
	return func(th *lang.Thread, a []Value) (Value, error) {
		r := read(th, a)
		x, err := f(r)
		return r.same(x, err)
	}
}
