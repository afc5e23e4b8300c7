package bridge

import (
	"slices"

	"github.com/tfs-lang/tfs/lang"
)

// Structures (tf.nest): lists, tuples, named tuples and dicts, nested; anything
// else is an atom. A dict's entries count in the order of their sorted keys.

// maxNest bounds the depth of structures.
const maxNest = 1000

// Container is one level of a structure: its items, and for a dict the keys in
// sorted order.
type Container struct {
	V     lang.Value
	Kind  ContainerKind
	Keys  []lang.Value // of a dict, sorted
	Items []lang.Value
}

// ContainerKind is the sort of a container.
type ContainerKind uint8

// The kinds of containers; Atom is none.
const (
	Atom ContainerKind = iota
	ListLike
	TupleLike
	NamedTuple
	DictLike
)

// Open looks one level into v.
func Open(th *lang.Thread, v lang.Value) (Container, error) {
	if l, ok := lang.AsList(v); ok {
		return Container{V: v, Kind: ListLike, Items: lang.Values(l.Items())}, nil
	}
	if t, ok := lang.AsTuple(v); ok {
		c := Container{V: v, Kind: TupleLike, Items: lang.Values(t.Items())}
		if !lang.ClassOf(v).Lookup("_fields").IsUnbound() {
			c.Kind = NamedTuple
		}
		return c, nil
	}
	if d, ok := lang.AsDict(v); ok {
		return openDict(th, v, d)
	}
	return Container{V: v}, nil
}

func openDict(th *lang.Thread, v lang.Value, d *lang.Dict) (Container, error) {
	c := Container{V: v, Kind: DictLike}
	for at := 0; ; {
		k, _, next, ok := d.Entry(at)
		if !ok {
			break
		}
		c.Keys = append(c.Keys, k)
		at = next
	}
	if err := sortKeys(th, c.Keys); err != nil {
		return c, err
	}
	for _, k := range c.Keys {
		x, _, err := d.Get(th, k)
		if err != nil {
			return c, err
		}
		c.Items = append(c.Items, x)
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

// IsNested reports a structure that is no Atom.
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
	c, err := Open(th, v)
	if err != nil {
		return nil, err
	}
	for _, it := range c.Items {
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
	c, err := Open(th, like)
	if err != nil {
		return lang.Unbound, err
	}
	if c.Kind == Atom {
		if len(*rest) == 0 {
			return lang.Unbound, th.ValueErrorf("Could not pack sequence: too few items")
		}
		v := (*rest)[0]
		*rest = (*rest)[1:]
		return v, nil
	}
	items := make([]lang.Value, len(c.Items))
	for i, it := range c.Items {
		if items[i], err = packLevel(th, it, rest); err != nil {
			return lang.Unbound, err
		}
	}
	return c.Rebuild(th, items)
}

// Rebuild makes a container like c of other items.
func (c *Container) Rebuild(th *lang.Thread, items []lang.Value) (lang.Value, error) {
	cls := lang.ClassOf(c.V)
	switch c.Kind {
	case ListLike:
		if cls == lang.ListClass {
			return lang.NewList(items...), nil
		}
		return th.Call(cls.Value(), []lang.Value{lang.NewList(items...)})
	case TupleLike:
		if cls == lang.TupleClass {
			return lang.NewTuple(items...), nil
		}
		return th.Call(cls.Value(), []lang.Value{lang.NewTuple(items...)})
	case NamedTuple:
		return th.Call(cls.Value(), items)
	}
	return c.rebuildDict(th, cls, items)
}

// rebuildDict keeps the order in which the original has its keys.
func (c *Container) rebuildDict(th *lang.Thread, cls *lang.Class, items []lang.Value) (lang.Value, error) {
	byKey := lang.NewDict()
	for i, k := range c.Keys {
		if err := byKey.Put(th, k, items[i]); err != nil {
			return lang.Unbound, err
		}
	}
	out := lang.NewDict()
	old, _ := lang.AsDict(c.V)
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
	if f, found, err := lang.AttrOr(th, c.V, "default_factory"); err == nil && found {
		return th.Call(cls.Value(), []lang.Value{f, out.Value()})
	}
	return th.Call(cls.Value(), []lang.Value{out.Value()})
}

// Map applies f to the atoms of a structure.
func Map(th *lang.Thread, v lang.Value, f func(lang.Value) (lang.Value, error)) (lang.Value, error) {
	c, err := Open(th, v)
	if err != nil {
		return lang.Unbound, err
	}
	if c.Kind == Atom {
		return f(v)
	}
	if err := th.Enter(" in a nested structure"); err != nil {
		return lang.Unbound, err
	}
	defer th.Leave()
	items := make([]lang.Value, len(c.Items))
	for i, it := range c.Items {
		if items[i], err = Map(th, it, f); err != nil {
			return lang.Unbound, err
		}
	}
	return c.Rebuild(th, items)
}
