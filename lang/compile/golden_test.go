package compile_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

var update = flag.Bool("update", false, "write what the tests print as expected")

func unit(t testing.TB, src, file string) *compile.Unit {
	t.Helper()
	m, err := parser.ParseFile([]byte(src), file)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	u, err := compile.NewUnit(m, file, compile.Options{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return u
}

// golden compares text with the file path.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

func scripts(t *testing.T, dir string, f func(path, src string)) {
	list, err := filepath.Glob(filepath.Join("testdata", dir, "*.tfs"))
	if err != nil || len(list) == 0 {
		t.Fatal("no programs", err)
	}
	for _, path := range list {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f(path, string(src))
	}
}

func TestGolden(t *testing.T) {
	scripts(t, "golden", func(path, src string) {
		golden(t, strings.TrimSuffix(path, ".tfs")+".dis", code.Disasm(unit(t, src, path).Code))
	})
}

func TestGoldenStaged(t *testing.T) {
	scripts(t, "staged", func(path, src string) {
		u := unit(t, src, path)
		var b strings.Builder
		for _, c := range u.Code.Codes {
			if s := u.Staged(c); s != nil {
				b.WriteString(code.Disasm(s))
			} else {
				b.WriteString(c.Qualname + ": " + c.NoStaged + "\n")
			}
			b.WriteString("\n")
		}
		golden(t, strings.TrimSuffix(path, ".tfs")+".dis", b.String())
	})
}
