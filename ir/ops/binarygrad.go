package ops

import (
	"github.com/tfs-lang/tfs/ir"
)

// powGrad: dx = y x**(y-1) dy; dy = log(x) where x is above 0 (anywhere but 0 for
// complex numbers) times the result, 0 elsewhere.
func powGrad(g *ir.Grad) {
	s := g.Session
	x, y, z := conj(s, g.X(0)), conj(s, g.X(1)), conj(s, g.Y(0))
	if g.Wants(0) {
		p := g.Emit2(Pow, nil, x, sub(s, y, s.Scalar(y.DType(), 1)))
		g.DX[0] = fit(g, mul(s, mul(s, g.Dy(), y), p), 0, 1)
	}
	if g.Wants(1) {
		test := Greater
		if x.DType().IsComplex() {
			test = NotEqual
		}
		ok := g.Emit2(test, eqAttrs(test), x, zero(s, x.DType()))
		safe := where(s, ok, x, g.Emit1(OnesLike, nil, x))
		log := where(s, ok, g.Emit1(Log, nil, safe), zeros(s, x))
		g.DX[1] = fit(g, mul(s, mul(s, g.Dy(), z), log), 1, 0)
	}
}

func eqAttrs(op *ir.Op) any {
	if op == NotEqual || op == Equal {
		return strictEqual
	}
	return nil
}

// choiceGrad gives the gradient to the operand that was chosen, ties to the first.
func choiceGrad(test *ir.Op) func(g *ir.Grad) {
	return func(g *ir.Grad) {
		s := g.Session
		first := g.Emit2(test, nil, g.X(0), g.X(1))
		none := zero(s, g.Dy().DType())
		if g.Wants(0) {
			g.DX[0] = fit(g, where(s, first, g.Dy(), none), 0, 1)
		}
		if g.Wants(1) {
			g.DX[1] = fit(g, where(s, first, none, g.Dy()), 1, 0)
		}
	}
}

func squaredDifferenceGrad(g *ir.Grad) {
	s := g.Session
	d := mul(s, times(s, g.Dy(), 2), sub(s, g.X(0), g.X(1)))
	if g.Wants(0) {
		g.DX[0] = fit(g, d, 0, 1)
	}
	if g.Wants(1) {
		g.DX[1] = fit(g, neg(s, d), 1, 0)
	}
}

func atan2Grad(g *ir.Grad) {
	s := g.Session
	k := div(s, g.Dy(), add(s, square(s, g.X(1)), square(s, g.X(0))))
	g.DX[0] = fit(g, mul(s, g.X(1), k), 0, 1)
	g.DX[1] = fit(g, neg(s, mul(s, g.X(0), k)), 1, 0)
}

// notZero is 1 where x isn't 0.
func notZero(s *ir.Session, x ir.Value) ir.Value {
	return cast(s, s.Emit2(NotEqual, strictEqual, x, zero(s, x.DType())), x.DType())
}

func xlogyGrad(g *ir.Grad) {
	s := g.Session
	g.DX[0] = fit(g, mul(s, g.Dy(), g.Emit2(Xlogy, nil, notZero(s, g.X(0)), g.X(1))), 0, 1)
	g.DX[1] = fit(g, mul(s, g.Dy(), g.Emit2(Xdivy, nil, g.X(0), g.X(1))), 1, 0)
}

func xlog1pyGrad(g *ir.Grad) {
	s := g.Session
	g.DX[0] = fit(g, mul(s, g.Dy(), g.Emit2(Xlog1py, nil, notZero(s, g.X(0)), g.X(1))), 0, 1)
	g.DX[1] = fit(g, mul(s, g.Dy(), g.Emit2(Xdivy, nil, g.X(0), plus(s, g.X(1), 1))), 1, 0)
}

func xdivyGrad(g *ir.Grad) {
	s := g.Session
	g.DX[0] = fit(g, mul(s, g.Dy(), g.Emit2(Xdivy, nil, notZero(s, g.X(0)), g.X(1))), 0, 1)
	g.DX[1] = fit(g, mul(s, g.Dy(), g.Emit2(Xdivy, nil, neg(s, g.X(0)), square(s, g.X(1)))), 1, 0)
}

// igammaGrad: the derivative in x is the gamma density, that in a IgammaGradA, up
// to sign.
func igammaGrad(sign float64) func(g *ir.Grad) {
	return func(g *ir.Grad) {
		s, a, x := g.Session, g.X(0), g.X(1)
		if g.Wants(0) {
			g.DX[0] = fit(g, times(s, mul(s, g.Dy(), g.Emit2(IgammaGradA, nil, a, x)), sign), 0, 1)
		}
		e := sub(s, sub(s, g.Emit2(Xlogy, nil, plus(s, a, -1), x), x), g.Emit1(Lgamma, nil, a))
		g.DX[1] = fit(g, times(s, mul(s, g.Dy(), g.Emit1(Exp, nil, e)), sign), 1, 0)
	}
}

func zetaGrad(g *ir.Grad) {
	s := g.Session
	g.DX[1] = fit(g, mul(s, g.Dy(), mul(s, neg(s, g.X(0)), g.Emit2(Zeta, nil, plus(s, g.X(0), 1), g.X(1)))), 1, 0)
}

func polygammaGrad(g *ir.Grad) {
	s := g.Session
	g.DX[1] = fit(g, mul(s, g.Dy(), g.Emit2(Polygamma, nil, plus(s, g.X(0), 1), g.X(1))), 1, 0)
}
