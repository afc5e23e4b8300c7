package ir_test

import (
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/ir"
	_ "github.com/tfs-lang/tfs/ir/ops" // the table that Parse reads
)

var texts = []string{
	`graph "f"(x: float32[2,?], y: float32[]) {
  add = AddV2(x, y) : float32[2,?] @12
  top, x = TopKV2(add) : float32[]
  return add
}`,
	`graph "loop"(x: float32[...], r: resource[]<float32[2]>, | c: int32[]) {
  Const = Const{Value: float32[3]{1.5 -0 NaN}}() : float32[3]
  names = Const{Value: string[2]{"a\n" "\"b\""}}() : string[2]
  z = Const{Value: complex64[1]{0x0000803f00000040}}() : complex64[1]
  ReadVariableOp = ReadVariableOp(r) : float32[2]
  If = If{Then: graph "t"(a: float32[3]) {
    return a
  }, Else: graph "e"(b: float32[3]) {
    Tanh = Tanh(b) : float32[3]
    return Tanh
  }}(c, Const) after ReadVariableOp : float32[3] @7
  return If, ReadVariableOp
}`,
	`graph "two"(x: float32[4]) {
  k = Const{Value: int32[]{2}}() : int32[]
  TopKV2 = TopKV2{Sorted: true}(x, k) : float32[2], int32[2]
  return TopKV2:1, TopKV2
}`,
}

func TestPrintParsesBack(t *testing.T) {
	for _, text := range texts[1:] {
		g, err := ir.Parse(text)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if got := g.String(); got != text {
			t.Errorf("got\n%s\nwant\n%s", got, text)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`graph`, "string expected"},
		{`graph "f"() { return x }`, `"x" is not defined`},
		{`graph "f"() { a = Nope() : int32[] return a }`, `no op "Nope"`},
		{`graph "f"(x: floot[]) { return x }`, `no dtype "floot"`},
		{`graph "f"() { a = Const() : int32[] return a }`, "constant without value"},
		{`graph "f"(x: int32[]) { return x } more`, "text after the graph"},
		{strings.Repeat(`graph "f"() { a = If{Then: `, 300), "nest too deeply"},
		{`graph "f"() { a = Const{Value: int32[99999999999]{}}() : int32[] return a }`, "shape of a constant"},
	} {
		if _, err := ir.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40s: got %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, t := range texts {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ir.Parse(text)
		if err != nil {
			return
		}
		printed := g.String()
		back, err := ir.Parse(printed)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if back.String() != printed {
			t.Fatalf("printed\n%s\nthen\n%s", printed, back)
		}
		_ = ir.Verify(g)
	})
}
