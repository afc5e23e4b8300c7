package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Set is a set or frozenset with CPython's table: power-of-two size, linear
// probes of 9 then a perturbed jump, so that iteration order is CPython's.
type Set struct {
	Header
	table   []setEntry // nil while empty and never filled: then 8 entries
	mask    uint64
	fill    int // used and dummy entries
	used    int
	finger  int // where pop looks first
	hash    int64
	hashed  bool
	version uint32
}

type setEntry struct {
	key   Held
	hash  int64
	state uint8 // entryEmpty, entryUsed, entryDummy
}

const (
	entryEmpty = iota
	entryUsed
	entryDummy

	linearProbes = 9
	perturbShift = 5
	minSetSize   = 8
)

// NewSet makes an empty set.
func NewSet() *Set { return newSet(SetClass, value.KindSet) }

// NewFrozenSet makes an empty frozenset, to be filled before a script sees it.
func NewFrozenSet() *Set { return newSet(FrozenSetClass, value.KindFrozenSet) }

func newSet(c *Class, k Kind) *Set {
	return &Set{Header: head(c, k), table: make([]setEntry, minSetSize), mask: minSetSize - 1}
}

// Value is s as a script value.
func (s *Set) Value() Value { return obj(unsafe.Pointer(s)) }

// Len is the number of items.
func (s *Set) Len() int { return s.used }

// IsFrozen reports a frozenset.
func (s *Set) IsFrozen() bool { return s.Kind == value.KindFrozenSet }

// find is the table place of key, or -1.
func (s *Set) find(th *Thread, key Value, hash int64) (int, error) {
	perturb := uint64(hash)
	i := uint64(hash) & s.mask
	for {
		n := uint64(0)
		if i+linearProbes <= s.mask {
			n = linearProbes
		}
		for j := i; j <= i+n; j++ {
			e := &s.table[j]
			if e.state == entryEmpty {
				return -1, nil
			}
			if e.state == entryUsed && e.hash == hash {
				eq, err := s.same(th, e, key)
				if err != nil {
					return -1, err
				}
				if eq == 2 {
					return s.find(th, key, hash)
				}
				if eq == 1 {
					return int(j), nil
				}
			}
		}
		perturb >>= perturbShift
		i = (i*5 + 1 + perturb) & s.mask
	}
}

// same compares: 1 equal, 0 not, 2 when the comparison changed the set.
func (s *Set) same(th *Thread, e *setEntry, key Value) (int, error) {
	k := e.key.Value()
	if k == key && !key.IsFloat() {
		return 1, nil
	}
	version := s.version
	eq, err := keyEqual(th, k, key)
	switch {
	case err != nil:
		return 0, err
	case s.version != version:
		return 2, nil
	case eq:
		return 1, nil
	}
	return 0, nil
}

// Has reports whether key is in the set.
func (s *Set) Has(th *Thread, key Value) (bool, error) {
	h, err := Hash(th, key)
	if err != nil {
		return false, err
	}
	return s.HasHashed(th, key, h)
}

// HasHashed is Has for a key whose hash is known.
func (s *Set) HasHashed(th *Thread, key Value, h int64) (bool, error) {
	i, err := s.find(th, key, h)
	return i >= 0, err
}

// Add adds key and says whether it is new.
func (s *Set) Add(th *Thread, key Value) (bool, error) {
	h, err := Hash(th, key)
	if err != nil {
		return false, err
	}
	return s.AddHashed(th, key, h)
}

// AddHashed is Add for a key whose hash is known.
func (s *Set) AddHashed(th *Thread, key Value, h int64) (bool, error) {
	i, err := s.find(th, key, h)
	if err != nil || i >= 0 {
		return false, err
	}
	if (s.fill+1)*5 >= int(s.mask)*3 && th != nil {
		if err := th.growth(2*s.used, setEntrySize); err != nil {
			return false, err
		}
	}
	if fresh := s.insert(key, h); fresh && s.fill*5 >= int(s.mask)*3 {
		s.resize(s.growTo())
	}
	return true, nil
}

// setEntrySize is what one place of a set's table takes.
const setEntrySize = int(unsafe.Sizeof(setEntry{}))

func (s *Set) growTo() int {
	if s.used > 50000 {
		return s.used * 2
	}
	return s.used * 4
}

// insert places a key that is not there and says whether its place was never used.
func (s *Set) insert(key Value, h int64) (fresh bool) {
	e := &s.table[s.place(h)]
	fresh = e.state == entryEmpty
	*e = setEntry{key.Held(), h, entryUsed}
	if fresh {
		s.fill++
	}
	s.used++
	s.version++
	return fresh
}

// place is where a new key goes: as in CPython the last dummy before the first
// empty place, or that.
func (s *Set) place(h int64) uint64 {
	perturb := uint64(h)
	i := uint64(h) & s.mask
	dummy, found := uint64(0), false
	for {
		n := uint64(0)
		if i+linearProbes <= s.mask {
			n = linearProbes
		}
		for j := i; j <= i+n; j++ {
			switch s.table[j].state {
			case entryDummy:
				dummy, found = j, true
			case entryEmpty:
				if found {
					return dummy
				}
				return j
			}
		}
		perturb >>= perturbShift
		i = (i*5 + 1 + perturb) & s.mask
	}
}

// Tidy drops the dummies when they are more than a quarter of the table, as CPython
// does after taking many items out.
func (s *Set) Tidy() {
	if s.fill-s.used > int(s.mask)/4 {
		s.resize(s.growTo())
	}
}

// resize makes a table for at least min items and reinserts in table order.
func (s *Set) resize(min int) {
	size := minSetSize
	for size <= min {
		size *= 2
	}
	old := s.table
	s.table = make([]setEntry, size)
	s.mask = uint64(size - 1)
	s.fill, s.used = 0, 0
	for i := range old {
		if old[i].state == entryUsed {
			s.insert(old[i].key.Value(), old[i].hash)
		}
	}
}

// Discard removes key and says whether it was there.
func (s *Set) Discard(th *Thread, key Value) (bool, error) {
	h, err := Hash(th, key)
	if err != nil {
		return false, err
	}
	return s.DiscardHashed(th, key, h)
}

// DiscardHashed is Discard for a key whose hash is known.
func (s *Set) DiscardHashed(th *Thread, key Value, h int64) (bool, error) {
	i, err := s.find(th, key, h)
	if err != nil || i < 0 {
		return false, err
	}
	s.drop(i)
	return true, nil
}

func (s *Set) drop(i int) {
	s.table[i] = setEntry{state: entryDummy, hash: -1}
	s.used--
	s.version++
}

// Pop removes the item CPython would; ok is false when empty.
func (s *Set) Pop() (v Value, ok bool) {
	if s.used == 0 {
		return Unbound, false
	}
	i := s.finger & int(s.mask)
	for s.table[i].state != entryUsed {
		i = (i + 1) & int(s.mask)
	}
	v = s.table[i].key.Value()
	s.drop(i)
	s.finger = i + 1
	return v, true
}

// Clear empties the set.
func (s *Set) Clear() {
	s.table = make([]setEntry, minSetSize)
	s.mask, s.fill, s.used, s.finger = minSetSize-1, 0, 0, 0
	s.version++
}

// Entry walks the items: the first one at or after position at, and where to go on.
func (s *Set) Entry(at int) (v Value, next int, ok bool) {
	for ; at < len(s.table); at++ {
		if s.table[at].state == entryUsed {
			return s.table[at].key.Value(), at + 1, true
		}
	}
	return Unbound, at, false
}

// Hashed walks the items with the hashes that the set keeps.
func (s *Set) Hashed(f func(x Value, h int64) error) error {
	for at := 0; at < len(s.table); at++ {
		if e := &s.table[at]; e.state == entryUsed {
			if err := f(e.key.Value(), e.hash); err != nil {
				return err
			}
		}
	}
	return nil
}

// EachHashed walks an iterable with the hashes of its items: those that a set or
// a plain dict keeps, or new ones.
func EachHashed(th *Thread, v Value, f func(x Value, h int64) error) error {
	if s, ok := AsSet(v); ok {
		return s.Hashed(f)
	}
	if d, ok := AsDict(v); ok && th.plainDict(ClassOf(v)) {
		for at := 0; ; {
			k, _, next, ok := d.Entry(at)
			if !ok {
				return nil
			}
			if err := f(k, d.ents[next-1].hash); err != nil {
				return err
			}
			at = next
		}
	}
	it, err := Iterate(th, v)
	if err != nil {
		return err
	}
	for {
		x, ok, err := it.Next(th)
		if err != nil || !ok {
			return err
		}
		h, err := Hash(th, x)
		if err != nil {
			return err
		}
		if err := f(x, h); err != nil {
			return err
		}
	}
}

// Merge adds all items of another set with CPython's order of growth.
func (s *Set) Merge(th *Thread, o *Set) error {
	if o == s || o.used == 0 {
		return nil
	}
	if (s.fill+o.used)*5 >= int(s.mask)*3 {
		s.resize((s.used + o.used) * 2)
	}
	if s.fill == 0 && s.mask == o.mask && o.fill == o.used {
		copy(s.table, o.table)
		s.fill, s.used = o.fill, o.used
		s.version++
		return nil
	}
	if s.fill == 0 {
		for i := range o.table {
			if e := &o.table[i]; e.state == entryUsed {
				s.insert(e.key.Value(), e.hash)
			}
		}
		return nil
	}
	for i := 0; i < len(o.table); i++ {
		if e := o.table[i]; e.state == entryUsed {
			if _, err := s.AddHashed(th, e.key.Value(), e.hash); err != nil {
				return err
			}
		}
	}
	return nil
}

// CopyTo adds all items to an empty set of another kind: set(x), s.copy().
func (s *Set) CopyTo(o *Set) { _ = o.Merge(nil, s) }
