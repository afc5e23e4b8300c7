package random

import (
	"math"

	"github.com/tfs-lang/tfs/tensor/kernel"
)

// unit32 makes a float32 in [0, 1) of 23 bits.
func unit32(x uint32) float32 {
	return math.Float32frombits(0x3f800000|x&0x7fffff) - 1
}

// unit64 makes a float64 in [0, 1) of 52 bits; the first word is the high one.
func unit64(x0, x1 uint32) float64 {
	return math.Float64frombits(0x3ff<<52|uint64(x0&0xfffff)<<32|uint64(x1)) - 1
}

// normalTiny keeps the logarithm of a Box-Muller draw finite.
const normalTiny = 1e-7

// boxMuller64 makes two normals of four words.
func boxMuller64(b [4]uint32) (float64, float64) {
	u := max(unit64(b[0], b[1]), normalTiny)
	v := 2 * math.Pi * unit64(b[2], b[3])
	r := math.Sqrt(-2 * math.Log(u))
	s, c := math.Sincos(v)
	return s * r, c * r
}

// fill4 fills dst by blocks of four words; what is left of the last block is lost.
func fill4[T any](p Philox, dst []T, make4 func(b [4]uint32) [4]T) {
	for ; len(dst) >= 4; dst = dst[4:] {
		v := make4(p.Block())
		copy(dst[:4], v[:])
	}
	if len(dst) > 0 {
		v := make4(p.Block())
		copy(dst, v[:])
	}
}

func fill2[T any](p Philox, dst []T, make2 func(b [4]uint32) [2]T) {
	for ; len(dst) >= 2; dst = dst[2:] {
		v := make2(p.Block())
		dst[0], dst[1] = v[0], v[1]
	}
	if len(dst) > 0 {
		dst[0] = make2(p.Block())[0]
	}
}

// Uniform32 fills dst with uniforms in [0, 1).
func Uniform32(p Philox, dst []float32) {
	eachBatch(p, len(dst), func(at int, words []uint32) {
		d := dst[at:min(at+len(words), len(dst))]
		for i := uniformWordsAsm(d, words); i < len(d); i++ {
			d[i] = unit32(words[i])
		}
	})
}

// Uniform64 fills dst with uniforms in [0, 1).
func Uniform64(p Philox, dst []float64) {
	fill2(p, dst, func(b [4]uint32) [2]float64 {
		return [2]float64{unit64(b[0], b[1]), unit64(b[2], b[3])}
	})
}

// UniformHalf fills dst with uniforms in [0, 1) of 10 bits, or 7 for bfloat16.
func UniformHalf[H kernel.Half](p Philox, dst []H) {
	narrow4(p, dst, func(b [4]uint32) (v [4]float32) {
		_, short := any(dst).([]kernel.BFloat16)
		for i, x := range b {
			if short {
				v[i] = float32(x&0x7f) / 128
			} else {
				v[i] = float32(x&0x3ff) / 1024
			}
		}
		return v
	})
}

// narrow4 fills dst with float32 values rounded to halves.
func narrow4[H kernel.Half](p Philox, dst []H, make4 func(b [4]uint32) [4]float32) {
	fill4(p, dst, func(b [4]uint32) (h [4]H) {
		v := make4(b)
		kernel.Narrow(h[:], v[:])
		return h
	})
}

func normals32(b [4]uint32) (v [4]float32) {
	v[0], v[1] = normalPair(b[0], b[1])
	v[2], v[3] = normalPair(b[2], b[3])
	return v
}

// Normal32 fills dst with standard normals.
func Normal32(p Philox, dst []float32) {
	var buf [batch]float32
	eachBatch(p, len(dst), func(at int, words []uint32) {
		normalWords(buf[:], words)
		copy(dst[at:], buf[:len(words)])
	})
}

// Normal64 fills dst with standard normals.
func Normal64(p Philox, dst []float64) {
	fill2(p, dst, func(b [4]uint32) [2]float64 {
		s, c := boxMuller64(b)
		return [2]float64{s, c}
	})
}

// NormalHalf fills dst with standard normals, the float32 ones rounded.
func NormalHalf[H kernel.Half](p Philox, dst []H) { narrow4(p, dst, normals32) }

// truncation is where truncated normals are cut off.
const truncation = 2

// TruncatedNormal32 fills dst with normals within two deviations. Each group of four
// has 256 blocks of its own and drops what it doesn't need.
func TruncatedNormal32(p Philox, dst []float32) {
	for g := 0; g < len(dst); g += 4 {
		w := newWords(p.At(uint64(g) * 64))
		for got := 0; got < 4; {
			x0 := w.next()
			s, c := normalPair(x0, w.next())
			for _, v := range [2]float32{s, c} {
				if got < 4 && v > -truncation && v < truncation {
					if g+got < len(dst) {
						dst[g+got] = v
					}
					got++
				}
			}
		}
	}
}

// TruncatedNormal64 is TruncatedNormal32 with groups of two and 128 blocks.
func TruncatedNormal64(p Philox, dst []float64) {
	for g := 0; g < len(dst); g += 2 {
		q := p.At(uint64(g) * 64)
		for got := 0; got < 2; {
			s, c := boxMuller64(q.Block())
			for _, v := range [2]float64{s, c} {
				if got < 2 && v > -truncation && v < truncation {
					if g+got < len(dst) {
						dst[g+got] = v
					}
					got++
				}
			}
		}
	}
}

// TruncatedNormalHalf is TruncatedNormal32, rounded.
func TruncatedNormalHalf[H kernel.Half](p Philox, dst []H) {
	buf := make([]float32, len(dst))
	TruncatedNormal32(p, buf)
	kernel.Narrow(dst, buf)
}

// Bits32 fills dst with raw words.
func Bits32[T int32 | uint32](p Philox, dst []T) {
	eachBatch(p, len(dst), func(at int, words []uint32) {
		d := dst[at:min(at+len(words), len(dst))]
		for i := range d {
			d[i] = T(words[i])
		}
	})
}

// Bits64 fills dst with raw pairs of words, the first being the low one.
func Bits64[T int64 | uint64](p Philox, dst []T) {
	fill2(p, dst, func(b [4]uint32) [2]T {
		return [2]T{T(uint64(b[0]) | uint64(b[1])<<32), T(uint64(b[2]) | uint64(b[3])<<32)}
	})
}

// Int32 fills dst with integers in [lo, hi): a word modulo the range.
func Int32[T int32 | uint32](p Philox, dst []T, lo, hi T) {
	Bits32(p, dst)
	n := uint32(hi) - uint32(lo)
	for i, v := range dst {
		dst[i] = lo + T(uint32(v)%n)
	}
}

// Int64 is Int32 for 64 bits.
func Int64[T int64 | uint64](p Philox, dst []T, lo, hi T) {
	Bits64(p, dst)
	n := uint64(hi) - uint64(lo)
	for i, v := range dst {
		dst[i] = lo + T(uint64(v)%n)
	}
}

// Shuffle writes a random order of 0..len(perm)-1: Fisher-Yates from the front, one
// word a step.
func Shuffle[I int | int32 | int64](p Philox, perm []I) {
	for i := range perm {
		perm[i] = I(i)
	}
	w := newWords(p)
	for i := 0; i < len(perm)-1; i++ {
		j := i + int(w.next()%uint32(len(perm)-i))
		perm[i], perm[j] = perm[j], perm[i]
	}
}
