package lang

import (
	"runtime"
	"runtime/metrics"
)

// memory is the limit of an interpreter's heap. The Go heap is the measure: what
// is reserved, not what is reachable.
type memory struct {
	max    uint64 // 0: no limit
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
// is a MemoryError at the next check, after a collection.
func (in *Interp) SetMemoryLimit(n int64) {
	in.memory.max = uint64(max(n, 0))
	in.memory.check = in.memory.max
	for _, th := range in.threads {
		th.quantum = checkEvery
		if n > 0 {
			th.quantum = checkOften
		}
		th.budget = th.quantum
	}
}

// checkOften is checkEvery under a memory limit.
const checkOften = 500

// reserve raises MemoryError when n more bytes pass the limit.
func (th *Thread) reserve(n uint64) error {
	m := &th.Interp.memory
	if m.max == 0 {
		return nil
	}
	if n > m.max {
		return NewException(MemoryError)
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
		return NewException(MemoryError)
	}
	m.check = min(m.max, max(m.check, live+n+1))
	return nil
}
