package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// List is a list. Items are held: not counted.
type List struct {
	Header
	items []Held
}

// NewList makes a list of the values, which it copies.
func NewList(vs ...Value) Value {
	l := MakeList(len(vs))
	for _, v := range vs {
		l.items = append(l.items, v.Held())
	}
	return l.Value()
}

type (
	list2 struct {
		List
		buf [2]Held
	}
	list4 struct {
		List
		buf [4]Held
	}
)

// makeShort is MakeList for a list that may well stay that short: it holds up to
// four items itself.
func makeShort(n int) *List {
	var l *List
	switch {
	case n == 0 || n > 4:
		return MakeList(n)
	case n <= 2:
		o := &list2{}
		l = &o.List
		l.items = o.buf[:0]
	default:
		o := &list4{}
		l = &o.List
		l.items = o.buf[:0]
	}
	l.Header = head(ListClass, value.KindList)
	return l
}

// MakeList makes an empty list with room for n items.
func MakeList(n int) *List {
	l := &List{Header: head(ListClass, value.KindList)}
	if n > 0 {
		l.items = make([]Held, 0, n)
	}
	return l
}

// ListOf makes a list that takes items over.
func ListOf(items []Held) *List {
	return &List{Header: head(ListClass, value.KindList), items: items}
}

// Value is l as a script value.
func (l *List) Value() Value { return obj(unsafe.Pointer(l)) }

// Len is the number of items.
func (l *List) Len() int { return len(l.items) }

// At is item i, 0 <= i < Len.
func (l *List) At(i int) Value { return l.items[i].Value() }

// Set stores item i.
func (l *List) Set(i int, v Value) { l.items[i] = v.Held() }

// Append adds v, doubling the room.
func (l *List) Append(v Value) {
	if n := len(l.items); n < cap(l.items) {
		l.items = l.items[:n+1]
		l.items[n] = v.Held()
		return
	}
	l.grow(v)
}

// Push is Append on behalf of a script: growth may be refused.
func (l *List) Push(th *Thread, v Value) error {
	if n := len(l.items); n == cap(l.items) {
		if err := th.growth(n, heldSize); err != nil {
			return err
		}
	}
	l.Append(v)
	return nil
}

//go:noinline
func (l *List) grow(v Value) {
	items := make([]Held, len(l.items)+1, max(4, 2*cap(l.items)))
	copy(items, l.items)
	items[len(l.items)] = v.Held()
	l.items = items
}

// Items are the items themselves, borrowed: they change with the list.
func (l *List) Items() []Held { return l.items }

// SetItems gives the list new items, which it takes over.
func (l *List) SetItems(items []Held) { l.items = items }

// Tuple is a tuple. Items are held.
type Tuple struct {
	Header
	items []Held
	hash  int64 // 0: not computed
}

type (
	tuple1 struct {
		Tuple
		buf [1]Held
	}
	tuple2 struct {
		Tuple
		buf [2]Held
	}
	tuple3 struct {
		Tuple
		buf [3]Held
	}
)

var emptyTuple *Tuple

// NewTuple makes a tuple of the values, which it copies.
func NewTuple(vs ...Value) Value { return makeTuple(vs).Value() }

func makeTuple(vs []Value) *Tuple {
	t := newTuple(len(vs))
	for i, v := range vs {
		t.items[i] = v.Held()
	}
	return t
}

// newTuple makes a tuple of n items to be filled by the caller.
func newTuple(n int) *Tuple {
	var t *Tuple
	switch n {
	case 0:
		return emptyTuple
	case 1:
		o := &tuple1{}
		t = &o.Tuple
		t.items = o.buf[:]
	case 2:
		o := &tuple2{}
		t = &o.Tuple
		t.items = o.buf[:]
	case 3:
		o := &tuple3{}
		t = &o.Tuple
		t.items = o.buf[:]
	default:
		t = &Tuple{items: make([]Held, n)}
	}
	t.Header = head(TupleClass, value.KindTuple)
	return t
}

// TupleOf makes a tuple that takes items over.
func TupleOf(items []Held) *Tuple {
	if len(items) == 0 {
		return emptyTuple
	}
	return &Tuple{Header: head(TupleClass, value.KindTuple), items: items}
}

// Value is t as a script value.
func (t *Tuple) Value() Value { return obj(unsafe.Pointer(t)) }

// Len is the number of items.
func (t *Tuple) Len() int { return len(t.items) }

// At is item i, 0 <= i < Len.
func (t *Tuple) At(i int) Value { return t.items[i].Value() }

// Items are the items, borrowed, not to be changed.
func (t *Tuple) Items() []Held { return t.items }

// Values copies held values to plain ones.
func Values(items []Held) []Value {
	out := make([]Value, len(items))
	for i, h := range items {
		out[i] = h.Value()
	}
	return out
}

// Hold copies values to held ones.
func Hold(vs []Value) []Held {
	out := make([]Held, len(vs))
	for i, v := range vs {
		out[i] = v.Held()
	}
	return out
}

// Sequence is the items of an exact or derived list or tuple, borrowed.
func Sequence(v Value) ([]Held, bool) {
	if l, ok := AsList(v); ok {
		return l.items, true
	}
	if t, ok := AsTuple(v); ok {
		return t.items, true
	}
	return nil, false
}

// Range is a range object. Small holds when start, stop, step and length fit
// int64; otherwise the big fields count.
type Range struct {
	Header
	Start, Stop, Step int64
	n                 int64 // length
	Big               *BigRange
}

// BigRange is a range whose numbers don't fit int64.
type BigRange struct{ Start, Stop, Step, Len Value }

// NewRange makes range(start, stop, step); step is not 0.
func NewRange(start, stop, step int64) *Range {
	r := &Range{Header: head(RangeClass, value.KindRange), Start: start, Stop: stop, Step: step}
	r.n = rangeLen(start, stop, step)
	return r
}

// NewBigRange makes a range of ints of any size.
func NewBigRange(b *BigRange) *Range {
	return &Range{Header: head(RangeClass, value.KindRange), Big: b}
}

// Value is r as a script value.
func (r *Range) Value() Value { return obj(unsafe.Pointer(r)) }

// Len is the number of items of a small range.
func (r *Range) Len() int64 { return r.n }

// At is item i of a small range.
func (r *Range) At(i int64) int64 { return r.Start + i*r.Step }

// rangeLen saturates never: a length beyond int64 belongs to a BigRange.
func rangeLen(start, stop, step int64) int64 {
	if step > 0 {
		if start >= stop {
			return 0
		}
		return int64((uint64(stop)-uint64(start)-1)/uint64(step)) + 1
	}
	if start <= stop {
		return 0
	}
	return int64((uint64(start)-uint64(stop)-1)/uint64(-step)) + 1
}

// Slice is a slice object.
type Slice struct {
	Header
	Start, Stop, Step Value
}

// NewSlice makes slice(start, stop, step); None where absent.
func NewSlice(start, stop, step Value) Value {
	return obj(unsafe.Pointer(&Slice{head(SliceClass, value.KindSlice), start.Held().Value(), stop.Held().Value(), step.Held().Value()}))
}

// AsSlice is v as a slice object.
func AsSlice(v Value) (*Slice, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindSlice {
		return (*Slice)(v.P), true
	}
	return nil, false
}

// AsRange is v as a range.
func AsRange(v Value) (*Range, bool) {
	if v.P != nil && (*Header)(v.P).Kind == value.KindRange {
		return (*Range)(v.P), true
	}
	return nil, false
}

// Indices resolves the slice against a length as CPython: start, stop, step and
// the number of items.
func (s *Slice) Indices(th *Thread, n int) (start, stop, step, count int, err error) {
	step = 1
	if !s.Step.IsNone() {
		if step, err = sliceIndex(th, s.Step); err != nil {
			return
		}
		if step == 0 {
			err = th.Raise(ValueError, "slice step cannot be zero")
			return
		}
	}
	lo, hi := 0, n
	if step < 0 {
		lo, hi = -1, n-1
	}
	start, stop = lo, hi
	if step < 0 {
		start, stop = hi, lo
	}
	if !s.Start.IsNone() {
		if start, err = sliceIndex(th, s.Start); err != nil {
			return
		}
		start = clampIndex(start, n, lo, hi)
	}
	if !s.Stop.IsNone() {
		if stop, err = sliceIndex(th, s.Stop); err != nil {
			return
		}
		stop = clampIndex(stop, n, lo, hi)
	}
	if step > 0 && start < stop {
		count = (stop-start-1)/step + 1
	} else if step < 0 && start > stop {
		count = (start-stop-1)/(-step) + 1
	}
	return
}

func clampIndex(i, n, lo, hi int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, lo), hi)
}

// sliceIndex is an index that saturates.
func sliceIndex(th *Thread, v Value) (int, error) {
	if v.P == nil {
		return int(v.N), nil
	}
	if !HasIndex(v) {
		return 0, th.TypeErrorf("slice indices must be integers or None or have an __index__ method")
	}
	x, err := Index(th, v)
	if err != nil {
		return 0, err
	}
	if x.P == nil {
		return int(x.N), nil
	}
	const huge = 1 << 62
	if b, _ := AsBig(x); b.Sign() < 0 {
		return -huge, nil
	}
	return huge, nil
}
