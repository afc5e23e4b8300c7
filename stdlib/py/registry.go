package py

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

//go:embed all:lib
var lib embed.FS

// defs are the modules in Go.
var defs = map[string]func() *lang.ModuleDef{}

// define names a module in Go; for package-level variables only.
func define(name string, f func() *lang.ModuleDef) bool {
	defs[name] = f
	return true
}

// Native is the definition of a module in Go, nil if there is none.
func Native(name string) *lang.ModuleDef {
	if f := defs[name]; f != nil {
		d := f()
		d.Name = name
		return d
	}
	return nil
}

// Source is the text of a module in script.
func Source(name string) (text, file string, isPackage, ok bool) {
	base := path.Join("lib", strings.ReplaceAll(name, ".", "/"))
	if b, err := lib.ReadFile(base + ".tfs"); err == nil {
		return string(b), "<tfs>/" + base[4:] + ".py", false, true
	}
	if b, err := lib.ReadFile(base + "/__init__.tfs"); err == nil {
		return string(b), "<tfs>/" + base[4:] + "/__init__.py", true, true
	}
	return "", "", false, false
}

// Scripts are the modules in script, as files: for tests and tools.
func Scripts() fs.FS {
	sub, _ := fs.Sub(lib, "lib")
	return sub
}
