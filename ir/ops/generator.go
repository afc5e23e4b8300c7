package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
)

// GeneratorAttrs are those of GeneratorDraw: Kind is uniform, normal, truncated,
// bits, int or binomial.
type GeneratorAttrs struct {
	Kind  string
	DType tensor.DType
}

// GeneratorDraw draws from the stream that a generator's state names: operands are
// the state (two words of counter, one of key), the shape, and for int the bounds,
// for binomial counts and probabilities.
var GeneratorDraw = ir.NewOp("GeneratorDraw", "state, shape")

func init() {
	GeneratorDraw.Define(ir.Rules{
		Attrs: &GeneratorAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			if s := c.Shape(0); s.Known() && s != tensor.ShapeOf(3) {
				return ir.Invalid("For the Philox algorithm, the size of state must be at least 3; got %s", s.Brackets())
			}
			return c.SetOut(c.Attrs.(*GeneratorAttrs).DType, c.ShapeArg(1))
		},
		Kernel: runGenerator, IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
	})
}

func runGenerator(c *ir.Call) *ir.Mistake {
	v, _ := ir.KnownInts(c.T(0))
	p, o := random.Philox{Lo: uint64(v[0]), Hi: uint64(v[1]), Key: uint64(v[2])}, c.O(0)
	ok := true
	switch c.Attrs.(*GeneratorAttrs).Kind {
	case "uniform":
		ok = uniform(p, o)
	case "normal":
		ok = normal(p, o)
	case "truncated":
		ok = truncated(p, o)
	case "bits":
		ok = words32or64(p, o)
	case "int":
		if m := rangeOf(c, 2); m != nil {
			return m
		}
		uniformInt(p, o, c.T(2), c.T(3))
	default:
		return binomials(c, p, c.T(2), c.T(3))
	}
	if !ok {
		return unsupported(c)
	}
	return nil
}

// words32or64 fills an integer tensor with whole words.
func words32or64(p random.Philox, o *tensor.Tensor) bool {
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
}
