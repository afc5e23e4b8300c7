package lang

import (
	"slices"

	"github.com/tfs-lang/tfs/lang/value"
)

// The built-in classes of the core.
var (
	ObjectClass         = newStatic("object", value.KindInstance)
	TypeClass           = newStatic("type", value.KindClass)
	IntClass            = newStatic("int", value.KindInt)
	BoolClass           = newStatic("bool", value.KindBool, IntClass)
	FloatClass          = newStatic("float", value.KindFloat)
	ComplexClass        = newStatic("complex", value.KindComplex)
	NoneClass           = newStatic("NoneType", value.KindNone)
	UnboundClass        = newStatic("<unbound>", value.KindUnbound)
	NotImplementedClass = newStatic("NotImplementedType", value.KindNotImplemented)
	EllipsisClass       = newStatic("ellipsis", value.KindEllipsis)
	StrClass            = newStatic("str", value.KindStr)
	BytesClass          = newStatic("bytes", value.KindBytes)
	ByteArrayClass      = newStatic("bytearray", value.KindByteArray)
	ListClass           = newStatic("list", value.KindList)
	TupleClass          = newStatic("tuple", value.KindTuple)
	DictClass           = newStatic("dict", value.KindDict)
	SetClass            = newStatic("set", value.KindSet)
	FrozenSetClass      = newStatic("frozenset", value.KindFrozenSet)
	RangeClass          = newStatic("range", value.KindRange)
	SliceClass          = newStatic("slice", value.KindSlice)
	FuncClass           = newStatic("function", value.KindFunc)
	BoundClass          = newStatic("method", value.KindBound)
	NativeClass         = newStatic("builtin_function_or_method", value.KindNative)
	MethodDescrClass    = newStatic("method_descriptor", value.KindNative)
	WrapperDescrClass   = newStatic("wrapper_descriptor", value.KindNative)
	WrapperClass        = newStatic("method-wrapper", value.KindBound)
	ModuleClass         = newStatic("module", value.KindModule)
	CellClass           = newStatic("cell", value.KindCell)
	GeneratorClass      = newStatic("generator", value.KindGenerator)
	PropertyClass       = newStatic("property", value.KindProperty)
	StaticMethodClass   = newStatic("staticmethod", value.KindProperty)
	ClassMethodClass    = newStatic("classmethod", value.KindProperty)
	MemberClass         = newStatic("member_descriptor", value.KindProperty)
	GetSetClass         = newStatic("getset_descriptor", value.KindProperty)
	SuperClass          = newStatic("super", value.KindOther)
	CodeClass           = newStatic("code", value.KindCode)
	FrameClass          = newStatic("frame", value.KindOther)
	TracebackClass      = newStatic("traceback", value.KindTraceback)
	MappingProxyClass   = newStatic("mappingproxy", value.KindOther)
	UnionClass          = newStatic("UnionType", value.KindOther)
	GenericAliasClass   = newStatic("GenericAlias", value.KindOther)

	DictKeysClass   = newStatic("dict_keys", value.KindOther)
	DictValuesClass = newStatic("dict_values", value.KindOther)
	DictItemsClass  = newStatic("dict_items", value.KindOther)

	ListIterClass        = newStatic("list_iterator", value.KindIter)
	ListRevIterClass     = newStatic("list_reverseiterator", value.KindIter)
	TupleIterClass       = newStatic("tuple_iterator", value.KindIter)
	StrIterClass         = newStatic("str_iterator", value.KindIter)
	StrASCIIIterClass    = newStatic("str_ascii_iterator", value.KindIter)
	BytesIterClass       = newStatic("bytes_iterator", value.KindIter)
	ByteArrayIterClass   = newStatic("bytearray_iterator", value.KindIter)
	RangeIterClass       = newStatic("range_iterator", value.KindIter)
	LongRangeIterClass   = newStatic("longrange_iterator", value.KindIter)
	DictKeyIterClass     = newStatic("dict_keyiterator", value.KindIter)
	DictValueIterClass   = newStatic("dict_valueiterator", value.KindIter)
	DictItemIterClass    = newStatic("dict_itemiterator", value.KindIter)
	DictRevKeyIterClass  = newStatic("dict_reversekeyiterator", value.KindIter)
	DictRevValIterClass  = newStatic("dict_reversevalueiterator", value.KindIter)
	DictRevItemIterClass = newStatic("dict_reverseitemiterator", value.KindIter)
	SetIterClass         = newStatic("set_iterator", value.KindIter)
	SeqIterClass         = newStatic("iterator", value.KindIter)
	CallIterClass        = newStatic("callable_iterator", value.KindIter)
)

// coreClasses in an order in which bases come first.
var coreClasses = []*Class{
	ObjectClass, TypeClass, IntClass, BoolClass, FloatClass, ComplexClass, NoneClass, UnboundClass,
	NotImplementedClass, EllipsisClass, StrClass, BytesClass, ByteArrayClass, ListClass, TupleClass,
	DictClass, SetClass, FrozenSetClass, RangeClass, SliceClass, FuncClass, BoundClass, NativeClass,
	MethodDescrClass, WrapperDescrClass, WrapperClass, ModuleClass, CellClass, GeneratorClass,
	PropertyClass, StaticMethodClass, ClassMethodClass, MemberClass, GetSetClass, SuperClass, CodeClass,
	FrameClass, TracebackClass, MappingProxyClass, UnionClass, GenericAliasClass, DictKeysClass, DictValuesClass,
	DictItemsClass, ListIterClass, ListRevIterClass, TupleIterClass, StrIterClass, StrASCIIIterClass,
	BytesIterClass, ByteArrayIterClass, RangeIterClass, LongRangeIterClass, DictKeyIterClass,
	DictValueIterClass, DictItemIterClass, DictRevKeyIterClass, DictRevValIterClass, DictRevItemIterClass,
	SetIterClass, SeqIterClass, CallIterClass,
}

// IteratorClasses are the classes of the iterators over built-in containers.
func IteratorClasses() []*Class {
	i := slices.Index(coreClasses, ListIterClass)
	return coreClasses[i:]
}

// init wires what Go's initialisation order can't: slots name functions that name
// classes.
func init() {
	setSlots()
	for _, c := range coreClasses {
		c.finish()
	}
	for _, c := range []*Class{BoolClass, NoneClass, NotImplementedClass, EllipsisClass, RangeClass, SliceClass,
		FuncClass, GeneratorClass, BoundClass, CellClass, MethodDescrClass, NativeClass, CodeClass, FrameClass,
		TracebackClass, MappingProxyClass, DictKeysClass, DictValuesClass, DictItemsClass, UnionClass} {
		c.Flags |= ClassFinal
	}
	for _, c := range append([]*Class{DictKeysClass, DictValuesClass, DictItemsClass}, IteratorClasses()...) {
		c.Flags |= ClassNoNew
	}
	for _, c := range []*Class{GenericAliasClass, UnionClass} {
		c.Module, c.Title = "types", "types."+c.Name
	}
	for _, c := range []*Class{ListClass, TupleClass, RangeClass} {
		c.Flags |= ClassSequence
	}
	DictClass.Flags |= ClassMapping
	MappingProxyClass.Flags |= ClassMapping
	for _, c := range []*Class{BoolClass, ByteArrayClass, BytesClass, DictClass, FloatClass, FrozenSetClass,
		IntClass, ListClass, SetClass, StrClass, TupleClass} {
		c.Flags |= ClassMatchSelf
	}
	for _, c := range []*Class{ListClass, DictClass, SetClass, ByteArrayClass, DictKeysClass, DictItemsClass, SliceClass, MappingProxyClass} {
		c.Flags |= ClassUnhashable
	}
	TypeClass.Flags |= ClassMeta
	ObjectClass.Flags |= ClassNoDict
	for h, c := range map[*Header]*Class{
		&value.IntTag: IntClass, &value.FloatTag: FloatClass, &value.BoolTag: BoolClass, &value.NoneTag: NoneClass,
		&value.UnboundTag: UnboundClass, &value.NotImplementedTag: NotImplementedClass, &value.EllipsisTag: EllipsisClass,
	} {
		h.Type = &c.Type
	}
	finishExceptions()
}
