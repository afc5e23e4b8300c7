package ops

import (
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
)

// HostFunc is code outside of the op table that an op calls: a script function, a
// printer. It must be a value that names what it calls, not a closure.
type HostFunc interface {
	// Call gets borrowed operands and returns results that the caller then owns.
	Call(env *ir.Env, in []ir.Value) ([]ir.Value, error)
}

// HostGrad is a HostFunc with a gradient, which sets g.DX.
type HostGrad interface {
	Grad(g *ir.Grad)
}

// HostAttrs are those of EagerPyFunc: the function and what it returns. A result's
// dtype must be that noted, its shape must fit.
type HostAttrs struct {
	Fn   HostFunc
	Out  []ir.Type
	Text string // names the function in prints of a graph
}

// EagerPyFunc calls a function of the host: tf.py_function, tf.numpy_function.
var EagerPyFunc = ir.NewOp("EagerPyFunc", "input")

// PrintV2 calls a function of the host that prints: tf.print.
var PrintV2 = ir.NewOp("HostPrint", "input")

func init() {
	EagerPyFunc.Define(ir.Rules{
		Attrs: &HostAttrs{}, Infer: inferHost, Alloc: runHost, Effect: ir.Calls, Uses: ir.AllIn | ir.AllOut,
		Grad: func(g *ir.Grad) {
			if h, ok := g.Attrs.(*HostAttrs).Fn.(HostGrad); ok {
				h.Grad(g)
			}
		},
	})
}

func init() {
	PrintV2.Define(ir.Rules{
		Attrs: &HostAttrs{}, Infer: inferHost, Alloc: runHost, Effect: ir.Prints, Grad: ir.NotDifferentiable,
	})
}

func inferHost(c *ir.Call) *ir.Mistake {
	a := c.Attrs.(*HostAttrs)
	if len(a.Out) == 0 {
		return c.NoOut()
	}
	for _, t := range a.Out {
		c.SetOut(t.DT, t.Shp)
	}
	return nil
}

func runHost(c *ir.Call) *ir.Mistake {
	a := c.Attrs.(*HostAttrs)
	if a.Fn == nil {
		return ir.Wrong("UnimplementedError", "function %q of a graph that was read from text can't be called", a.Text)
	}
	outs, err := a.Fn.Call(c.Env, c.In)
	if err != nil {
		return ir.Raise(err)
	}
	if len(outs) != len(a.Out) {
		return ir.Invalid("expected %d outputs, got %d", len(a.Out), len(outs))
	}
	for i, v := range outs {
		if v.DType() != a.Out[i].DT {
			return ir.Invalid("%d-th value returned by %s is %s, but expects %s", i, a.Text, v.DType().CName(), a.Out[i].DT.CName())
		}
		c.SetResult(i, v)
	}
	return nil
}

// GradFunc is the gradient of a CustomGradient: it gets the cotangents of the
// results and returns the gradients of the arguments (nil for none). It emits with
// g's session.
type GradFunc interface {
	Grads(g *ir.Grad, dys []ir.Value) ([]ir.Value, error)
}

// CustomAttrs are those of CustomGradient: the first N operands are the results of
// the function, the others its arguments.
type CustomAttrs struct {
	N    int
	Fn   GradFunc
	Text string
}

// Replaces is N, 0 where gradients flow through.
func (a *CustomAttrs) Replaces() int {
	if a.Fn == nil {
		return 0
	}
	return a.N
}

// Plain is a without the function.
func (a *CustomAttrs) Plain() any { return &CustomAttrs{N: a.N} }

// CustomGradient passes its first N operands on; the gradient is a function of the
// host, for the operands after those.
var CustomGradient = ir.NewOp("IdentityN", "input")

func init() {
	CustomGradient.Define(ir.Rules{
		Attrs: &CustomAttrs{},
		Infer: func(c *ir.Call) *ir.Mistake {
			n := c.N()
			if a, ok := c.Attrs.(*CustomAttrs); ok && a.N > 0 {
				n = a.N
			}
			for i := range n {
				c.SetOut(c.DType(i), c.Shape(i))
			}
			return nil
		},
		Alloc: func(c *ir.Call) *ir.Mistake {
			for i := range c.NumOut() {
				x, ok := c.In[i].(*tensor.Tensor)
				if !ok {
					x = tensorOf(c, i)
				}
				v, err := c.Env.Alloc.View(x, 0, x.Shape())
				if err != nil {
					return ir.Raise(err)
				}
				c.SetResult(i, v)
			}
			return nil
		},
		Grad: func(g *ir.Grad) {
			a, _ := g.Attrs.(*CustomAttrs)
			if a == nil || a.Fn == nil {
				copy(g.DX, g.DY)
				return
			}
			grads, err := a.Fn.Grads(g, allDy(g))
			if err != nil {
				g.SetErr(err)
				return
			}
			for i, d := range grads {
				if a.N+i < len(g.DX) {
					g.DX[a.N+i] = d
				}
			}
		},
	})
}
