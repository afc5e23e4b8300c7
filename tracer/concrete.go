package tracer

import (
	"unsafe"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// ConcreteClass is the class of concrete functions.
var ConcreteClass = lang.NewPythonClass("ConcreteFunction", "tensorflow.python.eager.polymorphic_function.concrete_function", value.KindOther)

// ConcreteFunction is one trace: a graph with the values it captured.
type ConcreteFunction struct {
	value.Header
	fn    *Function
	names []string
	kinds []string
	key   []*TraceType
	npos  int
	vals  []lang.Value // what the trace was made of: literals are pinned to it
	graph *FuncGraph
	attrs *ir.CallAttrs
	entry *Entry
	// out is the structure of the results: an int stands for a tensor by its
	// number, anything else for itself.
	out     lang.Value
	single  bool // one tensor, not in a structure
	nothing bool // None
	plain   bool // every argument is a tensor, a variable or a literal
	// stateful: the name of a call in a graph says so.
	stateful bool
	reads    *captures
	in       []ir.Value
	running  bool
}

// Value is cf as a script value.
func (cf *ConcreteFunction) Value() lang.Value { return value.Of(&cf.Header) }

// AsConcrete is v as a concrete function.
func AsConcrete(v lang.Value) (*ConcreteFunction, bool) {
	if v.Kind() == value.KindOther && v.Head().Type == &ConcreteClass.Type {
		return (*ConcreteFunction)(unsafe.Pointer(v.P)), true
	}
	return nil, false
}

// plainInputs reports that the flat inputs can be read off the arguments one by one.
func (cf *ConcreteFunction) plainInputs() bool {
	for _, t := range cf.key {
		switch t.Kind {
		case KTensor, KVariable, KLiteral:
		default:
			return false
		}
	}
	return true
}

// run is the hit path: positional arguments that fit the plan.
func (cf *ConcreteFunction) run(args []lang.Value) (lang.Value, error) {
	cf.entry.Hits++
	cf.fn.tr.countHit(cf.fn)
	in := cf.take()
	for _, v := range args {
		switch v.Kind() {
		case value.KindTensor:
			in = append(in, tensor.Of(v))
		case value.KindVariable:
			va, _ := bridge.AsVariable(v)
			if !contains(in, va.Var) {
				in = append(in, va.Operand())
			}
		}
	}
	return cf.finish(in)
}

func contains(in []ir.Value, v *ir.Var) bool {
	for _, x := range in {
		if x == ir.Value(v) {
			return true
		}
	}
	return false
}

// take borrows the scratch slice of operands; a recursive call gets its own.
func (cf *ConcreteFunction) take() []ir.Value {
	if cf.running {
		return nil
	}
	cf.running = true
	return cf.in[:0]
}

func (cf *ConcreteFunction) give(in []ir.Value) {
	clear(in)
	cf.in, cf.running = in[:0], false
}

// call runs cf on bound arguments.
func (cf *ConcreteFunction) call(b *bound) (lang.Value, error) {
	in, err := inputs(cf.fn.tr.st, cf.key, b.vals, cf.take())
	if err != nil {
		cf.running = false
		return lang.Unbound, err
	}
	return cf.finish(in)
}

// finish adds the captures, emits the Call and packs the results.
func (cf *ConcreteFunction) finish(in []ir.Value) (lang.Value, error) {
	st := cf.fn.tr.st
	if r := cf.reads; len(r.dirty) != 0 || len(r.items) != 0 {
		if err := cf.check(); err != nil {
			cf.give(in)
			return lang.Unbound, err
		}
	}
	if g := Current(st); g != nil && g.Fn != nil {
		g.Fn.inherit(cf.reads)
	}
	in = append(in, cf.graph.G.Captures...)
	s := st.At()
	if cf.stateful && st.Tracing() {
		s.Name = "StatefulPartitionedCall"
	}
	var v lang.Value
	var err error
	if cf.single {
		v, err = st.Result(s.EmitN(ops.Call, cf.attrs, in...))
	} else {
		outs := s.EmitAll(ops.Call, cf.attrs, in...)
		if err = st.Err(); err == nil {
			v, err = cf.pack(outs)
		}
	}
	cf.give(in)
	return v, err
}

// pack puts results into the structure that the body returned.
func (cf *ConcreteFunction) pack(outs []ir.Value) (lang.Value, error) {
	if cf.nothing {
		return lang.None, nil
	}
	if err := cf.distinct(outs); err != nil {
		return lang.Unbound, err
	}
	return cf.fn.tr.fillOut(cf.out, func(i int) lang.Value { return bridge.FromIR(outs[i]) })
}

// distinct gives a tensor that is several results an object for each (rule D36).
func (cf *ConcreteFunction) distinct(outs []ir.Value) error {
	st := cf.fn.tr.st
	for i, x := range outs {
		t, ok := x.(*tensor.Tensor)
		if !ok {
			continue
		}
		for _, y := range outs[:i] {
			if y != x {
				continue
			}
			v, err := st.X.Env.Alloc.View(t, 0, t.Shape())
			if err != nil {
				return st.Exception(err)
			}
			outs[i] = v
			break
		}
	}
	return nil
}
