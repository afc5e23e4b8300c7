package random

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/tfs-lang/tfs/tensor/kernel"
)

// vectors holds draws recorded from TensorFlow 2.21, NumPy 2.4 and CPython 3.11.
type vectors struct {
	t    *testing.T
	data map[string][]any
	seen map[string]bool
}

func loadVectors(t *testing.T) *vectors {
	src, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	v := &vectors{t: t, seen: map[string]bool{}}
	if err := json.Unmarshal(src, &v.data); err != nil {
		t.Fatal(err)
	}
	return v
}

// floats compares to a relative and absolute tolerance.
func (v *vectors) floats(name string, tol float64, got ...float64) {
	v.t.Helper()
	v.seen[name] = true
	want := v.data[name]
	if len(want) != len(got) {
		v.t.Errorf("%s: %d values, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		w, _ := w.(float64)
		if math.Abs(got[i]-w) > tol*math.Max(1, math.Abs(w)) {
			v.t.Errorf("%s[%d] = %v, want %v", name, i, got[i], w)
			return
		}
	}
}

// ints compares exactly; wide numbers are recorded as text.
func (v *vectors) ints(name string, got ...any) {
	v.t.Helper()
	v.seen[name] = true
	want := v.data[name]
	if len(want) != len(got) {
		v.t.Errorf("%s: %d values, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		s, ok := w.(string)
		if !ok {
			s = fmt.Sprint(int64(w.(float64)))
		}
		if g := fmt.Sprint(got[i]); g != s {
			v.t.Errorf("%s[%d] = %s, want %s", name, i, g, s)
			return
		}
	}
}

func anys[T any](x []T) []any {
	out := make([]any, len(x))
	for i, e := range x {
		out[i] = e
	}
	return out
}

func doublesOf[T float32 | float64](x []T) []float64 {
	out := make([]float64, len(x))
	for i, e := range x {
		out[i] = float64(e)
	}
	return out
}

func halves[H kernel.Half](x []H) []float64 {
	f := make([]float32, len(x))
	kernel.Widen(f, x)
	return doublesOf(f)
}

func repeat(n int, f func() float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

func repeatInt(n int, f func() int64) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

func TestVectors(t *testing.T) {
	v := loadVectors(t)
	tfStateless(v)
	tfDiscrete(v)
	tfEager(v)
	tfGenerator(v)
	pythonRandom(v)
	numpyLegacy(v)
	numpyGenerator(v)
	for name := range v.data {
		if !v.seen[name] {
			t.Errorf("vector %q is not tested", name)
		}
	}
}

func tfStateless(v *vectors) {
	u, n, tr := Stateless(1, 2), Stateless(3, -4), Stateless(3, 4)
	f, d := make([]float32, 101), make([]float64, 101)
	h, b := make([]kernel.Float16, 101), make([]kernel.BFloat16, 101)
	Uniform32(u, f[:9])
	v.floats("stateless uniform float32", 0, doublesOf(f[:9])...)
	Uniform64(u, d[:9])
	v.floats("stateless uniform float64", 0, d[:9]...)
	UniformHalf(u, h[:9])
	v.floats("stateless uniform float16", 0, halves(h[:9])...)
	UniformHalf(u, b[:9])
	v.floats("stateless uniform bfloat16", 0, halves(b[:9])...)
	Normal32(n, f[:9])
	v.floats("stateless normal float32", 2e-7, doublesOf(f[:9])...)
	Normal64(n, d[:9])
	v.floats("stateless normal float64", 1e-15, d[:9]...)
	NormalHalf(n, h[:9])
	v.floats("stateless normal float16", 1e-3, halves(h[:9])...)
	NormalHalf(n, b[:9])
	v.floats("stateless normal bfloat16", 8e-3, halves(b[:9])...)
	TruncatedNormal32(tr, f)
	v.floats("stateless truncated float32", 2e-7, doublesOf(f)...)
	TruncatedNormal64(tr, d)
	v.floats("stateless truncated float64", 1e-15, d...)
	TruncatedNormalHalf(tr, h)
	v.floats("stateless truncated float16", 1e-3, halves(h)...)
	TruncatedNormalHalf(tr, b)
	v.floats("stateless truncated bfloat16", 8e-3, halves(b)...)
	Uniform32(Stateless(1<<40+1, -1<<50), f[:4])
	v.floats("wide seed", 0, doublesOf(f[:4])...)
}

func tfDiscrete(v *vectors) {
	i32, u32, i64, u64 := make([]int32, 9), make([]uint32, 9), make([]int64, 9), make([]uint64, 9)
	Bits32(Stateless(9, 9), i32)
	v.ints("full int32", anys(i32)...)
	Bits32(Stateless(9, 9), u32)
	v.ints("full uint32", anys(u32)...)
	Bits64(Stateless(9, 9), i64)
	v.ints("full int64", anys(i64)...)
	Bits64(Stateless(9, 9), u64)
	v.ints("full uint64", anys(u64)...)
	Int32(Stateless(5, 6), i32, -7, 1000)
	v.ints("ints int32", anys(i32)...)
	Int64(Stateless(5, 6), i64, -7, 1000)
	v.ints("ints int64", anys(i64)...)
	Split32(7, 8, i32[:6])
	v.ints("split32", anys(i32[:6])...)
	Split64(7, 8, i64[:4])
	v.ints("split64", anys(i64[:4])...)
	perm := make([]int, 20)
	Shuffle(Stateless(1, 2), perm)
	v.ints("stateless shuffle", anys(perm)...)
	logits := []float32{0.1, 0.5, 2, -1, 3, 0, 0, float32(math.Inf(-1))}
	picks := make([]int64, 22)
	Categorical(Stateless(1, 2), picks, logits, 2, 4, 11)
	v.ints("categorical", anys(picks)...)
	for _, a := range []float64{0.5, 1, 4} {
		g := make([]float64, 40)
		Gamma(Stateless(1, 2), g, []float64{a, 2})
		v.floats(fmt.Sprintf("gamma %.1f", a), 1e-13, g...)
	}
	for _, r := range []float64{3, 25} {
		g := make([]float64, 50)
		Poisson(Stateless(1, 2), g, []float64{r})
		v.floats(fmt.Sprintf("poisson %.1f", r), 0, g...)
	}
	for _, c := range []struct{ n, p float64 }{{10, .25}, {100, .25}, {100, .75}} {
		i := -1
		got := repeat(40, func() float64 { i++; return Binomial(Stateless(1, 2), c.n, c.p, i) })
		v.floats(fmt.Sprintf("binomial %.1f %.2f", c.n, c.p), 0, got...)
	}
}

// eagerTest draws as an eager op would.
type eagerTest struct{ e Eager }

func (x *eagerTest) set(seed int64) { x.e.SetSeed(big.NewInt(seed)) }

func (x *eagerTest) use(op string, opSeed *big.Int, blocks uint64) Philox {
	s1, s2, _ := x.e.Seeds(opSeed)
	return x.e.Use(Kernel{op, s1, s2}, blocks)
}

func (x *eagerTest) uniform(n int, opSeed *big.Int) []float64 {
	f := make([]float32, n)
	Uniform32(x.use("u", opSeed, ElementBlocks(n)), f)
	return doublesOf(f)
}

func (x *eagerTest) shuffle(n int, opSeed *big.Int) []int {
	p := make([]int, n)
	Shuffle(x.use("shuffle", opSeed, ShuffleBlocks(n)), p)
	return p
}

func (x *eagerTest) categorical(logits []float32, rows, samples int, opSeed *big.Int) []int64 {
	d := make([]int64, rows*samples)
	Categorical(x.use("multinomial", opSeed, CategoricalBlocks(rows, samples)), d, logits, rows, len(logits)/rows, samples)
	return d
}

func tfEager(v *vectors) {
	var x eagerTest
	x.set(42)
	f, d, k := make([]float32, 9), make([]float64, 4), make([]int32, 7)
	v.floats("eager uniform", 0, x.uniform(6, nil)...)
	Normal32(x.use("n", nil, ElementBlocks(5)), f[:5])
	v.floats("eager normal", 2e-7, doublesOf(f[:5])...)
	TruncatedNormal32(x.use("t", nil, ElementBlocks(9)), f)
	v.floats("eager truncated", 2e-7, doublesOf(f)...)
	Int32(x.use("i", nil, ElementBlocks(7)), k, 0, 100)
	v.ints("eager int", anys(k)...)
	v.ints("eager shuffle", anys(x.shuffle(10, nil))...)
	v.ints("eager shuffle1", anys(x.shuffle(1, nil))...)
	v.ints("eager categorical", anys(x.categorical([]float32{0, 1, 2, 0}, 2, 5, nil))...)
	Gamma(x.use("g", nil, ElementBlocks(4)), d, []float64{float64(float32(.7))})
	v.floats("eager gamma", 3e-7, d...)
	Poisson(x.use("p", nil, ElementBlocks(4)), d, []float64{2})
	v.floats("eager poisson", 0, d...)
	v.floats("eager last", 0, x.uniform(3, nil)...)
	for _, s := range []int64{5, 0, 1 << 31, -3} {
		x.set(9)
		v.floats(fmt.Sprintf("op seed %d a", s), 0, x.uniform(3, big.NewInt(s))...)
		v.floats(fmt.Sprintf("op seed %d b", s), 0, x.uniform(2, big.NewInt(s))...)
	}
	x.set(9)
	four := big.NewInt(4)
	v.ints("shuffle twice", anys(append(x.shuffle(9, four), x.shuffle(6, four)...))...)
	lg := []float32{0, 1, .5}
	v.ints("categorical twice", anys(append(x.categorical(lg, 1, 3, four), x.categorical(lg, 1, 6, four)...))...)
	x.set(0)
	v.floats("zero seeds", 0, x.uniform(3, big.NewInt(0))...)
	x.set(-5)
	v.floats("negative seed", 0, x.uniform(3, nil)...)
	x.set(1 << 40)
	v.floats("wide global", 0, x.uniform(3, nil)...)
}

func tfGenerator(v *vectors) {
	wide := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 70), big.NewInt(3))
	for i, s := range []GeneratorState{GeneratorFromSeed(big.NewInt(1234)), GeneratorFromSeed(wide),
		GeneratorFromVector([]int64{5, 6}), GeneratorFromSeed(big.NewInt(-1))} {
		name := func(s string) string { return fmt.Sprintf("gen %d %s", i, s) }
		f := make([]float32, 6)
		v.ints(name("state"), anys(s[:])...)
		Normal32(s.Draw(5), f[:5])
		v.floats(name("normal"), 2e-7, doublesOf(f[:5])...)
		Uniform32(s.Draw(6), f)
		v.floats(name("uniform"), 0, doublesOf(f)...)
		v.ints(name("after"), anys(s[:])...)
	}
	g := GeneratorFromSeed(big.NewInt(3))
	p, i := g.Philox(), -1
	g.SkipBlocks(BinomialBlocks(1, 10))
	v.floats("gen binomial", 0, repeat(10, func() float64 { i++; return Binomial(p, 20, float64(float32(.3)), i) })...)
	seeds := make([]int64, 6)
	Bits64(g.Draw(3), seeds[:3])
	v.ints("gen seeds", anys(seeds)...)
	kids := make([]GeneratorState, 2)
	g.Split(kids)
	v.ints("gen split", anys(append(kids[0][:], kids[1][:]...))...)
	v.ints("tfgen end", anys(g[:])...)
	for _, again := range []bool{true, false} {
		var e Eager
		e.SetSeed(big.NewInt(5))
		s1, s2, _ := e.Seeds(nil)
		s := NewShuffleStream(s1, s2, again)
		for epoch := range 3 {
			name := fmt.Sprintf("dataset %s %d", map[bool]string{true: "True", false: "False"}[again], epoch)
			v.ints(name, anys(ringShuffle(s.Next(), 10, 4))...)
		}
	}
}

// ringShuffle runs 0..n-1 through a shuffle buffer.
func ringShuffle(picks ShufflePicks, n, size int) (out []int) {
	ring := make([]int, size)
	for start, end := 0, 0; ; start++ {
		for ; end < n && end-start < size; end++ {
			ring[end%size] = end
		}
		if start == end {
			return out
		}
		i := (start + picks.Pick(end-start)) % size
		out = append(out, ring[i])
		ring[i] = ring[start%size]
	}
}

func pythonRandom(v *vectors) {
	var m MT19937
	m.SeedPython(big.NewInt(42))
	v.floats("py random", 0, repeat(3, m.Float64)...)
	var bits []any
	for _, n := range []int{1, 7, 31, 32, 33, 63, 64} {
		bits = append(bits, m.Bits(n))
	}
	v.ints("py bits", append(bits, m.BigBits(100))...)
	var below []any
	for _, n := range []uint64{10, 1 << 33, 1000, 1 << 31, 7} {
		below = append(below, m.Below(n))
	}
	v.ints("py randrange", below...)
	m.SeedPython(new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 100), big.NewInt(7)))
	v.floats("py wide", 0, repeat(3, m.Float64)...)
}

// integers draws count integers of [low, high) in the given width.
func integers(g BitGenerator, m Method, count int, low, high int64, width int) []any {
	d := make([]uint64, count)
	Integers(g, m, d, uint64(low), uint64(high-1-low), width)
	out := make([]any, count)
	for i, x := range d {
		out[i] = int64(x)
	}
	return out
}

var widths = []struct {
	name  string
	width int
}{{"int64", 64}, {"int32", 32}, {"int16", 16}, {"int8", 8}, {"uint8", 8}, {"uint16", 16}}

func numpyLegacy(v *vectors) {
	var s RandomState
	s.SeedArray([]uint32{1, 2, 3})
	v.ints("mt array", repeatUint(20, s.Uint64)...)
	s.Seed(0)
	v.ints("mt 0", repeatUint(400, s.Uint64)[395:]...)
	s.Seed(7)
	v.floats("rand", 0, repeat(5, s.Float64)...)
	v.floats("randn", 1e-15, repeat(7, s.Normal)...)
	v.floats("normal", 1e-15, repeat(4, func() float64 { return 2 + 3*s.Normal() })...)
	for _, w := range widths {
		v.ints("randint "+w.name, integers(&s, Masked, 21, 3, 100, w.width)...)
	}
	v.ints("randint bool", integers(&s, Masked, 41, 0, 2, 1)...)
	v.ints("randint wide", integers(&s, Masked, 9, 0, 1<<40, 64)...)
	v.ints("randint full8", integers(&s, Masked, 9, 0, 256, 8)...)
	p := make([]int64, 30)
	Permutation(&s, p)
	v.ints("permutation", anys(p)...)
	Permutation(&s, p[:12])
	v.ints("shuffle", anys(p[:12])...)
	v.ints("choice", integers(&s, Masked, 12, 0, 10, 64)...)
	s.Choice(p[:6], 10)
	v.ints("choice unique", anys(p[:6])...)
	Pick(&s, p[:20], []float64{.1, .2, .7})
	v.ints("choice p", anys(p[:20])...)
	PickUnique(&s, p[:4], []float64{.1, .2, .3, .35, .05})
	v.ints("choice p unique", anys(p[:4])...)
	s = RandomState{}
	s.Seed(11)
	distributions(v, "legacy", &s)
}

func repeatUint(n int, f func() uint64) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = f()
	}
	return out
}

func distributions(v *vectors, pre string, s Source) {
	check := func(name string, f func() float64) {
		v.floats(pre+" "+name, 1e-13, repeat(12, f)...)
	}
	for _, a := range []float64{.5, 1, 3} {
		check(fmt.Sprintf("gamma %.1f", a), func() float64 { return StandardGamma(s, a) })
	}
	check("beta", func() float64 { return Beta(s, 2, 3) })
	check("beta small", func() float64 { return Beta(s, .5, .5) })
	check("exponential", func() float64 { return 2 * s.Exponential() })
	check("chisquare", func() float64 { return ChiSquare(s, 3) })
	check("f", func() float64 { return F(s, 3, 5) })
	check("t", func() float64 { return StandardT(s, 4) })
	check("cauchy", func() float64 { return StandardCauchy(s) })
	check("weibull", func() float64 { return Weibull(s, 1.5) })
	check("pareto", func() float64 { return Pareto(s, 2.5) })
	check("power", func() float64 { return Power(s, 2.5) })
	check("rayleigh", func() float64 { return 2 * Rayleigh(s) })
	check("laplace", func() float64 { return Laplace(s, 1, 2) })
	check("gumbel", func() float64 { return Gumbel(s, 1, 2) })
	check("logistic", func() float64 { return Logistic(s, 1, 2) })
	check("triangular", func() float64 { return Triangular(s, -1, 0, 3) })
	check("lognormal", func() float64 { return math.Exp(1 + .5*s.Normal()) })
	v.ints(pre+" geometric .5", repeatInt(12, func() int64 { return Geometric(s, .5) })...)
	v.ints(pre+" geometric .1", repeatInt(12, func() int64 { return Geometric(s, .1) })...)
	v.ints(pre+" negbin", repeatInt(12, func() int64 { return NegativeBinomial(s, 5, .4) })...)
	for _, r := range []float64{2.5, 40} {
		v.ints(fmt.Sprintf("%s poisson %.1f", pre, r), repeatInt(40, func() int64 { return PoissonCount(s, r) })...)
	}
	for _, c := range []struct {
		n int64
		p float64
	}{{10, .3}, {20, .9}, {100, .5}, {10000, .2}, {5000, .7}} {
		v.ints(fmt.Sprintf("%s binomial %d %v", pre, c.n, c.p), repeatInt(60, func() int64 { return BinomialCount(s, c.n, c.p) })...)
	}
	counts := make([]int64, 12)
	for i := 0; i < 12; i += 3 {
		Multinomial(s, counts[i:i+3], 20, []float64{.2, .3, .5})
	}
	v.ints(pre+" multinomial", anys(counts)...)
	for name, alpha := range map[string][]float64{"dirichlet": {1, 2, .5}} {
		v.floats(pre+" "+name, 1e-13, dirichlets(s, alpha)...)
	}
	v.floats(pre+" dirichlet small", 1e-13, dirichlets(s, []float64{.05, .02, .01})...)
}

func dirichlets(s Source, alpha []float64) []float64 {
	d := make([]float64, 12)
	for i := 0; i < 12; i += 3 {
		Dirichlet(s, d[i:i+3], alpha)
	}
	return d
}

func numpyGenerator(v *vectors) {
	for i, words := range [][]uint32{{0}, {42}, {5, 1 << 8}, {1, 2, 3, 4, 5, 6}} {
		g := NewGenerator(&SeedSequence{Entropy: words})
		v.ints(fmt.Sprintf("pcg %d", i), repeatUint(5, g.Uint64)...)
	}
	g := NewGenerator(&SeedSequence{Entropy: []uint32{7}})
	v.floats("random", 0, repeat(5, g.Float64)...)
	v.floats("random32", 0, repeat(5, func() float64 { return float64(g.Float32()) })...)
	v.floats("random after half", 0, repeat(3, g.Float64)...)
	for _, w := range widths {
		v.ints("integers "+w.name, integers(g, Lemire, 21, 3, 100, w.width)...)
	}
	v.ints("integers bool", integers(g, Lemire, 41, 0, 2, 1)...)
	v.ints("integers wide", integers(g, Lemire, 9, -1<<60, 1<<60, 64)...)
	ziggurats(v, g)
	p := make([]int64, 1000)
	Permutation(g, p[:30])
	v.ints("gen permutation", anys(p[:30])...)
	v.ints("gen choice", integers(g, Lemire, 12, 0, 10, 64)...)
	g.Choice(p[:6], 10, true)
	v.ints("gen choice unique", anys(p[:6])...)
	g.Choice(p[:20], 50, false)
	v.ints("gen choice ordered", anys(p[:20])...)
	g.Choice(p, 20000, true)
	v.ints("gen choice tail", anys(p[:20])...)
	Pick(g, p[:20], []float64{.1, .2, .7})
	v.ints("gen choice p", anys(p[:20])...)
	v.floats("gen end", 0, repeat(2, g.Float64)...)
	distributions(v, "gen", NewGenerator(&SeedSequence{Entropy: []uint32{11}}))
	root := SeedSequence{Entropy: []uint32{12345}}
	kids := root.Spawn(2)
	w := make([]uint32, 4)
	kids[1].Generate32(w)
	v.ints("spawn", anys(w)...)
	grand := kids[1].Spawn(1)
	grand[0].Generate32(w)
	v.ints("spawn2", anys(w)...)
	var m MT19937
	m.SeedSequence(&SeedSequence{Entropy: []uint32{5}})
	v.floats("bitgen mt", 0, repeat(700, m.Float64)[695:]...)
}

func ziggurats(v *vectors, g Generator) {
	const n = 40000
	peak := func(x []float64) (top, sum float64) {
		for _, v := range x {
			top = math.Max(top, math.Abs(v))
			sum += v
		}
		return top, sum
	}
	a := repeat(n, g.Normal)
	top, sum := peak(a)
	v.floats("zig normal", 1e-15, a[n-5:]...)
	v.floats("zig normal max", 1e-11, top, sum)
	a = repeat(n, func() float64 { return float64(g.Normal32()) })
	top, _ = peak(a)
	v.floats("zig normal32", 1e-6, a[n-5:]...)
	v.floats("zig normal32 max", 1e-6, top)
	a = repeat(n, g.Exponential)
	top, _ = peak(a)
	v.floats("zig exp", 1e-15, a[n-5:]...)
	v.floats("zig exp max", 1e-15, top)
	a = repeat(n, func() float64 { return float64(g.Exponential32()) })
	top, _ = peak(a)
	v.floats("zig exp32", 1e-6, a[n-5:]...)
	v.floats("zig exp32 max", 1e-6, top)
}
