package parser

import "strings"

// NeedMore tells whether what was typed at a prompt so far, its lines joined by
// newlines, is the beginning of a statement: a bracket, a block, a triple-quoted
// string or a decorator is open, or the last line ends in a backslash. A
// compound statement is complete only after an empty line, which shows as a
// newline at the end of src. A mistake needs no more: parsing reports it.
func NeedMore(src string) bool {
	s, err := textSource(src, "", modeSingle)
	if err != nil || src == "" {
		return false
	}
	scan := newScanner(s.text)
	p := &peg{src: s.text, names: scan, line0: 1}
	p.readAll(scan)
	if p.toks != nil && p.toks[0].kind == tEOF {
		return false
	}
	ok, failed := p.pass(startRules[modeSingle], 0)
	switch {
	case p.stopped:
		return p.stop.unfinished && (p.stop.kind != stopEOF || len(scan.brackets) > 0 || strings.HasSuffix(src, `\`))
	case ok:
		return !strings.HasSuffix(src, "\n") && p.endsBlock()
	case failed != nil:
		return false
	}
	last := p.toks[p.fill-1]
	return !last.located && last.cursor == len(p.src)
}

// endsBlock tells whether the source is a compound statement.
func (p *peg) endsBlock() bool {
	switch p.toks[0].kind {
	case tIf, tWith, tFor, tAsync, tMatch, tAt, tTry, tWhile, tDef, tClass:
		return true
	}
	return false
}
