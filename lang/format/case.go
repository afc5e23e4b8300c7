package format

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// caseMaps holds the one-to-many maps, made from the tables at first use.
type caseMaps struct{ upper, title, fold map[rune]string }

var maps = sync.OnceValue(func() caseMaps {
	return caseMaps{readRows(upperRows), readRows(titleRows), readRows(foldRows)}
})

func readRows(rows string) map[rune]string {
	m := make(map[rune]string)
	for row := range strings.FieldsSeq(rows) {
		r, n := utf8.DecodeRuneInString(row)
		m[r] = row[n:]
	}
	return m
}

func appendUpper(b []byte, r rune) []byte {
	if s, ok := maps().upper[r]; ok {
		return append(b, s...)
	}
	if isNew(r) {
		return AppendRune(b, r)
	}
	return AppendRune(b, unicode.ToUpper(r))
}

func appendTitle(b []byte, r rune) []byte {
	if s, ok := maps().title[r]; ok {
		return append(b, s...)
	}
	return AppendRune(b, unicode.ToTitle(r))
}

func appendLower(b []byte, r rune) []byte {
	if r == 0x130 {
		return append(b, "i\u0307"...)
	}
	return AppendRune(b, unicode.ToLower(r))
}

func appendFold(b []byte, r rune) []byte {
	if s, ok := maps().fold[r]; ok {
		return append(b, s...)
	}
	switch { // Cherokee folds to its upper case
	case r >= 0x13a0 && r <= 0x13f5:
		return AppendRune(b, r)
	case r >= 0x13f8 && r <= 0x13fd:
		return AppendRune(b, r-8)
	case r >= 0xab70 && r <= 0xabbf:
		return AppendRune(b, r-0xab70+0x13a0)
	}
	return appendLower(b, r)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Upper is str.upper().
func Upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		b = appendUpper(b, r)
		i += n
	}
	return string(b)
}

// Lower is str.lower().
func Lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		b = lowerAt(b, s, i, r)
		i += n
	}
	return string(b)
}

// Fold is str.casefold().
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		b = appendFold(b, r)
		i += n
	}
	return string(b)
}

// Title is str.title().
func Title(s string) string {
	b := make([]byte, 0, len(s)+8)
	cased := false
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		if cased {
			b = lowerAt(b, s, i, r)
		} else {
			b = appendTitle(b, r)
		}
		cased = IsCased(r)
		i += n
	}
	return string(b)
}

// Capitalize is str.capitalize().
func Capitalize(s string) string {
	if s == "" {
		return s
	}
	r, n := DecodeRune(s)
	b := appendTitle(make([]byte, 0, len(s)+8), r)
	for i := n; i < len(s); {
		r, n := DecodeRune(s[i:])
		b = lowerAt(b, s, i, r)
		i += n
	}
	return string(b)
}

// SwapCase is str.swapcase().
func SwapCase(s string) string {
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		switch {
		case IsUpper(r):
			b = lowerAt(b, s, i, r)
		case IsLower(r):
			b = appendUpper(b, r)
		default:
			b = AppendRune(b, r)
		}
		i += n
	}
	return string(b)
}

// lowerAt appends the lower case of the character r at s[i]; a capital sigma
// that ends a word becomes the final one.
func lowerAt(b []byte, s string, i int, r rune) []byte {
	if r != 'Σ' {
		return appendLower(b, r)
	}
	before := false
	for j := i; j > 0 && !before; {
		k := j - 1
		for k > 0 && s[k]&0xc0 == 0x80 {
			k--
		}
		p, _ := DecodeRune(s[k:j])
		if !caseIgnorable(p) {
			before = IsCased(p)
			break
		}
		j = k
	}
	after := false
	for j := i + len("Σ"); j < len(s); {
		p, n := DecodeRune(s[j:])
		if !caseIgnorable(p) {
			after = IsCased(p)
			break
		}
		j += n
	}
	if before && !after {
		return append(b, "ς"...)
	}
	return append(b, "σ"...)
}

// caseIgnorable reports characters that don't end a word for the sigma rule.
func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a:
		return true
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// IsTitleText is str.istitle().
func IsTitleText(s string) bool {
	any, cased := false, false
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		switch {
		case IsUpper(r) || IsTitle(r):
			if cased {
				return false
			}
			any, cased = true, true
		case IsLower(r):
			if !cased {
				return false
			}
			any, cased = true, true
		default:
			cased = false
		}
		i += n
	}
	return any
}
