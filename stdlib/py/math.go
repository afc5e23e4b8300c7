package py

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

var _ = define("math", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "This module provides access to the mathematical functions of C.", Defs: mathRows, Init: mathInit}
})

func mathInit(th *Thread, m *lang.Module) error {
	m.Set("pi", lang.Float(math.Pi))
	m.Set("e", lang.Float(math.E))
	m.Set("tau", lang.Float(2*math.Pi))
	m.Set("inf", lang.Float(math.Inf(1)))
	m.Set("nan", lang.Float(math.NaN()))
	return nil
}

var mathRows = []lang.Def{
	{Sig: "acos(x, /)", Fn: math1(exactAcos, within1), Doc: "Return the arc cosine in radians."},
	{Sig: "acosh(x, /)", Fn: math1(exactAcosh, func(x float64) bool { return x >= 1 })},
	{Sig: "asin(x, /)", Fn: math1(exactAsin, within1)},
	{Sig: "asinh(x, /)", Fn: math1(exactAsinh, nil)},
	{Sig: "atan(x, /)", Fn: math1(exactAtan, nil)},
	{Sig: "atan2(y, x, /)", Fn: math2(exactAtan2)},
	{Sig: "atanh(x, /)", Fn: math1(exactAtanh, func(x float64) bool { return x > -1 && x < 1 })},
	{Sig: "cbrt(x, /)", Fn: math1(exactCbrt, nil)},
	{Sig: "ceil(x, /)", Fn: mathWhole("__ceil__", math.Ceil)},
	{Sig: "comb(n, k, /)", Fn: mathComb},
	{Sig: "copysign(x, y, /)", Fn: math2(math.Copysign)},
	{Sig: "cos(x, /)", Fn: math1(exactCos, finite)},
	{Sig: "cosh(x, /)", Fn: math1(exactCosh, nil)},
	{Sig: "degrees(x, /)", Fn: math1(func(x float64) float64 { return x * (180 / math.Pi) }, nil)},
	{Sig: "dist(p, q, /)", Fn: mathDist},
	{Sig: "erf(x, /)", Fn: math1(math.Erf, nil)},
	{Sig: "erfc(x, /)", Fn: math1(math.Erfc, nil)},
	{Sig: "exp(x, /)", Fn: math1(exactExp, nil)},
	{Sig: "exp2(x, /)", Fn: math1(func(x float64) float64 { return powFloat(2, x) }, nil)},
	{Sig: "expm1(x, /)", Fn: math1(exactExpm1, nil)},
	{Sig: "fabs(x, /)", Fn: math1(math.Abs, nil)},
	{Sig: "factorial(x, /)", Fn: mathFactorial},
	{Sig: "floor(x, /)", Fn: mathWhole("__floor__", math.Floor)},
	{Sig: "fmod(x, y, /)", Fn: mathFmod},
	{Sig: "frexp(x, /)", Fn: mathFrexp},
	{Sig: "fsum(seq, /)", Fn: mathFsum},
	{Sig: "gamma(x, /)", Fn: mathGamma},
	{Sig: "gcd(*integers)", Fn: mathGcd},
	{Sig: "hypot(*coordinates)", Fn: mathHypot},
	{Sig: "isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0)", Fn: mathIsclose},
	{Sig: "isfinite(x, /)", Fn: mathTest(finite)},
	{Sig: "isinf(x, /)", Fn: mathTest(func(x float64) bool { return math.IsInf(x, 0) })},
	{Sig: "isnan(x, /)", Fn: mathTest(func(x float64) bool { return x != x })},
	{Sig: "isqrt(n, /)", Fn: mathIsqrt},
	{Sig: "lcm(*integers)", Fn: mathLcm},
	{Sig: "ldexp(x, i, /)", Fn: mathLdexp},
	{Sig: "lgamma(x, /)", Fn: mathLgamma},
	{Sig: "log(x, base=..., /)", Fn: mathLog},
	{Sig: "log10(x, /)", Fn: mathLogBase(exactLog10, ddLn10)},
	{Sig: "log1p(x, /)", Fn: math1(exactLog1p, func(x float64) bool { return x > -1 })},
	{Sig: "log2(x, /)", Fn: mathLogBase(exactLog2, ddLn2)},
	{Sig: "modf(x, /)", Fn: mathModf},
	{Sig: "nextafter(x, y, /)", Fn: math2(math.Nextafter)},
	{Sig: "perm(n, k=None, /)", Fn: mathPerm},
	{Sig: "pow(x, y, /)", Fn: mathPow},
	{Sig: "prod(iterable, /, *, start=1)", Fn: mathProd},
	{Sig: "radians(x, /)", Fn: math1(func(x float64) float64 { return x * (math.Pi / 180) }, nil)},
	{Sig: "remainder(x, y, /)", Fn: mathRemainder},
	{Sig: "sin(x, /)", Fn: math1(exactSin, finite)},
	{Sig: "sinh(x, /)", Fn: math1(exactSinh, nil)},
	{Sig: "sqrt(x, /)", Fn: math1(math.Sqrt, func(x float64) bool { return x >= 0 })},
	{Sig: "tan(x, /)", Fn: math1(exactTan, finite)},
	{Sig: "tanh(x, /)", Fn: math1(exactTanh, nil)},
	{Sig: "trunc(x, /)", Fn: mathTrunc},
	{Sig: "ulp(x, /)", Fn: math1(ulp, nil)},
}

func finite(x float64) bool  { return x-x == 0 }
func within1(x float64) bool { return x >= -1 && x <= 1 }

func domainError(th *Thread) error { return th.ValueErrorf("math domain error") }
func rangeError(th *Thread) error  { return th.Raise(lang.OverflowError, "math range error") }

// math1 is a function of one float; ok says where it is defined (NaN passes).
func math1(f func(float64) float64, ok func(float64) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		x, err := floatOf(th, a[0])
		if err != nil {
			return fail(err)
		}
		if x != x {
			return lang.Float(x), nil
		}
		if ok != nil && !ok(x) {
			return fail(domainError(th))
		}
		if math.IsInf(x, 0) {
			return lang.Float(atInfinity(f, x)), nil
		}
		r := f(x)
		if math.IsInf(r, 0) {
			return fail(rangeError(th))
		}
		return lang.Float(r), nil
	}
}

// atInfinity avoids the reductions, which need finite arguments.
func atInfinity(f func(float64) float64, x float64) float64 {
	if y := f(math.Copysign(math.MaxFloat64, x)); math.Abs(y) > 1e100 || y == 0 {
		if y == 0 {
			return y
		}
		return math.Copysign(math.Inf(1), y)
	}
	big := f(math.Copysign(1e300, x))
	if math.Abs(big) > 100 { // grows slowly: log, acosh
		return math.Copysign(math.Inf(1), big)
	}
	return big
}

func math2(f func(x, y float64) float64) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		x, y, err := twoFloats(th, a)
		if err != nil {
			return fail(err)
		}
		return lang.Float(f(x, y)), nil
	}
}

func twoFloats(th *Thread, a []Value) (x, y float64, err error) {
	if x, err = floatOf(th, a[0]); err == nil {
		y, err = floatOf(th, a[1])
	}
	return
}

func mathTest(f func(float64) bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		x, err := floatOf(th, a[0])
		return lang.Bool(f(x)), err
	}
}

// mathWhole is floor or ceil: a method of the class, or of the float.
func mathWhole(method string, f func(float64) float64) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		if a[0].IsInt() {
			return a[0], nil
		}
		if m := lang.ClassOf(a[0]).Lookup(method); !m.IsUnbound() && !a[0].IsFloat() {
			return th.CallMethod(a[0], method)
		}
		x, err := floatOf(th, a[0])
		if err != nil {
			return fail(err)
		}
		return wholeFloat(th, f(x))
	}
}

func wholeFloat(th *Thread, x float64) (Value, error) {
	switch {
	case x != x:
		return fail(th.ValueErrorf("cannot convert float NaN to integer"))
	case math.IsInf(x, 0):
		return fail(th.Raise(lang.OverflowError, "cannot convert float infinity to integer"))
	case math.Abs(x) < 1<<62:
		return lang.Int(int64(x)), nil
	}
	b, _ := new(big.Float).SetFloat64(x).Int(nil)
	return lang.BigInt(b), nil
}

func mathTrunc(th *Thread, a []Value) (Value, error) {
	if m := lang.ClassOf(a[0]).Lookup("__trunc__"); m.IsUnbound() {
		return fail(th.TypeErrorf("type %s doesn't define __trunc__ method", lang.TypeName(a[0])))
	}
	return th.CallMethod(a[0], "__trunc__")
}

func bigOf(th *Thread, v Value) (*big.Int, error) {
	x, err := lang.Index(th, v)
	if err != nil {
		return nil, err
	}
	b, _ := lang.AsBig(x)
	return b, nil
}

func mathFactorial(th *Thread, a []Value) (Value, error) {
	b, err := bigOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if b.Sign() < 0 {
		return fail(th.ValueErrorf("factorial() not defined for negative values"))
	}
	if !b.IsInt64() || b.Int64() > math.MaxInt32*2 {
		return fail(th.Raise(lang.OverflowError, "factorial() argument should not exceed 9223372036854775807"))
	}
	if err := th.CheckSize(int(b.Int64()), max(1, b.BitLen()/8)); err != nil {
		return fail(err)
	}
	return bigResult(th.RangeProduct(big.NewInt(1), b.Int64()))
}

func nonNegative(th *Thread, v Value, name string) (*big.Int, error) {
	b, err := bigOf(th, v)
	if err == nil && b.Sign() < 0 {
		err = th.ValueErrorf("%s must be a non-negative integer", name)
	}
	return b, err
}

func mathComb(th *Thread, a []Value) (Value, error) {
	n, err := nonNegative(th, a[0], "n")
	if err != nil {
		return fail(err)
	}
	k, err := nonNegative(th, a[1], "k")
	if err != nil {
		return fail(err)
	}
	if k.Cmp(n) > 0 {
		return lang.Int(0), nil
	}
	if r := new(big.Int).Sub(n, k); r.Cmp(k) < 0 {
		k = r
	}
	if !k.IsInt64() {
		return fail(th.Raise(lang.OverflowError, "min(n - k, k) must not exceed 9223372036854775807"))
	}
	r, err := falling(th, n, k.Int64())
	if err != nil {
		return fail(err)
	}
	d, err := th.RangeProduct(big.NewInt(1), k.Int64())
	if err != nil {
		return fail(err)
	}
	return lang.BigInt(r.Quo(r, d)), nil
}

// falling is n*(n-1)*…, k factors.
func falling(th *Thread, n *big.Int, k int64) (*big.Int, error) {
	if err := th.CheckRepeat(int(k), n.BitLen()/8+1, 1); err != nil {
		return nil, err
	}
	first := new(big.Int).Sub(n, big.NewInt(k-1))
	return th.RangeProduct(first, k)
}

func bigResult(r *big.Int, err error) (Value, error) {
	if err != nil {
		return fail(err)
	}
	return lang.BigInt(r), nil
}

func mathPerm(th *Thread, a []Value) (Value, error) {
	if a[1].IsNone() {
		return mathFactorial(th, a)
	}
	n, err := nonNegative(th, a[0], "n")
	if err != nil {
		return fail(err)
	}
	k, err := nonNegative(th, a[1], "k")
	if err != nil {
		return fail(err)
	}
	if k.Cmp(n) > 0 {
		return lang.Int(0), nil
	}
	if !k.IsInt64() {
		return fail(th.Raise(lang.OverflowError, "k must not exceed 9223372036854775807"))
	}
	return bigResult(falling(th, n, k.Int64()))
}

func mathGcd(th *Thread, a []Value) (Value, error) {
	r := new(big.Int)
	return foldInts(th, a[0], r, func(x *big.Int) { r.GCD(nil, nil, new(big.Int).Abs(r), new(big.Int).Abs(x)) })
}

func mathLcm(th *Thread, a []Value) (Value, error) {
	r := big.NewInt(1)
	return foldInts(th, a[0], r, func(x *big.Int) {
		if x.Sign() == 0 || r.Sign() == 0 {
			r.SetInt64(0)
			return
		}
		x = new(big.Int).Abs(x)
		g := new(big.Int).GCD(nil, nil, r, x)
		r.Mul(r, new(big.Int).Quo(x, g))
	})
}

func foldInts(th *Thread, args Value, r *big.Int, f func(x *big.Int)) (Value, error) {
	t, _ := lang.AsTuple(args)
	for _, x := range t.Items() {
		b, err := bigOf(th, x.Value())
		if err != nil {
			return fail(err)
		}
		f(b)
	}
	return lang.BigInt(r), nil
}

func mathIsqrt(th *Thread, a []Value) (Value, error) {
	b, err := bigOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if b.Sign() < 0 {
		return fail(th.ValueErrorf("isqrt() argument must be nonnegative"))
	}
	return lang.BigInt(new(big.Int).Sqrt(b)), nil
}

func mathFmod(th *Thread, a []Value) (Value, error) {
	x, y, err := twoFloats(th, a)
	if err != nil {
		return fail(err)
	}
	if math.IsInf(y, 0) && finite(x) {
		return lang.Float(x), nil
	}
	r := math.Mod(x, y)
	if r != r && x == x && y == y {
		return fail(domainError(th))
	}
	return lang.Float(r), nil
}

func mathRemainder(th *Thread, a []Value) (Value, error) {
	x, y, err := twoFloats(th, a)
	if err != nil {
		return fail(err)
	}
	r := math.Remainder(x, y)
	if r != r && x == x && y == y {
		return fail(domainError(th))
	}
	return lang.Float(r), nil
}

func mathFrexp(th *Thread, a []Value) (Value, error) {
	x, err := floatOf(th, a[0])
	m, e := math.Frexp(x)
	return lang.NewTuple(lang.Float(m), lang.Int(int64(e))), err
}

func mathModf(th *Thread, a []Value) (Value, error) {
	x, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if math.IsInf(x, 0) {
		return lang.NewTuple(lang.Float(math.Copysign(0, x)), lang.Float(x)), nil
	}
	w := math.Trunc(x)
	return lang.NewTuple(lang.Float(math.Copysign(x-w, x)), lang.Float(w)), nil
}

func mathLdexp(th *Thread, a []Value) (Value, error) {
	x, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if !lang.IsIntValue(a[1]) {
		return fail(th.TypeErrorf("Expected an int as second argument to ldexp."))
	}
	i, ok := lang.AsInt(a[1])
	if !ok {
		b, _ := lang.AsBig(a[1])
		i = int64(b.Sign()) << 40
	}
	i = max(min(i, 1<<20), -(1 << 20))
	r := math.Ldexp(x, int(i))
	if math.IsInf(r, 0) && finite(x) {
		return fail(rangeError(th))
	}
	return lang.Float(r), nil
}

// mathLogBase is log2 or log10, for ints of any size too.
func mathLogBase(f func(float64) float64, base dd) lang.Native {
	return func(th *Thread, a []Value) (Value, error) { return logOf(th, a[0], f, base) }
}

func logOf(th *Thread, v Value, f func(float64) float64, base dd) (Value, error) {
	if b, ok := lang.AsBig(v); ok {
		if b.Sign() <= 0 {
			return fail(domainError(th))
		}
		if x, fits := format.BigFloat(b); fits {
			return lang.Float(f(x)), nil
		}
		m := new(big.Float).SetInt(b)
		e := m.MantExp(m)
		x, _ := m.Float64()
		return lang.Float(f(x) + ddLn2.div(base).value()*float64(e)), nil
	}
	x, err := floatOf(th, v)
	switch {
	case err != nil:
		return fail(err)
	case x != x, math.IsInf(x, 1):
		return lang.Float(x), nil
	case x <= 0:
		return fail(domainError(th))
	}
	return lang.Float(f(x)), nil
}

func mathLog(th *Thread, a []Value) (Value, error) {
	num, err := logOf(th, a[0], exactLog, dd{1, 0})
	if err != nil || a[1].IsUnbound() {
		return num, err
	}
	den, err := logOf(th, a[1], exactLog, dd{1, 0})
	if err != nil {
		return fail(err)
	}
	return lang.BinaryOperation(th, lang.OpDiv, num, den)
}

// powFloat is C's pow for any floats.
func powFloat(x, y float64) float64 {
	if x > 0 && finite(x) && finite(y) && x != 1 && y != 0 {
		return exactPow(x, y)
	}
	if x < 0 && finite(x) && finite(y) && y == math.Trunc(y) && x != -1 && y != 0 {
		r := exactPow(-x, y)
		if math.Mod(y, 2) != 0 {
			r = -r
		}
		return r
	}
	return math.Pow(x, y)
}

func mathPow(th *Thread, a []Value) (Value, error) {
	x, y, err := twoFloats(th, a)
	if err != nil {
		return fail(err)
	}
	r := powFloat(x, y)
	if finite(x) && finite(y) {
		if r != r || x == 0 && y < 0 {
			return fail(domainError(th))
		}
		if math.IsInf(r, 0) {
			return fail(rangeError(th))
		}
	}
	return lang.Float(r), nil
}

func mathProd(th *Thread, a []Value) (Value, error) {
	acc := a[1]
	err := each(th, a[0], func(x Value) (err error) {
		acc, err = lang.BinaryOperation(th, lang.OpMul, acc, x)
		return err
	})
	return acc, err
}

// mathFsum sums exactly: partial sums that don't overlap, rounded once.
func mathFsum(th *Thread, a []Value) (Value, error) {
	total := new(big.Float).SetPrec(2200)
	special, infs := 0.0, 0.0
	err := each(th, a[0], func(v Value) error {
		x, err := floatOf(th, v)
		if err != nil {
			return err
		}
		if !finite(x) {
			if math.IsInf(x, 0) {
				infs += x
			}
			special += x
			return nil
		}
		total.Add(total, new(big.Float).SetFloat64(x))
		return nil
	})
	if err != nil {
		return fail(err)
	}
	if special != 0 {
		if infs != infs {
			return fail(th.ValueErrorf("-inf + inf in fsum"))
		}
		return lang.Float(special), nil
	}
	r, _ := total.Float64()
	if math.IsInf(r, 0) {
		return fail(th.Raise(lang.OverflowError, "intermediate overflow in fsum"))
	}
	return lang.Float(r), nil
}

func mathHypot(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[0])
	var xs []float64
	for _, v := range t.Items() {
		x, err := floatOf(th, v.Value())
		if err != nil {
			return fail(err)
		}
		xs = append(xs, x)
	}
	return lang.Float(norm(xs)), nil
}

// norm is the Euclidean length, correctly rounded.
func norm(xs []float64) float64 {
	nan := false
	for _, x := range xs {
		if math.IsInf(x, 0) {
			return math.Inf(1)
		}
		nan = nan || x != x
	}
	if nan {
		return math.NaN()
	}
	sum := new(big.Float).SetPrec(400)
	for _, x := range xs {
		b := new(big.Float).SetPrec(120).SetFloat64(x)
		sum.Add(sum, b.Mul(b, b))
	}
	if sum.Sign() == 0 {
		return 0
	}
	r, _ := sum.Sqrt(sum).Float64()
	return r
}

func mathDist(th *Thread, a []Value) (Value, error) {
	p, err := lang.ToSlice(th, a[0])
	if err != nil {
		return fail(err)
	}
	q, err := lang.ToSlice(th, a[1])
	if err != nil {
		return fail(err)
	}
	if len(p) != len(q) {
		return fail(th.ValueErrorf("both points must have the same number of dimensions"))
	}
	xs := make([]float64, len(p))
	for i := range p {
		x, y, err := twoFloats(th, []Value{p[i].Value(), q[i].Value()})
		if err != nil {
			return fail(err)
		}
		xs[i] = x - y
	}
	return lang.Float(norm(xs)), nil
}

func mathIsclose(th *Thread, a []Value) (Value, error) {
	x, y, err := twoFloats(th, a)
	if err != nil {
		return fail(err)
	}
	rel, abs, err := twoFloats(th, a[2:])
	if err != nil {
		return fail(err)
	}
	if rel < 0 || abs < 0 {
		return fail(th.ValueErrorf("tolerances must be non-negative"))
	}
	if x == y {
		return lang.True, nil
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return lang.False, nil
	}
	d := math.Abs(y - x)
	return lang.Bool(d <= math.Abs(rel*y) || d <= math.Abs(rel*x) || d <= abs), nil
}

func ulp(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) {
		return x
	}
	if n := math.Nextafter(x, math.Inf(1)); !math.IsInf(n, 0) {
		return n - x
	}
	return x - math.Nextafter(x, 0)
}
