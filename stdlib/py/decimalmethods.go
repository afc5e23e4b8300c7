package py

import (
	"math"
	"math/big"
	"strconv"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/stdlib/py/decimal"
)

var decimalRows = []lang.Def{
	{Sig: "adjusted(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		x := numberOf(a[0])
		if x.IsSpecial() {
			return lang.Int(0), nil
		}
		return lang.Int(x.Adjusted()), nil
	}},
	{Sig: "as_integer_ratio(self, /)", Fn: decimalRatio},
	{Sig: "as_tuple(self, /)", Fn: decimalTuple},
	{Sig: "canonical(self, /)", Fn: decimalSelf},
	{Sig: "conjugate(self, /)", Fn: decimalSelf},
	{Sig: "__copy__(self, /)", Fn: decimalSelf},
	{Sig: "__deepcopy__(self, memo, /)", Fn: decimalSelf},
	{Sig: "real", Flags: lang.DefProperty, Fn: decimalSelf},
	{Sig: "imag", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return newDec(decimal.Small(0)), nil }},
	{Sig: "radix(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return newDec(decimal.Small(10)), nil }},
	{Sig: "fma(self, other, third, context=None)", Fn: decimalFMA},
	{Sig: "from_float(cls, f, /)", Flags: lang.DefClassMethod, Fn: decimalFromFloat},
	{Sig: "number_class(self, context=None)", Fn: func(th *Thread, a []Value) (Value, error) {
		c, err := optionalContext(th, a[1])
		if err != nil {
			return fail(err)
		}
		return lang.NewStr(c.Class(numberOf(a[0]))), nil
	}},
	{Sig: "quantize(self, exp, rounding=None, context=None)", Fn: decimalQuantize},
	{Sig: "same_quantum(self, other, context=None)", Fn: func(th *Thread, a []Value) (Value, error) {
		if _, err := optionalContext(th, a[2]); err != nil {
			return fail(err)
		}
		y, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		return lang.Bool(decimal.SameQuantum(numberOf(a[0]), y)), nil
	}},
	{Sig: "to_eng_string(self, context=None)", Fn: func(th *Thread, a []Value) (Value, error) {
		c, err := optionalContext(th, a[1])
		if err != nil {
			return fail(err)
		}
		return c.text(numberOf(a[0]), true), nil
	}},
	{Sig: "to_integral(self, rounding=None, context=None)", Fn: decimalIntegral(false)},
	{Sig: "to_integral_value(self, rounding=None, context=None)", Fn: decimalIntegral(false)},
	{Sig: "to_integral_exact(self, rounding=None, context=None)", Fn: decimalIntegral(true)},
	{Sig: "__round__(self, ndigits=..., /)", Fn: decimalRound},
	{Sig: "__floor__(self, /)", Fn: decimalWhole(decimal.RoundFloor)},
	{Sig: "__ceil__(self, /)", Fn: decimalWhole(decimal.RoundCeiling)},
	{Sig: "__trunc__(self, /)", Fn: decimalWhole(decimal.RoundDown)},
	{Sig: "__complex__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		f, err := decimalFloat(th, a[0])
		return lang.NewComplex(complex(f, 0)), err
	}},
	{Sig: "__reduce__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		text := lang.NewStr(numberOf(a[0]).Text(false, "E"))
		return lang.NewTuple(lang.ClassOf(a[0]).Value(), lang.NewTuple(text)), nil
	}},
}

func decimalSelf(th *Thread, a []Value) (Value, error) { return a[0], nil }

func (c *decContext) text(x *decimal.Number, eng bool) Value {
	e := "E"
	if c.capitals == 0 {
		e = "e"
	}
	return lang.NewStr(x.Text(eng, e))
}

func decimalRatio(th *Thread, a []Value) (Value, error) {
	x := numberOf(a[0])
	switch {
	case x.IsNaN():
		return fail(th.ValueErrorf("cannot convert NaN to integer ratio"))
	case x.IsSpecial():
		return fail(th.Raise(lang.OverflowError, "cannot convert Infinity to integer ratio"))
	}
	r, ok := ratioOf(x)
	if !ok {
		return fail(th.Raise(lang.MemoryError, ""))
	}
	return lang.NewTuple(lang.BigInt(r.Num()), lang.BigInt(r.Denom())), nil
}

// ratioOf is a finite number as a fraction, unless it is too long.
func ratioOf(x *decimal.Number) (*big.Rat, bool) {
	const longest = 1 << 21
	if x.IsZero() {
		return new(big.Rat), true
	}
	if x.Exp > longest || x.Exp < -longest {
		return nil, false
	}
	num, p := new(big.Int).Set(x.Coef), new(big.Int)
	if x.Neg {
		num.Neg(num)
	}
	if x.Exp >= 0 {
		return new(big.Rat).SetInt(num.Mul(num, p.Exp(big.NewInt(10), big.NewInt(x.Exp), nil))), true
	}
	return new(big.Rat).SetFrac(num, p.Exp(big.NewInt(10), big.NewInt(-x.Exp), nil)), true
}

func decimalTuple(th *Thread, a []Value) (Value, error) {
	x := numberOf(a[0])
	sign := lang.Int(0)
	if x.Neg {
		sign = lang.Int(1)
	}
	text, exp := x.Coef.String(), lang.Int(x.Exp)
	switch x.Kind {
	case decimal.Inf:
		exp = lang.NewStr("F")
	case decimal.QNaN:
		exp = lang.NewStr("n")
	case decimal.SNaN:
		exp = lang.NewStr("N")
	}
	if x.IsNaN() && text == "0" {
		text = ""
	}
	digits := make([]Value, len(text))
	for i := range digits {
		digits[i] = lang.Int(int64(text[i] - '0'))
	}
	return th.Call(decimalsOf(th).tupleClass, []Value{sign, lang.NewTuple(digits...), exp})
}

func decimalFMA(th *Thread, a []Value) (Value, error) {
	c, err := optionalContext(th, a[3])
	if err != nil {
		return fail(err)
	}
	n, err := operands(th, a[0], a[1], a[2])
	if err != nil {
		return fail(err)
	}
	return c.run(th, func(w *decimal.Context) *decimal.Number { return w.FMA(n[0], n[1], n[2]) })
}

func decimalFromFloat(th *Thread, a []Value) (Value, error) {
	n := operand(a[1])
	if f, ok := lang.AsFloat(a[1]); ok && n == nil {
		n = floatNumber(f)
	} else if !lang.IsIntValue(a[1]) {
		return fail(th.TypeErrorf("argument must be int or float"))
	}
	if a[0] == decimalClass.Value() {
		return newDec(n), nil
	}
	return th.Call(a[0], []Value{newDec(n)})
}

func decimalQuantize(th *Thread, a []Value) (Value, error) {
	c, err := optionalContext(th, a[3])
	if err != nil {
		return fail(err)
	}
	mode := c.Rounding
	if !a[2].IsNone() {
		if mode, err = roundingOf(th, a[2]); err != nil {
			return fail(err)
		}
	}
	y, err := mustOperand(th, a[1])
	if err != nil {
		return fail(err)
	}
	return c.run(th, func(w *decimal.Context) *decimal.Number {
		w.Rounding = mode
		return w.Quantize(numberOf(a[0]), y)
	})
}

func decimalIntegral(exact bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		c, err := optionalContext(th, a[2])
		if err != nil {
			return fail(err)
		}
		mode := c.Rounding
		if !a[1].IsNone() {
			if mode, err = roundingOf(th, a[1]); err != nil {
				return fail(err)
			}
		}
		return c.run(th, func(w *decimal.Context) *decimal.Number {
			w.Rounding = mode
			return w.Integral(numberOf(a[0]), exact)
		})
	}
}

func decimalRound(th *Thread, a []Value) (Value, error) {
	if a[1].IsUnbound() {
		return decimalInt(th, a[0], decimal.RoundHalfEven)
	}
	if !lang.IsIntValue(a[1]) {
		return fail(th.TypeErrorf("optional arg must be an integer"))
	}
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	to := &decimal.Number{Coef: big.NewInt(1), Exp: -int64(n)}
	c := contextOf(decimalsOf(th).context())
	return c.run(th, func(w *decimal.Context) *decimal.Number {
		w.Rounding = decimal.RoundHalfEven
		return w.Quantize(numberOf(a[0]), to)
	})
}

func decimalWhole(mode decimal.Rounding) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return decimalInt(th, a[0], mode) }
}

// decimalInt is a Decimal rounded to an int.
func decimalInt(th *Thread, v Value, mode decimal.Rounding) (Value, error) {
	x := numberOf(v)
	switch {
	case x.IsNaN():
		return fail(th.ValueErrorf("cannot convert NaN to integer"))
	case x.IsSpecial():
		return fail(th.Raise(lang.OverflowError, "cannot convert Infinity to integer"))
	}
	w := decimal.Widest()
	w.Rounding = mode
	i := w.Integral(x, false).IntPart()
	if i == nil {
		return fail(th.Raise(lang.MemoryError, ""))
	}
	return lang.BigInt(i), nil
}

func decimalFloat(th *Thread, v Value) (float64, error) {
	x := numberOf(v)
	if x.Kind == decimal.SNaN {
		return 0, th.ValueErrorf("cannot convert signaling NaN to float")
	}
	text := x.Text(false, "E")
	if x.Kind == decimal.QNaN {
		if x.Neg {
			return math.Copysign(math.NaN(), -1), nil
		}
		return math.NaN(), nil
	}
	f, _ := strconv.ParseFloat(text, 64)
	return f, nil
}

var contextRows = []lang.Def{
	{Sig: "Etiny(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(contextOf(a[0]).Etiny()), nil }},
	{Sig: "Etop(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(contextOf(a[0]).Etop()), nil }},
	{Sig: "__copy__(self, /)", Fn: contextCopy},
	{Sig: "copy(self, /)", Fn: contextCopy},
	{Sig: "__reduce__(self, /)", Fn: contextReduce},
	{Sig: "clear_flags(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { contextOf(a[0]).flags = 0; return none, nil }},
	{Sig: "clear_traps(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { contextOf(a[0]).traps = 0; return none, nil }},
	{Sig: "canonical(self, x, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		if numberOf(a[1]) == nil {
			return fail(th.TypeErrorf("argument must be a Decimal"))
		}
		return a[1], nil
	}},
	{Sig: "copy_decimal(self, x, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		if numberOf(a[1]) != nil {
			return a[1], nil
		}
		n, err := mustOperand(th, a[1])
		return newDec(n), err
	}},
	{Sig: "create_decimal(self, num='0', /)", Fn: contextCreate},
	{Sig: "create_decimal_from_float(self, f, /)", Fn: contextCreateFloat},
	{Sig: "divmod(self, x, y, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		n, err := operands(th, a[1], a[2])
		if err != nil {
			return fail(err)
		}
		return contextOf(a[0]).divmod(th, n[0], n[1])
	}},
	{Sig: "fma(self, x, y, z, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		n, err := operands(th, a[1], a[2], a[3])
		if err != nil {
			return fail(err)
		}
		return contextOf(a[0]).run(th, func(w *decimal.Context) *decimal.Number { return w.FMA(n[0], n[1], n[2]) })
	}},
	{Sig: "number_class(self, x, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		n, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		return lang.NewStr(contextOf(a[0]).Class(n)), nil
	}},
	{Sig: "power(self, a, b, modulo=None)", Fn: contextPower},
	{Sig: "radix(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return newDec(decimal.Small(10)), nil }},
	{Sig: "same_quantum(self, x, y, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		n, err := operands(th, a[1], a[2])
		if err != nil {
			return fail(err)
		}
		return lang.Bool(decimal.SameQuantum(n[0], n[1])), nil
	}},
	{Sig: "to_eng_string(self, x, /)", Fn: contextText(true)},
	{Sig: "to_sci_string(self, x, /)", Fn: contextText(false)},
	{Sig: "_apply(self, x, /)", Fn: contextUnary((*decimal.Context).Finish)},
}

func contextCopy(th *Thread, a []Value) (Value, error) {
	c := *contextOf(a[0])
	return c.value(), nil
}

func contextText(eng bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		n, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		return contextOf(a[0]).text(n, eng), nil
	}
}

// contextCreate rounds what Decimal() would make; blanks are not allowed.
func contextCreate(th *Thread, a []Value) (Value, error) {
	c := contextOf(a[0])
	text := ""
	if s, ok := lang.AsStr(a[1]); ok {
		text = asciiNumber(s.String(), false)
	} else if t, ok := sequenceOf(a[1]); ok {
		var err error
		if text, err = tupleText(th, t); err != nil {
			return fail(err)
		}
	} else {
		n, err := exactNumber(th, c, a[1])
		if err != nil {
			return fail(err)
		}
		return c.create(th, n)
	}
	n := decimal.Parse(text)
	if n == nil {
		return newDec(quietNaN), c.raise(th, decimal.ConversionSyntax)
	}
	return c.create(th, n)
}

func (c *decContext) create(th *Thread, n *decimal.Number) (Value, error) {
	room := c.Prec
	if c.Clamp {
		room--
	}
	if n.IsNaN() && n.Coef.Sign() != 0 && n.Digits() > room {
		return newDec(quietNaN), c.raise(th, decimal.ConversionSyntax)
	}
	return c.run(th, func(w *decimal.Context) *decimal.Number { return w.Finish(n) })
}

func contextCreateFloat(th *Thread, a []Value) (Value, error) {
	c := contextOf(a[0])
	if f, ok := lang.AsFloat(a[1]); ok && !lang.IsIntValue(a[1]) {
		return c.create(th, floatNumber(f))
	}
	if !lang.IsIntValue(a[1]) {
		return fail(th.TypeErrorf("argument must be int or float"))
	}
	return c.create(th, operand(a[1]))
}

func contextPower(th *Thread, a []Value) (Value, error) {
	n, err := operands(th, a[1], a[2])
	if err != nil {
		return fail(err)
	}
	if a[3].IsNone() {
		return contextOf(a[0]).run(th, func(w *decimal.Context) *decimal.Number { return w.Pow(n[0], n[1]) })
	}
	m, err := mustOperand(th, a[3])
	if err != nil {
		return fail(err)
	}
	return contextOf(a[0]).run(th, func(w *decimal.Context) *decimal.Number { return w.PowMod(n[0], n[1], m) })
}

func (c *decContext) divmod(th *Thread, x, y *decimal.Number) (Value, error) {
	w := c.Context
	w.Status = 0
	q, r := w.DivMod(x, y)
	if err := c.raise(th, w.Status); err != nil {
		return fail(err)
	}
	return lang.NewTuple(newDec(q), newDec(r)), nil
}
