package ops

import "github.com/tfs-lang/tfs/ir"

func forwardIf(c *ir.Call) (any, *ir.Mistake)    { return nil, nil }
func forwardCase(c *ir.Call) (any, *ir.Mistake)  { return nil, nil }
func forwardWhile(c *ir.Call) (any, *ir.Mistake) { return nil, nil }
func forwardCall(c *ir.Call) (any, *ir.Mistake)  { return nil, nil }
func ifGrad(g *ir.Grad)                          { ir.NoGradient(g) }
func caseGrad(g *ir.Grad)                        { ir.NoGradient(g) }
func whileGrad(g *ir.Grad)                       { ir.NoGradient(g) }
func callGrad(g *ir.Grad)                        { ir.NoGradient(g) }
