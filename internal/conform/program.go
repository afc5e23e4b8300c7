package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Program is one conformance program with its recording.
type Program struct {
	Name       string // slash-separated path below the root, with .tfs
	Path       string // absolute path of the file
	Directives Directives
	Out        string // recorded standard output
	Fault      *Fault // nil when it ends with status 0
}

// Topic is the first folder of the program's name.
func (p *Program) Topic() string {
	topic, _, _ := strings.Cut(p.Name, "/")
	return topic
}

// Load reads all programs below root, in order of their names.
func Load(root string) ([]*Program, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	var all []*Program
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".tfs" {
			return err
		}
		p, err := loadProgram(root, path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a module that a program beside it imports has no recording
		}
		all = append(all, p)
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("no recorded program below %s", root)
	}
	return all, err
}

func loadProgram(root, path string) (*Program, error) {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	p := &Program{Name: filepath.ToSlash(name), Path: path}
	base := strings.TrimSuffix(path, ".tfs")
	out, err := os.ReadFile(base + ".out")
	if err != nil {
		return nil, err
	}
	p.Out = string(out)
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if p.Directives, err = ParseDirectives(string(source)); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	fault, err := os.ReadFile(base + ".err")
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if p.Fault, err = ParseFault(string(fault)); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return p, nil
}
