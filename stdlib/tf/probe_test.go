package tf_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs"
)

// TestProbes evaluates the expressions of testdata/probes.txt, each with what
// TensorFlow answers: a repr, or the exception's class and text.
func TestProbes(t *testing.T) {
	text, err := os.ReadFile("testdata/probes.txt")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("import numpy as np\nimport tensorflow as tf\ndef t(s):\n    try:\n        print(repr(eval(s)).replace('\\n', '|'))\n" +
		"    except Exception as e:\n        print(type(e).__name__, str(e).replace('\\n', '|')[:200])\n")
	var exprs, want []string
	for line := range strings.Lines(string(text)) {
		expr, answer, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if !ok {
			t.Fatalf("no answer in %q", line)
		}
		exprs, want = append(exprs, expr), append(want, answer)
		script.WriteString("t(" + quoted(expr) + ")\n")
	}
	var out bytes.Buffer
	in := tfs.New(tfs.Stdout(&out), tfs.Stderr(&out))
	if err := in.Exec(t.Context(), script.String()); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if err := in.Flush(); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(out.String(), "\n")
	for i := range exprs {
		if i >= len(got) || got[i] != want[i] {
			t.Errorf("%s\n got %s\nwant %s", exprs[i], got[min(i, len(got)-1)], want[i])
		}
	}
}

// quoted is a Python literal of s.
func quoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
