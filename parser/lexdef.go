package parser

import (
	"io"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// definition is the scanner as participle sees it.
type definition struct{}

// Symbols names the token types.
func (definition) Symbols() map[string]lexer.TokenType { return symbols }

// Lex is required by the interface; the package itself hands participle a
// scanner and never a reader.
func (definition) Lex(_ string, r io.Reader) (lexer.Lexer, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return &feed{newScanner(string(b) + "\n")}, nil
}

// feed gives a scanner's tokens to participle.
type feed struct{ *scanner }

// Next returns the next token.
func (f *feed) Next() (lexer.Token, error) {
	t, ok := f.next()
	if !ok {
		return lexer.Token{}, errRefused
	}
	text := f.src[t.start:t.end]
	if t.typ == tIdent {
		text = f.intern(text)
	}
	return lexer.Token{Type: t.typ, Value: text, Pos: lexer.Position{Offset: t.start, Line: int(t.line), Column: int(t.col) + 1}}, nil
}

// refused is the error of the first parser: it never reaches a user.
type refused string

func (r refused) Error() string { return string(r) }

const (
	errRefused = refused("not the language")
	errDeep    = refused("nested too deeply")
)

// hand makes a participle option of a hand-written parser for the values of T.
// starts tells whether a token may begin one.
func hand[T any](starts func(lexer.TokenType) bool, parse func(*parser) T) participle.Option {
	return participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (x T, err error) {
		if !starts(lex.Peek().Type) {
			return x, participle.NextMatch
		}
		defer recoverRefused(&err)
		return parse(&parser{PeekingLexer: lex}), nil
	})
}

func recoverRefused(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(refused)
		if !ok {
			panic(r)
		}
		*err = e
	}
}
