package ops

import (
	"errors"
	"unsafe"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// elems is t's elements as the typed slice that package kernel takes.
func elems(t *tensor.Tensor) any {
	switch t.DType() {
	case tensor.Float32:
		return t.F32()
	case tensor.Float64:
		return t.F64()
	case tensor.Int32:
		return t.I32()
	case tensor.Int64:
		return t.I64()
	case tensor.Bool:
		return t.Bools()
	case tensor.Int8:
		return tensor.Data[int8](t)
	case tensor.Int16:
		return tensor.Data[int16](t)
	case tensor.Uint8:
		return tensor.Data[uint8](t)
	case tensor.Uint16:
		return tensor.Data[uint16](t)
	case tensor.Uint32:
		return tensor.Data[uint32](t)
	case tensor.Uint64:
		return tensor.Data[uint64](t)
	case tensor.Float16:
		return raw[kernel.Float16](t)
	case tensor.BFloat16:
		return raw[kernel.BFloat16](t)
	case tensor.Complex64:
		return tensor.Data[complex64](t)
	case tensor.Complex128:
		return tensor.Data[complex128](t)
	}
	return nil
}

// raw reads t's elements as a type of the same width, for moving them and for
// the kernels' own names of the halves.
func raw[T any](t *tensor.Tensor) []T {
	b := t.Bytes()
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), t.Len())
}

// wide is an element of 16 bytes.
type wide [2]uint64

// unsupported is the error for a dtype that the definition allows and no kernel takes.
func unsupported(c *ir.Call) *ir.Mistake {
	dt := tensor.Invalid
	if len(c.In) > 0 {
		dt = c.DType(0)
	}
	return ir.Wrong("NotFoundError", "Could not find device for node: {{node %s}} = %s[T=%s]\nAll kernels registered for op %s:\n  <no registered kernels>\n",
		c.Op.Name, c.Op.Name, dt.EnumName(), c.Op.Name)
}

// mistake turns a kernel's error into one of the script.
func mistake(c *ir.Call, err error) *ir.Mistake {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kernel.ErrNoKernel):
		return unsupported(c)
	}
	return ir.Invalid("%s", err.Error())
}

// unary runs an element-wise function.
func unary(op kernel.UnaryOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, o := c.T(0), c.O(0)
		switch x.DType() {
		case tensor.Float32:
			if kernel.Unary(op, o.F32(), x.F32()) {
				return nil
			}
		case tensor.Float64:
			if kernel.Unary(op, o.F64(), x.F64()) {
				return nil
			}
		default:
			return mistake(c, kernel.UnaryAny(op, elems(o), elems(x)))
		}
		return unsupported(c)
	}
}

// binary runs an element-wise function of two operands with broadcasting.
func binary(op kernel.BinaryOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, y, o := c.T(0), c.T(1), c.O(0)
		if !flat(x, y, o) {
			return binaryPlanned(op, c)
		}
		switch x.DType() {
		case tensor.Float32:
			return mistake(c, kernel.Binary(op, o.F32(), x.F32(), y.F32(), nil))
		case tensor.Float64:
			return mistake(c, kernel.Binary(op, o.F64(), x.F64(), y.F64(), nil))
		}
		return mistake(c, kernel.BinaryAny(op, elems(o), elems(x), elems(y), nil))
	}
}

// flat reports operands of the result's length or of one element, which need no plan.
func flat(x, y, o *tensor.Tensor) bool {
	n := o.Len()
	return (x.Len() == n || x.Len() == 1) && (y.Len() == n || y.Len() == 1)
}

//go:noinline
func binaryPlanned(op kernel.BinaryOp, c *ir.Call) *ir.Mistake {
	x, y, o := c.T(0), c.T(1), c.O(0)
	p, ok := kernel.Broadcast(o.Dims(), x.Dims(), y.Dims())
	if !ok {
		return tooManyDims()
	}
	if x.DType() == tensor.Float32 {
		return mistake(c, kernel.Binary(op, o.F32(), x.F32(), y.F32(), &p))
	}
	return mistake(c, kernel.BinaryAny(op, elems(o), elems(x), elems(y), &p))
}

func tooManyDims() *ir.Mistake {
	return ir.Wrong("UnimplementedError", "Broadcast between operands of more than 16 dimensions is not supported")
}

// planOf is the plan for x and y, nil when none is needed.
func planOf(x, y, o *tensor.Tensor) (*kernel.Plan, *ir.Mistake) {
	if flat(x, y, o) {
		return nil, nil
	}
	p, ok := kernel.Broadcast(o.Dims(), x.Dims(), y.Dims())
	if !ok {
		return nil, tooManyDims()
	}
	return &p, nil
}

// compare runs a comparison.
func compare(op kernel.CompareOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		x, y, o := c.T(0), c.T(1), c.O(0)
		p, m := planOf(x, y, o)
		if m != nil {
			return m
		}
		switch x.DType() {
		case tensor.Float32:
			kernel.Compare(op, o.Bools(), x.F32(), y.F32(), p)
			return nil
		case tensor.Int32:
			kernel.Compare(op, o.Bools(), x.I32(), y.I32(), p)
			return nil
		case tensor.String:
			return compareStrings(op, o, x, y)
		}
		return mistake(c, kernel.CompareAny(op, o.Bools(), elems(x), elems(y), p))
	}
}

// compareStrings compares for equality only; operands broadcast.
func compareStrings(op kernel.CompareOp, o, x, y *tensor.Tensor) *ir.Mistake {
	ix, iy := spread(x, o.Dims()), spread(y, o.Dims())
	out := o.Bools()
	for i := range out {
		out[i] = (string(x.Str(int(ix[i]))) == string(y.Str(int(iy[i])))) == (op == kernel.Equal)
	}
	return nil
}

// spread lists, for each element of the shape dims, the element of t that
// broadcasts to it.
func spread(t *tensor.Tensor, dims []int) []int64 {
	out := make([]int64, prod(dims))
	src := make([]int64, t.Len())
	kernel.Iota(src, 0, 1)
	st := make([]int, len(dims))
	kernel.BroadcastStrides(st, t.Dims(), dims)
	kernel.CopyND(out, kernel.Dense(dims), src, kernel.Strided{Stride: st}, dims)
	return out
}

// move copies elements of any dtype from one view to another; strings through
// their positions.
func move(o *tensor.Tensor, to kernel.Strided, x *tensor.Tensor, from kernel.Strided, shape []int) {
	switch x.DType().Size() {
	case 1:
		kernel.CopyND(raw[uint8](o), to, raw[uint8](x), from, shape)
	case 2:
		kernel.CopyND(raw[uint16](o), to, raw[uint16](x), from, shape)
	case 4:
		kernel.CopyND(raw[uint32](o), to, raw[uint32](x), from, shape)
	case 8:
		kernel.CopyND(raw[uint64](o), to, raw[uint64](x), from, shape)
	case 16:
		kernel.CopyND(raw[wide](o), to, raw[wide](x), from, shape)
	}
}

// moved is the rule of an op that only rearranges operand 0: numeric results are
// placed, strings are rebuilt. view gives the source view for the result's shape.
func moved(view func(c *ir.Call) (from kernel.Strided, m *ir.Mistake)) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		from, m := view(c)
		if m != nil {
			return m
		}
		x, dims := c.T(0), c.OutType(0).Shp.Dims()
		if x.DType() == tensor.String {
			return movedStrings(c, x, from, dims)
		}
		o, m := newOut(c, 0)
		if m != nil {
			return m
		}
		move(o, kernel.Dense(dims), x, from, dims)
		return nil
	}
}

func movedStrings(c *ir.Call, x *tensor.Tensor, from kernel.Strided, dims []int) *ir.Mistake {
	src, idx := make([]int64, x.Len()), make([]int64, prod(dims))
	kernel.Iota(src, 0, 1)
	kernel.CopyND(idx, kernel.Dense(dims), src, from, dims)
	return pickStrings(c, 0, x, idx, c.OutType(0).Shp)
}

// pickStrings makes result i of the elements idx of x; -1 is the empty string.
func pickStrings(c *ir.Call, i int, x *tensor.Tensor, idx []int64, s tensor.Shape) *ir.Mistake {
	var b tensor.StringBuilder
	b.Grow(len(idx))
	for _, k := range idx {
		if k < 0 {
			b.Add("")
		} else {
			b.AddBytes(x.Str(int(k)))
		}
	}
	return setStrings(c, i, &b, s)
}

func setStrings(c *ir.Call, i int, b *tensor.StringBuilder, s tensor.Shape) *ir.Mistake {
	t, err := c.Env.Alloc.Strings(b, s)
	if err != nil {
		return ir.Raise(err)
	}
	c.SetResult(i, t)
	return nil
}

// newOut places result i inside an Alloc kernel, with the inferred type.
func newOut(c *ir.Call, i int) (*tensor.Tensor, *ir.Mistake) {
	return newResult(c, i, c.OutType(i).DT, c.OutType(i).Shp)
}

func newResult(c *ir.Call, i int, dt tensor.DType, s tensor.Shape) (*tensor.Tensor, *ir.Mistake) {
	t, err := c.Env.Alloc.New(dt, s)
	if err != nil {
		return nil, ir.Raise(err)
	}
	c.SetResult(i, t)
	return t, nil
}
