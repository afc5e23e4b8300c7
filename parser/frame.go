package parser

import (
	"io"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// participle's frame of a program: chunks of whole top-level statements, each
// one token to it. What is inside a chunk is parsed by hand: participle takes
// microseconds for each token and struct, in which that gets through some lines.
type (
	program struct {
		Chunk chunk `parser:"@@"`
	}
	chunk      interface{ list() []ast.Stmt }
	statements []ast.Stmt
)

func (s statements) list() []ast.Stmt { return s }

// tChunk is the type of participle's token.
const tChunk = lexer.EOF - 1

// chunkLexer is the lexer that participle sees: a chunk and the end.
type chunkLexer struct{ done bool }

// Symbols names the token types.
func (*chunkLexer) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Chunk": tChunk}
}

// Lex is required by the interface; the package itself never hands participle a
// reader.
func (*chunkLexer) Lex(string, io.Reader) (lexer.Lexer, error) { return &chunkLexer{}, nil }

// Next returns the token, then the end.
func (l *chunkLexer) Next() (lexer.Token, error) {
	if l.done {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	l.done = true
	return lexer.Token{Type: tChunk}, nil
}

// frame is participle's parser with the one that it calls.
type frame struct {
	grammar *participle.Parser[program]
	lex     *lexer.PeekingLexer
	p       *parser
}

// frames are used again by later parses, for their buffers.
var frames = sync.Pool{New: func() any {
	f := &frame{p: &parser{builder: &builder{}}}
	f.grammar = participle.MustBuild[program](participle.Lexer(&chunkLexer{}), participle.ParseTypeWith(f.chunk))
	f.lex, _ = lexer.Upgrade(&chunkLexer{}) // chunkLexer gives no error
	return f
}}

// chunk is called by participle.
func (f *frame) chunk(lex *lexer.PeekingLexer) (c chunk, err error) {
	defer recoverRefused(&err)
	lex.Next()
	return statements(f.p.chunk()), nil
}

// next parses the next chunk.
func (f *frame) next() ([]ast.Stmt, error) {
	if err := f.p.fill(); err != nil {
		return nil, err
	}
	f.lex.LoadCheckpoint(lexer.Checkpoint{})
	c, err := f.grammar.ParseFromLexer(f.lex)
	if err != nil {
		return nil, err
	}
	return c.Chunk.list(), nil
}

// refused is the error of the first parser: it never reaches a user.
type refused string

func (r refused) Error() string { return string(r) }

const (
	errRefused = refused("not the language")
	errDeep    = refused("nested too deeply")
)

func recoverRefused(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(refused)
		if !ok {
			panic(r)
		}
		*err = e
	}
}
