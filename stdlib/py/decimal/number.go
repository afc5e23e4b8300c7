package decimal

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Kind tells finite numbers from the special ones.
type Kind uint8

// The kinds of numbers.
const (
	Finite Kind = iota
	Inf
	QNaN
	SNaN
)

// Number is (-1)**Neg * Coef * 10**Exp, or special. Coef is never nil; of a NaN it
// is the payload. A Number is not changed once it is made.
type Number struct {
	Kind Kind
	Neg  bool
	Coef *big.Int
	Exp  int64
}

var (
	zero = new(big.Int)
	one  = big.NewInt(1)
	ten  = big.NewInt(10)
)

// Int is the Number of an integer.
func Int(i *big.Int) *Number {
	return &Number{Neg: i.Sign() < 0, Coef: new(big.Int).Abs(i)}
}

// Small is the Number of a small integer.
func Small(i int64) *Number { return Int(big.NewInt(i)) }

// Infinity is the infinity of a sign.
func Infinity(neg bool) *Number { return &Number{Kind: Inf, Neg: neg, Coef: zero} }

func finite(neg bool, c *big.Int, exp int64) *Number { return &Number{Neg: neg, Coef: c, Exp: exp} }

// IsNaN is true of quiet and signaling NaNs.
func (x *Number) IsNaN() bool { return x.Kind >= QNaN }

// IsSpecial is true of all but finite numbers.
func (x *Number) IsSpecial() bool { return x.Kind != Finite }

// IsZero is true of zeros of both signs.
func (x *Number) IsZero() bool { return x.Kind == Finite && x.Coef.Sign() == 0 }

// Sign is -1, 0 or 1; of an infinity its sign.
func (x *Number) Sign() int {
	switch {
	case x.IsZero() || x.IsNaN():
		return 0
	case x.Neg:
		return -1
	}
	return 1
}

// WithSign is x with another sign.
func (x *Number) WithSign(neg bool) *Number {
	if x.Neg == neg {
		return x
	}
	y := *x
	y.Neg = neg
	return &y
}

// Digits is how many digits the coefficient has; 1 for zero.
func (x *Number) Digits() int64 { return digits(x.Coef) }

// Adjusted is the exponent of the first digit.
func (x *Number) Adjusted() int64 { return x.Exp + x.Digits() - 1 }

func digits(c *big.Int) int64 {
	if c.Sign() == 0 {
		return 1
	}
	n := int64(c.BitLen()-1)*30103/100000 + 1
	if c.BitLen() > 1<<20 { // where the approximation of log10(2) is too coarse
		hi, lo := bits.Mul64(uint64(c.BitLen()-1), 5553023288523357132) // log10(2) * 2**64
		_ = lo
		n = int64(hi) + 1
	}
	if c.CmpAbs(pow10(n)) >= 0 {
		n++
	}
	return n
}

var small10 = func() (t [128]*big.Int) {
	t[0] = one
	for i := 1; i < len(t); i++ {
		t[i] = new(big.Int).Mul(t[i-1], ten)
	}
	return t
}()

// pow10 is 10**n; the result is shared.
func pow10(n int64) *big.Int {
	if n < int64(len(small10)) {
		return small10[n]
	}
	return new(big.Int).Exp(ten, big.NewInt(n), nil)
}

// maxDigits is the longest coefficient that is ever made: what needs more is out
// of memory.
const maxDigits = 20_000_000

// IntPart is the integer part of a finite number, nil if it has too many digits.
func (x *Number) IntPart() *big.Int {
	var i *big.Int
	switch {
	case x.Exp < 0 && -x.Exp > x.Digits():
		return new(big.Int)
	case x.Exp < 0:
		i = new(big.Int).Quo(x.Coef, pow10(-x.Exp))
	case x.Exp > maxDigits:
		if x.IsZero() {
			return new(big.Int)
		}
		return nil
	default:
		i = new(big.Int).Mul(x.Coef, pow10(x.Exp))
	}
	if x.Neg {
		i.Neg(i)
	}
	return i
}

// isInteger is true of a finite number without a fraction.
func (x *Number) isInteger() bool {
	if x.Kind != Finite {
		return false
	}
	if x.Exp >= 0 || x.IsZero() {
		return true
	}
	if -x.Exp >= x.Digits() {
		return false
	}
	return new(big.Int).Rem(x.Coef, pow10(-x.Exp)).Sign() == 0
}

// isOdd is about an integer.
func (x *Number) isOdd() bool {
	if x.Exp > 0 || x.IsZero() {
		return false
	}
	return x.IntPart().Bit(0) == 1
}

// Parse reads a number in ASCII without blanks, nil if text is none. An exponent
// beyond all limits is read as one that overflows or underflows.
func Parse(text string) *Number {
	x := &Number{Coef: zero}
	if text != "" && (text[0] == '-' || text[0] == '+') {
		x.Neg, text = text[0] == '-', text[1:]
	}
	if text == "" {
		return nil
	}
	if c := text[0]; c != '.' && (c < '0' || c > '9') {
		return x.parseSpecial(strings.ToLower(text))
	}
	mantissa, e, hasExp := text, "", false
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, e, hasExp = text[:i], text[i+1:], true
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	if !allDigits(whole) || !allDigits(frac) || whole+frac == "" {
		return nil
	}
	if hasExp {
		if x.Exp = parseExp(e); x.Exp == noExp {
			return nil
		}
	}
	x.Exp -= int64(len(frac))
	x.Coef, _ = new(big.Int).SetString(whole+frac, 10)
	return x
}

func (x *Number) parseSpecial(text string) *Number {
	switch {
	case text == "inf" || text == "infinity":
		x.Kind = Inf
		return x
	case strings.HasPrefix(text, "snan"):
		x.Kind, text = SNaN, text[4:]
	case strings.HasPrefix(text, "nan"):
		x.Kind, text = QNaN, text[3:]
	default:
		return nil
	}
	if !allDigits(text) {
		return nil
	}
	if text != "" {
		x.Coef, _ = new(big.Int).SetString(text, 10)
	}
	return x
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

const (
	noExp   = -1 << 63
	hugeExp = 4_000_000_000_000_000_000
)

func parseExp(e string) int64 {
	neg := false
	if e != "" && (e[0] == '-' || e[0] == '+') {
		neg, e = e[0] == '-', e[1:]
	}
	if e == "" || !allDigits(e) {
		return noExp
	}
	n, err := strconv.ParseInt(e, 10, 64)
	if err != nil || n > hugeExp {
		n = hugeExp
	}
	if neg {
		return -n
	}
	return n
}

// Text is the scientific string of x, with an exponent that is a multiple of
// three if eng; e stands before the exponent.
func (x *Number) Text(eng bool, e string) string {
	sign := ""
	if x.Neg {
		sign = "-"
	}
	switch x.Kind {
	case Inf:
		return sign + "Infinity"
	case QNaN, SNaN:
		name := sign + "NaN"
		if x.Kind == SNaN {
			name = sign + "sNaN"
		}
		if x.Coef.Sign() != 0 {
			name += x.Coef.String()
		}
		return name
	}
	d := x.Coef.String()
	left := x.Exp + int64(len(d)) // digits left of the point, if no exponent is written
	point := int64(1)
	switch {
	case x.Exp <= 0 && left > -6:
		point = left
	case eng && x.IsZero():
		point = floorMod(left+1, 3) - 1
	case eng:
		point = floorMod(left-1, 3) + 1
	}
	text := placePoint(d, point)
	if point != left {
		text += e + sign64(left-point)
	}
	return sign + text
}

func floorMod(a, b int64) int64 { return ((a % b) + b) % b }

func sign64(i int64) string {
	if i < 0 {
		return strconv.FormatInt(i, 10)
	}
	return "+" + strconv.FormatInt(i, 10)
}

// placePoint writes digits with the point after the first `point` of them.
func placePoint(d string, point int64) string {
	n := int64(len(d))
	switch {
	case point <= 0:
		return "0." + strings.Repeat("0", int(-point)) + d
	case point >= n:
		return d + strings.Repeat("0", int(point-n))
	}
	return d[:point] + "." + d[point:]
}

// Shortened is x with at most n digits.
func (c *Context) Shortened(x *Number, n int64) *Number {
	w := *c
	w.Prec = n
	return w.Finish(x)
}

// Rescale is x with another exponent.
func (c *Context) Rescale(x *Number, exp int64) *Number {
	r, _ := c.rescale(x, exp)
	if r == nil {
		return x
	}
	return r
}
