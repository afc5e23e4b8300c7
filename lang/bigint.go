package lang

import (
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// bigBox is a Big together with its number: one object instead of two.
type bigBox struct {
	Big
	v big.Int
}

func newBig() *bigBox {
	o := &bigBox{Big: Big{Header: head(IntClass, value.KindBig)}}
	o.V = &o.v
	return o
}

type (
	bigBox4 struct {
		bigBox
		words [4]big.Word
	}
	bigBox10 struct {
		bigBox
		words [10]big.Word
	}
	bigBox28 struct {
		bigBox
		words [28]big.Word
	}
)

// bigOfWords makes an int with room for n words, that the caller sets; a short one
// holds them itself.
func bigOfWords(n int) (*bigBox, []big.Word) {
	var o *bigBox
	var w []big.Word
	switch {
	case n <= 4:
		b := &bigBox4{}
		o, w = &b.bigBox, b.words[:n]
	case n <= 10:
		b := &bigBox10{}
		o, w = &b.bigBox, b.words[:n]
	case n <= 28:
		b := &bigBox28{}
		o, w = &b.bigBox, b.words[:n]
	default:
		o, w = &bigBox{}, make([]big.Word, n)
	}
	o.Header = head(IntClass, value.KindBig)
	o.V = &o.v
	return o, w
}

// value is the int, an immediate when it is small.
func (o *bigBox) value() Value {
	if o.v.IsInt64() {
		return Int(o.v.Int64())
	}
	return obj(unsafe.Pointer(o))
}

// bigSmall is x op y for the operations with a short second operand that need no
// general division or product; ok is false for others.
func bigSmall(op BinaryOp, x *big.Int, y int64) (v Value, ok bool) {
	if y == 0 || bits.UintSize != 64 {
		return Unbound, false
	}
	u := uint64(y)
	if y < 0 {
		u = -u
	}
	switch op {
	case OpMul:
		return bigTimes(x, u, (x.Sign() < 0) != (y < 0)), true
	case OpMod:
		m := uint64(0)
		w := x.Bits()
		for i := len(w) - 1; i >= 0; i-- {
			_, m = bits.Div64(m, uint64(w[i]), u)
		}
		if m != 0 && (x.Sign() < 0) != (y < 0) {
			m = u - m
		}
		if m > 1<<63-1 {
			return Unbound, false
		}
		if y < 0 {
			return Int(-int64(m)), true
		}
		return Int(int64(m)), true
	}
	return Unbound, false
}

// bigTimes is ±|x|*u.
func bigTimes(x *big.Int, u uint64, negative bool) Value {
	w := x.Bits()
	o, out := bigOfWords(len(w) + 1)
	carry := uint64(0)
	for i, d := range w {
		hi, lo := bits.Mul64(uint64(d), u)
		lo, c := bits.Add64(lo, carry, 0)
		out[i], carry = big.Word(lo), hi+c
	}
	out[len(w)] = big.Word(carry)
	o.v.SetBits(out)
	if negative {
		o.v.Neg(&o.v)
	}
	return o.value()
}
