package lang

import (
	"runtime"
	"runtime/metrics"
)

// memory is the limit of an interpreter's heap. The Go heap is the measure: what
// is reserved, not what is reachable.
type memory struct {
	max    uint64 // 0: no limit
	given  bool   // the user asked for it: errors say so
	check  uint64 // heap size from which a collection must tell what is reachable
	sample []metrics.Sample
}

// heapSize is what objects on the heap take, the dead ones included that no
// collection has found yet.
func (m *memory) heapSize() uint64 {
	if m.sample == nil {
		m.sample = []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	}
	metrics.Read(m.sample)
	return m.sample[0].Value.Uint64()
}

// SetMemoryLimit bounds the heap that scripts may fill; 0 for no limit. Passing it
// is a MemoryError at the next check, after a collection, which names what holds
// most.
func (in *Interp) SetMemoryLimit(n int64) { in.limitMemory(n, true) }

// SetMemoryCeiling is a limit that nobody asked for: what the machine has. Errors
// are those of a machine that is full.
func (in *Interp) SetMemoryCeiling(n int64) { in.limitMemory(n, false) }

func (in *Interp) limitMemory(n int64, given bool) {
	m := &in.memory
	m.max = uint64(max(n, 0))
	m.given = given && n > 0
	m.check = m.max
	for _, th := range in.threads {
		th.quantum = in.quantum()
		th.budget = th.quantum
	}
}

// MemoryLimited reports a limit that the user asked for.
func (in *Interp) MemoryLimited() bool { return in.memory.given }

// quantum is how many back-edges and calls pass between two looks at the limits:
// fewer under a small limit of memory.
func (in *Interp) quantum() int64 {
	if in.memory.max == 0 {
		return checkEvery
	}
	return min(max(int64(in.memory.max/turnBytes), checkOften), checkEvery)
}

const (
	checkOften = 500     // the least quantum
	turnBytes  = 2 << 20 // of the limit for each turn of the quantum
)

// growth asks for the room that a full container of n elements of size bytes takes
// when it doubles.
func (th *Thread) growth(n, size int) error {
	if n < fewElements {
		return nil
	}
	return th.CheckSize(2*n, size)
}

// fewElements may always be added: the next look at the limits sees them.
const fewElements = 1 << 12

// reserve raises MemoryError when n more bytes pass the limit.
func (th *Thread) reserve(n uint64) error {
	m := &th.Interp.memory
	if m.max == 0 {
		return nil
	}
	if n > m.max {
		return th.outOfMemory()
	}
	if m.heapSize()+n <= m.check {
		return nil
	}
	th.Interp.ClearDead()
	runtime.GC()
	live := m.heapSize()
	// the next collection only when half of what is left has gone: near the limit
	// they must not follow each other
	m.check = max(m.max, live) - (max(m.max, live)-live)/2
	if live+n > m.max {
		m.check = m.max
		return th.outOfMemory()
	}
	m.check = min(m.max, max(m.check, live+n+1))
	return nil
}

// outOfMemory is the error of a limit; of one that the user set it says what holds
// most of the memory.
func (th *Thread) outOfMemory() error {
	if !th.Interp.memory.given {
		return NewException(MemoryError)
	}
	return NewException(MemoryError, NewStr(th.Interp.limitText()))
}
