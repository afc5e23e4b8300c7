package tracer_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tfs-lang/tfs/ir"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib"
	"github.com/tfs-lang/tfs/tracer"
)

var update = flag.Bool("update", false, "write testdata/graphs/*.graph anew")

// The graphs of the traced functions in testdata/graphs/*.tfs are those beside them.
func TestGraphs(t *testing.T) {
	programs, err := filepath.Glob("testdata/graphs/*.tfs")
	if err != nil || len(programs) < 10 {
		t.Fatal(len(programs), err)
	}
	for _, path := range programs {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tfs"), func(t *testing.T) {
			got := graphs(t, path)
			file := strings.TrimSuffix(path, ".tfs") + ".graph"
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
				t.Errorf("%s (-want +got; go test ./tracer -run TestGraphs -update writes it):\n%s", file, d)
			}
		})
	}
}

// graphs runs a program and prints every trace of its global functions.
func graphs(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	h := lang.OSHost()
	h.Stdout, h.Stderr = &out, &out
	in := lang.NewInterp(h)
	builtin.Install(in)
	stdlib.Install(in, stdlib.Options{})
	m := in.MainModule("")
	in.Main.Reset()
	if err := in.Main.RunModule(src, path, m); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var text []string
	for _, name := range lang.DirNames(in.Main, m.Value()) {
		v, err := m.Get(in.Main, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range tracer.Graphs(v) {
			text = append(text, g.String()+"\n")
			if _, err := ir.Parse(g.String()); err != nil {
				t.Errorf("%s: the text doesn't parse back: %v", name, err)
			}
		}
	}
	return strings.Join(text, "\n")
}
