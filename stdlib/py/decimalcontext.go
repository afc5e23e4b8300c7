package py

import (
	"math/bits"
	"strconv"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/stdlib/py/decimal"
)

// decContext is a decimal.Context of scripts, with the signals that were met and
// those that raise.
type decContext struct {
	lang.Header
	decimal.Context
	flags, traps decimal.Status
	capitals     int
}

var contextClass = newClass("Context", "decimal")

func contextOf(v Value) *decContext { return native[decContext](v, contextClass) }

func (c *decContext) value() Value { return Value{P: unsafe.Pointer(c)} }

var (
	decimalError     = lang.NewExceptionClass("DecimalException", "decimal", lang.ArithmeticError)
	invalidOperation = lang.NewExceptionClass("InvalidOperation", "decimal", decimalError)
	decimalInexact   = lang.NewExceptionClass("Inexact", "decimal", decimalError)
	decimalRounded   = lang.NewExceptionClass("Rounded", "decimal", decimalError)
	decimalSubnormal = lang.NewExceptionClass("Subnormal", "decimal", decimalError)
)

// signal is an exception class and the conditions that make it.
type signal struct {
	class *lang.Class
	mask  decimal.Status
}

// signals are what flags and traps name, in their order.
var signals = []signal{
	{invalidOperation, decimal.AnyInvalid},
	{lang.NewExceptionClass("FloatOperation", "decimal", decimalError, lang.TypeError), decimal.FloatOperation},
	{lang.NewExceptionClass("DivisionByZero", "decimal", decimalError, lang.ZeroDivisionError), decimal.DivisionByZero},
	{lang.NewExceptionClass("Overflow", "decimal", decimalInexact, decimalRounded), decimal.Overflow},
	{lang.NewExceptionClass("Underflow", "decimal", decimalInexact, decimalRounded, decimalSubnormal), decimal.Underflow},
	{decimalSubnormal, decimal.Subnormal},
	{decimalInexact, decimal.Inexact},
	{decimalRounded, decimal.Rounded},
	{lang.NewExceptionClass("Clamped", "decimal", decimalError), decimal.Clamped},
}

// conditions are the kinds of invalid operations.
var conditions = []signal{
	{invalidOperation, decimal.InvalidOperation},
	{lang.NewExceptionClass("ConversionSyntax", "decimal", invalidOperation), decimal.ConversionSyntax},
	{lang.NewExceptionClass("DivisionImpossible", "decimal", invalidOperation), decimal.DivisionImpossible},
	{lang.NewExceptionClass("DivisionUndefined", "decimal", invalidOperation, lang.ZeroDivisionError), decimal.DivisionUndefined},
	{lang.NewExceptionClass("InvalidContext", "decimal", invalidOperation), decimal.InvalidContext},
}

// shown is the order of the signals in the text of a context.
var shown = []int{8, 0, 2, 6, 1, 3, 7, 5, 4}

func initDecimal(th *Thread, m *lang.Module) error {
	m.Set("Decimal", decimalClass.Value())
	m.Set("Context", contextClass.Value())
	m.Set("SignalDict", signalDictClass.Value())
	m.Set("DecimalException", decimalError.Value())
	for _, s := range append(signals[:len(signals):len(signals)], conditions...) {
		m.Set(s.class.Name, s.class.Value())
	}
	for _, name := range decimal.Roundings {
		m.Set(name, lang.NewStr(name))
	}
	for name, n := range map[string]int64{"MAX_PREC": decimal.MaxPrec, "MAX_EMAX": decimal.MaxEmax, "MIN_EMIN": decimal.MinEmin, "MIN_ETINY": decimal.MinEtiny} {
		m.Set(name, lang.Int(n))
	}
	return nil
}

// raise notes conditions and raises the first signal that has a trap.
func (c *decContext) raise(th *Thread, met decimal.Status) error {
	if met == 0 {
		return nil
	}
	c.flags |= met &^ decimal.NoMemory
	if met&decimal.NoMemory != 0 {
		return th.Raise(lang.MemoryError, "")
	}
	met &= c.traps
	if met == 0 {
		return nil
	}
	var list []Value
	for _, s := range append(conditions[:len(conditions):len(conditions)], signals[1:]...) {
		if met&s.mask != 0 {
			list = append(list, s.class.Value())
		}
	}
	for _, s := range signals {
		if met&s.mask != 0 {
			return lang.NewException(s.class, lang.NewList(list...))
		}
	}
	return nil
}

// run does one operation and raises what it met.
func (c *decContext) run(th *Thread, f func(w *decimal.Context) *decimal.Number) (Value, error) {
	w := c.Context
	w.Status = 0
	r := f(&w)
	if w.Status != 0 {
		if err := c.raise(th, w.Status); err != nil {
			return fail(err)
		}
	}
	return newDec(r), nil
}

// optionalContext is a context argument; the current one for None.
func optionalContext(th *Thread, v Value) (*decContext, error) {
	if v.IsNone() || v.IsUnbound() {
		return contextOf(decimalsOf(th).context()), nil
	}
	if c := contextOf(v); c != nil {
		return c, nil
	}
	return nil, th.TypeErrorf("optional argument must be a context")
}

const badRounding = "valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n" +
	"   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]"

const badSignal = "valid values for signals are:\n  [InvalidOperation, FloatOperation, DivisionByZero,\n" +
	"   Overflow, Underflow, Subnormal, Inexact, Rounded,\n   Clamped]"

func roundingOf(th *Thread, v Value) (decimal.Rounding, error) {
	if s, ok := lang.AsStr(v); ok {
		for i, name := range decimal.Roundings {
			if name == s.String() {
				return decimal.Rounding(i), nil
			}
		}
	}
	return 0, th.TypeErrorf(badRounding)
}

// contextField is an attribute that is an int in a range.
type contextField struct {
	name     string
	min, max int64
	text     string
	at       func(c *decContext) *int64
}

var contextFields = []contextField{
	{"prec", 1, decimal.MaxPrec, "valid range for prec is [1, MAX_PREC]", func(c *decContext) *int64 { return &c.Prec }},
	{"Emin", decimal.MinEmin, 0, "valid range for Emin is [MIN_EMIN, 0]", func(c *decContext) *int64 { return &c.Emin }},
	{"Emax", 0, decimal.MaxEmax, "valid range for Emax is [0, MAX_EMAX]", func(c *decContext) *int64 { return &c.Emax }},
	{"capitals", 0, 1, "valid values for capitals are 0 or 1", nil},
	{"clamp", 0, 1, "valid values for clamp are 0 or 1", nil},
}

func (f *contextField) get(c *decContext) int64 {
	switch {
	case f.at != nil:
		return *f.at(c)
	case f.name == "capitals":
		return int64(c.capitals)
	case c.Clamp:
		return 1
	}
	return 0
}

func (f *contextField) set(th *Thread, c *decContext, v Value) error {
	if !lang.IsIntValue(v) {
		return th.TypeErrorf("an integer is required")
	}
	n, ok := lang.AsInt(v)
	if !ok || n < f.min || n > f.max {
		return th.ValueErrorf("%s", f.text)
	}
	switch {
	case f.at != nil:
		*f.at(c) = n
	case f.name == "capitals":
		c.capitals = int(n)
	default:
		c.Clamp = n == 1
	}
	return nil
}

func contextAttrRows() []lang.Def {
	rows := []lang.Def{
		{Sig: "rounding", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			return lang.NewStr(decimal.Roundings[contextOf(a[0]).Rounding]), nil
		}, Set: func(th *Thread, self, x Value) error {
			r, err := roundingOf(th, x)
			if err == nil {
				contextOf(self).Rounding = r
			}
			return err
		}},
		signalsRow("flags", false), signalsRow("traps", true),
	}
	for i := range contextFields {
		f := &contextFields[i]
		rows = append(rows, lang.Def{Sig: f.name, Flags: lang.DefProperty,
			Fn:  func(th *Thread, a []Value) (Value, error) { return lang.Int(f.get(contextOf(a[0]))), nil },
			Set: func(th *Thread, self, x Value) error { return f.set(th, contextOf(self), x) }})
	}
	return rows
}

func newContext(th *Thread, a []Value) (Value, error) {
	t := contextOf(decimalsOf(th).template)
	c := &decContext{Header: head(contextClass, value.KindOther), capitals: 1, traps: decimal.AnyInvalid | decimal.DivisionByZero | decimal.Overflow}
	c.Prec, c.Rounding, c.Emin, c.Emax = 28, decimal.RoundHalfEven, -999999, 999999
	if t != nil {
		c.Context, c.traps, c.capitals = t.Context, t.traps, t.capitals
	}
	for i, f := range []int{0, -1, 1, 2, 3, 4} {
		v := a[i+1]
		if v.IsNone() {
			continue
		}
		var err error
		if f < 0 {
			c.Rounding, err = roundingOf(th, v)
		} else {
			err = contextFields[f].set(th, c, v)
		}
		if err != nil {
			return fail(err)
		}
	}
	for i, at := range []*decimal.Status{&c.flags, &c.traps} {
		if v := a[7+i]; !v.IsNone() {
			s, err := signalSet(th, v)
			if err != nil {
				return fail(err)
			}
			*at = s
		}
	}
	return wrap(a[0], c.value()), nil
}

// signalSet reads a list of signals or a dict of all of them.
func signalSet(th *Thread, v Value) (decimal.Status, error) {
	if items, ok := sequenceOf(v); ok {
		var s decimal.Status
		for _, x := range items {
			m, err := signalOf(th, x)
			if err != nil {
				return 0, err
			}
			s |= m
		}
		return s, nil
	}
	if d := native[signalDict](v, signalDictClass); d != nil {
		return *d.at(), nil
	}
	d, ok := lang.AsDict(v)
	if !ok {
		return 0, th.TypeErrorf("argument must be a signal dict")
	}
	var s decimal.Status
	for _, g := range signals {
		x, found, err := d.Get(th, g.class.Value())
		if err != nil {
			return 0, err
		}
		if !found || d.Len() != len(signals) {
			return 0, lang.NewException(lang.KeyError, lang.NewStr("invalid signal dict"))
		}
		if on, err := lang.Truth(th, x); err != nil {
			return 0, err
		} else if on {
			s |= g.mask
		}
	}
	return s, nil
}

func signalOf(th *Thread, v Value) (decimal.Status, error) {
	for _, s := range signals {
		if s.class.Value() == v {
			return s.mask, nil
		}
	}
	return 0, lang.NewException(lang.KeyError, lang.NewStr(badSignal))
}

func signalNames(s decimal.Status) string {
	var names []string
	for _, i := range shown {
		if s&signals[i].mask != 0 {
			names = append(names, signals[i].class.Name)
		}
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func signalList(s decimal.Status) Value {
	var list []Value
	for _, g := range signals {
		if s&g.mask != 0 {
			list = append(list, g.class.Value())
		}
	}
	return lang.NewList(list...)
}

func contextRepr(th *Thread, v Value) (Value, error) {
	c := contextOf(v)
	var b strings.Builder
	b.WriteString("Context(prec=" + strconv.FormatInt(c.Prec, 10) + ", rounding=" + decimal.Roundings[c.Rounding])
	for i := range contextFields[1:] {
		f := &contextFields[i+1]
		b.WriteString(", " + f.name + "=" + strconv.FormatInt(f.get(c), 10))
	}
	b.WriteString(", flags=" + signalNames(c.flags) + ", traps=" + signalNames(c.traps) + ")")
	return lang.NewStr(b.String()), nil
}

func contextReduce(th *Thread, a []Value) (Value, error) {
	c := contextOf(a[0])
	args := []Value{lang.Int(c.Prec), lang.NewStr(decimal.Roundings[c.Rounding])}
	for i := range contextFields[1:] {
		args = append(args, lang.Int(contextFields[i+1].get(c)))
	}
	args = append(args, signalList(c.flags), signalList(c.traps))
	return lang.NewTuple(lang.ClassOf(a[0]).Value(), lang.NewTuple(args...)), nil
}

// signalDict is the mapping of signals to bools that a context shows.
type signalDict struct {
	lang.Header
	c     *decContext
	traps bool
}

var signalDictClass = newClass("SignalDict", "_decimal")

func (d *signalDict) at() *decimal.Status {
	if d.traps {
		return &d.c.traps
	}
	return &d.c.flags
}

func signalsRow(name string, traps bool) lang.Def {
	return lang.Def{Sig: name, Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		d := &signalDict{head(signalDictClass, value.KindOther), contextOf(a[0]), traps}
		return wrap(decimalsOf(th).signals, Value{P: unsafe.Pointer(d)}), nil
	}, Set: func(th *Thread, self, x Value) error {
		if _, isList := sequenceOf(x); isList {
			return th.TypeErrorf("argument must be a signal dict")
		}
		s, err := signalSet(th, x)
		if err != nil {
			return err
		}
		*(&signalDict{c: contextOf(self), traps: traps}).at() = s
		return nil
	}}
}

func signalDictOf(v Value) *signalDict { return native[signalDict](v, signalDictClass) }

func init() {
	c := signalDictClass
	c.Flags |= lang.ClassUnhashable | lang.ClassNoNew
	c.Len = func(th *Thread, v Value) (int, error) { return len(signals), nil }
	c.Iter = func(th *Thread, v Value) (Value, error) { return lang.Iter(th, signalList(1<<31-1)) }
	c.GetItem = func(th *Thread, v, key Value) (Value, error) {
		m, err := signalOf(th, key)
		return lang.Bool(*signalDictOf(v).at()&m != 0), err
	}
	c.SetItem = func(th *Thread, v, key, x Value) error {
		m, err := signalOf(th, key)
		if err != nil {
			return err
		}
		on, err := lang.Truth(th, x)
		at := signalDictOf(v).at()
		if *at &^= m; on {
			*at |= m
		}
		return err
	}
	c.DelItem = func(th *Thread, v, key Value) error { return th.ValueErrorf("signal keys cannot be deleted") }
	c.Repr = signalDictRepr
	c.Compare = signalDictCompare
	lang.DefineMethods(c, []lang.Def{{Sig: "copy(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		d := lang.NewDict()
		for _, s := range signals {
			if err := d.Put(th, s.class.Value(), lang.Bool(*signalDictOf(a[0]).at()&s.mask != 0)); err != nil {
				return fail(err)
			}
		}
		return d.Value(), nil
	}}})
}

func signalDictRepr(th *Thread, v Value) (Value, error) {
	var parts []string
	for _, s := range signals {
		on := "False"
		if *signalDictOf(v).at()&s.mask != 0 {
			on = "True"
		}
		parts = append(parts, "<class 'decimal."+s.class.Name+"'>:"+on)
	}
	return lang.NewStr("{" + strings.Join(parts, ", ") + "}"), nil
}

// folded has one bit for all kinds of invalid operations.
func folded(s decimal.Status) decimal.Status {
	if s&decimal.AnyInvalid != 0 {
		s |= decimal.AnyInvalid
	}
	return s
}

func signalDictCompare(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
	d := signalDictOf(a)
	if d == nil || op != lang.EQ && op != lang.NE {
		return lang.NotImplemented, nil
	}
	if _, isDict := lang.AsDict(b); !isDict && signalDictOf(b) == nil {
		return lang.NotImplemented, nil
	}
	s, err := signalSet(th, b)
	if err != nil {
		if lang.Matches(err, lang.KeyError) {
			return fail(th.ValueErrorf("invalid signal dict"))
		}
		return fail(err)
	}
	same := bits.OnesCount32(uint32(folded(s)^folded(*d.at()))) == 0
	return lang.Bool(same == (op == lang.EQ)), nil
}
