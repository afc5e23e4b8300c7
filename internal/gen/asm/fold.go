package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// foldFamily is the reductions. Their lanes and the order in which lanes join repeat
// the Go definitions.
func foldFamily() {
	lanesSum("foldSum", false)
	lanesSum("foldSquares", true)
	lanesSum64("foldSum64", false)
	lanesSum64("foldSquares64", true)
	addRow()
	addFourRows()
	expSum()
	skipMaximum("foldMaxNumber", op(VMAXPS), 0xff800000)
	skipMaximum("foldMinNumber", op(VMINPS), 0x7f800000)
	maximum("foldMax", op(VMAXPS), 0xff800000)
	maximum("foldMin", op(VMINPS), 0x7f800000)
	dot32()
	dot64()
}

func zeroed(n int) vecs {
	v := vecs(zmms(n))
	for _, r := range v {
		VPXORQ(r, r, r)
	}
	return v
}

// join64 adds the lanes of four registers of float64 by halving: lane l of register
// r is lane 8r+l of the definition.
func join64(acc vecs) {
	VADDPD(acc[2], acc[0], acc[0])
	VADDPD(acc[3], acc[1], acc[1])
	VADDPD(acc[1], acc[0], acc[0])
	t := ZMM()
	VSHUFF64X2(Imm(0x4e), acc[0], acc[0], t) // halves exchanged
	VADDPD(t, acc[0], acc[0])
	VSHUFF64X2(Imm(0xb1), acc[0], acc[0], t) // neighbouring 128 bits exchanged
	VADDPD(t, acc[0], acc[0])
	VPERMILPD(Imm(0x55), acc[0], t)
	VADDPD(t, acc[0], acc[0])
}

func ret64(v reg.VecVirtual) {
	r, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	VMOVSD(v.AsX(), r.Addr)
	VZEROUPPER()
	RET()
}

// lanesSum adds float32 elements in 32 lanes of float64. A tail is masked: lanes
// beyond it add nothing, not even +0 to -0.
func lanesSum(name string, square bool) {
	TEXT(name, NOSPLIT, "func(n int, x *float32) float64")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	acc, v := zeroed(4), vecs(zmms(4))
	fold := func(u int) {
		if square {
			VFMADD231PD(v[u], v[u], acc[u])
		} else {
			VADDPD(v[u], acc[u], acc[u])
		}
	}
	loop32(n, func() {
		for u := range v {
			VCVTPS2PD(Mem{Base: x, Disp: 32 * u}, v[u])
		}
		for u := range v {
			fold(u)
		}
		ADDQ(Imm(128), x)
	})
	for u := range v {
		m := lanesLeft(n, 8*u)
		VCVTPS2PD_Z(Mem{Base: x, Disp: 32 * u}, m, v[u])
		if square {
			VFMADD231PD(v[u], v[u], m, acc[u])
		} else {
			VADDPD(v[u], acc[u], m, acc[u])
		}
	}
	join64(acc)
	ret64(acc[0])
}

// loop32 runs body for each whole group of 32 and leaves the rest in n.
func loop32(n reg.Register, body func()) {
	SUBQ(Imm(32), n)
	JL(LabelRef("tail"))
	Label("loop")
	body()
	SUBQ(Imm(32), n)
	JGE(LabelRef("loop"))
	Label("tail")
	ADDQ(Imm(32), n)
}

// lanesLeft masks the lanes from first on that are below n (n < 64).
func lanesLeft(n reg.Register, first int) reg.OpmaskVirtual {
	ones := GP64()
	MOVQ(n, reg.RCX)
	MOVQ(U32(1), ones)
	SHLQ(reg.CL, ones)
	DECQ(ones)
	if first > 0 {
		SHRQ(Imm(uint64(first)), ones)
	}
	k := K()
	KMOVW(ones.As32(), k)
	return k
}

func lanesSum64(name string, square bool) {
	TEXT(name, NOSPLIT, "func(n int, x *float64) float64")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	acc, v := zeroed(4), vecs(zmms(4))
	loop32(n, func() {
		for u := range v {
			VMOVUPD(Mem{Base: x, Disp: 64 * u}, v[u])
		}
		for u := range v {
			if square {
				VMULPD(v[u], v[u], v[u])
			}
			VADDPD(v[u], acc[u], acc[u])
		}
		ADDQ(U32(256), x)
	})
	for u := range v {
		m := lanesLeft(n, 8*u)
		VMOVUPD_Z(Mem{Base: x, Disp: 64 * u}, m, v[u])
		if square {
			VMULPD(v[u], v[u], v[u])
		}
		VADDPD(v[u], acc[u], m, acc[u])
	}
	join64(acc)
	ret64(acc[0])
}

// addRow adds float32 elements to float64 sums, one each.
func addRow() {
	TEXT("foldRowSum", NOSPLIT, "func(n int, acc *float64, x *float32)")
	n := Load(Param("n"), GP64())
	acc, x := Load(Param("acc"), GP64()), Load(Param("x"), GP64())
	v := vecs(zmms(4))
	loop32(n, func() {
		for u := range v {
			VCVTPS2PD(Mem{Base: x, Disp: 32 * u}, v[u])
			VADDPD(Mem{Base: acc, Disp: 64 * u}, v[u], v[u])
			VMOVUPD(v[u], Mem{Base: acc, Disp: 64 * u})
		}
		ADDQ(Imm(128), x)
		ADDQ(U32(256), acc)
	})
	s := ZMM()
	for u := range v {
		m := lanesLeft(n, 8*u)
		VCVTPS2PD_Z(Mem{Base: x, Disp: 32 * u}, m, v[u])
		VMOVUPD_Z(Mem{Base: acc, Disp: 64 * u}, m, s)
		VADDPD(s, v[u], v[u])
		VMOVUPD(v[u], m, Mem{Base: acc, Disp: 64 * u})
	}
	VZEROUPPER()
	RET()
}

// maximum folds by VMAXPS or VMINPS, which forget nans; those are collected apart
// and make the result nan.
func maximum(name string, f func(ops ...Op), start uint32) {
	TEXT(name, NOSPLIT, "func(n int, x *float32) float32")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	acc, nans := vecs(zmms(4)), K()
	for _, r := range acc {
		VBROADCASTSS(constantBits(start), r)
	}
	KXORW(nans, nans, nans)
	at := GP64()
	XORQ(at, at)
	countDown(n, at, 4, func(width int, mask *reg.OpmaskVirtual) {
		for u := 0; u < width; u++ {
			v, bad := ZMM(), K()
			m := Mem{Base: x, Index: at, Scale: 4, Disp: 64 * u}
			if mask != nil {
				VMOVAPS(acc[u], v)
				VMOVUPS(m, *mask, v)
			} else {
				VMOVUPS(m, v)
			}
			VCMPPS(Imm(3), v, v, bad)
			KORW(bad, nans, nans)
			f(v, acc[u], acc[u])
		}
	})
	f(acc[2], acc[0], acc[0])
	f(acc[3], acc[1], acc[1])
	f(acc[1], acc[0], acc[0])
	halve(acc[0], func(t reg.VecVirtual) { f(t, acc[0], acc[0]) })
	nan, bits := ZMM(), GP32()
	KMOVW(nans, bits)
	TESTL(bits, bits)
	JZ(LabelRef("ret"))
	VBROADCASTSS(constantBits(0x7fc00000), nan)
	VMOVAPS(nan, acc[0])
	Label("ret")
	ret32(acc[0])
}

// halve joins the lanes of a register of float32 with those half the width away,
// then a quarter, and so on.
func halve(v reg.VecVirtual, join func(t reg.VecVirtual)) {
	t := ZMM()
	VSHUFF32X4(Imm(0x4e), v, v, t)
	join(t)
	VSHUFF32X4(Imm(0xb1), v, v, t)
	join(t)
	VPERMILPS(Imm(0x4e), v, t)
	join(t)
	VPERMILPS(Imm(0xb1), v, t)
	join(t)
}

func ret32(v reg.VecVirtual) {
	r, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	VMOVSS(v.AsX(), r.Addr)
	VZEROUPPER()
	RET()
}

// dot32 multiplies and adds in 64 lanes.
func dot32() {
	TEXT("foldDot", NOSPLIT, "func(n int, x *float32, y *float32) float32")
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	acc, v := zeroed(4), vecs(zmms(4))
	SUBQ(Imm(64), n)
	JL(LabelRef("tail"))
	Label("loop")
	for u := range v {
		VMOVUPS(Mem{Base: x, Disp: 64 * u}, v[u])
		VFMADD231PS(Mem{Base: y, Disp: 64 * u}, v[u], acc[u])
	}
	ADDQ(U32(256), x)
	ADDQ(U32(256), y)
	SUBQ(Imm(64), n)
	JGE(LabelRef("loop"))
	Label("tail")
	ADDQ(Imm(64), n)
	w := ZMM()
	for u := range v {
		m := lanesLeft(n, 16*u)
		VMOVUPS_Z(Mem{Base: x, Disp: 64 * u}, m, v[u])
		VMOVUPS_Z(Mem{Base: y, Disp: 64 * u}, m, w)
		VFMADD231PS(w, v[u], m, acc[u])
	}
	VADDPS(acc[2], acc[0], acc[0])
	VADDPS(acc[3], acc[1], acc[1])
	VADDPS(acc[1], acc[0], acc[0])
	halve(acc[0], func(t reg.VecVirtual) { VADDPS(t, acc[0], acc[0]) })
	ret32(acc[0])
}

// dot64 multiplies and adds in 32 lanes.
func dot64() {
	TEXT("foldDot64", NOSPLIT, "func(n int, x *float64, y *float64) float64")
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	acc, v := zeroed(4), vecs(zmms(4))
	loop32(n, func() {
		for u := range v {
			VMOVUPD(Mem{Base: x, Disp: 64 * u}, v[u])
			VFMADD231PD(Mem{Base: y, Disp: 64 * u}, v[u], acc[u])
		}
		ADDQ(U32(256), x)
		ADDQ(U32(256), y)
	})
	w := ZMM()
	for u := range v {
		m := lanesLeft(n, 8*u)
		VMOVUPD_Z(Mem{Base: x, Disp: 64 * u}, m, v[u])
		VMOVUPD_Z(Mem{Base: y, Disp: 64 * u}, m, w)
		VFMADD231PD(w, v[u], m, acc[u])
	}
	join64(acc)
	ret64(acc[0])
}

// addFourRows is foldRowSum of four rows, stride bytes apart, one after the other.
func addFourRows() {
	TEXT("foldFourRows", NOSPLIT, "func(n int, acc *float64, x *float32, stride int)")
	n := Load(Param("n"), GP64())
	acc, x, stride := Load(Param("acc"), GP64()), Load(Param("x"), GP64()), Load(Param("stride"), GP64())
	stride3 := GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	row := func(r, u int) Mem {
		m := Mem{Base: x, Disp: 32 * u}
		switch r {
		case 1, 2:
			m.Index, m.Scale = stride, uint8(r)
		case 3:
			m.Index, m.Scale = stride3, 1
		}
		return m
	}
	loop32(n, func() {
		for u := 0; u < 4; u++ {
			s, v := ZMM(), zmms(4)
			for r := range v {
				VCVTPS2PD(row(r, u), v[r])
			}
			VADDPD(Mem{Base: acc, Disp: 64 * u}, v[0], s)
			for _, w := range v[1:] {
				VADDPD(w, s, s)
			}
			VMOVUPD(s, Mem{Base: acc, Disp: 64 * u})
		}
		ADDQ(Imm(128), x)
		ADDQ(U32(256), acc)
	})
	for u := 0; u < 4; u++ {
		m := lanesLeft(n, 8*u)
		s, v := ZMM(), ZMM()
		VMOVUPD_Z(Mem{Base: acc, Disp: 64 * u}, m, s)
		for r := 0; r < 4; r++ {
			VCVTPS2PD_Z(row(r, u), m, v)
			VADDPD(v, s, s)
		}
		VMOVUPD(s, m, Mem{Base: acc, Disp: 64 * u})
	}
	VZEROUPPER()
	RET()
}

// expSum writes exp(x-m) and returns the sum, in the lanes of foldSum.
func expSum() {
	TEXT("foldExp", NOSPLIT, "func(n int, dst *float32, x *float32, m float32) float64")
	n, dst, x := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("x"), GP64())
	top := broadcastArg(Param("m"))
	k := expConstants()
	acc := zeroed(4)
	// halves adds the 16 elements of e to two registers of sums.
	halves := func(e reg.VecVirtual, a vecs, masks []reg.OpmaskVirtual) {
		lo, hi, y := ZMM(), ZMM(), YMM()
		VCVTPS2PD(e.AsY(), lo)
		VEXTRACTF32X8(Imm(1), e, y)
		VCVTPS2PD(y, hi)
		for i, v := range []reg.VecVirtual{lo, hi} {
			if masks != nil {
				VADDPD(v, a[i], masks[i], a[i])
			} else {
				VADDPD(v, a[i], a[i])
			}
		}
	}
	block := func(width int) {
		v := vecs(zmms(width))
		for u := range v {
			VMOVUPS(Mem{Base: x, Disp: 64 * u}, v[u])
			VSUBPS(top, v[u], v[u])
		}
		for u, e := range expSteps(v, k) {
			VMOVUPS(e, Mem{Base: dst, Disp: 64 * u})
			halves(e, acc[u%2*2:], nil)
		}
		ADDQ(U32(uint32(64*width)), x)
		ADDQ(U32(uint32(64*width)), dst)
	}
	for _, width := range []int{4, 2} {
		label := fmt.Sprint("by", width)
		SUBQ(Imm(uint64(16*width)), n)
		JL(LabelRef(label + "_end"))
		Label(label)
		block(width)
		SUBQ(Imm(uint64(16*width)), n)
		JGE(LabelRef(label))
		Label(label + "_end")
		ADDQ(Imm(uint64(16*width)), n)
	}
	v := vecs(zmms(2))
	for u := range v {
		m := lanesLeft(n, 16*u)
		VMOVUPS_Z(Mem{Base: x, Disp: 64 * u}, m, v[u])
		VSUBPS(top, v[u], v[u])
	}
	for u, e := range expSteps(v, k) {
		VMOVUPS(e, lanesLeft(n, 16*u), Mem{Base: dst, Disp: 64 * u})
		halves(e, acc[2*u:], []reg.OpmaskVirtual{lanesLeft(n, 16*u), lanesLeft(n, 16*u+8)})
	}
	join64(acc)
	ret64(acc[0])
}

// skipMaximum folds by an instruction that keeps its second operand where the first
// is nan, so that nans are passed over.
func skipMaximum(name string, f func(ops ...Op), start uint32) {
	TEXT(name, NOSPLIT, "func(n int, x *float32) float32")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	acc := vecs(zmms(4))
	for _, r := range acc {
		VBROADCASTSS(constantBits(start), r)
	}
	at := GP64()
	XORQ(at, at)
	countDown(n, at, 4, func(width int, mask *reg.OpmaskVirtual) {
		for u := 0; u < width; u++ {
			v := ZMM()
			m := Mem{Base: x, Index: at, Scale: 4, Disp: 64 * u}
			if mask != nil {
				VMOVAPS(acc[u], v)
				VMOVUPS(m, *mask, v)
			} else {
				VMOVUPS(m, v)
			}
			f(acc[u], v, acc[u])
		}
	})
	f(acc[2], acc[0], acc[0])
	f(acc[3], acc[1], acc[1])
	f(acc[1], acc[0], acc[0])
	halve(acc[0], func(t reg.VecVirtual) { f(t, acc[0], acc[0]) })
	ret32(acc[0])
}
