package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/value"
)

// Instance is an object of a script class: a shape says which attribute stands
// in which slot. Attribute slots are counted places.
type Instance struct {
	Header
	shape *Shape
	slots []Value
	ext   *instExt
}

// instExt is what few instances have.
type instExt struct {
	payload Value // of a class that derives from a built-in type
	dict    *Dict // the attributes, once a script has asked for __dict__
}

// Shape is the layout of instances that got the same attributes in the same
// order. Code caches attribute places by shape.
type Shape struct {
	cls   *Class
	keys  []*Str
	index map[*Str]int // made for more than a few keys
	next  map[*Str]*Shape
	last  *Shape // the transition taken last
	dict  bool   // attributes after the slots live in a dict
}

// maxShape is the number of attributes from which on an instance keeps a dict.
const maxShape = 128

// Instances with their first attributes in the same object.
type (
	inst2 struct {
		Instance
		buf [2]Value
	}
	inst3 struct {
		Instance
		buf [3]Value
	}
	inst4 struct {
		Instance
		buf [4]Value
	}
	inst6 struct {
		Instance
		buf [6]Value
	}
	inst8 struct {
		Instance
		buf [8]Value
	}
)

// roomyInstance makes an instance with room for n attributes.
func roomyInstance(n int) *Instance {
	switch {
	case n == 0:
		return &Instance{}
	case n <= 2:
		o := &inst2{}
		o.slots = o.buf[:0]
		return &o.Instance
	case n == 3:
		o := &inst3{}
		o.slots = o.buf[:0]
		return &o.Instance
	case n == 4:
		o := &inst4{}
		o.slots = o.buf[:0]
		return &o.Instance
	case n <= 6:
		o := &inst6{}
		o.slots = o.buf[:0]
		return &o.Instance
	case n <= 8:
		o := &inst8{}
		o.slots = o.buf[:0]
		return &o.Instance
	}
	return &Instance{slots: make([]Value, 0, n)}
}

// newInstance makes an instance of a script class, or of object.
func newInstance(c *Class) *Instance {
	in := roomyInstance(max(c.hint, c.nslots))
	in.Type, in.Kind, in.shape = &c.Type, value.KindInstance, c.root
	if c.Flags&ClassFinalizer != 0 {
		in.Header.Flags |= value.FlagFinalizable
		in.Own = 1
		c.home.mortals.add(in)
	}
	for range c.nslots {
		in.slots = append(in.slots, Unbound)
	}
	return in
}

// NewInstance makes an instance of a script class, with the payload of the
// built-in type the class derives from, or Unbound.
func NewInstance(c *Class, payload Value) Value {
	in := newInstance(c)
	if !payload.IsUnbound() {
		in.ext = &instExt{payload: payload.Held().Value()}
	}
	return in.Value()
}

// Wrap gives v to class c: v itself when c is v's exact class, else an instance
// of c around v. For __new__ of built-in types.
func Wrap(c *Class, v Value) Value {
	if ClassOf(v) == c {
		return v
	}
	return NewInstance(c, v)
}

// Value is in as a script value.
func (in *Instance) Value() Value { return obj(unsafe.Pointer(in)) }

// Class is the instance's class.
func (in *Instance) Class() *Class { return (*Class)(unsafe.Pointer(in.Type)) }

func (s *Shape) find(name *Str) int {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	for i, k := range s.keys {
		if k == name {
			return i
		}
	}
	return -1
}

// with is the shape with one more attribute.
func (s *Shape) with(name *Str) *Shape {
	if s.last != nil && s.last.keys[len(s.keys)] == name {
		return s.last
	}
	t := s.next[name]
	if t == nil {
		t = &Shape{cls: s.cls, keys: append(s.keys[:len(s.keys):len(s.keys)], name)}
		if len(t.keys) > 8 {
			t.index = make(map[*Str]int, len(t.keys))
			for i, k := range t.keys {
				t.index[k] = i
			}
		}
		if s.next == nil {
			s.next = map[*Str]*Shape{}
		}
		s.next[name] = t
	}
	s.last = t
	return t
}

// Attr is the instance's own attribute. Go code gets it held: off the count.
func (in *Instance) Attr(name *Str) (Value, bool) {
	name = name.intern()
	if i := in.shape.find(name); i >= 0 {
		v := in.slots[i].Held().Value()
		return v, !v.IsUnbound()
	}
	if in.ext != nil && in.ext.dict != nil {
		return in.ext.dict.getStr(name)
	}
	return Unbound, false
}

// SetAttr stores the instance's own attribute; no descriptors.
func (in *Instance) SetAttr(th *Thread, name *Str, v Value) {
	name = name.intern()
	if i := in.shape.find(name); i >= 0 {
		th.put(&in.slots[i], v)
		return
	}
	if in.shape.dict || len(in.shape.keys) >= maxShape {
		in.Dict().putStr(name, v)
		return
	}
	in.add(in.shape.with(name), v)
}

// add moves the instance to shape s, which has one more attribute.
func (in *Instance) add(s *Shape, v Value) {
	if c := in.Class(); len(s.keys) > c.hint && c.script {
		c.hint = len(s.keys)
	}
	in.shape = s
	in.slots = append(in.slots, v)
}

// DelAttr deletes the instance's own attribute and says whether it was there.
func (in *Instance) DelAttr(th *Thread, name *Str) bool {
	name = name.intern()
	i := in.shape.find(name)
	if i >= 0 && i < in.Class().nslots {
		if in.slots[i].IsUnbound() {
			return false
		}
		th.put(&in.slots[i], Unbound)
		return true
	}
	if i < 0 && (in.ext == nil || in.ext.dict == nil) {
		return false
	}
	old := Unbound
	if i >= 0 && in.slots[i].P != nil && (*Header)(in.slots[i].P).Own != 0 { // the dict would hold it
		old, in.slots[i] = in.slots[i], None
	}
	ok := in.Dict().delStr(name)
	th.drop(old)
	return ok
}

// HasDict reports whether instances of the class have a __dict__.
func (in *Instance) HasDict() bool { return in.Class().Flags&ClassNoDict == 0 }

// Dict is the instance's __dict__: from now on its attributes live there.
func (in *Instance) Dict() *Dict {
	if in.ext != nil && in.ext.dict != nil {
		return in.ext.dict
	}
	d := newDict()
	c := in.Class()
	for i := c.nslots; i < len(in.shape.keys); i++ {
		d.putStr(in.shape.keys[i], in.slots[i])
	}
	in.setDict(d)
	return d
}

func (in *Instance) setDict(d *Dict) {
	c := in.Class()
	if in.ext == nil {
		in.ext = &instExt{payload: Unbound}
	}
	in.ext.dict = d
	if c.dicted == nil {
		c.dicted = &Shape{cls: c, keys: c.root.keys, index: c.root.index, dict: true}
	}
	in.shape = c.dicted
	clear(in.slots[c.nslots:])
	in.slots = in.slots[:c.nslots]
}

// AttrNames are the names of the instance's own attributes, in order.
func (in *Instance) AttrNames() []*Str {
	var out []*Str
	for i, k := range in.shape.keys {
		if !in.slots[i].IsUnbound() {
			out = append(out, k)
		}
	}
	if in.ext != nil && in.ext.dict != nil {
		for at := 0; ; {
			k, _, next, ok := in.ext.dict.Entry(at)
			if !ok {
				break
			}
			if s, isStr := AsStr(k); isStr {
				out = append(out, s)
			}
			at = next
		}
	}
	return out
}
