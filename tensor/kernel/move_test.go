package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func counting(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		rank := r.IntN(5)
		shape, perm := make([]int, rank), r.Perm(rank)
		for i := range shape {
			shape[i] = 1 + r.IntN(7)
			if r.IntN(8) == 0 {
				shape[i] = 40
			}
		}
		n := sizeOf(shape)
		got := make([]int, n)
		Transpose(got, counting(n), shape, perm)
		narrow, from := make([]float32, n), make([]float32, n)
		Iota(from, 0, 1)
		Transpose(narrow, from, shape, perm)
		out := make([]int, rank)
		for i, p := range perm {
			out[i] = shape[p]
		}
		for i, v := range got {
			idx, back := coordinates(out, i), make([]int, rank)
			for d, p := range perm {
				back[p] = idx[d]
			}
			at := 0
			for d, x := range back {
				at = at*shape[d] + x
			}
			if v != at {
				t.Fatalf("transpose %v by %v: [%d] = %d, want %d", shape, perm, i, v, at)
			}
			if narrow[i] != float32(at) {
				t.Fatalf("transpose %v by %v: [%d] = %v, want %d in float32", shape, perm, i, narrow[i], at)
			}
		}
	}
}

func TestMove(t *testing.T) {
	check := func(name string, got any, want string) {
		t.Helper()
		if s := fmt.Sprint(got); s != want {
			t.Errorf("%s: %s, want %s", name, s, want)
		}
	}
	d := make([]int, 12)
	Tile(d, counting(6), []int{2, 3}, []int{1, 2})
	check("tile", d, "[0 1 2 0 1 2 3 4 5 3 4 5]")
	Reverse(d[:6], counting(6), []int{2, 3}, []bool{false, true})
	check("reverse", d[:6], "[2 1 0 5 4 3]")
	Pad(d, counting(6), []int{2, 3}, []int{0, 1}, []int{1, 0}, 9)
	check("pad", d, "[9 0 1 2 9 3 4 5 9 9 9 9]")
	PadMirror(d[:7], counting(3), []int{3}, []int{2}, []int{2}, 1)
	check("reflect", d[:7], "[2 1 0 1 2 1 0]")
	PadMirror(d[:7], counting(3), []int{3}, []int{2}, []int{2}, 0)
	check("symmetric", d[:7], "[1 0 0 1 2 2 1]")
	Concat(d[:10], [][]int{counting(4), {7, 7, 7, 8, 8, 8}}, []int{2, 3}, 2, 1)
	check("concat", d[:10], "[0 1 7 7 7 2 3 8 8 8]")
	a, b := make([]int, 4), make([]int, 6)
	Split([][]int{a, b}, d[:10], []int{2, 3}, 2, 1)
	check("split", [][]int{a, b}, "[[0 1 2 3] [7 7 7 8 8 8]]")
	CopyND(d[:4], Dense([]int{2, 2}), counting(12), Strided{11, []int{-8, -2}}, []int{2, 2})
	check("strided", d[:4], "[11 9 3 1]")
	bad := Gather(d[:4], counting(6), []int32{1, 5, 0, 1}, GatherShape{1, 1, 6, 1, 4})
	check("gather", d[:4], "[1 5 0 1]")
	check("gather", bad, "-1")
	check("gather", Gather(d[:4], counting(6), []int32{1, 6, 0, -1}, GatherShape{1, 1, 6, 1, 4}), "1")
	Gather(d[:8], counting(12), []int64{1, 0}, GatherShape{1, 2, 3, 2, 2})
	check("gather axis", d[:8], "[2 3 0 1 8 9 6 7]")
	f := []float32{1, 2, 3, 4}
	check("scatter", Scatter(ScatterAdd, f, []int32{1, 1, 9}, []float32{1, 1, 2, 2, 3, 3}, 2, 2), "2")
	check("scatter", f, "[1 2 6 7]")
	OneHot(d[:6], []int32{1, 5}, 2, 3, 1, 1, 0)
	check("one hot", d[:6], "[0 1 0 0 0 0]")
	long, keep, kept := counting(1000), make([]bool, 1000), 0
	for i := range keep {
		keep[i] = i%3 == 0
	}
	part := make([]int, 334)
	kept = Compress(part, long, keep, 1)
	check("compress", []int{kept, part[1], part[333]}, "[334 3 999]")
	nz := make([]int64, 4)
	check("nonzero", NonZero(nz, []bool{false, true, true, false}, []int{2, 2}), "2")
	check("nonzero", nz, "[0 1 1 0]")
	flat := make([]int64, 2)
	check("flat", FlatIndex(flat, []int32{1, 2, 0, 3}, []int{2, 3}), "1")
	check("flat", flat[0], "5")
	s := make([]float32, 3)
	Segment(Mean, s, []float32{1, 2, 9}, []int32{0, 0, 2}, 3, 1, 0)
	check("segment", s, "[1.5 0 9]")
	x := []float32{0, 0, 0}
	Iota(x, 1, 0.1)
	check("iota", x, "[1 1.1 1.2]")
}

func TestSorting(t *testing.T) {
	nan := float32(math.NaN())
	x := []float32{3, nan, 1, 3, 1, 2}
	idx := make([]int32, 6)
	ArgSort(Ascending, idx, x, 1, 6)
	if fmt.Sprint(idx) != "[2 4 5 0 3 1]" {
		t.Error(idx)
	}
	ArgSort(Descending, idx, x, 1, 6)
	if fmt.Sprint(idx) != "[0 3 5 2 4 1]" {
		t.Error(idx)
	}
	v := make([]float32, 3)
	TopK(v, idx[:3], x, 1, 6, 3)
	if fmt.Sprint(v, idx[:3]) != "[3 3 2] [0 3 5]" {
		t.Error(v, idx[:3])
	}
	Sort(Descending, x, 2, 3)
	if fmt.Sprint(x) != "[3 1 NaN 3 2 1]" {
		t.Error(x)
	}
	vals, at, n := make([]int32, 5), make([]int64, 5), make([]int64, 5)
	k := Unique(vals, []int32{4, 2, 4, 7, 2}, at, n)
	if fmt.Sprint(vals[:k], at, n[:k]) != "[4 2 7] [0 1 0 2 1] [2 2 1]" {
		t.Error(vals, at, n)
	}
	SearchSorted(Less, at[:3], []int32{1, 2, 2, 5}, []int32{2, 0, 9})
	SearchSorted(LessEqual, n[:3], []int32{1, 2, 2, 5}, []int32{2, 0, 9})
	if fmt.Sprint(at[:3], n[:3]) != "[1 0 4] [3 0 4]" {
		t.Error(at, n)
	}
	r := rand.New(rand.NewPCG(14, 14))
	for _, k := range []int{1, 2, 7, 32, 33, 60} {
		x := make([]float32, 60)
		for i := range x {
			x[i] = float32(r.IntN(20))
			if r.IntN(10) == 0 {
				x[i] = nan
			}
		}
		order, at := make([]int64, 60), make([]int64, k)
		v := make([]float32, k)
		ArgSort(Descending, order, x, 1, 60)
		TopK(v, at, x, 1, 60, k)
		if fmt.Sprint(at) != fmt.Sprint(order[:k]) {
			t.Errorf("top %d: %v, want %v", k, at, order[:k])
		}
	}
}

// sortsRight compares long rows, sorted by digits, with comparing.
func sortsRight[T Real](t *testing.T, make1 func() T) {
	t.Helper()
	const n = 3000
	x := make([]T, n)
	for i := range x {
		x[i] = make1()
	}
	for _, o := range []Order{Ascending, Descending} {
		idx, y := make([]int32, n), append([]T(nil), x...)
		ArgSort(o, idx, x, 1, n)
		Sort(o, y, 1, n)
		for i := range y {
			a := x[idx[i]]
			if a != y[i] && (a == a || y[i] == y[i]) {
				t.Fatalf("%T %v: [%d] = %v by place, %v by value", a, o, i, a, y[i])
			}
			if i == 0 {
				continue
			}
			b := x[idx[i-1]]
			c := o.compare(b != b, a != a, compareOf(b, a))
			if c > 0 || c == 0 && idx[i-1] > idx[i] {
				t.Fatalf("%T %v: %v (%d) before %v (%d)", a, o, b, idx[i-1], a, idx[i])
			}
		}
	}
}

func TestLongSort(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 15))
	pool := wild(r, 2000)
	sortsRight(t, func() float32 { return pool[r.IntN(len(pool))] })
	sortsRight(t, func() float64 { return float64(pool[r.IntN(len(pool))]) * 1e10 })
	sortsRight(t, func() int32 { return int32(r.Uint32()) })
	sortsRight(t, func() int64 { return int64(r.Uint64()) >> 20 })
	sortsRight(t, func() uint64 { return r.Uint64() })
	sortsRight(t, func() uint8 { return uint8(r.Uint64()) })
}
