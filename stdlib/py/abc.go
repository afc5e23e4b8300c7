package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _abc lets the script module abc tell the object model what is abstract.
var _ = define("_abc", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "set_abstract(cls, names, /)", Fn: setAbstract}}}
})

func setAbstract(th *Thread, a []Value) (Value, error) {
	c, ok := lang.AsClass(a[0])
	if !ok {
		return fail(th.TypeErrorf("a class is required"))
	}
	var names []string
	err := each(th, a[1], func(x Value) error {
		s, err := strOf(th, x, "an abstract name")
		names = append(names, s)
		return err
	})
	if err == nil {
		c.SetAbstract(names)
	}
	return none, err
}
