package lang

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tfs-lang/tfs/lang/code"
	"github.com/tfs-lang/tfs/lang/compile"
	"github.com/tfs-lang/tfs/parser"
)

// largeModule is a module of 2,000 lines: 150 functions, 25 classes of 5 methods, one
// function that runs at import.
func largeModule() string {
	var b strings.Builder
	b.WriteString("def setup(n):\n    return [i * 2 for i in range(n)]\n\ntable = setup(10)\n\n")
	function := func(indent, name, self string, k int) {
		fmt.Fprintf(&b, "%[1]sdef %[2]s(%[3]sx, y=%[4]d, *rest, key='k%[4]d'):\n%[1]s    \"What %[2]s says.\"\n%[1]s    total = 0\n"+
			"%[1]s    for i in range(x):\n%[1]s        total = total + i * y\n%[1]s    return total // len(rest)\n", indent, name, self, k)
	}
	for i := range 150 {
		function("", fmt.Sprint("f", i), "", i)
	}
	for i := range 25 {
		fmt.Fprintf(&b, "class C%d:\n    limit = %d\n\n", i, i)
		for k := range 5 {
			function("    ", fmt.Sprint("m", k), "self, ", k)
			fmt.Fprintf(&b, "\n")
		}
	}
	for n := strings.Count(b.String(), "\n"); n < 2000; n++ {
		fmt.Fprintf(&b, "value%d = (%d, 'v%d')\n", n, n, n)
	}
	return b.String()
}

// compiledModule is a module of this text that came compiled.
func compiledModule(t testing.TB, text, file string) *Script {
	m, err := parser.ParseFile([]byte(text), file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Module(m, "", compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &Script{Text: func() string { return text }, File: file, Code: string(code.Marshal(c))}
}

// bodies counts the code objects that were read, and all whose head was.
func bodies(c *code.Code) (read, known int) {
	if !c.Loaded() {
		return 0, 1
	}
	read, known = 1, 1
	for _, k := range c.Codes {
		r, n := bodies(k)
		read, known = read+r, known+n
	}
	return read, known
}

// Importing a module that came compiled reads only what runs.
func TestCompiledModuleReadsWhatRuns(t *testing.T) {
	s := compiledModule(t, largeModule(), "<tfs>/large.py")
	c, err := code.Lazy(s.Code, s.File)
	if err != nil {
		t.Fatal(err)
	}
	in := newTestInterp(&bytes.Buffer{})
	m := in.MainModule("")
	if _, err := in.Main.RunCode(c, m.dict, Unbound); err != nil {
		t.Fatal(FormatException(in.Main, AsError(err)))
	}
	read, known := bodies(c)
	if read != 1+1+25 || known != 1+1+150+25+125 { // the module, setup, the bodies of classes
		t.Errorf("%d bodies read of %d known", read, known)
	}
	if err := in.Main.RunSource(m, "f7(3, 1, 2)\nC3().m2(1, 2, 3)", "test.tfs"); err != nil {
		t.Fatal(FormatException(in.Main, AsError(err)))
	}
	if read, _ := bodies(c); read != 1+1+25+2 {
		t.Errorf("%d bodies read after calls of two functions", read)
	}
}

// Importing a module that came compiled doesn't look at its text.
func TestCompiledModuleIsNotParsed(t *testing.T) {
	s := compiledModule(t, "a = 1\ndef f(): return a\n", "<tfs>/mod.py")
	s.Text = func() string { t.Error("the text was read"); return "" }
	var out bytes.Buffer
	in := newTestInterp(&out)
	in.Source = func(name string) *Script { return s }
	if err := in.Main.RunSource(in.MainModule(""), "import mod\nprint(mod.a, mod.f(), mod.__file__)", "test.tfs"); err != nil {
		t.Fatal(FormatException(in.Main, AsError(err)))
	}
	if got, want := out.String(), "1 1 <tfs>/mod.py\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// A module does the same however it came.
func TestCompiledModuleBehavesAsItsText(t *testing.T) {
	const use = `import mod
from mod import f5, C2
print(f5.__doc__, f5.__qualname__, f5.__defaults__, f5.__kwdefaults__, C2.m1.__qualname__)
print(f5.__code__.co_firstlineno, f5.__code__.co_varnames, f5.__code__.co_consts, mod.table)
try:
    C2().m1(3, z=1)
except TypeError as e:
    print(e)
C2().m1(3)
`
	var out [2]string
	for i, compiled := range []bool{true, false} {
		s := compiledModule(t, largeModule(), "tfs:large.tfs")
		if !compiled {
			s.Code = ""
		}
		var b bytes.Buffer
		in := newTestInterp(&b)
		in.Source = func(name string) *Script { return s }
		err := in.Main.RunSource(in.MainModule(""), use, "test.tfs")
		if err == nil {
			t.Fatal("no exception")
		}
		out[i] = b.String() + FormatUncaught(in.Main, AsError(err))
	}
	if out[0] != out[1] || !strings.Contains(out[0], "return total // len(rest)") {
		t.Errorf("compiled:\n%s\nfrom text:\n%s", out[0], out[1])
	}
}

// A function of a module that came compiled can be staged: its text is compiled then.
func TestCompiledModuleCanBeStaged(t *testing.T) {
	s := compiledModule(t, "class C:\n    def f(self, x): return x if x else -x\n    g = lambda x: x + 1\n", "<tfs>/mod.py")
	in := newTestInterp(&bytes.Buffer{})
	in.Source = func(name string) *Script { return s }
	m := in.MainModule("")
	if err := in.Main.RunSource(m, "from mod import C\nf, g = C.f, C.g", "test.tfs"); err != nil {
		t.Fatal(FormatException(in.Main, AsError(err)))
	}
	for _, name := range []string{"f", "g"} {
		v, _ := m.dict.GetStr(name)
		f, _ := AsFunc(v)
		if staged, why := in.Main.StagedFunc(f); staged == nil || staged.Code().Flags&code.FlagStaged == 0 {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// The decision to hold: an embedded module in script of 2,000 lines imports in 1 ms.
func BenchmarkImportCompiled(b *testing.B) { benchmarkImport(b, true) }

// What it costs to import the text.
func BenchmarkImportText(b *testing.B) { benchmarkImport(b, false) }

func benchmarkImport(b *testing.B, compiled bool) {
	s := compiledModule(b, largeModule(), "<tfs>/large.py")
	if !compiled {
		s.Code = ""
	}
	in := newTestInterp(&bytes.Buffer{})
	in.Source = func(name string) *Script { return s }
	in.MainModule("")
	for b.Loop() {
		in.Modules.DelStr("large")
		if _, err := in.Main.Import("large"); err != nil {
			b.Fatal(err)
		}
	}
}
