package ndarray

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// gemmAny multiplies dense matrices of one type into a zeroed one.
func gemmAny(dt DType, m, n, k int, a, b, c *Array) {
	switch dt.K {
	case tensor.Float32:
		gemmOf[float32](m, n, k, a, b, c)
	case tensor.Float64:
		gemmOf[float64](m, n, k, a, b, c)
	case tensor.Int8:
		gemmOf[int8](m, n, k, a, b, c)
	case tensor.Int16:
		gemmOf[int16](m, n, k, a, b, c)
	case tensor.Int32:
		gemmOf[int32](m, n, k, a, b, c)
	case tensor.Int64:
		gemmOf[int64](m, n, k, a, b, c)
	case tensor.Uint8:
		gemmOf[uint8](m, n, k, a, b, c)
	case tensor.Uint16:
		gemmOf[uint16](m, n, k, a, b, c)
	case tensor.Uint32:
		gemmOf[uint32](m, n, k, a, b, c)
	case tensor.Uint64:
		gemmOf[uint64](m, n, k, a, b, c)
	case tensor.Complex64:
		gemmOf[complex64](m, n, k, a, b, c)
	case tensor.Complex128:
		gemmOf[complex128](m, n, k, a, b, c)
	}
}

func gemmOf[T kernel.Num](m, n, k int, a, b, c *Array) {
	x, y := slice[T](a), slice[T](b)
	if n == 1 && m == 1 {
		slice[T](c)[0] = dot(x, y)
		return
	}
	kernel.Gemm(false, false, m, n, k, x, max(k, 1), y, max(n, 1), slice[T](c), max(n, 1), false)
}

func dot[T kernel.Num](x, y []T) T {
	var s T
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

// MatMul is a @ b: vectors are rows on the left and columns on the right, leading
// dimensions broadcast.
func (c *Ctx) MatMul(a, b *Array) (*Array, error) {
	const sig = "(n?,k),(k,m?)->(n?,m?)"
	for i, x := range [2]*Array{a, b} {
		if len(x.dims) == 0 {
			return nil, valueError("matmul: Input operand %d does not have enough dimensions (has 0, gufunc core with signature %s requires 1)", i, sig)
		}
	}
	vecA, vecB := len(a.dims) == 1, len(b.dims) == 1
	if vecA {
		a, _ = a.ExpandDims(0)
	}
	if vecB {
		b, _ = b.ExpandDims(-1)
	}
	na, nb := len(a.dims), len(b.dims)
	m, k, n := a.dims[na-2], a.dims[na-1], b.dims[nb-1]
	if b.dims[nb-2] != k {
		return nil, valueError("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature %s (size %d is different from %d)", sig, b.dims[nb-2], k)
	}
	batch, err := BroadcastShapes(a.dims[:na-2], b.dims[:nb-2])
	if err != nil {
		return nil, err
	}
	out, err := c.batchMul(a, b, batch, m, n, k)
	if err != nil {
		return nil, err
	}
	if vecB {
		out, _ = out.Squeeze([]int{-1}, false)
	}
	if vecA {
		ax := -2
		if vecB {
			ax = -1
		}
		out, _ = out.Squeeze([]int{ax}, false)
	}
	out.base = nil
	return out, nil
}

func (c *Ctx) batchMul(a, b *Array, batch []int, m, n, k int) (*Array, error) {
	dt, err := commonType([]*Array{a, b})
	if err != nil {
		return nil, err
	}
	if !dt.IsNumber() {
		return nil, typeError("matmul: not for arrays of %s", dt.Name())
	}
	res := dt
	switch {
	case dt == Bool:
		dt = Uint8
	case dt == Float16 || dt == BFloat16:
		dt = Float32
	}
	if a, err = c.Cast(a, dt); err != nil {
		return nil, err
	}
	if b, err = c.Cast(b, dt); err != nil {
		return nil, err
	}
	if err := c.Room(dt, append(slices.Clone(batch), m, n)); err != nil {
		return nil, err
	}
	out := New(dt, append(slices.Clone(batch), m, n)...)
	av, bv := broadcastView(a, append(slices.Clone(batch), m, k)), broadcastView(b, append(slices.Clone(batch), k, n))
	nb := len(batch)
	each := func(v *Array) []int {
		var pos []int
		v.view(v.off, v.dims[:nb], v.strides[:nb]).each(func(p int) { pos = append(pos, p) })
		return pos
	}
	pa, pb, po := each(av), each(bv), each(out)
	for i := range po {
		x := av.view(pa[i], av.dims[nb:], av.strides[nb:]).Contiguous()
		y := bv.view(pb[i], bv.dims[nb:], bv.strides[nb:]).Contiguous()
		gemmAny(dt, m, n, k, x, y, out.view(po[i], out.dims[nb:], out.strides[nb:]))
	}
	if res == Bool {
		return c.Call(ufuncs["not_equal"], Strongly(out, New(dt)), Options{})
	}
	return c.Cast(out, res)
}

// Dot is np.dot.
func (c *Ctx) Dot(a, b *Array) (*Array, error) {
	switch {
	case len(a.dims) == 0 || len(b.dims) == 0:
		return c.Call(ufuncs["multiply"], Strongly(a, b), Options{})
	case len(b.dims) == 1 || len(b.dims) == 2 && len(a.dims) <= 2:
		if k := b.dims[max(len(b.dims)-2, 0)]; a.dims[len(a.dims)-1] != k {
			return nil, notAligned(a, b)
		}
		return c.MatMul(a, b)
	}
	if a.dims[len(a.dims)-1] != b.dims[len(b.dims)-2] {
		return nil, notAligned(a, b)
	}
	return c.TensorDot(a, b, []int{len(a.dims) - 1}, []int{len(b.dims) - 2})
}

func notAligned(a, b *Array) error {
	j := max(len(b.dims)-2, 0)
	return valueError("shapes %s and %s not aligned: %d (dim %d) != %d (dim %d)", tupleText(a.dims), tupleText(b.dims), a.dims[len(a.dims)-1], len(a.dims)-1, b.dims[j], j)
}

// TensorDot sums products over pairs of axes.
func (c *Ctx) TensorDot(a, b *Array, axa, axb []int) (*Array, error) {
	bad := len(axa) != len(axb)
	ma, err := (&Reduction{Axes: axa}).mask(len(a.dims))
	if err != nil {
		return nil, err
	}
	mb, err := (&Reduction{Axes: axb}).mask(len(b.dims))
	if err != nil {
		return nil, err
	}
	k := 1
	for i := range axa {
		x, _ := NormAxis(axa[i], len(a.dims))
		if bad {
			break
		}
		y, _ := NormAxis(axb[i], len(b.dims))
		bad = bad || a.dims[x] != b.dims[y]
		k *= a.dims[x]
	}
	if bad {
		return nil, valueError("shape-mismatch for sum")
	}
	pa, da := freeAxes(a, ma)
	pb, db := freeAxes(b, mb)
	for i := range axa {
		x, _ := NormAxis(axa[i], len(a.dims))
		y, _ := NormAxis(axb[i], len(b.dims))
		pa = append(pa, x)
		pb = slices.Insert(pb, i, y)
	}
	x, _ := a.permuted(pa).Reshape(product(da), k)
	y, _ := b.permuted(pb).Reshape(k, product(db))
	out, err := c.MatMul(x, y)
	if err != nil {
		return nil, err
	}
	return out.Reshape(append(da, db...)...)
}

func freeAxes(a *Array, m []bool) (axes, dims []int) {
	for i, red := range m {
		if !red {
			axes, dims = append(axes, i), append(dims, a.dims[i])
		}
	}
	return axes, dims
}

// Einsum is np.einsum with a subscripts string.
func (c *Ctx) Einsum(spec string, ops []*Array) (*Array, error) {
	spec = strings.ReplaceAll(spec, " ", "")
	in, out, explicit := strings.Cut(spec, "->")
	terms := strings.Split(in, ",")
	if len(terms) != len(ops) {
		return nil, valueError("operands provided to einstein sum do not match the subscripts: %d for %d", len(ops), len(terms))
	}
	e := einsum{size: map[byte]int{}}
	for i, t := range terms {
		x, err := e.term(t, ops[i])
		if err != nil {
			return nil, err
		}
		e.terms, e.ops = append(e.terms, x), append(e.ops, ops[i])
	}
	if !explicit {
		out = e.implicit()
	}
	out = e.expand(out, e.ellipsis)
	if e.bad {
		return nil, e.mismatch(out)
	}
	return e.contract(c, out)
}

// mismatch shows how each operand would lie along the axes of the result and the sums.
func (e *einsum) mismatch(out string) error {
	axes := out
	for _, t := range e.terms {
		for i := range len(t) {
			if strings.IndexByte(axes, t[i]) < 0 {
				axes += t[i : i+1]
			}
		}
	}
	text := ""
	for k, t := range e.terms {
		var parts []string
		for i := range len(axes) {
			if j := strings.IndexByte(t, axes[i]); j >= 0 {
				parts = append(parts, strconv.Itoa(e.ops[k].dims[j]))
			} else if len(parts) > 0 {
				parts = append(parts, "newaxis")
			}
		}
		text += tupleText(e.ops[k].dims) + "->(" + strings.Join(parts, ",") + ") "
	}
	return valueError("operands could not be broadcast together with remapped shapes [original->remapped]: %s", text)
}

// einsum is one call in the making. Letters of an ellipsis are bytes from 128 on.
type einsum struct {
	terms    []string
	ops      []*Array
	size     map[byte]int
	ellipsis int // longest run of unnamed axes
	bad      bool
}

func (e *einsum) expand(t string, n int) string {
	var b []byte
	for i := n; i > 0; i-- {
		b = append(b, 128+byte(i-1))
	}
	return strings.Replace(t, "...", string(b), 1)
}

// term names every axis of x and notes the sizes.
func (e *einsum) term(t string, x *Array) (string, error) {
	if strings.Contains(t, "...") {
		n := len(x.dims) - (len(t) - 3)
		e.ellipsis = max(e.ellipsis, n)
		t = e.expand(t, n)
	}
	if len(t) != len(x.dims) {
		if len(t) > len(x.dims) {
			return "", valueError("einstein sum subscripts string contains too many subscripts for operand %d", len(e.ops))
		}
		return "", valueError("operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions.")
	}
	for i := range len(t) {
		d := x.dims[i]
		if s, ok := e.size[t[i]]; ok && s != d && s != 1 && d != 1 {
			e.bad = true
		}
		e.size[t[i]] = max(e.size[t[i]], d)
	}
	return t, nil
}

// implicit is the output without an arrow: letters that occur once, in order.
func (e *einsum) implicit() string {
	count := map[byte]int{}
	for _, t := range e.terms {
		for i := range len(t) {
			count[t[i]]++
		}
	}
	var b []byte
	for l, n := range count {
		if n == 1 && l < 128 {
			b = append(b, l)
		}
	}
	slices.Sort(b)
	return "..." + string(b)
}

// contract multiplies the operands one after the other.
func (e *einsum) contract(c *Ctx, out string) (*Array, error) {
	for i := range len(out) {
		if _, ok := e.size[out[i]]; !ok {
			return nil, valueError("einstein sum subscripts string included output subscript '%c' which never appeared in an input", out[i])
		}
	}
	acc, term := e.ops[0], e.terms[0]
	var err error
	if acc, term, err = e.simplify(c, acc, term, out+strings.Join(e.terms[1:], "")); err != nil {
		return nil, err
	}
	for i := 1; i < len(e.ops); i++ {
		rest := out + strings.Join(e.terms[i+1:], "")
		x, t, err := e.simplify(c, e.ops[i], e.terms[i], rest+term)
		if err != nil {
			return nil, err
		}
		if acc, term, err = e.pair(c, acc, term, x, t, rest); err != nil {
			return nil, err
		}
	}
	perm := make([]int, len(out))
	for i := range perm {
		perm[i] = strings.IndexByte(term, out[i])
	}
	return acc.permuted(perm).Copy(), nil
}

// simplify takes diagonals of repeated letters and sums letters that nobody else needs.
func (e *einsum) simplify(c *Ctx, x *Array, t, need string) (*Array, string, error) {
	for i := 0; i < len(t); i++ {
		if j := strings.IndexByte(t[i+1:], t[i]); j >= 0 {
			l := t[i]
			d, err := x.Diagonal(0, i, i+1+j)
			if err != nil {
				return nil, "", err
			}
			x = d
			t = strings.ReplaceAll(t, string(rune(l)), "")
			t = removeByte(t, l) + string([]byte{l})
			i = -1
		}
	}
	for i := len(t) - 1; i >= 0; i-- {
		if strings.IndexByte(need, t[i]) < 0 {
			s, err := c.Reduce(ufuncs["add"], x, Reduction{Axes: []int{i}, DType: &x.DT})
			if err != nil {
				return nil, "", err
			}
			x, t = s, t[:i]+t[i+1:]
		}
	}
	return x, t, nil
}

func removeByte(t string, l byte) string {
	var b []byte
	for i := range len(t) {
		if t[i] != l {
			b = append(b, t[i])
		}
	}
	return string(b)
}

// pair multiplies two operands: shared letters that are needed later are batch
// axes, the other shared ones are summed.
func (e *einsum) pair(c *Ctx, x *Array, tx string, y *Array, ty, need string) (*Array, string, error) {
	var batch, sum, fx, fy string
	for i := range len(tx) {
		switch l := tx[i : i+1]; {
		case strings.Contains(ty, l) && strings.Contains(need, l):
			batch += l
		case strings.Contains(ty, l):
			sum += l
		default:
			fx += l
		}
	}
	for i := range len(ty) {
		if l := ty[i : i+1]; !strings.Contains(tx, l) {
			fy += l
		}
	}
	a, err := e.arrange(x, tx, batch, fx, sum)
	if err != nil {
		return nil, "", err
	}
	b, err := e.arrange(y, ty, batch, sum, fy)
	if err != nil {
		return nil, "", err
	}
	out, err := c.MatMul(a, b)
	if err != nil {
		return nil, "", err
	}
	t := batch + fx + fy
	dims := make([]int, len(t))
	for i := range dims {
		dims[i] = e.size[t[i]]
	}
	out, err = out.Reshape(dims...)
	return out, t, err
}

// arrange brings x to (batch, rows, columns).
func (e *einsum) arrange(x *Array, t, batch, rows, cols string) (*Array, error) {
	order := batch + rows + cols
	perm, dims := make([]int, len(order)), make([]int, len(order))
	for i := range perm {
		perm[i] = strings.IndexByte(t, order[i])
		dims[i] = e.size[order[i]]
	}
	nb, nr := len(batch), len(rows)
	return broadcastView(x.permuted(perm), dims).Reshape(product(dims[:nb]), product(dims[nb:nb+nr]), product(dims[nb+nr:]))
}

// linAlgError is numpy.linalg.LinAlgError.
func linAlgError(text string) error { return fail("LinAlgError", "%s", text) }

// Square checks that the last two axes are equal.
func Square(a *Array) (int, error) {
	nd := len(a.dims)
	if nd < 2 {
		return 0, linAlgError(strings.Replace("D-dimensional array given. Array must be at least two-dimensional", "D", string(rune('0'+nd)), 1))
	}
	if a.dims[nd-1] != a.dims[nd-2] {
		return 0, linAlgError("Last 2 dimensions of the array must be square")
	}
	return a.dims[nd-1], nil
}

// floatType is the type that linear algebra results have.
func floatType(dt DType) DType {
	if dt == Float32 {
		return Float32
	}
	return Float64
}

// lu factors a row-major matrix in place with partial pivoting; sign is 0 when singular.
func lu(a []float64, n int) (piv []int, sign float64) {
	piv, sign = make([]int, n), 1
	for j := range n {
		p := j
		for i := j + 1; i < n; i++ {
			if math.Abs(a[i*n+j]) > math.Abs(a[p*n+j]) {
				p = i
			}
		}
		piv[j] = p
		if a[p*n+j] == 0 {
			return piv, 0
		}
		if p != j {
			for k := range n {
				a[p*n+k], a[j*n+k] = a[j*n+k], a[p*n+k]
			}
			sign = -sign
		}
		for i := j + 1; i < n; i++ {
			f := a[i*n+j] / a[j*n+j]
			a[i*n+j] = f
			if f == 0 {
				continue
			}
			ri, rj := a[i*n+j+1:i*n+n], a[j*n+j+1:j*n+n]
			for k, v := range rj {
				ri[k] -= f * v
			}
		}
	}
	return piv, sign
}

// luSolve solves for the columns of b, row-major n×m, in place.
func luSolve(a []float64, piv []int, b []float64, n, m int) {
	for j, p := range piv {
		if p != j {
			for k := range m {
				b[p*m+k], b[j*m+k] = b[j*m+k], b[p*m+k]
			}
		}
	}
	for i := range n {
		for j := range i {
			subRow(b[i*m:i*m+m], b[j*m:j*m+m], a[i*n+j])
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			subRow(b[i*m:i*m+m], b[j*m:j*m+m], a[i*n+j])
		}
		d := a[i*n+i]
		for k := range m {
			b[i*m+k] /= d
		}
	}
}

func subRow(dst, src []float64, f float64) {
	if f == 0 {
		return
	}
	for k, v := range src {
		dst[k] -= f * v
	}
}

// matrices is a's stack of matrices as float64, and their number.
func (c *Ctx) matrices(a *Array) (x []float64, count int, err error) {
	switch {
	case !a.DT.IsNumber() || a.DT == Float16:
		return nil, 0, typeError("array type %s is unsupported in linalg", a.DT)
	case a.DT.IsComplex():
		return nil, 0, fail("NotImplementedError", "numpy.linalg of complex matrices is not there yet; of real ones it is")
	}
	f, err := c.Cast(a, Float64)
	if err != nil {
		return nil, 0, err
	}
	nd := len(a.dims)
	return slices.Clone(slice[float64](f.Contiguous())), product(a.dims[:nd-2]), nil
}

// Solve is np.linalg.solve.
func (c *Ctx) Solve(a, b *Array) (*Array, error) {
	n, err := Square(a)
	if err != nil {
		return nil, err
	}
	if len(b.dims) == 0 {
		return nil, valueError("solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature (m,m),(m,n)->(m,n) requires 2)")
	}
	vec := len(b.dims) == 1
	if vec {
		b, _ = b.ExpandDims(-1)
	}
	nb := len(b.dims)
	if b.dims[nb-2] != n {
		name, core := "solve", "(m,m),(m,n)->(m,n)"
		if vec {
			name, core = "solve1", "(m,m),(m)->(m)"
		}
		return nil, valueError("%s: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature %s (size %d is different from %d)", name, core, b.dims[nb-2], n)
	}
	m := b.dims[nb-1]
	batch, err := BroadcastShapes(a.dims[:len(a.dims)-2], b.dims[:nb-2])
	if err != nil {
		return nil, err
	}
	x, count, err := c.matrices(broadcastView(a, append(slices.Clone(batch), n, n)))
	if err != nil {
		return nil, err
	}
	y, _, err := c.matrices(broadcastView(b, append(slices.Clone(batch), n, m)))
	if err != nil {
		return nil, err
	}
	for i := range count {
		mat := x[i*n*n : (i+1)*n*n]
		piv, sign := lu(mat, n)
		if sign == 0 {
			return nil, linAlgError("Singular matrix")
		}
		luSolve(mat, piv, y[i*n*m:(i+1)*n*m], n, m)
	}
	out, err := c.Cast(FromFloats(y, append(slices.Clone(batch), n, m)...), floatType(mustPromote(a.DT, b.DT)))
	if err == nil && vec {
		out, err = out.Squeeze([]int{-1}, false)
	}
	return out, err
}

// Inv is np.linalg.inv.
func (c *Ctx) Inv(a *Array) (*Array, error) {
	n, err := Square(a)
	if err != nil {
		return nil, err
	}
	if !a.DT.IsNumber() {
		return c.Solve(a, Eye(n, n, 0, Float64))
	}
	return c.Solve(a, Eye(n, n, 0, a.DT))
}

// Det is np.linalg.det.
func (c *Ctx) Det(a *Array) (*Array, error) {
	n, err := Square(a)
	if err != nil {
		return nil, err
	}
	x, count, err := c.matrices(a)
	if err != nil {
		return nil, err
	}
	out := make([]float64, count)
	for i := range out {
		mat := x[i*n*n : (i+1)*n*n]
		_, sign := lu(mat, n)
		// NumPy adds logarithms, which rounds unlike a product.
		logs := 0.0
		for j := 0; j < n && sign != 0; j++ {
			if mat[j*n+j] < 0 {
				sign = -sign
			}
			logs += math.Log(math.Abs(mat[j*n+j]))
		}
		if sign != 0 {
			out[i] = sign * math.Exp(logs)
		}
	}
	return c.Cast(From(Float64, out, a.dims[:len(a.dims)-2]...).reshaped(a.dims[:len(a.dims)-2]), floatType(a.DT))
}

func (a *Array) reshaped(dims []int) *Array {
	r, err := a.Reshape(dims...)
	if err != nil {
		return a
	}
	return r
}

// Cholesky is np.linalg.cholesky, the lower factor.
func (c *Ctx) Cholesky(a *Array) (*Array, error) {
	n, err := Square(a)
	if err != nil {
		return nil, err
	}
	x, count, err := c.matrices(a)
	if err != nil {
		return nil, err
	}
	for b := range count {
		if !cholesky(x[b*n*n:(b+1)*n*n], n) {
			return nil, linAlgError("Matrix is not positive definite")
		}
	}
	return c.Cast(FromFloats(x, a.dims...), floatType(a.DT))
}

func cholesky(a []float64, n int) bool {
	for i := range n {
		for j := 0; j <= i; j++ {
			s := a[i*n+j] - dot(a[i*n:i*n+j], a[j*n:j*n+j])
			if i == j {
				if !(s > 0) {
					return false
				}
				a[i*n+i] = math.Sqrt(s)
			} else {
				a[i*n+j] = s / a[j*n+j]
			}
		}
		for j := i + 1; j < n; j++ {
			a[i*n+j] = 0
		}
	}
	return true
}
