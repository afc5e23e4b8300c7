package lang_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/builtin"
)

func newInterp(out *bytes.Buffer) *lang.Interp {
	h := lang.OSHost()
	h.Stdout, h.Stderr = out, &bytes.Buffer{}
	in := lang.NewInterp(h)
	builtin.Install(in)
	return in
}

// TestPrograms runs testdata/*.tfs, whose .out is what CPython 3.11 prints. Among
// them: a subclass of int, str, list and dict passes through every fast path, and
// deep recursion through key functions, __repr__, __eq__ raises RecursionError.
func TestPrograms(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.tfs")
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(f, ".tfs") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			in := newInterp(&out)
			if err := in.Main.RunModule(src, f, in.MainModule(f)); err != nil {
				t.Error(lang.FormatUncaught(in.Main, lang.AsError(err)))
			}
			got, lines := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
			for i := range max(len(got), len(lines)) {
				if i >= len(got) || i >= len(lines) || got[i] != lines[i] {
					t.Fatalf("line %d:\ngot  %q\nwant %q", i+1, at(got, i), at(lines, i))
				}
			}
		})
	}
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(nothing)"
}

const stubborn = `
try:
    while True:
        try:
            while True:
                pass
        except:
            print("caught")
finally:
    print("cleaned up")
`

// TestEndOfRun: a cancelled context, a step limit and a deadline end a script that
// catches everything; its finally blocks run.
func TestEndOfRun(t *testing.T) {
	for name, prepare := range map[string]func(in *lang.Interp) error{
		"context": func(in *lang.Interp) error {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
			t.Cleanup(cancel)
			in.Main.Ctx = ctx
			return context.DeadlineExceeded
		},
		"steps": func(in *lang.Interp) error { in.MaxSteps = 100000; return lang.ErrSteps },
		"time":  func(in *lang.Interp) error { in.Deadline = time.Now().Add(20 * time.Millisecond); return lang.ErrTime },
	} {
		var out bytes.Buffer
		in := newInterp(&out)
		want := prepare(in)
		err := in.Main.RunModule([]byte(stubborn), "x.tfs", in.MainModule("x.tfs"))
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
		if out.String() != "cleaned up\n" {
			t.Errorf("%s: printed %q", name, out.String())
		}
	}
}

// TestInterrupt: Ctrl-C is an exception that a script may catch.
func TestInterrupt(t *testing.T) {
	var out bytes.Buffer
	in := newInterp(&out)
	time.AfterFunc(10*time.Millisecond, in.Interrupt)
	err := in.Main.RunModule([]byte("try:\n while True: pass\nexcept KeyboardInterrupt: print('stopped')\n"), "x.tfs", in.MainModule("x.tfs"))
	if err != nil || out.String() != "stopped\n" {
		t.Errorf("%v %q", err, out.String())
	}
}

// TestMemoryLimit: a limit hit inside a comprehension leaves the state usable.
func TestMemoryLimit(t *testing.T) {
	var out bytes.Buffer
	in := newInterp(&out)
	in.SetMemoryLimit(100 << 20)
	src := "kept = [1]\ntry:\n x = [str(i) * 50 for i in range(10**9)]\nexcept MemoryError: print('full')\nprint(kept, len([0] * 1000))\n"
	if err := in.Main.RunModule([]byte(src), "x.tfs", in.MainModule("x.tfs")); err != nil {
		t.Error(err)
	}
	if out.String() != "full\n[1] 1000\n" {
		t.Errorf("printed %q", out.String())
	}
}

// TestSideBySide: interpreters share built-in classes and code objects, nothing else.
func TestSideBySide(t *testing.T) {
	src, err := os.ReadFile("testdata/classes.tfs")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	for range 4 {
		go func() {
			var out bytes.Buffer
			in := newInterp(&out)
			if err := in.Main.RunModule(src, "x.tfs", in.MainModule("x.tfs")); err != nil {
				out.WriteString(err.Error())
			}
			done <- out.String()
		}()
	}
	first := <-done
	for range 3 {
		if s := <-done; s != first {
			t.Errorf("another output: %q", s)
		}
	}
}
