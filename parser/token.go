package parser

import "strings"

// kind is what a token is; each keyword and operator has its own, so that the
// parser switches on it and indexes tables by it.
type kind uint8

// The kinds. Keywords and operators stand in the order of keywordText and
// operatorText.
const (
	tEOF kind = iota + 1
	tNewline
	tIndent
	tDedent
	tIdent
	tNumber
	tString
	tMatch // match and case where they are keywords
	tCase
	tStray // a character that begins no token of the language: $ ? ! `

	tFalse
	tNone
	tTrue
	tAnd
	tAs
	tAssert
	tAsync
	tAwait
	tBreak
	tClass
	tContinue
	tDef
	tDel
	tElif
	tElse
	tExcept
	tFinally
	tFor
	tFrom
	tGlobal
	tIf
	tImport
	tIn
	tIs
	tLambda
	tNonlocal
	tNot
	tOr
	tPass
	tRaise
	tReturn
	tTry
	tWhile
	tWith
	tYield

	tPowerAssign
	tFloorAssign
	tLeftAssign
	tRightAssign
	tEllipsis
	tPower
	tFloor
	tLeft
	tRight
	tLessEqual
	tGreaterEqual
	tEqual
	tNotEqual
	tLegacyNotEqual
	tArrow
	tWalrus
	tPlusAssign
	tMinusAssign
	tStarAssign
	tSlashAssign
	tPercentAssign
	tAmperAssign
	tBarAssign
	tCaretAssign
	tAtAssign
	tPlus
	tMinus
	tStar
	tSlash
	tPercent
	tAt
	tAmper
	tBar
	tCaret
	tTilde
	tLess
	tGreater
	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tComma
	tColon
	tDot
	tSemi
	tAssign

	kindCount
)

const (
	keywordText = "False None True and as assert async await break class continue def del elif else except finally for from " +
		"global if import in is lambda nonlocal not or pass raise return try while with yield"
	operatorText = "**= //= <<= >>= ... ** // << >> <= >= == != <> -> := += -= *= /= %= &= |= ^= @= " +
		"+ - * / % @ & | ^ ~ < > ( ) [ ] { } , : . ; ="
)

// literals are the keywords and operators by their text.
var literals = func() map[string]kind {
	m, k := map[string]kind{}, tFalse
	for _, text := range strings.Fields(keywordText + " " + operatorText) {
		m[text] = k
		k++
	}
	return m
}()

// tok returns the kind of a keyword or operator.
func tok(text string) kind { return literals[text] }

// A kindSet is a set of kinds.
type kindSet [kindCount]bool

func setOf(kinds ...kind) (s kindSet) {
	for _, k := range kinds {
		s[k] = true
	}
	return s
}

// token is what the scanner makes. Its line counts from 1, its column, in bytes,
// from 0, as in ast.Span.
type token struct {
	start, end uint32 // in the source
	line, col  int32
	kind       kind
	multi      bool // a string over several lines
}

// operators are found by their first byte c: alone, before '=', doubled, and
// doubled before '='.
var opAlone, opAssign, opTwice, opTwiceAssign = func() (alone, assign, twice, twiceAssign [256]kind) {
	for _, o := range strings.Fields(operatorText) {
		switch n := len(o); {
		case n == 1:
			alone[o[0]] = tok(o)
		case n == 2 && o[0] == o[1]:
			twice[o[0]] = tok(o)
			if o == "==" {
				assign['='] = tok(o)
			}
		case n == 2 && o[1] == '=':
			assign[o[0]] = tok(o)
		case n == 3 && o[2] == '=':
			twiceAssign[o[0]] = tok(o)
		}
	}
	return
}()
