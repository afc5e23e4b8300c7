package tracer

import (
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// FunctionClass is the class of what tf.function returns.
var FunctionClass = lang.NewPythonClass("Function", "tensorflow.python.eager.polymorphic_function.polymorphic_function", value.KindOther)

// Options are the arguments of tf.function beside the function.
type Options struct {
	Signature   lang.Value // input_signature, None without
	NoAutograph bool
	Reduce      bool // reduce_retracing
	JIT         bool
	specs       []*TraceType // of the input signature, by parameter
	specified   []lang.Value // the specs as values
}

// Function is a polymorphic function: one trace for each key.
type Function struct {
	value.Header
	tr      *Tracer
	Python  lang.Value // the function that is traced
	Name    string
	sig     *signature
	opts    Options
	cache   Cache
	methods methods   // the Functions of receivers: each instance has its own
	owner   *Function // of a method: the Function in the class
	self    *receiver // of a method
	// creates: the first trace made variables (rule D30); created: it has run.
	creates, created bool
	attrs            *lang.Dict
	window           *window // of the retracing warning
	settled          bool    // the trace without creation is done
}

// NewFunction makes a Function of a callable.
func NewFunction(tr *Tracer, f lang.Value, o Options) (*Function, error) {
	fn := &Function{Header: value.Header{Type: &FunctionClass.Type, Kind: value.KindOther}, tr: tr, Python: f.Held().Value(), opts: o, Name: callableName(tr.st.Th, f)}
	fn.sig = fn.readSignature(f)
	if err := fn.readInputSignature(); err != nil {
		return nil, err
	}
	return fn, nil
}

func callableName(th *lang.Thread, f lang.Value) string {
	if v, found, err := lang.AttrOr(th, f, "__name__"); err == nil && found {
		if s, ok := lang.AsStr(v); ok {
			return s.String()
		}
	}
	return lang.TypeName(f)
}

func (fn *Function) readSignature(f lang.Value) *signature {
	if fn.owner != nil {
		if sf, ok := lang.AsFunc(f); ok {
			return methodSignature(sf)
		}
	}
	if b, ok := lang.AsBound(f); ok {
		if sf, ok := lang.AsFunc(b.Fn); ok {
			return methodSignature(sf)
		}
	}
	if sf, ok := lang.AsFunc(f); ok {
		return signatureOf(sf)
	}
	if call := lang.ClassOf(f).Lookup("__call__"); !call.IsUnbound() {
		if sf, ok := lang.AsFunc(call); ok {
			return methodSignature(sf)
		}
	}
	return anySignature()
}

// Value is fn as a script value.
func (fn *Function) Value() lang.Value { return value.Of(&fn.Header) }

// AsFunction is v as a Function.
func AsFunction(v lang.Value) (*Function, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &FunctionClass.Type {
		return (*Function)(unsafe.Pointer(v.P)), true
	}
	return nil, false
}

// Count is experimental_get_tracing_count().
func (fn *Function) Count() int {
	return fn.cache.count
}

// Call runs the function on arguments from script, keyword values last.
func (fn *Function) Call(th *lang.Thread, args []lang.Value, names []*lang.Str) (lang.Value, error) {
	tr := fn.tr
	if tr.RunEagerly && !tr.st.Tracing() {
		return th.Call(fn.callee(), args, names...)
	}
	if len(names) == 0 && !tr.st.Tracing() {
		if cf := fn.cache.hit(args); cf != nil {
			return cf.run(args)
		}
	}
	return fn.slowCall(args, names)
}

// slowCall binds, builds the key, traces if it must, and runs.
func (fn *Function) slowCall(args []lang.Value, names []*lang.Str) (lang.Value, error) {
	var b bound
	if reason := fn.sig.bind(args, names, &b); reason != "" {
		return lang.Unbound, fn.bindError(reason, args, names)
	}
	if err := fn.castToSignature(&b, args, names); err != nil {
		return lang.Unbound, err
	}
	cf, traced, err := fn.lookup(&b)
	if err != nil {
		return lang.Unbound, err
	}
	fn.tr.countCall(fn, traced)
	if !traced {
		cf.entry.Hits++
	}
	if len(names) == 0 && len(args) == len(b.vals) && fn.opts.Signature.IsNone() {
		fn.cache.remember(args, &b, cf)
	}
	return cf.call(&b)
}

// lookup finds the concrete function for bound arguments, or makes it.
func (fn *Function) lookup(b *bound) (cf *ConcreteFunction, traced bool, err error) {
	ty := typer{tr: fn.tr}
	key := make([]*TraceType, len(b.vals))
	for i, v := range b.vals {
		if fn.opts.specs != nil && i < len(fn.opts.specs) && fn.opts.specs[i] != nil {
			key[i] = fn.opts.specs[i]
			continue
		}
		if key[i], err = ty.typeOf(v, 0); err != nil {
			return nil, false, err
		}
	}
	if cf = fn.cache.find(fn.tr, b, key); cf != nil {
		return cf, false, nil
	}
	if fn.opts.Reduce && fn.opts.Signature.IsNone() {
		key = fn.cache.relax(fn.tr.Types, b, key)
	}
	cf, err = fn.trace(b, key)
	return cf, true, err
}

// trace makes the concrete function of a key; the first trace of a function may
// create variables, and a second one then follows without (rule D30).
func (fn *Function) trace(b *bound, key []*TraceType) (*ConcreteFunction, error) {
	reason := fn.cache.why(fn.tr.st.Th, b, key)
	t := newTrace(fn, b, key, reason)
	t.mayCreate = !fn.created
	cf, err := t.run()
	if err != nil {
		return nil, err
	}
	fn.cache.count++
	if len(t.made) == 0 {
		fn.created = true
		fn.cache.add(b, key, cf)
		return cf, nil
	}
	if err := t.initialise(cf, b); err != nil {
		return nil, err
	}
	fn.created, fn.creates = true, true
	t = newTrace(fn, b, key, "variables were created by the first trace")
	if cf, err = t.run(); err != nil {
		return nil, err
	}
	fn.settled = true
	fn.cache.count++
	fn.cache.add(b, key, cf)
	return cf, nil
}

// inputs lists the flat operands of a call of cf.
func inputs(st *bridge.State, key []*TraceType, vals []lang.Value, out []ir.Value) ([]ir.Value, error) {
	f := flattener{st: st, out: out}
	for i, t := range key {
		if err := f.add(t, vals[i]); err != nil {
			return nil, err
		}
	}
	return f.out, nil
}
