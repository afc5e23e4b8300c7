package tf

import (
	"math/big"
	"math/rand/v2"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tracer"
)

// seeds is the global seed of a thread, and the stream from which eager ops
// without a seed of their own take one (rules G8, G9).
type seeds struct {
	random.Eager
	// free are the seeds of eager ops while no seed is set; zero until drawn.
	free [2]int64
}

func seedsOf(c *call) *seeds {
	const key = "tensorflow.seeds"
	if g, ok := c.Th.Ext[key].(*seeds); ok {
		return g
	}
	g := &seeds{}
	if c.Th.Ext == nil {
		c.Th.Ext = map[string]any{}
	}
	c.Th.Ext[key] = g
	return g
}

func bigOf(n lang.Value) *big.Int {
	if i, ok := lang.AsInt(n); ok {
		return big.NewInt(i)
	}
	b, _ := lang.AsBig(n)
	return b
}

// pair makes the seeds of an op from the global seed and its own, nil if absent.
func (g *seeds) pair(c *call, own *big.Int) (int64, int64) {
	graph := tracer.Current(c.State)
	if global, set := g.Global(); set && graph != nil && own == nil {
		return random.FunctionSeeds(global, int(graph.NextRandom()))
	}
	if s1, s2, ok := g.Seeds(own); ok {
		return s1, s2
	}
	switch {
	case graph != nil:
		return freeSeed(), freeSeed()
	case g.free[0] == 0:
		g.free = [2]int64{freeSeed(), freeSeed()}
	}
	return g.free[0], g.free[1]
}

// freeSeed is a seed that nobody chose.
func freeSeed() int64 { return 1 + rand.Int64N(1<<31-2) }
