package compat

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/internal/names"
)

func TestReport(t *testing.T) {
	page := Page{names.List{File: "x", From: "X 1"}, "X"}
	r, err := parse(page, "b f\na g\na C.m\nc h\n", "+\n+\n-\n-\n")
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Of 4 public names of X 1, 2 are there.", "| `a` | 1 of 2 | `C.m` |", "| `b` | 1 of 1 |  |", "| `c` | 0 of 1 | all |"} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("the page lacks %q:\n%s", line, &text)
		}
	}
	if _, err := parse(page, "a b\n", ""); err == nil {
		t.Error("fewer answers than names, no error")
	}
}

func TestPlaceOfTensorFlowNames(t *testing.T) {
	p := Page{List: names.List{File: "tensorflow"}}
	for _, row := range [][3]string{{"math.abs", "tf.math", "abs"}, {"abs", "tf", "abs"}, {"a.b.c", "tf.a.b", "c"}} {
		if m, n := p.place("tensorflow", row[0]); m != row[1] || n != row[2] {
			t.Errorf("%s: %s %s", row[0], m, n)
		}
	}
}
