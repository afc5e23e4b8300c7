package tracer

import (
	"unsafe"
	"weak"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// receiver is the instance that a method's Function belongs to. It is held weakly:
// the Function of a temporary object finds None in its place (rule D13).
type receiver struct {
	strong lang.Value // of what is no instance; Unbound else
	weak   weak.Pointer[lang.Instance]
	dead   bool // its last counted place went
}

func newReceiver(th *lang.Thread, self lang.Value) *receiver {
	if self.Kind() != value.KindInstance {
		return &receiver{strong: self.Held().Value()}
	}
	th.Track(self)
	return &receiver{strong: lang.Unbound, weak: weak.Make((*lang.Instance)(unsafe.Pointer(self.P)))}
}

// value is the receiver, None when it died.
func (r *receiver) value() lang.Value {
	if !r.strong.IsUnbound() {
		return r.strong
	}
	if p := r.weak.Value(); p != nil && !r.dead {
		return p.Value()
	}
	return lang.None
}

// methods are the Functions of one Function in a class, by the address of the
// receiver. Addresses are used again, so the receiver is compared.
type methods map[uintptr]*Function

func (m methods) find(self lang.Value) *Function {
	f := m[uintptr(self.P)]
	if f == nil {
		return nil
	}
	r := f.self
	if !r.strong.IsUnbound() {
		return f
	}
	if p := r.weak.Value(); p == nil || unsafe.Pointer(p) != self.P {
		return nil
	}
	r.dead = false // it was asked for through the instance: it lives
	return f
}

// sweep forgets the Functions of receivers that are gone.
func (m methods) sweep() {
	for k, f := range m {
		if r := f.self; r.strong.IsUnbound() && r.weak.Value() == nil {
			delete(m, k)
		}
	}
}

// method is the Function bound to a receiver: one for each live instance.
func (fn *Function) method(self lang.Value) (*Function, error) {
	if m := fn.methods.find(self); m != nil {
		return m, nil
	}
	m := &Function{Header: value.Header{Type: &FunctionClass.Type, Kind: value.KindOther}, tr: fn.tr, Python: fn.Python, Name: fn.Name, opts: fn.opts, owner: fn}
	m.self = newReceiver(fn.tr.st.Th, self)
	m.sig = m.readSignature(fn.Python)
	if fn.methods == nil {
		fn.methods = methods{}
	}
	if n := len(fn.methods); n >= 16 && n&(n-1) == 0 {
		fn.methods.sweep()
	}
	fn.methods[uintptr(self.P)] = m
	fn.tr.watchEnds()
	fn.tr.owners[uintptr(self.P)] = append(fn.tr.owners[uintptr(self.P)], m)
	return m, m.readInputSignature()
}

// callee is what a trace calls: the Python function, bound to its receiver.
func (fn *Function) callee() lang.Value {
	if fn.self == nil {
		return fn.Python
	}
	return lang.NewBound(fn.self.value(), fn.Python)
}

// watchEnds listens to objects whose last counted place goes.
func (tr *Tracer) watchEnds() {
	if tr.owners != nil {
		return
	}
	tr.owners = map[uintptr][]*Function{}
	in := tr.st.Th.Interp
	before := in.Died
	in.Died = func(th *lang.Thread, v lang.Value) {
		if before != nil {
			before(th, v)
		}
		tr.ended(v)
	}
}

// ended marks the receiver and the key object that v is.
func (tr *Tracer) ended(v lang.Value) {
	at := uintptr(v.P)
	for _, f := range tr.owners[at] {
		f.self.dead = true
	}
	delete(tr.owners, at)
	if r := tr.refs[at]; r != nil {
		r.dead = true
		delete(tr.refs, at)
	}
}
