package parser

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tfs-lang/tfs/lang/ast"
)

// FuzzParse wants an answer without a panic for any text, and that both parsers
// accept the same.
func FuzzParse(f *testing.F) {
	for _, row := range mistakes(f) {
		f.Add(row.Src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 2000 || !utf8.ValidString(src) || strings.IndexByte(src, 0) >= 0 {
			t.Skip()
		}
		m, err := ParseString(src, "fuzz")
		if err == nil {
			sameNotes(t, m)
		}
		NeedMore(src)
		var e *SyntaxError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error of type %T", err)
		}
		if e != nil {
			e.Block()
		}
		s, err := textSource(src, "fuzz", modeText)
		if err != nil {
			return
		}
		_, first := parseBody(s.text, false)
		scan := newScanner(s.text)
		p := &peg{src: s.text, name: s.name, names: scan, line0: 1}
		second := p.run(startRules[modeText], scan)
		if first == errDeep || second != nil && second.Class == "MemoryError" {
			return
		}
		if (first == nil) != (second == nil) {
			t.Fatalf("first parser: %v, second: %v", first, second)
		}
	})
}

// sameNotes wants the checks and Warnings to find in the whole tree what they find
// in the statements that the parser has noted for them.
func sameNotes(t *testing.T, m *ast.Module) {
	t.Helper()
	if err := check(m); err != nil {
		t.Errorf("without a note: %v", err)
	}
	all := &ast.Module{Body: m.Body, Doubtful: m.Body}
	if got, want := Warnings(m), Warnings(all); !reflect.DeepEqual(got, want) {
		t.Errorf("warnings %v, want %v", got, want)
	}
}
