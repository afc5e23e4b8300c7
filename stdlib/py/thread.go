package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _thread names the one thread that scripts run on.
var _ = define("_thread", func() *lang.ModuleDef {
	return &lang.ModuleDef{
		Init: func(th *Thread, m *lang.Module) error {
			m.Set("error", lang.RuntimeError.Value())
			m.Set("TIMEOUT_MAX", lang.Float(9223372036))
			return nil
		},
		Defs: []lang.Def{
			{Sig: "get_ident()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(1), nil }},
			{Sig: "get_native_id()", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Int(1), nil }},
		},
	}
})
