package tensor

import "math"

// Half is an IEEE binary16 number, BF16 a bfloat16 one, as stored.
type (
	Half uint16
	BF16 uint16
)

// Float32 widens exactly.
func (h Half) Float32() float32 {
	sign, exp, man := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	switch {
	case exp == 31:
		return math.Float32frombits(sign | 255<<23 | man<<13)
	case exp != 0:
		return math.Float32frombits(sign | (exp+112)<<23 | man<<13)
	}
	f := float32(man) * (1.0 / (1 << 24)) // subnormal: man units of 2^-24
	return math.Float32frombits(math.Float32bits(f) | sign)
}

// ToHalf rounds to nearest, ties to even.
func ToHalf(f float32) Half {
	b := math.Float32bits(f)
	sign, a := Half(b>>16&0x8000), b&0x7fffffff
	switch {
	case a > 0x7f800000:
		return sign | 0x7e00 | Half(a>>13&0x3ff)
	case a >= 0x477ff000: // rounds past 65504
		return sign | 0x7c00
	case a < 0x38800000: // below 2^-14: the unit is 2^-24
		g := math.Float32frombits(a) + 0.5 // 0.5's last bit is 2^-24
		return sign | Half(math.Float32bits(g)-math.Float32bits(0.5))
	}
	a += 0xfff + a>>13&1
	return sign | Half((a-112<<23)>>13)
}

// Float32 widens exactly.
func (h BF16) Float32() float32 { return math.Float32frombits(uint32(h) << 16) }

// ToBF16 rounds to nearest, ties to even.
func ToBF16(f float32) BF16 {
	b := math.Float32bits(f)
	if f != f {
		return BF16(b>>16) | 0x40
	}
	return BF16((b + 0x7fff + b>>16&1) >> 16)
}

// HalfOf rounds a float64 once, not by way of float32.
func HalfOf(x float64) Half { return ToHalf(roundToOdd(x)) }

// BF16Of rounds a float64 once, not by way of float32.
func BF16Of(x float64) BF16 { return ToBF16(roundToOdd(x)) }

// roundToOdd narrows x so that a second rounding to fewer bits can't go wrong.
func roundToOdd(x float64) float32 {
	f := float32(x)
	if float64(f) == x || x != x || math.IsInf(float64(f), 0) && math.Abs(x) > 3.5e38 {
		return f
	}
	b := math.Float32bits(f)
	if b&1 == 1 {
		return f
	}
	if math.Abs(float64(f)) < math.Abs(x) {
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}
