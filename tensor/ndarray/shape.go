package ndarray

import (
	"slices"
	"strconv"
	"strings"
)

// Contiguous is a itself if its elements lie in C order without gaps, else a copy.
func (a *Array) Contiguous() *Array {
	if a.dense() {
		return a
	}
	return a.Copy()
}

// Reshape returns a view of other dimensions where a's layout allows it, else a
// copy; one dimension may be -1.
func (a *Array) Reshape(dims ...int) (*Array, error) {
	if len(dims) > maxDims {
		return nil, valueError("maximum supported dimension for an ndarray is currently %d, found %d", maxDims, len(dims))
	}
	out, n, hole := slices.Clone(dims), 1, -1
	for i, d := range out {
		switch {
		case d >= 0:
			n *= d
		case hole >= 0:
			return nil, valueError("can only specify one unknown dimension")
		default:
			hole = i
		}
	}
	if hole >= 0 && n > 0 && a.n%n == 0 {
		out[hole] = a.n / n
		n = a.n
	}
	if n != a.n || hole >= 0 && out[hole] < 0 {
		return nil, valueError("cannot reshape array of size %d into shape %s", a.n, reshapeText(dims, hole))
	}
	if st, ok := a.restride(out); ok {
		return a.view(a.off, out, st), nil
	}
	return a.Copy().Reshape(out...)
}

// reshapeText is how reshape names the shape; with an unknown dimension the text
// names the known ones.
func reshapeText(dims []int, hole int) string {
	if hole < 0 {
		return tupleText(dims)
	}
	var s []string
	for i, d := range dims {
		if i != hole {
			s = append(s, strconv.Itoa(d))
		}
	}
	return "(" + strings.Join(s, ",") + ")"
}

// restride finds strides for other dimensions on the same bytes.
func (a *Array) restride(dims []int) ([]int, bool) {
	st := make([]int, len(dims))
	if a.dense() {
		step := a.DT.Size()
		for i := len(dims) - 1; i >= 0; i-- {
			st[i] = step
			step *= dims[i]
		}
		return st, true
	}
	var od, os []int
	for i, d := range a.dims {
		if d != 1 {
			od, os = append(od, d), append(os, a.strides[i])
		}
	}
	oi, ni := 0, 0
	for oi < len(od) && ni < len(dims) {
		oj, nj := oi+1, ni+1
		on, nn := od[oi], dims[ni]
		for on != nn {
			if nn < on {
				nn *= dims[nj]
				nj++
			} else {
				on *= od[oj]
				oj++
			}
		}
		for k := oi; k < oj-1; k++ {
			if os[k] != od[k+1]*os[k+1] {
				return nil, false
			}
		}
		st[nj-1] = os[oj-1]
		for k := nj - 1; k > ni; k-- {
			st[k-1] = st[k] * dims[k]
		}
		oi, ni = oj, nj
	}
	for ; ni < len(dims); ni++ {
		st[ni] = a.DT.Size()
	}
	return st, true
}

// Ravel is a as one dimension, a view where possible.
func (a *Array) Ravel() *Array {
	r, _ := a.Reshape(a.n)
	return r
}

// permuted is the view with the axes in that order.
func (a *Array) permuted(perm []int) *Array {
	v := a.view(a.off, a.dims, a.strides)
	for i, p := range perm {
		v.dims[i], v.strides[i] = a.dims[p], a.strides[p]
	}
	return v
}

// Transpose is the view with the axes in that order; nil reverses them.
func (a *Array) Transpose(axes []int) (*Array, error) {
	n := len(a.dims)
	perm := make([]int, n)
	if axes == nil {
		for i := range perm {
			perm[i] = n - 1 - i
		}
		return a.permuted(perm), nil
	}
	if len(axes) != n {
		return nil, valueError("axes don't match array")
	}
	seen := make([]bool, n)
	for i, ax := range axes {
		p, err := NormAxis(ax, n)
		if err != nil {
			return nil, err
		}
		if seen[p] {
			return nil, valueError("repeated axis in transpose")
		}
		seen[p], perm[i] = true, p
	}
	return a.permuted(perm), nil
}

// T is the transposed view.
func (a *Array) T() *Array {
	t, _ := a.Transpose(nil)
	return t
}

// moveLast is the view with an axis moved to the end.
func (a *Array) moveLast(axis int) *Array {
	var perm []int
	for i := range a.dims {
		if i != axis {
			perm = append(perm, i)
		}
	}
	return a.permuted(append(perm, axis))
}

// MoveAxis is np.moveaxis; swapping two axes is SwapAxes.
func (a *Array) MoveAxis(from, to []int) (*Array, error) {
	n := len(a.dims)
	if len(from) != len(to) {
		return nil, valueError("`source` and `destination` arguments must have the same number of elements")
	}
	src, dst := make([]int, len(from)), make([]int, len(to))
	for i := range from {
		var err error
		if src[i], err = NormAxis(from[i], n); err != nil {
			return nil, err
		}
		if dst[i], err = NormAxis(to[i], n); err != nil {
			return nil, err
		}
	}
	var perm []int
	for i := range n {
		if !slices.Contains(src, i) {
			perm = append(perm, i)
		}
	}
	order := make([]int, len(dst))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return dst[i] - dst[j] })
	for _, k := range order {
		perm = slices.Insert(perm, dst[k], src[k])
	}
	return a.permuted(perm), nil
}

// SwapAxes is np.swapaxes.
func (a *Array) SwapAxes(i, j int) (*Array, error) {
	n := len(a.dims)
	i, err := NormAxis(i, n)
	if err != nil {
		return nil, err
	}
	if j, err = NormAxis(j, n); err != nil {
		return nil, err
	}
	perm := make([]int, n)
	for k := range perm {
		perm[k] = k
	}
	perm[i], perm[j] = perm[j], perm[i]
	return a.permuted(perm), nil
}

// Squeeze removes axes of length 1: those listed, or all.
func (a *Array) Squeeze(axes []int, all bool) (*Array, error) {
	m, err := (&Reduction{Axes: axes}).mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	var dims, st []int
	for i, d := range a.dims {
		switch {
		case m[i] && d != 1:
			return nil, valueError("cannot select an axis to squeeze out which has size not equal to one")
		case m[i] || all && d == 1:
		default:
			dims, st = append(dims, d), append(st, a.strides[i])
		}
	}
	return a.view(a.off, dims, st), nil
}

// ExpandDims inserts axes of length 1 at those places of the result.
func (a *Array) ExpandDims(axes ...int) (*Array, error) {
	n := len(a.dims) + len(axes)
	if n > maxDims {
		return nil, valueError("maximum supported dimension for an ndarray is currently %d, found %d", maxDims, n)
	}
	m, err := (&Reduction{Axes: axes}).mask(n)
	if err != nil {
		return nil, err
	}
	dims, st := make([]int, n), make([]int, n)
	k := 0
	for i := range n {
		if m[i] {
			dims[i] = 1
			continue
		}
		dims[i], st[i] = a.dims[k], a.strides[k]
		k++
	}
	return a.view(a.off, dims, st), nil
}

// BroadcastTo is the read-only view of a repeated to those dimensions.
func (a *Array) BroadcastTo(dims []int) (*Array, error) {
	s, err := BroadcastShapes(a.dims, dims)
	if err != nil || !slices.Equal(s, dims) {
		if len(a.dims) > len(dims) {
			return nil, valueError("input operand has more dimensions than allowed by the axis remapping")
		}
		return nil, valueError("operands could not be broadcast together with remapped shapes [original->remapped]: %s  and requested shape %s", tupleText(a.dims), tupleText(dims))
	}
	n := max(a.DT.Size(), 1)
	for _, d := range dims {
		if d > 0 && n > largest/d {
			return nil, valueError("array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.")
		}
		n *= max(d, 1)
	}
	v := broadcastView(a, dims)
	v.ReadOnly = true
	return v, nil
}

// Flip reverses the axes that m marks, as a view.
func (a *Array) Flip(axes []int, all bool) (*Array, error) {
	m, err := (&Reduction{Axes: axes, All: all}).mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	v := a.view(a.off, a.dims, a.strides)
	for i, f := range m {
		if f && v.dims[i] > 0 {
			v.off += v.strides[i] * (v.dims[i] - 1)
			v.strides[i] = -v.strides[i]
		}
	}
	return v, nil
}

// commonType is the type that arrays have together.
func commonType(as []*Array) (DType, error) { return ResultType(Strongly(as...)...) }

// Concatenate joins arrays along an axis.
func (c *Ctx) Concatenate(as []*Array, axis int) (*Array, error) {
	if len(as) == 0 {
		return nil, valueError("need at least one array to concatenate")
	}
	nd := len(as[0].dims)
	if nd == 0 {
		return nil, valueError("zero-dimensional arrays cannot be concatenated")
	}
	for i, a := range as {
		if len(a.dims) != nd {
			return nil, valueError("all the input arrays must have same number of dimensions, but the array at index 0 has %d dimension(s) and the array at index %d has %d dimension(s)", nd, i, len(a.dims))
		}
	}
	axis, err := NormAxis(axis, nd)
	if err != nil {
		return nil, err
	}
	dims := slices.Clone(as[0].dims)
	dims[axis] = 0
	for i, a := range as {
		for k, d := range a.dims {
			if k == axis {
				dims[axis] += d
			} else if d != dims[k] {
				return nil, valueError("all the input array dimensions except for the concatenation axis must match exactly, but along dimension %d, the array at index 0 has size %d and the array at index %d has size %d", k, dims[k], i, d)
			}
		}
	}
	dt, err := commonType(as)
	if err != nil {
		return nil, err
	}
	if err := c.Room(dt, dims); err != nil {
		return nil, err
	}
	out := New(dt, dims...)
	at := 0
	for _, a := range as {
		if err := c.CopyTo(out.part(axis, at, at+a.dims[axis]), a); err != nil {
			return nil, err
		}
		at += a.dims[axis]
	}
	return out, nil
}

// Stack joins arrays of one shape along a new axis.
func (c *Ctx) Stack(as []*Array, axis int) (*Array, error) {
	if len(as) == 0 {
		return nil, valueError("need at least one array to stack")
	}
	parts := make([]*Array, len(as))
	for i, a := range as {
		if !slices.Equal(a.dims, as[0].dims) {
			return nil, valueError("all input arrays must have the same shape")
		}
		p, err := a.ExpandDims(axis)
		if err != nil {
			return nil, err
		}
		parts[i] = p
	}
	return c.Concatenate(parts, axis)
}

// SplitAt cuts a at those indices along an axis, into views.
func (a *Array) SplitAt(at []int, axis int) ([]*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.dims[axis]
	clip := func(i int) int {
		if i < 0 {
			i += n
		}
		return min(max(i, 0), n)
	}
	var out []*Array
	lo := 0
	for _, i := range append(slices.Clone(at), n) {
		hi := clip(i)
		out = append(out, a.part(axis, min(lo, n), max(hi, lo)))
		lo = hi
	}
	return out, nil
}

// SplitInto cuts a into n parts; equal demands that they have one size.
func (a *Array) SplitInto(n, axis int, equal bool) ([]*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	if n <= 0 {
		return nil, valueError("number sections must be larger than 0.")
	}
	d := a.dims[axis]
	if equal && d%n != 0 {
		return nil, valueError("array split does not result in an equal division")
	}
	var at []int
	for i, pos := 0, 0; i < n-1; i++ {
		pos += d / n
		if i < d%n {
			pos++
		}
		at = append(at, pos)
	}
	return a.SplitAt(at, axis)
}

// Tile repeats a as a whole.
func (c *Ctx) Tile(a *Array, reps []int) (*Array, error) {
	nd := max(len(a.dims), len(reps))
	full := make([]int, nd)
	dims := make([]int, nd)
	for i := range nd {
		full[i], dims[i] = 1, 1
		if j := i - nd + len(reps); j >= 0 {
			full[i] = reps[j]
		}
		if j := i - nd + len(a.dims); j >= 0 {
			dims[i] = a.dims[j]
		}
	}
	total := make([]int, nd)
	for i := range total {
		total[i] = full[i] * dims[i]
	}
	if err := c.Room(a.DT, total); err != nil {
		return nil, err
	}
	if 2*nd > maxDims {
		return nil, valueError("maximum supported dimension for an ndarray is currently %d, found %d", maxDims, 2*nd)
	}
	// One axis for the repeats before each axis of the elements.
	var wide, st, out []int
	for i := range nd {
		wide, out = append(wide, full[i], dims[i]), append(out, full[i]*dims[i])
		s := 0
		if j := i - nd + len(a.dims); j >= 0 {
			s = a.strides[j]
		}
		st = append(st, 0, s)
	}
	return a.view(a.off, wide, st).Copy().Reshape(out...)
}

// Repeat repeats elements along an axis, counts[i] times or all counts[0] times.
func (c *Ctx) Repeat(a *Array, counts []int, axis int) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.dims[axis]
	if len(counts) != 1 && len(counts) != n {
		return nil, valueError("operands could not be broadcast together with shape (%d,) (%d,)", n, len(counts))
	}
	sum := 0
	for i := range n {
		sum += max(counts[min(i, len(counts)-1)], 0)
	}
	total := slices.Clone(a.dims)
	total[axis] = sum
	if err := c.Room(a.DT, total); err != nil {
		return nil, err
	}
	var idx []int64
	for i := range n {
		k := counts[0]
		if len(counts) > 1 {
			k = counts[i]
		}
		if k < 0 {
			return nil, valueError("repeats may not contain negative values.")
		}
		for range k {
			idx = append(idx, int64(i))
		}
	}
	return a.TakeAxis(idx, []int{len(idx)}, axis)
}

// Roll shifts elements along an axis, around the end.
func (c *Ctx) Roll(a *Array, shift, axis int) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.dims[axis]
	if n == 0 {
		return a.Copy(), nil
	}
	s := ((-shift)%n + n) % n
	return c.Concatenate([]*Array{a.part(axis, s, n), a.part(axis, 0, s)}, axis)
}

// PadMode is how Pad fills.
type PadMode struct {
	Name     string // constant, edge, reflect, symmetric, wrap, …
	Constant *Array // for constant: [axis][side] broadcast
}

// Pad is np.pad with before and after counts of each axis.
func (c *Ctx) Pad(a *Array, before, after []int, mode PadMode) (*Array, error) {
	for i := range before {
		if before[i] < 0 || after[i] < 0 {
			return nil, valueError("index can't contain negative values")
		}
	}
	if mode.Name == "constant" {
		return c.padConstant(a, before, after, mode)
	}
	for axis := range a.dims {
		n := a.dims[axis]
		if before[axis]+after[axis] == 0 {
			continue
		}
		if n == 0 {
			return nil, valueError("can't extend empty axis %d using modes other than 'constant' or 'empty'", axis)
		}
		idx := make([]int64, 0, n+before[axis]+after[axis])
		for i := -before[axis]; i < n+after[axis]; i++ {
			j, ok := padIndex(i, n, mode.Name)
			if !ok {
				return nil, valueError("mode '%s' is not supported", mode.Name)
			}
			idx = append(idx, int64(j))
		}
		var err error
		if a, err = a.TakeAxis(idx, []int{len(idx)}, axis); err != nil {
			return nil, err
		}
	}
	return a.Copy(), nil
}

func padIndex(i, n int, mode string) (int, bool) {
	switch mode {
	case "edge":
		return min(max(i, 0), n-1), true
	case "wrap":
		return ((i % n) + n) % n, true
	case "reflect":
		if n == 1 {
			return 0, true
		}
		p := 2 * (n - 1)
		i = ((i % p) + p) % p
		return min(i, p-i), true
	case "symmetric":
		p := 2 * n
		i = ((i % p) + p) % p
		return min(i, p-1-i), true
	}
	return 0, false
}

func (c *Ctx) padConstant(a *Array, before, after []int, mode PadMode) (*Array, error) {
	dims := slices.Clone(a.dims)
	for i := range dims {
		dims[i] += before[i] + after[i]
	}
	if err := c.Room(a.DT, dims); err != nil {
		return nil, err
	}
	out := New(a.DT, dims...)
	if mode.Constant != nil {
		consts, err := mode.Constant.BroadcastTo([]int{max(len(dims), 1), 2})
		if err != nil {
			return nil, err
		}
		for ax := range dims {
			for side, span := range [2][2]int{{0, before[ax]}, {dims[ax] - after[ax], dims[ax]}} {
				v := consts.view(consts.off+ax*consts.strides[0]+side*consts.strides[1], nil, nil)
				if err := c.CopyTo(out.part(ax, span[0], span[1]), v); err != nil {
					return nil, err
				}
			}
		}
	}
	in := out
	for ax := range a.dims {
		in = in.part(ax, before[ax], before[ax]+a.dims[ax])
	}
	return out, c.CopyTo(in, a)
}

// ShapeError is the text for assignments that don't fit.
func fitError(from, to []int) error {
	return valueError("could not broadcast input array from shape %s into shape %s", tupleText(from), tupleText(to))
}

// Assign stores src, repeated, into dst, with the texts of item assignment.
func (c *Ctx) Assign(dst, src *Array) error {
	if dst.ReadOnly {
		return valueError("assignment destination is read-only")
	}
	dims := src.dims
	for len(dims) > len(dst.dims) && dims[0] == 1 {
		dims = dims[1:]
	}
	if s, err := BroadcastShapes(dims, dst.dims); err != nil || !slices.Equal(s, dst.dims) {
		return fitError(src.dims, dst.dims)
	}
	if len(dims) != len(src.dims) {
		src, _ = src.Reshape(dims...)
	}
	return c.CopyTo(dst, src)
}
