package lang

import (
	"math"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Iter is iter(v): an iterator object.
func Iter(th *Thread, v Value) (Value, error) {
	switch v.Kind() {
	case value.KindIter, value.KindGenerator:
		if ClassOf(v).Next != nil {
			return v, nil
		}
	}
	c := ClassOf(v)
	if c.Iter != nil {
		it, err := c.Iter(th, v)
		if err == nil && ClassOf(it).Next == nil {
			err = th.TypeErrorf("iter() returned non-iterator of type '%s'", TypeName(it))
		}
		return it, err
	}
	if c.GetItem != nil && c.Flags&ClassMapping == 0 && c != DictClass && c != TypeClass {
		return obj(unsafe.Pointer(&SeqIter{Header: head(SeqIterClass, value.KindIter), Seq: v.Held().Value()})), nil
	}
	return Unbound, th.TypeErrorf("'%s' object is not iterable", c.Name)
}

// IsIterable reports that Iter works on v's class.
func IsIterable(v Value) bool { c := ClassOf(v); return c.Iter != nil || c.GetItem != nil }

// Next is the next item of an iterator; false at its end, with the iterator's
// result in th.StopValue.
func Next(th *Thread, it Value) (Value, bool, error) {
	if err := th.turn(); err != nil {
		return Unbound, false, err
	}
	if it.Kind() == value.KindGenerator {
		return (*Generator)(it.P).Send(th, None)
	}
	c := ClassOf(it)
	if c.Next == nil {
		return Unbound, false, th.TypeErrorf("'%s' object is not an iterator", c.Name)
	}
	return c.Next(th, it)
}

// Iteration walks an iterable from Go without making an iterator object for the
// common kinds: for it := …; v, ok, err := it.Next(th) ….
type Iteration struct {
	kind  uint8
	v     Value
	i     int
	items []Held
}

const (
	iterObject = iota
	iterList
	iterTuple
	iterRange
)

// Iterate starts a walk of v.
func Iterate(th *Thread, v Value) (Iteration, error) {
	switch v.Kind() {
	case value.KindList:
		return Iteration{kind: iterList, v: v}, nil
	case value.KindTuple:
		return Iteration{kind: iterTuple, items: (*Tuple)(v.P).items}, nil
	case value.KindRange:
		if r := (*Range)(v.P); r.Big == nil {
			return Iteration{kind: iterRange, v: v}, nil
		}
	}
	it, err := Iter(th, v)
	return Iteration{v: it}, err
}

// Next is the next item; false at the end.
func (it *Iteration) Next(th *Thread) (Value, bool, error) {
	if it.kind != iterObject {
		if err := th.turn(); err != nil {
			return Unbound, false, err
		}
	}
	switch it.kind {
	case iterList:
		if l := (*List)(it.v.P); it.i < len(l.items) {
			it.i++
			return l.items[it.i-1].Value(), true, nil
		}
		return Unbound, false, nil
	case iterTuple:
		if it.i < len(it.items) {
			it.i++
			return it.items[it.i-1].Value(), true, nil
		}
		return Unbound, false, nil
	case iterRange:
		if r := (*Range)(it.v.P); int64(it.i) < r.n {
			it.i++
			return Int(r.At(int64(it.i - 1))), true, nil
		}
		return Unbound, false, nil
	}
	return Next(th, it.v)
}

// SumInts adds the small ints and bools at the front of a list, tuple or range to
// acc, as far as the sum stays small.
func (it *Iteration) SumInts(th *Thread, acc Value) (Value, error) {
	items := it.items
	switch it.kind {
	case iterList:
		items = (*List)(it.v.P).items
	case iterTuple:
	default:
		return acc, nil
	}
	sum := acc.Int64()
	for ; it.i < len(items); it.i++ {
		x := items[it.i].Value()
		if x.P != nil && !x.IsBool() {
			break
		}
		r := sum + x.Int64()
		if (r^sum)&(r^x.Int64()) < 0 {
			break
		}
		sum = r
		if it.i&63 == 0 {
			if err := th.turns(64); err != nil {
				return acc, err
			}
		}
	}
	return Int(sum), nil
}

// ToSlice collects an iterable.
func ToSlice(th *Thread, v Value) ([]Held, error) {
	if s, ok := exactSequence(v); ok {
		return append([]Held(nil), s...), nil
	}
	it, err := Iterate(th, v)
	if err != nil {
		return nil, err
	}
	n := LengthHint(th, v)
	if err := th.CheckSize(n, heldSize); err != nil {
		return nil, err
	}
	out := make([]Held, 0, n)
	for {
		x, ok, err := it.Next(th)
		if err != nil {
			return nil, err
		}
		if !ok {
			return out, nil
		}
		if len(out) == cap(out) {
			if err := th.growth(len(out), heldSize); err != nil {
				return nil, err
			}
		}
		out = append(out, x.Held())
	}
}

// heldSize is what one item of a list takes.
const heldSize = int(unsafe.Sizeof(Held{}))

// LengthHint is a guess of the number of items, for making room.
func LengthHint(th *Thread, v Value) int {
	switch v.Kind() {
	case value.KindRange:
		if r := (*Range)(v.P); r.Big == nil {
			return int(r.n)
		}
	case value.KindDict, value.KindSet, value.KindFrozenSet, value.KindStr, value.KindBytes:
		n, _ := Len(th, v)
		return n
	}
	return 0
}

func exactSequence(v Value) ([]Held, bool) {
	switch v.Kind() {
	case value.KindList:
		return (*List)(v.P).items, true
	case value.KindTuple:
		return (*Tuple)(v.P).items, true
	}
	return nil, false
}

// ---- iterators of the built-in types ----

// ListIter walks a list, forwards or backwards; L is nil at the end.
type ListIter struct {
	Header
	L *List
	I int
}

// TupleIter walks items that don't change.
type TupleIter struct {
	Header
	Items []Held
	I     int
	Of    Value
}

// StrIter walks the characters of a str.
type StrIter struct {
	Header
	S  *Str
	At int // byte offset
}

// BytesIter walks bytes or a bytearray.
type BytesIter struct {
	Header
	Of Value
	I  int
}

// RangeIter walks a small range.
type RangeIter struct {
	Header
	R *Range
	I int64
}

// BigRangeIter walks a range of big ints.
type BigRangeIter struct {
	Header
	Next, Step, Left Value
}

// DictIter walks a dict's keys, values or items.
type DictIter struct {
	Header
	D    *Dict
	At   int
	Used int
	Left int // entries still to come while the dict stays as it is
	What uint8
	Back bool
}

// What a DictIter and a DictView give.
const (
	DictKeys = iota
	DictValues
	DictItems
)

// SetIter walks a set.
type SetIter struct {
	Header
	S    *Set
	At   int
	Used int
}

// SeqIter walks an object by __getitem__ from 0.
type SeqIter struct {
	Header
	Seq Value
	I   int64
	End bool
}

// CallIter is iter(f, sentinel).
type CallIter struct {
	Header
	Fn, Sentinel Value
	End          bool
}

func listIter(th *Thread, v Value) (Value, error) {
	l, _ := AsList(v)
	return obj(unsafe.Pointer(&ListIter{head(ListIterClass, value.KindIter), l, 0})), nil
}

// NewListRevIter is reversed(list).
func NewListRevIter(l *List) Value {
	return obj(unsafe.Pointer(&ListIter{head(ListRevIterClass, value.KindIter), l, len(l.items) - 1}))
}

func listIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*ListIter)(v.P)
	if it.L == nil {
		return endOfIter(th)
	}
	if it.I < len(it.L.items) {
		it.I++
		return it.L.items[it.I-1].Value(), true, nil
	}
	it.L = nil
	return endOfIter(th)
}

func endOfIter(th *Thread) (Value, bool, error) {
	th.StopValue = None
	return Unbound, false, nil
}

func listRevNext(th *Thread, v Value) (Value, bool, error) {
	it := (*ListIter)(v.P)
	if it.L != nil && it.I >= 0 && it.I < len(it.L.items) {
		it.I--
		return it.L.items[it.I+1].Value(), true, nil
	}
	it.L = nil
	return endOfIter(th)
}

func tupleIter(th *Thread, v Value) (Value, error) {
	t, _ := AsTuple(v)
	return obj(unsafe.Pointer(&TupleIter{Header: head(TupleIterClass, value.KindIter), Items: t.items, Of: v})), nil
}

func tupleIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*TupleIter)(v.P)
	if it.I < len(it.Items) {
		it.I++
		return it.Items[it.I-1].Value(), true, nil
	}
	it.I = len(it.Items) + 1 // has ended
	return endOfIter(th)
}

func strIter(th *Thread, v Value) (Value, error) {
	s, _ := AsStr(v)
	c := StrIterClass
	if s.ext == nil && v.Kind() == value.KindStr {
		c = StrASCIIIterClass
	}
	return obj(unsafe.Pointer(&StrIter{head(c, value.KindIter), s, 0})), nil
}

func strIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*StrIter)(v.P)
	s := it.S.s
	if it.At >= len(s) {
		it.At = len(s) + 1 // has ended
		return endOfIter(th)
	}
	c := s[it.At]
	if c < 0x80 {
		it.At++
		return charStr(c), true, nil
	}
	n := runeLen(c)
	it.At += n
	return NewStr(s[it.At-n : it.At]), true, nil
}

func bytesIter(th *Thread, v Value) (Value, error) {
	c := BytesIterClass
	if _, ok := AsByteArray(v); ok {
		c = ByteArrayIterClass
	}
	return obj(unsafe.Pointer(&BytesIter{head(c, value.KindIter), v.Held().Value(), 0})), nil
}

func bytesIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*BytesIter)(v.P)
	b, _ := BytesOf(it.Of)
	if it.I < len(b) {
		it.I++
		return Int(int64(b[it.I-1])), true, nil
	}
	it.I = math.MaxInt // a bytearray that grows later stays at its end
	return endOfIter(th)
}

func rangeIter(th *Thread, v Value) (Value, error) {
	r := (*Range)(v.P)
	if b := r.Big; b != nil {
		return obj(unsafe.Pointer(&BigRangeIter{head(LongRangeIterClass, value.KindIter), b.Start, b.Step, b.Len})), nil
	}
	return obj(unsafe.Pointer(&RangeIter{head(RangeIterClass, value.KindIter), r, 0})), nil
}

func rangeIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*RangeIter)(v.P)
	if it.I < it.R.n {
		it.I++
		return Int(it.R.At(it.I - 1)), true, nil
	}
	return endOfIter(th)
}

func bigRangeNext(th *Thread, v Value) (Value, bool, error) {
	it := (*BigRangeIter)(v.P)
	more, err := CompareBool(th, GT, it.Left, Int(0))
	if err != nil || !more {
		return endOfIter(th)
	}
	x := it.Next
	if it.Next, err = BinaryOperation(th, OpAdd, x, it.Step); err != nil {
		return Unbound, false, err
	}
	it.Left, err = BinaryOperation(th, OpSub, it.Left, Int(1))
	return x, true, err
}

// NewDictIter makes an iterator over a dict.
func NewDictIter(d *Dict, what uint8, back bool) Value {
	c := [2][3]*Class{{DictKeyIterClass, DictValueIterClass, DictItemIterClass}, {DictRevKeyIterClass, DictRevValIterClass, DictRevItemIterClass}}
	it := &DictIter{Header: head(c[0][what], value.KindIter), D: d, Used: d.Len(), Left: d.Len(), What: what}
	if back {
		it.Type, it.Back, it.At = &c[1][what].Type, true, d.Positions()-1
	}
	return obj(unsafe.Pointer(it))
}

func dictIter(th *Thread, v Value) (Value, error) {
	d, _ := AsDict(v)
	return NewDictIter(d, DictKeys, false), nil
}

func dictIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*DictIter)(v.P)
	d := it.D
	if d == nil {
		return endOfIter(th)
	}
	if d.Len() != it.Used {
		it.Used = -1
		return Unbound, false, th.Raise(RuntimeError, "dictionary changed size during iteration")
	}
	var k, x Value
	var ok bool
	if it.Back {
		k, x, it.At, ok = d.EntryBack(it.At)
	} else {
		k, x, it.At, ok = d.Entry(it.At)
	}
	if !ok {
		it.D = nil
		return endOfIter(th)
	}
	if it.Left == 0 {
		it.D = nil
		return Unbound, false, th.Raise(RuntimeError, "dictionary keys changed during iteration")
	}
	it.Left--
	switch it.What {
	case DictKeys:
		return k, true, nil
	case DictValues:
		return x, true, nil
	}
	return NewTuple(k, x), true, nil
}

func setIter(th *Thread, v Value) (Value, error) {
	s, _ := AsSet(v)
	return obj(unsafe.Pointer(&SetIter{head(SetIterClass, value.KindIter), s, 0, s.used})), nil
}

func setIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*SetIter)(v.P)
	if it.S == nil {
		return endOfIter(th)
	}
	if it.S.used != it.Used {
		it.Used = -1
		return Unbound, false, th.Raise(RuntimeError, "Set changed size during iteration")
	}
	x, next, ok := it.S.Entry(it.At)
	it.At = next
	if !ok {
		it.S = nil
		return endOfIter(th)
	}
	return x, true, nil
}

func seqIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*SeqIter)(v.P)
	if it.End {
		return endOfIter(th)
	}
	x, err := GetItem(th, it.Seq, Int(it.I))
	if err != nil {
		if Matches(err, IndexError) || Matches(err, StopIteration) {
			it.End = true
			it.Seq = None
			return endOfIter(th)
		}
		return Unbound, false, err
	}
	it.I++
	return x, true, nil
}

// NewCallIter is iter(f, sentinel).
func NewCallIter(f, sentinel Value) Value {
	return obj(unsafe.Pointer(&CallIter{Header: head(CallIterClass, value.KindIter), Fn: f.Held().Value(), Sentinel: sentinel.Held().Value()}))
}

func callIterNext(th *Thread, v Value) (Value, bool, error) {
	it := (*CallIter)(v.P)
	if it.End {
		return endOfIter(th)
	}
	x, err := th.Call(it.Fn, nil)
	if err != nil {
		if Matches(err, StopIteration) {
			it.End = true
			return endOfIter(th)
		}
		return Unbound, false, err
	}
	eq, err := Same(th, it.Sentinel, x)
	if err != nil || eq {
		it.End = it.End || eq
		th.StopValue = None
		return Unbound, false, err
	}
	return x, true, nil
}

// DictView is d.keys(), d.values() or d.items().
type DictView struct {
	Header
	D    *Dict
	What uint8
	Of   Value // the dict or its subclass instance
}

// NewDictView makes a view of a dict.
func NewDictView(d *Dict, of Value, what uint8) Value {
	c := [3]*Class{DictKeysClass, DictValuesClass, DictItemsClass}
	return obj(unsafe.Pointer(&DictView{head(c[what], value.KindOther), d, what, of.Held().Value()}))
}

// AsDictView is v as a view.
func AsDictView(v Value) (*DictView, bool) {
	if v.Kind() == value.KindOther {
		switch ClassOf(v) {
		case DictKeysClass, DictValuesClass, DictItemsClass:
			return (*DictView)(v.P), true
		}
	}
	return nil, false
}

func viewIter(th *Thread, v Value) (Value, error) {
	w := (*DictView)(v.P)
	return NewDictIter(w.D, w.What, false), nil
}

func viewLen(th *Thread, v Value) (int, error) { return (*DictView)(v.P).D.Len(), nil }

func viewContains(th *Thread, v, x Value) (bool, error) {
	w := (*DictView)(v.P)
	switch w.What {
	case DictKeys:
		_, ok, err := w.D.Get(th, x)
		return ok, err
	case DictItems:
		t, ok := AsTuple(x)
		if !ok || len(t.items) != 2 {
			return false, nil
		}
		y, found, err := w.D.Get(th, t.At(0))
		if err != nil || !found {
			return false, err
		}
		return Same(th, y, t.At(1))
	}
	return containsByIter(th, v, x)
}

func viewRepr(th *Thread, v Value) (Value, error) {
	w := (*DictView)(v.P)
	if !th.Guard(v) {
		return NewStr("..."), nil
	}
	defer th.Unguard()
	items, err := ToSlice(th, v)
	if err != nil {
		return Unbound, err
	}
	s, err := reprItems(th, items, "(["+"", "])")
	return NewStr(ClassOf(obj(unsafe.Pointer(w))).Name + s), err
}
