package py

import (
	"github.com/tfs-lang/tfs/lang"
)

// SimpleNamespace makes a types.SimpleNamespace of name, value, name, value …
func SimpleNamespace(th *Thread, pairs ...any) (Value, error) {
	m, err := th.Import("types")
	if err != nil {
		return fail(err)
	}
	c, err := lang.Attr(th, m, "SimpleNamespace")
	if err != nil {
		return fail(err)
	}
	var args []Value
	var names []*lang.Str
	for i := 0; i < len(pairs); i += 2 {
		names = append(names, lang.Intern(pairs[i].(string)))
		args = append(args, pairs[i+1].(Value))
	}
	return th.Call(c, args, names...)
}

// _types gives the script module types the classes of the core.
var _ = define("_types", func() *lang.ModuleDef {
	return &lang.ModuleDef{Defs: []lang.Def{{Sig: "seal(*classes)", Fn: sealClasses}}, Init: func(th *Thread, m *lang.Module) error {
		for name, c := range map[string]*lang.Class{
			"FunctionType": lang.FuncClass, "LambdaType": lang.FuncClass, "MethodType": lang.BoundClass,
			"BuiltinFunctionType": lang.NativeClass, "BuiltinMethodType": lang.NativeClass, "ModuleType": lang.ModuleClass,
			"GeneratorType": lang.GeneratorClass, "TracebackType": lang.TracebackClass, "FrameType": lang.FrameClass,
			"CodeType": lang.CodeClass, "MappingProxyType": lang.MappingProxyClass, "GenericAlias": lang.GenericAliasClass,
			"UnionType": lang.UnionClass, "CellType": lang.CellClass, "GetSetDescriptorType": lang.GetSetClass,
			"MemberDescriptorType": lang.MemberClass, "MethodDescriptorType": lang.MethodDescrClass,
			"WrapperDescriptorType": lang.WrapperDescrClass, "MethodWrapperType": lang.WrapperClass,
			"NoneType": lang.NoneClass, "EllipsisType": lang.EllipsisClass, "NotImplementedType": lang.NotImplementedClass,
			"dict_keys": lang.DictKeysClass, "dict_values": lang.DictValuesClass, "dict_items": lang.DictItemsClass,
		} {
			m.Set(name, c.Value())
		}
		return nil
	}}
})

// sealClasses makes classes of script stand for types in C.
func sealClasses(th *Thread, a []Value) (Value, error) {
	classes, _ := lang.Sequence(a[0])
	for _, v := range classes {
		c, ok := lang.AsClass(v.Value())
		if !ok {
			return fail(th.TypeErrorf("seal() argument must be a class, not %s", lang.TypeName(v.Value())))
		}
		c.Seal()
	}
	return none, nil
}
