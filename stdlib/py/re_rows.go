package py

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

func init() {
	const window = ", pos=0, endpos=9223372036854775807)"
	lang.DefineMethods(patternClass, []lang.Def{
		{Sig: "search(self, string" + window, Fn: reAsk(reSearch)},
		{Sig: "match(self, string" + window, Fn: reAsk(reMatch)},
		{Sig: "fullmatch(self, string" + window, Fn: reAsk(reFull)},
		{Sig: "findall(self, string" + window, Fn: reFindall},
		{Sig: "finditer(self, string" + window, Fn: reFinditer},
		{Sig: "split(self, string, maxsplit=0)", Fn: reSplit},
		{Sig: "sub(self, repl, string, count=0)", Fn: func(th *Thread, a []Value) (Value, error) {
			v, _, err := reSub(th, a)
			return v, err
		}},
		{Sig: "subn(self, repl, string, count=0)", Fn: func(th *Thread, a []Value) (Value, error) {
			v, n, err := reSub(th, a)
			if err != nil {
				return fail(err)
			}
			return lang.NewTuple(v, lang.Int(int64(n))), nil
		}},
		patternField("pattern", func(p *pattern) Value { return p.source }),
		patternField("flags", func(p *pattern) Value { return lang.Int(int64(p.flags)) }),
		patternField("groups", func(p *pattern) Value { return lang.Int(int64(p.groups)) }),
		patternField("groupindex", func(p *pattern) Value {
			d := lang.NewDict()
			for i, n := range p.names {
				d.PutStr(n, lang.Int(int64(p.nums[i])))
			}
			return lang.NewMappingProxy(d)
		}),
		{Sig: "__copy__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__deepcopy__(self, memo, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__class_getitem__(cls, item, /)", Flags: lang.DefClassMethod, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewGenericAlias(a[0], a[1]), nil }},
	})
	patternClass.Repr = patternRepr
	patternClass.Compare = func(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
		x, y := patternOf(a), patternOf(b)
		if y == nil || op != lang.EQ && op != lang.NE {
			return lang.NotImplemented, nil
		}
		return lang.Bool((x.text == y.text && x.flags == y.flags && x.bytes == y.bytes) == (op == lang.EQ)), nil
	}
	patternClass.Hash = func(th *Thread, v Value) (int64, error) { return lang.HashBytes(patternOf(v).text), nil }
	matchClass.Repr = matchRepr
	matchClass.Truth = func(th *Thread, v Value) (bool, error) { return true, nil }
	matchClass.GetItem = func(th *Thread, v, key Value) (Value, error) {
		m := matchOf(v)
		i, err := m.index(th, key)
		if err != nil {
			return fail(err)
		}
		return m.group(i, none), nil
	}
	lang.DefineMethods(matchClass, matchRows())
}

func patternField(name string, f func(p *pattern) Value) lang.Def {
	return lang.Def{Sig: name, Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return f(patternOf(a[0])), nil }}
}

func patternRepr(th *Thread, v Value) (Value, error) {
	p := patternOf(v)
	s, err := lang.Repr(th, p.source)
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200])
	}
	flags := p.flags
	if !p.bytes {
		flags &^= reU
	}
	var names []string
	for _, f := range []struct {
		bit  int
		name string
	}{{reI, "IGNORECASE"}, {reL, "LOCALE"}, {reM, "MULTILINE"}, {reS, "DOTALL"}, {reU, "UNICODE"}, {reX, "VERBOSE"}, {reA, "ASCII"}} {
		if flags&f.bit != 0 {
			names = append(names, "re."+f.name)
		}
	}
	if len(names) > 0 {
		s += ", " + strings.Join(names, "|")
	}
	return lang.NewStr("re.compile(" + s + ")"), err
}

func matchRepr(th *Thread, v Value) (Value, error) {
	m := matchOf(v)
	s, err := lang.Repr(th, m.group(0, none))
	span, _ := lang.Repr(th, m.spanOf(0))
	return lang.NewStr("<re.Match object; span=" + span + ", match=" + s + ">"), err
}

func (m *match) spanOf(i int) Value {
	return lang.NewTuple(lang.Int(int64(m.span[2*i])), lang.Int(int64(m.span[2*i+1])))
}

func matchField(name string, f func(m *match) Value) lang.Def {
	return lang.Def{Sig: name, Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return f(matchOf(a[0])), nil }}
}

func matchRows() []lang.Def {
	place := func(which int) lang.Native {
		return func(th *Thread, a []Value) (Value, error) {
			m := matchOf(a[0])
			i, err := m.index(th, a[1])
			if err != nil {
				return fail(err)
			}
			if which == 2 {
				return m.spanOf(i), nil
			}
			return lang.Int(int64(m.span[2*i+which])), nil
		}
	}
	return []lang.Def{
		{Sig: "group(self, /, *args)", Fn: matchGroup},
		{Sig: "groups(self, default=None)", Fn: func(th *Thread, a []Value) (Value, error) {
			m := matchOf(a[0])
			out := make([]Value, m.p.groups)
			for i := range out {
				out[i] = m.group(i+1, a[1])
			}
			return lang.NewTuple(out...), nil
		}},
		{Sig: "groupdict(self, default=None)", Fn: func(th *Thread, a []Value) (Value, error) {
			m, d := matchOf(a[0]), lang.NewDict()
			for i, n := range m.p.names {
				d.PutStr(n, m.group(m.p.nums[i], a[1]))
			}
			return d.Value(), nil
		}},
		{Sig: "start(self, group=0, /)", Fn: place(0)},
		{Sig: "end(self, group=0, /)", Fn: place(1)},
		{Sig: "span(self, group=0, /)", Fn: place(2)},
		{Sig: "expand(self, template)", Fn: func(th *Thread, a []Value) (Value, error) {
			m := matchOf(a[0])
			parts, err := m.p.template(th, a[1])
			if err != nil {
				return fail(err)
			}
			s := &subject{runes: expand(m, parts), bytes: m.s.bytes}
			return s.slice(0, len(s.runes)), nil
		}},
		matchField("pos", func(m *match) Value { return lang.Int(int64(m.pos)) }),
		matchField("endpos", func(m *match) Value { return lang.Int(int64(m.endpos)) }),
		matchField("re", func(m *match) Value { return objectOf(m.p) }),
		matchField("string", func(m *match) Value { return m.s.of }),
		matchField("lastindex", func(m *match) Value {
			if i := m.lastIndex(); i > 0 {
				return lang.Int(int64(i))
			}
			return none
		}),
		matchField("lastgroup", func(m *match) Value {
			last := m.lastIndex()
			for i, n := range m.p.nums {
				if n == last {
					return lang.NewStr(m.p.names[i])
				}
			}
			return none
		}),
		matchField("regs", func(m *match) Value {
			out := make([]Value, m.p.groups+1)
			for i := range out {
				out[i] = m.spanOf(i)
			}
			return lang.NewTuple(out...)
		}),
		{Sig: "__copy__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__deepcopy__(self, memo, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
	}
}

func matchGroup(th *Thread, a []Value) (Value, error) {
	m := matchOf(a[0])
	t, _ := lang.AsTuple(a[1])
	if t.Len() == 0 {
		return m.group(0, none), nil
	}
	out := make([]Value, t.Len())
	for k := range out {
		i, err := m.index(th, t.At(k))
		if err != nil {
			return fail(err)
		}
		out[k] = m.group(i, none)
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return lang.NewTuple(out...), nil
}
