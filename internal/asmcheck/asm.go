package asmcheck

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// An Inst is one disassembled instruction.
type Inst struct {
	Source string // file:line
	Addr   uint64
	Text   string
}

// String shows the instruction with its place.
func (i Inst) String() string { return fmt.Sprintf("%s %#x %s", i.Source, i.Addr, i.Text) }

var instLine = regexp.MustCompile(`^\s+(\S+:\d+)\s+0x([0-9a-f]+)\s+[0-9a-f]+\s+(.*?)\s*$`)

// Disassemble returns the code of the one function of a binary that has this name (as the linker writes it).
func Disassemble(binary, function string) ([]Inst, error) {
	cmd := exec.Command("go", "tool", "objdump", "-s", "^"+regexp.QuoteMeta(function)+"$", binary)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go tool objdump: %w\n%s", err, &problems)
	}
	var code []Inst
	for line := range strings.Lines(string(out)) {
		m := instLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if m == nil {
			continue
		}
		addr, err := strconv.ParseUint(m[2], 16, 64)
		if err != nil {
			return nil, err
		}
		code = append(code, Inst{m[1], addr, m[3]})
	}
	if len(code) == 0 {
		return nil, fmt.Errorf("%s has no function %s", binary, function)
	}
	return code, nil
}

// A Loop is a dispatch loop: the code from its head up to the jump through a table.
type Loop struct {
	Dispatch  []Inst // from the head to the jump, both included
	BackEdges int    // jumps to the head
}

// ErrNoLoop says that a function holds no dispatch loop of the known form.
var ErrNoLoop = errors.New("no dispatch loop: no jump through a table that follows the target of many jumps")

// minBackEdges is what tells a dispatch loop from another loop that happens to hold a switch.
const minBackEdges = 8

var (
	tableJump  = regexp.MustCompile(`^JMP (0x[0-9a-f]+|0)?\([A-Z0-9]+\)(\([A-Z0-9]+\*8\))?$|^JMP [A-Z][A-Z0-9]+$`)
	directJump = regexp.MustCompile(`^J[A-Z]+ 0x([0-9a-f]+)$`)
	stackUse   = regexp.MustCompile(`\(SP\)`)
)

// maxDispatch bounds the code between head and jump.
const maxDispatch = 64

// FindLoop finds the dispatch loop: the jump through a table that has, shortly before it, the target of the most jumps.
func FindLoop(code []Inst) (Loop, error) {
	edges := map[uint64]int{}
	for _, inst := range code {
		if m := directJump.FindStringSubmatch(inst.Text); m != nil {
			if target, err := strconv.ParseUint(m[1], 16, 64); err == nil {
				edges[target]++
			}
		}
	}
	var best Loop
	for j, inst := range code {
		if !tableJump.MatchString(inst.Text) {
			continue
		}
		for i := max(0, j-maxDispatch); i <= j; i++ {
			if n := edges[code[i].Addr]; n > best.BackEdges {
				best = Loop{code[i : j+1], n}
			}
		}
	}
	if best.BackEdges < minBackEdges {
		return Loop{}, ErrNoLoop
	}
	return best, nil
}

// Spills returns the instructions between head and jump that touch the stack.
func (l Loop) Spills() []Inst {
	var found []Inst
	for _, inst := range l.Dispatch {
		if stackUse.MatchString(inst.Text) {
			found = append(found, inst)
		}
	}
	return found
}
