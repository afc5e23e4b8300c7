package py

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/stdlib/py/decimal"
)

// _decimal has the classes Decimal and Context; the arithmetic is in package
// decimal, the rest of the module in the script module decimal.
var _ = define("_decimal", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: initDecimal, Defs: []lang.Def{
		{Sig: "getcontext()", Fn: func(th *Thread, a []Value) (Value, error) { return decimalsOf(th).context(), nil }, Doc: "Get the current default context."},
		{Sig: "setcontext(context, /)", Fn: setDecimalContext, Doc: "Set a new default context."},
		{Sig: "_register(signaldict, decimaltuple, defaultcontext, fixed, rational, /)", Fn: registerDecimals},
	}}
})

// decimals is the state of the module in an interpreter.
type decimals struct {
	current             Value // the context of the strand that runs, or Unbound
	template            Value // DefaultContext
	fixed               []lang.Held
	signals, tupleClass Value
	rational            Value // numbers.Rational
}

func decimalsOf(th *Thread) *decimals {
	const key = "decimal"
	s, _ := th.Interp.Ext[key].(*decimals)
	if s == nil {
		s = &decimals{}
		th.Interp.Ext[key] = s
		th.AddLocal(s)
	}
	return s
}

// Exchange gives each strand a context of its own. It implements lang.Local.
func (s *decimals) Exchange(next any) (last any) {
	was := s.current
	s.current, _ = next.(Value)
	if next == nil {
		s.current = lang.Unbound
	}
	return was
}

func (s *decimals) context() Value {
	if s.current.IsUnbound() || s.current.P == nil {
		s.current = copyContext(s.template)
	}
	return s.current
}

func copyContext(v Value) Value {
	c := *contextOf(v)
	c.Header = head(contextClass, value.KindOther)
	c.flags = 0
	return c.value()
}

func registerDecimals(th *Thread, a []Value) (Value, error) {
	s := decimalsOf(th)
	s.signals, s.tupleClass, s.template = a[0].Held().Value(), a[1].Held().Value(), a[2].Held().Value()
	var err error
	s.rational = a[4].Held().Value()
	s.fixed, err = lang.ToSlice(th, a[3])
	return none, err
}

// setDecimalContext copies the contexts that the module offers as they are.
func setDecimalContext(th *Thread, a []Value) (Value, error) {
	if contextOf(a[0]) == nil {
		return fail(th.TypeErrorf("argument must be a context"))
	}
	s := decimalsOf(th)
	v := a[0]
	for _, f := range s.fixed {
		if f.Value() == v {
			v = copyContext(v)
		}
	}
	s.current = v.Held().Value()
	return none, nil
}

// dec is a Decimal.
type dec struct {
	lang.Header
	n *decimal.Number
}

var decimalClass = newClass("Decimal", "decimal")

func newDec(n *decimal.Number) Value {
	return Value{P: unsafe.Pointer(&dec{head(decimalClass, value.KindOther), n})}
}

// numberOf is the number of a Decimal, nil for other values.
func numberOf(v Value) *decimal.Number {
	if d := native[dec](v, decimalClass); d != nil {
		return d.n
	}
	return nil
}

// operand is a Decimal or an int, nil for others.
func operand(v Value) *decimal.Number {
	if n := numberOf(v); n != nil {
		return n
	}
	if i, ok := lang.AsInt(v); ok {
		return decimal.Small(i)
	}
	if b, ok := lang.AsBig(v); ok {
		return decimal.Int(b)
	}
	return nil
}

func mustOperand(th *Thread, v Value) (*decimal.Number, error) {
	if n := operand(v); n != nil {
		return n, nil
	}
	return nil, th.TypeErrorf("conversion from %s to Decimal is not supported", lang.TypeName(v))
}

func newDecimal(th *Thread, a []Value) (Value, error) {
	c, err := optionalContext(th, a[2])
	if err != nil {
		return fail(err)
	}
	n := decimal.Small(0)
	if !a[1].IsUnbound() {
		if n, err = exactNumber(th, c, a[1]); err != nil {
			return fail(err)
		}
	}
	if n == numberOf(a[1]) && a[0] == decimalClass.Value() && lang.ClassOf(a[1]) == decimalClass {
		return a[1], nil
	}
	return wrap(a[0], newDec(n)), nil
}

// exactNumber is what Decimal(v) holds, whatever the precision.
func exactNumber(th *Thread, c *decContext, v Value) (*decimal.Number, error) {
	if n := operand(v); n != nil {
		return n, nil
	}
	if s, ok := lang.AsStr(v); ok {
		return c.parse(th, s.String())
	}
	if t, ok := sequenceOf(v); ok {
		text, err := tupleText(th, t)
		if err != nil {
			return nil, err
		}
		return c.parse(th, text)
	}
	if f, ok := lang.AsFloat(v); ok {
		if err := c.raise(th, decimal.FloatOperation); err != nil {
			return nil, err
		}
		return floatNumber(f), nil
	}
	return nil, th.TypeErrorf("conversion from %s to Decimal is not supported", lang.TypeName(v))
}

func sequenceOf(v Value) ([]Value, bool) {
	if t, ok := lang.AsTuple(v); ok {
		return tupleItems(t), true
	}
	if l, ok := lang.AsList(v); ok {
		out := make([]Value, l.Len())
		for i := range out {
			out[i] = l.At(i)
		}
		return out, true
	}
	return nil, false
}

func tupleItems(t *lang.Tuple) []Value {
	out := make([]Value, t.Len())
	for i := range out {
		out[i] = t.At(i)
	}
	return out
}

// parse reads text as Decimal() does: exact, or an invalid operation.
func (c *decContext) parse(th *Thread, text string) (*decimal.Number, error) {
	n := decimal.Parse(asciiNumber(text, true))
	if n == nil {
		return quietNaN, c.raise(th, decimal.ConversionSyntax)
	}
	return c.exactly(th, n)
}

var quietNaN = decimal.Parse("NaN")

func (c *decContext) exactly(th *Thread, n *decimal.Number) (*decimal.Number, error) {
	w := decimal.Widest()
	r := w.Finish(n)
	if w.Status&(decimal.Inexact|decimal.Rounded|decimal.Clamped) != 0 {
		return quietNaN, c.raise(th, decimal.InvalidOperation)
	}
	return r, nil
}

// asciiNumber replaces digits of other scripts; free drops blanks around and
// underscores too.
func asciiNumber(s string, free bool) string {
	if free {
		s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f })
	}
	return strings.Map(func(r rune) rune {
		switch d := format.DecimalDigit(r); {
		case d >= 0:
			return rune('0' + d)
		case r == '_' && free:
			return -1
		case r > unicode.MaxASCII || r == 0:
			return '?'
		}
		return r
	}, s)
}

// tupleText writes (sign, digits, exponent) as a number to be read.
func tupleText(th *Thread, t []Value) (string, error) {
	if len(t) != 3 {
		return "", th.ValueErrorf("argument must be a sequence of length 3")
	}
	text := ""
	sign, ok := lang.AsInt(t[0])
	if !ok || sign != 0 && sign != 1 {
		return "", th.ValueErrorf("sign must be an integer with the value 0 or 1")
	}
	if sign == 1 {
		text = "-"
	}
	end := ""
	if s, ok := lang.AsStr(t[2]); ok {
		switch s.String() {
		case "F":
			return text + "Inf", nil
		case "n":
			text += "NaN"
		case "N":
			text += "sNaN"
		default:
			return "", th.ValueErrorf("string argument in the third position must be 'F', 'n' or 'N'")
		}
	} else if i, ok := lang.AsInt(t[2]); ok {
		end = "e" + strconv.FormatInt(i, 10)
	} else {
		return "", th.ValueErrorf("exponent must be an integer")
	}
	digits, err := tupleDigits(th, t[1], end != "")
	return text + digits + end, err
}

func tupleDigits(th *Thread, v Value, finite bool) (string, error) {
	items, ok := sequenceOf(v)
	if !ok {
		return "", th.ValueErrorf("coefficient must be a tuple of digits")
	}
	b := make([]byte, len(items))
	for i, x := range items {
		d, ok := lang.AsInt(x)
		if !ok || d < 0 || d > 9 {
			return "", th.ValueErrorf("coefficient must be a tuple of digits")
		}
		b[i] = byte('0' + d)
	}
	if finite && len(b) == 0 {
		return "0", nil
	}
	return string(b), nil
}

// floatNumber is the exact value of a float.
func floatNumber(f float64) *decimal.Number {
	switch {
	case f != f:
		return quietNaN
	case math.IsInf(f, 0):
		return decimal.Infinity(f < 0)
	}
	frac, exp := math.Frexp(f)
	m := int64(frac * (1 << 53))
	exp -= 53
	for m != 0 && m&1 == 0 && exp < 0 {
		m >>= 1
		exp++
	}
	if m == 0 {
		exp = 0
	}
	n := big.NewInt(m)
	if exp >= 0 {
		return decimal.Int(n.Lsh(n, uint(exp))).WithSign(math.Signbit(f))
	}
	five := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exp)), nil)
	x := decimal.Int(n.Mul(n, five))
	x.Exp = int64(exp)
	return x.WithSign(math.Signbit(f))
}
