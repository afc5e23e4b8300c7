package np

import (
	"math/big"
	"strings"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor/kernel/random"
	"github.com/tfs-lang/tfs/tensor/ndarray"
)

// The classes of numpy.random.
var (
	RandomStateClass  = lang.NewBuiltinClass("RandomState", "numpy.random.mtrand", value.KindOther)
	GeneratorClass    = lang.NewBuiltinClass("Generator", "numpy.random._generator", value.KindOther)
	SeedSequenceClass = lang.NewBuiltinClass("SeedSequence", "numpy.random.bit_generator", value.KindOther)
	BitGeneratorClass = lang.NewBuiltinClass("BitGenerator", "numpy.random.bit_generator", value.KindOther)
	PCG64Class        = lang.NewBuiltinClass("PCG64", "numpy.random._pcg64", value.KindOther, BitGeneratorClass)
	MT19937Class      = lang.NewBuiltinClass("MT19937", "numpy.random._mt19937", value.KindOther, BitGeneratorClass)
)

// legacyRandom is a RandomState object.
type legacyRandom struct {
	value.Header
	rs random.RandomState
}

// generator is a Generator object; seq is what it was seeded from.
type generator struct {
	value.Header
	random.Generator
	seq *seedSequence
}

// bitGenerator is a PCG64 or MT19937 object.
type bitGenerator struct {
	value.Header
	g   random.BitGenerator
	seq *seedSequence
}

type seedSequence struct {
	value.Header
	s       random.SeedSequence
	entropy lang.Held
}

// drawer is what distributions draw from, and how the two interfaces differ.
type drawer struct {
	random.Source
	method random.Method
}

// drawerOf is the source of a method's receiver: Unbound is the module's own state.
func (s *state) drawerOf(v Value) drawer {
	if v.IsUnbound() {
		return drawer{&s.global().rs, random.Masked}
	}
	if lang.ClassOf(v).IsSub(GeneratorClass) {
		return drawer{(*generator)(v.P).Generator, random.Lemire}
	}
	return drawer{&(*legacyRandom)(v.P).rs, random.Masked}
}

// global is the state behind np.random.rand and its kin, seeded from the clock
// until a script seeds it.
func (s *state) global() *legacyRandom {
	if s.rand == nil {
		s.rand = newLegacy()
		s.rand.rs.SeedArray(clockWords())
	}
	return s.rand
}

func newLegacy() *legacyRandom {
	return &legacyRandom{Header: value.Header{Type: &RandomStateClass.Type, Kind: value.KindOther}}
}

func clockWords() []uint32 {
	t := uint64(time.Now().UnixNano())
	return []uint32{uint32(t), uint32(t >> 32), uint32(t * 2654435761), 12345}
}

// seed seeds a RandomState as np.random.seed does.
func (s *state) seed(target *legacyRandom, v Value) error {
	l := newLegacy() // the old state stands until the seed is known to be good
	if err := s.seedNew(l, v); err != nil {
		return err
	}
	target.rs = l.rs
	return nil
}

func (s *state) seedNew(l *legacyRandom, v Value) error {
	switch {
	case v.IsNone() || v.IsUnbound():
		l.rs.SeedArray(clockWords())
	case lang.HasIndex(v) && !isArrayLike(v):
		x, err := lang.Index(s.th, v)
		if err != nil {
			return err
		}
		b, _ := lang.AsBig(x)
		if b.Sign() < 0 || b.BitLen() > 32 {
			return s.th.ValueErrorf("Seed must be between 0 and 2**32 - 1")
		}
		l.rs.Seed(uint32(b.Uint64()))
	default:
		a, err := s.asArray(v)
		if err != nil {
			return err
		}
		if !a.DT.IsInt() {
			return s.th.TypeErrorf("Cannot cast array data from %s to dtype('int64') according to the rule 'safe'", dtypeReprText(a.DT))
		}
		n, err := s.c.Ints(a)
		if err != nil {
			return s.err(err)
		}
		key := make([]uint32, len(n))
		for i, k := range n {
			if k < 0 || k >= 1<<32 {
				return s.th.ValueErrorf("Seed values must be between 0 and 2**32 - 1")
			}
			key[i] = uint32(k)
		}
		if len(key) == 0 {
			return s.th.ValueErrorf("Seed must be non-empty")
		}
		l.rs.SeedArray(key)
	}
	return nil
}

// sequenceOf makes a SeedSequence of what default_rng and SeedSequence accept.
func (s *state) sequenceOf(v Value) (*seedSequence, error) {
	q := &seedSequence{Header: value.Header{Type: &SeedSequenceClass.Type, Kind: value.KindOther}, entropy: v.Held()}
	if v.IsNone() || v.IsUnbound() {
		q.s.Entropy = clockWords()
		b := new(big.Int)
		for i := len(q.s.Entropy) - 1; i >= 0; i-- {
			b.Or(b.Lsh(b, 32), big.NewInt(int64(q.s.Entropy[i])))
		}
		q.entropy = lang.BigInt(b).Held()
		return q, nil
	}
	if lang.ClassOf(v) == SeedSequenceClass {
		return (*seedSequence)(v.P), nil
	}
	words, err := s.words(v)
	q.s.Entropy = words
	return q, err
}

func (s *state) words(v Value) ([]uint32, error) {
	if lang.HasIndex(v) && !isArrayLike(v) {
		x, err := lang.Index(s.th, v)
		if err != nil {
			return nil, err
		}
		b, _ := lang.AsBig(x)
		if b.Sign() < 0 {
			return nil, s.th.ValueErrorf("expected non-negative integer")
		}
		return random.Words(b), nil
	}
	items, err := lang.ToSlice(s.th, v)
	if err != nil {
		return nil, s.th.TypeErrorf("SeedSequence expects int or sequence of ints for entropy not %s", s.Text(v))
	}
	var out []uint32
	for _, x := range items {
		w, err := s.words(x.Value())
		if err != nil {
			return nil, err
		}
		out = append(out, w...)
	}
	return out, nil
}

func newGenerator(g random.Generator, q *seedSequence) Value {
	x := &generator{value.Header{Type: &GeneratorClass.Type, Kind: value.KindOther}, g, q}
	return value.Of(&x.Header)
}

var defaultRng = fn(func(r *args) (Value, error) {
	v := r.a[0]
	if v.IsUnbound() {
		v = lang.None
	}
	switch c := lang.ClassOf(v); {
	case c.IsSub(GeneratorClass):
		return v, nil
	case c.IsSub(BitGeneratorClass):
		b := (*bitGenerator)(v.P)
		return newGenerator(random.Generator{BitGenerator: b.g}, b.seq), nil
	case c == RandomStateClass:
		return newGenerator(random.Generator{BitGenerator: &(*legacyRandom)(v.P).rs}, nil), nil
	}
	q, err := r.s.sequenceOf(v)
	if err != nil {
		return lang.Unbound, err
	}
	return newGenerator(random.NewGenerator(&q.s), q), nil
})

// bitGeneratorNew is PCG64(seed) and MT19937(seed).
func bitGeneratorNew(c *lang.Class) *lang.Def {
	return &lang.Def{Sig: "__new__(cls, seed=None)", Fn: func(th *lang.Thread, a []Value) (Value, error) {
		q, err := of(th).sequenceOf(a[1])
		if err != nil {
			return lang.Unbound, err
		}
		b := &bitGenerator{Header: value.Header{Type: &c.Type, Kind: value.KindOther}, seq: q}
		if c == PCG64Class {
			p := new(random.PCG64)
			p.Seed(&q.s)
			b.g = p
		} else {
			m := new(random.MT19937)
			m.SeedSequence(&q.s)
			b.g = m
		}
		return value.Of(&b.Header), nil
	}}
}

// distribution is one row of the table: parameters with their defaults, and a draw.
type distribution struct {
	name, params string
	draw         func(d drawer, p []float64) float64
	ints         bool
	check        func(p []float64) string // text of the ValueError, "" when all is well
}

func notNegative(i int, name string) func([]float64) string {
	return func(p []float64) string {
		if p[i] < 0 || p[i] != p[i] {
			return name + " < 0"
		}
		return ""
	}
}

func positive(names ...string) func([]float64) string {
	return func(p []float64) string {
		for i, n := range names {
			if n != "" && !(p[i] > 0) {
				return n + " <= 0"
			}
		}
		return ""
	}
}

func between(i int, name string) func([]float64) string {
	return func(p []float64) string {
		if !(p[i] >= 0 && p[i] <= 1) {
			return name + " < 0, " + name + " > 1 or " + name + " is NaN"
		}
		return ""
	}
}

var distributions = []distribution{
	{name: "normal", params: "loc=0.0, scale=1.0", draw: func(d drawer, p []float64) float64 { return p[0] + float64(p[1]*d.Normal()) }, check: notNegative(1, "scale")},
	{name: "lognormal", params: "mean=0.0, sigma=1.0", draw: func(d drawer, p []float64) float64 { return exp(p[0] + float64(p[1]*d.Normal())) }, check: notNegative(1, "sigma")},
	{name: "exponential", params: "scale=1.0", draw: func(d drawer, p []float64) float64 { return p[0] * d.Exponential() }, check: notNegative(0, "scale")},
	{name: "gamma", params: "shape, scale=1.0", draw: func(d drawer, p []float64) float64 { return p[1] * random.StandardGamma(d.Source, p[0]) }, check: notNegative(0, "shape")},
	{name: "standard_gamma", params: "shape", draw: func(d drawer, p []float64) float64 { return random.StandardGamma(d.Source, p[0]) }, check: notNegative(0, "shape")},
	{name: "beta", params: "a, b", draw: func(d drawer, p []float64) float64 { return random.Beta(d.Source, p[0], p[1]) }, check: positive("a", "b")},
	{name: "chisquare", params: "df", draw: func(d drawer, p []float64) float64 { return random.ChiSquare(d.Source, p[0]) }, check: positive("df")},
	{name: "f", params: "dfnum, dfden", draw: func(d drawer, p []float64) float64 { return random.F(d.Source, p[0], p[1]) }, check: positive("dfnum", "dfden")},
	{name: "standard_t", params: "df", draw: func(d drawer, p []float64) float64 { return random.StandardT(d.Source, p[0]) }, check: positive("df")},
	{name: "standard_cauchy", params: "", draw: func(d drawer, p []float64) float64 { return random.StandardCauchy(d.Source) }},
	{name: "weibull", params: "a", draw: func(d drawer, p []float64) float64 { return random.Weibull(d.Source, p[0]) }, check: notNegative(0, "a")},
	{name: "pareto", params: "a", draw: func(d drawer, p []float64) float64 { return random.Pareto(d.Source, p[0]) }, check: positive("a")},
	{name: "power", params: "a", draw: func(d drawer, p []float64) float64 { return random.Power(d.Source, p[0]) }, check: positive("a")},
	{name: "rayleigh", params: "scale=1.0", draw: func(d drawer, p []float64) float64 { return p[0] * random.Rayleigh(d.Source) }, check: notNegative(0, "scale")},
	{name: "laplace", params: "loc=0.0, scale=1.0", draw: func(d drawer, p []float64) float64 { return random.Laplace(d.Source, p[0], p[1]) }, check: notNegative(1, "scale")},
	{name: "gumbel", params: "loc=0.0, scale=1.0", draw: func(d drawer, p []float64) float64 { return random.Gumbel(d.Source, p[0], p[1]) }, check: notNegative(1, "scale")},
	{name: "logistic", params: "loc=0.0, scale=1.0", draw: func(d drawer, p []float64) float64 { return random.Logistic(d.Source, p[0], p[1]) }, check: notNegative(1, "scale")},
	{name: "triangular", params: "left, mode, right", draw: func(d drawer, p []float64) float64 { return random.Triangular(d.Source, p[0], p[1], p[2]) }},
	{name: "uniform", params: "low=0.0, high=1.0", draw: func(d drawer, p []float64) float64 { return p[0] + float64((p[1]-p[0])*d.Float64()) }},
	{name: "poisson", params: "lam=1.0", ints: true, draw: func(d drawer, p []float64) float64 { return float64(random.PoissonCount(d.Source, p[0])) }, check: func(p []float64) string {
		if !(p[0] >= 0) {
			return "lam < 0 or lam is NaN"
		}
		return ""
	}},
	{name: "binomial", params: "n, p", ints: true, draw: func(d drawer, p []float64) float64 { return float64(random.BinomialCount(d.Source, int64(p[0]), p[1])) }, check: func(p []float64) string {
		if p[0] < 0 {
			return "n < 0"
		}
		return between(1, "p")(p)
	}},
	{name: "negative_binomial", params: "n, p", ints: true, draw: func(d drawer, p []float64) float64 { return float64(random.NegativeBinomial(d.Source, p[0], p[1])) }, check: positive("n")},
	{name: "geometric", params: "p", ints: true, draw: func(d drawer, p []float64) float64 { return float64(random.Geometric(d.Source, p[0])) }, check: between(0, "p")},
}

// rows makes the row of a distribution; first is the receiver's parameter with a
// comma, or "".
func (d *distribution) row(first string) lang.Def {
	n := len(d.defaults())
	sig := d.name + "(" + first + d.params
	if d.params != "" {
		sig += ", "
	}
	skip := 0
	if first != "" {
		skip = 1
	}
	return lang.Def{Sig: sig + "size=None)", Fn: fn(func(r *args) (Value, error) {
		src := lang.Unbound
		if skip == 1 {
			src = r.a[0]
		}
		return r.sample(r.s.drawerOf(src), d, skip, n)
	})}
}

func (d *distribution) defaults() []string {
	if d.params == "" {
		return nil
	}
	return strings.Split(d.params, ", ")
}

// sample draws for parameters from argument at on; the size follows them.
func (r *args) sample(src drawer, d *distribution, at, n int) (Value, error) {
	ps := make([]*ndarray.Array, n)
	var shapes [][]int
	for i := range ps {
		ps[i] = r.arr(at + i)
		shapes = append(shapes, ps[i].Dims())
	}
	if r.err != nil {
		return lang.Unbound, r.err
	}
	sized := r.has(at + n)
	if sized {
		shapes = append(shapes, r.shape(at+n))
	}
	shape, err := ndarray.BroadcastShapes(shapes...)
	if err != nil || r.err != nil {
		if r.err == nil {
			r.err = r.s.err(err)
		}
		return lang.Unbound, r.err
	}
	if err := r.s.c.Room(ndarray.Float64, shape); err != nil {
		return lang.Unbound, r.s.err(err)
	}
	vals := make([][]float64, n)
	for i, p := range ps {
		b, err := p.BroadcastTo(shape)
		if err == nil && p.Rank() == 0 {
			b = p
		}
		if err == nil {
			vals[i], err = r.s.c.Floats(b)
		}
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
	}
	out := ndarray.New(ndarray.Float64, shape...)
	y := ndarray.Elements[float64](out)
	p := make([]float64, n)
	for k := range y {
		for i, v := range vals {
			p[i] = v[min(k, len(v)-1)]
		}
		if d.check != nil {
			if text := d.check(p); text != "" {
				return lang.Unbound, r.s.th.ValueErrorf("%s", text)
			}
		}
		y[k] = d.draw(src, p)
	}
	return r.drawn(out, d.ints, !sized && len(shape) == 0)
}

// drawn is the result of a draw: Python numbers for a single one.
func (r *args) drawn(out *ndarray.Array, ints, single bool) (Value, error) {
	if ints {
		x, err := r.s.c.Cast(out, ndarray.Int64)
		if err != nil {
			return lang.Unbound, r.s.err(err)
		}
		out = x
	}
	if single {
		return itemAt(out, out.Offset()), nil
	}
	return out.Value(), nil
}

// fill draws standard values in float64 or float32: (size, dtype) from argument at on.
func (r *args) fill(at int, f64 func() float64, f32 func() float32) (Value, error) {
	dt := r.dtype(at + 1)
	if !r.has(at) {
		if dt != nil && *dt == ndarray.Float32 {
			a := ndarray.New(ndarray.Float32)
			ndarray.Elements[float32](a)[0] = f32()
			return scalarAt(a, 0), r.err
		}
		return lang.Float(f64()), r.err
	}
	dims := r.shape(at)
	if r.err != nil {
		return lang.Unbound, r.err
	}
	a, err := r.filled(dims, dt, nil)
	if err != nil {
		return lang.Unbound, r.s.err(err)
	}
	switch a.DT {
	case ndarray.Float32:
		y := ndarray.Elements[float32](a)
		for i := range y {
			y[i] = f32()
		}
	case ndarray.Float64:
		y := ndarray.Elements[float64](a)
		for i := range y {
			y[i] = f64()
		}
	default:
		return lang.Unbound, r.s.th.TypeErrorf("Unsupported dtype %s for random", dtypeReprText(a.DT))
	}
	return a.Value(), nil
}
