package parser

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// cookie finds a declaration of the encoding in one of the first two lines.
var cookie = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)
})

// source is a program as text that ends in a newline, with newlines of one kind.
type source struct {
	text, name string
	mode       mode
	// bytes: CPython counts bytes in the columns of its parser's errors, as it
	// does in a file that doesn't name its encoding.
	bytes bool
	// bare: it is no program and had no newline at its end, where CPython adds none.
	bare bool
}

// readSource turns the bytes of a file into a source. It refuses what is no text.
func readSource(src []byte, name string) (*source, error) {
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return nil, nullError(src[:i], name)
	}
	text, err := decodeSource(src, name)
	if err != nil {
		return nil, err
	}
	return &source{text: withNewlines(text), name: name, mode: modeFile, bytes: !bytes.HasPrefix(src, mark) && declared(src) == ""}, nil
}

// textSource makes a source of text in memory, which may still hold what no text does.
func textSource(text, name string, m mode) (*source, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, &SyntaxError{Class: "SyntaxError", Msg: "source code string cannot contain null bytes"}
	}
	s := &source{text: withNewlines(text), name: name, mode: m}
	if m != modeText {
		if text == "" {
			return nil, &SyntaxError{Class: "SyntaxError", Msg: "invalid syntax", Filename: name}
		}
		s.bare = text[len(text)-1] != '\n' && text[len(text)-1] != '\r'
	}
	return s, nil
}

// withNewlines makes all newlines of one kind and adds one at the end.
func withNewlines(text string) string {
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if text == "" || text[len(text)-1] != '\n' {
		text += "\n"
	}
	return text
}

// nullError is the error of a file with a null byte behind head: CPython shows the
// line up to there.
func nullError(head []byte, name string) error {
	line := bytes.Count(head, []byte("\n")) + 1
	text := head[bytes.LastIndexByte(head, '\n')+1:]
	return &SyntaxError{Class: "SyntaxError", Msg: "source code cannot contain null bytes", Filename: name, Line: line, Text: string(text)}
}

// mark is what may stand before UTF-8.
var mark = []byte("\xef\xbb\xbf")

// DecodeSource turns bytes that hold a program (of a file, or given to compile)
// into text. An error is a *SyntaxError.
func DecodeSource(src []byte, name string) (string, error) {
	if bytes.IndexByte(src, 0) >= 0 {
		return string(src), nil // refused when it is parsed
	}
	text, err := decodeSource(src, name)
	if e, ok := err.(*SyntaxError); ok {
		e.Filename, e.Col = name, -1
		if name := declared(src); e.Msg == "encoding problem: "+name {
			e.Msg = "unknown encoding: " + name
		}
	}
	return text, err
}

func decodeSource(src []byte, name string) (string, error) {
	src, marked := bytes.CutPrefix(src, mark)
	encoding := declared(src)
	refuse := func(format string, args ...any) (string, error) {
		return "", &SyntaxError{Class: "SyntaxError", Msg: fmt.Sprintf(format, args...), Filename: name}
	}
	switch norm := normalEncoding(encoding); norm {
	case "", "utf-8", "utf8", "u8", "ascii", "us-ascii":
	case "iso-8859-1", "latin1", "l1", "iso8859-1", "8859":
		if marked {
			return refuse("encoding problem: %s with BOM", norm)
		}
		var b strings.Builder
		for _, c := range src {
			b.WriteRune(rune(c))
		}
		return b.String(), nil
	default:
		return refuse("encoding problem: %s", encoding)
	}
	if utf8.Valid(src) {
		return string(src), nil
	}
	for line := 1; ; line++ {
		i := bytes.IndexByte(src, '\n') + 1
		if i == 0 {
			i = len(src)
		}
		if !utf8.Valid(src[:i]) {
			return refuse("Non-UTF-8 code starting with '\\x%02x' in file %s on line %d, but no encoding declared; "+
				"see https://peps.python.org/pep-0263/ for details", src[invalidAt(src)], name, line)
		}
		src = src[i:]
	}
}

// invalidAt is where the first byte stands that is not UTF-8.
func invalidAt(src []byte) int {
	at := 0
	for at < len(src) {
		r, n := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
	}
	return at
}

// normalEncoding gives the names of UTF-8 and Latin-1 that CPython knows itself
// their usual form.
func normalEncoding(name string) string {
	norm := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for prefix, is := range map[string]string{"utf-8": "utf-8", "latin-1": "iso-8859-1", "iso-8859-1": "iso-8859-1", "iso-latin-1": "iso-8859-1"} {
		if norm == prefix || strings.HasPrefix(norm, prefix+"-") {
			return is
		}
	}
	return norm
}

// declared returns the encoding that a comment declares, or nothing.
func declared(src []byte) string {
	for range 2 {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		if bytes.Contains(line, []byte("coding")) {
			if m := cookie().FindSubmatch(line); m != nil {
				return string(m[1])
			}
		}
		if t := bytes.TrimLeft(line, " \t\f\r"); len(t) > 0 && t[0] != '#' {
			return ""
		}
		src = rest
	}
	return ""
}
