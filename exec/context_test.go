package exec_test

import (
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

func f32(vals ...float32) *tensor.Tensor { return tensor.From(vals, len(vals)) }

func scalar(v float32) *tensor.Tensor { return tensor.FromScalar(v) }

// counted returns a tensor with one reference, as ops make them.
func counted(t *testing.T, x *exec.Context, vals ...float32) *tensor.Tensor {
	t.Helper()
	r, err := x.New(tensor.Float32, tensor.ShapeOf(len(vals)))
	if err != nil {
		t.Fatal(err)
	}
	copy(r.F32(), vals)
	return r
}

func floats(t *testing.T, v ir.Value) []float32 {
	t.Helper()
	x, ok := v.(*tensor.Tensor)
	if !ok {
		t.Fatalf("got %T, want a tensor", v)
	}
	return x.F32()
}

func same(t *testing.T, got ir.Value, want ...float32) {
	t.Helper()
	f := floats(t, got)
	if len(f) != len(want) {
		t.Fatalf("got %v, want %v", f, want)
	}
	for i := range f {
		if d := f[i] - want[i]; d > 1e-5 || d < -1e-5 || d != d && want[i] == want[i] {
			t.Fatalf("got %v, want %v", f, want)
		}
	}
}

func noErr(t *testing.T, s *ir.Session) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestEagerAdd(t *testing.T) {
	x := exec.NewContext()
	same(t, x.Emit2(ops.AddV2, nil, f32(1, 2), f32(10, 20)), 11, 22)
	same(t, x.Emit2(ops.AddV2, nil, f32(1, 2), scalar(1)), 2, 3)
	noErr(t, x.Session)
}

func TestMistakesAreWorded(t *testing.T) {
	x := exec.NewContext()
	x.Emit2(ops.AddV2, nil, f32(1, 2), f32(1, 2, 3))
	want := "InvalidArgumentError: {{function_node __wrapped__AddV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible shapes: [2] vs. [3] [Op:AddV2] name: "
	if err := x.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	x.Emit2(ops.AddV2, nil, tensor.From([]int32{1}, 1), f32(1))
	want = "InvalidArgumentError: cannot compute AddV2 as input #1(zero-based) was expected to be a int32 tensor but is a float tensor [Op:AddV2] name: "
	if err := x.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	x.Emit1(ops.Sqrt, nil, tensor.From([]int32{1}, 1))
	want = "InvalidArgumentError: Value for attr 'T' of int32 is not in the list of allowed values: bfloat16, half, float, double, complex64, complex128\n\t; NodeDef: {{node Sqrt}}; Op<name=Sqrt; signature=x:T -> y:T; attr=T:type,allowed=[DT_BFLOAT16, DT_HALF, DT_FLOAT, DT_DOUBLE, DT_COMPLEX64, DT_COMPLEX128]> [Op:Sqrt] name: "
	if err := x.Err(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestEagerAddInALoopAllocatesNothing(t *testing.T) {
	x := exec.NewContext()
	a, b := f32(1, 2, 3, 4, 5, 6, 7, 8), f32(1, 2, 3, 4, 5, 6, 7, 8)
	if n := testing.AllocsPerRun(1000, func() {
		x.Drop(x.Emit2(ops.AddV2, nil, a, b))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	noErr(t, x.Session)
}

func TestTapeGradient(t *testing.T) {
	x := exec.NewContext()
	tape := x.NewTape(false, true)
	tape.Start()
	v := scalar(3)
	tape.Watch(v)
	y := x.Emit2(ops.Mul, nil, v, v)
	z := x.Emit2(ops.Mul, nil, y, y)
	tape.Stop()
	g := tape.Gradient([]ir.Value{z}, nil, []ir.Value{v, y})
	noErr(t, x.Session)
	same(t, g[0], 108)
	same(t, g[1], 18)
}

func TestThirdOrder(t *testing.T) {
	x := exec.NewContext()
	tape := x.NewTape(true, true)
	tape.Start()
	v := scalar(3)
	tape.Watch(v)
	y := x.Emit2(ops.Pow, nil, v, scalar(3))
	d1 := tape.Gradient([]ir.Value{y}, nil, []ir.Value{v})
	d2 := tape.Gradient(d1, nil, []ir.Value{v})
	tape.Stop()
	d3 := tape.Gradient(d2, nil, []ir.Value{v})
	noErr(t, x.Session)
	same(t, d1[0], 27)
	same(t, d2[0], 18)
	same(t, d3[0], 6)
}

func TestDeadResultsLeaveTheTape(t *testing.T) {
	for _, persistent := range []bool{false, true} {
		x := exec.NewContext()
		tape := x.NewTape(persistent, true)
		tape.Start()
		v, err := x.New(tensor.Float32, tensor.ShapeOf(1000))
		if err != nil {
			t.Fatal(err)
		}
		clear(v.F32())
		tape.Watch(v)
		var live int64
		for i := range 50 {
			s := x.Emit1(ops.Sigmoid, nil, v)
			y := x.Op2(ops.Mul, nil, 1, s, v)
			x.Drop(y)
			if i == 10 {
				live = x.Live()
			}
		}
		noErr(t, x.Session)
		if x.Live() > live {
			t.Errorf("persistent %v: %d live bytes after 50 turns, %d after 10", persistent, x.Live(), live)
		}
	}
}

func BenchmarkAdd8(b *testing.B) {
	x := exec.NewContext()
	p, q := f32(1, 2, 3, 4, 5, 6, 7, 8), f32(1, 2, 3, 4, 5, 6, 7, 8)
	for b.Loop() {
		x.Drop(x.Emit2(ops.AddV2, nil, p, q))
	}
}

func BenchmarkAdd8Taped(b *testing.B) {
	x := exec.NewContext()
	p, q := f32(1, 2, 3, 4, 5, 6, 7, 8), f32(1, 2, 3, 4, 5, 6, 7, 8)
	tape := x.NewTape(false, true)
	tape.Start()
	tape.Watch(p)
	for b.Loop() {
		x.Drop(x.Emit2(ops.AddV2, nil, p, q))
	}
}

func BenchmarkTapeOneOp(b *testing.B) {
	x := exec.NewContext()
	v := scalar(3)
	for b.Loop() {
		tape := x.NewTape(false, true)
		tape.Start()
		tape.Watch(v)
		y := x.Emit2(ops.Mul, nil, v, v)
		tape.Stop()
		g := tape.Gradient([]ir.Value{y}, nil, []ir.Value{v})
		x.Drop(g[0])
		x.Drop(y)
	}
}
