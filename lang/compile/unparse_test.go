package compile

import (
	"testing"

	"github.com/tfs-lang/tfs/parser"
)

// TestUnparse: the left column is what CPython's ast.unparse makes of the right one.
func TestUnparse(t *testing.T) {
	for _, row := range [...][2]string{
		{"x > 0", "(x>0)"},
		{"a and (b or c)", "a and (b or c)"},
		{"not a == b", "not a==b"},
		{"-x ** 2", "-x**2"},
		{"(-x) ** 2", "(-x)**2"},
		{"a - (b - c)", "a-(b-c)"},
		{"a ** b ** c", "a**b**c"},
		{"(a ** b) ** c", "(a**b)**c"},
		{"f(a, *b, k=1, **d)", "f(a,*b,k=1,**d)"},
		{"f((x for x in y))", "f(x for x in y)"},
		{"x[1:2, ::3]", "x[1:2,::3]"},
		{"x[a, b]", "x[(a,b)]"},
		{"Dict[str, List[int]]", "Dict[str,List[int]]"},
		{"int | None", "int|None"},
		{"(1, 'a', 2.5)", "1,\"a\",2.5"},
		{"lambda x, *a, k=1, **kw: x + 1", "lambda x,*a,k=1,**kw:x+1"},
		{"a if b else c", "a if b else c"},
		{"[x for x in y if x]", "[x for x in y if x]"},
		{"{'a': 1, **b}", "{'a':1,**b}"},
		{"f'{x!r:>{w}} {{}}'", "f'{x!r:>{w}} {{}}'"},
		{"1 .real", "1 .real"},
		{"a < b <= c", "a<b<=c"},
		{"a is not b", "a is not b"},
		{"(y := x)", "(y:=x)"},
		{"~a & b | c ^ d << 2", "~a&b|c^d<<2"},
		{"...", "..."},
	} {
		e, err := parser.ParseExpr(row[1], "x")
		if err != nil {
			t.Fatalf("%s: %v", row[1], err)
		}
		if got := unparse(e.Body); got != row[0] {
			t.Errorf("%s: %s, want %s", row[1], got, row[0])
		}
	}
}
