package lang

import (
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Union is int | None: a types.UnionType.
type Union struct {
	Header
	Args *Tuple
}

// GenericAlias is list[int]: a types.GenericAlias.
type GenericAlias struct {
	Header
	Origin Value
	Args   *Tuple
}

func setTypingSlots() {
	UnionClass.Slots = Slots{Repr: unionRepr, Binary: unionBinary, Compare: compareUnion, Hash: unionHash, GetAttr: unionGetAttr}
	newAlias := Def{Sig: "__new__(cls, origin, args, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		return NewGenericAlias(a[1], a[2]), nil
	}}
	GenericAliasClass.Slots = Slots{New: &newAlias, Repr: aliasRepr, Binary: unionBinary, Compare: compareAlias, Hash: aliasHash,
		GetAttr: aliasGetAttr, Call: aliasCall, Iter: nil}
	GenericAliasClass.New = &Def{Sig: "GenericAlias(cls, /, *args)", Fn: func(th *Thread, a []Value) (Value, error) {
		t, _ := AsTuple(a[1])
		if t.Len() != 2 {
			return Unbound, th.TypeErrorf("GenericAlias expected 2 arguments, got %d", t.Len())
		}
		return NewGenericAlias(t.At(0), t.At(1)), nil
	}}
}

// unionBinary is | of classes, aliases and None.
func unionBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	if op != OpOr || !isType(a) || !isType(b) || a.IsNone() && b.IsNone() {
		return NotImplemented, nil
	}
	var args []Value
	for _, v := range []Value{a, b} {
		parts := []Value{v}
		if ClassOf(v) == UnionClass {
			parts = Values((*Union)(v.P).Args.items)
		}
		for _, p := range parts {
			if p.IsNone() {
				p = NoneClass.Value()
			}
			dup := false
			for _, x := range args {
				if eq, _ := Same(th, x, p); eq {
					dup = true
				}
			}
			if !dup {
				args = append(args, p)
			}
		}
	}
	if len(args) == 1 {
		return args[0], nil
	}
	return obj(unsafe.Pointer(&Union{head(UnionClass, value.KindOther), makeTuple(args)})), nil
}

func isType(v Value) bool {
	if v.IsNone() || v.Kind() == value.KindClass {
		return true
	}
	c := ClassOf(v)
	return c == UnionClass || c == GenericAliasClass
}

func unionRepr(th *Thread, v Value) (Value, error) {
	var parts []string
	for _, h := range (*Union)(v.P).Args.items {
		s, err := typeText(th, h.Value())
		if err != nil {
			return Unbound, err
		}
		parts = append(parts, s)
	}
	return NewStr(strings.Join(parts, " | ")), nil
}

func typeText(th *Thread, v Value) (string, error) {
	if c, ok := AsClass(v); ok {
		if c == NoneClass {
			return "None", nil
		}
		return c.FullName(), nil
	}
	if v == Ellipsis {
		return "...", nil
	}
	if l, ok := AsList(v); ok {
		var parts []string
		for _, h := range l.items {
			s, err := typeText(th, h.Value())
			if err != nil {
				return "", err
			}
			parts = append(parts, s)
		}
		return "[" + strings.Join(parts, ", ") + "]", nil
	}
	return Repr(th, v)
}

func compareUnion(th *Thread, op CompareOp, a, b Value) (Value, error) {
	if ClassOf(b) != UnionClass || op != EQ && op != NE {
		return NotImplemented, nil
	}
	x, y := (*Union)(a.P).Args, (*Union)(b.P).Args
	eq := len(x.items) == len(y.items)
	for _, h := range x.items {
		in, err := tupleContains(th, y.Value(), h.Value())
		if err != nil {
			return Unbound, err
		}
		eq = eq && in
	}
	return Bool(eq == (op == EQ)), nil
}

func unionHash(th *Thread, v Value) (int64, error) {
	h := int64(0)
	for _, a := range (*Union)(v.P).Args.items {
		x, err := Hash(th, a.Value())
		if err != nil {
			return 0, err
		}
		h ^= x
	}
	return h, nil
}

func unionGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	if name.s == "__args__" {
		return (*Union)(v.P).Args.Value(), nil
	}
	return GenericGetAttr(th, v, name)
}

// NewGenericAlias is origin[args].
func NewGenericAlias(origin, key Value) Value {
	args, ok := AsTuple(key)
	if !ok {
		args = makeTuple([]Value{key})
	}
	return obj(unsafe.Pointer(&GenericAlias{head(GenericAliasClass, value.KindOther), origin.Held().Value(), args}))
}

func aliasRepr(th *Thread, v Value) (Value, error) {
	a := (*GenericAlias)(v.P)
	o, err := typeText(th, a.Origin)
	if err != nil {
		return Unbound, err
	}
	var parts []string
	for _, h := range a.Args.items {
		s, err := typeText(th, h.Value())
		if err != nil {
			return Unbound, err
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		parts = []string{"()"}
	}
	return NewStr(o + "[" + strings.Join(parts, ", ") + "]"), nil
}

func compareAlias(th *Thread, op CompareOp, a, b Value) (Value, error) {
	if ClassOf(b) != GenericAliasClass || op != EQ && op != NE {
		return NotImplemented, nil
	}
	x, y := (*GenericAlias)(a.P), (*GenericAlias)(b.P)
	eq, err := Equal(th, NewTuple(x.Origin, x.Args.Value()), NewTuple(y.Origin, y.Args.Value()))
	return Bool(eq == (op == EQ)), err
}

func aliasHash(th *Thread, v Value) (int64, error) {
	a := (*GenericAlias)(v.P)
	h, err := Hash(th, a.Origin)
	if err != nil {
		return 0, err
	}
	g, err := a.Args.hashOf(th)
	return h ^ g, err
}

func aliasGetAttr(th *Thread, v Value, name *Str) (Value, error) {
	a := (*GenericAlias)(v.P)
	switch name.s {
	case "__origin__":
		return a.Origin, nil
	case "__args__":
		return a.Args.Value(), nil
	case "__parameters__":
		return emptyTuple.Value(), nil
	case "__class__":
		return GenericAliasClass.Value(), nil
	}
	if strings.HasPrefix(name.s, "__") && name.s != "__name__" && name.s != "__qualname__" && name.s != "__module__" && name.s != "__doc__" {
		return GenericGetAttr(th, v, name)
	}
	return GetAttr(th, a.Origin, name)
}

func aliasCall(th *Thread, f Value, args []Value, names []*Str) (Value, error) {
	return th.call((*GenericAlias)(f.P).Origin, args, names)
}

// generics are the built-in classes that take [...].
var generics = map[*Class]bool{}

func init() {
	for _, c := range []*Class{ListClass, TupleClass, DictClass, SetClass, FrozenSetClass, TypeClass} {
		generics[c] = true
	}
}

// classGetItem is C[key].
func classGetItem(th *Thread, c *Class, key Value) (Value, error) {
	if meta := ClassOf(c.Value()); meta != TypeClass && meta.GetItem != nil {
		return meta.GetItem(th, c.Value(), key)
	}
	if m, _ := th.find(c, nameClassGetitem); !m.IsUnbound() {
		f, err := th.bindClass(m, c)
		if err != nil {
			return Unbound, err
		}
		return th.call(f, []Value{key}, nil)
	}
	for _, m := range c.MRO {
		if generics[m] && (m != TypeClass || c == TypeClass) {
			return NewGenericAlias(c.Value(), key), nil
		}
	}
	return Unbound, th.TypeErrorf("type '%s' is not subscriptable", c.FullName())
}
