package builtin

import (
	"math/big"
	"math/bits"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

var intRows = []lang.Def{
	{Sig: "bit_length(self, /)", Fn: intBitLength, Doc: "Return how many bits the absolute value needs."},
	{Sig: "bit_count(self, /)", Fn: intBitCount, Doc: "Return how many bits of the absolute value are ones."},
	{Sig: "conjugate(self, /)", Fn: intSelf, Doc: "Return the int itself."},
	{Sig: "as_integer_ratio(self, /)", Fn: intRatio, Doc: "Return the pair (self, 1)."},
	{Sig: "to_bytes(self, /, length=1, byteorder='big', *, signed=False)", Fn: intToBytes, Doc: "Return the int as bytes."},
	{Sig: "from_bytes(cls, /, bytes, byteorder='big', *, signed=False)", Fn: intFromBytes, Doc: "Return the int that bytes stand for.", Flags: lang.DefClassMethod},
	{Sig: "__round__(self, ndigits=..., /)", Fn: intRound, Doc: "Round to ndigits places, half to even."},
	{Sig: "__trunc__(self, /)", Fn: intSelf},
	{Sig: "__floor__(self, /)", Fn: intSelf},
	{Sig: "__ceil__(self, /)", Fn: intSelf},
	{Sig: "__getnewargs__(self, /)", Fn: intNewArgs},
	{Sig: "__sizeof__(self, /)", Fn: intSizeof},
	{Sig: "real", Fn: intSelf, Flags: lang.DefProperty, Doc: "the real part of a complex number"},
	{Sig: "imag", Fn: intZero, Flags: lang.DefProperty, Doc: "the imaginary part of a complex number"},
	{Sig: "numerator", Fn: intSelf, Flags: lang.DefProperty, Doc: "the numerator of a rational number in lowest terms"},
	{Sig: "denominator", Fn: intOne, Flags: lang.DefProperty, Doc: "the denominator of a rational number in lowest terms"},
}

// exactInt is the int behind a value, without subclass and bool.
func exactInt(v Value) Value {
	if i, ok := lang.AsInt(v); ok {
		return lang.Int(i)
	}
	return lang.Payload(v)
}

func intSelf(th *Thread, a []Value) (Value, error) { return exactInt(a[0]), nil }
func intZero(th *Thread, a []Value) (Value, error) { return lang.Int(0), nil }
func intOne(th *Thread, a []Value) (Value, error)  { return lang.Int(1), nil }

func intBitLength(th *Thread, a []Value) (Value, error) {
	b, _ := lang.AsBig(a[0])
	return lang.Int(int64(b.BitLen())), nil
}

func intBitCount(th *Thread, a []Value) (Value, error) {
	b, _ := lang.AsBig(a[0])
	n := 0
	for _, w := range b.Bits() {
		n += bits.OnesCount(uint(w))
	}
	return lang.Int(int64(n)), nil
}

func intRatio(th *Thread, a []Value) (Value, error) {
	return lang.NewTuple(exactInt(a[0]), lang.Int(1)), nil
}

func intNewArgs(th *Thread, a []Value) (Value, error) { return lang.NewTuple(exactInt(a[0])), nil }

func intSizeof(th *Thread, a []Value) (Value, error) {
	b, _ := lang.AsBig(a[0])
	return lang.Int(int64(24 + 4*max(1, (b.BitLen()+29)/30))), nil
}

// littleOrder reads a byteorder argument.
func littleOrder(th *Thread, fn string, v Value) (bool, error) {
	s, ok := lang.AsStr(v)
	if !ok {
		return false, need(th, fn+"() argument 'byteorder'", "str", v)
	}
	switch s.String() {
	case "little":
		return true, nil
	case "big":
		return false, nil
	}
	return false, th.ValueErrorf("byteorder must be either 'little' or 'big'")
}

func intToBytes(th *Thread, a []Value) (Value, error) {
	n, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	little, err := littleOrder(th, "to_bytes", a[2])
	if err != nil {
		return fail(err)
	}
	signed, err := lang.Truth(th, a[3])
	if err != nil {
		return fail(err)
	}
	if n < 0 {
		return fail(th.ValueErrorf("length argument must be non-negative"))
	}
	if err := th.CheckSize(n, 1); err != nil {
		return fail(err)
	}
	v, _ := lang.AsBig(a[0])
	b, ferr := bytesOfInt(v, n, signed)
	if ferr != "" {
		return fail(th.Raise(lang.OverflowError, "%s", ferr))
	}
	if little {
		reverseBytes(b)
	}
	return lang.NewBytes(string(b)), nil
}

// bytesOfInt is v in n bytes, big end first; mistake says why it can't be.
func bytesOfInt(v *big.Int, n int, signed bool) (b []byte, mistake string) {
	if v.Sign() < 0 && !signed {
		return nil, "can't convert negative int to unsigned"
	}
	room := n * 8
	if signed {
		room--
	}
	size := v.BitLen()
	if v.Sign() < 0 { // -2**(room) just fits
		size = new(big.Int).Not(v).BitLen()
	}
	if size > room && !(n == 0 && v.Sign() == 0) {
		return nil, "int too big to convert"
	}
	if v.Sign() < 0 {
		v = new(big.Int).Add(v, new(big.Int).Lsh(big.NewInt(1), uint(n*8)))
	}
	return v.FillBytes(make([]byte, n)), ""
}

func reverseBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// bytesForInt is bytes(v), but no str or count.
func bytesForInt(th *Thread, v Value) (string, error) {
	if m := lang.ClassOf(v).Lookup("__bytes__"); !m.IsUnbound() && lang.ClassOf(v).IsScript() {
		return bytesDunder(th, v)
	}
	return bytesFromAny(th, "bytes", v)
}

func intFromBytes(th *Thread, a []Value) (Value, error) {
	s, err := bytesForInt(th, a[1])
	if err != nil {
		return fail(err)
	}
	little, err := littleOrder(th, "from_bytes", a[2])
	if err != nil {
		return fail(err)
	}
	signed, err := lang.Truth(th, a[3])
	if err != nil {
		return fail(err)
	}
	b := []byte(s)
	if little {
		reverseBytes(b)
	}
	v := new(big.Int).SetBytes(b)
	if signed && len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(len(b)*8)))
	}
	c, _ := lang.AsClass(a[0])
	if c == lang.IntClass {
		return lang.BigInt(v), nil
	}
	return th.Call(a[0], []Value{lang.BigInt(v)})
}

func intRound(th *Thread, a []Value) (Value, error) {
	if a[1].IsUnbound() || a[1].IsNone() {
		return exactInt(a[0]), nil
	}
	n, err := lang.Index(th, a[1])
	if err != nil {
		return fail(err)
	}
	places, ok := lang.AsInt(n)
	if !ok {
		if b, _ := lang.AsBig(n); b.Sign() > 0 {
			return exactInt(a[0]), nil
		}
		return lang.Int(0), nil
	}
	if places >= 0 {
		return exactInt(a[0]), nil
	}
	b, _ := lang.AsBig(a[0])
	if places < -(1 << 40) {
		return lang.Int(0), nil
	}
	return lang.BigInt(format.RoundInt(b, int(-places))), nil
}
