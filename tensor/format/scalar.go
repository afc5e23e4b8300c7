package format

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/tensor"
)

// ScalarStr is str of the one element of an array of rank 0.
func ScalarStr(a Array, o *Options) string {
	pos := a.Offset
	switch {
	case a.Text != nil:
		return a.Text(pos)
	case a.DType == tensor.Bool:
		if a.Data[pos] != 0 {
			return "True"
		}
		return "False"
	case a.DType.IsInteger():
		return intText(a.DType, a.int(pos))
	case a.DType.IsComplex():
		return Complex(a.DType, a.float(pos), a.imag(pos))
	}
	return Float(a.DType, a.float(pos))
}

// ScalarRepr is repr of a NumPy scalar: np.float32(0.1), np.True_.
func ScalarRepr(a Array) string {
	t := ScalarStr(a, &defaults)
	switch a.DType {
	case tensor.Bool:
		return "np." + t + "_"
	case tensor.BFloat16, tensor.String, tensor.Invalid:
		return t
	case tensor.Complex64, tensor.Complex128:
		// The number brings its own brackets, unless it has but one part.
		return "np." + a.DType.Name() + "(" + strings.TrimSuffix(strings.TrimPrefix(t, "("), ")") + ")"
	}
	return "np." + a.DType.Name() + "(" + t + ")"
}

// ItemRepr is Python's repr of the one element as a Python object.
func ItemRepr(a Array) string {
	pos := a.Offset
	switch {
	case a.DType.IsFloating():
		return PyFloat(a.float(pos))
	case a.DType.IsComplex():
		return PyComplex(a.float(pos), a.imag(pos))
	}
	return ScalarStr(a, &defaults)
}

// Float is the text of a NumPy float of type dt.
func Float(dt tensor.DType, x float64) string {
	if dt == tensor.BFloat16 {
		return BFloat(x)
	}
	return numpyFloat(dt, x, '0')
}

// scalarTop is where a scalar of the type turns to exponents.
func scalarTop(dt tensor.DType) float64 {
	switch dt.Real() {
	case tensor.Float16:
		return 1e3
	case tensor.Float32:
		return 1e6
	}
	return 1e16
}

func numpyFloat(dt tensor.DType, x float64, trim byte) string {
	if t, odd := oddFloat(x); odd {
		return t
	}
	s := spec{precision: -1, minDigits: -1, trim: trim}
	if y := math.Abs(x); y == 0 || y >= 1e-4 && y < scalarTop(dt) {
		return positional(x, dt, &s)
	}
	s.trim = '-'
	return scientific(x, dt, &s)
}

func oddFloat(x float64) (string, bool) {
	switch {
	case x != x:
		return "nan", true
	case math.IsInf(x, 1):
		return "inf", true
	case math.IsInf(x, -1):
		return "-inf", true
	}
	return "", false
}

// Complex is the text of a NumPy complex number of type dt.
func Complex(dt tensor.DType, re, im float64) string {
	i := numpyFloat(dt.Real(), im, '-')
	if re == 0 && !math.Signbit(re) {
		return i + "j"
	}
	if i[0] != '-' {
		i = "+" + i
	}
	return "(" + numpyFloat(dt.Real(), re, '-') + i + "j)"
}

// BFloat is the text of a bfloat16 number: C's %.6g.
func BFloat(x float64) string { return gFormat(x, 6, 64) }

// PyFloat is Python's repr of a float.
func PyFloat(x float64) string {
	if t, odd := oddFloat(x); odd {
		return t
	}
	s := spec{precision: -1, minDigits: -1, trim: '0'}
	if y := math.Abs(x); y == 0 || y >= 1e-4 && y < 1e16 {
		return positional(x, tensor.Float64, &s)
	}
	s.trim = '-'
	return scientific(x, tensor.Float64, &s)
}

// PyComplex is Python's repr of a complex number.
func PyComplex(re, im float64) string {
	part := func(x float64) string { return strings.TrimSuffix(PyFloat(x), ".0") }
	i := part(im)
	if re == 0 && !math.Signbit(re) {
		return i + "j"
	}
	if i[0] != '-' {
		i = "+" + i
	}
	return "(" + part(re) + i + "j)"
}

// BytesRepr is Python's repr of bytes: b'a\x00'.
func BytesRepr(s []byte) string {
	quote := byte('\'')
	if strings.ContainsRune(string(s), '\'') && !strings.ContainsRune(string(s), '"') {
		quote = '"'
	}
	b := append(make([]byte, 0, len(s)+3), 'b', quote)
	for _, c := range s {
		switch {
		case c == quote || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ' || c >= 0x7f:
			b = append(b, '\\', 'x', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, quote))
}

// gFormat is C's %.*g.
func gFormat(x float64, digits, bits int) string {
	if t, odd := oddFloat(x); odd {
		return t
	}
	s := strconv.FormatFloat(x, 'e', digits-1, bits)
	m, e, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(e)
	if exp < -4 || exp >= digits {
		if strings.Contains(m, ".") {
			m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
		}
		return m + exponent(exp, 2)
	}
	t := strconv.FormatFloat(x, 'f', max(digits-1-exp, 0), bits)
	if strings.Contains(t, ".") {
		t = strings.TrimRight(strings.TrimRight(t, "0"), ".")
	}
	return t
}

// StrRepr is Python's repr of a str.
func StrRepr(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b := append(make([]byte, 0, len(s)+2), quote)
	for _, r := range s {
		switch {
		case r == rune(quote) || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < ' ' || r >= 0x7f && !unicode.IsPrint(r):
			b = appendEscape(b, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return string(append(b, quote))
}

func appendEscape(b []byte, r rune) []byte {
	n, c := 2, byte('x')
	if r > 0xff {
		n, c = 4, 'u'
	}
	if r > 0xffff {
		n, c = 8, 'U'
	}
	b = append(b, '\\', c)
	for n--; n >= 0; n-- {
		b = append(b, "0123456789abcdef"[r>>(4*n)&15])
	}
	return b
}
