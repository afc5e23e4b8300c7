package lang

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// Repr is repr(v) as text.
func Repr(th *Thread, v Value) (string, error) {
	switch v.Kind() {
	case value.KindInt:
		return strconv.FormatInt(v.Int64(), 10), nil
	case value.KindStr:
		return format.StrRepr((*Str)(v.P).s), nil
	case value.KindFloat:
		return format.FloatRepr(v.Float64()), nil
	}
	s, err := ReprValue(th, v)
	if err != nil {
		return "", err
	}
	return s.s, nil
}

// ReprValue is repr(v) as a str object.
func ReprValue(th *Thread, v Value) (*Str, error) {
	c := ClassOf(v)
	if c.Repr == nil {
		return newStr(DefaultRepr(v)), nil
	}
	if err := th.enter(" while getting the repr of an object"); err != nil {
		return nil, err
	}
	r, err := c.Repr(th, v)
	th.leave()
	return asText(th, r, err, "__repr__")
}

func asText(th *Thread, r Value, err error, what string) (*Str, error) {
	if err != nil {
		return nil, err
	}
	s, ok := AsStr(r)
	if !ok {
		return nil, th.TypeErrorf("%s returned non-string (type %s)", what, TypeName(r))
	}
	return s, nil
}

// DefaultRepr is object.__repr__.
func DefaultRepr(v Value) string {
	c := ClassOf(v)
	return "<" + c.FullName() + " object at " + Address(v) + ">"
}

// Address is the text of id(v) as default reprs show it.
func Address(v Value) string {
	return "0x" + lpad(strconv.FormatUint(uint64(uintptr(v.P)), 16), 12)
}

func lpad(s string, n int) string {
	if len(s) < n {
		return strings.Repeat("0", n-len(s)) + s
	}
	return s
}

// FullName is module.qualname, without "builtins.".
func (c *Class) FullName() string {
	m := c.ModuleName()
	if m == "builtins" || m == "" {
		return c.Qualname
	}
	return m + "." + c.Qualname
}

// ModuleName is the class's __module__.
func (c *Class) ModuleName() string {
	if c.script {
		if v, ok := c.dict.GetStr("__module__"); ok {
			if s, ok := AsStr(v); ok {
				return s.s
			}
		}
	}
	return c.Module
}

// StrOf is str(v) as text.
func StrOf(th *Thread, v Value) (string, error) {
	if v.Kind() == value.KindStr {
		return (*Str)(v.P).s, nil
	}
	s, err := StrValue(th, v)
	if err != nil {
		return "", err
	}
	return s.s, nil
}

// StrValue is str(v) as a str object.
func StrValue(th *Thread, v Value) (*Str, error) {
	switch v.Kind() {
	case value.KindStr:
		return (*Str)(v.P), nil
	case value.KindInt:
		return intStr(v.Int64()), nil
	}
	c := ClassOf(v)
	if c.Str == nil {
		return ReprValue(th, v)
	}
	if err := th.enter(" while getting the str of an object"); err != nil {
		return nil, err
	}
	r, err := c.Str(th, v)
	th.leave()
	return asText(th, r, err, "__str__")
}

func intStr(i int64) *Str {
	if i >= 0 && i < 10 {
		return chars['0'+i]
	}
	o := &shortStr{}
	o.Header = head(StrClass, value.KindStr)
	o.Flags = flagASCII
	b := strconv.AppendInt(o.buf[:0], i, 10)
	if len(b) <= len(o.buf) {
		o.s = unsafe.String(&o.buf[0], len(b))
	} else {
		o.s = string(b)
	}
	return &o.Str
}

// enter counts a step of a recursive walk in Go; leave undoes it.
func (th *Thread) enter(where string) error {
	th.nested++
	if th.nested > maxNested || th.depth()+th.nested > th.Interp.recursion+th.overflow {
		th.nested--
		return th.recursionError(where)
	}
	return nil
}

func (th *Thread) leave() { th.nested-- }

// Enter counts one level of recursion of Go code over script data; every Enter
// without error needs a Leave. where ends the message, such as " in comparison".
func (th *Thread) Enter(where string) error { return th.enter(where) }

// Leave ends what Enter began.
func (th *Thread) Leave() { th.leave() }

// maxNested bounds Go recursion: walks and calls of script code from Go.
const maxNested = 400

func (th *Thread) recursionError(where string) error {
	return th.Raise(RecursionError, "maximum recursion depth exceeded%s", where)
}

// Guard marks v as being printed; false when it is already: a recursive display.
func (th *Thread) Guard(v Value) bool {
	for _, p := range th.repr {
		if p == v.P {
			return false
		}
	}
	th.repr = append(th.repr, v.P)
	return true
}

// Unguard ends what Guard began.
func (th *Thread) Unguard() { th.repr = th.repr[:len(th.repr)-1] }

// Truth is bool(v).
func Truth(th *Thread, v Value) (bool, error) {
	switch v.Kind() {
	case value.KindInt, value.KindBool:
		return v.N != 0, nil
	case value.KindNone:
		return false, nil
	case value.KindFloat:
		return v.Float64() != 0, nil
	case value.KindStr:
		return (*Str)(v.P).s != "", nil
	case value.KindList:
		return len((*List)(v.P).items) > 0, nil
	case value.KindTuple:
		return len((*Tuple)(v.P).items) > 0, nil
	case value.KindDict:
		return (*Dict)(v.P).used > 0, nil
	case value.KindSet, value.KindFrozenSet:
		return (*Set)(v.P).used > 0, nil
	}
	c := ClassOf(v)
	if c.Truth != nil {
		return c.Truth(th, v)
	}
	if c.Len != nil {
		n, err := c.Len(th, v)
		return n > 0, err
	}
	return true, nil
}

// Len is len(v).
func Len(th *Thread, v Value) (int, error) {
	switch v.Kind() {
	case value.KindStr:
		return (*Str)(v.P).Len(), nil
	case value.KindList:
		return len((*List)(v.P).items), nil
	case value.KindTuple:
		return len((*Tuple)(v.P).items), nil
	case value.KindDict:
		return (*Dict)(v.P).Len(), nil
	}
	c := ClassOf(v)
	if c.Len == nil {
		return 0, th.TypeErrorf("object of type '%s' has no len()", c.Name)
	}
	return c.Len(th, v)
}

// HasIndex reports that Index works on v's class.
func HasIndex(v Value) bool {
	return v.P == nil || IsIntValue(v) || ClassOf(v).Index != nil
}

// Index is operator.index(v): an int, immediate or *Big.
func Index(th *Thread, v Value) (Value, error) {
	if v.P == nil {
		return v, nil
	}
	if i, ok := AsInt(v); ok {
		return Int(i), nil
	}
	if p := asKind(v, value.KindBig); p != nil {
		return obj(p), nil
	}
	c := ClassOf(v)
	if c.Index == nil {
		return Unbound, th.TypeErrorf("'%s' object cannot be interpreted as an integer", c.Name)
	}
	r, err := c.Index(th, v)
	if err != nil {
		return Unbound, err
	}
	return th.ExactInt(r, "__index__")
}

// ExactInt is the int that a special method gave; one of a subclass is
// deprecated, and counts as what it holds.
func (th *Thread) ExactInt(r Value, method string) (Value, error) {
	if !IsIntValue(r) {
		return Unbound, th.TypeErrorf("%s returned non-int (type %s)", method, TypeName(r))
	}
	if ClassOf(r) != IntClass {
		th.deprecatedSubclass(method, r, "int")
	}
	return number(r), nil
}

func (th *Thread) deprecatedSubclass(method string, r Value, want string) {
	th.Deprecated("%s returned non-%s (type %s).  The ability to return an instance of a strict subclass of %s is deprecated, "+
		"and may be removed in a future version of Python.", method, want, TypeName(r), want)
}

// Deprecated is a DeprecationWarning of the language itself.
func (th *Thread) Deprecated(text string, args ...any) {
	if th.Interp.Warn != nil {
		th.Interp.Warn(th, DeprecationWarning, fmt.Sprintf(text, args...))
	}
}

// IndexInt is Index for a size or position: OverflowError (or the class given)
// when it doesn't fit.
func IndexInt(th *Thread, v Value, overflow *Class) (int, error) {
	if v.P == nil {
		return int(v.N), nil
	}
	x, err := Index(th, v)
	if err != nil {
		return 0, err
	}
	if i, ok := AsInt(x); ok {
		return int(i), nil
	}
	if overflow == IndexError {
		return 0, th.Raise(IndexError, "cannot fit '%s' into an index-sized integer", TypeName(v))
	}
	return 0, th.Raise(OverflowError, "cannot fit '%s' into an index-sized integer", TypeName(v))
}

// FloatOf is float(v) for a number: floats, ints, __float__, __index__.
func FloatOf(th *Thread, v Value) (float64, error) {
	if v.IsFloat() {
		return v.Float64(), nil
	}
	if p := (*Big)(asKind(v, value.KindBig)); p != nil {
		return bigToFloat(th, p.V)
	}
	if f, ok := AsFloat(v); ok {
		return f, nil
	}
	c := ClassOf(v)
	if c.Slots.Float != nil {
		return c.Slots.Float(th, v)
	}
	if c.Index != nil {
		x, err := Index(th, v)
		if err != nil {
			return 0, err
		}
		return FloatOf(th, x)
	}
	return 0, th.TypeErrorf("must be real number, not %s", c.Name)
}

func bigToFloat(th *Thread, b *big.Int) (float64, error) {
	f, ok := format.BigFloat(b)
	if !ok {
		return 0, th.Raise(OverflowError, "int too large to convert to float")
	}
	return f, nil
}

// Format is format(v, spec).
func Format(th *Thread, v Value, spec string) (string, error) {
	c := ClassOf(v)
	if spec == "" && (c == StrClass || c == IntClass || c == FloatClass) {
		return StrOf(th, v)
	}
	if c.Format != nil {
		return c.Format(th, v, spec)
	}
	if spec != "" {
		return "", th.TypeErrorf("unsupported format string passed to %s.__format__", c.Name)
	}
	return StrOf(th, v)
}

// IsInstance is isinstance(v, cls) for a class, without __instancecheck__.
func IsInstance(v Value, c *Class) bool { return ClassOf(v).IsSub(c) }

// IsSubclass is issubclass(a, b) for classes, without __subclasscheck__.
func IsSubclass(a, b *Class) bool { return a.IsSub(b) }
