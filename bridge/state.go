package bridge

import (
	"errors"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// State is what a thread keeps for tensors. It is made on first use, so that a
// script without tensors pays nothing.
type State struct {
	Th *lang.Thread
	// X runs ops now; S is its session, whose emitter a trace swaps.
	X *exec.Context
	S *ir.Session
	// Scope is the current name scope, with a slash at its end, of eager variables.
	Scope string
	// LogLevel is the level of tf.get_logger(): what is below is not written.
	LogLevel int
	// LastSlice is the piece of a variable that was read last.
	LastSlice SliceOf

	attrs  map[*tensor.Tensor]*lang.Dict // attributes that a script set on a tensor
	serial uint64                        // of variables, in order of creation
	zeros  map[tensor.DType]float64      // the first scalar zero of a dtype
	logged map[string]int                // how often a text was written
}

// Of is the State of a thread.
func Of(th *lang.Thread) *State {
	if st, ok := th.Session.(*State); ok {
		return st
	}
	return newState(th)
}

func newState(th *lang.Thread) *State {
	x := exec.NewContext()
	st := &State{Th: th, X: x, S: x.Session}
	th.Session = st
	x.Allocator.Room = func(n int) error {
		err := th.CheckSize(n, 1)
		if err != nil && !th.Interp.MemoryLimited() {
			return tensor.ErrNoRoom
		}
		return err
	}
	th.AddLocal(st)
	x.Cancelled = th.Check // interrupts and ends, also inside the loops of graphs
	x.Env.Stdout, x.Env.Stderr = th.Interp.Host.Stdout, th.Interp.Host.Stderr
	return st
}

// ofStrand is what each of the script's threads has for itself.
type ofStrand struct {
	work  ir.Work
	tapes []*exec.Tape
	scope string
}

// Exchange gives the next strand its trace, tapes and name scope. It implements
// lang.Local.
func (st *State) Exchange(next any) (last any) {
	n, ok := next.(ofStrand)
	if !ok {
		n.work.Emitter = st.X
	}
	was := ofStrand{st.S.Exchange(n.work), st.X.Tapes.Exchange(n.tapes), st.Scope}
	st.Scope = n.scope
	return was
}

// Tracing reports that ops become nodes of a graph.
func (st *State) Tracing() bool { return st.S.Tracing() }

// At tells the session which script line works now, for accounting and nodes.
func (st *State) At() *ir.Session {
	st.S.Site = st.Th.Site()
	return st.S
}

// Err is the exception for what went wrong since the last Err, or nil.
func (st *State) Err() error {
	if !st.S.Failed() {
		return nil
	}
	return st.Exception(st.S.Err())
}

// Exception turns an error of the layers below into an exception of the script.
func (st *State) Exception(err error) error {
	if err == nil {
		return nil
	}
	var script *lang.Exception
	if errors.As(err, &script) {
		return script
	}
	var worded *ir.Error
	if errors.As(err, &worded) {
		if worded.Cause != nil && errors.As(worded.Cause, &script) {
			return script
		}
		return st.raise(worded)
	}
	var limit *tensor.LimitError
	if errors.As(err, &limit) {
		return st.Th.Raise(lang.MemoryError, "%s", limit.Error())
	}
	return st.Th.Raise(lang.SystemError, "%s", err.Error())
}

func (st *State) raise(e *ir.Error) error {
	if c := ErrorClass(e.Class); c != nil {
		return NewError(c, e.Text)
	}
	return st.Th.Raise(lang.SystemError, "%s: %s", e.Class, e.Text)
}

// Result is v as the result of an op from script: the exception of a failed
// emit, or the value.
func (st *State) Result(v ir.Value) (lang.Value, error) {
	if st.S.Failed() {
		return lang.Unbound, st.Err()
	}
	return FromIR(v), nil
}

// FromIR is the script value of a tensor or symbol; None for nil.
func FromIR(v ir.Value) lang.Value {
	switch v := v.(type) {
	case *tensor.Tensor:
		return v.Value()
	case *ir.Sym:
		return v.Value()
	case *ir.Slices:
		return NewSlices(v)
	}
	return lang.None
}

// IsTensor reports an eager or symbolic tensor (not a Variable).
func IsTensor(v lang.Value) bool {
	k := v.Kind()
	return k == value.KindTensor || k == value.KindSym
}

// AsTensor is v as an eager tensor.
func AsTensor(v lang.Value) (*tensor.Tensor, bool) {
	if v.Kind() == value.KindTensor {
		return tensor.Of(v), true
	}
	return nil, false
}

// AsSym is v as a symbolic tensor.
func AsSym(v lang.Value) (*ir.Sym, bool) {
	if v.Kind() == value.KindSym {
		return symOf(v), true
	}
	return nil, false
}

// SliceOf is the piece of a variable that was read last: v[key], whose result can
// be assigned to.
type SliceOf struct {
	Result ir.Value
	Var    *Variable
	Key    lang.Held
}
