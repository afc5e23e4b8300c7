package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// nnRows are the functions of tf.nn that are one op, or nearly.
var nnRows = []row{
	{names: "tf.nn.softmax tf.math.softmax", sig: "softmax(logits, axis=None, name=None)", fn: softmaxFn(ops.Softmax)},
	{names: "tf.nn.log_softmax tf.math.log_softmax", sig: "log_softmax(logits, axis=None, name=None)", fn: softmaxFn(ops.LogSoftmax)},
	{names: "tf.nn.leaky_relu", sig: "leaky_relu(features, alpha=0.2, name=None)", fn: fn(leakyReluFn)},
	{names: "tf.nn.bias_add", sig: "bias_add(value, bias, data_format=None, name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		if !c.ok() {
			return nil
		}
		b := c.limit(1, x)
		format := c.str(2, "NHWC")
		if len(format) > 1 && format[1] == 'C' {
			format = "NCHW"
		} else {
			format = "NHWC"
		}
		c.s.Name = c.name(3, "")
		return c.op2(ops.BiasAdd, &ops.BiasAttrs{Format: format}, x, b)
	})},
	{names: "tf.nn.sparse_softmax_cross_entropy_with_logits", sig: "sparse_softmax_cross_entropy_with_logits(labels, logits, name=None)", fn: fn(sparseCrossEntropyFn)},
	{names: "tf.nn.softmax_cross_entropy_with_logits", sig: "softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None)", fn: fn(crossEntropyFn)},
	{names: "tf.nn.dropout", sig: "dropout(x, rate, noise_shape=None, seed=None, name=None)", fn: fn(dropoutFn)},
	{names: "tf.nn.conv2d", sig: "conv2d(input, filters, strides, padding, data_format='NHWC', dilations=None, name=None)", fn: convFn(ops.Conv2D, 2)},
	{names: "tf.nn.conv3d", sig: "conv3d(input, filters, strides, padding, data_format='NDHWC', dilations=None, name=None)", fn: convFn(ops.Conv3D, 3)},
	{names: "tf.nn.depthwise_conv2d", sig: "depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None)", fn: convFn(ops.DepthwiseConv2dNative, 2)},
	{names: "tf.nn.max_pool2d", sig: "max_pool2d(input, ksize, strides, padding, data_format='NHWC', name=None)", fn: poolFn(ops.MaxPool, 2)},
	{names: "tf.nn.avg_pool2d", sig: "avg_pool2d(input, ksize, strides, padding, data_format='NHWC', name=None)", fn: poolFn(ops.AvgPool, 2)},
	{names: "tf.nn.max_pool3d", sig: "max_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None)", fn: poolFn(ops.MaxPool3D, 3)},
	{names: "tf.nn.avg_pool3d", sig: "avg_pool3d(input, ksize, strides, padding, data_format='NDHWC', name=None)", fn: poolFn(ops.AvgPool3D, 3)},
	{names: "tf.nn.embedding_lookup", sig: "embedding_lookup(params, ids, max_norm=None, name=None)", fn: fn(embeddingFn)},
}

// softmaxFn moves the axis to the end and back if it isn't there.
func softmaxFn(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		axis := c.int(1, -1)
		if !c.ok() {
			return nil
		}
		n := x.Shape().Rank()
		if axis == -1 || axis == n-1 {
			c.named(2, "")
			return c.op1(op, nil, x)
		}
		if n >= 0 && (axis < -n || axis >= n) {
			return c.invalid("{{function_node __wrapped__%s}} `dim` must be in the range [%d, %d) where %d is the number of dimensions in the input. Received: dim=%d", op.Name, -n, n, n, axis)
		}
		if n < 0 {
			return c.valueError("the rank of the argument must be known for axis=%d", axis)
		}
		swap := swapped(n, (axis+n)%n, n-1)
		y := c.op1(op, nil, c.op2(ops.Transpose, nil, x, swap))
		return c.op2(ops.Transpose, nil, y, swap)
	})
}

// swapped is the permutation that swaps dimensions i and j.
func swapped(n, i, j int) *ir.Ints {
	v := make([]int64, n)
	for k := range v {
		v[k] = int64(k)
	}
	v[i], v[j] = v[j], v[i]
	return ir.IntList(v...)
}

func leakyReluFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	if x.DType().IsInteger() {
		x = c.Cast(x, tensor.Float32)
	}
	if bridge.IsTensor(c.a[1]) {
		alpha := c.limit(1, x)
		return c.op2(ops.Maximum, nil, c.op2(ops.Mul, nil, alpha, x), x)
	}
	a := &ops.LeakyReluAttrs{Alpha: c.float(1, 0.2)}
	c.named(2, "")
	return c.op1(ops.LeakyRelu, a, x)
}

// sparseCrossEntropyFn flattens the rows and gives the losses the labels' shape.
func sparseCrossEntropyFn(c *call) ir.Value {
	if !c.has(0) || !c.has(1) {
		return c.valueError("Both `labels` and `logits` must be provided.")
	}
	labels, logits := c.t(0), c.t(1)
	if !c.ok() {
		return nil
	}
	half := logits.DType() == tensor.Float16 || logits.DType() == tensor.BFloat16
	dt := logits.DType()
	if half {
		logits = c.Cast(logits, tensor.Float32)
	}
	ls, xs := labels.Shape(), logits.Shape()
	switch {
	case xs.Rank() == 0:
		return c.valueError("`logits` cannot be a scalar. Received logits=%s`", text(c, 1))
	case xs.RankKnown() && ls.RankKnown() && ls.Rank() != xs.Rank()-1:
		return c.valueError("`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape=%s of rank %d and logits.shape=%s of rank %d",
			ls.String(), ls.Rank(), xs.String(), xs.Rank())
	case xs.RankKnown() && ls.RankKnown() && !tensor.Compatible(ls, xs.Slice(0, xs.Rank()-1)):
		return c.valueError("`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape=%s and logits.shape=%s", ls.String(), xs.String())
	}
	loss := c.rowLosses(ops.SparseSoftmaxCrossEntropyWithLogits, logits, labels, false)
	if half && c.ok() {
		return c.Cast(loss, dt)
	}
	return loss
}

// rowLosses applies a cross entropy op to the rows of logits.
func (c *call) rowLosses(op *ir.Op, logits, labels ir.Value, dense bool) ir.Value {
	xs := logits.Shape()
	if xs.Rank() == 2 {
		return c.op2(op, nil, logits, labels)
	}
	var classes ir.Value = ir.IntList(-1, int64(xs.Dim(-1)))
	if xs.Dim(-1) < 0 {
		return c.valueError("the number of classes must be known for logits of shape %s", xs.String())
	}
	outer := c.shapeOf(labels)
	flat := ir.Value(ir.IntList(-1))
	if dense {
		flat = classes
		outer = c.outerShape(logits)
	}
	loss := c.op2(op, nil, c.op2(ops.Reshape, nil, logits, classes), c.op2(ops.Reshape, nil, labels, flat))
	return c.op2(ops.Reshape, nil, loss, outer)
}

// outerShape is the shape of x without the last dimension.
func (c *call) outerShape(x ir.Value) ir.Value {
	if s := x.Shape(); s.Known() {
		return ir.DimList(s.Dims()[:s.Rank()-1])
	}
	s := c.op1(ops.Shape, &ops.ShapeAttrs{}, x)
	return c.op(ops.StridedSlice, &ops.SliceAttrs{}, s, ir.IntList(0), ir.IntList(-1), ir.IntList(1))
}

func crossEntropyFn(c *call) ir.Value {
	labels, logits := c.t(0), c.t(1)
	if !c.ok() {
		return nil
	}
	dt := logits.DType()
	half := dt == tensor.Float16 || dt == tensor.BFloat16
	if half {
		logits = c.Cast(logits, tensor.Float32)
	}
	labels = c.Cast(labels, logits.DType())
	n, axis := logits.Shape().Rank(), c.int(2, -1)
	if n == 0 {
		return c.valueError("`logits` must be at least a vector")
	}
	if axis != -1 && axis != n-1 && n > 0 {
		swap := swapped(n, (axis+n)%n, n-1)
		logits, labels = c.op2(ops.Transpose, nil, logits, swap), c.op2(ops.Transpose, nil, labels, swap)
	}
	if !c.ok() {
		return nil
	}
	if s := logits.Shape(); s.Known() && labels.Shape().Known() && s != labels.Shape() {
		if m, ok := broadcastShapes(s, labels.Shape()); ok {
			logits, labels = c.op2(ops.BroadcastTo, nil, logits, ir.DimList(m.Dims())), c.op2(ops.BroadcastTo, nil, labels, ir.DimList(m.Dims()))
		}
	}
	if !c.ok() {
		return nil
	}
	loss := c.rowLosses(ops.SoftmaxCrossEntropyWithLogits, logits, labels, true)
	if half && c.ok() {
		return c.Cast(loss, dt)
	}
	return loss
}

// window reads ints that may be one number, one for each spatial dimension, or one
// for each dimension.
func (c *call) window(i, spatial int, name string) []int {
	out := make([]int, spatial+2)
	for k := range out {
		out[k] = 1
	}
	if !c.has(i) {
		return out
	}
	v := c.dims(i)
	switch len(v) {
	case 1:
		for k := range spatial {
			out[k+1] = v[0]
		}
	case spatial:
		copy(out[1:], v)
	case spatial + 2:
		copy(out, v)
	default:
		c.valueError("%s should be of length 1, %d or %d but was %d", name, spatial, spatial+2, len(v))
	}
	return out
}

// padding reads "SAME", "VALID" or explicit numbers.
func (c *call) padding(i int, a *ops.WindowAttrs) {
	if _, ok := lang.AsStr(c.a[i]); ok {
		a.Padding = upper(c.str(i, ""))
		return
	}
	a.Padding = "EXPLICIT"
	for _, pair := range c.list(i) {
		for _, v := range c.listOf(pair) {
			n, err := lang.IndexInt(c.Th, v, lang.OverflowError)
			c.keep(err)
			a.Explicit = append(a.Explicit, n)
		}
	}
}

func convFn(op *ir.Op, spatial int) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		if !c.ok() {
			return nil
		}
		f := c.limit(1, x)
		a := &ops.WindowAttrs{Strides: c.window(2, spatial, "strides"), Dilations: c.window(5, spatial, "dilations"), Format: c.str(4, "")}
		c.padding(3, a)
		if op == ops.DepthwiseConv2dNative && len(c.dims(2)) != 4 && c.ok() {
			return c.valueError("`strides` must have length 4, got %s", text(c, 2))
		}
		c.named(6, "")
		return c.op2(op, a, x, f)
	})
}

func poolFn(op *ir.Op, spatial int) lang.Native {
	return fn(func(c *call) ir.Value {
		x := c.t(0)
		a := &ops.WindowAttrs{Ksize: c.window(1, spatial, "ksize"), Strides: c.window(2, spatial, "strides"), Format: c.str(4, "")}
		c.padding(3, a)
		c.named(5, "")
		return c.op1(op, a, x)
	})
}

// embeddingFn gathers rows; of a variable only those that are asked for.
func embeddingFn(c *call) ir.Value {
	ids := c.t(1)
	var x ir.Value
	if va, ok := bridge.AsVariable(c.a[0]); ok {
		x = c.op2(ops.ResourceGather, &ops.GatherAttrs{}, va.Operand(), ids)
	} else {
		x = c.op(ops.GatherV2, &ops.GatherAttrs{}, c.t(0), ids, ir.IntScalar(0))
	}
	if !c.has(2) || !c.ok() {
		return x
	}
	return clipRows(c, x, ids.Shape().Rank(), c.as(2, x.DType()))
}

// clipRows scales the rows of x whose norm is above the limit.
func clipRows(c *call, x ir.Value, from int, limit ir.Value) ir.Value {
	if !c.ok() {
		return nil
	}
	var axes []int64
	for d := from; d < x.Shape().Rank(); d++ {
		axes = append(axes, int64(d))
	}
	norm2 := c.op2(ops.Sum, keepDims, c.op1(ops.Square, nil, x), ir.IntList(axes...))
	pos := c.op2(ops.Greater, nil, norm2, c.scalar(x.DType(), 0))
	safe := c.op(ops.SelectV2, nil, pos, norm2, c.op1(ops.OnesLike, nil, norm2))
	norm := c.op(ops.SelectV2, nil, pos, c.op1(ops.Sqrt, nil, safe), norm2)
	return c.op2(ops.RealDiv, nil, c.op2(ops.Mul, nil, x, limit), c.op2(ops.Maximum, nil, norm, limit))
}
