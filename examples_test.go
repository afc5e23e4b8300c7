package tfs_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/tfs-lang/tfs/internal/conform"
)

// exampleTolerance is the agreement with TensorFlow that the README promises.
const exampleTolerance = 1e-4

// TestExamples runs every script under examples and compares with what TensorFlow printed.
func TestExamples(t *testing.T) {
	programs, err := conform.Load("examples")
	if err != nil {
		t.Fatal(err)
	}
	if scripts := countScripts(t); scripts != len(programs) {
		t.Errorf("%d of %d example scripts have no recorded .out", scripts-len(programs), scripts)
	}
	runner := conformRunner(t)
	for _, p := range programs {
		p.Directives.RTol, p.Directives.ATol = exampleTolerance, exampleTolerance
		t.Run(p.Name, func(t *testing.T) {
			if m := conform.Judge(p, runner.Run(t.Context(), p)); m != nil {
				t.Error(m)
			}
		})
	}
}

func countScripts(t *testing.T) int {
	n := 0
	err := filepath.WalkDir("examples", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".tfs" {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
