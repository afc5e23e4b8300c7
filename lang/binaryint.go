package lang

import (
	"math"
	"math/big"
	"math/bits"
)

func intBinary(th *Thread, op BinaryOp, a, b int64) (Value, error) {
	switch op {
	case OpAdd:
		if r := a + b; (r^a)&(r^b) >= 0 {
			return Int(r), nil
		}
	case OpSub:
		if r := a - b; (a^b)&(r^a) >= 0 {
			return Int(r), nil
		}
	case OpMul:
		hi, lo := bits.Mul64(uint64(abs64(a)), uint64(abs64(b)))
		if hi == 0 && lo < 1<<63 {
			return Int(a * b), nil
		}
	case OpFloorDiv, OpMod, OpDivmod:
		if b != 0 && !(a == math.MinInt64 && b == -1) {
			q, m := floorDivMod(a, b)
			return divResult(op, Int(q), Int(m)), nil
		}
	case OpDiv:
		if b != 0 && abs64(a) <= 1<<53 && abs64(b) <= 1<<53 {
			return Float(float64(a) / float64(b)), nil
		}
	case OpAnd:
		return Int(a & b), nil
	case OpOr:
		return Int(a | b), nil
	case OpXor:
		return Int(a ^ b), nil
	case OpRShift:
		if b >= 0 {
			return Int(a >> min(uint64(b), 63)), nil
		}
	case OpLShift:
		if b >= 0 && b < 63 && (a<<b)>>b == a {
			return Int(a << b), nil
		}
	case OpPow:
		if b >= 0 {
			if r, ok := smallPow(a, b); ok {
				return Int(r), nil
			}
		}
	}
	return bigBinary(th, op, big.NewInt(a), big.NewInt(b))
}

func abs64(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}

func floorDivMod(a, b int64) (q, m int64) {
	q, m = a/b, a%b
	if m != 0 && (m < 0) != (b < 0) {
		q--
		m += b
	}
	return q, m
}

func divResult(op BinaryOp, q, m Value) Value {
	switch op {
	case OpFloorDiv:
		return q
	case OpMod:
		return m
	}
	return NewTuple(q, m)
}

func smallPow(a, n int64) (int64, bool) {
	r := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			hi, lo := bits.Mul64(uint64(abs64(r)), uint64(abs64(a)))
			if hi != 0 || lo >= 1<<63 {
				return 0, false
			}
			r *= a
		}
		if n > 1 {
			if a <= -1<<31 || a >= 1<<31 {
				return 0, false
			}
			a *= a
		}
	}
	return r, true
}

func numbersBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	a, b = number(a), number(b)
	if a.IsUnbound() || b.IsUnbound() {
		return NotImplemented, nil
	}
	if a.IsFloat() || b.IsFloat() {
		x, err := FloatOf(th, a)
		if err != nil {
			return Unbound, err
		}
		y, err := FloatOf(th, b)
		if err != nil {
			return Unbound, err
		}
		return floatBinary(th, op, x, y)
	}
	if a.P == nil && b.P == nil {
		return intBinary(th, op, a.Int64(), b.Int64())
	}
	return bigBinary(th, op, th.bigOf(a, 0), th.bigOf(b, 1))
}

// bigOf is the int v as a big one; a small one in the thread's own operand i.
func (th *Thread) bigOf(v Value, i int) *big.Int {
	if v.P == nil {
		return th.operand[i].SetInt64(v.Int64())
	}
	return (*Big)(v.P).V
}

// boolBinary keeps & | ^ of two bools a bool.
func boolBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if a.IsBool() && b.IsBool() {
		switch op {
		case OpAnd:
			return Bool(a.N&b.N != 0), nil
		case OpOr:
			return Bool(a.N|b.N != 0), nil
		case OpXor:
			return Bool(a.N != b.N), nil
		}
	}
	return numbersBinary(th, op, a, b, dying)
}

// maxBits bounds the size of ints: beyond it a result is a MemoryError instead of minutes of work.
const maxBits = 1 << 33

func bigBinary(th *Thread, op BinaryOp, x, y *big.Int) (Value, error) {
	switch op {
	case OpAdd:
		r := newBig()
		r.v.Add(x, y)
		return r.value(), nil
	case OpSub:
		r := newBig()
		r.v.Sub(x, y)
		return r.value(), nil
	case OpMul:
		if x.BitLen()+y.BitLen() > maxBits {
			return Unbound, NewException(MemoryError)
		}
		r := newBig()
		if err := th.multiply(&r.v, x, y); err != nil {
			return Unbound, err
		}
		return r.value(), nil
	case OpFloorDiv, OpMod, OpDivmod:
		if y.Sign() == 0 {
			return Unbound, th.Raise(ZeroDivisionError, "%s", zeroText[op])
		}
		q, m := newBig(), newBig()
		q.v.QuoRem(x, y, &m.v)
		if m.v.Sign() != 0 && m.v.Sign() != y.Sign() {
			q.v.Sub(&q.v, big.NewInt(1))
			m.v.Add(&m.v, y)
		}
		return divResult(op, q.value(), m.value()), nil
	case OpDiv:
		return bigDivide(th, x, y)
	case OpPow:
		return bigPow(th, x, y)
	case OpAnd:
		return BigInt(new(big.Int).And(x, y)), nil
	case OpOr:
		return BigInt(new(big.Int).Or(x, y)), nil
	case OpXor:
		return BigInt(new(big.Int).Xor(x, y)), nil
	case OpLShift, OpRShift:
		return bigShift(th, op, x, y)
	}
	return NotImplemented, nil
}

var zeroText = map[BinaryOp]string{OpFloorDiv: "integer division or modulo by zero", OpMod: "integer modulo by zero", OpDivmod: "integer division or modulo by zero"}

// bigDivide is true division, rounded once.
func bigDivide(th *Thread, x, y *big.Int) (Value, error) {
	if y.Sign() == 0 {
		return Unbound, th.Raise(ZeroDivisionError, "division by zero")
	}
	if x.Sign() == 0 {
		return Float(math.Copysign(0, float64(y.Sign()))), nil
	}
	f, _ := new(big.Rat).SetFrac(x, y).Float64()
	if math.IsInf(f, 0) {
		return Unbound, th.Raise(OverflowError, "integer division result too large for a float")
	}
	return Float(f), nil
}

func bigPow(th *Thread, x, y *big.Int) (Value, error) {
	if y.Sign() < 0 {
		a, err := bigToFloat(th, x)
		if err != nil {
			return Unbound, err
		}
		b, err := bigToFloat(th, y)
		if err != nil {
			return Unbound, err
		}
		return floatPow(th, a, b)
	}
	if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > maxBits/int64(x.BitLen())) {
		return Unbound, NewException(MemoryError)
	}
	if x.BitLen() <= 1 && !y.IsInt64() { // 0, 1, -1
		y = big.NewInt(2 - int64(y.Bit(0)))
	}
	r, err := th.Power(x, y)
	if err != nil {
		return Unbound, err
	}
	return BigInt(r), nil
}

func bigShift(th *Thread, op BinaryOp, x, y *big.Int) (Value, error) {
	if y.Sign() < 0 {
		return Unbound, th.ValueErrorf("negative shift count")
	}
	if op == OpRShift {
		if !y.IsInt64() || y.Int64() > int64(x.BitLen()) {
			return Int(int64(min(x.Sign(), 0))), nil
		}
		return BigInt(new(big.Int).Rsh(x, uint(y.Int64()))), nil
	}
	if x.Sign() == 0 {
		return Int(0), nil
	}
	if !y.IsInt64() {
		return Unbound, th.Raise(OverflowError, "too many digits in integer")
	}
	if y.Int64() > maxBits {
		return Unbound, NewException(MemoryError)
	}
	return BigInt(new(big.Int).Lsh(x, uint(y.Int64()))), nil
}
