package py

import (
	"strings"
	"unsafe"

	"github.com/tfs-lang/tfs/lang"
	"github.com/tfs-lang/tfs/lang/value"
)

// _functools is the native core of the script module functools.
var _ = define("_functools", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{
		{Sig: "reduce(function, iterable, initial=..., /)", Fn: reduce, Doc: "Fold the items of an iterable with a function of two arguments."},
		{Sig: "lru_wrapper(user_function, maxsize, typed, cache_info, /)", Fn: newLRU},
		{Sig: "cmp_to_key(mycmp)", Fn: cmpToKey, Doc: "Turn a comparison function into a key function."},
	}, Init: func(th *Thread, m *lang.Module) error {
		m.Set("partial", partialClass.Value())
		return nil
	}}
})

func reduce(th *Thread, a []Value) (Value, error) {
	acc := a[2]
	if !lang.IsIterable(a[1]) {
		return fail(th.TypeErrorf("reduce() arg 2 must support iteration"))
	}
	err := each(th, a[1], func(x Value) (err error) {
		if acc.IsUnbound() {
			acc = x.Held().Value()
			return nil
		}
		acc, err = th.Call(a[0], []Value{acc, x})
		return err
	})
	if err == nil && acc.IsUnbound() {
		err = th.TypeErrorf("reduce() of empty iterable with no initial value")
	}
	return acc, err
}

// partial is a function with arguments given ahead.
type partial struct {
	lang.Header
	fn    Value
	args  []lang.Held
	kw    *lang.Dict
	attrs *lang.Dict
}

var partialClass = newClass("partial", "functools")

func partialOf(v Value) *partial { return native[partial](v, partialClass) }

func init() {
	c := partialClass
	c.New = &lang.Def{Sig: "__new__(cls, func, /, *args, **keywords)", Fn: newPartial}
	c.Call = callPartial
	c.Repr = partialRepr
	c.GetAttr = func(th *Thread, v Value, name *lang.Str) (Value, error) {
		if p := partialOf(v); p.attrs != nil {
			if x, ok := p.attrs.GetStr(name.String()); ok {
				return x, nil
			}
		}
		return lang.GenericGetAttr(th, v, name)
	}
	c.SetAttr = func(th *Thread, v Value, name *lang.Str, x Value) error {
		p := partialOf(v)
		if p.attrs == nil {
			p.attrs = lang.NewDict()
		}
		if x.IsUnbound() {
			if !p.attrs.DelStr(name.String()) {
				return lang.NoAttribute(th, v, name.String())
			}
			return nil
		}
		p.attrs.PutStr(name.String(), x)
		return nil
	}
	c.Walk = func(v Value, visit func(Value)) {
		p := partialOf(v)
		visit(p.fn)
		for _, x := range p.args {
			visit(x.Value())
		}
		visit(p.kw.Value())
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "func", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return partialOf(a[0]).fn, nil }},
		{Sig: "args", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			return lang.NewTuple(lang.Values(partialOf(a[0]).args)...), nil
		}},
		{Sig: "keywords", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return partialOf(a[0]).kw.Value(), nil }},
		{Sig: "__dict__", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
			p := partialOf(a[0])
			if p.attrs == nil {
				p.attrs = lang.NewDict()
			}
			return p.attrs.Value(), nil
		}},
		{Sig: "__reduce__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			p := partialOf(a[0])
			attrs := none
			if p.attrs != nil && p.attrs.Len() > 0 {
				attrs = p.attrs.Value()
			}
			state := lang.NewTuple(p.fn, lang.NewTuple(lang.Values(p.args)...), p.kw.Value(), attrs)
			return lang.NewTuple(lang.ClassOf(a[0]).Value(), lang.NewTuple(p.fn), state), nil
		}},
		{Sig: "__setstate__(self, state, /)", Fn: partialSetState},
		{Sig: "__class_getitem__(cls, item, /)", Flags: lang.DefClassMethod, Fn: func(th *Thread, a []Value) (Value, error) { return lang.NewGenericAlias(a[0], a[1]), nil }},
	})
}

// partialSetState gives a partial what another's __reduce__ said of it.
func partialSetState(th *Thread, a []Value) (Value, error) {
	s, ok := lang.AsTuple(a[1])
	if ok && s.Len() == 4 {
		args, isTuple := lang.AsTuple(s.At(1))
		kw, isDict := lang.AsDict(s.At(2))
		attrs, hasAttrs := lang.AsDict(s.At(3))
		if lang.IsCallable(s.At(0)) && isTuple && (isDict || s.At(2).IsNone()) && (hasAttrs || s.At(3).IsNone()) {
			p := partialOf(a[0])
			p.fn, p.args, p.attrs = s.At(0).Held().Value(), args.Items(), attrs
			if p.kw = lang.NewDict(); isDict {
				p.kw = kw
			}
			return none, nil
		}
	}
	return fail(th.TypeErrorf("invalid partial state"))
}

func newPartial(th *Thread, a []Value) (Value, error) {
	if !lang.IsCallable(a[1]) {
		return fail(th.TypeErrorf("the first argument must be callable"))
	}
	t, _ := lang.AsTuple(a[2])
	kw, _ := lang.AsDict(a[3])
	p := &partial{Header: head(partialClass, value.KindOther), fn: a[1].Held().Value(), kw: kw}
	if q := partialOf(a[1]); q != nil && lang.ClassOf(a[1]) == partialClass && q.attrs == nil { // flatten
		p.fn = q.fn
		p.args = append(p.args, q.args...)
		p.kw = q.kw.Copy()
		if err := p.kw.Update(th, kw.Value()); err != nil {
			return fail(err)
		}
	}
	p.args = append(p.args, t.Items()...)
	return wrap(a[0], Value{P: unsafe.Pointer(p)}), nil
}

func callPartial(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
	p := partialOf(f)
	npos := len(args) - len(names)
	all := append(lang.Values(p.args), args[:npos]...)
	if p.kw.Len() == 0 {
		return th.Call(p.fn, append(all, args[npos:]...), names...)
	}
	kw := p.kw.Copy()
	for i, n := range names {
		kw.PutStr(n.String(), args[npos+i])
	}
	var ns []*lang.Str
	for at := 0; ; {
		k, v, next, ok := kw.Entry(at)
		if !ok {
			break
		}
		at = next
		s, _ := lang.AsStr(k)
		ns = append(ns, lang.Intern(s.String()))
		all = append(all, v)
	}
	return th.Call(p.fn, all, ns...)
}

func partialRepr(th *Thread, v Value) (Value, error) {
	p := partialOf(v)
	if !th.Guard(v) {
		return lang.NewStr("..."), nil
	}
	defer th.Unguard()
	s, err := lang.Repr(th, p.fn)
	if err != nil {
		return fail(err)
	}
	parts := []string{s}
	for _, x := range p.args {
		if s, err = lang.Repr(th, x.Value()); err != nil {
			return fail(err)
		}
		parts = append(parts, s)
	}
	for at := 0; ; {
		k, x, next, ok := p.kw.Entry(at)
		if !ok {
			break
		}
		at = next
		ks, _ := lang.StrOf(th, k)
		if s, err = lang.Repr(th, x); err != nil {
			return fail(err)
		}
		parts = append(parts, ks+"="+s)
	}
	name := lang.ClassOf(v).Name
	if lang.ClassOf(v) == partialClass {
		name = "functools." + name
	}
	return lang.NewStr(name + "(" + strings.Join(parts, ", ") + ")"), nil
}

// lruLink is a cached call: the values of the dict, and a ring in order of use.
type lruLink struct {
	lang.Header
	key, result Value
	prev, next  *lruLink
}

var lruLinkClass = newClass("_lru_list_elem", "functools")

func (k *lruLink) unlink() { k.prev.next, k.next.prev = k.next, k.prev }

// putLast makes k the one used last: root.prev.
func (k *lruLink) putLast(root *lruLink) {
	k.prev, k.next = root.prev, root
	root.prev.next, root.prev = k, k
}

// lru is the wrapper of lru_cache: a dict, and the ring of its links. A hit
// leaves the dict alone: the comparison of keys may call the cache again.
type lru struct {
	lang.Header
	fn, info     Value
	maxsize      int // -1 unbounded
	typed        bool
	cache        *lang.Dict
	root         lruLink
	hits, misses int64
	attrs        *lang.Dict
}

var lruClass = newClass("_lru_cache_wrapper", "functools")

func lruOf(v Value) *lru { return native[lru](v, lruClass) }

func init() {
	c := lruClass
	c.Call = callLRU
	c.DescrGet = func(th *Thread, d, o Value, cls *lang.Class) (Value, error) {
		if o.IsUnbound() {
			return d, nil
		}
		return lang.NewBound(o, d), nil
	}
	c.Repr = func(th *Thread, v Value) (Value, error) {
		return lang.NewStr("<functools._lru_cache_wrapper object at " + lang.Address(v) + ">"), nil
	}
	c.GetAttr = func(th *Thread, v Value, name *lang.Str) (Value, error) {
		if x, ok := lruOf(v).attrs.GetStr(name.String()); ok {
			return x, nil
		}
		return lang.GenericGetAttr(th, v, name)
	}
	c.SetAttr = func(th *Thread, v Value, name *lang.Str, x Value) error {
		if x.IsUnbound() {
			lruOf(v).attrs.DelStr(name.String())
			return nil
		}
		lruOf(v).attrs.PutStr(name.String(), x)
		return nil
	}
	lang.DefineMethods(c, []lang.Def{
		{Sig: "cache_info(self, /)", Fn: lruInfo},
		{Sig: "cache_clear(self, /)", Fn: func(th *Thread, a []Value) (Value, error) {
			l := lruOf(a[0])
			l.cache.Clear()
			l.root.prev, l.root.next = &l.root, &l.root
			l.hits, l.misses = 0, 0
			return none, nil
		}},
		{Sig: "__dict__", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) { return lruOf(a[0]).attrs.Value(), nil }},
		{Sig: "__copy__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__deepcopy__(self, memo, /)", Fn: func(th *Thread, a []Value) (Value, error) { return a[0], nil }},
		{Sig: "__reduce__(self, /)", Fn: func(th *Thread, a []Value) (Value, error) { return lang.Attr(th, a[0], "__qualname__") }},
	})
}

func newLRU(th *Thread, a []Value) (Value, error) {
	l := &lru{Header: head(lruClass, value.KindOther), fn: a[0].Held().Value(), info: a[3].Held().Value(), maxsize: -1, cache: lang.NewDict(), attrs: lang.NewDict()}
	if !a[1].IsNone() {
		n, err := intOf(th, a[1])
		if err != nil {
			return fail(err)
		}
		l.maxsize = max(n, 0)
	}
	l.root.prev, l.root.next = &l.root, &l.root
	t, err := lang.Truth(th, a[2])
	l.typed = t
	return Value{P: unsafe.Pointer(l)}, err
}

func lruInfo(th *Thread, a []Value) (Value, error) {
	l := lruOf(a[0])
	size := none
	if l.maxsize >= 0 {
		size = lang.Int(int64(l.maxsize))
	}
	return th.Call(l.info, []Value{lang.Int(l.hits), lang.Int(l.misses), size, lang.Int(int64(l.cache.Len()))})
}

var keywordMark = lang.NewStr("\x00keywords")

// key is the value under which a call is kept: the one int or str argument
// itself, else a tuple.
func (l *lru) key(args []Value, names []*lang.Str) Value {
	if len(args) == 1 && len(names) == 0 && !l.typed {
		if c := lang.ClassOf(args[0]); c == lang.IntClass || c == lang.StrClass {
			return args[0]
		}
	}
	npos := len(args) - len(names)
	k := append([]Value{}, args[:npos]...)
	if len(names) > 0 {
		k = append(k, keywordMark)
		for i, n := range names {
			k = append(k, n.Value(), args[npos+i])
		}
	}
	if l.typed {
		for _, x := range args {
			k = append(k, lang.ClassOf(x).Value())
		}
	}
	return lang.NewTuple(k...)
}

func callLRU(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
	l := lruOf(f)
	if l.maxsize == 0 {
		l.misses++
		return th.Call(l.fn, args, names...)
	}
	k := l.key(args, names)
	v, ok, err := l.cache.Get(th, k)
	if err != nil {
		return fail(err)
	}
	if ok {
		l.hits++
		k := (*lruLink)(v.P)
		k.unlink()
		k.putLast(&l.root)
		return k.result, nil
	}
	l.misses++
	if v, err = th.Call(l.fn, args, names...); err != nil {
		return fail(err)
	}
	// The call may have called the cache: what it kept meanwhile stays.
	if _, ok, err = l.cache.Get(th, k); err != nil || ok {
		return v, err
	}
	if l.maxsize > 0 && l.cache.Len() >= l.maxsize && l.root.next != &l.root {
		old := l.root.next
		old.unlink()
		if _, _, err := l.cache.Delete(th, old.key); err != nil {
			return fail(err)
		}
	}
	link := &lruLink{Header: head(lruLinkClass, value.KindOther), key: k.Held().Value(), result: v.Held().Value()}
	link.putLast(&l.root)
	return v, l.cache.Put(th, k, Value{P: unsafe.Pointer(link)})
}

// cmpKey wraps a value for sorting by a comparison function.
type cmpKey struct {
	lang.Header
	fn, obj Value
}

type cmpMaker struct {
	lang.Header
	fn Value
}

var (
	cmpKeyClass   = newClass("KeyWrapper", "functools")
	cmpMakerClass = newClass("KeyWrapper", "functools")
)

func init() {
	cmpMakerClass.Call = func(th *Thread, f Value, args []Value, names []*lang.Str) (Value, error) {
		if len(args) != 1 {
			return fail(th.TypeErrorf("K() takes exactly one argument (%d given)", len(args)))
		}
		return Value{P: unsafe.Pointer(&cmpKey{head(cmpKeyClass, value.KindOther), (*cmpMaker)(f.P).fn, args[0].Held().Value()})}, nil
	}
	cmpKeyClass.Compare = func(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
		x, y := native[cmpKey](a, cmpKeyClass), native[cmpKey](b, cmpKeyClass)
		if x == nil || y == nil {
			return fail(th.TypeErrorf("other argument must be K instance"))
		}
		r, err := th.Call(x.fn, []Value{x.obj, y.obj})
		if err != nil {
			return fail(err)
		}
		return lang.Compare(th, op, r, lang.Int(0))
	}
	cmpKeyClass.Flags |= lang.ClassUnhashable
	lang.DefineMethods(cmpKeyClass, []lang.Def{{Sig: "obj", Flags: lang.DefProperty, Fn: func(th *Thread, a []Value) (Value, error) {
		return native[cmpKey](a[0], cmpKeyClass).obj, nil
	}}})
}

func cmpToKey(th *Thread, a []Value) (Value, error) {
	return Value{P: unsafe.Pointer(&cmpMaker{head(cmpMakerClass, value.KindOther), a[0].Held().Value()})}, nil
}
