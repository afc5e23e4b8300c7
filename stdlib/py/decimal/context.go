package decimal

import "math/big"

// Status is a set of conditions.
type Status uint32

// The conditions, as bits; those of InvalidOperation come first.
const (
	InvalidOperation Status = 1 << iota
	ConversionSyntax
	DivisionImpossible
	DivisionUndefined
	InvalidContext
	FloatOperation
	DivisionByZero
	Overflow
	Underflow
	Subnormal
	Inexact
	Rounded
	Clamped
	// NoMemory: the result would have more digits than there is room for.
	NoMemory
)

// AnyInvalid are the conditions that make the signal InvalidOperation.
const AnyInvalid = InvalidOperation | ConversionSyntax | DivisionImpossible | DivisionUndefined | InvalidContext

// Rounding is a rounding mode.
type Rounding uint8

// The rounding modes, in the order of the names in Roundings.
const (
	RoundUp Rounding = iota
	RoundDown
	RoundCeiling
	RoundFloor
	RoundHalfUp
	RoundHalfDown
	RoundHalfEven
	Round05Up
)

// Roundings are the names of the modes in scripts.
var Roundings = []string{"ROUND_UP", "ROUND_DOWN", "ROUND_CEILING", "ROUND_FLOOR", "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_05UP"}

// The limits of contexts.
const (
	MaxPrec  = 999_999_999_999_999_999
	MaxEmax  = MaxPrec
	MinEmin  = -MaxPrec
	MinEtiny = MinEmin - (MaxPrec - 1)
)

// Context is how operations round, and what they met.
type Context struct {
	Prec       int64
	Emin, Emax int64
	Rounding   Rounding
	Clamp      bool
	Status     Status
}

// Widest is the context in which numbers are exact.
func Widest() *Context {
	return &Context{Prec: MaxPrec, Emin: MinEmin, Emax: MaxEmax, Rounding: RoundHalfEven}
}

// Etiny is the least exponent, Etop the greatest of a full coefficient.
func (c *Context) Etiny() int64 { return c.Emin - (c.Prec - 1) }

// Etop is the greatest exponent of a coefficient of full length.
func (c *Context) Etop() int64 { return c.Emax - (c.Prec - 1) }

func (c *Context) set(s Status) { c.Status |= s }

// work is a context for intermediate results: no limits, half even.
func work(prec int64) *Context {
	w := Widest()
	w.Prec = prec
	return w
}

var nan = &Number{Kind: QNaN, Coef: zero}

func (c *Context) invalid(s Status) *Number {
	c.set(s)
	return nan
}

// noRoom is true, and the condition set, when a coefficient of n digits can't be made.
func (c *Context) noRoom(n int64) bool {
	if n > maxDigits {
		c.set(NoMemory)
		return true
	}
	return false
}

// nans is the result of an operation with a NaN among its operands, nil for none.
func (c *Context) nans(xs ...*Number) *Number {
	var first *Number
	for _, x := range xs {
		if x.Kind == SNaN {
			c.set(InvalidOperation)
			y := *x
			y.Kind = QNaN
			return c.Finish(&y)
		}
		if first == nil && x.Kind == QNaN {
			first = x
		}
	}
	if first == nil {
		return nil
	}
	return c.Finish(first)
}

// Finish rounds an exact result into the context.
func (c *Context) Finish(x *Number) *Number {
	switch {
	case x.Kind == Inf:
		return x
	case x.IsNaN():
		return c.cutPayload(x)
	case x.IsZero():
		return c.finishZero(x)
	}
	n := x.Digits()
	expMin := n + x.Exp - c.Prec
	if expMin > c.Etop() {
		return c.overflow(x.Neg)
	}
	etiny := c.Etiny()
	subnormal := expMin < etiny
	if subnormal {
		expMin = etiny
		c.set(Subnormal)
	}
	if x.Exp < expMin {
		return c.shorten(x, n, expMin, subnormal)
	}
	if etop := c.Etop(); c.Clamp && x.Exp > etop {
		c.set(Clamped)
		return finite(x.Neg, new(big.Int).Mul(x.Coef, pow10(x.Exp-etop)), etop)
	}
	return x
}

func (c *Context) cutPayload(x *Number) *Number {
	room := c.Prec
	if c.Clamp {
		room--
	}
	if x.Digits() <= room || x.Coef.Sign() == 0 {
		return x
	}
	y := *x
	y.Coef = new(big.Int).Rem(x.Coef, pow10(room))
	return &y
}

func (c *Context) finishZero(x *Number) *Number {
	top := c.Emax
	if c.Clamp {
		top = c.Etop()
	}
	exp := min(max(x.Exp, c.Etiny()), top)
	if exp == x.Exp {
		return x
	}
	c.set(Clamped)
	return finite(x.Neg, zero, exp)
}

// shorten drops the digits below 10**exp.
func (c *Context) shorten(x *Number, n, exp int64, subnormal bool) *Number {
	coef, inexact := roundOff(x, n, exp-x.Exp, c.Rounding)
	if digits(coef) > c.Prec { // 999… became 1000…
		coef.Quo(coef, ten)
		exp++
	}
	if exp > c.Etop() {
		return c.overflow(x.Neg)
	}
	c.set(Rounded)
	if inexact {
		c.set(Inexact)
		if subnormal {
			c.set(Underflow)
		}
	}
	if coef.Sign() == 0 {
		c.set(Clamped)
	}
	return finite(x.Neg, coef, exp)
}

// overflow is infinity or the greatest number, as the rounding has it.
func (c *Context) overflow(neg bool) *Number {
	c.set(Overflow | Inexact | Rounded)
	switch {
	case c.Rounding == RoundDown, c.Rounding == Round05Up, c.Rounding == RoundCeiling && neg, c.Rounding == RoundFloor && !neg:
		if c.noRoom(c.Prec) {
			return nan
		}
		return finite(neg, new(big.Int).Sub(pow10(c.Prec), one), c.Etop())
	}
	return Infinity(neg)
}

// roundOff is the coefficient of x, of n digits, without its last k > 0 digits.
func roundOff(x *Number, n, k int64, mode Rounding) (coef *big.Int, inexact bool) {
	q, r := new(big.Int), new(big.Int)
	half := -1 // how the rest compares with a half
	if k > n {
		r = x.Coef
	} else {
		p := pow10(k)
		q.QuoRem(x.Coef, p, r)
		half = new(big.Int).Lsh(r, 1).Cmp(p)
	}
	if r.Sign() == 0 {
		return q, false
	}
	if roundsUp(mode, x.Neg, q, half) {
		q.Add(q, one)
	}
	return q, true
}

// roundsUp: does q with a rest go away from zero?
func roundsUp(mode Rounding, neg bool, q *big.Int, half int) bool {
	switch mode {
	case RoundUp:
		return true
	case RoundCeiling:
		return !neg
	case RoundFloor:
		return neg
	case RoundHalfUp:
		return half >= 0
	case RoundHalfDown:
		return half > 0
	case RoundHalfEven:
		return half > 0 || half == 0 && q.Bit(0) == 1
	case Round05Up:
		last := new(big.Int).Rem(q, ten).Int64()
		return last == 0 || last == 5
	}
	return false
}
