package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

// setReadRows are the methods of set and frozenset.
var setReadRows = []lang.Def{
	{Sig: "copy(self, /)", Fn: setCopy, Doc: "Return a shallow copy."},
	{Sig: "difference(self, /, *others)", Fn: setDifference, Doc: "Return the items that no other has."},
	{Sig: "intersection(self, /, *others)", Fn: setIntersection, Doc: "Return the items that all others have too."},
	{Sig: "isdisjoint(self, other, /)", Fn: setIsDisjoint, Doc: "True when there is no item in common."},
	{Sig: "issubset(self, other, /)", Fn: setIsSubset, Doc: "True when other has all items of the set."},
	{Sig: "issuperset(self, other, /)", Fn: setIsSuperset, Doc: "True when the set has all items of other."},
	{Sig: "symmetric_difference(self, other, /)", Fn: setSymmetric, Doc: "Return the items that exactly one of both has."},
	{Sig: "union(self, /, *others)", Fn: setUnion, Doc: "Return the items of the set and of all others."},
	{Sig: "__class_getitem__(cls, item, /)", Fn: classGetItem, Flags: lang.DefClassMethod},
	{Sig: "__reduce__(self, /)", Fn: setReduce},
}

// setWriteRows are those of set alone.
var setWriteRows = []lang.Def{
	{Sig: "add(self, object, /)", Fn: setAdd, Doc: "Add an item."},
	{Sig: "clear(self, /)", Fn: setClear, Doc: "Remove all items."},
	{Sig: "difference_update(self, /, *others)", Fn: setDifferenceUpdate, Doc: "Remove the items that others have."},
	{Sig: "discard(self, object, /)", Fn: setDiscard, Doc: "Remove an item if it is there."},
	{Sig: "intersection_update(self, /, *others)", Fn: setIntersectionUpdate, Doc: "Keep the items that all others have too."},
	{Sig: "pop(self, /)", Fn: setPop, Doc: "Remove an item and return it."},
	{Sig: "remove(self, object, /)", Fn: setRemove, Doc: "Remove an item; KeyError if it isn't there."},
	{Sig: "symmetric_difference_update(self, other, /)", Fn: setSymmetricUpdate, Doc: "Keep the items that exactly one of both has."},
	{Sig: "update(self, /, *others)", Fn: setUpdate, Doc: "Add the items of all others."},
}

func setSelf(a []Value) *lang.Set { s, _ := lang.AsSet(a[0]); return s }

var setNew = lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: newSet}

func newSet(th *Thread, a []Value) (Value, error) { return wrapAs(a[0], lang.NewSet().Value(), nil) }

var setInit = lang.Def{Sig: "__init__(self, iterable=..., /)", Fn: initSet}

func initSet(th *Thread, a []Value) (Value, error) {
	s := setSelf(a)
	s.Clear()
	if a[1].IsUnbound() {
		return none, nil
	}
	return none, addAll(th, s, a[1])
}

var frozenSetNew = lang.Def{Sig: "__new__(cls, iterable=(), /)", Fn: newFrozenSet}

func newFrozenSet(th *Thread, a []Value) (Value, error) {
	if c, _ := lang.AsClass(a[0]); c == lang.FrozenSetClass && lang.ClassOf(a[1]) == c {
		return a[1], nil
	}
	s, err := setFrom(th, a[1], true)
	if err != nil {
		return fail(err)
	}
	return wrapAs(a[0], s.Value(), nil)
}

// addAll adds the items of an iterable.
func addAll(th *Thread, s *lang.Set, v Value) error {
	return s.Update(th, v)
}

// setFrom makes a new set of the items of an iterable.
func setFrom(th *Thread, v Value, frozen bool) (*lang.Set, error) {
	s := emptySet(frozen)
	return s, addAll(th, s, v)
}

func emptySet(frozen bool) *lang.Set {
	if frozen {
		return lang.NewFrozenSet()
	}
	return lang.NewSet()
}

// asSet is the set behind v, or a new one of an iterable's items.
func asSet(th *Thread, v Value) (*lang.Set, error) {
	if s, ok := lang.AsSet(v); ok {
		return s, nil
	}
	return setFrom(th, v, false)
}

// eachItem walks an iterable with hashes; those of a dict's keys are asked for
// again, as CPython does where it builds no set of them.
func eachItem(th *Thread, v Value, f func(x Value, h int64) error) error {
	if s, ok := lang.AsSet(v); ok {
		return s.Hashed(f)
	}
	return each(th, v, func(x Value) error {
		h, err := lang.Hash(th, x)
		if err != nil {
			return err
		}
		return f(x, h)
	})
}

func setCopy(th *Thread, a []Value) (Value, error) {
	s := setSelf(a)
	if s.IsFrozen() && lang.ClassOf(a[0]) == lang.FrozenSetClass {
		return a[0], nil
	}
	return copySet(th, s).Value(), nil
}

func copySet(th *Thread, s *lang.Set) *lang.Set {
	o := emptySet(s.IsFrozen())
	s.CopyTo(o)
	return o
}

func setUnion(th *Thread, a []Value) (Value, error) {
	out := copySet(th, setSelf(a))
	t, _ := lang.AsTuple(a[1])
	for _, o := range t.Items() {
		if err := addAll(th, out, o.Value()); err != nil {
			return fail(err)
		}
	}
	return out.Value(), nil
}

func setUpdate(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[1])
	for _, o := range t.Items() {
		if err := addAll(th, setSelf(a), o.Value()); err != nil {
			return fail(err)
		}
	}
	return none, nil
}

// intersect is the items of both, in the order of the smaller set, or of the iterable.
func intersect(th *Thread, s *lang.Set, v Value, frozen bool) (*lang.Set, error) {
	out := emptySet(frozen)
	add := func(has *lang.Set) func(x Value, h int64) error {
		return func(x Value, h int64) error {
			in, err := has.HasHashed(th, x, h)
			if err == nil && in {
				_, err = out.AddHashed(th, x, h)
			}
			return err
		}
	}
	if o, ok := lang.AsSet(v); ok {
		small, big := o, s
		if o.Len() > s.Len() {
			small, big = s, o
		}
		return out, small.Hashed(add(big))
	}
	return out, eachItem(th, v, add(s))
}

func setIntersection(th *Thread, a []Value) (Value, error) {
	s := setSelf(a)
	t, _ := lang.AsTuple(a[1])
	if t.Len() == 0 {
		return copySet(th, s).Value(), nil
	}
	out := s
	for _, o := range t.Items() {
		r, err := intersect(th, out, o.Value(), s.IsFrozen())
		if err != nil {
			return fail(err)
		}
		out = r
	}
	return out.Value(), nil
}

func setIntersectionUpdate(th *Thread, a []Value) (Value, error) {
	r, err := setIntersection(th, a)
	if err != nil {
		return fail(err)
	}
	return none, replaceSet(th, setSelf(a), r)
}

func replaceSet(th *Thread, s *lang.Set, r Value) error {
	s.Clear()
	o, _ := lang.AsSet(r)
	return s.Merge(th, o)
}

// difference is s without the items of v, in the order of s.
func difference(th *Thread, s *lang.Set, v Value) (*lang.Set, error) {
	_, isDict := lang.AsDict(v)
	o, isSet := lang.AsSet(v)
	if !isSet && !isDict || isSet && s.Len()>>2 > o.Len() { // CPython copies then, which keeps the order
		out := copySet(th, s)
		return out, removeAll(th, out, v)
	}
	o, err := asSet(th, v)
	if err != nil {
		return nil, err
	}
	out := emptySet(s.IsFrozen())
	return out, s.Hashed(func(x Value, h int64) error {
		in, err := o.HasHashed(th, x, h)
		if err == nil && !in {
			_, err = out.AddHashed(th, x, h)
		}
		return err
	})
}

func setDifference(th *Thread, a []Value) (Value, error) {
	s := setSelf(a)
	t, _ := lang.AsTuple(a[1])
	if t.Len() == 0 {
		return copySet(th, s).Value(), nil
	}
	out, err := difference(th, s, t.At(0))
	for i := 1; i < t.Len() && err == nil; i++ {
		err = removeAll(th, out, t.At(i))
	}
	if err != nil {
		return fail(err)
	}
	return out.Value(), nil
}

func setDifferenceUpdate(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[1])
	for _, o := range t.Items() {
		if err := removeAll(th, setSelf(a), o.Value()); err != nil {
			return fail(err)
		}
	}
	return none, nil
}

func removeAll(th *Thread, s *lang.Set, v Value) error {
	if o, ok := lang.AsSet(v); ok && o == s {
		s.Clear()
		return nil
	}
	defer s.Tidy()
	return eachItem(th, v, func(x Value, h int64) error {
		_, err := s.DiscardHashed(th, x, h)
		return err
	})
}

// symmetric is what exactly one of both has: CPython copies the other and toggles.
func symmetric(th *Thread, s *lang.Set, v Value) (*lang.Set, error) {
	o, err := asSet(th, v)
	if err != nil {
		return nil, err
	}
	out := emptySet(s.IsFrozen())
	o.CopyTo(out)
	return out, toggle(th, out, s)
}

// toggle takes the items of o out of s that are in it, and adds the others.
func toggle(th *Thread, s, o *lang.Set) error {
	if s == o {
		s.Clear()
		return nil
	}
	return o.Hashed(func(x Value, h int64) error {
		in, err := s.DiscardHashed(th, x, h)
		if err == nil && !in {
			_, err = s.AddHashed(th, x, h)
		}
		return err
	})
}

func setSymmetric(th *Thread, a []Value) (Value, error) {
	out, err := symmetric(th, setSelf(a), a[1])
	if err != nil {
		return fail(err)
	}
	return out.Value(), nil
}

func setSymmetricUpdate(th *Thread, a []Value) (Value, error) {
	s := setSelf(a)
	o, err := setFrom(th, a[1], false)
	if err != nil {
		return fail(err)
	}
	return none, toggle(th, s, o)
}

func setIsDisjoint(th *Thread, a []Value) (Value, error) {
	s, disjoint := setSelf(a), true
	err := eachItem(th, a[1], func(x Value, h int64) error {
		in, err := s.HasHashed(th, x, h)
		if in {
			disjoint = false
			return errStop
		}
		return err
	})
	if err == errStop {
		err = nil
	}
	return lang.Bool(disjoint), err
}

func setIsSubset(th *Thread, a []Value) (Value, error) {
	o, err := asSet(th, a[1])
	if err != nil {
		return fail(err)
	}
	return lang.Compare(th, lang.LE, setSelf(a).Value(), o.Value())
}

func setIsSuperset(th *Thread, a []Value) (Value, error) {
	o, err := asSet(th, a[1])
	if err != nil {
		return fail(err)
	}
	return lang.Compare(th, lang.GE, setSelf(a).Value(), o.Value())
}

func setAdd(th *Thread, a []Value) (Value, error) {
	_, err := setSelf(a).Add(th, a[1])
	return none, err
}

func setClear(th *Thread, a []Value) (Value, error) {
	setSelf(a).Clear()
	return none, nil
}

// setKey is an item to look for: a set stands for the frozenset of its items.
func setKey(th *Thread, v Value) (Value, error) {
	if s, ok := lang.AsSet(v); ok && !s.IsFrozen() {
		if _, err := lang.Hash(th, v); err == nil { // a subclass with __hash__
			return v, nil
		}
		f, err := setFrom(th, v, true)
		return f.Value(), err
	}
	return v, nil
}

func setDiscard(th *Thread, a []Value) (Value, error) {
	k, err := setKey(th, a[1])
	if err != nil {
		return fail(err)
	}
	_, err = setSelf(a).Discard(th, k)
	return none, err
}

func setRemove(th *Thread, a []Value) (Value, error) {
	k, err := setKey(th, a[1])
	if err != nil {
		return fail(err)
	}
	in, err := setSelf(a).Discard(th, k)
	if err == nil && !in {
		err = th.RaiseArgs(lang.KeyError, a[1])
	}
	return none, err
}

func setPop(th *Thread, a []Value) (Value, error) {
	v, ok := setSelf(a).Pop()
	if !ok {
		return fail(th.Raise(lang.KeyError, "pop from an empty set"))
	}
	return v, nil
}

func setReduce(th *Thread, a []Value) (Value, error) {
	items, err := lang.ToSlice(th, a[0])
	if err != nil {
		return fail(err)
	}
	return rebuilt(th, a[0], lang.ListOf(items).Value())
}

// rebuilt is the result of __reduce__: the class, its arguments, and what an instance of a subclass keeps beside its items.
func rebuilt(th *Thread, v Value, args ...Value) (Value, error) {
	state, err := th.CallMethod(v, "__getstate__")
	if err != nil {
		return fail(err)
	}
	return lang.NewTuple(lang.ClassOf(v).Value(), lang.NewTuple(args...), state), nil
}

// combine runs a set operator on two sets.
func combine(th *Thread, op lang.BinaryOp, x, y *lang.Set, inPlace bool) (Value, error) {
	var out *lang.Set
	var err error
	switch op {
	case lang.OpOr:
		out = copySet(th, x)
		err = out.Merge(th, y)
	case lang.OpAnd:
		out, err = intersect(th, x, y.Value(), x.IsFrozen())
	case lang.OpSub:
		out, err = difference(th, x, y.Value())
	case lang.OpXor:
		out, err = symmetric(th, x, y.Value())
	default:
		return lang.NotImplemented, nil
	}
	if err != nil {
		return fail(err)
	}
	return out.Value(), nil
}

func setBinary(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, ok := lang.AsSet(a)
	y, ok2 := lang.AsSet(b)
	if !ok || !ok2 {
		return lang.NotImplemented, nil
	}
	return combine(th, op, x, y, false)
}

func setInPlace(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, _ := lang.AsSet(a)
	y, ok := lang.AsSet(b)
	if !ok {
		return lang.NotImplemented, nil
	}
	switch op {
	case lang.OpOr:
		return a, x.Merge(th, y)
	case lang.OpSub:
		return a, removeAll(th, x, b)
	case lang.OpXor:
		return a, toggle(th, x, y)
	}
	r, err := combine(th, op, x, y, true)
	if err != nil || r.IsNotImplemented() {
		return r, err
	}
	return a, replaceSet(th, x, r)
}
