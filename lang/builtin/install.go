package builtin

import (
	"github.com/tfs-lang/tfs/lang"
)

// functions are the built-in functions that are no classes.
var functions = []lang.Def{
	{Sig: "abs(x, /)", Fn: fnAbs, Doc: "Return the absolute value of the argument."},
	{Sig: "all(iterable, /)", Fn: fnAll, Doc: "Return True if bool(x) is True for all values x in the iterable."},
	{Sig: "any(iterable, /)", Fn: fnAny, Doc: "Return True if bool(x) is True for any x in the iterable."},
	{Sig: "ascii(obj, /)", Fn: fnASCII, Doc: "Return repr(obj) with everything beyond ASCII escaped."},
	{Sig: "bin(number, /)", Fn: inBase(2, "0b"), Doc: "Return the binary text of an int."},
	{Sig: "callable(obj, /)", Fn: fnCallable, Doc: "Return whether the object can be called."},
	{Sig: "chr(i, /)", Fn: fnChr, Doc: "Return the character of a code point."},
	{Sig: "delattr(obj, name, /)", Fn: fnDelattr, Doc: "Delete an attribute by name."},
	{Sig: "divmod(x, y, /)", Fn: fnDivmod, Doc: "Return the tuple (x//y, x%y)."},
	{Sig: "format(value, format_spec='', /)", Fn: fnFormat, Doc: "Return the value formatted by a specifier."},
	{Sig: "getattr(object, name, default=..., /)", Fn: fnGetattr, Doc: "Return an attribute by name."},
	{Sig: "hasattr(obj, name, /)", Fn: fnHasattr, Doc: "Return whether the object has an attribute of that name."},
	{Sig: "hash(obj, /)", Fn: fnHash, Doc: "Return the hash value of an object."},
	{Sig: "hex(number, /)", Fn: inBase(16, "0x"), Doc: "Return the hexadecimal text of an int."},
	{Sig: "id(obj, /)", Fn: fnID, Doc: "Return the identity of an object."},
	{Sig: "input(prompt=..., /)", Fn: fnInput, Doc: "Read a line from standard input."},
	{Sig: "isinstance(obj, class_or_tuple, /)", Fn: fnIsinstance, Doc: "Return whether an object is an instance of a class or of one of a tuple."},
	{Sig: "issubclass(cls, class_or_tuple, /)", Fn: fnIssubclass, Doc: "Return whether a class derives from another or from one of a tuple."},
	{Sig: "iter(object, sentinel=..., /)", Fn: fnIter, Doc: "Return an iterator of an object, or of the results of a callable."},
	{Sig: "len(obj, /)", Fn: fnLen, Doc: "Return the number of items in a container."},
	{Sig: "max(*args, key=None, default=...)", Fn: fnMax, Two: maxOfTwo, Doc: "Return the largest item."},
	{Sig: "min(*args, key=None, default=...)", Fn: fnMin, Two: minOfTwo, Doc: "Return the smallest item."},
	{Sig: "next(iterator, default=..., /)", Fn: fnNext, Doc: "Return the next item of an iterator."},
	{Sig: "oct(number, /)", Fn: inBase(8, "0o"), Doc: "Return the octal text of an int."},
	{Sig: openSig, Fn: fnOpen, Doc: "Open a file and return a file object."},
	{Sig: "ord(c, /)", Fn: fnOrd, Doc: "Return the code point of a character."},
	{Sig: "pow(base, exp, mod=None)", Fn: fnPow, Doc: "Return base**exp, or base**exp % mod."},
	{Sig: "print(*args, sep=None, end=None, file=None, flush=False)", Fn: fnPrint, Doc: "Print the values to a stream, or to sys.stdout by default."},
	{Sig: "repr(obj, /)", Fn: fnRepr, Doc: "Return the canonical text of an object."},
	{Sig: "round(number, ndigits=None)", Fn: fnRound, Doc: "Round a number to ndigits places."},
	{Sig: "setattr(obj, name, value, /)", Fn: fnSetattr, Doc: "Store an attribute by name."},
	{Sig: "sorted(iterable, /, *, key=None, reverse=False)", Fn: fnSorted, Doc: "Return a new sorted list of the items of an iterable."},
	{Sig: "sum(iterable, /, start=0)", Fn: fnSum, Doc: "Return the sum of start and the items of an iterable."},
}

// classes are the classes that a script finds by name without an import.
var classes = []*lang.Class{
	lang.ObjectClass, lang.TypeClass, lang.IntClass, lang.BoolClass, lang.FloatClass, lang.ComplexClass,
	lang.StrClass, lang.BytesClass, lang.ByteArrayClass, lang.ListClass, lang.TupleClass, lang.DictClass,
	lang.SetClass, lang.FrozenSetClass, lang.RangeClass, lang.SliceClass, lang.PropertyClass,
	lang.StaticMethodClass, lang.ClassMethodClass, lang.SuperClass, MemoryViewClass, EnumerateClass, ZipClass,
	MapClass, FilterClass, ReversedClass,
}

// Install fills the builtins module of an interpreter.
func Install(in *lang.Interp) {
	in.DisplayHook = display
	m := in.Builtins
	name := lang.NewStr("builtins")
	for _, rows := range [][]lang.Def{functions, codeFunctions} {
		for i := range rows {
			f := lang.NewNative(&rows[i])
			n, _ := lang.AsNative(f)
			n.Mod = name
			m.Set(n.Name.String(), f)
		}
	}
	for _, c := range classes {
		m.Set(c.Name, c.Value())
	}
	for _, c := range lang.ExceptionClasses() {
		m.Set(c.Name, c.Value())
	}
	for n, v := range map[string]Value{
		"EnvironmentError": lang.OSError.Value(), "IOError": lang.OSError.Value(),
		"None": none, "True": lang.True, "False": lang.False, "Ellipsis": lang.Ellipsis,
		"NotImplemented": lang.NotImplemented, "__debug__": lang.True,
	} {
		m.Set(n, v)
	}
}

func init() {
	installMethods()
	installNew()
	installSlots()
	installExceptions()
}

func installMethods() {
	for c, rows := range map[*lang.Class][][]lang.Def{
		lang.StrClass:          {strRows},
		lang.BytesClass:        {bytesRows, bytesOnlyRows},
		lang.ByteArrayClass:    {bytesRows, byteArrayRows},
		lang.IntClass:          {intRows},
		lang.FloatClass:        {floatRows},
		lang.ComplexClass:      {complexRows},
		lang.ListClass:         {listRows},
		lang.TupleClass:        {tupleRows},
		lang.DictClass:         {dictRows},
		lang.DictKeysClass:     {viewRows, setViewRows},
		lang.DictItemsClass:    {viewRows, setViewRows},
		lang.DictValuesClass:   {viewRows},
		lang.MappingProxyClass: {proxyRows},
		lang.SetClass:          {setReadRows, setWriteRows},
		lang.FrozenSetClass:    {setReadRows},
		lang.RangeClass:        {rangeRows},
		lang.SliceClass:        {sliceRows},
		lang.PropertyClass:     {propertyRows},
		EnumerateClass:         {lazyRows},
		ZipClass:               {lazyRows},
		MapClass:               {lazyRows},
		FilterClass:            {lazyRows},
		ReversedClass:          {lazyRows, reversedRows},
		lang.StaticMethodClass: {wrappedRows},
		lang.ClassMethodClass:  {wrappedRows},
		MemoryViewClass:        {memoryViewRows},
		lang.TracebackClass:    {tracebackRows},
		tbFrameClass:           {tbFrameRows},
		FileIOClass:            {ioBaseRows, bufferedRows},
		BufferedReaderClass:    {ioBaseRows, bufferedRows},
		BufferedWriterClass:    {ioBaseRows, bufferedRows},
		BufferedRandomClass:    {ioBaseRows, bufferedRows},
		TextIOClass:            {ioBaseRows, textRows},
	} {
		for _, r := range rows {
			lang.DefineMethods(c, append([]lang.Def(nil), r...))
		}
	}
	for _, c := range lang.IteratorClasses() {
		lang.DefineMethods(c, append([]lang.Def(nil), iterRows...))
		if _, indexed := stateful[c]; indexed {
			lang.DefineMethods(c, append([]lang.Def(nil), iterStateRows...))
		}
	}
}

func installNew() {
	for c, d := range map[*lang.Class]*lang.Def{
		lang.StrClass: &strNew, lang.BytesClass: &bytesNew, lang.ByteArrayClass: &byteArrayNew,
		lang.IntClass: &intNew, lang.BoolClass: &boolNew, lang.FloatClass: &floatNew, lang.ComplexClass: &complexNew,
		lang.ListClass: &listNew, lang.TupleClass: &tupleNew, lang.DictClass: &dictNew,
		lang.SetClass: &setNew, lang.FrozenSetClass: &frozenSetNew, lang.RangeClass: &rangeNew,
		lang.SliceClass: &sliceNew, lang.SuperClass: &superNew, lang.PropertyClass: &propertyNew, lang.StaticMethodClass: &staticMethodNew,
		lang.ClassMethodClass: &classMethodNew, MemoryViewClass: &memoryViewNew, EnumerateClass: &enumerateNew,
		ZipClass: &zipNew, MapClass: &mapNew, FilterClass: &filterNew, ReversedClass: &reversedNew,
	} {
		c.New = d
	}
	for c, d := range map[*lang.Class]*lang.Def{
		lang.ByteArrayClass: &byteArrayInit, lang.ListClass: &listInit, lang.DictClass: &dictInit, lang.SetClass: &setInit,
	} {
		c.Init = d
	}
	for c, one := range map[*lang.Class]func(*Thread, Value) (Value, error){
		lang.StrClass: oneStr, lang.IntClass: toInt, lang.BoolClass: oneBool, lang.FloatClass: oneFloat,
		lang.ListClass: oneList, lang.TupleClass: oneTuple, lang.SetClass: oneSet, lang.RangeClass: oneRange, lang.TypeClass: oneType,
	} {
		c.One = one
	}
}

func installSlots() {
	lang.StrClass.Format = formatStr
	lang.IntClass.Format = formatInt
	lang.BoolClass.Format = formatInt
	lang.FloatClass.Format = formatFloat
	lang.ComplexClass.Format = formatComplex
	lang.StrClass.Binary = strBinary(lang.StrClass.Binary)
	lang.BytesClass.Binary = bytesBinary(lang.BytesClass.Binary)
	lang.ByteArrayClass.Binary = bytesBinary(lang.ByteArrayClass.Binary)
	lang.ByteArrayClass.SetItem, lang.ByteArrayClass.DelItem = setByteItem, delByteItem
	lang.ByteArrayClass.InPlace = byteArrayInPlace
	lang.SetClass.Binary, lang.SetClass.InPlace = setBinary, setInPlace
	lang.FrozenSetClass.Binary = setBinary
	for _, c := range []*lang.Class{lang.DictKeysClass, lang.DictItemsClass} {
		c.Binary, c.Compare = viewBinary, viewCompare
	}
	lang.StaticMethodClass.Repr, lang.ClassMethodClass.Repr = wrappedRepr, wrappedRepr
	lang.MappingProxyClass.Str = func(th *Thread, v Value) (Value, error) {
		s, err := lang.ReprValue(th, (*lang.MappingProxy)(v.P).D.Value())
		if err != nil {
			return fail(err)
		}
		return s.Value(), nil
	}
	memoryViewSlots(&MemoryViewClass.Slots)
	type next = func(*Thread, Value) (Value, bool, error)
	for c, n := range map[*lang.Class]next{
		EnumerateClass: enumerateNext, ZipClass: zipNext, MapClass: mapNext, FilterClass: filterNext, ReversedClass: reversedNext,
	} {
		c.Iter, c.Next = selfIter, n
	}
	for _, c := range []*lang.Class{FileIOClass, BufferedReaderClass, BufferedWriterClass, BufferedRandomClass, TextIOClass} {
		c.Iter, c.Next, c.Repr = fileIter, fileNext, fileRepr
	}
	installWrapped()
	installWalks()
}

// installWalks says which values the iterators hold.
func installWalks() {
	held := func(items []lang.Held, visit func(Value)) {
		for _, x := range items {
			visit(x.Value())
		}
	}
	EnumerateClass.Walk = func(v Value, visit func(Value)) { visit((*enumerate)(v.P).it) }
	ZipClass.Walk = func(v Value, visit func(Value)) { held((*zip)(v.P).its, visit) }
	MapClass.Walk = func(v Value, visit func(Value)) {
		m := (*mapIter)(v.P)
		visit(m.fn)
		held(m.its, visit)
	}
	FilterClass.Walk = func(v Value, visit func(Value)) {
		f := (*filterIter)(v.P)
		visit(f.fn)
		visit(f.it)
	}
	ReversedClass.Walk = func(v Value, visit func(Value)) { visit((*reversedIter)(v.P).seq) }
}
