package lang

import (
	"os"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
)

// TestEveryInstructionRuns checks that each instruction has a case in the run loop
// or a function in the table.
func TestEveryInstructionRuns(t *testing.T) {
	src, err := os.ReadFile("run.go")
	if err != nil {
		t.Fatal(err)
	}
	for op := code.Nop; op < code.NumOps; op++ {
		name := code.Describe(op).Name
		if miscTable[op] == nil && !strings.Contains(string(src), "case code."+name+":") {
			t.Errorf("%s is not implemented", name)
		}
	}
}

// TestRunIsFresh checks that run.go is what genrun.go writes.
func TestRunIsFresh(t *testing.T) {
	gen, err := os.ReadFile("genrun.go")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile("run.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(string(gen), "\n") {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "case code.") && strings.HasSuffix(l, ":") && !strings.Contains(string(src), l) {
			t.Errorf("run.go lacks %q: run go generate", l)
		}
	}
}
