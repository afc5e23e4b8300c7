package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func normals(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func to32(x []float64) []float32 {
	f := make([]float32, len(x))
	Cast(f, x)
	return f
}

var reduceShapes = [][3]int{{1, 1, 1}, {3, 5, 1}, {1, 33, 1}, {2, 1000, 1}, {1, 70000, 1}, {2, 7, 3}, {1, 40, 600}, {2, 0, 3}, {3, 0, 1}}

func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, s := range reduceShapes {
		o, a, n := s[0], s[1], s[2]
		x := normals(r, o*a*n)
		x32 := to32(x)
		for op := Sum; op <= SumSquares; op++ {
			d, d32 := make([]float64, o*n), make([]float32, o*n)
			Reduce(op, d, x, o, a, n)
			Reduce(op, d32, x32, o, a, n)
			for i := range d {
				at := i/n*a*n + i%n
				want := naiveReduce(op, x, at, n, a)
				if !near(d[i], want, 1e-9) && math.Abs(d[i]-want) > 1e-9 {
					t.Errorf("op %d of %v: %v, want %v", op, s, d[i], want)
				}
				if !near(float64(d32[i]), want, 1e-5) && math.Abs(float64(d32[i])-want) > 1e-4 {
					t.Errorf("float32 op %d of %v: %v, want %v", op, s, d32[i], want)
				}
			}
		}
	}
}

func naiveReduce(op ReduceOp, x []float64, at, step, n int) float64 {
	v := map[ReduceOp]float64{Prod: 1, Max: math.Inf(-1), Min: math.Inf(1)}[op]
	for k := 0; k < n; k++ {
		e := x[at+k*step]
		switch op {
		case Sum, Mean:
			v += e
		case SumSquares:
			v += e * e
		case Prod:
			v *= e
		case Max:
			v = math.Max(v, e)
		case Min:
			v = math.Min(v, e)
		}
	}
	if op == Mean {
		v /= float64(n)
	}
	return v
}

func TestSumIsAccurate(t *testing.T) {
	x := make([]float32, 1<<20)
	for i := range x {
		x[i] = 0.1
	}
	if got, want := Sum32(x), float32(float64(float32(0.1))*(1<<20)); got != want {
		t.Errorf("sum = %v, want %v", got, want)
	}
}

func TestReduceNan(t *testing.T) {
	nan := math.NaN()
	for _, x := range [][]float64{{nan, 1, 2}, {1, nan, 2}, {2, 1, nan}} {
		for _, op := range []ReduceOp{Max, Min, Sum} {
			var d [1]float64
			var d32 [1]float32
			Reduce(op, d[:], x, 1, 3, 1)
			Reduce(op, d32[:], to32(x), 1, 3, 1)
			if d[0] == d[0] || d32[0] == d32[0] {
				t.Errorf("op %d of %v: %v %v", op, x, d[0], d32[0])
			}
		}
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		x        []float64
		max, min int
	}{{[]float64{nan, 1, 2}, 2, 1}, {[]float64{1, nan, 2}, 2, 0}, {[]float64{nan, nan}, 0, 0},
		{[]float64{-inf, nan, -inf}, 0, 0}, {[]float64{nan, inf}, 1, 0}, {[]float64{3, 5, 5, 3}, 1, 0}} {
		var d [2]int64
		ArgReduce(Max, d[:1], c.x, 1, len(c.x), 1)
		ArgReduce(Min, d[1:], c.x, 1, len(c.x), 1)
		if int(d[0]) != c.max || int(d[1]) != c.min {
			t.Errorf("arg of %v = %v", c.x, d)
		}
	}
}

func TestReduceInt(t *testing.T) {
	var d [1]int32
	Reduce(Mean, d[:], []int32{math.MaxInt32, 1, 1}, 1, 3, 1)
	if d[0] != 715827883 {
		t.Error(d)
	}
	Reduce(Mean, d[:], []int32{-1, -2}, 1, 2, 1)
	if d[0] != -1 {
		t.Error(d)
	}
	var b [1]int8
	Reduce(Prod, b[:], []int8{100, 100, 100}, 1, 3, 1)
	if b[0] != 64 {
		t.Error(b)
	}
	Reduce(Max, b[:], nil, 1, 0, 1)
	if b[0] != -128 {
		t.Error(b)
	}
	var h [1]Float16
	Reduce(Max, d[:], nil, 1, 0, 1)
	x := make([]Float16, 3000)
	Fill(x, ToFloat16(1))
	ReduceHalf(Sum, h[:], x, 1, 3000, 1)
	if h[0].Float32() != 3000 {
		t.Error(h[0].Float32())
	}
}

func TestPlanReduction(t *testing.T) {
	for _, c := range []struct {
		shape   []int
		reduced []bool
		want    string
	}{
		{[]int{2, 3, 4}, []bool{false, true, false}, "{[] 2 3 4}"},
		{[]int{2, 3, 4}, []bool{true, true, true}, "{[] 1 24 1}"},
		{[]int{2, 3, 4}, []bool{false, false, false}, "{[] 6 1 4}"},
		{[]int{2, 1, 4}, []bool{true, false, true}, "{[] 1 8 1}"},
		{[]int{2, 3, 4}, []bool{true, false, true}, "{[1 0 2] 3 8 1}"},
		{[]int{}, nil, "{[] 1 1 1}"},
	} {
		got := PlanReduction(c.shape, c.reduced)
		if c.want == "{[] 6 1 4}" {
			if got.Outer*got.Inner != 24 || got.Axis != 1 {
				t.Errorf("%v: %v", c.shape, got)
			}
			continue
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v %v: %v, want %s", c.shape, c.reduced, got, c.want)
		}
	}
}

func TestSoftmax(t *testing.T) {
	x := []float32{1, 2, 3, -1, 0, 1000}
	d := make([]float32, 6)
	Softmax(d, x, 2, 3)
	for i, w := range []float64{0.09003057, 0.24472848, 0.66524094, 0, 0, 1} {
		if !near(float64(d[i]), w, 1e-6) {
			t.Errorf("softmax %v", d)
		}
	}
	LogSoftmax(d, x, 2, 3)
	if !near(float64(d[0]), -2.4076059, 1e-6) || d[3] != -1001 {
		t.Errorf("log softmax %v", d)
	}
	loss, back := make([]float32, 2), make([]float32, 6)
	if bad := SparseCrossEntropy(loss, back, x, []int32{0, 3}, 2, 3); bad != 1 {
		t.Errorf("label row %d", bad)
	}
	if !near(float64(loss[0]), 2.4076059, 1e-6) || !near(float64(back[0]), 0.09003057-1, 1e-6) {
		t.Errorf("cross entropy %v %v", loss, back)
	}
	inf := float32(math.Inf(1))
	Softmax(d, []float32{1, inf, 2, -inf, -inf, -inf}, 2, 3)
	for _, v := range d {
		if v == v {
			t.Errorf("softmax of infinities %v", d)
		}
	}
	LogSumExp(loss, []float32{-inf, -inf, -inf, 1, 1, 1}, 2, 3)
	if loss[0] != -inf || !near(float64(loss[1]), 1+math.Log(3), 1e-6) {
		t.Errorf("logsumexp %v", loss)
	}
}

func TestScan(t *testing.T) {
	x := []int32{1, 2, 3, 4, 5, 6}
	d := make([]int32, 6)
	for _, c := range []struct {
		op   ScanOp
		opt  ScanOptions
		want string
	}{
		{Cumsum, ScanOptions{}, "[1 2 4 6 9 12]"},
		{Cumsum, ScanOptions{Exclusive: true, Reverse: true}, "[8 10 5 6 0 0]"},
		{Cumprod, ScanOptions{Exclusive: true}, "[1 1 1 2 3 8]"},
		{Cummax, ScanOptions{Reverse: true}, "[5 6 5 6 5 6]"},
	} {
		Scan(c.op, d, x, 1, 3, 2, c.opt)
		if fmt.Sprint(d) != c.want {
			t.Errorf("scan %v: %v, want %s", c, d, c.want)
		}
	}
	h := make([]Float16, 3000)
	Fill(h, ToFloat16(1))
	ScanHalf(Cumsum, h, h, 1, 3000, 1, ScanOptions{})
	if h[2999].Float32() != 2048 {
		t.Error(h[2999].Float32())
	}
}
