package format

import (
	"math"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// TensorStr is str of an eager tensor: tf.Tensor([1 2], shape=(2,), dtype=int32).
func TensorStr(t *tensor.Tensor, o *Options) string {
	s := Str(FromTensor(t), o)
	if strings.Contains(s, "\n") {
		s = "\n" + s
	}
	return "tf.Tensor(" + s + ", shape=" + Shape(t.Dims()) + ", dtype=" + t.DType().Name() + ")"
}

// NumpyField is the text after "numpy=" in the repr of tensors and variables: a
// Python number for a scalar; an array of several lines begins on a new one.
func NumpyField(t *tensor.Tensor, o *Options) string {
	if t.Rank() == 0 {
		return ItemRepr(FromTensor(t))
	}
	s := Repr(FromTensor(t), o)
	if strings.Contains(s, "\n") {
		s = "\n" + s
	}
	return s
}

// TensorRepr is repr of an eager tensor: <tf.Tensor: shape=(), dtype=int32, numpy=1>.
func TensorRepr(t *tensor.Tensor, o *Options) string {
	return "<tf.Tensor: shape=" + Shape(t.Dims()) + ", dtype=" + t.DType().Name() + ", numpy=" + NumpyField(t, o) + ">"
}

// TFPrint is the text of a tensor in tf.print: the first and last summarize
// elements of each dimension, all of them when it is negative.
func TFPrint(t *tensor.Tensor, summarize int) string {
	a := FromTensor(t)
	if summarize < 0 {
		summarize = math.MaxInt32
	}
	// TensorFlow shows no end of a tensor without elements: [[],[]] is "[\n ...]".
	summarize = min(summarize, t.Len())
	switch {
	case a.DType.IsComplex() && len(a.Dims) > 0:
		return tfComplex(t.Len(), summarize)
	case a.DType == tensor.Bool && t.Len() == 0:
		return ""
	}
	p := tfPrinter{a: &a, t: t, ends: summarize}
	p.dim(0, 0)
	return p.b.String()
}

// tfComplex: the runtime has no text for complex numbers and lists them flat.
func tfComplex(n, show int) string {
	t := "[" + strings.TrimSuffix(strings.Repeat("? ", min(n, show)), " ")
	if n > show {
		t += "..."
	}
	return t + "]"
}

type tfPrinter struct {
	a    *Array
	t    *tensor.Tensor
	ends int
	b    strings.Builder
}

func (p *tfPrinter) dim(axis, pos int) {
	if axis == len(p.a.Dims) {
		p.b.WriteString(tfElement(p.a, p.t, pos))
		return
	}
	p.b.WriteByte('[')
	n := p.a.Dims[axis]
	show := func(i int) { p.dim(axis+1, pos+i*p.a.Strides[axis]) }
	for i := 0; i < min(n, p.ends); i++ {
		if i > 0 {
			p.space(axis)
		}
		show(i)
	}
	if n > 2*p.ends {
		p.space(axis)
		p.b.WriteString("...")
	}
	for i := max(p.ends, n-p.ends); i < n; i++ {
		p.space(axis)
		show(i)
	}
	p.b.WriteByte(']')
}

// space separates elements by a blank, rows by lines.
func (p *tfPrinter) space(axis int) {
	rest := len(p.a.Dims) - axis - 1
	if rest == 0 {
		p.b.WriteByte(' ')
		return
	}
	p.b.WriteString(strings.Repeat("\n", rest))
	p.b.WriteString(strings.Repeat(" ", axis+1))
}

func tfElement(a *Array, t *tensor.Tensor, pos int) string {
	switch {
	case a.DType == tensor.String:
		return `"` + CEscape(t.Str(pos)) + `"`
	case a.DType.IsComplex():
		return "?"
	case a.DType == tensor.Bool:
		return strconv.Itoa(int(a.Data[pos]))
	case a.DType.IsInteger():
		return intText(a.DType, a.int(pos))
	}
	return TFFloat(a.DType, a.float(pos))
}

// TFFloat is how TensorFlow's runtime writes floats: the few digits of %g if they read
// back as the same number, else enough digits that they do.
func TFFloat(dt tensor.DType, x float64) string {
	few, many, bits := 6, 9, 32
	if dt == tensor.Float64 {
		few, many, bits = 15, 17, 64
	}
	t := gFormat(x, few, 64)
	if y, err := strconv.ParseFloat(t, bits); err == nil && y == x || x != x {
		return t
	}
	return gFormat(x, many, 64)
}

// CEscape writes bytes as C string literals do, octal for
// control characters; bytes above 127 stay, so UTF-8 stays readable.
func CEscape(s []byte) string {
	var b strings.Builder
	for _, c := range s {
		switch c {
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '"', '\'', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			if c < 32 || c == 127 {
				b.WriteByte('\\')
				b.WriteByte('0' + c>>6)
				b.WriteByte('0' + c>>3&7)
				b.WriteByte('0' + c&7)
				continue
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}

// FlatText is the first n elements of t in row-major order, separated by blanks,
// as assertions show them.
func FlatText(t *tensor.Tensor, n int) string {
	a := FromTensor(t)
	size := t.DType().Size()
	if n < 0 {
		n = t.Len()
	}
	var parts []string
	for i := range min(n, t.Len()) {
		parts = append(parts, tfElement(&a, t, i*size))
	}
	return strings.Join(parts, " ")
}
