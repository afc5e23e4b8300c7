package py

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/stdlib/py/decimal"
)

type (
	decUnary  = func(c *decimal.Context, x *decimal.Number) *decimal.Number
	decBinary = func(c *decimal.Context, x, y *decimal.Number) *decimal.Number
)

// decUnaries are methods of Decimal and of Context.
var decUnaries = map[string]decUnary{
	"exp": (*decimal.Context).Exp, "ln": (*decimal.Context).Ln, "log10": (*decimal.Context).Log10, "sqrt": (*decimal.Context).Sqrt,
	"logb": (*decimal.Context).Logb, "next_minus": (*decimal.Context).NextMinus, "next_plus": (*decimal.Context).NextPlus,
	"normalize": (*decimal.Context).Reduce, "logical_invert": (*decimal.Context).Invert,
}

// decBinaries are too.
var decBinaries = map[string]decBinary{
	"compare": (*decimal.Context).Compare, "compare_signal": (*decimal.Context).CompareSignal,
	"compare_total": (*decimal.Context).CompareTotal, "compare_total_mag": (*decimal.Context).CompareTotalMag,
	"max": (*decimal.Context).Max, "max_mag": (*decimal.Context).MaxMag, "min": (*decimal.Context).Min, "min_mag": (*decimal.Context).MinMag,
	"next_toward": (*decimal.Context).NextToward, "remainder_near": (*decimal.Context).RemNear,
	"rotate": (*decimal.Context).Rotate, "shift": (*decimal.Context).Shift, "scaleb": (*decimal.Context).Scaleb,
	"logical_and": logical(func(a, b byte) byte { return a & b }), "logical_or": logical(func(a, b byte) byte { return a | b }),
	"logical_xor": logical(func(a, b byte) byte { return a ^ b }),
	"copy_sign":   func(c *decimal.Context, x, y *decimal.Number) *decimal.Number { return x.WithSign(y.Neg) },
}

// contextUnaries and contextBinaries are methods of Context, operators of Decimal.
var contextUnaries = map[string]decUnary{
	"abs": (*decimal.Context).Abs, "plus": (*decimal.Context).Plus, "minus": (*decimal.Context).Minus,
	"to_integral":       func(c *decimal.Context, x *decimal.Number) *decimal.Number { return c.Integral(x, false) },
	"to_integral_value": func(c *decimal.Context, x *decimal.Number) *decimal.Number { return c.Integral(x, false) },
	"to_integral_exact": func(c *decimal.Context, x *decimal.Number) *decimal.Number { return c.Integral(x, true) },
}

var contextBinaries = map[string]decBinary{
	"add": (*decimal.Context).Add, "subtract": (*decimal.Context).Sub, "multiply": (*decimal.Context).Mul, "divide": (*decimal.Context).Div,
	"divide_int": (*decimal.Context).DivInt, "remainder": (*decimal.Context).Rem, "quantize": (*decimal.Context).Quantize,
}

func logical(op func(a, b byte) byte) decBinary {
	return func(c *decimal.Context, x, y *decimal.Number) *decimal.Number { return c.Logical(x, y, op) }
}

// decCopies take no context.
var decCopies = map[string]func(x *decimal.Number) *decimal.Number{
	"copy_abs":    func(x *decimal.Number) *decimal.Number { return x.WithSign(false) },
	"copy_negate": func(x *decimal.Number) *decimal.Number { return x.WithSign(!x.Neg) },
}

// decTests are the predicates.
var decTests = map[string]func(c *decimal.Context, x *decimal.Number) bool{
	"is_canonical": func(c *decimal.Context, x *decimal.Number) bool { return true },
	"is_finite":    func(c *decimal.Context, x *decimal.Number) bool { return !x.IsSpecial() },
	"is_infinite":  func(c *decimal.Context, x *decimal.Number) bool { return x.Kind == decimal.Inf },
	"is_nan":       func(c *decimal.Context, x *decimal.Number) bool { return x.IsNaN() },
	"is_qnan":      func(c *decimal.Context, x *decimal.Number) bool { return x.Kind == decimal.QNaN },
	"is_snan":      func(c *decimal.Context, x *decimal.Number) bool { return x.Kind == decimal.SNaN },
	"is_signed":    func(c *decimal.Context, x *decimal.Number) bool { return x.Neg },
	"is_zero":      func(c *decimal.Context, x *decimal.Number) bool { return x.IsZero() },
	"is_normal":    (*decimal.Context).IsNormal,
	"is_subnormal": (*decimal.Context).IsSubnormal,
}

func tableRows() (ofDecimal, ofContext []lang.Def) {
	for name, f := range decUnaries {
		ofDecimal = append(ofDecimal, lang.Def{Sig: name + "(self, context=None)", Fn: decimalUnary(f)})
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, /)", Fn: contextUnary(f)})
	}
	for name, f := range contextUnaries {
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, /)", Fn: contextUnary(f)})
	}
	for name, f := range decBinaries {
		sig := name + "(self, other, context=None)"
		ofDecimal = append(ofDecimal, lang.Def{Sig: sig, Fn: decimalBinaryMethod(f)})
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, y, /)", Fn: contextBinary(f)})
	}
	for name, f := range contextBinaries {
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, y, /)", Fn: contextBinary(f)})
	}
	for name, f := range decCopies {
		ofDecimal = append(ofDecimal, lang.Def{Sig: name + "(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return newDec(f(numberOf(a[0]))), nil }})
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, /)", Fn: contextUnary(func(_ *decimal.Context, x *decimal.Number) *decimal.Number { return f(x) })})
	}
	for name, f := range decTests {
		sig := name + "(self, /)"
		if name == "is_normal" || name == "is_subnormal" {
			sig = name + "(self, context=None)"
		}
		ofDecimal = append(ofDecimal, lang.Def{Sig: sig, Fn: decimalTest(f)})
		ofContext = append(ofContext, lang.Def{Sig: name + "(self, x, /)", Fn: contextTest(name, f)})
	}
	return ofDecimal, ofContext
}

func decimalUnary(f decUnary) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		c, err := optionalContext(th, a[1])
		if err != nil {
			return fail(err)
		}
		x := numberOf(a[0])
		return c.run(th, func(w *decimal.Context) *decimal.Number { return f(w, x) })
	}
}

func contextUnary(f decUnary) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		x, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		return contextOf(a[0]).run(th, func(w *decimal.Context) *decimal.Number { return f(w, x) })
	}
}

func decimalBinaryMethod(f decBinary) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		c, err := optionalContext(th, a[2])
		if err != nil {
			return fail(err)
		}
		y, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		x := numberOf(a[0])
		return c.run(th, func(w *decimal.Context) *decimal.Number { return f(w, x, y) })
	}
}

func operands(th *Thread, vs ...Value) ([]*decimal.Number, error) {
	out := make([]*decimal.Number, len(vs))
	for i, v := range vs {
		var err error
		if out[i], err = mustOperand(th, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func contextBinary(f decBinary) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		n, err := operands(th, a[1], a[2])
		if err != nil {
			return fail(err)
		}
		return contextOf(a[0]).run(th, func(w *decimal.Context) *decimal.Number { return f(w, n[0], n[1]) })
	}
}

func decimalTest(f func(c *decimal.Context, x *decimal.Number) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		at := none
		if len(a) > 1 {
			at = a[1]
		}
		c, err := optionalContext(th, at)
		if err != nil {
			return fail(err)
		}
		return lang.Bool(f(&c.Context, numberOf(a[0]))), nil
	}
}

func contextTest(name string, f func(c *decimal.Context, x *decimal.Number) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		if name == "is_canonical" && numberOf(a[1]) == nil {
			return fail(th.TypeErrorf("argument must be a Decimal"))
		}
		x, err := mustOperand(th, a[1])
		if err != nil {
			return fail(err)
		}
		return lang.Bool(f(&contextOf(a[0]).Context, x)), nil
	}
}
