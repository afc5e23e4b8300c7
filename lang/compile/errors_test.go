package compile

import (
	"testing"

	"github.com/tfs-lang/tfs/parser"
)

// TestScopeErrors: what is left for the compiler to refuse, in CPython's words. The
// parser's check may find it first.
func TestScopeErrors(t *testing.T) {
	for _, row := range [...]struct{ src, msg string }{
		{"def f():\n    nonlocal x\n", "no binding for nonlocal 'x' found"},
		{"class A:\n    def f(self):\n        nonlocal y\n", "no binding for nonlocal 'y' found"},
		{"return 1\n", "'return' outside function"},
		{"break\n", "'break' outside loop"},
		{"if x:\n    continue\n", "'continue' not properly in loop"},
	} {
		m, err := parser.ParseFile([]byte(row.src), "x")
		if err == nil {
			_, err = Module(m, "x", Options{})
		}
		if err == nil {
			t.Errorf("%q: no error", row.src)
			continue
		}
		text := err.Error()
		if p, ok := err.(*parser.SyntaxError); ok {
			text = p.Msg
		}
		if text != row.msg {
			t.Errorf("%q: %s, want %s", row.src, text, row.msg)
		}
	}
}
