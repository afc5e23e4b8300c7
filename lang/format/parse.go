package format

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// plain turns decimal digits of any script into ASCII and Unicode white space
// into spaces, then strips; other characters stay and make the parse fail.
func plain(s string) string {
	if isASCII(s) {
		return strings.Trim(s, " \t\n\v\f\r\x1c\x1d\x1e\x1f")
	}
	var b []byte
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		if d := DecimalDigit(r); d >= 0 {
			b = append(b, byte('0'+d))
		} else if IsSpace(r) {
			b = append(b, ' ')
		} else {
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return strings.Trim(string(b), " \t\n\v\f\r\x1c\x1d\x1e\x1f")
}

// ParseInt reads s as int(s, base) does. The result is in the int64 unless the
// big.Int is not nil; ok is false for a text that is no int (the caller words
// that with the text's repr), err is the digit limit.
func ParseInt(s string, base, maxDigits int) (i int64, b *big.Int, ok bool, err *Error) {
	t := plain(s)
	neg := false
	if t != "" && (t[0] == '+' || t[0] == '-') {
		neg, t = t[0] == '-', t[1:]
	}
	t, base, ok = basePrefix(t, base)
	if !ok {
		return 0, nil, false, nil
	}
	digits, ok := joinDigits(t, base)
	if !ok {
		return 0, nil, false, nil
	}
	if u, e := strconv.ParseUint(digits, base, 63); e == nil {
		if i = int64(u); neg {
			i = -i
		}
		return i, nil, true, nil
	}
	if base&(base-1) != 0 && maxDigits > 0 && len(digits) > maxDigits {
		return 0, nil, true, valueError("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit", maxDigits, len(digits))
	}
	b, _ = new(big.Int).SetString(digits, base)
	if neg {
		b.Neg(b)
	}
	if b.IsInt64() {
		return b.Int64(), nil, true, nil
	}
	return 0, b, true, nil
}

// basePrefix deals with 0x, 0o, 0b and base 0.
func basePrefix(t string, base int) (string, int, bool) {
	had := 0
	if len(t) >= 2 && t[0] == '0' {
		switch t[1] | 0x20 {
		case 'x':
			had = 16
		case 'o':
			had = 8
		case 'b':
			had = 2
		}
	}
	if base == 0 {
		if had == 0 {
			// A leading zero is only good for zero itself.
			return t, 10, t == "" || t[0] != '0' || strings.Trim(t, "0_") == ""
		}
		base = had
	}
	if had != 0 && had == base {
		t = strings.TrimPrefix(t[2:], "_")
		if t == "" {
			return "", base, false
		}
	}
	return t, base, true
}

// joinDigits checks digits and single underscores between them and drops the latter.
func joinDigits(t string, base int) (string, bool) {
	if t == "" || t[0] == '_' || t[len(t)-1] == '_' || strings.Contains(t, "__") {
		return "", false
	}
	for i := 0; i < len(t); i++ {
		if t[i] != '_' && digitValue(t[i]) >= base {
			return "", false
		}
	}
	return strings.ReplaceAll(t, "_", ""), true
}

func digitValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return int(c|0x20-'a') + 10
	}
	return 99
}

// ParseFloat reads s as float(s) does.
func ParseFloat(s string) (float64, bool) { return parseFloat(plain(s)) }

func parseFloat(t string) (float64, bool) {
	n := scanFloat(t)
	if n == 0 || n != len(t) {
		return 0, false
	}
	return floatOf(t), true
}

// floatOf converts what scanFloat accepted.
func floatOf(t string) float64 {
	body := strings.TrimLeft(t, "+-")
	if body[0]|0x20 == 'n' {
		if t[0] == '-' {
			return math.Copysign(math.NaN(), -1)
		}
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(shortFloat(strings.ReplaceAll(t, "_", "")), 64)
	return f
}

// shortFloat moves the zeros at both ends of a long mantissa into the exponent, which strconv counts only to a limit.
func shortFloat(t string) string {
	if len(t) < 400 {
		return t
	}
	sign := t[:len(t)-len(strings.TrimLeft(t, "+-"))]
	mantissa, exponent, _ := strings.Cut(strings.ToLower(t[len(sign):]), "e")
	exp, ok := new(big.Int).SetString(strings.TrimPrefix(exponent, "+"), 10)
	if !ok {
		exp = new(big.Int) // no exponent, or inf
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exp.Sub(exp, big.NewInt(int64(len(fraction))))
	short := strings.TrimRight(digits, "0")
	exp.Add(exp, big.NewInt(int64(len(digits)-len(short))))
	if short == "" {
		return sign + "0"
	}
	exp.Add(exp, big.NewInt(int64(len(short))))
	return sign + "0." + short + "e" + exp.String() // strconv misplaces the point of more than 800 digits before it
}

// scanFloat is the length of the float text at the front of t, 0 if none;
// underscores may stand between digits.
func scanFloat(t string) int {
	i := 0
	if i < len(t) && (t[i] == '+' || t[i] == '-') {
		i++
	}
	for _, w := range []string{"infinity", "inf", "nan"} {
		if len(t)-i >= len(w) && strings.EqualFold(t[i:i+len(w)], w) {
			return i + len(w)
		}
	}
	j := scanDigits(t, i)
	whole := j > i
	if j < len(t) && t[j] == '.' {
		k := scanDigits(t, j+1)
		if k == j+1 && !whole {
			return 0
		}
		j = k
	} else if !whole {
		return 0
	}
	if j < len(t) && t[j]|0x20 == 'e' {
		k := j + 1
		if k < len(t) && (t[k] == '+' || t[k] == '-') {
			k++
		}
		if e := scanDigits(t, k); e > k {
			return e
		}
	}
	return j
}

// scanDigits is the end of the digits from i, single underscores between them included.
func scanDigits(t string, i int) int {
	isDigit := func(i int) bool { return i < len(t) && t[i] >= '0' && t[i] <= '9' }
	for isDigit(i) {
		i++
		if i < len(t) && t[i] == '_' && isDigit(i+1) {
			i++
		}
	}
	return i
}

// ParseComplex reads s as complex(s) does; the error is one of two texts.
func ParseComplex(s string) (complex128, *Error) {
	t := plain(s)
	if strings.Contains(t, "_") && !validUnderscores(t) {
		return 0, valueError("could not convert string to complex: %s", StrRepr(s))
	}
	if strings.HasPrefix(t, "(") {
		if !strings.HasSuffix(t, ")") {
			return 0, malformed()
		}
		t = strings.Trim(t[1:len(t)-1], " \t\n\v\f\r")
	}
	c, ok := complexBody(t)
	if !ok {
		return 0, malformed()
	}
	return c, nil
}

func malformed() *Error { return valueError("complex() arg is a malformed string") }

func validUnderscores(t string) bool {
	for i := 0; i < len(t); i++ {
		if t[i] == '_' && (i == 0 || i+1 == len(t) || !digit(t[i-1]) || !digit(t[i+1])) {
			return false
		}
	}
	return true
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func complexBody(t string) (complex128, bool) {
	n := scanFloat(t)
	rest := t[n:]
	if n > 0 && rest == "" {
		return complex(floatOf(t), 0), true
	}
	if n > 0 && (rest == "j" || rest == "J") {
		return complex(0, floatOf(t[:n])), true
	}
	re := 0.0
	if n > 0 {
		if rest[0] != '+' && rest[0] != '-' {
			return 0, false
		}
		re = floatOf(t[:n])
	}
	im, ok := imaginary(rest)
	return complex(re, im), ok
}

// imaginary reads [sign][float]j with nothing after.
func imaginary(t string) (float64, bool) {
	if t == "" || t[len(t)-1]|0x20 != 'j' {
		return 0, false
	}
	t = t[:len(t)-1]
	switch t {
	case "", "+":
		return 1, true
	case "-":
		return -1, true
	}
	return parseFloat(t)
}

// ParseHex reads s as float.fromhex does.
func ParseHex(s string) (float64, *Error) {
	t := strings.Trim(s, " \t\n\v\f\r")
	bad := valueError("invalid hexadecimal floating-point string")
	sign := 1.0
	if t != "" && (t[0] == '+' || t[0] == '-') {
		if t[0] == '-' {
			sign = -1
		}
		t = t[1:]
	}
	switch strings.ToLower(t) {
	case "inf", "infinity":
		return sign * math.Inf(1), nil
	case "nan":
		return math.Copysign(math.NaN(), sign), nil
	}
	if len(t) > 1 && t[0] == '0' && t[1]|0x20 == 'x' {
		t = t[2:]
	}
	mant := t
	if i := strings.IndexAny(t, "pP"); i < 0 {
		t += "p0"
	} else {
		mant = t[:i]
	}
	if strings.Trim(mant, "0123456789abcdefABCDEF.") != "" || strings.Trim(mant, ".") == "" || strings.Contains(t, "_") {
		return 0, bad
	}
	f, err := strconv.ParseFloat("0x"+t, 64)
	if err != nil {
		if ne, ok := err.(*strconv.NumError); ok && ne.Err == strconv.ErrRange {
			return 0, overflowError("hexadecimal value too large to represent as a float")
		}
		return 0, bad
	}
	return sign * f, nil
}

// ValidText reports that s is UTF-8 without lone surrogates.
func ValidText(s string) bool { return utf8.ValidString(s) }
