package lang

import (
	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

func matchOps(t *[opLast]slow) {
	t[code.MatchSeq] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		return Bool(isSequencePattern(*ci.slot(in.B))), nil
	})
	t[code.MatchMap] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		return Bool(ClassOf(*ci.slot(in.B)).Flags&ClassMapping != 0), nil
	})
	t[code.MatchKeys] = valueOp(opMatchKeys)
	t[code.MatchClass] = valueOp(opMatchClass)
	t[code.GetLen] = valueOp(func(ci *Frame, in *Instr) (Value, error) {
		n, err := Len(ci.th, *ci.slot(in.B))
		return Int(int64(n)), err
	})
	t[code.MatchRest] = valueOp(opMatchRest)
}

func isSequencePattern(v Value) bool {
	switch payload(v).Kind() {
	case value.KindStr, value.KindBytes, value.KindByteArray:
		return false
	}
	return ClassOf(v).Flags&ClassSequence != 0
}

// opMatchKeys gives the values of a mapping for a tuple of keys, or None.
func opMatchKeys(ci *Frame, in *Instr) (Value, error) {
	th := ci.th
	m := *ci.slot(in.B)
	keys, _ := AsTuple(*ci.slot(in.C))
	seen := NewSet()
	out := make([]Value, 0, len(keys.items))
	for _, h := range keys.items {
		fresh, err := seen.Add(th, h.Value())
		if err != nil {
			return Unbound, err
		}
		if !fresh {
			s, _ := Repr(th, h.Value())
			return Unbound, th.ValueErrorf("mapping pattern checks duplicate key (%s)", s)
		}
		v, found, err := th.mappingGet(m, h.Value())
		if err != nil || !found {
			return None, err
		}
		out = append(out, v)
	}
	return NewTuple(out...), nil
}

// mappingGet is m.get(key) without a default.
func (th *Thread) mappingGet(m, key Value) (Value, bool, error) {
	if m.Kind() == value.KindDict {
		return (*Dict)(m.P).Get(th, key)
	}
	mark := newDict().Value()
	v, err := th.CallMethod(m, "get", key, mark)
	return v, v != mark, err
}

// opMatchRest is a dict of the mapping without some keys.
func opMatchRest(ci *Frame, in *Instr) (Value, error) {
	d := newDict()
	if err := d.Update(ci.th, *ci.slot(in.B)); err != nil {
		return Unbound, err
	}
	keys, _ := AsTuple(*ci.slot(in.C))
	for _, h := range keys.items {
		if _, _, err := d.Delete(ci.th, h.Value()); err != nil {
			return Unbound, err
		}
	}
	return d.Value(), nil
}

// opMatchClass gives the attributes that a class pattern names, or None.
func opMatchClass(ci *Frame, in *Instr) (Value, error) {
	th := ci.th
	v, cv := *ci.slot(in.B), *ci.slot(in.C)
	npos := int(in.K & 0xFFFFFFFF)
	kw, _ := AsTuple(ci.code.consts[in.K>>32])
	c, ok := AsClass(cv)
	if !ok {
		return Unbound, th.TypeErrorf("called match pattern must be a type")
	}
	is, err := th.IsInstanceOf(v, cv)
	if err != nil || !is {
		return None, err
	}
	names, self, err := th.matchArgs(c, npos)
	if err != nil {
		return Unbound, err
	}
	var out []Value
	if self {
		out = append(out, v)
	}
	seen := map[string]bool{}
	for _, h := range kw.items {
		s, _ := AsStr(h.Value())
		names = append(names, s)
	}
	for _, n := range names {
		if seen[n.s] {
			return Unbound, th.TypeErrorf("%s() got multiple sub-patterns for attribute '%s'", c.Name, n.s)
		}
		seen[n.s] = true
		x, err := GetAttr(th, v, n)
		if err != nil {
			if Matches(err, AttributeError) {
				return None, nil
			}
			return Unbound, err
		}
		out = append(out, x)
	}
	return NewTuple(out...), nil
}

// matchArgs are the attribute names of n positional patterns; self: the one
// pattern takes the subject itself.
func (th *Thread) matchArgs(c *Class, n int) (names []*Str, self bool, err error) {
	if n == 0 {
		return nil, false, nil
	}
	v, found, err := AttrOr(th, c.Value(), "__match_args__")
	if err != nil {
		return nil, false, err
	}
	if !found {
		allowed := 0
		if c.Flags&ClassMatchSelf != 0 {
			allowed = 1
		}
		if n > allowed {
			return nil, false, th.TypeErrorf("%s() accepts %d positional sub-%s (%d given)", c.Name, allowed, plural("pattern", allowed), n)
		}
		return nil, true, nil
	}
	t, ok := AsTuple(v)
	if !ok {
		return nil, false, th.TypeErrorf("%s.__match_args__ must be a tuple (got %s)", c.Name, TypeName(v))
	}
	if n > len(t.items) {
		return nil, false, th.TypeErrorf("%s() accepts %d positional sub-%s (%d given)", c.Name, len(t.items), plural("pattern", len(t.items)), n)
	}
	for _, h := range t.items[:n] {
		s, ok := AsStr(h.Value())
		if !ok {
			return nil, false, th.TypeErrorf("__match_args__ elements must be strings (got %s)", TypeName(h.Value()))
		}
		names = append(names, s)
	}
	return names, false, nil
}
