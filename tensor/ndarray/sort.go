package ndarray

import (
	"cmp"
	"slices"

	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// compareFor compares elements i and j of a dense array; nan is last.
func compareFor(a *Array) func(i, j int) int {
	switch a.DT.K {
	case tensor.Bool, tensor.Uint8:
		return compareOf[uint8](a)
	case tensor.Int8:
		return compareOf[int8](a)
	case tensor.Int16:
		return compareOf[int16](a)
	case tensor.Int32:
		return compareOf[int32](a)
	case tensor.Int64:
		return compareOf[int64](a)
	case tensor.Uint16:
		return compareOf[uint16](a)
	case tensor.Uint32:
		return compareOf[uint32](a)
	case tensor.Uint64:
		return compareOf[uint64](a)
	case tensor.Float32:
		return compareOf[float32](a)
	case tensor.Float64:
		return compareOf[float64](a)
	case tensor.Complex128:
		x := slice[complex128](a)
		return func(i, j int) int { return cmp.Or(nanLast(real(x[i]), real(x[j])), nanLast(imag(x[i]), imag(x[j]))) }
	}
	return func(i, j int) int { return cmp.Compare(a.text(a.off+i*a.DT.Size()), a.text(a.off+j*a.DT.Size())) }
}

func compareOf[T ordered](a *Array) func(i, j int) int {
	x := slice[T](a)
	return func(i, j int) int { return nanLast(x[i], x[j]) }
}

func nanLast[T ordered](x, y T) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	case x != x && y != y:
		return 0
	case x != x:
		return 1
	}
	return -1
}

// sortKeys is a in a type that compareFor knows.
func (c *Ctx) sortKeys(a *Array) (*Array, error) {
	switch {
	case a.DT.K == Object:
		return a, nil
	case a.DT == Complex64:
		return c.Cast(a, Complex128)
	case a.DT == Float16 || a.DT == BFloat16:
		return c.Cast(a, Float32)
	}
	return a, nil
}

// Sort returns a sorted copy along an axis.
func (c *Ctx) Sort(a *Array, axis int) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	x := a.moveLast(axis).Copy()
	if sortRows(x) {
		return x.restore(axis).Contiguous(), nil
	}
	idx, err := c.ArgSort(a, axis)
	if err != nil {
		return nil, err
	}
	return a.TakeAlong(idx, axis)
}

// restore moves the last axis back to where moveLast took it from.
func (a *Array) restore(axis int) *Array {
	v, _ := a.MoveAxis([]int{len(a.dims) - 1}, []int{axis})
	return v
}

// sortRows sorts the rows of a dense array in place, false for types it doesn't know.
func sortRows(x *Array) bool {
	n := x.dims[len(x.dims)-1]
	switch x.DT.K {
	case tensor.Uint8, tensor.Bool:
		return sortAs[uint8](x, n)
	case tensor.Int8:
		return sortAs[int8](x, n)
	case tensor.Int16:
		return sortAs[int16](x, n)
	case tensor.Int32:
		return sortAs[int32](x, n)
	case tensor.Int64:
		return sortAs[int64](x, n)
	case tensor.Uint16:
		return sortAs[uint16](x, n)
	case tensor.Uint32:
		return sortAs[uint32](x, n)
	case tensor.Uint64:
		return sortAs[uint64](x, n)
	case tensor.Float32:
		return sortAs[float32](x, n)
	case tensor.Float64:
		return sortAs[float64](x, n)
	}
	return false
}

func sortAs[T ordered](x *Array, n int) bool {
	if n > 0 {
		kernel.Sort(kernel.Ascending, slice[T](x), x.n/n, n)
	}
	return true
}

// argSortRows sorts indices of the rows of a dense array by a kernel, false for
// types that it doesn't have.
func argSortRows(idx []int64, x *Array, n int) bool {
	switch x.DT.K {
	case tensor.Uint8, tensor.Bool:
		return argSortAs[uint8](idx, x, n)
	case tensor.Int8:
		return argSortAs[int8](idx, x, n)
	case tensor.Int16:
		return argSortAs[int16](idx, x, n)
	case tensor.Int32:
		return argSortAs[int32](idx, x, n)
	case tensor.Int64:
		return argSortAs[int64](idx, x, n)
	case tensor.Uint16:
		return argSortAs[uint16](idx, x, n)
	case tensor.Uint32:
		return argSortAs[uint32](idx, x, n)
	case tensor.Uint64:
		return argSortAs[uint64](idx, x, n)
	case tensor.Float32:
		return argSortAs[float32](idx, x, n)
	case tensor.Float64:
		return argSortAs[float64](idx, x, n)
	}
	return false
}

func argSortAs[T ordered](idx []int64, x *Array, n int) bool {
	kernel.ArgSort(kernel.Ascending, idx, slice[T](x), x.n/n, n)
	return true
}

// ArgSort is np.argsort, stable.
func (c *Ctx) ArgSort(a *Array, axis int) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	x := a.moveLast(axis).Contiguous()
	if x, err = c.sortKeys(x); err != nil {
		return nil, err
	}
	n := x.dims[len(x.dims)-1]
	out := New(Int64, x.dims...)
	idx := slice[int64](out)
	if n > 0 && argSortRows(idx, x, n) {
		return out.restore(axis).Contiguous(), nil
	}
	compare := c.comparer(x, &err)
	for i := 0; i+n <= len(idx) && n > 0; i += n {
		row := idx[i : i+n]
		for j := range row {
			row[j] = int64(j)
		}
		slices.SortStableFunc(row, func(p, q int64) int { return compare(i+int(p), i+int(q)) })
	}
	return out.restore(axis).Contiguous(), err
}

// comparer also compares objects, through the language.
func (c *Ctx) comparer(x *Array, err *error) func(i, j int) int {
	if x.DT.K != Object {
		return compareFor(x)
	}
	less := func(i, j int) bool {
		v, e := c.Binary("less", x.objs.vals[i].Value(), x.objs.vals[j].Value())
		if e == nil {
			var b bool
			b, e = c.Truth(v)
			if e == nil {
				return b
			}
		}
		if *err == nil {
			*err = e
		}
		return false
	}
	return func(i, j int) int {
		switch {
		case less(i, j):
			return -1
		case less(j, i):
			return 1
		}
		return 0
	}
}

// TakeAlong is np.take_along_axis for indices of a's shape but for the axis.
func (a *Array) TakeAlong(idx *Array, axis int) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	if !idx.DT.IsInt() {
		return nil, indexError("`indices` must be an integer array")
	}
	if len(idx.dims) != len(a.dims) {
		return nil, valueError("`indices` and `arr` must have the same number of dimensions")
	}
	x, ix := a.moveLast(axis), idx.moveLast(axis)
	last := len(x.dims) - 1
	lead, err := BroadcastShapes(x.dims[:last], ix.dims[:last])
	if err != nil {
		return nil, indexError("shape mismatch: indexing arrays could not be broadcast together with shapes %s", shapesText([][]int{idx.dims, a.dims}))
	}
	x = broadcastView(x, append(slices.Clone(lead), x.dims[last])).Contiguous()
	ix = broadcastView(ix, append(lead, ix.dims[last])).Contiguous()
	n, m := x.dims[len(x.dims)-1], ix.dims[len(ix.dims)-1]
	get := intGetter(ix.DT.K)
	flat := make([]int64, ix.n)
	for k := range flat {
		i := get(ix.at(ix.off + k*ix.DT.Size()))
		if i < int64(-n) || i >= int64(n) {
			return nil, indexError("index %d is out of bounds for axis %d with size %d", i, axis, n)
		}
		if i < 0 {
			i += int64(n)
		}
		flat[k] = int64(k/max(m, 1)*n) + i
	}
	out, err := x.Ravel().TakeAxis(flat, ix.dims, 0)
	if err != nil {
		return nil, err
	}
	return out.restore(axis), nil
}

// LexSort is np.lexsort: the last key counts most.
func (c *Ctx) LexSort(keys []*Array) (*Array, error) {
	if len(keys) == 0 {
		return nil, typeError("need sequence of keys with len > 0 in lexsort")
	}
	var err error
	compares := make([]func(i, j int) int, len(keys))
	for i, k := range keys {
		x, e := c.sortKeys(k.Contiguous())
		if e != nil {
			return nil, e
		}
		compares[len(keys)-1-i] = c.comparer(x, &err)
	}
	out := New(Int64, keys[0].n)
	idx := slice[int64](out)
	for i := range idx {
		idx[i] = int64(i)
	}
	slices.SortStableFunc(idx, func(p, q int64) int {
		for _, f := range compares {
			if r := f(int(p), int(q)); r != 0 {
				return r
			}
		}
		return 0
	})
	return out, err
}

// Unique is the result of np.unique.
type Unique struct{ Values, Index, Inverse, Counts *Array }

// Unique finds the distinct elements of the flattened array, sorted; nans count as one.
func (c *Ctx) Unique(a *Array) (*Unique, error) {
	x := a.Ravel().Contiguous()
	order, err := c.ArgSort(x, 0)
	if err != nil {
		return nil, err
	}
	keys, err := c.sortKeys(x)
	if err != nil {
		return nil, err
	}
	return uniqueBy(x, slice[int64](order), c.comparer(keys, &err)), err
}

// uniqueBy groups the rows of x that compare equal, given their sorted order.
func uniqueBy(x *Array, order []int64, compare func(i, j int) int) *Unique {
	var first, counts []int64
	inverse := make([]int64, len(order))
	for k, i := range order {
		if k == 0 || compare(int(order[k-1]), int(i)) != 0 {
			first, counts = append(first, i), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = int64(len(first) - 1)
	}
	values, _ := x.TakeAxis(first, []int{len(first)}, 0)
	return &Unique{values, From(Int64, first), From(Int64, inverse), From(Int64, counts)}
}

// UniqueRows is np.unique along an axis.
func (c *Ctx) UniqueRows(a *Array, axis int) (*Unique, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	m, err := a.MoveAxis([]int{axis}, []int{0})
	if err != nil {
		return nil, err
	}
	m = m.Contiguous()
	keys, err := c.sortKeys(m)
	if err != nil {
		return nil, err
	}
	n := m.dims[0]
	w := m.n / max(n, 1)
	elem := c.comparer(keys, &err)
	compare := func(i, j int) int {
		for k := range w {
			if r := elem(i*w+k, j*w+k); r != 0 {
				return r
			}
		}
		return 0
	}
	order := make([]int64, n)
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortStableFunc(order, func(p, q int64) int { return compare(int(p), int(q)) })
	u := uniqueBy(m, order, compare)
	if u.Values, err = u.Values.MoveAxis([]int{0}, []int{axis}); err == nil {
		u.Values = u.Values.Contiguous()
	}
	return u, err
}

// SearchSorted is np.searchsorted in a sorted vector.
func (c *Ctx) SearchSorted(a, v *Array, right bool) (*Array, error) {
	dt, err := commonType([]*Array{a, v})
	if err != nil {
		return nil, err
	}
	both, err := c.Concatenate([]*Array{a, v.Ravel()}, 0)
	if err != nil {
		return nil, err
	}
	_ = dt
	keys, err := c.sortKeys(both)
	if err != nil {
		return nil, err
	}
	compare := c.comparer(keys, &err)
	out := New(Int64, v.dims...)
	res := slice[int64](out)
	for i := range res {
		lo, hi := 0, a.n
		for lo < hi {
			m := (lo + hi) / 2
			r := compare(m, a.n+i)
			if r < 0 || right && r == 0 {
				lo = m + 1
			} else {
				hi = m
			}
		}
		res[i] = int64(lo)
	}
	return out, err
}
