package builtin

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
)

// iterRows are the methods that the iterators of built-in containers share: what
// copy and pickle rebuild them from, and how many items are left.
var iterRows = []lang.Def{
	{Sig: "__reduce__(self, /)", Fn: iterReduce},
	{Sig: "__length_hint__(self, /)", Fn: iterHint},
}

var iterStateRows = []lang.Def{{Sig: "__setstate__(self, state, /)", Fn: iterSetState}}

// stateful are the iterators that __setstate__ can move.
var stateful = map[*lang.Class]struct{}{
	lang.ListIterClass: {}, lang.ListRevIterClass: {}, lang.TupleIterClass: {}, lang.StrIterClass: {}, lang.StrASCIIIterClass: {},
	lang.BytesIterClass: {}, lang.ByteArrayIterClass: {}, lang.RangeIterClass: {}, lang.SeqIterClass: {},
}

var lazyRows = []lang.Def{{Sig: "__reduce__(self, /)", Fn: lazyReduce}}

// reversedRows are those of reversed() alone.
var reversedRows = []lang.Def{
	{Sig: "__length_hint__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.Int(int64((*reversedIter)(lang.Payload(a[0]).P).i + 1)), nil
	}},
	{Sig: "__setstate__(self, state, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		i, err := intOf(th, a[1])
		if err != nil {
			return fail(err)
		}
		r := (*reversedIter)(lang.Payload(a[0]).P)
		n, err := lang.Len(th, r.seq)
		r.i = min(max(i, -1), n-1)
		return none, err
	}},
}

// position is where an iterator over an indexed container stands.
type position struct {
	of    Value // the container, Unbound at the end
	index int
	left  int
	empty Value // what an iterator at its end is rebuilt from
}

func (p position) ended(yes bool) position {
	if yes {
		p.of = lang.Unbound
	}
	return p
}

func list(items ...lang.Held) Value {
	l := lang.MakeList(len(items))
	for _, x := range items {
		l.Append(x.Value())
	}
	return l.Value()
}

// iterPosition reads an iterator that counts; false for one that walks a table.
func iterPosition(v Value) (position, bool) {
	switch lang.ClassOf(v) {
	case lang.ListIterClass, lang.ListRevIterClass:
		it := (*lang.ListIter)(v.P)
		p := position{of: lang.Unbound, index: it.I, empty: list()}
		if it.L != nil {
			p.of, p.left = it.L.Value(), it.L.Len()-it.I
			if lang.ClassOf(v) == lang.ListRevIterClass {
				p.left = it.I + 1
			}
		}
		return p, true
	case lang.TupleIterClass:
		it := (*lang.TupleIter)(v.P)
		p := position{it.Of, it.I, len(it.Items) - it.I, lang.NewTuple()}
		return p.ended(p.left < 0), true
	case lang.StrIterClass, lang.StrASCIIIterClass:
		it := (*lang.StrIter)(v.P)
		text := it.S.String()
		seen := it.S.Index(min(it.At, len(text)))
		p := position{it.S.Value(), seen, it.S.Len() - seen, lang.NewStr("")}
		return p.ended(it.At > len(text)), true
	case lang.BytesIterClass, lang.ByteArrayIterClass:
		it := (*lang.BytesIter)(v.P)
		b, _ := lang.BytesOf(it.Of)
		p := position{it.Of, it.I, len(b) - it.I, lang.NewTuple()}
		return p.ended(p.left < 0), true
	case lang.RangeIterClass:
		it := (*lang.RangeIter)(v.P)
		return position{it.R.Value(), int(it.I), int(it.R.Len() - it.I), lang.Unbound}, true
	case lang.SeqIterClass:
		it := (*lang.SeqIter)(v.P)
		p := position{of: lang.Unbound, index: int(it.I), empty: lang.NewTuple()}
		if !it.End {
			p.of = it.Seq
		}
		return p, true
	}
	return position{}, false
}

func iterReduce(th *Thread, a []Value) (Value, error) {
	make, err := th.Interp.Builtins.Get(th, "iter")
	if err != nil {
		return fail(err)
	}
	p, ok := iterPosition(a[0])
	switch {
	case !ok:
		return reduceWalk(th, make, a[0])
	case p.of.IsUnbound():
		return lang.NewTuple(make, lang.NewTuple(p.empty)), nil
	}
	if lang.ClassOf(a[0]) == lang.ListRevIterClass {
		make = ReversedClass.Value()
	}
	return lang.NewTuple(make, lang.NewTuple(p.of), lang.Int(int64(p.index))), nil
}

// reduceWalk rebuilds an iterator over a table from the list of what is left.
func reduceWalk(th *Thread, make, v Value) (Value, error) {
	switch lang.ClassOf(v) {
	case lang.CallIterClass:
		it := (*lang.CallIter)(v.P)
		if it.End {
			return lang.NewTuple(make, lang.NewTuple(lang.NewTuple())), nil
		}
		return lang.NewTuple(make, lang.NewTuple(it.Fn, it.Sentinel)), nil
	case lang.LongRangeIterClass:
		it := *(*lang.BigRangeIter)(v.P)
		length, err := lang.BinaryOperation(th, lang.OpMul, it.Left, it.Step)
		if err != nil {
			return fail(err)
		}
		stop, err := lang.BinaryOperation(th, lang.OpAdd, it.Next, length)
		if err != nil {
			return fail(err)
		}
		r, err := th.Call(lang.RangeClass.Value(), []Value{it.Next, stop, it.Step})
		return lang.NewTuple(make, lang.NewTuple(r), lang.Int(0)), err
	}
	items, err := rest(th, v)
	return lang.NewTuple(make, lang.NewTuple(list(items...))), err
}

// rest collects what a walk over a dict or set has still to give, without moving it.
func rest(th *Thread, v Value) ([]lang.Held, error) {
	var copied Value
	if lang.ClassOf(v) == lang.SetIterClass {
		it := *(*lang.SetIter)(v.P)
		copied = Value{P: unsafe.Pointer(&it)}
	} else {
		it := *(*lang.DictIter)(v.P)
		copied = Value{P: unsafe.Pointer(&it)}
	}
	return lang.ToSlice(th, copied)
}

func iterHint(th *Thread, a []Value) (Value, error) {
	if p, ok := iterPosition(a[0]); ok {
		if lang.ClassOf(a[0]) == lang.SeqIterClass && !p.of.IsUnbound() {
			n, err := lang.Len(th, p.of)
			if err != nil {
				return lang.NotImplemented, nil
			}
			p.left = n - p.index
		}
		return lang.Int(int64(max(p.left, 0))), nil
	}
	switch lang.ClassOf(a[0]) {
	case lang.CallIterClass:
		return lang.NotImplemented, nil
	case lang.LongRangeIterClass:
		return (*lang.BigRangeIter)(a[0].P).Left, nil
	case lang.SetIterClass:
		if it := (*lang.SetIter)(a[0].P); it.S == nil || it.S.Len() != it.Used {
			return lang.Int(0), nil
		}
	default:
		if it := (*lang.DictIter)(a[0].P); it.D == nil || it.D.Len() != it.Used {
			return lang.Int(0), nil
		}
	}
	items, err := rest(th, a[0])
	return lang.Int(int64(len(items))), err
}

func iterSetState(th *Thread, a []Value) (Value, error) {
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	v := a[0]
	switch lang.ClassOf(v) {
	case lang.ListIterClass:
		if it := (*lang.ListIter)(v.P); it.L != nil {
			it.I = min(max(i, 0), it.L.Len())
		}
	case lang.ListRevIterClass:
		if it := (*lang.ListIter)(v.P); it.L != nil {
			it.I = min(max(i, -1), it.L.Len()-1)
		}
	case lang.TupleIterClass:
		it := (*lang.TupleIter)(v.P)
		it.I = min(max(i, 0), len(it.Items))
	case lang.BytesIterClass, lang.ByteArrayIterClass:
		it := (*lang.BytesIter)(v.P)
		b, _ := lang.BytesOf(it.Of)
		it.I = min(max(i, 0), len(b))
	case lang.RangeIterClass:
		it := (*lang.RangeIter)(v.P)
		it.I = min(max(int64(i), 0), it.R.Len())
	case lang.SeqIterClass:
		if it := (*lang.SeqIter)(v.P); !it.End {
			it.I = max(int64(i), 0)
		}
	default:
		it := (*lang.StrIter)(v.P)
		it.At = it.S.Offset(min(max(i, 0), it.S.Len()))
	}
	return none, nil
}

// lazyReduce rebuilds enumerate, zip, map, filter and reversed from what they read.
func lazyReduce(th *Thread, a []Value) (Value, error) {
	class, v := lang.ClassOf(a[0]).Value(), lang.Payload(a[0])
	var args []Value
	switch lang.ClassOf(v) {
	case EnumerateClass:
		e := (*enumerate)(v.P)
		args = []Value{e.it, e.n}
	case ZipClass:
		z := (*zip)(v.P)
		args = values(z.its)
		if z.strict {
			return lang.NewTuple(class, lang.NewTuple(args...), lang.True), nil
		}
	case MapClass:
		m := (*mapIter)(v.P)
		args = append([]Value{m.fn}, values(m.its)...)
	case FilterClass:
		f := (*filterIter)(v.P)
		args = []Value{f.fn, f.it}
	default:
		r := (*reversedIter)(v.P)
		if r.seq.IsUnbound() {
			return lang.NewTuple(class, lang.NewTuple(lang.NewTuple())), nil
		}
		return lang.NewTuple(class, lang.NewTuple(r.seq), lang.Int(int64(r.i))), nil
	}
	return lang.NewTuple(class, lang.NewTuple(args...)), nil
}

func values(items []lang.Held) []Value {
	out := make([]Value, len(items))
	for i, x := range items {
		out[i] = x.Value()
	}
	return out
}
