package random

// SeedSequence hashes entropy into seeds, as numpy.random.SeedSequence.
type SeedSequence struct {
	Entropy  []uint32 // the words of the entropy, each number's lowest first
	SpawnKey []uint32
	Spawned  int // how many children there are
}

// Constants of the hash.
const (
	seedInitA, seedMultA = 0x43B0D7E5, 0x931E8875
	seedInitB, seedMultB = 0x8B51F9DD, 0x58F38DED
	seedMixL, seedMixR   = 0xCA01F9DD, 0x4973F715
	seedPool             = 4
)

type seedHash uint32

func (h *seedHash) mix(v, mult uint32) uint32 {
	v ^= uint32(*h)
	*h *= seedHash(mult)
	v *= uint32(*h)
	return v ^ v>>16
}

func mixSeeds(x, y uint32) uint32 {
	r := seedMixL*x - seedMixR*y
	return r ^ r>>16
}

func (s *SeedSequence) pool() (pool [seedPool]uint32) {
	words := append([]uint32(nil), s.Entropy...)
	if len(s.SpawnKey) > 0 {
		for len(words) < seedPool {
			words = append(words, 0)
		}
		words = append(words, s.SpawnKey...)
	}
	h := seedHash(seedInitA)
	for i := range pool {
		v := uint32(0)
		if i < len(words) {
			v = words[i]
		}
		pool[i] = h.mix(v, seedMultA)
	}
	for i := range pool {
		for j := range pool {
			if i != j {
				pool[j] = mixSeeds(pool[j], h.mix(pool[i], seedMultA))
			}
		}
	}
	for i := seedPool; i < len(words); i++ {
		for j := range pool {
			pool[j] = mixSeeds(pool[j], h.mix(words[i], seedMultA))
		}
	}
	return pool
}

// Generate32 fills dst with seed words.
func (s *SeedSequence) Generate32(dst []uint32) {
	pool := s.pool()
	h := seedHash(seedInitB)
	for i := range dst {
		dst[i] = h.mix(pool[i%seedPool], seedMultB)
	}
}

// Generate64 fills dst with pairs of seed words, the first being the low one.
func (s *SeedSequence) Generate64(dst []uint64) {
	w := make([]uint32, 2*len(dst))
	s.Generate32(w)
	for i := range dst {
		dst[i] = uint64(w[2*i]) | uint64(w[2*i+1])<<32
	}
}

// Spawn returns n new children.
func (s *SeedSequence) Spawn(n int) []SeedSequence {
	children := make([]SeedSequence, n)
	for i := range children {
		key := append(append([]uint32(nil), s.SpawnKey...), uint32(s.Spawned))
		children[i] = SeedSequence{Entropy: s.Entropy, SpawnKey: key}
		s.Spawned++
	}
	return children
}

// SeedSequence fills the state as numpy.random.MT19937(seed), the bit generator,
// does.
func (m *MT19937) SeedSequence(s *SeedSequence) {
	s.Generate32(m.State[:])
	m.State[0] = 0x80000000
	m.Pos = mtSize - 1
}
