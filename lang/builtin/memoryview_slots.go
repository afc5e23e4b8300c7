package builtin

import (
	"math/big"

	"github.com/tfs-lang/tfs/lang"
)

func memoryViewSlots(s *lang.Slots) {
	s.Len = func(th *Thread, v Value) (int, error) {
		m := (*MemoryView)(v.P)
		return m.Len, m.check(th)
	}
	s.GetItem = memoryGet
	s.SetItem = memorySet
	s.Iter = func(th *Thread, v Value) (Value, error) {
		m := (*MemoryView)(v.P)
		if err := m.check(th); err != nil {
			return fail(err)
		}
		return lang.Iter(th, viewToList(m))
	}
	s.Compare = memoryCompare
	s.Hash = func(th *Thread, v Value) (int64, error) {
		m := (*MemoryView)(v.P)
		if err := m.check(th); err != nil {
			return 0, err
		}
		if !m.ReadOnly {
			return 0, th.ValueErrorf("cannot hash writable memoryview object")
		}
		if !byteFormat(m.Format) {
			return 0, th.ValueErrorf("memoryview: hashing is restricted to formats 'B', 'b' or 'c'")
		}
		return lang.HashBytes(m.bytes()), nil
	}
	s.Repr = func(th *Thread, v Value) (Value, error) {
		if (*MemoryView)(v.P).Released {
			return lang.NewStr("<released memory at " + lang.Address(v) + ">"), nil
		}
		return lang.NewStr("<memory at " + lang.Address(v) + ">"), nil
	}
}

// memoryCompare compares items by value; a released view equals only itself.
func memoryCompare(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
	if op != lang.EQ && op != lang.NE {
		return lang.NotImplemented, nil
	}
	m := (*MemoryView)(a.P)
	o, isView := AsMemoryView(b)
	if m.Released || isView && o.Released {
		return lang.Bool((a == b) == (op == lang.EQ)), nil
	}
	if isView && o.Format != m.Format || !isView && m.Format != 'B' {
		y := b
		if isView {
			y = viewToList(o)
		} else if s, ok := BytesLike(b); ok {
			y = list(byteItems(s)...)
		} else {
			return lang.NotImplemented, nil
		}
		return lang.Compare(th, op, viewToList(m), y)
	}
	y, ok := BytesLike(b)
	if !ok {
		return lang.NotImplemented, nil
	}
	return lang.Bool((m.bytes() == y) == (op == lang.EQ)), nil
}

func byteItems(s string) []lang.Held {
	out := make([]lang.Held, len(s))
	for i := range len(s) {
		out[i] = lang.Int(int64(s[i])).Held()
	}
	return out
}

// index is which item a key means.
func (m *MemoryView) index(th *Thread, key Value) (int, error) {
	if !lang.HasIndex(key) {
		return 0, th.TypeErrorf("memoryview: invalid slice key")
	}
	i, err := lang.IndexInt(th, key, lang.IndexError)
	if err != nil {
		return 0, err
	}
	if err := m.check(th); err != nil { // __index__ may have released it
		return 0, err
	}
	if i < 0 {
		i += m.Len
	}
	if i < 0 || i >= m.Len {
		return 0, th.Raise(lang.IndexError, "index out of bounds on dimension 1")
	}
	return i, nil
}

func memoryGet(th *Thread, v, key Value) (Value, error) {
	m := (*MemoryView)(v.P)
	if err := m.check(th); err != nil {
		return fail(err)
	}
	if s, ok := lang.AsSlice(key); ok {
		start, _, step, n, err := s.Indices(th, m.Len)
		if err != nil {
			return fail(err)
		}
		return m.view(m.From+start*m.Step, m.Step*step, n), nil
	}
	i, err := m.index(th, key)
	if err != nil {
		return fail(err)
	}
	return itemFormats[m.Format].get(m.item(i)), nil
}

func memorySet(th *Thread, v, key, x Value) error {
	m := (*MemoryView)(v.P)
	if err := m.check(th); err != nil {
		return err
	}
	ba, ok := lang.AsByteArray(m.Of)
	if !ok || m.ReadOnly {
		return th.TypeErrorf("cannot modify read-only memory")
	}
	if s, ok := lang.AsSlice(key); ok {
		return m.setSlice(th, ba, s, x)
	}
	i, err := m.index(th, key)
	if err != nil {
		return err
	}
	item := make([]byte, m.size())
	typed, fits, err := itemFormats[m.Format].put(th, item, x)
	switch {
	case err != nil:
		return err
	case !typed:
		return th.TypeErrorf("memoryview: invalid type for format '%c'", m.Format)
	case !fits:
		return th.ValueErrorf("memoryview: invalid value for format '%c'", m.Format)
	}
	if err := m.check(th); err != nil {
		return err
	}
	copy(ba.B[m.From+i*m.Step:], item)
	return nil
}

func (m *MemoryView) setSlice(th *Thread, ba *lang.ByteArray, s *lang.Slice, x Value) error {
	start, _, step, n, err := s.Indices(th, m.Len)
	if err != nil {
		return err
	}
	src, err := bytesArg(th, x)
	if err != nil {
		return err
	}
	o, isView := AsMemoryView(x)
	if len(src) != n*m.size() || isView && o.Format != m.Format || !isView && m.Format != 'B' {
		return th.ValueErrorf("memoryview assignment: lvalue and rvalue have different structures")
	}
	src = string([]byte(src)) // x may see the same bytes
	for k := range n {
		copy(ba.B[m.From+(start+k*step)*m.Step:], src[k*m.size():(k+1)*m.size()])
	}
	return nil
}

// indexBig is x.__index__() of any size; false for a value without it.
func indexBig(th *Thread, x Value) (*big.Int, bool, error) {
	if !lang.HasIndex(x) {
		return nil, false, nil
	}
	v, err := lang.Index(th, x)
	if err != nil {
		return nil, true, err
	}
	i, _ := lang.AsBig(v)
	return i, true, nil
}
