package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// The functions of this file serve as module functions and as methods: the
// array is the first argument of both.

// reduceFn is (a, axis, dtype, out, keepdims, initial, where).
func reduceFn(ufunc string) lang.Native {
	f := ndarray.Func(ufunc)
	return func(th *lang.Thread, a []Value) (Value, error) {
		r := read(th, a)
		if lang.ClassOf(a[0]) == lang.GeneratorClass && ufunc == "add" {
			return r.sumGenerator()
		}
		x, red := r.arr(0), r.axes(1)
		red.DType, red.Out, red.KeepDims, red.Initial, red.Where = r.dtype(2), r.out(3), r.flag(4), r.opt(5), r.opt(6)
		if r.err != nil {
			return lang.Unbound, r.err
		}
		return r.done(r.s.c.Reduce(f, x, red))
	}
}

func (r *args) sumGenerator() (Value, error) {
	items, err := lang.ToSlice(r.s.th, r.a[0])
	if err != nil {
		return lang.Unbound, err
	}
	total := lang.Int(0)
	for _, x := range items {
		if total, err = lang.BinaryOperation(r.s.th, operators["add"], total, x.Value()); err != nil {
			return total, err
		}
	}
	return total, nil
}

// extremeFn is (a, axis, out, keepdims, initial, where).
func extremeFn(ufunc string) lang.Native {
	f := ndarray.Func(ufunc)
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, red := r.arr(0), r.axes(1)
		red.Out, red.KeepDims, red.Initial, red.Where = r.out(2), r.flag(3), r.opt(4), r.opt(5)
		if r.err != nil {
			return nil, r.err
		}
		return r.s.c.Reduce(f, x, red)
	})
}

// truthFn is any and all: (a, axis, out, keepdims, where).
func truthFn(ufunc string) lang.Native {
	f := ndarray.Func(ufunc)
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, red := r.arr(0), r.axes(1)
		red.Out, red.KeepDims, red.Where = r.out(2), r.flag(3), r.opt(4)
		if r.err != nil {
			return nil, r.err
		}
		return r.s.c.Reduce(f, x, red)
	})
}

var meanFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, red := r.arr(0), r.axes(1)
	red.DType, red.Out, red.KeepDims, red.Where = r.dtype(2), r.out(3), r.flag(4), r.opt(5)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Mean(x, red)
})

// varFn is (a, axis, dtype, out, ddof, keepdims, where, mean, correction).
func varFn(f func(c *ndarray.Ctx, a *ndarray.Array, ddof int, red ndarray.Reduction) (*ndarray.Array, error)) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, red := r.arr(0), r.axes(1)
		red.DType, red.Out, red.KeepDims = r.dtype(2), r.out(3), r.flag(5)
		ddof := int(r.float(4, 0))
		if r.has(6) {
			ddof = int(r.float(6, 0))
		}
		if r.err != nil {
			return nil, r.err
		}
		return f(&r.s.c, x, ddof, red)
	})
}

// argFn is (a, axis, out, keepdims).
func argFn(ufunc string) lang.Native {
	f := ndarray.Func(ufunc)
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, axis, keep := r.arr(0), r.int(1, 0), r.flag(3)
		if r.err != nil {
			return nil, r.err
		}
		return r.s.c.ArgReduce(f, x, axis, !r.has(1), keep)
	})
}

// scanFn is (a, axis, dtype, out).
func scanFn(ufunc string) lang.Native {
	f := ndarray.Func(ufunc)
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, axis, dt, out := r.arr(0), r.int(1, 0), r.dtype(2), r.out(3)
		if r.err != nil {
			return nil, r.err
		}
		if !r.has(1) {
			x = x.Ravel()
		}
		return r.s.c.Accumulate(f, x, axis, dt, out)
	})
}

// quantileFn is (a, q, axis, out, overwrite_input, method, keepdims); scale turns q into a fraction.
func quantileFn(scale float64) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, q, red := r.arr(0), r.arr(1), r.axes(2)
		red.KeepDims = r.flag(6)
		if m := r.str(5, "linear"); m != "linear" {
			return nil, r.s.th.Raise(lang.NotImplementedError, "quantile method '%s' is not there yet; method='linear' is", m)
		}
		if r.err != nil {
			return nil, r.err
		}
		if scale != 1 {
			f, err := r.s.c.Floats(q)
			if err != nil {
				return nil, err
			}
			y := ndarray.New(ndarray.Float64, q.Dims()...)
			for i, v := range f {
				ndarray.Elements[float64](y)[i] = v / scale
				if !(v >= 0 && v <= scale) {
					return nil, r.s.th.ValueErrorf("Percentiles must be in the range [0, 100]")
				}
			}
			q = y
		}
		return r.s.c.Quantile(x, q, red)
	})
}

var medianFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, red := r.arr(0), r.axes(1)
	red.KeepDims = r.flag(4)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Quantile(x, ndarray.FromFloat(0.5), red)
})

// sortFn returns a sorted copy: (a, axis, kind, order, stable); None flattens.
var sortFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, axis := r.axisOrFlat(0, 1)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Sort(x, axis)
})

var argSortFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, axis := r.axisOrFlat(0, 1)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.ArgSort(x, axis)
})

// axisOrFlat reads an array and an axis, whose None flattens the array.
func (r *args) axisOrFlat(arr, axis int) (*ndarray.Array, int) {
	x := r.arr(arr)
	if r.a[axis].IsNone() {
		return x.Ravel(), 0
	}
	return x, r.int(axis, -1)
}

// sortInPlace is the method a.sort(axis).
var sortInPlace = fn(func(r *args) (Value, error) {
	a := ndarray.Of(r.a[0])
	x, err := r.s.c.Sort(a, r.int(1, -1))
	if err == nil {
		err = r.s.c.CopyTo(a, x)
	}
	return lang.None, r.s.err(err)
})

const (
	sumSig     = "axis=None, dtype=None, out=None, keepdims=False, initial=..., where=..."
	extremeSig = "axis=None, out=None, keepdims=False, initial=..., where=..."
	truthSig   = "axis=None, out=None, keepdims=False, *, where=..."
	meanSig    = "axis=None, dtype=None, out=None, keepdims=False, *, where=..."
	varSig     = "axis=None, dtype=None, out=None, ddof=0, keepdims=False, correction=..., *, where=..., mean=..."
	argSig     = "axis=None, out=None, *, keepdims=False"
	scanSig    = "axis=None, dtype=None, out=None"
)

// both lists rows that are module functions and methods alike; %s is the first parameter.
var reductions = []struct {
	name, sig string
	fn        lang.Native
}{
	{"sum", sumSig, reduceFn("add")}, {"prod", sumSig, reduceFn("multiply")},
	{"max", extremeSig, extremeFn("maximum")}, {"min", extremeSig, extremeFn("minimum")},
	{"any", truthSig, truthFn("logical_or")}, {"all", truthSig, truthFn("logical_and")},
	{"mean", meanSig, meanFn}, {"std", varSig, varFn((*ndarray.Ctx).Std)}, {"var", varSig, varFn((*ndarray.Ctx).Var)},
	{"argmax", argSig, argFn("maximum")}, {"argmin", argSig, argFn("minimum")},
	{"cumsum", scanSig, scanFn("add")}, {"cumprod", scanSig, scanFn("multiply")},
}

// moduleReductions are the same functions under numpy's other names, and those
// that are no methods.
func moduleReductions() []lang.Def {
	var out []lang.Def
	for _, d := range reductions {
		out = append(out, lang.Def{Sig: d.name + "(a, " + d.sig + ")", Fn: d.fn, Flags: lang.DefPython})
	}
	row := func(sig string, f lang.Native) { out = append(out, lang.Def{Sig: sig, Fn: f, Flags: lang.DefPython}) }
	row("amax(a, "+extremeSig+")", extremeFn("maximum"))
	row("amin(a, "+extremeSig+")", extremeFn("minimum"))
	row("median(a, axis=None, out=None, overwrite_input=False, keepdims=False)", medianFn)
	row("percentile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False)", quantileFn(100))
	row("quantile(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False)", quantileFn(1))
	row("sort(a, axis=-1, kind=None, order=None, *, stable=None)", sortFn)
	row("argsort(a, axis=-1, kind=None, order=None, *, stable=None)", argSortFn)
	return out
}
