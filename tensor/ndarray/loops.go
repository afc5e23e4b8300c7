package ndarray

import (
	"unsafe"

	"github.com/tfs-lang/tfs/tensor"
)

// bin makes the loop of a function of two elements.
func bin[T, R any](f func(x, y T) R) loop {
	return func(a *args) {
		// Offsets, not moving pointers: none may ever point behind a block.
		o, p, q := a.p[0], a.p[1], a.p[2]
		for i := range a.n {
			*(*R)(unsafe.Add(o, i*a.s[0])) = f(*(*T)(unsafe.Add(p, i*a.s[1])), *(*T)(unsafe.Add(q, i*a.s[2])))
		}
	}
}

// un makes the loop of a function of one element.
func un[T, R any](f func(x T) R) loop {
	return func(a *args) {
		o, p := a.p[0], a.p[1]
		for i := range a.n {
			*(*R)(unsafe.Add(o, i*a.s[0])) = f(*(*T)(unsafe.Add(p, i*a.s[1])))
		}
	}
}

type half interface {
	tensor.Half | tensor.BF16
	Float32() float32
}

func toHalf[H half](x float32) H {
	var h H
	if _, ok := any(h).(tensor.Half); ok {
		return H(tensor.ToHalf(x))
	}
	return H(tensor.ToBF16(x))
}

// bin16 computes halves in float32 and rounds once.
func bin16[H half](f func(x, y float32) float32) loop {
	return bin(func(x, y H) H { return toHalf[H](f(x.Float32(), y.Float32())) })
}

func un16[H half](f func(x float32) float32) loop {
	return un(func(x H) H { return toHalf[H](f(x.Float32())) })
}

// rows gives the row of a binary loop as slices when all are dense or an operand
// is one repeated element.
func rows[T any](a *args) (o, x, y []T, ok bool) {
	var z T
	w := int(unsafe.Sizeof(z))
	if a.s[0] != w || a.s[1] != w && a.s[1] != 0 || a.s[2] != w && a.s[2] != 0 {
		return nil, nil, nil, false
	}
	nx, ny := a.n, a.n
	if a.s[1] == 0 {
		nx = 1
	}
	if a.s[2] == 0 {
		ny = 1
	}
	return unsafe.Slice((*T)(a.p[0]), a.n), unsafe.Slice((*T)(a.p[1]), nx), unsafe.Slice((*T)(a.p[2]), ny), true
}

type number interface {
	ordered | complex64 | complex128
}

func addLoop[T number](a *args) {
	o, x, y, ok := rows[T](a)
	if !ok {
		bin(func(x, y T) T { return x + y })(a)
		return
	}
	switch {
	case len(x) == len(y) && len(x) == len(o):
		for i := range o {
			o[i] = x[i] + y[i]
		}
	case len(y) == 1:
		c := y[0]
		for i, v := range x {
			o[i] = v + c
		}
		fill1(o, x, func(v T) T { return v + c })
	default:
		c := x[0]
		for i, v := range y {
			o[i] = c + v
		}
	}
}

// fill1 repeats a result when both operands were one element.
func fill1[T any](o, x []T, f func(T) T) {
	if len(x) == 1 && len(o) > 1 {
		v := f(x[0])
		for i := range o {
			o[i] = v
		}
	}
}

func subLoop[T number](a *args) {
	o, x, y, ok := rows[T](a)
	if !ok {
		bin(func(x, y T) T { return x - y })(a)
		return
	}
	switch {
	case len(x) == len(y) && len(x) == len(o):
		for i := range o {
			o[i] = x[i] - y[i]
		}
	case len(y) == 1:
		c := y[0]
		for i, v := range x {
			o[i] = v - c
		}
		fill1(o, x, func(v T) T { return v - c })
	default:
		c := x[0]
		for i, v := range y {
			o[i] = c - v
		}
	}
}

func mulLoop[T number](a *args) {
	o, x, y, ok := rows[T](a)
	if !ok {
		bin(func(x, y T) T { return x * y })(a)
		return
	}
	switch {
	case len(x) == len(y) && len(x) == len(o):
		for i := range o {
			o[i] = x[i] * y[i]
		}
	case len(y) == 1:
		c := y[0]
		for i, v := range x {
			o[i] = v * c
		}
		fill1(o, x, func(v T) T { return v * c })
	default:
		c := x[0]
		for i, v := range y {
			o[i] = c * v
		}
	}
}

func divLoop[T float32 | float64](a *args) {
	o, x, y, ok := rows[T](a)
	if !ok {
		bin(func(x, y T) T { return x / y })(a)
		return
	}
	switch {
	case len(x) == len(y) && len(x) == len(o):
		for i := range o {
			o[i] = x[i] / y[i]
		}
	case len(y) == 1:
		c := y[0]
		for i, v := range x {
			o[i] = v / c
		}
		fill1(o, x, func(v T) T { return v / c })
	default:
		c := x[0]
		for i, v := range y {
			o[i] = c / v
		}
	}
}

// compareLoop makes the loops of the six comparisons.
func compareLoop[T ordered](op string) loop {
	if l := compareRows[T](op); l != nil {
		return denseCompare[T](op, l)
	}
	return nil
}

func compareRows[T ordered](op string) loop {
	switch op {
	case "equal":
		return bin(func(x, y T) bool { return x == y })
	case "not_equal":
		return bin(func(x, y T) bool { return x != y })
	case "less":
		return bin(func(x, y T) bool { return x < y })
	case "less_equal":
		return bin(func(x, y T) bool { return x <= y })
	case "greater":
		return bin(func(x, y T) bool { return x > y })
	case "greater_equal":
		return bin(func(x, y T) bool { return x >= y })
	}
	return nil
}
