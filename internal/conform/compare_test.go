package conform

import "testing"

func TestCompareOutput(t *testing.T) {
	plain, err := ParseDirectives("# nothing special\n")
	if err != nil {
		t.Fatal(err)
	}
	exact := plain
	exact.Exact = true
	loose := plain
	loose.RTol, loose.ATol = 1e-2, 0

	for _, row := range []struct {
		name      string
		d         Directives
		want, got string
		line      int // of the mismatch; 0: they agree
	}{
		{"same text", exact, "a 1\n", "a 1\n", 0},
		{"exact: last digit", exact, "a\n1.0000001\n", "a\n1.0000002\n", 2},
		{"exact: white space", exact, "a b\n", "a  b\n", 1},
		{"exact: missing end", exact, "a\nb\n", "a\n", 2},
		{"float within", plain, "x 1.0000001", "x 1.0000002", 0},
		{"float outside", plain, "x\n1.0001", "x\n1.0002", 2},
		{"small floats by the absolute tolerance", plain, "-1e-9", "1e-9", 0},
		{"wider tolerance", loose, "1.00 2.00", "1.005 1.99", 0},
		{"white space set aside", plain, "[[1. 2.]\n [3. 4.]]", "[[1. 2.] [3.  4.]]", 0},
		{"brackets touch numbers", plain, "[[1.]]", "[[1.0]]", 0},
		{"ints differ", plain, "step 3", "step 4", 1},
		{"an int is no float", plain, "3", "3.0", 1},
		{"a word differs", plain, "loss 1.0", "cost 1.0", 1},
		{"digits in words are text", plain, "float32", "float64", 1},
		{"nan equals nan", plain, "nan", "-nan", 0},
		{"nan is no number", plain, "nan", "1.0", 1},
		{"infinities by sign", plain, "inf", "-inf", 1},
		{"infinity and its text", plain, "1e999", "inf", 0},
		{"nano is a word", plain, "nano", "info", 1},
		{"complex", plain, "1.0000001+2.j", "1.0-(-2.j)", 1},
		{"complex within", plain, "1.0000001+2.j", "1.+2.0000001j", 0},
		{"too much", plain, "a\n", "a\nb\n", 2},
		{"too little", plain, "a\nb\n", "a\n", 2},
		{"other signs", plain, "a → b", "a → b ", 0},
		{"other signs differ", plain, "a → b", "a ← b", 1},
	} {
		m := CompareOutput(row.d, row.want, row.got)
		switch {
		case m == nil && row.line != 0:
			t.Errorf("%s: agrees, should differ", row.name)
		case m != nil && m.Line != row.line:
			t.Errorf("%s: differs at line %d, want %d: %v", row.name, m.Line, row.line, m)
		}
	}
}

func TestParseDirectives(t *testing.T) {
	d, err := ParseDirectives("# oracle: python\n# exact\n# tol: 1e-3 1e-4\n# stderr: a: b\n# stderr: c\nx = 1\n# stderr: too late\n")
	if err != nil {
		t.Fatal(err)
	}
	if !d.Plain || !d.Exact || d.RTol != 1e-3 || d.ATol != 1e-4 {
		t.Errorf("got %+v", d)
	}
	if len(d.Stderr) != 2 || d.Stderr[0] != "a: b" || d.Stderr[1] != "c" {
		t.Errorf("stderr lines: %q", d.Stderr)
	}
	for _, bad := range []string{"# tol: 1e-3\n", "# tol: x y\n", "# tol: 1 y\n"} {
		if _, err := ParseDirectives(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
