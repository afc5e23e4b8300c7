package compile_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

func TestZZ(t *testing.T) {
	f := os.Getenv("DIS")
	if f == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(f)
	m, err := parser.ParseFile(src, f)
	if err != nil {
		t.Fatal(err)
	}
	u, err := compile.NewUnit(m, f, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ST") != "" {
		for _, c := range u.Code.Codes {
			if s := u.Staged(c); s != nil {
				fmt.Println(code.Disasm(s), code.Verify(s))
			} else {
				fmt.Println(c.NoStaged)
			}
		}
		return
	}
	fmt.Println(code.Disasm(u.Code), code.Verify(u.Code))
}
