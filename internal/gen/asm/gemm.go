package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A microkernel computes a block of c of rows × two vectors: for each step of k it
// multiplies one element of each row of a with two vectors of b.

// elem is an element type as the microkernels see it.
type elem struct {
	prefix, goType string
	size, lanes    int // bytes of an element, elements of a ZMM register
	load           func(ops ...Op)
	loadMasked     func(ops ...Op)
	broadcast      func(ops ...Op)
	fma, add       func(ops ...Op)
}

var single = elem{"s", "float32", 4, 16, op(VMOVUPS), op(VMOVUPS_Z), op(VBROADCASTSS), op(VFMADD231PS), op(VADDPS)}
var double = elem{"d", "float64", 8, 8, op(VMOVUPD), op(VMOVUPD_Z), op(VBROADCASTSD), op(VFMADD231PD), op(VADDPD)}

// op gives avo's instructions, some of which have fixed operand counts, one type.
func op(f any) func(ops ...Op) {
	switch f := f.(type) {
	case func(...Op):
		return f
	case func(Op, Op):
		return func(o ...Op) { f(o[0], o[1]) }
	case func(Op, Op, Op):
		return func(o ...Op) { f(o[0], o[1], o[2]) }
	case func(Op, Op, Op, Op):
		return func(o ...Op) { f(o[0], o[1], o[2], o[3]) }
	}
	panic(fmt.Sprintf("%T", f))
}

// maxRows is how many rows fit the registers of each tier.
const (
	rows512 = 12
	rows256 = 6
)

func gemmFamily() {
	for rows := 1; rows <= rows512; rows++ {
		for _, e := range []elem{single, double} {
			for wide := 1; wide <= 2; wide++ {
				micro512(e, rows, wide, false)
				micro512(e, rows, wide, true)
			}
		}
	}
	for rows := 1; rows <= rows256; rows++ {
		micro256(single, rows)
		micro256(double, rows)
	}
	packRows()
	packPanel()
	packSteps()
	transpose16()
}

// prefetchAhead is how many steps of k ahead the rows of a packed b are fetched.
const prefetchAhead = 8

// signature of a microkernel: k steps; a with the bytes between its steps (packed)
// or its rows (direct); b with the bytes between its steps; c with the bytes between
// its rows; which columns exist; and whether c is added to.
func signature(e elem, mask bool) string {
	m := ""
	if mask {
		m = ", mask uint32"
	}
	return fmt.Sprintf("func(k int, a *%[1]s, as int, b *%[1]s, bs int, c *%[1]s, cs int%[2]s, acc int)", e.goType, m)
}

func masks(e elem) (reg.OpmaskVirtual, reg.OpmaskVirtual) {
	m := Load(Param("mask"), GP32())
	hi := GP32()
	MOVL(m, hi)
	SHRL(Imm(uint64(e.lanes)), hi)
	ANDL(U32(1<<e.lanes-1), m)
	ANDL(U32(1<<e.lanes-1), hi)
	k1, k2 := K(), K()
	KMOVW(m, k1)
	KMOVW(hi, k2)
	return k1, k2
}

// rowBases keeps a pointer to every third row; the rows between are reached by
// scaled indexing.
func rowBases(a, as reg.Register, rows int) []reg.Register {
	as3 := GP64()
	LEAQ(Mem{Base: as, Index: as, Scale: 2}, as3)
	bases := []reg.Register{a}
	for i := 3; i < rows; i += 3 {
		n := GP64()
		LEAQ(Mem{Base: bases[len(bases)-1], Index: as3, Scale: 1}, n)
		bases = append(bases, n)
	}
	return bases
}

// micro512 computes rows × wide vectors; direct says that a is read by its rows.
func micro512(e elem, rows, wide int, direct bool) {
	form := map[bool]string{false: "Packed", true: "Direct"}[direct]
	if wide == 1 {
		form = "Narrow" + form
	}
	TEXT(fmt.Sprintf("%sgemm%s%d", e.prefix, form, rows), NOSPLIT, signature(e, true))
	k := Load(Param("k"), GP64())
	a, as := Load(Param("a"), GP64()), Load(Param("as"), GP64())
	b, bs := Load(Param("b"), GP64()), Load(Param("bs"), GP64())
	k1, k2 := masks(e)
	mask := []reg.OpmaskVirtual{k1, k2}[:wide]
	acc := make([][]reg.VecVirtual, rows)
	for i := range acc {
		acc[i] = zmms(wide)
		for _, r := range acc[i] {
			VPXORQ(r, r, r)
		}
	}
	bases := []reg.Register{a}
	if direct {
		bases = rowBases(a, as, rows)
	}
	v := zmms(wide)
	t := zmms(2)
	step := func(u int) {
		for j := range v {
			e.loadMasked(Mem{Base: b, Disp: 64 * j}, mask[j], v[j])
		}
		for j := range v {
			if !direct {
				PREFETCHT0(Mem{Base: b, Disp: 128*prefetchAhead + 64*j})
			}
		}
		for i := range acc {
			m := Mem{Base: a, Disp: e.size * i}
			if direct {
				m = Mem{Base: bases[i/3], Disp: e.size * u}
				if i%3 > 0 {
					m.Index, m.Scale = as, uint8(i%3)
				}
			}
			e.broadcast(m, t[i%2])
			for j := range v {
				e.fma(v[j], t[i%2], acc[i][j])
			}
		}
		ADDQ(bs, b)
		if !direct {
			ADDQ(as, a)
		}
	}
	advance := func(steps int) {
		for _, r := range bases {
			if direct {
				ADDQ(Imm(uint64(e.size*steps)), r)
			}
		}
	}
	prefetchRows(rows)
	unrolled(k, 4, step, advance)
	storeBlock(e, acc, v, mask)
}

// storeBlock writes or adds the sums to c.
func storeBlock(e elem, acc [][]reg.VecVirtual, v []reg.VecVirtual, mask []reg.OpmaskVirtual) {
	c, cs := Load(Param("c"), GP64()), Load(Param("cs"), GP64())
	flag := Load(Param("acc"), GP64())
	TESTQ(flag, flag)
	JZ(LabelRef("store"))
	c2 := GP64()
	MOVQ(c, c2)
	for i := range acc {
		for j := range v {
			e.loadMasked(Mem{Base: c2, Disp: 64 * j}, mask[j], v[j])
			e.add(v[j], acc[i][j], acc[i][j])
		}
		ADDQ(cs, c2)
	}
	Label("store")
	for i := range acc {
		for j := range v {
			e.load(acc[i][j], mask[j], Mem{Base: c, Disp: 64 * j})
		}
		ADDQ(cs, c)
	}
	VZEROUPPER()
	RET()
}

// prefetchRows fetches the block of c while the product is computed.
func prefetchRows(rows int) {
	c, cs := Load(Param("c"), GP64()), Load(Param("cs"), GP64())
	for i := 0; i < rows; i++ {
		PREFETCHT0(Mem{Base: c})
		PREFETCHT0(Mem{Base: c, Disp: 64})
		if i < rows-1 {
			ADDQ(cs, c)
		}
	}
}

// unrolled runs step n times, by factors at a time; advance follows each group.
func unrolled(n reg.Register, factor int, step, advance func(int)) {
	SUBQ(Imm(uint64(factor)), n)
	JL(LabelRef("tail"))
	Label("loop")
	for u := 0; u < factor; u++ {
		step(u)
	}
	advance(factor)
	SUBQ(Imm(uint64(factor)), n)
	JGE(LabelRef("loop"))
	Label("tail")
	ADDQ(Imm(uint64(factor)), n)
	JLE(LabelRef("done"))
	Label("single")
	step(0)
	advance(1)
	DECQ(n)
	JG(LabelRef("single"))
	Label("done")
}

// micro256 is the AVX2 form: both operands packed, whole vectors only.
func micro256(e elem, rows int) {
	TEXT(fmt.Sprintf("%sgemmHalf%d", e.prefix, rows), NOSPLIT, signature(e, false))
	k := Load(Param("k"), GP64())
	a, as := Load(Param("a"), GP64()), Load(Param("as"), GP64())
	b, bs := Load(Param("b"), GP64()), Load(Param("bs"), GP64())
	acc := make([][2]reg.VecVirtual, rows)
	for i := range acc {
		for j := range acc[i] {
			acc[i][j] = YMM()
			VXORPS(acc[i][j], acc[i][j], acc[i][j])
		}
	}
	b0, b1 := YMM(), YMM()
	t := [2]reg.VecVirtual{YMM(), YMM()}
	step := func(int) {
		e.load(Mem{Base: b}, b0)
		e.load(Mem{Base: b, Disp: 32}, b1)
		for i := range acc {
			e.broadcast(Mem{Base: a, Disp: e.size * i}, t[i%2])
			e.fma(b0, t[i%2], acc[i][0])
			e.fma(b1, t[i%2], acc[i][1])
		}
		ADDQ(bs, b)
		ADDQ(as, a)
	}
	unrolled(k, 4, step, func(int) {})
	c, cs := Load(Param("c"), GP64()), Load(Param("cs"), GP64())
	flag := Load(Param("acc"), GP64())
	TESTQ(flag, flag)
	JZ(LabelRef("store"))
	c2 := GP64()
	MOVQ(c, c2)
	for i := range acc {
		e.add(Mem{Base: c2}, acc[i][0], acc[i][0])
		e.add(Mem{Base: c2, Disp: 32}, acc[i][1], acc[i][1])
		ADDQ(cs, c2)
	}
	Label("store")
	for i := range acc {
		e.load(acc[i][0], Mem{Base: c})
		e.load(acc[i][1], Mem{Base: c, Disp: 32})
		ADDQ(cs, c)
	}
	VZEROUPPER()
	RET()
}

// packRows interleaves four rows, n16 blocks of 16 elements each: element k of row r
// goes to dst[k*ds+r].
func packRows() {
	TEXT("packFour", NOSPLIT, "func(src *float32, ss int, dst *float32, ds int, n16 int)")
	src, ss := Load(Param("src"), GP64()), Load(Param("ss"), GP64())
	dst, ds := Load(Param("dst"), GP64()), Load(Param("ds"), GP64())
	n := Load(Param("n16"), GP64())
	ss3, ds3, ds4 := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: ss, Index: ss, Scale: 2}, ss3)
	LEAQ(Mem{Base: ds, Index: ds, Scale: 2}, ds3)
	LEAQ(Mem{Base: ds, Index: ds3, Scale: 1}, ds4)
	r := zmms(4)
	s := zmms(4)
	d := GP64()
	Label("loop")
	VMOVUPS(Mem{Base: src}, r[0])
	VMOVUPS(Mem{Base: src, Index: ss, Scale: 1}, r[1])
	VMOVUPS(Mem{Base: src, Index: ss, Scale: 2}, r[2])
	VMOVUPS(Mem{Base: src, Index: ss3, Scale: 1}, r[3])
	interleave4(r, s)
	MOVQ(dst, d)
	for l := 0; l < 4; l++ {
		to := []Mem{{Base: d}, {Base: d, Index: ds, Scale: 1}, {Base: d, Index: ds, Scale: 2}, {Base: d, Index: ds3, Scale: 1}}
		for j := 0; j < 4; j++ {
			VEXTRACTF32X4(Imm(uint64(l)), r[j], to[j])
		}
		ADDQ(ds4, d)
	}
	MOVQ(d, dst)
	ADDQ(Imm(64), src)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// interleave4 transposes the 4×4 blocks in the 128-bit lanes of four registers.
func interleave4(r, s []reg.VecVirtual) {
	VUNPCKLPS(r[1], r[0], s[0])
	VUNPCKHPS(r[1], r[0], s[1])
	VUNPCKLPS(r[3], r[2], s[2])
	VUNPCKHPS(r[3], r[2], s[3])
	VUNPCKLPD(s[2], s[0], r[0])
	VUNPCKHPD(s[2], s[0], r[1])
	VUNPCKLPD(s[3], s[1], r[2])
	VUNPCKHPD(s[3], s[1], r[3])
}

func zmms(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = ZMM()
	}
	return v
}

// packPanel copies n rows of 128 bytes, ss bytes apart, side by side; columns outside
// the mask become zero.
func packPanel() {
	TEXT("packPanel", NOSPLIT, "func(src *float32, ss int, dst *float32, n int, mask uint32)")
	src, ss := Load(Param("src"), GP64()), Load(Param("ss"), GP64())
	dst, n := Load(Param("dst"), GP64()), Load(Param("n"), GP64())
	k1, k2 := masks(single)
	a, b := ZMM(), ZMM()
	Label("loop")
	VMOVUPS_Z(Mem{Base: src}, k1, a)
	VMOVUPS_Z(Mem{Base: src, Disp: 64}, k2, b)
	VMOVUPS(a, Mem{Base: dst})
	VMOVUPS(b, Mem{Base: dst, Disp: 64})
	ADDQ(ss, src)
	ADDQ(Imm(128), dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// packSteps copies n rows of at most 128 bytes, ss bytes apart, to rows ds bytes apart;
// the mask says which floats.
func packSteps() {
	TEXT("packSteps", NOSPLIT, "func(src *float32, ss int, dst *float32, ds int, n int, mask uint32)")
	src, ss := Load(Param("src"), GP64()), Load(Param("ss"), GP64())
	dst, ds := Load(Param("dst"), GP64()), Load(Param("ds"), GP64())
	n := Load(Param("n"), GP64())
	k1, k2 := masks(single)
	a, b := ZMM(), ZMM()
	Label("loop")
	VMOVUPS_Z(Mem{Base: src}, k1, a)
	VMOVUPS_Z(Mem{Base: src, Disp: 64}, k2, b)
	VMOVUPS(a, k1, Mem{Base: dst})
	VMOVUPS(b, k2, Mem{Base: dst, Disp: 64})
	ADDQ(ss, src)
	ADDQ(ds, dst)
	DECQ(n)
	JG(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// transpose16 transposes a 16×16 block; strides are in bytes.
func transpose16() {
	TEXT("transpose16", NOSPLIT, "func(src *float32, ss int, dst *float32, ds int)")
	src, ss := Load(Param("src"), GP64()), Load(Param("ss"), GP64())
	dst, ds := Load(Param("dst"), GP64()), Load(Param("ds"), GP64())
	r, t := zmms(16), zmms(16)
	for i := range r {
		VMOVUPS(Mem{Base: src}, r[i])
		ADDQ(ss, src)
	}
	for g := 0; g < 16; g += 4 {
		interleave4(r[g:g+4], t[g:g+4])
	}
	// Lane l of r[4g+j] now holds column 4l+j of rows 4g to 4g+3.
	for j := 0; j < 4; j++ {
		a, b, c, d := r[j], r[4+j], r[8+j], r[12+j]
		x0, x1, x2, x3 := t[j], t[4+j], t[8+j], t[12+j]
		VSHUFF32X4(Imm(0x88), b, a, x0)
		VSHUFF32X4(Imm(0xdd), b, a, x1)
		VSHUFF32X4(Imm(0x88), d, c, x2)
		VSHUFF32X4(Imm(0xdd), d, c, x3)
		VSHUFF32X4(Imm(0x88), x2, x0, a)
		VSHUFF32X4(Imm(0xdd), x2, x0, c)
		VSHUFF32X4(Imm(0x88), x3, x1, b)
		VSHUFF32X4(Imm(0xdd), x3, x1, d)
	}
	for i := range r {
		VMOVUPS(r[i], Mem{Base: dst})
		ADDQ(ds, dst)
	}
	VZEROUPPER()
	RET()
}
