package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// AsIR is v as an operand if it is a tensor or a symbol already.
func AsIR(v lang.Value) (ir.Value, bool) {
	switch v.Kind() {
	case value.KindTensor:
		return tensor.Of(v), true
	case value.KindSym:
		return symOf(v), true
	}
	return nil, false
}

// operand is AsIR that also reads variables and makes IndexedSlices dense.
func (st *State) operand(v lang.Value) (ir.Value, bool, error) {
	if x, ok := AsIR(v); ok {
		return x, true, nil
	}
	if va, ok := AsVariable(v); ok {
		x := va.Read(st)
		return x, true, st.Err()
	}
	if sl, ok := AsSlices(v); ok {
		x := st.densify(sl)
		return x, true, st.Err()
	}
	return nil, false, nil
}

// Convert makes an operand of v, as tf.convert_to_tensor does: tensors and
// symbols as they are (dt, if asked for, must agree), Python values by rules
// A1 to A8, arrays by copy. dt is tensor.Invalid to infer it. A tensor made here
// has one reference, the caller's.
func (st *State) Convert(v lang.Value, dt tensor.DType) (ir.Value, error) {
	x, ok, err := st.operand(v)
	if err != nil {
		return nil, err
	}
	if ok {
		if dt != tensor.Invalid && dt != x.DType() {
			return nil, st.wrongDType(v, x, dt)
		}
		return x, nil
	}
	if x, ok, err := st.fromArray(v, dt); ok || err != nil {
		return x, err
	}
	if HoldsTensor(v) {
		return st.pack(v, dt)
	}
	t, err := st.Literal(v, dt)
	if err != nil {
		return nil, err
	}
	return st.constant(t), nil
}

func (st *State) wrongDType(v lang.Value, x ir.Value, dt tensor.DType) error {
	text, err := lang.Repr(st.Th, v)
	if err != nil {
		return err
	}
	return st.Th.ValueErrorf("Tensor conversion requested dtype %s for Tensor with dtype %s: %s", dt.Name(), x.DType().Name(), text)
}

// constant is a fresh tensor as an operand: a Const node while tracing.
func (st *State) constant(t *tensor.Tensor) ir.Value { return st.At().Const(t) }

// Literal makes a tensor of a Python scalar or nested sequence without tensors.
func (st *State) Literal(v lang.Value, dt tensor.DType) (*tensor.Tensor, error) {
	l := literal{st: st, asked: dt}
	if err := l.collect(v); err != nil {
		return nil, err
	}
	if dt == tensor.Invalid {
		var err error
		if dt, err = l.infer(); err != nil {
			return nil, err
		}
	}
	return l.build(dt)
}

// Fits reports that v is a Python value whose every element may become dt.
func (st *State) Fits(v lang.Value, dt tensor.DType) bool {
	l := literal{st: st}
	if err := l.collect(v); err != nil {
		return false
	}
	for _, e := range l.leaves {
		if !fits(e, dt) {
			return false
		}
	}
	return true
}

// Hint is Convert where a Python value takes dtype hint if it can, and its own
// otherwise (dtype_hint=, and operators that fall back).
func (st *State) Hint(v lang.Value, hint tensor.DType) (ir.Value, error) {
	if hint != tensor.Invalid && !isOperand(v) && st.Fits(v, hint) {
		return st.Convert(v, hint)
	}
	return st.Convert(v, tensor.Invalid)
}

func isOperand(v lang.Value) bool {
	switch v.Kind() {
	case value.KindTensor, value.KindSym, value.KindVariable:
		return true
	}
	_, ok := AsSlices(v)
	return ok
}

// Adopt converts the arguments of one op whose Python values adopt the dtype of
// the first tensor among them, as tf.multiply and its kin do (rule A16).
func (st *State) Adopt(vs ...lang.Value) ([]ir.Value, error) {
	out := make([]ir.Value, len(vs))
	dt := tensor.Invalid
	for i, v := range vs {
		x, ok, err := st.operand(v)
		if err != nil {
			return nil, err
		}
		if !ok {
			x, ok, err = st.fromArray(v, tensor.Invalid)
			if err != nil {
				return nil, err
			}
		}
		if ok {
			out[i] = x
			if dt == tensor.Invalid {
				dt = x.DType()
			}
		}
	}
	for i, v := range vs {
		if out[i] != nil {
			continue
		}
		x, err := st.Convert(v, dt)
		if err != nil {
			return nil, err
		}
		out[i] = x
		dt = x.DType()
	}
	return out, nil
}

// HoldsTensor reports a sequence with a tensor somewhere inside.
func HoldsTensor(v lang.Value) bool { return findTensor(v, 0) }

func findTensor(v lang.Value, depth int) bool {
	items, ok := lang.Sequence(v)
	if !ok || depth > maxRank {
		return false
	}
	for _, it := range items {
		if isOperand(it.Value()) || findTensor(it.Value(), depth+1) {
			return true
		}
	}
	return false
}

// pack stacks a sequence that holds tensors: Python numbers adopt the tensors'
// dtype; a dtype that was asked for is cast to at the end (rule A3).
func (st *State) pack(v lang.Value, dt tensor.DType) (ir.Value, error) {
	own := st.firstDType(v)
	x, err := st.packAs(v, own, 0)
	if err != nil || dt == tensor.Invalid || dt == x.DType() {
		return x, err
	}
	r := st.Cast(x, dt)
	return r, st.Err()
}

// firstDType is the dtype of the first tensor in a nested sequence.
func (st *State) firstDType(v lang.Value) tensor.DType {
	if x, ok := AsIR(v); ok {
		return x.DType()
	}
	if va, ok := AsVariable(v); ok {
		return va.Res.DType
	}
	items, _ := lang.Sequence(v)
	for _, it := range items {
		if dt := st.firstDType(it.Value()); dt != tensor.Invalid {
			return dt
		}
	}
	return tensor.Invalid
}

func (st *State) packAs(v lang.Value, dt tensor.DType, depth int) (ir.Value, error) {
	items, ok := lang.Sequence(v)
	if !ok || !HoldsTensor(v) {
		if isOperand(v) {
			return st.Convert(v, tensor.Invalid)
		}
		return st.Convert(v, dt)
	}
	parts := make([]ir.Value, len(items))
	for i, it := range items {
		x, err := st.packAs(it.Value(), dt, depth+1)
		if err != nil {
			return nil, err
		}
		parts[i] = x
	}
	s := st.At()
	s.Name = "packed"
	x := st.Pack(parts, 0)
	return x, st.Err()
}
