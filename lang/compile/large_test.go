package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
)

// TestLarge: functions beyond the reach of the short forms still compile to valid code.
func TestLarge(t *testing.T) {
	var locals, body, args, elems strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&locals, "    v%d = %d\n", i, i)
		fmt.Fprintf(&elems, "f(%d), ", i)
	}
	for i := range 300 {
		fmt.Fprintf(&args, "a%d, ", i)
	}
	for range 12000 {
		body.WriteString("        x = f(x) + 1\n")
	}
	for name, src := range map[string]string{
		"locals":  "def f():\n" + locals.String() + "    del v4999\n    return v4998, v0\n",
		"jumps":   "def f(x):\n    while x < 10:\n" + body.String() + "    for i in x:\n" + body.String() + "    if x and x > 2 or 1 < x < 3:\n" + body.String(),
		"params":  "def f(" + args.String() + "):\n    return a299\nf(" + args.String() + "k=1)\n",
		"display": "x = [" + elems.String() + "]\ny = (" + elems.String() + ")\nz = {" + elems.String() + "}\n",
		"deep":    strings.Repeat("(", 90) + "1" + strings.Repeat(")", 90) + "\n",
		"sum":     "x = " + strings.Repeat("a + ", 400) + "a\n",
	} {
		if err := code.Verify(unit(t, src, name).Code); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
