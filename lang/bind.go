package lang

import (
	"strconv"
	"strings"

	"github.com/tfs-lang/tfs/lang/value"
)

// callNative calls a native function: keyword values stand last in args, named
// by names. When the count fits, args goes to the function as it is.
func (f *NativeFunc) call(th *Thread, args []Value, names []*Str) (Value, error) {
	s := f.Def.Signature()
	if f.Class != nil && len(args) > len(names) && ClassOf(args[0]) != f.Class && !f.fits(args[0], s) {
		return Unbound, f.wrongReceiver(th, s, args[0])
	}
	if len(names) == 0 && len(args) == s.NSlots && s.NPos == s.NSlots {
		return f.Def.Fn(th, args)
	}
	out := th.scratch(s.NSlots)
	v, err := Unbound, error(nil)
	if len(names) == 0 && s.NPos == s.NSlots && len(args) >= s.Min && len(args) < s.NPos {
		n := copy(out, args)
		for i := n; i < s.NPos; i++ {
			out[i] = s.Params[i].Default
		}
	} else {
		err = f.bind(th, s, args, names, out)
	}
	if err == nil {
		v, err = f.Def.Fn(th, out)
	}
	th.unscratch(s.NSlots)
	return v, err
}

// fits reports a receiver that the method's class takes; class methods and
// constructors get a class.
func (f *NativeFunc) fits(v Value, s *Signature) bool {
	if t := f.Header.Type; t != &MethodDescrClass.Type && t != &WrapperDescrClass.Type {
		return true
	}
	return f.Def.Flags&DefClassMethod != 0 || ClassOf(v).IsSub(f.Class) || s.Name == "__new__"
}

func (f *NativeFunc) wrongReceiver(th *Thread, s *Signature, v Value) error {
	if f.Header.Type == &WrapperDescrClass.Type {
		return th.TypeErrorf("descriptor '%s' requires a '%s' object but received a '%s'", s.Name, f.Class.Name, TypeName(v))
	}
	return th.TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", s.Name, f.Class.shown(), TypeName(v))
}

// Bind fills out, one slot a parameter, from a call's arguments.
func (d *Def) Bind(th *Thread, args []Value, names []*Str) ([]Value, error) {
	s := d.Signature()
	out := make([]Value, s.NSlots)
	f := NativeFunc{Def: d}
	return out, f.bind(th, s, args, names, out)
}

func (f *NativeFunc) bind(th *Thread, s *Signature, args []Value, names []*Str, out []Value) error {
	npos := len(args) - len(names)
	if npos > s.NPos && s.Star < 0 {
		return f.tooMany(th, s, npos, len(names))
	}
	n := copy(out[:s.NPos], args[:npos])
	for i := n; i < s.NSlots; i++ {
		out[i] = Unbound
	}
	if s.Star >= 0 {
		out[s.Star] = emptyTuple.Value()
		if npos > s.NPos {
			out[s.Star] = NewTuple(args[s.NPos:npos]...)
		}
	}
	if s.StarKw >= 0 {
		out[s.StarKw] = newDict().Value()
	}
	for i, name := range names {
		if err := f.bindName(th, s, name, args[npos+i], out, n); err != nil {
			return err
		}
	}
	return f.defaults(th, s, out, npos, len(names))
}

func (f *NativeFunc) bindName(th *Thread, s *Signature, name *Str, v Value, out []Value, npos int) error {
	for i := s.PosOnly; i < len(s.Params); i++ {
		p := s.Params[i].Name
		if p != name && (name.Flags&flagInterned != 0 || p.s != name.s) {
			continue
		}
		if i < npos {
			return f.twice(th, s, p, i)
		}
		if !out[i].IsUnbound() {
			return th.TypeErrorf("%s() got multiple values for keyword argument '%s'", f.title(s), p.s)
		}
		out[i] = v
		return nil
	}
	if s.StarKw >= 0 {
		(*Dict)(out[s.StarKw].P).putStr(name, v)
		return nil
	}
	return f.unexpected(th, s, name)
}

// title is the name in messages.
func (f *NativeFunc) title(s *Signature) string {
	if f.Def.Flags&DefPython != 0 && f.Class != nil {
		return f.Class.Name + "." + s.Name
	}
	return s.Name
}

func (f *NativeFunc) unexpected(th *Thread, s *Signature, name *Str) error {
	if f.Def.Flags&DefPython != 0 {
		return th.TypeErrorf("%s() got an unexpected keyword argument '%s'", f.title(s), name.s)
	}
	if f.isWrapper() {
		return th.TypeErrorf("wrapper %s() takes no keyword arguments", s.Name)
	}
	if s.NoKw {
		t := f.inModule(s)
		if f.Class != nil {
			t = f.Class.Name + "." + t
		}
		if s.Name == "__new__" || s.Name == "__init__" {
			t = f.Class.Name
		}
		return th.TypeErrorf("%s() takes no keyword arguments", t)
	}
	for i := range s.PosOnly {
		if s.Params[i].Name.s == name.s && !f.hidden(i) && s.Name != "__new__" {
			return th.TypeErrorf("%s() got some positional-only arguments passed as keyword arguments: '%s'", s.Name, name.s)
		}
	}
	return th.TypeErrorf("'%s' is an invalid keyword argument for %s()", name.s, f.display(s))
}

func (f *NativeFunc) display(s *Signature) string {
	if (s.Name == "__new__" || s.Name == "__init__") && f.Class != nil {
		return f.Class.Name
	}
	return s.Name
}

// hidden reports a parameter that callers don't see: self or the class.
func (f *NativeFunc) hidden(i int) bool { return i == 0 && f.Class != nil }

func (f *NativeFunc) twice(th *Thread, s *Signature, p *Str, i int) error {
	if f.Def.Flags&DefPython != 0 {
		return th.TypeErrorf("%s() got multiple values for argument '%s'", f.title(s), p.s)
	}
	if f.Class != nil {
		i--
	}
	return th.TypeErrorf("argument for %s() given by name ('%s') and position (%d)", f.display(s), p.s, i+1)
}

// tooMany words a call with more positional arguments than parameters.
func (f *NativeFunc) tooMany(th *Thread, s *Signature, given, kw int) error {
	if f.Def.Flags&DefPython != 0 {
		return f.tooManyPython(th, s, given)
	}
	lo, hi := s.Min, s.NPos
	name := f.display(s)
	if f.isWrapper() && kw == 0 {
		return th.wrapperArity(f.Class, s, given-1)
	}
	if f.Class != nil {
		lo, hi, given = lo-1, hi-1, given-1
		if s.NoKw && (hi == 0 || hi == 1 && lo == 1) {
			name = f.qualified(s)
		}
	} else if s.NoKw && (hi == 0 || hi == 1 && lo == 1) {
		name = f.inModule(s)
	}
	return th.TypeErrorf("%s", countText(name, lo, hi, given, s.NoKw, kw))
}

// inModule is a function's name with its module's, as CPython shows those of one
// argument or none.
func (f *NativeFunc) inModule(s *Signature) string {
	if m, ok := AsStr(f.Mod); ok && m.s != "builtins" {
		return m.s + "." + s.Name
	}
	return s.Name
}

// isWrapper reports a special method that stands for a slot, and not one of those
// that CPython has as methods.
func (f *NativeFunc) isWrapper() bool {
	if f.Header.Type != &WrapperDescrClass.Type {
		return false
	}
	switch f.Name.s {
	case "__getitem__":
		return f.Class.Inst != value.KindList && f.Class.Inst != value.KindDict
	case "__contains__":
		return f.Class.Inst != value.KindDict && f.Class.Inst != value.KindSet && f.Class.Inst != value.KindFrozenSet
	case "__format__", "__new__", "__init__", "__call__":
		return false
	}
	return true
}

// wrapperArity words a special method called with the wrong number of arguments.
func (th *Thread) wrapperArity(c *Class, s *Signature, given int) error {
	lo, hi := s.Min-1, s.NPos-1
	switch {
	case lo != hi && given < lo:
		return th.TypeErrorf(" expected at least %s, got %d", arguments(lo), given)
	case lo != hi:
		return th.TypeErrorf(" expected at most %s, got %d", arguments(hi), given)
	case hi == 2 || isSequenceClass(c) && containsWord("__mul__ __rmul__ __imul__", s.Name):
		return th.TypeErrorf(" expected %s, got %d", arguments(hi), given)
	}
	return th.TypeErrorf("expected %s, got %d", arguments(hi), given)
}

// qualified is the name as CPython's METH_O and METH_NOARGS methods show it.
func (f *NativeFunc) qualified(s *Signature) string {
	if s.Name == "__new__" || s.Name == "__init__" {
		return f.Class.Name
	}
	return f.Class.Name + "." + s.Name
}

// countText is CPython's message of a builtin called with the wrong number of arguments.
func countText(name string, lo, hi, given int, noKw bool, kw int) string {
	if hi == 0 && !noKw {
		return name + "() takes no positional arguments"
	}
	if hi == 0 {
		return name + "() takes no arguments (" + strconv.Itoa(given) + " given)"
	}
	if noKw {
		if lo == hi {
			if hi == 1 {
				return name + "() takes exactly one argument (" + strconv.Itoa(given) + " given)"
			}
			return name + " expected " + arguments(hi) + ", got " + strconv.Itoa(given)
		}
		if given < lo {
			return name + " expected at least " + arguments(lo) + ", got " + strconv.Itoa(given)
		}
		return name + " expected at most " + arguments(hi) + ", got " + strconv.Itoa(given)
	}
	word := "at most"
	n := hi
	if lo == hi {
		word = "exactly"
	} else if given < lo {
		word, n = "at least", lo
	}
	kind := " "
	if kw == 0 && word == "at most" && lo == 0 && given > hi {
		kind = " "
	}
	return name + "() takes " + word + " " + strconv.Itoa(n) + kind + plural("argument", n) + " (" + strconv.Itoa(given) + " given)"
}

func arguments(n int) string { return strconv.Itoa(n) + " " + plural("argument", n) }

func plural(s string, n int) string {
	if n == 1 {
		return s
	}
	return s + "s"
}

func (f *NativeFunc) tooManyPython(th *Thread, s *Signature, given int) error {
	takes := strconv.Itoa(s.NPos)
	if s.Min < s.NPos {
		takes = "from " + strconv.Itoa(s.Min) + " to " + takes
	}
	were := "were"
	if given == 1 {
		were = "was"
	}
	return th.TypeErrorf("%s() takes %s positional %s but %d %s given", f.title(s), takes, plural("argument", s.NPos), given, were)
}

// defaults fills absent parameters and reports missing ones.
func (f *NativeFunc) defaults(th *Thread, s *Signature, out []Value, npos, kw int) error {
	var missing []string
	missingPos := false
	for i := range s.Params {
		if !out[i].IsUnbound() {
			continue
		}
		if s.Params[i].Optional {
			out[i] = s.Params[i].Default
			continue
		}
		if i < s.NPos {
			missingPos = true
		}
		if missingPos == (i < s.NPos) {
			missing = append(missing, "'"+s.Params[i].Name.s+"'")
		}
	}
	if missing == nil {
		return nil
	}
	if f.Def.Flags&DefPython != 0 || !missingPos {
		return th.TypeErrorf("%s", missingText(f.title(s), missing, missingPos))
	}
	return f.tooFew(th, s, out, npos, kw)
}

func (f *NativeFunc) tooFew(th *Thread, s *Signature, out []Value, npos, kw int) error {
	lo, hi, given := s.Min, s.NPos, npos
	name := f.display(s)
	if f.Class != nil {
		if npos == 0 && f.Header.Type == &WrapperDescrClass.Type {
			return th.TypeErrorf("descriptor '%s' of '%s' object needs an argument", s.Name, f.Class.Name)
		}
		if npos == 0 {
			return th.TypeErrorf("unbound method %s.%s() needs an argument", f.Class.Name, s.Name)
		}
		lo, hi, given = lo-1, hi-1, given-1
		if f.isWrapper() {
			return th.wrapperArity(f.Class, s, given)
		}
		if hi == 1 && lo == 1 {
			name = f.qualified(s)
		}
	} else if s.NoKw && hi == 1 && lo == 1 {
		name = f.inModule(s)
	}
	if s.NoKw {
		return th.TypeErrorf("%s", countText(name, lo, hi, given, true, kw))
	}
	for i := range s.Params {
		if out[i].IsUnbound() && !s.Params[i].Optional {
			pos := i + 1
			if f.Class != nil {
				pos--
			}
			return th.TypeErrorf("%s() missing required argument '%s' (pos %d)", f.display(s), s.Params[i].Name.s, pos)
		}
	}
	return nil
}

// missingText is CPython's message of a call without required arguments.
func missingText(name string, missing []string, positional bool) string {
	kind := "keyword-only"
	if positional {
		kind = "positional"
	}
	list := strings.Join(missing, ", ")
	switch n := len(missing); {
	case n == 2:
		list = missing[0] + " and " + missing[1]
	case n > 2:
		list = strings.Join(missing[:n-1], ", ") + ", and " + missing[n-1]
	}
	return name + "() missing " + strconv.Itoa(len(missing)) + " required " + kind + " " + plural("argument", len(missing)) + ": " + list
}
