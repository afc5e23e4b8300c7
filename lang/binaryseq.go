package lang

import (
	"math"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

func sequenceBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	switch op {
	case OpAdd:
		return concatSequences(th, a, b)
	case OpMul:
		if isSequence(a) && HasIndex(b) {
			return repeat(th, a, b)
		}
		if isSequence(b) && HasIndex(a) {
			return repeat(th, b, a)
		}
	}
	return NotImplemented, nil
}

func concatSequences(th *Thread, a, b Value) (Value, error) {
	if x, ok := AsStr(a); ok {
		if y, ok := AsStr(b); ok {
			return concatStr(th, x, y)
		}
		return NotImplemented, nil
	}
	if x, ok := AsList(a); ok {
		if y, ok := AsList(b); ok {
			return ListOf(append(append(make([]Held, 0, len(x.items)+len(y.items)), x.items...), y.items...)).Value(), nil
		}
		return NotImplemented, nil
	}
	if x, ok := AsTuple(a); ok {
		if y, ok := AsTuple(b); ok {
			return TupleOf(append(append(make([]Held, 0, len(x.items)+len(y.items)), x.items...), y.items...)).Value(), nil
		}
		return NotImplemented, nil
	}
	x, ok := BytesOf(a)
	y, ok2 := BytesOf(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	if _, ok := AsByteArray(a); ok {
		return NewByteArray([]byte(x + y)), nil
	}
	return NewBytes(x + y), nil
}

func concatStr(th *Thread, x, y *Str) (Value, error) {
	if len(x.s) == 0 {
		return y.Value(), nil
	}
	if len(y.s) == 0 {
		return x.Value(), nil
	}
	if err := th.CheckSize(len(x.s)+len(y.s), 1); err != nil {
		return Unbound, err
	}
	return concat(x, y), nil
}

func repeat(th *Thread, s, count Value) (Value, error) {
	n, err := IndexInt(th, count, OverflowError)
	if err != nil {
		return Unbound, err
	}
	n = max(n, 0)
	s = payload(s)
	if k := s.Kind(); n == 1 && (k == value.KindStr || k == value.KindTuple || k == value.KindBytes) {
		return s, nil
	}
	switch s.Kind() {
	case value.KindStr:
		return repeatStr(th, (*Str)(s.P), n)
	case value.KindBytes:
		x := (*Bytes)(s.P).B
		if err := th.CheckRepeat(len(x), n, 1); err != nil {
			return Unbound, err
		}
		return NewBytes(strings.Repeat(x, n)), nil
	case value.KindByteArray:
		x := string((*ByteArray)(s.P).B)
		if err := th.CheckRepeat(len(x), n, 1); err != nil {
			return Unbound, err
		}
		return NewByteArray([]byte(strings.Repeat(x, n))), nil
	}
	items, _ := Sequence(s)
	if err := th.CheckRepeat(len(items), n, int(unsafe.Sizeof(Value{}))); err != nil {
		return Unbound, err
	}
	out := repeatItems(items, n)
	if s.Kind() == value.KindTuple {
		return TupleOf(out).Value(), nil
	}
	return ListOf(out).Value(), nil
}

func repeatStr(th *Thread, x *Str, n int) (Value, error) {
	switch {
	case n <= 0 || x.s == "":
		return emptyStr.Value(), nil
	case n == 1:
		return x.Value(), nil
	}
	if err := th.CheckRepeat(len(x.s), n, 1); err != nil {
		return Unbound, err
	}
	o, b := makeStr(len(x.s) * n)
	for done := copy(b, x.s); done < len(b); done *= 2 {
		copy(b[done:], b[:done])
	}
	if x.ext == nil {
		o.Flags = flagASCII
	} else {
		o.classify()
	}
	return o.Value(), nil
}

func repeatItems(items []Held, n int) []Held {
	out := make([]Held, len(items)*n)
	if len(out) == 0 {
		return nil
	}
	for done := copy(out, items); done < len(out); done *= 2 {
		copy(out[done:], out[:done])
	}
	return out
}

// CheckRepeat is CheckSize for count copies of n elements.
func (th *Thread) CheckRepeat(n, count, size int) error {
	if n > 0 && count > math.MaxInt64/n/size {
		return th.outOfMemory()
	}
	return th.CheckSize(n*count, size)
}

// maxAlloc bounds one allocation of the language; a memory limit of the run may be smaller.
const maxAlloc = 1 << 34

// CheckSize raises MemoryError before something of n elements of size bytes is
// made that no limit would allow.
func (th *Thread) CheckSize(n, size int) error {
	if n < 0 || n > maxAlloc/size {
		return th.outOfMemory()
	}
	if n*size >= 1<<16 {
		if err := th.reserve(uint64(n * size)); err != nil {
			return err
		}
	}
	if n*size >= 1<<20 && th.Interp.Reserve != nil {
		return th.Interp.Reserve(th, n*size)
	}
	return nil
}

// listInPlace is += and *= of a list.
func listInPlace(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	l, _ := AsList(a)
	switch op {
	case OpAdd:
		if !IsIterable(b) {
			return Unbound, th.TypeErrorf("'%s' object is not iterable", TypeName(b))
		}
		return a, l.Extend(th, b)
	case OpMul:
		if !HasIndex(b) {
			return NotImplemented, nil
		}
		r, err := repeat(th, l.Value(), b)
		if err != nil {
			return Unbound, err
		}
		x, _ := AsList(r)
		l.items = x.items
		return a, nil
	}
	return NotImplemented, nil
}

// Extend appends all items of an iterable.
func (l *List) Extend(th *Thread, v Value) error {
	if s, ok := exactSequence(v); ok {
		if err := th.CheckSize(len(s), heldSize); err != nil {
			return err
		}
		l.items = append(l.items, s...)
		return nil
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
		if err := l.Push(th, x); err != nil {
			return err
		}
	}
}

func containsText(s, t string) bool { return strings.Contains(s, t) }
