package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// TensorListConcat joins the elements along their first dimension; the second
// result are their lengths.
var TensorListConcat = ir.NewOp("TensorListConcatV2", "input_handle")

// TensorListSplit is a list of pieces of a tensor along its first dimension.
var TensorListSplit = ir.NewOp("TensorListSplit", "tensor, lengths")

func init() {
	TensorListConcat.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferListConcat, Alloc: concatList, Uses: ir.Out(1),
		Grad: func(g *ir.Grad) {
			if dy := g.Dy(); dy != nil {
				a := g.Attrs.(*ListAttrs)
				g.DX[0] = g.Emit2(TensorListSplit, &ListAttrs{Elem: a.Elem, Shape: a.Shape}, dy, g.Y(1))
			}
		},
	})
}

func inferListConcat(c *ir.Call) *ir.Mistake {
	a := listAttrs(c)
	s := tensor.UnknownShape
	if a.Shape.RankKnown() && a.Shape.Rank() > 0 {
		s = tensor.ShapeOf(-1).Concat(a.Shape.Slice(1, a.Shape.Rank()))
	}
	if m := c.SetOut(a.Elem, s); m != nil {
		return m
	}
	return c.SetOut(tensor.Int64, tensor.ShapeOf(-1))
}

func concatList(c *ir.Call) *ir.Mistake {
	l := c.In[0].(*ir.List)
	rows, rest, m := listRows(c, l)
	if m != nil {
		return m
	}
	o, m := newResult(c, 0, l.Elem.DT, tensor.ShapeOf(rows).Concat(rest))
	if m != nil {
		return m
	}
	n, m := newResult(c, 1, tensor.Int64, tensor.ShapeOf(len(l.Items)))
	if m != nil {
		return m
	}
	at := 0
	for i, t := range l.Items {
		n.I64()[i] = int64(t.Dims()[0])
		at += copy(o.Bytes()[at:], t.Bytes())
	}
	return nil
}

// listRows is the number of rows of all elements together and the shape of one row.
func listRows(c *ir.Call, l *ir.List) (rows int, rest tensor.Shape, m *ir.Mistake) {
	for i, t := range l.Items {
		if t == nil {
			if t, m = zeroItem(c, l); m != nil {
				return 0, rest, m
			}
			l.Items[i] = t
		}
		if t.Rank() == 0 {
			return 0, rest, ir.Invalid("Concat saw a scalar shape at index %d but requires at least vectors.", i)
		}
		s := t.Shape().Slice(1, t.Rank())
		if i > 0 && s != rest {
			return 0, rest, ir.Invalid("Tried to concat tensors with unequal shapes: %s vs %s", rest.Brackets(), s.Brackets())
		}
		rest = s
		rows += t.Dims()[0]
	}
	if len(l.Items) == 0 {
		rest = tensor.ShapeOf()
		if e := l.Elem.Shp; e.RankKnown() && e.Rank() > 0 {
			if e = e.Slice(1, e.Rank()); e.Known() {
				rest = e
			}
		}
	}
	return rows, rest, nil
}

func init() {
	TensorListSplit.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList, IntArgs: ir.In(1),
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			n, _ := c.Ints(1)
			if x.Rank() == 0 {
				return ir.Invalid("Tensor must be at least a vector, but saw shape: []")
			}
			row := x.Shape().Slice(1, x.Rank())
			l := &ir.List{Elem: listAttrs(c).HandleType(c), Items: make([]*tensor.Tensor, len(n)), Own: 1}
			at := 0
			for i, k := range n {
				if k < 0 || at+int(k) > x.Dims()[0] {
					return ir.Invalid("Invalid value for lengths, must be greater than 0 and sum to the rows of the tensor: %d", k)
				}
				t, err := c.Env.Alloc.View(x, at*row.NumElements(), tensor.ShapeOf(int(k)).Concat(row))
				if err != nil {
					return ir.Raise(err)
				}
				l.Items[i] = t
				at += int(k)
			}
			if at != x.Dims()[0] {
				return ir.Invalid("Unused values in tensor. Length of tensor: %d Values used: %d", x.Dims()[0], at)
			}
			c.SetResult(0, l)
			return nil
		},
		Grad: func(g *ir.Grad) {
			a := g.Attrs.(*ListAttrs)
			if out := g.EmitAll(TensorListConcat, &ListAttrs{Elem: a.Elem, Shape: a.Shape}, g.DY[0]); out != nil {
				g.DX[0] = out[0]
			}
		},
	})
}
