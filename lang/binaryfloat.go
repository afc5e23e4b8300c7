package lang

import (
	"math"
	"math/big"
)

func floatBinary(th *Thread, op BinaryOp, x, y float64) (Value, error) {
	switch op {
	case OpAdd:
		return Float(x + y), nil
	case OpSub:
		return Float(x - y), nil
	case OpMul:
		return Float(x * y), nil
	case OpDiv:
		if y == 0 {
			return Unbound, th.Raise(ZeroDivisionError, "float division by zero")
		}
		return Float(x / y), nil
	case OpFloorDiv, OpMod, OpDivmod:
		if y == 0 {
			text := "float floor division by zero"
			if op == OpMod {
				text = "float modulo"
			} else if op == OpDivmod {
				text = "float divmod()"
			}
			return Unbound, th.Raise(ZeroDivisionError, "%s", text)
		}
		q, m := floatDivMod(x, y)
		return divResult(op, Float(q), Float(m)), nil
	case OpPow:
		return floatPow(th, x, y)
	}
	return NotImplemented, nil
}

func floatDivMod(x, y float64) (q, m float64) {
	m = math.Mod(x, y)
	q = (x - m) / y
	if m != 0 {
		if (y < 0) != (m < 0) {
			m += y
			q--
		}
	} else {
		m = math.Copysign(0, y)
	}
	if q != 0 {
		f := math.Floor(q)
		if q-f > 0.5 {
			f++
		}
		return f, m
	}
	return math.Copysign(0, x/y), m
}

func floatPow(th *Thread, x, y float64) (Value, error) {
	if x == 0 && y < 0 && !math.IsInf(y, -1) {
		return Unbound, th.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	}
	if x < 0 && y != math.Floor(y) && !math.IsInf(x, 0) && !math.IsInf(y, 0) && !math.IsNaN(y) {
		return complexPow(th, complex(x, 0), complex(y, 0))
	}
	r := Pow(x, y)
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return Unbound, th.RaiseArgs(OverflowError, Int(34), NewStr("Numerical result out of range"))
	}
	return Float(r), nil
}

func complexBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, err, ok := toComplex(th, a)
	if !ok || err != nil {
		return NotImplemented, err
	}
	y, err, ok := toComplex(th, b)
	if !ok || err != nil {
		return NotImplemented, err
	}
	switch op {
	case OpAdd:
		return NewComplex(x + y), nil
	case OpSub:
		return NewComplex(x - y), nil
	case OpMul:
		return NewComplex(mulComplex(x, y)), nil
	case OpDiv:
		if y == 0 {
			return Unbound, th.Raise(ZeroDivisionError, "complex division by zero")
		}
		return NewComplex(divComplex(x, y)), nil
	case OpPow:
		return complexPow(th, x, y)
	case OpFloorDiv:
		return NotImplemented, nil
	}
	return NotImplemented, nil
}

func toComplex(th *Thread, v Value) (complex128, error, bool) {
	if c, ok := AsComplex(v); ok {
		return c, nil, true
	}
	n := number(v)
	if n.IsUnbound() {
		return 0, nil, false
	}
	f, err := FloatOf(th, n)
	return complex(f, 0), err, true
}

func mulComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// divComplex is Smith's algorithm, as CPython divides.
func divComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case math.Abs(c) >= math.Abs(d):
		r := d / c
		n := c + float64(d*r)
		return complex((a+float64(b*r))/n, (b-float64(a*r))/n)
	case math.Abs(d) >= math.Abs(c):
		r := c / d
		n := float64(c*r) + d
		return complex((float64(a*r)+b)/n, (float64(b*r)-a)/n)
	}
	return complex(math.NaN(), math.NaN())
}

func complexPow(th *Thread, x, y complex128) (Value, error) {
	p, ok := complexPower(x, y)
	switch {
	case !ok:
		return Unbound, th.Raise(ZeroDivisionError, "0.0 to a negative or complex power")
	case math.IsInf(real(p), 0) || math.IsInf(imag(p), 0):
		return Unbound, th.Raise(OverflowError, "complex exponentiation")
	}
	return NewComplex(p), nil
}

// complexPower is x**y; ok is false for a division by zero.
func complexPower(x, y complex128) (p complex128, ok bool) {
	if n := real(y); imag(y) == 0 && n == math.Floor(n) && math.Abs(n) <= 100 {
		p = complexPowInt(x, int(math.Abs(n)))
		if n > 0 {
			return p, true
		}
		return divComplex(1, p), p != 0
	}
	if x == 0 {
		return 0, imag(y) == 0 && real(y) >= 0
	}
	e := &Elementary
	vabs := hypot(real(x), imag(x))
	length := Pow(vabs, real(y))
	at := e.Atan2(imag(x), real(x))
	phase := at * real(y)
	if imag(y) != 0 {
		length *= e.Exp(-at * imag(y))
		phase += imag(y) * e.Log(vabs)
	}
	return complex(length*e.Cos(phase), length*e.Sin(phase)), true
}

func complexPowInt(x complex128, n int) complex128 {
	r, p := complex128(1), x
	for mask := 1; mask > 0 && n >= mask; mask <<= 1 {
		if n&mask != 0 {
			r = mulComplex(r, p)
		}
		p = mulComplex(p, p)
	}
	return r
}

// Pow is C's pow: math.Pow differs from it by an ulp for some arguments, so integer
// powers of exact results go through exact arithmetic where that is short.
func Pow(x, y float64) float64 {
	if y == 2 {
		return x * x
	}
	if y == 0.5 && !math.IsInf(x, 0) && x > 0 {
		return math.Sqrt(x)
	}
	return powExact(x, y)
}

// powHalves is x**(n+½), rounded once: the square root as a sum of two floats, then
// n products of such sums.
func powHalves(x float64, n int) float64 {
	r := math.Sqrt(x)
	p := pair{r, math.FMA(-r, r, x) / (2 * r)}
	for range n {
		p = p.times(x)
	}
	return p.hi + p.lo
}

// pair is the unevaluated sum of two floats, the second within half an ulp of the first.
type pair struct{ hi, lo float64 }

func (p pair) times(x float64) pair {
	h := p.hi * x
	l := math.FMA(p.hi, x, -h) + p.lo*x
	s := h + l
	return pair{s, l - (s - h)}
}

func powExact(x, y float64) float64 {
	if n := 2 * y; n == math.Trunc(n) && y != math.Trunc(y) && y > 0 && y < 4 && x > 1e-60 && x < 1e60 {
		return powHalves(x, int(y))
	}
	if y != math.Trunc(y) || math.Abs(y) > 64 || math.IsInf(x, 0) || math.IsNaN(x) || x == 0 {
		return accuratePow(x, y)
	}
	p := new(big.Float).SetPrec(53 * 3).SetInt64(1)
	b := new(big.Float).SetPrec(53 * 3).SetFloat64(x)
	for n := int(math.Abs(y)); n > 0; n >>= 1 {
		if n&1 != 0 {
			p.Mul(p, b)
		}
		b.Mul(b, b)
	}
	if y < 0 {
		p.Quo(big.NewFloat(1).SetPrec(53*3), p)
	}
	f, _ := p.Float64()
	return f
}
