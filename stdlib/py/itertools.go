package py

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// The iterators of itertools are structs: what they have to do stands in their
// class's Next.

var _ = define("itertools", func() *lang.ModuleDef {
	return &lang.ModuleDef{Doc: "Functional tools for creating and using iterators.", Init: itertoolsInit,
		Defs: []lang.Def{{Sig: "tee(iterable, n=2, /)", Fn: newTee}}}
})

type iterSpec struct {
	class *lang.Class
	sig   string
	make  lang.Native
}

func itertoolsInit(th *Thread, m *lang.Module) error {
	for _, s := range iterSpecs {
		m.Set(s.class.Name, s.class.Value())
	}
	return nil
}

var iterSpecs []iterSpec

func itClass(name, sig string, next func(th *Thread, v Value) (Value, bool, error), make lang.Native) *lang.Class {
	c := newIterClass(name, "itertools", next)
	c.New = &lang.Def{Sig: sig, Fn: make}
	iterSpecs = append(iterSpecs, iterSpec{c, sig, make})
	return c
}

func iterHead(c *lang.Class) lang.Header { return head(c, value.KindIter) }

// iterOf is iter(v), held.
func iterOf(th *Thread, v Value) (Value, error) {
	it, err := lang.Iter(th, v)
	return it.Held().Value(), err
}

// ---- count, cycle, repeat ----

type countIter struct {
	lang.Header
	n, step Value
}

type cycleIter struct {
	lang.Header
	it    Value
	saved []lang.Held
	i     int
	ended bool
}

type repeatIter struct {
	lang.Header
	v    Value
	left int // -1 for ever
}

type chainIter struct {
	lang.Header
	outer, inner Value // inner Unbound between two
}

type isliceIter struct {
	lang.Header
	it             Value
	at, next, stop int // stop -1: none
	step           int
	over           bool
}

// predIter serves takewhile, dropwhile, filterfalse.
type predIter struct {
	lang.Header
	fn, it Value
	state  bool
}

type starmapIter struct {
	lang.Header
	fn, it Value
}

type accumulateIter struct {
	lang.Header
	it, fn, total Value // total Unbound before the first
	initial       Value
	started       bool
}

type zipLongestIter struct {
	lang.Header
	its  []lang.Held // Unbound where ended
	left int
	fill Value
}

type compressIter struct {
	lang.Header
	data, sel Value
}

type pairwiseIter struct {
	lang.Header
	it, prev Value
}

type groupbyIter struct {
	lang.Header
	it, key         Value
	target, current Value // keys: of the group given out, of the item read; Unbound at first
	item            Value
	id              *grouperIter
}

type grouperIter struct {
	lang.Header
	parent *groupbyIter
	target Value
}

// selectIter serves product, permutations and combinations: rows of a pool chosen
// by indices.
type selectIter struct {
	lang.Header
	pools   [][]lang.Held
	idx     []int
	cycles  []int // permutations
	r       int
	started bool
	over    bool
}

type teeBuffer struct {
	it    Value
	items []lang.Held
	base  int // number of the first item kept
}

type teeIter struct {
	lang.Header
	buf *teeBuffer
	at  int
}

var (
	countClass, cycleClass, repeatClass, chainClass, isliceClass, takewhileClass, dropwhileClass, filterfalseClass,
	starmapClass, accumulateClass, zipLongestClass, compressClass, pairwiseClass, groupbyClass, grouperClass,
	productClass, permutationsClass, combinationsClass, withReplacementClass, teeClass *lang.Class
)

func init() {
	countClass = itClass("count", "__new__(cls, start=0, step=1)", countNext, newCount)
	cycleClass = itClass("cycle", "__new__(cls, iterable, /)", cycleNext, newCycle)
	repeatClass = itClass("repeat", "__new__(cls, object, times=...)", repeatNext, newRepeat)
	chainClass = itClass("chain", "__new__(cls, /, *iterables)", chainNext, newChain)
	lang.DefineMethods(chainClass, []lang.Def{{Sig: "from_iterable(cls, iterable, /)", Fn: chainFromIterable, Flags: lang.DefClassMethod}})
	isliceClass = itClass("islice", "__new__(cls, iterable, start, stop=..., step=..., /)", isliceNext, newIslice)
	takewhileClass = itClass("takewhile", "__new__(cls, predicate, iterable, /)", takewhileNext, newPred(&takewhileClass))
	dropwhileClass = itClass("dropwhile", "__new__(cls, predicate, iterable, /)", dropwhileNext, newPred(&dropwhileClass))
	filterfalseClass = itClass("filterfalse", "__new__(cls, function, iterable, /)", filterfalseNext, newPred(&filterfalseClass))
	starmapClass = itClass("starmap", "__new__(cls, function, iterable, /)", starmapNext, newStarmap)
	accumulateClass = itClass("accumulate", "__new__(cls, iterable, func=None, *, initial=None)", accumulateNext, newAccumulate)
	zipLongestClass = itClass("zip_longest", "__new__(cls, /, *iterables, fillvalue=None)", zipLongestNext, newZipLongest)
	compressClass = itClass("compress", "__new__(cls, data, selectors)", compressNext, newCompress)
	pairwiseClass = itClass("pairwise", "__new__(cls, iterable, /)", pairwiseNext, newPairwise)
	groupbyClass = itClass("groupby", "__new__(cls, iterable, key=None)", groupbyNext, newGroupby)
	grouperClass = newIterClass("_grouper", "itertools", grouperNext)
	productClass = itClass("product", "__new__(cls, /, *iterables, repeat=1)", selectNext(productStep), newProduct)
	permutationsClass = itClass("permutations", "__new__(cls, iterable, r=None)", selectNext(permutationStep), newPermutations)
	combinationsClass = itClass("combinations", "__new__(cls, iterable, r)", selectNext(combinationStep), newCombinations)
	withReplacementClass = itClass("combinations_with_replacement", "__new__(cls, iterable, r)", selectNext(withReplacementStep), newWithReplacement)
	teeClass = newIterClass("_tee", "itertools", teeNext)
	countClass.Repr = countRepr
	repeatClass.Repr = repeatRepr
}

func newCount(th *Thread, a []Value) (Value, error) {
	for _, v := range a[1:] {
		if _, ok := lang.AsFloat(v); !ok {
			c := lang.ClassOf(v)
			if _, ok := lang.AsComplex(v); !ok && c.Int == nil && c.Index == nil && c.Slots.Float == nil {
				return fail(th.TypeErrorf("a number is required"))
			}
		}
	}
	return wrap(a[0], Value{P: unsafe.Pointer(&countIter{iterHead(countClass), a[1].Held().Value(), a[2].Held().Value()})}), nil
}

func countNext(th *Thread, v Value) (Value, bool, error) {
	c := native[countIter](v, countClass)
	n := c.n
	next, err := lang.BinaryOperation(th, lang.OpAdd, n, c.step)
	c.n = next.Held().Value()
	return n, err == nil, err
}

func countRepr(th *Thread, v Value) (Value, error) {
	c := native[countIter](v, countClass)
	s, err := lang.Repr(th, c.n)
	if err != nil {
		return fail(err)
	}
	if c.step.IsInt() && c.step.Int64() == 1 {
		return lang.NewStr("count(" + s + ")"), nil
	}
	t, err := lang.Repr(th, c.step)
	return lang.NewStr("count(" + s + ", " + t + ")"), err
}

func newCycle(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	return wrap(a[0], Value{P: unsafe.Pointer(&cycleIter{Header: iterHead(cycleClass), it: it})}), nil
}

func cycleNext(th *Thread, v Value) (Value, bool, error) {
	c := native[cycleIter](v, cycleClass)
	if !c.ended {
		x, ok, err := lang.Next(th, c.it)
		if err != nil {
			return ends(th, err)
		}
		if ok {
			c.saved = append(c.saved, x.Held())
			return x, true, nil
		}
		c.ended = true
	}
	if len(c.saved) == 0 {
		return done(th)
	}
	x := c.saved[c.i].Value()
	c.i = (c.i + 1) % len(c.saved)
	return x, true, nil
}

func newRepeat(th *Thread, a []Value) (Value, error) {
	n := -1
	if !a[2].IsUnbound() {
		k, err := intOf(th, a[2])
		if err != nil {
			return fail(err)
		}
		n = max(k, 0)
	}
	return wrap(a[0], Value{P: unsafe.Pointer(&repeatIter{iterHead(repeatClass), a[1].Held().Value(), n})}), nil
}

func repeatNext(th *Thread, v Value) (Value, bool, error) {
	r := native[repeatIter](v, repeatClass)
	if r.left == 0 {
		return done(th)
	}
	if r.left > 0 {
		r.left--
	}
	return r.v, true, nil
}

func repeatRepr(th *Thread, v Value) (Value, error) {
	r := native[repeatIter](v, repeatClass)
	s, err := lang.Repr(th, r.v)
	if err != nil || r.left < 0 {
		return lang.NewStr("repeat(" + s + ")"), err
	}
	n, err := lang.Repr(th, lang.Int(int64(r.left)))
	return lang.NewStr("repeat(" + s + ", " + n + ")"), err
}

func newChain(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	return wrap(a[0], Value{P: unsafe.Pointer(&chainIter{iterHead(chainClass), it, lang.Unbound})}), err
}

func chainFromIterable(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	return wrap(a[0], Value{P: unsafe.Pointer(&chainIter{iterHead(chainClass), it, lang.Unbound})}), nil
}

func chainNext(th *Thread, v Value) (Value, bool, error) {
	c := native[chainIter](v, chainClass)
	for {
		if c.inner.IsUnbound() {
			x, ok, err := lang.Next(th, c.outer)
			if err != nil || !ok {
				return ends(th, err)
			}
			if c.inner, err = iterOf(th, x); err != nil {
				c.inner = lang.Unbound
				return ends(th, err)
			}
		}
		x, ok, err := lang.Next(th, c.inner)
		if err != nil || ok {
			return x, ok, err
		}
		c.inner = lang.Unbound
	}
}

func newIslice(th *Thread, a []Value) (Value, error) {
	start, stop, step := none, a[2], none
	if !a[3].IsUnbound() {
		start, stop = a[2], a[3]
	}
	if !a[4].IsUnbound() {
		step = a[4]
	}
	s := &isliceIter{Header: iterHead(isliceClass), stop: -1, step: 1}
	for _, p := range []struct {
		v    Value
		to   *int
		low  int
		text string
	}{
		{stop, &s.stop, 0, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."},
		{start, &s.next, 0, "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."},
		{step, &s.step, 1, "Step for islice() must be a positive integer or None."},
	} {
		if p.v.IsNone() {
			continue
		}
		n, err := intOf(th, p.v)
		if err != nil || n < p.low {
			return fail(th.ValueErrorf("%s", p.text))
		}
		*p.to = n
	}
	it, err := iterOf(th, a[1])
	s.it = it
	return wrap(a[0], Value{P: unsafe.Pointer(s)}), err
}

func isliceNext(th *Thread, v Value) (Value, bool, error) {
	s := native[isliceIter](v, isliceClass)
	if s.over {
		return done(th)
	}
	for s.stop < 0 || s.at < s.stop {
		if s.stop >= 0 && s.next >= s.stop && s.at >= s.stop {
			break
		}
		x, ok, err := lang.Next(th, s.it)
		if err != nil || !ok {
			s.over = true
			return ends(th, err)
		}
		s.at++
		if s.at-1 == s.next {
			s.next += s.step
			if s.stop >= 0 && s.next > s.stop {
				s.next = s.stop
			}
			return x, true, nil
		}
	}
	s.over = true
	return done(th)
}

func newPred(c **lang.Class) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		it, err := iterOf(th, a[2])
		if err != nil {
			return fail(err)
		}
		return wrap(a[0], Value{P: unsafe.Pointer(&predIter{Header: iterHead(*c), fn: a[1].Held().Value(), it: it})}), nil
	}
}

// test is the truth of fn(x), of x itself when fn is None.
// called is test for functions to which None is no predicate.
func (p *predIter) called(th *Thread, x Value) (bool, error) {
	r, err := th.Call(p.fn, []Value{x})
	if err != nil {
		return false, err
	}
	return lang.Truth(th, r)
}

func (p *predIter) test(th *Thread, x Value) (bool, error) {
	if p.fn.IsNone() || p.fn == lang.BoolClass.Value() {
		return lang.Truth(th, x)
	}
	r, err := th.Call(p.fn, []Value{x})
	if err != nil {
		return false, err
	}
	return lang.Truth(th, r)
}

func takewhileNext(th *Thread, v Value) (Value, bool, error) {
	p := native[predIter](v, takewhileClass)
	if p.state {
		return done(th)
	}
	x, ok, err := lang.Next(th, p.it)
	if err != nil || !ok {
		return ends(th, err)
	}
	t, err := p.called(th, x)
	if err != nil || t {
		return x, t, err
	}
	p.state = true
	return done(th)
}

func dropwhileNext(th *Thread, v Value) (Value, bool, error) {
	p := native[predIter](v, dropwhileClass)
	for {
		x, ok, err := lang.Next(th, p.it)
		if err != nil || !ok {
			return ends(th, err)
		}
		if !p.state {
			t, err := p.called(th, x)
			if err != nil {
				return ends(th, err)
			}
			if t {
				continue
			}
			p.state = true
		}
		return x, true, nil
	}
}

func filterfalseNext(th *Thread, v Value) (Value, bool, error) {
	p := native[predIter](v, filterfalseClass)
	for {
		x, ok, err := lang.Next(th, p.it)
		if err != nil || !ok {
			return ends(th, err)
		}
		t, err := p.test(th, x)
		if err != nil || !t {
			return x, err == nil, err
		}
	}
}

func newStarmap(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	return wrap(a[0], Value{P: unsafe.Pointer(&starmapIter{iterHead(starmapClass), a[1].Held().Value(), it})}), nil
}

func starmapNext(th *Thread, v Value) (Value, bool, error) {
	s := native[starmapIter](v, starmapClass)
	x, ok, err := lang.Next(th, s.it)
	if err != nil || !ok {
		return ends(th, err)
	}
	args, err := lang.ToSlice(th, x)
	if err != nil {
		return ends(th, err)
	}
	r, err := th.Call(s.fn, lang.Values(args))
	return r, err == nil, err
}

func newAccumulate(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	s := &accumulateIter{Header: iterHead(accumulateClass), it: it, fn: a[2].Held().Value(), total: lang.Unbound, initial: a[3].Held().Value()}
	return wrap(a[0], Value{P: unsafe.Pointer(s)}), nil
}

func accumulateNext(th *Thread, v Value) (Value, bool, error) {
	s := native[accumulateIter](v, accumulateClass)
	if !s.started {
		s.started = true
		if !s.initial.IsNone() {
			s.total = s.initial
			return s.total, true, nil
		}
	}
	x, ok, err := lang.Next(th, s.it)
	if err != nil || !ok {
		return ends(th, err)
	}
	r := x
	switch {
	case s.total.IsUnbound():
	case s.fn.IsNone():
		r, err = lang.BinaryOperation(th, lang.OpAdd, s.total, x)
	default:
		r, err = th.Call(s.fn, []Value{s.total, x})
	}
	if err != nil {
		return ends(th, err)
	}
	s.total = r.Held().Value()
	return s.total, true, nil
}

func newZipLongest(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[2])
	z := &zipLongestIter{Header: iterHead(zipLongestClass), fill: a[1].Held().Value(), left: t.Len()}
	for _, x := range t.Items() {
		it, err := lang.Iter(th, x.Value())
		if err != nil {
			return fail(err)
		}
		z.its = append(z.its, it.Held())
	}
	return wrap(a[0], Value{P: unsafe.Pointer(z)}), nil
}

func zipLongestNext(th *Thread, v Value) (Value, bool, error) {
	z := native[zipLongestIter](v, zipLongestClass)
	if z.left == 0 {
		return done(th)
	}
	row := make([]lang.Held, len(z.its))
	for i, it := range z.its {
		row[i] = z.fill.Held()
		if it.Value().IsUnbound() {
			continue
		}
		x, ok, err := lang.Next(th, it.Value())
		if err != nil {
			z.left = 0
			return ends(th, err)
		}
		if ok {
			row[i] = x.Held()
			continue
		}
		z.its[i] = lang.Unbound.Held()
		if z.left--; z.left == 0 {
			return done(th)
		}
	}
	return lang.TupleOf(row).Value(), true, nil
}

func newCompress(th *Thread, a []Value) (Value, error) {
	d, err := iterOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	s, err := iterOf(th, a[2])
	return wrap(a[0], Value{P: unsafe.Pointer(&compressIter{iterHead(compressClass), d, s})}), err
}

func compressNext(th *Thread, v Value) (Value, bool, error) {
	c := native[compressIter](v, compressClass)
	for {
		x, ok, err := lang.Next(th, c.data)
		if err != nil || !ok {
			return ends(th, err)
		}
		s, ok, err := lang.Next(th, c.sel)
		if err != nil || !ok {
			return ends(th, err)
		}
		t, err := lang.Truth(th, s)
		if err != nil || t {
			return x, t, err
		}
	}
}

func newPairwise(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	return wrap(a[0], Value{P: unsafe.Pointer(&pairwiseIter{iterHead(pairwiseClass), it, lang.Unbound})}), err
}

func pairwiseNext(th *Thread, v Value) (Value, bool, error) {
	p := native[pairwiseIter](v, pairwiseClass)
	for {
		x, ok, err := lang.Next(th, p.it)
		if err != nil || !ok {
			return ends(th, err)
		}
		old := p.prev
		p.prev = x.Held().Value()
		if !old.IsUnbound() {
			return lang.NewTuple(old, x), true, nil
		}
	}
}

func newGroupby(th *Thread, a []Value) (Value, error) {
	it, err := iterOf(th, a[1])
	u := lang.Unbound
	g := &groupbyIter{Header: iterHead(groupbyClass), it: it, key: a[2].Held().Value(), target: u, current: u, item: u}
	return wrap(a[0], Value{P: unsafe.Pointer(g)}), err
}

// step reads one item and its key.
func (g *groupbyIter) step(th *Thread) (bool, error) {
	x, ok, err := lang.Next(th, g.it)
	if err != nil || !ok {
		return false, err
	}
	k := x
	if !g.key.IsNone() {
		if k, err = th.Call(g.key, []Value{x}); err != nil {
			return false, err
		}
	}
	g.item, g.current = x.Held().Value(), k.Held().Value()
	return true, nil
}

func groupbyNext(th *Thread, v Value) (Value, bool, error) {
	g := native[groupbyIter](v, groupbyClass)
	g.id = nil
	for {
		if !g.current.IsUnbound() {
			if g.target.IsUnbound() {
				break
			}
			same, err := lang.Equal(th, g.target, g.current)
			if err != nil {
				return ends(th, err)
			}
			if !same {
				break
			}
		}
		if ok, err := g.step(th); err != nil || !ok {
			return ends(th, err)
		}
	}
	g.target = g.current
	g.id = &grouperIter{iterHead(grouperClass), g, g.current}
	return lang.NewTuple(g.current, Value{P: unsafe.Pointer(g.id)}), true, nil
}

func grouperNext(th *Thread, v Value) (Value, bool, error) {
	s := (*grouperIter)(v.P)
	g := s.parent
	if g.id != s {
		return done(th)
	}
	if g.item.IsUnbound() {
		if ok, err := g.step(th); err != nil || !ok {
			return ends(th, err)
		}
	}
	same, err := lang.Equal(th, s.target, g.current)
	if err != nil || !same {
		return ends(th, err)
	}
	x := g.item
	g.item = lang.Unbound
	return x, true, nil
}

func newTee(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if n < 0 {
		return fail(th.ValueErrorf("n must be >= 0"))
	}
	it, err := iterOf(th, a[0])
	if err != nil {
		return fail(err)
	}
	buf, at := &teeBuffer{it: it}, 0
	if old := native[teeIter](it, teeClass); old != nil {
		buf, at = old.buf, old.at
	}
	out := make([]Value, n)
	for i := range out {
		out[i] = Value{P: unsafe.Pointer(&teeIter{iterHead(teeClass), buf, at})}
	}
	return lang.NewTuple(out...), nil
}

func teeNext(th *Thread, v Value) (Value, bool, error) {
	t := (*teeIter)(v.P)
	b := t.buf
	if t.at < b.base+len(b.items) {
		t.at++
		return b.items[t.at-1-b.base].Value(), true, nil
	}
	x, ok, err := lang.Next(th, b.it)
	if err != nil || !ok {
		return ends(th, err)
	}
	b.items = append(b.items, x.Held())
	t.at++
	return x, true, nil
}
