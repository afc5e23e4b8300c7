package parser

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxIntDigits is how many digits a decimal integer may have (CPython's
// sys.get_int_max_str_digits).
const maxIntDigits = 4300

// normalize brings an identifier into the form that decides whether two are
// the same (NFKC).
func normalize(name string) string {
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return norm.NFKC.String(name)
		}
	}
	return name
}

// numberValue is the value of a numeric literal that the scanner accepted; it
// refuses an integer that is too long.
func numberValue(text string) any {
	if len(text) < 18 && allDigits(text) {
		n := int64(0)
		for i := 0; i < len(text); i++ {
			n = n*10 + int64(text[i]-'0')
		}
		return n
	}
	text = strings.ReplaceAll(text, "_", "")
	radix := len(text) > 1 && text[0] == '0' && class[text[1]]&cIdent != 0 && text[1]|0x20 != 'e' && text[1]|0x20 != 'j'
	if !radix {
		if c := text[len(text)-1]; c == 'j' || c == 'J' {
			return complex(0, floatValue(text[:len(text)-1]))
		}
		if strings.ContainsAny(text, ".eE") {
			return floatValue(text)
		}
		if len(text) > maxIntDigits {
			panic(errRefused)
		}
		if text = strings.TrimLeft(text, "0"); text == "" {
			return int64(0)
		}
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n
	}
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		panic(errRefused)
	}
	return n
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// floatValue is infinite beyond the largest float, as in CPython.
func floatValue(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
