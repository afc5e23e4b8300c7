package ndarray

import (
	"math"
	"slices"
	"unsafe"

	"github.com/tfs-lang/tfs/tensor"
)

// Reduction is the keyword arguments of reductions. Nil Axes with All reduces
// every axis.
type Reduction struct {
	Axes     []int
	All      bool
	KeepDims bool
	DType    *DType
	Out      *Array
	Initial  *Array
	Where    *Array
}

// Axis returns the reduction over those axes.
func Axis(axes ...int) Reduction { return Reduction{Axes: axes} }

// AllAxes returns the reduction over everything.
func AllAxes() Reduction { return Reduction{All: true} }

// NormAxis counts a negative axis from the end and checks it.
func NormAxis(axis, ndim int) (int, error) {
	if axis < -ndim || axis >= ndim {
		return 0, axisError(axis, ndim)
	}
	if axis < 0 {
		axis += ndim
	}
	return axis, nil
}

// mask says which axes are reduced.
func (r *Reduction) mask(ndim int) ([]bool, error) {
	m := make([]bool, ndim)
	if r.All {
		for i := range m {
			m[i] = true
		}
		return m, nil
	}
	for _, ax := range r.Axes {
		i, err := NormAxis(ax, ndim)
		if err != nil {
			return nil, err
		}
		if m[i] {
			return nil, valueError("duplicate value in 'axis'")
		}
		m[i] = true
	}
	return m, nil
}

// sumType is the type that sums and products of a are made in.
func sumType(f *UFunc, t DType) DType {
	if f.Name != "add" && f.Name != "multiply" {
		return t
	}
	switch {
	case t == Bool || t.IsInt() && t.K.IsSigned() && t.Size() < 8:
		return Int64
	case t.IsInt() && t.Size() < 8:
		return Uint64
	}
	return t
}

// Reduce is f.reduce(a).
func (c *Ctx) Reduce(f *UFunc, a *Array, r Reduction) (*Array, error) {
	m, err := r.mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	in, err := c.reduceType(f, a, &r)
	if err != nil {
		return nil, err
	}
	if a, err = c.Cast(a, in); err != nil {
		return nil, err
	}
	if r.Where != nil {
		if a, err = c.masked(f, a, &r); err != nil {
			return nil, err
		}
	}
	out, err := c.reduceInto(f, a, m, &r)
	if err != nil {
		return nil, err
	}
	res := out.squeezed(m, r.KeepDims)
	if r.Out != nil {
		return r.Out, c.CopyTo(r.Out, res)
	}
	return res, nil
}

func (c *Ctx) reduceType(f *UFunc, a *Array, r *Reduction) (DType, error) {
	t := sumType(f, a.DT)
	if r.DType != nil {
		t = *r.DType
	}
	if t.IsText() {
		return t, typeError("the resolved dtypes are not compatible with %s.reduce. Resolved (%s, %s, %s)", f.Name, typeRepr(t), typeRepr(t), typeRepr(DType{t.K, 2 * t.W}))
	}
	return f.loopType(t, Strongly(a))
}

// masked puts the identity where the mask is false.
func (c *Ctx) masked(f *UFunc, a *Array, r *Reduction) (*Array, error) {
	fill := r.Initial
	if fill == nil {
		if f.identity == nil {
			return nil, valueError("reduction operation '%s' does not have an identity, so to use a where mask one has to specify 'initial'", f.Name)
		}
		fill = FromFloat(*f.identity)
	}
	fill, err := c.Cast(fill, a.DT)
	if err != nil {
		return nil, err
	}
	return c.Where(r.Where, a, fill)
}

// squeezed removes the reduced axes, or keeps them with length 1.
func (a *Array) squeezed(m []bool, keep bool) *Array {
	if keep {
		return a
	}
	var dims, st []int
	for i, red := range m {
		if !red {
			dims, st = append(dims, a.dims[i]), append(st, a.strides[i])
		}
	}
	v := a.view(a.off, dims, st)
	v.base = nil
	return v
}

// reduceInto returns the result with the reduced axes of length 1.
func (c *Ctx) reduceInto(f *UFunc, a *Array, m []bool, r *Reduction) (*Array, error) {
	dims := slices.Clone(a.dims)
	count := 1
	for i, red := range m {
		if red {
			count *= dims[i]
			dims[i] = 1
		}
	}
	out := New(f.resultOf(a.DT), dims...)
	if a.DT.K == Object || out.DT != a.DT || f.identity == nil && !f.idempotent() || a.DT == Bool {
		return c.reduceSteps(f, a, out, m, count, r)
	}
	if err := c.start(f, out, a, m, count, r); err != nil || a.n == 0 {
		return out, err
	}
	flags := c.accumulateInto(f, out, a, m)
	return out, c.report(flags, "reduce")
}

func (f *UFunc) idempotent() bool {
	switch f.Name {
	case "maximum", "minimum", "fmax", "fmin":
		return true
	}
	return false
}

// start fills out with the initial value, the identity, or the first elements.
func (c *Ctx) start(f *UFunc, out, a *Array, m []bool, count int, r *Reduction) error {
	switch {
	case r.Initial != nil:
		return c.CopyTo(out, r.Initial)
	case f.idempotent():
		if count == 0 && out.n > 0 {
			return valueError("zero-size array to reduction operation %s which has no identity", f.Name)
		}
		first := a.view(a.off, out.dims, a.strides)
		if out.n > 0 {
			copySame(out, first)
		}
		return nil
	}
	return c.CopyTo(out, FromFloat(*f.identity))
}

// accumulateInto folds a's elements into out in NumPy's order: the axis with the
// smallest step is the innermost.
func (c *Ctx) accumulateInto(f *UFunc, out, a *Array, m []bool) Flags {
	perm := byStride(a)
	dims, sa, so := make([]int, len(perm)), make([]int, len(perm)), make([]int, len(perm))
	for i, ax := range perm {
		dims[i], sa[i] = a.dims[ax], a.strides[ax]
		if !m[ax] {
			so[i] = out.strides[ax]
		}
	}
	o := operand{unsafe.Add(out.wmem(), out.off), dims, so}
	var p plan
	p.init(dims, o, o, operand{unsafe.Add(a.mem(), a.off), dims, sa})
	l := f.loopFor(a.DT.K)
	if f.Name == "add" {
		if s := sumLoop(a.DT.K); s != nil {
			if out.n == 1 && p.nd > 1 {
				p.sumAll(s, a.DT.K.Size())
				return c.reduceMishaps(out, a)
			}
			l = foldLoop(s, l)
		}
	}
	flags := p.run(l)
	if f.test {
		return flags &^ Invalid
	}
	return flags | c.reduceMishaps(out, a)
}

// sumBuffer is how many elements NumPy copies together when it sums everything of
// an array with gaps.
const sumBuffer = 8192

// sumAll sums whole rows at a time, as many as fit NumPy's buffer.
func (p *plan) sumAll(sum func(p unsafe.Pointer, n, step int, into unsafe.Pointer), size int) {
	row := p.dims[p.nd-1]
	buf := make([]byte, max(sumBuffer/row*row, row)*size)
	at, move := 0, copyLoop(size)
	flush := func() {
		if at > 0 {
			sum(unsafe.Pointer(&buf[0]), at/size, size, p.base[0])
		}
		at = 0
	}
	p.run(func(a *args) {
		if at+row*size > len(buf) {
			flush()
		}
		move(&args{n: a.n, p: [4]unsafe.Pointer{unsafe.Pointer(&buf[at]), a.p[2]}, s: [4]int{size, a.s[2]}})
		at += row * size
	})
	flush()
}

// reduceMishaps: odd results from operands that are all finite.
func (c *Ctx) reduceMishaps(out, a *Array) (flags Flags) {
	if !a.DT.IsFloat() || !oddRow(out.DT.K, out.at(out.off), out.n, out.DT.Size()) {
		return 0
	}
	get := getter(a.DT.K)
	odd := false
	a.each(func(pos int) { x := get(a.at(pos)); odd = odd || x-x != 0 })
	if odd {
		return 0
	}
	return Overflow
}

// byStride orders the axes from the largest step to the smallest.
func byStride(a *Array) []int {
	perm := make([]int, len(a.dims))
	for i := range perm {
		perm[i] = i
	}
	abs := func(i int) int {
		if a.dims[i] == 1 {
			return math.MaxInt
		}
		return max(a.strides[i], -a.strides[i])
	}
	slices.SortStableFunc(perm, func(i, j int) int {
		if abs(i) == abs(j) {
			return 0
		}
		if abs(i) > abs(j) {
			return -1
		}
		return 1
	})
	return perm
}

// foldLoop uses sum where a row goes into one element.
func foldLoop(sum func(p unsafe.Pointer, n, step int, into unsafe.Pointer), l loop) loop {
	return func(a *args) {
		if a.s[0] != 0 {
			l(a)
			return
		}
		sum(a.p[2], a.n, a.s[2], a.p[0])
	}
}

func sumLoop(k tensor.DType) func(p unsafe.Pointer, n, step int, into unsafe.Pointer) {
	switch k {
	case tensor.Float32:
		return sumInto[float32]
	case tensor.Float64:
		return sumInto[float64]
	case tensor.Int64:
		return sumInts
	case tensor.Complex64:
		return sumComplex[float32]
	case tensor.Complex128:
		return sumComplex[float64]
	case tensor.Float16:
		return func(p unsafe.Pointer, n, step int, into unsafe.Pointer) {
			x := make([]float32, n)
			for i := range x {
				x[i] = (*(*tensor.Half)(unsafe.Add(p, i*step))).Float32()
			}
			h := (*tensor.Half)(into)
			if n > 0 {
				*h = tensor.ToHalf(h.Float32() + pairwise[float32](unsafe.Pointer(&x[0]), n, 4))
			}
		}
	}
	return nil
}

func sumInts(p unsafe.Pointer, n, step int, into unsafe.Pointer) {
	s := *(*int64)(into)
	for i := range n {
		s += *(*int64)(unsafe.Add(p, i*step))
	}
	*(*int64)(into) = s
}

func sumInto[T float](p unsafe.Pointer, n, step int, into unsafe.Pointer) {
	*(*T)(into) += pairwise[T](p, n, step)
}

func sumComplex[T float](p unsafe.Pointer, n, step int, into unsafe.Pointer) {
	o := (*[2]T)(into)
	s := pairwiseComplex[T](p, n, step)
	o[0] += s[0]
	o[1] += s[1]
}

// pairwiseComplex is pairwise with four running sums, in blocks of up to 64.
func pairwiseComplex[T float](p unsafe.Pointer, n, step int) (s [2]T) {
	if n > 64 {
		h := (n - n%8) / 2
		x, y := pairwiseComplex[T](p, h, step), pairwiseComplex[T](unsafe.Add(p, h*step), n-h, step)
		return [2]T{x[0] + y[0], x[1] + y[1]}
	}
	i := 0
	if n >= 4 {
		var r [4][2]T
		for j := range r {
			r[j] = *(*[2]T)(unsafe.Add(p, j*step))
		}
		for i = 4; i < n-n%4; i += 4 {
			for j := range r {
				v := (*[2]T)(unsafe.Add(p, (i+j)*step))
				r[j][0] += v[0]
				r[j][1] += v[1]
			}
		}
		for k := range s {
			s[k] = (r[0][k] + r[1][k]) + (r[2][k] + r[3][k])
		}
	}
	for ; i < n; i++ {
		v := (*[2]T)(unsafe.Add(p, i*step))
		s[0] += v[0]
		s[1] += v[1]
	}
	return s
}

// pairwise sums as NumPy does: eight running sums in blocks of up to 128, halves above.
func pairwise[T float](p unsafe.Pointer, n, step int) T {
	if n < 8 {
		var s T
		for i := range n {
			s += *(*T)(unsafe.Add(p, i*step))
		}
		return s
	}
	if n > 128 {
		h := n / 2
		h -= h % 8
		return pairwise[T](p, h, step) + pairwise[T](unsafe.Add(p, h*step), n-h, step)
	}
	var r [8]T
	for j := range r {
		r[j] = *(*T)(unsafe.Add(p, j*step))
	}
	i := 8
	for ; i < n-n%8; i += 8 {
		q := unsafe.Add(p, i*step)
		for j := range r {
			r[j] += *(*T)(unsafe.Add(q, j*step))
		}
	}
	s := ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
	for ; i < n; i++ {
		s += *(*T)(unsafe.Add(p, i*step))
	}
	return s
}

// reduceSteps folds slice by slice: for objects, bools, and functions without an
// identity.
func (c *Ctx) reduceSteps(f *UFunc, a, out *Array, m []bool, count int, r *Reduction) (*Array, error) {
	axes := []int{}
	for i, red := range m {
		if red {
			axes = append(axes, i)
		}
	}
	if count == 0 || len(axes) == 0 {
		return c.reduceNone(f, a, out, count, r)
	}
	acc := (*Array)(nil)
	if r.Initial != nil {
		acc = broadcastView(r.Initial, out.dims)
	}
	idx := make([]int, len(axes))
	for {
		pos := a.off
		for k, ax := range axes {
			pos += idx[k] * a.strides[ax]
		}
		x := a.view(pos, out.dims, a.strides)
		if acc == nil {
			acc = x
		} else {
			var err error
			if acc, err = c.Call(f, Strongly(acc, x), Options{}); err != nil {
				return nil, err
			}
		}
		k := len(axes) - 1
		for ; k >= 0; k-- {
			if idx[k]++; idx[k] < a.dims[axes[k]] {
				break
			}
			idx[k] = 0
		}
		if k < 0 {
			return out, c.CopyTo(out, acc)
		}
	}
}

func (c *Ctx) reduceNone(f *UFunc, a, out *Array, count int, r *Reduction) (*Array, error) {
	switch {
	case count != 0:
		return out, c.CopyTo(out, a)
	case r.Initial != nil:
		return out, c.CopyTo(out, r.Initial)
	case f.identity != nil:
		return out, c.CopyTo(out, FromFloat(*f.identity))
	case out.n == 0:
		return out, nil
	}
	return nil, valueError("zero-size array to reduction operation %s which has no identity", f.Name)
}

// Accumulate is f.accumulate(a, axis).
func (c *Ctx) Accumulate(f *UFunc, a *Array, axis int, dt *DType, dst *Array) (*Array, error) {
	axis, err := NormAxis(axis, len(a.dims))
	if err != nil {
		return nil, err
	}
	in, err := c.reduceType(f, a, &Reduction{DType: dt})
	if err != nil {
		return nil, err
	}
	if a, err = c.Cast(a, in); err != nil {
		return nil, err
	}
	out := New(f.resultOf(in), a.dims...)
	if out.DT != in || in.K >= Object {
		err = c.accumulateSteps(f, a, out, axis)
	} else {
		err = c.accumulateRows(f, a, out, axis)
	}
	if err != nil || dst == nil {
		return out, err
	}
	return dst, c.CopyTo(dst, out)
}

func (c *Ctx) accumulateRows(f *UFunc, a, out *Array, axis int) error {
	n := a.dims[axis]
	if a.n == 0 {
		return nil
	}
	copySame(out.part(axis, 0, 1), a.part(axis, 0, 1))
	so, sa := out.strides[axis], a.strides[axis]
	l := f.loopFor(a.DT.K)
	x, o := a.part(axis, 0, 1), out.part(axis, 0, 1)
	var p plan
	p.init(o.dims, o.target(), x.operand())
	var flags Flags
	p.run(func(row *args) {
		for i := range row.n {
			q, s := unsafe.Add(row.p[0], i*row.s[0]), unsafe.Add(row.p[1], i*row.s[1])
			b := args{n: n - 1, s: [4]int{so, so, sa}}
			if n > 1 {
				b.p = [4]unsafe.Pointer{unsafe.Add(q, so), q, unsafe.Add(s, sa)}
				l(&b)
			}
			flags |= b.flags
		}
	})
	return c.report(flags, "accumulate")
}

func (c *Ctx) accumulateSteps(f *UFunc, a, out *Array, axis int) error {
	for i := range a.dims[axis] {
		x := a.part(axis, i, i+1)
		if i > 0 {
			y, err := c.Call(f, Strongly(out.part(axis, i-1, i), x), Options{})
			if err != nil {
				return err
			}
			x = y
		}
		if err := c.CopyTo(out.part(axis, i, i+1), x); err != nil {
			return err
		}
	}
	return nil
}

// part is the view of a from lo to hi along an axis.
func (a *Array) part(axis, lo, hi int) *Array {
	v := a.view(a.off+lo*a.strides[axis], a.dims, a.strides)
	v.dims[axis] = hi - lo
	v.n = product(v.dims)
	return v
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// Outer is f.outer(a, b).
func (c *Ctx) Outer(f *UFunc, a, b Operand) (*Array, error) {
	dims := slices.Clone(a.dims)
	st := slices.Clone(a.strides)
	for range b.dims {
		dims, st = append(dims, 1), append(st, 0)
	}
	a.Array = a.view(a.off, dims, st)
	return c.Call(f, []Operand{a, b}, Options{})
}

// FromFloat is the array of rank 0 with that number, FromInt and FromBool likewise.
func FromFloat(x float64) *Array {
	a := New(Float64)
	slice[float64](a)[0] = x
	return a
}

// FromInt is the int64 array of rank 0 with that number.
func FromInt(i int64) *Array {
	a := New(Int64)
	slice[int64](a)[0] = i
	return a
}

// FromBool is the bool array of rank 0 with that value.
func FromBool(b bool) *Array {
	a := New(Bool)
	slice[bool](a)[0] = b
	return a
}
