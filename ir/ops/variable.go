package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// res is the storage behind operand 0.
func res(c *ir.Call) *tensor.Resource { return c.In[0].(*ir.Var).Res }

// ReadVariableOp reads a variable: a snapshot.
var ReadVariableOp = ir.NewOp("ReadVariableOp", "resource")

func init() {
	ReadVariableOp.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			h := ir.HandleOf(c.In[0])
			return c.SetOut(h.DT, h.Shp)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			r := res(c)
			if !r.Initialized() {
				return unset(r)
			}
			t, err := r.Read(c.Env.Alloc)
			if err != nil {
				return ir.Raise(err)
			}
			c.SetResult(0, t)
			return nil
		},
		Effect: ir.Reads,
		Grad:   func(g *ir.Grad) { g.DX[0] = g.Dy() },
	})
}

// unset words the use of a variable without a value.
func unset(r *tensor.Resource) *ir.Mistake {
	return ir.Wrong("FailedPreconditionError", "Could not find variable %s. This could mean that the variable has been deleted.", r.Name)
}

// AssignVariableOp sets a variable. The caller has compared the shapes.
var AssignVariableOp = ir.NewOp("AssignVariableOp", "resource, value")

func init() {
	AssignVariableOp.Define(ir.Rules{
		Infer: func(c *ir.Call) *ir.Mistake {
			h := ir.HandleOf(c.In[0])
			if h.DT != c.DType(1) {
				return ir.Invalid("Trying to assign variable with wrong dtype. Expected %s got %s", h.DT.CName(), c.DType(1).CName())
			}
			return c.NoOut()
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			if err := res(c).Assign(c.Env.Alloc, c.T(1)); err != nil {
				return ir.Raise(err)
			}
			return nil
		},
		Effect: ir.Writes, Grad: ir.NotDifferentiable,
	})
}

// AssignAddVariableOp adds to a variable.
var AssignAddVariableOp = ir.NewOp("AssignAddVariableOp", "resource, value")

func init() {
	AssignAddVariableOp.Define(ir.Rules{
		Infer: inferUpdate, Alloc: update(kernel.Add), Effect: ir.Reads | ir.Writes, Grad: ir.NotDifferentiable,
	})
}

// AssignSubVariableOp subtracts from a variable.
var AssignSubVariableOp = ir.NewOp("AssignSubVariableOp", "resource, value")

func init() {
	AssignSubVariableOp.Define(ir.Rules{
		Infer: inferUpdate, Alloc: update(kernel.Sub), Effect: ir.Reads | ir.Writes, Grad: ir.NotDifferentiable,
	})
}

func inferUpdate(c *ir.Call) *ir.Mistake {
	h, v := ir.HandleOf(c.In[0]), c.Shape(1)
	if h.DT != c.DType(1) {
		return ir.Invalid("Trying to update variable with wrong dtype. Expected %s got %s", h.DT.CName(), c.DType(1).CName())
	}
	if !tensor.Compatible(h.Shp, v) {
		d, a, b := differ(h.Shp, v)
		return &ir.Mistake{Kind: ir.AssignUpdateShape, Args: []any{h.Shp, v, d, a, b}}
	}
	return c.NoOut()
}

// update changes a variable in place, or after a copy if a snapshot shares it.
func update(op kernel.BinaryOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		r, v := res(c), c.T(1)
		old := r.Peek()
		if old == nil {
			return unset(r)
		}
		if old.Shape() != v.Shape() {
			d, a, b := differ(old.Shape(), v.Shape())
			return &ir.Mistake{Kind: ir.AssignUpdateShape, Args: []any{old.Shape(), v.Shape(), d, a, b}}
		}
		var t *tensor.Tensor
		var err error
		if old.Alone() {
			t, err = r.Mutable(c.Env.Alloc)
		} else {
			t, err = c.Env.Alloc.Like(old)
		}
		if err != nil {
			return ir.Raise(err)
		}
		if t.DType() == tensor.Float32 {
			err = kernel.Binary(op, t.F32(), old.F32(), v.F32(), nil)
		} else {
			err = kernel.BinaryAny(op, elems(t), elems(old), elems(v), nil)
		}
		if t != old {
			r.Adopt(c.Env.Alloc, t)
		}
		return mistake(c, err)
	}
}

// ResourceGather picks rows of a variable.
var ResourceGather = ir.NewOp("ResourceGather", "resource, indices, batch_dims=0")

func init() {
	ResourceGather.Define(ir.Rules{
		Attrs: gatherPlain,
		Infer: func(c *ir.Call) *ir.Mistake {
			h, idx := ir.HandleOf(c.In[0]), c.Shape(1)
			if !h.Shp.RankKnown() || !idx.RankKnown() {
				return c.SetOut(h.DT, tensor.UnknownShape)
			}
			if h.Shp.Rank() == 0 {
				return &ir.Mistake{Kind: ir.GatherRank, Args: []any{1, 0}}
			}
			return c.SetOut(h.DT, idx.Concat(h.Shp.Slice(1, h.Shp.Rank())))
		},
		Alloc:  func(c *ir.Call) *ir.Mistake { return gatherRows(c, res(c).Peek(), tensorOf(c, 1), 0, 0) },
		Effect: ir.Reads, Uses: ir.In(0) | ir.In(1),
		Grad: func(g *ir.Grad) {
			s := g.Session
			g.DX[0] = rowsAs(s, ir.HandleOf(g.X(0)).Shp, func() ir.Value {
				return shapeOf(s, s.Emit1(ReadVariableOp, nil, g.X(0)))
			}, tensorValue(s, g.X(1)), g.Dy())
		},
	})
}

// writable is the value of the variable in operand 0 for changing in place.
func writable(c *ir.Call) (*tensor.Tensor, error) {
	if r := res(c); r.Initialized() {
		return r.Mutable(c.Env.Alloc)
	}
	return nil, unset(res(c)).Eager(c)
}

// resourceScatter folds rows of operand 2 into a variable at the rows of operand 1.
func resourceScatter(op kernel.ScatterOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		t, err := writable(c)
		if err != nil {
			return ir.Raise(err)
		}
		it := tensorOf(c, 1)
		idx, _ := ir.KnownInts(it)
		up := c.T(2)
		inner := prod(t.Dims()[1:])
		for i, k := range idx {
			if k < 0 || int(k) >= t.Dims()[0] {
				return badIndex(it, i, t.Dims()[0])
			}
		}
		if up.Len() != len(idx)*inner {
			if up.Len() != 1 {
				return ir.Invalid("Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape %s, indices.shape %s, params.shape %s",
					up.Shape().Brackets(), it.Shape().Brackets(), t.Shape().Brackets())
			}
			wideUp := tensor.Make(up.DType(), tensor.ShapeOf(len(idx)*inner))
			repeat(wideUp, up)
			up = wideUp
		}
		if _, ok := scatter(op, t, idx, up, t.Dims()[0], inner); !ok {
			return unsupported(c)
		}
		return nil
	}
}

func noOut(c *ir.Call) *ir.Mistake { return c.NoOut() }

// ResourceScatterUpdate replaces rows of a variable.
var ResourceScatterUpdate = ir.NewOp("ResourceScatterUpdate", "resource, indices, updates")

// ResourceScatterAdd adds to rows of a variable.
var ResourceScatterAdd = ir.NewOp("ResourceScatterAdd", "resource, indices, updates")

// ResourceScatterSub subtracts from rows of a variable.
var ResourceScatterSub = ir.NewOp("ResourceScatterSub", "resource, indices, updates")

// ResourceScatterMul multiplies rows of a variable.
var ResourceScatterMul = ir.NewOp("ResourceScatterMul", "resource, indices, updates")

// ResourceScatterDiv divides rows of a variable.
var ResourceScatterDiv = ir.NewOp("ResourceScatterDiv", "resource, indices, updates")

// ResourceScatterMax takes the larger of rows of a variable and updates.
var ResourceScatterMax = ir.NewOp("ResourceScatterMax", "resource, indices, updates")

// ResourceScatterMin takes the smaller of rows of a variable and updates.
var ResourceScatterMin = ir.NewOp("ResourceScatterMin", "resource, indices, updates")

func init() {
	for op, how := range map[*ir.Op]kernel.ScatterOp{
		ResourceScatterUpdate: kernel.ScatterSet, ResourceScatterAdd: kernel.ScatterAdd, ResourceScatterSub: kernel.ScatterSub,
		ResourceScatterMul: kernel.ScatterMul, ResourceScatterDiv: kernel.ScatterDiv,
		ResourceScatterMax: kernel.ScatterMax, ResourceScatterMin: kernel.ScatterMin,
	} {
		op.Define(ir.Rules{
			Infer: noOut, Alloc: resourceScatter(how), Effect: ir.Reads | ir.Writes, IntArgs: ir.In(1), Grad: ir.NotDifferentiable,
		})
	}
}

// resourceScatterNd folds updates into a variable at index tuples.
func resourceScatterNd(op kernel.ScatterOp) func(c *ir.Call) *ir.Mistake {
	return func(c *ir.Call) *ir.Mistake {
		t, err := writable(c)
		if err != nil {
			return ir.Raise(err)
		}
		if m := scatterFits(c.Shape(1), c.Shape(2), t.Shape()); m != nil {
			return m
		}
		return scatterNd(c, op, t, c.T(1), c.T(2))
	}
}

// ResourceScatterNdUpdate replaces slices of a variable by index tuples.
var ResourceScatterNdUpdate = ir.NewOp("ResourceScatterNdUpdate", "ref, indices, updates")

// ResourceScatterNdAdd adds to slices of a variable by index tuples.
var ResourceScatterNdAdd = ir.NewOp("ResourceScatterNdAdd", "ref, indices, updates")

// ResourceScatterNdSub subtracts from slices of a variable by index tuples.
var ResourceScatterNdSub = ir.NewOp("ResourceScatterNdSub", "ref, indices, updates")

func init() {
	for op, how := range map[*ir.Op]kernel.ScatterOp{
		ResourceScatterNdUpdate: kernel.ScatterSet, ResourceScatterNdAdd: kernel.ScatterAdd, ResourceScatterNdSub: kernel.ScatterSub,
	} {
		op.Define(ir.Rules{
			Infer: noOut, Alloc: resourceScatterNd(how), Effect: ir.Reads | ir.Writes, Grad: ir.NotDifferentiable,
		})
	}
}

// ResourceStridedSliceAssign sets a slice of a variable; the value broadcasts.
var ResourceStridedSliceAssign = ir.NewOp("ResourceStridedSliceAssign", "ref, begin, end, strides, value")

func init() {
	ResourceStridedSliceAssign.Define(ir.Rules{
		Attrs: plainSlice,
		Infer: func(c *ir.Call) *ir.Mistake {
			h := ir.HandleOf(c.In[0])
			r, m := resolveCall(c, h.Shp, 1)
			if m != nil {
				return m
			}
			if r != nil {
				out := tensor.ShapeOf(r.out...)
				if b, ok := tensor.Broadcast(c.Shape(4), out); !ok || b.Known() && out.Known() && b != out {
					return ir.Invalid("Cannot broadcast input shape %s into final shape %s", c.Shape(4).Brackets(), out.Brackets())
				}
			}
			return c.NoOut()
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			t, err := writable(c)
			if err != nil {
				return ir.Raise(err)
			}
			r, m := resolveCall(c, t.Shape(), 1)
			if m != nil {
				return m
			}
			move(t, r.view(t.Dims()), c.T(4), assignView(c, r, c.T(4)), r.size)
			return nil
		},
		Effect: ir.Reads | ir.Writes, IntArgs: ir.In(1) | ir.In(2) | ir.In(3), Grad: ir.NotDifferentiable,
	})
}

// assignView reads the assigned value, which broadcasts to the slice's shape, by
// the dimensions of the variable.
func assignView(c *ir.Call, r *slicing, v *tensor.Tensor) kernel.Strided {
	st := kernel.BroadcastStrides(make([]int, len(r.out)), v.Dims(), r.out)
	by := make([]int, len(r.size))
	a := sliceAttrs(c)
	n := c.Shape(1).Dim(0)
	out, dim := 0, 0
	rank := len(r.size)
	for i := range n {
		bit := 1 << i
		switch {
		case a.EllipsisMask&bit != 0:
			after := 0
			for k := i + 1; k < n; k++ {
				if a.NewAxisMask>>k&1 == 0 {
					after++
				}
			}
			for ; dim < rank-after; dim++ {
				by[dim] = st[out]
				out++
			}
		case a.NewAxisMask&bit != 0:
			out++
		case a.ShrinkAxis&bit != 0:
			dim++
		default:
			by[dim] = st[out]
			dim++
			out++
		}
	}
	for ; dim < rank; dim++ {
		by[dim] = st[out]
		out++
	}
	return kernel.Strided{Stride: by}
}

// VarIsInitializedOp reports whether a variable has a value.
var VarIsInitializedOp = ir.NewOp("VarIsInitializedOp", "resource")

func init() {
	VarIsInitializedOp.Define(ir.Rules{
		Infer: fixed(tensor.Bool, tensor.Scalar), Effect: ir.Reads,
		Kernel: func(c *ir.Call) *ir.Mistake {
			c.O(0).Bools()[0] = res(c).Initialized()
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}
