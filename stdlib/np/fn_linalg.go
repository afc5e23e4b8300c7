package np

import (
	"math"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

func oneArray(f func(c *ndarray.Ctx, a *ndarray.Array) (*ndarray.Array, error)) lang.Native {
	return arrayFn(func(r *args) (*ndarray.Array, error) {
		x := r.arr(0)
		if r.err != nil {
			return nil, r.err
		}
		return f(&r.s.c, x)
	})
}

func linalgDef() *lang.ModuleDef {
	rows := []lang.Def{
		{Sig: "solve(a, b)", Fn: two((*ndarray.Ctx).Solve)},
		{Sig: "inv(a)", Fn: oneArray((*ndarray.Ctx).Inv)},
		{Sig: "det(a)", Fn: oneArray((*ndarray.Ctx).Det)},
		{Sig: "cholesky(a, /, *, upper=False)", Fn: arrayFn(linalgCholesky)},
		{Sig: "svd(a, full_matrices=True, compute_uv=True, hermitian=False)", Fn: fn(linalgSvd)},
		{Sig: "svdvals(x, /)", Fn: arrayFn(linalgSvdvals)},
		{Sig: "qr(a, mode='reduced')", Fn: fn(linalgQr)},
		{Sig: "eigh(a, UPLO='L')", Fn: fn(linalgEigh)},
		{Sig: "eigvalsh(a, UPLO='L')", Fn: arrayFn(linalgEigvalsh)},
		{Sig: "eig(a)", Fn: fn(linalgEig)},
		{Sig: "eigvals(a)", Fn: arrayFn(linalgEigvals)},
		{Sig: "pinv(a, rcond=None, hermitian=False, *, rtol=None)", Fn: arrayFn(linalgPinv)},
		{Sig: "matrix_rank(A, tol=None, hermitian=False, *, rtol=None)", Fn: fn(linalgMatrixRank)},
		{Sig: "lstsq(a, b, rcond=None)", Fn: fn(lstsq)},
		{Sig: "_norm2(x)", Fn: arrayFn(linalgNorm2)},
	}
	for i := range rows {
		rows[i].Flags |= lang.DefPython
	}
	return &lang.ModuleDef{Name: "numpy.linalg", Defs: rows, GetAttr: fromScript("numpy._linalg"), Init: func(_ *lang.Thread, m *lang.Module) error {
		m.Set("LinAlgError", LinAlgError.Value())
		return nil
	}}
}

func linalgCholesky(r *args) (*ndarray.Array, error) {
	x := r.arr(0)
	if r.err != nil {
		return nil, r.err
	}
	l, err := r.s.c.Cholesky(x)
	if err == nil && r.flag(1) {
		l, err = l.SwapAxes(-1, -2)
	}
	return l, err
}

func linalgSvd(r *args) (Value, error) {
	x, vectors := r.arr(0), r.flag(2)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	parts, err := r.s.c.SVD(x, r.flag(1), vectors)
	if err == nil && !vectors {
		return parts[0].Value(), nil
	}
	return r.named("SVDResult", parts, err)
}

func linalgSvdvals(r *args) (*ndarray.Array, error) {
	parts, err := r.s.c.SVD(r.arr(0), false, false)
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func linalgQr(r *args) (Value, error) {
	x, mode := r.arr(0), r.str(1, "reduced")
	if r.err != nil {
		return lang.Unbound, r.err
	}
	parts, err := r.s.c.QR(x, mode == "complete")
	if err == nil && mode == "r" {
		return parts[1].Value(), nil
	}
	return r.named("QRResult", parts, err)
}

func linalgEigh(r *args) (Value, error) {
	parts, err := r.s.c.EigH(r.arr(0))
	return r.named("EighResult", parts, err)
}

func linalgEigvalsh(r *args) (*ndarray.Array, error) {
	parts, err := r.s.c.EigH(r.arr(0))
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func linalgEig(r *args) (Value, error) {
	parts, err := r.s.c.Eig(r.arr(0))
	return r.named("EigResult", parts, err)
}

func linalgEigvals(r *args) (*ndarray.Array, error) {
	parts, err := r.s.c.Eig(r.arr(0))
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func linalgPinv(r *args) (*ndarray.Array, error) {
	x, rcond := r.arr(0), r.float(1, 1e-15)
	if r.err != nil {
		return nil, r.err
	}
	return r.s.c.PInv(x, rcond)
}

func linalgMatrixRank(r *args) (Value, error) {
	x := r.arr(0)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	n, err := r.s.c.MatrixRank(x)
	return intScalar(int64(n)), r.s.err(err)
}

// linalgNorm2 is of all elements, as a dot product
func linalgNorm2(r *args) (*ndarray.Array, error) {
	x := r.arr(0).Ravel()
	if r.err != nil {
		return nil, r.err
	}
	if !x.DT.IsFloat() {
		y, err := r.s.c.Cast(x, ndarray.Float64)
		if err != nil {
			return nil, err
		}
		x = y
	}
	d, err := r.s.c.Dot(x, x)
	if err != nil {
		return nil, err
	}
	return r.s.c.Call(ndarray.Func("sqrt"), ndarray.Strongly(d), ndarray.Options{})
}

// named is a result with named fields.
func (r *args) named(class string, parts []*ndarray.Array, err error) (Value, error) {
	if err != nil || r.err != nil {
		if r.err == nil {
			r.err = r.s.err(err)
		}
		return lang.Unbound, r.err
	}
	m, err := r.s.th.Import("numpy._linalg")
	if err != nil {
		return lang.Unbound, err
	}
	c, err := lang.Attr(r.s.th, m, class)
	if err != nil {
		return lang.Unbound, err
	}
	return r.s.th.Call(c, values(parts))
}

func lstsq(r *args) (Value, error) {
	a, b := r.arr(0), r.arr(1)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	eps := math.Nextafter(1, 2) - 1
	n := 0
	for _, d := range a.Dims() {
		n = max(n, d)
	}
	rcond := r.float(2, eps*float64(n))
	x, rank, sv, err := r.s.c.LstSq(a, b, rcond)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	res, err := r.residuals(a, b, x, rank)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	return lang.NewTuple(x.Value(), res.Value(), lang.Int(int64(rank)), sv.Value()), nil
}

// residuals are the sums of squares left, empty when there are none.
func (r *args) residuals(a, b, x *ndarray.Array, rank int) (*ndarray.Array, error) {
	m, n := a.Dims()[0], a.Dims()[1]
	if rank != n || m <= n {
		return ndarray.New(ndarray.Float64, 0), nil
	}
	y, err := r.s.c.MatMul(a, x)
	if err == nil {
		y, err = r.s.c.Call(ndarray.Func("subtract"), ndarray.Strongly(b, y), ndarray.Options{})
	}
	if err == nil {
		y, err = r.s.c.Call(ndarray.Func("square"), ndarray.Strongly(y), ndarray.Options{})
	}
	if err != nil {
		return nil, err
	}
	s, err := r.s.c.Reduce(ndarray.Func("add"), y, ndarray.Axis(0))
	if err == nil && s.Rank() == 0 {
		return s.Reshape(1)
	}
	return s, err
}

func fftDef() *lang.ModuleDef {
	row := func(name string, inverse bool) lang.Def {
		return lang.Def{Sig: name + "(a, n=None, axis=-1, norm=None)", Flags: lang.DefPython, Fn: arrayFn(func(r *args) (*ndarray.Array, error) {
			x, axis := r.arr(0), r.int(2, -1)
			if r.err != nil {
				return nil, r.err
			}
			ax, err := ndarray.NormAxis(axis, x.Rank())
			if err != nil {
				return nil, err
			}
			return r.s.c.FFT(x, r.int(1, x.Dims()[ax]), ax, inverse)
		})}
	}
	return &lang.ModuleDef{Name: "numpy.fft", Defs: []lang.Def{row("fft", false), row("ifft", true)}, GetAttr: fromScript("numpy._fft")}
}
