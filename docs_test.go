package tfs_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/tfs-lang/tfs/internal/compat"
	"github.com/tfs-lang/tfs/internal/opdocs"
)

var docsUpdate = flag.Bool("docs.update", false, "write the generated pages of docs/ anew")

// What can be printed from code is printed from code: the generated pages say what there is now.
func TestGeneratedPagesAreFresh(t *testing.T) {
	var ops bytes.Buffer
	if err := opdocs.Write(&ops, "ir/ops"); err != nil {
		t.Fatal(err)
	}
	fresh(t, "docs/ops.md", ops.Bytes())
	binary := tfsBinary(t)
	for _, page := range compat.Pages {
		report, err := compat.Probe(binary, page)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := report.Write(&text); err != nil {
			t.Fatal(err)
		}
		if page.File == "python" {
			for _, lack := range report.BelowFloor() {
				t.Error(lack)
			}
		}
		present, all := report.Counts()
		t.Logf("%s: %d of %d names", page.Title, present, all)
		fresh(t, filepath.Join("docs", "compat-"+page.File+".md"), text.Bytes())
	}
}

func fresh(t *testing.T, path string, want []byte) {
	t.Helper()
	if *docsUpdate {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not fresh: go test -run TestGeneratedPages . -docs.update", path)
	}
}
