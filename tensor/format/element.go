package format

import (
	"math"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// An elementFormat writes every element of one array in the same format.
type elementFormat func(pos int) string

// chooseFormat looks at the elements that will be shown.
func chooseFormat(a *Array, o *Options, edge int) elementFormat {
	if f := custom(a, o); f != nil {
		return func(pos int) string { return f(a, pos) }
	}
	switch {
	case a.Text != nil:
		return a.Text
	case a.DType == tensor.Bool:
		return boolFormat(a)
	case a.DType.IsInteger():
		return intFormat(a, o, edge)
	case a.DType == tensor.BFloat16:
		return func(pos int) string { return BFloat(a.float(pos)) }
	case a.DType.IsComplex():
		return complexFormat(a, o, edge)
	}
	f := newFloatFormat(a.DType, o, o.Sign, func(yield func(float64)) {
		a.corners(edge, func(pos int) { yield(a.float(pos)) })
	})
	return func(pos int) string { return f.format(a.float(pos)) }
}

// kindKeys are the formatter keys for a dtype, the narrowest last.
func kindKeys(a *Array) []string {
	switch {
	case a.DType == tensor.Bool:
		return []string{"all", "bool"}
	case a.DType.IsInteger():
		return []string{"all", "int_kind", "int"}
	case a.DType.IsComplex():
		return []string{"all", "complex_kind", "complexfloat"}
	case a.Text != nil && strings.HasPrefix(a.TypeText, "'"):
		return []string{"all", "str_kind", "numpystr"}
	case a.Text != nil:
		return []string{"all", "object"}
	}
	return []string{"all", "float_kind", "float"}
}

func custom(a *Array, o *Options) (f func(*Array, int) string) {
	if o.Formatter == nil {
		return nil
	}
	for _, k := range kindKeys(a) {
		if g := o.Formatter[k]; g != nil {
			f = g
		}
	}
	return f
}

func boolFormat(a *Array) elementFormat {
	t := " True"
	if len(a.Dims) == 0 {
		t = "True"
	}
	return func(pos int) string {
		if a.Data[pos] != 0 {
			return t
		}
		return "False"
	}
}

func intText(dt tensor.DType, i int64) string {
	if dt == tensor.Uint64 {
		return strconv.FormatUint(uint64(i), 10)
	}
	return strconv.FormatInt(i, 10)
}

func intFormat(a *Array, o *Options, edge int) elementFormat {
	sign := ""
	neg, width := false, 0
	a.corners(edge, func(pos int) {
		i := a.int(pos)
		neg = neg || i < 0 && a.DType != tensor.Uint64
		width = max(width, len(intText(a.DType, i)))
	})
	if o.Sign != '-' && !(o.Sign == ' ' && neg) {
		sign = string(o.Sign)
		width = signedWidth(a, edge)
	}
	return func(pos int) string {
		t := intText(a.DType, a.int(pos))
		if sign != "" && t[0] != '-' {
			t = sign + t
		}
		return strings.Repeat(" ", max(width-len(t), 0)) + t
	}
}

// signedWidth counts one more column for the largest value when it shows a sign.
func signedWidth(a *Array, edge int) int {
	var lo, hi int64 = math.MaxInt64, math.MinInt64
	var top uint64
	a.corners(edge, func(pos int) {
		i := a.int(pos)
		lo, hi, top = min(lo, i), max(hi, i), max(top, uint64(i))
	})
	if a.DType == tensor.Uint64 {
		return len(strconv.FormatUint(top, 10)) + 1
	}
	w := len(strconv.FormatInt(hi, 10))
	if hi >= 0 {
		w++
	}
	return max(w, len(strconv.FormatInt(lo, 10)))
}

func complexFormat(a *Array, o *Options, edge int) elementFormat {
	part := a.DType.Real()
	re := newFloatFormat(part, o, o.Sign, func(yield func(float64)) {
		a.corners(edge, func(pos int) { yield(a.float(pos)) })
	})
	im := newFloatFormat(part, o, '+', func(yield func(float64)) {
		a.corners(edge, func(pos int) { yield(a.imag(pos)) })
	})
	return func(pos int) string {
		i := im.format(a.imag(pos))
		n := len(strings.TrimRight(i, " "))
		return re.format(a.float(pos)) + i[:n] + "j" + i[n:]
	}
}

// floatFormat is the one format of all floats of an array.
type floatFormat struct {
	dt   tensor.DType
	o    *Options
	sign byte
	exp  bool
	spec
}

// floatStats is what the choice depends on.
type floatStats struct {
	finite            []float64
	total             int
	max, min          float64 // of the absolute values that are not zero
	nonzero           bool
	negFinite, negInf bool
}

func gather(each func(yield func(float64))) *floatStats {
	st := &floatStats{min: math.Inf(1)}
	each(func(x float64) {
		st.total++
		if math.IsInf(x, 0) || x != x {
			st.negInf = st.negInf || x < 0
			return
		}
		st.finite = append(st.finite, x)
		st.negFinite = st.negFinite || math.Signbit(x)
		if y := math.Abs(x); y != 0 {
			st.nonzero = true
			st.max, st.min = max(st.max, y), min(st.min, y)
		}
	})
	return st
}

func newFloatFormat(dt tensor.DType, o *Options, sign byte, each func(yield func(float64))) *floatFormat {
	f := &floatFormat{dt: dt, o: o, sign: sign}
	f.precision, f.minDigits, f.trim, f.plus = o.Precision, -1, '.', sign == '+'
	if o.FloatMode == "unique" {
		f.precision = -1
	}
	st := gather(each)
	f.exp = st.nonzero && f.wantsExponent(st)
	switch {
	case len(st.finite) == 0:
	case f.exp:
		f.fitScientific(st)
	default:
		f.fitPositional(st)
	}
	if sign == ' ' && !st.negFinite {
		f.padLeft++
	}
	if st.total != len(st.finite) {
		off := f.padRight + 1
		f.padLeft = max(f.padLeft, len(o.NanStr)-off, len(o.InfStr)+btoi(sign != '-' || st.negInf)-off)
	}
	return f
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// wantsExponent compares in the array's own dtype, as NumPy does.
func (f *floatFormat) wantsExponent(st *floatStats) bool {
	top := 1e8
	switch f.dt {
	case tensor.Float16:
		top = 1e3
	case tensor.Float32:
		top = 1e6
	}
	return st.max >= top || !f.o.Suppress &&
		(st.min < inDType(f.dt, 0.0001) || inDType(f.dt, st.max/st.min) > 1000)
}

// inDType rounds x to a value of dt.
func inDType(dt tensor.DType, x float64) float64 {
	switch dt {
	case tensor.Float16:
		return float64(tensor.HalfOf(x).Float32())
	case tensor.Float32:
		return float64(float32(x))
	}
	return x
}

func (f *floatFormat) fixed() {
	if f.o.FloatMode == "fixed" {
		f.trim, f.exact = 'k', true
	}
}

func (f *floatFormat) fitScientific(st *floatStats) {
	f.fixed()
	var left, frac, exp int
	for _, x := range st.finite {
		m, e, _ := strings.Cut(scientific(x, f.dt, &f.spec), "e")
		i, r, _ := strings.Cut(m, ".")
		left, frac, exp = max(left, len(i)), max(frac, len(r)), max(exp, len(e)-1)
	}
	f.expDigits, f.trim, f.precision, f.minDigits, f.padLeft = exp, 'k', frac, frac, left
	f.padRight = exp + 2 + frac
}

func (f *floatFormat) fitPositional(st *floatStats) {
	f.fixed()
	var left, frac int
	for _, x := range st.finite {
		i, r, _ := strings.Cut(positional(x, f.dt, &f.spec), ".")
		left, frac = max(left, len(i)), max(frac, len(r))
	}
	f.padLeft, f.padRight = left, frac
	f.trim, f.minDigits = '.', 0
	if f.o.FloatMode == "fixed" || f.o.FloatMode == "maxprec_equal" {
		f.precision, f.minDigits, f.trim = frac, frac, 'k'
	}
}

func (f *floatFormat) format(x float64) string {
	switch {
	case x != x:
		return f.padOdd(f.o.NanStr, false)
	case math.IsInf(x, 0):
		return f.padOdd(f.o.InfStr, x < 0)
	case f.exp:
		return scientific(x, f.dt, &f.spec)
	}
	return positional(x, f.dt, &f.spec)
}

// padOdd writes nan and inf in the width of a number.
func (f *floatFormat) padOdd(t string, neg bool) string {
	switch {
	case neg:
		t = "-" + t
	case f.sign == '+':
		t = "+" + t
	}
	return strings.Repeat(" ", max(f.padLeft+f.padRight+1-len(t), 0)) + t
}
