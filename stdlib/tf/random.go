package tf

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// randomRows are the functions of tf.random.
var randomRows = []row{
	{names: "tf.random.set_seed", sig: "set_seed(seed)", fn: objFn(setSeedFn)},
	{names: "tf.random.uniform", sig: "uniform(shape, minval=0, maxval=None, dtype=..., seed=None, name=None)", fn: fn(uniformFn)},
	{names: "tf.random.normal", sig: "normal(shape, mean=0.0, stddev=1.0, dtype=..., seed=None, name=None)", fn: normalFn(ops.RandomStandardNormal)},
	{names: "tf.random.truncated_normal", sig: "truncated_normal(shape, mean=0.0, stddev=1.0, dtype=..., seed=None, name=None)", fn: normalFn(ops.TruncatedNormal)},
	{names: "tf.random.shuffle", sig: "shuffle(value, seed=None, name=None)", fn: fn(func(c *call) ir.Value {
		x := c.t(0)
		a := c.seeded(1, tensor.Invalid)
		c.named(2, "")
		return c.op1(ops.RandomShuffle, a, x)
	})},
	{names: "tf.random.categorical", sig: "categorical(logits, num_samples, dtype=None, seed=None, name=None)", fn: fn(func(c *call) ir.Value {
		x, n := c.t(0), c.ints(1)
		a := c.seeded(3, c.dtype(2, tensor.Int64))
		c.named(4, "")
		return c.op2(ops.Multinomial, a, x, n)
	})},
	{names: "tf.random.gamma", sig: "gamma(shape, alpha, beta=None, dtype=..., seed=None, name=None)", fn: fn(gammaFn)},
	{names: "tf.random.poisson", sig: "poisson(shape, lam, dtype=..., seed=None, name=None)", fn: fn(poissonFn)},
	{names: "tf.random.stateless_uniform", sig: "stateless_uniform(shape, seed, minval=0, maxval=None, dtype=..., name=None, alg='auto_select')", fn: fn(statelessUniformFn)},
	{names: "tf.random.stateless_normal", sig: "stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype=..., name=None, alg='auto_select')", fn: statelessNormal(ops.StatelessRandomNormal)},
	{names: "tf.random.stateless_truncated_normal", sig: "stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype=..., name=None, alg='auto_select')",
		fn: statelessNormal(ops.StatelessTruncatedNormal)},
	{names: "tf.random.stateless_categorical", sig: "stateless_categorical(logits, num_samples, seed, dtype=..., name=None)", fn: fn(func(c *call) ir.Value {
		x, n, seed := c.t(0), c.ints(1), c.seed(2)
		return c.op(ops.StatelessMultinomial, &ops.StatelessAttrs{DType: c.dtype(3, tensor.Int64)}, x, n, seed)
	})},
	{names: "tf.random.stateless_gamma", sig: "stateless_gamma(shape, seed, alpha, beta=None, dtype=..., name=None)", fn: fn(statelessGammaFn)},
	{names: "tf.random.stateless_poisson", sig: "stateless_poisson(shape, seed, lam, dtype=..., name=None)", fn: fn(func(c *call) ir.Value {
		shape, seed, lam := shapeArg(c, 0), c.seed(1), c.hint(2, tensor.Float32)
		return c.op(ops.StatelessRandomPoisson, &ops.StatelessAttrs{DType: c.dtype(3, tensor.Int32)}, shape, seed, lam)
	})},
	{names: "tf.random.stateless_binomial", sig: "stateless_binomial(shape, seed, counts, probs, output_dtype=..., name=None)", fn: fn(statelessBinomialFn)},
	{names: "tf.random.experimental.stateless_shuffle tf.random.stateless_shuffle", sig: "stateless_shuffle(value, seed, alg='auto_select', name=None)", fn: fn(func(c *call) ir.Value {
		x, seed := c.t(0), c.seed(1)
		return c.op2(ops.StatelessShuffle, &ops.StatelessAttrs{}, x, seed)
	})},
	{names: "tf.random.split tf.random.experimental.stateless_split", sig: "split(seed, num=2, alg='auto_select')", fn: fn(splitSeedFn)},
	{names: "tf.random.fold_in tf.random.experimental.stateless_fold_in", sig: "fold_in(seed, data, alg='auto_select')", fn: fn(foldInFn)},
}

func setSeedFn(c *call) lang.Value {
	g := seedsOf(c)
	if !c.has(0) {
		*g = seeds{}
	} else {
		n, err := lang.Index(c.Th, c.a[0])
		if !c.keep(err) {
			return lang.Unbound
		}
		g.SetSeed(bigOf(n))
	}
	c.X.Rand.Reset()
	return lang.None
}

// seeded reads an op seed and makes the two seeds of the op (rules G8 to G10).
func (c *call) seeded(i int, dt tensor.DType) *ops.RandomAttrs {
	a := &ops.RandomAttrs{DType: dt}
	var op *big.Int
	if c.has(i) && c.err == nil {
		n, err := lang.Index(c.Th, c.a[i])
		if !c.keep(err) {
			return a
		}
		op = bigOf(n)
	}
	if c.err == nil {
		a.Seed, a.Seed2 = seedsOf(c).pair(c, op)
	}
	return a
}

func uniformFn(c *call) ir.Value {
	dt := c.dtype(3, tensor.Float32)
	if c.err == nil && !dt.IsFloating() && dt != tensor.Int32 && dt != tensor.Int64 {
		return c.valueError("Argument `dtype` got invalid value tf.%s. Accepted dtypes are (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int32, tf.int64).", dt.Name())
	}
	if !c.has(2) {
		if dt.IsInteger() {
			return c.valueError("Must specify maxval for integer dtype tf.%s", dt.Name())
		}
	}
	shape := shapeArg(c, 0)
	if !c.ok() {
		return nil
	}
	if dt.IsInteger() {
		lo, hi := c.as(1, dt), c.as(2, dt)
		a := c.seeded(4, dt)
		c.named(5, "random_uniform")
		return c.op(ops.RandomUniformInt, a, shape, lo, hi)
	}
	name := ""
	if c.Tracing() {
		name = c.name(5, "random_uniform")
		c.s.Name = name + "/RandomUniform"
	}
	u := c.op1(ops.RandomUniform, c.seeded(4, dt), shape)
	return c.scaled(u, 1, 2, dt, name)
}

// scaled is u*(maxval-minval)+minval; the ints 0 and 1 leave steps out (rule G7).
func (c *call) scaled(u ir.Value, lo, hi int, dt tensor.DType, name string) ir.Value {
	zero := isInt(c.a[lo], 0)
	one := !c.has(hi) || isInt(c.a[hi], 1)
	if !c.ok() {
		return nil
	}
	if zero && one {
		return u
	}
	hiValue := c.a[hi]
	if !c.has(hi) {
		hiValue = lang.Int(1)
	}
	if zero {
		return c.op2(ops.Mul, nil, u, c.convert(hiValue, dt))
	}
	low, high := c.as(lo, dt), c.convert(hiValue, dt)
	width := c.op2(ops.Sub, nil, high, low)
	return c.op2(ops.AddV2, nil, c.op2(ops.Mul, nil, u, width), low)
}

func isInt(v lang.Value, n int64) bool {
	k, ok := pyInt(v)
	return ok && k == n
}

func normalFn(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		dt := c.dtype(3, tensor.Float32)
		shape, mean, dev := shapeArg(c, 0), c.as(1, dt), c.as(2, dt)
		if !c.ok() {
			return nil
		}
		a := c.seeded(4, dt)
		if c.Tracing() {
			c.s.Name = c.name(5, "random_normal") + "/" + op.Name
		}
		x := c.op1(op, a, shape)
		return c.op2(ops.AddV2, nil, c.op2(ops.Mul, nil, x, dev), mean)
	})
}

// gammaFn divides gamma variates by beta; none is smaller than the smallest float.
func gammaFn(c *call) ir.Value {
	dt := c.dtype(3, tensor.Float32)
	shape, alpha, beta := shapeArg(c, 0), c.as(1, dt), c.beta(2, dt)
	if !c.ok() {
		return nil
	}
	b, ok := broadcastShapes(alpha.Shape(), beta.Shape())
	if ok && b.Known() && b != alpha.Shape() {
		alpha = c.op2(ops.BroadcastTo, nil, alpha, ir.DimList(b.Dims()))
	}
	x := c.op2(ops.RandomGamma, c.seeded(4, dt), shape, alpha)
	return c.atLeastTiny(c.op2(ops.RealDiv, nil, x, beta), dt)
}

func (c *call) beta(i int, dt tensor.DType) ir.Value {
	if !c.has(i) {
		return c.scalar(dt, 1)
	}
	return c.as(i, dt)
}

func (c *call) atLeastTiny(x ir.Value, dt tensor.DType) ir.Value {
	if !c.ok() {
		return nil
	}
	tiny := 0x1p-126
	switch dt {
	case tensor.Float64:
		tiny = 0x1p-1022
	case tensor.Float16:
		tiny = math.Ldexp(1, -14)
	}
	return c.op2(ops.Maximum, nil, c.scalar(dt, tiny), x)
}

func poissonFn(c *call) ir.Value {
	dt := c.dtype(2, tensor.Float32)
	shape, lam := shapeArg(c, 0), c.hint(1, tensor.Float32)
	return c.op2(ops.RandomPoissonV2, c.seeded(3, dt), shape, lam)
}

// seed reads the seed of a stateless op.
func (c *call) seed(i int) ir.Value {
	x := c.ints(i)
	if s, ok := x.(*ir.Ints); ok && c.ok() && (s.Scalar || len(s.V) != 2) {
		return c.invalid("seed must have shape [2], not %s", s.Shape().Brackets())
	}
	return x
}

func statelessUniformFn(c *call) ir.Value {
	dt := c.dtype(4, tensor.Float32)
	shape, seed := shapeArg(c, 0), c.seed(1)
	if !c.ok() {
		return nil
	}
	if !dt.IsInteger() {
		u := c.op2(ops.StatelessRandomUniform, &ops.StatelessAttrs{DType: dt}, shape, seed)
		if !c.has(3) && isInt(c.a[2], 0) {
			return u
		}
		lo := c.as(2, dt)
		hi := c.scalar(dt, 1)
		if c.has(3) {
			hi = c.as(3, dt)
		}
		return c.op2(ops.AddV2, nil, c.op2(ops.Mul, nil, u, c.op2(ops.Sub, nil, hi, lo)), lo)
	}
	lo, hi := c.has(2), c.has(3)
	switch {
	case !lo && !hi:
		return c.op2(ops.StatelessRandomUniformFullInt, &ops.StatelessAttrs{DType: dt}, shape, seed)
	case !lo || !hi:
		return c.valueError("For integer dtype tf.%s, argument `minval` and `maxval` must be both None or both non-None. Got `minval`=%s and `maxval`=%s.", dt.Name(), text(c, 2), text(c, 3))
	}
	return c.op(ops.StatelessRandomUniformInt, &ops.StatelessAttrs{DType: dt}, shape, seed, c.as(2, dt), c.as(3, dt))
}

func statelessNormal(op *ir.Op) lang.Native {
	return fn(func(c *call) ir.Value {
		dt := c.dtype(4, tensor.Float32)
		shape, seed, mean, dev := shapeArg(c, 0), c.seed(1), c.as(2, dt), c.as(3, dt)
		x := c.op2(op, &ops.StatelessAttrs{DType: dt}, shape, seed)
		return c.op2(ops.AddV2, nil, c.op2(ops.Mul, nil, x, dev), mean)
	})
}

func statelessGammaFn(c *call) ir.Value {
	dt := c.dtype(4, tensor.Float32)
	shape, seed, alpha, beta := shapeArg(c, 0), c.seed(1), c.as(2, dt), c.beta(3, dt)
	if !c.ok() {
		return nil
	}
	if b, ok := broadcastShapes(alpha.Shape(), beta.Shape()); ok && b.Known() && b != alpha.Shape() {
		alpha = c.op2(ops.BroadcastTo, nil, alpha, ir.DimList(b.Dims()))
	}
	x := c.op(ops.StatelessRandomGamma, &ops.StatelessAttrs{DType: dt}, shape, seed, alpha)
	return c.atLeastTiny(c.op2(ops.RealDiv, nil, x, beta), dt)
}

func statelessBinomialFn(c *call) ir.Value {
	dt := c.dtype(4, tensor.Int32)
	shape, seed := shapeArg(c, 0), c.seed(1)
	probs := c.hint(3, tensor.Float32)
	if !c.ok() {
		return nil
	}
	counts := c.hint(2, probs.DType())
	if c.ok() {
		counts = c.Cast(counts, probs.DType())
	}
	return c.op(ops.StatelessRandomBinomial, &ops.StatelessAttrs{DType: dt}, shape, seed, counts, probs)
}

// splitSeedFn draws new seeds from a seed (rule G13).
func splitSeedFn(c *call) ir.Value {
	seed := c.t(0)
	n := c.ints(1)
	if !c.ok() {
		return nil
	}
	var shape ir.Value
	if v, known := c.constInt(1); known {
		shape = ir.IntList(v, 2)
	} else {
		shape = c.Pack([]ir.Value{n, c.scalar(tensor.Int32, 2)}, 0)
	}
	return c.op2(ops.StatelessRandomUniformFullInt, &ops.StatelessAttrs{DType: seed.DType()}, shape, seed)
}

func foldInFn(c *call) ir.Value {
	seed, data := c.t(0), c.t(1)
	if !c.ok() {
		return nil
	}
	x := c.op2(ops.StatelessRandomUniformFullInt, &ops.StatelessAttrs{DType: data.DType()}, ir.IntList(), seed)
	return c.Pack([]ir.Value{x, data}, 0)
}

// dropoutFn keeps what a uniform draw of at least rate chooses (rule G16).
func dropoutFn(c *call) ir.Value {
	x := c.t(0)
	if !c.ok() {
		return nil
	}
	dt := x.DType()
	if !dt.IsFloating() {
		return c.valueError("`x.dtype` must be a floating point tensor as `x` will be scaled. Received: x.dtype=<dtype: '%s'>", dt.Name())
	}
	rate, isNumber := pythonFloat(c.a[1])
	if isNumber && (rate < 0 || rate >= 1) {
		return c.valueError("`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate=%s", text(c, 1))
	}
	a := c.seeded(3, dt)
	if isNumber && rate == 0 {
		return x
	}
	limit := c.limit(1, x)
	if !c.ok() {
		return nil
	}
	if limit.DType() != dt {
		return c.valueError("`rate` has a dtype of <dtype: '%s'>, but x has one of <dtype: '%s'>", limit.DType().Name(), dt.Name())
	}
	shape := c.shapeOf(x)
	if c.has(2) {
		shape = c.noiseShape(x)
	}
	u := c.op1(ops.RandomUniform, a, shape)
	keep := c.op2(ops.GreaterEqual, nil, u, limit)
	var scaled ir.Value
	if isNumber {
		scaled = c.op2(ops.Mul, nil, x, c.scalar(dt, 1/(1-rate)))
	} else {
		scaled = c.op2(ops.RealDiv, nil, x, c.op2(ops.Sub, nil, c.scalar(dt, 1), limit))
	}
	return c.op(ops.SelectV2, nil, keep, scaled, c.scalar(dt, 0))
}

// noiseShape takes dimensions that are None from x.
func (c *call) noiseShape(x ir.Value) ir.Value {
	items, ok := lang.Sequence(c.a[2])
	if !ok {
		return c.ints(2)
	}
	out := make([]int64, len(items))
	for i, it := range items {
		if it.Value().IsNone() {
			out[i] = int64(x.Shape().Dim(i))
			continue
		}
		n, err := lang.IndexInt(c.Th, it.Value(), lang.OverflowError)
		c.keep(err)
		out[i] = int64(n)
	}
	return ir.IntList(out...)
}

// pythonFloat is the value of a Python number.
func pythonFloat(v lang.Value) (float64, bool) {
	if tensorLike(v) {
		return 0, false
	}
	if f, ok := lang.AsFloat(v); ok {
		return f, true
	}
	if _, _, isArray := bridge.ArrayType(v); isArray {
		return 0, false
	}
	n, ok := pyInt(v)
	return float64(n), ok
}
