package np

import (
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

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
	row("bytes("+first+"length)", func(r *args) (Value, error) { return r.randomBytes(src(r), at) })
	row("multinomial("+first+"n, pvals, size=None)", func(r *args) (Value, error) { return r.multinomial(src(r), at) })
	row("dirichlet("+first+"alpha, size=None)", func(r *args) (Value, error) { return r.dirichlet(src(r), at) })
	row("choice("+first+"a, size=None, replace=True, p=None, axis=0, shuffle=True)", func(r *args) (Value, error) { return r.choice(src(r), at) })
	if legacy {
		return append(out, legacyRows(first, at, src)...)
	}
	return append(out, generatorRows()...)
}

func float32Of(f func() float64) func() float32 { return func() float32 { return float32(f()) } }

// randomBytes draws bytes.
func (r *args) randomBytes(d drawer, at int) (Value, error) {
	n := r.int(at, 0)
	if err := r.s.c.Room(ndarray.Int64, []int{n}); err != nil {
		return lang.Unbound, r.s.err(err)
	}
	w := make([]uint64, n)
	random.Integers(d, d.method, w, 0, 255, 8)
	b := make([]byte, len(w))
	for i := range w {
		b[i] = byte(w[i])
	}
	return lang.NewBytes(string(b)), nil
}

// multinomial draws counts of n trials with the probabilities in argument at+1.
func (r *args) multinomial(d drawer, at int) (Value, error) {
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
	return r.vectors(at+2, len(f), ndarray.Int64, func(k int, a *ndarray.Array) {
		random.Multinomial(d.Source, ndarray.Elements[int64](a)[k*len(f):(k+1)*len(f)], int64(n), f)
	})
}

// dirichlet draws points of the simplex with the weights in argument at.
func (r *args) dirichlet(d drawer, at int) (Value, error) {
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
	return r.vectors(at+1, len(f), ndarray.Float64, func(k int, a *ndarray.Array) {
		random.Dirichlet(d.Source, ndarray.Elements[float64](a)[k*len(f):(k+1)*len(f)], f)
	})
}

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
