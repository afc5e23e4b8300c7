//go:build ignore

// genrun writes run.go, the run loop. Its form is fixed by measurement: only the
// activation ci, pc and the slot base bp live across iterations; every slow path
// is a noinline call that returns (ci, pc). Run by go generate.
package main

import (
	"fmt"
	"go/format"
	"os"
	"strings"
)

const (
	dst   = "(*Value)(unsafe.Add(bp, uintptr(in.A)))"
	next  = "pc = unsafe.Add(pc, isz); continue"
	jumpA = "pc = unsafe.Add(pc, int(int16(in.A))*int(isz)); continue"
	float = "unsafe.Pointer(&value.FloatTag)"
)

func slowPath(f string) string { return "ci, pc = " + f + "(ci, pc); bp = ci.base; continue" }

func setInt(x string) string {
	return "d := " + dst + "; if d.P != nil { if (*Header)(d.P).Own != 0 { " + slowPath("dropDst") + " }; d.P = nil }; d.N = uint64(" + x + "); " + next
}

func setFloat(x string) string {
	return "d := " + dst + "; if d.P != " + float + " { if d.P != nil && (*Header)(d.P).Own != 0 { " + slowPath("dropDst") + " }; d.P = " + float + " }; d.N = math.Float64bits(" + x + "); " + next
}

func intOp(op, b string) string {
	switch op {
	case "Add":
		return "r := int64(a.N) + int64(" + b + "); if (r^int64(a.N))&(r^int64(" + b + ")) >= 0 { " + setInt("r") + " }"
	case "Sub":
		return "r := int64(a.N) - int64(" + b + "); if (int64(a.N)^int64(" + b + "))&(r^int64(a.N)) >= 0 { " + setInt("r") + " }"
	case "Mul":
		return "if int64(int32(a.N)) == int64(a.N) && int64(int32(" + b + ")) == int64(" + b + ") { " + setInt("int64(a.N)*int64("+b+")") + " } else if int64(a.N|" + b + ") >= 0 { if hi, lo := bits.Mul64(a.N, " + b + "); hi == 0 && int64(lo) >= 0 { " + setInt("lo") + " } }"
	case "Mod":
		return "if " + b + " != 0 { if (a.N|" + b + ")>>32 == 0 { " + setInt("uint32(a.N)%uint32("+b+")") + " } }"
	case "FloorDiv":
		return "if " + b + " != 0 { if (a.N|" + b + ")>>32 == 0 { " + setInt("uint32(a.N)/uint32("+b+")") + " } }"
	case "Div":
		return "if " + b + " != 0 && fits53(a.N) && fits53(" + b + ") { " + setFloat("float64(int64(a.N))/float64(int64("+b+"))") + " }"
	}
	return ""
}

func floatOp(op, b string) string {
	if s, ok := map[string]string{"Add": "+", "Sub": "-", "Mul": "*"}[op]; ok {
		return setFloat("a.Float64() " + s + " " + b)
	}
	if op == "Div" {
		return "if " + b + " != 0 { " + setFloat("a.Float64() / "+b) + " }"
	}
	return ""
}

const (
	readA = "a := (*Value)(unsafe.Add(bp, uintptr(in.B)))"
	readB = "b := (*Value)(unsafe.Add(bp, uintptr(in.C)))"
)

func arith(o *strings.Builder) {
	for _, op := range []string{"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod"} {
		slow := slowPath("slowBin")
		fmt.Fprintf(o, "case code.%sSS: %s; %s; if a.P == nil && b.P == nil { %s } else if a.P == %s && b.P == %s { %s }; %s\n", op, readA, readB, intOp(op, "b.N"), float, float, floatOp(op, "b.Float64()"), slow)
		fmt.Fprintf(o, "case code.%sSI: %s; k := in.K; if a.P == nil { %s }; %s\n", op, readA, intOp(op, "k"), slow)
		fmt.Fprintf(o, "case code.%sSF: %s; k := math.Float64frombits(in.K); _ = k; if a.P == %s { %s }; %s\n", op, readA, float, floatOp(op, "k"), slow)
	}
	for op, s := range map[string]string{"opAnd": "&", "opOr": "|", "opXor": "^"} {
		fmt.Fprintf(o, "case %s: %s; %s; if a.P == nil && b.P == nil { %s }; %s\n", op, readA, readB, setInt("a.N "+s+" b.N"), slowPath("slowBits"))
	}
}

func compares(o *strings.Builder) {
	back := "ci.th.budget--; if ci.th.budget < 0 { " + slowPath("tick") + " }; " + jumpA
	for _, c := range [][2]string{{"LT", "<"}, {"LE", "<="}, {"GT", ">"}, {"GE", ">="}, {"EQ", "=="}, {"NE", "!="}} {
		for _, f := range [][3]string{{"J" + c[0], next, jumpA}, {"J" + c[0] + "Back", back, next}} {
			yes, no, slow := f[1], f[2], slowPath("slowCmp")
			fmt.Fprintf(o, "case code.%sSS: %s; %s; if a.P == nil && b.P == nil { if int64(a.N) %s int64(b.N) { %s }; %s } else if a.P == %s && b.P == %s { if a.Float64() %s b.Float64() { %s }; %s }; %s\n", f[0], readA, readB, c[1], yes, no, float, float, c[1], yes, no, slow)
			fmt.Fprintf(o, "case code.%sSI: %s; if a.P == nil { if int64(a.N) %s int64(in.K) { %s }; %s }; %s\n", f[0], readA, c[1], yes, no, slow)
			fmt.Fprintf(o, "case code.%sSF: %s; if a.P == %s { if a.Float64() %s math.Float64frombits(in.K) { %s }; %s }; %s\n", f[0], readA, float, c[1], yes, no, slow)
		}
	}
}

// copyTo is the move of counted-aware value x to slot d; slow finishes a counted one.
func copyTo(x, d string) string {
	return "x, d := " + x + ", " + d + "; if d.P != x.P { if x.P != nil && (*Header)(x.P).Own != 0 || d.P != nil && (*Header)(d.P).Own != 0 { ci, pc = copyCounted(ci, pc, x); bp = ci.base; continue }; d.P = x.P }; d.N = x.N"
}

// storeTo is the store of slot A into cell c.
func storeTo(c, slow string) string {
	return "c, x := " + c + ", *" + dst + "; if c.v.P != x.P { if c.v.P == unsafe.Pointer(&value.UnboundTag) || c.Header.Flags != 0 || x.P != nil && (*Header)(x.P).Own != 0 || c.v.P != nil && (*Header)(c.v.P).Own != 0 { " + slowPath(slow) + " }; c.v.P = x.P } else if c.Header.Flags != 0 { " + slowPath(slow) + " }; c.v.N = x.N; " + next
}

func loadCell(c string) string {
	return "x := " + c + ".v; if x.P == unsafe.Pointer(&value.UnboundTag) { " + slowPath("misc") + " }; { " + copyTo("x", dst) + " }; " + next
}

func mulAdd(op, f, i, check string) string {
	return `case code.` + op + `:
	x := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	y := (*Value)(unsafe.Add(bp, uintptr(in.C)))
	z := (*Value)(unsafe.Add(bp, uintptr(in.K)))
	if x.P == ` + float + ` && y.P == ` + float + ` && z.P == ` + float + ` {
		m := float64(x.Float64() * y.Float64())
		` + setFloat(f) + `
	}
	if x.P == nil && y.P == nil && z.P == nil && int64(int32(x.N)) == int64(x.N) && int64(int32(y.N)) == int64(y.N) {
		m := int64(x.N) * int64(y.N)
		if r := ` + i + `; ` + check + ` >= 0 { ` + setInt("r") + ` }
	}
	` + slowPath("slowMulAdd") + "\n"
}

// bitsI is a LoadI whose temporary is the second operand of the next instruction.
func bitsI(op, sign string) string {
	return `case ` + op + `:
	x := (*Instr)(unsafe.Add(pc, isz))
	a, d := (*Value)(unsafe.Add(bp, uintptr(x.B))), (*Value)(unsafe.Add(bp, uintptr(x.A)))
	if a.P == nil && d.P == nil {
		d.N = a.N ` + sign + ` in.K
		pc = unsafe.Add(pc, 2*isz)
		continue
	}
	{ ` + setInt("in.K") + ` }
`
}

// enterFunc is the call of fn with n arguments at window nb.
func enterFunc(n, nb string) string {
	return `nc := fn.code
	if n := ci.next; n != nil && nc.nparams == ` + n + ` && uintptr(` + nb + `) < uintptr(ci.th.lim) {
		if ci.th.budget--; ci.th.budget >= 0 {
			ci.pc = pc
			ci.dst = uintptr(in.C)
			ci = n
			ci.base = ` + nb + `
			if ci.fn != fn { ci.fn = fn; ci.code = nc } else if ci.code != nc { ci.code = nc }
			bp = ` + nb + `
			pc = nc.entry
			continue
		}
		` + slowPath("tick") + `
	}`
}

func main() {
	var o strings.Builder
	o.WriteString(head)
	arith(&o)
	compares(&o)
	o.WriteString(body)
	src, err := format.Source([]byte(o.String()))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		_ = os.WriteFile("run.go.bad", []byte(o.String()), 0o644)
		os.Exit(1)
	}
	if err := os.WriteFile("run.go", src, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const head = `// Code generated by genrun.go; DO NOT EDIT.

package lang

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// run executes from pc in frame ci until a Halt: see genrun.go for its form.
func run(ci *Frame, pc unsafe.Pointer) {
	bp := ci.base
	for {
		in := (*Instr)(pc)
		switch in.Op {
`

var body = `case code.Move:
	{ ` + copyTo("*(*Value)(unsafe.Add(bp, uintptr(in.B)))", dst) + ` }
case opMove2:
	x, d := (*Value)(unsafe.Add(bp, uintptr(in.B))), (*Value)(unsafe.Add(bp, uintptr(in.A)))
	if d.P != x.P {
		if x.P != nil && (*Header)(x.P).Own != 0 || d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("single") + ` }
		d.P = x.P
	}
	d.N = x.N
	pc = unsafe.Add(pc, isz)
	in = (*Instr)(pc)
	{ ` + copyTo("*(*Value)(unsafe.Add(bp, uintptr(in.B)))", dst) + ` }
` + bitsI("opAndI", "&") + bitsI("opOrI", "|") + bitsI("opXorI", "^") + `
case opMulAdd:
	x, y := (*Value)(unsafe.Add(bp, uintptr(in.B))), (*Value)(unsafe.Add(bp, uintptr(in.C)))
	n := (*Instr)(unsafe.Add(pc, isz))
	z, d := (*Value)(unsafe.Add(bp, uintptr(n.B))), (*Value)(unsafe.Add(bp, uintptr(n.A)))
	if x.P == ` + float + ` && y.P == ` + float + ` && z.P == ` + float + ` && (d.P == nil || (*Header)(d.P).Own == 0) {
		m := float64(x.Float64() * y.Float64())
		m += z.Float64()
		if d.P != ` + float + ` { d.P = ` + float + ` }
		d.N = math.Float64bits(m)
		pc = unsafe.Add(pc, 2*isz)
		continue
	}
	if x.P == nil && y.P == nil && z.P == nil && d.P == nil && int64(int32(x.N)) == int64(x.N) && int64(int32(y.N)) == int64(y.N) {
		m := int64(x.N) * int64(y.N)
		if r := int64(z.N) + m; (r^int64(z.N))&(r^m) >= 0 {
			d.N = uint64(r)
			pc = unsafe.Add(pc, 2*isz)
			continue
		}
	}
	` + slowPath("single") + `
case opMulAddF:
	x := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	n := (*Instr)(unsafe.Add(pc, isz))
	d := (*Value)(unsafe.Add(bp, uintptr(n.A)))
	if x.P == ` + float + ` && (d.P == nil || (*Header)(d.P).Own == 0) {
		m := float64(x.Float64() * math.Float64frombits(in.K))
		m += math.Float64frombits(n.K)
		if d.P != ` + float + ` { d.P = ` + float + ` }
		d.N = math.Float64bits(m)
		pc = unsafe.Add(pc, 2*isz)
		continue
	}
	` + slowPath("single") + `
case opAddLoop:
	x := (*Value)(unsafe.Add(bp, uintptr(in.A)))
	if x.P == nil {
		if r := int64(x.N) + int64(in.K); (r^int64(x.N))&(r^int64(in.K)) >= 0 {
			n := (*Instr)(unsafe.Add(pc, isz))
			limit := n.K
			if n.Op == code.JLTBackSS {
				y := (*Value)(unsafe.Add(bp, uintptr(n.C)))
				if y.P != nil { ` + slowPath("single") + ` }
				limit = y.N
			}
			if r < int64(limit) {
				ci.th.budget--
				if ci.th.budget < 0 { ` + slowPath("tick") + ` }
				x.N = uint64(r)
				pc = unsafe.Add(pc, (int(int16(n.A))+1)*int(isz))
				continue
			}
			x.N = uint64(r)
			pc = unsafe.Add(pc, 2*isz)
			continue
		}
	}
	` + slowPath("single") + `
case opGetItem2:
	o, i := (*Value)(unsafe.Add(bp, uintptr(in.B))), (*Value)(unsafe.Add(bp, uintptr(in.C)))
	if i.P == nil && o.P != nil && (*Header)(o.P).Kind == value.KindList {
		l := (*List)(o.P)
		if i.N < uint64(len(l.items)) {
			t := (*Value)(unsafe.Pointer(&l.items[i.N])).P
			n := (*Instr)(unsafe.Add(pc, isz))
			k, d := (*Value)(unsafe.Add(bp, uintptr(n.C))), (*Value)(unsafe.Add(bp, uintptr(n.A)))
			if k.P == nil && t != nil && (*Header)(t).Kind == value.KindList && (d.P == nil || (*Header)(d.P).Own == 0) {
				m := (*List)(t)
				if k.N < uint64(len(m.items)) {
					x := *(*Value)(unsafe.Pointer(&m.items[k.N]))
					if d.P != x.P { d.P = x.P }
					d.N = x.N
					pc = unsafe.Add(pc, 2*isz)
					continue
				}
			}
		}
	}
	` + slowPath("single") + `
case code.LoadI:
	` + setInt("in.K") + `
case code.LoadF:
	` + setFloat("math.Float64frombits(in.K)") + `
case code.LoadNone:
	d := ` + dst + `
	if d.P != unsafe.Pointer(&value.NoneTag) {
		if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
		d.P = unsafe.Pointer(&value.NoneTag)
	}
	d.N = 0
case code.LoadBool:
	d := ` + dst + `
	if d.P != unsafe.Pointer(&value.BoolTag) {
		if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
		d.P = unsafe.Pointer(&value.BoolTag)
	}
	d.N = in.K
case code.LoadK:
	{ ` + copyTo("*(*Value)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.consts)), uintptr(in.K)))", dst) + ` }
case code.GetGlobal:
	` + loadCell("(*(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.gs)), uintptr(in.K))))") + `
case code.SetGlobal:
	` + slowPath("misc") + `
case opSetGlobal1:
	` + storeTo("*(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.gs)), uintptr(in.K)))", "misc") + `
case code.GetFree:
	` + loadCell("(*(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.fn.free)), uintptr(in.B))))") + `
case code.SetFree:
	` + storeTo("*(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.fn.free)), uintptr(in.B)))", "misc") + `
case code.GetCell:
	` + loadCell("(*Cell)((*Value)(unsafe.Add(bp, uintptr(in.B))).P)") + `
case code.SetCell:
	` + storeTo("(*Cell)((*Value)(unsafe.Add(bp, uintptr(in.B))).P)", "misc") + `
case code.Jump:
	pc = unsafe.Add(pc, int(int64(in.K))*int(isz))
	continue
case code.JumpBack:
	ci.th.budget--
	if ci.th.budget < 0 { ` + slowPath("tick") + ` }
	pc = unsafe.Add(pc, int(int64(in.K))*int(isz))
	continue
case code.JumpF:
	v := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if v.P == nil || v.P == unsafe.Pointer(&value.BoolTag) {
		if v.N == 0 { ` + jumpA + ` }
		break
	}
	` + slowPath("slowTruth") + `
case code.JumpT:
	v := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if v.P == nil || v.P == unsafe.Pointer(&value.BoolTag) {
		if v.N != 0 { ` + jumpA + ` }
		break
	}
	` + slowPath("slowTruth") + `
case code.JumpNone:
	if (*Value)(unsafe.Add(bp, uintptr(in.B))).P == unsafe.Pointer(&value.NoneTag) { ` + jumpA + ` }
case code.JumpNotNone:
	if (*Value)(unsafe.Add(bp, uintptr(in.B))).P != unsafe.Pointer(&value.NoneTag) { ` + jumpA + ` }
case code.JumpUnbound:
	if (*Value)(unsafe.Add(bp, uintptr(in.B))).P == unsafe.Pointer(&value.UnboundTag) { ` + jumpA + ` }
case code.ForLoop:
	s := (*Value)(unsafe.Add(bp, uintptr(in.A)))
	ix := (*Value)(unsafe.Add(bp, uintptr(in.A)+vsz))
	ci.th.budget--
	if ci.th.budget < 0 { ` + slowPath("tick") + ` }
	if s.P == nil {
		i := int64(ix.N)
		if i < int64(s.N) && in.C != 0 {
			t := (*Value)(unsafe.Add(bp, uintptr(in.B)))
			if t.P != nil {
				if (*Header)(t.P).Own != 0 { ` + slowPath("dropTarget") + ` }
				t.P = nil
			}
			t.N = uint64(i)
			ix.N = uint64(i + 1)
			pc = unsafe.Add(pc, int(int16(in.C))*int(isz))
			continue
		}
		if i < int64(s.N) { ` + slowPath("farFor") + ` }
	} else if (*Header)(s.P).Kind == value.KindList {
		l := (*List)(s.P)
		if ix.N < uint64(len(l.items)) && in.C != 0 {
			x, d := *(*Value)(unsafe.Pointer(&l.items[ix.N])), (*Value)(unsafe.Add(bp, uintptr(in.B)))
			if d.P != x.P {
				if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropTarget") + ` }
				d.P = x.P
			}
			d.N = x.N
			ix.N++
			pc = unsafe.Add(pc, int(int16(in.C))*int(isz))
			continue
		}
		` + slowPath("farFor") + `
	} else if (*Header)(s.P).Kind == value.KindRange {
		r, d := (*Range)(s.P), (*Value)(unsafe.Add(bp, uintptr(in.B)))
		if int64(ix.N) < r.n && in.C != 0 && d.P == nil {
			d.N = uint64(r.Start + int64(ix.N)*r.Step)
			ix.N++
			pc = unsafe.Add(pc, int(int16(in.C))*int(isz))
			continue
		}
		` + slowPath("slowFor") + `
	} else {
		` + slowPath("slowFor") + `
	}
case code.ModMagic:
	a := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if a.P == nil && int64(a.N) >= 0 {
		x := (*Instr)(unsafe.Add(pc, isz))
		q, _ := bits.Mul64(x.K, a.N)
		r := a.N - (q>>(x.A&63))*in.K
		d := ` + dst + `
		if d.P != nil {
			if (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
			d.P = nil
		}
		d.N = r
		pc = unsafe.Add(pc, 3*isz)
		continue
	}
	pc = unsafe.Add(pc, 2*isz)
	continue
` + mulAdd("MulAddR", "z.Float64() + m", "int64(z.N) + m", "(r^int64(z.N))&(r^m)") +
	mulAdd("MulSubR", "z.Float64() - m", "int64(z.N) - m", "(int64(z.N)^m)&(r^int64(z.N))") +
	mulAdd("MulAddL", "m + z.Float64()", "int64(z.N) + m", "(r^int64(z.N))&(r^m)") + `
case code.Call:
	f := (*Value)(unsafe.Add(bp, uintptr(in.A)))
	if f.P != nil && (*Header)(f.P).Kind == value.KindFunc {
		fn := (*Func)(f.P)
		nb := unsafe.Add(unsafe.Pointer(f), vsz)
		` + enterFunc("int(in.B)", "nb") + `
	}
	` + slowPath("slowCall") + `
case code.CallGlobal:
	f := (*(**Cell)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.gs)), uintptr(in.K)))).v
	if f.P != nil && (*Header)(f.P).Kind == value.KindFunc {
		fn := (*Func)(f.P)
		nb := unsafe.Add(bp, uintptr(in.A))
		` + enterFunc("int(in.B)", "nb") + `
	}
	` + slowPath("slowCallGlobal") + `
case code.CallMethod:
	o := (*Value)(unsafe.Add(bp, uintptr(in.A)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindInstance {
		ic := (*attrIC)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.ics)), uintptr(in.K)*unsafe.Sizeof(attrIC{})))
		if (*Instance)(o.P).shape == ic.shape && ic.epoch == ci.th.epoch && ic.fn != nil {
			fn := ic.fn
			` + enterFunc("int(in.B)+1", "unsafe.Pointer(o)") + `
		}
	}
	` + slowPath("slowMethod") + `
case opAppend:
	o := (*Value)(unsafe.Add(bp, uintptr(in.A)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindList {
		l := (*List)(o.P)
		if n := len(l.items); n < cap(l.items) {
			x := *(*Value)(unsafe.Add(bp, uintptr(in.A)+vsz))
			d := (*Value)(unsafe.Add(bp, uintptr(in.C)))
			if (x.P == nil || (*Header)(x.P).Own == 0) && (d.P == nil || (*Header)(d.P).Own == 0) {
				l.items = l.items[:n+1]
				e := (*Value)(unsafe.Pointer(&l.items[n]))
				if e.P != x.P { e.P = x.P }
				e.N = x.N
				if d.P != unsafe.Pointer(&value.NoneTag) { d.P = unsafe.Pointer(&value.NoneTag) }
				d.N = 0
				break
			}
		}
	}
	` + slowPath("misc") + `
case code.ListAppend:
	l := (*List)((*Value)(unsafe.Add(bp, uintptr(in.A))).P)
	if n := len(l.items); n < cap(l.items) {
		x := *(*Value)(unsafe.Add(bp, uintptr(in.B)))
		if x.P == nil || (*Header)(x.P).Own == 0 {
			l.items = l.items[:n+1]
			e := (*Value)(unsafe.Pointer(&l.items[n]))
			if e.P != x.P { e.P = x.P }
			e.N = x.N
			break
		}
	}
	` + slowPath("misc") + `
case code.GetAttr:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindInstance {
		ic := (*attrIC)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.ics)), uintptr(in.K)*unsafe.Sizeof(attrIC{})))
		is := (*Instance)(o.P)
		if is.shape == ic.shape && ic.next == nil {
			x := *(*Value)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(is.slots)), uintptr(ic.idx)*vsz))
			if x.P != unsafe.Pointer(&value.UnboundTag) {
				` + copyTo("x", dst) + `
				break
			}
		}
	}
	` + slowPath("misc") + `
case code.AugAttrI:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindInstance {
		ic := (*attrIC)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.ics)), uintptr(in.C)*unsafe.Sizeof(attrIC{})))
		is := (*Instance)(o.P)
		if is.shape == ic.shape && ic.next == nil && is.Header.Flags&value.FlagWatched == 0 {
			s := (*Value)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(is.slots)), uintptr(ic.idx)*vsz))
			if s.P == nil {
				r := int64(s.N) + int64(in.K)
				if (r^int64(s.N))&(r^int64(in.K)) >= 0 {
					s.N = uint64(r)
					break
				}
			}
		}
	}
	` + slowPath("misc") + `
case code.SetAttr:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindInstance {
		ic := (*attrIC)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(ci.code.ics)), uintptr(in.K)*unsafe.Sizeof(attrIC{})))
		is := (*Instance)(o.P)
		if is.shape == ic.shape && ic.next == nil && is.Header.Flags&value.FlagWatched == 0 {
			x := (*Value)(unsafe.Add(bp, uintptr(in.A)))
			s := (*Value)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(is.slots)), uintptr(ic.idx)*vsz))
			if s.P != x.P {
				if x.P != nil && (*Header)(x.P).Own != 0 || s.P != nil && (*Header)(s.P).Own != 0 { ` + slowPath("misc") + ` }
				s.P = x.P
			}
			s.N = x.N
			break
		}
	}
	` + slowPath("addAttr") + `
case code.GetItem:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	i := (*Value)(unsafe.Add(bp, uintptr(in.C)))
	if i.P == nil && o.P != nil && (*Header)(o.P).Kind == value.KindList {
		l := (*List)(o.P)
		if i.N < uint64(len(l.items)) {
			x, d := *(*Value)(unsafe.Pointer(&l.items[i.N])), ` + dst + `
			if d.P != x.P {
				if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
				d.P = x.P
			}
			d.N = x.N
			break
		}
	} else if i.P == nil && o.P != nil && (*Header)(o.P).Kind == value.KindTuple {
		t := (*Tuple)(o.P)
		if i.N < uint64(len(t.items)) {
			x, d := *(*Value)(unsafe.Pointer(&t.items[i.N])), ` + dst + `
			if d.P != x.P {
				if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
				d.P = x.P
			}
			d.N = x.N
			break
		}
	}
	` + slowPath("misc") + `
case code.GetItemI:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	if o.P != nil && (*Header)(o.P).Kind == value.KindList {
		l := (*List)(o.P)
		if in.K < uint64(len(l.items)) {
			x, d := *(*Value)(unsafe.Pointer(&l.items[in.K])), ` + dst + `
			if d.P != x.P {
				if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
				d.P = x.P
			}
			d.N = x.N
			break
		}
	} else if o.P != nil && (*Header)(o.P).Kind == value.KindTuple {
		t := (*Tuple)(o.P)
		if in.K < uint64(len(t.items)) {
			x, d := *(*Value)(unsafe.Pointer(&t.items[in.K])), ` + dst + `
			if d.P != x.P {
				if d.P != nil && (*Header)(d.P).Own != 0 { ` + slowPath("dropDst") + ` }
				d.P = x.P
			}
			d.N = x.N
			break
		}
	}
	` + slowPath("misc") + `
case code.SetItem:
	o := (*Value)(unsafe.Add(bp, uintptr(in.B)))
	i := (*Value)(unsafe.Add(bp, uintptr(in.C)))
	if i.P == nil && o.P != nil && (*Header)(o.P).Kind == value.KindList {
		l := (*List)(o.P)
		if i.N < uint64(len(l.items)) {
			x, e := (*Value)(unsafe.Add(bp, uintptr(in.A))), (*Value)(unsafe.Pointer(&l.items[i.N]))
			if x.P == nil || (*Header)(x.P).Own == 0 {
				if e.P != x.P { e.P = x.P }
				e.N = x.N
				break
			}
		}
	}
	` + slowPath("misc") + `
case code.Return:
	if ci.cont != 0 || ci.detached { ` + slowPath("slowReturn") + ` }
	v := *` + dst + `
	for p, n := bp, ci.code.nslots; n > 0; n-- {
		if q := (*Value)(p).P; q != nil {
			if (*Header)(q).Own != 0 { break }
			(*Value)(p).P = nil
		}
		p = unsafe.Add(p, vsz)
		if n == 1 {
			ci = ci.up
			bp = ci.base
			pc = unsafe.Add(ci.pc, isz)
			d := (*Value)(unsafe.Add(bp, ci.dst))
			if d.P == nil || (*Header)(d.P).Own == 0 {
				if d.P != v.P { d.P = v.P }
				d.N = v.N
				goto returned
			}
			ci, pc = storeResult(ci, pc, v)
			goto returned
		}
	}
	ci, pc = countedReturn(ci, pc, v)
returned:
	bp = ci.base
	continue
case code.Yield:
	` + slowPath("opYield") + `
case opHalt:
	return
default:
	` + slowPath("misc") + `
}
pc = unsafe.Add(pc, isz)
}
}
`
