package ndarray

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

type ordered interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// castLoop is the loop from one number type to another.
func castLoop(from, to tensor.DType) loop {
	if from == to {
		return copyLoop(from.Size())
	}
	if l := castRealLoop(from, to); l != nil {
		return l
	}
	if from.IsComplex() && to.IsComplex() {
		if to == tensor.Complex64 {
			return castPair[float64, float32]
		}
		return castPair[float32, float64]
	}
	get, put := getter(from), putter(to)
	if from.IsComplex() && to == tensor.Bool {
		im := getter(from.Real())
		off := from.Size() / 2
		return func(a *args) {
			for i := range a.n {
				p := unsafe.Add(a.p[1], i*a.s[1])
				*(*bool)(unsafe.Add(a.p[0], i*a.s[0])) = get(p) != 0 || im(unsafe.Add(p, off)) != 0
			}
		}
	}
	return func(a *args) {
		for i := range a.n {
			put(unsafe.Add(a.p[0], i*a.s[0]), get(unsafe.Add(a.p[1], i*a.s[1])))
		}
	}
}

func castRealLoop(from, to tensor.DType) loop {
	switch from {
	case tensor.Int8:
		return castFrom[int8](to)
	case tensor.Int16:
		return castFrom[int16](to)
	case tensor.Int32:
		return castFrom[int32](to)
	case tensor.Int64:
		return castFrom[int64](to)
	case tensor.Uint8, tensor.Bool:
		return castFrom[uint8](to)
	case tensor.Uint16:
		return castFrom[uint16](to)
	case tensor.Uint32:
		return castFrom[uint32](to)
	case tensor.Uint64:
		return castFrom[uint64](to)
	case tensor.Float32:
		return castFrom[float32](to)
	case tensor.Float64:
		return castFrom[float64](to)
	}
	return nil
}

func castFrom[S ordered](to tensor.DType) loop {
	switch to {
	case tensor.Int8:
		return castReal[S, int8]
	case tensor.Int16:
		return castReal[S, int16]
	case tensor.Int32:
		return castReal[S, int32]
	case tensor.Int64:
		return castReal[S, int64]
	case tensor.Uint8:
		return castReal[S, uint8]
	case tensor.Uint16:
		return castReal[S, uint16]
	case tensor.Uint32:
		return castReal[S, uint32]
	case tensor.Uint64:
		return castReal[S, uint64]
	case tensor.Float32:
		return castReal[S, float32]
	case tensor.Float64:
		return castReal[S, float64]
	case tensor.Bool:
		return castBool[S]
	}
	return nil
}

func castReal[S, D ordered](a *args) {
	p, q := a.p[0], a.p[1]
	for i := range a.n {
		*(*D)(unsafe.Add(p, i*a.s[0])) = D(*(*S)(unsafe.Add(q, i*a.s[1])))
	}
}

func castBool[S ordered](a *args) {
	for i := range a.n {
		*(*bool)(unsafe.Add(a.p[0], i*a.s[0])) = *(*S)(unsafe.Add(a.p[1], i*a.s[1])) != 0
	}
}

func castPair[S, D float32 | float64](a *args) {
	for i := range a.n {
		q := (*[2]S)(unsafe.Add(a.p[1], i*a.s[1]))
		*(*[2]D)(unsafe.Add(a.p[0], i*a.s[0])) = [2]D{D(q[0]), D(q[1])}
	}
}

// copyLoop moves elements of that size.
func copyLoop(size int) loop {
	switch size {
	case 1:
		return copyAs[uint8]
	case 2:
		return copyAs[uint16]
	case 4:
		return copyAs[uint32]
	case 8:
		return copyAs[uint64]
	case 16:
		return copyAs[[2]uint64]
	}
	return func(a *args) {
		for i := range a.n {
			copy(unsafe.Slice((*byte)(unsafe.Add(a.p[0], i*a.s[0])), size), unsafe.Slice((*byte)(unsafe.Add(a.p[1], i*a.s[1])), size))
		}
	}
}

func copyAs[T any](a *args) {
	var z T
	size := int(unsafe.Sizeof(z))
	if a.s[0] == size && a.s[1] == size {
		copy(unsafe.Slice((*T)(a.p[0]), a.n), unsafe.Slice((*T)(a.p[1]), a.n))
		return
	}
	p, q := a.p[0], a.p[1]
	for i := range a.n {
		*(*T)(unsafe.Add(p, i*a.s[0])) = *(*T)(unsafe.Add(q, i*a.s[1]))
	}
}

// getter reads an element as float64; of a complex number the real part.
func getter(k tensor.DType) func(unsafe.Pointer) float64 {
	switch k {
	case tensor.Float64, tensor.Complex128:
		return func(p unsafe.Pointer) float64 { return *(*float64)(p) }
	case tensor.Float32, tensor.Complex64:
		return func(p unsafe.Pointer) float64 { return float64(*(*float32)(p)) }
	case tensor.Float16:
		return func(p unsafe.Pointer) float64 { return float64((*(*tensor.Half)(p)).Float32()) }
	case tensor.BFloat16:
		return func(p unsafe.Pointer) float64 { return float64((*(*tensor.BF16)(p)).Float32()) }
	case tensor.Uint64:
		return func(p unsafe.Pointer) float64 { return float64(*(*uint64)(p)) }
	}
	get := intGetter(k)
	return func(p unsafe.Pointer) float64 { return float64(get(p)) }
}

// intGetter reads an integer or bool.
func intGetter(k tensor.DType) func(unsafe.Pointer) int64 {
	switch k {
	case tensor.Int8:
		return func(p unsafe.Pointer) int64 { return int64(*(*int8)(p)) }
	case tensor.Int16:
		return func(p unsafe.Pointer) int64 { return int64(*(*int16)(p)) }
	case tensor.Int32:
		return func(p unsafe.Pointer) int64 { return int64(*(*int32)(p)) }
	case tensor.Uint8, tensor.Bool:
		return func(p unsafe.Pointer) int64 { return int64(*(*uint8)(p)) }
	case tensor.Uint16:
		return func(p unsafe.Pointer) int64 { return int64(*(*uint16)(p)) }
	case tensor.Uint32:
		return func(p unsafe.Pointer) int64 { return int64(*(*uint32)(p)) }
	}
	return func(p unsafe.Pointer) int64 { return *(*int64)(p) }
}

// putter writes a float64; into a complex number as the real part.
func putter(k tensor.DType) func(unsafe.Pointer, float64) {
	switch k {
	case tensor.Float64:
		return func(p unsafe.Pointer, x float64) { *(*float64)(p) = x }
	case tensor.Float32:
		return func(p unsafe.Pointer, x float64) { *(*float32)(p) = float32(x) }
	case tensor.Float16:
		return func(p unsafe.Pointer, x float64) { *(*tensor.Half)(p) = tensor.HalfOf(x) }
	case tensor.BFloat16:
		return func(p unsafe.Pointer, x float64) { *(*tensor.BF16)(p) = tensor.BF16Of(x) }
	case tensor.Complex64:
		return func(p unsafe.Pointer, x float64) { *(*[2]float32)(p) = [2]float32{float32(x), 0} }
	case tensor.Complex128:
		return func(p unsafe.Pointer, x float64) { *(*[2]float64)(p) = [2]float64{x, 0} }
	case tensor.Bool:
		return func(p unsafe.Pointer, x float64) { *(*bool)(p) = x != 0 }
	case tensor.Uint64:
		return func(p unsafe.Pointer, x float64) { *(*uint64)(p) = uint64(x) }
	}
	put := intPutter(k)
	if k.Size() < 4 || k == tensor.Int32 { // what doesn't fit becomes the least int32, then is cut
		return func(p unsafe.Pointer, x float64) { put(p, int64(int32(x))) }
	}
	return func(p unsafe.Pointer, x float64) { put(p, int64(x)) }
}

func intPutter(k tensor.DType) func(unsafe.Pointer, int64) {
	switch k.Size() {
	case 1:
		return func(p unsafe.Pointer, x int64) { *(*int8)(p) = int8(x) }
	case 2:
		return func(p unsafe.Pointer, x int64) { *(*int16)(p) = int16(x) }
	case 4:
		return func(p unsafe.Pointer, x int64) { *(*int32)(p) = int32(x) }
	}
	return func(p unsafe.Pointer, x int64) { *(*int64)(p) = x }
}

// Copy returns a's elements in a new array in C order.
func (a *Array) Copy() *Array {
	b := New(a.DT, a.dims...)
	copySame(b, a)
	return b
}

// copySame copies between arrays of one type and compatible shapes.
func copySame(dst, src *Array) {
	if dst.DT.K == Object {
		copyObjects(dst, src)
		return
	}
	if dst.n == 0 || dst.DT.Size() == 0 || transposeCopy(dst, src) {
		return
	}
	var p plan
	p.init(dst.dims, dst.target(), src.operand())
	p.run(copyLoop(dst.DT.Size()))
}

// transposeCopy copies a large transposed matrix block by block.
func transposeCopy(dst, src *Array) bool {
	size := src.DT.Size()
	if len(src.dims) != 2 || src.n < 1024 || !slices.Equal(dst.dims, src.dims) || !dst.dense() ||
		src.strides[0] != size || src.strides[1] != size*src.dims[0] {
		return false
	}
	shape := []int{src.dims[1], src.dims[0]}
	switch size {
	case 4:
		transposeAs[uint32](dst, src, shape)
	case 8:
		transposeAs[uint64](dst, src, shape)
	default:
		return false
	}
	return true
}

func transposeAs[T any](dst, src *Array, shape []int) {
	d := unsafe.Slice((*T)(unsafe.Add(dst.wmem(), dst.off)), dst.n)
	kernel.Transpose(d, unsafe.Slice((*T)(src.at(src.off)), src.n), shape, []int{1, 0})
}

func copyObjects(dst, src *Array) {
	s := broadcastView(src, dst.dims)
	vals := make([]value.Held, 0, dst.n)
	s.each(func(pos int) { vals = append(vals, src.objs.vals[pos/8]) })
	i := 0
	dst.each(func(pos int) { dst.objs.vals[pos/8] = vals[i]; i++ })
}

// broadcastView repeats a over dims, which it fits.
func broadcastView(a *Array, dims []int) *Array {
	st := make([]int, len(dims))
	for i := range a.dims {
		if j := i + len(dims) - len(a.dims); j >= 0 && a.dims[i] != 1 {
			st[j] = a.strides[i]
		}
	}
	return a.view(a.off, dims, st)
}

// Cast returns a's elements as dt in a new array; a itself when it has the type
// and copyAlways is not wanted.
func (c *Ctx) Cast(a *Array, dt DType) (*Array, error) {
	if a.DT == dt || dt.IsText() && dt.W == 0 && a.DT.K == dt.K {
		return a, nil
	}
	if dt.IsText() && dt.W == 0 {
		dt.W = c.widthFor(a, dt)
	}
	if err := c.Room(dt, a.dims); err != nil {
		return nil, err
	}
	b := New(dt, a.dims...)
	return b, c.CopyTo(b, a)
}

// widthFor is the width that the elements of a need as text.
func (c *Ctx) widthFor(a *Array, dt DType) int {
	if a.DT.K != Object {
		return a.DT.textWidth()
	}
	w := 1
	a.each(func(pos int) { w = max(w, len([]rune(c.Text(a.objs.vals[pos/8].Value())))) })
	return w
}

// CopyTo stores src, repeated to dst's shape, into dst with an unsafe cast.
func (c *Ctx) CopyTo(dst, src *Array) error {
	if dst.n == 0 {
		return nil
	}
	if dst.ReadOnly {
		return valueError("assignment destination is read-only")
	}
	if !slices.Equal(dst.dims, src.dims) {
		if s, err := BroadcastShapes(src.dims, dst.dims); err != nil || !slices.Equal(s, dst.dims) {
			return fitError(src.dims, dst.dims)
		}
	}
	if dst.SharesMemory(src) && dst != src {
		src = src.Copy()
	}
	switch {
	case dst.DT == src.DT:
		copySame(dst, src)
		return nil
	case dst.DT.IsNumber() && src.DT.IsNumber():
		return c.castNumbers(dst, src)
	}
	return c.castOther(dst, src)
}

func (c *Ctx) castNumbers(dst, src *Array) error {
	if src.DT.IsComplex() && !dst.DT.IsComplex() && dst.DT != Bool {
		if err := c.Host.Warn("ComplexWarning", "Casting complex values to real discards the imaginary part"); err != nil {
			return err
		}
	}
	var p plan
	p.init(dst.dims, dst.target(), src.operand())
	p.run(castLoop(src.DT.K, dst.DT.K))
	return c.report(castFlags(dst, src), "cast")
}

// castFlags looks for values that the new type can't hold.
func castFlags(dst, src *Array) (f Flags) {
	if !src.DT.IsFloat() || dst.DT.IsComplex() || dst.DT == Bool || dst.DT.IsFloat() && dst.DT.Size() >= src.DT.Size() {
		return 0
	}
	get := getter(src.DT.K)
	toInt := dst.DT.IsInt()
	top := dst.DT.K.FloatMax()
	src.each(func(pos int) {
		x := get(src.at(pos))
		switch {
		case toInt && (x != x || math.Abs(x) >= 1<<63):
			f |= Invalid
		case !toInt && math.Abs(x) > top*(1+1e-3) && !math.IsInf(x, 0):
			f |= Overflow
		}
	})
	return f
}

// castOther handles text and objects, element by element.
func (c *Ctx) castOther(dst, src *Array) error {
	s := broadcastView(src, dst.dims)
	pos := make([]int, 0, dst.n)
	s.each(func(p int) { pos = append(pos, p) })
	i := 0
	var err error
	dst.each(func(p int) {
		if err == nil {
			err = c.castOne(dst, p, src, pos[i])
		}
		i++
	})
	return err
}

func (c *Ctx) castOne(dst *Array, p int, src *Array, q int) error {
	switch {
	case dst.DT.K == Object:
		dst.objs.vals[p/8] = c.Box(src, q).Held()
		return nil
	case src.DT.K == Object:
		return c.Store(dst, p, src.objs.vals[q/8].Value())
	case dst.DT.IsText():
		setText(dst.DT, unsafe.Add(dst.wmem(), p), src.elementText(q))
		return nil
	}
	return dst.parse(p, src.text(q))
}

// elementText is str of an element.
func (a *Array) elementText(pos int) string {
	if a.DT.IsText() {
		return a.text(pos)
	}
	f := a.Format(nil)
	f.Dims, f.Strides, f.Offset = nil, nil, pos
	return format.ScalarStr(f, nil)
}

// parse reads a number from text, as int() and float() do.
func (a *Array) parse(pos int, s string) error {
	p := unsafe.Add(a.wmem(), pos)
	t := strings.ReplaceAll(strings.TrimSpace(s), "_", "")
	if a.DT.IsInt() {
		n, ok := new(big.Int).SetString(t, 10)
		if !ok {
			return valueError("invalid literal for int() with base 10: %s", a.literal(s))
		}
		intPutter(a.DT.K)(p, n.Int64())
		return nil
	}
	if a.DT == Bool {
		*(*bool)(p) = s != ""
		return nil
	}
	x, err := strconv.ParseFloat(t, 64)
	if err != nil && !math.IsInf(x, 0) {
		return valueError("could not convert string to float: %s", a.literal(s))
	}
	putter(a.DT.K)(p, x)
	return nil
}

func (a *Array) literal(s string) string { return "np.str_(" + format.StrRepr(s) + ")" }
