package exec

import (
	"math/rand/v2"

	"github.com/tfs-lang/tfs/ir"
)

// Random keeps how far each eager random op has drawn: ops of one name, types
// and seeds share a counter (rule G11).
type Random struct {
	epoch  uint64
	states map[randomKey]*ir.RandomState
}

// Seeded is the attribute struct of a stateful random op.
type Seeded interface{ Seeds() (seed, seed2 int64) }

type randomKey struct {
	op          *ir.Op
	dt          uint8
	seed, seed2 int64
}

// Reset forgets all counters, those of functions too: tf.random.set_seed.
func (r *Random) Reset() {
	r.epoch++
	clear(r.states)
}

func (r *Random) state(c *ir.Call) *ir.RandomState {
	k := randomKey{op: c.Op}
	if s, ok := c.Attrs.(Seeded); ok {
		k.seed, k.seed2 = s.Seeds()
	}
	if c.State != nil { // a program's node has its own
		if c.State.Epoch != r.epoch {
			*c.State = ir.RandomState{Epoch: r.epoch, Pos: k.start()}
		}
		return c.State
	}
	if c.NumOut() > 0 {
		k.dt = uint8(c.OutType(0).DT)
	}
	s := r.states[k]
	if s == nil {
		if r.states == nil {
			r.states = map[randomKey]*ir.RandomState{}
		}
		s = &ir.RandomState{Epoch: r.epoch, Pos: k.start()}
		r.states[k] = s
	}
	return s
}

// start is where the stream of a kernel begins: anywhere if it has no seed at all.
func (k randomKey) start() uint64 {
	if k.seed == 0 && k.seed2 == 0 {
		return rand.Uint64()
	}
	return 0
}
