package tensor

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Shape is a shape that may be partly known: unknown rank, or dimensions of -1.
// Shapes are interned, so == compares them. The zero Shape has unknown rank.
type Shape struct{ p *shapeInfo }

// UnknownShape has unknown rank; Scalar has rank 0.
var (
	UnknownShape Shape
	Scalar       = ShapeOf()
)

// ShapeOf returns the shape with these dimensions; -1 is unknown. dims is only read.
func ShapeOf(dims ...int) Shape { return Shape{intern(dims)} }

// RankKnown reports that at least the number of dimensions is known.
func (s Shape) RankKnown() bool { return s.p != nil }

// Rank is the number of dimensions, -1 if unknown.
func (s Shape) Rank() int {
	if s.p == nil {
		return -1
	}
	return len(s.p.dims)
}

// Dims are the dimensions, shared by all who hold the shape: read only. It is
// nil for unknown rank and empty for a scalar.
func (s Shape) Dims() []int {
	if s.p == nil {
		return nil
	}
	return s.p.dims
}

// Dim is dimension i, counted from the end when negative; -1 if unknown or not there.
func (s Shape) Dim(i int) int {
	d := s.Dims()
	if i < 0 {
		i += len(d)
	}
	if i < 0 || i >= len(d) {
		return -1
	}
	return d[i]
}

// Known reports that every dimension is known.
func (s Shape) Known() bool { return s.p != nil && s.p.n >= 0 }

// NumElements is the product of the dimensions, -1 if one is unknown. It
// saturates at math.MaxInt.
func (s Shape) NumElements() int {
	if s.p == nil {
		return -1
	}
	return s.p.n
}

// product multiplies dims: -1 if one is unknown, saturating.
func product(dims []int) int {
	n, over := 1, false
	for _, d := range dims {
		if d < 0 {
			return -1
		}
		hi, lo := bits.Mul64(uint64(n), uint64(d))
		if d == 0 {
			return zeroUnlessUnknown(dims)
		}
		if hi != 0 || lo > math.MaxInt {
			over = true
			lo = 1
		}
		n = int(lo)
	}
	if over {
		return math.MaxInt
	}
	return n
}

func zeroUnlessUnknown(dims []int) int {
	for _, d := range dims {
		if d < 0 {
			return -1
		}
	}
	return 0
}

// String is TensorShape's str: (2, 3), (2,), (), (None, 3), <unknown>.
func (s Shape) String() string {
	if s.p == nil {
		return "<unknown>"
	}
	d := s.p.dims
	if len(d) == 1 {
		return "(" + dimText(d[0], "None") + ",)"
	}
	return "(" + join(d, ", ", "None") + ")"
}

// Repr is TensorShape's repr: TensorShape([2, None]), TensorShape(None).
func (s Shape) Repr() string {
	if s.p == nil {
		return "TensorShape(None)"
	}
	return "TensorShape([" + join(s.p.dims, ", ", "None") + "])"
}

// Brackets is the form in runtime errors: [2,3], [?,3], <unknown>.
func (s Shape) Brackets() string {
	if s.p == nil {
		return "<unknown>"
	}
	return "[" + join(s.p.dims, ",", "?") + "]"
}

func join(dims []int, sep, unknown string) string {
	var b strings.Builder
	for i, d := range dims {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(dimText(d, unknown))
	}
	return b.String()
}

func dimText(d int, unknown string) string {
	if d < 0 {
		return unknown
	}
	return strconv.Itoa(d)
}

// Broadcast is the shape of an element-wise result. ok is false when the two
// can't fit; an unknown dimension beside one above 1 takes that one's value.
func Broadcast(x, y Shape) (s Shape, ok bool) {
	switch {
	case x == y:
		return x, true
	case x.p == nil || y.p == nil:
		return UnknownShape, true
	case len(x.p.dims) == 0:
		return y, true
	case len(y.p.dims) == 0:
		return x, true
	}
	return broadcastDims(x.p.dims, y.p.dims)
}

func broadcastDims(x, y []int) (Shape, bool) {
	if len(x) < len(y) {
		x, y = y, x
	}
	var buf [12]int
	out := append(buf[:0], x...)
	for i := 1; i <= len(y); i++ {
		d, ok := broadcastDim(x[len(x)-i], y[len(y)-i])
		if !ok {
			return UnknownShape, false
		}
		out[len(out)-i] = d
	}
	return Shape{intern(out)}, true
}

func broadcastDim(a, b int) (int, bool) {
	switch {
	case a == b, b == 1:
		return a, true
	case a == 1:
		return b, true
	case a == -1 && b >= 0:
		return b, true
	case b == -1 && a >= 0:
		return a, true
	}
	return 0, false
}

// Merge combines what two descriptions of one shape know; ok is false when they conflict.
func Merge(x, y Shape) (s Shape, ok bool) {
	switch {
	case x == y, y.p == nil:
		return x, true
	case x.p == nil:
		return y, true
	case len(x.p.dims) != len(y.p.dims):
		return UnknownShape, false
	}
	var buf [12]int
	out := append(buf[:0], x.p.dims...)
	for i, d := range y.p.dims {
		switch {
		case out[i] == -1:
			out[i] = d
		case d != -1 && d != out[i]:
			return UnknownShape, false
		}
	}
	return Shape{intern(out)}, true
}

// Compatible reports that x and y may describe the same full shape.
func Compatible(x, y Shape) bool {
	if x == y || x.p == nil || y.p == nil {
		return true
	}
	if len(x.p.dims) != len(y.p.dims) {
		return false
	}
	for i, d := range x.p.dims {
		if e := y.p.dims[i]; d != e && d != -1 && e != -1 {
			return false
		}
	}
	return true
}

// SubtypeOf reports that every full shape that s allows is allowed by t.
func (s Shape) SubtypeOf(t Shape) bool {
	if s == t || t.p == nil {
		return true
	}
	if s.p == nil || len(s.p.dims) != len(t.p.dims) {
		return false
	}
	for i, d := range t.p.dims {
		if d != -1 && d != s.p.dims[i] {
			return false
		}
	}
	return true
}

// Relax is the most specific shape that allows both x and y: a dimension that
// differs is unknown, and so is a rank that differs.
func Relax(x, y Shape) Shape {
	if x == y {
		return x
	}
	if x.p == nil || y.p == nil || len(x.p.dims) != len(y.p.dims) {
		return UnknownShape
	}
	var buf [12]int
	out := append(buf[:0], x.p.dims...)
	for i, d := range y.p.dims {
		if out[i] != d {
			out[i] = -1
		}
	}
	return Shape{intern(out)}
}

// Concat appends t's dimensions to s's; unknown rank is catching.
func (s Shape) Concat(t Shape) Shape {
	if s.p == nil || t.p == nil {
		return UnknownShape
	}
	var buf [12]int
	return Shape{intern(append(append(buf[:0], s.p.dims...), t.p.dims...))}
}

// Slice is the shape of dimensions from to to-1, which must lie within the rank.
func (s Shape) Slice(from, to int) Shape {
	if s.p == nil {
		return UnknownShape
	}
	return Shape{intern(s.p.dims[from:to])}
}

// With is s with dimension i set to d.
func (s Shape) With(i, d int) Shape {
	var buf [12]int
	out := append(buf[:0], s.p.dims...)
	out[i] = d
	return Shape{intern(out)}
}

// UnknownDims is the shape of that rank with nothing else known.
func UnknownDims(rank int) Shape {
	var buf [12]int
	out := buf[:0]
	for range rank {
		out = append(out, -1)
	}
	return Shape{intern(out)}
}
