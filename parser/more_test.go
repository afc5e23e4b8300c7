package parser

import "testing"

// The rows are those of CPython's codeop.compile_command.
func TestNeedMore(t *testing.T) {
	more := []string{"if x:", "if x:\n  y", "if x: y", "def f():", "def f():\n  pass", "@d", "@d\n", "@d\ndef f(): pass", "(", "(1,", "[", "{",
		"x = '''", "x = '''a\nb", "x = \\", "x = 1 + \\", "for x in y:\n  for z in w:\n    pass", "if x:\n  y\nelse:", "if x:\n  y\nelse:\n  z",
		"try:", "try:\n  x", "try:\n  x\n", "try:\n  x\nexcept:", "class A:\n  x = 1\n\n  y = 2", "f(a,\n", "match x:", "match x:\n  case 1:",
		"match x:\n  case 1:\n    pass", "\"\"\"", "f'''{", "print(", "def f(", "if x:\n  y\n  ", "if x:\n  (", "if x:\n  (\n", "if 1:\n  # c", "if 1:\n  # c\n",
		"x = [1,\n # c\n", "async def f():", "from a import (b,\n c", "def f():\n  '''doc", "x = {'a':\n", "try: x\n"}
	done := []string{"", "x", "if x:\n  y\n", "if x: y\n", "def f():\n  pass\n", "@d\ndef f(): pass\n", "(1,\n2)", "x = '''a'''", "x = 1 \\\n + 2",
		"try:\n  x\nexcept:\n  y\n", "# c", "# c\n", "\n", "x = 1; y = 2", "x = 1;", "match x:\n  case 1:\n    pass\n", "x = 1\n\n", "\nx = 1", "match = 1",
		// mistakes
		"x = 'abc", "x = \\\n", "a b", "1 +", "  x", "if x:\ny", "f(a b", "lambda:", "x = )", "'a\n", "f'{x", "def f(:", "else:", "import a,", "@", "if",
		"1a", "x = $", "if x:\n\ty\n        z", "if x:\n    y\n  z", "x = 1\ny = 2", "if True:\n  x = 1\nprint(2)\n"}
	for want, list := range map[bool][]string{true: more, false: done} {
		for _, src := range list {
			if NeedMore(src) != want {
				t.Errorf("NeedMore(%q) = %v", src, !want)
			}
		}
	}
}
