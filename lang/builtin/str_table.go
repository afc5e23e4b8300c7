package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

func strTranslate(th *Thread, a []Value) (Value, error) {
	s := self(a).String()
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := lang.DecodeRune(s[i:])
		v, err := lang.GetItem(th, a[1], lang.Int(int64(r)))
		if err != nil {
			if !lang.Matches(err, lang.LookupError) {
				return fail(err)
			}
			b = append(b, s[i:i+n]...)
		} else if b, err = translated(th, b, v); err != nil {
			return fail(err)
		}
		i += n
	}
	return lang.NewStr(string(b)), nil
}

// translated appends what a table gave for one character.
func translated(th *Thread, b []byte, v Value) ([]byte, error) {
	if v.IsNone() {
		return b, nil
	}
	if s, ok := lang.AsStr(v); ok {
		return append(b, s.String()...), nil
	}
	if !lang.IsIntValue(v) {
		return b, th.TypeErrorf("character mapping must return integer, None or str")
	}
	i, ok := lang.AsInt(v)
	if !ok || i < 0 || i > 0x10ffff {
		return b, th.ValueErrorf("character mapping must be in range(0x110000)")
	}
	return lang.AppendRune(b, rune(i)), nil
}

func strMaketrans(th *Thread, a []Value) (Value, error) {
	d := lang.NewDict()
	if a[1].IsUnbound() {
		return maketransDict(th, d, a[0])
	}
	x, ok := lang.AsStr(a[0])
	if !ok {
		return fail(th.TypeErrorf("first maketrans argument must be a string if there is a second argument"))
	}
	y, ok := lang.AsStr(a[1])
	if !ok {
		return fail(need(th, "maketrans() argument 2", "str", a[1]))
	}
	if x.Len() != y.Len() {
		return fail(th.ValueErrorf("the first two maketrans arguments must have equal length"))
	}
	to := lang.Runes(y.String())
	for i, r := range lang.Runes(x.String()) {
		if err := d.Put(th, lang.Int(int64(r)), lang.Int(int64(to[i]))); err != nil {
			return fail(err)
		}
	}
	if a[2].IsUnbound() {
		return d.Value(), nil
	}
	z, ok := lang.AsStr(a[2])
	if !ok {
		return fail(need(th, "maketrans() argument 3", "str", a[2]))
	}
	for _, r := range lang.Runes(z.String()) {
		if err := d.Put(th, lang.Int(int64(r)), none); err != nil {
			return fail(err)
		}
	}
	return d.Value(), nil
}

func maketransDict(th *Thread, d *lang.Dict, table Value) (Value, error) {
	src, ok := lang.AsDict(table)
	if !ok || lang.ClassOf(table) != lang.DictClass {
		return fail(th.TypeErrorf("if you give only one argument to maketrans it must be a dict"))
	}
	for at := 0; ; {
		k, v, next, ok := src.Entry(at)
		if !ok {
			return d.Value(), nil
		}
		at = next
		if s, isStr := lang.AsStr(k); isStr {
			if s.Len() != 1 {
				return fail(th.ValueErrorf("string keys in translate table must be of length 1"))
			}
			r, _ := lang.DecodeRune(s.String())
			k = lang.Int(int64(r))
		} else if !lang.IsIntValue(k) {
			return fail(th.TypeErrorf("keys in translate table must be strings or integers"))
		}
		if err := d.Put(th, k, v); err != nil {
			return fail(err)
		}
	}
}
