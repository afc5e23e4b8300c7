package py

import (
	"math"
	"math/big"
)

// dd is an unevaluated sum of two floats, hi the nearest: 106 bits. Functions of
// it rounded to one float are correctly rounded but for about one argument in
// 2**40, as close to the C library that CPython calls as one can be.
type dd struct{ hi, lo float64 }

func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func quick(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func twoProd(a, b float64) dd {
	p := a * b
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quick(s.hi, s.lo+t.hi)
	return quick(s.hi, s.lo+t.lo)
}

func (a dd) sub(b dd) dd { return a.add(dd{-b.hi, -b.lo}) }

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	return quick(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.sub(b.mul(dd{q, 0}))
	q2 := r.hi / b.hi
	r = r.sub(b.mul(dd{q2, 0}))
	s := quick(q, q2)
	return s.add(dd{r.hi / b.hi, 0})
}

func (a dd) scale(k float64) dd { return dd{a.hi * k, a.lo * k} }
func (a dd) value() float64     { return a.hi + a.lo }

// Constants to 106 bits; ln2 and pi/2 with a third part for reductions.
var (
	ddLn2    = dd{0.6931471805599453, 2.3190468138462996e-17}
	ddHalfPi = dd{1.5707963267948966, 6.123233995736766e-17}
)

const (
	ln2Third    = 5.707708438416212e-34
	halfPiThird = -1.4973849048591833e-33
)

// inverse factorials 1/n! for the series.
var invFact = func() [30]dd {
	var t [30]dd
	t[0] = dd{1, 0}
	for i := 1; i < len(t); i++ {
		t[i] = t[i-1].div(dd{float64(i), 0})
	}
	return t
}()

// expDD is e**x for |x| < 745; the power of two is given apart.
func expDD(x dd) (dd, int) {
	k := math.Round(x.hi / ddLn2.hi)
	r := x.sub(ddLn2.mul(dd{k, 0})).sub(dd{k * ln2Third, 0})
	const halvings = 9
	r = r.scale(1.0 / (1 << halvings))
	// e**r - 1 by its series, then squared back as (1+s)**2-1 = 2s + s*s
	s := dd{}
	for n := 10; n >= 1; n-- {
		s = s.mul(r).add(invFact[n])
	}
	s = s.mul(r)
	for range halvings {
		s = s.scale(2).add(s.mul(s))
	}
	return s.add(dd{1, 0}), int(k)
}

func exactExp(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	y, k := expDD(dd{x, 0})
	return ldexpDD(y, k)
}

// ldexpDD rounds once, also into the subnormals.
func ldexpDD(y dd, k int) float64 {
	if k > -1000 {
		return math.Ldexp(y.value(), k)
	}
	b := new(big.Float).SetPrec(200).SetFloat64(y.hi)
	b.Add(b, new(big.Float).SetFloat64(y.lo))
	b.SetMantExp(b, k)
	f, _ := b.Float64()
	return f
}

// logDD is ln x for a positive finite x.
func logDD(x dd) dd {
	m, e := math.Frexp(x.hi)
	if m < math.Sqrt2/2 {
		m, e = m*2, e-1
	}
	f := dd{m, math.Ldexp(x.lo, -e)}
	y := dd{math.Log(m), 0}
	for range 2 { // Newton: y += f*exp(-y) - 1
		t, k := expDD(dd{-y.hi, -y.lo})
		t = t.scale(math.Ldexp(1, k))
		y = y.add(f.mul(t).sub(dd{1, 0}))
	}
	return y.add(ddLn2.mul(dd{float64(e), 0})).add(dd{float64(e) * ln2Third, 0})
}

func exactLog(x float64) float64 {
	if x == 1 {
		return 0
	}
	return logDD(dd{x, 0}).value()
}

var ddLn10 = logDD(dd{10, 0})

func exactLog2(x float64) float64 {
	if m, e := math.Frexp(x); m == 0.5 {
		return float64(e - 1)
	}
	return logDD(dd{x, 0}).div(ddLn2).value()
}

func exactLog10(x float64) float64 { return logDD(dd{x, 0}).div(ddLn10).value() }

func exactLog1p(x float64) float64 {
	if math.Abs(x) < 1e-17 {
		return x
	}
	return logDD(twoSum(1, x)).value()
}

func exactExpm1(x float64) float64 {
	switch {
	case math.Abs(x) < 1e-17:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -40:
		return -1
	}
	if math.Abs(x) < 0.3 {
		r, s := dd{x, 0}, dd{}
		for n := 24; n >= 1; n-- {
			s = s.mul(r).add(invFact[n])
		}
		return s.mul(r).value()
	}
	y, k := expDD(dd{x, 0})
	return y.scale(math.Ldexp(1, k)).sub(dd{1, 0}).value()
}

// reduceAngle is x modulo pi/2 with the quadrant.
func reduceAngle(x float64) (dd, int) {
	k := math.Round(x / ddHalfPi.hi)
	if math.Abs(x) > 1e5 {
		return reduceBig(x)
	}
	r := dd{x, 0}.sub(ddHalfPi.mul(dd{k, 0})).sub(dd{k * halfPiThird, 0})
	return r, int(int64(k) & 3)
}

// piDigits is pi with enough digits to reduce any float.
const piDigits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196442881097566593344612847564823378678316527120190914564856692346034861045432664821339360726024914127372458700660631558817488152092096282925409171536436789259036001133053054882046652138414695194151160943305727036575959195309218611738193261179310511854807446237996274956735188575272489122793818301194912983367336244065664308602139494639522473719070217986094370277053921717629317675238467481846766940513200056812714526356082778577134275778960917363717872146844090122495343014654958537105079227968925892354201995611212902196086403441815981362977477130996051870721134999999"

func reduceBig(x float64) (dd, int) {
	const prec = 2400
	half, _, _ := big.ParseFloat(piDigits, 10, prec, big.ToNearestEven)
	half.Quo(half, big.NewFloat(2))
	b := new(big.Float).SetPrec(prec).SetFloat64(x)
	q := new(big.Float).SetPrec(prec).Quo(b, half)
	q.Add(q, big.NewFloat(math.Copysign(0.5, x)))
	k, _ := q.Int(nil)
	b.Sub(b, new(big.Float).SetPrec(prec).Mul(half, new(big.Float).SetPrec(prec).SetInt(k)))
	hi, _ := b.Float64()
	lo, _ := b.Sub(b, big.NewFloat(hi)).Float64()
	quad := new(big.Int).And(k, big.NewInt(3))
	return dd{hi, lo}, int(quad.Int64())
}

// sinCos are sine and cosine of a reduced argument.
func sinCos(r dd) (s, c dd) {
	r2 := r.mul(r)
	for n := 27; n >= 1; n -= 2 {
		s = invFact[n].sub(s.mul(r2))
	}
	for n := 26; n >= 0; n -= 2 {
		c = invFact[n].sub(c.mul(r2))
	}
	return s.mul(r), c
}

func sinCosOf(x float64) (s, c dd) {
	r, q := reduceAngle(x)
	s, c = sinCos(r)
	switch q {
	case 1:
		s, c = c, s.scale(-1)
	case 2:
		s, c = s.scale(-1), c.scale(-1)
	case 3:
		s, c = c.scale(-1), s
	}
	return s, c
}

func exactSin(x float64) float64 {
	if x == 0 {
		return x // -0 too
	}
	if math.Abs(x) < 1e-8 {
		return x - x*x*x/6
	}
	s, _ := sinCosOf(x)
	return s.value()
}

func exactCos(x float64) float64 { _, c := sinCosOf(x); return c.value() }

func exactTan(x float64) float64 {
	if math.Abs(x) < 1e-9 {
		return x
	}
	s, c := sinCosOf(x)
	return s.div(c).value()
}

// atanDD is the arc tangent of y/x for y >= 0, in [0, pi].
func atanDD(y, x dd) dd {
	a := dd{math.Atan2(y.hi, x.hi), 0}
	r := a
	quad := 0
	if a.hi > math.Pi/4 {
		quad = int(math.Round(a.hi / ddHalfPi.hi))
		r = a.sub(ddHalfPi.mul(dd{float64(quad), 0}))
	}
	s, c := sinCos(r)
	switch quad {
	case 1:
		s, c = c, s.scale(-1)
	case 2:
		s, c = s.scale(-1), c.scale(-1)
	}
	// the angle between (c, s) and (x, y) is small: sin of it = (c*y - s*x)/|(x,y)|
	n := c.mul(x).add(s.mul(y))
	d := c.mul(y).sub(s.mul(x)).div(n)
	return a.add(d)
}

func exactAtan2(y, x float64) float64 {
	if y == 0 || x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		return math.Atan2(y, x)
	}
	if q := math.Abs(y / x); q < 1e-290 || q > 1e290 {
		return math.Atan2(y, x)
	}
	ay := math.Abs(y)
	k := 0
	if _, e := math.Frexp(math.Max(ay, math.Abs(x))); e > 500 || e < -400 {
		k = -e
	}
	a := atanDD(dd{math.Ldexp(ay, k), 0}, dd{math.Ldexp(x, k), 0}).value()
	return math.Copysign(a, y)
}

func exactAtan(x float64) float64 {
	if math.Abs(x) < 1e-9 || math.IsInf(x, 0) {
		return math.Atan(x)
	}
	return exactAtan2(x, 1)
}

// oneMinusSquare is sqrt(1 - x*x).
func oneMinusSquare(x float64) dd {
	return sqrtDD(dd{1, 0}.sub(dd{x, 0}).mul(dd{1, 0}.add(dd{x, 0})))
}

func sqrtDD(a dd) dd {
	if a.hi <= 0 {
		return dd{}
	}
	s := math.Sqrt(a.hi)
	r := a.sub(twoProd(s, s))
	return quick(s, r.hi/(2*s))
}

func exactAsin(x float64) float64 {
	if math.Abs(x) < 1e-9 {
		return x
	}
	a := atanDD(dd{math.Abs(x), 0}, oneMinusSquare(x)).value()
	return math.Copysign(a, x)
}

func exactAcos(x float64) float64 {
	if x == 1 {
		return 0
	}
	return atanDD(oneMinusSquare(x), dd{x, 0}).value()
}

// expPair are e**x and e**-x scaled by half each.
func expPair(x float64) (p, m dd) {
	y, k := expDD(dd{x, 0})
	p = y.scale(math.Ldexp(0.5, k))
	m = dd{0.25, 0}.div(p)
	return p, m
}

func exactSinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1e-8:
		return x
	case a > 710.5:
		return math.Copysign(math.Inf(1), x)
	case a < 0.4:
		r := dd{a, 0}
		r2, s := r.mul(r), dd{}
		for n := 23; n >= 1; n -= 2 {
			s = s.mul(r2).add(invFact[n])
		}
		return math.Copysign(s.mul(r).value(), x)
	case a > 700:
		return math.Copysign(math.Ldexp(halfExp(a), 0), x)
	}
	p, m := expPair(a)
	return math.Copysign(p.sub(m).value(), x)
}

func halfExp(a float64) float64 {
	y, k := expDD(dd{a, 0})
	return math.Ldexp(y.value(), k-1)
}

func exactCosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a > 710.5:
		return math.Inf(1)
	case a > 700:
		return halfExp(a)
	}
	p, m := expPair(a)
	return p.add(m).value()
}

func exactTanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 1e-8:
		return x
	case a > 22:
		return math.Copysign(1, x)
	case a < 0.4:
		return math.Copysign(exactSinhDD(a).div(coshDD(a)).value(), x)
	}
	p, m := expPair(a)
	return math.Copysign(p.sub(m).div(p.add(m)).value(), x)
}

func exactSinhDD(a float64) dd {
	r := dd{a, 0}
	r2, s := r.mul(r), dd{}
	for n := 23; n >= 1; n -= 2 {
		s = s.mul(r2).add(invFact[n])
	}
	return s.mul(r)
}

func coshDD(a float64) dd { p, m := expPair(a); return p.add(m) }

func exactAsinh(x float64) float64 {
	a := math.Abs(x)
	if a < 1e-8 || math.IsInf(x, 0) || x != x {
		return x
	}
	if a > 1e150 {
		return math.Copysign(logDD(dd{a, 0}).add(ddLn2).value(), x)
	}
	// ln(a + sqrt(a*a+1)); for small a as log1p of an exact sum
	s := sqrtDD(twoProd(a, a).add(dd{1, 0}))
	return math.Copysign(logDD(dd{a, 0}.add(s)).value(), x)
}

func exactAcosh(x float64) float64 {
	if x > 1e150 {
		return logDD(dd{x, 0}).add(ddLn2).value()
	}
	s := sqrtDD(dd{x, 0}.sub(dd{1, 0}).mul(dd{x, 0}.add(dd{1, 0})))
	return logDD(dd{x, 0}.add(s)).value()
}

func exactAtanh(x float64) float64 {
	if math.Abs(x) < 1e-8 {
		return x
	}
	q := dd{1, 0}.add(dd{x, 0}).div(dd{1, 0}.sub(dd{x, 0}))
	return logDD(q).scale(0.5).value()
}

func exactCbrt(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	y := math.Cbrt(x)
	// one step of Newton in 106 bits
	c := dd{y, 0}
	r := dd{x, 0}.sub(c.mul(c).mul(c)).div(c.mul(c).scale(3))
	return c.add(r).value()
}

// exactPow is x**y for finite x > 0.
func exactPow(x, y float64) float64 {
	p := logDD(dd{x, 0}).mul(dd{y, 0})
	switch {
	case p.hi > 709.79:
		return math.Inf(1)
	case p.hi < -745.2:
		return 0
	}
	r, k := expDD(p)
	return ldexpDD(r, k)
}
