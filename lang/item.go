package lang

import (
	"math/big"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// GetItem is v[key].
func GetItem(th *Thread, v, key Value) (Value, error) {
	c := ClassOf(v)
	if c.GetItem != nil {
		return c.GetItem(th, v, key)
	}
	if cls, ok := AsClass(v); ok {
		return classGetItem(th, cls, key)
	}
	return Unbound, th.TypeErrorf("'%s' object is not subscriptable", c.Name)
}

// SetItem is v[key] = x.
func SetItem(th *Thread, v, key, x Value) error {
	c := ClassOf(v)
	if c.SetItem == nil {
		return th.noItems(c, key, nameDelitem, nameSetitem, "does not support item assignment", "does not support item assignment")
	}
	return c.SetItem(th, v, key, x)
}

// DelItem is del v[key].
func DelItem(th *Thread, v, key Value) error {
	c := ClassOf(v)
	if c.DelItem == nil {
		return th.noItems(c, key, nameSetitem, nameDelitem, "doesn't support item deletion", "does not support item deletion")
	}
	return c.DelItem(th, v, key)
}

// noItems words a store or deletion that class c doesn't know: asked as a sequence
// with an index, or as a mapping. A script class that has the other one of both
// misses a method.
func (th *Thread) noItems(c *Class, key Value, other, missing *Str, sequence, mapping string) error {
	if c.script {
		if m, _ := th.find(c, other); !m.IsUnbound() {
			return th.Raise(AttributeError, "%s", missing.s)
		}
	}
	if (c.script || c.Len != nil) && HasIndex(key) {
		if _, err := IndexInt(th, key, IndexError); err != nil {
			return err
		}
		return th.TypeErrorf("'%s' object %s", c.Name, sequence)
	}
	return th.TypeErrorf("'%s' object %s", c.Name, mapping)
}

// Contains is x in v.
func Contains(th *Thread, v, x Value) (bool, error) {
	c := ClassOf(v)
	if c.Contains != nil {
		return c.Contains(th, v, x)
	}
	if c.Iter == nil && c.GetItem == nil {
		return false, th.TypeErrorf("argument of type '%s' is not iterable", c.Name)
	}
	return containsByIter(th, v, x)
}

func containsByIter(th *Thread, v, x Value) (bool, error) {
	it, err := Iterate(th, v)
	if err != nil {
		if Matches(err, TypeError) {
			err = th.TypeErrorf("argument of type '%s' is not iterable", TypeName(v))
		}
		return false, err
	}
	for {
		y, ok, err := it.Next(th)
		if err != nil || !ok {
			return false, err
		}
		if eq, err := Same(th, y, x); err != nil || eq {
			return eq, err
		}
	}
}

// position resolves an index of a sequence of n items.
func position(th *Thread, key Value, n int, what, noun string) (int, error) {
	if key.P != nil && !HasIndex(key) {
		return 0, th.TypeErrorf("%s indices must be integers or slices, not %s", what, TypeName(key))
	}
	i, err := IndexInt(th, key, IndexError)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return 0, th.Raise(IndexError, "%s", noun)
	}
	return i, nil
}

func listGetItem(th *Thread, v, key Value) (Value, error) {
	l, _ := AsList(v)
	if s, ok := AsSlice(key); ok {
		items, err := sliceItems(th, s, l.items)
		return ListOf(items).Value(), err
	}
	i, err := position(th, key, len(l.items), "list", "list index out of range")
	if err != nil || i >= len(l.items) {
		return Unbound, err
	}
	return l.items[i].Value(), nil
}

func sliceItems(th *Thread, s *Slice, items []Held) ([]Held, error) {
	start, _, step, n, err := s.Indices(th, len(items))
	if err != nil {
		return nil, err
	}
	out := make([]Held, n)
	if step == 1 {
		copy(out, items[start:start+n])
		return out, nil
	}
	for i := range out {
		out[i] = items[start+i*step]
	}
	return out, nil
}

func listSetItem(th *Thread, v, key, x Value) error {
	l, _ := AsList(v)
	if s, ok := AsSlice(key); ok {
		return l.setSlice(th, s, x)
	}
	i, err := position(th, key, len(l.items), "list", "list assignment index out of range")
	if err != nil {
		return err
	}
	l.items[i] = x.Held()
	return nil
}

func (l *List) setSlice(th *Thread, s *Slice, x Value) error {
	if !IsIterable(x) {
		if s.Step.IsNone() {
			return th.TypeErrorf("can only assign an iterable")
		}
		return th.TypeErrorf("must assign iterable to extended slice")
	}
	items, err := ToSlice(th, x)
	if err != nil {
		return err
	}
	start, stop, step, n, err := s.Indices(th, len(l.items))
	if err != nil {
		return err
	}
	if step == 1 {
		l.Splice(start, max(start, stop), items)
		return nil
	}
	if len(items) != n {
		return th.ValueErrorf("attempt to assign sequence of size %d to extended slice of size %d", len(items), n)
	}
	for i, it := range items {
		l.items[start+i*step] = it
	}
	return nil
}

// Splice replaces items [i, j) by others.
func (l *List) Splice(i, j int, items []Held) {
	n := len(l.items)
	if d := len(items) - (j - i); d <= 0 {
		copy(l.items[i:], items)
		copy(l.items[i+len(items):], l.items[j:])
		clear(l.items[n+d:])
		l.items = l.items[:n+d]
		return
	}
	out := make([]Held, 0, max(n+len(items)-(j-i), 4))
	out = append(out, l.items[:i]...)
	out = append(out, items...)
	l.items = append(out, l.items[j:]...)
}

func listDelItem(th *Thread, v, key Value) error {
	l, _ := AsList(v)
	s, ok := AsSlice(key)
	if !ok {
		i, err := position(th, key, len(l.items), "list", "list assignment index out of range")
		if err == nil {
			l.Splice(i, i+1, nil)
		}
		return err
	}
	start, stop, step, n, err := s.Indices(th, len(l.items))
	if err != nil || n == 0 {
		return err
	}
	if step == 1 {
		l.Splice(start, stop, nil)
		return nil
	}
	if step < 0 {
		start, step = start+(n-1)*step, -step
	}
	out := l.items[:start]
	for i := start; i < len(l.items); i++ {
		if k := i - start; k%step != 0 || k/step >= n {
			out = append(out, l.items[i])
		}
	}
	clear(l.items[len(out):])
	l.items = out
	return nil
}

func tupleGetItem(th *Thread, v, key Value) (Value, error) {
	t, _ := AsTuple(v)
	if s, ok := AsSlice(key); ok {
		items, err := sliceItems(th, s, t.items)
		if err != nil {
			return Unbound, err
		}
		if len(items) == len(t.items) && v.Kind() == value.KindTuple && len(items) > 0 && items[0] == t.items[0] {
			return v, nil
		}
		return TupleOf(items).Value(), nil
	}
	i, err := position(th, key, len(t.items), "tuple", "tuple index out of range")
	if err != nil {
		return Unbound, err
	}
	return t.items[i].Value(), nil
}

func strGetItem(th *Thread, v, key Value) (Value, error) {
	s, _ := AsStr(v)
	if sl, ok := AsSlice(key); ok {
		start, _, step, n, err := sl.Indices(th, s.Len())
		if err != nil {
			return Unbound, err
		}
		if step == 1 {
			return s.Slice(start, start+n), nil
		}
		return s.pick(start, step, n), nil
	}
	if key.P != nil && !HasIndex(key) {
		return Unbound, th.TypeErrorf("string indices must be integers, not '%s'", TypeName(key))
	}
	i, err := position(th, key, s.Len(), "string", "string index out of range")
	if err != nil {
		return Unbound, err
	}
	return s.At(i), nil
}

// pick is an extended slice.
func (s *Str) pick(start, step, n int) Value {
	if s.ext == nil {
		b := make([]byte, n)
		for i := range b {
			b[i] = s.s[start+i*step]
		}
		return newASCII(string(b))
	}
	r := Runes(s.s)
	out := make([]rune, n)
	for i := range out {
		out[i] = r[start+i*step]
	}
	return NewStr(FromRunes(out))
}

func strContains(th *Thread, v, x Value) (bool, error) {
	s, _ := AsStr(v)
	t, ok := AsStr(x)
	if !ok {
		return false, th.TypeErrorf("'in <string>' requires string as left operand, not %s", TypeName(x))
	}
	return containsText(s.s, t.s), nil
}

func bytesGetItem(th *Thread, v, key Value) (Value, error) {
	b, _ := BytesOf(v)
	_, array := AsByteArray(v)
	what := "byte"
	noun := "index out of range"
	if array {
		what, noun = "bytearray", "bytearray index out of range"
	}
	if sl, ok := AsSlice(key); ok {
		start, _, step, n, err := sl.Indices(th, len(b))
		if err != nil {
			return Unbound, err
		}
		if n == len(b) && step == 1 && v.Kind() == value.KindBytes {
			return v, nil
		}
		out := make([]byte, n)
		for i := range out {
			out[i] = b[start+i*step]
		}
		if array {
			return NewByteArray(out), nil
		}
		return NewBytes(string(out)), nil
	}
	i, err := position(th, key, len(b), what, noun)
	if err != nil {
		return Unbound, err
	}
	return Int(int64(b[i])), nil
}

func bytesContains(th *Thread, v, x Value) (bool, error) {
	b, _ := BytesOf(v)
	if sub, ok := BytesOf(x); ok {
		return containsText(b, sub), nil
	}
	if !HasIndex(x) {
		return false, th.TypeErrorf("a bytes-like object is required, not '%s'", TypeName(x))
	}
	index, err := Index(th, x)
	if err != nil {
		return false, err
	}
	i, small := AsInt(index)
	if !small || i < 0 || i > 255 {
		return false, th.ValueErrorf("byte must be in range(0, 256)")
	}
	return containsText(b, string([]byte{byte(i)})), nil
}

func dictGetItem(th *Thread, v, key Value) (Value, error) {
	d, _ := AsDict(v)
	x, ok, err := d.Get(th, key)
	if err != nil || ok {
		return x, err
	}
	if v.Kind() == value.KindInstance {
		if m, _ := th.find(ClassOf(v), nameMissing); !m.IsUnbound() {
			return th.callSpecial(v, m, key)
		}
	}
	return Unbound, th.RaiseArgs(KeyError, key)
}

func dictSetItem(th *Thread, v, key, x Value) error {
	d, _ := AsDict(v)
	return d.Put(th, key, x)
}

func dictDelItem(th *Thread, v, key Value) error {
	d, _ := AsDict(v)
	_, ok, err := d.Delete(th, key)
	if err == nil && !ok {
		err = th.RaiseArgs(KeyError, key)
	}
	return err
}

func dictContains(th *Thread, v, x Value) (bool, error) {
	d, _ := AsDict(v)
	_, ok, err := d.Get(th, x)
	return ok, err
}

func setContains(th *Thread, v, x Value) (bool, error) {
	s, _ := AsSet(v)
	ok, err := s.Has(th, x)
	if err != nil {
		if o, isSet := AsSet(x); isSet && Matches(err, TypeError) { // a set is looked for as its frozen copy
			f := NewFrozenSet()
			o.CopyTo(f)
			return s.Has(th, f.Value())
		}
	}
	return ok, err
}

func rangeGetItem(th *Thread, v, key Value) (Value, error) {
	r := (*Range)(v.P)
	if sl, ok := AsSlice(key); ok {
		return r.slice(th, sl)
	}
	if r.Big != nil {
		return r.Big.at(th, key)
	}
	i, err := position(th, key, int(r.n), "range", "range object index out of range")
	if err != nil {
		return Unbound, err
	}
	return Int(r.At(int64(i))), nil
}

// at is item key of a range of big ints.
func (r *BigRange) at(th *Thread, key Value) (Value, error) {
	i, err := Index(th, key)
	if err != nil {
		return Unbound, err
	}
	if neg, _ := CompareBool(th, LT, i, Int(0)); neg {
		if i, err = BinaryOperation(th, OpAdd, i, r.Len); err != nil {
			return Unbound, err
		}
	}
	low, _ := CompareBool(th, LT, i, Int(0))
	high, _ := CompareBool(th, GE, i, r.Len)
	if low || high {
		return Unbound, th.Raise(IndexError, "range object index out of range")
	}
	x, err := BinaryOperation(th, OpMul, i, r.Step)
	if err != nil {
		return Unbound, err
	}
	return BinaryOperation(th, OpAdd, r.Start, x)
}

func rangeContains(th *Thread, v, x Value) (bool, error) {
	r := (*Range)(v.P)
	if i, ok := AsInt(x); ok && x.Kind() <= value.KindBool && r.Big == nil {
		if r.n == 0 {
			return false, nil
		}
		last := r.At(r.n - 1)
		return i >= min(r.Start, last) && i <= max(r.Start, last) && (i-r.Start)%r.Step == 0, nil
	}
	if x.Kind() <= value.KindBig && IsIntValue(x) {
		return r.Big != nil && r.Big.contains(x), nil
	}
	return containsByIter(th, v, x)
}

func (r *BigRange) contains(x Value) bool {
	v, _ := AsBig(x)
	start, _ := AsBig(r.Start)
	stop, _ := AsBig(r.Stop)
	step, _ := AsBig(r.Step)
	if step.Sign() > 0 && (v.Cmp(start) < 0 || v.Cmp(stop) >= 0) || step.Sign() < 0 && (v.Cmp(start) > 0 || v.Cmp(stop) <= 0) {
		return false
	}
	d := new(big.Int).Sub(v, start)
	return d.Rem(d, step).Sign() == 0
}

// MappingProxy is a read-only view of a dict: C.__dict__.
type MappingProxy struct {
	Header
	D  *Dict
	Of Value // another mapping, or Unbound
}

// NewMappingProxy makes a read-only view.
func NewMappingProxy(d *Dict) Value {
	return obj(unsafe.Pointer(&MappingProxy{head(MappingProxyClass, value.KindOther), d, Unbound}))
}

func proxyGetItem(th *Thread, v, key Value) (Value, error) {
	return GetItem(th, (*MappingProxy)(v.P).D.Value(), key)
}

func proxyIter(th *Thread, v Value) (Value, error) {
	return Iter(th, (*MappingProxy)(v.P).D.Value())
}

func proxyLen(th *Thread, v Value) (int, error) { return (*MappingProxy)(v.P).D.Len(), nil }

func proxyContains(th *Thread, v, x Value) (bool, error) {
	return dictContains(th, (*MappingProxy)(v.P).D.Value(), x)
}

func proxyRepr(th *Thread, v Value) (Value, error) {
	s, err := Repr(th, (*MappingProxy)(v.P).D.Value())
	return NewStr("mappingproxy(" + s + ")"), err
}
