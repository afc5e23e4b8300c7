package conform

import (
	"strings"
	"testing"
)

const traceback = `a warning
Traceback (most recent call last):
  File "/tmp/a.tfs", line 3, in <module>
    f()
KeyError: 'first'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/tmp/a.tfs", line 5, in <module>
    g()
mod.DataError: row 'abc' has 3 columns
and a second line
`

const syntaxError = `  File "/some/folder/a.tfs", line 4
    x = = 5
        ^
SyntaxError: invalid syntax
`

func TestFaultOf(t *testing.T) {
	for _, row := range []struct{ stderr, message, position string }{
		{traceback, "mod.DataError: row 'abc' has 3 columns\nand a second line", ""},
		{syntaxError, "SyntaxError: invalid syntax", "  File \"a.tfs\", line 4\n    x = = 5\n        ^"},
		{"usage: tool\ntool: error: wrong\n", "tool: error: wrong", ""},
		{"", "", ""},
	} {
		f := FaultOf(1, row.stderr)
		if f.Message != row.message || f.Position != row.position {
			t.Errorf("%.40q: got %q and %q", row.stderr, f.Message, f.Position)
		}
	}
}

func TestCompareFault(t *testing.T) {
	position := "  File \"a.tfs\", line 4\n    x = = 5\n        ^"
	for _, row := range []struct {
		name      string
		want, got Fault
		what      string // of the mismatch; "" for none
	}{
		{"same", Fault{1, "KeyError: 'a'", ""}, Fault{1, "KeyError: 'a'", ""}, ""},
		{"status", Fault{1, "KeyError: 'a'", ""}, Fault{2, "KeyError: 'a'", ""}, "status"},
		{"class", Fault{1, "KeyError: 'a'", ""}, Fault{1, "IndexError: 'a'", ""}, "exception"},
		{"last name counts", Fault{1, "a.b.OutOfRangeError: 2", ""}, Fault{1, "OutOfRangeError: 2", ""}, ""},
		{"words may differ", Fault{1, "E: shape 'x' is 3 long", ""}, Fault{1, "E: 3 for 'x'", ""}, ""},
		{"a quoted word is missing", Fault{1, "E: 'x' and \"y\"", ""}, Fault{1, "E: 'x'", ""}, "message"},
		{"a number is missing", Fault{1, "E: 2 and 3", ""}, Fault{1, "E: 2 and 4", ""}, "message"},
		{"node prefix", Fault{1, "E: {{function_node __f_12}} at 3", ""}, Fault{1, "E: {{function_node __g_7}} at 3", ""}, ""},
		{"position", Fault{1, "SyntaxError: invalid syntax", position}, Fault{1, "SyntaxError: invalid syntax", position}, ""},
		{"position differs", Fault{1, "SyntaxError: invalid syntax", position},
			Fault{1, "SyntaxError: invalid syntax", strings.Replace(position, "4", "5", 1)}, "syntax"},
		{"text of a syntax error", Fault{1, "SyntaxError: invalid syntax", position}, Fault{1, "SyntaxError: bad", position}, "syntax"},
	} {
		m := CompareFault(&row.want, &row.got)
		switch {
		case m == nil && row.what != "":
			t.Errorf("%s: agrees, should differ", row.name)
		case m != nil && (row.what == "" || !strings.HasPrefix(m.What, row.what)):
			t.Errorf("%s: got %v, want %q", row.name, m, row.what)
		}
	}
}

func TestParseFault(t *testing.T) {
	f, err := ParseFault("status 1\nSyntaxError: invalid syntax\n  File \"a.tfs\", line 4\n    x = = 5\n        ^\n")
	if err != nil || f.Status != 1 || f.Message != "SyntaxError: invalid syntax" || !strings.HasPrefix(f.Position, "  File") {
		t.Errorf("got %+v, %v", f, err)
	}
	f, err = ParseFault("status 3\n\n")
	if err != nil || f.Status != 3 || f.Message != "" {
		t.Errorf("got %+v, %v", f, err)
	}
	if _, err = ParseFault("KeyError: 1\n"); err == nil {
		t.Error("no status, no error")
	}
}
