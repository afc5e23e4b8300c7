package tracer

import (
	"time"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// trace is one run of a function's body that builds a graph.
type trace struct {
	fn  *Function
	tr  *Tracer
	b   *bound
	key []*TraceType
	why Reason
	g   *FuncGraph
	// mayCreate: variables may be made (rule D29); made are those that were, with the
	// symbol of their initial value.
	mayCreate bool
	made      []pending
	vars      []*ir.Var // captured or passed, in order of first use
	seen      map[*ir.Var]bool
	args      []lang.Value // what the body got
	reads     reads        // what it read from outside
	inner     []*captures  // what the functions read that it calls
	results   []ir.Value
}

// pending is a variable made while tracing: its initial value is computed from
// the arguments once the trace is done.
type pending struct {
	v    *bridge.Variable
	init ir.Value
}

func newTrace(fn *Function, b *bound, key []*TraceType, why Reason) *trace {
	return &trace{fn: fn, tr: fn.tr, b: b, key: key, why: why, seen: map[*ir.Var]bool{}}
}

func (t *trace) sawVariable(v *ir.Var) {
	if !t.seen[v] {
		t.seen[v] = true
		t.vars = append(t.vars, v)
	}
}

// run traces the body.
func (t *trace) run() (*ConcreteFunction, error) {
	st, th := t.tr.st, t.tr.st.Th
	if err := th.Enter(" while tracing"); err != nil {
		return nil, err
	}
	defer th.Leave()
	begin := time.Now()
	t.g = newFuncGraph(st, t.fn.Name, Current(st), false)
	t.g.Fn = t
	t.g.enter()
	stager := th.Stager
	th.Stager = t.tr.stager(t)
	out, err := t.body()
	th.Stager = stager
	if err == nil {
		out, err = t.convert(out)
	}
	t.g.leave()
	t.g.closed = true
	if err != nil {
		return nil, t.tr.userError(t.fn, err)
	}
	return t.finish(out, time.Since(begin))
}

// body calls the Python function on placeholders.
func (t *trace) body() (lang.Value, error) {
	th := t.tr.st.Th
	f := filler{g: t.g, tr: t.tr}
	t.args = make([]lang.Value, len(t.key))
	for i, ty := range t.key {
		v, err := f.fill(t.b.names[i], ty, t.b.vals[i])
		if err != nil {
			return lang.Unbound, err
		}
		t.args[i] = v
	}
	t.roots()
	before, err := snapshots(th, t.args)
	if err != nil {
		return lang.Unbound, err
	}
	callee := t.fn.callee()
	if !t.fn.opts.NoAutograph {
		if callee, err = t.tr.Convert(callee); err != nil {
			return lang.Unbound, err
		}
	}
	args, names := t.b.call(t.args)
	out, err := th.Call(callee, args, names...)
	if err != nil {
		return lang.Unbound, err
	}
	return out, t.checkArguments(before)
}

// convert makes results of what the body returned (rule D36): the structure with
// a number in place of each tensor.
func (t *trace) convert(out lang.Value) (lang.Value, error) {
	st := t.tr.st
	return bridge.Map(st.Th, out, func(v lang.Value) (lang.Value, error) {
		if v.IsNone() {
			return v, nil
		}
		if isComposite(v) {
			return t.composite(v)
		}
		x, err := t.result(v)
		if err != nil {
			return lang.Unbound, err
		}
		t.results = append(t.results, x)
		return lang.Int(int64(len(t.results) - 1)), nil
	})
}

// composite makes results of the parts of a composite.
func (t *trace) composite(v lang.Value) (lang.Value, error) {
	parts, err := t.tr.parts(v)
	if err != nil {
		return lang.Unbound, err
	}
	at := make([]int, len(parts))
	for i, p := range parts {
		x, err := t.result(p)
		if err != nil {
			return lang.Unbound, err
		}
		at[i] = len(t.results)
		t.results = append(t.results, x)
	}
	return newCompositeOut(v, at), nil
}

// result is one result: an Identity of the tensor, so that returning an argument
// or one tensor twice gives new ones.
func (t *trace) result(v lang.Value) (ir.Value, error) {
	st := t.tr.st
	if !returnable(v) {
		text, err := lang.Repr(st.Th, t.fn.Python)
		if err != nil {
			return nil, err
		}
		return nil, st.Th.TypeErrorf("To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None values; "+
			"in compilation of %s, found return value of type %s, which is not a Tensor or ExtensionType.", text, lang.TypeName(v))
	}
	x, err := st.Convert(v, tensor.Invalid)
	if err != nil {
		return nil, err
	}
	s := st.At()
	s.Name = "Identity"
	y := s.Emit1(ops.Identity, nil, x)
	return y, st.Err()
}

// returnable values become tensors: numbers, strings, arrays, tensors, variables.
func returnable(v lang.Value) bool {
	switch lang.Payload(v).Kind() {
	case value.KindInt, value.KindBool, value.KindFloat, value.KindBig, value.KindComplex, value.KindStr, value.KindBytes,
		value.KindTensor, value.KindSym, value.KindVariable, value.KindArray:
		return true
	}
	if _, ok := bridge.AsSlices(v); ok {
		return true
	}
	_, _, ok := bridge.ArrayType(v)
	return ok
}

// finish makes the concrete function of the graph.
func (t *trace) finish(out lang.Value, took time.Duration) (*ConcreteFunction, error) {
	syms, err := t.g.symbols(t.results)
	if err != nil {
		return nil, err
	}
	g := t.g.G
	g.Results = syms
	cf := &ConcreteFunction{Header: value.Header{Type: &ConcreteClass.Type, Kind: value.KindOther},
		fn: t.fn, names: append([]string(nil), t.b.names...), kinds: append([]string(nil), t.b.kinds...),
		key: t.key, npos: t.b.npos, graph: t.g, out: out.Held().Value(), attrs: &ir.CallAttrs{Body: g}}
	for i, v := range t.b.vals {
		keep := lang.None
		if t.key[i].Kind == KLiteral {
			keep = v.Held().Value()
		}
		cf.vals = append(cf.vals, keep)
	}
	cf.single = out.IsInt()
	cf.nothing = out.IsNone()
	cf.stateful = ops.EffectsOf(g) != ir.Pure
	cf.reads = t.tr.settle(&t.reads)
	for _, in := range t.inner {
		for _, c := range in.all {
			cf.reads.adopt(c)
		}
	}
	t.reads, t.inner = reads{}, nil
	cf.entry = t.tr.Ledger.add(t, cf, took)
	return cf, nil
}

// snapshots copies the structure of arguments, to find out whether the body
// changed it (rule D41).
func snapshots(th *lang.Thread, args []lang.Value) ([]lang.Value, error) {
	out := make([]lang.Value, len(args))
	for i, v := range args {
		if !bridge.IsNested(v) {
			continue
		}
		c, err := bridge.Map(th, v, func(x lang.Value) (lang.Value, error) { return x, nil })
		if err != nil {
			return nil, err
		}
		out[i] = c
	}
	return out, nil
}

func (t *trace) checkArguments(before []lang.Value) error {
	th := t.tr.st.Th
	var changed []string
	for i, old := range before {
		if old.P == nil {
			continue
		}
		same, err := sameAtoms(th, old, t.args[i])
		if err != nil {
			return err
		}
		if !same {
			changed = append(changed, t.b.names[i])
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return th.ValueErrorf("%s should not modify its Python input arguments. Modifying a copy is allowed. The following parameter(s) were modified: %s",
		t.fn.signatureText(), joined(changed))
}

// sameAtoms: the same structure with the same objects.
func sameAtoms(th *lang.Thread, a, b lang.Value) (bool, error) {
	if bridge.AssertSame(th, a, b, true) != nil {
		return false, nil
	}
	x, err := bridge.Flatten(th, a)
	if err != nil {
		return false, err
	}
	y, err := bridge.Flatten(th, b)
	if err != nil || len(x) != len(y) {
		return false, err
	}
	for i := range x {
		if x[i] != y[i] {
			return false, nil
		}
	}
	return true, nil
}
