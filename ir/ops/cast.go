package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// CastAttrs are those of Cast.
type CastAttrs struct{ DstT tensor.DType }

// SetDType sets the dtype, for callers that don't know the struct.
func (a *CastAttrs) SetDType(dt tensor.DType) { a.DstT = dt }

// Cast changes the dtype.
var Cast = ir.NewOp("Cast", "x, dtype")

func init() {
	Cast.Define(ir.Rules{
		Attrs: &CastAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			to := c.Attrs.(*CastAttrs).DstT
			if (to == tensor.String) != (c.DType(0) == tensor.String) {
				return ir.Wrong("UnimplementedError", "Cast %s to %s is not supported", c.DType(0).CName(), to.CName())
			}
			return c.SetOut(to, c.Shape(0))
		},
		Known: func(c *ir.Call) ([]int64, bool) {
			v, ok := c.Ints(0)
			return v, ok && c.OutType(0).DT.IsInteger()
		},
		View: func(c *ir.Call) (int, bool) { return 0, c.DType(0) == c.Attrs.(*CastAttrs).DstT },
		Kernel: func(c *ir.Call) *ir.Mistake {
			if !kernel.Cast(elems(c.O(0)), elems(c.T(0))) {
				return unsupported(c)
			}
			return nil
		},
		Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) {
			from, to := g.In[0].Type.DT, g.Out[0].Type.DT
			if from.Differentiable() && to.Differentiable() {
				g.DX[0] = cast(g.Session, g.Dy(), from)
			}
		},
	})
}

// BitcastAttrs are those of Bitcast.
type BitcastAttrs struct{ Type tensor.DType }

// Bitcast reads the same bytes as another dtype.
var Bitcast = ir.NewOp("Bitcast", "input, type")

func init() {
	Bitcast.Define(ir.Rules{
		Attrs: &BitcastAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			to, s := c.Attrs.(*BitcastAttrs).Type, c.Shape(0)
			a, b := c.DType(0).Size(), to.Size()
			switch {
			case !s.RankKnown() || a == b:
				return c.SetOut(to, s)
			case a > b:
				return c.SetOut(to, s.Concat(tensor.ShapeOf(a/b)))
			case s.Dim(-1) != b/a:
				return ir.Invalid("Cannot bitcast from %d to %d", a, b)
			}
			return c.SetOut(to, s.Slice(0, s.Rank()-1))
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			copy(c.O(0).Bytes(), c.T(0).Bytes())
			return nil
		},
		Grad: ir.NoGradient,
	})
}

// toReal is the real dtype of complex operand 0.
func toReal(c *ir.Call) *ir.Mistake { return c.SetOut(c.DType(0).Real(), c.Shape(0)) }

// Complex makes complex numbers of two real parts.
var Complex = ir.NewOp("Complex", "real, imag", "tf.complex", "tf.dtypes.complex")

func init() {
	Complex.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			dt := tensor.Complex64
			if c.DType(0) == tensor.Float64 {
				dt = tensor.Complex128
			}
			return broadcastTo(dt)(c)
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			x, y, o := c.T(0), c.T(1), c.O(0)
			ix, iy := spread(x, o.Dims()), spread(y, o.Dims())
			for i := range ix {
				if o.DType() == tensor.Complex64 {
					raw[complex64](o)[i] = complex(x.F32()[ix[i]], y.F32()[iy[i]])
				} else {
					raw[complex128](o)[i] = complex(x.F64()[ix[i]], y.F64()[iy[i]])
				}
			}
			return nil
		},
		Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) {
			g.DX[0] = fit(g, g.Emit1(Real, nil, g.Dy()), 0, 1)
			g.DX[1] = fit(g, g.Emit1(Imag, nil, g.Dy()), 1, 0)
		},
	})
}

// Real is the real part.
var Real = ir.NewOp("Real", "input")

func init() {
	Real.Define(ir.Rules{
		Infer: toReal, Kernel: partOf(kernel.RealPart[float32, complex64], kernel.RealPart[float64, complex128]), Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Complex, nil, g.Dy(), zero(g.Session, g.Dy().DType())) },
	})
}

// Imag is the imaginary part.
var Imag = ir.NewOp("Imag", "input")

func init() {
	Imag.Define(ir.Rules{
		Infer: toReal, Kernel: partOf(kernel.ImagPart[float32, complex64], kernel.ImagPart[float64, complex128]), Fuse: ir.Elementwise,
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit2(Complex, nil, zero(g.Session, g.Dy().DType()), g.Dy()) },
	})
}

// Conj is the complex conjugate.
var Conj = ir.NewOp("Conj", "x")

func init() {
	Conj.Define(ir.Rules{
		Infer: like0, InPlace: true, Fuse: ir.Elementwise,
		Kernel: func(c *ir.Call) *ir.Mistake {
			switch c.DType(0) {
			case tensor.Complex64:
				kernel.Conj(raw[complex64](c.O(0)), raw[complex64](c.T(0)))
			case tensor.Complex128:
				kernel.Conj(raw[complex128](c.O(0)), raw[complex128](c.T(0)))
			default:
				return unsupported(c)
			}
			return nil
		},
		Grad: func(g *ir.Grad) { g.DX[0] = g.Emit1(Conj, nil, g.Dy()) },
	})
}

// ComplexAbs is the absolute value of a complex number.
var ComplexAbs = ir.NewOp("ComplexAbs", "x")

func init() {
	ComplexAbs.Define(ir.Rules{
		Infer: toReal, Kernel: partOf(kernel.ComplexAbs[float32, complex64], kernel.ComplexAbs[float64, complex128]), Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			s := g.Session
			d := s.Emit2(Complex, nil, g.Dy(), zero(s, g.Dy().DType()))
			g.DX[0] = mul(s, d, s.Emit1(Sign, nil, g.X(0)))
		},
	})
}

// Angle is the argument of a complex number.
var Angle = ir.NewOp("Angle", "input")

func init() {
	Angle.Define(ir.Rules{
		Infer: toReal, Kernel: partOf(kernel.Angle[float32, complex64], kernel.Angle[float64, complex128]), Fuse: ir.Elementwise,
		Uses: ir.In(0),
		Grad: func(g *ir.Grad) {
			s, x := g.Session, g.X(0)
			re, im := s.Emit1(Real, nil, x), s.Emit1(Imag, nil, x)
			z := s.Emit1(Reciprocal, nil, s.Emit2(Complex, nil, im, re))
			d := s.Emit2(Complex, nil, g.Dy(), zero(s, g.Dy().DType()))
			g.DX[0] = neg(s, mul(s, d, z))
		},
	})
}

func partOf(f func([]float32, []complex64), d func([]float64, []complex128)) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		switch c.DType(0) {
		case tensor.Complex64:
			f(c.O(0).F32(), raw[complex64](c.T(0)))
		case tensor.Complex128:
			d(c.O(0).F64(), raw[complex128](c.T(0)))
		default:
			return unsupported(c)
		}
		return nil
	}
}
