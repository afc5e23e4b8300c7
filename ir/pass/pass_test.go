package pass

import (
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/ir"
	_ "github.com/tfs-lang/tfs/ir/ops" // the table that Parse reads
	"github.com/tfs-lang/tfs/tensor"
)

// adder folds additions of int32 scalars, enough for the tests.
type adder struct{}

func (adder) Fold(n *ir.Node) ([]*tensor.Tensor, bool) {
	if n.Op.Name != "AddV2" {
		return nil, false
	}
	a, b := n.In[0].Exact, n.In[1].Exact
	return []*tensor.Tensor{tensor.FromScalar(a.I32()[0] + b.I32()[0])}, true
}

func optimized(t *testing.T, text string) string {
	t.Helper()
	g, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	before := g.String()
	defer func(old func(string, *ir.Graph)) { check = old }(check)
	check = func(name string, g *ir.Graph) {
		if err := ir.Verify(g); err != nil {
			t.Fatalf("after %s: %v\n%s", name, err, g)
		}
	}
	out := Optimize(g, adder{}).String()
	if g.String() != before {
		t.Errorf("the traced graph changed:\n%s", g)
	}
	return out
}

var golden = []struct{ name, in, out string }{
	{"fold", `
graph "f"(x: int32[]) {
  a = Const{Value: int32[]{1}}() : int32[]
  b = Const{Value: int32[]{2}}() : int32[]
  c = AddV2(a, b) : int32[]
  d = AddV2(c, c) : int32[]
  y = Mul(x, d) : int32[]
  return y
}`, `
graph "f"(x: int32[]) {
  d = Const{Value: int32[]{6}}() : int32[]
  y = Mul(x, d) : int32[]
  return y
}`},
	{"common", `
graph "f"(x: float32[2], r: resource[]<float32[2]>) {
  i = Const{Value: int32[1]{0}}() : int32[1]
  j = Const{Value: int32[1]{0}}() : int32[1]
  a = Tanh(x) : float32[2]
  b = Tanh(x) : float32[2]
  c = Sum{KeepDims: true}(a, i) : float32[1]
  d = Sum(b, j) : float32[]
  e = Sum(a, i) : float32[]
  p = ReadVariableOp(r) : float32[2]
  q = ReadVariableOp(r) : float32[2]
  s = AddV2(p, q) : float32[2]
  return c, d, e, s
}`, `
graph "f"(x: float32[2], r: resource[]<float32[2]>) {
  i = Const{Value: int32[1]{0}}() : int32[1]
  a = Tanh(x) : float32[2]
  c = Sum{KeepDims: true}(a, i) : float32[1]
  d = Sum(a, i) : float32[]
  p = ReadVariableOp(r) : float32[2]
  q = ReadVariableOp(r) : float32[2]
  s = AddV2(p, q) : float32[2]
  return c, d, d, s
}`},
	{"dead", `
graph "f"(x: float32[], r: resource[]<float32[]>) {
  a = Tanh(x) : float32[]
  b = Sin(a) : float32[]
  w = AssignAddVariableOp(r, a)
  return x
}`, `
graph "f"(x: float32[], r: resource[]<float32[]>) {
  a = Tanh(x) : float32[]
  w = AssignAddVariableOp(r, a)
  return x
}`},
}

func TestPasses(t *testing.T) {
	for _, g := range golden {
		if got := optimized(t, strings.TrimSpace(g.in)); got != strings.TrimSpace(g.out) {
			t.Errorf("%s: got\n%s\nwant%s", g.name, got, g.out)
		}
	}
}
