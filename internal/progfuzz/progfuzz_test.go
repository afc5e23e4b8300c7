package progfuzz

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestCorpus runs the recorded programs: what they print and how they end is CPython's.
func TestCorpus(t *testing.T) {
	programs, err := filepath.Glob("testdata/*.tfs")
	if err != nil || len(programs) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	dir := t.TempDir()
	for _, name := range programs {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".tfs") + ".out")
		if err != nil {
			t.Fatal(err)
		}
		got, err := Run(string(src), dir, 20*time.Second)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := got.Normal()
		if text := n.Out + n.End; text != string(want) {
			t.Errorf("%s: %s", name, firstDifference(string(want), text))
		}
	}
}

// TestProgramsAreTheirSeeds: a seed stands for one program.
func TestProgramsAreTheirSeeds(t *testing.T) {
	for seed := range uint64(30) {
		if first := Program(seed); first != Program(seed) {
			t.Fatalf("two programs of seed %d", seed)
		}
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			return "want " + w[i] + "\n got " + g[i]
		}
	}
	return "another number of lines"
}

// FuzzPrograms looks for panics and hangs.
func FuzzPrograms(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, seed uint64) {
		_, err := Run(Program(seed), dir, 5*time.Second)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	})
}
