package random

import (
	"math"
	"sort"
)

// Categorical draws samples classes for each row of logits, dst being [rows,
// samples]: one uniform a sample, rows one after the other. Logits that aren't
// finite have no weight.
func Categorical[T float32 | float64, I int32 | int64](p Philox, dst []I, logits []T, rows, classes, samples int) {
	w := newWords(p)
	cdf := make([]float64, classes)
	for r := 0; r < rows; r++ {
		total := cumulate(cdf, logits[r*classes:(r+1)*classes])
		for s := 0; s < samples; s++ {
			x0 := w.next()
			find := unit64(x0, w.next()) * total
			dst[r*samples+s] = I(sort.Search(classes, func(i int) bool { return cdf[i] > find }))
		}
	}
}

func cumulate[T float32 | float64](cdf []float64, row []T) float64 {
	top := math.Inf(-1)
	for _, v := range row {
		if f := float64(v); !math.IsInf(f, 0) && f > top {
			top = f
		}
	}
	total := 0.0
	for i, v := range row {
		if f := float64(v); f-f == 0 {
			total += math.Exp(f - top)
		}
		cdf[i] = total
	}
	return total
}

// sampleBlocks is how many blocks an output of gamma, poisson or a rejecting
// binomial owns.
const sampleBlocks = 256

// Gamma fills dst, [samples, len(alpha)], with gamma variates of scale one.
func Gamma(p Philox, dst, alpha []float64) {
	n := len(alpha)
	samples := len(dst) / max(n, 1)
	for i, a := range alpha {
		for s := 0; s < samples; s++ {
			dst[s*n+i] = gammaOne(p.At(uint64(sampleBlocks*(i*samples+s))), a)
		}
	}
}

// gammaOne is Marsaglia and Tsang's rejection; normals and uniforms take whole
// blocks of the same generator as they need them.
func gammaOne(p Philox, alpha float64) float64 {
	u := doubles{p: &p}
	if alpha == 1 {
		return -math.Log1p(-u.next())
	}
	d := alpha - 1./3
	if alpha < 1 {
		d = alpha + 2./3
	}
	c := 1. / 3 / math.Sqrt(d)
	var kept float64
	has := false
	for {
		x := kept
		if has = !has; has {
			kept, x = boxMuller64(p.Block())
		}
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		y := u.next()
		if y < 1-float64(0.0331*(x*x)*(x*x)) || math.Log(y) < float64(0.5*x*x)+float64(d*(1-v+math.Log(v))) {
			if alpha < 1 {
				return d * v * math.Pow(u.next(), 1/alpha)
			}
			return d * v
		}
	}
}

// Poisson fills dst, [samples, len(rate)], with counts.
func Poisson(p Philox, dst, rate []float64) {
	n := len(rate)
	samples := len(dst) / max(n, 1)
	for i, r := range rate {
		for s := 0; s < samples; s++ {
			dst[s*n+i] = poissonOne(p.At(uint64(sampleBlocks*(i*samples+s))), r)
		}
	}
}

func poissonOne(p Philox, rate float64) float64 {
	if !(rate >= 0) || math.IsInf(rate, 0) {
		return math.NaN()
	}
	u := doubles{p: &p}
	if rate < 10 {
		return poissonProduct(rate, u.next)
	}
	return poissonReject(rate, u.next, func(x, inv, a, us, b float64) float64 {
		return math.Log(x * inv / (a/(us*us) + b))
	}, lgamma)
}

// poissonProduct counts how many uniforms it takes to fall to exp(-rate).
func poissonProduct(rate float64, u func() float64) float64 {
	limit, product, k := math.Exp(-rate), 1.0, 0.0
	for {
		product *= u()
		if product <= limit {
			return k
		}
		k++
	}
}

// poissonReject is Hoermann's transformed rejection (PTRS).
func poissonReject(rate float64, u func() float64, hat func(v, inv, a, us, b float64) float64, lgamma func(float64) float64) float64 {
	b := 0.931 + float64(2.53*math.Sqrt(rate))
	a := -0.059 + float64(0.02483*b)
	inv := 1.1239 + 1.1328/(b-3.4)
	vr := 0.9277 - 3.6224/(b-2)
	for {
		x := u() - 0.5
		v := u()
		us := 0.5 - math.Abs(x)
		k := math.Floor(float64((2*a/us+b)*x) + rate + 0.43)
		if us >= 0.07 && v <= vr {
			return k
		}
		if k < 0 || us < 0.013 && v > us {
			continue
		}
		if hat(v, inv, a, us, b) <= -rate+float64(k*math.Log(rate))-lgamma(k+1) {
			return k
		}
	}
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// Binomial draws the index-th sample of count trials of probability prob from a
// call that starts at p.
func Binomial(p Philox, count, prob float64, index int) float64 {
	switch {
	case count <= 0 || prob <= 0:
		return 0
	case prob >= 1:
		return count
	}
	q, flip := prob, prob > 0.5
	if flip {
		q = 1 - prob
	}
	blocks := uint64(42)
	if count*q >= 10 {
		blocks = sampleBlocks
	}
	p.Skip(uint64(index) * blocks)
	u := doubles{p: &p}
	var k float64
	if count*q < 10 {
		k = binomialGaps(count, q, &u)
	} else {
		k = binomialReject(count, q, &u)
	}
	if flip {
		return count - k
	}
	return k
}

// binomialGaps adds geometric gaps between successes.
func binomialGaps(count, q float64, u *doubles) float64 {
	total, k := 0.0, 0.0
	for {
		total += math.Ceil(math.Log(u.next()) / math.Log1p(-q))
		if total > count {
			return k
		}
		k++
	}
}

// binomialReject is Hoermann's BTRS.
func binomialReject(count, q float64, u *doubles) float64 {
	sd := math.Sqrt(count * q * (1 - q))
	b := 1.15 + float64(2.53*sd)
	a := -0.0873 + float64(0.0248*b) + float64(0.01*q)
	c, vr, r := float64(count*q)+0.5, 0.92-4.2/b, q/(1-q)
	alpha, m := (2.83+5.1/b)*sd, math.Floor((count+1)*q)
	for {
		x := u.next()
		v := u.next()
		x -= 0.5
		us := 0.5 - math.Abs(x)
		k := math.Floor(float64((2*a/us+b)*x) + c)
		if us >= 0.07 && v <= vr {
			return k
		}
		if k < 0 || k > count {
			continue
		}
		v = math.Log(v * alpha / (a/(us*us) + b))
		bound := float64((m+0.5)*math.Log((m+1)/(r*(count-m+1)))) +
			float64((count+1)*math.Log((count-m+1)/(count-k+1))) +
			float64((k+0.5)*math.Log(r*(count-k+1)/(k+1))) +
			stirlingTail(m) + stirlingTail(count-m) - stirlingTail(k) - stirlingTail(count-k)
		if v <= bound {
			return k
		}
	}
}

// stirling holds the error of Stirling's formula for 0..9.
var stirling = [...]float64{0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
	0.0166446911898211, 0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287}

func stirlingTail(k float64) float64 {
	if k <= 9 {
		return stirling[int(k)]
	}
	q := (k + 1) * (k + 1)
	return (1./12 - (1./360-1./1260/q)/q) / (k + 1)
}
