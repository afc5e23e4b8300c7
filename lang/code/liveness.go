package code

// Live tells which slots hold a value that is still read, at every instruction.
type Live struct {
	c     *Code
	words int
	in    []uint64 // per instruction: slots live before it; words each
}

// Liveness computes which slots of c are live where. It is meant for rare events (a
// collection, a limit, a freeze): callers keep the result. For staged code every
// slot is live everywhere, because a region's parts are run in an order that only
// the stager knows.
func Liveness(c *Code) *Live {
	l := &Live{c: c, words: (c.NSlots + 63) / 64}
	l.in = make([]uint64, l.words*len(c.Ins))
	if c.Flags&FlagStaged != 0 {
		for i := range l.in {
			l.in[i] = ^uint64(0)
		}
		return l
	}
	out := make([]uint64, l.words)
	for changed := true; changed; {
		changed = false
		for pc := len(c.Ins) - 1; pc >= 0; pc-- {
			l.after(pc, out)
			l.through(pc, out)
			if l.meet(pc, out) {
				changed = true
			}
		}
	}
	return l
}

// Before returns the slots live before instruction pc, bit i of word i/64 for slot i.
// The slice is the caller's to read.
func (l *Live) Before(pc int) []uint64 { return l.in[pc*l.words : (pc+1)*l.words] }

// After adds to dst what is live after instruction pc: what a frame suspended in it
// (in a call, say) still needs, its result not counted. dst has a bit for each slot.
func (l *Live) After(pc int, dst []uint64) {
	l.after(pc, dst)
	in := &l.c.Ins[pc]
	always := in.Op != ForLoop && in.Op != NextOr // these leave their target alone at the end
	in.EachSlot(l.c, func(off uint16, r Role) {
		if r == Write && always {
			dst[off/16/64] &^= 1 << (off / 16 % 64)
		}
	})
	in.EachSlot(l.c, func(off uint16, r Role) {
		if r == ReadWrite || r == Keep {
			dst[off/16/64] |= 1 << (off / 16 % 64)
		}
	})
}

// after sets out to the union of what is live at the successors of pc, its
// exception handlers among them.
func (l *Live) after(pc int, out []uint64) {
	clear(out)
	in := &l.c.Ins[pc]
	flow := Describe(in.Op).Flow
	add := func(to int) {
		for i, w := range l.Before(to) {
			out[i] |= w
		}
	}
	if flow == Next || flow == Branch || flow == DataWord {
		if pc+1 < len(l.c.Ins) {
			add(pc + 1)
		}
	}
	if to, ok := in.Target(pc); ok {
		add(to)
	}
	for i := range l.c.Handlers {
		h := &l.c.Handlers[i]
		if int(h.From) <= pc && pc < int(h.To) {
			exc := h.Exc / 16
			for i, w := range l.Before(int(h.Target)) {
				if i == int(exc/64) {
					w &^= 1 << (exc % 64)
				}
				out[i] |= w
			}
		}
	}
}

// through turns what is live after pc into what is live before it.
func (l *Live) through(pc int, set []uint64) {
	in := &l.c.Ins[pc]
	always := in.Op != ForLoop && in.Op != NextOr
	in.EachSlot(l.c, func(off uint16, r Role) {
		if r == Write && always {
			set[off/16/64] &^= 1 << (off / 16 % 64)
		}
	})
	in.EachSlot(l.c, func(off uint16, r Role) {
		if r == Read || r == Keep || r == ReadWrite {
			set[off/16/64] |= 1 << (off / 16 % 64)
		}
	})
	for i := range l.c.Handlers { // a write inside a try may not have happened when it fails
		h := &l.c.Handlers[i]
		if int(h.From) <= pc && pc < int(h.To) {
			exc := h.Exc / 16
			for i, w := range l.Before(int(h.Target)) {
				if i == int(exc/64) {
					w &^= 1 << (exc % 64)
				}
				set[i] |= w
			}
		}
	}
}

func (l *Live) meet(pc int, set []uint64) (changed bool) {
	in := l.Before(pc)
	for i, w := range set {
		if in[i]|w != in[i] {
			in[i] |= w
			changed = true
		}
	}
	return changed
}
