package code

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Disasm prints c and the code objects in it, one instruction a line: its number,
// its source line when that changes, the operation, its operands. Slots are shown as
// a name, %n for a hidden local, tn for a temporary.
func Disasm(c *Code) string {
	var b strings.Builder
	disasm(&b, c)
	return b.String()
}

func disasm(b *strings.Builder, c *Code) {
	c.Load()
	fmt.Fprintf(b, "%s: locals %d slots %d", c.Qualname, c.NLocals, c.NSlots)
	if len(c.Cells) > 0 {
		fmt.Fprintf(b, " cells %s", strings.Join(c.Cells, " "))
	}
	for _, f := range c.Free {
		fmt.Fprintf(b, " free %s=%s%d", f.Name, map[bool]string{true: "%", false: "f"}[f.FromCell], f.Index)
	}
	b.WriteByte('\n')
	line := int32(-1)
	for i := range c.Ins {
		mark := ""
		if c.Pos[i].Line != line {
			line = c.Pos[i].Line
			mark = strconv.Itoa(int(line))
		}
		fmt.Fprintf(b, "%5s %4d  %s\n", mark, i, strings.TrimRight(c.Ins[i].text(c, i), " "))
	}
	for _, h := range c.Handlers {
		fmt.Fprintf(b, "  handler %d-%d to %d in %s\n", h.From, h.To, h.Target, c.slotName(h.Exc))
	}
	for _, r := range c.Inlined {
		fmt.Fprintf(b, "  inlined %d-%d %s\n", r.From, r.To, r.Name)
	}
	for i := range c.Regions {
		c.Regions[i].print(b, i)
	}
	for _, in := range c.Codes {
		b.WriteByte('\n')
		disasm(b, in)
	}
}

func (c *Code) slotName(off uint16) string {
	s := int(off) / 16
	switch {
	case off%16 != 0:
		return fmt.Sprintf("bad(%d)", off)
	case s >= c.NLocals:
		return "t" + strconv.Itoa(s-c.NLocals)
	case s < len(c.LocalNames) && c.LocalNames[s] != "":
		return c.LocalNames[s]
	}
	return "%" + strconv.Itoa(s)
}

func (in *Instr) text(c *Code, pc int) string {
	d := Describe(in.Op)
	s := fmt.Sprintf("%-12s", d.Name)
	arg := func(r Role, v uint16, base bool) {
		switch {
		case r == FreeCell:
			s += fmt.Sprintf(" f%d", v)
		case r == Distance:
			to, _ := in.Target(pc)
			s += fmt.Sprintf(" →%d", to)
		case base && v == NoSlot:
			s += " -"
		case base || slotOperand(r):
			s += " " + c.slotName(v)
		case r == Number:
			s += fmt.Sprintf(" #%d", v)
		}
	}
	arg(d.A, in.A, aIsBase(d.Range))
	arg(d.B, in.B, bIsBase(d.Range))
	arg(d.C, in.C, d.Range == SliceRangeC || d.Range == SpecRange && in.K>>8&1 != 0 || d.Range == RaiseRange && in.B == 2)
	return s + in.kText(c, pc, d)
}

func (in *Instr) kText(c *Code, pc int, d *Info) string {
	switch d.K {
	case KName:
		return " " + c.Names[in.K]
	case KConst:
		return " " + c.Consts[in.K].String()
	case KConstOpt:
		if in.K == 0 {
			return ""
		}
		return " " + c.Consts[in.K-1].String()
	case KCode:
		return " " + c.Codes[in.K].Qualname
	case KRegion:
		return fmt.Sprintf(" region %d", in.K)
	case KInt:
		return fmt.Sprintf(" %d", int64(in.K))
	case KFloat:
		return " " + strconv.FormatFloat(math.Float64frombits(in.K), 'g', -1, 64)
	case KFlag:
		if in.K == 0 {
			return ""
		}
		return " !"
	case KBinary:
		return " " + [...]string{"+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^", "divmod"}[in.K]
	case KCompare:
		return " " + [...]string{"<", "<=", ">", ">=", "==", "!="}[in.K]
	case KUnary:
		return " " + [...]string{"-", "+", "~", "not", "abs"}[in.K]
	case KJump:
		if in.Op == Jump || in.Op == JumpBack {
			return fmt.Sprintf(" →%d", pc+int(int64(in.K)))
		}
		return ""
	case KSlot:
		return " " + c.slotName(uint16(in.K))
	case KNameConst:
		return " " + c.Names[uint32(in.K)] + " " + c.Consts[in.K>>32].String()
	case KNumConst:
		return fmt.Sprintf(" #%d %s", uint32(in.K), c.Consts[in.K>>32].String())
	case KWide:
		return fmt.Sprintf(" w%d", in.K)
	case KBits:
		return fmt.Sprintf(" %#x", in.K)
	}
	return ""
}

// String prints a constant much as a script would write it.
func (k Const) String() string {
	switch k.Kind {
	case ConstNone:
		return "None"
	case ConstBool:
		return map[bool]string{true: "True", false: "False"}[k.I != 0]
	case ConstInt:
		return strconv.FormatInt(k.I, 10)
	case ConstBig:
		return k.Big.String()
	case ConstFloat:
		return strconv.FormatFloat(k.F, 'g', -1, 64)
	case ConstComplex:
		return fmt.Sprint(complex(k.F, k.G))
	case ConstStr:
		return strconv.Quote(k.S)
	case ConstBytes:
		return "b" + strconv.Quote(k.S)
	case ConstEllipsis:
		return "..."
	}
	parts := make([]string, len(k.T))
	for i := range k.T {
		parts[i] = k.T[i].String()
	}
	open, end := "(", ")"
	if k.Kind == ConstFrozenSet {
		open, end = "frozenset{", "}"
	}
	return open + strings.Join(parts, ", ") + end
}

func (r *Region) print(b *strings.Builder, i int) {
	kind := [...]string{"if", "ifexp", "and", "or", "while", "for"}[r.Kind]
	fmt.Fprintf(b, "  region %d %s begin %d then %d else %d join %d", i, kind, r.Begin, r.Then, r.Else, r.Join)
	names := func(title string, list []Var) {
		if len(list) == 0 {
			return
		}
		b.WriteString(" " + title)
		for _, v := range list {
			b.WriteString(" " + v.Name)
		}
	}
	names("out", r.Vars[:r.NOut])
	names("in", r.Vars[r.NOut:])
	names("mod", r.Mod)
	names("flags", r.Flags)
	if r.Text != "" {
		fmt.Fprintf(b, " %q", r.Text)
	}
	b.WriteByte('\n')
}
