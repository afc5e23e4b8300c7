package py

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// tupleGetter is the descriptor of one field of a named tuple.
type tupleGetter struct {
	lang.Header
	index int
	doc   Value
}

var tupleGetterClass = newClass("_tuplegetter", "_collections")

func init() {
	c := tupleGetterClass
	c.New = &lang.Def{Sig: "__new__(cls, index, doc, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		i, err := intOf(th, a[1])
		return Value{P: unsafe.Pointer(&tupleGetter{head(tupleGetterClass, value.KindOther), i, a[2].Held().Value()})}, err
	}}
	c.DescrGet = func(th *Thread, d, o Value, cls *lang.Class) (Value, error) {
		if o.IsUnbound() {
			return d, nil
		}
		g := (*tupleGetter)(d.P)
		t, ok := lang.AsTuple(o)
		if !ok {
			return fail(th.TypeErrorf("descriptor for index '%d' for tuple subclasses doesn't apply to '%s' object", g.index, lang.TypeName(o)))
		}
		if g.index >= t.Len() {
			return fail(th.Raise(lang.IndexError, "tuple index out of range"))
		}
		return t.At(g.index), nil
	}
	c.DescrSet = func(th *Thread, d, o, x Value) error {
		if x.IsUnbound() {
			return th.Raise(lang.AttributeError, "can't delete attribute")
		}
		return th.Raise(lang.AttributeError, "can't set attribute")
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "__doc__", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return (*tupleGetter)(a[0].P).doc, nil },
			Set: func(th *Thread, self, x Value) error { (*tupleGetter)(self.P).doc = x.Held().Value(); return nil }},
	})
}
