package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// compareFamily is what makes or reads booleans, a byte each.
func compareFamily() {
	for _, c := range []struct {
		name      string
		predicate uint64
		forms     []string
	}{{"Equal", 0, []string{"vv", "vs"}}, {"NotEqual", 4, []string{"vv", "vs"}},
		{"Less", 1, []string{"vv", "vs", "sv"}}, {"LessEqual", 2, []string{"vv", "vs", "sv"}}} {
		for _, f := range c.forms {
			compare("test"+c.name+map[string]string{"vv": "VV", "vs": "VS", "sv": "SV"}[f], f, c.predicate)
		}
	}
	for _, f := range []string{"vv", "vs", "sv"} {
		choose("choose"+map[string]string{"vv": "VV", "vs": "VS", "sv": "SV"}[f], f)
	}
	find()
}

// operands loads the arguments of a form and returns what reads them at an index.
func operands(form string) func(at reg.Register, disp int, mask *reg.OpmaskVirtual) []reg.VecVirtual {
	ptr, scalar := map[int]reg.Register{}, map[int]reg.VecVirtual{}
	for i, f := range form {
		arg := Param([]string{"x", "y"}[i])
		if f == 'v' {
			ptr[i] = Load(arg, GP64())
		} else {
			scalar[i] = broadcastArg(arg)
		}
	}
	return func(at reg.Register, disp int, mask *reg.OpmaskVirtual) []reg.VecVirtual {
		v := make([]reg.VecVirtual, len(form))
		for i := range form {
			if s, ok := scalar[i]; ok {
				v[i] = s
				continue
			}
			v[i] = ZMM()
			m := Mem{Base: ptr[i], Index: at, Scale: 4, Disp: 4 * disp}
			if mask != nil {
				VMOVUPS_Z(m, *mask, v[i])
			} else {
				VMOVUPS(m, v[i])
			}
		}
		return v
	}
}

func parameters(form string) string {
	p := ""
	for i, f := range form {
		p += ", " + []string{"x", "y"}[i] + " "
		if f == 'v' {
			p += "*"
		}
		p += "float32"
	}
	return p
}

func compare(name, form string, predicate uint64) {
	TEXT(name, NOSPLIT, "func(n int, dst *bool"+parameters(form)+")")
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	read := operands(form)
	ones := XMM()
	b := GP32()
	MOVL(U32(0x01010101), b)
	VPBROADCASTD(b, ones)
	at := GP64()
	XORQ(at, at)
	countDown(n, at, 4, func(width int, mask *reg.OpmaskVirtual) {
		for u := 0; u < width; u++ {
			v := read(at, 16*u, mask)
			k, r := K(), XMM()
			VCMPPS(Imm(predicate), v[1], v[0], k)
			VMOVDQU8_Z(ones, k, r)
			m := Mem{Base: dst, Index: at, Scale: 1, Disp: 16 * u}
			if mask != nil {
				VMOVDQU8(r, *mask, m)
			} else {
				VMOVDQU8(r, m)
			}
		}
	})
	VZEROUPPER()
	RET()
}

// choose takes x where the condition holds, else y, for any element of four bytes.
func choose(name, form string) {
	TEXT(name, NOSPLIT, "func(n int, dst *float32, cond *bool"+parameters(form)+")")
	n, dst, cond := Load(Param("n"), GP64()), Load(Param("dst"), GP64()), Load(Param("cond"), GP64())
	read := operands(form)
	at := GP64()
	XORQ(at, at)
	countDown(n, at, 4, func(width int, mask *reg.OpmaskVirtual) {
		for u := 0; u < width; u++ {
			v := read(at, 16*u, mask)
			k, c, r := K(), XMM(), ZMM()
			m := Mem{Base: cond, Index: at, Scale: 1, Disp: 16 * u}
			if mask != nil {
				VMOVDQU8_Z(m, *mask, c)
			} else {
				VMOVDQU8(m, c)
			}
			VPTESTMB(c, c, k)
			VBLENDMPS(v[0], v[1], k, r)
			to := Mem{Base: dst, Index: at, Scale: 4, Disp: 64 * u}
			if mask != nil {
				VMOVUPS(r, *mask, to)
			} else {
				VMOVUPS(r, to)
			}
		}
	})
	VZEROUPPER()
	RET()
}

// find returns the first index of v, or n.
func find() {
	TEXT("foldFind", NOSPLIT, "func(n int, x *float32, v float32) int")
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	v := broadcastArg(Param("v"))
	at, bits := GP64(), GP32()
	XORQ(at, at)
	SUBQ(Imm(16), n)
	JL(LabelRef("tail"))
	Label("loop")
	k := K()
	VCMPPS(Imm(0), Mem{Base: x, Index: at, Scale: 4}, v, k)
	KMOVW(k, bits)
	TESTL(bits, bits)
	JNZ(LabelRef("found"))
	ADDQ(Imm(16), at)
	SUBQ(Imm(16), n)
	JGE(LabelRef("loop"))
	Label("tail")
	ADDQ(Imm(16), n)
	m := lanesLeft(n, 0)
	w := ZMM()
	VMOVUPS_Z(Mem{Base: x, Index: at, Scale: 4}, m, w)
	VCMPPS(Imm(0), w, v, m, k)
	KMOVW(k, bits)
	TESTL(bits, bits)
	JNZ(LabelRef("found"))
	ADDQ(n, at)
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
	Label("found")
	TZCNTL(bits, bits)
	ADDQ(bits.As64(), at)
	Store(at, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
