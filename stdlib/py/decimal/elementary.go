package decimal

import (
	"math/big"
)

// halfEven is c with the rounding that the elementary functions always have.
func (c *Context) halfEven() *Context {
	w := *c
	w.Rounding, w.Status = RoundHalfEven, 0
	return &w
}

// round finishes x half even, whatever c rounds like.
func (c *Context) round(x *Number) *Number {
	w := c.halfEven()
	r := w.Finish(x)
	c.set(w.Status)
	return r
}

// Sqrt is the square root.
func (c *Context) Sqrt(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	ideal := x.Exp >> 1
	switch {
	case x.IsZero():
		return c.round(finite(x.Neg, zero, ideal))
	case x.Neg:
		return c.invalid(InvalidOperation)
	case x.Kind == Inf:
		return x
	}
	n := x.Digits() + x.Exp&1
	prec := c.Prec
	if prec > maxDigits { // only an exact root is possible
		prec = n
	}
	shift := 2*(prec+1) - n
	shift += shift & 1
	if c.noRoom(max(shift, -shift)) {
		return nan
	}
	coef := new(big.Int).Mul(x.Coef, pow10(x.Exp&1))
	exact := true
	if shift >= 0 {
		coef.Mul(coef, pow10(shift))
	} else {
		r := new(big.Int)
		coef.QuoRem(coef, pow10(-shift), r)
		exact = r.Sign() == 0
	}
	root := new(big.Int).Sqrt(coef)
	exp := ideal - shift/2
	if exact && new(big.Int).Mul(root, root).Cmp(coef) == 0 {
		root, exp = strip(root, exp, ideal)
	} else {
		if c.noRoom(c.Prec) {
			return nan
		}
		root = sticky(root)
	}
	return c.round(finite(false, root, exp))
}

// maxFunction is the greatest precision of the transcendental functions.
const maxFunction = 500_000

// Exp is e**x.
func (c *Context) Exp(x *Number) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	switch {
	case x.Kind == Inf && x.Neg:
		return finite(false, zero, 0)
	case x.Kind == Inf:
		return x
	case x.IsZero():
		return finite(false, one, 0)
	case x.Adjusted() > 20:
		return c.round(finite(false, one, beyond(x.Neg)))
	case c.Prec > maxFunction:
		c.set(NoMemory)
		return nan
	}
	c.set(Inexact | Rounded)
	if x.Adjusted() < -c.Prec-2 {
		return c.round(nearOne(x.Neg, c.Prec))
	}
	return c.round(expNumber(x, c.Prec))
}

// beyond is an exponent outside all ranges.
func beyond(under bool) int64 {
	if under {
		return -hugeExp
	}
	return hugeExp / 2
}

// nearOne is 1 and a little, or 1 less a little.
func nearOne(less bool, prec int64) *Number {
	i := new(big.Int).Set(pow10(prec + 3))
	if less {
		i.Sub(i, one)
	} else {
		i.Add(i, one)
	}
	return finite(false, i, -prec-3)
}

// expNumber is e**x as 10**m * e**s.
func expNumber(x *Number, prec int64) *Number {
	for guard := uint(64); ; guard *= 2 {
		w := uint(prec*3322/1000) + guard
		if a := x.Adjusted(); a > 0 {
			w += uint(a*3322/1000) + 4
		}
		v, l := fixedOf(x, w), ln10(w)
		m, s := new(big.Int).DivMod(v, l, new(big.Int))
		slack := uint(14 + m.BitLen())
		if r := settle(expFixed(s, w), w, slack, prec); r != nil {
			return finite(false, r.Coef, r.Exp+m.Int64())
		}
	}
}

// Ln is the natural logarithm.
func (c *Context) Ln(x *Number) *Number { return c.log(x, false) }

// Log10 is the logarithm to base ten.
func (c *Context) Log10(x *Number) *Number { return c.log(x, true) }

func (c *Context) log(x *Number, common bool) *Number {
	if r := c.nans(x); r != nil {
		return r
	}
	switch {
	case x.IsZero():
		return Infinity(true)
	case x.Neg:
		return c.invalid(InvalidOperation)
	case x.Kind == Inf:
		return x
	}
	coef, exp := strip(x.Coef, x.Exp, 1<<62)
	if coef.Cmp(one) == 0 && (common || exp == 0) {
		return c.round(Small(exp))
	}
	if c.Prec > maxFunction {
		c.set(NoMemory)
		return nan
	}
	c.set(Inexact | Rounded)
	return c.round(logNumber(x, c.Prec, common))
}

// logNumber is ln m + e*ln 10 for x = m * 10**e with m from 0.1 to 10, e = 0 near 1.
func logNumber(x *Number, prec int64, common bool) *Number {
	e := x.Adjusted()
	if e == -1 {
		e = 0
	}
	m := finite(false, x.Coef, x.Exp-e)
	lost := int64(0)
	if e == 0 {
		if d := Widest().Sub(m, finite(false, one, 0)); d.Kind == Finite {
			lost = max(0, -d.Adjusted())
		}
	}
	for guard := uint(64); ; guard *= 2 {
		w := uint((prec+lost)*3322/1000) + guard
		l := ln10(w)
		v := lnFixed(fixedOf(m, w), w)
		v.Add(v, new(big.Int).Mul(l, big.NewInt(e)))
		slack := uint(14 + big.NewInt(e).BitLen())
		if common {
			v.Quo(v.Lsh(v, w), l)
		}
		neg := v.Sign() < 0
		if r := settle(v.Abs(v), w, slack, prec); r != nil {
			return r.WithSign(neg)
		}
	}
}

// Pow is x**y.
func (c *Context) Pow(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	if y.IsZero() {
		if x.IsZero() {
			return c.invalid(InvalidOperation)
		}
		return finite(false, one, 0)
	}
	whole := y.isInteger()
	neg := x.Neg && whole && y.isOdd()
	if x.Neg && !whole && !x.IsZero() {
		return c.invalid(InvalidOperation)
	}
	switch {
	case x.IsZero() && y.Neg, x.Kind == Inf && !y.Neg:
		return Infinity(neg)
	case x.IsZero(), x.Kind == Inf:
		return c.Finish(finite(neg, zero, 0))
	}
	size := order(x.WithSign(false), Small(1))
	switch {
	case size == 0:
		return c.powOne(x, y, whole, neg)
	case y.Kind == Inf && (size > 0) == !y.Neg:
		return Infinity(neg)
	case y.Kind == Inf:
		return finite(neg, zero, 0)
	}
	if r := c.powBounds(x, y, neg); r != nil {
		return r
	}
	if whole && y.Adjusted() < 19 {
		return c.powInt(x, y)
	}
	return c.powReal(x, y, neg)
}

// powOne is a power of 1 or -1: as many zeros as the exponent gives.
func (c *Context) powOne(x, y *Number, whole, neg bool) *Number {
	exp := 1 - c.Prec
	if whole {
		times := int64(0)
		if !y.Neg {
			times = c.Prec
			if i := y.IntPart(); i != nil && i.IsInt64() && i.Int64() < c.Prec {
				times = i.Int64()
			}
		}
		if shift, ok := mul64(x.Exp, times); ok && shift >= exp {
			exp = shift
		} else {
			c.set(Rounded)
		}
	} else {
		c.set(Inexact | Rounded)
	}
	if c.noRoom(-exp) {
		return nan
	}
	if exp > 0 {
		return finite(neg, one, 0)
	}
	return finite(neg, new(big.Int).Set(pow10(-exp)), exp)
}

func mul64(a, b int64) (int64, bool) {
	p := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
	return p.Int64(), p.IsInt64()
}

// powBounds finds powers that are surely outside of the exponent range: the decimal
// logarithm of the result has at least the magnitude of y times a bound for that of x.
func (c *Context) powBounds(x, y *Number, neg bool) *Number {
	a := x.Adjusted()
	low := int64(0) // exponent of a lower bound of |log10 x|
	switch {
	case a > 0 || a < -1:
		if a < 0 {
			a = -a - 1
		}
		low = int64(len(big.NewInt(a).String())) - 1
	default:
		d := Widest().Sub(x.WithSign(false), Small(1))
		low = d.Adjusted() - 2
	}
	if low+y.Adjusted() <= 19 {
		return nil
	}
	under := (order(x.WithSign(false), Small(1)) > 0) == y.Neg
	return c.Finish(finite(neg, one, beyond(under)))
}

// powInt multiplies in a precision that keeps the errors below the last digit.
func (c *Context) powInt(x, y *Number) *Number {
	n := new(big.Int).Abs(y.IntPart())
	w := work(c.Prec + 4 + digits(n))
	w.Emax, w.Emin = MaxEmax, MinEmin
	if c.noRoom(min(w.Prec, x.Digits()*n.Int64())) {
		return nan
	}
	base := x
	if y.Neg {
		w.Prec++
		base = w.Div(Small(1), x)
		w.Prec--
	}
	r := base
	for i := n.BitLen() - 2; i >= 0; i-- {
		r = w.Finish(w.Mul(r, r))
		if n.Bit(i) == 1 {
			r = w.Mul(r, base)
		}
		if r.IsSpecial() || r.IsZero() {
			break
		}
	}
	c.set(w.Status & (Inexact | Rounded | NoMemory))
	if r.Kind == Inf {
		return c.overflow(r.Neg)
	}
	if r.IsZero() && w.Status&Underflow != 0 {
		return c.Finish(finite(r.Neg, one, beyond(true)))
	}
	return c.Finish(r)
}

func (c *Context) powReal(x, y *Number, neg bool) *Number {
	if c.Prec > maxFunction {
		c.set(NoMemory)
		return nan
	}
	w := work(c.Prec + 30 + max(0, y.Adjusted()))
	l := w.Mul(w.Ln(x.WithSign(false)), y)
	c.set(Inexact | Rounded)
	if l.Adjusted() < -c.Prec-2 {
		return c.Finish(nearOne(l.Neg, c.Prec).WithSign(neg))
	}
	w.Prec = c.Prec + 6
	r := w.Exp(l)
	if r.Kind == Inf {
		return c.overflow(neg)
	}
	r = c.Finish(r.WithSign(neg))
	if c.Status&Subnormal != 0 {
		c.set(Underflow)
	}
	return r
}

// PowMod is x**y % z for integers.
func (c *Context) PowMod(x, y, z *Number) *Number {
	if r := c.nans(x, y, z); r != nil {
		return r
	}
	if !x.isInteger() || !y.isInteger() || !z.isInteger() || y.Neg && !y.IsZero() || z.IsZero() || x.IsZero() && y.IsZero() {
		return c.invalid(InvalidOperation)
	}
	if z.Adjusted() >= c.Prec {
		return c.invalid(InvalidOperation)
	}
	mod := new(big.Int).Abs(z.IntPart())
	exp := y.IntPart()
	if exp == nil || c.noRoom(x.Exp) {
		c.set(NoMemory)
		return nan
	}
	base := new(big.Int).Abs(x.IntPart())
	return c.Finish(finite(x.Neg && y.isOdd(), new(big.Int).Exp(base, exp, mod), 0))
}
