package format

import (
	"math"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// spec says how one float is written; the fields are those of NumPy's
// format_float functions. precision and minDigits count digits after the point,
// -1 means no bound.
type spec struct {
	precision, minDigits int
	exact                bool // not the shortest digits, but precision of them
	trim                 byte // 'k' keep zeros, '.' trim zeros, '0' leave one, '-' trim the point too
	plus                 bool
	padLeft, padRight    int
	expDigits            int
}

func bitsOf(dt tensor.DType) int {
	if dt.Real() == tensor.Float64 {
		return 64
	}
	return 32
}

// shortest returns the fewest digits that name x among the values of dt, and
// the power of ten of the first. x is finite and not negative.
func shortest(x float64, dt tensor.DType) (digits string, exp int) {
	var s string
	if dt == tensor.Float16 {
		s = shortestHalf(x)
	} else {
		s = strconv.FormatFloat(x, 'e', -1, bitsOf(dt))
	}
	m, e, _ := strings.Cut(s, "e")
	exp, _ = strconv.Atoi(e)
	return strings.Replace(m, ".", "", 1), exp
}

// shortestHalf tries more and more digits. Below a power of two the numbers lie
// closer, so when x is halfway between two decimals the upper one may name it
// where the lower doesn't.
func shortestHalf(x float64) string {
	h := tensor.HalfOf(x)
	for p := 0; ; p++ {
		for _, y := range [2]float64{x, x * (1 + 1e-9)} {
			s := strconv.FormatFloat(y, 'e', p, 64)
			if y, _ := strconv.ParseFloat(s, 64); tensor.HalfOf(y) == h {
				return s
			}
		}
	}
}

// places chooses how many digits stand after the point when the shortest form
// has n; same says that these are the shortest form's own.
func (s *spec) places(n int) (k int, same bool) {
	if s.exact {
		return max(s.precision, 0), false
	}
	k = max(n, s.minDigits)
	if s.precision >= 0 {
		k = min(k, s.precision)
	}
	return k, k == n
}

// positional writes x without an exponent.
func positional(x float64, dt tensor.DType, s *spec) string {
	neg := math.Signbit(x)
	x = math.Abs(x)
	digits, exp := shortest(x, dt)
	k, same := s.places(max(len(digits)-1-exp, 0))
	var t string
	if same {
		t = plain(digits, exp)
	} else {
		t = strconv.FormatFloat(x, 'f', k, 64)
	}
	return s.pad(s.sign(neg) + s.trimmed(t))
}

// plain writes digits with the point at its place.
func plain(digits string, exp int) string {
	switch {
	case exp < 0:
		return "0." + strings.Repeat("0", -exp-1) + digits
	case len(digits) <= exp+1:
		return digits + strings.Repeat("0", exp+1-len(digits))
	}
	return digits[:exp+1] + "." + digits[exp+1:]
}

// scientific writes x with an exponent of at least two digits.
func scientific(x float64, dt tensor.DType, s *spec) string {
	neg := math.Signbit(x)
	x = math.Abs(x)
	digits, exp := shortest(x, dt)
	k, same := s.places(len(digits) - 1)
	var m string
	if same {
		m = digits[:1]
		if len(digits) > 1 {
			m += "." + digits[1:]
		}
	} else {
		var e string
		m, e, _ = strings.Cut(strconv.FormatFloat(x, 'e', k, 64), "e")
		exp, _ = strconv.Atoi(e)
	}
	return padLeft(s.sign(neg)+s.trimmed(m), s.padLeft) + exponent(exp, s.expDigits)
}

func exponent(e, digits int) string {
	sign := "+"
	if e < 0 {
		sign, e = "-", -e
	}
	t := strconv.Itoa(e)
	for len(t) < max(2, digits) {
		t = "0" + t
	}
	return "e" + sign + t
}

func (s *spec) sign(neg bool) string {
	switch {
	case neg:
		return "-"
	case s.plus:
		return "+"
	}
	return ""
}

// trimmed gives t the point and the zeros that the trim mode wants.
func (s *spec) trimmed(t string) string {
	if !strings.Contains(t, ".") {
		t += "."
	}
	if s.trim == 'k' {
		return t
	}
	t = strings.TrimRight(t, "0")
	switch {
	case !strings.HasSuffix(t, "."):
	case s.trim == '0':
		t += "0"
	case s.trim == '-':
		t = t[:len(t)-1]
	}
	return t
}

// pad fills up to padLeft columns before the point and padRight after it.
func (s *spec) pad(t string) string {
	t = padLeft(t, s.padLeft)
	i := strings.IndexByte(t, '.')
	if i < 0 {
		return t
	}
	if n := s.padRight - (len(t) - i - 1); n > 0 {
		t += strings.Repeat(" ", n)
	}
	return t
}

// padLeft fills so that n columns stand before the point.
func padLeft(t string, n int) string {
	i := strings.IndexByte(t, '.')
	if i < 0 {
		i = len(t)
	}
	if i < n {
		return strings.Repeat(" ", n-i) + t
	}
	return t
}

// FloatSpec is the arguments of np.format_float_positional and its scientific twin.
type FloatSpec struct {
	Precision, MinDigits int // -1: no bound
	Unique               bool
	Trim                 byte
	Plus                 bool
	PadLeft, PadRight    int
	ExpDigits            int
}

// Format writes x, a value of type dt.
func (f FloatSpec) Format(dt tensor.DType, x float64, sci bool) string {
	if t, odd := oddFloat(x); odd {
		return t
	}
	s := spec{precision: f.Precision, minDigits: f.MinDigits, exact: !f.Unique, trim: f.Trim, plus: f.Plus,
		padLeft: f.PadLeft, padRight: f.PadRight, expDigits: f.ExpDigits}
	if sci {
		return scientific(x, dt, &s)
	}
	return positional(x, dt, &s)
}
