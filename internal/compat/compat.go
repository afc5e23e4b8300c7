package compat

import (
	"bytes"
	"cmp"
	_ "embed" // probe.tfs
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfs-lang/tfs/internal/names"
)

//go:embed probe.tfs
var probe []byte

// A Page is one list of names and the page that is made of it.
type Page struct {
	names.List // docs/compat-FILE.md shows it
	Title      string
}

// Pages are all pages.
var Pages = []Page{
	{names.Lists[0], "Python"},
	{names.Lists[1], "NumPy"},
	{names.Lists[2], "TensorFlow"},
}

// A Report says of each module which names there are.
type Report struct {
	Page    Page
	Modules []Module
}

// A Module is one module of a report.
type Module struct {
	Name            string
	Present, Absent []string
}

// Probe asks a binary for the names of a page.
func Probe(binary string, page Page) (*Report, error) {
	folder, err := os.MkdirTemp("", "compat-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	text := page.Text()
	for name, text := range map[string][]byte{"names.txt": []byte(text), "probe.tfs": probe} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(binary, "run", "probe.tfs", "names.txt")
	var problems bytes.Buffer
	cmd.Dir, cmd.Stderr = folder, &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("looking up the names of %s: %w\n%s", page.Title, err, &problems)
	}
	return parse(page, text, string(out))
}

// parse reads the script's output: a + or - for each name.
func parse(page Page, text, marks string) (*Report, error) {
	lines := strings.Fields(strings.ReplaceAll(text, " ", "\x00"))
	found := strings.Fields(marks)
	if len(lines) != len(found) {
		return nil, fmt.Errorf("%s: %d answers for %d names", page.Title, len(found), len(lines))
	}
	byName := map[string]*Module{}
	for i, line := range lines {
		name, attr, _ := strings.Cut(line, "\x00")
		name, attr = page.place(name, attr)
		m := byName[name]
		if m == nil {
			m = &Module{Name: name}
			byName[name] = m
		}
		if found[i] == "+" {
			m.Present = append(m.Present, attr)
		} else {
			m.Absent = append(m.Absent, attr)
		}
	}
	r := &Report{Page: page}
	for _, m := range byName {
		r.Modules = append(r.Modules, *m)
	}
	slices.SortFunc(r.Modules, func(a, b Module) int { return cmp.Compare(a.Name, b.Name) })
	return r, nil
}

// place splits TensorFlow's dotted names: its modules are too many to be listed as one.
func (p Page) place(module, attr string) (string, string) {
	if p.File != "tensorflow" {
		return module, attr
	}
	i := strings.LastIndexByte(attr, '.')
	if i < 0 {
		return "tf", attr
	}
	return "tf." + attr[:i], attr[i+1:]
}

// Counts adds up the modules.
func (r *Report) Counts() (present, all int) {
	for _, m := range r.Modules {
		present += len(m.Present)
		all += len(m.Present) + len(m.Absent)
	}
	return present, all
}

// Write prints the page as Markdown.
func (r *Report) Write(w io.Writer) error {
	present, all := r.Counts()
	_, err := fmt.Fprintf(w, "# What there is of %s\n\nWritten by `go run ./internal/compat/cmd/compat`; a test says whether it is fresh.\n"+
		"Of %d public names of %s, %d are there. A name that is there may still lack an option; one that is not raises an\n"+
		"AttributeError or ModuleNotFoundError that says so.\n\n| module | there | not yet |\n|---|---|---|\n",
		r.Page.Title, all, r.Page.From, present)
	if err != nil {
		return err
	}
	for _, m := range r.Modules {
		absent := "`" + strings.Join(m.Absent, "` `") + "`"
		switch {
		case len(m.Absent) == 0:
			absent = ""
		case len(m.Present) == 0:
			absent = "all"
		}
		_, err := fmt.Fprintf(w, "| `%s` | %d of %d | %s |\n", m.Name, len(m.Present), len(m.Present)+len(m.Absent), absent)
		if err != nil {
			return err
		}
	}
	return nil
}
