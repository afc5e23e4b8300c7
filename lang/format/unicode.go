package format

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// DecodeRune reads one code point from the front of s. Lone surrogates, which
// a script string may hold, are written in three bytes as UTF-8 would write them.
func DecodeRune(s string) (rune, int) {
	if s == "" {
		return 0, 0
	}
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, n
}

// EncodeRune writes one code point, surrogates included.
func EncodeRune(r rune) string { return string(AppendRune(nil, r)) }

// AppendRune appends one code point, surrogates included.
func AppendRune(b []byte, r rune) []byte {
	if r >= 0xd800 && r < 0xe000 {
		return append(b, 0xed, byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f))
	}
	return utf8.AppendRune(b, r)
}

// RuneCount is the number of code points of s, surrogates included.
func RuneCount(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// TruncateRunes is the first n code points of s.
func TruncateRunes(s string, n int) string {
	if n >= len(s) {
		return s
	}
	for i := 0; i < len(s); i++ {
		if s[i]&0xc0 != 0x80 {
			if n == 0 {
				return s[:i]
			}
			n--
		}
	}
	return s
}

func inRanges(t []runeRange, r rune) bool {
	i := sort.Search(len(t), func(i int) bool { return t[i].hi >= r })
	return i < len(t) && t[i].lo <= r
}

// IsNew reports a character that Unicode 14 does not have.
func IsNew(r rune) bool { return isNew(r) }

func isNew(r rune) bool { return r >= newRunes[0].lo && inRanges(newRunes, r) }

// IsAlpha and the other predicates are the str methods' tests of one character.
func IsAlpha(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) && !isNew(r)
}

// IsDecimal reports a decimal digit of any script.
func IsDecimal(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9'
	}
	return unicode.IsDigit(r) && !isNew(r)
}

// DecimalDigit is the value of a decimal digit of any script, -1 for others.
func DecimalDigit(r rune) int {
	if r < utf8.RuneSelf {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	if !IsDecimal(r) {
		return -1
	}
	if r >= 0x1d7ce && r <= 0x1d7ff { // mathematical digits: five runs without gaps
		return int(r-0x1d7ce) % 10
	}
	zero := r
	for r-zero < 9 && unicode.IsDigit(zero-1) {
		zero--
	}
	return int(r - zero)
}

// IsDigit reports a digit, superscripts and circled ones included.
func IsDigit(r rune) bool { return IsDecimal(r) || r > 0x7f && inRanges(extraDigits, r) }

// IsNumeric reports a character with a numeric value.
func IsNumeric(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9'
	}
	return unicode.IsNumber(r) && !isNew(r) || inRanges(extraNumerics, r)
}

// IsAlnum reports a letter or a numeric character.
func IsAlnum(r rune) bool { return IsAlpha(r) || IsNumeric(r) }

// IsSpace reports white space as str.split() and strip() see it.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// IsLineBreak reports a character at which splitlines() splits.
func IsLineBreak(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// IsLower reports a lower case character.
func IsLower(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z'
	}
	return (unicode.Is(unicode.Ll, r) || unicode.Is(unicode.Other_Lowercase, r)) && !isNew(r) && !lowerSince15(r)
}

// lowerSince15 reports letters that were in 14.0 but became lower case later.
func lowerSince15(r rune) bool {
	return r == 0x10fc || r >= 0xa7f2 && r <= 0xa7f4 || r == 0xab69
}

// IsUpper reports an upper case character.
func IsUpper(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'A' && r <= 'Z'
	}
	return unicode.Is(unicode.Lu, r) || unicode.Is(unicode.Other_Uppercase, r)
}

// IsTitle reports a title case letter such as ǅ.
func IsTitle(r rune) bool { return r >= 0x80 && unicode.Is(unicode.Lt, r) }

// IsCased reports a character of any of the three cases.
func IsCased(r rune) bool { return IsLower(r) || IsUpper(r) || IsTitle(r) }

// IsPrintable reports a character that repr() leaves alone.
func IsPrintable(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r < 0x7f
	}
	return unicode.IsPrint(r) && !isNew(r)
}

// IsIdentStart reports a character that may begin an identifier.
func IsIdentStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || IsAlpha(r)
	}
	ok := unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
	return ok && !isNew(r) && !inRanges(notStart, r)
}

// IsIdentContinue reports a character that may follow in an identifier.
func IsIdentContinue(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || IsAlpha(r) || IsDecimal(r)
	}
	ok := unicode.IsLetter(r) ||
		unicode.In(r, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
	return ok && !isNew(r) && !inRanges(notContinue, r)
}

// IsIdentifier is str.isidentifier().
func IsIdentifier(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); {
		r, n := DecodeRune(s[i:])
		if i == 0 && !IsIdentStart(r) || i > 0 && !IsIdentContinue(r) {
			return false
		}
		i += n
	}
	return true
}
