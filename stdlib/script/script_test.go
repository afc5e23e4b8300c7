package script_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tfs-lang/tfs/stdlib/script"
)

func library(dir string) *script.Library {
	return &script.Library{Texts: script.Folder{FS: os.DirFS(dir)}, Codes: os.DirFS(dir), Prefix: "_x_", File: "<x>/", Ext: ".py"}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func generate(t *testing.T, dir string, want ...string) {
	t.Helper()
	l := library(dir)
	stale, err := l.Stale(os.DirFS(dir))
	if err != nil || !slices.Equal(stale, want) {
		t.Errorf("stale are %v (%v), want %v", stale, err, want)
	}
	if err := script.Generate(dir, false); err != nil {
		t.Fatal(err)
	}
	if stale, err = l.Stale(os.DirFS(dir)); err != nil || len(stale) > 0 {
		t.Errorf("%v (%v) are stale after Generate", stale, err)
	}
}

// A changed text counts at once, compiled or not; Generate compiles what changed and removes what went.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "lib", "a.tfs"), filepath.Join(dir, "lib", "b", "__init__.tfs")
	write(t, a, "x = 1\n")
	write(t, b, "y = 2\n")
	generate(t, dir, "a", "b/__init__")
	l := library(dir)
	if s := l.Find("_x_b"); s == nil || !s.Package || s.Code == "" || s.File != "<x>/b/__init__.py" {
		t.Errorf("package b is %+v", s)
	}
	for _, name := range []string{"a", "_x_c", "_x_b.a"} {
		if s := l.Find(name); s != nil {
			t.Errorf("%s is %+v", name, s)
		}
	}
	write(t, a, "x = 3\n")
	if s := l.Find("_x_a"); s == nil || s.Package || s.Code != "" || s.Text() != "x = 3\n" {
		t.Errorf("after a change a is %+v", s)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	generate(t, dir, "b/__init__", "a")
	if _, err := os.Stat(filepath.Join(dir, "compiled", "b", "__init__.tfsc")); !os.IsNotExist(err) {
		t.Errorf("the compiled file of a text that went is still there: %v", err)
	}
	write(t, a, "x = (\n")
	if err := script.Generate(dir, false); err == nil {
		t.Error("a text that doesn't compile is no error")
	}
}
