package random

import "math/bits"

// Philox is a Philox4x32-10 generator: a 128-bit counter and a 64-bit key. The zero
// value is ready for use.
type Philox struct {
	Lo, Hi uint64 // the counter
	Key    uint64
}

// Constants of the Philox round.
const (
	philoxM0 = 0xD2511F53
	philoxM1 = 0xCD9E8D57
	philoxW0 = 0x9E3779B9
	philoxW1 = 0xBB67AE85
)

// Block returns the next four words and moves the counter on by one.
func (p *Philox) Block() [4]uint32 {
	c := [4]uint32{uint32(p.Lo), uint32(p.Lo >> 32), uint32(p.Hi), uint32(p.Hi >> 32)}
	k0, k1 := uint32(p.Key), uint32(p.Key>>32)
	for range 10 {
		a, b := philoxM0*uint64(c[0]), philoxM1*uint64(c[2])
		c = [4]uint32{uint32(b>>32) ^ c[1] ^ k0, uint32(b), uint32(a>>32) ^ c[3] ^ k1, uint32(a)}
		k0 += philoxW0
		k1 += philoxW1
	}
	p.Skip(1)
	return c
}

// Skip moves the counter on by n blocks.
func (p *Philox) Skip(n uint64) {
	var carry uint64
	p.Lo, carry = bits.Add64(p.Lo, n, 0)
	p.Hi += carry
}

// At is p moved on by n blocks.
func (p Philox) At(n uint64) Philox {
	p.Skip(n)
	return p
}

// words reads a Philox word by word.
type words struct {
	p    Philox
	buf  [4]uint32
	used int
}

func newWords(p Philox) words { return words{p: p, used: 4} }

func (w *words) next() uint32 {
	if w.used == 4 {
		w.buf = w.p.Block()
		w.used = 0
	}
	w.used++
	return w.buf[w.used-1]
}

// doubles reads a Philox as float64 uniforms, of which each block gives two and the
// second comes first.
type doubles struct {
	p    *Philox
	left float64
	has  bool
}

func (d *doubles) next() float64 {
	if d.has {
		d.has = false
		return d.left
	}
	b := d.p.Block()
	d.left, d.has = unit64(b[0], b[1]), true
	return unit64(b[2], b[3])
}
