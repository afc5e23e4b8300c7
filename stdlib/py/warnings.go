package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _warnings lets the language's own warnings go through the script module's filters.
var _ = define("_warnings", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "hook(warn, warn_at, /)", Fn: warningsHook}}}
})

func warningsHook(th *Thread, a []Value) (Value, error) {
	warn, at := a[0].Held(), a[1].Held()
	th.Interp.Ext["_warnings"] = [2]lang.Held{warn, at}
	th.Interp.Warn = func(th *Thread, c *lang.Class, text string) {
		_, _ = th.Call(warn.Value(), []Value{lang.NewStr(text), c.Value()})
	}
	th.Interp.WarnAt = func(th *Thread, c *lang.Class, text, file string, line int) {
		_, _ = th.Call(at.Value(), []Value{lang.NewStr(text), c.Value(), lang.NewStr(file), lang.Int(int64(line))})
	}
	return none, nil
}
