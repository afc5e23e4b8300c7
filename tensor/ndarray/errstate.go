package ndarray

import (
	"math"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// Flags are floating point mishaps.
type Flags uint8

// The mishaps, in the order of NumPy's error state.
const (
	DivideByZero Flags = 1 << iota
	Overflow
	Underflow
	Invalid
)

// Action says what a mishap does.
type Action uint8

// The actions of np.errstate.
const (
	Warn Action = iota
	Ignore
	Raise
)

// ErrState is what np.seterr sets: the actions for divide, over, under, invalid.
type ErrState [4]Action

// DefaultErrState is NumPy's at the start.
var DefaultErrState = ErrState{Warn, Warn, Ignore, Warn}

// Host does what only the script language can.
type Host interface {
	// Binary and Unary apply the function of a ufunc to objects.
	Binary(ufunc string, x, y value.Value) (value.Value, error)
	Unary(ufunc string, x value.Value) (value.Value, error)
	Truth(x value.Value) (bool, error)
	// Box makes the Python object of an element; Store puts one into an element.
	Box(a *Array, pos int) value.Value
	Store(a *Array, pos int, v value.Value) error
	// Text is str(x), Repr repr(x).
	Text(x value.Value) string
	// Reserve asks whether that many more bytes may be used. A refusal may say what
	// holds most of them.
	Reserve(bytes int) (ok bool, why string)
	// Warn issues a warning; with an error filter it fails.
	Warn(class, text string) error
}

// Ctx is what array functions need of their surroundings.
type Ctx struct {
	Host
	Err ErrState
}

var mishapTexts = [4]string{"divide by zero", "overflow", "underflow", "invalid value"}

// report warns of or raises what happened in a function.
func (c *Ctx) report(f Flags, in string) error {
	if f == 0 {
		return nil
	}
	for i, text := range mishapTexts {
		if f>>i&1 == 0 {
			continue
		}
		text += " encountered in " + in
		switch c.Err[i] {
		case Raise:
			return fail("FloatingPointError", "%s", text)
		case Warn:
			if err := c.Host.Warn("RuntimeWarning", text); err != nil {
				return err
			}
		}
	}
	return nil
}

// oddRow reports that a row of results holds a value that is not finite.
func oddRow(k tensor.DType, p unsafe.Pointer, n, step int) bool {
	switch k {
	case tensor.Float64:
		return oddBits[uint64](p, n, step, 0x7ff0<<48)
	case tensor.Float32:
		return oddBits[uint32](p, n, step, 0x7f80<<16)
	case tensor.Float16:
		return oddBits[uint16](p, n, step, 0x7c00)
	case tensor.BFloat16:
		return oddBits[uint16](p, n, step, 0x7f80)
	case tensor.Complex128:
		return oddBits[uint64](p, n, step, 0x7ff0<<48) || oddBits[uint64](unsafe.Add(p, 8), n, step, 0x7ff0<<48)
	case tensor.Complex64:
		return oddBits[uint32](p, n, step, 0x7f80<<16) || oddBits[uint32](unsafe.Add(p, 4), n, step, 0x7f80<<16)
	}
	return false
}

func oddBits[T uint16 | uint32 | uint64](p unsafe.Pointer, n, step int, mask T) bool {
	if step == int(unsafe.Sizeof(mask)) && n >= 16 {
		return oddWords(p, n, mask)
	}
	for i := range n {
		if *(*T)(unsafe.Add(p, i*step))&mask == mask {
			return true
		}
	}
	return false
}

// oddWords looks at eight bytes at a time. An exponent of all ones carries into
// the sign when its lowest bit is added.
func oddWords[T uint16 | uint32 | uint64](p unsafe.Pointer, n int, mask T) bool {
	size := int(unsafe.Sizeof(mask))
	m, one, top := uint64(mask), uint64(mask&-mask), uint64(1)<<(8*size-1)
	for w := 8 * size; w < 64; w *= 2 {
		m, one, top = m|m<<w, one|one<<w, top|top<<w
	}
	k := n * size / 8
	words := unsafe.Slice((*uint64)(p), k)
	var odd uint64
	for _, w := range words {
		odd |= w&m + one
	}
	if odd&top != 0 {
		return true
	}
	for i := k * 8 / size; i < n; i++ {
		if *(*T)(unsafe.Add(p, i*size))&mask == mask {
			return true
		}
	}
	return false
}

// mishaps finds out what went wrong in a row that has odd results: a nan from
// none is invalid, an infinity from finite operands an overflow or, for
// functions with poles, a division by zero.
func mishaps(a *args, k tensor.DType, nin int, pole func(x, y, r float64) bool) (f Flags) {
	get := getter(k)
	for i := range a.n {
		r := get(unsafe.Add(a.p[0], i*a.s[0]))
		if !math.IsNaN(r) && !math.IsInf(r, 0) {
			continue
		}
		x := get(unsafe.Add(a.p[1], i*a.s[1]))
		y := 1.0
		if nin > 1 {
			y = get(unsafe.Add(a.p[2], i*a.s[2]))
		}
		switch {
		case x != x || y != y:
		case r != r:
			f |= Invalid
		case math.IsInf(x, 0) || math.IsInf(y, 0):
		case pole != nil && pole(x, y, r):
			f |= DivideByZero
		default:
			f |= Overflow
		}
	}
	return f
}
