package builtin

import (
	"errors"
	"math"
	"math/big"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/format"
)

type (
	// Value and Thread are lang's, named here because every row mentions them.
	Value  = lang.Value
	Thread = lang.Thread
)

var none = lang.None

// raised turns a mistake of lang/format into a script exception.
func raised(th *Thread, e *format.Error) error {
	if e == nil {
		return nil
	}
	switch e.Class {
	case "MemoryError":
		return lang.NewException(lang.MemoryError)
	case "OverflowError":
		return th.Raise(lang.OverflowError, "%s", e.Text)
	case "TypeError":
		return th.TypeErrorf("%s", e.Text)
	}
	return th.ValueErrorf("%s", e.Text)
}

func fail(err error) (Value, error) { return lang.Unbound, err }

// self is the str behind the receiver of a str method.
func self(a []Value) *lang.Str { s, _ := lang.AsStr(a[0]); return s }

// intOf is an index-sized int argument.
func intOf(th *Thread, v Value) (int, error) { return lang.IndexInt(th, v, lang.OverflowError) }

// sliceBound is the value of a slice index or None (def); it saturates.
func sliceBound(th *Thread, v Value, def int) (int, error) {
	if v.IsNone() || v.IsUnbound() {
		return def, nil
	}
	if v.IsInt() {
		return int(v.Int64()), nil
	}
	if !lang.HasIndex(v) {
		return 0, th.TypeErrorf("slice indices must be integers or None or have an __index__ method")
	}
	x, err := lang.Index(th, v)
	if err != nil {
		return 0, err
	}
	if i, ok := lang.AsInt(x); ok {
		return int(i), nil
	}
	if b, _ := lang.AsBig(x); b.Sign() < 0 {
		return math.MinInt64, nil
	}
	return math.MaxInt64, nil
}

// bounds resolves optional start and end against a length, as find and index do.
func bounds(th *Thread, start, end Value, n int) (i, j int, err error) {
	if i, err = sliceBound(th, start, 0); err != nil {
		return
	}
	if j, err = sliceBound(th, end, n); err != nil {
		return
	}
	if j > n {
		j = n
	} else if j < 0 {
		j = max(j+n, 0)
	}
	if i < 0 {
		i = max(i+n, 0)
	}
	return i, j, nil
}

// bigArg is an int argument of any size.
func bigArg(th *Thread, v Value) (*big.Int, error) {
	x, err := lang.Index(th, v)
	if err != nil {
		return nil, err
	}
	b, _ := lang.AsBig(x)
	return b, nil
}

// listOfStrs makes a list of strs.
func listOfStrs(parts []string) Value { return lang.ListOfStrs(parts).Value() }

var errStop = errors.New("stop")

// each calls f for every item of an iterable, until f returns errStop or another error.
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
			if err == errStop {
				return nil
			}
			return err
		}
	}
}

// truthArg is an argument that CPython takes as an int used for its truth.
func truthArg(th *Thread, v Value) (bool, error) {
	if v.IsBool() {
		return v.Truth(), nil
	}
	i, err := intOf(th, v)
	return i != 0, err
}

// need is the error of an argument of the wrong type.
func need(th *Thread, where, want string, got Value) error {
	return th.TypeErrorf("%s must be %s, not %s", where, want, lang.TypeName(got))
}
