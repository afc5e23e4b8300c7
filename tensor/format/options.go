package format

// Options are NumPy's print options.
type Options struct {
	Precision int // -1: as many digits as needed
	Threshold int
	EdgeItems int
	LineWidth int
	Suppress  bool
	NanStr    string
	InfStr    string
	Sign      byte   // '-', '+' or ' '
	FloatMode string // fixed, unique, maxprec, maxprec_equal
	// Formatter replaces the text of elements of a kind: the keys are NumPy's
	// (bool, int, float, complexfloat, object, numpystr, all, int_kind,
	// float_kind, complex_kind, str_kind).
	Formatter map[string]func(a *Array, pos int) string
}

// Default is NumPy's state at the start.
func Default() Options {
	return Options{Precision: 8, Threshold: 1000, EdgeItems: 3, LineWidth: 75,
		NanStr: "nan", InfStr: "inf", Sign: '-', FloatMode: "maxprec"}
}

var defaults = Default()
