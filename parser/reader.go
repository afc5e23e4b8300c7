package parser

import "github.com/tfs-lang/tfs/lang/ast"

// chunkSize is about how many tokens are in the buffer at once: few enough for
// the processor's cache, many enough to pay for the frame.
const chunkSize = 2048

// begin starts on another source.
func (p *parser) begin(src string) {
	p.scan.reset(src)
	p.src, p.held, p.ended, p.top = src, token{}, false, true
}

// fill replaces the buffer by the tokens of the next whole top-level statements,
// with an EOF behind them.
func (p *parser) fill() error {
	toks, s := p.toks[:0], &p.scan
	shifted := s.line0 != 1 || s.col0 != 0
	level, decorated := 0, false
	if p.held.kind != 0 {
		toks = append(toks, p.held)
		p.held, p.top = token{}, false
		decorated = toks[0].kind == tAt
	}
	for {
		t, ok := s.next()
		if !ok {
			return errRefused
		}
		if shifted {
			s.shift(&t)
		}
		if p.top && level == 0 && t.kind != tDedent && t.kind != tIndent {
			if len(toks) >= chunkSize && !decorated && !continues(t.kind) && t.kind != tEOF {
				p.held = t
				toks = append(toks, token{kind: tEOF})
				break
			}
			decorated = t.kind == tAt
		}
		toks = append(toks, t)
		p.top = false
		switch t.kind {
		case tNewline:
			p.top = true
		case tIndent:
			level++
		case tDedent:
			level--
			p.top = true
		case tEOF:
			p.ended = true
		}
		if p.ended {
			break
		}
	}
	p.toks, p.pos = toks, 0
	return nil
}

// continues tells whether a line that begins so belongs to the statement above.
func continues(k kind) bool {
	return k == tElif || k == tElse || k == tExcept || k == tFinally
}

// chunk parses the statements in the buffer, and notes those to be looked at
// again.
func (p *parser) chunk() []ast.Stmt {
	mark := p.stmts.mark()
	for p.kind() != tEOF {
		at := p.stmts.mark()
		p.notes.suspect, p.notes.doubtful = false, false
		p.statement()
		list := p.stmts.stack[at:]
		if p.notes.suspect {
			p.suspects = append(p.suspects, list...)
		}
		if p.notes.doubtful {
			p.doubtful = append(p.doubtful, list...)
		}
	}
	return p.stmts.keep(mark)
}

// parsed is what the first parser makes of a program.
type parsed struct {
	body     []ast.Stmt
	suspects []ast.Stmt // the checks must see them
	doubtful []ast.Stmt // Warnings must see them
	whole    bool       // the checks must see the whole body
}

// parseBody runs the first parser on a program; bare: the last newline is ours.
func parseBody(text string, bare bool) (out parsed, err error) {
	f := frames.Get().(*frame)
	f.p.begin(text)
	f.p.scan.bare = bare
	var whole []ast.Stmt
	for !f.p.ended {
		list, err := f.next()
		if err != nil {
			return out, err
		}
		if whole == nil && f.p.ended {
			whole = list
		} else {
			whole = append(whole, list...)
		}
	}
	p := f.p
	out = parsed{whole, p.suspects, p.doubtful, p.notes.whole || p.names.debug}
	p.forget()
	frames.Put(f)
	return out, nil
}

// forget lets go of the source and the tree.
func (p *parser) forget() {
	for q := p; q != nil; q = q.inner {
		q.begin("")
		clear(q.chain[:cap(q.chain)])
	}
	p.done()
}

// marks are how much is on the stacks of lists that are being collected.
type marks struct{ exprs, stmts, keywords, args int }

func (p *parser) marks() marks {
	return marks{p.exprs.mark(), p.stmts.mark(), p.keywords.mark(), p.args.mark()}
}

func (p *parser) backTo(m marks) {
	p.exprs.stack, p.stmts.stack = p.exprs.stack[:m.exprs], p.stmts.stack[:m.stmts]
	p.keywords.stack, p.args.stack = p.keywords.stack[:m.keywords], p.args.stack[:m.args]
}
