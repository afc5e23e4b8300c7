package np

import (
	"math"
	"math/bits"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// two makes a row's function of one of two arrays.
func two(f func(c *ndarray.Ctx, a, b *ndarray.Array) (*ndarray.Array, error)) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x, y := r.arr(0), r.arr(1)
		out := (*ndarray.Array)(nil)
		if len(r.a) > 2 {
			out = r.out(2)
		}
		if r.err != nil {
			return nil, r.err
		}
		z, err := f(&r.s.c, x, y)
		if err == nil && out != nil {
			return out, r.s.c.Assign(out, z)
		}
		return z, err
	})
}

var einsumFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	t, _ := lang.AsTuple(r.a[len(r.a)-2])
	if t.Len() == 0 {
		return nil, r.s.th.ValueErrorf("must specify the einstein sum subscripts string and at least one operand, or at least one operand and its corresponding subscripts list")
	}
	spec, ok := lang.AsStr(t.At(0))
	if !ok {
		return nil, r.s.th.Raise(lang.NotImplementedError, "einsum with lists of axes is not there yet; a subscripts string is")
	}
	as, err := r.s.asArrays(lang.Values(t.Items()[1:]))
	if err != nil {
		return nil, err
	}
	return r.s.c.Einsum(spec.String(), as)
})

var tensorDot = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, y := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	if lang.HasIndex(r.a[2]) {
		n := r.int(2, 2)
		var ax, bx []int
		for i := range n {
			ax, bx = append(ax, x.Rank()-n+i), append(bx, i)
		}
		return r.s.c.TensorDot(x, y, ax, bx)
	}
	pair, err := lang.ToSlice(r.s.th, r.a[2])
	if err != nil {
		return nil, err
	}
	if len(pair) != 2 {
		return nil, r.s.th.ValueErrorf("not enough values to unpack (expected 2, got %d)", len(pair))
	}
	ax, err := r.s.shapeOf(pair[0].Value())
	if err != nil {
		return nil, err
	}
	bx, err := r.s.shapeOf(pair[1].Value())
	if err != nil {
		return nil, err
	}
	return r.s.c.TensorDot(x, y, ax, bx)
})

// whereFn is (condition, x, y), or nonzero with the condition alone.
var whereFn = fn(func(r *args) (Value, error) {
	if r.a[1].IsUnbound() != r.a[2].IsUnbound() {
		return lang.Unbound, r.s.th.ValueErrorf("either both or neither of x and y should be given")
	}
	if r.a[1].IsUnbound() {
		return nonzeroFn(r.s.th, r.a[:1])
	}
	cond, x, y := r.arr(0), r.op(1), r.op(2)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	dt, err := ndarray.ResultType(x, y)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	return r.s.array(r.s.c.WhereAs(cond, x.Array, y.Array, dt))
})

var bincountFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, w, n := r.arr(0), r.opt(1), r.int(2, 0)
	if r.err != nil {
		return nil, r.err
	}
	if w != nil {
		return r.s.c.BincountFloats(x, w, n)
	}
	return r.s.c.BincountInts(x, n)
})

var outerFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, y := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Outer(ndarray.Func("multiply"), ndarray.Operand{Array: x.Ravel()}, ndarray.Operand{Array: y.Ravel()})
})

var vdotFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, y := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	c, err := r.s.c.Call(ndarray.Func("conjugate"), ndarray.Strongly(x.Ravel()), ndarray.Options{})
	if x.DT == ndarray.Bool {
		c, err = x.Ravel(), nil
	}
	if err != nil {
		return nil, err
	}
	return r.s.c.Dot(c, y.Ravel())
})

var innerFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, y := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	if x.Rank() == 0 || y.Rank() == 0 {
		return r.s.c.Call(ndarray.Func("multiply"), ndarray.Strongly(x, y), ndarray.Options{})
	}
	if n, m := x.Dims()[x.Rank()-1], y.Dims()[y.Rank()-1]; n != m {
		return nil, r.s.th.ValueErrorf("shapes %s and %s not aligned: %d (dim %d) != %d (dim %d)", compact(x.Dims()), compact(y.Dims()), n, x.Rank()-1, m, y.Rank()-1)
	}
	return r.s.c.TensorDot(x, y, []int{x.Rank() - 1}, []int{y.Rank() - 1})
})

var convolveFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, y, mode := r.arr(0), r.arr(1), r.str(2, "full")
	if r.err != nil {
		return nil, r.err
	}
	dt, err := ndarray.Promote(x.DT, y.DT)
	if err != nil {
		return nil, err
	}
	a, err := r.s.c.Floats(x)
	if err != nil {
		return nil, err
	}
	b, err := r.s.c.Floats(y)
	if err != nil {
		return nil, err
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, r.s.th.ValueErrorf("v cannot be empty")
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	full := ndarray.Convolve(a, b)
	switch mode {
	case "same":
		lo := (len(b) - 1) / 2
		full = full[lo : lo+len(a)]
	case "valid":
		full = full[len(b)-1 : len(a)]
	}
	return r.s.c.Cast(ndarray.FromFloats(full, len(full)), dt)
})

var interpFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x, xp, fp := r.arr(0), r.arr(1), r.arr(2)
	if r.err != nil {
		return nil, r.err
	}
	q, err := r.s.c.Floats(x)
	if err != nil {
		return nil, err
	}
	px, err := r.s.c.Floats(xp)
	if err != nil {
		return nil, err
	}
	py, err := r.s.c.Floats(fp)
	if err != nil {
		return nil, err
	}
	if len(px) != len(py) || len(px) == 0 {
		return nil, r.s.th.ValueErrorf("fp and xp are not of the same length.")
	}
	left, right := r.float(3, py[0]), r.float(4, py[len(py)-1])
	out := ndarray.New(ndarray.Float64, x.Dims()...)
	y := ndarray.Elements[float64](out)
	for i, v := range q {
		y[i] = interpolate(v, px, py, left, right)
	}
	return out, r.err
})

func interpolate(v float64, x, y []float64, left, right float64) float64 {
	n := len(x)
	switch {
	case v != v:
		return v
	case v < x[0]:
		return left
	case v > x[n-1]:
		return right
	case v == x[n-1], n == 1:
		return y[n-1]
	}
	lo, hi := 0, n-1
	for hi-lo > 1 {
		if m := (lo + hi) / 2; x[m] <= v {
			lo = m
		} else {
			hi = m
		}
	}
	if x[lo] == v {
		return y[lo]
	}
	slope := (y[lo+1] - y[lo]) / (x[lo+1] - x[lo])
	return float64(slope*(v-x[lo])) + y[lo]
}

// packFn is packbits, unpackFn unpackbits along the flattened array.
var packFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x := r.arr(0)
	if r.err != nil {
		return nil, r.err
	}
	b, err := r.s.c.Cast(x.Ravel(), ndarray.Bool)
	if err != nil {
		return nil, err
	}
	in := b.Bytes()
	out := make([]byte, (len(in)+7)/8)
	for i, v := range in {
		if v != 0 {
			out[i/8] |= 0x80 >> (i % 8)
		}
	}
	return ndarray.FromBytes(out, ndarray.Uint8), nil
})

var unpackFn = arrayFn(func(r *args) (*ndarray.Array, error) {
	x := r.arr(0)
	if r.err != nil {
		return nil, r.err
	}
	if x.DT != ndarray.Uint8 {
		return nil, r.s.th.TypeErrorf("Expected an input array of unsigned byte data type")
	}
	var out []byte
	for _, v := range x.Bytes() {
		for k := range 8 {
			out = append(out, bits.Reverse8(v)>>k&1)
		}
	}
	return ndarray.FromBytes(out, ndarray.Uint8), nil
})

var sharesFn = fn(func(r *args) (Value, error) {
	x, y := r.arr(0), r.arr(1)
	return lang.Bool(x.SharesMemory(y)), nil
})

func compact(dims []int) string {
	t := ""
	for i, d := range dims {
		if i > 0 {
			t += ","
		}
		s, _ := lang.Repr(nil, lang.Int(int64(d)))
		t += s
	}
	if len(dims) == 1 {
		t += ","
	}
	return "(" + t + ")"
}

var modfFn = fn(func(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	whole, err := r.s.c.Call(ndarray.Func("trunc"), ndarray.Strongly(x), ndarray.Options{})
	if err == nil && !whole.DT.IsFloat() {
		whole, err = r.s.c.Cast(whole, ndarray.Float64)
	}
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	part, err := r.s.c.Call(ndarray.Func("subtract"), ndarray.Strongly(x, whole), ndarray.Options{})
	if err == nil {
		part, err = r.s.c.Call(ndarray.Func("copysign"), ndarray.Strongly(part, x), ndarray.Options{})
	}
	a, err := r.s.value(part, err)
	if err != nil {
		return a, err
	}
	b, err := r.s.value(whole, nil)
	return lang.NewTuple(a, b), err
})

var divmodFn = fn(func(r *args) (Value, error) { return r.s.divmod(r.a[0], r.a[1], false) })

var frexpFn = fn(func(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	f, err := r.s.c.Floats(x)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	m, e := ndarray.New(ndarray.Float64, x.Dims()...), ndarray.New(ndarray.Int32, x.Dims()...)
	for i, v := range f {
		frac, exp := math.Frexp(v)
		ndarray.Elements[float64](m)[i], ndarray.Elements[int32](e)[i] = frac, int32(exp)
	}
	a, _ := r.s.value(m, nil)
	b, err := r.s.value(e, nil)
	return lang.NewTuple(a, b), err
})

func mathRows() []lang.Def {
	rows := []lang.Def{
		{Sig: "dot(a, b, out=None)", Fn: two((*ndarray.Ctx).Dot)},
		{Sig: "matmul(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True)", Fn: two((*ndarray.Ctx).MatMul)},
		{Sig: "inner(a, b, /)", Fn: innerFn},
		{Sig: "outer(a, b, out=None)", Fn: outerFn},
		{Sig: "vdot(a, b, /)", Fn: vdotFn},
		{Sig: "tensordot(a, b, axes=2)", Fn: tensorDot},
		{Sig: "einsum(*operands, out=None, optimize=False, **kwargs)", Fn: einsumFn},
		{Sig: "where(condition, x=..., y=..., /)", Fn: whereFn},
		{Sig: "clip(a, a_min=None, a_max=None, out=None, **kwargs)", Fn: clipFn},
		{Sig: "round(a, decimals=0, out=None)", Fn: roundFn},
		{Sig: "around(a, decimals=0, out=None)", Fn: roundFn},
		{Sig: "bincount(x, /, weights=None, minlength=0)", Fn: bincountFn},
		{Sig: "convolve(a, v, mode='full')", Fn: convolveFn},
		{Sig: "interp(x, xp, fp, left=None, right=None, period=None)", Fn: interpFn},
		{Sig: "packbits(a, /, axis=None, bitorder='big')", Fn: packFn},
		{Sig: "unpackbits(a, /, axis=None, count=None, bitorder='big')", Fn: unpackFn},
		{Sig: "shares_memory(a, b, /, max_work=None)", Fn: sharesFn},
		{Sig: "may_share_memory(a, b, /, max_work=None)", Fn: sharesFn},
		{Sig: "lexsort(keys, axis=-1)", Fn: arrayFn(func(r *args) (*ndarray.Array, error) {
			keys := r.arrs(0)
			if r.err != nil {
				return nil, r.err
			}
			return r.s.c.LexSort(keys)
		})},
		{Sig: "modf(x, /)", Fn: modfFn},
		{Sig: "frexp(x, /)", Fn: frexpFn},
		{Sig: "divmod(x1, x2, /)", Fn: divmodFn},
		{Sig: "real(val)", Fn: fn(func(r *args) (Value, error) { return r.s.value(r.arr(0).Real(), nil) })},
		{Sig: "imag(val)", Fn: fn(func(r *args) (Value, error) { return r.s.value(r.arr(0).Imag(), nil) })},
	}
	for i := range rows {
		rows[i].Flags |= lang.DefPython
	}
	return rows
}
