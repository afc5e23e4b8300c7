package np

import (
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

func exp(x float64) float64 { return math.Exp(x) }

// integers is (low, high, size, dtype, endpoint) from argument at on.
func (r *args) integers(d drawer, at int) (Value, error) {
	low, high := r.a[at], r.a[at+1]
	if high.IsNone() || high.IsUnbound() {
		low, high = lang.Int(0), low
	}
	dt := r.dtype(at + 3)
	if dt == nil {
		dt = &ndarray.Int64
	}
	endpoint := at+4 < len(r.a) && r.flag(at+4)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	if isArrayLike(low) || isArrayLike(high) {
		return r.integersBroadcast(d, low, high, *dt, endpoint, at)
	}
	lo, err := r.s.bigInt(low)
	if err != nil {
		return lang.Unbound, err
	}
	hi, err := r.s.bigInt(high)
	if err != nil {
		return lang.Unbound, err
	}
	if !endpoint {
		hi = new(big.Int).Sub(hi, big.NewInt(1))
	}
	if err := r.s.checkRange(lo, hi, *dt); err != nil {
		return lang.Unbound, err
	}
	var dims []int
	if r.has(at + 2) {
		dims = r.shape(at + 2)
	}
	a, err := r.filled(dims, dt, nil)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	words := make([]uint64, a.Len())
	span := new(big.Int).Sub(hi, lo)
	random.Integers(d, d.method, words, wrap64(lo), span.Uint64(), widthOf(*dt))
	for i, w := range words {
		a.SetInt(i*dt.Size(), int64(w))
	}
	if !r.has(at + 2) {
		if c, ok := lang.AsClass(r.a[at+3]); !ok && d.method == random.Masked || ok && (c == lang.IntClass || c == lang.BoolClass) {
			return itemAt(a, 0), nil
		}
		return scalarAt(a, 0), nil
	}
	return a.Value(), nil
}

// wrap64 is x modulo 2^64.
func wrap64(x *big.Int) uint64 {
	if x.Sign() < 0 {
		return uint64(x.Int64())
	}
	return x.Uint64()
}

// widthOf is the width in bits that draws for a dtype have; a bool takes one.
func widthOf(dt ndarray.DType) int {
	if dt == ndarray.Bool {
		return 1
	}
	return 8 * dt.Size()
}

func (s *state) bigInt(v Value) (*big.Int, error) {
	if v.IsFloat() {
		return s.wholePart(v.Float64())
	}
	if a, ok, err := s.arrayLike(v); err != nil {
		return nil, err
	} else if ok && a.DT.IsFloat() && a.Len() == 1 {
		return s.wholePart(a.FloatAt(a.Offset()))
	}
	x, err := lang.Index(s.th, v)
	if err != nil {
		return nil, err
	}
	b, _ := lang.AsBig(x)
	return b, nil
}

func (s *state) wholePart(f float64) (*big.Int, error) {
	if f-f != 0 {
		return nil, s.noInt(f)
	}
	b, _ := big.NewFloat(math.Trunc(f)).Int(nil)
	return b, nil
}

func (s *state) checkRange(lo, hi *big.Int, dt ndarray.DType) error {
	if !dt.IsInt() && dt != ndarray.Bool {
		return s.th.TypeErrorf("Unsupported dtype %s for integers", dtypeReprText(dt))
	}
	min, max := big.NewInt(0), big.NewInt(1)
	if dt != ndarray.Bool {
		l, h := dt.K.IntRange()
		min, max = big.NewInt(l), new(big.Int).SetUint64(h)
	}
	switch {
	case lo.Cmp(min) < 0:
		return s.th.ValueErrorf("low is out of bounds for %s", dt.Name())
	case hi.Cmp(max) > 0:
		return s.th.ValueErrorf("high is out of bounds for %s", dt.Name())
	case lo.Cmp(hi) > 0:
		if lo.Sign() == 0 && hi.Sign() < 0 {
			return s.th.ValueErrorf("high <= 0")
		}
		return s.th.ValueErrorf("low >= high")
	}
	return nil
}

// integersBroadcast draws with a range of its own for each element.
func (r *args) integersBroadcast(d drawer, low, high Value, dt ndarray.DType, endpoint bool, at int) (Value, error) {
	lo, err := r.s.asArray(low)
	if err != nil {
		return lang.Unbound, err
	}
	hi, err := r.s.asArray(high)
	if err != nil {
		return lang.Unbound, err
	}
	shapes := [][]int{lo.Dims(), hi.Dims()}
	if r.has(at + 2) {
		shapes = append(shapes, r.shape(at+2))
	}
	shape, err := ndarray.BroadcastShapes(shapes...)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	out := ndarray.New(dt, shape...)
	var ends [2][]int64
	for i, x := range []*ndarray.Array{lo, hi} {
		b, err := x.BroadcastTo(shape)
		if err == nil {
			ends[i], err = r.s.c.Ints(b.Copy())
		}
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	for i := range out.Len() {
		h := ends[1][i]
		if !endpoint {
			h--
		}
		if ends[0][i] > h {
			return lang.Unbound, r.s.th.ValueErrorf("low >= high")
		}
		var w [1]uint64
		random.Integers(d, d.method, w[:], uint64(ends[0][i]), uint64(h-ends[0][i]), 64)
		out.SetInt(i*dt.Size(), int64(w[0]))
	}
	return out.Value(), nil
}

// shuffle permutes x in place along its first axis.
func (s *state) shuffle(d drawer, x Value, axis int) error {
	if isArray(x) {
		a := ndarray.Of(x)
		if a.Rank() == 0 {
			return s.th.TypeErrorf("Sized object expected, got %s", lang.TypeName(x))
		}
		m, err := a.MoveAxis([]int{axis}, []int{0})
		if err != nil {
			return s.err(err)
		}
		idx := make([]int64, m.Dims()[0])
		random.Permutation(d, idx)
		p, err := m.TakeAxis(idx, []int{len(idx)}, 0)
		if err == nil {
			err = s.c.Assign(m, p)
		}
		return s.err(err)
	}
	l, ok := lang.AsList(x)
	if !ok {
		return s.th.TypeErrorf("'%s' object does not support item assignment", lang.TypeName(x))
	}
	random.Permute(d, l.Len(), func(i, j int) {
		v := l.At(i)
		l.Set(i, l.At(j))
		l.Set(j, v)
	})
	return nil
}

// permutation is a shuffled copy of a sequence, or of the ints below n.
func (r *args) permutation(d drawer, at int) (Value, error) {
	v := r.a[at]
	if lang.HasIndex(v) && !isArrayLike(v) {
		n := r.int(at, 0)
		if r.err != nil {
			return lang.Unbound, r.err
		}
		if n < 0 {
			return lang.Unbound, r.s.th.ValueErrorf("negative dimensions are not allowed")
		}
		a := ndarray.New(ndarray.Int64, n)
		random.Permutation(d, ndarray.Elements[int64](a))
		return a.Value(), nil
	}
	x := r.arr(at)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	axis := 0
	if at+1 < len(r.a) {
		axis = r.int(at+1, 0)
	}
	axis, err := ndarray.NormAxis(axis, x.Rank())
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	idx := make([]int64, x.Dims()[axis])
	random.Permutation(d, idx)
	return r.s.array(x.TakeAxis(idx, []int{len(idx)}, axis))
}

// choice is (a, size, replace, p, axis, shuffle) from argument at on.
func (r *args) choice(d drawer, at int) (Value, error) {
	var pop *ndarray.Array
	n := 0
	if lang.HasIndex(r.a[at]) && !isArrayLike(r.a[at]) {
		if n = r.int(at, 0); n <= 0 && r.err == nil {
			return lang.Unbound, r.s.th.ValueErrorf("a must be greater than 0 unless no samples are taken")
		}
	} else {
		pop = r.arr(at)
		if r.err == nil && pop.Rank() > 0 {
			n = pop.Dims()[0]
		}
		if n == 0 && r.err == nil {
			return lang.Unbound, r.s.th.ValueErrorf("a cannot be empty unless no samples are taken")
		}
	}
	var dims []int
	if r.has(at + 1) {
		dims = r.shape(at + 1)
	}
	if err := r.s.c.Room(ndarray.Int64, dims); err != nil {
		return lang.Unbound, r.s.err(err)
	}
	replace := !r.has(at+2) || r.flag(at+2)
	count := 1
	for _, k := range dims {
		count *= k
	}
	idx, err := r.chosen(d, at, n, count, replace)
	if err != nil || r.err != nil {
		if r.err == nil {
			r.err = err
		}
		return lang.Unbound, r.err
	}
	if pop == nil {
		a := ndarray.FromInts(idx, len(idx))
		if !r.has(at + 1) {
			return lang.Int(idx[0]), nil
		}
		return r.s.array(a.Reshape(dims...))
	}
	x, err := pop.TakeAxis(idx, dims, 0)
	if !r.has(at + 1) {
		return r.s.value(x, err)
	}
	return r.s.array(x, err)
}

// chosen draws count indices below n.
func (r *args) chosen(d drawer, at, n, count int, replace bool) ([]int64, error) {
	idx := make([]int64, count)
	if !replace && count > n {
		return nil, r.s.th.ValueErrorf("Cannot take a larger sample than population when %s", map[bool]string{true: "'replace=False'", false: "replace is False"}[d.method == random.Masked])
	}
	if r.has(at + 3) {
		p, err := r.s.c.Floats(r.arr(at + 3))
		if err != nil || r.err != nil {
			return nil, err
		}
		if err := r.s.checkProbabilities(p, n); err != nil {
			return nil, err
		}
		if replace {
			random.Pick(d, idx, p)
		} else {
			random.PickUnique(d, idx, p)
		}
		return idx, nil
	}
	if replace {
		w := make([]uint64, count)
		random.Integers(d, d.method, w, 0, uint64(n-1), 64)
		for i, v := range w {
			idx[i] = int64(v)
		}
		return idx, nil
	}
	if rs, ok := d.Source.(*random.RandomState); ok {
		rs.Choice(idx, n)
	} else {
		shuffle := at+5 >= len(r.a) || !r.has(at+5) || r.flag(at+5)
		d.Source.(random.Generator).Choice(idx, n, shuffle)
	}
	return idx, nil
}

func (s *state) checkProbabilities(p []float64, n int) error {
	if len(p) != n {
		return s.th.ValueErrorf("'a' and 'p' must have same size")
	}
	total := 0.0
	for _, v := range p {
		if v < 0 {
			return s.th.ValueErrorf("probabilities are not non-negative")
		}
		total += v
	}
	if total != total {
		return s.th.ValueErrorf("probabilities contain NaN")
	}
	if math.Abs(total-1) > 1.5e-8 {
		return s.th.ValueErrorf("probabilities do not sum to 1")
	}
	return nil
}

// vectors draws rows of len(p): multinomial and dirichlet.
func (r *args) vectors(sizeAt, width int, dt ndarray.DType, draw func(k int, a *ndarray.Array)) (Value, error) {
	var dims []int
	if r.has(sizeAt) {
		dims = r.shape(sizeAt)
	}
	if r.err != nil {
		return lang.Unbound, r.err
	}
	a, err := r.filled(append(dims, width), &dt, nil)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	if width > 0 {
		for k := range a.Len() / width {
			draw(k, a)
		}
	}
	return a.Value(), nil
}

// randomRows are the functions and methods that draw. first is "self, " for methods.
func randomRows(first string, legacy bool) []lang.Def {
	at := 0
	if first != "" {
		at = 1
	}
	src := func(r *args) drawer {
		if at == 1 {
			return r.s.drawerOf(r.a[0])
		}
		return r.s.drawerOf(lang.Unbound)
	}
	var out []lang.Def
	row := func(sig string, f func(r *args) (Value, error)) { out = append(out, lang.Def{Sig: sig, Fn: fn(f)}) }
	for i := range distributions {
		out = append(out, distributions[i].row(first))
	}
	row("permutation("+first+"x, axis=0)", func(r *args) (Value, error) { return r.permutation(src(r), at) })
	row("shuffle("+first+"x, axis=0)", func(r *args) (Value, error) { return lang.None, r.s.shuffle(src(r), r.a[at], r.int(at+1, 0)) })
	row("bytes("+first+"length)", func(r *args) (Value, error) {
		n := r.int(at, 0)
		if err := r.s.c.Room(ndarray.Int64, []int{n}); err != nil {
			return lang.Unbound, r.s.err(err)
		}
		w := make([]uint64, n)
		d := src(r)
		random.Integers(d, d.method, w, 0, 255, 8)
		b := make([]byte, len(w))
		for i := range w {
			b[i] = byte(w[i])
		}
		return lang.NewBytes(string(b)), nil
	})
	row("multinomial("+first+"n, pvals, size=None)", func(r *args) (Value, error) {
		n, p := r.int(at, 0), r.arr(at+1)
		if r.err == nil && p.Rank() == 0 {
			return lang.Unbound, r.s.th.TypeErrorf("object of type 'float' has no len()")
		}
		if n < 0 {
			return lang.Unbound, r.s.th.ValueErrorf("n < 0")
		}
		f, err := r.s.c.Floats(p)
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		for _, v := range f {
			if !(v >= 0 && v <= 1) {
				return lang.Unbound, r.s.th.ValueErrorf("pvals < 0, pvals > 1 or pvals contains NaNs")
			}
		}
		total := 0.0
		for _, v := range f[:max(len(f)-1, 0)] {
			total += v
		}
		if total > 1+1e-12 {
			return lang.Unbound, r.s.th.ValueErrorf("sum(pvals[:-1]) > 1.0")
		}
		d := src(r)
		return r.vectors(at+2, len(f), ndarray.Int64, func(k int, a *ndarray.Array) {
			random.Multinomial(d.Source, ndarray.Elements[int64](a)[k*len(f):(k+1)*len(f)], int64(n), f)
		})
	})
	row("dirichlet("+first+"alpha, size=None)", func(r *args) (Value, error) {
		alpha := r.arr(at)
		if r.err == nil && alpha.Rank() == 0 {
			return lang.Unbound, r.s.th.TypeErrorf("len() of unsized object")
		}
		f, err := r.s.c.Floats(alpha)
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		for _, v := range f {
			if !(v > 0) {
				return lang.Unbound, r.s.th.ValueErrorf("alpha <= 0")
			}
		}
		d := src(r)
		return r.vectors(at+1, len(f), ndarray.Float64, func(k int, a *ndarray.Array) {
			random.Dirichlet(d.Source, ndarray.Elements[float64](a)[k*len(f):(k+1)*len(f)], f)
		})
	})
	row("choice("+first+"a, size=None, replace=True, p=None, axis=0, shuffle=True)", func(r *args) (Value, error) { return r.choice(src(r), at) })
	if legacy {
		return append(out, legacyRows(first, at, src)...)
	}
	return append(out, generatorRows()...)
}

func float32Of(f func() float64) func() float32 { return func() float32 { return float32(f()) } }

func legacyRows(first string, at int, src func(r *args) drawer) []lang.Def {
	var out []lang.Def
	row := func(sig string, f func(r *args) (Value, error)) { out = append(out, lang.Def{Sig: sig, Fn: fn(f)}) }
	standard := func(name string, draw func(d drawer) func() float64) {
		row(name+"("+first+"size=None)", func(r *args) (Value, error) {
			f := draw(src(r))
			r.a = []Value{r.a[at], lang.None}
			return r.fill(0, f, float32Of(f))
		})
	}
	uniform := func(d drawer) func() float64 { return d.Float64 }
	normal := func(d drawer) func() float64 { return d.Normal }
	for _, n := range []string{"random_sample", "random", "ranf", "sample"} {
		standard(n, uniform)
	}
	standard("standard_normal", normal)
	standard("standard_exponential", func(d drawer) func() float64 { return d.Exponential })
	for _, q := range []struct {
		name string
		draw func(d drawer) func() float64
	}{{"rand", uniform}, {"randn", normal}} {
		row(q.name+"("+first+"*args)", func(r *args) (Value, error) {
			f := q.draw(src(r))
			t, _ := lang.AsTuple(r.a[at])
			if t.Len() == 0 {
				return lang.Float(f()), nil
			}
			r.a = []Value{r.a[at], lang.None}
			return r.fill(0, f, float32Of(f))
		})
	}
	row("randint("+first+"low, high=None, size=None, dtype=None)", func(r *args) (Value, error) { return r.integers(src(r), at) })
	row("random_integers("+first+"low, high=None, size=None)", func(r *args) (Value, error) {
		low, high := r.a[at], r.a[at+1]
		if high.IsNone() {
			low, high = lang.Int(1), low
		}
		r.a = []Value{low, high, r.a[at+2], lang.None, lang.True}
		return r.integers(r.s.drawerOf(lang.Unbound), 0)
	})
	row("seed("+first+"seed=None)", func(r *args) (Value, error) {
		l := r.s.global()
		if at == 1 {
			l = (*legacyRandom)(r.a[0].P)
		}
		return lang.None, r.s.seed(l, r.a[at])
	})
	row("get_state("+first+"legacy=True)", func(r *args) (Value, error) {
		l := r.s.global()
		if at == 1 {
			l = (*legacyRandom)(r.a[0].P)
		}
		keys := make([]uint32, len(l.rs.State))
		copy(keys, l.rs.State[:])
		return lang.NewTuple(lang.NewStr("MT19937"), ndarray.From(ndarray.Uint32, keys).Value(), lang.Int(int64(l.rs.Pos)), lang.Int(b2i(l.rs.HasGauss)), lang.Float(l.rs.Gauss)), nil
	})
	row("set_state("+first+"state)", func(r *args) (Value, error) {
		l := r.s.global()
		if at == 1 {
			l = (*legacyRandom)(r.a[0].P)
		}
		return lang.None, r.setState(l, r.a[at])
	})
	return out
}

func (r *args) setState(l *legacyRandom, v Value) error {
	t, ok := lang.AsTuple(v)
	if !ok || t.Len() < 3 {
		return r.s.th.TypeErrorf("state must be a dict or a tuple.")
	}
	keys, err := r.s.asArray(t.At(1))
	if err != nil {
		return err
	}
	n, err := r.s.c.Ints(keys)
	if err != nil {
		return r.s.err(err)
	}
	if len(n) != len(l.rs.State) {
		return r.s.th.ValueErrorf("state vector must be 624 elements")
	}
	for i, k := range n {
		l.rs.State[i] = uint32(k)
	}
	pos, _ := lang.AsInt(t.At(2))
	l.rs.Pos = int(pos)
	l.rs.HasGauss = false
	if t.Len() >= 5 {
		g, _ := lang.AsInt(t.At(3))
		l.rs.HasGauss = g != 0
		l.rs.Gauss, _ = lang.AsFloat(t.At(4))
	}
	return nil
}

func generatorRows() []lang.Def {
	g := func(r *args) random.Generator { return (*generator)(r.a[0].P).Generator }
	return []lang.Def{
		{Sig: "random(self, size=None, dtype=None, out=None)", Fn: fn(func(r *args) (Value, error) { return r.fill(1, g(r).Float64, g(r).Float32) })},
		{Sig: "standard_normal(self, size=None, dtype=None, out=None)", Fn: fn(func(r *args) (Value, error) { return r.fill(1, g(r).Normal, g(r).Normal32) })},
		{Sig: "standard_exponential(self, size=None, dtype=None, method='zig', out=None)", Fn: fn(func(r *args) (Value, error) { return r.fill(1, g(r).Exponential, g(r).Exponential32) })},
		{Sig: "integers(self, low, high=None, size=None, dtype=None, endpoint=False)", Fn: fn(func(r *args) (Value, error) { return r.integers(r.s.drawerOf(r.a[0]), 1) })},
		{Sig: "permuted(self, x, *, axis=None, out=None)", Fn: fn(permuted)},
		{Sig: "multivariate_normal(self, mean, cov, size=None)", Fn: fn(multivariateNormal)},
		{Sig: "spawn(self, n_children)", Fn: fn(func(r *args) (Value, error) {
			q := (*generator)(r.a[0].P).seq
			l := lang.MakeList(0)
			for _, c := range q.s.Spawn(r.int(1, 0)) {
				child := &seedSequence{Header: q.Header, s: c, entropy: q.entropy}
				l.Append(newGenerator(random.NewGenerator(&child.s), child))
			}
			return l.Value(), nil
		})},
		{Sig: "bit_generator(self)", Flags: lang.DefProperty, Fn: fn(func(r *args) (Value, error) {
			x := (*generator)(r.a[0].P)
			c := PCG64Class
			if _, ok := x.BitGenerator.(*random.PCG64); !ok {
				c = MT19937Class
			}
			b := &bitGenerator{value.Header{Type: &c.Type, Kind: value.KindOther}, x.BitGenerator, x.seq}
			return value.Of(&b.Header), nil
		})},
	}
}

// permuted shuffles each row along an axis by itself.
func permuted(r *args) (Value, error) {
	x := r.arr(1)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	d := r.s.drawerOf(r.a[0])
	out := x.Copy()
	if !r.has(2) {
		f := out.Ravel()
		idx := make([]int64, f.Len())
		random.Permutation(d, idx)
		y, err := f.TakeAxis(idx, f.Dims(), 0)
		if err == nil {
			y, err = y.Reshape(x.Dims()...)
		}
		return r.s.array(y, err)
	}
	axis, err := ndarray.NormAxis(r.int(2, 0), x.Rank())
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	m, err := out.MoveAxis([]int{axis}, []int{-1})
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	n := x.Dims()[axis]
	rows := m.Copy()
	flatRows, _ := rows.Reshape(-1, max(n, 1))
	for i := range flatRows.Dims()[0] {
		row := flatRows.Row(i)
		idx := make([]int64, n)
		random.Permutation(d, idx)
		y, err := row.TakeAxis(idx, []int{n}, 0)
		if err == nil {
			err = r.s.c.Assign(row, y)
		}
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	return out.Value(), r.s.err(r.s.c.Assign(m, rows))
}

// multivariateNormal uses the singular values of the covariance, as NumPy does.
func multivariateNormal(r *args) (Value, error) {
	mean, cov := r.arr(1), r.arr(2)
	var dims []int
	if r.has(3) {
		dims = r.shape(3)
	}
	if r.err != nil {
		return lang.Unbound, r.err
	}
	n := mean.Len()
	d := r.s.drawerOf(r.a[0])
	x := ndarray.New(ndarray.Float64, append(dims, n)...)
	for i := range x.Len() {
		ndarray.Elements[float64](x)[i] = d.Normal()
	}
	parts, err := r.s.c.SVD(cov, true, true)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	root, err := r.s.c.Call(ndarray.Func("sqrt"), ndarray.Strongly(parts[1]), ndarray.Options{})
	if err == nil {
		root, err = root.Reshape(n, 1)
	}
	var f *ndarray.Array
	if err == nil {
		f, err = r.s.c.Call(ndarray.Func("multiply"), ndarray.Strongly(root, parts[2]), ndarray.Options{})
	}
	if err == nil {
		x, err = r.s.c.MatMul(x, f)
	}
	if err == nil {
		x, err = r.s.c.Call(ndarray.Func("add"), ndarray.Strongly(mean, x), ndarray.Options{})
	}
	return r.s.array(x, err)
}

func init() {
	RandomStateClass.New = &lang.Def{Sig: "__new__(cls, seed=None)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		l := newLegacy()
		return value.Of(&l.Header), of(th).seed(l, a[1])
	}}
	lang.DefineMethods(RandomStateClass, randomRows("self, ", true))
	GeneratorClass.New = &lang.Def{Sig: "__new__(cls, bit_generator)", Fn: func(th *lang.Thread, a []Value) (Value, error) { return defaultRng(th, a[1:]) }}
	lang.DefineMethods(GeneratorClass, randomRows("self, ", false))
	GeneratorClass.Repr = func(_ *lang.Thread, v Value) (Value, error) {
		return lang.NewStr("Generator(PCG64) at " + hexUpper(lang.Address(v))), nil
	}
	GeneratorClass.Str = func(*lang.Thread, Value) (Value, error) { return lang.NewStr("Generator(PCG64)"), nil }
	PCG64Class.New, MT19937Class.New = bitGeneratorNew(PCG64Class), bitGeneratorNew(MT19937Class)
	SeedSequenceClass.New = &lang.Def{Sig: "__new__(cls, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		s := of(th)
		q, err := s.sequenceOf(a[1])
		if err != nil {
			return lang.Unbound, err
		}
		if q.s.SpawnKey, err = s.words(a[2]); err != nil {
			return lang.Unbound, err
		}
		return value.Of(&q.Header), nil
	}}
	lang.DefineMethods(SeedSequenceClass, []lang.Def{
		{Sig: "entropy(self)", Flags: lang.DefProperty, Fn: fn(func(r *args) (Value, error) { return (*seedSequence)(r.a[0].P).entropy.Value(), nil })},
		{Sig: "spawn(self, n_children)", Fn: fn(func(r *args) (Value, error) {
			q := (*seedSequence)(r.a[0].P)
			l := lang.MakeList(0)
			for _, c := range q.s.Spawn(r.int(1, 0)) {
				child := &seedSequence{Header: q.Header, s: c, entropy: q.entropy}
				l.Append(value.Of(&child.Header))
			}
			return l.Value(), nil
		})},
		{Sig: "generate_state(self, n_words, dtype=None)", Fn: fn(func(r *args) (Value, error) {
			q, n, dt := (*seedSequence)(r.a[0].P), r.int(1, 1), r.dtype(2)
			if dt != nil && *dt == ndarray.Uint64 {
				w := make([]uint64, n)
				q.s.Generate64(w)
				return ndarray.From(ndarray.Uint64, w).Value(), nil
			}
			w := make([]uint32, n)
			q.s.Generate32(w)
			return ndarray.From(ndarray.Uint32, w).Value(), nil
		})},
	})
}

func hexUpper(s string) string {
	b := []byte(s)
	for i := 2; i < len(b); i++ {
		if b[i] >= 'a' && b[i] <= 'f' {
			b[i] -= 32
		}
	}
	return string(b)
}
