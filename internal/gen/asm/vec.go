package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vecs is several registers that go through the same steps side by side, which hides
// the latency of each step.
type vecs []reg.VecVirtual

var constants = map[uint32]Mem{}

// constant is a float32 in memory.
func constant(f float64) Mem { return constantBits(math.Float32bits(float32(f))) }

func constantBits(b uint32) Mem {
	if m, ok := constants[b]; ok {
		return m
	}
	m := ConstData(fmt.Sprintf("f%08x", b), U32(b))
	constants[b] = m
	return m
}

func splat(f float64) reg.VecVirtual {
	v := ZMM()
	VBROADCASTSS(constant(f), v)
	return v
}

func splats(f float64, n int) vecs {
	v := vecs(zmms(n))
	for _, r := range v {
		VBROADCASTSS(constant(f), r)
	}
	return v
}

// each applies a three-operand instruction to all registers: d = f(a, b) in Go's
// operand order.
func each(f func(ops ...Op), a, b, d vecs) {
	for u := range d {
		f(a[u], b[u], d[u])
	}
}

func eachWith(f func(ops ...Op), a reg.VecVirtual, b, d vecs) {
	for u := range d {
		f(a, b[u], d[u])
	}
}

func eachMem(f func(ops ...Op), m Mem, b, d vecs) {
	for u := range d {
		f(m, b[u], d[u])
	}
}

// horner continues a polynomial p in x: p = p*x + c for each c.
func horner(x, p vecs, c ...float64) {
	for _, f := range c {
		eachMem(op(VFMADD213PS_BCST), constant(f), x, p)
	}
}

// body computes a function of its operands; k holds what prepare loaded.
type body struct {
	prepare func() vecs
	run     func(in []vecs, k vecs) vecs
}

func nothing() vecs { return nil }

// reduceSteps clamps x, and leaves in it what remains after n times ln 2 is taken
// away. limit changes n before that.
func reduceSteps(x, k vecs, limit func(n vecs)) (n vecs) {
	n = vecs(zmms(len(x)))
	for u := range x {
		VMINPS(x[u], k[0], x[u])
	}
	for u := range x {
		VMAXPS(x[u], k[1], x[u])
	}
	eachWith(op(VMULPS), k[2], x, n)
	for u := range x {
		VRNDSCALEPS(Imm(8), n[u], n[u])
	}
	limit(n)
	eachMem(op(VFNMADD231PS_BCST), constant(0.693359375), n, x)
	eachMem(op(VFNMADD231PS_BCST), constant(-2.12194440e-4), n, x)
	return n
}

// polySteps repeats expPoly.
func polySteps(r vecs) vecs {
	p := splats(1.9875691500e-4, len(r))
	horner(r, p, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
	r2 := vecs(zmms(len(r)))
	each(op(VMULPS), r, r, r2)
	each(op(VFMADD213PS), r, r2, p)
	return p
}

// expSteps repeats exp32 step by step. It uses up x.
func expSteps(x, k vecs) vecs {
	n := reduceSteps(x, k, func(vecs) {})
	p := polySteps(x)
	eachWith(op(VADDPS), k[3], p, p)
	each(op(VSCALEFPS), n, p, p)
	return p
}

// expm1Steps repeats expm132 without the sign. It uses up x.
func expm1Steps(x, k vecs) vecs {
	n := reduceSteps(x, k, func(n vecs) {
		eachMem(op(VMINPS_BCST), constant(127), n, n)
	})
	p := polySteps(x)
	for u := range n {
		VSCALEFPS(n[u], k[3], n[u])
	}
	s := vecs(zmms(len(x)))
	for u := range n {
		VSUBPS(k[3], n[u], s[u])
	}
	each(op(VFMADD213PS), s, n, p)
	return p
}

// expConstants: the ends of the range, log2 e, one.
func expConstants() vecs {
	return vecs{splat(89), splat(-104), splat(1.44269504088896341), splat(1)}
}

var expBody = body{expConstants, func(in []vecs, k vecs) vecs { return expSteps(in[0], k) }}

var sigmoidBody = body{expConstants, func(in []vecs, k vecs) vecs {
	x := in[0]
	flip(x)
	e := expSteps(x, k)
	eachWith(op(VADDPS), k[3], e, e)
	for u := range e {
		VDIVPS(e[u], k[3], e[u])
	}
	return e
}}

var tanhBody = body{func() vecs { return append(expConstants(), splat(2), splat(0.625)) }, func(in []vecs, k vecs) vecs {
	x := in[0]
	n := len(x)
	a, y := vecs(zmms(n)), vecs(zmms(n))
	eachMem(op(VANDPS_BCST), constantBits(1<<31-1), x, a)
	each(op(VADDPS), a, a, y)
	t := expSteps(y, k)
	eachWith(op(VADDPS), k[3], t, t)
	for u := range t {
		VDIVPS(t[u], k[4], t[u])
	}
	for u := range t {
		VSUBPS(t[u], k[3], t[u])
	}
	z := vecs(zmms(n))
	each(op(VMULPS), a, a, z)
	p := splats(-5.70498872745e-3, n)
	horner(z, p, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1)
	each(op(VMULPS), z, p, p)
	each(op(VFMADD213PS), a, a, p)
	for u := range t {
		m := K()
		VCMPPS(Imm(1), k[5], a[u], m) // a < 0.625
		VMOVAPS(p[u], m, t[u])
	}
	return signSteps(t, x)
}}

// logSteps repeats log32; k is sqrt 2 and one.
func logSteps(x, k vecs) vecs {
	n := len(x)
	m, e := vecs(zmms(n)), vecs(zmms(n))
	for u := range x {
		VGETEXPPS(x[u], e[u])
		VGETMANTPS(Imm(0), x[u], m[u])
	}
	for u := range x {
		big := K()
		VCMPPS(Imm(0x1e), k[0], m[u], big)
		VMULPS_BCST(constant(0.5), m[u], big, m[u])
		VADDPS(k[1], e[u], big, e[u])
	}
	eachWith(op(VSUBPS), k[1], m, m)
	z := vecs(zmms(n))
	each(op(VMULPS), m, m, z)
	p := splats(7.0376836292e-2, n)
	horner(m, p, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
	each(op(VMULPS), m, p, p)
	each(op(VMULPS), z, p, p)
	eachMem(op(VFMADD231PS_BCST), constant(-2.12194440e-4), e, p)
	eachMem(op(VFNMADD231PS_BCST), constant(0.5), z, p)
	each(op(VADDPS), p, m, p)
	eachMem(op(VFMADD231PS_BCST), constant(0.693359375), e, p)
	for u := range x {
		zero, bad, inf := K(), K(), K()
		VFPCLASSPSZ(Imm(0x06), x[u], zero) // +0, -0
		VFPCLASSPSZ(Imm(0xd1), x[u], bad)  // nans, -inf, negative
		VFPCLASSPSZ(Imm(0x08), x[u], inf)  // +inf
		VBROADCASTSS(constantBits(0xff800000), zero, p[u])
		VBROADCASTSS(constantBits(0x7fc00000), bad, p[u])
		VMOVAPS(x[u], inf, p[u])
	}
	return p
}

func logConstants() vecs { return vecs{splat(math.Sqrt2), splat(1)} }

var logBody = body{logConstants, func(in []vecs, k vecs) vecs { return logSteps(in[0], k) }}

// copies duplicates operands that steps use up.
func copies(x vecs) vecs {
	c := vecs(zmms(len(x)))
	for u := range x {
		VMOVAPS(x[u], c[u])
	}
	return c
}

// signSteps gives r the sign of x as well. It uses up x.
func signSteps(r, x vecs) vecs {
	eachMem(op(VANDPS_BCST), constantBits(1<<31), x, x)
	each(op(VORPS), x, r, r)
	return r
}

var expm1Body = body{expConstants, func(in []vecs, k vecs) vecs {
	return signSteps(expm1Steps(copies(in[0]), k), in[0])
}}

// eluSteps has f applied to x where it isn't negative, and g to exp(x)-1 elsewhere.
func eluSteps(x, k vecs, f, g func(v vecs)) vecs {
	p := signSteps(expm1Steps(copies(x), k), copies(x))
	g(p)
	negative := make([]reg.OpmaskVirtual, len(x))
	for u := range x {
		negative[u] = K()
		VCMPPS_BCST(Imm(1), constantBits(0), x[u], negative[u])
	}
	f(x)
	for u := range x {
		VMOVAPS(p[u], negative[u], x[u])
	}
	return x
}

var eluBody = body{expConstants, func(in []vecs, k vecs) vecs {
	return eluSteps(in[0], k, func(vecs) {}, func(vecs) {})
}}

var seluBody = body{expConstants, func(in []vecs, k vecs) vecs {
	return eluSteps(in[0], k,
		func(v vecs) { eachMem(op(VMULPS_BCST), constant(1.0507009873554804934193349852946), v, v) },
		func(v vecs) { eachMem(op(VMULPS_BCST), constant(1.7580993408473768599402175208123), v, v) })
}}

// log1pSteps repeats log1p32 for x; k is what logSteps takes.
func log1pSteps(x, k vecs) vecs {
	n := len(x)
	u, c, d := vecs(zmms(n)), vecs(zmms(n)), vecs(zmms(n))
	eachWith(op(VADDPS), k[1], x, u)
	for i := range x {
		VSUBPS(k[1], u[i], c[i])
		VSUBPS(c[i], x[i], c[i]) // x - (u - 1)
		VSUBPS(x[i], u[i], d[i])
		VSUBPS(d[i], k[1], d[i]) // 1 - (u - x)
		big := K()
		VCMPPS(Imm(0x1d), k[1], x[i], big) // x >= 1
		VMOVAPS(d[i], big, c[i])
		VDIVPS(u[i], c[i], c[i])
		nan := K()
		VCMPPS(Imm(3), c[i], c[i], nan)
		VPXORQ(d[i], d[i], d[i])
		VMOVAPS(d[i], nan, c[i])
	}
	l := logSteps(u, k)
	each(op(VADDPS), c, l, l)
	return signSteps(l, x)
}

var log1pBody = body{logConstants, func(in []vecs, k vecs) vecs { return log1pSteps(in[0], k) }}

// softplusSteps is log(1 + exp(x)); k is the constants of exp and then of log.
func softplusSteps(x, k vecs) vecs {
	a := vecs(zmms(len(x)))
	eachMem(op(VORPS_BCST), constantBits(1<<31), x, a)
	l := log1pSteps(expSteps(a, k), k[4:])
	for u := range x {
		positive := K()
		VCMPPS_BCST(Imm(0x1e), constantBits(0), x[u], positive)
		VADDPS(l[u], x[u], positive, l[u])
	}
	return l
}

func softplusConstants() vecs {
	e := expConstants()
	return append(e, splat(math.Sqrt2), e[3])
}

var softplusBody = body{softplusConstants, func(in []vecs, k vecs) vecs { return softplusSteps(in[0], k) }}

func flip(x vecs) { eachMem(op(VXORPS_BCST), constantBits(1<<31), x, x) }

var logSigmoidBody = body{softplusConstants, func(in []vecs, k vecs) vecs {
	flip(in[0])
	s := softplusSteps(in[0], k)
	flip(s)
	return s
}}

var siluBody = body{expConstants, func(in []vecs, k vecs) vecs {
	x := copies(in[0])
	s := sigmoidBody.run(in, k)
	each(op(VMULPS), s, x, x)
	return x
}}

var erfBody = body{func() vecs { return append(expConstants(), splat(4), splat(0.921875)) }, func(in []vecs, k vecs) vecs {
	x := in[0]
	n := len(x)
	a, b := vecs(zmms(n)), vecs(zmms(n))
	eachMem(op(VANDPS_BCST), constantBits(1<<31-1), x, a)
	for u := range a {
		VMINPS(a[u], k[4], b[u])
	}
	q := splats(2.111858884745743e-05, n)
	horner(b, q, -0.0004347347130533308, 0.004172381479293108, -0.02512289769947529, 0.10828545689582825,
		0.6333420276641846, 1.1295173168182373, -0.00017518593813292682)
	flip(q)
	t := expSteps(q, k)
	for u := range t {
		VSUBPS(t[u], k[3], t[u])
	}
	z := vecs(zmms(n))
	each(op(VMULPS), a, a, z)
	p := splats(8.370097202714533e-05, n)
	horner(z, p, -0.0008142703445628285, 0.005201032385230064, -0.026859398931264877, 0.11283695697784424,
		-0.37612634897232056, 0.12837916612625122)
	each(op(VFMADD213PS), a, a, p)
	for u := range t {
		m := K()
		VCMPPS(Imm(1), k[5], a[u], m)
		VMOVAPS(p[u], m, t[u])
	}
	return signSteps(t, x)
}}

func zeroReg() vecs {
	z := ZMM()
	VPXORQ(z, z, z)
	return vecs{z}
}

// reluBody keeps a nan and turns -0 into +0.
var reluBody = body{zeroReg, func(in []vecs, k vecs) vecs {
	for _, x := range in[0] {
		m := K()
		VCMPPS(Imm(2), k[0], x, m) // x <= 0
		VMOVAPS(k[0], m, x)
	}
	return in[0]
}}

var sqrtBody = body{nothing, func(in []vecs, k vecs) vecs {
	for _, x := range in[0] {
		VSQRTPS(x, x)
	}
	return in[0]
}}

func oneReg() vecs { return vecs{splat(1)} }

var rsqrtBody = body{oneReg, func(in []vecs, k vecs) vecs {
	for _, x := range in[0] {
		VSQRTPS(x, x)
		VDIVPS(x, k[0], x)
	}
	return in[0]
}}

var reciprocalBody = body{oneReg, func(in []vecs, k vecs) vecs {
	for _, x := range in[0] {
		VDIVPS(x, k[0], x)
	}
	return in[0]
}}

var squareBody = body{nothing, func(in []vecs, k vecs) vecs {
	each(op(VMULPS), in[0], in[0], in[0])
	return in[0]
}}

// arith is x op y for an instruction in Go's operand order.
func arith(f func(ops ...Op)) body {
	return body{nothing, func(in []vecs, k vecs) vecs {
		d := vecs(zmms(len(in[0])))
		each(f, in[1], in[0], d)
		return d
	}}
}

// extreme is larger or smaller: x where it wins or is nan, else y.
func extreme(f func(ops ...Op)) body {
	return body{nothing, func(in []vecs, k vecs) vecs {
		d := vecs(zmms(len(in[0])))
		for u, x := range in[0] {
			m := K()
			f(in[1][u], x, d[u])
			VCMPPS(Imm(3), x, x, m) // x is nan
			VMOVAPS(x, m, d[u])
		}
		return d
	}}
}

var squaredDifferenceBody = body{nothing, func(in []vecs, k vecs) vecs {
	d := vecs(zmms(len(in[0])))
	each(op(VSUBPS), in[1], in[0], d)
	each(op(VMULPS), d, d, d)
	return d
}}

var reluGradBody = body{func() vecs { return append(zeroReg(), splat(1)) }, func(in []vecs, k vecs) vecs {
	d := vecs(zmms(len(in[0])))
	for u, x := range in[0] {
		m := K()
		VCMPPS(Imm(0x1e), k[0], in[1][u], m) // y > 0
		VMOVAPS_Z(k[1], m, d[u])
		VMULPS(d[u], x, d[u])
	}
	return d
}}

var tanhGradBody = body{oneReg, func(in []vecs, k vecs) vecs {
	d := vecs(zmms(len(in[0])))
	for u, x := range in[0] {
		VMULPS(x, x, d[u])
		VSUBPS(d[u], k[0], d[u])
		VMULPS(d[u], in[1][u], d[u])
	}
	return d
}}

var sigmoidGradBody = body{oneReg, func(in []vecs, k vecs) vecs {
	d, w := vecs(zmms(len(in[0]))), vecs(zmms(len(in[0])))
	for u, x := range in[0] {
		VMULPS(x, in[1][u], d[u])
		VSUBPS(x, k[0], w[u])
		VMULPS(w[u], d[u], d[u])
	}
	return d
}}

func vecFamily() {
	for _, u := range []struct {
		name   string
		b      body
		unroll int
	}{{"Exp", expBody, 4}, {"Log", logBody, 3}, {"Tanh", tanhBody, 3}, {"Sigmoid", sigmoidBody, 4},
		{"Expm1", expm1Body, 3}, {"Log1p", log1pBody, 2}, {"Elu", eluBody, 3}, {"Selu", seluBody, 3},
		{"Silu", siluBody, 3}, {"Softplus", softplusBody, 2}, {"LogSigmoid", logSigmoidBody, 2}, {"Erf", erfBody, 3},
		{"Relu", reluBody, 4}, {"Sqrt", sqrtBody, 2}, {"Rsqrt", rsqrtBody, 2},
		{"Reciprocal", reciprocalBody, 4}, {"Square", squareBody, 4}} {
		elementwise("vec"+u.name, "v", u.unroll, u.b)
	}
	for _, b := range []struct {
		name  string
		b     body
		forms []string
	}{
		{"Add", arith(op(VADDPS)), []string{"vv", "vs", "sv"}},
		{"Sub", arith(op(VSUBPS)), []string{"vv", "vs", "sv"}},
		{"Mul", arith(op(VMULPS)), []string{"vv", "vs", "sv"}},
		{"Div", arith(op(VDIVPS)), []string{"vv", "vs", "sv"}},
		{"Max", extreme(op(VMAXPS)), []string{"vv", "vs", "sv"}},
		{"Min", extreme(op(VMINPS)), []string{"vv", "vs", "sv"}},
		{"SquaredDifference", squaredDifferenceBody, []string{"vv", "vs", "sv"}},
		{"ReluGrad", reluGradBody, []string{"vv"}},
		{"TanhGrad", tanhGradBody, []string{"vv"}},
		{"SigmoidGrad", sigmoidGradBody, []string{"vv"}},
		{"MaxNumber", arith(op(VMAXPS)), []string{"vv"}}, // x if it is greater, else y
	} {
		for _, f := range b.forms {
			elementwise("vec"+b.name+map[string]string{"vv": "VV", "vs": "VS", "sv": "SV"}[f], f, 4, b.b)
		}
	}
	elementwise("vecMulAdd", "vvv", 4, mulAddBody)
}

// mulAddBody is x*y+z, rounded once.
var mulAddBody = body{nothing, func(in []vecs, k vecs) vecs {
	each(op(VFMADD231PS), in[0], in[1], in[2])
	return in[2]
}}

// elementwise writes a kernel over n elements whose operands are vectors (v) or
// scalars (s), as form says.
func elementwise(name, form string, unroll int, b body) {
	args := ""
	for i, f := range form {
		if f == 'v' {
			args += fmt.Sprintf(", x%d *float32", i)
		} else {
			args += fmt.Sprintf(", x%d float32", i)
		}
	}
	TEXT(name, NOSPLIT, "func(n int, dst *float32"+args+")")
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	ptr, scalar := map[int]reg.Register{}, map[int]reg.VecVirtual{}
	for i, f := range form {
		arg := Param(fmt.Sprintf("x%d", i))
		if f == 'v' {
			ptr[i] = Load(arg, GP64())
		} else {
			scalar[i] = broadcastArg(arg)
		}
	}
	k := b.prepare()
	at := GP64()
	XORQ(at, at)
	block := func(width int, mask *reg.OpmaskVirtual) {
		in := make([]vecs, len(form))
		for i := range form {
			in[i] = vecs(zmms(width))
			for u := range in[i] {
				if s, ok := scalar[i]; ok {
					VMOVAPS(s, in[i][u])
				} else if m := (Mem{Base: ptr[i], Index: at, Scale: 4, Disp: 64 * u}); mask != nil {
					VMOVUPS_Z(m, *mask, in[i][u])
				} else {
					VMOVUPS(m, in[i][u])
				}
			}
		}
		for u, r := range b.run(in, k) {
			m := Mem{Base: dst, Index: at, Scale: 4, Disp: 64 * u}
			if mask != nil {
				VMOVUPS(r, *mask, m)
			} else {
				VMOVUPS(r, m)
			}
		}
	}
	countDown(n, at, unroll, block)
	VZEROUPPER()
	RET()
}

func broadcastArg(arg gotypes.Component) reg.VecVirtual {
	b, err := arg.Resolve()
	if err != nil {
		panic(err)
	}
	v := ZMM()
	VBROADCASTSS(b.Addr, v)
	return v
}

// countDown runs block over n elements from index at on: unrolled, then one register
// at a time, then masked.
func countDown(n, at reg.Register, unroll int, block func(width int, mask *reg.OpmaskVirtual)) {
	run := func(label string, width int) {
		SUBQ(Imm(uint64(16*width)), n)
		JL(LabelRef(label + "_end"))
		Label(label)
		block(width, nil)
		ADDQ(Imm(uint64(16*width)), at)
		SUBQ(Imm(uint64(16*width)), n)
		JGE(LabelRef(label))
		Label(label + "_end")
		ADDQ(Imm(uint64(16*width)), n)
	}
	run("wide", unroll)
	run("one", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	mask := tailMask(n)
	block(1, &mask)
	Label("done")
}

// tailMask has the lowest n bits set, for n of 1 to 15.
func tailMask(n reg.Register) reg.OpmaskVirtual {
	one := GP64()
	MOVQ(n, reg.RCX)
	MOVQ(U32(1), one)
	SHLQ(reg.CL, one)
	DECQ(one)
	k := K()
	KMOVW(one.As32(), k)
	return k
}
