package tracer

import (
	"weak"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
)

// Tracer is what a thread keeps for tracing.
type Tracer struct {
	st     *bridge.State
	Types  *Types
	Ledger Ledger
	// RunEagerly is tf.config.run_functions_eagerly.
	RunEagerly bool
	// Strict makes stale captures errors.
	Strict bool

	inBody     *stage // the loop whose body was begun last
	refs       map[uintptr]*objectRef
	owners     map[uintptr][]*Function // methods' Functions by the address of their receiver
	serial     uint64
	retrace    map[any]*window                      // of the retracing warning, by code object
	watched    map[uintptr][]weak.Pointer[captured] // captures by the address of what they read
	overloaded map[*lang.Def]lang.Value             // builtins as staged code calls them
}

const extKey = "tracer"

// Of is the Tracer of a thread, made on first use.
func Of(th *lang.Thread) *Tracer {
	if tr, ok := th.Ext[extKey].(*Tracer); ok {
		return tr
	}
	tr := &Tracer{st: bridge.Of(th), Types: NewTypes(), refs: map[uintptr]*objectRef{}, retrace: map[any]*window{}}
	tr.Strict, _ = th.Interp.Ext["strict"].(bool)
	th.Ext[extKey] = tr
	return tr
}

// reference is the weak reference of an object argument; the same live object has
// one.
func (tr *Tracer) reference(v lang.Value, hash int64) *objectRef {
	if r := tr.refs[uintptr(v.P)]; r != nil && r.alive() && r.get.object() == v {
		return r
	}
	tr.serial++
	r := &objectRef{serial: tr.serial, hash: hash, class: lang.TypeName(v), get: weakTo(v)}
	tr.refs[uintptr(v.P)] = r
	tr.watchEnds()
	tr.st.Th.Track(v)
	return r
}
