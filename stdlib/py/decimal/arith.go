package decimal

import "math/big"

// Plus is +x: x rounded, no zero of negative sign but when rounding to the floor.
func (c *Context) Plus(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	if x.IsZero() {
		x = x.WithSign(x.Neg && c.Rounding == RoundFloor)
	}
	return c.Finish(x)
}

// Minus is 0 - x.
func (c *Context) Minus(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	if x.IsZero() {
		return c.Finish(x.WithSign(c.Rounding == RoundFloor))
	}
	return c.Finish(x.WithSign(!x.Neg))
}

// Abs is |x| rounded.
func (c *Context) Abs(x *Number) *Number {
	if x.Neg {
		return c.Minus(x)
	}
	return c.Plus(x)
}

// Add is x + y.
func (c *Context) Add(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	switch {
	case x.Kind == Inf && y.Kind == Inf && x.Neg != y.Neg:
		return c.invalid(InvalidOperation)
	case x.Kind == Inf:
		return x
	case y.Kind == Inf:
		return y
	}
	r := c.sum(x, y)
	if r == nil {
		return nan
	}
	return c.Finish(r)
}

// Sub is x - y.
func (c *Context) Sub(x, y *Number) *Number {
	if y.IsNaN() {
		return c.nans(x, y)
	}
	return c.Add(x, y.WithSign(!y.Neg))
}

// sum is x + y, as exact as the precision needs; nil without room.
func (c *Context) sum(x, y *Number) *Number {
	exp := min(x.Exp, y.Exp)
	switch {
	case x.IsZero() && y.IsZero():
		neg := x.Neg && y.Neg || x.Neg != y.Neg && c.Rounding == RoundFloor
		return finite(neg, zero, exp)
	case x.IsZero():
		return c.lower(y, max(exp, y.Exp-c.Prec-1))
	case y.IsZero():
		return c.lower(x, max(exp, x.Exp-c.Prec-1))
	}
	x, y = c.align(x, y)
	if x == nil {
		return nil
	}
	s := new(big.Int)
	if x.Neg == y.Neg {
		return finite(x.Neg, s.Add(x.Coef, y.Coef), x.Exp)
	}
	s.Sub(x.Coef, y.Coef)
	switch s.Sign() {
	case 0:
		return finite(c.Rounding == RoundFloor, s, x.Exp)
	case 1:
		return finite(x.Neg, s, x.Exp)
	}
	return finite(y.Neg, s.Neg(s), x.Exp)
}

// lower writes x with an exponent that is not greater.
func (c *Context) lower(x *Number, exp int64) *Number {
	if x.Exp == exp {
		return x
	}
	if c.noRoom(x.Exp - exp) {
		return nil
	}
	return finite(x.Neg, new(big.Int).Mul(x.Coef, pow10(x.Exp-exp)), exp)
}

// align gives both the same exponent; a number too small to matter but for
// rounding becomes a 1 just below the other's last digit.
func (c *Context) align(x, y *Number) (*Number, *Number) {
	switch {
	case x.Exp == y.Exp:
		return x, y
	case x.Exp < y.Exp:
		y, x = c.align(y, x)
		return x, y
	}
	exp := x.Exp + min(-1, x.Digits()-c.Prec-2)
	if y.Adjusted() < exp {
		y = finite(y.Neg, one, exp)
	}
	x = c.lower(x, y.Exp)
	return x, y
}

// Mul is x * y.
func (c *Context) Mul(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	if x.Kind == Inf || y.Kind == Inf {
		if x.IsZero() || y.IsZero() {
			return c.invalid(InvalidOperation)
		}
		return Infinity(x.Neg != y.Neg)
	}
	return c.Finish(product(x, y))
}

func product(x, y *Number) *Number {
	return finite(x.Neg != y.Neg, new(big.Int).Mul(x.Coef, y.Coef), x.Exp+y.Exp)
}

// FMA is x * y + z, rounded once.
func (c *Context) FMA(x, y, z *Number) *Number {
	var p *Number
	switch {
	case x.Kind == SNaN || y.Kind == SNaN:
		return c.nans(x, y)
	case x.Kind == QNaN || y.Kind == QNaN:
		return c.nans(x, y, z)
	case x.Kind == Inf || y.Kind == Inf:
		if x.IsZero() || y.IsZero() {
			return c.invalid(InvalidOperation)
		}
		p = Infinity(x.Neg != y.Neg)
	default:
		p = product(x, y)
	}
	return c.Add(p, z)
}

// Div is x / y.
func (c *Context) Div(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	neg := x.Neg != y.Neg
	switch {
	case x.Kind == Inf && y.Kind == Inf:
		return c.invalid(InvalidOperation)
	case x.Kind == Inf:
		return Infinity(neg)
	case y.Kind == Inf:
		c.set(Clamped)
		return finite(neg, zero, c.Etiny())
	case y.IsZero() && x.IsZero():
		return c.invalid(DivisionUndefined)
	case y.IsZero():
		c.set(DivisionByZero)
		return Infinity(neg)
	case x.IsZero():
		return c.Finish(finite(neg, zero, x.Exp-y.Exp))
	}
	q := c.quotient(x, y)
	if q == nil {
		return nan
	}
	return c.Finish(q)
}

// quotient is x / y with a digit more than needed, the last one never 0 or 5 if
// there is a rest.
func (c *Context) quotient(x, y *Number) *Number {
	prec := c.Prec
	if prec > maxDigits { // only an exact quotient is possible, which is not that long
		prec = x.Digits() + 4*y.Digits() + 10
	}
	shift := y.Digits() - x.Digits() + prec + 1
	exp := x.Exp - y.Exp - shift
	if c.noRoom(max(shift, -shift)) {
		return nil
	}
	q, r := new(big.Int), new(big.Int)
	if shift >= 0 {
		q.QuoRem(new(big.Int).Mul(x.Coef, pow10(shift)), y.Coef, r)
	} else {
		q.QuoRem(x.Coef, new(big.Int).Mul(y.Coef, pow10(-shift)), r)
	}
	if r.Sign() != 0 {
		if c.noRoom(c.Prec) {
			return nil
		}
		return finite(x.Neg != y.Neg, sticky(q), exp)
	}
	ideal := x.Exp - y.Exp
	q, exp = strip(q, exp, ideal)
	return finite(x.Neg != y.Neg, q, exp)
}

// sticky makes the last digit tell of a rest below it.
func sticky(q *big.Int) *big.Int {
	if new(big.Int).Rem(q, big.NewInt(5)).Sign() == 0 {
		q.Add(q, one)
	}
	return q
}

// strip removes zeros at the end while the exponent is below limit.
func strip(q *big.Int, exp, limit int64) (*big.Int, int64) {
	if q.Sign() == 0 {
		return q, exp
	}
	r := new(big.Int)
	for step := int64(1 << 20); step > 0; {
		if exp+step > limit || int64(q.TrailingZeroBits()) < step {
			step >>= 1
			continue
		}
		d, _ := new(big.Int).QuoRem(q, pow10(step), r)
		if r.Sign() != 0 {
			step >>= 1
			continue
		}
		q, exp = d, exp+step
	}
	return q, exp
}

// divide is the integer quotient and the remainder of finite x and y != 0; ok is
// false, and the condition set, when the quotient is too long.
func (c *Context) divide(x, y *Number) (q *big.Int, r *Number, ok bool) {
	exp := min(x.Exp, y.Exp)
	diff := x.Adjusted() - y.Adjusted()
	if x.IsZero() || diff <= -2 {
		return new(big.Int), c.rescaled(x, exp), true
	}
	if diff > c.Prec || c.noRoom(max(x.Exp-exp, y.Exp-exp)) {
		c.set(DivisionImpossible)
		return nil, nil, false
	}
	a, b := new(big.Int).Mul(x.Coef, pow10(x.Exp-exp)), new(big.Int).Mul(y.Coef, pow10(y.Exp-exp))
	q, m := new(big.Int).QuoRem(a, b, new(big.Int))
	if q.Sign() != 0 && digits(q) > c.Prec {
		c.set(DivisionImpossible)
		return nil, nil, false
	}
	return q, finite(x.Neg, m, exp), true
}

// rescaled is x with the exponent exp if that takes no digits, else x.
func (c *Context) rescaled(x *Number, exp int64) *Number {
	if x.IsZero() {
		return finite(x.Neg, zero, exp)
	}
	if x.Exp-exp > c.Prec {
		return x
	}
	return finite(x.Neg, new(big.Int).Mul(x.Coef, pow10(x.Exp-exp)), exp)
}

// DivMod is x // y and x % y.
func (c *Context) DivMod(x, y *Number) (*Number, *Number) {
	if r := c.nans(x, y); r != nil {
		return r, r
	}
	neg := x.Neg != y.Neg
	switch {
	case x.Kind == Inf && y.Kind == Inf:
		n := c.invalid(InvalidOperation)
		return n, n
	case x.Kind == Inf:
		return Infinity(neg), c.invalid(InvalidOperation)
	case y.Kind == Inf:
		return finite(neg, zero, 0), c.Finish(x)
	case y.IsZero() && x.IsZero():
		n := c.invalid(DivisionUndefined)
		return n, n
	case y.IsZero():
		c.set(DivisionByZero)
		return Infinity(neg), c.invalid(InvalidOperation)
	}
	q, r, ok := c.divide(x, y)
	if !ok {
		return nan, nan
	}
	return finite(neg, q, 0), c.Finish(r)
}

// DivInt is the integer part of x / y.
func (c *Context) DivInt(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	switch {
	case x.Kind == Inf && y.Kind != Inf:
		return Infinity(x.Neg != y.Neg)
	case x.Kind == Finite && !x.IsZero() && y.IsZero():
		c.set(DivisionByZero)
		return Infinity(x.Neg != y.Neg)
	}
	w := *c
	w.Status = 0
	q, _ := w.DivMod(x, y)
	c.set(w.Status & (AnyInvalid | NoMemory))
	return q
}

// Rem is the remainder of DivInt, with the sign of x.
func (c *Context) Rem(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	if x.Kind == Finite && !x.IsZero() && y.IsZero() {
		return c.invalid(InvalidOperation)
	}
	_, r := c.DivMod(x, y)
	return r
}

// RemNear is x - y*n for the integer n nearest to x/y, the even one of two.
func (c *Context) RemNear(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	switch {
	case x.Kind == Inf, y.IsZero() && !x.IsZero():
		return c.invalid(InvalidOperation)
	case y.IsZero():
		return c.invalid(DivisionUndefined)
	case y.Kind == Inf:
		return c.Finish(x)
	}
	q, r, ok := c.divide(x, y)
	if !ok {
		return nan
	}
	b := finite(false, y.Coef, y.Exp)
	twice := finite(false, new(big.Int).Lsh(r.Coef, 1), r.Exp)
	if cmp := order(twice, b); cmp > 0 || cmp == 0 && q.Bit(0) == 1 {
		r = Widest().Sub(r.WithSign(false), b)
		r = r.WithSign(r.Neg != x.Neg)
		if digits(q.Add(q, one)) > c.Prec {
			return c.invalid(DivisionImpossible)
		}
	}
	return c.Finish(r)
}
