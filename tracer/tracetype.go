package tracer

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/bridge"
	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// Kind is the sort of a TraceType.
type Kind uint8

// The kinds.
const (
	KTensor Kind = iota
	KLiteral
	KVariable
	KList
	KTuple
	KNamedTuple
	KDict
	KSlices
	KObject
)

// TraceType is what the cache key of a function knows of an argument. Types are
// interned by a Types table: equal types are the same pointer, except for
// objects, which also match by the script's ==.
type TraceType struct {
	Kind  Kind
	DT    tensor.DType
	Shape tensor.Shape
	Name  string // of a TensorSpec; the class of a named tuple
	// Value is the literal; the keys tuple of a dict; the class of a named tuple.
	Value lang.Value
	Items []*TraceType
	// Alias numbers the variable among the distinct ones of the call (rule D6).
	Alias     int
	Trainable bool
	obj       *objectRef
	id        uint32
	weak      bool // an object stands inside
}

// Types interns TraceTypes of one interpreter.
type Types struct {
	table map[string]*TraceType
	list  []*TraceType
	buf   []byte
}

// NewTypes returns an empty table.
func NewTypes() *Types { return &Types{table: map[string]*TraceType{}} }

// intern returns the one type equal to t. An object is told apart by its
// referent, whose number stands in the key.
func (ts *Types) intern(t TraceType) *TraceType {
	b := append(ts.buf[:0], byte(t.Kind))
	switch t.Kind {
	case KTensor, KSlices:
		b = append(b, byte(t.DT))
		b = append(b, t.Shape.Repr()...)
		b = append(append(b, 0), t.Name...)
	case KVariable:
		b = append(b, byte(t.DT), boolByte(t.Trainable))
		b = binary.AppendUvarint(b, uint64(t.Alias))
		b = append(b, t.Shape.Repr()...)
	case KLiteral:
		b = appendLiteral(b, t.Value)
	case KObject:
		b = binary.AppendUvarint(b, t.obj.serial)
		t.weak = true
	default:
		b = ts.appendItems(b, &t)
	}
	ts.buf = b
	if old := ts.table[string(b)]; old != nil {
		return old
	}
	n := new(TraceType)
	*n = t
	n.id = uint32(len(ts.list)) + 1
	ts.list = append(ts.list, n)
	ts.table[string(b)] = n
	return n
}

func (ts *Types) appendItems(b []byte, t *TraceType) []byte {
	if t.Kind == KNamedTuple {
		b = append(append(b, t.Name...), 0)
	}
	if t.Kind == KDict {
		keys, _ := lang.Sequence(t.Value)
		for _, k := range keys {
			b = appendLiteral(b, k.Value())
		}
	}
	for _, it := range t.Items {
		b = binary.AppendUvarint(b, uint64(it.id))
		t.weak = t.weak || it.weak
	}
	return b
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// appendLiteral writes a literal so that literals which are equal in the script
// get the same bytes: 1, 1.0 and True are one, all nans are one (rule D3).
func appendLiteral(b []byte, v lang.Value) []byte {
	v = lang.Payload(v)
	switch v.Kind() {
	case value.KindInt, value.KindBool:
		return strconv.AppendInt(append(b, 'n'), v.Int64(), 10)
	case value.KindFloat:
		f := v.Float64()
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return strconv.AppendInt(append(b, 'n'), int64(f), 10)
		}
		if f != f {
			return append(b, 'N')
		}
		return binary.LittleEndian.AppendUint64(append(b, 'f'), math.Float64bits(f))
	case value.KindBig:
		n, _ := lang.AsBig(v)
		return n.Append(append(b, 'n'), 10)
	case value.KindStr:
		s, _ := lang.AsStr(v)
		return appendText(append(b, 's'), s.String())
	case value.KindBytes:
		s, _ := lang.BytesOf(v)
		return appendText(append(b, 'b'), s)
	case value.KindNone:
		return append(b, '-')
	case value.KindEllipsis:
		return append(b, '.')
	case value.KindComplex:
		c, _ := lang.AsComplex(v)
		if imag(c) == 0 {
			return appendLiteral(b, lang.Float(real(c)))
		}
		b = binary.LittleEndian.AppendUint64(append(b, 'c'), math.Float64bits(real(c)))
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(imag(c)))
	}
	if dt, ok := bridge.FindDType(v); ok {
		return append(b, 'd', byte(dt))
	}
	return append(b, '?')
}

func appendText(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// isLiteral reports Python values that are keys by value.
func isLiteral(v lang.Value) bool {
	switch lang.Payload(v).Kind() {
	case value.KindInt, value.KindBool, value.KindFloat, value.KindBig, value.KindStr, value.KindBytes,
		value.KindNone, value.KindComplex, value.KindEllipsis:
		return true
	}
	return lang.ClassOf(v) == bridge.DTypeClass
}

// Tensor is the type of a tensor of that dtype and shape; name is that of a TensorSpec.
func (ts *Types) Tensor(dt tensor.DType, s tensor.Shape, name string) *TraceType {
	return ts.intern(TraceType{Kind: KTensor, DT: dt, Shape: s, Name: name})
}

// Literal is the type of a Python value that is a key by value.
func (ts *Types) Literal(v lang.Value) *TraceType {
	return ts.intern(TraceType{Kind: KLiteral, Value: v.Held().Value()})
}

// sub reports that a call of type u may use a trace of type t: t is equal or more
// general.
func (u *TraceType) sub(th *lang.Thread, t *TraceType) bool {
	if u == t {
		return true
	}
	if u.Kind != t.Kind || len(u.Items) != len(t.Items) {
		return false
	}
	switch u.Kind {
	case KTensor, KSlices:
		return u.DT == t.DT && u.Shape.SubtypeOf(t.Shape) && (u.Name == t.Name || t.Name == "")
	case KVariable:
		return u.DT == t.DT && u.Alias == t.Alias && u.Trainable == t.Trainable && u.Shape.SubtypeOf(t.Shape)
	case KLiteral:
		return false
	case KObject:
		return u.obj.matches(th, t.obj)
	case KNamedTuple:
		if u.Name != t.Name {
			return false
		}
	case KDict:
		if string(appendKeys(nil, u)) != string(appendKeys(nil, t)) {
			return false
		}
	}
	for i := range u.Items {
		if !u.Items[i].sub(th, t.Items[i]) {
			return false
		}
	}
	return true
}

func appendKeys(b []byte, t *TraceType) []byte {
	keys, _ := lang.Sequence(t.Value)
	for _, k := range keys {
		b = appendLiteral(b, k.Value())
	}
	return b
}

// generalise is the most specific type that both t and u are subtypes of, nil if
// there is none (rule D18).
func (ts *Types) generalise(t, u *TraceType) *TraceType {
	if t == u {
		return t
	}
	if t.Kind != u.Kind || len(t.Items) != len(u.Items) {
		return nil
	}
	switch t.Kind {
	case KTensor, KSlices, KVariable:
		if t.DT != u.DT || t.Alias != u.Alias || t.Trainable != u.Trainable {
			return nil
		}
		g := *t
		g.Shape = tensor.Relax(t.Shape, u.Shape)
		if t.Name != u.Name {
			g.Name = ""
		}
		return ts.intern(g)
	case KLiteral, KObject:
		return nil
	case KNamedTuple:
		if t.Name != u.Name {
			return nil
		}
	case KDict:
		if string(appendKeys(nil, t)) != string(appendKeys(nil, u)) {
			return nil
		}
	}
	g := *t
	g.Items = make([]*TraceType, len(t.Items))
	for i := range t.Items {
		if g.Items[i] = ts.generalise(t.Items[i], u.Items[i]); g.Items[i] == nil {
			return nil
		}
	}
	return ts.intern(g)
}

// Text is the type as pretty_printed_concrete_signatures shows it (rule D21).
func (t *TraceType) Text(th *lang.Thread) string {
	switch t.Kind {
	case KTensor:
		name := "None"
		if t.Name != "" {
			name = "'" + t.Name + "'"
		}
		return "TensorSpec(shape=" + t.Shape.String() + ", dtype=tf." + t.DT.Name() + ", name=" + name + ")"
	case KLiteral:
		s, err := lang.Repr(th, t.Value)
		if err != nil {
			return "Literal[?]"
		}
		return "Literal[" + s + "]"
	case KVariable:
		return "VariableSpec(shape=" + t.Shape.String() + ", dtype=tf." + t.DT.Name() + ", trainable=" + pyBool(t.Trainable) + ", alias_id=" + strconv.Itoa(t.Alias) + ")"
	case KList:
		return "List[" + t.itemTexts(th) + "]"
	case KTuple:
		return "Tuple[" + t.itemTexts(th) + "]"
	case KNamedTuple:
		return t.Name + "[" + t.fieldTexts(th) + "]"
	case KDict:
		return "Dict[" + t.fieldTexts(th) + "]"
	case KSlices:
		return "IndexedSlicesSpec(" + t.Shape.String() + ", tf." + t.DT.Name() + ")"
	}
	return t.obj.text()
}

func pyBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (t *TraceType) itemTexts(th *lang.Thread) string {
	parts := make([]string, len(t.Items))
	for i, it := range t.Items {
		parts[i] = it.Text(th)
	}
	return strings.Join(parts, ", ")
}

// fieldTexts is "['out', TensorSpec(…)], …".
func (t *TraceType) fieldTexts(th *lang.Thread) string {
	keys, _ := lang.Sequence(t.Value)
	parts := make([]string, len(t.Items))
	for i, it := range t.Items {
		k := "?"
		if i < len(keys) {
			k, _ = lang.Repr(th, keys[i].Value())
		}
		parts[i] = "[" + k + ", " + it.Text(th) + "]"
	}
	return strings.Join(parts, ", ")
}
