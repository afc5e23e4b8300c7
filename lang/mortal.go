package lang

import (
	"slices"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// mortals are the instances with a __del__ that wasn't called yet, oldest first. The
// count of places sees most of them die; what a container held, or a cycle, waits
// here for gc.collect() or the end of the interpreter.
type mortals struct{ list []*Instance }

// maxMortals bounds the list: older ones are left to Go's collector, without a call.
const maxMortals = 1 << 14

// add notes a new instance of a class with __del__.
func (m *mortals) add(in *Instance) {
	if len(m.list) >= maxMortals {
		m.compact()
	}
	if len(m.list) >= maxMortals {
		m.list = slices.Delete(m.list, 0, maxMortals/2)
	}
	m.list = append(m.list, in)
}

// compact forgets the ones that have been finalized.
func (m *mortals) compact() {
	m.list = slices.DeleteFunc(m.list, func(in *Instance) bool { return in.Header.Flags&value.FlagFinalizable == 0 })
}

// FinalizeUnreached calls __del__ of the objects that nothing holds any more, the
// oldest first, and says how many there were.
func (th *Thread) FinalizeUnreached() int {
	m := &th.Interp.mortals
	m.compact()
	if len(m.list) == 0 {
		return 0
	}
	live := th.Interp.reached()
	var dead []*Instance
	for _, in := range m.list {
		if !live[unsafe.Pointer(in)] {
			dead = append(dead, in)
		}
	}
	th.finalizeAll(dead)
	return len(dead)
}

// Finish calls __del__ of all that are left, at the end of the interpreter: first
// what the names of main hold, then what that holds, and so on.
func (th *Thread) Finish(main *Module) {
	m := &th.Interp.mortals
	m.compact()
	if len(m.list) == 0 {
		return
	}
	seen := map[unsafe.Pointer]bool{}
	var order []*Instance
	for level := []Value{main.dict.Value()}; len(level) > 0; {
		var next []Value
		for _, v := range level {
			for _, x := range contents(v) {
				if x.P == nil || seen[x.P] {
					continue
				}
				seen[x.P] = true
				next = append(next, x)
				if in, ok := AsInstance(x); ok && in.Header.Flags&value.FlagFinalizable != 0 && in.Class().Flags&ClassFinalizer != 0 {
					order = append(order, in)
				}
			}
		}
		level = next
	}
	th.finalizeAll(append(order, m.list...))
}

// contents is what v holds, in the order in which it lets go.
func contents(v Value) []Value {
	var out []Value
	Walk(v, func(x Value) { out = append(out, x) })
	if k := v.Kind(); k == value.KindList || k == value.KindTuple {
		slices.Reverse(out)
	}
	return out
}

func (th *Thread) finalizeAll(list []*Instance) {
	for _, in := range list {
		if in.Header.Flags&value.FlagFinalizable == 0 {
			continue // one before it did that
		}
		in.Header.Flags &^= value.FlagFinalizable
		in.Own = 0
		th.finalize(in.Value(), value.FlagFinalizable)
	}
	th.Interp.mortals.compact()
}

// reached are the objects that the roots hold, directly or not.
func (in *Interp) reached() map[unsafe.Pointer]bool {
	seen := map[unsafe.Pointer]bool{}
	var todo []Value
	visit := func(v Value) {
		switch v.Kind() {
		case value.KindInt, value.KindFloat, value.KindBool, value.KindNone, value.KindUnbound, value.KindStr, value.KindBytes:
			return
		}
		if !seen[v.P] {
			seen[v.P] = true
			todo = append(todo, v)
		}
	}
	in.WalkRoots(visit)
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(ClassOf(v).Value())
		Walk(v, visit)
	}
	return seen
}
