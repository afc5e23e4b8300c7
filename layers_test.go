package tfs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/tfs-lang/tfs"

// layers lists the packages, the lowest first. A package may import only packages on lines above its own; two packages
// on one line don't know each other. A name ending in /... stands for the folder and all below it, and those may import
// each other (the compiler refuses cycles). A line is never moved to mend a build: mend the import.
const layers = `
lang/ast
lang/value
lang/format
tensor
tensor/format
lang/code
parser
tensor/kernel/...
tensor/ndarray
lang/compile/...
ir
lang
lang/...
ir/pass/... ir/autodiff/...
ir/ops/...
exec/...
bridge
tracer/...
stdlib/script/...
stdlib/py/...
stdlib/np/...
stdlib/tf/...
stdlib/keras/... stdlib/plt/...
stdlib
.
repl
internal/...
cmd/... bench/... examples/...
`

// strangers lists what a package must not know although it stands on a lower layer.
const strangers = `
lang/...: tensor/... ir/...
parser: tensor/... lang/code
ir/...: lang lang/code lang/compile parser lang/ast
exec/...: parser lang lang/ast lang/code lang/compile lang/builtin
bridge: tensor/kernel/... parser
tracer/...: tensor/kernel/...
repl: exec/... tracer/... ir/... tensor/...
cmd/...: exec/... tracer/... ir/... lang/...
`

// anywhere lists small packages without knowledge of the project that every layer may import.
var anywhere = []string{"internal/names", "internal/poison"}

type layerTable struct {
	exact, below map[string]int
	strangers    map[string][]string
}

func parseLayers(text, strangers string) layerTable {
	t := layerTable{map[string]int{}, map[string]int{}, map[string][]string{}}
	for line := range strings.Lines(strangers) {
		if from, to, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			t.strangers[from] = strings.Fields(to)
		}
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		for _, name := range strings.Fields(line) {
			if folder, ok := strings.CutSuffix(name, "/..."); ok {
				t.below[folder] = i
			} else {
				t.exact[name] = i
			}
		}
	}
	return t
}

// find returns the layer of a package and, when it comes from a line with /..., that folder.
func (t layerTable) find(name string) (layer int, folder string, ok bool) {
	if layer, ok = t.exact[name]; ok {
		return layer, "", true
	}
	for folder = name; folder != "."; folder = path.Dir(folder) {
		if layer, ok = t.below[folder]; ok {
			return layer, folder, true
		}
	}
	return 0, "", false
}

// violation says why a package must not import another; "" when it may.
func (t layerTable) violation(from, to string) string {
	if slices.Contains(anywhere, to) {
		return ""
	}
	low, lowFolder, ok := t.find(to)
	high, highFolder, known := t.find(from)
	switch {
	case !known:
		return from + " is not in the table of layers"
	case !ok:
		return to + " is not in the table of layers"
	case slices.Contains(anywhere, from):
		return from + " must import nothing of the project"
	case low < high, low == high && lowFolder == highFolder && lowFolder != "":
		return t.stranger(from, to)
	case low == high:
		return from + " and " + to + " stand on one layer and must not know each other"
	}
	return from + " must not import " + to + ", which is of a higher layer"
}

// stranger says why a package must not know one of a lower layer; "" when it may.
func (t layerTable) stranger(from, to string) string {
	for pattern, patterns := range t.strangers {
		if covers(pattern, from) && slices.ContainsFunc(patterns, func(p string) bool { return covers(p, to) }) {
			return from + " must not know " + to
		}
	}
	return ""
}

// covers reports whether a name of the tables stands for a package.
func covers(pattern, name string) bool {
	folder, all := strings.CutSuffix(pattern, "/...")
	return name == folder || all && strings.HasPrefix(name, folder+"/")
}

func TestLayers(t *testing.T) {
	table := parseLayers(layers, strangers)
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(file, entry.Name())
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := filepath.ToSlash(filepath.Dir(file))
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			rest, ours := strings.CutPrefix(imported+"/", modulePath+"/")
			if !ours {
				continue
			}
			if why := table.violation(from, path.Clean(rest)); why != "" {
				t.Errorf("%s: %s", fset.Position(spec.Pos()), why)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// skipFolder leaves out what is no part of the module: test data, hidden folders, the module of the generators.
func skipFolder(file, name string) error {
	if name == "testdata" || file == "internal/gen" || len(name) > 1 && name[0] == '.' {
		return filepath.SkipDir
	}
	return nil
}

func TestLayerTable(t *testing.T) {
	table := parseLayers("a\nb c/...\nd\n.", "d: b\n")
	for _, row := range []struct {
		from, to string
		allowed  bool
	}{
		{"d", "a", true}, {"d", "b", false}, {"d", "c/x/y", true}, {".", "d", true}, {"c/x", "a", true},
		{"c/x", "c", true}, {"c", "c/x", true}, {"b", "b", false},
		{"a", "b", false}, {"b", "c", false}, {"c/x", "b", false}, {"c", ".", false},
		{"d", "unknown", false}, {"unknown", "a", false},
	} {
		if why := table.violation(row.from, row.to); (why == "") != row.allowed {
			t.Errorf("%s imports %s: allowed %v, want %v (%s)", row.from, row.to, why == "", row.allowed, why)
		}
	}
}
