package conform

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Pending is the list of programs that are known not to pass: name → issue that will remove it.
type Pending map[string]string

// issues names, for each topic, the issue that a newly failing program belongs to.
var issues = map[string][]string{
	"language": {"more", "python", "stdlib", "errors_python"},
	"tensors":  {"tensors", "ops", "printing", "errors", "variables", "numpy", "random"},
	"autodiff": {"tape", "gradients", "custom_gradient", "forward_mode", "control_ops"},
	"tracer":   {"function", "captures", "autograph", "articles", "workloads"},
	"library":  {"keras", "data", "checkpoint", "io"},
}

// DefaultIssue is the issue that programs of a topic belong to.
func DefaultIssue(topic string) string {
	for issue, topics := range issues {
		if slices.Contains(topics, topic) {
			return issue
		}
	}
	return "unsorted"
}

// ReadPending reads a pending file: lines `NAME  # ISSUE`, other comment lines are skipped.
func ReadPending(path string) (Pending, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := Pending{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		name, issue, _ := strings.Cut(line, "#")
		name, issue = strings.TrimSpace(name), strings.TrimSpace(issue)
		switch {
		case name == "":
		case issue == "":
			return nil, fmt.Errorf("%s:%d: %s names no issue (`NAME  # ISSUE`)", path, n, name)
		case p[name] != "":
			return nil, fmt.Errorf("%s:%d: %s stands twice", path, n, name)
		default:
			p[name] = issue
		}
	}
	return p, nil
}

// Write writes the list to a file, in order of the names.
func (p Pending) Write(path string) error {
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("# Programs that do not pass yet, each with the issue that will remove it.\n")
	b.WriteString("# Rewritten by: go test -run TestConformance . -conform.update\n")
	for _, name := range names {
		fmt.Fprintf(&b, "%s  # %s\n", name, p[name])
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// Check tells what is wrong with the list after a run: failures that it does not name, passes that it does.
func (p Pending) Check(outcomes []Outcome) (failing, passing []Outcome) {
	for _, o := range outcomes {
		_, listed := p[o.Program.Name]
		switch {
		case o.Mismatch != nil && !listed:
			failing = append(failing, o)
		case o.Mismatch == nil && listed:
			passing = append(passing, o)
		}
	}
	return failing, passing
}

// Update brings the list up to date with a run; programs that were not run stay as they are.
func (p Pending) Update(outcomes []Outcome) {
	for _, o := range outcomes {
		name := o.Program.Name
		if o.Mismatch == nil {
			delete(p, name)
		} else if p[name] == "" {
			p[name] = DefaultIssue(o.Program.Topic())
		}
	}
}

// Stale returns names on the list that no program has.
func (p Pending) Stale(programs []*Program) []string {
	known := map[string]bool{}
	for _, program := range programs {
		known[program.Name] = true
	}
	var stale []string
	for name := range p {
		if !known[name] {
			stale = append(stale, name)
		}
	}
	slices.Sort(stale)
	return stale
}
