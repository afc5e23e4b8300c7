package decimal

import (
	"cmp"
	"math/big"
)

// order is -1, 0 or 1 as x is less than, equal to or greater than y; neither is a NaN.
func order(x, y *Number) int {
	xs, ys := x.Sign(), y.Sign()
	switch {
	case xs != ys || xs == 0:
		return cmp.Compare(xs, ys)
	case x.Kind == Inf || y.Kind == Inf:
		return xs * (b2i(x.Kind == Inf) - b2i(y.Kind == Inf))
	}
	if c := cmp.Compare(x.Adjusted(), y.Adjusted()); c != 0 {
		return xs * c
	}
	a, b := x.Coef, y.Coef
	switch d := x.Exp - y.Exp; {
	case d > 0:
		a = new(big.Int).Mul(a, pow10(d))
	case d < 0:
		b = new(big.Int).Mul(b, pow10(-d))
	}
	return xs * a.Cmp(b)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Order compares numbers that are no NaNs.
func Order(x, y *Number) int { return order(x, y) }

// Compare is -1, 0, 1, or NaN.
func (c *Context) Compare(x, y *Number) *Number {
	if r := c.nans(x, y); r != nil {
		return r
	}
	return Small(int64(order(x, y)))
}

// CompareSignal is Compare to which every NaN is a mistake.
func (c *Context) CompareSignal(x, y *Number) *Number {
	if x.IsNaN() || y.IsNaN() {
		c.set(InvalidOperation)
	}
	return c.Compare(x, y)
}

// CompareTotal orders representations: the exponent counts, NaNs have a place.
func (c *Context) CompareTotal(x, y *Number) *Number { return Small(int64(total(x, y))) }

// CompareTotalMag is CompareTotal without the signs.
func (c *Context) CompareTotalMag(x, y *Number) *Number {
	return c.CompareTotal(x.WithSign(false), y.WithSign(false))
}

func total(x, y *Number) int {
	if x.Neg != y.Neg {
		return b2i(y.Neg) - b2i(x.Neg)
	}
	sign := 1
	if x.Neg {
		sign = -1
	}
	if x.IsNaN() || y.IsNaN() {
		if x.Kind != y.Kind { // sNaN is below NaN
			return sign * cmp.Compare(nanRank(x), nanRank(y))
		}
		return sign * x.Coef.Cmp(y.Coef)
	}
	if c := order(x, y); c != 0 {
		return c
	}
	return sign * cmp.Compare(x.Exp, y.Exp)
}

func nanRank(x *Number) int {
	switch x.Kind {
	case SNaN:
		return 1
	case QNaN:
		return 2
	}
	return 0
}

// pick is max and min: a number wins over a NaN; of equal ones total tells.
func (c *Context) pick(x, y *Number, mag bool, want int) *Number {
	if x.IsNaN() || y.IsNaN() {
		switch {
		case x.Kind == QNaN && !y.IsNaN():
			return c.Finish(y)
		case y.Kind == QNaN && !x.IsNaN():
			return c.Finish(x)
		}
		return c.nans(x, y)
	}
	a, b := x, y
	if mag {
		a, b = x.WithSign(false), y.WithSign(false)
	}
	o := order(a, b)
	if o == 0 {
		o = total(x, y)
	}
	if o == -want {
		return c.Finish(y)
	}
	return c.Finish(x)
}

// Max is the greater of both, MaxMag the one of greater magnitude, Min and MinMag
// the lesser.
func (c *Context) Max(x, y *Number) *Number { return c.pick(x, y, false, 1) }

// MaxMag is the number of greater magnitude.
func (c *Context) MaxMag(x, y *Number) *Number { return c.pick(x, y, true, 1) }

// Min is the lesser of both.
func (c *Context) Min(x, y *Number) *Number { return c.pick(x, y, false, -1) }

// MinMag is the number of lesser magnitude.
func (c *Context) MinMag(x, y *Number) *Number { return c.pick(x, y, true, -1) }

// Class names what kind of number x is in the context.
func (c *Context) Class(x *Number) string {
	sign := "+"
	if x.Neg {
		sign = "-"
	}
	switch {
	case x.Kind == SNaN:
		return "sNaN"
	case x.Kind == QNaN:
		return "NaN"
	case x.Kind == Inf:
		return sign + "Infinity"
	case x.IsZero():
		return sign + "Zero"
	case c.IsNormal(x):
		return sign + "Normal"
	}
	return sign + "Subnormal"
}

// IsNormal: finite, not zero and not below the exponent range.
func (c *Context) IsNormal(x *Number) bool {
	return x.Kind == Finite && !x.IsZero() && x.Adjusted() >= c.Emin
}

// IsSubnormal: not zero and below the exponent range.
func (c *Context) IsSubnormal(x *Number) bool {
	return x.Kind == Finite && !x.IsZero() && x.Adjusted() < c.Emin
}
