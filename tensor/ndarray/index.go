package ndarray

import (
	"slices"
	"unsafe"
)

// IndexKind says what an element of an index is.
type IndexKind uint8

// The kinds of index elements.
const (
	IndexInt IndexKind = iota
	IndexSlice
	IndexEllipsis
	IndexNew
	IndexArray // of integers or bools
)

// Index is one element of an index expression a[i, j:k, None].
type Index struct {
	Kind  IndexKind
	I     int                                             // IndexInt
	Slice func(n int) (start, step, count int, err error) // IndexSlice
	Array *Array                                          // IndexArray
}

func tooMany(rank, n int) error {
	return indexError("too many indices for array: array is %d-dimensional, but %d were indexed", rank, n)
}

// consumed is how many axes an index element takes.
func (x *Index) consumed() int {
	switch x.Kind {
	case IndexEllipsis, IndexNew:
		return 0
	case IndexArray:
		if x.Array.DT == Bool {
			return len(x.Array.dims)
		}
	}
	return 1
}

// fancy is an index that has been applied up to its arrays: view has the basic
// part done, and arrays index its axes at.
type fancy struct {
	view   *Array
	at     []int
	arrays []*Array // int64, broadcast together
	shape  []int    // of the arrays
	front  bool     // the arrays stand apart: their axes come first
}

// apply does the basic part of an index; f is nil when that is all.
func (a *Array) apply(idx []Index) (v *Array, f *fancy, err error) {
	total, ellipsis := 0, false
	for i := range idx {
		total += idx[i].consumed()
		ellipsis = ellipsis || idx[i].Kind == IndexEllipsis
	}
	if total > len(a.dims) {
		return nil, nil, tooMany(len(a.dims), total)
	}
	if !ellipsis {
		idx = append(slices.Clip(idx), Index{Kind: IndexEllipsis})
	}
	b := indexer{a: a, off: a.off}
	for i := range idx {
		if err := b.step(&idx[i], len(a.dims)-total); err != nil {
			return nil, nil, err
		}
	}
	v = a.view(b.off, b.dims, b.strides)
	if b.arrays == nil {
		return v, nil, nil
	}
	f = &fancy{view: v, at: b.at, arrays: b.arrays, front: b.apart}
	return v, f, f.broadcast()
}

// indexer is an index in the making.
type indexer struct {
	a             *Array
	axis, off     int
	dims, strides []int
	at            []int
	arrays        []*Array
	last          int // kind of the element before: 1 array, 2 something after arrays
	apart         bool
}

func (b *indexer) step(x *Index, rest int) error {
	if x.Kind != IndexArray && x.Kind != IndexInt && len(b.arrays) > 0 && !(x.Kind == IndexEllipsis && rest == 0 && b.axis == len(b.a.dims)) {
		b.last = 2
	}
	switch x.Kind {
	case IndexInt:
		return b.integer(x.I)
	case IndexSlice:
		return b.slice(x)
	case IndexEllipsis:
		for range rest {
			b.dims, b.strides = append(b.dims, b.a.dims[b.axis]), append(b.strides, b.a.strides[b.axis])
			b.axis++
		}
	case IndexNew:
		b.dims, b.strides = append(b.dims, 1), append(b.strides, 0)
	case IndexArray:
		return b.array(x.Array)
	}
	return nil
}

func (b *indexer) integer(i int) error {
	n := b.a.dims[b.axis]
	if i < -n || i >= n {
		return indexError("index %d is out of bounds for axis %d with size %d", i, b.axis, n)
	}
	if i < 0 {
		i += n
	}
	b.off += i * b.a.strides[b.axis]
	b.axis++
	return nil
}

func (b *indexer) slice(x *Index) error {
	start, step, count, err := x.Slice(b.a.dims[b.axis])
	if err != nil {
		return err
	}
	s := b.a.strides[b.axis]
	if count > 0 {
		b.off += start * s
	}
	b.dims, b.strides = append(b.dims, count), append(b.strides, step*s)
	b.axis++
	return nil
}

func (b *indexer) array(x *Array) error {
	if b.last == 2 {
		b.apart = true
	}
	b.last = 1
	if x.DT == Bool {
		return b.mask(x)
	}
	if !x.DT.IsInt() {
		if x.n == 0 {
			x = New(Int64, x.dims...)
		} else {
			return indexError("arrays used as indices must be of integer (or boolean) type")
		}
	}
	b.add(x)
	return nil
}

// add puts an index array on the current axis.
func (b *indexer) add(x *Array) {
	b.at = append(b.at, len(b.dims))
	b.arrays = append(b.arrays, x)
	b.dims, b.strides = append(b.dims, b.a.dims[b.axis]), append(b.strides, b.a.strides[b.axis])
	b.axis++
}

// mask turns a bool array into one integer array for each of its axes.
func (b *indexer) mask(x *Array) error {
	for i, d := range x.dims {
		if n := b.a.dims[b.axis+i]; d != n {
			return indexError("boolean index did not match indexed array along axis %d; size of axis is %d but size of corresponding boolean axis is %d", b.axis+i, n, d)
		}
	}
	if len(x.dims) == 0 {
		n := 0
		if *(*bool)(x.at(x.off)) {
			n = 1
		}
		b.at = append(b.at, len(b.dims))
		b.arrays = append(b.arrays, New(Int64, n))
		b.dims, b.strides = append(b.dims, 1), append(b.strides, 0)
		return nil
	}
	for _, ix := range x.NonZero() {
		b.add(ix)
	}
	return nil
}

// NonZero is the indices of the elements of a bool array that are true, one
// array for each axis.
func (x *Array) NonZero() []*Array {
	out := make([][]int64, len(x.dims))
	var idx [maxDims]int64
	k := 0
	x.each(func(pos int) {
		if *(*bool)(x.at(pos)) {
			r := k
			for i := len(x.dims) - 1; i >= 0; i-- {
				idx[i] = int64(r % x.dims[i])
				r /= x.dims[i]
			}
			for i := range out {
				out[i] = append(out[i], idx[i])
			}
		}
		k++
	})
	as := make([]*Array, len(out))
	for i := range out {
		as[i] = From(Int64, out[i], len(out[i]))
	}
	return as
}

// broadcast brings the index arrays to one shape and checks their values.
func (f *fancy) broadcast() error {
	shapes := make([][]int, len(f.arrays))
	for i, x := range f.arrays {
		shapes[i] = x.dims
	}
	var err error
	if f.shape, err = BroadcastShapes(shapes...); err != nil {
		return indexError("shape mismatch: indexing arrays could not be broadcast together with shapes %s", shapesText(shapes))
	}
	for i, x := range f.arrays {
		if f.arrays[i], err = f.checked(x, f.view.dims[f.at[i]], i); err != nil {
			return err
		}
	}
	return nil
}

// checked is x as dense int64 of the common shape, counted from the start.
func (f *fancy) checked(x *Array, n, i int) (*Array, error) {
	get := intGetter(x.DT.K)
	out := New(Int64, f.shape...)
	dst := slice[int64](out)
	k, bad := 0, false
	var worst int64
	broadcastView(x, f.shape).each(func(pos int) {
		v := get(x.at(pos))
		if (v < int64(-n) || v >= int64(n)) && !bad {
			bad, worst = true, v
		}
		if v < 0 {
			v += int64(n)
		}
		dst[k] = v
		k++
	})
	if bad {
		return nil, indexError("index %d is out of bounds for axis %d with size %d", worst, f.axisOf(i), n)
	}
	return out, nil
}

// axisOf is the axis that index array i looks at.
func (f *fancy) axisOf(i int) int { return f.at[i] }

// outDims is the shape of the result, and where the arrays' axes begin in it.
func (f *fancy) outDims() (dims []int, begin int, rest []int) {
	begin = f.at[0]
	for i, d := range f.view.dims {
		if !slices.Contains(f.at, i) {
			rest = append(rest, i)
			dims = append(dims, d)
		}
	}
	if f.front {
		begin = 0
	}
	return slices.Insert(dims, begin, f.shape...), begin, rest
}

// walk calls g with the view of one row at a time: the part of the indexed array
// that a group of index values selects, and the same part of other, which has
// the result's shape.
func (f *fancy) walk(other *Array, g func(part, out *Array)) {
	dims, begin, rest := f.outDims()
	_ = dims
	var restDims, restSt, outSt []int
	for _, ax := range rest {
		restDims, restSt = append(restDims, f.view.dims[ax]), append(restSt, f.view.strides[ax])
	}
	for i := range other.dims {
		if i < begin || i >= begin+len(f.shape) {
			outSt = append(outSt, other.strides[i])
		}
	}
	group := other.view(other.off, f.shape, other.strides[begin:begin+len(f.shape)])
	idx := make([][]int64, len(f.arrays))
	for i, x := range f.arrays {
		idx[i] = slice[int64](x)
	}
	k := 0
	part, out := f.view.view(0, restDims, restSt), other.view(0, restDims, outSt)
	group.each(func(pos int) {
		part.off = f.view.off
		for i, ix := range idx {
			part.off += int(ix[k]) * f.view.strides[f.at[i]]
		}
		out.off = pos
		g(part, out)
		k++
	})
}

// Get is a[idx]: a view for basic indices, a copy for index arrays. scalar says
// that integers selected one element.
func (a *Array) Get(idx []Index) (v *Array, scalar bool, err error) {
	if len(idx) == 1 && idx[0].Kind == IndexArray && idx[0].Array.DT == Bool && a.DT.K != Object && len(a.dims) > 0 && slices.Equal(idx[0].Array.dims, a.dims) {
		return a.masked(idx[0].Array), false, nil
	}
	v, f, err := a.apply(idx)
	if err != nil {
		return nil, false, err
	}
	if f == nil {
		scalar = len(v.dims) == 0
		for i := range idx {
			scalar = scalar && idx[i].Kind == IndexInt
		}
		return v, scalar, nil
	}
	if a.DT.K != Object && len(f.arrays) == 1 && len(f.view.dims) > 0 {
		return f.take(), false, nil
	}
	dims, _, _ := f.outDims()
	out := New(a.DT, dims...)
	f.walk(out, func(part, o *Array) { copySame(o, part) })
	return out, false, nil
}

// masked is a[mask] for a mask of a's shape.
func (a *Array) masked(mask *Array) *Array {
	a, mask = a.Contiguous(), mask.Contiguous()
	m := slice[bool](mask)
	n := 0
	for _, b := range m {
		if b {
			n++
		}
	}
	out := New(a.DT, n)
	switch a.DT.Size() {
	case 8:
		compressInto(slice[uint64](out), slice[uint64](a), m)
	case 4:
		compressInto(slice[uint32](out), slice[uint32](a), m)
	default:
		size := a.DT.Size()
		src, dst := unsafe.Slice((*byte)(a.at(a.off)), a.n*size), out.buf.Bytes()
		k := 0
		for i, b := range m {
			if b {
				copy(dst[k:k+size], src[i*size:])
				k += size
			}
		}
	}
	return out
}

// compressInto copies the elements that the mask marks; it writes each one and
// steps on only for those, which spares unpredictable branches.
func compressInto[T any](dst, src []T, mask []bool) {
	if len(dst) == 0 {
		return
	}
	k, last := 0, len(dst)-1
	for i, b := range mask {
		if k > last {
			return
		}
		dst[k] = src[i]
		if b {
			k++
		}
	}
}

// take is the common case of one index array.
func (f *fancy) take() *Array {
	out, _ := f.view.TakeAxis(slice[int64](f.arrays[0]), f.shape, f.at[0])
	return out
}

// TakeAxis selects along one axis by indices that are in range, arranged in shape.
func (a *Array) TakeAxis(idx []int64, shape []int, axis int) (*Array, error) {
	dims := append(slices.Clone(a.dims[:axis]), shape...)
	dims = append(dims, a.dims[axis+1:]...)
	out := New(a.DT, dims...)
	if out.n == 0 {
		return out, nil
	}
	outer, inner := product(a.dims[:axis]), product(a.dims[axis+1:])
	if a.DT.K == Object || !a.dense() {
		a = a.Copy()
	}
	if a.DT.K == Object {
		takeRows(out.objs.vals, a.objs.vals, idx, outer, a.dims[axis], inner)
		return out, nil
	}
	size := inner * a.DT.Size()
	src := unsafe.Slice((*byte)(a.at(a.off)), a.n*a.DT.Size())
	dst := out.buf.Bytes()
	switch {
	case size == 8:
		takeRows(slice[uint64](out), unsafe.Slice((*uint64)(a.at(a.off)), a.n), idx, outer, a.dims[axis], 1)
	case size == 4:
		takeRows(unsafe.Slice((*uint32)(out.at(0)), out.n*out.DT.Size()/4), unsafe.Slice((*uint32)(a.at(a.off)), a.n*a.DT.Size()/4), idx, outer, a.dims[axis], 1)
	default:
		takeRows(dst, src, idx, outer, a.dims[axis], size)
	}
	return out, nil
}

func takeRows[T any](dst, src []T, idx []int64, outer, n, inner int) {
	k := 0
	for o := range outer {
		base := src[o*n*inner:]
		if inner == 1 {
			for _, i := range idx {
				dst[k] = base[i]
				k++
			}
			continue
		}
		for _, i := range idx {
			copy(dst[k:k+inner], base[int(i)*inner:])
			k += inner
		}
	}
}

// Set is a[idx] = x.
func (c *Ctx) Set(a *Array, idx []Index, x *Array) error {
	if a.ReadOnly {
		return valueError("assignment destination is read-only")
	}
	if len(idx) == 1 && idx[0].Kind == IndexArray && idx[0].Array.DT == Bool && slices.Equal(idx[0].Array.dims, a.dims) {
		return c.setMasked(a, idx[0].Array, x)
	}
	v, f, err := a.apply(idx)
	if err != nil {
		return err
	}
	if f == nil {
		return c.Assign(v, x)
	}
	dims, _, _ := f.outDims()
	if x, err = c.valueFor(a, x, dims); err != nil {
		return err
	}
	if a.DT.K != Object {
		a.wmem()
	}
	f.walk(x, func(part, o *Array) { copySame(part, o) })
	return nil
}

// valueFor is x cast to a's type and repeated to dims.
func (c *Ctx) valueFor(a, x *Array, dims []int) (*Array, error) {
	d := x.dims
	for len(d) > len(dims) && d[0] == 1 {
		d = d[1:]
	}
	if s, err := BroadcastShapes(d, dims); err != nil || !slices.Equal(s, dims) {
		return nil, valueError("shape mismatch: value array of shape %s could not be broadcast to indexing result of shape %s", tupleText(x.dims), tupleText(dims))
	}
	if len(d) != len(x.dims) {
		x, _ = x.Reshape(d...)
	}
	x, err := c.Cast(x, a.DT)
	if err != nil {
		return nil, err
	}
	if x.SharesMemory(a) {
		x = x.Copy()
	}
	return broadcastView(x, dims), nil
}

// setMasked is a[mask] = x for a mask of a's shape.
func (c *Ctx) setMasked(a, mask, x *Array) error {
	var pos []int
	at := make([]int, 0, a.n)
	a.each(func(p int) { at = append(at, p) })
	k := 0
	mask.each(func(p int) {
		if *(*bool)(mask.at(p)) {
			pos = append(pos, at[k])
		}
		k++
	})
	if len(x.dims) > 1 {
		x = x.Ravel()
	}
	if len(x.dims) == 1 && x.n != 1 && x.n != len(pos) {
		return valueError("NumPy boolean array indexing assignment cannot assign %d input values to the %d output values where the mask is true", x.n, len(pos))
	}
	x, err := c.Cast(x, a.DT)
	if err != nil {
		return err
	}
	x = x.Contiguous()
	step := x.DT.Size()
	if x.n == 1 {
		step = 0
	}
	a.scatter(pos, x, step)
	return nil
}

// scatter stores x's elements at positions of a.
func (a *Array) scatter(pos []int, x *Array, step int) {
	if a.DT.K == Object {
		for k, p := range pos {
			a.objs.vals[p/8] = x.objs.vals[(x.off+k*step)/8]
		}
		return
	}
	dst, size := a.wmem(), a.DT.Size()
	for k, p := range pos {
		copy(unsafe.Slice((*byte)(unsafe.Add(dst, p)), size), unsafe.Slice((*byte)(x.at(x.off+k*step)), size))
	}
}

// PutMask stores x where the mask is true; both are repeated to a's shape.
func (c *Ctx) PutMask(a, mask, x *Array) error {
	m, err := c.Cast(mask, Bool)
	if err != nil {
		return err
	}
	if x, err = c.Cast(x, a.DT); err != nil {
		return err
	}
	y, err := c.Where(m, x, a)
	if err != nil {
		return err
	}
	return c.CopyTo(a, y)
}

// Where is np.where of three arrays.
func (c *Ctx) Where(cond, x, y *Array) (*Array, error) {
	dt, err := ResultType(Strongly(x, y)...)
	if err != nil {
		return nil, err
	}
	return c.WhereAs(cond, x, y, dt)
}

// WhereAs is Where with the type of the result given.
func (c *Ctx) WhereAs(cond, x, y *Array, dt DType) (*Array, error) {
	shape, err := BroadcastShapes(cond.dims, x.dims, y.dims)
	if err != nil {
		return nil, err
	}
	if cond, err = c.Cast(cond, Bool); err != nil {
		return nil, err
	}
	if x, err = c.Cast(x, dt); err != nil {
		return nil, err
	}
	if y, err = c.Cast(y, dt); err != nil {
		return nil, err
	}
	if err := c.Room(dt, shape); err != nil {
		return nil, err
	}
	out := New(dt, shape...)
	if dt.K == Object {
		return out, whereObjects(out, cond, x, y)
	}
	var p plan
	p.init(shape, out.target(), cond.operand(), x.operand(), y.operand())
	switch dt.Size() {
	case 8:
		p.run(whereLoop[uint64])
	case 4:
		p.run(whereLoop[uint32])
	case 1:
		p.run(whereLoop[uint8])
	default:
		size := dt.Size()
		p.run(func(a *args) {
			for i := range a.n {
				src := unsafe.Add(a.p[3], i*a.s[3])
				if *(*bool)(unsafe.Add(a.p[1], i*a.s[1])) {
					src = unsafe.Add(a.p[2], i*a.s[2])
				}
				copy(unsafe.Slice((*byte)(unsafe.Add(a.p[0], i*a.s[0])), size), unsafe.Slice((*byte)(src), size))
			}
		})
	}
	return out, nil
}

func whereLoop[T any](a *args) {
	if whereRow[T](a) {
		return
	}
	o, k, x, y := a.p[0], a.p[1], a.p[2], a.p[3]
	for i := range a.n {
		src := unsafe.Add(y, i*a.s[3])
		if *(*bool)(unsafe.Add(k, i*a.s[1])) {
			src = unsafe.Add(x, i*a.s[2])
		}
		*(*T)(unsafe.Add(o, i*a.s[0])) = *(*T)(src)
	}
}

func whereObjects(out, cond, x, y *Array) error {
	cond, x, y = broadcastView(cond, out.dims).Copy(), broadcastView(x, out.dims).Copy(), broadcastView(y, out.dims).Copy()
	for i, b := range slice[bool](cond) {
		out.objs.vals[i] = y.objs.vals[i]
		if b {
			out.objs.vals[i] = x.objs.vals[i]
		}
	}
	return nil
}

// At is f.at(a, idx, x): a[idx] = f(a[idx], x), once for each index value.
func (c *Ctx) At(f *UFunc, a *Array, idx []Index, x *Array) error {
	v, fa, err := a.apply(idx)
	if err != nil {
		return err
	}
	if fa == nil {
		_, err := c.Call(f, Strongly(v, x), Options{Out: v})
		return err
	}
	dims, _, _ := fa.outDims()
	if x, err = c.valueFor(a, x, dims); err != nil {
		return err
	}
	fa.walk(x, func(part, o *Array) {
		if err == nil {
			_, err = c.Call(f, Strongly(part, o), Options{Out: part})
		}
	})
	return err
}
