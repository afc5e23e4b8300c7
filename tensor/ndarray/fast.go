package ndarray

import (
	"bytes"
	"math"
	"slices"
	"unsafe"

	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// Exact, if set, finds the correctly rounded form of a function of one float64,
// ExactPow is the power; NumPy's library comes close to them. They are slow, so
// only calls on few elements use them.
var (
	Exact    func(name string) func(float64) float64
	ExactPow func(x, y float64) float64
)

// exactElements is the most elements that a call computes correctly rounded.
const exactElements = 256

// exactLoop is the loop of the correctly rounded form, nil if there is none.
func (f *UFunc) exactLoop(k tensor.DType) loop {
	if k != tensor.Float64 || Exact == nil {
		return nil
	}
	if f.Name == "power" {
		return func(a *args) {
			if a.s[2] == 0 {
				switch *(*float64)(a.p[2]) {
				case 2, 1, 0.5, -1:
					powerLoop[float64](a)
					return
				}
			}
			bin(finite2(math.Pow, ExactPow))(a)
		}
	}
	if g := Exact(f.Name); g != nil && f.NIn == 1 {
		plain := mathUnary[f.Name]
		return un(func(x float64) float64 {
			if y := plain(x); !ordinary(y) || x-x != 0 {
				return y
			}
			return g(x)
		})
	}
	return nil
}

// ordinary reports a result far from zero and from infinity.
func ordinary(y float64) bool {
	y = math.Abs(y)
	return y > 1e-290 && y < 1e290
}

// finite2 uses exact for ordinary results; the edges are plain's.
func finite2(plain, exact func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		z := plain(x, y)
		if !ordinary(z) || x-x != 0 || y-y != 0 || x == 0 || y == 0 {
			return z
		}
		return math.Copysign(exact(math.Abs(x), y), z)
	}
}

// kernelUnary are the functions that the kernels have for dense rows.
var kernelUnary = map[string]kernel.UnaryOp{
	"exp": kernel.Exp, "log": kernel.Log, "tanh": kernel.Tanh, "expm1": kernel.Expm1, "log1p": kernel.Log1p, "sin": kernel.Sin, "cos": kernel.Cos,
	"sqrt": kernel.Sqrt, "square": kernel.Square, "absolute": kernel.Abs, "negative": kernel.Neg, "floor": kernel.Floor, "ceil": kernel.Ceil,
	"rint": kernel.Round, "trunc": kernel.Trunc, "reciprocal": kernel.Reciprocal, "exp2": kernel.Exp2, "sinh": kernel.Sinh, "cosh": kernel.Cosh, "arctan": kernel.Atan,
}

// denseUnary runs whole rows by a kernel, other rows by l.
func denseUnary[T float](name string, l loop) loop {
	op, ok := kernelUnary[name]
	if !ok {
		return l
	}
	var z T
	w := int(unsafe.Sizeof(z))
	return func(a *args) {
		if a.s[0] != w || a.s[1] != w || !kernel.Unary(op, unsafe.Slice((*T)(a.p[0]), a.n), unsafe.Slice((*T)(a.p[1]), a.n)) {
			l(a)
		}
	}
}

var kernelBinary = map[string]kernel.BinaryOp{"add": kernel.Add, "subtract": kernel.Sub, "multiply": kernel.Mul, "divide": kernel.Div}

// denseBinary runs long rows by a kernel; the arithmetic of floats has but one result.
func denseBinary[T float](name string, l loop) loop {
	op, ok := kernelBinary[name]
	if !ok {
		return l
	}
	return func(a *args) {
		if a.n >= 16 {
			if o, x, y, ok := rows[T](a); ok && len(x)+len(y) > 2 && kernel.Binary(op, o, x, y, nil) == nil {
				return
			}
		}
		l(a)
	}
}

var kernelCompare = map[string]kernel.CompareOp{"equal": kernel.Equal, "not_equal": kernel.NotEqual, "less": kernel.Less,
	"less_equal": kernel.LessEqual, "greater": kernel.Greater, "greater_equal": kernel.GreaterEqual}

// denseCompare runs rows of real numbers by a kernel.
func denseCompare[T ordered](name string, l loop) loop {
	op := kernelCompare[name]
	var z T
	w := int(unsafe.Sizeof(z))
	return func(a *args) {
		x, y := a.n, a.n
		if a.s[1] == 0 {
			x = 1
		}
		if a.s[2] == 0 {
			y = 1
		}
		if a.n < 8 || a.s[0] != 1 || a.s[1] != w && x != 1 || a.s[2] != w && y != 1 || x+y == 2 {
			l(a)
			return
		}
		kernel.Compare(op, unsafe.Slice((*bool)(a.p[0]), a.n), unsafe.Slice((*T)(a.p[1]), x), unsafe.Slice((*T)(a.p[2]), y), nil)
	}
}

// whereRow is a dense row of where by a kernel; false if it isn't one.
func whereRow[T any](a *args) bool {
	var z T
	w := int(unsafe.Sizeof(z))
	if a.n < 16 || a.s[0] != w || a.s[1] != 1 || a.s[2] != w || a.s[3] != w && a.s[3] != 0 {
		return false
	}
	o, c, x := unsafe.Slice((*T)(a.p[0]), a.n), unsafe.Slice((*bool)(a.p[1]), a.n), unsafe.Slice((*T)(a.p[2]), a.n)
	if a.s[3] == w {
		y := unsafe.Slice((*T)(a.p[3]), a.n)
		for i, b := range c {
			v := y[i]
			if b {
				v = x[i]
			}
			o[i] = v
		}
		return true
	}
	y := *(*T)(a.p[3])
	for i, b := range c {
		v := y
		if b {
			v = x[i]
		}
		o[i] = v
	}
	return true
}

// hasNaN32 reports a nan in a row.
func hasNaN32(x []float32, buf []bool) bool {
	kernel.Compare(kernel.NotEqual, buf[:len(x)], x, x, nil)
	return bytes.IndexByte(unsafe.Slice((*byte)(unsafe.Pointer(&buf[0])), len(x)), 1) >= 0
}

// argRows32 is argmax or argmin of the rows of float32 without nans by a kernel; a
// row with one goes to pick.
func argRows32(res []int64, x []float32, n int, largest bool, pick func(lo, n int) int) {
	op := kernel.Min
	if largest {
		op = kernel.Max
	}
	buf := make([]bool, n)
	for i := range res {
		row := x[i*n : (i+1)*n]
		if hasNaN32(row, buf) {
			res[i] = int64(pick(i*n, n))
			continue
		}
		kernel.ArgReduce(op, res[i:i+1], row, 1, n, 1)
	}
}

// Quick runs add, subtract, multiply or divide on two dense arrays of one shape
// and float type, which most operators in scripts are; nil when they are not that.
func (c *Ctx) Quick(f *UFunc, x, y *Array) (*Array, error) {
	if x.DT != y.DT || x.DT != Float64 && x.DT != Float32 || !slices.Equal(x.dims, y.dims) || !x.dense() || !y.dense() {
		return nil, nil
	}
	op, ok := kernelBinary[f.Name]
	if !ok {
		return nil, nil
	}
	out := New(x.DT, x.dims...)
	if x.DT == Float64 {
		if err := kernel.Binary(op, slice[float64](out), slice[float64](x), slice[float64](y), nil); err != nil {
			return nil, err
		}
	} else if err := kernel.Binary(op, slice[float32](out), slice[float32](x), slice[float32](y), nil); err != nil {
		return nil, err
	}
	if out.n == 0 || !oddRow(out.DT.K, out.at(out.off), out.n, out.DT.Size()) {
		return out, nil
	}
	size := x.DT.Size()
	a := args{n: out.n, p: [4]unsafe.Pointer{out.at(out.off), x.at(x.off), y.at(y.off)}, s: [4]int{size, size, size}}
	return out, c.report(mishaps(&a, x.DT.K, 2, f.pole), f.Name)
}

// Sliced is a[start:stop:step] along the first axis, resolved.
func (a *Array) Sliced(start, step, count int) *Array {
	v := a.view(a.off, a.dims, a.strides)
	if count > 0 {
		v.off += start * a.strides[0]
	}
	v.n = v.n / max(v.dims[0], 1) * count
	v.dims[0], v.strides[0] = count, step*a.strides[0]
	return v
}
