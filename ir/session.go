package ir

import "github.com/tfs-lang/tfs/tensor"

// Emitter is an interpretation of ops: one that runs them now, or one that
// appends nodes to a graph. Every op from a script, a binding or a gradient rule
// passes through Emit.
type Emitter interface{ Emit(c *Call) error }

// Constanter is an Emitter in which a tensor is not by itself a constant.
type Constanter interface {
	// Constant returns the value that stands for t; name is the node's name or "".
	Constant(t *tensor.Tensor, name string) Value
}

// Scoper is an Emitter that counts references: see Session.Begin.
type Scoper interface {
	Keep(v Value)
	Drop(v Value)
}

// Session carries the current emitter, the call frames and the first error.
// Tracing swaps the Emitter. It serves one goroutine.
type Session struct {
	Emitter
	work
	Env  *Env
	Site uint32 // current script position

	// OutputsAdded, if set, is told of results that a gradient appended to a node of
	// a graph: tapes that recorded the node must know them.
	OutputsAdded func(n *Node, outs []*Sym)

	// Scratch is room that package autodiff uses again.
	Scratch any
}

// work is what is under way in a Session.
type work struct {
	// Name is the name= of the next op; an Emit uses it up.
	Name string

	err    error
	frames []*Call
	top    int
	temps  []Value // results of the scopes that are open
	last   []Value
	scopes int
}

// Work is the part of a Session that each of the script's threads has for itself.
type Work struct {
	Emitter
	work
}

// Exchange makes other work the current one and returns what was.
func (s *Session) Exchange(w Work) Work {
	was := Work{s.Emitter, s.work}
	s.Emitter, s.work = w.Emitter, w.work
	return was
}

// Err returns the first error since the last Err, and forgets it.
func (s *Session) Err() error {
	err := s.err
	s.err = nil
	return err
}

// Failed reports an error that Err has not returned yet.
func (s *Session) Failed() bool { return s.err != nil }

// SetErr makes err the session's error if it has none.
func (s *Session) SetErr(err error) {
	if s.err == nil {
		s.err = err
	}
}

// Emit1 applies op to x. After an error it returns a poison value.
func (s *Session) Emit1(op *Op, attrs any, x Value) Value { return s.Op1(op, attrs, 0, x) }

// Emit2 applies op to x and y.
func (s *Session) Emit2(op *Op, attrs any, x, y Value) Value { return s.Op2(op, attrs, 0, x, y) }

// Op1 is Emit1 with the set of dying operands (see Call.Dying).
func (s *Session) Op1(op *Op, attrs any, dying uint32, x Value) Value {
	if s.err != nil {
		return poison
	}
	c := s.push(op, attrs, dying)
	c.Fill(op, attrs, 1)[0] = x
	return s.run(c)
}

// Op2 is Emit2 with the set of dying operands.
func (s *Session) Op2(op *Op, attrs any, dying uint32, x, y Value) Value {
	if s.err != nil {
		return poison
	}
	c := s.push(op, attrs, dying)
	in := c.Fill(op, attrs, 2)
	in[0], in[1] = x, y
	return s.run(c)
}

// EmitN applies op to any number of operands and returns the first result, nil
// if there is none. The slice is only read.
func (s *Session) EmitN(op *Op, attrs any, in ...Value) Value {
	if s.err != nil {
		return poison
	}
	c := s.push(op, attrs, 0)
	copy(c.Fill(op, attrs, len(in)), in)
	return s.run(c)
}

// EmitAll applies op and returns all results in a fresh slice; after an error,
// nil.
func (s *Session) EmitAll(op *Op, attrs any, in ...Value) []Value {
	if s.err != nil {
		return nil
	}
	c := s.push(op, attrs, 0)
	copy(c.Fill(op, attrs, len(in)), in)
	if !s.emit(c) {
		s.pop(c)
		return nil
	}
	out := append([]Value(nil), c.Out...)
	s.pop(c)
	return out
}

// OpN is EmitN with the set of dying operands; it returns all results in a slice
// that is valid until the next op, nil after an error.
func (s *Session) OpN(op *Op, attrs any, dying uint32, in ...Value) []Value {
	if s.err != nil {
		return nil
	}
	c := s.push(op, attrs, dying)
	copy(c.Fill(op, attrs, len(in)), in)
	if !s.emit(c) {
		s.pop(c)
		return nil
	}
	s.last = append(s.last[:0], c.Out...)
	s.pop(c)
	return s.last
}

func (s *Session) push(op *Op, attrs any, dying uint32) *Call {
	if s.top == len(s.frames) {
		s.frames = append(s.frames, &Call{})
	}
	c := s.frames[s.top]
	s.top++
	c.Op, c.Attrs, c.Site, c.Env = op, attrs, s.Site, s.Env
	c.Dying, c.Lent = dying&(1<<CallerDrops-1), dying>>CallerDrops
	c.Name, s.Name = s.Name, ""
	return c
}

func (s *Session) run(c *Call) (v Value) {
	if !s.emit(c) {
		v = poison
	} else if len(c.Out) != 0 {
		v = c.Out[0]
	}
	s.pop(c)
	return v
}

func (s *Session) emit(c *Call) bool {
	if err := s.Emitter.Emit(c); err != nil {
		s.SetErr(err)
		return false
	}
	if s.scopes != 0 {
		s.temps = append(s.temps, c.Out...)
	}
	return true
}

// pop clears the frame's pointers, so that it keeps nothing alive.
func (s *Session) pop(c *Call) {
	c.Clear()
	s.top--
}

// Const returns the value that stands for t under the current emitter.
func (s *Session) Const(t *tensor.Tensor) Value {
	if k, ok := s.Emitter.(Constanter); ok {
		name := s.Name
		s.Name = ""
		return k.Constant(t, name)
	}
	return t
}

// Tracing reports that ops become nodes.
func (s *Session) Tracing() bool {
	_, ok := s.Emitter.(Constanter)
	return ok
}

// Scope is an open scope of temporaries.
type Scope struct{ mark int }

// Begin opens a scope: every result emitted until End is a temporary of it, and
// End drops those that it isn't told to keep.
func (s *Session) Begin() Scope {
	s.scopes++
	return Scope{len(s.temps)}
}

// Lend hands the session to a script that runs inside a scope: what it emits is its
// own and no temporary. The result is for Restore.
func (s *Session) Lend() (scopes int) {
	scopes, s.scopes = s.scopes, 0
	return scopes
}

// Restore undoes Lend.
func (s *Session) Restore(scopes int) { s.scopes = scopes }

// End closes a scope. Afterwards the caller owns one reference of each of keep
// (nils are skipped), also of one that was not made in the scope or stands
// there twice.
func (s *Session) End(sc Scope, keep ...Value) {
	s.scopes--
	r, counted := s.Emitter.(Scoper)
	temps := s.temps[sc.mark:]
	if counted {
		for _, k := range keep {
			s.keep(r, temps, k)
		}
		for _, t := range temps {
			if t != nil {
				r.Drop(t)
			}
		}
	}
	clear(temps)
	s.temps = s.temps[:sc.mark]
}

// keep takes k out of the temporaries, or counts one more holder of it.
func (s *Session) keep(r Scoper, temps []Value, k Value) {
	if sl, ok := k.(*Slices); ok {
		s.keep(r, temps, sl.Values)
		s.keep(r, temps, sl.Indices)
		return
	}
	if k == nil {
		return
	}
	for i, t := range temps {
		if t == k {
			temps[i] = nil
			return
		}
	}
	r.Keep(k)
}
