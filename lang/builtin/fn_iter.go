package builtin

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// The iterator classes that are built-in functions to a script.
var (
	EnumerateClass = lang.NewBuiltinClass("enumerate", "builtins", value.KindIter)
	ZipClass       = lang.NewBuiltinClass("zip", "builtins", value.KindIter)
	MapClass       = lang.NewBuiltinClass("map", "builtins", value.KindIter)
	FilterClass    = lang.NewBuiltinClass("filter", "builtins", value.KindIter)
	ReversedClass  = lang.NewBuiltinClass("reversed", "builtins", value.KindIter)
)

func iterHead(c *lang.Class) lang.Header { return lang.Header{Type: &c.Type, Kind: value.KindIter} }

func selfIter(th *Thread, v Value) (Value, error) { return v, nil }

// done is the end of an iterator.
func done(th *Thread) (Value, bool, error) {
	th.StopValue = none
	return lang.Unbound, false, nil
}

// ends is what Next returns when the iterator it draws from ended or failed.
func ends(th *Thread, err error) (Value, bool, error) {
	if err != nil {
		return lang.Unbound, false, err
	}
	return done(th)
}

type enumerate struct {
	lang.Header
	it Value
	n  Value
}

var enumerateNew = lang.Def{Sig: "__new__(cls, iterable, start=0)", Fn: newEnumerate}

func newEnumerate(th *Thread, a []Value) (Value, error) {
	n, err := lang.Index(th, a[2])
	if err != nil {
		return fail(err)
	}
	it, err := lang.Iter(th, a[1])
	if err != nil {
		return fail(err)
	}
	e := &enumerate{iterHead(EnumerateClass), it.Held().Value(), n}
	return wrapAs(a[0], Value{P: unsafe.Pointer(e)}, nil)
}

func enumerateNext(th *Thread, v Value) (Value, bool, error) {
	e := (*enumerate)(lang.Payload(v).P)
	x, ok, err := lang.Next(th, e.it)
	if err != nil || !ok {
		return ends(th, err)
	}
	n := e.n
	if n.IsInt() && n.Int64() < 1<<62 {
		e.n = lang.Int(n.Int64() + 1)
	} else if e.n, err = lang.BinaryOperation(th, lang.OpAdd, n, lang.Int(1)); err != nil {
		return ends(th, err)
	}
	return lang.NewTuple(n, x), true, nil
}

type zip struct {
	lang.Header
	its    []lang.Held
	strict bool
	end    bool
}

var zipNew = lang.Def{Sig: "__new__(cls, /, *iterables, strict=False)", Fn: newZip}

func newZip(th *Thread, a []Value) (Value, error) {
	strict, err := lang.Truth(th, a[1])
	if err != nil {
		return fail(err)
	}
	its, err := iterators(th, a[2])
	if err != nil {
		return fail(err)
	}
	return wrapAs(a[0], Value{P: unsafe.Pointer(&zip{iterHead(ZipClass), its, strict, false})}, nil)
}

// iterators makes an iterator of every item of a tuple.
func iterators(th *Thread, args Value) ([]lang.Held, error) {
	t, _ := lang.AsTuple(args)
	its := make([]lang.Held, 0, t.Len())
	for _, x := range t.Items() {
		it, err := lang.Iter(th, x.Value())
		if err != nil {
			return nil, err
		}
		its = append(its, it.Held())
	}
	return its, nil
}

func zipNext(th *Thread, v Value) (Value, bool, error) {
	z := (*zip)(lang.Payload(v).P)
	if len(z.its) == 0 || z.end {
		return done(th)
	}
	row := make([]lang.Held, len(z.its))
	for i, it := range z.its {
		x, ok, err := lang.Next(th, it.Value())
		if err != nil {
			return ends(th, err)
		}
		if !ok {
			z.end = true
			return ends(th, z.uneven(th, i))
		}
		row[i] = x.Held()
	}
	return lang.TupleOf(row).Value(), true, nil
}

// uneven is the error of a strict zip whose argument i ended.
func (z *zip) uneven(th *Thread, i int) error {
	if !z.strict {
		return nil
	}
	if i > 0 {
		return th.ValueErrorf("zip() argument %d is shorter than argument%s", i+1, upTo(i))
	}
	for k := 1; k < len(z.its); k++ {
		_, ok, err := lang.Next(th, z.its[k].Value())
		if err != nil {
			return err
		}
		if ok {
			return th.ValueErrorf("zip() argument %d is longer than argument%s", k+1, upTo(k))
		}
	}
	return nil
}

func upTo(i int) string {
	if i == 1 {
		return " 1"
	}
	return "s 1-" + itoa(i)
}

type mapIter struct {
	lang.Header
	fn  Value
	its []lang.Held
}

var mapNew = lang.Def{Sig: "__new__(cls, /, *args)", Fn: newMap}

func newMap(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[1])
	if t.Len() < 2 {
		return fail(th.TypeErrorf("map() must have at least two arguments."))
	}
	its, err := iterators(th, lang.NewTuple(lang.Values(t.Items()[1:])...))
	if err != nil {
		return fail(err)
	}
	return wrapAs(a[0], Value{P: unsafe.Pointer(&mapIter{iterHead(MapClass), t.At(0), its})}, nil)
}

func mapNext(th *Thread, v Value) (Value, bool, error) {
	m := (*mapIter)(lang.Payload(v).P)
	var buf [4]Value
	args := buf[:0]
	for _, it := range m.its {
		x, ok, err := lang.Next(th, it.Value())
		if err != nil || !ok {
			return ends(th, err)
		}
		args = append(args, x)
	}
	r, err := th.Call(m.fn, args)
	return r, err == nil, err
}

type filterIter struct {
	lang.Header
	fn, it Value
}

var filterNew = lang.Def{Sig: "__new__(cls, function, iterable, /)", Fn: newFilter}

func newFilter(th *Thread, a []Value) (Value, error) {
	it, err := lang.Iter(th, a[2])
	if err != nil {
		return fail(err)
	}
	f := &filterIter{iterHead(FilterClass), a[1].Held().Value(), it.Held().Value()}
	return wrapAs(a[0], Value{P: unsafe.Pointer(f)}, nil)
}

func filterNext(th *Thread, v Value) (Value, bool, error) {
	f := (*filterIter)(lang.Payload(v).P)
	for {
		x, ok, err := lang.Next(th, f.it)
		if err != nil || !ok {
			return ends(th, err)
		}
		keep := x
		if !f.fn.IsNone() && f.fn != lang.BoolClass.Value() {
			if keep, err = th.Call(f.fn, []Value{x}); err != nil {
				return ends(th, err)
			}
		}
		t, err := lang.Truth(th, keep)
		if err != nil {
			return ends(th, err)
		}
		if t {
			return x, true, nil
		}
	}
}

// reversedIter walks a sequence from its end by __getitem__.
type reversedIter struct {
	lang.Header
	seq Value
	i   int
}

var reversedNew = lang.Def{Sig: "__new__(cls, sequence, /)", Fn: newReversed}

func newReversed(th *Thread, a []Value) (Value, error) {
	c := lang.ClassOf(a[1])
	if m := c.Lookup("__reversed__"); !m.IsUnbound() {
		if m.IsNone() {
			return fail(th.TypeErrorf("'%s' object is not reversible", c.Name))
		}
		return th.CallMethod(a[1], "__reversed__")
	}
	if _, isSet := lang.AsSet(a[1]); isSet || c.GetItem == nil || c.Len == nil {
		return fail(th.TypeErrorf("'%s' object is not reversible", c.Name))
	}
	n, err := lang.Len(th, a[1])
	if err != nil {
		return fail(err)
	}
	return wrapAs(a[0], Value{P: unsafe.Pointer(&reversedIter{iterHead(ReversedClass), a[1].Held().Value(), n - 1})}, nil)
}

func reversedNext(th *Thread, v Value) (Value, bool, error) {
	r := (*reversedIter)(lang.Payload(v).P)
	if r.i < 0 {
		return done(th)
	}
	x, err := lang.GetItem(th, r.seq, lang.Int(int64(r.i)))
	if err != nil {
		r.i = -1
		if lang.Matches(err, lang.IndexError) || lang.Matches(err, lang.StopIteration) {
			return done(th)
		}
		return ends(th, err)
	}
	r.i--
	return x, true, nil
}

func fnIter(th *Thread, a []Value) (Value, error) {
	if a[1].IsUnbound() {
		return lang.Iter(th, a[0])
	}
	if !lang.IsCallable(a[0]) {
		return fail(th.TypeErrorf("iter(v, w): v must be callable"))
	}
	return lang.NewCallIter(a[0], a[1]), nil
}

func fnNext(th *Thread, a []Value) (Value, error) {
	v, ok, err := lang.Next(th, a[0])
	if err != nil || ok {
		return v, err
	}
	if a[1].IsUnbound() {
		return fail(th.Stop())
	}
	return a[1], nil
}

func fnAny(th *Thread, a []Value) (Value, error) { return quantifier(th, a[0], true) }
func fnAll(th *Thread, a []Value) (Value, error) { return quantifier(th, a[0], false) }

// quantifier is stop if some item has that truth, else its opposite.
func quantifier(th *Thread, v Value, stop bool) (Value, error) {
	it, err := lang.Iterate(th, v)
	if err != nil {
		return fail(err)
	}
	for {
		x, ok, err := it.Next(th)
		if err != nil || !ok {
			return lang.Bool(!stop), err
		}
		t, err := lang.Truth(th, x)
		if err != nil || t == stop {
			return lang.Bool(stop), err
		}
	}
}
