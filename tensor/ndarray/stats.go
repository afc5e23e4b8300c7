package ndarray

import (
	"math"
	"slices"

	"github.com/tfs-lang/tfs/tensor"
)

// Mean is np.mean.
func (c *Ctx) Mean(a *Array, r Reduction) (*Array, error) {
	m, err := r.mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.counted(m)
	if n == 0 {
		if err := c.Host.Warn("RuntimeWarning", "Mean of empty slice"); err != nil {
			return nil, err
		}
	}
	dt := a.DT
	sum := r
	sum.Out = nil
	switch {
	case r.DType != nil:
		dt = *r.DType
	case a.DT == Bool || a.DT.IsInt():
		dt = Float64
		sum.DType = &Float64
	case a.DT == Float16 || a.DT == BFloat16:
		sum.DType = &Float32
	}
	s, err := c.Reduce(ufuncs["add"], a, sum)
	if err != nil {
		return nil, err
	}
	return c.divideBy(s, n, dt, r)
}

// counted is the number of elements that go into each result.
func (a *Array) counted(m []bool) int {
	n := 1
	for i, red := range m {
		if red {
			n *= a.dims[i]
		}
	}
	return n
}

// divideBy divides sums by a count and casts to the result's type.
func (c *Ctx) divideBy(s *Array, n int, dt DType, r Reduction) (*Array, error) {
	q, err := c.Call(ufuncs["divide"], []Operand{{Array: s}, {Array: FromInt(int64(n)), Weak: WeakInt}}, Options{Scalar: s.Rank() == 0})
	if err != nil {
		return nil, err
	}
	if dt.IsFloat() || dt.IsComplex() {
		if q, err = c.Cast(q, dt); err != nil {
			return nil, err
		}
	}
	if r.Out != nil {
		return r.Out, c.CopyTo(r.Out, q)
	}
	return q, nil
}

// Var is np.var with that many degrees of freedom taken off.
func (c *Ctx) Var(a *Array, ddof int, r Reduction) (*Array, error) {
	m, err := r.mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.counted(m)
	if n-ddof <= 0 {
		if err := c.Host.Warn("RuntimeWarning", "Degrees of freedom <= 0 for slice"); err != nil {
			return nil, err
		}
	}
	dt := a.DT
	if dt == Bool || dt.IsInt() {
		dt = Float64
	}
	if r.DType != nil {
		dt = *r.DType
	}
	wide := dt
	if dt == Float16 || dt == BFloat16 {
		wide = Float32
	}
	if a, err = c.Cast(a, wide); err != nil {
		return nil, err
	}
	keep := r
	keep.KeepDims, keep.Out, keep.DType = true, nil, nil
	mean, err := c.Reduce(ufuncs["add"], a, keep)
	if err == nil {
		mean, err = c.divideBy(mean, n, wide, Reduction{})
	}
	if err != nil {
		return nil, err
	}
	d, err := c.Call(ufuncs["subtract"], Strongly(a, mean), Options{})
	if err != nil {
		return nil, err
	}
	return c.meanSquare(d, n-ddof, dt, r)
}

func (c *Ctx) meanSquare(d *Array, n int, dt DType, r Reduction) (*Array, error) {
	sq, err := c.squares(d)
	if err != nil {
		return nil, err
	}
	sum := r
	sum.Out, sum.DType = nil, nil
	s, err := c.Reduce(ufuncs["add"], sq, sum)
	if err != nil {
		return nil, err
	}
	if dt.IsComplex() {
		dt = DType{K: dt.K.Real()}
	}
	return c.divideBy(s, max(n, 0), dt, r)
}

// squares is |d|².
func (c *Ctx) squares(d *Array) (*Array, error) {
	if !d.DT.IsComplex() {
		return c.Call(ufuncs["multiply"], Strongly(d, d), Options{})
	}
	re, im := d.Real(), d.Imag()
	x, err := c.Call(ufuncs["multiply"], Strongly(re, re), Options{})
	if err != nil {
		return nil, err
	}
	y, err := c.Call(ufuncs["multiply"], Strongly(im, im), Options{})
	if err != nil {
		return nil, err
	}
	return c.Call(ufuncs["add"], Strongly(x, y), Options{})
}

// Std is np.std.
func (c *Ctx) Std(a *Array, ddof int, r Reduction) (*Array, error) {
	v, err := c.Var(a, ddof, r)
	if err != nil {
		return nil, err
	}
	s, err := c.Call(ufuncs["sqrt"], Strongly(v), Options{})
	if err != nil || r.Out == nil {
		return s, err
	}
	return r.Out, c.CopyTo(r.Out, s)
}

// Real and Imag are the parts of a complex array as views; of another array it
// itself, and zeros.
func (a *Array) Real() *Array {
	if !a.DT.IsComplex() {
		return a
	}
	v := a.view(a.off, a.dims, a.strides)
	v.DT = DType{K: a.DT.K.Real()}
	return v
}

// Imag is the imaginary part: see Real.
func (a *Array) Imag() *Array {
	if !a.DT.IsComplex() {
		return New(a.DT, a.dims...)
	}
	v := a.view(a.off+a.DT.Size()/2, a.dims, a.strides)
	v.DT = DType{K: a.DT.K.Real()}
	return v
}

// ArgReduce is argmax ("maximum") or argmin ("minimum") along an axis; all reduces
// the flattened array.
func (c *Ctx) ArgReduce(f *UFunc, a *Array, axis int, all, keep bool) (*Array, error) {
	name := map[string]string{"maximum": "argmax", "minimum": "argmin"}[f.Name]
	nd := len(a.dims)
	if all {
		a = a.Ravel()
		axis = 0
	}
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	n := a.dims[axis]
	if n == 0 {
		return nil, valueError("attempt to get %s of an empty sequence", name)
	}
	x := a.moveLast(axis).Contiguous()
	if x, err = c.sortable(x); err != nil {
		return nil, err
	}
	out := New(Int64, x.dims[:len(x.dims)-1]...)
	res := slice[int64](out)
	pick := argPick(x, f.Name == "maximum")
	if pick == nil {
		return nil, typeError("Cannot perform %s on this type", name)
	}
	if x.DT == Float32 && n >= 16 {
		argRows32(res, slice[float32](x), n, f.Name == "maximum", pick)
	} else {
		for i := range res {
			res[i] = int64(pick(i*n, n))
		}
	}
	if keep {
		dims := slices.Clone(a.dims)
		dims[axis] = 1
		if all {
			dims = slices.Repeat([]int{1}, nd)
		}
		return out.Reshape(dims...)
	}
	return out, nil
}

// sortable turns halves and bools into types that have an order in Go.
func (c *Ctx) sortable(x *Array) (*Array, error) {
	switch x.DT {
	case Float16, BFloat16:
		return c.Cast(x, Float32)
	case Bool:
		return c.Cast(x, Uint8)
	}
	return x, nil
}

// argPick finds the place of the largest or smallest of n elements from lo on.
func argPick(x *Array, largest bool) func(lo, n int) int {
	switch x.DT.K {
	case tensor.Int8:
		return argPickOf[int8](x, largest)
	case tensor.Int16:
		return argPickOf[int16](x, largest)
	case tensor.Int32:
		return argPickOf[int32](x, largest)
	case tensor.Int64:
		return argPickOf[int64](x, largest)
	case tensor.Uint8:
		return argPickOf[uint8](x, largest)
	case tensor.Uint16:
		return argPickOf[uint16](x, largest)
	case tensor.Uint32:
		return argPickOf[uint32](x, largest)
	case tensor.Uint64:
		return argPickOf[uint64](x, largest)
	case tensor.Float32:
		return argPickOf[float32](x, largest)
	case tensor.Float64:
		return argPickOf[float64](x, largest)
	case tensor.Complex128, tensor.Complex64:
		return argPickComplex(x, largest)
	}
	return nil
}

func argPickComplex(x *Array, largest bool) func(lo, n int) int {
	x = mustCast(&Ctx{}, x, Complex128)
	all := slice[complex128](x)
	return func(lo, n int) int {
		at := lo
		for i := lo; i < lo+n; i++ {
			v := all[i]
			if hasNaN(v) {
				return i - lo
			}
			if largest && lessComplex(all[at], v) || !largest && lessComplex(v, all[at]) {
				at = i
			}
		}
		return at - lo
	}
}

func argPickOf[T ordered](a *Array, largest bool) func(lo, n int) int {
	all := slice[T](a)
	return func(lo, n int) int {
		x := all[lo : lo+n]
		best, at := x[0], 0
		if best != best {
			return 0
		}
		if largest {
			for i, v := range x {
				if !(v <= best) { // larger, or nan, which wins
					if v != v {
						return i
					}
					best, at = v, i
				}
			}
			return at
		}
		for i, v := range x {
			if !(v >= best) {
				if v != v {
					return i
				}
				best, at = v, i
			}
		}
		return at
	}
}

// Quantile is np.quantile with linear interpolation, q in [0, 1]; median is 0.5.
func (c *Ctx) Quantile(a *Array, q *Array, r Reduction) (*Array, error) {
	m, err := r.mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	dt := a.DT
	if !dt.IsFloat() {
		dt = Float64
	}
	if a, err = c.Cast(a, dt); err != nil {
		return nil, err
	}
	rows, dims := a.reducedLast(m)
	n := rows.dims[len(rows.dims)-1]
	if rows, err = c.Sort(rows, -1); err != nil {
		return nil, err
	}
	if rows, err = c.Cast(rows, Float64); err != nil {
		return nil, err
	}
	qs, err := c.Cast(q.Contiguous(), Float64)
	if err != nil {
		return nil, err
	}
	x, ps := slice[float64](rows), slice[float64](qs)
	outer := product(dims)
	res := New(Float64, append(slices.Clone(q.dims), dims...)...)
	y := slice[float64](res)
	for j, p := range ps {
		if !(p >= 0 && p <= 1) {
			return nil, valueError("Quantiles must be in the range [0, 1]")
		}
		for i := range outer {
			y[j*outer+i] = quantile(x[i*n:(i+1)*n], p)
		}
	}
	return c.finishQuantile(res, dt, len(q.dims), m, r)
}

func (c *Ctx) finishQuantile(res *Array, dt DType, nq int, m []bool, r Reduction) (*Array, error) {
	res, err := c.Cast(res, dt)
	if err != nil || !r.KeepDims {
		return res, err
	}
	dims := slices.Clone(res.dims[:nq])
	k := nq
	for _, red := range m {
		if red {
			dims = append(dims, 1)
		} else {
			dims = append(dims, res.dims[k])
			k++
		}
	}
	return res.Reshape(dims...)
}

// quantile interpolates in a sorted row as NumPy does, from the nearer side.
func quantile(x []float64, p float64) float64 {
	n := len(x)
	if n == 0 || x[n-1] != x[n-1] {
		return math.NaN()
	}
	v := p * float64(n-1)
	i := int(math.Floor(v))
	if i >= n-1 {
		return x[n-1]
	}
	t, lo, hi := v-float64(i), x[i], x[i+1]
	d := hi - lo
	if t >= 0.5 {
		return hi - d*(1-t)
	}
	return lo + d*t
}

// reducedLast moves the reduced axes to the end, as one, dense; dims are the others.
func (a *Array) reducedLast(m []bool) (rows *Array, dims []int) {
	var keep, red []int
	for i, r := range m {
		if r {
			red = append(red, i)
		} else {
			keep = append(keep, i)
			dims = append(dims, a.dims[i])
		}
	}
	t := a.permuted(append(keep, red...)).Contiguous()
	n := 1
	for _, i := range red {
		n *= a.dims[i]
	}
	rows, _ = t.Reshape(append(slices.Clone(dims), n)...)
	return rows, dims
}
