package py

import (
	"runtime"

	"github.com/tfs-lang/tfs/lang"
)

// _gc runs the collector for the script module gc.
var _ = define("_gc", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "collect(generation=2)", Fn: func(th *Thread, a []Value) (Value, error) {
		th.Interp.ClearTemporaries()
		n := th.FinalizeUnreached()
		runtime.GC()
		collected(th)
		return lang.Int(int64(n)), nil
	}}}}
})
