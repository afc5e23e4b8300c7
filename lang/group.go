package lang

// Exception groups: Data holds the message and the tuple of exceptions.

// GroupMembers are the exceptions of a group.
func GroupMembers(e *Exception) []*Exception {
	if len(e.Data) < 2 {
		return nil
	}
	t, ok := AsTuple(e.Data[1])
	if !ok {
		return nil
	}
	list := make([]*Exception, 0, len(t.items))
	for _, h := range t.items {
		if x, ok := AsException(h.Value()); ok {
			list = append(list, x)
		}
	}
	return list
}

// DeriveGroup is a group of some of e's exceptions, made by its method derive,
// with e's place and notes; nil for none.
func (th *Thread) DeriveGroup(e *Exception, items []Value) (*Exception, error) {
	if len(items) == 0 {
		return nil, nil
	}
	v, err := th.CallMethod(e.Value(), "derive", NewList(items...))
	if err != nil {
		return nil, err
	}
	g, ok := AsException(v)
	if !ok {
		return nil, th.TypeErrorf("derive must return an instance of BaseExceptionGroup")
	}
	g.Cause, g.Context, g.Suppress, g.Trace = e.Cause, e.Context, true, e.Trace
	if e.Notes != nil {
		g.Notes = ListOf(append([]Held(nil), e.Notes.items...))
	}
	return g, nil
}

// matchGroup is the test of an except* clause: the part of e that matches the class
// or tuple c, and the rest, as a tuple; None for an empty one. An exception that is
// no group matches as a group of its own.
func (th *Thread) matchGroup(e *Exception, c Value) (Value, error) {
	if err := th.checkGroupTest(c); err != nil {
		return Unbound, err
	}
	if e == nil {
		return NewTuple(None, None), nil
	}
	all, err := th.matchException(e, c)
	switch {
	case err != nil:
		return Unbound, err
	case all && e.IsA(BaseExceptionGroup):
		return NewTuple(e.Value(), None), nil
	case all:
		g, err := th.newGroup(NewTuple(e.Value()))
		return NewTuple(g, None), err
	case e.fatal != nil || !e.IsA(BaseExceptionGroup):
		return NewTuple(None, e.Value()), nil
	}
	pair, err := th.CallMethod(e.Value(), "split", c)
	if err != nil {
		return Unbound, err
	}
	if t, ok := AsTuple(pair); !ok || len(t.items) != 2 {
		return Unbound, th.TypeErrorf("%s.split must return a 2-tuple", e.Class().Name)
	}
	return pair, nil
}

// checkGroupTest refuses what no except* clause can catch.
func (th *Thread) checkGroupTest(c Value) error {
	classes := []Held{c.Held()}
	if t, ok := AsTuple(c); ok {
		classes = t.items
	}
	for _, h := range classes {
		if x, ok := AsClass(h.Value()); !ok || x.Flags&ClassException == 0 {
			return th.TypeErrorf("catching classes that do not inherit from BaseException is not allowed")
		}
	}
	for _, h := range classes {
		if x, _ := AsClass(h.Value()); x.IsSub(BaseExceptionGroup) {
			return th.TypeErrorf("catching ExceptionGroup with except* is not allowed. Use except instead.")
		}
	}
	return nil
}

func (th *Thread) newGroup(members Value) (Value, error) {
	return th.Call(BaseExceptionGroup.Value(), []Value{NewStr(""), members})
}

// afterGroup is what a try statement with except* clauses raises at its end for the
// exception orig: list holds what its clauses raised and what none of them caught.
// What is still of orig keeps orig's structure. None: nothing is left.
func (th *Thread) afterGroup(orig *Exception, list *List) (Value, error) {
	var raised []Value
	kept := map[*Exception]bool{}
	for _, h := range list.items {
		e, ok := AsException(h.Value())
		switch {
		case !ok:
		case !orig.IsA(BaseExceptionGroup):
			return e.Value(), nil // only one clause can have caught it
		case e.Trace == orig.Trace && e.Cause == orig.Cause && e.Context == orig.Context:
			leaves(e, kept)
		default:
			raised = append(raised, e.Value())
		}
	}
	if len(kept) > 0 {
		g, err := th.project(orig, kept)
		if err != nil {
			return Unbound, err
		}
		if g != nil {
			raised = append(raised, g.Value())
		}
	}
	switch len(raised) {
	case 0:
		return None, nil
	case 1:
		return raised[0], nil
	}
	return th.newGroup(NewList(raised...))
}

func leaves(e *Exception, into map[*Exception]bool) {
	if !e.IsA(BaseExceptionGroup) {
		into[e] = true
		return
	}
	for _, x := range GroupMembers(e) {
		leaves(x, into)
	}
}

// project is the part of e that holds the leaves in kept, or nil.
func (th *Thread) project(e *Exception, kept map[*Exception]bool) (*Exception, error) {
	if !e.IsA(BaseExceptionGroup) {
		if kept[e] {
			return e, nil
		}
		return nil, nil
	}
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	var items []Value
	for _, x := range GroupMembers(e) {
		p, err := th.project(x, kept)
		if err != nil {
			return nil, err
		}
		if p != nil {
			items = append(items, p.Value())
		}
	}
	return th.DeriveGroup(e, items)
}
