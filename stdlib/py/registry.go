package py

import (
	"embed"
	"sync"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/stdlib/script"
)

//go:generate go run ../script/gen -pack

var (
	//go:embed lib.zip
	scriptTexts []byte
	//go:embed all:compiled
	scriptCodes embed.FS
)

var scripts = sync.OnceValue(func() *script.Library {
	return &script.Library{Texts: script.Unpack(scriptTexts), Codes: scriptCodes, File: "<tfs>/", Ext: ".py"}
})

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

// Source finds a module in script, nil for none.
func Source(name string) *lang.Script { return scripts().Find(name) }

// Scripts are the modules in script: for tests and tools.
func Scripts() *script.Library { return scripts() }
