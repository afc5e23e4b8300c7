package py_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScripts runs testdata/*.tfs; what CPython 3.11 printed for each stands beside it.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tfs")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(file, ".tfs") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(run(t, string(src)), "\n")
			for i, line := range strings.Split(string(want), "\n") {
				if i >= len(got) || got[i] != line {
					t.Fatalf("%s: line %d of the output is\n%q, CPython's\n%q", file, i+1, got[min(i, len(got)-1)], line)
				}
			}
		})
	}
}
