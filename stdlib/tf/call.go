package tf

import (
	"fmt"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tracer"
)

// call reads the arguments of a function one by one and emits its ops; the first
// error stays, and what follows it does nothing.
type call struct {
	*bridge.State
	s   *ir.Session
	a   []lang.Value
	err error
}

func read(th *lang.Thread, a []lang.Value) *call {
	st := bridge.Of(th)
	return &call{State: st, s: st.At(), a: a}
}

// fn makes a native function of one whose result is a tensor.
func fn(f func(c *call) ir.Value) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		c := read(th, a)
		v := f(c)
		if c.err != nil {
			c.s.Err()
			return lang.Unbound, c.err
		}
		return c.Result(v)
	}
}

// listFn makes a native function of one whose result is a list of tensors.
func listFn(f func(c *call) []ir.Value) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		c := read(th, a)
		vs := f(c)
		if err := c.failed(); err != nil {
			return lang.Unbound, err
		}
		return lang.NewList(fromIR(vs)...), nil
	}
}

// objFn makes a native function of one whose result is any object.
func objFn(f func(c *call) lang.Value) lang.Native {
	return func(th *lang.Thread, a []lang.Value) (lang.Value, error) {
		c := read(th, a)
		v := f(c)
		return v, c.failed()
	}
}

// failed is the error of the arguments or of an op.
func (c *call) failed() error {
	if c.err != nil {
		c.s.Err()
		return c.err
	}
	return c.Err()
}

func fromIR(vs []ir.Value) []lang.Value {
	out := make([]lang.Value, len(vs))
	for i, v := range vs {
		out[i] = bridge.FromIR(v)
	}
	return out
}

// keep remembers the first error.
func (c *call) keep(err error) bool {
	if c.err == nil {
		c.err = err
	}
	return err == nil
}

// ok reports that nothing went wrong so far.
func (c *call) ok() bool { return c.err == nil && !c.s.Failed() }

func (c *call) valueError(format string, args ...any) ir.Value {
	c.keep(c.Th.ValueErrorf(format, args...))
	return nil
}

func (c *call) typeError(format string, args ...any) ir.Value {
	c.keep(c.Th.TypeErrorf(format, args...))
	return nil
}

// invalid fails with an InvalidArgumentError.
func (c *call) invalid(format string, args ...any) ir.Value {
	c.keep(c.Raise(bridge.InvalidArgumentError, format, args...))
	return nil
}

// has reports an argument that is there and not None.
func (c *call) has(i int) bool {
	return i < len(c.a) && !c.a[i].IsUnbound() && !c.a[i].IsNone()
}

// t is argument i as a tensor.
func (c *call) t(i int) ir.Value { return c.as(i, tensor.Invalid) }

// as is argument i as a tensor of dtype dt.
func (c *call) as(i int, dt tensor.DType) ir.Value { return c.convert(c.a[i], dt) }

func (c *call) convert(v lang.Value, dt tensor.DType) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	x, err := c.Convert(v, dt)
	if !c.keep(err) {
		return poisonValue
	}
	return x
}

// poisonValue stands for an argument that could not be read.
var poisonValue ir.Value = ir.IntScalar(0)

// hint is argument i with dtype dt if it can take it.
func (c *call) hint(i int, dt tensor.DType) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	x, err := c.Hint(c.a[i], dt)
	if !c.keep(err) {
		return poisonValue
	}
	return x
}

// adopt converts arguments that share a dtype (rule A16).
func (c *call) adopt(is ...int) []ir.Value {
	vs := make([]lang.Value, len(is))
	out := make([]ir.Value, len(is))
	for k, i := range is {
		vs[k], out[k] = c.a[i], poisonValue
	}
	if c.err != nil {
		return out
	}
	x, err := c.Adopt(vs...)
	if !c.keep(err) {
		return out
	}
	return x
}

// int is argument i as an int, def if it is absent.
func (c *call) int(i, def int) int {
	if !c.has(i) || c.err != nil {
		return def
	}
	n, err := lang.IndexInt(c.Th, c.a[i], lang.OverflowError)
	c.keep(err)
	return n
}

// float is argument i as a float, def if it is absent.
func (c *call) float(i int, def float64) float64 {
	if !c.has(i) || c.err != nil {
		return def
	}
	f, err := lang.FloatOf(c.Th, c.a[i])
	c.keep(err)
	return f
}

// flag is the truth of argument i; false if it is absent.
func (c *call) flag(i int) bool {
	if !c.has(i) || c.err != nil {
		return false
	}
	b, err := lang.Truth(c.Th, c.a[i])
	c.keep(err)
	return b
}

// str is argument i as text, def if it is absent.
func (c *call) str(i int, def string) string {
	if !c.has(i) || c.err != nil {
		return def
	}
	if s, ok := lang.AsStr(c.a[i]); ok {
		return s.String()
	}
	if b, ok := lang.BytesOf(c.a[i]); ok {
		return b
	}
	s, err := lang.StrOf(c.Th, c.a[i])
	c.keep(err)
	return s
}

// dtype is argument i as a dtype, def if it is absent.
func (c *call) dtype(i int, def tensor.DType) tensor.DType {
	if !c.has(i) || c.err != nil {
		return def
	}
	dt, err := c.AsDType(c.a[i])
	c.keep(err)
	return dt
}

// named gives the next op the name= in argument i, or def.
func (c *call) named(i int, def string) {
	c.s.Name = c.name(i, def)
}

// name is the name= in argument i, or def.
func (c *call) name(i int, def string) string {
	if !c.has(i) {
		return def
	}
	return c.str(i, def)
}

// ints is argument i as a shape, axis or size: Python ints stay ints, what holds
// tensors becomes an int32 tensor.
func (c *call) ints(i int) ir.Value { return c.intsOf(c.a[i]) }

func (c *call) intsOf(v lang.Value) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	if s, ok := bridge.IsShape(v); ok {
		if !s.Known() {
			c.keep(c.Th.ValueErrorf("Cannot convert a partially known TensorShape %s to a Tensor.", s.String()))
			return poisonValue
		}
		return ir.DimList(s.Dims())
	}
	if n, ok := pyInt(v); ok {
		return narrow(&ir.Ints{V: []int64{n}, DT: tensor.Int32, Scalar: true})
	}
	if l := c.intList(v); l != nil {
		return narrow(l)
	}
	if items, ok := lang.Sequence(v); ok && len(items) == 0 {
		return ir.IntList()
	}
	x := c.convert(v, tensor.Invalid)
	if c.ok() && bridge.HoldsTensor(v) && !x.DType().IsInteger() {
		return c.Cast(x, tensor.Int32) // a list that holds tensors is cast silently (rule A3)
	}
	return x
}

// intList reads a flat sequence of Python ints, nil if it is none.
func (c *call) intList(v lang.Value) *ir.Ints {
	items, ok := lang.Sequence(v)
	if !ok || len(items) == 0 {
		return nil
	}
	out := &ir.Ints{V: make([]int64, len(items)), DT: tensor.Int32}
	for k, it := range items {
		n, ok := pyInt(it.Value())
		if !ok {
			t, isTensor := bridge.AsTensor(it.Value())
			if !isTensor || t.Rank() != 0 || t.DType() != tensor.Int32 {
				return nil
			}
			n = int64(t.I32()[0])
		}
		out.V[k] = n
	}
	return out
}

// pyInt is the value of a Python int, not of a bool or a tensor.
func pyInt(v lang.Value) (int64, bool) {
	if v.IsBool() {
		return 0, false
	}
	return lang.AsInt(v)
}

// narrow makes ints that don't fit into 32 bits int64.
func narrow(l *ir.Ints) *ir.Ints {
	for _, n := range l.V {
		if n != int64(int32(n)) {
			l.DT = tensor.Int64
		}
	}
	return l
}

// list is argument i as a sequence of values.
func (c *call) list(i int) []lang.Value { return c.listOf(c.a[i]) }

func (c *call) listOf(v lang.Value) []lang.Value {
	if c.err != nil {
		return nil
	}
	if items, ok := lang.Sequence(v); ok {
		return lang.Values(items)
	}
	items, err := lang.ToSlice(c.Th, v)
	if !c.keep(err) {
		return nil
	}
	return lang.Values(items)
}

// dims is argument i as a list of ints known now.
func (c *call) dims(i int) []int {
	if c.err != nil {
		return nil
	}
	v, known := ir.KnownInts(c.ints(i))
	if !known && c.err == nil {
		c.typeError("expected a list of integers that is known here")
	}
	out := make([]int, len(v))
	for k, n := range v {
		out[k] = int(n)
	}
	return out
}

// constInt is the value of an int argument that may be a tensor; known is false
// for a symbol.
func (c *call) constInt(i int) (n int64, known bool) {
	v, ok := ir.KnownInts(c.ints(i))
	if !ok || len(v) != 1 {
		return 0, false
	}
	return v[0], true
}

// scalar is the number v as a constant of dtype dt.
func (c *call) scalar(dt tensor.DType, v float64) ir.Value { return c.s.Scalar(dt, v) }

// shapeOf is the shape of x as an operand: ints where it is known.
func (c *call) shapeOf(x ir.Value) ir.Value {
	if c.ok() && x.Shape().Known() {
		return ir.DimList(x.Shape().Dims())
	}
	return c.s.Emit1(ops.Shape, &ops.ShapeAttrs{}, x)
}

// op1, op2 and op emit.
func (c *call) op1(op *ir.Op, attrs any, x ir.Value) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	return c.s.Emit1(op, attrs, x)
}

func (c *call) op2(op *ir.Op, attrs any, x, y ir.Value) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	return c.s.Emit2(op, attrs, x, y)
}

func (c *call) op(op *ir.Op, attrs any, in ...ir.Value) ir.Value {
	if c.err != nil {
		return poisonValue
	}
	return c.s.EmitN(op, attrs, in...)
}

func (c *call) all(op *ir.Op, attrs any, in ...ir.Value) []ir.Value {
	if c.err != nil {
		return nil
	}
	return c.s.EmitAll(op, attrs, in...)
}

// warn writes a warning as TensorFlow's logger does.
func (c *call) warn(format string, args ...any) {
	tracer.Of(c.Th).Log("WARNING", fmt.Sprintf(format, args...))
}
