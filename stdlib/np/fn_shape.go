package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// joinFn is (arrays, axis, …) for concatenate and stack.
func joinFn(f func(c *ndarray.Ctx, as []*ndarray.Array, axis int) (*ndarray.Array, error)) lang.Native {
	return viewFn(func(r *args) (*ndarray.Array, error) {
		as, axis, out, dt := r.arrs(0), r.int(1, 0), r.out(2), r.dtype(3)
		if r.err != nil {
			return nil, r.err
		}
		if !r.has(1) && len(r.a) > 1 {
			for i := range as {
				as[i] = as[i].Ravel()
			}
		}
		x, err := f(&r.s.c, as, axis)
		if err == nil && dt != nil {
			x, err = r.s.c.Cast(x, *dt)
		}
		if err == nil && out != nil {
			return out, r.s.c.Assign(out, x)
		}
		return x, err
	})
}

// atLeast raises arrays to a number of dimensions as vstack and its kin do.
func atLeast(n int, a *ndarray.Array) *ndarray.Array {
	for a.Rank() < n {
		switch {
		case a.Rank() == 2: // (M, N) -> (M, N, 1)
			a, _ = a.ExpandDims(2)
		case n == 3 && a.Rank() == 1: // (N,) -> (1, N, 1)
			a, _ = a.ExpandDims(0, 2)
		default:
			a, _ = a.ExpandDims(0)
		}
	}
	return a
}

// stackFn joins arrays raised to n dimensions along an axis.
func stackFn(n, axis int) lang.Native {
	return viewFn(func(r *args) (*ndarray.Array, error) {
		as := r.arrs(0)
		if r.err != nil {
			return nil, r.err
		}
		for i := range as {
			as[i] = atLeast(n, as[i])
		}
		ax := axis
		if n == 1 && len(as) > 0 && as[0].Rank() > 1 {
			ax = 1
		}
		return r.s.c.Concatenate(as, ax)
	})
}

var columnStack = viewFn(func(r *args) (*ndarray.Array, error) {
	as := r.arrs(0)
	if r.err != nil {
		return nil, r.err
	}
	for i := range as {
		if as[i].Rank() < 2 {
			as[i] = atLeast(2, as[i]).T()
		}
	}
	return r.s.c.Concatenate(as, 1)
})

// splitFn is (ary, indices_or_sections, axis); axis < 0 in the row means the
// argument, else it is fixed (hsplit and its kin).
func splitFn(equal bool, fixed int) lang.Native {
	return fn(func(r *args) (Value, error) {
		x, axis := r.arr(0), fixed
		if fixed < 0 {
			axis = r.int(2, 0)
		}
		if fixed == 1 && x.Rank() == 1 {
			axis = 0
		}
		if r.err != nil {
			return lang.Unbound, r.err
		}
		if lang.HasIndex(r.a[1]) && !isArrayLike(r.a[1]) {
			n := r.int(1, 1)
			if n <= 0 && r.err == nil {
				return lang.Unbound, r.s.th.ValueErrorf("number sections must be larger than 0.")
			}
			return r.list(x.SplitInto(n, axis, equal))
		}
		at := r.shape(1)
		if r.err != nil {
			return lang.Unbound, r.err
		}
		return r.list(x.SplitAt(at, axis))
	})
}

func atLeastFn(n int) lang.Native {
	return fn(func(r *args) (Value, error) {
		t, _ := lang.AsTuple(r.a[0])
		as, err := r.s.asArrays(lang.Values(t.Items()))
		if err != nil {
			return lang.Unbound, err
		}
		for i := range as {
			as[i] = atLeast(n, as[i])
		}
		if len(as) == 1 {
			return as[0].Value(), nil
		}
		return r.tuple(as, nil)
	})
}

var tileFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, reps := r.arr(0), r.shape(1)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.Tile(x, reps)
})

var rollFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, shift := r.arr(0), r.shape(1)
	if r.err != nil {
		return nil, r.err
	}
	if !r.has(2) {
		y, err := r.s.c.Roll(x.Ravel(), sum(shift), 0)
		if err != nil {
			return nil, err
		}
		return y.Reshape(x.Dims()...)
	}
	axes := r.shape(2)
	if r.err != nil {
		return nil, r.err
	}
	if len(shift) == 0 || len(axes) == 0 {
		return x.Copy(), nil
	}
	var err error
	for i, ax := range axes {
		if x, err = r.s.c.Roll(x, shift[min(i, len(shift)-1)], ax); err != nil {
			return nil, err
		}
	}
	return x, nil
})

func sum(x []int) (n int) {
	for _, v := range x {
		n += v
	}
	return n
}

func flipFn(axes ...int) lang.Native {
	return viewFn(func(r *args) (*ndarray.Array, error) {
		x, ax, all := r.arr(0), axes, false
		if axes == nil {
			if all = !r.has(1); !all {
				ax = r.shape(1)
			}
		}
		if r.err != nil {
			return nil, r.err
		}
		return x.Flip(ax, all)
	})
}

// padFn is (array, pad_width, mode, **kwargs).
var padFn = viewFn(func(r *args) (*ndarray.Array, error) {
	x, w, mode := r.arr(0), r.arr(1), r.str(2, "constant")
	if r.err != nil {
		return nil, r.err
	}
	if !w.DT.IsInt() {
		return nil, r.s.th.TypeErrorf("`pad_width` must be of integral type.")
	}
	widths, err := w.BroadcastTo([]int{x.Rank(), 2})
	if err != nil {
		return nil, err
	}
	n, err := r.s.c.Ints(widths)
	if err != nil {
		return nil, err
	}
	before, after := make([]int, x.Rank()), make([]int, x.Rank())
	for i := range before {
		before[i], after[i] = int(n[2*i]), int(n[2*i+1])
	}
	m := ndarray.PadMode{Name: mode}
	if d, ok := lang.AsDict(r.a[3]); ok {
		if v, ok := d.GetStr("constant_values"); ok {
			if m.Constant, err = r.s.asArray(v); err != nil {
				return nil, err
			}
		}
	}
	return r.s.c.Pad(x, before, after, m)
})

var uniqueFn = fn(func(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	var u *ndarray.Unique
	var err error
	if r.has(4) {
		u, err = r.s.c.UniqueRows(x, r.int(4, 0))
	} else if u, err = r.s.c.Unique(x); err == nil {
		u.Inverse, err = u.Inverse.Reshape(x.Dims()...)
	}
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	out := []*ndarray.Array{u.Values}
	for i, a := range []*ndarray.Array{u.Index, u.Inverse, u.Counts} {
		if r.flag(i + 1) {
			out = append(out, a)
		}
	}
	if len(out) == 1 {
		return u.Values.Value(), nil
	}
	return r.tuple(out, nil)
})

func shapes() []lang.Def {
	rows := []lang.Def{
		{Sig: "reshape(a, /, shape, order='C', *, copy=None)", Fn: viewFn(npReshape)},
		{Sig: "ravel(a, order='C')", Fn: viewFn(npRavel)},
		{Sig: "transpose(a, axes=None)", Fn: viewFn(npTranspose)},
		{Sig: "swapaxes(a, axis1, axis2)", Fn: viewFn(func(r *args) (*ndarray.Array, error) { return r.arr(0).SwapAxes(r.int(1, 0), r.int(2, 0)) })},
		{Sig: "moveaxis(a, source, destination)", Fn: viewFn(npMoveaxis)},
		{Sig: "squeeze(a, axis=None)", Fn: squeezeFn},
		{Sig: "expand_dims(a, axis)", Fn: viewFn(npExpandDims)},
		{Sig: "broadcast_to(array, shape, subok=False)", Fn: viewFn(npBroadcastTo)},
		{Sig: "concatenate(arrays, axis=0, out=None, dtype=None, casting='same_kind')", Fn: joinFn((*ndarray.Ctx).Concatenate)},
		{Sig: "concat(arrays, axis=0, out=None, dtype=None, casting='same_kind')", Fn: joinFn((*ndarray.Ctx).Concatenate)},
		{Sig: "stack(arrays, axis=0, out=None, dtype=None, casting='same_kind')", Fn: joinFn((*ndarray.Ctx).Stack)},
		{Sig: "vstack(tup, *, dtype=None, casting='same_kind')", Fn: stackFn(2, 0)},
		{Sig: "hstack(tup, *, dtype=None, casting='same_kind')", Fn: stackFn(1, 0)},
		{Sig: "dstack(tup)", Fn: stackFn(3, 2)},
		{Sig: "column_stack(tup)", Fn: columnStack},
		{Sig: "split(ary, indices_or_sections, axis=0)", Fn: splitFn(true, -1)},
		{Sig: "array_split(ary, indices_or_sections, axis=0)", Fn: splitFn(false, -1)},
		{Sig: "vsplit(ary, indices_or_sections)", Fn: splitFn(true, 0)},
		{Sig: "hsplit(ary, indices_or_sections)", Fn: splitFn(true, 1)},
		{Sig: "dsplit(ary, indices_or_sections)", Fn: splitFn(true, 2)},
		{Sig: "atleast_1d(*arys)", Fn: atLeastFn(1)},
		{Sig: "atleast_2d(*arys)", Fn: atLeastFn(2)},
		{Sig: "atleast_3d(*arys)", Fn: atLeastFn(3)},
		{Sig: "tile(A, reps)", Fn: tileFn},
		{Sig: "repeat(a, repeats, axis=None)", Fn: repeatFn},
		{Sig: "roll(a, shift, axis=None)", Fn: rollFn},
		{Sig: "flip(m, axis=None)", Fn: flipFn()},
		{Sig: "fliplr(m)", Fn: flipFn(1)},
		{Sig: "flipud(m)", Fn: flipFn(0)},
		{Sig: "pad(array, pad_width, mode='constant', **kwargs)", Fn: padFn},
		{Sig: "unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True)", Fn: uniqueFn},
		{Sig: "diagonal(a, offset=0, axis1=0, axis2=1)", Fn: diagonalFn},
		{Sig: "trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", Fn: traceFn},
		{Sig: "take(a, indices, axis=None, out=None, mode='raise')", Fn: takeFn},
		{Sig: "take_along_axis(arr, indices, axis=-1)", Fn: viewFn(npTakeAlongAxis)},
		{Sig: "nonzero(a)", Fn: nonzeroFn},
		{Sig: "searchsorted(a, v, side='left', sorter=None)", Fn: searchSortedFn},
		{Sig: "shape(a)", Fn: fn(func(r *args) (Value, error) { return tupleOf(r.arr(0).Dims()), nil })},
		{Sig: "ndim(a)", Fn: fn(func(r *args) (Value, error) { return lang.Int(int64(r.arr(0).Rank())), nil })},
		{Sig: "size(a, axis=None)", Fn: fn(npSize)},
		{Sig: "broadcast_shapes(*args)", Fn: fn(npBroadcastShapes)},
	}
	for i := range rows {
		rows[i].Flags |= lang.DefPython
	}
	return rows
}

func npReshape(r *args) (*ndarray.Array, error) {
	x, dims, order := r.arr(0), r.shape(1), r.str(2, "C")
	return r.reshape(x, dims, order)
}

func npRavel(r *args) (*ndarray.Array, error) {
	x, order := r.arr(0), r.str(1, "C")
	return r.reshape(x, []int{-1}, order)
}

func npTranspose(r *args) (*ndarray.Array, error) {
	x := r.arr(0)
	if !r.has(1) {
		return x.T(), r.err
	}
	axes := r.shape(1)
	if r.err != nil {
		return nil, r.err
	}
	return x.Transpose(axes)
}

func npMoveaxis(r *args) (*ndarray.Array, error) {
	x, from, to := r.arr(0), r.shape(1), r.shape(2)
	if r.err != nil {
		return nil, r.err
	}
	return x.MoveAxis(from, to)
}

func npExpandDims(r *args) (*ndarray.Array, error) {
	x, axes := r.arr(0), r.shape(1)
	if r.err != nil {
		return nil, r.err
	}
	return x.ExpandDims(axes...)
}

func npBroadcastTo(r *args) (*ndarray.Array, error) {
	x, dims := r.arr(0), r.shape(1)
	if r.err != nil {
		return nil, r.err
	}
	return x.BroadcastTo(dims)
}

func npTakeAlongAxis(r *args) (*ndarray.Array, error) {
	x, ix := r.arr(0), r.arr(1)
	if r.err != nil {
		return nil, r.err
	}
	if !r.has(2) {
		return x.Ravel().TakeAlong(ix.Ravel(), 0)
	}
	return x.TakeAlong(ix, r.int(2, -1))
}

func npSize(r *args) (Value, error) {
	x := r.arr(0)
	if r.has(1) && r.err == nil {
		ax, err := ndarray.NormAxis(r.int(1, 0), x.Rank())
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		return lang.Int(int64(x.Dims()[ax])), nil
	}
	return lang.Int(int64(x.Len())), nil
}

func npBroadcastShapes(r *args) (Value, error) {
	t, _ := lang.AsTuple(r.a[0])
	var all [][]int
	for i := range t.Len() {
		d, err := r.s.shapeOf(t.At(i))
		if err != nil {
			return lang.Unbound, err
		}
		all = append(all, d)
	}
	d, err := ndarray.BroadcastShapes(all...)
	if err != nil {
		return lang.Unbound, r.s.th.ValueErrorf("shape mismatch: objects cannot be broadcast to a single shape.")
	}
	return tupleOf(d), nil
}
