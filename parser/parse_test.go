package parser

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfs-lang/tfs/lang/ast"
)

// sum is how the tables record a tree: by a hash of its dump with positions.
func sum(n ast.Node) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(ast.Dump(n))))[:16]
}

func programs(tb testing.TB) []txtar.File {
	tb.Helper()
	a, err := txtar.ParseFile("testdata/programs.txtar")
	if err != nil {
		tb.Fatal(err)
	}
	return a.Files
}

// TestTrees compares trees, with all positions, with CPython's.
func TestTrees(t *testing.T) {
	text, err := os.ReadFile("testdata/programs.sum")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		s, name, _ := strings.Cut(l, " ")
		want[name] = s
	}
	for _, f := range programs(t) {
		m, err := ParseFile(f.Data, f.Name)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else if got := sum(m); got != want[f.Name] {
			t.Errorf("%s: another tree than CPython's", f.Name)
		}
	}
}

// mistake is a row of errors.jsonl or single.jsonl: what CPython's compile does
// with a source.
type mistake struct {
	Src, Cls, Msg string
	At            []int   // line, offset, end line, end offset
	Text          *string // what the error shows, unless it would be from a file
	Alone         bool    // the message is the exception's only argument
	Sum           string  // of the tree when there is no mistake
	Mode          string
}

func (m *mistake) String() string {
	if m.Cls == "" {
		return "no error"
	}
	text := ""
	if m.Text != nil {
		text = fmt.Sprintf(" in %q", *m.Text)
	}
	if m.Alone {
		text += " alone"
	}
	return fmt.Sprintf("%s: %s at %d%s", m.Cls, m.Msg, m.At, text)
}

func readRows[T any](tb testing.TB, name string) (rows []T) {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var r T
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func mistakes(tb testing.TB) []mistake { return readRows[mistake](tb, "testdata/errors.jsonl") }

// describe puts an error in the form of a row.
func describe(err error) string {
	if err == nil {
		return "no error"
	}
	e := err.(*SyntaxError)
	m := mistake{Cls: e.Class, Msg: e.Msg, At: []int{e.Line, e.Col, e.EndLine, e.EndCol}, Alone: e.Table}
	if !e.Late && e.Filename != "" && e.Class != "MemoryError" && e.Class != "RecursionError" {
		m.Text = &e.Text
	}
	return m.String()
}

// TestMistakes compares errors with CPython's: class, words and place.
func TestMistakes(t *testing.T) {
	for _, c := range mistakes(t) {
		m, err := ParseString(c.Src, "<t>")
		if got := describe(err); got != c.String() {
			t.Errorf("%q\n got %s\nwant %s", c.Src, got, &c)
		} else if err == nil && sum(m) != c.Sum {
			t.Errorf("%q: another tree than CPython's:\n%s", c.Src, ast.Dump(m))
		}
	}
}

// TestModes does so for the modes single and eval.
func TestModes(t *testing.T) {
	for _, c := range readRows[mistake](t, "testdata/single.jsonl") {
		var err error
		if c.Mode == "eval" {
			_, err = ParseExpr(c.Src, "<t>")
		} else {
			_, err = ParseInteractive(c.Src, "<t>")
		}
		if got := describe(err); got != c.String() {
			t.Errorf("%s %q\n got %s\nwant %s", c.Mode, c.Src, got, &c)
		}
	}
}

// TestBlocks compares what CPython prints for a file that doesn't compile.
func TestBlocks(t *testing.T) {
	for _, c := range readRows[struct{ Src, Err string }](t, "testdata/blocks.jsonl") {
		_, err := ParseFile([]byte(c.Src), "t.py")
		if err == nil {
			t.Errorf("%q: no error", c.Src)
			continue
		}
		e := err.(*SyntaxError)
		if got := e.Block() + e.Class + ": " + e.Msg + "\n"; got != c.Err {
			t.Errorf("%q\n%swant\n%s", c.Src, got, c.Err)
		}
	}
}

// TestSources parses sources in other encodings and with other line ends.
func TestSources(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"\xef\xbb\xbfx = 1", "no error"},
		{"x = 1\r\ny = '''a\r\nb'''\r\n", "no error"},
		{"x = 1\ry = 2", "no error"},
		{"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "no error"},
		{"#!/bin/python\n# vim: set fileencoding=utf-8 :\nx = 'é'", "no error"},
		{"# coding: klingon\n", "SyntaxError: encoding problem: klingon at [0 0 0 0] in \"\""},
		{"x = 1\ny = '\xe9'\n", "SyntaxError: Non-UTF-8 code starting with '\\xe9' in file f.py on line 2, but no encoding declared; " +
			"see https://peps.python.org/pep-0263/ for details at [0 0 0 0] in \"\""},
		{"x\x00", "SyntaxError: source code cannot contain null bytes at [1 0 0 0] in \"x\""},
		{"", "no error"},
		{"\n\n  # only comments\n\f\n", "no error"},
	} {
		m, err := ParseFile([]byte(c.src), "f.py")
		if got := describe(err); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
		if err == nil && strings.Contains(c.src, "\r\n") && !strings.Contains(ast.Dump(m), `'a\nb'`) {
			t.Errorf("%q: line ends kept", c.src)
		}
	}
}

// TestLatin1 wants the characters that the bytes mean.
func TestLatin1(t *testing.T) {
	m, err := ParseFile([]byte("# coding: latin-1\n'\xe9'"), "f.py")
	if err != nil || !strings.Contains(ast.Dump(m), "'é'") {
		t.Errorf("got %v %v", m, err)
	}
}

// TestNamesAreShared wants one copy of each name.
func TestNamesAreShared(t *testing.T) {
	m, err := ParseString("ﬁ = 1\nfi = ﬁ", "f.py")
	if err != nil {
		t.Fatal(err)
	}
	ast.Walk(m, func(n ast.Node) bool {
		if name, ok := n.(*ast.Name); ok && name.Id != "fi" {
			t.Errorf("%q is not normalized", name.Id)
		}
		return true
	})
}

// TestWarnings checks the kinds of SyntaxWarning.
func TestWarnings(t *testing.T) {
	for src, want := range map[string]string{
		"x = 1\nx is 5 or x is 'a'": `[{2 "is" with a literal. Did you mean "=="?}]`,
		"x is not ()":               `[{1 "is not" with a literal. Did you mean "!="?}]`,
		"not x is 5":                `[{1 "is not" with a literal. Did you mean "!="?}]`,
		"x is None; x is []":        `[]`,
		"assert (x, 'a')":           `[{1 assertion is always true, perhaps remove parentheses?}]`,
		"[(1, 2) (3, 4)]":           `[{1 'tuple' object is not callable; perhaps you missed a comma?}]`,
		"(lambda: 1)()":             `[]`,
		"[[1] ['a']]":               `[{1 list indices must be integers or slices, not str; perhaps you missed a comma?}]`,
		"[1, 2][-1], {}['a']":       `[]`,
		"None[0]":                   `[{1 'NoneType' object is not subscriptable; perhaps you missed a comma?}]`,
		"[1]['a'] = 2":              `[]`,
	} {
		m, err := ParseString(src, "f.py")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Warnings(m)); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}
