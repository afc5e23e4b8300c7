package random

import "math/big"

// MT19937 is the Mersenne Twister. Seed it before use.
type MT19937 struct {
	State [624]uint32
	Pos   int // the next word of State; 624 when it must be refilled
}

const mtSize, mtShift = 624, 397

// Seed fills the state from one word.
func (m *MT19937) Seed(s uint32) {
	m.State[0] = s
	for i := uint32(1); i < mtSize; i++ {
		p := m.State[i-1]
		m.State[i] = 1812433253*(p^p>>30) + i
	}
	m.Pos = mtSize
}

// SeedArray fills the state from a non-empty array of words.
func (m *MT19937) SeedArray(key []uint32) {
	m.Seed(19650218)
	i, j := 1, 0
	for range max(mtSize, len(key)) {
		p := m.State[i-1]
		m.State[i] = (m.State[i] ^ (p^p>>30)*1664525) + key[j] + uint32(j)
		i = m.wrap(i + 1)
		j = (j + 1) % len(key)
	}
	for range mtSize - 1 {
		p := m.State[i-1]
		m.State[i] = (m.State[i] ^ (p^p>>30)*1566083941) - uint32(i)
		i = m.wrap(i + 1)
	}
	m.State[0] = 0x80000000
}

func (m *MT19937) wrap(i int) int {
	if i == mtSize {
		m.State[0] = m.State[mtSize-1]
		return 1
	}
	return i
}

// SeedPython seeds as CPython's random.seed does with an int.
func (m *MT19937) SeedPython(seed *big.Int) { m.SeedArray(Words(seed)) }

// Words cuts the absolute value of x into 32-bit words, the lowest first; zero has
// one word.
func Words(x *big.Int) []uint32 {
	v := new(big.Int).Abs(x)
	var words []uint32
	for v.Sign() > 0 {
		words = append(words, uint32(v.Uint64()))
		v.Rsh(v, 32)
	}
	if words == nil {
		words = []uint32{0}
	}
	return words
}

// Uint32 returns the next word.
func (m *MT19937) Uint32() uint32 {
	if m.Pos >= mtSize {
		m.refill()
	}
	y := m.State[m.Pos]
	m.Pos++
	y ^= y >> 11
	y ^= y << 7 & 0x9D2C5680
	y ^= y << 15 & 0xEFC60000
	return y ^ y>>18
}

func (m *MT19937) refill() {
	for k := range m.State {
		y := m.State[k]&0x80000000 | m.State[(k+1)%mtSize]&0x7FFFFFFF
		v := m.State[(k+mtShift)%mtSize] ^ y>>1
		if y&1 != 0 {
			v ^= 0x9908B0DF
		}
		m.State[k] = v
	}
	m.Pos = 0
}

// Uint64 returns two words, the first being the high one.
func (m *MT19937) Uint64() uint64 {
	high := uint64(m.Uint32())
	return high<<32 | uint64(m.Uint32())
}

// Float64 is uniform in [0, 1) with 53 bits: CPython's random.random().
func (m *MT19937) Float64() float64 {
	a, b := m.Uint32()>>5, m.Uint32()>>6
	return (float64(a)*67108864 + float64(b)) / 9007199254740992
}

// Float32 is uniform in [0, 1) with 24 bits.
func (m *MT19937) Float32() float32 { return float32(m.Uint32()>>8) / 16777216 }

// Bits is CPython's random.getrandbits(n) for n of at most 64.
func (m *MT19937) Bits(n int) uint64 {
	switch {
	case n <= 0:
		return 0
	case n <= 32:
		return uint64(m.Uint32() >> (32 - n))
	}
	low := uint64(m.Uint32())
	return low | uint64(m.Uint32()>>(64-n))<<32
}

// BigBits is random.getrandbits(n) for any n.
func (m *MT19937) BigBits(n int) *big.Int {
	v := new(big.Int)
	for shift := 0; shift < n; shift += 32 {
		w := m.Uint32()
		if left := n - shift; left < 32 {
			w >>= 32 - left
		}
		v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(uint64(w)), uint(shift)))
	}
	return v
}

// Below is the uniform integer in [0, n) of random.randrange: bits of the length of
// n, drawn again until below it.
func (m *MT19937) Below(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	k := bitLen(n)
	for {
		if v := m.Bits(k); v < n {
			return v
		}
	}
}
