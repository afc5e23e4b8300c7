package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

var dictRows = []lang.Def{
	{Sig: "clear(self, /)", Fn: dictClear, Doc: "Remove all items."},
	{Sig: "copy(self, /)", Fn: dictCopy, Doc: "Return a shallow copy."},
	{Sig: "fromkeys(cls, iterable, value=None, /)", Fn: dictFromKeys, Flags: lang.DefClassMethod, Doc: "Return a dict with the keys of an iterable, all of one value."},
	{Sig: "get(self, key, default=None, /)", Fn: dictGet, Flags: lang.DefGet, Doc: "Return the value of key, or default."},
	{Sig: "items(self, /)", Fn: dictView(lang.DictItems), Doc: "Return a view of the (key, value) pairs."},
	{Sig: "keys(self, /)", Fn: dictView(lang.DictKeys), Doc: "Return a view of the keys."},
	{Sig: "values(self, /)", Fn: dictView(lang.DictValues), Doc: "Return a view of the values."},
	{Sig: "pop(self, key, default=..., /)", Fn: dictPop, Doc: "Remove key and return its value, or default."},
	{Sig: "popitem(self, /)", Fn: dictPopItem, Doc: "Remove the pair added last and return it."},
	{Sig: "setdefault(self, key, default=None, /)", Fn: dictSetDefault, Doc: "Return the value of key, after storing default when there is none."},
	{Sig: "update(self, other=..., /, **kwargs)", Fn: dictUpdate, Doc: "Store all items of a mapping, or of pairs, and of the keywords."},
	{Sig: "__reversed__(self, /)", Fn: dictReversed, Doc: "Return an iterator over the keys from the last to the first."},
	{Sig: "__class_getitem__(cls, item, /)", Fn: classGetItem, Flags: lang.DefClassMethod},
	{Sig: "__sizeof__(self, /)", Fn: dictSizeof},
}

func dictSelf(a []Value) *lang.Dict { d, _ := lang.AsDict(a[0]); return d }

var dictNew = lang.Def{Sig: "__new__(cls, /, *args, **kwargs)", Fn: newDict}

func newDict(th *Thread, a []Value) (Value, error) { return wrapAs(a[0], lang.NewDict().Value(), nil) }

var dictInit = lang.Def{Sig: "__init__(self, other=..., /, **kwargs)", Fn: initDict}

func initDict(th *Thread, a []Value) (Value, error) {
	d := dictSelf(a)
	if !a[1].IsUnbound() {
		if err := d.Update(th, a[1]); err != nil {
			return fail(err)
		}
	}
	return none, d.Update(th, a[2])
}

func dictUpdate(th *Thread, a []Value) (Value, error) { return initDict(th, a) }

func dictClear(th *Thread, a []Value) (Value, error) {
	dictSelf(a).Clear()
	return none, nil
}

func dictCopy(th *Thread, a []Value) (Value, error) { return dictSelf(a).Copy().Value(), nil }

func dictFromKeys(th *Thread, a []Value) (Value, error) {
	if c, _ := lang.AsClass(a[0]); c == lang.DictClass {
		d := lang.NewDict()
		err := lang.EachHashed(th, a[1], func(k Value, h int64) error { return d.PutHashed(th, k, h, a[2]) })
		return d.Value(), err
	}
	target, err := th.Call(a[0], nil)
	if err != nil {
		return fail(err)
	}
	err = each(th, a[1], func(k Value) error { return lang.SetItem(th, target, k, a[2]) })
	return target, err
}

func dictGet(th *Thread, a []Value) (Value, error) {
	v, ok, err := dictSelf(a).Get(th, a[1])
	if err != nil || ok {
		return v, err
	}
	return a[2], nil
}

func dictView(what uint8) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		return lang.NewDictView(dictSelf(a), a[0], what), nil
	}
}

func dictPop(th *Thread, a []Value) (Value, error) {
	v, ok, err := dictSelf(a).Delete(th, a[1])
	if err != nil || ok {
		return v, err
	}
	if a[2].IsUnbound() {
		return fail(th.RaiseArgs(lang.KeyError, a[1]))
	}
	return a[2], nil
}

func dictPopItem(th *Thread, a []Value) (Value, error) {
	k, v, ok := dictSelf(a).PopLast()
	if !ok {
		return fail(th.Raise(lang.KeyError, "popitem(): dictionary is empty"))
	}
	return lang.NewTuple(k, v), nil
}

func dictSetDefault(th *Thread, a []Value) (Value, error) {
	return dictSelf(a).SetDefault(th, a[1], a[2])
}

func dictReversed(th *Thread, a []Value) (Value, error) {
	return lang.NewDictIter(dictSelf(a), lang.DictKeys, true), nil
}

func dictSizeof(th *Thread, a []Value) (Value, error) {
	return lang.Int(int64(64 + 40*dictSelf(a).Len())), nil
}

// ---- views ----

var viewRows = []lang.Def{
	{Sig: "mapping", Fn: viewMapping, Flags: lang.DefProperty, Doc: "dictionary that this view refers to"},
	{Sig: "__reversed__(self, /)", Fn: viewReversed, Doc: "Return an iterator from the last entry to the first."},
}

var setViewRows = []lang.Def{
	{Sig: "isdisjoint(self, other, /)", Fn: viewIsDisjoint, Doc: "True when the view and other have no item in common."},
}

func viewMapping(th *Thread, a []Value) (Value, error) {
	w, _ := lang.AsDictView(a[0])
	return lang.NewMappingProxy(w.D), nil
}

func viewReversed(th *Thread, a []Value) (Value, error) {
	w, _ := lang.AsDictView(a[0])
	return lang.NewDictIter(w.D, w.What, true), nil
}

func viewIsDisjoint(th *Thread, a []Value) (Value, error) {
	disjoint := true
	err := each(th, a[1], func(x Value) error {
		in, err := lang.Contains(th, a[0], x)
		if in {
			disjoint = false
			return errStop
		}
		return err
	})
	return lang.Bool(disjoint), err
}

// viewBinary is the set operations of keys and items views.
func viewBinary(th *Thread, op lang.BinaryOp, a, b Value, dying uint8) (Value, error) {
	switch op {
	case lang.OpAnd, lang.OpOr, lang.OpXor, lang.OpSub:
	default:
		return lang.NotImplemented, nil
	}
	x, err := setFrom(th, a, false)
	if err != nil {
		return fail(err)
	}
	if op == lang.OpAnd { // CPython walks the other operand
		return viewAnd(th, a, b)
	}
	y, err := setFrom(th, b, false)
	if err != nil {
		return fail(err)
	}
	return combine(th, op, x, y, false)
}

func viewAnd(th *Thread, a, b Value) (Value, error) {
	if _, ok := lang.AsDictView(a); !ok {
		a, b = b, a
	}
	out := lang.NewSet()
	err := each(th, b, func(x Value) error {
		in, err := lang.Contains(th, a, x)
		if in {
			_, err = out.Add(th, x)
		}
		return err
	})
	return out.Value(), err
}

// viewCompare compares a keys or items view with a set or another view.
func viewCompare(th *Thread, op lang.CompareOp, a, b Value) (Value, error) {
	_, isView := lang.AsDictView(b)
	if _, isSet := lang.AsSet(b); !isSet && (!isView || lang.ClassOf(b) == lang.DictValuesClass) {
		return lang.NotImplemented, nil
	}
	x, err := setFrom(th, a, false)
	if err != nil {
		return fail(err)
	}
	y, err := setFrom(th, b, false)
	if err != nil {
		return fail(err)
	}
	return lang.Compare(th, op, x.Value(), y.Value())
}

var proxyRows = []lang.Def{
	{Sig: "get(self, key, default=None, /)", Fn: proxyMethod(dictGet)},
	{Sig: "keys(self, /)", Fn: proxyMethod(dictView(lang.DictKeys))},
	{Sig: "values(self, /)", Fn: proxyMethod(dictView(lang.DictValues))},
	{Sig: "items(self, /)", Fn: proxyMethod(dictView(lang.DictItems))},
	{Sig: "copy(self, /)", Fn: proxyMethod(dictCopy)},
	{Sig: "__reversed__(self, /)", Fn: proxyMethod(dictReversed)},
}

// proxyMethod runs a dict method on the dict behind a mapping proxy.
func proxyMethod(f lang.Native) lang.Native {
	return func(th *Thread, a []Value) (Value, error) {
		b := append([]Value(nil), a...)
		b[0] = (*lang.MappingProxy)(a[0].P).D.Value()
		return f(th, b)
	}
}
