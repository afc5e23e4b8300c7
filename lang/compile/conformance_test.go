package compile_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

// programs calls f for every script under testdata/conformance and bench that parses.
func programs(t testing.TB, f func(path string, src []byte)) {
	n := 0
	for _, root := range []string{"../../testdata/conformance", "../../bench"} {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".tfs") && !strings.HasSuffix(path, ".py") {
				return nil
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n++
			f(path, src)
			return nil
		})
	}
	if n < 500 {
		t.Fatalf("only %d programs", n)
	}
}

func TestConformancePrograms(t *testing.T) {
	programs(t, func(path string, src []byte) {
		m, err := parser.ParseFile(src, path)
		if err != nil {
			if !strings.Contains(path, "/syntax") {
				t.Logf("%s: %v", path, err)
			}
			return
		}
		u, err := compile.NewUnit(m, path, compile.Options{})
		if err != nil {
			if !strings.Contains(path, "/syntax") {
				t.Errorf("%s: %v", path, err)
			}
			return
		}
		if err := code.Verify(u.Code); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		stageAll(t, path, u, u.Code)
		b := code.Marshal(u.Code)
		back, err := code.Unmarshal(b)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if code.Disasm(back) != code.Disasm(u.Code) || !bytes.Equal(code.Marshal(back), b) {
			t.Errorf("%s: another code came back from bytes", path)
		}
	})
}

// stageAll makes the staged code of every function and verifies it.
func stageAll(t *testing.T, path string, u *compile.Unit, c *code.Code) {
	for _, in := range c.Codes {
		if s := u.Staged(in); s != nil {
			if err := code.Verify(s); err != nil {
				t.Errorf("%s: staged %v", path, err)
			}
		}
		stageAll(t, path, u, in)
	}
}
