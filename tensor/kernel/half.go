package kernel

import "math"

// Float16 is an IEEE binary16 number as bits.
type Float16 uint16

// BFloat16 is the upper half of a float32 as bits.
type BFloat16 uint16

// Float32 widens h exactly.
func (h Float16) Float32() float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	man := uint32(h & 0x3ff)
	switch exp {
	case 0:
		// A subnormal half is man * 2^-24, which a float32 holds exactly.
		return math.Float32frombits(math.Float32bits(float32(man)*0x1p-24) | sign)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | man<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | man<<13)
}

// Float32 widens b exactly.
func (b BFloat16) Float32() float32 { return math.Float32frombits(uint32(b) << 16) }

// ToFloat16 rounds x to the nearest half, ties to even.
func ToFloat16(x float32) Float16 {
	u := math.Float32bits(x)
	sign := Float16(u>>16) & 0x8000
	u &= 0x7fffffff
	switch {
	case u > 0x7f800000:
		return sign | 0x7e00
	case u >= 0x477ff000: // 65520 and above
		return sign | 0x7c00
	case u < 0x38800000: // below the smallest normal half: round at 2^-24
		scaled := math.Float32frombits(u) + 0.5
		return sign | Float16(math.Float32bits(scaled)-0x3f000000)
	}
	u += 0xfff + u>>13&1
	return sign | Float16((u-0x38000000)>>13)
}

// ToBFloat16 rounds x to the nearest bfloat16, ties to even.
func ToBFloat16(x float32) BFloat16 {
	u := math.Float32bits(x)
	if u&0x7fffffff > 0x7f800000 {
		return BFloat16(u>>16) | 0x40
	}
	return BFloat16((u + 0x7fff + u>>16&1) >> 16)
}

// roundDouble rounds x to a float32 so that a second rounding to a half is the
// rounding of x itself: an inexact result is made odd.
func roundDouble(x float64) float32 {
	f := float32(x)
	if float64(f) == x || f != f {
		return f
	}
	u := math.Float32bits(f)
	if u&1 == 0 && u&0x7fffffff != 0x7f800000 {
		if math.Abs(float64(f)) < math.Abs(x) {
			u++
		} else {
			u--
		}
	}
	return math.Float32frombits(u)
}

// widen writes the float32 values of x to dst.
func widen[H Half](dst []float32, x []H) {
	switch x := any(x).(type) {
	case []Float16:
		for i, v := range x {
			dst[i] = v.Float32()
		}
	case []BFloat16:
		for i, v := range x {
			dst[i] = v.Float32()
		}
	}
}

// narrow rounds the float32 values of x into dst.
func narrow[H Half](dst []H, x []float32) {
	switch dst := any(dst).(type) {
	case []Float16:
		for i := range dst {
			dst[i] = ToFloat16(x[i])
		}
	case []BFloat16:
		for i := range dst {
			dst[i] = ToBFloat16(x[i])
		}
	}
}

// Widen converts halves to float32.
func Widen[H Half](dst []float32, x []H) { widen(dst, x) }

// Narrow rounds float32 values to halves.
func Narrow[H Half](dst []H, x []float32) { narrow(dst, x) }

// toHalf and ofHalf convert one value.
func toHalf[H Half](x float32) H {
	var h H
	switch p := any(&h).(type) {
	case *Float16:
		*p = ToFloat16(x)
	case *BFloat16:
		*p = ToBFloat16(x)
	}
	return h
}

func ofHalf[H Half](h H) float32 {
	if b, ok := any(h).(BFloat16); ok {
		return b.Float32()
	}
	return Float16(h).Float32()
}

// NarrowDouble rounds float64 values to halves, once.
func NarrowDouble[H Half](dst []H, x []float64) {
	for i := range dst {
		dst[i] = toHalf[H](roundDouble(x[i]))
	}
}
