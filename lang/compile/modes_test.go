package compile_test

import (
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

func has(c *code.Code, op code.Op) bool {
	for i := range c.Ins {
		if c.Ins[i].Op == op {
			return true
		}
	}
	return false
}

// TestModes: the prompt prints, eval returns, exec with locals of its own uses the
// namespace, and a file uses global cells.
func TestModes(t *testing.T) {
	in, err := parser.ParseInteractive("x = 1; x", "<stdin>")
	if err != nil {
		t.Fatal(err)
	}
	u, err := compile.Interactive(in, "<stdin>", compile.Options{})
	if err != nil || !has(u.Code, code.PrintExpr) || !has(u.Code, code.SetGlobal) {
		t.Errorf("interactive: %v\n%s", err, code.Disasm(u.Code))
	}
	e, err := parser.ParseExpr("x + 1", "<string>")
	if err != nil {
		t.Fatal(err)
	}
	u, err = compile.Expr(e, "<string>", compile.Options{Namespace: true})
	if err != nil || !has(u.Code, code.GetName) || !has(u.Code, code.Return) || u.Code.Flags&code.FlagNamespace == 0 {
		t.Errorf("eval: %v\n%s", err, code.Disasm(u.Code))
	}
	if err := code.Verify(u.Code); err != nil {
		t.Error(err)
	}
	m, err := parser.ParseFile([]byte("x = 1\n[y for y in x]\n"), "x.tfs")
	if err != nil {
		t.Fatal(err)
	}
	for ns, op := range map[bool]code.Op{true: code.SetName, false: code.SetGlobal} {
		c, err := compile.Module(m, "x.tfs", compile.Options{Namespace: ns})
		if err != nil || !has(c, op) {
			t.Errorf("namespace %v: %v\n%s", ns, err, code.Disasm(c))
		}
	}
}
