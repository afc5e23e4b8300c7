package format

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/tensor"
)

// Str is str(array): one line for a scalar, rows in brackets otherwise.
func Str(a Array, o *Options) string {
	if o == nil {
		o = &defaults
	}
	if len(a.Dims) == 0 {
		return ScalarStr(a, o)
	}
	return Text(a, o, " ", "", "")
}

// Text is np.array2string: sep stands between elements, the text is to follow
// prefix and to be followed by suffix.
func Text(a Array, o *Options, sep, prefix, suffix string) string {
	if o == nil {
		o = &defaults
	}
	if a.size() == 0 {
		return "[]"
	}
	l := layout{a: &a, sep: sep, edge: -1}
	if a.size() > o.Threshold {
		l.edge = o.EdgeItems
	}
	l.format = chooseFormat(&a, o, l.edge)
	indent := strings.Repeat(" ", 1+utf8.RuneCountInString(prefix))
	return l.block(0, a.Offset, indent, o.LineWidth-len(suffix))
}

// Repr is repr(array), also of rank 0: array(1.).
func Repr(a Array, o *Options) string {
	if o == nil {
		o = &defaults
	}
	class := a.Class
	if class == "" {
		class = "array"
	}
	prefix := class + "("
	t := prefix + Text(a, o, ", ", prefix, ")")
	extra := extras(&a, o)
	if extra == "" {
		return t + ")"
	}
	t += ","
	last := utf8.RuneCountInString(t[strings.LastIndexByte(t, '\n')+1:])
	if last+len(extra)+1 > o.LineWidth {
		return t + "\n" + strings.Repeat(" ", len(prefix)) + extra
	}
	return t + " " + extra
}

// extras is what can't be read from the elements, with the closing bracket.
func extras(a *Array, o *Options) string {
	var parts []string
	size := a.size()
	if size == 0 && !(len(a.Dims) == 1) || size > o.Threshold {
		parts = append(parts, "shape="+tensor.ShapeOf(a.Dims...).String())
	}
	if size == 0 || !a.typeImplied() {
		parts = append(parts, "dtype="+a.typeName())
	}
	if parts == nil {
		return ""
	}
	return strings.Join(parts, ", ") + ")"
}

func (a *Array) typeName() string {
	if a.TypeText != "" {
		return a.TypeText
	}
	return a.DType.Name()
}

func (a *Array) typeImplied() bool {
	switch a.DType {
	case tensor.Float64, tensor.Int64, tensor.Complex128, tensor.Bool:
		return a.TypeText == ""
	}
	return a.Implied
}

// layout places the elements in rows and brackets.
type layout struct {
	a      *Array
	sep    string
	edge   int // -1: show all
	format elementFormat
}

// block is the text of the part of the array at pos from axis on. Its first
// line is meant to begin behind indent.
func (l *layout) block(axis, pos int, indent string, width int) string {
	left := len(l.a.Dims) - axis
	if left == 0 {
		return l.format(pos)
	}
	if left == 1 {
		return l.row(axis, pos, indent, width)
	}
	lineSep := strings.TrimRight(l.sep, " ") + strings.Repeat("\n", left-1)
	var b strings.Builder
	b.WriteByte('[')
	l.each(axis, func(i int, first bool) {
		if !first {
			b.WriteString(lineSep)
			b.WriteString(indent)
		}
		if i < 0 {
			b.WriteString("...")
			return
		}
		b.WriteString(l.block(axis+1, pos+i*l.a.Strides[axis], indent+" ", width-1))
	})
	b.WriteByte(']')
	return b.String()
}

// each calls f for the indices shown along axis, and with -1 where some are left out.
func (l *layout) each(axis int, f func(i int, first bool)) {
	n := l.a.Dims[axis]
	cut := l.edge >= 0 && n > 2*l.edge
	for i := 0; i < n; i++ {
		if cut && i == l.edge {
			f(-1, i == 0)
			i = n - l.edge
			// NumPy shows the last item even with no edge items.
			i = min(i, n-1)
			f(i, false)
			continue
		}
		f(i, i == 0)
	}
}

// row breaks the elements of the last axis into lines.
func (l *layout) row(axis, pos int, indent string, width int) string {
	r := rowText{indent: indent, line: indent, n: len(indent)}
	r.width = width - max(len(strings.TrimRight(l.sep, " ")), 1)
	l.each(axis, func(i int, first bool) {
		if !first {
			r.line += l.sep
			r.n += len(l.sep)
		}
		if i < 0 {
			r.word("...")
			return
		}
		w := l.format(pos + i*l.a.Strides[axis])
		if strings.Contains(w, "\n") {
			r.block(strings.Split(w, "\n"))
		} else {
			r.word(w)
		}
	})
	return "[" + (r.done.String() + r.line)[len(indent):] + "]"
}

// rowText is a row in the making: finished lines and the current one.
type rowText struct {
	done   strings.Builder
	line   string
	n      int // columns of line
	indent string
	width  int
}

func (r *rowText) word(w string) {
	n := utf8.RuneCountInString(w)
	if r.n+n > r.width && r.n > len(r.indent) {
		r.wrap(r.indent)
	}
	r.line += w
	r.n += n
}

func (r *rowText) wrap(indent string) {
	r.done.WriteString(strings.TrimRight(r.line, " "))
	r.done.WriteByte('\n')
	r.line, r.n = indent, len(indent)
}

// block places an element of several lines.
func (r *rowText) block(words []string) {
	widest := 0
	for _, w := range words {
		widest = max(widest, utf8.RuneCountInString(w))
	}
	indent := strings.Repeat(" ", r.n)
	if r.n+widest > r.width && r.n > len(r.indent) {
		r.wrap(r.indent)
		indent = r.indent
	}
	r.line += words[0]
	last := 0
	for _, w := range words[1:] {
		r.wrap(indent)
		r.line += w
		last = utf8.RuneCountInString(w)
	}
	r.line += strings.Repeat(" ", widest-last)
	r.n = utf8.RuneCountInString(r.line)
}

// Shape is the text of a tuple of dimensions: (2,), (2, 3), ().
func Shape(dims []int) string {
	switch len(dims) {
	case 0:
		return "()"
	case 1:
		return "(" + strconv.Itoa(dims[0]) + ",)"
	}
	return tensor.ShapeOf(dims...).String()
}
