package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// randomFamily belongs to tensor/kernel/random.
func randomFamily() {
	philox()
	boxMuller()
	uniform()
}

func quad(v uint64) reg.VecVirtual {
	g, z := GP64(), ZMM()
	MOVQ(U64(v), g)
	VPBROADCASTQ(g, z)
	return z
}

func double64(f float64) reg.VecVirtual { return quad(math.Float64bits(f)) }

// philoxGroups is how many groups of eight blocks go side by side.
const philoxGroups = 4

// philox computes n groups of 32 blocks from a counter whose low half doesn't
// overflow on the way. A lane of 64 bits holds a word in its low half; what is above
// doesn't matter until the end. Lanes 2i and 2i+1 are blocks i and 4+i, which makes
// the last step a plain interleaving.
func philox() {
	TEXT("philoxBlocks", NOSPLIT, "func(n int, dst *uint32, lo uint64, hi uint64, key uint64)")
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	lo, hi, key := Load(Param("lo"), GP64()), Load(Param("hi"), GP64()), Load(Param("key"), GP64())
	order := GLOBL("philoxOrder", RODATA|NOPTR)
	for i, b := range []uint64{0, 4, 1, 5, 2, 6, 3, 7} {
		DATA(8*i, U64(b))
	}
	counter, c2, c3, k0, k1 := ZMM(), ZMM(), ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(lo, counter)
	VPADDQ(order, counter, counter)
	VPBROADCASTQ(hi, c2)
	VPSRLQ(Imm(32), c2, c3)
	VPBROADCASTQ(key, k0)
	VPSRLQ(Imm(32), k0, k1)
	m0, m1 := quad(0xD2511F53), quad(0xCD9E8D57)
	w0, w1 := quad(0x9E3779B9), quad(0xBB67AE85)
	eight := quad(8)
	odd := K()
	mask := GP32()
	MOVL(U32(0xAAAA), mask)
	KMOVW(mask, odd)
	Label("loop")
	var c philoxState
	for g := range c {
		copy(c[g][:], zmms(4))
		VMOVDQA64(counter, c[g][0])
		VPSRLQ(Imm(32), counter, c[g][1])
		VMOVDQA64(c2, c[g][2])
		VMOVDQA64(c3, c[g][3])
		VPADDQ(eight, counter, counter)
	}
	r0, r1 := ZMM(), ZMM()
	VMOVDQA64(k0, r0)
	VMOVDQA64(k1, r1)
	c.rounds(m0, m1, w0, w1, r0, r1)
	c.store(dst, odd)
	ADDQ(U32(128*philoxGroups), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// philoxState is the four words of each group.
type philoxState [philoxGroups][4]reg.VecVirtual

// rounds runs the ten rounds with the multipliers, the Weyl constants and the key.
func (c *philoxState) rounds(m0, m1, w0, w1, r0, r1 reg.VecVirtual) {
	for round := 0; round < 10; round++ {
		for g := range c {
			a, b := ZMM(), ZMM()
			VPMULUDQ(c[g][0], m0, a)
			VPMULUDQ(c[g][2], m1, b)
			// c0 = hi(b)^c1^k0, c1 = lo(b), c2 = hi(a)^c3^k1, c3 = lo(a)
			VPSRLQ(Imm(32), b, c[g][0])
			VPTERNLOGQ(Imm(0x96), c[g][1], r0, c[g][0])
			VPSRLQ(Imm(32), a, c[g][2])
			VPTERNLOGQ(Imm(0x96), c[g][3], r1, c[g][2])
			c[g][1], c[g][3] = b, a
		}
		if round < 9 {
			VPADDD(w0, r0, r0)
			VPADDD(w1, r1, r1)
		}
	}
}

// store writes the blocks in order.
func (c *philoxState) store(dst reg.Register, odd reg.OpmaskVirtual) {
	for g := range c {
		for _, i := range []int{0, 2} {
			VPSLLQ(Imm(32), c[g][i+1], c[g][i+1])
			VPBLENDMD(c[g][i+1], c[g][i], odd, c[g][i])
		}
		x, y := ZMM(), ZMM()
		VPUNPCKLQDQ(c[g][2], c[g][0], x)
		VPUNPCKHQDQ(c[g][2], c[g][0], y)
		VMOVDQU64(x, Mem{Base: dst, Disp: 128 * g})
		VMOVDQU64(y, Mem{Base: dst, Disp: 128*g + 64})
	}
}

// boxMuller makes n groups of 16 normals of 16 words, step by step as the Go function
// normalPair.
func boxMuller() {
	TEXT("boxMullerWords", NOSPLIT, "func(n int, dst *float32, words *uint32)")
	n, dst, words := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("words"), GP64())
	fraction, scale := quad(0x7fffff), double64(0x1p-23)
	tiny := double64(float64(float32(1e-7)))
	turn, one, half := double64(2*math.Pi), double64(1), double64(0.5)
	Label("loop")
	u, v := ZMM(), ZMM()
	VMOVDQU64(Mem{Base: words}, u)
	VPSRLQ(Imm(32), u, v)
	for _, r := range []reg.VecVirtual{u, v} {
		VPANDQ(fraction, r, r)
		VCVTQQ2PD(r, r)
		VMULPD(scale, r, r)
	}
	VMAXPD(tiny, u, u)
	p := logUnit(u, one, half)
	r, minus := YMM(), YMM()
	VCVTPD2PS(p, r)
	VBROADCASTSS(constant(-2), minus)
	VMULPS(minus, r, r)
	VSQRTPS(r, r)
	y := YMM()
	VMULPD(turn, v, v)
	VCVTPD2PS(v, y)
	VCVTPS2PD(y, v)
	sin, cos := sinCos(v, one)
	storePairs(sin, cos, r, dst)
	ADDQ(Imm(64), words)
	ADDQ(Imm(64), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// poly64 evaluates a polynomial by Horner's rule.
func poly64(x reg.VecVirtual, c ...float64) reg.VecVirtual {
	p := ZMM()
	VBROADCASTSD(double8(c[0]), p)
	for _, f := range c[1:] {
		VFMADD213PD_BCST(double8(f), x, p)
	}
	return p
}

// logUnit repeats the Go function of that name.
func logUnit(u, one, half reg.VecVirtual) reg.VecVirtual {
	e, m, s, d := ZMM(), ZMM(), ZMM(), ZMM()
	big := K()
	VGETEXPPD(u, e)
	VGETMANTPD(Imm(0), u, m)
	VCMPPD_BCST(Imm(0x1e), double8(math.Sqrt2), m, big)
	VMULPD(half, m, big, m)
	VADDPD(one, e, big, e)
	VSUBPD(one, m, s)
	VADDPD(one, m, d)
	VDIVPD(d, s, s)
	VMULPD(s, s, d)
	p := poly64(d, 1./17, 1./15, 1./13, 1./11, 1./9, 1./7, 1./5, 1./3, 1)
	VADDPD(s, s, s)
	VMULPD(s, p, p)
	VFMADD231PD_BCST(double8(math.Ln2), e, p)
	return p
}

// sinCos repeats the Go function of that name. It uses up v.
func sinCos(v, one reg.VecVirtual) (sin, cos reg.VecVirtual) {
	q, z := ZMM(), ZMM()
	VMULPD_BCST(double8(2/math.Pi), v, q)
	VRNDSCALEPD(Imm(8), q, q)
	VFNMADD231PD_BCST(double8(halfPiHi), q, v)
	VFNMADD231PD_BCST(double8(halfPiLo), q, v)
	VMULPD(v, v, z)
	sin = poly64(z, 1./6227020800, -1./39916800, 1./362880, -1./5040, 1./120, -1./6)
	cos = poly64(z, 1./479001600, -1./3628800, 1./40320, -1./720, 1./24, -1./2)
	VMULPD(z, sin, sin)
	VFMADD213PD(v, v, sin)
	VFMADD213PD(one, z, cos)
	turns, odd, w := ZMM(), K(), ZMM()
	VCVTPD2QQ(q, turns)
	VPTESTMQ_BCST(quad8(1), turns, odd)
	VMOVAPD(sin, w)
	VMOVAPD(cos, odd, sin)
	VMOVAPD(w, odd, cos)
	for _, r := range []reg.VecVirtual{sin, cos} { // bit 1 of the turns is the sign
		VPSLLQ(Imm(62), turns, w)
		VPANDQ_BCST(quad8(1<<63), w, w)
		VPXORQ(w, r, r)
		VPADDQ_BCST(quad8(1), turns, turns)
	}
	return sin, cos
}

// storePairs writes sin*r and cos*r alternately, as float32.
func storePairs(sin, cos, r reg.VecVirtual, dst reg.Register) {
	var pair [2]reg.VecVirtual
	for i, v := range []reg.VecVirtual{sin, cos} {
		y := YMM()
		VCVTPD2PS(v, y)
		VMULPS(r, y, y)
		pair[i] = ZMM()
		VPMOVZXDQ(y, pair[i])
	}
	VPSLLQ(Imm(32), pair[1], pair[1])
	VPORQ(pair[1], pair[0], pair[0])
	VMOVDQU64(pair[0], Mem{Base: dst})
}

// uniform makes n groups of 16 uniforms of 16 words.
func uniform() {
	TEXT("uniformWords", NOSPLIT, "func(n int, dst *float32, words *uint32)")
	n, dst, words := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("words"), GP64())
	one, fraction, v := splat(1), ZMM(), ZMM()
	VBROADCASTSS(constantBits(0x7fffff), fraction)
	Label("loop")
	VPANDD(Mem{Base: words}, fraction, v)
	VPORD(one, v, v)
	VSUBPS(one, v, v)
	VMOVUPS(v, Mem{Base: dst})
	ADDQ(Imm(64), words)
	ADDQ(Imm(64), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// halfPiHi and halfPiLo add up to pi/2.
const (
	halfPiHi = 1.57079632679489655800e+00
	halfPiLo = 6.12323399573676603587e-17
)

var quads = map[uint64]Mem{}

// quad8 is a 64-bit constant in memory, double8 a float64 one.
func quad8(v uint64) Mem {
	if m, ok := quads[v]; ok {
		return m
	}
	m := ConstData(name64(v), U64(v))
	quads[v] = m
	return m
}

func double8(f float64) Mem { return quad8(math.Float64bits(f)) }

func name64(v uint64) string {
	const hex = "0123456789abcdef"
	b := []byte("q")
	for s := 60; s >= 0; s -= 4 {
		b = append(b, hex[v>>s&15])
	}
	return string(b)
}
