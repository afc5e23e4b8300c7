package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var listRows = []lang.Def{
	{Sig: "append(self, object, /)", Fn: listAppend, Flags: lang.DefAppend, Doc: "Append an item at the end."},
	{Sig: "clear(self, /)", Fn: listClear, Doc: "Remove all items."},
	{Sig: "copy(self, /)", Fn: listCopy, Doc: "Return a shallow copy."},
	{Sig: "count(self, value, /)", Fn: listCount, Doc: "Return how many items are equal to value."},
	{Sig: "extend(self, iterable, /)", Fn: listExtend, Doc: "Append all items of an iterable."},
	{Sig: "index(self, value, start=0, stop=9223372036854775807, /)", Fn: listIndex, Doc: "Return the first position of value."},
	{Sig: "insert(self, index, object, /)", Fn: listInsert, Doc: "Insert an item before a position."},
	{Sig: "pop(self, index=-1, /)", Fn: listPop, Doc: "Remove an item and return it."},
	{Sig: "remove(self, value, /)", Fn: listRemove, Doc: "Remove the first item that is equal to value."},
	{Sig: "reverse(self, /)", Fn: listReverse, Doc: "Reverse the order of the items in place."},
	{Sig: "sort(self, /, *, key=None, reverse=False)", Fn: listSort, Doc: "Sort the items in place; the sort is stable."},
	{Sig: "__reversed__(self, /)", Fn: listReversed, Doc: "Return an iterator from the last item to the first."},
	{Sig: "__class_getitem__(cls, item, /)", Fn: classGetItem, Flags: lang.DefClassMethod},
	{Sig: "__sizeof__(self, /)", Fn: listSizeof},
}

func listSelf(a []Value) *lang.List { l, _ := lang.AsList(a[0]); return l }

var listNew = lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: newList}

func newList(th *Thread, a []Value) (Value, error) {
	return wrapAs(a[0], lang.MakeList(0).Value(), nil)
}

var listInit = lang.Def{Sig: "__init__(self, iterable=..., /)", Fn: initList}

func initList(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	if a[1].IsUnbound() {
		l.SetItems(nil)
		return none, nil
	}
	items, err := lang.ToSlice(th, a[1])
	if err != nil {
		return fail(err)
	}
	l.SetItems(items)
	return none, nil
}

func listAppend(th *Thread, a []Value) (Value, error) {
	return none, listSelf(a).Push(th, a[1])
}

func listClear(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	clear(l.Items()) // a short list has its room in itself: it would keep them alive
	l.SetItems(nil)
	return none, nil
}

func listCopy(th *Thread, a []Value) (Value, error) {
	return lang.ListOf(append([]lang.Held(nil), listSelf(a).Items()...)).Value(), nil
}

func listExtend(th *Thread, a []Value) (Value, error) {
	return none, listSelf(a).Extend(th, a[1])
}

func listCount(th *Thread, a []Value) (Value, error) {
	l, n := listSelf(a), 0
	for i := 0; i < l.Len(); i++ {
		eq, err := lang.Same(th, l.At(i), a[1])
		if err != nil {
			return fail(err)
		}
		if eq {
			n++
		}
	}
	return lang.Int(int64(n)), nil
}

// positionOf finds a value from start to stop; -1 if none. length and at read the
// sequence, which a comparison may change.
func positionOf(th *Thread, v, start, stop Value, length func() int, at func(i int) Value) (int, error) {
	i, err := sliceBound(th, start, 0)
	if err != nil {
		return 0, err
	}
	j, err := sliceBound(th, stop, length())
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i = max(i+length(), 0)
	}
	if j < 0 {
		j += length()
	}
	for ; i < j && i < length(); i++ {
		eq, err := lang.Same(th, at(i), v)
		if err != nil {
			return 0, err
		}
		if eq {
			return i, nil
		}
	}
	return -1, nil
}

func listIndex(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	i, err := positionOf(th, a[1], a[2], a[3], l.Len, l.At)
	if err != nil {
		return fail(err)
	}
	if i < 0 {
		r, err := lang.Repr(th, a[1])
		if err != nil {
			return fail(err)
		}
		return fail(th.ValueErrorf("%s is not in list", r))
	}
	return lang.Int(int64(i)), nil
}

func listInsert(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if i < 0 {
		i = max(i+l.Len(), 0)
	}
	i = min(i, l.Len())
	l.Splice(i, i, []lang.Held{a[2].Held()})
	return none, nil
}

func listPop(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	n := l.Len()
	if n == 0 {
		return fail(th.Raise(lang.IndexError, "pop from empty list"))
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return fail(th.Raise(lang.IndexError, "pop index out of range"))
	}
	v := l.At(i)
	if i == n-1 {
		items := l.Items()
		items[i] = lang.Held{}
		l.SetItems(items[:i])
	} else {
		l.Splice(i, i+1, nil)
	}
	return v, nil
}

func listRemove(th *Thread, a []Value) (Value, error) {
	l := listSelf(a)
	for i := 0; i < l.Len(); i++ {
		eq, err := lang.Same(th, l.At(i), a[1])
		if err != nil {
			return fail(err)
		}
		if eq {
			if i < l.Len() {
				l.Splice(i, i+1, nil)
			}
			return none, nil
		}
	}
	return fail(th.ValueErrorf("list.remove(x): x not in list"))
}

func listReverse(th *Thread, a []Value) (Value, error) {
	reverseHeld(listSelf(a).Items())
	return none, nil
}

func reverseHeld(s []lang.Held) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}

func listReversed(th *Thread, a []Value) (Value, error) { return lang.NewListRevIter(listSelf(a)), nil }

func listSizeof(th *Thread, a []Value) (Value, error) {
	return lang.Int(int64(40 + 8*cap(listSelf(a).Items()))), nil
}

func listSort(th *Thread, a []Value) (Value, error) {
	rev, err := truthArg(th, a[2])
	if err != nil {
		return fail(err)
	}
	l := listSelf(a)
	items := l.Items()
	l.SetItems(nil) // what a comparison sees, and how it is caught changing the list
	err = sortItems(th, items, a[1], rev)
	changed := l.Items() != nil // also after append and pop
	l.SetItems(items)
	if err == nil && changed {
		err = th.ValueErrorf("list modified during sort")
	}
	return none, err
}

var tupleRows = []lang.Def{
	{Sig: "count(self, value, /)", Fn: tupleCount, Doc: "Return how many items are equal to value."},
	{Sig: "index(self, value, start=0, stop=9223372036854775807, /)", Fn: tupleIndex, Doc: "Return the first position of value."},
	{Sig: "__class_getitem__(cls, item, /)", Fn: classGetItem, Flags: lang.DefClassMethod},
	{Sig: "__getnewargs__(self, /)", Fn: tupleNewArgs},
}

var tupleNew = lang.Def{Sig: "__new__(cls, iterable=(), /)", Fn: newTuple}

func newTuple(th *Thread, a []Value) (Value, error) {
	c, _ := lang.AsClass(a[0])
	if lang.ClassOf(a[1]) == lang.TupleClass {
		return lang.Wrap(c, a[1]), nil
	}
	items, err := lang.ToSlice(th, a[1])
	if err != nil {
		return fail(err)
	}
	return lang.Wrap(c, lang.TupleOf(items).Value()), nil
}

func tupleSelf(a []Value) *lang.Tuple { t, _ := lang.AsTuple(a[0]); return t }

func tupleCount(th *Thread, a []Value) (Value, error) {
	n := 0
	for _, x := range tupleSelf(a).Items() {
		eq, err := lang.Same(th, x.Value(), a[1])
		if err != nil {
			return fail(err)
		}
		if eq {
			n++
		}
	}
	return lang.Int(int64(n)), nil
}

func tupleIndex(th *Thread, a []Value) (Value, error) {
	t := tupleSelf(a)
	i, err := positionOf(th, a[1], a[2], a[3], t.Len, t.At)
	if err == nil && i < 0 {
		err = th.ValueErrorf("tuple.index(x): x not in tuple")
	}
	return lang.Int(int64(i)), err
}

func tupleNewArgs(th *Thread, a []Value) (Value, error) {
	return lang.NewTuple(tupleSelf(a).Value()), nil
}
