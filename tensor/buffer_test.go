package tensor

import (
	"math"
	"testing"
)

func TestBorrowCopiesAtTheFirstWrite(t *testing.T) {
	a := NewAllocator()
	x := mustNew(t, a, Float32, 100)
	x.F32()[0] = 1
	b := x.Borrow()
	if x.Alone() || !b.Frozen() {
		t.Error("a lent block is shared")
	}
	b.Writable()[3] = 0x40 // 1 -> 2+
	if x.F32()[0] != 1 || !x.Alone() || b.Frozen() {
		t.Error("the write reached the tensor")
	}
}

func TestLendFreezesTheArray(t *testing.T) {
	b := NewBuffer(400)
	x := b.Lend(Float32, ShapeOf(50), 200)
	if !b.Frozen() || x.Alone() {
		t.Error("a lent block is shared")
	}
	b.Writable()[200] = 1
	if x.F32()[0] != 0 {
		t.Error("the write reached the tensor")
	}
	if y := b.Lend(Float32, ShapeOf(2), 200); y.Bytes()[0] != 1 || b.Frozen() {
		t.Error("small data is copied")
	}
}

func TestVariableReadsAreSnapshots(t *testing.T) {
	a := NewAllocator()
	r := NewResource("v", Float32, ShapeOf(100))
	v := mustNew(t, a, Float32, 100)
	clear(v.F32())
	r.Adopt(a, v)
	snap, _ := r.Read(a)
	m, _ := r.Mutable(a)
	m.F32()[0] = 5
	if snap.F32()[0] != 0 || r.Peek().F32()[0] != 5 {
		t.Error("the snapshot changed")
	}
	a.Drop(snap)
	before := &r.Peek().F32()[0]
	if m, _ = r.Mutable(a); &m.F32()[0] != before {
		t.Error("a copy without need")
	}
}

func TestHalfRoundTrips(t *testing.T) {
	for i := range 1 << 16 {
		h := Half(i)
		if f := h.Float32(); f == f && ToHalf(f) != h {
			t.Fatalf("half %#x -> %v -> %#x", i, f, ToHalf(f))
		}
		b := BF16(i)
		if f := b.Float32(); f == f && ToBF16(f) != b {
			t.Fatalf("bfloat16 %#x -> %v -> %#x", i, f, ToBF16(f))
		}
	}
	for f, want := range map[float32]Half{65519: 0x7bff, 65520: 0x7c00, 1e-8: 0, 2.9802322e-08: 0, 2.9802326e-08: 1, 2049: 0x6800, 2051: 0x6802} {
		if ToHalf(f) != want {
			t.Errorf("%v -> %#x, want %#x", f, ToHalf(f), want)
		}
	}
	// Just above a tie in float64, a tie after rounding to float32.
	if got := HalfOf(2049 + 1e-9); got != 0x6801 {
		t.Errorf("double rounding: %#x", got)
	}
	if HalfOf(math.Inf(1)) != 0x7c00 || HalfOf(1e300) != 0x7c00 {
		t.Error("infinity")
	}
}

func TestStrings(t *testing.T) {
	x := FromStrings([]string{"a", "", "bcd"}, 3)
	v, _ := NewAllocator().View(x, 1, ShapeOf(2))
	if string(x.Str(0)) != "a" || string(v.Str(1)) != "bcd" || len(v.Str(0)) != 0 {
		t.Errorf("%q", v.Strs())
	}
}
