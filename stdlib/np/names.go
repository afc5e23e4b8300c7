package np

// expired says what NumPy 2 answers to names that it dropped.
var expired = map[string]string{
	"cast": "Use `np.asarray(arr, dtype=dtype)` instead.", "NINF": "Use `-np.inf` instead.", "PINF": "Use `np.inf` instead.",
	"NZERO": "Use `-0.0` instead.", "PZERO": "Use `0.0` instead.", "safe_eval": "Use `ast.literal_eval` instead.",
	"float_": "Use `np.float64` instead.", "complex_": "Use `np.complex128` instead.", "longfloat": "Use `np.longdouble` instead.",
	"singlecomplex": "Use `np.complex64` instead.", "cfloat": "Use `np.complex128` instead.", "string_": "Use `np.bytes_` instead.",
	"unicode_": "Use `np.str_` instead.", "Inf": "Use `np.inf` instead.", "Infinity": "Use `np.inf` instead.", "NaN": "Use `np.nan` instead.",
	"infty": "Use `np.inf` instead.", "issctype": "Use `issubclass(rep, np.generic)` instead.", "obj2sctype": "Use `np.dtype(obj).type` instead.",
	"sctype2char": "Use `np.dtype(obj).char` instead.", "sctypes": "Access dtypes explicitly instead.", "issubsctype": "Use `np.issubdtype` instead.",
	"asfarray": "Use `np.asarray` with a proper dtype instead.", "issubclass_": "Use `issubclass` builtin instead.", "mat": "Use `np.asmatrix` instead.",
	"recfromcsv": "Use `np.genfromtxt` with comma delimiter instead.", "recfromtxt": "Use `np.genfromtxt` instead.",
	"find_common_type": "Use `numpy.promote_types` or `numpy.result_type` instead. To achieve semantics for the `scalar_types` argument, use `numpy.result_type` and pass the Python values `0`, `0.0`, or `0j`.",
	"round_":           "Use `np.round` instead.", "nbytes": "Use `np.dtype(<dtype>).itemsize` instead.", "alltrue": "Use `np.all` instead.", "sometrue": "Use `np.any` instead.",
	"fastCopyAndTranspose": "Use `arr.T.copy()` instead.", "set_string_function": "Use `np.set_printoptions` instead with a formatter for custom printing of NumPy objects.",
}

// aliases are builtins that numpy once had under its own name, with the advice
// about the scalar type.
var aliases = map[string]string{
	"float":   "If you specifically wanted the numpy scalar type, use `np.float64` here.",
	"int":     "When replacing `np.int`, you may wish to use e.g. `np.int64` or `np.int32` to specify the precision. If you wish to review your current use, check the release note link for additional information.",
	"object":  "",
	"str":     "If you specifically wanted the numpy scalar type, use `np.str_` here.",
	"complex": "If you specifically wanted the numpy scalar type, use `np.complex128` here.",
}

// missing words the AttributeError of a name that numpy doesn't have.
func missing(name string) string {
	if t, ok := expired[name]; ok {
		return "`np." + name + "` was removed in the NumPy 2.0 release. " + t
	}
	if t, ok := aliases[name]; ok {
		return "module 'numpy' has no attribute '" + name + "'.\n`np." + name + "` was a deprecated alias for the builtin `" + name + "`. To avoid this error in existing code, use `" + name +
			"` by itself. Doing this will not modify any behavior and is safe. " + t +
			"\nThe aliases was originally deprecated in NumPy 1.20; for more details and guidance see the original release note at:\n    https://numpy.org/devdocs/release/1.20.0-notes.html#deprecations"
	}
	return ""
}
