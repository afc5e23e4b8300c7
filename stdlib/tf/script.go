package tf

import (
	"embed"
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/stdlib/script"
)

// The functions of lib/*.tfs are exported by a comment on the line above their
// def or class:
//
//	# export: tf.clip_by_norm
//	def clip_by_norm(t, clip_norm, axes=None, name=None):
//
//go:embed lib compiled
var lib embed.FS

//go:generate go run ../script/gen

var library = script.Library{Texts: script.Folder{FS: lib}, Codes: lib, Prefix: scriptPrefix, File: "tfs:tensorflow/", Ext: ".tfs"}

// scripts indexes the library scripts by their export comments, without compiling them.
func (b *builder) scripts() {
	files, err := lib.ReadDir("lib")
	if err != nil {
		panic("tfs bug: " + err.Error())
	}
	for _, f := range files {
		text, err := lib.ReadFile("lib/" + f.Name())
		if err != nil {
			panic("tfs bug: " + err.Error())
		}
		b.script(f.Name(), string(text))
	}
}

func (b *builder) script(file, text string) {
	exports := ""
	for line := range strings.Lines(text) {
		if names, ok := strings.CutPrefix(line, "# export:"); ok {
			exports = names
			continue
		}
		if exports != "" {
			if name := defined(line); name != "" {
				b.add(exports, &entry{script: name, file: file})
				exports = ""
			}
		}
	}
}

// defined is the name that a line defines at module level: by def, class or assignment.
func defined(line string) string {
	for _, kw := range []string{"def ", "class "} {
		if rest, ok := strings.CutPrefix(line, kw); ok {
			return rest[:strings.IndexAny(rest, "(:")]
		}
	}
	if name, _, ok := strings.Cut(line, " = "); ok && !strings.ContainsAny(name, " @#(") {
		return name
	}
	return ""
}

// Source finds a library script as an importable module, nil for none.
func Source(name string) *lang.Script { return library.Find(name) }

// Scripts are the library scripts: for tests and tools.
func Scripts() *script.Library { return &library }

// scriptPrefix begins the import names of library scripts.
const scriptPrefix = "_tensorflow_"

// scriptFunction is a function of a library script, which is imported at the first use.
func scriptFunction(th *lang.Thread, e *entry) (lang.Value, error) {
	m, err := th.Import(scriptPrefix + strings.TrimSuffix(e.file, ".tfs"))
	if err != nil {
		return lang.Unbound, err
	}
	return lang.Attr(th, m, e.script)
}
