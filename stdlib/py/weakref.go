package py

import (
	"maps"
	"slices"
	"unsafe"
	"weak"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// _weakref holds references that the collector may clear.
var _ = define("_weakref", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: func(th *Thread, m *lang.Module) error {
		m.Set("ref", weakRefClass.Value())
		return nil
	}}
})

// weakRef points to an object without keeping it alive.
type weakRef struct {
	lang.Header
	to       weak.Pointer[lang.Header]
	callback Value
	hash     int64
	hashed   bool
	dead     bool // the last counted place of the object went
	told     bool // the callback was called
}

var weakRefClass = newClass("ReferenceType", "weakref")

func weakOf(v Value) *weakRef { return native[weakRef](v, weakRefClass) }

// object is what the reference points to, None when it is gone.
func (r *weakRef) object() Value {
	if p := r.to.Value(); p != nil && !r.dead {
		return Value{P: unsafe.Pointer(p)}
	}
	return none
}

func init() {
	c := weakRefClass
	c.New = &lang.Def{Sig: "__new__(cls, object, callback=None, /, *args)", Fn: newWeakRef}
	c.Call = func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
		v := weakOf(f).object()
		th.Keep(v)
		return v, nil
	}
	c.Hash = func(th *Thread, v Value) (int64, error) {
		r := weakOf(v)
		if r.hashed {
			return r.hash, nil
		}
		o := r.object()
		if o.IsNone() {
			return 0, th.TypeErrorf("weak object has gone away")
		}
		h, err := lang.Hash(th, o)
		r.hash, r.hashed = h, err == nil
		return h, err
	}
	c.Compare = func(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
		x, y := weakOf(a), weakOf(b)
		if x == nil || y == nil || op != lang.EQ && op != lang.NE {
			return lang.NotImplemented, nil
		}
		p, q := x.object(), y.object()
		if p.IsNone() || q.IsNone() {
			return lang.Bool((x == y) == (op == lang.EQ)), nil
		}
		return lang.Compare(th, op, p, q)
	}
	c.Repr = func(th *Thread, v Value) (Value, error) {
		o := weakOf(v).object()
		if o.IsNone() {
			return lang.NewStr("<weakref at " + lang.Address(v) + "; dead>"), nil
		}
		return lang.NewStr("<weakref at " + lang.Address(v) + "; to '" + lang.TypeName(o) + "' at " + lang.Address(o) + ">"), nil
	}
	lang.DefineMethods(c, []lang.Def{{Sig: "__callback__", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return weakOf(a[0]).callback, nil
	}}})
}

func newWeakRef(th *Thread, a []Value) (Value, error) {
	v := a[1]
	switch v.Kind() {
	case value.KindInstance, value.KindFunc, value.KindClass, value.KindModule, value.KindGenerator, value.KindSet, value.KindFrozenSet,
		value.KindOther, value.KindException, value.KindBound, value.KindTensor, value.KindVariable, value.KindSym, value.KindArray:
	default:
		return fail(th.TypeErrorf("cannot create weak reference to '%s' object", lang.TypeName(v)))
	}
	r := &weakRef{Header: head(weakRefClass, value.KindOther), to: weak.Make(v.Head()), callback: a[2].Held().Value()}
	refsOf(th).add(r, v)
	th.Track(v)
	return wrap(a[0], Value{P: unsafe.Pointer(r)}), nil
}

// weakRefs are the references of an interpreter by the address of their object.
type weakRefs struct {
	by      map[uintptr][]weak.Pointer[weakRef]
	sweepAt int
}

// refsOf is the table of an interpreter; it listens to objects that die.
func refsOf(th *Thread) *weakRefs {
	in := th.Interp
	if t, ok := in.Ext["weakref"].(*weakRefs); ok {
		return t
	}
	t := &weakRefs{by: map[uintptr][]weak.Pointer[weakRef]{}, sweepAt: 64}
	if in.Ext == nil {
		in.Ext = map[string]any{}
	}
	in.Ext["weakref"] = t
	before := in.Died
	in.Died = func(th *Thread, v Value) {
		if before != nil {
			before(th, v)
		}
		t.died(th, uintptr(v.P), func(*weakRef) bool { return true })
	}
	return t
}

func (t *weakRefs) add(r *weakRef, v Value) {
	if len(t.by) >= t.sweepAt {
		for at, l := range t.by {
			if l = slices.DeleteFunc(l, func(p weak.Pointer[weakRef]) bool { return p.Value() == nil }); len(l) == 0 {
				delete(t.by, at)
			} else {
				t.by[at] = l
			}
		}
		t.sweepAt = 2*len(t.by) + 64
	}
	at := uintptr(v.P)
	t.by[at] = append(t.by[at], weak.Make(r))
}

// died clears the references to the object that was at an address, and calls their
// callbacks, the newest first.
func (t *weakRefs) died(th *Thread, at uintptr, gone func(*weakRef) bool) {
	l := t.by[at]
	delete(t.by, at)
	var refs []*weakRef
	for _, p := range l {
		switch r := p.Value(); {
		case r == nil:
		case gone(r):
			r.dead = true
			refs = append(refs, r)
		default:
			t.by[at] = append(t.by[at], p)
		}
	}
	for _, r := range slices.Backward(refs) {
		r.tell(th)
	}
}

func (r *weakRef) tell(th *Thread) {
	if r.told || r.callback.IsNone() {
		return
	}
	r.told = true
	if _, err := th.Call(r.callback, []Value{{P: unsafe.Pointer(r)}}); err != nil {
		th.Unraisable(err, r.callback)
	}
}

// collected tells the references whose objects the collector took.
func collected(th *Thread) {
	t, ok := th.Interp.Ext["weakref"].(*weakRefs)
	if !ok {
		return
	}
	for _, at := range slices.Sorted(maps.Keys(t.by)) {
		t.died(th, at, func(r *weakRef) bool { return r.to.Value() == nil })
	}
}
