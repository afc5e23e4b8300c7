package lang

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"unsafe"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/value"
)

// A frozen run is the bytes of everything that a paused thread can reach: frames
// (code, instruction number, slots), modules and objects. Objects are numbered;
// what belongs to the binary (built-in classes, functions, modules in Go) is
// written by name. One function per kind of object, fields, both writes and reads.

// codec writes or reads. Errors stick.
type codec struct {
	th     *Thread
	saving bool
	w      []byte
	r      []byte
	err    error
	ids    map[unsafe.Pointer]int
	objs   []Value
	links  []*Linked
	linkID map[*Linked]int
	roots  []*code.Code // code objects of whole texts
	codeID map[*code.Code]codeRef
	after  []func() // to do when all objects are read
}

type codeRef struct{ root, index int }

func (c *codec) fail(format string, a ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("freeze: "+format, a...)
	}
}

func (c *codec) int(i *int) {
	if c.saving {
		c.w = binary.AppendVarint(c.w, int64(*i))
		return
	}
	v, n := binary.Varint(c.r)
	if n <= 0 {
		c.fail("truncated")
		c.r = nil
		return
	}
	*i, c.r = int(v), c.r[n:]
}

func (c *codec) num(i int) int { c.int(&i); return i }

func (c *codec) bits(u *uint64) {
	if c.saving {
		c.w = binary.LittleEndian.AppendUint64(c.w, *u)
		return
	}
	if len(c.r) < 8 {
		c.fail("truncated")
		return
	}
	*u, c.r = binary.LittleEndian.Uint64(c.r), c.r[8:]
}

func (c *codec) text(s *string) {
	n := c.num(len(*s))
	if c.saving {
		c.w = append(c.w, *s...)
		return
	}
	if n < 0 || n > len(c.r) {
		c.fail("truncated")
		return
	}
	*s, c.r = string(c.r[:n]), c.r[n:]
}

func (c *codec) flag(b *bool) {
	i := 0
	if *b {
		i = 1
	}
	*b = c.num(i) != 0
}

// Tags of values.
const (
	tagInt = iota
	tagFloat
	tagBool
	tagNone
	tagUnbound
	tagNotImplemented
	tagEllipsis
	tagObject
)

func (c *codec) val(v *Value) {
	tag := tagObject
	if k := v.Kind(); c.saving && k <= value.KindEllipsis {
		tag = int(k)
	}
	switch tag = c.num(tag); tag {
	case tagInt, tagFloat, tagBool:
		n := v.N
		c.bits(&n)
		if !c.saving {
			*v = [...]Value{Int(int64(n)), Float(math.Float64frombits(n)), Bool(n != 0)}[tag]
		}
	case tagNone, tagUnbound, tagNotImplemented, tagEllipsis:
		*v = [...]Value{None, Unbound, NotImplemented, Ellipsis}[tag-tagNone]
	default:
		c.ref(v)
	}
}

// ref is the number of an object; a new one is noted for writing.
func (c *codec) ref(v *Value) {
	id := 0
	if c.saving {
		id = c.id(*v)
	}
	id = c.num(id)
	if !c.saving {
		if id < 0 || id >= len(c.objs) {
			c.fail("object %d is not there", id)
			return
		}
		*v = c.objs[id]
	}
}

func (c *codec) id(v Value) int {
	id, ok := c.ids[v.P]
	if !ok {
		id = len(c.objs)
		c.ids[v.P] = id
		c.objs = append(c.objs, v)
	}
	return id
}

func (c *codec) held(h *Held) { v := h.Value(); c.val(&v); *h = v.Held() }

func (c *codec) helds(hs *[]Held) {
	n := c.num(len(*hs))
	if !c.saving {
		*hs = make([]Held, c.count(n))
	}
	for i := range *hs {
		c.held(&(*hs)[i])
	}
}

func (c *codec) values(vs *[]Value) {
	n := c.num(len(*vs))
	if !c.saving {
		*vs = make([]Value, c.count(n))
	}
	for i := range *vs {
		c.val(&(*vs)[i])
	}
}

// count bounds a length that was read by what is left to read.
func (c *codec) count(n int) int {
	if n < 0 || n > len(c.r) {
		c.fail("bad length")
		return 0
	}
	return n
}

// ptr writes and reads a pointer to an object that may be nil.
func ptr[T any](c *codec, p **T) {
	v := None
	if c.saving && *p != nil {
		v = obj(unsafe.Pointer(*p))
	}
	c.val(&v)
	if !c.saving {
		*p = nil
		if !v.IsNone() {
			*p = (*T)(v.P)
		}
	}
}

func (c *codec) name(s **Str) {
	t := ""
	if c.saving && *s != nil {
		t = (*s).s
	}
	c.text(&t)
	if !c.saving {
		*s = Intern(t)
	}
}

// linked writes and reads a code object with its namespace.
func (c *codec) linked(l **Linked) {
	id := 0
	if c.saving {
		var ok bool
		if id, ok = c.linkID[*l]; !ok {
			id = len(c.links)
			c.linkID[*l] = id
			c.links = append(c.links, *l)
			c.id((*l).globals.Value())
			if _, known := c.codeID[(*l).code]; !known {
				c.addRoot((*l).code)
			}
		}
	}
	id = c.num(id)
	if !c.saving && (id < 0 || id >= len(c.links)) {
		c.fail("code %d is not there", id)
		return
	}
	*l = c.links[id]
}

// addRoot numbers a text's code objects: the one that contains cd, found by its unit.
func (c *codec) addRoot(cd *code.Code) {
	root := cd
	if u := c.th.Interp.units[cd]; u != nil {
		root = u.Code
	}
	c.roots = append(c.roots, root)
	c.number(root, len(c.roots)-1)
	if _, ok := c.codeID[cd]; !ok { // staged code, or a part whose text is not known
		c.roots[len(c.roots)-1] = cd
		c.number(cd, len(c.roots)-1)
	}
}

func (c *codec) number(root *code.Code, id int) {
	for i, cd := range codesIn(root, nil) {
		c.codeID[cd] = codeRef{id, i}
	}
}

// codesIn lists a code object and all inside it, in a fixed order.
func codesIn(cd *code.Code, list []*code.Code) []*code.Code {
	cd.Load()
	list = append(list, cd)
	for _, k := range cd.Codes {
		list = codesIn(k, list)
	}
	return list
}

// Freeze writes the paused run of a thread and everything it can reach.
func (th *Thread) Freeze() ([]byte, error) {
	if th.paused == nil {
		return nil, fmt.Errorf("freeze: no run is paused")
	}
	if th.strands.others() {
		return nil, fmt.Errorf("freeze: the script has threads that have not ended")
	}
	c := &codec{th: th, saving: true, ids: map[unsafe.Pointer]int{}, linkID: map[*Linked]int{}, codeID: map[*code.Code]codeRef{}}
	c.thread()
	thread := c.w
	bodies := c.bodies()
	if c.err != nil {
		return nil, c.err
	}
	c.w = nil
	c.num(len(c.roots))
	for _, r := range c.roots {
		b := string(code.Marshal(r))
		c.text(&b)
	}
	c.num(len(c.objs))
	for _, v := range c.objs {
		c.head(v)
	}
	c.num(len(c.links))
	for _, l := range c.links {
		ref := c.codeID[l.code]
		c.num(ref.root)
		c.num(ref.index)
		g := l.globals.Value()
		c.ref(&g)
	}
	return append(append(c.w, bodies...), thread...), c.err
}

// bodies writes the fields of all objects; writing finds more of them.
func (c *codec) bodies() []byte {
	c.w = nil
	for i := 0; i < len(c.objs) && c.err == nil; i++ {
		if !c.external(c.objs[i]) {
			c.fields(c.objs[i])
		}
	}
	return c.w
}

// Thaw reads a frozen run into a fresh interpreter; Resume goes on with it.
func (th *Thread) Thaw(b []byte) error {
	c := &codec{th: th, r: b}
	roots := make([][]*code.Code, c.count(c.num(0)))
	for i := range roots {
		var s string
		c.text(&s)
		cd, err := code.Unmarshal([]byte(s))
		if err != nil {
			return err
		}
		roots[i] = codesIn(cd, nil)
	}
	n := c.count(c.num(0))
	for range n {
		if c.err != nil {
			return c.err
		}
		c.objs = append(c.objs, c.make())
	}
	for range c.count(c.num(0)) {
		root, index := c.num(0), c.num(0)
		var g Value
		c.ref(&g)
		d, ok := AsDict(g)
		if c.err != nil || !ok || root >= len(roots) || index >= len(roots[root]) {
			return fmt.Errorf("freeze: bad code table")
		}
		c.links = append(c.links, newLinked(roots[root][index], d))
	}
	for _, v := range c.objs {
		if c.err == nil && !c.external(v) {
			c.fields(v)
		}
	}
	if c.err != nil {
		return c.err
	}
	for _, f := range c.after {
		f()
	}
	for _, l := range c.links {
		l.link()
	}
	c.thread()
	return c.err
}

// ---- what is written by name ----

// external reports an object that belongs to the binary or is written whole with
// its number.
func (c *codec) external(v Value) bool {
	switch v.Kind() {
	case value.KindStr, value.KindBytes, value.KindBig, value.KindComplex, value.KindNative:
		return true
	case value.KindClass:
		return !(*Class)(v.P).script
	case value.KindModule:
		return (*Module)(v.P).def != nil
	case value.KindProperty:
		return isBuiltinGetSet(v)
	}
	return v == c.th.Interp.Modules.Value() || v == c.th.Interp.Builtins.Value() || v == c.th.Interp.Builtins.dict.Value()
}

// isBuiltinGetSet reports a computed attribute of a built-in class.
func isBuiltinGetSet(v Value) bool {
	if v.Kind() != value.KindProperty || ClassOf(v) != GetSetClass {
		return false
	}
	c := (*GetSet)(v.P).Class // nil while one of a script class is thawed
	return c != nil && !c.script
}

// Heads of objects beside the plain kinds.
const (
	headClass = 100 + iota
	headNative
	headMethod
	headModule
	headModules
	headBuiltins
	headBuiltinsDict
)

// head writes what it takes to make the object.
func (c *codec) head(v Value) {
	in := c.th.Interp
	switch {
	case v == in.Modules.Value():
		c.num(headModules)
	case v == in.Builtins.Value():
		c.num(headBuiltins)
	case v == in.Builtins.dict.Value():
		c.num(headBuiltinsDict)
	case v.Kind() == value.KindClass && !(*Class)(v.P).script:
		c.num(headClass)
		cl := (*Class)(v.P)
		c.text(&cl.Module)
		name := cl.Name
		c.text(&name)
	case v.Kind() == value.KindNative || isBuiltinGetSet(v):
		c.nativeHead(v)
	case v.Kind() == value.KindModule && (*Module)(v.P).def != nil:
		c.num(headModule)
		name := (*Module)(v.P).Name
		c.text(&name)
	default:
		c.num(int(v.Kind()))
		c.leaf(v)
	}
}

func (c *codec) nativeHead(v Value) {
	var class *Class
	var name, mod string
	if g := ClassOf(v); g == GetSetClass {
		class, name = (*GetSet)(v.P).Class, (*GetSet)(v.P).Name.s
	} else {
		f := (*NativeFunc)(v.P)
		class, name = f.Class, f.Name.s
		if s, ok := AsStr(f.Mod); ok {
			mod = s.s
		}
	}
	if class != nil {
		c.num(headMethod)
		c.text(&class.Module)
		c.text(&class.Name)
		c.text(&name)
		return
	}
	if mod == "" {
		c.fail("the function %s has no module to find it in", name)
	}
	c.num(headNative)
	c.text(&mod)
	c.text(&name)
}

// leaf writes the content of objects without references, and sizes.
func (c *codec) leaf(v Value) {
	switch v.Kind() {
	case value.KindStr:
		s := (*Str)(v.P)
		c.text(&s.s)
	case value.KindBytes:
		c.text(&(*Bytes)(v.P).B)
	case value.KindBig:
		s := (*Big)(v.P).V.String()
		c.text(&s)
	case value.KindComplex:
		re, im := math.Float64bits(real((*Complex)(v.P).V)), math.Float64bits(imag((*Complex)(v.P).V))
		c.bits(&re)
		c.bits(&im)
	case value.KindTuple:
		c.num(len((*Tuple)(v.P).items))
	case value.KindIter, value.KindOther, value.KindProperty:
		n := ClassOf(v).Name
		if makers[n] == nil {
			c.fail("objects of class '%s' can't be frozen yet", n)
		}
		c.text(&n)
	}
}

// make reads a head and makes the object, still empty.
func (c *codec) make() Value {
	switch k := c.num(0); k {
	case headModules:
		return c.th.Interp.Modules.Value()
	case headBuiltins:
		return c.th.Interp.Builtins.Value()
	case headBuiltinsDict:
		return c.th.Interp.Builtins.dict.Value()
	case headClass:
		return c.class().Value()
	case headMethod:
		cl := c.class()
		var name string
		c.text(&name)
		v, ok := cl.Dict().GetStr(name)
		if w, wrapped := AsWrapped(v); wrapped {
			v = w.Fn
		}
		if !ok {
			c.fail("'%s' has no %s here", cl.Name, name)
		}
		return v
	case headNative, headModule:
		return c.module(k == headNative)
	default:
		return c.plain(Kind(k))
	}
}

func (c *codec) class() *Class {
	var mod, name string
	c.text(&mod)
	c.text(&name)
	for _, list := range [][]*Class{coreClasses, exceptionClasses, builtinClasses} {
		for _, cl := range list {
			if cl.Name == name && cl.Module == mod {
				return cl
			}
		}
	}
	c.fail("no class %s.%s here", mod, name)
	return ObjectClass
}

func (c *codec) module(function bool) Value {
	var mod, name string
	c.text(&mod)
	m, err := c.th.Import(mod)
	if err == nil && function {
		c.text(&name)
		m, err = Attr(c.th, m, name)
	}
	if err != nil {
		c.fail("%s.%s: %s", mod, name, err)
		return None
	}
	return m
}

func (c *codec) plain(k Kind) Value {
	var s string
	switch k {
	case value.KindStr:
		c.text(&s)
		return NewStr(s)
	case value.KindBytes:
		c.text(&s)
		return NewBytes(s)
	case value.KindBig:
		c.text(&s)
		b, ok := new(big.Int).SetString(s, 10)
		if !ok {
			c.fail("bad int")
			return None
		}
		return BigInt(b)
	case value.KindComplex:
		var re, im uint64
		c.bits(&re)
		c.bits(&im)
		return NewComplex(complex(math.Float64frombits(re), math.Float64frombits(im)))
	case value.KindTuple:
		return newTuple(c.count(c.num(0))).Value()
	case value.KindIter, value.KindOther, value.KindProperty:
		c.text(&s)
		if f := makers[s]; f != nil {
			return f()
		}
		c.fail("objects of class '%s' can't be thawed", s)
		return None
	}
	f := kindMakers[k]
	if f == nil {
		c.fail("objects of kind %d can't be thawed", k)
		return None
	}
	return f()
}
