package random

import "math/big"

// Kernel identifies an eager random kernel, which has a counter of its own: the op
// with its dtype attributes, and its seeds.
type Kernel struct {
	Op          string
	Seed, Seed2 int64
}

// Eager is the random state of eager TensorFlow after tf.random.set_seed: the stream
// of op seeds and the counters of the kernels. The zero value has no global seed.
type Eager struct {
	seeded  bool
	global  int64
	stream  MT19937
	kernels map[Kernel]Philox
}

// unsetSeed stands for the global seed where only the op seed is given.
const unsetSeed = 87654321

// SetSeed sets the global seed, restarts the stream of op seeds and clears the
// kernels' counters.
func (e *Eager) SetSeed(seed *big.Int) {
	e.seeded = true
	e.global = ReduceSeed(seed)
	e.stream.SeedPython(seed)
	clear(e.kernels)
}

// ReduceSeed is the seed as TensorFlow's ops see it: Python's modulo 2^31-1.
func ReduceSeed(seed *big.Int) int64 {
	return new(big.Int).Mod(seed, big.NewInt(seedModulus)).Int64()
}

// Global is the reduced global seed and whether there is one.
func (e *Eager) Global() (int64, bool) { return e.global, e.seeded }

// Seeds are the attributes of an eager op. It takes a number from the stream where
// the op has no seed of its own (opSeed nil). Without any seed it reports false: the
// op isn't deterministic.
func (e *Eager) Seeds(opSeed *big.Int) (seed, seed2 int64, ok bool) {
	switch {
	case e.seeded && opSeed == nil:
		return e.global, floorMod(e.nextOpSeed(), seedModulus), true
	case e.seeded:
		return e.global, ReduceSeed(opSeed), true
	case opSeed != nil:
		return unsetSeed, ReduceSeed(opSeed), true
	}
	return 0, 0, false
}

// nextOpSeed is Python's random.randint(0, 2**31 - 1).
func (e *Eager) nextOpSeed() int64 {
	for {
		if v := e.stream.Uint32(); v < 1<<31 {
			return int64(v)
		}
	}
}

// Use returns the generator of a kernel where it stands and moves the kernel on.
func (e *Eager) Use(k Kernel, blocks uint64) Philox {
	p, ok := e.kernels[k]
	if !ok {
		p = Stateful(k.Seed, k.Seed2)
		if e.kernels == nil {
			e.kernels = map[Kernel]Philox{}
		}
	}
	e.kernels[k] = p.At(blocks)
	return p
}
