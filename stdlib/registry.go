package stdlib

import (
	"github.com/tfs-lang/tfs/internal/names"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/stdlib/np"
	"github.com/tfs-lang/tfs/stdlib/py"
	"github.com/tfs-lang/tfs/stdlib/tf"
)

// Options are what an embedder grants and asks for.
type Options struct {
	Strict bool // stale captures are errors
}

// library is a part of the registry: one package of modules.
type library struct {
	// native finds a module in Go, nil for none.
	native func(name string) *lang.ModuleDef
	// source finds a module in script.
	source func(name string) *lang.Script
}

// libraries in the order in which they are asked.
var libraries = []library{
	{py.Native, py.Source},
	{np.Native, np.Source},
	{tf.Native, tf.Source},
}

// Install makes the library's modules importable in an interpreter.
func Install(in *lang.Interp, o Options) {
	in.Ext["options"], in.Ext["strict"] = o, o.Strict
	in.Native, in.Source = native, source
	in.Near, in.Owner = near, names.Owner
}

func native(name string) *lang.ModuleDef {
	for _, l := range libraries {
		if l.native == nil {
			continue
		}
		if d := l.native(name); d != nil {
			return d
		}
	}
	return nil
}

func source(name string) *lang.Script {
	for _, l := range libraries {
		if l.source == nil {
			continue
		}
		if s := l.source(name); s != nil {
			return s
		}
	}
	return nil
}
