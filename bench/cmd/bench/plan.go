package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A program is one benchmark file.
type program struct {
	name  string // without folder and ending
	path  string
	plain bool // needs no TensorFlow
}

// The sides of a comparison. tf and cpython run the programs themselves, the others their peers/NAME.py.
const (
	sideTFS     = "tfs"
	sideTF      = "tf"
	sideCPython = "cpython"
)

var scriptPeers = []string{"numpy", "torch", "jax"}

// A plan says what is run under which side.
type plan struct {
	programs []program
	peers    []string // of scriptPeers
	python   string   // "" without an oracle
}

// listPrograms finds the programs in a folder.
func listPrograms(folder string) ([]program, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tfs"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no program in %s", folder)
	}
	var all []program
	for _, file := range files {
		file, err := filepath.Abs(file)
		if err != nil {
			return nil, err
		}
		plain, err := startsPlain(file)
		if err != nil {
			return nil, err
		}
		all = append(all, program{strings.TrimSuffix(filepath.Base(file), ".tfs"), file, plain})
	}
	return all, nil
}

// startsPlain reports whether the program's first line says that it needs no TensorFlow.
func startsPlain(file string) (bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadString('\n')
	return strings.TrimSpace(line) == "# oracle: python", err
}

// newPlan keeps the programs that the patterns and, with a stage, its targets ask for.
func newPlan(programs []program, targets []target, patterns []string, python string) plan {
	p := plan{python: python}
	for _, prog := range programs {
		if !prog.wanted(patterns) {
			continue
		}
		if len(targets) == 0 || slices.ContainsFunc(targets, func(t target) bool { return prog.gives(t.pattern) }) {
			p.programs = append(p.programs, prog)
		}
	}
	if python == "" {
		return p
	}
	for _, peer := range scriptPeers {
		if slices.ContainsFunc(targets, func(t target) bool { return t.peer == peer && anyGives(p.programs, t.pattern) }) {
			p.peers = append(p.peers, peer)
		}
	}
	return p
}

func anyGives(programs []program, pattern string) bool {
	return slices.ContainsFunc(programs, func(p program) bool { return p.gives(pattern) })
}

// wanted reports whether a pattern names the program or one of its measurements.
func (p program) wanted(patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return matches(pattern, p.name) || strings.Contains(pattern, ".") && p.gives(pattern)
	})
}

// gives reports whether a measurement comes from this program: GROUP.NAME, wall.PROGRAM or rss.PROGRAM.
func (p program) gives(measurement string) bool {
	head, rest, _ := strings.Cut(measurement, ".")
	switch head {
	case "wall", "rss":
		return matches(rest, p.name)
	case "numpy":
		return p.name == "numpy_ops"
	case "memory":
		return strings.HasPrefix(p.name, "memory_")
	}
	return matches(head, p.name)
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
