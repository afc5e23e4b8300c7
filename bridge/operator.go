package bridge

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// operator is how a Python operator becomes an op.
type operator struct {
	op, onBool *ir.Op
	name       string // the node's name in a graph
	// loose: a Python number that can't take the tensor's dtype is converted by
	// itself, and the op complains about the pair (rule A14).
	loose bool
}

var binaryOps = [...]operator{
	lang.OpAdd:      {op: ops.AddV2, name: "add", loose: true},
	lang.OpSub:      {op: ops.Sub, name: "sub"},
	lang.OpMul:      {op: ops.Mul, onBool: ops.LogicalAnd, name: "mul"},
	lang.OpDiv:      {op: ops.RealDiv, name: "truediv", loose: true},
	lang.OpFloorDiv: {op: ops.FloorDiv, name: "floordiv"},
	lang.OpMod:      {op: ops.FloorMod, name: "mod"},
	lang.OpPow:      {op: ops.Pow, name: "pow"},
	lang.OpMatMul:   {op: ops.MatMul, name: "matmul", loose: true},
	lang.OpAnd:      {op: ops.BitwiseAnd, onBool: ops.LogicalAnd, name: "and"},
	lang.OpOr:       {op: ops.BitwiseOr, onBool: ops.LogicalOr, name: "or"},
	lang.OpXor:      {op: ops.BitwiseXor, onBool: ops.NotEqual, name: "xor"},
}

var compareOps = [...]operator{
	lang.LT: {op: ops.Less, name: "Less"},
	lang.LE: {op: ops.LessEqual, name: "LessEqual"},
	lang.GT: {op: ops.Greater, name: "Greater"},
	lang.GE: {op: ops.GreaterEqual, name: "GreaterEqual"},
	lang.EQ: {op: ops.Equal, name: "Equal"},
	lang.NE: {op: ops.NotEqual, name: "NotEqual"},
}

// mirrored[op] is the comparison that says the same with the sides exchanged.
var mirrored = [...]lang.CompareOp{
	lang.LT: lang.GT, lang.LE: lang.GE, lang.GT: lang.LT, lang.GE: lang.LE, lang.EQ: lang.EQ, lang.NE: lang.NE,
}

// tensorBinary is the slot Binary of tensors, symbols and variables: one of a, b
// is one.
func tensorBinary(th *lang.Thread, op lang.BinaryOp, a, b lang.Value, dying uint8) (lang.Value, error) {
	if int(op) >= len(binaryOps) || binaryOps[op].op == nil {
		return lang.NotImplemented, nil
	}
	o := &binaryOps[op]
	st := Of(th)
	s := st.At()
	if a.Kind() == value.KindTensor && b.Kind() == value.KindTensor && !st.Tracing() {
		x, y := tensor.Of(a), tensor.Of(b)
		if x.DType() == y.DType() && x.DType().IsFloating() && op != lang.OpMatMul {
			r := s.Op2(o.op, nil, fromSlots(dying), x, y)
			return st.Result(r)
		}
	}
	return st.operate(o, op, a, b, dying)
}

// operate is tensorBinary for operands that need converting or casting.
func (st *State) operate(o *operator, op lang.BinaryOp, a, b lang.Value, dying uint8) (lang.Value, error) {
	if other(op, a, "__") || other(op, b, "__r") {
		return lang.NotImplemented, nil
	}
	x, y, mask, err := st.operands(o, a, b, dying)
	if err != nil {
		return lang.Unbound, err
	}
	if st.Tracing() {
		st.S.Name = o.name
	}
	switch {
	case op == lang.OpDiv:
		return st.Result(st.Divide(x, y, mask))
	case op == lang.OpMatMul:
		st.S.Name = ""
		return st.Result(st.MatMul(x, y, false, false))
	case op == lang.OpAdd && x.DType() == tensor.String && stringAdd != nil:
		return st.Result(st.S.Op2(stringAdd, nil, mask, x, y))
	case o.onBool != nil && x.DType() == tensor.Bool && y.DType() == tensor.Bool:
		return st.Result(st.S.Op2(o.onBool, nil, mask, x, y))
	}
	return st.Result(st.S.Op2(o.op, nil, mask, x, y))
}

// methodNames are the names of the operators' methods, without underscores.
var methodNames = [...]string{
	lang.OpAdd: "add", lang.OpSub: "sub", lang.OpMul: "mul", lang.OpDiv: "truediv", lang.OpFloorDiv: "floordiv", lang.OpMod: "mod",
	lang.OpPow: "pow", lang.OpMatMul: "matmul", lang.OpAnd: "and", lang.OpOr: "or", lang.OpXor: "xor",
}

// other reports an instance of a script class that knows the operator itself.
func other(op lang.BinaryOp, v lang.Value, prefix string) bool {
	if takes(v) {
		return false
	}
	return int(op) >= len(methodNames) || !lang.ClassOf(v).Lookup(prefix+methodNames[op]+"__").IsUnbound()
}

// takes lets a script class with reflected operators have its say: what is no
// number, sequence or array goes to the other operand first.
func takes(v lang.Value) bool {
	return v.Kind() != value.KindInstance || !lang.Payload(v).IsUnbound()
}

// The bits of a mask of dying operands that speak of the first and of the second.
const (
	firstSlot  = 1 | 1<<ir.CallerDrops
	secondSlot = 2 | 2<<ir.CallerDrops
)

// fromSlots is the mask of operands that die in slots of the VM: it empties them
// itself.
func fromSlots(dying uint8) uint32 { return uint32(dying) | uint32(dying)<<ir.CallerDrops }

// operands converts the two sides of an operator: the side that is no tensor
// adopts the other's dtype (rules A12 to A18). The mask of dying operands grows
// by what was made here.
func (st *State) operands(o *operator, a, b lang.Value, dying uint8) (x, y ir.Value, mask uint32, err error) {
	mask = fromSlots(dying)
	x, okx, err := st.operand(a)
	if err != nil {
		return
	}
	y, oky, err := st.operand(b)
	if err != nil {
		return
	}
	if okx && a.Kind() != value.KindTensor {
		mask = mask&^firstSlot | fresh(x, 1)
	}
	if oky && b.Kind() != value.KindTensor {
		mask = mask&^secondSlot | fresh(y, 2)
	}
	if !oky {
		if y, err = st.right(o, b, x.DType()); err != nil {
			return
		}
		mask = mask&^secondSlot | fresh(y, 2)
	}
	if !okx {
		if x, err = st.left(a, y.DType()); err != nil {
			return
		}
		mask = mask&^firstSlot | fresh(x, 1)
	}
	return
}

// fresh is bit if v is an eager tensor that was made for this one use.
func fresh(v ir.Value, bit uint32) uint32 {
	if _, ok := v.(*tensor.Tensor); ok {
		return bit
	}
	return 0
}

// right converts the right operand.
func (st *State) right(o *operator, v lang.Value, dt tensor.DType) (ir.Value, error) {
	if x, ok, err := st.castArray(v, dt); ok || err != nil {
		return x, err
	}
	if HoldsTensor(v) {
		return st.pack(v, dt)
	}
	if o.loose && !st.Fits(v, dt) {
		return st.Convert(v, tensor.Invalid)
	}
	x, err := st.Convert(v, dt)
	if err != nil && st.Tracing() && lang.Matches(err, lang.TypeError) {
		return nil, st.tracedOperand(o, v, dt, err)
	}
	return x, err
}

// tracedOperand words the TypeError of a Python number that can't take the dtype
// of the tensor on its left, in a graph.
func (st *State) tracedOperand(o *operator, v lang.Value, dt tensor.DType, cause error) error {
	text, err := lang.Repr(st.Th, v)
	if err != nil {
		return err
	}
	why, err := lang.StrOf(st.Th, lang.AsError(cause).Value())
	if err != nil {
		return err
	}
	return st.Th.TypeErrorf("Expected %s passed to parameter 'y' of op '%s', got %s of type '%s' instead. Error: %s",
		dt.Name(), o.op.Name, text, lang.TypeName(v), why)
}

// left converts the left operand: its dtype is forced.
func (st *State) left(v lang.Value, dt tensor.DType) (ir.Value, error) {
	if x, ok, err := st.castArray(v, dt); ok || err != nil {
		return x, err
	}
	return st.Convert(v, dt)
}

// trueDiv[dt] is the dtype in which integers are divided.
func trueDiv(dt tensor.DType) (tensor.DType, bool) {
	switch dt {
	case tensor.Int8, tensor.Int16, tensor.Uint8, tensor.Uint16:
		return tensor.Float32, true
	case tensor.Int32, tensor.Int64, tensor.Uint32, tensor.Uint64:
		return tensor.Float64, true
	}
	return dt, dt.IsFloating() || dt.IsComplex()
}

// Divide is true division (rule A20). dying is as for Session.Op2.
func (st *State) Divide(x, y ir.Value, dying uint32) ir.Value {
	if x.DType() != y.DType() {
		st.S.SetErr(st.Th.TypeErrorf("`x` and `y` must have the same dtype, got tf.%s != tf.%s.", x.DType().Name(), y.DType().Name()))
		return nil
	}
	dt, ok := trueDiv(x.DType())
	if !ok {
		st.S.SetErr(st.Th.TypeErrorf("Invalid dtype tf.%s in __truediv__. Expected one of {tf.uint8, tf.int8, tf.uint16, tf.int16, tf.uint32, "+
			"tf.int32, tf.uint64, tf.int64, tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128}.", x.DType().Name()))
		return nil
	}
	name := st.S.Name
	if dt != x.DType() {
		st.S.Name = scoped(name, "Cast")
		x = st.Cast(x, dt)
		st.S.Name = scoped(name, "Cast_1")
		y = st.Cast(y, dt)
		dying = fresh(x, 1) | fresh(y, 2)
	}
	st.S.Name = name
	return st.S.Op2(ops.RealDiv, nil, dying, x, y)
}

func scoped(scope, name string) string {
	if scope == "" {
		return ""
	}
	return scope + "/" + name
}

// Cast emits a cast where the dtype differs.
func (st *State) Cast(x ir.Value, dt tensor.DType) ir.Value {
	if x.DType() == dt {
		return x
	}
	return st.S.Emit1(ops.Cast, &ops.CastAttrs{DstT: dt}, x)
}

// tensorCompare is the slot Compare: elementwise, with None unequal to everything.
func tensorCompare(th *lang.Thread, op lang.CompareOp, a, b lang.Value) (lang.Value, error) {
	if !isOperand(a) {
		a, b, op = b, a, mirrored[op]
	}
	if op == lang.EQ || op == lang.NE {
		if b.IsNone() {
			return lang.Bool(op == lang.NE), nil
		}
	}
	if !takes(b) {
		return lang.NotImplemented, nil
	}
	st := Of(th)
	st.At()
	o := &compareOps[op]
	x, y, mask, err := st.operands(o, a, b, 0)
	if err != nil {
		return lang.Unbound, err
	}
	if st.Tracing() {
		st.S.Name = o.name
		if op == lang.EQ || op == lang.NE {
			st.S.Name = map[lang.CompareOp]string{lang.EQ: "Equal", lang.NE: "NotEqual"}[op]
		}
	}
	var attrs any
	if op == lang.EQ || op == lang.NE {
		attrs = ops.LooseEqual
	}
	return st.Result(st.S.Op2(o.op, attrs, mask, x, y))
}

// tensorUnary is the slot Unary.
func tensorUnary(th *lang.Thread, op lang.UnaryOp, v lang.Value) (lang.Value, error) {
	st := Of(th)
	x, _, err := st.operand(v)
	if err != nil {
		return lang.Unbound, err
	}
	s := st.At()
	switch op {
	case lang.OpNeg:
		return st.Result(s.Emit1(ops.Neg, nil, x))
	case lang.OpAbs:
		return st.Result(st.Abs(x))
	case lang.OpInvert:
		if x.DType() == tensor.Bool {
			return st.Result(s.Emit1(ops.LogicalNot, nil, x))
		}
		return st.Result(s.Emit1(ops.Invert, nil, x))
	}
	return lang.NotImplemented, nil
}

// Abs is the absolute value; of a complex tensor, a real one.
func (st *State) Abs(x ir.Value) ir.Value {
	if x.DType().IsComplex() {
		return st.S.Emit1(ops.ComplexAbs, nil, x)
	}
	return st.S.Emit1(ops.Abs, nil, x)
}
