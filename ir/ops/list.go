package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// Lists of tensors are values: an op that changes one returns another. The list
// that comes in is changed in place when this op is its last use.

// ListAttrs are those of the list ops: the type of the elements.
type ListAttrs struct {
	Elem tensor.DType
	// Shape is what is known of the elements' shape.
	Shape tensor.Shape
	Num   int // elements that TensorListStack expects, 0 unknown
	// Lenient: a list of gradients, in which what isn't there counts as zeros.
	Lenient bool
}

// HandleType implements ir.HandleTyper.
func (a *ListAttrs) HandleType(*ir.Call) ir.Type { return ir.Type{DT: a.Elem, Shp: a.Shape} }

func listAttrs(c *ir.Call) *ListAttrs { return c.Attrs.(*ListAttrs) }

func inferList(c *ir.Call) *ir.Mistake { return c.SetOut(tensor.Variant, tensor.Scalar) }

// mutable is the list in operand 0 for changing: itself where the call is its last
// use, else a copy that shares the elements. The result has one reference.
func mutable(c *ir.Call, more int) *ir.List {
	l := c.In[0].(*ir.List)
	if l.Own == 1 && c.Dying&1 != 0 {
		l.Own++ // the caller's reference dies after the call
		return l
	}
	n := &ir.List{Elem: l.Elem, Items: make([]*tensor.Tensor, len(l.Items), len(l.Items)+more), Own: 1}
	copy(n.Items, l.Items)
	for _, t := range n.Items {
		if t != nil {
			c.Env.Alloc.Keep(t)
		}
	}
	return n
}

// EmptyTensorList is a list without elements.
var EmptyTensorList = ir.NewOp("EmptyTensorList", "element_shape, max_num_elements")

func init() {
	EmptyTensorList.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList, IntArgs: ir.AllIn,
		Alloc: func(c *ir.Call) *ir.Mistake {
			c.SetResult(0, &ir.List{Elem: listAttrs(c).HandleType(c), Own: 1})
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// TensorListReserve is a list of elements that aren't written yet.
var TensorListReserve = ir.NewOp("TensorListReserve", "element_shape, num_elements")

func init() {
	TensorListReserve.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList, IntArgs: ir.AllIn,
		Alloc: func(c *ir.Call) *ir.Mistake {
			n, _ := c.Int(c.N() - 1)
			if n < 0 {
				return ir.Invalid("The num_elements to reserve must be a non negative number, but got %d", n)
			}
			c.SetResult(0, &ir.List{Elem: listAttrs(c).HandleType(c), Items: make([]*tensor.Tensor, n), Own: 1})
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// TensorListPushBack appends an element.
var TensorListPushBack = ir.NewOp("TensorListPushBack", "input_handle, tensor")

func init() {
	TensorListPushBack.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList,
		Alloc: func(c *ir.Call) *ir.Mistake {
			l := mutable(c, 1)
			c.Env.Alloc.Keep(c.T(1))
			l.Items = append(l.Items, c.T(1))
			c.SetResult(0, l)
			return nil
		},
		Grad: func(g *ir.Grad) {
			a := *g.Attrs.(*ListAttrs)
			a.Lenient = true
			out := g.EmitAll(TensorListPopBack, &a, g.DY[0], inShape(g, 1))
			if out != nil {
				g.DX[0], g.DX[1] = out[0], out[1]
			}
		},
	})
}

// TensorListPopBack takes the last element off.
var TensorListPopBack = ir.NewOp("TensorListPopBack", "input_handle, element_shape")

func init() {
	TensorListPopBack.Define(ir.Rules{
		Attrs: &ListAttrs{}, IntArgs: ir.In(1),
		Infer: func(c *ir.Call) *ir.Mistake {
			c.SetOut(tensor.Variant, tensor.Scalar)
			return c.SetOut(listAttrs(c).Elem, listAttrs(c).Shape)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			l := mutable(c, 0)
			n := len(l.Items) - 1
			c.SetResult(0, l)
			var t *tensor.Tensor
			if n >= 0 {
				t = l.Items[n]
				l.Items[n], l.Items = nil, l.Items[:n]
			} else if !listAttrs(c).Lenient {
				return ir.Invalid("Trying to pop from an empty list.")
			}
			if t == nil {
				var m *ir.Mistake
				if t, m = readZero(c, l, 1); m != nil {
					return m
				}
			}
			c.SetResult(1, t)
			return nil
		},
		Grad: func(g *ir.Grad) {
			s := g.Session
			l := g.DY[0]
			if l == nil {
				l = s.EmitN(EmptyTensorList, g.Attrs)
			}
			t := g.DY[1]
			if t == nil {
				t = ZerosOf(s, &g.Out[1])
			}
			g.DX[0] = s.Emit2(TensorListPushBack, g.Attrs, l, t)
		},
	})
}

// zeroItem is the zeros that stand for an element never written.
func zeroItem(c *ir.Call, l *ir.List) (*tensor.Tensor, *ir.Mistake) {
	s := l.Elem.Shp
	if !s.Known() {
		for _, t := range l.Items {
			if t != nil {
				s = t.Shape()
				break
			}
		}
	}
	if !s.Known() {
		return nil, ir.Invalid("Trying to read an uninitialized tensor but element_shape is not fully defined: %s", s.Brackets())
	}
	t, err := c.Env.Alloc.Zeros(l.Elem.DT, s)
	if err != nil {
		return nil, ir.Raise(err)
	}
	return t, nil
}

// TensorListLength is the number of elements.
var TensorListLength = ir.NewOp("TensorListLength", "input_handle")

func init() {
	TensorListLength.Define(ir.Rules{
		Infer: fixed(tensor.Int32, tensor.Scalar),
		Kernel: func(c *ir.Call) *ir.Mistake {
			c.O(0).I32()[0] = int32(len(c.In[0].(*ir.List).Items))
			return nil
		},
		Grad: ir.NotDifferentiable,
	})
}

// TensorListSetItem replaces an element.
var TensorListSetItem = ir.NewOp("TensorListSetItem", "input_handle, index, item")

// ListSetAttrs are those of TensorListSetItem.
type ListSetAttrs struct {
	Elem   tensor.DType
	Shape  tensor.Shape
	Resize bool
}

// HandleType implements ir.HandleTyper.
func (a *ListSetAttrs) HandleType(*ir.Call) ir.Type { return ir.Type{DT: a.Elem, Shp: a.Shape} }

func init() {
	TensorListSetItem.Define(ir.Rules{
		Attrs: &ListSetAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			if a := c.Attrs.(*ListSetAttrs); c.DType(2) != a.Elem {
				return ir.Invalid("Invalid data types; op elements %s but list elements %s", c.DType(2).CName(), a.Elem.CName())
			}
			return inferList(c)
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			in := c.In[0].(*ir.List)
			i, _ := c.Int(1)
			n := int64(len(in.Items))
			if i < 0 || i >= n && !c.Attrs.(*ListSetAttrs).Resize {
				return ir.Invalid("Trying to modify element %d in a list with %d elements.", i, n)
			}
			l := mutable(c, int(max(i-n+1, 0)))
			for int64(len(l.Items)) <= i {
				l.Items = append(l.Items, nil)
			}
			t := c.T(2)
			c.Env.Alloc.Keep(t)
			if old := l.Items[i]; old != nil {
				c.Env.Alloc.Drop(old)
			}
			l.Items[i] = t
			c.SetResult(0, l)
			return nil
		},
		IntArgs: ir.In(1), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s, a := g.Session, g.Attrs.(*ListSetAttrs)
			item := s.EmitN(TensorListGetItem, &ListAttrs{Elem: a.Elem, Shape: g.In[2].Type.Shp, Lenient: true}, g.DY[0], g.X(1), inShape(g, 2))
			g.DX[2] = item
			g.DX[0] = s.EmitN(TensorListSetItem, &ListSetAttrs{Elem: a.Elem, Shape: a.Shape, Resize: true}, g.DY[0], g.X(1), zeros(s, item))
		},
	})
}

// TensorListGetItem reads an element; operand 2, if there, is the shape of zeros
// for one that was never written.
var TensorListGetItem = ir.NewOp("TensorListGetItem", "input_handle, index, element_shape")

func init() {
	TensorListGetItem.Define(ir.Rules{
		Attrs: &ListAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake { return c.SetOut(listAttrs(c).Elem, listAttrs(c).Shape) },
		Alloc: func(c *ir.Call) *ir.Mistake {
			l := c.In[0].(*ir.List)
			i, _ := c.Int(1)
			var t *tensor.Tensor
			if i >= 0 && i < int64(len(l.Items)) {
				t = l.Items[i]
			} else if !listAttrs(c).Lenient {
				return ir.Invalid("Trying to access element %d in a list with %d elements.", i, len(l.Items))
			}
			if t == nil {
				var m *ir.Mistake
				if t, m = readZero(c, l, 2); m != nil {
					return m
				}
			} else {
				c.Env.Alloc.Keep(t)
			}
			c.SetResult(0, t)
			return nil
		},
		IntArgs: ir.In(1) | ir.In(2), Uses: ir.In(1),
		Grad: func(g *ir.Grad) {
			s, a := g.Session, g.Attrs.(*ListAttrs)
			l := s.EmitN(EmptyTensorList, &ListAttrs{Elem: a.Elem, Shape: a.Shape})
			g.DX[0] = s.EmitN(TensorListSetItem, &ListSetAttrs{Elem: a.Elem, Shape: a.Shape, Resize: true}, l, g.X(1), g.Dy())
		},
	})
}

// readZero is zeros of the shape in operand at, if there is one.
func readZero(c *ir.Call, l *ir.List, at int) (*tensor.Tensor, *ir.Mistake) {
	if c.N() > at {
		if v, ok := c.Ints(at); ok {
			dims := make([]int, len(v))
			known := true
			for i, d := range v {
				dims[i] = int(d)
				known = known && d >= 0
			}
			if known && c.Shape(at).Rank() == 1 {
				t, err := c.Env.Alloc.Zeros(l.Elem.DT, tensor.ShapeOf(dims...))
				if err != nil {
					return nil, ir.Raise(err)
				}
				return t, nil
			}
		}
	}
	return zeroItem(c, l)
}

// TensorListStack is all elements as one tensor.
var TensorListStack = ir.NewOp("TensorListStack", "input_handle, element_shape, num_elements=-1")

func init() {
	TensorListStack.Define(ir.Rules{
		Attrs: &ListAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			a := listAttrs(c)
			n := a.Num
			if n == 0 {
				n = -1
			}
			return c.SetOut(a.Elem, tensor.ShapeOf(n).Concat(a.Shape))
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			l := c.In[0].(*ir.List)
			if n := listAttrs(c).Num; n > 0 && n != len(l.Items) {
				return ir.Invalid("Operation expected a list with %d elements but got a list with %d elements.", n, len(l.Items))
			}
			s, m := itemShape(listAttrs(c), l)
			if m != nil {
				return m
			}
			whole := tensor.ShapeOf(len(l.Items)).Concat(s)
			if l.Elem.DT == tensor.String {
				return stackStrings(c, l, whole, s.NumElements())
			}
			o, m := newResult(c, 0, l.Elem.DT, whole)
			if m != nil {
				return m
			}
			size := s.NumElements() * l.Elem.DT.Size()
			for i, t := range l.Items {
				part := o.Bytes()[i*size : (i+1)*size]
				if t == nil {
					clear(part)
				} else {
					copy(part, t.Bytes())
				}
			}
			return nil
		},
		Grad: func(g *ir.Grad) {
			a := g.Attrs.(*ListAttrs)
			g.DX[0] = g.Emit1(TensorListFromTensor, &ListAttrs{Elem: a.Elem, Shape: a.Shape}, g.Dy())
		},
	})
}

// stackStrings is TensorListStack of strings, n an element.
func stackStrings(c *ir.Call, l *ir.List, whole tensor.Shape, n int) *ir.Mistake {
	var b tensor.StringBuilder
	for _, t := range l.Items {
		for k := range n {
			if t == nil {
				b.Add("")
			} else {
				b.AddBytes(t.Str(k))
			}
		}
	}
	return setStrings(c, 0, &b, whole)
}

// itemShape is the shape that all elements have.
func itemShape(a *ListAttrs, l *ir.List) (tensor.Shape, *ir.Mistake) {
	s, ok := tensor.Merge(a.Shape, l.Elem.Shp)
	for _, t := range l.Items {
		if t == nil {
			continue
		}
		m, fits := tensor.Merge(s, t.Shape())
		if !fits || !ok {
			return s, ir.Invalid("Tried to stack list which only contains uninitialized tensors or tensors of different shapes: %s and %s", s.Brackets(), t.Shape().Brackets())
		}
		s = m
	}
	if !s.Known() {
		if len(l.Items) == 0 && s.RankKnown() {
			dims := dimsCopy(s)
			for i := range dims {
				dims[i] = max(dims[i], 0)
			}
			return tensor.ShapeOf(dims...), nil
		}
		return s, ir.Invalid("Tried to stack list which only contains uninitialized tensors and has a non-fully-defined element_shape: %s", s.Brackets())
	}
	return s, nil
}

// TensorListFromTensor is a list of the slices along the first dimension.
var TensorListFromTensor = ir.NewOp("TensorListFromTensor", "tensor, element_shape")

func init() {
	TensorListFromTensor.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList, IntArgs: ir.In(1),
		Alloc: func(c *ir.Call) *ir.Mistake {
			x := c.T(0)
			if x.Rank() == 0 {
				return ir.Invalid("Tensor must be at least a vector, but saw shape: []")
			}
			n, s := x.Dims()[0], x.Shape().Slice(1, x.Rank())
			l := &ir.List{Elem: listAttrs(c).HandleType(c), Items: make([]*tensor.Tensor, n), Own: 1}
			for i := range n {
				t, err := c.Env.Alloc.View(x, i*s.NumElements(), s)
				if err != nil {
					return ir.Raise(err)
				}
				l.Items[i] = t
			}
			c.SetResult(0, l)
			return nil
		},
		Grad: func(g *ir.Grad) {
			s, in := g.Session, g.In[0].Type
			n := firstOf(s, inShape(g, 0))
			item := tensor.UnknownShape
			if in.Shp.RankKnown() {
				item = in.Shp.Slice(1, in.Shp.Rank())
			}
			a := &ListAttrs{Elem: in.DT, Shape: item, Num: max(in.Shp.Dim(0), 0)}
			g.DX[0] = s.Emit1(TensorListStack, a, s.Emit2(TensorListResize, a, g.DY[0], n))
		},
	})
}

// firstOf is the first dimension of a shape.
func firstOf(s *ir.Session, shape ir.Value) ir.Value {
	if v, ok := exactInts(shape); ok && len(v) > 0 {
		return ir.IntScalar(v[0])
	}
	return s.EmitN(StridedSlice, &SliceAttrs{ShrinkAxis: 1}, shape, ir.IntList(0), ir.IntList(1), ir.IntList(1))
}

// TensorListResize gives a list another length.
var TensorListResize = ir.NewOp("TensorListResize", "input_handle, size")

func init() {
	TensorListResize.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList, IntArgs: ir.In(1),
		Alloc: func(c *ir.Call) *ir.Mistake {
			n, _ := c.Int(1)
			l := mutable(c, int(n))
			for int64(len(l.Items)) < n {
				l.Items = append(l.Items, nil)
			}
			for int64(len(l.Items)) > n {
				k := len(l.Items) - 1
				if t := l.Items[k]; t != nil {
					c.Env.Alloc.Drop(t)
				}
				l.Items[k], l.Items = nil, l.Items[:k]
			}
			c.SetResult(0, l)
			return nil
		},
		Grad: func(g *ir.Grad) {
			g.DX[0] = g.DY[0] // lists of gradients may be longer or shorter
		},
	})
}

// addLists adds two lists element by element: the sum of two gradients.
var addLists = ir.NewOp("TensorListAdd", "x, y")

func init() {
	addLists.Define(ir.Rules{
		Attrs: &ListAttrs{}, Infer: inferList,
		Alloc: func(c *ir.Call) *ir.Mistake {
			x, y := c.In[0].(*ir.List), c.In[1].(*ir.List)
			n := max(len(x.Items), len(y.Items))
			l := &ir.List{Elem: x.Elem, Items: make([]*tensor.Tensor, n), Own: 1}
			at := func(l *ir.List, i int) *tensor.Tensor {
				if i < len(l.Items) {
					return l.Items[i]
				}
				return nil
			}
			for i := range n {
				a, b := at(x, i), at(y, i)
				switch {
				case a == nil || b == nil:
					if a == nil {
						a = b
					}
					if a != nil {
						c.Env.Alloc.Keep(a)
					}
					l.Items[i] = a
				default:
					t, err := c.Env.Alloc.Copy(a)
					if err != nil {
						return ir.Raise(err)
					}
					l.Items[i] = t
					if err := addTo(t, b); err != nil {
						return mistake(c, err)
					}
				}
			}
			c.SetResult(0, l)
			return nil
		},
		Grad: func(g *ir.Grad) { g.DX[0], g.DX[1] = g.DY[0], g.DY[0] },
	})
}
