package format

import (
	"math"
	"strconv"
	"strings"
)

// FloatRepr is repr(f): the shortest text that reads back, with an exponent
// below 1e-4 and from 1e16 on.
func FloatRepr(f float64) string {
	return string(AppendFloatRepr(nil, f))
}

// AppendFloatRepr appends repr(f).
func AppendFloatRepr(b []byte, f float64) []byte {
	if t := notFinite(f); t != "" {
		return append(b, t...)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		if f == 0 && math.Signbit(f) {
			return append(b, "-0.0"...)
		}
		b = strconv.AppendInt(b, int64(f), 10)
		return append(b, '.', '0')
	}
	if a := math.Abs(f); a >= 1e-4 && a < 1e16 {
		n := len(b)
		b = strconv.AppendFloat(b, f, 'f', -1, 64)
		for _, c := range b[n:] {
			if c == '.' {
				return b
			}
		}
		return append(b, '.', '0')
	}
	return strconv.AppendFloat(b, f, 'e', -1, 64)
}

func notFinite(f float64) string {
	switch {
	case f != f:
		return "nan"
	case f > math.MaxFloat64:
		return "inf"
	case f < -math.MaxFloat64:
		return "-inf"
	}
	return ""
}

// Float formats a float.
func (s Spec) Float(f float64, typeName string) (string, *Error) {
	t := s.Type
	switch t {
	case 0, 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%':
	default:
		return "", unknownCode(t, typeName)
	}
	n, err := s.floatParts(f, 'r', t == 0)
	if err != nil {
		return "", err
	}
	return s.layout(n)
}

// floatParts makes the pieces of one float. With no type the style is `bare`
// without precision and 'g' with one; pointZero makes such a text look like a float.
func (s Spec) floatParts(f float64, bare byte, pointZero bool) (number, *Error) {
	style, prec := byte(s.Type), s.Precision
	percent := false
	switch s.Type {
	case 0:
		style = bare
		if prec >= 0 {
			style = 'g'
		}
	case 'n':
		style = 'g'
	case '%':
		style, percent = 'f', true
		f *= 100
	}
	if prec < 0 && style != 'r' {
		prec = 6
	}
	if prec > math.MaxInt32 {
		return number{}, valueError("precision too big")
	}
	if prec > MaxText {
		return number{}, errMemory
	}
	text := FloatText(f, style, prec, FloatFlags{Alt: s.Alt, PointZero: pointZero, NoNegZero: s.NoNegZero})
	if percent {
		text += "%"
	}
	neg := strings.HasPrefix(text, "-")
	text = strings.TrimPrefix(text, "-")
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return number{sign: s.signOf(neg), digits: text[:i], rest: text[i:]}, nil
}

// FloatFlags change how FloatText writes a number.
type FloatFlags struct {
	Alt       bool // keep the point and, for 'g', trailing zeros
	PointZero bool // add ".0" to what looks like an int
	NoNegZero bool // no sign before zero
}

// FloatText writes f in style 'e', 'f', 'g' (or upper case) or 'r' with the
// precision given, as C's printf does with Python's corrections.
func FloatText(f float64, style byte, prec int, fl FloatFlags) string {
	upper := style >= 'A' && style <= 'Z'
	if upper {
		style += 'a' - 'A'
	}
	t := notFinite(f)
	if t == "" {
		switch style {
		case 'r':
			t = bareText(f, fl)
		case 'g':
			t = generalText(f, prec, fl)
		case 'e':
			t = fixExponent(strconv.FormatFloat(f, 'e', prec, 64), fl.Alt)
		default:
			t = strconv.FormatFloat(f, 'f', prec, 64)
			if fl.Alt && prec == 0 {
				t += "."
			}
		}
		if fl.NoNegZero && t[0] == '-' && allZero(t) {
			t = t[1:]
		}
	}
	if upper {
		t = strings.ToUpper(t)
	}
	return t
}

func bareText(f float64, fl FloatFlags) string {
	t := FloatRepr(f)
	if whole, ok := strings.CutSuffix(t, ".0"); ok && !fl.PointZero {
		if fl.Alt {
			return whole + "."
		}
		return whole
	}
	return fixExponent(t, fl.Alt)
}

// fixExponent puts the point in front of an exponent that has none, if asked.
func fixExponent(t string, alt bool) string {
	if i := strings.IndexByte(t, 'e'); alt && i >= 0 && !strings.Contains(t, ".") {
		return t[:i] + "." + t[i:]
	}
	return t
}

func allZero(t string) bool {
	for i := 0; i < len(t) && t[i] != 'e'; i++ {
		if t[i] >= '1' && t[i] <= '9' {
			return false
		}
	}
	return true
}

// generalText is style 'g' with prec significant digits.
func generalText(f float64, prec int, fl FloatFlags) string {
	if prec == 0 {
		prec = 1
	}
	e := strconv.FormatFloat(f, 'e', min(prec, 1100)-1, 64)
	i := strings.IndexByte(e, 'e')
	exp, _ := strconv.Atoi(e[i+1:])
	digits := strings.Replace(strings.TrimPrefix(e[:i], "-"), ".", "", 1)
	if fl.Alt && prec > len(digits) {
		digits += strings.Repeat("0", prec-len(digits))
	}
	sign := ""
	if e[0] == '-' {
		sign = "-"
	}
	if !fl.Alt {
		digits = strings.TrimRight(digits, "0")
		if digits == "" {
			digits = "0"
		}
	}
	limit := prec
	if fl.PointZero {
		limit--
	}
	if exp < -4 || exp >= limit && exp+1 > limit {
		return sign + scientific(digits, exp, fl.Alt)
	}
	return sign + positional(digits, exp, fl)
}

func scientific(digits string, exp int, alt bool) string {
	t := digits[:1]
	if len(digits) > 1 || alt {
		t += "." + digits[1:]
	}
	sign := "+"
	if exp < 0 {
		sign, exp = "-", -exp
	}
	if exp < 10 {
		return t + "e" + sign + "0" + itoa(exp)
	}
	return t + "e" + sign + itoa(exp)
}

func positional(digits string, exp int, fl FloatFlags) string {
	if exp < 0 {
		return "0." + strings.Repeat("0", -exp-1) + digits
	}
	if len(digits) <= exp+1 {
		t := digits + strings.Repeat("0", exp+1-len(digits))
		switch {
		case fl.PointZero:
			return t + ".0"
		case fl.Alt:
			return t + "."
		}
		return t
	}
	return digits[:exp+1] + "." + digits[exp+1:]
}

// RoundFloat is round(f, places) half to even by f's exact decimal value;
// false when the result passes the largest float.
func RoundFloat(f float64, places int) (float64, bool) {
	if f-f != 0 || f == 0 {
		return f, true
	}
	// 1074 + 52 places hold every digit of any float.
	if places > 323+16 {
		return f, true
	}
	if places < -308 {
		return math.Copysign(0, f), true
	}
	if places >= 0 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', places, 64), 64)
		return r, true
	}
	return roundTens(f, -places)
}

// roundTens rounds to a multiple of 10**n.
func roundTens(f float64, n int) (float64, bool) {
	exact := strconv.FormatFloat(math.Abs(f), 'f', -1, 64)
	if math.Abs(f) >= 1<<53 {
		exact = strconv.FormatFloat(math.Abs(f), 'f', 0, 64)
	}
	whole, frac, _ := strings.Cut(exact, ".")
	if len(whole) < n {
		return math.Copysign(0, f), true
	}
	keep, cut := whole[:len(whole)-n], whole[len(whole)-n:]
	up := cut[0] > '5'
	if cut[0] == '5' {
		odd := keep != "" && (keep[len(keep)-1]-'0')%2 == 1
		up = odd || strings.Trim(cut[1:]+frac, "0") != ""
	}
	text := "0" + keep + strings.Repeat("0", n)
	if up {
		text = incremented("0"+keep) + strings.Repeat("0", n)
	}
	r, _ := strconv.ParseFloat(text, 64)
	if r > math.MaxFloat64 {
		return 0, false
	}
	return math.Copysign(r, f), true
}

// incremented adds one to a decimal text that begins with 0.
func incremented(t string) string {
	b := []byte(t)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			break
		}
		b[i] = '0'
	}
	return string(b)
}

// FloatHex is float.hex().
func FloatHex(f float64) string {
	if t := notFinite(f); t != "" {
		return t
	}
	sign := ""
	if math.Signbit(f) {
		sign, f = "-", -f
	}
	if f == 0 {
		return sign + "0x0.0p+0"
	}
	bits := math.Float64bits(f)
	exp, mant := int(bits>>52&0x7ff), bits&(1<<52-1)
	lead := "1"
	if exp == 0 {
		lead, exp = "0", 1
	}
	hex := strconv.FormatUint(mant, 16)
	hex = strings.Repeat("0", 13-len(hex)) + hex
	p := "+"
	if exp -= 1023; exp < 0 {
		p, exp = "-", -exp
	}
	return sign + "0x" + lead + "." + hex + "p" + p + itoa(exp)
}
