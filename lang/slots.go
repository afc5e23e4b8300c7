package lang

import (
	"unsafe"

	"github.com/tfs-lang/tfs/lang/format"
	"github.com/tfs-lang/tfs/lang/value"
)

// setSlots gives the built-in classes their behaviour. Methods come as rows from
// the package of the built-in types.
func setSlots() {
	internNames()
	makeDunderSlots()
	emptyTuple = &Tuple{Header: head(TupleClass, value.KindTuple)}
	setNumberSlots()
	setTextSlots()
	setContainerSlots()
	setIteratorSlots()
	setCallableSlots()
	setDescriptorSlots()
	ObjectClass.rows = objectRows()
	TypeClass.rows = typeRows()
	TypeClass.New = &Def{Sig: "type(mcs, name, bases, dict, /, **kwargs)", Fn: typeNew}
	FuncClass.rows = funcRows()
	BaseException.rows = []Def{dictRow()}
	ModuleClass.rows = []Def{dictRow()}
	GeneratorClass.rows = generatorRows()
	setIntrospection()
	BaseException.Repr = exceptionRepr
	BaseException.Str = exceptionStr
	BaseException.Walk = walkException
	KeyError.Str = keyErrorStr
	NoneClass.Repr = constRepr("None")
	NoneClass.Truth = func(*Thread, Value) (bool, error) { return false, nil }
	NotImplementedClass.Repr = constRepr("NotImplemented")
	EllipsisClass.Repr = constRepr("Ellipsis")
	UnboundClass.Repr = constRepr("<unbound>")
}

func constRepr(s string) func(*Thread, Value) (Value, error) {
	return func(*Thread, Value) (Value, error) { return Intern(s).Value(), nil }
}

func setNumberSlots() {
	IntClass.Slots = Slots{Repr: intRepr, Hash: intHash, Truth: numberTruth, Binary: numbersBinary, Unary: numberUnary,
		Compare: compareNumbers, Index: numberIndex, Int: numberIndex}
	BoolClass.Slots = Slots{Repr: boolRepr, Binary: boolBinary}
	FloatClass.Slots = Slots{Repr: floatReprSlot, Hash: floatHash, Truth: numberTruth, Binary: numbersBinary, Unary: numberUnary,
		Compare: compareNumbers}
	ComplexClass.Slots = Slots{Repr: complexRepr, Hash: complexHash, Truth: complexTruth, Binary: complexBinary,
		Unary: complexUnary, Compare: compareComplex}
}

func intRepr(th *Thread, v Value) (Value, error) {
	if i, ok := AsInt(v); ok {
		return intStr(i).Value(), nil
	}
	b, _ := AsBig(v)
	s, e := format.BigText(b, th.Interp.IntDigits)
	if e != nil {
		return Unbound, th.ValueErrorf("%s", e.Text)
	}
	return newASCII(s), nil
}

func intHash(th *Thread, v Value) (int64, error) {
	if i, ok := AsInt(v); ok {
		return HashInt(i), nil
	}
	b, _ := AsBig(v)
	return HashBig(b), nil
}

func numberTruth(th *Thread, v Value) (bool, error) {
	n := number(v)
	if n.IsFloat() {
		return n.Float64() != 0, nil
	}
	return n != Int(0), nil
}

func numberIndex(th *Thread, v Value) (Value, error) { return number(v), nil }

func boolRepr(th *Thread, v Value) (Value, error) {
	if v.Truth() {
		return Intern("True").Value(), nil
	}
	return Intern("False").Value(), nil
}

func floatReprSlot(th *Thread, v Value) (Value, error) {
	return newASCII(format.FloatRepr(number(v).Float64())), nil
}

func floatHash(th *Thread, v Value) (int64, error) {
	f := number(v).Float64()
	if f != f {
		return HashIdentity(v), nil
	}
	return HashFloat(f), nil
}

func complexRepr(th *Thread, v Value) (Value, error) {
	c, _ := AsComplex(v)
	return newASCII(format.ComplexRepr(c)), nil
}

func complexHash(th *Thread, v Value) (int64, error) {
	c, _ := AsComplex(v)
	return HashComplex(c), nil
}

func complexTruth(th *Thread, v Value) (bool, error) {
	c, _ := AsComplex(v)
	return c != 0, nil
}

func setTextSlots() {
	StrClass.Slots = Slots{Repr: strRepr, Str: strStr, Hash: strHash, Len: strLen, Iter: strIter, GetItem: strGetItem,
		Contains: strContains, Binary: sequenceBinary, Compare: compareStr}
	BytesClass.Slots = Slots{Repr: bytesRepr, Hash: bytesHash, Len: bytesLen, Iter: bytesIter, GetItem: bytesGetItem,
		Contains: bytesContains, Binary: sequenceBinary, Compare: compareBytes}
	ByteArrayClass.Slots = Slots{Repr: bytesRepr, Len: bytesLen, Iter: bytesIter, GetItem: bytesGetItem,
		Contains: bytesContains, Binary: sequenceBinary, Compare: compareBytes}
}

func strRepr(th *Thread, v Value) (Value, error) {
	s, _ := AsStr(v)
	return NewStr(format.StrRepr(s.s)), nil
}

func strStr(th *Thread, v Value) (Value, error) {
	s, _ := AsStr(v)
	return s.Value(), nil
}

func strHash(th *Thread, v Value) (int64, error) { s, _ := AsStr(v); return s.Hash(), nil }
func strLen(th *Thread, v Value) (int, error)    { s, _ := AsStr(v); return s.Len(), nil }

func bytesRepr(th *Thread, v Value) (Value, error) {
	b, _ := BytesOf(v)
	if _, ok := AsByteArray(v); ok {
		return newASCII(ClassOf(v).Name + "(" + format.BytesRepr(b) + ")"), nil
	}
	return newASCII(format.BytesRepr(b)), nil
}

func bytesHash(th *Thread, v Value) (int64, error) { b, _ := AsBytes(v); return HashBytes(b.B), nil }
func bytesLen(th *Thread, v Value) (int, error)    { b, _ := BytesOf(v); return len(b), nil }

func setContainerSlots() {
	ListClass.Slots = Slots{Repr: listRepr, Len: listLen, Iter: listIter, GetItem: listGetItem, SetItem: listSetItem,
		DelItem: listDelItem, Contains: listContains, Binary: sequenceBinary, InPlace: listInPlace, Compare: compareList, Walk: walkList}
	TupleClass.Slots = Slots{Repr: tupleRepr, Hash: tupleHash, Len: tupleLen, Iter: tupleIter, GetItem: tupleGetItem,
		Contains: tupleContains, Binary: sequenceBinary, Compare: compareTuple, Walk: walkTuple}
	DictClass.Slots = Slots{Repr: dictRepr, Len: dictLen, Iter: dictIter, GetItem: dictGetItem, SetItem: dictSetItem,
		DelItem: dictDelItem, Contains: dictContains, Compare: compareDict, Binary: dictBinary, InPlace: dictInPlace, Walk: walkDict}
	SetClass.Slots = Slots{Repr: setRepr, Len: setLen, Iter: setIter, Contains: setContains, Compare: compareSet, Walk: walkSet}
	FrozenSetClass.Slots = Slots{Repr: setRepr, Hash: setHash, Len: setLen, Iter: setIter, Contains: setContains, Compare: compareSet, Walk: walkSet}
	RangeClass.Slots = Slots{Repr: rangeRepr, Hash: rangeHash, Len: rangeLength, Iter: rangeIter, GetItem: rangeGetItem,
		Contains: rangeContains, Compare: compareRange, Truth: rangeTruth}
	SliceClass.Slots = Slots{Repr: sliceRepr, Compare: compareSlice, Walk: walkSlice}
	MappingProxyClass.Slots = Slots{Repr: proxyRepr, Len: proxyLen, Iter: proxyIter, GetItem: proxyGetItem, Contains: proxyContains,
		Compare: func(th *Thread, op CompareOp, a, b Value) (Value, error) {
			if ClassOf(b) == MappingProxyClass {
				b = (*MappingProxy)(b.P).D.Value()
			}
			return compareDict(th, op, (*MappingProxy)(a.P).D.Value(), b)
		}}
	for _, c := range []*Class{DictKeysClass, DictValuesClass, DictItemsClass} {
		c.Slots = Slots{Repr: viewRepr, Len: viewLen, Iter: viewIter, Contains: viewContains}
	}
}

func listLen(th *Thread, v Value) (int, error)  { l, _ := AsList(v); return len(l.items), nil }
func tupleLen(th *Thread, v Value) (int, error) { t, _ := AsTuple(v); return len(t.items), nil }
func dictLen(th *Thread, v Value) (int, error)  { d, _ := AsDict(v); return d.Len(), nil }
func setLen(th *Thread, v Value) (int, error)   { s, _ := AsSet(v); return s.used, nil }

func tupleHash(th *Thread, v Value) (int64, error) { t, _ := AsTuple(v); return t.hashOf(th) }
func setHash(th *Thread, v Value) (int64, error)   { s, _ := AsSet(v); return s.hashOf(), nil }

func rangeLength(th *Thread, v Value) (int, error) {
	r := (*Range)(v.P)
	if r.Big != nil {
		return IndexInt(th, r.Big.Len, OverflowError)
	}
	return int(r.n), nil
}

func rangeTruth(th *Thread, v Value) (bool, error) {
	r := (*Range)(v.P)
	return r.n > 0 || r.Big != nil && r.Big.Len != Int(0), nil
}

func rangeHash(th *Thread, v Value) (int64, error) {
	r := (*Range)(v.P)
	n, start, step := Int(r.n), Int(r.Start), Int(r.Step)
	if r.Big != nil {
		n, start, step = r.Big.Len, r.Big.Start, r.Big.Step
	}
	switch {
	case n == Int(0):
		start, step = None, None
	case n == Int(1):
		step = None
	}
	return makeTuple([]Value{n, start, step}).hashOf(th)
}

func rangeRepr(th *Thread, v Value) (Value, error) {
	r := (*Range)(v.P)
	start, stop, step := Int(r.Start), Int(r.Stop), Int(r.Step)
	if b := r.Big; b != nil {
		start, stop, step = b.Start, b.Stop, b.Step
	}
	a, _ := Repr(th, start)
	b, _ := Repr(th, stop)
	c, err := Repr(th, step)
	if c == "1" {
		return newASCII("range(" + a + ", " + b + ")"), err
	}
	return newASCII("range(" + a + ", " + b + ", " + c + ")"), err
}

func sliceRepr(th *Thread, v Value) (Value, error) {
	s := (*Slice)(v.P)
	items := []Held{s.Start.Held(), s.Stop.Held(), s.Step.Held()}
	text, err := reprItems(th, items, "slice(", ")")
	return NewStr(text), err
}

func compareSlice(th *Thread, op CompareOp, a, b Value) (Value, error) {
	x, y := (*Slice)(a.P), Value{}
	if _, ok := AsSlice(b); !ok {
		return NotImplemented, nil
	}
	y = b
	s := (*Slice)(y.P)
	return compareTuple(th, op, NewTuple(x.Start, x.Stop, x.Step), NewTuple(s.Start, s.Stop, s.Step))
}

// reprItems is the items' reprs between brackets.
func reprItems(th *Thread, items []Held, open, close string) (string, error) {
	b := []byte(open)
	for i, it := range items {
		if i > 0 {
			b = append(b, ", "...)
		}
		s, err := Repr(th, it.Value())
		if err != nil {
			return "", err
		}
		b = append(b, s...)
	}
	return string(append(b, close...)), nil
}

func listRepr(th *Thread, v Value) (Value, error) {
	l, _ := AsList(v)
	if !th.Guard(l.Value()) {
		return NewStr("[...]"), nil
	}
	defer th.Unguard()
	b := []byte{'['}
	for i := 0; i < len(l.items); i++ {
		if i > 0 {
			b = append(b, ", "...)
		}
		s, err := Repr(th, l.items[i].Value())
		if err != nil {
			return Unbound, err
		}
		b = append(b, s...)
	}
	return NewStr(string(append(b, ']'))), nil
}

func tupleRepr(th *Thread, v Value) (Value, error) {
	t, _ := AsTuple(v)
	if !th.Guard(t.Value()) {
		return NewStr("(...)"), nil
	}
	defer th.Unguard()
	close := ")"
	if len(t.items) == 1 {
		close = ",)"
	}
	s, err := reprItems(th, t.items, "(", close)
	return NewStr(s), err
}

func dictRepr(th *Thread, v Value) (Value, error) {
	d, _ := AsDict(v)
	if !th.Guard(d.Value()) {
		return NewStr("{...}"), nil
	}
	defer th.Unguard()
	b := []byte{'{'}
	for at := 0; ; {
		k, x, next, ok := d.Entry(at)
		if !ok {
			break
		}
		at = next
		if len(b) > 1 {
			b = append(b, ", "...)
		}
		ks, err := Repr(th, k)
		if err != nil {
			return Unbound, err
		}
		xs, err := Repr(th, x)
		if err != nil {
			return Unbound, err
		}
		b = append(append(append(b, ks...), ": "...), xs...)
	}
	return NewStr(string(append(b, '}'))), nil
}

func setRepr(th *Thread, v Value) (Value, error) {
	s, _ := AsSet(v)
	name := ClassOf(v).Name
	if s.used == 0 {
		return NewStr(name + "()"), nil
	}
	if !th.Guard(s.Value()) {
		return NewStr(name + "(...)"), nil
	}
	defer th.Unguard()
	var items []Held
	for at := 0; ; {
		x, next, ok := s.Entry(at)
		if !ok {
			break
		}
		at = next
		items = append(items, x.Held())
	}
	open, close := "{", "}"
	if ClassOf(v) != SetClass {
		open, close = name+"({", "})"
	}
	text, err := reprItems(th, items, open, close)
	return NewStr(text), err
}

func listContains(th *Thread, v, x Value) (bool, error) {
	l, _ := AsList(v)
	for i := 0; i < len(l.items); i++ {
		if eq, err := Same(th, l.items[i].Value(), x); err != nil || eq {
			return eq, err
		}
	}
	return false, nil
}

func tupleContains(th *Thread, v, x Value) (bool, error) {
	t, _ := AsTuple(v)
	for _, it := range t.items {
		if eq, err := Same(th, it.Value(), x); err != nil || eq {
			return eq, err
		}
	}
	return false, nil
}

// dictBinary is d | other.
func dictBinary(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	x, ok := AsDict(a)
	y, ok2 := AsDict(b)
	if op != OpOr || !ok || !ok2 {
		return NotImplemented, nil
	}
	d := x.Copy()
	return d.Value(), d.Update(th, y.Value())
}

func dictInPlace(th *Thread, op BinaryOp, a, b Value, dying uint8) (Value, error) {
	d, _ := AsDict(a)
	if op != OpOr {
		return NotImplemented, nil
	}
	return a, d.Update(th, b)
}

// Update is d.update(v): a mapping or an iterable of pairs.
func (d *Dict) Update(th *Thread, v Value) error {
	if o, ok := AsDict(v); ok && th.plainDict(ClassOf(v)) {
		return d.merge(th, o)
	}
	if _, ok, err := AttrOr(th, v, "keys"); err != nil {
		return err
	} else if ok {
		return d.updateMapping(th, v)
	}
	return d.updatePairs(th, v)
}

// plainDict reports that a dict class walks its keys in the order of its entries.
func (th *Thread) plainDict(c *Class) bool {
	if c == DictClass {
		return true
	}
	_, owner := th.find(c, nameIter)
	return owner == DictClass
}

func (d *Dict) merge(th *Thread, o *Dict) error {
	used := o.used
	for at := 0; ; {
		k, x, next, ok := o.Entry(at)
		if !ok {
			return nil
		}
		if err := d.PutHashed(th, k, o.ents[next-1].hash, x); err != nil {
			return err
		}
		if o.used != used { // a key's __eq__ changed it
			return th.Raise(RuntimeError, "dict mutated during update")
		}
		at = next
	}
}

func (d *Dict) updateMapping(th *Thread, v Value) error {
	keys, err := th.CallMethod(v, "keys")
	if err != nil {
		return err
	}
	it, err := Iterate(th, keys)
	if err != nil {
		return err
	}
	for {
		k, ok, err := it.Next(th)
		if err != nil || !ok {
			return err
		}
		x, err := GetItem(th, v, k)
		if err != nil {
			return err
		}
		if err := d.Put(th, k, x); err != nil {
			return err
		}
	}
}

func (d *Dict) updatePairs(th *Thread, v Value) error {
	it, err := Iterate(th, v)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		p, ok, err := it.Next(th)
		if err != nil || !ok {
			return err
		}
		if !IsIterable(p) {
			return th.TypeErrorf("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		pair, err := ToSlice(th, p)
		if err != nil {
			return err
		}
		if len(pair) != 2 {
			return th.ValueErrorf("dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
		}
		if err := d.Put(th, pair[0].Value(), pair[1].Value()); err != nil {
			return err
		}
	}
}

func selfIter(th *Thread, v Value) (Value, error) { return v, nil }

func setIteratorSlots() {
	type next = func(*Thread, Value) (Value, bool, error)
	for c, n := range map[*Class]next{
		ListIterClass: listIterNext, ListRevIterClass: listRevNext, TupleIterClass: tupleIterNext, StrIterClass: strIterNext,
		StrASCIIIterClass: strIterNext, BytesIterClass: bytesIterNext, ByteArrayIterClass: bytesIterNext,
		RangeIterClass: rangeIterNext, LongRangeIterClass: bigRangeNext, DictKeyIterClass: dictIterNext,
		DictValueIterClass: dictIterNext, DictItemIterClass: dictIterNext, DictRevKeyIterClass: dictIterNext,
		DictRevValIterClass: dictIterNext, DictRevItemIterClass: dictIterNext, SetIterClass: setIterNext,
		SeqIterClass: seqIterNext, CallIterClass: callIterNext,
	} {
		c.Iter, c.Next = selfIter, n
	}
	GeneratorClass.Slots = Slots{Repr: generatorRepr, Iter: selfIter, Walk: walkGenerator,
		Next: func(th *Thread, v Value) (Value, bool, error) { return (*Generator)(v.P).Send(th, None) }}
}

func setCallableSlots() {
	callSlot := func(th *Thread, f Value, args []Value, names []*Str) (Value, error) { return th.call(f, args, names) }
	FuncClass.Slots = Slots{Repr: funcRepr, Call: callSlot, Walk: walkFunc,
		DescrGet: func(th *Thread, d, o Value, c *Class) (Value, error) {
			if o.IsUnbound() {
				return d, nil
			}
			return NewBound(o, d), nil
		}}
	BoundClass.Slots = Slots{Repr: boundRepr, Call: callSlot, Compare: compareBound, Hash: boundHash, GetAttr: boundGetAttr,
		Walk: func(v Value, visit func(Value)) { b := (*Bound)(v.P); visit(b.Self); visit(b.Fn) }}
	native := Slots{Repr: nativeRepr, Call: callSlot}
	WrapperClass.Slots = BoundClass.Slots
	NativeClass.Slots, MethodDescrClass.Slots, WrapperDescrClass.Slots = native, native, native
	NativeClass.Compare, NativeClass.Hash, NativeClass.GetAttr = compareBound, nativeHash, nativeGetAttr
	NativeClass.Walk = func(v Value, visit func(Value)) {
		if v.Kind() == value.KindBound {
			visit((*Bound)(v.P).Self)
		}
	}
	MethodDescrClass.DescrGet = func(th *Thread, d, o Value, c *Class) (Value, error) {
		if o.IsUnbound() {
			return d, nil
		}
		return NewBound(o, d), nil
	}
	WrapperDescrClass.DescrGet = MethodDescrClass.DescrGet
	TypeClass.Slots = Slots{Repr: classRepr, Call: callSlot, GetAttr: classGetAttr, SetAttr: classSetAttr, Walk: walkClass,
		Binary: unionBinary}
	ModuleClass.Slots = Slots{Repr: moduleRepr, GetAttr: moduleGetAttr, SetAttr: moduleSetAttr,
		Walk: func(v Value, visit func(Value)) { visit((*Module)(asKind(v, value.KindModule)).dict.Value()) }}
	NoneClass.Binary = unionBinary
	CellClass.Walk = func(v Value, visit func(Value)) { visit((*Cell)(v.P).v) }
	CellClass.Repr = cellRepr
	setTypingSlots()
}

func setDescriptorSlots() {
	PropertyClass.Slots = Slots{DescrGet: propertyGet, DescrSet: propertySet, Walk: walkProperty}
	MemberClass.Slots = Slots{DescrGet: memberGet, DescrSet: memberSet, Repr: memberRepr}
	GetSetClass.Slots = Slots{DescrGet: getsetGet, DescrSet: getsetSet, Repr: memberRepr}
	StaticMethodClass.Slots = Slots{DescrGet: staticGet, Call: func(th *Thread, f Value, args []Value, names []*Str) (Value, error) {
		w, _ := AsWrapped(f)
		return th.call(w.Fn, args, names)
	}, Walk: walkWrapped}
	ClassMethodClass.Slots = Slots{DescrGet: classMethodGet, Walk: walkWrapped}
	SuperClass.Slots = Slots{GetAttr: superGetAttr, Repr: superRepr, DescrGet: superGet,
		Walk: func(v Value, visit func(Value)) { visit((*Super)(v.P).Obj) }}
}

// ---- walks: what an object holds ----

// Walk visits the values that v holds directly.
func Walk(v Value, visit func(Value)) {
	switch v.Kind() {
	case value.KindInstance:
		walkInstance((*Instance)(v.P), visit)
	default:
		if w := ClassOf(v).Walk; w != nil {
			w(v, visit)
		}
	}
}

func walkInstance(in *Instance, visit func(Value)) {
	for _, s := range in.slots {
		visit(s)
	}
	if in.ext != nil {
		visit(in.ext.payload)
		if in.ext.dict != nil {
			visit(in.ext.dict.Value())
		}
	}
}

func visitHeld(items []Held, visit func(Value)) {
	for _, h := range items {
		visit(h.Value())
	}
}

func walkList(v Value, visit func(Value)) {
	if l, ok := AsList(v); ok {
		visitHeld(l.items, visit)
	}
}

func walkTuple(v Value, visit func(Value)) {
	if t, ok := AsTuple(v); ok {
		visitHeld(t.items, visit)
	}
}

func walkDict(v Value, visit func(Value)) {
	d, ok := AsDict(v)
	if !ok {
		return
	}
	for i := range d.ents { // of bindings the cells: reading one would hold its content
		if d.ents[i].live() {
			visit(d.ents[i].k.Value())
			visit(d.ents[i].v.Value())
		}
	}
}

func walkSet(v Value, visit func(Value)) {
	s, ok := AsSet(v)
	for at := 0; ok; {
		var x Value
		if x, at, ok = s.Entry(at); ok {
			visit(x)
		}
	}
}

func walkSlice(v Value, visit func(Value)) {
	s := (*Slice)(v.P)
	visit(s.Start)
	visit(s.Stop)
	visit(s.Step)
}

func walkProperty(v Value, visit func(Value)) {
	if p := asProperty(v); p != nil {
		visit(p.Get)
		visit(p.Set)
		visit(p.Del)
	}
}

func walkWrapped(v Value, visit func(Value)) {
	if w, ok := AsWrapped(v); ok {
		visit(w.Fn)
	}
}

func walkClass(v Value, visit func(Value)) {
	if c := (*Class)(v.P); c.script {
		visit(c.dict.Value())
		for _, b := range c.Bases {
			visit(b.Value())
		}
	}
}

func walkFunc(v Value, visit func(Value)) {
	f := (*Func)(v.P)
	visitHeld(f.Defaults, visit)
	if f.KwDef != nil {
		visit(f.KwDef.Value())
	}
	for _, c := range f.free {
		visit(obj(unsafe.Pointer(c)))
	}
	if f.attrs != nil {
		visit(f.attrs.Value())
	}
	visit(f.Annot)
}

func walkException(v Value, visit func(Value)) {
	e := (*Exception)(v.P)
	walkInstance(&e.Instance, visit)
	visit(e.Args.Value())
	for _, o := range []*Exception{e.Cause, e.Context} {
		if o != nil {
			visit(o.Value())
		}
	}
	for _, d := range e.Data {
		visit(d)
	}
}
