package ops_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
	"github.com/tfs-lang/tfs/tensor/kernel"
)

// oracleRow is one call recorded from TensorFlow 2.21 with its results, upstream
// gradients and the gradients of the operands.
type oracleRow struct {
	Op     string
	In     []oracleTensor
	Attrs  map[string]any
	Out    []oracleTensor
	Dy     []oracleTensor
	Grad   []*oracleTensor
	NoGrad bool `json:"nograd"`
	Tol    float64
}

type oracleTensor struct {
	T string
	S []int
	D []any
}

func (o oracleTensor) tensor(t *testing.T) *tensor.Tensor {
	t.Helper()
	dt, ok := tensor.ParseDType(o.T)
	if !ok {
		t.Fatalf("no dtype %q", o.T)
	}
	if dt == tensor.String {
		var s []string
		for _, v := range o.D {
			s = append(s, v.(string))
		}
		return tensor.FromStrings(s, o.S...)
	}
	r := tensor.Make(dt, tensor.ShapeOf(o.S...))
	if dt.IsComplex() {
		for i, v := range o.D {
			p := v.([]any)
			z := complex(number(p[0]), number(p[1]))
			if dt == tensor.Complex64 {
				tensor.Data[complex64](r)[i] = complex64(z)
			} else {
				tensor.Data[complex128](r)[i] = z
			}
		}
		return r
	}
	f := make([]float64, len(o.D))
	for i, v := range o.D {
		f[i] = number(v)
	}
	if !kernel.Cast(ops.Elems(r), f) {
		t.Fatalf("can't fill %s", dt)
	}
	return r
}

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		return map[string]float64{"nan": math.NaN(), "inf": math.Inf(1), "-inf": math.Inf(-1)}[v]
	}
	return math.NaN()
}

// attrsOf fills the op's attribute struct from the row.
func attrsOf(t *testing.T, op *ir.Op, vals map[string]any) any {
	t.Helper()
	a := op.NewAttrs()
	if a == nil {
		return nil
	}
	for k, v := range vals {
		f := reflect.ValueOf(a).Elem().FieldByName(k)
		if !f.IsValid() {
			t.Fatalf("%s has no attribute %s", op.Name, k)
		}
		setAttr(t, f, v)
	}
	return a
}

func setAttr(t *testing.T, f reflect.Value, v any) {
	t.Helper()
	switch f.Interface().(type) {
	case tensor.DType:
		dt, _ := tensor.ParseDType(v.(string))
		f.Set(reflect.ValueOf(dt))
		return
	case tensor.Shape:
		var dims []int
		for _, d := range v.([]any) {
			dims = append(dims, int(d.(float64)))
		}
		f.Set(reflect.ValueOf(tensor.ShapeOf(dims...)))
		return
	}
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(v.(bool))
	case reflect.String:
		f.SetString(v.(string))
	case reflect.Float64, reflect.Float32:
		f.SetFloat(v.(float64))
	case reflect.Int, reflect.Int64:
		f.SetInt(int64(v.(float64)))
	case reflect.Slice:
		for _, e := range v.([]any) {
			n := reflect.New(f.Type().Elem()).Elem()
			setAttr(t, n, e)
			f.Set(reflect.Append(f, n))
		}
	default:
		t.Fatalf("attribute of kind %s", f.Kind())
	}
}

func loadRows(t *testing.T) []oracleRow {
	t.Helper()
	f, err := os.Open("testdata/rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []oracleRow
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r oracleRow
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatalf("row %d: %v", len(rows)+1, err)
		}
		rows = append(rows, r)
	}
	return rows
}

func TestOpsAgreeWithTensorFlow(t *testing.T) {
	for i, r := range loadRows(t) {
		t.Run(fmt.Sprintf("%d_%s", i+1, r.Op), func(t *testing.T) { checkRow(t, r) })
	}
}

func checkRow(t *testing.T, r oracleRow) {
	op := ir.FindOp(r.Op)
	if op == nil {
		t.Fatalf("no op %s", r.Op)
	}
	x := exec.NewContext()
	attrs := attrsOf(t, op, r.Attrs)
	in := make([]ir.Value, len(r.In))
	tape := x.NewTape(false, true)
	tape.Start()
	for i, o := range r.In {
		v := o.tensor(t)
		in[i] = v
		if v.DType().Differentiable() {
			tape.Watch(v)
		}
	}
	outs := x.EmitAll(op, attrs, in...)
	if err := x.Err(); err != nil {
		t.Fatal(err)
	}
	if len(outs) != len(r.Out) {
		t.Fatalf("%d results, want %d", len(outs), len(r.Out))
	}
	tol := r.Tol
	if tol == 0 {
		tol = 2e-5
	}
	for i, o := range outs {
		agree(t, fmt.Sprintf("result %d", i), o, r.Out[i].tensor(t), tol)
	}
	if r.NoGrad {
		if !op.GradOfInts() {
			t.Errorf("TensorFlow has no gradient")
		}
		return
	}
	if r.Grad != nil {
		checkGrads(t, r, x, tape, in, outs, tol)
	}
}

func checkGrads(t *testing.T, r oracleRow, x *exec.Context, tape *exec.Tape, in, outs []ir.Value, tol float64) {
	var targets, dys []ir.Value
	for _, o := range outs {
		if o.DType().Differentiable() {
			targets = append(targets, o)
			dys = append(dys, r.Dy[len(dys)].tensor(t))
		}
	}
	grads := tape.Gradient(targets, dys, in)
	if err := x.Err(); err != nil {
		t.Fatalf("gradient: %v", err)
	}
	for i, g := range grads {
		want := r.Grad[i]
		switch {
		case g == nil && want == nil:
		case g == nil:
			t.Errorf("gradient %d is None", i)
		case want == nil:
			t.Errorf("gradient %d is not None", i)
		default:
			agree(t, fmt.Sprintf("gradient %d", i), ops.Densify(x.Session, g), want.tensor(t), tol)
		}
	}
}

func agree(t *testing.T, what string, got ir.Value, want *tensor.Tensor, tol float64) {
	t.Helper()
	g, ok := got.(*tensor.Tensor)
	if !ok {
		t.Errorf("%s: got %T", what, got)
		return
	}
	if !g.Same(want) {
		t.Errorf("%s: got %s, want %s", what, ir.TypeOf(g), ir.TypeOf(want))
		return
	}
	if g.DType() == tensor.String {
		if !tensor.Equal(g, want) {
			t.Errorf("%s: got %q, want %q", what, g.Strs(), want.Strs())
		}
		return
	}
	a, b := make([]complex128, g.Len()), make([]complex128, g.Len())
	kernel.Cast(a, ops.Elems(g))
	kernel.Cast(b, ops.Elems(want))
	if g.DType() == tensor.Float16 || g.DType() == tensor.BFloat16 {
		tol = 4e-3
	}
	for i := range a {
		if !near(real(a[i]), real(b[i]), tol) || !near(imag(a[i]), imag(b[i]), tol) {
			t.Errorf("%s: element %d is %v, want %v (all: %v, want %v)", what, i, a[i], b[i], short(a), short(b))
			return
		}
	}
}

func short(v []complex128) []complex128 { return v[:min(len(v), 12)] }

func near(a, b, tol float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return a == b || math.Abs(a-b) <= tol*(1+math.Abs(b))
}
