package exec_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

func TestAByteLimitLeavesTheStateUsable(t *testing.T) {
	x := exec.NewContext()
	x.Limit = 1 << 20
	v := &ir.Var{Res: tensor.NewResource("v", tensor.Float32, tensor.ShapeOf(10)), Trainable: true}
	one := tensor.Make(tensor.Float32, tensor.ShapeOf(10))
	x.Emit2(ops.AssignVariableOp, nil, v, one)
	noErr(t, x.Session)
	g := graph(t, "big", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.Tile, nil, in[0], ir.IntList(1000000))}
	})
	for _, run := range []func(){
		func() { x.Emit2(ops.Fill, nil, ir.IntList(1<<20), scalar(1)) },
		func() { call(x, g, one) },
	} {
		run()
		var limit *tensor.LimitError
		if err := x.Err(); !errors.As(err, &limit) {
			t.Fatalf("got %v, want a limit error", err)
		}
		y := x.Emit2(ops.AddV2, nil, x.Emit1(ops.ReadVariableOp, nil, v), one)
		noErr(t, x.Session)
		x.Drop(y)
	}
}

func TestLoopWithoutTapeRunsInConstantMemory(t *testing.T) {
	x := exec.NewContext()
	w := tensor.Make(tensor.Float32, tensor.ShapeOf(100, 100))
	v, err := x.New(tensor.Float32, tensor.ShapeOf(100, 100))
	if err != nil {
		t.Fatal(err)
	}
	clear(v.F32())
	var peak int64
	for i := range 100 {
		p := x.Op2(ops.MatMul, ops.MatMulOf(false, false), 1, v, w)
		v = x.Op1(ops.Tanh, nil, 1, p).(*tensor.Tensor)
		if i == 5 {
			peak = x.Peak()
		}
	}
	noErr(t, x.Session)
	if x.Peak() > peak {
		t.Errorf("peak %d bytes, %d after five turns", x.Peak(), peak)
	}
	if x.InPlace < 90 {
		t.Errorf("%d results in place of 100 that could be", x.InPlace)
	}
}

func TestATapeGrowsByOneMatrixATurnAndIsEmptyAfterwards(t *testing.T) {
	const bytes = 100 * 100 * 4
	for _, persistent := range []bool{false, true} {
		x := exec.NewContext()
		v, err := x.New(tensor.Float32, tensor.ShapeOf(100, 100))
		if err != nil {
			t.Fatal(err)
		}
		clear(v.F32())
		base := x.Live()
		tape := x.NewTape(persistent, true)
		tape.Start()
		tape.Watch(v)
		y := ir.Value(v)
		x.Keep(v)
		for range 20 {
			y = x.Op1(ops.Sin, nil, 1, y)
		}
		tape.Stop()
		if grown := (x.Live() - base) / bytes; grown < 19 || grown > 26 {
			t.Errorf("grew by %d matrices in 20 turns", grown)
		}
		g := tape.Gradient([]ir.Value{y}, nil, []ir.Value{v})
		noErr(t, x.Session)
		x.Drop(g[0])
		if left := (x.Live() - base) / bytes; persistent && left < 19 {
			t.Errorf("a persistent tape kept %d matrices only", left)
		}
		x.Drop(y) // the last of the chain: all of it goes
		if left := (x.Live() - base) / bytes; left > 1 {
			t.Errorf("%d matrices left", left)
		}
	}
}

// TestLoopOfAFunctionRecycles: a while loop over a graph works in place.
func TestLoopOfAFunctionRecycles(t *testing.T) {
	x := exec.NewContext()
	mat := ir.Type{DT: tensor.Float32, Shp: tensor.ShapeOf(50, 50)}
	cond := graph(t, "cond", []ir.Type{iscalar, mat}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.Less, nil, in[0], ir.IntScalar(1000))}
	})
	body := graph(t, "body", []ir.Type{iscalar, mat}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.AddV2, nil, in[0], ir.IntScalar(1)), s.Emit1(ops.Tanh, nil, in[1])}
	})
	g := graph(t, "loop", []ir.Type{mat}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return s.EmitAll(ops.While, &ir.WhileAttrs{Cond: cond, Body: body, Carried: 2}, ir.IntScalar(0), in[0])[1:]
	})
	v := tensor.Make(tensor.Float32, tensor.ShapeOf(50, 50))
	y := call(x, g, v)
	noErr(t, x.Session)
	if x.Peak() > 4*50*50*4 {
		t.Errorf("peak %d bytes", x.Peak())
	}
	x.Drop(y)
}

// TestContextsRunSideBySide runs under the race detector in CI.
func TestContextsRunSideBySide(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := exec.NewContext()
			v := scalar(3)
			for range 50 {
				tape := x.NewTape(false, true)
				tape.Start()
				tape.Watch(v)
				y := x.Emit1(ops.Sigmoid, nil, x.Emit2(ops.MulNoNan, nil, v, v))
				tape.Gradient([]ir.Value{y}, nil, []ir.Value{v})
			}
			if err := x.Err(); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
}
