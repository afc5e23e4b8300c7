package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// _abc lets the script module abc tell the object model what is abstract, and what
// an abstract class says of its subclasses.
var _ = define("_abc", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "set_abstract(cls, names, /)", Fn: setAbstract},
		{Sig: "nominal(meta, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			c, err := classArg(th, a[0])
			if err == nil {
				c.Flags |= lang.ClassNominal
			}
			return none, err
		}},
		{Sig: "pattern(cls, like, /)", Fn: setPattern},
	}}
})

func classArg(th *Thread, v Value) (*lang.Class, error) {
	c, ok := lang.AsClass(v)
	if !ok {
		return nil, th.TypeErrorf("a class is required")
	}
	return c, nil
}

// setPattern gives cls, and what derives from it, the kind of pattern that like matches.
func setPattern(th *Thread, a []Value) (Value, error) {
	c, err := classArg(th, a[0])
	if err != nil {
		return fail(err)
	}
	like, err := classArg(th, a[1])
	if err == nil {
		th.Interp.MatchLike(c, like)
	}
	return none, err
}

func setAbstract(th *Thread, a []Value) (Value, error) {
	c, err := classArg(th, a[0])
	if err != nil {
		return fail(err)
	}
	var names []string
	err = each(th, a[1], func(x Value) error {
		s, err := strOf(th, x, "an abstract name")
		names = append(names, s)
		return err
	})
	if err == nil {
		c.SetAbstract(names)
	}
	return none, err
}
