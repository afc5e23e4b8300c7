package random

import "math/bits"

// BitGenerator is a source of random words: NumPy's bit generators.
type BitGenerator interface {
	Uint32() uint32
	Uint64() uint64
	Float64() float64
	Float32() float32
}

func bitLen(n uint64) int { return bits.Len64(n) }

func maskOf(n uint64) uint64 { return 1<<bits.Len64(n) - 1 }

// masked is uniform in 0..rng by rejection under a bit mask: one 32-bit word a try
// if the range fits, else a 64-bit word.
func masked(g BitGenerator, rng uint64) uint64 {
	if rng == 0 {
		return 0
	}
	mask := maskOf(rng)
	for {
		var v uint64
		if rng <= 1<<32-1 {
			v = uint64(g.Uint32()) & mask
		} else {
			v = g.Uint64() & mask
		}
		if v <= rng {
			return v
		}
	}
}

// lemire is uniform in 0..rng by multiplication and rejection.
func lemire(g BitGenerator, rng uint64) uint64 {
	switch {
	case rng == 0:
		return 0
	case rng == 1<<32-1:
		return uint64(g.Uint32())
	case rng < 1<<32-1:
		return lemireSmall(g.Uint32, uint32(rng), 32)
	case rng == 1<<64-1:
		return g.Uint64()
	}
	n := rng + 1
	hi, lo := bits.Mul64(g.Uint64(), n)
	if lo < n {
		threshold := (1<<64 - 1 - rng) % n
		for lo < threshold {
			hi, lo = bits.Mul64(g.Uint64(), n)
		}
	}
	return hi
}

// lemireSmall works on words of at most 32 bits.
func lemireSmall(word func() uint32, rng uint32, width int) uint64 {
	full := uint64(1)<<width - 1
	n := uint64(rng) + 1
	m := uint64(word()) * n
	if m&full < n {
		threshold := (full - uint64(rng)) % n
		for m&full < threshold {
			m = uint64(word()) * n
		}
	}
	return m >> width
}

// pieces cuts words into 1-, 8- or 16-bit pieces, the low end first.
type pieces struct {
	g     BitGenerator
	width int
	word  uint32
	left  int
}

func (p *pieces) next() uint32 {
	if p.left == 0 {
		p.word, p.left = p.g.Uint32(), 32/p.width-1
	} else {
		p.word >>= p.width
		p.left--
	}
	return p.word & (1<<p.width - 1)
}

// Method is how bounded integers are made.
type Method uint8

// The methods: RandomState's randint is Masked, Generator's integers is Lemire.
const (
	Masked Method = iota
	Lemire
)

// Integers fills dst with low + a uniform integer in 0..rng (wrapping as unsigned
// numbers) for a dtype of the given width in bits, 1 standing for bool. Narrow types
// share words within one call.
func Integers(g BitGenerator, method Method, dst []uint64, low, rng uint64, width int) {
	if rng == 0 {
		for i := range dst {
			dst[i] = low
		}
		return
	}
	draw := func() uint64 { return lemire(g, rng) }
	if method == Masked {
		draw = func() uint64 { return masked(g, rng) }
	}
	if width < 32 {
		draw = narrowDraw(g, method, rng, width)
	}
	for i := range dst {
		dst[i] = low + draw()
	}
}

func narrowDraw(g BitGenerator, method Method, rng uint64, width int) func() uint64 {
	p := &pieces{g: g, width: width}
	switch {
	case rng == 1<<width-1:
		return func() uint64 { return uint64(p.next()) }
	case method == Lemire:
		return func() uint64 { return lemireSmall(p.next, uint32(rng), width) }
	}
	mask := uint32(maskOf(rng))
	return func() uint64 {
		for {
			if v := p.next() & mask; uint64(v) <= rng {
				return uint64(v)
			}
		}
	}
}

// Permute shuffles indices as shuffle and permutation of both NumPy interfaces do:
// from the back, by masked rejection. The swap exchanges two elements of whatever is
// shuffled.
func Permute(g BitGenerator, n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, int(masked(g, uint64(i))))
	}
}

// Permutation writes a random order of 0..len(dst)-1.
func Permutation(g BitGenerator, dst []int64) {
	for i := range dst {
		dst[i] = int64(i)
	}
	Permute(g, len(dst), func(i, j int) { dst[i], dst[j] = dst[j], dst[i] })
}

// Pick draws indices by their probabilities, with replacement.
func Pick(g BitGenerator, dst []int64, p []float64) {
	cdf := normalisedCDF(p)
	for i := range dst {
		dst[i] = search(cdf, g.Float64())
	}
}

func normalisedCDF(p []float64) []float64 {
	cdf, s := make([]float64, len(p)), 0.0
	for i, v := range p {
		s += v
		cdf[i] = s
	}
	for i := range cdf {
		cdf[i] /= s
	}
	return cdf
}

// search is the number of entries that are at most u.
func search(cdf []float64, u float64) int64 {
	lo, hi := 0, len(cdf)
	for lo < hi {
		if mid := (lo + hi) / 2; cdf[mid] <= u {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int64(lo)
}

// PickUnique draws distinct indices by their probabilities: the missing number at
// once, first occurrences kept and their probability set to zero, again until done.
func PickUnique(g BitGenerator, dst []int64, p []float64) {
	p = append([]float64(nil), p...)
	for found := 0; found < len(dst); {
		u := make([]float64, len(dst)-found)
		for i := range u {
			u[i] = g.Float64()
		}
		for _, k := range dst[:found] {
			p[k] = 0
		}
		cdf := normalisedCDF(p)
		fresh := map[int64]bool{}
		for _, v := range u {
			if k := search(cdf, v); !fresh[k] {
				fresh[k] = true
				dst[found] = k
				found++
			}
		}
	}
}
