package lang

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var (
	lineRE     = regexp.MustCompile(`^\s+run\.go:\d+\s+0x([0-9a-f]+)\s+[0-9a-f]+\s+(.*?)\s*$`)
	indirectRE = regexp.MustCompile(`^JMP 0\(\w+\)\(\w+\*8\)|^JMP \w+$`)
	jumpRE     = regexp.MustCompile(`^JMP 0x([0-9a-f]+)`)
)

// dispatchHead finds the instructions from the head of the run loop to its
// indirect jump in a disassembly of run. The head is where most jumps go back to.
func dispatchHead(asm string) ([]string, error) {
	type ins struct{ addr, text string }
	var all []ins
	jump := -1
	targets := map[string]int{}
	for _, l := range strings.Split(asm, "\n") {
		m := lineRE.FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if jump < 0 && strings.HasPrefix(m[2], "JMP 0(") && indirectRE.MatchString(m[2]) {
			jump = len(all)
		}
		if t := jumpRE.FindStringSubmatch(m[2]); t != nil {
			targets[t[1]]++
		}
		all = append(all, ins{m[1], m[2]})
	}
	if jump < 0 {
		return nil, fmt.Errorf("no indirect jump in %d instructions: is the switch no longer a jump table?", len(all))
	}
	head, most := -1, 20
	for i := 0; i < jump; i++ {
		if n := targets[all[i].addr]; n > most {
			head, most = i, n
		}
	}
	if head < 0 {
		return nil, fmt.Errorf("no loop head before the indirect jump")
	}
	var out []string
	for _, x := range all[head : jump+1] {
		out = append(out, x.text)
	}
	return out, nil
}

func spills(head []string) []string {
	var out []string
	for _, s := range head {
		if strings.Contains(s, "(SP)") || strings.Contains(s, "SP)(") {
			out = append(out, s)
		}
	}
	return out
}

func disassemble(t *testing.T) string {
	if raceEnabled {
		t.Skip("the race detector instruments the loop")
	}
	if testing.Short() {
		t.Skip("disassembles the test binary")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "objdump", "-s", `tfs/lang\.run$`, exe).Output()
	if err != nil {
		t.Skip("no objdump: ", err)
	}
	return string(out)
}

// TestDispatchHasNoSpills holds the dispatch rule: only the activation, pc and the
// slot base live across iterations, in registers.
func TestDispatchHasNoSpills(t *testing.T) {
	asm := disassemble(t)
	head, err := dispatchHead(asm)
	if err != nil {
		t.Fatal(err)
	}
	if bad := spills(head); len(bad) > 0 {
		t.Errorf("stack used between loop head and jump: %q", bad)
	}
	if len(head) > 12 {
		t.Errorf("%d instructions from loop head to jump: %q", len(head), head)
	}
}

// TestDispatchCheckSees plants a spill and removes the jump: the check must notice both.
func TestDispatchCheckSees(t *testing.T) {
	asm := disassemble(t)
	head, err := dispatchHead(asm)
	if err != nil {
		t.Fatal(err)
	}
	if len(spills(append([]string{"MOVQ 0x18(SP), AX"}, head...))) != 1 {
		t.Error("a planted spill is not seen")
	}
	if _, err := dispatchHead(strings.ReplaceAll(asm, "JMP 0(", "NOP 0(")); err == nil {
		t.Error("a missing jump is not seen")
	}
}
