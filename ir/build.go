package ir

import (
	"fmt"
	"strings"

	"github.com/tfs-lang/tfs/tensor"
)

// Builder is the Emitter that appends to a Graph. The tracer's FuncGraph is
// built on it; gradients of graphs use it as it is.
type Builder struct {
	G *Graph
	// Outside lifts a value that isn't the graph's: a tensor, a variable or a
	// symbol of another graph. nil means Capture.
	Outside func(v Value) (*Sym, error)
	// Watch is told of every node; tapes listen.
	Watch func(c *Call)
	// Title words mistakes; nil means the node's text.
	captured map[Value]*Sym
}

// NewBuilder returns an emitter for g.
func NewBuilder(g *Graph) *Builder { return &Builder{G: g} }

// Emit appends the op to the graph. A mistake is worded as TensorFlow does while
// tracing.
func (b *Builder) Emit(c *Call) error {
	for i, v := range c.In {
		s, err := b.Lift(v, c, i)
		if err != nil {
			return err
		}
		c.In[i] = s
	}
	if m := c.Check(); m != nil {
		return m.Traced(b.nodeText(c))
	}
	b.append(c)
	if b.Watch != nil {
		b.Watch(c)
	}
	return nil
}

func (b *Builder) append(c *Call) {
	in := make([]*Sym, len(c.In))
	for i, v := range c.In {
		in[i] = v.(*Sym)
	}
	n := &Node{Op: c.Op, Attrs: c.Attrs, In: in, Graph: b.G, label: label{want: c.Name}, Pos: c.Site}
	for i, s := range in {
		if s.Node == nil {
			s.read(n, argName(c, i))
		} else if s.Node.Op == ConstOp() {
			s.Node.read(n, argName(c, i))
		}
	}
	for i := range c.NumOut() {
		s := b.G.addOut(n, []Type{c.OutType(i)})[0]
		s.Site = c.Site
		c.Out[i] = s
	}
	b.G.Nodes = append(b.G.Nodes, n)
	if c.Op.Known != nil {
		if v, ok := c.Op.Known(c); ok {
			n.Out[0].Known = append([]int64(nil), v...)
		}
	}
	if h, ok := c.Attrs.(HandleTyper); ok {
		n.Out[0].Handle = h.HandleType(c)
	} else {
		passHandles(n)
	}
	if k, ok := c.Attrs.(*ConstAttrs); ok {
		n.Out[0].SetExact(k.Value)
	}
}

// passHandles gives results that are handles the type that their op passes on.
func passHandles(n *Node) {
	for i, o := range n.Out {
		if o.DT != tensor.Variant && o.DT != tensor.Resources {
			continue
		}
		if gs := n.Graphs(); len(gs) > 0 && i < len(gs[len(gs)-1].Results) {
			o.Handle = gs[len(gs)-1].Results[i].Handle
		} else if len(n.In) > 0 {
			o.Handle = n.In[0].Handle
		}
	}
}

// HandleTyper is an attribute struct that knows the type behind the resource or
// list that its op returns.
type HandleTyper interface{ HandleType(c *Call) Type }

// SetExact notes the constant value of s.
func (s *Sym) SetExact(t *tensor.Tensor) {
	s.Exact = t
	if t.DType().IsInteger() && t.Rank() <= 1 && t.Len() <= 64 {
		s.Known, _ = tensorInts(t)
	}
}

// Lift turns operand i of c into a symbol of the graph.
func (b *Builder) Lift(v Value, c *Call, i int) (*Sym, error) {
	switch v := v.(type) {
	case *Sym:
		if v.Graph == b.G {
			return v, nil
		}
	case *Ints:
		return b.Const(v.Tensor(), ""), nil
	case nil:
		return nil, fmt.Errorf("tfs bug: operand %d of %s is nil", i, c.Op.Name)
	}
	if b.Outside != nil {
		return b.Outside(v)
	}
	return b.Capture(v), nil
}

// argName is TensorFlow's name of operand i, "" if it has none. The parts of an
// index are packed from lists there.
func argName(c *Call, i int) string {
	if c.Op.Def == nil {
		return ""
	}
	a := c.Op.dtypeRule().argOf(i, len(c.In))
	if a >= len(c.Op.Def.Args()) {
		return ""
	}
	name := c.Op.Def.Args()[a].Name
	if n, ok := packed[name]; ok && c.Op.Name == "StridedSlice" {
		return n
	}
	return name
}

var packed = map[string]string{"begin": "stack", "end": "stack_1", "strides": "stack_2"}

// Capture returns the parameter that stands for the outer value v.
func (b *Builder) Capture(v Value) *Sym {
	if s := b.captured[v]; s != nil {
		return s
	}
	if b.captured == nil {
		b.captured = map[Value]*Sym{}
	}
	name := ""
	if o, ok := v.(*Sym); ok {
		name = o.OpName()
	}
	s := b.G.AddCapture(v, name)
	b.captured[v] = s
	return s
}

// Captured is the parameter that stands for v, nil if there is none.
func (b *Builder) Captured(v Value) *Sym { return b.captured[v] }

// ConstAttrs are those of the op Const.
type ConstAttrs struct{ Value *tensor.Tensor }

// ConstOp is the op Const, which the table defines.
func ConstOp() *Op { return FindOp("Const") }

// Const appends a constant.
func (b *Builder) Const(t *tensor.Tensor, name string) *Sym {
	tensor.Hold(t)
	n := b.G.AddNode(ConstOp(), &ConstAttrs{t}, name, nil, TypeOf(t))
	n.Out[0].SetExact(t)
	return n.Out[0]
}

// Constant implements Constanter.
func (b *Builder) Constant(t *tensor.Tensor, name string) Value { return b.Const(t, name) }

// nodeText is how TensorFlow shows the node that failed:
// '{{node add}} = AddV2[T=DT_FLOAT](x, y)' with input shapes: [2], [3].
func (b *Builder) nodeText(c *Call) string {
	name := c.Name
	if name == "" {
		name = c.Op.Name
	}
	b.G.nameAll()
	if n := b.G.names[strings.ToLower(name)]; n > 0 {
		name = fmt.Sprintf("%s_%d", name, n)
	}
	var ins, shapes []string
	for _, v := range c.In {
		s := v.(*Sym)
		ins = append(ins, s.OpName())
		shapes = append(shapes, s.Shp.Brackets())
	}
	text := fmt.Sprintf("'{{node %s}} = %s[%s](%s)' with input shapes: %s", name, c.Op.Name,
		attrText(c), strings.Join(ins, ", "), strings.Join(shapes, ", "))
	if k := knownText(c); k != "" {
		text += " and with computed input tensors: " + k
	}
	return text + "."
}

// attrText lists the dtype attributes, as far as they follow from the operands.
func attrText(c *Call) string {
	if c.Op.Def == nil {
		return ""
	}
	var parts []string
	r := c.Op.dtypeRule()
	for _, a := range c.Op.Def.Attrs() {
		for i, v := range c.In {
			if k := r.argOf(i, len(c.In)); a.Type == "type" && k < len(c.Op.Def.Args()) && c.Op.Def.Args()[k].Attr == a.Name {
				parts = append(parts, a.Name+"="+v.DType().EnumName())
				break
			}
		}
	}
	return strings.Join(parts, ", ")
}

func knownText(c *Call) string {
	var parts []string
	for i, v := range c.In {
		s := v.(*Sym)
		if s.Exact == nil || s.Known == nil || !c.Op.IntArgs.HasIn(i, len(c.In)) {
			continue
		}
		parts = append(parts, fmt.Sprintf("input[%d] = <%s>", i, strings.Trim(fmt.Sprint(s.Known), "[]")))
	}
	return strings.Join(parts, ", ")
}
