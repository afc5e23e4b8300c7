package exec

import (
	"slices"
	"weak"

	"github.com/tfs-lang/tfs/ir"
)

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
	ts     *Tapes
	self   weak.Pointer[Tape]
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
			n.old[id] = &e // a source: nothing to do when it dies
		}
		return
	}
	i := (id - n.base) / chunkLen
	for uint64(len(n.chunks)) <= i {
		n.chunks = append(n.chunks, nil)
	}
	c := n.chunks[i]
	if c == nil {
		c = n.ts.newChunk(n.base/chunkLen+i, n.self)
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
			n.drop(i)
		}
	}
}

// drop gives chunk i, whose entries are zero, back.
func (n *nodeTable) drop(i uint64) {
	n.ts.disown(n.base/chunkLen+i, n.self)
	n.ts.spareChunks = append(n.ts.spareChunks, n.chunks[i])
	n.chunks[i] = nil
}

// empty forgets every entry, after f has seen it.
func (n *nodeTable) empty(f func(e *entry)) {
	for i, c := range n.chunks {
		if c == nil {
			continue
		}
		for k := 0; k < chunkLen && c.live > 0; k++ {
			if e := &c.entries[k]; e.there {
				f(e)
				*e = entry{}
				c.live--
			}
		}
		n.drop(uint64(i))
	}
	n.chunks, n.old = n.chunks[:0], nil
}

// newChunk returns an empty chunk for the numbers of block, which tape t fills.
func (ts *Tapes) newChunk(block uint64, t weak.Pointer[Tape]) *chunk {
	ts.own(block, t)
	if k := len(ts.spareChunks) - 1; k >= 0 {
		c := ts.spareChunks[k]
		ts.spareChunks[k] = nil
		ts.spareChunks = ts.spareChunks[:k]
		return c
	}
	return &chunk{}
}

// own notes that t has entries for numbers of block.
func (ts *Tapes) own(block uint64, t weak.Pointer[Tape]) {
	if ts.owners == nil {
		ts.owners = map[uint64][]weak.Pointer[Tape]{}
	}
	if l := ts.owners[block]; !slices.Contains(l, t) {
		ts.owners[block] = append(l, t)
	}
	if len(ts.owners) > ts.sweepAt {
		ts.sweepOwners()
	}
}

func (ts *Tapes) disown(block uint64, t weak.Pointer[Tape]) {
	l := ts.owners[block]
	if i := slices.Index(l, t); i >= 0 {
		l = slices.Delete(l, i, i+1)
	}
	if len(l) == 0 {
		delete(ts.owners, block)
	} else {
		ts.owners[block] = l
	}
}

// sweepOwners forgets tapes that the collector took.
func (ts *Tapes) sweepOwners() {
	for b, l := range ts.owners {
		l = slices.DeleteFunc(l, func(w weak.Pointer[Tape]) bool { return w.Value() == nil })
		if len(l) == 0 {
			delete(ts.owners, b)
		} else {
			ts.owners[b] = l
		}
	}
	ts.sweepAt = max(1024, 2*len(ts.owners))
}
