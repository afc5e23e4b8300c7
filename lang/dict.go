package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Dict is an insertion-ordered hash table: entries in order, and an index of
// int32 by open addressing. A dict of bindings (a module's namespace) keeps
// each value in a Cell, so that code can link to it.
type Dict struct {
	Header
	ents    []entry
	idx     *index    // nil for a few entries, which are scanned
	used    int32     // live entries
	version uint32    // changes with the set of keys
	ns      *bindings // of a namespace: values live in cells
}

// index finds entries by hash.
type index struct {
	at      []int32 // 0 empty, -1 deleted, else entry+1
	deleted int     // places that are -1
}

func (x *index) bytes() int {
	if x == nil {
		return 0
	}
	return 4 * cap(x.at)
}

// bindings is what a namespace has beside its entries.
type bindings struct {
	orphans map[*Str]*Cell // bindings that code is linked to and that have no value
}

type entry struct {
	k, v Held
	hash int64
}

// deadEntry is one whose key was removed.
var deadEntry = entry{k: Unbound.Held()}

func (e *entry) live() bool { return !e.k.Value().IsUnbound() }

func newDict() *Dict { return &Dict{Header: head(DictClass, value.KindDict)} }

// NewDict makes an empty dict.
func NewDict() *Dict { return newDict() }

// dict2 is a dict with its first two entries in the same object.
type dict2 struct {
	Dict
	buf [2]entry
}

// MakeDict makes an empty dict with room for n entries.
func MakeDict(n int) *Dict {
	if n == 1 || n == 2 {
		o := &dict2{}
		o.Header = head(DictClass, value.KindDict)
		o.ents = o.buf[:0]
		return &o.Dict
	}
	d := newDict()
	if n > 0 {
		d.ents = make([]entry, 0, n)
		if n > fewEntries {
			d.rehash(n)
		}
	}
	return d
}

// NewBindings makes a dict whose values live in cells: a namespace for code to
// link to.
func NewBindings() *Dict {
	d := newDict()
	d.ns = &bindings{}
	return d
}

// Value is d as a script value.
func (d *Dict) Value() Value { return obj(unsafe.Pointer(d)) }

// Len is the number of entries.
func (d *Dict) Len() int { return int(d.used) }

func (d *Dict) read(i int) Value {
	v := d.ents[i].v.Value()
	if d.ns != nil {
		return (*Cell)(v.P).v.Held().Value()
	}
	return v
}

// findInt is find for a small int; ok is false when it must be compared with a key
// of another kind.
func (d *Dict) findInt(n int64) (i int, ok bool) {
	hash := HashInt(n)
	if d.idx == nil {
		for i := range d.ents {
			if en := &d.ents[i]; en.hash == hash {
				k := en.k.Value()
				if k.P == nil && k.Int64() == n {
					return i, true
				}
				if k.P != nil {
					return -1, false
				}
			}
		}
		return -1, true
	}
	mask := uint64(len(d.idx.at) - 1)
	for at := spread(hash) & mask; ; at = (at + 1) & mask {
		e := d.idx.at[at]
		if e == 0 {
			return -1, true
		}
		if e > 0 {
			if en := &d.ents[e-1]; en.hash == hash {
				k := en.k.Value()
				if k.P == nil && k.Int64() == n {
					return int(e - 1), true
				}
				if k.P != nil {
					return -1, false
				}
			}
		}
	}
}

// findQuick is find for small ints and strs, where it runs no script code and
// compares only keys of the same kind.
func (d *Dict) findQuick(key Value) (i int, ok bool) {
	switch {
	case key.P == nil:
		return d.findInt(key.Int64())
	case (*Header)(key.P).Kind == value.KindStr:
		i = d.findStr((*Str)(key.P))
		return i, i >= 0 || d.Flags&flagForeign == 0
	}
	return -1, false
}

// find is the entry of key, or -1. Comparing may run script code.
func (d *Dict) find(th *Thread, key Value, hash int64) (int, error) {
	if d.idx == nil {
		return d.scan(th, key, hash)
	}
	mask := uint64(len(d.idx.at) - 1)
	i := spread(hash) & mask
	for {
		e := d.idx.at[i]
		if e == 0 {
			return -1, nil
		}
		if e > 0 {
			en := &d.ents[e-1]
			if en.hash == hash {
				if en.k.Value() == key && !key.IsFloat() {
					return int(e - 1), nil
				}
				version := d.version
				eq, err := keyEqual(th, en.k.Value(), key)
				if err != nil {
					return -1, err
				}
				if d.version != version { // the comparison changed us
					return d.find(th, key, hash)
				}
				if eq {
					return int(e - 1), nil
				}
			}
		}
		i = (i + 1) & mask
	}
}

// scan is find in a dict without an index.
func (d *Dict) scan(th *Thread, key Value, hash int64) (int, error) {
	for i := range d.ents {
		en := &d.ents[i]
		if en.hash != hash || !en.live() {
			continue
		}
		if en.k.Value() == key && !key.IsFloat() {
			return i, nil
		}
		version := d.version
		eq, err := keyEqual(th, en.k.Value(), key)
		if err != nil {
			return -1, err
		}
		if d.version != version {
			return d.find(th, key, hash)
		}
		if eq {
			return i, nil
		}
	}
	return -1, nil
}

// fewEntries is how many entries a dict scans without an index.
const fewEntries = 8

// spread turns CPython's hashes, dense for ints, into index bits.
func spread(h int64) uint64 {
	x := uint64(h) * 0x9E3779B97F4A7C15
	return x ^ x>>32
}

// findStr is find for a str key: no script code runs.
func (d *Dict) findStr(key *Str) int {
	hash := key.Hash()
	if d.idx == nil {
		for i := range d.ents {
			if en := &d.ents[i]; en.hash == hash && en.isStr(key) {
				return i
			}
		}
		return -1
	}
	mask := uint64(len(d.idx.at) - 1)
	for i := spread(hash) & mask; ; i = (i + 1) & mask {
		e := d.idx.at[i]
		if e == 0 {
			return -1
		}
		if e > 0 {
			en := &d.ents[e-1]
			if en.hash == hash && en.isStr(key) {
				return int(e - 1)
			}
		}
	}
}

func (e *entry) isStr(key *Str) bool {
	k := e.k.Value()
	if k.P == unsafe.Pointer(key) {
		return true
	}
	return k.P != nil && (*Header)(k.P).Kind == value.KindStr && (*Str)(k.P).s == key.s
}

func (d *Dict) getStr(key *Str) (Value, bool) {
	if i := d.findStr(key); i >= 0 {
		return d.read(i), true
	}
	return Unbound, false
}

// GetStr is the value of a str key.
func (d *Dict) GetStr(key string) (Value, bool) {
	if i := d.findStr(Intern(key)); i >= 0 {
		return d.read(i), true
	}
	return Unbound, false
}

// PutStr stores the value of a str key.
func (d *Dict) PutStr(key string, v Value) { d.putStr(Intern(key), v) }

func (d *Dict) putStr(key *Str, v Value) {
	if i := d.findStr(key); i >= 0 {
		d.write(i, v)
		return
	}
	d.insert(key.Value(), key.Hash(), v)
}

// DelStr removes a str key and says whether it was there.
func (d *Dict) DelStr(key string) bool { return d.delStr(Intern(key)) }

func (d *Dict) delStr(key *Str) bool {
	i := d.findStr(key)
	if i >= 0 {
		d.remove(i)
	}
	return i >= 0
}

// Get is the value of key; found is false when there is none.
func (d *Dict) Get(th *Thread, key Value) (v Value, found bool, err error) {
	if i, ok := d.findQuick(key); ok {
		if i < 0 {
			return Unbound, false, nil
		}
		return d.read(i), true, nil
	}
	h, err := Hash(th, key)
	if err != nil {
		return Unbound, false, err
	}
	i, err := d.find(th, key, h)
	if i < 0 || err != nil {
		return Unbound, false, err
	}
	return d.read(i), true, nil
}

// Put stores the value of key.
func (d *Dict) Put(th *Thread, key, v Value) error {
	if i, ok := d.findQuick(key); ok && i >= 0 {
		d.write(i, v)
		return nil
	}
	h, err := Hash(th, key)
	if err != nil {
		return err
	}
	return d.PutHashed(th, key, h, v)
}

// PutHashed is Put for a key whose hash is known.
func (d *Dict) PutHashed(th *Thread, key Value, h int64, v Value) error {
	i, err := d.find(th, key, h)
	if err != nil {
		return err
	}
	if i >= 0 {
		d.write(i, v)
		return nil
	}
	return d.add(th, key, h, v)
}

// add is insert with a look at what memory allows.
func (d *Dict) add(th *Thread, key Value, h int64, v Value) error {
	if n := len(d.ents); n == cap(d.ents) && th != nil {
		if err := th.growth(n, dictEntrySize); err != nil {
			return err
		}
	}
	d.insert(key, h, v)
	return nil
}

// dictEntrySize is what one entry of a dict takes, with its part of the index.
const dictEntrySize = int(unsafe.Sizeof(entry{})) + 8

// Delete removes key and gives the value it had.
func (d *Dict) Delete(th *Thread, key Value) (v Value, found bool, err error) {
	h, err := Hash(th, key)
	if err != nil {
		return Unbound, false, err
	}
	i, err := d.find(th, key, h)
	if i < 0 || err != nil {
		return Unbound, false, err
	}
	v = d.read(i)
	d.remove(i)
	return v, true, nil
}

func (d *Dict) write(i int, v Value) {
	if d.ns != nil {
		c := (*Cell)(d.ents[i].v.Value().P)
		c.v = v.Held().Value()
		return
	}
	d.ents[i].v = v.Held()
}

// insert adds a key that is not there.
func (d *Dict) insert(key Value, h int64, v Value) {
	if d.ns != nil {
		v = d.bind(key, v)
	}
	if n := len(d.ents); d.idx == nil && n >= fewEntries || d.idx != nil && (max(n, int(d.used)+d.idx.deleted)+1)*3 > len(d.idx.at)*2 {
		d.compact()
		if d.idx != nil || len(d.ents) >= fewEntries {
			d.rehash(int(d.used) + 1)
		}
	}
	if n := len(d.ents); n == cap(d.ents) {
		ents := make([]entry, n, max(2, 2*n))
		copy(ents, d.ents)
		d.ents = ents
	}
	d.ents = append(d.ents, entry{key.Held(), v.Held(), h})
	if key.Kind() == value.KindInstance {
		d.Flags |= flagForeign
	}
	if d.idx != nil {
		d.link(h, int32(len(d.ents)))
	}
	d.used++
	d.version++
}

func (d *Dict) link(h int64, e int32) {
	mask := uint64(len(d.idx.at) - 1)
	i := spread(h) & mask
	for d.idx.at[i] > 0 {
		i = (i + 1) & mask
	}
	if d.idx.at[i] < 0 {
		d.idx.deleted--
	}
	d.idx.at[i] = e
}

// rehash makes the index for n entries and fills it.
func (d *Dict) rehash(n int) {
	size := 8
	for size*2 < n*4 {
		size *= 2
	}
	d.idx = &index{at: make([]int32, size)}
	for i := range d.ents {
		if d.ents[i].live() {
			d.link(d.ents[i].hash, int32(i+1))
		}
	}
}

// compact squeezes deleted entries out; the index is stale afterwards.
func (d *Dict) compact() {
	if int(d.used) == len(d.ents) {
		return
	}
	n := 0
	for i := range d.ents {
		if d.ents[i].live() {
			d.ents[n] = d.ents[i]
			n++
		}
	}
	clear(d.ents[n:])
	d.ents = d.ents[:n]
}

// remove deletes entry i.
func (d *Dict) remove(i int) {
	e := &d.ents[i]
	if d.idx != nil {
		d.unlink(e.hash, int32(i+1))
	}
	if d.ns != nil {
		d.unbind(e)
	}
	*e = deadEntry
	d.used--
	d.version++
}

// PopLast removes the entry added last, with the deleted ones behind it, and
// gives it; ok is false when empty. Other removals leave the place of an entry
// taken: an iterator must notice a key that came after it.
func (d *Dict) PopLast() (k, v Value, ok bool) {
	for i := len(d.ents) - 1; i >= 0; i-- {
		if !d.ents[i].live() {
			continue
		}
		k, v = d.ents[i].k.Value(), d.read(i)
		d.remove(i)
		d.ents = d.ents[:i]
		return k, v, true
	}
	return Unbound, Unbound, false
}

// SetDefault is the value of key, after storing v when there is none.
func (d *Dict) SetDefault(th *Thread, key, v Value) (Value, error) {
	h, err := Hash(th, key)
	if err != nil {
		return Unbound, err
	}
	i, err := d.find(th, key, h)
	if err != nil {
		return Unbound, err
	}
	if i >= 0 {
		return d.read(i), nil
	}
	return v, d.add(th, key, h, v)
}

// unlink marks the index place of an entry deleted.
func (d *Dict) unlink(h int64, e int32) {
	mask := uint64(len(d.idx.at) - 1)
	at := spread(h) & mask
	for d.idx.at[at] != e {
		at = (at + 1) & mask
	}
	d.idx.at[at] = -1
	d.idx.deleted++
}

// Clear removes all entries.
func (d *Dict) Clear() {
	for i := range d.ents {
		if d.ns != nil && d.ents[i].live() {
			d.unbind(&d.ents[i])
		}
	}
	d.ents, d.idx, d.used = nil, nil, 0
	d.version++
}

// Copy is a plain dict with the same entries.
func (d *Dict) Copy() *Dict {
	n := MakeDict(int(d.used))
	for i := range d.ents {
		if d.ents[i].live() {
			n.insert(d.ents[i].k.Value(), d.ents[i].hash, d.read(i))
		}
	}
	return n
}

// Entry walks the entries in order: it gives the first one at or after position
// at and the position to go on from; ok is false at the end. Positions stay
// valid while no key is added.
func (d *Dict) Entry(at int) (k, v Value, next int, ok bool) {
	for ; at < len(d.ents); at++ {
		if d.ents[at].live() {
			return d.ents[at].k.Value(), d.read(at), at + 1, true
		}
	}
	return Unbound, Unbound, at, false
}

// EntryBack walks backwards: begin with at = Positions()-1.
func (d *Dict) EntryBack(at int) (k, v Value, next int, ok bool) {
	for ; at >= 0; at-- {
		if at < len(d.ents) && d.ents[at].live() {
			return d.ents[at].k.Value(), d.read(at), at - 1, true
		}
	}
	return Unbound, Unbound, at, false
}

// Positions is one past the last position of Entry.
func (d *Dict) Positions() int { return len(d.ents) }

// ---- namespaces ----

// useCells makes a plain dict a dict of bindings: exec with a dict as globals.
func (d *Dict) useCells() {
	if d.ns != nil {
		return
	}
	for i := range d.ents {
		if e := &d.ents[i]; e.live() {
			e.v = obj(unsafe.Pointer(newCell(e.v.Value()))).Held()
		}
	}
	d.ns = &bindings{}
}

// cell is the binding that code links to, made unbound when the name has no value.
func (d *Dict) cell(name *Str) *Cell {
	if i := d.findStr(name); i >= 0 {
		return (*Cell)(d.ents[i].v.Value().P)
	}
	if c := d.ns.orphans[name]; c != nil {
		return c
	}
	c := newCell(Unbound)
	if d.ns.orphans == nil {
		d.ns.orphans = map[*Str]*Cell{}
	}
	d.ns.orphans[name] = c
	return c
}

// bind gives the cell for a new key: the one that code is linked to, if any.
func (d *Dict) bind(key, v Value) Value {
	if s, ok := AsStr(key); ok && d.ns.orphans != nil {
		if name := s.lookupInterned(); name != nil {
			if c := d.ns.orphans[name]; c != nil {
				delete(d.ns.orphans, name)
				c.v = v.Held().Value()
				c.relink()
				return obj(unsafe.Pointer(c))
			}
		}
	}
	return obj(unsafe.Pointer(newCell(v.Held().Value())))
}

// unbind keeps the cell of a deleted name for the code linked to it.
func (d *Dict) unbind(e *entry) {
	c := (*Cell)(e.v.Value().P)
	c.v = Unbound
	if s, ok := AsStr(e.k.Value()); ok {
		if d.ns.orphans == nil {
			d.ns.orphans = map[*Str]*Cell{}
		}
		d.ns.orphans[s.intern()] = c
	}
}
