package ops_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

// docs are the doc comments of the package's variables.
func docs(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				v, ok := s.(*ast.ValueSpec)
				if ok && len(v.Values) == 1 {
					if name := newOpName(v.Values[0]); name != "" {
						out[name] = g.Doc.Text() + v.Doc.Text()
					}
				}
			}
		}
	}
	return out
}

// newOpName is the op's name in a call of ir.NewOp.
func newOpName(e ast.Expr) string {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return ""
	}
	if f, ok := c.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "NewOp" {
		return ""
	}
	return strings.Trim(c.Args[0].(*ast.BasicLit).Value, `"`)
}

func TestEveryOpIsWhole(t *testing.T) {
	doc := docs(t)
	for _, op := range ir.Ops() {
		if doc[op.Name] == "" {
			t.Errorf("%s has no doc comment", op.Name)
		}
		if op.Infer == nil {
			t.Errorf("%s has no Infer", op.Name)
		}
		if op.Grad == nil {
			t.Errorf("%s has no Grad: say ir.NotDifferentiable", op.Name)
		}
		control := op == ops.If || op == ops.Case || op == ops.While || op == ops.Call
		if op.Kernel == nil && op.Alloc == nil && op.View == nil && !control {
			t.Errorf("%s has no kernel", op.Name)
		}
		if op.Effect&ir.Random != 0 {
			if _, ok := op.NewAttrs().(exec.Seeded); !ok {
				t.Errorf("%s is random and has no seeds", op.Name)
			}
		}
	}
}

// runRow runs a row and its gradients with f making the results of the inputs.
func runRow(t *testing.T, r oracleRow, poison bool, apply func(x *exec.Context, op *ir.Op, attrs any, in []ir.Value) []ir.Value) (outs, grads []ir.Value) {
	t.Helper()
	op := ir.FindOp(r.Op)
	x := exec.NewContext()
	x.Allocator.Poison = poison
	attrs := attrsOf(t, op, r.Attrs)
	in := make([]ir.Value, len(r.In))
	tape := x.NewTape(false, true)
	tape.Start()
	for i, o := range r.In {
		v := o.tensor(t)
		in[i] = v
		if v.DType().Differentiable() && r.Grad != nil {
			tape.Watch(v)
		}
	}
	outs = apply(x, op, attrs, in)
	if err := x.Err(); err != nil {
		t.Fatal(err)
	}
	if r.Grad == nil {
		return outs, nil
	}
	var targets, dys []ir.Value
	for _, o := range outs {
		if o.DType().Differentiable() {
			targets = append(targets, o)
			dys = append(dys, r.Dy[len(dys)].tensor(t))
		}
	}
	grads = tape.Gradient(targets, dys, in)
	for i, g := range grads {
		if g != nil {
			grads[i] = ops.Densify(x.Session, g)
		}
	}
	if err := x.Err(); err != nil {
		t.Fatal(err)
	}
	return outs, grads
}

func eagerly(x *exec.Context, op *ir.Op, attrs any, in []ir.Value) []ir.Value {
	return x.EmitAll(op, attrs, in...)
}

// traced runs the op as a graph whose parameters have the shapes that blur gives.
func traced(t *testing.T, blur func(tensor.Shape) tensor.Shape, consts bool) func(x *exec.Context, op *ir.Op, attrs any, in []ir.Value) []ir.Value {
	return func(x *exec.Context, op *ir.Op, attrs any, in []ir.Value) []ir.Value {
		g := ir.NewGraph("f", nil)
		args := make([]ir.Value, len(in))
		var params []ir.Value
		for i, v := range in {
			if consts && op.IntArgs.HasIn(i, len(in)) {
				if t := v.(*tensor.Tensor); t.DType().IsInteger() {
					args[i] = ir.NewBuilder(g).Const(t, "")
					continue
				}
			}
			args[i] = g.AddParam(fmt.Sprintf("x%d", i), ir.Type{DT: v.DType(), Shp: blur(v.Shape())})
			params = append(params, v)
		}
		s := &ir.Session{Emitter: ir.NewBuilder(g)}
		for _, o := range s.EmitAll(op, attrs, args...) {
			g.Results = append(g.Results, o.(*ir.Sym))
		}
		if err := s.Err(); err != nil {
			x.SetErr(fmt.Errorf("tracing: %w", err))
			return nil
		}
		if err := ir.Verify(g); err != nil {
			t.Fatalf("%v\n%s", err, g)
		}
		text := g.String()
		if back, err := ir.Parse(text); err != nil || back.String() != text {
			t.Fatalf("print does not parse back: %v\n%s", err, text)
		}
		return x.EmitAll(ops.Call, &ir.CallAttrs{Body: g}, params...)
	}
}

func sameShape(s tensor.Shape) tensor.Shape { return s }

func unknownDims(s tensor.Shape) tensor.Shape {
	if s.Rank() <= 0 {
		return s
	}
	return tensor.UnknownDims(s.Rank())
}

// needStatic are ops whose gradient wants shapes that are known while tracing, or
// that can't be traced without them.
var needStatic = map[string]bool{"RFFT": true, "IRFFT": true, "Qr": true, "MatrixSetDiagV3": true, "MatrixDiagV3": true,
	"MatrixDiagPartV3": true, "ResizeBilinear": true, "ResizeNearestNeighbor": true, "EuclideanNorm": false, "Svd": true,
	"SpaceToDepth": true, "DepthToSpace": true, "MirrorPad": true, "StringSplitV2": true, "Einsum": true, "Cholesky": true, "MatrixInverse": true, "MatrixSolve": true,
	"MatrixTriangularSolve": true, "MatrixDeterminant": true, "LogMatrixDeterminant": true}

func TestEagerAndTracedGiveTheSameBits(t *testing.T) {
	for i, r := range loadRows(t) {
		t.Run(fmt.Sprintf("%d_%s", i+1, r.Op), func(t *testing.T) {
			outs, grads := runRow(t, r, false, eagerly)
			for _, mode := range []struct {
				name   string
				blur   func(tensor.Shape) tensor.Shape
				consts bool
			}{{"static", sameShape, true}, {"unknown dims", unknownDims, true}} {
				if mode.name != "static" && needStatic[r.Op] {
					continue
				}
				o2, g2 := runRow(t, r, false, traced(t, mode.blur, mode.consts))
				sameBits(t, mode.name+" result", outs, o2)
				if mode.consts && len(o2) > 0 && len(grads) > 0 {
					sameGrads(t, mode.name, grads, g2)
				}
			}
		})
	}
}

func TestPoisonedBuffersChangeNothing(t *testing.T) {
	for i, r := range loadRows(t) {
		t.Run(fmt.Sprintf("%d_%s", i+1, r.Op), func(t *testing.T) {
			outs, grads := runRow(t, r, false, eagerly)
			o2, g2 := runRow(t, r, true, eagerly)
			sameBits(t, "result", outs, o2)
			sameBits(t, "gradient", grads, g2)
		})
	}
}

func sameBits(t *testing.T, what string, a, b []ir.Value) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d and %d values", what, len(a), len(b))
	}
	for i := range a {
		x, _ := a[i].(*tensor.Tensor)
		y, _ := b[i].(*tensor.Tensor)
		if (x == nil) != (y == nil) {
			t.Errorf("%s %d: one is None", what, i)
		} else if x != nil && !equalBits(x, y) {
			t.Errorf("%s %d: %s %s differ: %v and %v", what, i, ir.TypeOf(x), ir.TypeOf(y), values(x), values(y))
		}
	}
}

// sameGrads compares the gradients of the float operands.
func sameGrads(t *testing.T, what string, a, b []ir.Value) {
	t.Helper()
	for i := range a {
		x, _ := a[i].(*tensor.Tensor)
		y, _ := b[i].(*tensor.Tensor)
		if (x == nil) != (y == nil) {
			t.Errorf("%s gradient %d: one is None", what, i)
		} else if x != nil {
			agree(t, fmt.Sprintf("%s gradient %d", what, i), y, x, 1e-5)
		}
	}
}

// equalBits is tensor.Equal with every nan equal to every other.
func equalBits(x, y *tensor.Tensor) bool {
	if tensor.Equal(x, y) {
		return true
	}
	if !x.Same(y) || x.DType() != tensor.Float32 && x.DType() != tensor.Float64 {
		return false
	}
	a, b := values(x), values(y)
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return true
}

func values(x *tensor.Tensor) []float64 {
	var f []float64
	switch x.DType() {
	case tensor.Float32:
		for _, v := range x.F32() {
			f = append(f, float64(v))
		}
	case tensor.Float64:
		f = append(f, x.F64()...)
	}
	return f
}

// notSmooth are ops whose rows stand on kinks or poles, or whose numbers are too
// large for finite differences.
var notSmooth = map[string]bool{"Pow": true, "Maximum": true, "Minimum": true, "Erfinv": true, "Ndtri": true, "CumulativeLogsumexp": true,
	"Zeta": true, "Polygamma": true, "Igamma": true, "Igammac": true, "Cumprod": true, "FloorMod": true, "SelfAdjointEigV2": true, "Qr": true,
	"Betainc": true, "Digamma": true, "SegmentProd": true, "UnsortedSegmentProd": true, "ReluGrad": true, "Prod": true, "Cholesky": true,
	"RsqrtGrad": true, "SqrtGrad": true, "Softsign": true, "Relu6": true, "LeakyRelu": true, "Elu": true, "Relu": true, "DivNoNan": true, "Xlogy": true,
	"Xlog1py": true, "Xdivy": true, "MulNoNan": true, "TensorScatterMax": true, "TensorScatterMin": true, "Max": true, "Min": true, "SegmentMax": true,
	"SegmentMin": true, "UnsortedSegmentMax": true, "UnsortedSegmentMin": true, "MaxPool": true, "MaxPool3D": true, "EuclideanNorm": true, "RealDiv": true, "TopKV2": true, "Abs": true}

// TestGradientsOfSecondOrder compares the derivative of the gradient in a random
// direction with finite differences, in float64.
func TestGradientsOfSecondOrder(t *testing.T) {
	seen := map[string]int{}
	for i, r := range loadRows(t) {
		if r.Grad == nil || notSmooth[r.Op] || seen[r.Op] > 3 || !allFloat32(r) {
			continue
		}
		seen[r.Op]++
		t.Run(fmt.Sprintf("%d_%s", i+1, r.Op), func(t *testing.T) { checkSecond(t, r) })
	}
}

// allFloat32 reports rows whose floats are all float32, which can run in float64.
func allFloat32(r oracleRow) bool {
	op := ir.FindOp(r.Op)
	some := false
	for i, o := range r.In {
		switch o.T {
		case "float32":
			some = some || len(o.D) > 0
			if !op.Allows(min(i, 0), tensor.Float64) {
				return false
			}
		case "float64", "float16", "bfloat16", "complex64", "complex128":
			return false
		}
	}
	return some && r.Op != "Cast" && r.Op != "Bitcast" && r.Op != "ResizeBilinear" && r.Op != "MaxPool3D" && r.Op != "ResizeNearestNeighbor" && r.Op != "Complex"
}

func checkSecond(t *testing.T, r oracleRow) {
	rng := rand.New(rand.NewPCG(1, 2))
	op := ir.FindOp(r.Op)
	attrs := attrsOf(t, op, r.Attrs)
	var at, dir []*tensor.Tensor
	for _, o := range r.In {
		if o.T == "float32" {
			o.T = "float64"
		}
		v := o.tensor(t)
		d := tensor.Make(v.DType(), v.Shape())
		if v.DType() == tensor.Float64 {
			for i := range d.F64() {
				d.F64()[i] = rng.Float64()*2 - 1
			}
		}
		at, dir = append(at, v), append(dir, d)
	}
	// phi(h) = <grad f(x + h dir), dir>; its derivative by differences and by tape.
	phi := func(h float64, second bool) (float64, float64) {
		x := exec.NewContext()
		outer, inner := x.NewTape(false, true), x.NewTape(false, true)
		in := make([]ir.Value, len(at))
		outer.Start()
		var floatsIn []ir.Value
		for i, v := range at {
			if v.DType() != tensor.Float64 {
				in[i] = v
				continue
			}
			p := tensor.Make(v.DType(), v.Shape())
			for k := range p.F64() {
				p.F64()[k] = v.F64()[k] + h*dir[i].F64()[k]
			}
			in[i] = p
			floatsIn = append(floatsIn, p)
			outer.Watch(p)
		}
		inner.Start()
		for _, p := range floatsIn {
			inner.Watch(p)
		}
		outs := x.EmitAll(op, attrs, in...)
		var f ir.Value
		for k, o := range outs {
			if o.DType() != tensor.Float64 {
				continue
			}
			w := tensor.Make(tensor.Float64, o.Shape())
			for q := range w.F64() {
				w.F64()[q] = math.Cos(float64(q*7 + k))
			}
			s := ops.EmitReduce(x.Session, ops.Sum, x.Emit2(ops.Mul, nil, x.Emit2(ops.Mul, nil, o, o), w), nil, false)
			if f == nil {
				f = s
			} else {
				f = x.Emit2(ops.AddV2, nil, f, s)
			}
		}
		if f == nil {
			return 0, 0
		}
		inner.Stop()
		grads := inner.Gradient([]ir.Value{f}, nil, floatsIn)
		var dot ir.Value
		k := 0
		for i := range at {
			if at[i].DType() != tensor.Float64 {
				continue
			}
			g := grads[k]
			k++
			if g == nil {
				continue
			}
			p := ops.EmitReduce(x.Session, ops.Sum, x.Emit2(ops.Mul, nil, ops.Densify(x.Session, g), dir[i]), nil, false)
			if dot == nil {
				dot = p
			} else {
				dot = x.Emit2(ops.AddV2, nil, dot, p)
			}
		}
		outer.Stop()
		if err := x.Err(); err != nil {
			t.Fatal(err)
		}
		if dot == nil {
			return 0, 0
		}
		value := dot.(*tensor.Tensor).F64()[0]
		if !second {
			return value, 0
		}
		dd := 0.0
		k = 0
		gg := outer.Gradient([]ir.Value{dot}, nil, floatsIn)
		if err := x.Err(); err != nil {
			t.Fatal(err)
		}
		for i := range at {
			if at[i].DType() != tensor.Float64 {
				continue
			}
			if g := gg[k]; g != nil {
				for q, v := range ops.Densify(x.Session, g).(*tensor.Tensor).F64() {
					dd += v * dir[i].F64()[q]
				}
			}
			k++
		}
		return value, dd
	}
	const h = 1e-5
	up, _ := phi(h, false)
	down, _ := phi(-h, false)
	_, got := phi(0, true)
	want := (up - down) / (2 * h)
	if math.Abs(got-want) > 1e-4*(1+math.Abs(want)) {
		t.Errorf("second derivative %v, by differences %v", got, want)
	}
}
