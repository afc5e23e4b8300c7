package tracer

import (
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/tensor"
)

// kindsOfTypes are trace types of every kind, two of each.
func kindsOfTypes(ts *Types) map[string][2]*TraceType {
	f32 := func(dims ...int) *TraceType { return ts.Tensor(tensor.Float32, tensor.ShapeOf(dims...), "") }
	one, two := ts.Literal(lang.Int(1)), ts.Literal(lang.Int(2))
	keys := func(names ...string) lang.Value {
		var v []lang.Value
		for _, n := range names {
			v = append(v, lang.NewStr(n))
		}
		return lang.NewTuple(v...)
	}
	object := func(serial uint64) *TraceType {
		return ts.intern(TraceType{Kind: KObject, obj: &objectRef{serial: serial, hash: int64(serial), class: "A", get: strong{lang.Int(int64(serial))}}})
	}
	pair := func(k Kind, name string) [2]*TraceType {
		return [2]*TraceType{
			ts.intern(TraceType{Kind: k, Name: name, Items: []*TraceType{one, f32(2)}, Value: keys("a", "b")}),
			ts.intern(TraceType{Kind: k, Name: name, Items: []*TraceType{two, f32(2)}, Value: keys("a", "b")}),
		}
	}
	return map[string][2]*TraceType{
		"tensor":  {f32(2), f32(3)},
		"literal": {one, two},
		"variable": {
			ts.intern(TraceType{Kind: KVariable, DT: tensor.Float32, Shape: tensor.Scalar, Trainable: true}),
			ts.intern(TraceType{Kind: KVariable, DT: tensor.Float32, Shape: tensor.Scalar}),
		},
		"slices": {
			ts.intern(TraceType{Kind: KSlices, DT: tensor.Float32, Shape: tensor.ShapeOf(3, 2)}),
			ts.intern(TraceType{Kind: KSlices, DT: tensor.Float64, Shape: tensor.ShapeOf(3, 2)}),
		},
		"list": pair(KList, ""), "tuple": pair(KTuple, ""), "named tuple": pair(KNamedTuple, "P"), "dict": pair(KDict, ""),
		"object": {object(1), object(2)},
	}
}

// Every pair of kinds has a reason, which names both sides; equal types have none.
func TestReasonsOfEveryPair(t *testing.T) {
	th := lang.NewInterp(lang.Host{}).Main
	all := kindsOfTypes(NewTypes())
	for a, from := range all {
		if d := difference(th, from[0], from[0]); d != "" {
			t.Errorf("%s with itself: %q", a, d)
		}
		if d := difference(th, from[0], from[1]); d == "" {
			t.Errorf("two types of kind %s: no reason", a)
		}
		for b, to := range all {
			if d := difference(th, from[0], to[0]); a != b && !strings.Contains(d, " → ") {
				t.Errorf("%s to %s: %q", a, b, d)
			}
		}
	}
}

func TestReasonTexts(t *testing.T) {
	th := lang.NewInterp(lang.Host{}).Main
	ts := NewTypes()
	f32 := func(dims ...int) *TraceType { return ts.Tensor(tensor.Float32, tensor.ShapeOf(dims...), "") }
	list := func(items ...*TraceType) *TraceType { return ts.intern(TraceType{Kind: KList, Items: items}) }
	for _, c := range []struct {
		from, to *TraceType
		want     string
	}{
		{f32(2), f32(3), "shape (2,) → (3,)"},
		{f32(2), ts.Tensor(tensor.Int32, tensor.ShapeOf(2), ""), "dtype float32 → int32"},
		{f32(-1), f32(3), ""},
		{ts.Literal(lang.Int(3)), ts.Literal(lang.Int(4)), "3 → 4, an int Python int is part of the key; pass a tensor to trace once"},
		{ts.Literal(lang.Int(3)), f32(), "Python int 3 → tensor float32[]"},
		{list(f32(2)), list(f32(2), f32(2)), "1 elements → 2"},
		{list(f32(2)), list(f32(3)), "element 0: shape (2,) → (3,)"},
	} {
		if got := difference(th, c.from, c.to); got != strings.Replace(c.want, "an int Python", "a Python", 1) && got != strings.Replace(c.want, "an int Python", "an Python", 1) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestLiteralsAreEqualAsInPython(t *testing.T) {
	ts := NewTypes()
	one := ts.Literal(lang.Int(1))
	if one != ts.Literal(lang.Float(1)) || one != ts.Literal(lang.Bool(true)) {
		t.Error("1, 1.0 and True are one literal")
	}
	if one == ts.Literal(lang.NewStr("1")) || one == ts.Literal(lang.Float(1.5)) {
		t.Error("1 is no other literal")
	}
}

func TestGeneralise(t *testing.T) {
	ts := NewTypes()
	f32 := func(dims ...int) *TraceType { return ts.Tensor(tensor.Float32, tensor.ShapeOf(dims...), "") }
	for _, c := range []struct{ a, b, want *TraceType }{
		{f32(2, 3), f32(4, 3), f32(-1, 3)},
		{f32(3), f32(5), f32(-1)},
		{f32(3), f32(), ts.Tensor(tensor.Float32, tensor.UnknownShape, "")},
		{f32(3), ts.Tensor(tensor.Int32, tensor.ShapeOf(3), ""), nil},
		{ts.Literal(lang.Int(1)), ts.Literal(lang.Int(2)), nil},
	} {
		if got := ts.generalise(c.a, c.b); got != c.want {
			t.Errorf("%v with %v: %v", c.a.Shape, c.b.Shape, got)
		}
	}
}
