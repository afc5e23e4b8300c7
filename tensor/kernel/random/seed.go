package random

// seedModulus is what TensorFlow reduces seeds by.
const seedModulus = 1<<31 - 1

// Stateful is the generator of an op node with the attributes seed and seed2.
func Stateful(seed, seed2 int64) Philox {
	if seed == 0 && seed2 == 0 {
		seed2 = seedModulus
	}
	return Philox{Key: uint64(seed), Hi: uint64(seed2)}
}

// FunctionSeeds are the attributes of the i-th random op without an op seed that is
// created in a graph (function body, branch or loop body).
func FunctionSeeds(global int64, i int) (seed, seed2 int64) {
	return floorMod(global, seedModulus), int64(i)
}

func floorMod(x, n int64) int64 {
	if x %= n; x < 0 {
		x += n
	}
	return x
}

// Stateless is the generator of a stateless op with the seed [a, b].
func Stateless(a, b int64) Philox {
	scramble := Philox{Key: 0x02461E29<<32 | 0x3EC8F720, Lo: uint64(a), Hi: uint64(b)}
	m := scramble.Block()
	return Philox{Key: uint64(m[0]) | uint64(m[1])<<32, Hi: uint64(m[2]) | uint64(m[3])<<32}
}

// Split32 writes new int32 seeds, two numbers each, to dst.
func Split32(a, b int64, dst []int32) { Bits32(Stateless(a, b), dst) }

// Split64 writes new int64 seeds.
func Split64(a, b int64, dst []int64) { Bits64(Stateless(a, b), dst) }

// ElementBlocks is how far a stateful op over n elements moves its counter on.
func ElementBlocks(n int) uint64 { return 256 * uint64(n) }

// ShuffleBlocks is how far a shuffle of n rows does.
func ShuffleBlocks(n int) uint64 {
	if n <= 1 {
		return 0
	}
	return uint64(n-1+3) / 4
}

// CategoricalBlocks is how far a categorical draw does.
func CategoricalBlocks(rows, samples int) uint64 {
	return 256 * uint64(rows) * 2 * 4 * (uint64(samples+3) / 4)
}

// BinomialBlocks is how far a Generator's binomial does: parameters sets of counts
// and probabilities, samples each.
func BinomialBlocks(parameters, samples int) uint64 {
	return ElementBlocks(parameters * 2 * 100 * (samples + 3) / 4)
}
