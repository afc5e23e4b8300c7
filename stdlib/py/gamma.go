package py

import (
	"math"

	"github.com/tfs-lang/tfs/lang"
)

// Lanczos' approximation with g = 6.0246800407767296 and 13 coefficients, as
// CPython computes gamma and lgamma.
const lanczosG = 6.024680040776729583740234375

var lanczosNum = [13]float64{
	23531376880.410759688572007674451636754734846804940,
	42919803642.649098768957899047001988850926355848959,
	35711959237.355668049440185451547166705960488635843,
	17921034426.037209699919755754458931112671403265390,
	6039542586.3520280050642916443072979210699388420708,
	1439720407.3117216736632230727949123939715485786372,
	248874557.86205415651146038641322942321632125127801,
	31426415.585400194380614231628318205362874684987640,
	2876370.6289353724412254090516208496135991145378768,
	186056.26539522349504029498971604569928220784236328,
	8071.6720023658162106380029022722506138218516325024,
	210.82427775157934587250973392071336271166969580291,
	2.5066282746310002701649081771338373386264310793408,
}

var lanczosDen = [13]float64{0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1}

func lanczosSum(x float64) float64 {
	num, den := 0.0, 0.0
	if x < 5 {
		for i := 12; i >= 0; i-- {
			num = num*x + lanczosNum[i]
			den = den*x + lanczosDen[i]
		}
	} else {
		for i := range 13 {
			num = num/x + lanczosNum[i]
			den = den/x + lanczosDen[i]
		}
	}
	return num / den
}

// sinPi is sin(pi*x) without error in the product.
func sinPi(x float64) float64 {
	y := math.Mod(math.Abs(x), 2)
	r := 0.0
	switch int(math.Round(2 * y)) {
	case 0:
		r = exactSin(math.Pi * y)
	case 1:
		r = exactCos(math.Pi * (y - 0.5))
	case 2:
		r = exactSin(math.Pi * (1 - y))
	case 3:
		r = -exactCos(math.Pi * (y - 1.5))
	case 4:
		r = exactSin(math.Pi * (y - 2))
	}
	return math.Copysign(1, x) * r
}

func mathGamma(th *Thread, a []Value) (Value, error) {
	x, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	r, why := gamma(x)
	switch why {
	case 'd':
		return fail(domainError(th))
	case 'r':
		return fail(rangeError(th))
	}
	return lang.Float(r), nil
}

// gamma gives the value, or d for a domain and r for a range error.
func gamma(x float64) (float64, byte) {
	switch {
	case x != x || math.IsInf(x, 1):
		return x, 0
	case x == 0 || math.IsInf(x, -1):
		return 0, 'd'
	case x == math.Floor(x):
		if x < 0 {
			return 0, 'd'
		}
		if x <= 23 {
			r := 1.0
			for i := 2.0; i < x; i++ {
				r *= i
			}
			return r, 0
		}
	}
	ax := math.Abs(x)
	if ax < 1e-20 {
		if r := 1 / x; !math.IsInf(r, 0) {
			return r, 0
		}
		return 0, 'r'
	}
	if ax > 200 {
		if x < 0 {
			return 0 / sinPi(x), 0
		}
		return 0, 'r'
	}
	return gammaLanczos(x, ax)
}

func gammaLanczos(x, ax float64) (float64, byte) {
	y := ax + (lanczosG - 0.5)
	var z float64
	if ax > lanczosG-0.5 {
		z = y - ax - (lanczosG - 0.5)
	} else {
		z = y - (lanczosG - 0.5) - ax
	}
	z = z * lanczosG / y
	var r float64
	if x < 0 {
		r = -math.Pi / sinPi(ax) / ax * exactExp(y) / lanczosSum(ax)
		r -= z * r
		if ax < 140 {
			r /= powFloat(y, ax-0.5)
		} else {
			s := powFloat(y, ax/2-0.25)
			r = r / s / s
		}
	} else {
		r = lanczosSum(ax) / exactExp(y)
		r += z * r
		if ax < 140 {
			r *= powFloat(y, ax-0.5)
		} else {
			s := powFloat(y, ax/2-0.25)
			r = r * s * s
		}
	}
	if math.IsInf(r, 0) {
		return 0, 'r'
	}
	return r, 0
}

func mathLgamma(th *Thread, a []Value) (Value, error) {
	x, err := floatOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	if !finite(x) {
		return lang.Float(math.Abs(x)), nil
	}
	if x == math.Floor(x) && x <= 2 {
		if x <= 0 {
			return fail(domainError(th))
		}
		return lang.Float(0), nil
	}
	ax := math.Abs(x)
	if ax < 1e-20 {
		return lang.Float(-exactLog(ax)), nil
	}
	r := exactLog(lanczosSum(ax)) - lanczosG
	r += (ax - 0.5) * (exactLog(ax+lanczosG-0.5) - 1)
	if x < 0 {
		r = exactLog(math.Pi) - exactLog(math.Abs(sinPi(ax))) - exactLog(ax) - r
	}
	if math.IsInf(r, 0) {
		return fail(rangeError(th))
	}
	return lang.Float(r), nil
}
