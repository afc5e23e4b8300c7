package ndarray

import (
	"math"
)

// Full is an array filled with one value of rank 0, cast to dt.
func (c *Ctx) Full(v *Array, dt DType, dims ...int) (*Array, error) {
	if err := c.Room(dt, dims); err != nil {
		return nil, err
	}
	a := New(dt, dims...)
	return a, c.CopyTo(a, v)
}

// ArangeLen is the number of elements of np.arange.
func ArangeLen(start, stop, step float64) (int, error) {
	if step == 0 {
		return 0, fail("ZeroDivisionError", "division by zero")
	}
	n := math.Ceil((stop - start) / step)
	if !(n < 1<<62) {
		return 0, valueError("Maximum allowed size exceeded")
	}
	return max(int(n), 0), nil
}

// Arange is np.arange of floats: element i is start + i·(second − start), as NumPy fills.
func Arange(start, stop, step float64) (*Array, error) {
	n, err := ArangeLen(start, stop, step)
	if err != nil {
		return nil, err
	}
	a := New(Float64, n)
	x := slice[float64](a)
	delta := (start + step) - start
	for i := range x {
		x[i] = start + float64(i)*delta
	}
	if n > 1 {
		x[1] = start + step
	}
	return a, nil
}

// ArangeInt is np.arange of ints.
func ArangeInt(start, stop, step int64) (*Array, error) {
	if step == 0 {
		return nil, fail("ZeroDivisionError", "division by zero")
	}
	n := int64(0)
	switch {
	case step > 0 && stop > start:
		n = (stop - start + step - 1) / step
	case step < 0 && stop < start:
		n = (start - stop - step - 1) / -step
	}
	a := New(Int64, int(n))
	for i := range slice[int64](a) {
		slice[int64](a)[i] = start + int64(i)*step
	}
	return a, nil
}

// Linspace is np.linspace between numbers.
func Linspace(start, stop float64, n int, endpoint bool) (a *Array, step float64, err error) {
	if n < 0 {
		return nil, 0, valueError("Number of samples, %d, must be non-negative.", n)
	}
	div := float64(n)
	if endpoint {
		div--
	}
	a = New(Float64, n)
	x := slice[float64](a)
	delta := stop - start
	step = math.NaN()
	if div > 0 {
		step = delta / div
		for i := range x {
			if step == 0 {
				x[i] = float64(i)/div*delta + start
			} else {
				x[i] = float64(float64(i)*step) + start
			}
		}
	} else {
		for i := range x {
			x[i] = float64(i)*delta + start
		}
	}
	if endpoint && n > 1 {
		x[n-1] = stop
	}
	return a, step, nil
}

// Eye is np.eye.
func Eye(n, m, k int, dt DType) *Array {
	a := New(dt, n, m)
	one := putter(dt.K)
	for i := range n {
		if j := i + k; j >= 0 && j < m {
			one(a.at((i*m+j)*dt.Size()), 1)
		}
	}
	return a
}

// Tri zeroes what lies above (upper: below) the k-th diagonal of the last two axes.
func (c *Ctx) Tri(a *Array, k int, upper bool) (*Array, error) {
	if len(a.dims) < 2 {
		if len(a.dims) == 0 {
			return nil, valueError("input must have at least 1 dimension")
		}
		var err error
		if a, err = a.BroadcastTo([]int{a.n, a.n}); err != nil {
			return nil, err
		}
	}
	n, m := a.dims[len(a.dims)-2], a.dims[len(a.dims)-1]
	mask := New(Bool, n, m)
	b := slice[bool](mask)
	for i := range n {
		for j := range m {
			b[i*m+j] = j-i <= k
			if upper {
				b[i*m+j] = j-i >= k
			}
		}
	}
	return c.Where(mask, a, New(a.DT))
}

// Diagonal is the view of a diagonal of two axes, which comes last.
func (a *Array) Diagonal(k, axis1, axis2 int) (*Array, error) {
	nd := len(a.dims)
	if nd < 2 {
		return nil, valueError("diag requires an array of at least two dimensions")
	}
	i, err := NormAxis(axis1, nd)
	if err != nil {
		return nil, err
	}
	j, err := NormAxis(axis2, nd)
	if err != nil {
		return nil, err
	}
	if i == j {
		return nil, valueError("axis1 and axis2 cannot be the same")
	}
	n, m, off := a.dims[i], a.dims[j], a.off
	if k >= 0 {
		off += k * a.strides[j]
		m -= k
	} else {
		off -= k * a.strides[i]
		n += k
	}
	var dims, st []int
	for ax := range nd {
		if ax != i && ax != j {
			dims, st = append(dims, a.dims[ax]), append(st, a.strides[ax])
		}
	}
	d := max(min(n, m), 0)
	if d == 0 {
		off = a.off
	}
	v := a.view(off, append(dims, d), append(st, a.strides[i]+a.strides[j]))
	v.ReadOnly = true
	return v, nil
}

// Diag is the matrix with a vector on its k-th diagonal.
func (c *Ctx) Diag(v *Array, k int) (*Array, error) {
	n := v.n + max(k, -k)
	a := New(v.DT, n, n)
	d, err := a.Diagonal(k, 0, 1)
	if err != nil {
		return nil, err
	}
	d.ReadOnly = false
	return a, c.CopyTo(d, v)
}

// BincountInts is np.bincount without weights; with weights see BincountFloats.
func (c *Ctx) BincountInts(x *Array, atLeast int) (*Array, error) {
	idx, n, err := c.binIndex(x, atLeast)
	if err != nil {
		return nil, err
	}
	a := New(Int64, n)
	out := slice[int64](a)
	for _, i := range idx {
		out[i]++
	}
	return a, nil
}

// BincountFloats sums weights by bin.
func (c *Ctx) BincountFloats(x, w *Array, atLeast int) (*Array, error) {
	idx, n, err := c.binIndex(x, atLeast)
	if err != nil {
		return nil, err
	}
	if w.n != x.n {
		return nil, valueError("The weights and list don't have the same length.")
	}
	f, err := c.Floats(w)
	if err != nil {
		return nil, err
	}
	a := New(Float64, n)
	out := slice[float64](a)
	for k, i := range idx {
		out[i] += f[k]
	}
	return a, nil
}

func (c *Ctx) binIndex(x *Array, n int) ([]int64, int, error) {
	if len(x.dims) != 1 {
		return nil, 0, valueError("object too deep for desired array")
	}
	if x.n > 0 && !CanCast(x.DT, Int64, "safe") {
		return nil, 0, typeError("Cannot cast array data from %s to %s according to the rule 'safe'", typeRepr(x.DT), typeRepr(Int64))
	}
	idx, err := c.Ints(x)
	for _, i := range idx {
		if i < 0 {
			return nil, 0, valueError("'list' argument must have no negative elements")
		}
		n = max(n, int(i)+1)
	}
	if err := c.Room(Int64, []int{n}); err != nil {
		return nil, 0, err
	}
	return idx, n, err
}

// Floats is a's elements in order as float64, Ints as int64; read only.
func (c *Ctx) Floats(a *Array) ([]float64, error) {
	b, err := c.Cast(a, Float64)
	if err != nil {
		return nil, err
	}
	return slice[float64](b.Contiguous()), nil
}

// Ints is a's elements in order as int64.
func (c *Ctx) Ints(a *Array) ([]int64, error) {
	b, err := c.Cast(a, Int64)
	if err != nil {
		return nil, err
	}
	return slice[int64](b.Contiguous()), nil
}

// FromFloats and FromInts make arrays from numbers.
func FromFloats(x []float64, dims ...int) *Array { return From(Float64, x, dims...) }

// FromInts makes an int64 array.
func FromInts(x []int64, dims ...int) *Array { return From(Int64, x, dims...) }

// Elements is the elements of a dense numeric array as a slice of T, whose size
// must be the dtype's; writes go through when the block is the array's own.
func Elements[T any](a *Array) []T {
	if !a.dense() {
		panic("tfs bug: elements of an array with gaps")
	}
	a.wmem()
	return slice[T](a)
}

// Convolve is np.convolve in full.
func Convolve(x, y []float64) []float64 {
	out := make([]float64, len(x)+len(y)-1)
	for i, a := range x {
		for j, b := range y {
			out[i+j] += a * b
		}
	}
	return out
}

// Round is np.round to that many decimals: the value is scaled, rounded half to
// even and scaled back, as NumPy does.
func (c *Ctx) Round(a *Array, decimals int) (*Array, error) {
	switch {
	case a.DT == Bool:
		return c.Cast(a, Float16)
	case a.DT.IsInt() && decimals >= 0:
		return a.Copy(), nil
	case a.DT.IsComplex():
		return c.roundComplex(a, decimals)
	case decimals == 0:
		return c.Call(ufuncs["rint"], Strongly(a), Options{})
	}
	scale := Operand{Array: FromFloat(math.Pow(10, math.Abs(float64(decimals)))), Weak: WeakFloat}
	up, down := ufuncs["multiply"], ufuncs["divide"]
	if decimals < 0 {
		up, down = down, up
	}
	x, err := c.Call(up, []Operand{{Array: a}, scale}, Options{})
	if err == nil {
		x, err = c.Call(ufuncs["rint"], Strongly(x), Options{})
	}
	if err == nil {
		x, err = c.Call(down, []Operand{{Array: x}, scale}, Options{})
	}
	if err != nil {
		return nil, err
	}
	return c.Cast(x, a.DT)
}

func (c *Ctx) roundComplex(a *Array, decimals int) (*Array, error) {
	out := New(a.DT, a.dims...)
	re, err := c.Round(a.Real(), decimals)
	if err != nil {
		return nil, err
	}
	im, err := c.Round(a.Imag(), decimals)
	if err != nil {
		return nil, err
	}
	if err := c.CopyTo(out.Real(), re); err != nil {
		return nil, err
	}
	return out, c.CopyTo(out.Imag(), im)
}

// View is a.view(dtype): the same bytes read as another type.
func (a *Array) View(dt DType) (*Array, error) {
	if (a.DT.K == Object) != (dt.K == Object) {
		return nil, typeError("Cannot change data-type for array of references.")
	}
	v := a.view(a.off, a.dims, a.strides)
	v.DT = dt
	from, to := a.DT.Size(), dt.Size()
	if from == to {
		return v, nil
	}
	last := len(a.dims) - 1
	if last < 0 {
		return nil, valueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
	}
	if a.strides[last] != from || to == 0 || a.dims[last]*from%to != 0 {
		return nil, valueError("When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.")
	}
	v.dims[last], v.strides[last] = a.dims[last]*from/to, to
	v.n = product(v.dims)
	return v, nil
}

// FromBytes is np.frombuffer: a read-only array on a copy of b.
func FromBytes(b []byte, dt DType) *Array {
	a := New(dt, len(b)/dt.Size())
	copy(a.buf.Bytes(), b)
	return a
}

// Bytes is the elements in C order as bytes.
func (a *Array) Bytes() []byte {
	if a.DT.K == Object {
		return nil
	}
	a = a.Contiguous()
	return append([]byte(nil), a.buf.Bytes()[a.off:a.off+a.n*a.DT.Size()]...)
}

// PartsOf makes a complex array from its parts.
func (c *Ctx) PartsOf(re, im *Array) (*Array, error) {
	out := New(Complex128, re.dims...)
	if err := c.CopyTo(out.Real(), re); err != nil {
		return nil, err
	}
	return out, c.CopyTo(out.Imag(), im)
}
