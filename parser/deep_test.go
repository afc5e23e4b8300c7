package parser

import (
	"strings"
	"testing"
	"time"
)

// TestDeep parses what is nested deeply, rightly and wrongly: it must end, soon,
// without a Go stack overflow, and in CPython's class.
func TestDeep(t *testing.T) {
	nest := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	blocks := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + "if 1:\n")
		}
		return b.String() + strings.Repeat(" ", n) + "pass"
	}
	for _, c := range []struct{ name, src, class, msg string }{
		{"200 brackets", nest("(", "1", ")", 200), "", ""},
		{"201 brackets", nest("(", "1", ")", 201), "SyntaxError", "too many nested parentheses"},
		{"lists", nest("[", "", "]", 150), "", ""},
		{"calls", "a" + nest("(a", "", ")", 190), "", ""},
		{"dicts", nest("{1:", "2", "}", 190), "", ""},
		{"minus", strings.Repeat("-", 5000) + "1", "RecursionError", "maximum recursion depth exceeded during compilation"},
		{"not", strings.Repeat("not ", 10000) + "1", "MemoryError", ""},
		{"lambda", strings.Repeat("lambda: ", 3000) + "1", "MemoryError", ""},
		{"power", strings.Repeat("a**", 3000) + "1", "MemoryError", ""},
		{"ternary", strings.Repeat("a if a else ", 2900) + "1", "", ""},
		{"ternaries", strings.Repeat("a if a else ", 3000) + "1", "RecursionError", "maximum recursion depth exceeded during compilation"},
		{"sum", "1" + strings.Repeat("+1", 2900), "", ""},
		{"sums", "1" + strings.Repeat("+1", 200000), "RecursionError", "maximum recursion depth exceeded during compilation"},
		{"attributes", "a" + strings.Repeat(".b", 100000), "RecursionError", "maximum recursion depth exceeded during compilation"},
		{"targets", strings.Repeat("x=", 5000) + "1", "", ""},
		{"and", strings.Repeat("x and ", 50000) + "1", "", ""},
		{"elif", "if x: pass\n" + strings.Repeat("elif x: pass\n", 2900), "", ""},
		{"elifs", "if x: pass\n" + strings.Repeat("elif x: pass\n", 20000), "RecursionError", "maximum recursion depth exceeded during compilation"},
		{"99 blocks", blocks(99), "", ""},
		{"100 blocks", blocks(100), "IndentationError", "too many levels of indentation"},
		{"f-strings", "f'''" + strings.Repeat("{f\"", 1) + "x" + strings.Repeat("\"}", 1) + "'''", "", ""},
		{"missing comma in brackets", nest("(", "a b", ")", 100), "SyntaxError", "invalid syntax. Perhaps you forgot a comma?"},
		{"unclosed", strings.Repeat("(", 150) + "a", "SyntaxError", "'(' was never closed"},
		{"unclosed mix", strings.Repeat("[{(", 60) + "a b", "SyntaxError", ""},
		{"unclosed calls", strings.Repeat("f(a=", 150), "SyntaxError", "'(' was never closed"},
		{"subscripts", strings.Repeat("a[", 150) + "1 2" + strings.Repeat("]", 150), "SyntaxError", ""},
		{"comprehensions", nest("[a for a in ", "b c", "]", 60), "SyntaxError", ""},
		{"bad lambdas", strings.Repeat("lambda x: ", 300) + "1 2", "SyntaxError", ""},
		{"bad ternaries", strings.Repeat("a if b else ", 300) + "1 2", "SyntaxError", ""},
		{"bad dicts", nest("{a: ", "1 2", "}", 60), "SyntaxError", ""},
		{"bad sets", nest("{", "1 2", "}", 60), "SyntaxError", ""},
		{"bad calls", nest("f(", "1 2", ")", 100), "SyntaxError", ""},
		{"bad keywords", nest("f(a=", "1 2", ")", 60), "SyntaxError", ""},
		{"bad patterns", "match x:\n case " + nest("[", "1 2", "]", 60) + ": pass", "SyntaxError", ""},
		{"targets in brackets", nest("(", "a", ")", 60) + " + 1 = 2", "SyntaxError", ""},
		{"bad blocks", strings.Replace(blocks(60), "pass", "a b", 1), "SyntaxError", "invalid syntax"},
		{"bad functions", strings.Replace(strings.ReplaceAll(blocks(40), "if 1:", "def f(a, b=1):"), "pass", "a b", 1), "SyntaxError", "invalid syntax"},
		{"bad tries", strings.Replace(strings.ReplaceAll(blocks(18), "if 1:", "try:"), "pass", "a b", 1), "SyntaxError", ""},
	} {
		start := time.Now()
		_, err := ParseString(c.src, "deep")
		class, msg := "", ""
		if err != nil {
			e := err.(*SyntaxError)
			class, msg = e.Class, e.Msg
		}
		if class != c.class || c.msg != "" && msg != c.msg {
			t.Errorf("%s: %s: %s, want %s: %s", c.name, class, msg, c.class, c.msg)
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%s took %v", c.name, d)
		} else if testing.Verbose() {
			t.Logf("%s %v", c.name, d)
		}
	}
}
