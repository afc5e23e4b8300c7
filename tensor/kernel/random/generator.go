package random

import "math/big"

// GeneratorState is the state of a tf.random.Generator with the algorithm Philox:
// counter low, counter high, key.
type GeneratorState [3]int64

// GeneratorFromSeed cuts a seed, of any width and sign, into the state.
func GeneratorFromSeed(seed *big.Int) GeneratorState {
	var s GeneratorState
	mask := new(big.Int).SetUint64(1<<64 - 1)
	for i := range s {
		chunk := new(big.Int).Rsh(seed, uint(64*i))
		s[i] = int64(chunk.And(chunk, mask).Uint64())
	}
	return s
}

// GeneratorFromVector takes a seed vector; a short one is padded on the left.
func GeneratorFromVector(seed []int64) GeneratorState {
	var s GeneratorState
	if len(seed) > len(s) {
		seed = seed[:len(s)]
	}
	copy(s[len(s)-len(seed):], seed)
	return s
}

// Philox is the generator that the state stands for.
func (s GeneratorState) Philox() Philox {
	return Philox{Lo: uint64(s[0]), Hi: uint64(s[1]), Key: uint64(s[2])}
}

// Skip moves the state on by n elements, as a draw of n elements does.
func (s *GeneratorState) Skip(n int) { s.SkipBlocks(ElementBlocks(n)) }

// SkipBlocks moves the state on by blocks.
func (s *GeneratorState) SkipBlocks(n uint64) {
	p := s.Philox().At(n)
	s[0], s[1] = int64(p.Lo), int64(p.Hi)
}

// Draw returns the generator for n elements and moves the state on.
func (s *GeneratorState) Draw(n int) Philox {
	p := s.Philox()
	s.Skip(n)
	return p
}

// Split makes the states of new generators.
func (s *GeneratorState) Split(children []GeneratorState) {
	keys := make([]int64, len(children))
	Bits64(s.Draw(len(keys)), keys)
	for i, k := range keys {
		children[i] = GeneratorState{0, 0, k}
	}
}

// ShuffleStream gives the iterators of one tf.data shuffle their seeds.
type ShuffleStream struct {
	seed, seed2 int64
	reshuffle   bool
	w           words
}

// NewShuffleStream starts the stream for the seeds of a shuffle op; reshuffle tells
// whether each iterator has an order of its own.
func NewShuffleStream(seed, seed2 int64, reshuffle bool) ShuffleStream {
	return ShuffleStream{seed, seed2, reshuffle, newWords(Stateful(seed, seed2))}
}

// Next starts the picks of one more iterator.
func (s *ShuffleStream) Next() ShufflePicks {
	a, b := s.seed, s.seed2
	if s.reshuffle {
		a = int64(s.w.next())
		b = int64(s.w.next())
	}
	return ShufflePicks{newWords(Philox{Key: uint64(a), Hi: uint64(b)})}
}

// ShufflePicks is the random choices of one iterator over a shuffle buffer.
type ShufflePicks struct{ w words }

// Pick chooses one of n buffered elements, counted from the oldest slot.
func (s *ShufflePicks) Pick(n int) int { return int(s.w.next() % uint32(n)) }
