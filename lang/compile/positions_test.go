package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
)

// marks names what CPython's instructions of the same kind are called in
// testdata/positions.txt; of two words the first is for the inner position.
var marks = map[code.Op]string{
	code.Call: "call", code.CallKw: "call", code.CallEx: "call", code.CallMethod: "attr call", code.CallMethodKw: "attr call",
	code.CallGlobal: "- call", code.BinOp: "bin", code.InPlace: "bin", code.MulAddR: "bin bin", code.MulAddL: "bin bin",
	code.MulSubR: "bin bin", code.GetItem: "sub", code.GetItemI: "sub", code.GetSlice: "sub", code.DelItem: "dsub", code.SetItem: "ssub", code.SetAnnotation: "ssub",
	code.GetAttr: "attr", code.CallSuper: "attr", code.DelAttr: "dattr", code.Compare: "cmp", code.Contains: "in",
	code.ForPrep: "iter", code.ForLoop: "for", code.Raise: "raise", code.ImportName: "imp", code.ImportFrom: "impf",
	code.UnaryOp: "un", code.FormatValue: "fmt", code.WithEnter: "with", code.AugAttrI: "attr bin", code.AugItemI: "sub bin",
	code.MatchExc: "exc", code.BuildClass: "call",
}

func markOf(op code.Op) string {
	switch {
	case op >= code.AddSS && op <= code.ModSF:
		return "bin"
	case op >= code.JLTSS && op <= code.JNEBackSF:
		return "cmp"
	}
	return marks[op]
}

// TestPositions compares the positions that tracebacks mark with those CPython 3.11
// has for the same program (its co_positions, recorded).
func TestPositions(t *testing.T) {
	src, err := os.ReadFile("testdata/positions.tfs")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/positions.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		want[strings.TrimSpace(line)] = true
	}
	got := map[string]bool{}
	collect(unit(t, string(src), "positions.tfs").Code, got)
	for row := range got {
		if !want[row] {
			t.Errorf("CPython has no %s", row)
		}
	}
	missing := 0
	for row := range want {
		if !got[row] {
			missing++
			t.Logf("no instruction for %s", row)
		}
	}
	if missing > 12 {
		t.Errorf("%d of %d positions have no instruction", missing, len(want))
	}
}

func collect(c *code.Code, got map[string]bool) {
	inner := map[int]code.Pos{}
	for _, n := range c.Inner {
		inner[int(n.At)] = n.Pos
	}
	note := func(kind string, p code.Pos) {
		if kind != "-" {
			got[fmt.Sprintf("%d %d %s %d %d", p.Line, p.Col, kind, p.EndLine, p.EndCol)] = true
		}
	}
	for i, in := range c.Ins {
		words := strings.Fields(markOf(in.Op))
		if len(words) == 2 {
			note(words[0], inner[i])
		}
		if len(words) > 0 {
			note(words[len(words)-1], c.Pos[i])
		}
	}
	for _, k := range c.Codes {
		collect(k, got)
	}
}
