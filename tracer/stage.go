package tracer

import (
	"slices"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/tensor"
)

// stager implements lang.Stager for one trace: it turns control flow on symbolic
// values into If and While nodes. Its state is on the frames, as stage records.
type stager struct {
	tr *Tracer
	t  *trace
}

func (tr *Tracer) stager(t *trace) lang.Stager { return &stager{tr, t} }

type phase uint8

const (
	inThen    phase = iota
	inElse          // the second branch
	inProbe         // while: first evaluation of the test, in a scratch graph
	inScratch       // loop: body traced to find the types of undefined names
	inCond
	inBody
)

// stage is the record of a region being traced: the continuation that the end of
// a part resumes.
type stage struct {
	tr    *Tracer
	id    int
	r     *code.Region
	phase phase
	outer *FuncGraph
	saved []lang.Value // of r.Mod, at entry; Unbound where undefined

	// if
	pred   *ir.Sym
	a, b   *FuncGraph
	vals   []lang.Value // results of the first part
	leaves [][]*ir.Sym

	loop *loopState
}

// Region is the number of the region.
func (s *stage) Region() int { return s.id }

// Symbolic reports what control flow is staged on: any tensor or variable.
func (st *stager) Symbolic(v lang.Value) bool {
	if bridge.IsTensor(v) {
		return true
	}
	_, ok := bridge.AsVariable(v)
	return ok
}

// Begin opens a region at its test value.
func (st *stager) Begin(f *lang.Frame, region int, v lang.Value) (lang.Stage, int, error) {
	r := &f.Code().Regions[region]
	s := &stage{tr: st.tr, id: region, r: r, outer: Current(st.tr.st), saved: get(f, r.Mod)}
	var pc int
	var err error
	switch r.Kind {
	case code.RegionIf, code.RegionIfExp:
		pc, err = s.beginIf(v)
	case code.RegionAnd, code.RegionOr:
		pc, err = s.beginBool(f, v)
	case code.RegionWhile:
		s.phase = inProbe
		s.enter(s.part("tmp"))
		pc = int(r.Else)
	case code.RegionFor:
		pc, err = s.beginFor(f, v)
	}
	return s, pc, err
}

// End resumes the record at the end of a part.
func (st *stager) End(f *lang.Frame, ls lang.Stage) (int, bool, error) {
	s := ls.(*stage)
	switch s.phase {
	case inThen:
		return s.endThen(f)
	case inElse:
		return s.endElse(f)
	case inProbe:
		return s.endProbe(f)
	case inScratch:
		pc, err := s.endScratch(f, nil)
		return pc, false, err
	case inCond:
		pc, err := s.endCond(f)
		return pc, false, err
	}
	return s.endBody(f)
}

// Abort gives the record up because err passes through it: the outer graph is
// current again and names local to the part are gone. Results keep what the part
// gave them, as in TensorFlow. In the scratch run of a loop body the exception is
// swallowed (rule E17).
func (st *stager) Abort(f *lang.Frame, ls lang.Stage, err *lang.Exception) (int, bool) {
	s := ls.(*stage)
	if s.phase == inScratch && !s.loop.failed && swallowed(err) {
		if pc, e := s.endScratch(f, err); e == nil {
			return pc, true
		} else {
			*err = *lang.AsError(e)
		}
	}
	s.enter(s.outer)
	for i := range s.r.Mod {
		if !slices.ContainsFunc(s.r.Vars, func(v code.Var) bool { return sameVar(&v, &s.r.Mod[i]) }) {
			write(f, &s.r.Mod[i], s.saved[i])
		}
	}
	return 0, false
}

func swallowed(e *lang.Exception) bool {
	for _, c := range []*lang.Class{lang.NameError, lang.TypeError, lang.ValueError, lang.KeyError} {
		if e.IsA(c) {
			return true
		}
	}
	return false
}

func sameVar(a, b *code.Var) bool { return a.Name == b.Name && a.Kind == b.Kind && a.Slot == b.Slot }

// part makes the graph of a branch or of a loop's test or body.
func (s *stage) part(title string) *FuncGraph {
	return newFuncGraph(s.tr.st, title, s.outer, true)
}

// enter makes g current.
func (s *stage) enter(g *FuncGraph) { s.tr.st.S.Emitter = g }

// finish ends the region: names bound inside get their old values, then the results.
func (s *stage) finish(f *lang.Frame, vars []code.Var, vals []lang.Value) (int, bool, error) {
	s.enter(s.outer)
	set(f, s.r.Mod, s.saved)
	set(f, vars, vals)
	return int(s.r.Join), true, nil
}

// condition checks rule E5 and gives the condition as a symbol of the current graph.
func (s *stage) condition(v lang.Value, what string) (*ir.Sym, error) {
	st := s.tr.st
	x, err := st.Convert(v, tensor.Invalid)
	if err != nil {
		return nil, err
	}
	sh := x.Shape()
	if x.DType() != tensor.Bool || sh.Known() && sh.NumElements() != 1 {
		text, err := lang.StrOf(st.Th, v)
		if err != nil {
			return nil, err
		}
		return nil, st.Th.ValueErrorf("condition of %s expected to be `tf.bool` scalar, got %s; to use as boolean Tensor, use `tf.cast`; to check for None, use `is not None`", what, text)
	}
	if sh.Rank() != 0 && sh.RankKnown() {
		x = st.At().Emit2(ops.Reshape, nil, x, ir.IntList())
		if err := st.Err(); err != nil {
			return nil, err
		}
	}
	return s.sym(x)
}

// sym is x as a symbol of the current graph.
func (s *stage) sym(x ir.Value) (*ir.Sym, error) {
	syms, err := Current(s.tr.st).symbols([]ir.Value{x})
	if err != nil {
		return nil, err
	}
	return syms[0], nil
}

// symsOf converts the atoms of a structure to symbols of the current graph.
func (s *stage) symsOf(v lang.Value) ([]*ir.Sym, error) {
	atoms, err := s.tr.Flatten(v)
	if err != nil {
		return nil, err
	}
	out := make([]*ir.Sym, len(atoms))
	for i, a := range atoms {
		x, err := s.tr.st.Convert(a, tensor.Invalid)
		if err != nil {
			return nil, err
		}
		if out[i], err = s.sym(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// packSyms makes a structure like v of symbols and returns the rest of them.
func (s *stage) packSyms(v lang.Value, syms []*ir.Sym) (lang.Value, []*ir.Sym, error) {
	out, err := s.tr.Map(v, func(lang.Value) (lang.Value, error) {
		x := syms[0]
		syms = syms[1:]
		return x.Value(), nil
	})
	return out, syms, err
}
