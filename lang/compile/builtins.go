package compile

// isBuiltin reports a name of the builtins module that scripts call. A name missing
// here costs a separate look-up, nothing else.
func isBuiltin(name string) bool {
	switch name {
	case "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr", "classmethod",
		"complex", "delattr", "dict", "dir", "divmod", "enumerate", "filter", "float", "format", "frozenset",
		"getattr", "globals", "hasattr", "hash", "hex", "id", "input", "int", "isinstance", "issubclass", "iter",
		"len", "list", "map", "max", "min", "next", "object", "oct", "open", "ord", "pow", "print", "property",
		"range", "repr", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum",
		"tuple", "type", "vars", "zip",
		"ArithmeticError", "AssertionError", "AttributeError", "BaseException", "Exception", "ImportError",
		"IndexError", "KeyError", "NameError", "NotImplementedError", "OSError", "OverflowError", "RuntimeError",
		"StopIteration", "TypeError", "ValueError", "ZeroDivisionError":
		return true
	}
	return false
}
