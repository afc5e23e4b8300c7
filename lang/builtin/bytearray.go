package builtin

import (
	"bytes"
	"slices"

	"github.com/tfs-lang/tfs/lang"
)

var byteArrayRows = []lang.Def{
	{Sig: "__reduce__(self, /)", Fn: byteArrayReduce},
	{Sig: "append(self, item, /)", Fn: byteArrayAppend},
	{Sig: "clear(self, /)", Fn: byteArrayClear},
	{Sig: "copy(self, /)", Fn: byteArrayCopy},
	{Sig: "extend(self, iterable_of_ints, /)", Fn: byteArrayExtend},
	{Sig: "insert(self, index, item, /)", Fn: byteArrayInsert},
	{Sig: "pop(self, index=-1, /)", Fn: byteArrayPop},
	{Sig: "remove(self, value, /)", Fn: byteArrayRemove},
	{Sig: "reverse(self, /)", Fn: byteArrayReverse},
}

func byteArray(a []Value) *lang.ByteArray { b, _ := lang.AsByteArray(a[0]); return b }

// resizable refuses to change the length under a memoryview.
func resizable(th *Thread, b *lang.ByteArray) error {
	if b.Exports > 0 {
		return th.Raise(lang.BufferError, "Existing exports of data: object cannot be re-sized")
	}
	return nil
}

func byteArrayReduce(th *Thread, a []Value) (Value, error) {
	b := raw(a)
	if b == "" {
		return rebuilt(th, a[0])
	}
	return rebuilt(th, a[0], lang.NewBytes(b))
}

func byteArrayAppend(th *Thread, a []Value) (Value, error) {
	c, err := byteArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	b := byteArray(a)
	if err := resizable(th, b); err != nil {
		return fail(err)
	}
	b.B = append(b.B, c)
	return none, nil
}

func byteArrayClear(th *Thread, a []Value) (Value, error) {
	b := byteArray(a)
	if err := resizable(th, b); err != nil {
		return fail(err)
	}
	b.B = nil
	return none, nil
}

func byteArrayCopy(th *Thread, a []Value) (Value, error) {
	return lang.NewByteArray(bytes.Clone(byteArray(a).B)), nil
}

func byteArrayExtend(th *Thread, a []Value) (Value, error) {
	b := byteArray(a)
	if s, ok := BytesLike(a[1]); ok {
		if err := resizable(th, b); err != nil {
			return fail(err)
		}
		b.B = append(b.B, s...)
		return none, nil
	}
	var out []byte
	err := each(th, a[1], func(x Value) error {
		c, err := byteArg(th, x)
		out = append(out, c)
		return err
	})
	if err == nil {
		err = resizable(th, b)
	}
	if err != nil {
		return fail(err)
	}
	b.B = append(b.B, out...)
	return none, nil
}

func byteArrayInsert(th *Thread, a []Value) (Value, error) {
	b := byteArray(a)
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	c, err := byteArg(th, a[2])
	if err == nil {
		err = resizable(th, b)
	}
	if err != nil {
		return fail(err)
	}
	if i < 0 {
		i = max(i+len(b.B), 0)
	}
	b.B = slices.Insert(b.B, min(i, len(b.B)), c)
	return none, nil
}

func byteArrayPop(th *Thread, a []Value) (Value, error) {
	b := byteArray(a)
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if len(b.B) == 0 {
		return fail(th.Raise(lang.IndexError, "pop from empty bytearray"))
	}
	if i < 0 {
		i += len(b.B)
	}
	if i < 0 || i >= len(b.B) {
		return fail(th.Raise(lang.IndexError, "pop index out of range"))
	}
	if err := resizable(th, b); err != nil {
		return fail(err)
	}
	c := b.B[i]
	b.B = slices.Delete(b.B, i, i+1)
	return lang.Int(int64(c)), nil
}

func byteArrayRemove(th *Thread, a []Value) (Value, error) {
	b := byteArray(a)
	c, err := byteArg(th, a[1])
	if err != nil {
		return fail(err)
	}
	i := bytes.IndexByte(b.B, c)
	if i < 0 {
		return fail(th.ValueErrorf("value not found in bytearray"))
	}
	if err := resizable(th, b); err != nil {
		return fail(err)
	}
	b.B = slices.Delete(b.B, i, i+1)
	return none, nil
}

func byteArrayReverse(th *Thread, a []Value) (Value, error) {
	slices.Reverse(byteArray(a).B)
	return none, nil
}

// setByteItem is b[key] = x.
func setByteItem(th *Thread, v, key, x Value) error {
	b, _ := lang.AsByteArray(v)
	if s, ok := lang.AsSlice(key); ok {
		return setByteSlice(th, b, s, x)
	}
	i, err := bytePosition(th, b, key)
	if err != nil {
		return err
	}
	c, err := byteArg(th, x) // may run script code that shrinks b
	if err != nil {
		return err
	}
	if i >= len(b.B) {
		return th.Raise(lang.IndexError, "bytearray index out of range")
	}
	b.B[i] = c
	return nil
}

func bytePosition(th *Thread, b *lang.ByteArray, key Value) (int, error) {
	if !lang.HasIndex(key) {
		return 0, th.TypeErrorf("bytearray indices must be integers or slices, not %s", lang.TypeName(key))
	}
	i, err := lang.IndexInt(th, key, lang.IndexError)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += len(b.B)
	}
	if i < 0 || i >= len(b.B) {
		return 0, th.Raise(lang.IndexError, "bytearray index out of range")
	}
	return i, nil
}

func setByteSlice(th *Thread, b *lang.ByteArray, s *lang.Slice, x Value) error {
	if lang.IsIntValue(x) {
		return th.TypeErrorf("can assign only bytes, buffers, or iterables of ints in range(0, 256)")
	}
	src, err := bytesFromAny(th, "bytearray", x)
	if err != nil {
		return err
	}
	start, stop, step, n, err := s.Indices(th, len(b.B))
	if err != nil {
		return err
	}
	if step == 1 {
		if len(src) != n {
			if err := resizable(th, b); err != nil {
				return err
			}
		}
		b.B = slices.Replace(b.B, start, max(start, stop), []byte(src)...)
		return nil
	}
	if len(src) == 0 && n > 0 {
		return cutBytes(th, b, s)
	}
	if len(src) != n {
		return th.ValueErrorf("attempt to assign bytes of size %d to extended slice of size %d", len(src), n)
	}
	for k := range n {
		b.B[start+k*step] = src[k]
	}
	return nil
}

// delByteItem is del b[key].
func delByteItem(th *Thread, v, key Value) error {
	b, _ := lang.AsByteArray(v)
	if err := resizable(th, b); err != nil {
		return err
	}
	s, ok := lang.AsSlice(key)
	if !ok {
		i, err := bytePosition(th, b, key)
		if err == nil {
			b.B = slices.Delete(b.B, i, i+1)
		}
		return err
	}
	return cutBytes(th, b, s)
}

// cutBytes is del b[slice].
func cutBytes(th *Thread, b *lang.ByteArray, s *lang.Slice) error {
	if err := resizable(th, b); err != nil {
		return err
	}
	start, _, step, n, err := s.Indices(th, len(b.B))
	if err != nil {
		return err
	}
	drop := make(map[int]bool, n)
	for k := range n {
		drop[start+k*step] = true
	}
	kept := b.B[:0]
	for i, c := range b.B {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	b.B = kept
	return nil
}

// byteArrayInPlace is b += x and b *= n.
func byteArrayInPlace(th *Thread, op lang.BinaryOp, a, x Value, dying uint8) (Value, error) {
	b, _ := lang.AsByteArray(a)
	switch op {
	case lang.OpAdd:
		s, ok := BytesLike(x)
		if !ok {
			return fail(th.TypeErrorf("can't concat %s to bytearray", lang.TypeName(x)))
		}
		if err := resizable(th, b); err != nil {
			return fail(err)
		}
		b.B = append(b.B, s...)
		return a, nil
	case lang.OpMul:
		if !lang.HasIndex(x) {
			return lang.NotImplemented, nil
		}
		n, err := intOf(th, x)
		if err == nil {
			err = th.CheckRepeat(max(n, 0), len(b.B), 1)
		}
		if err != nil {
			return fail(err)
		}
		b.B = bytes.Repeat(b.B, max(n, 0))
		return a, nil
	}
	return lang.NotImplemented, nil
}
