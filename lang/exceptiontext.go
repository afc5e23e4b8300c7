package lang

func exceptionRepr(th *Thread, v Value) (Value, error) {
	e, _ := AsException(v)
	name := e.Class().Name
	if len(e.Args.items) == 1 {
		s, err := Repr(th, e.Args.At(0))
		return NewStr(name + "(" + s + ")"), err
	}
	s, err := Repr(th, e.Args.Value())
	return NewStr(name + s), err
}

func exceptionStr(th *Thread, v Value) (Value, error) {
	e, _ := AsException(v)
	switch len(e.Args.items) {
	case 0:
		return emptyStr.Value(), nil
	case 1:
		s, err := StrValue(th, e.Args.At(0))
		if err != nil {
			return Unbound, err
		}
		return s.Value(), nil
	}
	s, err := Repr(th, e.Args.Value())
	return NewStr(s), err
}

func keyErrorStr(th *Thread, v Value) (Value, error) {
	e, _ := AsException(v)
	if len(e.Args.items) == 1 {
		s, err := Repr(th, e.Args.At(0))
		return NewStr(s), err
	}
	return exceptionStr(th, v)
}

// exceptionLine is "Class: text", the last line of a traceback. Without a thread
// no script code runs.
func exceptionLine(th *Thread, e *Exception) string {
	name := e.Class().FullName()
	if e.Class().script && e.Class().ModuleName() == "__main__" {
		name = e.Class().Qualname
	}
	text := "<exception str() failed>"
	if th != nil {
		if s, err := StrOf(th, e.Value()); err == nil {
			text = s
		}
	} else if len(e.Args.items) == 1 {
		if s, ok := AsStr(e.Args.At(0)); ok && !e.IsA(KeyError) {
			text = s.s
		} else if s, err := Repr(&Thread{Interp: &Interp{recursion: 1000}}, e.Args.At(0)); err == nil {
			text = s
		}
	} else if len(e.Args.items) == 0 {
		text = ""
	}
	if text == "" {
		return name
	}
	return name + ": " + text
}

// Message is str(e), or a mark when that fails.
func (e *Exception) Message(th *Thread) string {
	s, err := StrOf(th, e.Value())
	if err != nil {
		return "<exception str() failed>"
	}
	return s
}
