package lang

import (
	"math/big"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// The comparisons, named for Go code.
const (
	LT = code.CmpLT
	LE = code.CmpLE
	GT = code.CmpGT
	GE = code.CmpGE
	EQ = code.CmpEQ
	NE = code.CmpNE
)

var compareText = [...]string{"<", "<=", ">", ">=", "==", "!="}
var compareName = [...]string{"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"}

// swapped is the comparison with the operands exchanged.
var swapped = [...]CompareOp{GT, GE, LT, LE, EQ, NE}

// keyEqual is equality for keys: identity first.
func keyEqual(th *Thread, a, b Value) (bool, error) {
	if a == b {
		return true, nil
	}
	return equalValues(th, a, b)
}

// Same is `a is b or a == b`, as containers compare their items.
func Same(th *Thread, a, b Value) (bool, error) { return keyEqual(th, a, b) }

// Equal is bool(a == b).
func Equal(th *Thread, a, b Value) (bool, error) { return equalValues(th, a, b) }

func equalValues(th *Thread, a, b Value) (bool, error) {
	ka, kb := a.Kind(), b.Kind()
	if ka == kb {
		switch ka {
		case value.KindInt, value.KindBool, value.KindNone:
			return a == b, nil
		case value.KindFloat:
			return a.Float64() == b.Float64(), nil
		case value.KindStr:
			return (*Str)(a.P).s == (*Str)(b.P).s, nil
		case value.KindTuple:
			if eq, ok := tuplesEqual((*Tuple)(a.P), (*Tuple)(b.P)); ok {
				return eq, nil
			}
		}
	} else if ka <= value.KindNone && kb == value.KindStr || ka == value.KindStr && kb <= value.KindNone {
		return false, nil
	}
	r, err := Compare(th, EQ, a, b)
	if err != nil {
		return false, err
	}
	return Truth(th, r)
}

// tuplesEqual compares tuples of small ints and strs; ok is false for others.
func tuplesEqual(a, b *Tuple) (equal, ok bool) {
	if len(a.items) != len(b.items) {
		return false, true
	}
	for i := range a.items {
		v, w := a.items[i].Value(), b.items[i].Value()
		if v == w {
			continue
		}
		k := v.Kind()
		if k != w.Kind() || k != value.KindInt && k != value.KindStr {
			return false, false
		}
		if k == value.KindInt || (*Str)(v.P).s != (*Str)(w.P).s {
			return false, true
		}
	}
	return true, true
}

// CompareBool is bool(a op b).
func CompareBool(th *Thread, op CompareOp, a, b Value) (bool, error) {
	if op == EQ {
		return equalValues(th, a, b)
	}
	r, err := Compare(th, op, a, b)
	if err != nil {
		return false, err
	}
	return Truth(th, r)
}

// Compare is a op b.
func Compare(th *Thread, op CompareOp, a, b Value) (Value, error) {
	if r, ok := compareFast(op, a, b); ok {
		return Bool(r), nil
	}
	if err := th.enter(" in comparison"); err != nil {
		return Unbound, err
	}
	r, err := compareSlots(th, op, a, b)
	th.leave()
	return r, err
}

// compareFast compares two immediates or strs.
func compareFast(op CompareOp, a, b Value) (r, ok bool) {
	ka, kb := a.Kind(), b.Kind()
	switch {
	case (ka == value.KindInt || ka == value.KindBool) && (kb == value.KindInt || kb == value.KindBool):
		return ordered(op, int64(a.N), int64(b.N)), true
	case ka == value.KindFloat && kb == value.KindFloat:
		return ordered(op, a.Float64(), b.Float64()), true
	case ka == value.KindStr && kb == value.KindStr:
		return ordered(op, (*Str)(a.P).s, (*Str)(b.P).s), true
	}
	return false, false
}

func ordered[T int64 | float64 | string | int](op CompareOp, a, b T) bool {
	switch op {
	case LT:
		return a < b
	case LE:
		return a <= b
	case GT:
		return a > b
	case GE:
		return a >= b
	case EQ:
		return a == b
	}
	return a != b
}

func compareSlots(th *Thread, op CompareOp, a, b Value) (Value, error) {
	ca, cb := ClassOf(a), ClassOf(b)
	swappedFirst := ca != cb && cb.IsSub(ca) && cb.Compare != nil
	if swappedFirst {
		r, err := compareOne(th, cb, swapped[op], b, a)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if ca.Compare != nil {
		r, err := compareOne(th, ca, op, a, b)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if !swappedFirst && cb.Compare != nil {
		r, err := compareOne(th, cb, swapped[op], b, a)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	switch op {
	case EQ:
		return Bool(a == b), nil
	case NE:
		return Bool(a != b), nil
	}
	return Unbound, th.TypeErrorf("'%s' not supported between instances of '%s' and '%s'", compareText[op], TypeName(a), TypeName(b))
}

// compareOne asks a's class; the built-in slots get the operands as they stand.
func compareOne(th *Thread, c *Class, op CompareOp, a, b Value) (Value, error) {
	return c.Compare(th, op, a, b)
}

// compareNumbers is the slot of int, bool, float and their subclasses.
func compareNumbers(th *Thread, op CompareOp, a, b Value) (Value, error) {
	a, b = number(a), number(b)
	if a.IsUnbound() || b.IsUnbound() {
		return NotImplemented, nil
	}
	if a.P == nil && b.P == nil {
		return Bool(ordered(op, a.Int64(), b.Int64())), nil
	}
	if a.IsFloat() && b.IsFloat() {
		return Bool(ordered(op, a.Float64(), b.Float64())), nil
	}
	if a.IsFloat() || b.IsFloat() {
		return Bool(compareMixed(op, a, b)), nil
	}
	x, _ := AsBig(a)
	y, _ := AsBig(b)
	return Bool(ordered(op, x.Cmp(y), 0)), nil
}

// number is the immediate or *Big of a real number, Unbound for others.
func number(v Value) Value {
	switch v.Kind() {
	case value.KindInt, value.KindFloat, value.KindBig:
		return v
	case value.KindBool:
		return Int(int64(v.N))
	case value.KindInstance:
		if p := payload(v); !p.IsUnbound() && p.Kind() != value.KindInstance {
			return number(p)
		}
	}
	return Unbound
}

// compareMixed compares an int with a float exactly.
func compareMixed(op CompareOp, a, b Value) bool {
	if a.IsFloat() {
		return compareMixed(swapped[op], b, a)
	}
	f := b.Float64()
	if f != f {
		return op == NE
	}
	if a.P == nil {
		if i := a.Int64(); i > -1<<53 && i < 1<<53 {
			return ordered(op, float64(i), f)
		}
	}
	x, _ := AsBig(a)
	if f > 1.7976931348623157e308 || f < -1.7976931348623157e308 {
		return ordered(op, 0, f)
	}
	bf := new(big.Float).SetPrec(0).SetInt(x)
	return ordered(op, bf.Cmp(big.NewFloat(f)), 0)
}

// compareStr is the slot of str.
func compareStr(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsStr(a)
	y, ok2 := AsStr(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	return Bool(ordered(op, x.s, y.s)), nil
}

// compareItems compares two sequences as list and tuple do.
func compareItems(th *Thread, op CompareOp, a, b func() []Held) (Value, error) {
	if la, lb := len(a()), len(b()); la != lb && (op == EQ || op == NE) {
		return Bool(op == NE), nil
	}
	for i := 0; ; i++ {
		x, y := a(), b()
		if i >= len(x) || i >= len(y) {
			return Bool(ordered(op, len(x), len(y))), nil
		}
		p, q := x[i].Value(), y[i].Value()
		eq, err := keyEqual(th, p, q)
		if err != nil {
			return Unbound, err
		}
		if !eq {
			switch op {
			case EQ:
				return False, nil
			case NE:
				return True, nil
			}
			return Compare(th, op, p, q)
		}
	}
}

func compareList(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsList(a)
	y, ok2 := AsList(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	return compareItems(th, op, x.Items, y.Items)
}

func compareTuple(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsTuple(a)
	y, ok2 := AsTuple(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	return compareTuples(th, op, x.items, y.items)
}

// compareTuples is compareItems for items that can't change.
func compareTuples(th *Thread, op CompareOp, x, y []Held) (Value, error) {
	if len(x) != len(y) && (op == EQ || op == NE) {
		return Bool(op == NE), nil
	}
	for i := range min(len(x), len(y)) {
		p, q := x[i].Value(), y[i].Value()
		if p == q {
			continue
		}
		eq, err := equalValues(th, p, q)
		if err != nil {
			return Unbound, err
		}
		if eq {
			continue
		}
		switch op {
		case EQ:
			return False, nil
		case NE:
			return True, nil
		}
		return Compare(th, op, p, q)
	}
	return Bool(ordered(op, len(x), len(y))), nil
}

func compareDict(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsDict(a)
	y, ok2 := AsDict(b)
	if !ok || !ok2 || op != EQ && op != NE {
		return NotImplemented, nil
	}
	eq, err := x.equal(th, y)
	return Bool(eq == (op == EQ)), err
}

func (d *Dict) equal(th *Thread, o *Dict) (bool, error) {
	if d.used != o.used {
		return false, nil
	}
	for i := 0; i < len(d.ents); i++ {
		if !d.ents[i].live() {
			continue
		}
		v := d.read(i)
		j, err := o.find(th, d.ents[i].k.Value(), d.ents[i].hash)
		if err != nil || j < 0 {
			return false, err
		}
		eq, err := keyEqual(th, v, o.read(j))
		if err != nil || !eq {
			return false, err
		}
	}
	return true, nil
}

// compareSet is the slot of set and frozenset: subset order.
func compareSet(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsSet(a)
	y, ok2 := AsSet(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	r, err := x.compare(th, op, y)
	return Bool(r), err
}

func (s *Set) compare(th *Thread, op CompareOp, o *Set) (bool, error) {
	switch op {
	case GT, GE:
		return o.compare(th, swapped[op], s)
	case LT:
		if s.used >= o.used {
			return false, nil
		}
	case LE:
		if s.used > o.used {
			return false, nil
		}
	default:
		if s.used != o.used {
			return op == NE, nil
		}
	}
	sub, err := s.subset(th, o)
	return sub == (op != NE), err
}

func (s *Set) subset(th *Thread, o *Set) (bool, error) {
	for i := 0; i < len(s.table); i++ {
		if e := s.table[i]; e.state == entryUsed {
			j, err := o.find(th, e.key.Value(), e.hash)
			if err != nil || j < 0 {
				return false, err
			}
		}
	}
	return true, nil
}

func compareBytes(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := BytesOf(a)
	y, ok2 := BytesOf(b)
	if !ok || !ok2 {
		return NotImplemented, nil
	}
	return Bool(ordered(op, x, y)), nil
}

// BytesOf is the content of a bytes or bytearray, borrowed.
func BytesOf(v Value) (string, bool) {
	if b, ok := AsBytes(v); ok {
		return b.B, true
	}
	if b, ok := AsByteArray(v); ok {
		return unsafe.String(unsafe.SliceData(b.B), len(b.B)), true
	}
	return "", false
}

func compareRange(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, ok := AsRange(a)
	y, ok2 := AsRange(b)
	if !ok || !ok2 || op != EQ && op != NE {
		return NotImplemented, nil
	}
	eq := x.n == y.n && (x.n == 0 || x.Start == y.Start && (x.n == 1 || x.Step == y.Step))
	if x.Big != nil || y.Big != nil {
		eq = x.Big != nil && y.Big != nil && x.Big.equal(th, y.Big)
	}
	return Bool(eq == (op == EQ)), nil
}

func (r *BigRange) equal(th *Thread, o *BigRange) bool {
	same := func(a, b Value) bool { eq, _ := Equal(th, a, b); return eq }
	return same(r.Len, o.Len) && same(r.Start, o.Start) && same(r.Step, o.Step)
}

func compareComplex(th *Thread, op CompareOp, a, b Value) (Value, error) {
	if op != EQ && op != NE {
		return NotImplemented, nil
	}
	x, _ := complexOf(a)
	if y, ok := AsComplex(b); ok {
		return Bool((x == y) == (op == EQ)), nil
	}
	if number(b).IsUnbound() {
		return NotImplemented, nil
	}
	if imag(x) != 0 {
		return Bool(op == NE), nil
	}
	return compareNumbers(th, op, Float(real(x)), b) // an int compares exactly
}

func complexOf(v Value) (complex128, bool) {
	if c, ok := AsComplex(v); ok {
		return c, true
	}
	f, ok := AsFloat(v)
	return complex(f, 0), ok
}
