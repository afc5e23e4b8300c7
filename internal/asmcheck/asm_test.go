package asmcheck

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// build builds a command for amd64 whatever this machine is.
func build(t *testing.T, pkg string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "binary")
	cmd := exec.Command("go", "build", "-o", binary, pkg)
	cmd.Env = append(cmd.Environ(), "GOARCH=amd64", "GOOS=linux", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return binary
}

func loopOf(t *testing.T, binary, function string) (Loop, error) {
	t.Helper()
	code, err := Disassemble(binary, function)
	if err != nil {
		t.Fatal(err)
	}
	return FindLoop(code)
}

// The check itself must work: it finds a planted spill and says so when it finds no loop.
func TestPlantedSpill(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("knows amd64 only")
	}
	binary := build(t, "./testdata/loops")
	if l, err := loopOf(t, binary, "main.clean"); err != nil || len(l.Spills()) > 0 {
		t.Errorf("clean loop: %v, spills %v", err, l.Spills())
	}
	if l, err := loopOf(t, binary, "main.spilled"); err != nil || len(l.Spills()) == 0 {
		t.Errorf("planted spill not found (%v) in %v", err, l.Dispatch)
	}
	if _, err := loopOf(t, binary, "main.plain"); !errors.Is(err, ErrNoLoop) {
		t.Errorf("a plain loop: %v, want ErrNoLoop", err)
	}
	if _, err := Disassemble(binary, "main.absent"); err == nil {
		t.Error("an absent function: no error")
	}
}

// runLoop is the language's dispatch loop, as the linker names it.
const runLoop = "github.com/tfs-lang/tfs/lang.run"

// Between the head of the run loop and its jump nothing touches the stack: only the frame, the pc and the slot base live
// there, in registers. A call of a function that is not a slow(ci, pc) is what usually breaks it.
func TestRunLoop(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("knows amd64 only")
	}
	l, err := loopOf(t, build(t, "../../cmd/tfs"), runLoop)
	if err != nil {
		t.Fatalf("%s: %v", runLoop, err)
	}
	for _, inst := range l.Spills() {
		t.Errorf("spill in the run loop: %v", inst)
	}
	t.Logf("%d instructions from head to jump, %d jumps back", len(l.Dispatch), l.BackEdges)
}
