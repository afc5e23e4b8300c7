package tracer

import (
	"unsafe"
	"weak"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// objectRef is a weak reference to an object argument: keys must not keep
// arguments alive (rule D7).
type objectRef struct {
	serial uint64
	hash   int64
	class  string
	get    referent
	dead   bool // its last counted place went
}

// referent gives the object, Unbound when it died.
type referent interface{ object() lang.Value }

type weakInstance struct{ p weak.Pointer[lang.Instance] }

func (w weakInstance) object() lang.Value {
	if p := w.p.Value(); p != nil {
		return p.Value()
	}
	return lang.Unbound
}

type weakFunc struct{ p weak.Pointer[lang.Func] }

func (w weakFunc) object() lang.Value {
	if p := w.p.Value(); p != nil {
		return p.Value()
	}
	return lang.Unbound
}

// strong holds what lives as long as the program anyway: classes, modules,
// functions in Go.
type strong struct{ v lang.Value }

func (s strong) object() lang.Value { return s.v }

// weakTo makes the referent for an object.
func weakTo(v lang.Value) referent {
	switch v.Kind() {
	case value.KindInstance:
		return weakInstance{weak.Make((*lang.Instance)(unsafe.Pointer(v.P)))}
	case value.KindFunc:
		return weakFunc{weak.Make((*lang.Func)(unsafe.Pointer(v.P)))}
	}
	return strong{v.Held().Value()}
}

// matches: the same live object, or equal live objects of equal hash.
func (r *objectRef) matches(th *lang.Thread, o *objectRef) bool {
	if r == o {
		return true
	}
	a, b := r.get.object(), o.get.object()
	if a.IsUnbound() || b.IsUnbound() || r.dead || o.dead || r.hash != o.hash {
		return false
	}
	eq, err := lang.Equal(th, a, b)
	return err == nil && eq
}

func (r *objectRef) alive() bool { return !r.dead && !r.get.object().IsUnbound() }

func (r *objectRef) text() string { return "Reference[<weakref of " + r.class + ">]" }
