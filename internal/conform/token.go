package conform

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A token is one piece of an output: a number, a word or another sign.
type token struct {
	text string
	at   int // byte offset
	kind tokenKind
}

type tokenKind uint8

const (
	signToken tokenKind = iota
	wordToken
	intToken
	floatToken
)

var (
	// A sign in front belongs to the number: -1e-9 and 1e-9 may be equal within a tolerance.
	numberText = regexp.MustCompile(`^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?:nan|inf|NaN|Infinity)\b)`)
	wordText   = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)
)

// tokens cuts text into numbers, words and other signs; white space is dropped.
func tokens(text string) []token {
	var all []token
	for at := 0; at < len(text); {
		t := nextToken(text[at:])
		if t.text == "" {
			at++
			continue
		}
		t.at = at
		at += len(t.text)
		all = append(all, t)
	}
	return all
}

func nextToken(rest string) token {
	switch rest[0] {
	case ' ', '\t', '\n', '\r', '\v', '\f':
		return token{}
	}
	if n := numberText.FindString(rest); n != "" {
		if strings.ContainsAny(n, ".eEnN") {
			return token{text: n, kind: floatToken}
		}
		return token{text: n, kind: intToken}
	}
	if w := wordText.FindString(rest); w != "" {
		return token{text: w, kind: wordToken}
	}
	_, size := utf8.DecodeRuneInString(rest)
	return token{text: rest[:size], kind: signToken}
}

// same reports whether two tokens agree: floats within the tolerance, all others by text.
func (d *Directives) same(want, got token) bool {
	if want.text == got.text {
		return true
	}
	if want.kind != floatToken || got.kind != floatToken {
		return false
	}
	w, g := floatOf(want.text), floatOf(got.text)
	switch {
	case math.IsNaN(w) || math.IsNaN(g):
		return math.IsNaN(w) && math.IsNaN(g)
	case math.IsInf(w, 0) || math.IsInf(g, 0):
		return w == g
	}
	return math.Abs(w-g) <= d.ATol+d.RTol*math.Abs(w)
}

func floatOf(text string) float64 {
	f, err := strconv.ParseFloat(text, 64) // an overflow gives the infinity, as in Python
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}
