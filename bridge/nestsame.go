package bridge

import (
	"strings"

	"github.com/tfs-lang/tfs/lang"
)

// mismatch is where two structures differ.
type mismatch struct {
	byType bool // of sequence types: TypeError
	text   string
}

// AssertSame raises TensorFlow's error when two structures differ: ValueError,
// or TypeError when only the types of sequences do. checkTypes false lets lists
// stand for tuples.
func AssertSame(th *lang.Thread, a, b lang.Value, checkTypes bool) error {
	m, err := compareNests(th, a, b, checkTypes, 0)
	if err != nil || m == nil {
		return err
	}
	text, err := m.message(th, a, b)
	if err != nil {
		return err
	}
	if m.byType {
		return th.TypeErrorf("%s", text)
	}
	return th.ValueErrorf("%s", text)
}

func (m *mismatch) message(th *lang.Thread, a, b lang.Value) (string, error) {
	ta, err := described(th, a)
	if err != nil {
		return "", err
	}
	tb, err := described(th, b)
	if err != nil {
		return "", err
	}
	da, err := dotted(th, a, 0)
	if err != nil {
		return "", err
	}
	db, err := dotted(th, b, 0)
	return "The two structures don't have the same nested structure.\n\nFirst structure: " + ta + "\n\nSecond structure: " + tb +
		"\n\nMore specifically: " + m.text + "\nEntire first structure:\n" + da + "\nEntire second structure:\n" + db, err
}

// described is "type=list str=[1, 2]".
func described(th *lang.Thread, v lang.Value) (string, error) {
	s, err := lang.StrOf(th, v)
	return "type=" + lang.ClassOf(v).Name + " str=" + s, err
}

func compareNests(th *lang.Thread, a, b lang.Value, types bool, depth int) (*mismatch, error) {
	if depth > maxNest {
		return nil, th.Raise(lang.RecursionError, "maximum recursion depth exceeded in a nested structure")
	}
	x, err := open(th, a)
	if err != nil {
		return nil, err
	}
	y, err := open(th, b)
	if err != nil {
		return nil, err
	}
	if x.kind == atom && y.kind == atom {
		return nil, nil
	}
	if m, err := compareLevel(th, &x, &y, types); m != nil || err != nil {
		return m, err
	}
	for i := range x.items {
		if m, err := compareNests(th, x.items[i], y.items[i], types, depth+1); m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil
}

func compareLevel(th *lang.Thread, x, y *container, types bool) (*mismatch, error) {
	tx, err := described(th, x.v)
	if err != nil {
		return nil, err
	}
	ty, err := described(th, y.v)
	if err != nil {
		return nil, err
	}
	switch {
	case x.kind == atom || y.kind == atom:
		if x.kind == atom {
			tx, ty = ty, tx
		}
		return &mismatch{text: "Substructure \"" + tx + "\" is a sequence, while substructure \"" + ty + "\" is not"}, nil
	case types && !sameContainer(x, y):
		return &mismatch{byType: true, text: "The two namedtuples don't have the same sequence type. First structure " + tx + " has type " +
			lang.ClassOf(x.v).Name + ", while second structure " + ty + " has type " + lang.ClassOf(y.v).Name}, nil
	case x.kind == dictLike && y.kind == dictLike:
		return compareKeys(th, x, y)
	case len(x.items) != len(y.items):
		return &mismatch{text: "The two structures don't have the same number of elements. First structure: " + tx + ". Second structure: " + ty}, nil
	}
	return nil, nil
}

// sameContainer: all mappings are alike, named tuples by name and fields.
func sameContainer(x, y *container) bool {
	if x.kind != y.kind {
		return false
	}
	if x.kind == namedTuple {
		return lang.ClassOf(x.v) == lang.ClassOf(y.v)
	}
	return x.kind == dictLike || lang.ClassOf(x.v) == lang.ClassOf(y.v)
}

func compareKeys(th *lang.Thread, x, y *container) (*mismatch, error) {
	same := len(x.keys) == len(y.keys)
	for i := 0; same && i < len(x.keys); i++ {
		eq, err := lang.Equal(th, x.keys[i], y.keys[i])
		if err != nil {
			return nil, err
		}
		same = eq
	}
	if same {
		return nil, nil
	}
	kx, err := described(th, lang.NewList(x.keys...))
	if err != nil {
		return nil, err
	}
	ky, err := described(th, lang.NewList(y.keys...))
	return &mismatch{text: "The two dictionaries don't have the same set of keys. First structure has keys " + kx + ", while second structure has keys " + ky}, err
}

// dotted shows a structure with dots for its atoms.
func dotted(th *lang.Thread, v lang.Value, depth int) (string, error) {
	c, err := open(th, v)
	if err != nil || c.kind == atom || depth > maxNest {
		return ".", err
	}
	parts := make([]string, len(c.items))
	for i, it := range c.items {
		if parts[i], err = dotted(th, it, depth+1); err != nil {
			return "", err
		}
	}
	return c.display(th, parts)
}

func (c *container) display(th *lang.Thread, parts []string) (string, error) {
	switch c.kind {
	case listLike:
		return "[" + strings.Join(parts, ", ") + "]", nil
	case tupleLike:
		if len(parts) == 1 {
			return "(" + parts[0] + ",)", nil
		}
		return "(" + strings.Join(parts, ", ") + ")", nil
	case namedTuple:
		fields, _ := lang.Sequence(lang.ClassOf(c.v).Lookup("_fields"))
		for i := range min(len(fields), len(parts)) {
			s, err := lang.StrOf(th, fields[i].Value())
			if err != nil {
				return "", err
			}
			parts[i] = s + "=" + parts[i]
		}
		return lang.ClassOf(c.v).Name + "(" + strings.Join(parts, ", ") + ")", nil
	}
	for i, k := range c.keys {
		s, err := lang.Repr(th, k)
		if err != nil {
			return "", err
		}
		parts[i] = s + ": " + parts[i]
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}
