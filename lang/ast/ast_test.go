package ast

import (
	"math"
	"math/big"
	"testing"
)

func TestRepr(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "None"}, {true, "True"}, {int64(-3), "-3"}, {new(big.Int).Lsh(big.NewInt(1), 70), "1180591620717411303424"},
		{1.0, "1.0"}, {1e16, "1e+16"}, {1e22, "1e+22"}, {0.0001, "0.0001"}, {0.00001, "1e-05"}, {1.5e300, "1.5e+300"}, {math.Inf(1), "inf"},
		{complex(0, 1), "1j"}, {complex(0, 2.5), "2.5j"}, {complex(0, 1e20), "1e+20j"},
		{"it's", `"it's"`}, {`'"`, `'\'"'`}, {"a\n\x00é\u200b", `'a\n\x00é\u200b'`}, {"\xed\xa0\x80", `'\ud800'`},
		{Bytes("a\xff'"), `b"a\xff'"`}, {Ellipsis{}, "Ellipsis"},
	} {
		if got := Repr(c.v); got != c.want {
			t.Errorf("Repr(%#v) = %s, want %s", c.v, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	src := "x = 1\ny = (2 +\n 3)\n"
	for want, s := range map[string]*Span{"x": {1, 0, 1, 1}, "(2 +\n 3)": {2, 4, 3, 3}, "": {9, 0, 9, 3}} {
		if got := s.Cut(src); got != want {
			t.Errorf("%v: %q, want %q", *s, got, want)
		}
	}
}

func TestDumpAndWalk(t *testing.T) {
	sp := Span{1, 0, 1, 3}
	m := &Module{Body: []Stmt{&ExprStmt{sp, &Dict{sp, []Expr{nil}, []Expr{&Name{sp, "x", Load}}}}}}
	want := "Module(body=[Expr(value=Dict(keys=[None], values=[Name(id='x', ctx=Load(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=3)], " +
		"lineno=1, col_offset=0, end_lineno=1, end_col_offset=3), lineno=1, col_offset=0, end_lineno=1, end_col_offset=3)], type_ignores=[])"
	if got := Dump(m); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	n := 0
	Walk(m, func(Node) bool { n++; return true })
	if n != 4 {
		t.Errorf("Walk visited %d nodes, want 4", n)
	}
}
