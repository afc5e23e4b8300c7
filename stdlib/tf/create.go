package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// createRows are the functions that make tensors of other values.
var createRows = []row{
	{names: "tf.constant", sig: "constant(value, dtype=None, shape=None, name='Const')", fn: fn(constantFn)},
	{names: "tf.convert_to_tensor", sig: "convert_to_tensor(value, dtype=None, dtype_hint=None, name=None)", fn: fn(convertFn)},
	{names: "tf.zeros", sig: "zeros(shape, dtype=..., name=None, layout=None)", fn: fn(func(c *call) ir.Value { return filled(c, "zeros", 0) })},
	{names: "tf.ones", sig: "ones(shape, dtype=..., name=None, layout=None)", fn: fn(func(c *call) ir.Value { return filled(c, "ones", 1) })},
	{names: "tf.fill", sig: "fill(dims, value, name=None)", fn: fn(fillFn)},
	{names: "tf.zeros_like", sig: "zeros_like(input, dtype=None, name=None, layout=None)", fn: fn(func(c *call) ir.Value { return like(c, "zeros_like", 0) })},
	{names: "tf.ones_like", sig: "ones_like(input, dtype=None, name=None, layout=None)", fn: fn(func(c *call) ir.Value { return like(c, "ones_like", 1) })},
	{names: "tf.range", sig: "range(start, limit=None, delta=1, dtype=None, name='range')", fn: fn(rangeFn)},
	{names: "tf.eye tf.linalg.eye", sig: "eye(num_rows, num_columns=None, batch_shape=None, dtype=..., name=None)", fn: fn(eyeFn)},
	{names: "tf.one_hot", sig: "one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None)", fn: fn(oneHotFn)},
	{names: "tf.identity", sig: "identity(input, name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		c.named(1, "")
		return c.op1(ops.Identity, nil, x)
	})},
	{names: "tf.stop_gradient", sig: "stop_gradient(input, name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		c.named(1, "")
		return c.op1(ops.StopGradient, nil, x)
	})},
	{names: "tf.is_tensor tf.is_symbolic_tensor_or_eager", sig: "is_tensor(x)", fn: objFn(func(c *call) lang.Value { return lang.Bool(tensorLike(c.a[0])) })},
	{names: "tf.is_symbolic_tensor", sig: "is_symbolic_tensor(tensor)", fn: objFn(func(c *call) lang.Value {
		_, ok := bridge.AsSym(c.a[0])
		return lang.Bool(ok)
	})},
	{names: "tf.get_static_value", sig: "get_static_value(tensor, partial=False)", fn: objFn(staticValue)},
	{names: "tf.identity_n", sig: "identity_n(input, name=None)", fn: listFn(func(c *call) []ir.Value {
		var xs []ir.Value
		for _, v := range c.list(0) {
			xs = append(xs, c.convert(v, tensor.Invalid))
		}
		return c.all(ops.CustomGradient, &ops.CustomAttrs{}, xs...)
	})},
}

func tensorLike(v lang.Value) bool {
	if bridge.IsTensor(v) {
		return true
	}
	if _, ok := bridge.AsVariable(v); ok {
		return true
	}
	_, ok := bridge.AsSlices(v)
	return ok
}

// staticValue is the value of a constant: None for a symbol that is none.
func staticValue(c *call) lang.Value {
	if t, ok := bridge.AsTensor(c.a[0]); ok {
		v, err := c.NumPy(t)
		c.keep(err)
		return v
	}
	if s, ok := bridge.AsSym(c.a[0]); ok {
		if t, ok := constantOf(s); ok {
			v, err := c.NumPy(t)
			c.keep(err)
			return v
		}
		return lang.None
	}
	if _, ok := bridge.AsVariable(c.a[0]); ok {
		return lang.None
	}
	return c.a[0]
}

// constantOf is the value of a Const node, or of a symbol whose ints are known.
func constantOf(s *ir.Sym) (*tensor.Tensor, bool) {
	if t := s.Exact; t != nil {
		return t, true
	}
	if s.Known == nil {
		return nil, false
	}
	for _, n := range s.Known {
		if n < 0 {
			return nil, false
		}
	}
	l := &ir.Ints{V: s.Known, DT: s.DT, Scalar: s.Shp.Rank() == 0}
	return l.Tensor(), true
}

// constantFn is tf.constant (rules A1 to A8, A10).
func constantFn(c *call) ir.Value {
	dt := c.dtype(1, tensor.Invalid)
	if c.err != nil {
		return nil
	}
	v := c.a[0]
	if bridge.IsTensor(v) {
		return tensorConstant(c, v, dt)
	}
	if bridge.HoldsTensor(v) {
		if c.Tracing() {
			return c.typeError("Expected any non-tensor type, but got a tensor instead.")
		}
		return c.valueError("TypeError: Scalar tensor has no `len()`\n")
	}
	if c.Tracing() {
		c.s.Name = c.name(3, "Const")
	}
	x := c.convert(v, dt)
	if !c.has(2) || !c.ok() {
		return x
	}
	return shaped(c, x)
}

// tensorConstant is tf.constant of what is a tensor already.
func tensorConstant(c *call, v lang.Value, dt tensor.DType) ir.Value {
	x, _ := bridge.AsIR(v)
	if c.Tracing() {
		if dt == tensor.Invalid {
			return c.typeError("Expected any non-tensor type, but got a tensor instead.")
		}
		text, err := lang.StrOf(c.Th, v)
		c.keep(err)
		return c.typeError("Expected %s, but got %s of type '%s'.", dt.Name(), text, lang.TypeName(v))
	}
	if dt != tensor.Invalid && dt != x.DType() {
		text, err := lang.Format(c.Th, v, "")
		c.keep(err)
		return c.typeError("Expected tensor %s with dtype tf.%s, but got dtype tf.%s.", text, dt.Name(), x.DType().Name())
	}
	if c.has(2) {
		return shaped(c, x)
	}
	return x
}

// shaped is tf.constant with shape=: one element fills, as many as fit are reshaped.
func shaped(c *call, x ir.Value) ir.Value {
	shape, err := c.AsShape(c.a[2])
	if !c.keep(err) || !c.ok() {
		return nil
	}
	n, want := x.Shape().NumElements(), shape.NumElements()
	switch {
	case x.Shape() == shape:
		return x
	case n == want:
		return c.op2(ops.Reshape, nil, x, ir.DimList(shape.Dims()))
	case n == 1:
		return c.op2(ops.Fill, nil, ir.DimList(shape.Dims()), c.op2(ops.Reshape, nil, x, ir.IntList()))
	case c.Tracing():
		return c.typeError("Expected Tensor's shape: %s, but got %s.", shape.String(), x.Shape().String())
	}
	text, err := lang.Format(c.Th, bridge.FromIR(x), "")
	c.keep(err)
	value, err := lang.StrOf(c.Th, c.a[0])
	c.keep(err)
	return c.typeError("Eager execution of tf.constant with unsupported shape. Tensor %s (converted from %s) has %d elements, but got `shape` %s with %d elements).",
		text, value, n, shape.String(), want)
}

// convertFn is tf.convert_to_tensor.
func convertFn(c *call) ir.Value {
	dt := c.dtype(1, tensor.Invalid)
	if dt == tensor.Invalid && c.has(2) {
		if hint := c.dtype(2, tensor.Invalid); c.err == nil {
			return c.hint(0, hint)
		}
	}
	if c.Tracing() && c.has(3) {
		c.named(3, "")
	}
	return c.as(0, dt)
}

// filled is tf.zeros and tf.ones.
func filled(c *call, name string, v float64) ir.Value {
	dt := c.dtype(1, tensor.Float32)
	return c.filled(shapeArg(c, 0), dt, c.name(2, name), v)
}

// filled is a tensor of one number; of dtype string, of empty strings.
func (c *call) filled(dims ir.Value, dt tensor.DType, name string, v float64) ir.Value {
	if !c.ok() {
		return nil
	}
	if l, ok := dims.(*ir.Ints); ok && c.Tracing() && dt.IsNumeric() {
		if t := c.small(l, dt, v); t != nil {
			c.s.Name = name
			return c.s.Const(t)
		}
	}
	var one ir.Value
	if dt == tensor.String {
		one = c.s.Const(tensor.FromStrings([]string{""}))
	} else {
		one = c.scalar(dt, v)
	}
	if c.Tracing() {
		c.s.Name = name
	}
	return c.op2(ops.Fill, nil, dims, one)
}

// maxFilledConst is the number of elements from which on a graph holds the shape and
// not the elements of zeros and ones.
const maxFilledConst = 1000

// small is the tensor of the given dimensions filled with v, nil for a large one.
func (c *call) small(dims *ir.Ints, dt tensor.DType, v float64) *tensor.Tensor {
	n := int64(1)
	shape := make([]int, len(dims.V))
	for i, d := range dims.V {
		if d < 0 || d >= maxFilledConst || n*d >= maxFilledConst {
			return nil
		}
		n, shape[i] = n*d, int(d)
	}
	t, err := c.X.Zeros(dt, tensor.ShapeOf(shape...))
	if err != nil {
		return nil
	}
	for i := range int(n) {
		bridge.StoreNumber(t, i, int64(v))
	}
	return t
}

// shapeArg is a shape argument, where a bare int is a vector's length.
func shapeArg(c *call, i int) ir.Value {
	x := c.ints(i)
	if l, ok := x.(*ir.Ints); ok && l.Scalar {
		return &ir.Ints{V: l.V, DT: l.DT}
	}
	if c.ok() && x.Shape().Rank() == 0 {
		return c.op2(ops.Reshape, nil, x, ir.IntList(1))
	}
	if c.ok() && !x.DType().IsInteger() {
		return c.Cast(x, tensor.Int32)
	}
	return x
}

func fillFn(c *call) ir.Value {
	x, dims := c.t(1), c.ints(0)
	c.named(2, "")
	return c.op2(ops.Fill, nil, dims, x)
}

// like is tf.zeros_like and tf.ones_like.
func like(c *call, name string, v float64) ir.Value {
	x := c.t(0)
	if c.err != nil {
		return nil
	}
	dt := c.dtype(1, x.DType())
	if dt == x.DType() && dt != tensor.String {
		op := ops.ZerosLike
		if v == 1 {
			op = ops.OnesLike
		}
		if c.Tracing() {
			c.s.Name = c.name(2, name)
		}
		return c.op1(op, nil, x)
	}
	return c.filled(c.shapeOf(x), dt, c.name(2, name), v)
}

// rangeTypes orders the dtypes of tf.range's arguments.
var rangeTypes = []tensor.DType{tensor.Int8, tensor.Uint8, tensor.Int16, tensor.Uint16, tensor.Int32, tensor.Uint32, tensor.Int64, tensor.Uint64,
	tensor.Float16, tensor.BFloat16, tensor.Float32, tensor.Float64}

func rangeFn(c *call) ir.Value {
	start, limit := lang.Int(0), c.a[0]
	if c.has(1) {
		start, limit = c.a[0], c.a[1]
	}
	dt := c.dtype(3, tensor.Invalid)
	var in [3]ir.Value
	best := 0
	for i, v := range []lang.Value{start, limit, c.a[2]} {
		in[i] = rangeBound(c, v, dt)
		for k, t := range rangeTypes {
			if c.ok() && in[i].DType() == t {
				best = max(best, k)
			}
		}
	}
	if !c.ok() {
		return nil
	}
	if dt == tensor.Invalid {
		dt = rangeTypes[best]
	}
	for i, x := range in {
		if x.DType() == dt {
			continue
		}
		if l, ok := x.(*ir.Ints); ok && (dt == tensor.Int64 || dt == tensor.Int32) {
			in[i] = &ir.Ints{V: l.V, DT: dt, Scalar: true}
			continue
		} else if ok {
			x = c.s.Const(l.Tensor())
		}
		in[i] = c.Cast(x, dt)
	}
	if c.Tracing() {
		c.s.Name = c.name(4, "range")
	}
	return c.op(ops.Range, nil, in[:]...)
}

func rangeBound(c *call, v lang.Value, dt tensor.DType) ir.Value {
	if n, ok := pyInt(v); ok && (dt == tensor.Invalid || dt == tensor.Int32 || dt == tensor.Int64) {
		l := narrow(&ir.Ints{V: []int64{n}, DT: tensor.Int32, Scalar: true})
		if dt != tensor.Invalid {
			l.DT = dt
		}
		return l
	}
	if bridge.IsTensor(v) {
		return c.convert(v, tensor.Invalid)
	}
	return c.convert(v, dt)
}

// eyeFn compares row and column numbers.
func eyeFn(c *call) ir.Value {
	dt := c.dtype(3, tensor.Float32)
	n := c.ints(0)
	m := n
	if c.has(1) {
		m = c.ints(1)
	}
	rows := c.op(ops.Range, nil, ir.IntScalar(0), n, ir.IntScalar(1))
	cols := c.op(ops.Range, nil, ir.IntScalar(0), m, ir.IntScalar(1))
	x := c.op2(ops.Equal, nil, c.op2(ops.ExpandDims, nil, rows, ir.IntScalar(-1)), cols)
	if !c.ok() {
		return nil
	}
	x = c.Cast(x, dt)
	if !c.has(2) {
		return x
	}
	batch := c.ints(2)
	size := c.Concat([]ir.Value{c.tensorOf(batch), c.op1(ops.Shape, &ops.ShapeAttrs{}, x)}, 0)
	return c.op2(ops.BroadcastTo, nil, x, size)
}

// tensorOf makes ints a tensor, for ops that don't take them as they are.
func (c *call) tensorOf(x ir.Value) ir.Value {
	if l, ok := x.(*ir.Ints); ok {
		return c.s.Const(l.Tensor())
	}
	return x
}

func oneHotFn(c *call) ir.Value {
	dt := c.dtype(5, tensor.Invalid)
	on, off := onOff(c, 2, &dt), onOff(c, 3, &dt)
	if !c.ok() {
		return nil
	}
	if on != nil && off != nil && on.DType() != off.DType() {
		return c.typeError("dtype <dtype: '%s'> of on_value does not match dtype <dtype: '%s'> of off_value", on.DType().Name(), off.DType().Name())
	}
	if dt == tensor.Invalid {
		dt = tensor.Float32
	}
	if on == nil {
		on = c.scalar(dt, 1)
	}
	if off == nil {
		off = c.scalar(dt, 0)
	}
	idx, depth := c.t(0), c.ints(1)
	if c.Tracing() {
		c.s.Name = c.name(6, "one_hot")
	}
	return c.op(ops.OneHot, &ops.OneHotAttrs{Axis: c.int(4, -1)}, idx, depth, on, off)
}

// onOff reads on_value or off_value, whose dtype becomes that of the result.
func onOff(c *call, i int, dt *tensor.DType) ir.Value {
	if !c.has(i) {
		return nil
	}
	x := c.hint(i, *dt)
	if c.err != nil {
		return nil
	}
	name := []string{"on_value", "off_value"}[i-2]
	if *dt != tensor.Invalid && x.DType() != *dt {
		return c.typeError("dtype <dtype: '%s'> of %s does not match dtype parameter <dtype: '%s'>", x.DType().Name(), name, dt.Name())
	}
	*dt = x.DType()
	return x
}
