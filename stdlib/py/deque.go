package py

import (
	"strconv"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// _collections is the native core of the script module collections.
var _ = define("_collections", func() *lang.ModuleDef {
	return &lang.ModuleDef{Init: func(th *Thread, m *lang.Module) error {
		m.Set("deque", dequeClass.Value())
		m.Set("defaultdict", defaultDictClass.Value())
		m.Set("tuplegetter", tupleGetterClass.Value())
		return nil
	}, Defs: []lang.Def{{Sig: "count_elements(mapping, iterable, /)", Fn: countElements}}}
})

// deque is a ring: n items from head on.
type deque struct {
	lang.Header
	ring    []lang.Held
	head, n int
	maxlen  int // -1 none
	version int
}

var dequeClass = newClass("deque", "collections")

var dequeIterClass = newIterClass("_deque_iterator", "_collections", dequeNext)

type dequeIter struct {
	lang.Header
	d       *deque
	i       int
	version int
	back    bool
}

func dequeOf(v Value) *deque { return native[deque](v, dequeClass) }

func (d *deque) at(i int) Value     { return d.ring[(d.head+i)%len(d.ring)].Value() }
func (d *deque) set(i int, v Value) { d.ring[(d.head+i)%len(d.ring)] = v.Held() }

func (d *deque) grow() {
	if d.n < len(d.ring) {
		return
	}
	ring := make([]lang.Held, max(8, 2*len(d.ring)))
	for i := range d.n {
		ring[i] = d.ring[(d.head+i)%len(d.ring)]
	}
	d.ring, d.head = ring, 0
}

func (d *deque) push(v Value) {
	d.version++
	if d.maxlen == 0 {
		return
	}
	if d.maxlen > 0 && d.n == d.maxlen {
		d.popLeft()
	}
	d.grow()
	d.n++
	d.set(d.n-1, v)
}

func (d *deque) pushLeft(v Value) {
	d.version++
	if d.maxlen == 0 {
		return
	}
	if d.maxlen > 0 && d.n == d.maxlen {
		d.pop()
	}
	d.grow()
	d.head = (d.head + len(d.ring) - 1) % len(d.ring)
	d.n++
	d.set(0, v)
}

func (d *deque) pop() Value {
	d.version++
	v := d.at(d.n - 1)
	d.ring[(d.head+d.n-1)%len(d.ring)] = lang.Held{}
	d.n--
	return v
}

func (d *deque) popLeft() Value {
	d.version++
	v := d.at(0)
	d.ring[d.head] = lang.Held{}
	d.head = (d.head + 1) % len(d.ring)
	d.n--
	return v
}

func (d *deque) clear() {
	d.version++
	d.ring, d.head, d.n = nil, 0, 0
}

func (d *deque) items() []lang.Held {
	out := make([]lang.Held, d.n)
	for i := range out {
		out[i] = d.at(i).Held()
	}
	return out
}

func (d *deque) setItems(items []lang.Held) {
	d.version++
	d.ring, d.head, d.n = items, 0, len(items)
}

func newDequeOf(items []lang.Held, maxlen int) *deque {
	d := &deque{Header: head(dequeClass, value.KindOther), maxlen: maxlen}
	if maxlen >= 0 && len(items) > maxlen {
		items = items[len(items)-maxlen:]
	}
	d.setItems(items)
	return d
}

func (d *deque) value() Value { return Value{P: unsafe.Pointer(d)} }

// emptyDeque is IndexError of taking from an empty deque.
func emptyDeque(th *Thread) error { return th.Raise(lang.IndexError, "pop from an empty deque") }

var dequeRows = []lang.Def{
	{Sig: "append(self, item, /)", Fn: func(th *Thread, a []Value) (Value, error) { dequeOf(a[0]).push(a[1]); return none, nil }},
	{Sig: "appendleft(self, item, /)", Fn: func(th *Thread, a []Value) (Value, error) { dequeOf(a[0]).pushLeft(a[1]); return none, nil }},
	{Sig: "pop(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		if d := dequeOf(a[0]); d.n > 0 {
			return d.pop(), nil
		}
		return fail(emptyDeque(th))
	}},
	{Sig: "popleft(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
		if d := dequeOf(a[0]); d.n > 0 {
			return d.popLeft(), nil
		}
		return fail(emptyDeque(th))
	}},
	{Sig: "extend(self, iterable, /)", Fn: dequeExtend(false)},
	{Sig: "extendleft(self, iterable, /)", Fn: dequeExtend(true)},
	{Sig: "clear(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { dequeOf(a[0]).clear(); return none, nil }},
	{Sig: "copy(self, /)", Fn: dequeCopy},
	{Sig: "__copy__(self, /)", Fn: dequeCopy},
	{Sig: "count(self, value, /)", Fn: dequeCount},
	{Sig: "index(self, value, start=0, stop=9223372036854775807, /)", Fn: dequeIndex},
	{Sig: "insert(self, index, value, /)", Fn: dequeInsert},
	{Sig: "remove(self, value, /)", Fn: dequeRemove},
	{Sig: "reverse(self, /)", Fn: dequeReverse},
	{Sig: "rotate(self, n=1, /)", Fn: dequeRotate},
	{Sig: "maxlen", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return dequeMaxlen(dequeOf(a[0])), nil }},
	{Sig: "__reversed__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return newDequeIter(dequeOf(a[0]), true), nil }},
	{Sig: "__class_getitem__(cls, item, /)", Flags: lang.DefClassMethod, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewGenericAlias(a[0], a[1]), nil }},
	{Sig: "__reduce__(self, /)", Fn: dequeReduce},
}

func dequeMaxlen(d *deque) Value {
	if d.maxlen < 0 {
		return none
	}
	return lang.Int(int64(d.maxlen))
}

func init() {
	c := dequeClass
	lang.DefineMethods(c, dequeRows)
	c.New = &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		return wrap(a[0], newDequeOf(nil, -1).value()), nil
	}}
	c.Init = &lang.Def{Sig: "__init__(self, iterable=..., maxlen=None)", Fn: dequeInit}
	c.Flags |= lang.ClassUnhashable | lang.ClassSequence
	c.Len = func(th *Thread, v Value) (int, error) { return dequeOf(v).n, nil }
	c.Truth = func(th *Thread, v Value) (bool, error) { return dequeOf(v).n > 0, nil }
	c.Iter = func(th *Thread, v Value) (Value, error) { return newDequeIter(dequeOf(v), false), nil }
	c.GetItem, c.SetItem, c.DelItem = dequeGet, dequeSet, dequeDel
	c.Repr, c.Compare, c.Binary, c.InPlace = dequeRepr, dequeCompare, dequeBinary, dequeInPlace
	c.Contains = func(th *Thread, v, x Value) (bool, error) {
		i, err := dequeFind(th, dequeOf(v), x, 0, 1<<62)
		return i >= 0, err
	}
	c.Walk = func(v Value, visit func(Value)) {
		d := dequeOf(v)
		for i := range d.n {
			visit(d.at(i))
		}
	}
}

func dequeInit(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	d.maxlen = -1
	if !a[2].IsNone() {
		n, err := intOf(th, a[2])
		if err != nil {
			return fail(th.TypeErrorf("an integer is required"))
		}
		if n < 0 {
			return fail(th.ValueErrorf("maxlen must be non-negative"))
		}
		d.maxlen = n
	}
	d.clear()
	if a[1].IsUnbound() {
		return none, nil
	}
	return none, each(th, a[1], func(x Value) error { d.push(x); return nil })
}

func dequeExtend(left bool) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		d := dequeOf(a[0])
		src := a[1]
		if dequeOf(src) == d {
			src = lang.ListOf(d.items()).Value()
		}
		return none, each(th, src, func(x Value) error {
			if left {
				d.pushLeft(x)
			} else {
				d.push(x)
			}
			return nil
		})
	}
}

func dequeCopy(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	if c := lang.ClassOf(a[0]); c != dequeClass {
		return th.Call(c.Value(), []Value{a[0], dequeMaxlen(d)})
	}
	return newDequeOf(d.items(), d.maxlen).value(), nil
}

func dequeReduce(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	return lang.NewTuple(lang.ClassOf(a[0]).Value(), lang.NewTuple(lang.ListOf(d.items()).Value(), dequeMaxlen(d))), nil
}

func dequeFind(th *Thread, d *deque, x Value, from, to int) (int, error) {
	version := d.version
	for i := from; i < to && i < d.n; i++ {
		eq, err := lang.Same(th, d.at(i), x)
		if err != nil {
			return -1, err
		}
		if d.version != version {
			return -1, th.Raise(lang.RuntimeError, "deque mutated during iteration")
		}
		if eq {
			return i, nil
		}
	}
	return -1, nil
}

func dequeCount(th *Thread, a []Value) (Value, error) {
	d, n := dequeOf(a[0]), 0
	for i := 0; i < d.n; i++ {
		eq, err := lang.Same(th, d.at(i), a[1])
		if err != nil {
			return fail(err)
		}
		if eq {
			n++
		}
	}
	return lang.Int(int64(n)), nil
}

func dequeIndex(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	from, err := intOf(th, a[2])
	if err != nil {
		return fail(err)
	}
	to, err := intOf(th, a[3])
	if err != nil {
		return fail(err)
	}
	if from < 0 {
		from = max(from+d.n, 0)
	}
	if to < 0 {
		to = max(to+d.n, 0)
	}
	i, err := dequeFind(th, d, a[1], from, to)
	if err == nil && i < 0 {
		s, _ := lang.Repr(th, a[1])
		err = th.ValueErrorf("%s is not in deque", s)
	}
	return lang.Int(int64(i)), err
}

func dequeInsert(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	i, err := intOf(th, a[1])
	if err != nil {
		return fail(err)
	}
	if d.maxlen >= 0 && d.n >= d.maxlen {
		return fail(th.Raise(lang.IndexError, "deque already at its maximum size"))
	}
	if i < 0 {
		i = max(i+d.n, 0)
	}
	i = min(i, d.n)
	items := d.items()
	items = append(items[:i:i], append([]lang.Held{a[2].Held()}, items[i:]...)...)
	d.setItems(items)
	return none, nil
}

func dequeRemove(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	i, err := dequeFind(th, d, a[1], 0, 1<<62)
	if err != nil {
		return fail(err)
	}
	if i < 0 {
		s, _ := lang.Repr(th, a[1])
		return fail(th.ValueErrorf("%s is not in deque", s))
	}
	d.remove(i)
	return none, nil
}

func (d *deque) remove(i int) {
	items := d.items()
	d.setItems(append(items[:i], items[i+1:]...))
}

func dequeReverse(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	items := d.items()
	for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
		items[i], items[j] = items[j], items[i]
	}
	d.setItems(items)
	return none, nil
}

func dequeRotate(th *Thread, a []Value) (Value, error) {
	d := dequeOf(a[0])
	k, err := intOf(th, a[1])
	if err != nil || d.n == 0 {
		return none, err
	}
	k = ((k % d.n) + d.n) % d.n
	items := d.items()
	d.setItems(append(append([]lang.Held(nil), items[d.n-k:]...), items[:d.n-k]...))
	return none, nil
}

func (d *deque) place(th *Thread, key Value) (int, error) {
	if !lang.HasIndex(key) {
		return 0, th.TypeErrorf("sequence index must be integer, not '%s'", lang.TypeName(key))
	}
	i, err := lang.IndexInt(th, key, lang.IndexError)
	if err != nil {
		return 0, err
	}
	if i < 0 {
		i += d.n
	}
	if i < 0 || i >= d.n {
		return 0, th.Raise(lang.IndexError, "deque index out of range")
	}
	return i, nil
}

func dequeGet(th *Thread, v, key Value) (Value, error) {
	d := dequeOf(v)
	i, err := d.place(th, key)
	if err != nil {
		return fail(err)
	}
	return d.at(i), nil
}

func dequeSet(th *Thread, v, key, x Value) error {
	d := dequeOf(v)
	i, err := d.place(th, key)
	if err == nil {
		d.set(i, x)
	}
	return err
}

func dequeDel(th *Thread, v, key Value) error {
	d := dequeOf(v)
	i, err := d.place(th, key)
	if err == nil {
		d.remove(i)
	}
	return err
}

func dequeRepr(th *Thread, v Value) (Value, error) {
	d := dequeOf(v)
	name := lang.ClassOf(v).Name
	if !th.Guard(v) {
		return lang.NewStr("[...]"), nil
	}
	defer th.Unguard()
	s, err := lang.Repr(th, lang.ListOf(d.items()).Value())
	if d.maxlen >= 0 {
		s += ", maxlen=" + strconv.Itoa(d.maxlen)
	}
	return lang.NewStr(name + "(" + s + ")"), err
}

func dequeCompare(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
	x, y := dequeOf(a), dequeOf(b)
	if x == nil || y == nil {
		return lang.NotImplemented, nil
	}
	return lang.Compare(th, op, lang.ListOf(x.items()).Value(), lang.ListOf(y.items()).Value())
}

func dequeBinary(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, y := dequeOf(a), dequeOf(b)
	switch {
	case op == lang.OpAdd && x != nil:
		if y == nil {
			return fail(th.TypeErrorf("can only concatenate deque (not \"%s\") to deque", lang.TypeName(b)))
		}
		return newDequeOf(append(x.items(), y.items()...), x.maxlen).value(), nil
	case op == lang.OpMul && x != nil && lang.HasIndex(b):
		return dequeTimes(th, x, b)
	case op == lang.OpMul && y != nil && lang.HasIndex(a):
		return dequeTimes(th, y, a)
	}
	return lang.NotImplemented, nil
}

func dequeTimes(th *Thread, d *deque, count Value) (Value, error) {
	n, err := intOf(th, count)
	if err == nil {
		err = th.CheckRepeat(max(n, 0), d.n, 16)
	}
	if err != nil {
		return fail(err)
	}
	var items []lang.Held
	for range max(n, 0) {
		items = append(items, d.items()...)
	}
	return newDequeOf(items, d.maxlen).value(), nil
}

func dequeInPlace(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	switch op {
	case lang.OpAdd:
		_, err := dequeExtend(false)(th, []Value{a, b})
		return a, err
	case lang.OpMul:
		r, err := dequeTimes(th, dequeOf(a), b)
		if err == nil {
			dequeOf(a).setItems(dequeOf(r).items())
		}
		return a, err
	}
	return lang.NotImplemented, nil
}

func newDequeIter(d *deque, back bool) Value {
	return Value{P: unsafe.Pointer(&dequeIter{head(dequeIterClass, value.KindIter), d, 0, d.version, back})}
}

func dequeNext(th *Thread, v Value) (Value, bool, error) {
	it := (*dequeIter)(v.P)
	if it.version != it.d.version {
		return ends(th, th.Raise(lang.RuntimeError, "deque mutated during iteration"))
	}
	if it.i >= it.d.n {
		return done(th)
	}
	it.i++
	if it.back {
		return it.d.at(it.d.n - it.i), true, nil
	}
	return it.d.at(it.i - 1), true, nil
}

// ---- defaultdict ----

// defaultDictClass derives from dict: the factory stands in the instance.
var defaultDictClass = lang.NewBuiltinClass("defaultdict", "collections", value.KindDict, lang.DictClass)

func init() {
	c := defaultDictClass
	c.New = &lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: func(th *Thread, a []Value) (Value, error) {
		k, _ := lang.AsClass(a[0])
		v := lang.NewInstance(k, lang.NewDict().Value())
		in, _ := lang.AsInstance(v)
		in.SetAttr(th, factoryName, none)
		return v, nil
	}}
	c.Init = &lang.Def{Sig: "__init__(self, /, *args, **kwargs)", Fn: defaultDictInit}
	c.GetItem = defaultDictGet
	c.Repr = defaultDictRepr
	c.Binary = defaultDictBinary
	lang.DefineMethods(c, []lang.Def{
		{Sig: "__missing__(self, key, /)", Fn: func(th *Thread, a []Value) (Value, error) { return defaultMissing(th, a[0], a[1]) }},
		{Sig: "copy(self, /)", Fn: defaultDictCopy},
		{Sig: "__copy__(self, /)", Fn: defaultDictCopy},
		{Sig: "__reduce__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			f, d := factory(a[0]), lang.NewDict()
			if err := d.Update(th, a[0]); err != nil {
				return fail(err)
			}
			args := lang.NewTuple(f)
			if f.IsNone() {
				args = lang.NewTuple()
			}
			it, err := th.CallMethod(d.Value(), "items")
			if err == nil {
				it, err = lang.Iter(th, it)
			}
			return lang.NewTuple(lang.ClassOf(a[0]).Value(), args, none, none, it), err
		}},
	})
}

var factoryName = lang.Intern("default_factory")

func factory(v Value) Value {
	if in, ok := lang.AsInstance(v); ok {
		if f, ok := in.Attr(factoryName); ok {
			return f
		}
	}
	return none
}

func defaultDictInit(th *Thread, a []Value) (Value, error) {
	t, _ := lang.AsTuple(a[1])
	in, _ := lang.AsInstance(a[0])
	args := lang.Values(t.Items())
	if len(args) > 0 {
		if !args[0].IsNone() && !lang.IsCallable(args[0]) {
			return fail(th.TypeErrorf("first argument must be callable or None"))
		}
		in.SetAttr(th, factoryName, args[0].Held().Value())
		args = args[1:]
	}
	if len(args) > 1 {
		return fail(th.TypeErrorf("defaultdict expected at most 2 arguments, got %d", t.Len()))
	}
	d, _ := lang.AsDict(a[0])
	if len(args) == 1 {
		if err := d.Update(th, args[0]); err != nil {
			return fail(err)
		}
	}
	return none, d.Update(th, a[2])
}

func defaultDictGet(th *Thread, v, key Value) (Value, error) {
	d, _ := lang.AsDict(v)
	x, ok, err := d.Get(th, key)
	if err != nil || ok {
		return x, err
	}
	if lang.ClassOf(v) != defaultDictClass {
		return th.CallMethod(v, "__missing__", key)
	}
	return defaultMissing(th, v, key)
}

func defaultMissing(th *Thread, v, key Value) (Value, error) {
	f := factory(v)
	if f.IsNone() {
		return fail(th.RaiseArgs(lang.KeyError, key))
	}
	x, err := th.Call(f, nil)
	if err != nil {
		return fail(err)
	}
	d, _ := lang.AsDict(v)
	return x, d.Put(th, key, x)
}

func defaultDictRepr(th *Thread, v Value) (Value, error) {
	d, _ := lang.AsDict(v)
	if !th.Guard(v) {
		return lang.NewStr(lang.ClassOf(v).Name + "(...)"), nil
	}
	defer th.Unguard()
	f, err := lang.Repr(th, factory(v))
	if err != nil {
		return fail(err)
	}
	s, err := lang.Repr(th, d.Value())
	return lang.NewStr(lang.ClassOf(v).Name + "(" + f + ", " + s + ")"), err
}

func defaultDictCopy(th *Thread, a []Value) (Value, error) {
	return th.Call(lang.ClassOf(a[0]).Value(), []Value{factory(a[0]), a[0]})
}

func defaultDictBinary(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	_, ok := lang.AsDict(a)
	other, ok2 := lang.AsDict(b)
	if op != lang.OpOr || !ok || !ok2 {
		return lang.NotImplemented, nil
	}
	src := a
	if lang.ClassOf(a) == lang.DictClass {
		src = b
	}
	r, err := th.Call(lang.ClassOf(src).Value(), []Value{factory(src), a})
	if err != nil {
		return fail(err)
	}
	d, _ := lang.AsDict(r)
	return r, d.Update(th, other.Value())
}

// countElements adds one for every item of an iterable: Counter's inner loop.
func countElements(th *Thread, a []Value) (Value, error) {
	d, ok := lang.AsDict(a[0])
	if !ok {
		return fail(th.TypeErrorf("a dict is required"))
	}
	return none, each(th, a[1], func(x Value) error {
		n, found, err := d.Get(th, x)
		if err != nil {
			return err
		}
		if !found {
			n = lang.Int(0)
		}
		if n, err = lang.BinaryOperation(th, lang.OpAdd, n, lang.Int(1)); err != nil {
			return err
		}
		return d.Put(th, x, n)
	})
}
