package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
)

// WalkRoots visits everything that scripts hold directly: slots of running frames
// that are still live, the modules, and the exception being handled. What those
// hold in turn Walk tells.
func (in *Interp) WalkRoots(visit func(Value)) {
	for _, th := range in.threads {
		th.eachStack(func(st *stack) {
			for f := st.cur; f != nil; f = f.up {
				f.walk(visit)
			}
			if st.handling != nil {
				visit(st.handling.Value())
			}
		})
	}
	visit(in.Modules.Value())
}

// walk visits the live slots of a frame that waits for a call.
func (f *Frame) walk(visit func(Value)) {
	if f.code == hostCode {
		return
	}
	if f.fn != nil {
		visit(f.fn.Value())
	}
	if f.ns.P != nil {
		visit(f.ns)
	}
	f.eachLive(func(s *Value) { visit(*s) })
	for _, v := range f.wide {
		visit(v)
	}
}

// eachLive calls do for the slots that the rest of the frame may read.
func (f *Frame) eachLive(do func(s *Value)) {
	live := f.liveSlots()
	for i := range f.code.nslots {
		if live == nil || live[i/64]&(1<<(i%64)) != 0 {
			do((*Value)(unsafe.Add(f.base, uintptr(i)*vsz)))
		}
	}
}

// liveSlots says which slots are live in a frame that waits in the middle of an
// instruction; nil when that isn't known.
func (f *Frame) liveSlots() []uint64 {
	i := f.index(f.pc)
	c := f.code.code
	if f.pc == nil || i < 0 || i >= len(c.Ins) {
		return nil
	}
	if f.code.live == nil {
		f.code.live = code.Liveness(c)
	}
	out := make([]uint64, (c.NSlots+63)/64)
	f.code.live.After(i, out)
	return out
}

// ClearDead empties the slots of running frames that nothing reads any more, so
// that a collection, a limit or a freeze sees only what the script still needs: a
// training loop at module level never returns.
func (in *Interp) ClearDead() { in.clearFrames(func(*Frame) int { return 0 }) }

// ClearTemporaries is ClearDead without the script's own names: those hold what they
// hold until they go, as gc.collect() and weak references can tell.
func (in *Interp) ClearTemporaries() {
	in.clearFrames(func(f *Frame) int {
		if f.code.code.Name == "<module>" { // its names are no slots
			return 0
		}
		return len(f.code.code.LocalNames)
	})
}

// clearFrames empties the dead slots of all running frames, from a slot on.
func (in *Interp) clearFrames(from func(f *Frame) int) {
	for _, th := range in.threads {
		th.eachStack(func(st *stack) {
			var callee *Frame
			for f := st.cur; f != nil; f = f.up {
				if f.code != hostCode {
					f.clearDead(from(f), callee)
				}
				callee = f
			}
		})
	}
}

// clearDead spares the slots from the callee's window on: they are the callee's.
func (f *Frame) clearDead(from int, callee *Frame) {
	live := f.liveSlots()
	if live == nil {
		return
	}
	f.liveArguments(live)
	n := f.code.nslots
	if callee != nil && callee.gen == nil && !callee.detached {
		n = min(n, int((uintptr(callee.base)-uintptr(f.base))/vsz))
	}
	for i := from; i < n; i++ {
		if live[i/64]&(1<<(i%64)) == 0 {
			s := (*Value)(unsafe.Add(f.base, uintptr(i)*vsz))
			if s.P != nil {
				f.th.put(s, Value{})
			}
		}
	}
}

// liveArguments adds what the instruction in progress itself still reads: the
// arguments of a call that is running now belong to the callee.
func (f *Frame) liveArguments(live []uint64) {
	in := &f.code.code.Ins[f.index(f.pc)]
	in.EachSlot(f.code.code, func(off uint16, r code.Role) {
		live[off/16/64] |= 1 << (off / 16 % 64)
	})
}
