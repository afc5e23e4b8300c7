package py

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/stdlib/py/decimal"
)

func init() {
	ofDecimal, ofContext := tableRows()
	c := decimalClass
	lang.DefineMethods(c, append(ofDecimal, decimalRows...))
	c.New = &lang.Def{Sig: "__new__(cls, value=..., context=None)", Fn: newDecimal}
	c.Binary, c.Unary, c.Compare, c.PowMod = decimalOperator, decimalSigned, decimalCompare, decimalPowMod
	c.Hash = decimalHash
	c.Truth = func(th *Thread, v Value) (bool, error) { return !numberOf(v).IsZero(), nil }
	c.Int = func(th *Thread, v Value) (Value, error) { return decimalInt(th, v, decimal.RoundDown) }
	c.Float = decimalFloat
	c.Str = func(th *Thread, v Value) (Value, error) {
		return contextOf(decimalsOf(th).context()).text(numberOf(v), false), nil
	}
	c.Repr = func(th *Thread, v Value) (Value, error) {
		s, _ := lang.AsStr(contextOf(decimalsOf(th).context()).text(numberOf(v), false))
		return lang.NewStr("Decimal('" + s.String() + "')"), nil
	}
	c.Format = decimalFormat

	k := contextClass
	lang.DefineMethods(k, append(append(ofContext, contextRows...), contextAttrRows()...))
	k.New = &lang.Def{Sig: "__new__(cls, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None, traps=None)", Fn: newContext}
	k.Repr = contextRepr
	k.SetAttr = func(th *Thread, v Value, name *lang.Str, x Value) error {
		if x.IsUnbound() && !contextClass.Lookup(name.String()).IsUnbound() {
			return th.Raise(lang.AttributeError, "context attributes cannot be deleted")
		}
		return lang.GenericSetAttr(th, v, name, x)
	}
}

var decimalOps = map[lang.BinaryOp]decBinary{
	lang.OpAdd: (*decimal.Context).Add, lang.OpSub: (*decimal.Context).Sub, lang.OpMul: (*decimal.Context).Mul, lang.OpDiv: (*decimal.Context).Div,
	lang.OpFloorDiv: (*decimal.Context).DivInt, lang.OpMod: (*decimal.Context).Rem, lang.OpPow: (*decimal.Context).Pow,
}

func decimalOperator(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, y := operand(a), operand(b)
	if x == nil || y == nil {
		return lang.NotImplemented, nil
	}
	c := contextOf(decimalsOf(th).context())
	if op == lang.OpDivmod {
		return c.divmod(th, x, y)
	}
	f := decimalOps[op]
	if f == nil {
		return lang.NotImplemented, nil
	}
	return c.run(th, func(w *decimal.Context) *decimal.Number { return f(w, x, y) })
}

func decimalPowMod(th *Thread, a, b, m Value) (Value, error) {
	x, y, z := operand(a), operand(b), operand(m)
	if x == nil || y == nil || z == nil {
		return lang.NotImplemented, nil
	}
	c := contextOf(decimalsOf(th).context())
	return c.run(th, func(w *decimal.Context) *decimal.Number { return w.PowMod(x, y, z) })
}

func decimalSigned(th *Thread, op lang.UnaryOp, v Value) (Value, error) {
	var f decUnary
	switch op {
	case lang.OpNeg:
		f = (*decimal.Context).Minus
	case lang.OpPos:
		f = (*decimal.Context).Plus
	case lang.OpAbs:
		f = (*decimal.Context).Abs
	default:
		return lang.NotImplemented, nil
	}
	c, x := contextOf(decimalsOf(th).context()), numberOf(v)
	return c.run(th, func(w *decimal.Context) *decimal.Number { return f(w, x) })
}

// decimalCompare compares exactly, also with floats and rational numbers.
func decimalCompare(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
	x := numberOf(a)
	if x == nil {
		return lang.NotImplemented, nil
	}
	c := contextOf(decimalsOf(th).context())
	y := operand(b)
	equality := op == lang.EQ || op == lang.NE
	if y == nil {
		var err error
		if x, y, err = comparable(th, c, x, b, equality); err != nil || y == nil {
			return lang.NotImplemented, err
		}
	}
	if x.IsNaN() || y.IsNaN() {
		if !equality || x.Kind == decimal.SNaN || y.Kind == decimal.SNaN {
			if err := c.raise(th, decimal.InvalidOperation); err != nil {
				return fail(err)
			}
		}
		return lang.Bool(op == lang.NE), nil
	}
	return lang.Bool(holds(op, decimal.Order(x, y))), nil
}

func holds(op lang.CompareOp, o int) bool {
	switch op {
	case lang.LT:
		return o < 0
	case lang.LE:
		return o <= 0
	case lang.GT:
		return o > 0
	case lang.GE:
		return o >= 0
	case lang.EQ:
		return o == 0
	}
	return o != 0
}

// comparable makes numbers of x and of a float, a real complex or a rational number;
// y is nil for others.
func comparable(th *Thread, c *decContext, x *decimal.Number, v Value, equality bool) (_, y *decimal.Number, err error) {
	if f, ok := lang.AsFloat(v); ok {
		if equality {
			c.flags |= decimal.FloatOperation
		} else if err := c.raise(th, decimal.FloatOperation); err != nil {
			return nil, nil, err
		}
		return x, floatNumber(f), nil
	}
	if z, ok := lang.AsComplex(v); ok && equality {
		if imag(z) != 0 {
			return x, quietNaN, nil
		}
		c.flags |= decimal.FloatOperation
		return x, floatNumber(real(z)), nil
	}
	return rational(th, x, v)
}

// rational compares x times the denominator with the numerator of a numbers.Rational.
func rational(th *Thread, x *decimal.Number, v Value) (_, y *decimal.Number, err error) {
	if _, ok := lang.AsStr(v); ok || v.IsNone() {
		return nil, nil, nil
	}
	if is, err := isRational(th, v); err != nil || !is {
		return nil, nil, err
	}
	num, err := lang.Attr(th, v, "numerator")
	if err != nil {
		return nil, nil, err
	}
	den, err := lang.Attr(th, v, "denominator")
	if err != nil {
		return nil, nil, err
	}
	n, d := operand(num), operand(den)
	if n == nil || d == nil {
		return nil, nil, nil
	}
	if x.IsSpecial() {
		return x, n, nil
	}
	return &decimal.Number{Neg: x.Neg, Coef: new(big.Int).Mul(x.Coef, d.Coef), Exp: x.Exp}, n, nil
}

func isRational(th *Thread, v Value) (bool, error) {
	class := decimalsOf(th).rational
	if class.IsUnbound() || class.P == nil {
		return false, nil
	}
	return th.IsInstanceOf(v, class)
}

var hashModulus = new(big.Int).SetInt64(1<<61 - 1)

// decimalHash is the hash of the int or Fraction of the same value.
func decimalHash(th *Thread, v Value) (int64, error) {
	x := numberOf(v)
	switch {
	case x.Kind == decimal.SNaN:
		return 0, th.TypeErrorf("Cannot hash a signaling NaN value")
	case x.Kind == decimal.QNaN:
		return lang.HashIdentity(v), nil
	case x.Kind == decimal.Inf:
		if x.Neg {
			return -314159, nil
		}
		return 314159, nil
	}
	base := big.NewInt(10)
	exp := big.NewInt(x.Exp)
	if x.Exp < 0 {
		base.ModInverse(base, hashModulus)
		exp.Neg(exp)
	}
	h := base.Exp(base, exp, hashModulus)
	h.Mod(h.Mul(h, x.Coef), hashModulus)
	r := h.Int64()
	if x.Neg {
		r = -r
	}
	if r == -1 {
		r = -2
	}
	return r, nil
}

// decimalFormat is the mini-language: [[fill]align][sign][z][0][width][,][.precision][type].
func decimalFormat(th *Thread, v Value, text string) (string, error) {
	c := contextOf(decimalsOf(th).context())
	s, ok := decimalSpec(text, c.capitals)
	if !ok {
		return "", th.ValueErrorf("invalid format string")
	}
	x := numberOf(v)
	neg, digits, rest := x.Neg, "", ""
	if x.IsSpecial() {
		digits, rest = "", x.WithSign(false).Text(false, "E")
		if s.Type == '%' {
			rest += "%"
		}
		if s.Align == '=' && s.Fill == '0' {
			s.Align, s.Fill = '>', ' '
		}
	} else {
		neg, digits, rest = c.digits(x, s)
	}
	sign := ""
	if neg {
		sign = "-"
	} else if s.Sign == '+' || s.Sign == ' ' {
		sign = string(s.Sign)
	}
	out, e := s.Decimal(sign, digits, rest)
	if e != nil {
		return "", th.ValueErrorf("%s", e.Text)
	}
	return out, nil
}

// decimalSpec reads a specifier; a zero before the width goes only without an
// alignment.
func decimalSpec(text string, capitals int) (format.Spec, bool) {
	s, e := format.ParseSpec(text, "decimal", '>')
	if e != nil || s.Alt || s.Group == '_' || s.Type != 0 && !strings.ContainsRune("eEfFgGn%", s.Type) || s.Type == 'n' && s.Group != 0 {
		return s, false
	}
	if zeroAfterAlign(text) {
		return s, false
	}
	switch s.Type {
	case 'n':
		s.Type = 'g'
	case 0:
		s.Type = 'G'
		if capitals == 0 {
			s.Type = 'g'
		}
	}
	return s, true
}

// zeroAfterAlign: the specifier has an alignment and pads with zeros too.
func zeroAfterAlign(text string) bool {
	_, n := format.DecodeRune(text)
	switch {
	case n < len(text) && strings.IndexByte("<>=^", text[n]) >= 0:
		text = text[n+1:]
	case text != "" && strings.IndexByte("<>=^", text[0]) >= 0:
		text = text[1:]
	default:
		return false
	}
	if text != "" && strings.IndexByte(" +-", text[0]) >= 0 {
		text = text[1:]
	}
	return strings.HasPrefix(strings.TrimPrefix(text, "z"), "0")
}

// digits rounds x as a specifier asks and writes it: the digits before the point and
// the rest.
func (c *decContext) digits(x *decimal.Number, s format.Spec) (neg bool, whole, rest string) {
	w := decimal.Widest()
	w.Rounding = c.Rounding
	lower := s.Type | 0x20
	if s.Type == 0 {
		lower, s.Type = 'g', 'G'
	}
	if s.Type == '%' {
		lower = 'f'
	}
	prec := int64(s.Precision)
	if s.Precision >= 0 {
		switch lower {
		case 'e':
			if x = w.Shortened(x, prec+1); !x.IsZero() {
				x = w.Rescale(x, x.Adjusted()-prec)
			}
		case 'g':
			x = w.Shortened(x, max(prec, 1))
		}
	}
	if s.Type == '%' {
		x = &decimal.Number{Neg: x.Neg, Coef: x.Coef, Exp: x.Exp + 2}
	}
	switch {
	case lower == 'f' && prec >= 0:
		x = w.Rescale(x, -prec)
	case lower == 'f' && x.IsZero() && x.Exp > 0:
		x = w.Rescale(x, 0)
	}
	d := x.Coef.String()
	left := x.Exp + int64(len(d))
	point := int64(1)
	switch {
	case lower == 'e' && x.IsZero() && prec >= 0:
		point = 1 - prec
	case lower == 'f', lower == 'g' && x.Exp <= 0 && left > -6:
		point = left
	}
	whole, rest = splitPoint(d, point)
	if e := left - point; e != 0 || lower == 'e' {
		rest += string(s.Type) + signed(e)
		if lower == 'g' {
			rest = strings.NewReplacer("g", "e", "G", "E").Replace(rest)
		}
	}
	if s.Type == '%' {
		rest += "%"
	}
	return x.Neg && !(s.NoNegZero && x.IsZero()), whole, rest
}

func splitPoint(d string, point int64) (whole, rest string) {
	n := int64(len(d))
	switch {
	case point < 0:
		whole, rest = "0", strings.Repeat("0", int(-point))+d
	case point > n:
		whole = d + strings.Repeat("0", int(point-n))
	default:
		whole, rest = d[:point], d[point:]
	}
	if whole == "" {
		whole = "0"
	}
	if rest != "" {
		rest = "." + rest
	}
	return whole, rest
}

func signed(i int64) string {
	if i < 0 {
		return strconv.FormatInt(i, 10)
	}
	return "+" + strconv.FormatInt(i, 10)
}
