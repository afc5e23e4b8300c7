package py

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// structSeq is a class of tuples with named fields, as os.stat_result is.
type structSeq struct {
	class  *lang.Class
	fields []string
	shown  int // items that the tuple has; the fields after them are attributes only
}

func newStructSeq(name, module string, fields ...string) *structSeq {
	s := &structSeq{fields: fields, shown: len(fields)}
	s.class = lang.NewBuiltinClass(name, module, value.KindTuple, lang.TupleClass)
	s.class.Flags |= lang.ClassFinal
	s.class.New = &lang.Def{Sig: "__new__(cls, sequence, dict=None)", Fn: func(th *Thread, a []Value) (Value, error) {
		items, err := lang.ToSlice(th, a[1])
		if err != nil {
			return fail(err)
		}
		if len(items) < s.shown {
			return fail(th.TypeErrorf("%s.%s() takes an at least %d-sequence (%d-sequence given)", module, name, s.shown, len(items)))
		}
		return s.of(lang.Values(items)...), nil
	}}
	var rows []lang.Def
	for i, f := range fields {
		rows = append(rows, lang.Def{Sig: f, Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			t, _ := lang.AsTuple(a[0])
			if i < t.Len() {
				return t.At(i), nil
			}
			return none, nil
		}})
	}
	rows = append(rows, lang.Def{Sig: "n_fields", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return lang.Int(int64(len(fields))), nil
	}})
	lang.DefineMethods(s.class, rows)
	title := module + "." + name
	s.class.Repr = func(th *Thread, v Value) (Value, error) {
		t, _ := lang.AsTuple(v)
		var parts []string
		for i := range min(t.Len(), len(fields)) {
			r, err := lang.Repr(th, t.At(i))
			if err != nil {
				return fail(err)
			}
			parts = append(parts, fields[i]+"="+r)
		}
		return lang.NewStr(title + "(" + strings.Join(parts, ", ") + ")"), nil
	}
	return s
}

// of makes an instance.
func (s *structSeq) of(vs ...Value) Value { return lang.NewInstance(s.class, lang.NewTuple(vs...)) }
