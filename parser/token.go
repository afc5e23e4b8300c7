package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// Each keyword and operator has a token type of its own, so that the expression
// parser indexes tables by -type; grammar literals match by value.
const (
	tEOF                     = lexer.EOF
	tNewline lexer.TokenType = -(iota + 1)
	tIndent
	tDedent
	tIdent
	tNumber
	tString
	tMatch // match and case where they are keywords
	tCase
	tStray // a character that begins no token of the language: $ ? ! `
	tFirstLiteral
)

const (
	keywordText = "False None True and as assert async await break class continue def del elif else except finally for from " +
		"global if import in is lambda nonlocal not or pass raise return try while with yield"
	// operators, longest first
	operatorText = "**= //= <<= >>= ... ** // << >> <= >= == != <> -> := += -= *= /= %= &= |= ^= @= " +
		"+ - * / % @ & | ^ ~ < > ( ) [ ] { } , : . ; ="
)

type operator struct {
	text string
	typ  lexer.TokenType
}

// symbols names every token type for participle; keywords and operators are the
// scanner's views of the same table, operators by first byte, longest first.
var symbols, keywords, operators = func() (map[string]lexer.TokenType, map[string]lexer.TokenType, [256][]operator) {
	sym := map[string]lexer.TokenType{"EOF": tEOF, "Newline": tNewline, "Indent": tIndent, "Dedent": tDedent, "Ident": tIdent,
		"Number": tNumber, "String": tString, "Match": tMatch, "Case": tCase, "Stray": tStray}
	kw, ops := map[string]lexer.TokenType{}, [256][]operator{}
	t := tFirstLiteral
	for _, k := range strings.Fields(keywordText) {
		kw[k], sym["kw_"+k] = t, t
		t--
	}
	for _, s := range strings.Fields(operatorText) {
		ops[s[0]] = append(ops[s[0]], operator{s, t})
		sym["op_"+s] = t
		t--
	}
	return sym, kw, ops
}()

// tok returns the type of a keyword or operator.
func tok(s string) lexer.TokenType {
	if t, ok := keywords[s]; ok {
		return t
	}
	return symbols["op_"+s]
}

var (
	tFalse, tNone, tTrue         = tok("False"), tok("None"), tok("True")
	tAnd, tOr, tNot, tIn, _      = tok("and"), tok("or"), tok("not"), tok("in"), tok("is")
	tAs, tAssert, tAsync, tAwait = tok("as"), tok("assert"), tok("async"), tok("await")
	tBreak, tContinue, tPass     = tok("break"), tok("continue"), tok("pass")
	tDel, tElse, tFor, tFrom     = tok("del"), tok("else"), tok("for"), tok("from")
	tGlobal, tNonlocal           = tok("global"), tok("nonlocal")
	tIf, tImport, tLambda        = tok("if"), tok("import"), tok("lambda")
	tClass, tDef, tTry, tWhile   = tok("class"), tok("def"), tok("try"), tok("while")
	tWith                        = tok("with")
	tElif, tExcept, tFinally     = tok("elif"), tok("except"), tok("finally")
	tRaise, tReturn, tYield      = tok("raise"), tok("return"), tok("yield")

	tLParen, tRParen, tLBracket, tRBracket    = tok("("), tok(")"), tok("["), tok("]")
	tLBrace, tRBrace                          = tok("{"), tok("}")
	tAt, tComma, tColon, tDot, tSemi, tAssign = tok("@"), tok(","), tok(":"), tok("."), tok(";"), tok("=")
	tStar, tPower, tSlash, tEllipsis          = tok("*"), tok("**"), tok("/"), tok("...")
	tMinus, tPlus, tTilde, tWalrus, tVerBar   = tok("-"), tok("+"), tok("~"), tok(":="), tok("|")
)

// token is what the scanner makes; positions are those of ast.Span.
type token struct {
	typ          lexer.TokenType
	start, end   int // in the source
	line, col    int32
	eline, ecol  int32
	level        int32 // open brackets after it
	located      bool  // false for Indent, Dedent and EOF, which have no column
	cursor, bol0 int   // where the scanner stood, and the beginning of its line
}
