package ir

import (
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/tfs-lang/tfs/tensor"
)

// Op is one operation: an entry of the table.
type Op struct {
	// Name is TensorFlow's name of the op.
	Name string
	// Signature is the Python parameter list of the exported functions, without name=.
	Signature string
	// Exports are the script names of the op's function: "tf.tanh".
	Exports []string
	// Def is TensorFlow's definition (operand names and dtype rules), nil for an op of ours.
	Def *Def
	Rules

	index   int
	rule    atomic.Pointer[dtypeRule]
	defined bool

	cuts, gradOfInts bool
}

// Fuse says how an op may join a fused kernel.
type Fuse uint8

// The fusion classes.
const (
	Opaque Fuse = iota
	Elementwise
	Reduction
	Contraction
	ViewOnly // the result is the operand's data under another shape
)

// Effect is what an op does besides computing its results: a set.
type Effect uint8

// The effects. An op with one of Writes, Prints, Fails or Calls is never pruned
// or reordered against others that share one.
const (
	Pure  Effect = 0
	Reads Effect = 1 << (iota - 1) // a resource among the operands
	Writes
	Random // draws from a counter
	Prints
	Fails // exists to fail: assertions
	Calls // calls back into the host
)

// Stateful reports that the op must run even if its results are unused.
func (e Effect) Stateful() bool { return e&(Writes|Prints|Fails|Calls) != 0 }

// Uses is the set of values that a gradient reads: operands in the low half,
// results in the high half.
type Uses uint32

// AllIn and AllOut stand for every operand and every result.
const (
	AllIn  Uses = 0xffff
	AllOut Uses = 0xffff0000
	None   Uses = 0
)

// LastIn is the last operand, of ops that take a list before it.
const LastIn Uses = 1 << 15

// In is operand i. Operands from 14 on count as 14.
func In(i int) Uses { return 1 << min(i, 14) }

// HasIn reports whether operand i of n is in the set.
func (u Uses) HasIn(i, n int) bool { return u&In(i) != 0 || u&LastIn != 0 && i == n-1 }

// Out is result i.
func Out(i int) Uses { return 1 << (16 + min(i, 15)) }

// Rules define an op, in this order.
type Rules struct {
	// Attrs is a nil pointer to the op's attribute struct, nil if it has none.
	Attrs any
	// Infer finds the result types: it calls c.SetLike or c.SetOut.
	Infer func(c *Call) *Mistake
	// Known computes an int result of rank 0 or 1 whose elements are known while
	// tracing, -1 for those that aren't; ok is false if nothing is known.
	Known func(c *Call) (v []int64, ok bool)
	// Kernel runs the op on c.T(i) into the placed c.O(i).
	Kernel func(c *Call) *Mistake
	// Alloc replaces Kernel for ops whose result shapes depend on data: it calls
	// c.SetResult with tensors of c.Env.
	Alloc func(c *Call) *Mistake
	// View, if set, says from which element of operand 0's data on the result
	// lies; ok is false when this call needs the kernel.
	View func(c *Call) (offset int, ok bool)
	// InPlace: element i of the result depends only on element i of the operands
	// (after broadcasting), so a dying operand of that shape may become the result.
	InPlace bool
	Fuse    Fuse
	Effect  Effect
	// IntArgs are operands that may be Ints: shapes, axes, sizes.
	IntArgs Uses
	// Uses is what Grad reads.
	Uses Uses
	// Grad emits the gradients of the operands: sets g.DX.
	Grad func(g *Grad)
	// Forward, if set, returns the attributes to run with when a tape watches:
	// those of a call that also returns what its gradient needs.
	Forward func(c *Call) (attrs any, m *Mistake)
}

// NotDifferentiable is the Grad of an op whose results don't depend smoothly on
// its operands: gradients stop there.
func NotDifferentiable(*Grad) {}

// NoGradient is the Grad of an op that could have a gradient and has none in
// TensorFlow: asking for it is a LookupError.
func NoGradient(g *Grad) {
	g.Fail(&Mistake{Kind: NoGradientRegistered, Args: []any{g.Op.Name}})
}

var table struct {
	ops    []*Op
	byName map[string]*Op
	frozen bool
}

// NewOp adds an op to the table: TensorFlow's name, the Python parameters of its
// functions and the names that scripts call it by.
func NewOp(name, signature string, exports ...string) *Op {
	if table.frozen || table.byName[name] != nil {
		panic("tfs bug: op " + name + " is defined twice or too late")
	}
	op := &Op{Name: name, Signature: signature, Exports: exports, Def: defs()[name], index: len(table.ops)}
	if table.byName == nil {
		table.byName = map[string]*Op{}
	}
	table.ops = append(table.ops, op)
	table.byName[name] = op
	return op
}

// Define sets the rules of op, once.
func (op *Op) Define(r Rules) {
	if op.defined {
		panic("tfs bug: op " + op.Name + " is defined twice")
	}
	op.Rules, op.defined = r, true
	op.cuts = sameFunc(r.Grad, NotDifferentiable)
	op.gradOfInts = sameFunc(r.Grad, NoGradient)
}

func sameFunc(f, g func(*Grad)) bool {
	return f != nil && reflect.ValueOf(f).Pointer() == reflect.ValueOf(g).Pointer()
}

// CutsGradient reports an op behind which there is no gradient: tapes skip it.
func (op *Op) CutsGradient() bool { return op.cuts }

// GradOfInts reports an op whose missing gradient is an error, also if its result
// is an int or bool that was asked for itself.
func (op *Op) GradOfInts() bool { return op.gradOfInts }

// Freeze closes the table.
func Freeze() { table.frozen = true }

// Ops lists the table in order of definition.
func Ops() []*Op { return table.ops }

// FindOp finds an op by TensorFlow's name, nil if there is none.
func FindOp(name string) *Op { return table.byName[name] }

// NewAttrs returns a fresh attribute struct of the op, nil if it has none.
func (op *Op) NewAttrs() any {
	if op.Attrs == nil {
		return nil
	}
	return reflect.New(reflect.TypeOf(op.Attrs).Elem()).Interface()
}

// String is the op's name.
func (op *Op) String() string { return op.Name }

// A Value is an operand or result of an op.
type Value interface {
	DType() tensor.DType
	Shape() tensor.Shape
}

// Type is dtype and shape.
type Type struct {
	DT  tensor.DType
	Shp tensor.Shape
}

// TypeOf is the type of v.
func TypeOf(v Value) Type { return Type{v.DType(), v.Shape()} }

// DType and Shape make a Type a Value, for code that only asks for those.
func (t Type) DType() tensor.DType { return t.DT }

// Shape is the shape.
func (t Type) Shape() tensor.Shape { return t.Shp }

// String is like float32[2,?].
func (t Type) String() string {
	if !t.Shp.RankKnown() {
		return t.DT.Name() + "[...]"
	}
	return t.DT.Name() + t.Shp.Brackets()
}

// Ints is a list of integers (or one) where TensorFlow takes a small int tensor:
// a shape, axes, sizes. It runs without becoming a tensor.
type Ints struct {
	V      []int64
	DT     tensor.DType // Int32 or Int64
	Scalar bool
}

// IntList returns an int32 list; v is kept.
func IntList(v ...int64) *Ints { return &Ints{V: v, DT: tensor.Int32} }

// DimList is the dimensions as an int32 list.
func DimList(dims []int) *Ints {
	v := make([]int64, len(dims))
	for i, d := range dims {
		v[i] = int64(d)
	}
	return &Ints{V: v, DT: tensor.Int32}
}

// IntScalar returns one int32.
func IntScalar(v int64) *Ints { return &Ints{V: []int64{v}, DT: tensor.Int32, Scalar: true} }

// DType is the type of the tensor it stands for.
func (x *Ints) DType() tensor.DType { return x.DT }

// Shape is () or (n,).
func (x *Ints) Shape() tensor.Shape {
	if x.Scalar {
		return tensor.Scalar
	}
	return tensor.ShapeOf(len(x.V))
}

// Tensor makes an uncounted tensor of x.
func (x *Ints) Tensor() *tensor.Tensor {
	t := tensor.Make(x.DT, x.Shape())
	if x.DT == tensor.Int64 {
		copy(t.I64(), x.V)
		return t
	}
	for i, v := range x.V {
		t.I32()[i] = int32(v)
	}
	return t
}

// Poison is the result of ops after a mistake: it passes through everything.
type Poison struct{}

// DType of a poison value is invalid.
func (*Poison) DType() tensor.DType { return tensor.Invalid }

// Shape of a poison value is unknown.
func (*Poison) Shape() tensor.Shape { return tensor.UnknownShape }

var poison = &Poison{}

// ShortName is the last part of the first export: "tanh".
func (op *Op) ShortName() string {
	if len(op.Exports) == 0 {
		return op.Name
	}
	e := op.Exports[0]
	return e[strings.LastIndexByte(e, '.')+1:]
}
