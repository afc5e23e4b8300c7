package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The AVX2 forms of the functions that are made of fused multiply-adds, which Go has
// to compute one by one. They take whole vectors of eight; the rest is padded by the
// caller. The other loops are left to the Go compiler.

func vec256Family() {
	for _, f := range []struct {
		name string
		run  func(x reg.VecVirtual) reg.VecVirtual
	}{{"Exp", exp256}, {"Log", log256}, {"Tanh", tanh256}, {"Sigmoid", sigmoid256}, {"Expm1", expm1Signed256},
		{"Log1p", log1p256}, {"Elu", elu256}, {"Selu", selu256}, {"Silu", silu256}, {"Softplus", softplus256},
		{"LogSigmoid", logSigmoid256}, {"Erf", erf256}} {
		whole(f.name, f.run)
	}
	mulAdd256()
	dot256("avx2Dot", single)
	dot256("avx2Dot64", double)
}

// whole writes the kernel of f over n vectors.
func whole(name string, f func(x reg.VecVirtual) reg.VecVirtual) {
	TEXT("avx2"+name, NOSPLIT, "func(n int, dst *float32, x *float32)")
	n, dst, x := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("x"), GP64())
	Label("loop")
	v := YMM()
	VMOVUPS(Mem{Base: x}, v)
	VMOVUPS(f(v), Mem{Base: dst})
	ADDQ(Imm(32), x)
	ADDQ(Imm(32), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

var vectors = map[uint32]Mem{}

// bits256 is a vector of eight equal words in memory, const256 of float32.
func bits256(b uint32) Mem {
	if m, ok := vectors[b]; ok {
		return m
	}
	m := GLOBL(fmt.Sprintf("v%08x", b), RODATA|NOPTR)
	for i := 0; i < 8; i++ {
		DATA(4*i, U32(b))
	}
	vectors[b] = m
	return m
}

func const256(f float64) Mem { return bits256(math.Float32bits(float32(f))) }

// fixed loads a constant where an instruction needs it in a register.
func fixed(f float64) reg.VecVirtual {
	r := YMM()
	VMOVUPS(const256(f), r)
	return r
}

func horner256(x, p reg.VecVirtual, c ...float64) {
	for _, f := range c {
		VFMADD213PS(const256(f), x, p)
	}
}

// where takes a in the lanes that the predicate of x and c selects, else b.
func where(predicate uint64, x reg.VecVirtual, c Op, a Op, b reg.VecVirtual) reg.VecVirtual {
	m, r := YMM(), YMM()
	VCMPPS(Imm(predicate), c, x, m)
	VBLENDVPS(m, a, b, r)
	return r
}

func copy256(x reg.VecVirtual) reg.VecVirtual {
	r := YMM()
	VMOVAPS(x, r)
	return r
}

func reduce256(x reg.VecVirtual, limit bool) (n reg.VecVirtual) {
	n = YMM()
	VMINPS(x, fixed(89), x)
	VMAXPS(x, fixed(-104), x)
	VMULPS(const256(1.44269504088896341), x, n)
	VROUNDPS(Imm(8), n, n)
	if limit {
		VMINPS(n, fixed(127), n)
	}
	VFNMADD231PS(const256(0.693359375), n, x)
	VFNMADD231PS(const256(-2.12194440e-4), n, x)
	return n
}

func polyExp256(r reg.VecVirtual) reg.VecVirtual {
	p, r2 := fixed(1.9875691500e-4), YMM()
	horner256(r, p, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
	VMULPS(r, r, r2)
	VFMADD213PS(r, r2, p)
	return p
}

// scale256 multiplies p by two to the n in two steps, of which only the second can
// round.
func scale256(p, n reg.VecVirtual) {
	i, h := YMM(), YMM()
	VCVTPS2DQ(n, i)
	VPSRAD(Imm(1), i, h)
	VPSUBD(h, i, i)
	for _, e := range []reg.VecVirtual{h, i} {
		VPADDD(bits256(127), e, e)
		VPSLLD(Imm(23), e, e)
		VMULPS(e, p, p)
	}
}

func exp256(x reg.VecVirtual) reg.VecVirtual {
	n := reduce256(x, false)
	p := polyExp256(x)
	VADDPS(const256(1), p, p)
	scale256(p, n)
	return p
}

func expm1256(x reg.VecVirtual) reg.VecVirtual {
	n := reduce256(x, true)
	p := polyExp256(x)
	s, t := fixed(1), YMM()
	scale256(s, n)
	VSUBPS(fixed(1), s, t)
	VFMADD213PS(t, s, p)
	return p
}

// signed256 gives r the sign of x as well.
func signed256(r, x reg.VecVirtual) reg.VecVirtual {
	s := YMM()
	VANDPS(bits256(1<<31), x, s)
	VORPS(s, r, r)
	return r
}

func expm1Signed256(x reg.VecVirtual) reg.VecVirtual { return signed256(expm1256(copy256(x)), x) }

func sigmoid256(x reg.VecVirtual) reg.VecVirtual {
	VXORPS(bits256(1<<31), x, x)
	e := exp256(x)
	VADDPS(const256(1), e, e)
	VDIVPS(e, fixed(1), e)
	return e
}

func silu256(x reg.VecVirtual) reg.VecVirtual {
	c := copy256(x)
	s := sigmoid256(x)
	VMULPS(s, c, c)
	return c
}

func abs256(x reg.VecVirtual) reg.VecVirtual {
	a := YMM()
	VANDPS(bits256(1<<31-1), x, a)
	return a
}

func tanh256(x reg.VecVirtual) reg.VecVirtual {
	a, y, z := abs256(x), YMM(), YMM()
	VADDPS(a, a, y)
	t := exp256(y)
	VADDPS(const256(1), t, t)
	VDIVPS(t, fixed(2), t)
	VSUBPS(t, fixed(1), t)
	VMULPS(a, a, z)
	p := fixed(-5.70498872745e-3)
	horner256(z, p, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)
	VMULPS(z, p, p)
	VFMADD213PS(a, a, p)
	return signed256(where(1, a, const256(0.625), p, t), x)
}

func log256(x reg.VecVirtual) reg.VecVirtual {
	up, shift := YMM(), YMM()
	VMULPS(const256(0x1p24), x, up) // a subnormal has no leading one
	VXORPS(shift, shift, shift)
	small := YMM()
	VCMPPS(Imm(1), const256(0x1p-126), x, small)
	VBLENDVPS(small, up, x, up)
	VBLENDVPS(small, const256(24), shift, shift)
	m, e := YMM(), YMM()
	VPSRLD(Imm(23), up, e)
	VPSUBD(bits256(127), e, e)
	VCVTDQ2PS(e, e)
	VSUBPS(shift, e, e)
	VANDPS(bits256(1<<23-1), up, m)
	VORPS(const256(1), m, m)
	half, next, big := YMM(), YMM(), YMM()
	VCMPPS(Imm(0x1e), const256(math.Sqrt2), m, big)
	VMULPS(const256(0.5), m, half)
	VADDPS(const256(1), e, next)
	VBLENDVPS(big, half, m, m)
	VBLENDVPS(big, next, e, e)
	VSUBPS(fixed(1), m, m)
	z := YMM()
	VMULPS(m, m, z)
	p := fixed(7.0376836292e-2)
	horner256(m, p, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
	VMULPS(m, p, p)
	VMULPS(z, p, p)
	VFMADD231PS(const256(-2.12194440e-4), e, p)
	VFNMADD231PS(const256(0.5), z, p)
	VADDPS(m, p, p)
	VFMADD231PS(const256(0.693359375), e, p)
	p = where(0, x, const256(math.Inf(1)), x, p)
	p = where(0, x, const256(0), const256(math.Inf(-1)), p)
	return where(9, x, const256(0), bits256(0x7fc00000), p) // neither zero nor above
}

func log1p256(x reg.VecVirtual) reg.VecVirtual {
	u, c, d := YMM(), YMM(), YMM()
	VADDPS(const256(1), x, u)
	VSUBPS(fixed(1), u, c)
	VSUBPS(c, x, c)
	VSUBPS(x, u, d)
	VSUBPS(d, fixed(1), d)
	c = where(0x1d, x, const256(1), d, c)
	VDIVPS(u, c, c)
	nan, zero := YMM(), YMM()
	VCMPPS(Imm(3), c, c, nan)
	VXORPS(zero, zero, zero)
	VBLENDVPS(nan, zero, c, c)
	l := log256(u)
	VADDPS(c, l, l)
	return signed256(l, x)
}

func softplus256(x reg.VecVirtual) reg.VecVirtual {
	a := YMM()
	VORPS(bits256(1<<31), x, a)
	l := log1p256(exp256(a))
	sum := YMM()
	VADDPS(l, x, sum)
	return where(0x1e, x, const256(0), sum, l)
}

func logSigmoid256(x reg.VecVirtual) reg.VecVirtual {
	VXORPS(bits256(1<<31), x, x)
	s := softplus256(x)
	VXORPS(bits256(1<<31), s, s)
	return s
}

func elu256(x reg.VecVirtual) reg.VecVirtual {
	return where(1, x, const256(0), expm1Signed256(x), x)
}

func selu256(x reg.VecVirtual) reg.VecVirtual {
	p, y := expm1Signed256(x), YMM()
	VMULPS(const256(1.7580993408473768599402175208123), p, p)
	VMULPS(const256(1.0507009873554804934193349852946), x, y)
	return where(1, x, const256(0), p, y)
}

func erf256(x reg.VecVirtual) reg.VecVirtual {
	a, b, z := abs256(x), YMM(), YMM()
	VMINPS(a, fixed(4), b)
	q := fixed(2.111858884745743e-05)
	horner256(b, q, -0.0004347347130533308, 0.004172381479293108, -0.02512289769947529, 0.10828545689582825,
		0.6333420276641846, 1.1295173168182373, -0.00017518593813292682)
	VXORPS(bits256(1<<31), q, q)
	t := exp256(q)
	VSUBPS(t, fixed(1), t)
	VMULPS(a, a, z)
	p := fixed(8.370097202714533e-05)
	horner256(z, p, -0.0008142703445628285, 0.005201032385230064, -0.026859398931264877, 0.11283695697784424,
		-0.37612634897232056, 0.12837916612625122)
	VFMADD213PS(a, a, p)
	return signed256(where(1, a, const256(0.921875), p, t), x)
}

// mulAdd256 is dst += x*y over n vectors.
func mulAdd256() {
	TEXT("avx2MulAdd", NOSPLIT, "func(n int, dst *float32, x *float32, y *float32)")
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	v, d := YMM(), YMM()
	Label("loop")
	VMOVUPS(Mem{Base: x}, v)
	VMOVUPS(Mem{Base: dst}, d)
	VFMADD231PS(Mem{Base: y}, v, d)
	VMOVUPS(d, Mem{Base: dst})
	ADDQ(Imm(32), x)
	ADDQ(Imm(32), y)
	ADDQ(Imm(32), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// dot256 multiplies and adds n groups of 256 bytes into the lanes of a dot.
func dot256(name string, e elem) {
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, lanes *%[1]s, x *%[1]s, y *%[1]s)", e.goType))
	n, lanes := Load(Param("n"), GP64()), Load(Param("lanes"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	acc := make([]reg.VecVirtual, 8)
	for i := range acc {
		acc[i] = YMM()
		e.load(Mem{Base: lanes, Disp: 32 * i}, acc[i])
	}
	v := YMM()
	Label("loop")
	for i := range acc {
		e.load(Mem{Base: x, Disp: 32 * i}, v)
		e.fma(Mem{Base: y, Disp: 32 * i}, v, acc[i])
	}
	ADDQ(U32(256), x)
	ADDQ(U32(256), y)
	DECQ(n)
	JG(LabelRef("loop"))
	for i := range acc {
		e.load(acc[i], Mem{Base: lanes, Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}
