package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _heapq and _bisect are the parts of heapq and bisect that want to be quick.
var _ = define("_heapq", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "heappush(heap, item, /)", Fn: heapPush, Doc: "Push item onto the heap."},
		{Sig: "heappop(heap, /)", Fn: heapPop, Doc: "Pop the smallest item off the heap."},
		{Sig: "heapreplace(heap, item, /)", Fn: heapReplace, Doc: "Pop the smallest item and push another."},
		{Sig: "heappushpop(heap, item, /)", Fn: heapPushPop, Doc: "Push an item, then pop the smallest."},
		{Sig: "heapify(heap, /)", Fn: heapify, Doc: "Turn a list into a heap in place."},
	}}
})

var _ = define("bisect", func() *lang.ModuleDef {
	sig := "(a, x, lo=0, hi=None, *, key=None)"
	return &lang.ModuleDef{Doc: "Bisection algorithms.", Defs: []lang.Def{
		{Sig: "bisect_left" + sig, Fn: bisect(false)}, {Sig: "bisect_right" + sig, Fn: bisect(true)}, {Sig: "bisect" + sig, Fn: bisect(true)},
		{Sig: "insort_left" + sig, Fn: insort(false)}, {Sig: "insort_right" + sig, Fn: insort(true)}, {Sig: "insort" + sig, Fn: insort(true)},
	}}
})

func heapList(th *Thread, v Value) (*lang.List, error) {
	l, ok := lang.AsList(v)
	if !ok {
		return nil, th.TypeErrorf("heap argument must be a list, not %s", lang.TypeName(v))
	}
	return l, nil
}

func less(th *Thread, a, b Value) (bool, error) { return lang.CompareBool(th, lang.LT, a, b) }

// lessIn compares two items of a heap; a comparison that changes its length is an error.
func lessIn(th *Thread, l *lang.List, a, b Value) (bool, error) {
	n := l.Len()
	lt, err := less(th, a, b)
	if err == nil && l.Len() != n {
		err = th.Raise(lang.RuntimeError, "list changed size during iteration")
	}
	return lt, err
}

// siftDown moves item i up while it is smaller than its parent.
func siftDown(th *Thread, l *lang.List, start, i int) error {
	x := l.At(i)
	for i > start {
		p := (i - 1) / 2
		lt, err := lessIn(th, l, x, l.At(p))
		if err != nil {
			return err
		}
		if !lt {
			break
		}
		l.Set(i, l.At(p))
		i = p
	}
	l.Set(i, x)
	return nil
}

// siftUp moves the hole at i down to a leaf along smaller children, then the item up.
func siftUp(th *Thread, l *lang.List, i int) error {
	n, start, x := l.Len(), i, l.At(i)
	for c := 2*i + 1; c < n; c = 2*i + 1 {
		if r := c + 1; r < n {
			lt, err := lessIn(th, l, l.At(c), l.At(r))
			if err != nil {
				return err
			}
			if !lt {
				c = r
			}
		}
		l.Set(i, l.At(c))
		i = c
	}
	l.Set(i, x)
	return siftDown(th, l, start, i)
}

func heapPush(th *Thread, a []Value) (Value, error) {
	l, err := heapList(th, a[0])
	if err != nil {
		return fail(err)
	}
	if err := l.Push(th, a[1]); err != nil {
		return fail(err)
	}
	return none, siftDown(th, l, 0, l.Len()-1)
}

func emptyHeap(th *Thread) error { return th.Raise(lang.IndexError, "index out of range") }

func heapPop(th *Thread, a []Value) (Value, error) {
	l, err := heapList(th, a[0])
	if err != nil {
		return fail(err)
	}
	n := l.Len()
	if n == 0 {
		return fail(emptyHeap(th))
	}
	last := l.At(n - 1)
	items := l.Items()
	items[n-1] = lang.Held{}
	l.SetItems(items[:n-1])
	if n == 1 {
		return last, nil
	}
	top := l.At(0)
	l.Set(0, last)
	return top, siftUp(th, l, 0)
}

func heapReplace(th *Thread, a []Value) (Value, error) {
	l, err := heapList(th, a[0])
	if err != nil {
		return fail(err)
	}
	if l.Len() == 0 {
		return fail(emptyHeap(th))
	}
	top := l.At(0)
	l.Set(0, a[1])
	return top, siftUp(th, l, 0)
}

func heapPushPop(th *Thread, a []Value) (Value, error) {
	l, err := heapList(th, a[0])
	if err != nil {
		return fail(err)
	}
	if l.Len() == 0 {
		return a[1], nil
	}
	lt, err := less(th, l.At(0), a[1])
	if err != nil || !lt {
		return a[1], err
	}
	return heapReplace(th, a)
}

func heapify(th *Thread, a []Value) (Value, error) {
	l, err := heapList(th, a[0])
	if err != nil {
		return fail(err)
	}
	for i := l.Len()/2 - 1; i >= 0; i-- {
		if err := siftUp(th, l, i); err != nil {
			return fail(err)
		}
	}
	return none, nil
}

// bisectAt is where x would be inserted, after equal items when right.
func bisectAt(th *Thread, a []Value, right bool) (int, error) {
	lo, err := intOf(th, a[2])
	if err != nil {
		return 0, err
	}
	if lo < 0 {
		return 0, th.ValueErrorf("lo must be non-negative")
	}
	hi := 0
	if a[3].IsNone() {
		hi, err = lang.Len(th, a[0])
	} else {
		hi, err = intOf(th, a[3])
	}
	for err == nil && lo < hi {
		m := int(uint(lo+hi) >> 1)
		var y Value
		if y, err = lang.GetItem(th, a[0], lang.Int(int64(m))); err != nil {
			break
		}
		if !a[4].IsNone() {
			if y, err = th.Call(a[4], []Value{y}); err != nil {
				break
			}
		}
		var lt bool
		if right {
			lt, err = less(th, a[1], y)
			lt = !lt
		} else {
			lt, err = less(th, y, a[1])
		}
		if lt {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, err
}

func bisect(right bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		i, err := bisectAt(th, a, right)
		return lang.Int(int64(i)), err
	}
}

func insort(right bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		b := append([]Value(nil), a...)
		if !a[4].IsNone() {
			k, err := th.Call(a[4], []Value{a[1]})
			if err != nil {
				return fail(err)
			}
			b[1] = k
		}
		i, err := bisectAt(th, b, right)
		if err != nil {
			return fail(err)
		}
		return th.CallMethod(a[0], "insert", lang.Int(int64(i)), a[1])
	}
}
