package py

import (
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
}

var weakRefClass = newClass("ReferenceType", "weakref")

func weakOf(v Value) *weakRef { return native[weakRef](v, weakRefClass) }

// object is what the reference points to, None when it is gone.
func (r *weakRef) object() Value {
	if p := r.to.Value(); p != nil {
		return Value{P: unsafe.Pointer(p)}
	}
	return none
}

func init() {
	c := weakRefClass
	c.New = &lang.Def{Sig: "__new__(cls, object, callback=None, /, *args)", Fn: newWeakRef}
	c.Call = func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
		return weakOf(f).object(), nil
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
		value.KindOther, value.KindException, value.KindBound:
	default:
		return fail(th.TypeErrorf("cannot create weak reference to '%s' object", lang.TypeName(v)))
	}
	r := &weakRef{Header: head(weakRefClass, value.KindOther), to: weak.Make(v.Head()), callback: a[2].Held().Value()}
	return wrap(a[0], Value{P: unsafe.Pointer(r)}), nil
}
