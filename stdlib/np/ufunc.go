package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// UFuncClass is np.ufunc.
var UFuncClass = lang.NewBuiltinClass("ufunc", "numpy", value.KindOther)

// ufunc is a universal function as a script object; one for each.
type ufunc struct {
	value.Header
	name string
	f    *ndarray.UFunc
	def  lang.Def
}

var ufuncObjects = func() map[string]*ufunc {
	m := map[string]*ufunc{}
	for _, n := range ndarray.FuncNames() {
		f := ndarray.Func(n)
		u := m[f.Name]
		if u == nil {
			u = &ufunc{Header: value.Header{Type: &UFuncClass.Type, Kind: value.KindOther, Flags: value.FlagImmortal}, name: f.Name, f: f}
			params := "x1, x2, /, out=None"
			if f.NIn == 1 {
				params = "x, /, out=None"
			}
			u.def = lang.Def{Sig: f.Name + "(" + params + ", *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)", Flags: lang.DefPython}
			u.def.Fn = u.run
			m[f.Name] = u
		}
		m[n] = u
	}
	return m
}()

func asUFunc(v Value) *ufunc { return (*ufunc)(v.P) }

// run is the call with bound arguments.
func (u *ufunc) run(th *lang.Thread, a []Value) (Value, error) {
	s := of(th)
	n := u.f.NIn
	ops, err := s.operands(a[:n])
	if err != nil {
		return lang.Unbound, err
	}
	r := args{s: s, a: a}
	opt := ndarray.Options{Out: r.out(n), Casting: r.str(n+2, "same_kind"), DType: r.dtype(n + 4)}
	if w := a[n+1]; !w.IsBool() || !w.Truth() {
		opt.Where = r.arr(n + 1)
	}
	if r.err != nil {
		return lang.Unbound, r.err
	}
	res, err := s.c.Call(u.f, ops, opt)
	if err == nil && opt.Out != nil {
		return outValue(a[n]), nil
	}
	return s.value(res, err)
}

// outValue is the array given as out, itself or in a tuple.
func outValue(v Value) Value {
	if t, ok := lang.AsTuple(v); ok {
		return t.At(0)
	}
	return v
}

func init() {
	c := UFuncClass
	c.Repr = func(_ *lang.Thread, v Value) (Value, error) {
		return lang.NewStr("<ufunc '" + asUFunc(v).name + "'>"), nil
	}
	c.Call = func(th *lang.Thread, v Value, a []Value, names []*lang.Str) (Value, error) {
		u := asUFunc(v)
		if len(names) == 0 && len(a) == u.f.NIn { // the common case
			s := of(th)
			ops, err := s.operands(a)
			if err != nil {
				return lang.Unbound, err
			}
			return s.value(s.c.Call(u.f, ops, ndarray.Options{}))
		}
		if n := u.f.NIn; len(a)-len(names) < n || len(a)-len(names) > n+1 {
			return lang.Unbound, th.TypeErrorf("%s() takes from %d to %d positional arguments but %d %s given", u.name, n, n+1, len(a)-len(names), were(len(a)-len(names)))
		}
		full, err := u.def.Bind(th, a, names)
		if err != nil {
			return lang.Unbound, err
		}
		return u.run(th, full)
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "__name__(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) { return lang.NewStr(asUFunc(a[0]).name), nil }},
		{Sig: "nin(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) { return lang.Int(int64(asUFunc(a[0]).f.NIn)), nil }},
		{Sig: "nout(self)", Flags: lang.DefProperty, Fn: func(_ *lang.Thread, a []Value) (Value, error) { return lang.Int(1), nil }},
		{Sig: "reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=..., where=...)", Fn: arrayFn(func(r *args) (*ndarray.Array, error) {
			x := r.arr(1)
			red := ndarray.Axis(0)
			if r.a[2].IsNone() {
				red = ndarray.AllAxes()
			} else {
				red = ndarray.Axis(r.shape(2)...)
			}
			red.DType, red.Out, red.KeepDims, red.Initial, red.Where = r.dtype(3), r.out(4), r.flag(5), r.opt(6), r.opt(7)
			if r.err != nil {
				return nil, r.err
			}
			return r.s.c.Reduce(asUFunc(r.a[0]).f, x, red)
		})},
		{Sig: "accumulate(self, array, axis=0, dtype=None, out=None)", Fn: arrayFn(func(r *args) (*ndarray.Array, error) {
			x, axis, dt, out := r.arr(1), r.int(2, 0), r.dtype(3), r.out(4)
			if r.err != nil {
				return nil, r.err
			}
			return r.s.c.Accumulate(asUFunc(r.a[0]).f, x, axis, dt, out)
		})},
		{Sig: "outer(self, A, B, /)", Fn: arrayFn(func(r *args) (*ndarray.Array, error) {
			x, y := r.op(1), r.op(2)
			if r.err != nil {
				return nil, r.err
			}
			return r.s.c.Outer(asUFunc(r.a[0]).f, x, y)
		})},
		{Sig: "at(self, a, indices, b=..., /)", Fn: ufuncAt},
		{Sig: "reduceat(self, array, indices, axis=0, dtype=None, out=None)", Fn: reduceAt},
	})
}

func were(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

var ufuncAt = fn(func(r *args) (Value, error) {
	f := asUFunc(r.a[0]).f
	if !isArray(r.a[1]) {
		return lang.Unbound, r.s.th.TypeErrorf("first operand must be array")
	}
	a := ndarray.Of(r.a[1])
	idx, err := r.s.index(r.a[2])
	if err != nil {
		return lang.Unbound, err
	}
	if f.NIn == 1 {
		v, _, err := a.Get(idx)
		if err == nil {
			v, err = r.s.c.Call(f, ndarray.Strongly(v), ndarray.Options{})
		}
		if err == nil {
			err = r.s.c.Set(a, idx, v)
		}
		return lang.None, r.s.err(err)
	}
	x, err := r.s.operand(r.a[3])
	if err != nil {
		return lang.Unbound, err
	}
	return lang.None, r.s.err(r.s.c.At(f, a, idx, x.Array))
})

var reduceAt = arrayFn(func(r *args) (*ndarray.Array, error) {
	f, x, axis := asUFunc(r.a[0]).f, r.arr(1), r.int(3, 0)
	ix := r.arr(2)
	if r.err != nil {
		return nil, r.err
	}
	idx, err := r.s.c.Ints(ix)
	if err != nil {
		return nil, err
	}
	axis, err = ndarray.NormAxis(axis, x.Rank())
	if err != nil {
		return nil, err
	}
	n := x.Dims()[axis]
	var parts []*ndarray.Array
	for k, i := range idx {
		if i < 0 || int(i) >= n {
			return nil, r.s.th.Raise(lang.IndexError, "index %d out-of-bounds in %s.reduceat [0, %d)", i, f.Name, n)
		}
		end := n
		if k+1 < len(idx) {
			end = int(idx[k+1])
		}
		end = max(end, int(i)+1)
		p, err := x.SplitAt([]int{int(i), end}, axis)
		if err != nil {
			return nil, err
		}
		red := ndarray.Axis(axis)
		red.KeepDims = true
		y, err := r.s.c.Reduce(f, p[1], red)
		if err != nil {
			return nil, err
		}
		parts = append(parts, y)
	}
	return r.s.c.Concatenate(parts, axis)
})
