package tracer

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/tensor"
)

// retval is the name that lowering gives the returned value.
const retval = "retval_"

// outs are the places that the region's parts leave results in.
func (s *stage) outs() []code.Var {
	switch s.r.Kind {
	case code.RegionIfExp, code.RegionAnd, code.RegionOr:
		return []code.Var{{Name: s.r.Text, Kind: code.VarSlot, Slot: s.r.Value}}
	}
	return s.r.Vars[:s.r.NOut]
}

func (s *stage) beginIf(v lang.Value) (pc int, err error) {
	if s.pred, err = s.condition(v, "if statement"); err != nil {
		return 0, err
	}
	s.a = s.part("true")
	s.enter(s.a)
	return int(s.r.Then), nil
}

// beginBool: `a and b` is cond(a, b, a); `a or b` is cond(a, a, b).
func (s *stage) beginBool(f *lang.Frame, v lang.Value) (pc int, err error) {
	x, err := s.tr.st.Convert(v, tensor.Invalid)
	if err != nil {
		return 0, err
	}
	if s.pred, err = s.sym(x); err != nil {
		return 0, err
	}
	if s.pred.DT != tensor.Bool {
		return 0, bridge.NewError(bridge.InvalidArgumentError, "Expected a bool condition, got "+s.pred.DT.Name())
	}
	s.a, s.b = s.part("left"), s.part("right")
	s.enter(s.a)
	if s.r.Kind == code.RegionAnd {
		return int(s.r.Then), nil
	}
	s.vals = []lang.Value{s.pred.Value()}
	if s.leaves, err = s.convert(s.vals); err != nil {
		return 0, err
	}
	s.enter(s.b)
	s.phase = inElse
	return int(s.r.Then), nil
}

func (s *stage) endThen(f *lang.Frame) (int, bool, error) {
	s.vals = get(f, s.outs())
	if err := s.verifyBranch(s.vals, "main"); err != nil {
		return 0, false, err
	}
	var err error
	if s.leaves, err = s.convert(s.vals); err != nil {
		return 0, false, err
	}
	set(f, s.r.Mod, s.saved)
	s.phase = inElse
	if s.r.Kind == code.RegionAnd {
		s.enter(s.b)
		f.SetSlot(s.r.Value, s.pred.Value())
		return s.endElse(f)
	}
	s.b = s.part("false")
	s.enter(s.b)
	return int(s.r.Else), false, nil
}

func (s *stage) endElse(f *lang.Frame) (int, bool, error) {
	vars := s.outs()
	vals := get(f, vars)
	if err := s.verifyBranch(vals, "else"); err != nil {
		return 0, false, err
	}
	for i := range vars {
		if err := s.sameResult(&vars[i], s.vals[i], vals[i]); err != nil {
			return 0, false, err
		}
	}
	more, err := s.convert(vals)
	if err != nil {
		return 0, false, err
	}
	for i := range vars {
		s.a.G.Results = append(s.a.G.Results, s.leaves[i]...)
		s.b.G.Results = append(s.b.G.Results, more[i]...)
	}
	out, err := s.emitIf()
	if err != nil {
		return 0, false, err
	}
	res := make([]lang.Value, len(vars))
	for i := range vars {
		if res[i], out, err = s.packSyms(vals[i], out); err != nil {
			return 0, false, err
		}
	}
	return s.finish(f, vars, res)
}

// emitIf appends the If node to the outer graph and gives its results.
func (s *stage) emitIf() ([]*ir.Sym, error) {
	s.enter(s.outer)
	return emitIf(s.tr.st, s.pred, s.a, s.b)
}

// emitIf emits an If on two branch graphs whose results are set.
func emitIf(st *bridge.State, pred ir.Value, a, b *FuncGraph) ([]*ir.Sym, error) {
	caps := align(a, b)
	in := append([]ir.Value{pred}, caps...)
	sess := st.At()
	sess.Name = "cond"
	outs := sess.EmitAll(ops.If, &ir.IfAttrs{Then: a.G, Else: b.G}, in...)
	return asSyms(outs), st.Err()
}

func asSyms(vs []ir.Value) []*ir.Sym {
	out := make([]*ir.Sym, len(vs))
	for i, v := range vs {
		out[i], _ = v.(*ir.Sym)
	}
	return out
}

// convert turns the results of a branch into symbols of its graph, which is current.
func (s *stage) convert(vals []lang.Value) ([][]*ir.Sym, error) {
	out := make([][]*ir.Sym, len(vals))
	vars := s.outs()
	for i := range vals {
		syms, err := s.symsOf(vals[i])
		if err != nil {
			if e := lang.AsError(err); !e.IsA(bridge.InaccessibleTensor) {
				return nil, s.tr.st.Th.TypeErrorf("'%s': %s", vars[i].Name, e.Error())
			}
			return nil, err
		}
		out[i] = syms
	}
	return out, nil
}

// verifyBranch is rules E14 and E15 for one branch.
func (s *stage) verifyBranch(vals []lang.Value, branch string) error {
	th := s.tr.st.Th
	for i, v := range s.outs() {
		switch {
		case vals[i].IsUnbound() && v.Name == retval:
			return th.ValueErrorf("the %s branch must also have a return statement.", branch)
		case vals[i].IsUnbound():
			return th.ValueErrorf("'%s' must also be initialized in the %s branch", v.Name, branch)
		case vals[i].IsNone():
			return th.ValueErrorf("'%s' is None at the end of the %s branch.", v.Name, branch)
		}
	}
	return nil
}

// sameResult compares what both branches left in a name (rule E14).
func (s *stage) sameResult(v *code.Var, a, b lang.Value) error {
	th := s.tr.st.Th
	if err := bridge.AssertSame(th, a, b, true); err != nil {
		return th.TypeErrorf("'%s' must have the same nested structure in the main and else branches:\n\n%s", v.Name, lang.AsError(err).Error())
	}
	la, err := s.tr.Flatten(a)
	if err != nil {
		return err
	}
	lb, err := s.tr.Flatten(b)
	if err != nil {
		return err
	}
	for i := range la {
		da, oka := s.typeOf(la[i])
		db, okb := s.typeOf(lb[i])
		if !oka || !okb {
			return th.TypeErrorf("'%s' must be a tensor or a number in both branches, got %s and %s", v.Name, lang.TypeName(la[i]), lang.TypeName(lb[i]))
		}
		if da.DT != db.DT {
			return th.TypeErrorf("'%s' has dtype %s in the main branch, but dtype %s in the else branch", v.Name, da.DT.Name(), db.DT.Name())
		}
	}
	return nil
}

// typeOf is the type that an atom has as a tensor, without emitting anything.
func (s *stage) typeOf(v lang.Value) (ir.Type, bool) {
	if x, ok := bridge.AsIR(v); ok {
		return ir.TypeOf(x), true
	}
	if va, ok := bridge.AsVariable(v); ok {
		return ir.Type{DT: va.Res.DType, Shp: va.Res.Declared}, true
	}
	if dt, sh, ok := bridge.ArrayType(v); ok {
		return ir.Type{DT: dt, Shp: sh}, true
	}
	if !returnable(v) {
		return ir.Type{}, false
	}
	t, err := s.tr.st.Literal(v, tensor.Invalid)
	if err != nil {
		return ir.Type{}, false
	}
	return ir.TypeOf(t), true
}
