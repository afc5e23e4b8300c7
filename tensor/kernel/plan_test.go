package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// index turns a position in a dense array of shape into coordinates.
func coordinates(shape []int, at int) []int {
	idx := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		idx[d] = at % shape[d]
		at /= shape[d]
	}
	return idx
}

func sizeOf(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// broadcastAt is the position in a dense operand of shape that result coordinates
// read.
func broadcastAt(shape, idx []int) int {
	at := 0
	lead := len(idx) - len(shape)
	for d, n := range shape {
		at *= n
		if n > 1 {
			at += idx[lead+d]
		}
	}
	return at
}

var broadcasts = []struct{ out, a, b, c []int }{
	{[]int{}, []int{}, []int{}, []int{}},
	{[]int{1}, []int{1}, []int{}, []int{1}},
	{[]int{5}, []int{5}, []int{1}, []int{5}},
	{[]int{0, 3}, []int{0, 3}, []int{3}, []int{}},
	{[]int{3, 4}, []int{3, 1}, []int{4}, []int{1, 4}},
	{[]int{3, 4}, []int{4}, []int{3, 1}, []int{3, 4}},
	{[]int{2, 3, 4}, []int{3, 1}, []int{2, 1, 4}, []int{2, 3, 1}},
	{[]int{2, 3, 300}, []int{3, 300}, []int{2, 1, 1}, []int{300}},
	{[]int{2, 1, 3, 1, 4, 5}, []int{2, 1, 1, 1, 4, 1}, []int{3, 1, 1, 5}, []int{}},
	{[]int{7, 600}, []int{7, 600}, []int{600}, []int{7, 1}},
}

func TestBroadcast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range broadcasts {
		x, y := make([]int32, sizeOf(c.a)), make([]int32, sizeOf(c.b))
		for i := range x {
			x[i] = int32(r.IntN(1000))
		}
		for i := range y {
			y[i] = int32(r.IntN(1000))
		}
		p, ok := Broadcast(c.out, c.a, c.b)
		if !ok {
			t.Fatal(c)
		}
		got := make([]int32, sizeOf(c.out))
		if err := Binary(Sub, got, x, y, &p); err != nil {
			t.Fatal(err)
		}
		less := make([]bool, len(got))
		Compare(Less, less, x, y, &p)
		h := make([]float64, len(got))
		Binary(Hypot, h, asFloat(x), asFloat(y), &p)
		for i, v := range got {
			idx := coordinates(c.out, i)
			a, b := x[broadcastAt(c.a, idx)], y[broadcastAt(c.b, idx)]
			if v != a-b || less[i] != (a < b) {
				t.Fatalf("%v: [%d] = %d, %v of %d, %d", c, i, v, less[i], a, b)
			}
			var one [1]float64
			Binary(Hypot, one[:], []float64{float64(a)}, []float64{float64(b)}, nil)
			if h[i] != one[0] {
				t.Fatalf("%v: hypot[%d] = %v, want %v", c, i, h[i], one[0])
			}
		}
	}
}

func asFloat(x []int32) []float64 {
	f := make([]float64, len(x))
	Cast(f, x)
	return f
}

func TestWhere(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, c := range broadcasts {
		cond, x, y := make([]bool, sizeOf(c.a)), make([]int, sizeOf(c.b)), make([]int, sizeOf(c.c))
		for i := range cond {
			cond[i] = r.IntN(2) == 0
		}
		for i := range x {
			x[i] = i + 1
		}
		for i := range y {
			y[i] = -i - 1
		}
		p, _ := Broadcast3(c.out, c.a, c.b, c.c)
		got := make([]int, sizeOf(c.out))
		Where(got, cond, x, y, &p)
		for i, v := range got {
			idx := coordinates(c.out, i)
			want := y[broadcastAt(c.c, idx)]
			if cond[broadcastAt(c.a, idx)] {
				want = x[broadcastAt(c.b, idx)]
			}
			if v != want {
				t.Fatalf("%v: [%d] = %d, want %d", c, i, v, want)
			}
		}
	}
}

func TestStridedPlan(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	// The transpose of a 3×4 array minus its rows reversed.
	p, _ := NewPlan([]int{4, 3}, []int{1, 4}, []int{-3, -1}, nil)
	p.Offsets(0, 11, 0)
	got := make([]float64, 12)
	Binary(Sub, got, x, x, &p)
	want := "[-11 -6 -1 -7 -2 3 -3 2 7 1 6 11]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestIntErrors(t *testing.T) {
	d := make([]int32, 2)
	for _, op := range []BinaryOp{Div, FloorDiv, FloorMod, TruncDiv, TruncMod} {
		if err := Binary(op, d, []int32{1, 2}, []int32{1, 0}, nil); err != ErrDivideByZero {
			t.Errorf("op %d: %v", op, err)
		}
	}
	if err := Binary(Pow, d, []int32{1, 2}, []int32{1, -1}, nil); err != ErrNegativePower {
		t.Error(err)
	}
	Binary(Pow, d, []int32{2, -3}, []int32{31, 3}, nil)
	if d[0] != -2147483648 || d[1] != -27 {
		t.Error(d)
	}
	if Unary(Exp, d, d) {
		t.Error("exp of integers")
	}
}
