package py

import (
	"strconv"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

type (
	// Value and Thread are lang's.
	Value  = lang.Value
	Thread = lang.Thread
)

var none = lang.None

func fail(err error) (Value, error) { return lang.Unbound, err }

// intOf is an index-sized int argument.
func intOf(th *Thread, v Value) (int, error) { return lang.IndexInt(th, v, lang.OverflowError) }

// strOf is a str argument; where names it in the error.
func strOf(th *Thread, v Value, where string) (string, error) {
	s, ok := lang.AsStr(v)
	if !ok {
		return "", th.TypeErrorf("%s must be str, not %s", where, lang.TypeName(v))
	}
	return s.String(), nil
}

// each calls f for every item of an iterable.
func each(th *Thread, v Value, f func(x Value) error) error {
	it, err := lang.Iterate(th, v)
	if err != nil {
		return err
	}
	for {
		x, ok, err := it.Next(th)
		if err != nil || !ok {
			return err
		}
		if err := f(x); err != nil {
			return err
		}
	}
}

func head(c *lang.Class, k lang.Kind) lang.Header { return lang.Header{Type: &c.Type, Kind: k} }

// native is the Go object of class c behind v, also inside an instance of a
// script class that derives from c.
func native[T any](v Value, c *lang.Class) *T {
	p := lang.Payload(v)
	if p.P == nil || lang.ClassOf(p) != c {
		return nil
	}
	return (*T)(p.P)
}

// newClass makes a class of objects in Go.
func newClass(name, module string, bases ...*lang.Class) *lang.Class {
	return lang.NewBuiltinClass(name, module, value.KindOther, bases...)
}

// newIterClass makes a class of iterators in Go.
func newIterClass(name, module string, next func(th *Thread, v Value) (Value, bool, error)) *lang.Class {
	c := lang.NewBuiltinClass(name, module, value.KindIter)
	c.Iter = func(th *Thread, v Value) (Value, error) { return v, nil }
	c.Next = next
	return c
}

// wrap gives v to the class that __new__ got.
func wrap(cls, v Value) Value {
	c, _ := lang.AsClass(cls)
	return lang.Wrap(c, v)
}

// done is the end of an iterator; ends passes an error on.
func done(th *Thread) (Value, bool, error) {
	th.StopValue = none
	return lang.Unbound, false, nil
}

func ends(th *Thread, err error) (Value, bool, error) {
	if err != nil {
		return lang.Unbound, false, err
	}
	return done(th)
}

func floatOf(th *Thread, v Value) (float64, error) { return lang.FloatOf(th, v) }

func itoa(i int) string { return strconv.Itoa(i) }
