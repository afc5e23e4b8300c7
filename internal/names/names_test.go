package names

import "testing"

func TestOwner(t *testing.T) {
	for _, row := range [][3]string{
		{"os", "listdir", "CPython 3.11"}, {"builtins", "ArithmeticError", "CPython 3.11"}, {"os", "list", ""},
		{"numpy", "linspace", "NumPy 2.4"}, {"tensorflow", "Graph", "TensorFlow 2.21"},
		{"tensorflow.debugging", "Assert", "TensorFlow 2.21"}, {"tensorflow.debugging", "assert", ""}, {"mine", "x", ""},
	} {
		if got := Owner(row[0], row[1]); got != row[2] {
			t.Errorf("%s.%s: %q, want %q", row[0], row[1], got, row[2])
		}
	}
}
