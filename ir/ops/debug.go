package ops

import (
	"strings"

	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/format"
)

// AssertAttrs are those of Assert.
type AssertAttrs struct{ Summarize int }

// Assert fails when its condition is false; the other operands are shown.
var Assert = ir.NewOp("Assert", "condition, data, summarize=3")

func init() {
	Assert.Define(ir.Rules{
		Attrs: &AssertAttrs{Summarize: 3},
		Infer: func(c *ir.Call) *ir.Mistake {
			if r := c.Shape(0).Rank(); r > 0 {
				return ir.Invalid("Shape must be rank 0 but is rank %d", r)
			}
			return c.NoOut()
		},
		Kernel: func(c *ir.Call) *ir.Mistake {
			if c.T(0).Bools()[0] {
				return nil
			}
			return ir.Invalid("assertion failed: %s", shownData(c))
		},
		Effect: ir.Fails,
		Grad:   ir.NotDifferentiable,
	})
}

// shownData lists the operands of an assertion, each in brackets.
func shownData(c *ir.Call) string {
	n := 3
	if a, ok := c.Attrs.(*AssertAttrs); ok && a != nil {
		n = a.Summarize
	}
	parts := make([]string, 0, c.N())
	for i := 1; i < c.N(); i++ {
		parts = append(parts, shownTensor(c.T(i), n))
	}
	return strings.Join(parts, " ")
}

// shownTensor is the first n elements in brackets, strings bare.
func shownTensor(t *tensor.Tensor, n int) string {
	if t.DType() == tensor.String {
		var parts []string
		for i := range min(n, t.Len()) {
			parts = append(parts, string(t.Str(i)))
		}
		return "[" + strings.Join(parts, " ") + more(t, n) + "]"
	}
	flat := format.FlatText(t, n)
	return "[" + flat + more(t, n) + "]"
}

func more(t *tensor.Tensor, n int) string {
	if n >= 0 && t.Len() > n {
		return "..."
	}
	return ""
}
