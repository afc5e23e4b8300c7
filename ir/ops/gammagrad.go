package ops

import (
	"math"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// RandomGammaGrad is the derivative of a gamma variate in its alpha: minus the
// derivative of the distribution function in alpha over its density.
var RandomGammaGrad = ir.NewOp("RandomGammaGrad", "alpha, sample")

func init() {
	RandomGammaGrad.Define(ir.Rules{
		Infer: broadcast,
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, x, o := c.T(0), c.T(1), c.O(0)
			ia, ix := spread(a, o.Dims()), spread(x, o.Dims())
			fa, fx, out := make([]float64, a.Len()), make([]float64, x.Len()), make([]float64, o.Len())
			kernel.Cast(fa, elems(a))
			kernel.Cast(fx, elems(x))
			for i := range out {
				out[i] = sampleDerivative(fa[ia[i]], fx[ix[i]])
			}
			kernel.Cast(elems(o), out)
			return nil
		},
		Grad: ir.NoGradient,
	})
}

// IgammaGradA is the derivative of Igamma in a.
var IgammaGradA = ir.NewOp("IgammaGradA", "a, x")

func init() {
	IgammaGradA.Define(ir.Rules{
		Infer: broadcast,
		Kernel: func(c *ir.Call) *ir.Mistake {
			a, x, o := c.T(0), c.T(1), c.O(0)
			ia, ix := spread(a, o.Dims()), spread(x, o.Dims())
			fa, fx, out := make([]float64, a.Len()), make([]float64, x.Len()), make([]float64, o.Len())
			kernel.Cast(fa, elems(a))
			kernel.Cast(fx, elems(x))
			for i := range out {
				out[i] = igammaInA(fa[ia[i]], fx[ix[i]])
			}
			kernel.Cast(elems(o), out)
			return nil
		},
		Grad: ir.NoGradient,
	})
}

// sampleDerivative is dx/da at a sample x of Gamma(a), by implicit differentiation.
func sampleDerivative(a, x float64) float64 {
	lg, _ := math.Lgamma(a)
	density := math.Exp((a-1)*math.Log(x) - x - lg)
	if density == 0 || x <= 0 {
		return 0
	}
	return -igammaInA(a, x) / density
}

// igammaInA differentiates the series of the lower regularised incomplete gamma
// function term by term: P = x^a e^-x Σ x^n / Γ(a+n+1).
func igammaInA(a, x float64) float64 {
	if x <= 0 {
		return 0
	}
	lg, _ := math.Lgamma(a + 1)
	term := math.Exp(a*math.Log(x) - x - lg)
	psi := digammaOf(a + 1)
	logx := math.Log(x)
	sum := 0.0
	for n := 0; n < 2000; n++ {
		d := term * (logx - psi)
		sum += d
		if n > 5 && math.Abs(d) <= 1e-17*math.Abs(sum) && float64(n) > x {
			break
		}
		k := a + float64(n) + 1
		term *= x / k
		psi += 1 / k
	}
	return sum
}

func digammaOf(x float64) float64 {
	v := []float64{x}
	kernel.Unary(kernel.Digamma, v, v)
	return v[0]
}
