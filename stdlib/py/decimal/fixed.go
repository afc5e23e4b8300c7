package decimal

import (
	"math/big"
	"sync"
)

// Binary fixed point for the transcendental functions: an integer i stands for
// i / 2**w.

func fixedOf(x *Number, w uint) *big.Int {
	i := new(big.Int)
	if x.Exp >= 0 {
		i.Lsh(i.Mul(x.Coef, pow10(x.Exp)), w)
	} else {
		i.Quo(i.Lsh(x.Coef, w), pow10(-x.Exp))
	}
	if x.Neg {
		i.Neg(i)
	}
	return i
}

// logs keeps ln 10 in the longest form that was needed.
var logs struct {
	sync.Mutex
	ln10 *big.Int
	w    uint
}

// ln10 is right to a few units of 2**-w.
func ln10(w uint) *big.Int {
	logs.Lock()
	defer logs.Unlock()
	if logs.ln10 == nil || logs.w < w {
		logs.w = w + 64
		logs.ln10 = lnFixed(new(big.Int).Lsh(ten, logs.w), logs.w)
	}
	return new(big.Int).Rsh(logs.ln10, logs.w-w)
}

// lnFixed is ln v for v > 0 not far from 1, with an error below 2**12 units:
// square roots bring v near 1, where the series of atanh is short.
func lnFixed(v *big.Int, w uint) *big.Int {
	k := uint(4)
	for k*k < w {
		k += 2
	}
	extra := 2*k + 16
	wide := w + extra
	v = new(big.Int).Lsh(v, extra)
	for range k {
		v.Sqrt(v.Lsh(v, wide))
	}
	unit := new(big.Int).Lsh(one, wide)
	z := new(big.Int).Sub(v, unit)
	z.Quo(z.Lsh(z, wide), v.Add(v, unit))
	sum, term := new(big.Int).Set(z), new(big.Int).Set(z)
	square := new(big.Int).Mul(z, z)
	square.Rsh(square, wide)
	t := new(big.Int)
	for n := int64(3); ; n += 2 {
		term.Mul(term, square)
		term.Quo(term, unit)
		if t.Quo(term, big.NewInt(n)).Sign() == 0 {
			break
		}
		sum.Add(sum, t)
	}
	return shifted(sum.Lsh(sum, k+1), extra)
}

// shifted drops n bits towards zero.
func shifted(i *big.Int, n uint) *big.Int { return i.Quo(i, new(big.Int).Lsh(one, n)) }

// expFixed is e**v for 0 <= v < 4, with an error below 2**12 units: v is halved
// until the series is short, then its result is squared back.
func expFixed(v *big.Int, w uint) *big.Int {
	k := uint(4)
	for k*k < w {
		k += 2
	}
	extra := 2*k + 16
	wide := w + extra
	r := new(big.Int).Lsh(v, extra-k)
	sum := new(big.Int).Lsh(one, wide)
	term := new(big.Int).Set(sum)
	for n := int64(1); ; n++ {
		term.Rsh(term.Mul(term, r), wide)
		if term.Quo(term, big.NewInt(n)).Sign() == 0 {
			break
		}
		sum.Add(sum, term)
	}
	for range k {
		sum.Rsh(sum.Mul(sum, sum), wide)
	}
	return sum.Rsh(sum, extra)
}

// settle turns a positive fixed-point value into a Number of more than prec digits
// whose rounding to prec digits is beyond doubt; nil if the error, 2**slack units,
// leaves one.
func settle(v *big.Int, w, slack uint, prec int64) *Number {
	if uint(v.BitLen()) < slack+8 {
		return nil
	}
	err := new(big.Int).Lsh(one, slack)
	scale := prec + 3 - int64(float64(v.BitLen()-int(w))*0.30103)
	low, high := scaled(new(big.Int).Sub(v, err), w, scale), scaled(err.Add(v, err), w, scale)
	c := work(prec)
	a, b := c.Finish(low), c.Finish(high)
	if a.Exp != b.Exp || a.Coef.Cmp(b.Coef) != 0 {
		return nil
	}
	return low
}

// scaled is v / 2**w cut after `places` decimal places, with a digit for the rest.
func scaled(v *big.Int, w uint, places int64) *Number {
	i := new(big.Int)
	if places >= 0 {
		i.Rsh(i.Mul(v, pow10(places)), w)
	} else {
		i.Quo(i.Rsh(v, w), pow10(-places))
	}
	return finite(false, i.Add(i.Mul(i, ten), one), -places-1)
}
