package code

import "fmt"

// Verify checks that every instruction of c and of the code objects in it is valid:
// slots, names, constants and jumps in range, positions for all, handlers and
// regions inside the code. What it accepts can't make the VM leave its arrays.
func Verify(c *Code) error {
	if err := c.verify(); err != nil {
		return fmt.Errorf("%s: %w", c.Qualname, err)
	}
	for _, in := range c.Codes {
		if err := Verify(in); err != nil {
			return err
		}
	}
	return nil
}

func (c *Code) verify() error {
	n := len(c.Ins)
	switch {
	case n == 0:
		return fmt.Errorf("no instructions")
	case len(c.Pos) != n:
		return fmt.Errorf("%d positions for %d instructions", len(c.Pos), n)
	case c.NLocals < 0 || c.NLocals > c.NSlots || c.NSlots > 4096 || len(c.LocalNames) != c.NLocals:
		return fmt.Errorf("locals %d, names %d, slots %d", c.NLocals, len(c.LocalNames), c.NSlots)
	case c.ArgCount < 0 || c.KwOnly < 0 || c.PosOnly < 0 || c.ArgCount > c.NLocals || c.KwOnly > c.NLocals || c.ArgCount+c.KwOnly > c.NLocals:
		return fmt.Errorf("more parameters than locals")
	}
	for pc := range c.Ins {
		if err := c.verifyInstr(pc); err != nil {
			return fmt.Errorf("instruction %d: %w", pc, err)
		}
	}
	if f := Describe(c.Ins[n-1].Op).Flow; f != Leave && f != Goto && f != StageTo {
		return fmt.Errorf("control runs past the end")
	}
	return c.verifyTables()
}

func (c *Code) verifyInstr(pc int) error {
	in := &c.Ins[pc]
	if in.Op >= NumOps {
		return fmt.Errorf("no such operation %d", in.Op)
	}
	var err error
	in.EachSlot(c, func(off uint16, _ Role) {
		if off%16 != 0 || int(off)/16 >= c.NSlots {
			err = fmt.Errorf("%s: slot offset %d of %d slots", Describe(in.Op).Name, off, c.NSlots)
		}
	})
	if err != nil {
		return err
	}
	if to, ok := in.Target(pc); ok && (to < 0 || to >= len(c.Ins)) {
		return fmt.Errorf("%s to %d", Describe(in.Op).Name, to)
	}
	d := Describe(in.Op)
	for _, r := range [...]struct {
		role Role
		v    uint16
	}{{d.A, in.A}, {d.B, in.B}, {d.C, in.C}} {
		if r.role == FreeCell && int(r.v) >= len(c.Free) {
			return fmt.Errorf("free cell %d of %d", r.v, len(c.Free))
		}
	}
	return c.verifyK(in, d)
}

func (c *Code) verifyK(in *Instr, d *Info) error {
	below := func(what string, i uint64, n int) error {
		if i >= uint64(n) {
			return fmt.Errorf("%s %d of %d", what, i, n)
		}
		return nil
	}
	switch d.K {
	case KName:
		return below("name", in.K, len(c.Names))
	case KConst:
		return below("constant", in.K, len(c.Consts))
	case KConstOpt:
		return below("constant", in.K, len(c.Consts)+1)
	case KCode:
		return below("code", in.K, len(c.Codes))
	case KRegion:
		return below("region", in.K, len(c.Regions))
	case KBinary:
		return below("operator", in.K, int(NumBinaryOps))
	case KCompare:
		return below("operator", in.K, int(CmpNE)+1)
	case KUnary:
		return below("operator", in.K, int(OpAbs)+1)
	case KWide:
		return below("wide slot", in.K, c.NWide)
	case KNameConst:
		if err := below("name", in.K&0xFFFFFFFF, len(c.Names)); err != nil {
			return err
		}
		return below("constant", in.K>>32, len(c.Consts))
	case KNumConst:
		return below("constant", in.K>>32, len(c.Consts))
	}
	if in.Op == AugAttrI {
		return below("name", uint64(in.C), len(c.Names))
	}
	return nil
}

func (c *Code) verifyTables() error {
	n := int32(len(c.Ins))
	for _, h := range c.Handlers {
		if h.From < 0 || h.To > n || h.From >= h.To || h.Target < 0 || h.Target >= n || int(h.Exc)/16 >= c.NLocals {
			return fmt.Errorf("handler %v", h)
		}
	}
	for _, r := range c.Inlined {
		if r.From < 0 || r.To > n || r.From > r.To {
			return fmt.Errorf("inlined %v", r)
		}
	}
	for i := range c.Regions {
		r := &c.Regions[i]
		if r.Begin >= n || r.Then >= n || r.Else >= n || r.Join > n || r.NOut > len(r.Vars) {
			return fmt.Errorf("region %d", i)
		}
	}
	return nil
}
