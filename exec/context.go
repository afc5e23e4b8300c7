package exec

import (
	"os"

	"github.com/tfs-lang/tfs/internal/poison"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// Context runs ops now. It serves one goroutine.
type Context struct {
	*ir.Session
	tensor.Allocator
	Tapes Tapes
	Rand  Random
	// Cancelled, if set, is asked between the steps of programs.
	Cancelled func() error
	// InPlace counts results made in an operand, for tests.
	InPlace int

	env   ir.Env
	depth int // nested programs
}

// NewContext returns an eager emitter with its own session and allocator.
func NewContext() *Context {
	x := &Context{}
	x.Allocator.Poison = poison.On
	x.env = ir.Env{Alloc: &x.Allocator, Stderr: os.Stderr, Stdout: os.Stdout}
	x.Session = &ir.Session{Emitter: x, Env: &x.env}
	x.Tapes.x = x
	x.Session.OutputsAdded = x.Tapes.outputsAdded
	return x
}

// Emit runs c. The result has one reference, the caller's; see ir.Call.Dying.
func (x *Context) Emit(c *ir.Call) error {
	if err := x.emit(c); err != nil {
		return err
	}
	return nil
}

func (x *Context) emit(c *ir.Call) error {
	c.Env = &x.env
	x.Allocator.Site = c.Site
	if c.Alike() {
		if len(x.Tapes.recording) == 0 {
			return x.elementwise(c)
		}
	} else if m := x.operands(c); m != nil {
		return m.Eager(c)
	} else if m := c.Check(); m != nil {
		return m.Eager(c)
	}
	var w watchers
	hidden := false
	if len(x.Tapes.recording) != 0 {
		w = x.Tapes.watching(c, x)
		if w != 0 && c.Op.Forward != nil {
			before := c.Attrs
			if m := x.forward(c); m != nil {
				return m.Eager(c)
			}
			hidden = c.Attrs != before
		}
	}
	if w != 0 {
		x.Tapes.noteOperands(c)
	}
	x.Tapes.reused = 0
	if m := x.run(c, w != 0); m != nil {
		return m.Eager(c)
	}
	reused := x.Tapes.reused
	if w != 0 {
		x.Tapes.record(c, w)
		if hidden {
			x.hide(c)
		}
	}
	if reused != 0 {
		x.Tapes.deadID(reused)
	}
	if c.Dying != 0 {
		x.dropDying(c)
	}
	return nil
}

// elementwise runs an op on tensors of one type that no tape watches.
func (x *Context) elementwise(c *ir.Call) error {
	x.Tapes.reused = 0
	if m := x.place(c, false); m != nil {
		return m.Eager(c)
	}
	if m := c.Op.Kernel(c); m != nil {
		x.unplace(c)
		return m.Eager(c)
	}
	if c.Dying != 0 {
		if x.Tapes.reused != 0 {
			x.Tapes.deadID(x.Tapes.reused)
		}
		x.dropDying(c)
	}
	return nil
}

// hide drops the hidden results of a forward variant: only records hold them.
func (x *Context) hide(c *ir.Call) {
	h, ok := c.Attrs.(ir.Hider)
	if !ok || h.HiddenResults() == 0 {
		return
	}
	n := len(c.Out) - h.HiddenResults()
	for i, v := range c.Out[n:] {
		x.Drop(v)
		c.Out[n+i] = nil
	}
	c.Out = c.Out[:n]
}

// forward replaces the attributes by those of the forward variant.
func (x *Context) forward(c *ir.Call) *ir.Mistake {
	a, m := c.Op.Forward(c)
	if m != nil || a == nil {
		return m
	}
	c.Attrs = a
	return c.Check()
}

// operands turns Ints that stand for tensors into tensors, and refuses symbols.
func (x *Context) operands(c *ir.Call) *ir.Mistake {
	for i, v := range c.In {
		switch v := v.(type) {
		case *tensor.Tensor:
		case *ir.Ints:
			if !c.Op.IntArgs.HasIn(i, len(c.In)) {
				c.In[i] = v.Tensor()
			}
		case *ir.Sym:
			return ir.Wrong("TypeError", "<tf.Tensor '%s' shape=%s dtype=%s> is out of scope and cannot be used here. Use return values, explicit Python locals or TensorFlow collections to access it.",
				v.Name(), v.Shp, v.DT.Name())
		}
	}
	return nil
}

// run places the results and runs the kernel. keep says that the operands will
// be recorded.
func (x *Context) run(c *ir.Call, keep bool) *ir.Mistake {
	op := c.Op
	if op.Effect&ir.Random != 0 {
		c.State = x.Rand.state(c)
	}
	if op.View != nil {
		if off, ok := op.View(c); ok {
			return x.view(c, off)
		}
	}
	if op.Alloc != nil {
		return x.alloc(c)
	}
	if op.Kernel == nil {
		return x.control(c)
	}
	if m := x.place(c, keep); m != nil {
		return m
	}
	if m := op.Kernel(c); m != nil {
		x.unplace(c)
		return m
	}
	return nil
}

// alloc runs a kernel that makes its own results.
func (x *Context) alloc(c *ir.Call) *ir.Mistake {
	m := c.Op.Alloc(c)
	if m != nil {
		x.unplace(c)
	}
	return m
}

func (x *Context) view(c *ir.Call, off int) *ir.Mistake {
	v, err := x.View(c.T(0), off, c.OutType(0).Shp)
	if err != nil {
		return ir.Raise(err)
	}
	if v.DType() != c.OutType(0).DT {
		v.Retype(c.OutType(0).DT, v.Shape())
	}
	c.Out[0] = v
	return nil
}

// place finds storage for the results: a dying operand, or fresh.
func (x *Context) place(c *ir.Call, keep bool) *ir.Mistake {
	if c.Dying != 0 && c.Op.InPlace {
		if t := x.reuse(c, keep); t != nil {
			x.InPlace++
			c.Out[0] = t
			return nil
		}
	}
	if i := c.Like(); i >= 0 {
		t := c.T(i)
		r, err := x.New(t.DType(), t.Shape())
		c.Out[0] = r
		return raised(err)
	}
	for i := range c.NumOut() {
		ty := c.OutType(i)
		if ty.DT == tensor.String {
			return ir.Raise(errNoStrings)
		}
		t, err := x.New(ty.DT, ty.Shp)
		if err != nil {
			x.unplace(c)
			return ir.Raise(err)
		}
		c.Out[i] = t
	}
	return nil
}

func raised(err error) *ir.Mistake {
	if err == nil {
		return nil
	}
	return ir.Raise(err)
}

var errNoStrings = &ir.Error{Class: "InternalError", Text: "kernel without strings"}

// unplace gives back the results of a call that failed; an operand that became
// the result stays the caller's.
func (x *Context) unplace(c *ir.Call) {
	for i, o := range c.Out {
		if t, ok := o.(*tensor.Tensor); ok && t != nil && !isOperand(c, t) {
			x.Allocator.Drop(t)
		}
		c.Out[i] = nil
	}
}

func isOperand(c *ir.Call, t *tensor.Tensor) bool {
	for _, v := range c.In {
		if v == ir.Value(t) {
			return true
		}
	}
	return false
}

// reuse finds a dying operand with the result's shape and element width that
// nobody else holds: no second name, no view, no record. One reference that dies
// means that every operand that is this tensor is the dying one.
func (x *Context) reuse(c *ir.Call, keep bool) *tensor.Tensor {
	if keep && c.Op.Uses&ir.AllIn != 0 {
		return nil
	}
	for i, v := range c.In {
		t, ok := v.(*tensor.Tensor)
		if !ok || i >= 32 || c.Dying>>i&1 == 0 || t.Own != 1 || !t.Alone() || t.Flags != 0 {
			continue
		}
		ty := c.OutType(0)
		if t.Shape() != ty.Shp || t.DType().Size() != ty.DT.Size() || t.DType() == tensor.String {
			continue
		}
		if t.DType() != ty.DT {
			return nil // the kernel would read the operand under its new dtype
		}
		if t.Node != 0 {
			// The old value dies here, but not before its use is recorded.
			x.Tapes.reused = t.Node
			t.Node = 0
		}
		return t
	}
	return nil
}

// dropDying drops the operands that the caller gave up, except one that became
// the result: its reference passed on.
func (x *Context) dropDying(c *ir.Call) {
	passed := false
	for i, v := range c.In {
		if i >= 32 || (c.Dying&^c.Lent)>>i&1 == 0 {
			continue
		}
		t, ok := v.(*tensor.Tensor)
		if !ok {
			x.Drop(v)
			continue
		}
		if !passed && len(c.Out) != 0 && c.Out[0] == v {
			passed = true
			continue
		}
		x.Allocator.Drop(t)
	}
}

// Keep counts one more holder of v. It implements ir.Scoper.
func (x *Context) Keep(v ir.Value) {
	switch v := v.(type) {
	case *tensor.Tensor:
		x.Allocator.Keep(v)
	case *ir.List:
		v.Own++
	}
}

// Drop releases one holder of v.
func (x *Context) Drop(v ir.Value) {
	switch v := v.(type) {
	case *tensor.Tensor:
		x.Allocator.Drop(v)
	case *ir.List:
		x.dropList(v)
	}
}

func (x *Context) dropList(l *ir.List) {
	if l.Own--; l.Own > 0 {
		return
	}
	for _, t := range l.Items {
		if t != nil {
			x.Allocator.Drop(t)
		}
	}
	l.Items = nil
}

// Hold leaves v to the collector for good: for one who keeps it in a place that
// isn't counted.
func (x *Context) Hold(v ir.Value) ir.Value {
	switch v := v.(type) {
	case *tensor.Tensor:
		tensor.Hold(v)
	case *ir.Slices:
		x.Hold(v.Values)
		x.Hold(v.Indices)
	}
	return v
}
