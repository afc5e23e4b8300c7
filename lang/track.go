package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Track begins to count the places that hold v, an instance of a script class or a
// variable: a walk from the roots finds those there are now. It is for objects whose
// end somebody waits for: weak references, keys of traces. The answer is false when
// something that isn't counted holds v: then only a collection can tell.
func (th *Thread) Track(v Value) bool {
	if t := ClassOf(v).Track; t != nil {
		return t(th, v)
	}
	if k := v.Kind(); k != value.KindInstance && k != value.KindVariable {
		return false
	}
	h := v.Head()
	h.Flags |= value.FlagWeakRef
	if h.Own != 0 {
		return true
	}
	t := tracking{of: v.P, seen: map[unsafe.Pointer]bool{v.P: true}}
	for _, other := range th.Interp.threads {
		var inner unsafe.Pointer
		for f := other.cur; f != nil; f = f.up {
			t.frame(f, inner)
			inner = f.base
		}
	}
	t.hold(th.Interp.Modules.Value())
	for len(t.todo) > 0 && !t.held {
		n := len(t.todo) - 1
		o := t.todo[n]
		t.todo = t.todo[:n]
		t.object(o)
	}
	if t.held || t.places == 0 || t.places >= maxOwn {
		return false
	}
	h.Own = uint16(t.places)
	return true
}

// tracking counts the places of one object.
type tracking struct {
	of     unsafe.Pointer
	places int
	held   bool
	seen   map[unsafe.Pointer]bool
	todo   []Value
}

// place is a counted place that holds v.
func (t *tracking) place(v Value) {
	if v.P == t.of {
		t.places++
		return
	}
	t.reach(v)
}

// hold is any other place that holds v.
func (t *tracking) hold(v Value) {
	if v.P == t.of {
		t.held = true
		return
	}
	t.reach(v)
}

func (t *tracking) reach(v Value) {
	switch v.Kind() {
	case value.KindInt, value.KindFloat, value.KindBool, value.KindNone, value.KindUnbound, value.KindStr, value.KindBytes, value.KindNative:
		return
	}
	if !t.seen[v.P] {
		t.seen[v.P] = true
		t.todo = append(t.todo, v)
	}
}

// frame counts all slots: a dead one too gives its reference up when it is
// overwritten. The window of the frame inside begins in this one's, and what it
// covers is counted there.
func (t *tracking) frame(f *Frame, inner unsafe.Pointer) {
	if f.code == hostCode {
		return
	}
	for i := range f.code.nslots {
		at := unsafe.Add(f.base, uintptr(i)*vsz)
		if at == inner {
			break
		}
		t.place(*(*Value)(at))
	}
	for _, v := range f.wide {
		t.place(v)
	}
	t.hold(f.ns)
	if f.fn != nil {
		t.hold(f.fn.Value())
	}
}

func (t *tracking) object(v Value) {
	switch v.Kind() {
	case value.KindCell:
		t.place((*Cell)(v.P).v)
	case value.KindInstance:
		in := (*Instance)(v.P)
		for _, s := range in.slots {
			t.place(s)
		}
		if in.ext != nil {
			t.hold(in.ext.payload)
			if in.ext.dict != nil {
				t.hold(in.ext.dict.Value())
			}
		}
		t.hold(in.Class().Value())
	case value.KindGenerator:
		for _, s := range (*Generator)(v.P).slots {
			t.place(s)
		}
	default:
		Walk(v, t.hold)
	}
}
