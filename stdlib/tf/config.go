package tf

import (
	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
)

// nestRows are the functions on structures.
var nestRows = []row{
	{names: "tf.nest.flatten", sig: "flatten(structure, expand_composites=False)", fn: objFn(func(c *call) lang.Value {
		items, err := bridge.Flatten(c.Th, c.a[0])
		c.keep(err)
		return lang.NewList(items...)
	})},
	{names: "tf.nest.is_nested", sig: "is_nested(seq)", fn: objFn(func(c *call) lang.Value { return lang.Bool(bridge.IsNested(c.a[0])) })},
	{names: "tf.nest.assert_same_structure", sig: "assert_same_structure(nest1, nest2, check_types=True, expand_composites=False)", fn: objFn(func(c *call) lang.Value {
		c.keep(bridge.AssertSame(c.Th, c.a[0], c.a[1], c.flag(2)))
		return lang.None
	})},
	{names: "tf.nest.pack_sequence_as", sig: "pack_sequence_as(structure, flat_sequence, expand_composites=False)", fn: objFn(packFn)},
	{names: "tf.nest.map_structure", sig: "map_structure(func, *structure, **kwargs)", fn: objFn(mapFn)},
}

func packFn(c *call) lang.Value {
	if !bridge.IsNested(c.a[1]) {
		c.typeError("Attempted to pack value:\n  %s\ninto a structure, but found incompatible type `<class '%s'>` instead.", text(c, 1), lang.ClassOf(c.a[1]).FullName())
		return lang.Unbound
	}
	flat := c.list(1)
	atoms, err := bridge.Flatten(c.Th, c.a[0])
	c.keep(err)
	if c.err != nil {
		return lang.Unbound
	}
	if !bridge.IsNested(c.a[0]) && len(flat) != 1 {
		c.valueError("The target structure is of type `<class '%s'>`\n  %s\nHowever the input is a sequence (<class '%s'>) of length %d.\n  %s\nnest cannot guarantee that it is safe to map one to the other.",
			lang.ClassOf(c.a[0]).FullName(), text(c, 0), lang.ClassOf(c.a[1]).FullName(), len(flat), text(c, 1))
		return lang.Unbound
	}
	if len(atoms) != len(flat) {
		c.valueError("Could not pack sequence. Structure had %d atoms, but flat_sequence had %d items.  Structure: %s, flat_sequence: %s.", len(atoms), len(flat), text(c, 0), text(c, 1))
		return lang.Unbound
	}
	v, err := bridge.Pack(c.Th, c.a[0], flat)
	c.keep(err)
	return v
}

// mapFn applies a function to the atoms of structures that are alike.
func mapFn(c *call) lang.Value {
	kw, _ := lang.AsDict(c.a[2])
	types := true
	if kw != nil {
		for at := 0; ; {
			k, v, next, ok := kw.Entry(at)
			if !ok {
				break
			}
			at = next
			name, _ := lang.AsStr(k)
			switch name.String() {
			case "check_types":
				b, err := lang.Truth(c.Th, v)
				c.keep(err)
				types = b
			case "expand_composites":
			default:
				c.valueError("Only valid keyword arguments are `check_types` and `expand_composites`, not: `%s`", name.String())
			}
		}
	}
	if !lang.IsCallable(c.a[0]) {
		c.typeError("func must be callable, got: %s", text(c, 0))
	}
	structs := c.list(1)
	if c.err == nil && len(structs) == 0 {
		c.valueError("Must provide at least one structure")
	}
	if c.err != nil {
		return lang.Unbound
	}
	return c.mapStructures(structs, types)
}

func (c *call) mapStructures(structs []lang.Value, types bool) lang.Value {
	flats := make([][]lang.Value, len(structs))
	for i, s := range structs {
		if i > 0 && !c.keep(bridge.AssertSame(c.Th, structs[0], s, types)) {
			return lang.Unbound
		}
		f, err := bridge.Flatten(c.Th, s)
		if !c.keep(err) {
			return lang.Unbound
		}
		flats[i] = f
	}
	out := make([]lang.Value, len(flats[0]))
	for k := range out {
		args := make([]lang.Value, len(flats))
		for i := range flats {
			args[i] = flats[i][k]
		}
		v, err := c.Th.Call(c.a[0], args)
		if !c.keep(err) {
			return lang.Unbound
		}
		out[k] = v
	}
	v, err := bridge.Pack(c.Th, structs[0], out)
	c.keep(err)
	return v
}
