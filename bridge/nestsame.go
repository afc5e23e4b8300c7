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
	x, err := Open(th, a)
	if err != nil {
		return nil, err
	}
	y, err := Open(th, b)
	if err != nil {
		return nil, err
	}
	if x.Kind == Atom && y.Kind == Atom {
		return nil, nil
	}
	if m, err := compareLevel(th, &x, &y, types); m != nil || err != nil {
		return m, err
	}
	for i := range x.Items {
		if m, err := compareNests(th, x.Items[i], y.Items[i], types, depth+1); m != nil || err != nil {
			return m, err
		}
	}
	return nil, nil
}

func compareLevel(th *lang.Thread, x, y *Container, types bool) (*mismatch, error) {
	tx, err := described(th, x.V)
	if err != nil {
		return nil, err
	}
	ty, err := described(th, y.V)
	if err != nil {
		return nil, err
	}
	switch {
	case x.Kind == Atom || y.Kind == Atom:
		if x.Kind == Atom {
			tx, ty = ty, tx
		}
		return &mismatch{text: "Substructure \"" + tx + "\" is a sequence, while substructure \"" + ty + "\" is not"}, nil
	case types && !sameContainer(x, y):
		return &mismatch{byType: true, text: "The two namedtuples don't have the same sequence type. First structure " + tx + " has type " +
			lang.ClassOf(x.V).Name + ", while second structure " + ty + " has type " + lang.ClassOf(y.V).Name}, nil
	case x.Kind == DictLike && y.Kind == DictLike:
		return compareKeys(th, x, y)
	case len(x.Items) != len(y.Items):
		return &mismatch{text: "The two structures don't have the same number of elements. First structure: " + tx + ". Second structure: " + ty}, nil
	}
	return nil, nil
}

// sameContainer: all mappings are alike, named tuples by name and fields.
func sameContainer(x, y *Container) bool {
	if x.Kind != y.Kind {
		return false
	}
	if x.Kind == NamedTuple {
		return lang.ClassOf(x.V) == lang.ClassOf(y.V)
	}
	return x.Kind == DictLike || lang.ClassOf(x.V) == lang.ClassOf(y.V)
}

func compareKeys(th *lang.Thread, x, y *Container) (*mismatch, error) {
	same := len(x.Keys) == len(y.Keys)
	for i := 0; same && i < len(x.Keys); i++ {
		eq, err := lang.Equal(th, x.Keys[i], y.Keys[i])
		if err != nil {
			return nil, err
		}
		same = eq
	}
	if same {
		return nil, nil
	}
	kx, err := described(th, lang.NewList(x.Keys...))
	if err != nil {
		return nil, err
	}
	ky, err := described(th, lang.NewList(y.Keys...))
	return &mismatch{text: "The two dictionaries don't have the same set of keys. First structure has keys " + kx + ", while second structure has keys " + ky}, err
}

// dotted shows a structure with dots for its atoms.
func dotted(th *lang.Thread, v lang.Value, depth int) (string, error) {
	c, err := Open(th, v)
	if err != nil || c.Kind == Atom || depth > maxNest {
		return ".", err
	}
	parts := make([]string, len(c.Items))
	for i, it := range c.Items {
		if parts[i], err = dotted(th, it, depth+1); err != nil {
			return "", err
		}
	}
	return c.display(th, parts)
}

func (c *Container) display(th *lang.Thread, parts []string) (string, error) {
	switch c.Kind {
	case ListLike:
		return "[" + strings.Join(parts, ", ") + "]", nil
	case TupleLike:
		if len(parts) == 1 {
			return "(" + parts[0] + ",)", nil
		}
		return "(" + strings.Join(parts, ", ") + ")", nil
	case NamedTuple:
		fields, _ := lang.Sequence(lang.ClassOf(c.V).Lookup("_fields"))
		for i := range min(len(fields), len(parts)) {
			s, err := lang.StrOf(th, fields[i].Value())
			if err != nil {
				return "", err
			}
			parts[i] = s + "=" + parts[i]
		}
		return lang.ClassOf(c.V).Name + "(" + strings.Join(parts, ", ") + ")", nil
	}
	for i, k := range c.Keys {
		s, err := lang.Repr(th, k)
		if err != nil {
			return "", err
		}
		parts[i] = s + ": " + parts[i]
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}
