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
}

// readSource turns bytes into a source. It refuses what is no text.
func readSource(src []byte, name string, m mode) (*source, error) {
	src, marked := bytes.CutPrefix(src, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(src, 0) >= 0 {
		return nil, &SyntaxError{Class: "SyntaxError", Msg: "source code string cannot contain null bytes", Filename: name}
	}
	text, err := decodeSource(src, name, marked)
	if err != nil {
		return nil, err
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if text == "" || text[len(text)-1] != '\n' {
		text += "\n"
	}
	return &source{text, name, m, m == modeFile && !marked && declared(src) == ""}, nil
}

func decodeSource(src []byte, name string, marked bool) (string, error) {
	encoding := declared(src)
	refuse := func(format string, args ...any) (string, error) {
		return "", &SyntaxError{Class: "SyntaxError", Msg: fmt.Sprintf(format, args...), Filename: name}
	}
	switch norm := strings.ReplaceAll(strings.ToLower(encoding), "_", "-"); norm {
	case "", "utf-8", "utf8", "utf-8-sig", "u8", "ascii", "us-ascii":
	case "latin-1", "iso-8859-1", "iso-latin-1", "latin1", "l1", "iso8859-1", "8859":
		if marked {
			return refuse("encoding problem: %s with BOM", encoding)
		}
		var b strings.Builder
		for _, c := range src {
			b.WriteRune(rune(c))
		}
		return b.String(), nil
	default:
		return refuse("unknown encoding: %s", encoding)
	}
	if utf8.Valid(src) {
		return string(src), nil
	}
	for line := 1; ; line++ {
		i := bytes.IndexByte(src, '\n') + 1
		if i == 0 {
			i = len(src)
		}
		if utf8.Valid(src[:i]) {
			src = src[i:]
			continue
		}
		for len(src) > 0 {
			if r, n := utf8.DecodeRune(src); r != utf8.RuneError || n > 1 {
				src = src[n:]
				continue
			}
			break
		}
		return refuse("Non-UTF-8 code starting with '\\x%02x' in file %s on line %d, but no encoding declared; "+
			"see https://peps.python.org/pep-0263/ for details", src[0], name, line)
	}
}

// declared returns the encoding that a comment declares, or nothing.
func declared(src []byte) string {
	for range 2 {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		if m := cookie().FindSubmatch(line); m != nil {
			return string(m[1])
		}
		if t := bytes.TrimLeft(line, " \t\f\r"); len(t) > 0 && t[0] != '#' {
			return ""
		}
		src = rest
	}
	return ""
}
