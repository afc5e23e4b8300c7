package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
)

// RandomAttrs are those of the stateful random ops.
type RandomAttrs struct {
	Seed, Seed2 int64
	DType       tensor.DType
}

// Seeds are the two seeds, for the counters of package exec.
func (a *RandomAttrs) Seeds() (int64, int64) { return a.Seed, a.Seed2 }

// draw is the generator of a stateful op where its counter stands, moved on by n blocks.
func draw(c *ir.Call, blocks uint64) random.Philox {
	a := c.Attrs.(*RandomAttrs)
	p := random.Stateful(a.Seed, a.Seed2).At(c.State.Pos)
	c.State.Pos += blocks
	return p
}

func inferRandom(c *ir.Call) *ir.Mistake {
	v, exact := c.IntsExact(0)
	for _, d := range v {
		if exact && d < 0 {
			return ir.Invalid("Dimension %d must be >= 0", d)
		}
	}
	return c.SetOut(c.Attrs.(*RandomAttrs).DType, c.ShapeArg(0))
}

// RandomUniform draws from [0, 1).
var RandomUniform = ir.NewOp("RandomUniform", "shape, dtype, seed=0, seed2=0")

func init() {
	RandomUniform.Define(ir.Rules{
		Attrs: &RandomAttrs{DType: tensor.Float32}, Infer: inferRandom, Effect: ir.Random, IntArgs: ir.In(0),
		Kernel: sampled(uniform), Grad: ir.NotDifferentiable,
	})
}

// RandomStandardNormal draws from the standard normal distribution.
var RandomStandardNormal = ir.NewOp("RandomStandardNormal", "shape, dtype, seed=0, seed2=0")

func init() {
	RandomStandardNormal.Define(ir.Rules{
		Attrs: &RandomAttrs{DType: tensor.Float32}, Infer: inferRandom, Effect: ir.Random, IntArgs: ir.In(0),
		Kernel: sampled(normal), Grad: ir.NotDifferentiable,
	})
}

// TruncatedNormal draws from the standard normal distribution within two deviations.
var TruncatedNormal = ir.NewOp("TruncatedNormal", "shape, dtype, seed=0, seed2=0")

func init() {
	TruncatedNormal.Define(ir.Rules{
		Attrs: &RandomAttrs{DType: tensor.Float32}, Infer: inferRandom, Effect: ir.Random, IntArgs: ir.In(0),
		Kernel: sampled(truncated), Grad: ir.NotDifferentiable,
	})
}

// sampled runs a sampler on the op's own stream.
func sampled(f func(p random.Philox, o *tensor.Tensor) bool) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		o := c.O(0)
		if !f(draw(c, random.ElementBlocks(o.Len())), o) {
			return unsupported(c)
		}
		return nil
	}
}

func uniform(p random.Philox, o *tensor.Tensor) bool {
	switch o.DType() {
	case tensor.Float32:
		random.Uniform32(p, o.F32())
	case tensor.Float64:
		random.Uniform64(p, o.F64())
	case tensor.Float16:
		random.UniformHalf(p, raw[kernel.Float16](o))
	case tensor.BFloat16:
		random.UniformHalf(p, raw[kernel.BFloat16](o))
	default:
		return false
	}
	return true
}

func normal(p random.Philox, o *tensor.Tensor) bool {
	switch o.DType() {
	case tensor.Float32:
		random.Normal32(p, o.F32())
	case tensor.Float64:
		random.Normal64(p, o.F64())
	case tensor.Float16:
		random.NormalHalf(p, raw[kernel.Float16](o))
	case tensor.BFloat16:
		random.NormalHalf(p, raw[kernel.BFloat16](o))
	default:
		return false
	}
	return true
}

func truncated(p random.Philox, o *tensor.Tensor) bool {
	switch o.DType() {
	case tensor.Float32:
		random.TruncatedNormal32(p, o.F32())
	case tensor.Float64:
		random.TruncatedNormal64(p, o.F64())
	case tensor.Float16:
		random.TruncatedNormalHalf(p, raw[kernel.Float16](o))
	case tensor.BFloat16:
		random.TruncatedNormalHalf(p, raw[kernel.BFloat16](o))
	default:
		return false
	}
	return true
}

// RandomUniformInt draws integers from [minval, maxval).
var RandomUniformInt = ir.NewOp("RandomUniformInt", "shape, minval, maxval, seed=0, seed2=0")

func init() {
	RandomUniformInt.Define(ir.Rules{
		Attrs: &RandomAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(1), c.ShapeArg(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := rangeOf(c, 1); m != nil {
				return m
			}
			o := c.O(0)
			uniformInt(draw(c, random.ElementBlocks(o.Len())), o, c.T(1), c.T(2))
			return nil
		},
		Effect: ir.Random, IntArgs: ir.In(0), Grad: ir.NotDifferentiable,
	})
}

// rangeOf checks the bounds in operands i and i+1.
func rangeOf(c *ir.Call, i int) *ir.Mistake {
	for k := i; k < i+2; k++ {
		if c.T(k).Rank() != 0 {
			return ir.Invalid("%s must be 0-D, got shape %s", []string{"minval", "maxval"}[k-i], c.T(k).Shape().Brackets())
		}
	}
	lo, _ := ir.KnownInts(c.T(i))
	hi, _ := ir.KnownInts(c.T(i + 1))
	less := lo[0] < hi[0]
	if c.DType(i) == tensor.Uint64 {
		less = uint64(lo[0]) < uint64(hi[0])
	}
	if !less && c.OutType(0).Shp.NumElements() > 0 {
		return ir.Invalid("Need minval < maxval, got %d >= %d", lo[0], hi[0])
	}
	return nil
}

func uniformInt(p random.Philox, o, lo, hi *tensor.Tensor) {
	switch o.DType() {
	case tensor.Int32:
		random.Int32(p, o.I32(), lo.I32()[0], hi.I32()[0])
	case tensor.Int64:
		random.Int64(p, o.I64(), lo.I64()[0], hi.I64()[0])
	case tensor.Uint32:
		random.Int32(p, raw[uint32](o), raw[uint32](lo)[0], raw[uint32](hi)[0])
	case tensor.Uint64:
		random.Int64(p, raw[uint64](o), raw[uint64](lo)[0], raw[uint64](hi)[0])
	}
}

// RandomShuffle puts the rows of a tensor into a random order.
var RandomShuffle = ir.NewOp("RandomShuffle", "value, seed=0, seed2=0")

func init() {
	RandomShuffle.Define(ir.Rules{
		Attrs: &RandomAttrs{}, Infer: like0,
		Alloc: func(c *ir.Call) *ir.Mistake {
			n := rowCount(c.T(0))
			return shuffled(c, draw(c, random.ShuffleBlocks(n)), n)
		},
		Effect: ir.Random, Grad: ir.NotDifferentiable,
	})
}

func rowCount(t *tensor.Tensor) int {
	if t.Rank() == 0 {
		return 1
	}
	return t.Dims()[0]
}

func shuffled(c *ir.Call, p random.Philox, n int) *ir.Mistake {
	perm := make([]int64, n)
	random.Shuffle(p, perm)
	x := c.T(0)
	inner := x.Len() / max(n, 1)
	g := kernel.GatherShape{Batch: 1, Outer: 1, Axis: n, Inner: inner, Count: n}
	return gatherFlat(c, x, perm, g)
}

// Multinomial draws classes by their logits.
var Multinomial = ir.NewOp("Multinomial", "logits, num_samples, seed=0, seed2=0, output_dtype=int64")

func init() {
	Multinomial.Define(ir.Rules{
		Attrs: &RandomAttrs{DType: tensor.Int64}, Infer: inferMultinomial,
		Kernel: func(c *ir.Call) *ir.Mistake {
			d := c.O(0).Dims()
			return categorical(c, draw(c, random.CategoricalBlocks(d[0], d[1])))
		},
		Effect: ir.Random, IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

func inferMultinomial(c *ir.Call) *ir.Mistake {
	s := c.Shape(0)
	if s.RankKnown() && s.Rank() != 2 {
		return ir.Invalid("logits should be a matrix, got shape %s", s.Brackets())
	}
	n, ok := c.Int(1)
	if !ok {
		n = -1
	} else if n < 0 {
		return ir.Invalid("num_samples should be nonnegative, got %d", n)
	}
	dt := tensor.Int64
	if a, ok := c.Attrs.(interface{ outDType() tensor.DType }); ok {
		dt = a.outDType()
	}
	return c.SetOut(dt, tensor.ShapeOf(s.Dim(0), int(n)))
}

func (a *RandomAttrs) outDType() tensor.DType {
	if a.DType == tensor.Invalid {
		return tensor.Int64
	}
	return a.DType
}

func categorical(c *ir.Call, p random.Philox) *ir.Mistake {
	x, o := c.T(0), c.O(0)
	rows, classes, samples := x.Dims()[0], x.Dims()[1], o.Dims()[1]
	if classes == 0 && o.Len() > 0 {
		return ir.Invalid("num_classes should be positive, got 0")
	}
	logits := make([]float64, x.Len())
	kernel.Cast(logits, elems(x))
	if o.DType() == tensor.Int32 {
		random.Categorical(p, o.I32(), logits, rows, classes, samples)
	} else {
		random.Categorical(p, o.I64(), logits, rows, classes, samples)
	}
	return nil
}

// RandomGamma draws gamma variates of scale one for each alpha.
var RandomGamma = ir.NewOp("RandomGamma", "shape, alpha, seed=0, seed2=0")

func init() {
	RandomGamma.Define(ir.Rules{
		Attrs: &RandomAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(1), c.ShapeArg(0).Concat(c.Shape(1))) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			return doubles(c, c.T(1), draw(c, random.ElementBlocks(c.O(0).Len())), random.Gamma)
		},
		Effect: ir.Random, IntArgs: ir.In(0), Uses: ir.In(1) | ir.Out(0), Grad: gammaGrad,
	})
}

// doubles samples in float64 and rounds to the result's dtype.
func doubles(c *ir.Call, x *tensor.Tensor, p random.Philox, f func(random.Philox, []float64, []float64)) *ir.Mistake {
	out, in := make([]float64, c.O(0).Len()), make([]float64, x.Len())
	if !kernel.Cast(in, elems(x)) {
		return unsupported(c)
	}
	if len(in) > 0 {
		f(p, out, in)
	}
	kernel.Cast(elems(c.O(0)), out)
	return nil
}

// gammaGrad is the implicit reparameterisation gradient, by RandomGammaGrad.
func gammaGrad(g *ir.Grad) {
	s := g.Session
	partial := s.Emit2(RandomGammaGrad, nil, g.X(1), g.Y(0))
	d := mul(s, g.Dy(), partial)
	n := g.Out[0].Type.Shp.Rank() - g.In[1].Type.Shp.Rank()
	axes := make([]int64, max(n, 0))
	for i := range axes {
		axes[i] = int64(i)
	}
	g.DX[1] = s.Emit2(Sum, reduceDrop, d, ir.IntList(axes...))
}

// RandomPoissonV2 draws Poisson counts for each rate.
var RandomPoissonV2 = ir.NewOp("RandomPoissonV2", "shape, rate, seed=0, seed2=0, dtype=int64")

func init() {
	RandomPoissonV2.Define(ir.Rules{
		Attrs: &RandomAttrs{DType: tensor.Int64},
		Infer: func(c *ir.Call) *ir.Mistake {
			return c.SetOut(c.Attrs.(*RandomAttrs).DType, c.ShapeArg(0).Concat(c.Shape(1)))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			return doubles(c, c.T(1), draw(c, random.ElementBlocks(c.O(0).Len())), random.Poisson)
		},
		Effect: ir.Random, IntArgs: ir.In(0), Grad: ir.NoGradient,
	})
}

// StatelessAttrs are those of the stateless random ops. Kind chooses the sampler.
type StatelessAttrs struct{ DType tensor.DType }

func (a *StatelessAttrs) outDType() tensor.DType {
	if a.DType == tensor.Invalid {
		return tensor.Int64
	}
	return a.DType
}

// seeded is the generator of a stateless op whose seed is operand i.
func seeded(c *ir.Call, i int) random.Philox {
	v, _ := c.Ints(i)
	return random.Stateless(v[0], v[1])
}

// inferStateless: operand 0 is the shape, operand 1 the seed.
func inferStateless(c *ir.Call) *ir.Mistake {
	if s := c.Shape(1); s.Known() && s != tensor.ShapeOf(2) {
		return ir.Invalid("seed must have shape [2], not %s", s.Brackets())
	}
	v, exact := c.IntsExact(0)
	for _, d := range v {
		if exact && d < 0 {
			return ir.Invalid("Dimension %d must be >= 0", d)
		}
	}
	return c.SetOut(c.Attrs.(*StatelessAttrs).DType, c.ShapeArg(0))
}

func stateless(f func(p random.Philox, o *tensor.Tensor) bool) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		if !f(seeded(c, 1), c.O(0)) {
			return unsupported(c)
		}
		return nil
	}
}

// StatelessRandomUniform draws from [0, 1) by a seed.
var StatelessRandomUniform = ir.NewOp("StatelessRandomUniform", "shape, seed, dtype")

func init() {
	StatelessRandomUniform.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Float32}, Infer: inferStateless, Kernel: stateless(uniform),
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessRandomNormal draws from the standard normal distribution by a seed.
var StatelessRandomNormal = ir.NewOp("StatelessRandomNormal", "shape, seed, dtype")

func init() {
	StatelessRandomNormal.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Float32}, Infer: inferStateless, Kernel: stateless(normal),
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessTruncatedNormal draws within two deviations by a seed.
var StatelessTruncatedNormal = ir.NewOp("StatelessTruncatedNormal", "shape, seed, dtype")

func init() {
	StatelessTruncatedNormal.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Float32}, Infer: inferStateless, Kernel: stateless(truncated),
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessRandomUniformFullInt draws whole words by a seed.
var StatelessRandomUniformFullInt = ir.NewOp("StatelessRandomUniformFullInt", "shape, seed, dtype")

func init() {
	StatelessRandomUniformFullInt.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Int32}, Infer: inferStateless,
		Kernel: stateless(func(p random.Philox, o *tensor.Tensor) bool {
			switch o.DType() {
			case tensor.Int32:
				random.Bits32(p, o.I32())
			case tensor.Uint32:
				random.Bits32(p, raw[uint32](o))
			case tensor.Int64:
				random.Bits64(p, o.I64())
			case tensor.Uint64:
				random.Bits64(p, raw[uint64](o))
			default:
				return false
			}
			return true
		}),
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessRandomUniformInt draws integers from [minval, maxval) by a seed.
var StatelessRandomUniformInt = ir.NewOp("StatelessRandomUniformInt", "shape, seed, minval, maxval")

func init() {
	StatelessRandomUniformInt.Define(ir.Rules{
		Attrs: &StatelessAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			if s := c.Shape(1); s.Known() && s != tensor.ShapeOf(2) {
				return ir.Invalid("seed must have shape [2], not %s", s.Brackets())
			}
			return c.SetOut(c.DType(2), c.ShapeArg(0))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			if m := rangeOf(c, 2); m != nil {
				return m
			}
			uniformInt(seeded(c, 1), c.O(0), c.T(2), c.T(3))
			return nil
		},
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessMultinomial draws classes by their logits and a seed.
var StatelessMultinomial = ir.NewOp("StatelessMultinomial", "logits, num_samples, seed, output_dtype=int64")

func init() {
	StatelessMultinomial.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Int64}, Infer: inferMultinomial,
		Kernel:  func(c *ir.Call) *ir.Mistake { return categorical(c, seeded(c, 2)) },
		IntArgs: ir.In(1) | ir.In(2), Grad: ir.NotDifferentiable,
	})
}

// StatelessShuffle puts the rows of a tensor into an order given by a seed.
var StatelessShuffle = ir.NewOp("StatelessShuffle", "value, seed")

func init() {
	StatelessShuffle.Define(ir.Rules{
		Infer: like0,
		Alloc: func(c *ir.Call) *ir.Mistake { return shuffled(c, seeded(c, 1), rowCount(c.T(0))) },

		IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

// StatelessRandomGamma draws gamma variates of scale one by a seed.
var StatelessRandomGamma = ir.NewOp("StatelessRandomGamma", "shape, seed, alpha")

func init() {
	StatelessRandomGamma.Define(ir.Rules{
		Attrs: &StatelessAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(2), c.ShapeArg(0)) },
		Kernel: func(c *ir.Call) *ir.Mistake {
			// The draws of one alpha lie together: [samples, alphas].
			return doubles(c, c.T(2), seeded(c, 1), random.Gamma)
		},
		IntArgs: ir.In(0) | ir.In(1), Uses: ir.In(2) | ir.Out(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			d := mul(s, g.Dy(), s.Emit2(RandomGammaGrad, nil, g.X(2), g.Y(0)))
			if w := g.In[2].Type.Shp; w.Known() && d.Shape().Known() {
				g.DX[2] = sumTo(s, d, w)
			}
		},
	})
}

// StatelessRandomPoisson draws Poisson counts by a seed.
var StatelessRandomPoisson = ir.NewOp("StatelessRandomPoisson", "shape, seed, lam, dtype")

func init() {
	StatelessRandomPoisson.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Int64}, Infer: inferStateless,
		Kernel:  func(c *ir.Call) *ir.Mistake { return doubles(c, c.T(2), seeded(c, 1), random.Poisson) },
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NoGradient,
	})
}

// StatelessRandomBinomial draws binomial counts by a seed.
var StatelessRandomBinomial = ir.NewOp("StatelessRandomBinomial", "shape, seed, counts, probs, dtype")

func init() {
	StatelessRandomBinomial.Define(ir.Rules{
		Attrs: &StatelessAttrs{DType: tensor.Int64},
		Infer: func(c *ir.Call) *ir.Mistake {
			want, ok := tensor.Broadcast(c.Shape(2), c.Shape(3))
			s := c.ShapeArg(0)
			if ok && want.Known() && s.Known() && (s.Rank() < want.Rank() || s.Slice(s.Rank()-want.Rank(), s.Rank()) != want) {
				return ir.Invalid("Shape passed in must end with broadcasted shape.")
			}
			return c.SetOut(c.Attrs.(*StatelessAttrs).DType, s)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			return binomials(c, seeded(c, 1), c.T(2), c.T(3))
		},
		IntArgs: ir.In(0) | ir.In(1), Grad: ir.NoGradient,
	})
}

// binomials draws for counts and probs, which broadcast; the samples of one pair
// of them are one after the other in the stream.
func binomials(c *ir.Call, p random.Philox, counts, probs *tensor.Tensor) *ir.Mistake {
	s, _ := tensor.Broadcast(counts.Shape(), probs.Shape())
	ci, pi := spread(counts, s.Dims()), spread(probs, s.Dims())
	n, q := make([]float64, counts.Len()), make([]float64, probs.Len())
	kernel.Cast(n, elems(counts))
	kernel.Cast(q, elems(probs))
	out := make([]float64, c.O(0).Len())
	k := len(ci)
	samples := len(out) / max(k, 1)
	for i := range k {
		for j := range samples {
			out[j*k+i] = random.Binomial(p, n[ci[i]], q[pi[i]], i*samples+j)
		}
	}
	kernel.Cast(elems(c.O(0)), out)
	return nil
}
