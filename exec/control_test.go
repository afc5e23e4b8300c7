package exec_test

import (
	"testing"

	"github.com/tfs-lang/tfs/exec"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/ir/ops"
	"github.com/tfs-lang/tfs/tensor"
)

var (
	fscalar = ir.Type{DT: tensor.Float32, Shp: tensor.Scalar}
	fvec    = ir.Type{DT: tensor.Float32, Shp: tensor.ShapeOf(-1)}
	iscalar = ir.Type{DT: tensor.Int32, Shp: tensor.Scalar}
)

// graph builds a graph of parameters with the given types.
func graph(t *testing.T, title string, types []ir.Type, body func(s *ir.Session, in []ir.Value) []ir.Value) *ir.Graph {
	t.Helper()
	g := ir.NewGraph(title, nil)
	in := make([]ir.Value, len(types))
	for i, ty := range types {
		in[i] = g.AddParam(string(rune('a'+i)), ty)
	}
	s := &ir.Session{Emitter: ir.NewBuilder(g)}
	for _, r := range body(s, in) {
		if sym, ok := r.(*ir.Sym); ok {
			g.Results = append(g.Results, sym)
		}
	}
	noErr(t, s)
	if err := ir.Verify(g); err != nil {
		t.Fatalf("%v\n%s", err, g)
	}
	return g
}

// roundTrip prints g, parses that and compares the print.
func roundTrip(t *testing.T, g *ir.Graph) {
	t.Helper()
	text := g.String()
	back, err := ir.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := back.String(); got != text {
		t.Fatalf("parsed and printed again:\n%s\nwas:\n%s", got, text)
	}
	if err := ir.Verify(back); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

func call(x *exec.Context, g *ir.Graph, in ...ir.Value) ir.Value {
	return x.EmitN(ops.Call, &ir.CallAttrs{Body: g}, in...)
}

// cube is a*a*a as a graph.
func cube(t *testing.T) *ir.Graph {
	return graph(t, "cube", []ir.Type{fscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.Mul, nil, s.Emit2(ops.Mul, nil, in[0], in[0]), in[0])}
	})
}

func TestCallRuns(t *testing.T) {
	x := exec.NewContext()
	g := cube(t)
	roundTrip(t, g)
	same(t, call(x, g, scalar(3)), 27)
	noErr(t, x.Session)
}

func TestAProgramAllocatesNothing(t *testing.T) {
	x := exec.NewContext()
	g := graph(t, "f", []ir.Type{fvec, fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		y := s.Emit1(ops.Tanh, nil, s.Emit2(ops.AddV2, nil, in[0], in[1]))
		return []ir.Value{s.Emit2(ops.Mul, nil, y, s.Scalar(tensor.Float32, 0.5))}
	})
	attrs := &ir.CallAttrs{Body: g}
	a, b := tensor.Make(tensor.Float32, tensor.ShapeOf(100)), tensor.Make(tensor.Float32, tensor.ShapeOf(100))
	if n := testing.AllocsPerRun(100, func() {
		x.Drop(x.Emit2(ops.Call, attrs, a, b))
	}); n != 0 {
		t.Errorf("%v allocations in a run", n)
	}
	noErr(t, x.Session)
}

// derivatives takes the first n derivatives of f at v with one persistent tape.
func derivatives(t *testing.T, f func(x *exec.Context, v ir.Value) ir.Value, v float32, n int) []float32 {
	t.Helper()
	x := exec.NewContext()
	at := scalar(v)
	var tapes []*exec.Tape
	for range n {
		tp := x.NewTape(true, true)
		tp.Start()
		tp.Watch(at)
		tapes = append(tapes, tp)
	}
	y := f(x, at)
	var out []float32
	for i := n - 1; i >= 0; i-- {
		d := tapes[i].Gradient([]ir.Value{y}, nil, []ir.Value{at})
		tapes[i].Stop()
		noErr(t, x.Session)
		if d[0] == nil {
			t.Fatalf("derivative %d is None", n-i)
		}
		y = d[0]
		out = append(out, floats(t, y)[0])
	}
	return out
}

func expect(t *testing.T, got []float32, want ...float32) {
	t.Helper()
	for i := range want {
		if d := got[i] - want[i]; d > 1e-3 || d < -1e-3 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestGradientsOfACall(t *testing.T) {
	g := cube(t)
	expect(t, derivatives(t, func(x *exec.Context, v ir.Value) ir.Value { return call(x, g, v) }, 3, 3), 27, 18, 6)
}

func TestGradientsThroughNestedCalls(t *testing.T) {
	inner := cube(t)
	g := graph(t, "outer", []ir.Type{fscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		c := s.EmitN(ops.Call, &ir.CallAttrs{Body: inner}, in[0])
		return []ir.Value{s.Emit2(ops.Mul, nil, c, in[0])}
	})
	roundTrip(t, g)
	expect(t, derivatives(t, func(x *exec.Context, v ir.Value) ir.Value { return call(x, g, v) }, 2, 3), 32, 48, 48)
}

// branchy is a*a*a where a > 0, else a*a.
func branchy(t *testing.T) *ir.Graph {
	then := cube(t)
	other := graph(t, "square", []ir.Type{fscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.Mul, nil, in[0], in[0])}
	})
	return graph(t, "branchy", []ir.Type{fscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		c := s.Emit2(ops.Greater, nil, in[0], s.Scalar(tensor.Float32, 0))
		return []ir.Value{s.EmitN(ops.If, &ir.IfAttrs{Then: then, Else: other}, c, in[0])}
	})
}

func TestGradientsOfAnIf(t *testing.T) {
	g := branchy(t)
	roundTrip(t, g)
	f := func(x *exec.Context, v ir.Value) ir.Value { return call(x, g, v) }
	expect(t, derivatives(t, f, 3, 3), 27, 18, 6)
	expect(t, derivatives(t, f, -3, 2), -6, 2)
}

// power is a**n by a loop.
func power(t *testing.T) *ir.Graph {
	cond := graph(t, "cond", []ir.Type{iscalar, fscalar, fscalar, iscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.Less, nil, in[0], in[3])}
	})
	body := graph(t, "body", []ir.Type{iscalar, fscalar, fscalar, iscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit2(ops.AddV2, nil, in[0], ir.IntScalar(1)), s.Emit2(ops.Mul, nil, in[1], in[2])}
	})
	return graph(t, "power", []ir.Type{fscalar, iscalar}, func(s *ir.Session, in []ir.Value) []ir.Value {
		out := s.EmitAll(ops.While, &ir.WhileAttrs{Cond: cond, Body: body, Carried: 2}, ir.IntScalar(0), s.Scalar(tensor.Float32, 1), in[0], in[1])
		return []ir.Value{out[1]}
	})
}

func TestGradientsOfAWhile(t *testing.T) {
	g := power(t)
	roundTrip(t, g)
	x := exec.NewContext()
	same(t, call(x, g, scalar(2), ir.IntScalar(5)), 32)
	same(t, call(x, g, scalar(2), ir.IntScalar(0)), 1)
	noErr(t, x.Session)
	f := func(x *exec.Context, v ir.Value) ir.Value { return call(x, g, v, ir.IntScalar(4)) }
	expect(t, derivatives(t, f, 2, 1), 32)
	expect(t, derivatives(t, f, 2, 2), 32, 48)
	expect(t, derivatives(t, f, 2, 3), 32, 48, 48)
	zero := func(x *exec.Context, v ir.Value) ir.Value { return call(x, g, v, ir.IntScalar(0)) }
	expect(t, derivatives(t, zero, 2, 1), 0)
}

func TestIfAndWhileWithUnknownDimensions(t *testing.T) {
	then := graph(t, "then", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.EmitN(ops.ConcatV2, nil, in[0], in[0], ir.IntScalar(0))}
	})
	other := graph(t, "else", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		return []ir.Value{s.Emit1(ops.Sin, nil, in[0])}
	})
	cond := graph(t, "cond", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		n := s.Emit1(ops.Size, &ops.ShapeAttrs{}, in[0])
		return []ir.Value{s.Emit2(ops.Less, nil, n, ir.IntScalar(10))}
	})
	body := graph(t, "body", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		c := s.Emit2(ops.Less, nil, s.Emit1(ops.Size, &ops.ShapeAttrs{}, in[0]), ir.IntScalar(100))
		return []ir.Value{s.EmitN(ops.If, &ir.IfAttrs{Then: then, Else: other}, c, in[0])}
	})
	g := graph(t, "grow", []ir.Type{fvec}, func(s *ir.Session, in []ir.Value) []ir.Value {
		v := s.EmitN(ops.While, &ir.WhileAttrs{Cond: cond, Body: body, Carried: 1}, in[0])
		return []ir.Value{ops.EmitReduce(s, ops.Sum, v, nil, false)}
	})
	roundTrip(t, g)
	x := exec.NewContext()
	same(t, call(x, g, f32(1, 2, 3)), 24) // 3, 6, 12
	tape := x.NewTape(false, true)
	tape.Start()
	v := f32(1, 2, 3)
	tape.Watch(v)
	y := call(x, g, v)
	d := tape.Gradient([]ir.Value{y}, nil, []ir.Value{v})
	noErr(t, x.Session)
	same(t, d[0], 4, 4, 4)
}
