package tensor

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestShapeText(t *testing.T) {
	for _, c := range []struct {
		s                 Shape
		str, repr, bracks string
	}{
		{UnknownShape, "<unknown>", "TensorShape(None)", "<unknown>"},
		{Scalar, "()", "TensorShape([])", "[]"},
		{ShapeOf(2), "(2,)", "TensorShape([2])", "[2]"},
		{ShapeOf(-1), "(None,)", "TensorShape([None])", "[?]"},
		{ShapeOf(-1, 3), "(None, 3)", "TensorShape([None, 3])", "[?,3]"},
	} {
		if c.s.String() != c.str || c.s.Repr() != c.repr || c.s.Brackets() != c.bracks {
			t.Errorf("got %s %s %s, want %s %s %s", c.s, c.s.Repr(), c.s.Brackets(), c.str, c.repr, c.bracks)
		}
	}
}

func TestShapesCompareByIdentity(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dims := rapid.SliceOfN(rapid.IntRange(-1, 3), 0, 10)
		x, y := dims.Draw(r, "x"), dims.Draw(r, "y")
		if (ShapeOf(x...) == ShapeOf(y...)) != slices.Equal(x, y) {
			r.Fatalf("%v %v", x, y)
		}
	})
}

func TestBroadcast(t *testing.T) {
	for _, c := range []struct {
		x, y, want Shape
		ok         bool
	}{
		{ShapeOf(2, 3), ShapeOf(3), ShapeOf(2, 3), true},
		{ShapeOf(2, 1), ShapeOf(1, 3), ShapeOf(2, 3), true},
		{ShapeOf(2), ShapeOf(3), UnknownShape, false},
		{ShapeOf(0), ShapeOf(1), ShapeOf(0), true},
		{Scalar, ShapeOf(2, 2), ShapeOf(2, 2), true},
		{ShapeOf(-1), ShapeOf(1), ShapeOf(-1), true},
		{ShapeOf(-1), ShapeOf(5), ShapeOf(5), true},
		{UnknownShape, ShapeOf(5), UnknownShape, true},
		{ShapeOf(5, 1, 1), ShapeOf(4, 3), ShapeOf(5, 4, 3), true},
	} {
		for range 2 {
			if got, ok := Broadcast(c.x, c.y); got != c.want || ok != c.ok {
				t.Errorf("%s with %s: %s %v", c.x, c.y, got, ok)
			}
			c.x, c.y = c.y, c.x
		}
	}
}

func TestMergeRelaxSubtype(t *testing.T) {
	x, y := ShapeOf(-1, 3), ShapeOf(2, -1)
	if m, ok := Merge(x, y); !ok || m != ShapeOf(2, 3) {
		t.Errorf("merge: %s", m)
	}
	if _, ok := Merge(ShapeOf(2), ShapeOf(3)); ok {
		t.Error("merge of a conflict")
	}
	if Relax(ShapeOf(2, 3), ShapeOf(4, 3)) != x || Relax(ShapeOf(2), Scalar) != UnknownShape {
		t.Error("relax")
	}
	if !ShapeOf(2, 3).SubtypeOf(x) || x.SubtypeOf(ShapeOf(2, 3)) || !x.SubtypeOf(UnknownShape) {
		t.Error("subtype")
	}
	if !Compatible(x, y) || Compatible(ShapeOf(2), ShapeOf(3)) {
		t.Error("compatible")
	}
}

func TestInterningDoesNotAllocate(t *testing.T) {
	x, y := ShapeOf(2, 1), ShapeOf(1, 3)
	Broadcast(x, y)
	if n := testing.AllocsPerRun(100, func() { Broadcast(x, y) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestProduct(t *testing.T) {
	big := 1 << 40
	for _, c := range []struct {
		s Shape
		n int
	}{{Scalar, 1}, {ShapeOf(2, 3), 6}, {ShapeOf(big, big), 1<<63 - 1}, {ShapeOf(big, big, 0), 0}, {ShapeOf(0, -1), -1}, {UnknownShape, -1}} {
		if c.s.NumElements() != c.n {
			t.Errorf("%s: %d", c.s, c.s.NumElements())
		}
	}
}
