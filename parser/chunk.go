package parser

import (
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// chunkSize is about how many tokens participle gets at once. It wants all that
// it is given in one buffer, and growing one for a whole file, and collecting
// it, would cost more than parsing.
const chunkSize = 512

// buffer is a lexer whose tokens are replaced from chunk to chunk.
type buffer struct {
	lex  *lexer.PeekingLexer
	room []lexer.Token // what lex reads
}

// buffers are used again by later parses.
var buffers = sync.Pool{New: func() any { return newBuffer(2 * chunkSize) }}

func newBuffer(tokens int) *buffer {
	b := blanks(tokens)
	lex, err := lexer.Upgrade(&b)
	if err != nil {
		panic(err) // blanks give none
	}
	return &buffer{lex, lex.Range(0, lexer.RawCursor(tokens))}
}

// blanks is a lexer of so many newlines.
type blanks int

// Next returns a newline, or EOF at the end.
func (b *blanks) Next() (lexer.Token, error) {
	if *b--; *b < 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	return lexer.Token{Type: tNewline}, nil
}

// fill puts the next chunk into the buffer, or into a larger one.
func (b *buffer) fill(c *chunks) (*buffer, error) {
	for n := 0; ; n++ {
		t, err := c.next()
		if err != nil {
			return b, err
		}
		if n == len(b.room) {
			larger := newBuffer(2 * n)
			copy(larger.room, b.room)
			b = larger
		}
		if b.room[n] = t; t.EOF() {
			b.lex.LoadCheckpoint(lexer.Checkpoint{})
			return b, nil
		}
	}
}

// chunks cuts a scanner's tokens into runs of whole top-level statements.
type chunks struct {
	feed  feed
	held  lexer.Token // first token of the next chunk
	n     int         // tokens given in this chunk
	level int         // of indentation
	fresh bool        // at the beginning of a line
	deco  bool        // of which the previous was a decorator
	done  bool
}

// next returns the next token of the chunk, or EOF at its end.
func (c *chunks) next() (t lexer.Token, err error) {
	if c.held.Type != 0 {
		t, c.held = c.held, lexer.Token{}
	} else if t, err = c.feed.Next(); err != nil {
		return t, err
	}
	if c.fresh && c.level == 0 && t.Type != tDedent && t.Type != tIndent {
		if c.n >= chunkSize && !c.deco && !continues(t.Type) && t.Type != tEOF {
			c.held, c.n = t, 0
			return lexer.EOFToken(t.Pos), nil
		}
		c.deco = t.Type == tAt
	}
	c.fresh = t.Type == tNewline || t.Type == tDedent
	switch c.n++; t.Type {
	case tIndent:
		c.level++
	case tDedent:
		c.level--
	case tEOF:
		c.done = true
	}
	return t, nil
}

// continues tells whether a line that begins so belongs to the statement above.
func continues(t lexer.TokenType) bool {
	return t == tElif || t == tElse || t == tExcept || t == tFinally
}

// parseBody runs the first parser on a file.
func parseBody(text string) (body []ast.Stmt, err error) {
	defer recoverRefused(&err)
	b := buffers.Get().(*buffer)
	for c := (&chunks{feed: feed{newScanner(text)}}); !c.done; {
		if b, err = b.fill(c); err != nil {
			return nil, err
		}
		f, err := grammar().ParseFromLexer(b.lex)
		if err != nil {
			return nil, err
		}
		body = lowerAll(body, f.Body)
	}
	buffers.Put(b)
	return body, nil
}
