package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// arrayRows are the functions that move elements around.
var arrayRows = []row{
	{names: "tf.shape", sig: "shape(input, out_type=..., name=None)", fn: fn(shapeFn)},
	{names: "tf.size", sig: "size(input, out_type=..., name=None)", fn: fn(sizeFn)},
	{names: "tf.rank", sig: "rank(input, name=None)", fn: fn(rankFn)},
	{names: "tf.reshape", sig: "reshape(tensor, shape, name=None)", fn: withInts(ops.Reshape, 2)},
	{names: "tf.expand_dims", sig: "expand_dims(input, axis, name=None)", fn: withInts(ops.ExpandDims, 2)},
	{names: "tf.squeeze", sig: "squeeze(input, axis=None, name=None)", fn: fn(squeezeFn)},
	{names: "tf.transpose", sig: "transpose(a, perm=None, conjugate=False, name='transpose')", fn: fn(transposeFn)},
	{names: "tf.linalg.matrix_transpose", sig: "matrix_transpose(a, name='matrix_transpose', conjugate=False)", fn: fn(matrixTransposeFn)},
	{names: "tf.broadcast_to", sig: "broadcast_to(input, shape, name=None)", fn: withInts(ops.BroadcastTo, 2)},
	{names: "tf.ensure_shape", sig: "ensure_shape(x, shape, name=None)", fn: fn(ensureShapeFn)},
	{names: "tf.tile", sig: "tile(input, multiples, name=None)", fn: withInts(ops.Tile, 2)},
	{names: "tf.slice", sig: "slice(input_, begin, size, name=None)", fn: withInts(ops.Slice, 3)},
	{names: "tf.roll", sig: "roll(input, shift, axis, name=None)", fn: fn(rollFn)},
	{names: "tf.reverse", sig: "reverse(tensor, axis, name=None)", fn: fn(func(c *call) ir.Value {
		x, axis := c.t(0), shapeArg(c, 1)
		c.named(2, "")
		return c.op2(ops.ReverseV2, nil, x, axis)
	})},
	{names: "tf.strided_slice", sig: "strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0, var=None, name=None)",
		fn: fn(stridedSliceFn)},
	{names: "tf.pad", sig: "pad(tensor, paddings, mode='CONSTANT', constant_values=0, name=None)", fn: fn(padFn)},
	{names: "tf.concat", sig: "concat(values, axis, name='concat')", fn: fn(concatFn)},
	{names: "tf.stack", sig: "stack(values, axis=0, name='stack')", fn: fn(stackFn)},
	{names: "tf.unstack", sig: "unstack(value, num=None, axis=0, name='unstack')", fn: listFn(unstackFn)},
	{names: "tf.split", sig: "split(value, num_or_size_splits, axis=0, num=None, name='split')", fn: listFn(splitFn)},
	{names: "tf.gather", sig: "gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None)", fn: fn(gatherFn)},
	{names: "tf.gather_nd", sig: "gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy='')", fn: fn(gatherNdFn)},
	{names: "tf.scatter_nd", sig: "scatter_nd(indices, updates, shape, name=None)", fn: fn(scatterNdFn)},
	{names: "tf.tensor_scatter_nd_update", sig: "tensor_scatter_nd_update(tensor, indices, updates, name=None)", fn: tensorScatter(ops.TensorScatterUpdate)},
	{names: "tf.tensor_scatter_nd_add", sig: "tensor_scatter_nd_add(tensor, indices, updates, name=None)", fn: tensorScatter(ops.TensorScatterAdd)},
	{names: "tf.tensor_scatter_nd_sub", sig: "tensor_scatter_nd_sub(tensor, indices, updates, name=None)", fn: tensorScatter(ops.TensorScatterSub)},
	{names: "tf.tensor_scatter_nd_max", sig: "tensor_scatter_nd_max(tensor, indices, updates, name=None)", fn: tensorScatter(ops.TensorScatterMax)},
	{names: "tf.tensor_scatter_nd_min", sig: "tensor_scatter_nd_min(tensor, indices, updates, name=None)", fn: tensorScatter(ops.TensorScatterMin)},
	{names: "tf.where", sig: "where(condition, x=None, y=None, name=None)", fn: fn(whereFn)},
	{names: "tf.boolean_mask", sig: "boolean_mask(tensor, mask, axis=None, name='boolean_mask')", fn: fn(booleanMaskFn)},
	{names: "tf.reverse_sequence", sig: "reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None)", fn: fn(reverseSequenceFn)},
	{names: "tf.broadcast_static_shape", sig: "broadcast_static_shape(shape_x, shape_y)", fn: objFn(broadcastStatic)},
}

// withInts makes the function of an op whose first operand is a tensor and whose
// others are ints.
func withInts(op *ir.Op, n int) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		var in [3]ir.Value
		in[0] = x
		for i := 1; i < n; i++ {
			in[i] = c.ints(i)
		}
		if n == 3 && c.ok() {
			in[1], in[2] = alike(c, in[1], in[2])
		}
		if c.has(n) {
			c.named(n, "")
		}
		return c.op(op, nil, in[:n]...)
	})
}

// alike gives two int operands one dtype: Python's take the tensor's.
func alike(c *call, x, y ir.Value) (ir.Value, ir.Value) {
	if x.DType() == y.DType() {
		return x, y
	}
	if l, ok := x.(*ir.Ints); ok {
		return &ir.Ints{V: l.V, DT: y.DType(), Scalar: l.Scalar}, y
	}
	if l, ok := y.(*ir.Ints); ok {
		return x, &ir.Ints{V: l.V, DT: x.DType(), Scalar: l.Scalar}
	}
	return x, y
}

func shapeFn(c *call) ir.Value {
	x := c.t(0)
	dt := c.dtype(1, tensor.Int32)
	if c.Tracing() {
		c.s.Name = c.name(2, "Shape")
	}
	return c.op1(ops.Shape, &ops.ShapeAttrs{OutType: dt}, x)
}

func sizeFn(c *call) ir.Value {
	x := c.t(0)
	dt := c.dtype(1, tensor.Int32)
	if c.Tracing() {
		c.s.Name = c.name(2, "Size")
	}
	return c.op1(ops.Size, &ops.ShapeAttrs{OutType: dt}, x)
}

func rankFn(c *call) ir.Value {
	x := c.t(0)
	if c.Tracing() {
		c.s.Name = c.name(1, "Rank")
	}
	return c.op1(ops.Rank, nil, x)
}

func squeezeFn(c *call) ir.Value {
	x := c.t(0)
	a := &ops.SqueezeAttrs{}
	if c.has(1) {
		for _, d := range c.dims(1) {
			a.Axes = append(a.Axes, int64(d))
		}
	}
	c.named(2, "")
	return c.op1(ops.Squeeze, a, x)
}

// transposeFn reverses the dimensions unless perm says otherwise.
func transposeFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	if c.flag(2) && x.DType().IsComplex() {
		x = c.op1(ops.Conj, nil, x)
	}
	var perm ir.Value
	switch {
	case c.has(1):
		perm = c.ints(1)
	case x.Shape().RankKnown():
		perm = reversed(x.Shape().Rank())
	default:
		rank := c.op1(ops.Rank, nil, x)
		last := c.op2(ops.Sub, nil, rank, c.scalar(tensor.Int32, 1))
		perm = c.op2(ops.Sub, nil, last, c.op(ops.Range, nil, ir.IntScalar(0), rank, ir.IntScalar(1)))
	}
	if c.Tracing() {
		c.s.Name = c.name(3, "transpose")
	}
	return c.op2(ops.Transpose, nil, x, perm)
}

func reversed(n int) *ir.Ints {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(n - 1 - i)
	}
	return ir.IntList(v...)
}

// matrixTransposeFn swaps the last two dimensions.
func matrixTransposeFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	n := x.Shape().Rank()
	if n >= 0 && n < 2 {
		return c.valueError("Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = %s with shape: %s", text(c, 0), x.Shape().String())
	}
	if n < 0 {
		return c.valueError("the rank of the argument must be known here")
	}
	if c.flag(2) && x.DType().IsComplex() {
		x = c.op1(ops.Conj, nil, x)
	}
	return c.op2(ops.Transpose, nil, x, lastTwo(n))
}

func lastTwo(n int) *ir.Ints {
	v := make([]int64, n)
	for i := range v {
		v[i] = int64(i)
	}
	v[n-1], v[n-2] = v[n-2], v[n-1]
	return ir.IntList(v...)
}

// text is str of argument i.
func text(c *call, i int) string {
	s, err := lang.StrOf(c.Th, c.a[i])
	c.keep(err)
	return s
}

func ensureShapeFn(c *call) ir.Value {
	x := c.t(0)
	s, err := c.AsShape(c.a[1])
	c.keep(err)
	c.named(2, "")
	return c.op1(ops.EnsureShape, &ops.EnsureAttrs{Shape: s}, x)
}

func rollFn(c *call) ir.Value {
	x, shift, axis := c.t(0), c.ints(1), c.ints(2)
	c.named(3, "")
	return c.op(ops.Roll, nil, x, shift, axis)
}

func stridedSliceFn(c *call) ir.Value {
	x, begin, end := c.t(0), c.ints(1), c.ints(2)
	if !c.ok() {
		return nil
	}
	var strides ir.Value
	if c.has(3) {
		strides = c.ints(3)
	} else {
		n := begin.Shape().Dim(0)
		if n < 0 {
			return c.valueError("strides must be given where the length of begin is not known")
		}
		v := make([]int64, n)
		for i := range v {
			v[i] = 1
		}
		strides = &ir.Ints{V: v, DT: begin.DType()}
	}
	a := &ops.SliceAttrs{BeginMask: c.int(4, 0), EndMask: c.int(5, 0), EllipsisMask: c.int(6, 0), NewAxisMask: c.int(7, 0), ShrinkAxis: c.int(8, 0)}
	c.s.Name = c.name(10, "strided_slice")
	return c.op(ops.StridedSlice, a, x, begin, end, strides)
}

func padFn(c *call) ir.Value {
	x, p := c.t(0), c.t(1)
	mode := upper(c.str(2, "CONSTANT"))
	c.named(4, "")
	switch mode {
	case "CONSTANT":
		if !bridge.IsTensor(c.a[3]) {
			if zero, err := lang.Equal(c.Th, c.a[3], lang.Int(0)); err == nil && zero {
				return c.op2(ops.Pad, nil, x, p)
			}
		}
		if !c.ok() {
			return nil
		}
		name := c.s.Name
		v := c.hint(3, x.DType())
		c.s.Name = name
		return c.op(ops.PadV2, nil, x, p, v)
	case "REFLECT", "SYMMETRIC":
		return c.op2(ops.MirrorPad, &ops.MirrorAttrs{Mode: mode}, x, p)
	}
	return c.valueError("Value of argument `mode` expected to be one of \"CONSTANT\", \"REFLECT\", or \"SYMMETRIC\". Received `mode` = %s", mode)
}

// concatFn is tf.concat: Python values adopt the tensors' dtype.
func concatFn(c *call) ir.Value {
	vals := []lang.Value{c.a[0]}
	if items, ok := lang.Sequence(c.a[0]); ok {
		vals = lang.Values(items)
	} else if !bridge.IsTensor(c.a[0]) {
		vals = c.list(0)
	}
	axis := c.ints(1)
	if c.err != nil {
		return nil
	}
	if len(vals) == 1 {
		x := c.convert(vals[0], tensor.Invalid)
		c.named(2, "concat")
		return c.op1(ops.Identity, nil, x)
	}
	in, err := c.Adopt(vals...)
	if !c.keep(err) {
		return nil
	}
	c.named(2, "concat")
	return c.op(ops.ConcatV2, nil, append(in, axis)...)
}

// stackFn is tf.stack.
func stackFn(c *call) ir.Value {
	axis := c.int(1, 0)
	if c.err != nil {
		return nil
	}
	vals := c.list(0)
	whole := !bridge.HoldsTensor(c.a[0])
	for _, v := range vals {
		whole = whole || bridge.HoldsTensor(v) && !bridge.IsTensor(v)
	}
	if whole && axis == 0 {
		return c.t(0)
	}
	var in []ir.Value
	if c.err == nil {
		var err error
		in, err = c.Adopt(vals...)
		c.keep(err)
	}
	if c.err == nil && len(in) > 0 && in[0].Shape().RankKnown() {
		if n := in[0].Shape().Rank() + 1; axis < -n || axis >= n {
			return c.valueError("Argument `axis` = %d not in range [%d, %d)", axis, -n, n)
		}
	}
	c.named(2, "stack")
	return c.op(ops.Pack, &ops.PackAttrs{Axis: axis}, in...)
}

func unstackFn(c *call) []ir.Value {
	x, axis := c.t(0), c.int(2, 0)
	if !c.ok() {
		return nil
	}
	n := c.int(1, -1)
	if s := x.Shape(); n < 0 && s.RankKnown() {
		if axis < -s.Rank() || axis >= s.Rank() {
			c.valueError("Argument `axis` = %d not in range [%d, %d)", axis, -s.Rank(), s.Rank())
			return nil
		}
		n = s.Dim((axis + s.Rank()) % s.Rank())
	}
	if n < 0 {
		c.valueError("Cannot infer argument `num` from shape %s", x.Shape().String())
		return nil
	}
	c.named(3, "unstack")
	return c.all(ops.Unpack, &ops.PackAttrs{Axis: axis, Num: n}, x)
}

func splitFn(c *call) []ir.Value {
	x, axis := c.t(0), c.ints(2)
	if n, ok := pyInt(c.a[1]); ok {
		c.named(4, "split")
		return c.all(ops.Split, &ops.SplitAttrs{Num: int(n)}, axis, x)
	}
	sizes := c.ints(1)
	if !c.ok() {
		return nil
	}
	if sizes.Shape().Rank() == 0 {
		if n, known := c.constInt(1); known {
			c.named(4, "split")
			return c.all(ops.Split, &ops.SplitAttrs{Num: int(n)}, axis, x)
		}
		c.valueError("Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: %s", text(c, 1))
		return nil
	}
	n := sizes.Shape().Dim(0)
	if c.has(3) {
		n = c.int(3, n)
	}
	if n < 0 {
		c.valueError("Cannot infer argument `num` from shape %s", text(c, 1))
		return nil
	}
	c.named(4, "split")
	return c.all(ops.SplitV, &ops.SplitAttrs{Num: n}, x, sizes, axis)
}

// gatherFn is tf.gather; of a variable it reads only the rows asked for.
func gatherFn(c *call) ir.Value {
	batch := c.int(4, 0)
	var axis ir.Value = ir.IntScalar(int64(batch))
	if c.has(3) {
		axis = c.ints(3)
	}
	if va, ok := bridge.AsVariable(c.a[0]); ok && batch == 0 && isZero(axis) {
		idx := c.t(1)
		c.named(5, "")
		return c.op2(ops.ResourceGather, &ops.GatherAttrs{}, va.Operand(), idx)
	}
	x, idx := c.t(0), c.t(1)
	c.named(5, "")
	return c.op(ops.GatherV2, &ops.GatherAttrs{BatchDims: batch}, x, idx, axis)
}

func isZero(x ir.Value) bool {
	l, ok := x.(*ir.Ints)
	return ok && len(l.V) == 1 && l.V[0] == 0
}

func gatherNdFn(c *call) ir.Value {
	x, idx := c.t(0), c.t(1)
	if b := c.int(2, 0); b != 0 {
		return gatherNdBatch(c, x, idx, b)
	}
	c.named(3, "")
	return c.op2(ops.GatherNd, nil, x, idx)
}

// gatherNdBatch puts the batch's own indices before the given ones.
func gatherNdBatch(c *call, x, idx ir.Value, batch int) ir.Value {
	if !c.ok() {
		return nil
	}
	s := idx.Shape()
	if !s.Known() || s.Rank() <= batch {
		return c.valueError("batch_dims = %d must be less than rank(indices) = %d, whose shape must be known", batch, s.Rank())
	}
	lead := s.Slice(0, s.Rank()-1).Concat(tensor.ShapeOf(1))
	parts := make([]ir.Value, 0, batch+1)
	for d := range batch {
		r := c.op(ops.Range, nil, ir.IntScalar(0), ir.IntScalar(int64(s.Dim(d))), ir.IntScalar(1))
		view := make([]int, lead.Rank())
		for i := range view {
			view[i] = 1
		}
		view[d] = s.Dim(d)
		r = c.op2(ops.Reshape, nil, c.Cast(r, idx.DType()), ir.DimList(view))
		parts = append(parts, c.op2(ops.BroadcastTo, nil, r, ir.DimList(lead.Dims())))
	}
	return c.op2(ops.GatherNd, nil, x, c.Concat(append(parts, idx), -1))
}

func scatterNdFn(c *call) ir.Value {
	idx, up, shape := c.t(0), c.t(1), c.ints(2)
	if c.ok() {
		_, shape = alike(c, idx, shape)
	}
	c.named(3, "")
	return c.op(ops.ScatterNd, nil, idx, up, shape)
}

func tensorScatter(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		in := c.adopt(0, 2)
		idx := c.t(1)
		c.named(3, "")
		return c.op(op, nil, in[0], idx, in[1])
	})
}

// whereFn is tf.where with and without values.
func whereFn(c *call) ir.Value {
	if c.has(1) != c.has(2) {
		return c.valueError("x and y must both be non-None or both be None.")
	}
	var cond ir.Value
	if tensorLike(c.a[0]) || bridge.HoldsTensor(c.a[0]) || !c.has(1) {
		cond = c.hint(0, tensor.Bool)
	} else {
		cond = c.as(0, tensor.Bool)
	}
	if !c.has(1) {
		c.named(3, "")
		return c.op1(ops.Where, nil, cond)
	}
	in := c.adopt(1, 2)
	c.named(3, "")
	return c.op(ops.SelectV2, nil, cond, in[0], in[1])
}

func booleanMaskFn(c *call) ir.Value {
	x, mask, axis := c.t(0), c.t(1), c.int(2, 0)
	if !c.ok() {
		return nil
	}
	if axis < 0 && x.Shape().RankKnown() {
		axis += x.Shape().Rank()
	}
	return c.BooleanMask(x, mask, axis)
}

func reverseSequenceFn(c *call) ir.Value {
	x, lens := c.t(0), c.t(1)
	c.named(4, "")
	return c.op2(ops.ReverseSequence, &ops.ReverseSequenceAttrs{SeqDim: c.int(2, 0), BatchDim: c.int(3, 0)}, x, lens)
}

func broadcastStatic(c *call) lang.Value {
	x, err := c.AsShape(c.a[0])
	c.keep(err)
	y, err := c.AsShape(c.a[1])
	c.keep(err)
	if c.err != nil {
		return lang.Unbound
	}
	s, ok := broadcastShapes(x, y)
	if !ok {
		c.valueError("Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are either equal or one of them is 1. Received: %s and %s.", x.String(), y.String())
		return lang.Unbound
	}
	return bridge.NewShape(s)
}

// broadcastShapes is the shape of x op y, as far as it is known.
func broadcastShapes(x, y tensor.Shape) (tensor.Shape, bool) {
	if !x.RankKnown() || !y.RankKnown() {
		return tensor.UnknownShape, true
	}
	n := max(x.Rank(), y.Rank())
	dims := make([]int, n)
	for i := range n {
		a, b := 1, 1
		if k := i - (n - x.Rank()); k >= 0 {
			a = x.Dim(k)
		}
		if k := i - (n - y.Rank()); k >= 0 {
			b = y.Dim(k)
		}
		switch {
		case a == 1:
			dims[i] = b
		case b == 1 || a == b:
			dims[i] = a
		case a < 0:
			dims[i] = b
		case b < 0:
			dims[i] = a
		default:
			return x, false
		}
	}
	return tensor.ShapeOf(dims...), true
}
