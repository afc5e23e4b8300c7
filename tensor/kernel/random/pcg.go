package random

import "math/bits"

// PCG64 is NumPy's default bit generator: a 128-bit linear congruential generator
// with the output function XSL-RR. Seed it before use.
type PCG64 struct {
	Hi, Lo       uint64 // the state
	IncHi, IncLo uint64
	Half         uint32 // the upper half of a word that waits for the next Uint32
	HasHalf      bool
}

const pcgMultHi, pcgMultLo = 2549297995355413924, 4865540595714422341

// Seed sets state and stream from a SeedSequence.
func (p *PCG64) Seed(s *SeedSequence) {
	var q [4]uint64
	s.Generate64(q[:])
	*p = PCG64{IncHi: q[2]<<1 | q[3]>>63, IncLo: q[3]<<1 | 1}
	p.step()
	var carry uint64
	p.Lo, carry = bits.Add64(p.Lo, q[1], 0)
	p.Hi, _ = bits.Add64(p.Hi, q[0], carry)
	p.step()
}

func (p *PCG64) step() {
	hi, lo := bits.Mul64(p.Lo, pcgMultLo)
	hi += p.Hi*pcgMultLo + p.Lo*pcgMultHi
	var carry uint64
	p.Lo, carry = bits.Add64(lo, p.IncLo, 0)
	p.Hi, _ = bits.Add64(hi, p.IncHi, carry)
}

// Uint64 returns the next word; a waiting half is left alone.
func (p *PCG64) Uint64() uint64 {
	p.step()
	return bits.RotateLeft64(p.Hi^p.Lo, -int(p.Hi>>58))
}

// Uint32 returns the low half of a word, then its high half.
func (p *PCG64) Uint32() uint32 {
	if p.HasHalf {
		p.HasHalf = false
		return p.Half
	}
	v := p.Uint64()
	p.Half, p.HasHalf = uint32(v>>32), true
	return uint32(v)
}

// Float64 is uniform in [0, 1) with 53 bits.
func (p *PCG64) Float64() float64 { return float64(p.Uint64()>>11) / 9007199254740992 }

// Float32 is uniform in [0, 1) with 24 bits.
func (p *PCG64) Float32() float32 { return float32(p.Uint32()>>8) / 16777216 }
