package ir

import (
	"io"

	"github.com/tfs-lang/tfs/tensor"
)

// Call is one op application in flight. It lives in a frame of a Session; what
// it points to is borrowed until Emit returns.
type Call struct {
	Op    *Op
	Attrs any // pointer to the op's attribute struct, often built once at the call site
	In    []Value
	Out   []Value // the results, filled by the emitter
	// Dying is the set of operands whose caller gives up its one reference: on
	// success the emitter drops it or makes the operand the result. On an error
	// the references stay the caller's.
	Dying uint32
	// Lent is the set of dying operands that the caller drops itself after a success,
	// unless one became the result: the VM does so for its slots.
	Lent uint32
	// Donated is the set of operands whose references a graph that ran took over.
	Donated uint64
	Site    uint32 // script position
	Name    string // the script's name= argument, or the name of the op in a graph
	Env     *Env
	// State is the counter of an op with effect Random; the emitter sets it.
	State *RandomState

	like   int // result has the type of this operand; -1: see types
	nout   int
	types  []Type
	inBuf  []Value // room that is used again
	outBuf []Value
	typBuf []Type
}

// CallerDrops is how far Session.Op1 and Op2 shift the bits of Call.Lent in their
// mask of dying operands.
const CallerDrops = 16

// Env is what kernels may use besides their operands.
type Env struct {
	Alloc *tensor.Allocator
	// Stderr takes what tf.print writes by default.
	Stderr, Stdout io.Writer
	// Stop reports that the run was cancelled; long kernels may ask.
	Stop func() bool
}

// RandomState is how far an op has drawn from its stream, in blocks of Philox.
type RandomState struct {
	Pos   uint64
	Epoch uint64 // of the global seed that the position belongs to
}

// N is the number of operands.
func (c *Call) N() int { return len(c.In) }

// T is operand i as a tensor; only where operands run now.
func (c *Call) T(i int) *tensor.Tensor { return c.In[i].(*tensor.Tensor) }

// O is result i as a tensor, inside a kernel.
func (c *Call) O(i int) *tensor.Tensor { return c.Out[i].(*tensor.Tensor) }

// DType is the dtype of operand i.
func (c *Call) DType(i int) tensor.DType { return c.In[i].DType() }

// Shape is the shape of operand i, partly known while tracing.
func (c *Call) Shape(i int) tensor.Shape { return c.In[i].Shape() }

// SetLike says that the one result has operand i's dtype and shape.
func (c *Call) SetLike(i int) *Mistake {
	c.like, c.nout = i, 1
	return nil
}

// SetOut adds a result type.
func (c *Call) SetOut(dt tensor.DType, s tensor.Shape) *Mistake {
	if c.nout == 0 {
		c.like, c.types = -1, c.typBuf[:0]
	}
	c.types = append(c.types, Type{dt, s})
	c.typBuf = c.types
	c.nout++
	return nil
}

// NoOut says that the op has no results.
func (c *Call) NoOut() *Mistake {
	c.nout, c.like, c.types = 0, -1, nil
	return nil
}

// NumOut is the number of results, after Infer.
func (c *Call) NumOut() int { return c.nout }

// Like is the operand whose type the result has, -1 if types were given.
func (c *Call) Like() int {
	if c.nout == 1 {
		return c.like
	}
	return -1
}

// OutType is the type of result i, after Infer.
func (c *Call) OutType(i int) Type {
	if c.nout == 1 && c.like >= 0 {
		return TypeOf(c.In[c.like])
	}
	return c.types[i]
}

// SetResult is for Alloc kernels: result i, whose one reference passes on.
func (c *Call) SetResult(i int, v Value) { c.Out[i] = v }

// Check applies the dtype rules of the op's definition and infers the results.
func (c *Call) Check() *Mistake {
	c.nout, c.like = 0, -1
	if c.Op.Def != nil {
		if m := c.Op.checkDTypes(c); m != nil {
			return m
		}
	}
	return c.Infer()
}

// Infer finds the result types without the dtype rules: for calls whose operands
// are known to obey them.
func (c *Call) Infer() *Mistake {
	c.nout, c.like = 0, -1
	m := c.Op.Infer(c)
	if m != nil {
		return m
	}
	c.room()
	return nil
}

// SetTypes gives the result types without inferring. ts is borrowed.
func (c *Call) SetTypes(ts []Type) {
	c.nout, c.like, c.types = len(ts), -1, ts
	c.room()
}

// room makes Out as long as there are results.
func (c *Call) room() {
	for len(c.outBuf) < c.nout {
		c.outBuf = append(c.outBuf, nil)
	}
	c.Out = c.outBuf[:c.nout]
}

// Fill prepares a call outside a Session's frames: n operands, which the caller
// sets in the returned slice.
func (c *Call) Fill(op *Op, attrs any, n int) []Value {
	c.Op, c.Attrs, c.Donated = op, attrs, 0
	for len(c.inBuf) < n {
		c.inBuf = append(c.inBuf, nil)
	}
	c.In = c.inBuf[:n]
	return c.In
}

// Clear forgets the values of the call, so that it keeps nothing alive.
func (c *Call) Clear() {
	if len(c.In) == 2 && len(c.Out) == 1 {
		c.inBuf[0], c.inBuf[1], c.outBuf[0] = nil, nil, nil
	} else {
		clear(c.inBuf[:min(len(c.In), len(c.inBuf))])
		clear(c.outBuf[:min(len(c.Out), len(c.outBuf))])
	}
	c.In, c.Out, c.Attrs, c.State, c.types = nil, nil, nil, nil, nil
}

// Ints is the value of an int operand of rank 0 or 1: known is false while
// tracing if nothing is known of it, and elements that aren't known are -1 (see
// IntsExact). The result is borrowed.
func (c *Call) Ints(i int) (v []int64, known bool) { return KnownInts(c.In[i]) }

// IntsExact is Ints where every element is known.
func (c *Call) IntsExact(i int) (v []int64, known bool) {
	if s, ok := c.In[i].(*Sym); ok {
		if s.Exact == nil {
			return nil, false
		}
		return KnownInts(s.Exact)
	}
	return KnownInts(c.In[i])
}

// Int is the value of an int operand of one element.
func (c *Call) Int(i int) (v int64, known bool) {
	l, ok := c.IntsExact(i)
	if !ok || len(l) != 1 {
		return 0, false
	}
	return l[0], true
}

// Const is the value of operand i if it is known now.
func (c *Call) Const(i int) (*tensor.Tensor, bool) {
	switch v := c.In[i].(type) {
	case *tensor.Tensor:
		return v, true
	case *Ints:
		return v.Tensor(), true
	case *Sym:
		return v.Exact, v.Exact != nil
	}
	return nil, false
}

// KnownInts reads an int value of rank 0 or 1 as far as it is known.
func KnownInts(x Value) (v []int64, known bool) {
	switch x := x.(type) {
	case *Ints:
		return x.V, true
	case *Sym:
		return x.Known, x.Known != nil
	case *tensor.Tensor:
		return tensorInts(x)
	}
	return nil, false
}

func tensorInts(t *tensor.Tensor) ([]int64, bool) {
	if t.DType() == tensor.Int64 {
		return t.I64(), true
	}
	out := make([]int64, t.Len())
	switch t.DType() {
	case tensor.Int32:
		widen(out, t.I32())
	case tensor.Int16:
		widen(out, tensor.Data[int16](t))
	case tensor.Int8:
		widen(out, tensor.Data[int8](t))
	case tensor.Uint8:
		widen(out, tensor.Data[uint8](t))
	case tensor.Uint16:
		widen(out, tensor.Data[uint16](t))
	case tensor.Uint32:
		widen(out, tensor.Data[uint32](t))
	case tensor.Uint64:
		widen(out, tensor.Data[uint64](t))
	default:
		return nil, false
	}
	return out, true
}

func widen[T int8 | int16 | int32 | uint8 | uint16 | uint32 | uint64](out []int64, in []T) {
	for i, v := range in {
		out[i] = int64(v)
	}
}

// ShapeArg reads operand i as a shape: unknown rank if its length isn't known.
func (c *Call) ShapeArg(i int) tensor.Shape {
	if v, ok := c.Ints(i); ok {
		return shapeFrom(v)
	}
	if n := c.Shape(i).Dim(0); n >= 0 && c.Shape(i).Rank() == 1 {
		return tensor.UnknownDims(n)
	}
	return tensor.UnknownShape
}

func shapeFrom(v []int64) tensor.Shape {
	var buf [12]int
	d := buf[:0]
	for _, x := range v {
		d = append(d, int(x))
	}
	return tensor.ShapeOf(d...)
}

// SetOutOr adds a result type unless there is a mistake.
func (c *Call) SetOutOr(dt tensor.DType, s tensor.Shape, m *Mistake) *Mistake {
	if m != nil {
		return m
	}
	return c.SetOut(dt, s)
}
