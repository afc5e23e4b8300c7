package kernel

// Tier is a set of kernels by the instructions they use. Every tier gives the same
// bits.
type Tier uint8

// The tiers, each including those before it.
const (
	Portable Tier = iota
	AVX2
	AVX512
)

func (t Tier) String() string { return [...]string{"portable Go", "AVX2", "AVX-512"}[t] }

// tier is the tier in use: what this machine has, but for tests.
var tier = bestTier()

// CurrentTier is the tier in use.
func CurrentTier() Tier { return tier }

// SetTier makes kernels use t, or the best tier below it that this machine has, and
// returns the tier used before. It is for tests, and not safe while kernels run.
func SetTier(t Tier) Tier {
	old := tier
	tier = min(t, bestTier())
	return old
}
