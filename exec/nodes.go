package exec

import "github.com/tfs-lang/tfs/ir"

// chunkLen is how many values a chunk of a nodeTable holds.
const chunkLen = 256

// entry is what a tape knows of a value.
type entry struct {
	rec    *ir.Record // that made it
	uses   int32      // later records that have it as an operand
	out    uint8      // which result of rec
	alive  bool       // a holder may use it again
	source bool       // watched by name: never pruned
	there  bool
}

// nodeTable finds entries by node number. Chunks whose values are all gone are
// dropped, so a loop whose results die runs in constant memory.
type nodeTable struct {
	base   uint64
	chunks []*chunk
	old    map[uint64]*entry // values numbered before the tape began
}

type chunk struct {
	live    int
	entries [chunkLen]entry
}

func (n *nodeTable) get(id uint64) *entry {
	if id < n.base {
		return n.old[id]
	}
	i := (id - n.base) / chunkLen
	if i >= uint64(len(n.chunks)) || n.chunks[i] == nil {
		return nil
	}
	if e := &n.chunks[i].entries[(id-n.base)%chunkLen]; e.there {
		return e
	}
	return nil
}

// add enters e unless id is there already.
func (n *nodeTable) add(id uint64, e entry) {
	e.there = true
	if id < n.base {
		if n.old == nil {
			n.old = map[uint64]*entry{}
		}
		if n.old[id] == nil {
			n.old[id] = &e
		}
		return
	}
	i := (id - n.base) / chunkLen
	for uint64(len(n.chunks)) <= i {
		n.chunks = append(n.chunks, nil)
	}
	c := n.chunks[i]
	if c == nil {
		c = &chunk{}
		n.chunks[i] = c
	}
	if p := &c.entries[(id-n.base)%chunkLen]; !p.there {
		*p = e
		c.live++
	}
}

func (n *nodeTable) remove(id uint64) {
	if id < n.base {
		delete(n.old, id)
		return
	}
	i := (id - n.base) / chunkLen
	if i >= uint64(len(n.chunks)) || n.chunks[i] == nil {
		return
	}
	c := n.chunks[i]
	if e := &c.entries[(id-n.base)%chunkLen]; e.there {
		*e = entry{}
		if c.live--; c.live == 0 && i+1 < uint64(len(n.chunks)) {
			n.chunks[i] = nil
		}
	}
}

func (n *nodeTable) each(f func(e *entry)) {
	for _, c := range n.chunks {
		if c == nil {
			continue
		}
		for i := range c.entries {
			if c.entries[i].there {
				f(&c.entries[i])
			}
		}
	}
}
