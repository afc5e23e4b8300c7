package np

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
	"github.com/tfs-lang/tfs/stdlib/py"
)

// runScript runs a program with Python's and NumPy's modules and returns what it
// printed, an uncaught exception's text last.
func runScript(src, file string) string {
	var out bytes.Buffer
	h := lang.OSHost()
	h.Stdout, h.Stderr, h.Stdin = &out, io.Discard, strings.NewReader("")
	in := lang.NewInterp(h)
	builtin.Install(in)
	in.Native = func(name string) *lang.ModuleDef {
		if d := Native(name); d != nil {
			return d
		}
		return py.Native(name)
	}
	in.Source = func(name string) *lang.Script {
		if s := Source(name); s != nil {
			return s
		}
		return py.Source(name)
	}
	m := lang.NewModule("__main__")
	m.Set("__builtins__", in.Builtins.Value())
	in.Modules.PutStr("__main__", m.Value())
	in.Main.Reset()
	if err := in.Main.RunModule([]byte(src), file, m); err != nil {
		out.WriteString("uncaught: " + err.Error() + "\n")
	}
	return out.String()
}

// TestPrograms runs programs that need only Python and NumPy; the expected output
// was recorded from them.
func TestPrograms(t *testing.T) {
	for _, pattern := range []string{"testdata/*.tfs", "../../testdata/conformance/numpy/*.tfs", "../../testdata/conformance/random/*.tfs"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(src), "tensorflow") {
				continue
			}
			want, err := os.ReadFile(strings.TrimSuffix(f, ".tfs") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			t.Run(strings.TrimSuffix(filepath.Base(f), ".tfs"), func(t *testing.T) {
				t.Chdir(t.TempDir())
				got := runScript(string(src), f)
				if i := strings.Index(got, "uncaught: "); i >= 0 && strings.HasSuffix(f, "_uncaught.tfs") {
					got = got[:i]
				}
				if got != string(want) {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}

// Every row's signature parses; a bad one would only be seen at the first call.
func TestSignaturesParse(t *testing.T) {
	for _, name := range []string{"numpy", "numpy.linalg", "numpy.fft", "numpy.random", "numpy._native"} {
		d := Native(name)
		for i := range d.Defs {
			d.Defs[i].Signature()
		}
	}
	for _, rows := range [][]lang.Def{arrayProps(), arrayMethods(), randomRows("self, ", true), randomRows("self, ", false), flatRows(), flagRows()} {
		for i := range rows {
			rows[i].Signature()
		}
	}
}
