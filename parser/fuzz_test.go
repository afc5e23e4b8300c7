package parser

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
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
		_, err := ParseString(src, "fuzz")
		NeedMore(src)
		var e *SyntaxError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error of type %T", err)
		}
		if e != nil {
			e.Block()
		}
		s, err := readSource([]byte(src), "fuzz", modeText)
		if err != nil {
			return
		}
		_, first := parseBody(s.text)
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
