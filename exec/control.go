package exec

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// control runs the ops whose attributes hold graphs. Operands that die in the call
// are handed over to the graph that runs.
func (x *Context) control(c *ir.Call) *ir.Mistake {
	switch a := c.Attrs.(type) {
	case *ir.IfAttrs:
		return x.runIf(c, a)
	case *ir.CaseAttrs:
		return x.runCase(c, a)
	case *ir.WhileAttrs:
		return x.runWhile(c, a)
	case *ir.CallAttrs:
		return x.runGraph(c, a.Body, 0)
	}
	return ir.Wrong("UnimplementedError", "op %s has no kernel", c.Op.Name)
}

func (x *Context) runIf(c *ir.Call, a *ir.IfAttrs) *ir.Mistake {
	yes, m := truth(c.T(0))
	if m != nil {
		return m
	}
	g := a.Else
	if yes {
		g = a.Then
	}
	return x.runGraph(c, g, 1)
}

// truth reads a condition: a bool of rank 0; a number counts as its truth.
func truth(t *tensor.Tensor) (bool, *ir.Mistake) {
	if t.Rank() != 0 {
		return false, ir.Invalid("The second input must be a scalar, but it has shape %s", t.Shape().Brackets())
	}
	switch t.DType() {
	case tensor.Bool:
		return t.Bools()[0], nil
	case tensor.String:
		return len(t.Str(0)) > 0, nil
	}
	for _, b := range t.Bytes() {
		if b != 0 {
			return true, nil
		}
	}
	return false, nil
}

func (x *Context) runCase(c *ir.Call, a *ir.CaseAttrs) *ir.Mistake {
	i, ok := c.Int(0)
	if !ok {
		return ir.Invalid("branch_index must be an int32 scalar")
	}
	if i < 0 || i >= int64(len(a.Branches)) {
		i = int64(len(a.Branches)) - 1
	}
	return x.runGraph(c, a.Branches[i], 1)
}

// runGraph runs g on the operands from first on.
func (x *Context) runGraph(c *ir.Call, g *ir.Graph, first int) *ir.Mistake {
	donate := uint64(c.Dying&^c.Lent) >> first
	c.Dying &= 1<<first - 1 // the run owns them now, whatever comes
	outs, err := x.Plan(g).Run(x, c.In[first:], donate)
	c.Donated = donate << first
	if err != nil {
		return ir.Raise(err)
	}
	c.Out = append(c.Out[:0], outs...)
	clear(outs)
	return nil
}

// runWhile repeats the body. The loop variables are handed over from turn to turn,
// so a body that allows it works in place.
func (x *Context) runWhile(c *ir.Call, a *ir.WhileAttrs) *ir.Mistake {
	cond, body := x.Plan(a.Cond), x.Plan(a.Body)
	vars := append([]ir.Value(nil), c.In...)
	dying := c.Dying &^ c.Lent
	owned := uint64(0)
	for i := range a.Carried {
		if i >= 32 || dying>>i&1 == 0 {
			x.Keep(vars[i])
		}
		owned |= 1 << i
	}
	c.Donated = uint64(dying) & owned
	c.Dying &^= uint32(owned)
	for {
		if x.Cancelled != nil {
			if err := x.Cancelled(); err != nil {
				return x.dropVars(vars, a.Carried, ir.Raise(err))
			}
		}
		go_, err := cond.Run(x, vars, 0)
		if err != nil {
			return x.dropVars(vars, a.Carried, ir.Raise(err))
		}
		t := go_[0].(*tensor.Tensor)
		yes, m := truth(t)
		x.Allocator.Drop(t)
		go_[0] = nil
		if m != nil {
			return x.dropVars(vars, a.Carried, m)
		}
		if !yes {
			break
		}
		outs, err := body.Run(x, vars, owned)
		if err != nil {
			return x.dropVars(vars, 0, ir.Raise(err))
		}
		copy(vars, outs)
		clear(outs)
	}
	c.Out = append(c.Out[:0], vars[:a.Carried]...)
	return nil
}

func (x *Context) dropVars(vars []ir.Value, n int, m *ir.Mistake) *ir.Mistake {
	for _, v := range vars[:n] {
		x.Drop(v)
	}
	return m
}
