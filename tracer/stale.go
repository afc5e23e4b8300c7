package tracer

import (
	"fmt"
	"slices"
	"unsafe"
	"weak"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
	"github.com/tfs-lang/tfs/tensor"
)

// A trace freezes the Python values that it reads. The alarm tells when one of them
// has changed since: reads of cells and objects make them watched, a store into a
// watched thing marks the captures that read it, and a hit looks at marks alone.
// Elements of lists and dicts have no mark; the few there are are compared.

// captured is one place outside that a trace read.
type captured struct {
	parent *captured // that gave the container, of an element
	name   string    // as a script would write it
	line   int       // of the read
	fn     string    // the function that was traced

	cell *lang.Cell
	obj  weak.Pointer[lang.Header] // with attr
	attr *lang.Str
	key  lang.Value // of an element; Unbound: the container's length

	read    lang.Value // at the read, borrowed: only compared
	then    lang.Value // at the end of the trace
	text    string     // of then
	changed int        // line of the last store, 0 unknown
	dirty   bool
	done    bool // the alarm was given
	owners  []*captures
}

// captures are those of one trace.
type captures struct {
	all   []*captured
	dirty []*captured // stored into since the last look
	items []*captured // elements: looked at in each call
}

// reads collects the captures of a trace under way.
type reads struct {
	all     []*captured
	seen    map[readKey]bool
	outside map[unsafe.Pointer]*captured // containers and objects that came from outside
}

type readKey struct {
	p    unsafe.Pointer
	name string
}

// ReadCell implements lang.Reader.
func (st *stager) ReadCell(f *lang.Frame, name string, c *lang.Cell) {
	st.t.reads.add(st, f, &captured{name: name, cell: c}, readKey{unsafe.Pointer(c), ""})
}

// ReadAttr implements lang.Reader.
func (st *stager) ReadAttr(f *lang.Frame, o lang.Value, name *lang.Str) {
	from := st.t.reads.outside[o.P]
	if from == nil && o.Kind() != value.KindModule {
		return
	}
	key := readKey{o.P, name.String()}
	if c := lang.ModuleCell(o, name); c != nil {
		st.t.reads.add(st, f, &captured{name: name.String(), cell: c}, key)
	} else if from != nil && (o.Kind() == value.KindInstance || o.Kind() == value.KindClass) {
		st.t.reads.add(st, f, &captured{name: from.name + "." + name.String(), obj: weak.Make(o.Head()), attr: name}, key)
	}
}

// ReadItem implements lang.Reader.
func (st *stager) ReadItem(f *lang.Frame, o, key lang.Value) {
	from := st.t.reads.outside[o.P]
	if from == nil || from.cell == nil && from.attr == nil && from.parent == nil {
		return
	}
	switch key.Kind() {
	case value.KindInt, value.KindStr, value.KindBool:
	default:
		return
	}
	if k := o.Kind(); k != value.KindList && k != value.KindDict {
		return
	}
	text, _ := lang.Repr(st.tr.st.Th, key)
	st.t.reads.add(st, f, &captured{parent: from, name: from.name + "[" + text + "]", key: key.Held().Value()}, readKey{o.P, "[" + text})
}

// add notes a read, the first time.
func (r *reads) add(st *stager, f *lang.Frame, c *captured, key readKey) {
	if r.seen[key] {
		return
	}
	if r.seen == nil {
		r.seen = map[readKey]bool{}
	}
	r.seen[key] = true
	v, _ := c.now(st.tr.st.Th)
	switch v.Kind() {
	case value.KindUnbound, value.KindNative, value.KindSym:
		return
	}
	c.read, c.line, c.fn = v, f.Line(), st.t.fn.Name
	r.from(v, c)
	if v.Kind() != value.KindModule {
		r.all = append(r.all, c)
	}
}

// from notes that v came from outside.
func (r *reads) from(v lang.Value, c *captured) {
	switch v.Kind() {
	case value.KindInstance, value.KindClass, value.KindModule, value.KindList, value.KindDict:
		if r.outside == nil {
			r.outside = map[unsafe.Pointer]*captured{}
		}
		if r.outside[v.P] == nil {
			r.outside[v.P] = c
		}
	}
}

// now is the value in the place, borrowed; false when the place is gone.
func (c *captured) now(th *lang.Thread) (lang.Value, bool) {
	switch {
	case c.cell != nil:
		return c.cell.Peek(), true
	case c.attr != nil:
		p := c.obj.Value()
		if p == nil {
			return lang.Unbound, false
		}
		return th.PeekAttr(value.Of(p), c.attr), true
	}
	o, ok := c.parent.now(th)
	if !ok {
		return lang.Unbound, false
	}
	return element(th, o, c.key), true
}

// element is o[key] of a list or dict, Unbound if there is none.
func element(th *lang.Thread, o, key lang.Value) lang.Value {
	if d, ok := lang.AsDict(o); ok {
		if v, found, err := d.Get(th, key); err == nil && found {
			return v
		}
		return lang.Unbound
	}
	items, ok := lang.Sequence(o)
	if !ok || !key.IsInt() {
		return lang.Unbound
	}
	i := int(key.N)
	if i < 0 {
		i += len(items)
	}
	if i < 0 || i >= len(items) {
		return lang.Unbound
	}
	return items[i].Value()
}

// settle makes the captures of a finished trace: what the trace itself changed (its
// counters) is none, the others are watched from now on.
func (tr *Tracer) settle(r *reads) *captures {
	th := tr.st.Th
	cs := &captures{}
	for _, c := range r.all {
		v, ok := c.now(th)
		if !ok || v != c.read || v.Kind() == value.KindSym || v.Kind() == value.KindList || v.Kind() == value.KindDict {
			continue
		}
		c.then, c.text = v, describe(th, v)
		cs.adopt(c)
		tr.watchCapture(c)
	}
	return cs
}

// adopt adds a capture, of this trace or of one that it calls.
func (cs *captures) adopt(c *captured) {
	c.owners = append(c.owners, cs)
	cs.all = append(cs.all, c)
	if c.parent != nil {
		cs.items = append(cs.items, c)
	}
}

// watchCapture sets the flag on what a store would change.
func (tr *Tracer) watchCapture(c *captured) {
	if tr.watched == nil {
		tr.watched = map[uintptr][]weak.Pointer[captured]{}
		tr.st.Th.Interp.Stored = tr.stored
	}
	watch := func(h *lang.Header) {
		lang.Watch(h)
		at := uintptr(unsafe.Pointer(h))
		l := tr.watched[at]
		if n := len(l); n >= 64 && n&(n-1) == 0 { // of traces that are gone
			l = slices.DeleteFunc(l, func(p weak.Pointer[captured]) bool { return p.Value() == nil })
		}
		tr.watched[at] = append(l, weak.Make(c))
	}
	switch {
	case c.cell != nil:
		watch(&c.cell.Header)
	case c.attr != nil:
		if p := c.obj.Value(); p != nil {
			watch(p)
			for _, k := range classesOf(value.Of(p)) {
				if k.IsScript() {
					watch(&k.Header)
				}
			}
		}
	}
}

// stored marks the captures that read a thing which changes now.
func (tr *Tracer) stored(th *lang.Thread, h *lang.Header) {
	at := uintptr(unsafe.Pointer(h))
	kept := tr.watched[at][:0]
	_, line := callSite(th)
	for _, p := range tr.watched[at] {
		c := p.Value()
		if c == nil || c.done {
			continue
		}
		kept = append(kept, p)
		c.changed = line
		if !c.dirty {
			c.dirty = true
			for _, cs := range c.owners {
				cs.dirty = append(cs.dirty, c)
			}
		}
	}
	if len(kept) == 0 {
		delete(tr.watched, at)
		h.Flags &^= value.FlagWatched
		return
	}
	tr.watched[at] = kept
}

// check gives the alarm for what differs from what the trace read.
func (cf *ConcreteFunction) check() error {
	cs, tr := cf.reads, cf.fn.tr
	dirty := cs.dirty
	cs.dirty = nil
	for _, c := range dirty {
		c.dirty = false
		if err := tr.compare(cf, c); err != nil {
			return err
		}
	}
	for _, c := range cs.items {
		if err := tr.compare(cf, c); err != nil {
			return err
		}
	}
	return nil
}

// compare looks at one capture; the alarm is given once, unless it is an error.
func (tr *Tracer) compare(cf *ConcreteFunction, c *captured) error {
	if c.done {
		return nil
	}
	th := tr.st.Th
	v, ok := c.now(th)
	if !ok || alike(th, c.then, v) {
		return nil
	}
	now := "deleted"
	if !v.IsUnbound() {
		now = describe(th, v)
	}
	since := ""
	if c.changed != 0 {
		since = fmt.Sprintf(" since line %d", c.changed)
	}
	text := fmt.Sprintf("%s was traced with %s = %s (read at line %d); it is %s%s, but the trace keeps the old value. "+
		"Pass it as an argument, or keep it in a tf.Variable.", c.fn, c.name, c.text, c.line, now, since)
	if tr.Strict {
		for _, cs := range c.owners { // the next call fails as well
			cs.dirty = append(cs.dirty, c)
		}
		return th.Raise(lang.RuntimeError, "%s", text)
	}
	c.done = true
	cf.entry.Stale = append(cf.entry.Stale, fmt.Sprintf("%s = %s at line %d, now %s%s", c.name, c.text, c.line, now, since))
	tr.Log("WARNING", text)
	return nil
}

// alike: the change can't alter what the trace computes.
func alike(th *lang.Thread, a, b lang.Value) bool {
	if a == b {
		return true
	}
	if a.Kind() != b.Kind() {
		return false
	}
	switch a.Kind() {
	case value.KindInt, value.KindFloat, value.KindBool, value.KindBig, value.KindStr, value.KindBytes, value.KindTuple:
		same, err := lang.Equal(th, a, b)
		return err == nil && same
	case value.KindFunc:
		f, _ := lang.AsFunc(a)
		g, _ := lang.AsFunc(b)
		return f.Code() == g.Code()
	}
	return false
}

// longest is how much of a value an alarm shows.
const longest = 60

// describe is a short text of v that runs no script code.
func describe(th *lang.Thread, v lang.Value) string {
	text := ""
	switch v.Kind() {
	case value.KindInt, value.KindFloat, value.KindBool, value.KindNone, value.KindBig, value.KindStr, value.KindBytes, value.KindComplex:
		text, _ = lang.Repr(th, v)
	case value.KindTensor:
		if t := tensor.Of(v); t.Len() == 1 {
			text, _ = lang.StrOf(th, v)
		} else {
			text = "a tensor of shape " + t.Shape().String() + " and dtype " + t.DType().Name()
		}
	case value.KindFunc:
		f, _ := lang.AsFunc(v)
		text = "function " + f.Code().Name
	default:
		text = "an object of class " + lang.TypeName(v)
	}
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	return text
}

// roots makes the arguments of a trace, and its receiver, known as outside objects.
func (t *trace) roots() {
	for i, v := range t.args {
		if v.Kind() == value.KindInstance {
			t.reads.from(v, &captured{name: t.b.names[i]})
		}
	}
	if t.fn.self != nil {
		t.reads.from(t.fn.self.value(), &captured{name: "self"})
	} else if b, ok := lang.AsBound(t.fn.Python); ok {
		t.reads.from(b.Self, &captured{name: "self"})
	}
}

// inherit takes over what an inner function read that is called while tracing.
func (t *trace) inherit(cs *captures) {
	if cs != nil {
		t.inner = append(t.inner, cs)
	}
}

// classesOf are the classes in which an attribute of o may stand.
func classesOf(o lang.Value) []*lang.Class {
	if o.Kind() == value.KindClass {
		return (*lang.Class)(o.P).MRO
	}
	return lang.ClassOf(o).MRO
}
