package lang

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Hashes are CPython's with PYTHONHASHSEED=0: numbers modulo 2^61-1, text by
// SipHash-1-3 with a zero key, tuples by xxHash's mix, frozensets by a sum of
// shuffled hashes.
const (
	hashBits    = 61
	hashModulus = 1<<hashBits - 1
	hashInf     = 314159
	hashImag    = 1000003
)

// Hash is hash(v).
func Hash(th *Thread, v Value) (int64, error) {
	switch v.Kind() {
	case value.KindInt, value.KindBool:
		return HashInt(int64(v.N)), nil
	case value.KindStr:
		return (*Str)(v.P).Hash(), nil
	case value.KindFloat:
		if f := v.Float64(); !math.IsNaN(f) {
			return HashFloat(f), nil
		}
		return int64(v.N % hashModulus), nil
	case value.KindNone:
		return 0xfca86420, nil
	case value.KindTuple:
		return (*Tuple)(v.P).hashOf(th)
	}
	c := ClassOf(v)
	if c.Flags&ClassUnhashable != 0 {
		return 0, th.TypeErrorf("unhashable type: '%s'", TypeName(v))
	}
	if c.Hash != nil {
		return c.Hash(th, v)
	}
	return HashIdentity(v), nil
}

// HashIdentity is the hash of an object by its address.
func HashIdentity(v Value) int64 {
	if v.P == nil {
		return int64(v.N)
	}
	return int64(bits.RotateLeft64(uint64(uintptr(v.P)), -4))
}

func notMinusOne(h int64) int64 {
	if h == -1 {
		return -2
	}
	return h
}

// HashInt is the hash of an int.
func HashInt(i int64) int64 {
	if i > -hashModulus && i < hashModulus {
		return notMinusOne(i)
	}
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	h := int64(u % hashModulus)
	if i < 0 {
		h = -h
	}
	return notMinusOne(h)
}

// HashBig is the hash of an int of any size.
func HashBig(b *big.Int) int64 {
	m := new(big.Int).Mod(new(big.Int).Abs(b), big.NewInt(hashModulus)).Int64()
	if b.Sign() < 0 {
		m = -m
	}
	return notMinusOne(m)
}

// HashFloat is the hash of a float; of a NaN it is by identity elsewhere.
func HashFloat(f float64) int64 {
	if math.IsInf(f, 1) {
		return hashInf
	}
	if math.IsInf(f, -1) {
		return -hashInf
	}
	if math.IsNaN(f) {
		return 0
	}
	m, e := math.Frexp(f)
	sign := int64(1)
	if m < 0 {
		sign, m = -1, -m
	}
	x := uint64(0)
	for m != 0 {
		x = x<<28&hashModulus | x>>(hashBits-28)
		m *= 1 << 28
		e -= 28
		y := uint64(m)
		m -= float64(y)
		x += y
		if x >= hashModulus {
			x -= hashModulus
		}
	}
	if e >= 0 {
		e %= hashBits
	} else {
		e = hashBits - 1 - (-1-e)%hashBits
	}
	x = x<<e&hashModulus | x>>(hashBits-e)
	return notMinusOne(int64(x) * sign)
}

// HashComplex is the hash of a complex number.
func HashComplex(c complex128) int64 {
	h := uint64(HashFloat(real(c))) + hashImag*uint64(HashFloat(imag(c)))
	return notMinusOne(int64(h))
}

// Hash is the hash of a str.
func (s *Str) Hash() int64 {
	if s.hash == 0 {
		s.hash = hashStr(s)
	}
	return s.hash
}

func hashStr(s *Str) int64 {
	if s.ext == nil {
		return HashBytes(s.s)
	}
	return HashBytes(units(s.s))
}

// units is the text in CPython's storage: 1, 2 or 4 bytes a code point.
func units(s string) string {
	runes := Runes(s)
	top := rune(0)
	for _, r := range runes {
		top = max(top, r)
	}
	b := make([]byte, 0, 4*len(runes))
	for _, r := range runes {
		switch {
		case top < 0x100:
			b = append(b, byte(r))
		case top < 0x10000:
			b = binary.LittleEndian.AppendUint16(b, uint16(r))
		default:
			b = binary.LittleEndian.AppendUint32(b, uint32(r))
		}
	}
	return string(b)
}

// HashBytes is the hash of bytes: SipHash-1-3 with a zero key.
func HashBytes(s string) int64 {
	if len(s) == 0 {
		return 0
	}
	v0, v1 := uint64(0x736f6d6570736575), uint64(0x646f72616e646f6d)
	v2, v3 := uint64(0x6c7967656e657261), uint64(0x7465646279746573)
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	last := uint64(len(s)) << 56
	for len(b) >= 8 {
		m := binary.LittleEndian.Uint64(b)
		v3 ^= m
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		v0 ^= m
		b = b[8:]
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	v3 ^= last
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0 ^= last
	v2 ^= 0xff
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	return notMinusOne(int64(v0 ^ v1 ^ v2 ^ v3))
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

func (t *Tuple) hashOf(th *Thread) (int64, error) {
	const p1, p2, p5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
	if t.hash != 0 {
		return t.hash, nil
	}
	acc := uint64(p5)
	fixed := true // no item's hash can change or run script code
	for _, it := range t.items {
		h, err := Hash(th, it.Value())
		if err != nil {
			return 0, err
		}
		switch k := it.Value().Kind(); k {
		case value.KindInt, value.KindFloat, value.KindBool, value.KindNone, value.KindStr:
		case value.KindTuple:
			fixed = fixed && (*Tuple)(it.Value().P).hash != 0
		default:
			fixed = false
		}
		acc += uint64(h) * p2
		acc = bits.RotateLeft64(acc, 31) * p1
	}
	acc += uint64(len(t.items)) ^ (p5 ^ 3527539)
	if acc == math.MaxUint64 {
		acc = 1546275796
	}
	if fixed {
		t.hash = int64(acc)
	}
	return int64(acc), nil
}

// HashTuple is the hash of a tuple of the given hashes, for structs that hash as one.
func HashTuple(hashes ...int64) int64 {
	t := newTuple(len(hashes))
	for i, h := range hashes {
		t.items[i] = Int(h).Held()
	}
	h, _ := t.hashOf(nil)
	return h
}

func (s *Set) hashOf() int64 {
	if s.hashed {
		return s.hash
	}
	h := uint64(0)
	for i := range s.table {
		if s.table[i].state == entryUsed {
			h ^= shuffle(uint64(s.table[i].hash))
		}
	}
	// CPython mixes empty (0) and dummy (-1) entries in and takes odd ones out again.
	h ^= (uint64(s.used) + 1) * 1927868237
	h ^= h>>11 ^ h>>25
	h = h*69069 + 907133923
	if h == math.MaxUint64 {
		h = 590923713
	}
	s.hash, s.hashed = int64(h), true
	return s.hash
}

func shuffle(h uint64) uint64 { return (h ^ 89869747 ^ h<<16) * 3644798167 }
