package py

import (
	"encoding/binary"
	"hash"
	"math/bits"
)

// blake2b is BLAKE2b as RFC 7693 describes it, for digest sizes 1 to 64 and keys.
type blake2b struct {
	h    [8]uint64
	buf  [128]byte
	n    int    // bytes in buf
	t    uint64 // bytes compressed
	size int
	key  []byte
}

var blakeIV = [8]uint64{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}

var blakeSigma = [10][16]byte{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

func newBlake2b(size int, key []byte) hash.Hash {
	b := &blake2b{size: size, key: key}
	b.Reset()
	return b
}

func (b *blake2b) Reset() {
	b.h = blakeIV
	b.h[0] ^= 0x01010000 ^ uint64(len(b.key))<<8 ^ uint64(b.size)
	b.n, b.t, b.buf = 0, 0, [128]byte{}
	if len(b.key) > 0 {
		copy(b.buf[:], b.key)
		b.n = 128
	}
}

func (b *blake2b) Size() int      { return b.size }
func (b *blake2b) BlockSize() int { return 128 }

func (b *blake2b) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if b.n == 128 {
			b.t += 128
			b.compress(false)
			b.n = 0
		}
		k := copy(b.buf[b.n:], p)
		b.n += k
		p = p[k:]
	}
	return n, nil
}

func (b *blake2b) Sum(out []byte) []byte {
	c := *b
	c.t += uint64(c.n)
	clear(c.buf[c.n:])
	c.compress(true)
	var all [64]byte
	for i, w := range c.h {
		binary.LittleEndian.PutUint64(all[8*i:], w)
	}
	return append(out, all[:c.size]...)
}

func (b *blake2b) compress(last bool) {
	var v, m [16]uint64
	copy(v[:8], b.h[:])
	copy(v[8:], blakeIV[:])
	v[12] ^= b.t
	if last {
		v[14] = ^v[14]
	}
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(b.buf[8*i:])
	}
	mix := func(i, j, k, l int, x, y uint64) {
		v[i] += v[j] + x
		v[l] = bits.RotateLeft64(v[l]^v[i], -32)
		v[k] += v[l]
		v[j] = bits.RotateLeft64(v[j]^v[k], -24)
		v[i] += v[j] + y
		v[l] = bits.RotateLeft64(v[l]^v[i], -16)
		v[k] += v[l]
		v[j] = bits.RotateLeft64(v[j]^v[k], -63)
	}
	for r := range 12 {
		s := &blakeSigma[r%10]
		for c := range 4 {
			mix(c, c+4, c+8, c+12, m[s[2*c]], m[s[2*c+1]])
		}
		for c := range 4 {
			mix(c, (c+1)%4+4, (c+2)%4+8, (c+3)%4+12, m[s[8+2*c]], m[s[9+2*c]])
		}
	}
	for i := range b.h {
		b.h[i] ^= v[i] ^ v[i+8]
	}
}
