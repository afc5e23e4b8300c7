package compile

// slotSet is a set of slot numbers. Copies share what lies beyond 64 until one is
// written: set and clear copy it first.
type slotSet struct {
	word uint64
	more []uint64
}

func (b *slotSet) set(i int) {
	if i < 64 {
		b.word |= 1 << i
		return
	}
	w := i/64 - 1
	if w < len(b.more) && b.more[w]>>(i%64)&1 != 0 {
		return
	}
	more := make([]uint64, max(len(b.more), w+1))
	copy(more, b.more)
	more[w] |= 1 << (i % 64)
	b.more = more
}

func (b *slotSet) clear(i int) {
	if i < 64 {
		b.word &^= 1 << i
		return
	}
	w := i/64 - 1
	if w >= len(b.more) || b.more[w]>>(i%64)&1 == 0 {
		return
	}
	more := append([]uint64(nil), b.more...)
	more[w] &^= 1 << (i % 64)
	b.more = more
}

func (b *slotSet) has(i int) bool {
	if i < 64 {
		return b.word>>i&1 != 0
	}
	w := i/64 - 1
	return w < len(b.more) && b.more[w]>>(i%64)&1 != 0
}

// and keeps what is in both.
func (b *slotSet) and(c slotSet) {
	b.word &= c.word
	if len(b.more) == 0 {
		return
	}
	more := make([]uint64, min(len(b.more), len(c.more)))
	for i := range more {
		more[i] = b.more[i] & c.more[i]
	}
	b.more = more
}

// without removes what is in c.
func (b *slotSet) without(c slotSet) {
	b.word &^= c.word
	if len(b.more) == 0 || len(c.more) == 0 {
		return
	}
	more := append([]uint64(nil), b.more...)
	for i := range more {
		if i < len(c.more) {
			more[i] &^= c.more[i]
		}
	}
	b.more = more
}
