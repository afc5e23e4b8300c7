package py

import "github.com/tfs-lang/tfs/lang"

func init() {
	e := &lang.Elementary
	e.Sin, e.Cos, e.Exp, e.Log, e.Atan2 = exactSin, exactCos, exactExp, exactLog, exactAtan2
}

// exactFunctions are the correctly rounded functions, by NumPy's names.
var exactFunctions = map[string]func(float64) float64{
	"exp": exactExp, "expm1": exactExpm1, "log": exactLog, "log2": exactLog2, "log10": exactLog10, "log1p": exactLog1p,
	"sin": exactSin, "cos": exactCos, "tan": exactTan, "arcsin": exactAsin, "arccos": exactAcos, "arctan": exactAtan,
	"sinh": exactSinh, "cosh": exactCosh, "tanh": exactTanh, "arcsinh": exactAsinh, "arccosh": exactAcosh, "arctanh": exactAtanh,
	"cbrt": exactCbrt,
}

// Exact is a correctly rounded function by its NumPy name, nil if there is none.
// It is what the C library gives, at some hundred nanoseconds a call.
func Exact(name string) func(float64) float64 { return exactFunctions[name] }

// ExactPow is the correctly rounded power.
func ExactPow(x, y float64) float64 { return exactPow(x, y) }
