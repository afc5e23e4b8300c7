package decimal

import (
	"math/big"
	"strings"
)

// Quantize is x with the exponent of y.
func (c *Context) Quantize(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	if x.Kind == Inf || y.Kind == Inf {
		if x.Kind == y.Kind {
			return x
		}
		return c.invalid(InvalidOperation)
	}
	if y.Exp > c.Emax || y.Exp < c.Etiny() {
		return c.invalid(InvalidOperation)
	}
	if x.IsZero() {
		return c.Finish(finite(x.Neg, zero, y.Exp))
	}
	if a := x.Adjusted(); a > c.Emax || a-y.Exp+1 > c.Prec {
		return c.invalid(InvalidOperation)
	}
	return c.quantized(x, y.Exp)
}

func (c *Context) quantized(x *Number, exp int64) *Number {
	r, inexact := c.rescale(x, exp)
	if r == nil {
		return nan
	}
	if digits(r.Coef) > c.Prec || r.Adjusted() > c.Emax || c.Clamp && exp > c.Etop() {
		return c.invalid(InvalidOperation)
	}
	if inexact {
		c.set(Inexact | Rounded)
	} else if exp > x.Exp {
		c.set(Rounded)
	}
	if !r.IsZero() && r.Adjusted() < c.Emin {
		c.set(Subnormal)
	}
	return r
}

// rescale writes finite x with exponent exp, rounding as the context does, whatever its precision.
func (c *Context) rescale(x *Number, exp int64) (*Number, bool) {
	switch {
	case x.IsZero():
		return finite(x.Neg, zero, exp), false
	case x.Exp >= exp:
		return c.lower(x, exp), false
	}
	q, inexact := roundOff(x, x.Digits(), exp-x.Exp, c.Rounding)
	return finite(x.Neg, q, exp), inexact
}

// Integral is x rounded to an integer; exact tells whether to set Inexact and Rounded.
func (c *Context) Integral(x *Number, exact bool) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	if x.Kind == Inf || x.Exp >= 0 {
		return x
	}
	r, inexact := c.rescale(x, 0)
	if exact && !x.IsZero() {
		c.set(Rounded)
		if inexact {
			c.set(Inexact)
		}
	}
	return r
}

// Reduce strips zeros at the end.
func (c *Context) Reduce(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	x = c.Finish(x)
	if x.Kind != Finite {
		return x
	}
	if x.IsZero() {
		return finite(x.Neg, zero, 0)
	}
	top := c.Emax
	if c.Clamp {
		top = c.Etop()
	}
	q, exp := strip(x.Coef, x.Exp, top)
	return finite(x.Neg, q, exp)
}

// NextMinus is the greatest number below x.
func (c *Context) NextMinus(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	return c.next(x, true)
}

// NextPlus is the least number above x.
func (c *Context) NextPlus(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	return c.next(x, false)
}

func (c *Context) next(x *Number, down bool) *Number {
	w := *c
	w.Clamp = false
	w.Rounding = RoundCeiling
	if down {
		w.Rounding = RoundFloor
	}
	switch {
	case x.Kind == Inf && x.Neg == down:
		return x
	case x.Kind == Inf:
		if c.noRoom(c.Prec) {
			return nan
		}
		return finite(x.Neg, new(big.Int).Sub(pow10(c.Prec), one), c.Etop())
	}
	if c.noRoom(x.Adjusted() - x.Exp) {
		return nan
	}
	y := w.Finish(x)
	if y.Kind == Inf || order(y, x) != 0 {
		return y
	}
	r := w.Add(x, finite(down, one, w.Etiny()-1))
	c.set(w.Status & NoMemory)
	return r
}

// NextToward is the neighbour of x in the direction of y.
func (c *Context) NextToward(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	o := order(x, y)
	if o == 0 {
		return x.WithSign(y.Neg)
	}
	r := c.next(x, o > 0)
	switch {
	case r.Kind == Inf:
		c.set(Overflow | Inexact | Rounded)
	case r.Adjusted() < c.Emin:
		c.set(Underflow | Subnormal | Inexact | Rounded)
		if r.IsZero() {
			c.set(Clamped)
		}
	}
	return r
}

// SameQuantum: same exponent, or both infinite, or both NaN.
func SameQuantum(x, y *Number) bool {
	if x.IsSpecial() || y.IsSpecial() {
		return x.Kind == Inf && y.Kind == Inf || x.IsNaN() && y.IsNaN()
	}
	return x.Exp == y.Exp
}

// Logb is the exponent of the first digit.
func (c *Context) Logb(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	switch {
	case x.Kind == Inf:
		return Infinity(false)
	case x.IsZero():
		c.set(DivisionByZero)
		return Infinity(true)
	}
	return c.Finish(Small(x.Adjusted()))
}

// Scaleb is x * 10**y.
func (c *Context) Scaleb(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	n, ok := c.smallInt(y, 2*(c.Emax+c.Prec))
	if !ok {
		return c.invalid(InvalidOperation)
	}
	if x.Kind == Inf {
		return x
	}
	return c.Finish(finite(x.Neg, x.Coef, x.Exp+n))
}

// smallInt is an operand that must be an integer with exponent 0 in [-limit, limit].
func (c *Context) smallInt(y *Number, limit int64) (int64, bool) {
	if y.Kind != Finite || y.Exp != 0 || !y.Coef.IsInt64() {
		return 0, false
	}
	n := y.Coef.Int64()
	if n > limit {
		return 0, false
	}
	if y.Neg {
		n = -n
	}
	return n, true
}

// Shift moves the digits of x by y places, zeros come in.
func (c *Context) Shift(x, y *Number) *Number { return c.moved(x, y, false) }

// Rotate moves the digits of x around.
func (c *Context) Rotate(x, y *Number) *Number { return c.moved(x, y, true) }

func (c *Context) moved(x, y *Number, around bool) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	n, ok := c.smallInt(y, c.Prec)
	if !ok {
		return c.invalid(InvalidOperation)
	}
	if x.Kind == Inf {
		return x
	}
	if n == 0 && x.Digits() <= c.Prec {
		return x
	}
	if around && n < 0 {
		n += c.Prec
	}
	if c.noRoom(max(n, x.Digits())) || around && c.noRoom(c.Prec) {
		return nan
	}
	coef := x.Coef
	if x.Digits() > c.Prec {
		coef = new(big.Int).Rem(coef, pow10(c.Prec))
	}
	if n < 0 {
		return finite(x.Neg, new(big.Int).Quo(coef, pow10(-n)), x.Exp)
	}
	low, high := coef, new(big.Int)
	if digits(coef) > c.Prec-n {
		high, low = new(big.Int).QuoRem(coef, pow10(c.Prec-n), new(big.Int))
	}
	r := new(big.Int).Mul(low, pow10(n))
	if around {
		r.Add(r, high)
	}
	return finite(x.Neg, r, x.Exp)
}

// Logical is x op y digit by digit, for numbers of zeros and ones.
func (c *Context) Logical(x, y *Number, op func(a, b byte) byte) *Number {
	a, ok1 := c.bits(x)
	b, ok2 := c.bits(y)
	if !ok1 || !ok2 {
		return c.invalid(InvalidOperation)
	}
	n := max(len(a), len(b))
	a, b = strings.Repeat("0", n-len(a))+a, strings.Repeat("0", n-len(b))+b
	out := make([]byte, n)
	for i := range out {
		out[i] = op(a[i]-'0', b[i]-'0') + '0'
	}
	coef, _ := new(big.Int).SetString("0"+string(out), 10)
	return finite(false, coef, 0)
}

// bits are the digits of a logical operand, at most as many as the precision.
func (c *Context) bits(x *Number) (string, bool) {
	if x.Kind != Finite || x.Neg || x.Exp != 0 {
		return "", false
	}
	s := x.Coef.String()
	if strings.Trim(s, "01") != "" {
		return "", false
	}
	if int64(len(s)) > c.Prec {
		s = s[int64(len(s))-c.Prec:]
	}
	return s, true
}

// Invert swaps zeros and ones, to the full precision.
func (c *Context) Invert(x *Number) *Number {
	if c.noRoom(c.Prec) {
		return nan
	}
	ones, _ := new(big.Int).SetString(strings.Repeat("1", int(c.Prec)), 10)
	return c.Logical(x, finite(false, ones, 0), func(a, b byte) byte { return a ^ b })
}
