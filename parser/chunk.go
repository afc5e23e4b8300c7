package parser

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tfs-lang/tfs/lang/ast"
)

// chunkSize is about how many tokens participle gets at once. It buffers all
// that it is given, so a whole file costs more in growing the buffer and in
// collections than in parsing.
const chunkSize = 512

// chunks feeds a scanner's tokens in runs of whole top-level statements.
type chunks struct {
	feed  feed
	held  lexer.Token // first token of the next chunk
	n     int         // tokens given in this chunk
	level int         // of indentation
	fresh bool        // at the beginning of a line
	deco  bool        // of which the previous was a decorator
	done  bool
}

// Next returns the next token of the chunk, or EOF at its end.
func (c *chunks) Next() (t lexer.Token, err error) {
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
	c := &chunks{feed: feed{newScanner(text)}}
	for !c.done {
		lex, err := lexer.Upgrade(c)
		if err != nil {
			return nil, err
		}
		f, err := grammar().ParseFromLexer(lex)
		if err != nil {
			return nil, err
		}
		body = lowerAll(body, f.Body)
	}
	return body, nil
}
