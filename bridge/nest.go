package bridge

import (
	"slices"

	"github.com/tfs-lang/tfs/lang"
)

// Structures (tf.nest): lists, tuples, named tuples and dicts, nested; anything
// else is an atom. A dict's entries count in the order of their sorted keys.

// maxNest bounds the depth of structures.
const maxNest = 1000

// container is one level of a structure.
type container struct {
	v     lang.Value
	kind  containerKind
	keys  []lang.Value // of a dict, sorted
	items []lang.Value
}

type containerKind uint8

const (
	atom containerKind = iota
	listLike
	tupleLike
	namedTuple
	dictLike
)

// open looks one level into v.
func open(th *lang.Thread, v lang.Value) (container, error) {
	if l, ok := lang.AsList(v); ok {
		return container{v: v, kind: listLike, items: lang.Values(l.Items())}, nil
	}
	if t, ok := lang.AsTuple(v); ok {
		c := container{v: v, kind: tupleLike, items: lang.Values(t.Items())}
		if !lang.ClassOf(v).Lookup("_fields").IsUnbound() {
			c.kind = namedTuple
		}
		return c, nil
	}
	if d, ok := lang.AsDict(v); ok {
		return openDict(th, v, d)
	}
	return container{v: v}, nil
}

func openDict(th *lang.Thread, v lang.Value, d *lang.Dict) (container, error) {
	c := container{v: v, kind: dictLike}
	for at := 0; ; {
		k, _, next, ok := d.Entry(at)
		if !ok {
			break
		}
		c.keys = append(c.keys, k)
		at = next
	}
	if err := sortKeys(th, c.keys); err != nil {
		return c, err
	}
	for _, k := range c.keys {
		x, _, err := d.Get(th, k)
		if err != nil {
			return c, err
		}
		c.items = append(c.items, x)
	}
	return c, nil
}

func sortKeys(th *lang.Thread, keys []lang.Value) (err error) {
	slices.SortStableFunc(keys, func(a, b lang.Value) int {
		if err != nil {
			return 0
		}
		var less bool
		if less, err = lang.CompareBool(th, lang.LT, a, b); less {
			return -1
		}
		if less, err = lang.CompareBool(th, lang.LT, b, a); less {
			return 1
		}
		return 0
	})
	return err
}

// IsNested reports a structure that is no atom.
func IsNested(v lang.Value) bool {
	if _, ok := lang.Sequence(v); ok {
		return true
	}
	_, ok := lang.AsDict(v)
	return ok
}

// Flatten lists the atoms of a structure.
func Flatten(th *lang.Thread, v lang.Value) ([]lang.Value, error) {
	return appendAtoms(th, nil, v, 0)
}

func appendAtoms(th *lang.Thread, out []lang.Value, v lang.Value, depth int) ([]lang.Value, error) {
	if !IsNested(v) {
		return append(out, v), nil
	}
	if depth > maxNest {
		return nil, th.Raise(lang.RecursionError, "maximum recursion depth exceeded in a nested structure")
	}
	c, err := open(th, v)
	if err != nil {
		return nil, err
	}
	for _, it := range c.items {
		if out, err = appendAtoms(th, out, it, depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Pack makes a structure like the given one of other atoms; it takes them from
// flat, which must hold exactly as many.
func Pack(th *lang.Thread, like lang.Value, flat []lang.Value) (lang.Value, error) {
	rest := flat
	v, err := packLevel(th, like, &rest)
	return v, err
}

func packLevel(th *lang.Thread, like lang.Value, rest *[]lang.Value) (lang.Value, error) {
	c, err := open(th, like)
	if err != nil {
		return lang.Unbound, err
	}
	if c.kind == atom {
		if len(*rest) == 0 {
			return lang.Unbound, th.ValueErrorf("Could not pack sequence: too few items")
		}
		v := (*rest)[0]
		*rest = (*rest)[1:]
		return v, nil
	}
	items := make([]lang.Value, len(c.items))
	for i, it := range c.items {
		if items[i], err = packLevel(th, it, rest); err != nil {
			return lang.Unbound, err
		}
	}
	return c.rebuild(th, items)
}

// rebuild makes a container like c of other items.
func (c *container) rebuild(th *lang.Thread, items []lang.Value) (lang.Value, error) {
	cls := lang.ClassOf(c.v)
	switch c.kind {
	case listLike:
		if cls == lang.ListClass {
			return lang.NewList(items...), nil
		}
		return th.Call(cls.Value(), []lang.Value{lang.NewList(items...)})
	case tupleLike:
		if cls == lang.TupleClass {
			return lang.NewTuple(items...), nil
		}
		return th.Call(cls.Value(), []lang.Value{lang.NewTuple(items...)})
	case namedTuple:
		return th.Call(cls.Value(), items)
	}
	return c.rebuildDict(th, cls, items)
}

// rebuildDict keeps the order in which the original has its keys.
func (c *container) rebuildDict(th *lang.Thread, cls *lang.Class, items []lang.Value) (lang.Value, error) {
	byKey := lang.NewDict()
	for i, k := range c.keys {
		if err := byKey.Put(th, k, items[i]); err != nil {
			return lang.Unbound, err
		}
	}
	out := lang.NewDict()
	old, _ := lang.AsDict(c.v)
	for at := 0; ; {
		k, _, next, ok := old.Entry(at)
		if !ok {
			break
		}
		at = next
		x, _, err := byKey.Get(th, k)
		if err == nil {
			err = out.Put(th, k, x)
		}
		if err != nil {
			return lang.Unbound, err
		}
	}
	if cls == lang.DictClass {
		return out.Value(), nil
	}
	if f, found, err := lang.AttrOr(th, c.v, "default_factory"); err == nil && found {
		return th.Call(cls.Value(), []lang.Value{f, out.Value()})
	}
	return th.Call(cls.Value(), []lang.Value{out.Value()})
}

// Map applies f to the atoms of a structure.
func Map(th *lang.Thread, v lang.Value, f func(lang.Value) (lang.Value, error)) (lang.Value, error) {
	c, err := open(th, v)
	if err != nil {
		return lang.Unbound, err
	}
	if c.kind == atom {
		return f(v)
	}
	if err := th.Enter(" in a nested structure"); err != nil {
		return lang.Unbound, err
	}
	defer th.Leave()
	items := make([]lang.Value, len(c.items))
	for i, it := range c.items {
		if items[i], err = Map(th, it, f); err != nil {
			return lang.Unbound, err
		}
	}
	return c.rebuild(th, items)
}
