package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _typing makes generic aliases for script classes.
var _ = define("_typing", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "generic_alias(origin, item, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.NewGenericAlias(a[0], a[1]), nil
	}}}}
})
