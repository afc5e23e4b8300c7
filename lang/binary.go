package lang

import (
	"math"
	"math/big"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// The binary and unary operators, named for Go code.
const (
	OpAdd      = code.OpAdd
	OpSub      = code.OpSub
	OpMul      = code.OpMul
	OpDiv      = code.OpDiv
	OpFloorDiv = code.OpFloorDiv
	OpMod      = code.OpMod
	OpPow      = code.OpPow
	OpMatMul   = code.OpMatMul
	OpLShift   = code.OpLShift
	OpRShift   = code.OpRShift
	OpAnd      = code.OpAnd
	OpOr       = code.OpOr
	OpXor      = code.OpXor
	OpDivmod   = code.OpDivmod

	OpNeg    = code.OpNeg
	OpPos    = code.OpPos
	OpInvert = code.OpInvert
	OpNot    = code.OpNot
	OpAbs    = code.OpAbs
)

var binaryText = [...]string{"+", "-", "*", "/", "//", "%", "** or pow()", "@", "<<", ">>", "&", "|", "^", "divmod()"}
var binaryName = [...]string{"add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and", "or", "xor", "divmod"}
var unaryName = [...]string{"__neg__", "__pos__", "__invert__", "", "__abs__"}

// BinaryOperation is a op b with all of Python's rules.
func BinaryOperation(th *Thread, op BinaryOp, a, b Value) (Value, error) {
	return th.binary(op, a, b, 0)
}

// InPlaceOperation is what `a op= b` assigns to a.
func InPlaceOperation(th *Thread, op BinaryOp, a, b Value) (Value, error) {
	return th.inPlace(op, a, b, 0)
}

func (th *Thread) inPlace(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if ip := ClassOf(a).InPlace; ip != nil {
		r, err := ip(th, op, a, b, dying)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	r, err := th.tryBinary(op, a, b, dying)
	if err == nil && r.IsNotImplemented() {
		err = binaryError(th, op, a, b, true)
	}
	return r, err
}

func (th *Thread) binary(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	r, err := th.tryBinary(op, a, b, dying)
	if err == nil && r.IsNotImplemented() {
		err = binaryError(th, op, a, b, false)
	}
	return r, err
}

// tryBinary asks the classes of both operands, the right one first when it is a
// subclass of the left one's.
func (th *Thread) tryBinary(op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if a.P == nil && b.P == nil {
		return intBinary(th, op, a.Int64(), b.Int64())
	}
	ca, cb := ClassOf(a), ClassOf(b)
	if ca.Flags&classDunderBinary|cb.Flags&classDunderBinary != 0 {
		return th.dunderBinary(op, a, b, dying)
	}
	first, second := ca.Binary, cb.Binary
	if ca == cb {
		second = nil
	} else if cb.IsSub(ca) {
		first, second = second, first
	}
	if first != nil {
		r, err := first(th, op, a, b, dying)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if second != nil {
		return second(th, op, a, b, dying)
	}
	return NotImplemented, nil
}

func binaryError(th *Thread, op BinaryOp, a, b Value, inPlace bool) error {
	text := binaryText[op]
	if inPlace {
		text = strings.TrimSuffix(text, " or pow()") + "="
	}
	if op == OpAdd || op == OpMul {
		if err := sequenceError(th, op, a, b); err != nil {
			return err
		}
	}
	if op == OpRShift && !inPlace && ClassOf(a) == NativeClass {
		if f := (*NativeFunc)(a.P); f.Name.s == "print" {
			return th.TypeErrorf(`unsupported operand type(s) for >>: '%s' and '%s'. Did you mean "print(<message>, file=<output_stream>)"?`, TypeName(a), TypeName(b))
		}
	}
	return th.TypeErrorf("unsupported operand type(s) for %s: '%s' and '%s'", text, TypeName(a), TypeName(b))
}

// sequenceError words what + and * say of sequences.
func sequenceError(th *Thread, op BinaryOp, a, b Value) error {
	if op == OpMul {
		if isSequence(a) && !HasIndex(b) {
			return th.TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(b))
		}
		if isSequence(b) && !HasIndex(a) {
			return th.TypeErrorf("can't multiply sequence by non-int of type '%s'", TypeName(a))
		}
		return nil
	}
	if _, ok := AsStr(a); ok {
		return th.TypeErrorf(`can only concatenate str (not "%s") to str`, TypeName(b))
	}
	if _, ok := AsList(a); ok {
		return th.TypeErrorf(`can only concatenate list (not "%s") to list`, TypeName(b))
	}
	if _, ok := AsTuple(a); ok {
		return th.TypeErrorf(`can only concatenate tuple (not "%s") to tuple`, TypeName(b))
	}
	if _, ok := AsBytes(a); ok {
		return th.TypeErrorf("can't concat %s to bytes", TypeName(b))
	}
	if _, ok := AsByteArray(a); ok {
		return th.TypeErrorf("can't concat %s to bytearray", TypeName(b))
	}
	return nil
}

func isSequence(v Value) bool {
	switch payload(v).Kind() {
	case value.KindStr, value.KindList, value.KindTuple, value.KindBytes, value.KindByteArray:
		return true
	}
	return false
}

// ---- ints ----

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

// ---- floats ----

func floatBinary(th *Thread, op BinaryOp, x, y float64) (Value, error) {
	switch op {
	case OpAdd:
		return Float(x + y), nil
	case OpSub:
		return Float(x - y), nil
	case OpMul:
		return Float(x * y), nil
	case OpDiv:
		if y == 0 {
			return Unbound, th.Raise(ZeroDivisionError, "float division by zero")
		}
		return Float(x / y), nil
	case OpFloorDiv, OpMod, OpDivmod:
		if y == 0 {
			text := "float floor division by zero"
			if op == OpMod {
				text = "float modulo"
			} else if op == OpDivmod {
				text = "float divmod()"
			}
			return Unbound, th.Raise(ZeroDivisionError, "%s", text)
		}
		q, m := floatDivMod(x, y)
		return divResult(op, Float(q), Float(m)), nil
	case OpPow:
		return floatPow(th, x, y)
	}
	return NotImplemented, nil
}

func floatDivMod(x, y float64) (q, m float64) {
	m = math.Mod(x, y)
	q = (x - m) / y
	if m != 0 {
		if (y < 0) != (m < 0) {
			m += y
			q--
		}
	} else {
		m = math.Copysign(0, y)
	}
	if q != 0 {
		f := math.Floor(q)
		if q-f > 0.5 {
			f++
		}
		return f, m
	}
	return math.Copysign(0, x/y), m
}

func floatPow(th *Thread, x, y float64) (Value, error) {
	if x == 0 && y < 0 && !math.IsInf(y, -1) {
		return Unbound, th.Raise(ZeroDivisionError, "0.0 cannot be raised to a negative power")
	}
	if x < 0 && y != math.Floor(y) && !math.IsInf(x, 0) && !math.IsInf(y, 0) && !math.IsNaN(y) {
		return complexPow(th, complex(x, 0), complex(y, 0))
	}
	r := Pow(x, y)
	if math.IsInf(r, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0) {
		return Unbound, th.RaiseArgs(OverflowError, Int(34), NewStr("Numerical result out of range"))
	}
	return Float(r), nil
}

func complexBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, err, ok := toComplex(th, a)
	if !ok || err != nil {
		return NotImplemented, err
	}
	y, err, ok := toComplex(th, b)
	if !ok || err != nil {
		return NotImplemented, err
	}
	switch op {
	case OpAdd:
		return NewComplex(x + y), nil
	case OpSub:
		return NewComplex(x - y), nil
	case OpMul:
		return NewComplex(mulComplex(x, y)), nil
	case OpDiv:
		if y == 0 {
			return Unbound, th.Raise(ZeroDivisionError, "complex division by zero")
		}
		return NewComplex(divComplex(x, y)), nil
	case OpPow:
		return complexPow(th, x, y)
	case OpFloorDiv:
		return NotImplemented, nil
	}
	return NotImplemented, nil
}

func toComplex(th *Thread, v Value) (complex128, error, bool) {
	if c, ok := AsComplex(v); ok {
		return c, nil, true
	}
	n := number(v)
	if n.IsUnbound() {
		return 0, nil, false
	}
	f, err := FloatOf(th, n)
	return complex(f, 0), err, true
}

func mulComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// divComplex is Smith's algorithm, as CPython divides.
func divComplex(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	switch {
	case math.Abs(c) >= math.Abs(d):
		r := d / c
		n := c + float64(d*r)
		return complex((a+float64(b*r))/n, (b-float64(a*r))/n)
	case math.Abs(d) >= math.Abs(c):
		r := c / d
		n := float64(c*r) + d
		return complex((float64(a*r)+b)/n, (float64(b*r)-a)/n)
	}
	return complex(math.NaN(), math.NaN())
}

func complexPow(th *Thread, x, y complex128) (Value, error) {
	p, ok := complexPower(x, y)
	switch {
	case !ok:
		return Unbound, th.Raise(ZeroDivisionError, "0.0 to a negative or complex power")
	case math.IsInf(real(p), 0) || math.IsInf(imag(p), 0):
		return Unbound, th.Raise(OverflowError, "complex exponentiation")
	}
	return NewComplex(p), nil
}

// complexPower is x**y; ok is false for a division by zero.
func complexPower(x, y complex128) (p complex128, ok bool) {
	if n := real(y); imag(y) == 0 && n == math.Floor(n) && math.Abs(n) <= 100 {
		p = complexPowInt(x, int(math.Abs(n)))
		if n > 0 {
			return p, true
		}
		return divComplex(1, p), p != 0
	}
	if x == 0 {
		return 0, imag(y) == 0 && real(y) >= 0
	}
	e := &Elementary
	vabs := hypot(real(x), imag(x))
	length := Pow(vabs, real(y))
	at := e.Atan2(imag(x), real(x))
	phase := at * real(y)
	if imag(y) != 0 {
		length *= e.Exp(-at * imag(y))
		phase += imag(y) * e.Log(vabs)
	}
	return complex(length*e.Cos(phase), length*e.Sin(phase)), true
}

func complexPowInt(x complex128, n int) complex128 {
	r, p := complex128(1), x
	for mask := 1; mask > 0 && n >= mask; mask <<= 1 {
		if n&mask != 0 {
			r = mulComplex(r, p)
		}
		p = mulComplex(p, p)
	}
	return r
}

// ---- sequences ----

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

// UnaryOperation is -v, +v, ~v, not v or abs(v).
func UnaryOperation(th *Thread, op UnaryOp, v Value) (Value, error) {
	if op == OpNot {
		t, err := Truth(th, v)
		return Bool(!t), err
	}
	c := ClassOf(v)
	if c.Unary != nil {
		r, err := c.Unary(th, op, v)
		if err != nil || !r.IsNotImplemented() {
			return r, err
		}
	}
	if op == OpAbs {
		return Unbound, th.TypeErrorf("bad operand type for abs(): '%s'", c.Name)
	}
	return Unbound, th.TypeErrorf("bad operand type for unary %s: '%s'", [...]string{"-", "+", "~"}[op], c.Name)
}

func numberUnary(th *Thread, op UnaryOp, v Value) (Value, error) {
	v = number(v)
	if v.IsFloat() {
		return floatUnary(op, v.Float64()), nil
	}
	if v.P == nil && v.Int64() != math.MinInt64 {
		i := v.Int64()
		switch op {
		case OpNeg:
			return Int(-i), nil
		case OpInvert:
			return Int(^i), nil
		case OpAbs:
			return Int(abs64(i)), nil
		}
		return v, nil
	}
	b, _ := AsBig(v)
	switch op {
	case OpNeg:
		return BigInt(new(big.Int).Neg(b)), nil
	case OpInvert:
		return BigInt(new(big.Int).Not(b)), nil
	case OpAbs:
		return BigInt(new(big.Int).Abs(b)), nil
	}
	return v, nil
}

func floatUnary(op UnaryOp, f float64) Value {
	switch op {
	case OpNeg:
		return Float(-f)
	case OpPos:
		return Float(f)
	case OpAbs:
		return Float(math.Abs(f))
	}
	return NotImplemented
}

func complexUnary(th *Thread, op UnaryOp, v Value) (Value, error) {
	c, _ := AsComplex(v)
	switch op {
	case OpNeg:
		return NewComplex(-c), nil
	case OpPos:
		return NewComplex(c), nil
	case OpAbs:
		h := hypot(real(c), imag(c))
		if math.IsInf(h, 0) && !math.IsInf(real(c), 0) && !math.IsInf(imag(c), 0) {
			return Unbound, th.Raise(OverflowError, "absolute value too large")
		}
		return Float(h), nil
	}
	return NotImplemented, nil
}

func containsText(s, t string) bool { return strings.Contains(s, t) }

// Pow is C's pow: math.Pow differs from it by an ulp for some arguments, so integer
// powers of exact results go through exact arithmetic where that is short.
func Pow(x, y float64) float64 {
	if y == 2 {
		return x * x
	}
	if y == 0.5 && !math.IsInf(x, 0) && x > 0 {
		return math.Sqrt(x)
	}
	return powExact(x, y)
}

// powHalves is x**(n+½), rounded once: the square root as a sum of two floats, then
// n products of such sums.
func powHalves(x float64, n int) float64 {
	r := math.Sqrt(x)
	p := pair{r, math.FMA(-r, r, x) / (2 * r)}
	for range n {
		p = p.times(x)
	}
	return p.hi + p.lo
}

// pair is the unevaluated sum of two floats, the second within half an ulp of the first.
type pair struct{ hi, lo float64 }

func (p pair) times(x float64) pair {
	h := p.hi * x
	l := math.FMA(p.hi, x, -h) + p.lo*x
	s := h + l
	return pair{s, l - (s - h)}
}

func powExact(x, y float64) float64 {
	if n := 2 * y; n == math.Trunc(n) && y != math.Trunc(y) && y > 0 && y < 4 && x > 1e-60 && x < 1e60 {
		return powHalves(x, int(y))
	}
	if y != math.Trunc(y) || math.Abs(y) > 64 || math.IsInf(x, 0) || math.IsNaN(x) || x == 0 {
		return accuratePow(x, y)
	}
	p := new(big.Float).SetPrec(53 * 3).SetInt64(1)
	b := new(big.Float).SetPrec(53 * 3).SetFloat64(x)
	for n := int(math.Abs(y)); n > 0; n >>= 1 {
		if n&1 != 0 {
			p.Mul(p, b)
		}
		b.Mul(b, b)
	}
	if y < 0 {
		p.Quo(big.NewFloat(1).SetPrec(53*3), p)
	}
	f, _ := p.Float64()
	return f
}
